"""Count the contexts of words and the triples that they stand in."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from lydite.corpora.parsed.opening import ParsedCorpus
from lydite.corpora.triples.counting import count_triples
from lydite.models.erk_pado.model import KIND, WORDS
from lydite.models.erk_pado.recipe import ErkPadoRecipe
from lydite.models.mitchell_lapata.training import train_mitchell_lapata
from lydite.models.related_folder import RelatedFolder, open_related, write_related
from lydite.models.related_words import related_words
from lydite.spaces.array_folder import new_folder
from lydite.types import PlainMapping


def train_erk_pado(
    corpus: ParsedCorpus,
    recipe: ErkPadoRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
) -> RelatedFolder:
    """Make a structured vector space of a parsed corpus and write it into a new folder.

    Parameters
    ----------
    corpus
        Parsed text, which is read twice. Texts that the model is given later get lemmas of the
        same kind.
    recipe
        How.
    folder
        Must not be there yet. It holds the triples, and in a folder ``words`` the vectors.
    provenance
        What it is made from, in plain data, kept with the space.

    Raises
    ------
    InputError
        If the folder is there, or no lemma is frequent enough to be a context.
    """
    with new_folder(folder) as work:
        train_mitchell_lapata(corpus, recipe.words, work / WORDS)
        triples = count_triples(corpus, lemmas=recipe.words.lemmata, minimum=recipe.theta + 1)
        write_related(
            related_words(triples, triples.counts.astype(float)),
            work,
            kind=KIND,
            lemmas=corpus.lemmas,
            **(provenance or {}),
            recipe=dataclasses.asdict(recipe),
            text={
                "corpus": corpus.fingerprint,
                "tokens": triples.tokens,
                "kept_triples": len(triples),
            },
        )
    return open_related(folder, kind=KIND)
