"""Tables of plain values: for the terminal, Markdown, LaTeX, CSV and JSON; results as one.

A table is built once and written in any format by :func:`render`, :func:`to_rich` or the HTML
report; each of them escapes what its format gives a meaning to.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from lydite.declare import Metric
from lydite.drawing.metrics import ENOUGH_COVERAGE, NO_INTERVAL, write_percent, write_share
from lydite.drawing.text import shorten, visible
from lydite.errors import InputError
from lydite.results.metrics import ENOUGH_WORDS, metric_of, say_direction
from lydite.results.record import WORD_COVERAGE, Failure, Result
from lydite.results.trials import model_namer, resource_name

if TYPE_CHECKING:
    from rich.console import RenderableType


T = TypeVar("T")
Scalar: TypeAlias = str | int | float | None
Tone: TypeAlias = Literal["plain", "quiet", "strong", "warning", "failure"]
Align: TypeAlias = Literal["left", "right"]

#: What :func:`render` writes.
FORMATS = ("csv", "latex", "markdown")

#: Longer names of models leave no room for what stands below them.
_NAME = 20
#: What makes a whole number look like a fraction in a spec.
#: A spreadsheet computes a cell that begins so.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WHOLE = re.compile(r"(?<=\d)\.0\b")
_NUMERIC = re.compile(r"[-+−\[(]?\d[-+−\d.,/%e\[\]() ]*( to [-+−\d.]+)?\Z")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A value as people read it and as machines do.

    Attributes
    ----------
    text
        For people.
    values
        For machines: one value for each of the column's fields.
    tone
        How it is to be read: ``quiet`` steps back, ``strong`` stands out, ``warning`` and
        ``failure`` ask for attention.
    """

    text: str
    values: tuple[Scalar, ...]
    tone: Tone = "plain"

    @property
    def numeric(self) -> bool:
        """Whether the cell holds numbers alone, so that its text cannot come from data."""
        return bool(self.values) and all(isinstance(value, int | float) for value in self.values)


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column.

    Attributes
    ----------
    fields
        For machines: a column may hold several values, such as the two ends of an interval.
        By default the title.
    align
        By default to the right if all its cells look like numbers.
    shown
        False for what only machines are to see.
    """

    title: str
    fields: tuple[str, ...] = ()
    align: Align | None = None
    shown: bool = True


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns and rows.

    Attributes
    ----------
    columns
        Columns, or just their titles.
    rows
        One cell or plain value per column.
    notes
        What a reader has to know, one line each.
    """

    columns: Sequence[Column | str]
    rows: Sequence[Sequence[Cell | Scalar]]
    caption: str = ""
    notes: Sequence[Cell | str] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                raise InputError(
                    f"expected {len(self.columns)} cells in row {number} of the table "
                    f"{self.caption!r}, got {len(row)}"
                )

    @property
    def all_columns(self) -> list[Column]:
        """The columns, with fields and alignment filled in."""
        columns = [
            each if isinstance(each, Column) else Column(title=each) for each in self.columns
        ]
        return [
            dataclasses.replace(
                column,
                fields=column.fields or (column.title,),
                align=column.align or self._natural(place),
            )
            for place, column in enumerate(columns)
        ]

    @property
    def all_rows(self) -> list[list[Cell]]:
        """The rows, with plain values made cells."""
        return [[as_cell(value) for value in row] for row in self.rows]

    def for_people(self) -> tuple[list[Column], list[list[Cell]]]:
        """Return the columns that are shown, and their cells."""
        columns = self.all_columns
        kept = [place for place, column in enumerate(columns) if column.shown]
        rows = [[row[place] for place in kept] for row in self.all_rows]
        return [columns[place] for place in kept], rows

    def _natural(self, place: int) -> Align:
        texts = [as_cell(row[place]).text for row in self.rows]
        written = [text for text in texts if text]
        return "right" if written and all(map(_NUMERIC.match, written)) else "left"


def as_cell(value: Cell | Scalar) -> Cell:
    """Make a plain value a cell: floats get four significant digits for people."""
    if isinstance(value, Cell):
        return value
    if value is None:
        return Cell(text="", values=(None,))
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return Cell(text=text, values=(value,))


def model_column(name: str, *fields: str) -> Column:
    """Return a column of numbers that belong to one model."""
    title = shorten(visible(name), _NAME)
    return Column(title=title, fields=fields or (name,), align="right")


