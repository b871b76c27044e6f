from __future__ import annotations

import pytest

from lydite.corpora.books import is_gutenberg, strip_gutenberg

BODY = "THE TITLE\n\n\nThe author's own words,\non two lines.\n\nAnd more."


@pytest.mark.parametrize(
    "start",
    [
        "*** START OF THE PROJECT GUTENBERG EBOOK THE TITLE ***",
        "*** START OF THIS PROJECT GUTENBERG EBOOK THE TITLE ***",
        "***START OF THE PROJECT GUTENBERG EBOOK THE TITLE***",
        "*** START OF THIS PROJECT GUTENBERG EBOOK A LONG TITLE\nOVER TWO LINES ***",
        "*** START OF THE PROJECT GUTENBERG ETEXT THE TITLE ***",
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
        "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.03.08.92*END*",
        "*** START OF THE PROJECT GUTENBERG EBOOK 5116 ***",
    ],
)
@pytest.mark.parametrize(
    "end",
    [
        "*** END OF THE PROJECT GUTENBERG EBOOK THE TITLE ***",
        "*** END OF THIS PROJECT GUTENBERG EBOOK THE TITLE ***",
        "End of the Project Gutenberg EBook of The Title, by An Author",
        "End of Project Gutenberg's The Title, by An Author",
        "End of The Project Gutenberg Etext of The Title",
        "This is the end of Project Gutenberg's Etext of The Title.",
        "***END OF THE PROJECT GUTENBERG EBOOK THE TITLE***",
    ],
)
def test_header_and_footer_go_in_all_their_spellings(start: str, end: str) -> None:
    licence = "\n\nSection 1. General Terms of Use\n\nYou may copy it."
    padded = BODY + "\n\nWords." * 40
    text = f"The Project Gutenberg file of The Title\n\n{start}\n\n\n{padded}\n\n\n{end}{licence}"
    assert is_gutenberg(text)
    assert strip_gutenberg(text).strip() == padded


def test_a_text_with_a_footer_alone_is_one() -> None:
    text = f"{BODY}\n\n\nEnd of the Project Gutenberg EBook of The Title\n"
    assert strip_gutenberg(text).strip() == BODY


def test_any_other_text_comes_back_as_it_is() -> None:
    text = "A _text_ with [1] marks, which the end of Project Gutenberg is not.\n"
    assert not is_gutenberg(text)
    assert strip_gutenberg(text) == text


def wrapped(body: str) -> str:
    return strip_gutenberg(
        f"*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n{body}\n\nEnd of Project Gutenberg's X"
    ).strip()


def test_credits_and_notes_of_those_who_made_the_file_go() -> None:
    body = f"""Produced by A. Reader and the
Online Distributed Proofreading Team

[ Transcriber's Notes:

  Spelling is kept.
  ]


{BODY}


+--------------------------+
| Transcriber's Note:      |
| One error was corrected. |
+--------------------------+"""
    assert wrapped(body) == BODY


def test_notes_to_the_end_of_the_file_go() -> None:
    many = "\n\n".join(["Words."] * 60)
    assert wrapped(f"{many}\n\nTranscriber's notes:\n\nPages are\n\nnumbered so.") == many


def test_notes_at_the_front_go_up_to_a_wide_gap() -> None:
    many = "\n\n".join(["Words."] * 60)
    assert wrapped(f"Transcriber's Note\n\nOne note.\n\nAnother.\n\n\n{many}") == many


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("It is _so_, _and\nso_, not snake_case_x.", "It is so, and\nso, not snake_case_x."),
        ("A claim.[12] Another{99} one[Pg 100].", "A claim. Another one."),
        ("[Illustration: A man, seated]\n\nText.", "Text."),
        ("At [Math: t_{1}] it is.", "At t_{1} it is."),
        (
            "Before [Footnote: A note, see [Greek: nous].] after.",
            "Before after.\n\nA note, see [Greek: nous].",
        ),
        ("Before.\n\n       *       *       *\n\nAfter.", "Before.\n\n\n\nAfter."),
    ],
)
def test_the_marks_of_the_transcription_go(marked: str, plain: str) -> None:
    assert wrapped(marked) == plain
