"""Paragraph vectors (PV-DM, PV-DBOW): trained with gensim, kept without pickle.

A sentence is a paragraph, as in White et al. (2015). Under PV-DBOW sentences go to a temporary file
first, from which gensim's compiled threads read by themselves: nearly twice as fast as sentences
that Python hands over, and more on several cores. Not so under PV-DM with concatenation, which has
the most to compute and where that reader is wrong: it counts paragraphs from zero in each thread
(``d2v_train_epoch_dm_concat`` of 4.4.0), so that sentences share their vectors.

Inference is gensim's, but for chance: a vector begins near zero at random, and for so many epochs
learns to predict the text's words, at a rate that falls in a straight line from ``alpha`` to
0.0001. What is drawn (the beginning, dropped words, negative samples) depends on the seed and the
text's own words alone, so that neither the order nor the company of texts, nor the process, changes
a vector. gensim by itself begins with Python's hash of the text, which is another in each process,
and draws on from where the last text left off.

The file is mapped, not read, so that a large one opens at once and processes share it. Its
metadata hold ``provenance``, as JSON: ``recipe``, ``preparation``, and what it was made from. Its
tensors, for n words, d dimensions and m different sentences:

========== ====================================== ==============================================
words      U8                                     the words in UTF-8, end to end
offsets    I64 (n + 1,)                           where each begins in ``words``
counts     I64 (n,)                               how often each stands in the corpus
outputs    F32 (n, d) or (n + 1, (1 + 2 window) d)  what predicts words
vectors    F32 (n, d)                             of words, for PV-DM alone
padding    F32 (d,)                               of the padding word, for PV-DM alone
seen       U64 (m,)                               sorted hashes of the sentences trained on
paragraphs F32 (sentences, d)                     their vectors, if they were to be kept
========== ====================================== ==============================================
"""

from __future__ import annotations

import copy
import dataclasses
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.documents import open_corpus
from lydite.corpora.paraphrases.load import every_sentence
from lydite.corpora.preparation import Preparation
from lydite.declare import SEEDS, Inline, Option, Param, State
from lydite.errors import FormatError, InputError, MissingExtraError, ResourceError
from lydite.files.arrays import Fit, check_fit
from lydite.files.plain import parse_json
from lydite.files.tensors import read_provenance, write_tensors
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import as_texts
from lydite.progress import current_progress
from lydite.recipe import Product, Recipe
from lydite.resources.catalogue import locate
from lydite.spaces.vocabulary import Hashes, PackedWords, pack
from lydite.storage import sha256_file, user_path
from lydite.threads import thread_count
from lydite.trained.gensim_engine import (
    Epochs,
    frequent_words,
    versions_with_gensim,
    write_lines,
)
from lydite.trained.inputs import (
    check_network_file,
    check_other_file,
    named,
    paths_of,
    running_text,
)
from lydite.trained.parameters import (
    Alpha,
    Dim,
    Encoding,
    Excluded,
    JsonField,
    MinCount,
    Negative,
    RunningText,
    SafetensorsFile,
    Sample,
    Window,
    Workers,
    check_declared,
)
from lydite.trained.parameters import Epochs as EpochCount
from lydite.trained.training_overlap import Remembered, find_hashes
from lydite.types import Indices, Mask, PlainMapping, Vectors

Architecture: TypeAlias = Literal["pv-dm", "pv-dbow"]

#: Where the learning rate ends, in training and in inference.
LEAST_ALPHA: Final = 0.0001


