"""documents list, show, update, delete: output, questions, exit codes."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from filigraph.app.cli import library
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.documents import DocumentList
from filigraph.app.service.ingestion import Ingestion, IngestRequest
from filigraph.graph.analysis.mail_threads import mail_threads
from filigraph.graph.ask.question.documents import matching_documents
from filigraph.graph.errors import NotFound
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.records.documents import DocumentName, DocumentRow
from filigraph.graph.store import Upload
from tests.api.serving import HandMade
from tests.cli.conftest import Run


class Shelf(HandMade):
    """Holds some documents."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()  # workspaces
        self.wholly = 0  # times that all documents were asked
        self.there = {
            f"id-{n}": DocumentRow(
                id=f"id-{n}",
                source=f"case/{n}.txt" if n else "letter.txt",
                title=f"Number {n}",
                sha256="0" * 64,
                language="fr",
                metadata={"date": f"191{n}"},
                status="complete",
                unread=0,
                chunks=1,
                facts=n,
            )
            for n in range(4)
        }

    def list_documents(self, workspace: str, **asked: Any) -> Any:
        self.asked.add(workspace)
        self.wholly += not asked["sources"]
        names = [DocumentName(id=row.id, source=row.source, metadata=row.metadata) for row in self.there.values()]
        meant = matching_documents(names, sources=asked["sources"], where=asked["where"])
        rows = sorted((self.there[row.id] for row in meant), key=lambda row: row.source)
        shown = rows[asked["first"] :][: asked["count"]]
        return DocumentList(rows=shown, total=len(rows), threads=mail_threads(meant))

    def document(self, workspace: str, document_id: str, **_: Any) -> DocumentRow:
        if document_id not in self.there:
            raise NotFound("There is no such document.")
        return self.there[document_id]

    def places(self, workspace: str, row: DocumentRow, **_: Any) -> list[Any]:
        return []

    def thread(self, workspace: str, row: DocumentRow, **_: Any) -> list[Any]:
        return []

    def delete_documents(
        self, workspace: str, *, ids: Sequence[str] = (), sources: Sequence[str] = (), glob: bool = False
    ) -> Any:
        for id_ in ids:
            self.document(workspace, id_)
        asked = {"sources": sources, "where": {}, "first": 0, "count": 99}
        gone = {row.id for row in (self.list_documents(workspace, **asked).rows if sources else ())} | set(ids)
        return [self.there.pop(id_) for id_ in sorted(gone)]

    def submit(self, workspace: str, kind: Any, uploads: Sequence[Upload], **told: Any) -> Any:
        self.uploads = uploads
        return self.job("job-1")

    update = Ingestion.update

    def ingest(self, workspace: str, request: IngestRequest, watcher: ProgressCallbacks) -> IngestReport:
        self.got, self.told = list(request.sources), vars(request)
        return IngestReport(updated=[source.name for source in self.got])


@pytest.fixture
def service() -> Shelf:
    return Shelf()


def test_documents_are_listed(run: Run, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "PAGE_ROWS", 2)
    everything = ["Number 1", "Number 2", "Number 3", "Number 0"]
    for command in (["documents"], ["documents", "list"]):
        out = run(*command).out
        assert [name for name in everything if name in out] == everything

    def sources(*options: str) -> list[str]:
        found = json.loads(run("documents", "list", "--json", *options).out)
        return [row["source"] for row in found["documents"]]

    assert sources() == ["case/1.txt", "case/2.txt", "case/3.txt", "letter.txt"]
    assert sources("--first", "1", "--count", "1") == ["case/2.txt"]
    assert sources("--source", "case/", "--where", "date=1913") == ["case/3.txt"]
    assert run("documents", "list", "--where", "date").code == 2
    assert len(json.loads(run("documents", "--json").out)["documents"]) == 4


def test_the_mails_of_a_thread_are_listed_together(run: Run, server: str, service: Shelf) -> None:
    for n in (0, 3):
        mail = {"thread": "<boat@x>", "from": "Ada", "date": f"191{n}"}
        service.there[f"id-{n}"] = replace(service.there[f"id-{n}"], metadata=mail)
    out = run("documents").out
    order = ["Number 1", "Number 2", "A thread of 2 mails", "Number 0", "Number 3"]
    assert sorted(order, key=out.index) == order
    assert json.loads(run("documents", "--json").out)["threads"] == [["id-0", "id-3"]]


def test_a_document_is_shown_by_its_source_its_file_its_title_or_its_id(run: Run, server: str, service: Shelf) -> None:
    for name in ("letter.txt", "id-0"):
        ran = run("documents", "show", name)
        assert ran.code == 0 and "Number 0" in ran.out and "1910" in ran.out
    assert json.loads(run("documents", "show", "id-2", "--json").out)["metadata"] == {"date": "1912"}
    assert not service.wholly, "none of these is looked for in all documents"
    service.there["id-3"] = replace(service.there["id-3"], title="Nume\u0301ro 3")  # as a Mac writes it
    for name in ("3.txt", "num\u00e9ro 3"):  # its file name, its title
        assert "case/3.txt" in run("documents", "show", name).out
    ran = run("documents", "show", "none.txt")
    assert ran.code == 1 and "There is no document none.txt" in ran.err
    ran = run("documents", "show", "case/")
    assert ran.code == 1 and "means 3 documents" in ran.err


