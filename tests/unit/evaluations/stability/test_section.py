from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lydite.cli.app import app
from lydite.drawing.table import render
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.stability.section import command_tables, section
from lydite.models.combination import Retrained
from lydite.results.record import Result
from lydite.runner import ask
from lydite.spaces.space import Space

WORDS = [f"w{i}" for i in range(40)]


def space(seed: int, noise: float) -> Space:
    base = np.random.default_rng(0).normal(size=(40, 5))
    moved = base + noise * np.random.default_rng(seed).normal(size=(40, 5))
    return Space.of(dict(zip(WORDS, moved.tolist(), strict=True)), spec=f"seed{seed}")


@pytest.fixture
def listed(tmp_path: Path) -> str:
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS))
    return str(path)


def result(listed: str, noise: float, **given: object) -> Result:
    model = Retrained(tuple(space(seed, noise) for seed in (1, 2, 3)))
    return ask(model, "stability", listed, seed=0, neighbors=4, **given).result  # type: ignore[arg-type]


def test_tables_of_the_command(listed: str) -> None:
    found = result(listed, 0.3)
    scores, bands, words = command_tables([found], lambda _: None, Shown())
    text = render(scores, "markdown")
    assert f"{found.score:.3f}" in text
    assert "4 neighbors among the 40 words that all 3 spaces have; 40 words" in text
    assert [row[0].text for row in bands.all_rows] == [
        "1 to 8",
        "9 to 16",
        "17 to 24",
        "25 to 32",
        "33 to 40",
    ]
    assert len(words.rows) == 10
    assert [column.title for column in words.all_columns][2:] == [
        "nearest in space 1",
        "nearest in space 2",
        "nearest in space 3",
    ]
    values = [row[1].values[0] for row in words.all_rows]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]


def test_words_taken_evenly_are_told(listed: str) -> None:
    scores, *_ = command_tables([result(listed, 0.3, most=10)], lambda _: None, Shown())
    assert "10 of 40 words, taken evenly by their order in the list" in str(scores.notes[0])


@pytest.mark.parametrize("metric", ["all", "pairs", "jaccard"])
def test_a_section_draws_curves_and_bands_of_several_sets(listed: str, metric: str) -> None:
    made = section(
        [result(listed, 0.2, metric=metric), result(listed, 0.9, metric=metric)], lambda _: None
    )
    assert len(made.figures) == 2
    assert "neighbors compared" in made.figures[1].svg
    assert "place by frequency" in made.figures[1].svg
    assert made.tables
    assert any("neighbors among the 40 words" in note for note in made.notes)


def test_words_are_escaped(tmp_path: Path) -> None:
    words = ["<script>", *WORDS[1:]]
    spaces = [
        Space.of(dict(zip(words, space(seed, 0.1).vectors.tolist(), strict=True)))
        for seed in (1, 2)
    ]
    path = tmp_path / "words.txt"
    path.write_text("\n".join(words))
    found = ask(Retrained(tuple(spaces)), "stability", str(path), seed=0, neighbors=3).result
    made = section([found], lambda _: None)
    assert all("<script>" not in figure.svg for figure in made.figures)


def test_the_command_takes_files_together(tmp_path: Path) -> None:
    files = []
    for seed in (1, 2):
        path = tmp_path / f"seed-{seed}.txt"
        made = space(seed, 0.1)
        rows = zip(WORDS, made.vectors.tolist(), strict=True)
        path.write_text("".join(f"{w} {' '.join(map(str, row))}\n" for w, row in rows))
        files.append(str(path))
    told = CliRunner().invoke(app, ["stability", *files, "--neighbors", "3", "--format", "json"])
    assert told.exit_code == 0, told.output
    (found,) = json.loads(told.stdout)["results"]
    assert found["model"] == f"retrained({files[0]}, {files[1]})"
    assert found["resource"] == files[0]
    assert found["n_items"] == 40
    alone = CliRunner().invoke(app, ["stability", files[0]])
    assert alone.exit_code != 0


def test_sets_of_different_size_are_not_to_be_compared(listed: str) -> None:
    two = Retrained(tuple(space(seed, 0.4) for seed in (4, 5)))
    other = ask(two, "stability", listed, seed=0, neighbors=4).result
    scores, bands, words = command_tables([result(listed, 0.3), other], lambda _: None, Shown())
    assert "sets of 2 and 3 spaces are not to be compared" in str(scores.notes[0])
    assert {column.title for column in bands.all_columns[2:]} == {
        "seed1, seed2, seed3",
        "seed4, seed5",
    }
    assert "least stable words of seed" in words.caption
