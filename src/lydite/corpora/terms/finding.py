"""Terms by the name of their source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydite.corpora.documents import Corpus
from lydite.corpora.reading import text_lines
from lydite.corpora.terms.drawn import article_titles, random_terms, title_terms
from lydite.corpora.terms.indexed import index_terms
from lydite.corpora.terms.keywords import Background, keyword_terms
from lydite.corpora.terms.listed import read_terms
from lydite.corpora.terms.term import Term, Terms
from lydite.errors import InputError
from lydite.registry import unknown_name

#: Where terms can come from besides a file.
SOURCES = ("index", "keywords", "random", "titles")


@dataclass(frozen=True, kw_only=True)
class TermChoice:
    """What to take from a source.

    Parameters
    ----------
    most
        How many keywords, random words or titles.
    least
        How often each of those occurs at least.
    names
        Whether to keep proper names of an index.
    seed
        Of what is drawn.
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
    corpus
        Where they are used.
    choice
        What to take from the source.
    background
        How often words occur in the language at large; keywords need it.
    """
    how = choice or TermChoice()
    if source == "index":
        return _of_indexes(corpus, how)
    if source == "keywords":
        if background is None:
            raise InputError("keywords need the frequencies of words in the language at large")
        return keyword_terms(corpus.sentences(), background, most=how.most, least=how.least)
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