@dataclass(frozen=True, kw_only=True)
class ParagraphRecipe:
    """How paragraph vectors are trained (Le & Mikolov 2014).

    ``pv-dm`` predicts a word from the paragraph's vector and those of the words around it, all laid
    end to end, so that places count; its windows are always whole: where the sentence ends, a
    padding word stands for what is absent. ``pv-dbow`` predicts the paragraph's words from its
    vector alone and has no use for windows. Frequent words are dropped in inference, too. The
    learning rate falls in a straight line to `LEAST_ALPHA`. Only with one thread does the same
    seed give the same bits: several write to the same weights without waiting for each other.
    """

    architecture: Architecture = "pv-dm"
    dim: Dim = 300
    window: Window = 8
    negative: Negative = 5
    min_count: MinCount = 5
    epochs: EpochCount = 10
    sample: Sample = 1e-3
    alpha: Alpha = 0.025
    # gensim adds 7919 to it, and a seed has 32 bits.
    seed: Annotated[int, Param("Seed for everything random.", least=0, most=2**31 - 1)] = 0
    workers: Workers = 1

    def __post_init__(self) -> None:
        check_declared(self)

    @property
    def pads(self) -> bool:
        """Whether a padding word stands where a window reaches beyond the sentence."""
        return self.architecture == "pv-dm"

    @property
    def inputs(self) -> int:
        """How many numbers go into a prediction: with the windows of PV-DM, (1 + 2 window) dim."""
        return self.dim * (1 + 2 * self.window) if self.pads else self.dim


#: gensim's own word for what stands before and after a sentence; no word of a text may be it.
PADDING: Final = "\0"


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """All that inference needs, and what tells whether a text was trained on."""

    recipe: ParagraphRecipe
    preparation: Preparation
    words: PackedWords  # The n words, the most frequent first
    counts: Indices
    #: The weights that predict words. Shape (n, dim) for PV-DBOW; (n + 1, (1 + 2 window) dim) for
    #: PV-DM, whose last row is that of the padding word.
    outputs: Vectors
    #: (n + 1, dim): the vectors of words and, last, of padding. None for PV-DBOW, which has
    #: no word vectors.
    vectors: Vectors | None
    seen: Hashes
    #: Those of the sentences trained on, in the order of the corpus, if they are kept.
    paragraphs: Vectors | None = None

    def doc2vec(self) -> Any:  # noqa: ANN401 - an object without types
        """Make gensim's Doc2Vec of the weights, which infers what the trained one would.

        Vocabulary, subsampling and the table of negative samples are made by gensim itself from
        the counts, as before training.
        """
        frequent = dict(zip(self.words.to_list(), self.counts.tolist(), strict=True))
        model = untrained(self.recipe, frequent, paragraphs=0)
        model.syn1neg = self.outputs
        if self.vectors is not None:
            model.wv.vectors = self.vectors
        return model


def untrained(recipe: ParagraphRecipe, frequent: dict[str, int], *, paragraphs: int) -> Any:  # noqa: ANN401
    """Return a Doc2Vec with its vocabulary and its first weights."""
    try:
        from gensim.models.doc2vec import Doc2Vec  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtraError(
            f"paragraph vectors ({recipe.architecture})", extra="train"
        ) from error
    memory = int(recipe.architecture == "pv-dm")
    model = Doc2Vec(
        dm=memory,
        dm_concat=memory,
        vector_size=recipe.dim,
        window=recipe.window,
        negative=recipe.negative,
        min_count=recipe.min_count,
        sample=recipe.sample,
        alpha=recipe.alpha,
        min_alpha=LEAST_ALPHA,
        seed=recipe.seed,
        workers=recipe.workers,
        epochs=recipe.epochs,
        sorted_vocab=0,
    )
    model.dv.index_to_key = list(range(paragraphs))
    model.build_vocab_from_freq(frequent, corpus_count=paragraphs)
    return model


def network_of(
    model: Any,  # noqa: ANN401
    recipe: ParagraphRecipe,
    preparation: Preparation,
    *,
    seen: Hashes,
    keep: bool,
) -> Network:
    """Take the weights out of a trained Doc2Vec."""
    words = model.wv.index_to_key[: -1 if recipe.pads else None]
    return Network(
        recipe=recipe,
        preparation=preparation,
        words=pack(words),
        counts=np.array(model.wv.expandos["count"][: len(words)], dtype=np.int64),
        outputs=model.syn1neg,
        vectors=model.wv.vectors if recipe.pads else None,
        seen=seen,
        paragraphs=model.dv.vectors if keep else None,
    )


