"""Subsumption preservation (Seyed 2016): a unit test for meaning, from any taxonomy.

For a triple <A, B, C> in which A lies under B and B under C, the paper asks two things of a
similarity: that A be at least as close to B as to C (subsumption, SS), and that C be at least as
close to B as to A (reverse subsumption, RSS). The score is the share of triples that keep the
condition. The aggregate approach (AS, RAS) asks the same of centroids: of the vectors of all sister
lemmas of all senses of a word.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

import numpy as np

from lydite.declare import Metric, Option, Param, Slot, View
from lydite.errors import InputError, MissingWordError, UndefinedScoreError
from lydite.evaluations.catalogue import Call, Evaluation, Plan
from lydite.evaluations.subsumption.data import Sources, files_named, inventory_of, saved_level
from lydite.evaluations.subsumption.inventory import Choices, Inventory, Level, Step
from lydite.evaluations.subsumption.scoring import (
    Answers,
    MeasureName,
    ask_pairs,
    ask_senses,
    ask_words,
)
from lydite.lexicons.taxonomy import ON_CYCLE
from lydite.lexicons.taxonomy_files import Labels, Synonyms
from lydite.models.catalogue import model_spec
from lydite.models.protocols import PairModel, TextModel, WordModel
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details, Missing
from lydite.results.record import Items, Outcome
from lydite.stats.bootstrap import Interval
from lydite.stats.crossed import crossed_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask, Plain, PlainMapping

#: Generality of C, by how many concepts lie below it.
_BELOW = (0, 10, 100, 1_000, 10_000)
#: Violations of each condition that a result keeps; a file can have all.
WORST = 20
#: Concepts and edges of a kind of problem that are named.
_EXAMPLES = 3


@dataclass(frozen=True, kw_only=True)
class Score(Details):
    """One of the scores, with its interval, if it has one, and its null baseline."""

    score: float = 0.0
    low: float | None = None
    high: float | None = None
    baseline: float = 0.0
    baseline_low: float = 0.0
    baseline_high: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Group(Details):
    """Triples of one class, depth or generality, and what share of them keeps each condition."""

    group: str = ""
    n: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, data: PlainMapping) -> Self:
        """Read plain data, in which the shares stand beside the rest."""
        shares = {name: data[name] for name in METRICS if name in data}
        return cls(group=data["group"], n=data["n"], shares=shares)

    def plain(self) -> dict[str, Plain]:
        """Return plain data, with the shares beside the rest."""
        return {"group": self.group, "n": self.n, **self.shares}


@dataclass(frozen=True, kw_only=True)
class Violation(Details):
    """A triple of which the ends are too close, told in words."""

    sentence: str = ""
    triple: tuple[str, ...] = ()
    condition: str = ""  # what is violated: ``ss``, ``rss``, ``as`` or ``ras``
    margin: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Chosen(Details):
    """The choices that made an inventory; those that its file does not tell are empty."""

    level: str = ""
    relation: str = ""
    part_of_speech: str = ""
    senses: str = ""
    lemmas: str = ""
    paths: str = ""
    inferred: str = ""
    exclude: tuple[str, ...] = ()
    min_count: float = 0.0
    min_ic: float = 0.0
    sisters: str = ""


@dataclass(frozen=True, kw_only=True)
class SisterCounts(Details):
    """How many sister lemmas the words of an inventory have, and would have in another case."""

    words: int = 0
    lemmas: int = 0
    words_in_another_case: int = 0
    lemmas_in_another_case: int = 0


@dataclass(frozen=True, kw_only=True)
class ChosenLabels(Details):
    """Which labels a taxonomy was read with; empty where it has but one kind."""

    language: str = ""
    synonyms: str = ""


@dataclass(frozen=True, kw_only=True)
class Source(Details):
    """What an inventory was made from, and what was odd about it."""

    taxonomy: str = ""
    pairs: str = ""
    frequencies: str = "a file"
    ic: str = "a file"
    choices: Chosen = field(default_factory=Chosen)
    labels: ChosenLabels = field(default_factory=ChosenLabels)
    taxonomy_problems: Mapping[str, int] = field(default_factory=dict)
    # The names of the first few of each kind.
    taxonomy_examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sisters: SisterCounts = field(default_factory=SisterCounts)


@dataclass(frozen=True, kw_only=True)
class SubsumptionDetails(Missing):
    """What a result tells beside its scores."""

    scores: Mapping[str, Score] = field(default_factory=dict)
    # How many pairs and triples were left after each step; the last is the model's own.
    funnel: tuple[Step, ...] = ()
    # Shares by ``class``, ``depth`` and ``generality``.
    breakdown: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    level: str = ""  # what the triples are of: words or senses
    # How many words or senses the triples have, and what share of them the model has.
    words: int = 0
    words_found: float = 0.0
    # What the inventory was made from and how, as its file says it.
    inventory: PlainMapping = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """What its inventory was made from."""
        return Source.read(self.inventory)


def breakdown(
    inventory: Inventory, covered: Mask, kept: Mapping[str, Mask]
) -> dict[str, tuple[Group, ...]]:
    """Return the share of triples that keep each condition, by class, depth and generality."""
    groups: dict[str, tuple[list[str], Indices]] = {}
    named = sorted(set(inventory.classes) - {""})
    if named:
        place = {name: i for i, name in enumerate(named)}
        groups["class"] = (named, np.array([place.get(each, -1) for each in inventory.classes]))
    deep = sorted(set(inventory.depth[inventory.depth >= 0].tolist()))
    if len(deep) > 1:
        at = np.searchsorted(deep, inventory.depth)
        groups["depth"] = ([str(d) for d in deep], np.where(inventory.depth >= 0, at, -1))
    if (inventory.below >= 0).all():
        groups["generality"] = (_generality_names(), np.searchsorted(_BELOW, inventory.below) - 1)
    return {
        by: tuple(
            _row(name, (codes == i) & covered, kept)
            for i, name in enumerate(names)
            if ((codes == i) & covered).any()
        )
        for by, (names, codes) in groups.items()
    }


def _generality_names() -> list[str]:
    ends = [f"{low + 1:,} to {high:,}" for low, high in itertools.pairwise(_BELOW)]
    return [*ends, f"over {_BELOW[-1]:,}"]


def _row(name: str, chosen: Mask, kept: Mapping[str, Mask]) -> Group:
    shares = {metric: round(float(mask[chosen].mean()), 6) for metric, mask in kept.items()}
    return Group(group=name, n=int(chosen.sum()), shares=shares)


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """What a condition compares, for n triples, and which of these break it."""

    near: Floats  # to B
    far: Floats  # of A and C
    broken: Mask


def compared(answers: Answers, condition: str) -> Compared:
    """Return what a condition (``ss``, ``rss``, ``as``, ``ras``) compares in a model's answers."""
    approach, which = METRICS[condition]
    similarities = answers.simple if approach == "simple" else answers.aggregate
    if similarities is None:
        empty = np.zeros(0)
        return Compared(near=empty, far=empty, broken=empty.astype(np.bool_))
    kept = similarities.kept()
    reverse = which == "reverse"
    return Compared(
        near=similarities.bc if reverse else similarities.ab,
        far=similarities.ac,
        broken=similarities.covered & ~(kept.reverse if reverse else kept.subsumption),
    )


