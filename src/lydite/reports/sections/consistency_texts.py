"""The texts that terms were learnt from, each with its learners, and what these tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lydite.errors import LyditeError
from lydite.reports.trials import Trial, resource_title, trials
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.spec import parse
from lydite.types import PlainMapping

#: How many terms of a reason are named.
_DROPPED = 8


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text, or samples of one, and all who learnt its terms.

    Attributes
    ----------
    title
        Of the text; with the parameters of the question if it was asked in several ways.
    learners
        The results by the learner's name, the best in identification first.
    """

    title: str
    learners: Mapping[str, Result]

    def told(
        self, read: Callable[[Result], Mapping[str, PlainMapping]]
    ) -> dict[str, Mapping[str, PlainMapping]]:
        """Return a detail, rows by name, of each learner that has it."""
        return {name: rows for name, each in self.learners.items() if (rows := read(each))}


def texts(results: Sequence[Result]) -> list[Text]:
    """Group results by text; questions that differ in the leading metric alone are one."""
    # The one that leads with identification has its interval.
    ordered = sorted(results, key=lambda result: result.metric != "identification")
    groups: dict[tuple[str, ...], list[Trial]] = {}
    for trial in trials(ordered):
        groups.setdefault(_identity(trial.results[0]), []).append(trial)
    titles = [resource_title(group[0].results[0].resource) for group in groups.values()]
    several = Counter(titles)
    return [
        Text(
            title=group[0].title if several[title] > 1 else title,
            learners=_named([result for trial in group for result in trial.results]),
        )
        for title, group in zip(titles, groups.values(), strict=True)
    ]


def _identity(result: Result) -> tuple[str, ...]:
    source = result.provenance
    return (_question(result), result.resource, str(source.seed), source.resource_sha256)


def _question(result: Result) -> str:
    try:
        spec = parse(result.evaluation)
    except LyditeError:
        return result.evaluation
    kept = tuple((key, value) for key, value in spec.params if key != "metric")
    return str(replace(spec, params=kept))


def _named(results: Sequence[Result]) -> dict[str, Result]:
    full = model_namer(results)
    names = list(dict.fromkeys(map(full, results)))
    kinds = Counter(map(_kind, names))
    short = {name: _kind(name) if kinds[_kind(name)] == 1 else name for name in names}
    ranked = sorted(results, key=lambda result: -(score_of(result, "identification") or 0.0))
    learners: dict[str, Result] = {}
    for result in ranked:
        kept = learners.setdefault(short[full(result)], result)
        if kept.metric != "identification" and result.metric == "identification":
            learners[short[full(result)]] = result
    return learners


def _kind(name: str) -> str:
    """Return a learner's name without its parameters, which tells it where no two share it."""
    try:
        return parse(name).name
    except LyditeError:
        return name


def score_of(result: Result, name: str) -> float | None:
    """Return one of the scores of a result, leading or not; None if it has none of that name."""
    return result.score if result.metric == name else result.others.get(name)


def sizes_of(result: Result) -> dict[str, PlainMapping]:
    """Return what was measured with so many sentences a sample, by their number, in order."""
    return {str(row["size"]): row for row in result.details.get("sizes") or []}


def groups_of(result: Result) -> dict[str, PlainMapping]:
    """Return the groups of terms by their frequency in the domain and the background."""
    domain = result.details.get("domain_difference") or {}
    return {str(row["group"]): row for row in domain.get("groups") or []}


def all_rows(learners: Mapping[str, Mapping[str, PlainMapping]]) -> list[str]:
    """Return the names of the rows that any learner has, in order of first appearance."""
    return list(dict.fromkeys(name for rows in learners.values() for name in rows))


def blind_choice(terms: int) -> float:
    """Return the mean reciprocal place of a blind choice among so many terms: H(n) / n.

    >>> blind_choice(2)
    0.75
    """
    return sum(1 / place for place in range(1, terms + 1)) / terms


def source_notes(text: Text) -> list[str]:
    """Say what a text gave, and which terms were left out and why; learners share it."""
    said: list[str] = []
    for result in text.learners.values():
        details = result.details
        said += [f"{text.title}: {note}." for note in details.get("notes") or []]
        problems = details.get("problems") or {}
        if problems:
            counts = ", ".join(f"{reason} ({count:,})" for reason, count in problems.items())
            said.append(
                f"{text.title}: terms left out: {counts}.{_examples(details.get('dropped') or {})}"
            )
    return list(dict.fromkeys(said))


def _examples(dropped: Mapping[str, str]) -> str:
    """Name a few of the terms of each reason."""
    by_reason: dict[str, list[str]] = {}
    for term, reason in dropped.items():
        by_reason.setdefault(str(reason), []).append(str(term))
    named = [
        f"{reason}: {', '.join(terms[:_DROPPED])}{' and others' if len(terms) > _DROPPED else ''}"
        for reason, terms in by_reason.items()
    ]
    return f" Among them, {'; '.join(named)}." if named else ""
