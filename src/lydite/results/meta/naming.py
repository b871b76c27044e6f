"""What measures and models are called where many stand side by side, and how they are written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import PurePath

from lydite.results.meta.scores import Measure

_SIMILARITY = {"ws-353": "WS-353", "men": "MEN", "simlex-999": "SimLex"}
_QVEC = {"qvec": "QVEC", "cca": "QVEC-CCA", "cca-first": "QVEC-CCA (first)"}
_ORACLES = {"semcor-supersenses": "SST", "ptb-pos-tags": "PTB"}
_TASKS = {"20news-bydate": "20NG", "metaphor-tsvetkov-2014": "Metaphor", "sst-binary": "Senti"}


def short_name(measure: Measure) -> str:
    """Return what a measure is called in the tables of Tsvetkov et al. (2016), or nearly so.

    Two measures may share it; :func:`measure_names` tells them apart.

    Examples
    --------
    >>> short_name(Measure(evaluation="similarity", resource="men", data="", metric="spearman"))
    'MEN'
    """
    resource = _resource(measure.resource)
    match measure.name:
        case "similarity":
            short = _SIMILARITY.get(resource, resource)
        case "qvec" if not measure.further:
            short = f"{_QVEC.get(measure.metric, measure.metric)} {oracle_name(measure)}"
        case "qvec":
            method = str(measure.parameters.get("method", "cca"))
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

    Examples
    --------
    >>> first = Measure(evaluation="tagging(window=1)", resource="a", data="", metric="accuracy")
    >>> second = Measure(evaluation="tagging(window=2)", resource="a", data="", metric="accuracy")
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

    Examples
    --------
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
