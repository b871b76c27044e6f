"""Information content by name: of the corpora that WordNet-Similarity counted, or of a file."""

from __future__ import annotations

from pathlib import Path

from lydite.errors import UnknownNameError
from lydite.lexicons.information_content.counting import InformationContent, intrinsic
from lydite.lexicons.information_content.file import read_information_content
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.registry import unknown_name
from lydite.resources.catalogue import Located, locate

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
    """Find a file of information content.

    Parameters
    ----------
    name
        ``brown``, ``brown-resnik``, ``bnc`` or ``semcor``, counted for WordNet 3.0; or a path.
    """
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

    Parameters
    ----------
    source
        ``intrinsic``, which needs no corpus; else as for `locate_information_content`.
    taxonomy
        Whose concepts.
    relation
        Who lies below whom.
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
