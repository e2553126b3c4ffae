"""The process that communicates with Ray for the server. `python -m filigraph.app.cluster.driver ADDRESS FD`

It is a separate process, because Ray ends its process when the head of the cluster is lost, and the server must survive
that. When the server ends, it ends too, and Ray then ends its tasks.

It gets `Run` and `Drop` over the pipe FD, and sends one `State` first, another whenever machines come or go, and an
`Ended` for each Run. For it and for Ray, a task is only bytes: see `worker.run_task`.
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

LLM_CALLS = "llm_calls"  # Ray's resource: the number of simultaneous calls that a machine's LLM accepts
RETRIES = 5  # restarts of a task whose machine or process died
POLL_SECONDS = 1.0  # seconds between two checks of the machines
HEAD_LOST = 10  # seconds without the head until Ray gives up


@dataclass(frozen=True)
class WorkRequest:
    id: int
    work: bytes
    llm: bool  # it takes one of a machine's LLM calls; otherwise a core


@dataclass(frozen=True)
class Drop:
    """Nobody waits for this task any more."""

    id: int


@dataclass(frozen=True)
class Ended:
    id: int
    how: Literal["done", "lost", "failed"]  # lost: every machine that tried it died
    outcome: bytes = b""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class State:
    """The machines of the cluster."""

    machines: Mapping[str, str]  # id -> address
    cores: int
    llm_calls: int  # at once, of all machines


@dataclass(frozen=True)
class Unreachable:
    """Ray's message if it could not connect."""

    problem: str


def main(address: str, fd: int) -> None:
    """Connect, then process messages from the pipe until it closes."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_gcs_rpc_server_reconnect_timeout_s": str(HEAD_LOST)}
    pipe = Connection(fd)
    try:
        import ray

        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # noqa: BLE001 - whatever it is, the server reports it
        pipe.send(Unreachable(f"{type(error).__name__}: {error}"))
        return
    Driver(pipe, ray).run()


class Driver:
    """The tasks given to Ray, and those who wait for them."""

    def __init__(self, pipe: Connection, ray: Any) -> None:
        from filigraph.app.cluster.worker import run_task

        self._ray = ray
        self._pipe = pipe
        self._sending = threading.Lock()
        self._asked: dict[int, Any] = {}  # id of a Run -> Ray's reference to its outcome
        task = ray.remote(run_task)
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
                begin = time.monotonic()  # the machines must be checked even if there is always work
                while (left := begin + POLL_SECONDS - time.monotonic()) > 0 and self._pipe.poll(left):
                    self._handle(self._pipe.recv())
            except (EOFError, OSError):  # the server has ended
                return

    def _handle(self, request: WorkRequest | Drop) -> None:
        if isinstance(request, Drop):
            reference = self._asked.pop(request.id, None)
            if reference is not None:  # by force: this is the only way to close a call of an LLM
                self._ray.cancel(reference, force=True)
            return
        reference = (self._by_llm if request.llm else self._by_core).remote(request.work)
        self._asked[request.id] = reference
        reference.future().add_done_callback(lambda future: self._report_end(request.id, future))

    def _report_end(self, id_: int, future: Any) -> None:
        self._asked.pop(id_, None)
        error = future.exception()
        errors = self._ray.exceptions
        if error is None:
            self._send(Ended(id_, "done", outcome=future.result()))
        elif isinstance(error, errors.TaskCancelledError):
            return  # the server cancelled it
        elif isinstance(error, errors.LocalRayletDiedError):
            os._exit(1)  # our own node of the cluster is lost: the server has to connect again
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
    from filigraph.app.cluster import driver  # the server knows the classes under this module's name

    driver.main(sys.argv[1], int(sys.argv[2]))
