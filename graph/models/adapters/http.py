"""Shared by the adapters of LLM servers: calls with a deadline, cancellation and retries.

httpx's timeouts bound one read, not a call, and nothing wakes a thread that waits for a server's first byte. So each
call has its own client, whose sockets a watch can shut from outside: at the deadline, or on cancellation. A model takes
seconds; the time of a new connection is negligible.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar

import httpx

from filigraph.graph.errors import Cancelled, LLMDown, LLMRefused, LLMResponseError, LLMSlow, LLMUnavailable
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.network import certificates, proxy_for, retry_after
from filigraph.graph.models.llm import LLMRequest, LLMSettings, estimate_tokens
from filigraph.graph.models.thinking import (
    ends_unopened_thought,
    opens_with_thought,
    strip_thinking,
    without_thinking,
)
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.surrogates import without_half_characters

_POLL_SECONDS = 0.2  # seconds between two checks of `cancel`
_CONNECT_SECONDS = 10.0  # seconds to reach the server at all
# HTTP status of a busy server, or of a proxy without its server; those from 520 on are in use, though not registered
_BUSY = {408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529}
_MAX_TOKENS = 100_000_000  # of one call
_REFUSING = {400, 413, 415, 422, 451}  # HTTP status of a server that will not answer this request
_MODERATED = ("moderation", "flagged", "content_filter", "content policy", "content_policy", "safety")  # with a 403

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
    taken: bool = False  # the server has received the whole prompt, and has not refused it
    retry_after: float | None = None  # seconds after which the server allows a retry

    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    def is_cancelled(self) -> bool:
        return self.cancel is not None and self.cancel()

    def check(self, server: str) -> None:
        """Raises Cancelled or, when the time is over, LLMUnavailable."""
        if self.is_cancelled():
            raise Cancelled()
        if self.seconds_left() <= 0:
            raise LLMSlow(
                f"The LLM at {server} gave no full answer in {self.seconds:g} s.",
                cure="Use a smaller or faster model, or allow more time.",
            )

    def shut(self) -> None:
        """Wake the threads that wait on the call's sockets. Closing them would not."""
        for open_socket in self.sockets:
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)


