"""Sources, documents and chunks: what is ingested, and how it is cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from filigraph.graph.model.extraction import Extraction, Triplet


@dataclass(frozen=True, kw_only=True)
class Source:
    """Bytes to ingest, as a client sent them. The server never opens a path that a client names."""

    name: str  # the path or name from the client; identifies the document within its workspace
    content: bytes
    media_type: str = ""  # as declared by the client; the loader prefers the bytes
    metadata: Mapping[str, str] = field(default_factory=dict)  # free, e.g. {"date": "1912-03-04"}


LineKind = Literal["row", "time", "entry"]  # of a table, of subtitles, of a bibliography
PlaceKind = Literal["page", "chapter", "section"]  # section: its label says what it is ("Part II")
Strategy = Literal["paragraph", "sentence", "fixed"]  # how a text is cut
CutUnit = Literal["tokens", "characters", "words"]
CutPreset = Literal["2000/300", "250-350 words"]
PlaceMark = tuple[int, str]  # from this offset in a chunk on: (811, "page 3"); see text/places.py


@dataclass(frozen=True, kw_only=True)
class Place:
    """A page or a chapter: it begins at `start` and holds until the next one of its kind in the document."""

    kind: PlaceKind
    label: str  # "3", "The Red-Headed League"
    start: int


@dataclass(frozen=True, kw_only=True)
class LinePlace:
    """A row of a table, an entry of a bibliography, or the time of a statement: from `start` to the next one."""

    kind: LineKind
    label: str  # "12", "moss11", "00:12:03"
    start: int


@dataclass(frozen=True, kw_only=True)
class Cut:
    """How to cut a text into chunks, and how to embed them."""

    strategy: Strategy = "paragraph"
    size: int = 512  # max. size of a chunk, in `unit`
    overlap: float = 0.15  # share of a chunk that the next one repeats
    unit: CutUnit = "tokens"
    late: bool = False  # late chunking: vectors of chunks come from a pass over the whole document

    def fields(self) -> dict[str, Any]:
        """The chunking fields only, without those of subclasses."""
        return {name: getattr(self, name) for name in ("strategy", "size", "overlap", "unit", "late")}


CUT_PRESETS: Mapping[CutPreset, Cut] = {
    "2000/300": Cut(size=2000, overlap=0.15, unit="characters"),
    "250-350 words": Cut(size=350, overlap=0.0, unit="words"),
}


@dataclass(frozen=True, kw_only=True)
class Recipe(Cut):
    """The extractor of a document and its chunking. Another recipe may give other chunks and facts for the same
    text."""

    extractor: str  # its name and version: "local:6", "llm:mistral:5f0c"

    @property
    def read_by(self) -> str:
        """The kind of the extractor: llm, local, triples."""
        return self.extractor.partition(":")[0]


@dataclass(frozen=True, kw_only=True)
class LoadedDocument:
    """A document as text. Offsets everywhere else refer to `text`."""

    source: str
    title: str
    text: str
    sha256: str  # of the original bytes: the document's version
    media_type: str
    language: str  # ISO 639-1 ("fr", "en", "ru", ...), "" if unknown
    places: tuple[Place, ...] = ()
    lines: tuple[LinePlace, ...] = ()  # where quotes are if paragraphs are not useful; its passages keep them
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()  # e.g. "page 7 has no text"


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A piece of a document, `document.text[start:end]`."""

    id: str  # hash(document, text, number of the occurrence of that text)
    document_id: str
    index: int  # position among the document's chunks, from 0
    start: int
    end: int
    text: str
    title: str  # the document's title; embedded and indexed with the text
    place: str  # of its beginning: "page 3", "chapter The Red-Headed League", "" if the document has neither
    language: str
    places: tuple[PlaceMark, ...] = ()  # of its parts
    dates: tuple[str, ...] = ()  # of its events, from the dates of writing of its parts: ISO 8601 days, months, years
    before: str = ""  # what a reader knows by then: names and last sentences of the chunk before; not stored
    given: tuple[Triplet, ...] | None = (
        None  # triples a client put to it, None: its document was given none; not stored
    )
    read: Extraction | None = None  # of source code, which has no extractor; not stored
