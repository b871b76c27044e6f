from __future__ import annotations

import dataclasses
import logging
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import lydite
from lydite.errors import InputError
from lydite.results.compare import Comparison, compare_results
from lydite.results.record import Result
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
    # Twelve items cannot make a difference certain, and 2 is the largest there is.
    assert 1.9 < comparison.low < 2
    assert comparison.high == 2
    assert comparison.clear


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


SHARED_WORDS, PAIRS = 100, 400


def worlds_with_shared_words(result: Result, share: float, count: int) -> list[Comparison]:
    """Compare two models that are equally good, where words carry a share of the variance."""
    generator = np.random.default_rng(1)
    left = generator.integers(0, SHARED_WORDS, size=PAIRS)
    right = (left + generator.integers(1, SHARED_WORDS, size=PAIRS)) % SHARED_WORDS
    # Gold, and two models that each correlate with it at 0.6.
    mix = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.6, 0.0, 0.8]]).T
    names = {"item": range(PAIRS), "left": left.astype(str), "right": right.astype(str)}
    rivals = [dataclasses.replace(result, model=name) for name in "ab"]
    found = []
    for _ in range(count):
        words = generator.normal(size=(SHARED_WORDS, 3)) @ mix
        noise = generator.normal(size=(PAIRS, 3)) @ mix
        drawn = np.sqrt(share / 2) * (words[left] + words[right]) + np.sqrt(1 - share) * noise
        tables = [pl.DataFrame({**names, "gold": drawn[:, 0], "predicted": p}) for p in drawn.T[1:]]
        found += compare_results(list(zip(rivals, tables, strict=True)), resamples=199)
    return found


def test_shared_words_make_no_false_differences(tmp_path: Path) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    found = worlds_with_shared_words(result, 0.8, 250)
    # Over 1,000 worlds the permutation test alone, which takes pairs for independent, was under
    # 0.05 in 0.27 of them, and p_value in 0.065. The bounds are two standard errors away.
    assert np.mean([c.p_permutation <= 0.05 for c in found]) >= 0.21
    assert np.mean([c.p_value <= 0.05 for c in found]) <= 0.097
    assert np.mean([c.clear for c in found]) <= 0.097


def test_independent_pairs_are_not_punished_for_words(tmp_path: Path) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    found = worlds_with_shared_words(result, 0.0, 200)
    assert 0.015 <= np.mean([c.p_value <= 0.05 for c in found]) <= 0.085


def test_a_clear_difference_needs_both_p_and_interval(tmp_path: Path) -> None:
    finished = run_on(tmp_path, "random(20)", "random(20, seed=1)")
    (comparison,) = lydite.compare(finished)
    sure = dataclasses.replace(
        comparison, p_holm_low=0.01, p_holm_high=0.02, low=0.1, high=0.2, first_score=1.0
    )
    assert (sure.verdict, sure.clear) == ("better", True)
    other = dataclasses.replace(sure, first_score=-1.0, low=-0.2, high=-0.1)
    assert (other.verdict, other.clear) == ("worse", True)
    assert dataclasses.replace(sure, low=-0.1).verdict == "undecided"
    assert dataclasses.replace(sure, p_holm_low=0.05, p_holm_high=0.06).verdict == "undecided"
    near = dataclasses.replace(sure, p_holm_high=0.05)
    assert (near.verdict, near.clear) == ("at the threshold", False)


def test_p_hangs_on_the_items_alone(tmp_path: Path) -> None:
    # Forty scores that are multiples of no step: their exchanges are drawn, by a hash of them.
    (result,) = run_on(tmp_path, "random(20)").results
    generator = np.random.default_rng(3)
    one, two = generator.uniform(size=40), generator.uniform(size=40)
    of = dataclasses.replace(result, statistic="mean")
    tables = [pl.DataFrame({"item": range(40), "value": each}) for each in (one, two)]

    def compared(first: str, second: str, **how: int) -> Comparison:
        entries = [dataclasses.replace(of, model=first), dataclasses.replace(of, model=second)]
        (found,) = compare_results(list(zip(entries, tables, strict=True)), **how)
        return found

    found = compared("a", "b")
    assert found.p_low < found.p_value < found.p_high
    # Another name of a model, and another order of the two, changes nothing.
    assert compared("a", "renamed").p_value == found.p_value
    tables.reverse()
    assert compared("b", "a").p_value == found.p_value
    # What other exchanges of the same items give lies between the ends.
    others = [compared("a", "b", draw=draw, resamples=20_000) for draw in range(1, 11)]
    assert len({each.p_value for each in others}) > 1
    assert all(each.p_low <= found.p_value <= each.p_high for each in others)


def test_hits_need_no_draws(tmp_path: Path) -> None:
    # Of 60 items the first model hits 14 that the second misses, and misses 4 that it hits:
    # McNemar's exact test, 2 P(Bin(18, 1/2) >= 14) = 8096 / 2^18 (by hand: 3060 + 816 + 153 + 18
    # + 1 = 4048 ways on either side).
    (result,) = run_on(tmp_path, "random(20)").results
    hits = np.array([1.0] * 30 + [1.0] * 14 + [0.0] * 4 + [0.0] * 12)
    misses = np.array([1.0] * 30 + [0.0] * 14 + [1.0] * 4 + [0.0] * 12)
    entries = [
        (
            dataclasses.replace(result, statistic="mean", model=model),
            pl.DataFrame({"item": range(60), "value": values}),
        )
        for model, values in (("a", hits), ("b", misses))
    ]
    found = [compare_results(entries, draw=draw)[0] for draw in range(3)]
    assert {(each.p_low, each.p_value, each.p_high) for each in found} == {(found[0].p_value,) * 3}
    assert found[0].p_value == pytest.approx(8096 / 2**18, rel=1e-12)