def violations(
    triples: Sequence[tuple[str, str, str]],
    by_condition: Mapping[str, Compared],
    *,
    most: int | None = None,
) -> tuple[Violation, ...]:
    """Tell in words which triples break conditions, one after the other, the worst first.

    The same sentence stands once: triples of several senses may tell it again. ``most`` cuts each
    condition.
    """
    found: list[Violation] = []
    for condition, each in by_condition.items():
        broken = np.flatnonzero(each.broken)
        order = broken[np.argsort(each.near[broken] - each.far[broken], kind="stable")]
        once: dict[str, Violation] = {}
        for i in order.tolist():
            row = _violation(triples[i], float(each.near[i]), float(each.far[i]), condition)
            once.setdefault(row.sentence, row)
            if len(once) == most:
                break
        found += once.values()
    return tuple(found)


def conditions_of(metric: str) -> tuple[str, ...]:
    """Return the conditions that a metric asks to be kept.

    >>> conditions_of("as"), conditions_of("both")
    (('as',), ('ss', 'rss'))
    """
    approach, condition = METRICS[metric]
    if condition != "both":
        return (metric,)
    return tuple(
        name for name, (other, single) in METRICS.items() if other == approach and single != "both"
    )


def _violation(triple: tuple[str, str, str], near: float, far: float, condition: str) -> Violation:
    a, b, c = triple
    one, other = (c, a) if METRICS[condition][1] == "reverse" else (a, c)
    return Violation(
        sentence=f"{one} is closer to {other} ({far:.2f}) than to {b} ({near:.2f})",
        triple=triple,
        condition=condition,
        margin=round(far - near, 6),
    )


