"""A result is never a bare float."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline
from lydite.storage import sha256_text
from lydite.types import PlainMapping

#: Raised whenever the meaning of a field changes; readers refuse what is newer than they know.
SCHEMA = 2

#: Raised whenever a score comes out otherwise than before, so that no run goes on with old scores.
NUMBERS = 2

_HALVES = re.compile("[\ud800-\udfff]")

#: How a score follows from the item table, so that two results can be compared item by item:
#: the mean of ``value``, or a correlation of ``gold`` with ``predicted``.
Statistic: TypeAlias = Literal["mean", "spearman", "pearson"]

#: The name among the further scores of the share of words, each as often as it occurs, that a
#: model of words knows of the texts that it was given.
WORD_COVERAGE = "word_coverage"

#: The names among the further scores of the extremes of what the score is a mean over: such a mean
#: is not shown without them.
LOWEST, HIGHEST = "lowest", "highest"

#: Columns by name, all of one length.
Items: TypeAlias = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What an evaluation hands back: the answer, before it knows where it came from.

    Attributes
    ----------
    interval
        Its uncertainty; None where there are too few items to say, or no method is known to hold.
    baseline
        The same score where there is nothing to find.
    n_items, n_covered
        How many items the resource has, and how many of them the model could answer.
    oov
        What was done with the others.
    statistic
        How the score follows from the items.
    items
        One row per item: ``item``, ``covered``, and the columns that ``statistic`` needs.
    others
        Further scores, by name.
    details
        Small plain data for the report.
    """

    metric: str
    score: float
    interval: Interval | None
    baseline: Baseline
    n_items: int
    n_covered: int
    oov: str
    statistic: Statistic
    items: Items
    others: Mapping[str, float] = field(default_factory=dict)
    details: PlainMapping = field(default_factory=dict)

    @property
    def ends(self) -> tuple[float, float] | tuple[()]:
        """The ends of the interval; empty where there is none."""
        return (self.interval.low, self.interval.high) if self.interval else ()

    def __post_init__(self) -> None:
        for name, score in {**self.others, self.metric: self.score}.items():
            if not math.isfinite(score):
                raise UndefinedScoreError(f"the score {name} is {score}")
        for name, part in (("interval", self.interval), ("baseline", self.baseline)):
            if part is not None and not (math.isfinite(part.low) and math.isfinite(part.high)):
                raise UndefinedScoreError(
                    f"the {name} of {self.metric} goes from {part.low} to {part.high}"
                )


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Everything that is needed to get the same number again.

    Attributes
    ----------
    evaluation, parameters
        The name of the evaluation, and all its parameters.
    downstream
        Whether it is a task that is built on vectors; None in records that are too old to say.
    """

    evaluation: str
    parameters: PlainMapping
    model: str
    model_sha256: str | None
    resource: str
    resource_sha256: str
    seed: int
    versions: Mapping[str, str]
    wall_seconds: float
    peak_memory_mb: float
    created: str
    downstream: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Result:
    """One answer, as plain data: a line of ``results.jsonl``.

    ``evaluation`` is the spec: its name with the parameters that are not at their defaults. Records
    of older versions have all parameters there. All are in the provenance, always. ``interval`` is
    None where there were too few items for one, or there is no method that holds.
    """

    key: str
    evaluation: str
    model: str
    resource: str
    metric: str
    score: float
    interval: Interval | None
    baseline: Baseline
    n_items: int
    n_covered: int
    oov: str
    statistic: Statistic
    others: Mapping[str, float]
    details: PlainMapping
    items: str | None
    provenance: Provenance
    items_sha256: str | None = None
    schema: int = SCHEMA

    @property
    def ends(self) -> tuple[float, float] | tuple[()]:
        """The ends of the interval; empty where there is none."""
        return (self.interval.low, self.interval.high) if self.interval else ()

    @property
    def coverage(self) -> float:
        """The share of items that the model could answer."""
        return self.n_covered / self.n_items

    @property
    def word_coverage(self) -> float | None:
        """The share of words that were known, where texts are composed of words."""
        return self.others.get(WORD_COVERAGE)

    @property
    def extremes(self) -> tuple[float, float] | tuple[()]:
        """The lowest and the highest of what the score is a mean over, if it tells them."""
        ends = [self.others[name] for name in (LOWEST, HIGHEST) if name in self.others]
        return (ends[0], ends[1]) if len(ends) == 2 else ()

    def to_json(self) -> str:
        """Write one line of JSON; NaN and infinities are refused."""
        return to_line(self)

    @classmethod
    def from_plain(cls, data: PlainMapping) -> Result:
        """Make a result from parsed JSON."""
        try:
            if data.get("schema", 0) > SCHEMA:
                raise InputError(
                    f"expected a result of schema {SCHEMA} or older, got {data['schema']}",
                    hint="it was written by a newer Lydite; install that one",
                )
            result = cls(
                **{
                    **data,
                    "interval": Interval(**ends) if (ends := data["interval"]) else None,
                    "baseline": Baseline(**data["baseline"]),
                    "provenance": Provenance(**data["provenance"]),
                }
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise InputError(f"expected the fields of a result, got: {error!r}") from error
        result._check_numbers()
        return result

    def _check_numbers(self) -> None:
        for owner, names in (
            (self, ("score", "n_items", "n_covered")),
            (self.interval, ("low", "high")),
            (self.baseline, ("mean", "low", "high")),
        ):
            for name in names if owner is not None else ():
                value = getattr(owner, name)
                if type(value) not in {int, float} or not math.isfinite(value):
                    raise InputError(f"expected a number as {name}, got {value!r}")


@dataclass(frozen=True, kw_only=True)
class Failure:
    """An evaluation that gave no score, with the reason.

    Attributes
    ----------
    error
        The name of the exception's class.
    wrong_input
        Whether the call or the data were at fault, rather than the evaluation; records of older
        versions do not say.
    """

    key: str
    evaluation: str
    model: str
    resource: str
    seed: int
    error: str
    message: str
    wrong_input: bool = False

    @classmethod
    def from_plain(cls, data: PlainMapping) -> Failure:
        """Make a failure from parsed JSON."""
        try:
            return cls(**data)
        except TypeError as error:
            raise InputError(f"expected the fields of a failure, got: {error}") from error


def to_line(record: Result | Failure) -> str:
    """Write a record as one line of JSON; NaN and infinities are refused."""
    try:
        line = json.dumps(dataclasses.asdict(record), ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise InputError(f"{record.evaluation} of {record.model}: {error}") from error
    # A file name in another encoding than UTF-8 holds halves of characters, which only JSON's own
    # escapes can carry.
    return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", line)


def result_key(
    *,
    evaluation: str,
    model: str,
    model_sha256: str | None,
    resource: str,
    resource_sha256: str,
    seed: int,
) -> str:
    """Name a result by what it is the answer to.

    The key is the beginning of the sha256 of eight things, in this order:

    1. the evaluation's name with its parameters: those that differ from their defaults, in the
       order of their names, without those that only show more (`lydite.declare.Declared.key`), so
       that neither a new parameter with a default, nor another order of the fields, nor a wish to
       see more makes a stored result stale;
    2. the model's spec and 3. which bytes it is, if it says so;
    4. the resource as it was asked for and 5. the sha256 of its files, with those of files that
       parameters name;
    6. the seed;
    7. `SCHEMA` and 8. `NUMBERS`: a version that computes other scores has other keys.

    The same question has the same key in every run; another file under the same name has another
    one. A default that changes is another question under an old key: raise `NUMBERS` with it.

    ``evaluation`` is the `key` of the evaluation, not its spec.
    """
    question = [evaluation, model, model_sha256, resource, resource_sha256, seed, SCHEMA, NUMBERS]
    return sha256_text(json.dumps(question))[:20]
