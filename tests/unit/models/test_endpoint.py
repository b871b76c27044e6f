from __future__ import annotations

import base64
import contextlib
import email.utils
import gzip
import json
import logging
import pickle
import re
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from lydite.errors import EndpointError, InputError
from lydite.models.embedding_cache import CachedEncoder
from lydite.models.endpoint import Backoff, Endpoint
from lydite.models.keys import Key
from lydite.spec import parse
from lydite.types import Plain, Vectors

KEY = "sk-very/secret-0123456789abcdef"
QUICK = Backoff(first=0.001, most=0.3)


class Request(BaseHTTPRequestHandler):
    """One request; the server's next behaviour answers it."""

    server: Server

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        self.body: Plain = json.loads(raw)
        self.server.requests.append(self)
        self.server.times.append(time.monotonic())
        self.server.next_behaviour()(self)

    def send(self, status: int, content: bytes | Plain, **headers: str) -> None:
        payload = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        pass


Behaviour: TypeAlias = Callable[[Request], None]


class Server(ThreadingHTTPServer):
    """Behaves as it is told, request after request; the last behaviour stays."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.behaviours: list[Behaviour] = [good]
        self.requests: list[Request] = []
        self.times: list[float] = []
        self.released = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_behaviour(self) -> Behaviour:
        with self.lock:
            return self.behaviours[0] if len(self.behaviours) == 1 else self.behaviours.pop(0)

    def model(self, *behaviours: Behaviour, **parameters: Plain) -> Endpoint:
        self.behaviours = list(behaviours) or [good]
        return Endpoint(url=self.url, model="toy", backoff=QUICK, **parameters)


def vector(text: str) -> list[float]:
    return [len(text), ord(text[:1] or "\0"), 0.5]


def data(texts: Sequence[str]) -> list[Plain]:
    return [
        {"object": "embedding", "index": at, "embedding": vector(text)}
        for at, text in enumerate(texts)
    ]


def good(request: Request) -> None:
    request.send(200, {"object": "list", "data": data(request.body["input"])})


def status(code: int, content: bytes | Plain = b"no", **headers: str) -> Behaviour:
    return lambda request: request.send(code, content, **headers)


def changed(change: Callable[[list[Plain]], Plain]) -> Behaviour:
    return lambda request: request.send(200, {"data": change(data(request.body["input"]))})


def hang(request: Request) -> None:
    request.server.released.wait()
    request.close_connection = True


def cut(request: Request) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b'{"data": [')
    request.wfile.flush()
    request.connection.shutdown(socket.SHUT_RDWR)


def echo_key(request: Request) -> None:
    header = request.headers["Authorization"]
    answer = {"error": f"bad key {header}", "part": header[10:24], "pad": "x" * 9000}
    request.send(401, answer, X_Key=header)


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.released.set()
    made.shutdown()
    thread.join()
    made.server_close()


def test_texts_go_out_in_batches_and_vectors_come_back_in_order(server: Server) -> None:
    texts = [chr(97 + number) * (number + 1) for number in range(10)]
    got = server.model(batch=3, workers=4).encode(texts)
    assert got.dtype == np.float32
    assert got.tolist() == [vector(text) for text in texts]
    assert sorted(len(request.body["input"]) for request in server.requests) == [1, 3, 3, 3]


def test_the_request_is_what_openai_documents(server: Server) -> None:
    server.model(dimensions=3).encode(["héllo 🙂\ud800"])
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["Authorization"] is None
    assert request.body == {
        "model": "toy",
        "input": ["héllo 🙂\ufffd"],
        "encoding_format": "float",
        "dimensions": 3,
    }


def test_no_texts_make_no_request(server: Server) -> None:
    assert server.model().encode([]).shape == (0, 0)
    assert server.model(dimensions=7).encode([]).shape == (0, 7)
    assert server.requests == []


def test_vectors_in_another_order_are_sorted_by_index(server: Server) -> None:
    model = server.model(changed(lambda items: items[::-1]))
    assert model.encode(["a", "bb", "ccc"])[:, 0].tolist() == [1, 2, 3]


def test_vectors_without_index_are_taken_in_order(server: Server) -> None:
    model = server.model(changed(lambda items: [{"embedding": one["embedding"]} for one in items]))
    assert model.encode(["a", "bb"])[:, 0].tolist() == [1, 2]


def test_vectors_in_base64_are_read(server: Server) -> None:
    def encode(items: list[Plain]) -> Plain:
        raw = [np.array(one["embedding"], dtype="<f4").tobytes() for one in items]
        return [
            {"index": at, "embedding": base64.b64encode(one).decode()} for at, one in enumerate(raw)
        ]

    assert server.model(changed(encode)).encode(["abc"]).tolist() == [vector("abc")]


def test_429_is_repeated_after_the_seconds_asked_for(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    model = server.model(status(429, Retry_After="0.2"), good)
    assert model.encode(["a"]).tolist() == [vector("a")]
    assert server.times[1] - server.times[0] >= 0.2
    assert "HTTP 429; repetition 1 of 5 in 0.2 s" in caplog.text


def test_retry_after_may_be_a_date_and_is_capped(server: Server) -> None:
    later = email.utils.formatdate(time.time() + 3600, usegmt=True)
    server.model(status(503, Retry_After=later), good).encode(["a"])
    assert server.times[1] - server.times[0] >= 0.3  # QUICK.most, not an hour


@pytest.mark.parametrize("header", ["soon", "-5", "nan", "Mon, 01 Jan 2001 00:00:00 GMT"])
def test_a_senseless_retry_after_is_passed_over(server: Server, header: str) -> None:
    server.model(status(429, Retry_After=header), good).encode(["a"])
    assert len(server.requests) == 2


def test_500s_are_repeated_until_it_works(server: Server) -> None:
    model = server.model(status(500), status(502), status(503), status(529), good)
    assert model.encode(["a"]).tolist() == [vector("a")]
    assert len(server.requests) == 5


def test_500_for_ever_is_given_up_after_the_retries(server: Server) -> None:
    model = server.model(status(500, b"out of <b>memory</b>\x1b[31m\n"), retries=3)
    with pytest.raises(EndpointError) as caught:
        model.encode(["a", "b"])
    expected = "HTTP 500 for 2 texts: out of <b>memory</b> [31m"
    assert caught.value.message == f"{server.url}: {expected}"
    assert len(server.requests) == 4


def test_a_server_that_hangs_is_asked_again_after_the_timeout(server: Server) -> None:
    model = server.model(hang, good, timeout=0.2)
    assert model.encode(["a"]).tolist() == [vector("a")]


def test_a_server_that_always_hangs_is_an_error_that_names_the_timeout(server: Server) -> None:
    with pytest.raises(EndpointError, match=r"requests sent: 2 \(no whole answer within") as caught:
        server.model(hang, timeout=0.1, retries=1).encode(["a"])
    assert "longer timeout=" in str(caught.value)


def drip(part: bytes) -> Behaviour:
    """Send a few bytes, then one more every hundredth of a second, for ever."""

    def behave(request: Request) -> None:
        request.close_connection = True
        with contextlib.suppress(OSError):
            request.wfile.write(part)
            while not request.server.released.wait(0.01):
                request.wfile.write(b" ")
                request.wfile.flush()

    return behave


@pytest.mark.parametrize(
    "part",
    [
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n",
        b"HTTP/1.1 500 No\r\nContent-Length: 99999\r\n\r\n",
    ],
    ids=["header", "body", "refusal"],
)
def test_a_server_that_drips_is_given_up_at_the_timeout(server: Server, part: bytes) -> None:
    # No read ever waits for a second: only the time of the whole request can end this.
    with pytest.raises(EndpointError, match=r"\(no whole answer within 0\.3 s\)"):
        server.model(drip(part), timeout=0.3, retries=1).encode(["a"])
    assert len(server.requests) == 2


def test_a_connection_is_used_again_after_a_hang_up(server: Server) -> None:
    model = server.model(drip(b"HTTP/1.1 200 OK\r\n"), good, timeout=0.3, batch=1, workers=1)
    assert model.encode(["a", "b"]).tolist() == [vector("a"), vector("b")]


def test_a_body_beyond_what_was_asked_is_not_read(server: Server) -> None:
    sent: list[int] = []

    def flood(request: Request) -> None:
        request.close_connection = True
        block = b" " * (1 << 20)
        with contextlib.suppress(OSError):
            request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3000000000\r\n\r\n")
            for number in range(2800):
                request.wfile.write(block)
                sent.append(number)

    with pytest.raises(EndpointError, match="at most 11,264 bytes for what was asked, got more"):
        server.model(flood, dimensions=64, retries=0).encode(["a"])
    assert len(sent) < 100


def test_a_packed_body_is_read_and_not_beyond_what_was_asked(server: Server) -> None:
    answer = json.dumps({"data": data(["abc"])}).encode()
    packed = status(200, gzip.compress(answer), Content_Encoding="gzip")
    assert server.model(packed).encode(["abc"]).tolist() == [vector("abc")]
    bomb = status(200, gzip.compress(b" " * (1 << 24)), Content_Encoding="gzip")
    with pytest.raises(EndpointError, match="at most 8,336 bytes for what was asked, got more"):
        server.model(bomb, dimensions=3).encode(["a"])
    for coding, message in [("zstd", "got one in zstd"), ("gzip", "expected an answer in gzip")]:
        with pytest.raises(EndpointError, match=message):
            server.model(status(200, b"no", Content_Encoding=coding)).encode(["a"])


@pytest.mark.parametrize("item", [b"[],", b"0,", b"{},", b'"",'])
def test_an_answer_that_would_fill_the_memory_is_not_parsed(server: Server, item: bytes) -> None:
    body = b'{"data": [' + item * 200_000 + b"0]}"
    with pytest.raises(EndpointError, match=r"expected 1 vectors, got [\d,]+ lists"):
        server.model(status(200, body)).encode(["a"])


def test_a_cut_connection_is_repeated(server: Server) -> None:
    assert server.model(cut, cut, good).encode(["a"]).tolist() == [vector("a")]


def test_nobody_at_the_address_is_an_error() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = Endpoint(url=f"http://127.0.0.1:{port}", model="toy", backoff=QUICK, retries=1)
    with pytest.raises(EndpointError, match="ConnectError") as caught:
        model.encode(["a"])
    assert "is the server running" in str(caught.value)


@pytest.mark.parametrize(
    ("code", "hint"),
    [(400, "too long for the model"), (404, "up to /v1"), (401, "no key was sent"), (422, "")],
)
def test_a_refusal_is_not_repeated_and_shows_the_body(server: Server, code: int, hint: str) -> None:
    model = server.model(status(code, {"error": {"message": "input\nis bad"}}))
    with pytest.raises(EndpointError, match=rf"HTTP {code} for one text: .*is bad") as e:
        model.encode(["a"])
    assert hint in (e.value.hint or "")
    assert len(server.requests) == 1


def test_413_is_answered_with_smaller_batches(server: Server) -> None:
    def small_only(request: Request) -> None:
        good(request) if len(request.body["input"]) <= 2 else status(413)(request)

    texts = ["a" * number for number in range(1, 8)]
    assert server.model(small_only).encode(texts)[:, 0].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_413_for_a_single_text_is_an_error(server: Server) -> None:
    with pytest.raises(EndpointError, match="HTTP 413 for one text") as caught:
        server.model(status(413)).encode(["a", "b"])
    assert "too long" in str(caught.value)


def test_a_redirect_is_not_followed(server: Server) -> None:
    model = server.model(status(308, b"", Location="https://elsewhere.example/v1"))
    with pytest.raises(EndpointError, match=r"redirected to https://elsewhere\.example/v1"):
        model.encode(["a"])


NAN = float("nan")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"<html>Bad gateway</html>", "expected JSON, got <html>Bad gateway</html>"),
        (b"\xff\xfe\xfd", "expected JSON, got"),
        (b"", r"expected JSON, got \(an empty body\)"),
        (b"[" * 1_000, "expected JSON, got"),
        (b"[" * 100_000, "expected 2 vectors, got 100,000 lists"),
        ([], 'expected a list of objects under "data"'),
        ({"error": "overloaded"}, 'under "data" in .*overloaded'),
        ({"data": [None, None]}, 'expected a list of objects under "data"'),
        ({"data": data("a")}, "expected 2 vectors for as many texts, got 1"),
        ({"data": data("abc")}, "expected 2 vectors for as many texts, got 3"),
        ({"data": data("a") * 2}, r'each "index" from 0 to 1 once, got \[0, 0\]'),
        ({"data": [{"embedding": [1]}, {"embedding": [1], "index": 0}]}, r"got \[None, 0\]"),
        ({"data": [{"embedding": [1]}, {"embedding": [1, 2]}]}, r"one length, got \[1, 2\]"),
        ({"data": [{"embedding": []}, {"embedding": []}]}, r"one length, got \[0\]"),
        ({"data": [{"embedding": [1, NAN]}, {"embedding": [1, 2]}]}, "got NaN or infinity"),
        ({"data": [{"embedding": [1, 1e39]}, {"embedding": [1, 2]}]}, "got NaN or infinity"),
        ({"data": [{"embedding": [1, 10**400]}] * 2}, "beyond every float"),
        ({"data": [{"embedding": [1, None]}, {"embedding": [1, 2]}]}, "expected a list of numbers"),
        ({"data": [{"embedding": ["1"]}, {"embedding": [1]}]}, "expected a list of numbers"),
        ({"data": [{"embedding": None, "index": 1}, {"index": 0}]}, '"embedding" of index 1'),
        ({"data": [{"embedding": "AAA"}, {"embedding": "AAAA"}]}, "float32 numbers in base64"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused_in_words(
    server: Server, answer: bytes | Plain, message: str
) -> None:
    model = server.model(status(200, answer))
    with pytest.raises(EndpointError, match=message):
        model.encode(["a", "b"])
    assert len(server.requests) == 1


def test_vectors_of_another_length_in_a_later_batch_are_refused(server: Server) -> None:
    longer = changed(lambda items: [{"embedding": [1, 2, 3, 4]} for _ in items])
    with pytest.raises(EndpointError, match="expected vectors of 3 numbers, got 4"):
        server.model(good, longer, batch=1, workers=1).encode(["a", "b"])


def test_dimensions_that_the_server_ignores_are_an_error(server: Server) -> None:
    with pytest.raises(EndpointError, match="expected vectors of 2 numbers, got 3") as caught:
        server.model(dimensions=2).encode(["a"])
    assert "does toy know the parameter dimensions=2?" in str(caught.value)


def test_what_was_answered_before_a_failure_is_kept(server: Server) -> None:
    cached = CachedEncoder(server.model(good, good, status(400), batch=1, workers=1), "endpoint")
    with pytest.raises(EndpointError, match="HTTP 400"):
        cached.encode(list("abcdef"))
    assert len(server.requests) == 3  # nothing was begun after the failure
    server.behaviours = [good]
    assert cached.encode(list("abcdef")).tolist() == [vector(text) for text in "abcdef"]
    asked = [text for request in server.requests[3:] for text in request.body["input"]]
    assert sorted(asked) == ["c", "d", "e", "f"]


def test_the_factory_caches_unless_told_not_to(server: Server) -> None:
    cached = Endpoint.open(server.url, model="toy")
    assert isinstance(cached, CachedEncoder)
    cached.encode(["a"])
    assert Endpoint.open(server.url, model="toy", batch=7).encode(["a"]).tolist() == [vector("a")]
    assert len(server.requests) == 1  # the batch size is no part of the key
    Endpoint.open(server.url, model="toy", revision="2").encode(["a"])
    Endpoint.open(server.url, model="toy", cache=False).encode(["a"])
    assert len(server.requests) == 3


def test_cached_vectors_need_neither_server_nor_key(monkeypatch: pytest.MonkeyPatch) -> None:
    remote = Endpoint(url="http://192.0.2.1/v1", model="m", retries=0, timeout=0.1)

    class Twin:
        spec, fingerprint = remote.spec, remote.fingerprint

        def encode(self, texts: Sequence[str], /) -> Vectors:
            return np.array([vector(text) for text in texts], dtype=np.float32)

    CachedEncoder(Twin(), "endpoint").encode(["a"])
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert CachedEncoder(remote, "endpoint").encode(["a"]).tolist() == [vector("a")]


def test_spec_leaves_out_defaults_and_reads_back() -> None:
    plain = Endpoint(url="http://127.0.0.1:8080/v1/", model="bge-small", timeout=60)
    assert plain.spec == "endpoint(http://127.0.0.1:8080/v1, model=bge-small)"
    full = Endpoint(url="https://a.example", model="m", revision="2", batch=3, key_env=None)
    assert full.spec == 'endpoint(https://a.example, model=m, revision="2", key_env=none, batch=3)'
    spec = parse(full.spec)
    again = Endpoint.open(*spec.args, **dict(spec.params))  # type: ignore[arg-type]
    assert again.spec == full.spec
    assert again.fingerprint == full.fingerprint


def test_the_fingerprint_is_of_what_changes_vectors() -> None:
    def fingerprint(**parameters: Plain) -> str:
        return Endpoint(**{"url": "http://h", "model": "m", **parameters}).fingerprint

    different: list[dict[str, Plain]] = [
        {},
        {"url": "http://g"},
        {"model": "n"},
        {"dimensions": 3},
        {"revision": "r"},
    ]
    assert len({fingerprint(**one) for one in different}) == len(different)
    assert fingerprint() == fingerprint(batch=9, timeout=1.0, retries=0, workers=1, key_env="K")


def test_the_key_is_sent_and_is_nowhere_else(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("TOY_KEY", f" {KEY}\n")
    model = server.model(status(500, KEY.encode()), good, key_env="TOY_KEY")
    cached = CachedEncoder(model, "endpoint")
    with caplog.at_level(logging.DEBUG):
        cached.encode(["a"])
    assert [request.headers["Authorization"] for request in server.requests] == [
        f"Bearer {KEY}"
    ] * 2
    shown = f"{model!r} {cached!r} {model.spec} {model.fingerprint} {caplog.text}"
    assert "TOY_KEY" in shown
    assert KEY not in shown
    assert KEY.encode() not in pickle.dumps(cached)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(KEY.encode() not in path.read_bytes() for path in files)


def test_a_key_that_the_server_echoes_is_starred_out(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(EndpointError, match=r"HTTP 401 .*bad key Bearer \*+\"") as caught:
        server.model(echo_key).encode(["a"])
    told = f"{caught.value} {caught.value!r} {caught.value.__cause__}"
    assert "OPENAI_API_KEY was sent and refused" in told
    # No stretch of eight characters of the key is left.
    assert not [at for at in range(len(KEY) - 7) if KEY[at : at + 8] in told]


def _echoes(header: str) -> dict[str, str]:
    key = header.removeprefix("Bearer ")
    return {
        "header": header,
        "address": urllib.parse.quote(header, safe=""),
        "address twice": urllib.parse.quote(urllib.parse.quote(key, safe="")),
        "JSON": "".join(f"\\u{ord(c):04x}" for c in key),
        "HTML": "".join(f"&#{ord(c)};" for c in key),
        "slashes": key.replace("/", "\\/"),
        "spaced": " ".join(key),
        "upper": key.upper(),
        "base64": base64.b64encode(header.encode()).decode(),
        "base64 of the key": base64.urlsafe_b64encode(key.encode()).decode(),
        "base64 further on": base64.b64encode(b"a " + key.encode()).decode(),
        "hexadecimal": key.encode().hex(),
        "numbers": str(list(key.encode())),
        "backwards": key[::-1],
        "half": key[: len(key) // 2],
    }


@pytest.mark.parametrize("how", list(_echoes(KEY)))
@pytest.mark.parametrize("where", ["index", "embedding", "reason", "redirect", "body", "length"])
def test_a_key_is_hidden_however_and_wherever_it_comes_back(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    how: str,
    where: str,
) -> None:
    """A server that gave the header back as ``index`` once got it into every file of a run."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def behave(request: Request) -> None:
        echo = _echoes(request.headers["Authorization"])[how]
        if where in {"index", "embedding"}:
            return request.send(200, {"data": [{"embedding": [1.0], "index": 0, where: echo}]})
        if where == "redirect":
            return request.send(307, b"", Location=f"https://b.example/{echo}")
        if where == "body":
            return request.send(400, f"<b>{echo}</b>".encode())
        request.close_connection = True
        line = f"200 OK\r\nContent-Length: {echo}" if where == "length" else f"400 {echo}"
        request.wfile.write(f"HTTP/1.1 {line}\r\n\r\n".encode())
        return None

    with caplog.at_level(logging.DEBUG), pytest.raises(EndpointError) as caught:
        server.model(behave, retries=1).encode(["a"])
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    logged = "\n".join(f"{record.getMessage()} {record.exc_info}" for record in caplog.records)
    told = f"{error} {error!r} {pickle.dumps(error)!r} {logged}"
    assert KEY not in told
    echo = _echoes(f"Bearer {KEY}")[how]
    longest = max(re.findall(r"[^*]+", Key(KEY).redact(echo)), key=len, default="")
    assert "*" * 8 in Key(KEY).redact(echo)
    assert len(longest) <= max(len("Bearer%20"), len(r"\u0000") * 8)
    assert echo not in told


