"""Collect files, name them as sources, and send them in requests of bounded size."""

from __future__ import annotations

import json
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filigraph.app.client.ignored import IgnoreRules, ignore_rules, is_ignored
from filigraph.graph.errors import InputError
from filigraph.graph.text.identifiers import LANGUAGES

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

# Folders of others' code and of what programs write: these always, the rest where a project begins.
NEVER_OURS = frozenset({"node_modules", "bower_components", "__pycache__", "site-packages", "third_party", "vendored"})
NOT_OURS = NEVER_OURS | {"dist", "build", "target", "vendor", "out", "coverage"}
PROJECTS = frozenset(
    ("package.json", "pyproject.toml", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "pom.xml", "build.gradle")
)
MAILDIR = frozenset({"cur", "new", "tmp"})  # the folders of a mailbox whose mails are files
_GENERATED_NAME = re.compile(r"\.min\.|[._](?:pb2|pb2_grpc|generated|gen)\.|\.pb\.go$|\.g\.", re.IGNORECASE)
_GENERATED = re.compile(rb"@generated\b|code generated .{0,80}do not edit|auto-?generated (?:file|by)", re.IGNORECASE)
REQUEST_SPARE = 1 << 20  # bytes reserved in a request besides the files
JOB_FILES = 900  # max. files per job; the server accepts 1000 per request
BATCH_BYTES = 32 << 20  # max. bytes of files per request: small enough for progress and cheap retries
BATCH_FILES = 200


@dataclass(frozen=True, kw_only=True)
class FileToSend:
    """A file to send. Its source is the absolute path, so that letter.txt of two folders are two documents."""

    path: Path
    name: str
    size: int
    metadata: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None  # of a text in memory; `path` is then ignored


@dataclass(kw_only=True)
class CollectedFiles:
    """What was found on the way."""

    uploads: list[FileToSend] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)  # source, cause, cure: as the server reports it
    left_out: int = 0  # files and folders that .gitignore names, or that others or programs wrote

    def skip(self, source: object, cause: str, cure: str) -> None:
        self.skipped.append({"source": name_of(source), "cause": cause, "cure": cure})

    def check_some(self, paths: Sequence[Path]) -> None:
        """Raise InputError where nothing was found, not even what cannot be sent."""
        if not self.uploads and not self.skipped:
            raise InputError(
                f"There is no file to read in {', '.join(map(name_of, paths))}.",
                cure="Give another folder; hidden, ignored and generated files are read only if named themselves.",
            )


def name_of(path: object) -> str:
    """A path as valid UTF-8 text in NFC, whichever form the file system keeps, with `/` on Windows, too; other bytes
    are escaped with backslashes."""
    whole = str(path) if os.sep == "/" else str(path).replace(os.sep, "/")
    return unicodedata.normalize("NFC", os.fsencode(whole).decode("utf-8", "backslashreplace"))


