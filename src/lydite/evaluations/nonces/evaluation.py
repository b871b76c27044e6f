"""New words from a few sentences, as Nonce2Vec's authors evaluate: definitions and chimeras.

Herbelot & Baroni, "High-risk learning: acquiring new word vectors from tiny data", EMNLP 2017;
chimeras by Lazaridou, Marelli & Baroni (2017).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from lydite.declare import Metric, Option, Param, Slot
from lydite.errors import UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.catalogue import Call, Evaluation, Plan, only_resource
from lydite.evaluations.nonces.data import (
    USUAL_LEVEL,
    USUAL_PART,
    Level,
    Part,
    Trial,
    Trials,
    read_trials,
)
from lydite.models.catalogue import model_spec
from lydite.models.contexts import Learned, find_rows, learn_all
from lydite.models.learners import BACKGROUND_OPTION, LEARNERS, complete_learner
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.details import Details, Missing
from lydite.results.record import Items, Outcome
from lydite.spaces.cosine import exact_cosine, rounding_margin, unit_rows
from lydite.spaces.neighbours import cosine_ranks, nearest_words
from lydite.spaces.space import Space
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation import MIN_ITEMS, spearman_rows
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Context, Floats, Indices, Vectors

#: Trials from either end.
_SHOWN = 8
_NEAREST = 5


@dataclass(frozen=True, kw_only=True)
class Definition(Details):
    """A word that was defined, its rank, and the words nearest to what was learned."""

    word: str = ""
    rank: float = 0.0
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Chimera(Details):
    """A chimera, its correlation, and its probes as people and the learner order them."""

    chimera: str = ""
    spearman: float = 0.0
    people: tuple[str, ...] = ()
    learner: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NonceDetails(Missing):
    """What a result tells beside its scores."""

    sparse: ClassVar[bool] = True

    file: str = ""
    # What could not be read, and how often.
    problems: Mapping[str, int] = field(default_factory=dict)
    words: int = 0  # how many words the background has
    # The best and the worst, of the task that it was.
    definitions: tuple[Definition, ...] | None = None
    chimeras: tuple[Chimera, ...] | None = None


def definition_examples(
    trials: Sequence[Trial], learnt: Learned, space: Space, ranks: Floats
) -> tuple[Definition, ...]:
    """Tell word, rank and what is nearest to what was learned, best first.

    Ranks, (n,), are of the true words; NaN where there is none.
    """
    shown = _ends(-ranks)
    near = nearest_words(space.vectors, learnt.vectors[shown], min(_NEAREST, len(space)))
    words = space.vocabulary.words
    return tuple(
        Definition(word=trials[i].name, rank=float(ranks[i]), nearest=tuple(words[k] for k in rows))
        for i, rows in zip(shown, near.indices.tolist(), strict=True)
    )


def chimera_examples(
    trials: Sequence[Trial], orders: Mapping[int, Sequence[str]], values: Floats
) -> tuple[Chimera, ...]:
    """Tell number, correlation and the probes as people and the learner order them, best first.

    ``orders`` has the known probes of each chimera, nearest first; ``values``, (n,), Spearman's
    rho, NaN where there is none.
    """
    told = []
    for i in _ends(values):
        ratings = dict(zip(trials[i].probes, trials[i].ratings, strict=True))
        by_people = sorted(orders[i], key=ratings.__getitem__, reverse=True)
        told.append(
            Chimera(
                chimera=trials[i].name,
                spearman=float(values[i]),
                people=tuple(by_people),
                learner=tuple(orders[i]),
            )
        )
    return tuple(told)


def _ends(values: Floats) -> list[int]:
    """Return the places of the largest and of the least, largest first, each once."""
    order = np.argsort(-values, kind="stable")
    order = order[np.isfinite(values[order])]
    if len(order) > 2 * _SHOWN:
        order = np.concatenate([order[:_SHOWN], order[-_SHOWN:]])
    return [int(i) for i in order]


#: Words at a time.
_BLOCK = 1 << 14


def ranks_of_all(vectors: Vectors, queries: Vectors, targets: Indices) -> Floats:
    """Rank every target for every query, by cosine among all words.

    Unlike `cosine_ranks` it passes over the words once a query whatever the
    number of targets, and takes cosines for equal that float32 may not tell apart: enough for a
    distribution of ranks, not for a score.

    Returns ranks from 1, (m, k), of k targets, which are rows of the space, for m queries.

    >>> space = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> ranks_of_all(space, space[:1], np.array([0, 2, 1])).tolist()
    [[1.0, 3.0, 2.0]]
    """
    wanted = unit_rows(queries)
    bounds = wanted @ unit_rows(vectors[targets]).T + np.float32(rounding_margin(vectors.shape[1]))
    order = np.argsort(bounds, axis=1)
    bounds = np.take_along_axis(bounds, order, axis=1)
    beaten = np.zeros((len(queries), len(targets) + 1), dtype=np.int64)
    for start in range(0, len(vectors), _BLOCK):
        cosines = wanted @ unit_rows(vectors[start : start + _BLOCK]).T
        for i, row in enumerate(cosines):
            places = np.searchsorted(bounds[i], row)
            beaten[i] += np.bincount(places, minlength=beaten.shape[1])
    # A word that lies above j bounds comes before the j targets with the lowest cosines.
    before = beaten[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    ranks = np.empty(before.shape)
    np.put_along_axis(ranks, order, before + 1.0, axis=1)
    return ranks


#: Draws of the baseline: so many that its upper end hardly moves with the seed.
_DRAWS = 10_000
#: Trials, at most, whose words are ranked for each other in the baseline of definitions.
_OTHERS = 1000
#: Trials not covered that are named.
_MISSING = 20


@dataclass(frozen=True, kw_only=True)
class Nonces(Evaluation):
    """Test whether a learner places a new word where it belongs, from one or a few sentences.

    For definitions, the score is the mean reciprocal rank of the defined word among all words of
    the background; for chimeras, the correlation with what people made of the same sentences.

    Notes
    -----
    Trials that cannot be learned from, words that the background does not have, and chimeras with
    fewer than 3 known probes or without variance are left out and not covered.
    """

    name: ClassVar[str] = "nonces"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("mrr", "mean reciprocal rank", digits=4),
        Metric("mean_spearman", "mean Spearman ρ"),
        Metric("median_rank", "median rank", digits=1, higher=False),
    )
    models: ClassVar[Option] = LEARNERS
    reads_vectors: ClassVar[bool] = False
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "data",
            "Definitions, or chimeras with probes and ratings.",
            default=("starter-definitions",),
            accepts=("samples",),
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (BACKGROUND_OPTION,)
    examples: ClassVar[tuple[str, ...]] = (
        "nonces additive",
        "nonces additive 'additive(sample=1e-5)' --data nonce2vec-definitions",
        "nonces additive --data nonce2vec-chimeras --level L4 --background vectors.txt",
        "nonces nonce2vec --data my-definitions.txt --background wiki.safetensors",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.nonces.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.nonces.section:command_tables"

    task: Annotated[
        Literal["auto", "definitions", "chimeras"],
        Param("Which task the data are for; auto takes whichever they are."),
    ] = "auto"
    part: Annotated[Part, Param("Which part, of data that come in both.")] = USUAL_PART
    level: Annotated[
        Level, Param("Chimeras of two, four or six sentences, of data that have a file for each.")
    ] = USUAL_LEVEL
    case: Annotated[
        Literal["exact", "fold"],
        Param("fold tries unknown words again in lower case; exact does not."),
    ] = "fold"
    repeats: Annotated[
        int,
        Param(
            "How often each trial is learned, where the learner draws at random; a trial's value "
            "is the mean.",
            least=1,
        ),
    ] = 10

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Complete the learners with the background that they learn within."""
        learners = (
            complete_learner(each, background=call.options["background"], say=call.say)
            for each in call.models
        )
        return super().plan(dataclasses.replace(call, models=tuple(learners)))

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Score a learner on the trials of one file."""
        resource = only_resource(self.name, resources)
        task, trials = read_trials(resource, self.task, self.part, self.level)
        contexts = [trial.contexts for trial in trials.trials]
        learned = list(self._learned(model, contexts, seed))
        if learned[0].background is None:
            raise UnsuitableModelError(
                f"nonces compares with words of a background, but {model_spec(model)} has none",
                hint="give a learner with a background: additive(glove-6b-50d)",
            )
        if task == "definitions":
            return self._definitions(trials, learned, learned[0].background, seed, progress)
        return self._chimeras(trials, learned, learned[0].background, seed)

    def _learned(
        self, model: object, contexts: Sequence[Sequence[Context]], seed: int
    ) -> Iterator[Learned]:
        """Yield what is learned in each repeat; once where a second time gives the same."""
        first = learn_all(model, contexts, seed=child_seed(seed, "learn"))
        yield first
        for repeat in range(1, self.repeats):
            again = learn_all(model, contexts, seed=child_seed(seed, "learn", str(repeat)))
            if repeat == 1 and np.array_equal(again.vectors, first.vectors):
                return
            yield again

    def _definitions(
        self,
        trials: Trials,
        learned: Sequence[Learned],
        space: Space,
        seed: int,
        progress: Progress,
    ) -> Outcome:
        rows = find_rows(space, [trial.name for trial in trials.trials], self.case)
        learnt = learned[0]
        every = np.stack([_ranks(space, each, rows, progress) for each in learned])
        values = _means(1 / every)
        used = np.flatnonzero(np.isfinite(values))
        # With one word alone there is no other to compare its rank with.
        _check_enough(len(np.unique(rows[used])), "different words", trials)
        null = _null_ranks(space, learnt, rows, child_seed(seed, "baseline"))
        generator = np.random.default_rng(child_seed(seed, "draws"))
        drawn = (1.0 / null)[generator.integers(0, len(null), (_DRAWS, len(used)))].mean(axis=1)
        all_ranks = _means(every)
        items = _items(trials.trials, values) | {"rank": _plain(all_ranks)}
        return _outcome(
            "mrr",
            values,
            mean_interval(values[used], rows[used]),
            items,
            summarize_null(drawn, kind="shuffled words"),
            others={"median_rank": float(np.median(all_ranks[used]))},
            details=replace(
                _details(trials, space, values),
                definitions=definition_examples(trials.trials, learnt, space, all_ranks),
            ),
        )

    def _chimeras(
        self, trials: Trials, learned: Sequence[Learned], space: Space, seed: int
    ) -> Outcome:
        probes = list(dict.fromkeys(p for trial in trials.trials for p in trial.probes))
        places = find_rows(space, probes, self.case)
        place = dict(zip(probes, places.tolist(), strict=True))
        generator = np.random.default_rng(child_seed(seed, "baseline"))
        values = np.full(len(trials.trials), np.nan)
        null: list[Floats] = []
        orders: dict[int, list[str]] = {}
        for i, trial in enumerate(trials.trials):
            known = [k for k, probe in enumerate(trial.probes) if place[probe] >= 0]
            vectors = [each.vectors[i] for each in learned if each.learned[i]]
            if not vectors or len(known) < MIN_ITEMS:
                continue
            of_probes = space.vectors[[place[trial.probes[k]] for k in known]]
            cosines = np.stack(
                [exact_cosine(np.tile(each, (len(known), 1)), of_probes) for each in vectors]
            )
            ratings = np.array([trial.ratings[k] for k in known])
            values[i] = _means(spearman_rows(cosines, ratings)[:, None])[0]
            if np.isfinite(values[i]):
                first = cosines[0]
                orders[i] = [trial.probes[known[k]] for k in np.argsort(-first, kind="stable")]
                shuffled = generator.permuted(np.tile(ratings, (_DRAWS, 1)), axis=1)
                null.append(spearman_rows(shuffled, first))
        _check_enough(len(null), "trials", trials)
        return _outcome(
            "mean_spearman",
            values,
            mean_correlation_interval(values[list(orders)], _probe_sets(trials, list(orders))),
            _items(trials.trials, values),
            summarize_null(np.mean(null, axis=0), kind="shuffled ratings"),
            others={},
            details=replace(
                _details(trials, space, values),
                chimeras=chimera_examples(trials.trials, orders, values),
            ),
        )


def mean_correlation_interval(correlations: Floats, clusters: Indices) -> Interval | None:
    """Return the interval of a mean of correlations: the one rule, from [-1, 1] put on [0, 1].

    >>> interval = mean_correlation_interval(np.array([0.2, 0.5, 0.1, 0.4]), np.array([0, 0, 1, 1]))
    >>> round(interval.low, 2), round(interval.high, 2)
    (-0.37, 0.76)
    """
    # A correlation of -1 or 1 is a bound, whatever rounding made of it.
    found = mean_interval(((correlations + 1) / 2).round(12), clusters)
    return found and replace(found, low=2 * found.low - 1, high=2 * found.high - 1)


def _probe_sets(trials: Trials, used: Sequence[int]) -> Indices:
    """Return a number for each trial, the same for those that share their probes."""
    numbers: dict[frozenset[str], int] = {}
    sets = (frozenset(trials.trials[i].probes) for i in used)
    return np.array([numbers.setdefault(each, len(numbers)) for each in sets])


def _ranks(space: Space, learnt: Learned, rows: Indices, progress: Progress) -> Floats:
    """Return the rank of each defined word seen from what was learned; NaN where there is none."""
    used = np.flatnonzero(learnt.learned & (rows >= 0))
    ranks = np.full(len(rows), np.nan)
    if len(used):
        found = cosine_ranks(space.vectors, learnt.vectors[used], rows[used], progress=progress)
        ranks[used] = found
    return ranks


def _means(repeats: Floats) -> Floats:
    """Return the mean over the repeats (r, n) that have a value; NaN where none has."""
    known = np.isfinite(repeats)
    sums, counts = np.where(known, repeats, 0.0).sum(axis=0), known.sum(axis=0)
    means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return means


def _null_ranks(space: Space, learnt: Learned, rows: Indices, seed: int) -> Floats:
    """Rank the words that other trials define."""
    used = np.flatnonzero(learnt.learned & (rows >= 0))
    some = np.random.default_rng(seed).permutation(used)[:_OTHERS]
    ranks = ranks_of_all(space.vectors, learnt.vectors[some], rows[some])
    # A word that stands in two trials is no other word.
    return np.asarray(ranks[rows[some][:, None] != rows[some]])


def _details(trials: Trials, space: Space, values: Floats) -> NonceDetails:
    missing = [trials.trials[i].name for i in np.flatnonzero(~np.isfinite(values))]
    return NonceDetails(
        file=trials.name,
        problems=dict(trials.problems),
        words=len(space),
        missing=tuple(missing[:_MISSING]),
    )


def _outcome(
    metric: str,
    values: Floats,
    interval: Interval | None,
    items: Items,
    baseline: Baseline,
    *,
    others: dict[str, float],
    details: NonceDetails,
) -> Outcome:
    defined = values[np.isfinite(values)]
    return Outcome(
        metric=metric,
        score=float(defined.mean()),
        interval=interval,
        baseline=baseline,
        n_items=len(values),
        n_covered=len(defined),
        oov="skip",
        statistic="mean",
        items=items,
        others=others,
        details=details.plain(),
    )


def _items(trials: Sequence[Trial], values: Floats) -> dict[str, Sequence[object]]:
    return {
        "item": [f"{i} {trial.name}" for i, trial in enumerate(trials, 1)],
        "value": _plain(values),
        "covered": np.isfinite(values).tolist(),
    }


def _plain(values: Floats) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in values.tolist()]


def _check_enough(covered: int, what: str, trials: Trials) -> None:
    if covered < 2:
        raise UndefinedScoreError(
            f"a score needs at least 2 {what} that can be answered, but {covered} of the "
            f"{len(trials.trials)} trials in {trials.name} can",
            hint="is the background of another language?",
        )
