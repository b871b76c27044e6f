"""Consistency in tables: which terms to trust, and the tables of Bloem et al. (2019)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from lydite.drawing.section import ItemsLoader, both_ends
from lydite.drawing.table import (
    Cell,
    Column,
    Scalar,
    Table,
    Tone,
    count_cell,
    covered_cell,
    interval_cell,
    number_cell,
    score_column,
)
from lydite.drawing.text import shorten
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.consistency.background import DomainGroup
from lydite.evaluations.consistency.evaluation import (
    ConsistencyDetails,
    Neighbours,
    Size,
    Term,
)
from lydite.results.metrics import metric_named
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, resource_title, trials

T = TypeVar("T")
Row: TypeAlias = list[Cell | Scalar]
Verdict: TypeAlias = Literal["trust", "doubt", "do not trust"]

#: How many terms of a reason are named, and how many of all a command shows.
_DROPPED, _SHOWN_TERMS = 8, 30
#: A term is to be trusted from the first on, and not to be trusted below the second.
TRUST, MISTRUST = 0.8, 0.2
#: The measures that need no background.
MEASURES: tuple[Literal["identification", "cosine"], ...] = ("identification", "cosine")

_TONES: dict[Verdict, Tone] = {"trust": "strong", "doubt": "plain", "do not trust": "warning"}

#: What stands beside each other in one column of the summary.
_BESIDE = {
    "chance / first": ("identification_chance", "identification_first"),
    "cosine / different terms": ("cosine", "different_terms_cosine"),
    "size-matched / shuffled": ("size_matched_cosine", "shuffled_contexts_cosine"),
    "rank: mean / median / first": ("rank_mean", "rank_median", "rank_first"),
    "different terms: rank / first": ("different_terms_rank_mean", "different_terms_rank_first"),
    "to background: cosine / rank": ("background_cosine", "background_rank"),
}


@dataclass(frozen=True)
class Learner:
    """A result, and what it tells beside its scores."""

    result: Result
    details: ConsistencyDetails

    def score(self, name: str) -> float | None:
        """Return one of the scores, leading or not; None if there is none of that name."""
        leads = self.result.metric == name
        return self.result.score if leads else self.result.others.get(name)

    @property
    def chance(self) -> float:
        """The mean reciprocal place of a blind choice, 0 if it is unknown."""
        return self.score("identification_chance") or 0.0


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text, or samples of one, and all who learned its terms."""

    title: str  # of the text; with the parameters of the question if it was asked in several ways
    learners: Mapping[str, Learner]  # by name, the best in identification first

    def told(self, read: Callable[[ConsistencyDetails], T]) -> dict[str, T]:
        """Return a detail of each learner that has it."""
        return {
            name: found for name, each in self.learners.items() if (found := read(each.details))
        }


def texts(results: Sequence[Result]) -> list[Text]:
    """Group results by text; questions that differ in the leading metric alone are one."""
    # The one that leads with identification has its interval.
    ordered = sorted(results, key=lambda result: result.metric != "identification")
    groups: dict[str, list[Trial]] = {}
    for trial in trials(ordered):
        groups.setdefault(_identity(trial.results[0]), []).append(trial)
    titles = [resource_title(group[0].results[0].resource) for group in groups.values()]
    several = Counter(titles)
    return [
        Text(
            title=group[0].title if several[title] > 1 else title,
            learners=_named([result for trial in group for result in trial.results]),
        )
        for title, group in zip(titles, groups.values(), strict=True)
    ]


def _identity(result: Result) -> str:
    source = result.provenance
    asked = {name: each for name, each in source.parameters.items() if name != "metric"}
    return json.dumps([asked, result.resource, source.seed, source.resource_sha256], sort_keys=True)


def _named(results: Sequence[Result]) -> dict[str, Learner]:
    """Call learners by their kind where no two share it, by their specs elsewhere."""
    full = model_namer(results)
    kinds = Counter(_kind(name) for name in {full(result) for result in results})
    learners = [Learner(result, ConsistencyDetails.of(result)) for result in results]
    found: dict[str, Learner] = {}
    for each in sorted(learners, key=lambda each: -(each.score("identification") or 0.0)):
        name = full(each.result)
        name = _kind(name) if kinds[_kind(name)] == 1 else name
        leads = each.result.metric == "identification"
        if name not in found or (leads and found[name].result.metric != "identification"):
            found[name] = each
    return found


