from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from lydite.evaluations.classification.data import LabelledTexts
from lydite.evaluations.classification.evaluation import GRID, Setting, predict
from lydite.evaluations.downstream.parts import Part, held_out
from lydite.evaluations.downstream.words import Encoded
from lydite.stats.seeds import child_seed
from lydite.types import Indices, Vectors

SETTING = Setting(classifier="logistic", C=None, trees=20, scale="none", repeats=3)


def drawn(n: int, classes: int, seed: int) -> tuple[Vectors, Indices]:
    """Return noisy rows, whose class is the largest of the first components."""
    generator = np.random.default_rng(seed)
    rows = generator.standard_normal((n, 6))
    labels = (rows[:, :classes] + generator.standard_normal((n, classes))).argmax(axis=1)
    return rows.astype(np.float32), labels


def case(classes: int = 2, *, development: bool) -> tuple[Encoded, Part]:
    (train, known), (tuning, gold), (test, asked) = (drawn(90, classes, seed) for seed in range(3))

    def texts(labels: Indices) -> LabelledTexts:
        return LabelledTexts(texts=("",) * len(labels), labels=labels)

    encoded = Encoded(
        train=train,
        development=tuning if development else tuning[:0],
        test=test,
        covered=np.ones(len(test), dtype=np.bool_),
    )
    part = Part(
        name="",
        classes=tuple("abc"[:classes]),
        train=texts(known),
        development=texts(gold) if development else None,
        test=texts(asked),
    )
    return encoded, part


def theirs(rows: Vectors, labels: Indices, asked: Vectors, C: float) -> Indices:
    machine = LogisticRegression(C=C, max_iter=10_000).fit(rows.astype(np.float64), labels)
    return np.asarray(machine.predict(asked.astype(np.float64)))


@pytest.mark.parametrize("classes", [2, 3])
def test_tuned_on_development_data_as_by_scikit_learn(classes: int) -> None:
    encoded, part = case(classes, development=True)
    assert part.development is not None
    rights = [
        (theirs(encoded.train, part.train.labels, encoded.development, C)
         == part.development.labels).mean()
        for C in GRID
    ]  # fmt: skip
    best = GRID[int(np.argmax(rights))]
    found = predict(encoded, part, SETTING, seed=1)
    assert list(found.C) == [best]
    expected = theirs(encoded.train, part.train.labels, encoded.test, best)
    assert found.predicted.tolist() == [expected.tolist()]
    assert found.unconverged == 0


def test_tuned_on_a_fifth_of_training_where_there_is_no_development_data() -> None:
    encoded, part = case(development=False)
    found = predict(encoded, part, SETTING, seed=1)
    assert len(found.C) == 3
    labels = part.train.labels
    for repeat, chosen in enumerate(found.C):
        kept = held_out(labels, child_seed(1, "held out", str(repeat)))
        rights = [
            (theirs(encoded.train[~kept], labels[~kept], encoded.train[kept], C)
             == labels[kept]).mean()
            for C in GRID
        ]  # fmt: skip
        assert chosen == GRID[int(np.argmax(rights))]
        expected = theirs(encoded.train, labels, encoded.test, chosen)
        assert found.predicted[repeat].tolist() == expected.tolist()


@pytest.mark.parametrize("development", [True, False])
def test_test_texts_have_no_part_in_tuning(development: bool) -> None:
    encoded, part = case(development=development)
    turned = replace(part, test=replace(part.test, labels=1 - part.test.labels))
    first, second = (predict(encoded, each, SETTING, seed=1) for each in (part, turned))
    assert first.C == second.C
    assert first.predicted.tolist() == second.predicted.tolist()


def test_a_given_strength_is_not_tuned() -> None:
    encoded, part = case(development=True)
    found = predict(encoded, part, replace(SETTING, C=0.5), seed=1)
    assert found.C == (0.5,)
    expected = theirs(encoded.train, part.train.labels, encoded.test, 0.5)
    assert found.predicted[0].tolist() == expected.tolist()


def test_regressions_that_are_stopped_early_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.evaluations.downstream.logistic.MOST_STEPS", 1)
    encoded, part = case(development=True)
    assert predict(encoded, part, replace(SETTING, C=100.0), seed=1).unconverged == 1


def test_too_few_texts_to_hold_some_out() -> None:
    encoded, part = case(development=False)
    two = LabelledTexts(texts=("", ""), labels=np.array([0, 1]))
    few = replace(encoded, train=encoded.train[:2])
    assert predict(few, replace(part, train=two), SETTING, seed=1).C == (1.0, 1.0, 1.0)


def test_forests_are_those_of_scikit_learn_and_differ_by_repeat() -> None:
    encoded, part = case(development=False)
    found = predict(encoded, part, replace(SETTING, classifier="forest"), seed=1)
    assert found.C == ()
    for repeat, predicted in enumerate(found.predicted):
        forest = RandomForestClassifier(
            n_estimators=20, random_state=child_seed(1, "trees", str(repeat)) % 2**32
        )
        forest.fit(encoded.train.astype(np.float64), part.train.labels)
        assert predicted.tolist() == forest.predict(encoded.test.astype(np.float64)).tolist()
    assert found.predicted[0].tolist() != found.predicted[1].tolist()
