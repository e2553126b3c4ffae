"""Schema and validation of the lines of a canonical export.

`check_export` validates a whole file and raises InputError with the number of the first invalid line. Ids in a file
have no workspace part (see `ids.py`); this module does not depend on a workspace.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, BinaryIO, Literal, NamedTuple, NoReturn

from pydantic import BaseModel, ConfigDict, Field, Json, StringConstraints, TypeAdapter, ValidationError

from filigraph.graph.annotations.notes import NoteKind
from filigraph.graph.ask.levels.context_budget import Group, shares_of
from filigraph.graph.errors import InputError
from filigraph.graph.forms.form import read_form
from filigraph.graph.ingest.extract.schema import read_schema
from filigraph.graph.model.documents import PlaceKind
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.forms import FieldState
from filigraph.graph.model.llm_readings import CastReading, PairVerdict
from filigraph.graph.model.names import StoredKind
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.serialize import EXPORT_FORMAT, EXPORT_VERSION

CURE = "Give a file that `filigraph export` wrote, as it wrote it."

MAX_LINE_BYTES = 64 << 20  # bytes: enough for a name or fact with a million places

Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Offset = Annotated[int, Field(ge=0, lt=2**31)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: str


class Header(_Line):
    format: Literal["filigraph"]
    version: int
    embedder: str
    derived: bool


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    schema_yaml: Annotated[str, Field(alias="schema")] = ""
    schema_mode: str | None = None
    shares: dict[Profile, dict[Group, float]] = {}
    views: dict[str, dict[str, Any]] = {}


class SettingsLine(_Line):
    settings: _Settings


class DocumentLine(_Line):
    id: Id
    source: str
    title: str
    sha256: str
    language: str
    metadata: Json[dict[str, str]]
    given: Json[dict[str, str]] | None = None
    media_type: str
    warnings: list[str]
    places: Json[list[tuple[PlaceKind, str, Offset]]]
    extractor: str
    status: Literal["partial", "complete"]
    unread: Offset | None
    cast: Json[list[CastReading]] | None = None
    open_casts: Offset | None = None


class ChunkLine(_Line):
    id: Id
    document_id: Id
    index: Offset
    start: Offset
    end: Offset
    text: str
    title: str
    place: str
    places: list[str] = []
    dates: list[str] = []
    language: str
    terms: str
    extraction: Extraction
    embedded: bool
    stale: bool
    next: Id | None
    titles: list[Id]


class MentionLine(_Line):
    id: Id
    document_id: Id
    key: str
    form: str
    type: str
    language: str
    scanned: bool
    part_of: Id | Literal[""]
    entity: Id | None
    occurrences: list[tuple[Id, Offset, Offset, bool]]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NameBody(_Body):
    id: Id
    document_id: Id
    key: str
    form: str


class PlaceBody(_Body):
    chunk_id: Id
    start: Offset
    end: Offset


class CorrectionBody(_Body):
    kind: StoredKind
    names: list[NameBody]
    others: list[NameBody]
    places: list[PlaceBody]
    name: str
    forms: list[str]
    note: str


class DecisionsLine(_Line):
    id: Id
    decisions: list[tuple[Id, Literal["SAME_AS", "NOT_SAME_AS"], Literal["person", "rule"], str, float, bool, str]]


class CorrectionLine(_Line):
    id: Id
    body: Json[CorrectionBody]


class AliasGroupLine(_Line):
    id: Id
    names: list[str]
    document_id: Id | Literal[""]


class EntityLine(_Line):
    id: Id
    name: str
    aliases: list[str]
    type: str
    embedded: bool
    chunks: list[Id]


class FactLine(_Line):
    id: Id
    text: str
    predicate: str
    token: str | None
    weight: int | None
    embedded: bool
    subject: Id
    object: Id
    denied: bool | None = None
    supports: list[
        tuple[Id, Offset, Offset, str, str, list[Offset]]  # older exports, without dates
        | tuple[Id, Offset, Offset, str, str, list[Offset], str, str]
    ]
    drawn: list[tuple[str, int]]


class SummaryLine(_Line):
    id: Id
    key: Id
    document_id: Id | Literal[""]
    folder: str
    level: Annotated[int, Field(ge=1, le=100)]
    index: Offset
    title: str
    text: str
    quotes: Json[list[tuple[Id, Offset, Offset, str, str]]]
    timeline: Json[list[tuple[Id, Offset, Offset, str, str]]]
    tags: list[str]
    omissions: list[str]
    start: Offset
    end: Offset
    size: Offset
    recipe: str
    covers: list[Id]


class FormLine(_Line):
    id: Id
    name: str
    text: str


class FieldValueLine(_Line):
    id: Id
    form: str
    about: str
    field: str
    state: FieldState
    values: list[str]
    normalized: str
    note: str
    key: Id | Literal[""]
    recipe: str
    corrected: list[str] | None
    evidence: list[tuple[Id, Offset, Offset, Offset, Offset]]


class AnchorBody(_Body):
    """The place of a note; ids are those of the file."""

    kind: NoteKind
    document_id: Id | Literal[""]
    source: str
    chunk_id: Id | Literal[""]
    start: Offset
    sentence: str
    before: str
    names: list[NameBody]
    others: list[NameBody]
    name: str
    predicate: str
    other: str
    trace_id: str
    question: str


class NoteBody(_Body):
    anchor: AnchorBody
    text: str
    tags: list[str]
    starred: bool
    by: str
    at: str
    changed: str


class NoteLine(_Line):
    id: Id
    body: NoteBody


class SearchBody(_Body):
    name: str
    owner: str
    query: dict[str, Any]
    at: str
    looked: str
    seen: list[str]
    fresh: list[str]
    gone: int
    before: str


class SearchLine(_Line):
    id: Id
    body: SearchBody


_Pair = tuple[PairVerdict, Id, Offset, Offset, Id, Offset, Offset, str]  # as releases before 0.4 wrote it
_NamedPair = tuple[PairVerdict, Id, Offset, Offset, Id, Offset, Offset, str, str]  # with its matter


class ContradictionReadingLine(_Line):
    id: Id
    model: str
    recipe: str
    pairs: Json[list[_Pair | _NamedPair]]
    chunks: list[Id]
    checks: bool = False


class ListReadingLine(_Line):
    id: Id
    model: str
    recipe: str
    items: Json[list[tuple[str, Id, Offset, Offset]]]
    left_out: int
    chunks: list[Id]


class End(_Line):
    lines: int  # without those of notes and saved searches
    notes: int = 0  # with saved searches


CLASSES: dict[str, type[_Line]] = {
    "header": Header,
    "settings": SettingsLine,
    "documents": DocumentLine,
    "chunks": ChunkLine,
    "mentions": MentionLine,
    "decisions": DecisionsLine,
    "person_decisions": CorrectionLine,
    "alias_groups": AliasGroupLine,
    "entities": EntityLine,
    "facts": FactLine,
    "summaries": SummaryLine,
    "forms": FormLine,
    "field_values": FieldValueLine,
    "contradiction_readings": ContradictionReadingLine,
    "list_readings": ListReadingLine,
    "notes": NoteLine,
    "searches": SearchLine,
    "end": End,
}
ORDER = {kind: place for place, kind in enumerate(CLASSES)}
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

    def take(self, raw: bytes) -> _Line:
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


def hashed_part(line: _Line, raw: bytes) -> bytes:
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


def _parse(number: int, raw: bytes) -> _Line:
    """Parse one line. Raises InputError."""
    try:
        value = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        _refuse(number, "it is no JSON")
    kind = value.get("kind") if isinstance(value, dict) else None
    if number == 1 and (kind != "header" or value.get("format") != EXPORT_FORMAT):
        _refuse(number, "it is no header of an export of Filigraph's")
    if number == 1 and value.get("version") != EXPORT_VERSION:
        raise InputError(
            f"The file is of version {str(value.get('version'))[:20]} of the format; this program reads "
            f"{EXPORT_VERSION}.",
            cure="Update Filigraph, or export again with this version.",
        )
    if not isinstance(kind, str) or kind not in CLASSES:
        _refuse(number, "its kind is none that an export has")
    try:
        line: _Line = _ADAPTERS[kind].validate_json(raw)
    except ValidationError as error:
        first = error.errors()[0]
        _refuse(number, f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:200])
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

    def take(self, number: int, line: _Line) -> None:
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
