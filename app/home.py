"""Filigraph's own folder: the server's record, its log, its locks, its owner's token."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filigraph.app.atomic import replace_text
from filigraph.graph.errors import ServerUnavailable

OWNER_HEADER = "x-filigraph-owner"  # header with the owner's token: gives access to `/v1/keys` from this machine


@dataclass(frozen=True, kw_only=True)
class Home:
    """The files of the server of one home."""

    folder: Path

    @property
    def record(self) -> Path:
        """The record of the server's address; it remains after the end, so that the port stays the same."""
        return self.folder / "server.json"

    @property
    def log(self) -> Path:
        """The server's log, including its access log."""
        return self.folder / "server.log"

    @property
    def running(self) -> Path:
        """The server locks it as long as it lives; the system unlocks it, however the server ends."""
        return self.folder / "server.lock"

    @property
    def owner(self) -> Path:
        """The owner's token of the running server, readable only by its owner."""
        return self.folder / "owner.token"

    @property
    def starting(self) -> Path:
        """Locked while a server is being started or stopped."""
        return self.folder / "starting.lock"

    @property
    def neo4j_started(self) -> Path:
        """The process id of the local Neo4j, if Filigraph started it by itself."""
        return self.folder / "neo4j.started"

    @property
    def snapshots(self) -> Path:
        """What the server keeps of workspaces to save time after its next start; may be deleted."""
        return self.folder / "snapshots"

    @property
    def crash(self) -> Path:
        """The file to which the command line writes the traceback of an unexpected error."""
        return self.folder / "crash.log"


@dataclass(frozen=True, kw_only=True)
class ServerRecord:
    """The stored address and process of the last server."""

    pid: int
    created: float  # the process's start time: another program may have the same id
    port: int
    version: str
    host: str = "127.0.0.1"  # where it listens
    settings: dict[str, str] = field(default_factory=dict)  # a digest of each setting of its start

    @property
    def url(self) -> str:
        """The URL for programs on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - "every address"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def open_home(home: Path | None) -> Home:
    """The home in `home`, else in the user's data folder; its folder is created, accessible only to its owner."""
    if home is None:
        import platformdirs

        folder = Path(platformdirs.user_data_dir("filigraph")) / "server"
    else:
        folder = home / "data" / "server"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ServerUnavailable(
            f"The folder {folder} cannot be created ({error.strerror or error}).",
            cure="Set FILIGRAPH_HOME to a folder that you may write.",
        ) from error
    return Home(folder=folder)


def read_record(home: Home) -> ServerRecord | None:
    """The record of the last server; None if it is unreadable."""
    try:
        return ServerRecord(**json.loads(home.record.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def write_record(home: Home, record: ServerRecord) -> None:
    """Store the record of a server; a reader sees the old record or the new one."""
    with guard_writes(home.record):
        replace_text(home.record, json.dumps(asdict(record)) + "\n", mode=0o666)


@contextmanager
def guard_writes(file: Path) -> Iterator[None]:
    """Raises ServerUnavailable, with its cure, if a file of the home cannot be written, for example on a full disk."""
    try:
        yield
    except OSError as error:
        raise ServerUnavailable(
            f"{file} cannot be written ({error.strerror or error}).",
            cure="Free some space on its disk, or set FILIGRAPH_HOME to a folder that you may write.",
        ) from error


def write_owner_token(home: Home) -> str:
    """Write a new token to a file that only the owner of this home can read."""
    token = secrets.token_urlsafe(32)
    with guard_writes(home.owner):
        replace_text(home.owner, token)
    return token


def read_owner_token(home: Home) -> str:
    """The token of the running server; "" if there is none that this user may read."""
    try:
        return home.owner.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
