"""Separation (Cheung & Penn 2012): whether a model recognises one meaning under many forms.

A model is a score M(x, x') of any two texts. An evaluation is a set H of pairs that should be
similar and a set L of pairs that should not, and asks how well their scores come apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from lydite.declare import Metric
from lydite.drawing.section import ItemsLoader, Section
from lydite.errors import InputError
from lydite.evaluations.catalogue import Evaluation
from lydite.evaluations.separation.data import Task, read_task
from lydite.evaluations.separation.tasks import pairs_outcome, qa_outcome, relation_outcome
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome, Result

TaskChoice: TypeAlias = Literal["auto", "pairs", "relation", "qa"]


@dataclass(frozen=True, kw_only=True)
class Separation(Evaluation):
    """How well pairs of one meaning come apart from pairs of different meanings.

    Attributes
    ----------
    task
        ``pairs``: labelled pairs of texts, AUC. ``relation``: sentences about entity pairs that
        express a relation or do not, AUC a pair of entities, averaged. ``qa``: questions with a
        document each, normalised rank of the sentence with the answer. ``auto``: what the data
        are.
    minimum
        In ``relation``, pairs of entities with fewer sentences that express the relation, or fewer
        that do not, are left out.
    subset
        In ``qa``, the questions that this model does not answer perfectly are also scored apart,
        as in the paper; ``none`` for none.
    """

    name: ClassVar[str] = "separation"
    #: The model that sees nothing but shared words.
    baseline: ClassVar[str] = "overlap"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("auc", "AUC"),
        Metric("norm_rank", "normalized rank"),
        Metric("subset", "normalized rank, subset"),
        Metric("first_place", "share in first place"),
        Metric("entity_pairs", "entity pairs", digits=0, higher=None),
        Metric("similar_pairs", "similar pairs", digits=0, higher=None),
    )

    task: TaskChoice = "auto"
    minimum: int = 3
    subset: str = "overlap"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_whole(minimum=2)

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
    ) -> Outcome:
        """Score the model on one set of data, or on sentences and labels that are kept apart."""
        found: Task = read_task(resources)
        if self.task not in {"auto", found.kind}:
            raise InputError(
                f"{found.name} has data for task={found.kind}, but task={self.task} was asked for",
                hint="leave task out, or give other data",
            )
        if found.kind == "pairs":
            return pairs_outcome(model, found.pairs, found.name, seed)
        if found.kind == "relation":
            return relation_outcome(model, found.relations, self.minimum, found.name, seed)
        subset = "" if self.subset == "none" else self.subset
        return qa_outcome(model, found.questions, subset, found.name, seed)

    @classmethod
    def section(cls, results: Sequence[Result], items: ItemsLoader) -> Section:
        """Return what the report says of its results."""
        from lydite.evaluations.separation.section import section

        return section(results, items)
