"""Where samples come from: a saved set, or terms looked up in a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from lydite.corpora.documents import Corpus, open_corpus
from lydite.corpora.occurrences import MASK, Occurrences, find_occurrences
from lydite.corpora.preparation import Preparation
from lydite.corpora.running_text import RunningText
from lydite.corpora.samples import (
    Samples,
    read_samples,
    sample_alternately,
    sample_halves,
    sample_random,
)
from lydite.corpora.term_sources import SOURCES, TermChoice, find_terms
from lydite.corpora.terms import Term, Terms, split_terms
from lydite.evaluations.consistency.judgement import Source
from lydite.files.lines import read_content
from lydite.resources.catalogue import Located
from lydite.resources.lexicons import WORDFREQ, open_frequencies
from lydite.storage import sha256_file

Split: TypeAlias = Literal["paragraphs", "random", "halves"]
Part: TypeAlias = Literal["all", "train", "test"]

_HEAD = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How terms are chosen and their sentences divided: parameters of the evaluation, by name."""

    terms: str
    split: Split
    part: Part
    minimum: int
    samples: int
    most: int
    inflected: bool
    names: bool
    language: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Material:
    """What there is to learn from."""

    samples: Samples
    source: Source  # all sentences of the terms that have samples, and the text around them
    funnel: tuple[tuple[str, int], ...]  # how many terms were left after each step: name and count
    # All sentences of the terms, where they come from a corpus.
    occurrences: Occurrences | None = None
    language: str | None = None  # of the corpus

    def noted(self, notes: Sequence[str]) -> Material:
        """Return the same with something that a reader has to know first."""
        samples = replace(self.samples, notes=(*notes, *self.samples.notes))
        return replace(self, samples=samples)


def material_of(resources: Sequence[Located], recipe: Recipe, seed: int) -> Material:
    """Open saved samples, or draw samples from a corpus of one or several files."""
    listed = term_file(recipe.terms)
    content = sha256_file(listed) if listed is not None and listed.is_file() else None
    return _material(tuple(resources), recipe, seed, content)


def needs_terms(resources: Sequence[Located]) -> bool:
    """Tell whether terms have to be looked for: samples that were saved have them."""
    return not (len(resources) == 1 and _is_samples(resources[0]))


@lru_cache(maxsize=4)
def _material(
    resources: tuple[Located, ...], recipe: Recipe, seed: int, _list_of_terms: str | None
) -> Material:
    if not needs_terms(resources):
        return _saved(resources[0], recipe, seed)
    paths = [path for located in resources for path in located.paths]
    corpus = open_corpus(paths, Preparation(language=recipe.language))
    found = _terms(corpus, recipe, seed)
    chosen = _of_part(found.terms, recipe.part, seed)
    text = RunningText.of(corpus.passages())
    occurrences = find_occurrences(text.sentences(), chosen, inflected=recipe.inflected)
    name = "+".join(located.name for located in resources)
    if recipe.split == "halves":
        samples = sample_halves(
            corpus, chosen, minimum=recipe.minimum or 2, inflected=recipe.inflected
        )
    elif recipe.split == "paragraphs":
        samples = sample_alternately(text, occurrences, minimum=recipe.minimum or 10, name=name)
    else:
        samples = sample_random(
            occurrences,
            minimum=recipe.minimum or 10,
            samples=recipe.samples,
            most=recipe.most,
            seed=seed,
            name=name,
        )
    kept = tuple(each.term for each in samples.terms)
    occurring = sum(count > 0 for count in occurrences.uses.values())
    funnel = [(f"terms from {found.source}", len(found.terms))]
    funnel += [(f"{recipe.part} terms", len(chosen))] if recipe.part != "all" else []
    funnel += [("that occur", occurring), ("with enough sentences", len(samples.terms))]
    notes = (*corpus.notes(), *found.notes, *samples.notes)
    return Material(
        samples=replace(samples, problems={**found.problems, **samples.problems}, notes=notes),
        source=Source(text=text, terms=kept, found=tuple(occurrences.found[term] for term in kept)),
        funnel=tuple(funnel),
        occurrences=occurrences,
        language=corpus.preparation.language,
    )


def _saved(located: Located, recipe: Recipe, seed: int) -> Material:
    samples = read_samples(located.paths[0], name=located.name)
    terms = samples.terms
    if recipe.part != "all":
        stand_ins = [Term(text=each.term, tokens=(each.term,)) for each in terms]
        kept = {term.text for term in _of_part(stand_ins, recipe.part, seed)}
        terms = tuple(each for each in terms if each.term in kept)
    funnel = [("terms with samples", len(samples.terms))]
    funnel += [(f"{recipe.part} terms", len(terms))] if recipe.part != "all" else []
    return Material(
        samples=replace(samples, terms=terms),
        source=Source.of_contexts(
            [each.term for each in terms],
            [[context for sample in each.samples for context in sample] for each in terms],
        ),
        funnel=tuple(funnel),
    )


def _is_samples(located: Located) -> bool:
    if located.card is not None:
        return located.card.kind == "samples"
    head = read_content(located.paths[0], _HEAD).decode("utf-8", "replace")
    first = next((line for line in head.split("\n") if line.strip()), "")
    return "\t" in first and (MASK in first or "__xx" in first)


def _terms(corpus: Corpus, recipe: Recipe, seed: int) -> Terms:
    background = None
    if recipe.terms == "keywords":
        background = open_frequencies(WORDFREQ, language=corpus.preparation.language)
    choice = TermChoice(names=recipe.names, seed=seed)
    return find_terms(recipe.terms, corpus, choice=choice, background=background)


def _of_part(terms: Sequence[Term], part: Part, seed: int) -> Sequence[Term]:
    if part == "all":
        return terms
    train, test = split_terms(terms, seed=seed)
    return train if part == "train" else test


def term_file(terms: str) -> Path | None:
    """Return the file that terms are listed in, if they are."""
    return None if terms in SOURCES else Path(terms)
