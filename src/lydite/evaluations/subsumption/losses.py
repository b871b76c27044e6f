"""Where triples were lost, in words, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.evaluations.subsumption.asking import Answers
from lydite.lexicons.inventories.inventory import Inventory, Step
from lydite.lexicons.taxonomies.problems import ON_CYCLE


def told(funnel: Sequence[Step]) -> str:
    """Tell a funnel in one line."""
    first, *rest = funnel
    parts = [f"{first.count:,} {first.unit}" if first.name == first.unit else _step(first)]
    return " -> ".join([*parts, *(_step(step) for step in rest)])


def _step(step: Step) -> str:
    return f"{step.count:,} {step.name}"


def oddities(inventory: Inventory) -> str:
    """Tell what was found in the taxonomy while it was read."""
    problems = inventory.provenance.get("taxonomy_problems") or {}
    found = ", ".join(f"{kind} ({count:,})" for kind, count in problems.items())
    return f"; in the taxonomy: {found}" if found else ""


def lacking(answers: Answers) -> str:
    """Name a few words that the model does not have."""
    missing = answers.missing_words[:3]
    return f"; it has no {', no '.join(missing)}" if missing else ""


def way_to_cover(answers: Answers) -> str:
    """Say what to do where the model covers no triple."""
    if answers.level == "sense":
        return "a space of words is asked with level=word"
    missing = answers.missing_words
    if missing and all(" " in word for word in missing):
        return "mean(MODEL) makes the vector of a phrase from those of its words"
    return (
        "is the model of another language, cased while the taxonomy is not, or of senses, which "
        "are asked with level=sense?"
    )


def way_out(inventory: Inventory) -> str:
    """Say what to do where no triple is left."""
    emptied = next(step for step in inventory.funnel if step.count == 0)
    problems = inventory.provenance.get("taxonomy_problems") or {}
    if emptied.name == "triples" and problems.get(ON_CYCLE):
        return "of concepts on a cycle none is between: take out the edge that closes it"
    whole = _WHOLE if inventory.funnel[0].name == "concepts" else {}
    ways = {**_WAYS_OUT, **whole}
    return ways.get(emptied.name, f"loosen the filter '{emptied.name}'")


_WAYS_OUT = {
    "pairs": "the file of pairs has none of this relation",
    "with senses": "the words of the pairs are not in the taxonomy: check language and spelling",
    "with a path": "no pair is linked by this relation: check the order (specific word first), "
    "or take --pairs all",
    "inferred, not asserted": "all pairs are direct edges, which seldom have something between: "
    "give pairs that lie further apart, or take --pairs all",
    "with something between": "nothing lies between the words of any pair; take --pairs all",
    "triples": "no chain of three concepts has three different labels",
    "triples in the file": "write one triple a line below the header",
}

#: Where there are no pairs to be changed.
_WHOLE = {
    "with a path": "no two concepts of this part of speech are linked by this relation",
    "inferred, not asserted": "the taxonomy is too flat: a triple needs a concept, one above it, "
    "and one above that",
}
