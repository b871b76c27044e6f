"""Taxonomies from files: edge lists, OBO, RDF, WN-LMF, WordNet; the content decides which."""

from __future__ import annotations

import contextlib
import csv
import importlib
import importlib.util
import io
import json
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias
from urllib.parse import unquote

from lydite.errors import FormatError, InputError, MissingExtraError
from lydite.files.lines import numbered_lines, read_content, require_utf8
from lydite.files.plain import parse_json
from lydite.lexicons.taxonomy import NO_LABEL, OTHER_LANGUAGE, Taxonomy, TaxonomyBuilder

if TYPE_CHECKING:
    from rdflib import Graph, URIRef
    from rdflib import Literal as RdfLiteral

    Pairs = set[tuple[URIRef, URIRef]]


_NAMES: dict[str, tuple[str, ...]] = {
    "is-a": ("is-a", "isa", "hypernym", "hypernymy", "broader", "subclass", "subclass-of"),
    "instance": ("instance", "instance-of", "instance-hypernym"),
    "part": ("part", "part-of", "meronym", "meronymy", "part-meronym"),
    "member": ("member", "member-of", "member-meronym"),
    "substance": ("substance", "substance-of", "substance-meronym"),
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names}
_BETWEEN = re.compile(r"[\s_-]+")


def edge_kind(name: str) -> str:
    """Return the kind of edge that a source's relation is; one of its own stays, with hyphens.

    Examples
    --------
    >>> edge_kind("Part_of"), edge_kind("subclass of"), edge_kind("positively_regulates")
    ('part', 'is-a', 'positively-regulates')
    """
    plain = _BETWEEN.sub("-", name.strip()).casefold()
    return _KINDS.get(plain, plain)


_EDGES_HINT = (
    "one edge per line: child <tab> parent, and perhaps <tab> relation (is-a if there is none)"
)
_LABELS = {"label", "synonym"}
_SUFFIX = re.compile(r"(?:(?<!\s)\s++)?\([^()]*+\)$")


def read_edge_list(path: Path, *, name: str, sha256: str) -> Taxonomy:
    """Read lines of ``child parent [relation]``, with tabs or commas between.

    A concept is identified by what stands in the file, and its word is the same with blanks for
    underscores and without a last part in parentheses: ``bank (river)`` and ``bank (money)`` are
    two senses of `bank`. The relation ``synonym`` (or ``label``) gives the first column's concept
    a further word. A first line that names the columns ``child`` and ``parent`` also says which
    is which; further columns are passed over. Lines are commented out by ``#`` and a blank.
    """
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    columns = (0, 1, 2)
    edges = 0
    for first, (number, line) in enumerate(numbered_lines(path)):
        fields = _fields(line)
        if first == 0 and (named := _header(fields)):
            columns = named
            continue
        child, parent, relation = (fields[at] if at < len(fields) else "" for at in columns)
        if not (child and parent):
            raise FormatError(
                f"expected a child and a parent, got {line[:60]!r}",
                path=path,
                line=number,
                hint=_EDGES_HINT,
            )
        _add(builder, child)
        if relation.casefold() in _LABELS:
            builder.add_concept(child, [_word(parent)])
        else:
            _add(builder, parent)
            builder.add_edge(edge_kind(relation) if relation else "is-a", child, parent)
            edges += 1
    if not edges:
        raise FormatError("expected edges of a taxonomy, got none", path=path, hint=_EDGES_HINT)
    return builder.build()


def _fields(line: str) -> list[str]:
    parts = line.split("\t")
    if len(parts) == 1:
        with contextlib.suppress(csv.Error):  # a field of more than 131,072 letters
            parts = next(csv.reader([line], skipinitialspace=True))
    return [" ".join(part.split()) for part in parts]


def _header(fields: list[str]) -> tuple[int, int, int] | None:
    names = [field.casefold() for field in fields]
    if not {"child", "parent"} <= set(names):
        return None
    child, parent = names.index("child"), names.index("parent")
    others = [at for at in range(len(names)) if at not in {child, parent}]
    relation = min(others, key=lambda at: names[at] != "relation", default=len(names))
    return child, parent, relation


