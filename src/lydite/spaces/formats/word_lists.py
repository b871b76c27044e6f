"""Word lists: the vocabulary of a matrix that has none inside.

They are one word a line, word2vec's ``word count`` lines, JSON (a list, a mapping to rows, a
tokenizer.json) or Parquet; named by the user or found beside the matrix.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from lydite.errors import FormatError
from lydite.spaces.formats.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.spaces.formats.reading import require_file
from lydite.spaces.formats.text_shape import sniff_shape
from lydite.spaces.vocabulary import PackedWords, pack, pack_bytes

_NEIGHBOURS = (".vocab", ".vocab.txt", ".words", ".words.txt", ".txt", ".parquet")
_SHARED_NEIGHBOURS = ("vocab.txt", "words.txt", "vocabulary.txt", "tokenizer.json", "vocab.json")
_COMPRESSED = {".gz", ".xz", ".zst"}
_BOM = b"\xef\xbb\xbf"
_WORD_AND_COUNT = re.compile(rb"(\S+) \d+")


def vocabulary_beside(path: Path) -> Path | None:
    """Return the word list that lies beside a matrix: ``vectors.vocab`` for ``vectors.npy``."""
    plain = path.with_suffix("") if path.suffix in _COMPRESSED else path
    places = [plain.with_suffix(suffix) for suffix in _NEIGHBOURS]
    places += [path.with_name(name) for name in _SHARED_NEIGHBOURS]
    return next((place for place in places if place != path and place.is_file()), None)


def words_beside(path: Path) -> PackedWords:
    """Read the word list that lies beside a matrix."""
    beside = vocabulary_beside(path)
    if beside is not None:
        return read_words(beside)
    raise FormatError(
        "expected a word list inside the file or beside it, got none",
        path=path,
        hint=f"put one word a line into {path.with_suffix('.vocab').name} beside it, "
        f"or name the list: vectors({path.name}, vocabulary=words.txt)",
    )


def read_words(path: Path) -> PackedWords:
    """Read a word list of any kind; words that are not UTF-8 are left to the caller."""
    require_file(path)
    if path.suffix == ".parquet":
        return _words_of_parquet(path)
    try:
        with open_decompressed(path) as stream:
            content = stream.read().removeprefix(_BOM)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    if ".json" in path.suffixes:
        return pack(_words_of_json(path, content))
    return _words_of_lines(path, content)


def _words_of_lines(path: Path, content: bytes) -> PackedWords:
    """Read one word a line; what follows a tab, or a count after a blank, is passed over."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    words = [line.rstrip(b"\r").split(b"\t", 1)[0] for line in lines]
    counted = [_WORD_AND_COUNT.fullmatch(word) for word in words]
    if all(counted):
        return pack_bytes([match[1] for match in counted if match])
    shape = sniff_shape(b"\n".join(words[:100]))
    if shape is not None and shape.dim > 1:
        raise FormatError(
            f"expected a word list, one word a line, got vectors of {shape.dim} numbers",
            path=path,
            hint="name the word list with vocabulary=, or read this file itself",
        )
    return pack_bytes(words)


def _words_of_json(path: Path, content: bytes) -> list[str]:
    """Read a list, a mapping of words to rows, or a tokenizer.json with one of them inside."""
    try:
        data = json.loads(content)
    except ValueError as error:
        raise FormatError(f"expected JSON, got: {error}", path=path) from error
    if isinstance(data, dict) and isinstance(data.get("model"), dict):
        data = data["model"].get("vocab")
    if isinstance(data, list):
        # Unigram tokenizers list pairs of a piece and its score.
        words = [entry[0] if isinstance(entry, list) and entry else entry for entry in data]
    else:
        words = _in_order_of_rows(data)
    if words and all(isinstance(word, str) for word in words):
        return words
    raise FormatError(
        "expected a JSON list of words, or a mapping of words to the rows 0, 1, 2 …, "
        "got something else",
        path=path,
        hint="write one word a line instead",
    )


def _in_order_of_rows(data: Any) -> list[Any]:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(data, dict):
        return []
    words = {row: word for word, row in data.items() if isinstance(row, int)}
    rows = range(len(data))
    return [words[row] for row in rows] if words.keys() == set(rows) else []


def _words_of_parquet(path: Path) -> PackedWords:
    """Read the first column that holds text."""
    import polars

    try:
        table = polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise FormatError(f"expected a Parquet file, got: {error}", path=path) from error
    texts = table.select(polars.selectors.string())
    if texts.width and not texts.to_series(0).null_count():
        return pack(texts.to_series(0).to_list())
    shown = ", ".join(f"{name} ({kind})" for name, kind in table.schema.items()) or "none"
    raise FormatError(f"expected a column of words without gaps, got columns {shown}", path=path)
