"""``lydite train structured-skipgram``, ``cwindow``, ``cbow-attention``, ``glove`` and ``lsa``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from lydite.cli.arguments import QuietOption, SeedOption
from lydite.cli.space_training import train_family
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
    prepares,
)
from lydite.corpora.cooccurrence.windows import Dynamics
from lydite.corpora.preparation import Preparation
from lydite.models.lsa import Columns, Weighting

_EXAMPLES = """
Examples:

  lydite train {name} --corpus book.txt more.txt.gz --out space.safetensors

  lydite train {name} --corpus wikipedia-2014-20m --out wiki.safetensors{more}

  lydite similarity wiki.safetensors --pairs ws-353

  lydite train zoo --corpus book.txt --models {name} --dim 100,200,300 --out zoo
"""

_HELPS = {
    "structured-skipgram": "Train skip-gram with output vectors for each position in the window.",
    "cwindow": "Train CWindow: CBOW with the words around laid side by side, not averaged.",
    "cbow-attention": "Train CBOW that learns what each word at each position is worth.",
}
_KEPT = (
    "The file keeps word vectors, counts, context vectors where a word has one, and what it was "
    "made from (lydite models show FILE)."
)
_PREPARATION = Preparation()

VocabularyLimit = Annotated[
    int | None, typer.Option(min=2, help="Keep only so many words, the most frequent.")
]
DeleteOption = Annotated[bool, typer.Option(help="Dropped and rare words leave no gap.")]
DynamicOption = Annotated[
    Dynamics, typer.Option(help="Near contexts count more: on average, or by drawn windows.")
]


def register(group: typer.Typer) -> None:
    """Add the commands."""
    for name, text in _HELPS.items():
        epilog = _EXAMPLES.format(name=name, more=" --workers 8")
        group.command(name, help=f"{text}\n\n{_KEPT}", epilog=epilog)(_skipgram(name))
    epilog = _EXAMPLES.format(name="glove", more=" --epochs 50 --x-max 10")
    group.command("glove", epilog=epilog)(glove)
    epilog = _EXAMPLES.format(name="lsa", more=" --dim 300")
    group.command("lsa", epilog=epilog)(lsa)


def _skipgram(name: str) -> Callable[..., None]:
    @prepares
    def train(
        corpus: CorpusOption,
        out: OutFileOption,
        dim: DimOption = 100,
        window: WindowOption = 5,
        dynamic: Annotated[
            bool, typer.Option(help="Draw a window of 1 to this for each place.")
        ] = False,
        negative: NegativeOption = 5,
        min_count: LeastOption = 5,
        limit: VocabularyLimit = None,
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
        parameters = {
            "dim": dim,
            "window": window,
            "dynamic": True if dynamic else None,
            "negative": negative,
            "min_count": min_count,
            "limit": limit,
            "epochs": epochs,
            "sample": sample,
            "alpha": alpha,
            "seed": seed,
            "workers": workers,
        }
        train_family(
            name,
            parameters,
            corpus,
            out,
            preparation=preparation,
            encoding=encoding,
            field=field,
            quiet=quiet,
        )

    return train


@prepares
def glove(
    corpus: CorpusOption,
    out: OutFileOption,
    dim: DimOption = 100,
    window: WindowOption = 10,
    sample: SampleOption = 0.0,
    delete: DeleteOption = False,
    min_count: LeastOption = 5,
    limit: VocabularyLimit = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the counts.")] = 25,
    x_max: Annotated[
        float, typer.Option(help="From this count on all pairs of words weigh the same.")
    ] = 100.0,
    weight_power: Annotated[float, typer.Option(help="How much less rarer pairs weigh.")] = 0.75,
    alpha: AlphaOption = 0.05,
    seed: SeedOption = 0,
    preparation: Preparation = _PREPARATION,
    encoding: EncodingOption = None,
    field: FieldOption = "text",
    quiet: QuietOption = False,
) -> None:
    """Train GloVe: count co-occurrences, then fit vectors to their logarithms.

    All cores are used; the same seed gives the same bits, however many there are.
    """
    parameters = {
        "dim": dim,
        "window": window,
        "sample": sample,
        "delete": delete,
        "min_count": min_count,
        "limit": limit,
        "epochs": epochs,
        "x_max": x_max,
        "weight_power": weight_power,
        "alpha": alpha,
        "seed": seed,
    }
    train_family(
        "glove",
        parameters,
        corpus,
        out,
        preparation=preparation,
        encoding=encoding,
        field=field,
        quiet=quiet,
    )


@prepares
def lsa(
    corpus: CorpusOption,
    out: OutFileOption,
    dim: DimOption = 100,
    columns: Annotated[
        Columns, typer.Option(help="What words are counted in: documents, or windows of words.")
    ] = "documents",
    weighting: Annotated[Weighting, typer.Option(help="Of the counts.")] = "log-entropy",
    span: Annotated[int, typer.Option(min=1, help="Sentences in a row that make a document.")] = 1,
    eig: Annotated[float, typer.Option(help="Exponent of the singular values.")] = 1.0,
    normalise: Annotated[bool, typer.Option(help="Vectors of length 1.")] = False,
    window: WindowOption = 5,
    dynamic: DynamicOption = "none",
    sample: SampleOption = 0.0,
    delete: DeleteOption = False,
    min_count: LeastOption = 5,
    limit: VocabularyLimit = None,
    seed: SeedOption = 0,
    preparation: Preparation = _PREPARATION,
    encoding: EncodingOption = None,
    field: FieldOption = "text",
    quiet: QuietOption = False,
) -> None:
    """Count words in documents, weigh the counts, keep the largest singular values.

    Windows, subsampling and seed matter only with --columns words. Weighted by pointwise mutual
    information, that is lydite train ppmi-svd.
    """
    parameters = {
        "dim": dim,
        "columns": columns,
        "weighting": weighting,
        "span": span,
        "eig": eig,
        "normalise": normalise,
        "window": window,
        "dynamic": dynamic,
        "sample": sample,
        "delete": delete,
        "min_count": min_count,
        "limit": limit,
        "seed": seed,
    }
    train_family(
        "lsa",
        parameters,
        corpus,
        out,
        preparation=preparation,
        encoding=encoding,
        field=field,
        quiet=quiet,
    )
