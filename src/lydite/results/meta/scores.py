"""The scores of all models: a row a model, a column a measure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from lydite.errors import InputError, SpecError
from lydite.results.meta.matching import Subject, match_models
from lydite.results.record import Result
from lydite.spec import Value, parse
from lydite.types import Floats

DownstreamName: TypeAlias = Literal["classification", "tagging", "parsing"]

#: Evaluations that put vectors to use; all others are intrinsic.
DOWNSTREAM: Final[tuple[DownstreamName, ...]] = get_args(DownstreamName)


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What a score of a model measures.

    Attributes
    ----------
    evaluation
        The spec, with all parameters.
    resource, data
        The name of the data and the sha256 of their bytes.
    metric
        The metric, or the name of a further score.
    further
        Whether it is one of the further scores beside the main one.
    form
        How the space was composed to be asked, such as ``mean(·)``; empty if it was asked itself.
    """

    evaluation: str
    resource: str
    data: str
    metric: str
    further: bool = False
    form: str = ""

    @property
    def name(self) -> str:
        """The name of the evaluation."""
        try:
            return parse(self.evaluation).name
        except SpecError:
            return self.evaluation

    @property
    def parameters(self) -> dict[str, Value]:
        """The parameters of the evaluation."""
        try:
            return dict(parse(self.evaluation).params)
        except SpecError:
            return {}

    @property
    def downstream(self) -> bool:
        """Whether vectors were put to use."""
        return self.name in DOWNSTREAM


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """The scores of models.

    Attributes
    ----------
    models
        n names.
    measures
        k measures, in the order in which they first appeared.
    values
        Shape (n, k); NaN where a model has no score.
    notes
        What was averaged and what was taken for the same.
    """

    models: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    notes: tuple[str, ...] = ()

    @property
    def intrinsic(self) -> tuple[Measure, ...]:
        """The measures that put vectors to no use."""
        return tuple(measure for measure in self.measures if not measure.downstream)

    @property
    def downstream(self) -> tuple[Measure, ...]:
        """The measures of vectors put to use."""
        return tuple(measure for measure in self.measures if measure.downstream)

    def of(self, measure: Measure) -> Floats:
        """Return the scores of all models, (n,), NaN where there is none."""
        return np.asarray(self.values[:, self.measures.index(measure)])


def collect_scores(
    results: Sequence[Result],
    *,
    metrics: Sequence[str] = (),
    unwrap: bool = True,
    only: Sequence[str] = (),
) -> Scores:
    """Put all results into one table.

    A cell is the mean over seeds; of two results of one seed the one that was made later counts,
    in whatever order they are given. The bytes of the data decide whether two results are on the
    same resource, not its name.

    Parameters
    ----------
    results
        Of one run or several.
    metrics
        Further scores that are measures too: ``parsing:las``.
    unwrap, only
        As in :func:`~lydite.results.meta.matching.match_models`.
    """
    matched = match_models(results, unwrap=unwrap, only=only)
    wanted = _wanted(metrics)
    cells: dict[tuple[Measure, str], dict[int, _Dated]] = defaultdict(dict)
    names: dict[tuple[str, ...], str] = {}
    for subject, result in matched.entries:
        source = result.provenance
        resource = names.setdefault((result.evaluation, source.resource_sha256), result.resource)
        for measure, score in _measured(subject, result, resource, wanted):
            seeds = cells[measure, subject.model]
            seeds[source.seed] = _later(seeds.get(source.seed), _Dated(source.created, score))
    _refuse_unknown(metrics, (measure for measure, _ in cells))
    measures = tuple(dict.fromkeys(measure for measure, _ in cells))
    models = tuple(dict.fromkeys(model for _, model in cells))
    values = np.full((len(models), len(measures)), np.nan)
    for (measure, model), scores in cells.items():
        values[models.index(model), measures.index(measure)] = fmean(
            each.score for each in scores.values()
        )
    used = [result for _, result in matched.entries]
    said = [
        *matched.notes,
        *_seeds_note(cells.values()),
        *_contradictions_note(cells.values()),
        *_versions_note(used),
        *_dimensions_note(used),
    ]
    return Scores(models=models, measures=measures, values=values, notes=tuple(said))


