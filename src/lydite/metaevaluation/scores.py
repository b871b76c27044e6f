"""The scores of all models, one row per model and one column per measure, and their names.

Sentence evaluations ask ``mean(x)`` where word evaluations ask ``x``. A model composed of exactly
one space says something about that space, so it counts for it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath
from statistics import fmean
from typing import NamedTuple

import numpy as np

from lydite.errors import InputError, SpecError
from lydite.evaluations import EVALUATIONS
from lydite.results.record import Result
from lydite.results.trials import question_namer
from lydite.spec import Spec, Value, parse
from lydite.types import Floats, PlainMapping

#: Models that compose or learn within one space; the first of their arguments is that space.
COMPOSERS = frozenset({"mean", "sum", "multiply", "pooled", "additive", "nonce2vec"})

#: Those of them that are no other bytes than the space is; learners may add counts to theirs.
_SAME_BYTES = frozenset({"mean", "sum", "multiply", "pooled"})

#: Stands for the space in the name of what is composed of it.
PLACE = "·"


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Whom a result is about."""

    model: str  # the space, or the model itself if it is not composed of one
    form: str = ""  # how it was composed, such as ``mean(·)``; empty for the model itself


def subject_of(model: str, *, unwrap: bool = True) -> Subject:
    """Take a composed model apart.

    >>> subject_of("mean(zoo/lsa-100d.safetensors, case=exact)")
    Subject(model='zoo/lsa-100d.safetensors', form='mean(·, case=exact)')
    >>> subject_of("hybrid(overlap, mean(x.txt))").form
    ''
    """
    if not unwrap:
        return Subject(model=model)
    try:
        spec = parse(model)
    except SpecError:
        return Subject(model=model)
    inner = _space(spec)
    if inner is None:
        return Subject(model=model)
    return Subject(model=_name(inner), form=str(_around(spec, PLACE)))


def _space(spec: Spec) -> str | Spec | None:
    """Return the space that a spec composes, however deep; None if it composes none."""
    if spec.name not in COMPOSERS or len(spec.args) != 1:
        return None
    (inner,) = spec.args
    if isinstance(inner, Spec):
        return inner if _space(inner) is None else _space(inner)
    return inner if isinstance(inner, str) else None


def _around(spec: Spec, place: str) -> Spec:
    """Put another name in the place of the innermost space."""
    (inner,) = spec.args
    value: Value = _around(inner, place) if isinstance(inner, Spec) and _space(inner) else place
    return Spec(spec.name, (value,), spec.params)


def _name(inner: str | Spec) -> str:
    return str(inner) if isinstance(inner, Spec) else str(Spec(inner))


@dataclass(frozen=True, kw_only=True)
class Matched:
    """Results with whom they are about."""

    entries: tuple[tuple[Subject, Result], ...]
    notes: tuple[str, ...]  # what was taken for the same


def match_models(
    results: Sequence[Result], *, unwrap: bool = True, only: Sequence[str] = ()
) -> Matched:
    """Find out which results are about the same model.

    With ``unwrap``, a model composed of one space counts for that space. Models that fit none of
    the patterns ``only`` are left out. A name that stands for two models, a file that was trained
    again, is refused.
    """
    entries = [(subject_of(result.model, unwrap=unwrap), result) for result in results]
    kept = [pair for pair in entries if not only or _fits(pair[0].model, only)]
    if entries and not kept:
        models = ", ".join(dict.fromkeys(subject.model for subject, _ in entries))
        raise InputError(
            f"no model fits {' or '.join(only)}: there are {models}",
            hint="the pattern must match the whole name: '*-300d-*'",
        )
    _refuse_two_under_one_name(kept)
    names, notes = _same_bytes(kept)
    renamed = tuple(
        (Subject(model=names.get(subject.model, subject.model), form=subject.form), result)
        for subject, result in kept
    )
    return Matched(entries=renamed, notes=tuple(notes))


def _fits(model: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(model, pattern) for pattern in patterns)


def _tells_bytes(subject: Subject) -> bool:
    """Whether the bytes of the result are those of the space."""
    return not subject.form or subject.form.partition("(")[0] in _SAME_BYTES


