"""What nobody thought of: an error with a name, and the traceback in the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.boundary import boundary
from lydite.errors import FormatError, ResourceError, UnexpectedError
from lydite.storage import cache_dir


class PanicException(BaseException):
    """As libraries written in Rust raise it."""


@pytest.mark.parametrize(
    "error", [RecursionError("deep"), NotImplementedError("method"), PanicException("oh")]
)
def test_it_becomes_an_error_and_is_written_down(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path))
    with pytest.raises(UnexpectedError, match=type(error).__name__) as caught, boundary("reading"):
        raise error
    log = cache_dir() / "errors.log"
    assert str(log) in (caught.value.hint or "")
    assert "please report it" in (caught.value.hint or "")
    assert f"{type(error).__name__}: {error}" in log.read_text()


def test_errors_that_have_a_name_pass() -> None:
    with pytest.raises(FormatError), boundary("reading"):
        raise FormatError("expected x", path="file")
    with pytest.raises(ResourceError, match="memory is full"), boundary("reading"):
        raise MemoryError
    with pytest.raises(ResourceError, match="No such file"), boundary("reading"):
        Path("/no/such/file").read_bytes()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_the_user_can_always_stop(error: type[BaseException]) -> None:
    with pytest.raises(error), boundary("reading"):
        raise error
