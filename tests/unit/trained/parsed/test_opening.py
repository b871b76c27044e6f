from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, ResourceError, SpecError
from lydite.trained.parsed.load import open_parsed

DOGS = "1 Dogs dog NOUN _ _ 2 nsubj _ _\n2 bark bark VERB _ _ 0 root _ _\n\n".replace(" ", "\t")


def test_folder_of_shards_is_read_in_order(tmp_path: Path) -> None:
    (tmp_path / "part-2.conllu").write_text(DOGS)
    (tmp_path / "part-1.conllu").write_text(DOGS.replace("dog", "cat"))
    (tmp_path / "parse.json").write_text("{}")
    corpus = open_parsed([tmp_path], name="mine")
    assert corpus.name == "mine"
    assert corpus.format == "conllu"
    assert [block.lemmas[0] for block in corpus.blocks()] == ["cat", "dog"]
    assert len(list(corpus.blocks())) == 2


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(DOGS)
    assert open_parsed([str(path)]).format == "conllu"


def test_fingerprint_follows_bytes_and_lemmas(tmp_path: Path) -> None:
    first, second = tmp_path / "a.conllu", tmp_path / "b.conllu"
    first.write_text(DOGS)
    second.write_text(DOGS)
    same = open_parsed([first]).fingerprint
    assert open_parsed([second]).fingerprint == same
    assert open_parsed([second], lemmas="none").fingerprint != same
    second.write_text(DOGS * 2)
    assert open_parsed([second]).fingerprint != same


def test_what_is_no_parsed_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("Dogs bark.\n")
    with pytest.raises(FormatError, match="expected parsed text, got something else"):
        open_parsed([tmp_path / "plain.txt"])
    with pytest.raises(FormatError, match="expected parsed text of one kind, got none"):
        open_parsed([tmp_path])
    with pytest.raises(ResourceError, match="does not exist"):
        open_parsed([tmp_path / "absent"])


def test_two_kinds_at_once_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(DOGS)
    (tmp_path / "stanford").mkdir()
    (tmp_path / "stanford" / "1.dep").write_text("nsubj(bark-2, Dogs-1)\n\n")
    with pytest.raises(FormatError, match="got conllu and stanford"):
        open_parsed([tmp_path / "a.conllu", tmp_path / "stanford"])


def test_no_sentence_and_no_such_lemmatizer(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("")
    with pytest.raises(FormatError, match="expected parsed sentences, got none"):
        list(open_parsed([path]).blocks())
    with pytest.raises(SpecError, match="there is no lemmatizer called 'nonne'"):
        open_parsed([path], lemmas="nonne")
