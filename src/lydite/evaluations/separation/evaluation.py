"""Separation (Cheung & Penn 2012): whether a model recognises one meaning under many forms.

A model is a score M(x, x') of any two texts. An evaluation is a set H of pairs that should be
similar and a set L of pairs that should not, and asks how well their scores come apart.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from lydite.declare import Metric, Option, Param, Slot
from lydite.errors import InputError
from lydite.evaluations.catalogue import Call, Evaluation, Plan
from lydite.evaluations.separation.data import Task, Thresholds, read_task
from lydite.evaluations.separation.minimal_pairs import minimal_pairs_outcome
from lydite.evaluations.separation.tasks import pairs_outcome, qa_outcome, relation_outcome
from lydite.progress import Progress, silent
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.spec import Spec, as_argument, parse

TaskChoice: TypeAlias = Literal["auto", "pairs", "minimal-pairs", "relation", "qa"]


@dataclass(frozen=True, kw_only=True)
class Separation(Evaluation):
    """Test whether a model recognizes one meaning under many forms.

    Pairs of texts that mean the same should have higher scores than pairs that do not. The score
    is the share of such comparisons that come out right; for questions, the normalized rank of the
    sentence that has the answer.
    """

    name: ClassVar[str] = "separation"
    #: The model that sees nothing but shared words.
    baseline: ClassVar[str] = "overlap"
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("auc", "AUC"),
        Metric("norm_rank", "normalized rank"),
        Metric("subset", "normalized rank, subset"),
        Metric("hit_at_1", "hit@1"),
        Metric("accuracy", "paired accuracy"),
        Metric("lowest", "lowest phenomenon"),
        Metric("highest", "highest phenomenon"),
        Metric("spread", "standard deviation over phenomena", higher=None),
        Metric("phenomena", "phenomena", digits=0, higher=None),
        Metric("order_with", "accuracy with the order of words"),
        Metric("order_against", "accuracy against the order of words"),
        Metric("paired", "paired accuracy within a base"),
        Metric("spearman", "Spearman's rho with the scores of people"),
        Metric("entity_pairs", "entity pairs", digits=0, higher=None),
        Metric("similar_pairs", "similar pairs", digits=0, higher=None),
    )
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot(
            "data",
            "Labelled or minimal pairs, sentences about entity pairs, or questions with documents; "
            "a+b joins texts and labels that are kept apart.",
            default=("starter-relations",),
            accepts=("entity-relations", "questions", "sentence-pairs", "judgements"),
            joined=True,
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "mixed",
            "Also evaluate each model with the score of lemma overlap added.",
            kind=bool,
            default=False,
        ),
        Option(
            "weights",
            "How mixed models are weighted; sum is the paper's way.",
            default="sum",
            metavar="sum|standardised|learnt|N,N",
        ),
    )
    examples: ClassVar[tuple[str, ...]] = (
        "separation overlap usem3 'mean(glove-6b-50d)'",
        "separation usem3 'mean(glove-6b-50d)' --data starter-answers --mixed",
        "separation overlap usem3 --data starter-minimal-pairs",
        "separation overlap usem3 --data msrp-pairs",
        "separation overlap usem3 --data relations-hlt-naacl08+relations-judgements",
        "separation 'thater(tfp)' --data genia-usp+genia-answers --mixed",
        "separation usem3 --data my-pairs.tsv",
    )
    drawn_by: ClassVar[str] = "lydite.evaluations.separation.section:section"
    tabled_by: ClassVar[str] = "lydite.evaluations.separation.tables:command_tables"

    task: Annotated[
        TaskChoice,
        Param(
            "pairs: labelled pairs of texts. minimal-pairs: sentences with one that says the same "
            "and one that does not. relation: sentences that express a relation of two "
            "entities, or do not. qa: questions with a document each. auto: what the data are."
        ),
    ] = "auto"
    minimum: Annotated[
        int, Param("Sentences of either kind that an entity pair needs to be counted.", least=2)
    ] = 3
    subset: Annotated[
        str,
        Param(
            "Also score the questions that this model does not answer perfectly, as in the paper.",
            metavar="MODEL|none",
        ),
    ] = "overlap"

    similar_from: Annotated[
        float, Param("Pairs that people gave this score or a higher one should be similar.")
    ] = 4.0
    dissimilar_to: Annotated[
        float, Param("Pairs that people gave this score or a lower one should not be similar.")
    ] = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dissimilar_to >= self.similar_from:
            raise InputError(
                f"expected dissimilar_to below similar_from, got {self.dissimilar_to:g} and "
                f"{self.similar_from:g}",
                hint="of scores from 0 to 5 use 2 and 4",
            )

    @classmethod
    def plan(cls, call: Call) -> Plan:
        """Add the mixed models."""
        weights, mixed = call.options["weights"], call.options["mixed"]
        if weights != "sum" and not mixed:
            raise InputError(f"--weights {weights} is for mixed models", hint="add --mixed")
        models = (*call.models, *(_mixed(call.models, weights) if mixed else ()))
        return super().plan(dataclasses.replace(call, models=models))

    def run(
        self, model: object, resources: Sequence[Located], *, seed: int, progress: Progress = silent
    ) -> Outcome:
        """Score the model on one set of data, or on sentences and labels that are kept apart."""
        thresholds = Thresholds(similar=self.similar_from, dissimilar=self.dissimilar_to)
        found: Task = read_task(resources, thresholds)
        if self.task not in {"auto", found.kind}:
            raise InputError(
                f"{found.name} has data for task={found.kind}, but task={self.task} was asked for",
                hint="leave task out, or give other data",
            )
        if found.kind == "pairs":
            return pairs_outcome(model, found.pairs, found.name, seed)
        if found.kind == "minimal-pairs":
            return minimal_pairs_outcome(model, found.minimal, seed)
        if found.kind == "relation":
            return relation_outcome(model, found.relations, self.minimum, found.name, seed)
        subset = "" if self.subset == "none" else self.subset
        return qa_outcome(model, found.questions, subset, found.name, seed)


def _mixed(models: Sequence[str], weights: str) -> list[str]:
    """Return the specs of all models but overlap itself, each with overlap."""
    options = (("weights", weights),) if weights != "sum" else ()
    return [
        str(Spec("hybrid", ("overlap", as_argument(model)), options))
        for model in models
        if parse(model).name != "overlap"
    ]
