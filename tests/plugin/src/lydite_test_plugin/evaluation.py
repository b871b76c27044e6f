"""An evaluation that asks whether longer words have longer vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lydite.evaluations.catalogue import Evaluation, only_resource
from lydite.files.lines import numbered_lines
from lydite.models.words import find_words
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline


@dataclass(frozen=True, kw_only=True)
class SeparationByLength(Evaluation):
    """The mean length of the vectors of words."""

    name: ClassVar[str] = "separation-by-length"

    norm: Literal["l1", "l2"] = "l2"

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
    ) -> Outcome:
        """Score the model on a list of words."""
        located = only_resource(self.name, resources)
        words = [line for _, line in numbered_lines(located.single())]
        lookup = find_words(model, words)
        values = np.linalg.norm(lookup.vectors, ord={"l1": 1, "l2": 2}[self.norm], axis=1)
        score = float(values.mean())
        return Outcome(
            metric="length",
            score=score,
            interval=Interval(low=score, high=score, level=0.95, method="none"),
            baseline=Baseline(kind="none", mean=0.0, low=0.0, high=0.0, draws=1),
            n_items=len(words),
            n_covered=int(lookup.found.sum()),
            oov="zero",
            statistic="mean",
            items={"item": words, "value": values.tolist(), "covered": lookup.found.tolist()},
        )
