"""What the commands that train one space share: where it comes from and how it is written."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lydite.cli.arguments import QuietOption
from lydite.cli.console import progress_bars, say
from lydite.cli.training import (
    CorpusOption,
    EncodingOption,
    FieldOption,
    OutFileOption,
    corpora_for,
    named,
    prepares,
)
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.resources.catalogue import Located
from lydite.results.provenance import versions
from lydite.spaces.formats.writing import keeps_all, write_space
from lydite.spaces.space import Space
from lydite.storage import user_path
from lydite.trained.zoo.families import family
from lydite.trained.zoo.grid import Trained
from lydite.trained.zoo.training import shared_corpus
from lydite.types import PlainMapping

KEPT = (
    "The file keeps word vectors, counts, context vectors where a word has one, and what it was "
    "made from (lydite models show FILE)."
)
_EXAMPLES = """
Examples:

  lydite train {name} --corpus book.txt more.txt.gz --out space.safetensors

  lydite train {name} --corpus wikipedia-2014-20m --out wiki.safetensors {more}

  lydite similarity wiki.safetensors --pairs ws-353

  lydite train zoo --corpus book.txt --models {name} --dim 100,200,300 --out zoo
"""
_PREPARATION = Preparation()


def examples(name: str, more: str) -> str:
    """Return what is shown below the help of a command, one example with further options."""
    return _EXAMPLES.format(name=name, more=more)


def train_family(
    name: str,
    parameters: Mapping[str, Any],
    corpus: CorpusOption,
    out: OutFileOption,
    *,
    preparation: Preparation = _PREPARATION,
    encoding: EncodingOption = None,
    field: FieldOption = "text",
    quiet: QuietOption = False,
) -> None:
    """Train one space of a family, as a zoo trains each of its own, and write it."""
    member = Trained.of(family(name), parameters)
    located = located_for(corpus, out)
    with (
        progress_bars(quiet=quiet),
        tempfile.TemporaryDirectory(prefix="lydite-", ignore_cleanup_errors=True) as work,
    ):
        text = shared_corpus(located, preparation, Path(work), encoding=encoding, field=field)
        space = family(name).train(dict(member.parameters), text)
        about = {
            "recipe": member.recipe,
            "spec": member.spec,
            "preparation": dataclasses.asdict(preparation),
            "text": text.size,
            "versions": versions(),
        }
    write_trained(space, located, about, out, quiet=quiet)


def trains(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make the command that trains a family out of a function that declares its parameters.

    The function is never called. Its parameters become options after those that say what is read
    and written and before those that say how text is prepared, as `train_family` has them; its
    docstring becomes the help.
    """

    def command(declared: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(declared, eval_str=True).parameters
        shared = list(inspect.signature(train_family, eval_str=True).parameters.values())[2:]

        @functools.wraps(declared)
        def train(**given: Any) -> None:  # noqa: ANN401 - whatever is declared
            train_family(name, {each: given.pop(each) for each in own}, **given)

        signature = inspect.Signature([*shared[:2], *own.values(), *shared[2:]])
        train.__signature__ = signature  # type: ignore[attr-defined]
        return prepares(train)

    return command


def located_for(corpus: list[str], out: Path) -> list[Located]:
    """Find the corpora; refuse what cannot become a space, before anything is read."""
    check_target(out)
    return corpora_for(corpus, out)


def check_target(out: Path) -> None:
    """Refuse, before hours of training, a file that a trained space could not be written to."""
    target = user_path(out)
    if not keeps_all(target):
        raise InputError(
            f"{out}: expected a name that ends in .safetensors (then .gz, .xz or .zst)",
            hint="the only format that keeps context vectors and counts; lydite convert writes the "
            "others from it",
        )
    if target.is_dir():
        raise InputError(f"{out}: expected the name of a file to write, got a folder")
    above = next(folder for folder in target.absolute().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise InputError(
            f"{out}: expected a place that can be written to, got {above}",
            hint="name a file in another folder",
        )


def write_trained(
    space: Space, located: list[Located], about: PlainMapping, out: Path, *, quiet: bool
) -> None:
    """Write a space with what it was made from, and say what came of it."""
    with progress_bars(quiet=quiet) as bars:
        write_space(
            space, user_path(out), provenance={"corpus": named(located), **about}, progress=bars
        )
    size = f", from {about['text']['tokens']:,} tokens" if "text" in about else ""
    say(f"{len(space):,} words of {space.dim} dimensions{size}: {out}", quiet=quiet)
