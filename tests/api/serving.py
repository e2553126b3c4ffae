"""A real server on loopback around a service with hand-written answers, to test the REST layer itself."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import httpx
import uvicorn
import uvicorn.server

from filigraph.app import runtime
from filigraph.app.access.audit_log import AuditLog
from filigraph.app.access.keys import LOCAL, Caller, Keys
from filigraph.app.runtime import Runtime
from filigraph.app.schemas.server import Check
from filigraph.app.server import create_app, server_config
from filigraph.app.service import context, documents, preparation, traces, workspace_locks, workspaces
from filigraph.app.service import service as service_module
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.graph import contradiction_cache
from filigraph.app.service.ingestion import IngestRequest
from filigraph.app.service.jobs import coordinator, requests
from filigraph.app.service.pricing import Priced
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings
from filigraph.graph.errors import LocalNeo4jError, NotFound, NotSetUp
from filigraph.graph.ingest.extract.schema import ExtractionSchema, default_schema
from filigraph.graph.ingest.report import Estimate, IngestReport, Progress, Skipped
from filigraph.graph.model.answers import Answer, Ended, Look, Message, Round, Unsupported
from filigraph.graph.model.documents import Source
from filigraph.graph.model.retrieval import Evidence, Hop, Path, Retrieved
from filigraph.graph.model.traces import Trace, TraceStep
from filigraph.graph.model.usage import Usage
from filigraph.graph.process.gc_tuning import FrozenObjects
from filigraph.graph.records.documents import Gap
from filigraph.graph.records.summaries import MissingSummaries
from filigraph.graph.records.workspaces import EvaluationRow, Imported, WorkspaceRow
from filigraph.graph.store import AccessKey, AuditEntry, JobItem, JobRow
from tests.patience import PATIENCE

TRACE = Trace(
    id="trace-1",
    workspace="case",
    question="Pourquoi ?",
    steps=(TraceStep(name="embed", milliseconds=1.5, inputs={"language": "fr"}, outputs={"segments": []}),),
    settings={"depth": 4},
)
CHUNK = Evidence(
    id="chunk-1",
    kind="chunk",
    text="Jules porte une chevalière.\x1b[31m",
    document_id="document-1",
    title="Lettre",
    source="lettre.txt",
    place="page 1",
    score=1.0,
    kept_by="graph",
    branches=("walk", "facts"),
)
PATH = Path(
    id="path-1",
    hops=(
        Hop(
            kind="fact",
            subject="Jules",
            predicate="porte",
            object="chevalière",
            subject_id="entity-1",
            object_id="entity-2",
            chunk_id="chunk-1",
            sentence="Jules porte une chevalière.",
            start=0,
            end=27,
            score=0.5,
            fact_id="fact-1",
        ),
    ),
    score=0.9,
    text="Jules porte chevalière",
    cypher="MATCH (n) RETURN n",
)
RETRIEVED = Retrieved(question="Pourquoi ?", language="fr", evidence=(CHUNK,), paths=(PATH,), trace=TRACE)


FIGURES = {
    "recall@2": 0.5,
    "recall@5": 0.75,
    "recall@10": 1.0,
    "precision@2": 0.45,
    "precision@5": 0.35,
    "precision@10": 0.2,
    "r_precision": 0.4,
    "mrr": 0.6,
    "all_gold@5": 0.25,
    "mean_ms": 21.4,
    "p50_ms": 12.3,
    "p95_ms": 45.6,
}
METHODS = dict.fromkeys(("bm25", "filigraph"), FIGURES)
EVALUATION = EvaluationRow(
    id="run-1",
    at=datetime(2026, 11, 21, 15, 5, tzinfo=UTC),
    body={
        "workspace": "case",
        "version": "0.1.0",
        "embedder": "words",
        "reranker": "",
        "question_set": "0123456789ab",
        "passages": 4,
        "chunks": 5,
        "entities": 7,
        "facts": 6,
        "questions": 2,
        "skipped": 1,
        "problems": ["line 3: no question"],
        "index_seconds": {"embed": 1.5},
        "indexed_passages": 4,
        "methods": METHODS,
        "targets": {
            method: {"recall@5": False, "precision@5": False, "mrr": False, "mean_ms": True} for method in METHODS
        },
        "highest_precision": 0.4,
        "by_type": {kind: {"questions": 1, "methods": METHODS} for kind in ("bridge", "single")},
        "path_coverage@1": {"bridge": 0.5, "comparison": None},
        "path_coverage@3": {"bridge": 1.0, "comparison": None},
        "fact_connected": 0.9,
        "gains": {"bm25": {"mean": 0.105, "low": 0.066, "high": 0.146}},
        "without_path": 0.1,
        "answer_said@1": 0.4,
        "answer_said@3": 0.6,
        "unanswerable": 2,
        "refused": 0.5,
    },
)


ESTIMATE = Priced(
    estimate=Estimate(
        documents=1,
        unchanged=("b.txt", "c.txt"),
        skipped=(Skipped(source="bad.bin", cause="It is binary.", cure="Send text."),),
        chunks=400,
        kept=100,
        usage=Usage(calls=300, tokens_in=270_000, tokens_out=90_000),
        sample=(),
    ),
    extractor="llm:mistral",
    usage=Usage(calls=300, tokens_in=270_000, tokens_out=36_000),
    seconds=5_400.0,
    cost=0.0612,
)
GAP = Gap(
    chunk_id="chunk-1",
    document_id="document-1",
    source="lettre.txt",
    index=2,
    place="page 1",
    extractor="llm:mistral",
    unread=True,
    reason="The LLM gave no answer: it was too slow",
    excerpt="Quelle nuit !",
)


JOB = JobRow(
    id="job-1",
    workspace="case",
    kind="ingest",
    state="partial",
    priority=0,
    options={},
    created=datetime(2026, 11, 21, 15, 5, tzinfo=UTC),
    started=datetime(2026, 11, 21, 15, 6, tzinfo=UTC),
    finished=datetime(2026, 11, 21, 15, 7, tzinfo=UTC),
    items=2,
    failed=1,
    unread=False,
    attempts=2,
    progress={
        "stage": "finish",
        "message": "",
        "documents": 2,
        "documents_total": 2,
        "chunks": 3,
        "chunks_total": 3,
        "facts": 4,
        "rate": 1.5,
        "seconds_left": None,
    },
    report=None,
    code="",
    cause="",
    cure="",
    cancelling=False,
)
BAD_FILE = JobItem(id="job-1/1", number=1, name="bad.bin", state="failed", cause="It is binary.", cure="Send text.")


def answer(text: str = "Parce que. [1]", *, vector_only: Answer | None = None) -> Answer:
    return Answer(
        question="Pourquoi ?",
        text=text,
        generated=True,
        model="scripted",
        citations=(CHUNK,),
        paths=(PATH,),
        unsupported=(Unsupported(kind="name", text="Parce", start=0, end=5),),
        missing="Who gave it to him.",
        trace=TRACE,
        vector_only=vector_only,
    )


class _Rows:
    """The keys that a test wrote down, where the stored ones would be."""

    def __init__(self, service: HandMade) -> None:
        self._service = service

    def all(self) -> list[AccessKey]:
        self._service.fail()
        return self._service.key_rows


class _Audit:
    """The audit log in a list."""

    def __init__(self, service: HandMade) -> None:
        self._service = service

    def write(self, entry: AuditEntry) -> None:
        self._service.audited.append(entry)

    def sweep(self, before: datetime) -> None:
        """Nothing is old."""

    def newest(self, limit: int, **chosen: Any) -> list[AuditEntry]:
        self._service.fail()
        return self._service.audited[::-1][:limit]


PARTS = (
    "ingestion",
    "questions",
    "evaluations",
    "corrections",
    "browse",
    "transfer",
    "jobs",
    "workspaces",
    "documents",
)


class HandMade(Service):
    """Answers what it was told to, or raises it; keeps what it was given."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(Runtime(settings or Settings(), _no_neo4j))
        for part in PARTS:
            setattr(self, part, self)  # whatever is asked of a part is answered here
        self.key_rows: list[AccessKey] = []
        self.workspace_names: list[str] = []
        self.trace_id = ""
        self.keys = Keys(lambda work: work(_Rows(self)), public=self.runtime.settings.public)  # type: ignore[arg-type]
        self.audited: list[AuditEntry] = []
        self.audit = AuditLog(lambda work: work(_Audit(self)), days=1)  # type: ignore[arg-type]
        self.error: Exception | None = None  # raised by whatever is called
        self.late_error: Exception | None = None  # raised after the first event
        self.hold = threading.Event()  # work waits for this, or to be cancelled
        self.hold.set()
        self.working = threading.Event()  # work has begun
        self.cancelled = threading.Event()  # work was told that nobody waits for it
        self.ended: Ended = ""  # how a question ends
        self.got: list[Source] = []
        self.told: dict[str, Any] = {}
        self.asked: tuple[str, list[Message]] = ("", [])
        self.rounds: tuple[Round, ...] = ()  # in which an LLM looks for more

    def close(self) -> None:
        self.runtime.close()

    def start(self) -> None:
        """Nothing to start."""

    def fail(self) -> None:
        if self.error:
            raise self.error

    def work(self, cancelled: Callable[[], bool]) -> None:
        self.working.set()
        while not self.hold.wait(0.01):
            if cancelled():
                self.cancelled.set()
                return
        if self.late_error:
            raise self.late_error

    def doctor(self) -> list[Check]:
        self.fail()
        return [
            Check(name="Neo4j", state="broken", essential=True, detail="It is gone.", cure="Start it.", code="gone")
        ]

    def list_workspaces(self) -> list[Any]:
        self.fail()
        vectors = {"fingerprint": "words", "dimensions": 8}
        return [WorkspaceRow(name=name, id=name, label="W", **vectors) for name in self.workspace_names]  # type: ignore[arg-type]

    def ingest(
        self,
        workspace: str,
        request: IngestRequest,
        watcher: ProgressCallbacks,
    ) -> IngestReport:
        self.fail()
        self.told = vars(request)
        self.got = list(request.sources)
        watcher.waiting("Another one runs.")
        for done in range(1, 101):
            watcher.progress(Progress(stage="extract", done=done, total=100))
        self.work(watcher.cancelled)
        bad = Skipped(source="bad.bin", cause="It is binary.", cure="Send text.")
        return IngestReport(added=[source.name for source in self.got], skipped=[bad], seconds={"load": 0.1})

    def ask(
        self,
        workspace: str,
        question: str,
        *,
        settings: Mapping[str, Any],
        on_retrieved: Any,
        on_token: Any,
        cancelled: Any,
        trace_id: str = "",
        history: Sequence[Message] = (),
        thread: str = "",
        on_usage: Callable[[Usage], None] = lambda _: None,
        on_round: Callable[[Round], None] = lambda _: None,
        on_found: Callable[[Round, Look, Sequence[Evidence]], None] = lambda *_: None,
        reader: Caller = LOCAL,
    ) -> Answer:
        self.fail()
        self.told = dict(settings)
        self.asked = (question, list(history))
        self.trace_id = trace_id
        on_usage(Usage(calls=1, tokens_in=30, tokens_out=4))
        on_retrieved(RETRIEVED)
        for one in self.rounds:
            on_round(replace(one, looks=tuple(replace(look, extracts=()) for look in one.looks)))
            for look in one.looks:
                on_found(one, look, RETRIEVED.evidence[:1])
        for word in ("Parce ", "que."):
            on_token(word)
        self.work(cancelled)
        by_vectors = answer("Une chevalière. [1]") if settings["compare"] else None
        return replace(answer(vector_only=by_vectors), ended=self.ended)

    def cancel(self, workspace: str, trace_id: str, **_: Any) -> None:
        self.fail()
        self.ended = "cancelled"
        self.hold.set()

    def retrieve(
        self,
        workspace: str,
        question: str,
        *,
        settings: Mapping[str, Any],
        cancelled: Any,
        trace_id: str = "",
        **_: Any,
    ) -> Retrieved:
        self.fail()
        self.told = dict(settings)
        self.work(cancelled)
        return RETRIEVED

    def trace(self, workspace: str, trace_id: str, **_: Any) -> Trace:
        self.fail()
        return TRACE

    def evaluate(self, workspace: str, questions: bytes, *, watcher: ProgressCallbacks, **told: Any) -> EvaluationRow:
        self.fail()
        self.told = {**told, "workspace": workspace, "questions": questions}
        watcher.waiting("Another one runs.")
        for stage in ("gold", *told["methods"]):
            for done in range(1, 101):
                watcher.progress(Progress(stage=stage, done=done, total=100))
        self.work(watcher.cancelled)
        return EVALUATION

    def list_evaluations(self, workspace: str, *, first: int, count: int) -> tuple[list[EvaluationRow], int]:
        self.fail()
        return [EVALUATION], 1

    def retry(self, workspace: str, *, watcher: ProgressCallbacks, **told: Any) -> IngestReport:
        self.fail()
        self.told = told
        watcher.progress(Progress(stage="extract", done=1, total=1))
        self.work(watcher.cancelled)
        return IngestReport(updated=["letter.txt"], chunks=2, usage=Usage(calls=1, tokens_in=900, tokens_out=120))

    def estimate(self, workspace: str, sources: Iterable[Source], *, watcher: ProgressCallbacks, **told: Any) -> Priced:
        self.fail()
        self.told = told
        self.got = list(sources)
        watcher.waiting("How fast it is, is not known yet.")
        self.work(watcher.cancelled)
        return ESTIMATE

    def import_(self, workspace: str, file: Any, watcher: ProgressCallbacks) -> Imported:
        self.fail()
        self.told = {"bytes": len(file.read())}
        watcher.waiting("Another one runs.")
        self.work(watcher.cancelled)
        return Imported(documents=1, chunks=2, entities=3, facts=4, sha256="0" * 64, same=True, note="")

    def job(self, job_id: str) -> JobRow:
        self.fail()
        return JOB

    submit = submit_questions = submit_deletion = cancel_job = retry_job = remove_job = watch = (  # type: ignore[assignment]
        lambda self, *_, **__: self.job("job-1")
    )

    def list_jobs(self, **chosen: Any) -> tuple[list[JobRow], int]:
        self.fail()
        self.told = chosen
        return [JOB], 1

    def answers(self, job_id: str) -> str:
        self.fail()
        return "number,question\r\n1,Who?\r\n"

    def job_items(self, job_id: str, **chosen: Any) -> tuple[list[JobItem], int]:
        self.fail()
        self.told = chosen
        return [BAD_FILE], 1

    def gaps(self, workspace: str, *, first: int, count: int) -> tuple[list[Gap], int]:
        self.fail()
        return [GAP][first : first + count], 1

    def schema(self, workspace: str) -> ExtractionSchema:
        self.fail()
        return default_schema()

    def set_schema(self, workspace: str, text: str, mode: Any) -> ExtractionSchema:
        self.fail()
        self.told = {"schema": text, "mode": mode}
        return default_schema()

    def export(self, workspace: str, write: Any, cancelled: Any, *, view: Any) -> Any:
        self.fail()
        self.work(cancelled)
        raise NotFound("There is no such workspace.")

    def list_documents(self, workspace: str, **chosen: Any) -> Any:
        raise self.error or NotFound("There is no such workspace.")

    def missing_summaries(self, workspace: str, document_id: str = "", **_: Any) -> MissingSummaries:
        self.fail()
        return MissingSummaries()

    def suggest_folds(self, workspace: str, count: int, cancelled: Any) -> Any:
        self.fail()
        self.work(cancelled)
        return []

    def rerank(self, query: str, documents: Sequence[str], cancelled: Any) -> tuple[str, list[float]]:
        self.fail()
        self.work(cancelled)
        return "tiny", [0.5 for _ in documents]

    def embed_late(self, texts: Sequence[str], *, cancelled: Any, **_: Any) -> Any:
        self.fail()
        self.work(cancelled)
        raise NotSetUp("The embedder tells no tokens.", cure="Load another.")

    facts = document = delete_documents = workspace = create_workspace = delete_workspace = stats = entity = traces = (
        list_documents  # type: ignore[assignment]
    )


