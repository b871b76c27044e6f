"""``lydite train pv-dm`` and ``pv-dbow``: paragraph vectors from running text."""

from __future__ import annotations

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
    ExcludeOption,
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
from lydite.corpora.documents import open_corpus
from lydite.corpora.paraphrases.load import every_sentence
from lydite.corpora.preparation import Preparation
from lydite.resources.catalogue import Located, locate
from lydite.storage import user_path
from lydite.trained.paragraph_vectors import (
    Architecture,
    ParagraphRecipe,
    Trained,
    check_name,
    train_paragraphs,
    write_network,
)

_EXAMPLES = """
Examples:

  lydite train {name} --corpus book.txt more.txt.gz --out mine.safetensors

  lydite train {name} --corpus wikipedia-2014-20m --out wiki.safetensors --workers 8

  lydite train {name} --corpus news.txt --exclude groups.jsonl --out news.safetensors

  lydite localization '{name}(wiki.safetensors, epochs=100)' --groups groups.jsonl
"""

_HELPS: dict[Architecture, str] = {
    "pv-dm": "Train PV-DM, distributed memory with concatenation, on running text (extra train).",
    "pv-dbow": "Train PV-DBOW, a distributed bag of words, on running text (extra train).",
}
_KEPT = (
    "A sentence is a paragraph. The file keeps what infers the vectors of other texts, hashes of "
    "the sentences trained on, and what it was made from."
)

_PREPARATION = Preparation(drop_single=False, punctuation=True, formulas="keep")

KeepOption = Annotated[
    bool,
    typer.Option("--keep-paragraphs", help="Keep the vectors of the corpus's own sentences too."),
]


def register(group: typer.Typer) -> None:
    """Add the commands."""
    for name, text in _HELPS.items():
        epilog = _EXAMPLES.format(name=name)
        group.command(name, help=f"{text}\n\n{_KEPT}", epilog=epilog)(_trainer(name))


def _trainer(architecture: Architecture) -> Callable[..., None]:
    @prepares
    def train(
        corpus: CorpusOption,
        out: OutFileOption,
        dim: DimOption = 300,
        window: WindowOption = 8,
        negative: NegativeOption = 5,
        min_count: LeastOption = 5,
        epochs: EpochsOption = 10,
        sample: SampleOption = 1e-3,
        alpha: AlphaOption = 0.025,
        seed: SeedOption = 0,
        workers: WorkersOption = 1,
        exclude: ExcludeOption = None,
        keep_paragraphs: KeepOption = False,
        preparation: Preparation = _PREPARATION,
        encoding: EncodingOption = None,
        field: FieldOption = "text",
        quiet: QuietOption = False,
    ) -> None:
        recipe = ParagraphRecipe(
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
        check_name(user_path(out))
        located = corpora_for(corpus, out)
        without = [locate(source) for source in exclude or ()]
        opened = open_corpus(paths_of(located), preparation, encoding=encoding, field=field)
        with progress_bars(quiet=quiet):
            trained = train_paragraphs(
                opened.sentences(),
                recipe,
                preparation=preparation,
                exclude=[text for each in without for text in every_sentence(each.paths)],
                keep=keep_paragraphs,
            )
        _write(trained, located, without, out, quiet=quiet)

    return train


def _write(
    trained: Trained, located: list[Located], without: list[Located], out: Path, *, quiet: bool
) -> None:
    counts = ("sentences", "tokens", "words", "left_out")
    about = {
        "corpus": named(located),
        "excluded": named(without),
        "text": {name: getattr(trained, name) for name in counts},
        "versions": versions_with_gensim(),
    }
    write_network(trained.network, user_path(out), provenance=about)
    network = trained.network
    left = f", {trained.left_out:,} left out" if without else ""
    say(
        f"{network.recipe.dim} dimensions, {len(network.words):,} words, from "
        f"{trained.sentences:,} sentences of {trained.tokens:,} tokens{left}: {out}",
        quiet=quiet,
    )