def _add(builder: TaxonomyBuilder, concept: str) -> None:
    if concept not in builder:
        builder.add_concept(concept, [_word(concept)])


def _word(label: str) -> str:
    plain = label.replace("_", " ")
    return _SUFFIX.sub("", plain).strip() or plain


Synonyms = Literal["exact", "narrow", "all", "none"]


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


_OBO_HINT = "an OBO file has a header, then frames of [Term], id:, name:, is_a:"
_SCOPES: dict[str, frozenset[str]] = {
    "exact": frozenset({"EXACT"}),
    "narrow": frozenset({"EXACT", "NARROW"}),
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
    synonyms
        Which synonyms are words of a term: those that the file calls exact, these and narrow
        ones, all (broad and related ones too), or none.
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
        raise FormatError("expected terms of an ontology, got none", path=path, hint=_OBO_HINT)
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
            hint=_OBO_HINT,
        ) from error
    except BaseException as error:
        # The library panics at some malformed lines; the class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise FormatError(f"expected OBO, but: {error}", path=path, hint=_OBO_HINT) from error


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


_RDF_HINT = "Turtle, RDF/XML, N-Triples and JSON-LD are read; check that the file is whole"
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
    """Tell the serialization, as rdflib names it, by the first bytes, then by the suffix.

    ``xml``, ``json-ld``, ``turtle`` or ``nt``; None if it is no RDF.
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
    """Parse RDF; a JSON-LD document that leaves its context elsewhere is refused."""
    from rdflib import Graph

    form = rdf_format(content, path) or "turtle"
    if form != "xml":  # which may say that it is in another encoding
        require_utf8(content, path)
    graph = Graph(bind_namespaces="none")
    try:
        if form == "json-ld":
            _refuse_remote(parse_json(content), path)
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
            hint=_RDF_HINT,
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


_SKOS = "http://www.w3.org/2004/02/skos/core#"
_EXTENSIONS = "http://www.w3.org/2004/02/skos/extensions#"
_ISO = "http://purl.org/iso25964/skos-thes#"
_TERMS = "http://purl.org/dc/terms/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_PART_OF = "http://purl.obolibrary.org/obo/BFO_0000050"
_OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
_SYNONYM_OF = {
    scope: f"{_OBO_IN_OWL}has{scope.capitalize()}Synonym"
    for scope in ("EXACT", "NARROW", "BROAD", "RELATED")
}

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


def read_skos(
    path: Path, *, name: str, sha256: str, language: str = "en", synonyms: Synonyms = "exact"
) -> Taxonomy:
    """Read the concepts of a SKOS thesaurus, or the classes of an ontology (extra ``ontology``).

    Turtle, RDF/XML, N-Triples and JSON-LD are distinguished by content and suffix; nothing that a
    file names is ever fetched. ``broader``, ``narrower`` and ``subClassOf`` make ``is-a`` edges;
    ``broaderTransitive`` makes them only for a concept that has no other, since it holds for all
    ancestors. ``isPartOf``, ``broaderPartitive`` and BFO's *part of*, also as a restriction of
    a class, make ``part`` edges. Other restrictions keep the name of their property. An edge that
    is stated from both ends is one edge.

    Parameters
    ----------
    language
        The tag of the wanted labels. A concept without one is named by labels without a tag, then
        by those of the first other language, which counts as a problem.
    synonyms
        As in `read_obo`, for ontologies that say so of their synonyms; ``skos:altLabel`` is exact.

    Notes
    -----
    A concept is identified by the last part of its URI, by all of it where two would be alike.
    Concepts and labels are put in alphabetical order, since RDF has none.
    """
    if importlib.util.find_spec("rdflib") is None:
        raise MissingExtraError("a taxonomy in RDF", extra="ontology")
    graph = parse_rdf(read_content(path), path)
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    edges = _rdf_edges(graph)
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
            labels = _rdf_labels(graph, concept, language, _SCOPES[synonyms])
            if not labels:
                builder.problems.note(NO_LABEL, names[concept])
            elif not _is_named_in(graph, concept, language):
                builder.problems.note(OTHER_LANGUAGE, labels[0])
            last = unquote(_last_part(concept)).replace("_", " ")
            builder.add_concept(names[concept], labels or [last])
    for kind, pairs in edges.items():
        for child, parent in sorted(pairs):
            builder.add_edge(kind, names[child], names[parent])
    return builder.build()


def _rdf_edges(graph: Graph) -> dict[str, Pairs]:
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
            label = next(iter(_rdf_labels(graph, rule, "en", frozenset())), _last_part(rule))
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


def _rdf_labels(graph: Graph, concept: URIRef, language: str, scopes: frozenset[str]) -> list[str]:
    """Return preferred labels, then synonyms of some scopes in the same language."""
    from rdflib import RDFS, SKOS, URIRef

    others = [SKOS.altLabel] if "EXACT" in scopes else []
    others += [URIRef(uri) for scope, uri in _SYNONYM_OF.items() if scope in scopes]
    for uri in (SKOS.prefLabel, RDFS.label):
        preferred = _in_language(_literals(graph, concept, uri), language)
        if preferred:
            tag = _tag(preferred[0])
            further = [
                label
                for other in others
                for label in _literals(graph, concept, other)
                if _tag(label) == tag or _speaks(label, language)
            ]
            return [str(label) for label in [*preferred, *sorted(further)]]
    return []


def _is_named_in(graph: Graph, concept: URIRef, language: str) -> bool:
    """Tell whether a concept has a label in a language, or one that says none."""
    from rdflib import RDFS, SKOS

    labels = [
        each for uri in (SKOS.prefLabel, RDFS.label) for each in _literals(graph, concept, uri)
    ]
    return any(not _tag(label) or _speaks(label, language) for label in labels)


def _literals(graph: Graph, concept: URIRef, uri: URIRef) -> list[RdfLiteral]:
    from rdflib import Literal as RdfLiteral

    return [value for value in graph.objects(concept, uri) if isinstance(value, RdfLiteral)]


def _in_language(labels: Iterable[RdfLiteral], language: str) -> list[RdfLiteral]:
    """Return those in a language, else those without a tag, else those with the first tag."""
    ordered = sorted(labels, key=lambda label: (_tag(label), str(label)))
    if spoken := [label for label in ordered if _speaks(label, language)]:
        return spoken
    return [label for label in ordered if _tag(label) == _tag(ordered[0])]


def _tag(label: RdfLiteral) -> str:
    return (label.language or "").casefold()


def _speaks(label: RdfLiteral, language: str) -> bool:
    return f"{_tag(label)}-".startswith(f"{language.casefold()}-")


def _names(uris: Iterable[URIRef]) -> dict[URIRef, str]:
    """Return the last part of each URI, all of it where the last part is another's too."""
    last = {uri: _last_part(uri) for uri in sorted(uris)}
    uses = Counter(last.values())
    return {uri: part if uses[part] == 1 else str(uri) for uri, part in last.items()}


