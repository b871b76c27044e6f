"""The boundary where what nobody thought of becomes an error with a name, and is written down."""

from __future__ import annotations

import contextlib
import logging
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from lydite.errors import LyditeError, ResourceError, UnexpectedError, is_panic
from lydite.storage import cache_dir

logger = logging.getLogger(__name__)

#: Characters of the log; what is older goes when it is full.
_MOST = 1 << 20
_LONGEST_MESSAGE = 300


@contextlib.contextmanager
def boundary(doing: str) -> Iterator[None]:
    """Turn every exception that is not Lydite's own into one that is, its traceback in the log.

    Ctrl-C and the end of the process pass.

    Raises
    ------
    UnexpectedError
        For what nobody thought of.
    ResourceError
        For what the system refused, and for want of memory.
    """
    try:
        yield
    except LyditeError:
        raise
    except MemoryError as error:
        raise ResourceError(
            f"{doing}: the memory is full", hint="use a smaller file, or a machine with more memory"
        ) from error
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise ResourceError(
            f"{doing}: {reason}", hint="check the path, its permissions and the free disk space"
        ) from error
    except BaseException as error:
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        raise unexpected(doing, error) from error


def unexpected(doing: str, error: BaseException) -> UnexpectedError:
    """Write an exception down, and build the error that tells of it."""
    logger.debug("%s", doing, exc_info=error)
    place = _write_down(doing, error)
    where = f"with the end of {place}" if place else "with what you did"
    said = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    return UnexpectedError(
        f"{doing}: {type(error).__name__}: {said}",
        hint=f"this is a fault of Lydite, or its input is damaged; please report it, {where}",
    )


def _write_down(doing: str, error: BaseException) -> Path | None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    lines = traceback.format_exception(error, limit=-40)
    # The message of an exception may hold what the file held.
    entry = ascii(f"{now} {doing}")[1:-1] + "\n" + "".join(map(_plain, lines)) + "\n"
    try:
        path = cache_dir() / "errors.log"
        if path.exists() and path.stat().st_size > _MOST:
            path.write_bytes(path.read_bytes()[-_MOST // 2 :])
        with path.open("a", encoding="utf-8") as stream:
            stream.write(entry[-_MOST // 4 :])
    except (OSError, LyditeError):
        return None
    return path


def _plain(text: str) -> str:
    return "".join(c if c == "\n" or c.isprintable() else ascii(c)[1:-1] for c in text)
