"""Ask one model one question."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lydite.evaluations.catalogue import Question, make_evaluation
from lydite.models.catalogue import load, model_fingerprint, model_spec
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import peak_memory_mb, reset_peak_memory, versions
from lydite.results.record import Items, Outcome, Provenance, Result, result_key
from lydite.spec import Value
from lydite.storage import sha256_text
from lydite.types import Progress, silent


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """A result with its item table."""

    result: Result
    items: Items


def locate_all(resource: str) -> tuple[Located, ...]:
    """Find one resource, or several joined by ``+``.

    A file whose name holds a plus is found under its own name.
    """
    if Path(resource).exists() or "+" not in resource:
        return (locate(resource),)
    return tuple(locate(part.strip()) for part in resource.split("+"))


def evaluate(
    model: object,
    evaluation: str,
    resource: str | Path,
    *,
    seed: int = 0,
    progress: Progress = silent,
    **parameters: Value,
) -> Result:
    """Ask a model one question.

    Parameters
    ----------
    model
        A spec, a path, or an object that fulfils one of the model protocols.
    evaluation
        A name or a spec, such as ``similarity`` or ``qvec(method=cca)``.
    resource
        A name, a path, or several joined by ``+``.
    seed
        Of everything random.
    **parameters
        Parameters of the evaluation.

    Examples
    --------
    >>> result = evaluate("random(50)", "similarity", "starter-similarity")
    >>> abs(result.score) < 0.2
    True
    """
    return ask(
        load(model), evaluation, str(resource), seed=seed, progress=progress, **parameters
    ).result


def ask(
    model: object,
    evaluation: str,
    resource: str,
    *,
    seed: int,
    progress: Progress = silent,
    **parameters: Value,
) -> Evaluated:
    """Ask an opened model one question and say where the answer came from."""
    question = make_evaluation(evaluation, **parameters)
    located = locate_all(resource)
    reset_peak_memory()
    started = time.perf_counter()
    outcome: Outcome = question.run(model, located, seed=seed, progress=progress)
    seconds = time.perf_counter() - started
    provenance = Provenance(
        evaluation=question.name,
        parameters=question.parameters,
        model=model_spec(model),
        model_sha256=model_fingerprint(model),
        resource=resource,
        resource_sha256=question_sha256(question, located),
        seed=seed,
        versions=versions(),
        wall_seconds=round(seconds, 4),
        peak_memory_mb=round(peak_memory_mb(), 1),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return Evaluated(result=_result(question.spec, outcome, provenance), items=outcome.items)


def question_sha256(question: Question, located: Sequence[Located]) -> str:
    """Return the sha256 of a resource; of the list of those of several, parameters' included."""
    # A stranger's evaluation need not know that parameters can name files.
    files: list[Located] = [*located, *getattr(question, "named_resources", ())]
    if len(files) == 1:
        return files[0].sha256
    return sha256_text("\n".join(part.sha256 for part in files))


def _result(evaluation: str, outcome: Outcome, provenance: Provenance) -> Result:
    return Result(
        key=result_key(
            evaluation=evaluation,
            model=provenance.model,
            model_sha256=provenance.model_sha256,
            resource=provenance.resource,
            resource_sha256=provenance.resource_sha256,
            seed=provenance.seed,
        ),
        evaluation=evaluation,
        model=provenance.model,
        resource=provenance.resource,
        metric=outcome.metric,
        score=outcome.score,
        interval=outcome.interval,
        baseline=outcome.baseline,
        n_items=outcome.n_items,
        n_covered=outcome.n_covered,
        oov=outcome.oov,
        statistic=outcome.statistic,
        others=dict(outcome.others),
        details=dict(outcome.details),
        items=None,
        provenance=provenance,
    )
