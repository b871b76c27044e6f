"""Terms from a list."""

from __future__ import annotations

from pathlib import Path

from lydite.corpora.preparation import Preparation
from lydite.corpora.reading import text_lines
from lydite.corpora.terms.term import Terms, gather_terms
from lydite.errors import FormatError


def read_terms(path: Path, *, preparation: Preparation | None = None) -> Terms:
    """Read a list of terms, one a line; a line that starts with ``#`` is a comment.

    Parameters
    ----------
    path
        A text in UTF-8, compressed or not. What follows a tab is passed over.
    preparation
        How the corpus is cut into tokens.
    """
    lines = (line.split("\t")[0].strip() for _, line in text_lines(path))
    terms = gather_terms(
        (line for line in lines if line and not line.startswith("#")),
        source=str(path),
        preparation=preparation,
    )
    if not terms.terms:
        raise FormatError("expected terms, got none", path=path, hint="write one term a line")
    return terms
