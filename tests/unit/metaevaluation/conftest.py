"""Results of models made by hand, without running anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from lydite.errors import SpecError, UnknownNameError
from lydite.evaluations.catalogue import make_evaluation
from lydite.results.record import Provenance, Result
from lydite.spec import parse
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline
from lydite.storage import sha256_text

ResultMaker: TypeAlias = Callable[..., Result]


def parameters_of(evaluation: str) -> dict[str, Any]:
    """Return what a run would store of the parameters in a spec."""
    try:
        return make_evaluation(evaluation).parameters
    except UnknownNameError:
        return dict(parse(evaluation).params)
    except SpecError:
        return {"spec": evaluation}


def result(
    model: str,
    score: float,
    *,
    evaluation: str = "similarity(metric=spearman)",
    resource: str = "men",
    metric: str = "spearman",
    seed: int = 0,
    model_sha256: str | None = "",
    resource_sha256: str = "",
    others: dict[str, float] | None = None,
    created: str = "2025-06-01T12:00:00+00:00",
    version: str = "1.0",
) -> Result:
    """A result; the bytes of model and resource follow from their names unless they are given."""
    inner = model.partition("(")[2].partition(",")[0].strip(")") or model
    source = Provenance(
        evaluation=evaluation.partition("(")[0],
        parameters=parameters_of(evaluation),
        model=model,
        model_sha256=sha256_text(inner) if model_sha256 == "" else model_sha256,
        resource=resource,
        resource_sha256=resource_sha256 or sha256_text(resource),
        seed=seed,
        versions={"lydite": version},
        wall_seconds=1.0,
        peak_memory_mb=1.0,
        created=created,
    )
    return Result(
        key=sha256_text(f"{model} {evaluation} {resource} {seed} {source.model_sha256}")[:20],
        evaluation=evaluation,
        model=model,
        resource=resource,
        metric=metric,
        score=score,
        interval=Interval(low=score, high=score, level=0.95, method="none"),
        baseline=Baseline(kind="none", mean=0.0, low=0.0, high=0.0, draws=1),
        n_items=10,
        n_covered=10,
        oov="skip",
        statistic="mean",
        others=others or {},
        details={},
        items=None,
        provenance=source,
    )


def tagging(model: str, score: float, **other: Any) -> Result:  # noqa: ANN401
    fields = {"evaluation": "tagging(tags=upos)", "resource": "ud-ewt", "metric": "accuracy"}
    return result(model, score, **{**fields, **other})


def both(intrinsic: list[float], downstream: list[float]) -> list[Result]:
    """Models a, b, c... with MEN and part-of-speech scores."""
    names = [f"zoo/{chr(97 + i)}.txt" for i in range(len(intrinsic))]
    pairs = zip(names, intrinsic, downstream, strict=True)
    return [each for name, x, y in pairs for each in (result(name, x), tagging(name, y))]


@pytest.fixture
def make_result() -> ResultMaker:
    return result


@pytest.fixture
def make_tagging() -> ResultMaker:
    return tagging


@pytest.fixture
def make_both() -> Callable[[list[float], list[float]], list[Result]]:
    return both
