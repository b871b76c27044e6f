"""The unfolding recursive autoencoder as a model of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lydite.corpora.trees.keys import text_key
from lydite.errors import LyditeError, UnsuitableModelError
from lydite.models.catalogue import as_argument, load, model_fingerprint, model_spec
from lydite.models.embedding_cache import as_texts
from lydite.models.protocols import WordModel
from lydite.models.seen import find_hashes
from lydite.models.urae.file import Autoencoder, read_autoencoder
from lydite.models.urae.network import encode_nodes
from lydite.models.urae.text_trees import SPACY, TextTrees, text_trees
from lydite.spec import Spec, Value, differing
from lydite.storage import sha256_file, sha256_text, user_path
from lydite.types import Mask, Vectors, current_progress

_TEXTS = 512


@dataclass(frozen=True, kw_only=True, eq=False)
class Urae:
    """Texts to the vectors at the roots of their trees.

    Attributes
    ----------
    path
        The file of the network, as the user gave it.
    network
        What it holds.
    words
        The word model that it was trained on.
    shape
        Where trees come from, as the user gave it.
    trees
        What gives texts their trees.
    tokenizer
        What cuts texts into words, for trees that depend on their number.
    """

    path: str
    network: Autoencoder
    words: WordModel
    shape: str
    trees: TextTrees
    tokenizer: str = "words"

    @property
    def spec(self) -> str:
        """The text that names this model."""
        known = self.network.words["spec"]
        options: dict[str, tuple[Value, Value]] = {
            "words": (None if model_spec(self.words) == known else as_argument(self.words), None),
            "trees": (self.shape, SPACY),
            "tokenizer": (self.tokenizer, "words"),
        }
        return str(Spec("urae", (self.path,), differing(options)))

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the file, of the word model and of the trees."""
        file = sha256_file(user_path(self.path))
        return sha256_text(f"{file} {model_fingerprint(self.words)} {self.trees.fingerprint}")

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector a text, (n, dim); zero where no word is known.

        The vector of a single word is that of its leaf.
        """
        texts = as_texts(texts)
        vectors = np.zeros((len(texts), self.network.recipe.dim), dtype=np.float32)
        # Each text once: the last bits of a product depend on what else is multiplied.
        places = {text: place for place, text in enumerate(dict.fromkeys(texts)) if text.split()}
        rows = self._encode_all(list(places))
        numbers = {text: row for row, text in enumerate(places)}
        there = [place for place, text in enumerate(texts) if text in numbers]
        vectors[there] = rows[[numbers[texts[place]] for place in there]]
        return vectors

    def saw(self, texts: Sequence[str], /) -> Mask:
        """Return which of the texts have the letters of a sentence trained on, (n,)."""
        return find_hashes(((text_key(text),) for text in as_texts(texts)), self.network.seen)

    def _encode_all(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.network.recipe.dim), dtype=np.float32)
        progress = current_progress()
        for start in range(0, len(texts), _TEXTS):
            part = texts[start : start + _TEXTS]
            vectors[start : start + len(part)] = self._encode(part)
            progress("encoding trees", start + len(part), len(texts))
        return vectors

    def _encode(self, texts: list[str]) -> Vectors:
        forest = self.trees.trees(texts)
        case = self.network.recipe.case
        table = self.network.scaling.words(self.words, forest.words, case=case)
        nodes = encode_nodes(self.network.weights, forest, table.vectors)
        known = np.concatenate([[0], np.cumsum(forest.leaves & table.found[forest.tokens])])
        inside = known[forest.roots + 1] - known[forest.roots + 1 - forest.sizes()]
        return np.asarray(np.where(inside[:, None] > 0, nodes[forest.roots], 0), dtype=np.float32)


def urae(path: str, *, words: object = None, trees: str = SPACY, tokenizer: str = "words") -> Urae:
    """Unfolding recursive autoencoder, from a file of ``lydite train urae``.

    Parameters
    ----------
    path
        The file.
    words
        The word model that it was trained on; by default the one that the file names.
    trees
        ``spacy``: binarised dependency trees (extra ``parse``). ``right``, ``left``, ``balanced``:
        by the number of words. A name or a file: bracketed trees over the texts themselves.
    tokenizer
        What cuts texts into words, for ``right``, ``left`` and ``balanced``.

    Notes
    -----
    A word without a vector is a leaf like the mean of the words trained on.

    References
    ----------
    Socher, Huang, Pennington, Ng & Manning, "Dynamic pooling and unfolding recursive autoencoders
    for paraphrase detection", NIPS 2011.
    """
    network = read_autoencoder(user_path(path))
    return Urae(
        path=path,
        network=network,
        words=_words(path, network, words),
        shape=trees,
        trees=text_trees(trees, tokenizer=tokenizer),
        tokenizer=tokenizer,
    )


def _words(path: str, network: Autoencoder, words: object) -> WordModel:
    """Open the word model, which has to be the one that the network was trained on."""
    used = network.words
    try:
        model = load(used["spec"] if words is None else words)
    except LyditeError as error:
        if words is None:
            raise UnsuitableModelError(
                f"{path} was trained on {used['spec']}, which cannot be opened: {error.message}",
                hint=f"say where it is: urae({path}, words=...)",
            ) from error
        raise
    if not isinstance(model, WordModel):
        raise UnsuitableModelError(
            f"urae stands on word vectors, but {model_spec(model)} has none",
            hint=f"give it the words that it was trained on: {used['spec']}",
        )
    got = model_fingerprint(model)
    width = model.lookup(["the"]).vectors.shape[1]
    if width != used["dim"] or (used["fingerprint"] and got and got != used["fingerprint"]):
        raise UnsuitableModelError(
            f"{path} was trained on {used['spec']} of {used['dim']} dimensions (fingerprint "
            f"{_short(used['fingerprint'])}), got {model_spec(model)} of {width} ({_short(got)})",
            hint="give it the words that it was trained on, or train it anew on these: "
            "lydite train urae --words",
        )
    return model


def _short(fingerprint: str | None) -> str:
    return fingerprint[:12] if fingerprint else "unknown"
