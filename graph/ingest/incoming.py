"""The input of an ingest: sources, loaded, split, and grouped."""

from __future__ import annotations

import time
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from filigraph.graph import ids
from filigraph.graph.errors import FiligraphError, UnreadableDocument
from filigraph.graph.ingest.code.read import EXTRACTOR, VERSION, read_code
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.contract import Extractor, WholeDocuments
from filigraph.graph.ingest.load import CODE, documents_in, load
from filigraph.graph.ingest.load.content import LEFT_OUT
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, GUESSED
from filigraph.graph.ingest.load.mail.mail import ATTACHMENTS
from filigraph.graph.ingest.load.pdf.ocr import BY_OCR, LANGUAGES
from filigraph.graph.ingest.load.unpack import ATTACHED_TO, SENT
from filigraph.graph.ingest.report import IngestReport, IngestSettings, Skipped
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, LoadedDocument, Recipe, Source
from filigraph.graph.records.documents import DocumentRow
from filigraph.graph.text.identifiers import LANGUAGES as CODE_LANGUAGES
from filigraph.graph.text.time.relative_dates import names_relative

GROUP = 256  # chunks of small documents that are read together
ONE_BY_ONE = 20  # documents that are looked up singly, before all are read
BATCHES = 8  # min. batches of the extractor in a group
PASSED = 4  # weight of a document without anything to read in a group, in chunks: loading it took time too
WHOLLY_READ = (GUESSED, BY_OCR, AS_PLAIN_TEXT, LEFT_OUT)  # in warnings of complete documents
MAX_MESSAGE_CHARS = 200  # characters of a parser's message in a report


@dataclass(frozen=True, kw_only=True)
class PreparedDocument:
    """A document that is ready to be read."""

    row: DocumentRow
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """A loaded and split source, or why it is not usable."""

    document: PreparedDocument | None
    skipped: Skipped | None = None
    seconds: Mapping[str, float]  # by stage


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """A document of the run. Without a `reading` it is unchanged or not usable."""

    source: int  # number of the source in the run, from 0
    number: int = 1  # number of the document in its source, from 1
    # documents in the source: more than one in a .jsonl file, a mailbox, a mail, a PDF with attachments
    documents: int = 1
    document: PreparedDocument | None = None
    skipped: Skipped | None = None

    @property
    def last(self) -> bool:
        """Whether it is the last document of its source."""
        return self.number == self.documents


ReadSource = Callable[[Source], Incoming]
Apply = Callable[[ReadSource, Iterable[Source]], Iterable[Incoming]]  # `map`, or a function that distributes the work


class StoredDocuments:
    """The documents that a workspace has, by id. The first lookups are single, so that adding a file to a large
    workspace does not wait for all documents; then all are read at once.
    """

    def __init__(self, read: Callable[[Sequence[str] | None], Iterable[DocumentRow]]) -> None:
        """`read` returns the rows with some ids, or all."""
        self._read = read
        self._found: dict[str, DocumentRow | None] = {}
        self._all_read = False

    def get(self, document_id: str) -> DocumentRow | None:
        if document_id not in self._found and not self._all_read:
            self._all_read = len(self._found) >= ONE_BY_ONE
            rows = self._read(None if self._all_read else [document_id])
            self._found = {document_id: None} | {row.id: row for row in rows} | self._found
        return self._found.get(document_id)


