"""``lydite train retrofit``: a space moved towards lexicons."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption, complete_models, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.cli.space_training import check_target
from lydite.cli.training import OutFileOption, named
from lydite.errors import InputError
from lydite.models.contexts import background_space
from lydite.results.provenance import versions
from lydite.spaces.formats.writing import write_space
from lydite.spec import Spec
from lydite.storage import user_path
from lydite.trained.lexicons import Lexicon, joined, lexicon_of
from lydite.trained.retrofitting import retrofit as move
from lydite.trained.zoo.grid import Retrofitting

_EXAMPLES = """
Examples:

  lydite train retrofit glove-6b-50d --lexicon ppdb-xl --out glove-ppdb.safetensors

  lydite train retrofit vectors.txt --lexicon wordnet-3.0 --relation synonyms
    --out synonyms.safetensors

  lydite train retrofit vectors.txt --lexicon ppdb-xl my-synonyms.txt --out both.safetensors

  lydite similarity glove-6b-50d glove-ppdb.safetensors --pairs simlex-999
"""


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("retrofit", epilog=_EXAMPLES)(retrofit)


def retrofit(
    space: Annotated[
        str,
        typer.Argument(
            metavar="SPACE",
            help="A vector file, or the spec of a space.",
            show_default=False,
            autocompletion=complete_models,
        ),
    ],
    lexicon: Annotated[
        list[str],
        typer.Option(
            metavar="NAME|FILE...",
            help="Words and their neighbours, such as ppdb-xl, or a taxonomy.",
            autocompletion=complete_resources,
        ),
    ],
    out: OutFileOption,
    relation: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Which words of a taxonomy are neighbours: synonyms, hypernyms, hyponyms; may be "
            "given several times.  \\[default: all three]",
            show_default=False,
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Passes over the words.")] = 10,
    alpha: Annotated[
        float, typer.Option(min=0, help="What a vector's first place counts against its neighbours")
    ] = 1.0,
    normalise: Annotated[bool, typer.Option(help="Vectors of length 1 at the beginning.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Move the vectors of a space towards those of their neighbours in lexicons.

    A lexicon is a list with a word and its neighbours a line, or a taxonomy such as WordNet.
    Neighbours in several lexicons are put together. Words without neighbours stay as they are.
    """
    check_target(out)
    target = user_path(out)
    if target.exists() and Path(space).exists() and target.samefile(space):
        raise InputError(
            f"{out}: expected another file to write to than the space that is read",
            hint="write to a new name, then rename",
        )
    lexicons = [_with_relations(lexicon_of(text), relation or []) for text in lexicon]
    how = dataclasses.asdict(Retrofitting(iterations=iterations, alpha=alpha, normalise=normalise))
    located = [each.locate() for each in lexicons]
    with progress_bars(quiet=quiet) as bars:
        neighbours = joined([each.open() for each in lexicons])
        parent = background_space("retrofit", space)
        moved = move(parent, neighbours, **how)
        about = {
            "recipe": {
                "architecture": "retrofitted",
                "version": Retrofitting.version,
                "parent": parent.spec,
                "lexicons": [each.spec for each in lexicons],
                **how,
            },
            "parent_sha256": parent.fingerprint,
            "lexicons": named(located),
            "moved": moved.moved,
            "edges": moved.edges,
            "versions": versions(),
        }
        write_space(moved.space, target, provenance=about, progress=bars)
    say(f"{moved.moved:,} of {len(parent):,} words moved: {out}", quiet=quiet)


def _with_relations(lexicon: Lexicon, relations: list[str]) -> Lexicon:
    if not relations:
        return lexicon
    if lexicon.relations:
        raise InputError(
            f"expected relations once, got them in {lexicon.spec} and by --relation",
            hint=f"--lexicon {lexicon.source} --relation {' --relation '.join(relations)}",
        )
    return lexicon_of(str(Spec(lexicon.source, tuple(relations))))
