"""Interrupting: Ctrl-C ends a question on the server, which answers with what was read so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from filigraph.app.client.addresses import path
from filigraph.graph.errors import FiligraphError

if TYPE_CHECKING:
    from filigraph.app.cli.terminal.console import Data
    from filigraph.app.client.rest import Client

INTERRUPTED = 130  # exit code


def ask_events(client: Client, workspace: str, body: Data, *, say: Callable[[str], None]) -> Iterator[Data]:
    """The events of a question. Ctrl-C ends it with what was read so far; before anything was found, and a second
    time, it ends the command."""
    trace_id = ""

    def cancel() -> bool:
        if not trace_id:
            return False
        say("Cancelling; Ctrl-C again does not wait for what was read so far.")
        threading.Thread(target=_cancel, args=(client, workspace, trace_id), daemon=True).start()
        return True

    with _on_ctrl_c(cancel):
        for event in client.stream(path(workspace, "ask"), json={**body, "stream": True}):
            if event["event"] == "retrieved":
                trace_id = event["trace_id"]
            yield event


def _cancel(client: Client, workspace: str, trace_id: str) -> None:
    with suppress(FiligraphError):  # it has ended meanwhile
        client.post(path(workspace, "ask", trace_id, "cancel"), {})


@contextmanager
def _on_ctrl_c(cancel: Callable[[], bool]) -> Iterator[None]:
    """The first Ctrl-C calls `cancel`; where that says no, and at the second, it does what it did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: Any = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        if not cancel():
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
