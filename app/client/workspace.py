"""`Workspace`: ingest, ask, evaluate and export in one workspace of a server."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Literal, Unpack

from filigraph.app.client.addresses import path, view_path
from filigraph.app.client.corrections import Corrections, Predicates
from filigraph.app.client.documents import Documents, Entities
from filigraph.app.client.events import AnswerEvent, AskEvent, OnProgress, ask_event, emit
from filigraph.app.client.files import REQUEST_SPARE, ReportDict, as_jobs, in_batches
from filigraph.app.client.folders import WatchedFolders
from filigraph.app.client.forms import Forms
from filigraph.app.client.notes import Notes
from filigraph.app.client.options import (
    AnswerOptions,
    AskedViewOptions,
    AskOptions,
    CutOptions,
    Extractor,
    SearchOptions,
    ViewOptions,
)
from filigraph.app.client.rest import Client, written_to
from filigraph.app.client.searches import Searches
from filigraph.app.schemas.answers import KeptAnswerOut, TracesOut
from filigraph.app.schemas.evaluations import EvaluationOut, EvaluationsOut
from filigraph.app.schemas.graph.views import KeptViewOut, NamedViewOut, NamedViewsOut, ViewComparisonOut
from filigraph.app.schemas.jobs import JobOut
from filigraph.app.schemas.news import AnswerChangesOut, NewsOut
from filigraph.app.schemas.reading import EstimateOut, GapsOut, SchemaOut
from filigraph.app.schemas.receipts import Receipt, VerifiedOut
from filigraph.app.schemas.serialize import from_json
from filigraph.app.schemas.server import Moved, ReembedOut, StatsOut
from filigraph.app.schemas.summaries import OutlineOut, SharesOut, Writer
from filigraph.app.uploads.folder_files import CollectedFiles, FileToSend, collect
from filigraph.graph.errors import InputError
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.answers import Answer, AnswerDependency
from filigraph.graph.model.retrieval import Method, Profile, Retrieved
from filigraph.graph.model.traces import Trace
from filigraph.graph.model.usage import Usage
from filigraph.graph.records.summaries import SummaryReport
from filigraph.graph.records.workspaces import Exported, Imported

FileOrFolder = str | os.PathLike[str]
COUNTS = ("chunks", "kept_extractions", "triplets", "empty_chunks", "failed_chunks", "entities", "facts")
LISTS = ("added", "updated", "unchanged", "problems", "remarks")


class Workspace:
    """One workspace; `documents`, `entities`, `corrections`, `predicates`, `forms`, `notes`, `searches` and `folders`
    have their own methods."""

    def __init__(self, client: Client, name: str, view: AskedViewOptions | None = None) -> None:
        self._client = client = client.within(view or {})
        self._view: AskOptions = {"view": view} if view else {}
        self.name = name
        self.documents = Documents(client, name)
        self.entities = Entities(client, name)
        self.corrections = Corrections(client, name)
        self.predicates = Predicates(client, name)
        self.forms = Forms(client, name)
        self.notes = Notes(client, name)
        self.searches = Searches(client, name, view)
        self.folders = WatchedFolders(client, name)

    def seen(self, **view: Unpack[AskedViewOptions]) -> Workspace:
        """The workspace as if only a part of it had been read: `seen(until=["moonstone.txt:chapter 12"])`. Its answers,
        entities, facts and texts are those of the part; what is about the whole raises InputError."""
        return Workspace(self._client, self.name, view)

    def views(self) -> list[NamedViewOut]:
        """The views that the workspace keeps by name; `seen(named=...)` is the workspace in one of them."""
        return NamedViewsOut.model_validate(self._client.get(path(self.name, "views"))).views

    def keep_view(self, name: str, **view: Unpack[ViewOptions]) -> KeptViewOut:
        """Keep what a view says under a name."""
        return KeptViewOut.model_validate(self._client.put(view_path(self.name, name), dict(view)))

    def compare_views(
        self, before: str | ViewOptions, after: str | ViewOptions = "", *, count: int = 50, questions: int = 10
    ) -> ViewComparisonOut:
        """What is otherwise in the second of two views, each a name or what it shows; "" is the whole workspace. The
        last `questions` are searched in both."""
        views = {"before": before, "after": after}
        params = {name: view if isinstance(view, str) else json.dumps(view) for name, view in views.items()}
        reply = self._client.get(path(self.name, "views", "diff"), **params, count=count, questions=questions)
        return ViewComparisonOut.model_validate(reply)

    def delete_view(self, name: str) -> None:
        """Remove the name of a view."""
        self._client.delete(view_path(self.name, name))

    def news(self, *, since: str = "", job: str = "", count: int = 50) -> NewsOut:
        """What the documents brought that came since a date or time, or since a job was sent; without either since a
        day before the last one came."""
        moment = {name: value for name, value in (("since", since), ("job", job)) if value}
        return NewsOut.model_validate(self._client.get(path(self.name, "news"), count=count, **moment))

    def ask_again(self, *, budget: int = 10, llm: bool = False) -> AnswerChangesOut:
        """Ask questions again whose last answer is older than a document, and say which answers changed."""
        body = {"budget": budget, "llm": llm}
        return AnswerChangesOut.model_validate(self._client.post(path(self.name, "ask", "again"), body))

    # ---- ingest

    def ingest(
        self,
        *paths: FileOrFolder,
        texts: Mapping[str, str | bytes] | None = None,
        metadata: Mapping[str, str] | None = None,
        extractor: Extractor = "auto",
        triples: bytes | None = None,
        aliases: bytes | None = None,
        cast: bool | None = None,
        progress: OnProgress | None = None,
        **cut: Unpack[CutOptions],
    ) -> IngestReport:
        """Ingest files, folders, and `texts` by name. Unchanged documents are not read again.

        Unusable files are returned in `skipped`, with their cause. `metadata` is set on all documents; `triples` and
        `aliases` are the contents of files as for `filigraph ingest`; `cast`: whether an LLM says who is who in
        each document and across them (None: where it reads the facts).
        """
        extras = _extras(triples, aliases)
        collected, _ = self._collected(paths, texts, metadata, extras)
        total: ReportDict = {name: [] for name in LISTS} | dict.fromkeys(COUNTS, 0)
        total |= {"skipped": list(collected.skipped), "notes": {}, "counts": {}, "seconds": {}}
        total["usage"] = asdict(Usage())
        options = {"extractor": extractor, **_cut_fields(cut), **_cast_field(cast)}
        address = path(self.name, "ingest")
        for event in in_batches(self._client, address, collected.uploads, options=options, extras=extras, total=total):
            emit(progress, event)
        return from_json(IngestReport, total)

    def submit(
        self,
        *paths: FileOrFolder,
        texts: Mapping[str, str | bytes] | None = None,
        metadata: Mapping[str, str] | None = None,
        extractor: Extractor = "auto",
        triples: bytes | None = None,
        aliases: bytes | None = None,
        cast: bool | None = None,
        batch: bool = False,
        summarize: bool = False,
        priority: int = 0,
        **cut: Unpack[CutOptions],
    ) -> list[JobOut]:
        """Submit `ingest` as a background job, or as several if the files exceed one request.

        `batch` uses the batch API of the LLM's provider: within a day, at a lower price. `summarize` updates the
        summaries afterwards. Raises InputError if a file cannot be sent, for no report would mention it.
        """
        extras = _extras(triples, aliases)
        collected, limit = self._collected(paths, texts, metadata, extras)
        total: ReportDict = {"skipped": list(collected.skipped)}
        _check_none_skipped(total)
        jobs = as_jobs(
            self._client,
            path(self.name, "jobs"),
            collected.uploads,
            options={
                "extractor": extractor,
                **_cut_fields(cut),
                **_cast_field(cast),
                "batch": str(batch).lower(),
                "summarize": str(summarize).lower(),
                "priority": str(priority),
            },
            extras=extras,
            limit=limit,
            total=total,
        )
        return [JobOut.model_validate(job) for job in jobs]

    def estimate(
        self,
        *paths: FileOrFolder,
        extractor: Extractor = "auto",
        cast: bool | None = None,
        batch: bool = False,
        summarize: bool = False,
        progress: OnProgress | None = None,
        **cut: Unpack[CutOptions],
    ) -> EstimateOut:
        """Estimate calls, tokens, time and cost of an ingest, without ingesting."""
        collected, _ = self._collected(paths, None, None, {})
        total: ReportDict = {"skipped": list(collected.skipped), "extractor": extractor, "seconds": None, "cost": None}
        total |= dict.fromkeys(("documents", "unchanged", "chunks", "kept"), 0) | {"usage": asdict(Usage())}
        options = {"extractor": extractor, **_cut_fields(cut), "batch": str(batch).lower()}
        options |= {"summarize": str(summarize).lower(), **_cast_field(cast)}
        address = path(self.name, "estimate")
        for event in in_batches(self._client, address, collected.uploads, options=options, extras={}, total=total):
            emit(progress, event)
        return EstimateOut.model_validate(total)

    def retry(self, *, extractor: Extractor = "llm", progress: OnProgress | None = None) -> IngestReport:
        """Read the chunks again for which the LLM failed during the ingest."""
        reply = self._long("retry", "report", progress, json={"extractor": extractor})
        return from_json(IngestReport, reply)

    def gaps(self, *, first: int = 0, count: int = 1000) -> GapsOut:
        """A page of the chunks without facts, each with its reason."""
        return GapsOut.model_validate(self._client.get(path(self.name, "gaps"), first=first, count=count))

    def schema(self) -> SchemaOut:
        """The schema of the workspace."""
        return SchemaOut.model_validate(self._client.get(path(self.name, "schema")))

    def set_schema(self, schema: str, *, mode: Literal["guide", "enforce"] | None = None) -> SchemaOut:
        """Set the schema: YAML, or the name of a built-in one."""
        body = {"schema": schema, "mode": mode}
        return SchemaOut.model_validate(self._client.put(path(self.name, "schema"), body))

    def remove_schema(self) -> SchemaOut:
        """Remove the schema, so that the LLM looks for any facts."""
        return SchemaOut.model_validate(self._client.delete(path(self.name, "schema")))

    def summarize(self, *, writer: Writer = "auto", progress: OnProgress | None = None) -> SummaryReport:
        """Update the summaries of windows, chapters, documents and folders."""
        return from_json(SummaryReport, self._long("summarize", "report", progress, json={"writer": writer}))

    def submit_summaries(self, *, writer: Writer = "auto") -> JobOut:
        """Submit `summarize` as a background job."""
        return JobOut.model_validate(self._client.post(path(self.name, "summaries"), {"writer": writer}))

    def shares(self) -> SharesOut:
        """The shares of summaries in a question's budget, by profile."""
        return SharesOut.model_validate(self._client.get(path(self.name, "shares")))

    def set_shares(self, profile: Profile, **shares: float) -> SharesOut:
        """Set the shares `overview` and `windows` of a profile; without shares, reset them to the default."""
        return SharesOut.model_validate(self._client.put(path(self.name, "shares", profile), shares))

    def outline(self, document_id: str = "", *, lowest: int = 1) -> OutlineOut:
        """The summaries of a document, level by level; without a document, those of the folders."""
        params = {"document_id": document_id, "lowest": lowest}
        return OutlineOut.model_validate(self._client.get(path(self.name, "outline"), **params))

    # ---- ask

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Answer:
        """Answer a question, with citations and paths."""
        body = {"question": question, **self._view, **options}
        return from_json(Answer, self._client.post(path(self.name, "ask"), body))

    def stream(self, question: str, **options: Unpack[AskOptions]) -> Iterator[AskEvent]:
        """Stream an answer: the evidence, then pieces of the text, then the complete answer. Closing the iterator
        cancels the request."""
        body = {"question": question, "stream": True, **self._view, **options}
        for event in self._client.stream(path(self.name, "ask"), json=body):
            if parsed := ask_event(event):
                yield parsed
                if isinstance(parsed, AnswerEvent):
                    return

    def cancel(self, trace_id: str) -> None:
        """End a question that is being answered; its stream ends with what was read so far. `trace_id` is that of the
        event with the evidence."""
        self._client.post(path(self.name, "ask", trace_id, "cancel"), {})

    def retrieve(self, question: str, **options: Unpack[SearchOptions]) -> Retrieved:
        """The evidence and the paths for a question, without an answer."""
        body = {"question": question, **self._view, **options}
        return from_json(Retrieved, self._client.post(path(self.name, "retrieve"), body))

    def submit_questions(
        self, questions: Iterable[str], *, priority: int = 0, **options: Unpack[AnswerOptions]
    ) -> JobOut:
        """Submit a job that answers questions; get its table with `jobs.answers`."""
        rows = "\n".join(json.dumps({"question": question}, ensure_ascii=False) for question in questions)
        sent = {"questions": ("questions.jsonl", rows.encode(), "application/x-ndjson")}
        fields = {"settings": json.dumps({**self._view, **options}, ensure_ascii=False), "priority": str(priority)}
        return JobOut.model_validate(self._client.upload(path(self.name, "questions"), files=sent, data=fields))

    def traces(self, *, first: int = 0, count: int = 20) -> TracesOut:
        """A page of traces of questions, newest first."""
        return TracesOut.model_validate(self._client.get(path(self.name, "traces"), first=first, count=count))

    def trace(self, trace_id: str) -> Trace:
        """The trace of an answer, with all steps."""
        return from_json(Trace, self._client.get(path(self.name, "traces", trace_id)))

    def kept_answer(self, trace_id: str) -> KeptAnswerOut:
        """The stored answer of a trace."""
        return from_json(KeptAnswerOut, self._client.get(path(self.name, "traces", trace_id, "answer")))

    def report(self, trace_id: str, *, thread: bool = False, format: Literal["docx", "pdf"] = "docx") -> bytes:
        """The stored answer of a trace, or all of its thread, as a Word file (DOCX) or a PDF."""
        kind = "threads" if thread else "traces"
        with self._client.download(f"{path(self.name, kind, trace_id, 'report')}?format={format}") as response:
            return b"".join(response.iter_bytes())

    def dependency(self, trace_id: str) -> AnswerDependency:
        """The documents that the stored answer of a trace depends on."""
        return from_json(AnswerDependency, self._client.get(path(self.name, "traces", trace_id, "dependency")))

    def receipt(self, trace_id: str) -> Receipt:
        """The stored answer of a trace with what it rests on, signed where the server has a key."""
        return Receipt.model_validate(self._client.get(path(self.name, "traces", trace_id, "receipt")))

    def verify(self, receipt: Receipt) -> VerifiedOut:
        """What of a receipt holds on this workspace as it is now."""
        body = receipt.model_dump(mode="json")
        return VerifiedOut.model_validate(self._client.post(path(self.name, "receipts", "verify"), body))

    # ---- evaluate, transfer

    def eval(
        self,
        questions: bytes | Iterable[Mapping[str, Any]],
        *,
        methods: Sequence[Method] = (),
        weights: Sequence[float] = (),
        limit: int | None = None,
        progress: OnProgress | None = None,
    ) -> EvaluationOut:
        """Evaluate the methods on questions with known answers, given as JSON Lines or as rows."""
        rows = questions if isinstance(questions, bytes) else _lines(questions)
        params: dict[str, Any] = {"methods": list(methods), "weights": list(weights), "limit": limit}
        sent = {"questions": ("questions.jsonl", rows, "application/x-ndjson")}
        data = {name: value for name, value in params.items() if value}
        return EvaluationOut.model_validate(self._long("evaluate", "evaluation", progress, files=sent, data=data))

    def evaluations(self, *, first: int = 0, count: int = 100) -> EvaluationsOut:
        """A page of earlier evaluations, newest first."""
        return EvaluationsOut.model_validate(self._client.get(path(self.name, "evaluations"), first=first, count=count))

    def stats(self) -> StatsOut:
        """Counts of the workspace."""
        return StatsOut.model_validate(self._client.get(path(self.name, "stats")))

    def export(
        self, file: FileOrFolder | BinaryIO, *, format: Literal["canonical", "graphml", "csv"] = "canonical"
    ) -> str:
        """Write the workspace to a file or stream; returns the sha256. A file given by path appears only when it is
        complete. Of a view (`seen`) `canonical` only where it shows whole documents."""
        address = f"{path(self.name, 'export')}?format={format}"
        if isinstance(file, str | os.PathLike):
            with written_to(Path(file).expanduser()) as opened:
                return str(self._client.save(address, opened)["sha256"])
        return str(self._client.save(address, file)["sha256"])

    def export_hash(self) -> Exported:
        """The sha256 of the canonical export; equal for equal content."""
        return from_json(Exported, self._client.get(path(self.name, "export", "hash")))

    def import_(self, file: FileOrFolder | BinaryIO, *, progress: OnProgress | None = None) -> Imported:
        """Import a canonical export into this workspace, which must be new or empty. Raises InputError."""
        if isinstance(file, str | os.PathLike):
            try:
                with Path(file).expanduser().open("rb") as opened:
                    return self.import_(opened, progress=progress)
            except OSError as error:
                cause = f"{file} cannot be read ({error.strerror or error})."
                raise InputError(cause, cure="Check the path.") from error
        sent = {"file": ("export.jsonl", file, "application/x-ndjson")}
        return from_json(Imported, self._long("import", "imported", progress, files=sent))

    def reembed(self, embedder: str = "", *, progress: OnProgress | None = None) -> ReembedOut:
        """Recompute the vectors with the server's embedder, or with the one given."""
        reply = self._long("reembed", "reembedded", progress, json={"embedder": embedder})
        return ReembedOut.model_validate(reply)

    def move(self, shard: str, *, progress: OnProgress | None = None) -> Moved:
        """Move the workspace to another Neo4j server of FILIGRAPH_NEO4J_SHARDS, or home."""
        return from_json(Moved, self._long("move", "moved", progress, json={"shard": shard}))

    # ---- helpers

    def _long(self, what: str, last: str, progress: OnProgress | None, **request: Any) -> dict[str, Any]:
        """Stream a request and report progress; returns the payload `last` of its final event."""
        result: dict[str, Any] = {}
        for event in self._client.stream(path(self.name, what), **request):
            emit(progress, event)
            result = event.get(last) or result
        return result

    def _collected(
        self,
        paths: Sequence[FileOrFolder],
        texts: Mapping[str, str | bytes] | None,
        metadata: Mapping[str, str] | None,
        extras: Mapping[str, bytes],
    ) -> tuple[CollectedFiles, int]:
        """The files to send, and the maximum bytes of files per request. Raises InputError if there are none."""
        limit = int(self._client.health()["max_upload_bytes"]) - REQUEST_SPARE - sum(map(len, extras.values()))
        collected = collect([Path(source_path) for source_path in paths], leave_out=[], limit=limit, metadata=metadata)
        for name, text in (texts or {}).items():
            content = text.encode("utf-8", "replace") if isinstance(text, str) else text
            upload = FileToSend(
                path=Path(), name=name, size=len(content), metadata=dict(metadata or {}), content=content
            )
            collected.uploads.append(upload)
        if not collected.uploads and not collected.skipped:
            raise InputError("There is nothing to read.", cure="Give files, folders with files, or texts.")
        return collected, limit


def _extras(triples: bytes | None, aliases: bytes | None) -> dict[str, bytes]:
    return {name: content for name, content in (("triples", triples), ("aliases", aliases)) if content is not None}


def _cast_field(cast: bool | None) -> dict[str, str]:
    return {} if cast is None else {"cast": str(cast).lower()}


def _cut_fields(cut: CutOptions) -> dict[str, str]:
    """Chunking options as form fields of a request."""
    return {name: str(value) for name, value in cut.items()}


def _check_none_skipped(total: ReportDict) -> None:
    for skipped in total["skipped"]:
        raise InputError(f"{skipped['source']}: {skipped['cause']}", cure=skipped["cure"])


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "\n".join(json.dumps(dict(row), ensure_ascii=False) for row in rows).encode()
