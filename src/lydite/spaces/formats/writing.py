"""Write a space to a file whose ending chooses format and compression."""

from __future__ import annotations

from pathlib import Path

from lydite.errors import InputError
from lydite.files.compression import open_compressed
from lydite.progress import Progress, silent
from lydite.spaces.formats.catalogue import format_of_name, written_suffixes
from lydite.spaces.formats.rows import complain_of_words
from lydite.spaces.space import Space
from lydite.storage import output_writer
from lydite.types import PlainMapping


def write_space(
    space: Space,
    path: Path,
    *,
    provenance: PlainMapping | None = None,
    progress: Progress = silent,
) -> None:
    """Write a space in the format that the name of the file asks for, atomically.

    Parameters
    ----------
    path
        Its ending chooses the format and the compression; ``lydite convert --help`` lists them.
    provenance
        What the space was made from, in plain data. Like counts and context vectors it is kept by
        safetensors alone (:func:`keeps_all`).
    """
    form, compression = format_of_name(path)
    if form is None or form.write is None:
        raise InputError(
            f"{path}: expected a name that ends in one of {', '.join(written_suffixes())} "
            f"(then .gz, .xz or .zst to compress)",
            hint="the ending of the output file chooses the format",
        )
    if path.is_dir():
        raise InputError(f"{path}: expected the name of a file to write, got a folder")
    for row, (_, message) in complain_of_words(space.vocabulary.words).items():
        raise InputError(f"{path}: {space.vocabulary[row][:40]!r} cannot be written: {message}")
    with output_writer(path) as raw, open_compressed(raw, compression) as stream:
        form.write(space, stream, progress, provenance)


def keeps_all(path: Path) -> bool:
    """Tell whether the format that a file's name asks for keeps counts, contexts and provenance.

    >>> keeps_all(Path("vectors.safetensors.zst")), keeps_all(Path("vectors.txt"))
    (True, False)
    """
    form, _ = format_of_name(path)
    return form is not None and form.keeps_all
