"""Princeton WordNet as a taxonomy, read from its own database files and mapped from the cache."""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lydite.errors import FormatError, ResourceError
from lydite.files.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.files.lines import numbered_lines
from lydite.lexicons.taxonomy import ON_CYCLE, RELATIONS, Lists, Taxonomy, on_cycles
from lydite.lexicons.wordnet.fields import (
    WHOLE_COPY,
    Index,
    Parts,
    format_rows,
    glue_words,
    keep_words,
    lower_words,
    read_fields,
    read_index,
    read_synsets,
    symbol,
    take_words,
    with_blanks,
)
from lydite.lexicons.wordnet.morphology import (
    PARTS,
    Exceptions,
    candidates,
    read_exceptions,
    require_part,
)
from lydite.spaces.vocabulary import PackedWords, Vocabulary, bounds, pack
from lydite.storage import cache_dir
from lydite.types import Indices

#: Of the senses of a word: all alike, or as often as each was met in a tagged corpus.
SenseWeights: TypeAlias = Literal["uniform", "counts"]

_NOUNS = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
)
_VERBS = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
)

#: The lexicographer files in the order of their numbers, which are the same since WordNet 1.5.
LEXICOGRAPHER_FILES: tuple[str, ...] = (
    "adj.all",
    "adj.pert",
    "adv.all",
    *(f"noun.{name}" for name in _NOUNS.split()),
    *(f"verb.{name}" for name in _VERBS.split()),
    "adj.ppl",
)

#: The 26 of nouns and 15 of verbs.
SUPERSENSES: frozenset[str] = frozenset(
    name for name in LEXICOGRAPHER_FILES if name.startswith(("noun.", "verb."))
)


def supersense(key: str) -> str | None:
    """Return the supersense in the key of a sense, or None for an adjective or adverb.

    The key is what follows the ``%``: kind of synset, number of the lexicographer file, and so on.

    Examples
    --------
    >>> supersense("2:32:00::")
    'verb.communication'
    >>> supersense("4:02:00::") is None
    True
    """
    number = int(key.split(":")[1])
    name = LEXICOGRAPHER_FILES[number] if number < len(LEXICOGRAPHER_FILES) else ""
    return name if name in SUPERSENSES else None


#: The symbols of the pointers up and down for each kind of edge.
POINTERS: Mapping[str, tuple[str, str]] = {
    "is-a": ("@", "~"),
    "instance": ("@i", "~i"),
    "part": ("#p", "%p"),
    "member": ("#m", "%m"),
    "substance": ("#s", "%s"),
}


def read_parents(parts: Parts) -> tuple[dict[str, Lists], dict[str, int]]:
    """Return the parents of each concept by kind of edge, and what is wrong with the pointers.

    Of hypernymy only the pointers upward make parents: in WordNet 3.0 one hyponym pointer has no
    counterpart and would close a cycle. Of meronymy those in both directions do.
    """
    symbols = parts.joined(lambda each: each.symbols)
    sources = parts.concepts(lambda each: each.sources)
    targets = parts.targets
    wanted = np.zeros(1 << 16, dtype=np.bool_)
    wanted[[symbol(text) for pair in POINTERS.values() for text in pair]] = True
    used = wanted[symbols]
    lost = int((used & (targets < 0)).sum())
    kept = np.flatnonzero(used & (targets >= 0))
    symbols, sources, targets = symbols[kept], sources[kept], targets[kept]
    parents, above, below = {}, 0, 0
    for kind, (upward, downward) in POINTERS.items():
        up, down = symbols == symbol(upward), symbols == symbol(downward)
        both = kind in RELATIONS["meronymy"]
        parents[kind] = Lists.grouped(
            np.concatenate([sources[up], targets[down & both]]),
            np.concatenate([targets[up], sources[down & both]]),
            len(parts),
        )
        higher = sources[up] * len(parts) + targets[up]
        lower = targets[down] * len(parts) + sources[down]
        above += _without(higher, lower)
        below += _without(lower, higher)
    found = {
        "pointer upward without its counterpart": above,
        "pointer downward without its counterpart": below,
        "pointer to a part of speech that is missing": lost,
    }
    cyclic = [_on_cycles([parents[kind] for kind in kinds]) for kinds in RELATIONS.values()]
    found[ON_CYCLE] = len(np.unique(np.concatenate(cyclic)))
    return parents, found


