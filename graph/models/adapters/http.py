"""What the adapters of LLM servers share: calls that end in time, stop when asked, and are tried again.

httpx's timeouts bound one read, not a call, and nothing wakes a thread that waits for a server's first byte. So each
call gets a client of its own whose sockets a watch can shut from outside: at the deadline, or when cancelled. A model
takes seconds; a connection to its server takes none that matter.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Any, TypeVar

import httpx

from filigraph.graph.errors import Cancelled, LLMDown, LLMResponseError, LLMUnavailable
from filigraph.graph.model import ShouldStop
from filigraph.graph.models.llm import (
    LLMRequest,
    LLMSettings,
    Usage,
    estimate_tokens,
    strip_thinking,
    without_thinking,
)

_POLL = 0.2  # seconds between two looks at `cancel`
_CONNECT = 10.0  # seconds to reach the server at all
_BUSY = {408, 425, 429, 502, 503, 504}  # HTTP status of a server that is busy, or of a proxy before one that is gone

T = TypeVar("T")


class TemporaryFailure(Exception):
    """The server cannot answer now: `error` is what to raise if it still cannot after the last attempt."""

    def __init__(self, error: LLMUnavailable) -> None:
        self.error = error
        super().__init__(str(error))


@dataclass(kw_only=True)
class Call:
    """One call: its deadline, who may cancel it, and the sockets it has open."""

    deadline: float  # time.monotonic()
    seconds: float  # the timeout it was made from, for messages
    cancel: ShouldStop | None
    sockets: list[socket.socket] = field(default_factory=list)
    taken: bool = False  # the server has the whole prompt, and has not refused it

    def left(self) -> float:
        return self.deadline - time.monotonic()

    def is_cancelled(self) -> bool:
        return self.cancel is not None and self.cancel()

    def check(self, server: str) -> None:
        """Raises Cancelled or, when the time is over, LLMUnavailable."""
        if self.is_cancelled():
            raise Cancelled()
        if self.left() <= 0:
            raise LLMUnavailable(
                f"The LLM at {server} gave no full answer in {self.seconds:g} s.",
                cure="Use a smaller or faster model, or allow more time.",
            )

    def shut(self) -> None:
        """Wake the threads that wait on the call's sockets. Closing them would not."""
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@cache
def _certificates() -> ssl.SSLContext:
    """Loading them takes longer than a call's own work, and each call has a client of its own."""
    return httpx.create_ssl_context()


