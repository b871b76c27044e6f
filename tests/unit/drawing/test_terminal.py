from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

from lydite.drawing.table import Cell, Table, results_table, to_rich
from lydite.results.record import Failure, Result


def printed(table: Table, *, width: int = 120, colours: bool = False) -> str:
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colours,
        color_system="standard" if colours else None,
    )
    console.print(to_rich(table))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_words_are_never_markup_nor_escape_sequences(evil: tuple[str, ...]) -> None:
    table = Table(columns=["[bold]word[/]"], rows=[[word] for word in evil], caption="[red]c[/red]")
    text = printed(table)
    assert "[bold]word[/]" in text
    assert "[red]c[/red]" in text
    assert "[red]x[/red]" in text
    assert "\x1b" not in text
    assert r"two\nlines\x00nul\x1b[31m" in text
    assert ":smile:" in printed(Table(columns=["w"], rows=[[":smile:"]]))


def test_nothing_is_lost_at_eighty_columns(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    results = [
        make_result("glove-6b-50d", score=0.26457, n_covered=1800, n_items=3000),
        make_result("mean(glove-6b-50d)", evaluation="qvec", metric="qvec", score=8.0864),
    ]
    text = printed(results_table(results, [make_failure()]), width=80)
    assert all(len(line) <= 80 for line in text.splitlines())
    for whole in ("0.265", "8.0864", "1800/3000", "60.0%", "failed", "hint: mend the line"):
        assert whole in text


def test_tones_are_drawn_and_low_coverage_has_a_sign() -> None:
    row = [
        Cell(text="0.1", values=(0.1,), tone="quiet"),
        Cell(text="1/2 50.0\u00a0%", values=(1, 2), tone="warning"),
    ]
    text = printed(Table(columns=["null", "covered"], rows=[row]), colours=True)
    assert "\x1b[2m" in text
    assert "\x1b[1;33m" in text
    assert "! 1/2 50.0%" in printed(Table(columns=["null", "covered"], rows=[row]))
