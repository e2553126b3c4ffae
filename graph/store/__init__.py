"""The store: Neo4j. `Store` reaches it and keeps the workspaces, `Graph` is what one workspace holds.

connect.py    Store: one driver, the workspaces        graph.py       Graph: one workspace, made of
schema.py     constraints and indexes                    read.py        documents and their chunks
database.py   transactions, batches                      decide.py      what persons and rules decided
driver_errors.py  the driver's errors as ours            derive.py      mentions, entities, facts
statements.py     loads queries/*.cypher by name         sweep.py       what goes, what is drawn
registry.py       caps labels and types from models      ask.py         what a question finds
rows.py           what goes in and comes out             detail.py        one entity, counts
migrations.py     from one schema version to the next
export.py     all that there is, as lines
extractions.py    what was read in chunks, what is kept of it
speeds.py         how fast extractors read
audit.py          who changed what, and what it cost in tokens
keys.py           who may use the server, and for what
chunk_cache.py       chunks that questions read lately
traces.py         how answers came about, and the answers, until they expire
evaluations.py    where gold stands, what runs measured
browse.py         what people look at beside an answer
filtered.py         what a question finds in some of the documents
jobs.py           what servers are to do, how far it is, and which of them does it
workspace_locks.py          who may change a workspace
"""

from filigraph.graph.store.audit import AuditEntries, AuditEntry, TokensSpent
from filigraph.graph.store.connect import Store
from filigraph.graph.store.decide import decision_of
from filigraph.graph.store.filtered import FilteredGraph
from filigraph.graph.store.graph import Graph
from filigraph.graph.store.jobs import ItemState, JobClaim, JobItem, JobKind, JobRow, Jobs, JobState, Upload, WaitingJob
from filigraph.graph.store.keys import AccessKey, AccessKeys, KeyScope
from filigraph.graph.store.rows import (
    ChunkRow,
    ChunkText,
    DetailFact,
    DocumentName,
    DocumentRow,
    EntityDetail,
    EntityHit,
    EntityNames,
    EntityRow,
    EvaluationRow,
    FactHit,
    FactSentence,
    FoundEntity,
    Gap,
    GraphStats,
    ListedFact,
    MentionRow,
    NamedEntity,
    NamePlace,
    NearFact,
    Overview,
    Piece,
    PlaceRow,
    PredicateRow,
    Speed,
    StoredAnswer,
    StoredChunk,
    StoredKey,
    TitledDocument,
    TitleRow,
    TraceRow,
    WordHit,
    WorkspaceRow,
)
from filigraph.graph.store.workspace_locks import WorkspaceLock

__all__ = [
    "AccessKey",
    "AccessKeys",
    "AuditEntries",
    "AuditEntry",
    "ChunkRow",
    "ChunkText",
    "DetailFact",
    "DocumentName",
    "DocumentRow",
    "EntityDetail",
    "EntityHit",
    "EntityNames",
    "EntityRow",
    "EvaluationRow",
    "FactHit",
    "FactSentence",
    "FilteredGraph",
    "FoundEntity",
    "Gap",
    "Graph",
    "GraphStats",
    "ItemState",
    "JobClaim",
    "JobItem",
    "JobKind",
    "JobRow",
    "JobState",
    "Jobs",
    "KeyScope",
    "ListedFact",
    "MentionRow",
    "NamePlace",
    "NamedEntity",
    "NearFact",
    "Overview",
    "Piece",
    "PlaceRow",
    "PredicateRow",
    "Speed",
    "Store",
    "StoredAnswer",
    "StoredChunk",
    "StoredKey",
    "TitleRow",
    "TitledDocument",
    "TokensSpent",
    "TraceRow",
    "Upload",
    "WaitingJob",
    "WordHit",
    "WorkspaceLock",
    "WorkspaceRow",
    "decision_of",
]
