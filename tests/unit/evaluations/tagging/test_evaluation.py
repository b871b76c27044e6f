from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.tagging.evaluation import Tagging
from lydite.models.baselines import RandomModel
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.spec import Value, parse

NOUNS, VERBS = [f"n{i}" for i in range(8)], [f"v{i}" for i in range(8)]
SPACE = Space.of(
    {
        **{word: [1.0, i / 9] for i, word in enumerate(NOUNS)},
        **{word: [-1.0, i / 9] for i, word in enumerate(VERBS)},
        "odd": [1.0, 0.5],
    }
)
#: Six of each kind, alone and in every order, so that neighbours say nothing.
TRAIN = [
    *NOUNS[:6],
    *VERBS[:6],
    *(f"{a[i]} {b[5 - i]}" for a in (NOUNS, VERBS) for b in (NOUNS, VERBS) for i in range(6)),
]
TEST = ["n6", "v6", "odd", "n7 V7 v1 n0"]


def tagged(sentences: list[str]) -> str:
    """Write sentences whose words tell their tags; ``odd`` is a verb that looks like a noun."""
    return "\n\n".join(
        "\n".join(f"{word}\t{'N' if word[0] == 'n' else 'V'}" for word in sentence.split())
        for sentence in sentences
    )


def written(
    folder: Path, test: list[str] = TEST, train: list[str] = TRAIN, tuning: bool = True
) -> str:
    (folder / "train.tsv").write_text(tagged(train))
    (folder / "test.tsv").write_text(tagged(test))
    if tuning:
        (folder / "dev.tsv").write_text(tagged(["n1 v2", "v3", "n4", "n6", "v7 n7"]))
    return str(folder)


def asked(model: object, path: str, seed: int = 0, **parameters: Value) -> Outcome:
    question = Tagging(**{"repeats": 2, "draws": 1, **parameters})  # type: ignore[arg-type]
    return question.run(model, [locate(path)], seed=seed)


def test_six_of_seven_by_hand(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path))
    # Of seven words odd alone lies on the wrong side; V7 is looked for as v7.
    assert found.metric == "accuracy"
    assert found.score == pytest.approx(6 / 7)
    assert found.items["item"] == TEST
    assert found.items["tokens"] == [1, 1, 1, 4]
    assert found.items["right"] == [1, 1, 0, 4]
    # The mean length is 7/4, and the mean value the score.
    assert found.items["value"] == pytest.approx([4 / 7, 4 / 7, 0, 16 / 7])
    assert (found.n_items, found.n_covered, found.oov) == (4, 4, "zero")
    assert min(found.ends) <= found.score <= max(found.ends)
    # Training has v1 and n0, both right; of the five others odd is not. Three of four sentences.
    assert found.others["known"] == 1
    assert found.others["unknown"] == pytest.approx(4 / 5)
    assert found.others["sentences_right"] == pytest.approx(3 / 4)
    assert "no_vector" not in found.others
    # Known words have their tags; of 30 nouns and 30 verbs N comes first, right for n6 and n7.
    assert found.others["majority"] == pytest.approx(4 / 7)
    assert found.others["word_coverage"] == 1
    assert found.others["random_vectors"] == found.baseline.mean
    assert (found.baseline.kind, found.baseline.draws) == ("random vectors", 1)
    details = found.details
    assert details["notes"] == []
    assert details["repeats"] == pytest.approx([6 / 7, 6 / 7])
    assert len(details["epochs"]) == len(details["development"]) == 2
    assert details["sentences"] == {"train": 36, "development": 5, "test": 4}
    assert details["tokens"] == {
        "train": 60, "development": 7, "test": 7, "unknown": 5, "no_vector": 0, "unseen_tag": 0,
    }  # fmt: skip
    assert details["tags"] == [
        {"tag": "N", "test": 3, "taken_for": 4, "right": 3},
        {"tag": "V", "test": 4, "taken_for": 3, "right": 3},
    ]
    assert details["confusions"] == [{"tag": "V", "taken_for": "N", "times": 1}]
    assert details["test_sentences_in_training"] == 0


def test_the_other_decoder_tells_the_same(tmp_path: Path) -> None:
    assert asked(SPACE, written(tmp_path), decoder="softmax").score == pytest.approx(6 / 7)


def test_the_same_seed_gives_the_same_outcome(tmp_path: Path) -> None:
    path = written(tmp_path, tuning=False)
    assert asked(SPACE, path, seed=3) == asked(SPACE, path, seed=3)


def test_rotation_scale_and_the_order_of_words_change_nothing(tmp_path: Path) -> None:
    path = written(tmp_path)
    words = ["odd", *VERBS[::-1], *NOUNS]
    vectors = SPACE.lookup(words).vectors
    turned = 5 * vectors @ np.array([[0.6, -0.8], [0.8, 0.6]], dtype=np.float32)
    other = Space.of(dict(zip(words, turned.tolist(), strict=True)))
    found = asked(other, path, repeats=1)
    assert found.items == asked(SPACE, path, repeats=1).items


@pytest.mark.parametrize("power", [-6, -3, 3, 6])
def test_a_power_of_ten_changes_nothing(tmp_path: Path, power: int) -> None:
    path = written(tmp_path)
    words = [*NOUNS, *VERBS, "odd"]
    vectors = 10.0**power * SPACE.lookup(words).vectors.astype(np.float64)
    other = Space.of(dict(zip(words, vectors.tolist(), strict=True)))
    assert asked(other, path, repeats=1).items == asked(SPACE, path, repeats=1).items


def test_the_order_of_training_sentences_changes_nothing(tmp_path: Path) -> None:
    plain = asked(SPACE, written(tmp_path), repeats=1)
    turned = asked(SPACE, written(tmp_path, train=TRAIN[::-1]), repeats=1)
    assert turned.items == plain.items


