"""Every error that Lydite raises on purpose.

::

    LyditeError
    ├── InputError (ValueError)             the call or the input was wrong
    │   ├── FormatError                     a file does not hold what it should
    │   ├── SpecError                       a spec cannot be parsed or built
    │   ├── UnknownNameError (LookupError)  no such model, evaluation or resource
    │   └── UnsuitableModelError (TypeError)  the evaluation makes no sense for this model
    ├── MissingWordError (LookupError)      a word is absent and the policy is ``error``
    ├── UndefinedScoreError (ArithmeticError)  the score does not exist for this input
    ├── MissingExtraError (ImportError)     an optional package is not installed
    ├── ResourceError (OSError)             data cannot be found, fetched or verified
    │   └── ChecksumError                   the bytes are not the pinned ones
    ├── EndpointError (ConnectionError)     an embeddings server did not answer as it should
    └── UnexpectedError (RuntimeError)      nobody thought of this: to be reported

Each message says what was expected, what came, and where; the hint says what to do next.
"""

from __future__ import annotations

from pathlib import Path


class LyditeError(Exception):
    """Base of all errors of this package.

    Parameters
    ----------
    message
        What was expected, what came, where.
    hint
        What the user can do next.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Return the message, with the hint on a line of its own."""
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the trip between worker processes with the hint and all other fields."""
        return _rebuild, (type(self), self.__dict__)


def _rebuild(kind: type[LyditeError], fields: dict[str, object]) -> LyditeError:
    error = kind.__new__(kind)
    error.__dict__.update(fields)
    error.args = (fields["message"],)
    return error


class InputError(LyditeError, ValueError):
    """The call or the input was wrong."""


class FormatError(InputError):
    """A file does not hold what it should.

    Parameters
    ----------
    message
        What was expected and what came.
    path
        The file at fault.
    line
        The line at fault, counted from one.
    hint
        What the user can do next.
    """

    def __init__(
        self, message: str, *, path: Path | str, line: int | None = None, hint: str | None = None
    ) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}", hint=hint)
        self.path = Path(path)
        self.line = line


class SpecError(InputError):
    """A spec cannot be parsed, or names parameters that its target does not take."""


class UnknownNameError(InputError, LookupError):
    """No model, evaluation or resource of that name is known."""


class UnsuitableModelError(InputError, TypeError):
    """The evaluation makes no sense for this kind of model."""


class MissingWordError(LyditeError, LookupError):
    """A word is absent from the vocabulary and the policy is ``error``."""


class UndefinedScoreError(LyditeError, ArithmeticError):
    """The score does not exist for this input (too few items, no variance)."""


class MissingExtraError(LyditeError, ImportError):
    """An optional package is not installed.

    Parameters
    ----------
    what
        The feature that was asked for.
    extra
        The name of the extra that brings it.
    """

    def __init__(self, what: str, *, extra: str) -> None:
        super().__init__(
            f"{what} needs packages that are not installed",
            hint=f"pip install 'lydite[{extra}]'",
        )
        self.extra = extra


class ResourceError(LyditeError, OSError):
    """Data cannot be found, fetched or verified."""


class ChecksumError(ResourceError):
    """The bytes are not the pinned ones."""


class EndpointError(LyditeError, ConnectionError):
    """An embeddings server did not answer as it should."""


class UnexpectedError(LyditeError, RuntimeError):
    """Something that nobody thought of, in Lydite or in a library that it calls."""


def is_panic(error: BaseException) -> bool:
    """Tell the panic of a library written in Rust, which is no `Exception`."""
    return type(error).__name__ == "PanicException"
