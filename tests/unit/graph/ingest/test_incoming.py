"""What an ingest does with the documents that a workspace has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

from filigraph.graph.ingest.incoming import ONE_BY_ONE, StoredDocuments, load_and_split
from filigraph.graph.ingest.report import IngestReport, IngestSettings
from filigraph.graph.model.documents import Source
from filigraph.graph.records.documents import DocumentRow


def test_a_few_are_read_one_by_one_and_many_at_once() -> None:
    there = {f"d{n}": SimpleNamespace(id=f"d{n}") for n in range(100)}
    asked: list[Sequence[str] | None] = []

    def read(ids: Sequence[str] | None) -> list[Any]:
        asked.append(ids)
        return [*there.values()] if ids is None else [there[id_] for id_ in ids if id_ in there]

    stored = StoredDocuments(read)
    for n in range(90, 110):
        for _ in range(2):
            assert stored.get(f"d{n}") is there.get(f"d{n}")
    assert asked == [[f"d{n}"] for n in range(90, 110)] and len(asked) == ONE_BY_ONE
    first = there.pop("d95")  # as it was when it was looked up
    for n in (0, 1, 95, 105, 200):
        assert stored.get(f"d{n}") is (first if n == 95 else there.get(f"d{n}"))
    assert asked[ONE_BY_ONE:] == [None]


def _mail(*attached: str, date: str = "") -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "Jules <j@x.y>", "La clé"
    if date:
        message["Date"] = date
    message.set_content("Rends la bague.")
    for name in attached:
        message.add_attachment(f"{name} : une clé.", filename=name)
    return bytes(message)


class _Workspace:
    """Keeps the documents that come, as if all of them had been read."""

    def __init__(self) -> None:
        self.rows: dict[str, DocumentRow] = {}

    def ingest(self, content: bytes, **metadata: str) -> IngestReport:
        report = IngestReport()
        extractor = SimpleNamespace(name="none", version="1")
        stored = StoredDocuments(lambda _: [replace(row, status="complete") for row in self.rows.values()])
        sources = [Source(name="a.eml", content=content, metadata=metadata)]
        arrivals = load_and_split(sources, IngestSettings(), extractor, report, "w", stored, describe=self._keep)
        for arrival in arrivals:
            if arrival.document:
                self._keep(arrival.document.row)
        return report

    def _keep(self, row: DocumentRow) -> None:
        self.rows[row.id] = row

    def metadata(self, source: str, *names: str) -> dict[str, str]:
        found = next(row.metadata for row in self.rows.values() if row.source == source)
        return {name: found[name] for name in names if name in found}


def test_what_is_attached_keeps_the_metadata_given_with_its_mail() -> None:
    workspace, names = _Workspace(), ("case", "attached_to", "sent")
    content = _mail("liste.txt", date="Wed, 06 Mar 1912 10:00:00 +0100")
    workspace.ingest(content, case="12")
    first = {"case": "12", "attached_to": "a.eml", "sent": "1912-03-06"}
    assert workspace.metadata("a.eml/liste.txt", *names) == first
    again = workspace.ingest(content)
    assert again.unchanged == ["a.eml", "a.eml/liste.txt"] and again.updated == []
    assert workspace.metadata("a.eml/liste.txt", *names) == first
    workspace.ingest(_mail("liste.txt"))  # of another date, as far as is known
    assert workspace.metadata("a.eml/liste.txt", *names) == {"case": "12", "attached_to": "a.eml"}
    workspace.ingest(content, place="Lyon")  # what is given replaces what was given
    assert workspace.metadata("a.eml/liste.txt", *names, "place") == {
        "place": "Lyon", "attached_to": "a.eml", "sent": "1912-03-06",
    }  # fmt: skip


def test_what_is_no_longer_attached_is_named() -> None:
    workspace = _Workspace()
    assert workspace.ingest(_mail("clé.txt", "liste.txt", "plan.txt")).remarks == []
    revised = workspace.ingest(_mail("liste.txt"))
    assert revised.remarks == [
        "a.eml/clé.txt is no longer attached to a.eml; delete it if it should go",
        "a.eml/plan.txt is no longer attached to a.eml; delete it if it should go",
    ]
    assert workspace.ingest(_mail("liste.txt")).remarks == []
    many = [f"{'x' * 100}{number}.txt" for number in range(10)]  # more than their mail names
    assert workspace.ingest(_mail(*many, "liste.txt")).remarks == []