def told(funnel: Sequence[Step]) -> str:
    """Tell a funnel in one line."""
    first, *rest = funnel
    parts = [f"{first.count:,} {first.unit}" if first.name == first.unit else _step(first)]
    return " -> ".join([*parts, *(_step(step) for step in rest)])


def _step(step: Step) -> str:
    return f"{step.count:,} {step.name}"


def oddities(inventory: Inventory) -> str:
    """Tell what was found in the taxonomy while it was read."""
    found = told_problems(Source.read(inventory.provenance))
    return f"; in the taxonomy: {found}" if found else ""


def told_problems(source: Source) -> str:
    """Tell what is odd about a taxonomy, kind by kind, and name the first ones."""
    parts = []
    for kind, count in source.taxonomy_problems.items():
        named = list(source.taxonomy_examples.get(kind, ()))[:_EXAMPLES]
        # A way round a cycle names several concepts.
        known = len(set(" > ".join(named).split(" > "))) if kind == ON_CYCLE else len(named)
        more = ["…"] if named and count > known else []
        parts.append(f"{kind} ({count:,}{': ' if named else ''}{'; '.join(named + more)})")
    return ", ".join(parts)


def lacking(answers: Answers) -> str:
    """Name a few words that the model does not have."""
    missing = answers.missing_words[:3]
    return f"; it has no {', no '.join(missing)}" if missing else ""


def way_to_cover(answers: Answers) -> str:
    """Say what to do where the model covers no triple."""
    if answers.level == "sense":
        return "use level=word for a space of words"
    missing = answers.missing_words
    if missing and all(" " in word for word in missing):
        return "mean(MODEL) makes the vector of a phrase from those of its words"
    return (
        "is the model of another language, cased while the taxonomy is not, or a space of "
        "senses, which needs level=sense?"
    )


def way_out(inventory: Inventory) -> str:
    """Say what to do where no triple is left."""
    emptied = next(step for step in inventory.funnel if step.count == 0)
    problems = inventory.provenance.get("taxonomy_problems") or {}
    if emptied.name == "triples" and problems.get(ON_CYCLE):
        return "no concept on a cycle counts as between: remove the edge that closes it"
    whole = _WHOLE if inventory.funnel[0].name == "concepts" else {}
    ways = {**_WAYS_OUT, **whole}
    return ways.get(emptied.name, f"loosen the filter '{emptied.name}'")


_WAYS_OUT = {
    "pairs": "the file of pairs has none of this relation",
    "with senses": "the words of the pairs are not in the taxonomy: check language and spelling",
    "with a path": "no pair is linked by this relation: check the order (specific word first), "
    "or take --pairs all",
    "inferred, not asserted": "all pairs are direct edges, which seldom have something between: "
    "give pairs that lie further apart, or take --pairs all",
    "with something between": "nothing lies between the words of any pair; take --pairs all",
    "triples": "no chain of three concepts has three different labels",
    "triples in the file": "write one triple per line below the header",
}