_TYPES = {"U8": np.uint8, "I64": np.int64, "U64": np.uint64, "F32": np.float32}
_HINT = "lydite train pv-dm and pv-dbow write such files"


def write_network(network: Network, path: Path, *, provenance: PlainMapping | None = None) -> None:
    """Write trained paragraph vectors, atomically."""
    check_network_file(path)
    tensors: dict[str, NDArray[Any] | None] = {
        "words": network.words.letters,
        "offsets": network.words.offsets,
        "counts": network.counts,
        "outputs": network.outputs,
        "vectors": None if network.vectors is None else network.vectors[:-1],
        "padding": None if network.vectors is None else network.vectors[-1],
        "seen": network.seen,
        "paragraphs": network.paragraphs,
    }
    there = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    about = {
        **(provenance or {}),
        "recipe": dataclasses.asdict(network.recipe),
        "preparation": dataclasses.asdict(network.preparation),
    }
    write_tensors(there, path, provenance=about)


def read_network(path: Path) -> Network:
    """Open trained paragraph vectors."""
    if not path.is_file():
        raise ResourceError(f"{path}: expected a file of paragraph vectors, found none", hint=_HINT)
    about = read_provenance(path, hint=_HINT)
    try:
        recipe = ParagraphRecipe(**about["recipe"])
        preparation = Preparation(**about["preparation"])
    except (KeyError, TypeError, InputError) as error:
        raise FormatError(
            "expected paragraph vectors, got safetensors without a training recipe",
            path=path,
            hint=_HINT,
        ) from error
    tensors = _mapped(path)
    _check(path, recipe, tensors)
    vectors = None
    if recipe.pads:
        vectors = np.concatenate([tensors["vectors"], tensors["padding"][None]])
    return Network(
        recipe=recipe,
        preparation=preparation,
        words=PackedWords(letters=tensors["words"], offsets=tensors["offsets"]),
        counts=tensors["counts"],
        outputs=tensors["outputs"],
        vectors=vectors,
        seen=tensors["seen"],
        paragraphs=tensors.get("paragraphs"),
    )


def _mapped(path: Path) -> dict[str, NDArray[Any]]:
    """Map the tensors, which the library would copy into memory."""
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        header = parse_json(stream.read(size))
    del header["__metadata__"]
    whole = np.memmap(path, dtype=np.uint8, mode="r", offset=0)
    tensors: dict[str, NDArray[Any]] = {}
    for name, entry in header.items():
        kind = _TYPES.get(entry["dtype"])
        if kind is not None:
            start, stop = (8 + size + at for at in entry["data_offsets"])
            tensors[name] = np.asarray(whole[start:stop]).view(kind).reshape(entry["shape"])
    return tensors


def _check(path: Path, recipe: ParagraphRecipe, tensors: dict[str, NDArray[Any]]) -> None:
    """Refuse tensors that do not fit each other: compiled code reads them without looking."""
    size = {name: tensor.size for name, tensor in tensors.items()}
    words, letters = size.get("counts", 0), size.get("words", 0)
    expected = {
        "counts": Fit(shape=(words,), kind=np.int64, low=1, below=1 << 53),
        "words": Fit(shape=(letters,), kind=np.uint8),
        "offsets": Fit(shape=(words + 1,), kind=np.int64, ends=letters),
        "outputs": Fit(shape=(words + recipe.pads, recipe.inputs), kind=np.float32),
        "seen": Fit(shape=(size.get("seen", 0),), kind=np.uint64),
    }
    if recipe.pads:
        expected["vectors"] = Fit(shape=(words, recipe.dim), kind=np.float32)
        expected["padding"] = Fit(shape=(recipe.dim,), kind=np.float32)
    if "paragraphs" in tensors:
        count = size["paragraphs"] // recipe.dim
        expected["paragraphs"] = Fit(shape=(count, recipe.dim), kind=np.float32)
    try:
        check_fit(tensors, expected)
    except ValueError as error:
        raise FormatError(str(error), path=path, hint=_HINT) from error
    _check_words(path, tensors)


