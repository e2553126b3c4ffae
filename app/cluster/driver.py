"""The process that speaks to Ray for the server. `python -m filigraph.app.cluster.driver ADDRESS FD`

A process of its own because Ray ends the process that it runs in when the head of its cluster is gone; the server
must outlive that. It also ends by itself when the server does, and Ray then ends the tasks that it had asked for.

It gets `Run` and `Drop` over the pipe FD, and sends one `State` first, another whenever machines come or go, and an
`Ended` for each Run. A task's work is bytes to it and to Ray: see `worker.work`.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Literal

LLM_CALLS = "llm_calls"  # Ray's resource: how many calls a machine's LLM takes at once
RETRIES = 5  # times that a task is begun again when its machine or its process died
POLL_SECONDS = 1.0  # seconds between two looks at which machines there are
HEAD_LOST = 10  # seconds without the head until Ray gives up


@dataclass(frozen=True)
class WorkRequest:
    """Do this piece of work."""

    id: int
    work: bytes
    llm: bool  # it takes one of a machine's calls of an LLM; else a core


@dataclass(frozen=True)
class Drop:
    """Nobody waits for this one any more."""

    id: int


@dataclass(frozen=True)
class Ended:
    """How a piece of work ended."""

    id: int
    how: Literal["done", "lost", "failed"]  # lost: whatever machine did it, it died of it
    outcome: bytes = b""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class State:
    """Which machines there are."""

    machines: Mapping[str, str]  # id -> address
    cores: int
    llm_calls: int  # at once, of all machines


@dataclass(frozen=True)
class Unreachable:
    """What Ray said instead of connecting."""

    problem: str


def main(address: str, fd: int) -> None:
    """Connect, then do what the pipe says until it closes."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_gcs_rpc_server_reconnect_timeout_s": str(HEAD_LOST)}
    pipe = Connection(fd)
    try:
        import ray

        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # noqa: BLE001 - whatever it is, the server reports it
        pipe.send(Unreachable(f"{type(error).__name__}: {error}"))
        return
    _Driver(pipe).run()


class _Driver:
    """What is asked of Ray, and who waits for it."""

    def __init__(self, pipe: Connection) -> None:
        import ray

        from filigraph.app.cluster.worker import work

        self._ray: Any = ray
        self._pipe = pipe
        self._sending = threading.Lock()
        self._asked: dict[int, Any] = {}  # id of a Run -> Ray's reference to its outcome
        task = ray.remote(work)
        common: dict[str, Any] = {"max_retries": RETRIES, "scheduling_strategy": "SPREAD"}
        self._by_core = task.options(num_cpus=1, **common)
        self._by_llm = task.options(num_cpus=0, resources={LLM_CALLS: 1}, **common)

    def run(self) -> None:
        state: State | None = None
        while True:
            now = _state(self._ray.nodes())
            if now != state:
                state = now
                self._send(now)
            try:
                begin = time.monotonic()  # to look at the machines also while there is always something to do
                while (left := begin + POLL_SECONDS - time.monotonic()) > 0 and self._pipe.poll(left):
                    self._do(self._pipe.recv())
            except (EOFError, OSError):  # the server has ended
                return

    def _do(self, request: WorkRequest | Drop) -> None:
        if isinstance(request, Drop):
            reference = self._asked.pop(request.id, None)
            if reference is not None:  # by force: a call of an LLM is closed only so
                self._ray.cancel(reference, force=True)
            return
        reference = (self._by_llm if request.llm else self._by_core).remote(request.work)
        self._asked[request.id] = reference
        reference.future().add_done_callback(lambda future: self._ended(request.id, future))

    def _ended(self, id_: int, future: Any) -> None:
        self._asked.pop(id_, None)
        error = future.exception()
        errors = self._ray.exceptions
        if error is None:
            self._send(Ended(id_, "done", outcome=future.result()))
        elif isinstance(error, errors.TaskCancelledError):
            return  # the server cancelled it
        elif isinstance(error, errors.LocalRayletDiedError):
            os._exit(1)  # our own end of the cluster is gone: it is for the server to connect again
        elif isinstance(error, errors.RayTaskError):
            self._send(Ended(id_, "failed", problem=str(error.cause or error)))
        else:
            self._send(Ended(id_, "lost", problem=f"{type(error).__name__}: {error}"))

    def _send(self, message: State | Ended) -> None:
        with self._sending:
            self._pipe.send(message)


def _state(nodes: Sequence[Mapping[str, Any]]) -> State:
    alive = [node for node in nodes if node["Alive"]]
    resources = [node["Resources"] for node in alive]
    return State(
        machines={node["NodeID"]: node["NodeManagerAddress"] for node in alive},
        cores=int(sum(has.get("CPU", 0) for has in resources)),
        llm_calls=int(sum(has.get(LLM_CALLS, 0) for has in resources)),
    )


if __name__ == "__main__":
    from filigraph.app.cluster import driver  # its classes under the name by which the server knows them

    driver.main(sys.argv[1], int(sys.argv[2]))
