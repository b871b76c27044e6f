"""How quick each part of a large job is on this machine, and what that means for a cluster.

``python -m studies.rates`` measures and stores; ``docs/concepts/scaling.md`` shows what follows.
CPU seconds of one core are measured, not seconds on the clock: other programs do not count.
"""

from __future__ import annotations

import functools
import json
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

STORED = Path(__file__).parent / "stored" / "rates.json"

#: What is calculated: words of the corpus, spaces trained on it, epochs, evaluations of each.
WORDS, MODELS, EPOCHS, EVALUATIONS = 3_000_000_000, 500, 5, 13
#: Cores per machine, and what a shared disk or the network card of one machine carries.
CORES, BYTES_A_SECOND = 8, 1e9
#: Bytes of a word in a text, and of a pair of words in counts.
WORD_BYTES, PAIR_BYTES = 6, 8
MACHINES = (1, 8, 64)


@dataclass(frozen=True, kw_only=True)
class Rates:
    """What one core does in a second, and what a job costs."""

    prepared_words: float
    counted_words: float
    merged_pairs: float
    #: Different pairs per word that is counted, in segments as they are sent.
    pairs_per_word: float
    trained_words: float
    evaluation_seconds: float
    job_seconds: float


@dataclass(frozen=True, kw_only=True)
class Hours:
    """What the parts of the job take on so many machines."""

    machines: int
    preparing: float
    counting: float
    merging: float
    training: float
    evaluating: float

    @property
    def total(self) -> float:
        """All parts, one after the other."""
        return self.preparing + self.counting + self.merging + self.training + self.evaluating


def measure(words: int = 1_000_000, text: Path | None = None) -> Rates:
    """Measure on the first words of the Wikipedia sample."""
    from lydite.corpora.documents import open_corpus
    from lydite.resources.catalogue import locate
    from lydite.trained.cooccurrence import Windows, add_counts, count_cooccurrences
    from lydite.trained.encoded_corpus import encode_sentences, frequent_words
    from lydite.trained.skipgram import SkipgramRecipe, train_skipgram_family
    from lydite.trained.zoo.corpus import first_words

    source = text or locate("wikipedia-2014-20m").single()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        preparing, corpus = _cpu(
            lambda: encode_sentences(first_words(open_corpus([source]).sentences(), words), folder)
        )
        tokens = corpus.tokens
        kept = frequent_words(corpus, min_count=5)
        counting, matrix = _cpu(
            lambda: count_cooccurrences(
                corpus, kept.rows, kept.counts, Windows(size=5), folder / "a", threads=1
            )
        )
        merging, _ = _cpu(lambda: add_counts([matrix, matrix], len(kept.counts), folder / "b"))
        recipe = SkipgramRecipe(dim=100, epochs=1, window=5, workers=1)
        training, _ = _cpu(lambda: train_skipgram_family(corpus, recipe))
    return Rates(
        prepared_words=tokens / preparing,
        counted_words=tokens / counting,
        merged_pairs=2 * len(matrix.columns) / merging,
        pairs_per_word=len(matrix.columns) / tokens,
        trained_words=tokens / training,
        evaluation_seconds=_evaluation(),
        job_seconds=_job(),
    )


def _cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    answer = work()
    return time.process_time() - began, answer


def _evaluation() -> float:
    """Return the CPU seconds of an evaluation, on average of some of the starter's."""
    import lydite

    asked = {
        "similarity": "starter-similarity",
        "qvec(method=cca)": "starter-supersenses",
        "tagging": "starter-treebank",
    }
    taken = [
        _cpu(functools.partial(lydite.evaluate, "random(100)", evaluation, resource))[0]
        for evaluation, resource in asked.items()
    ]
    return sum(taken) / len(taken)


def _job(jobs: int = 200) -> float:
    """Return the CPU seconds of scheduler and command, both in this process, for an empty job."""
    from lydite.engine import opened_engine

    with opened_engine("dask", processes=1) as engine:
        assert sum(1 for _ in engine.run(abs, range(10))) == 10
        taken, answered = _cpu(lambda: sum(1 for _ in engine.run(abs, range(jobs))))
        assert answered == jobs
        return taken / jobs


def hours(rates: Rates, machines: int) -> Hours:
    """Calculate what the job takes on so many machines with all their cores.

    Preparing, counting, training and evaluating are divided by the number of cores; training and
    evaluating in whole models. Reading goes through one shared disk. Counts are merged by the one
    process that runs the command, which also has to receive them.
    """
    cores = machines * CORES
    read = WORDS * WORD_BYTES / BYTES_A_SECOND
    pairs = WORDS * rates.pairs_per_word
    waves = math.ceil(MODELS / cores)
    handed_over = MODELS * EVALUATIONS * rates.job_seconds
    seconds = {
        "preparing": max(WORDS / rates.prepared_words / cores, read),
        "counting": WORDS / rates.counted_words / cores,
        "merging": pairs / rates.merged_pairs + pairs * PAIR_BYTES / BYTES_A_SECOND,
        "training": waves * WORDS * EPOCHS / rates.trained_words,
        "evaluating": max(waves * EVALUATIONS * rates.evaluation_seconds, handed_over),
    }
    return Hours(machines=machines, **{part: each / 3600 for part, each in seconds.items()})


def table(rates: Rates) -> str:
    """Return the page's table."""
    parts = ("preparing", "counting", "merging", "training", "evaluating", "total")
    lines = [f"| machines | {' | '.join(parts)} |", "|---:|" + "---:|" * len(parts)]
    for machines in MACHINES:
        found = hours(rates, machines)
        cells = [f"{getattr(found, part):,.2f} h" for part in parts]
        lines.append(f"| {machines} | {' | '.join(cells)} |")
    return "\n".join(lines)


def rate_table(rates: Rates) -> str:
    """Return the table of what was measured."""
    rows = {
        "words prepared (cut and numbered)": f"{rates.prepared_words:,.0f} / s",
        "words counted (window of 5)": f"{rates.counted_words:,.0f} / s",
        "pairs of words merged": f"{rates.merged_pairs:,.0f} / s",
        "different pairs per word, in a segment": f"{rates.pairs_per_word:.2f}",
        "words trained (skip-gram, 100 dimensions, one epoch)": f"{rates.trained_words:,.0f} / s",
        "one evaluation of a space": f"{rates.evaluation_seconds:.2f} s",
        "one job handed over and answered": f"{1000 * rates.job_seconds:.1f} ms",
    }
    return "\n".join(
        ["| one core of this machine | |", "|---|---:|"]
        + [f"| {k} | {v} |" for k, v in rows.items()]
    )


def read() -> Rates:
    """Return what is stored."""
    return Rates(**json.loads(STORED.read_text("utf-8")))


def main() -> None:
    found = {key: float(f"{value:.3g}") for key, value in asdict(measure()).items()}
    STORED.write_text(json.dumps(found, indent=1) + "\n")
    print(rate_table(read()))
    print(table(read()))


if __name__ == "__main__":
    main()