def entry(
    result: Result, model: str, values: list[float | None], digest: str | None = None, seed: int = 0
) -> tuple[Result, pl.DataFrame]:
    """Return a result as a model of an evaluation by item means would have it."""
    source = dataclasses.replace(result.provenance, model_sha256=digest, seed=seed)
    changed = dataclasses.replace(
        result, model=model, statistic="mean", others={}, provenance=source, n_items=len(values)
    )
    return changed, pl.DataFrame({"item": range(len(values)), "value": values})


def test_a_fit_is_not_compared_on_other_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    entries = [
        entry(result, "all", [1.0, 2.0, 3.0, 4.0]),
        entry(result, "also all", [2.0, 1.0, 3.0, 4.0]),
        entry(result, "some", [1.0, 2.0, 3.0, None]),
    ]
    assert len(compare_results(entries)) == 3
    fitted = [(dataclasses.replace(r, others={"dimensions": 20.0}), t) for r, t in entries]
    with caplog.at_level(logging.WARNING):
        (kept,) = compare_results(fitted)
    assert (kept.first, kept.second) == ("all", "also all")
    assert "all and some, similarity on" in caplog.text
    assert "they cover 4 and 3 words, 3 of them in common" in caplog.text
    with pytest.raises(InputError, match=r"not compared: all and some.*4 and 3 words"):
        compare_results([fitted[0], fitted[2]])


def test_models_without_shared_items_do_not_stop_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    some, others = [1.0, 2.0, 3.0, None, None, None], [None, None, None, 1.0, 2.0, 3.0]
    entries = [
        entry(result, "a", [*some]),
        entry(result, "b", [*others]),
        entry(result, "c", [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]),
    ]
    with caplog.at_level(logging.WARNING):
        found = compare_results(entries)
    assert [(c.first, c.second) for c in found] == [("a", "c"), ("b", "c")]
    assert "a and b, similarity on" in caplog.text
    assert "they share 0 items" in caplog.text


def test_a_file_that_was_trained_again_is_another_model(tmp_path: Path) -> None:
    cosines = {i: i / 12 for i in range(12)}
    old = run_on(tmp_path, space_file(tmp_path, "model.txt", cosines))
    path = space_file(tmp_path, "model.txt", {**cosines, 3: 0.9})
    new = run_on(tmp_path, path)
    (comparison,) = lydite.compare(old, new)
    digests = [str(r.provenance.model_sha256)[:8] for r in (*old.results, *new.results)]
    assert [comparison.first, comparison.second] == [f"{path} @{digest}" for digest in digests]
    assert comparison.difference > 0


def test_the_same_items_under_several_seeds_are_compared_once(tmp_path: Path) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    values: list[float | None] = [1.0, 2.0, 3.0, 4.0]
    entries = [entry(result, m, [*values], seed=s) for s in (0, 1) for m in "ab"]
    assert [c.seed for c in compare_results(entries)] == [0]
    entries.append(entry(result, "b", [1.0, 2.0, 3.0, 5.0], seed=1))
    assert [c.seed for c in compare_results(entries)] == [0, 1]


def test_different_seeds_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    values: list[float | None] = [1.0, 2.0, 3.0]
    apart = [
        entry(result, model, values, seed=seed) for model, seed in (("a", 3), ("a", 4), ("b", 7))
    ]
    with pytest.raises(InputError, match="a with 3 and 4, b with 7"):
        compare_results(apart)
    with caplog.at_level(logging.WARNING):
        (found,) = compare_results([*apart, entry(result, "c", values, seed=7)])
    assert (found.first, found.second, found.seed) == ("b", "c", 7)
    assert "a with 3 and 4, b with 7, c with 7" in caplog.text


def test_items_of_one_group_are_exchanged_together(tmp_path: Path) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    entries = [entry(result, "better", [1.0] * 20), entry(result, "worse", [0.0] * 20)]
    (alone,) = compare_results(entries)
    assert alone.clear
    grouped = [
        (r, t.with_columns(group=pl.Series([i // 10 for i in range(20)]))) for r, t in entries
    ]
    (together,) = compare_results(grouped)
    # Of the four ways to exchange two groups, two are as far apart.
    assert together.p_value == 0.5
    assert not together.clear
    one = [(r, t.with_columns(group=pl.lit("a"))) for r, t in entries]
    with pytest.raises(InputError, match="all items that they share are of one group"):
        compare_results(one)


def test_one_item_each_is_no_difference(tmp_path: Path) -> None:
    (result,) = run_on(tmp_path, "random(20)").results
    entries = [entry(result, "a", [1.0, 1.0, 1.0]), entry(result, "b", [0.0, 1.0, 1.0])]
    (found,) = compare_results(entries)
    assert found.low < 0 < found.high
    assert found.low >= -1
    assert found.high <= 1
