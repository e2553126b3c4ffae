"""Reading on a Ray cluster of two nodes on this machine, one of which is killed."""

from __future__ import annotations

import importlib.metadata
import pickle
import re
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import Pipe
from types import SimpleNamespace

import psutil
import pytest

import filigraph.app.cluster.link as link
from bench.speed.two_nodes import TwoNodes
from filigraph.app.cluster import cluster_run, worker
from filigraph.app.cluster.cluster_run import ClusterRun
from filigraph.app.cluster.driver import Driver, Drop, Unreachable
from filigraph.app.cluster.embedding import on_cluster
from filigraph.app.cluster.link import RayCluster
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.ingestion import IngestRequest
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings
from filigraph.app.version import installed_version
from filigraph.graph.errors import Cancelled, ClusterUnavailable, FiligraphError, LLMDown, NotSetUp
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.ingest.report import IngestReport, Progress
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.models.embed import embed_texts
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.store import Store
from tests.app.audit_connections import Audit, strangers
from tests.making import case_file
from tests.patience import PATIENCE
from tests.ports import held_port
from tests.unit.graph.llm_stub import Hang, Say, Stub, llm_stub

CALLS = 1  # of an LLM at once, on each node
READ = Say(
    pieces=['{"names": {}, "facts": [{"n": 1, "s": "Jules", "p": "wears", "o": "a ring", "by": ""}], "implied": []}']
)

SECRET = "the-key-of-the-llm"


@pytest.fixture(scope="module")
def llm() -> Iterator[Stub]:
    with llm_stub() as stub:
        yield stub


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """Watches every Python process of the cluster from its start."""
    return Audit(tmp_path_factory.mktemp("audit"))


@pytest.fixture(scope="module")
def nodes(llm: Stub, audit: Audit) -> Iterator[TwoNodes]:
    """Two nodes with a core and an LLM each. They know the LLM by their own environment; the server does not."""
    environment = {"FILIGRAPH_LLM": "mistral", "FILIGRAPH_LLM_URL": f"{llm.url}/v1", "FILIGRAPH_LLM_KEY": SECRET}
    cluster = TwoNodes(llm_calls=CALLS, environment=audit.environment | environment)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def runtime(nodes: TwoNodes, neo4j_address: Neo4jAddress, store: Store) -> Iterator[Runtime]:
    """One for all tests: each connection has processes of its own on the nodes, and each of these loads its models."""
    made = a_runtime(neo4j_address, nodes.address)
    yield made
    made.close()


@pytest.fixture(scope="module")
def connected(runtime: Runtime) -> RayCluster:
    return runtime.connect_cluster(runtime.settings.ray)


def a_runtime(address: Neo4jAddress, ray: str) -> Runtime:
    return Runtime(Settings(OLLAMA_HOST="127.0.0.1:1", FILIGRAPH_RAY=ray), lambda: address)  # type: ignore[call-arg]


def a_run(cluster: RayCluster, cancelled: Callable[[], bool] = lambda: False) -> ClusterRun:
    return ClusterRun(cluster, cancelled=cancelled, notify=lambda _: None)


def chunks(count: int) -> list[Chunk]:
    texts = [f"Jules wears a ring, say {n}." for n in range(count)]
    return [
        Chunk(
            id=f"c{n}", document_id="d", index=n, start=0, end=len(text), text=text, title="", place="", language="en"
        )
        for n, text in enumerate(texts)
    ]


# --------------------------------------------------------------------------------------------------------------------
# Vectors, and whom they are not taken from


@pytest.mark.slow
def test_vectors_are_those_of_one_machine(runtime: Runtime, connected: RayCluster) -> None:
    here = runtime.embedder()
    there = on_cluster(here, a_run(connected), "")
    texts = [f"Jules wears ring number {n}." for n in range(40)]
    assert embed_texts(there, texts) == pytest.approx(embed_texts(here, texts), abs=1e-6)
    assert there.exact is here.exact


@pytest.mark.slow
def test_another_embedder_on_a_machine_is_refused(connected: RayCluster) -> None:
    with pytest.raises(NotSetUp, match="another embedder"):
        a_run(connected).wait(connected.submit(worker.embed, "another", "", ["Jules"]))


@pytest.mark.slow
def test_another_release_on_a_machine_is_refused(connected: RayCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "versions", lambda: {**worker.versions(), "filigraph": "99.0"})
    with pytest.raises(NotSetUp, match=rf"filigraph {re.escape(installed_version())}, not 99\.0"):
        a_run(connected).wait(connected.submit(worker.versions))


@pytest.mark.slow
def test_what_a_task_raises_is_told(connected: RayCluster) -> None:
    with pytest.raises(ClusterUnavailable, match="division"):
        a_run(connected).wait(connected.submit(divmod, 1, 0))


