from __future__ import annotations

import re
from pathlib import Path

import pytest

from lydite.corpora import hyphens
from lydite.corpora.hyphens import join_hyphens


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("understand. Who can under-\nstand it?", "understand. Who can understand\nit?"),
        ("well-known. A well-\nknown man.", "well-known. A well-known\nman."),
        # Neither form elsewhere: the list of frequent words knows it, or the parts are words.
        ("any anything. any-\nthing, some-\nthing.", "any anything. anything,\nsomething.\n"),
        ("The Anglo-\nSaxon race.", "The Anglo-Saxon\nrace."),
        ("Pre-\nand post-war.", "Pre-\nand post-war."),
        ("In 1914-\n18 there was war.", "In 1914-\n18 there was war."),
        ("He paused --\nand went.", "He paused --\nand went."),
        ("a\u00adble, remark\u00ad\nable", "able, remarkable\n"),
        ("One para-\n\ngraph", "One para-\n\ngraph"),
        ("nothing broken", "nothing broken"),
    ],
)
def test_breaks(text: str, joined: str) -> None:
    assert join_hyphens(text).text == joined


def test_lines_that_break_at_the_authors_hyphens_keep_them() -> None:
    text = "A self-evident truth, a sense-datum. A self-\nevident truth of common-\nsense."
    assert "common-sense" in join_hyphens(text).text  # "commonsense" is a frequent word


def test_a_compound_of_german_is_one_word() -> None:
    text = "Die Mauer hat ein Loch. Ein Mauer-\nloch und Liebes-\npein. Haupt-\nund Neben-\nsachen."
    assert {"Mauerloch", "Liebespein", "Nebensachen", "Haupt-"} <= set(
        re.findall(r"[\w-]+", join_hyphens(text, "de").text)
    )


def test_what_was_done_is_counted() -> None:
    text = "understand well-known. under-\nstand well-\nknown Jean-\nPaul"
    found = join_hyphens(text)
    assert (found.joined, found.kept) == (1, 2)
    assert found.note.endswith("1 were joined, 2 keep their hyphen")
    assert not join_hyphens("nothing").note


_VOWELS = set("aeiouyäöüéèêàâîïôû")


def _points(word: str) -> list[int]:
    """Return where a word may be broken: before a consonant that a vowel follows."""
    return [
        i
        for i in range(2, len(word) - 2)
        if word[i] not in _VOWELS and word[i + 1] in _VOWELS and word[i - 1] in _VOWELS
    ]


def _broken(text: str, width: int = 64) -> tuple[str, int]:
    """Wrap paragraphs anew, with words broken at the ends of lines; count the breaks."""
    paragraphs, breaks = [], 0
    for paragraph in re.split(r"\n\s*\n", text):
        lines, line = [], ""
        for word in paragraph.split():
            room = width - len(line) - 1
            cuts = (
                [i for i in _points(word) if word.isalpha() and i < room] if len(word) > 5 else []
            )
            if len(word) <= room:
                line = f"{line} {word}"
            elif cuts:
                lines.append(f"{line} {word[: cuts[-1]]}-")
                line, breaks = word[cuts[-1] :], breaks + 1
            else:
                lines.append(line)
                line = word
        paragraphs.append("\n".join([*lines, line]))
    return "\n\n".join(paragraphs), breaks


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(
    ("name", "language", "share"),
    [
        ("our_knowledge_external_world_37090.txt", "en", 0.995),
        ("swann_fr.txt", "fr", 0.99),
        ("faust_de.txt", "de", 0.995),
    ],
)
def test_a_book_that_was_broken_is_whole_again(
    shared_data: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    language: str,
    share: float,
    listed: bool,
) -> None:
    if not listed:
        monkeypatch.setattr(hyphens, "frequent_words", lambda _: None)
    text = (shared_data / "books" / name).read_text("utf-8-sig")
    broken, breaks = _broken(text[: 1 << 18])
    found = join_hyphens(broken, language)
    assert breaks > 100
    # Of the words that were broken, the share that is one word again.
    assert found.joined >= share * breaks
    assert found.joined + found.kept <= breaks + 40  # the author's own, at the ends of lines
