"""``lydite subsumption``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import (
    Format,
    FormatOption,
    JobsOption,
    LenientOption,
    LimitOption,
    ModelsArgument,
    OutOption,
    QuietOption,
    SeedOption,
    complete_resources,
    with_reading_options,
)
from lydite.cli.console import say
from lydite.cli.output import Interpretation, answer
from lydite.drawing.table import Table
from lydite.errors import InputError
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.subsumption.evaluation import Subsumption
from lydite.evaluations.subsumption.inventory import is_inventory, write_inventory
from lydite.evaluations.subsumption.section import funnel_table, scores_table, violations_table
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
from lydite.results.record import Result
from lydite.runner import locate_all
from lydite.spec import Value
from lydite.storage import user_path
from lydite.suite import Suite, Task

_EXAMPLES = """
Examples:

  lydite subsumption glove-6b-50d

  lydite subsumption vectors.txt --taxonomy my-terms.tsv --violations

  lydite subsumption glove-6b-50d --taxonomy wordnet-3.0 --pairs bless --exclude object,artifact

  lydite subsumption glove-6b-50d --taxonomy wordnet-3.0 --pairs bless --min-ic 3.0

  lydite subsumption vectors.txt --taxonomy go.obo --relation meronymy --save-inventory parts.tsv
"""

_TAXONOMY = "starter-taxonomy"

#: The paper's cut-off, in all its three inventories.
_BLESS_COUNT = 5000.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("subsumption", epilog=_EXAMPLES)(subsumption)


def subsumption(
    models: ModelsArgument,
    taxonomy: Annotated[
        str,
        typer.Option(
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="WordNet, WN-LMF, OBO, SKOS, or an edge list: child, parent, relation a line.",
        ),
    ] = _TAXONOMY,
    pairs: Annotated[
        list[str] | None,
        typer.Option(
            "--pairs",
            autocompletion=complete_resources,
            metavar="bless|FILE|all",
            help="Pairs whose paths give the triples: specific word, general word a line; "
            "all takes the whole taxonomy.  \\[default: all]",
        ),
    ] = None,
    inventory: Annotated[
        str | None,
        typer.Option(
            autocompletion=complete_resources,
            metavar="NAME|FILE",
            help="A saved inventory, instead of taxonomy and pairs.",
        ),
    ] = None,
    relation: Annotated[
        str, typer.Option(help="hypernymy, meronymy, or a kind of edge of the taxonomy.")
    ] = "hypernymy",
    exclude: Annotated[
        str, typer.Option(metavar="WORD,WORD", help="Leave triples with these words out.")
    ] = "",
    min_ic: Annotated[
        float, typer.Option(min=0, help="Only concepts of more information content.")
    ] = 0.0,
    ic: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Information content: brown, brown-resnik, bnc, semcor, intrinsic, or a file.",
        ),
    ] = "brown",
    min_count: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Only words at least so frequent.  \\[default: 5000 with --pairs bless, as in "
            "the paper, else 0]",
        ),
    ] = None,
    frequencies: Annotated[
        str,
        typer.Option(
            metavar="wordfreq|model|FILE",
            help="Counts of words: of wordfreq, of the model's own corpus, or a list.",
        ),
    ] = "wordfreq",
    corpus_size: Annotated[
        float, typer.Option(min=1, help="Turn wordfreq's shares into counts of so many words.")
    ] = 2.5e9,
    part_of_speech: Annotated[str, typer.Option(help="n, v, a or r; empty for all.")] = "n",
    senses: Annotated[str, typer.Option(help="Of the words of a pair: all or first.")] = "all",
    lemmas: Annotated[str, typer.Option(help="Of what lies between: all or first.")] = "all",
    paths: Annotated[str, typer.Option(help="Between two concepts: all or shortest.")] = "all",
    inferred: Annotated[
        str,
        typer.Option(help="Pairs not asserted: by this sense, by any sense of the word, or any."),
    ] = "sense",
    sample: Annotated[
        int, typer.Option(min=0, help="At most so many triples, drawn at random; 0 for all.")
    ] = 20_000,
    similarity: Annotated[
        str, typer.Option(help="cosine, dot, euclidean, or inclusion (not symmetric).")
    ] = "cosine",
    level: Annotated[
        str, typer.Option(help="word, sense (for spaces of senses), or auto.")
    ] = "auto",
    metric: Annotated[
        str, typer.Option(help="Which score leads: ss, rss, both, as, ras or aggregate-both.")
    ] = "ss",
    oov: Annotated[str, typer.Option(help="Triples with unknown words: skip or error.")] = "skip",
    case: Annotated[
        str, typer.Option(help="fold: try unknown words in lower case; exact: do not.")
    ] = "fold",
    interval: Annotated[
        str, typer.Option(help="Draw words A and C (crossed), or words A alone (clustered).")
    ] = "crossed",
    violations: Annotated[
        bool, typer.Option("--violations", help="Tell the worst violations in words.")
    ] = False,
    save_inventory: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the triples with their provenance as TSV."),
    ] = None,
    form: FormatOption = Format.table,
    seed: SeedOption = 0,
    out: OutOption = None,
    quiet: QuietOption = False,
    jobs: JobsOption = 1,
    lenient: LenientOption = False,
    limit: LimitOption = None,
) -> None:
    """Ask whether what lies between two words in a taxonomy is closer to both than they are.

    A sparrow is a bird and a bird is a vertebrate: its vector should be at least as close to that
    of bird as to that of vertebrate. The scores are the shares of such triples that a model keeps.
    """
    default = _BLESS_COUNT if "bless" in (pairs or []) else 0.0
    parameters: dict[str, Value] = {
        "relation": relation,
        "part_of_speech": part_of_speech,
        "senses": senses,
        "lemmas": lemmas,
        "paths": paths,
        "inferred": inferred,
        "exclude": exclude,
        "min_count": default if min_count is None else min_count,
        "frequencies": frequencies,
        "corpus_size": corpus_size,
        "min_ic": min_ic,
        "ic": ic,
        "sample": sample,
    }
    if inventory is not None:
        sources = {"--taxonomy": taxonomy != _TAXONOMY, "--pairs": bool(pairs)}
        _refuse_choices(inventory, sources, parameters)
        resources, parameters = [inventory], {}
    else:
        resources = [_resource(taxonomy, each) for each in pairs or ["all"]]
    question = make_evaluation(
        "subsumption",
        metric=metric,
        similarity=similarity,
        level=level,
        interval=interval,
        oov=oov,
        case=case,
        **parameters,
    )
    names = with_reading_options(models, lenient=lenient, limit=limit)
    if save_inventory is not None:
        _save(question, resources, names, user_path(save_inventory), seed=seed, quiet=quiet)
    suite = Suite(
        name="subsumption",
        models=tuple(names),
        tasks=(Task(evaluation=question.spec, resources=tuple(resources)),),
        seeds=(seed,),
    )
    reading = Interpretation(tables=lambda r, _: _tables(r, violations=violations), instead=True)
    answer(suite, form=form, folder=out, quiet=quiet, jobs=jobs, interpretation=reading)


def _refuse_choices(
    inventory: str, sources: Mapping[str, bool], parameters: Mapping[str, Value]
) -> None:
    """Refuse an inventory that is none, and choices that come too late for one."""
    located = locate(inventory)
    if len(located.paths) != 1 or not is_inventory(located.single()):
        raise InputError(
            f"{inventory} is no inventory: its first line is not that of one",
            hint="'--save-inventory FILE' writes one; a taxonomy is given with --taxonomy",
        )
    usual = Subsumption()
    given = [option for option, is_given in sources.items() if is_given]
    given += [
        f"--{name.replace('_', '-')}"
        for name, value in parameters.items()
        if value != getattr(usual, name)
    ]
    if given:
        raise InputError(
            f"{inventory} is made already: {', '.join(given)} would change nothing",
            hint="make another one with --taxonomy, --pairs and --save-inventory",
        )


def _resource(taxonomy: str, pairs: str) -> str:
    return taxonomy if pairs == "all" else f"{taxonomy}+{pairs}"


def _save(
    question: Subsumption,
    resources: Sequence[str],
    models: Sequence[str],
    path: Path,
    *,
    seed: int,
    quiet: bool,
) -> None:
    if len(resources) != 1:
        raise InputError(
            f"expected one source of triples to save, got {len(resources)}",
            hint="give one value to --pairs",
        )
    triples = question.asked(load(models[0]), locate_all(resources[0]), seed=seed)
    write_inventory(triples, path)
    say(f"inventory: {len(triples):,} triples in {path}", quiet=quiet)


def _tables(results: Sequence[Result], *, violations: bool) -> list[Table]:
    told = [violations_table(result) for result in results] if violations else []
    return [scores_table(results), *funnel_table(results), *told]
