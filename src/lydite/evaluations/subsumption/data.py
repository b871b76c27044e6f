"""Where an inventory comes from: a saved one, or taxonomy and pairs with counts and content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.errors import InputError
from lydite.evaluations.catalogue import Call, Plan
from lydite.evaluations.subsumption.inventory import is_inventory, write_inventory
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate, locate_all
from lydite.storage import user_path, write_output

if TYPE_CHECKING:
    from lydite.evaluations.subsumption.evaluation import Subsumption

from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from lydite.errors import ResourceError
from lydite.evaluations.subsumption.inventory import (
    Choices,
    Inventory,
    Level,
    build_inventory,
    read_inventory,
    read_word_pairs,
)
from lydite.lexicons.frequencies import Frequencies
from lydite.lexicons.taxonomy_files import Labels, open_taxonomy
from lydite.models.catalogue import model_fingerprint, model_spec
from lydite.models.protocols import Counted
from lydite.resources.catalogue import Located
from lydite.resources.lexicons import (
    INTRINSIC,
    WORDFREQ,
    locate_information_content,
    open_frequencies,
    open_information_content,
)
from lydite.types import Floats

#: The name of the counts that a model has of its own corpus.
MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What an inventory is made from."""

    frequencies: str  # ``wordfreq``; ``model``, whose corpus it was; or a list of words with counts
    corpus_size: float  # how many words wordfreq's frequencies are to be counts of
    ic: str  # ``brown``, ``brown-resnik``, ``bnc``, ``semcor``, ``intrinsic``, or a path
    labels: Labels  # which words of its concepts a taxonomy is read with


def files_named(sources: Sources, choices: Choices) -> tuple[Located, ...]:
    """Return the files that are named by parameters and matter to the inventory."""
    files = []
    if choices.min_count > 0 and sources.frequencies not in {WORDFREQ, MODEL}:
        files.append(locate(sources.frequencies))
    if choices.min_ic > 0 and sources.ic != INTRINSIC:
        files.append(_located_content(sources.ic))
    return tuple(files)


def _located_content(name: str) -> Located:
    try:
        return locate_information_content(name)
    except ResourceError as error:
        raise ResourceError(
            str(error).partition("\n")[0],
            hint=f"{error.hint}; a taxonomy other than WordNet 3.0 takes ic=intrinsic, or a file "
            "that 'lydite train ic' makes",
        ) from error


def inventory_of(
    resources: Sequence[Located],
    choices: Choices,
    sources: Sources,
    *,
    model: object = None,
    seed: int,
) -> Inventory:
    """Open a saved inventory, or make one from a taxonomy, and pairs if there are any."""
    if not 1 <= len(resources) <= 2:
        raise InputError(
            f"expected a taxonomy, a taxonomy and pairs, or an inventory, got {len(resources)} "
            f"resources",
            hint="subsumption takes TAXONOMY, TAXONOMY+PAIRS or an inventory",
        )
    if len(resources[0].paths) == 1 and is_inventory(resources[0].single()):
        if len(resources) > 1 or choices != Choices(level=choices.level, sample=choices.sample):
            raise InputError(
                f"{resources[0].name} is already an inventory, so pairs and filters have no effect",
                hint="make another one with 'lydite subsumption ... --save-inventory FILE'",
            )
        return _saved(resources[0], choices.level)
    if choices.min_count > 0 and sources.frequencies == MODEL:
        return _build(tuple(resources), choices, sources, _ModelFrequencies(model), seed)
    return _remembered(tuple(resources), choices, sources, seed)


def saved_level(resources: Sequence[Located]) -> Level | None:
    """Return whether a saved inventory is of words or of senses; None where there is none."""
    if not resources or len(resources[0].paths) != 1 or not is_inventory(resources[0].single()):
        return None
    return _read(resources[0]).level


@lru_cache(maxsize=8)
def _read(place: Located) -> Inventory:
    return read_inventory(place.single())


def _saved(place: Located, level: Level) -> Inventory:
    inventory = _read(place)
    if inventory.level != level:
        raise InputError(
            f"{place.name} is an inventory of {inventory.level}s, got level={level}",
            hint=f"use level={inventory.level} or level=auto",
        )
    return inventory


@lru_cache(maxsize=8)
def _remembered(
    resources: tuple[Located, ...], choices: Choices, sources: Sources, seed: int
) -> Inventory:
    frequencies = None
    if choices.min_count > 0:
        frequencies = open_frequencies(sources.frequencies, corpus_size=sources.corpus_size)
    return _build(resources, choices, sources, frequencies, seed)


