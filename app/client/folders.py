"""Folders that the server watches for a workspace."""

from __future__ import annotations

from filigraph.app.client.addresses import path
from filigraph.app.client.options import Extractor
from filigraph.app.client.rest import Client
from filigraph.app.schemas.folders import WatchedFolderOut, WatchedFoldersOut


class WatchedFolders:
    """`filigraph.workspace("case").folders`. Takes an admin key."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self) -> list[WatchedFolderOut]:
        """Each with its last look, and the documents whose files are gone."""
        return WatchedFoldersOut.model_validate(self._client.get(path(self._workspace, "folders"))).folders

    def add(self, folder: str, *, extractor: Extractor = "auto") -> WatchedFolderOut:
        """Watch a folder of the server's machine, by its absolute path; it must be within FILIGRAPH_FOLDERS."""
        body = {"path": folder, "extractor": extractor}
        return WatchedFolderOut.model_validate(self._client.post(path(self._workspace, "folders"), body))

    def remove(self, folder_id: str) -> None:
        """Stop watching a folder; its documents stay."""
        self._client.delete(path(self._workspace, "folders", folder_id))
