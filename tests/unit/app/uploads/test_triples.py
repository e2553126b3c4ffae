from __future__ import annotations

from filigraph.app.uploads.triples import by_document
from filigraph.graph.ids import document_id

ROWS = [("Jules", "porte", "chevalière")]


def meant(source: str, *names: str) -> set[str]:
    found, _ = by_document("case", {source: ROWS}, names)
    return set(found)


def test_by_the_whole_name() -> None:
    assert meant("/case/a.txt", "/case/a.txt", "/other/a.txt") == {document_id("case", "/case/a.txt")}


def test_by_the_id_of_a_row_in_a_file() -> None:
    assert meant("2wiki-00000", "/data/passages.jsonl") == {document_id("case", "2wiki-00000")}


def test_by_a_files_name() -> None:
    assert meant("a.txt", "/case/a.txt", "/case/b.txt") == {document_id("case", "/case/a.txt")}
    assert meant("a.txt", "C:\\case\\a.txt") == {document_id("case", "C:\\case\\a.txt")}


def test_a_name_that_two_files_bear_is_reported() -> None:
    found, problems = by_document("case", {"a.txt": ROWS}, ["/case/a.txt", "/other/a.txt"])
    assert found == {}
    assert problems == ["triples: a.txt could be any of 2 files; give its whole path"]
