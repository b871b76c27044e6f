from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError
from lydite.lexicons.oracles import Oracle, join_oracles, read_oracle


def _read(folder: Path, text: str) -> Oracle:
    path = folder / "oracle.txt"
    path.write_bytes(text.encode())
    return read_oracle(path)


def test_features_are_columns_in_alphabetical_order(tmp_path: Path) -> None:
    oracle = _read(tmp_path, 'fish\t{"noun.food": 0.2, "noun.animal": 0.8}\nrun\t{"verb": 1}\n')
    assert oracle.words == ("fish", "run")
    assert oracle.features == ("noun.animal", "noun.food", "verb")
    assert oracle.values.tolist() == [[0.8, 0.2, 0.0], [0.0, 0.0, 1.0]]
    assert (len(oracle), oracle.repeated) == (2, 0)


def test_the_word_hash_is_no_comment(tmp_path: Path) -> None:
    oracle = _read(tmp_path, '# a comment\n#\t{"SYM": 1.0}\n#1\t{"CD": 1}\n')
    assert oracle.words == ("#", "#1")


def test_of_a_repeated_word_the_first_row_counts(tmp_path: Path) -> None:
    oracle = _read(tmp_path, 'a\t{"x": 1}\nb\t{"x": 0.5}\na\t{"y": 1}\na\t{"x": 2}\n')
    assert oracle.words == ("a", "b")
    assert oracle.features == ("x",)
    assert oracle.values.tolist() == [[1.0], [0.5]]
    assert oracle.repeated == 2


def test_weights_may_be_any_finite_number(tmp_path: Path) -> None:
    oracle = _read(tmp_path, 'a\t{"x": -0.5, "y": 3}\nb\t{}\n')
    assert oracle.values.tolist() == [[-0.5, 3.0], [0.0, 0.0]]


def test_byte_order_mark_line_ends_and_unicode(tmp_path: Path) -> None:
    oracle = _read(tmp_path, '\ufeffnaïve\t{"日本": 1}\r\nnew york\t{"日本": 0.5}\r\n')
    assert oracle.words == ("naïve", "new york")
    assert oracle.features == ("日本",)


@pytest.mark.parametrize(
    "line",
    [
        'fish {"noun": 1}',
        "fish",
        "fish\t",
        '\t{"noun": 1}',
        'fish\t{"noun": 1',
        "fish\t{'noun': 1}",
        'fish\t["noun"]',
        "fish\t1.0",
        'fish\t{"noun": "1"}',
        'fish\t{"noun": null}',
        'fish\t{"noun": true}',
        'fish\t{"noun": [1]}',
        'fish\t{"noun": NaN}',
        'fish\t{"noun": -Infinity}',
        'fish\t{"noun": 1e999}',
        'fish\t{"noun": 1' + "0" * 400 + "}",
    ],
)
def test_a_bad_line_is_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, f'cat\t{{"noun": 1}}\n{line}\n')
    assert caught.value.message == (
        f"{tmp_path / 'oracle.txt'}:2: expected a word, a tab and its features as JSON, "
        f"got {line[:60]!r}"
    )
    assert (
        caught.value.hint == 'one word per line: fish <tab> {"noun.animal": 0.8, "noun.food": 0.2}'
    )


@pytest.mark.parametrize("text", ["", "# nothing\n", "fish\t{}\n"])
def test_a_file_without_features(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"oracle\.txt: expected words with features, got none"):
        _read(tmp_path, text)


SENSES = Oracle(
    words=("fish", "run", "go"),
    features=("noun", "verb"),
    values=np.array([[0.9, 0.1], [0.2, 0.8], [0.0, 1.0]]),
    repeated=1,
)
TAGS = Oracle(
    words=("run", "the", "fish"),
    features=("NN", "verb"),
    values=np.array([[0.3, 0.7], [0.0, 0.0], [0.6, 0.4]]),
    repeated=2,
)


def test_intersection_by_hand() -> None:
    # Words of both in the order of the first: fish, run. Columns of the first, then of the second.
    joined = join_oracles([SENSES, TAGS], "intersection")
    assert joined.words == ("fish", "run")
    assert joined.features == ("noun", "verb#1", "NN", "verb#2")
    assert joined.values.tolist() == [[0.9, 0.1, 0.6, 0.4], [0.2, 0.8, 0.3, 0.7]]
    assert joined.repeated == 3


def test_union_by_hand() -> None:
    # "go" is not in the second, "the" not in the first: zeros there.
    joined = join_oracles([SENSES, TAGS], "union")
    assert joined.words == ("fish", "run", "go", "the")
    assert joined.values.tolist() == [
        [0.9, 0.1, 0.6, 0.4],
        [0.2, 0.8, 0.3, 0.7],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
    ]


def test_one_oracle_stays_as_it_is() -> None:
    assert join_oracles([SENSES], "intersection") is SENSES


def test_three_oracles_share_what_all_have() -> None:
    third = Oracle(words=("go", "run"), features=("z",), values=np.array([[5.0], [6.0]]))
    joined = join_oracles([SENSES, TAGS, third], "intersection")
    assert joined.words == ("run",)
    assert joined.values.tolist() == [[0.2, 0.8, 0.3, 0.7, 6.0]]


def test_oracles_without_a_common_word() -> None:
    other = Oracle(words=("emu",), features=("z",), values=np.array([[1.0]]))
    with pytest.raises(InputError) as caught:
        join_oracles([SENSES, other], "intersection")
    assert str(caught.value) == "the oracles have no word in common\nhint: use --join union"


def test_the_semantic_oracle_is_whole(shared_data: Path) -> None:
    oracle = read_oracle(shared_data / "qvec-oracles" / "semcor_noun_verb.supersenses.en")
    assert oracle.values.shape == (4199, 41)
    np.testing.assert_allclose(oracle.values.sum(axis=1), 1.0, atol=1e-9)
    assert "0" in oracle.words


def test_the_syntactic_oracle_is_whole(shared_data: Path) -> None:
    oracle = read_oracle(shared_data / "qvec-oracles" / "ptb.pos_tags")
    assert oracle.values.shape == (10865, 45)
    assert "#" in oracle.words
