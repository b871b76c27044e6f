"""Results made by hand, without running anything."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeAlias

import polars
import pytest

from lydite.errors import SpecError, UnknownNameError
from lydite.evaluations.catalogue import make_evaluation
from lydite.results.record import Failure, Provenance, Result
from lydite.spec import parse
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline

ResultMaker: TypeAlias = Callable[..., Result]
FailureMaker: TypeAlias = Callable[..., Failure]

#: What a vocabulary may hold.
EVIL = (
    "<script>alert(1)</script>",
    "a & b \"c\" 'd'",
    "$x_1^2$ \\frac{",
    "two\nlines\x00nul\x1b[31m",
    "\u05e9\u05dc\u05d5\u05dd",
    "\U0001f600",
    "\u202egnp.exe",
    "</style><img src=x onerror=alert(1)>",
    "[red]x[/red] | {{ 7*7 }}",
    "\ud800",
)


def parameters_of(evaluation: str) -> dict[str, Any]:
    """Return what a run would store of the parameters in a spec."""
    try:
        return make_evaluation(evaluation).parameters
    except UnknownNameError:
        return dict(parse(evaluation).params)
    except SpecError:
        return {"spec": evaluation}


def result(
    model: str = "random(50)",
    *,
    evaluation: str = "similarity",
    resource: str = "starter-similarity",
    metric: str = "spearman",
    score: float = 0.5,
    low: float | None = None,
    high: float | None = None,
    seed: int = 0,
    model_sha256: str | None = "ab" * 32,
    resource_sha256: str = "cd" * 32,
    n_items: int = 100,
    n_covered: int = 100,
    **other: Any,  # noqa: ANN401
) -> Result:
    source = Provenance(
        evaluation=evaluation.partition("(")[0],
        parameters=parameters_of(evaluation),
        model=model,
        model_sha256=model_sha256,
        resource=resource,
        resource_sha256=resource_sha256,
        seed=seed,
        versions={"python": "3.11.7", "lydite": "0.1.0"},
        wall_seconds=1.25,
        peak_memory_mb=320.4,
        created="2025-06-01T12:00:00+00:00",
    )
    fields: dict[str, Any] = {
        "key": f"{model}|{evaluation}|{resource}|{seed}|{model_sha256}|{resource_sha256}",
        "oov": "skip",
        "statistic": "spearman",
        "others": {},
        "details": {},
        "items": None,
        "interval": Interval(
            low=score - 0.05 if low is None else low,
            high=score + 0.05 if high is None else high,
            level=0.95,
            method="dyadic",
        ),
        "baseline": Baseline(
            kind="shuffled ratings", mean=0.001, low=-0.095, high=0.095, draws=1000
        ),
    }
    return Result(
        **{
            **fields,
            "evaluation": evaluation,
            "model": model,
            "resource": resource,
            "metric": metric,
            "score": score,
            "n_items": n_items,
            "n_covered": n_covered,
            "provenance": source,
            **other,
        }
    )


def failure(
    model: str = "broken.txt",
    *,
    evaluation: str = "similarity",
    resource: str = "starter-similarity",
    message: str = "broken.txt:3: expected 2 numbers\nhint: mend the line",
    seed: int = 0,
) -> Failure:
    return Failure(
        key="f0",
        evaluation=evaluation,
        model=model,
        resource=resource,
        seed=seed,
        error="FormatError",
        message=message,
    )


def rated(words: tuple[str, ...] = ("cat", "dog", "car"), n: int = 60) -> polars.DataFrame:
    """An item table of word similarity: ratings 0 to 9, predictions that mostly follow them."""
    gold = [float(i % 10) for i in range(n)]
    return polars.DataFrame(
        {
            "item": [str(i) for i in range(n)],
            "left": [words[i % len(words)] for i in range(n)],
            "right": [f"{words[(i + 1) % len(words)]}{i}" for i in range(n)],
            "gold": gold,
            "predicted": [None if i == 7 else g / 10 + (i % 3) / 20 for i, g in enumerate(gold)],
            "covered": [i != 7 for i in range(n)],
        }
    )


def aligned(names: tuple[str, ...], words: tuple[str, ...]) -> dict[str, Any]:
    """The details of a QVEC result."""
    return {
        "explained": {name: 0.9 - 0.01 * i for i, name in enumerate(names)},
        "dimensions": [
            {"dimension": i, "feature": name, "correlation": 0.5 + 0.01 * i, "words": list(words)}
            for i, name in enumerate(names)
        ],
        "missing": list(words[:1]),
    }


@pytest.fixture
def make_result() -> ResultMaker:
    return result


@pytest.fixture
def make_failure() -> FailureMaker:
    return failure


@pytest.fixture
def heard(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """What is logged, even after the command line has taken the log over."""
    monkeypatch.setattr(logging.getLogger("lydite"), "propagate", True)
    return caplog


@pytest.fixture
def evil() -> tuple[str, ...]:
    return EVIL


@pytest.fixture
def make_items() -> Callable[..., polars.DataFrame]:
    return rated


@pytest.fixture
def make_alignment() -> Callable[..., dict[str, Any]]:
    return aligned


SIMPLE = ("ss", "rss", "both")
AGGREGATE = ("as", "ras", "aggregate-both")


def subsumption_details(
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
                "condition": "ss",
                "margin": 0.9 - i / 100,
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
    return subsumption_details


@pytest.fixture
def make_answer(make_result: Callable[..., Result]) -> Callable[..., Result]:
    """A result of subsumption, by default with all its details."""

    def make(model: str = "a", **other: Any) -> Result:  # noqa: ANN401
        given = {"evaluation": "subsumption", "metric": "ss", "resource": "mine.tsv"}
        return make_result(
            model, **{**given, "score": 0.6, "details": subsumption_details(), **other}
        )

    return make


def consistency_details(
    values: dict[str, float | None],
    *,
    words: tuple[str, ...] = ("same", "this"),
    reason: str = "never occurs",
) -> dict[str, Any]:
    """What a result of consistency tells about terms with these reciprocal places."""
    return {
        "funnel": [
            {"name": "terms from index", "count": 1200},
            {"name": "with enough sentences", "count": len(values)},
            {"name": "learnt from at least two samples", "count": len(values) - 1},
        ],
        "notes": ["divided before Lecture V"],
        "problems": {reason: 2},
        "dropped": {f"lost {words[0]}": reason},
        "missing": [],
        "terms": [
            {
                "term": term,
                "value": value,
                "identification": value,
                "place": None if value is None else 1 / value,
                "cosine": None if value is None else 0.9 + value / 20,
                "rank": None if value is None else 1.0,
                "sentences": 10 + number,
                "context_words": 40.0,
            }
            for number, (term, value) in enumerate(values.items())
        ],
        "sizes": [
            {
                "size": size,
                "terms": terms,
                "reliability": 0.3,
                "low": 0.2,
                "high": 0.4,
                "cosine": 0.8,
            }
            for size, terms in ((1, 4), (8, 2), ("all", 4))
        ],
        "neighbours": [
            {
                "term": next(iter(values), "none"),
                "cosine": 0.95,
                "neighbours": [[[word, 0.9] for word in words], [[words[0], 0.8], ["other", 0.7]]],
            }
        ],
        "domain_difference": {
            "groups": [
                {
                    "group": "all terms",
                    "terms": 1234,
                    "cosine": 0.3,
                    "others": 0.25,
                    "difference": 0.05,
                    "low": 0.02,
                    "high": 0.08,
                },
                {"group": "high in the domain, low in the background", "terms": 0, "cosine": None},
            ]
        },
    }


TERMS: dict[str, float | None] = {"matter": 1.0, "mind": 0.5, "rest": 0.1, "lost": None}

OTHERS = {
    "identification_chance": 0.05,
    "identification_first": 0.25,
    "cosine": 0.95,
    "different_terms_cosine": 0.91,
    "size_matched_cosine": 0.93,
    "size_matched_identification": 0.06,
    "shuffled_contexts_cosine": 0.97,
    "shuffled_contexts_identification": 0.07,
    "rank_mean": 12.5,
    "rank_median": 1.0,
    "rank_first": 0.75,
    "different_terms_rank_mean": 14.0,
    "different_terms_rank_first": 0.5,
    "background_cosine": 0.3,
    "background_others": 0.28,
    "background_rank": 2902.4,
}


@pytest.fixture
def make_learnt(make_result: Callable[..., Result]) -> Callable[..., Result]:
    """A result of consistency, by default with all its details."""

    def make(model: str = "additive(a)", **other: Any) -> Result:  # noqa: ANN401
        given = {
            "evaluation": "consistency",
            "metric": "identification",
            "resource": "mine.txt",
            "score": 0.5,
            "n_items": 4,
            "n_covered": 3,
            "others": OTHERS,
            "details": consistency_details(TERMS),
        }
        return make_result(model, **{**given, **other})

    return make


def judged_details(values: dict[str, float | None], **other: Any) -> dict[str, Any]:  # noqa: ANN401
    """What a result of reliability tells of terms, by their values."""
    details = consistency_details(values, **other)
    verdicts = {True: "consistent", False: "undecided"}
    details["terms"] = [
        {
            "term": term,
            "value": value,
            "verdict": "not consistent" if value < 0.2 else verdicts[value > 0.7],
            "low": max(value - 0.2, 0.0),
            "high": min(value + 0.1, 1.0),
            "at_size": value,
            "block": 0.1,
            "blocks": 8,
            "needed": 100 * (1.2 - value),
            "topic": value / 2,
            "beaten": 0.9,
            "place_among": 0.6,
            "cosine": 0.9 + value / 20,
            "rank": 1.0,
            "sentences": 10 + number,
        }
        for number, (term, value) in enumerate(values.items())
        if value is not None
    ]
    details["judgement"] = {
        "block": "paragraph",
        "folded": False,
        "tokens": 10_000,
        "null_consistent": 0.005,
        "mean": 0.05,
        "shape": 1.0,
        "directions": 14.0,
        "along": 0.06,
        "sentences_per_block": 1.5,
    }
    return details


@pytest.fixture
def make_judged(make_result: Callable[..., Result]) -> Callable[..., Result]:
    """A result of consistency by reliability, by default with all its details."""

    def make(model: str = "additive(a)", **other: Any) -> Result:  # noqa: ANN401
        scores = ("cosine", "different_terms_cosine", "rank_mean", "rank_median", "rank_first")
        given = {
            "evaluation": "consistency",
            "metric": "reliability",
            "resource": "mine.txt",
            "score": 0.5,
            "n_items": 4,
            "n_covered": 3,
            "others": {name: OTHERS[name] for name in scores},
            "details": judged_details(TERMS),
        }
        return make_result(model, **{**given, **other})

    return make


@pytest.fixture
def make_judged_details() -> Callable[..., dict[str, Any]]:
    return judged_details


@pytest.fixture
def make_term_details() -> Callable[..., dict[str, Any]]:
    return consistency_details
