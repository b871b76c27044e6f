"""Oracles built from what a user names: a tagged corpus, WordNet, or a lexicon."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias

import numpy as np

from lydite.corpora.annotated import Sentence, TagColumn, TaggedFormat, Token, read_tagged, survey
from lydite.declare import Param
from lydite.errors import FormatError, InputError
from lydite.files.lines import numbered_lines, read_content
from lydite.lexicons.oracles import Oracle, read_oracle
from lydite.lexicons.wordnet.database import SUPERSENSES, SenseWeights, WordNet, supersense
from lydite.lexicons.wordnet.morphology import candidates

#: The word as in the text, or its base form.
Form: TypeAlias = Literal["lemma", "surface"]
#: An expression of several words: each of them gets its feature, or it is one word with
#: underscores, or it is left out.
Multiwords: TypeAlias = Literal["split", "join", "skip"]

#: Parts of speech, of the Penn Treebank, whose words are no nouns or verbs.
_FUNCTION_TAGS = frozenset(
    {"CC", "DT", "EX", "IN", "MD", "PDT", "PRP", "PRP$", "TO", "WDT", "WP", "WP$", "WRB"}
)


class Annotation(NamedTuple):
    """That a word has a feature; the weights of one occurrence sum to one."""

    word: str
    feature: str
    weight: float = 1.0


def supersense_annotations(
    sentences: Iterable[Sentence], *, form: Form = "lemma", multiwords: Multiwords = "split"
) -> Iterator[Annotation]:
    """Yield the supersenses of nouns and verbs in a corpus with WordNet senses.

    The supersense is read from the key of the sense. Of a word with two senses each counts half.
    A word of an expression (``new_york``) gets the expression's supersense, unless it occurs in
    the corpus as a function word: ``of`` gets nothing from ``secretary_of_state``. Those come
    last, since that is known only at the end.
    """
    parts: defaultdict[tuple[str, str], float] = defaultdict(float)
    function_words: set[str] = set()
    for token in (token for sentence in sentences for token in sentence):
        if not token.senses and token.tag in _FUNCTION_TAGS:
            function_words.add(token.form.lower())
        for feature in filter(None, (supersense(sense.key) for sense in token.senses)):
            share = 1 / len(token.senses)
            word = _word(token, form)
            if "_" not in word or multiwords == "join":
                yield Annotation(word, feature, share)
            elif multiwords == "split":
                for part in filter(None, word.split("_")):
                    parts[part, feature] += share
    for (part, feature), weight in parts.items():
        if part.lower() not in function_words:
            yield Annotation(part, feature, weight)


def tag_annotations(
    sentences: Iterable[Sentence], *, form: Form = "surface"
) -> Iterator[Annotation]:
    """Yield the tag of every word, in lower case as in the published oracle of tags."""
    for sentence in sentences:
        for token in sentence:
            yield Annotation(_word(token, form), token.tag.lower())


def _word(token: Token, form: Form) -> str:
    if form == "surface":
        return token.form
    if token.lemma is None:
        raise InputError(
            f"expected words with lemmas, got {token.form!r} without one",
            hint="use --form surface",
        )
    return token.lemma


#: As often a word has to be annotated in the published oracles: "we exclude sparser word types to
#: avoid skewed probability estimates" (Tsvetkov et al. 2016).
THRESHOLD = 5

#: Sums of thirds may miss a whole number by a little.
_SLACK = 1e-9


@dataclass(frozen=True, kw_only=True)
class BuiltOracle:
    """An oracle and what it was built from.

    Attributes
    ----------
    oracle
        Rows are probabilities and sum to one; words are in alphabetical order.
    kept
        How many of them are of words in the oracle.
    rare
        How many words were left out because they are annotated less often than the threshold.
    """

    oracle: Oracle
    annotations: float
    kept: float
    rare: int


def build_oracle(
    annotations: Iterable[Annotation],
    *,
    threshold: float = THRESHOLD,
    lower: bool = True,
    digits: bool = True,
    prefix: str = "",
) -> BuiltOracle:
    """Count annotations and turn the counts into probabilities P(feature | word).

    Parameters
    ----------
    threshold
        Words with a smaller sum of weights are left out.
    digits
        Count words that are all digits as one word, "0", as in the published oracles.
    prefix
        Put before the name of each feature, with a dot.

    Raises
    ------
    InputError
        If there are no annotations, or no word has enough of them.

    Examples
    --------
    >>> seen = [Annotation("Fish", "noun.animal")] * 3 + [Annotation("fish", "noun.food")]
    >>> built = build_oracle(seen, threshold=4)
    >>> built.oracle.words, built.oracle.features, built.oracle.values.tolist()
    (('fish',), ('noun.animal', 'noun.food'), [[0.75, 0.25]])
    """
    counts: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for word, feature, weight in annotations:
        name = word.lower() if lower else word
        counts["0" if digits and name.isdigit() else name][feature] += weight
    totals = {word: sum(row.values()) for word, row in counts.items()}
    words = sorted(
        word for word, total in totals.items() if total >= max(threshold - _SLACK, _SLACK)
    )
    if not words:
        raise _nothing(totals, threshold)
    features = sorted({feature for word in words for feature in counts[word]})
    column = {feature: place for place, feature in enumerate(features)}
    values = np.zeros((len(words), len(features)))
    for row, word in enumerate(words):
        for feature, weight in counts[word].items():
            values[row, column[feature]] = weight / totals[word]
    names = tuple(f"{prefix}.{feature}" if prefix else feature for feature in features)
    return BuiltOracle(
        oracle=Oracle(words=tuple(words), features=names, values=values),
        annotations=sum(totals.values()),
        kept=sum(totals[word] for word in words),
        rare=len(totals) - len(words),
    )


def _nothing(totals: dict[str, float], threshold: float) -> InputError:
    if not totals:
        return InputError(
            "expected annotated words, got none",
            hint="does the source contain the features set by --features?",
        )
    most, word = max((total, word) for word, total in totals.items())
    return InputError(
        f"expected words with at least {threshold:g} annotations, got none: of {len(totals)} words "
        f"{word!r} has the most, {most:g}",
        hint=f"use --threshold {max(int(most), 1)} or a larger corpus",
    )


_HINT = "fish <tab> animal, or fish <tab> animal,food, or fish <tab> animal <tab> 0.8"


def listed_features(path: Path) -> Iterator[Annotation]:
    """Yield what a lexicon says: ``word TAB feature[,feature...] [TAB weight]`` per line.

    A word may stand on several lines; the weight, 1 if there is none, is for each feature.
    """
    for number, line in numbered_lines(path):
        word, *rest = (field.strip() for field in line.split("\t"))
        features = [name.strip() for name in rest[0].split(",")] if rest else []
        weight = _weight(rest[1]) if len(rest) > 1 else 1.0
        if not word or not features or not all(features) or len(rest) > 2 or weight is None:
            raise FormatError(
                f"expected a word, a tab, features, and perhaps a tab and a weight of 0 or more, "
                f"got {line[:60]!r}",
                path=path,
                line=number,
                hint=_HINT,
            )
        for feature in features:
            yield Annotation(word, feature, weight)


def _weight(text: str) -> float | None:
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if math.isfinite(weight) and weight >= 0 else None


_LETTERS = {"N": "n", "V": "v"}


def wordnet_annotations(
    wordnet: WordNet, *, weights: SenseWeights = "uniform", multiwords: Multiwords = "skip"
) -> Iterator[Annotation]:
    """Yield the supersenses of the senses of every noun and verb of WordNet.

    Parameters
    ----------
    weights
        ``uniform``: each sense counts one. ``counts``: as often as it was tagged in WordNet's own
        semantic concordance; a sense never met there counts nothing.
    """
    names = _supersense_names(wordnet)
    words = wordnet.words[:]
    concepts = wordnet.senses.items
    counts = wordnet.sense_counts if weights == "counts" else np.ones(len(concepts), np.int32)
    features = [names[number] for number in wordnet.lexicographer_files[concepts].tolist()]
    owners = wordnet.senses.owners().tolist()
    for owner, feature, count in zip(owners, features, counts.tolist(), strict=True):
        if feature is None or not count:
            continue
        parts = words[owner].replace("_", " ").split()
        if multiwords == "split" or len(parts) == 1:
            yield from (Annotation(part, feature, count) for part in parts)
        elif multiwords == "join":
            yield Annotation("_".join(parts), feature, count)


def published_annotations(sentences: Iterable[Sentence], wordnet: WordNet) -> Iterator[Annotation]:
    """Yield the supersenses that the published oracle counted, mistakes and all.

    The authors' script takes the synsets of a lemma from WordNet 3.0 in alphabetical order of
    their names, keeps those whose name holds the lemma or its first part that any holds, and
    takes of these the one at the place that the sense number says (the last for number 0). Sense
    numbers count by frequency, though, so that this is often another sense: of the annotations in
    SemCor 3.0 a fifth get a supersense that is not the tagged one, and one in thirty is lost
    because the number is too large. Each part of an expression counts if it is a noun, or verb,
    itself. Tokens with two senses are left out.

    References
    ----------
    Tsvetkov et al. 2015; ``src/supersense_matrix.py`` of github.com/ytsvetko/qvec.
    """
    seen: Counter[tuple[str, str, int]] = Counter()
    for token in (token for sentence in sentences for token in sentence):
        letter = _LETTERS.get(token.tag[:1])
        if letter and token.lemma and len(token.senses) == 1:
            seen[token.lemma, letter, token.senses[0].number] += 1
    for letter in _LETTERS.values():
        lemmas = {lemma for lemma, part_of_speech, _ in seen if part_of_speech == letter}
        parts = {part for lemma in lemmas for part in lemma.split("_")}
        synsets = _named_synsets(wordnet, sorted(lemmas | parts), letter)
        for (lemma, part_of_speech, number), count in seen.items():
            if part_of_speech != letter:
                continue
            feature = _at_place(synsets[lemma], lemma, number)
            for part in lemma.split("_") if feature else ():
                if synsets[part]:
                    yield Annotation(part, feature, count)


def _at_place(synsets: list[tuple[str, str]], lemma: str, number: int) -> str:
    for part in lemma.split("_"):
        named = [synset for synset in synsets if part in synset[0]]
        if named:
            synsets = named
            break
    return synsets[number - 1][1] if number <= len(synsets) and synsets else ""


def _named_synsets(
    wordnet: WordNet, words: Sequence[str], letter: str
) -> dict[str, list[tuple[str, str]]]:
    """Return name and supersense of the synsets of each word, by name."""
    forms = _base_forms(wordnet, [word.replace("_", " ") for word in words], letter)
    owners = np.repeat(np.arange(len(words)), [len(each) for each in forms])
    lemmas = wordnet.lemmas.find([form for each in forms for form in each])
    by_lemma, spellings = wordnet.lemma_words.of_all(lemmas)
    by_spelling, concepts = wordnet.senses.of_all(spellings)
    names = _supersense_names(wordnet)
    letters = wordnet.parts_of_speech
    kept = np.ones(len(concepts), np.bool_) if letters is None else letters[concepts] == letter
    found: dict[str, set[tuple[str, str]]] = {word: set() for word in words}
    whose = owners[by_lemma[by_spelling[kept]]].tolist()
    identifiers = wordnet.concepts.words.take(concepts[kept]).to_list()
    files = wordnet.lexicographer_files[concepts[kept]].tolist()
    for owner, identifier, file in zip(whose, identifiers, files, strict=True):
        found[words[owner]].add((identifier, names[file] or ""))
    return {word: sorted(synsets) for word, synsets in found.items()}


def _base_forms(wordnet: WordNet, words: Sequence[str], letter: str) -> list[tuple[str, ...]]:
    """Return base forms as NLTK does: rules go on where one leads nowhere (less, les, le)."""
    found = wordnet.base_forms(words, letter)
    stuck = [place for place, forms in enumerate(found) if not forms]
    tried = candidates([words[p] for p in stuck], letter, wordnet.exceptions, wordnet.lemmas)
    shorter = [[form for form in each if len(form) < len(each[0])] for each in tried]
    flat = [form for each in shorter for form in each]
    again = iter(_base_forms(wordnet, flat, letter) if flat else [])
    for place, each in zip(stuck, shorter, strict=True):
        found[place] = tuple(dict.fromkeys(base for _ in each for base in next(again)))
    return found


def _supersense_names(wordnet: WordNet) -> list[str | None]:
    return [name if name in SUPERSENSES else None for name in wordnet.lexicographer_names]


#: What can be counted.
Counted: TypeAlias = Literal["supersenses", "tags", "lexicon"]
#: What the columns of an oracle are; ``oracle`` is one that is built already.
Features: TypeAlias = Literal[Counted, "oracle"]
#: The supersense in the key of the tagged sense, or the one that the published oracle has.
SenseReading: TypeAlias = Literal["keys", "published"]

_HEAD = 1 << 14
_PREFIXES: dict[TaggedFormat, str] = {"brackets": "ptb", "columns": "pos", "slashes": "pos"}


@dataclass(frozen=True, kw_only=True)
class OracleRecipe:
    """How an oracle is built.

    The threshold does not apply to WordNet with uniform weights, nor to a lexicon. Senses by their
    ``keys`` are right; ``published`` gives the published oracle again, for which see
    :func:`lydite.lexicons.oracle_sources.published_annotations`.
    """

    features: Annotated[
        Counted | None,
        Param(
            "What to count; by default whatever the source has: supersenses of SemCor and "
            "WordNet, tags of other corpora, the features of a lexicon."
        ),
    ] = None
    threshold: Annotated[int, Param("Minimum number of annotations per word.", least=1)] = THRESHOLD
    form: Annotated[
        Form | None,
        Param("Form of words; by default lemma for supersenses, surface for tags."),
    ] = None
    tags: Annotated[TagColumn, Param("Which tags of CoNLL-U.")] = "upos"
    lower: Annotated[bool, Param("Count words in lower case.")] = True
    digits: Annotated[bool, Param('Count whole numbers as one word, "0".')] = True
    multiwords: Annotated[
        Multiwords | None,
        Param(
            "new_york: two words, one, or none; by default split for a corpus, skip for WordNet."
        ),
    ] = None
    senses: Annotated[SenseReading, Param("Senses as tagged, or as in the published oracle.")] = (
        "keys"
    )
    weights: Annotated[SenseWeights, Param("Weights of the senses in WordNet.")] = "uniform"


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
        The files of a tagged corpus (see :func:`lydite.corpora.annotated.read_tagged`), of
        WordNet, a lexicon (:func:`lydite.lexicons.oracle_sources.listed_features`), or an
        oracle. A file with two columns is a corpus if blank lines divide it, else a lexicon.
    wordnet
        Needed for a corpus with ``senses="published"``: WordNet 3.0.
    """
    if {"data.noun", "index.noun"} <= {path.name for path in paths}:
        return _of_wordnet(paths, recipe, name, sha256)
    kind: Features | None = recipe.features or _list_kind(paths)
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
    from lydite.lexicons.wordnet.database import open_wordnet

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
