"""Words with a slash and their tag: ``The/at jury/nn said/vbd``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lydite.corpora.tagged.members import Member
from lydite.corpora.tagged.token import Sentence, Token
from lydite.errors import FormatError

_MOST_UNTAGGED = 0.1

#: What the Brown corpus adds to a tag for words in titles, headlines and quotations.
_SUFFIXES = re.compile(r"(?:-(?:tl|hl|nc))+\Z", re.IGNORECASE)


def is_slashed(head: bytes) -> bool:
    """Tell words with slashes by their first bytes, of which a cut word may be the last."""
    words = [word for line in _lines(head.decode("latin-1")) for word in line.split()][:-1]
    good = sum(_is_tagged(word) for word in words)
    return bool(words) and len(words) - good <= _MOST_UNTAGGED * len(words)


def slashed_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield sentences: of the Brown corpus lines, of Treebank chunks what blank lines divide.

    A tag is what follows the last slash; of ``JJ|NN``, between which an annotator could not
    choose, it is the first.
    """
    chunked = any(line.startswith("[ ") for line in text.splitlines())
    sentence: Sentence = []
    for number, line in enumerate(text.splitlines(), 1):
        words = [word for word in line.split() if word not in {"[", "]"} and set(word) != {"="}]
        sentence += [_token(word, member, number) for word in words]
        if sentence and not (chunked and words):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield line.replace("[ ", " ").replace(" ]", " ").replace("=", "")


def _is_tagged(word: str) -> bool:
    form, _, tag = word.rpartition("/")
    return bool(form and tag)


def _token(word: str, member: Member, number: int) -> Token:
    if not _is_tagged(word):
        raise FormatError(
            f"expected word/TAG, got {word!r}",
            path=member.place,
            line=number,
            hint="every word needs a tag after a slash",
        )
    form, _, tag = word.rpartition("/")
    return Token(form, _SUFFIXES.sub("", tag.partition("|")[0]))
