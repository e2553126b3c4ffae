"""Migrations: update a database with an earlier version of the schema, one version at a time. Each may be interrupted
and run again: it only finds what it has not updated yet. `step` gets the progress, between two transactions, and may
raise to stop it there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from filigraph.graph import ids
from filigraph.graph.store.neo4j.database import BATCH_ROWS, Database, Row, in_batches
from filigraph.graph.store.neo4j.labels import our_tokens
from filigraph.graph.store.neo4j.statements import cypher
from filigraph.graph.text.names.namesakes import namesake_keys

Step = Callable[[str], None]

BATCH_DOCUMENTS = 100  # documents per transaction
BATCH_CHUNKS = 1000  # likewise


def migrate(database: Database, version: int, step: Step) -> None:
    """Update a database from `version` to `LATEST_VERSION`."""
    for number, migration in list(enumerate(MIGRATIONS, start=1))[version - 1 :]:
        migration(database, step)
        database.change("write_schema_version", version=number + 1)


def content_ids(database: Database, step: Step) -> None:
    """1 to 2. The whole of an id depended on the workspace's name; now only its end does (see `ids.py`).

    Decisions by the order of ids may differ, so the next ingest derives everything again.
    """
    for workspace in [str(row["name"]) for row in database.rows("v1_workspaces")]:

        def report(what: str, workspace: str = workspace) -> None:
            step(f"workspace {workspace}: {what}")

        mentions: dict[str, list[Row]] = defaultdict(list)
        for row in database.rows("v1_mentions", workspace=workspace):
            mentions[row["document_id"]].append(row)
        documents = database.rows("v1_documents", workspace=workspace)
        for n, batch in enumerate(in_batches(documents, BATCH_DOCUMENTS)):
            report(f"document {n * BATCH_DOCUMENTS + 1:,} of {len(documents):,}")
            _renew_documents(database, workspace, batch, mentions)
        old_rows = database.rows("v1_entities", workspace=workspace)
        entities = [(row["old"], ids.entity_id(row["smallest"])) for row in old_rows]
        _renew(database, "v1_renew_entities", entities, report)
        old_rows = database.rows("v1_facts", workspace=workspace)
        facts = [(row["old"], ids.fact_id(row["subject"], row["predicate"], row["object"])) for row in old_rows]
        _renew(database, "v1_renew_facts", facts, report)
        old_rows = database.rows("v1_alias_groups", workspace=workspace)
        groups = [
            (row["old"], ids.alias_group_id(workspace, row["document_id"], tuple(row["names"]))) for row in old_rows
        ]
        _renew(database, "v1_renew_alias_groups", groups, report)
        database.change("undecided", workspace=workspace)
        database.change("new_revision", workspace=workspace)


def _renew_documents(database: Database, workspace: str, old: Sequence[Row], mentions: Mapping[str, list[Row]]) -> None:
    """Documents with their chunks and `mentions` (by document), in one transaction."""
    new = {row["id"]: ids.document_id(workspace, row["source"]) for row in old}
    chunks: dict[str, list[Row]] = defaultdict(list)
    for row in database.rows("v1_chunks", documents=list(new)):
        chunks[row["document_id"]].append(row)
    renewed = {
        "v1_renew_mentions": [
            {"old": row["id"], "new": ids.mention_id(id_, row["key"], row["type"]), "document_id": id_}
            for before, id_ in new.items()
            for row in mentions[before]
        ],
        "v1_renew_chunks": [
            {"old": row["id"], "new": _renewed_chunk(row, before, id_, len(chunks[before])), "document_id": id_}
            for before, id_ in new.items()
            for row in chunks[before]
        ],
        "v1_renew_documents": [{"old": before, "new": id_} for before, id_ in new.items()],
    }

    def work(run: Callable[..., list[Row]]) -> None:
        for statement, rows in renewed.items():
            run(statement, rows=rows, workspace=workspace)

    database.write(work)


def _renewed_chunk(chunk: Row, old: str, new: str, most: int) -> str:
    """Only the old id of a chunk shows which occurrence of its text it is."""
    text = chunk["text"]
    for occurrence in range(most + 1):
        if ids.content_id("chunk", old, text, str(occurrence)) == chunk["id"]:
            return ids.chunk_id(new, text, occurrence)
    return str(chunk["id"]) + new[ids.CONTENT :]  # of an incomplete document: it is read again


def _renew(database: Database, statement: str, pairs: Sequence[tuple[str, str]], report: Step) -> None:
    what = statement.removeprefix("v1_renew_").replace("_", " ")
    for n, batch in enumerate(in_batches(pairs)):
        report(f"{what}, {n * BATCH_ROWS + 1:,} of {len(pairs):,}")
        database.change(statement, rows=[{"old": old, "new": new} for old, new in batch])


def our_labels(database: Database, step: Step) -> None:
    """2 to 3. A model's type could become one of our labels ("Decision"), its predicate one of our types
    ("READ_AS").
    """
    ours = sorted(our_tokens() - {"__Entity__", "RELATED_TO"})
    mislabelled = database.rows("v2_mislabelled", labels=ours)
    mistyped = database.rows("v2_mistyped", types=ours)
    for statement, rows in (("v2_remove_labels", mislabelled), ("v2_redraw", mistyped)):
        for n, batch in enumerate(in_batches(rows)):
            step(f"labels and types of our own, {n * BATCH_ROWS + 1:,} of {len(rows):,}")
            database.change(statement, rows=batch)
    database.change("v2_forget_tokens", names=ours)


def said_again(database: Database, step: Step) -> None:
    """3 to 4. Chunks did not store which of their names are strangers; predicates and weights were derived in another
    way.

    The next change of a workspace derives it again, without an LLM.
    """
    done, after = 0, ""
    while chunks := database.rows("v3_chunks", after=after, count=BATCH_CHUNKS):
        step(f"chunks from {done + 1:,} on")
        rows = [{"id": row["id"], "strangers": namesake_keys(row["text"], row["language"])} for row in chunks]
        database.change("v3_say_again", rows=rows)
        done, after = done + len(chunks), chunks[-1]["id"]


def relation_types(database: Database, _: Step) -> None:
    """4 to 5. Every wording was a relationship type; the next derivation of a workspace uses few types."""
    database.change("v4_draw_again")


def workspace_locks(database: Database, _: Step) -> None:
    """5 to 6. Workspace locks were `Turn` nodes. They are transient: deleted, and acquired again when needed."""
    database.define(cypher("v5_drop_turn_id"))
    database.change("v5_delete_turns")


MIGRATIONS: tuple[Callable[[Database, Step], None], ...] = (
    content_ids,
    our_labels,
    said_again,
    relation_types,
    workspace_locks,
)
LATEST_VERSION = len(MIGRATIONS) + 1
