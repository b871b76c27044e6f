"""``lydite train``: build from raw data what evaluations need."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from lydite.cli import (
    train_dinu_lapata,
    train_erk_pado,
    train_families,
    train_ic,
    train_mitchell_lapata,
    train_paragraphs,
    train_parse,
    train_retrofit,
    train_thater,
    train_urae,
    train_word2vec,
    train_zoo,
)
from lydite.cli.arguments import Format, FormatOption, QuietOption, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.cli.oracle_tables import counts, print_oracle
from lydite.corpora.annotated import TagColumn
from lydite.errors import InputError
from lydite.lexicons.oracle_sources import (
    THRESHOLD,
    Form,
    Multiwords,
    OracleRecipe,
    SenseReading,
    SourceOracle,
    oracle_of,
)
from lydite.lexicons.oracles import Join, Oracle, agreement, join_oracles, read_oracle, write_oracle
from lydite.lexicons.wordnet.database import SenseWeights
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.storage import atomic_write_text, sha256_file, user_path
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from lydite.lexicons.wordnet.database import WordNet

_EXAMPLES = """
Examples:

  lydite train oracle semcor-3.0 --out supersenses.tsv --compare semcor-supersenses

  lydite train oracle ud-ewt --tags xpos --out tags.tsv

  lydite train oracle semcor-3.0 penn-treebank-sample --join intersection --out both.tsv

  lydite train oracle my-lexicon.tsv --out mine.tsv
"""

_KINDS = ("corpus", "treebank", "taxonomy", "lexicon", "oracle")
_PUBLISHED_WORDNET = "wordnet-3.0"

Counted: TypeAlias = Literal["supersenses", "tags", "lexicon"]

group = typer.Typer(no_args_is_help=True, help="Build from raw data what evaluations need.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    train_ic.register(group)
    train_word2vec.register(group)
    train_families.register(group)
    train_retrofit.register(group)
    train_zoo.register(group)
    train_dinu_lapata.register(group)
    train_mitchell_lapata.register(group)
    train_erk_pado.register(group)
    train_thater.register(group)
    train_paragraphs.register(group)
    train_parse.register(group)
    train_urae.register(group)
    app.add_typer(group, name="train")


@group.callback()
def _train() -> None:
    # A group of one command would otherwise be that command itself.
    pass


@group.command("oracle", epilog=_EXAMPLES)
def oracle(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Names or paths: SemCor, WordNet, a tagged corpus, a lexicon, an oracle.",
            autocompletion=complete_resources,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")],
    features: Annotated[
        Counted | None,
        typer.Option(help="What to count; by default what the source has.", show_default=False),
    ] = None,
    threshold: Annotated[
        int, typer.Option(min=1, help="How often a word has to be annotated.")
    ] = THRESHOLD,
    form_of_words: Annotated[
        Form | None,
        typer.Option(
            "--form",
            help="Of words; by default lemma for supersenses, surface for tags.",
            show_default=False,
        ),
    ] = None,
    tags: Annotated[TagColumn, typer.Option(help="Which tags of CoNLL-U.")] = "upos",
    lower: Annotated[bool, typer.Option(help="Count words in lower case.")] = True,
    digits: Annotated[bool, typer.Option(help='Count whole numbers as one word, "0".')] = True,
    multiwords: Annotated[
        Multiwords | None,
        typer.Option(
            help="new_york: two words, one, or none; by default split for a corpus, skip for "
            "WordNet.",
            show_default=False,
        ),
    ] = None,
    senses: Annotated[
        SenseReading,
        typer.Option(help="The tagged senses, or those that the published oracle has."),
    ] = "keys",
    weights: Annotated[SenseWeights, typer.Option(help="Of the senses in WordNet.")] = "uniform",
    join: Annotated[
        Join, typer.Option(help="Which words of several sources are kept.")
    ] = "intersection",
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="An oracle to compare the new one with.",
            autocompletion=complete_resources,
        ),
    ] = None,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Build a linguistic oracle for [bold]lydite qvec[/] from annotated data.

    Each word gets the probabilities of its features, as counted in the source. Beside the file
    stands FILE.provenance.json, which says what it was made from.
    """
    recipe = OracleRecipe(
        features=features,
        threshold=threshold,
        form=form_of_words,
        tags=tags,
        lower=lower,
        digits=digits,
        multiwords=multiwords,
        senses=senses,
        weights=weights,
    )
    located = [locate(source) for source in sources]
    target = user_path(out)
    _check_sources(located, target)
    other = read_oracle(locate(compare).single()) if compare else None
    with progress_bars(quiet=quiet):
        built = _build_all(located, recipe)
    joined = join_oracles([each.oracle for each in built], join)
    write_oracle(joined, target)
    provenance = _provenance(located, built, recipe, join, joined, target)
    sidecar = target.with_name(f"{target.name}.provenance.json")
    atomic_write_text(sidecar, json.dumps(provenance, ensure_ascii=False, indent=2) + "\n")
    found = agreement(joined, other) if other else None
    print_oracle(located, built, joined, found, compare, form)
    say(f"{len(joined)} words, {len(joined.features)} features: {target}", quiet=quiet)


def _check_sources(located: list[Located], target: Path) -> None:
    for source in located:
        if source.card is not None and source.card.kind not in _KINDS:
            raise InputError(
                f"{source.name}: expected data of a kind that says something of single words, got "
                f"{source.card.kind}",
                hint=f"`lydite data ls` shows the kinds; these will do: {', '.join(_KINDS)}",
            )
        if target.exists() and any(target.samefile(path) for path in source.paths):
            raise InputError(
                f"{target}: expected another file to write to than one that is read",
                hint="write to a new name, then rename",
            )


def _build_all(located: list[Located], recipe: OracleRecipe) -> list[SourceOracle]:
    wordnet: WordNet | None = None
    if recipe.senses == "published":
        from lydite.lexicons.wordnet.database import open_wordnet

        files = locate(_PUBLISHED_WORDNET)
        wordnet = open_wordnet(files.paths, sha256=files.sha256, name=files.name)
    return [
        oracle_of(each.paths, recipe, name=each.name, sha256=each.sha256, wordnet=wordnet)
        for each in located
    ]


def _provenance(
    located: list[Located],
    built: list[SourceOracle],
    recipe: OracleRecipe,
    join: Join,
    joined: Oracle,
    target: Path,
) -> PlainMapping:
    return {
        "words": len(joined),
        "features": len(joined.features),
        "sha256": sha256_file(target),
        "sources": [
            {"name": source.name, "sha256": source.sha256, **counts(each)}
            for source, each in zip(located, built, strict=True)
        ],
        "recipe": dataclasses.asdict(recipe),
        "join": join,
        "versions": versions(),
    }
