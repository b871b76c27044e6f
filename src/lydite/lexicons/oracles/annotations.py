"""What a tagged corpus says of words: word, feature and weight, one annotation after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from lydite.corpora.tagged.token import Sentence, Token
from lydite.errors import InputError
from lydite.lexicons.oracles.supersenses import supersense

#: The word as in the text, or its base form.
Form: TypeAlias = Literal["lemma", "surface"]
#: An expression of several words: each of them gets its feature, or it is one word with
#: underscores, or it is left out.
Multiwords: TypeAlias = Literal["split", "join", "skip"]

#: Parts of speech, of the Penn Treebank, whose words are no nouns or verbs.
_FUNCTION_TAGS = frozenset(
    {"CC", "DT", "EX", "IN", "MD", "PDT", "PRP", "PRP$", "TO", "WDT", "WP", "WP$", "WRB"}
)


class Annotation(NamedTuple):
    """That a word has a feature; the weights of one occurrence sum to one."""

    word: str
    feature: str
    weight: float = 1.0


def supersense_annotations(
    sentences: Iterable[Sentence], *, form: Form = "lemma", multiwords: Multiwords = "split"
) -> Iterator[Annotation]:
    """Yield the supersenses of nouns and verbs in a corpus with WordNet senses.

    The supersense is read from the key of the sense. Of a word with two senses each counts half.
    A word of an expression (``new_york``) gets the expression's supersense, unless it occurs in
    the corpus as a function word: ``of`` gets nothing from ``secretary_of_state``. Those come
    last, since that is known only at the end.
    """
    parts: defaultdict[tuple[str, str], float] = defaultdict(float)
    function_words: set[str] = set()
    for token in (token for sentence in sentences for token in sentence):
        if not token.senses and token.tag in _FUNCTION_TAGS:
            function_words.add(token.form.lower())
        for feature in filter(None, (supersense(sense.key) for sense in token.senses)):
            share = 1 / len(token.senses)
            word = _word(token, form)
            if "_" not in word or multiwords == "join":
                yield Annotation(word, feature, share)
            elif multiwords == "split":
                for part in filter(None, word.split("_")):
                    parts[part, feature] += share
    for (part, feature), weight in parts.items():
        if part.lower() not in function_words:
            yield Annotation(part, feature, weight)


def tag_annotations(
    sentences: Iterable[Sentence], *, form: Form = "surface"
) -> Iterator[Annotation]:
    """Yield the tag of every word, in lower case as in the published oracle of tags."""
    for sentence in sentences:
        for token in sentence:
            yield Annotation(_word(token, form), token.tag.lower())


def _word(token: Token, form: Form) -> str:
    if form == "surface":
        return token.form
    if token.lemma is None:
        raise InputError(
            f"expected words with lemmas, got {token.form!r} without one",
            hint="use --form surface",
        )
    return token.lemma
