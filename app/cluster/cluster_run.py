"""The work of one run on a Ray cluster, at the existing interfaces of the pipeline: sources, extractor, LLM, embedding.

The server makes all decisions: which chunks are read, which parts of a reply are valid, what is stored, the budget,
names and their exact vectors. So the graph does not depend on the number of machines, or on which of them fail.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any

from filigraph.app.cluster import worker
from filigraph.graph.errors import Cancelled, ClusterDown, ClusterUnavailable, FiligraphError, LLMDown
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.app.cluster.link import RayCluster
    from filigraph.graph.ingest.extract.contract import Extractor
    from filigraph.graph.ingest.incoming import Incoming, ReadSource
    from filigraph.graph.model.documents import Chunk, Source
    from filigraph.graph.model.extraction import Extraction

POLL_SECONDS = 0.2  # seconds between two checks of `cancelled` and of the machines
MACHINE_WAIT_SECONDS = 900.0  # seconds to wait for a machine if none is left
PART = 16  # max. chunks or texts in one task; those of a failed machine are repeated
FILES, BYTES = 64, 1 << 20  # small files that are sent together
RESTART = "Start Ray on one: ray start --address=HOST:PORT."
ON_THEIR_WAY = 16 << 20  # bytes of files that are loaded in advance; always at least one file


class ClusterRun:
    """The cluster for one run. `notify` is called when a machine is lost or awaited; `problems` also records this."""

    def __init__(
        self,
        cluster: RayCluster,
        *,
        cancelled: ShouldStop,
        notify: Callable[[str], None],
        patience: float = MACHINE_WAIT_SECONDS,
    ) -> None:
        """Raises ClusterDown if no machine has a core to work with."""
        self.problems: list[str] = []
        self._cluster = cluster
        self._cancelled = cancelled
        self._notify = notify
        self._patience = patience
        self._lock = threading.Lock()  # guards the fields below: many threads wait for calls of an LLM
        self._known = dict(cluster.state.machines)
        self._idle_since: float | None = None  # since when there is no machine
        if not self.cores:
            raise ClusterDown(
                f"The Ray cluster at {cluster.address} has no machine with cores to work.",
                cure=RESTART,
            )

    @property
    def machines(self) -> int:
        """The number of machines."""
        return len(self._cluster.state.machines)

    @property
    def cores(self) -> int:
        """The number of tasks that the cluster does at once."""
        return self._cluster.state.cores

    @property
    def llm_calls(self) -> int:
        """The number of simultaneous calls that the LLMs of its machines accept."""
        return self._cluster.state.llm_calls

    def abandoned(self) -> bool:
        """Whether the run is cancelled, or no machine is left."""
        return self._cancelled() or not self.cores

    # ---- the parts of the pipeline

    def read_sources(self, read: ReadSource, sources: Iterable[Source]) -> Iterator[Incoming]:
        """Like `map`, on the machines."""
        calls = ((sum(len(s.content) for s in some), (read, some)) for some in _batch_small_files(sources))
        for loaded in self.map(worker.read_sources, calls, at_once=ON_THEIR_WAY):
            yield from loaded

    def extractor(self, local: Extractor) -> Extractor:
        """The local extractor, on all machines."""
        return ClusterExtractor(self, local)

    def llm(self) -> ClusterLLM:
        """The LLMs of the machines, as one. Raises LLMUnavailable if the asked machine has none."""
        return ClusterLLM(self, self.wait(self._cluster.submit(worker.model, llm=True)))

    # Shared parts

    def part(self, count: int) -> int:
        """The size of a task, of `count` items: each machine should get two tasks."""
        return min(PART, max(1, -(-count // (2 * max(1, self.cores)))))

    def map(
        self,
        function: Callable[..., Any],
        calls: Iterable[tuple[int, Sequence[Any]]],
        *,
        at_once: int = 0,
        cancelled: ShouldStop | None = None,
    ) -> Iterator[Any]:
        """The results of `function` for the calls, in order. Calls are sent in advance, with a total weight of at most
        `at_once`. A call is its weight and its arguments. 0: enough that no machine waits, if each call weighs 1. If
        the caller stops, calls under way are dropped.
        """
        line: deque[tuple[int, Future[Any]]] = deque()
        weight = 0
        try:
            for heavy, arguments in calls:
                while line and weight + heavy > (at_once or 2 * self.cores + 2):
                    done, future = line.popleft()
                    weight -= done
                    yield self.wait(future, cancelled=cancelled)
                line.append((heavy, self._cluster.submit(function, *arguments)))
                weight += heavy
            while line:
                yield self.wait(line.popleft()[1], cancelled=cancelled)
        finally:
            for _, future in line:
                future.cancel()

    def complete(
        self, model: str, request: LLMRequest, cancel: ShouldStop | None
    ) -> tuple[str | FiligraphError, Usage]:
        """`worker.complete` on a machine with an LLM. Raises LLMDown if there is none now."""
        future = self._cluster.submit(worker.complete, model, request, llm=True)
        try:
            outcome: tuple[str | FiligraphError, Usage] = self.wait(future, cancelled=cancel, llm=True)
        except ClusterUnavailable as error:
            raise LLMDown(error.cause, cure=error.cure) from error
        return outcome

    def wait(self, future: Future[Any], *, cancelled: ShouldStop | None = None, llm: bool = False) -> Any:
        """The result of a call. Raises Cancelled; ClusterUnavailable if no machine is left for it: at once for an LLM
        (its caller retries), else after `patience`."""
        try:
            while not wait([future], timeout=POLL_SECONDS).done:
                if (cancelled or self._cancelled)():
                    raise Cancelled()
                with self._lock:
                    self._check_machines()
                if llm and not self.llm_calls:
                    raise ClusterUnavailable("No machine of the Ray cluster has an LLM any more.", cure=RESTART)
            with self._lock:
                self._report_gone()  # even if no call takes long
            return future.result()
        finally:
            future.cancel()

    def say(self, message: str) -> None:
        """Pass a message on, and keep it once for the report."""
        if message not in self.problems:
            self.problems.append(message)
        self._notify(message)

    def _check_machines(self) -> None:
        """Report lost machines; give up after too long without any."""
        self._report_gone()
        if self.cores:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = time.monotonic()
            self.say(f"No machine of the Ray cluster is left; waiting for one, {self._patience / 60:.0f} minutes.")
        elif time.monotonic() - self._idle_since > self._patience:
            raise ClusterDown("No machine of the Ray cluster is left.", cure=RESTART)

    def _report_gone(self) -> None:
        now = self._cluster.state.machines
        gone = [address for id_, address in self._known.items() if id_ not in now]
        self._known = dict(now)
        for address in gone:
            self.say(f"A machine of the Ray cluster is gone ({address}); the others do its work again.")


class ClusterExtractor:
    """The local extractor, run on the machines of a cluster."""

    def __init__(self, cluster_run: ClusterRun, local: Extractor) -> None:
        self._run = cluster_run
        self._local = local
        self.name, self.version, self.expensive, self.usage = local.name, local.version, local.expensive, local.usage
        self.batch = max(local.batch, 2 * PART * cluster_run.cores)

    def expected(self, chunk: Chunk) -> Usage:
        return self._local.expected(chunk)

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        size = self._run.part(len(chunks))
        parts = (chunks[start : start + size] for start in range(0, len(chunks), size))
        for read in self._run.map(worker.extract, ((1, (self.version, part)) for part in parts)):
            yield from read


class ClusterLLM:
    """The LLMs of the machines of a cluster, as one. It does not stream answers: it is for reading documents."""

    def __init__(self, cluster_run: ClusterRun, model: str) -> None:
        self._run = cluster_run
        self.model = model
        self.usage = Usage()
        self._lock = threading.Lock()  # guards the usage

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        reply, used = self._run.complete(self.model, request, cancel)
        with self._lock:
            self.usage += used
        if isinstance(reply, FiligraphError):
            raise reply
        return reply

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        yield self.complete(request, cancel=cancel)


def _batch_small_files(sources: Iterable[Source]) -> Iterator[list[Source]]:
    some: list[Source] = []
    size = 0
    for source in sources:
        some.append(source)
        size += len(source.content)
        if len(some) >= FILES or size >= BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some