def _refuse_two_under_one_name(entries: Sequence[tuple[Subject, Result]]) -> None:
    seen: dict[str, dict[str, Result]] = defaultdict(dict)
    for subject, result in entries:
        digest = result.provenance.model_sha256
        if digest is not None:
            name = subject.model if _tells_bytes(subject) else result.model
            seen[name].setdefault(digest, result)
    for name, found in seen.items():
        if len(found) > 1:
            raise InputError(
                f"{name} stands for {len(found)} models: "
                + "; ".join(_described(digest, result) for digest, result in found.items()),
                hint="evaluate one of them again under a name of its own, or name runs that hold "
                "one of them alone",
            )


def _described(digest: str, result: Result) -> str:
    return (
        f"bytes {digest[:12]} in {result.provenance.evaluation} on {result.resource} "
        f"({result.provenance.created})"
    )


def _same_bytes(entries: Sequence[tuple[Subject, Result]]) -> tuple[dict[str, str], list[str]]:
    """Give files of the same bytes the name of the first; options in a spec make another model."""
    first: dict[str, str] = {}
    names: dict[str, str] = {}
    for subject, result in entries:
        digest = result.provenance.model_sha256
        if digest is None or "(" in subject.model or not _tells_bytes(subject):
            continue
        names[subject.model] = first.setdefault(digest, subject.model)
    notes = [
        f"{name} holds the same bytes as {chosen} and counts as the same model"
        for name, chosen in names.items()
        if name != chosen
    ]
    return names, notes


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What a score of a model measures."""

    evaluation: str  # the spec of the evaluation
    name: str
    # The name of the data and the sha256 of their bytes.
    resource: str
    data: str
    metric: str  # the metric, or the name of a further score
    further: bool = False  # whether it is one of the further scores beside the main one
    # How the space was composed to be asked, such as ``mean(·)``; empty if it was asked itself.
    form: str = ""
    # The spec says already what is asked; records of older versions may know fewer parameters.
    parameters: PlainMapping = field(default_factory=dict, compare=False)
    downstream: bool = field(default=False, compare=False)  # whether vectors were put to use


def is_downstream(result: Result) -> bool:
    """Tell whether a result is of vectors put to use: as it says itself, or its evaluation does.

    What neither says, in an old record of an evaluation that is not installed, counts as intrinsic.
    """
    source = result.provenance
    if source.downstream is not None:
        return source.downstream
    return source.evaluation in EVALUATIONS and EVALUATIONS.get(source.evaluation).downstream


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """The scores of models."""

    models: tuple[str, ...]
    measures: tuple[Measure, ...]  # k measures, in the order in which they first appeared
    values: Floats  # (n, k); NaN where a model has no score
    notes: tuple[str, ...] = ()  # what was averaged and what was taken for the same
    # Of each model, each its own by default; models of one family come in order of size.
    families: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "families", self.families or self.models)

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
    families: Sequence[str] = (),
) -> Scores:
    """Put all results into one table.

    A cell is the mean over seeds; of two results of one seed the one that was made later counts,
    in whatever order they are given. The bytes of the data decide whether two results are on the
    same resource, not its name.

    ``metrics`` are further scores that are measures too: ``parsing:las``. ``families`` names
    families, ``NAME=GLOB``; of other models :func:`family_of` finds it.
    """
    named = _named_families(families)
    matched = match_models(results, unwrap=unwrap, only=only)
    wanted = _wanted(metrics)
    cells: dict[tuple[Measure, str], dict[int, _Dated]] = defaultdict(dict)
    names: dict[tuple[str, ...], str] = {}
    name = question_namer(result for _, result in matched.entries)
    for subject, result in matched.entries:
        source = result.provenance
        question = name(result)
        resource = names.setdefault((question, source.resource_sha256), result.resource)
        for measure, score in _measured(subject, result, question, resource, wanted):
            seeds = cells[measure, subject.model]
            seeds[source.seed] = _later(seeds.get(source.seed), _Dated(source.created, score))
    _refuse_unknown(metrics, (measure for measure, _ in cells))
    measures = tuple(dict.fromkeys(measure for measure, _ in cells))
    found = dict.fromkeys(model for _, model in cells)
    short = model_names(list(found))
    of = {model: _family(short[model], model, named) for model in found}
    place = {family: i for i, family in enumerate(dict.fromkeys(of.values()))}
    # Models of one family stand together, the smaller first: tests rely on it.
    models = tuple(sorted(found, key=lambda model: (place[of[model]], _size(short[model]))))
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
    return Scores(
        models=models,
        measures=measures,
        values=values,
        notes=tuple(said),
        families=tuple(of[model] for model in models),
    )


#: What the name of a model says about its size: dimensions, or the window.
_SIZES = re.compile(r"[-_. ]?(?<![a-z0-9])(\d+d|w\d+)(?![a-z0-9])", re.IGNORECASE)


def family_of(name: str) -> str:
    """Return the family of a model by its name: the name without dimensions and window.

    Of a model that a spec makes, it is what makes it.

    >>> family_of("skipgram-300d-w5"), family_of("glove-100d-w5-ppdb-xl"), family_of("random(50)")
    ('skipgram', 'glove-ppdb-xl', 'random')
    """
    if "(" in name:
        return name.partition("(")[0]
    return _SIZES.sub("", name).strip("-_. ") or name


def _size(name: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", name))


def _named_families(given: Sequence[str]) -> list[tuple[str, str]]:
    named = []
    for text in given:
        family, equals, pattern = text.partition("=")
        if not (family and equals and pattern):
            raise InputError(
                f"expected a family as NAME=GLOB, got {text!r}", hint="for example glove='*glove*'"
            )
        named.append((family, pattern))
    return named


def _family(name: str, model: str, named: Sequence[tuple[str, str]]) -> str:
    fits = (
        family
        for family, pattern in named
        if fnmatchcase(name, pattern) or fnmatchcase(model, pattern)
    )
    return next(fits, family_of(name))


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
    subject: Subject,
    result: Result,
    question: str,
    resource: str,
    wanted: Sequence[tuple[str, str]],
) -> Iterable[tuple[Measure, float]]:
    downstream = is_downstream(result)

    def measure(metric: str, *, further: bool) -> Measure:
        return Measure(
            evaluation=question,
            name=result.provenance.evaluation,
            parameters=result.provenance.parameters,
            downstream=downstream,
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
        f"{which} given twice for the same model, data and seed, with different values: the "
        "latest counts."
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
        if "dimensions" in result.others and "explained" in result.others:
            sizes[result.provenance.evaluation].add(int(result.others["dimensions"]))
    return [
        f"The models have {min(found)} to {max(found)} dimensions, and {name} grows with them "
        "whatever the vectors know: a correlation may only reflect size. Correlate models of the "
        f"same size (--only), or the variance explained for held-out words, which does not grow "
        f"({name}(method=explained), or --metric {name}:explained)."
        for name, found in sizes.items()
        if len(found) > 1
    ]


_SIMILARITY = {"ws-353": "WS-353", "men": "MEN", "simlex-999": "SimLex"}
_QVEC = {
    "qvec": "QVEC",
    "cca": "QVEC-CCA",
    "cca-first": "QVEC-CCA (first)",
    "explained": "QVEC explained",
}
_ORACLES = {"semcor-supersenses": "SST", "ptb-pos-tags": "PTB"}
_TASKS = {"20news-bydate": "20NG", "metaphor-tsvetkov-2014": "Metaphor", "sst-binary": "Senti"}


def short_name(measure: Measure) -> str:
    """Return what a measure is called in the tables of Tsvetkov et al. (2016), or nearly so.

    Two measures may share it; :func:`measure_names` tells them apart.

    >>> asked = {"evaluation": "similarity", "name": "similarity", "metric": "spearman"}
    >>> short_name(Measure(**asked, resource="men", data=""))
    'MEN'
    """
    resource = _resource(measure.resource)
    match measure.name:
        case "similarity":
            short = _SIMILARITY.get(resource, resource)
        case "qvec" if not measure.further:
            short = f"{_QVEC.get(measure.metric, measure.metric)} {oracle_name(measure)}"
        case "qvec":
            method = str(measure.parameters.get("method", "explained"))
            short = f"{_QVEC.get(method, method)} {oracle_name(measure)}"
        case "classification":
            short = _task(measure, resource)
        case "tagging":
            short = "POS" if _is_treebank(resource) else f"tagging {resource}"
        case "parsing":
            short = "Parse"
        case name:
            short = f"{name} {resource}"
    return f"{short} {_further(measure)}" if measure.further else short


def oracle_name(measure: Measure) -> str:
    """Return what the paper calls an oracle: PTB, SST, PTB+SST; others keep their name."""
    parts = [part.strip() for part in measure.resource.split("+")]
    if all(part in _ORACLES for part in parts):
        return "+".join(sorted(_ORACLES[part] for part in parts))
    return _resource(measure.resource)


def _task(measure: Measure, resource: str) -> str:
    task = measure.parameters.get("task", "all")
    short = _TASKS.get(resource, resource)
    return short if task == "all" else f"{short} {task}"


def _further(measure: Measure) -> str:
    return measure.metric.upper() if measure.metric == "las" else measure.metric


def _is_treebank(resource: str) -> bool:
    """Tell whether tags are those of a treebank, by its name: data with a card, or CoNLL-U."""
    suffixes = PurePath(resource).suffixes
    return not suffixes or ".conllu" in suffixes


def _resource(resource: str) -> str:
    return PurePath(resource).name or resource


def measure_names(measures: Sequence[Measure]) -> dict[Measure, str]:
    """Give every measure a name of its own: the short one, and what tells it from its namesakes.

    >>> asked = {"name": "tagging", "resource": "a", "data": "", "metric": "accuracy"}
    >>> first = Measure(**asked, evaluation="tagging", parameters={"window": 1})
    >>> second = Measure(**asked, evaluation="tagging(window=2)", parameters={"window": 2})
    >>> list(measure_names([first, second]).values())
    ['POS (window=1)', 'POS (window=2)']
    """
    marks: dict[Measure, tuple[str, ...]] = dict.fromkeys(measures, ())
    for traits in _TRAITS:
        groups: dict[tuple[str, ...], list[Measure]] = defaultdict(list)
        for measure in measures:
            groups[short_name(measure), *marks[measure]].append(measure)
        for group in groups.values():
            for measure in group:
                marks[measure] += _differing(traits, measure, group)
    return {
        measure: f"{short_name(measure)} ({', '.join(said)})" if said else short_name(measure)
        for measure, said in marks.items()
    }


#: What can tell measures of one name apart, the plainest first.
_TRAITS: tuple[Callable[[Measure], dict[str, str]], ...] = (
    lambda measure: {"": _resource(measure.resource)},
    lambda measure: {"": measure.metric},
    lambda measure: {key: str(value) for key, value in measure.parameters.items()},
    lambda measure: {"": measure.form or "itself"},
    lambda measure: {"data": measure.data[:8]},
)


def _differing(
    traits: Callable[[Measure], dict[str, str]], measure: Measure, group: Sequence[Measure]
) -> tuple[str, ...]:
    """Write those traits of a measure in which its group is not all the same."""
    others = [traits(other) for other in group]
    return tuple(
        f"{key}={value}" if key else value
        for key, value in traits(measure).items()
        if any(other.get(key) != value for other in others)
    )


def model_names(models: Sequence[str]) -> dict[str, str]:
    """Call files by their name without folder and ending, where that tells them apart.

    >>> model_names(["zoo/lsa-100d.safetensors", "random(50)"])
    {'zoo/lsa-100d.safetensors': 'lsa-100d', 'random(50)': 'random(50)'}
    """
    stems = {model: _stem(model) for model in models}
    counts = Counter(stems.values())
    return {model: stem if counts[stem] == 1 else model for model, stem in stems.items()}


def _stem(model: str) -> str:
    path = PurePath(model)
    if "(" in model or not path.suffix or path.suffix[1:].isdigit():
        return path.name if "(" not in model else model
    return path.stem or model


def write_correlation(r: float) -> str:
    """Write a correlation, or a difference of two.

    >>> write_correlation(-0.004), write_correlation(0.927)
    ('0.00', '0.93')
    """
    # Adding zero turns a rounded -0.0 into 0.0.
    return f"{round(r, 2) + 0.0:.2f}"