def test_a_key_in_a_redirect_is_starred_out(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(EndpointError, match=r"redirected to http://x/\?key=\*{31}\n") as caught:
        server.model(status(302, b"", Location=f"http://x/?key={KEY}")).encode(["a"])
    assert caught.value.hint is not None


def test_a_key_is_not_sent_over_plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    # 192.0.2.0/24 is set aside for documentation: nothing answers there.
    for host in ("192.0.2.1", "localhost.example", "127.0.0.1.example"):
        model = Endpoint(url=f"http://{host}/v1", model="m", timeout=0.1, retries=0)
        with pytest.raises(EndpointError, match="is not sent over plain http") as caught:
            model.encode(["a"])
        assert "use https" in str(caught.value)
        assert KEY not in str(caught.value)


def test_a_proxy_is_not_used_for_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert server.model(retries=0, timeout=5.0).encode(["a"]).tolist() == [vector("a")]


def test_a_key_with_odd_characters_is_refused_unseen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sécret\nkey")
    with pytest.raises(InputError, match="OPENAI_API_KEY does not contain a key") as caught:
        server.model().encode(["a"])
    assert "cret" not in str(caught.value).replace("secret in", "")
    assert server.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "http://user:hunter2@host/v1",
        "https://hunter2@host/v1",
        "user:hunter2@host/v1",
        "https://host/v1?key=hunter2",
        "https://host/v1#hunter2",
        "http://[hunter2",
    ],
)
def test_a_secret_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InputError, match="expected an address") as caught:
        Endpoint(url=url, model="m")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://a/v1\r\nX-Evil: 1", "http://a b/v1", "http://h/\tv1", "http://h/v1\x7f"]
)
def test_an_address_cannot_carry_a_header(url: str) -> None:
    with pytest.raises(InputError, match="without spaces and control characters"):
        Endpoint(url=url, model="m")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://a..b/v1", "not the name of a host|ConnectError|not an address"),
        (f"http://{'a' * 70}/v1", "not the name of a host|ConnectError|not an address"),
        ("http://xn--zzzzzzzzzzz/v1", "not the name of a host|not an address|ConnectError"),
        ("http://[::1%eth9]/v1", "not an address|ConnectError"),
        ("http://256.256.256.256/v1", "not an address|ConnectError"),
        ("http://127.0.0.1:0/v1", "ConnectError"),
    ],
)
def test_an_address_that_is_none_is_an_error_in_words(url: str, message: str) -> None:
    with pytest.raises(EndpointError, match=message):
        Endpoint(url=url, model="m", retries=0, timeout=5.0).encode(["a"])


