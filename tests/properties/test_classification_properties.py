"""What must not change the accuracy of a classifier on frozen vectors, and what must."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.evaluations.classification.evaluation import Classification
from lydite.resources.catalogue import locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.stats.bootstrap import bootstrap_interval
from lydite.types import Floats

WORDS = tuple(f"w{i}" for i in range(60))
WIDTH = 5
TURN, _ = np.linalg.qr(np.random.default_rng(9).standard_normal((WIDTH, WIDTH)))
VECTORS = np.random.default_rng(3).standard_normal((len(WORDS), WIDTH))


def space(vectors: Floats = VECTORS) -> Space:
    return Space.of(dict(zip(WORDS, vectors.tolist(), strict=True)))


def rows() -> list[tuple[str, str, str]]:
    """Texts of four words; the class is the side that their mean is on, with some noise."""
    generator = np.random.default_rng(4)
    found = []
    for number in range(150):
        chosen = generator.integers(0, len(WORDS), 4)
        side = VECTORS[chosen].mean(axis=0)[0] + 0.3 * generator.standard_normal()
        split = "train" if number < 70 else "dev" if number < 100 else "test"
        found.append(("up" if side > 0 else "down", " ".join(WORDS[i] for i in chosen), split))
    return found


def asked(
    folder: Path,
    model: Space,
    data: list[tuple[str, str, str]],
    seed: int = 0,
    **parameters: Any,  # noqa: ANN401
) -> Outcome:
    path = folder / "data.csv"
    path.write_text("label,text,split\n" + "".join(f"{','.join(row)}\n" for row in data))
    question = Classification(**{"draws": 1, "repeats": 2, **parameters})
    return question.run(model, [locate(path)], seed=seed)


def no_development(data: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return [(label, text, "train" if split == "dev" else split) for label, text, split in data]


def test_rotation_changes_nothing(tmp_path: Path) -> None:
    plain, turned = (asked(tmp_path, space(v), rows()) for v in (VECTORS, VECTORS @ TURN))
    assert turned.items == plain.items
    assert turned.details["parts"] == plain.details["parts"]
    assert 0.7 < plain.score < 1


@pytest.mark.parametrize("scale", ["unit", "standard"])
def test_the_length_of_vectors_changes_nothing_where_they_are_scaled(
    tmp_path: Path, scale: str
) -> None:
    plain, long = (
        asked(tmp_path, space(size * VECTORS), rows(), scale=scale) for size in (1, 1024)
    )
    assert long.items == plain.items


@pytest.mark.parametrize("power", range(-6, 7))
def test_a_power_of_ten_changes_nothing(tmp_path: Path, power: int) -> None:
    # With development data, and without any, where C is tuned on held-out training texts.
    for data in (rows(), no_development(rows())):
        plain, other = (
            asked(tmp_path, space(factor * VECTORS), data) for factor in (1, 10.0**power)
        )
        assert other.items == plain.items
        assert other.details["parts"] == plain.details["parts"]


def test_the_length_of_vectors_is_undone_by_the_strength(tmp_path: Path) -> None:
    plain = asked(tmp_path, space(), rows(), C=1.0, scale="none")
    short = asked(tmp_path, space(VECTORS / 2**10), rows(), C=float(2**20), scale="none")
    assert short.items == plain.items


def test_the_order_of_training_and_development_texts_changes_nothing(tmp_path: Path) -> None:
    data = rows()
    plain = asked(tmp_path, space(), data)
    turned = asked(tmp_path, space(), [*data[69::-1], *data[99:69:-1], *data[100:]])
    assert turned.items == plain.items
    assert turned.details["parts"] == plain.details["parts"]


def test_the_order_of_test_texts_changes_no_score(tmp_path: Path) -> None:
    data = no_development(rows())
    plain = asked(tmp_path, space(), data)
    turned = asked(tmp_path, space(), [*data[:100], *data[:99:-1]])
    assert (turned.score, turned.others) == (plain.score, plain.others)
    assert turned.items["value"] == plain.items["value"][::-1]


def test_what_classes_are_called_changes_no_score(tmp_path: Path) -> None:
    # The order of the names is turned as well: up comes to stand before down.
    names = {"up": "<b>", "down": "\u0442\u0438\u0445\u043e"}
    plain = asked(tmp_path, space(), rows())
    renamed = asked(tmp_path, space(), [(names[a], b, c) for a, b, c in rows()])
    assert renamed.items["value"] == plain.items["value"]
    assert renamed.items["taken_for"] == [names[each] for each in plain.items["taken_for"]]
    assert renamed.baseline == plain.baseline


@pytest.mark.parametrize("development", [True, False])
def test_nothing_of_the_test_part_is_learnt_or_tuned(tmp_path: Path, development: bool) -> None:
    data = rows() if development else no_development(rows())
    other = {"up": "down", "down": "up"}
    lies = [(other[la] if sp == "test" else la, text, sp) for la, text, sp in data]
    fewer = [row for i, row in enumerate(data) if i < 100 or i % 2]
    plain, lied, short = (asked(tmp_path, space(), each) for each in (data, lies, fewer))
    assert lied.items["taken_for"] == plain.items["taken_for"]
    assert lied.score == pytest.approx(1 - plain.score)
    assert short.items["taken_for"] == plain.items["taken_for"][1::2]
    chosen = [each.details["parts"][0]["C"] for each in (plain, lied, short)]
    assert chosen[0] == chosen[1] == chosen[2]


def test_labels_that_mean_nothing_give_the_baseline(tmp_path: Path) -> None:
    generator = np.random.default_rng(6)
    data = [("ab"[generator.integers(2)], text, split) for _, text, split in rows() * 3]
    shuffled = [(label, f"{text} {WORDS[i % 60]}", sp) for i, (label, text, sp) in enumerate(data)]
    found = asked(tmp_path, space(), shuffled, draws=3)
    # 150 test texts: three standard errors of a fair coin are 0.12.
    assert found.score == pytest.approx(0.5, abs=0.12)
    assert found.baseline.mean == pytest.approx(0.5, abs=0.12)


def test_swapped_files_have_baselines_of_their_own(tmp_path: Path) -> None:
    lines = [f"{int(label == 'up')} {text}\n" for label, text, _ in rows()]
    question = Classification(draws=1, repeats=1)
    found = []
    for first, second in (("train", "test"), ("test", "train")):
        folder = tmp_path / first
        folder.mkdir()
        (folder / f"x.{first}").write_text("".join(lines[:110]))
        (folder / f"x.{second}").write_text("".join(lines[110:]))
        found.append(question.run(space(), [locate(folder)], seed=0))
    assert [each.n_items for each in found] == [40, 110]
    # Shares of 40 and of 110 texts, each of them its own.
    for each in found:
        right = each.baseline.mean * each.n_items
        assert right == pytest.approx(round(right), abs=1e-9)
    assert found[0].baseline != found[1].baseline


def covers(values: Floats, seed: int) -> bool:
    """Tell whether the interval of a mean holds 0.8."""
    found = bootstrap_interval(
        lambda items: values[items].mean(axis=1), len(values), seed=seed, resamples=400
    )
    return found.low <= 0.8 <= found.high


def test_intervals_cover_what_other_test_texts_would_say() -> None:
    # 200 test sets of 100 texts, each right at 0.8: with a coverage of 0.95, fewer than 180
    # intervals that hold 0.8 are three standard errors away.
    generator = np.random.default_rng(5)
    held = 0
    for draw in range(200):
        values = (generator.random(100) < 0.8).astype(float)
        held += covers(values, draw)
    assert 180 <= held <= 199
