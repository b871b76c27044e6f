from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.trained.parsed.load import ParsedCorpus, open_parsed

#: Three sentences, the second without relations.
DEP = "nsubj(bark-2, Dogs-1)\ndet(bark-2, the-3)\n\n\n\nnn(resistance-2, LPS-1)\n\n"
INPUT = "Dogs_NNS\nbark_VBP\nthe_DT\n\nYes_UH\n\nLPS_NN\nresistance_NN\n\n"
MORPH = "dog\nbark\nthe\n\nyes\n\nlp\nresistance\n\n"


def write(folder: Path, dep: str = DEP, words: str = INPUT, morph: str = MORPH) -> ParsedCorpus:
    for kind, content in (("dep", dep), ("input", words), ("morph", morph)):
        place = folder / ("dep" if kind == "dep" else "morph") / "0"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"0001.{kind}").write_text(content)
    return open_parsed([folder])


def test_relations_words_and_lemmas(tmp_path: Path) -> None:
    (block,) = write(tmp_path).blocks()
    assert block.lemmas == ("dog", "bark", "the", "yes", "lp", "resistance")
    assert block.starts.tolist() == [0, 3, 4, 6]
    assert block.triples() == [("bark", "nsubj", "dog"), ("resistance", "nn", "lp")]
    assert block.edges[:, [0, 2]].tolist() == [[1, 0], [5, 4]]


def test_other_lemmas_are_made_of_the_words(tmp_path: Path) -> None:
    write(tmp_path)
    (block,) = open_parsed([tmp_path], lemmas="none").blocks()
    assert block.triples() == [("bark", "nsubj", "dogs"), ("resistance", "nn", "lps")]


def test_archive_is_read_in_any_order(tmp_path: Path) -> None:
    corpus = write(tmp_path / "loose")
    (expected,) = corpus.blocks()
    for order in (sorted, lambda names: sorted(names, reverse=True)):
        path = tmp_path / "packed.tar.gz"
        with tarfile.open(path, "w:gz") as packed:
            for file in order(corpus.files):
                packed.add(file, file.relative_to(tmp_path))
        (block,) = open_parsed([path]).blocks()
        assert block.triples() == expected.triples()
        assert block.tokens.tolist() == expected.tokens.tolist()


def test_words_of_the_text_stand_in_for_tagged_ones(tmp_path: Path) -> None:
    (tmp_path / "1.dep").write_text(DEP)
    (tmp_path / "1.morph").write_text(MORPH)
    (tmp_path / "1.txt").write_text("Dogs bark the\nYes\nLPS resistance\n")
    (block,) = open_parsed([tmp_path]).blocks()
    assert block.triples() == [("bark", "nsubj", "dog"), ("resistance", "nn", "lp")]


def test_relations_between_other_words_are_left_out_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = DEP.replace("Dogs-1", "Cats-1").replace("LPS-1", "LPS-9")
    corpus = write(tmp_path, dep=wrong)
    (block,) = corpus.blocks()
    assert block.triples() == []
    assert dict(+corpus.problems) == {"relation between other words than the text has": 2}
    assert "left out: 2 relation between other words" in caplog.text


def test_missing_trees_are_found_out_by_the_words(tmp_path: Path) -> None:
    corpus = write(tmp_path, dep="nn(resistance-2, LPS-1)\n\n")
    (block,) = corpus.blocks()
    assert block.triples() == [("resistance", "nn", "lp")]
    assert len(block.starts) == 4
    assert dict(+corpus.problems) == {"sentence without dependencies that fit": 2}


def test_lemmas_that_do_not_fit_are_left_out_and_counted(tmp_path: Path) -> None:
    corpus = write(tmp_path, morph=MORPH.replace("the\n", ""))
    (block,) = corpus.blocks()
    assert block.triples() == [("resistance", "nn", "lp")]
    assert dict(+corpus.problems) == {"sentence with another number of lemmas than of words": 1}


def test_text_without_lemmas_is_left_out(tmp_path: Path) -> None:
    corpus = write(tmp_path, morph="")
    with pytest.raises(FormatError, match="expected parsed sentences, got none"):
        list(corpus.blocks())
    assert sum(corpus.problems.values()) == 1


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    corpus = write(tmp_path, dep=DEP.replace("nn(resistance-2, LPS-1)", "nn resistance"))
    with pytest.raises(FormatError, match=r"0001\.dep:6: expected a relation such as"):
        list(corpus.blocks())


def test_genia(shared_data: Path) -> None:
    corpus = open_parsed([shared_data / "inference/genia/usp-genia.tar.gz"])
    found = list(corpus.blocks())
    assert sum(len(block.tokens) for block in found) == 494_063
    assert sum(len(block.starts) - 1 for block in found) == 18_541
    # Of one abstract, whose trees are fewer than its sentences.
    assert dict(+corpus.problems) == {"sentence without dependencies that fit": 4}
