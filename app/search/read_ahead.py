"""Reads the data ahead that questions will need, for workspaces with recent questions, in a separate thread. It checks
the revision of each once a second, whichever server changes it, and reads when it is stable: after the first question,
and after each change. It ends when no workspace has recent questions.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from filigraph.app.runtime import Runtime
from filigraph.graph.errors import FiligraphError

log = logging.getLogger("filigraph.server")
POLL_SECONDS = 1.0  # seconds between two checks
READ_AHEAD_SECONDS = 600.0  # seconds after a question during which its workspace is read ahead
PAUSE_SECONDS = 0.02  # seconds between two parts: questions come first
MAX_TIME_SHARE = 0.2  # max. share of the time, if a workspace keeps changing
END = 5.0  # seconds that a part may take to end


@dataclass
class _Watched:
    """A workspace with recent questions."""

    asked: float = 0.0  # time of the last question
    seen: str = ""  # its revision at the last check
    read: str = ""  # the revision that was read ahead
    rests_until: float = 0.0  # when it may be read again


class ReadAhead:
    """The thread of one process. Thread-safe."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.watched: dict[str, _Watched] = {}  # by name of the workspace
        self.thread: threading.Thread | None = None
        self._lock = threading.Lock()  # guards the two above
        self._ended = threading.Event()

    def watch(self, workspace: str) -> None:
        """Read this workspace ahead, now and after changes."""
        with self._lock:
            self.watched.setdefault(workspace, _Watched()).asked = time.monotonic()
            if self.thread is None and not self._ended.is_set():
                self.thread = threading.Thread(target=self._run, name="read ahead", daemon=True)
                self.thread.start()

    def close(self) -> None:
        """Stop, for good."""
        with self._lock:
            self._ended.set()
            thread = self.thread
        if thread:
            thread.join(END)

    def _run(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            watched = self._asked_lately()
            if not watched:
                return
            for name, workspace in watched.items():
                try:
                    self._read_if_settled(name, workspace)
                except FiligraphError:  # the next question reports it
                    pass
                except Exception:
                    log.exception("the workspace %s cannot be read ahead", name)
                    with self._lock:
                        self.watched.pop(name, None)

    def _asked_lately(self) -> Mapping[str, _Watched]:
        """The workspaces with recent questions. If there are none the thread ends, and a later question starts
        another.
        """
        with self._lock:
            since = time.monotonic() - READ_AHEAD_SECONDS
            self.watched = {name: workspace for name, workspace in self.watched.items() if workspace.asked > since}
            if not self.watched:
                self.thread = None
            return dict(self.watched)

    def _read_if_settled(self, name: str, workspace: _Watched) -> None:
        from filigraph.graph.ask.explore.read_ahead import read_ahead

        if self._runtime.store.peek() is None:  # connecting, and starting Neo4j, is left to questions
            return
        graph = self._runtime.graph(name)
        revision = graph.overview().revision
        settled, workspace.seen = workspace.seen == revision, revision
        begun = time.monotonic()
        if not settled or workspace.read == revision or begun < workspace.rests_until:
            return
        for _ in read_ahead(graph):
            if self._ended.wait(PAUSE_SECONDS):
                return
        workspace.read = revision
        workspace.rests_until = begun + (time.monotonic() - begun) / MAX_TIME_SHARE
