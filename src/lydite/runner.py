"""Models x evaluations x resources x seeds -> results: one question, or a suite, resumable.

A suite is resumed by running it again: a result that is on disk, for the same model bytes, the
same data and the same parameters, is not computed twice.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydite.engine.local import run_jobs
from lydite.errors import LyditeError
from lydite.evaluations.catalogue import Evaluation, make_evaluation
from lydite.models.catalogue import load, model_fingerprint, model_spec
from lydite.progress import Progress, silent, watched_by
from lydite.resources.catalogue import Located, locate
from lydite.results.compare import Comparison, compare_results
from lydite.results.provenance import peak_memory_mb, reset_peak_memory, versions
from lydite.results.record import Failure, Items, Outcome, Provenance, Result, result_key
from lydite.results.store import RunStore
from lydite.spec import Value
from lydite.storage import sha256_text
from lydite.suite import Suite, read_suite

if TYPE_CHECKING:
    from lydite.trained.zoo.training import Zoo


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


def question_sha256(question: Evaluation, located: Sequence[Located]) -> str:
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


logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a suite came to.

    Attributes
    ----------
    results, failures
        In the order of the suite.
    folder
        Where they are on disk, if they are.
    items
        The item tables by the key of their result, if they are not.
    resumed
        How many of the results were on disk before.
    """

    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    folder: Path | None = None
    items: Mapping[str, Items] = field(default_factory=dict)
    resumed: int = 0

    def table(self, result: Result) -> Any:  # noqa: ANN401 - a polars.DataFrame
        """Return the item table of a result as a Polars data frame."""
        if self.folder is not None:
            return RunStore(self.folder).items(result)
        import polars

        return polars.DataFrame({k: list(v) for k, v in self.items[result.key].items()})


@dataclass(frozen=True, kw_only=True)
class Job:
    """One cell of a suite, small enough to send to another process."""

    evaluation: str
    model: str
    resource: str
    seed: int


def run(
    suite: Suite | str | Path,
    *,
    out: str | Path | None = None,
    processes: int | None = None,
    progress: Progress = silent,
) -> Run:
    """Run a suite, or what is left of it; of its zoo, what is missing is trained first.

    Parameters
    ----------
    suite
        A suite, or the path of one.
    out
        The folder of the run. Each result is written there as soon as it is known, and what is
        there already, with its item table, is not computed again. One run at a time writes there.
    processes
        How many processes to use, by default one a core.
    progress
        Told how many jobs are done.
    """
    plan = suite if isinstance(suite, Suite) else read_suite(Path(suite))
    if out is None:
        return _run(plan, None, processes, progress)
    store = RunStore(Path(out))
    with store.alone():
        return _run(plan, store, processes, progress)


def _run(plan: Suite, store: RunStore | None, processes: int | None, progress: Progress) -> Run:
    if plan.zoo is not None:
        _train(plan.zoo, progress)
    ledger = _Ledger.open(plan, store)
    total = len(ledger.jobs)
    progress("evaluating", total - len(ledger.open_jobs), total)
    with contextlib.closing(run_jobs(_work, ledger.open_jobs, processes=processes)) as answers:
        for job, answer in answers:
            ledger.take(job, answer)
            progress("evaluating", ledger.done, total)
    return ledger.close()


def _train(zoo: Zoo, progress: Progress) -> None:
    """Train what is missing of a zoo."""
    from lydite.trained.zoo.training import train_zoo

    with watched_by(progress):
        train_zoo(zoo.grid, zoo.folder, about={"versions": versions()})


def _work(job: Job) -> Evaluated:
    return ask(load(job.model), job.evaluation, job.resource, seed=job.seed)


def compare(*runs: Run | str | Path, seed: int = 0, resamples: int = 10_000) -> list[Comparison]:
    """Tell whether the differences between models are real.

    Parameters
    ----------
    *runs
        Runs, or their folders; models are compared within and across them wherever they answered
        the same question.
    seed
        The seed of the permutation tests.
    resamples
        How many permutations.
    """
    opened = [run if isinstance(run, Run) else open_run(run) for run in runs]
    entries = [(result, run.table(result)) for run in opened for result in run.results]
    return compare_results(entries, seed=seed, resamples=resamples)


