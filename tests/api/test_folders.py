"""Folders that the server watches, over REST, on the real Neo4j."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from filigraph.app.client.folders import WatchedFolders
from filigraph.app.client.rest import Client
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service import folders
from filigraph.app.service.service import Service
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool

MAIL = b"From: anna@example.org\nTo: paul@example.org\nSubject: The ring\n\nJules wears a ring. %s\n"


@pytest.fixture(autouse=True)
def nobody_else_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look of the server's own between two changes would send them in two jobs."""
    monkeypatch.setattr(folders, "POLL_SECONDS", 3600.0)


def service_of(address: Neo4jAddress, folder: Path) -> Service:
    return Service(WordRuntime(address, FILIGRAPH_FOLDERS=str(folder / "mail"), FILIGRAPH_HOME=str(folder / "home")))


def sources(client: httpx.Client, case: str) -> list[str]:
    return sorted(row["source"] for row in client.get(f"{case}/documents").json()["documents"])


def poll(service: Service, client: httpx.Client, case: str, jobs: int) -> dict[str, object]:
    """Poll until nothing is new; returns the folder once so many jobs have ended."""
    for _ in range(2):
        service.folders.poll()
    name = case.rpartition("/")[2]
    while True:
        rows = client.get("/v1/jobs", params={"workspace": name}).json()["jobs"]
        if len(rows) >= jobs and all(row["finished"] for row in rows):
            assert [row["state"] for row in rows] == ["done"] * jobs
            (folder,) = client.get(f"{case}/folders").json()["folders"]
            return dict(folder)
        time.sleep(0.05)


def test_a_maildir_is_read_as_it_grows(
    neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool, tmp_path: Path
) -> None:
    maildir = tmp_path / "mail" / "Maildir"
    for part in ("cur", "new", "tmp"):
        (maildir / part).mkdir(parents=True)
    (maildir / "new" / "1.eml").write_bytes(MAIL % b"")
    (tmp_path / "secret.txt").write_text("Nobody may read this.")
    (maildir / "new" / "2.eml").symlink_to(tmp_path / "secret.txt")
    first = str(maildir / "new" / "1.eml")
    service = service_of(neo4j_address, tmp_path)
    with client_of(service) as client, workspace_pool.unused() as name:
        case = f"/v1/workspaces/{name}"
        added = client.post(f"{case}/folders", json={"path": str(maildir)})
        assert (added.status_code, added.json()["looked"], added.json()["sent"]) == (201, None, 0)
        assert client.post(f"{case}/folders", json={"path": str(maildir)}).status_code == 400
        folder = poll(service, client, case, 1)
        assert sources(client, case) == [first]
        assert (folder["sent"], folder["gone"], folder["problem"]) == (1, [], "")

        (maildir / "new" / "1.eml").write_bytes(MAIL % b"Paul knows it.")
        (maildir / "new" / "3.eml").write_bytes(MAIL % b"The ring is old.")
        folder = poll(service, client, case, 2)
        assert folder["sent"] == 3
        assert sources(client, case) == [first, str(maildir / "new" / "3.eml")]

        (maildir / "new" / "1.eml").unlink()
        folder = poll(service, client, case, 2)
        assert folder["gone"] == [first]
        assert first in sources(client, case)  # nothing is deleted

    service = service_of(neo4j_address, tmp_path)  # as after a restart
    with client_of(service) as client, Client(str(client.base_url)) as rest:
        watched = WatchedFolders(rest, name)
        (entry,) = watched.list()
        assert (entry.path, entry.looked) == (str(maildir), None)
        watched.remove(entry.id)
        assert watched.list() == []
        assert client.delete(f"{case}/folders/{entry.id}").status_code == 404


def test_what_may_not_be_watched_and_what_ends_with_its_workspace(
    neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool, tmp_path: Path
) -> None:
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    with client_of(service_of(neo4j_address, tmp_path)) as client, workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        for path, status, cause in (
            ("mail", 400, "not an absolute path"),
            (str(folder / "none"), 400, "not a folder"),
            (str(tmp_path), 403, "may not read"),
            (str(folder / "out"), 403, "may not read"),
            (f"{folder}/../home", 403, "may not read"),
        ):
            answer = client.post(f"{case}/folders", json={"path": path})
            assert answer.status_code == status, (path, answer.text)
            assert cause in answer.json()["error"]["cause"] and answer.json()["error"]["cure"]
        assert client.post(f"{case}/folders", json={"path": str(folder)}).status_code == 201
        assert client.delete(case, params={"confirm": name}).status_code == 200
        assert client.get(f"{case}/folders").json() == {"folders": []}
