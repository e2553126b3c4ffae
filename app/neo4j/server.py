"""Start, stop and examine the local Neo4j, top to bottom."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import psutil
from filelock import FileLock, Timeout

from filigraph.app.neo4j.class_archive import archive_flags, archive_of, keep_archive
from filigraph.app.neo4j.download import fetch_jars, remove_damaged
from filigraph.app.neo4j.folders import Neo4jFolders, cannot_write, check_space, folders_of, make_folder
from filigraph.app.neo4j.launch import (
    DEFAULT_HEAP,
    DEFAULT_PAGE_CACHE,
    HEAP_VARIABLE,
    PAGE_CACHE_VARIABLE,
    command,
    launch_detached,
    write_settings,
)
from filigraph.app.neo4j.lock import Lock, chosen_version, read_lock
from filigraph.app.neo4j.login import USERNAME, has_failed, log_in, read_or_create_password
from filigraph.app.neo4j.logs import cure_of, last_error, lines_of, port_was_taken, why_not_opened
from filigraph.app.neo4j.process import (
    LOOPBACK,
    Neo4jRecord,
    choose_ports,
    find_process,
    is_alive,
    is_listening,
    read_record,
    stop_process,
    write_record,
)
from filigraph.app.neo4j.upgrade import upgrade_data
from filigraph.graph.errors import LocalNeo4jError

START_PATIENCE = 180  # seconds; a start takes 7, many times that on a busy machine or after a crash
LOCK_PATIENCE = 2 * START_PATIENCE  # another start, or its download, may be in progress


@dataclass(frozen=True, kw_only=True)
class Neo4jAddress:
    uri: str  # bolt://127.0.0.1:…
    username: str
    password: str = field(repr=False)
    http_url: str  # http://127.0.0.1:…
    browser_url: str | None  # None if this version comes without Neo4j Browser
    version: str

    def browser(self, query: str = "") -> str | None:
        """The address of Neo4j Browser, which opens connected to this server, `query` in its editor."""
        if self.browser_url is None:
            return None
        params = {"connectURL": f"neo4j://{self.username}@{self.uri.partition('://')[2]}"}
        if query:
            params |= {"cmd": "edit", "arg": query}
        return f"{self.browser_url}?{urlencode(params)}"


@dataclass(frozen=True, kw_only=True)
class Neo4jStatus:
    """The current state of the local Neo4j."""

    state: Literal["running", "starting", "stopped"]
    version: str
    folder: Path  # its data, its logs, its password
    pid: int | None = None
    memory: int | None = None  # resident bytes
    address: Neo4jAddress | None = None  # only when running


def start_neo4j(
    *,
    version: str | None = None,
    home: Path | None = None,
    progress: bool = True,
    heap: str | None = None,
    page_cache: str | None = None,
) -> Neo4jAddress:
    """Return the address of the local Neo4j: adopt it if it runs, else download and start it.

    Any number of programs may call it at once: one starts the server, the others wait and adopt it. A server whose
    database failed (a full disk) is restarted, once there is room. Defaults come from FILIGRAPH_NEO4J_VERSION,
    FILIGRAPH_HOME, FILIGRAPH_NEO4J_HEAP and FILIGRAPH_NEO4J_PAGE_CACHE.
    """
    lock = read_lock(chosen_version(version))
    folders = folders_of(lock.version, home)
    with _start_lock(folders):
        record = read_record(folders)
        process = find_process(folders, record)
        if process is not None and record is not None and not _has_failed(folders, process, record):
            return _adopt(folders, process, record)
        check_space(folders.server)
        if process is not None:  # its database failed; or the record was deleted, and its ports are unknown
            stop_process(process)
        upgrade_data(folders, lock.version)
        jars = fetch_jars(lock.jars, folders.jars, progress=progress)
        heap = heap or os.environ.get(HEAP_VARIABLE) or DEFAULT_HEAP
        page_cache = page_cache or os.environ.get(PAGE_CACHE_VARIABLE) or DEFAULT_PAGE_CACHE
        try:
            return _launch(folders, lock, jars, record, heap, page_cache)
        except _EndedError:
            # A retry cures two failures: a port taken between the choice and the start, and a damaged jar.
            if not remove_damaged(lock.jars, folders.jars) and not port_was_taken(folders):
                raise
        jars = fetch_jars(lock.jars, folders.jars, progress=progress)
        return _launch(folders, lock, jars, None, heap, page_cache)


def stop_neo4j(home: Path | None = None, version: str | None = None) -> bool:
    """Stop the local Neo4j; False if none was running. It has a minute to close its database."""
    folders = folders_of(read_lock(chosen_version(version)).version, home)
    if not folders.server.exists():
        return False
    with _start_lock(folders):
        record = read_record(folders)
        process = find_process(folders, record)
        if process is None:
            return False
        in_peace = stop_process(process)
        if is_alive(process):
            raise LocalNeo4jError(f"Neo4j (process {process.pid}) cannot be stopped.", cure="Stop it by hand.")
        if in_peace and record is not None:
            keep_archive(archive_of(folders, read_lock(record.version)))
        return True


def neo4j_status(home: Path | None = None, version: str | None = None) -> Neo4jStatus:
    """The state of the local Neo4j; changes nothing and does not wait."""
    wanted = read_lock(chosen_version(version)).version
    folders = folders_of(wanted, home)
    record = read_record(folders)
    process = find_process(folders, record)
    if process is None:
        return Neo4jStatus(state="stopped", version=wanted, folder=folders.server)
    try:
        memory = process.memory_info().rss
    except psutil.Error:  # it ended just now
        return Neo4jStatus(state="stopped", version=wanted, folder=folders.server)
    ready = record is not None and record.pid == process.pid and record.ready and is_listening(record.bolt_port)
    return Neo4jStatus(
        state="running" if ready else "starting",
        version=record.version if record else wanted,
        folder=folders.server,
        pid=process.pid,
        memory=memory,
        address=_address(folders, record) if ready and record else None,
    )


def neo4j_logs(home: Path | None = None, version: str | None = None, lines: int = 50) -> list[str]:
    """The last lines of Neo4j's log, or of its JVM's output if there is no log."""
    folders = folders_of(read_lock(chosen_version(version)).version, home)
    return (lines_of(folders.log) or lines_of(folders.console))[-lines:]


class _EndedError(LocalNeo4jError):
    """Neo4j ended while it was starting."""

    def __init__(self, folders: Neo4jFolders) -> None:
        cause, file = last_error(folders)
        super().__init__(f"Neo4j ended while it was starting: {cause}.", cure=cure_of(cause, file, folders))


def _launch(
    folders: Neo4jFolders, lock: Lock, jars: list[Path], last: Neo4jRecord | None, heap: str, page_cache: str
) -> Neo4jAddress:
    """Start the JVM and wait until it answers."""
    read_or_create_password(folders.password)
    bolt_port, http_port = choose_ports(last)
    write_settings(folders, lock.version, bolt_port, http_port, heap, page_cache)
    for old in (folders.console, folders.log):
        old.unlink(missing_ok=True)
    if folders.debug.exists():
        folders.debug.replace(folders.debug.with_suffix(".old.log"))  # of the last start: it may say why that ended
    record = Neo4jRecord(version=lock.version, bolt_port=bolt_port, http_port=http_port)
    write_record(folders, record)  # before the process: after a kill the next program finds one or the other
    was_started = last is not None and last.ready
    flags = archive_flags(archive_of(folders, lock), make=was_started)
    record = replace(record, pid=launch_detached(folders, command(folders, lock.version, jars, heap, flags)))
    write_record(folders, record)
    try:
        process = psutil.Process(record.pid)
    except psutil.NoSuchProcess:
        raise _EndedError(folders) from None
    return _await(folders, process, record)


def _has_failed(folders: Neo4jFolders, process: psutil.Process, record: Neo4jRecord) -> bool:
    if not record.ready or record.pid != process.pid:
        return False
    address = _address(folders, record)
    return has_failed(address.uri, address.password)


def _adopt(folders: Neo4jFolders, process: psutil.Process, record: Neo4jRecord) -> Neo4jAddress:
    """Use a server that another program started, or is starting, or was starting when it was killed."""
    if record.pid != process.pid:
        record = replace(record, pid=process.pid, ready=False)
    return _await(folders, process, record)


def _await(folders: Neo4jFolders, process: psutil.Process, record: Neo4jRecord) -> Neo4jAddress:
    """Wait until the server accepts our password; the first time, set the password."""
    deadline = time.monotonic() + START_PATIENCE
    address = _address(folders, record)
    while time.monotonic() < deadline:
        if is_listening(record.bolt_port) and is_listening(record.http_port):  # bolt first, seconds before the pages
            if record.ready:
                return address
            if log_in(address.uri, address.password, folders.password):
                write_record(folders, replace(record, ready=True))
                return address
        if not is_alive(process):
            raise _EndedError(folders)
        if cause := why_not_opened(folders):
            stop_process(process)  # the next start tries again
            raise LocalNeo4jError(
                f"Neo4j cannot open its database: {cause}.", cure=cure_of(cause, folders.log, folders)
            )
        time.sleep(0.1)
    raise LocalNeo4jError(
        f"Neo4j (process {process.pid}) does not answer after {START_PATIENCE} seconds.",
        cure=f"Start it again to wait longer, or read its log: {folders.log}.",
    )


def _address(folders: Neo4jFolders, record: Neo4jRecord) -> Neo4jAddress:
    http_url = f"http://{LOOPBACK}:{record.http_port}"
    return Neo4jAddress(
        uri=f"bolt://{LOOPBACK}:{record.bolt_port}",
        username=USERNAME,
        password=read_or_create_password(folders.password),
        http_url=http_url,
        browser_url=f"{http_url}/browser/" if read_lock(record.version).has_browser else None,
        version=record.version,
    )


@contextmanager
def _start_lock(folders: Neo4jFolders) -> Iterator[None]:
    """Prevent other starts and stops of this server."""
    make_folder(folders.server)
    try:
        with FileLock(folders.start_lock, timeout=LOCK_PATIENCE):
            yield
    except Timeout as error:
        raise LocalNeo4jError(
            f"Another program has been starting or stopping Neo4j for {LOCK_PATIENCE} seconds.",
            cure="Find it (`filigraph neo4j status`) and end it.",
        ) from error
    except OSError as error:
        raise cannot_write(folders.start_lock, error) from error
