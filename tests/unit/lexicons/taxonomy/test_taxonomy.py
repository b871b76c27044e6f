from __future__ import annotations

from collections.abc import Sequence

import pytest

from lydite.errors import InputError
from lydite.lexicons.taxonomy import Lists, Taxonomy
from lydite.spaces.vocabulary import Vocabulary

WORDS = ["Fido", "dog", "animal", "tail"]


def _taxonomy(**parents: Sequence[Sequence[int]]) -> Taxonomy:
    each = Lists.of([[i] for i in range(len(WORDS))])
    return Taxonomy(
        name="pets",
        fingerprint="",
        concepts=Vocabulary.of(WORDS),
        words=Vocabulary.of(WORDS),
        senses=each,
        labels=each,
        parents={kind.replace("_", "-"): Lists.of(lists) for kind, lists in parents.items()},
    )


def _plain(lists: Lists) -> list[list[int]]:
    return [lists[index].tolist() for index in range(len(lists))]


def test_it_is_as_long_as_its_concepts() -> None:
    assert len(_taxonomy()) == 4


def test_hypernymy_puts_classes_and_instances_together() -> None:
    taxonomy = _taxonomy(
        is_a=[[], [2], [], []], instance=[[1, 2], [2], [], []], part=[[], [], [], [1]]
    )
    assert _plain(taxonomy.upward("hypernymy")) == [[1, 2], [2], [], []]
    assert _plain(taxonomy.upward("instance")) == [[1, 2], [2], [], []]
    assert _plain(taxonomy.upward("is-a")) == [[], [2], [], []]


def test_meronymy_puts_parts_members_and_substances_together() -> None:
    taxonomy = _taxonomy(
        part=[[], [], [], [1]], member=[[2], [], [], []], substance=[[3], [], [], [2]]
    )
    assert _plain(taxonomy.upward("meronymy")) == [[2, 3], [], [], [1, 2]]


def test_kinds_of_the_source_can_be_asked_for() -> None:
    assert _plain(_taxonomy(chases=[[1], [], [], []]).upward("chases"))[0] == [1]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("meronymy", "did you mean hypernymy? there are hypernymy, is-a, chases"),
        ("chase", "did you mean chases? there are hypernymy, is-a, chases"),
        ("zzz", "there are hypernymy, is-a, chases"),
        ("part", "there are hypernymy, is-a, chases"),
    ],
)
def test_other_relations_are_refused_with_those_there_are(asked: str, hint: str) -> None:
    nothing: list[list[int]] = [[], [], [], []]
    taxonomy = _taxonomy(is_a=[[], [2], [], []], part=nothing, chases=[[1], [], [], []])
    with pytest.raises(InputError) as caught:
        taxonomy.upward(asked)
    assert caught.value.message == f"pets has no edge of the relation {asked!r}"
    assert caught.value.hint == hint
