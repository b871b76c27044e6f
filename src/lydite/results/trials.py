"""Results put in order: which questions were asked, which models answered, what they are called."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

from lydite.errors import SpecError
from lydite.resources.card import Card
from lydite.resources.catalogue import CATALOGUE
from lydite.results.metrics import is_lower_better
from lydite.results.record import Result
from lydite.spec import Spec, parse


def model_namer(results: Sequence[Result]) -> Callable[[Result], str]:
    """Return how each model is called: its spec, with its bytes if two share the spec."""
    digests: dict[str, set[str | None]] = defaultdict(set)
    for result in results:
        digests[result.model].add(result.provenance.model_sha256)

    def name(result: Result) -> str:
        digest = result.provenance.model_sha256
        several = len(digests[result.model]) > 1
        return f"{result.model} @{digest[:8]}" if digest and several else result.model

    return name


def spec_of_model(result: Result) -> Spec | None:
    """Return the spec of the model of a result; None for a path that is none."""
    return _parsed(result.model)


@cache
def _parsed(model: str) -> Spec | None:
    try:
        return parse(model)
    except SpecError:
        return None


def is_made_by(result: Result, name: str) -> bool:
    """Tell whether the model of a result has this name in its spec, whatever its options."""
    spec = spec_of_model(result)
    return spec is not None and spec.name == name


def question_namer(results: Iterable[Result]) -> Callable[[Result], str]:
    """Return what each evaluation is called: its spec.

    Older records spell all parameters out, newer ones those that are not at their defaults. Of one
    evaluation with the same parameters the shorter counts, so that both answer one question.
    """
    shortest: dict[str, str] = {}
    for result in results:
        asked = _asked(result)
        shortest[asked] = min(shortest.get(asked, result.evaluation), result.evaluation, key=len)
    return lambda result: shortest[_asked(result)]


def _asked(result: Result) -> str:
    source = result.provenance
    return json.dumps([source.evaluation, source.parameters], sort_keys=True, default=str)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One evaluation on one resource: all the models that can be compared with each other.

    Attributes
    ----------
    label
        The name with the parameters that are not at their defaults.
    resource
        The name of the resource; of a user's file, without its folder.
    mark
        What tells this trial from another that reads the same: its seed, the bytes of its data.
    """

    evaluation: str
    label: str
    resource: str
    metric: str
    mark: str
    results: tuple[Result, ...]

    @property
    def title(self) -> str:
        """The resource by its title, with what is not usual about the question."""
        unusual = self.label if self.label != self.evaluation else ""
        title = resource_title(self.results[0].resource)
        return ", ".join(part for part in (title, unusual, self.mark) if part)

    def ranked(self) -> list[Result]:
        """Return the results, best first, as the metric is declared: some are better if lower."""
        sign = 1 if is_lower_better(self.results[0]) else -1
        return sorted(self.results, key=lambda result: sign * result.score)


def trials(results: Iterable[Result]) -> list[Trial]:
    """Group results by what was asked, in order of first appearance."""
    groups: dict[tuple[str, str, str, int, str], list[Result]] = defaultdict(list)
    results = list(results)
    name = question_namer(results)
    for result in results:
        source = result.provenance
        key = (name(result), result.resource, result.metric, source.seed, source.resource_sha256)
        groups[key].append(result)
    seed_matters = len({key[3] for key in groups}) > 1
    bytes_matter = _repeated((key[:4], key[4]) for key in groups)
    return [
        Trial(
            evaluation=group[0].provenance.evaluation,
            label=key[0],
            resource=resource_name(key[1]),
            metric=key[2],
            mark=", ".join(
                [f"seed {key[3]}"] * seed_matters
                + [f"data {key[4][:8]}"] * (key[:4] in bytes_matter)
            ),
            results=tuple(group),
        )
        for key, group in groups.items()
    ]


def by_evaluation(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Group results by the name of their evaluation, in order of first appearance."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.provenance.evaluation].append(result)
    return dict(groups)


def resource_cards(resource: str) -> list[Card]:
    """Return the cards of a resource, or of several joined by ``+``; none for a user's file."""
    if resource in CATALOGUE:
        return [CATALOGUE.find(resource)]
    parts = [part.strip() for part in resource.split("+")]
    return [CATALOGUE.find(part) for part in parts if part in CATALOGUE]


def resource_name(resource: str) -> str:
    """Return a resource as it was asked for, a user's file without its folder.

    >>> resource_name("simlex-999"), resource_name("folder/pairs.tsv")
    ('simlex-999', 'pairs.tsv')
    """
    if resource_cards(resource):
        return resource
    return PurePath(resource).name or resource


def resource_title(resource: str) -> str:
    """Return what people call a resource: the title on its card, or the name of its file.

    >>> resource_title("simlex-999"), resource_title("folder/pairs.tsv")
    ('SimLex-999', 'pairs.tsv')
    """
    if resource in CATALOGUE:
        return CATALOGUE.find(resource).title
    parts = [part.strip() for part in resource.split("+")]
    # A file whose name holds a plus is one file: of several, each is a name or has an ending.
    named = [part in CATALOGUE or bool(PurePath(part).suffix) for part in parts]
    if len(parts) > 1 and (all(named) or any(part in CATALOGUE for part in parts)):
        return " + ".join(resource_title(part) for part in parts)
    return PurePath(resource).name or resource


def _repeated(pairs: Iterable[tuple[object, object]]) -> set[object]:
    """Return the first members that come with more than one second member."""
    seconds: dict[object, set[object]] = defaultdict(set)
    for first, second in pairs:
        seconds[first].add(second)
    return {first for first, found in seconds.items() if len(found) > 1}
