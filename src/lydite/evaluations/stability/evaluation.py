"""Stability (Hellrich & Hahn 2016): whether spaces that were trained alike have the same neighbors.

Skip-gram starts from random vectors and draws random words as it goes. Trained twice on one text,
it gives two spaces, and the nearest words of a word need not be the same in both. What is read from
such neighbors is then a throw of dice. The authors call the share of neighbors that all of several
retrained spaces have in common *reliability*; here it is called stability, since the reliability of
:mod:`lydite.evaluations.consistency` is of terms learned from different sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.declare import Metric, Option, Param, Slot
from lydite.errors import FormatError, InputError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.catalogue import Call, Evaluation, Plan, only_resource
from lydite.evaluations.stability.overlap import MEASURES, different_words, random_lists
from lydite.files.lines import text_lines
from lydite.lexicons.frequencies import ListedFrequencies
from lydite.models.catalogue import load, model_spec
from lydite.models.combination import Retrained
from lydite.models.protocols import WordModel
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.resources.lexicons import open_frequencies
from lydite.results.details import Details, Missing
from lydite.results.record import Outcome
from lydite.spaces.formats.catalogue import detect
from lydite.spaces.formats.text import TEXT
from lydite.spaces.neighbours import nearest_words
from lydite.spaces.space import Space
from lydite.spec import Spec, as_argument, parse
from lydite.stats.means import mean_interval
from lydite.stats.null import summarize_null
from lydite.types import Floats, Indices, Vectors

Measure: TypeAlias = Literal["all", "pairs", "jaccard"]

_DRAWS = 200
#: The baseline is drawn with a seed of its own: no seed of the user's changes what is concluded.
_INNER_SEED = 2016
#: Words of either end that are shown with their neighbors, and how many of these.
_SHOWN, _NEAREST = 5, 5
_MISSING = 10
#: A line with more fields is no word with its count.
_LIST_FIELDS = 3


@dataclass(frozen=True, kw_only=True)
class At(Details):
    """The measures with so many neighbors."""

    neighbors: int = 0
    all_: float = 0.0
    pairs: float = 0.0
    jaccard: float = 0.0
    different_words: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Band(Details):
    """Words of like frequency: which places by frequency, and their score with its interval."""

    first: int = 0
    last: int = 0
    words: int = 0
    score: float = 0.0
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Word(Details):
    """A word, its score, and its nearest words in each space."""

    word: str = ""
    score: float = 0.0
    neighbors: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class StabilityDetails(Missing):
    """What a result tells beside its scores."""

    spaces: int = 0
    shared: int = 0  # the words that all spaces have: what neighbors are looked for among
    listed: int = 0  # the words asked for, before some were taken evenly
    by: str = ""  # what words are ordered by
    curve: tuple[At, ...] = ()
    bands: tuple[Band, ...] = ()
    words: tuple[Word, ...] = ()  # the most and the least stable ones


@dataclass(frozen=True, kw_only=True)
class Stability(Evaluation):
    """Measure how far spaces that were trained alike agree on the nearest words.

    Given several vector files, trained on one text with other seeds, it counts how many of the
    nearest words of a word they share. What is read from neighbors that change with the seed
    should not be argued from.
    """

    name: ClassVar[str] = "stability"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("all", "neighbors shared by all"),
        Metric("pairs", "neighbors shared by two"),
        Metric("jaccard", "Jaccard of neighbors"),
        Metric("nearest", "same nearest word in all"),
        Metric("different_words", "shared by different words", higher=None),
    )
    models: ClassVar[Option] = Option(
        "models",
        "Vector files that were trained alike; or sets of them, such as 'retrained(a.vec, b.vec)'.",
        metavar="MODEL...",
    )
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "words",
            "Which words: a list, with counts or without, a text, or a vector file.  "
            "\\[default: the first space]",
            several=False,
            metavar="NAME|FILE",
            accepts=("book", "corpus"),
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "stability seed-0.safetensors seed-1.safetensors seed-2.safetensors",
        "stability 'retrained(sg-0.vec, sg-1.vec)' 'retrained(glove-0.vec, glove-1.vec)' "
        "--words corpus.txt",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.stability.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.stability.section:command_tables"

    metric: Annotated[
        Measure,
        Param(
            "Which score leads: the share of the nearest words that all spaces have (Hellrich & "
            "Hahn), the mean share that two of them have, or the intersection of all over their "
            "union. All are reported."
        ),
    ] = "all"
    neighbors: Annotated[int, Param("How many nearest words of a word are compared.", least=1)] = 10
    most: Annotated[
        int, Param("Take at most so many words, evenly by frequency; 0: all.", least=0)
    ] = 2000
    bands: Annotated[int, Param("Into how many bands of frequency words are put.", least=1)] = 5

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Take vector files together as one set, and all their words unless some were named."""
        sets = [_is_set(each) for each in call.models]
        if any(sets) and not all(sets):
            raise InputError(
                "stability: expected either vector files or sets of them, got both",
                hint="put the files together: 'retrained(a.vec, b.vec)'",
            )
        models = call.models if all(sets) else (_together(call.models),)
        words = call.slots["words"] or _first_files(models)
        question = cls(**call.parameters)
        return Plan(models=models, questions=((question, words),))

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Find the nearest words in each space, and compare them."""
        if not isinstance(model, Retrained):
            raise UnsuitableModelError(
                f"stability compares spaces that were trained alike, and {model_spec(model)} is "
                "one model",
                hint="put several together: 'retrained(seed-0.vec, seed-1.vec)'",
            )
        words = _words(only_resource(self.name, resources), model.members)
        listed = len(words.words)
        words = words.evenly(self.most)
        shared = _shared(model.members, words.words)
        covered = [word in shared.place for word in words.words]
        targets = np.array([shared.place[w] for w in words.words if w in shared.place], dtype=int)
        self._check(len(targets), len(shared.words), model)
        lists = np.stack(
            [
                nearest_words(
                    vectors, vectors[targets], self.neighbors, exclude=targets[:, None]
                ).indices
                for vectors in shared.vectors
            ]
        )
        return self._outcome(words, covered, listed, shared, lists)

    def _check(self, targets: int, shared: int, model: Retrained) -> None:
        if targets < 2 or shared <= self.neighbors:
            raise UndefinedScoreError(
                f"{model_spec(model)}: its spaces share {shared} words, {targets} of those asked "
                f"for; expected more than {self.neighbors} and at least 2",
                hint="are the spaces of one text? name other words, or compare fewer neighbors",
            )

    def _outcome(
        self,
        words: _Words,
        covered: Sequence[bool],
        listed: int,
        shared: _Shared,
        lists: Indices,
    ) -> Outcome:
        measured = {name: measure(lists) for name, measure in MEASURES.items()}
        values = measured[self.metric][:, -1]
        known = [word for word, ok in zip(words.words, covered, strict=True) if ok]
        apart = different_words(lists)
        band = np.arange(len(covered)) * self.bands // len(covered)
        others = {name: float(each[:, -1].mean()) for name, each in measured.items()}
        others |= {"nearest": float(measured["all"][:, 0].mean())}
        others |= {"different_words": float(apart[-1])}
        null = random_lists(
            self.metric,
            spaces=len(lists),
            words=len(known),
            candidates=len(shared.words) - 1,
            n=self.neighbors,
            draws=_DRAWS,
            seed=_INNER_SEED,
        )
        return Outcome(
            metric=self.metric,
            score=others.pop(self.metric),
            interval=mean_interval(values),
            baseline=summarize_null(null, kind="random neighbors"),
            n_items=len(covered),
            n_covered=len(known),
            oov="skip",
            statistic="mean",
            items={
                "item": words.words,
                "covered": list(covered),
                "value": _spread(values, covered),
                **{name: _spread(each[:, -1], covered) for name, each in measured.items()},
                "band": band.tolist(),
            },
            others=others,
            details=StabilityDetails(
                missing=tuple(w for w, ok in zip(words.words, covered, strict=True) if not ok)[
                    :_MISSING
                ],
                spaces=len(lists),
                shared=len(shared.words),
                listed=listed,
                by=words.by,
                curve=_curve(measured, apart),
                bands=self._bands(values, band, np.asarray(covered), listed),
                words=_ends(known, values, lists, shared.words),
            ).plain(),
        )

    def _bands(
        self, values: Floats, band: Indices, covered: Sequence[bool] | Floats, listed: int
    ) -> tuple[Band, ...]:
        """Return the score of each band; places are those among all words that were listed."""
        of_known = band[np.asarray(covered, dtype=bool)]
        ends = [round(listed * i / self.bands) for i in range(self.bands + 1)]
        rows = []
        for i in range(self.bands):
            scores = values[of_known == i]
            if not len(scores):
                continue
            interval = mean_interval(scores)
            rows.append(
                Band(
                    first=ends[i] + 1,
                    last=ends[i + 1],
                    words=len(scores),
                    score=float(scores.mean()),
                    low=None if interval is None else interval.low,
                    high=None if interval is None else interval.high,
                )
            )
        return tuple(rows)


@dataclass(frozen=True, kw_only=True)
class _Words:
    """Words, the most frequent first, and what says so."""

    words: list[str]
    by: str

    def evenly(self, most: int) -> _Words:
        """Take so many words at even distances: every frequency is there, and no seed matters."""
        n = len(self.words)
        if not most or n <= most:
            return self
        places = (np.arange(most) * n + n // 2) // most
        return replace(self, words=[self.words[i] for i in places.tolist()])


def _words(resource: Located, members: Sequence[WordModel]) -> _Words:
    """Return the words of a vector file, of a list, or of a text, the most frequent first."""
    space = _space_of(resource, members)
    if space is not None:
        words = list(space.vocabulary[:])
        if space.counts is None:
            return _Words(words=words, by="their order in the file")
        order = np.argsort(-space.counts, kind="stable").tolist()
        return _Words(words=[words[i] for i in order], by="counts of the space")
    listed = _listed(resource)
    if listed:
        return _Words(words=listed, by="their order in the list")
    source = open_frequencies(_name_of(resource))
    if not isinstance(source, ListedFrequencies):
        raise InputError(f"{resource.name}: expected a list of words or a text")
    words = list(source.words[:])
    order = np.lexsort((np.array(words), -source.numbers)).tolist()
    return _Words(words=[words[i] for i in order], by=f"counts of {resource.name}")


def _listed(resource: Located) -> list[str]:
    """Return the words of a list with one per line, or none if it is anything else."""
    if resource.card is not None or len(resource.paths) > 1:
        return []
    lines = (line.strip() for _, line in text_lines(resource.paths[0]))
    words = []
    for line in filter(None, lines):
        if len(line.split()) > 1:
            return []
        words.append(line)
    return list(dict.fromkeys(words))


def _name_of(resource: Located) -> str | Path:
    return resource.name if resource.card is not None else resource.paths[0]


def _space_of(resource: Located, members: Sequence[WordModel]) -> Space | None:
    """Return the space whose file the resource is: one of the set, or any other; None if none."""
    for each in members:
        if isinstance(each, Space) and _is_file_of(each, resource):
            return each
    if resource.card is not None or len(resource.paths) > 1:
        return None
    try:
        form = detect(resource.paths[0])
    except FormatError:
        return None
    if form is TEXT:
        first = next((line for _, line in text_lines(resource.paths[0]) if line.strip()), "")
        # The number of words and of dimensions, or a word and its count, is no vector.
        following = [line for _, line in islice(text_lines(resource.paths[0]), 1, 2)]
        if max(len(line.split()) for line in (first, *following)) <= _LIST_FIELDS:
            return None
    opened = load(resource.paths[0])
    return opened if isinstance(opened, Space) else None


def _is_file_of(space: Space, resource: Located) -> bool:
    written = parse(space.spec)
    path = str(written.args[0]) if written.args else written.name
    return Path(path).expanduser().resolve() == resource.paths[0].resolve()


@dataclass(frozen=True, kw_only=True, eq=False)
class _Shared:
    """The words that all spaces have, with their vectors in each, (words, d)."""

    words: list[str]
    place: dict[str, int]
    vectors: list[Vectors]


def _shared(members: Sequence[WordModel], asked: Sequence[str]) -> _Shared:
    """Return the words of the smallest vocabulary, or those asked for, that all spaces have."""
    spaces = [each for each in members if isinstance(each, Space)]
    words = list(asked)
    if spaces:
        words = list(min(spaces, key=len).vocabulary[:])
    found = [each.lookup(words) for each in members]
    # A word without direction is near to nothing.
    known = np.logical_and.reduce([each.found & each.vectors.any(axis=1) for each in found])
    kept = [word for word, ok in zip(words, known.tolist(), strict=True) if ok]
    return _Shared(
        words=kept,
        place={word: i for i, word in enumerate(kept)},
        vectors=[np.asarray(each.vectors[known], dtype=np.float32) for each in found],
    )


def _is_set(model: str) -> bool:
    argument = as_argument(model)
    return isinstance(argument, Spec) and argument.name == Retrained.name


def _together(models: Sequence[str]) -> str:
    if len(models) < 2:
        raise InputError(
            f"stability: expected at least two spaces that were trained alike, got {len(models)}",
            hint="train again with another seed, and give both files",
        )
    return str(Spec(Retrained.name, tuple(as_argument(each) for each in models)))


def _first_files(models: Sequence[str]) -> tuple[str, ...]:
    """Return the first vector file of the sets: its words are asked for."""
    for model in models:
        for each in parse(model).args:
            path = each.args[0] if isinstance(each, Spec) and each.args else each
            if Path(str(path)).expanduser().is_file():
                return (str(path),)
    raise InputError(
        "stability: expected --words, since none of the spaces is a file",
        hint="name a list of words or a text: --words corpus.txt",
    )


def _spread(values: Floats, covered: Sequence[bool]) -> list[float | None]:
    known = iter(values.tolist())
    return [next(known) if ok else None for ok in covered]


def _curve(measured: dict[str, Floats], apart: Floats) -> tuple[At, ...]:
    means = {name: each.mean(axis=0).tolist() for name, each in measured.items()}
    return tuple(
        At(
            neighbors=j + 1,
            all_=means["all"][j],
            pairs=means["pairs"][j],
            jaccard=means["jaccard"][j],
            different_words=float(apart[j]),
        )
        for j in range(len(apart))
    )


def _ends(
    words: Sequence[str], values: Floats, lists: Indices, names: Sequence[str]
) -> tuple[Word, ...]:
    """Return words that are stable and words that are not, the more frequent first among equals."""
    order = np.argsort(-values, kind="stable").tolist()
    worst = np.argsort(values, kind="stable").tolist()[:_SHOWN]
    best = [i for i in order[:_SHOWN] if i not in worst]
    return tuple(
        Word(
            word=words[i],
            score=float(values[i]),
            neighbors=tuple(tuple(names[k] for k in each[i, :_NEAREST].tolist()) for each in lists),
        )
        for i in [*best, *reversed(worst)]
    )