def _without(these: Indices, those: Indices) -> int:
    ordered = np.append(np.sort(those), -1)
    return int((ordered[np.searchsorted(ordered[:-1], these)] != these).sum())


def _on_cycles(kinds: Sequence[Lists]) -> Indices:
    owners = np.concatenate([each.owners() for each in kinds])
    items = np.concatenate([each.items for each in kinds])
    return on_cycles(Lists.grouped(owners, items, len(kinds[0])))


_TYPES = {"n": 1, "v": 2, "a": 3, "r": 4}
_SATELLITE_TYPE = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Senses:
    """Every word in every synset.

    Attributes
    ----------
    parts
        Where they stand; k words in n synsets.
    words, lemmas
        The different words, with blanks; and the same in small letters.
    word_lemmas
        For each of ``words`` its lemma.
    word_of
        Shape (k,): which of ``words`` it is.
    firsts
        Shape (k,): itself, or the word before it in the synset that is the same lemma.
    ranks
        Shape (k,): its place among the senses of the lemma in the part of speech, from 0.
    satellite_ranks
        Shape (k,): its place among those senses that are satellites.
    """

    parts: Parts
    words: Vocabulary
    lemmas: Vocabulary
    word_lemmas: Indices
    word_of: Indices
    firsts: Indices
    ranks: Indices
    satellite_ranks: Indices

    @classmethod
    def of(cls, parts: Parts) -> Senses:
        """Find words, lemmas and the order of senses."""
        words, word_of = _different(with_blanks(parts.lemmas))
        lemmas, word_lemmas = _different(lower_words(words.words))
        firsts, ranks, satellite_ranks = _ranks(parts, lemmas, word_lemmas[word_of])
        return cls(
            parts=parts,
            words=words,
            lemmas=lemmas,
            word_lemmas=word_lemmas,
            word_of=word_of,
            firsts=firsts,
            ranks=ranks,
            satellite_ranks=satellite_ranks,
        )

    @cached_property
    def _lowered(self) -> PackedWords:
        return lower_words(self.parts.lemmas)

    @cached_property
    def _first(self) -> Indices:
        """Shape (n,): the first word of each synset."""
        return np.searchsorted(self.parts.lemma_concepts, np.arange(len(self.parts)))

    def names(self) -> PackedWords:
        """Return the names of the concepts: ``dog.n.01``."""
        parts = self.parts
        letters = np.array(list(parts.letters.encode()))[parts.part_of]
        letters[parts.satellites] = ord("s")
        ranks = np.where(
            parts.satellites, self.satellite_ranks[self._first], self.ranks[self._first]
        )
        return glue_words(
            [
                take_words(self._lowered, self._first),
                format_rows(".{:c}.{:02d}", letters, ranks + 1),
            ]
        )

    def keys(self) -> PackedWords:
        """Return the k sense keys: ``lemma%type:file:id:head:head's id`` (senseidx(5WN)).

        Of two words of a synset that differ by case alone (``Earth``, ``earth``) WordNet lists the
        key of the first, whatever the ``lex_id`` of the second, and so it is here.
        """
        parts, concepts = self.parts, self.parts.lemma_concepts
        types = np.array([_TYPES[letter] for letter in parts.letters])[parts.part_of]
        types[parts.satellites] = _SATELLITE_TYPE
        ids = parts.joined(lambda each: each.lemma_ids)[self.firsts]
        files = parts.joined(lambda each: each.files)
        # One word more, which is empty: the head of what is no satellite.
        words = PackedWords.join([self._lowered, pack([""])])
        heads = np.full(len(parts), len(words) - 1)
        heads[parts.satellites] = self._first[self._heads()]
        tails = np.append(ids + 1, 0)[heads]
        return glue_words(
            [
                self._lowered,
                format_rows("%{}:{:02d}:{:02d}:", types[concepts], files[concepts], ids),
                take_words(words, heads[concepts]),
                take_words(
                    pack([":", *(f":{i:02d}" for i in range(int(tails.max())))]), tails[concepts]
                ),
            ]
        )

    def _heads(self) -> Indices:
        """Return for each satellite the concept that it is similar to."""
        sources = self.parts.concepts(lambda each: each.sources)
        similar = np.flatnonzero(self.parts.joined(lambda each: each.symbols) == symbol("&"))
        satellites = np.flatnonzero(self.parts.satellites)
        at = np.searchsorted(sources[similar], satellites)
        without = satellites[~np.isin(satellites, sources[similar])]
        if len(without):
            raise self.parts.line_of(
                without.tolist(), "expected a pointer & from a satellite to its head, got none"
            )
        return self.parts.targets[similar[at]]

    def order(self) -> Indices:
        """Return which of the k words are senses, by word and then by WordNet's order.

        A word that stands twice in a synset is one sense.
        """
        concepts = self.parts.lemma_concepts
        order = np.lexsort((self.ranks, self.parts.part_of[concepts], self.word_of))
        word, concept = self.word_of[order], concepts[order]
        again = (np.diff(word, prepend=-1) == 0) & (np.diff(concept, prepend=-1) == 0)
        once: Indices = order[~again]
        return once

    def lemma_words(self) -> Lists:
        """Return the words of each lemma."""
        return Lists.grouped(self.word_lemmas, np.arange(len(self.words)), len(self.lemmas))

    def lemma_parts(self, letters: str) -> Indices:
        """Return for each lemma the sum of 2^i over its parts of speech, at place i in letters."""
        bits = np.array([1 << letters.index(letter) for letter in self.parts.letters])
        sums = np.zeros(len(self.lemmas), dtype=np.int64)
        part_of = self.parts.part_of[self.parts.lemma_concepts]
        np.bitwise_or.at(sums, self.word_lemmas[self.word_of], bits[part_of])
        return sums


