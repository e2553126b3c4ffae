"""Validation of the lines of a canonical export (`export_lines.py`).

`check_export` validates a whole file and raises InputError with the number of the first invalid line. It does not
depend on a workspace.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple, NoReturn

from pydantic import TypeAdapter, ValidationError

from filigraph.graph.ask.levels.context_budget import shares_of
from filigraph.graph.errors import InputError, without_prefix
from filigraph.graph.forms.form import read_form
from filigraph.graph.ingest.extract.schema import read_schema
from filigraph.graph.serialize import EXPORT_FORMAT, EXPORT_VERSION
from filigraph.graph.transfer.export_lines import (
    CLASSES,
    ORDER,
    AliasGroupLine,
    CastLinkLine,
    ChunkLine,
    ContradictionReadingLine,
    DecisionsLine,
    DocumentLine,
    End,
    FieldValueLine,
    FormLine,
    Header,
    Line,
    ListReadingLine,
    MentionLine,
    NoteLine,
    SearchLine,
    SettingsLine,
    SummaryLine,
)

CURE = "Give a file that `filigraph export` wrote, as it wrote it."

MAX_LINE_BYTES = 64 << 20  # bytes: enough for a name or fact with a million places

_ADAPTERS: dict[str, TypeAdapter[Any]] = {kind: TypeAdapter(cls) for kind, cls in CLASSES.items()}


@dataclass(kw_only=True)
class CheckedFile:
    """A valid file: its metadata, counts and hash."""

    sha256: str
    embedder: str  # fingerprint of the embedder that was used to resolve names
    derived: bool  # False: exported before derivation was complete
    settings: dict[str, Any]
    counts: Counter[str] = field(default_factory=Counter)


def check_export(file: BinaryIO) -> CheckedFile:
    """Validate a whole export. Raises InputError with the number of the first invalid line and the reason."""
    digest = hashlib.sha256()
    checker = LineChecker()
    for raw in iter(lambda: file.readline(MAX_LINE_BYTES), b""):
        digest.update(hashed_part(checker.take(raw), raw))
    checked = checker.end()
    return CheckedFile(
        sha256=digest.hexdigest(),
        embedder=checked.header.embedder,
        derived=checked.header.derived,
        settings=checked.settings,
        counts=checked.counts,
    )


class LineChecker:
    """Validates the lines of an export one after the other, as they are read or written."""

    def __init__(self) -> None:
        self._found = _Found()
        self._number = 0

    def take(self, raw: bytes) -> Line:
        """Validate the next line, and return it. Raises InputError with its number and the reason."""
        self._number += 1
        if len(raw) >= MAX_LINE_BYTES:
            _refuse(self._number, f"it is longer than {MAX_LINE_BYTES >> 20} MB")
        line = _parse(self._number, raw)
        self._found.take(self._number, line)
        return line

    def end(self) -> _Ended:
        """The header, the settings and the counts of the file, after its last line. Raises InputError if lines are
        missing."""
        contents = self._found
        if contents.header is None:
            _refuse(1, "the file is empty")
        if not contents.ended:
            _refuse(contents.lines, "the file ends here, in the middle")
        return _Ended(contents.header, contents.settings, contents.counts)


def hashed_part(line: Line, raw: bytes) -> bytes:
    """The part of a line that counts in the hash of a workspace: notes and saved searches do not."""
    match line:
        case NoteLine() | SearchLine():
            return b""
        case End(notes=notes) if notes:
            return end_line(line.lines)
    return raw


def end_line(lines: int, notes: int = 0) -> bytes:
    """The last line of a file."""
    line = {"kind": "end", "lines": lines} | ({"notes": notes} if notes else {})
    return f"{json.dumps(line, separators=(',', ':'))}\n".encode()


class _Ended(NamedTuple):
    header: Header
    settings: dict[str, Any]
    counts: Counter[str]


def parsed_lines(file: Iterable[bytes]) -> Iterator[Any]:
    """The parsed lines of a file validated by `check_export`, in order."""
    for number, raw in enumerate(file, start=1):
        yield _parse(number, raw)


def _parse(number: int, raw: bytes) -> Line:
    """Parse one line. Raises InputError."""
    try:
        value = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        _refuse(number, "it is no JSON")
    kind = value.get("kind") if isinstance(value, dict) else None
    if number == 1 and (kind != "header" or value.get("format") != EXPORT_FORMAT):
        _refuse(number, "it is not the header of a Filigraph export")
    if number == 1 and value.get("version") != EXPORT_VERSION:
        raise InputError(
            f"The file is of version {str(value.get('version'))[:20]} of the format; this program reads "
            f"{EXPORT_VERSION}.",
            cure="Update Filigraph, or export again with this version.",
        )
    if not isinstance(kind, str) or kind not in CLASSES:
        _refuse(number, "its kind is none that an export has")
    try:
        line: Line = _ADAPTERS[kind].validate_json(raw)
    except ValidationError as error:
        first = error.errors()[0]
        _refuse(number, f"{'.'.join(map(str, first['loc']))}: {without_prefix(first['msg'])}"[:200])
    return line


@dataclass(kw_only=True)
class _Found:
    """State of the validation: the ids of earlier lines, to check the references of later ones."""

    header: Header | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    ended: bool = False
    last: tuple[int, str] = (-1, "")  # place of the kind, id
    documents: set[str] = field(default_factory=set)
    chunks: dict[str, tuple[str, int]] = field(default_factory=dict)  # -> document, length of the text
    mentions: dict[str, str] = field(default_factory=dict)  # -> document
    summaries: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)  # by summaries of any level; checked at the end

    def take(self, number: int, line: Line) -> None:
        if self.ended:
            _refuse(number, "it stands after the end")
        self.lines = number
        here = (ORDER[line.kind], str(getattr(line, "id", "")))
        if here <= self.last:
            _refuse(number, "it is out of order, or there twice")
        self.last = here
        self.counts[line.kind] += 1
        match line:
            case Header():
                self.header = line
            case SettingsLine():
                self._settings(number, line)
            case DocumentLine():
                self.documents.add(line.id)
            case ChunkLine():
                self._chunk(number, line)
            case MentionLine():
                self._mention(number, line)
            case DecisionsLine():
                self._require_known(number, self.mentions, [line.id, *(decision[0] for decision in line.decisions)])
            case AliasGroupLine(document_id=str(document)) if document:
                self._require_known(number, self.documents, [document])
            case SummaryLine():
                self.summaries.add(line.id)
                self.covered.update(line.covers)
                if line.document_id:
                    self._require_known(number, self.documents, [line.document_id])
                if line.level == 1:
                    self._require_known(number, self.chunks, line.covers)
                for chunk, start, end, quote, _ in (*line.quotes, *line.timeline):
                    self._require_known(number, self.chunks, [chunk])
                    if not start <= end <= self.chunks[chunk][1] or end - start != len(quote):
                        _refuse(number, "a sentence stands outside of its text")
            case FormLine():
                read_form(line.name, line.text)
            case FieldValueLine():
                for chunk, start, end, value_start, value_end in line.evidence:
                    self._require_known(number, self.chunks, [chunk])
                    if not (start <= value_start <= value_end <= end <= self.chunks[chunk][1]):
                        _refuse(number, "a sentence stands outside of its text")
            case ContradictionReadingLine():
                self._require_known(number, self.chunks, line.chunks)
                for _, first, start, end, other, other_start, other_end, *_ in line.pairs:
                    self._require_known(number, set(line.chunks), [first, other])
                    for chunk, begin, stop in ((first, start, end), (other, other_start, other_end)):
                        if not begin <= stop <= self.chunks[chunk][1]:
                            _refuse(number, "a sentence stands outside of its text")
            case ListReadingLine():
                self._require_known(number, self.chunks, line.chunks)
                for _, chunk, start, end in line.items:
                    self._require_known(number, set(line.chunks), [chunk])
                    if not start <= end <= self.chunks[chunk][1]:
                        _refuse(number, "a sentence stands outside of its text")
            case CastLinkLine():
                self._require_known(number, self.chunks, [*line.chunks, *(chunk for chunk, _, _ in line.names)])
            case End():
                self._require_known(number, self.chunks.keys() | self.summaries, self.covered)
                self.ended = True
                notes = self.counts["notes"] + self.counts["searches"]
                if (line.lines, line.notes) != (number - notes, notes):
                    _refuse(number, f"the file was written with {line.lines + line.notes} lines")
            case _:  # entities and facts are derived again on import
                pass

    def _settings(self, number: int, line: SettingsLine) -> None:
        settings = line.settings
        self.settings = settings.model_dump(by_alias=True, exclude_unset=True)
        try:
            if "schema" in self.settings:
                read_schema(settings.schema_yaml, mode=settings.schema_mode)  # type: ignore[arg-type]
            for profile, shares in settings.shares.items():
                shares_of(profile, shares)
        except InputError as error:
            _refuse(number, error.cause)

    def _chunk(self, number: int, line: ChunkLine) -> None:
        self._require_known(number, self.documents, [line.document_id])
        if line.end < line.start:
            _refuse(number, "it ends before it begins")
        self.chunks[line.id] = (line.document_id, len(line.text))
        extraction = line.extraction
        spans = [(t.start, t.end) for t in extraction.triplets] + [(a.start, a.end) for a in extraction.aliases]
        spans += [span for triplet in extraction.triplets for span in triplet.premises]
        if not all(0 <= start <= end <= len(line.text) for start, end in spans):
            _refuse(number, "a sentence stands outside of its text")

    def _mention(self, number: int, line: MentionLine) -> None:
        self._require_known(number, self.documents, [line.document_id])
        self.mentions[line.id] = line.document_id
        for chunk, start, end, _ in line.occurrences:
            document, length = self.chunks.get(chunk, ("", 0))
            if document != line.document_id or not start <= end <= length:
                _refuse(number, "a place of it is not in its document")

    @staticmethod
    def _require_known(number: int, known_ids: Container[str], ids: Iterable[str]) -> None:
        if not all(id_ in known_ids for id_ in ids):
            _refuse(number, "it refers to something that is not in the file")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _refuse(number: int, why: str) -> NoReturn:
    raise InputError(f"Line {number} of the file cannot be used: {why}.", cure=CURE)