def _check_words(path: Path, tensors: dict[str, NDArray[Any]]) -> None:
    offsets, counts = tensors["offsets"], tensors["counts"]
    fits = offsets[0] == 0 and offsets[-1] == len(tensors["words"]) and (np.diff(offsets) > 0).all()
    if not (fits and len(counts) > 1 and (counts > 0).all()):
        raise FormatError(
            "expected at least two words, each with a count from 1", path=path, hint=_HINT
        )


class Inference:
    """Infers one vector after the other; each thread needs its own."""

    def __init__(self, model: Any, *, epochs: int, alpha: float, seed: int) -> None:  # noqa: ANN401
        from gensim.models import doc2vec  # type: ignore[import-untyped]

        # The weights are shared, the state of what is drawn is not.
        self._model = copy.copy(model)
        self._rates = list(rates(alpha, epochs))
        self._seed = seed
        self._train = doc2vec.train_document_dbow if model.sg else doc2vec.train_document_dm_concat
        # Without memory to work in, the compiled code takes some that it has given back already.
        self._memory = [np.zeros(model.layer1_size, dtype=np.float32) for _ in range(2 - model.sg)]
        self._free = np.ones(1, dtype=np.float32)

    def vector(self, tokens: Sequence[str]) -> Vectors:
        """Return the vector of a text, (dim,); zero if no word is known.

        Of a text of more than 10,000 known words, gensim takes the first 10,000.
        """
        model, places = self._model, self._model.wv.key_to_index
        known = [token for token in tokens if token in places and token != PADDING]
        if not known:
            return np.zeros(model.vector_size, dtype=np.float32)
        model.random = np.random.RandomState(_key(self._seed, known))
        vectors = first_vector(model.random, model.vector_size)[None]
        for rate in self._rates:
            self._train(
                model,
                known,
                [0],
                rate,
                *self._memory,
                learn_words=False,
                learn_hidden=False,
                doctag_vectors=vectors,
                doctags_lockf=self._free,
            )
        vector: Vectors = vectors[0]
        return vector


def _key(seed: int, tokens: Sequence[str]) -> list[int]:
    text = "\n".join((str(seed), *tokens)).encode("utf-8", "surrogatepass")
    key: list[int] = np.frombuffer(blake2b(text, digest_size=16).digest(), dtype="<u4").tolist()
    return key


def first_vector(draws: np.random.RandomState, dim: int) -> Vectors:
    """Return the vector that inference begins with: numbers from -0.5 / dim to 0.5 / dim."""
    return (draws.random_sample(dim).astype(np.float32) - np.float32(0.5)) / np.float32(dim)


def rates(alpha: float, epochs: int) -> Iterator[float]:
    """Yield the learning rate of each epoch.

    >>> [round(rate, 4) for rate in rates(0.025, 3)]
    [0.025, 0.0126, 0.0001]
    """
    step = (alpha - LEAST_ALPHA) / max(epochs - 1, 1)
    for _ in range(epochs):
        yield alpha
        alpha -= step


#: Of inference. PV-DBOW (1.2 M sentences of Wikipedia, 10 epochs of training), accuracy of a linear
#: SVM on MSRP / Opinosis, one 3-fold split and one seed, with alpha=0.025: 94.4 / 41.8 after 5
#: epochs, 96.4 / 50.9 after 10, 97.4 / 56.2 after 20, 98.0 / 58.2 after 50, 97.6 / 61.6 after 100,
#: 97.7 / 60.5 after 200; with alpha=0.1, 67.1 / 28.0 after 5 (what older versions of gensim did by
#: themselves) and 85.6 / 39.9 after 20. From 50 on the differences are small; the choice was made
#: on these same data.
EPOCHS = 100
ALPHA = 0.025

_TEXTS = 32