@pytest.mark.slow
def test_vectors_are_computed_here_where_nobody_is_left_or_nobody_waits(
    runtime: Runtime, connected: RayCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, texts = runtime.embedder(), [f"Jules wears ring number {n}." for n in range(40)]
    given_up = a_run(connected, cancelled=lambda: True)
    alone = a_run(connected)
    blocked = [connected.submit(time.sleep, 60) for _ in range(4)]  # nobody answers soon
    try:
        assert embed_texts(on_cluster(here, given_up, ""), texts) == pytest.approx(embed_texts(here, texts), abs=1e-6)
        monkeypatch.setattr(connected, "state", type(connected.state)(machines={}, cores=0, llm_calls=0))
        assert embed_texts(on_cluster(here, alone, ""), texts) == pytest.approx(embed_texts(here, texts), abs=1e-6)
    finally:
        for future in blocked:
            future.cancel()


@pytest.mark.slow
def test_a_cluster_that_is_reached_through_its_head(nodes: TwoNodes) -> None:
    """`ray://`: by Ray's own server for clients, which here is one process (`ray start` has one for each client)."""
    serve = [sys.executable, "-m", "ray.util.client.server", "--mode=legacy", "--host=127.0.0.1"]
    with (
        held_port() as port,
        subprocess.Popen([*serve, f"--port={port}", f"--address={nodes.address}"], stderr=subprocess.DEVNULL) as server,
    ):
        try:
            wait_for(lambda: answers(port))
            with closing(RayCluster(f"ray://127.0.0.1:{port}")) as cluster:
                run = a_run(cluster)
                assert (run.machines, run.cores) == (2, 2)
                assert run.wait(cluster.submit(worker.versions)) == worker.versions()
                slow = cluster.submit(time.sleep, 60)
                with pytest.raises(Cancelled):
                    run.wait(slow, cancelled=lambda: True)
                with pytest.raises(ClusterUnavailable, match="division"):
                    run.wait(cluster.submit(divmod, 1, 0))
        finally:
            server.kill()


def answers(port: int) -> bool:
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0


# --------------------------------------------------------------------------------------------------------------------
# LLMs


def extractor(cluster: RayCluster, cancelled: Callable[[], bool] = lambda: False) -> LLMExtractor:
    run = a_run(cluster, cancelled)
    return LLMExtractor(run.llm(), in_flight=run.llm_calls, cancel=cancelled)


@pytest.mark.slow
def test_machines_ask_their_own_llm(connected: RayCluster, llm: Stub) -> None:
    llm.replies[:] = [READ]
    llm.headers.clear()
    reading = extractor(connected)
    read = list(reading.extract(chunks(5)))
    assert [[t.predicate for t in extraction.triplets] for extraction in read] == [["wears"]] * 5
    assert reading.usage.calls == 5 == len(llm.headers)
    assert {headers["Authorization"] for headers in llm.headers} == {f"Bearer {SECRET}"}  # which the server never had


@pytest.mark.slow
def test_cancelling_closes_the_calls(connected: RayCluster, llm: Stub) -> None:
    llm.replies[:] = [Hang()]
    llm.requests.clear()
    cancel = threading.Event()
    ended: list[BaseException] = []
    reading = extractor(connected, cancel.is_set)

    def read() -> None:
        try:
            list(reading.extract(chunks(20)))
        except FiligraphError as error:
            ended.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    wait_for(lambda: len(llm.requests) == 2 * CALLS)
    llm.hung_up.clear()
    cancel.set()
    assert llm.hung_up.wait(PATIENCE)
    thread.join(PATIENCE)
    assert [type(error) for error in ended] == [Cancelled]
    wait_for(lambda: not connected.waiting)
    llm.replies[:] = [READ]
    assert len(list(extractor(connected).extract(chunks(1)))) == 1  # nothing of the old run is in the way
    assert len(llm.requests) == 2 * CALLS + 1


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# --------------------------------------------------------------------------------------------------------------------
# A machine dies; from here on there is one


def novel(chapters: int) -> Source:
    """The case file, chapter after chapter."""
    case = [source.content.decode() for source in case_file() if source.name.endswith((".txt", ".md"))]
    text = "\n\n".join(f"CHAPTER {n}\n\n{part}" for n in range(1, chapters + 1) for part in case)
    return Source(name="novel.txt", content=text.encode())


def read_into(
    service: Service, workspace: str, sources: list[Source], progress: Callable[[Progress], None]
) -> IngestReport:
    names = [source.name for source in sources]
    request = IngestRequest(sources=sources, names=names, kind="local", strategy="paragraph")
    return service.ingestion.ingest(workspace, request, ProgressCallbacks(progress=progress))


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a short novel is read twice, once by processes that first load their models
def test_a_node_is_killed_in_mid_job_and_the_graph_is_the_same(
    nodes: TwoNodes,
    runtime: Runtime,
    connected: RayCluster,
    neo4j_address: Neo4jAddress,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster_run, "PART", 2)  # so that the dead node certainly had something to do
    left: list[int] = []

    def kill(now: Progress) -> None:
        if now.stage == "extract" and not left:
            left.append(now.total - now.done)
            nodes.kill_second()
            wait_for(lambda: len(connected.state.machines) == 1)

    def ignore(now: Progress) -> None: ...

    sources = [*case_file(), novel(1), Source(name="empty.txt", content=b"")]
    hashes, reports = [], []
    with closing(a_runtime(neo4j_address, "")) as without:
        for on, progress in ((without, ignore), (runtime, kill)):
            service, workspace = Service(on), f"test-{uuid.uuid4().hex[:12]}"
            reports.append(read_into(service, workspace, sources, progress))
            hashes.append(service.transfer.export(workspace, lambda _: None, lambda: False).sha256)
            on.store().delete_workspace(workspace)
    alone, together = reports
    assert left[0] > 8
    assert hashes[0] == hashes[1] and alone.facts == together.facts > 0
    assert alone.skipped == together.skipped and len(alone.skipped) == 1
    assert any("is gone" in remark for remark in together.remarks)


# --------------------------------------------------------------------------------------------------------------------
# What goes wrong


def test_no_cluster_at_an_address() -> None:
    with held_port() as port:
        for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
            with pytest.raises(ClusterUnavailable, match=f"answers at {address}") as raised:
                RayCluster(address)
            assert "ray start --head" in raised.value.cure


def test_ray_of_another_version() -> None:
    ours, theirs = Pipe()
    with ours, theirs:
        theirs.send(Unreachable("RuntimeError: Version mismatch: The cluster was started with:\n    Ray: 2.40.0"))
        with pytest.raises(ClusterUnavailable, match=r"another version: .*Ray: 2\.40\.0") as raised:
            link.first_state(ours, "auto")
    assert "the same Ray" in raised.value.cure


def test_machines_are_looked_at_while_there_is_much_to_do() -> None:
    ours, theirs = Pipe()
    nodes = [{"Alive": True, "NodeID": "a", "NodeManagerAddress": "10.0.0.1", "Resources": {"CPU": 1.0}}]
    ray = SimpleNamespace(nodes=lambda: list(nodes), remote=lambda _: SimpleNamespace(options=lambda **_: None))
    thread = threading.Thread(target=Driver(theirs, ray).run)
    with ours, theirs:
        thread.start()
        assert ours.recv().cores == 1
        nodes.append({**nodes[0], "NodeID": "b"})
        deadline = time.monotonic() + PATIENCE
        while not ours.poll(0.01):
            assert time.monotonic() < deadline
            ours.send(Drop(1))
        assert ours.recv().cores == 2
        ours.close()
        thread.join()


def test_a_package_that_a_machine_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    version, needed = importlib.metadata.version, worker.versions()

    def without_rapidfuzz(name: str) -> str:
        if name == "rapidfuzz":
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", without_rapidfuzz)
    monkeypatch.setattr(worker, "versions", worker.versions.__wrapped__)
    with pytest.raises(NotSetUp, match="rapidfuzz missing, not"):
        raise pickle.loads(worker.run_task(worker.pack(needed, len, [""])))


def test_ray_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "find_spec", lambda name: None)
    with pytest.raises(NotSetUp, match="not installed") as raised:
        RayCluster("auto")
    assert "filigraph[ray]" in raised.value.cure


