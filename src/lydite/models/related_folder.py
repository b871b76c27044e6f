"""Related words in a folder of arrays, which opens by mapping.

For n lemmas and m related words of theirs, of 2r relations:

========= ============= ======================================================
letters   uint8         the lemmas in UTF-8, end to end
offsets   int64 (n + 1) where each begins in ``letters``
hashes    uint64 (n,)   of the lemmas, sorted
order     int32 (n,)    which lemma has each
starts    int64 (n + 1) where the row of each begins in the next two
columns   int64 (m,)    relation · n + other lemma, ascending in each row
values    float32 (m,)  weights
========= ============= ======================================================

``meta.json`` names the relations, and says how they were made, and from what.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydite.models.related_words import ARRAYS, RelatedWords
from lydite.spaces.array_folder import opened_arrays, write_arrays
from lydite.spaces.arrays import seal
from lydite.storage import sha256_file, sha256_text
from lydite.types import Plain, PlainMapping


@dataclass(frozen=True, kw_only=True, eq=False)
class RelatedFolder:
    """What a folder holds.

    Attributes
    ----------
    related
        Related words, mapped.
    lemmas
        What makes lemmas of texts that are to be encoded.
    fingerprint
        The sha256 of the arrays.
    provenance
        All that the folder says of how it was made.
    """

    related: RelatedWords
    lemmas: str
    fingerprint: str
    provenance: PlainMapping


def write_related(
    related: RelatedWords, folder: Path, *, kind: str, lemmas: str, **facts: Plain
) -> None:
    """Write related words into a folder that is there, and seal it."""
    write_arrays(folder, related.arrays(), ARRAYS)
    sums = "\n".join(sha256_file(folder / name) for name in ARRAYS)
    relations = list(related.relations)
    about = {**facts, "kind": kind, "lemmas": lemmas, "relations": relations}
    seal(folder, ARRAYS, **about, sha256=sha256_text("\n".join((sums, *relations))))


def open_related(folder: Path, *, kind: str) -> RelatedFolder:
    """Map the related words of a folder.

    Raises
    ------
    ResourceError
        If there is no such folder.
    FormatError
        If it is not what was written.
    """
    hint = f"lydite train {kind} writes such folders"
    what = f"a trained {kind}"
    with opened_arrays(folder, ARRAYS, what=what, hint=hint, kind=kind) as (arrays, facts):
        related = RelatedWords.of_arrays(arrays, tuple(facts.pop("relations")))
        _check(related)
        return RelatedFolder(
            related=related,
            lemmas=str(facts["lemmas"]),
            fingerprint=str(facts["sha256"]),
            provenance=facts,
        )


def _check(related: RelatedWords) -> None:
    starts = related.starts
    fits = len(starts) == len(related.lemmas) + 1 and len(related.relations) % 2 == 0
    if not fits or not len(related.columns) == len(related.values) == starts[-1]:
        raise ValueError("arrays do not fit each other")
