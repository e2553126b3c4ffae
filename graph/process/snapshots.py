"""Files with what a derivation of a workspace caches for the next one (docs/decisions/0044).

A file only saves time, and says nothing that the workspace does not: it names the revision of the workspace that it was
made from, and is dropped at any other one. It exists from the time when nobody needs the server until the next change
begins, so deleted text does not survive in it. A file that is damaged, or was written by another version or with
another key, is dropped.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import secrets
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

from filigraph.graph.errors import FiligraphError
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.process.gc_tuning import collector_paused
from filigraph.graph.process.snapshot_format import Snapshot, read_content, write_content

log = logging.getLogger("filigraph.server")

MAGIC = b"filigraph snapshot 2\n"
MAX_STAMP_BYTES = 200
DIGEST_BYTES = 32
MOST_BYTES = 2 * 2**30  # of all files; as much must stay free on their disk
BLOCK = 2**20  # bytes


class Snapshots:
    """The snapshots of a server, one file for each workspace. Thread-safe."""

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder, self.most = folder, most
        self._lock = threading.Lock()  # of the next three
        self._changing: Counter[str] = Counter()  # changes in progress, by workspace
        self._changes: Counter[str] = Counter()  # begun and ended
        self._readers: dict[str, threading.Lock] = {}
        with suppress(OSError):
            for partial in folder.glob("*.part"):  # of a server that was killed
                partial.unlink(missing_ok=True)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(size for _, size, _ in self._files())

    def there(self, workspace_id: str) -> bool:
        """Whether there is a file, perhaps an unusable one."""
        return os.path.exists(self._file(workspace_id))  # noqa: PTH110 - False if the folder cannot be read

    def stamp(self, workspace_id: str) -> str:
        """What the file was made from; "" if there is none, or an unusable one."""
        try:
            with self._file(workspace_id).open("rb") as stream:
                return _read_stamp(stream)
        except (OSError, ValueError):
            return ""

    def stamps(self) -> dict[str, str]:
        """What each file was made from, by workspace."""
        return {file.stem: self.stamp(file.stem) for _, _, file in self._files()}

    def remove(self, workspace_id: str) -> None:
        with suppress(OSError):
            self._file(workspace_id).unlink(missing_ok=True)

    @contextmanager
    def changing(self, workspace_id: str) -> Iterator[None]:
        """While a workspace changes, it has no file. One that another thread writes meanwhile is dropped, because it
        may hold what is deleted.
        """
        self._note_change(workspace_id, 1)
        try:
            yield
        finally:
            self._note_change(workspace_id, -1)

    @property
    def changes(self) -> int:
        """How many changes began and ended, of all workspaces."""
        with self._lock:
            return self._changes.total()

    def _note_change(self, workspace_id: str, more: int) -> None:
        with self._lock:
            self._changing[workspace_id] += more
            self._changes[workspace_id] += 1
            self.remove(workspace_id)

    @contextmanager
    def reading(self, workspace_id: str) -> Iterator[None]:
        """One thread at a time reads the file of a workspace."""
        with self._lock:
            lock = self._readers.setdefault(workspace_id, threading.Lock())
        with lock:
            yield

    def write(
        self, workspace_id: str, snapshot: Snapshot, stop: ShouldStop, is_current: Callable[[], bool] = lambda: True
    ) -> None:
        """Write a snapshot, instead of those that were used longest ago if there are too many. `stop` is asked often.
        If it cannot be written, as on a full disk, there is none; and none if the workspace changes meanwhile, here or,
        as `is_current` says at the end, by another process. Raises Cancelled.
        """
        file = self._file(workspace_id)
        partial = file.with_suffix(".part")
        with self._lock:
            changes, is_changing = self._changes[workspace_id], self._changing[workspace_id]
        if is_changing:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            most = self._room(workspace_id)
            with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as stream:
                stream.write(MAGIC + bytes(DIGEST_BYTES))
                signed = StreamWriter(stream, self._digest(), most)
                signed.write(snapshot.stamp.encode() + b"\n")
                write_content(snapshot, signed, stop)
                stream.seek(len(MAGIC))
                stream.write(signed.digest.digest())
            with self._lock:
                if self._changes[workspace_id] == changes:
                    partial.replace(file)
            if not is_current():
                self.remove(workspace_id)
        except OSError as error:
            log.info("no snapshot of workspace %s: %s", workspace_id, error)
        except FiligraphError:  # nobody can say whether it is current
            self.remove(workspace_id)
            raise
        except Exception:  # what is cached cannot be written: our mistake, and nobody needs the file
            log.exception("no snapshot of workspace %s", workspace_id)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    def read(self, workspace_id: str) -> Snapshot | None:
        """The snapshot of a workspace, None if there is none that can be used; then its file is removed."""
        try:
            with self._file(workspace_id).open("rb") as stream:
                self._check(stream)
                with suppress(OSError):  # of a disk that is only read
                    os.utime(stream.fileno())  # it is used
                with collector_paused():
                    return read_content(stream)
        except FileNotFoundError:
            return None
        except Exception as error:  # noqa: BLE001 - whatever is in a file, the workspace is derived without it
            log.info("snapshot of workspace %s dropped: %s", workspace_id, error)
            self.remove(workspace_id)
            return None

    def _file(self, workspace_id: str) -> Path:
        return self.folder / f"{workspace_id}.snapshot"

    def _files(self) -> list[tuple[float, int, Path]]:
        """Time of the last use, bytes, and file of each snapshot; the one used longest ago first."""
        files: list[tuple[float, int, Path]] = []
        for file in self.folder.glob("*.snapshot"):
            with suppress(OSError):
                stat = file.stat()
                files.append((stat.st_mtime, stat.st_size, file))
        return sorted(files)

    def _room(self, workspace_id: str) -> int:
        """How many bytes may be written. The files of other workspaces are left half of the room at most."""
        files = [(size, file) for _, size, file in self._files() if file.stem != workspace_id]
        while files and sum(size for size, _ in files) > self.most // 2:
            _, oldest = files.pop(0)
            self.remove(oldest.stem)
        free = shutil.disk_usage(self.folder).free - self.most
        return min(self.most - sum(size for size, _ in files), free)

    def _digest(self) -> hashlib.blake2b:
        """Of the rest of a file: only who has the key, and derives as we do, can write one that is read."""
        digest = hashlib.blake2b(key=self._key(), digest_size=DIGEST_BYTES)
        digest.update(code_version())
        return digest

    def _key(self) -> bytes:
        file = self.folder / "key"
        if not file.exists():
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(secrets.token_bytes(DIGEST_BYTES))
        key = file.read_bytes()
        if len(key) != DIGEST_BYTES:  # a full disk
            file.unlink()
            raise OSError(f"{file} was not whole")
        return key

    def _check(self, stream: BinaryIO) -> None:
        """Raises ValueError if we did not write the rest of this stream. Leaves it where the rest begins."""
        if stream.read(len(MAGIC)) != MAGIC:
            raise ValueError("another format")
        written, digest = stream.read(DIGEST_BYTES), self._digest()
        while block := stream.read(BLOCK):
            digest.update(block)
        if not hmac.compare_digest(written, digest.digest()):
            raise ValueError("it is damaged, or was written by another version")
        stream.seek(0)
        _read_stamp(stream)


@cache
def code_version() -> bytes:
    """Changes with everything that what is cached follows from: our code and tables, and the Python that runs them."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=DIGEST_BYTES)
    package = Path(__file__).parents[1]
    for file in sorted(file for file in package.rglob("*.*") if file.suffix != ".pyc" and file.is_file()):
        digest.update(f"{file.relative_to(package)} {file.stat().st_size}\n".encode())
        digest.update(file.read_bytes())
    return digest.digest()


def _read_stamp(stream: BinaryIO) -> str:
    """What a file was made from. Leaves the stream where the pickle begins. Raises ValueError if it is no snapshot."""
    if stream.read(len(MAGIC)) != MAGIC:
        raise ValueError("another format")
    stream.read(DIGEST_BYTES)
    line = stream.readline(MAX_STAMP_BYTES)
    if not line.endswith(b"\n"):
        raise ValueError("it is not whole")
    return line[:-1].decode()


class StreamWriter:
    """A stream that computes the digest of what is written to it, `most` bytes. Raises OSError if it were more."""

    def __init__(self, stream: BinaryIO, digest: hashlib.blake2b, most: int) -> None:
        self._stream, self.digest, self._left = stream, digest, most

    def write(self, data: bytes) -> int:
        self._left -= len(data)
        if self._left < 0:
            raise OSError("it is too large for its disk, or for the limit of all snapshots")
        self.digest.update(data)
        return self._stream.write(data)
