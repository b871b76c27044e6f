"""``lydite train thater``: vectors over relations and words, from parsed text."""

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
from lydite.cli.training import named
from lydite.files.arrays import check_new
from lydite.results.provenance import versions
from lydite.storage import user_path
from lydite.trained.cheung_penn.thater import ThaterRecipe

_EXAMPLES = """
Examples:

  lydite train thater --parsed genia-usp --out tfp-genia

  lydite train thater --parsed genia-usp --min-count 3 --pmi 1 --out tfp-genia-low

  lydite separation 'backoff(thater(tfp-wiki), thater(tfp-genia))' --task qa --data genia-answers
"""


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("thater", epilog=_EXAMPLES)(train)


def train(
    out: NewFolderOption,
    corpus: RawOption = None,
    parsed: ParsedOption = None,
    min_count: Annotated[
        int, typer.Option(min=1, help="Triples that are rarer are left out.")
    ] = 10,
    pmi: Annotated[
        float, typer.Option(min=0, help="Triples with less information are left out.")
    ] = 2.0,
    lemmata: LemmataOption = 30_000,
    lemmas: LemmasOption = "simplemma",
    parses: ParseFolderOption = None,
    words: WordsOption = None,
    jobs: JobsOption = 2,
    quiet: QuietOption = False,
) -> None:
    """Count which words depend on which and weigh them by information, for TFP (extra parse).

    Running text is parsed by spaCy first, some thousand words a second; other models can be trained
    on the same parses. In a small corpus few triples stand 10 times: lower --min-count.
    """
    from lydite.trained.cheung_penn.thater import train_thater

    recipe = ThaterRecipe(lemmata=lemmata, min_count=min_count, pmi=pmi)
    target = user_path(out)
    check_new(target)
    with progress_bars(quiet=quiet):
        opened, located = parsed_text(
            corpus, parsed, out, lemmas=lemmas, parses=parses, words=words, jobs=jobs
        )
        about = {"corpus": named(located), "versions": versions()}
        text = train_thater(opened, recipe, target, provenance=about).provenance["text"]
    say(
        f"{text['kept_triples']:,} of {text['triples']:,} triples, from {text['tokens']:,} tokens: "
        f"{out}",
        quiet=quiet,
    )
