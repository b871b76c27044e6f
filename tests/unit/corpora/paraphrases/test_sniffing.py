from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lydite.corpora.paraphrases.layouts import Layout, sniff
from lydite.errors import FormatError


@pytest.mark.parametrize(
    ("text", "layout", "delimiter"),
    [
        ("phrase_index,paraphrase_group_index\n0,0\n", "index", ","),
        ("\ufeffgroup,text\na,b\n", "group table", ","),
        ('"group";"text"\n', "group table", ";"),
        ("text\tgroup\n", "group table", "\t"),
        ("text,label\n", "group table", ","),
        ("intent,utterance\n", "group table", ","),
        ("kind,text\n", "group table", ","),
        ("id\ttext\tlabel\n", "group table", "\t"),
        ('{"label": 1, "text": "b"}\n', "group lines", None),
        ('{"text1": "a", "text2": "b", "label": 1}\n', "pair lines", None),
        ('{"group": "a", "texts": ["b"]}\n', "group lines", None),
        ('{"group": "a", "text": \n', "group lines", None),
        ("Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n", "pair table", "\t"),
        ("sentence1,sentence2,label\n", "pair table", ","),
        ('"Yes, sir.",Ay.,1\n', "pair table", ","),
        ('{"text1": "a", "text2": "b"}\n', "pair lines", None),
        ("id\ttext\n1\ta\n", "id table", "\t"),
        ('{"id": 1, "text": "a"}\n', "id lines", None),
        ('{\n"1": "a"}\n', "id object", None),
        ('{"1": "a"}\n', "id object", None),
        ("\n\nIn the beginning.\n", "plain", None),
        ("1\tIn the beginning.\n", "plain", "\t"),
        ('a,"open\n', "plain", ","),
        # Half a quotation is a character: this is no header.
        ('"text1\ttext2\n', "plain", "\t"),
    ],
)
def test_the_first_line_decides(
    tmp_path: Path, text: str, layout: Layout, delimiter: str | None
) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert sniff(path) == (path, layout, delimiter)


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("\n \n")
    with pytest.raises(FormatError, match=r"empty.csv: expected sentences, got an empty file"):
        sniff(path)
