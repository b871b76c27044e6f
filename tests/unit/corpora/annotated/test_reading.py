from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from lydite.corpora.annotated import (
    Sense,
    Sentence,
    TagColumn,
    Token,
    read_tagged,
    survey,
    tagged_format,
)
from lydite.errors import FormatError
from lydite.progress import watched_by

SEMCOR = """<contextfile concordance=brown>
<context filename=br-a01 paras=yes>
<p pnum=1>
<s snum=1>
<wf cmd=ignore pos=DT>The</wf>
<wf cmd=done rdf=group pos=NNP lemma=group wnsn=1 lexsn=1:03:00:: pn=group>Grand_Jury</wf>
<wf cmd=done pos=VB lemma=say wnsn=1 lexsn=2:32:00::>said</wf>
<punc>.</punc>
</s>
<s snum=2>
<wf cmd=done pos=VB lemma=be wnsn=7;1 lexsn=2:42:02::;2:42:03::>is</wf>
<wf cmd=done pos=JJ lemma=recent wnsn=2 lexsn=5:00:00:past:00>recent</wf>
</s>
</p>
</context>
</contextfile>
"""
TREES = """
( (S (NP-SBJ (NNP Mr.) (NNP Vinken) ) (VP (VBZ is)
   (NP-PRD (-NONE- *T*-1) (NN chairman) )) (. .) ))
( (S (-LRB- -LRB-) (UH Yes)))
"""
CHUNKS = """
[ Mr./NNP Vinken/NNP ]
is/VBZ
[ chairman/NN|NNP ]
./.

==================

[ 1\\/2/CD ]
"""
BROWN = "\n\tThe/at Grand/jj-tl Jury/nn-tl-hl 1-1/2/cd ./.\n\nYes/rb\n"
CONLLU = (
    "# text = vámonos\n"
    "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tvamos\tir\tVERB\tVBP\t_\t0\troot\t_\t_\n"
    "2\tnos\tnosotros\tPRON\tPRP\t_\t1\tobj\t_\t_\n"
    "2.1\tx\tx\tX\tX\t_\t_\t_\t_\t_\n"
    "\n"
    "1\tSí\tsí\tINTJ\tUH\t_\t0\troot\t_\t_\n"
)
COLUMNS = "The\tDT\ncat\tNN\r\n\nsat\tVBD\n"


def read(tmp_path: Path, text: str, *, tags: TagColumn = "upos") -> list[Sentence]:
    path = tmp_path / "corpus.txt"
    path.write_bytes(text.encode())
    return list(read_tagged([path], tags=tags))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SEMCOR, "semcor"),
        (TREES, "brackets"),
        (CHUNKS, "slashes"),
        (BROWN, "slashes"),
        (CONLLU, "conllu"),
        (COLUMNS, "columns"),
        ("( (S (NP-SBJ Mr. Vinken) (VP is chairman)))", None),  # parsed, but without tags
        ("\tThe/at jury/nn\n\n\n\tIt/pps said/vbd\n", "slashes"),  # paragraphs
        ("(/( A/at bracket/nn )/)\n", "slashes"),
        ("A plain text and/or two.", None),
        ("", None),
        ("\x00\x01", None),
    ],
)
def test_the_format_is_told_by_the_content(text: str, expected: str | None) -> None:
    assert tagged_format(text.encode()) == expected


def test_semcor(tmp_path: Path) -> None:
    first, second = read(tmp_path, SEMCOR)
    assert first == [
        Token("The", "DT"),
        Token("Grand_Jury", "NNP", "group", (Sense(1, "1:03:00::"),)),
        Token("said", "VB", "say", (Sense(1, "2:32:00::"),)),
    ]
    assert second[0].senses == (Sense(7, "2:42:02::"), Sense(1, "2:42:03::"))
    assert second[1] == Token("recent", "JJ", "recent", (Sense(2, "5:00:00:past:00"),))


def test_trees_lose_their_empty_elements(tmp_path: Path) -> None:
    first, second = read(tmp_path, TREES)
    assert [token.form for token in first] == ["Mr.", "Vinken", "is", "chairman", "."]
    assert second == [Token("-LRB-", "-LRB-"), Token("Yes", "UH")]


def test_chunks_are_divided_by_blank_lines(tmp_path: Path) -> None:
    first, second = read(tmp_path, CHUNKS)
    assert [token.tag for token in first] == ["NNP", "NNP", "VBZ", "NN", "."]
    assert second == [Token("1\\/2", "CD")]


def test_brown_has_a_sentence_a_line_and_loses_its_suffixes(tmp_path: Path) -> None:
    first, second = read(tmp_path, BROWN)
    assert [token.tag for token in first] == ["at", "jj", "nn", "cd", "."]
    assert first[3].form == "1-1/2"
    assert second == [Token("Yes", "rb")]


