"""Terms by the name of their source: an index, keywords, random words, titles, or a list."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from lydite.corpora.documents import Corpus
from lydite.corpora.index import index_terms
from lydite.corpora.languages import function_words
from lydite.corpora.preparation import Preparation
from lydite.corpora.terms import Term, Terms, gather_terms
from lydite.errors import FormatError, InputError
from lydite.files.lines import text_lines
from lydite.registry import unknown_name
from lydite.types import Floats


def read_terms(path: Path, *, preparation: Preparation | None = None) -> Terms:
    """Read a list of terms, one per line; a line that starts with ``#`` is a comment.

    The text is in UTF-8, compressed or not. What follows a tab is skipped.
    """
    lines = (line.split("\t")[0].strip() for _, line in text_lines(path))
    terms = gather_terms(
        (line for line in lines if line and not line.startswith("#")),
        source=str(path),
        preparation=preparation,
    )
    if not terms.terms:
        raise FormatError("expected terms, got none", path=path, hint="write one term per line")
    return terms


def random_terms(
    sentences: Iterable[Sequence[str]], *, most: int = 100, least: int = 10, seed: int = 0
) -> Terms:
    """Draw words of a text at random.

    Parameters
    ----------
    most
        How many words to draw; fewer if there are fewer.
    least
        Words that occur less often are not drawn. Neither are numbers and signs.

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
    most
        How many to draw; fewer if there are fewer.
    least
        Titles that occur less often are not drawn.

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


class Background(Protocol):
    """How often words occur in the language at large."""

    @property
    def name(self) -> str: ...  # noqa: D102 - where the counts come from

    def counts(self, words: Sequence[str]) -> Floats:
        """Return how often each word occurs, (n,); 0 where it is unknown."""
        ...


@dataclass(frozen=True, kw_only=True)
class Keyness:
    """How the counts of a word in two texts are compared.

    Parameters
    ----------
    background_size
        Words of the corpus that the background's counts are of.
    prior
        Words that the prior is worth: how much evidence it takes to move from the frequency of
        both texts together.
    unknown_share
        The share of a word that the background does not know. Without any, no count in the text
        would be evidence enough.
    function_share
        Words with a larger share of the background are function words, beside those that are
        listed as such: neither keywords nor parts of one.
    """

    background_size: float = 1e9
    prior: float = 1000.0
    unknown_share: float = 1e-8
    function_share: float = 5e-4


def log_odds(
    counts: Floats, size: float, other: Floats, other_size: float, *, prior: float = 1000.0
) -> Floats:
    r"""Compare how often words occur in two texts.

    The log-odds ratio with an informative Dirichlet prior, in standard deviations:

    .. math::

        \hat\delta_w = \log\frac{y_w + \alpha_w}{n + \alpha_0 - y_w - \alpha_w}
                      - \log\frac{y'_w + \alpha_w}{n' + \alpha_0 - y'_w - \alpha_w},
        \qquad z_w = \hat\delta_w \Big/
            \sqrt{\frac{1}{y_w + \alpha_w} + \frac{1}{y'_w + \alpha_w}}

    where the prior :math:`\alpha_w` is ``prior`` times the share of the word in both texts.

    Parameters
    ----------
    counts, other
        Shape (n,): how often each word occurs in the text, and in the other.

    Returns
    -------
    Shape (n,): large where the first text has more of the word; 0 where neither has it.

    References
    ----------
    Monroe, Colaresi and Quinn, "Fightin' Words", Political Analysis 16(4), 2008.

    Examples
    --------
    >>> log_odds(np.array([10.0, 10.0]), 100, np.array([10.0, 1.0]), 100).round(2).tolist()
    [0.0, 0.86]
    """
    alpha = prior * (counts + other) / (size + other_size)
    first, second = counts + alpha, other + alpha
    used = alpha > 0
    first, second = np.where(used, first, 1.0), np.where(used, second, 1.0)
    delta = np.log(first / (size + prior - first)) - np.log(second / (other_size + prior - second))
    return np.asarray(np.where(used, delta / np.sqrt(1 / first + 1 / second), 0.0))


