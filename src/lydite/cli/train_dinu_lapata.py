"""``lydite train dinu-lapata``: latent senses of lemmas, from running or parsed text."""

from __future__ import annotations

import dataclasses
from importlib.metadata import version
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption, SeedOption
from lydite.cli.console import progress_bars, say
from lydite.cli.lemma_training import lemma_text
from lydite.cli.parsed_training import (
    LemmasOption,
    LemmataOption,
    NewFolderOption,
    ParsedOption,
    RawOption,
)
from lydite.cli.training import (
    EncodingOption,
    FieldOption,
    LanguageOption,
    LeastOption,
    SentencesOption,
    TokenizerOption,
    WindowOption,
    WorkersOption,
    named,
)
from lydite.corpora.lemmas import GIVEN
from lydite.errors import MissingExtraError
from lydite.files.arrays import check_new
from lydite.results.provenance import versions
from lydite.storage import user_path
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.dinu_lapata import SenseRecipe, train_dinu_lapata

_EXAMPLES = """
Examples:

  lydite train dinu-lapata --corpus wikipedia-2014-20m --out dl-wikipedia --workers 2

  lydite train dinu-lapata --parsed genia-usp --senses 200 --iterations 200 --out dl-genia

  lydite separation 'dinu-lapata(dl-wikipedia, compose=multiply)' --task qa --data genia-answers

  lydite separation 'dinu-lapata(dl-wikipedia, domain=ml-genia)' --task qa --data genia-answers
"""


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("dinu-lapata", epilog=_EXAMPLES)(train)


def train(
    out: NewFolderOption,
    corpus: RawOption = None,
    parsed: ParsedOption = None,
    senses: Annotated[int, typer.Option(min=1, help="Latent senses: dimensions.")] = 1200,
    iterations: Annotated[int, typer.Option(min=1, help="Passes of Gibbs sampling.")] = 600,
    alpha: Annotated[
        float | None,
        typer.Option(help="Prior of a sense; by default 2 / senses.", show_default=False),
    ] = None,
    eta: Annotated[float, typer.Option(help="Prior of a context word in a sense.")] = 0.01,
    most: Annotated[
        int, typer.Option(min=0, help="Context words of a lemma that are drawn at most; 0: all.")
    ] = 2000,
    lemmata: LemmataOption = 30_000,
    contexts: Annotated[
        int,
        typer.Option(min=1, help="Context words: the most frequent that are no function words."),
    ] = 3_000,
    window: WindowOption = 5,
    min_count: LeastOption = 1,
    lemmas: LemmasOption = "simplemma",
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    tokenizer: TokenizerOption = "words",
    sentences: SentencesOption = "detect",
    language: LanguageOption = "en",
    encoding: EncodingOption = None,
    field: FieldOption = "text",
    quiet: QuietOption = False,
) -> None:
    """Learn latent senses from the contexts of lemmas, for D&L (extras train and lemmas).

    A million context words take a second or more an iteration with 1,200 senses. Sentences that the
    model is asked for later are lemmatized as the corpus was; with --lemmas given, by simplemma.
    """
    recipe = SenseRecipe(
        lemmata=lemmata,
        contexts=contexts,
        window=window,
        min_count=min_count,
        lemmas="simplemma" if lemmas == GIVEN else lemmas,
        senses=senses,
        iterations=iterations,
        alpha=alpha,
        eta=eta,
        most=most or None,
        seed=seed,
        workers=workers,
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
    about = {"corpus": named(located), "versions": {**versions(), "tomotopy": _sampler()}}
    with progress_bars(quiet=quiet):
        made = train_dinu_lapata(opened, recipe, target, provenance=about)
    say(
        f"{senses:,} senses of {len(made.lemmas):,} lemmas, from {made.provenance['sampled']:,} "
        f"context words in {made.provenance['text']['tokens']:,} tokens: {out}",
        quiet=quiet,
    )


def _sampler() -> str:
    """Return the version of what samples; where it is absent, say so before anything is counted."""
    try:
        return version("tomotopy")
    except ImportError as error:
        raise MissingExtraError("learning latent senses", extra="train") from error