def _last_part(uri: URIRef) -> str:
    text = str(uri).rstrip("/#")
    return text[max(text.rfind(mark) for mark in "/#:") + 1 :] or str(uri)


#: What the parser makes of an element: its attributes, and lists of those inside.
_Element: TypeAlias = dict[str, Any]

#: Relations from a concept to what is above it, and from a whole to what is part of it.
_UPWARD = {
    "hypernym": "is-a",
    "instance_hypernym": "instance",
    "holonym": "part",
    "holo_part": "part",
    "holo_member": "member",
    "holo_substance": "substance",
    "holo_location": "location",
    "holo_portion": "portion",
}
_DOWNWARD = {
    "meronym": "part",
    "mero_part": "part",
    "mero_member": "member",
    "mero_substance": "substance",
    "mero_location": "location",
    "mero_portion": "portion",
}
#: In which the senses of a word come, as in WordNet.
_PARTS = "nvasr"
_LMF_HINT = "WN-LMF 1.0 to 1.4 begins with an XML declaration, then a line with its DOCTYPE"
_NO_SYNSET = "sense of a concept that is not described"


class _Label(NamedTuple):
    """A word of a synset, its place among all senses, and the names of its sense and entry."""

    word: str
    rank: int
    identifiers: tuple[str, str]


