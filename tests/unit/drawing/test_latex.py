from __future__ import annotations

from lydite.drawing.table import Cell, Table, escape_latex, render


def test_specials_are_escaped() -> None:
    assert escape_latex(r"50% & $x_1$ #2 {a} \n") == (
        r"50\% \& \$x\_1\$ \#2 \{a\} \textbackslash{}n"
    )
    assert escape_latex("~^<>|`") == (
        r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}\textasciigrave{}"
    )
    assert escape_latex("a--b") == "a-{}-b"


def test_a_word_cannot_become_an_argument_of_the_line_break() -> None:
    assert escape_latex("[2cm] * x") == "{[}2cm{]} {*} x"


def test_a_table_by_hand() -> None:
    table = Table(
        columns=["word", "score"],
        rows=[
            ["a_b", Cell(text="-0.5", values=(-0.5,))],
            ["c", Cell(text="0.25", values=(0.25,), tone="warning")],
        ],
        caption="50 % of words",
        notes=["A note."],
    )
    assert render(table, "latex") == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{50 \\% of words}\n"
        "\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "word & score \\\\\n"
        "\\midrule\n"
        "a\\_b & $-$0.5 \\\\\n"
        "c & \\textbf{0.25} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\smallskip{\\footnotesize A note.}\n"
        "\\end{table}\n"
    )


def test_every_row_has_its_cells_on_one_line(evil: tuple[str, ...]) -> None:
    table = Table(columns=["word", "n"], rows=[[word, 1] for word in evil])
    lines = render(table, "latex").splitlines()
    body = lines[lines.index("\\midrule") + 1 : lines.index("\\bottomrule")]
    assert len(body) == len(evil)
    assert all(line.replace(r"\&", "").count("&") == 1 for line in body)
