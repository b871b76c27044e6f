"""Results of subsumption made by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lydite.results.record import Result

SIMPLE = ("ss", "rss", "both")
AGGREGATE = ("as", "ras", "aggregate-both")


def details(
    words: tuple[str, ...] = ("sparrow", "bird", "vertebrate"),
    *,
    metrics: tuple[str, ...] = SIMPLE + AGGREGATE,
    classes: tuple[str, ...] = ("bird", "tree"),
    n_covered: int = 100,
    **choices: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """What a result of subsumption tells, with ss = 0.60, rss = 0.61 and so on."""
    scores = {metric: 0.6 + 0.01 * place for place, metric in enumerate(metrics)}
    a, b, c = words
    return {
        "scores": {
            metric: {
                "score": score,
                "low": score - 0.05,
                "high": score + 0.05,
                "baseline": 0.5,
                "baseline_low": 0.45,
                "baseline_high": 0.55,
            }
            for metric, score in scores.items()
        },
        "funnel": [
            {"name": "pairs", "count": 1337, "unit": "pairs"},
            {"name": "with a path", "count": 1149, "unit": "pairs"},
            {"name": "triples", "count": 100, "unit": "triples"},
            {"name": "covered by the model", "count": n_covered, "unit": "triples"},
        ],
        "breakdown": {
            "depth": [{"group": name, "n": 50, **scores} for name in ("9", "10")],
            "generality": [{"group": "1 to 10", "n": 3, **scores}],
            "class": [{"group": name, "n": 40, **scores} for name in classes],
        },
        "violations": [
            {
                "sentence": f"{a} is closer to {c} (0.90) than to {b} (0.{i:02d})",
                "triple": [a, b, c],
                "condition": "subsumption",
                "margin": 0.9 - i / 100,
                "aggregate": False,
            }
            for i in range(20)
        ],
        "level": "word",
        "words": 200,
        "words_found": 0.99,
        "missing": list(words[:2]),
        "inventory": {
            "taxonomy": "wordnet-3.0",
            "pairs": "bless",
            "choices": {"relation": "hypernymy", "senses": "all", "level": "word", **choices},
        },
    }


@pytest.fixture
def make_details() -> Callable[..., dict[str, Any]]:
    return details


@pytest.fixture
def make_answer(make_result: Callable[..., Result]) -> Callable[..., Result]:
    """A result of subsumption, by default with all its details."""

    def make(model: str = "a", **other: Any) -> Result:  # noqa: ANN401
        given = {"evaluation": "subsumption", "metric": "ss", "resource": "mine.tsv"}
        return make_result(model, **{**given, "score": 0.6, "details": details(), **other})

    return make
