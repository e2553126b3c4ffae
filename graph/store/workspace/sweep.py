"""Sweep: delete what has lost its support, and update what depends on counts.

The transaction that affects a node marks it as `touched`, so the cost of a sweep depends on the size of the change, and
the next sweep completes an interrupted one.
"""

from __future__ import annotations

from functools import partial

from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.neo4j.edge_types import EdgeTypes
from filigraph.graph.store.workspace.read_rows import CachedRowsPart, SweepRows
from filigraph.graph.text.formats.mail_quotes import MAILS, MIN_QUOTED_CHARS, QUOTE_MARKS, THREAD
from filigraph.graph.text.negation import denies

SWEEP_BATCH_NODES = 1000  # nodes per transaction
_QUOTED: dict[str, object] = {
    "mails": sorted(MAILS),
    "thread": f'"{THREAD}": ',  # in stored metadata
    "long": MIN_QUOTED_CHARS,
    "marks": list(QUOTE_MARKS),
}


class SweepPart(CachedRowsPart):
    """Deletions and relationships of derived data."""

    def sweep(self) -> None:
        """Delete facts that no sentence states, mentions that occur nowhere, scanned mentions whose name no extraction
        contains, and entities without mentions; weigh the facts that changed and write their relationships; link
        entities to the chunks that mention them; complete the documents that are read and derived. Relationships of
        facts from other lists of relation types are written again.
        """
        self._look_at_facts_drawn_otherwise()
        swept = self._begin_sweep()
        while self._alter(self._sweep_facts):
            pass
        while self._alter(partial(self._sweep_mentions, swept)):
            pass
        while self._alter(partial(self._sweep_entities, swept)):
            pass
        self._end_sweep(swept)
        self._change("documents_complete")
        self._change("decided")

    def _sweep_facts(self, run: Run) -> bool:
        facts = run("touched_facts", workspace=self._name, limit=SWEEP_BATCH_NODES, **_QUOTED)
        dead = [row["id"] for row in facts if row["weight"] == 0]
        living = [row for row in facts if row["weight"] > 0]
        if dead:
            run("remove_facts", workspace=self._name, ids=dead)
        typed = [self._typed(row, EdgeTypes(self.workspace.settings)) for row in living]
        drawn = [row for row in typed if row["as_drawn"]]
        if drawn:
            run("weigh_facts", workspace=self._name, rows=drawn)
            run("facts_weighed", workspace=self._name, rows=drawn)
        new = [row for row in typed if not row["as_drawn"]]
        if new:
            run("erase_facts", workspace=self._name, ids=[row["id"] for row in new if row["drawn"] is not None])
            run("draw_facts", workspace=self._name, rows=new)
        return bool(facts)

    def _typed(self, row: Row, types: EdgeTypes) -> Row:
        """A fact with its type; one of the schema's only if the registry has room for it."""
        relation = row["predicate"], row["object"], row["languages"]
        wanted = types.of(*relation)
        drawn = wanted
        if wanted.name in types.schema_types and not self.registry.admit("type", [wanted.name]):
            drawn = types.listed_type(*relation)
        denied = any(denies(row["predicate"], language) for language in row["languages"])
        typed = {"type": drawn.name, "inverse": drawn.inverse, "token": wanted.name, "denied": denied}
        before = row["drawn"], row["inverse"], row["token"], row["denied_before"]
        as_drawn = before == (drawn.name, drawn.inverse, wanted.name, denied)
        return {**row, **typed, "as_drawn": as_drawn}

    def _look_at_facts_drawn_otherwise(self) -> None:
        version, after = EdgeTypes(self.workspace.settings).version, ""
        if not self._rows("drawn_otherwise", drawn_by=version)[0]["otherwise"]:
            return
        while rows := self._rows("facts_drawn", after=after, limit=SWEEP_BATCH_NODES):
            self._alter(partial(_touch, workspace=self._name, ids=[row["id"] for row in rows]))
            after = rows[-1]["id"]
        self._change("note_drawn_by", drawn_by=version)

    def _sweep_mentions(self, swept: SweepRows, run: Run) -> bool:
        mentions = run("touched_mentions", workspace=self._name, limit=SWEEP_BATCH_NODES)
        dead = [row["id"] for row in mentions if row["count"] == 0]
        living = [row for row in mentions if row["count"] > 0]
        if dead:
            self._remove_mentions(swept, run, dead)
        if living:
            run("mentions_swept", workspace=self._name, rows=living)
        lookups = sorted({row["lookup"] for row in mentions if not row["read"]})
        if lookups:
            unread = [row["id"] for row in run("unread_names", workspace=self._name, lookups=lookups)]
            self._remove_mentions(swept, run, unread)
        return bool(mentions)

    def _sweep_entities(self, swept: SweepRows, run: Run) -> bool:
        entities = run("touched_entities", workspace=self._name, limit=SWEEP_BATCH_NODES)
        dead = [row["id"] for row in entities if not row["alive"]]
        living = [row["id"] for row in entities if row["alive"]]
        if dead:
            facts = [row["id"] for row in run("facts_of_entities", workspace=self._name, ids=dead)]
            run("remove_facts", workspace=self._name, ids=facts)
            run("remove_entities", workspace=self._name, ids=dead)
            swept.removed.update(dead)
        if living:
            run("entities_swept", workspace=self._name, ids=living)
        return bool(entities)

    def _remove_mentions(self, swept: SweepRows, run: Run, ids: list[str]) -> None:
        rows: list[Row] = [{"id": id_} for id_ in ids]
        run("remove_mentions", workspace=self._name, rows=rows)
        swept.removed.update(ids)


def _touch(run: Run, workspace: str, ids: list[str]) -> None:
    run("touch_facts", workspace=workspace, ids=ids)
