"""Count vectors in a folder of arrays, which opens by mapping.

For n lemmas, of which the first c are the dimensions too:

========= ============= ======================================================
letters   uint8         the lemmas in UTF-8, end to end
offsets   int64 (n + 1) where each begins in ``letters``
hashes    uint64 (n,)   of the lemmas, sorted
order     int32 (n,)    which lemma has each
starts    int64 (n + 1) where the row of each begins in the next two
columns   int32         dimensions, ascending in each row
values    float32       positive information
========= ============= ======================================================

``meta.json`` says how they were made, and from what.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.preparation import Preparation
from lydite.models.mitchell_lapata.recipe import MitchellLapataRecipe
from lydite.models.named_rows import NamedRows
from lydite.spaces.array_folder import new_folder, opened_arrays, write_arrays
from lydite.spaces.arrays import seal
from lydite.spaces.ppmi import SparseMatrix
from lydite.spaces.vocabulary import VOCABULARY_ARRAYS, Vocabulary
from lydite.storage import sha256_file, sha256_text
from lydite.types import PlainMapping

_KIND: Final = "mitchell-lapata"
_ARRAYS: Final[dict[str, Any]] = {
    **VOCABULARY_ARRAYS,
    "starts": np.int64,
    "columns": np.int32,
    "values": np.float32,
}
_HINT = f"lydite train {_KIND} writes such folders"


@dataclass(frozen=True, kw_only=True, eq=False)
class CountVectors:
    """Count vectors as they lie in a folder.

    Attributes
    ----------
    rows
        The vectors of lemmas, mapped.
    preparation
        How text became tokens.
    lemmas
        The lemmatizer of texts that are to be encoded.
    fingerprint
        The sha256 of the arrays and of what makes lemmas of texts.
    provenance
        All that the folder says of how it was made.
    """

    rows: NamedRows
    preparation: Preparation
    lemmas: str
    fingerprint: str
    provenance: PlainMapping


def write_vectors(
    rows: NamedRows,
    folder: Path,
    *,
    recipe: MitchellLapataRecipe,
    preparation: Preparation,
    lemmas: str,
    provenance: PlainMapping | None = None,
) -> CountVectors:
    """Write a new folder as a whole, and map it."""
    matrix = rows.matrix
    arrays: dict[str, NDArray[Any]] = {
        **rows.words.arrays(),
        "starts": matrix.starts,
        "columns": matrix.columns,
        "values": matrix.values,
    }
    facts = {
        "kind": _KIND,
        "dimensions": matrix.width,
        "preparation": dataclasses.asdict(preparation),
        "lemmas": lemmas,
    }
    with new_folder(folder) as work:
        write_arrays(work, arrays, _ARRAYS)
        sums = [sha256_file(work / name) for name in _ARRAYS]
        seal(
            work,
            _ARRAYS,
            **{**(provenance or {}), **facts},
            recipe=dataclasses.asdict(recipe),
            sha256=sha256_text("\n".join([json.dumps(facts, sort_keys=True), *sums])),
        )
    return open_vectors(folder)


def open_vectors(folder: Path) -> CountVectors:
    """Map the vectors of a folder.

    Raises
    ------
    ResourceError
        If there is no such folder.
    FormatError
        If it is not what was written.
    """
    with opened_arrays(folder, _ARRAYS, what="count vectors", hint=_HINT, kind=_KIND) as (
        arrays,
        facts,
    ):
        return CountVectors(
            rows=_rows(arrays, int(facts.pop("dimensions"))),
            preparation=Preparation(**facts["preparation"]),
            lemmas=str(facts["lemmas"]),
            fingerprint=str(facts["sha256"]),
            provenance=facts,
        )


def _rows(arrays: dict[str, NDArray[Any]], dimensions: int) -> NamedRows:
    words = Vocabulary.of_arrays(arrays)
    starts, columns = arrays["starts"], arrays["columns"]
    fits = len(starts) == len(words) + 1 > dimensions
    if not fits or not len(columns) == len(arrays["values"]) == starts[-1]:
        raise ValueError("arrays do not fit each other")
    return NamedRows(
        words=words,
        dimensions=Vocabulary.build(words.words.take(np.arange(dimensions))),
        matrix=SparseMatrix(
            starts=starts, columns=columns, values=arrays["values"], width=dimensions
        ),
    )
