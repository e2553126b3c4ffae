"""Documents: list them, read them, delete them."""

from __future__ import annotations

import io
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filigraph.app.service.context import LOCK_TIMEOUT, ProgressCallbacks, ServiceContext, busy_error
from filigraph.app.service.graph.views import Views
from filigraph.app.service.jobs.requests import ENDED, JobRequests
from filigraph.graph.analysis.mail_threads import mail_threads
from filigraph.graph.ask.question.documents import matching_documents
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, NotFound, UnavailableError
from filigraph.graph.records.documents import PhrasePlace, TextPlace
from filigraph.graph.records.summaries import MissingSummaries
from filigraph.graph.text.find import PhraseFinder, find_within, spellings, text_of_pieces
from filigraph.graph.text.formats.mail_quotes import THREAD
from filigraph.graph.text.places import place_of
from filigraph.graph.text.words import indexed_parts, is_indexed_alone, terms
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.app.service.jobs.coordinator import StopSignal
    from filigraph.graph.records.documents import DocumentName, DocumentRow, Piece
    from filigraph.graph.records.entities import ListedEntity
    from filigraph.graph.store import JobRow
    from filigraph.graph.views.outline import NamedPlace

POLL_SECONDS = 0.1  # poll interval of a deletion, in seconds
MIN_WORD_CHARS = 2  # letters of a word that may be a clitic, which the word index leaves out
CHARS_AROUND = 60  # characters on either side of a text that was found
DOOMED = 100  # documents that are removed between two checks whether to stop


@dataclass(frozen=True, kw_only=True)
class DocumentList:
    """Some of the matching documents."""

    rows: Sequence[DocumentRow]  # by source
    total: int  # number of matching documents
    threads: Sequence[Sequence[DocumentName]]  # of the mails among all matching documents, see `mail_threads`


