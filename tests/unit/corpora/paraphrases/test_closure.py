from __future__ import annotations

from pathlib import Path

from lydite.corpora.paraphrases.layouts import Pair
from lydite.corpora.paraphrases.load import close_pairs

FILE = Path("pairs.tsv")


def pair(first: str, second: str, line: int, *, same: bool = True, ids: str = "  ") -> Pair:
    return Pair(first, second, same, FILE, line, ids[0].strip(), ids[1].strip())


def grouped(*pairs: Pair) -> list[set[str]]:
    found: dict[str, set[str]] = {}
    for row in close_pairs(pairs).rows:
        found.setdefault(row.group, set()).add(row.text)
    return list(found.values())


def test_the_closure_is_symmetric_and_transitive() -> None:
    # The example of White et al., section 4.1.
    assert grouped(pair("A", "B", 1), pair("D", "A", 2), pair("B", "C", 3)) == [set("ABCD")]


def test_each_sentence_is_a_row_once_where_it_first_stands() -> None:
    rows = close_pairs(
        [pair("A", "B", 1), pair("X", "Y", 2), pair("B", "C", 3), pair("A", "A", 4)]
    ).rows
    assert [(row.group, row.text, row.line) for row in rows] == [
        ("0", "A", 1),
        ("0", "B", 1),
        ("1", "X", 2),
        ("1", "Y", 2),
        ("0", "C", 3),
    ]


def test_what_is_no_paraphrase_joins_nothing_and_is_counted() -> None:
    pairs = [
        pair("A", "B", 1),
        pair("B", "C", 2),
        pair("A", "C", 3, same=False),
        pair("A", "Z", 4, same=False),
    ]
    found = close_pairs(pairs)
    assert {row.text for row in found.rows} == set("ABC")
    assert list(found.notes.values()) == [2, 1]


def test_sentences_of_the_same_text_are_told_apart_by_id() -> None:
    assert len(grouped(pair("A", "B", 1, ids="12"), pair("A", "C", 2, ids="34"))) == 2
    assert len(grouped(pair("A", "B", 1, ids="12"), pair("A", "C", 2, ids="14"))) == 1


def test_an_id_of_several_texts_joins_none_of_them() -> None:
    assert len(grouped(pair("A", "B", 1, ids="00"), pair("C", "D", 2, ids="00"))) == 2


def test_no_pairs_are_no_groups() -> None:
    assert close_pairs([]).rows == []
