"""Which terms can be trusted: the terms of a text by how consistently they were learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lydite.reports.metrics import metric_named
from lydite.reports.sections.consistency_texts import Text, score_of, texts
from lydite.reports.table import Cell, Column, Scalar, Table, Tone
from lydite.reports.visible import shorten
from lydite.results.record import Result
from lydite.types import PlainMapping

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
