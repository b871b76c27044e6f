"""Oracles as files, in the format of QVEC."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.oracles.oracle import Oracle
from lydite.storage import atomic_write_text


def write_oracle(oracle: Oracle, path: Path) -> None:
    """Write ``word TAB {"feature": weight, ...}`` a line; zeros are left out.

    What :func:`lydite.lexicons.oracles.oracle.read_oracle` reads back has the same words and
    values, bit by bit, and all features with a weight anywhere. The file appears whole or not at
    all.
    """
    lines = [_line(oracle, row) for row in range(len(oracle))]
    atomic_write_text(path, "".join(lines))


def _line(oracle: Oracle, row: int) -> str:
    word = oracle.words[row]
    if not word.strip() or word.startswith("# ") or any(mark in word for mark in "\t\n\r"):
        raise InputError(
            f"expected words without tabs and line ends, got {word!r}",
            hint="an oracle has a word a line, and a tab after it",
        )
    if not np.isfinite(oracle.values[row]).all():
        raise InputError(f"expected finite weights, got others for {word!r}")
    weights = {
        oracle.features[column]: float(oracle.values[row, column])
        for column in np.flatnonzero(oracle.values[row]).tolist()
    }
    return f"{word}\t{json.dumps(weights, ensure_ascii=False)}\n"
