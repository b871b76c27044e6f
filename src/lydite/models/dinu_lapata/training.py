"""Learn latent senses from a corpus."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from lydite.corpora.cooccurrence.counting import MEMORY
from lydite.corpora.documents import Corpus
from lydite.corpora.parsed.opening import ParsedCorpus
from lydite.models.dinu_lapata.recipe import SenseRecipe
from lydite.models.dinu_lapata.sampling import sample_senses
from lydite.models.dinu_lapata.senses import Senses, open_senses
from lydite.models.lemma_contexts import LemmaContexts, counted_lemmas
from lydite.spaces.array_folder import check_new
from lydite.types import PlainMapping


def train_dinu_lapata(
    corpus: Corpus | ParsedCorpus,
    recipe: SenseRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
    memory: int = MEMORY,
) -> Senses:
    """Learn latent senses from a corpus and write them into a new folder.

    Parameters
    ----------
    corpus
        Running text, or parsed text.
    recipe
        How.
    folder
        Must not be there yet.
    provenance
        What it is made from, in plain data, kept in the folder.
    memory
        Bytes that counting keeps to, beside the vocabulary.

    Raises
    ------
    InputError
        If the folder is there, or no lemma is frequent enough to be a context.
    MissingExtraError
        If tomotopy or the lemmatizer is not installed.
    """
    check_new(folder)
    with counted_lemmas(
        corpus,
        lemmata=recipe.lemmata,
        contexts=recipe.contexts,
        window=recipe.window,
        min_count=recipe.min_count,
        lemmas=recipe.lemmas,
        memory=memory,
    ) as counted:
        learnt = senses_of(counted, recipe, provenance=provenance)
    learnt.save(folder)
    return open_senses(folder)


def senses_of(
    counted: LemmaContexts, recipe: SenseRecipe, *, provenance: PlainMapping | None = None
) -> Senses:
    """Learn latent senses from counts."""
    sampled = sample_senses(counted.matrix, len(counted.contexts), recipe)
    return Senses(
        lemmas=counted.lemmas,
        contexts=counted.contexts,
        lemma_counts=sampled.lemmas,
        context_counts=sampled.contexts,
        alpha=recipe.prior,
        eta=recipe.eta,
        lemmatizer=counted.lemmatizer,
        preparation=counted.preparation,
        provenance={
            **(provenance or {}),
            "recipe": dataclasses.asdict(recipe),
            "text": {"tokens": counted.tokens, "words": counted.words},
            "sampled": int(sampled.contexts.sum()),
            "log_likelihood": sampled.log_likelihood,
        },
    )
