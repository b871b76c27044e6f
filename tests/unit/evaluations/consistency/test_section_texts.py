from __future__ import annotations

from collections.abc import Callable

from lydite.evaluations.consistency.tables import texts
from lydite.results.record import Result

Maker = Callable[..., Result]


def test_learners_are_called_by_their_kind_where_that_tells_them_apart(make_learnt: Maker) -> None:
    results = [
        make_learnt("additive(a)", score=0.2),
        make_learnt("additive(a, sample=0)", score=0.9),
        make_learnt("nonce2vec(a)", score=0.5),
    ]
    (text,) = texts(results)
    assert list(text.learners) == ["additive(a, sample=0)", "nonce2vec", "additive(a)"]


def test_questions_that_differ_in_the_metric_alone_are_one_text(make_learnt: Maker) -> None:
    by_cosine = make_learnt(
        evaluation="consistency(metric=cosine)",
        metric="cosine",
        score=0.95,
        others={"identification": 0.5},
    )
    leading = make_learnt()
    (text,) = texts([by_cosine, leading])
    # The one with an interval of identification is kept.
    assert [each.result for each in text.learners.values()] == [leading]


def test_a_text_asked_in_two_ways_is_told_by_the_question(make_learnt: Maker) -> None:
    found = texts(
        [
            make_learnt(),
            make_learnt(evaluation="consistency(split=halves)"),
            make_learnt(resource="folder/other.txt"),
        ]
    )
    assert [text.title for text in found] == [
        "mine.txt",
        "mine.txt, consistency(split=halves)",
        "other.txt",
    ]


def test_a_learner_by_two_files_keeps_both(make_learnt: Maker) -> None:
    (text,) = texts([make_learnt(), make_learnt(model_sha256="ef" * 32)])
    assert list(text.learners) == ["additive(a) @abababab", "additive(a) @efefefef"]


def test_a_score_is_found_whether_it_leads_or_not(make_learnt: Maker) -> None:
    (learner,) = texts([make_learnt()])[0].learners.values()
    assert learner.score("identification") == 0.5
    assert learner.score("cosine") == 0.95
    assert learner.score("rank") is None
