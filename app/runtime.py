"""Builds the components of the server, each once, when first needed. The only place that chooses adapters."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from filigraph.app.lazy import Lazy
from filigraph.app.llm_provider import Choice, choose_llm, llm_named
from filigraph.app.settings import Settings
from filigraph.app.uploads.triples import by_document
from filigraph.graph.errors import EmbedderMismatch, InputError, LocalNeo4jError, NotSetUp, StoreUnavailable
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.process.snapshots import Snapshots
from filigraph.graph.records.workspaces import HOME_SHARD, ReadAheadSize

if TYPE_CHECKING:
    from filigraph.app.cluster.cluster_run import ClusterRun
    from filigraph.app.cluster.link import RayCluster
    from filigraph.app.neo4j import Neo4jAddress
    from filigraph.graph.ask.ranking.rerank import Scorer
    from filigraph.graph.ingest.extract.contract import Extractor
    from filigraph.graph.ingest.extract.schema import ExtractionSchema
    from filigraph.graph.model.documents import Chunk
    from filigraph.graph.model.extraction import Extraction
    from filigraph.graph.models.batches import BatchServer
    from filigraph.graph.models.embed import Embedder
    from filigraph.graph.models.llm import LLM
    from filigraph.graph.records.workspaces import WorkspaceRow
    from filigraph.graph.store import Graph, Store

Keep = Callable[["Chunk", "Extraction"], None]
log = logging.getLogger("filigraph.server")
CONNECT_WAIT_SECONDS = (
    30.0  # seconds that a request waits for the connection to Neo4j; its start continues in the background
)
ExtractorKind = Literal["auto", "local", "llm"]


class Runtime:
    """Store, embedder, reranker, LLM and extractors of one server. Thread-safe."""

    def __init__(
        self, settings: Settings, start_neo4j: Callable[[], Neo4jAddress], snapshots: Snapshots | None = None
    ) -> None:
        self.settings = settings
        self._read_ahead = ReadAheadSize(settings.read_ahead)
        self.memory = CacheMemory(settings.kept_megabytes * 2**20, snapshots)
        self.stopping = threading.Event()  # set when the server is asked to end: then long work stops
        self.neo4j = Lazy(start_neo4j)  # the local one; unused if the user has their own
        self.store = Lazy(self._connect, patience=CONNECT_WAIT_SECONDS, late=self._not_ready_error)  # the home database
        self._shards = {
            name: Lazy(
                partial(self._connect_shard, name, uri), patience=CONNECT_WAIT_SECONDS, late=self._not_ready_error
            )
            for name, uri in settings.shards.items()
        }
        self.starting = ""  # the current step of a start, if it may take minutes
        self.trouble = ""  # why the last start of the local Neo4j failed
        self._stores: list[Store] = []  # all connected stores; closed at the end
        self._opening = threading.Lock()  # guards the field above
        self.embedder: Lazy[Embedder] = Lazy(self._load_embedder)
        self.reranker: Lazy[Scorer | None] = Lazy(self._load_reranker)
        self._cluster: RayCluster | None = None
        self._connecting = threading.Lock()  # guards the field above
        self._named: dict[str, Embedder] = {}
        self._loading = threading.Lock()

    def close(self) -> None:
        """Close the store and the Ray cluster; both servers continue."""
        with self._opening:  # a connection in progress on another thread is closed by that thread
            self.stopping.set()
            stores, self._stores = self._stores, []
        self.store.forget()
        self.neo4j.forget()
        for store in stores:
            store.close()
        if not self._connecting.acquire(timeout=1):  # a connection in progress ends with this process
            return
        try:
            cluster, self._cluster = self._cluster, None
        finally:
            self._connecting.release()
        if cluster:
            cluster.close()

    # ---- Neo4j

    def _connect(self) -> Store:
        try:
            return self._connected_to()
        except BaseException:
            self.neo4j.forget()  # it may have ended since
            raise

    def _connected_to(self) -> Store:
        from filigraph.graph.store import Store

        settings = self.settings
        self._still_wanted()  # a surviving thread must not connect after everything was closed
        if settings.neo4j_uri:
            password = settings.neo4j_password.get_secret_value()
            store = Store.connect(settings.neo4j_uri, settings.neo4j_username, password, self._read_ahead, self.memory)
        else:
            address = self._own_neo4j()
            store = Store.connect(address.uri, address.username, address.password, self._read_ahead, self.memory)
        return self._prepared(store)

    def _prepared(self, store: Store) -> Store:
        """The store with its schema; it is closed at the end."""
        try:
            store.ensure_schema(self._bringing_up)
            self._add_store(store)
        except BaseException:
            store.close()
            raise
        finally:
            self.starting = ""
        return store

    def _add_store(self, store: Store) -> None:
        with self._opening:
            self._still_wanted()
            self._stores.append(store)

    def _connect_shard(self, name: str, uri: str) -> Store:
        from filigraph.graph.store import Store

        self._still_wanted()
        settings = self.settings
        try:
            password = settings.neo4j_password.get_secret_value()
            store = Store.connect(uri, settings.neo4j_username, password, self._read_ahead, self.memory)
        except StoreUnavailable as error:
            raise StoreUnavailable(f"Shard {name} ({uri}): {error.cause}", cure=error.cure) from error
        return self._prepared(store)

    def _own_neo4j(self) -> Neo4jAddress:
        try:
            address = self.neo4j()
        except LocalNeo4jError as error:
            self.trouble = str(error)
            raise
        self.trouble = ""
        return address

    def _not_ready_error(self) -> StoreUnavailable:
        return StoreUnavailable(
            self.starting or "Neo4j is starting, or does not answer yet.",
            cure="Try again in a moment; `filigraph doctor` says how it is.",
        )

    def neo4j_fails(self) -> bool:
        """Whether our own Neo4j must be restarted unasked: its start failed, or it runs but no longer answers. One that
        a user stopped is left alone."""
        if self.settings.neo4j_uri or self.store.peek() is not None:
            return False
        if self.trouble:
            return True
        from filigraph.app.neo4j import neo4j_status

        return bool(self._stores) and neo4j_status(self.settings.home).state != "stopped"

    def _bringing_up(self, what: str) -> None:
        self._still_wanted()
        self.starting = f"An older Filigraph left this graph; it is brought up to date ({what})."

    def _still_wanted(self) -> None:
        if self.stopping.is_set():
            raise StoreUnavailable("The server is stopping.", cure="Start it again: `filigraph up`.")

    def forget_store(self) -> None:
        """Reconnect next time, and restart the local Neo4j if it is gone. If the server answers after all, for
        example after it refused a transaction, the connection is kept, so nobody waits for a new one.

        Old connections are closed at the end, because others may be in the middle of a statement.
        """
        for lazy in (self.store, *self._shards.values()):
            store = lazy.peek()
            if store is None or store.answers():  # None: a connection is in progress, or there was none
                continue
            lazy.forget()
            if lazy is self.store:
                self.neo4j.forget()

    def neo4j_browser(self) -> str | None:
        """The address of Neo4j Browser: of the bundled one, or the one that the user set."""
        address = self.neo4j.peek()
        if address is not None and not self.settings.public:  # it listens on loopback: others could not open it
            return address.browser()
        theirs = self.settings.neo4j_browser_url
        return f"{theirs}/" if theirs else None  # with the slash: otherwise it would redirect, and forget the query

    @property
    def shard_names(self) -> tuple[str, ...]:
        """The names of all shards, the home database first."""
        return (HOME_SHARD, *self._shards)

    def shard(self, name: str) -> Store:
        """The store of a shard. Raises NotSetUp, StoreUnavailable."""
        if name == HOME_SHARD:
            return self.store()
        if name not in self._shards:
            raise NotSetUp(
                f"There is no shard {name} (there are {', '.join(self.shard_names)}).",
                cure="Name it in FILIGRAPH_NEO4J_SHARDS, like east=bolt://10.0.0.2:7687, and start the server again.",
            )
        return self._shards[name]()

    def shard_of(self, workspace: str) -> str:
        """The name of the shard that holds a workspace, asked again each time: another server may have moved it."""
        return self.store().placements.shard(workspace) if self._shards else HOME_SHARD

    def store_of(self, workspace: str) -> Store:
        """The name of the shard that holds a workspace; read each time, because another server may have moved it."""
        return self.shard(self.shard_of(workspace))

    def reachable(self) -> dict[str, Store]:
        """The stores of all shards that answer, by name; others are logged. Raises StoreUnavailable if the home
        database does not answer.
        """
        stores = {}
        for name in self.shard_names:
            try:
                stores[name] = self.shard(name)
            except StoreUnavailable as error:
                if name == HOME_SHARD:
                    raise
                log.warning("%s", error)
        return stores

    def graph(self, workspace: str) -> Graph:
        """An existing workspace. Raises NotFound."""
        return self.store_of(workspace).graph(workspace)

    def graph_to_write(self, workspace: str, store: Store | None = None) -> Graph:
        """A workspace, made for today's embedder if there is none; `store` holds its lock (`Store.holding`). Raises
        EmbedderMismatch if made for another, and Busy while it is being filled or deleted."""
        store = store or self.store_of(workspace)
        existing = next((row for row in store.workspaces() if row.name == workspace), None)
        embedder = self.embedder_of(existing) if existing else self.embedder()
        store.create_workspace(workspace, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
        return store.graph(workspace)

    # ---- Ray

    def cluster_run(self, cancelled: ShouldStop, notify: Callable[[str], None]) -> ClusterRun | None:
        """The Ray cluster for one run, None if there is none. Raises NotSetUp, ClusterUnavailable."""
        if not self.settings.ray:
            return None
        from filigraph.app.cluster.cluster_run import ClusterRun

        return ClusterRun(self.connect_cluster(self.settings.ray), cancelled=cancelled, notify=notify)

    def connect_cluster(self, address: str) -> RayCluster:
        """The cluster, reconnected if the connection was lost."""
        from filigraph.app.cluster.link import RayCluster

        with self._connecting:
            if self._cluster is not None and self._cluster.lost:
                self._cluster.close()
                self._cluster = None
            if self._cluster is None:
                self._cluster = RayCluster(address)
            return self._cluster

    # ---- models

    def _load_embedder(self) -> Embedder:
        from filigraph.graph.models.adapters.embedder import load_embedder

        return load_embedder(self.settings.embedder, made=self.settings.made_models)

    def named_embedder(self, name: str, cluster_run: ClusterRun | None = None) -> Embedder:
        """The server's default embedder for "", else one on this machine, by its name on the hub; a cluster does its
        work, if there is one.
        """
        embedder = self._known_embedder(name) if name else self.embedder()
        if cluster_run is None or embedder.token_spans is None:  # the server computes vectors of parts itself
            return embedder
        from filigraph.app.cluster.embedding import on_cluster

        return on_cluster(embedder, cluster_run, name)

    def _known_embedder(self, name: str) -> Embedder:
        from filigraph.graph.models.adapters.embedder import load_known

        with self._loading:
            if name not in self._named:
                self._named[name] = load_known(name, made=self.settings.made_models)
            return self._named[name]

    def embedder_of(self, workspace: WorkspaceRow, cluster_run: ClusterRun | None = None) -> Embedder:
        """The embedder of a workspace's vectors; a cluster does its work, if there is one. Raises EmbedderMismatch if
        it is not available.
        """
        for name in dict.fromkeys(("", workspace.embedder)):
            embedder = self.named_embedder(name, cluster_run)
            if embedder.fingerprint == workspace.fingerprint:
                return embedder
        raise EmbedderMismatch(
            f"The workspace {workspace.name!r} holds vectors of another embedder ({workspace.fingerprint}).",
            cure="Restore FILIGRAPH_EMBEDDER, or compute vectors with the server's embedder: `filigraph reembed`.",
        )

    def _load_reranker(self) -> Scorer | None:
        from filigraph.graph.models.adapters.reranker import load_reranker

        return load_reranker(self.settings.reranker)

    def llm(self, awaited: str = "") -> LLM | None:
        """The LLM that answers now, None without one. It checks each time, because a model may be added while the
        server runs. `awaited` is the name of an LLM to use even if none answers.
        """
        chosen = choose_llm(self.settings).llm
        return llm_named(self.settings, awaited) if chosen is None and awaited else chosen

    def batch_server(self, cancelled: ShouldStop = lambda: False) -> BatchServer:
        """The provider of the LLM's batches; its `check` finds out whether it has any. Raises InputError."""
        settings = self.settings
        if not settings.llm_url:
            raise InputError(
                "Batches need a provider: FILIGRAPH_LLM_URL is not set, and Ollama has no batches.",
                cure="Set FILIGRAPH_LLM_URL, FILIGRAPH_LLM and FILIGRAPH_LLM_KEY, or leave out --batch.",
            )
        from filigraph.graph.models.adapters.openai import OpenAILLM
        from filigraph.graph.models.adapters.openai_batches import OpenAIBatches

        llm = OpenAILLM(settings.llm, url=settings.llm_url, api_key=settings.llm_key.get_secret_value())
        return OpenAIBatches(llm, cancel=cancelled)

    def check_batches(self, kind: ExtractorKind) -> None:
        """Raises InputError, with its cure, if batches are not available."""
        if kind == "local":
            raise InputError("The local extractor has no batches.", cure="Leave out --batch or --extractor local.")
        self.batch_server().check()

    @staticmethod
    def triple_extractor(workspace: str, content: bytes, names: Sequence[str]) -> tuple[Extractor, list[str]]:
        """An extractor with the triples of a file, and the unusable lines of the file. Raises InputError if none is
        usable.
        """
        from filigraph.graph.ingest.extract.triples import TripleExtractor, parse_triples

        parsed = parse_triples(content)
        if parsed.problems and not parsed.triples:
            raise InputError(
                f"The file of triples has no usable line: {parsed.problems[0][:300]}.",
                cure='Give JSON lines such as {"source": "letter.txt", "triples": [["Jules", "wears", "ring"]]}.',
            )
        by_id, problems = by_document(workspace, parsed.triples, names)
        return TripleExtractor(by_id), [*(f"triples: {problem}" for problem in parsed.problems), *problems]

    def extractor(
        self,
        kind: ExtractorKind,
        *,
        schema: ExtractionSchema,
        cancelled: ShouldStop,
        notify: Callable[[str], None] = lambda _: None,
        keep: Keep = lambda chunk, read: None,
        metered: Callable[[LLM], LLM] = lambda llm: llm,
        cluster_run: ClusterRun | None = None,
        awaited: str | None = None,
    ) -> Extractor:
        """`auto`: the LLM if one answers, else the local extractor, which ignores `schema`.

        `notify` is called while it waits for the LLM; `keep` gets each extraction at once; `metered` wraps the LLM in a
        meter. With `cluster_run` it uses the LLMs of the cluster's machines, if they have any, and their cores. If
        `awaited` is not None, it waits for the LLM before its first answer too: `awaited` names an LLM to use even if
        none answers now, "" if none was chosen before.
        """
        if kind in ("auto", "llm") and cluster_run and cluster_run.llm_calls:
            choice: Choice | None = Choice(llm=cluster_run.llm(), detail="those of the Ray cluster")
            in_flight = cluster_run.llm_calls
        else:
            choice = choose_llm(self.settings) if kind in ("auto", "llm") else None
            in_flight = self.settings.llm_parallel
        if awaited and choice and not choice.llm:
            choice = Choice(llm=llm_named(self.settings, awaited), detail=choice.detail)
        if choice and choice.llm:
            from filigraph.graph.ingest.extract.llm import LLMExtractor

            return LLMExtractor(
                metered(choice.llm),
                schema=schema,
                reading=self.settings.reading,
                in_flight=in_flight,
                timeout=self.settings.llm_timeout,
                awaited=awaited is not None,
                cancel=cancelled,
                notify=notify,
                keep=keep,
            )
        if choice and kind == "llm":
            raise InputError(f"No LLM is available: {choice.detail}", cure=choice.cure)
        from filigraph.graph.ingest.extract.local import LocalExtractor
        from filigraph.graph.models.adapters import spacy_models

        local = LocalExtractor(spacy_models.load)
        return cluster_run.extractor(local) if cluster_run else local
