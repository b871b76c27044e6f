"""Models x evaluations x resources x seeds -> results: one question, or a suite, resumable.

A suite is resumed by running it again: a result that is on disk, for the same model bytes, the
same data and the same parameters, is not computed twice.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import logging
import platform
import time
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from lydite.boundary import boundary
from lydite.engine import Engine, check_trusted, opened_engine, running_on
from lydite.engine.local import LocalEngine
from lydite.errors import InputError, LyditeError, ResourceError
from lydite.evaluations.catalogue import Evaluation, make_evaluation
from lydite.models.catalogue import load, model_fingerprint, model_spec
from lydite.models.keys import check_allowed
from lydite.models.word_coverage import WordTally, counting_words
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located, locate_all
from lydite.results.compare import RESAMPLES, Comparison, compare_results
from lydite.results.metrics import ENOUGH_WORDS
from lydite.results.provenance import peak_memory_mb, reset_peak_memory, versions
from lydite.results.record import (
    NUMBERS,
    WORD_COVERAGE,
    Failure,
    Items,
    Outcome,
    Provenance,
    Result,
    result_key,
)
from lydite.results.store import RunStore
from lydite.spec import Value
from lydite.storage import sha256_text
from lydite.suite import Suite, Task, read_suite

logger = logging.getLogger(__name__)

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

#: What to do about a worker that does not see what this machine sees.
_SHARE = (
    "put data and vector files where all machines see them at the same path, or give each worker "
    "its own with LYDITE_DATA and LYDITE_CACHE"
)
#: How many models a worker keeps open. Jobs come model by model: it needs one, and then the next.
_KEPT = 2


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """A result with its item table."""

    result: Result
    items: Items


@dataclass(frozen=True, kw_only=True)
class Material:
    """What a question is asked with.

    Attributes
    ----------
    name
        The resource as it was asked for.
    resources
        Its files; of several that are joined by ``+``, those of each.
    sha256
        Of the resource; of several, and of files that parameters name, that of the list of theirs.
    """

    name: str
    resources: tuple[Located, ...]
    sha256: str

    @classmethod
    def of(cls, evaluation: Evaluation, name: str, resources: tuple[Located, ...]) -> Material:
        """Look up the files that parameters name, too."""
        digests = [file.sha256 for file in (*resources, *evaluation.named_resources)]
        sha256 = digests[0] if len(digests) == 1 else sha256_text("\n".join(digests))
        return cls(name=name, resources=resources, sha256=sha256)


class Identity(NamedTuple):
    """What a model is in results: its spec, and which bytes it is if it says so."""

    spec: str
    sha256: str | None

    @classmethod
    def of(cls, model: object) -> Identity:
        """Ask a model who it is."""
        return cls(model_spec(model), model_fingerprint(model))


def evaluate(
    model: object,
    evaluation: str | Evaluation,
    resource: str | Path,
    *,
    seed: int = 0,
    progress: Progress = silent,
    engine: str | Engine = "local",
    **parameters: Value,
) -> Result:
    """Ask a model one question.

    Parameters
    ----------
    model
        A spec, a path, or an object that fulfils one of the model protocols.
    evaluation
        An evaluation, a name or a spec, such as ``similarity`` or ``qvec(method=cca)``.
    resource
        A name, a path, or several joined by ``+``.
    seed
        Seed for everything random.
    engine
        Where resamples and other parts of the question are computed: ``local``, ``dask`` or the
        address of a scheduler.
    **parameters
        Parameters of the evaluation.

    Examples
    --------
    >>> result = evaluate("random(50)", "similarity", "starter-similarity")
    >>> abs(result.score) < 0.2
    True
    """
    # A script that asks one question may not be made for processes that import it again.
    with opened_engine(engine, processes=1 if engine == "local" else None) as where:
        opened = load(model)
        with running_on(where):
            return ask(
                opened, evaluation, str(resource), seed=seed, progress=progress, **parameters
            ).result


def ask(
    model: object,
    evaluation: str | Evaluation,
    resource: str,
    *,
    seed: int,
    progress: Progress = silent,
    **parameters: Value,
) -> Evaluated:
    """Ask an opened model one question and say where the answer came from."""
    if isinstance(evaluation, str):
        question = make_evaluation(evaluation, **parameters)
    else:
        question = dataclasses.replace(evaluation, **parameters) if parameters else evaluation
    material = Material.of(question, resource, locate_all(resource))
    return _answer(model, question, material, seed=seed, progress=progress)


def _answer(
    model: object,
    question: Evaluation,
    material: Material,
    *,
    seed: int,
    identity: Identity | None = None,
    progress: Progress = silent,
) -> Evaluated:
    reset_peak_memory()
    started = time.perf_counter()
    with counting_words() as tally, boundary(f"{question.name} on {material.name}"):
        outcome = question.run(model, material.resources, seed=seed, progress=progress)
    seconds = time.perf_counter() - started
    identity = identity or Identity.of(model)
    provenance = Provenance(
        evaluation=question.name,
        parameters=question.parameters,
        model=identity.spec,
        model_sha256=identity.sha256,
        resource=material.name,
        resource_sha256=material.sha256,
        seed=seed,
        versions=versions(),
        wall_seconds=round(seconds, 4),
        peak_memory_mb=round(peak_memory_mb(), 1),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        downstream=question.downstream,
    )
    key = _key(question, identity, material, seed)
    outcome = _with_words(outcome, tally, identity.spec, material.name)
    return Evaluated(result=_result(key, question.spec, outcome, provenance), items=outcome.items)


def _with_words(outcome: Outcome, tally: WordTally, model: str, resource: str) -> Outcome:
    """Add the share of words that were known, unless the evaluation says it itself."""
    if tally.share is None or WORD_COVERAGE in outcome.others:
        return outcome
    if tally.share < ENOUGH_WORDS:
        logger.warning(
            "%s knows %.0f %% of the words of %s, and what is said of it rests on those alone",
            model,
            100 * tally.share,
            resource,
        )
    return dataclasses.replace(outcome, others={**outcome.others, WORD_COVERAGE: tally.share})


def _key(question: Evaluation, identity: Identity, material: Material, seed: int) -> str:
    return result_key(
        evaluation=question.key,
        model=identity.spec,
        model_sha256=identity.sha256,
        resource=material.name,
        resource_sha256=material.sha256,
        seed=seed,
    )


def _result(key: str, evaluation: str, outcome: Outcome, provenance: Provenance) -> Result:
    return Result(
        key=key,
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
class Cell:
    """One cell of a suite: a question to a model; a spec where no evaluation can be made of it."""

    evaluation: Evaluation | str
    model: str
    resource: str
    seed: int

    @property
    def spec(self) -> str:
        """The evaluation as a spec."""
        return self.evaluation if isinstance(self.evaluation, str) else self.evaluation.spec


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """A cell with what is needed to fill it, small enough to send to another process."""

    cell: Cell
    evaluation: Evaluation
    material: Material
    identity: Identity
    #: By which rules its numbers are made; a worker with another Lydite must not answer.
    numbers: int = NUMBERS


def run(
    suite: Suite | str | Path,
    *,
    out: str | Path | None = None,
    processes: int | None = None,
    engine: str | Engine | None = None,
    progress: Progress = silent,
    strict: bool = False,
    allow_keys: Iterable[str] = (),
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
        How many processes to use, by default one per core.
    engine
        Where the jobs run: ``local``, ``dask`` (a cluster on this machine) or the address of a
        scheduler, such as ``tcp://host:8786``; by default what the suite says, else ``local``. The
        results are the same.
    progress
        Told how many jobs are done.
    strict
        Raise at once if an evaluation, a model or a resource cannot be opened, before anything is
        written. By default that is a failure, which is recorded, and the rest runs.
    allow_keys
        What a suite from a file may send: ``VARIABLE@HOST``, or ``VARIABLE`` to all its hosts,
        beside what ``LYDITE_ALLOW_KEYS`` lists. A suite made in Python may send what it names.
    """
    plan = suite if isinstance(suite, Suite) else read_suite(Path(suite))
    if plan.from_file:
        check_allowed(plan.keys, allow_keys)
    with opened_engine(engine or check_trusted(plan.engine), processes=processes) as where:
        return _run_on(where, plan, out, processes, progress, strict=strict)


