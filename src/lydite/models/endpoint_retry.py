"""When a request to an embeddings server is sent again."""

from __future__ import annotations

import email.utils
import math
import time
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How long to wait before a request is sent again.

    Attributes
    ----------
    first
        Seconds before the first repetition; each later one waits twice as long.
    most
        The longest wait, also where the server's ``Retry-After`` asks for more.
    """

    first: float = 0.5
    most: float = 60.0

    def delay(self, attempt: int, *, asked: float | None, jitter: float) -> float:
        """Return the seconds to wait after the attempt (counted from 0).

        The jitter, in [0, 1), takes away up to half of the wait, so that many clients do not
        come back at one moment; what the server asked for is never cut short by it.

        >>> Backoff().delay(2, asked=None, jitter=0.5)
        1.5
        >>> Backoff().delay(0, asked=7.0, jitter=0.5)
        7.0
        """
        own = self.first * 2.0 ** min(attempt, 30) * (1 - jitter / 2)
        return min(self.most, max(own, asked or 0.0))


def worth_repeating(status: int) -> bool:
    """Tell whether the same request may get another answer later."""
    return status in {408, 429} or status >= 500


def seconds_asked(header: str | None) -> float | None:
    """Read ``Retry-After``: seconds or a date; None where it is neither or lies in the past."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return seconds if 0 < seconds < math.inf else None
