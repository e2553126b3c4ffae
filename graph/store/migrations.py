"""Migrations: a database that an earlier version of the schema left, brought up one version at a time.

Each may be cut short and run again: what it has brought up already, it does not find any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from filigraph.graph import ids
from filigraph.graph.store.database import Database, Row, batches


def migrate(database: Database, version: int) -> None:
    """Bring a database of `version` up to `LATEST`."""
    for number, migration in list(enumerate(MIGRATIONS, start=1))[version - 1 :]:
        migration(database)
        database.change("write_schema_version", version=number + 1)


def content_ids(database: Database) -> None:
    """1 to 2. Ids hung on the workspace's name throughout; now they do at their end alone (see `ids.py`).

    What is decided by the order of ids may fall otherwise, so the next ingest looks at everything again.
    """
    for workspace in [str(row["name"]) for row in database.rows("v1_workspaces")]:
        documents = database.rows("v1_documents", workspace=workspace)
        for document in documents:
            _renew_document(database, workspace, document)
        found = database.rows("v1_entities", workspace=workspace)
        _renew(database, "v1_renew_entities", ((row["old"], ids.entity_id(row["smallest"])) for row in found))
        found = database.rows("v1_facts", workspace=workspace)
        facts = ((row["old"], ids.fact_id(row["subject"], row["predicate"], row["object"])) for row in found)
        _renew(database, "v1_renew_facts", facts)
        found = database.rows("v1_alias_groups", workspace=workspace)
        groups = ((row["old"], ids.alias_group_id(workspace, row["document_id"], tuple(row["names"]))) for row in found)
        _renew(database, "v1_renew_alias_groups", groups)
        database.change("undecided", workspace=workspace)
        database.change("new_revision", workspace=workspace)


def _renew_document(database: Database, workspace: str, document: Row) -> None:
    """A document with its chunks and mentions, in one transaction."""
    old, new = str(document["id"]), ids.document_id(workspace, document["source"])
    mentions = [
        {"old": row["id"], "new": ids.mention_id(new, row["key"], row["type"])}
        for row in database.rows("v1_mentions", workspace=workspace, document_id=old)
    ]
    stored = database.rows("v1_chunks", document_id=old)
    chunks = [{"old": row["id"], "new": _renewed_chunk(row, old, new, len(stored))} for row in stored]

    def work(run: Callable[..., list[Row]]) -> None:
        run("v1_renew_mentions", rows=mentions, document_id=new)
        run("v1_renew_chunks", rows=chunks, document_id=new)
        run("v1_renew_document", workspace=workspace, old=old, new=new)

    database.write(work)


def _renewed_chunk(chunk: Row, old: str, new: str, most: int) -> str:
    """Which occurrence of its text a chunk is, only its old id tells."""
    text = chunk["text"]
    for occurrence in range(most + 1):
        if ids.content_id("chunk", old, text, str(occurrence)) == chunk["id"]:
            return ids.chunk_id(new, text, occurrence)
    return str(chunk["id"]) + new[ids.CONTENT :]  # of a document cut short: it is read again


def _renew(database: Database, statement: str, pairs: Iterable[tuple[str, str]]) -> None:
    rows = [{"old": old, "new": new} for old, new in pairs]
    for batch in batches(rows):
        database.change(statement, rows=batch)


MIGRATIONS: tuple[Callable[[Database], None], ...] = (content_ids,)
LATEST = len(MIGRATIONS) + 1
