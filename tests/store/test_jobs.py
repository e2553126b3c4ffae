"""Jobs: their files, the lease and the fence that give them to one server at a time, and what a retry does again."""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterator
from dataclasses import replace

import pytest
from neo4j import Driver

from filigraph.graph.errors import InputError, LeaseLost, NotFound
from filigraph.graph.store import Graph, JobClaim, JobRow, Jobs, Store, Upload
from filigraph.graph.store.server import jobs as module

FILES = {"lettre.txt": "Élodie".encode(), "empty.txt": b"", "novel.bin": bytes(range(256)) * 20}


@pytest.fixture
def jobs(store: Store, graph: Graph) -> Iterator[Jobs]:
    yield store.jobs
    store.jobs.remove_workspace(graph.workspace.name)
    for holder in ("a", "b"):
        store.jobs.release_lease(holder)


def submit(jobs: Jobs, graph: Graph, *, priority: int = 0, attached: bool = False) -> JobRow:
    job_id = uuid.uuid4().hex
    jobs.create(job_id, workspace=graph.workspace.name, kind="ingest", priority=priority, options={"strategy": "fixed"})
    uploads = [Upload(name=n, content=io.BytesIO(c), metadata={"date": "1912"}) for n, c in FILES.items()]
    own = [(-1, Upload(name="triples", content=io.BytesIO(b"{}")))] if attached else []
    jobs.add(job_id, [*own, *enumerate(uploads)])
    return jobs.sent(job_id)


def take(jobs: Jobs, holder: str = "a", seconds: float = 60) -> int:
    token = jobs.acquire_or_renew_lease(holder, seconds=seconds)
    assert token is not None
    return token


def claim(jobs: Jobs, job: JobRow, token: int) -> JobClaim:
    assert jobs.claim(job.id, token)
    return JobClaim(job_id=job.id, token=token)


@pytest.mark.parametrize("attached", [True, False])
def test_files_come_back_as_they_were(
    jobs: Jobs, graph: Graph, monkeypatch: pytest.MonkeyPatch, attached: bool
) -> None:
    monkeypatch.setattr(module, "PART_BYTES", 1000)
    monkeypatch.setattr(module, "BATCH_BYTES", 3000)
    monkeypatch.setattr(module, "BATCH_ITEMS", 2)
    before = jobs.bytes_kept()
    job = submit(jobs, graph, attached=attached)
    assert (job.state, job.items, job.options) == ("queued", 3, {"strategy": "fixed"})
    assert job.names == tuple(FILES)
    items = list(jobs.waiting_items(job.id))
    assert [item.number for item in items] == [0, 1, 2]
    assert {item.name: jobs.content(item) for item in items} == FILES
    assert items[0].metadata == {"date": "1912"}
    assert jobs.items(job.id, state=None, first=1, count=1) == ([items[1]], 3)
    assert jobs.attached(job.id) == ({"triples": b"{}"} if attached else {})
    assert jobs.bytes_kept() - before == sum(map(len, FILES.values())) + (2 if attached else 0)
    jobs.remove(job.id)
    assert jobs.bytes_kept() == before
    with pytest.raises(NotFound):
        jobs.job(job.id)


def test_a_job_whose_files_are_still_coming_is_not_seen(jobs: Jobs, graph: Graph) -> None:
    jobs.create("half", workspace=graph.workspace.name, kind="ingest", priority=0, options={})
    jobs.add("half", [(0, Upload(name="a", content=io.BytesIO(b"a")))])
    assert jobs.jobs(workspace=graph.workspace.name, state=None, first=0, count=10) == ([], 0)
    assert "half" not in {job.id for job in jobs.to_run()}
    with pytest.raises(NotFound):
        jobs.job("half")


