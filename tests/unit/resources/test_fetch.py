from __future__ import annotations

import hashlib
import http.server
import io
import re
import shutil
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lydite.errors import ChecksumError, ResourceError
from lydite.resources.card import Archive, Card, CardFile
from lydite.resources.catalogue import cached
from lydite.resources.fetch import Patience, fetch

BODY = bytes(range(256)) * 1200  # 307,200 bytes: several reads, several TLS records
ETAG = '"version-1"'
IMPATIENT = Patience(attempts=3, wait=0.0, timeout=10.0)

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="no openssl command to make a certificate with"
)


class Handler(http.server.BaseHTTPRequestHandler):
    """Hands each request to the next answer of its server; the last answer stays."""

    server: Server

    def do_GET(self) -> None:
        self.server.seen.append(dict(self.headers.items()))
        answers = self.server.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        answer(self)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the tests' output clean."""

    def start(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def cut(self) -> None:
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True


Answer = Callable[[Handler], None]


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.answers: list[Answer] = [honest(BODY)]
        self.seen: list[dict[str, str]] = []

    def url(self, host: str = "127.0.0.1") -> str:
        return f"https://{host}:{self.server_address[1]}/file.txt"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the game."""


def honest(body: bytes, *, etag: str = ETAG) -> Answer:
    """Serve a body as a good server does: whole, or the rest that is asked for."""

    def answer(handler: Handler) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        if not asked or handler.headers.get("If-Range", etag) != etag:
            handler.start(200, Content_Length=len(body), ETag=etag)
            handler.wfile.write(body)
        else:
            span = f"bytes {first}-{len(body) - 1}/{len(body)}"
            rest = len(body) - first
            handler.start(206, Content_Length=rest, Content_Range=span, ETag=etag)
            handler.wfile.write(body[first:])

    return answer


def cut_after(sent: int, *, etag: str = ETAG) -> Answer:
    """Promise the rest that is asked for, send a part of it, hang up."""

    def answer(handler: Handler) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        span = f"bytes {first}-{len(BODY) - 1}/{len(BODY)}"
        status, headers = (206, {"Content_Range": span}) if first else (200, {})
        handler.start(status, Content_Length=len(BODY) - first, ETag=etag, **headers)
        handler.wfile.write(BODY[first : first + sent])
        handler.cut()

    return answer


def refuse(status: int, **headers: object) -> Answer:
    def answer(handler: Handler) -> None:
        handler.start(status, Content_Length=0, **headers)

    return answer


def whole(body: bytes, **headers: object) -> Answer:
    """Serve a body whatever range is asked for; without a length, it ends with the connection."""

    def answer(handler: Handler) -> None:
        handler.start(200, **headers)
        handler.wfile.write(body)
        handler.cut()

    return answer


@dataclass(frozen=True)
class Certificate:
    path: Path
    key: Path

    def trusted(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.path)
        return context


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    folder = tmp_path_factory.mktemp("certificate")
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    names = "subjectAltName=IP:127.0.0.1,DNS:data.example"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    details = ["-subj", "/CN=test", "-addext", names]
    files = ["-out", str(made.path), "-keyout", str(made.key)]
    subprocess.run([*command.split(), *details, *files], check=True, capture_output=True)
    return made


@pytest.fixture
def server(certificate: Certificate) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.path, certificate.key)
    with Server(context) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LYDITE_DATA", raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def trusted(certificate: Certificate) -> ssl.SSLContext:
    return certificate.trusted()


def card(url: str | None, body: bytes = BODY) -> Card:
    sha256 = hashlib.sha256(body).hexdigest()
    return Card(
        name="toy",
        title="Toy",
        kind="corpus",
        format="bytes",
        licence="CC0 1.0",
        redistributable=True,
        citation="lydite",
        source="the toy shop",
        files=(CardFile(path="toy/file.txt", sha256=sha256, bytes=len(body), url=url),),
    )


def left_behind() -> list[str]:
    folder = cached(card(None))
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def get(server: Server, trusted: ssl.SSLContext) -> bytes:
    """Fetch the usual card and return what came."""
    located = fetch(card(server.url()), patience=IMPATIENT, context=trusted)
    return located.single().read_bytes()


def test_a_file_arrives_whole_and_alone(server: Server, trusted: ssl.SSLContext) -> None:
    told: list[tuple[str, int, int | None]] = []
    located = fetch(
        card(server.url()),
        context=trusted,
        progress=lambda what, done, total: told.append((what, done, total)),
    )
    assert located.single().read_bytes() == BODY
    assert located.sha256 == hashlib.sha256(BODY).hexdigest()
    assert left_behind() == ["file.txt"]
    assert told[0] == ("toy/file.txt", 0, len(BODY))
    assert told[-1] == ("toy/file.txt", len(BODY), len(BODY))
    # A compressed answer could be neither resumed nor compared with the pinned size.
    assert server.seen[0]["Accept-Encoding"] == "identity"


def test_what_is_there_is_not_fetched_again(server: Server, trusted: ssl.SSLContext) -> None:
    get(server, trusted)
    get(server, trusted)
    assert len(server.seen) == 1


def test_what_is_in_the_data_folder_is_not_fetched(
    server: Server, trusted: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tmp_path / "data/toy/file.txt"
    given.parent.mkdir(parents=True)
    given.write_bytes(BODY)
    monkeypatch.setenv("LYDITE_DATA", str(tmp_path / "data"))
    assert fetch(card(server.url()), context=trusted).single() == given
    assert server.seen == []


def test_a_damaged_file_in_the_cache_is_replaced(server: Server, trusted: ssl.SSLContext) -> None:
    path = cached(card(None)) / "toy/file.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(BODY[::-1])
    assert get(server, trusted) == BODY


def test_a_cut_connection_is_resumed_where_it_was_cut(
    server: Server, trusted: ssl.SSLContext
) -> None:
    server.answers = [cut_after(100_000), honest(BODY)]
    assert get(server, trusted) == BODY
    assert len(server.seen) == 2
    assert "Range" not in server.seen[0]
    assert server.seen[1]["Range"] == "bytes=100000-"
    assert server.seen[1]["If-Range"] == ETAG
    assert left_behind() == ["file.txt"]


def test_a_connection_cut_for_good_is_given_up_and_goes_on_next_time(
    server: Server, trusted: ssl.SSLContext
) -> None:
    server.answers = [cut_after(1000)]
    with pytest.raises(ResourceError, match="gave up after 3 attempts") as caught:
        get(server, trusted)
    assert caught.value.hint == "fetch again to go on after 3000 of 307200 bytes"
    assert len(server.seen) == 3
    assert not (cached(card(None)) / "toy/file.txt").exists()

    server.answers = [honest(BODY)]
    assert get(server, trusted) == BODY
    assert server.seen[-1]["Range"] == "bytes=3000-"


def test_a_short_answer_without_a_length_counts_as_cut(
    server: Server, trusted: ssl.SSLContext
) -> None:
    server.answers = [whole(BODY[:5000]), honest(BODY)]
    assert get(server, trusted) == BODY
    assert server.seen[1]["Range"] == "bytes=5000-"


def test_a_weak_tag_is_not_used_to_resume(server: Server, trusted: ssl.SSLContext) -> None:
    server.answers = [cut_after(1000, etag='W/"weak"'), honest(BODY)]
    assert get(server, trusted) == BODY
    assert server.seen[1]["Range"] == "bytes=1000-"
    assert "If-Range" not in server.seen[1]


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(whole(BODY, Content_Length=len(BODY)), id="range ignored"),
        pytest.param(honest(BODY, etag='"version-2"'), id="file changed meanwhile"),
        pytest.param(refuse(416), id="range refused"),
        pytest.param(
            refuse(206, Content_Range=f"bytes 7-{len(BODY) - 1}/{len(BODY)}"), id="wrong offset"
        ),
        pytest.param(refuse(206), id="no offset"),
    ],
)
def test_a_server_that_cannot_resume_makes_it_start_again(
    server: Server, trusted: ssl.SSLContext, second: Answer
) -> None:
    server.answers = [cut_after(1000), second, honest(BODY)]
    assert get(server, trusted) == BODY
    assert left_behind() == ["file.txt"]
    assert all("Range" not in headers for headers in server.seen[2:])


def test_a_part_damaged_by_an_earlier_run_is_thrown_away(
    server: Server, trusted: ssl.SSLContext
) -> None:
    part = cached(card(None)) / "toy/.file.txt.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"\0" * 5000)
    assert get(server, trusted) == BODY
    assert ["Range" in headers for headers in server.seen] == [True, False]


def test_a_part_longer_than_the_file_is_thrown_away(
    server: Server, trusted: ssl.SSLContext
) -> None:
    part = cached(card(None)) / "toy/.file.txt.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(BODY + b"more")
    assert get(server, trusted) == BODY
    assert "Range" not in server.seen[0]


def test_a_wrong_checksum_names_both_and_leaves_nothing(
    server: Server, trusted: ssl.SSLContext
) -> None:
    server.answers = [honest(BODY[::-1])]
    with pytest.raises(ChecksumError) as caught:
        get(server, trusted)
    assert hashlib.sha256(BODY).hexdigest() in caught.value.message
    assert hashlib.sha256(BODY[::-1]).hexdigest() in caught.value.message
    assert left_behind() == []
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(honest(BODY + b"more"), id="with a length"),
        pytest.param(whole(BODY + b"more"), id="without a length"),
    ],
)
def test_no_more_than_the_pinned_size_is_taken(
    server: Server, trusted: ssl.SSLContext, answer: Answer
) -> None:
    server.answers = [answer]
    with pytest.raises(ChecksumError, match="expected 307200 bytes, got"):
        get(server, trusted)
    assert left_behind() == []
    assert len(server.seen) == 1


def test_a_shorter_file_is_not_waited_for(server: Server, trusted: ssl.SSLContext) -> None:
    server.answers = [honest(BODY[:-1])]
    with pytest.raises(ChecksumError, match="expected 307200 bytes, got 307199"):
        get(server, trusted)
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [404, 410, 403])
def test_an_absent_file_is_not_asked_for_twice(
    server: Server, trusted: ssl.SSLContext, status: int
) -> None:
    server.answers = [refuse(status)]
    with pytest.raises(ResourceError, match=f"the server answered {status}") as caught:
        get(server, trusted)
    assert not isinstance(caught.value, ChecksumError)
    assert server.url() in str(caught.value)
    assert len(server.seen) == 1
    assert left_behind() == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(server: Server, trusted: ssl.SSLContext, status: int) -> None:
    server.answers = [refuse(status, Retry_After=0), refuse(status), honest(BODY)]
    assert get(server, trusted) == BODY
    assert len(server.seen) == 3


def test_a_server_that_stays_busy_is_given_up(server: Server, trusted: ssl.SSLContext) -> None:
    server.answers = [refuse(503)]
    with pytest.raises(ResourceError, match="answered 503; gave up after 3 attempts"):
        get(server, trusted)
    assert len(server.seen) == 3


def test_nobody_listening_is_an_error_with_the_address(trusted: ssl.SSLContext) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"https://127.0.0.1:{unused.getsockname()[1]}/file.txt"
        with pytest.raises(ResourceError, match=f"{url}.*gave up after 3"):
            fetch(card(url), patience=IMPATIENT, context=trusted)


def test_an_encoded_answer_is_refused(server: Server, trusted: ssl.SSLContext) -> None:
    server.answers = [whole(BODY, Content_Encoding="gzip", Content_Length=len(BODY))]
    with pytest.raises(ResourceError, match="expected plain bytes"):
        get(server, trusted)


def test_an_unknown_certificate_is_refused_at_once(server: Server) -> None:
    with pytest.raises(ResourceError, match="certificate is not trusted") as caught:
        fetch(card(server.url()), patience=IMPATIENT)
    assert "SSL_CERT_FILE" in str(caught.value.hint)
    assert server.seen == []


def test_an_http_address_is_refused_before_a_byte_is_sent(
    server: Server, trusted: ssl.SSLContext
) -> None:
    url = server.url().replace("https", "http")
    with pytest.raises(ResourceError, match="expected an https address"):
        fetch(card(url), patience=IMPATIENT, context=trusted)
    assert server.seen == []


@pytest.mark.parametrize("target", ["http://127.0.0.1:9/file.txt", "ftp://127.0.0.1/file.txt"])
def test_a_redirect_away_from_https_is_refused(
    server: Server, trusted: ssl.SSLContext, target: str
) -> None:
    server.answers = [refuse(302, Location=target)]
    with pytest.raises(ResourceError, match="expected an https address") as caught:
        get(server, trusted)
    assert target in str(caught.value)
    assert len(server.seen) == 1


def test_a_redirect_within_https_is_followed_and_a_circle_is_not(
    server: Server, trusted: ssl.SSLContext
) -> None:
    server.answers = [refuse(302, Location="/elsewhere.txt"), honest(BODY)]
    assert get(server, trusted) == BODY
    (cached(card(None)) / "toy/file.txt").unlink()
    server.answers = [refuse(302, Location="/elsewhere.txt")]
    with pytest.raises(ResourceError, match="more than 5 redirects"):
        get(server, trusted)


def test_a_redirect_to_nowhere_is_refused(server: Server, trusted: ssl.SSLContext) -> None:
    server.answers = [refuse(302, Location="https://127.0.0.1:port/")]
    with pytest.raises(ResourceError, match="Invalid port"):
        get(server, trusted)


def test_a_card_without_addresses_says_to_bring_the_file() -> None:
    with pytest.raises(ResourceError, match="get the file from the toy shop"):
        fetch(card(None))


def test_what_can_be_fetched_of_a_card_is_and_the_rest_is_named(
    server: Server, trusted: ssl.SSLContext
) -> None:
    both = card(server.url())
    other = replace(both.files[0], path="toy/other.txt", url=None)
    both = replace(both, files=(*both.files, other))
    with pytest.raises(ResourceError, match=r"toy/other\.txt not found"):
        fetch(both, patience=IMPATIENT, context=trusted)
    assert left_behind() == ["file.txt"]


def test_an_archive_is_fetched_and_unpacked(server: Server, trusted: ssl.SSLContext) -> None:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("in/file.txt", BODY)
        archive.writestr("in/unasked.txt", b"")
    packed = memory.getvalue()
    sha256 = hashlib.sha256(packed).hexdigest()
    server.answers = [honest(packed)]
    plain = card(None)
    wanted = replace(
        plain,
        files=(replace(plain.files[0], member="in/file.txt"),),
        archive=Archive(path="toy.zip", sha256=sha256, bytes=len(packed), url=server.url()),
    )
    located = fetch(wanted, patience=IMPATIENT, context=trusted)
    assert located.single().read_bytes() == BODY
    assert left_behind() == ["file.txt", "toy.zip"]


FETCH = """
import ssl, sys
from pathlib import Path
from lydite.resources.card import read_card
from lydite.resources.fetch import fetch
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.load_verify_locations(sys.argv[2])
sys.stdout.write("ready\\n")
sys.stdout.flush()
located = fetch(read_card(Path(sys.argv[1])), context=context)
sys.stdout.write(located.sha256)
"""


def test_two_processes_at_once_download_once(
    server: Server, certificate: Certificate, tmp_path: Path
) -> None:
    both_ready = threading.Event()

    def wait_then_serve(handler: Handler) -> None:
        both_ready.wait()
        honest(BODY)(handler)

    server.answers = [wait_then_serve]
    toml = tmp_path / "toy.toml"
    sha256 = hashlib.sha256(BODY).hexdigest()
    toml.write_text(
        'name = "toy"\ntitle = "Toy"\nkind = "corpus"\nformat = "bytes"\nlicence = "CC0 1.0"\n'
        'redistributable = true\ncitation = "lydite"\nsource = "nowhere"\n'
        f'[[files]]\npath = "toy/file.txt"\nsha256 = "{sha256}"\nbytes = {len(BODY)}\n'
        f'url = "{server.url()}"\n',
        encoding="utf-8",
    )
    command = [sys.executable, "-c", FETCH, str(toml), str(certificate.path)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as second,
    ):
        try:
            assert first.stdout is not None
            assert second.stdout is not None
            assert first.stdout.readline() == second.stdout.readline() == "ready\n"
        finally:
            both_ready.set()
        assert first.stdout.read() == second.stdout.read() == sha256
    assert len(server.seen) == 1


class Proxy(socketserver.ThreadingTCPServer):
    """Tunnels every CONNECT to one server, whatever host is named, and notes the names."""

    daemon_threads = True

    def __init__(self, behind: Server) -> None:
        super().__init__(("127.0.0.1", 0), ProxyHandler)
        self.behind = ("127.0.0.1", int(behind.server_address[1]))
        self.asked: list[str] = []


class ProxyHandler(socketserver.StreamRequestHandler):
    server: Proxy

    def handle(self) -> None:
        self.server.asked.append(self.rfile.readline().decode().strip())
        while self.rfile.readline().strip():
            pass
        with socket.create_connection(self.server.behind) as onward:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=pump, args=(onward, self.connection))
            back.start()
            pump(self.connection, onward)
            back.join()


def pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while block := source.recv(65536):
            target.sendall(block)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def test_the_proxy_of_the_environment_is_used(
    server: Server, trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Proxy(server) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.01,))
        thread.start()
        try:
            monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_address[1]}")
            # The name does not exist: only the proxy can lead there.
            url = "https://data.example/file.txt"
            located = fetch(card(url), patience=IMPATIENT, context=trusted)
            assert located.single().read_bytes() == BODY
        finally:
            proxy.shutdown()
            thread.join()
    assert proxy.asked == ["CONNECT data.example:443 HTTP/1.1"]
