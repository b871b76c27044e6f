"""Which task data are for, and the data themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from lydite.corpora.records import records
from lydite.corpora.separation.labelled_pairs import LabelledPairs, read_labelled_pairs
from lydite.corpora.separation.questions import Question, read_genia_questions, read_questions
from lydite.corpora.separation.relations import (
    EntityPair,
    is_marked,
    read_marked_relations,
    read_relations,
)
from lydite.errors import FormatError, InputError
from lydite.resources.catalogue import Located

Kind: TypeAlias = Literal["pairs", "relation", "qa"]

_FIELDS = "left, right, label; or relation, left, right, label, text; or question, document, answer"
_NONE = LabelledPairs(
    left=(), right=(), similar=np.zeros(0, dtype=np.bool_), phenomena=(), bases=()
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """Data of one kind; those of the other kinds are empty."""

    kind: Kind
    name: str
    pairs: LabelledPairs = _NONE
    relations: Sequence[EntityPair] = ()
    questions: Sequence[Question] = ()


def read_task(resources: Sequence[Located]) -> Task:
    """Read data, or texts and the judgements of them that are kept apart.

    Parameters
    ----------
    resources
        One file; or two, texts and judgements: ``relations-hlt-naacl08+relations-judgements``,
        ``genia-usp+genia-answers``.
    """
    name = " + ".join(resource.name for resource in resources)
    if len(resources) == 2:
        texts, labels = (resource.single() for resource in resources)
        if texts.name.endswith((".tar.gz", ".tgz", ".tar")):
            questions = read_genia_questions(texts, labels)
            return Task(kind="qa", name=name, questions=questions)
        return Task(kind="relation", name=name, relations=read_marked_relations(texts, labels))
    if len(resources) != 1:
        raise InputError(
            f"separation takes one resource, or texts and their labels, got {len(resources)}"
        )
    path = resources[0].single()
    return _of_file(path, name)


def _of_file(path: Path, name: str) -> Task:
    if path.name.endswith((".tar.gz", ".tgz", ".tar")):
        raise InputError(
            f"{name} has questions but no answers",
            hint="add judgements of them: genia-usp+genia-answers",
        )
    if is_marked(path):
        raise InputError(
            f"{name} has sentences with marked entities but no labels",
            hint="add judgements of them: relations-hlt-naacl08+relations-judgements",
        )
    hint = f"the fields {_FIELDS}"
    first = next((record for _, record in records(path, hint=hint)), None)
    if first is None:
        raise FormatError("expected rows below the header, got none", path=path, hint=hint)
    fields = set(first)
    if {"question", "document"} <= fields:
        return Task(kind="qa", name=name, questions=read_questions(path))
    if {"relation", "text"} <= fields:
        return Task(kind="relation", name=name, relations=read_relations(path))
    if {"left", "right", "label"} <= fields:
        return Task(kind="pairs", name=name, pairs=read_labelled_pairs(path))
    raise FormatError(f"expected the fields {_FIELDS}, got {', '.join(first)}", path=path)
