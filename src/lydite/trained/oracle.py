"""``lydite train oracle``: a linguistic oracle for QVEC, from annotated data."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from lydite.declare import Inline, Param, Slot
from lydite.drawing.table import Cell, Column, Scalar, Table
from lydite.lexicons.oracle_sources import OracleRecipe, SourceOracle, oracle_of
from lydite.lexicons.oracles import (
    Join,
    Oracle,
    OracleAgreement,
    agreement,
    join_oracles,
    read_oracle,
    write_oracle,
)
from lydite.lexicons.wordnet.database import WordNet, open_wordnet
from lydite.recipe import Product, Recipe
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.storage import sha256_file, user_path, write_output
from lydite.trained.inputs import check_other_file, located_as

_KINDS = ("corpus", "treebank", "taxonomy", "lexicon", "oracle")
_PUBLISHED_WORDNET = "wordnet-3.0"
_FURTHEST = 10  # words shown; JSON has all


@dataclass(frozen=True)
class OracleTraining(Recipe):
    """Build a linguistic oracle for lydite qvec from annotated data.

    Each word gets the probabilities of its features, as counted in the source.
    FILE.provenance.json beside it records what it was made from.
    """

    name: ClassVar[str] = "oracle"
    prints: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...]] = (
        "train oracle semcor-3.0 --out supersenses.tsv --compare semcor-supersenses",
        "train oracle ud-ewt --tags xpos --out tags.tsv",
        "train oracle semcor-3.0 penn-treebank-sample --join intersection --out both.tsv",
        "train oracle my-lexicon.tsv --out mine.tsv",
    )

    sources: Annotated[
        tuple[str, ...],
        Slot(
            "sources",
            "Names or paths: SemCor, WordNet, a tagged corpus, a lexicon, an oracle.",
            metavar="SOURCE...",
            accepts=_KINDS,
        ),
    ]
    _: KW_ONLY
    out: Annotated[Path, Param("The file to write.")]
    recipe: Annotated[OracleRecipe, Inline()] = dataclasses.field(default_factory=OracleRecipe)
    join: Annotated[Join, Param("Which words of several sources are kept.")] = "intersection"
    compare: Annotated[
        str | None,
        Slot(
            "compare",
            "An oracle to compare the new one with.",
            several=False,
            metavar="NAME|FILE",
            accepts=("oracle",),
        ),
    ] = None

    def run(self) -> Product:
        """Build an oracle of each source, join them and write what is kept."""
        located = located_as(self.sources, _KINDS, "data about single words")
        check_other_file(self.out, located)
        target = user_path(self.out)
        other = read_oracle(locate(self.compare).single()) if self.compare else None
        built = self._built(located)
        joined = join_oracles([each.oracle for each in built], self.join)
        write_oracle(joined, target)
        sizes = {"words": len(joined), "features": len(joined.features)}
        counted = [
            ({"name": source.name, "sha256": source.sha256}, _counts(each))
            for source, each in zip(located, built, strict=True)
        ]
        about = {
            **sizes,
            "sha256": sha256_file(target),
            "sources": [{**source, **counts} for source, counts in counted],
            "recipe": dataclasses.asdict(self.recipe),
            "join": self.join,
            "versions": versions(),
        }
        sidecar = target.with_name(f"{target.name}.provenance.json")
        write_output(sidecar, json.dumps(about, ensure_ascii=False, indent=2) + "\n")
        rows = [{"source": source["name"], **counts} for source, counts in counted]
        data: dict[str, Any] = {**sizes, "sources": rows}
        tables = [_summary(rows, joined)]
        if other is not None:
            found = agreement(joined, other)
            by_word = _by_word(found)
            data["agreement"] = {"with": self.compare, **_figures(found), "by_word": by_word}
            tables += [_agreement_table(found, str(self.compare)), *_apart(by_word)]
        return Product(
            line=f"{len(joined)} words, {len(joined.features)} features: {target}",
            data=data,
            tables=tuple(tables),
            leading=min(1, len(tables) - 1),
        )

    def _built(self, located: Sequence[Located]) -> list[SourceOracle]:
        wordnet: WordNet | None = None
        if self.recipe.senses == "published":
            files = locate(_PUBLISHED_WORDNET)
            wordnet = open_wordnet(files.paths, sha256=files.sha256, name=files.name)
        return [
            oracle_of(each.paths, self.recipe, name=each.name, sha256=each.sha256, wordnet=wordnet)
            for each in located
        ]


def _counts(each: SourceOracle) -> dict[str, Scalar]:
    """Return kind, size and counts of the oracle of one source."""
    built = each.built
    return {
        "kind": each.features,
        "words": len(each.oracle),
        "features": len(each.oracle.features),
        "annotations": built.annotations if built else None,
        "kept": built.kept if built else None,
        "rare": built.rare if built else None,
    }


def _summary(sources: Sequence[dict[str, Scalar]], joined: Oracle) -> Table:
    rows: list[list[Cell | Scalar]] = [list(map(_whole, each.values())) for each in sources]
    if len(rows) > 1:
        rows.append(["together", None, len(joined), len(joined.features), None, None, None])
    return Table(
        columns=(
            "source",
            "kind",
            "words",
            "features",
            "annotations",
            Column(title="of these words", fields=("kept",)),
            Column(title="words too rare", fields=("rare",)),
        ),
        rows=rows,
        caption="Oracle",
    )


def _whole(value: Scalar) -> Cell | Scalar:
    return Cell(text=f"{value:.0f}", values=(value,)) if isinstance(value, float) else value


def _figures(found: OracleAgreement) -> dict[str, Any]:
    return {
        "shared": len(found.words),
        "only_new": len(found.only_first),
        "only_other": len(found.only_second),
        "shared_features": found.shared_features,
        "equal": found.equal,
        "close": found.close,
        "mean_difference": found.mean_difference,
        "mean_cosine": found.mean_cosine,
    }


def _agreement_table(found: OracleAgreement, name: str) -> Table:
    figures = _figures(found)
    shares = {key: f"{100 * figures[key]:.1f} %" for key in ("equal", "close")}
    cells = [
        Cell(text=shares.get(key, f"{value:.4g}"), values=(value,))
        if isinstance(value, float)
        else value
        for key, value in figures.items()
    ]
    titles = (
        "words in both",
        "only new",
        "only other",
        "features",
        "equal rows",
        "within 0.05",
        "difference",
        "cosine",
    )
    return Table(
        columns=(
            "compared with",
            *(
                Column(title=title, fields=(key,), align="right")
                for title, key in zip(titles, figures, strict=True)
            ),
        ),
        rows=[[name, *cells]],
        caption="Agreement",
    )


def _by_word(found: OracleAgreement) -> list[dict[str, Any]]:
    """Return the agreement of each shared word, the least alike first."""
    rows = [
        {"word": word, "largest": largest, "mean_difference": mean, "cosine": cosine}
        for word, largest, mean, cosine in zip(
            found.words,
            found.largest.tolist(),
            found.mean.tolist(),
            found.cosine.tolist(),
            strict=True,
        )
    ]
    return sorted(rows, key=lambda row: (row["cosine"], -row["largest"], row["word"]))


def _apart(by_word: Sequence[dict[str, Any]]) -> list[Table]:
    """Return the words whose rows are least alike, if any differ, as a table."""
    rows = [row for row in by_word if row["largest"] > 0][:_FURTHEST]
    if not rows:
        return []
    table = Table(
        columns=("word", "cosine", "largest difference", "mean difference"),
        rows=[[row["word"], row["cosine"], row["largest"], row["mean_difference"]] for row in rows],
        caption="The words that agree least",
        notes=["--format json has all words."],
    )
    return [table]
