"""Binary trees from a dependency parse, by spaCy's small English model (extra ``parse``).

A head is joined with its dependents one after the other: first those on its right, from the nearest
to the farthest, then those on its left. So a verb meets its objects before its subject, and a noun
its attributes after what modifies it from behind: (the (cat (with hats))). The words of a parse
without crossing arcs stay in their order; where arcs cross, those below one head stand together.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.corpora.spacy_parser import parse
from lydite.corpora.trees.forest import Forest, ForestBuilder
from lydite.errors import InputError
from lydite.types import current_progress


def parsed(texts: Sequence[str]) -> Forest:
    """Parse texts into binary trees; a text without words gets none.

    A text in which the parser finds several sentences is one tree: the first two are joined, then
    their tree with the third, and so on.

    Parameters
    ----------
    texts
        English, cut into words by spaCy's rules; runs of white space count as one blank.

    Raises
    ------
    MissingExtraError
        If spaCy or its model is not installed.
    """
    built = ForestBuilder()
    progress = current_progress()
    for done, document in enumerate(parse(texts, lemmas=False), 1):
        add_parse(built, [t.text for t in document], [t.head.i for t in document])
        progress("parsing", done, len(texts))
    return built.forest()


def add_parse(built: ForestBuilder, words: Sequence[str], heads: Sequence[int]) -> None:
    """Add the tree of a parse.

    Parameters
    ----------
    built
        Where to.
    words
        n words.
    heads
        The place of each word's head; a root is its own.

    Examples
    --------
    >>> built = ForestBuilder()
    >>> add_parse(built, ["the", "cat", "saw", "me"], [1, 2, 2, 2])
    >>> built.forest().tokens.tolist()  # ((the cat) (saw me))
    [0, 1, -1, 2, 3, -1, -1]
    """
    before: list[list[int]] = [[] for _ in words]
    after: list[list[int]] = [[] for _ in words]
    for place, head in enumerate(heads):
        if place != head:
            (before if place < head else after)[head].append(place)
    roots = [place for place, head in enumerate(heads) if place == head]
    added = 0
    for number, root in enumerate(roots):
        added += _add_below(built, words, before, after, root)
        built.join(min(number, 1))
    if added != len(words):
        raise InputError(f"expected heads that lead to a root, got a circle in {list(heads)}")
    built.end()


def _add_below(
    built: ForestBuilder,
    words: Sequence[str],
    before: list[list[int]],
    after: list[list[int]],
    root: int,
) -> int:
    """Add the tree below a word; return how many words it has.

    In postfix order: the trees on the left, the word, each tree on the right with a join, then a
    join for each tree on the left.
    """
    added = 0
    # A number from 0 is a word whose tree is to be added, -1 - n means the word n, and None a join.
    rest: list[int | None] = [root]
    while rest:
        step = rest.pop()
        if step is None:
            built.join()
        elif step < 0:
            built.word(words[-1 - step])
            added += 1
        else:
            rest += [None] * len(before[step])
            for place in reversed(after[step]):
                rest += [None, place]
            rest += [-1 - step, *reversed(before[step])]
    return added
