"""What the correlations come to, in plain lines: what stands out, and which score leads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lydite.metaevaluation.comparison import Comparison
from lydite.metaevaluation.correlation import ENOUGH_FAMILIES, LEVEL, Association, Method
from lydite.metaevaluation.evaluation import Grid, MetaEvaluation
from lydite.metaevaluation.scores import Measure, write_correlation
from lydite.stats.correlation_tests import (
    critical_correlation,
    detectable_correlation,
    items_needed,
    smallest_p_value,
)

#: A correlation that is useful to know of.
_USEFUL = 0.5
_NAMED = 4
_CORRECTIONS = {"holm": "Holm's correction", "bh": "Benjamini and Hochberg's correction"}


def corrected_for(found: MetaEvaluation, what: str) -> str:
    """Say how p was corrected for so many tests or comparisons."""
    if found.correction == "none":
        return f"without a correction for {what}"
    return f"after {_CORRECTIONS[found.correction]} for {what}"


def _after_tests(found: MetaEvaluation) -> str:
    return corrected_for(found, f"{found.tests} tests")


def _after_comparisons(found: MetaEvaluation) -> str:
    comma = "," if found.correction == "none" else ""
    return f"{comma} {corrected_for(found, f'{found.choices} comparisons')}"


def _first(said: Sequence[str], separator: str = ", ") -> str:
    """List a few, and say how many more there are."""
    more = f" and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
    return separator.join(said[:_NAMED]) + more


def overall_verdict(found: MetaEvaluation) -> str:
    """Say what all tests come to, and when the models are too few to say anything."""
    most = max(each.families for each in found.associations if each.r is not None)
    said = _verdict(found, found.associations)
    more = _needed(found, most) if most < ENOUGH_FAMILIES else _power(found, most)
    return " ".join(filter(None, [said, more, comparison_verdict(found)]))


def grid_verdict(found: MetaEvaluation, grid: Grid) -> str:
    """Say in one line what a grid comes to, by the leading method."""
    return _verdict(found, found.of(grid, found.methods[0]))


def _verdict(found: MetaEvaluation, associations: Iterable[Association]) -> str:
    tested = [each for each in associations if each.r is not None]
    if not tested:
        return "No correlation exists here, so nothing can be said."
    counts = [each.families for each in tested]
    if max(counts) < ENOUGH_FAMILIES:
        return f"{_units(tested)} are too few: any correlation is possible."
    few = sum(n < ENOUGH_FAMILIES for n in counts)
    apart = (
        f" {few} are based on fewer than {ENOUGH_FAMILIES} families of models and show nothing."
        if few
        else ""
    )
    return _clear(found, tested) + apart


def _units(tested: Sequence[Association]) -> str:
    """Say how many models there are, and families of them if these are fewer."""
    models, families = max(each.n for each in tested), max(each.families for each in tested)
    if models == families:
        return f"{models} models"
    return f"{models} models of {families} famil{'y' if families == 1 else 'ies'}"


def _clear(found: MetaEvaluation, tested: Sequence[Association]) -> str:
    names = found.names
    clear = sorted((each for each in tested if each.stands_out), key=lambda each: -abs(each.r or 0))
    total = f"{len(tested)} correlation{'s' * (len(tested) > 1)}"
    if not clear:
        return f"None of the {total} stands out {_after_tests(found)} (p < {LEVEL})."
    several = len(found.methods) > 1
    named = [
        f"{names[each.intrinsic]} with {names[each.downstream]} "
        f"({each.r:.2f}{f', {each.method.capitalize()}' * several})"
        for each in clear
    ]
    verb = "stands" if len(clear) == 1 else "stand"
    return (
        f"{len(clear)} of {total} {verb} out {_after_tests(found)} (p < {LEVEL}): {_first(named)}."
    )


def _needed(found: MetaEvaluation, n: int) -> str:
    return (
        f"Where there is nothing to find, every second correlation over {n} independent models "
        f"is beyond ±{critical_correlation(max(n, 3), 0.5):.2f}. It takes {ENOUGH_FAMILIES} "
        "families of models, whose names differ in more than dimensions and window, to say "
        f"anything at all, and about {items_needed(_USEFUL, found.level)} to find a true "
        f"correlation of {_USEFUL} with 80 % power {_after_tests(found)}."
    )


def _power(found: MetaEvaluation, n: int) -> str:
    needed = critical_correlation(n, found.level)
    weakest = detectable_correlation(n, found.level)
    said = (
        f"With {n} families of models |r| must be about {needed:.2f} to stand out "
        f"({critical_correlation(n, LEVEL):.2f} if it were the only test), and a true correlation "
        f"must be {weakest:.2f} to be found with 80 % power: a correlation that does not stand "
        "out may still exist."
    )
    if weakest > _USEFUL:
        wanted = items_needed(_USEFUL, found.level)
        said += f" To find one of {_USEFUL} takes about {wanted} families."
    return said


@dataclass(frozen=True, kw_only=True)
class Lead:
    """The intrinsic score that goes best with a downstream score."""

    # What it is the best for.
    downstream: Measure
    method: Method
    rivals: tuple[Comparison, ...]  # it against every other score, the nearest first; never empty

    @property
    def behind(self) -> int:
        """How many scores it leads by more than chance."""
        return sum(map(_clearly_ahead, self.rivals))

    @property
    def settled(self) -> bool:
        """Whether it leads all of them by more than chance."""
        return self.behind == len(self.rivals)

    @property
    def rival(self) -> Comparison:
        """It against the nearest score that may be as good; against the next if there is none."""
        return next((each for each in self.rivals if not _clearly_ahead(each)), self.rivals[0])


def _clearly_ahead(comparison: Comparison) -> bool:
    return comparison.differs and comparison.difference > 0


def leads(found: MetaEvaluation, method: Method) -> list[Lead]:
    """Return who leads for each downstream score; empty if all were compared with one by name."""
    if found.against is not None:
        return []
    return [
        Lead(
            downstream=downstream,
            method=method,
            rivals=tuple(sorted(rivals, key=lambda each: each.difference)),
        )
        for downstream, rivals in found.compared(method).items()
    ]


def lead_line(found: MetaEvaluation, lead: Lead) -> str:
    """Say whether the leading score leads by more than chance.

    ``QVEC-CCA SST leads for Senti (0.81), but not by more than chance over SimLex (0.80):
    difference 0.01 [-0.18, 0.22]. It is ahead of 2 of 12 scores by more than chance.``
    """
    names, nearest = found.names, lead.rival
    best, second = write_correlation(nearest.r_first), write_correlation(nearest.r_second)
    # An interval that leaves out 0 may still be chance, where there were many comparisons.
    alone = not nearest.differs and nearest.p_value < LEVEL
    why = f", more than chance only before correction, p = {nearest.p_value:.2g}" if alone else ""
    head = f"{names[nearest.first]} leads for {names[lead.downstream]} ({best})"
    rival = f"{names[nearest.second]} ({second}): difference {nearest.said}{why}"
    if lead.settled:
        return f"{head}, by more than chance even over {rival}."
    ahead = f"{lead.behind or 'none'} of {len(lead.rivals)} scores by more than chance"
    return f"{head}, but not by more than chance over {rival}. It is ahead of {ahead}."


def comparison_verdict(found: MetaEvaluation) -> str:
    """Say in a sentence or two which score is the best guide; empty if none were compared."""
    if not found.comparisons:
        return ""
    if found.against is not None:
        return _against(found, found.names[found.against])
    names = found.names
    said: dict[bool, list[str]] = {True: [], False: []}
    for lead in leads(found, found.methods[0]):
        rival = lead.rival
        said[lead.settled].append(
            f"{names[lead.downstream]} ({names[rival.first]} over {names[rival.second]} by "
            f"{write_correlation(rival.difference)})"
        )
    parts = [f"settled for {'; '.join(said[True])}"] if said[True] else []
    parts += [f"not settled for {'; '.join(said[False])}"] if said[False] else []
    return f"Which score is the best guide is {', and '.join(parts)}{_after_comparisons(found)}."


def _against(found: MetaEvaluation, name: str) -> str:
    clear = [each for each in found.comparisons if each.differs]
    total = f"{len(found.comparisons)} comparison{'s' * (len(found.comparisons) > 1)}"
    after = _after_comparisons(found)
    if not clear:
        return f"No score differs from {name} by more than chance in {total}{after}."
    groups = {
        "better": [each for each in clear if each.difference > 0],
        "worse": [each for each in clear if each.difference < 0],
    }
    said = [
        f"{len(group)} {'is' if len(group) == 1 else 'are'} {word} ({_listed(found, group)})"
        for word, group in groups.items()
        if group
    ]
    return f"Of {total} with {name} {' and '.join(said)} by more than chance{after}."


def _listed(found: MetaEvaluation, group: Sequence[Comparison]) -> str:
    names, several = found.names, len(found.methods) > 1
    said = [
        f"{names[each.first]} for {names[each.downstream]} by "
        f"{write_correlation(abs(each.difference))}{f', {each.method.capitalize()}' * several}"
        for each in sorted(group, key=lambda each: -abs(each.difference))
    ]
    return _first(said, "; ")


def notes(found: MetaEvaluation) -> list[str]:
    """Return what a reader has to know besides: what was averaged, left out, or cannot be."""
    said = [*_families(found), *found.scores.notes, *_left_out(found), *_undefined(found)]
    said += [
        f"{grid.title.partition(':')[0]} of the paper also has {', '.join(grid.missing)}, for "
        "which there are no results."
        for grid in found.grids
        if grid.missing
    ]
    tested = [each for each in found.associations if each.resamples]
    draws = max((each.resamples for each in tested if not each.exact), default=0)
    if draws and smallest_p_value(ENOUGH_FAMILIES**2, draws) >= found.level:
        said.append(
            f"With {draws:,} random orders no p is small enough to stand out among {found.tests} "
            f"tests: use at least {int(2 / found.level):,} resamples."
        )
    return said + comparison_notes(found)


def _families(found: MetaEvaluation) -> list[str]:
    """Say which models count as one family, and that names alone told it."""
    groups: dict[str, int] = {}
    for family in found.scores.families:
        groups[family] = groups.get(family, 0) + 1
    several = {family: count for family, count in groups.items() if count > 1}
    if not several:
        return []
    sizes = set(groups.values())
    how = (
        "whole families are put in another order"
        if len(sizes) == 1
        else "as families differ in size, their means are put in another order"
    )
    named = _first([f"{family} ({count})" for family, count in several.items()])
    return [
        f"{len(found.scores.models)} models are {len(groups)} families: {named}. Models of one "
        f"family are no independent evidence: {how}. Name families with --family if names do not "
        "tell them."
    ]


def _left_out(found: MetaEvaluation) -> list[str]:
    used = {model for each in found.associations for model in each.models}
    missing = [found.model_names[model] for model in found.scores.models if model not in used]
    if not missing:
        return []
    return [
        f"{len(missing)} of {len(found.scores.models)} models have no intrinsic or no downstream "
        f"score and count in no correlation: {', '.join(missing)}."
    ]


def _undefined(found: MetaEvaluation) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for each in found.associations:
        if each.reason and each.method == found.methods[0]:
            pair = f"{found.names[each.intrinsic]} with {found.names[each.downstream]}"
            reasons.setdefault(each.reason, []).append(pair)
    return [f"No correlation of {_first(pairs)}: {reason}." for reason, pairs in reasons.items()]


def comparison_notes(found: MetaEvaluation) -> list[str]:
    """Say so if no difference could stand out, whatever the scores."""
    if not found.comparisons or found.correction == "none":
        return []
    # Exchanging all items is as clear as exchanging none.
    least = min(
        2 / each.resamples if each.exact else 1 / (1 + each.resamples) for each in found.comparisons
    )
    if least < LEVEL / found.choices:
        return []
    return [
        f"With {found.comparisons[0].families} families of models and "
        f"{max(each.resamples for each in found.comparisons):,} exchanges no difference can stand "
        f"out among {found.choices} comparisons. Decide on fewer before looking: --against, "
        "--tables or --method; or take more models or resamples."
    ]
