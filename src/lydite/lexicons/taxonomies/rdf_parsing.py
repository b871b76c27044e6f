"""RDF files to graphs, without ever asking the network."""

from __future__ import annotations

import io
import json
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.errors import FormatError
from lydite.lexicons.content import require_utf8

if TYPE_CHECKING:
    from rdflib import Graph

_HINT = "Turtle, RDF/XML, N-Triples and JSON-LD are read; check that the file is whole"
_COMPRESSED = {".gz", ".xz", ".zst"}
_SUFFIXES = {
    ".ttl": "turtle",
    ".turtle": "turtle",
    ".nt": "nt",
    ".rdf": "xml",
    ".owl": "xml",
    ".jsonld": "json-ld",
}
_XML = (b"<?xml", b"<!DOCTYPE", b"<!--", b"<rdf:RDF")
_TURTLE = re.compile(rb"(?:\s|#[^\n]*\n)*(?:@prefix|@base|prefix|base)\s", re.IGNORECASE)
_TRIPLE = re.compile(rb"(?:\s|#[^\n]*\n)*<[^<>\s]+>\s+<[^<>\s]+>\s")


def rdf_format(content: bytes, path: Path) -> str | None:
    """Tell the serialisation by the first bytes, then by the suffix; None if it is no RDF.

    Returns
    -------
    ``xml``, ``json-ld``, ``turtle`` or ``nt``, as rdflib calls them.
    """
    text = content.lstrip()
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in _COMPRESSED]
    by_suffix = _SUFFIXES.get(suffixes[-1] if suffixes else "")
    if text.startswith(_XML):
        return "xml"
    if text.startswith(b"{") or (text.startswith(b"[") and by_suffix == "json-ld"):
        return "json-ld"
    if _TURTLE.match(text):
        return "turtle"
    if by_suffix is None and _TRIPLE.match(text):
        return "nt"
    return by_suffix


def parse_rdf(content: bytes, path: Path) -> Graph:
    """Parse RDF; a JSON-LD document that leaves its context elsewhere is refused.

    Parameters
    ----------
    content
        The bytes of the file, decompressed and without a byte-order mark.
    path
        Where they come from, for the suffix and for messages.
    """
    from rdflib import Graph

    form = rdf_format(content, path) or "turtle"
    if form != "xml":  # which may say that it is in another encoding
        require_utf8(content, path)
    graph = Graph(bind_namespaces="none")
    try:
        if form == "json-ld":
            _refuse_remote(json.loads(content), path)
        with warnings.catch_warnings():
            # rdflib warns of what its own JSON-LD parser uses.
            warnings.simplefilter("ignore", DeprecationWarning)
            graph.parse(io.BytesIO(content), format=form, publicID="file:///")
    except FormatError:
        raise
    except Exception as error:  # what its parsers raise on bad input has no common class
        raise FormatError(
            f"expected RDF ({form}), but: {_reason(error)}",
            path=path,
            line=_line(error),
            hint=_HINT,
        ) from error
    return graph


def _refuse_remote(document: object, path: Path) -> None:
    """Raise an error if a context is named, rather than written out."""
    waiting = [document]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            contexts = part.get("@context")
            named = contexts if isinstance(contexts, list) else [contexts]
            elsewhere = [*filter(_is_text, named), *filter(_is_text, [part.get("@import")])]
            if elsewhere:
                raise FormatError(
                    f"expected a JSON-LD context in the file, got a reference to {elsewhere[0]!r}",
                    path=path,
                    hint="write the context out in the file: nothing is fetched",
                )
            waiting += part.values()


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _reason(error: Exception) -> str:
    if isinstance(error, IndexError):
        return "it ends within a statement"
    why = getattr(error, "_why", None) or str(error) or type(error).__name__
    return " ".join(str(why).split())[:120]


def _line(error: Exception) -> int | None:
    match error:
        case json.JSONDecodeError():
            return error.lineno
        case SyntaxError() if isinstance(lines := getattr(error, "lines", None), int):
            return lines + 1
    number = getattr(error, "getLineNumber", None)
    return number() if number is not None else None