def read_wn_lmf(path: Path, *, name: str, sha256: str) -> Taxonomy:
    """Read the synsets of a WN-LMF file (extra ``ontology``).

    All lexicons of the file make one taxonomy. The words of a synset come in the order of its
    ``members``, or else of the file; the senses of a word with nouns before verbs, adjectives and
    adverbs, then in the order of its entry. Parents come from ``hypernym``,
    ``instance_hypernym``, ``holo_*`` and, turned round, ``mero_*``; satellite adjectives count as
    adjectives.

    Raises
    ------
    FormatError
        If it is not WN-LMF or has no synset.
    MissingExtraError
        If the package ``wn`` is not installed.
    """
    lexicons = _lexicons(path)
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    synsets = [synset for lexicon in lexicons for synset in lexicon.get("synsets", ())]
    if not synsets:
        raise FormatError("expected synsets, got none", path=path, hint=_LMF_HINT)
    labels = _lmf_labels(lexicons)
    for synset in synsets:
        found = labels.pop(synset["id"], [])
        place = {member: rank for rank, member in enumerate(synset.get("members", ()))}
        found.sort(key=lambda label: min(place.get(i, len(place)) for i in label.identifiers))
        letter = synset.get("partOfSpeech", "")
        builder.add_concept(
            synset["id"],
            [label.word for label in found],
            ranks=[label.rank for label in found],
            part_of_speech="a" if letter == "s" else letter,
        )
    for label in (each for found in labels.values() for each in found):
        builder.problems.note(_NO_SYNSET, label.word)
    # A relation and its inverse are one edge.
    for kind, child, parent in dict.fromkeys(_lmf_edges(synsets)):
        builder.add_edge(kind, child, parent)
    return builder.build()


def _lexicons(path: Path) -> list[_Element]:
    """Parse the file; the library's own database is not touched."""
    if importlib.util.find_spec("wn") is None:
        raise MissingExtraError("a wordnet in WN-LMF", extra="ontology")
    content = read_content(path)
    lmf = importlib.import_module("wn.lmf")
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        # The library opens a path, and decompresses nothing.
        plain = Path(folder) / "wordnet.xml"
        plain.write_bytes(content)
        try:
            resource = lmf.load(plain, progress_handler=None)
        except lmf.LMFError as error:
            cause = error.__cause__
            raise FormatError(
                f"expected WN-LMF, but: {cause or error}",
                path=path,
                line=getattr(cause, "lineno", None),
                hint=_LMF_HINT,
            ) from error
        except (AssertionError, KeyError, ValueError) as error:
            # It checks attributes by assertions, without a word.
            raise FormatError(
                "expected WN-LMF, got an element without an attribute that it needs",
                path=path,
                hint="the package wn names the fault: python -m wn validate",
            ) from error
    return list(resource["lexicons"])


def _lmf_labels(lexicons: list[_Element]) -> dict[str, list[_Label]]:
    """Return the words of each synset."""
    entries = [entry for lexicon in lexicons for entry in lexicon.get("entries", ())]
    # The entries of an extension add senses to words of the lexicon that is extended.
    lemmas = {entry["id"]: entry["lemma"] for entry in entries if _has_form(entry)}
    known = [entry for entry in entries if entry["id"] in lemmas]
    known.sort(key=lambda entry: _part_place(lemmas[entry["id"]]["partOfSpeech"]))
    labels: dict[str, list[_Label]] = {}
    rank = 0
    for entry in known:
        senses = [sense for sense in entry.get("senses", ()) if "synset" in sense]
        for sense in sorted(senses, key=lambda sense: sense.get("n", 0)):
            word = lemmas[entry["id"]]["writtenForm"]
            label = _Label(word, rank, (sense["id"], entry["id"]))
            labels.setdefault(sense["synset"], []).append(label)
            rank += 1
    return labels


def _has_form(entry: _Element) -> bool:
    return "writtenForm" in (entry.get("lemma") or ())


def _part_place(letter: str) -> int:
    return _PARTS.index(letter) if letter in _PARTS else len(_PARTS)


