"""A trained network in one safetensors file.

Tensors are the matrices of :class:`~lydite.models.urae.weights.Weights`, ``mean`` (w,) and
``scale`` (1,) of the word vectors, and ``seen``, the sorted hashes of the sentences trained on. The
metadata hold ``provenance``, as JSON: ``recipe``, ``words`` (spec, fingerprint and dimensions of
the word model) and what the file was made from.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.trees.forest import Forest
from lydite.corpora.trees.keys import tree_keys
from lydite.errors import FormatError, InputError, ResourceError
from lydite.models.catalogue import model_fingerprint, model_spec
from lydite.models.seen import sentence_hash
from lydite.models.urae.scaling import Scaling
from lydite.models.urae.training import TrainedUrae, UraeRecipe
from lydite.models.urae.weights import Weights, count_weights, weights_over
from lydite.spaces.vocabulary import Hashes
from lydite.storage import atomic_writer
from lydite.types import PlainMapping

_HINT = "lydite train urae writes such files"


class WordsUsed(TypedDict):
    """Which word model a network was trained on."""

    spec: str
    fingerprint: str | None
    dim: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Autoencoder:
    """What a file holds."""

    weights: Weights
    scaling: Scaling
    recipe: UraeRecipe
    words: WordsUsed
    seen: Hashes


def check_name(path: Path) -> None:
    """Refuse a name that does not end as it should, best before anything is trained."""
    if path.suffix.lower() != ".safetensors":
        raise InputError(f"{path}: expected a name that ends in .safetensors", hint=_HINT)


def autoencoder(
    trained: TrainedUrae, forest: Forest, words: object, recipe: UraeRecipe
) -> Autoencoder:
    """Put together what is to be written."""
    width = len(trained.scaling.mean)
    hashes = [sentence_hash((key,)) for key in tree_keys(forest)]
    return Autoencoder(
        weights=weights_over(trained.weights, recipe.dim, width),
        scaling=trained.scaling,
        recipe=recipe,
        words={
            "spec": model_spec(words),
            "fingerprint": model_fingerprint(words),
            "dim": width,
        },
        seen=np.unique(np.array(hashes, dtype=np.uint64)),
    )


def write_autoencoder(
    network: Autoencoder, path: Path, *, provenance: PlainMapping | None = None
) -> None:
    """Write a network, atomically, with what it was made from."""
    from safetensors.numpy import save

    check_name(path)
    tensors: dict[str, NDArray[Any]] = {
        **{name: tensor for name, tensor in network.weights._asdict().items() if tensor.size},
        "mean": network.scaling.mean,
        "scale": np.array([network.scaling.scale]),
        "seen": network.seen,
    }
    about = {
        **(provenance or {}),
        "recipe": dataclasses.asdict(network.recipe),
        "words": network.words,
    }
    whole = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    # One entry alone: the library writes several in an order that changes from run to run.
    metadata = {"provenance": json.dumps(about, ensure_ascii=False, sort_keys=True)}
    with atomic_writer(path) as stream:
        stream.write(save(whole, metadata))


def read_autoencoder(path: Path) -> Autoencoder:
    """Open a trained network.

    Raises
    ------
    ResourceError
        If there is no such file.
    FormatError
        If it is no such network, or is damaged.
    """
    if not path.is_file():
        raise ResourceError(f"{path}: expected a file of a trained urae, found none", hint=_HINT)
    tensors, about = _contents(path)
    try:
        recipe = UraeRecipe(**about["recipe"])
        used = about["words"]
        words = WordsUsed(
            spec=str(used["spec"]), fingerprint=used["fingerprint"], dim=int(used["dim"])
        )
    except (KeyError, TypeError, InputError) as error:
        raise FormatError(
            "expected a trained urae, got safetensors that do not say how they were trained",
            path=path,
            hint=_HINT,
        ) from error
    weights = _weights(path, tensors, recipe.dim, words["dim"])
    _check(path, tensors, {"mean": (words["dim"],), "scale": (1,)})
    return Autoencoder(
        weights=weights,
        scaling=Scaling(mean=tensors["mean"], scale=float(tensors["scale"][0])),
        recipe=recipe,
        words=words,
        seen=tensors.get("seen", np.zeros(0, dtype=np.uint64)),
    )


def _contents(path: Path) -> tuple[dict[str, NDArray[Any]], Any]:
    import safetensors

    try:
        with safetensors.safe_open(path, framework="np") as file:
            tensors = {name: np.asarray(file.get_tensor(name)) for name in file.keys()}  # noqa: SIM118
            return tensors, json.loads((file.metadata() or {}).get("provenance", "{}"))
    except (safetensors.SafetensorError, ValueError, TypeError) as error:
        raise FormatError(
            f"expected a safetensors file, got: {error}",
            path=path,
            hint=f"the file may be cut off, or of another kind; {_HINT}",
        ) from error


def _weights(path: Path, tensors: dict[str, NDArray[Any]], dim: int, width: int) -> Weights:
    weights = weights_over(np.zeros(count_weights(dim, width), dtype=np.float32), dim, width)
    wanted = {name: part for name, part in weights._asdict().items() if part.size}
    _check(path, tensors, {name: part.shape for name, part in wanted.items()})
    for name, part in wanted.items():
        part[:] = tensors[name]
    return weights


def _check(
    path: Path, tensors: dict[str, NDArray[Any]], expected: dict[str, tuple[int, ...]]
) -> None:
    for name, shape in expected.items():
        got = tensors[name].shape if name in tensors else "nothing"
        if got != shape:
            raise FormatError(
                f"expected numbers of the shape {shape} in {name!r}, got {got}",
                path=path,
                hint=_HINT,
            )
        if not np.isfinite(tensors[name]).all():
            raise FormatError(
                f"expected finite numbers in {name!r}, got others", path=path, hint=_HINT
            )
