"""Which intrinsic score leads, and whether by more than chance, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydite.metaevaluation.comparison import Comparison
from lydite.metaevaluation.correlation import Method
from lydite.metaevaluation.evaluation import LEVEL, MetaEvaluation, differs
from lydite.metaevaluation.scores import Measure, write_correlation

CORRECTIONS = {"holm": "Holm's correction", "bh": "Benjamini and Hochberg's correction"}
_NAMED = 4
_INDEPENDENT = ", as if models were independent,"


@dataclass(frozen=True, kw_only=True)
class Lead:
    """The intrinsic score that goes best with a downstream score.

    Attributes
    ----------
    downstream, method
        What it is the best for.
    rivals
        It against every other score, the nearest first; never empty.
    """

    downstream: Measure
    method: Method
    rivals: tuple[Comparison, ...]

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
    return differs(comparison) and comparison.difference > 0


def leads(found: MetaEvaluation, method: Method) -> list[Lead]:
    """Return who leads for each downstream score; empty if all were compared with one by name."""
    groups: dict[Measure, list[Comparison]] = {}
    if found.against is None:
        for each in found.comparisons:
            if each.method == method:
                groups.setdefault(each.downstream, []).append(each)
    return [
        Lead(
            downstream=downstream,
            method=method,
            rivals=tuple(sorted(rivals, key=lambda each: each.difference)),
        )
        for downstream, rivals in groups.items()
    ]


def lead_line(found: MetaEvaluation, lead: Lead) -> str:
    """Say whether the leading score leads by more than chance.

    ``QVEC-CCA SST leads for Senti (0.81), but not by more than chance over SimLex (0.80):
    difference 0.01 [-0.18, 0.22]. It is ahead of 2 of 12 scores by more than chance.``
    """
    names, nearest = found.names, lead.rival
    best, second = write_correlation(nearest.r_first), write_correlation(nearest.r_second)
    head = f"{names[nearest.first]} leads for {names[lead.downstream]} ({best})"
    said = f"{difference_said(nearest)}{_alone(nearest)}"
    rival = f"{names[nearest.second]} ({second}): difference {said}"
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
    every = leads(found, found.methods[0])
    clear = [_named(found, lead) for lead in every if lead.settled]
    unclear = [_named(found, lead) for lead in every if not lead.settled]
    parts = [f"settled{_INDEPENDENT} for {'; '.join(clear)}"] if clear else []
    parts += [f"not settled for {'; '.join(unclear)}"] if unclear else []
    return f"Which score is the best guide is {', and '.join(parts)}{_after(found)}."


def _named(found: MetaEvaluation, lead: Lead) -> str:
    names, nearest = found.names, lead.rival
    return (
        f"{names[lead.downstream]} ({names[nearest.first]} over {names[nearest.second]} by "
        f"{write_correlation(nearest.difference)})"
    )


def _alone(comparison: Comparison) -> str:
    """Say why a difference whose interval leaves out 0 is still chance: there were many."""
    if differs(comparison) or comparison.p_value >= LEVEL:
        return ""
    return f", more than chance only by itself, p = {comparison.p_value:.2g}"


def _against(found: MetaEvaluation, name: str) -> str:
    clear = [each for each in found.comparisons if differs(each)]
    total = f"{len(found.comparisons)} comparison{'s' * (len(found.comparisons) > 1)}"
    if not clear:
        return f"No score differs from {name} by more than chance in {total}{_after(found)}."
    better = [each for each in clear if each.difference > 0]
    worse = [each for each in clear if each.difference < 0]
    said = [
        f"{len(group)} {'is' if len(group) == 1 else 'are'} {word} ({_listed(found, group)})"
        for word, group in (("better", better), ("worse", worse))
        if group
    ]
    return (
        f"Of {total} with {name} {' and '.join(said)} by more than chance{_INDEPENDENT}"
        f"{_after(found)}."
    )


def _listed(found: MetaEvaluation, group: Sequence[Comparison]) -> str:
    names = found.names
    kinds = len(found.methods) > 1
    clearest = sorted(group, key=lambda each: -abs(each.difference))
    said = [
        f"{names[each.first]} for {names[each.downstream]} by "
        f"{write_correlation(abs(each.difference))}"
        f"{f', {each.method.capitalize()}' if kinds else ''}"
        for each in clearest[:_NAMED]
    ]
    more = f" and {len(group) - _NAMED} more" if len(group) > _NAMED else ""
    return "; ".join(said) + more


def comparison_notes(found: MetaEvaluation) -> list[str]:
    """Return what a reader of the comparisons has to know besides."""
    if not found.comparisons or found.correction == "none":
        return []
    level = LEVEL / found.choices
    least = min(_smallest_p(each) for each in found.comparisons)
    if least < level:
        return []
    return [
        f"With {len(found.comparisons[0].models)} models and "
        f"{max(each.resamples for each in found.comparisons):,} exchanges no difference can stand "
        f"out among {found.choices} comparisons. Decide on fewer before looking: --against, "
        "--tables or --method; or take more models or resamples."
    ]


def _smallest_p(comparison: Comparison) -> float:
    # Exchanging all items is as clear as exchanging none.
    tried = comparison.resamples
    return 2 / tried if comparison.exact else 1 / (1 + tried)


def _after(found: MetaEvaluation) -> str:
    if found.correction == "none":
        return f", without a correction for {found.choices} comparisons"
    return f" after {CORRECTIONS[found.correction]} for {found.choices} comparisons"


def difference_said(comparison: Comparison) -> str:
    """Write a difference with its interval."""
    said = write_correlation(comparison.difference)
    if comparison.low is None or comparison.high is None:
        return said
    return f"{said} [{write_correlation(comparison.low)}, {write_correlation(comparison.high)}]"
