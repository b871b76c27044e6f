from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.parsing.evaluation import Parsing
from lydite.models.catalogue import load
from lydite.models.composition import MeanOfWords
from lydite.resources.catalogue import locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.spec import Value

#: Test words stand in no training sentence: only their vectors tell a determiner from a verb.
KINDS = ("det", "noun", "verb", "adv")
SMALL: dict[str, Value] = {"hidden": 16, "epochs": 8, "repeats": 2, "draws": 1, "dropout": 0.0}
_HEADS = {2: [2, 0], 3: [2, 3, 0], 5: [2, 3, 0, 5, 3], 6: [2, 3, 0, 5, 3, 3]}
_SHAPES = {
    2: "noun verb",
    3: "det noun verb",
    5: "det noun verb det noun",
    6: "det noun verb det noun adv",
}
_RELATIONS = {
    2: "nsubj root",
    3: "det nsubj root",
    5: "det nsubj root det obj",
    6: "det nsubj root det obj advmod",
}


def space() -> Space:
    """Return vectors near one corner of a simplex a kind, of 40 words each."""
    generator = np.random.default_rng(0)
    return Space.of(
        {
            f"{kind}{i}": (np.eye(4)[k] + 0.1 * generator.normal(size=4)).tolist()
            for k, kind in enumerate(KINDS)
            for i in range(40)
        }
    )


def sentence(size: int, generator: np.random.Generator, words: range) -> str:
    lines = []
    rows = zip(_SHAPES[size].split(), _HEADS[size], _RELATIONS[size].split(), strict=True)
    for place, (kind, head, relation) in enumerate(rows, 1):
        word = f"{kind}{generator.choice(words)}"
        lines.append(f"{place}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_")
    stop = f"{size + 1}\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_"
    return "\n".join([*lines, stop]) + "\n\n"


def treebank(folder: Path, train: int = 80) -> str:
    generator = np.random.default_rng(1)
    sizes = sorted(_SHAPES)
    for name, count, words in (
        ("train", train, range(20)), ("dev", 12, range(20, 40)), ("test", 16, range(20, 40)),
    ):  # fmt: skip
        text = "".join(sentence(sizes[i % 4], generator, words) for i in range(count))
        (folder / f"{name}.conllu").write_text(text)
    return str(folder)


def asked(model: object, path: str, seed: int = 0, **parameters: Value) -> Outcome:
    question = Parsing(**{**SMALL, **parameters})  # type: ignore[arg-type]
    return question.run(model, [locate(path)], seed=seed)


def test_words_never_seen_are_parsed_by_their_vectors(tmp_path: Path) -> None:
    found = asked(space(), treebank(tmp_path))
    assert found.metric == "uas"
    assert found.score > 0.95
    assert found.others["las"] > 0.9
    # Random vectors of new words say nothing of them.
    assert found.baseline.mean < found.score - 0.1
    assert found.others["random_vectors"] == found.baseline.mean
    assert (found.baseline.kind, found.baseline.draws) == ("random vectors", 1)
    assert min(found.ends) <= found.score <= max(found.ends)
    assert (found.n_items, found.n_covered) == (16, 16)
    assert found.details["sentences"] == {"train": 80, "development": 12, "test": 16}
    # Sixteen sentences, a quarter each of 2, 3, 5 and 6 words and a stop.
    assert (found.details["test_words"], found.details["scored_words"]) == (80, 64)
    # The stop hangs on the first word, over all others: longer sentences are not projective.
    assert found.details["not_projective"] == {"train": 80, "test": 16}
    assert found.details["notes"] == []


def test_a_factor_changes_nothing(tmp_path: Path) -> None:
    # A power of two, which rounds nothing: training would carry the last digit of a number far.
    path = treebank(tmp_path, train=20)
    plain = space()
    words = [f"{kind}{i}" for kind in KINDS for i in range(40)]
    long = plain.lookup(words).vectors * np.float32(1024)
    other = Space.of(dict(zip(words, long.tolist(), strict=True)))
    assert asked(other, path, epochs=2).items == asked(plain, path, epochs=2).items


def test_the_items_say_what_the_score_is(tmp_path: Path) -> None:
    found = asked(space(), treebank(tmp_path), epochs=1)
    items = {name: np.array(column) for name, column in found.items.items()}
    assert items["value"].mean() == pytest.approx(found.score)
    assert np.average(items["uas"], weights=items["words"]) == pytest.approx(found.score)
    assert np.average(items["las"], weights=items["words"]) == pytest.approx(found.others["las"])
    assert items["exact"].mean() == pytest.approx(found.others["exact"])
    repeats = found.details["repeats"]
    assert np.mean([each["uas"] for each in repeats]) == pytest.approx(found.score)
    assert sum(row["words"] for row in found.details["relations"]) == 64
    assert sum(row["words"] for row in found.details["lengths"]) == 64


