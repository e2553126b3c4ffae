"""An LLM server on loopback that speaks Ollama's protocol and OpenAI's, and misbehaves on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Say:
    """One reply. `pieces` are what a stream sends one by one."""

    pieces: Sequence[str] = ()
    thinking: str = ""  # told apart from the text
    cut: bool = False  # the limit was reached
    finish: str = ""  # why it ended, in OpenAI's protocol, where not by itself or the limit
    broken: bool = False  # the connection ends in the middle
    tokens: tuple[int, int] | None = None  # in and out, where the server tells


@dataclass(frozen=True, kw_only=True)
class Fail:
    """An HTTP status with a message; 200 with something that is no reply at all."""

    status: int
    body: str
    headers: Sequence[tuple[str, str]] = ()


class Hang:
    """No answer until the test is over."""


Reply = Say | Fail | Hang


@dataclass
class Stub:
    """`replies` are given in turn, the last one for ever. `requests` is what was asked: (path, body)."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    away: bool = False  # nothing but 503, as behind a proxy when it is not up
    hung_up: threading.Event = field(default_factory=threading.Event)  # a client left while we hung
    over: threading.Event = field(default_factory=threading.Event)
    turn: threading.Lock = field(default_factory=threading.Lock)  # one request at a time gets its reply


@contextmanager
def llm_stub() -> Iterator[Stub]:
    class Handler(_Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub = Handler.stub = Stub(url=f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield stub
    finally:
        stub.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    stub: Stub

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/api/tags":
            models = {"models": [{"name": "mistral:latest", "model": "mistral:latest"}]}
            self._send(503 if self.stub.away else 200, json.dumps(models))
        elif self.path == "/v1/models":
            self._send(200, json.dumps({"data": [{"id": "mistral"}]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        match self._next(body):
            case None:
                self._send(503, "It starts.")
            case Fail() as failure:
                self._send(failure.status, failure.body, headers=failure.headers)
            case Hang():
                self._hang()
            case Say() as said:
                lines = _ollama(said, body) if self.path == "/api/chat" else _openai(said, body)
                self._send(200, "".join(lines), broken=said.broken)

    def _next(self, body: dict[str, Any]) -> Reply | None:
        """The reply, None while it is away. A test that sees the request gives other replies to the next one alone."""
        with self.stub.turn:
            replies = self.stub.replies
            reply = None if self.stub.away else replies.pop(0) if len(replies) > 1 else replies[0]
            self.stub.headers.append(dict(self.headers))
            self.stub.requests.append((self.path, body))
        return reply

    def _hang(self) -> None:
        self.connection.settimeout(0.05)
        while not self.stub.over.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.stub.hung_up.set()
        self.close_connection = True

    def _send(self, status: int, text: str, *, broken: bool = False, headers: Sequence[tuple[str, str]] = ()) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data) + (1000 if broken else 0)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True


def _ollama(reply: Say, body: dict[str, Any]) -> list[str]:
    def message(text: str, done: bool) -> dict[str, Any]:
        thinking = {"thinking": reply.thinking} if reply.thinking else {}
        reason: dict[str, Any] = {"done_reason": "length" if reply.cut else "stop"} if done else {}
        if done and reply.tokens:
            reason |= dict(zip(("prompt_eval_count", "eval_count"), reply.tokens, strict=True))
        said = {"role": "assistant", "content": text, **thinking}
        return {"model": body["model"], "message": said, "done": done, **reason}

    if not body["stream"]:
        return [json.dumps(message("".join(reply.pieces), True))[: 20 if reply.broken else None]]
    parts = [message(piece, False) for piece in reply.pieces]
    return [json.dumps(part) + "\n" for part in (parts if reply.broken else [*parts, message("", True)])]


def _openai(reply: Say, body: dict[str, Any]) -> list[str]:
    def choice(key: str, text: str, done: bool) -> dict[str, Any]:
        thinking = {"reasoning_content": reply.thinking} if reply.thinking else {}
        finish = (reply.finish or ("length" if reply.cut else "stop")) if done else None
        told = zip(("prompt_tokens", "completion_tokens"), reply.tokens or (), strict=False)
        usage = {"usage": dict(told)} if done and reply.tokens else {}
        return {"choices": [{"index": 0, key: {"content": text, **thinking}, "finish_reason": finish}], **usage}

    if not body["stream"]:
        return [json.dumps(choice("message", "".join(reply.pieces), True))[: 20 if reply.broken else None]]
    parts = [choice("delta", piece, False) for piece in reply.pieces]
    events = [
        f"data: {json.dumps(part)}\n\n" for part in (parts if reply.broken else [*parts, choice("delta", "", True)])
    ]
    return events if reply.broken else [": a comment\n\n", *events, "data: [DONE]\n\n"]
