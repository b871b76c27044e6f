from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.index import parse_index, split_off_index

ENTRIES = "\n".join(f"{letter}-term, {page}" for page, letter in enumerate("abcdefghijkl", 5))
PROSE = "Some text, as it goes on,\nwithout an end in sight.\n\n"
BODY = "CONTENTS\n\n  CHAPTER I. 1\n  INDEX\n\nCHAPTER I\n\n" + PROSE * 20


def test_an_index_is_divided_from_the_body() -> None:
    assert split_off_index(f"{BODY}INDEX.\r\n\r\n{ENTRIES}\r\n") == (BODY, ENTRIES)


@pytest.mark.parametrize(
    "footer",
    [
        "\n\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\nZ-licence, 12\n",
        "\n\n\n\n\nBy the Same Author\n\nPRAGMATISM. 1907.\nTRUTH. 1909.\n",
        "\n\n  PRINTED BY NEILL AND CO., LTD.\n",
        "\n\n\n\n\n[Illustration]\n\nALLEN LTD\nLondon: 40 Street, 1\nSydney, 55\n",
        "\n\n\n\n\nZeal was all that he ever had. He\nwrote of it in many books.\n",
    ],
)
def test_what_follows_an_index_is_left_out(footer: str) -> None:
    divided = split_off_index(f"{BODY}INDEX\n\n{ENTRIES}{footer}")
    assert divided is not None
    assert [entry.heading for entry in parse_index(divided[1])][-1] == "l-term"


def test_a_second_index_is_part_of_it() -> None:
    text = f"{BODY}INDEX OF NAMES\n\n{ENTRIES}\n\n\n\n\nINDEX OF SUBJECTS\n\n{ENTRIES}\n"
    divided = split_off_index(text)
    assert divided is not None
    assert divided[0] == BODY
    assert len(parse_index(divided[1])) == 24


@pytest.mark.parametrize(
    "text",
    [
        "",
        BODY,
        f"{BODY}{ENTRIES}",
        f"{BODY}INDEX\n\nabsolute, 3\nbelief, 4\n",
        BODY + "INDEX\n\n" + "\n".join(reversed(ENTRIES.split("\n"))),
        BODY + "INDEX\n\n" + "\n".join(f"{letter}-line of verse" for letter in "abcdefghijkl"),
        BODY + "INDEX\n\n" + "\n".join(f"chapter {page}, {page}" for page in range(20)),
    ],
    ids=["empty", "only in contents", "no heading", "too short", "order", "no pages", "one letter"],
)
def test_what_is_no_index_is_not_taken_for_one(text: str) -> None:
    assert split_off_index(text) is None


#: Entries, counted as the lines at the left margin of each index, and the last of them.
BOOKS = {
    "our_knowledge_external_world_37090": (197, "Zeno"),
    "mysticism_and_logic_25447": (89, "Zeno the Eleatic"),
    "problem_of_china_13940": (287, "Yuan Shi-k'ai"),
    "proposed_roads_to_freedom_690": (241, "Yellow races"),
    "enquiry_human_understanding_9662": (135, "Will"),
    "will_to_believe_26659": (274, "Zöllner"),
    "problems_of_philosophy_5827": (0, ""),
    "analysis_of_mind_2529": (0, ""),
    "pragmatism_5116": (0, ""),
}


@pytest.mark.parametrize("name", BOOKS)
def test_real_books(name: str, shared_data: Path) -> None:
    path = shared_data / "books" / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{path} is not at hand")
    divided = split_off_index(path.read_text(encoding="utf-8", errors="replace"))
    found = parse_index(divided[1]) if divided else []
    assert (len(found), found[-1].heading if found else "") == BOOKS[name]