class Documents:
    def __init__(self, context: ServiceContext, views: Views, jobs: JobRequests) -> None:
        self.context = context
        self._views = views
        self._jobs = jobs

    def list_documents(
        self,
        workspace: str,
        *,
        sources: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
        first: int = 0,
        count: int | None = None,
        view: View = ALL,
    ) -> DocumentList:
        """Some of the matching documents (see `graph.ask.question.documents`)."""
        with self.context.connected():
            graph = self._views.graph(workspace, view)
            names = matching_documents(graph.document_names(), sources=sources, where=where)
            shown = names[first : None if count is None else first + count]
            rows = graph.document_rows([row.id for row in shown], facts=True)
        ordered = sorted(rows, key=lambda row: (row.source, row.id))
        return DocumentList(rows=ordered, total=len(names), threads=mail_threads(names))

    def document(self, workspace: str, document_id: str, *, view: View = ALL) -> DocumentRow:
        """Raises NotFound."""
        with self.context.connected():
            rows = self._views.graph(workspace, view).document_rows([document_id], facts=True)
        if not rows and view.narrowing:
            raise NotFound(
                f"There is no document {document_id} in this view.", cure=("Widen the view, or leave it out.")
            )
        if not rows:
            raise NotFound(
                f"There is no document {document_id} in workspace {workspace}: it was deleted, or never existed.",
                cure="`filigraph documents` lists all.",
            )
        return rows[0]

    def places(self, workspace: str, row: DocumentRow, *, view: View = ALL) -> list[NamedPlace]:
        """The pages and chapters of a document, or of the part that a view shows, each with what `View.until` and
        `View.within` call it: the same in every view of a reader."""
        from filigraph.graph.views.outline import named_places

        if not row.places:
            return []
        with self.context.connected():
            graph = self._views.graph(workspace, view.outer)
            whole = graph.document_rows([row.id], facts=False)[0]
            last = graph.pieces(row.id, first=max(whole.chunks - 1, 0), count=1)
        length = last[-1].start + len(last[-1].text) if last else 0
        visible = set(row.places)
        named = zip(whole.places, named_places(whole.places, length), strict=True)
        return [name for place, name in named if place in visible]

    def thread(self, workspace: str, row: DocumentRow, *, view: View = ALL) -> list[DocumentName]:
        """The mails of a mail's thread, with the mail itself, by date; none for a mail that is alone, or for a document
        that is not a mail."""
        thread = row.metadata.get(THREAD, "")
        if not thread or "from" not in row.metadata:
            return []
        with self.context.connected():
            names = self._views.graph(workspace, view).document_names()
        threads = mail_threads(name for name in names if name.metadata.get(THREAD) == thread)
        return next((mails for mails in threads if any(mail.id == row.id for mail in mails)), [])

    def document_text(
        self, workspace: str, document_id: str, *, chunk_id: str, first: int, count: int, view: View = ALL
    ) -> tuple[DocumentRow, list[Piece]]:
        """A part of a document: around a chunk, or from chunk number `first` on. Raises NotFound."""
        row = self.document(workspace, document_id, view=view)
        with self.context.connected():
            graph = self._views.graph(workspace, view)
            return row, graph.pieces(document_id, chunk_id=chunk_id, first=first, count=count)

    def entities_in(
        self, workspace: str, document_id: str, *, first: int, count: int, view: View = ALL
    ) -> list[ListedEntity]:
        """The entities that a part of a document mentions. Raises NotFound."""
        self.document(workspace, document_id, view=view)
        with self.context.connected():
            return self._views.graph(workspace, view).entities_in(document_id, first=first, count=count)

    def find_text(
        self, workspace: str, document_id: str, text: str, *, count: int, view: View = ALL
    ) -> tuple[list[TextPlace], int]:
        """The first places of a text in a document, in their order, and the number of places. Case, accents,
        apostrophes, quotation marks, hyphens and line ends make no difference. Raises NotFound."""
        row = self.document(workspace, document_id, view=view)
        with self.context.connected():
            pieces = self._views.graph(workspace, view).pieces(document_id, count=max(1, row.chunks))
        whole = text_of_pieces((piece.start, piece.text) for piece in pieces)
        spans = sorted({span for spelling in spellings(text) for span in find_within(whole, spelling)})
        starts = [piece.start for piece in pieces]
        places = []
        for start, end in spans[:count]:
            piece = pieces[bisect_right(starts, start) - 1]
            at, to = start - piece.start, min(end - piece.start, len(piece.text))
            place = place_of(piece.places, at, to, otherwise=piece.place)
            around = whole[max(0, start - CHARS_AROUND) : end + CHARS_AROUND]
            places.append(TextPlace(chunk_id=piece.id, start=at, end=to, text=around, place=place))
        return places, len(spans)

    def find_phrase(
        self, workspace: str, text: str, *, first: int, count: int, view: View = ALL
    ) -> tuple[list[PhrasePlace], int, int]:
        """Some of the places of a phrase in the texts of a workspace, in the order of reading; the number of places,
        and of documents with one. Case, accents, apostrophes, quotation marks, hyphens and line ends make no
        difference. Raises InputError for a text without a word, or only with words that are too short for the word
        index."""
        with self.context.connected():
            graph = self._views.graph(workspace, view)
            languages = [*graph.languages(), ""]
            groups = [_indexed_words(spelling, languages) for spelling in spellings(text)]
            rows = {row.piece.id: row for words in groups for row in graph.pieces_with_words(words)}
        by_start: dict[tuple[str, int], PhrasePlace] = {}
        for row in sorted(rows.values(), key=lambda row: (row.source, row.document_id, row.piece.start)):
            piece = row.piece
            finder = PhraseFinder(piece.text)
            for start, end in sorted({span for spelling in spellings(text) for span in finder.find(spelling)}):
                place = PhrasePlace(
                    chunk_id=piece.id,
                    start=start,
                    end=end,
                    text=piece.text[max(0, start - CHARS_AROUND) : end + CHARS_AROUND],
                    place=place_of(piece.places, start, end, otherwise=piece.place),
                    document_id=row.document_id,
                    source=row.source,
                    title=row.title,
                )
                by_start.setdefault((row.document_id, piece.start + start), place)  # chunks share some text
        places = list(by_start.values())
        return places[first : first + count], len(places), len({place.document_id for place in places})

    def delete_documents(
        self, workspace: str, *, ids: Sequence[str] = (), sources: Sequence[str] = (), glob: bool = False
    ) -> list[DocumentName]:
        """Delete the documents of `ids` and `sources`, with the facts that only they support; asks no model. It waits
        for a job, so the deletion is finished even if the client or the server ends.

        Raises NotFound, before anything changes, for an unknown id or a source without documents; Busy.
        """
        doomed = self._documents_to_delete(workspace, ids, sources, glob)
        job = self._delete_by_job(workspace, doomed, priority=0)
        begun = time.monotonic()
        while job.state not in ENDED:
            if self.context.runtime.stopping.is_set():
                raise UnavailableError("The server is stopping.", cure="Start it again: it then deletes the documents.")
            waits = job.progress.get("stage", "load") == "load" and not job.cancelling
            if waits and time.monotonic() - begun > LOCK_TIMEOUT:
                self._jobs.cancel_job(job.id)
            time.sleep(POLL_SECONDS)
            job = self._jobs.job(job.id)
        if job.state == "failed":
            raise FiligraphError(job.cause, cure=job.cure)
        self._jobs.remove_job(job.id)
        if job.state == "cancelled":
            raise busy_error(workspace)
        return doomed

    def missing_summaries(self, workspace: str, document_id: str = "", *, view: View = ALL) -> MissingSummaries:
        """The parts of a summarized workspace, or of one of its documents, without summaries; always empty for a view.
        Raises NotFound."""
        if view:
            return MissingSummaries()
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.missing_summaries(document_id) if graph.overview().summarized else MissingSummaries()

    def submit_deletion(
        self, workspace: str, *, ids: Sequence[str] = (), sources: Sequence[str] = (), glob: bool = False, priority: int
    ) -> JobRow:
        """Submit a deletion of documents without waiting for it. Raises NotFound, as `delete_documents` does."""
        return self._delete_by_job(
            workspace, self._documents_to_delete(workspace, ids, sources, glob), priority=priority
        )

    def remove_documents(
        self,
        workspace: str,
        ids: Sequence[str],
        watcher: ProgressCallbacks,
        *,
        removed: Callable[[Sequence[str]], None],
        stop: StopSignal,
        job: str = "",
    ) -> None:
        """Delete documents, for a job. Documents that are gone already are skipped; `removed` is called with them too.

        Raises Cancelled if the watcher ends it while it waits for the workspace, or if `stop` does before all are
        deleted. In the second case the data derived from the deleted documents are removed first; only a server that
        ends leaves that to the next one.
        """
        from filigraph.graph.derive import derive
        from filigraph.graph.ingest.report import Progress
        from filigraph.graph.summarize import summarize_above

        gone = 0
        with self.context.locked(workspace, watcher, job=job) as store:
            graph = store.graph(workspace)
            while gone < len(ids) and not stop():
                watcher.progress(Progress(stage="delete", done=gone, total=len(ids)))
                part = ids[gone : gone + DOOMED]
                graph.delete_documents([row.id for row in graph.document_rows(part)])
                removed(part)
                gone += len(part)
            if graph.needs_deriving():
                embedder = self.context.runtime.embedder_of(graph.workspace)
                derive(graph, embedder=embedder, progress=watcher.progress, cancelled=stop.ends)
            if graph.overview().summarized:
                embedder = self.context.runtime.embedder_of(graph.workspace)
                summarize_above(graph=graph, embedder=embedder, progress=watcher.progress, cancelled=stop.ends)
        if gone < len(ids):
            raise Cancelled()

    def _documents_to_delete(
        self, workspace: str, ids: Sequence[str], sources: Sequence[str], glob: bool
    ) -> list[DocumentName]:
        if not ids and not sources:
            raise InputError("The request names no document.", cure="Give ids, or sources.")
        with self.context.connected():
            documents = self.context.runtime.graph(workspace).document_names()
        for source in sources:
            if not matching_documents(documents, sources=[source], glob=glob):
                cure = "Nothing was deleted. Check the name; a pattern with * or ? needs `glob` (`--glob`)."
                raise NotFound(f"No document in workspace {workspace} is called {source}.", cure=cure)
        named = set(ids)
        named.update(row.id for row in (matching_documents(documents, sources=sources, glob=glob) if sources else ()))
        doomed = [row for row in documents if row.id in named]
        missing = named - {row.id for row in doomed}
        if missing:
            raise NotFound(
                f"There is no document {min(missing)} in workspace {workspace}.",
                cure="Check the id; no document was deleted.",
            )
        return doomed

    def _delete_by_job(self, workspace: str, doomed: Sequence[DocumentName], *, priority: int) -> JobRow:
        from filigraph.graph.store import Upload

        items = [Upload(name=row.source, content=io.BytesIO(), metadata={"id": row.id}) for row in doomed]
        return self._jobs.submit(workspace, "delete", items, attached={}, priority=priority, options={})


def _indexed_words(phrase: str, languages: Sequence[str]) -> list[list[str]]:
    """The terms of each word that the word index has. Raises InputError if there is none."""
    wanted = indexed_parts(phrase)
    if not wanted:
        raise InputError("The search has no words.", cure="Enter at least one word.")
    words = [dict.fromkeys(term for language in languages for term in terms(part, language)[:1]) for part in wanted]
    indexed = [list(group) for group in words if _is_indexed(group)]
    if not indexed:
        raise InputError("The words are too short to search for.", cure="Add a longer word.")
    return indexed


def _is_indexed(terms_of_word: Mapping[str, None]) -> bool:
    """Whether the word index contains a word: not the clitics of "l'Étranger" and "Holmes's"."""
    return any(len(term) > MIN_WORD_CHARS or is_indexed_alone(term) for term in terms_of_word)