def _build(
    resources: tuple[Located, ...],
    choices: Choices,
    sources: Sources,
    frequencies: Frequencies | None,
    seed: int,
) -> Inventory:
    place = resources[0]
    taxonomy = open_taxonomy(
        place.paths, name=place.name, sha256=place.sha256, labels=sources.labels
    )
    pairs = None
    if len(resources) == 2:
        pairs = read_word_pairs(resources[1].single(), choices.relation)
    content = None
    if choices.min_ic > 0:
        content = open_information_content(sources.ic, taxonomy, relation=choices.relation)
    inventory = build_inventory(
        taxonomy,
        pairs,
        choices,
        counting=None if frequencies is None else frequencies.counts,
        information_content=None if content is None else content.values,
        seed=seed,
    )
    about = dict(inventory.provenance)
    if sources.labels != Labels():
        about["labels"] = asdict(sources.labels)
    if pairs is not None:
        about |= {"pairs": resources[1].name, "pairs_sha256": resources[1].sha256}
    if frequencies is not None:
        about |= {"frequencies": frequencies.name, "frequencies_version": frequencies.fingerprint}
    if content is not None:
        about |= {"ic": content.name, "ic_sha256": content.fingerprint}
    return replace(inventory, provenance=about)


class _ModelFrequencies:
    """The counts that a model has of the words of its own corpus."""

    def __init__(self, model: object) -> None:
        self._model = model
        self.name = model_spec(model)
        self.fingerprint = model_fingerprint(model) or ""

    def counts(self, words: Sequence[str]) -> Floats:
        """Return how often each word occurs, (n,); 0 where it is unknown."""
        if not isinstance(self._model, Counted):
            raise InputError(
                f"{self.name} does not know how often its words occur",
                hint="take --frequencies wordfreq, or a list of words with counts",
            )
        return self._model.count(words)


#: The paper's cut-off, in all its three inventories.
_BLESS_COUNT = 5000.0
#: Parameters that decide which triples there are: those of a saved inventory are decided.
_OF_TRIPLES = (
    *("relation", "part_of_speech", "senses", "lemmas", "paths", "inferred", "exclude"),
    *("min_count", "frequencies", "corpus_size", "min_ic", "ic", "sample"),
    *("language", "synonyms", "sisters"),
)


def plan(kind: type[Subsumption], call: Call) -> Plan:
    """Take a saved inventory, or taxonomy and pairs, and save the triples if that is asked."""
    pairs, inventory = call.slots["pairs"], call.slots["inventory"]
    parameters = dict(call.parameters)
    if "min_count" not in call.given and "bless" in pairs:
        parameters["min_count"] = _BLESS_COUNT
    if inventory:
        _refuse_choices(kind, inventory[0], call)
        parameters = {key: parameters[key] for key in parameters if key not in _OF_TRIPLES}
        resources = inventory
    else:
        taxonomy = call.slots["taxonomy"][0]
        resources = tuple(
            taxonomy if each == "all" else f"{taxonomy}+{each}" for each in pairs or ("all",)
        )
    question = kind(**parameters)
    if call.options["save_violations"] is not None:
        path = user_path(call.options["save_violations"])
        call.say(_save_violations(question, resources, call, path))
    if call.options["save_inventory"] is not None:
        _save(question, resources, call, user_path(call.options["save_inventory"]))
    return Plan(models=call.models, questions=((question, resources),))


def _refuse_choices(kind: type[Subsumption], inventory: str, call: Call) -> None:
    """Refuse an inventory that is none, and choices that come too late for one."""
    located = locate(inventory)
    if len(located.paths) != 1 or not is_inventory(located.single()):
        raise InputError(
            f"{inventory} is not an inventory: its first line is not that of one",
            hint="'--save-inventory FILE' writes one; a taxonomy is given with --taxonomy",
        )
    usual = kind()
    given = [f"--{slot}" for slot in ("taxonomy", "pairs") if slot in call.given]
    given += [
        f"--{name.replace('_', '-')}"
        for name in _OF_TRIPLES
        if call.parameters[name] != getattr(usual, name)
    ]
    if given:
        raise InputError(
            f"{inventory} is already built, so {', '.join(given)} would have no effect",
            hint="make another one with --taxonomy, --pairs and --save-inventory",
        )


def _save(question: Subsumption, resources: Sequence[str], call: Call, path: Path) -> None:
    if len(resources) != 1:
        raise InputError(
            f"expected one source of triples to save, got {len(resources)}",
            hint="give one value to --pairs",
        )
    triples = question.asked(load(call.models[0]), locate_all(resources[0]), seed=call.seed)
    write_inventory(triples, path)
    call.say(f"inventory: {len(triples):,} triples in {path}")


_VIOLATION_COLUMNS = ("model", "resource", "condition", "a", "b", "c", "margin", "sentence")


def _save_violations(
    question: Subsumption, resources: Sequence[str], call: Call, path: Path
) -> str:
    """Write all that violates what the leading score asks; return what was written."""
    lines = ["\t".join(_VIOLATION_COLUMNS)]
    for spec in call.models:
        for resource in resources:
            answers = question.answers(load(spec), locate_all(resource), call.seed)
            lines += [
                "\t".join(
                    [spec, resource, row.condition, *row.triple, f"{row.margin:.6f}", row.sentence]
                )
                for row in question.violations(answers)
            ]
    write_output(path, "\n".join(lines) + "\n")
    return f"violations: {len(lines) - 1:,} in {path}"
