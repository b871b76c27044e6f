"""Consistency in tables: which terms to trust, and the tables of Bloem et al. (2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lydite.drawing.metrics import metric_named
from lydite.drawing.table import Cell, Column, Scalar, Table, Tone, covered_cell
from lydite.drawing.text import shorten
from lydite.errors import LyditeError
from lydite.evaluations.catalogue import Shown
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, resource_title, trials
from lydite.spec import parse
from lydite.types import PlainMapping

#: How many terms of a reason are named.
#: Terms of a table for people; a table for machines has all.
_SHOWN_TERMS = 30

_DROPPED = 8


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text, or samples of one, and all who learnt its terms.

    Attributes
    ----------
    title
        Of the text; with the parameters of the question if it was asked in several ways.
    learners
        The results by the learner's name, the best in identification first.
    """

    title: str
    learners: Mapping[str, Result]

    def told(
        self, read: Callable[[Result], Mapping[str, PlainMapping]]
    ) -> dict[str, Mapping[str, PlainMapping]]:
        """Return a detail, rows by name, of each learner that has it."""
        return {name: rows for name, each in self.learners.items() if (rows := read(each))}


def texts(results: Sequence[Result]) -> list[Text]:
    """Group results by text; questions that differ in the leading metric alone are one."""
    # The one that leads with identification has its interval.
    ordered = sorted(results, key=lambda result: result.metric != "identification")
    groups: dict[tuple[str, ...], list[Trial]] = {}
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


def _identity(result: Result) -> tuple[str, ...]:
    source = result.provenance
    return (_question(result), result.resource, str(source.seed), source.resource_sha256)


def _question(result: Result) -> str:
    try:
        spec = parse(result.evaluation)
    except LyditeError:
        return result.evaluation
    kept = tuple((key, value) for key, value in spec.params if key != "metric")
    return str(replace(spec, params=kept))


def _named(results: Sequence[Result]) -> dict[str, Result]:
    full = model_namer(results)
    names = list(dict.fromkeys(map(full, results)))
    kinds = Counter(map(_kind, names))
    short = {name: _kind(name) if kinds[_kind(name)] == 1 else name for name in names}
    ranked = sorted(results, key=lambda result: -(score_of(result, "identification") or 0.0))
    learners: dict[str, Result] = {}
    for result in ranked:
        kept = learners.setdefault(short[full(result)], result)
        if kept.metric != "identification" and result.metric == "identification":
            learners[short[full(result)]] = result
    return learners


def _kind(name: str) -> str:
    """Return a learner's name without its parameters, which tells it where no two share it."""
    try:
        return parse(name).name
    except LyditeError:
        return name


def score_of(result: Result, name: str) -> float | None:
    """Return one of the scores of a result, leading or not; None if it has none of that name."""
    return result.score if result.metric == name else result.others.get(name)


def sizes_of(result: Result) -> dict[str, PlainMapping]:
    """Return what was measured with so many sentences a sample, by their number, in order."""
    return {str(row["size"]): row for row in result.details.get("sizes") or []}


def groups_of(result: Result) -> dict[str, PlainMapping]:
    """Return the groups of terms by their frequency in the domain and the background."""
    domain = result.details.get("domain_difference") or {}
    return {str(row["group"]): row for row in domain.get("groups") or []}


def all_rows(learners: Mapping[str, Mapping[str, PlainMapping]]) -> list[str]:
    """Return the names of the rows that any learner has, in order of first appearance."""
    return list(dict.fromkeys(name for rows in learners.values() for name in rows))


def blind_choice(terms: int) -> float:
    """Return the mean reciprocal place of a blind choice among so many terms: H(n) / n.

    >>> blind_choice(2)
    0.75
    """
    return sum(1 / place for place in range(1, terms + 1)) / terms


def source_notes(text: Text) -> list[str]:
    """Say what a text gave, and which terms were left out and why; learners share it."""
    said: list[str] = []
    for result in text.learners.values():
        details = result.details
        said += [f"{text.title}: {note}." for note in details.get("notes") or []]
        problems = details.get("problems") or {}
        if problems:
            counts = ", ".join(f"{reason} ({count:,})" for reason, count in problems.items())
            said.append(
                f"{text.title}: terms left out: {counts}.{_examples(details.get('dropped') or {})}"
            )
    return list(dict.fromkeys(said))


