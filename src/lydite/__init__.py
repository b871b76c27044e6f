"""Lydite, a touchstone for embeddings: it tells how far an embedding can be trusted.

>>> import lydite
>>> result = lydite.evaluate("random(50)", "similarity", "starter-similarity")
>>> result.metric, result.n_covered == result.n_items
('spearman', True)

Five functions do the work.

- ``load(spec_or_path)`` opens any model.
- ``evaluate(model, evaluation, resource, **parameters)`` asks one question.
- ``run(suite)`` asks many, in parallel, and can be resumed.
- ``compare(run, ...)`` tells whether the differences between models are real.
- ``meta(run, ...)`` tells whether intrinsic scores predict downstream ones.

The other names are what these take and return. :mod:`lydite.plugin` has what the author of a model
or an evaluation needs. Whatever lies deeper may move.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydite.errors import LyditeError
    from lydite.metaevaluation.evaluation import meta
    from lydite.models.catalogue import load
    from lydite.resources.catalogue import locate
    from lydite.results.compare import Comparison
    from lydite.results.record import Result
    from lydite.runner import Run, compare, evaluate, open_run, run
    from lydite.spaces.neighbours import nearest_words
    from lydite.spaces.space import Space
    from lydite.suite import Suite, Task, read_suite

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "LyditeError",
    "Result",
    "Run",
    "Space",
    "Suite",
    "Task",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "locate",
    "meta",
    "nearest_words",
    "open_run",
    "read_suite",
    "run",
]

#: Names to the modules that they are imported from when they are used first. A module of this
#: package that is called like one of them would take its place, once imported.
_LAZY = {
    "Comparison": "lydite.results.compare",
    "LyditeError": "lydite.errors",
    "Result": "lydite.results.record",
    "Run": "lydite.runner",
    "Space": "lydite.spaces.space",
    "Suite": "lydite.suite",
    "Task": "lydite.suite",
    "compare": "lydite.runner",
    "evaluate": "lydite.runner",
    "load": "lydite.models.catalogue",
    "locate": "lydite.resources.catalogue",
    "meta": "lydite.metaevaluation.evaluation",
    "nearest_words": "lydite.spaces.neighbours",
    "open_run": "lydite.runner",
    "read_suite": "lydite.suite",
    "run": "lydite.runner",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'lydite' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
