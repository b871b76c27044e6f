from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.classification.data import layout_of, read_listed
from lydite.resources.catalogue import locate


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_table_with_splits(tmp_path: Path) -> None:
    rows = 'good,"fine, really",train\nbad,poor,Training\ngood,nice,valid\n'
    rows += "bad,awful,test\ngood,ok,test\n"
    task = read_listed([file(tmp_path, "reviews.csv", f"Label,Text,Split\n{rows}")])
    assert task.classes == ("bad", "good")
    assert task.train.texts == ("fine, really", "poor")
    assert task.development is not None
    assert task.development.texts == ("nice",)
    assert task.test is not None
    assert task.test.labels.tolist() == [0, 1]


def test_lines_of_json_with_numbers_for_labels(tmp_path: Path) -> None:
    lines = '{"label": 1, "text": "fine"}\n{"text": "poor", "label": 0, "split": null}\n'
    task = read_listed([file(tmp_path, "reviews.jsonl", lines)])
    assert task.classes == ("0", "1")
    assert task.train.texts == ("fine", "poor")
    assert task.test is None


@pytest.mark.parametrize("mark", ["", "__label__"])
def test_labels_before_texts_in_files_named_by_split(tmp_path: Path, mark: str) -> None:
    train = file(tmp_path, "x.train", f"{mark}1 a , fine film\n\n{mark}0 a poor film\n")
    test = tmp_path / "x.test.gz"
    test.write_bytes(gzip.compress(f"{mark}0 dull\n{mark}1 bright\n".encode()))
    task = read_listed([test, train])
    assert task.classes == ("0", "1")
    assert task.train.texts == ("a , fine film", "a poor film")
    assert task.test is not None
    assert task.test.texts == ("dull", "bright")


def test_a_text_with_commas_is_no_table(tmp_path: Path) -> None:
    assert layout_of(file(tmp_path, "a", "1 fine , really , fine\n")) == "label lines"
    assert layout_of(file(tmp_path, "b", '"label","text"\n')) == "records"
    assert layout_of(file(tmp_path, "c", "Once upon a time, long ago\n")) is None
    assert layout_of(file(tmp_path, "d", "\n")) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label,text,split\na,x,train\nb,y,holdout\n", r"x.csv:3: expected train, dev or test"),
        ("label,text,split\na,x,train\nb,y,\n", r"x.csv:3: expected train, dev or test"),
        ("label,text\na,x\nb,\n", r"x.csv:3: expected a text as 'text'"),
        ("label,text\na,x\n,y\n", r"x.csv:3: expected a text or a whole number as 'label'"),
        ("label,body\na,x\n", r"x.csv:2: expected a text as 'text', got none among label, body"),
        ("label,text\n", "expected labelled texts, got none"),
        ("1 fine\npoor film\n", r"x.csv:2: expected a label and a text, got 'poor film'"),
        ("just a text\n", "expected classes and texts, got the line 'just a text'"),
        ("", "expected classes and texts, got an empty file"),
        ("\n# only this\n", "expected classes and texts, got an empty file"),
        ("label,text,text\na,x,y\n", r"x.csv:1: expected one column 'text', got 2"),
        ("Label,text,label\na,x,y\n", r"x.csv:1: expected one column 'label', got 2"),
        ("label,text\na,x,y\n", r"x.csv:2: expected 2 fields \(label, text\), got 3"),
        ("__label__a fine\n__label__a __label__b x\n", r"x.csv:2: expected one label and a text"),
        (
            '{"label": 1, "text": "x"}\n{"label": 0, "text": "cut \\ud83d"}\n',
            r"x.csv:2: expected characters, got half of one",
        ),
        ('{"label": "\\udc00", "text": "x"}\n', r"x.csv:1: expected characters"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_listed([file(tmp_path, "x.csv", text)])


def test_a_hashtag_is_a_comment_before_the_header_alone(tmp_path: Path) -> None:
    rows = "#fail again,bad\nfine,#good\n"
    task = read_listed([file(tmp_path, "x.csv", f"# made by hand\ntext,label\n{rows}")])
    assert task.classes == ("#good", "bad")
    assert task.train.texts == ("#fail again", "fine")


def test_a_plus_makes_no_other_class(tmp_path: Path) -> None:
    lines = "# svm light\n+1 fine\n-1 poor\n1 bright\n"
    task = read_listed([file(tmp_path, "x.txt", lines)])
    assert task.classes == ("-1", "1")
    assert task.train.labels.tolist() == [1, 0, 1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_marks(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(end.join(["label,text", "a,caf\u00e9", "b,y", ""]).encode(encoding))
    task = read_listed([path])
    assert (task.classes, task.train.texts) == (("a", "b"), ("caf\u00e9", "y"))


def test_a_file_of_a_folder_that_is_no_data_is_named(tmp_path: Path) -> None:
    paths = [file(tmp_path, "x.train", "1 fine\n0 poor\n"), file(tmp_path, "README", "Hi.\n")]
    with pytest.raises(FormatError, match=r"README: .*got the line 'Hi.'") as caught:
        read_listed(paths)
    assert caught.value.hint is not None
    assert "remove it from the folder" in caught.value.hint


def test_several_files_have_to_say_what_they_are(tmp_path: Path) -> None:
    paths = [file(tmp_path, name, "1 fine\n0 poor\n") for name in ("a.train", "b.other")]
    with pytest.raises(InputError, match=r"b.other to say train, dev or test"):
        read_listed(paths)


def test_the_real_sentiment_treebank(shared_data: Path) -> None:
    task = read_listed(locate("sst-binary").paths)
    assert task.classes == ("0", "1")
    assert task.development is not None
    assert task.test is not None
    parts = (task.train, task.development, task.test)
    assert [len(part.texts) for part in parts] == [6920, 872, 1821]


def test_conllu_has_no_classes(tmp_path: Path) -> None:
    lines = "1\tfine\tfine\tADJ\tJJ\t_\t0\troot\t_\t_\n2\tday\tday\tNOUN\tNN\t_\t1\tdep\t_\t_\n"
    with pytest.raises(FormatError, match="expected classes and texts, got CoNLL-U") as caught:
        read_listed([file(tmp_path, "a.conllu", lines)])
    assert "tagging and parsing" in str(caught.value)


def test_what_is_neither_classes_nor_tags_is_told_how_both_are_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="got the line 'was VERB'") as caught:
        read_listed([file(tmp_path, "a.txt", "was VERB\na DET\n")])
    assert "a word, a tab and its tag" in str(caught.value)
