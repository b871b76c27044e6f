"""``lydite train skipgram``, ``cbow`` and ``ppmi-svd``: a space from running text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption, SeedOption
from lydite.cli.console import progress_bars, say
from lydite.cli.training import (
    AlphaOption,
    CorpusOption,
    DimOption,
    EncodingOption,
    EpochsOption,
    FieldOption,
    LeastOption,
    NegativeOption,
    OutFileOption,
    SampleOption,
    WindowOption,
    WorkersOption,
    corpora_for,
    named,
    paths_of,
    prepares,
    versions_with_gensim,
)
from lydite.corpora.cooccurrence.windows import Dynamics, Windows
from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.errors import InputError
from lydite.models.word2vec import Architecture, Word2VecRecipe, train_word2vec
from lydite.resources.catalogue import Located
from lydite.results.provenance import versions
from lydite.spaces.formats.writing import keeps_all, write_space
from lydite.spaces.space import Space
from lydite.storage import user_path
from lydite.types import PlainMapping

_EXAMPLES = """
Examples:

  lydite train {name} --corpus book.txt more.txt.gz --out space.safetensors

  lydite train {name} --corpus wikipedia-2014-20m --out wiki.safetensors{more}

  lydite similarity wiki.safetensors --pairs ws-353
"""

_PREPARATION = Preparation()


def register(group: typer.Typer) -> None:
    """Add the commands."""
    helps: dict[Architecture, str] = {
        "skipgram": "Train word2vec's skip-gram on running text (extra train).",
        "cbow": "Train word2vec's continuous bag of words on running text (extra train).",
    }
    for name, text in helps.items():
        epilog = _EXAMPLES.format(name=name, more=" --workers 8")
        group.command(name, help=f"{text}\n\n{_KEPT}", epilog=epilog)(_word2vec(name))
    epilog = _EXAMPLES.format(name="ppmi-svd", more=" --cds 0.75")
    group.command("ppmi-svd", epilog=epilog)(ppmi_svd)


_KEPT = (
    "The file keeps word vectors, context vectors, counts, and what it was made from "
    "(lydite models show FILE)."
)


def _word2vec(architecture: Architecture) -> Callable[..., None]:
    @prepares
    def train(
        corpus: CorpusOption,
        out: OutFileOption,
        dim: DimOption = 100,
        window: WindowOption = 5,
        negative: NegativeOption = 5,
        min_count: LeastOption = 5,
        epochs: EpochsOption = 5,
        sample: SampleOption = 1e-3,
        alpha: AlphaOption = 0.025,
        seed: SeedOption = 0,
        workers: WorkersOption = 1,
        preparation: Preparation = _PREPARATION,
        encoding: EncodingOption = None,
        field: FieldOption = "text",
        quiet: QuietOption = False,
    ) -> None:
        recipe = Word2VecRecipe(
            architecture=architecture,
            dim=dim,
            window=window,
            negative=negative,
            min_count=min_count,
            epochs=epochs,
            sample=sample,
            alpha=alpha,
            seed=seed,
            workers=workers,
        )
        located = _located(corpus, out)
        opened = open_corpus(paths_of(located), preparation, encoding=encoding, field=field)
        with progress_bars(quiet=quiet):
            trained = train_word2vec(opened.sentences(), recipe)
        about = {
            "recipe": dataclasses.asdict(recipe),
            "preparation": dataclasses.asdict(preparation),
            "text": {name: getattr(trained, name) for name in ("sentences", "tokens", "words")},
            "versions": versions_with_gensim(),
        }
        _write(trained.space, located, about, out, quiet=quiet)

    return train


@prepares
def ppmi_svd(
    corpus: CorpusOption,
    out: OutFileOption,
    dim: DimOption = 100,
    window: WindowOption = 5,
    dynamic: Annotated[
        Dynamics, typer.Option(help="Near contexts count more: on average, or by drawn windows.")
    ] = "none",
    sample: SampleOption = 0.0,
    delete: Annotated[bool, typer.Option(help="Dropped and rare words leave no gap.")] = False,
    min_count: LeastOption = 100,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Keep only so many words, the most frequent.")
    ] = None,
    cds: Annotated[float, typer.Option(help="Exponent of the counts of contexts.")] = 1.0,
    shift: Annotated[float, typer.Option(help="Negative samples.")] = 1.0,
    eig: Annotated[float, typer.Option(help="Exponent of the singular values.")] = 0.5,
    add_contexts: Annotated[
        bool, typer.Option(help="Add a word's vector as a context to its vector.")
    ] = False,
    normalise: Annotated[bool, typer.Option(help="Vectors of length 1.")] = True,
    seed: SeedOption = 0,
    preparation: Preparation = _PREPARATION,
    quiet: QuietOption = False,
) -> None:
    """Count co-occurrences, weigh them by information (PPMI), keep the largest singular values."""
    from lydite.models.ppmi_svd import Factors, train_ppmi_svd

    windows = Windows(size=window, dynamic=dynamic, sample=sample, delete=delete, seed=seed)
    factors = Factors(
        dim=dim, cds=cds, shift=shift, eig=eig, add_contexts=add_contexts, normalise=normalise
    )
    located = _located(corpus, out)
    with progress_bars(quiet=quiet):
        space = train_ppmi_svd(
            paths_of(located),
            windows,
            factors,
            min_count=min_count,
            limit=limit,
            preparation=preparation,
        )
    recipe = {
        "architecture": "ppmi-svd",
        **dataclasses.asdict(windows),
        **dataclasses.asdict(factors),
        "min_count": min_count,
        "limit": limit,
    }
    about = {
        "recipe": recipe,
        "preparation": dataclasses.asdict(preparation),
        "versions": versions(),
    }
    _write(space, located, about, out, quiet=quiet)


def _located(corpus: list[str], out: Path) -> list[Located]:
    """Find the corpora; refuse what cannot become a space, before anything is read."""
    if not keeps_all(user_path(out)):
        raise InputError(
            f"{out}: expected a name that ends in .safetensors (then .gz, .xz or .zst)",
            hint="the only format that keeps context vectors and counts; lydite convert writes the "
            "others from it",
        )
    return corpora_for(corpus, out)


def _write(
    space: Space, located: list[Located], about: PlainMapping, out: Path, *, quiet: bool
) -> None:
    """Write a space with what it was made from, and say what came of it."""
    with progress_bars(quiet=quiet) as bars:
        write_space(
            space, user_path(out), provenance={"corpus": named(located), **about}, progress=bars
        )
    size = f", from {about['text']['tokens']:,} tokens" if "text" in about else ""
    say(f"{len(space):,} words of {space.dim} dimensions{size}: {out}", quiet=quiet)
