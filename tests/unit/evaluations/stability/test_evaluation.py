from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.cli.app import run_app
from lydite.errors import InputError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.catalogue import Call
from lydite.evaluations.stability.evaluation import Stability, StabilityDetails
from lydite.models.catalogue import load
from lydite.models.combination import Retrained
from lydite.runner import ask, evaluate
from lydite.spaces.space import Space

WORDS = ["a", "b", "c", "d", "e", "f"]


def circle(*degrees: float, words: list[str] = WORDS, **options: Any) -> Space:  # noqa: ANN401
    angles = np.deg2rad(degrees)
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).tolist()
    return Space.of(dict(zip(words, rows, strict=True)), **options)


def written(folder: Path, name: str, space: Space) -> str:
    path = folder / name
    rows = zip(space.vocabulary[:], space.vectors.tolist(), strict=True)
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows))
    return str(path)


def list_of(folder: Path, *words: str) -> str:
    path = folder / "words.txt"
    path.write_text("\n".join(words) + "\n")
    return str(path)


#: In the first, a is nearest to b, then c; in the second, to c, then b; in the third, to f, then b.
FIRST = circle(0, 10, 25, 90, 120, 300)
SECOND = circle(0, 25, 10, 90, 120, 300)
THIRD = circle(0, 20, 40, 90, 120, 350)