def score_column(title: str, field: str) -> Column:
    """Return a column of scores with their intervals."""
    return Column(title=title, fields=(field, f"{field}_low", f"{field}_high"), align="right")


def number_cell(value: float | None, metric: Metric, *, tone: Tone = "plain") -> Cell:
    """Return a score as its metric is written, blank if there is none."""
    return Cell(text="" if value is None else metric.write(value), values=(value,), tone=tone)


def interval_cell(
    value: float | None,
    low: float | None,
    high: float | None,
    metric: Metric,
    *,
    tone: Tone = "plain",
) -> Cell:
    """Return a score with the ends of its interval, if it has one; blank if there is none."""
    text = "" if value is None else metric.write(value)
    if low is not None and high is not None:
        text += f" [{metric.write(low)}, {metric.write(high)}]"
    return Cell(text=text, values=(value, low, high), tone=tone)


def score_cell(result: Result, name: str | None = None, *, tone: Tone = "strong") -> Cell:
    """Return the leading score of a result with its interval, or another, which has none."""
    if name is None or name == result.metric:
        low, high = result.ends or (None, None)
        return interval_cell(result.score, low, high, metric_of(result), tone=tone)
    return interval_cell(result.others.get(name), None, None, metric_of(result, name))


def count_cell(count: int) -> Cell:
    """Return how many there are, in thousands."""
    return Cell(text=f"{count:,}", values=(count,))


def question_cell(result: Result) -> Cell:
    """Return what was asked: the resource, with the parameters that are not at their defaults."""
    inside = result.evaluation.removeprefix(result.provenance.evaluation)
    inside = _WHOLE.sub("", inside.removeprefix("(").removesuffix(")"))
    text = resource_name(result.resource) + (f", {inside}" if inside else "")
    return Cell(text=text, values=(result.resource, result.evaluation))


#: A column and what stands in it for each result.
Filled: TypeAlias = tuple[Column, Callable[[Result], "Cell | Scalar"]]


def fill_table(
    items: Sequence[T],
    columns: Sequence[tuple[Column, Callable[[T], Cell | Scalar]]],
    *,
    caption: str = "",
    notes: Sequence[Cell | str] = (),
) -> Table:
    """Return one row per item, by columns and what stands in them."""
    return Table(
        columns=[column for column, _ in columns],
        rows=[[fill(item) for _, fill in columns] for item in items],
        caption=caption,
        notes=notes,
    )


def models_table(
    results: Sequence[Result],
    columns: Sequence[Filled],
    *,
    asked: str = "resource",
    seed: bool = True,
    caption: str = "",
    notes: Sequence[Cell | str] = (),
) -> Table:
    """Return one row per result: the model, what was asked, the columns, what was covered.

    ``asked`` names the column of what was asked. With ``seed``, machines are told the seed; people
    are where there are several.
    """
    name = model_namer(results)
    every: list[Filled] = [
        (Column(title="model"), name),
        (Column(title=asked, fields=("resource", "evaluation")), question_cell),
        *columns,
        (Column(title="covered", fields=("n_covered", "n_items"), align="right"), covered_cell),
        (words_column(results), words_cell),
    ]
    if seed:
        shown = len({result.provenance.seed for result in results}) > 1
        every.append((Column(title="seed", shown=shown), lambda result: result.provenance.seed))
    return fill_table(results, every, caption=caption, notes=notes)


def render(table: Table, form: str) -> str:
    r"""Write a table as ``csv``, ``latex`` or ``markdown``, with a newline at the end.

    CSV holds the values for machines, unrounded, and neither caption nor notes; text is quoted.

    >>> print(render(Table(columns=["word", "n"], rows=[["a|b", 2]]), "markdown"), end="")
    | word | n |
    | :--- | ---: |
    | a\|b | 2 |
    >>> print(render(Table(columns=["word", "n"], rows=[["a|b", 2]]), "csv"), end="")
    "word","n"
    "a|b",2
    """
    if form == "csv":
        return _csv(table)
    if form == "latex":
        return to_latex(table)
    if form == "markdown":
        return to_markdown(table)
    raise InputError(f"expected one of {', '.join(FORMATS)} as the format, got {form!r}")


def to_rich(table: Table) -> RenderableType:
    """Return what a Rich console prints; words are never taken for markup."""
    from lydite.drawing.terminal import to_rich as make

    return make(table)


