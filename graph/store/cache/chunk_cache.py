"""A cache of the chunks that questions read: reading them again would take half of the time of an answer. An entry
belongs to one revision of its workspace, and every transaction that changes the data of questions makes a new revision
(`GraphPart._alter`). So no entry can survive a change, whichever program made it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from cachetools import LRUCache

from filigraph.graph.analysis.connections import FactNetwork
from filigraph.graph.model.retrieval import PoolChunk
from filigraph.graph.records.workspaces import READ_AHEAD, ReadAheadSize
from filigraph.graph.store.cache.read_model import ReadModel

MIN_CHUNKS = 10_000  # min. number of chunks that fit
MAX_BYTES_PER_CHUNK = 26 * 1024  # max. bytes of vectors, the largest part, for a typical chunk
# workspaces whose ids are all cached: small ones, which are searched as a whole, and preloaded ones
MAX_WORKSPACES = 16
MAX_NETWORK_FACTS = 500_000  # facts of all cached networks; some 300 bytes each
MAX_PAST_REVISIONS = 1000  # number of past revisions that are remembered


class ChunkCache:
    """The latest chunks and read models, each workspace's at one revision. It has room for the largest workspace that
    is read ahead. Thread-safe.
    """

    def __init__(self, size: ReadAheadSize = READ_AHEAD) -> None:
        self.size = size
        room = max(MIN_CHUNKS, size.chunks) * MAX_BYTES_PER_CHUNK
        self._chunks: LRUCache[tuple[str, str], PoolChunk] = LRUCache(room, getsizeof=_bytes_of)
        self._ids: LRUCache[str, tuple[str, ...]] = LRUCache(MAX_WORKSPACES)
        self._models: LRUCache[str, ReadModel] = LRUCache(size.linked, getsizeof=lambda model: len(model.ids))
        self._networks: LRUCache[str, FactNetwork] = LRUCache(
            MAX_NETWORK_FACTS, getsizeof=lambda network: len(network.facts)
        )
        self._revision: dict[str, str] = {}  # workspace -> the cached revision
        self._past: LRUCache[str, str] = LRUCache(MAX_PAST_REVISIONS)  # revisions that are no longer cached
        self._lock = threading.Lock()

    def find(self, revision: str, ids: Sequence[str]) -> dict[str, PoolChunk]:
        """The chunks among `ids` that were read at this revision."""
        with self._lock:
            chunks = {id_: self._chunks.get((revision, id_)) for id_ in ids}
        return {id_: chunk for id_, chunk in chunks.items() if chunk is not None}

    def put(self, workspace: str, revision: str, chunks: Iterable[PoolChunk]) -> None:
        """Cache chunks that were read after this revision."""
        with self._lock:
            for chunk in chunks if self._advance(workspace, revision) else ():
                if _bytes_of(chunk) <= self._chunks.maxsize:
                    self._chunks[revision, chunk.id] = chunk

    def find_ids(self, revision: str) -> tuple[str, ...] | None:
        """The ids of all chunks, if they are cached at this revision."""
        with self._lock:
            return self._ids.get(revision)

    def put_ids(self, workspace: str, revision: str, ids: tuple[str, ...]) -> None:
        """Cache the ids of all chunks, read after this revision."""
        with self._lock:
            if self._advance(workspace, revision):
                self._ids[revision] = ids

    def find_model(self, revision: str) -> ReadModel | None:
        """The read model of this revision, if there is one."""
        with self._lock:
            return self._models.get(revision)

    def put_model(self, workspace: str, revision: str, model: ReadModel) -> None:
        """Cache a read model of data read after this revision."""
        with self._lock:
            if self._advance(workspace, revision) and len(model.ids) <= self._models.maxsize:
                self._models[revision] = model

    def find_network(self, revision: str) -> FactNetwork | None:
        """The facts of this revision as a network, if cached."""
        with self._lock:
            return self._networks.get(revision)

    def put_network(self, workspace: str, revision: str, network: FactNetwork) -> None:
        """Cache a network of data read after this revision."""
        with self._lock:
            if self._advance(workspace, revision) and len(network.facts) <= self._networks.maxsize:
                self._networks[revision] = network

    def _advance(self, workspace: str, revision: str) -> bool:
        """Drop the entries of other revisions of the workspace. False for a past revision: a question may have begun at
        it.
        """
        before = self._revision.get(workspace, revision)
        if revision in self._past:
            return False
        if before != revision:
            self._past[before] = workspace
            self._ids.pop(before, None)
            self._models.pop(before, None)
            self._networks.pop(before, None)
            for key in [key for key in self._chunks if key[0] == before]:
                del self._chunks[key]
        self._revision[workspace] = revision
        return True


def _bytes_of(chunk: PoolChunk) -> int:
    return chunk.vectors.nbytes + chunk.fact_vectors.nbytes