def test_a_key_that_is_written_where_its_variable_belongs_is_not_repeated() -> None:
    with pytest.raises(InputError, match="to name an environment variable") as caught:
        Endpoint(url="https://a.example", model="m", key_env=KEY)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"url": "ftp://host"},
            "expected an address like http://127.0.0.1:8080/v1, got 'ftp://host'",
        ),
        ({"url": "host"}, "expected an address like"),
        ({"url": 8080}, "expected an address"),
        ({"model": 3}, "expected model to be text, got 3"),
        ({"model": ""}, "expected a text for model=, got an empty one"),
        ({"revision": 7}, "expected revision to be text or none, got 7"),
        ({"batch": 0}, "expected batch to be a whole number from 1, got 0"),
        ({"batch": 1.5}, "expected batch to be a whole number from 1, got 1.5"),
        ({"retries": -1}, "expected retries to be a whole number from 0, got -1"),
        ({"workers": True}, "expected workers to be a whole number from 1, got True"),
        ({"timeout": 0}, "expected timeout to be a number above 0, got 0"),
    ],
)
def test_senseless_parameters_are_refused(parameters: dict[str, Plain], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Endpoint(**{"url": "http://127.0.0.1", "model": "m", **parameters})


def test_the_wait_doubles_and_is_capped() -> None:
    backoff = Backoff(first=1.0, most=10.0)
    waits = [backoff.delay(attempt, asked=None, jitter=0.0) for attempt in range(6)]
    assert waits == [1, 2, 4, 8, 10, 10]
    assert backoff.delay(1, asked=None, jitter=0.5) == 1.5  # 2 * (1 - 0.5 / 2)
    assert backoff.delay(3, asked=1.0, jitter=0.0) == 8
    assert backoff.delay(0, asked=99.0, jitter=0.9) == 10
