"""`Filigraph`: a server, from Python.

    with Filigraph("http://127.0.0.1:8484", key="KEY") as filigraph:
        case = filigraph.workspace("case")
        case.ingest("letters/")
        answer = case.ask("Pourquoi se méfier de Jules ?")
        print(answer.text, answer.paths[0].text)

Methods bear the names of the commands, and give the response models of the REST API. What goes wrong is raised as a
`FiligraphError` with a cause and a cure (graph/errors.py). One object serves many threads.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Literal

import httpx

from filigraph.app.client.addresses import job_path, key_path, path
from filigraph.app.client.events import OnProgress, ProgressEvent
from filigraph.app.client.rest import Client
from filigraph.app.client.workspace import Workspace
from filigraph.app.routes.embedding_schemas import LateChunkOut, Task
from filigraph.app.routes.job_schemas import ItemState, JobItemsOut, JobOut, JobsOut, JobState
from filigraph.app.routes.key_schemas import AuditOut, KeyOut, KeysOut, NewKeyOut
from filigraph.app.routes.question_schemas import RerankOut
from filigraph.app.routes.server_schemas import DoctorOut, HealthOut, WorkspaceOut, WorkspacesOut
from filigraph.graph.errors import InputError

Scope = Literal["read", "write", "admin"]


class Filigraph:
    """One server, and one key to it."""

    def __init__(self, url: str = "", *, key: str = "", transport: httpx.BaseTransport | None = None) -> None:
        """Left out, `url` and `key` are those of FILIGRAPH_URL and FILIGRAPH_KEY. `transport` is httpx's. Raises
        InputError where no server is named."""
        url = url or os.environ.get("FILIGRAPH_URL", "")
        if not url:
            raise InputError("No server is named.", cure='Filigraph("http://127.0.0.1:8484"), or set FILIGRAPH_URL.')
        self._client = Client(url, key=key or os.environ.get("FILIGRAPH_KEY", ""), transport=transport)
        self.jobs = Jobs(self._client)
        self.keys = Keys(self._client)

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def __enter__(self) -> Filigraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The server's address."""
        return self._client.url

    def workspace(self, name: str = "default") -> Workspace:
        """A workspace, which need not be there yet: the first ingest makes it."""
        return Workspace(self._client, name)

    def workspaces(self) -> list[WorkspaceOut]:
        """The workspaces that the key opens, by name."""
        return WorkspacesOut.model_validate(self._client.get("/v1/workspaces", count=10_000)).workspaces

    def create_workspace(self, name: str) -> Workspace:
        """Make a workspace; one that is there stays as it is."""
        self._client.put(path(name), {})
        return self.workspace(name)

    def delete_workspace(self, name: str, *, confirm: str) -> None:
        """Delete a workspace with all that is in it; `confirm` is its name once more."""
        self._client.delete(f"{path(name)}?{httpx.QueryParams(confirm=confirm)}")

    def health(self) -> HealthOut:
        """How the server is."""
        return HealthOut.model_validate(self._client.health())

    def doctor(self) -> DoctorOut:
        """What works there and what does not, each with its cure."""
        return DoctorOut.model_validate(self._client.get("/v1/doctor"))

    def rerank(self, query: str, documents: list[str]) -> RerankOut:
        """How well texts answer, by the server's cross-encoder. Raises NotSetUp where none is loaded."""
        return RerankOut.model_validate(self._client.post("/v1/rerank", {"query": query, "documents": documents}))

    def embed_late_chunk(
        self,
        texts: list[str],
        *,
        strategy: Literal["paragraph", "sentence", "fixed"] = "sentence",
        chunk_size: int = 128,
        overlap: int = 0,
        task: Task = "passage",
    ) -> LateChunkOut:
        """Pieces of texts with their vectors, by the server's embedder: each text is read whole, then cut."""
        asked = {"texts": texts, "strategy": strategy, "chunk_size": chunk_size, "overlap": overlap, "task": task}
        return LateChunkOut.model_validate(self._client.post("/v1/embed_late_chunk", asked))

    def audit(self, *, workspace: str = "", by: str = "", count: int = 100) -> AuditOut:
        """Who changed what, the newest first."""
        asked = {"limit": count, "workspace": workspace or None, "by": by or None}
        return AuditOut.model_validate(self._client.get("/v1/audit", **_given(asked)))


class Jobs:
    """Work that goes on in the server by itself."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self, *, workspace: str | None = None, state: JobState | None = None, first: int = 0, count: int = 100
    ) -> JobsOut:
        """Jobs, the newest first, without their reports."""
        asked = {"workspace": workspace, "state": state, "first": first, "count": count}
        return JobsOut.model_validate(self._client.get("/v1/jobs", **_given(asked)))

    def show(self, job_id: str) -> JobOut:
        """How far a job is, and what it did."""
        return JobOut.model_validate(self._client.get(job_path(job_id)))

    def items(self, job_id: str, *, state: ItemState | None = None, first: int = 0, count: int = 100) -> JobItemsOut:
        """Its files or questions; with `state="failed"` those that failed, and why."""
        asked = {"state": state, "first": first, "count": count}
        return JobItemsOut.model_validate(self._client.get(job_path(job_id, "items"), **_given(asked)))

    def watch(self, job_id: str) -> Iterator[JobOut]:
        """The job whenever it changes, last as it ended. Who stops listening ends the watching, not the job."""
        for event in self._client.stream(job_path(job_id, "events"), method="GET"):
            yield JobOut.model_validate({"report": None, **event["job"]})

    def wait(self, job_id: str, progress: OnProgress | None = None) -> JobOut:
        """The job as it ended."""
        for job in self.watch(job_id):
            if progress and job.progress:
                now = job.progress
                progress(ProgressEvent(stage=now.stage, done=now.chunks, total=now.chunks_total, message=now.message))
        return self.show(job_id)

    def answers(self, job_id: str) -> str:
        """Of questions that a job answers: its answers so far, as CSV."""
        return self._client.text(job_path(job_id, "answers"))

    def cancel(self, job_id: str) -> JobOut:
        """End it. What was read stays."""
        return JobOut.model_validate(self._client.post(job_path(job_id, "cancel"), {}))

    def retry(self, job_id: str) -> JobOut:
        """Do again what failed, or what is left of one that was cancelled."""
        return JobOut.model_validate(self._client.post(job_path(job_id, "retry"), {}))

    def remove(self, job_id: str) -> JobOut:
        """Forget one that has ended. What it read stays."""
        return JobOut.model_validate(self._client.delete(job_path(job_id)))


class Keys:
    """Who may use the server, and for what."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(self) -> list[KeyOut]:
        """The keys, without their secrets."""
        return KeysOut.model_validate(self._client.get("/v1/keys", count=1000)).keys

    def create(self, name: str, *, scope: Scope = "read", workspace: str = "") -> NewKeyOut:
        """Make a key; its secret is shown this once. From the first one on, every request needs a key."""
        made = self._client.post("/v1/keys", {"name": name, "scope": scope, "workspace": workspace})
        return NewKeyOut.model_validate(made)

    def rotate(self, name: str) -> NewKeyOut:
        """Give a key a new secret; the old one ends at once."""
        return NewKeyOut.model_validate(self._client.post(key_path(name, "rotate"), {}))

    def revoke(self, name: str) -> KeyOut:
        """End a key."""
        return KeyOut.model_validate(self._client.delete(key_path(name)))


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}
