"""JSON and TOML of strangers: whatever is wrong with them is a ValueError, and nothing else."""

from __future__ import annotations

import json
import tomllib
from typing import Any

#: Levels of lists and tables inside each other; what Lydite reads has a handful.
DEEPEST = 64
#: Parts of a dotted key, between two signs of equality; the library's work grows with their square.
_MOST_DOTS = 5_000


def parse_json(text: str | bytes, *, pairs: bool = False) -> Any:  # noqa: ANN401 - any JSON
    """Parse JSON; what is too deep, or a number of too many digits, is a ValueError like the rest.

    With ``pairs`` an object is a list of names with values, of which several may be the same.

    >>> parse_json('{"a": [1]}')
    {'a': [1]}
    """
    try:
        value = json.loads(text, object_pairs_hook=list if pairs else None)
    except RecursionError:
        raise _too_deep() from None
    _check_depth(value)
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; everything that is wrong is a ValueError."""
    if any(part.count(".") > _MOST_DOTS for part in text.split("=")):
        raise _too_deep()
    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise _too_deep() from None
    _check_depth(value)
    return value


def _check_depth(value: object) -> None:
    level: list[object] = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inside
            for each in level
            if isinstance(each, dict | list | tuple)
            for inside in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"more than {DEEPEST} levels inside each other")
