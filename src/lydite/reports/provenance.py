"""Where every number in a report came from, without saying the same thing twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydite.errors import LyditeError
from lydite.reports.table import Cell, Column, Scalar, Table
from lydite.reports.trials import evaluation_label, resource_cards
from lydite.resources.catalogue import citation
from lydite.results.record import Result


@dataclass(frozen=True, kw_only=True)
class Source:
    """A resource that was used."""

    name: str
    sha256: str
    titles: list[str]
    licences: list[str]
    citations: list[str]
    defects: list[str]


def sources(results: Sequence[Result]) -> list[Source]:
    """Return every resource once, with what its card says: title, licence, whom to cite."""
    used = dict.fromkeys((r.resource, r.provenance.resource_sha256) for r in results)
    return [_source(name, sha256) for name, sha256 in used]


def _source(name: str, sha256: str) -> Source:
    cards = resource_cards(name)
    keys = dict.fromkeys(key for card in cards for key in (card.citation, *card.also_cite))
    return Source(
        name=name,
        sha256=sha256,
        titles=[card.title for card in cards],
        licences=list(dict.fromkeys(card.licence for card in cards)),
        citations=[_citation(key) for key in keys],
        defects=[defect for card in cards for defect in card.defects],
    )


def _citation(key: str) -> str:
    try:
        return citation(key).text
    except LyditeError:
        # The card of a plugin may cite what this package's list does not hold.
        return key


def models_table(results: Sequence[Result]) -> Table:
    """Return every model once, with the bytes it was."""
    used = dict.fromkeys((r.model, r.provenance.model_sha256) for r in results)
    rows = [[model, sha256 or "not known"] for model, sha256 in used]
    return Table(columns=["model", "sha256 or fingerprint"], rows=rows, caption="Models")


def questions_table(results: Sequence[Result]) -> Table:
    """Return every test once, with all its parameters and how its uncertainty was made."""
    rows = [
        (
            result.evaluation,
            result.resource,
            result.metric,
            result.oov,
            f"{result.interval.method}, {result.interval.level:g}",
            f"{result.baseline.kind}, {result.baseline.draws} draws",
        )
        for result in results
    ]
    columns = ["evaluation", "resource", "metric", "oov", "interval", "null baseline"]
    return Table(columns=columns, rows=list(dict.fromkeys(rows)), caption="Tests")


def results_provenance(results: Sequence[Result]) -> Table:
    """Return one row a result: when it was made and what it took."""
    environments = versions(results)
    columns: list[Column | str] = [
        *("model", "evaluation", "resource"),
        *(Column(title=title, align="right") for title in ("seed", "seconds", "peak MB")),
        "created",
        Column(title="versions", shown=len(environments) > 1),
        "key",
    ]
    rows: list[list[Cell | Scalar]] = []
    for result in results:
        source = result.provenance
        rows.append(
            [
                result.model,
                evaluation_label(result.evaluation),
                result.resource,
                source.seed,
                Cell(text=f"{source.wall_seconds:.2f}", values=(source.wall_seconds,)),
                Cell(text=f"{source.peak_memory_mb:.0f}", values=(source.peak_memory_mb,)),
                source.created,
                f"set {1 + environments.index(dict(source.versions))}",
                result.key,
            ]
        )
    return Table(columns=columns, rows=rows, caption="Results")


def versions(results: Sequence[Result]) -> list[dict[str, str]]:
    """Return the different sets of versions that the results were made with."""
    found: list[dict[str, str]] = []
    for result in results:
        each = dict(result.provenance.versions)
        if each not in found:
            found.append(each)
    return found