def _run_on(
    engine: Engine,
    plan: Suite,
    out: str | Path | None,
    processes: int | None,
    progress: Progress,
    *,
    strict: bool,
) -> Run:
    inputs = _Inputs()
    cells = inputs.cells(plan)
    # Of several processes each opens its own models, and this one need not keep any.
    inputs.keep = _is_here(engine, len(cells))
    if strict and plan.zoo is None:
        inputs.check(plan)
    store = None if out is None else RunStore(Path(out))
    with store.alone() if store else contextlib.nullcontext():
        if plan.zoo is not None:
            # One training takes all cores and much memory: several at a time only if asked for.
            with running_on(engine if engine.elsewhere else LocalEngine(processes or 1)):
                plan.zoo.train(progress)
        if strict:
            inputs.check(plan)
        if store is not None:
            store.write_suite(plan.to_toml())
        return _fill(_Ledger(cells, store), inputs, engine, progress)


def _is_here(engine: Engine, jobs: int) -> bool:
    return not engine.elsewhere and min(engine.width, jobs) <= 1


def _fill(ledger: _Ledger, inputs: _Inputs, engine: Engine, progress: Progress) -> Run:
    jobs = ledger.open(inputs)
    total = len(ledger.cells)
    progress("evaluating", ledger.done, total)
    work: Callable[[Job], Evaluated] = _work_elsewhere if engine.elsewhere else _work
    if _is_here(engine, len(jobs)):
        work = _in_this_process(inputs, jobs)
    with contextlib.closing(engine.run(work, jobs)) as answers:
        for job, answer in answers:
            ledger.take(job.cell, answer)
            progress("evaluating", ledger.done, total)
    return ledger.close()