def results_json(results: Sequence[Result], failures: Sequence[Failure] = ()) -> str:
    """Write results and failures as one JSON object, unrounded and whole."""
    data = {
        "results": [dataclasses.asdict(result) for result in results],
        "failures": [dataclasses.asdict(failure) for failure in failures],
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)


def results_table(results: Sequence[Result], failures: Sequence[Failure] = ()) -> Table:
    """Return one row per result, then one per failure, with the reasons in the notes."""
    levels = sorted({each.interval.level for each in results if each.interval}) or [0.95]
    level = f"{levels[0]:.0%}".replace("%", " %") if len(levels) == 1 else "confidence"
    seeds = {result.provenance.seed for result in results} | {each.seed for each in failures}
    columns = (
        Column(title="model"),
        Column(title="evaluation", fields=("evaluation", "metric")),
        Column(title="resource"),
        Column(title="seed", shown=len(seeds) > 1),
        Column(title="score", align="right"),
        Column(title=f"{level} interval", fields=("low", "high"), align="right"),
        Column(title="null / high", fields=("null_mean", "null_low", "null_high"), align="right"),
        Column(title="covered", fields=("n_covered", "n_items"), align="right"),
        words_column(results),
        Column(title="failure", shown=False),
    )
    name = model_namer(results)
    rows = [_result_row(result, name(result)) for result in results]
    rows += [_failure_row(failure) for failure in failures]
    reasons = [
        Cell(
            text=f"failed: {each.model}, {each.evaluation}, {each.resource}: {each.message}",
            values=(each.message,),
            tone="failure",
        )
        for each in failures
    ]
    return Table(columns=columns, rows=rows, caption="Results", notes=[*_notes(results), *reasons])


def _notes(results: Sequence[Result]) -> list[str]:
    if not results:
        return []
    kinds = sorted({result.baseline.kind for result in results})
    notes = [
        f"{say_direction(results)} Null: scores where there is nothing to find "
        f"({', '.join(kinds)}), their mean and the upper end of their central 95 %."
    ]
    if any(result.extremes for result in results):
        notes.append("In parentheses: the lowest and the highest part that a score is a mean over.")
    if any(result.coverage < ENOUGH_COVERAGE for result in results):
        skipped = all(result.oov == "skip" for result in results)
        about = (
            "the score is about the covered items only"
            if skipped
            else (
                "with oov=skip the score is about the covered items only, with another policy it "
                "is about all items, with an invented vector for absent words"
            )
        )
        notes.append(f"Marked coverage is under 95 %: {about}.")
    if any((result.word_coverage or 1.0) < ENOUGH_WORDS for result in results):
        notes.append(
            "Marked words: under 90 % of the words of the texts are known, and a text's vector is "
            "that of the rest."
        )
    return notes


def _result_row(result: Result, model: str) -> list[Cell | Scalar]:
    write = metric_of(result).write
    ends, null = result.ends, result.baseline
    label = result.evaluation
    return [
        model,
        Cell(text=f"{label} {result.metric}", values=(label, result.metric)),
        result.resource,
        result.provenance.seed,
        Cell(text=write_mean(result, write), values=(result.score,), tone="strong"),
        Cell(
            text=f"[{write(ends[0])}, {write(ends[1])}]" if ends else NO_INTERVAL,
            values=ends or (None, None),
            tone="plain" if ends else "quiet",
        ),
        Cell(
            text=f"{write(null.mean)} / {write(null.high)}",
            values=(null.mean, null.low, null.high),
            tone="quiet",
        ),
        covered_cell(result),
        words_cell(result),
        None,
    ]


def write_mean(result: Result, write: Callable[[float], str]) -> str:
    """Write a score; a mean over parts that differ comes with its lowest and highest part."""
    score = write(result.score)
    if not result.extremes:
        return score
    return f"{score} ({' to '.join(map(write, result.extremes))})"


def covered_cell(result: Result) -> Cell:
    """Return how many items were covered, marked if they are too few to speak for all."""
    share = write_share(result.n_covered, result.n_items)
    return Cell(
        text=f"{result.n_covered}/{result.n_items} {share}",
        values=(result.n_covered, result.n_items),
        tone="warning" if result.coverage < ENOUGH_COVERAGE else "plain",
    )


