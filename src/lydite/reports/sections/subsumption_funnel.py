"""How the triples of an inventory came about: its funnel, and the choices behind it."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydite.reports import palette
from lydite.reports.figures import (
    WIDTH,
    canvas,
    drawing,
    label,
    set_margins,
    text_width,
    to_svg,
)
from lydite.reports.sections import Figure
from lydite.reports.trials import Trial, resource_name, resource_title
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

_MODELS = 12
#: The step that draws a sample.
_SAMPLED = "drawn at random"
_COLOURS = {"concepts": palette.NULL, "pairs": palette.FAINT, "triples": palette.ACCENT}


@dataclass(frozen=True, kw_only=True)
class Made:
    """An inventory as results tell of it.

    Attributes
    ----------
    trial
        What was asked of it first.
    title
        What it is called.
    steps
        Name, count and unit of what was left after each step, before any model was asked.
    results
        One a model, by its name.
    provenance
        What it was made from and how; empty if the results do not say.
    """

    trial: Trial
    title: str
    steps: Sequence[tuple[str, int, str]]
    results: Mapping[str, Result]
    provenance: PlainMapping

    @property
    def rows(self) -> list[tuple[str, int, str]]:
        """The steps, then what models cover: one row if that is the same for all."""
        covered = {name: result.n_covered for name, result in self.results.items()}
        if len(covered) > 1 and len(set(covered.values())) == 1:
            covered = {"each model": min(covered.values())}
        return [*self.steps, *((f"covered by {name}", n, "triples") for name, n in covered.items())]


def inventories(asked: Sequence[Trial]) -> list[Made]:
    """Return each inventory once, whatever was asked of it, in order of first appearance."""
    name = model_namer([result for trial in asked for result in trial.results])
    found: dict[str, tuple[Trial, dict[str, Result]]] = {}
    for trial in asked:
        for result in trial.ranked():
            if result.details.get("funnel"):
                _, users = found.setdefault(_identity(result), (trial, {}))
                users.setdefault(name(result), result)
    short = Counter(_short_title(users) for _, users in found.values())
    return [
        # What was asked first names an inventory only where its resource does not.
        _made(trial, users, trial.title if short[_short_title(users)] > 1 else _short_title(users))
        for trial, users in found.values()
    ]


def _short_title(users: Mapping[str, Result]) -> str:
    return resource_title(next(iter(users.values())).resource)


def _made(trial: Trial, users: Mapping[str, Result], title: str) -> Made:
    details = next(iter(users.values())).details
    about = details.get("inventory", {})
    level = about.get("choices", {}).get("level")
    return Made(
        trial=trial,
        title=f"{title}, senses" if level == "sense" else title,
        # The last step is the model's own.
        steps=[(step["name"], step["count"], step["unit"]) for step in details["funnel"][:-1]],
        results=users,
        provenance=about,
    )


def _identity(result: Result) -> str:
    details = result.details
    made = [details["funnel"][:-1], details.get("inventory"), result.provenance.resource_sha256]
    return json.dumps(made, sort_keys=True)


def funnel_figure(made: Made) -> Figure:
    """Draw how many were left after each step; a scale of its own for each unit."""
    rows = made.rows[: len(made.steps) + _MODELS]
    scales = _scales(rows)
    most = [
        max(row[1] for row, s in zip(rows, scales, strict=True) if s == scale) for scale in scales
    ]
    places = [place + 0.4 * scale for place, scale in enumerate(scales)]
    with drawing():
        shown = [label(text, 36) for text, _, _ in rows]
        counts = [f"{count:,} {label(unit, 12)}" for _, count, unit in rows]
        figure = canvas(WIDTH, 0.27 * (places[-1] + 1) + 0.1)
        left, right = text_width(shown, 8.5) + 0.12, text_width(counts, 8.5) + 0.1
        set_margins(figure, left=left, right=right, top=0.05, bottom=0.05)
        axes = figure.add_subplot()
        for y, text, whole, (_, count, unit) in zip(places, counts, most, rows, strict=True):
            share = count / max(whole, 1)
            colour = _COLOURS.get(unit, palette.NULL).light
            axes.barh(y, 1.0, color=palette.RULE.light, height=0.08, lw=0)
            axes.barh(y, share, color=colour, height=0.66, lw=0)
            axes.annotate(text, (1, y), xytext=(6, 0), textcoords="offset points", va="center")
        axes.set_yticks(places, shown)
        axes.set_xticks([])
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(places[-1] + 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        svg = to_svg(figure)
    said = [f"{made.title}: what was left after each step. Bars that stand together share a scale."]
    if len(rows) < len(made.rows):
        said.append(f"Shown: {_MODELS} of {len(made.results)} models.")
    return Figure(svg=svg, caption=" ".join(said))


def _scales(rows: Sequence[tuple[str, int, str]]) -> list[int]:
    """Give each step its scale: another for another unit, and for a sample beside the whole."""
    scales = [0]
    for (_, _, before), (name, _, after) in itertools.pairwise(rows):
        scales.append(scales[-1] + (before != after or name == _SAMPLED))
    return scales


def choices_note(made: Made) -> str:
    """Say what an inventory was made from and which choices made it; empty if that is unknown."""
    about, choices = made.provenance, made.provenance.get("choices", {})
    if not about.get("taxonomy"):
        return ""
    taxonomy = resource_name(about["taxonomy"])
    pairs = f" between the pairs of {resource_name(about['pairs'])}" if about.get("pairs") else ""
    parts = [f"{made.title}: triples from {taxonomy}{pairs}"]
    parts += [text for text in _told(about, choices) if text]
    return f"{'; '.join(parts)}."


def _told(about: PlainMapping, choices: PlainMapping) -> list[str]:
    def kind(name: str, words: Mapping[Any, str]) -> str:
        return words.get(choices.get(name), "")

    def given(value: object, words: str) -> str:
        return words if value else ""

    relation, part = choices.get("relation"), choices.get("part_of_speech")
    excluded = ", ".join(choices.get("exclude", ()))
    count, content = choices.get("min_count") or 0, choices.get("min_ic") or 0
    counts, contents = (resource_name(about.get(name, "a file")) for name in ("frequencies", "ic"))
    return [
        given(relation, f"relation {relation}"),
        given(part, f"part of speech {part}, where the taxonomy has it"),
        kind("senses", {"all": "all senses of A and C", "first": "first senses of A and C only"}),
        kind("lemmas", {"all": "all lemmas between them", "first": "first lemmas between only"}),
        kind("paths", {"all": "all paths", "shortest": "shortest paths only"}),
        kind("inferred", _INFERRED),
        given(excluded, f"without {excluded}"),
        given(count, f"each word at least {count:,g} times by {counts}"),
        given(content, f"information content above {content:g} by {contents}"),
    ]


_INFERRED = {
    "sense": "A-C not asserted between the two senses",
    "word": "A-C not asserted between any senses of the two words",
    "any": "A-C asserted or not",
}
