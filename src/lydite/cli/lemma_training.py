"""What the commands that train on lemmas share: how running or parsed text is found."""

from __future__ import annotations

from pathlib import Path

from lydite.cli.parsed_training import parsed_text
from lydite.cli.training import corpora_for, paths_of
from lydite.corpora.documents import Corpus, open_corpus
from lydite.corpora.lemmas import GIVEN
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.resources.catalogue import Located
from lydite.trained.parsed.load import ParsedCorpus


def lemma_text(
    corpus: list[str] | None,
    parsed: list[str] | None,
    out: Path,
    *,
    lemmas: str,
    preparation: Preparation,
    encoding: str | None,
    field: str,
) -> tuple[Corpus | ParsedCorpus, list[Located]]:
    """Open running text, or parsed text; return it and which data it comes from."""
    if corpus and not parsed:
        if lemmas == GIVEN:
            raise InputError(
                "expected a lemmatizer for running text, whose lemmas are not given",
                hint="--lemmas simplemma",
            )
        located = corpora_for(corpus, out)
        return open_corpus(paths_of(located), preparation, encoding=encoding, field=field), located
    return parsed_text(corpus, parsed, out, lemmas=lemmas, parses=None, words=None, jobs=1)
