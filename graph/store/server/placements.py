"""Placements: which Neo4j server (shard) holds which workspace. Kept in the home database, which holds all others.

To move a workspace, its copy is made on the new shard, then one transaction changes its placement, then the old copy is
deleted. `leaving` names the shard of the old copy until it is gone, so that a server that is killed leaves no question
open.
"""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.records.workspaces import HOME_SHARD
from filigraph.graph.store.neo4j.database import Database


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where a workspace is."""

    workspace: str
    shard: str
    leaving: str = ""  # the shard that still has to delete its copy; "" if none


class Placements:
    """The placements of all workspaces, in the home database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def shard(self, workspace: str) -> str:
        """The name of the shard that holds a workspace, or that will once it is made."""
        rows = self._database.rows("shard_of", workspace=workspace)
        return str(rows[0]["shard"]) if rows else HOME_SHARD

    def rows(self) -> list[Placement]:
        """Those that were ever placed, by workspace; all others are at home."""
        return [
            Placement(workspace=row["workspace"], shard=row["shard"], leaving=row["leaving"] or "")
            for row in self._database.rows("placements")
        ]

    def place(self, workspace: str, shard: str, *, leaving: str = "") -> None:
        """Place a workspace. `leaving`: the shard that holds a copy which is to be deleted."""
        self._database.change("place_workspace", workspace=workspace, shard=shard, leaving=leaving or None)

    def mark_copy_deleted(self, workspace: str) -> None:
        """The old copy is deleted."""
        self._database.change("copy_left", workspace=workspace)

    def forget(self, workspace: str) -> None:
        """The workspace is deleted."""
        self._database.change("forget_placement", workspace=workspace)
