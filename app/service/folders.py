"""Watched folders: while the server runs, jobs ingest the new files in folders of this machine.

The list is a file of this server, not a part of the workspace: an import must not make a server read folders. Only
folders within FILIGRAPH_FOLDERS are read, and links out of them are not followed. Nothing is ever deleted.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import threading
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from filigraph.app.atomic import replace_text
from filigraph.app.home import guard_writes, open_home
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.app.uploads.folder_files import FileToSend, name_of
from filigraph.app.uploads.watched_folder import FolderDifference, WatchedFolder
from filigraph.graph.errors import FiligraphError, ForbiddenError, InputError, NotFound

if TYPE_CHECKING:
    from filigraph.graph.store import Graph

log = logging.getLogger("filigraph.server")
POLL_SECONDS = 10.0  # between two checks; a file that is unchanged in between is complete
JOB_FILES, JOB_BYTES = 900, 64 << 20  # of one job, at most


@dataclass(frozen=True, kw_only=True)
class FolderEntry:
    """A watched folder, as it is stored."""

    id: str
    workspace: str
    path: str
    extractor: str
    added: str  # ISO 8601, UTC
    by: str  # the name of the key that added it


@dataclass(kw_only=True)
class FolderState:
    """The results of the checks of a folder since the server began."""

    watched: WatchedFolder
    looked: datetime | None = None
    sent: int = 0  # files
    job: str = ""  # the last one
    gone: tuple[str, ...] = ()  # files whose documents are still there
    problem: str = ""  # of the last check
    skipped: list[str] = field(default_factory=list)  # the last ones, each with its cause


class Folders:
    """The folders that this server watches. Thread-safe."""

    def __init__(self, context: ServiceContext, jobs: JobRequests) -> None:
        self._context, self._jobs = context, jobs
        self._states: dict[str, FolderState] = {}
        self._lock = threading.RLock()  # of the file and the states
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def _roots(self) -> list[Path]:
        named = self._context.runtime.settings.folders.split(",")
        return [Path(root.strip()).expanduser().resolve() for root in named if root.strip()]

    def start(self) -> None:
        """Begin the checks, if watching folders is allowed."""
        if self._roots and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="folders", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join(5)

    # ---- The list

    def add(self, workspace: str, path: str, *, extractor: str, by: str) -> FolderEntry:
        """Watch a folder. Raises ForbiddenError outside FILIGRAPH_FOLDERS, InputError for what is not a folder."""
        folder = Path(path).expanduser()
        if not folder.is_absolute():
            raise InputError(f"{path[:200]!r} is not an absolute path.", cure="Give the whole path of a folder.")
        folder = self._allowed(folder)
        if not folder.is_dir():
            raise InputError(f"{path[:200]} is not a folder of the server's machine.", cure="Check the path.")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._lock:
            entries = self._entries()
            if any((other.workspace, other.path) == (workspace, str(folder)) for other in entries):
                raise InputError(f"{folder} is watched already.", cure="Remove it first to watch it in another way.")
            entry = FolderEntry(
                id=uuid.uuid4().hex, workspace=workspace, path=str(folder), extractor=extractor, added=now, by=by
            )
            self._save([*entries, entry])
        return entry

    def listed(self, workspace: str) -> list[tuple[FolderEntry, FolderState]]:
        """The folders of a workspace, with the results of the last checks."""
        with self._lock:
            return [(entry, self._state(entry)) for entry in self._entries() if entry.workspace == workspace]

    def remove(self, workspace: str, id_: str) -> FolderEntry:
        """Stop watching a folder; its documents stay. Raises NotFound."""
        with self._lock:
            entries = self._entries()
            entry = next((other for other in entries if (other.workspace, other.id) == (workspace, id_)), None)
            if entry is None:
                raise NotFound(
                    f"No folder {id_[:64]!r} is watched.", cure=("`filigraph folders list` shows all watched folders.")
                )
            self._save([other for other in entries if other.id != id_])
            self._states.pop(id_, None)
        return entry

    def forget(self, workspace: str) -> None:
        """Stop watching the folders of a deleted workspace: their next file would create it again."""
        with self._lock:
            entries = self._entries()
            left = [entry for entry in entries if entry.workspace != workspace]
            if len(left) < len(entries):
                self._save(left)

    def _allowed(self, folder: Path) -> Path:
        """The folder without links. Raises ForbiddenError."""
        whole, roots = folder.resolve(), self._roots
        if not any(whole.is_relative_to(root) for root in roots):
            listed = ", ".join(map(str, roots)) or "none"
            raise ForbiddenError(
                "The server may not read this folder.",
                cure=f"Name it, or one above it, in FILIGRAPH_FOLDERS on the server (now: {listed}).",
            )
        return whole

    @property
    def _file(self) -> Path:
        return open_home(self._context.runtime.settings.home).folder / "folders.json"

    def _entries(self) -> list[FolderEntry]:
        try:
            return [FolderEntry(**row) for row in json.loads(self._file.read_text(encoding="utf-8"))]
        except FileNotFoundError:
            return []

    def _save(self, entries: Sequence[FolderEntry]) -> None:
        with guard_writes(self._file):
            replace_text(self._file, json.dumps([asdict(entry) for entry in entries], indent=1) + "\n")

    def _state(self, entry: FolderEntry) -> FolderState:
        limit = self._context.runtime.settings.max_upload_mb << 20
        watched = WatchedFolder(folders=[Path(entry.path)], limit=limit, metadata={})
        return self._states.setdefault(entry.id, FolderState(watched=watched))

    # ---- The checks

    def _run(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            self.poll()

    def poll(self) -> None:
        """Check every folder once, and submit new files."""
        with self._lock:
            entries = self._entries()
        for entry in entries:
            state = self._state(entry)
            try:
                state.problem = ""
                with self._context.connected():
                    self._poll_folder(entry, state)
            except FiligraphError as error:  # the next check tries again
                state.problem = str(error)
            except OSError as error:
                state.problem = f"It cannot be read ({error.strerror or error})."
            except Exception:
                log.exception("the folder %s cannot be watched", entry.path)
                state.problem = "Something unforeseen happened; the server's log says what."
            state.looked = datetime.now(UTC)

    def _poll_folder(self, entry: FolderEntry, state: FolderState) -> None:
        root = self._allowed(Path(entry.path))
        if not root.is_dir():
            raise InputError("The folder is missing.", cure="Mount it, or remove it from the list.")
        changes = state.watched.poll()
        state.skipped = [*state.skipped, *(f"{skipped['source']}: {skipped['cause']}" for skipped in changes.skipped)][
            -5:
        ]
        if changes.ready or changes.gone or state.looked is None:
            graph = self._context.graph_if_any(entry.workspace)
            self._submit(entry, state, changes, root, graph)
            state.gone = tuple(_missing_sources(root, graph)) if graph else ()
            state.watched.acknowledge_removed(changes.gone)

    def _submit(
        self, entry: FolderEntry, state: FolderState, changes: FolderDifference, root: Path, graph: Graph | None
    ) -> None:
        """Submit jobs for new and changed files."""
        from filigraph.graph.store import Upload

        known = {row.source: row.sha256 for row in graph.document_rows()} if graph else {}
        within = [
            without_outside_users(upload, root)
            for upload in changes.ready
            if upload.path.resolve().is_relative_to(root)
        ]
        fresh = [upload for upload in within if known.get(upload.name) != _sha256(upload)]
        for batch in _batches(fresh):
            opened = [_open_upload(upload) for upload in batch]
            try:
                uploads = [
                    Upload(name=upload.name, content=content, metadata=upload.metadata)
                    for upload, content in zip(batch, opened, strict=True)
                ]
                options = {"extractor": entry.extractor}
                row = self._jobs.submit(entry.workspace, "ingest", uploads, attached={}, priority=0, options=options)
            finally:
                for content in opened:
                    content.close()
            state.job, state.sent = row.id, state.sent + len(batch)
            state.watched.acknowledge(batch)
        state.watched.acknowledge(changes.ready)


def _batches(uploads: Sequence[FileToSend]) -> Iterator[list[FileToSend]]:
    batch: list[FileToSend] = []
    for upload in uploads:
        if batch and (len(batch) >= JOB_FILES or sum(file.size for file in batch) + upload.size > JOB_BYTES):
            yield batch
            batch = []
        batch.append(upload)
    if batch:
        yield batch


def without_outside_users(upload: FileToSend, root: Path) -> FileToSend:
    """A file without a list of users that is not in its folder."""
    return upload if upload.users and upload.users.resolve().is_relative_to(root) else replace(upload, users=None)


def _sha256(upload: FileToSend) -> str:
    with _open_upload(upload) as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _open_upload(upload: FileToSend) -> io.BytesIO | io.BufferedReader:
    return io.BytesIO(upload.read()) if upload.users else upload.path.open("rb")


def _missing_sources(root: Path, graph: Graph) -> Iterator[str]:
    """The sources of documents whose files are no longer in a folder. The parts of a mailbox are in one file."""
    prefix = f"{name_of(root)}/"
    for row in graph.document_names():
        if row.source.startswith(prefix):
            file = Path(row.source)
            if not any(place.is_file() for place in (file, *file.parents)):
                yield row.source