class _Watched(httpx.HTTPTransport):
    """A transport that reports to the call which sockets it opens. It takes no proxy from the environment: the LLM is
    usually on this very machine."""

    def __init__(self, call: Call) -> None:
        super().__init__(verify=_certificates(), limits=httpx.Limits(max_keepalive_connections=0))
        self._call = call

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["trace"] = self._note
        return super().handle_request(request)

    def _note(self, event: str, info: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._call.sockets.append(info["return_value"].get_extra_info("socket"))
        elif event == "http11.send_request_body.complete":
            self._call.taken = True
        elif event == "http11.receive_response_headers.complete":
            self._call.taken = info["return_value"][1] < 400


@contextmanager
def watched(timeout: float, cancel: ShouldStop | None, server: str) -> Iterator[Call]:
    """A call that ends after `timeout` seconds or soon after `cancel` becomes true: what fails then, fails as that."""
    call = Call(deadline=time.monotonic() + timeout, seconds=timeout, cancel=cancel)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(min(_POLL, max(call.left(), 0.05))):
            if call.left() <= 0 or call.is_cancelled():
                call.shut()

    watcher = threading.Thread(target=watch, name="llm-watch", daemon=True)
    watcher.start()
    try:
        yield call
    except GeneratorExit:
        raise
    except BaseException:
        call.check(server)
        raise
    finally:
        done.set()
        watcher.join()


def client_arguments(call: Call) -> dict[str, Any]:
    """For httpx.Client, or for what is built on it. No redirects: only the host that the user named is contacted."""
    return {
        "transport": _Watched(call),
        "timeout": httpx.Timeout(max(call.left(), 0.01), connect=_CONNECT),
        "follow_redirects": False,
    }


def attempts(call: Call, settings: LLMSettings, server: str, attempt: Callable[[], T]) -> T:
    """`attempt()`, again after a pause as long as it raises Refused and there are attempts and time left."""
    pause = settings.backoff
    for number in range(1, settings.attempts + 1):
        try:
            return attempt()
        except TemporaryFailure as refused:
            call.check(server)
            if number == settings.attempts or call.left() <= pause:
                raise refused.error from refused
        until = time.monotonic() + pause
        while (rest := until - time.monotonic()) > 0:
            time.sleep(min(rest, _POLL))
            call.check(server)
        pause *= 2
    raise AssertionError("settings.attempts is at least 1")


def brief(text: str) -> str:
    """A server's message, short enough for one line."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:200] + "…"


# --------------------------------------------------------------------------------------------------------------------
# The skeleton of an adapter


@dataclass(frozen=True, kw_only=True)
class ReplyPiece:
    """What a server sent at once: all of a reply, or a part of it."""

    text: str = ""
    thinking: str = ""  # where the server separates it from the text
    done: bool = False  # the last piece
    cut: bool = False  # ended by the limit, not by the model
    tokens_in: int = 0  # as the server counts them; 0 where it does not tell, or not yet
    tokens_out: int = 0


class ServerLLM(ABC):
    """An LLM behind a server: all but the server's own protocol."""

    def __init__(self, model: str, *, url: str, settings: LLMSettings | None = None) -> None:
        self.url = url.rstrip("/")
        self.settings = settings or LLMSettings()
        self._model = model
        self._thinks = False  # learned from the first reply that was nothing but a thought cut short
        self._usage = Usage()
        self._lock = threading.Lock()  # of the usage

    @property
    def model(self) -> str:
        return self._model

    @property
    def usage(self) -> Usage:
        return self._usage

    @abstractmethod
    def _pieces(self, request: LLMRequest, call: Call, *, stream: bool) -> Iterator[ReplyPiece]:
        """The server's reply to one request, at once or as it is written. Raises the errors of the protocol and of
        the network as they come."""

    @abstractmethod
    def _models(self, call: Call) -> list[str]:
        """The names of the models that the server has; [] where it does not tell."""

    @abstractmethod
    def translate(self, error: Exception) -> Exception:
        """What to raise instead: Refused where another attempt may help, else one of Filigraph's errors."""

    def check(self, timeout: float = 2.0) -> None:
        """Raises LLMUnavailable, with its cure, if the server does not answer or does not have the model."""
        with watched(timeout, None, self.url) as call:
            try:
                models = self._models(call)
            except Exception as error:
                translated = self.translate(error)
                raise (translated.error if isinstance(translated, TemporaryFailure) else translated) from error
        if models and not {self.model, f"{self.model}:latest"} & set(models):
            raise self.model_missing()

    def missing_cure(self) -> str:
        """What to do where the server does not have the model."""
        return "Name one that it has in FILIGRAPH_LLM (`filigraph config set FILIGRAPH_LLM=NAME`), or load it there."

    def model_missing(self) -> LLMUnavailable:
        return LLMUnavailable(
            f"The LLM server at {self.url} has no model {self.model!r}.",
            cure=self.missing_cure(),
        )

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        def attempt() -> str:
            pieces = list(self._read(self._with_room_to_think(request), call, stream=False))
            reply = strip_thinking("".join(piece.text for piece in pieces))
            if self._only_thought(reply, pieces):
                return attempt()
            return reply

        with watched(request.timeout, cancel, self.url) as call:
            return attempts(call, self.settings, self.url, attempt)

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        def attempt() -> tuple[list[ReplyPiece], Iterator[ReplyPiece]]:
            """What was read until the first words of the reply, and the rest. Up to there, a failure can be mended."""
            rest, read = self._read(self._with_room_to_think(request), call, stream=True), list[ReplyPiece]()
            for piece in rest:
                read.append(piece)
                if strip_thinking("".join(piece.text for piece in read)).strip():
                    return read, rest
            return attempt() if self._only_thought("", read) else (read, rest)

        with watched(request.timeout, cancel, self.url) as call:
            read, rest = attempts(call, self.settings, self.url, attempt)
            try:
                for text in without_thinking(piece.text for piece in chain(read, rest)):
                    call.check(self.url)
                    yield text
            except TemporaryFailure as refused:
                raise refused.error from refused

    def _count(self, *, tokens_in: int, tokens_out: int) -> None:
        with self._lock:
            self._usage += Usage(calls=1, tokens_in=tokens_in, tokens_out=tokens_out)

    def _with_room_to_think(self, request: LLMRequest) -> LLMRequest:
        room = self.settings.thinking_tokens if self._thinks else 0
        return replace(request, max_tokens=request.max_tokens + room)

    def _only_thought(self, reply: str, pieces: list[ReplyPiece]) -> bool:
        """Whether the limit fell in the thought that comes before the reply. If so, the next limit allows for it."""
        thought = any(piece.thinking or "<think" in piece.text for piece in pieces)
        if self._thinks or reply.strip() or not thought or not any(piece.cut for piece in pieces):
            return False
        self._thinks = True
        return True

    def _read(self, request: LLMRequest, call: Call, *, stream: bool) -> Iterator[ReplyPiece]:
        last, read, call.taken = ReplyPiece(), "", False
        try:
            for piece in self._pieces(request, call, stream=stream):
                last, read = piece, read + piece.thinking + piece.text
                yield piece
        except Exception as error:
            raise self.translate(error) from error
        finally:
            given_up = call.taken and (call.is_cancelled() or call.left() <= 0)
            if read or last.done or given_up:  # else it never answered: that asks no price
                self._count(
                    tokens_in=last.tokens_in or estimate_tokens(request.system + request.prompt),
                    tokens_out=last.tokens_out or estimate_tokens(read),
                )
        if not last.done:
            raise TemporaryFailure(LLMDown(f"The LLM at {self.url} broke off in mid-answer.", cure="Look at its log."))


def translate_common(error: Exception, url: str, cure: str) -> Exception:
    """What every server's errors have in common: the network's, and replies that cannot be read."""
    match error:
        case httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return LLMUnavailable(f"{url!r} is not the address of a server.", cure="It looks like http://host:port.")
        case httpx.TransportError() | ConnectionError():
            return TemporaryFailure(LLMDown(f"No LLM answers at {url} ({brief(str(error))}).", cure=cure))
        case httpx.HTTPError() | ValueError() | KeyError() | TypeError() | AttributeError() | IndexError():
            return LLMResponseError(
                f"What answers at {url} does not speak as an LLM server does ({brief(str(error))}).",
                cure="Check the address, and that the server is of the kind it is said to be.",
            )
        case _:
            return error


def translate_status(url: str, status: int, message: str) -> Exception:
    """A status other than success, the server's own "no such model" aside."""
    said = f"The LLM at {url} answered {status}: {brief(message) or 'nothing more'}."
    if status in (401, 403):
        return LLMUnavailable(said, cure="Check the API key.")
    cure = "Look at the server's log."
    if status in _BUSY:
        return TemporaryFailure(LLMDown(said, cure=cure))
    unavailable = LLMUnavailable(said, cure=cure)
    return TemporaryFailure(unavailable) if status == 500 else unavailable  # one prompt may be the cause, or a moment
