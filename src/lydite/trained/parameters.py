"""Parameters that several recipes take, each with its help, and how declared values are checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from lydite.declare import SEEDS, Field, Param, Slot, fields_of
from lydite.errors import InputError
from lydite.models.contexts import check_count, check_number

Dim: TypeAlias = Annotated[int, Param("Dimensions.", least=1)]
Window: TypeAlias = Annotated[int, Param("Words on either side of a word.", least=1)]
Negative: TypeAlias = Annotated[int, Param("Negative samples.", least=1)]
MinCount: TypeAlias = Annotated[int, Param("Leave out rarer words.", least=1)]
Limit: TypeAlias = Annotated[
    int | None, Param("Keep only this many words, the most frequent.", least=2)
]
Epochs: TypeAlias = Annotated[int, Param("Passes over the corpus.", least=1)]
Sample: TypeAlias = Annotated[
    float, Param("Drop words at random that are more frequent than this; 0: none.", least=0)
]
Alpha: TypeAlias = Annotated[float, Param("The learning rate.", above=0)]
Seed: TypeAlias = Annotated[int, Param("Seed for everything random.", least=0, most=SEEDS)]
#: For libraries that keep a seed in 32 bits.
ShortSeed: TypeAlias = Annotated[int, Param("Seed for everything random.", least=0, most=2**32 - 1)]
Workers: TypeAlias = Annotated[
    int, Param("Number of threads; with more than one, no two runs are equal.", least=1)
]
Exponent: TypeAlias = Annotated[float, Param("Exponent of the singular values.")]
Smoothing: TypeAlias = Annotated[float, Param("Exponent of the counts of contexts.")]
Unit: TypeAlias = Annotated[bool, Param("Scale vectors to length 1.")]

RunningText: TypeAlias = Annotated[
    tuple[str, ...],
    Slot(
        "corpus",
        "Running text: files, folders or names; gz, xz, zst, lines of JSON.",
        accepts=("corpus", "book"),
    ),
]
Excluded: TypeAlias = Annotated[
    tuple[str, ...],
    Slot("exclude", "Paraphrase groups whose sentences are not trained on.", metavar="NAME|FILE"),
]
Encoding: TypeAlias = Annotated[
    str | None, Param("Encoding of the files; by default UTF-8, or what the files declare.")
]
JsonField: TypeAlias = Annotated[str, Param("JSON field that contains the text.")]
SafetensorsFile: TypeAlias = Annotated[Path, Param("The file to write; ends in .safetensors.")]
NewFolder: TypeAlias = Annotated[Path, Param("The folder to write, a new one.")]


def check_declared(declared: object) -> None:
    """Refuse values that are not among the choices or within the bounds of their fields."""
    for each in fields_of(type(declared)):
        value = each.of(declared)
        if not each.path and not (value is None and each.optional):
            _check(each, value)


def _check(each: Field, value: Any) -> None:  # noqa: ANN401
    if each.choices:
        if value not in each.choices:
            said = ", ".join(map(str, each.choices))
            raise InputError(f"expected {each.key} among {said}, got {value!r}")
    elif each.kind is bool and not isinstance(value, bool):
        raise InputError(f"expected {each.key} to be true or false, got {value!r}")
    elif isinstance(each.param, Param):
        _check_bounds(each.key, each.kind, each.param, value)


def _check_bounds(name: str, kind: type, param: Param, value: Any) -> None:  # noqa: ANN401
    if name == "seed" and param.most is not None:
        if type(value) is not int or not 0 <= value <= param.most:
            bits = int(param.most).bit_length()
            raise InputError(f"expected a seed from 0 to 2^{bits} - 1, got {value!r}")
    elif kind is int and param.least is not None:
        check_count(name, value, least=int(param.least))
    elif kind is float and param.above is not None:
        check_number(name, value, least=param.above, above=True)
    elif kind is float and param.least is not None:
        check_number(name, value, least=param.least)


#: What a kind of value is called, and what will do for it.
_KINDS: Mapping[type, tuple[str, tuple[type, ...]]] = {
    bool: ("true or false", (bool,)),
    int: ("a whole number", (int,)),
    float: ("a number", (float, int)),
    str: ("a text", (str,)),
}


def parameters_by_key(declared: type) -> dict[str, Field]:
    """Return the fields of a declared dataclass by what a spec calls them, shared ones once."""
    found: dict[str, Field] = {}
    for each in fields_of(declared):
        found.setdefault(each.key, each)
    return found


def check_kinds(declared: type, given: Mapping[str, Any]) -> None:
    """Refuse a value of another kind than its field, such as a text for a number.

    >>> from lydite.corpora.preparation import Preparation
    >>> check_kinds(Preparation, {"lower": "no"})
    Traceback (most recent call last):
    lydite.errors.InputError: expected lower to be true or false, got 'no'
    """
    fields = parameters_by_key(declared)
    for name, value in given.items():
        if value is None and fields[name].optional:
            continue
        what, kinds = _KINDS[fields[name].kind]
        if type(value) not in kinds:
            raise InputError(f"expected {name} to be {what}, got {value!r}")
