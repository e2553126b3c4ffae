"""`Workspace`: a workspace of a server: read documents in, ask, measure, export."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, Unpack

from filigraph.app.client.addresses import path
from filigraph.app.client.documents import Documents, Entities
from filigraph.app.client.events import AnswerEvent, AskEvent, OnProgress, ask_event, tell
from filigraph.app.client.files import (
    REQUEST_SPARE,
    CollectedFiles,
    FileToSend,
    ReportDict,
    as_jobs,
    collect,
    in_batches,
)
from filigraph.app.client.forms import Forms
from filigraph.app.client.merges import Merges, Predicates
from filigraph.app.client.options import AnswerOptions, AskOptions, CutOptions, Extractor, SearchOptions
from filigraph.app.client.rest import Client, written_to
from filigraph.app.routes.document_schemas import IngestOut, UsageOut
from filigraph.app.routes.evaluation_schemas import EvaluationOut, EvaluationsOut
from filigraph.app.routes.job_schemas import JobOut
from filigraph.app.routes.question_schemas import AnswerOut, KeptAnswerOut, RetrievedOut, TraceOut, TracesOut
from filigraph.app.routes.reading_schemas import EstimateOut, GapsOut, SchemaOut
from filigraph.app.routes.server_schemas import ExportHashOut, ImportOut, ReembedOut, StatsOut
from filigraph.app.routes.summary_schemas import OutlineOut, SharesOut, SummaryReportOut, Writer
from filigraph.graph.errors import InputError
from filigraph.graph.model import Method, Profile

FileOrFolder = str | os.PathLike[str]
COUNTS = ("chunks", "kept_extractions", "triplets", "empty_chunks", "failed_chunks", "entities", "facts")
LISTS = ("added", "updated", "unchanged", "problems", "remarks")


class Workspace:
    """One workspace; its `documents`, `entities`, `merges`, `predicates` and `forms` have methods of their own."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self.name = name
        self.documents = Documents(client, name)
        self.entities = Entities(client, name)
        self.merges = Merges(client, name)
        self.predicates = Predicates(client, name)
        self.forms = Forms(client, name)

    # ---- read in

    def ingest(
        self,
        *paths: FileOrFolder,
        texts: Mapping[str, str | bytes] | None = None,
        metadata: Mapping[str, str] | None = None,
        extractor: Extractor = "auto",
        triples: bytes | None = None,
        aliases: bytes | None = None,
        progress: OnProgress | None = None,
        **cut: Unpack[CutOptions],
    ) -> IngestOut:
        """Read files, folders, and `texts` by name. What is there already is not read again.

        What cannot be used is in `skipped`, with its cause; the rest goes on. `metadata` is of each of them; `triples`
        and `aliases` are files as the command takes them.
        """
        extras = _extras(triples, aliases)
        found, _ = self._collected(paths, texts, metadata, extras)
        total: ReportDict = {name: [] for name in LISTS} | dict.fromkeys(COUNTS, 0)
        total |= {"skipped": list(found.skipped), "notes": {}, "counts": {}, "seconds": {}}
        total["usage"] = UsageOut().model_dump()
        options = {"extractor": extractor, **_told(cut)}
        address = path(self.name, "ingest")
        for event in in_batches(self._client, address, found.uploads, options=options, extras=extras, total=total):
            tell(progress, event)
        return IngestOut.model_validate(total)

    def submit(
        self,
        *paths: FileOrFolder,
        texts: Mapping[str, str | bytes] | None = None,
        metadata: Mapping[str, str] | None = None,
        extractor: Extractor = "auto",
        triples: bytes | None = None,
        aliases: bytes | None = None,
        batch: bool = False,
        summarize: bool = False,
        priority: int = 0,
        **cut: Unpack[CutOptions],
    ) -> list[JobOut]:
        """The same as a job that goes on by itself, or as several where they are too many for one request. With `batch`
        the LLM is asked in batches of its provider: within a day, at a lower price; with `summarize` the summaries are
        brought up to date afterwards. Raises InputError where a file cannot be sent: nobody would be told later."""
        extras = _extras(triples, aliases)
        found, limit = self._collected(paths, texts, metadata, extras)
        total: ReportDict = {"skipped": list(found.skipped)}
        _check_none_skipped(total)
        jobs = as_jobs(
            self._client,
            path(self.name, "jobs"),
            found.uploads,
            options={
                "extractor": extractor,
                **_told(cut),
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
        batch: bool = False,
        summarize: bool = False,
        progress: OnProgress | None = None,
        **cut: Unpack[CutOptions],
    ) -> EstimateOut:
        """What reading them, and summarizing them, would take: calls, tokens, time, cost. Nothing is read in."""
        found, _ = self._collected(paths, None, None, {})
        total: ReportDict = {"skipped": list(found.skipped), "extractor": extractor, "seconds": None, "cost": None}
        total |= dict.fromkeys(("documents", "unchanged", "chunks", "kept"), 0) | {"usage": UsageOut().model_dump()}
        options = {"extractor": extractor, **_told(cut), "batch": str(batch).lower()}
        options["summarize"] = str(summarize).lower()
        address = path(self.name, "estimate")
        for event in in_batches(self._client, address, found.uploads, options=options, extras={}, total=total):
            tell(progress, event)
        return EstimateOut.model_validate(total)

    def retry(self, *, extractor: Extractor = "llm", progress: OnProgress | None = None) -> IngestOut:
        """Read the chunks for which the LLM gave no answer when their documents came."""
        told = self._long("retry", "report", progress, json={"extractor": extractor})
        return IngestOut.model_validate(told)

    def gaps(self, *, first: int = 0, count: int = 1000) -> GapsOut:
        """The chunks that gave no facts, each with its reason."""
        return GapsOut.model_validate(self._client.get(path(self.name, "gaps"), first=first, count=count))

    def schema(self) -> SchemaOut:
        """What the LLM is to look for."""
        return SchemaOut.model_validate(self._client.get(path(self.name, "schema")))

    def set_schema(self, schema: str, *, mode: Literal["guide", "enforce"] | None = None) -> SchemaOut:
        """Say what the LLM is to look for: YAML, or the name of a ready one."""
        body = {"schema": schema, "mode": mode}
        return SchemaOut.model_validate(self._client.put(path(self.name, "schema"), body))

    def remove_schema(self) -> SchemaOut:
        """Look for anything again."""
        return SchemaOut.model_validate(self._client.delete(path(self.name, "schema")))

    def summarize(self, *, writer: Writer = "auto", progress: OnProgress | None = None) -> SummaryReportOut:
        """Bring the summaries up to date: of windows, chapters, documents, folders."""
        return SummaryReportOut.model_validate(self._long("summarize", "report", progress, json={"writer": writer}))

    def submit_summaries(self, *, writer: Writer = "auto") -> JobOut:
        """The same as a job that goes on by itself."""
        return JobOut.model_validate(self._client.post(path(self.name, "summaries"), {"writer": writer}))

    def shares(self) -> SharesOut:
        """What summaries get of a question's budget, by profile."""
        return SharesOut.model_validate(self._client.get(path(self.name, "shares")))

    def set_shares(self, profile: Profile, **shares: float) -> SharesOut:
        """Give a profile other shares, `overview` and `windows`; none: its own again."""
        return SharesOut.model_validate(self._client.put(path(self.name, "shares", profile), shares))

    def outline(self, document_id: str = "", *, lowest: int = 1) -> OutlineOut:
        """What a document says in short, level by level; without one, the folders."""
        asked = {"document_id": document_id, "lowest": lowest}
        return OutlineOut.model_validate(self._client.get(path(self.name, "outline"), **asked))

    # ---- ask

    def ask(self, question: str, **options: Unpack[AskOptions]) -> AnswerOut:
        """Answer a question, with citations and the paths that were walked."""
        body = {"question": question, **options}
        return AnswerOut.model_validate(self._client.post(path(self.name, "ask"), body))

    def stream(self, question: str, **options: Unpack[AskOptions]) -> Iterator[AskEvent]:
        """The answer as it comes: the evidence, each piece of the text, and last the whole. Who stops listening stops
        the work."""
        body = {"question": question, "stream": True, **options}
        for event in self._client.stream(path(self.name, "ask"), json=body):
            if told := ask_event(event):
                yield told
                if isinstance(told, AnswerEvent):
                    return

    def retrieve(self, question: str, **options: Unpack[SearchOptions]) -> RetrievedOut:
        """The evidence and the paths for a question, without an answer."""
        body = {"question": question, **options}
        return RetrievedOut.model_validate(self._client.post(path(self.name, "retrieve"), body))

    def submit_questions(
        self, questions: Iterable[str], *, priority: int = 0, **options: Unpack[AnswerOptions]
    ) -> JobOut:
        """Have many questions answered by a job; `jobs.answers` gives its table."""
        rows = "\n".join(json.dumps({"question": question}, ensure_ascii=False) for question in questions)
        sent = {"questions": ("questions.jsonl", rows.encode(), "application/x-ndjson")}
        fields = {"settings": json.dumps(options, ensure_ascii=False), "priority": str(priority)}
        return JobOut.model_validate(self._client.upload(path(self.name, "questions"), files=sent, data=fields))

    def traces(self, *, first: int = 0, count: int = 20) -> TracesOut:
        """The questions that were asked, the newest first."""
        return TracesOut.model_validate(self._client.get(path(self.name, "traces"), first=first, count=count))

    def trace(self, trace_id: str) -> TraceOut:
        """Every step of an answer."""
        return TraceOut.model_validate(self._client.get(path(self.name, "traces", trace_id)))

    def kept_answer(self, trace_id: str) -> KeptAnswerOut:
        """An answer as it was given."""
        return KeptAnswerOut.model_validate(self._client.get(path(self.name, "traces", trace_id, "answer")))

    # ---- measure, move

    def eval(
        self,
        questions: bytes | Iterable[Mapping[str, Any]],
        *,
        methods: Sequence[Method] = (),
        weights: Sequence[float] = (),
        limit: int | None = None,
        progress: OnProgress | None = None,
    ) -> EvaluationOut:
        """Measure the methods on questions with known answers: JSON lines, or their rows."""
        rows = questions if isinstance(questions, bytes) else _lines(questions)
        asked: dict[str, Any] = {"methods": list(methods), "weights": list(weights), "limit": limit}
        sent = {"questions": ("questions.jsonl", rows, "application/x-ndjson")}
        data = {name: value for name, value in asked.items() if value}
        return EvaluationOut.model_validate(self._long("evaluate", "evaluation", progress, files=sent, data=data))

    def evaluations(self, *, first: int = 0, count: int = 100) -> EvaluationsOut:
        """What earlier runs measured, the last one first."""
        return EvaluationsOut.model_validate(self._client.get(path(self.name, "evaluations"), first=first, count=count))

    def stats(self) -> StatsOut:
        """How much is there."""
        return StatsOut.model_validate(self._client.get(path(self.name, "stats")))

    def export(
        self, file: FileOrFolder | BinaryIO, *, format: Literal["canonical", "graphml", "csv"] = "canonical"
    ) -> str:
        """Write the workspace to a file; its sha256. A file that is named is there only once it is whole."""
        address = f"{path(self.name, 'export')}?format={format}"
        if isinstance(file, str | os.PathLike):
            with written_to(Path(file).expanduser()) as opened:
                return str(self._client.save(address, opened)["sha256"])
        return str(self._client.save(address, file)["sha256"])

    def export_hash(self) -> ExportHashOut:
        """The sha256 of the canonical export: the same for the same content."""
        return ExportHashOut.model_validate(self._client.get(path(self.name, "export", "hash")))

    def import_(self, file: FileOrFolder | BinaryIO, *, progress: OnProgress | None = None) -> ImportOut:
        """Make this workspace, which must be new or empty, from a canonical export."""
        if isinstance(file, str | os.PathLike):
            try:
                with Path(file).expanduser().open("rb") as opened:
                    return self.import_(opened, progress=progress)
            except OSError as error:
                cause = f"{file} cannot be read ({error.strerror or error})."
                raise InputError(cause, cure="Check the path.") from error
        sent = {"file": ("export.jsonl", file, "application/x-ndjson")}
        return ImportOut.model_validate(self._long("import", "imported", progress, files=sent))

    def reembed(self, embedder: str = "", *, progress: OnProgress | None = None) -> ReembedOut:
        """Give it the vectors of the server's embedder, or of the one that is named."""
        told = self._long("reembed", "reembedded", progress, json={"embedder": embedder})
        return ReembedOut.model_validate(told)

    # ---- small things

    def _long(self, what: str, last: str, progress: OnProgress | None, **request: Any) -> dict[str, Any]:
        """The last event of long work."""
        result: dict[str, Any] = {}
        for event in self._client.stream(path(self.name, what), **request):
            tell(progress, event)
            result = event.get(last) or result
        return result

    def _collected(
        self,
        paths: Sequence[FileOrFolder],
        texts: Mapping[str, str | bytes] | None,
        metadata: Mapping[str, str] | None,
        extras: Mapping[str, bytes],
    ) -> tuple[CollectedFiles, int]:
        """What is to be sent, and how many bytes a request may have."""
        limit = int(self._client.health()["max_upload_bytes"]) - REQUEST_SPARE - sum(map(len, extras.values()))
        found = collect([Path(one) for one in paths], leave_out=[], limit=limit, metadata=metadata)
        for name, text in (texts or {}).items():
            content = text.encode("utf-8", "replace") if isinstance(text, str) else text
            upload = FileToSend(
                path=Path(), name=name, size=len(content), metadata=dict(metadata or {}), content=content
            )
            found.uploads.append(upload)
        if not found.uploads and not found.skipped:
            raise InputError("There is nothing to read.", cure="Give files, folders that hold some, or texts.")
        return found, limit


def _extras(triples: bytes | None, aliases: bytes | None) -> dict[str, bytes]:
    return {name: content for name, content in (("triples", triples), ("aliases", aliases)) if content is not None}


def _told(cut: CutOptions) -> dict[str, str]:
    """How texts are cut, as the form of a request has it."""
    return {name: str(value) for name, value in cut.items()}


def _check_none_skipped(total: ReportDict) -> None:
    for one in total["skipped"]:
        raise InputError(f"{one['source']}: {one['cause']}", cure=one["cure"])


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "\n".join(json.dumps(dict(row), ensure_ascii=False) for row in rows).encode()
