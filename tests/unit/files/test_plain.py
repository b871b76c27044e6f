"""JSON and TOML: whatever is wrong is a ValueError."""

from __future__ import annotations

import pytest

from lydite.files.plain import DEEPEST, parse_json, parse_toml


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 900 + "]" * 900, "9" * 5000, '{"a": ' * 70 + "1" + "}" * 70, "{"]
)
def test_json_of_a_stranger(text: str) -> None:
    with pytest.raises(ValueError, match=r"levels|digits|Expecting"):
        parse_json(text)


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 100_000, f"a = {'9' * 5000}", "a." * 100_000 + "a = 1", "a." * 70 + "a = 1"],
)
def test_toml_of_a_stranger(text: str) -> None:
    with pytest.raises(ValueError, match=r"levels|digits|Expected"):
        parse_toml(text)


def test_what_is_not_too_deep_is_read() -> None:
    deep = "[" * DEEPEST + "]" * DEEPEST
    assert parse_json(deep)
    assert parse_json('{"a": 1, "a": 2}', pairs=True) == [("a", 1), ("a", 2)]
    assert parse_toml("a.b = 1") == {"a": {"b": 1}}
