"""Results of subsumption and consistency made by hand."""

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
                "cosine": 0.8,
                "cosine_low": 0.7,
                "cosine_high": 0.9,
                "identification": 0.3,
                "identification_low": 0.2,
                "identification_high": 0.4,
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
                {"group": "all terms", "terms": 1234, "cosine": 0.3},
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


@pytest.fixture
def make_term_details() -> Callable[..., dict[str, Any]]:
    return consistency_details
