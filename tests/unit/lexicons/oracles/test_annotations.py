from __future__ import annotations

import pytest

from lydite.corpora.annotated import Sense, Token
from lydite.errors import InputError
from lydite.lexicons.oracle_sources import (
    Annotation,
    Form,
    Multiwords,
    supersense_annotations,
    tag_annotations,
)

FOOD, PLACE, PERSON = Sense(1, "1:13:00::"), Sense(1, "1:15:00::"), Sense(1, "1:18:00::")
SENTENCES = [
    [
        Token("Of", "IN"),
        Token("Dogs", "NNS", "dog", (PERSON,)),
        Token("New_York", "NNP", "new_york", (PLACE,)),
    ],
    [
        Token("secretary_of_state", "NN", "secretary_of_state", (PERSON,)),
        Token("fish", "NN", "fish", (FOOD, PLACE)),
        Token("quickly", "RB", "quickly", (Sense(1, "4:02:00::"),)),
    ],
]


@pytest.mark.parametrize(
    ("form", "multiwords", "expected"),
    [
        ("lemma", "skip", {"dog", "fish"}),
        ("surface", "skip", {"Dogs", "fish"}),
        ("lemma", "join", {"dog", "fish", "new_york", "secretary_of_state"}),
        # "of" is a function word here, so that it gets nothing from its expression.
        ("lemma", "split", {"dog", "fish", "new", "york", "secretary", "state"}),
    ],
)
def test_which_words_get_supersenses(
    form: Form, multiwords: Multiwords, expected: set[str]
) -> None:
    found = list(supersense_annotations(SENTENCES, form=form, multiwords=multiwords))
    assert {annotation.word for annotation in found} == expected


def test_two_senses_count_half_each() -> None:
    found = [each for each in supersense_annotations(SENTENCES) if each.word == "fish"]
    assert found == [
        Annotation("fish", "noun.food", 0.5),
        Annotation("fish", "noun.location", 0.5),
    ]


def test_tags_are_in_lower_case() -> None:
    assert list(tag_annotations([[Token("Dogs", "NNS", "dog")]])) == [Annotation("Dogs", "nns")]
    (found,) = tag_annotations([[Token("Dogs", "NNS", "dog")]], form="lemma")
    assert found.word == "dog"


def test_a_corpus_without_lemmas_has_no_lemmas_to_count() -> None:
    with pytest.raises(InputError, match="expected words with lemmas, got 'Dogs'") as caught:
        list(tag_annotations([[Token("Dogs", "NNS")]], form="lemma"))
    assert caught.value.hint == "use --form surface"
