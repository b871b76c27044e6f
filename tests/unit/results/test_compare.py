from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lydite
from lydite.errors import InputError
from lydite.results.compare import compare_results
from lydite.runner import Run, run
from lydite.suite import Suite, Task


def pairs_file(tmp_path: Path) -> Path:
    """Twelve pairs whose words are all different, so that pairs are independent."""
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"a{i}\tb{i}\t{i}\n" for i in range(12)))
    return path


def space_file(tmp_path: Path, name: str, cosines: dict[int, float]) -> str:
    """Vectors whose cosine of pair i is what is asked for; other pairs are absent."""
    path = tmp_path / name
    with path.open("w") as file:
        for i, cosine in cosines.items():
            angle = np.arccos(cosine)
            file.write(f"a{i} 1 0\nb{i} {np.cos(angle)} {np.sin(angle)}\n")
    return str(path)


def run_on(tmp_path: Path, *models: str, metric: str = "spearman") -> Run:
    task = Task(evaluation=f"similarity(metric={metric})", resources=(str(pairs_file(tmp_path)),))
    return run(Suite(name="t", models=models, tasks=(task,)), processes=1)


def test_a_model_does_not_differ_from_its_copy(tmp_path: Path) -> None:
    cosines = {i: i / 12 for i in range(12)}
    finished = run_on(
        tmp_path,
        space_file(tmp_path, "one.txt", cosines),
        space_file(tmp_path, "two.txt", cosines),
    )
    (comparison,) = lydite.compare(finished)
    assert comparison.difference == 0
    assert comparison.p_value == 1
    assert (comparison.low, comparison.high) == (0, 0)


def test_opposite_orders_differ_and_the_exact_test_says_how_surely(tmp_path: Path) -> None:
    # One model orders the 12 pairs as the gold does (rho = 1), the other the other way round
    # (rho = -1). Of the 2^12 = 4096 exchanges only the observed one and its mirror image give a
    # difference of 2 in size, so the exact p is 2/4096.
    finished = run_on(
        tmp_path,
        space_file(tmp_path, "up.txt", {i: i / 12 for i in range(12)}),
        space_file(tmp_path, "down.txt", {i: 1 - i / 12 for i in range(12)}),
    )
    (comparison,) = lydite.compare(finished, resamples=5000)
    assert comparison.difference == pytest.approx(2)
    assert comparison.p_value == pytest.approx(2 / 4096)


def test_scores_are_taken_on_the_items_that_both_answer(tmp_path: Path) -> None:
    # The second model lacks pairs 0 to 3. On pairs 4 to 11 the first has rho = 1 although over
    # all pairs it has not, since its pairs 0 to 3 are upside down.
    first = {i: (3 - i) / 12 if i < 4 else i / 12 for i in range(12)}
    finished = run_on(
        tmp_path,
        space_file(tmp_path, "first.txt", first),
        space_file(tmp_path, "second.txt", {i: i / 12 for i in range(4, 12)}),
    )
    assert finished.results[0].score < 1
    (comparison,) = lydite.compare(finished)
    assert (comparison.n_shared, comparison.n_items) == (8, 12)
    assert comparison.first_score == pytest.approx(1)


def test_pearson_is_compared_on_one_scale(tmp_path: Path) -> None:
    rising = {i: i / 100 for i in range(12)}
    finished = run_on(
        tmp_path,
        space_file(tmp_path, "small.txt", rising),
        space_file(tmp_path, "large.txt", {i: i / 12 for i in range(12)}),
        metric="pearson",
    )
    (comparison,) = lydite.compare(finished)
    assert comparison.difference == pytest.approx(0, abs=1e-6)


def test_corrections_count_all_comparisons(tmp_path: Path) -> None:
    finished = run_on(tmp_path, "random(20)", "random(20, seed=1)", "random(20, seed=2)")
    found = lydite.compare(finished)
    smallest = min(found, key=lambda c: c.p_value)
    assert len(found) == 3
    assert smallest.p_holm == pytest.approx(min(1, 3 * smallest.p_value))


def test_qvec_is_compared_through_the_influence_of_words() -> None:
    task = Task(evaluation="qvec(method=cca)", resources=("starter-supersenses",))
    suite = Suite(name="t", models=("random(20)", "random(20, seed=1)"), tasks=(task,))
    (comparison,) = lydite.compare(run(suite, processes=1))
    assert comparison.first_score == pytest.approx(
        run(suite, processes=1).results[0].score, abs=1e-9
    )
    assert comparison.p_value > 0.001


def test_one_model_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="at least two models"):
        compare_results([])
