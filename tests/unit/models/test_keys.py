"""Keys of suites need a word from the user, and are shown nowhere."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import lydite
from lydite.cli.app import run_app as main
from lydite.errors import InputError
from lydite.models.keys import KeyUse, keys_used
from lydite.suite import Suite, Task

KEY = "AKIA/secret+0123456789abcdef"
VARIABLE = "AWS_SECRET_ACCESS_KEY"


class Echo(BaseHTTPRequestHandler):
    """Answers with the header that carried the key, as the index of a vector."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        texts = json.loads(self.rfile.read(length))["input"]
        header = self.headers["Authorization"]
        self.server.seen.append(header)  # type: ignore[attr-defined]
        answer = {"data": [{"index": header, "embedding": [1.0, 2.0]} for _ in texts]}
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    monkeypatch.setenv(VARIABLE, KEY)
    made = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    made.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def suite(server: ThreadingHTTPServer, tmp_path: Path) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(
        f"""
name = "stranger"
models = ["endpoint(http://127.0.0.1:{server.server_port}/v1, model=m, key_env={VARIABLE})"]
[[evaluations]]
evaluation = "similarity"
resources = ["starter-similarity"]
"""
    )
    return path


def test_a_suite_sends_no_key_without_a_word(
    server: ThreadingHTTPServer, suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stranger's suite once had any variable of the user's delivered to any address."""
    out = tmp_path / "run"
    assert main(["run", str(suite), "--out", str(out), "-j", "1"]) == 2
    told = capsys.readouterr().err
    host = f"127.0.0.1:{server.server_port}"
    assert f"would send a key of yours: that in {VARIABLE} to {host}" in told
    assert f"--allow-key {VARIABLE}@{host}" in told
    assert not out.exists()
    with pytest.raises(InputError, match="would send a key"):
        lydite.run(suite)
    assert server.seen == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ["{variable}", "{variable}@{host}", "environment", "python"])
def test_an_allowed_key_is_sent_and_stays_out_of_everything_written(
    server: ThreadingHTTPServer,
    suite: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    form: str,
) -> None:
    host = f"127.0.0.1:{server.server_port}"
    out, use = tmp_path / "run", f"{VARIABLE}@{host}"
    if form == "python":
        lydite.run(suite, out=out, processes=1, allow_keys=[use])
    else:
        word = form.format(variable=VARIABLE, host=host)
        if form == "environment":
            monkeypatch.setenv("LYDITE_ALLOW_KEYS", f" OTHER, {use}")
        allowed = [] if form == "environment" else ["--allow-key", word]
        assert main(["run", str(suite), "--out", str(out), "-j", "1", *allowed]) == 1
    shown = capsys.readouterr()
    if form != "python":
        assert f"the key in {VARIABLE} goes to {host}" in shown.err
        assert "*" * len(KEY) in shown.err
    assert set(server.seen) == {f"Bearer {KEY}"}  # type: ignore[attr-defined]
    written = [path.read_text("utf-8", "replace") for path in out.rglob("*") if path.is_file()]
    assert any("expected each" in text for text in written)
    parts = {KEY[at : at + 8] for at in range(len(KEY) - 7)}
    assert not [part for part in parts for text in (*written, shown.out, shown.err) if part in text]


@pytest.mark.parametrize("word", ["OTHER", f"{VARIABLE}@evil.example", f"{VARIABLE}@127.0.0.1"])
def test_a_word_for_another_key_or_host_does_not_count(suite: Path, word: str) -> None:
    with pytest.raises(InputError, match="would send a key"):
        lydite.run(suite, allow_keys=[word])


@pytest.mark.parametrize(
    "model",
    [
        "endpoint(https://A.example/v1, model=m, key_env=K)",
        "hybrid(overlap, endpoint(https://a.example/v1, model=m, key_env=K))",
        'hybrid(overlap, "endpoint(https://a.example/v1, model=m, key_env=K)")',
        "pooled(texts=endpoint(url=https://a.example/v1, model=m, key_env=K))",
    ],
)
def test_keys_are_found_wherever_a_model_stands(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("K", "1")
    assert keys_used([model]) == [KeyUse("K", "a.example")]
    monkeypatch.setenv("K", " ")
    assert keys_used([model]) == []


def test_keys_are_found_in_wraps_and_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("K", "1")
    monkeypatch.setenv("OPENAI_API_KEY", "1")
    wrapped = Task(evaluation="similarity", resources=("a",), wrap="pca({})")
    inside = Task(
        evaluation="separation(subset='endpoint(https://c.example, model=m, key_env=K)')".replace(
            "'", '"'
        ),
        resources=("a",),
    )
    models = (
        "endpoint(https://b.example/v1, model=m)",
        "endpoint(https://d, model=m, key_env=none)",
    )
    suite = Suite(name="s", models=models, tasks=(wrapped, inside))
    assert suite.keys == [KeyUse("K", "c.example"), KeyUse("OPENAI_API_KEY", "b.example")]
