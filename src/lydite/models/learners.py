"""Learners as commands take them: by name, with the background beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lydite.declare import Field, ModelSlot, Option, Param, fields_of
from lydite.models import MODELS
from lydite.models.catalogue import load
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, as_argument, parse

BACKGROUND = "glove-6b-50d"
GENERAL = "wikipedia-2014-20m"

LEARNERS = Option(
    "models",
    "additive, nonce2vec, ppmi-svd, 'pooled(TEXT_MODEL)', or a spec with parameters.",
    metavar="LEARNER...",
)
BACKGROUND_OPTION = ModelSlot(
    "background",
    f"Word vectors used by additive and nonce2vec.  \\[default: {BACKGROUND}]",
    metavar="SPACE",
)


def complete_learner(
    learner: str,
    *,
    background: str | None,
    general: str | None = None,
    preset: str | None = None,
    say: Callable[[str], None],
) -> str:
    """Put what a learner needs and its spec lacks into the spec.

    What it needs are its parameters that are declared as ``given_by`` one of these options.

    - ``learner``: a spec; one that names its background, or its corpus, is returned as it is.

    >>> complete_learner("additive(sample=0)", background="vectors.txt", say=print)
    'additive(vectors.txt, sample=0)'
    >>> complete_learner("pooled(usem3)", background="vectors.txt", say=print)
    'pooled(usem3)'
    """
    spec = parse(learner)
    target = MODELS.get(spec.name) if spec.name in MODELS else None
    fields = [] if target is None else _given_by_options(target)
    needed = [each.key for each, _ in fields if each.required]
    said = dict(spec.params)
    if not needed or spec.args or any(key in said for key in needed):
        return learner
    options: dict[str, Value] = {
        "background": as_argument(background or BACKGROUND),
        "general": general or GENERAL,
        "preset": preset,
    }
    given = {each.key: options[option] for each, option in fields}
    args = tuple(given.pop(key) for key in needed)
    more = tuple((key, value) for key, value in given.items() if value and not said.get(key))
    complete = Spec(spec.name, args, (*more, *spec.params))
    if background is None and hasattr(target, "adapt"):
        complete = _adapted(target, complete, say)
    return str(complete)


def _given_by_options(target: Callable[..., Any]) -> list[tuple[Field, str]]:
    """Return the parameters that options of commands fill in, with these options."""
    return [
        (each, each.param.given_by)
        for each in fields_of(target)
        if isinstance(each.param, Param) and each.param.given_by
    ]


def _adapted(target: Any, spec: Spec, say: Callable[[str], None]) -> Spec:  # noqa: ANN401
    """Let a learner change its spec for a background that nobody chose."""
    space = load(BACKGROUND)
    changes, why = target.adapt(spec, space) if isinstance(space, Space) else ({}, "")
    if why:
        say(f"note: {why}")
    return Spec(spec.name, spec.args, (*spec.params, *changes.items()))
