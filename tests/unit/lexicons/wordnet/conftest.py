from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

LETTERS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
LICENCE = "  1 Written for the tests of Lydite.  \n  2 Nobody else need read it.  \n"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A synset to be written: words as ``word`` or ``word/lex_id``, pointers as ``@animal``."""

    words: str
    file: int = 3
    part: str = "noun"
    pointers: str = ""
    satellite: bool = False
    #: Among the senses of its words, small numbers come first.
    rank: int = 0

    def lemmas(self) -> list[tuple[str, str]]:
        return [(word, number or "0") for word, _, number in (w.partition("/") for w in self.split)]

    @property
    def split(self) -> list[str]:
        return self.words.split()


ENTRIES: Mapping[str, Entry] = {
    "entity": Entry(words="entity", pointers="~animal ~pack ~tail ~fellow ~fur"),
    "animal": Entry(words="animal beast", file=5, pointers="@entity ~dog"),
    "dog": Entry(words="dog domestic_dog", file=5, pointers="@animal ~irex #mpack %ptail", rank=2),
    "pack": Entry(words="pack", file=14, pointers="@entity %mdog"),
    "tail": Entry(words="tail", file=8, pointers="@entity #pdog %sfur"),
    "rex": Entry(words="Rex rex/1 king_of_dogs", file=18, pointers="@idog"),
    "fellow": Entry(words="chap dog/1", file=18, pointers="@entity", rank=1),
    "fur": Entry(words="fur", file=8, pointers="@entity #stail"),
    "move": Entry(words="move", file=38, part="verb", pointers="~chase"),
    "chase": Entry(words="chase dog", file=38, part="verb", pointers="@move"),
    "good": Entry(words="good", file=0, part="adj", pointers="&fine"),
    "fine": Entry(words="fine(p) good/1", file=0, part="adj", pointers="&good", satellite=True),
    "well": Entry(words="well", file=2, part="adv"),
}

Write = Callable[..., list[Path]]


def pointer(text: str, entries: Mapping[str, Entry]) -> tuple[str, str]:
    """Split ``@idog`` into symbol and target."""
    (cut,) = [at for at in (1, 2) if text[at:] in entries]
    return text[:cut], text[cut:]


def data_lines(
    entries: Mapping[str, Entry], part: str, offsets: Mapping[str, int]
) -> dict[str, str]:
    lines = {}
    for name, entry in entries.items():
        if entry.part != part:
            continue
        lemmas = entry.lemmas()
        words = " ".join(f"{word} {number}" for word, number in lemmas)
        pointers = [pointer(text, entries) for text in entry.pointers.split()]
        tail = "".join(
            f" {symbol} {offsets[to]:08d} {LETTERS[entries[to].part]} 0000"
            for symbol, to in pointers
        )
        kind = "s" if entry.satellite else LETTERS[part]
        frames = " 01 + 02 00" if part == "verb" else ""
        lines[name] = (
            f"{offsets[name]:08d} {entry.file:02d} {kind} {len(lemmas):02x} {words} "
            f"{len(pointers):03d}{tail}{frames} | a gloss of {name} | with a bar  \n"
        )
    return lines


def all_offsets(entries: Mapping[str, Entry]) -> dict[str, int]:
    """Lay the lines out; their lengths do not depend on the offsets."""
    offsets = {}
    for part in LETTERS:
        at = len(LICENCE)
        for name, line in data_lines(entries, part, dict.fromkeys(entries, 0)).items():
            offsets[name] = at
            at += len(line)
    return offsets


def index_lines(entries: Mapping[str, Entry], part: str, offsets: Mapping[str, int]) -> str:
    senses = defaultdict(list)
    for name, entry in sorted(entries.items(), key=lambda pair: pair[1].rank):
        if entry.part == part:
            for lemma in dict.fromkeys(
                word.lower().partition("(")[0] for word, _ in entry.lemmas()
            ):
                senses[lemma].append(f"{offsets[name]:08d}")
    return "".join(
        f"{lemma} {LETTERS[part]} {len(found)} 2 @ ~ {len(found)} 0 {' '.join(found)}  \n"
        for lemma, found in sorted(senses.items())
    )


SMALL = {
    "cntlist.rev": "chase%2:38:00:: 1 3\ndog%1:05:00:: 2 42\nfine%5:00:00:good(a):00 1 9\n"
    "rex%1:18:00:: 1 7\n",
    "lexnames": "".join(f"{number:02d}\tfile.{number}\t1\n" for number in range(45)),
    "index.sense": "dog%1:05:00:: 00000200 2 42\nrex%1:18:00:: 00000200 1 7\n",
    "noun.exc": "doggen dog hound\nkings_of_dogs king_of_dogs\nfurs nothing\n",
    "verb.exc": "dug dog\n",
    "adj.exc": "better good well\n",
    "adv.exc": "best well\n",
}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a small WordNet and return its files; some may be left out or replaced."""

    def write_files(
        changes: Mapping[str, Entry] = {},
        *,
        without: Sequence[str] = (),
        edit: Mapping[str, Callable[[bytes], bytes]] = {},
    ) -> list[Path]:
        entries = {**ENTRIES, **changes}
        offsets = all_offsets(entries)
        texts = dict(SMALL)
        for part in LETTERS:
            texts[f"data.{part}"] = LICENCE + "".join(data_lines(entries, part, offsets).values())
            texts[f"index.{part}"] = LICENCE + index_lines(entries, part, offsets)
        paths = []
        for name, text in texts.items():
            if name not in without:
                path = tmp_path / name
                path.write_bytes(edit.get(name, bytes)(text.encode()))
                paths.append(path)
        return paths

    return write_files


@pytest.fixture
def entry() -> type[Entry]:
    """What a small WordNet is changed with."""
    return Entry
