"""WordNet 3.0 as NLTK reads it: every synset, every relation, every key."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.lexicons.wordnet.database import POINTERS, WordNet, read_wordnet

#: NLTK gives these the lex_id of the second of two words that differ by case alone; index.sense
#: lists the first.
_KEYS_OF_NLTK_ALONE = 8


@pytest.fixture(scope="module")
def folder() -> Path:
    data = os.environ.get("LYDITE_DATA")
    if data is None or not (Path(data) / "wordnet-3.0").is_dir():
        pytest.skip("LYDITE_DATA names no folder with WordNet 3.0")
    return Path(data) / "wordnet-3.0"


@pytest.fixture(scope="module")
def wordnet(folder: Path) -> WordNet:
    return read_wordnet(sorted(folder.iterdir()), name="wordnet-3.0", sha256="0")


@pytest.fixture(scope="module")
def reader(folder: Path) -> Iterator[Any]:
    nltk = pytest.importorskip("nltk", reason="agreement with NLTK needs NLTK")
    corpus_reader = nltk.corpus.reader.wordnet.WordNetCorpusReader
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        # NLTK reads below the folders of this list alone, and maps to a version that would have
        # to be installed.
        patch.setattr(nltk.data, "path", [*nltk.data.path, str(folder.parent)])
        patch.setattr(corpus_reader, "map_wn", lambda self: None)
        warnings.filterwarnings("ignore", message="The multilingual functions are not available")
        reader = corpus_reader(str(folder), None)
        yield reader
    for file in reader._data_file_map.values():
        file.close()


def test_every_synset(wordnet: WordNet, reader: Any) -> None:  # noqa: ANN401
    # NLTK comes to adjectives before adverbs, nouns and verbs.
    order = [c for part in "arnv" for c in np.flatnonzero(wordnet.parts_of_speech == part).tolist()]
    names, labels, keys = [], [], []
    edges: dict[str, set[tuple[int, int]]] = {kind: set() for kind in POINTERS}
    for concept, synset in zip(order, reader.all_synsets(), strict=True):
        names.append((synset.name(), synset.offset(), synset.lexname()))
        labels += [(concept, lemma.replace("_", " ")) for lemma in synset.lemma_names()]
        keys += [lemma.key() for lemma in synset.lemmas()]
        for kind, (symbol, _) in POINTERS.items():
            # What hypernyms() and the like go by; they themselves take several times as long.
            edges[kind].update((concept, offset) for _, offset in synset._pointers.get(symbol, ()))
    files = [wordnet.lexicographer_names[file] for file in wordnet.lexicographer_files[order]]
    ours = zip(np.array(wordnet.concepts)[order], wordnet.offsets[order], files, strict=True)
    assert list(ours) == names
    words = list(wordnet.words)
    owners, found = wordnet.labels.of_all(order)
    pairs = list(zip(np.array(order)[owners].tolist(), found.tolist(), strict=True))
    assert [(concept, words[word]) for concept, word in pairs] == labels
    senses = zip(wordnet.senses.items.tolist(), wordnet.senses.owners().tolist(), strict=True)
    key_of = dict(zip(senses, wordnet.sense_keys or (), strict=True))
    other_keys = sum(key_of[pair] != key for pair, key in zip(pairs, keys, strict=True))
    for kind, lists in wordnet.parents.items():
        above = wordnet.offsets[lists.items].tolist()
        assert set(zip(lists.owners().tolist(), above, strict=True)) == edges[kind]
    assert len(wordnet) == 117_659
    assert other_keys == _KEYS_OF_NLTK_ALONE
    assert wordnet.problems == {
        "pointer upward without its counterpart": 1,
        "pointer downward without its counterpart": 1,
    }


def test_every_key_and_count_of_the_sense_index(wordnet: WordNet, folder: Path) -> None:
    lines = [line.split() for line in (folder / "index.sense").read_text().splitlines()]
    assert wordnet.sense_keys is not None
    places = wordnet.sense_keys.find([key for key, *_ in lines])
    assert (places >= 0).all()
    assert len(wordnet.sense_keys) - len(wordnet.sense_keys.repeats()) == len(lines)
    assert wordnet.sense_counts[places].tolist() == [int(count) for *_, count in lines]
    offsets = wordnet.offsets[wordnet.senses.items[places]]
    assert offsets.tolist() == [int(offset) for _, offset, *_ in lines]


def test_counts_without_the_sense_index(wordnet: WordNet, folder: Path) -> None:
    files = [path for path in sorted(folder.iterdir()) if path.name != "index.sense"]
    again = read_wordnet(files, name="wordnet-3.0", sha256="0")
    assert again.sense_counts.tolist() == wordnet.sense_counts.tolist()


def test_senses_of_words_in_order(wordnet: WordNet, reader: Any) -> None:  # noqa: ANN401
    small = [w for w in list(wordnet.words)[::40] if w == w.lower()]
    for place, word in zip(wordnet.words.find(small).tolist(), small, strict=True):
        ours = [wordnet.concepts[concept] for concept in wordnet.senses[place].tolist()]
        theirs = [
            lemma.synset().name()
            for part in "nvar"
            for lemma in reader.lemmas(word.replace(" ", "_"), part)
            # Those that are written with capitals are another word here.
            if lemma.name().replace("_", " ") == word
        ]
        # NLTK also finds plurals by their base forms, and so some synsets twice.
        assert ours == list(dict.fromkeys(theirs)), word


@pytest.mark.parametrize("part", ["n", "v", "a", "r"])
def test_base_forms_of_a_book(wordnet: WordNet, reader: Any, folder: Path, part: str) -> None:  # noqa: ANN401
    books = sorted((folder.parent / "books").glob("*.txt"))
    if not books:
        pytest.skip("LYDITE_DATA has no book")
    text = " ".join(book.read_text(errors="replace") for book in books[:2]).lower()
    words = sorted(set(re.findall(r"[a-z]+(?:[-'][a-z]+)*", text)))
    assert len(words) > 5000
    theirs = [tuple(reader._morphy(word, part)) for word in words]
    assert wordnet.base_forms(words, part) == theirs
