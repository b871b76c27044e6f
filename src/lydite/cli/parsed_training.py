"""What the commands that train on parsed text share: options, and how the text is found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import complete_resources
from lydite.cli.training import corpora_for, paths_of
from lydite.corpora.documents import open_corpus
from lydite.errors import InputError
from lydite.resources.catalogue import Located, locate
from lydite.storage import user_path
from lydite.trained.parsed.load import ParsedCorpus, open_parsed
from lydite.trained.parsed.spacy import parse_corpus

RawOption = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus",
        metavar="NAME|FILE...",
        help="Running text: files, folders or names; gz, xz, zst, lines of JSON.",
        autocompletion=complete_resources,
        show_default=False,
    ),
]
ParsedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--parsed",
        metavar="NAME|FOLDER...",
        help="Parsed text in its place: CoNLL-U, or Stanford dependencies as GENIA has them.",
        autocompletion=complete_resources,
        show_default=False,
    ),
]
NewFolderOption = Annotated[
    Path, typer.Option("--out", "-o", help="The folder to write, a new one.")
]
LemmataOption = Annotated[int, typer.Option(min=1, help="Lemmas that are counted.")]
LemmasOption = Annotated[
    str,
    typer.Option(
        help="Lemmatizer: simplemma (extra lemmas), none, or given for the lemmas that stand there."
    ),
]
ParseFolderOption = Annotated[
    Path | None,
    typer.Option(
        "--parses",
        metavar="FOLDER",
        help="Where parses of --corpus are kept, and taken up again; by default OUT-parsed.",
        show_default=False,
    ),
]
WordsOption = Annotated[
    int | None,
    typer.Option(
        "--words",
        min=1,
        help="How many words of --corpus to parse; by default all.",
        show_default=False,
    ),
]
JobsOption = Annotated[int, typer.Option(min=1, help="Processes that parse.")]


def parsed_text(
    corpus: list[str] | None,
    parsed: list[str] | None,
    out: Path,
    *,
    lemmas: str,
    parses: Path | None,
    words: int | None,
    jobs: int,
) -> tuple[ParsedCorpus, list[Located]]:
    """Open parsed text, or parse running text first; return it and which data it comes from."""
    if bool(corpus) == bool(parsed):
        raise InputError(
            "expected either running text or parsed text",
            hint="give --corpus NAME|FILE or --parsed NAME|FOLDER",
        )
    if corpus:
        running = corpora_for(corpus, out)
        folder = user_path(parses or out.with_name(f"{out.name}-parsed"))
        files = parse_corpus(open_corpus(paths_of(running)), folder, words=words, jobs=jobs)
        return open_parsed(files, name=folder.name, lemmas=lemmas), running
    located = [locate(source) for source in parsed or ()]
    paths = [
        path
        for source in located
        # A folder of the user's may hold other files besides.
        for path in (source.paths if source.card else (user_path(source.name),))
    ]
    name = ", ".join(source.name for source in located)
    return open_parsed(paths, name=name, lemmas=lemmas), located