def _examples(dropped: Mapping[str, str]) -> str:
    """Name a few of the terms of each reason."""
    by_reason: dict[str, list[str]] = {}
    for term, reason in dropped.items():
        by_reason.setdefault(str(reason), []).append(str(term))
    named = [
        f"{reason}: {', '.join(terms[:_DROPPED])}{' and others' if len(terms) > _DROPPED else ''}"
        for reason, terms in by_reason.items()
    ]
    return f" Among them, {'; '.join(named)}." if named else ""


Verdict: TypeAlias = Literal["trust", "doubt", "do not trust"]

#: A term is to be trusted from the first on, and not to be trusted below the second.
TRUST, MISTRUST = 0.8, 0.2

_TONES: dict[Verdict, Tone] = {"trust": "strong", "doubt": "plain", "do not trust": "warning"}


@dataclass(frozen=True, kw_only=True)
class TermRow:
    """A term, and how consistently each learner learnt it.

    Attributes
    ----------
    term
        The term.
    identification
        Its mean reciprocal place, the mean over the learners that have it.
    verdict
        What that comes to.
    sentences
        How many sentences it was learnt from, in all samples together; None if that is unknown.
    learners
        What each learner tells about it, by the learner's name; those that have it.
    """

    term: str
    identification: float
    verdict: Verdict
    sentences: int | None
    learners: Mapping[str, PlainMapping]


def verdict_on(identification: float, chance: float = 0.0) -> Verdict:
    """Judge a term by its mean reciprocal place; what chance would give is never trusted.

    >>> verdict_on(0.8), verdict_on(0.2), verdict_on(0.19), verdict_on(0.4, chance=0.5)
    ('trust', 'doubt', 'do not trust', 'do not trust')
    """
    if identification < max(MISTRUST, chance):
        return "do not trust"
    return "trust" if identification >= TRUST else "doubt"


def chance_of(result: Result) -> float:
    """Return the mean reciprocal place of a blind choice, 0 if it is unknown."""
    return score_of(result, "identification_chance") or 0.0


def terms_by_trust(text: Text) -> list[TermRow]:
    """Return the terms that any learner learnt twice, the most consistent first.

    Of terms that are equally consistent, the one with more sentences comes first.
    """
    found: dict[str, dict[str, PlainMapping]] = {}
    for name, result in text.learners.items():
        for row in result.details.get("terms") or []:
            if row.get("identification") is not None:
                found.setdefault(str(row["term"]), {})[name] = row
    chance = max(map(chance_of, text.learners.values()), default=0.0)
    rows = [_row(term, learners, chance) for term, learners in found.items()]
    return sorted(rows, key=lambda row: (-row.identification, -(row.sentences or 0), row.term))


def _row(term: str, learners: Mapping[str, PlainMapping], chance: float) -> TermRow:
    values = [float(row["identification"]) for row in learners.values()]
    mean = sum(values) / len(values)
    sentences = [row["sentences"] for row in learners.values() if row.get("sentences") is not None]
    return TermRow(
        term=term,
        identification=mean,
        verdict=verdict_on(mean, chance),
        sentences=max(sentences, default=None),
        learners=learners,
    )


def trust_table(results: Sequence[Result], *, most: int | None = 30) -> list[Table]:
    """Return, for each text, its terms by how consistent they are: trust these, not those.

    Parameters
    ----------
    results
        Of any learners on any texts.
    most
        With more terms than this, only so many are shown: one half the most consistent, one half
        the least. None for all.
    """
    return [_table(text, rows, most) for text in texts(results) if (rows := terms_by_trust(text))]


def _table(text: Text, rows: Sequence[TermRow], most: int | None) -> Table:
    numbered = list(enumerate(rows, 1))
    notes = [
        f"Trust: identification of {TRUST:g} or more. Do not trust: under {MISTRUST:g}, or under "
        "chance. Consistent does not mean correct."
    ]
    if most is not None and len(rows) > most:
        best, worst = most - most // 2, most // 2
        numbered = numbered[:best] + numbered[len(rows) - worst :]
        notes.append(f"Shown: the {best} most and the {worst} least consistent of {len(rows):,}.")
    several = len(text.learners) > 1
    if several:
        notes.append(
            "Under each learner its identification, the mean place in brackets; then its cosine. "
            "The verdict and the order are by the mean identification of all learners."
        )
    return Table(
        columns=[
            Column(title="no.", align="right"),
            Column(title="term"),
            Column(title="verdict"),
            Column(title="sentences", align="right"),
            Column(title="context words", align="right"),
            *(column for name in text.learners for column in _columns(name, several=several)),
        ],
        rows=[_cells(text, number, row) for number, row in numbered],
        caption=f"{text.title}: which terms to trust",
        notes=notes,
    )


