from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from lydite.errors import FormatError, InputError, UndefinedScoreError
from lydite.evaluations.classification.data import FILES, LabelledTexts, read_listed
from lydite.evaluations.classification.evaluation import Classification
from lydite.models.catalogue import load
from lydite.models.composition import MeanOfWords
from lydite.resources.catalogue import locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.spec import Value, parse
from lydite.types import Floats

GOOD, BAD = ("fine", "bright", "warm"), ("dull", "poor", "cold")
SPACE = Space.of(
    {
        **{word: [1.0, i / 9] for i, word in enumerate(GOOD)},
        **{word: [-1.0, i / 9] for i, word in enumerate(BAD)},
        "film": [0.0, 0.1],
    }
)


def written(folder: Path, rows: list[tuple[str, str, str]], name: str = "task.csv") -> str:
    path = folder / name
    path.write_text("label,text,split\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return str(path)


def reviews() -> list[tuple[str, str, str]]:
    """Return six training texts, two development texts, and four test texts, one of them wrong."""
    train = [(label, f"{word} film", "train") for label, word in _labelled()]
    tuning = [("good", "fine", "dev"), ("bad", "dull", "dev")]
    test = [("good", "warm", "test"), ("bad", "cold", "test"), ("bad", "poor", "test")]
    return [*train, *tuning, *test, ("good", "dull bright poor", "test")]


def _labelled() -> list[tuple[str, str]]:
    return [("good", word) for word in GOOD] + [("bad", word) for word in BAD]


def asked(model: object, path: str, seed: int = 0, **parameters: Value) -> Outcome:
    question = Classification(**{"draws": 2, **parameters})  # type: ignore[arg-type]
    return question.run(model, [locate(path)], seed=seed)


def test_three_of_four_by_hand(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path, reviews()))
    # The last text has the mean of -1, 1 and -1, which is on the side of the bad ones.
    assert (found.metric, found.score) == ("accuracy", 0.75)
    assert found.items["value"] == [1, 1, 1, 0]
    assert found.items["class"] == ["good", "bad", "bad", "good"]
    assert found.items["taken_for"] == ["good", "bad", "bad", "bad"]
    assert found.items["item"][-1] == "dull bright poor"
    # Of two classes of three training texts the first, bad, has two of four test texts.
    assert found.others["majority"] == 0.5
    assert found.others["random_vectors"] == found.baseline.mean
    assert (found.baseline.kind, found.baseline.draws) == ("random vectors", 2)
    assert found.others["word_coverage"] == 1
    assert (found.n_items, found.n_covered, found.oov) == (4, 4, "zero")
    assert min(found.ends) <= 0.75 <= max(found.ends)
    (part,) = found.details["parts"]
    assert (part["train"], part["development"], part["test"]) == (6, 2, 4)
    assert part["repeats"] == [0.75]
    assert part["classes"] == [
        {"class": "bad", "test": 2, "taken_for": 3, "right": 2},
        {"class": "good", "test": 2, "taken_for": 1, "right": 1},
    ]
    assert found.details["notes"] == []


def test_a_composed_model_scores_as_its_words(tmp_path: Path) -> None:
    path = written(tmp_path, reviews())
    assert asked(MeanOfWords.open(SPACE), path) == asked(SPACE, path)


def test_the_same_seed_gives_the_same_outcome(tmp_path: Path) -> None:
    rows = [(label, text, "train") for label, text, _ in reviews()] + reviews()[-4:]
    path = written(tmp_path, rows)
    assert asked(SPACE, path, seed=3) == asked(SPACE, path, seed=3)
    assert asked(SPACE, path).details["test_texts_in_training"] == 4


def test_the_order_of_the_vocabulary_changes_nothing(tmp_path: Path) -> None:
    words = ["film", *BAD[::-1], *GOOD]
    vectors = SPACE.lookup(words).vectors.tolist()
    path = written(tmp_path, reviews())
    assert asked(Space.of(dict(zip(words, vectors, strict=True))), path) == asked(SPACE, path)


def test_the_order_of_training_texts_changes_nothing_where_nothing_is_drawn(
    tmp_path: Path,
) -> None:
    rows = reviews()
    plain = asked(SPACE, written(tmp_path, rows))
    turned = asked(SPACE, written(tmp_path, [*rows[5::-1], *rows[6:]], "turned.csv"))
    assert turned.items == plain.items
    assert turned.details["parts"] == plain.details["parts"]


def test_a_test_of_nothing_but_training_texts_is_said_loudly(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    train = reviews()[:6]
    test = [(label, text, "test") for label, text, _ in train]
    with caplog.at_level(logging.WARNING):
        found = asked(SPACE, written(tmp_path, [*train, *test]))
    (note,) = found.details["notes"]
    assert note.startswith("all 6 test texts also occur in training")
    assert note in caplog.text
    assert found.details["test_texts_in_training"] == found.n_items == 6
    assert "not_in_training" not in found.others


def test_all_right_on_few_texts_proves_little(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path, reviews()[:-1]))
    assert found.score == 1
    # Wilson with t(5): three right of three, 3 / (3 + 2.571^2).
    assert min(found.ends) == pytest.approx(0.3122, abs=1e-4)
    assert found.interval is not None
    assert (max(found.ends), found.interval.method) == (1.0, "wilson")


def test_what_training_repeats_is_told_apart(tmp_path: Path) -> None:
    rows = [*reviews(), ("good", "fine film", "test")]
    found = asked(SPACE, written(tmp_path, rows))
    assert found.score == pytest.approx(4 / 5)
    assert found.others["not_in_training"] == pytest.approx(3 / 4)
    assert found.details["test_texts_in_training"] == 1


