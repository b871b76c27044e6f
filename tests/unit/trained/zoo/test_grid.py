from __future__ import annotations

import pytest

from lydite.errors import InputError, UnknownNameError
from lydite.trained.family import SpaceFamily
from lydite.trained.lexicons import lexicon_of
from lydite.trained.zoo.grid import Grid, Retrofitted


def grid(**changed: object) -> Grid:
    fields: dict[str, object] = {"corpus": ("book.txt",), "families": ("skipgram",), **changed}
    return Grid(**fields)  # type: ignore[arg-type]


def test_every_family_with_every_dimension_and_every_window() -> None:
    members = grid(families=("cbow", "glove"), dims=(10, 20), windows=(2, 5)).members()
    assert [member.slug for member in members] == [
        *("cbow-10d-w2", "cbow-10d-w5", "cbow-20d-w2", "cbow-20d-w5"),
        *("glove-10d-w2", "glove-10d-w5", "glove-20d-w2", "glove-20d-w5"),
    ]


def test_documents_have_no_windows_and_words_have() -> None:
    families = {"families": ("lsa",), "windows": (2, 5)}
    assert [each.slug for each in grid(**families).members()] == ["lsa-100d"]
    words = grid(**families, options={"lsa": {"columns": "words"}}).members()
    assert [each.slug for each in words] == ["lsa-100d-w2", "lsa-100d-w5"]


def test_what_is_retrofitted_comes_last_and_has_its_parent() -> None:
    members = grid(
        families=("cbow", "glove"), retrofit=("ppdb-xl", "sub/mine.txt"), retrofitted=("glove",)
    ).members()
    assert [each.slug for each in members] == [
        *("cbow-100d-w5", "glove-100d-w5", "glove-100d-w5-ppdb-xl", "glove-100d-w5-mine"),
    ]
    assert isinstance(members[2], Retrofitted)
    assert members[2].parent == members[1]
    every = grid(families=("cbow", "glove"), retrofit=("ppdb-xl",)).members()
    assert [each.slug for each in every][2:] == ["cbow-100d-w5-ppdb-xl", "glove-100d-w5-ppdb-xl"]


def test_the_grid_speaks_for_those_that_take_it_and_options_for_one() -> None:
    members = grid(
        families=("skipgram", "glove", "ppmi-svd"),
        epochs=2,
        sample=1e-4,
        alpha=0.01,
        min_count=3,
        seed=7,
        workers=2,
        options={"glove": {"epochs": 9, "window": 8}, "retrofitting": {"iterations": 3}},
        retrofit=("ppdb-xl",),
    ).members()
    skipgram, glove, ppmi, moved = members[:4]
    assert isinstance(skipgram, SpaceFamily)
    assert isinstance(glove, SpaceFamily)
    assert isinstance(ppmi, SpaceFamily)
    assert isinstance(moved, Retrofitted)
    assert (skipgram["epochs"], skipgram["workers"], skipgram["alpha"]) == (2, 2, 0.01)
    # GloVe's learning rate is its own, and subsampling is of text that is gone through.
    assert (glove["epochs"], glove["alpha"], glove["sample"]) == (9, 0.05, 0.0)
    assert glove.slug == "glove-100d-w8"
    assert [each["min_count"] for each in (skipgram, glove, ppmi)] == [3, 3, 3]
    assert [each["seed"] for each in (skipgram, glove, ppmi)] == [7, 7, 7]
    assert moved.retrofitting.iterations == 3


