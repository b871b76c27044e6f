"""What the correlations come to, in a plain line."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.metaevaluation.best_predictor import CORRECTIONS, comparison_notes, comparison_verdict
from lydite.metaevaluation.correlation import DRAWS, ENOUGH_MODELS, Association
from lydite.metaevaluation.evaluation import LEVEL, MetaEvaluation, stands_out
from lydite.metaevaluation.layout import Grid
from lydite.stats.correlation_tests import (
    critical_correlation,
    detectable_correlation,
    items_needed,
    smallest_p_value,
)

#: A correlation that would be worth knowing of.
_WORTH = 0.5
_NAMED = 4

#: What holds for all p-values and intervals over models.
DEPENDENCE = (
    "Models of one family (one algorithm or corpus, other dimensions or windows) are not "
    "independent, so p-values are smaller and intervals narrower than they ought to be."
)


def overall_verdict(found: MetaEvaluation) -> str:
    """Say what all tests come to, and when the models are too few to say anything."""
    most = max(each.n for each in found.associations if each.r is not None)
    said = _verdict(found, found.associations)
    more = _needed(found, most) if most < ENOUGH_MODELS else _power(found, most)
    return " ".join(filter(None, [said, more, comparison_verdict(found)]))


def grid_verdict(found: MetaEvaluation, grid: Grid) -> str:
    """Say in one line what a grid comes to, by the leading method."""
    return _verdict(found, found.of(grid, found.methods[0]))


def _verdict(found: MetaEvaluation, associations: Sequence[Association]) -> str:
    tested = [each for each in associations if each.r is not None]
    if not tested:
        return "No correlation exists here, so nothing can be said."
    counts = [each.n for each in tested]
    if max(counts) < ENOUGH_MODELS:
        return f"{max(counts)} models say nothing: any correlation is possible."
    few = sum(n < ENOUGH_MODELS for n in counts)
    apart = f" {few} rest on under {ENOUGH_MODELS} models and say nothing." if few else ""
    return _clear(found, tested) + apart


def _needed(found: MetaEvaluation, n: int) -> str:
    return (
        f"Where there is nothing to find, every second correlation over {n} models is beyond "
        f"±{critical_correlation(n, 0.5):.2f}. It takes {ENOUGH_MODELS} models to say anything at "
        f"all, and about {items_needed(_WORTH, found.level)} to find a true correlation of "
        f"{_WORTH} with 80 % power{_after(found)}."
    )


def _clear(found: MetaEvaluation, tested: Sequence[Association]) -> str:
    names = found.names
    clear = sorted(filter(stands_out, tested), key=lambda each: -abs(each.r or 0))
    total = f"{len(tested)} correlation{'s' * (len(tested) > 1)}"
    if not clear:
        return f"None of the {total} stands out{_after(found)} (p < {LEVEL})."
    named = [
        f"{names[each.intrinsic]} with {names[each.downstream]} ({each.r:.2f}{_kind(found, each)})"
        for each in clear[:_NAMED]
    ]
    more = f" and {len(clear) - _NAMED} more" if len(clear) > _NAMED else ""
    verb = "stands" if len(clear) == 1 else "stand"
    return (
        f"{len(clear)} of {total} {verb} out{_after(found)} (p < {LEVEL}): "
        f"{', '.join(named)}{more}."
    )


def _kind(found: MetaEvaluation, each: Association) -> str:
    return f", {each.method.capitalize()}" if len(found.methods) > 1 else ""


def _after(found: MetaEvaluation) -> str:
    if found.correction == "none":
        return f" without a correction for {found.tests} tests"
    return f" after {CORRECTIONS[found.correction]} for {found.tests} tests"


def _power(found: MetaEvaluation, n: int) -> str:
    needed = critical_correlation(n, found.level)
    weakest = detectable_correlation(n, found.level)
    said = (
        f"With {n} models |r| must be about {needed:.2f} to stand out "
        f"({critical_correlation(n, LEVEL):.2f} if it were the only test), and a true correlation "
        f"must be {weakest:.2f} to be found with 80 % power: what does not stand out may still be "
        "there."
    )
    if weakest > _WORTH:
        wanted = items_needed(_WORTH, found.level)
        said += f" To find one of {_WORTH} takes about {wanted} models."
    return said


def notes(found: MetaEvaluation) -> list[str]:
    """Return what a reader has to know besides: what was averaged, left out, or cannot be."""
    said = [DEPENDENCE, *found.scores.notes, *_left_out(found), *_undefined(found)]
    said += [
        f"{grid.title.partition(':')[0]} of the paper also has {', '.join(grid.missing)}: "
        "no result is on that."
        for grid in found.grids
        if grid.missing
    ]
    tested = [each for each in found.associations if each.resamples]
    draws = max((each.resamples for each in tested if not each.exact), default=0)
    if draws and smallest_p_value(ENOUGH_MODELS**2, draws) >= found.level:
        said.append(
            f"With {draws:,} random orders no p is small enough to stand out among {found.tests} "
            f"tests: use at least {int(2 / found.level):,} resamples."
        )
    degenerate = [each for each in tested if each.degenerate]
    if degenerate:
        most = max(each.degenerate for each in degenerate)
        said.append(
            f"In {len(degenerate)} of {len(tested)} intervals up to {most} of {DRAWS:,} resamples "
            "of models had no correlation, since a score did not vary in them; they are left out."
        )
    return said + comparison_notes(found)


def _left_out(found: MetaEvaluation) -> list[str]:
    used = {model for each in found.associations for model in each.models}
    missing = [model for model in found.scores.models if model not in used]
    if not missing:
        return []
    names = found.model_names
    return [
        f"{len(missing)} of {len(found.scores.models)} models have no intrinsic or no downstream "
        f"score and count in no correlation: {', '.join(names[model] for model in missing)}."
    ]


def _undefined(found: MetaEvaluation) -> list[str]:
    names = found.names
    reasons: dict[str, list[str]] = {}
    for each in found.associations:
        if each.reason and each.method == found.methods[0]:
            pair = f"{names[each.intrinsic]} with {names[each.downstream]}"
            reasons.setdefault(each.reason, []).append(pair)
    return [
        f"No correlation of {', '.join(pairs[:_NAMED])}"
        f"{f' and {len(pairs) - _NAMED} more' if len(pairs) > _NAMED else ''}: {reason}."
        for reason, pairs in reasons.items()
    ]
