"""SemCor: words with their WordNet senses, in SGML without quotes (Miller et al. 1993)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from lydite.corpora.tagged.members import Member
from lydite.corpora.tagged.token import Sense, Sentence, Token
from lydite.errors import FormatError

_WORD = re.compile(r"<wf ([^<>]*)>([^<>]*)</wf>")
_ATTRIBUTE = re.compile(r"(\w+)=(\S+)")
_KEY = re.compile(r"[1-5]:\d\d:\d\d:[^:]*:(\d\d)?")

_Annotation: TypeAlias = tuple[str, str | None, tuple[Sense, ...]]


def is_semcor(head: bytes) -> bool:
    """Tell SemCor by its first bytes."""
    return head.lstrip().startswith((b"<contextfile", b"<context ")) or b"<wf cmd=" in head


def semcor_sentences(member: Member) -> Iterator[Sentence]:
    """Yield the sentences of one file; marks of punctuation are left out.

    A token that annotators passed over (``cmd=ignore``, ``tag``) has no senses; one with two,
    which they could not tell apart, has both.
    """
    known: dict[str, _Annotation] = {}
    for part in member.content.decode("latin-1").split("<s "):
        sentence: Sentence = []
        words = _WORD.findall(part)
        if len(words) != part.count("<wf"):
            raise _malformed(member)
        for attributes, form in words:
            annotation = known.get(attributes)
            if annotation is None:
                annotation = known[attributes] = _annotation(attributes, member)
            sentence.append(Token(form, *annotation))
        if sentence:
            yield sentence


def _annotation(text: str, member: Member) -> _Annotation:
    fields = dict(_ATTRIBUTE.findall(text))
    keys = fields["lexsn"].split(";") if "lexsn" in fields else []
    numbers = fields["wnsn"].split(";") if "wnsn" in fields and keys else ["0"] * len(keys)
    good = len(numbers) == len(keys) and all(number.isdecimal() for number in numbers)
    if not good or not all(map(_KEY.fullmatch, keys)):
        raise FormatError(
            "expected lexsn as 2:32:00:: and wnsn as numbers, several joined by semicolons, got "
            f"{fields.get('lexsn')} and {fields.get('wnsn')}",
            path=member.place,
            line=member.content.count(b"\n", 0, member.content.find(text.encode("latin-1"))) + 1,
            hint="leave lexsn out where a word has no sense",
        )
    senses = tuple(Sense(int(n), key) for n, key in zip(numbers, keys, strict=True))
    return fields.get("pos", ""), fields.get("lemma"), senses


def _malformed(member: Member) -> FormatError:
    lines = enumerate(member.content.decode("latin-1").split("\n"), 1)
    number, line = next(
        (number, line) for number, line in lines if line.count("<wf") != len(_WORD.findall(line))
    )
    return FormatError(
        "expected <wf cmd=done pos=VB lemma=say wnsn=1 lexsn=2:32:00::>said</wf>, got "
        f"{line[:60]!r}",
        path=member.place,
        line=number,
        hint="one word an element, on one line",
    )
