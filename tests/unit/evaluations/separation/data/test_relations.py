from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.separation.data import (
    EntityPair,
    read_marked_relations,
    read_relations,
    sentence_key,
    usable,
    without_marks,
)
from lydite.resources.catalogue import locate

HEADER = "relation\tleft\tright\tlabel\ttext\n"
JUDGED = "sentence_sha256\trelation\tpair\tlabel\n"
MARKED = ("<p1> Google </p1> buys <p2> YouTube </p2> .", "<p1>Kafka</p1> , of <p2>Prague</p2>")


def read(path: Path, text: str) -> list[EntityPair]:
    path.write_text(text)
    return read_relations(path)


def written(folder: Path, sentences: str, labels: str) -> tuple[Path, Path]:
    paths = folder / "sentences.txt", folder / "labels.tsv"
    for path, text in zip(paths, (sentences, labels), strict=True):
        path.write_text(text)
    return paths


def key_of(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:16]


def pair_of(
    positive: int, negative: int, name: str = "a / b", relation: str = "buys"
) -> EntityPair:
    texts = tuple(f"sentence {i}" for i in range(positive + negative))
    return EntityPair(
        name=name,
        relation=relation,
        texts=texts,
        expresses=np.arange(len(texts)) < positive,
    )


def test_a_table_and_lines_of_json_say_the_same(tmp_path: Path) -> None:
    rows = [
        ("buys", "A", "B", "E", "A buys B"),
        ("born", "C", "D", "NE", "C is in D"),
        ("buys", "A", "B", "NE", "A sues B"),
    ]
    table = HEADER + "".join("\t".join(row) + "\n" for row in rows)
    names = HEADER.strip().split("\t")
    lines = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    for text in (table, lines):
        first, second = read(tmp_path / "relations", text)
        assert (first.relation, first.name) == ("buys", "A / B")
        assert first.texts == ("A buys B", "A sues B")
        assert first.expresses.tolist() == [True, False]
        assert (second.relation, second.texts) == ("born", ("C is in D",))
        assert second.expresses.tolist() == [False]


@pytest.mark.parametrize(
    ("label", "expresses"),
    [("E", True), ("e", True), ("+", True), ("1", True), ("NE", False), ("-", False), ("0", False)],
)
def test_labels_have_several_names(tmp_path: Path, label: str, expresses: bool) -> None:
    (pair,) = read(tmp_path / "relations", f"{HEADER}buys\tA\tB\t{label}\tA and B\n")
    assert pair.expresses.tolist() == [expresses]


def test_a_sentence_that_stands_twice_counts_once(tmp_path: Path) -> None:
    (pair,) = read(tmp_path / "relations", HEADER + "buys\tA\tB\tE\tA buys B\n" * 2)
    assert pair.texts == ("A buys B",)


def test_one_sentence_with_both_labels_is_refused(tmp_path: Path) -> None:
    text = HEADER + "buys\tA\tB\tE\tA buys B\nbuys\tA\tB\tNE\tA buys B\n"
    with pytest.raises(
        InputError, match=r"A / B: expected one label .* got E and NE for 'A buys B'"
    ):
        read(tmp_path / "relations", text)


