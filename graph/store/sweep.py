"""Sweep: whatever nothing stands for any more goes, and what hangs on counts is counted again.

Everything that may be affected carries `touched`, set in the transaction that affected it, so a sweep costs as much as
was changed, and one cut short is finished by the next.
"""

from __future__ import annotations

from filigraph.graph.store.database import Row, Run
from filigraph.graph.store.labels import safe_token
from filigraph.graph.store.part import GraphPart

SWEPT = 1000  # nodes per transaction
UNSAFE = "RELATED_TO"  # the relationship type where a predicate cannot be one, or there are too many


class SweepPart(GraphPart):
    """What goes, and what is drawn."""

    def sweep(self) -> None:
        """Remove facts that no sentence says, mentions that stand nowhere, scanned mentions whose name no document is
        read to bear, and entities to which nothing refers; weigh and draw the facts that changed; bind entities to
        the chunks that mention them; complete the documents that are read and derived."""
        while self._alter(self._sweep_facts):
            pass
        while self._alter(self._sweep_mentions):
            pass
        while self._alter(self._sweep_entities):
            pass
        self._change("documents_complete")
        self._change("decided")

    def _sweep_facts(self, run: Run) -> bool:
        facts = run("touched_facts", workspace=self._name, limit=SWEPT)
        dead = [row["id"] for row in facts if row["weight"] == 0]
        living = [row for row in facts if row["weight"] > 0]
        if dead:
            run("remove_facts", workspace=self._name, ids=dead)
        drawn = [row for row in living if row["drawn"] is not None]
        if drawn:
            run("weigh_facts", workspace=self._name, rows=drawn)
            run("facts_weighed", workspace=self._name, rows=drawn)
        new = [row for row in living if row["drawn"] is None]
        if new:
            tokens = {row["id"]: safe_token(row["token"]) for row in new}
            admitted = self._registry.admit("type", tokens.values())
            rows = [{**row, "type": tokens[row["id"]] if tokens[row["id"]] in admitted else UNSAFE} for row in new]
            run("draw_facts", workspace=self._name, rows=rows)
        return bool(facts)

    def _sweep_mentions(self, run: Run) -> bool:
        mentions = run("touched_mentions", workspace=self._name, limit=SWEPT)
        dead = [row["id"] for row in mentions if row["count"] == 0]
        living = [row for row in mentions if row["count"] > 0]
        if dead:
            self._remove_mentions(run, dead)
        if living:
            run("mentions_swept", workspace=self._name, rows=living)
        lookups = sorted({row["lookup"] for row in mentions if not row["read"]})
        if lookups:
            unread = [row["id"] for row in run("unread_names", workspace=self._name, lookups=lookups)]
            self._remove_mentions(run, unread)
        return bool(mentions)

    def _sweep_entities(self, run: Run) -> bool:
        entities = run("touched_entities", workspace=self._name, limit=SWEPT)
        dead = [row["id"] for row in entities if not row["alive"]]
        living = [row["id"] for row in entities if row["alive"]]
        if dead:
            facts = [row["id"] for row in run("facts_of_entities", workspace=self._name, ids=dead)]
            run("remove_facts", workspace=self._name, ids=facts)
            run("remove_entities", workspace=self._name, ids=dead)
        if living:
            run("entities_swept", workspace=self._name, ids=living)
        return bool(entities)

    def _remove_mentions(self, run: Run, ids: list[str]) -> None:
        rows: list[Row] = [{"id": id_} for id_ in ids]
        run("remove_mentions", workspace=self._name, rows=rows)
