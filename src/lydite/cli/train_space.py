"""``lydite train skipgram``, ``cbow`` and ``ppmi-svd``: a space from running text."""

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
    DeleteOption,
    DimOption,
    DynamicsOption,
    EncodingOption,
    EpochsOption,
    ExponentOption,
    FieldOption,
    LeastOption,
    NegativeOption,
    NormaliseOption,
    OutFileOption,
    SampleOption,
    VocabularyOption,
    WindowOption,
    WorkersOption,
    paths_of,
    prepares,
    versions_with_gensim,
)
from lydite.corpora.cooccurrence.windows import Windows
from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.models.word2vec import Architecture, Word2VecRecipe, train_word2vec
from lydite.models.zoo.families import Engine
from lydite.results.provenance import versions

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
    group.command("ppmi-svd", epilog=examples("ppmi-svd", "--cds 0.75"))(ppmi_svd)


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
    dynamic: DynamicsOption = "none",
    sample: SampleOption = 0.0,
    delete: DeleteOption = False,
    min_count: LeastOption = 100,
    limit: VocabularyOption = None,
    cds: Annotated[float, typer.Option(help="Exponent of the counts of contexts.")] = 1.0,
    shift: Annotated[float, typer.Option(help="Negative samples.")] = 1.0,
    eig: ExponentOption = 0.5,
    add_contexts: Annotated[
        bool, typer.Option(help="Add a word's vector as a context to its vector.")
    ] = False,
    normalise: NormaliseOption = True,
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
