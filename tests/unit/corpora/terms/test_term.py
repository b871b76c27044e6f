from __future__ import annotations

import pytest

from lydite.corpora.terms import Term, gather_terms, split_terms
from lydite.errors import InputError

TERMS = [Term(text=str(number), tokens=(str(number),)) for number in range(224)]


def test_the_split_has_the_sizes_of_the_paper() -> None:
    # 157 and 67 for one book, 184 and 79 for the other (Bloem et al. 2019, section 4).
    assert [len(part) for part in split_terms(TERMS)] == [157, 67]
    assert [len(part) for part in split_terms([*TERMS, *TERMS[:39]])] == [184, 79]


def test_the_split_is_seeded_and_loses_nothing() -> None:
    train, test = split_terms(TERMS, seed=3)
    assert sorted((*train, *test), key=lambda term: int(term.text)) == TERMS
    assert split_terms(TERMS, seed=3) == (train, test)
    assert split_terms(TERMS, seed=4) != (train, test)


@pytest.mark.parametrize("share", [0.0, 1.0, float("nan")])
def test_a_split_leaves_something_on_both_sides(share: float) -> None:
    with pytest.raises(InputError, match="share between 0 and 1"):
        split_terms(TERMS, train=share)


def test_terms_with_the_same_tokens_are_one() -> None:
    terms = gather_terms(["A  priori", "Priori", "!"], source="me")
    assert terms.terms == (Term(text="A priori", tokens=("priori",)),)
    assert terms.problems == {"given twice": 1, "no token is left of it": 1}