@dataclass(frozen=True, eq=False)
class ParagraphVectors(Model):
    """Texts to vectors that are inferred."""

    path: Annotated[str, Param("The file.")]
    _: KW_ONLY
    epochs: Annotated[
        int,
        Param(
            "How often a text is gone through to infer its vector; always part of the spec.",
            least=1,
            always=True,
        ),
    ] = EPOCHS
    alpha: Annotated[
        float,
        Param(
            "The learning rate at the beginning of inference; it ends at 0.0001.",
            least=LEAST_ALPHA,
        ),
    ] = ALPHA
    seed: Annotated[int, Param("The seed of everything that is drawn.", least=0, most=SEEDS)] = 0
    normalise: Annotated[bool, Param("Give vectors the length 1.")] = False
    network: Annotated[Network, State]

    @classmethod
    def open(cls, path: str, **parameters: Any) -> Self:  # noqa: ANN401
        """Read the file."""
        network = read_network(Path(user_path(path)))
        other = network.recipe.architecture
        if other != cls.name:
            raise InputError(
                f"{path}: expected a file of {cls.name}, got one of {other}",
                hint=f"{other}({path}) opens it",
            )
        return cls(path, network=network, **parameters)

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the file."""
        return sha256_file(user_path(self.path))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Infer one vector per text, (n, dim); zero where no word is known."""
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


class DistributedMemory(ParagraphVectors):
    """PV-DM, distributed memory with concatenation, from a file of ``lydite train pv-dm``.

    References
    ----------
    Le & Mikolov, "Distributed representations of sentences and documents", ICML 2014.
    """

    name: ClassVar[str] = "pv-dm"


class DistributedBagOfWords(ParagraphVectors):
    """PV-DBOW, distributed bag of words, from a file of ``lydite train pv-dbow``.

    References
    ----------
    Le & Mikolov, "Distributed representations of sentences and documents", ICML 2014.
    """

    name: ClassVar[str] = "pv-dbow"


_STEP = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """What was learned, and from how much."""

    network: Network
    sentences: int
    tokens: int
    words: int
    #: How many sentences of the corpus were not trained on, because they were to be left out.
    left_out: int


def train_paragraphs(
    sentences: Iterable[Sequence[str]],
    recipe: ParagraphRecipe,
    *,
    preparation: Preparation | None = None,
    exclude: Collection[str] = (),
    keep: bool = False,
) -> Trained:
    """Train paragraph vectors.

    Tokens have no white space; sentences are gone through once. Those with the same tokens as a
    text of ``exclude`` are not trained on. ``keep`` keeps the vectors of the sentences themselves.

    >>> text = [("the", "cat", "sat"), ("the", "dog", "sat")] * 20
    >>> recipe = ParagraphRecipe(dim=4, window=2, epochs=1)
    >>> trained = train_paragraphs(text, recipe, exclude=["The dog sat."])
    >>> trained.sentences, trained.left_out
    (20, 20)
    >>> trained.network.outputs.shape  # the, cat, sat and padding; a paragraph and four words
    (4, 20)
    """
    preparation = preparation or Preparation()
    remembered = Remembered(sentences, [preparation.tokens(text) for text in exclude])
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        lines = Path(folder) / "sentences.txt"
        written = write_lines(map(_without_padding, remembered), lines)
        frequent = frequent_words(written.counts, recipe.min_count)
        model = untrained(recipe, frequent, paragraphs=written.lines)
        model.train(
            **_source(lines, written.lines, recipe),
            total_examples=written.lines,
            total_words=written.counts.total(),
            epochs=recipe.epochs,
        )
    return Trained(
        network=network_of(model, recipe, preparation, seen=remembered.hashes(), keep=keep),
        sentences=written.sentences,
        tokens=written.counts.total(),
        words=len(written.counts),
        left_out=remembered.left_out,
    )


def _without_padding(tokens: Sequence[str]) -> Sequence[str]:
    return [token for token in tokens if token != PADDING] if PADDING in tokens else tokens


def _source(path: Path, lines: int, recipe: ParagraphRecipe) -> dict[str, Any]:
    """Return how gensim reads the lines, and who is told of it."""
    if recipe.architecture == "pv-dm":
        return {"corpus_iterable": _Paragraphs(path, lines, recipe)}
    epochs = Epochs(recipe.architecture, recipe.epochs)
    return {"corpus_file": str(path), "callbacks": [epochs]}


