"""``lydite train parse``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.corpora.documents import open_corpus
from lydite.errors import InputError
from lydite.resources.catalogue import locate
from lydite.storage import user_path
from lydite.trained.parsed.spacy import MANIFEST, parse_corpus

_EXAMPLES = """
Examples:

  lydite train parse --corpus wikipedia-2014-20m --words 1000000 --out parsed

  lydite train parse --corpus book.txt --corpus more.txt.gz --out parsed-books
"""

_KINDS = ("corpus", "book")


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("parse", epilog=_EXAMPLES)(parse)


def parse(
    corpus: Annotated[
        list[str],
        typer.Option(
            metavar="NAME|FILE",
            help="Running English text; can be given several times.",
            autocompletion=complete_resources,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")],
    words: Annotated[
        int | None,
        typer.Option(min=1, help="How many words to parse; by default all.", show_default=False),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    quiet: QuietOption = False,
) -> None:
    """Parse text into CoNLL-U, for models that are trained on dependencies (extra parse).

    A few thousand words a second and process. The folder gets a file for each 50,000 words;
    started again after it was broken off, the command goes on with the next.
    """
    located = [locate(source) for source in corpus]
    for source in located:
        if source.card is not None and source.card.kind not in _KINDS:
            raise InputError(
                f"{source.name}: expected running text, got data of the kind {source.card.kind}",
                hint=f"`lydite data ls` shows the kinds; these will do: {', '.join(_KINDS)}",
            )
    folder = user_path(out)
    text = open_corpus([path for source in located for path in source.paths])
    with progress_bars(quiet=quiet):
        files = parse_corpus(text, folder, words=words, jobs=jobs)
    noted = json.loads((folder / MANIFEST).read_bytes())
    total = {
        name: sum(shard[name] for shard in noted["shards"].values())
        for name in ("words", "sentences", "tokens")
    }
    say(
        f"{total['words']:,} words, {total['sentences']:,} sentences in {len(files)} files: "
        f"{folder}",
        quiet=quiet,
    )
