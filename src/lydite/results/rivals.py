"""Which results can be compared: two models, one question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any, TypeAlias

from lydite.results.naming import model_namer
from lydite.results.record import Result

#: A result with its item table (a Polars data frame).
Entry: TypeAlias = tuple[Result, Any]

_Seeds: TypeAlias = dict[int, Entry]


def rivals(entries: Sequence[Entry]) -> tuple[list[tuple[Entry, Entry]], list[str]]:
    """Pair every two models that answered the same question.

    A question is an evaluation with its parameters, the bytes of a resource, and a seed. A model
    is a spec and its bytes, so a file that was trained again is another model; the same model in
    two runs is one, and its later result counts. Where two models give the same items under
    several seeds, they are paired once: a repetition says nothing new.

    Returns
    -------
    The pairs, and why models that answered the same question under other seeds are in none.
    """
    questions: dict[tuple[str, str], dict[tuple[str, str | None], _Seeds]] = defaultdict(dict)
    for entry in entries:
        result, source = entry[0], entry[0].provenance
        models = questions[result.evaluation, source.resource_sha256]
        models.setdefault((result.model, source.model_sha256), {})[source.seed] = entry
    name = model_namer([result for result, _ in entries])
    pairs: list[tuple[Entry, Entry]] = []
    reasons = []
    for models in questions.values():
        apart: dict[str, list[int]] = {}
        for first, second in combinations(models.values(), 2):
            pairs += _distinct(first, second)
            if not first.keys() & second.keys():
                apart |= {name(_any(seeds)): sorted(seeds) for seeds in (first, second)}
        if apart:
            reasons.append(_seeds_differ(_any(next(iter(models.values()))), apart))
    return pairs, reasons


def _distinct(first: _Seeds, second: _Seeds) -> list[tuple[Entry, Entry]]:
    kept: list[tuple[Entry, Entry]] = []
    for seed in sorted(first.keys() & second.keys()):
        pair = (first[seed], second[seed])
        if not any(_same_items(pair, earlier) for earlier in kept):
            kept.append(pair)
    return kept


def _same_items(one: tuple[Entry, Entry], two: tuple[Entry, Entry]) -> bool:
    return all(left[1].equals(right[1]) for left, right in zip(one, two, strict=True))


def _any(seeds: _Seeds) -> Result:
    return next(iter(seeds.values()))[0]


def _seeds_differ(result: Result, apart: dict[str, list[int]]) -> str:
    seeds = ", ".join(f"{model} with {' and '.join(map(str, s))}" for model, s in apart.items())
    return (
        f"{result.evaluation} on {result.resource} was answered with different seeds, and results "
        f"are compared only where the seed is the same: {seeds}"
    )