def load_and_split(
    sources: Iterable[Source],
    settings: IngestSettings,
    extractor: Extractor,
    report: IngestReport,
    workspace: str,
    stored: StoredDocuments,
    apply: Apply = map,
    describe: Callable[[DocumentRow], None] = lambda _: None,
) -> Iterator[Arrival]:
    """Load and split the sources, in order; `stored` are the documents of the workspace. If only the metadata of a
    document changed, `describe` gets it, and it is not read again.
    """
    recipe = Recipe(extractor=f"{extractor.name}:{extractor.version}", **settings.fields())
    read = partial(read_source, workspace=workspace, recipe=recipe, ocr_languages=settings.ocr_languages)
    seen: set[str] = set()
    coming: deque[Arrival] = deque()  # the input of `apply` that it has not returned yet, and unreadable files
    described = (
        _with_what_was_given(s, stored.get(ids.document_id(workspace, s.name)))
        for s in _expand(sources, coming, report)
    )
    for incoming in apply(read, described):
        yield from _unopened_files(coming, report)
        for stage, seconds in incoming.seconds.items():
            report.add_seconds(stage, seconds)
        document, skipped = incoming.document, incoming.skipped
        if document and isinstance(extractor, WholeDocuments) and not _is_code(document):
            own = replace(recipe, extractor=f"{extractor.name}:{extractor.version_for(document.row.id)}")
            document = replace(document, row=replace(document.row, recipe=own))
        if document and document.row.id in seen:
            cure = "Give each document its own name."
            skipped = Skipped(source=document.row.source, cause="Named twice in this run.", cure=cure)
        if skipped:
            report.skipped.append(skipped)
        if document and not skipped:
            seen.add(document.row.id)
            report.remarks += _no_longer_attached(document.row, stored, workspace)
            document = _to_read(document, stored.get(document.row.id), settings, report, describe)
        if document and not skipped and isinstance(extractor, WholeDocuments) and not _is_code(document):
            document = replace(document, chunks=tuple(extractor.prepared(document.chunks)))
        yield replace(coming.popleft(), document=None if skipped else document, skipped=skipped)
    yield from _unopened_files(coming, report)


def _to_read(
    document: PreparedDocument,
    before: DocumentRow | None,
    settings: IngestSettings,
    report: IngestReport,
    describe: Callable[[DocumentRow], None],
) -> PreparedDocument | None:
    """The document if it is new or changed, else None."""
    row = document.row
    for warning in row.warnings:
        whole = any(cause in warning for cause in WHOLLY_READ)
        notes = report.remarks if whole else report.problems
        notes.append(f"{row.source}: {warning}")
    # the same bytes give more text if OCR was installed meanwhile: the warnings differ
    same = before and _version(before) == _version(row) and before.status == "complete"
    if before and same and not _is_dated_anew(before, document) and (settings.as_read or before.recipe == row.recipe):
        if (before.metadata, row.given if before.given is None else before.given) == (row.metadata, row.given):
            report.unchanged.append(row.source)
        else:
            describe(row)
            report.updated.append(row.source)
        return None
    (report.updated if before and before.status == "complete" else report.added).append(row.source)
    report.chunks += len(document.chunks)
    return document


def _is_dated_anew(before: DocumentRow, document: PreparedDocument) -> bool:
    """Whether the document has another date, and contains words like "yesterday"."""
    other = before.metadata.get("date", "") != document.row.metadata.get("date", "")
    return other and any(names_relative(chunk.text, chunk.language) for chunk in document.chunks)


def _version(row: DocumentRow) -> tuple[object, ...]:
    return row.sha256, row.title, row.warnings


def _unopened_files(coming: deque[Arrival], report: IngestReport) -> Iterator[Arrival]:
    """Files that could not be opened, up to the next one that could."""
    while coming and (skipped := coming[0].skipped):
        report.skipped.append(skipped)
        yield coming.popleft()


def read_source(source: Source, *, workspace: str, recipe: Recipe, ocr_languages: str = LANGUAGES) -> Incoming:
    """Load and split one source. The result depends only on the source, so this may run anywhere, in any order. Any
    failure counts as the source's: a parser that fails on one file must not stop the others.
    """
    begin = time.perf_counter()
    try:
        document = load(source, ocr_languages=ocr_languages)
        loaded = time.perf_counter()
        row = _document_row(ids.document_id(workspace, document.source), document, source.metadata, recipe)
        if document.media_type == CODE:
            row, chunks = _read_as_code(document, row)
        else:
            cut = split(
                document,
                row.id,
                strategy=recipe.strategy,
                size=recipe.size,
                overlap=recipe.overlap,
                unit=recipe.unit,
            )
            chunks = in_context(cut, document.metadata.get("date", ""))
    except Exception as error:  # noqa: BLE001 - parsers of others raise what they like
        return Incoming(document=None, skipped=_skipped(source, error), seconds={"load": time.perf_counter() - begin})
    return Incoming(
        document=PreparedDocument(row=row, chunks=tuple(chunks)),
        seconds={"load": loaded - begin, "split": time.perf_counter() - loaded},
    )


