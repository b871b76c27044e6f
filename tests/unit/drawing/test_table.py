from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Callable

import pytest

from lydite.drawing.table import Cell, Column, Table, render, results_json, results_table
from lydite.drawing.text import visible
from lydite.errors import InputError
from lydite.results.record import Failure, Result


def test_columns_of_numbers_stand_to_the_right() -> None:
    table = Table(
        columns=["word", "n", "interval", "p", Column(title="chosen", align="left")],
        rows=[["3d model", 12, "-0.1 to 0.2", 1e-5, 1], ["cat", None, "[0.1, 0.2]", 0.5, 2]],
    )
    assert [column.align for column in table.all_columns] == [
        *("left", "right", "right", "right", "left")
    ]


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(InputError, match="expected 2 cells in row 2 of the table 'x', got 1"):
        Table(columns=["a", "b"], rows=[["1", "2"], ["3"]], caption="x")


def test_csv_reads_back_as_it_was_written(evil: tuple[str, ...]) -> None:
    words = [word for word in evil if word.isascii() or word.isprintable()] + ["a\rb", 'say "x"']
    table = Table(columns=["word", "n"], rows=[[word, n + 0.1] for n, word in enumerate(words)])
    rows = list(csv.reader(io.StringIO(render(table, "csv"), newline="")))
    assert rows[0] == ["word", "n"]
    assert [row[0] for row in rows[1:]] == [_in_a_spreadsheet(word) for word in words]
    assert rows[1][1] == "0.1"


def _in_a_spreadsheet(word: str) -> str:
    shown = visible(word, keep="\n")
    return f"'{shown}" if word[:1] in {"=", "+", "-", "@", "\t", "\r"} else shown


@pytest.mark.parametrize("word", ["=1+1", "+1", "-x", "@SUM(A1)", "\t=1", "\r=1"])
def test_csv_holds_no_formula_and_numbers_stay_numbers(word: str) -> None:
    written = render(Table(columns=["word", "n"], rows=[[word, -0.5]]), "csv")
    assert written == f'"word","n"\n"\'{visible(word)}",-0.5\n'


def test_csv_shows_what_would_act_on_a_terminal() -> None:
    written = render(Table(columns=["word"], rows=[["a\x1b[31m\u202eb"]]), "csv")
    assert written == '"word"\n"a\\x1b[31m\\u202eb"\n'


def test_csv_holds_all_fields_and_hides_none() -> None:
    table = Table(
        columns=[
            Column(title="95 % interval", fields=("low", "high")),
            Column(title="note", shown=False),
        ],
        rows=[[Cell(text="[0.1, 0.2]", values=(0.123456789, 0.2)), None]],
        caption="not in the file",
    )
    assert render(table, "csv") == '"low","high","note"\n0.123456789,0.2,""\n'
    assert "note" not in render(table, "markdown")


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(InputError, match="got 'yaml'"):
        render(Table(columns=["a"], rows=[]), "yaml")


def test_results_in_markdown_by_hand(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    table = results_table(
        [
            make_result("glove", score=0.26457, low=0.17735, high=0.3477),
            make_result("a_b", score=-0.0439, low=-0.1, high=0.05, n_covered=949, n_items=1000),
        ],
        [make_failure(message="broken.txt: no vectors")],
    )
    assert render(table, "markdown").replace("\u00a0", " ") == (
        "**Results**\n\n"
        "| model | evaluation | resource | score | 95 % interval | null / high | covered |\n"
        "| :--- | :--- | :--- | ---: | ---: | ---: | ---: |\n"
        "| glove | similarity spearman | starter-similarity | 0.265 | [0.177, 0.348] "
        "| 0.001 / 0.095 | 100/100 100 % |\n"
        "| a\\_b | similarity spearman | starter-similarity | -0.044 | [-0.100, 0.050] "
        "| 0.001 / 0.095 | **949/1000 94.9 %** |\n"
        "| broken.txt | similarity | starter-similarity | **failed** |  |  |  |\n\n"
        "Higher is better. Null\\: scores where there is nothing to find (shuffled ratings), "
        "their mean and the upper end of their central 95 %.\n\n"
        "Marked coverage is under 95 %\\: the score is about the covered items only.\n\n"
        "failed\\: broken.txt, similarity, starter-similarity\\: broken.txt\\: no vectors\n"
    )


def test_results_in_csv_are_unrounded_and_count_failures(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    text = render(results_table([make_result(score=0.123456789)], [make_failure()]), "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0]["score"] == "0.123456789"
    assert (rows[0]["evaluation"], rows[0]["metric"]) == ("similarity", "spearman")
    assert (rows[0]["n_covered"], rows[0]["n_items"]) == ("100", "100")
    assert rows[1]["score"] == ""
    assert rows[1]["failure"].startswith("broken.txt:3")


def test_the_seed_is_shown_when_it_tells_results_apart(make_result: Callable[..., Result]) -> None:
    one, two = make_result(seed=1), make_result(seed=2)
    assert "| seed |" not in render(results_table([one]), "markdown")
    assert "| seed |" in render(results_table([one, two]), "markdown")


def test_no_results_make_an_empty_table() -> None:
    assert render(results_table([]), "csv").count("\n") == 1


def test_json_holds_whole_records(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    kept, failed = make_result("模型", score=0.1), make_failure()
    data = json.loads(results_json([kept], [failed]))
    assert set(data) == {"results", "failures"}
    assert Result.from_plain(data["results"][0]) == kept
    assert Failure(**data["failures"][0]) == failed


def test_known_words_have_a_column_where_texts_are_composed_of_words(
    make_result: Callable[..., Result],
) -> None:
    composed = dataclasses.replace(make_result("few"), others={"word_coverage": 0.694})
    table = results_table([composed, make_result("encoder")])
    shown = render(table, "markdown")
    assert "words found" in shown
    assert "69.4\u00a0%" in shown
    assert "under 90 % of the words of the texts are known" in shown
    assert '"word_coverage"' in render(table, "csv")
    assert "words found" not in render(results_table([make_result("encoder")]), "markdown")


def test_a_mean_over_parts_is_shown_with_its_lowest_and_highest(
    make_result: Callable[..., Result],
) -> None:
    spread = {"lowest": 0.25, "highest": 0.75}
    made = results_table([make_result("a", score=0.5, others=spread), make_result("b", score=0.5)])
    texts = [row[4].text for row in made.all_rows]
    assert texts == ["0.500 (0.250 to 0.750)", "0.500"]
    assert "In parentheses: the lowest and the highest part" in str(made.notes[1])
    assert len(results_table([make_result("b")]).notes) == 1