def _work(job: Job) -> Evaluated:
    """Do a job in a process that has nothing else to do."""
    model, identity = _kept_open(job.cell.model, job.identity.sha256)
    return _answer(model, job.evaluation, job.material, seed=job.cell.seed, identity=identity)


def _work_elsewhere(job: Job) -> Evaluated:
    """Do a job where other files may be seen: what is opened there has to be the same."""
    worker = platform.node()
    if job.numbers != NUMBERS:
        raise ResourceError(
            f"the worker on {worker} has another version of Lydite", hint="install the same there"
        )
    try:
        model, identity = _kept_open(job.cell.model, job.identity.sha256)
        material = _found_here(job.evaluation, job.cell.resource, job.material.sha256)
    except LyditeError as error:
        raise ResourceError(f"on the worker {worker}: {error.message}", hint=_SHARE) from error
    if identity != job.identity:
        raise ResourceError(
            f"{job.cell.model} is another model on the worker {worker}", hint=_SHARE
        )
    if material.sha256 != job.material.sha256:
        raise ResourceError(
            f"{job.cell.resource} is other data on the worker {worker}", hint=_SHARE
        )
    return _answer(model, job.evaluation, material, seed=job.cell.seed, identity=identity)


@functools.lru_cache(maxsize=_KEPT)
def _kept_open(model: str, sha256: str | None) -> tuple[Any, Identity]:
    """Open a model; with other bytes it is another one to a worker that lives for many runs."""
    opened = load(model)
    return opened, Identity.of(opened)


