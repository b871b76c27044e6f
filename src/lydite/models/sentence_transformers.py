"""Any model of the library sentence-transformers, from a folder or from the Hugging Face hub.

A vector depends on the other texts in its batch, and on the device, by about 1e-6 of its length.
Code from the hub is never run, and transformer weights are read from safetensors only.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np

from lydite.declare import Param
from lydite.errors import MissingExtraError, ResourceError
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import CACHE, Batch, CachedEncoder, as_texts, assemble
from lydite.storage import sha256_file, sha256_text
from lydite.types import Vectors

_MARKS = ("modules.json", "config.json")  # a model has one of them at least


class _Library(Protocol):
    def encode(self, sentences: list[str], **options: object) -> Vectors: ...


@dataclass(frozen=True)
class SentenceTransformers(Model):
    """Any model of the sentence-transformers library (extra ``sentence``).

    The weights are loaded when the first text is encoded, and are left behind when the object is
    sent to another process.
    """

    name: ClassVar[str] = "sentence-transformers"

    model: Annotated[
        str,
        Param(
            "A folder, or a name on the hub; ``all-MiniLM-L6-v2`` stands for "
            "``sentence-transformers/all-MiniLM-L6-v2``. A model that the hub's cache on this "
            "machine holds is taken from there as it is, without asking for a newer one.",
            key="name",
        ),
    ]
    _: KW_ONLY
    revision: Annotated[str | None, Param("A branch, tag or commit on the hub.")] = None
    batch: Annotated[int, Param("Texts that are encoded at once.", least=1)] = 32
    device: Annotated[
        str | None, Param("``cpu``, ``cuda``, ``mps``; none takes the fastest there is.")
    ] = None
    normalize: Annotated[bool, Param("Scale vectors to length 1.")] = False
    prompt: Annotated[
        str | None, Param("A text put before each text, as instruction-tuned models want it.")
    ] = None
    cache: Annotated[bool, CACHE] = True

    @classmethod
    def open(cls, model: str, **parameters: Any) -> SentenceTransformers | CachedEncoder:  # noqa: ANN401
        """Look for the library, and put a cache around the encoder."""
        _require()
        made = cls(model, **parameters)
        identity = json.dumps(["sentence-transformers", made.normalize, made.prompt])
        return CachedEncoder(made, identity) if made.cache else made

    def __getstate__(self) -> dict[str, object]:
        """Leave the weights behind."""
        return {key: value for key, value in self.__dict__.items() if key != "_library"}

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of what the model is.

        That is the library's version with, for a folder, the content of all its files; for a name,
        the name and its commit. A model that the hub's cache does not hold is fetched for this.
        """
        library = _require()
        if _is_model(Path(self.model)):
            source = _content(Path(self.model))
        else:
            if self._commit() is None:
                _ = self._library
            source = f"{self.model}@{self._commit() or self.revision}"
        return sha256_text(f"{library} {source}")

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, float32 (n, d)."""
        texts = as_texts(texts)
        if not texts:
            return self._vectors([""])[:0]
        return assemble(self.batches(texts), count=len(texts), spec=self.spec)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batches of texts of about one length, the longest first: less is padded."""
        texts = as_texts(texts)
        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        for start in range(0, len(order), self.batch):
            part = order[start : start + self.batch]
            yield part, self._vectors([texts[at] for at in part])

    def _vectors(self, texts: list[str]) -> Vectors:
        vectors = self._library.encode(
            texts,
            batch_size=self.batch,
            prompt=self.prompt,
            normalize_embeddings=self.normalize,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _library(self) -> _Library:
        _require()
        library = importlib.import_module("sentence_transformers")
        commit = self._commit()
        at_hand = commit is not None or Path(self.model).is_dir()
        try:
            with _without_bars() if at_hand else contextlib.nullcontext():
                loaded: _Library = library.SentenceTransformer(
                    self.model,
                    revision=commit or self.revision,
                    device=self.device,
                    trust_remote_code=False,
                    model_kwargs={"use_safetensors": True},
                )
        except Exception as error:  # the library raises whatever its many parts raise
            raise self._not_loaded(error) from error
        return loaded

    def _not_loaded(self, error: Exception) -> ResourceError:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        if "trust_remote_code" in reason:
            hint = "models that bring code of their own are not run"
        elif "safetensors" in reason:
            hint = "weights are read from safetensors only; convert the model first"
        elif _is_model(Path(self.model)):
            hint = "the model's folder is there: is it whole, and does this machine have device=?"
        elif Path(self.model).exists() or self.model.count("/") > 1:
            hint = "expected a folder with the model's modules.json or config.json"
        else:
            hint = (
                "give a folder that holds the model, or fetch it once while online: "
                f"hf download {self._candidates()[0]} (HF_HUB_OFFLINE forbids that while it is set)"
            )
        return ResourceError(
            f"the sentence-transformers model {self.model!r} could not be loaded: {reason}",
            hint=hint,
        )

    def _candidates(self) -> list[str]:
        # As the library does, save for a few old names without an owner, found second.
        return (
            [self.model]
            if "/" in self.model
            else [f"sentence-transformers/{self.model}", self.model]
        )

    def _commit(self) -> str | None:
        """Return the commit in the hub's cache, or None where there is none."""
        if Path(self.model).is_dir():
            return None
        hub = importlib.import_module("huggingface_hub")
        folder = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
        for name in self._candidates():
            for file in _MARKS:
                try:
                    found = hub.try_to_load_from_cache(
                        name, file, revision=self.revision, cache_dir=folder
                    )
                except ValueError:  # not a name that the hub could have
                    continue
                if isinstance(found, str):
                    return Path(found).parent.name
        return None


def _require() -> str:
    """Return the library's version."""
    if importlib.util.find_spec("sentence_transformers") is None:
        raise MissingExtraError("a sentence-transformers model", extra="sentence")
    return f"sentence-transformers {version('sentence-transformers')}"


def _is_model(folder: Path) -> bool:
    return any((folder / file).is_file() for file in _MARKS)


@contextlib.contextmanager
def _without_bars() -> Iterator[None]:
    """Keep the library from drawing progress on the terminal; downloads may."""
    bars = importlib.import_module("transformers").utils.logging
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()


def _content(folder: Path) -> str:
    """Return the sha256 of all files in a folder, hidden ones aside."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.parts[len(folder.parts) :])
    )
    listed = [(path.relative_to(folder).as_posix(), sha256_file(path)) for path in files]
    return sha256_text(json.dumps(listed))
