"""What one machine can do: counting, a space of millions of words, a million sentences.

``python -m studies.large NAME SIZE...`` measures in processes of their own and stores what came.

- ``count``: millions of words of Wikipedia, the 20 million of the corpus repeated.
- ``space``: rows of 300 numbers that are opened, looked up, ranked and scored, twice: the first
  time they are read, the second time they are in the cache.
- ``endpoint``: sentences that a server on this machine encodes; killed in the middle, then resumed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

STORED = Path(__file__).parent / "stored" / "large.json"
#: Seconds after which a process is given up.
_LIMIT = 1800


class Watch:
    """The largest private memory of this process, in MiB, and the seconds that it took."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self.peak = 0.0

    def __enter__(self) -> Watch:
        self._began = time.perf_counter(), time.process_time()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self.seconds = time.perf_counter() - self._began[0]
        self.cpu_seconds = time.process_time() - self._began[1]

    def _look(self) -> None:
        while True:
            self.peak = max(self.peak, private_mib())
            if self._done.wait(0.05):
                return


def private_mib() -> float:
    """Return the memory that is this process's own: not pages of files that it maps."""
    lines = Path("/proc/self/smaps_rollup").read_text("utf-8").splitlines()
    sizes = {name: rest for name, _, rest in (line.partition(":") for line in lines)}
    return int(sizes["Anonymous"].split()[0]) / 1024


def count(words: float, text: Path | None = None) -> dict[str, float]:
    """Count the contexts of so many million words: the text once or several times over."""
    from lydite.resources.catalogue import locate
    from lydite.trained.cooccurrence import Windows, count_cooccurrences
    from lydite.trained.encoded_corpus import encode_files, frequent_words

    source = text or locate("wikipedia-2014-20m").single()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        # The sample has 20 million words.
        once = encode_files([source], Path(folder)).tokens / 1e6 if text else 20.0
        times = max(1, round(words / once))
        with Watch() as watch:
            corpus = encode_files([source] * times, Path(folder), lower=True)
            kept = frequent_words(corpus, min_count=20 * times, limit=100_000)
            began = time.perf_counter()
            matrix = count_cooccurrences(
                corpus, kept.rows, kept.counts, Windows(size=5), Path(folder) / "counts"
            )
            counted = time.perf_counter() - began
        return {
            "million_words": corpus.tokens / 1e6,
            "seconds": watch.seconds,
            "cpu_seconds": watch.cpu_seconds,
            "counting_seconds": counted,
            "private_mib": watch.peak,
            "pairs": float(len(matrix.columns)),
        }


def space(rows: int) -> dict[str, float]:
    """Open a space of so many rows, look words up in it, rank and score."""
    from lydite.spaces.formats.writing import write_space
    from lydite.spaces.space import Space
    from lydite.spaces.vocabulary import Vocabulary, pack

    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        maker = np.random.default_rng(0)
        vectors = np.lib.format.open_memmap(
            folder / "raw.npy", mode="w+", dtype=np.float32, shape=(rows, 300)
        )
        for first in range(0, rows, 50_000):
            block = vectors[first : first + 50_000]
            block[:] = maker.standard_normal(block.shape, dtype=np.float32)
        vectors.flush()
        words = pack(f"w{i}" for i in range(rows))
        made = Space(vocabulary=Vocabulary.build(words), vectors=vectors, spec="large")
        path = folder / "large.safetensors"
        write_space(made, path)
        del made, vectors, words
        (folder / "raw.npy").unlink()
        pairs = folder / "pairs.tsv"
        chosen = maker.integers(0, rows, size=(200, 2))
        pairs.write_text("".join(f"w{a}\tw{b}\t{i % 10}\n" for i, (a, b) in enumerate(chosen)))
        code = (
            "import sys, json; sys.path.insert(0, sys.argv[1]); from studies.large import opened; "
            "print(json.dumps(opened(sys.argv[2], sys.argv[3], int(sys.argv[4]))))"
        )
        root = str(Path(__file__).parents[1])
        command = [sys.executable, "-c", code, root, str(path), str(pairs), str(rows)]
        environment = {**os.environ, "LYDITE_CACHE": str(folder / "cache")}

        def used() -> dict[str, float]:
            answer = subprocess.check_output(command, env=environment, timeout=_LIMIT)
            return dict(json.loads(answer))

        found, later = used(), used()
        again = {f"again_{name}": value for name, value in later.items()}
        return {"million_rows": rows / 1e6, **found, **again}


