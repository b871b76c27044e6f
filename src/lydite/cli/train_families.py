"""``lydite train glove``, ``lsa``, ``ppmi-svd`` and the kinds of skip-gram that only Lydite has."""

from __future__ import annotations

from typing import Annotated

import typer

from lydite.cli.arguments import SeedOption
from lydite.cli.space_training import KEPT, examples, trains
from lydite.cli.training import (
    AlphaOption,
    DeleteOption,
    DimOption,
    DynamicsOption,
    EpochsOption,
    ExponentOption,
    LeastOption,
    NegativeOption,
    NormaliseOption,
    SampleOption,
    VocabularyOption,
    WindowOption,
    WorkersOption,
)
from lydite.trained.lsa import Columns, Weighting

_HELPS = {
    "structured-skipgram": "Train skip-gram with output vectors for each position in the window.",
    "cwindow": "Train CWindow: CBOW with the words around laid side by side, not averaged.",
    "cbow-attention": "Train CBOW that learns what each word at each position is worth.",
}


def register(group: typer.Typer) -> None:
    """Add the commands."""
    for name, text in _HELPS.items():
        epilog = examples(name, "--workers 8")
        group.command(name, help=f"{text}\n\n{KEPT}", epilog=epilog)(trains(name)(_skipgram))
    group.command("glove", epilog=examples("glove", "--epochs 50 --x-max 10"))(glove)
    group.command("lsa", epilog=examples("lsa", "--dim 300"))(lsa)
    group.command("ppmi-svd", epilog=examples("ppmi-svd", "--cds 0.75"))(ppmi_svd)


def _skipgram(
    dim: DimOption = 100,
    window: WindowOption = 5,
    dynamic: Annotated[
        bool | None,
        typer.Option(help="Draw a window of 1 to this for each place.", show_default="no-dynamic"),
    ] = None,
    negative: NegativeOption = 5,
    min_count: LeastOption = 5,
    limit: VocabularyOption = None,
    epochs: EpochsOption = 5,
    sample: SampleOption = 1e-3,
    alpha: AlphaOption = 0.025,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
) -> None:
    """Declare what all kinds of skip-gram and CBOW take."""


@trains("glove")
def glove(
    dim: DimOption = 100,
    window: WindowOption = 10,
    sample: SampleOption = 0.0,
    delete: DeleteOption = False,
    min_count: LeastOption = 5,
    limit: VocabularyOption = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the counts.")] = 25,
    x_max: Annotated[
        float,
        typer.Option(
            help="From this count on all pairs of words weigh the same. 100 suits billions of "
            "words; take 10 for tens of millions, as the authors do for 17 million (text8)."
        ),
    ] = 100.0,
    weight_power: Annotated[float, typer.Option(help="How much less rarer pairs weigh.")] = 0.75,
    alpha: AlphaOption = 0.05,
    seed: SeedOption = 0,
) -> None:
    """Train GloVe: count co-occurrences, then fit vectors to their logarithms.

    All cores are used; the same seed gives the same bits, however many there are.
    """


@trains("lsa")
def lsa(
    dim: DimOption = 100,
    columns: Annotated[
        Columns, typer.Option(help="What words are counted in: documents, or windows of words.")
    ] = "documents",
    weighting: Annotated[Weighting, typer.Option(help="Of the counts.")] = "log-entropy",
    span: Annotated[int, typer.Option(min=1, help="Sentences in a row that make a document.")] = 1,
    eig: ExponentOption = 1.0,
    normalise: NormaliseOption = False,
    window: WindowOption = 5,
    dynamic: DynamicsOption = "none",
    sample: SampleOption = 0.0,
    delete: DeleteOption = False,
    min_count: LeastOption = 5,
    limit: VocabularyOption = None,
    seed: SeedOption = 0,
) -> None:
    """Count words in documents, weigh the counts, keep the largest singular values.

    Windows, subsampling and seed matter only with --columns words. Weighted by pointwise mutual
    information, that is lydite train ppmi-svd.
    """


@trains("ppmi-svd")
def ppmi_svd(
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
) -> None:
    """Count co-occurrences, weigh them by information (PPMI), keep the largest singular values."""
