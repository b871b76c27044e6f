"""Terms from the index at the back of a book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lydite.corpora.paragraphs import blocks
from lydite.corpora.preparation import Preparation
from lydite.corpora.terms.index import LEAST_ENTRIES, split_off_index
from lydite.corpora.terms.index_entries import IndexEntry, parse_index
from lydite.corpora.terms.term import Terms, gather_terms
from lydite.corpora.tokens import words
from lydite.errors import InputError

_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_INITIALS = re.compile(r"\w(?:[.\s]+\w)*\.?")
#: After one of these a capital letter says nothing.
_OPENING = frozenset(".!?:;\"“”‘’'()[]—-*_")
#: A word is a name if at least this share of its uses within sentences has a capital letter.
_NAME_SHARE = 0.9


def index_terms(
    text: str,
    *,
    name: str = "the text",
    preparation: Preparation | None = None,
    names: bool = True,
) -> Terms:
    """Take the terms of a book from its own index.

    An inverted entry (``Realism, naive``) is turned round where ``naive realism`` occurs in the
    book, and stays as printed where that occurs more often; where neither does, what stands before
    the comma is the term. A sub-entry is a term where it makes a phrase that occurs together with
    its entry (``Relations``, ``asymmetrical``); others are remarks. All others are kept, whether
    they occur or not.

    Parameters
    ----------
    text
        The whole book.
    name
        What to call it in messages.
    preparation
        How the corpus is cut into tokens.
    names
        Whether to keep proper names: words which the book writes with a capital letter.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4.
    """
    divided = split_off_index(text)
    if divided is None:
        raise InputError(
            f"{name}: no index was found: no line that says only INDEX is followed by"
            f" {LEAST_ENTRIES} or more entries in alphabetical order with page numbers",
            hint="give a list of terms, or take keywords or random words",
        )
    entries = parse_index(divided[1])
    body = _Body.of(divided[0], preparation or Preparation())
    found = [each for entry in entries for each in _of_entry(entry, body)]
    kept = found if names else [each for each in found if not body.is_name(each)]
    terms = gather_terms(map(body.cased, kept), source=f"index of {name}", preparation=preparation)
    problems = {key: count for key, count in terms.problems.items() if key != "given twice"}
    if len(kept) < len(found):
        problems["proper names"] = len(found) - len(kept)
    return Terms(
        source=terms.source,
        terms=terms.terms,
        problems=problems,
        notes=(f"{len(entries)} entries, {sum(len(each.below) for each in entries)} sub-entries",),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Body:
    """The text of a book, to be asked how often phrases occur in it."""

    preparation: Preparation
    joined: str
    capital: Counter[str]
    small: Counter[str]

    @classmethod
    def of(cls, text: str, preparation: Preparation) -> _Body:
        paragraphs = [" ".join(block.split()) for block in blocks(text)]
        joined = "\n".join(f" {' '.join(preparation.tokens(each))} " for each in paragraphs)
        capital: Counter[str] = Counter()
        small: Counter[str] = Counter()
        opening: Counter[str] = Counter()
        for paragraph in paragraphs:
            before = "."
            for token in words(paragraph):
                if token.islower():
                    small[token] += 1
                elif token[0].isupper():
                    (opening if before in _OPENING else capital)[token.casefold()] += 1
                before = token
        # A word that opens sentences and is never written small is a name as well.
        capital.update({word: count for word, count in opening.items() if not small[word]})
        return cls(preparation=preparation, joined=joined, capital=capital, small=small)

    def count(self, phrase: str) -> int:
        """Count the uses of a phrase, longer ones that hold it included."""
        tokens = self.preparation.tokens(self.cased(phrase))
        return self.joined.count(f" {' '.join(tokens)} ") if tokens else 0

    def is_name(self, phrase: str) -> bool:
        # An index that writes common nouns small says itself what is a name.
        return phrase[:1].isupper() and all(map(self._is_name, words(phrase)))

    def _is_name(self, word: str) -> bool:
        capital, small = self.capital[word.casefold()], self.small[word.casefold()]
        return capital > 0 and capital >= _NAME_SHARE * (capital + small)

    def cased(self, phrase: str) -> str:
        """Write names with a capital letter and all other words small."""
        return re.sub(r"\w[\w'’-]*", lambda found: self._cased(found[0]), phrase)

    def _cased(self, word: str) -> str:
        if not self._is_name(word):
            return word.lower()
        # Some indexes print the first entry of each letter in capitals.
        return word.capitalize() if word.isupper() and len(word) > 3 else word


def _of_entry(entry: IndexEntry, body: _Body) -> Iterator[str]:
    head, _, rest = entry.heading.split(" = ")[0].partition(",")
    head = head.removeprefix("The ").strip()
    if not head:
        return
    yield (_most_frequent(_inverted(head, rest), body) if rest.strip() else "") or head
    first = head.split()[0]
    for below in entry.below:
        tail = _ARTICLE.sub("", below.heading)
        forms = [f"{head} {tail}", f"{tail} {head}", f"{first} {tail}", f"{tail} {first}"]
        term = _most_frequent(forms, body) if tail else ""
        if term:
            yield term


def _inverted(head: str, rest: str) -> list[str]:
    """Return the orders in which the parts of an entry may stand in the text."""
    parts = [_ARTICLE.sub("", part.strip()) for part in rest.split(",") if part.strip()]
    parts = [part for part in parts if part.lower() != "the" and not _INITIALS.fullmatch(part)]
    if not parts:
        return []
    turned = [f"{parts[0]} {head}", f"{parts[0]} the {head}"]
    longer = [" ".join([each, *parts[1:]]) for each in turned] if parts[1:] else []
    return [*longer, *turned, " ".join([head, *parts])]


def _most_frequent(phrases: Sequence[str], body: _Body) -> str:
    """Return the phrase that occurs most often, the first of equals, or none if none does."""
    counts = [body.count(phrase) for phrase in phrases]
    best = max(counts, default=0)
    return phrases[counts.index(best)] if best else ""
