"""Export a workspace: `export_to` writes its canonical lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Protocol

from filigraph.graph.errors import Cancelled, FiligraphError, InputError
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.workspaces import Exported, WorkspaceRow
from filigraph.graph.transfer.check_lines import LineChecker, end_line


class ExportReader(Protocol):
    """Store of a workspace for an export."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def dump(self) -> Iterator[str]: ...
    def dump_notes(self) -> Iterator[str]: ...


def export_to(
    write: Callable[[bytes], object], graph: ExportReader, *, cancelled: ShouldStop = lambda: False
) -> Exported:
    """Write the canonical export of a workspace line by line. Raises InputError if the workspace changes meanwhile,
    FiligraphError if an import would refuse what was written, Cancelled if `cancelled` returns true."""
    digest, lines, size = hashlib.sha256(), 0, 0
    checker, fault = LineChecker(), ""
    for data, counts in _lines(graph):
        if cancelled():
            raise Cancelled("The client no longer waits for the export.")
        digest.update(counts)
        write(data)
        lines, size = lines + 1, size + len(data)
        fault = fault or _import_fault(checker, data)  # a change meanwhile, which the last line shows, comes first
    if fault:
        raise FiligraphError(
            f"The export of {graph.workspace.name!r} is inconsistent: {fault}",
            cure=(
                "Export again when no changes are running. If that does not help, run `filigraph summarize` "
                "and `filigraph retry`, and report it."
            ),
        )
    return Exported(sha256=digest.hexdigest(), lines=lines, size=size)


def _lines(graph: ExportReader) -> Iterator[tuple[bytes, bytes]]:
    """The lines of an export, each with the part that counts in the hash. Notes and saved searches come before the
    end, and do not count."""
    lines = 0
    for line in graph.dump():
        data = f"{line}\n".encode("utf-8", "surrogatepass")
        lines += 1
        if data != end_line(lines):
            yield data, data
            continue
        notes = 0
        for note in graph.dump_notes():
            notes += 1
            yield f"{note}\n".encode("utf-8", "surrogatepass"), b""
        yield end_line(lines, notes), data


def _import_fault(checker: LineChecker, data: bytes) -> str:
    """Why an import would refuse the next line of a file; "" if it would not."""
    try:
        checker.take(data)
    except InputError as error:
        return error.cause
    return ""
