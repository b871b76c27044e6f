"""One small registry for models, evaluations and report sections.

Targets are named as ``module:attribute`` and imported only when asked for, so that listing what
exists costs nothing. Other packages add their own through entry points.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import logging
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Generic, TypeVar, cast

from lydite.errors import InputError, UnknownNameError

T = TypeVar("T")
logger = logging.getLogger(__name__)


def nearest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Return the known names closest to a misspelt or shortened one, best first.

    >>> nearest("similarty", ["similarity", "qvec"])
    ['similarity']
    >>> nearest("glove", ["glove-6b-50d", "usem3"])
    ['glove-6b-50d']
    """
    by_folded = {candidate.casefold(): candidate for candidate in known}
    wanted = name.casefold()
    matches = difflib.get_close_matches(wanted, by_folded, n=most, cutoff=0.6)
    longer = [folded for folded in by_folded if len(wanted) > 2 and folded.startswith(wanted)]
    return [by_folded[match] for match in dict.fromkeys(matches + longer)][:most]


def unknown_name(kind: str, name: str, known: Iterable[str], *, hint: str) -> UnknownNameError:
    """Build the error for a name that nothing answers to, with near matches."""
    close = nearest(name, known)
    suggestion = f"did you mean {' or '.join(close)}? " if close else ""
    return UnknownNameError(f"there is no {kind} called {name!r}", hint=suggestion + hint)


def summary_of_target(target: str) -> str:
    """Return the first line of the docstring of ``module:attribute``, without importing it.

    >>> summary_of_target("lydite.registry:nearest")
    'Return the known names closest to a misspelt or shortened one, best first.'
    """
    module, _, attribute = target.partition(":")
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return ""
    source = Path(found.origin).read_text(encoding="utf-8")
    said = re.search(rf'^(?:class|def) {attribute}\b.*?"""(.+?)(?:"""|$)', source, re.M | re.S)
    return said[1].partition("\n")[0].strip() if said else ""


class Registry(Generic[T]):
    """Names and the things they stand for.

    Parameters
    ----------
    kind
        What is registered, in the singular, for messages.
    group
        The entry-point group in which other packages register theirs.
    hint
        How a user finds out what there is.
    """

    def __init__(self, kind: str, *, group: str | None = None, hint: str = "") -> None:
        self.kind = kind
        self._group = group
        self._hint = hint
        self._targets: dict[str, str | EntryPoint] = {}
        self._plugins_read = False

    def register(self, name: str, target: str) -> None:
        """Register ``module:attribute`` under a name; a name is given once."""
        if name in self._targets:
            raise InputError(f"the {self.kind} {name!r} is registered twice")
        self._targets[name] = target

    def get(self, name: str) -> T:
        """Import and return what the name stands for."""
        if name not in self:
            raise unknown_name(self.kind, name, self, hint=self._hint)
        target = self._targets[name]
        if isinstance(target, EntryPoint):
            return cast("T", target.load())
        module, _, attribute = target.partition(":")
        return cast("T", getattr(importlib.import_module(module), attribute))

    def summary(self, name: str) -> str:
        """Return the first line of the docstring of what a name stands for, without importing it.

        Help that lists everything would otherwise import everything.
        """
        target = self._targets[name]
        return summary_of_target(target.value if isinstance(target, EntryPoint) else target)

    def __contains__(self, name: object) -> bool:
        # A name of this package's own is never a plugin's, so that no plugin need be imported.
        if name not in self._targets:
            self._read_plugins()
        return name in self._targets

    def __iter__(self) -> Iterator[str]:
        self._read_plugins()
        return iter(sorted(self._targets))

    def _read_plugins(self) -> None:
        if self._plugins_read or self._group is None:
            return
        self._plugins_read = True
        for point in entry_points(group=self._group):
            if point.name in self._targets:
                logger.warning(
                    "plugin %s: the %s %r already exists; the plugin's is ignored",
                    point.value,
                    self.kind,
                    point.name,
                )
                continue
            try:
                loaded = point.load()
            except (Exception, SystemExit) as error:  # a broken plugin must not break the tool
                told = f"it calls sys.exit({error})" if isinstance(error, SystemExit) else error
                logger.warning("plugin %s could not be loaded: %s", point.value, told)
                continue
            if not callable(loaded):
                logger.warning(
                    "plugin %s: expected a class or a function for the %s %r, got %s",
                    point.value,
                    self.kind,
                    point.name,
                    type(loaded).__name__,
                )
                continue
            self._targets[point.name] = point
