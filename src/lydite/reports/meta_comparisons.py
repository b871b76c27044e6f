"""Which intrinsic score leads, and by how much, as tables."""

from __future__ import annotations

from lydite.reports.meta_tables import CORRECTIONS, interval_cell, p_cell
from lydite.reports.table import Cell, Column, Scalar, Table
from lydite.results.meta.comparing import Comparison
from lydite.results.meta.evaluation import LEVEL, MetaEvaluation, differs
from lydite.results.meta.leading import Lead, comparison_verdict, lead_line, leads
from lydite.results.meta.naming import write_correlation

_READING = (
    "Difference: the correlation of the one less that of the other, with the same downstream score "
    "over the same models. p: two-sided test that exchanges the two scores of models, each in "
    "standard deviations. The interval is Zou's, by a jackknife over models; it is for one "
    "comparison alone, and wider than need be for scores that are much alike. All is as if models "
    "were independent: those of one family are not, and then chance does more than p says."
)


def comparison_tables(found: MetaEvaluation) -> dict[str, Table]:
    """Return the tables by the names of their files: who leads, and every comparison."""
    if not found.comparisons:
        return {}
    every = {"comparisons": comparisons_table(found)}
    return every if found.against is not None else {"leaders": leaders_table(found), **every}


def leaders_table(found: MetaEvaluation) -> Table:
    """Return one row a downstream score and method: the best score and the nearest."""
    names = found.names
    every = [lead for method in found.methods for lead in leads(found, method)]
    rows = [
        [names[lead.downstream], lead.method, *_compared(found, lead.rival), _behind(lead)]
        for lead in every
    ]
    return Table(
        columns=[
            Column(title="downstream"),
            Column(title="method"),
            Column(title="leads", fields=("first",)),
            Column(title="r", fields=("r_first",), align="right"),
            Column(title="before", fields=("second",)),
            *_columns(found),
            Column(title="ahead of", fields=("ahead_of", "scores"), align="right"),
        ],
        rows=rows,
        caption="The best intrinsic score for each task, and the nearest that may be as good",
        notes=[
            *(
                Cell(text=lead_line(found, lead), values=(), tone="strong")
                for lead in every
                if lead.method == found.methods[0]
            ),
            f"Ahead of: how many of the other scores it leads by more than chance, {_level(found)}",
            _READING,
        ],
    )


def comparisons_table(found: MetaEvaluation) -> Table:
    """Return one row a comparison, with all figures; a star marks more than chance."""
    names = found.names
    rows = [
        [
            names[each.downstream],
            each.method,
            *_compared(found, each),
            int(each.exact),
            each.resamples,
        ]
        for each in found.comparisons
    ]
    said = (
        "The best score for each downstream score against every other"
        if found.against is None
        else f"Every score against {names[found.against]}"
    )
    verdict = Cell(text=comparison_verdict(found), values=(), tone="strong")
    return Table(
        columns=[
            Column(title="downstream"),
            Column(title="method"),
            Column(title="score", fields=("first",)),
            Column(title="r", fields=("r_first",), align="right"),
            Column(title="against", fields=("second",)),
            *_columns(found),
            Column(title="exact", shown=False),
            Column(title="resamples", shown=False),
        ],
        rows=rows,
        caption=said,
        notes=[verdict, f"*: more than chance, {_level(found)}", _READING],
    )


def _columns(found: MetaEvaluation) -> list[Column]:
    corrected = f"p ({CORRECTIONS[found.correction]})"
    return [
        Column(title="r", fields=("r_second",), align="right"),
        Column(title="n", align="right"),
        Column(title="difference", align="right"),
        Column(title="95 % interval", fields=("low", "high"), align="right"),
        Column(title="p", align="right"),
        Column(title=corrected, fields=("p_corrected",), align="right"),
    ]


def _compared(found: MetaEvaluation, each: Comparison) -> list[Cell | Scalar]:
    clear = differs(each)
    return [
        found.names[each.first],
        Cell(text=write_correlation(each.r_first), values=(each.r_first,)),
        found.names[each.second],
        Cell(text=write_correlation(each.r_second), values=(each.r_second,)),
        each.n,
        Cell(
            text=f"{write_correlation(each.difference)}{'*' * clear}",
            values=(each.difference,),
            tone="strong" if clear else "plain",
        ),
        interval_cell(each.low, each.high),
        p_cell(each.p_value),
        p_cell(each.p_corrected),
    ]


def _behind(lead: Lead) -> Cell:
    others = len(lead.rivals)
    return Cell(text=f"{lead.behind} of {others}", values=(lead.behind, others))


def _level(found: MetaEvaluation) -> str:
    """Say what was corrected for."""
    chosen = (
        f"all {found.choices} pairs of scores, since which one is the best was seen first"
        if found.against is None
        else f"{found.choices} comparisons"
    )
    corrected = {
        "holm": f"after Holm's correction for {chosen}",
        "bh": f"after Benjamini and Hochberg's correction for {chosen}",
        "none": f"not corrected for {chosen}",
    }[found.correction]
    return f"p < {LEVEL} {corrected}."
