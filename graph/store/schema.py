"""Constraints and indexes of the database and of each workspace."""

from __future__ import annotations

from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.store.migrations import LATEST_VERSION, Step, migrate
from filigraph.graph.store.neo4j.database import Database
from filigraph.graph.store.neo4j.statements import cypher, statements

# Community can enforce only uniqueness; MATCH and MERGE use these ids.
CONSTRAINTS = (
    "schema_id",
    "workspace_name",
    "token_id",
    "document_id",
    "chunk_id",
    "mention_id",
    "entity_id",
    "fact_id",
    "alias_group_id",
    "decision_id",
    "trace_id",
    "evaluation_id",
    "extraction_id",
    "speed_id",
    "key_id",
    "lease_id",
    "job_id",
    "job_item_id",
    "job_part_id",
    "batch_id",
    "batch_reply_id",
    "workspace_lock_id",
    "workspace_placement_id",
    "audit_id",
    "spent_id",
    "summary_id",
    "form_id",
    "form_fill_id",
    "field_value_id",
    "note_id",
    "search_id",
    "contradiction_reading_id",
    "list_reading_id",
    "cast_link_id",
)
INDEXES = (
    "document_workspace",
    "chunk_workspace",
    "mention_workspace",
    "entity_workspace",
    "fact_workspace",
    "alias_group_workspace",
    "decision_workspace",
    "mention_lookup",
    "document_title",
    "document_bare_title",
    "chunk_stale",
    "mention_touched",
    "entity_touched",
    "fact_touched",
    "trace_expires",
    "audit_at",
    "evaluation_workspace",
    "extraction_workspace",
    "job_state",
    "job_workspace",
    "batch_workspace",
    "batch_reply_workspace",
    "summary_key",
    "summary_workspace",
    "form_workspace",
    "form_fill_workspace",
    "field_value_workspace",
    "note_workspace",
    "search_workspace",
    "contradiction_reading_workspace",
    "list_reading_workspace",
    "cast_link_workspace",
)
# The indexes have the original vectors: quantized ones are not faster on a Java without the vector module, and their
# cosines are off by up to 0.003. Half the usual ef_construction takes 60 % of the time and finds as much (recall
# 0.997).
WORKSPACE_INDEXES = ("chunk_vectors", "entity_vectors", "fact_vectors", "chunk_words", "entity_words")
OF_SUMMARIES = "summary_vectors"  # created with the first summary: few workspaces have any


def check_database(database: Database) -> None:
    """Raise StoreUnavailable if the database belongs to another program, or to a newer Filigraph."""
    rows = database.rows("schema_version")
    if rows:
        if (rows[0]["version"] or 0) > LATEST_VERSION:
            raise StoreUnavailable(
                f"The graph was written by a newer Filigraph (schema {rows[0]['version']}, "
                f"this one knows {LATEST_VERSION}).",
                cure="Update Filigraph, or set NEO4J_URI to another database.",
            )
        return
    foreign = database.rows("foreign_node")
    if foreign:
        raise StoreUnavailable(
            f"The database holds nodes of another program (labels {', '.join(foreign[0]['labels'])}).",
            cure="Give Filigraph a database of its own: set NEO4J_URI to an empty one.",
        )


def ensure_schema(database: Database, step: Step) -> None:
    """Create the missing constraints and indexes of the database; update a database of an older Filigraph."""
    known = {row["name"] for row in database.rows("index_names")}
    for name in (*CONSTRAINTS, *INDEXES):
        if f"filigraph_{name}" not in known:
            database.define(cypher(name))
    database.rows("await_indexes")
    rows = database.rows("schema_version")
    if rows:
        migrate(database, rows[0]["version"], step)
    else:
        database.change("write_schema_version", version=LATEST_VERSION)


def create_indexes(database: Database, workspace: WorkspaceRow) -> None:
    """Create the missing indexes of a workspace, and wait until they are online."""
    for name in WORKSPACE_INDEXES:
        database.define(statements()[f"create_{name}"].with_label(workspace.label, workspace.dimensions))
    database.rows("await_indexes")


def create_summary_index(database: Database, workspace: WorkspaceRow) -> None:
    """Create the index of a workspace's summaries if it is missing, and wait until it is online."""
    database.define(statements()[f"create_{OF_SUMMARIES}"].with_label(workspace.label, workspace.dimensions))
    database.rows("await_indexes")


def drop_vector_indexes(database: Database, workspace: WorkspaceRow) -> None:
    """Drop the vector indexes of a workspace, to make room for vectors of another length."""
    for name in (name for name in (*WORKSPACE_INDEXES, OF_SUMMARIES) if name.endswith("_vectors")):
        database.define(statements()[f"drop_{name}"].with_label(workspace.label, workspace.dimensions))


def drop_indexes(database: Database, workspace: WorkspaceRow) -> None:
    for name in (*WORKSPACE_INDEXES, OF_SUMMARIES):
        database.define(statements()[f"drop_{name}"].with_label(workspace.label, workspace.dimensions))
