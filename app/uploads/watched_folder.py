"""Poll folders for added, changed and removed files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from filigraph.app.uploads.folder_files import FileToSend, collect

Signature = tuple[int, int]  # size, nanoseconds of the last change


@dataclass(frozen=True, kw_only=True)
class FolderDifference:
    """Result of a poll. Each version of a file is reported once."""

    ready: Sequence[FileToSend] = ()  # new or changed, and stable since the last poll
    gone: Sequence[str] = ()  # names of known files that were missing in two polls
    skipped: Sequence[dict[str, str]] = ()  # source, cause, cure
    emptied: bool = False  # all of several files are missing: probably an unmounted folder


@dataclass(kw_only=True)
class WatchedFolder:
    """The state of watched folders. A change is reported at each poll until it is acknowledged."""

    folders: Sequence[Path]
    limit: int  # bytes of one file
    metadata: dict[str, str]
    _seen: dict[str, Signature] = field(default_factory=dict)  # at the last poll
    _done: dict[str, Signature] = field(default_factory=dict)
    _missing: set[str] = field(default_factory=set)  # at the last poll
    _reported: set[tuple[str, str]] = field(default_factory=set)  # (source, cause) of reported skips

    def poll(self) -> FolderDifference:
        """Poll and compare with the last poll. While a folder cannot be read, no file counts as removed."""
        here = [folder for folder in self.folders if folder.is_dir()]
        collected = collect(here, leave_out=[], limit=self.limit, metadata=self.metadata)
        now = {upload.name: signature for upload in collected.uploads if (signature := _signature(upload.path))}
        ready = [
            upload
            for upload in collected.uploads
            if upload.name in now
            and now[upload.name] == self._seen.get(upload.name)
            and now[upload.name] != self._done.get(upload.name)
        ]
        whole = len(here) == len(self.folders) and not any("folder" in file["cause"] for file in collected.skipped)
        missing = {name for name in self._done if name not in now and not Path(name).exists()} if whole else set()
        gone = sorted(missing & self._missing)
        emptied = not now and len(gone) > 1
        skipped = [file for file in collected.skipped if (file["source"], file["cause"]) not in self._reported]
        self._reported |= {(file["source"], file["cause"]) for file in skipped}
        self._seen, self._missing = now, missing
        return FolderDifference(ready=ready, gone=gone, skipped=skipped, emptied=emptied)

    def acknowledge(self, uploads: Sequence[FileToSend]) -> None:
        """Acknowledge files sent as of the last poll; later changes are reported again."""
        self._done |= {upload.name: self._seen[upload.name] for upload in uploads}

    def acknowledge_removed(self, names: Sequence[str]) -> None:
        for name in names:
            self._done.pop(name, None)


def _signature(path: Path) -> Signature | None:
    try:
        info = path.stat()
    except OSError:  # removed meanwhile
        return None
    return info.st_size, info.st_mtime_ns
