"""The questions that can be asked, one folder each, and their names.

The names are here, and not with what evaluations share, because help that lists them must not
import what they compute with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lydite.registry import Registry

if TYPE_CHECKING:
    from lydite.evaluations.catalogue import Evaluation

EVALUATIONS: Registry[type[Evaluation]] = Registry(
    "evaluation", group="lydite.evaluations", hint="'lydite evaluations ls' lists them"
)
for _name, _class in {
    "similarity": "Similarity",
    "subsumption": "Subsumption",
    "nonces": "Nonces",
    "consistency": "Consistency",
    "stability": "Stability",
    "localization": "Localization",
    "separation": "Separation",
    "qvec": "Qvec",
    "classification": "Classification",
    "tagging": "Tagging",
    "parsing": "Parsing",
}.items():
    EVALUATIONS.register(_name, f"lydite.evaluations.{_name}.evaluation:{_class}")
