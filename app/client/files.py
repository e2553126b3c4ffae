"""Collect files, name them as sources, and send them in requests of bounded size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from filigraph.app.uploads.folder_files import FileToSend

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

REQUEST_SPARE = 1 << 20  # bytes reserved in a request besides the files
JOB_FILES = 900  # max. files per job; the server accepts 1000 per request
BATCH_BYTES = 32 << 20  # max. bytes of files per request: small enough for progress and cheap retries
BATCH_FILES = 200


def batches(
    uploads: Sequence[FileToSend], *, files: int | None = None, size: int | None = None
) -> Iterator[list[FileToSend]]:
    """Group files into requests of at most `files` files and `size` bytes; a bigger file gets a separate request."""
    files, size = files or BATCH_FILES, size or BATCH_BYTES
    batch: list[FileToSend] = []
    batch_size = 0
    for upload in uploads:
        weight = upload.size + 2 * len(upload.name) + 2 * len(str(upload.metadata)) + 500  # 500: form overhead
        if batch and (len(batch) >= files or batch_size + weight > size):
            yield batch
            batch, batch_size = [], 0
        batch.append(upload)
        batch_size += weight
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
            content = upload.read()
        except OSError as error:
            cause = f"It cannot be read ({error.strerror or error})."
            total["skipped"].append({"source": upload.name, "cause": cause, "cure": "Change its permissions."})
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
