from __future__ import annotations

import pytest

from lydite.corpora.index import IndexEntry, is_index_heading, parse_index


def _outline(text: str) -> list[tuple[str, list[str]]]:
    return [(entry.heading, [each.heading for each in entry.below]) for entry in parse_index(text)]


@pytest.mark.parametrize(
    ("printed", "pages"),
    [
        ("Time, 17-19, 36n, xi.", ("17-19", "36n", "xi")),
        ("Time, 36 n., 124 ff., 135 _n_", ("36 n.", "124 ff.", "135 n")),
        ("Time 138", ("138",)),
        ("Time, passim--", ("passim",)),
        ("Time, pp. 3–5, 8 et seq.", ("pp. 3–5", "8 et seq.")),
        ("“Time,” 73, 92.", ("73", "92")),
        ("Time? 149, 159.", ("149", "159")),
    ],
)
def test_pages_are_cut_off_in_every_form(printed: str, pages: tuple[str, ...]) -> None:
    assert parse_index(printed) == [IndexEntry(heading="Time", pages=pages)]


def test_a_year_belongs_to_the_heading() -> None:
    (entry,) = parse_index("Revolution of 1848, 3, 6")
    assert (entry.heading, entry.pages) == ("Revolution of 1848", ("3", "6"))


def test_lines_below_an_entry_are_its_sub_entries() -> None:
    text = "  Belief, 58.\n    primitive, 69 ff.\n    in logic, 219.\n\n  Change,\n    demands, 1."
    assert _outline(text) == [("Belief", ["primitive", "in logic"]), ("Change", ["demands"])]


def test_a_dash_announces_sub_entries() -> None:
    assert _outline("Birth-rate--\n  in China, 73\n  in Japan, 116") == [
        ("Birth-rate", ["in China", "in Japan"])
    ]


def test_semicolons_divide_sub_entries_across_wrapped_lines() -> None:
    text = "Faith, that truth exists, 9; in our\n  fellows, 24-5; religious,\n  56."
    assert _outline(text) == [("Faith, that truth exists", ["in our fellows", "religious"])]


def test_wrapped_headings_and_pages_are_joined() -> None:
    text = "American Federation of\n Labor, 76\nClass war, 9 ff., 27,\n 66, 116\nManifesto, 5,\n114"
    assert [(entry.heading, entry.pages) for entry in parse_index(text)] == [
        ("American Federation of Labor", ("76",)),
        ("Class war", ("9 ff.", "27", "66", "116")),
        ("Manifesto", ("5", "114")),
    ]


def test_a_hyphen_at_the_end_of_a_line_stays() -> None:
    assert _outline("Thing-in-\n  itself, 4\nUnity, 9") == [("Thing-in-itself", []), ("Unity", [])]


def test_headings_on_lines_of_their_own_are_complete() -> None:
    text = "Academic\n  philosophy, 34.\n\nAddition\n  4.\n\nAnalogy\n  a species of,\n      82;"
    assert _outline(text) == [
        ("Academic", ["philosophy"]),
        ("Addition", []),
        ("Analogy", ["a species of"]),
    ]
    assert parse_index(text)[1].pages == ("4",)


@pytest.mark.parametrize(
    ("printed", "targets"),
    [
        ("Freedom, see Liberty", ("Liberty",)),
        ("Shih Huang,  _See_ Emperor, “First”", ("Emperor, First",)),
        ("Theism, 127; see 'God.'", ("God",)),
        ("Ishii, 135. _See_ also Lansing-Ishii\n  Agreement.", ("Lansing-Ishii Agreement",)),
        ("Evidence, 2\n  see also testimony; witness", ("testimony", "witness")),
    ],
)
def test_references_are_kept_apart(printed: str, targets: tuple[str, ...]) -> None:
    (entry,) = parse_index(printed)
    assert entry.see == targets
    assert entry.below == ()


def test_to_see_within_a_heading_is_no_reference() -> None:
    (entry,) = parse_index("Cause, impossible to see the effect in, 25")
    assert (entry.heading, entry.see) == ("Cause, impossible to see the effect in", ())


def test_letters_page_marks_italics_and_remarks_are_passed_over() -> None:
    text = "{329}\n\nA.\n\n_A priori_, 25 (cf. 87-8)\n\n— B —\n\n[Pg 330]\nWorkers (I.W.W.), 9\n"
    assert _outline(text) == [("A priori", []), ("Workers", [])]


def test_damaged_pages_do_not_swallow_the_next_line() -> None:
    text = "Evils--\n of character, 188, ~2-07\n of power, 188 ff."
    assert _outline(text) == [("Evils", ["of character", "of power"])]


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("INDEX", True),
        ("  _Index._", True),
        ("GENERAL INDEX", True),
        ("Index of Proper Names", True),
        ("INDEX . . . . 329", False),
        ("The index shows it", False),
        ("", False),
    ],
)
def test_headings_of_an_index(line: str, is_heading: bool) -> None:
    assert is_index_heading(line) == is_heading
