"""The store: Neo4j. `Store` connects to it and has the workspaces, `Graph` is one workspace. Its rows are in
`graph/records/`; a stage declares the part of `Graph` that it needs as a Protocol.

connect.py      Store: one driver, the workspaces
graph.py        Graph: one workspace, composed of the parts in workspace/ (graph_part.py)
schema.py       constraints and indexes
migrations.py   updates of databases with an older schema
queries/        the statements, by name

workspace/      the content of one workspace
  documents.py      documents and their chunks
  extractions.py    extractions of chunks
  casts.py          who is who in documents
  cast_links.py     who is who across documents
  contradictions.py contradictions that an LLM found
  list_readings.py  items of lists that an LLM found
  scan.py           places of known names
  read_all.py       everything read and decided, for views
  decide.py         decisions by people and rules
  read_rows.py      current mentions and entities, from the cache and changes
  derive.py         mentions, entities, facts
  sweep.py          deletes what nothing supports, redraws edges
  ask.py            the searches of a question
  filtered.py       the same, limited to some documents
  detail.py         one entity, counts
  browse.py         documents and entities for the page and the command line
  export.py         the whole workspace as lines
  reembed.py        a change of the embedder
  summaries.py      summaries of texts
  forms.py          forms and their values
  notes.py          people's notes
  evaluations.py    results of evaluations, and the places of gold
server/         data of the whole database
  jobs.py           jobs, their progress, and the server that runs them
  batches.py        batches of requests that a provider answers within a day
  workspace_locks.py who may change a workspace
  traces.py         answers and how they were found, until they expire
  keys.py           who may use the server, and for what
  audit.py          who changed what, and what it cost in tokens
  speeds.py         how fast extractors read
  placements.py     which shard holds which workspace
cache/          caches of a server between questions or derivations
  chunk_cache.py    recently read chunks
  read_model.py     neighbours of chunks, in memory
  derivation_cache.py recently read mentions, entities and decisions
  decision_edges.py decisions as edges
neo4j/          the driver
  sessions.py, database.py (transactions, batches), driver_errors.py, statements.py (loads queries/*.cypher by name),
  labels.py and edge_types.py (safe names for labels and types), registry.py (limits their number),
  quantize.py (int8 quantization of vectors)
"""

from filigraph.graph.store.connect import Store
from filigraph.graph.store.graph import Graph
from filigraph.graph.store.server.audit import AuditEntries, AuditEntry, TokensSpent
from filigraph.graph.store.server.batches import Batches, BatchRow, KnownReply
from filigraph.graph.store.server.jobs import (
    ItemState,
    JobClaim,
    JobItem,
    JobKind,
    JobRow,
    Jobs,
    JobState,
    Upload,
    WaitingJob,
)
from filigraph.graph.store.server.keys import AccessKey, AccessKeys, KeyScope
from filigraph.graph.store.server.placements import Placement, Placements
from filigraph.graph.store.server.workspace_locks import WorkspaceLock
from filigraph.graph.store.workspace.filtered import FilteredGraph
from filigraph.graph.store.workspace.stated import StatedGraph

__all__ = [
    "AccessKey",
    "AccessKeys",
    "AuditEntries",
    "AuditEntry",
    "BatchRow",
    "Batches",
    "FilteredGraph",
    "Graph",
    "ItemState",
    "JobClaim",
    "JobItem",
    "JobKind",
    "JobRow",
    "JobState",
    "Jobs",
    "KeyScope",
    "KnownReply",
    "Placement",
    "Placements",
    "StatedGraph",
    "Store",
    "TokensSpent",
    "Upload",
    "WaitingJob",
    "WorkspaceLock",
]