def _kind(name: str) -> str:
    return name.partition("(")[0]


def all_rows(learners: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the names of the rows that any learner has, in order of first appearance."""
    return list(dict.fromkeys(name for rows in learners.values() for name in rows))


def sizes_of(details: ConsistencyDetails) -> dict[str, Size]:
    """Return what was measured with so many sentences per sample, by their number, in order."""
    return {str(row.size): row for row in details.sizes}


def groups_of(details: ConsistencyDetails) -> dict[str, DomainGroup]:
    """Return the groups of terms by their frequency in the domain and the background."""
    return {row.group: row for row in details.domain_difference.groups}


def measured(row: Size | None, measure: str) -> tuple[float | None, float | None, float | None]:
    """Return a measure and the ends of its interval."""
    value, low, high = (getattr(row, f"{measure}{end}", None) for end in ("", "_low", "_high"))
    return value, low, high


def blind_choice(terms: int) -> float:
    """Return the mean reciprocal place of a blind choice among so many terms: H(n) / n.

    >>> blind_choice(2)
    0.75
    """
    return sum(1 / place for place in range(1, terms + 1)) / terms


def source_notes(text: Text) -> list[str]:
    """Say what a text gave, and which terms were left out and why; learners share it."""
    notes: list[str] = []
    for learner in text.learners.values():
        details = learner.details
        notes += [f"{text.title}: {note}." for note in details.notes]
        if details.problems:
            counts = ", ".join(f"{why} ({count:,})" for why, count in details.problems.items())
            notes.append(f"{text.title}: terms left out: {counts}.{_examples(details.dropped)}")
    return list(dict.fromkeys(notes))


def _examples(dropped: Mapping[str, str]) -> str:
    """Name a few of the terms of each reason."""
    by_reason: dict[str, list[str]] = {}
    for term, reason in dropped.items():
        by_reason.setdefault(reason, []).append(term)
    named = [
        f"{reason}: {', '.join(terms[:_DROPPED])}{' and others' if len(terms) > _DROPPED else ''}"
        for reason, terms in by_reason.items()
    ]
    return f" Among them, {'; '.join(named)}." if named else ""


@dataclass(frozen=True, kw_only=True)
class TermRow:
    """A term, and how consistently each learner learned it."""

    term: str
    identification: float  # its mean reciprocal place, the mean over the learners that have it
    verdict: Verdict
    # What each learner tells about it, by the learner's name; those that have it.
    learners: Mapping[str, Term]

    @property
    def sentences(self) -> int | None:
        """How many sentences it was learned from, in all samples together, if that is known."""
        known = (each.sentences for each in self.learners.values())
        return max((count for count in known if count is not None), default=None)


def verdict_on(identification: float, chance: float = 0.0) -> Verdict:
    """Judge a term by its mean reciprocal place; what chance would give is never trusted.

    >>> verdict_on(0.8), verdict_on(0.2), verdict_on(0.19), verdict_on(0.4, chance=0.5)
    ('trust', 'doubt', 'do not trust', 'do not trust')
    """
    if identification < max(MISTRUST, chance):
        return "do not trust"
    return "trust" if identification >= TRUST else "doubt"


def terms_by_trust(text: Text) -> list[TermRow]:
    """Return the terms that any learner learned twice, the most consistent first.

    Of terms that are equally consistent, the one with more sentences comes first.
    """
    found: dict[str, dict[str, Term]] = {}
    values: dict[str, list[float]] = {}
    for name, learner in text.learners.items():
        for row in learner.details.terms:
            if row.identification is not None:
                found.setdefault(row.term, {})[name] = row
                values.setdefault(row.term, []).append(row.identification)
    means = {term: sum(each) / len(each) for term, each in values.items()}
    chance = max((learner.chance for learner in text.learners.values()), default=0.0)
    rows = [
        TermRow(
            term=term,
            identification=means[term],
            verdict=verdict_on(means[term], chance),
            learners=learners,
        )
        for term, learners in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.identification, -(row.sentences or 0), row.term))


def ends_note(shown: int, every: int) -> str:
    """Say that the terms at both ends alone are shown; nothing if all of them are."""
    if shown >= every:
        return ""
    best, worst = shown - shown // 2, shown // 2
    return f"Shown: the {best} most and the {worst} least consistent of {every:,}."


def trust_table(results: Sequence[Result], *, most: int | None = 30) -> list[Table]:
    """Return, for each text, its terms by how consistent they are: trust these, not those.

    With more terms than ``most``, half of that many are the most consistent, half the least.
    """
    return [_trust(text, rows, most) for text in texts(results) if (rows := terms_by_trust(text))]


def _trust(text: Text, rows: Sequence[TermRow], most: int | None) -> Table:
    several = len(text.learners) > 1
    shown = both_ends(rows, most)
    notes = [
        f"Trust: identification of {TRUST:g} or more. Do not trust: under {MISTRUST:g}, or under "
        "chance. Consistent does not mean correct.",
        ends_note(len(shown), len(rows)),
        "Under each learner: its identification, with the mean place in parentheses, then its "
        "cosine. The verdict and the order are by the mean identification of all learners."
        if several
        else "",
    ]
    return Table(
        columns=[
            Column(title="no.", align="right"),
            Column(title="term"),
            Column(title="verdict"),
            Column(title="sentences", align="right"),
            Column(title="context words", align="right"),
            *(column for name in text.learners for column in _columns(name, several=several)),
        ],
        rows=[_cells(text, number + 1, row) for number, row in shown],
        caption=f"{text.title}: which terms to trust",
        notes=[note for note in notes if note],
    )


def _columns(name: str, *, several: bool) -> list[Column]:
    title = shorten(name, 28) if several else "identification"
    fields = (f"{name} identification", f"{name} place")
    return [
        Column(title=f"{title} (place)", fields=fields, align="right"),
        Column(title="cosine", fields=(f"{name} cosine",), align="right"),
    ]


def _cells(text: Text, number: int, row: TermRow) -> Row:
    words = [each.context_words for each in row.learners.values() if each.context_words]
    mean = sum(words) / len(words) if words else None
    cells: Row = [
        number,
        row.term,
        Cell(text=row.verdict, values=(row.verdict,), tone=_TONES[row.verdict]),
        row.sentences,
        Cell(text="" if mean is None else f"{mean:,.0f}", values=(mean,)),
    ]
    for name, learner in text.learners.items():
        found = row.learners.get(name, Term())
        cells += [_place(found, learner.chance, row.verdict), _number(found.cosine, "cosine")]
    return cells


def _place(found: Term, chance: float, verdict: Verdict) -> Cell:
    value, place = found.identification, found.place
    if value is None:
        return Cell(text="", values=(None, None))
    text = f"{value:.3f}" + (f" ({place:,.1f})" if place is not None else "")
    # Where the verdict says it already, the number need not.
    worse = verdict_on(value, chance) == "do not trust" != verdict
    return Cell(text=text, values=(value, place), tone="warning" if worse else "plain")


def summary_table(results: Sequence[Result]) -> Table:
    """Return one row per learner and text: all measures, each beside what gives it a meaning."""
    known = texts(results)
    return Table(
        columns=[
            Column(title="learner"),
            Column(title="text", shown=len(known) > 1),
            score_column("identification", "identification"),
            *(Column(title=title, fields=each, align="right") for title, each in _BESIDE.items()),
            Column(title="terms", fields=("n_covered", "n_items"), align="right"),
        ],
        rows=[
            [
                Cell(text=name, values=(learner.result.model,)),
                text.title,
                _identification(learner),
                *(_beside(learner, names) for names in _BESIDE.values()),
                covered_cell(learner.result),
            ]
            for text in known
            for name, learner in text.learners.items()
        ],
        caption="Consistency: all measures",
        notes=[
            "Identification: mean reciprocal place of a term's second vector among those of all "
            "terms, beside that of a random choice and the share in first place.",
            "Cosine of two vectors of a term, beside that of vectors of different terms, and of "
            "randomly redistributed sentences and words. Rank of one vector among all words of "
            "the background, by cosine to the other: mean, median, share of rank 1. To "
            "background: cosine with the background's own vector of the term, and its mean rank.",
        ],
    )


def _identification(learner: Learner) -> Cell:
    leads = learner.result.metric == "identification"
    low, high = (learner.result.ends if leads else ()) or (None, None)
    return _interval((learner.score("identification"), low, high), "identification")


def _beside(learner: Learner, names: Sequence[str]) -> Cell:
    values = [learner.score(name) for name in names]
    known = any(value is not None for value in values)
    written = [_number(value, name).text or "–" for value, name in zip(values, names, strict=True)]
    return Cell(text=" / ".join(written) if known else "", values=tuple(values))


def _interval(values: tuple[float | None, float | None, float | None], metric: str) -> Cell:
    return interval_cell(*values, metric_named(metric, "consistency"))


def _number(value: float | None, metric: str) -> Cell:
    return number_cell(value, metric_named(metric, "consistency"))


def sizes_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, the measures by the number of sentences per sample (Table 2)."""
    return [_sizes(text, rows) for text in texts(results) if (rows := text.told(sizes_of))]


def _sizes(text: Text, learners: Mapping[str, Mapping[str, Size]]) -> Table:
    rows: list[Row] = []
    for size in all_rows(learners):
        found = [each.get(size) for each in learners.values()]
        terms = next((row.terms for row in found if row and row.terms), None)
        chance = None if terms is None else blind_choice(terms)
        cells = [_interval(measured(row, each), each) for row in found for each in MEASURES]
        rows.append([size, terms, _number(chance, "identification"), *cells])
    return Table(
        columns=[
            Column(title="sentences per sample", fields=("size",), align="right"),
            Column(title="terms", align="right"),
            Column(title="chance", align="right"),
            *(
                score_column(_headed(name, measure, learners), f"{name} {measure}")
                for name in learners
                for measure in MEASURES
            ),
        ],
        rows=rows,
        caption=f"{text.title}: by number of sentences",
        notes=[
            "All rows are about the same terms, those with enough sentences for the largest "
            "number; a smaller sample is part of a larger one. With intervals of 95 %."
        ],
    )


def _headed(name: str, title: str, learners: Mapping[str, object]) -> str:
    return f"{shorten(name, 28)}: {title}" if len(learners) > 1 else title


def background_table(results: Sequence[Result]) -> list[Table]:
    """Return how near what was learned stays to the background's own vectors (Table 6)."""
    found = [(result, ConsistencyDetails.of(result).background) for result in results]
    rows: list[Row] = [
        [
            result.model,
            _number(near.cosine, "cosine"),
            _number(near.rank, "rank_mean"),
            _number(near.median, "rank_median"),
            near.terms,
        ]
        for result, near in found
        if near.terms
    ]
    if not rows:
        return []
    return [
        Table(
            columns=["learner", "cosine", "mean rank", "median rank", "terms"],
            rows=rows,
            caption="Learned vectors and the background's own vectors of the same terms",
            notes=["Rank of the term's own word among all words, by cosine to the learned vector."],
        )
    ]


def term_sizes_table(results: Sequence[Result], term: str) -> list[Table]:
    """Return the measures of one term by the number of sentences per sample; none without sizes."""
    found = [(result, ConsistencyDetails.of(result)) for result in results]
    if not any(details.sizes for _, details in found):
        return []
    rows: list[Row] = [
        [
            result.model,
            str(row.size),
            _number(row.by_term[term].cosine, "cosine"),
            _number(row.by_term[term].identification, "identification"),
        ]
        for result, details in found
        for row in details.sizes
        if term in row.by_term
    ]
    return [
        Table(
            columns=["learner", "sentences per sample", "cosine", "identification"],
            rows=rows,
            caption=f"{term}: by number of sentences",
            notes=[] if rows else [_unmeasured([details for _, details in found], term)],
        )
    ]


def _unmeasured(found: Sequence[ConsistencyDetails], term: str) -> str:
    """Say why a term has no numbers."""
    for details in found:
        if term in details.dropped:
            return f"Left out: {details.dropped[term]}."
        if any(row.term == term for row in details.terms):
            return "It has too few sentences for the largest number."
    return "It is not among the terms, as they are written in the first table."


def domain_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, how far its terms are from the background, by group (Table 5)."""
    return [_domain(text, rows) for text in texts(results) if (rows := text.told(groups_of))]


def _domain(text: Text, learners: Mapping[str, Mapping[str, DomainGroup]]) -> Table:
    return Table(
        columns=[
            Column(title="terms, by their frequency", fields=("group",)),
            *(
                Column(
                    title=_headed(name, "cosine (terms)", learners),
                    fields=(f"{name} cosine", f"{name} terms"),
                    align="right",
                )
                for name in learners
            ),
        ],
        rows=[
            [group, *(_group(each.get(group, DomainGroup())) for each in learners.values())]
            for group in all_rows(learners)
        ],
        caption=f"{text.title}: domain and background",
        notes=[
            "Cosine of a vector learned from all sentences of a term with the background's own "
            "vector of it. A low cosine means that the domain uses the term in its own sense, or "
            "that there is too little text. Terms that are neither rare nor frequent are only in "
            "the first row."
        ],
    )


def _group(row: DomainGroup) -> Cell:
    if row.terms is None:
        return Cell(text="", values=(None, None))
    cosine = _number(row.cosine, "cosine").text or "–"
    return Cell(text=f"{cosine} ({row.terms:,})", values=(row.cosine, row.terms))


def neighbours_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each learner and text, the neighbors of both vectors of some terms (Table 7)."""
    return [
        Table(
            columns=["term", "cosine", "nearest to one", "nearest to the other", "in both"],
            rows=[_neighbours(row) for row in rows],
            caption=f"{text.title}: neighbours of two vectors of a term, by {name}",
            notes=["The most and the least consistent terms, two samples of each."],
        )
        for text in texts(results)
        for name, rows in text.told(lambda details: details.neighbours).items()
    ]


def _neighbours(row: Neighbours) -> Row:
    one, other = ([word for word, _ in side] for side in row.neighbours)
    shared = len(set(one) & set(other))
    return [
        row.term,
        _number(row.cosine, "cosine"),
        ", ".join(one),
        ", ".join(other),
        Cell(text=f"{shared} of {max(len(one), len(other))}", values=(shared,)),
    ]


def funnel_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, how many terms were left after each step; the last is a learner's."""
    tables = []
    for text in texts(results):
        learners = text.told(lambda details: details.funnel)
        if not learners:
            continue
        first = next(iter(learners.values()))
        steps = [(step.name, step.count) for step in first[:-1]]
        for name, funnel in learners.items():
            whose = f", by {name}" if len(learners) > 1 else ""
            steps.append((f"{funnel[-1].name}{whose}", funnel[-1].count))
        tables.append(
            Table(
                columns=["step", Column(title="terms left", align="right")],
                rows=[[name, count_cell(count)] for name, count in steps],
                caption=f"{text.title}: how many terms were left after each step",
            )
        )
    return tables


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what the command prints: terms to trust, and the paper's tables that are asked for."""
    most = None if shown.whole else _SHOWN_TERMS
    tables = [*trust_table(results, most=most), summary_table(results), *sizes_table(results)]
    terms = {str(result.provenance.parameters.get("term") or "") for result in results} - {""}
    for term in sorted(terms):
        tables += term_sizes_table(results, term)
    tables += domain_table(results)
    if shown.options.get("to_background"):
        tables += background_table(results)
    if shown.options.get("show_neighbours"):
        tables += neighbours_table(results)
    funnels = funnel_table(results)
    if funnels:
        notes = [note for text in texts(results) for note in source_notes(text)]
        funnels[-1] = replace(funnels[-1], notes=notes)
    return [*tables, *funnels]