def _columns(name: str, *, several: bool) -> list[Column]:
    title = shorten(name, 28) if several else "identification"
    fields = (f"{name} identification", f"{name} place")
    return [
        Column(title=f"{title} (place)", fields=fields, align="right"),
        Column(title="cosine", fields=(f"{name} cosine",), align="right"),
    ]


def _cells(text: Text, number: int, row: TermRow) -> list[Cell | Scalar]:
    cells: list[Cell | Scalar] = [
        number,
        row.term,
        Cell(text=row.verdict, values=(row.verdict,), tone=_TONES[row.verdict]),
        row.sentences,
        _context_words(row),
    ]
    for name, result in text.learners.items():
        told = row.learners.get(name, {})
        cells += [_found(told, chance_of(result), row), _cosine(told)]
    return cells


def _context_words(row: TermRow) -> Cell:
    """Return the context words of a sample, the mean over the learners that tell."""
    told = [each["context_words"] for each in row.learners.values() if each.get("context_words")]
    mean = sum(told) / len(told) if told else None
    return Cell(text="" if mean is None else f"{mean:,.0f}", values=(mean,))


def _found(told: PlainMapping, chance: float, row: TermRow) -> Cell:
    value, place = told.get("identification"), told.get("place")
    if value is None:
        return Cell(text="", values=(None, None))
    text = f"{value:.3f}" + (f" ({place:,.1f})" if place is not None else "")
    # Where the verdict says it already, the number need not.
    worse = verdict_on(value, chance) == "do not trust" != row.verdict
    return Cell(text=text, values=(value, place), tone="warning" if worse else "plain")


def _cosine(told: PlainMapping) -> Cell:
    value = told.get("cosine")
    text = "" if value is None else metric_named("cosine").write(value)
    return Cell(text=text, values=(value,))


__all__ = [
    "background_table",
    "domain_table",
    "funnel_table",
    "neighbours_table",
    "sizes_table",
    "summary_table",
    "term_sizes_table",
    "trust_table",
]

_NONE = "–"
_MEASURES = ("identification", "cosine")

#: What stands beside each other in one column of the summary.
_BESIDE = {
    "chance / first": ("identification_chance", "identification_first"),
    "cosine / different terms": ("cosine", "different_terms_cosine"),
    "size-matched / shuffled": ("size_matched_cosine", "shuffled_contexts_cosine"),
    "rank: mean / median / first": ("rank_mean", "rank_median", "rank_first"),
    "different terms: rank / first": (
        "different_terms_rank_mean",
        "different_terms_rank_first",
    ),
    "to background: cosine / rank": ("background_cosine", "background_rank"),
}


def summary_table(results: Sequence[Result]) -> Table:
    """Return one row a learner and text: all measures, each beside what tells what it is worth."""
    known = texts(results)
    rows: list[list[Cell | Scalar]] = [
        [
            Cell(text=name, values=(result.model,)),
            text.title,
            _identification(result),
            *(_beside(result, names) for names in _BESIDE.values()),
            covered_cell(result),
        ]
        for text in known
        for name, result in text.learners.items()
    ]
    ends = ("identification", "identification_low", "identification_high")
    return Table(
        columns=[
            Column(title="learner"),
            Column(title="text", shown=len(known) > 1),
            Column(title="identification", fields=ends, align="right"),
            *(Column(title=title, fields=each, align="right") for title, each in _BESIDE.items()),
            Column(title="terms", fields=("n_covered", "n_items"), align="right"),
        ],
        rows=rows,
        caption="Consistency: all measures",
        notes=[
            "Identification: mean reciprocal place of a term's second vector among those of all "
            "terms, beside that of a blind choice and the share in first place.",
            "Cosine of two vectors of a term, beside that of vectors of different terms, and of "
            "sentences and words dealt out at random. Rank of the one vector among all words of "
            "the background by cosine to the other: mean, median, share of rank 1. To background: "
            "cosine with the background's own vector of the term, and its mean rank.",
        ],
    )


