"""``lydite train mitchell-lapata``: count vectors of lemmas, from running or parsed text."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption
from lydite.cli.console import progress_bars, say
from lydite.cli.lemma_training import lemma_text
from lydite.cli.parsed_training import NewFolderOption, ParsedOption, RawOption
from lydite.cli.training import (
    EncodingOption,
    FieldOption,
    LanguageOption,
    LeastOption,
    SentencesOption,
    TokenizerOption,
    WindowOption,
    named,
)
from lydite.corpora.lemmas import GIVEN
from lydite.files.arrays import check_new
from lydite.results.provenance import versions
from lydite.storage import user_path
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.mitchell_lapata import MitchellLapataRecipe, train_mitchell_lapata

_EXAMPLES = """
Examples:

  lydite train mitchell-lapata --corpus wikipedia-2014-20m --out ml-wikipedia

  lydite train mitchell-lapata --parsed genia-usp --out ml-genia

  lydite separation 'mitchell-lapata(ml-wikipedia, compose=multiply)' --task qa --data my.jsonl

  lydite separation 'backoff(mitchell-lapata(ml-wikipedia), mitchell-lapata(ml-genia))' \\
    --task qa --data my.jsonl
"""


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("mitchell-lapata", epilog=_EXAMPLES)(train)


def train(
    out: NewFolderOption,
    corpus: RawOption = None,
    parsed: ParsedOption = None,
    lemmata: Annotated[int, typer.Option(min=1, help="Lemmas with a vector.")] = 30_000,
    contexts: Annotated[
        int, typer.Option(min=1, help="Dimensions: the most frequent that are no function words.")
    ] = 3_000,
    window: WindowOption = 5,
    min_count: LeastOption = 1,
    cds: Annotated[float, typer.Option(help="Exponent of the counts of contexts.")] = 1.0,
    lemmas: Annotated[
        str, typer.Option(help="Lemmatizer: simplemma or none; of parsed text, given too.")
    ] = "simplemma",
    tokenizer: TokenizerOption = "words",
    sentences: SentencesOption = "detect",
    language: LanguageOption = "en",
    encoding: EncodingOption = None,
    field: FieldOption = "text",
    quiet: QuietOption = False,
) -> None:
    """Count the contexts of lemmas and weigh them by information, for M&L (extra lemmas).

    Sentences that the model is asked for later are lemmatized as the corpus was; with --lemmas
    given, by simplemma.
    """
    recipe = MitchellLapataRecipe(
        lemmata=lemmata,
        contexts=contexts,
        window=window,
        min_count=min_count,
        cds=cds,
        lemmas="simplemma" if lemmas == GIVEN else lemmas,
    )
    target = user_path(out)
    check_new(target)
    opened, located = lemma_text(
        corpus,
        parsed,
        out,
        lemmas=lemmas,
        preparation=dataclasses.replace(
            PREPARATION, tokenizer=tokenizer, sentences=sentences, language=language
        ),
        encoding=encoding,
        field=field,
    )
    about = {"corpus": named(located), "versions": versions()}
    with progress_bars(quiet=quiet):
        made = train_mitchell_lapata(opened, recipe, target, provenance=about)
    rows, tokens = made.rows, made.provenance["text"]["tokens"]
    say(
        f"{len(rows.words):,} lemmas of {len(rows.dimensions):,} dimensions, from {tokens:,} "
        f"tokens: {out}",
        quiet=quiet,
    )
