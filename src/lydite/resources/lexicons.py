"""Word frequencies and information content by name or path."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lydite.corpora.documents import open_corpus
from lydite.errors import UnknownNameError
from lydite.lexicons.frequencies import (
    Frequencies,
    ListedFrequencies,
    Phrases,
    is_listed,
    read_frequencies,
    wordfreq_frequencies,
)
from lydite.lexicons.information_content import (
    InformationContent,
    intrinsic,
    read_information_content,
)
from lydite.lexicons.taxonomy import Taxonomy
from lydite.progress import current_progress
from lydite.registry import unknown_name
from lydite.resources.catalogue import Located, locate

WORDFREQ = "wordfreq"
_TOLD_EVERY = 10_000


def open_frequencies(
    source: str | Path,
    *,
    phrases: Phrases = "none",
    language: str = "en",
    corpus_size: float = 1e9,
) -> Frequencies:
    """Open counts of words.

    Parameters
    ----------
    source
        ``wordfreq`` (extra ``frequencies``), a list of words with counts, or a text whose words
        are counted: a name or a path.
    phrases
        What stands for the count of a phrase that has none: 0 for ``none``, that of its ``rarest``
        word.
    language, corpus_size
        For wordfreq: the language, and in how many words a count is taken.
    """
    if source == WORDFREQ:
        return wordfreq_frequencies(language, corpus_size=corpus_size, phrases=phrases)
    try:
        located = locate(source)
    except UnknownNameError:
        hint = f"there is {WORDFREQ}, or give the path of a list, word <tab> count, or of a text"
        raise unknown_name("source of frequencies", str(source), [WORDFREQ], hint=hint) from None
    kind = located.card.kind if located.card is not None else None
    if kind in {"book", "corpus"} or len(located.paths) > 1 or not is_listed(located.paths[0]):
        return _counted(located, phrases)
    return read_frequencies(
        located.single(), name=located.name, sha256=located.sha256, phrases=phrases
    )


def _counted(located: Located, phrases: Phrases) -> ListedFrequencies:
    """Count the words of a corpus."""
    counts: Counter[str] = Counter()
    for done, tokens in enumerate(open_corpus(located.paths).sentences(), 1):
        counts.update(tokens)
        if done % _TOLD_EVERY == 0:
            current_progress()("counting words", done, None)
    return ListedFrequencies.of(
        counts, name=located.name, fingerprint=located.sha256, phrases=phrases
    )


#: The files of the resource ``wordnet-ic``, by the corpus that was counted.
CORPORA = {
    "brown": "ic-brown.dat",
    "brown-resnik": "ic-brown-resnik.dat",
    "bnc": "ic-bnc.dat",
    "semcor": "ic-semcor.dat",
}

#: The name of what is computed from the taxonomy itself, without a file.
INTRINSIC = "intrinsic"


def locate_information_content(name: str | Path) -> Located:
    """Find a file: ``brown``, ``brown-resnik``, ``bnc``, ``semcor``, for WordNet 3.0; or a path."""
    if isinstance(name, str) and name in CORPORA:
        return _member(locate("wordnet-ic"), CORPORA[name])
    try:
        located = locate(name)
    except UnknownNameError:
        raise unknown_name(
            "information content",
            str(name),
            [*CORPORA, INTRINSIC],
            hint=f"there are {', '.join(CORPORA)} and {INTRINSIC}, or give the path of a file",
        ) from None
    located.single()
    return located


def open_information_content(
    source: str | Path, taxonomy: Taxonomy, *, relation: str = "hypernymy"
) -> InformationContent:
    """Open the information content of a taxonomy's concepts.

    ``intrinsic`` needs no corpus; any other source is as for `locate_information_content`.
    """
    if source == INTRINSIC:
        return intrinsic(taxonomy, relation=relation)
    located = locate_information_content(source)
    return read_information_content(
        located.single(),
        taxonomy,
        relation=relation,
        name=located.name,
        sha256=located.sha256,
    )


def _member(located: Located, filename: str) -> Located:
    """Return one file of a resource that has several."""
    path = located.named(filename)
    files = located.card.data_files if located.card is not None else ()
    sha256 = files[located.paths.index(path)].sha256
    return Located(
        name=f"{located.name}/{filename}", paths=(path,), sha256=sha256, card=located.card
    )
