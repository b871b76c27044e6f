"""``lydite train skipgram`` and ``cbow``: word2vec's own two models, by gensim or by Lydite."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any

import typer

from lydite.cli.arguments import QuietOption, SeedOption
from lydite.cli.console import progress_bars
from lydite.cli.space_training import KEPT, examples, located_for, train_family, write_trained
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
from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.trained.gensim_engine import Architecture, Word2VecRecipe, train_word2vec
from lydite.trained.zoo.families import Engine

_PREPARATION = Preparation()


def register(group: typer.Typer) -> None:
    """Add the commands."""
    helps: dict[Architecture, str] = {
        "skipgram": "Train word2vec's skip-gram (extra train, unless --engine lydite).",
        "cbow": "Train word2vec's continuous bag of words (extra train, unless --engine lydite).",
    }
    for name, text in helps.items():
        epilog = examples(name, "--workers 8")
        group.command(name, help=f"{text}\n\n{KEPT}", epilog=epilog)(_word2vec(name))


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