def opened(path: str, pairs: str, rows: int) -> dict[str, float]:
    """Use a space in this process, and say what that took."""
    import lydite
    from lydite.models.words import find_words

    steps: dict[str, float] = {}

    def timed(what: str, work: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is done
        began = time.perf_counter()
        answer = work()
        steps[f"{what}_seconds"] = time.perf_counter() - began
        return answer

    with Watch() as watch:
        model = timed("open", lambda: lydite.load(path))
        some = [f"w{i}" for i in range(0, rows, max(1, rows // 10_000))]
        found = timed("look_up", lambda: find_words(model, some))
        assert found.found.all()
        near = timed(
            "rank", lambda: lydite.nearest_words(model.vectors, model.lookup(["w7"]).vectors, 10)
        )
        assert near.indices.shape == (1, 10)
        timed("score", lambda: lydite.evaluate(model, "similarity", pairs))
    return {**steps, "private_mib": watch.peak}


class _Server(BaseHTTPRequestHandler):
    """Answers as an embeddings server does, with vectors made of the texts."""

    protocol_version = "HTTP/1.1"
    served: ClassVar[dict[str, int]] = {"texts": 0}

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = body["input"]
        self.served["texts"] += len(texts)
        rows = [{"index": i, "embedding": [len(t), *t.encode()[-15:]]} for i, t in enumerate(texts)]
        answer = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Run a server on this machine."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/v1"
    finally:
        made.shutdown()
        made.server_close()


def endpoint(sentences: int) -> dict[str, float]:
    """Have so many sentences encoded by a server; kill -9 in the middle, then go on."""
    _Server.served["texts"] = 0
    with tempfile.TemporaryDirectory() as name, server() as url:
        folder = Path(name)
        with (folder / "texts.txt").open("w") as file:
            for number in range(sentences):
                file.write(f"This is sentence number {number:012d}.\n")
        code = (
            "import sys, json; sys.path.insert(0, sys.argv[1]); from studies.large import encoded; "
            "print(json.dumps(encoded(sys.argv[2], sys.argv[3])))"
        )
        root = str(Path(__file__).parents[1])
        model = f"endpoint({url}, model=large, batch=256, key_env=none)"
        command = [sys.executable, "-c", code, root, model, str(folder)]
        environment = {**os.environ, "LYDITE_CACHE": str(folder / "cache")}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as victim:
            while _Server.served["texts"] < sentences // 3 and victim.poll() is None:
                time.sleep(0.01)
            victim.send_signal(signal.SIGKILL)
        before = _Server.served["texts"]
        answer = subprocess.check_output(command, env=environment, timeout=_LIMIT)
        found: dict[str, float] = json.loads(answer)
        vectors = np.load(folder / "vectors.npy", mmap_mode="r")
        expected = list(f"This is sentence number {sentences - 1:012d}.".encode()[-15:])
        assert vectors.shape == (sentences, 16)
        assert vectors[-1, 1:].tolist() == expected
        return {
            "sentences": float(sentences),
            "served_before_the_kill": float(before),
            "served_twice": float(_Server.served["texts"] - sentences),
            **found,
        }


def encoded(model: str, folder: str) -> dict[str, float]:
    """Encode the texts of a folder in this process, and say what that took."""
    from lydite.models.texts import encode_file

    with Watch() as watch:
        encode_file(model, Path(folder) / "texts.txt", Path(folder) / "vectors.npy")
    return {"resumed_seconds": watch.seconds, "private_mib": watch.peak}


def read() -> dict[str, list[dict[str, float]]]:
    """Return what is stored."""
    stored: dict[str, list[dict[str, float]]] = json.loads(STORED.read_text("utf-8"))
    return stored


def main(name: str, sizes: list[str]) -> None:
    works: dict[str, Callable[[int], dict[str, float]]]
    works = {"count": count, "space": space, "endpoint": endpoint}
    found = []
    for size in sizes:
        found.append(works[name](int(size)))
        print(found[-1], flush=True)
    stored = read() if STORED.exists() else {}
    rounded = [{key: round(value, 2) for key, value in each.items()} for each in found]
    STORED.write_text(json.dumps({**stored, name: rounded}, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