def open_run(folder: str | Path) -> Run:
    """Open the folder of a run."""
    store = RunStore.existing(Path(folder))
    return Run(
        results=tuple(store.results()), failures=tuple(store.failures()), folder=store.folder
    )


class _Ledger:
    """Which jobs of a suite are done, which failed, which are open."""

    def __init__(self, jobs: list[Job], store: RunStore | None) -> None:
        self.jobs = jobs
        self.store = store
        self.results: dict[Job, Result] = {}
        self.failures: dict[Job, Failure] = {}
        self.items: dict[str, Items] = {}
        self.resumed = 0

    @classmethod
    def open(cls, suite: Suite, store: RunStore | None) -> _Ledger:
        """List the jobs, find those on disk, and those whose model or data cannot be opened."""
        jobs = [
            Job(evaluation=task.evaluation, model=model, resource=resource, seed=seed)
            for model in suite.all_models
            for task in suite.tasks
            if model in suite.models_of(task)
            for resource in task.resources
            for seed in suite.seeds
        ]
        ledger = cls(list(dict.fromkeys(jobs)), store)
        known = {result.key: result for result in store.results()} if store else {}
        if store is not None:
            store.write_suite(suite.to_toml())
        keys = _Keys()
        for job in ledger.jobs:
            try:
                found = known.get(keys.of(job))
            except LyditeError as error:
                ledger.take(job, error)
                continue
            if found is not None and store is not None and store.holds(found):
                ledger.results[job] = found
        ledger.resumed = len(ledger.results)
        return ledger

    @property
    def open_jobs(self) -> list[Job]:
        return [job for job in self.jobs if job not in self.results and job not in self.failures]

    @property
    def done(self) -> int:
        return len(self.results) + len(self.failures)

    def take(self, job: Job, answer: Evaluated | Exception) -> None:
        """Write an answer down at once."""
        if isinstance(answer, Exception):
            self.failures[job] = _failure(job, answer)
            if self.store is not None:
                self.store.write_failures(list(self.failures.values()))
            return
        if self.store is not None:
            self.results[job] = self.store.add(answer.result, answer.items)
        else:
            self.results[job] = answer.result
            self.items[answer.result.key] = answer.items

    def close(self) -> Run:
        if self.store is not None:
            self.store.write_failures(list(self.failures.values()))
        return Run(
            results=tuple(self.results[job] for job in self.jobs if job in self.results),
            failures=tuple(self.failures[job] for job in self.jobs if job in self.failures),
            folder=self.store.folder if self.store else None,
            items=self.items,
            resumed=self.resumed,
        )


class _Keys:
    """The keys of jobs; every model, resource and evaluation is opened once.

    Opening the models here, before any process is started, finds misspelt names at once and
    leaves the processes with cached spaces to map.
    """

    def __init__(self) -> None:
        self._models = _Once(lambda spec: _identity(load(spec)))
        self._resources = _Once(locate_all)
        self._evaluations = _Once(make_evaluation)

    def of(self, job: Job) -> str:
        model, fingerprint = self._models(job.model)
        question = self._evaluations(job.evaluation)
        return result_key(
            evaluation=question.spec,
            model=model,
            model_sha256=fingerprint,
            resource=job.resource,
            resource_sha256=question_sha256(question, self._resources(job.resource)),
            seed=job.seed,
        )


def _identity(model: object) -> tuple[str, str | None]:
    return model_spec(model), model_fingerprint(model)


class _Once:
    """Call a function once for each text, and raise the same error each time."""

    def __init__(self, function: Callable[[str], Any]) -> None:
        self._function = function
        self._known: dict[str, Any] = {}

    def __call__(self, text: str) -> Any:  # noqa: ANN401
        if text not in self._known:
            try:
                self._known[text] = self._function(text)
            except LyditeError as error:
                self._known[text] = error
        if isinstance(self._known[text], LyditeError):
            raise self._known[text]
        return self._known[text]


def _failure(job: Job, error: Exception) -> Failure:
    if not isinstance(error, LyditeError):
        logger.error("%s on %s: an error that should not happen", job.model, job.resource)
        logger.debug("", exc_info=error)
    return Failure(
        key=sha256_text(f"{job}")[:20],
        evaluation=job.evaluation,
        model=job.model,
        resource=job.resource,
        seed=job.seed,
        error=type(error).__name__,
        message=str(error) or repr(error),
    )