def _identification(result: Result) -> Cell:
    value = score_of(result, "identification")
    if value is None:
        return Cell(text="", values=(None, None, None))
    if result.metric != "identification":
        return _interval((value, None, None), "identification")
    ends = (value, result.interval.low, result.interval.high)
    return _interval(ends, "identification")


def _interval(values: tuple[float | None, float | None, float | None], metric: str) -> Cell:
    write = metric_named(metric).write
    value, low, high = values
    text = "" if value is None else write(value)
    if low is not None and high is not None:
        text += f" [{write(low)}, {write(high)}]"
    return Cell(text=text, values=values)


def _beside(result: Result, names: Sequence[str]) -> Cell:
    values = [score_of(result, name) for name in names]
    told = any(value is not None for value in values)
    written = [_written(value, name) for value, name in zip(values, names, strict=True)]
    return Cell(text=" / ".join(written) if told else "", values=tuple(values))


def _written(value: float | None, metric: str) -> str:
    return _NONE if value is None else metric_named(metric).write(value)


def sizes_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, the measures by the number of sentences of a sample (Table 2)."""
    return [_sizes(text, rows) for text in texts(results) if (rows := text.told(sizes_of))]


def _sizes(text: Text, learners: Mapping[str, Mapping[str, PlainMapping]]) -> Table:
    columns = [
        Column(title="sentences a sample", fields=("size",), align="right"),
        Column(title="terms", align="right"),
        Column(title="chance", align="right"),
    ]
    for name in learners:
        columns += [
            Column(
                title=_headed(name, measure, learners),
                fields=tuple(f"{name} {measure}{end}" for end in ("", "_low", "_high")),
                align="right",
            )
            for measure in _MEASURES
        ]
    rows: list[list[Cell | Scalar]] = []
    for size in all_rows(learners):
        told = [each.get(size, {}) for each in learners.values()]
        terms = next((row["terms"] for row in told if row.get("terms")), None)
        chance = None if terms is None else blind_choice(terms)
        measured = [_measured(row, measure) for row in told for measure in _MEASURES]
        rows.append([size, terms, _number(chance, "identification"), *measured])
    return Table(
        columns=columns,
        rows=rows,
        caption=f"{text.title}: by number of sentences",
        notes=[
            "All rows are about the same terms, those with enough sentences for the largest "
            "number; a smaller sample is part of a larger one. With intervals of 95 %."
        ],
    )


def background_table(results: Sequence[Result]) -> list[Table]:
    """Return how near what was learnt stays to the background's own vectors (Table 6)."""
    told = [(result, result.details.get("background") or {}) for result in results]
    rows: list[list[Cell | Scalar]] = [
        [
            result.model,
            _number(near["cosine"], "cosine"),
            _number(near["rank"], "rank_mean"),
            _number(near["median"], "rank_median"),
            int(near["terms"]),
        ]
        for result, near in told
        if near
    ]
    if not rows:
        return []
    return [
        Table(
            columns=["learner", "cosine", "mean rank", "median rank", "terms"],
            rows=rows,
            caption="Learnt vectors and the background's own vectors of the same terms",
            notes=["Rank of the term's own word among all words by cosine to what was learnt."],
        )
    ]


def term_sizes_table(results: Sequence[Result], term: str) -> list[Table]:
    """Return the measures of one term by the number of sentences of a sample."""
    rows: list[list[Cell | Scalar]] = [
        [
            result.model,
            str(row["size"]),
            _number(row["by_term"][term]["cosine"], "cosine"),
            _number(row["by_term"][term]["identification"], "identification"),
        ]
        for result in results
        for row in result.details.get("sizes", [])
        if term in row.get("by_term", {})
    ]
    return [
        Table(
            columns=["learner", "sentences a sample", "cosine", "identification"],
            rows=rows,
            caption=f"{term}: by number of sentences",
            notes=[] if rows else [_unmeasured(results, term)],
        )
    ]


def _unmeasured(results: Sequence[Result], term: str) -> str:
    """Say why a term has no numbers."""
    for result in results:
        reason = (result.details.get("dropped") or {}).get(term)
        if reason:
            return f"Left out: {reason}."
        if any(row["term"] == term for row in result.details.get("terms") or []):
            return "It has too few sentences for the largest number."
    return "It is not among the terms, as they are written in the first table."