def test_data_without_a_split_are_tested_in_folds(tmp_path: Path) -> None:
    path = tmp_path / "task.csv"
    rows = [f"{label},{word} film" for label, word in _labelled() for _ in range(4)]
    path.write_text("\n".join(["label,text", *rows]))
    found = asked(SPACE, str(path), folds=3)
    assert found.n_items == 24
    assert found.score == 1
    assert {name for name in found.others if name.startswith("fold")} == {
        "fold_1", "fold_2", "fold_3",
    }  # fmt: skip


def test_absent_words_leave_a_text_uncovered_but_counted(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path, [*reviews(), ("bad", "unheard", "test")]))
    assert (found.n_items, found.n_covered) == (5, 4)
    assert found.items["covered"] == [True, True, True, True, False]
    assert found.details["missing"] == ["unheard"]


def test_low_coverage_is_warned_of_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [(label, f"{text} {'unheard ' * 9}", split) for label, text, split in reviews()]
    with caplog.at_level(logging.WARNING):
        found = asked(SPACE, written(tmp_path, rows))
    (note,) = found.details["notes"]
    assert "the score says little about its vectors" in note
    assert note in caplog.text
    assert found.others["word_coverage"] < 0.2


def test_a_fold_or_a_test_without_a_known_word_counts_as_zeros(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "folds.csv"
    rows = [f"{label},unheard{i}" for i in range(5) for label in ("good", "bad")]
    path.write_text("\n".join(["label,text", "good,fine", "bad,dull", *rows]))
    found = asked(SPACE, str(path))
    assert (found.n_items, found.n_covered) == (12, 2)
    with caplog.at_level(logging.WARNING):
        unknown = [("good", "unheard", "test"), ("bad", "unseen", "test")]
        found = asked(SPACE, written(tmp_path, [*reviews()[:6], *unknown]))
    # Zeros lie between the classes, and both texts are taken for the same one.
    assert (found.score, found.n_covered) == (0.5, 0)
    assert "knows no word of any test text" in caplog.text


def test_a_model_of_another_language_has_no_score(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError, match="knows no word of the 6 training texts"):
        asked(Space.of({"кот": [1.0, 2.0]}), written(tmp_path, reviews()))


def test_a_class_that_is_not_trained_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, [*reviews(), ("middling", "film", "test")])
    with pytest.raises(FormatError, match=r"task.csv:14: class 'middling' has 1 test text,"):
        asked(SPACE, path)


def test_metaphors_take_a_forest_of_words_side_by_side(tmp_path: Path) -> None:
    nouns: Mapping[str, list[float]] = {f"thing{i}": [1.0, i / 30] for i in range(30)}
    ideas: Mapping[str, list[float]] = {f"idea{i}": [-1.0, i / 30] for i in range(30)}
    space = Space.of({"warm": [0.5, 0.5], **nouns, **ideas})
    for name, (label, split) in FILES.items():
        words = list(ideas if label == "metaphor" else nouns)
        chosen = words[:20] if split == "train" else words[20:]
        (tmp_path / name).write_text("".join(f"warm {word}\n" for word in chosen))
    found = asked(space, str(tmp_path), trees=10, repeats=2)
    assert found.score == 1
    (part,) = found.details["parts"]
    assert part["C"] == []
    assert part["repeats"] == [1, 1]
    assert asked(space, str(tmp_path), features="mean", classifier="logistic").score == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": -1.0}, "expected C to be a number above 0, or 0 to tune it"),
        ({"C": float("inf")}, "expected C to be a number"),
        ({"trees": 0}, "expected trees to be a whole number from 1, got 0"),
        ({"folds": 1}, "expected folds to be a whole number from 2"),
        ({"repeats": True}, "expected repeats to be a whole number"),
        ({"classifier": "svm"}, "expected classifier to be one of auto, logistic, forest"),
        ({"headers": "stay"}, "expected headers to be one of drop, keep"),
    ],
)
def test_parameters_are_checked(parameters: Mapping[str, Value], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Classification(**parameters)  # type: ignore[arg-type]


def test_the_spec_parses_back() -> None:
    question = Classification(task="sports", C=2.5, headers="keep")
    assert Classification(**dict(parse(question.spec).params)) == question  # type: ignore[arg-type]


def test_a_task_of_newsgroups_of_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="task=sports is of 20 Newsgroups"):
        asked(SPACE, written(tmp_path, reviews()), task="sports")


def test_real_sentiment_is_what_scikit_learn_makes_of_means(shared_data: Path) -> None:
    model = load("glove-6b-50d")
    found = asked(model, "sst-binary", C=10.0, draws=1)
    task = read_listed(locate("sst-binary").paths)

    def means(data: LabelledTexts) -> Floats:
        rows = []
        for text in data.texts:
            lookup = model.lookup(text.split())
            rows.append(lookup.vectors[lookup.found].astype(np.float64).mean(axis=0))
        return np.array(rows)

    assert task.test is not None
    machine = LogisticRegression(C=10.0, max_iter=5000)
    known = means(task.train)
    length = np.sqrt((known**2).sum(axis=1).mean())
    machine.fit(known / length, task.train.labels)
    expected = machine.score(means(task.test) / length, task.test.labels)
    # Means in single precision may turn a text that lies on the border.
    assert found.score == pytest.approx(expected, abs=2 / 1821)
    assert found.score > found.baseline.high + 0.1
    assert (found.n_items, found.n_covered) == (1821, 1821)
    assert found.others["word_coverage"] > 0.95


def test_real_vectors_know_metaphors(shared_data: Path) -> None:
    found = asked(load("glove-6b-50d"), "metaphor-tsvetkov-2014", trees=50, repeats=2, draws=1)
    assert 0.7 < found.score < 0.85
    assert found.details["test_texts_in_training"] == 18
    assert found.others["not_in_training"] < found.score
