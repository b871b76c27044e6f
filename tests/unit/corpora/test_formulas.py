from __future__ import annotations

import pytest

from lydite.corpora.preparation import replace_formulas


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("From p ⊃ q we infer q.", "From F we infer q."),
        ("Let x + y = z, as before.", "Let F, as before."),
        ("(∃x)Fx is true", "F is true"),
        ("(x)(Fx ⊃ Gx) holds", "F holds"),
        ("the class \\alpha of things", "the class F of things"),
        ("a > b, and so on.", "F, and so on."),
        ("¬(p ∧ q).", "F."),
        ("either ~p or ¬¬q", "either F or F"),
        ("It is (p ∨ q) that counts", "It is F that counts"),
        ("see (p ∨ q", "see (F"),
        ("i.e. 2 + 2 = 4.", "i.e. F."),
        ("f(x) = 3 (see below)", "F (see below)"),
        ("x_1 < x_2 and x′ = 0", "F and F"),
        ("so $\\frac{a}{b}$ it is", "so  F  it is"),
    ],
)
def test_formulas_are_replaced(text: str, expected: str) -> None:
    assert replace_formulas(text, "F") == expected


@pytest.mark.parametrize(
    "text",
    [
        "C++ is a language",
        "the <unk> token",
        "p implies q",
        "AT&T and I",
        "from $5 to $10 a piece",
        "1 to 2, or 3",
        "about ~50 of them",
        "don't = won't",
        "a + sign",
        "I think, therefore I am.",
        "",
    ],
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert replace_formulas(text, "F") == text


@pytest.mark.parametrize("mark", ["=", "(", ")", "= (", ". = ", "( = ) "])
def test_long_rulings_take_no_longer_than_their_length(mark: str) -> None:
    ruling = mark * 20_000
    assert replace_formulas(ruling, "F") == ruling
