"""Paragraph vectors in one safetensors file, without pickle.

Tensors, for n words, d dimensions and m different sentences:

========== ====================================== ==============================================
words      U8                                     the words in UTF-8, end to end
offsets    I64 (n + 1,)                           where each begins in ``words``
counts     I64 (n,)                               how often each stands in the corpus
outputs    F32 (n, d) or (n + 1, (1 + 2 window) d)  what predicts words
vectors    F32 (n, d)                             of words, for PV-DM alone
padding    F32 (d,)                               of the padding word, for PV-DM alone
seen       U64 (m,)                               sorted hashes of the sentences trained on
paragraphs F32 (sentences, d)                     their vectors, if they were to be kept
========== ====================================== ==============================================

The metadata hold ``provenance``, as JSON: ``recipe``, ``preparation``, and what the file was made
from. Weights are mapped, not read, so that a large file opens at once and processes share it.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.preparation import Preparation
from lydite.errors import FormatError, InputError, ResourceError
from lydite.models.paragraph_vectors.network import Network
from lydite.models.paragraph_vectors.recipe import ParagraphRecipe
from lydite.spaces.vocabulary import PackedWords
from lydite.storage import atomic_writer
from lydite.types import PlainMapping

_TYPES = {"U8": np.uint8, "I64": np.int64, "U64": np.uint64, "F32": np.float32}
_HINT = "lydite train pv-dm and pv-dbow write such files"


def check_name(path: Path) -> None:
    """Refuse a name that does not end as it should, best before anything is trained."""
    if path.suffix.lower() != ".safetensors":
        raise InputError(
            f"{path}: expected a name that ends in .safetensors",
            hint="compressed files cannot be mapped into memory",
        )


def write_network(network: Network, path: Path, *, provenance: PlainMapping | None = None) -> None:
    """Write trained paragraph vectors, atomically.

    Parameters
    ----------
    network
        What to write.
    path
        Ends in ``.safetensors``; not compressed, since it is mapped into memory.
    provenance
        What it was made from, in plain data.
    """
    from safetensors.numpy import save

    check_name(path)
    tensors: dict[str, NDArray[Any] | None] = {
        "words": network.words.letters,
        "offsets": network.words.offsets,
        "counts": network.counts,
        "outputs": network.outputs,
        "vectors": None if network.vectors is None else network.vectors[:-1],
        "padding": None if network.vectors is None else network.vectors[-1],
        "seen": network.seen,
        "paragraphs": network.paragraphs,
    }
    there = {name: np.ascontiguousarray(t) for name, t in tensors.items() if t is not None}
    about = {
        **(provenance or {}),
        "recipe": dataclasses.asdict(network.recipe),
        "preparation": dataclasses.asdict(network.preparation),
    }
    # One entry alone: the library writes several in an order that changes from run to run.
    metadata = {"provenance": json.dumps(about, ensure_ascii=False, sort_keys=True)}
    with atomic_writer(path) as stream:
        stream.write(save(there, metadata))


def read_network(path: Path) -> Network:
    """Open trained paragraph vectors.

    Raises
    ------
    ResourceError
        If there is no such file.
    FormatError
        If it is no file of paragraph vectors, or is damaged.
    """
    if not path.is_file():
        raise ResourceError(f"{path}: expected a file of paragraph vectors, found none", hint=_HINT)
    about = _provenance(path)
    try:
        recipe = ParagraphRecipe(**about["recipe"])
        preparation = Preparation(**about["preparation"])
    except (KeyError, TypeError, InputError) as error:
        raise FormatError(
            "expected paragraph vectors, got safetensors that do not say how they were trained",
            path=path,
            hint=_HINT,
        ) from error
    tensors = _mapped(path)
    _check(path, recipe, tensors)
    vectors = None
    if recipe.pads:
        vectors = np.concatenate([tensors["vectors"], tensors["padding"][None]])
    return Network(
        recipe=recipe,
        preparation=preparation,
        words=PackedWords(letters=tensors["words"], offsets=tensors["offsets"]),
        counts=tensors["counts"],
        outputs=tensors["outputs"],
        vectors=vectors,
        seen=tensors["seen"],
        paragraphs=tensors.get("paragraphs"),
    )


def _provenance(path: Path) -> Any:  # noqa: ANN401 - plain data
    """Return the metadata; the library checks the header and the length of the file."""
    import safetensors

    try:
        with safetensors.safe_open(path, framework="np") as file:
            return json.loads((file.metadata() or {}).get("provenance", "{}"))
    except (safetensors.SafetensorError, ValueError) as error:
        raise FormatError(
            f"expected a safetensors file, got: {error}",
            path=path,
            hint=f"the file may be cut off, or of another kind; {_HINT}",
        ) from error


def _mapped(path: Path) -> dict[str, NDArray[Any]]:
    """Map the tensors, which the library would copy into memory."""
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(size))
    del header["__metadata__"]
    whole = np.memmap(path, dtype=np.uint8, mode="r", offset=0)
    tensors: dict[str, NDArray[Any]] = {}
    for name, entry in header.items():
        kind = _TYPES.get(entry["dtype"])
        if kind is not None:
            start, stop = (8 + size + at for at in entry["data_offsets"])
            tensors[name] = np.asarray(whole[start:stop]).view(kind).reshape(entry["shape"])
    return tensors


def _check(path: Path, recipe: ParagraphRecipe, tensors: dict[str, NDArray[Any]]) -> None:
    """Refuse tensors that do not fit each other: compiled code reads them without looking."""
    words = len(tensors["counts"]) if "counts" in tensors else 0
    expected: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
        "counts": (np.int64, (words,)),
        "offsets": (np.int64, (words + 1,)),
        "outputs": (np.float32, (words + recipe.pads, recipe.inputs)),
    }
    if recipe.pads:
        expected["vectors"] = (np.float32, (words, recipe.dim))
        expected["padding"] = (np.float32, (recipe.dim,))
    for name, whole in (("words", np.uint8), ("seen", np.uint64)):
        expected[name] = (whole, (tensors[name].size if name in tensors else 0,))
    for name, (kind, shape) in expected.items():
        array = tensors.get(name)
        if array is None or array.dtype != kind or array.shape != shape:
            got = "nothing" if array is None else f"{array.dtype} {array.shape}"
            raise FormatError(
                f"expected {np.dtype(kind)} {shape} in {name!r}, got {got}", path=path, hint=_HINT
            )
    _check_words(path, tensors)


def _check_words(path: Path, tensors: dict[str, NDArray[Any]]) -> None:
    offsets, counts = tensors["offsets"], tensors["counts"]
    fits = offsets[0] == 0 and offsets[-1] == len(tensors["words"]) and (np.diff(offsets) > 0).all()
    if not (fits and len(counts) > 1 and (counts > 0).all()):
        raise FormatError(
            "expected at least two words, each with a count from 1", path=path, hint=_HINT
        )
