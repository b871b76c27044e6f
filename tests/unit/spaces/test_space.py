from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from lydite.errors import InputError, MissingWordError
from lydite.models.protocols import WordModel
from lydite.spaces.space import Space

VECTORS = {"cat": [1.0, 0.0], "New_York": [0.0, 1.0], "dog": [2.0, 5.0], "San Jose": [3.0, 3.0]}


def test_a_space_is_a_word_model() -> None:
    assert isinstance(Space.of(VECTORS), WordModel)


def test_absence_is_data() -> None:
    looked = Space.of(VECTORS).lookup(["dog", "emu", "cat", "dog"])
    assert looked.found.tolist() == [True, False, True, True]
    assert looked.vectors.tolist() == [[2, 5], [0, 0], [1, 0], [2, 5]]
    assert looked.vectors.dtype == np.float32


def test_policies() -> None:
    space = Space.of(VECTORS)
    assert space.lookup(["emu"], oov="zero").vectors.tolist() == [[0, 0]]
    # The mean of (1, 0), (0, 1), (2, 5) and (3, 3).
    looked = space.lookup(["emu", "cat"], oov="mean")
    assert looked.vectors.tolist() == [[1.5, 2.25], [1, 0]]
    assert looked.found.tolist() == [False, True]
    assert space.lookup(["cat"], oov="error").vectors.tolist() == [[1, 0]]


def test_the_policy_error_names_the_first_word_and_what_is_near() -> None:
    with pytest.raises(MissingWordError) as caught:
        Space.of(VECTORS, spec="v.txt").lookup(["cat", "dgo", "emu"], oov="error")
    assert str(caught.value) == (
        "2 of the given words are not in v.txt, first 'dgo'\n"
        "hint: did you mean dog? the policies skip, zero and mean go on without them"
    )


def test_an_unknown_policy() -> None:
    with pytest.raises(InputError) as caught:
        Space.of(VECTORS).lookup(["cat"], oov="drop")  # type: ignore[arg-type]
    assert str(caught.value) == "expected a policy among skip, zero, mean, error, got 'drop'"


def test_a_text_is_not_a_list_of_letters() -> None:
    with pytest.raises(InputError, match="expected a list of words, got the text 'cat'"):
        Space.of(VECTORS).lookup("cat")


def test_no_words_asked() -> None:
    looked = Space.of(VECTORS, case="fold", multiword=True).lookup([], oov="mean")
    assert looked.vectors.shape == (0, 2)
    assert looked.found.shape == (0,)


def test_lookups_do_not_hand_out_the_space_itself() -> None:
    space = Space.of(VECTORS)
    space.lookup(["cat"]).vectors[:] = 9
    assert space.lookup(["cat"]).vectors.tolist() == [[1, 0]]


def test_multiwords_are_found_with_either_joint() -> None:
    space = Space.of(VECTORS, multiword=True)
    asked = ["New York", "New_York", "San_Jose", "San Jose", "new york", "SanJose"]
    assert space.find(asked).tolist() == [1, 1, 3, 3, -1, -1]
    assert Space.of(VECTORS).find(["New York"]).tolist() == [-1]
    mixed = Space.of({"new_york_city": [1.0], "a b c": [2.0]}, multiword=True)
    assert mixed.find(["new york_city", "a_b c"]).tolist() == [0, 1]


def test_case_and_joints_together() -> None:
    space = Space.of(VECTORS, case="fold", multiword=True)
    assert space.find(["new york", "NEW_YORK", "san_jose", "CAT"]).tolist() == [1, 1, 3, 0]