def _different(words: PackedWords) -> tuple[Vocabulary, Indices]:
    """Return the different words, in the order of their first places, and which each word is."""
    every = Vocabulary.build(words)
    fresh = np.ones(len(words), dtype=np.bool_)
    fresh[1:] = every.hashes[1:] != every.hashes[:-1]
    firsts = every.order[fresh].astype(np.int64)
    which = np.empty(len(words), dtype=np.int64)
    which[every.order] = np.cumsum(fresh) - 1
    is_first = np.zeros(len(words), dtype=np.bool_)
    is_first[firsts] = True
    others = np.flatnonzero(~is_first)
    if not _same(take_words(words, others), take_words(words, firsts[which[others]])):
        # Two words share a hash.
        different, _ = every.distinct()
        return different, different.find_packed(words)
    number = (np.cumsum(is_first) - 1)[firsts]
    different = Vocabulary(
        words=keep_words(words, is_first), hashes=every.hashes[fresh], order=number.astype(np.int32)
    )
    return different, number[which]


def _same(these: PackedWords, those: PackedWords) -> bool:
    return np.array_equal(these.offsets, those.offsets) and np.array_equal(
        these.letters, those.letters
    )


def _ranks(parts: Parts, lemmas: Vocabulary, lemma_of: Indices) -> tuple[Indices, Indices, Indices]:
    """Look every word of every synset up in the index files; see :class:`Senses`."""
    count = len(parts)
    listed = [_listed(parts, part, lemmas) for part in range(len(parts.letters))]
    keys = np.concatenate([lemma * count + concept for lemma, concept in listed])
    order = np.argsort(keys, kind="stable")
    wanted = lemma_of * count + parts.lemma_concepts
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    absent = np.flatnonzero(keys[at] != wanted)
    if len(absent):
        concept = int(parts.lemma_concepts[absent[0]])
        name = parts.indexes[parts.part_of[concept]].fields.path.name
        word = parts.lemmas[int(absent[0])]
        raise parts.line_of(
            [concept], f"expected {word} of this synset in {name}, got no such sense"
        )
    firsts = np.full(len(keys), -1)
    # Of several that are written to one place the last stays.
    firsts[at[::-1]] = np.arange(len(at))[::-1]
    _require_words(parts, np.flatnonzero(firsts < 0))
    ranks = np.concatenate([index.ranks for index in parts.indexes])
    satellite = np.concatenate([parts.satellites[concept] for _, concept in listed])
    before = bounds(satellite.astype(np.int64))[:-1]
    within = before - before[np.arange(len(ranks)) - ranks]
    return firsts[at], ranks[at], within[at]