class _Paragraphs:
    """The lines of a file as gensim's documents, once per epoch; tells how far it has come."""

    def __init__(self, path: Path, lines: int, recipe: ParagraphRecipe) -> None:
        self._path = path
        self._progress = current_progress()
        self._what = f"paragraphs of {recipe.architecture}, {recipe.epochs} times"
        self._done = 0
        self._total = lines * recipe.epochs

    def __iter__(self) -> Iterator[Any]:
        from gensim.models.doc2vec import TaggedDocument

        with self._path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                if self._done % _STEP == 0:
                    self._progress(self._what, self._done, self._total)
                self._done += 1
                yield TaggedDocument(line[:-1].split(" "), (number,))
        self._progress(self._what, self._done, self._total)


@dataclass(frozen=True, kw_only=True)
class ParagraphTraining(Recipe):
    """Base of the recipes of paragraph vectors."""

    note: ClassVar[str] = (
        "Each sentence is a paragraph. The file keeps the network that infers vectors of other "
        "texts, hashes of the training sentences, and what it was made from."
    )

    corpus: RunningText
    out: SafetensorsFile
    recipe: ParagraphRecipe
    exclude: Excluded = ()
    keep_paragraphs: Annotated[
        bool,
        Option("keep_paragraphs", "Keep the vectors of the corpus's own sentences too.", kind=bool),
    ] = False
    preparation: Annotated[Preparation, Inline()] = dataclasses.field(
        default_factory=lambda: Preparation(drop_single=False, punctuation=True, formulas="keep")
    )
    encoding: Encoding = None
    field: JsonField = "text"

    def run(self) -> Product:
        """Train on the sentences of the corpus and write the network."""
        target = user_path(self.out)
        check_network_file(target)
        located = running_text(self.corpus)
        check_other_file(self.out, located)
        without = [locate(source) for source in self.exclude]
        text = open_corpus(
            paths_of(located), self.preparation, encoding=self.encoding, field=self.field
        )
        trained = train_paragraphs(
            text.sentences(),
            self.recipe,
            preparation=self.preparation,
            exclude=[text for each in without for text in every_sentence(each.paths)],
            keep=self.keep_paragraphs,
        )
        counts = ("sentences", "tokens", "words", "left_out")
        about = {
            "corpus": named(located),
            "excluded": named(without),
            "text": {name: getattr(trained, name) for name in counts},
            "versions": versions_with_gensim(),
        }
        write_network(trained.network, target, provenance=about)
        left = f", {trained.left_out:,} left out" if without else ""
        return Product(
            line=f"{self.recipe.dim} dimensions, {len(trained.network.words):,} words, from "
            f"{trained.sentences:,} sentences of {trained.tokens:,} tokens{left}: {self.out}"
        )


def _examples(name: Architecture) -> tuple[str, ...]:
    return (
        f"train {name} --corpus book.txt more.txt.gz --out mine.safetensors",
        f"train {name} --corpus wikipedia-2014-20m --out wiki.safetensors --workers 8",
        f"train {name} --corpus news.txt --exclude groups.jsonl --out news.safetensors",
        f"localization '{name}(wiki.safetensors, epochs=100)' --groups groups.jsonl",
    )


_Options: TypeAlias = Annotated[ParagraphRecipe, Inline(without=("architecture",))]


@dataclass(frozen=True, kw_only=True)
class DistributedMemoryTraining(ParagraphTraining):
    """Train PV-DM, distributed memory with concatenation, on running text (extra train)."""

    name: ClassVar[str] = "pv-dm"
    examples: ClassVar[tuple[str, ...]] = _examples("pv-dm")

    recipe: _Options = ParagraphRecipe(architecture="pv-dm")


@dataclass(frozen=True, kw_only=True)
class DistributedBagOfWordsTraining(ParagraphTraining):
    """Train PV-DBOW, a distributed bag of words, on running text (extra train)."""

    name: ClassVar[str] = "pv-dbow"
    examples: ClassVar[tuple[str, ...]] = _examples("pv-dbow")

    recipe: _Options = ParagraphRecipe(architecture="pv-dbow")