def test_the_word_as_written_wins_over_every_other_spelling() -> None:
    vectors = {"US": [1.0], "us": [2.0], "a_b": [3.0], "A b": [4.0], "a b": [5.0]}
    space = Space.of(vectors, case="fold", multiword=True)
    assert space.find(["us", "US", "Us", "a b", "a_b", "A_B", "A_b"]).tolist() == [
        *(1, 0, 0, 4, 2),
        # Another joint is tried before another case.
        *(2, 3),
    ]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ({}, "expected vectors of one length, got lengths []"),
        ({"a": [1.0], "b": [1.0, 2.0]}, "expected vectors of one length, got lengths [1, 2]"),
        ({"a": []}, "expected a vector per word, got 1 words and vectors of shape (1, 0)"),
        ({"a": [np.nan]}, "expected finite numbers for 'a', got NaN or infinity"),
    ],
)
def test_mappings_that_are_no_space(vectors: dict[str, list[float]], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Space.of(vectors)
    assert str(caught.value) == message


def test_keyed_vectors_by_duck_typing() -> None:
    keyed = SimpleNamespace(index_to_key=["cat", "dog"], vectors=np.eye(2))
    space = Space.of_keyed_vectors(keyed)
    assert list(space.vocabulary) == ["cat", "dog"]
    assert space.vectors.dtype == np.float32


@pytest.mark.parametrize(
    ("keyed", "message"),
    [
        ({}, "expected an object with index_to_key and vectors, as gensim's KeyedVectors, got Si"),
        ({"index_to_key": ["a"], "vectors": np.eye(2)}, "got 1 words and vectors of shape (2, 2)"),
        ({"index_to_key": ["a"], "vectors": np.ones(1)}, "got 1 words and vectors of shape (1,)"),
        (
            {"index_to_key": [0, 1], "vectors": np.eye(2)},
            "expected words, got 0, which is not text",
        ),
        ({"index_to_key": ["a", "a"], "vectors": np.eye(2)}, "expected each word once, got 'a' tw"),
        (
            {"index_to_key": ["a"], "vectors": np.array([[np.inf]])},
            "expected finite numbers for 'a', got NaN or infinity",
        ),
    ],
)
def test_objects_that_are_no_keyed_vectors(keyed: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Space.of_keyed_vectors(SimpleNamespace(**keyed))
    assert message in str(caught.value)


def test_the_head_is_a_space_of_its_own(make_space: Callable[..., Space]) -> None:
    space = make_space(20, 3)
    head = space.head(5)
    assert list(head.vocabulary) == [f"w{i}" for i in range(5)]
    assert head.find(["w4", "w5"]).tolist() == [4, -1]
    assert head.vectors.shape == (5, 3)
    assert len(space.head(99)) == 20
    assert head.fingerprint != space.fingerprint


def test_fingerprints_follow_the_content() -> None:
    prints = {
        Space.of(vectors).fingerprint
        for vectors in (
            {"a": [1.0], "b": [2.0]},
            {"b": [2.0], "a": [1.0]},
            {"a": [1.0], "b": [3.0]},
            {"ab": [1.0], "": [2.0]},
            {"a": [1.0]},
        )
    }
    assert len(prints) == 5
    assert Space.of(VECTORS).fingerprint == Space.of(dict(VECTORS), case="fold").fingerprint


def with_beside(**beside: object) -> Space:
    return Space.of({"a": [1.0, 2.0], "b": [3.0, 4.0]}, **beside)


COUNTS, CONTEXTS = [5, 2], [[0.5, 1], [2, 3]]


def test_counts_and_contexts_stand_beside_the_vectors() -> None:
    space = with_beside(counts=COUNTS, contexts=CONTEXTS)
    assert space.counts is not None
    assert space.contexts is not None
    assert space.counts.dtype == np.float64
    assert space.contexts.dtype == np.float32
    head = space.head(1)
    assert head.counts is not None
    assert head.contexts is not None
    assert (head.counts.tolist(), head.contexts.tolist()) == ([5], [[0.5, 1]])


def test_fingerprints_follow_counts_and_contexts() -> None:
    spaces = [
        with_beside(),
        with_beside(counts=COUNTS),
        with_beside(contexts=CONTEXTS),
        with_beside(counts=COUNTS, contexts=CONTEXTS),
        with_beside(counts=[5, 3], contexts=CONTEXTS),
        with_beside(counts=COUNTS, contexts=[[0.5, 1], [2, 4]]),
    ]
    assert len({space.fingerprint for space in spaces}) == len(spaces)
    # The last words of two of them differ only in what the head leaves out.
    assert len({space.head(1).fingerprint for space in spaces}) == 4


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        ({"counts": [1]}, "expected counts of shape (2,), as there are vectors, got (1,)"),
        ({"contexts": [[1, 2]]}, "expected contexts of shape (2, 2), as there are vectors, got ("),
        ({"contexts": [[1, 2], [3, np.nan]]}, "expected finite numbers for 'b', got NaN or inf"),
        ({"counts": [np.inf, 1]}, "expected finite numbers for 'a', got NaN or infinity"),
    ],
)
def test_what_does_not_belong_beside_the_vectors(beside: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        with_beside(**beside)
    assert message in str(caught.value)


def test_output_vectors_of_another_width_are_no_contexts() -> None:
    keyed = SimpleNamespace(
        index_to_key=["cat", "dog"], vectors=np.eye(2), expandos={"count": [3, 1]}
    )
    same = Space.of_keyed_vectors(SimpleNamespace(wv=keyed, syn1neg=np.ones((2, 2))))
    assert same.contexts is not None
    assert same.count(["dog", "cat"]).tolist() == [1, 3]
    # As in gensim's Doc2Vec with dm_concat=1.
    wide = Space.of_keyed_vectors(SimpleNamespace(wv=keyed, syn1neg=np.ones((2, 6))))
    assert wide.contexts is None


def test_spaces_are_compared_by_identity_and_can_be_keys() -> None:
    one, other = Space.of(VECTORS), Space.of(VECTORS)
    assert one != other
    assert len({one, other, one}) == 2
    assert one.vocabulary != other.vocabulary
