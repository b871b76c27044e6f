"""Seeds for the parts of a job, independent of the order in which the parts are run."""

from __future__ import annotations

import hashlib
import json


def child_seed(seed: int, *names: str) -> int:
    """Derive the seed of a named part of a job; the names go from the outside in.

    The seed depends on the names alone, so parts may be run in any order, in any process, or
    left out, and the others keep their random numbers. It is below 2**48, which every reader of
    JSON keeps exact.

    Examples
    --------
    >>> child_seed(1, "similarity", "bootstrap")
    27136976609125
    >>> child_seed(1, "similarity", "null") == child_seed(1, "similarity", "bootstrap")
    False
    """
    # JSON keeps ("a", "b") and ("ab",) apart, as plain joining would not.
    key = json.dumps([seed, *names]).encode("utf-8")
    return int.from_bytes(hashlib.sha256(key).digest()[:6], "big")
