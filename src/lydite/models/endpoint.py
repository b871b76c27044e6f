"""Any server that speaks OpenAI's embeddings protocol, as a model."""

from __future__ import annotations

import base64
import binascii
import contextlib
import email.utils
import json
import logging
import math
import random
import re
import socket
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar
from urllib.parse import urlsplit

import numpy as np

from lydite.declare import Param, State
from lydite.errors import EndpointError, InputError
from lydite.models.catalogue import Model
from lydite.models.embedding_cache import CACHE, Batch, CachedEncoder, as_texts, assemble
from lydite.models.keys import USUAL_VARIABLE, Key, is_loopback
from lydite.storage import sha256_text
from lydite.types import Plain, Vectors

if TYPE_CHECKING:
    import httpx


class UnexpectedAnswerError(Exception):
    """What an answer lacks."""


def read_vectors(answer: Plain, count: int) -> Vectors:
    """Read an answer: ``{"data": [{"index": 0, "embedding": [...] or base64}, ...]}``."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise UnexpectedAnswerError('expected a list of objects under "data"')
    if len(data) != count:
        raise UnexpectedAnswerError(f"expected {count} vectors for as many texts, got {len(data)}")
    order = [item.get("index") for item in data]
    if all(index is None for index in order):
        order = list(range(count))
    if sorted(map(repr, order)) != sorted(map(repr, range(count))):
        raise UnexpectedAnswerError(
            f'expected each "index" from 0 to {count - 1} once, got {order}'
        )
    rows = [_vector(item.get("embedding"), item.get("index")) for item in data]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 or lengths[0] == 0:
        raise UnexpectedAnswerError(f"expected vectors of one length, got {lengths}")
    vectors = np.empty((count, lengths[0]), dtype=np.float32)
    vectors[order] = rows
    if not np.isfinite(vectors).all():
        raise UnexpectedAnswerError("expected finite numbers, got NaN or infinity")
    return vectors


def _vector(embedding: Plain, index: Plain) -> Vectors:
    if isinstance(embedding, str):
        try:
            return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        except (binascii.Error, ValueError):
            raise UnexpectedAnswerError(
                f'expected float32 numbers in base64 as "embedding" of index {index}'
            ) from None
    if not isinstance(embedding, list) or not set(map(type, embedding)) <= {int, float}:
        raise UnexpectedAnswerError(f'expected a list of numbers as "embedding" of index {index}')
    try:
        with np.errstate(over="ignore"):
            return np.array(embedding, dtype=np.float32)
    except OverflowError:
        raise UnexpectedAnswerError("expected finite numbers, got one beyond every float") from None


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How long to wait before a request is sent again."""

    first: float = 0.5  # Seconds before the first repetition; each later one waits twice as long
    most: float = 60.0  # The longest wait, also where the server's ``Retry-After`` asks for more

    def delay(self, attempt: int, *, asked: float | None, jitter: float) -> float:
        """Return the seconds to wait after the attempt (counted from 0).

        The jitter, in [0, 1), takes away up to half of the wait, so that many clients do not
        come back at one moment; what the server asked for is never cut short by it.

        >>> Backoff().delay(2, asked=None, jitter=0.5)
        1.5
        >>> Backoff().delay(0, asked=7.0, jitter=0.5)
        7.0
        """
        own = self.first * 2.0 ** min(attempt, 30) * (1 - jitter / 2)
        return min(self.most, max(own, asked or 0.0))