@cache
def described_paths() -> dict[str, dict[str, Any]]:
    """The paths of the OpenAPI description, built once for all tests of a worker."""
    paths: dict[str, dict[str, Any]] = create_app(HandMade()).openapi()["paths"]
    return paths


def _no_neo4j() -> Any:
    raise LocalNeo4jError("There is no Neo4j in this test.")


class _Hurried:
    """asyncio as uvicorn gets it here. It looks every 0.1 s whether to end, and waits as long before it does."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    def sleep(self, seconds: float) -> Any:
        return asyncio.sleep(seconds / 20)


uvicorn.server.asyncio = _Hurried()  # type: ignore[assignment, attr-defined]

requests.POLL_SECONDS = workspace_locks.POLL_SECONDS = 0.02  # nobody is to wait for a test
# A machine may stand still for half a minute: nobody takes over from a server that did, and whoever waits for a lock,
# for Neo4j, for what is found beside an answer or for jobs and traces at the end goes on waiting.
coordinator.LEASE = workspace_locks.EXPIRES = 120.0
context.LOCK_TIMEOUT = PATIENCE
documents.LOCK_TIMEOUT = workspaces.LOCK_TIMEOUT = PATIENCE  # type: ignore[attr-defined]
runtime.CONNECT_WAIT_SECONDS = contradiction_cache.ANSWER_WAIT_SECONDS = coordinator.STOP_WAIT_SECONDS = (
    traces.FLUSH_SECONDS
) = PATIENCE
preparation.QUIET_SECONDS = PATIENCE  # nothing is prepared beside a test


class _NothingFrozen(FrozenObjects):
    """Leaves to the collector what `tests/conftest.py` left to it: a look at all that pytest holds takes a second, and
    a server looks when it starts."""

    def begin(self) -> None: ...

    def end(self) -> None: ...


service_module.FrozenObjects = _NothingFrozen  # type: ignore[misc, attr-defined]


@contextmanager
def serving(service: Service) -> Iterator[str]:
    """Serve on a free port of loopback; its address."""
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    config = server_config(service, log_config=None)
    config.timeout_keep_alive = int(PATIENCE)  # a client that keeps a connection for five seconds closes it itself
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextmanager
def client_of(service: Service) -> Iterator[httpx.Client]:
    """A client of a server of its own."""
    # `verify` is of no use on loopback, and loading the certificates takes longer than a request
    with serving(service) as url, httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE, verify=False) as client:
        yield client


def leave(http: httpx.Client, service: HandMade, method: str, path: str, **sent: Any) -> None:
    """Send a request, and go away once it is worked on."""
    request = http.build_request(method, path, **sent)
    lines = [f"{method} {request.url.raw_path.decode()} HTTP/1.1", *(f"{k}: {v}" for k, v in request.headers.items())]
    with socket.create_connection((http.base_url.host, http.base_url.port or 80), timeout=PATIENCE) as client:
        client.sendall("\r\n".join([*lines, "", ""]).encode() + request.read())
        assert service.working.wait(PATIENCE)
