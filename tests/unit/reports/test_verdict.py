from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lydite.reports.page import MARGIN, WIDTH, Verdict, is_chance, verdict_table
from lydite.results.record import Failure, Result


def _cells(
    results: list[Result], failures: list[Failure] | None = None
) -> dict[str, list[Verdict | None]]:
    return dict(verdict_table(results, failures or []).rows)


def test_models_are_rows_and_questions_columns(make_result: Callable[..., Result]) -> None:
    table = verdict_table(
        [
            make_result("a"),
            make_result("a", evaluation="qvec", metric="cca", resource="starter-supersenses"),
            make_result("b"),
        ]
    )
    assert [(head.label, head.resource) for head in table.heads] == [
        ("similarity", "starter-similarity"),
        ("qvec", "starter-supersenses"),
    ]
    assert [(name, [cell is None for cell in cells]) for name, cells in table.rows] == [
        ("a", [False, False]),
        ("b", [False, True]),
    ]


def test_the_best_stands_out_only_if_no_interval_overlaps_its_own(
    make_result: Callable[..., Result],
) -> None:
    clear = _cells(
        [make_result("a", score=0.8, low=0.7, high=0.9), make_result("b", score=0.6, high=0.69)]
    )
    assert [cells[0] is not None and cells[0].best for cells in clear.values()] == [True, False]
    overlapping = _cells(
        [make_result("a", score=0.8, low=0.7, high=0.9), make_result("b", score=0.6, high=0.71)]
    )
    assert not any(cells[0] and cells[0].best for cells in overlapping.values())
    # The second is clearly below, but the third is so uncertain that it could be anywhere.
    third = _cells(
        [
            make_result("a", score=0.8, low=0.7, high=0.9),
            make_result("b", score=0.6, high=0.65),
            make_result("c", score=0.5, high=0.95),
        ]
    )
    assert not any(cells[0] and cells[0].best for cells in third.values())


def test_a_model_alone_is_not_the_best(make_result: Callable[..., Result]) -> None:
    (cell,) = _cells([make_result("a", score=0.99)])["a"]
    assert cell is not None
    assert not cell.best


def test_coverage_and_chance_are_marked(make_result: Callable[..., Result]) -> None:
    cells = _cells(
        [
            make_result("whole", n_covered=95),
            make_result("half", n_covered=94),
            make_result("chance", score=0.09),
        ]
    )
    found = {name: row[0] for name, row in cells.items() if row[0] is not None}
    assert found["whole"].coverage is None
    assert found["half"].coverage == "94.0\u00a0%"
    # The null baseline reaches to 0.095.
    assert [found[name].chance for name in ("whole", "chance")] == [False, True]


def test_a_score_without_an_interval_lies_twice_as_far_from_chance(
    make_result: Callable[..., Result],
) -> None:
    def of(score: float, **kind: object) -> Result:
        result = replace(make_result("a", score=score), interval=None)
        return replace(result, **kind)  # type: ignore[arg-type]

    null = make_result("a").baseline
    edge = null.mean + 2 * (null.high - null.mean)
    # Pearson's r, and a fit to words such as QVEC's, whatever the number of items.
    for kind in ({"statistic": "pearson"}, {"statistic": "mean", "others": {"dimensions": 50.0}}):
        assert is_chance(of(edge - 0.001, **kind))
        assert not is_chance(of(edge + 0.001, **kind))
        assert not is_chance(of(edge + 0.001, n_covered=5, **kind))
    # Any other mean has no interval because it is of one cluster, which has luck of its own.
    assert is_chance(of(0.99, statistic="mean", others={}))


def test_all_rows_of_a_column_share_its_axis(make_result: Callable[..., Result]) -> None:
    cells = _cells([make_result("a", score=1.0, high=1.0), make_result("b", score=0.0, low=-0.1)])
    bars = [row[0].bar for row in cells.values() if row[0] is not None]
    a, b = bars
    assert a is not None
    assert b is not None
    # The axis runs from -0.1 to 1: zero lies at one eleventh of it.
    inside = WIDTH - 2 * MARGIN
    assert a.score == WIDTH - MARGIN
    assert b.score == b.zero == round(MARGIN + inside / 11, 1)
    assert b.low == MARGIN
    assert a.null_mean == b.null_mean


def test_a_failure_takes_its_place_in_the_grid(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    table = verdict_table(
        [make_result("a", evaluation="similarity")],
        [make_failure("b"), make_failure("b", resource="men"), make_failure("a", resource="men")],
    )
    assert [head.resource for head in table.heads] == ["starter-similarity", "men"]
    rows = dict(table.rows)
    assert rows["b"][0] is not None
    assert rows["b"][0].failure is not None
    assert rows["b"][0].failure.startswith("broken.txt:3")
    assert rows["a"][1] is not None
    assert rows["a"][1].failure is not None


def test_a_result_is_not_hidden_by_a_failure(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    (cell,) = _cells([make_result("a")], [make_failure("a")])["a"]
    assert cell is not None
    assert cell.score == "0.500"


def test_nothing_makes_an_empty_table() -> None:
    table = verdict_table([], [])
    assert (table.heads, table.rows) == ([], [])


def test_a_mean_over_parts_is_shown_with_its_extremes(make_result: Callable[..., Result]) -> None:
    spread = {"lowest": 0.25, "highest": 0.75}
    table = verdict_table([make_result("a", score=0.5, others=spread), make_result("b")])
    (_, (first,)), (_, (second,)) = table.rows
    assert first is not None
    assert second is not None
    assert (first.parts, second.parts) == ("0.250 to 0.750", "")
