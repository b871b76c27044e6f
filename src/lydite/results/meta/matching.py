"""Which results are about the same model: by its spec, its bytes, and the space it is made of.

Sentence evaluations ask ``mean(x)`` where word evaluations ask ``x``. A model composed of exactly
one space says something about that space, so it counts for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from lydite.errors import InputError, SpecError
from lydite.results.record import Result
from lydite.spec import Spec, Value, parse

#: Models that compose or learn within one space; the first of their arguments is that space.
COMPOSERS = frozenset({"mean", "sum", "multiply", "pooled", "additive", "nonce2vec"})

#: Those of them that are no other bytes than the space is; learners may add counts to theirs.
_SAME_BYTES = frozenset({"mean", "sum", "multiply", "pooled"})

#: Stands for the space in the name of what is composed of it.
PLACE = "·"


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Whom a result is about.

    Attributes
    ----------
    model
        The space, or the model itself if it is not composed of one.
    form
        How it was composed, such as ``mean(·)``; empty for the model itself.
    """

    model: str
    form: str = ""


def subject_of(model: str, *, unwrap: bool = True) -> Subject:
    """Take a composed model apart.

    Examples
    --------
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
    """Results with whom they are about.

    Attributes
    ----------
    entries
        Pairs of a subject and a result, in the order given.
    notes
        What was taken for the same.
    """

    entries: tuple[tuple[Subject, Result], ...]
    notes: tuple[str, ...]


def match_models(
    results: Sequence[Result], *, unwrap: bool = True, only: Sequence[str] = ()
) -> Matched:
    """Find out which results are about the same model.

    Parameters
    ----------
    results
        Of one run or several.
    unwrap
        A model composed of one space counts for that space.
    only
        Patterns such as ``*-300d-*``; models that fit none are left out. None leaves out nothing.

    Raises
    ------
    InputError
        If one name stands for two models: a file that was trained again. If no model fits.
    """
    entries = [(subject_of(result.model, unwrap=unwrap), result) for result in results]
    kept = [pair for pair in entries if not only or _fits(pair[0].model, only)]
    if entries and not kept:
        models = ", ".join(dict.fromkeys(subject.model for subject, _ in entries))
        raise InputError(
            f"no model fits {' or '.join(only)}: there are {models}",
            hint="the pattern is held against the whole name: '*-300d-*'",
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
        f"bytes {digest[:12]} in {result.evaluation.partition('(')[0]} on {result.resource} "
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