@pytest.mark.parametrize(
    ("tags", "expected"), [("upos", ["VERB", "PRON"]), ("xpos", ["VBP", "PRP"])]
)
def test_conllu_without_multiword_tokens_and_empty_nodes(
    tmp_path: Path, tags: TagColumn, expected: list[str]
) -> None:
    first, second = read(tmp_path, CONLLU, tags=tags)
    assert [token.tag for token in first] == expected
    assert [token.lemma for token in first] == ["ir", "nosotros"]
    assert second[0].form == "Sí"


def test_two_columns(tmp_path: Path) -> None:
    assert read(tmp_path, COLUMNS) == [
        [Token("The", "DT"), Token("cat", "NN")],
        [Token("sat", "VBD")],
    ]


def test_latin_1_where_it_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "a.pos").write_bytes("Señor/NNP says/VBZ yes/UH\n".encode("latin-1"))
    assert next(read_tagged([tmp_path / "a.pos"]))[0].form == "Señor"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (SEMCOR.replace(">said</wf>", ">said"), 7, "expected <wf cmd=done"),
        (SEMCOR.replace("2:32:00::", "2:32"), 7, "expected lexsn as 2:32:00::"),
        (SEMCOR.replace("wnsn=2", "wnsn=x"), 12, "wnsn as numbers"),
        (SEMCOR.replace("wnsn=7;1", "wnsn=7"), 11, "several joined by semicolons"),
        (TREES + "( (S (UH Yes) )\n", 6, "got 1 that are not closed"),
        (TREES + ")", 5, "a bracket too many"),
        (BROWN * 9 + "no tag/", 37, "expected word/TAG, got 'no'"),
        (CONLLU + "2\tx\n", 8, "expected 10 columns"),
        (CONLLU.replace("INTJ", "_"), 7, "expected a tag in the column upos, got _"),
        (COLUMNS + "dog\t\n", 5, "expected a word, a tab and a tag"),
        (COLUMNS + "dog\n", 5, "expected a word, a tab and a tag"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert caught.value.line == line


def test_of_one_text_in_several_formats_the_trees_are_read(tmp_path: Path) -> None:
    path = tmp_path / "treebank.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("treebank/README", "Trees, and/or tags.")
        packed.writestr("treebank/raw/wsj_0001", "Mr. Vinken is chairman.")
        packed.writestr("treebank/tagged/wsj_0001.pos", CHUNKS)
        packed.writestr("treebank/tagged/wsj_0002.pos", CHUNKS)
        packed.writestr("treebank/combined/wsj_0001.mrg", TREES)
    assert survey([path]) == {
        f"{path}/treebank/tagged/wsj_0002.pos": "slashes",
        f"{path}/treebank/combined/wsj_0001.mrg": "brackets",
    }


def test_nothing_tagged_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Just a text.\n")
    with pytest.raises(FormatError, match=r"a\.txt: expected a tagged corpus, got none") as caught:
        list(read_tagged([tmp_path / "a.txt"]))
    assert "CoNLL-U" in str(caught.value.hint)


def test_progress_counts_files(tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text(BROWN)
    told: list[tuple[int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((done, total))):
        list(read_tagged(paths))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("paths", "kind", "sentences", "words"),
    [
        # The same texts as trees and as dependencies have to have the same words.
        (["treebank.zip"], "brackets", 3914, 94_084),
        (["ud-ewt/en_ewt-ud-dev.conllu"], "conllu", 2001, 25_147),
        (["dependency_treebank.zip"], "columns", 3914, 94_084),
    ],
)
def test_real_corpora_are_read_whole(
    shared_data: Path, paths: list[str], kind: str, sentences: int, words: int
) -> None:
    files = [shared_data / "treebanks" / path for path in paths]
    assert set(survey(files).values()) == {kind}
    lengths = [len(sentence) for sentence in read_tagged(files)]
    assert (len(lengths), sum(lengths)) == (sentences, words)


@pytest.mark.parametrize(
    ("archive", "kind", "files"),
    [("semcor3.0.tar.gz", "semcor", 352), ("brown.zip", "slashes", 500)],
)
def test_every_file_of_a_real_corpus_is_known(
    shared_data: Path, archive: str, kind: str, files: int
) -> None:
    found = survey([shared_data / "treebanks" / archive])
    assert (len(found), set(found.values())) == (files, {kind})


@pytest.mark.parametrize(
    ("other", "hint"), [("NN", "tagging(tags=xpos)"), ("_", "it can be parsed at most")]
)
def test_a_word_without_a_tag_is_told_what_to_do(tmp_path: Path, other: str, hint: str) -> None:
    with pytest.raises(FormatError, match="expected a tag in the column upos, got _") as caught:
        read(tmp_path, f"1\tcat\tcat\t_\t{other}\t_\t0\troot\t_\t_\n")
    assert hint in str(caught.value)