@functools.lru_cache(maxsize=64)
def _found_here(evaluation: Evaluation, resource: str, sha256: str) -> Material:
    return Material.of(evaluation, resource, locate_all(resource))


def _in_this_process(inputs: _Inputs, jobs: list[Job]) -> Callable[[Job], Evaluated]:
    """Return what does a job with the models that are open, and closes each after its last job."""
    left = Counter(job.cell.model for job in jobs)
    inputs.close_models(but=left)

    def work(job: Job) -> Evaluated:
        cell = job.cell
        model, identity = inputs.opened(cell.model)
        left[cell.model] -= 1
        if not left[cell.model]:
            inputs.close_models(but=+left)
        return _answer(model, job.evaluation, job.material, seed=cell.seed, identity=identity)

    return work


def compare(
    *runs: Run | str | Path,
    resamples: int = RESAMPLES,
    engine: str | Engine = "local",
) -> list[Comparison]:
    """Tell whether the differences between models are real.

    Parameters
    ----------
    *runs
        Runs, or their folders; models are compared within and across them wherever they answered
        the same question.
    resamples
        How many exchanges are drawn where they cannot all be counted; at most 10,000 for
        correlations.
    engine
        Where they are computed: ``local``, ``dask`` or the address of a scheduler.
    """
    opened = [run if isinstance(run, Run) else open_run(run) for run in runs]
    entries = [(result, run.table(result)) for run in opened for result in run.results]
    with opened_engine(engine) as where, running_on(where):
        return compare_results(entries, resamples=resamples)


def open_run(folder: str | Path) -> Run:
    """Open the folder of a run."""
    store = RunStore.existing(Path(folder))
    return Run(
        results=tuple(store.results()), failures=tuple(store.failures()), folder=store.folder
    )


class _Inputs:
    """What a suite asks with: every evaluation is made, model opened and resource located once.

    Opening models before any process is started finds misspelt names at once and leaves the
    processes with cached spaces to map.

    Attributes
    ----------
    keep
        Whether models stay open, for work in this process.
    """

    def __init__(self) -> None:
        self.keep = True
        self._open: dict[str, Any] = {}
        self._identity = _Once(self._identify)
        self._evaluation = _Once(make_evaluation)
        self._located = _Once(locate_all)
        self._material = _Once(self._find_material)

    def check(self, suite: Suite) -> None:
        """Raise at the first evaluation, model or resource that cannot be opened."""
        for task in suite.tasks:
            self.evaluation(task.evaluation)
        for model in suite.all_models:
            self._identity(model)
        for task in suite.tasks:
            for resource in task.resources:
                self._located(resource)

    def cells(self, suite: Suite) -> list[Cell]:
        """Return the cells of a suite, model by model."""
        asked = [(task, set(suite.models_of(task)), self._made(task)) for task in suite.tasks]
        cells = [
            Cell(evaluation=evaluation, model=model, resource=resource, seed=seed)
            for model in suite.all_models
            for task, models, evaluation in asked
            if model in models
            for resource in task.resources
            for seed in suite.seeds
        ]
        return list(dict.fromkeys(cells))

    def _made(self, task: Task) -> Evaluation | str:
        with contextlib.suppress(LyditeError):
            return self.evaluation(task.evaluation)
        return task.spec

    def evaluation(self, evaluation: Evaluation | str) -> Evaluation:
        """Make an evaluation of a spec."""
        return self._evaluation(evaluation) if isinstance(evaluation, str) else evaluation

    def job(self, cell: Cell) -> Job:
        """Return a cell with what it needs, or raise why it cannot be had."""
        identity = self._identity(cell.model)
        evaluation = self.evaluation(cell.evaluation)
        material = self._material((evaluation, cell.resource))
        return Job(cell=cell, evaluation=evaluation, material=material, identity=identity)

    def key(self, job: Job) -> str:
        """Return the key of the result of a job."""
        identity = self._identity(job.cell.model)
        return _key(job.evaluation, identity, job.material, job.cell.seed)

    def opened(self, model: str) -> tuple[Any, Identity]:
        """Return a model, opened again if it was not kept."""
        identity = self._identity(model)
        if model not in self._open:
            self._open[model] = load(model)
        return self._open[model], identity

    def close_models(self, *, but: Container[str] = ()) -> None:
        """Forget models that are open."""
        self._open = {text: model for text, model in self._open.items() if text in but}

    def _identify(self, model: str) -> Identity:
        opened = load(model)
        if self.keep:
            self._open[model] = opened
        return Identity.of(opened)

    def _find_material(self, asked: tuple[Evaluation, str]) -> Material:
        evaluation, resource = asked
        return Material.of(evaluation, resource, self._located(resource))


