from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError
from lydite.lexicons.pairs import RatedPairs, read_pairs


def _read(folder: Path, text: str) -> RatedPairs:
    path = folder / "pairs.txt"
    path.write_bytes(text.encode())
    return read_pairs(path)


@pytest.mark.parametrize(
    "text",
    [
        "cat\tdog\t7.5\nsun\tmoon\t-1e1\n",
        "cat,dog,7.5\nsun,moon,-1e1\n",
        "cat dog 7.5\nsun   moon  -1e1",
        "cat\tdog\t7.5\r\nsun\tmoon\t-1e1\r\n",
        "\ufeffcat\tdog\t7.5\nsun\tmoon\t-1e1\n",
        "# rated by people\n\ncat\tdog\t7.5\n\nsun\tmoon\t-1e1\n",
        "word1\tword2\tscore\ncat\tdog\t7.5\nsun\tmoon\t-1e1\n",
        "word1,word2,score,sd\ncat,dog,7.5,1.2\nsun,moon,-1e1,0.3\n",
        "Word 1 and 2 with score\ncat dog 7.5\nsun moon -1e1\n",
        "cat\tdog\t7.5\tn\t3\nsun\tmoon\t-1e1\tn\t4\n",
        " cat \t dog\t7.5 \n sun\tmoon\t-1e1\n",
        '"cat","dog","7.5"\nsun , moon , -1e1\n',
    ],
    ids=[
        "tabs", "commas", "blanks", "crlf", "bom", "comments", "header", "csv-header",
        "blank-header", "more-columns", "padding", "quotes",
    ],
)  # fmt: skip
def test_every_layout_gives_the_same_pairs(text: str, tmp_path: Path) -> None:
    pairs = _read(tmp_path, text)
    assert (pairs.left, pairs.right) == (("cat", "sun"), ("dog", "moon"))
    assert pairs.gold.tolist() == [7.5, -10.0]
    assert len(pairs) == 2


def test_with_tabs_or_commas_a_word_may_hold_others(tmp_path: Path) -> None:
    assert _read(tmp_path, "New York\tthe city, old\t5\n").right == ("the city, old",)
    assert _read(tmp_path, '"New York","the city, old",5\n').right == ("the city, old",)


def test_words_stay_as_they_are_written(tmp_path: Path) -> None:
    pairs = _read(tmp_path, 'FBI\tnull\t1\n2000\t"quoted"\t2\n#\tnaïve\t3\n')
    assert pairs.left == ("FBI", "2000", "#")
    assert pairs.right == ("null", '"quoted"', "naïve")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (2, "cat\tdog\t7\ncat\tdog\n"),
        (2, "cat\tdog\t7\ncat\tdog\tseven\n"),
        (2, "cat\tdog\t7\n\tdog\t7\n"),
        (2, "cat\tdog\t7\ncat\t \t7\n"),
        (2, "cat\tdog\t7\ncat\tdog\tnan\n"),
        (2, "cat\tdog\t7\ncat\tdog\tinf\n"),
        (1, "\tdog\t7\n"),
        (1, "cat\tdog\tnan\n"),
        (1, "cat dog\n"),
        (2, "word1 word2 score\nand more prose here\n"),
        (3, "# comment\ncat dog 7\ncat dog 3,5\n"),
    ],
    ids=[
        "two-fields", "no-number", "no-left", "no-right", "nan", "infinite", "first-without-word",
        "first-with-nan", "first-too-short", "one-header-only", "decimal-comma",
    ],
)  # fmt: skip
def test_a_bad_line_is_named(line: int, text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, text)
    got = text.split("\n")[line - 1]
    assert caught.value.message == (
        f"{tmp_path / 'pairs.txt'}:{line}: expected two words and a rating, got {got!r}"
    )
    assert caught.value.hint == "one pair per line: word1 <tab> word2 <tab> rating"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "word1\tword2\tscore\n"])
def test_a_file_without_pairs(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"pairs\.txt: expected rated word pairs, got none"):
        _read(tmp_path, text)


def test_a_long_line_is_cut_in_the_message(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, "{" + "a" * 200_000 + ",b}")
    assert len(caught.value.message) < len(str(tmp_path)) + 140


@pytest.mark.parametrize(
    ("file", "pairs", "words", "low", "high"),
    [
        ("EN-WS-353-ALL.txt", 353, 437, 0.23, 10.0),
        ("EN-WS-353-SIM.txt", 203, 277, 0.23, 10.0),
        ("EN-WS-353-REL.txt", 252, 346, 0.23, 8.81),
        ("EN-SIMLEX-999.txt", 999, 1028, 0.23, 9.8),
        ("EN-MEN-TR-3k.txt", 3000, 751, 0.0, 50.0),
        ("EN-MTurk-287.txt", 287, 499, 1.4, 4.714285714),
        ("EN-MTurk-771.txt", 771, 1113, 1.0, 4.96),
        ("EN-RG-65.txt", 65, 49, 0.02, 3.94),
        ("EN-MC-30.txt", 30, 39, 0.08, 3.92),
    ],
)
def test_the_published_sets_are_whole(
    file: str, pairs: int, words: int, low: float, high: float, shared_data: Path
) -> None:
    read = read_pairs(shared_data / "similarity" / file)
    assert len(read) == pairs
    assert len({*read.left, *read.right}) == words
    assert (read.gold.min(), read.gold.max()) == (low, high)
    assert read.gold.dtype == np.float64
