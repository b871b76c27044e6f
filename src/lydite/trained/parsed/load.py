"""Open dependency-parsed text, whatever its notation."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

from lydite.corpora.annotated import is_conllu
from lydite.corpora.lemmas import GIVEN, lemmatizer
from lydite.errors import FormatError, ResourceError
from lydite.files.archives import members
from lydite.files.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.progress import current_progress
from lydite.spaces.cache import describe_problems
from lydite.storage import sha256_file, sha256_text
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.conllu import conllu_blocks
from lydite.trained.parsed.stanford import ENDING, PARTS, stanford_blocks

logger = logging.getLogger(__name__)

ParsedFormat: TypeAlias = Literal["conllu", "stanford"]

#: Changes with what is made of the same file, so that nothing older is taken for the same.
_SCHEME = 1
_HEAD = 1 << 14
_ZIP_MAGIC = b"PK\x03\x04"
_TAR_MAGIC = slice(257, 262)


@dataclass(frozen=True, kw_only=True, eq=False)
class ParsedCorpus:
    """Parsed text in files, read block by block as often as one likes."""

    name: str
    files: tuple[Path, ...]
    format: ParsedFormat
    lemmas: str = GIVEN
    #: What did not fit together and was left out when the corpus was last read.
    problems: Counter[str] = field(default_factory=Counter)

    def blocks(self) -> Iterator[ParsedBlock]:
        """Yield all sentences, some thousand at a time."""
        self.problems.clear()
        tokens = 0
        for block in self._blocks():
            tokens += len(block.tokens)
            current_progress()(f"reading {self.name}", tokens, None)
            yield block
        found = +self.problems
        if found:
            logger.warning("%s: left out: %s", self.name, describe_problems(found))
        if not tokens:
            raise FormatError(
                "expected parsed sentences, got none",
                path=self.files[0],
                hint="check that this is the file you mean",
            )

    def _blocks(self) -> Iterator[ParsedBlock]:
        if self.format == "stanford":
            yield from stanford_blocks(self.files, lemmas=self.lemmas, problems=self.problems)
            return
        for path in self.files:
            yield from conllu_blocks(path, lemmas=self.lemmas)

    @cached_property
    def fingerprint(self) -> str:
        """What blocks depend on: the bytes of the files, the lemmas, the scheme of relations."""
        sums = [sha256_file(path) for path in self.files]
        return sha256_text(f"{_SCHEME} {self.format} {self.lemmas} {' '.join(sums)}")


def open_parsed(
    paths: Sequence[Path | str], *, name: str | None = None, lemmas: str = GIVEN
) -> ParsedCorpus:
    """Open dependency-parsed text; the content decides what it is.

    All notations give the relations of :mod:`lydite.trained.parsed.blocks`.

    - ``paths``: files of CoNLL-U (compressed or not) with labels of Universal Dependencies or of
      spaCy; an archive or folder of Stanford dependencies as GENIA has them; a folder of CoNLL-U,
      such as :func:`~lydite.trained.parsed.spacy.parse_corpus` writes.
    - ``lemmas``: ``given`` for those of the files, or a lemmatizer of the words, by name. A model
      has to be given sentences with lemmas of the same kind as those it was trained on: where it is
      not, what only one kind has ("lp" for "LPS" in GENIA) is never found.
    """
    if lemmas != GIVEN:
        lemmatizer(lemmas)
    found = {file: form for path in paths for file, form in _found(Path(path))}
    forms = set(found.values())
    if len(forms) != 1:
        raise FormatError(
            f"expected parsed text of one kind, got {' and '.join(sorted(forms)) or 'none'}",
            path=Path(paths[0]),
            hint="CoNLL-U, or Stanford dependencies in .dep with .morph and .input beside them",
        )
    return ParsedCorpus(
        name=name or Path(paths[0]).name,
        files=tuple(found),
        format=forms.pop(),
        lemmas=lemmas,
    )


def _found(path: Path) -> Iterator[tuple[Path, ParsedFormat]]:
    """Yield the files of parsed text at a path, which may be a folder with others besides."""
    if path.is_file():
        form = _format(path)
        if form is None:
            raise FormatError(
                "expected parsed text, got something else",
                path=path,
                hint="CoNLL-U, or an archive or folder of Stanford dependencies",
            )
        yield path, form
        return
    if not path.is_dir():
        raise ResourceError(f"expected parsed text, but {path} does not exist", hint="check it")
    below = sorted(file for file in path.rglob("*") if file.is_file() and file.name[0] != ".")
    if any(file.suffix == ENDING for file in below):
        yield from ((file, "stanford") for file in below if file.suffix in PARTS)
    else:
        yield from ((file, "conllu") for file in below if ".conllu" in file.name)


def _format(path: Path) -> ParsedFormat | None:
    if ".conllu" in path.name:
        return "conllu"
    try:
        with open_decompressed(path) as stream:
            head = stream.read(_HEAD)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    if head.startswith(_ZIP_MAGIC) or head[_TAR_MAGIC] == b"ustar":
        inside = (PurePosixPath(member.place).suffix for member in members([path]))
        return "stanford" if ENDING in inside else None
    return "conllu" if is_conllu(head) else None
