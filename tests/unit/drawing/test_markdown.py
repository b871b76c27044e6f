from __future__ import annotations

from lydite.drawing.table import Table, escape_markdown, render


def test_nothing_in_a_word_is_markup() -> None:
    assert escape_markdown("a|b") == r"a\|b"
    assert escape_markdown("**x** `y` ~z~ $m$") == r"\*\*x\*\* \`y\` \~z\~ \$m\$"
    assert escape_markdown("[a](b)") == r"\[a\](b)"
    assert escape_markdown("<b>&amp;") == "&lt;b&gt;&amp;amp;"
    assert escape_markdown("a\\|b") == r"a\\\|b"


def test_a_row_stays_one_line_with_its_cells(evil: tuple[str, ...]) -> None:
    table = Table(columns=["word", "n"], rows=[[word, 1] for word in evil])
    lines = render(table, "markdown").splitlines()
    assert len(lines) == 2 + len(evil)
    assert all(line.replace(r"\|", "").count("|") == 3 for line in lines)
    assert "<" not in "".join(lines)