def keyword_terms(
    sentences: Iterable[Sequence[str]],
    background: Background,
    *,
    most: int = 100,
    least: int = 10,
    keyness: Keyness | None = None,
    function: Collection[str] = (),
) -> Terms:
    """Take the words and pairs of words for terms that most set a text apart.

    Words are compared with the background by :func:`log_odds`. A background of single words does
    not know how often two stand together; at most as often as the rarer of the two, and that is
    taken.

    Parameters
    ----------
    background
        How often words occur in the language at large.
    least
        What occurs less often in the text is no keyword.
    function
        Function words of the language: neither keywords nor parts of one.
    """
    how = keyness or Keyness()
    _check(most, least, how)
    counts, size = _counted(sentences)
    singles = [each for each in counts if len(each) == 1]
    known = dict(zip(singles, background.counts([word for (word,) in singles]), strict=True))
    limit = how.function_share * how.background_size
    candidates = [
        each
        for each, count in counts.items()
        if count >= least
        and all(
            word.replace("-", "").isalpha() and known[(word,)] <= limit and word not in function
            for word in each
        )
    ]
    here = np.array([counts[each] for each in candidates], dtype=np.float64)
    rarest = np.array([min(known[(word,)] for word in each) for each in candidates])
    there = np.maximum(rarest, how.unknown_share * how.background_size)
    scores = log_odds(here, size, there, how.background_size, prior=how.prior)
    order = np.argsort(-scores, kind="stable")[:most].tolist()
    chosen = [candidates[place] for place in order if scores[place] > 0]
    if not chosen:
        raise InputError(
            f"no word that occurs {least} times or more is more frequent than in {background.name}",
            hint="ask for fewer uses, or give a list of terms",
        )
    return Terms(
        source=f"keywords against {background.name}",
        terms=tuple(Term(text=" ".join(each), tokens=each) for each in chosen),
        notes=(f"of {len(candidates)} words and pairs of words",),
    )


def _check(most: int, least: int, how: Keyness) -> None:
    numbers = {"terms": most, "uses": least, "words": how.background_size, "prior": how.prior}
    wrong = [f"{number:g} {what}" for what, number in numbers.items() if number <= 0]
    if wrong:
        raise InputError(f"expected more than 0 of everything, got {', '.join(wrong)}")


def _counted(sentences: Iterable[Sequence[str]]) -> tuple[Counter[tuple[str, ...]], int]:
    """Count words and pairs of neighbours."""
    counts: Counter[tuple[str, ...]] = Counter()
    size = 0
    for tokens in sentences:
        counts.update((token,) for token in tokens)
        counts.update(itertools.pairwise(tokens))
        size += len(tokens)
    return counts, size


#: Where terms can come from besides a file.
SOURCES = ("index", "keywords", "random", "titles")


@dataclass(frozen=True, kw_only=True)
class TermChoice:
    """What to take from a source: at most so many words, each used at least so often.

    ``names`` is whether to keep proper names of an index.
    """

    most: int = 100
    least: int = 10
    names: bool = True
    seed: int = 0


def find_terms(
    source: str,
    corpus: Corpus,
    *,
    choice: TermChoice | None = None,
    background: Background | None = None,
) -> Terms:
    """Find the terms of a corpus.

    Parameters
    ----------
    source
        ``index`` for the indexes of the books, ``keywords``, ``random`` or ``titles``; or the path
        of a list.
    background
        How often words occur in the language at large; keywords need it.
    """
    how = choice or TermChoice()
    if source == "index":
        return _of_indexes(corpus, how)
    if source == "keywords":
        if background is None:
            raise InputError("keywords need the frequencies of words in the language at large")
        return keyword_terms(
            corpus.sentences(),
            background,
            most=how.most,
            least=how.least,
            function=function_words(corpus.preparation.language),
        )
    if source == "random":
        return random_terms(corpus.sentences(), most=how.most, least=how.least, seed=how.seed)
    if source == "titles":
        lines = (line for path in corpus.files for _, line in text_lines(path, corpus.encoding))
        return title_terms(
            article_titles(lines),
            corpus.sentences(),
            most=how.most,
            least=how.least,
            seed=how.seed,
            preparation=corpus.preparation,
        )
    if Path(source).is_file():
        return read_terms(Path(source), preparation=corpus.preparation)
    raise unknown_name(
        "source of terms", source, SOURCES, hint=f"there are {', '.join(SOURCES)}, or give a file"
    )


def _of_indexes(corpus: Corpus, how: TermChoice) -> Terms:
    """Gather the indexes of all books that have one."""
    gathered: list[Terms] = []
    refused: list[InputError] = []
    for book in corpus.books():
        try:
            gathered.append(
                index_terms(
                    book.text, name=book.name, preparation=corpus.preparation, names=how.names
                )
            )
        except InputError as error:
            refused.append(error)
    if not gathered:
        raise refused[0]
    if len(gathered) == 1 and not refused:
        return gathered[0]
    terms: dict[tuple[str, ...], Term] = {}
    problems: dict[str, int] = {}
    for each in gathered:
        terms = {**{term.tokens: term for term in each.terms}, **terms}
        for reason, count in each.problems.items():
            problems[reason] = problems.get(reason, 0) + count
    notes = [f"{each.source}: {note}" for each in gathered for note in each.notes]
    notes += [error.message for error in refused]
    return Terms(
        source=gathered[0].source if len(gathered) == 1 else f"indexes of {len(gathered)} books",
        terms=tuple(terms.values()),
        problems=problems,
        notes=tuple(notes),
    )
