"""The server's connection to a Ray cluster: it sends tasks, receives results, and knows the machines."""

from __future__ import annotations

import itertools
import logging
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

from filigraph.app.cluster.driver import Drop, Ended, State, Unreachable, WorkRequest
from filigraph.app.cluster.worker import pack, versions
from filigraph.graph.errors import ClusterDown, ClusterUnavailable, FiligraphError, NotSetUp

log = logging.getLogger("filigraph.server")

KNOCK = 5.0  # seconds until an address must answer
CONNECT = 240.0  # seconds for Ray to connect; a busy machine needs a minute to import it

CURE = "Start Ray with `ray start --head`, or correct FILIGRAPH_RAY."


class RayCluster:
    """A connection to a Ray cluster. Thread-safe. Creating it connects."""

    def __init__(self, address: str) -> None:
        """`address` is `auto`, HOST:PORT or ray://HOST:PORT. Raises NotSetUp, ClusterUnavailable."""
        self.address = address
        self._numbers = itertools.count(1)
        self.waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()  # guards the two fields above
        self._sending = threading.Lock()  # separate: the thread that reads replies must never wait for a full pipe
        self.lost = ""  # why this connection is unusable now; "" if it is usable
        _check(address)
        self._pipe, theirs = Pipe()
        command = [sys.executable, "-m", "filigraph.app.cluster.driver", address, str(theirs.fileno())]
        with theirs:
            self._driver = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        try:
            self.state = first_state(self._pipe, address)
        except BaseException:
            self.close()
            raise
        threading.Thread(target=self._listen, name="ray", daemon=True).start()

    def submit(self, function: Callable[..., Any], *arguments: Any, llm: bool = False) -> Future[Any]:
        """Have a machine call one of `worker`'s functions. The Future raises the error of the function, or
        ClusterUnavailable.

        It takes a core, or one of a machine's simultaneous LLM calls. If a machine dies, another repeats the task.
        Raises ClusterUnavailable.
        """
        future: Future[Any] = Future()
        work = pack(versions(), function, arguments)
        with self._lock:
            if self.lost:
                raise ClusterDown(self.lost, cure=CURE)
            number = next(self._numbers)
            self.waiting[number] = future
        future.add_done_callback(lambda ended: self._cancel_task(number) if ended.cancelled() else None)
        self._send(WorkRequest(number, work, llm))
        return future

    def close(self) -> None:
        """Close the connection; this ends our running tasks."""
        self._driver.kill()
        self._driver.wait()
        self._pipe.close()

    def _cancel_task(self, number: int) -> None:
        with self._lock:
            waited = self.waiting.pop(number, None)
        if waited:
            self._send(Drop(number))

    def _send(self, message: WorkRequest | Drop) -> None:
        with self._sending, suppress(OSError):  # if the driver is gone, `_listen` reports it
            self._pipe.send(message)

    # Replies, in a thread

    def _listen(self) -> None:
        try:
            while True:
                message = self._pipe.recv()
                if isinstance(message, State):
                    self._update_state(message)
                elif isinstance(message, Ended):
                    self._settle_work(message)
        except (EOFError, OSError):
            with self._lock:
                self.lost = f"The Ray cluster at {self.address} is gone."
                waiting, self.waiting = self.waiting, {}
            log.warning(self.lost)
            for future in waiting.values():
                _settle(future, ClusterDown(self.lost, cure=CURE))

    def _update_state(self, state: State) -> None:
        before, self.state = self.state, state
        for id_ in before.machines.keys() - state.machines.keys():
            log.warning("Ray: the machine %s is gone; others take over its work", before.machines[id_])
        for id_ in state.machines.keys() - before.machines.keys():
            log.info("Ray: the machine %s has come", state.machines[id_])

    def _settle_work(self, ended: Ended) -> None:
        with self._lock:
            future = self.waiting.pop(ended.id, None)
        if future is None:
            return
        if ended.how == "done":
            _settle(future, pickle.loads(ended.outcome))  # noqa: S301 - from the worker that we gave the work to
        elif ended.how == "lost":
            cause = f"A task was given up, because each process that ran it ended ({_short_message(ended.problem)})."
            _settle(future, ClusterUnavailable(cause, cure="Look at Ray's logs; give its machines more memory."))
        else:
            cause = f"A machine of the Ray cluster failed: {_short_message(ended.problem)}."
            _settle(future, ClusterUnavailable(cause, cure="Install the same release of Filigraph on every machine."))


def first_state(pipe: Connection, address: str) -> State:
    """The driver's first message. Raises ClusterUnavailable."""
    try:
        message = pipe.recv() if pipe.poll(CONNECT) else Unreachable("it did not answer in time")
    except EOFError:  # its process has ended: Ray does not raise if the other side is not Ray
        message = Unreachable("the program there is not Ray, or another version of it")
    if isinstance(message, State):
        return message
    reason = message.problem
    if "version mismatch" in reason.lower():
        raise ClusterUnavailable(
            f"The Ray cluster at {address} is of another version: {_short_message(reason)}.",
            cure="Install the same Ray and the same Python on all its machines and here, and start it again.",
        )
    raise ClusterDown(f"No Ray cluster can be used at {address}: {_short_message(reason)}.", cure=CURE)


def _settle(future: Future[Any], outcome: Any) -> None:
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(outcome, FiligraphError):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _check(address: str) -> None:
    """Raise errors that can be found without Ray, which takes a minute to report them."""
    if find_spec("ray") is None:
        raise NotSetUp(
            "FILIGRAPH_RAY is set, and Ray is not installed.",
            cure="Install it: pip install 'filigraph[ray]'; or unset FILIGRAPH_RAY.",
        )
    if address == "auto":
        return
    parts = urlsplit(address if "://" in address else f"ray://{address}")
    try:
        socket.create_connection((parts.hostname or "", parts.port or 0), timeout=KNOCK).close()
    except OSError as error:
        raise ClusterDown(f"No Ray cluster answers at {address} ({error.strerror or error}).", cure=CURE) from error


def _short_message(text: str) -> str:
    """Ray's message, short enough for one line."""
    line = " ".join(text.split())
    return (line if len(line) <= 300 else f"{line[:300]}…").rstrip(".")