def _read_as_code(document: LoadedDocument, row: DocumentRow) -> tuple[DocumentRow, list[Chunk]]:
    """A file of source code, cut by its definitions, regardless of the extractor and the cut of the run."""
    language = CODE_LANGUAGES[PurePosixPath(document.source).suffix.lower()]
    chunks, wrong = read_code(document, row.id, language)
    recipe = Recipe(extractor=f"{EXTRACTOR}:{VERSION}")
    return replace(row, recipe=recipe, warnings=(*row.warnings, *wrong)), chunks


def _is_code(document: PreparedDocument) -> bool:
    return document.row.media_type == CODE


def _skipped(source: Source, error: Exception) -> Skipped:
    if isinstance(error, FiligraphError):
        return Skipped(source=source.name, cause=error.cause, cure=error.cure)
    message = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_MESSAGE_CHARS]
    return Skipped(
        source=source.name,
        cause=f"Reading it failed ({message}).",
        cure="It may be damaged: save it again, or in another format. If it is not damaged, please report it.",
    )


def group_documents(arrivals: Iterable[Arrival], extractor: Extractor) -> Iterator[list[Arrival]]:
    """Groups of documents, so that a thousand small ones cost at most as much as one big one, and an extractor that
    reads many chunks at once is not idle at the end of each.
    """
    enough = max(GROUP, BATCHES * extractor.batch)
    group: list[Arrival] = []
    size = 0
    for arrival in arrivals:
        group.append(arrival)
        size += len(arrival.document.chunks) if arrival.document else PASSED
        if size >= enough:
            yield group
            group, size = [], 0
    if group:
        yield group


def _with_what_was_given(source: Source, before: DocumentRow | None) -> Source:
    """Without metadata in the request, a document keeps the metadata from earlier requests. This does not include the
    name of the mail or PDF that it is attached to.
    """
    if before is None or _without_attachment(source.metadata):
        return source
    stored_metadata = before.metadata if before.given is None else before.given
    return replace(source, metadata={**_without_attachment(stored_metadata), **source.metadata})


def _without_attachment(metadata: Mapping[str, str]) -> Mapping[str, str]:
    own = (ATTACHED_TO, SENT) if ATTACHED_TO in metadata else ()
    return {key: value for key, value in metadata.items() if key not in own}


def _no_longer_attached(row: DocumentRow, stored: StoredDocuments, workspace: str) -> Iterator[str]:
    """Name the documents that an earlier version of this one contained: they remain."""
    before = stored.get(row.id)
    names = row.metadata.get(ATTACHMENTS, "")
    # the list was cut off: later ones may be there
    if before is None or before.sha256 == row.sha256 or names.endswith("…"):
        return
    for name in sorted(set(before.metadata.get(ATTACHMENTS, "").split(", ")) - set(names.split(", "))):
        attachment = stored.get(ids.document_id(workspace, f"{row.source}/{name}"))
        if attachment and attachment.metadata.get(ATTACHED_TO) == row.source:
            yield f"{attachment.source} is no longer attached to {row.source}; delete it if it should go"


def _expand(sources: Iterable[Source], coming: deque[Arrival], report: IngestReport) -> Iterator[Source]:
    """The documents of each source. Stores in `coming` what each document comes from."""
    for number, original in enumerate(sources):
        source = replace(original, name=unicodedata.normalize("NFC", original.name))
        with report.timed("load"):
            try:
                rows = _documents_in(source, report)
            except Exception as error:  # noqa: BLE001 - as in `read_source`
                coming.append(Arrival(source=number, skipped=_skipped(source, error)))
                continue
        for n, row in enumerate(rows, 1):
            coming.append(Arrival(source=number, number=n, documents=len(rows)))
            yield row


def _documents_in(source: Source, report: IngestReport) -> list[Source]:
    """The documents in a file, at least one. Raises UnreadableDocument."""
    rows, problems = documents_in(source)
    report.problems += problems
    if not rows:
        cure = 'Each line must be JSON with "id", "title" and "text".'
        raise UnreadableDocument("No line of it is a document.", cure=cure)
    return rows


def _document_row(
    document_id: str, document: LoadedDocument, metadata: Mapping[str, str], recipe: Recipe
) -> DocumentRow:
    return DocumentRow(
        id=document_id,
        source=document.source,
        title=document.title,
        sha256=document.sha256,
        language=document.language,
        media_type=document.media_type,
        metadata=dict(document.metadata),
        given=dict(metadata),
        places=document.places,
        warnings=document.warnings,
        recipe=recipe,
    )
