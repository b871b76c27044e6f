from __future__ import annotations

import pytest

from lydite.models.learners import complete_learner


@pytest.mark.parametrize(
    ("learner", "expected"),
    [
        ("additive", "additive(v.txt)"),
        ("additive(sample=0)", "additive(v.txt, sample=0)"),
        ("additive(other.txt)", "additive(other.txt)"),
        ("additive(background=other.txt)", "additive(background=other.txt)"),
        ("nonce2vec", "nonce2vec(v.txt, preset=small-data)"),
        ("nonce2vec(preset=published)", "nonce2vec(v.txt, preset=published)"),
        ("ppmi-svd(dim=50)", "ppmi-svd(news.txt, dim=50)"),
        ("pooled(usem3)", "pooled(usem3)"),
    ],
)
def test_what_a_learner_lacks_is_put_in(learner: str, expected: str) -> None:
    whole = complete_learner(
        learner, background="v.txt", general="news.txt", preset="small-data", say=print
    )
    assert whole == expected


def test_without_a_preset_nonce2vec_keeps_its_own() -> None:
    assert complete_learner("nonce2vec", background="v.txt", say=print) == "nonce2vec(v.txt)"


def test_a_background_may_be_a_spec() -> None:
    whole = complete_learner("additive", background="vectors(v.txt, limit=9)", say=print)
    assert whole == "additive(vectors(v.txt, limit=9))"


def test_the_usual_background_has_no_output_vectors_and_it_is_said() -> None:
    said: list[str] = []
    assert (
        complete_learner("additive", background=None, say=said.append) == "additive(glove-6b-50d)"
    )
    whole = complete_learner("nonce2vec", background=None, say=said.append)
    assert whole == "nonce2vec(glove-6b-50d, context=input)"
    assert ["glove-6b-50d has no output vectors" in text for text in said] == [True]
    assert complete_learner("nonce2vec(context=output)", background=None, say=print) == (
        "nonce2vec(glove-6b-50d, context=output)"
    )