def test_models_of_one_dimension_share_their_baseline(tmp_path: Path) -> None:
    path = written(tmp_path)
    first, second = asked(SPACE, path), asked(RandomModel(2), path)
    assert first.baseline is second.baseline
    assert asked(RandomModel(3), path).baseline is not first.baseline


def test_without_development_data_a_fifth_is_held_out(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path, tuning=False), repeats=3)
    assert found.details["sentences"]["development"] == 0
    assert len(found.details["repeats"]) == 3
    assert found.score == pytest.approx(6 / 7)


def test_words_without_a_vector_are_counted_apart(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path, [*TEST, "nowhere never"]))
    assert (found.n_items, found.n_covered) == (5, 4)
    assert found.details["tokens"]["no_vector"] == 2
    assert found.others["no_vector"] in {0, 0.25, 0.5, 0.75, 1}
    assert found.details["missing"] == ["nowhere", "never"]


def test_case_is_a_parameter(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path), case="exact")
    assert found.details["missing"] == ["V7"]
    assert found.others["word_coverage"] < 1


def test_low_coverage_is_warned_of_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    train = [*TRAIN, *[f"nope{i} void{i}" for i in range(200)]]
    with caplog.at_level(logging.WARNING):
        found = asked(SPACE, written(tmp_path, train=train))
    (note,) = found.details["notes"]
    assert "the score says little about its vectors" in note
    assert note in caplog.text
    assert found.others["word_coverage"] < 0.2


def test_a_tag_that_is_not_trained_counts_as_wrong(tmp_path: Path) -> None:
    path = written(tmp_path)
    with (tmp_path / "test.tsv").open("a") as file:
        file.write("\n\nn1\tX\n")
    found = asked(SPACE, path)
    assert found.score == pytest.approx(6 / 8)
    assert found.details["tokens"]["unseen_tag"] == 1
    assert "1 of 8 test words have tags that do not occur in training" in found.details["notes"][0]


def test_random_vectors_are_drawn_anew_where_files_change_places(tmp_path: Path) -> None:
    found = []
    for first, second in (("train", "test"), ("test", "train")):
        folder = tmp_path / first
        folder.mkdir()
        (folder / f"a-{first}.tsv").write_text(tagged(TRAIN))
        (folder / f"b-{second}.tsv").write_text(tagged(TRAIN[10:16]))
        # The bytes are the same, one file after the other: only the names say what is tested.
        resource = replace(locate(folder), sha256="0" * 64)
        found.append(Tagging(repeats=1, draws=1).run(SPACE, [resource], seed=7))
    # Of the training file all words are seen, and of the other file a few.
    assert found[0].baseline.mean > found[1].baseline.mean


def test_all_right_on_few_sentences_proves_little(tmp_path: Path) -> None:
    found = asked(SPACE, written(tmp_path, test=["n6", "v6 n7"]))
    assert found.score == 1
    # Wilson with t(3) for two sentences: three right of three words, 3 / (3 + 3.182^2).
    assert min(found.ends) == pytest.approx(0.2285, abs=1e-4)
    assert found.interval is not None
    assert (max(found.ends), found.interval.method) == (1.0, "wilson")


def test_other_tags_in_the_test_file_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "test.tsv").write_text("n1\tNN\nv1\tVB\n")
    with pytest.raises(FormatError, match=r"test.tsv: 2 of 2 test words have tags"):
        asked(SPACE, path)


def test_a_model_of_another_language_has_no_score(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError, match="has none of the 12 different training words"):
        asked(Space.of({"кот": [1.0, 2.0]}), written(tmp_path))


def test_a_model_of_texts_is_refused(tmp_path: Path) -> None:
    class Texts:
        spec = "texts"

        def encode(self, texts: list[str], /) -> None: ...

    with pytest.raises(UnsuitableModelError, match="needs vectors of single words, and texts has"):
        asked(Texts(), written(tmp_path))


def test_one_training_sentence_cannot_be_held_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected at least 2 training sentences"):
        asked(SPACE, written(tmp_path, train=["n1 v1"], tuning=False))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"window": -1}, "expected window to be a whole number from 0, got -1"),
        ({"epochs": 0}, "expected epochs to be a whole number from 1"),
        ({"repeats": True}, "expected repeats to be a whole number"),
        ({"draws": 0}, "expected draws to be a whole number from 1"),
        ({"sentences": 2.5}, "expected sentences to be a whole number from 0"),
        ({"l2": -0.1}, "expected l2 to be a number from 0"),
        ({"decoder": "hmm"}, "expected decoder to be one of crf, softmax"),
        ({"case": "upper"}, "expected case to be one of fold, exact, lower"),
        ({"tags": "pos"}, "expected tags to be one of upos, xpos"),
    ],
)
def test_parameters_are_checked(parameters: Mapping[str, Value], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tagging(**parameters)  # type: ignore[arg-type]


def test_the_spec_parses_back() -> None:
    question = Tagging(tags="xpos", l2=0.5, case="exact")
    assert Tagging(**dict(parse(question.spec).params)) == question  # type: ignore[arg-type]


def test_real_vectors_know_parts_of_speech(shared_data: Path) -> None:
    found = asked(load("glove-6b-50d"), "ud-ewt", sentences=500, repeats=1)
    assert 0.7 < found.score < 0.8
    assert found.score > found.baseline.high + 0.1
    assert 0.5 < found.others["unknown"] < found.score < found.others["known"]
    assert found.others["word_coverage"] > 0.95
    assert (found.n_items, found.details["tokens"]["test"]) == (2077, 25094)
    assert sum(found.items["value"]) / 2077 == pytest.approx(found.score)
    assert max(found.ends) - min(found.ends) < 0.02
