"""Count the contexts of lemmas, and weigh the counts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from lydite.corpora.cooccurrence.counting import MEMORY
from lydite.corpora.documents import Corpus
from lydite.corpora.parsed.opening import ParsedCorpus
from lydite.models.lemma_contexts import counted_lemmas
from lydite.models.mitchell_lapata.file import CountVectors, write_vectors
from lydite.models.mitchell_lapata.recipe import MitchellLapataRecipe
from lydite.models.named_rows import NamedRows
from lydite.spaces.array_folder import check_new
from lydite.spaces.ppmi import ppmi
from lydite.types import PlainMapping


def train_mitchell_lapata(
    corpus: Corpus | ParsedCorpus,
    recipe: MitchellLapataRecipe,
    folder: Path,
    *,
    provenance: PlainMapping | None = None,
    memory: int = MEMORY,
) -> CountVectors:
    """Make count vectors of a corpus and write them into a new folder.

    Parameters
    ----------
    corpus
        Running text, whose words are lemmatized, each different one once; or parsed text, whose
        lemmas stand there.
    recipe
        How.
    folder
        Must not be there yet.
    provenance
        What it is made from, in plain data, kept with the vectors.
    memory
        Bytes that counting keeps to, beside the vocabulary.

    Raises
    ------
    InputError
        If the folder is there, or no lemma is frequent enough to be a context.
    MissingExtraError
        If the lemmatizer is not installed.
    """
    check_new(folder)
    options = dataclasses.asdict(recipe)
    cds = options.pop("cds")
    with counted_lemmas(corpus, **options, memory=memory) as counted:
        counts, width = counted.matrix, len(counted.contexts)
        rows = NamedRows(
            words=counted.lemmas,
            dimensions=counted.contexts,
            matrix=ppmi(counts.starts, counts.columns, counts.values, width=width, cds=cds),
        )
    text = {"tokens": counted.tokens, "words": counted.words}
    return write_vectors(
        rows,
        folder,
        recipe=recipe,
        preparation=counted.preparation,
        lemmas=counted.lemmatizer,
        provenance={**(provenance or {}), "text": text},
    )