def _listed(parts: Parts, part: int, lemmas: Vocabulary) -> tuple[Indices, Indices]:
    """Return lemma (-1 if unknown) and concept of every sense of an index file."""
    index = parts.indexes[part]
    places = parts.synsets[part].find(index.offsets)
    nowhere = np.flatnonzero(places < 0)
    if len(nowhere):
        name = parts.synsets[part].fields.path.name
        raise _index_fault(index, int(nowhere[0]), f"of {name}, got none")
    return lemmas.find_packed(with_blanks(index.lemmas))[index.owners], places + parts.starts[part]


def _require_words(parts: Parts, strange: Indices) -> None:
    """Refuse senses of the index files that no synset has."""
    if len(strange):
        begins = bounds(np.array([len(index.offsets) for index in parts.indexes]))
        part = int(np.searchsorted(begins, strange[0], side="right")) - 1
        sense = int(strange[0] - begins[part])
        lemma = parts.indexes[part].lemmas[int(parts.indexes[part].owners[sense])]
        raise _index_fault(parts.indexes[part], sense, f"that holds {lemma}, got one that does not")


def _index_fault(index: Index, sense: int, what: str) -> FormatError:
    return index.fields.fault(
        int(index.owners[sense]),
        f"expected a synset at {index.offsets[sense]:08d} {what}",
        hint="the files are of different versions, or one is truncated: fetch them again",
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class WordNet(Taxonomy):
    """Synsets, words and relations of WordNet.

    Concepts are named as NLTK names them: the first lemma in small letters, the part of speech,
    and the number of the sense (``dog.n.01``). Satellite adjectives have the letter ``s`` and are
    numbered among the satellites of that lemma, as NLTK does from 3.9.2 on. Words that differ by
    case alone (``turkey``, ``Turkey``) are two words, each with its own senses; senses come in
    the order of the index files, nouns before verbs, adjectives and adverbs. Parents are
    hypernyms and wholes; ``problems`` says how many pointers have no counterpart.

    Attributes
    ----------
    offsets
        Shape (n,): where the synset stands in the data file of its part of speech.
    lexicographer_files
        Shape (n,): the number of the file that the synset was written in.
    lexicographer_names
        The names of those files by number (``noun.animal``).
    sense_counts
        For each of ``senses.items`` how often the sense was tagged in the semantic concordance.
    lemmas
        The words in small letters, each once.
    lemma_words
        For each lemma, the words that are written so.
    lemma_parts
        Shape (l,): for each lemma, the parts of speech it has: the sum of 1 for a noun, 2 for a
        verb, 4 for an adjective, 8 for an adverb.

    References
    ----------
    Fellbaum, C. (ed.), WordNet: an electronic lexical database, 1998; file formats in wndb(5WN)
    and senseidx(5WN).
    """

    offsets: Indices
    lexicographer_files: NDArray[np.uint8]
    lexicographer_names: tuple[str, ...]
    sense_counts: NDArray[np.int32]
    lemmas: Vocabulary
    lemma_words: Lists
    lemma_parts: NDArray[np.uint8]
    exceptions: Exceptions

    def find(self, words: Sequence[str]) -> Indices:
        """Return the place of each word, by its lemma where no word is written just so.

        Of several words that differ by case alone the first is taken; -1 where there is none.
        """
        places = self.words.find(words)
        absent = np.flatnonzero(places < 0)
        lemmas = self.lemmas.find([words[place].lower() for place in absent.tolist()])
        first = self.lemma_words.items[self.lemma_words.offsets[np.maximum(lemmas, 0)]]
        places[absent] = np.where(lemmas >= 0, first, -1)
        return places

    def base_forms(self, words: Sequence[str], part_of_speech: str) -> list[tuple[str, ...]]:
        """Return what each word may be a form of, as lemmas of a part of speech.

        Parameters
        ----------
        words
            Inflected or not, with blanks between words; case is ignored.
        part_of_speech
            ``n``, ``v``, ``a`` (or ``s``) or ``r``.

        Returns
        -------
        For each word: itself if it is a lemma, then the lemmas that the list of exceptions names,
        or for a word that is not in that list those that the rules of detachment lead to; empty
        if there is none.
        """
        letter = require_part(part_of_speech)
        bit = 1 << list(PARTS).index(letter)
        forms = candidates([word.lower() for word in words], letter, self.exceptions, self.lemmas)
        found = self.lemmas.find([form for each in forms for form in each])
        good = iter(((found >= 0) & ((self.lemma_parts[found] & bit) > 0)).tolist())
        return [tuple(dict.fromkeys(f for f in each if next(good))) for each in forms]


_OPTIONAL = ("index.sense", "cntlist.rev", "lexnames", *(f"{name}.exc" for name in PARTS.values()))


def read_wordnet(files: Sequence[Path], *, name: str, sha256: str) -> WordNet:
    """Read the database files of WordNet 3.0 or 3.1.

    Parameters
    ----------
    files
        Known by their names: ``data.noun``, ``index.noun`` and the same for ``verb``, ``adj`` and
        ``adv``; ``index.sense``, ``cntlist.rev``, ``lexnames`` and ``noun.exc`` and so on may be
        missing, which ``problems`` says. Other files are passed over.

    Raises
    ------
    ResourceError
        If the nouns are missing or a file cannot be read.
    FormatError
        If a file is not what it should be, or the files do not belong together.
    """
    found = {path.name: path for path in files}
    parts, problems = _read_parts(found, name)
    problems |= {f"missing file {file}": 1 for file in _OPTIONAL if file not in found}
    senses = Senses.of(parts)
    parents, faults = read_parents(parts)
    order = senses.order()
    keys = Vocabulary.build(take_words(senses.keys(), order))
    problems |= faults
    return WordNet(
        name=name,
        fingerprint=sha256,
        concepts=Vocabulary.build(senses.names()),
        words=senses.words,
        senses=Lists(
            offsets=bounds(np.bincount(senses.word_of[order], minlength=len(senses.words))),
            items=parts.lemma_concepts[order].astype(np.int32),
        ),
        labels=Lists.grouped(parts.lemma_concepts, senses.word_of, len(parts)),
        parents=parents,
        problems={kind: count for kind, count in problems.items() if count},
        parts_of_speech=np.array(list(parts.letters))[parts.part_of],
        sense_keys=keys,
        offsets=parts.joined(lambda each: each.offsets),
        lexicographer_files=parts.joined(lambda each: each.files).astype(np.uint8),
        lexicographer_names=_lexicographer_names(found.get("lexnames")),
        sense_counts=_sense_counts(found, keys),
        lemmas=senses.lemmas,
        lemma_words=senses.lemma_words(),
        lemma_parts=senses.lemma_parts("".join(PARTS)).astype(np.uint8),
        exceptions=read_exceptions(_exception_files(found), senses.lemmas),
    )


def _read_parts(found: Mapping[str, Path], name: str) -> tuple[Parts, dict[str, int]]:
    """Read the data and index files of the parts of speech that have both."""
    missing = [
        file
        for part in PARTS.values()
        for file in (f"data.{part}", f"index.{part}")
        if file not in found
    ]
    if "data.noun" in missing or "index.noun" in missing:
        raise ResourceError(
            f"{name}: expected at least data.noun and index.noun, "
            f"got {', '.join(found) or 'no file'}",
            hint="name the folder of the database files, usually called dict",
        )
    letters = [
        letter
        for letter, part in PARTS.items()
        if f"data.{part}" not in missing and f"index.{part}" not in missing
    ]
    parts = Parts(
        letters="".join(letters),
        synsets=tuple(read_synsets(found[f"data.{PARTS[letter]}"]) for letter in letters),
        indexes=tuple(read_index(found[f"index.{PARTS[letter]}"]) for letter in letters),
    )
    for fields in (parts.synsets[0].fields, parts.indexes[0].fields):
        if not len(fields):
            raise FormatError("expected nouns, got none", path=fields.path, hint=WHOLE_COPY)
    return parts, {f"missing file {file}": 1 for file in missing}


def _exception_files(found: Mapping[str, Path]) -> dict[str, Path]:
    files = {letter: f"{part}.exc" for letter, part in PARTS.items()}
    return {letter: found[file] for letter, file in files.items() if file in found}


def _lexicographer_names(path: Path | None) -> tuple[str, ...]:
    """Read one number and name per line (lexnames(5WN)); without the file, the usual names."""
    if path is None:
        return LEXICOGRAPHER_FILES
    names: list[str] = []
    for number, line in numbered_lines(path):
        fields = line.split()
        if len(fields) < 2 or not fields[0].isdecimal() or int(fields[0]) != len(names):
            raise FormatError(
                f"expected {len(names):02d} and the name of a file, got {line[:60]!r}",
                path=path,
                line=number,
                hint=WHOLE_COPY,
            )
        names.append(fields[1])
    return tuple(names)


def _sense_counts(found: Mapping[str, Path], keys: Vocabulary) -> NDArray[np.int32]:
    """Return how often each sense was tagged, by ``index.sense`` or else by ``cntlist.rev``."""
    counts = np.zeros(len(keys), dtype=np.int32)
    file, column = ("index.sense", 3) if "index.sense" in found else ("cntlist.rev", 2)
    if file not in found:
        return counts
    fields = read_fields(found[file])
    lines = np.arange(len(fields))
    tagged = fields.integers(lines, column, "how often a sense was tagged")
    lines = lines[tagged > 0]
    listed = fields.words(lines, 0)
    if file == "cntlist.rev":
        # Here the head of a satellite has its marker: above%5:00:00:preceding(a):00.
        listed = pack(re.sub(r"\([a-z]+\):", ":", key) for key in listed.to_list())
    places = keys.find_packed(listed)
    counts[places[places >= 0]] = tagged[lines[places >= 0]]
    # Words of a synset that differ by case alone share a key, which is found at its first place.
    again = keys.repeats()
    counts[again] = counts[keys.find_packed(keys.words.take(again))]
    return counts


logger = logging.getLogger(__name__)

#: To be raised whenever the same files would give other arrays.
_LAYOUT = 1

_VOCABULARY: dict[str, DTypeLike] = {
    "letters": np.uint8,
    "offsets": np.int64,
    "hashes": np.uint64,
    "order": np.int32,
}
_LISTS: dict[str, DTypeLike] = {"offsets": np.int64, "items": np.int32}
_PLAIN: dict[str, DTypeLike] = {
    "parts_of_speech": "<U1",
    "offsets": np.int64,
    "lexicographer_files": np.uint8,
    "sense_counts": np.int32,
    "lemma_parts": np.uint8,
}
_VOCABULARIES = ("concepts", "words", "sense_keys", "lemmas", "inflected")
_ALL_LISTS = ("senses", "labels", "lemma_words", "bases", *POINTERS)
_ARRAYS: dict[str, DTypeLike] = (
    _PLAIN
    | {f"{name}.{part}": kind for name in _VOCABULARIES for part, kind in _VOCABULARY.items()}
    | {f"{name}.{part}": kind for name in _ALL_LISTS for part, kind in _LISTS.items()}
)


def open_wordnet(folder_files: Sequence[Path], *, sha256: str, name: str) -> WordNet:
    """Open WordNet through the cache, which goes by the sha256 of the files' content.

    The first time the files are parsed, later their arrays are mapped. A damaged folder of the
    cache is built again; where the cache cannot be written, the files are parsed each time. Files
    and errors are those of `read_wordnet`.
    """
    cached = _open_cached(sha256, name)
    if cached is not None:
        return cached
    # The parser is not needed to open what was parsed before.
    wordnet = read_wordnet(folder_files, name=name, sha256=sha256)
    try:
        _keep(wordnet)
    except OSError as error:
        logger.warning("the cache cannot be written (%s): %s is parsed each time", error, name)
    return wordnet


def _folder(sha256: str) -> Path:
    return cache_dir("taxonomies", f"wordnet-v{_LAYOUT}") / sha256


def _open_cached(sha256: str, name: str) -> WordNet | None:
    """Map a folder of the cache; None if it is not there, or was damaged and is now gone."""
    try:
        folder = _folder(sha256)
        return _mapped(folder, sha256, name)
    except OSError:
        return None
    except DamagedFolderError as error:
        logger.warning("a cached taxonomy is damaged (%s) and will be built again", error)
        discard(folder)
        return None


def _keep(wordnet: WordNet) -> None:
    """Write the arrays into a new folder of the cache."""
    target = _folder(wordnet.fingerprint)
    work = working_folder(target.parent)
    try:
        for name, array in _arrays(wordnet):
            np.ascontiguousarray(array, dtype=_ARRAYS[name]).tofile(work / name)
        seal(
            work,
            _ARRAYS,
            problems=wordnet.problems,
            lexicographer_names=wordnet.lexicographer_names,
        )
        with contextlib.suppress(OSError):
            # Fails when another process was first; its folder is as good as this one.
            work.rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _arrays(wordnet: WordNet) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in _PLAIN:
        yield name, getattr(wordnet, name)
    for name in _VOCABULARIES:
        vocabulary = getattr(wordnet.exceptions if name == "inflected" else wordnet, name)
        yield f"{name}.letters", vocabulary.words.letters
        yield f"{name}.offsets", vocabulary.words.offsets
        yield f"{name}.hashes", vocabulary.hashes
        yield f"{name}.order", vocabulary.order
    for name in _ALL_LISTS:
        lists = (
            wordnet.parents[name]
            if name in POINTERS
            else getattr(wordnet.exceptions if name == "bases" else wordnet, name)
        )
        yield f"{name}.offsets", lists.offsets
        yield f"{name}.items", lists.items


def _mapped(folder: Path, sha256: str, name: str) -> WordNet:
    arrays, facts = map_arrays(folder, _ARRAYS)
    fields: dict[str, Any] = {each: arrays[each] for each in _PLAIN}
    fields |= {each: _vocabulary(arrays, each) for each in _VOCABULARIES}
    fields |= {
        each: Lists(offsets=arrays[f"{each}.offsets"], items=arrays[f"{each}.items"])
        for each in _ALL_LISTS
    }
    try:
        return WordNet(
            name=name,
            fingerprint=sha256,
            parents={kind: fields.pop(kind) for kind in POINTERS},
            problems=dict(facts["problems"]),
            lexicographer_names=tuple(facts["lexicographer_names"]),
            exceptions=Exceptions(inflected=fields.pop("inflected"), bases=fields.pop("bases")),
            **fields,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFolderError(f"{type(error).__name__}: {error}") from error


def _vocabulary(arrays: dict[str, NDArray[Any]], name: str) -> Vocabulary:
    words = PackedWords(letters=arrays[f"{name}.letters"], offsets=arrays[f"{name}.offsets"])
    return Vocabulary(words=words, hashes=arrays[f"{name}.hashes"], order=arrays[f"{name}.order"])