def source_here(path: str) -> str:
    """The source of an ingested document with this path, relative to the working directory; a folder keeps its `/`."""
    whole = name_of(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 - as `collect` does, and patterns
    return f"{whole}/" if path.endswith("/") and not whole.endswith("/") else whole


def collect(
    paths: Sequence[Path],
    *,
    leave_out: Sequence[Path | None],
    limit: int,
    metadata: Mapping[str, str] | None = None,
) -> CollectedFiles:
    """The files of `paths`; folders are walked, hidden files in them are not meant. `limit`: bytes of one file;
    `metadata`: of each."""
    collected = CollectedFiles()
    seen = {path.resolve() for path in leave_out if path}
    for path in paths:
        whole = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 - resolve() would replace links by their goals
        for file in _walk(whole, collected) if whole.is_dir() else [whole]:
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            _add(file, collected, limit, metadata or {})
    return collected


def is_generated(file: Path) -> bool:
    """Whether a file of source code was written by a program: by its name, or as its head says."""
    if file.suffix.lower() not in LANGUAGES:
        return False
    if _GENERATED_NAME.search(file.name):
        return True
    try:
        with file.open("rb") as opened:
            return bool(_GENERATED.search(opened.read(1024)))
    except OSError:  # reported when it is sent
        return False


def _walk(folder: Path, collected: CollectedFiles) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        collected.skip(error.filename, f"The folder cannot be read ({error.strerror}).", "Allow it to be read.")

    ignored: dict[str, list[IgnoreRules]] = {}
    for root, folders, files in os.walk(folder, onerror=unreadable):
        here = Path(root)
        if set(folders) >= MAILDIR:  # what else is there is of the mail program; folders in it begin with a dot
            folders[:] = sorted(name for name in folders if name != "tmp" and (name in MAILDIR or name[0] == "."))
            continue
        rules = ignored[root] = [*ignored.get(str(here.parent), []), *ignore_rules(here)]
        not_ours = NOT_OURS if PROJECTS.intersection(files) else NEVER_OURS
        wanted = [name for name in sorted(folders) if not name.startswith(".")]
        folders[:] = [name for name in wanted if name not in not_ours and not is_ignored(here / name, rules, "/")]
        visible = [here / name for name in sorted(files) if not name.startswith(".")]
        ours = [file for file in visible if not is_ignored(file, rules) and not is_generated(file)]
        collected.left_out += len(wanted) - len(folders) + len(visible) - len(ours)
        yield from ours


def _add(file: Path, collected: CollectedFiles, limit: int, metadata: Mapping[str, str]) -> None:
    try:
        info = file.stat()
    except OSError as error:
        collected.skip(file, f"It cannot be found ({error.strerror}).", "Check the path.")
        return
    if not stat.S_ISREG(info.st_mode):
        collected.skip(file, "It is not a regular file.", "Give files or folders.")
    elif info.st_size > limit:
        collected.skip(file, *too_large(limit))
    else:
        if file.suffix.lower() in LANGUAGES:
            modified = datetime.fromtimestamp(info.st_mtime, UTC).isoformat(timespec="seconds")
            metadata = {"modified": modified, **metadata}
        collected.uploads.append(FileToSend(path=file, name=name_of(file), size=info.st_size, metadata=metadata))


def too_large(limit: int) -> tuple[str, str]:
    """(cause, cure) for a file of more than `limit` bytes."""
    cause = f"It is larger than {limit >> 20} MB, the most that the server takes in one request."
    return cause, "Split it, or raise FILIGRAPH_MAX_UPLOAD_MB on the server."


def batches(
    uploads: Sequence[FileToSend], *, files: int | None = None, size: int | None = None
) -> Iterator[list[FileToSend]]:
    """Group files into requests of at most `files` files and `size` bytes; a bigger file gets a request of its own."""
    files, size = files or BATCH_FILES, size or BATCH_BYTES
    batch: list[FileToSend] = []
    held = 0
    for upload in uploads:
        weight = upload.size + 2 * len(upload.name) + 2 * len(str(upload.metadata)) + 500  # 500: form overhead
        if batch and (len(batch) >= files or held + weight > size):
            yield batch
            batch, held = [], 0
        batch.append(upload)
        held += weight
    if batch:
        yield batch


# --------------------------------------------------------------------------------------------------------------------
# Sending

ReportDict = dict[str, Any]
Part = tuple[str, tuple[str, bytes, str]]


def in_batches(
    client: Client,
    address: str,
    uploads: Sequence[FileToSend],
    *,
    options: Mapping[str, str],
    extras: Mapping[str, bytes],
    total: ReportDict,
) -> Iterator[dict[str, Any]]:
    """Send the files in batches. Yields the server's events, and after each request `sent` with its number of files.
    Updates `total` to the report of all batches; unreadable files are added to its `skipped`."""
    for batch in batches(uploads):
        files, sent = parts(batch, total)
        if files:
            fields = {**options, "sources": json.dumps(sent, ensure_ascii=False)}
            for event in client.stream(address, files=[*files, *attached(extras)], data=fields):
                add_report(total, event.get("report") or event.get("estimate") or {})
                yield event
        yield {"event": "sent", "files": len(batch)}


def as_jobs(
    client: Client,
    address: str,
    uploads: Sequence[FileToSend],
    *,
    options: Mapping[str, str],
    extras: Mapping[str, bytes],
    limit: int,
    total: ReportDict,
) -> list[dict[str, Any]]:
    """Send the files as one job, or as several if they exceed one request."""
    jobs = []
    for batch in batches(uploads, files=JOB_FILES, size=limit):
        files, sent = parts(batch, total)
        if files:
            fields = {**options, "sources": json.dumps(sent, ensure_ascii=False)}
            jobs.append(client.upload(address, files=[*files, *attached(extras)], data=fields))
    return jobs


def attached(extras: Mapping[str, bytes]) -> list[Part]:
    """Multipart parts of the files that each request includes."""
    return [(name, (name, content, "application/octet-stream")) for name, content in extras.items()]


def parts(batch: Iterable[FileToSend], total: ReportDict) -> tuple[list[Part], list[dict[str, Any]]]:
    """The batch as multipart parts, and the name and metadata of each file. Unreadable files are added to
    `total["skipped"]`."""
    files: list[Part] = []
    sent: list[dict[str, Any]] = []
    for upload in batch:
        try:
            content = upload.path.read_bytes() if upload.content is None else upload.content
        except OSError as error:
            cause = f"It cannot be read ({error.strerror or error})."
            total["skipped"].append({"source": upload.name, "cause": cause, "cure": "Allow it to be read."})
            continue
        files.append(("files", (f"{len(files)}", content, "application/octet-stream")))
        sent.append({"name": upload.name, "metadata": dict(upload.metadata)})
    return files, sent


def add_report(total: ReportDict, report: Mapping[str, Any]) -> None:
    """Add a batch's report to `total`: lists and counts are summed, text and counts of the workspace replaced."""
    for key, value in report.items():
        if value is None:  # no cost without a price
            total.setdefault(key, None)
        elif key in ("entities", "facts", "unsummarized") or isinstance(value, str):
            total[key] = value
        elif isinstance(value, dict):  # seconds by stage, counts by note
            sums = total.setdefault(key, {})
            for name, amount in value.items():
                sums[name] = round(sums.get(name, 0) + amount, 3)
        elif isinstance(value, list):
            total.setdefault(key, []).extend(value)
        else:
            total[key] = (total.get(key) or 0) + value
