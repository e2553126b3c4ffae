"""Placements: which Neo4j server (shard) holds which workspace. They are in the home database, which holds all other
workspaces.

A move copies the workspace to the new shard, changes its placement in one transaction, and deletes the old copy.
`leaving` names the shard of the old copy until it is deleted, so that a killed server leaves no doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.records.workspaces import HOME_SHARD
from filigraph.graph.store.neo4j.database import Database


@dataclass(frozen=True, kw_only=True)
class Placement:
    """The place of a workspace."""

    workspace: str
    shard: str
    leaving: str = ""  # the shard that still has to delete its copy; "" if none


class Placements:
    """The placements of all workspaces, in the home database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def shard(self, workspace: str) -> str:
        """The shard that holds a workspace, or will hold it when it is created."""
        rows = self._database.rows("shard_of", workspace=workspace)
        return str(rows[0]["shard"]) if rows else HOME_SHARD

    def rows(self) -> list[Placement]:
        """The placements of moved workspaces, by workspace; all others are on the home shard."""
        return [
            Placement(workspace=row["workspace"], shard=row["shard"], leaving=row["leaving"] or "")
            for row in self._database.rows("placements")
        ]

    def place(self, workspace: str, shard: str, *, leaving: str = "") -> None:
        """Place a workspace. `leaving`: the shard with a copy that has to be deleted."""
        self._database.change("place_workspace", workspace=workspace, shard=shard, leaving=leaving or None)

    def mark_copy_deleted(self, workspace: str) -> None:
        """The old copy is deleted."""
        self._database.change("copy_left", workspace=workspace)

    def forget(self, workspace: str) -> None:
        """The workspace is deleted."""
        self._database.change("forget_placement", workspace=workspace)
