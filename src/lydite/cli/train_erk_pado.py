"""``lydite train erk-pado``: a structured vector space, from parsed text."""

from __future__ import annotations

from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption
from lydite.cli.console import progress_bars, say
from lydite.cli.parsed_training import (
    JobsOption,
    LemmasOption,
    LemmataOption,
    NewFolderOption,
    ParsedOption,
    ParseFolderOption,
    RawOption,
    WordsOption,
    parsed_text,
)
from lydite.cli.training import WindowOption, named
from lydite.files.arrays import check_new
from lydite.results.provenance import versions
from lydite.storage import user_path
from lydite.trained.cheung_penn.erk_pado import ErkPadoRecipe
from lydite.trained.cheung_penn.mitchell_lapata import MitchellLapataRecipe

_EXAMPLES = """
Examples:

  lydite train erk-pado --parsed genia-usp --out ep-genia

  lydite train erk-pado --corpus wikipedia-2014-20m --words 1000000 --parses parsed --out ep-wiki

  lydite separation 'erk-pado(ep-wiki, compose=multiply)' --task qa --data genia-answers
"""


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("erk-pado", epilog=_EXAMPLES)(train)


def train(
    out: NewFolderOption,
    corpus: RawOption = None,
    parsed: ParsedOption = None,
    theta: Annotated[
        int, typer.Option(min=0, help="Triples take part that stand there more often than this.")
    ] = 10,
    lemmata: LemmataOption = 30_000,
    contexts: Annotated[
        int, typer.Option(min=1, help="Dimensions: the most frequent that are no function words.")
    ] = 3_000,
    window: WindowOption = 5,
    lemmas: LemmasOption = "simplemma",
    parses: ParseFolderOption = None,
    words: WordsOption = None,
    jobs: JobsOption = 2,
    quiet: QuietOption = False,
) -> None:
    """Count contexts of words and what they depend on, for E&P (extra parse).

    Running text is parsed by spaCy first, some thousand words a second; other models can be trained
    on the same parses. In a small corpus few triples stand more than 10 times: lower --theta.
    """
    from lydite.trained.cheung_penn.erk_pado import train_erk_pado

    counted = MitchellLapataRecipe(lemmata=lemmata, contexts=contexts, window=window, lemmas="none")
    recipe = ErkPadoRecipe(theta=theta, words=counted)
    target = user_path(out)
    check_new(target)
    with progress_bars(quiet=quiet):
        opened, located = parsed_text(
            corpus, parsed, out, lemmas=lemmas, parses=parses, words=words, jobs=jobs
        )
        about = {"corpus": named(located), "versions": versions()}
        text = train_erk_pado(opened, recipe, target, provenance=about).provenance["text"]
    say(
        f"{text['kept_triples']:,} triples that stand more than {theta} times, from "
        f"{text['tokens']:,} tokens: {out}",
        quiet=quiet,
    )