def words_column(results: Sequence[Result]) -> Column:
    """Return the column of known words; people see it where texts are composed of words."""
    shown = any(result.word_coverage is not None for result in results)
    return Column(title="words found", fields=(WORD_COVERAGE,), align="right", shown=shown)


def words_cell(result: Result) -> Cell | None:
    """Return the share of known words, marked if it is low; nothing if words play no part."""
    share = result.word_coverage
    if share is None:
        return None
    tone: Tone = "warning" if share < ENOUGH_WORDS else "plain"
    return Cell(text=write_percent(share), values=(share,), tone=tone)


def _failure_row(failure: Failure) -> list[Cell | Scalar]:
    label = failure.evaluation
    return [
        failure.model,
        Cell(text=label, values=(label, None)),
        failure.resource,
        failure.seed,
        Cell(text="failed", values=(None,), tone="failure"),
        Cell(text="", values=(None, None)),
        Cell(text="", values=(None, None, None)),
        Cell(text="", values=(None, None)),
        None,
        failure.message,
    ]


def _harmless(value: Scalar) -> Scalar:
    """Keep a spreadsheet from taking a text for a formula; numbers are no texts."""
    if not isinstance(value, str):
        return value
    shown = visible(value, keep="\n")
    return f"'{shown}" if value.startswith(_FORMULA) else shown


def _csv(table: Table) -> str:
    buffer = io.StringIO()
    # Text is always quoted: before Python 3.13 a bare carriage return would not be.
    writer = csv.writer(buffer, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([field for column in table.all_columns for field in column.fields])
    for row in table.all_rows:
        writer.writerow([_harmless(value) for cell in row for value in cell.values])
    return buffer.getvalue()


_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "\u00a0": "~",
    # At the start of a row these would be taken for arguments of the line break before.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
_LATEX_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))
_LIGATURE = re.compile(r"-(?=-)")


def escape_latex(text: str) -> str:
    r"""Write a text so that LaTeX sets it as it is, on one line.

    >>> escape_latex("50% of $x_1$ & more")
    '50\\% of \\$x\\_1\\$ \\& more'
    """
    return _LIGATURE.sub("-{}", _LATEX_SPECIAL.sub(lambda found: _ESCAPES[found[0]], visible(text)))


def to_latex(table: Table) -> str:
    r"""Write a ``table`` environment; the document needs ``\usepackage{booktabs}``."""
    columns, rows = table.for_people()
    shape = "".join("l" if column.align == "left" else "r" for column in columns)
    lines = [r"\begin{table}", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{escape_latex(table.caption)}}}")
    lines += [rf"\begin{{tabular}}{{{shape}}}", r"\toprule"]
    lines += [_latex_line([escape_latex(column.title) for column in columns]), r"\midrule"]
    lines += [_latex_line([_write_latex(cell) for cell in row]) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    for note in table.notes:
        text = note.text if isinstance(note, Cell) else note
        lines.append(rf"\par\smallskip{{\footnotesize {escape_latex(text)}}}")
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _latex_line(cells: list[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _write_latex(cell: Cell) -> str:
    text = escape_latex(cell.text)
    if cell.numeric:
        text = re.sub(r"-(?=\d)", "$-$", text)
    return rf"\textbf{{{text}}}" if text and cell.tone in {"warning", "failure"} else text


_MARKDOWN_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~$!:@]")


def escape_markdown(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is, on one line.

    >>> escape_markdown("*a* | <b> & [c](d)")
    '\\*a\\* \\| &lt;b&gt; &amp; \\[c\\](d)'
    """
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKDOWN_SPECIAL.sub(r"\\\g<0>", shown)


def to_markdown(table: Table) -> str:
    """Write a table with its caption above and its notes below."""
    columns, rows = table.for_people()
    rules = [":---" if column.align == "left" else "---:" for column in columns]
    lines = [f"**{escape_markdown(table.caption)}**", ""] if table.caption else []
    lines += [
        _markdown_line([escape_markdown(column.title) for column in columns]),
        _markdown_line(rules),
    ]
    lines += [_markdown_line([_write_markdown(cell) for cell in row]) for row in rows]
    for note in table.notes:
        text = note.text if isinstance(note, Cell) else note
        lines += ["", escape_markdown(text)]
    return "\n".join(lines) + "\n"


def _markdown_line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _write_markdown(cell: Cell) -> str:
    text = cell.text if cell.numeric else escape_markdown(cell.text)
    return f"**{text}**" if text and cell.tone in {"warning", "failure"} else text
