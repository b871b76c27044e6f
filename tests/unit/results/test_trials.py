from __future__ import annotations

from collections.abc import Callable

from lydite.results.record import Result
from lydite.results.trials import (
    model_namer,
    resource_cards,
    resource_name,
    resource_title,
    trials,
)


def test_results_that_can_be_compared_are_one_trial(make_result: Callable[..., Result]) -> None:
    full = "similarity(metric=spearman, oov=skip, case=fold)"
    found = trials(
        [
            make_result("a", evaluation=full),
            make_result("a", evaluation="qvec", metric="cca", resource="starter-supersenses"),
            make_result("b", evaluation="similarity"),
        ]
    )
    assert [(trial.label, len(trial.results)) for trial in found] == [
        ("similarity", 2),
        ("qvec", 1),
    ]
    assert found[0].title == "Lydite starter similarity"
    assert found[0].mark == ""


def test_seeds_and_changed_data_make_trials_of_their_own(
    make_result: Callable[..., Result],
) -> None:
    by_seed = trials([make_result(seed=1), make_result(seed=2)])
    assert [trial.mark for trial in by_seed] == ["seed 1", "seed 2"]
    by_bytes = trials(
        [make_result(resource_sha256="1" * 64), make_result(resource_sha256="2" * 64)]
    )
    assert [trial.mark for trial in by_bytes] == ["data 11111111", "data 22222222"]


def test_two_files_under_one_name_are_told_apart(make_result: Callable[..., Result]) -> None:
    old, new = make_result("v.txt", model_sha256="1" * 64), make_result("v.txt")
    name = model_namer([old, new, make_result("other")])
    assert name(old) == "v.txt @11111111"
    assert name(make_result("other")) == "other"


def test_resources_by_name_by_path_and_joined() -> None:
    joined = "starter-supersenses+semcor-supersenses"
    assert [card.name for card in resource_cards(joined)] == joined.split("+")
    assert resource_title(joined).startswith("Lydite starter supersenses + QVEC")
    assert resource_name(joined) == joined
    assert resource_cards("folder/my+pairs.tsv") == []
    assert resource_title("folder/my+pairs.tsv") == "my+pairs.tsv"