def test_the_engine_is_of_skipgram_and_cbow_alone() -> None:
    members = grid(families=("cbow", "cwindow"), engine="gensim").members()
    assert [dict(each.recipe).get("engine") for each in members] == ["gensim", None]


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "skipgram(dim=100, window=5)"),
        (
            {"dims": (50,), "windows": (2,), "epochs": 3, "engine": "gensim"},
            "skipgram(dim=50, window=2, epochs=3, engine=gensim)",
        ),
        ({"families": ("lsa",)}, "lsa(dim=100)"),
        (
            {"families": ("lsa",), "windows": (3,), "options": {"lsa": {"columns": "words"}}},
            "lsa(dim=100, window=3, columns=words)",
        ),
        (
            {"families": ("glove",), "min_count": 10, "retrofit": ("ppdb-xl",)},
            "retrofitted(glove(dim=100, window=5, min_count=10), ppdb-xl)",
        ),
        (
            {
                "retrofit": ("wordnet-3.0(synonyms)",),
                "options": {"retrofitting": {"iterations": 2}},
            },
            "retrofitted(skipgram(dim=100, window=5), wordnet-3.0(synonyms), iterations=2)",
        ),
        ({"retrofit": ('"a, b.txt"',)}, 'retrofitted(skipgram(dim=100, window=5), "a, b.txt")'),
    ],
)
def test_a_spec_says_what_differs_from_the_usual(changed: dict[str, object], text: str) -> None:
    assert grid(**changed).members()[-1].spec == text


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"dims": ()}, "expected dims of a grid to be one or more, got none"),
        ({"families": ()}, "expected families of a grid"),
        ({"dims": (0,)}, "expected dim to be a whole number from 1, got 0"),
        ({"windows": (0,)}, "expected window to be a whole number from 1, got 0"),
        (
            {"families": ("glove",), "windows": (0,)},
            "expected window to be a whole number from 1, got 0",
        ),
        ({"epochs": 0}, "expected epochs to be a whole number from 1"),
        ({"min_count": "5"}, "expected min_count to be a whole number"),
        ({"families": ("lsa",), "min_count": 0}, "expected min_count to be a whole number from 1"),
        ({"words": 0}, "expected words to be a whole number from 1"),
        ({"engine": "theirs"}, "expected engine among lydite, gensim, got 'theirs'"),
        ({"retrofitted": ("skipgram",)}, "expected a lexicon to retrofit to"),
        ({"retrofit": ("x",), "retrofitted": ("glove",)}, "among those of the grid, skipgram"),
        ({"options": {"glove": {"x_max": 1}}}, "expected options of a family of the grid"),
        (
            {"options": {"skipgram": {"x_max": 1}}},
            "no parameter of skipgram called 'x_max'",
        ),
        ({"options": {"retrofitting": {"steps": 1}}}, "no parameter of retrofitting"),
        ({"retrofit": ("a/x.txt", "b/x.txt")}, "got 2 called skipgram-100d-w5-x"),
        (
            {"engine": "gensim", "options": {"skipgram": {"dynamic": False}}},
            "gensim always draws the size of windows",
        ),
    ],
)
def test_a_grid_that_makes_no_sense(changed: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        grid(**changed)


def test_an_unknown_family_is_told_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="no family of models called 'skip-gram'") as told:
        grid(families=("skip-gram",))
    assert "did you mean skipgram" in str(told.value.hint)


def test_relations_of_a_lexicon() -> None:
    assert lexicon_of("wordnet-3.0").slug == "wordnet-3.0"
    with pytest.raises(InputError, match="expected relations among") as told:
        lexicon_of("wordnet-3.0(synonym)")
    assert "did you mean synonyms" in str(told.value.hint)
    with pytest.raises(InputError, match="expected relations alone in brackets"):
        lexicon_of("wordnet-3.0(relations=synonyms)")


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        ("ppmi-svd", {"add_contexts": "no"}, "expected add_contexts to be true or false, got 'no'"),
        ("lsa", {"normalise": 1}, "expected normalise to be true or false, got 1"),
        ("skipgram", {"dynamic": "maybe"}, "expected dynamic to be true or false, got 'maybe'"),
        ("glove", {"x_max": True}, "expected x_max to be a number, got True"),
        ("glove", {"window": [3]}, r"expected window to be a whole number, got \[3\]"),
        ("glove", {"window": 2.5}, "expected window to be a whole number, got 2.5"),
        ("glove", {"min_count": None}, "expected min_count to be a whole number, got None"),
        ("lsa", {"sample": "x"}, "expected sample to be a number, got 'x'"),
        ("lsa", {"seed": -1}, "expected a seed from 0"),
        ("ppmi-svd", {"dynamic": "x"}, "expected dynamic among none, expected, sampled, got 'x'"),
        ("ppmi-svd", {"dynamic": True}, "expected dynamic to be a text, got True"),
        ("ppmi-svd", {"cds": 2}, "expected cds from 0 to 1, got 2"),
        ("ppmi-svd", {"shift": 0}, "expected shift to be a number above 0, got 0"),
    ],
)
def test_a_value_that_makes_no_sense_is_found_out_before_training(
    family: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        grid(families=(family,), options={family: options})


def test_retrofitting_takes_no_text_for_a_switch() -> None:
    with pytest.raises(InputError, match="expected normalise to be true or false, got 'perhaps'"):
        grid(retrofit=("ppdb-xl",), options={"retrofitting": {"normalise": "perhaps"}})


def test_a_lexicon_named_twice_counts_once() -> None:
    members = grid(retrofit=("ppdb-xl", "ppdb-xl")).members()
    assert [member.slug for member in members] == ["skipgram-100d-w5", "skipgram-100d-w5-ppdb-xl"]


def test_names_of_files_hold_nothing_that_means_something_in_a_spec() -> None:
    assert lexicon_of('"my, words (1).txt"').slug == "my-words-1-"