def test_branching_baselines_by_hand(tmp_path: Path) -> None:
    found = asked(space(), treebank(tmp_path), epochs=1)
    # Of heads [2 0], [2 3 0], [2 3 0 5 3], [2 3 0 5 3 3] the word before is right nowhere: 0, 1,
    # 2, 3... are 0 1 | 0 1 2 | 0 1 2 3 4 | 0 1 2 3 4 5. The word after is right for 1 of 2, 2 of
    # 3, 3 of 5 and 3 of 6, no last word being the root since a stop follows: 9 of 16.
    assert found.others["right_branching"] == 0
    assert found.others["left_branching"] == pytest.approx(9 / 16)


def test_punctuation_counts_if_asked(tmp_path: Path) -> None:
    found = asked(space(), treebank(tmp_path), punctuation=True, epochs=1)
    assert found.details["scored_words"] == 80
    assert "punct" in {row["relation"] for row in found.details["relations"]}


def test_the_same_seed_gives_the_same_outcome(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    first = asked(space(), path, seed=3, epochs=2, dropout=0.3)
    assert asked(space(), path, seed=3, epochs=2, dropout=0.3) == first


def test_words_by_other_names_score_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = treebank(tmp_path / "a")
    for path in sorted(Path(plain).iterdir()):
        text = path.read_text()
        renamed = "\n".join(
            "\t".join([*line.split("\t")[:1], "x" + line.split("\t")[1], *line.split("\t")[2:]])
            if line
            else ""
            for line in text.split("\n")
        )
        (tmp_path / "b" / path.name).write_text(renamed)
    own = space()
    words = [f"{kind}{i}" for kind in KINDS for i in range(40)]
    vectors = own.lookup(words).vectors.tolist()
    other = Space.of({f"x{word}": vector for word, vector in zip(words, vectors, strict=True)})
    first, second = asked(own, plain), asked(other, str(tmp_path / "b"))
    assert first.items["uas"] == second.items["uas"]
    assert first.others["las"] == second.others["las"]


@pytest.mark.parametrize(
    ("system", "oracle"), [("arc-hybrid", "static"), ("arc-standard", "static")]
)
def test_other_systems_learn_too(tmp_path: Path, system: str, oracle: str) -> None:
    found = asked(space(), treebank(tmp_path), system=system, oracle=oracle)
    assert found.score > 0.9


def test_fewer_training_sentences_are_drawn_by_the_seed(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    found = asked(space(), path, sentences=20, epochs=1)
    assert found.details["sentences"]["train"] == 20
    assert found.details["notes"] == ["of 80 training sentences 20 were taken by chance"]
    assert asked(space(), path, sentences=999, epochs=1).details["sentences"]["train"] == 80


def test_relations_that_training_lacks_are_told_and_wrong(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    test = tmp_path / "test.conllu"
    test.write_text(test.read_text().replace("\tobj\t", "\tiobj\t"))
    found = asked(space(), path)
    assert found.details["notes"] == [
        "8 test words have relations that do not occur in training, and count as wrong in LAS: iobj"
    ]
    (row,) = [row for row in found.details["relations"] if row["relation"] == "iobj"]
    assert row["las"] == 0


def test_punctuation_that_nothing_tells_is_said_to_count(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    for file in Path(path).iterdir():
        file.write_text(file.read_text().replace("\tPUNCT\t", "\t_\t"))
    note = "no word has the part of speech PUNCT: punctuation, if there is any, counts"
    assert asked(space(), path, epochs=1).details["notes"] == [note]
    assert asked(space(), path, epochs=1, punctuation=True).details["notes"] == []


def test_one_test_sentence_with_more_than_punctuation_is_refused(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    whole = (tmp_path / "test.conllu").read_text().split("\n\n")[0]
    (tmp_path / "test.conllu").write_text(f"{whole}\n\n1\t.\t_\tPUNCT\t_\t_\t0\troot\t_\t_\n")
    with pytest.raises(InputError, match=r"two test sentences with a word that counts, got 1"):
        asked(space(), path)


def test_random_vectors_are_drawn_anew_where_files_change_places(tmp_path: Path) -> None:
    treebank(tmp_path, train=24)
    found = []
    for first, second in (("train", "test"), ("test", "train")):
        folder = tmp_path / first
        folder.mkdir()
        (folder / f"a-{first}.conllu").write_text((tmp_path / "train.conllu").read_text())
        (folder / f"b-{second}.conllu").write_text((tmp_path / "test.conllu").read_text())
        # The bytes are the same, one file after the other: only the names say what is tested.
        resource = replace(locate(folder), sha256="0" * 64)
        question = Parsing(**{**SMALL, "epochs": 1})  # type: ignore[arg-type]
        found.append(question.run(space(), [resource], seed=0))
    assert found[0].baseline != found[1].baseline


def test_all_right_on_few_sentences_proves_little(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    # Both sentences are of two words: a noun and a verb.
    lines = (tmp_path / "test.conllu").read_text().split("\n\n")
    (tmp_path / "test.conllu").write_text(f"{lines[0]}\n\n{lines[4]}\n")
    found = asked(space(), path)
    assert (found.score, found.n_items) == (1.0, 2)
    # Wilson with t(3) for two sentences: four right of four words, 4 / (4 + 3.182^2).
    assert min(found.ends) == pytest.approx(0.2831, abs=1e-4)
    assert found.interval is not None
    assert found.interval.method == "wilson"


def test_subtypes_are_kept_if_asked(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    for file in Path(path).iterdir():
        file.write_text(file.read_text().replace("\tobj\t", "\tobj:x\t"))
    cut = asked(space(), path, epochs=1).details["relations"]
    full = asked(space(), path, epochs=1, relations="full").details["relations"]
    assert "obj" in {row["relation"] for row in cut}
    assert "obj:x" in {row["relation"] for row in full}


def test_low_coverage_is_warned_of_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nearly = Space.of({"det1": [1.0, 0.5], "det2": [0.5, 1.0], "det25": [1.0, 1.0]})
    with caplog.at_level(logging.WARNING):
        found = asked(nearly, treebank(tmp_path), epochs=1)
    (note,) = found.details["notes"]
    assert "the score says little about its vectors" in note
    assert note in caplog.text
    assert found.n_covered < found.n_items


def test_one_file_alone_is_split_and_said_so(tmp_path: Path) -> None:
    folder = tmp_path / "whole"
    folder.mkdir()
    treebank(folder, train=40)
    found = asked(space(), str(folder / "train.conllu"), epochs=1)
    assert found.details["sentences"] == {"train": 32, "development": 4, "test": 4}
    assert found.details["notes"][0] == (
        "the data are not split: sentences were divided at random, 32 train, 4 development, 4 test"
    )


def test_a_model_without_words_is_refused(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    with pytest.raises(UnsuitableModelError, match="parsing needs vectors of single words"):
        asked(MeanOfWords.open(space()), path)
    with pytest.raises(UndefinedScoreError, match="knows none of the"):
        asked(Space.of({"chien": [1.0], "chat": [2.0]}), path)


def test_a_broken_tree_is_refused_with_its_line(tmp_path: Path) -> None:
    path = treebank(tmp_path)
    test = tmp_path / "test.conllu"
    test.write_text(test.read_text().replace("\t0\troot", "\t_\troot", 1))
    with pytest.raises(FormatError, match=r"test\.conllu:2: expected the number of a head"):
        asked(space(), path)


@pytest.mark.parametrize(
    "parameters",
    [{"hidden": 0}, {"epochs": 1.5}, {"repeats": 0}, {"sentences": -1}, {"dropout": 1.0}],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, Value]) -> None:
    with pytest.raises(InputError, match=f"parsing: expected {next(iter(parameters))}"):
        Parsing(**parameters)  # type: ignore[arg-type]


def test_the_dynamic_oracle_is_of_arc_hybrid_only() -> None:
    with pytest.raises(InputError, match="the dynamic oracle needs system=arc-hybrid") as caught:
        Parsing(system="arc-standard")
    assert caught.value.hint is not None
    assert "oracle=static" in caught.value.hint
    assert Parsing(system="arc-standard", oracle="static").system == "arc-standard"


def test_glove_parses_the_web_treebank_better_than_any_branching(shared_data: Path) -> None:
    assert shared_data.is_dir()
    question = Parsing(sentences=300, epochs=6, repeats=1, draws=1, hidden=64)
    found = question.run(load("glove-6b-50d"), [locate("ud-ewt")], seed=0)
    assert found.score > 0.45
    assert found.score > max(found.others["right_branching"], found.others["left_branching"])
    assert found.score > found.baseline.mean
