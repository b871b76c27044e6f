"""The vector formats: which there are, which one a file has, and how it is read.

A new format is a module with a `Format`, and an entry in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from lydite.errors import FormatError, InputError
from lydite.files.bounds import require_file
from lydite.files.compression import COMPRESSIONS, DECOMPRESSION_ERRORS, damaged, open_decompressed
from lydite.spaces.formats.arrays import NPY, NPZ
from lydite.spaces.formats.format import Format
from lydite.spaces.formats.rows import Chunk, Reading
from lydite.spaces.formats.safetensors import SAFETENSORS
from lydite.spaces.formats.text import LONGEST_LINE, TEXT
from lydite.spaces.formats.word2vec_binary import WORD2VEC_BINARY

#: In the order of messages; of two that recognize a file, the first reads it.
FORMATS: tuple[Format, ...] = (TEXT, WORD2VEC_BINARY, NPY, NPZ, SAFETENSORS)

_HEAD = 1 << 18
_PICKLE_HINT = (
    "Lydite never loads pickles, since they can run code. With gensim: "
    "KeyedVectors.load(path).save_word2vec_format('vectors.txt')"
)
#: The first bytes of files that are often taken for vector files: what they are, what to do.
_OTHERS = {
    b"\xba\x16\x4f\x2f": (
        "a fastText model with subwords (.bin)",
        "use the .vec file that fastText writes beside it",
    ),
    **{b"\x80" + bytes([n]): ("a Python pickle", _PICKLE_HINT) for n in range(2, 6)},
    b"\xff\xfe": ("text in UTF-16", "save it in UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it in UTF-8"),
}


def file_suffixes() -> frozenset[str]:
    """Return the endings of vector files, and those of compressed files."""
    return frozenset(suffix for form in FORMATS for suffix in form.suffixes) | set(COMPRESSIONS)


def written_suffixes() -> list[str]:
    """Return the endings of files that can be written."""
    return [suffix for form in FORMATS if form.write for suffix in form.suffixes]


def describe_written_suffixes() -> str:
    """Say which ending of a file to write chooses which format.

    >>> print(describe_written_suffixes())
    .txt or .vec (word2vec text), .bin (word2vec binary), ...; then .gz, .xz or .zst
    """
    forms = []
    for form in FORMATS:
        if form.write is not None:
            suffixes = " or ".join(form.suffixes)
            forms.append(
                suffixes if suffixes.endswith(form.title) else f"{suffixes} ({form.title})"
            )
    *most, last = COMPRESSIONS
    return f"{', '.join(forms)}; then {', '.join(most)} or {last}"


def format_of_name(path: Path) -> tuple[Format | None, str]:
    """Return the format that a file's name asks for, and the ending of its compression or ''.

    >>> form, compression = format_of_name(Path("vectors.TXT.gz"))
    >>> form.name, compression
    ('text', '.gz')
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = suffixes.pop() if suffixes and suffixes[-1] in COMPRESSIONS else ""
    ending = suffixes[-1] if suffixes else ""
    return next((form for form in FORMATS if ending in form.suffixes), None), compression


def detect(path: Path) -> Format:
    """Return the format of a vector file, from its content.

    Raises
    ------
    ResourceError
        If there is no such file, or it cannot be read.
    FormatError
        For files that are none of the known formats, with what they seem to be.
    """
    return _recognize(path)[0]


def _recognize(path: Path) -> tuple[Format, bytes]:
    """Return the format of a file, and its first bytes."""
    require_file(path)
    head = _head(path)
    if not head.strip():
        raise FormatError("expected word vectors, got an empty file", path=path)
    form = _matching(head, guessed=False)
    if form is None:
        for magic, (what, hint) in _OTHERS.items():
            if head.startswith(magic):
                raise FormatError(f"expected word vectors, got {what}", path=path, hint=hint)
        form = _matching(head, guessed=True)
    if form is not None:
        return form, head
    shown = head[:40].decode("utf-8", "replace")
    known = [title for form in FORMATS for title in (form.title, *form.other_titles)]
    raise FormatError(
        f"expected word vectors (a word and numbers per line, or a known binary format), "
        f"got a file that starts with {shown!r}",
        path=path,
        line=1,
        hint=f"Lydite reads {', '.join(known)}",
    )


def _matching(head: bytes, *, guessed: bool) -> Format | None:
    forms = (form for form in FORMATS if form.guessed == guessed)
    return next((form for form in forms if form.recognizes(head)), None)


def takes_word_list(path: Path) -> bool:
    """Tell whether a file holds a matrix whose words may stand in another file."""
    try:
        with open_decompressed(path) as stream:
            head = stream.read(16)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    form = _matching(head, guessed=False)
    return form is not None and form.takes_word_list


def read_chunks(reading: Reading, vocabulary: Path | None = None) -> Generator[Chunk, None, None]:
    """Read a vector file of any known format, in chunks of rows.

    Nothing is raised for faulty rows: they come with the chunks, and the caller decides
    (:meth:`~lydite.spaces.formats.rows.Reading.settle`). The vocabulary is a word list, for
    matrices that have none inside.
    """
    path = reading.path
    try:
        form, head = _recognize(path)
        if vocabulary is not None and not form.takes_word_list:
            raise InputError(
                f"{path}: expected a matrix to go with the word list {vocabulary}, "
                f"got a file that has words of its own",
                hint="leave the word list out",
            )
        yield from form.read(reading, head, vocabulary)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error


def _head(path: Path) -> bytes:
    """Return the first bytes, more if there is no whole line among them."""
    try:
        with open_decompressed(path) as stream:
            head = stream.read(_HEAD)
            while b"\n" not in head and len(head) < LONGEST_LINE and (more := stream.read(_HEAD)):
                head += more
            return head
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