def seconds_asked(header: str | None) -> float | None:
    """Read ``Retry-After``: seconds or a date; None where it is neither or lies in the past."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return seconds if 0 < seconds < math.inf else None


logger = logging.getLogger(__name__)

_REFUSAL = 100_000  # Bytes that are read of an answer that refuses
_SNIPPET = 300
_DIMENSIONS = 16_384  # Taken for the most that a model has, until its first vectors are there
_NUMBER = (
    48  # Bytes of a number: 17 digits, sign, point and exponent, indented on a line of its own
)
_AROUND = 4_096  # Bytes around the numbers of a vector, and around all vectors
_HINTS = {
    400: "the server refuses the request itself: a text may be empty or too long for the model",
    404: "give the address up to /v1 (without /embeddings) and a model that the server has",
    413: "one text alone is too long for this server",
    429: "the server limits the rate: set workers=1 or more retries=",
}


@dataclass(frozen=True)
class Endpoint(Model):
    """Any server of embeddings that speaks OpenAI's protocol.

    The fingerprint is made of the address, the model's name, the dimensions and the revision. A
    server can put another model behind the same name unseen: change ``revision`` when it does.

    >>> Endpoint("http://127.0.0.1:8080/v1/", model="bge-small", batch=64).spec
    'endpoint(http://127.0.0.1:8080/v1, model=bge-small)'
    """

    name: ClassVar[str] = "endpoint"

    url: Annotated[str, Param("The address up to ``/v1``; ``/embeddings`` is added to it.")]
    _: KW_ONLY
    model: Annotated[str, Param("The server's name for the model.")]
    revision: Annotated[
        str | None,
        Param("Any text that tells this model from an earlier one of the same name."),
    ] = None
    # The key itself is in no attribute; it is read from the environment for each call.
    key_env: Annotated[
        str | None,
        Param(
            "The environment variable that holds the key; none sends no key, as does a variable "
            "not set. The key goes over https, or over http to this machine, and nowhere else."
        ),
    ] = USUAL_VARIABLE
    batch: Annotated[
        int,
        Param("Texts per request. A server that answers 413 gets the batch in halves.", least=1),
    ] = 64
    dimensions: Annotated[
        int | None,
        Param("Ask for shorter vectors, where the model can shorten its own.", least=1),
    ] = None
    timeout: Annotated[
        float,
        Param(
            "Seconds from sending a request to the last byte of its answer, after which it counts "
            "as lost.",
            above=0,
        ),
    ] = 60.0
    retries: Annotated[
        int,
        Param(
            "How often a request is sent again after 408, 429, 5xx, a timeout or a lost "
            "connection.",
            least=0,
        ),
    ] = 5
    workers: Annotated[int, Param("Requests under way at once.", least=1)] = 4
    cache: Annotated[bool, CACHE] = True
    backoff: Annotated[Backoff, State] = field(default=Backoff(), repr=False)

    def __post_init__(self) -> None:
        # First, as no message may show what could be a secret.
        object.__setattr__(self, "url", _checked_url(self.url))
        super().__post_init__()
        object.__setattr__(self, "timeout", float(self.timeout))
        for name in ("model", "revision"):
            if getattr(self, name) == "":
                raise InputError(f"endpoint: expected a text for {name}=, got an empty one")
        if self.key_env is not None and not _VARIABLE.fullmatch(self.key_env):
            # What is written here instead may be the key.
            raise InputError(
                "endpoint: expected key_env= to name an environment variable, got something else",
                hint="letters, digits and _: put the key in a variable and name that here",
            )

    @classmethod
    def open(cls, url: str, **parameters: Any) -> Endpoint | CachedEncoder:  # noqa: ANN401
        """Put a cache around the server."""
        made = cls(url, **parameters)
        return CachedEncoder(made, "endpoint") if made.cache else made

    @property
    def fingerprint(self) -> str:
        """The sha256 of address, model, dimensions and revision."""
        return sha256_text(json.dumps([self.url, self.model, self.dimensions, self.revision]))

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, float32 (n, d).

        Without texts no request is made, and d is ``dimensions``, or 0 when that is not given.
        """
        texts = as_texts(texts)
        if not texts:
            return np.empty((0, self.dimensions or 0), dtype=np.float32)
        return assemble(self.batches(texts), count=len(texts), spec=self.spec)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batches as they are answered; a failure is raised after those under way."""
        texts = as_texts(texts)
        key = Key.from_environment(self.key_env, url=self.url)
        failure: EndpointError | None = None
        with (
            key.kept_from_logs(),
            closing(_Session(self, key)) as session,
            ThreadPoolExecutor(self.workers) as pool,
        ):
            waiting: dict[Future[Vectors], range] = {}
            for start in range(0, len(texts), self.batch):
                positions = range(start, min(start + self.batch, len(texts)))
                part = texts[start : positions.stop]
                waiting[pool.submit(session.run, part)] = positions
            try:
                for future in as_completed(list(waiting)):
                    positions = waiting.pop(future)
                    try:
                        vectors = future.result()
                    except CancelledError:
                        continue
                    except EndpointError as error:
                        failure = failure or error
                        session.stop(waiting)
                        continue
                    yield positions, vectors
            finally:
                session.stop(waiting)
        if failure is not None:
            raise failure


class _NoVectorsError(Exception):
    """Why there are no vectors: what this client says of it, then the server's own words."""

    def __init__(self, what: str, told: str = "", *, hint: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.told = told
        self.hint = hint


@dataclass(frozen=True)
class _Answer:
    """What came back, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace") or "(an empty body)"


class _Deadline:
    """Hang up when the time is over, whatever the other side does.

    A timeout of the client's library begins anew with every byte: a server that sends one now and
    then, if only of a header, would be waited for without end. It tells of the connections that it
    makes, and one that is shut down wakes who reads from it.
    """

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._over = False

    @property
    def over(self) -> bool:
        """Whether the last request was hung up."""
        return self._over

    @contextlib.contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give so much time to what is inside."""
        self._over = False
        timer = threading.Timer(seconds, self._hang_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Be told of a connection, as httpx's extension ``trace`` does."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._over:
                self._hang_up()

    def _hang_up(self) -> None:
        self._over = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Not that of a TLS socket, which would take its state away from who reads.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Line:
    """One connection to the server, for one request at a time."""

    def __init__(self, server: Endpoint, key: Key) -> None:
        import httpx

        self._server = server
        self._deadline = _Deadline()
        # A proxy from the environment would get the key of a server on this machine in the clear.
        # A redirect is not followed: it could lead the key to another host.
        self.client = httpx.Client(
            timeout=server.timeout,
            headers={**key.headers(), "Accept-Encoding": "gzip"},
            trust_env=not is_loopback(server.url),
            follow_redirects=False,
            limits=httpx.Limits(max_connections=1),
        )

    def post(self, texts: list[str], most: int) -> _Answer | str:
        """Send a request and return the answer, of so many bytes at most, or what went wrong."""
        import httpx

        timeout = self._server.timeout
        try:
            with self._deadline.within(timeout):
                return self._exchange(texts, most)
        except (httpx.RequestError, OSError) as error:
            if self._deadline.over or isinstance(error, httpx.TimeoutException):
                return f"no whole answer within {timeout:g} s"
            return f"{type(error).__name__}: {error}".rstrip(": ")

    def _exchange(self, texts: list[str], most: int) -> _Answer:
        import httpx

        url = f"{self._server.url}/embeddings"
        body: dict[str, Plain] = {"model": self._server.model, "input": texts}
        body["encoding_format"] = "float"
        if self._server.dimensions is not None:
            body["dimensions"] = self._server.dimensions
        watch = {"trace": self._deadline.watch}
        try:
            stream = self.client.stream("POST", url, json=body, extensions=watch)
            with stream as response:
                wanted = most if response.is_success else _REFUSAL
                content = _read(response, wanted, refused=not response.is_success)
                return _Answer(response.status_code, dict(response.headers), content)
        except httpx.InvalidURL as error:
            raise _NoVectorsError("not an address:", str(error)) from None
        except UnicodeError as error:
            raise _NoVectorsError("not the name of a host:", str(error)) from None


def _read(response: httpx.Response, most: int, *, refused: bool) -> bytes:
    """Return the body of an answer, so many bytes at most; of a refusal the rest is left."""
    coding = response.headers.get("content-encoding", "identity").strip().casefold()
    if coding not in {"identity", "gzip"}:
        raise _NoVectorsError("expected an answer as it is or in gzip, got one in", coding)
    unpack = zlib.decompressobj(31).decompress if coding == "gzip" else None
    parts: list[bytes] = []
    left = most + 1
    try:
        # Not the library's own unpacking, which has no limit.
        for raw in response.iter_raw():
            part = raw[:left] if unpack is None else unpack(raw, left)
            parts.append(part)
            left -= len(part)
            if left <= 0:
                break
    except zlib.error as error:
        raise _NoVectorsError("expected an answer in gzip, got:", str(error)) from None
    if left <= 0 and not refused:
        raise _NoVectorsError(
            f"expected an answer of at most {most:,} bytes for what was asked, got more",
            hint="does a server of embeddings answer here? for a model of more than "
            f"{_DIMENSIONS:,} dimensions give their number with dimensions=",
        )
    return b"".join(parts)[:most]


class _Session:
    """The requests of one call: one connection per thread, one key, one sign to stop."""

    def __init__(self, server: Endpoint, key: Key) -> None:
        self._server = server
        self._key = key
        self._stopped = threading.Event()
        self._own = threading.local()
        self._lines: list[_Line] = []
        self._dimension = server.dimensions

    def close(self) -> None:
        """Close the connections."""
        for line in self._lines:
            line.client.close()

    def stop(self, waiting: dict[Future[Vectors], range]) -> None:
        """Let no request start that has not, and none be repeated."""
        self._stopped.set()
        for future in waiting:
            future.cancel()

    def run(self, texts: list[str]) -> Vectors:
        """Return the vectors of one batch, (n, d), or fail and stop all others.

        Here alone messages leave the client: each is redacted as a whole, and none has a cause or
        a context, which would be printed beside it.
        """
        if self._stopped.is_set():
            raise CancelledError
        try:
            return self.embed(texts)
        except CancelledError:
            raise
        except _NoVectorsError as error:
            refused = error
        except Exception as error:  # whatever it is, its words may be the server's
            refused = _NoVectorsError(f"unexpected {type(error).__name__}:", str(error))
        self._stopped.set()
        raise self._told(refused)

    def _told(self, refused: _NoVectorsError) -> EndpointError:
        # Stars first: a cut could leave a part of the key too short to be recognized.
        parts = [_printable(self._key.redact(part)) for part in (refused.what, refused.told)]
        said = " ".join(filter(None, parts))
        hint = None if refused.hint is None else self._key.redact(refused.hint)
        return EndpointError(f"{self._server.url}: {said}", hint=hint)

    def embed(self, texts: list[str]) -> Vectors:
        """Return the vectors of some texts, (n, d)."""
        answer = self._post(texts)
        if answer.status == 413 and len(texts) > 1:
            half = len(texts) // 2
            logger.info("%s: 413 for %d texts; sent in halves", self._server.url, len(texts))
            return np.concatenate([self.embed(texts[:half]), self.embed(texts[half:])])
        if not 200 <= answer.status < 300:
            raise self._refused(answer, len(texts))
        try:
            self._check_size(answer.body, len(texts))
            vectors = read_vectors(json.loads(answer.body), len(texts))
        except UnexpectedAnswerError as error:
            raise _NoVectorsError(f"{error} in", answer.text) from None
        except (ValueError, RecursionError):
            raise _NoVectorsError("expected JSON, got", answer.text) from None
        self._check_dimension(int(vectors.shape[1]))
        return vectors

    def _check_size(self, body: bytes, count: int) -> None:
        """Refuse what would take far more memory when it is read than it has bytes."""
        lists = body.count(b"[") + body.count(b"{")
        values = body.count(b",")
        if lists > 64 * (count + 16) or values > count * ((self._dimension or _DIMENSIONS) + 64):
            raise UnexpectedAnswerError(
                f"expected {count} vectors, got {lists:,} lists and {values:,} values"
            )

    def _check_dimension(self, got: int) -> None:
        expected, server = self._dimension, self._server
        if expected not in {None, got}:
            raise _NoVectorsError(
                f"expected vectors of {expected} numbers, got {got}",
                hint=f"does {server.model} know the parameter dimensions={server.dimensions}?"
                if server.dimensions
                else "more than one model answers at this address",
            )
        self._dimension = got

    def _post(self, texts: list[str]) -> _Answer:
        """Send a request, again where that may help, and return the last answer."""
        most = _AROUND + len(texts) * (_AROUND + _NUMBER * (self._dimension or _DIMENSIONS))
        for attempt in range(self._server.retries + 1):
            answer, asked = self._line().post(texts, most), None
            if isinstance(answer, str):
                trouble = answer
            else:
                # What the same request may get another answer to later.
                if answer.status not in {408, 429} and answer.status < 500:
                    return answer
                trouble = f"HTTP {answer.status}"
                asked = seconds_asked(answer.headers.get("retry-after"))
            if attempt < self._server.retries:
                self._wait(attempt, asked, trouble)
        if isinstance(answer, str):
            raise self._lost(answer)
        return answer

    def _line(self) -> _Line:
        line: _Line | None = getattr(self._own, "line", None)
        if line is None:
            line = self._own.line = _Line(self._server, self._key)
            self._lines.append(line)
        return line

    def _wait(self, attempt: int, asked: float | None, trouble: str) -> None:
        delay = self._server.backoff.delay(attempt, asked=asked, jitter=random.random())
        count = f"{attempt + 1} of {self._server.retries}"
        shown = _printable(self._key.redact(trouble))
        logger.warning("%s: %s; repetition %s in %.1f s", self._server.url, shown, count, delay)
        if self._stopped.wait(delay):
            raise CancelledError

    def _lost(self, trouble: str) -> _NoVectorsError:
        sent = self._server.retries + 1
        return _NoVectorsError(
            f"no answer; requests sent: {sent} ({trouble})",
            hint="is the server running at this address? a slow one needs a longer timeout= "
            "or a smaller batch=",
        )

    def _refused(self, answer: _Answer, count: int) -> _NoVectorsError:
        status = answer.status
        if 300 <= status < 400:
            return _NoVectorsError(
                f"HTTP {status}: redirected to",
                answer.headers.get("location", "nowhere"),
                hint="redirects are not followed, a key could go astray; give the final address",
            )
        hint = _HINTS.get(status)
        if status in {401, 403}:
            sent = "was sent and refused" if self._key else "is not set, so no key was sent"
            hint = f"the environment variable {self._server.key_env} {sent}"
        asked = f"{count} texts" if count > 1 else "one text"
        return _NoVectorsError(f"HTTP {status} for {asked}:", answer.text, hint=hint)


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except (ValueError, AttributeError):
        raise InputError("endpoint: expected an address, got something else") from None
    # The parser leaves out what would be a header of its own in a request.
    if not url.isprintable() or " " in url:
        raise InputError("endpoint: expected an address without spaces and control characters")
    # No message shows what may be a secret.
    if "@" in (parts.netloc or url) or parts.query or parts.fragment:
        raise InputError(
            "endpoint: expected an address without a user, a password, ? and #",
            hint="a spec is printed in reports; put a secret in an environment variable and "
            "name that with key_env=",
        )
    if parts.scheme not in {"http", "https"} or not host:
        raise InputError(
            f"endpoint: expected an address like http://127.0.0.1:8080/v1, got {url!r}"
        )
    return url.rstrip("/")


def _printable(text: str) -> str:
    """Return the start of a text on one line, without control characters."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return shown if len(shown) <= _SNIPPET else shown[:_SNIPPET] + "…"
