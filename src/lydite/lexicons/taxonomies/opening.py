"""Open a taxonomy in any of the formats that are read; the content decides which."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from lydite.errors import FormatError, InputError
from lydite.lexicons.content import read_content
from lydite.lexicons.taxonomies.rdf_parsing import rdf_format
from lydite.lexicons.taxonomies.taxonomy import Taxonomy

_HEAD = 1 << 16
_FORMATS = (
    "a taxonomy is a folder of WordNet (data.noun, index.noun, ...), WN-LMF, OBO, "
    "SKOS or OWL in RDF (Turtle, RDF/XML, N-Triples, JSON-LD), or an edge list in UTF-8: "
    "child <tab> parent <tab> relation"
)


def open_taxonomy(paths: Sequence[Path], *, name: str, sha256: str) -> Taxonomy:
    """Read a taxonomy, or return the one that this process has read already.

    Parameters
    ----------
    paths
        One file, or the files of WordNet, or the folder that holds them.
    name
        What to call the taxonomy.
    sha256
        The sha256 of the content; other content is read anew.
    """
    return _opened(tuple(paths), name, sha256)


@lru_cache(maxsize=4)
def _opened(paths: tuple[Path, ...], name: str, sha256: str) -> Taxonomy:
    files = [file for path in paths for file in _files(path)]
    if any(file.name == "data.noun" for file in files):
        from lydite.lexicons.taxonomies.wordnet import open_wordnet

        return open_wordnet(files, name=name, sha256=sha256)
    if len(files) != 1:
        where = ", ".join(map(str, paths[:3])) or "nowhere"
        raise InputError(
            f"expected one file, or those of WordNet, got {len(files)} ({where})", hint=_FORMATS
        )
    return _read_file(files[0], name, sha256)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")


def _read_file(path: Path, name: str, sha256: str) -> Taxonomy:
    head = read_content(path, _HEAD)
    match _format(head, path):
        case "obo":
            from lydite.lexicons.taxonomies.obo import read_obo

            return read_obo(path, name=name, sha256=sha256)
        case "wn-lmf":
            from lydite.lexicons.taxonomies.wn_lmf import read_wn_lmf

            return read_wn_lmf(path, name=name, sha256=sha256)
        case "rdf":
            from lydite.lexicons.taxonomies.skos import read_skos

            return read_skos(path, name=name, sha256=sha256)
        case "edges":
            from lydite.lexicons.taxonomies.edge_list import read_edge_list

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
