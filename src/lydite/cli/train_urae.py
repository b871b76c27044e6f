"""``lydite train urae``: an unfolding recursive autoencoder from trees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lydite.cli.arguments import QuietOption, SeedOption, complete_models, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.cli.training import (
    DimOption,
    ExcludeOption,
    OutFileOption,
    corpora_for,
    named,
    paths_of,
)
from lydite.errors import InputError
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.spaces.space import CaseRule
from lydite.storage import user_path
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from lydite.trained.trees import Forest
    from lydite.trained.urae import TrainedUrae

_EXAMPLES = """
Examples:

  lydite train urae --trees sst-trees --words glove-6b-50d --out urae.safetensors

  lydite train urae --trees mine.mrg --words space.safetensors --out mine.safetensors --dim 100

  lydite train urae --corpus news.txt --limit 150000 --words glove-6b-50d --out news.safetensors

  lydite train urae --trees mine.mrg --exclude groups.csv --words vectors.txt --out mine.safetensors

  lydite localization 'urae(urae.safetensors)' --groups msrp-grouped
"""

_KINDS = ("treebank",)


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("urae", epilog=_EXAMPLES)(urae)


def urae(
    words: Annotated[
        str,
        typer.Option(
            metavar="MODEL", help="The word vectors to stand on.", autocompletion=complete_models
        ),
    ],
    out: OutFileOption,
    trees: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE...",
            help="Trees in brackets: files, folders or names; gz, xz, zst, zip, tar.",
            autocompletion=complete_resources,
            show_default=False,
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE...",
            help="In place of trees: running text, whose sentences get trees by --parser.",
            autocompletion=complete_resources,
            show_default=False,
        ),
    ] = None,
    parser: Annotated[
        Literal["spacy", "right", "left", "balanced"],
        typer.Option(help="spacy parses English (extra parse); the others go by length."),
    ] = "spacy",
    limit: Annotated[
        int | None, typer.Option(min=2, help="Take only the first sentences of the corpus.")
    ] = None,
    exclude: ExcludeOption = None,
    dim: DimOption = 200,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the trees at most.")] = 20,
    batch: Annotated[int, typer.Option(min=1, help="Trees of a minibatch.")] = 16,
    rate: Annotated[float, typer.Option(help="The learning rate of AdaGrad.")] = 0.01,
    decay: Annotated[float, typer.Option(min=0, help="Weight decay.")] = 1e-4,
    held_out: Annotated[
        float, typer.Option(help="The share of trees that tell when to stop.")
    ] = 0.05,
    patience: Annotated[
        int, typer.Option(min=1, help="Passes without progress on these, then it stops.")
    ] = 3,
    binarised: Annotated[
        Literal["right", "left"],
        typer.Option(help="To which side nodes with more than two children are made binary."),
    ] = "right",
    case: Annotated[
        CaseRule, typer.Option(help="fold: ask again in lower case for absent words.")
    ] = "fold",
    seed: SeedOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Train an unfolding recursive autoencoder on trees, or on text that is parsed first.

    The file keeps the network, hashes of the sentences trained on, which word vectors it stands on,
    and what it was made from; the word vectors themselves it does not hold.
    """
    from lydite.models.catalogue import load
    from lydite.trained.urae import (
        UraeRecipe,
        autoencoder,
        check_name,
        train_urae,
        write_autoencoder,
    )

    recipe = UraeRecipe(
        dim=dim,
        epochs=epochs,
        batch=batch,
        rate=rate,
        decay=decay,
        held_out=held_out,
        patience=patience,
        case=case,
        seed=seed,
    )
    target = user_path(out)
    check_name(target)
    if bool(trees) == bool(corpus):
        raise InputError(
            "expected either trees or a corpus to train on",
            hint="--trees reads what is parsed already, --corpus parses running text",
        )
    treebanks, corpora = _treebanks(trees or (), target), corpora_for(corpus or (), out)
    without = [locate(source) for source in exclude or ()]
    model = load(words)
    with progress_bars(quiet=quiet):
        if corpora:
            forest, parsed_by = _parsed(corpora, parser, limit)
            source = {"corpus": named(corpora), "parser": parsed_by, "limit": limit}
        else:
            from lydite.trained.trees import read_trees

            forest = read_trees(paths_of(treebanks), binarised=binarised)
            source = {"trees": named(treebanks), "binarised": binarised}
        kept = _kept(forest, without)
        trained = train_urae(kept, model, recipe)
    left_out = len(forest) - len(kept)
    about = {
        **source,
        "excluded": named(without),
        "text": {**_course(kept, trained), "left_out": left_out},
        "versions": versions(),
    }
    write_autoencoder(autoencoder(trained, kept, model, recipe), target, provenance=about)
    best = trained.passes[trained.best]
    left = f", {left_out:,} left out" if without else ""
    say(
        f"{dim} dimensions from {len(kept):,} trees{left}; pass {trained.best + 1} of "
        f"{len(trained.passes)} was best, with {best.held_out:.3f} of the words' variance not "
        f"reconstructed: {out}",
        quiet=quiet,
    )


def _treebanks(trees: Sequence[str], target: Path) -> list[Located]:
    located = [locate(source) for source in trees]
    for source in located:
        if source.card is not None and source.card.kind not in _KINDS:
            raise InputError(
                f"{source.name}: expected trees, got data of the kind {source.card.kind}",
                hint=f"`lydite data ls` shows the kinds; these will do: {', '.join(_KINDS)}",
            )
        if target.exists() and any(target.samefile(path) for path in source.paths):
            raise InputError(
                f"{target}: expected another file to write to than one that is read",
                hint="write to a new name, then rename",
            )
    return located


def _parsed(corpora: Sequence[Located], parser: str, limit: int | None) -> tuple[Forest, str]:
    """Give the sentences of running text trees; return these and who did it."""
    from lydite.corpora.documents import open_corpus
    from lydite.corpora.preparation import Preparation
    from lydite.trained.trees import text_trees

    # Sentences as they stand there: what cuts them into words comes later.
    raw = Preparation(
        lower=False, drop_single=False, punctuation=True, formulas="keep", tokenizer="whitespace"
    )
    source = text_trees(parser)
    sentences = open_corpus(paths_of(corpora), raw).sentences()
    texts = [" ".join(tokens) for tokens in islice(sentences, limit)]
    return source.trees(texts), source.fingerprint


def _kept(forest: Forest, without: Sequence[Located]) -> Forest:
    """Return the trees of sentences that are in none of these groups."""
    if not without:
        return forest
    import numpy as np

    from lydite.corpora.paraphrases.load import every_sentence
    from lydite.trained.trees import text_key, tree_keys

    keys = {text_key(text) for source in without for text in every_sentence(source.paths)}
    return forest.take(np.flatnonzero([key not in keys for key in tree_keys(forest)]))


def _course(forest: Forest, trained: TrainedUrae) -> PlainMapping:
    """Return how training went, without the seconds, which differ from run to run."""
    return {
        "trees": len(forest),
        "tokens": int(forest.leaves.sum()),
        "unknown_tokens": trained.unknown,
        "best_pass": trained.best + 1,
        "errors": [each.trained for each in trained.passes],
        "errors_held_out": [each.held_out for each in trained.passes],
    }
