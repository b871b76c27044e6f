"""What models are called where several results stand side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from lydite.results.record import Result


def model_namer(results: Sequence[Result]) -> Callable[[Result], str]:
    """Return how each model is called: its spec, with its bytes if two share the spec."""
    digests: dict[str, set[str | None]] = defaultdict(set)
    for result in results:
        digests[result.model].add(result.provenance.model_sha256)

    def name(result: Result) -> str:
        digest = result.provenance.model_sha256
        several = len(digests[result.model]) > 1
        return f"{result.model} @{digest[:8]}" if digest and several else result.model

    return name
