from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.trained.parsed import conllu
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.conllu import conllu_blocks

DOGS = "1 Dogs dog NOUN _ _ 2 nsubj _ _\n2 bark bark VERB _ _ 0 root _ _\n\n".replace(" ", "\t")
# Taken from the format's documentation: a multiword token and an empty node among three words.
ODD = (
    "# text = I haven't a clue\n"
    "1 I I PRON _ _ 2 nsubj _ _\n"
    "2-3 haven't _ _ _ _ _ _ _ _\n"
    "2 have have VERB _ _ 0 root _ _\n"
    "3 n't not PART _ _ 2 advmod _ _\n"
    "3.1 had have VERB _ _ _ _ 0:root _\n"
    "4 CLUE _ NOUN _ _ 2 obj _ _\n\n"
).replace(" ", "\t")


def blocks(path: Path, content: str | bytes, lemmas: str = "given") -> list[ParsedBlock]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(conllu_blocks(path, lemmas=lemmas))


def test_words_sentences_and_edges(tmp_path: Path) -> None:
    (block,) = blocks(tmp_path / "a.conllu", DOGS + ODD)
    assert block.lemmas == ("dog", "bark", "i", "have", "not", "clue")
    assert block.tokens.tolist() == [0, 1, 2, 3, 4, 5]
    assert block.starts.tolist() == [0, 2, 6]
    names = [block.relations[number] for number in block.edges[:, 1]]
    assert names == ["nsubj", "nsubj", "neg", "dobj"]
    assert block.edges[:, [0, 2]].tolist() == [[1, 0], [3, 2], [3, 4], [3, 5]]
    assert block.edges.dtype == np.int64


@pytest.mark.parametrize(
    "content",
    [
        DOGS.removesuffix("\n"),
        DOGS.rstrip("\n"),
        DOGS.replace("\n", "\r\n"),
        "\ufeff" + DOGS,
        "\n\n" + DOGS + "\n\n",
        gzip.compress(DOGS.encode(), mtime=0),
    ],
)
def test_ways_of_writing_the_same(content: str | bytes, tmp_path: Path) -> None:
    (block,) = blocks(tmp_path / "a.conllu", content)
    assert block.triples() == [("bark", "nsubj", "dog")]
    assert block.starts.tolist() == [0, 2]


def test_sentences_are_the_same_however_large_the_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (whole,) = blocks(tmp_path / "a.conllu", (DOGS + ODD) * 7)
    for size in (1, 50, 333):
        monkeypatch.setattr(conllu, "_BLOCK_BYTES", size)
        parts = blocks(tmp_path / "a.conllu", (DOGS + ODD) * 7)
        assert len(parts) > 1
        assert [each for part in parts for each in part.triples()] == whole.triples()
        assert sum(len(part.starts) - 1 for part in parts) == 14


def test_other_lemmas_are_made_of_the_words(tmp_path: Path) -> None:
    (block,) = blocks(tmp_path / "a.conllu", DOGS + DOGS.replace("Dogs", "dogs"), "none")
    assert block.lemmas == ("dogs", "bark")
    assert block.tokens.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\n", "expected 10 columns"),
        ("2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\t_\n", "expected 10 columns"),
        ("3\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n", "expected the next number"),
        ("x\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n", "expected the next number"),
        ("2-\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n", "expected the next number"),
        ("2\tbark\tbark\tVERB\t_\t_\t_\troot\t_\t_\n", "expected the number of a head in the s"),
        ("2\tbark\tbark\tVERB\t_\t_\t3\troot\t_\t_\n", "expected the number of a head in this"),
        ("2\tbark\t\tVERB\t_\t_\t0\troot\t_\t_\n", "expected a word, a lemma and a relation"),
        ("2\tbark\tbark\tVERB\t_\t_\t0\t\t_\t_\n", "expected a word, a lemma and a relation"),
    ],
)
def test_a_broken_line_is_named(wrong: str, message: str, tmp_path: Path) -> None:
    first, _, _ = DOGS.partition("\n")
    path = tmp_path / "a.conllu"
    with pytest.raises(FormatError, match=message) as caught:
        blocks(path, DOGS + "# text\n" + first + "\n" + wrong + "\n" + DOGS)
    # Three lines of the first sentence, a comment, one good line.
    assert str(caught.value).startswith(f"{path}:6: ")


def test_the_line_is_right_in_a_later_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conllu, "_BLOCK_BYTES", 10)
    with pytest.raises(FormatError, match=r"a\.conllu:7: "):
        blocks(tmp_path / "a.conllu", DOGS + DOGS + "nonsense\n\n")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    wrong = DOGS.encode().replace(b"dog", b"d\xffg")
    with pytest.raises(FormatError, match=r"a\.conllu:4: expected text in UTF-8"):
        blocks(tmp_path / "a.conllu", DOGS.encode() + wrong)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    packed = gzip.compress((DOGS * 500).encode())
    with pytest.raises(FormatError, match="decompressing failed"):
        blocks(tmp_path / "a.conllu.gz", packed[:-20])


def test_a_file_without_sentences_has_no_block(tmp_path: Path) -> None:
    assert blocks(tmp_path / "a.conllu", "# nothing\n\n") == []
    assert blocks(tmp_path / "a.conllu", "") == []


def test_a_file_without_blank_lines_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conllu, "_BLOCK_BYTES", 100)
    monkeypatch.setattr(conllu, "_LONGEST", 500)
    with pytest.raises(FormatError, match="expected a blank line after each sentence"):
        blocks(tmp_path / "a.conllu", DOGS.replace("\n\n", "\n") * 50)


def test_real_treebank(shared_data: Path) -> None:
    found = list(conllu_blocks(shared_data / "treebanks/ud-ewt/en_ewt-ud-dev.conllu"))
    # As the resource's card has them.
    assert sum(len(block.tokens) for block in found) == 25_147
    assert sum(len(block.starts) - 1 for block in found) == 2_001


@pytest.mark.parametrize("content", [b"1", b"\n", b"x\n", b"\n\n"])
def test_a_file_of_a_byte_ends(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tiny.conllu"
    path.write_bytes(content)
    if content.strip():
        with pytest.raises(FormatError, match="10 columns"):
            list(conllu_blocks(path))
    else:
        assert list(conllu_blocks(path)) == []