def stability(
    folder: Path,
    *spaces: Space,
    words: tuple[str, ...] = ("a", "d"),
    **given: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    model = Retrained(tuple(spaces))
    return ask(model, "stability", list_of(folder, *words), seed=0, **given)


def test_neighbors_by_hand(tmp_path: Path) -> None:
    found = stability(tmp_path, FIRST, SECOND, THIRD, neighbors=2)
    # a: {b, c}, {c, b}, {f, b}: all share b; pairs share 2, 1 and 1 of 2; union b, c, f.
    # d: at 90 degrees e is nearest everywhere, then c, b and c.
    rows = {word: i for i, word in enumerate(found.items["item"])}
    a, d = rows["a"], rows["d"]
    assert found.items["all"][a] == 0.5
    assert found.items["pairs"][a] == pytest.approx(4 / 6)
    assert found.items["jaccard"][a] == pytest.approx(1 / 3)
    assert found.items["all"][d] == 0.5
    assert found.items["pairs"][d] == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert found.result.score == 0.5
    assert found.result.others["pairs"] == pytest.approx(2 / 3)
    # d keeps its nearest word, a does not.
    assert found.result.others["nearest"] == 0.5
    # Two random neighbors of five candidates, agreed on by three spaces.
    assert found.result.baseline.mean == pytest.approx((2 / 5) ** 2, abs=0.03)


def test_the_leading_measure_is_chosen(tmp_path: Path) -> None:
    by_two = stability(tmp_path, FIRST, SECOND, THIRD, neighbors=2, metric="pairs").result
    assert by_two.metric == "pairs"
    assert by_two.score == pytest.approx(2 / 3)
    assert by_two.others["all"] == 0.5
    assert "pairs" not in by_two.others


def test_rotation_scaling_and_order_of_words_change_nothing(tmp_path: Path) -> None:
    turned = circle(70, 80, 95, 160, 190, 370)
    longer = Space.of({w: (5 * v).tolist() for w, v in zip(WORDS, FIRST.vectors, strict=True)})
    backwards = Space.of(
        {w: v.tolist() for w, v in zip(WORDS[::-1], FIRST.vectors[::-1], strict=True)}
    )
    found = stability(tmp_path, FIRST, turned, longer, backwards, words=tuple(WORDS), neighbors=3)
    assert found.result.score == 1.0
    assert found.result.interval.high == 1.0
    assert found.result.interval.low < 1.0


def test_no_seed_changes_anything() -> None:
    model = load("retrained(random(9, seed=1), random(9, seed=2))")
    results = [evaluate(model, "stability", "starter-treatise", seed=seed) for seed in (0, 1, 7)]
    assert len({(r.score, r.interval, r.baseline) for r in results}) == 1


def test_words_that_a_space_lacks_are_not_covered(tmp_path: Path) -> None:
    small = circle(0, 10, 25, 90, words=["a", "b", "c", "e"])
    found = stability(tmp_path, FIRST, small, words=("a", "b", "d", "zebra"), neighbors=2)
    assert found.items["covered"] == [True, True, False, False]
    assert found.result.n_covered == 2
    details = StabilityDetails.of(found.result)
    assert details.shared == 4
    assert set(details.missing) == {"d", "zebra"}


def test_a_word_without_direction_is_no_neighbor(tmp_path: Path) -> None:
    empty = Space.of(
        {w: ([0.0, 0.0] if w == "b" else v.tolist()) for w, v in zip(WORDS, FIRST.vectors)}  # noqa: B905
    )
    found = stability(tmp_path, FIRST, empty, words=("a", "d"), neighbors=2)
    assert StabilityDetails.of(found.result).shared == 5
    assert found.result.score == 1.0


def test_all_words_of_the_spaces_by_the_counts_of_the_first(tmp_path: Path) -> None:
    counted = circle(0, 10, 25, 90, 120, 300, counts=[1, 2, 3, 4, 5, 6])
    first, second = written(tmp_path, "0.vec", counted), written(tmp_path, "1.vec", SECOND)
    counts = tmp_path / "counts.txt"
    counts.write_text("".join(f"{w} {i}\n" for i, w in enumerate(WORDS, 1)))
    spaces = f"vectors({first}, counts={counts})", second
    found = ask(load(f"retrained({', '.join(spaces)})"), "stability", first, seed=0, neighbors=2)
    assert found.items["item"] == WORDS[::-1]
    assert StabilityDetails.of(found.result).by == "counts of the space"
    # The second has no counts: then its order is that of frequency, as in most files.
    found = ask(load(f"retrained({', '.join(spaces)})"), "stability", second, seed=0, neighbors=2)
    assert found.items["item"] == WORDS
    assert StabilityDetails.of(found.result).by == "their order in the file"


def test_the_words_of_a_space_of_another_set(tmp_path: Path) -> None:
    other = written(tmp_path, "other.vec", circle(0, 9, 20, 80, words=["f", "b", "zebra", "a"]))
    # Two numbers make a vector of two, or a count with something else: more are needed to tell.
    wide = tmp_path / "wide.vec"
    wide.write_text("".join(f"{word} 1 2 3 4\n" for word in ("f", "b", "zebra", "a")))
    found = ask(Retrained((FIRST, SECOND)), "stability", str(wide), seed=0, neighbors=2)
    assert found.items["item"] == ["f", "b", "zebra", "a"]
    assert found.items["covered"] == [True, True, False, True]
    binary = tmp_path / "other.safetensors"
    assert run_app(["convert", other, str(binary), "--quiet"]) == 0
    found = ask(Retrained((FIRST, SECOND)), "stability", str(binary), seed=0, neighbors=2)
    assert found.items["item"] == ["f", "b", "zebra", "a"]


def test_words_are_taken_evenly_by_frequency(tmp_path: Path) -> None:
    counts = tmp_path / "counts.tsv"
    counts.write_text("".join(f"{w}\t{10 - i}\n" for i, w in enumerate(WORDS)))
    model = Retrained((FIRST, SECOND))
    found = ask(model, "stability", str(counts), seed=0, neighbors=2, most=3, bands=3)
    assert found.items["item"] == ["b", "d", "f"]
    details = StabilityDetails.of(found.result)
    assert details.listed == 6
    assert [(band.first, band.last, band.words) for band in details.bands] == [
        (1, 2, 1),
        (3, 4, 1),
        (5, 6, 1),
    ]
    whole = ask(model, "stability", str(counts), seed=0, neighbors=2, most=0)
    assert whole.items["item"] == WORDS


def test_bands_have_the_means_of_their_words(tmp_path: Path) -> None:
    found = stability(tmp_path, FIRST, SECOND, words=tuple(WORDS), neighbors=2, bands=2)
    values = found.items["value"]
    assert [band.score for band in StabilityDetails.of(found.result).bands] == [
        pytest.approx(np.mean(values[:3])),
        pytest.approx(np.mean(values[3:])),
    ]


def test_the_curve_ends_in_the_score(tmp_path: Path) -> None:
    found = stability(tmp_path, FIRST, SECOND, THIRD, words=tuple(WORDS), neighbors=3).result
    curve = StabilityDetails.of(found).curve
    assert [at.neighbors for at in curve] == [1, 2, 3]
    assert curve[-1].all_ == pytest.approx(found.score)
    assert curve[0].all_ == pytest.approx(found.others["nearest"])
    assert curve[-1].different_words == pytest.approx(found.others["different_words"])


def test_one_space_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(UnsuitableModelError, match="trained alike"):
        ask(FIRST, "stability", list_of(tmp_path, *WORDS), seed=0)
    with pytest.raises(InputError, match="at least two"):
        Retrained((FIRST,))
    with pytest.raises(UnsuitableModelError, match="overlap"):
        load("retrained(overlap, overlap)")


def test_too_few_words(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError, match="share 6 words, 1 of those"):
        stability(tmp_path, FIRST, SECOND, words=("a", "zebra"), neighbors=2)
    with pytest.raises(UndefinedScoreError, match="expected more than 6"):
        stability(tmp_path, FIRST, SECOND, words=tuple(WORDS), neighbors=6)


def call(*models: str, words: tuple[str, ...] = ()) -> Call:
    return Call(models=models, slots={"words": words}, parameters={})


def test_files_are_put_together_and_give_the_words(tmp_path: Path) -> None:
    first, second = written(tmp_path, "0.vec", FIRST), written(tmp_path, "1.vec", SECOND)
    plan = Stability.plan(call(first, second))
    assert plan.models == (f"retrained({first}, {second})",)
    assert plan.questions[0][1] == (first,)
    assert Stability.plan(call(first, second, words=("list.txt",))).questions[0][1] == ("list.txt",)
    sets = Stability.plan(call(f"retrained(vectors({first}, case=fold), {second})"))
    assert sets.questions[0][1] == (first,)


def test_what_cannot_be_planned(tmp_path: Path) -> None:
    first = written(tmp_path, "0.vec", FIRST)
    with pytest.raises(InputError, match="at least two"):
        Stability.plan(call(first))
    with pytest.raises(InputError, match="got both"):
        Stability.plan(call(first, f"retrained({first}, {first})"))
    with pytest.raises(InputError, match="--words"):
        Stability.plan(call("random(3)", "random(3, seed=2)"))


def test_a_set_is_a_space_of_words_too() -> None:
    both = Retrained((FIRST, Space.of({"a": [3.0], "b": [4.0]})))
    looked_up = both.lookup(["a", "c"])
    np.testing.assert_allclose(looked_up.vectors, [[1, 0, 1], [0, 0, 0]], atol=1e-6)
    assert looked_up.found.tolist() == [True, False]
