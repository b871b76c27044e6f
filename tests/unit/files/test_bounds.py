"""Bombs, pipes and encodings that are none: a clear error, little memory, no waiting."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import zstandard

from lydite.errors import FormatError, InputError, LyditeError, ResourceError
from lydite.files import bounds
from lydite.files.compression import open_decompressed
from lydite.files.lines import numbered_lines, read_content, text_lines
from lydite.models.catalogue import load

_FILLED = 200 * (1 << 20)


def _gz(path: Path, line: bytes, size: int = _FILLED) -> Path:
    block = line * ((1 << 20) // len(line))
    with gzip.open(path, "wb", compresslevel=9) as stream:
        for _ in range(size // len(block)):
            stream.write(block)
    return path


@pytest.mark.parametrize("reads", [read_content, lambda path: list(numbered_lines(path))])
def test_a_bomb_is_refused_and_the_variable_named(tmp_path: Path, reads: object) -> None:
    path = _gz(tmp_path / "bomb.gz", b"a b 1\n")
    assert callable(reads)
    with pytest.raises(FormatError, match="for each compressed one") as caught:
        reads(path)
    assert caught.value.hint is not None
    assert bounds.RATIO_VARIABLE in caught.value.hint


@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_every_compression_is_bounded(tmp_path: Path, kind: str) -> None:
    made = io.BytesIO()
    np.save(made, np.zeros((1 << 18, 100), np.float32))
    plain = made.getvalue()
    packed = {
        "gz": lambda: gzip.compress(plain),
        "xz": lambda: lzma.compress(plain, preset=0),
        "zst": lambda: zstandard.compress(plain),
    }[kind]()
    path = tmp_path / f"zeros.npy.{kind}"
    path.write_bytes(packed)
    with pytest.raises(FormatError, match="for each compressed one"):
        load(str(path))
    with open_decompressed(path) as stream, pytest.raises(FormatError, match="compressed one"):
        stream.read()


def test_a_bound_can_be_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _gz(tmp_path / "zeros.gz", b"\0", 1 << 26)
    monkeypatch.setenv(bounds.RATIO_VARIABLE, "2000")
    with open_decompressed(path) as stream:
        assert sum(len(block) for block in iter(lambda: stream.read(1 << 20), b"")) == 1 << 26
    monkeypatch.setenv(bounds.RATIO_VARIABLE, "many")
    with pytest.raises(InputError, match="whole number above 0"):
        bounds.max_ratio()


def test_ordinary_text_is_no_bomb(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    text = "\n".join(f"w{i} {v:.5f}" for i, v in enumerate(rng.normal(size=400_000)))
    content = text.encode() * 6
    assert len(content) > bounds.FREE_BYTES
    path = tmp_path / "vectors.gz"
    path.write_bytes(gzip.compress(content, compresslevel=1))
    with open_decompressed(path) as stream:
        assert stream.read() == content


def test_what_is_held_in_memory_has_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("a\n" * 100)
    monkeypatch.setenv(bounds.BYTES_VARIABLE, "100")
    with pytest.raises(FormatError, match="at most 100 bytes") as caught:
        read_content(path)
    assert bounds.BYTES_VARIABLE in (caught.value.hint or "")


def test_an_npz_whose_members_are_far_larger_than_it_is(tmp_path: Path) -> None:
    path = tmp_path / "zeros.npz"
    np.savez_compressed(path, vectors=np.zeros((1 << 17, 300), np.float32))
    with pytest.raises(FormatError, match="for each compressed one"):
        load(str(path))


def test_an_npz_with_endless_texts_of_no_letters(tmp_path: Path) -> None:
    header = "{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000000,), }"
    member = io.BytesIO()
    np.lib.format.write_array(member, np.zeros(1, np.float32))
    raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    path = tmp_path / "empty.npz"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("words.npy", raw)
        packed.writestr("vectors.npy", member.getvalue())
    with pytest.raises(FormatError, match="expected arrays"):
        load(str(path))


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize("make", [_pipe, _socket, Path.mkdir])
def test_what_is_no_file_is_never_waited_for(
    tmp_path: Path, make: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("odd.txt")
    assert callable(make)
    make(path)
    for reads in (read_content, lambda path: next(text_lines(path)), lambda path: load(str(path))):
        with pytest.raises(LyditeError):
            reads(path)
    if make is not Path.mkdir:
        with pytest.raises(ResourceError, match="expected a file, got a pipe"):
            bounds.open_file(path)


@pytest.mark.parametrize("name", ["hex", "rot13", "undefined", "punycode", "no-such", "a\0b"])
def test_an_encoding_that_is_none_of_texts(tmp_path: Path, name: str) -> None:
    path = tmp_path / "text.txt"
    path.write_text("one\n")
    with pytest.raises(InputError, match="no encoding of texts"):
        list(text_lines(path, name))


def test_a_book_that_claims_such_an_encoding(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("Project Gutenberg\nCharacter set encoding: hex\nétude\n", "utf-8")
    assert [line for _, line in text_lines(path)][-1] == "étude"


def test_a_line_without_blanks_is_cut_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("x" * 100)
    assert [line for _, line in text_lines(path, longest=30)] == ["x" * 30] * 3 + ["x" * 10]


def test_a_bomb_of_pairs_takes_little_memory(tmp_path: Path) -> None:
    path = _gz(tmp_path / "pairs.txt.gz", b"a b 1\n", 1 << 30)
    code = (
        "import sys; from pathlib import Path; from lydite.lexicons.pairs import read_pairs\n"
        "from lydite.errors import LyditeError\n"
        "try: read_pairs(Path(sys.argv[1]))\n"
        "except LyditeError as error: print(type(error).__name__)\n"
        "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    name, peak = ran.stdout.split()
    assert name == "FormatError"
    assert int(peak) < 3000
