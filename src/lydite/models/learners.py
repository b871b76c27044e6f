"""Learners as commands take them: by name, with the background beside them."""

from __future__ import annotations

from collections.abc import Callable

from lydite.models.catalogue import load
from lydite.spaces.space import Space
from lydite.spec import Spec, Value, parse

BACKGROUND = "glove-6b-50d"
GENERAL = "wikipedia-2014-20m"

_WITHIN_SPACES = {"additive", "nonce2vec"}


def complete_learner(
    learner: str,
    *,
    background: str | None,
    general: str | None = None,
    preset: str | None = None,
    say: Callable[[str], None],
) -> str:
    """Put the background, or the general corpus, into the spec of a learner that lacks it.

    Parameters
    ----------
    learner
        A spec; one that names its background is returned as it is.
    background
        For ``additive`` and ``nonce2vec``; by default `BACKGROUND`.
    general
        For ``ppmi-svd``; by default `GENERAL`.
    preset
        Of ``nonce2vec``, unless its spec names one; by default its own.
    say
        Tells what was put in that was not asked for.

    Examples
    --------
    >>> complete_learner("additive(sample=0)", background="vectors.txt", say=print)
    'additive(vectors.txt, sample=0)'
    >>> complete_learner("pooled(usem3)", background="vectors.txt", say=print)
    'pooled(usem3)'
    """
    spec = parse(learner)
    if spec.args or any(key in {"background", "corpus"} for key, _ in spec.params):
        return learner
    if spec.name == "ppmi-svd":
        return str(Spec(spec.name, (general or GENERAL,), spec.params))
    if spec.name not in _WITHIN_SPACES:
        return learner
    space = background or BACKGROUND
    inner = parse(space) if "(" in space else space
    params = spec.params
    if spec.name == "nonce2vec":
        if preset is not None and spec.param("preset") is None:
            params = (("preset", preset), *params)
        params += _contexts(space, params, asked=background is not None, say=say)
    return str(Spec(spec.name, (inner,), params))


def _contexts(
    background: str,
    params: tuple[tuple[str, Value], ...],
    *,
    asked: bool,
    say: Callable[[str], None],
) -> tuple[tuple[str, Value], ...]:
    """Take word vectors for output vectors, if a background without them was not asked for."""
    opened = None if asked or "context" in dict(params) else load(background)
    if not isinstance(opened, Space) or opened.contexts is not None:
        return ()
    say(
        f"note: {background} has no output vectors; nonce2vec takes its word vectors for "
        "them (context=input). 'lydite train skipgram' makes a background that has both"
    )
    return (("context", "input"),)