class _WatchedTransport(httpx.HTTPTransport):
    """A transport that reports its sockets, and the time of a retry that the server allows, to the call."""

    def __init__(self, call: Call, server: str) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)
        super().__init__(verify=certificates(), proxy=proxy_for(server), limits=limits)
        self._call = call

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["trace"] = self._record_event
        response = super().handle_request(request)
        self._call.retry_after = retry_after(response.headers) if response.status_code >= 400 else None
        return response

    def _record_event(self, event: str, info: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._call.sockets.append(info["return_value"].get_extra_info("socket"))
        elif event == "http11.send_request_body.complete":
            self._call.taken = True
        elif event == "http11.receive_response_headers.complete":
            self._call.taken = info["return_value"][1] < 400


@contextmanager
def call_with_deadline(timeout: float, cancel: ShouldStop | None, server: str) -> Iterator[Call]:
    """A call that ends after `timeout` seconds or soon after `cancel` becomes true. A failure after that is raised as
    LLMSlow or Cancelled."""
    call = Call(deadline=time.monotonic() + timeout, seconds=timeout, cancel=cancel)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(min(_POLL_SECONDS, max(call.seconds_left(), 0.05))):
            if call.seconds_left() <= 0 or call.is_cancelled():
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


def client_arguments(call: Call, server: str) -> dict[str, Any]:
    """Arguments for httpx.Client, or for clients built on it. No redirects: it contacts only the host that the user
    named."""
    return {
        "transport": _WatchedTransport(call, server),
        "timeout": httpx.Timeout(max(call.seconds_left(), 0.01), connect=_CONNECT_SECONDS),
        "follow_redirects": False,
    }


def call_with_retries(call: Call, settings: LLMSettings, server: str, attempt: Callable[[], T]) -> T:
    """Call `attempt()`, again after a pause while it raises TemporaryFailure and attempts and time are left. If the
    server says when to retry, retry then, however often."""
    pause, number = settings.backoff, 0
    while True:
        call.retry_after = None
        try:
            return attempt()
        except TemporaryFailure as refused:
            call.check(server)
            number += call.retry_after is None
            wait = max(pause, call.retry_after or 0.0)
            if number == settings.attempts or call.seconds_left() <= wait:
                if isinstance(refused.error, LLMDown):
                    refused.error.retry_after = call.retry_after
                raise refused.error from refused
        until = time.monotonic() + wait
        while (rest := until - time.monotonic()) > 0:
            time.sleep(min(rest, _POLL_SECONDS))
            call.check(server)
        if call.retry_after is None:
            pause *= 2


def one_line(text: str) -> str:
    """A server's message, short enough for one line."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:200] + "…"


def message_of(body: str) -> str:
    """A server's message about a failure, with its code, from any of the usual formats."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return one_line(body)
    error = reply.get("error", reply) if isinstance(reply, dict) else reply
    if not isinstance(error, dict):
        return one_line(str(error))
    text = error.get("message") or error.get("detail") or error.get("error")
    code = error.get("code") or error.get("type")
    return one_line(
        f"{text or body}" + (f" ({code})" if text and isinstance(code, str) and code not in str(text) else "")
    )


# --------------------------------------------------------------------------------------------------------------------
# The skeleton of an adapter


@dataclass(kw_only=True)
class Capabilities:
    """What is learned about a model and its server in use. All callers of a model share one object."""

    thinks: bool = False  # learned from the first reply that was only a truncated thought
    swallows_mark: bool | None = None  # whether thoughts come without their opening mark; None: unknown
    refused: frozenset[str] = frozenset()  # parameters that the server rejects


@dataclass(frozen=True, kw_only=True)
class ReplyPiece:
    """A reply of a server, or a part of it."""

    text: str = ""
    thinking: str = ""  # if the server separates it from the text
    done: bool = False  # the last piece
    cut: bool = False  # ended by the limit, not by the model
    tokens_in: int = 0  # as the server counts them; 0 if unknown so far
    tokens_out: int = 0


class ServerLLM(ABC):
    """An LLM behind a server: all but the server's own protocol."""

    def __init__(
        self, model: str, *, url: str, settings: LLMSettings | None = None, capabilities: Capabilities | None = None
    ) -> None:
        self.url = url.rstrip("/")
        self.settings = settings or LLMSettings()
        self.capabilities = capabilities or Capabilities()
        self._model = model
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
        """The names of the server's models; [] if it does not list them."""

    @abstractmethod
    def translate(self, error: Exception) -> Exception:
        """The error to raise instead: TemporaryFailure if another attempt may help, else one of Filigraph's errors."""

    def check(self, timeout: float = 2.0) -> None:
        """Raises LLMUnavailable, with its cure, if the server does not answer or does not have the model."""
        with call_with_deadline(timeout, None, self.url) as call:
            try:
                models = self._models(call)
            except Exception as error:
                translated = self.translate(error)
                raise (translated.error if isinstance(translated, TemporaryFailure) else translated) from error
        if models and not {self.model, f"{self.model}:latest"} & set(models):
            raise self.model_missing()

    def probe(self, timeout: float) -> None:
        """Ask for one token. Raises LLMUnavailable or LLMResponseError, each with its cure, if none comes."""
        request = LLMRequest("Say: yes", max_tokens=1, timeout=timeout)
        with call_with_deadline(timeout, None, self.url) as call:
            try:
                for piece in self._read(request, call, stream=False):
                    if piece.done:
                        return
            except TemporaryFailure as refused:
                raise refused.error from refused

    def missing_cure(self) -> str:
        """What to do if the server does not have the model."""
        return "Name one that it has in FILIGRAPH_LLM (`filigraph config set FILIGRAPH_LLM=NAME`), or load it there."

    def model_missing(self) -> LLMUnavailable:
        return LLMUnavailable(
            f"The LLM server at {self.url} has no model {self.model!r}.",
            cure=self.missing_cure(),
        )

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        def attempt() -> str:
            pieces = list(self._read(self._with_room_to_think(request), call, stream=False))
            reply = self._without_thought(pieces, request)
            if self._only_thought(reply, pieces):
                return attempt()
            return reply

        with call_with_deadline(request.timeout, cancel, self.url) as call:
            return call_with_retries(call, self.settings, self.url, attempt)

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        def attempt() -> tuple[list[str], Iterator[ReplyPiece]]:
            """The pieces up to the first words of the reply, and the rest. Until then a failure can be retried."""
            rest, read = self._read(self._with_room_to_think(request), call, stream=True), list[ReplyPiece]()
            for piece in rest:
                read.append(piece)
                if self._has_begun(read, request):
                    break
            reply = self._without_thought(read, request)
            if self._only_thought(reply, read):
                return attempt()
            return ([reply] if self.capabilities.swallows_mark else [piece.text for piece in read]), rest

        with call_with_deadline(request.timeout, cancel, self.url) as call:
            read, rest = call_with_retries(call, self.settings, self.url, attempt)
            try:
                for text in without_thinking(chain(read, (piece.text for piece in rest))):
                    call.check(self.url)
                    yield text
            except TemporaryFailure as refused:
                raise refused.error from refused

    def _has_begun(self, read: Sequence[ReplyPiece], request: LLMRequest) -> bool:
        """Whether the reply has begun, after any thought, and can be streamed. While it is unknown whether the server
        drops the opening mark of thoughts (usually during the first reply), it waits for the whole reply."""
        text = "".join(piece.text for piece in read)
        if self.capabilities.swallows_mark is None and any(piece.thinking for piece in read):
            self.capabilities.swallows_mark = False  # it marks thoughts
        if self.capabilities.swallows_mark is False or (text.strip() and opens_with_thought(text)):
            return bool(strip_thinking(text).strip())
        return ends_unopened_thought(text) and bool(self._without_thought(read, request).strip())

    def _without_thought(self, pieces: Sequence[ReplyPiece], request: LLMRequest) -> str:
        """The reply after the thought; it records whether the opening mark was dropped. A reply with a schema does not
        show that: many servers allow no thought before one."""
        text = "".join(piece.text for piece in pieces)
        if ends_unopened_thought(text):
            self.capabilities.swallows_mark = True
        elif (
            self.capabilities.swallows_mark is None
            and request.schema is None
            and strip_thinking(text).strip()
            and not _is_cut(pieces)
        ):
            self.capabilities.swallows_mark = False
        return strip_thinking(text, opened=bool(self.capabilities.swallows_mark))

    def _count(self, *, tokens_in: int, tokens_out: int) -> None:
        with self._lock:
            self._usage += Usage(calls=1, tokens_in=tokens_in, tokens_out=tokens_out)

    def _with_room_to_think(self, request: LLMRequest) -> LLMRequest:
        room = self.settings.thinking_tokens if self.capabilities.thinks else 0
        return replace(request, max_tokens=request.max_tokens + room)

    def _only_thought(self, reply: str, pieces: Sequence[ReplyPiece]) -> bool:
        """Whether the token limit ended the reply within the thought. If so, the next limit allows for thoughts."""
        text = "".join(piece.text for piece in pieces)
        unopened = bool(self.capabilities.swallows_mark) and not ends_unopened_thought(text)
        thought = any(piece.thinking for piece in pieces) or opens_with_thought(text) or unopened
        if self.capabilities.thinks or (reply.strip() and not unopened) or not thought or not _is_cut(pieces):
            return False
        self.capabilities.thinks = True
        return True

    def _read(self, request: LLMRequest, call: Call, *, stream: bool) -> Iterator[ReplyPiece]:
        last, read, call.taken = ReplyPiece(), "", False
        try:
            for raw_piece in self._pieces(request, call, stream=stream):
                piece = replace(raw_piece, text=without_half_characters(raw_piece.text))
                last, read = piece, read + piece.thinking + piece.text
                yield piece
        except Exception as error:
            raise self.translate(error) from error
        finally:
            given_up = call.taken and (call.is_cancelled() or call.seconds_left() <= 0)
            if read or last.done or given_up:  # else it never answered: that costs nothing
                self._count(
                    tokens_in=plausible_tokens(last.tokens_in) or estimate_tokens(request.system + request.prompt),
                    tokens_out=plausible_tokens(last.tokens_out) or estimate_tokens(read),
                )
        if not last.done:
            raise TemporaryFailure(LLMDown(f"The LLM at {self.url} stopped in mid-answer.", cure="Read its log."))


def plausible_tokens(count: Any) -> int:
    """A server's count of a call's tokens; 0 if it cannot be one."""
    return count if isinstance(count, int) and 0 < count < _MAX_TOKENS else 0


def _is_cut(pieces: Sequence[ReplyPiece]) -> bool:
    return any(piece.cut for piece in pieces)


def translate_common(error: Exception, url: str, cure: str) -> Exception:
    """The errors of every server: network failures, and unreadable replies."""
    match error:
        case httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return LLMUnavailable(f"{url!r} is not the address of a server.", cure="Use the form http://host:port.")
        case httpx.TransportError() | ConnectionError():
            return TemporaryFailure(LLMDown(f"No LLM answers at {url} ({one_line(str(error))}).", cure=cure))
        case (
            httpx.HTTPError()
            | ValueError()
            | LookupError()
            | TypeError()
            | AttributeError()
            | ArithmeticError()
            | RecursionError()
        ):
            return LLMResponseError(
                f"The program at {url} does not answer like an LLM server ({one_line(str(error))}).",
                cure="Check the address and the kind of server.",
            )
        case _:
            return error


def translate_status(url: str, status: int, message: str) -> Exception:
    """A status other than success, the server's own "no such model" aside."""
    reason = message_of(message)
    cause = f"The LLM at {url} answered {status}: {reason.rstrip('.') or 'nothing more'}."
    moderated = status == 403 and any(word in message.lower() for word in _MODERATED)
    if status in (401, 403) and not moderated:
        return LLMUnavailable(cause, cure="Check the API key.")
    if status in _REFUSING or moderated:
        return LLMRefused(cause, cure="Use another model, or leave out what it refuses.")
    cure = "Read the log of the LLM's server."
    if status in _BUSY:
        return TemporaryFailure(LLMDown(cause, cure=cure, busy=status == 429))
    unavailable = LLMUnavailable(cause, cure=cure)
    return TemporaryFailure(unavailable) if status == 500 else unavailable  # one prompt may be the cause, or a moment
