from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.paraphrases.groups import (
    ParaphraseGroups,
    Row,
    Shared,
    decode_entities,
    make_groups,
)
from lydite.errors import FormatError, InputError

FILE = Path("groups.csv")


def rows(*listed: tuple[str, str]) -> list[Row]:
    return [Row(group, text, FILE, line) for line, (group, text) in enumerate(listed, 2)]


def by_name(groups: ParaphraseGroups) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in groups.names}
    for text, label in zip(groups.texts, groups.labels.tolist(), strict=True):
        found[groups.names[label]].append(text)
    return found


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("fish &amp; chips", "fish & chips"),
        ("&amp;amp;quot;", '"'),
        ("&#233;t&#xE9;", "été"),
        # html.unescape alone would make these "¬it;", "©right" and "a<b".
        ("&notit; &copyright a&ltb", "&notit; &copyright a&ltb"),
        ("AT&T; R&D", "AT&T; R&D"),
    ],
)
def test_only_whole_entities_of_known_names_are_decoded(text: str, cleaned: str) -> None:
    assert decode_entities(text) == cleaned


def test_groups_are_merged_through_others_and_duplicates_dropped() -> None:
    # x and z share "a", z and y share "b &": all three become x; w shares nothing.
    found = make_groups(
        rows(
            ("x", "a"),
            ("y", "b &amp;"),
            ("w", "p"),
            ("z", " a "),
            ("z", "b  &"),
            ("w", "q"),
            ("y", "c"),
            ("w", "q"),
        ),
        minimum=2,
        clean=True,
        shared="merge",
    )
    assert by_name(found) == {"x": ["a", "b &", "c"], "w": ["p", "q"]}
    assert found.labels.tolist() == [0, 0, 1, 1, 0]
    assert found.changes == {"entities mended": 1, "groups merged": 2, "duplicates dropped": 3}


def test_groups_are_dropped_by_the_size_that_cleaning_leaves() -> None:
    listed = [(name, f"{name}{n}") for name in "ab" for n in range(3)]
    twice = [("c", "same"), ("c", "same"), ("c", "other")]
    found = make_groups(rows(*twice, *listed), minimum=3, clean=True)
    assert found.names == ("a", "b")
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert found.changes == {
        "duplicates dropped": 1,
        "groups under three dropped": 1,
        "sentences dropped with them": 2,
    }


def test_the_same_sentence_in_two_groups_is_an_error_without_cleaning() -> None:
    listed = [("a", "x"), ("a", "y"), ("b", "z"), ("b", "x ")]
    with pytest.raises(
        FormatError, match=r"groups.csv:5: .*'x ' in the groups 'a' and 'b'"
    ) as info:
        make_groups(rows(*listed), minimum=2, clean=False)
    assert "first in groups.csv:2" in str(info.value)


def test_the_same_sentence_twice_in_a_group_is_an_error_without_cleaning() -> None:
    with pytest.raises(FormatError, match=r"groups.csv:3: .* twice in group 'a'"):
        make_groups(rows(("a", "x"), ("a", "x"), ("b", "z"), ("b", "y")), minimum=2, clean=False)


def test_a_small_group_is_an_error_without_cleaning() -> None:
    listed = [("a", "x"), ("a", "y"), ("b", "z")]
    with pytest.raises(FormatError, match=r"groups.csv:4: .*at least 2 .* got 1 in group 'b': 'z'"):
        make_groups(rows(*listed), minimum=2, clean=False)


def test_small_groups_that_were_built_are_dropped_without_cleaning() -> None:
    listed = [("a", "x"), ("a", "y"), ("c", "x"), ("b", "z"), ("b", "w")]
    found = make_groups(
        rows(*listed), minimum=2, clean=False, strict_size=False, notes={"before": 4}
    )
    # The group c is gone before anybody asks whether its sentence occurs elsewhere.
    assert by_name(found) == {"a": ["x", "y"], "b": ["z", "w"]}
    assert found.changes == {
        "before": 4,
        "groups under two dropped": 1,
        "sentences dropped with them": 1,
    }


