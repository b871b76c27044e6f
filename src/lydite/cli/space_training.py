"""What the commands that train one space share: where it comes from and how it is written."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydite.cli.console import progress_bars, say
from lydite.cli.training import corpora_for, named
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.models.zoo.families import family
from lydite.models.zoo.member import Trained
from lydite.models.zoo.training import shared_corpus
from lydite.resources.catalogue import Located
from lydite.results.provenance import versions
from lydite.spaces.formats.writing import keeps_all, write_space
from lydite.spaces.space import Space
from lydite.storage import user_path
from lydite.types import PlainMapping


def train_family(
    name: str,
    parameters: Mapping[str, Any],
    corpus: list[str],
    out: Path,
    *,
    preparation: Preparation,
    encoding: str | None = None,
    field: str = "text",
    quiet: bool,
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


def located_for(corpus: list[str], out: Path) -> list[Located]:
    """Find the corpora; refuse what cannot become a space, before anything is read."""
    require_safetensors(out)
    return corpora_for(corpus, out)


def require_safetensors(out: Path) -> None:
    """Refuse to write a trained space in a format that loses half of it."""
    if not keeps_all(user_path(out)):
        raise InputError(
            f"{out}: expected a name that ends in .safetensors (then .gz, .xz or .zst)",
            hint="the only format that keeps context vectors and counts; lydite convert writes the "
            "others from it",
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
