"""Correlations of intrinsic and downstream scores as JSON: whole, unrounded."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from lydite.reports.meta_tables import critical_values
from lydite.results.meta.associating import Association
from lydite.results.meta.comparing import Comparison
from lydite.results.meta.evaluation import MetaEvaluation, differs, stands_out
from lydite.results.meta.leading import comparison_verdict
from lydite.results.meta.scores import Measure
from lydite.results.meta.verdict import grid_verdict, notes, overall_verdict
from lydite.stats.correlation import MIN_ITEMS
from lydite.stats.correlation_power import detectable_correlation, items_needed


def meta_json(found: MetaEvaluation) -> str:
    """Write everything as one JSON object, unrounded and whole."""
    return json.dumps(meta_plain(found), ensure_ascii=False, allow_nan=False, indent=2)


def meta_plain(found: MetaEvaluation) -> dict[str, Any]:
    """Return everything as plain data."""
    names = found.names
    most = max((each.n for each in found.associations), default=0)
    return {
        "verdict": overall_verdict(found),
        "notes": notes(found),
        "correction": found.correction,
        "tests": found.tests,
        "power": {
            "models": most,
            "critical": critical_values(found, most)[0],
            "critical_corrected": critical_values(found, most)[1],
            "detectable": detectable_correlation(most, found.level) if most >= MIN_ITEMS else None,
            "models_needed_for_0.5": items_needed(0.5, found.level),
        },
        "tables": [
            {
                "table": grid.key,
                "title": grid.title,
                "verdict": grid_verdict(found, grid),
                "rows": [names[row.measure] for row in grid.rows],
                "columns": [names[column.measure] for column in grid.columns],
                "missing": list(grid.missing),
            }
            for grid in found.grids
        ],
        "measures": [
            {"name": names[each], "downstream": each.downstream, **asdict(each)}
            for each in found.scores.measures
        ],
        "models": [
            {"model": model, "scores": _scores(found, row, names)}
            for row, model in enumerate(found.scores.models)
        ],
        "correlations": [_association(found, each, names) for each in found.associations],
        "comparisons": {
            "verdict": comparison_verdict(found),
            "against": None if found.against is None else names[found.against],
            "choices": found.choices,
            "made": [_comparison(each, names) for each in found.comparisons],
        },
    }


def _scores(found: MetaEvaluation, row: int, names: dict[Measure, str]) -> dict[str, float]:
    values = zip(found.scores.measures, found.scores.values[row].tolist(), strict=True)
    return {names[measure]: value for measure, value in values if math.isfinite(value)}


def _association(
    found: MetaEvaluation, each: Association, names: dict[Measure, str]
) -> dict[str, Any]:
    critical, corrected = critical_values(found, each.n)
    return {
        **asdict(each),
        "intrinsic": names[each.intrinsic],
        "downstream": names[each.downstream],
        "n": each.n,
        "critical": critical,
        "critical_corrected": corrected,
        "stands_out": stands_out(each),
    }


def _comparison(each: Comparison, names: dict[Measure, str]) -> dict[str, Any]:
    return {
        **asdict(each),
        "first": names[each.first],
        "second": names[each.second],
        "downstream": names[each.downstream],
        "n": each.n,
        "difference": each.difference,
        "differs": differs(each),
    }