def test_interrupted_uploads_and_old_jobs_are_swept(jobs: Jobs, graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    before = jobs.bytes_kept()
    jobs.create("half", workspace=graph.workspace.name, kind="ingest", priority=0, options={})
    jobs.add("half", [(0, Upload(name="a", content=io.BytesIO(b"a")))])
    ended, waiting = submit(jobs, graph), submit(jobs, graph)
    jobs.finish(claim(jobs, ended, take(jobs)), "failed")
    jobs.sweep(days=1)
    assert len(jobs.jobs(workspace=graph.workspace.name, state=None, first=0, count=10)[0]) == 2
    monkeypatch.setattr(module, "SENDING_MINUTES", 0)
    jobs.sweep(days=0)
    assert [job.id for job in jobs.jobs(workspace=graph.workspace.name, state=None, first=0, count=10)[0]] == [
        waiting.id
    ]
    jobs.remove(waiting.id)
    assert jobs.bytes_kept() == before


def test_the_highest_priority_is_next_then_the_oldest(jobs: Jobs, graph: Graph) -> None:
    first, second, third = submit(jobs, graph), submit(jobs, graph), submit(jobs, graph, priority=5)
    ours = [job.id for job in jobs.to_run() if job.workspace == graph.workspace.name]
    assert ours == [third.id, first.id, second.id]


def test_one_holds_the_lease_until_it_expires_or_is_given_back(jobs: Jobs) -> None:
    token = take(jobs, "a")
    assert jobs.acquire_or_renew_lease("b", seconds=60) is None
    assert take(jobs, "a") == token, "who holds it keeps it, under the same token"
    jobs.release_lease("a")
    second = take(jobs, "b", seconds=0)
    assert second > token
    assert take(jobs, "a") > second, "it had expired"
    assert jobs.acquire_or_renew_lease("b", seconds=60) is None


def test_who_lost_the_lease_notes_nothing(jobs: Jobs, graph: Graph) -> None:
    job = submit(jobs, graph)
    fence = claim(jobs, job, take(jobs, "a", seconds=0))
    take(jobs, "b")
    for write in (
        lambda: jobs.note_progress(fence, {"done": 1}),
        lambda: jobs.finish(fence, "done"),
        lambda: jobs.note_items(fence, list(jobs.waiting_items(job.id))),
        lambda: jobs.note_llm(fence, "mistral"),
        lambda: jobs.set_back(fence, ("", "", "")),
    ):
        with pytest.raises(LeaseLost):
            write()
    assert jobs.job(job.id).state == "running"
    assert jobs.claim(job.id, fence.token) is None, "nor does it take anything"


def test_a_job_taken_over_is_the_new_ones_alone(jobs: Jobs, graph: Graph) -> None:
    job = submit(jobs, graph)
    old = claim(jobs, job, take(jobs, "a", seconds=0))
    new = claim(jobs, job, take(jobs, "b"))
    assert jobs.job(job.id).attempts == 2
    with pytest.raises(LeaseLost):
        jobs.note_progress(old, {})
    jobs.release(old)
    assert jobs.job(job.id).state == "running", "it was not its to give"
    jobs.note_progress(new, {})
    jobs.release(new)
    assert (jobs.job(job.id).state, jobs.job(job.id).attempts) == ("queued", 1)


def test_a_job_whose_server_is_gone_is_interrupted_until_another_takes_it(
    jobs: Jobs, graph: Graph, driver_of_tests: Driver
) -> None:
    def renewed(seconds: int) -> None:
        """As if the lease had been renewed so many seconds from now."""
        at = "datetime.realtime() + duration({seconds: $seconds})"
        driver_of_tests.execute_query(f"MATCH (l:Lease {{id: 'jobs'}}) SET l.renewed = {at}", seconds=seconds)

    job = submit(jobs, graph)
    assert not job.interrupted
    claim(jobs, job, take(jobs, "a", seconds=0))
    renewed(3600)  # however long the next line takes
    assert not jobs.job(job.id).interrupted
    renewed(-6)
    assert (
        jobs.job(job.id).interrupted
        and jobs.jobs(workspace=job.workspace, state=None, first=0, count=9)[0][0].interrupted
    )
    token = take(jobs, "b")
    assert jobs.job(job.id).interrupted
    taken = claim(jobs, job, token)
    renewed(3600)
    assert not jobs.job(job.id).interrupted
    jobs.finish(taken, "done")
    assert not jobs.job(job.id).interrupted


def test_a_retry_does_again_what_failed_and_forgets_what_is_done(jobs: Jobs, graph: Graph) -> None:
    before = jobs.bytes_kept()
    job = submit(jobs, graph)
    fence = claim(jobs, job, take(jobs))
    first, second, third = jobs.waiting_items(job.id)
    ended = [replace(first, state="done"), replace(second, state="failed", cause="It is empty.", cure="Fill it.")]
    ended.append(replace(third, state="done"))
    jobs.finish(fence, "partial", items=ended, report={"failed_chunks": 0})
    row = jobs.job(job.id)
    assert (row.state, row.failed, row.report) == ("partial", 1, {"failed_chunks": 0})
    assert row.finished and row.started and row.finished >= row.started >= row.created
    assert jobs.items(job.id, state="failed", first=0, count=9)[0] == [ended[1]]
    assert jobs.bytes_kept() == before, "the empty one has no bytes, the others need none any more"
    row = jobs.retry(job.id)
    assert (row.state, row.failed, row.report, row.unread) == ("queued", 0, None, False)
    assert [item.name for item in jobs.waiting_items(job.id)] == ["empty.txt"]
    with pytest.raises(InputError, match="is queued"):
        jobs.retry(job.id)


def test_what_is_done_is_noted_and_its_bytes_go_while_the_rest_waits(jobs: Jobs, graph: Graph) -> None:
    before = jobs.bytes_kept()
    job = submit(jobs, graph)
    fence = claim(jobs, job, take(jobs))
    first, second, third = jobs.waiting_items(job.id)
    report = {"added": [first.name]}
    bad = replace(second, state="failed", cause="It is empty.", cure="Fill it.")
    jobs.note_items(fence, [replace(first, state="done"), bad], report=report)
    row = jobs.job(job.id)
    assert (row.state, row.failed, row.report) == ("running", 1, report)
    assert jobs.bytes_kept() - before == third.size
    assert list(jobs.waiting_items(job.id)) == [third] and jobs.content(third) == FILES[third.name]
    ((listed,), _) = jobs.jobs(workspace=graph.workspace.name, state=None, first=0, count=9)
    assert (listed.id, listed.report) == (job.id, None)
    jobs.finish(fence, "cancelled")
    assert jobs.job(job.id).report == report, "what was read was read"
    jobs.retry(job.id)
    assert [item.name for item in jobs.waiting_items(job.id)] == [second.name, third.name]


def test_a_setback_is_told_until_something_is_done(jobs: Jobs, graph: Graph) -> None:
    job = submit(jobs, graph)
    token = take(jobs)
    for setbacks in (1, 2):
        jobs.set_back(claim(jobs, job, token), ("store_unavailable", "No memory.", "Give it more."))
        row = jobs.job(job.id)
        assert (row.state, row.setbacks, row.cause, row.cure) == ("queued", setbacks, "No memory.", "Give it more.")
    fence = claim(jobs, job, token)
    jobs.note_items(fence, [])
    row = jobs.job(job.id)
    assert (row.state, row.setbacks, row.code, row.cause) == ("running", 0, "", "")


def test_the_llm_of_a_job_is_noted(jobs: Jobs, graph: Graph) -> None:
    job = submit(jobs, graph)
    assert job.llm is None
    fence = claim(jobs, job, take(jobs))
    jobs.note_llm(fence, "mistral")
    jobs.finish(fence, "failed")
    assert jobs.retry(job.id).llm == "mistral"


def test_a_retry_knows_that_chunks_are_to_be_read(jobs: Jobs, graph: Graph) -> None:
    job = submit(jobs, graph)
    jobs.finish(claim(jobs, job, take(jobs)), "partial", report={"failed_chunks": 3})
    assert jobs.retry(job.id).unread
    jobs.finish(claim(jobs, job, take(jobs)), "done")
    assert not jobs.job(job.id).unread
    with pytest.raises(InputError, match="is done"):
        jobs.retry(job.id)


def test_a_job_is_asked_to_end_while_it_waits_or_runs(jobs: Jobs, graph: Graph) -> None:
    job = submit(jobs, graph)
    assert jobs.cancel(job.id).cancelling
    (row,) = [row for row in jobs.to_run() if row.id == job.id]
    assert row.cancel
    jobs.finish(claim(jobs, job, take(jobs)), "cancelled")
    assert not jobs.cancel(job.id).cancelling, "it has ended"
    assert jobs.retry(job.id).state == "queued"
    with pytest.raises(NotFound):
        jobs.cancel("nobody's")


def test_a_workspace_takes_its_jobs_with_it(store: Store) -> None:
    store.create_workspace("test-jobs", fingerprint="test-embedder", dimensions=8)
    job = submit(store.jobs, store.graph("test-jobs"))
    store.delete_workspace("test-jobs")
    with pytest.raises(NotFound):
        store.jobs.job(job.id)