def test_options_before_the_command_hold_for_it(run: Run, server: str, service: Shelf) -> None:
    assert "Number 0" in run("documents", "-w", "case", "show", "letter.txt").out
    assert service.asked == {"case"}
    assert json.loads(run("documents", "-w", "case", "--json", "show", "letter.txt").out)["title"] == "Number 0"
    service.asked.clear()
    run("documents", "-w", "case", "show", "letter.txt", "-w", "other")
    assert service.asked == {"other"}  # what stands nearer


@pytest.mark.parametrize(
    "command", [("list",), ("show", "letter.txt"), ("update", "letter.txt", "{file}"), ("delete", "letter.txt", "-y")]
)
def test_a_workspace_before_any_command_is_the_one_that_it_changes(
    run: Run, server: str, service: Shelf, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "letter.txt").write_text("Changed.")
    ran = run("documents", "-w", "case", *(word.format(file=tmp_path / "letter.txt") for word in command))
    assert ran.code == 0 and service.asked == {"case"}


def test_documents_are_named_from_the_folder_that_they_were_ingested_from(
    run: Run, server: str, service: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    row = service.there["id-0"]
    sources = [f"{tmp_path}/letters/{name}.txt" for name in ("a", "b", "c")]
    service.there = {f"id-{n}": replace(row, id=f"id-{n}", source=source) for n, source in enumerate(sources)}
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("documents", "show", "letters/a.txt", "--json").out)["source"] == sources[0]
    assert len(json.loads(run("documents", "list", "--source", "letters/", "--json").out)["documents"]) == 3
    assert run("documents", "delete", "--yes", "letters/a.txt").code == 0
    assert sorted(service.there) == ["id-1", "id-2"]
    (tmp_path / "letters").mkdir()
    monkeypatch.chdir(tmp_path / "letters")
    assert run("documents", "delete", "--yes", "b.txt").code == 0
    service.there["id-0"] = replace(row, source="c.txt")  # one that is called just so is meant first
    assert run("documents", "delete", "--yes", "c.txt").code == 0
    assert list(service.there) == ["id-2"]
    ran = run("documents", "delete", "--yes", "b.txt")
    assert ran.code == 1 and len(service.there) == 1


def test_a_document_is_updated_from_a_file(run: Run, server: str, service: Shelf, tmp_path: Path) -> None:
    (tmp_path / "Élodie.txt").write_text("Changed.")
    ran = run("documents", "update", "case/1.txt", str(tmp_path / "Élodie.txt"))
    assert ran.code == 0 and "1 updated" in ran.out
    assert [(source.name, source.content) for source in service.got] == [("case/1.txt", b"Changed.")]
    assert service.told["as_read"] and service.told["strategy"] == "paragraph"
    changed = ("--metadata", "date=1920", "--metadata", "a=b=c", "--extractor", "local")
    assert run("documents", "update", "case/1.txt", str(tmp_path / "Élodie.txt"), *changed).code == 0
    assert service.got[0].metadata == {"date": "1920", "a": "b=c"}
    assert (service.told["as_read"], service.told["kind"]) == (False, "local")
    ran = run("documents", "update", "case/1.txt", str(tmp_path / "none.txt"))
    assert ran.code == 1 and "cannot be read" in ran.err


@pytest.mark.parametrize("more", [(), ("--background",)])
def test_metadata_are_given_with_an_ingest(
    more: tuple[str, ...], run: Run, server: str, service: Shelf, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Jules.")
    assert run("ingest", str(tmp_path), "--metadata", "date=1912", "--metadata", "box=7", *more).code == 0
    sent = service.uploads if more else service.got
    assert [dict(item.metadata) for item in sent] == [{"date": "1912", "box": "7"}]
    ran = run("ingest", str(tmp_path), "--metadata", "date", *more)
    assert ran.code == 2 and "--metadata date=1912-03-04" in ran.err


def test_a_folder_without_files_is_told(run: Run, server: str, tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("Jules.")
    ran = run("ingest", str(tmp_path))
    assert ran.code == 1 and f"There is no file to read in {tmp_path}." in ran.err


def test_documents_are_deleted_in_the_background(run: Run, server: str, service: Shelf) -> None:
    ran = run("documents", "delete", "case/", "--yes", "--background")
    assert ran.code == 0 and "job-1" in ran.out and len(service.there) == 4
    assert json.loads(run("documents", "delete", "id-0", "--yes", "--background", "--json").out)["id"] == "job-1"


def test_documents_are_deleted_once_one_says_so(
    run: Run, server: str, service: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    ran = run("documents", "delete", "case/")
    assert ran.code == 1 and "Delete 3 of the documents" in ran.err and len(service.there) == 4
    assert "case/1.txt" in ran.err, "what is to go is named"
    ran = run("documents", "delete", "case/1.txt", "id-2", "--yes")
    assert ran.code == 0 and "2 documents deleted." in ran.out
    assert sorted(service.there) == ["id-0", "id-3"]
    for confirmed in ([], ["--yes"]):  # one that there is not is told before anything is asked
        for nobody in ("none.txt", "case/none.txt"):
            ran = run("documents", "delete", nobody, *confirmed)
            assert ran.code == 1 and "Delete" not in ran.err and len(service.there) == 2
            assert f"There is no document {nobody}" in ran.err
    ran = run("documents", "delete", "*", "--yes")
    assert ran.code == 1 and "--glob" in ran.err and len(service.there) == 2
    deleted = json.loads(run("documents", "delete", "*", "--glob", "--yes", "--json").out)["deleted"]
    assert [row["id"] for row in deleted] == ["id-0", "id-3"] and not service.there
