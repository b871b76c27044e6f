"""Taxonomies in the OBO format: the Gene Ontology and its kin."""

from __future__ import annotations

import importlib
import importlib.util
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Protocol

from lydite.errors import FormatError, InputError, MissingExtraError
from lydite.lexicons.content import read_content, require_utf8
from lydite.lexicons.taxonomies.building import TaxonomyBuilder
from lydite.lexicons.taxonomies.relations import edge_kind
from lydite.lexicons.taxonomies.taxonomy import Taxonomy

Synonyms = Literal["exact", "all", "none"]


class _Synonym(Protocol):
    desc: str
    scope: str


class _Clause(Protocol):
    """A line of a frame; which of these it has depends on its type."""

    name: str
    term: object
    typedef: object
    obsolete: bool
    synonym: _Synonym


class _Frame(Protocol):
    id: object

    def __iter__(self) -> Iterator[_Clause]: ...


_HINT = "an OBO file has a header, then frames of [Term], id:, name:, is_a:"
_SCOPES: dict[str, frozenset[str]] = {
    "exact": frozenset({"EXACT"}),
    "all": frozenset({"EXACT", "BROAD", "NARROW", "RELATED"}),
    "none": frozenset(),
}


def read_obo(path: Path, *, name: str, sha256: str, synonyms: Synonyms = "exact") -> Taxonomy:
    """Read the terms of an OBO file (extra ``ontology``).

    A term's words are its name, then its synonyms. ``is_a`` edges are of kind ``is-a``,
    relationships of a kind named after their type: ``part_of`` is ``part``, ``regulates`` is
    ``regulates``. Obsolete terms, other identifiers of a term, and logical definitions are left
    out. Imports are never followed.

    Parameters
    ----------
    path
        The file.
    name
        What to call the taxonomy.
    sha256
        The sha256 of the file, for its fingerprint.
    synonyms
        Which synonyms are words of a term: those that the file calls exact, all, or none.
    """
    if synonyms not in _SCOPES:
        raise InputError(
            f"expected synonyms to be one of {', '.join(_SCOPES)}, got {synonyms!r}",
            hint="exact ones are words for the term itself",
        )
    content = read_content(path)
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    types: dict[str, str] = {}
    relationships: list[tuple[str, str, str]] = []
    for frame in _frames(content, path):
        match type(frame).__name__:
            case "TermFrame":
                relationships += _add_term(builder, frame, _SCOPES[synonyms])
            case "TypedefFrame":
                types[str(frame.id)] = _name(frame) or str(frame.id)
    for kind, child, parent in relationships:
        builder.add_edge(edge_kind(types.get(kind, kind)), child, parent)
    if not len(builder):
        raise FormatError("expected terms of an ontology, got none", path=path, hint=_HINT)
    return builder.build()


def _frames(content: bytes, path: Path) -> Iterator[_Frame]:
    # pronto, which is built on this library, takes three times as long, and stops at the first
    # parent that is not described.
    if importlib.util.find_spec("fastobo") is None:
        raise MissingExtraError("an OBO ontology", extra="ontology")
    require_utf8(content, path)
    try:
        yield from importlib.import_module("fastobo").iter(io.BytesIO(content))
    except SyntaxError as error:
        raise FormatError(
            f"expected OBO, got {(error.text or '')[:60]!r} ({error.msg})",
            path=path,
            line=error.lineno,
            hint=_HINT,
        ) from error
    except BaseException as error:
        # The library panics at some malformed lines; the class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise FormatError(f"expected OBO, but: {error}", path=path, hint=_HINT) from error


def _add_term(
    builder: TaxonomyBuilder, term: _Frame, scopes: frozenset[str]
) -> list[tuple[str, str, str]]:
    """Add a term and its ``is_a`` edges; return its relationships as type, child, parent."""
    identifier = str(term.id)
    labels = [_name(term)]
    above: list[str] = []
    relationships: list[tuple[str, str, str]] = []
    for clause in term:
        match type(clause).__name__:
            case "SynonymClause" if clause.synonym.scope in scopes:
                labels.append(clause.synonym.desc)
            case "IsAClause":
                above.append(str(clause.term))
            case "RelationshipClause":
                relationships.append((str(clause.typedef), identifier, str(clause.term)))
            case "IsObsoleteClause" if clause.obsolete:
                builder.leave_out(identifier)
                return []
    builder.add_concept(identifier, labels)
    for parent in above:
        builder.add_edge("is-a", identifier, parent)
    return relationships


def _name(frame: _Frame) -> str:
    return next((clause.name for clause in frame if type(clause).__name__ == "NameClause"), "")
