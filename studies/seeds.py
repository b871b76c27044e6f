"""Whether another seed gives another answer: every evaluation with ten seeds.

For each model and data set: how far the scores of ten seeds lie apart, beside the width of the
interval; and of all verdicts, how many another seed overturns. Verdicts are what a reader acts on:
whether a score is told apart from chance, whether one model is better than another (``compare``),
and what an evaluation says of single items (of terms: consistent, not, undecided).
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from lydite import Result, read_suite, run
from lydite.cli.app import app
from lydite.errors import InputError
from lydite.reports.page import is_chance
from lydite.results.compare import Entry, compare_results
from lydite.spec import Spec
from lydite.suite import Suite, Task, starter_suite

FOLDER = Path(__file__).parent
STORED = FOLDER / "stored" / "seeds.json"
SEEDS = tuple(range(10))
_TRAINED_ON = ("starter-treatise", "our-knowledge-external-world")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One evaluation on one data set with ten seeds."""

    evaluation: str
    resource: str
    models: int
    spread: float  # the largest difference of two seeds' scores, of the model where it is largest
    width: float | None  # of the interval, the mean over that model's seeds
    verdicts: int
    overturned: int  # verdicts that not all seeds agree on
    flips: float  # the share of verdicts that differ between two seeds, over all pairs of seeds


def main(wanted: Sequence[str], *, out: Path | None = None) -> int:
    """Run the study of the evaluations wanted, or of all, and store it; 1 if over 2 % flip.

    With ``out`` the runs are kept there, and taken up again by the next call.
    """
    kept = {(row.evaluation, row.resource): row for row in read()}
    with tempfile.TemporaryDirectory() as folder:
        for row in _studies(wanted, out or Path(folder)):
            kept[row.evaluation, row.resource] = row
            print(row)
            store(list(kept.values()))
    return 0 if all(row.flips <= 0.02 for row in kept.values()) else 1


def _studies(wanted: Sequence[str], out: Path) -> Iterator[Row]:
    suites = [starter_suite(), read_suite(FOLDER / "seeds.toml")]
    if not wanted or any(part in "stability" for part in wanted):
        suites.append(_retrained(out))
    for suite in suites:
        for task in suite.tasks:
            if not wanted or any(part in task.spec for part in wanted):
                asked = dataclasses.replace(suite, tasks=(task,), seeds=SEEDS)
                yield from study(asked, out=out / suite.name / task.spec)


def _retrained(out: Path) -> Suite:
    """Train skip-gram three times on each of two texts: what stability is about."""
    tasks = []
    for corpus in _TRAINED_ON:
        files = [out / f"{corpus}-{seed}.safetensors" for seed in range(3)]
        for seed, file in enumerate(files):
            if not file.exists():
                train = ["train", "skipgram", "--corpus", corpus, "--dim", "50", "--quiet"]
                app(
                    [*train, "--engine", "lydite", "--seed", str(seed), "--out", str(file)],
                    standalone_mode=False,
                )
        sets = [
            str(Spec(name="retrained", args=tuple(map(str, each)))) for each in (files, files[:2])
        ]
        tasks.append(Task(evaluation="stability", resources=(corpus,), models=tuple(sets)))
    return Suite(name="retrained", models=(), tasks=tuple(tasks))


def read() -> list[Row]:
    """Return the stored rows."""
    return [Row(**row) for row in json.loads(STORED.read_text("utf-8"))] if STORED.exists() else []


def store(rows: Sequence[Row]) -> None:
    """Write the rows, in the order of evaluations and data sets."""
    ordered = sorted(rows, key=lambda row: (row.evaluation, row.resource))
    text = json.dumps([asdict(row) for row in ordered], ensure_ascii=False, indent=1)
    STORED.write_text(text + "\n", "utf-8")


def study(suite: Suite, *, out: Path) -> Iterator[Row]:
    """Run a suite with all its seeds and summarize each of its data sets."""
    done = run(suite, out=out)
    entries: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for result in done.results:
        entries[result.evaluation, result.resource].append((result, done.table(result)))
    for failure in done.failures[:3]:
        print(f"failed: {failure.model}, {failure.evaluation}: {failure.message}")
    for (evaluation, resource), found in entries.items():
        yield summarize(evaluation, resource, found)


def summarize(evaluation: str, resource: str, entries: Sequence[Entry]) -> Row:
    """Compare the answers of all seeds to one question."""
    by_model: dict[str, list[Result]] = defaultdict(list)
    for result, _ in entries:
        by_model[result.model].append(result)
    spreads = {
        model: float(np.ptp([result.score for result in results]))
        for model, results in by_model.items()
    }
    widest = max(spreads, key=lambda model: spreads[model])
    widths = [max(each.ends) - min(each.ends) for each in by_model[widest] if each.ends]
    agreed = _verdicts(entries)
    pairs = [
        one != other for said in agreed.values() for one, other in combinations(said.values(), 2)
    ]
    return Row(
        evaluation=evaluation,
        resource=resource,
        models=len(by_model),
        spread=round(spreads[widest], 4),
        width=round(float(np.mean(widths)), 4) if widths else None,
        verdicts=len(agreed),
        overturned=sum(len(set(said.values())) > 1 for said in agreed.values()),
        flips=round(float(np.mean(pairs)), 4) if pairs else 0.0,
    )


def _verdicts(entries: Sequence[Entry]) -> dict[str, dict[int, str]]:
    """Return every verdict by what it is about and by seed."""
    said: dict[str, dict[int, str]] = defaultdict(dict)
    by_seed: dict[int, list[Entry]] = defaultdict(list)
    for result, table in entries:
        seed = result.provenance.seed
        by_seed[seed].append((result, table))
        said[f"{result.model}: chance"][seed] = str(is_chance(result))
        for row in result.details.get("terms", ()):
            if "verdict" in row:
                said[f"{result.model}: {row['term']}"][seed] = row["verdict"]
    for seed, found in by_seed.items():
        try:
            # The exchanges of `compare` are drawn by a hash of the items: here by ten others.
            compared = compare_results(found, draw=seed)
        except InputError:
            continue
        for each in compared:
            said[f"{each.first} and {each.second}"][seed] = each.verdict
    return said