def test_one_sentence_may_differ_between_pairs_and_relations(tmp_path: Path) -> None:
    text = HEADER + "".join(
        f"{relation}\t{left}\tB\t{label}\tA buys B\n"
        for relation, left, label in (("buys", "A", "E"), ("sues", "A", "NE"), ("buys", "C", "NE"))
    )
    assert [pair.expresses.tolist() for pair in read(tmp_path / "r", text)] == [[1], [0], [0]]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("buys\tA\tB\tmaybe\tA buys B", "expected E or NE as 'label', got 'maybe'"),
        ("buys\tA\tB\tH\tA buys B", "expected E or NE as 'label', got 'H'"),
        ("buys\tA\tB\tE\t ", "expected a text as 'text'"),
        ("buys\t\tB\tE\tA buys B", "expected a text as 'left'"),
        ("buys\tA\tB\tE", "expected 5 fields"),
    ],
)
def test_a_wrong_row_is_told_with_path_and_line(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "relations.tsv"
    with pytest.raises(FormatError, match=re.escape(f"{path}:3: ")) as caught:
        read(path, f"{HEADER}buys\tA\tB\tE\tA buys B\n{row}\n")
    assert said in caught.value.message


def test_marks_are_taken_away_whatever_white_space_is_around_them() -> None:
    assert without_marks(MARKED[0]) == "Google buys YouTube ."
    assert without_marks("x<p2>Y</p2>z <p1> W </p1>") == "x Y z W"
    assert without_marks("if p1 < p2 > 3") == "if p1 < p2 > 3"


def test_the_key_is_the_sha256_of_the_line_without_white_space_around_it() -> None:
    # echo -n 'a b' | sha256sum
    assert sentence_key(" a b\t\n") == "c8687a08aa5d6ed2"
    assert sentence_key("Zürich") == hashlib.sha256("Zürich".encode()).hexdigest()[:16]


def test_sentences_meet_labels_that_are_kept_apart(tmp_path: Path) -> None:
    labels = f"{JUDGED}{key_of(MARKED[0])}\tbuys\tg y\tE\n{key_of(MARKED[1])}\tborn\tk p\tNE\n"
    both = written(tmp_path, f"{MARKED[1]}  \nnot judged\n{MARKED[0]}\n", labels)
    pairs = {pair.name: pair for pair in read_marked_relations(*both)}
    assert pairs["g y"].texts == ("Google buys YouTube .",)
    assert pairs["g y"].expresses.tolist() == [True]
    assert pairs["k p"].texts == ("Kafka , of Prague",)
    assert pairs["k p"].expresses.tolist() == [False]


def test_labels_of_another_file(tmp_path: Path) -> None:
    both = written(tmp_path, "\n".join(MARKED), f"{JUDGED}{'0' * 16}\tbuys\tg y\tE\n")
    with pytest.raises(InputError, match="none of the 1 labels") as caught:
        read_marked_relations(*both)
    assert caught.value.hint == "are the labels those of this file?"


def test_a_key_with_both_labels_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{key_of(MARKED[0])}\tbuys\tg y\t{label}\n" for label in ("E", "NE"))
    with pytest.raises(InputError, match="got E and NE for 'Google buys YouTube"):
        read_marked_relations(*written(tmp_path, MARKED[0], JUDGED + rows))


def test_a_sentence_may_be_judged_for_several_relations(tmp_path: Path) -> None:
    rows = f"{key_of(MARKED[0])}\tbuys\tg y\tE\n{key_of(MARKED[0])}\tsues\tg y\tNE\n"
    found = read_marked_relations(*written(tmp_path, MARKED[0], JUDGED + rows))
    assert [(pair.relation, pair.expresses.tolist()) for pair in found] == [
        ("buys", [True]), ("sues", [False]),
    ]  # fmt: skip


def test_a_broken_row_of_labels_is_told_with_path_and_line(tmp_path: Path) -> None:
    sentences, labels = written(tmp_path, MARKED[0], f"# about\n{JUDGED}{'0' * 16}\tbuys\tg y\t?\n")
    with pytest.raises(FormatError, match=re.escape(f"{labels}:3: expected E or NE")):
        read_marked_relations(sentences, labels)


def test_pairs_need_enough_of_both_kinds() -> None:
    pairs = [pair_of(3, 3, "ok"), pair_of(2, 9, "few"), pair_of(9, 0, "all"), pair_of(0, 9, "none")]
    kept, reasons = usable(pairs, 3)
    assert [pair.name for pair in kept] == ["ok"]
    assert reasons["few"] == "2 sentences express buys and 9 do not; 3 of either are needed"
    assert reasons["all"].startswith("9 sentences express buys and 0 do not")
    assert reasons["none"].startswith("0 sentences express buys and 9 do not")
    assert [pair.name for pair in usable(pairs, 2)[0]] == ["ok", "few"]


def test_one_pair_with_two_relations_has_two_reasons() -> None:
    reasons = usable([pair_of(1, 1), pair_of(0, 1, relation="sues")])[1]
    assert len(reasons) == 2
    assert "sues" in reasons["a / b (sues)"]


def test_real_sentences_and_their_judgements(shared_data: Path) -> None:
    sentences = locate("relations-hlt-naacl08").single()
    labels = locate("relations-judgements").single()
    assert sentences.is_relative_to(shared_data)
    pairs = read_marked_relations(sentences, labels)
    kept, reasons = usable(pairs, 3)
    assert {pair.name: (int(pair.expresses.sum()), len(pair.texts)) for pair in kept} == {
        "google youtube": (108, 127),
        "adobe macromedia": (56, 63),
        "novartis eon": (26, 30),
        "agassi las-vegas": (28, 41),
        "kafka prague": (24, 28),
    }
    assert len(kept) + len(reasons) == len(pairs) == 11
    keys = {sentence_key(line) for line in sentences.read_text("utf-8").splitlines()}
    rows = [line for line in labels.read_text().splitlines() if line and line[0] != "#"][1:]
    judged = [row.split("\t")[0] for row in rows]
    assert len(judged) == len(set(judged)) == 387
    assert set(judged) <= keys
    assert not any("p1>" in text or "p2>" in text for pair in pairs for text in pair.texts)