class _Ledger:
    """Which cells of a suite are done, which failed, which are open."""

    def __init__(self, cells: list[Cell], store: RunStore | None) -> None:
        self.cells = cells
        self.store = store
        self.results: dict[Cell, Result] = {}
        self.failures: dict[Cell, Failure] = {}
        self.items: dict[str, Items] = {}
        self.resumed = 0

    def open(self, inputs: _Inputs) -> list[Job]:
        """Find cells that are on disk, note those that cannot be asked, and return the others."""
        known = {result.key: result for result in self.store.results()} if self.store else {}
        jobs = []
        for cell in self.cells:
            try:
                job = inputs.job(cell)
                found = known.get(inputs.key(job))
            except LyditeError as error:
                self.take(cell, error)
                continue
            if found is not None and self.store is not None and self.store.holds(found):
                self.results[cell] = found
            else:
                jobs.append(job)
        self.resumed = len(self.results)
        return jobs

    @property
    def done(self) -> int:
        return len(self.results) + len(self.failures)

    def take(self, cell: Cell, answer: Evaluated | Exception) -> None:
        """Write an answer down at once."""
        if isinstance(answer, Exception):
            self.failures[cell] = _failure(cell, answer)
            if self.store is not None:
                self.store.write_failures(list(self.failures.values()))
            return
        if self.store is not None:
            self.results[cell] = self.store.add(answer.result, answer.items)
        else:
            self.results[cell] = answer.result
            self.items[answer.result.key] = answer.items

    def close(self) -> Run:
        if self.store is not None:
            self.store.write_failures(list(self.failures.values()))
        return Run(
            results=tuple(self.results[cell] for cell in self.cells if cell in self.results),
            failures=tuple(self.failures[cell] for cell in self.cells if cell in self.failures),
            folder=self.store.folder if self.store else None,
            items=self.items,
            resumed=self.resumed,
        )


class _Once(Generic[K, T]):
    """Call a function once for each argument, and raise the same error each time."""

    def __init__(self, function: Callable[[K], T]) -> None:
        self._function = function
        self._known: dict[K, T] = {}
        self._errors: dict[K, LyditeError] = {}

    def __call__(self, argument: K) -> T:
        if argument in self._errors:
            raise self._errors[argument]
        if argument not in self._known:
            try:
                with boundary(f"opening {argument}"):
                    self._known[argument] = self._function(argument)
            except LyditeError as error:
                self._errors[argument] = error
                raise
        return self._known[argument]


def _failure(cell: Cell, error: Exception) -> Failure:
    if not isinstance(error, LyditeError):
        logger.error("%s on %s: unexpected error", cell.model, cell.resource)
        logger.debug("", exc_info=error)
    asked = [cell.spec, cell.model, cell.resource, cell.seed]
    return Failure(
        key=sha256_text(json.dumps(asked))[:20],
        evaluation=cell.spec,
        model=cell.model,
        resource=cell.resource,
        seed=cell.seed,
        error=type(error).__name__,
        message=str(error) or repr(error),
        wrong_input=isinstance(error, InputError | ResourceError),
    )
