"""What the recipes of Cheung & Penn's models share: the text they count, running or parsed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from lydite.corpora.documents import Corpus, open_corpus
from lydite.corpora.lemmas import GIVEN
from lydite.corpora.preparation import Preparation
from lydite.declare import Inline, Param, Slot
from lydite.errors import InputError
from lydite.files.arrays import check_new
from lydite.recipe import Recipe
from lydite.resources.catalogue import Located, locate
from lydite.storage import user_path
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.inputs import check_other_file, paths_of, running_text
from lydite.trained.parameters import Encoding, JsonField, NewFolder, RunningText
from lydite.trained.parsed.load import ParsedCorpus, open_parsed
from lydite.trained.parsed.spacy import parse_corpus

Parsed: TypeAlias = Annotated[
    tuple[str, ...],
    Slot(
        "parsed",
        "Parsed text instead: CoNLL-U, or Stanford dependencies as in GENIA.",
        metavar="NAME|FOLDER...",
    ),
]
Lemmas: TypeAlias = Annotated[
    str,
    Param(
        "Lemmatizer: simplemma (extra lemmas) or none; for parsed text also given, to use the "
        "lemmas of the text."
    ),
]
Lemmata: TypeAlias = Annotated[int, Param("Number of lemmas, the most frequent.", least=1)]
Contexts: TypeAlias = Annotated[
    int,
    Param("Number of context words, the most frequent that are not function words.", least=1),
]


@dataclass(frozen=True, kw_only=True)
class LemmaRecipe(Recipe):
    """Base of recipes that count lemmas in running text, or in parsed text.

    A subclass says of ``recipe`` what it is, and that its fields are options.
    """

    out: NewFolder
    corpus: RunningText = ()
    parsed: Parsed = ()
    recipe: Any
    preparation: Annotated[
        Preparation,
        Inline(without=("lower", "drop_single", "punctuation", "formulas", "numbers")),
    ] = dataclasses.field(default_factory=lambda: PREPARATION)
    encoding: Encoding = None
    field: JsonField = "text"

    @property
    def counted(self) -> Any:  # noqa: ANN401
        """The recipe, with a lemmatizer of texts that are encoded later."""
        later = "simplemma" if self.recipe.lemmas == GIVEN else self.recipe.lemmas
        return dataclasses.replace(self.recipe, lemmas=later)

    def text(self) -> tuple[Corpus | ParsedCorpus, list[Located]]:
        """Open the text; return it and which data it comes from."""
        check_new(user_path(self.out))
        if self.corpus and not self.parsed:
            if self.recipe.lemmas == GIVEN:
                raise InputError(
                    "expected a lemmatizer for running text, whose lemmas are not given",
                    hint="--lemmas simplemma",
                )
            located = running_text(self.corpus)
            check_other_file(self.out, located)
            text = open_corpus(
                paths_of(located), self.preparation, encoding=self.encoding, field=self.field
            )
            return text, located
        _check_one_kind(self.corpus, self.parsed)
        return _open_parsed(self.parsed, self.recipe.lemmas)


@dataclass(frozen=True, kw_only=True)
class ParsedRecipe(Recipe):
    """Base of recipes that count parsed text, or running text that is parsed first.

    A subclass says of ``recipe`` what it is, and that its fields are options.
    """

    out: NewFolder
    corpus: RunningText = ()
    parsed: Parsed = ()
    recipe: Any
    lemmas: Lemmas = "simplemma"
    parses: Annotated[
        Path | None,
        Param(
            "Folder where parses of --corpus are kept and reused; by default OUT-parsed.",
            metavar="FOLDER",
        ),
    ] = None
    words: Annotated[
        int | None, Param("How many words of --corpus to parse; by default all.", least=1)
    ] = None
    jobs: Annotated[int, Param("Number of parsing processes.", least=1)] = 2

    def text(self) -> tuple[ParsedCorpus, list[Located]]:
        """Open the text, or parse it first; return it and which data it comes from."""
        check_new(user_path(self.out))
        _check_one_kind(self.corpus, self.parsed)
        if self.parsed:
            return _open_parsed(self.parsed, self.lemmas)
        located = running_text(self.corpus)
        check_other_file(self.out, located)
        folder = user_path(self.parses or self.out.with_name(f"{self.out.name}-parsed"))
        text = open_corpus(paths_of(located))
        files = parse_corpus(text, folder, words=self.words, jobs=self.jobs)
        return open_parsed(files, name=folder.name, lemmas=self.lemmas), located


def check_contexts(contexts: int, lemmata: int) -> None:
    """Refuse more contexts than there are lemmata to choose them among."""
    if contexts > lemmata:
        raise InputError(
            f"expected no more contexts than lemmata, got {contexts} and {lemmata}",
            hint="contexts are chosen among the lemmata",
        )


def _check_one_kind(corpus: Sequence[str], parsed: Sequence[str]) -> None:
    if bool(corpus) == bool(parsed):
        raise InputError(
            "expected either running text or parsed text",
            hint="give --corpus NAME|FILE or --parsed NAME|FOLDER",
        )


def _open_parsed(names: Sequence[str], lemmas: str) -> tuple[ParsedCorpus, list[Located]]:
    located = [locate(name) for name in names]
    paths = [
        path
        for source in located
        # A folder of the user's may hold other files besides.
        for path in (source.paths if source.card else (user_path(source.name),))
    ]
    name = ", ".join(source.name for source in located)
    return open_parsed(paths, name=name, lemmas=lemmas), located
