from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from lydite.errors import InputError, MissingExtraError, UndefinedScoreError, UnknownNameError
from lydite.evaluations.separation import tasks as qa
from lydite.evaluations.separation.data import Question
from lydite.evaluations.separation.tasks import normalised_rank, qa_outcome
from lydite.models.catalogue import load
from lydite.types import Floats


class Told:
    """The score is the number at the end of the sentence; nothing is known of a question mark."""

    spec = "told"

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        ends = [text.split()[-1] for text in right]
        return np.array([np.nan if end == "?" else float(end) for end in ends])


def question_of(
    scores: Sequence[object], *answers: int, name: str = "q", form: str = ""
) -> Question:
    document = tuple(f"{name} says {score}" for score in scores)
    return Question(name=name, text=name, document=document, answers=answers, form=form)


def rank_by_loops(scores: Sequence[float], answer: int) -> float:
    """Equation 14 after sorting: the median of the places that tied sentences take."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    places = [k for k, i in enumerate(order) if scores[i] == scores[answer]]
    return 1 - float(np.median(places)) / (len(scores) - 1)


@pytest.mark.parametrize(
    ("scores", "answer", "rank"),
    [
        # First, last, and third of four: 1 - 2 / 3.
        ([5, 1, 3], 0, 1.0),
        ([5, 1, 3], 1, 0.0),
        ([9, 8, 2, 1], 2, 1 / 3),
        # Places 0 and 1 are tied: 1 - 0.5 / 2.
        ([4, 4, 1], 1, 0.75),
        # Places 1, 2 and 3 of 0 to 4 are tied: the middle one is 2.
        ([2, 9, 2, 0, 2], 4, 0.5),
        # All are tied.
        ([0, 0, 0, 0], 3, 0.5),
        ([-1, -2], 0, 1.0),
    ],
)
def test_equation_14_by_hand(scores: list[float], answer: int, rank: float) -> None:
    assert normalised_rank(np.array(scores, dtype=float), [answer]) == pytest.approx(rank)


def test_ranks_are_those_of_sorting_loops() -> None:
    generator = np.random.default_rng(1)
    for _ in range(200):
        scores = generator.integers(0, 4, generator.integers(2, 9)).astype(float)
        answer = int(generator.integers(len(scores)))
        expected = rank_by_loops(scores.tolist(), answer)
        assert normalised_rank(scores, [answer]) == pytest.approx(expected, abs=1e-12)


def test_of_several_answers_the_best_counts_and_the_others_are_left_out() -> None:
    # 9 is no answer; of the answers 5, 7 and 5 the best is 7; left are 9, 7 and 6.
    assert normalised_rank(np.array([9.0, 5, 7, 6, 5]), [1, 2, 4]) == 0.5
    # Both answers tie, and tie with a third sentence: 3, 3 and 1 are left, places 0 and 1.
    assert normalised_rank(np.array([3.0, 3, 3, 1]), [0, 2]) == 0.75
    assert normalised_rank(np.array([3.0, 3, 3, 1]), [2, 0]) == 0.75


def test_the_mean_over_questions_by_hand() -> None:
    questions = [
        question_of([5, 1, 3], 0, name="a", form="active"),
        question_of([4, 4, 1], 1, name="b", form="passive"),
        question_of([9, 8, 2, 1], 2, name="c", form="passive"),
    ]
    outcome = qa_outcome(Told(), questions, "", "data", 0)
    assert outcome.items["value"] == pytest.approx([1, 0.75, 1 / 3])
    assert outcome.score == pytest.approx((1 + 0.75 + 1 / 3) / 3)
    assert outcome.metric == "norm_rank"
    assert outcome.others == {"hit_at_1": pytest.approx(1 / 3)}
    assert outcome.details["subset"] is None
    assert outcome.details["forms"] == [
        {"kind": "active", "questions": 1, "score": 1.0},
        {"kind": "passive", "questions": 2, "score": pytest.approx((0.75 + 1 / 3) / 2)},
    ]
    assert outcome.details["domains"] == []
    worst = outcome.details["worst"][0]
    assert (worst["question"], worst["answer"], worst["first"]) == ("c", "c says 2", "c says 9")


def test_the_subset_is_where_the_simple_model_is_not_perfect() -> None:
    # Overlap finds the answer of the first question alone.
    questions = [
        Question(name="a", text="rain falls", document=("rain falls 1", "sun 2"), answers=(0,)),
        Question(name="b", text="ice melts", document=("water 3", "sun 2"), answers=(0,)),
        Question(name="c", text="ice melts", document=("fire 1", "ice 4", "sun 2"), answers=(2,)),
    ]
    outcome = qa_outcome(Told(), questions, "overlap(lemmas=none)", "data", 0)
    assert outcome.items["value"] == [0.0, 1.0, 0.5]
    assert outcome.others["subset"] == 0.75
    assert outcome.details["subset"] == {"model": "overlap(lemmas=none)", "questions": 2}
    itself = qa_outcome(load("overlap(lemmas=none)"), questions, "overlap(lemmas=none)", "data", 0)
    # a: 1; b: a tie of two, 0.5; c: a tie for places 1 and 2, 0.25.
    assert itself.items["value"] == [1, 0.5, 0.25]
    assert itself.others["subset"] == pytest.approx(0.375)


def test_a_subset_without_any_question_has_no_score() -> None:
    questions = [question_of([2, 1], 0, name=name) for name in ("a", "b")]
    simple = "hybrid(random(3), random(4))"
    perfect = [
        Question(name=n, text=f"{n} says 2", document=q.document, answers=(0,))
        for n, q in zip("ab", questions, strict=True)
    ]
    outcome = qa_outcome(Told(), perfect, simple, "data", 0)
    assert "subset" not in outcome.others
    assert outcome.details["subset"] == {"model": simple, "questions": 0}


def test_a_subset_model_that_is_not_installed_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(model: str) -> object:
        raise MissingExtraError("lemmas", extra="lemmas")

    monkeypatch.setattr(qa, "load", absent)
    questions = [question_of([2, 1], 0, name=name) for name in ("a", "b")]
    outcome = qa_outcome(Told(), questions, "overlap", "data", 0)
    assert outcome.score == 1
    assert outcome.details["subset"] is None
    (note,) = outcome.details["notes"]
    assert note.startswith("the subset where overlap is not perfect is left out: lemmas needs")


def test_a_subset_model_that_does_not_exist_is_an_error() -> None:
    questions = [question_of([2, 1], 0, name=name) for name in ("a", "b")]
    with pytest.raises(UnknownNameError, match="overlp"):
        qa_outcome(Told(), questions, "overlp", "data", 0)


def test_questions_on_one_document_have_no_interval() -> None:
    outcome = qa_outcome(Told(), [question_of([2, 1], 0)] * 3, "", "data", 0)
    assert (outcome.score, outcome.interval) == (1, None)
    with pytest.raises(UndefinedScoreError, match="expected questions, got none"):
        qa_outcome(Told(), [], "", "data", 0)


def test_ten_questions_on_two_documents_are_few() -> None:
    # All came out at .96, and the interval used to be [.960, .960].
    row = [25.5, *[float(i) for i in range(1, 26)]]
    questions = [question_of(row, 0, name=str(k // 5)) for k in range(10)]
    outcome = qa_outcome(Told(), questions, "", "data", 0)
    assert outcome.score == 1.0
    assert min(outcome.ends) < 0.55


def test_scores_of_sentences_stand_with_the_items() -> None:
    questions = [question_of([5, 1, 3], 0, name="a"), question_of([4, 4.5], 1, name="b")]
    items = qa_outcome(Told(), questions, "", "data", 0).items
    assert [json.loads(each) for each in items["scores"]] == [[5, 1, 3], [4, 4.5]]
    assert [json.loads(each) for each in items["answers"]] == [[0], [1]]


def test_documents_count_and_not_questions() -> None:
    generator = np.random.default_rng(2)
    # Six questions on each of 30 documents come out alike.
    rows = [generator.permutation(11).tolist() for _ in range(30)]
    together = [question_of(row, 0, name=str(k)) for k, row in enumerate(rows) for _ in range(6)]
    apart = [question_of(row, 0, name=f"{k}-{i}") for k, row in enumerate(rows) for i in range(6)]
    widths = []
    for questions in (together, apart):
        ends = qa_outcome(Told(), questions, "", "data", 0).ends
        widths.append(max(ends) - min(ends))
    # Six equal items are one; where they are independent, the rule is the more careful.
    assert 1.5 < widths[0] / widths[1] < np.sqrt(6)


def test_what_is_not_known_is_scored_and_counted() -> None:
    # The answer of b is not known: 0, between 1 and -1. c is not known at all: a tie of all.
    questions = [
        question_of([5, 1], 0, name="a"),
        question_of([1, "?", -1], 1, name="b"),
        question_of(["?", "?", "?"], 1, name="c"),
    ]
    outcome = qa_outcome(Told(), questions, "", "data", 0)
    assert outcome.items["value"] == [1, 0.5, 0.5]
    assert outcome.items["covered"] == [True, False, False]
    assert (outcome.n_items, outcome.n_covered) == (3, 1)
    assert outcome.details["missing"] == ["b", "c"]


def test_infinite_scores_are_refused() -> None:
    questions = [question_of([5, 1], 0, name="a"), question_of([1, "inf"], 0, name="b")]
    with pytest.raises(InputError, match="'b' and 'b says inf' with an infinity"):
        qa_outcome(Told(), questions, "", "data", 0)


def test_the_baseline_of_one_answer_is_a_half() -> None:
    generator = np.random.default_rng(3)
    questions = [
        question_of(generator.integers(0, 5, 8).tolist(), 2, name=str(k)) for k in range(60)
    ]
    baseline = qa_outcome(Told(), questions, "", "data", 0).baseline
    assert baseline.mean == pytest.approx(0.5, abs=0.01)
    assert baseline.kind == "a random sentence"


def test_the_baseline_of_several_answers_is_what_a_model_by_chance_scores() -> None:
    generator = np.random.default_rng(4)
    count = 400
    scores = [generator.integers(0, 5, 6).tolist() for _ in range(count)]
    questions = [question_of(row, 0, 3, 5, name=str(k)) for k, row in enumerate(scores)]
    outcome = qa_outcome(Told(), questions, "", "data", 0)
    # These scores know nothing of the answers, so the score itself is chance. Of three answers and
    # three others, the best is well above the middle.
    error = np.std(outcome.items["value"]) / np.sqrt(count)
    assert outcome.baseline.mean == pytest.approx(outcome.score, abs=3 * error)
    assert outcome.baseline.mean > 0.7


def test_the_baseline_by_loops() -> None:
    scores = np.array([2.0, 1, 1, 0, 2])
    expected = np.mean(
        [normalised_rank(scores, [i, j]) for i in range(5) for j in range(5) if i != j]
    )
    questions = [question_of(scores.tolist(), 0, 1, name=str(k)) for k in range(40)]
    baseline = qa_outcome(Told(), questions, "", "data", 0).baseline
    assert baseline.mean == pytest.approx(expected, abs=0.01)
