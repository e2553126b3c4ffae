"""`Filigraph`: a client for one server.

    with Filigraph("http://127.0.0.1:8484", key="KEY") as filigraph:
        case = filigraph.workspace("case")
        case.ingest("letters/")
        answer = case.ask("Pourquoi se méfier de Jules ?")
        print(answer.text, answer.paths[0].text)

Methods are named like the commands and return the response models of the REST API. Errors are raised as
`FiligraphError` with a cause and a cure (graph/errors.py). Thread-safe.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import httpx

from filigraph.app.client.addresses import job_path, key_path, path, split_view
from filigraph.app.client.events import OnProgress, ProgressEvent
from filigraph.app.client.rest import Client
from filigraph.app.client.workspace import Workspace
from filigraph.app.schemas.embedding import LateChunkOut, RerankOut, Task
from filigraph.app.schemas.jobs import ItemState, JobItemsOut, JobOut, JobsOut, JobState
from filigraph.app.schemas.keys import AuditOut, KeyOut, KeysOut, NewKeyOut
from filigraph.app.schemas.server import DoctorOut, HealthOut, WorkspaceOut, WorkspacesOut
from filigraph.graph.errors import InputError

Scope = Literal["read", "write", "admin"]


class Filigraph:
    """Client for one server with one key."""

    def __init__(self, url: str = "", *, key: str = "", transport: httpx.BaseTransport | None = None) -> None:
        """`url` and `key` default to FILIGRAPH_URL and FILIGRAPH_KEY. `transport` is passed to httpx. Raises InputError
        without a URL."""
        url = url or os.environ.get("FILIGRAPH_URL", "")
        if not url:
            raise InputError("No server is named.", cure='Filigraph("http://127.0.0.1:8484"), or set FILIGRAPH_URL.')
        self._client = Client(url, key=key or os.environ.get("FILIGRAPH_KEY", ""), transport=transport)
        self.jobs = Jobs(self._client)
        self.keys = Keys(self._client)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Filigraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The URL of the server."""
        return self._client.url

    def workspace(self, name: str = "default") -> Workspace:
        """A workspace by name, or a view of one ("estate@before-the-fire"). It need not exist: the first ingest creates
        it."""
        name, view = split_view(name)
        return Workspace(self._client, name, {"named": view} if view else None)

    def workspaces(self) -> list[WorkspaceOut]:
        """The workspaces that the key may access, sorted by name."""
        return WorkspacesOut.model_validate(self._client.get("/v1/workspaces", count=10_000)).workspaces

    def create_workspace(self, name: str) -> Workspace:
        """Create a workspace; an existing one is unchanged."""
        self._client.put(path(name), {})
        return self.workspace(name)

    def delete_workspace(self, name: str, *, confirm: str) -> None:
        """Delete a workspace with its content; `confirm` must repeat its name."""
        self._client.delete(f"{path(name)}?{httpx.QueryParams(confirm=confirm)}")

    def health(self) -> HealthOut:
        """The health of the server."""
        return HealthOut.model_validate(self._client.health())

    def doctor(self) -> DoctorOut:
        """The server's diagnostic checks, with cures."""
        return DoctorOut.model_validate(self._client.get("/v1/doctor"))

    def rerank(self, query: str, documents: list[str]) -> RerankOut:
        """Score documents for a query with the server's cross-encoder. Raises NotSetUp if none is loaded."""
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
        """Pieces of texts with vectors by late chunking: the server's embedder reads each text whole, then cuts it."""
        body = {"texts": texts, "strategy": strategy, "chunk_size": chunk_size, "overlap": overlap, "task": task}
        return LateChunkOut.model_validate(self._client.post("/v1/embed_late_chunk", body))

    def audit(self, *, workspace: str = "", by: str = "", count: int = 100) -> AuditOut:
        """The audit log, newest entries first."""
        params = {"limit": count, "workspace": workspace or None, "by": by or None}
        return AuditOut.model_validate(self._client.get("/v1/audit", **_without_none(params)))


class Jobs:
    """Background jobs of the server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self, *, workspace: str | None = None, state: JobState | None = None, first: int = 0, count: int = 100
    ) -> JobsOut:
        """A page of jobs, newest first, without reports."""
        params = {"workspace": workspace, "state": state, "first": first, "count": count}
        return JobsOut.model_validate(self._client.get("/v1/jobs", **_without_none(params)))

    def show(self, job_id: str) -> JobOut:
        """A job with its progress and report."""
        return JobOut.model_validate(self._client.get(job_path(job_id)))

    def items(self, job_id: str, *, state: ItemState | None = None, first: int = 0, count: int = 100) -> JobItemsOut:
        """A page of the files or questions of a job; with `state="failed"` the failed ones, with their errors."""
        params = {"state": state, "first": first, "count": count}
        return JobItemsOut.model_validate(self._client.get(job_path(job_id, "items"), **_without_none(params)))

    def watch(self, job_id: str) -> Iterator[JobOut]:
        """Yield the job at each change until it ends. Closing the iterator does not cancel the job."""
        for event in self._client.stream(job_path(job_id, "events"), method="GET"):
            yield JobOut.model_validate({"report": None, **event["job"]})

    def wait(self, job_id: str, progress: OnProgress | None = None) -> JobOut:
        """Wait until the job ends; returns it with its report."""
        for job in self.watch(job_id):
            if progress and job.progress:
                now = job.progress
                progress(ProgressEvent(stage=now.stage, done=now.chunks, total=now.chunks_total, message=now.message))
        return self.show(job_id)

    def answers(self, job_id: str) -> str:
        """The answers so far of a job of questions, as CSV."""
        return self._client.text(job_path(job_id, "answers"))

    def cancel(self, job_id: str) -> JobOut:
        """Cancel a job. What it has read stays in the workspace."""
        return JobOut.model_validate(self._client.post(job_path(job_id, "cancel"), {}))

    def retry(self, job_id: str) -> JobOut:
        """Retry the failed items of a job, or the remaining ones of a cancelled job."""
        return JobOut.model_validate(self._client.post(job_path(job_id, "retry"), {}))

    def remove(self, job_id: str) -> JobOut:
        """Remove an ended job. What it has read stays in the workspace."""
        return JobOut.model_validate(self._client.delete(job_path(job_id)))


class Keys:
    """API keys of the server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(self) -> list[KeyOut]:
        """The keys, without their secrets."""
        return KeysOut.model_validate(self._client.get("/v1/keys", count=1000)).keys

    def create(
        self, name: str, *, scope: Scope = "read", workspace: str = "", view: Mapping[str, Any] | None = None
    ) -> NewKeyOut:
        """Create a key; its secret is returned only once. After the first key, every request needs one. A `view` limits
        it to a part of the workspace."""
        body = {"name": name, "scope": scope, "workspace": workspace, "view": view}
        reply = self._client.post("/v1/keys", body)
        return NewKeyOut.model_validate(reply)

    def rotate(self, name: str) -> NewKeyOut:
        """Replace the secret of a key; the old one is invalid at once."""
        return NewKeyOut.model_validate(self._client.post(key_path(name, "rotate"), {}))

    def revoke(self, name: str) -> KeyOut:
        """Revoke a key."""
        return KeyOut.model_validate(self._client.delete(key_path(name)))


def _without_none(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}
