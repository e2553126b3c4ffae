"""The store: Neo4j. `Store` reaches it and keeps the workspaces, `Graph` is what one workspace holds.
What goes in and comes out is in `graph/records/`; a stage names what it needs of `Graph` as a Protocol.

connect.py      Store: one driver, the workspaces
graph.py        Graph: one workspace, made of the parts in workspace/ (graph_part.py)
schema.py       constraints and indexes
migrations.py   from one schema version to the next
queries/        the statements, by name

workspace/      what one workspace holds
  read.py           documents and their chunks
  extractions.py    what was read in chunks, what is kept of it
  casts.py          who is who in documents; cast_reasons.py: why
  contradictions.py what an LLM said of contradictions
  scan.py           names that are known already, wherever they occur
  read_all.py       all that was read and decided, for views
  decide.py         what persons and rules decided
  read_rows.py      mentions and entities of now, from those that are cached
  derive.py         mentions, entities, facts
  sweep.py          deletes what nothing supports, redraws edges
  ask.py            what a question finds
  filtered.py       the same, in some of the documents
  detail.py         one entity, counts
  browse.py         what people look at beside an answer
  export.py         all that there is, as lines
  reembed.py        from one embedder to another
  summaries.py      what stretches of text say in short
  forms.py          what is asked in forms, what was found
  notes.py          notes of persons
  evaluations.py    where gold occurs, what runs measured
server/         what belongs to the whole database
  jobs.py           what servers are to do, how far it is, and which of them does it
  batches.py        what a provider was given to answer within a day
  workspace_locks.py who may change a workspace
  traces.py         how answers came about, and the answers, until they expire
  keys.py           who may use the server, and for what
  audit.py          who changed what, and what it cost in tokens
  speeds.py         how fast extractors read
  placements.py     which shard holds which workspace
cache/          what a server keeps between two questions or derivations
  chunk_cache.py    chunks that questions read lately
  read_model.py     neighbours of chunks, in memory
  derivation_cache.py mentions, entities and decisions that were read lately
  decision_edges.py decisions as they are drawn
neo4j/          the driver
  sessions.py, database.py (transactions, batches), driver_errors.py, statements.py (loads queries/*.cypher by name),
  labels.py and edge_types.py (labels and types from models and texts made safe), registry.py (limits their number),
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