def _headed(name: str, title: str, learners: Mapping[str, object]) -> str:
    return f"{shorten(name, 28)}: {title}" if len(learners) > 1 else title


def _measured(row: PlainMapping, measure: str) -> Cell:
    ends = row.get(measure), row.get(f"{measure}_low"), row.get(f"{measure}_high")
    return _interval(ends, measure)


def domain_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, how far its terms are from the background, by group (Table 5)."""
    return [_domain(text, rows) for text in texts(results) if (rows := text.told(groups_of))]


def _domain(text: Text, learners: Mapping[str, Mapping[str, PlainMapping]]) -> Table:
    columns = [
        Column(title="terms, by their frequency", fields=("group",)),
        *(
            Column(
                title=_headed(name, "cosine (terms)", learners),
                fields=(f"{name} cosine", f"{name} terms"),
                align="right",
            )
            for name in learners
        ),
    ]
    rows: list[list[Cell | Scalar]] = [
        [group, *(_group(each.get(group, {})) for each in learners.values())]
        for group in all_rows(learners)
    ]
    return Table(
        columns=columns,
        rows=rows,
        caption=f"{text.title}: domain and background",
        notes=[
            "Cosine of a vector learnt from all sentences of a term with the background's own "
            "vector of it. A low one is a meaning of the domain's own, or too little text. Terms "
            "that are neither rare nor frequent are in the first row alone."
        ],
    )


def _group(row: PlainMapping) -> Cell:
    cosine, terms = row.get("cosine"), row.get("terms")
    if terms is None:
        return Cell(text="", values=(None, None))
    return Cell(text=f"{_written(cosine, 'cosine')} ({terms:,})", values=(cosine, terms))


def neighbours_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each learner and text, the neighbours of both vectors of some terms (Table 7)."""
    return [
        Table(
            columns=["term", "cosine", "nearest to one", "nearest to the other", "in both"],
            rows=[_neighbours(row) for row in result.details["neighbours"]],
            caption=f"{text.title}: neighbours of two vectors of a term, by {name}",
            notes=["The most and the least consistent terms, two samples of each."],
        )
        for text in texts(results)
        for name, result in text.learners.items()
        if result.details.get("neighbours")
    ]


def _neighbours(row: PlainMapping) -> list[Cell | Scalar]:
    one, other = ([str(word) for word, *_ in side] for side in row["neighbours"])
    shared = len(set(one) & set(other))
    return [
        str(row["term"]),
        _number(row.get("cosine"), "cosine"),
        ", ".join(one),
        ", ".join(other),
        Cell(text=f"{shared} of {max(len(one), len(other))}", values=(shared,)),
    ]


def funnel_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, how many terms were left after each step."""
    return [
        _funnel(text.title, told)
        for text in texts(results)
        if (told := {n: each for n, each in text.learners.items() if each.details.get("funnel")})
    ]


def _funnel(title: str, learners: Mapping[str, Result]) -> Table:
    first = next(iter(learners.values())).details["funnel"]
    rows: list[list[Cell | Scalar]] = [[str(step["name"]), _count(step)] for step in first[:-1]]
    # The last step is the learner's own.
    for name, result in learners.items():
        step = result.details["funnel"][-1]
        said = f"{step['name']}, by {name}" if len(learners) > 1 else str(step["name"])
        rows.append([said, _count(step)])
    return Table(
        columns=["step", Column(title="terms left", align="right")],
        rows=rows,
        caption=f"{title}: the terms that were left",
    )


def _count(step: PlainMapping) -> Cell:
    return Cell(text=f"{step['count']:,}", values=(step["count"],))


def _number(value: float | None, metric: str) -> Cell:
    text = "" if value is None else metric_named(metric).write(value)
    return Cell(text=text, values=(value,))


def command_tables(results: Sequence[Result], shown: Shown) -> list[Table]:
    """Return what the command prints: terms to trust, and the paper's tables that are asked for."""
    most = None if shown.whole else _SHOWN_TERMS
    tables = [*trust_table(results, most=most), summary_table(results), *sizes_table(results)]
    terms = {str(result.provenance.parameters.get("term") or "") for result in results} - {""}
    for term in sorted(terms):
        if any(result.details.get("sizes") for result in results):
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
