"""Which process is ours, on which ports, and how it ends."""

import json
import random
import socket
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass

import psutil

from filigraph.app.neo4j.folders import Neo4jFolders, write_atomically
from filigraph.app.neo4j.launch import home_argument
from filigraph.graph.errors import LocalNeo4jError

LOOPBACK = "127.0.0.1"
PORTS = range(21000, 32000)  # below every system's range for outgoing connections, above the well-known ones
STOP_PATIENCE = 60  # seconds between asking to end and forcing it: closing a database took 21


@dataclass(frozen=True, kw_only=True)
class Neo4jRecord:
    """The record of the last start. It is only a hint: the process may have ended, and another program may have its
    id.
    """

    version: str
    bolt_port: int
    http_port: int
    pid: int | None = None  # None: about to be started
    ready: bool = False  # it has accepted our password once


def read_record(folders: Neo4jFolders) -> Neo4jRecord | None:
    """The record of the last start, None if there is none or it is unreadable."""
    try:
        return Neo4jRecord(**json.loads(folders.record.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def write_record(folders: Neo4jFolders, record: Neo4jRecord) -> None:
    """Store the record of a start."""
    write_atomically(folders.record, json.dumps(asdict(record), indent=2) + "\n")


def find_process(folders: Neo4jFolders, record: Neo4jRecord | None = None) -> psutil.Process | None:
    """The process that runs on this folder: the recorded one, else the result of a search among all processes.

    An id alone proves nothing (another program may have it now); the command line does. The search finds a
    server whose record was never written because its starter was killed.
    """
    if record is not None and record.pid is not None:
        with suppress(psutil.Error):
            recorded = psutil.Process(record.pid)
            if _is_ours(recorded, folders):
                return recorded
    for process in psutil.process_iter():
        if _is_ours(process, folders):
            return process
    return None


def _is_ours(process: psutil.Process, folders: Neo4jFolders) -> bool:
    try:
        return home_argument(folders) in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:  # it has ended, or belongs to another user
        return False


def is_alive(process: psutil.Process) -> bool:
    """Whether a process still runs; an ended one that was not collected yet does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def stop_process(process: psutil.Process) -> bool:
    """Ask a process to end, wait, then force it; True if it ended by itself."""
    with suppress(psutil.NoSuchProcess):
        process.terminate()
    deadline = time.monotonic() + STOP_PATIENCE
    while time.monotonic() < deadline:
        if not is_alive(process):
            return True
        time.sleep(0.05)
    with suppress(psutil.NoSuchProcess):
        process.kill()
        with suppress(psutil.TimeoutExpired):
            process.wait(10)
    return False


def is_free(port: int) -> bool:
    """Whether a server of ours could listen there."""
    with socket.socket() as probe:
        # on other systems the option only ignores closing connections; on Windows it would take a port in use
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def is_listening(port: int) -> bool:
    """Whether a program listens there."""
    with suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=1):
        return True
    return False


def choose_ports(record: Neo4jRecord | None) -> tuple[int, int]:
    """The remembered ports if they are free, else two others."""
    if record is not None and is_free(record.bolt_port) and is_free(record.http_port):
        return record.bolt_port, record.http_port
    free = [port for port in random.sample(PORTS, 100) if is_free(port)]
    if len(free) < 2:
        raise LocalNeo4jError("No free port was found for Neo4j.", cure="End some programs, then start it again.")
    return free[0], free[1]
