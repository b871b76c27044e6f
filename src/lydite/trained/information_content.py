"""``lydite train ic``: how often the concepts of a taxonomy are met in a corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from lydite.declare import Param, Slot
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.lexicons.information_content import Counting, LabelCounts, count_labels, write_counts
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.recipe import Product, Recipe
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.storage import sha256_file, user_path, write_output
from lydite.trained.inputs import check_other_file, located_as
from lydite.types import Floats, PlainMapping

_KINDS = ("corpus", "treebank", "book")


@dataclass(frozen=True)
class InformationContentTraining(Recipe):
    """Count a corpus to make the information content for lydite subsumption --ic.

    The file stores how often each concept itself occurred; counts are passed up to ancestors when
    it is read. FILE.provenance.json beside it records what it was made from.
    """

    name: ClassVar[str] = "ic"
    prints: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...]] = (
        "train ic brown --taxonomy wordnet-3.0 --out brown.tsv",
        "train ic book.txt more.txt.gz --taxonomy my-terms.tsv --out mine.tsv --smoothing 1",
        "subsumption glove-6b-50d --taxonomy my-terms.tsv --ic mine.tsv --min-ic 2",
    )

    sources: Annotated[
        tuple[str, ...],
        Slot(
            "sources",
            "Names or paths: plain text, a tagged corpus, or a list of words with counts.",
            metavar="SOURCE...",
            accepts=_KINDS,
        ),
    ]
    _: KW_ONLY
    taxonomy: Annotated[
        str,
        Slot(
            "taxonomy",
            "Taxonomy whose concepts are counted.",
            several=False,
            metavar="NAME|FILE",
            accepts=("taxonomy",),
        ),
    ]
    out: Annotated[Path, Param("The file to write.")]
    relation: Annotated[
        str,
        Param("Relation along which counts are passed up: hypernymy, meronymy, or a kind of edge."),
    ] = "hypernymy"
    counting: Annotated[
        Counting,
        Param(
            "Divide a word's count among its senses (resnik), or give each sense the full count."
        ),
    ] = "resnik"
    smoothing: Annotated[float, Param("Added to the count of every concept.", least=0)] = 0.0

    def run(self) -> Product:
        """Count each source and write the sums."""
        located = located_as(self.sources, _KINDS, "text or counts of words")
        place = locate(self.taxonomy)
        check_other_file(self.out, (*located, place))
        target = user_path(self.out)
        tree = open_taxonomy(place.paths, name=place.name, sha256=place.sha256)
        tree.upward(self.relation)
        counted = [count_labels(each.paths, tree, counting=self.counting) for each in located]
        own = np.sum([each.own for each in counted], axis=0) + self.smoothing
        write_counts(tree, own, target)
        about = {
            "concepts": int(np.count_nonzero(own)),
            "total": float(own.sum()),
            "taxonomy": {"name": tree.name, "sha256": tree.fingerprint, "concepts": len(tree)},
            "recipe": {
                "relation": self.relation,
                "counting": self.counting,
                "smoothing": self.smoothing,
            },
            "sources": [
                {"name": source.name, "sha256": source.sha256, **_figures(each)}
                for source, each in zip(located, counted, strict=True)
            ],
        }
        provenance = {**about, "sha256": sha256_file(target), "versions": versions()}
        sidecar = target.with_name(f"{target.name}.provenance.json")
        write_output(sidecar, json.dumps(provenance, ensure_ascii=False, indent=2) + "\n")
        return Product(
            line=f"{about['concepts']:,} of {len(tree):,} concepts: {target}",
            data=about,
            tables=(_summary(located, counted, own),),
        )


def _figures(each: LabelCounts) -> PlainMapping:
    return {
        "kind": each.kind,
        "tokens": each.tokens,
        "known_tokens": each.known_tokens,
        "words": each.words,
        "known_words": each.known,
        "concepts": int(np.count_nonzero(each.own)),
        "total": float(each.own.sum()),
    }


def _summary(located: Sequence[Located], counted: Sequence[LabelCounts], own: Floats) -> Table:
    rows: list[list[Cell | Scalar]] = [
        [source.name, *map(_written, _figures(each).values())]
        for source, each in zip(located, counted, strict=True)
    ]
    together = (None, None, None, None, None, int(np.count_nonzero(own)), float(own.sum()))
    if list(map(_written, together[-2:])) != rows[0][-2:] or len(rows) > 1:
        rows.append(["together", *map(_written, together)])
    return Table(
        columns=(
            "source",
            "kind",
            Column(title="tokens", fields=("tokens",), align="right"),
            Column(title="in the taxonomy", fields=("known_tokens",), align="right"),
            Column(title="words", fields=("words",), align="right"),
            Column(title="in the taxonomy", fields=("known_words",), align="right"),
            Column(title="concepts met", fields=("concepts",), align="right"),
            Column(title="counted, all parts of speech", fields=("total",), align="right"),
        ),
        rows=rows,
        caption="Counts",
    )


def _written(value: Scalar) -> Cell | Scalar:
    if not isinstance(value, int | float):
        return value
    return Cell(text=f"{value:,.0f}", values=(value,))