def _lmf_edges(synsets: list[_Element]) -> Iterator[tuple[str, str, str]]:
    """Yield kind, child and parent."""
    for synset in synsets:
        for relation in synset.get("relations", ()):
            kind = relation["relType"]
            if kind in _UPWARD:
                yield _UPWARD[kind], synset["id"], relation["target"]
            elif kind in _DOWNWARD:
                yield _DOWNWARD[kind], relation["target"], synset["id"]


_HEAD = 1 << 16
_FORMATS = (
    "a taxonomy is a folder of WordNet (data.noun, index.noun, ...), WN-LMF, OBO, "
    "SKOS or OWL in RDF (Turtle, RDF/XML, N-Triples, JSON-LD), or an edge list in UTF-8: "
    "child <tab> parent <tab> relation"
)


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Which words of a concept are taken, of files that have several kinds."""

    language: str = "en"  # of RDF: the tag of the labels
    synonyms: Synonyms = "exact"  # of OBO and RDF: how far they may be from the concept itself


def open_taxonomy(
    paths: Sequence[Path], *, name: str, sha256: str, labels: Labels | None = None
) -> Taxonomy:
    """Read a taxonomy, or return the one that this process has read already.

    The paths are one file, the files of WordNet, or the folder that holds them. Content with
    another sha256 is read anew. Labels that a format cannot choose among are refused.
    """
    return _opened(tuple(paths), name, sha256, labels or Labels())


@lru_cache(maxsize=4)
def _opened(paths: tuple[Path, ...], name: str, sha256: str, labels: Labels) -> Taxonomy:
    files = [file for path in paths for file in _files(path)]
    if any(file.name == "data.noun" for file in files):
        from lydite.lexicons.wordnet.database import open_wordnet

        _refuse_labels(labels, Labels(), name, "WordNet")
        return open_wordnet(files, name=name, sha256=sha256)
    if len(files) != 1:
        where = ", ".join(map(str, paths[:3])) or "nowhere"
        raise InputError(
            f"expected one file, or those of WordNet, got {len(files)} ({where})", hint=_FORMATS
        )
    return _read_file(files[0], name, sha256, labels)


def _refuse_labels(labels: Labels, allowed: Labels, name: str, form: str) -> None:
    """Refuse choices that would have no effect."""
    given = [f"{key}={value}" for key, value in (asdict(labels).items() - asdict(allowed).items())]
    if given:
        raise InputError(
            f"{name} is {form}, where {' and '.join(sorted(given))} would have no effect",
            hint="language is for SKOS and OWL, synonyms for OBO, SKOS and OWL",
        )


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")


def _read_file(path: Path, name: str, sha256: str, labels: Labels) -> Taxonomy:
    head = read_content(path, _HEAD)
    match _format(head, path):
        case "obo":
            _refuse_labels(labels, Labels(synonyms=labels.synonyms), name, "OBO")
            return read_obo(path, name=name, sha256=sha256, synonyms=labels.synonyms)
        case "wn-lmf":
            _refuse_labels(labels, Labels(), name, "WN-LMF")
            return read_wn_lmf(path, name=name, sha256=sha256)
        case "rdf":
            return read_skos(path, name=name, sha256=sha256, **asdict(labels))
        case "edges":
            _refuse_labels(labels, Labels(), name, "an edge list")
            return read_edge_list(path, name=name, sha256=sha256)
    raise FormatError(
        f"expected a taxonomy, got {head[:40].decode('utf-8', 'replace')!r}",
        path=path,
        hint=_FORMATS,
    )


def _format(head: bytes, path: Path) -> str | None:
    suffixes = {suffix.lower() for suffix in path.suffixes}
    lines = [line for line in head.split(b"\n") if line.strip()]
    if ".obo" in suffixes or any(
        line.startswith((b"format-version:", b"[Term]")) for line in lines
    ):
        return "obo"
    form = rdf_format(head, path)
    if form == "xml":
        if b"<LexicalResource" in head:
            return "wn-lmf"
        return "rdf" if b"RDF" in head or suffixes & {".rdf", ".owl"} else None
    if form is not None:
        return "rdf"
    first = next((line for line in lines if not line.startswith(b"# ")), b",")
    is_edge = (b"\t" in first or b"," in first) and not first.startswith(b"<")
    return "edges" if is_edge and b"\0" not in head else None
