"""The server in the background: `up`, `down`, and the start by a command that finds no server. There is one server for
each home. It holds a lock as long as it lives, which the system releases however it ends, and records its process and
port when it is reachable. The record alone is not a proof: the process may have ended and another may have its id, so
the server is asked over HTTP who it is, or its start time is compared.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from filelock import FileLock, Timeout

from filigraph.app.client.rest import Client
from filigraph.app.home import Home, ServerRecord, guard_writes, open_home, read_record, write_owner_token, write_record
from filigraph.app.settings import Settings, setting_digests
from filigraph.app.version import installed_version
from filigraph.graph.errors import ServerUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    import psutil

    from filigraph.app.neo4j import Neo4jAddress

START_PATIENCE = 240  # seconds until a server answers; importing everything takes some on a cold disk
READY_PATIENCE = 300  # seconds until its models are loaded, or a long start shows progress
STOP_PATIENCE = 30  # seconds between a request to end and force
OTHERS_PATIENCE = 600  # seconds for another `up` or `down` to finish
PRIVATE = {
    "FILIGRAPH_HOST": "127.0.0.1",
    "FILIGRAPH_ALLOWED_HOSTS": "",
}  # environment of a server only for this machine
TELL_AFTER = 2.0  # seconds of a start before progress is shown
TELL_EVERY = 5.0  # seconds between two lines about a start
LOG_BYTES = 10_000_000  # a longer log is renamed when a server starts

RESTART = "To have it use today's: `filigraph down`, then `filigraph up`."

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """What `down` stopped."""

    server: bool
    neo4j: bool


# --------------------------------------------------------------------------------------------------------------------
# serve: the server itself, in this process


def serve_and_end(settings: Settings, say: Say, *, first_key: Path | None = None) -> None:
    """Run `serve`, then end this process: with 0 after SIGTERM, 130 after Ctrl-C. A thread may still load a model or
    start Neo4j. The normal end of the interpreter would take memory and locks away from it, and the process would
    abort; so only the registered exit functions run, and the process ends at once.
    """
    try:
        serve(settings, say, first_key=first_key)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except KeyboardInterrupt:
        code = 130
    else:
        code = 0
    atexit._run_exitfuncs()
    os._exit(code)


def serve(settings: Settings, say: Say, *, first_key: Path | None = None) -> None:
    """Run the server in this process until a signal ends it. If there is no key, the first one is written to a file."""
    from filigraph.app.access.first_key import have_first_key
    from filigraph.app.runtime import Runtime
    from filigraph.app.server import run
    from filigraph.app.service.service import Service
    from filigraph.graph.process.snapshots import Snapshots

    signal.signal(signal.SIGTERM, _exit_on_signal)  # uvicorn's own, while it serves, ends in this one
    home = open_home(settings.home)
    lock = FileLock(home.running)
    try:
        lock.acquire(timeout=2)
    except Timeout:
        record = read_record(home)
        where = f" at {record.url}" if record else ""
        raise ServerUnavailable(
            f"A server of this home runs already{where}.", cure="Use it, or stop it with `filigraph down`."
        ) from None
    with lock:
        runtime = Runtime(settings, lambda: ensure_neo4j(settings, progress=False), Snapshots(home.snapshots))
        service = Service(runtime)
        if first_key:
            have_first_key(service.keys, first_key, say)
        service.keys.check_public()
        listener = listen(settings, read_record(home))
        port = listener.getsockname()[1]

        def on_listening() -> None:
            service.keys.accept_owner(write_owner_token(home))
            created = _created(os.getpid())
            record = ServerRecord(
                pid=os.getpid(),
                created=created,
                port=port,
                version=installed_version(),
                host=settings.host,
                settings=setting_digests(settings, _process_salt(os.getpid(), created)),
            )
            write_record(home, record)
            say(f"Filigraph answers at {record.url} (its API at {record.url}/docs).")

        run(service, listener, on_listening)


def _exit_on_signal(number: int, frame: FrameType | None) -> NoReturn:
    """A request to end is not a failure."""
    raise SystemExit(0)


def listen(settings: Settings, last: ServerRecord | None) -> socket.socket:
    """A socket on the requested port; else on the last one, so that links remain valid; else on any."""
    for port in [settings.port] if settings.port else [*([last.port] if last else []), 0]:
        # named as TCP: otherwise asyncio leaves Nagle's algorithm on, and a reply waits 40 ms for the client's
        # acknowledgement
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # on Windows it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, port))
            listener.listen(128)  # now, before another process can take the port
        except OSError as error:
            listener.close()
            if settings.port:
                raise ServerUnavailable(
                    f"Port {port} cannot be used ({error.strerror or error}).",
                    cure="Set FILIGRAPH_PORT to another one, or unset it to use any free port.",
                ) from error
        else:
            return listener
    raise ServerUnavailable("There is no free port.", cure="End some programs and run it again.")


def ensure_neo4j(settings: Settings, *, progress: bool, say: Say = lambda _: None) -> Neo4jAddress:
    """The address of the local Neo4j. If it does not run, this starts it, reports it, and records it for `down`."""
    from filigraph.app.neo4j import neo4j_status, start_neo4j

    home = open_home(settings.home)
    before = neo4j_status(settings.home).pid
    if before is None:
        say("Starting Neo4j.")
    ours = before is None or _started_neo4j(home) == str(before)
    address = start_neo4j(home=settings.home, progress=progress)
    now = neo4j_status(settings.home).pid
    if ours and now != before:  # a Neo4j that was restarted is another process
        with guard_writes(home.neo4j_started):
            home.neo4j_started.write_text(str(now), encoding="utf-8")
    return address


def _started_neo4j(home: Home) -> str:
    """The process id of the Neo4j that Filigraph started by itself; "" if there is none."""
    try:
        return home.neo4j_started.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


# --------------------------------------------------------------------------------------------------------------------
# up and down


def find_server(settings: Settings) -> ServerRecord | None:
    """The server of this home, if it answers."""
    record = read_record(open_home(settings.home))
    if record is None:
        return None
    with _client(record, settings) as client:
        try:
            return record if client.health()["pid"] == record.pid else None
        except ServerUnavailable:
            return None


def changed_settings(settings: Settings, record: ServerRecord) -> str:
    """A message with the settings that differ from those of the running server; "" if none do."""
    now = setting_digests(settings, _process_salt(record.pid, record.created))
    names = [name for name, digest in now.items() if record.settings and record.settings.get(name) != digest]
    if not names:
        return ""
    return f"The server that runs was started with another {', '.join(names)}. {RESTART}"


def _process_salt(pid: int, created: float) -> str:
    return f"{pid} {created}"


def up(settings: Settings, say: Say, *, private: bool = False) -> ServerRecord:
    """The server of this home; if none answers, start it in the background, with the local Neo4j. `private`: a new
    server listens only on loopback, whatever the settings say.
    """
    home = open_home(settings.home)
    with _start_lock(home):
        record = find_server(settings)
        if record is None:
            left = _process(read_record(home))
            if left is not None:
                raise ServerUnavailable(
                    f"The server (process {left.pid}) runs and does not answer.",
                    cure=f"Stop it with `filigraph down`; its log is {home.log}.",
                )
            if not settings.neo4j_uri:
                ensure_neo4j(settings, progress=True, say=say)
            say("Starting the server.")
            record = _spawn(home, PRIVATE if private else {})
        elif changes := changed_settings(settings, record):
            say(changes)
    _await_ready(record, settings, say)
    return record


def _client(record: ServerRecord, settings: Settings) -> Client:
    return Client(record.url, key=settings.key.get_secret_value())


def _spawn(home: Home, environment: Mapping[str, str]) -> ServerRecord:
    """Start a server that outlives this program, and wait until it answers."""
    with suppress(OSError):
        if home.log.stat().st_size > LOG_BYTES:
            home.log.replace(home.log.with_suffix(".old.log"))
    begin = home.log.stat().st_size if home.log.exists() else 0
    with guard_writes(home.log):
        log = home.log.open("ab")
    with log:
        # -P: never import a file of the current folder that has the name of one of our libraries
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "filigraph.app.cli", "serve"],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    deadline = time.monotonic() + START_PATIENCE
    while time.monotonic() < deadline:
        record = read_record(home)
        if record is not None and record.pid == process.pid:
            return record
        if process.poll() is not None:
            raise ServerUnavailable(
                f"The server ended at once: {_last_line(home, begin)}", cure=f"Read its log: {home.log}."
            )
        time.sleep(0.05)
    raise ServerUnavailable(
        f"The server does not answer after {START_PATIENCE} seconds.", cure=f"Read its log: {home.log}."
    )


def _await_ready(record: ServerRecord, settings: Settings, say: Say) -> None:
    """Wait for Neo4j and the models; raises the reason why the server does not become ready."""
    deadline = time.monotonic() + READY_PATIENCE
    step = reported = ""
    last = time.monotonic() - TELL_EVERY + TELL_AFTER
    with _client(record, settings) as client:
        while time.monotonic() < deadline:
            health = client.check_version()
            if health["ready"]:
                return
            if health["problem"]:
                raise ServerUnavailable(
                    f"The server runs, but is not ready: {health['problem']}", cure="Run `filigraph doctor`."
                )
            now = time.monotonic()
            if health["starting"] != step:
                step, deadline = health["starting"], now + READY_PATIENCE
            if step != reported and now - last >= TELL_EVERY:
                say(step)
                reported, last = step, now
            time.sleep(0.2)
    raise ServerUnavailable(
        f"The server runs, but is not ready after {READY_PATIENCE} seconds.", cure="Run `filigraph doctor`."
    )


def down(settings: Settings) -> Stopped:
    """Stop the server of this home, and the local Neo4j if Filigraph started it."""
    home = open_home(settings.home)
    with _start_lock(home):
        process = _process(read_record(home))
        if process is not None:
            _end(process)
        return Stopped(server=process is not None, neo4j=_stop_neo4j(home, settings))


def _stop_neo4j(home: Home, settings: Settings) -> bool:
    from filigraph.app.neo4j import neo4j_status, stop_neo4j

    pid = _started_neo4j(home)
    if not pid:
        return False
    stopped = pid == str(neo4j_status(settings.home).pid) and stop_neo4j(settings.home)
    home.neo4j_started.unlink(missing_ok=True)
    return stopped


def _end(process: psutil.Process) -> None:
    """Ask a process to end, wait, force it."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        process.terminate()
        try:
            process.wait(STOP_PATIENCE)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(STOP_PATIENCE)


def _process(record: ServerRecord | None) -> psutil.Process | None:
    """The recorded process, if it still runs and is the same one."""
    import psutil

    if record is None:
        return None
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.created) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return None
    return process if same else None


def _created(pid: int) -> float:
    import psutil

    return psutil.Process(pid).create_time()


@contextmanager
def _start_lock(home: Home) -> Iterator[None]:
    """Prevent other `up` and `down` of this home."""
    try:
        with FileLock(home.starting, timeout=OTHERS_PATIENCE):
            yield
    except Timeout as error:
        raise ServerUnavailable(
            f"Another command has been starting or stopping the server for {OTHERS_PATIENCE} seconds.",
            cure="Find that command and end it.",
        ) from error


def _last_line(home: Home, begin: int) -> str:
    """The last line of the log since `begin`: why the server ended."""
    with home.log.open("rb") as log:
        log.seek(begin)
        lines = [line.strip() for line in log.read().decode("utf-8", "replace").splitlines() if line.strip()]
    return (lines or ["it said nothing."])[-1].removeprefix("filigraph: ")
