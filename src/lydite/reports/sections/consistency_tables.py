"""Consistency in tables: which terms to trust, and the tables of Bloem et al. (2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.reports.metrics import metric_named
from lydite.reports.sections.consistency_terms import trust_table
from lydite.reports.sections.consistency_texts import (
    Text,
    all_rows,
    blind_choice,
    groups_of,
    score_of,
    sizes_of,
    texts,
)
from lydite.reports.table import Cell, Column, Scalar, Table, covered_cell
from lydite.reports.visible import shorten
from lydite.results.record import Result
from lydite.types import PlainMapping

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
