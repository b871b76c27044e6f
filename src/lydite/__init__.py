"""Lydite, a touchstone for embeddings: it tells how far an embedding can be trusted.

>>> import lydite
>>> result = lydite.evaluate("random(50)", "similarity", "starter-similarity")
>>> result.metric, result.n_covered == result.n_items
('spearman', True)

Five functions do the work; everything else is reached through them.

- ``load(spec_or_path)`` opens any model.
- ``evaluate(model, evaluation, resource, **parameters)`` asks one question.
- ``run(suite)`` asks many, in parallel, and can be resumed.
- ``compare(run, ...)`` tells whether the differences between models are real.
- ``meta(run, ...)`` tells whether intrinsic scores foretell downstream ones.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydite.metaevaluation.evaluation import meta
    from lydite.models.catalogue import load
    from lydite.runner import compare, evaluate, run

__version__ = "0.1.0"

__all__ = ["__version__", "compare", "evaluate", "load", "meta", "run"]

_LAZY = {
    "compare": "lydite.runner",
    "evaluate": "lydite.runner",
    "load": "lydite.models.catalogue",
    "meta": "lydite.metaevaluation.evaluation",
    "run": "lydite.runner",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'lydite' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
