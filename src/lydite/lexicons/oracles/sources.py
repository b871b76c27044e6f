"""Build an oracle from whatever a user names: a tagged corpus, WordNet, or a lexicon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from lydite.corpora.tagged.columns import TagColumn
from lydite.corpora.tagged.reading import TaggedFormat, read_tagged, survey
from lydite.errors import InputError
from lydite.lexicons.content import read_content
from lydite.lexicons.oracles.annotations import (
    Annotation,
    Form,
    Multiwords,
    supersense_annotations,
    tag_annotations,
)
from lydite.lexicons.oracles.building import THRESHOLD, BuiltOracle, build_oracle
from lydite.lexicons.oracles.feature_lists import listed_features
from lydite.lexicons.oracles.oracle import Oracle, read_oracle
from lydite.lexicons.oracles.supersenses import SenseWeights

if TYPE_CHECKING:
    from lydite.lexicons.taxonomies.wordnet.database import WordNet

#: What the columns of an oracle are; ``oracle`` is one that is built already.
Features: TypeAlias = Literal["supersenses", "tags", "lexicon", "oracle"]
#: The supersense in the key of the tagged sense, or the one that the published oracle has.
SenseReading: TypeAlias = Literal["keys", "published"]

_HEAD = 1 << 14
_PREFIXES: dict[TaggedFormat, str] = {"brackets": "ptb", "columns": "pos", "slashes": "pos"}


@dataclass(frozen=True, kw_only=True)
class OracleRecipe:
    """How an oracle is built.

    Attributes
    ----------
    features
        What to count; None for what the source has: supersenses of SemCor and WordNet, tags of
        other corpora, the features of a lexicon.
    threshold
        How often a word has to be annotated. Not asked of WordNet with uniform weights, nor of a
        lexicon.
    form
        None for the lemma with supersenses and the word as it stands with tags.
    tags
        Which tags of CoNLL-U.
    lower
        Count words in lower case.
    digits
        Count numbers without point or comma as one word, "0".
    multiwords
        None to split expressions of a corpus and skip those of WordNet.
    senses
        ``keys`` is right; ``published`` gives the published oracle again, for which
        see :func:`lydite.lexicons.oracles.wordnet_supersenses.published_annotations`.
    weights
        Of the senses in WordNet.
    """

    features: Features | None = None
    threshold: float = THRESHOLD
    form: Form | None = None
    tags: TagColumn = "upos"
    lower: bool = True
    digits: bool = True
    multiwords: Multiwords | None = None
    senses: SenseReading = "keys"
    weights: SenseWeights = "uniform"


@dataclass(frozen=True, kw_only=True)
class SourceOracle:
    """An oracle and which features it has; ``built`` is None for one that was ready."""

    oracle: Oracle
    features: Features
    built: BuiltOracle | None = None


def oracle_of(
    paths: Sequence[Path],
    recipe: OracleRecipe,
    *,
    name: str,
    sha256: str,
    wordnet: WordNet | None = None,
) -> SourceOracle:
    """Build the oracle of one source.

    Parameters
    ----------
    paths
        The files of a tagged corpus (see :func:`lydite.corpora.tagged.reading.read_tagged`), of
        WordNet, a lexicon (:func:`lydite.lexicons.oracles.feature_lists.listed_features`), or an
        oracle. A file with two columns is a corpus if blank lines divide it, else a lexicon.
    recipe
        How to build it.
    name, sha256
        Of the source.
    wordnet
        Needed for a corpus with ``senses="published"``: WordNet 3.0.
    """
    if {"data.noun", "index.noun"} <= {path.name for path in paths}:
        return _of_wordnet(paths, recipe, name, sha256)
    kind = recipe.features or _list_kind(paths)
    if kind == "oracle":
        if len(paths) != 1:
            raise InputError(f"{name}: expected one oracle, got {len(paths)} files")
        return SourceOracle(oracle=read_oracle(paths[0]), features="oracle")
    if kind == "lexicon":
        entries = (entry for path in paths for entry in listed_features(path))
        built = _built(entries, recipe, threshold=0, prefix="")
        return SourceOracle(oracle=built.oracle, features="lexicon", built=built)
    return _of_corpus(paths, recipe, wordnet)


def _of_wordnet(
    paths: Sequence[Path], recipe: OracleRecipe, name: str, sha256: str
) -> SourceOracle:
    from lydite.lexicons.oracles.wordnet_supersenses import wordnet_annotations
    from lydite.lexicons.taxonomies.wordnet import open_wordnet

    if recipe.features not in {None, "supersenses"}:
        raise InputError(f"{name}: expected --features supersenses, got {recipe.features}")
    entries = wordnet_annotations(
        open_wordnet(paths, sha256=sha256, name=name),
        weights=recipe.weights,
        multiwords=recipe.multiwords or "skip",
    )
    threshold = recipe.threshold if recipe.weights == "counts" else 0
    built = _built(entries, recipe, threshold=threshold, prefix="wordnet")
    return SourceOracle(oracle=built.oracle, features="supersenses", built=built)


def _of_corpus(
    paths: Sequence[Path], recipe: OracleRecipe, wordnet: WordNet | None
) -> SourceOracle:
    chosen = survey(paths)
    kind = next(iter(chosen.values()))
    sentences = read_tagged(paths, tags=recipe.tags, chosen=chosen)
    features = recipe.features or ("supersenses" if kind == "semcor" else "tags")
    if features == "tags":
        entries = tag_annotations(sentences, form=recipe.form or "surface")
        prefix = recipe.tags if kind == "conllu" else _PREFIXES.get(kind, "pos")
    else:
        prefix = "semcor"
        entries = supersense_annotations(
            sentences, form=recipe.form or "lemma", multiwords=recipe.multiwords or "split"
        )
        if recipe.senses == "published":
            from lydite.lexicons.oracles.wordnet_supersenses import published_annotations

            if wordnet is None:
                raise InputError("expected WordNet 3.0 for published senses, got none")
            entries = published_annotations(sentences, wordnet)
    built = _built(entries, recipe, threshold=recipe.threshold, prefix=prefix)
    return SourceOracle(oracle=built.oracle, features=features, built=built)


def _built(
    entries: Iterator[Annotation], recipe: OracleRecipe, *, threshold: float, prefix: str
) -> BuiltOracle:
    return build_oracle(
        entries, threshold=threshold, lower=recipe.lower, digits=recipe.digits, prefix=prefix
    )


def _list_kind(paths: Sequence[Path]) -> Features | None:
    """Tell an oracle and a lexicon, which are one file of tab-separated lines, from a corpus."""
    head = read_content(paths[0], _HEAD).removeprefix(b"\xef\xbb\xbf") if len(paths) == 1 else b""
    text = head.decode("utf-8", "replace").replace("\r", "").strip("\n")
    lines = [line for line in text.split("\n") if line and not line.startswith("# ")]
    # The last line may be cut off.
    fields = [line.split("\t") for line in (lines[:-1] if len(head) == _HEAD else lines)]
    if not fields or not all(2 <= len(field) <= 3 for field in fields):
        return None
    if all(field[1].startswith("{") for field in fields):
        return "oracle"
    weighed = all(_is_number(field[2]) for field in fields if len(field) == 3)
    return "lexicon" if weighed and "\n\n" not in text else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
