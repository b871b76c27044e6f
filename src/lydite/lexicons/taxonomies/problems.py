"""What can be odd about a taxonomy: the names under which readers count it."""

from __future__ import annotations

from typing import Final

#: Left out while reading.
DUPLICATE_EDGE: Final = "duplicate edge"
SELF_LOOP: Final = "edge from a concept to itself"
DANGLING_EDGE: Final = "edge to a concept that is not described"
OBSOLETE: Final = "obsolete concept"
OBSOLETE_EDGE: Final = "edge to an obsolete concept"

#: Kept as they are, and worth knowing.
ON_CYCLE: Final = "concept on a cycle"
SEVERAL_PARENTS: Final = "concept with several parents"
ROOT: Final = "root"
SHARED_LABEL: Final = "label of several concepts"
NO_LABEL: Final = "concept without a label"
