"""The lines of a canonical export: what each kind has. Ids in a file have no workspace part (see `ids.py`)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Json, StringConstraints

from filigraph.graph.annotations.notes import NoteKind
from filigraph.graph.ask.levels.context_budget import Group
from filigraph.graph.model.documents import PlaceKind
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.forms import FieldState
from filigraph.graph.model.llm_readings import CastReading, LinkKind, PairVerdict
from filigraph.graph.model.names import StoredKind
from filigraph.graph.model.retrieval import Profile

Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Offset = Annotated[int, Field(ge=0, lt=2**31)]


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: str


class Header(Line):
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


class SettingsLine(Line):
    settings: _Settings


class DocumentLine(Line):
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


class ChunkLine(Line):
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


class MentionLine(Line):
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


class DecisionsLine(Line):
    id: Id
    decisions: list[tuple[Id, Literal["SAME_AS", "NOT_SAME_AS"], Literal["person", "rule"], str, float, bool, str]]


class CorrectionLine(Line):
    id: Id
    body: Json[CorrectionBody]


class AliasGroupLine(Line):
    id: Id
    names: list[str]
    document_id: Id | Literal[""]


class EntityLine(Line):
    id: Id
    name: str
    aliases: list[str]
    type: str
    embedded: bool
    chunks: list[Id]


class FactLine(Line):
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


class SummaryLine(Line):
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


class FormLine(Line):
    id: Id
    name: str
    text: str


class FieldValueLine(Line):
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


class NoteLine(Line):
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


class SearchLine(Line):
    id: Id
    body: SearchBody


_Pair = tuple[PairVerdict, Id, Offset, Offset, Id, Offset, Offset, str]  # as releases before 0.4 wrote it
_NamedPair = tuple[PairVerdict, Id, Offset, Offset, Id, Offset, Offset, str, str]  # with its matter


class ContradictionReadingLine(Line):
    id: Id
    model: str
    recipe: str
    pairs: Json[list[_Pair | _NamedPair]]
    chunks: list[Id]
    checks: bool = False


class ListReadingLine(Line):
    id: Id
    model: str
    recipe: str
    items: Json[list[tuple[str, Id, Offset, Offset]]]
    left_out: int
    chunks: list[Id]


class CastLinkLine(Line):
    id: Id
    call: str
    says: LinkKind
    reason: str
    chunks: list[Id]
    names: list[tuple[Id, str, Literal[0, 1]]]  # chunk, key, side


class End(Line):
    lines: int  # without those of notes and saved searches
    notes: int = 0  # with saved searches


CLASSES: dict[str, type[Line]] = {
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
    "cast_links": CastLinkLine,
    "notes": NoteLine,
    "searches": SearchLine,
    "end": End,
}
ORDER = {kind: place for place, kind in enumerate(CLASSES)}
