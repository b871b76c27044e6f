"""Taxonomies in RDF: SKOS thesauri and classes of an ontology."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lydite.errors import FormatError, MissingExtraError
from lydite.lexicons.content import read_content
from lydite.lexicons.taxonomies.building import TaxonomyBuilder
from lydite.lexicons.taxonomies.problems import NO_LABEL
from lydite.lexicons.taxonomies.rdf_parsing import parse_rdf
from lydite.lexicons.taxonomies.relations import edge_kind
from lydite.lexicons.taxonomies.taxonomy import Taxonomy

if TYPE_CHECKING:
    from rdflib import Graph, Literal, URIRef

    Pairs = set[tuple[URIRef, URIRef]]

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_EXTENSIONS = "http://www.w3.org/2004/02/skos/extensions#"
_ISO = "http://purl.org/iso25964/skos-thes#"
_TERMS = "http://purl.org/dc/terms/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_PART_OF = "http://purl.obolibrary.org/obo/BFO_0000050"
_EXACT_SYNONYM = "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym"

_CONCEPT_TYPES = (f"{_SKOS}Concept", f"{_OWL}Class", f"{_RDFS}Class")
_TOPS = (f"{_OWL}Thing", f"{_RDFS}Resource")  # above everything, and no concept of the source

#: From child to parent, and from parent to child.
_UP = {
    "is-a": (
        f"{_SKOS}broader",
        f"{_RDFS}subClassOf",
        *(f"{n}broaderGeneric" for n in (_ISO, _EXTENSIONS)),
    ),
    "instance": tuple(f"{n}broaderInstantial" for n in (_ISO, _EXTENSIONS)),
    "part": (
        f"{_TERMS}isPartOf",
        _PART_OF,
        *(f"{n}broaderPartitive" for n in (_SKOS, _ISO, _EXTENSIONS)),
    ),
    "transitive": (f"{_SKOS}broaderTransitive",),
}
_DOWN = {
    "is-a": (f"{_SKOS}narrower", *(f"{n}narrowerGeneric" for n in (_ISO, _EXTENSIONS))),
    "instance": tuple(f"{n}narrowerInstantial" for n in (_ISO, _EXTENSIONS)),
    "part": (
        f"{_TERMS}hasPart",
        *(f"{n}narrowerPartitive" for n in (_SKOS, _ISO, _EXTENSIONS)),
    ),
    "transitive": (f"{_SKOS}narrowerTransitive",),
}


def read_skos(path: Path, *, name: str, sha256: str, language: str = "en") -> Taxonomy:
    """Read the concepts of a SKOS thesaurus, or the classes of an ontology (extra ``ontology``).

    Turtle, RDF/XML, N-Triples and JSON-LD are told apart by content and suffix; nothing that a
    file names is ever fetched. ``broader``, ``narrower`` and ``subClassOf`` make ``is-a`` edges;
    ``broaderTransitive`` makes them only for a concept that has no other, since it holds for all
    ancestors. ``isPartOf``, ``broaderPartitive`` and BFO's *part of*, also as a restriction of
    a class, make ``part`` edges. Other restrictions keep the name of their property. An edge that
    is stated from both ends is one edge.

    Parameters
    ----------
    path
        The file.
    name
        What to call the taxonomy.
    sha256
        The sha256 of the file, for its fingerprint.
    language
        The tag of the wanted labels. A concept without one is named by labels without a tag, then
        by those of the first other language.

    Notes
    -----
    A concept is identified by the last part of its URI, by all of it where two would be alike.
    Concepts and labels are put in alphabetical order, since RDF has none.
    """
    if importlib.util.find_spec("rdflib") is None:
        raise MissingExtraError("a taxonomy in RDF", extra="ontology")
    graph = parse_rdf(read_content(path), path)
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    edges = _edges(graph)
    concepts = _concepts(graph, edges)
    if not concepts:
        raise FormatError(
            "expected skos:Concept or owl:Class, got none",
            path=path,
            hint="is it a thesaurus or an ontology, and whole?",
        )
    names = _names({*concepts, *_ends(edges)})
    for concept in concepts:
        if _is_deprecated(graph, concept):
            builder.leave_out(names[concept])
        else:
            labels = _labels(graph, concept, language)
            builder.problems[NO_LABEL] += not labels
            last = unquote(_last_part(concept)).replace("_", " ")
            builder.add_concept(names[concept], labels or [last])
    for kind, pairs in edges.items():
        for child, parent in sorted(pairs):
            builder.add_edge(kind, names[child], names[parent])
    return builder.build()


def _edges(graph: Graph) -> dict[str, Pairs]:
    from rdflib import URIRef

    found: dict[str, Pairs] = {}
    for kind, upward in _UP.items():
        up = (pair for uri in upward for pair in graph.subject_objects(URIRef(uri)))
        down = (pair for uri in _DOWN[kind] for pair in graph.subject_objects(URIRef(uri)))
        pairs = [*up, *((child, parent) for parent, child in down)]
        found[kind] = {
            (child, parent)
            for child, parent in pairs
            if isinstance(child, URIRef) and isinstance(parent, URIRef) and str(parent) not in _TOPS
        }
    placed = {child for child, _ in found["is-a"] | found["instance"]}
    found["is-a"] |= {pair for pair in found.pop("transitive") if pair[0] not in placed}
    for kind, child, parent in _restrictions(graph):
        found.setdefault(kind, set()).add((child, parent))
    # Partitive and instantial relations are kinds of skos:broader, which is often stated too.
    found["is-a"] -= found["instance"] | found["part"]
    return found


def _restrictions(graph: Graph) -> Iterator[tuple[str, URIRef, URIRef]]:
    """Yield classes below "whatever has the property of some other class"."""
    from rdflib import OWL, RDFS, URIRef

    for restriction, parent in graph.subject_objects(OWL.someValuesFrom):
        rule = graph.value(restriction, OWL.onProperty)
        if isinstance(rule, URIRef) and isinstance(parent, URIRef):
            label = next(iter(_labels(graph, rule, "en")), _last_part(rule))
            kind = "part" if str(rule) == _PART_OF else edge_kind(label)
            for child in graph.subjects(RDFS.subClassOf, restriction):
                if isinstance(child, URIRef):
                    yield kind, child, parent


def _concepts(graph: Graph, edges: dict[str, Pairs]) -> list[URIRef]:
    from rdflib import URIRef

    typed = (
        subject for uri in _CONCEPT_TYPES for subject in graph.subjects(URIRef(_TYPE), URIRef(uri))
    )
    described = (end for end in _ends(edges) if (end, None, None) in graph)
    every = {each for each in [*typed, *described] if isinstance(each, URIRef)}
    return sorted(each for each in every if str(each) not in _TOPS)


def _ends(edges: dict[str, Pairs]) -> set[URIRef]:
    return {end for pairs in edges.values() for pair in pairs for end in pair}


def _is_deprecated(graph: Graph, concept: URIRef) -> bool:
    from rdflib import OWL

    values = graph.objects(concept, OWL.deprecated)
    return any(str(value).strip().casefold() in {"true", "1"} for value in values)


def _labels(graph: Graph, concept: URIRef, language: str) -> list[str]:
    """Return preferred labels, then others in the same language."""
    from rdflib import RDFS, SKOS, URIRef

    for uri in (SKOS.prefLabel, RDFS.label):
        preferred = _in_language(_literals(graph, concept, uri), language)
        if preferred:
            tag = _tag(preferred[0])
            further = [
                label
                for other in (SKOS.altLabel, URIRef(_EXACT_SYNONYM))
                for label in _literals(graph, concept, other)
                if _tag(label) == tag or _speaks(label, language)
            ]
            return [str(label) for label in [*preferred, *sorted(further)]]
    return []


def _literals(graph: Graph, concept: URIRef, uri: URIRef) -> list[Literal]:
    from rdflib import Literal

    return [value for value in graph.objects(concept, uri) if isinstance(value, Literal)]


def _in_language(labels: Iterable[Literal], language: str) -> list[Literal]:
    """Return those in a language, else those without a tag, else those with the first tag."""
    ordered = sorted(labels, key=lambda label: (_tag(label), str(label)))
    if spoken := [label for label in ordered if _speaks(label, language)]:
        return spoken
    return [label for label in ordered if _tag(label) == _tag(ordered[0])]


def _tag(label: Literal) -> str:
    return (label.language or "").casefold()


def _speaks(label: Literal, language: str) -> bool:
    return f"{_tag(label)}-".startswith(f"{language.casefold()}-")


def _names(uris: Iterable[URIRef]) -> dict[URIRef, str]:
    """Return the last part of each URI, all of it where the last part is another's too."""
    last = {uri: _last_part(uri) for uri in sorted(uris)}
    uses = Counter(last.values())
    return {uri: part if uses[part] == 1 else str(uri) for uri, part in last.items()}


def _last_part(uri: URIRef) -> str:
    text = str(uri).rstrip("/#")
    return text[max(text.rfind(mark) for mark in "/#:") + 1 :] or str(uri)