@pytest.mark.slow
def test_a_cluster_without_cores_is_refused(connected: RayCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected, "state", type(connected.state)(machines={}, cores=0, llm_calls=0))
    with pytest.raises(ClusterUnavailable, match="no machine with cores"):
        a_run(connected)


@pytest.mark.slow
def test_whoever_waits_for_machines_that_are_gone_gives_up(
    connected: RayCluster, llm: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm.replies[:] = [Hang()]
    told: list[str] = []
    run = ClusterRun(connected, cancelled=lambda: False, notify=told.append, patience=0.0)
    future = connected.submit(time.sleep, 60)
    monkeypatch.setattr(connected, "state", type(connected.state)(machines={}, cores=0, llm_calls=0))
    with pytest.raises(ClusterUnavailable, match="is left"):
        run.wait(future)
    assert future.cancelled() and "waiting for one" in told[-1]
    with pytest.raises(LLMDown):
        run.complete("mistral", LLMRequest("?"), None)


@pytest.mark.slow
def test_ray_is_imported_only_where_it_is_asked_for() -> None:
    code = "import sys, filigraph.app.server, filigraph.app.cluster.cluster_run; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --------------------------------------------------------------------------------------------------------------------
# The end: what was seen, and the end of the cluster


@pytest.mark.slow
def test_nobody_but_this_machine_was_contacted(connected: RayCluster, audit: Audit) -> None:
    a_run(connected).wait(connected.submit(worker.versions))
    own = {address.address for of in psutil.net_if_addrs().values() for address in of}
    assert audit.hosts() and strangers(audit.hosts()) <= own | {"0.0.0.0", socket.gethostname()}


@pytest.mark.slow
def test_a_server_survives_its_cluster(connected: RayCluster, runtime: Runtime, nodes: TwoNodes) -> None:
    slow = connected.submit(time.sleep, 60)
    nodes.stop()
    with pytest.raises(ClusterUnavailable, match=r"is gone|raylet died"):
        slow.result(timeout=PATIENCE)
    wait_for(lambda: bool(connected.lost))
    with pytest.raises(ClusterUnavailable, match="is gone"):
        connected.submit(worker.versions)
    with pytest.raises(ClusterUnavailable, match="answers at"):
        runtime.cluster_run(lambda: False, lambda _: None)
