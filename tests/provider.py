"""A provider on loopback that speaks OpenAI's chat completions, files and batches, and counts requests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Body = dict[str, Any]
PAGE = 2  # batches that are listed at once


class Provider:
    """`reply` gives the text that answers a request's body.

    A batch ends when somebody looks at it while `quick`, else when the test calls `end`. `failure` gives the error of a
    line, if it has one. `before` and `after` are called with each request's method and path. `like` is one that was
    closed, whose address, files and batches this one has.
    """

    def __init__(self, reply: Callable[[Body], str], *, seconds: float = 0.0, like: Provider | None = None) -> None:
        self.reply = reply
        self.seconds = seconds  # that a chat completion takes
        self.quick = True
        self.has_batches = True
        self.failure: Callable[[Body], Any] = lambda _: None
        self.before: Callable[[str, str], None] = lambda method, path: None
        self.after: Callable[[str, str], None] = lambda method, path: None
        self.chats = 0
        self.sent: list[str] = []  # the custom_id of each line of each batch
        self.bodies: dict[str, Body] = {}
        self.files: dict[str, bytes] = like.files if like else {}
        self.batches: dict[str, Body] = like.batches if like else {}
        self._lock = threading.Lock()
        self._numbers: Iterator[int] = like._numbers if like else iter(range(1, 1_000_000))
        self._server = _Server(
            ("127.0.0.1", like.port if like else 0), type("Handler", (_Handler,), {"provider": self})
        )
        self.port: int = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def calls(self) -> int:
        """How often it was asked, in batches or not."""
        return self.chats + len(self.sent)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    # ---- what it does

    def chat(self, body: Body) -> Body:
        self.chats += 1
        time.sleep(self.seconds)
        return self._completion(body)

    def upload(self, content: bytes) -> Body:
        id_ = f"file-{next(self._numbers)}"
        self.files[id_] = content
        return {"id": id_, "object": "file", "bytes": len(content), "purpose": "batch"}

    def create(self, asked: Body) -> Body:
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        assert all(line["url"] == asked["endpoint"] == "/v1/chat/completions" for line in lines)
        ids = [line["custom_id"] for line in lines]
        assert len(set(ids)) == len(ids)
        self.sent += ids
        self.bodies |= {line["custom_id"]: line["body"] for line in lines}
        counts = {"total": len(lines), "completed": 0, "failed": 0}
        id_ = f"batch-{next(self._numbers)}"
        self.batches[id_] = {**asked, "id": id_, "object": "batch", "status": "validating", "request_counts": counts}
        return self.batches[id_]

    def listed(self, after: str) -> Body:
        rows = list(reversed(self.batches.values()))
        begin = next((n + 1 for n, row in enumerate(rows) if row["id"] == after), 0)
        return {"object": "list", "data": rows[begin : begin + PAGE], "has_more": begin + PAGE < len(rows)}

    def look(self, id_: str) -> Body:
        batch = self.batches[id_]
        if batch["status"] == "validating":
            batch["status"] = "in_progress"
        if batch["status"] in ("in_progress", "cancelling") and self.quick:
            self.end(id_)
        return batch

    def cancel(self, id_: str) -> Body:
        if "output_file_id" not in self.batches[id_]:
            self.batches[id_]["status"] = "cancelling"
        return self.batches[id_]

    def end(self, id_: str, *, answered: int | None = None, status: str = "") -> None:
        """It ends, with so many of its lines answered."""
        batch = self.batches[id_]
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
        answered = len(lines) if answered is None else answered
        replies, failures = [], []
        for line in reversed(lines[:answered]):
            if error := self.failure(line["body"]):
                told = {"status_code": 400, "body": {"error": error}}
                failures.append({"custom_id": line["custom_id"], "response": told, "error": None})
            else:
                told = {"status_code": 200, "body": self._completion(line["body"])}
                replies.append({"id": "x", "custom_id": line["custom_id"], "response": told, "error": None})
        if status == "expired":
            expired = {"code": "batch_expired", "message": "It could not be executed before the window expired."}
            failures += [
                {"custom_id": line["custom_id"], "response": None, "error": expired} for line in lines[answered:]
            ]
        for name, rows in (("output_file_id", replies), ("error_file_id", failures)):
            batch[name] = self.upload("\n".join(map(json.dumps, rows)).encode())["id"] if rows else None
        batch["request_counts"] |= {"completed": len(replies), "failed": len(failures)}
        batch["status"] = status or ("cancelled" if batch["status"] == "cancelling" else "completed")

    def refuse(self, id_: str, code: str) -> None:
        """It takes nothing of a batch."""
        problem = {"code": code, "message": "Enqueued token limit reached."}
        self.batches[id_] |= {"status": "failed", "errors": {"data": [problem]}}

    def _completion(self, body: Body) -> Body:
        message = {"role": "assistant", "content": self.reply(body)}
        usage = {"prompt_tokens": 900, "completion_tokens": 100}
        return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}


@contextmanager
def providing(reply: Callable[[Body], str]) -> Iterator[Provider]:
    """A provider, while it is needed."""
    provider = Provider(reply)
    try:
        yield provider
    finally:
        provider.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked was killed."""


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        self._do("GET")

    def do_POST(self) -> None:
        self._do("POST")

    def do_DELETE(self) -> None:
        self._do("DELETE")

    def _do(self, method: str) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        path = parts.path.removeprefix("/v1/")
        self.provider.before(method, path)
        with self.provider._lock if path != "chat/completions" else threading.Lock():
            status, body = self._answer(method, path.split("/"), parse_qs(parts.query), content)
        self.provider.after(method, path)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, method: str, path: list[str], query: dict[str, list[str]], content: bytes) -> tuple[int, bytes]:
        provider = self.provider
        if path[0] in ("batches", "files") and not provider.has_batches:
            return 404, b"404 page not found"
        match method, path:
            case "POST", ["chat", "completions"]:
                found = provider.chat(json.loads(content))
            case "POST", ["files"]:
                head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
                form = message_from_bytes(head + content, policy=policy.HTTP)
                fields = {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}
                assert fields["purpose"].get_content().strip() == "batch"
                file = fields["file"].get_payload(decode=True)
                assert isinstance(file, bytes)
                found = provider.upload(file)
            case "POST", ["batches"]:
                found = provider.create(json.loads(content))
            case "GET", ["batches"]:
                found = provider.listed((query.get("after") or [""])[0])
            case "GET", ["batches", id_] if id_ in provider.batches:
                found = provider.look(id_)
            case "POST", ["batches", id_, "cancel"]:
                found = provider.cancel(id_)
            case "GET", ["files", id_, "content"] if id_ in provider.files:
                return 200, provider.files[id_]
            case "DELETE", ["files", id_]:
                provider.files.pop(id_, None)
                found = {"id": id_, "deleted": True}
            case _:
                return 404, b'{"error": {"message": "There is no such thing."}}'
        return 200, json.dumps(found).encode()
