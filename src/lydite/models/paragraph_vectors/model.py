"""Paragraph vectors as a model of texts."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from lydite.errors import InputError
from lydite.models.background import check_count, check_number, check_seed
from lydite.models.embedding_cache import as_texts
from lydite.models.paragraph_vectors.file import read_network
from lydite.models.paragraph_vectors.inference import Inference
from lydite.models.paragraph_vectors.network import Network
from lydite.models.paragraph_vectors.recipe import LEAST_ALPHA, Architecture
from lydite.models.seen import find_hashes
from lydite.spec import Spec, Value, differing
from lydite.storage import sha256_file, user_path
from lydite.threads import thread_count
from lydite.types import Mask, Vectors, current_progress

#: Of inference. PV-DBOW (1.2 M sentences of Wikipedia, 10 epochs of training), accuracy of a linear
#: SVM on MSRP / Opinosis, one 3-fold split and one seed, with alpha=0.025: 94.4 / 41.8 after 5
#: epochs, 96.4 / 50.9 after 10, 97.4 / 56.2 after 20, 98.0 / 58.2 after 50, 97.6 / 61.6 after 100,
#: 97.7 / 60.5 after 200; with alpha=0.1, 67.1 / 28.0 after 5 (what older versions of gensim did by
#: themselves) and 85.6 / 39.9 after 20. From 50 on the differences are small; the choice was made
#: on these same data.
EPOCHS = 100
ALPHA = 0.025

_TEXTS = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class ParagraphVectors:
    """Texts to vectors that are inferred.

    Attributes
    ----------
    path
        The file that the weights came from, as the user gave it.
    network
        The weights.
    epochs
        How often a text is gone through to infer its vector.
    alpha
        The learning rate at the beginning of inference; it ends at 0.0001.
    seed
        Of everything drawn.
    normalise
        Whether vectors get the length 1.
    """

    path: str
    network: Network
    epochs: int = EPOCHS
    alpha: float = ALPHA
    seed: int = 0
    normalise: bool = False

    def __post_init__(self) -> None:
        check_count("epochs", self.epochs, least=1)
        check_number("alpha", self.alpha, least=LEAST_ALPHA)
        check_seed(self.seed)

    @property
    def spec(self) -> str:
        """The text that names this model, always with its epochs."""
        options: dict[str, tuple[Value, Value]] = {
            "epochs": (self.epochs, None),
            "alpha": (self.alpha, ALPHA),
            "seed": (self.seed, 0),
            "normalise": (self.normalise, False),
        }
        return str(Spec(self.network.recipe.architecture, (self.path,), differing(options)))

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the file."""
        return sha256_file(user_path(self.path))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Infer one vector a text, (n, dim); zero where no word is known."""
        tokens = [self.network.preparation.tokens(text) for text in as_texts(texts)]
        vectors = np.zeros((len(tokens), self.network.recipe.dim), dtype=np.float32)
        if not tokens:
            return vectors
        infer = partial(self._infer, self._doc2vec)
        progress = current_progress()
        starts = range(0, len(tokens), _TEXTS)
        with ThreadPoolExecutor(min(thread_count(), len(starts))) as pool:
            parts = pool.map(infer, [tokens[start : start + _TEXTS] for start in starts])
            for start, part in zip(starts, parts, strict=True):
                vectors[start : start + len(part)] = part
                progress("inferring vectors", start + len(part), len(tokens))
        return _of_length_one(vectors) if self.normalise else vectors

    def saw(self, texts: Sequence[str], /) -> Mask:
        """Return which of the texts have the same tokens as a sentence trained on, (n,)."""
        tokens = (self.network.preparation.tokens(text) for text in as_texts(texts))
        return find_hashes(tokens, self.network.seen)

    @cached_property
    def _doc2vec(self) -> Any:  # noqa: ANN401
        return self.network.doc2vec()

    def _infer(self, model: Any, sentences: Sequence[Sequence[str]]) -> Vectors:  # noqa: ANN401
        inference = Inference(model, epochs=self.epochs, alpha=self.alpha, seed=self.seed)
        return np.stack([inference.vector(tokens) for tokens in sentences])


def _of_length_one(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def pv_dm(
    path: str,
    *,
    epochs: int = EPOCHS,
    alpha: float = ALPHA,
    seed: int = 0,
    normalise: bool = False,
) -> ParagraphVectors:
    """PV-DM, distributed memory with concatenation, from a file of ``lydite train pv-dm``.

    Parameters
    ----------
    path
        The file.
    epochs
        How often a text is gone through to infer its vector; always part of the spec.
    alpha
        The learning rate of inference at the beginning.
    seed
        Of everything drawn.
    normalise
        Give vectors the length 1.

    References
    ----------
    Le & Mikolov, "Distributed representations of sentences and documents", ICML 2014.
    """
    return _opened("pv-dm", path, epochs=epochs, alpha=alpha, seed=seed, normalise=normalise)


def pv_dbow(
    path: str,
    *,
    epochs: int = EPOCHS,
    alpha: float = ALPHA,
    seed: int = 0,
    normalise: bool = False,
) -> ParagraphVectors:
    """PV-DBOW, distributed bag of words, from a file of ``lydite train pv-dbow``.

    The parameters are those of :func:`pv_dm`.
    """
    return _opened("pv-dbow", path, epochs=epochs, alpha=alpha, seed=seed, normalise=normalise)


def _opened(architecture: Architecture, path: str, **options: Any) -> ParagraphVectors:  # noqa: ANN401
    network = read_network(Path(user_path(path)))
    if network.recipe.architecture != architecture:
        other = network.recipe.architecture
        raise InputError(
            f"{path}: expected a file of {architecture}, got one of {other}",
            hint=f"{other}({path}) opens it",
        )
    return ParagraphVectors(path=path, network=network, **options)
