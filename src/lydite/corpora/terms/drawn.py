"""Terms drawn at random: words of a text, or titles of one word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from lydite.corpora.preparation import Preparation
from lydite.corpora.terms.term import Term, Terms, gather_terms
from lydite.errors import InputError


def random_terms(
    sentences: Iterable[Sequence[str]], *, most: int = 100, least: int = 10, seed: int = 0
) -> Terms:
    """Draw words of a text at random.

    Parameters
    ----------
    sentences
        The tokens of each sentence.
    most
        How many words to draw; fewer if there are fewer.
    least
        Words that occur less often are not drawn. Neither are numbers and signs.
    seed
        Of the draw.

    Examples
    --------
    >>> [term.text for term in random_terms([("the", "the", "cat", "3", "3")], least=2).terms]
    ['the']
    """
    counts = Counter(token for tokens in sentences for token in tokens)
    words = sorted(word for word, count in counts.items() if count >= least and _is_word(word))
    if not words:
        raise InputError(
            f"no word occurs {least} times or more", hint="use more text, or give a list of terms"
        )
    chosen = _drawn(words, most, seed)
    return Terms(
        source="random words",
        terms=tuple(Term(text=word, tokens=(word,)) for word in chosen),
        notes=(f"of {len(words)} words that occur {least} times or more",),
    )


def title_terms(
    titles: Iterable[str],
    sentences: Iterable[Sequence[str]],
    *,
    most: int = 300,
    least: int = 10,
    seed: int = 0,
    preparation: Preparation | None = None,
) -> Terms:
    """Draw titles of one word at random.

    Parameters
    ----------
    titles
        Such as :func:`article_titles` finds.
    sentences
        The tokens of each sentence of the corpus.
    most
        How many to draw; fewer if there are fewer.
    least
        Titles that occur less often are not drawn.
    seed
        Of the draw.
    preparation
        How the corpus is cut into tokens.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4: 300 titles of Wikipedia.
    """
    cut = (preparation or Preparation()).tokens
    single = {cut(title)[0]: title for title in titles if _is_word(title) and len(cut(title)) == 1}
    if not single:
        raise InputError(
            "no title is a single word", hint="an article has to start with its title on a line"
        )
    counts = Counter(token for tokens in sentences for token in tokens if token in single)
    frequent = sorted(single[token] for token, count in counts.items() if count >= least)
    if not frequent:
        raise InputError(
            f"none of {len(single)} titles of one word occurs {least} times or more",
            hint="titles are those of articles, such as Wikipedia's; give a list of terms",
        )
    terms = gather_terms(
        _drawn(frequent, most, seed), source="titles of one word", preparation=preparation
    )
    note = f"of {len(frequent)} titles of one word that occur {least} times or more"
    return Terms(source=terms.source, terms=terms.terms, notes=(note,))


def article_titles(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first line of each article, where a blank line stands between articles.

    >>> list(article_titles(["Emu", "The emu is a bird.", "", "Nile perch", "A fish."]))
    ['Emu', 'Nile perch']
    """
    before = ""
    for line in lines:
        if line.strip() and not before.strip():
            yield line.strip()
        before = line


def _drawn(words: Sequence[str], most: int, seed: int) -> list[str]:
    if most < 1:
        raise InputError(f"expected to draw 1 term or more, got {most}")
    places = np.random.default_rng(seed).permutation(len(words))[:most]
    return [words[place] for place in places.tolist()]


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.replace("-", "").isalpha()