#: Where there are no pairs to be changed.
_WHOLE = {
    "with a path": "no two concepts of this part of speech are linked by this relation",
    "inferred, not asserted": "the taxonomy is too flat: a triple needs a concept, one above it, "
    "and one above that",
}


Leading: TypeAlias = Literal["ss", "rss", "both", "as", "ras", "aggregate-both"]

#: How the metrics are called in the paper, from approach and condition.
METRICS: Mapping[str, tuple[str, str]] = {
    "ss": ("simple", "subsumption"),
    "rss": ("simple", "reverse"),
    "both": ("simple", "both"),
    "as": ("aggregate", "subsumption"),
    "ras": ("aggregate", "reverse"),
    "aggregate-both": ("aggregate", "both"),
}


STARTER_TAXONOMY = "starter-taxonomy"


@dataclass(frozen=True, kw_only=True)
class Subsumption(Evaluation):
    """Test whether a word between two others in a taxonomy is closer to both than they are.

    A sparrow is a bird, and a bird is a vertebrate: the vector of sparrow should be at least as
    close to that of bird as to that of vertebrate. The scores are the shares of such triples that a
    model keeps.
    """

    name: ClassVar[str] = "subsumption"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("ss", "subsumption kept (SS)"),
        Metric("rss", "reverse kept (RSS)"),
        Metric("both", "both kept"),
        Metric("as", "aggregate (AS)"),
        Metric("ras", "aggregate reverse (RAS)"),
        Metric("aggregate-both", "aggregate both"),
    )
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "taxonomy",
            "WordNet, WN-LMF, OBO, SKOS, or an edge list: child, parent and relation per line.",
            several=False,
            default=STARTER_TAXONOMY,
            metavar="NAME|FILE",
            accepts=("taxonomy",),
        ),
        Slot(
            "pairs",
            "Pairs whose paths give the triples: a specific and a general word per line; all "
            "takes the whole taxonomy.  \\[default: all]",
            metavar="bless|FILE|all",
            accepts=("word-relations",),
        ),
        Slot(
            "inventory",
            "A saved inventory, instead of taxonomy and pairs.",
            several=False,
            metavar="NAME|FILE",
            accepts=("inventory",),
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "save_inventory",
            "Write the triples with their provenance as TSV.",
            kind=Path,
            metavar="FILE",
        ),
        Option(
            "save_violations",
            "Write all violations of the leading score as TSV, the worst first.",
            kind=Path,
            metavar="FILE",
        ),
    )
    views: ClassVar[tuple[View, ...]] = (
        View("violations", "Show the worst violations of the leading score in words."),
        View(
            "most",
            "How many violations of each condition are shown; 0 for all.",
            kind=int,
            default=WORST,
            least=0,
            option="most-violations",
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "subsumption glove-6b-50d",
        "subsumption vectors.txt --taxonomy my-terms.tsv --violations --most-violations 50",
        "subsumption glove-6b-50d --taxonomy wordnet-3.0 --pairs bless --exclude object,artifact",
        "subsumption glove-6b-50d --taxonomy wordnet-3.0 --pairs bless --min-ic 3.0",
        "subsumption vectors.txt --taxonomy go.obo --relation meronymy --save-inventory parts.tsv",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.subsumption.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.subsumption.section:command_tables"

    metric: Annotated[
        Leading,
        Param(
            "Which score leads: ss, rss, as or ras as in the paper, both conditions of a triple, "
            "or aggregate-both. All are reported."
        ),
    ] = "ss"
    relation: Annotated[
        str, Param("hypernymy, meronymy, or a kind of edge that the taxonomy has.")
    ] = "hypernymy"
    part_of_speech: Annotated[
        str, Param("Only concepts of this part of speech: n, v, a or r; empty for all.")
    ] = "n"
    senses: Annotated[
        Literal["all", "first"], Param("Senses of the two words of a pair that count.")
    ] = "all"
    lemmas: Annotated[Literal["all", "first"], Param("Lemmas of what lies between that count.")] = (
        "all"
    )
    paths: Annotated[
        Literal["all", "shortest"], Param("Paths between two concepts that count.")
    ] = "all"
    inferred: Annotated[
        Literal["sense", "word", "any"],
        Param(
            "Only pairs that the taxonomy does not assert: by this sense, by any sense of the "
            "words; any keeps asserted pairs too."
        ),
    ] = "sense"
    language: Annotated[
        str, Param("The language of the labels of a SKOS or OWL taxonomy, by its tag.")
    ] = "en"
    synonyms: Annotated[
        Synonyms,
        Param(
            "Synonyms in OBO, SKOS or OWL that are labels too: exact ones, these and narrow ones, "
            "all, or none."
        ),
    ] = "exact"
    sisters: Annotated[
        Literal["exact", "fold"],
        Param(
            "Sister lemmas of the aggregate scores: of the senses of a word as it is spelled, or "
            "in any case, so that bush has those of Bush."
        ),
    ] = "exact"
    exclude: Annotated[str, Param("Leave out triples with these words.", metavar="WORD,WORD")] = ""
    min_count: Annotated[
        float,
        Param(
            "Only words that occur at least this often.",
            least=0,
            default="5000 with --pairs bless, as in the paper, else 0",
        ),
    ] = 0.0
    frequencies: Annotated[
        str,
        Param(
            "Source of word counts: wordfreq, model (its own corpus), or a file.",
            metavar="wordfreq|model|FILE",
        ),
    ] = "wordfreq"
    corpus_size: Annotated[
        float, Param("The number of words that wordfreq's shares are turned into counts of.")
    ] = 2.5e9
    min_ic: Annotated[
        float, Param("Only concepts of more information content than this.", least=0)
    ] = 0.0
    ic: Annotated[
        str,
        Param(
            "Information content: brown, brown-resnik, bnc, semcor, intrinsic, or a file.",
            metavar="NAME|FILE",
        ),
    ] = "brown"
    similarity: Annotated[
        MeasureName,
        Param(
            "Of two vectors; inclusion, how much of the specific word is in the general one, is "
            "not symmetric. Pair models have their own."
        ),
    ] = "cosine"
    level: Annotated[
        Literal["auto", "word", "sense"],
        Param("Words, or senses for spaces of senses; auto takes what the model knows more of."),
    ] = "auto"
    sample: Annotated[int, Param("Maximum number of triples, drawn at random; 0 for all.")] = 20_000
    oov: Annotated[
        Literal["skip", "error"], Param("Triples with unknown words: leave them out, or stop.")
    ] = "skip"
    case: Annotated[
        Literal["exact", "fold"],
        Param("fold tries unknown words again in lower case; exact does not."),
    ] = "fold"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("min_count", "min_ic", "corpus_size"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                raise InputError(f"subsumption: expected {name} to be 0 or more, got {value!r}")
            # One question has one spelling: 5000 and 5000.0 are the same.
            object.__setattr__(self, name, float(value))
        if type(self.sample) is not int or self.sample < 0:
            raise InputError(
                f"subsumption: expected sample to be a number of triples, got {self.sample!r}"
            )

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Take a saved inventory, or taxonomy and pairs, whose triples can be saved."""
        from lydite.evaluations.subsumption.data import plan

        return plan(cls, call)

    def choices(self, level: Level) -> Choices:
        """Return what counts as a triple."""
        return Choices(
            relation=self.relation,
            part_of_speech=self.part_of_speech,
            senses=self.senses,
            lemmas=self.lemmas,
            paths=self.paths,
            inferred=self.inferred,
            exclude=tuple(word.strip() for word in self.exclude.split(",") if word.strip()),
            min_count=self.min_count,
            min_ic=self.min_ic,
            sample=self.sample,
            level=level,
            sisters=self.sisters,
        )

    @property
    def sources(self) -> Sources:
        """Return what an inventory is made from, beside taxonomy and pairs."""
        return Sources(
            frequencies=self.frequencies,
            corpus_size=self.corpus_size,
            ic=self.ic,
            labels=Labels(language=self.language, synonyms=self.synonyms),
        )

    @property
    def named_resources(self) -> tuple[Located, ...]:
        """The files that parameters name: their bytes are part of the question."""
        return files_named(self.sources, self.choices("word"))

    def inventory(
        self,
        resources: Sequence[Located],
        *,
        model: object = None,
        level: Level = "word",
        seed: int = 0,
    ) -> Inventory:
        """Return the triples that a model is asked; it matters for ``frequencies=model`` alone."""
        part = child_seed(seed, "sample")
        inventory = inventory_of(
            resources, self.choices(level), self.sources, model=model, seed=part
        )
        if not len(inventory):
            raise UndefinedScoreError(
                f"no triples are left from {'+'.join(each.name for each in resources)}: "
                f"{told(inventory.funnel)}{oddities(inventory)}",
                hint=way_out(inventory),
            )
        return inventory

    def asked(self, model: object, resources: Sequence[Located], *, seed: int) -> Inventory:
        """Return the triples that a model is asked, at the level that ``auto`` finds for it."""
        return self.answers(model, resources, seed).inventory

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Ask a model all triples."""
        answers = self.answers(model, resources, seed)
        self._check(model, answers)
        return self._outcome(answers, seed)

    def answers(self, model: object, resources: Sequence[Located], seed: int) -> Answers:
        """Return what a model says to the triples, at the level that ``auto`` finds for it."""
        asked = (saved_level(resources) or "auto") if self.level == "auto" else self.level
        vectors = isinstance(model, WordModel | TextModel)
        if isinstance(model, PairModel) and not vectors:
            level: Level = "sense" if asked == "sense" else "word"
            return ask_pairs(model, self.inventory(resources, model=model, level=level, seed=seed))
        words = None
        if asked != "sense":
            inventory = self.inventory(resources, model=model, seed=seed)
            words = ask_words(model, inventory, self.similarity, self.case)
            # An encoder of texts has a vector for any name, so that nothing tells its level.
            if asked == "word" or not isinstance(model, WordModel) or words.words_found > 0.5:
                return words
        inventory = self.inventory(resources, model=model, level="sense", seed=seed)
        senses = ask_senses(model, inventory, self.similarity, self.case)
        return senses if words is None or senses.words_found > words.words_found else words

    def _check(self, model: object, answers: Answers) -> None:
        covered, funnel = answers.covered, answers.inventory.funnel
        missing = int((~covered).sum())
        if self.oov == "error" and missing:
            raise MissingWordError(
                f"{missing} of {len(covered)} triples contain a word that {model_spec(model)} "
                f"does not have, first {answers.first_missing()}",
                hint="oov=skip leaves them out",
            )
        if not covered.any():
            raise UndefinedScoreError(
                f"{model_spec(model)} covers none of the triples: {told(funnel)} -> 0 covered"
                f"{lacking(answers)}",
                hint=way_to_cover(answers),
            )
        if answers.simple.all_equal:
            raise UndefinedScoreError(
                f"{model_spec(model)} gives all words of every triple the same similarity, so that "
                "each condition is kept by a tie",
                hint="are its vectors all the same, all zero, or beyond what can be squared?",
            )

    def _outcome(self, answers: Answers, seed: int) -> Outcome:
        covered, inventory = answers.covered, answers.inventory
        kept = self._kept(answers)
        if self.metric not in kept:
            raise InputError(
                f"{self.metric} needs vectors of sister lemmas, got "
                f"{'a space of senses' if answers.level == 'sense' else 'a model of pairs'}",
                hint="use metric=ss, rss or both",
            )
        scores = self._scores(answers, kept, seed)
        main = scores[self.metric]
        last = Step(name="covered by the model", count=int(covered.sum()), unit="triples")
        return Outcome(
            metric=self.metric,
            score=main["score"],
            interval=main["interval"],
            baseline=main["baseline"],
            n_items=len(inventory),
            n_covered=int(covered.sum()),
            oov=self.oov,
            statistic="mean",
            items=self._items(answers, kept),
            others={name: part["score"] for name, part in scores.items() if name != self.metric},
            details=SubsumptionDetails(
                scores={name: _score(part) for name, part in scores.items()},
                funnel=(*inventory.funnel, last),
                breakdown=breakdown(inventory, covered, kept),
                violations=self.violations(answers, most=WORST),
                level=answers.level,
                words=answers.count_words,
                words_found=answers.words_found,
                missing=tuple(answers.missing_words),
                inventory=dict(inventory.provenance),
            ).plain(),
        )

    def violations(self, answers: Answers, *, most: int | None = None) -> tuple[Violation, ...]:
        """Tell what breaks the conditions of the leading score, in a model's answers."""
        inventory = answers.inventory
        triples = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
        asked = {each: compared(answers, each) for each in conditions_of(self.metric)}
        return violations(triples, asked, most=most)

    def _kept(self, answers: Answers) -> dict[str, Mask]:
        simple = answers.simple.kept()
        kept = {"ss": simple.subsumption, "rss": simple.reverse, "both": simple.both}
        if answers.aggregate is not None:
            aggregate = answers.aggregate.kept()
            kept |= {"as": aggregate.subsumption, "ras": aggregate.reverse}
            kept["aggregate-both"] = aggregate.both
        return kept

    def _scores(
        self, answers: Answers, kept: Mapping[str, Mask], seed: int
    ) -> dict[str, dict[str, Plain]]:
        """Return score, interval and baseline of each metric."""
        covered = answers.covered
        table = np.stack(list(kept.values()), axis=1)[covered]
        a, c = (
            np.unique(np.array(words), return_inverse=True)[1][covered]
            for words in (answers.inventory.a, answers.inventory.c)
        )
        scores = {}
        for metric, values in zip(kept, table.T, strict=True):
            approach, condition = METRICS[metric]
            draws = answers.null(approach, child_seed(seed, "baseline", approach))[condition]
            baseline = summarize_null(draws, kind=answers.null_kind)
            scores[metric] = {
                "score": float(values.mean()),
                "interval": crossed_interval(values, a, c),
                "baseline": baseline,
            }
        return scores

    def _items(self, answers: Answers, kept: Mapping[str, Mask]) -> Items:
        inventory, covered = answers.inventory, answers.covered
        triples = zip(inventory.a, inventory.b, inventory.c, strict=True)
        names = inventory.concepts if inventory.level == "sense" else list(triples)
        items: dict[str, Sequence[Plain]] = {
            "item": ["\t".join(name) for name in names],
            "a": list(inventory.a),
            "b": list(inventory.b),
            "c": list(inventory.c),
            "class": list(inventory.classes),
            "covered": covered.tolist(),
            "value": _where(kept[self.metric], covered),
        }
        for metric, mask in kept.items():
            items[metric] = _where(mask, covered)
        for prefix, part in (("", answers.simple), ("aggregate_", answers.aggregate)):
            if part is not None:
                for name in ("ab", "bc", "ac"):
                    items[f"{prefix}{name}"] = _numbers(getattr(part, name), covered)
        return items


def _where(mask: Mask, covered: Mask) -> list[float | None]:
    return [float(m) if c else None for m, c in zip(mask.tolist(), covered, strict=True)]


def _numbers(values: Floats, covered: Mask) -> list[float | None]:
    return [v if c else None for v, c in zip(values.tolist(), covered, strict=True)]


def _score(part: Mapping[str, Plain]) -> Score:
    baseline: Baseline = part["baseline"]
    interval: Interval | None = part["interval"]
    return Score(
        score=part["score"],
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        baseline=baseline.mean,
        baseline_low=baseline.low,
        baseline_high=baseline.high,
    )
