from __future__ import annotations

import tomllib
from typing import Any

import pytest

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.trained.zoo.grid import Grid
from lydite.trained.zoo.training import Zoo

LEAST: dict[str, Any] = {"folder": "zoo", "corpus": ["a.txt"], "families": ["glove"]}


def test_a_table_reads_back_what_it_writes() -> None:
    zoo = Zoo(
        grid=Grid(
            corpus=("a.txt", 'b "c".txt'),
            families=("glove", "lsa"),
            dims=(10, 20),
            windows=(2,),
            epochs=3,
            sample=1e-5,
            limit=1000,
            words=2000,
            retrofit=("ppdb-xl", "wordnet-3.0(synonyms)"),
            retrofitted=("glove",),
            options={
                "glove": {"x_max": 10.0, "delete": True},
                "retrofitting": {"normalise": False},
            },
            preparation=Preparation(punctuation=True, formulas="keep"),
        ),
        folder="runs/zoo",
    )
    assert Zoo.of_table(tomllib.loads(zoo.to_toml())["zoo"]) == zoo


def test_the_models_are_the_files_of_the_grid() -> None:
    assert Zoo.of_table({**LEAST, "dims": [5]}).models == ("zoo/glove-5d-w5.safetensors",)


def test_a_single_value_is_a_list_of_one() -> None:
    zoo = Zoo.of_table({**LEAST, "corpus": "a.txt", "families": "glove", "dims": 5})
    assert zoo == Zoo.of_table({**LEAST, "dims": [5]})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"dim": [5]}, r"\[zoo\] has an unknown key 'dim'"),
        ({"dims": ["5"]}, r"expected 'dims' of \[zoo\] to be a list of whole numbers, got \['5'\]"),
        ({"families": [1]}, r"expected 'families' of \[zoo\] to be a list of texts"),
        ({"folder": ""}, r"expected 'folder' of \[zoo\] to be a text"),
        ({"glove": 5}, r"expected \[zoo.glove\] to be a table, got 5"),
        (
            {"preparation": {"lowercase": True}},
            r"\[zoo.preparation\] has an unknown key 'lowercase'",
        ),
        ({"preparation": {"lower": "no"}}, "expected lower to be true or false, got 'no'"),
        ({"preparation": {"sentences": "line"}}, "among detect, split, lines, got 'line'"),
        ({"preparation": {"tokenizer": "word"}}, "no tokenizer called 'word'"),
        ({"lsa": {"eig": 1}}, "expected options of a family of the grid, glove"),
        ({"dims": []}, "expected dims of a grid"),
    ],
)
def test_a_table_that_makes_no_sense(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Zoo.of_table({**LEAST, **changed})


@pytest.mark.parametrize("key", ["folder", "corpus", "families"])
def test_what_a_table_must_have(key: str) -> None:
    table = {name: value for name, value in LEAST.items() if name != key}
    with pytest.raises(InputError, match=f"to have a key '{key}'"):
        Zoo.of_table(table)
