"""``lydite train skipgram``, ``cbow`` and ``ppmi-svd``: a space from running text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any

import typer

from lydite.cli.arguments import QuietOption, SeedOption
from lydite.cli.console import progress_bars
from lydite.cli.space_training import located_for, train_family, write_trained
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
    paths_of,
    prepares,
    versions_with_gensim,
)
from lydite.corpora.cooccurrence.windows import Dynamics, Windows
from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.models.word2vec import Architecture, Word2VecRecipe, train_word2vec
from lydite.models.zoo.families import Engine
from lydite.results.provenance import versions

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
        "skipgram": "Train word2vec's skip-gram (extra train, unless --engine lydite).",
        "cbow": "Train word2vec's continuous bag of words (extra train, unless --engine lydite).",
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
        engine: Annotated[
            Engine, typer.Option(help="gensim, or Lydite's own kernels, which need no extra.")
        ] = "gensim",
        preparation: Preparation = _PREPARATION,
        encoding: EncodingOption = None,
        field: FieldOption = "text",
        quiet: QuietOption = False,
    ) -> None:
        parameters: dict[str, Any] = {
            "dim": dim,
            "window": window,
            "negative": negative,
            "min_count": min_count,
            "epochs": epochs,
            "sample": sample,
            "alpha": alpha,
            "seed": seed,
            "workers": workers,
        }
        if engine == "lydite":
            train_family(
                architecture,
                parameters,
                corpus,
                out,
                preparation=preparation,
                encoding=encoding,
                field=field,
                quiet=quiet,
            )
            return
        recipe = Word2VecRecipe(architecture=architecture, **parameters)
        located = located_for(corpus, out)
        opened = open_corpus(paths_of(located), preparation, encoding=encoding, field=field)
        with progress_bars(quiet=quiet):
            trained = train_word2vec(opened.sentences(), recipe)
        about = {
            "recipe": dataclasses.asdict(recipe),
            "preparation": dataclasses.asdict(preparation),
            "text": {name: getattr(trained, name) for name in ("sentences", "tokens", "words")},
            "versions": versions_with_gensim(),
        }
        write_trained(trained.space, located, about, out, quiet=quiet)

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
    located = located_for(corpus, out)
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
    write_trained(space, located, about, out, quiet=quiet)
