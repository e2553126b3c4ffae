"""The store: Neo4j. `Store` reaches it and keeps the workspaces, `Graph` is what one workspace holds.
What goes in and comes out is in `graph/rows.py`; a stage names what it needs of `Graph` as a Protocol.

connect.py          Store: one driver, the workspaces
schema.py           constraints and indexes
migrations.py       from one schema version to the next
database.py         transactions, batches
driver_errors.py    the driver's errors as ours
statements.py       loads queries/*.cypher by name
labels.py           labels and types from models and texts made safe
registry.py         limits the number of labels and types
quantize.py         int8 quantization of vectors
graph.py            Graph: one workspace, made of these parts (graph_part.py):
  read.py           documents and their chunks
  extractions.py    what was read in chunks, what is kept of it
  scan.py           names that are known already, wherever they occur
  read_all.py       all that was read and decided, for views
  decide.py         what persons and rules decided
  read_rows.py      mentions and entities of now, from those that are kept
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
  evaluations.py    where gold occurs, what runs measured
chunk_cache.py      chunks that questions read lately
read_model.py       neighbours of chunks, in memory
kept_rows.py        mentions, entities and decisions that were read lately
decision_edges.py   decisions as they are drawn
traces.py           how answers came about, and the answers, until they expire
speeds.py           how fast extractors read
audit.py            who changed what, and what it cost in tokens
keys.py             who may use the server, and for what
batches.py          what a provider was given to answer within a day
jobs.py             what servers are to do, how far it is, and which of them does it
workspace_locks.py  who may change a workspace
placements.py       which shard holds which workspace
"""

from filigraph.graph.store.audit import AuditEntries, AuditEntry, TokensSpent
from filigraph.graph.store.batches import Batches, BatchRow, KnownReply
from filigraph.graph.store.connect import Store
from filigraph.graph.store.filtered import FilteredGraph
from filigraph.graph.store.graph import Graph
from filigraph.graph.store.jobs import ItemState, JobClaim, JobItem, JobKind, JobRow, Jobs, JobState, Upload, WaitingJob
from filigraph.graph.store.keys import AccessKey, AccessKeys, KeyScope
from filigraph.graph.store.placements import Placement, Placements
from filigraph.graph.store.workspace_locks import WorkspaceLock

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
    "Store",
    "TokensSpent",
    "Upload",
    "WaitingJob",
    "WorkspaceLock",
]