@pytest.mark.parametrize(
    ("listed", "got"),
    [([("a", "x"), ("a", "y")], "got one, 'a'"), ([("a", "x"), ("b", "y")], "got none")],
)
def test_fewer_than_two_groups_are_an_error(listed: list[tuple[str, str]], got: str) -> None:
    with pytest.raises(InputError, match=f"groups.csv: expected at least two groups of 2 .*{got}"):
        make_groups(rows(*listed), minimum=2, clean=True)


def test_an_entity_that_stands_for_nothing_is_no_sentence() -> None:
    with pytest.raises(FormatError, match=r"groups.csv:3: expected a sentence of group 'b'"):
        make_groups(rows(("a", "x"), ("b", "&nbsp;")), minimum=1, clean=True)


def test_a_minimum_of_none_is_refused() -> None:
    with pytest.raises(InputError, match="at least one sentence, got 0"):
        make_groups(rows(("a", "x")), minimum=0, clean=True)


def test_sentences_that_differ_in_case_spacing_or_final_marks_are_one() -> None:
    listed = [("a", "Renew my book"), ("a", "renew  MY book!"), ("a", "Renew my book ?!")]
    listed += [("a", "Renew my book"), ("a", "?"), ("b", "x"), ("b", "...")]
    found = make_groups(rows(*listed), minimum=2, clean=True)
    # Of marks alone everything counts.
    assert by_name(found) == {"a": ["Renew my book", "?"], "b": ["x", "..."]}
    assert found.changes == {
        "duplicates dropped": 1,
        "sentences equal but for case or final marks dropped": 2,
    }


def test_a_question_may_be_another_meaning_than_a_statement() -> None:
    listed = [("said", "It is open."), ("said", "x"), ("asked", "it is open?"), ("asked", "y")]
    found = make_groups(rows(*listed), minimum=2, clean=True)
    assert found.changes == {}
    assert len(found) == 4


SHARED = [("a", "x"), ("a", "y"), ("b", "X."), ("b", "z"), ("b", "w"), ("c", "x"), ("c", "v")]


def test_a_sentence_of_two_groups_is_named_and_asked_about() -> None:
    with pytest.raises(
        FormatError, match=r"groups.csv:4: .* got 'X.' in 'b' and as 'x' in 'a' \(line 2\)\n"
    ) as info:
        make_groups(rows(*SHARED), minimum=1, clean=True)
    assert "shared=drop leaves such sentences out" in str(info.value.hint)
    with pytest.raises(FormatError, match=r"'z' in 'd' and in 'b' \(line 2\), and 1 more like it"):
        make_groups(rows(*SHARED[3:], ("d", "z"), ("d", "v")), minimum=1, clean=True)


@pytest.mark.parametrize(
    ("shared", "left"),
    [
        ("merge", {"a": ["x", "y", "z", "w", "v"], "o": ["p", "q"]}),
        ("drop", {"a": ["y"], "b": ["z", "w"], "c": ["v"], "o": ["p", "q"]}),
        ("first", {"a": ["x", "y"], "b": ["z", "w"], "c": ["v"], "o": ["p", "q"]}),
    ],
)
def test_a_sentence_of_three_groups_is_treated_as_it_is_said(
    shared: Shared, left: dict[str, list[str]]
) -> None:
    found = make_groups(rows(*SHARED, ("o", "p"), ("o", "q")), minimum=1, clean=True, shared=shared)
    assert by_name(found) == left
    if shared != "merge":
        kept = "dropped" if shared == "drop" else "kept in the first"
        assert found.changes == {f"sentences of two groups {kept}": 1}


def test_an_unknown_way_with_shared_sentences_is_refused() -> None:
    with pytest.raises(InputError, match="expected shared to be one of ask, merge, drop, first"):
        make_groups(rows(*SHARED), minimum=1, clean=True, shared="both")  # type: ignore[arg-type]