class _Dated(NamedTuple):
    """A score, when it was made, and whether another one was made of the same."""

    created: str
    score: float
    contradicted: bool = False


def _later(known: _Dated | None, found: _Dated) -> _Dated:
    """Return the score that was made later, of two of one model, measure and seed."""
    if known is None:
        return found
    unlike = known.contradicted or known.score != found.score
    later = found if found.created >= known.created else known
    return later._replace(contradicted=unlike)


def _measured(
    subject: Subject, result: Result, resource: str, wanted: Sequence[tuple[str, str]]
) -> Iterable[tuple[Measure, float]]:
    def measure(metric: str, *, further: bool) -> Measure:
        return Measure(
            evaluation=result.evaluation,
            resource=resource,
            data=result.provenance.resource_sha256,
            metric=metric,
            further=further,
            form=subject.form,
        )

    main = measure(result.metric, further=False)
    yield main, result.score
    for evaluation, metric in wanted:
        if evaluation == main.name and metric in result.others:
            yield measure(metric, further=True), result.others[metric]


def _wanted(metrics: Sequence[str]) -> list[tuple[str, str]]:
    wanted = []
    for text in metrics:
        evaluation, colon, metric = text.partition(":")
        if not (evaluation and colon and metric):
            raise InputError(
                f"expected a further score as EVALUATION:NAME, got {text!r}",
                hint="for example parsing:las",
            )
        wanted.append((evaluation, metric))
    return wanted


def _refuse_unknown(metrics: Sequence[str], measures: Iterable[Measure]) -> None:
    found = {f"{measure.name}:{measure.metric}" for measure in measures if measure.further}
    missing = [text for text in metrics if text not in found]
    if missing:
        raise InputError(
            f"no result has the further score {' or '.join(missing)}",
            hint="results.jsonl names them under 'others'",
        )


def _seeds_note(cells: Iterable[dict[int, _Dated]]) -> list[str]:
    counts = [len(scores) for scores in cells]
    several = [count for count in counts if count > 1]
    if not several:
        return []
    low, high = min(several), max(several)
    seeds = f"{low}" if low == high else f"{low} to {high}"
    which = "All" if len(several) == len(counts) else f"{len(several)} of {len(counts)}"
    return [f"{which} scores are means over {seeds} seeds."]


def _contradictions_note(cells: Iterable[dict[int, _Dated]]) -> list[str]:
    unlike = sum(score.contradicted for scores in cells for score in scores.values())
    if not unlike:
        return []
    which = "One score was" if unlike == 1 else f"{unlike} scores were"
    return [
        f"{which} given twice (one model, data and seed) and not alike: what was made last counts."
    ]


def _versions_note(results: Sequence[Result]) -> list[str]:
    versions = {result.provenance.versions.get("lydite", "unknown") for result in results}
    if len(versions) < 2:
        return []
    return [f"Results were made by several versions of Lydite: {', '.join(sorted(versions))}."]


def _dimensions_note(results: Iterable[Result]) -> list[str]:
    """Warn where a score grows with the dimensions whatever the model knows."""
    sizes: dict[str, set[int]] = defaultdict(set)
    for result in results:
        if "dimensions" in result.others and "held_out" in result.others:
            name = result.evaluation.partition("(")[0]
            sizes[name].add(int(result.others["dimensions"]))
    return [
        f"The models have {min(found)} to {max(found)} dimensions, and {name} grows with them "
        "whatever the vectors know: a correlation may be that of size with use. Correlate models "
        f"of one size (--only), or the score of held-out words (--metric {name}:held_out)."
        for name, found in sizes.items()
        if len(found) > 1
    ]
