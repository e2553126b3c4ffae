"""Plan: ids depend on what is covered; folders and mail threads."""

from __future__ import annotations

from filigraph.graph.model.documents import Place
from filigraph.graph.records.documents import ChunkPlace, DocumentRow
from filigraph.graph.summaries.levels import Item
from filigraph.graph.summaries.plan import Plan, plan_document, plan_folders

W = "w"


def document(source: str = "novel.txt", *, places: tuple[Place, ...] = (), **more: object) -> DocumentRow:
    of = {"title": source, "sha256": "", "language": "en", "media_type": "text/plain", **more}
    return DocumentRow(id=f"{len(source):032x}0", source=source, places=places, **of)  # type: ignore[arg-type]


def chunks(*ids: str, tokens: int = 600) -> list[ChunkPlace]:
    return [ChunkPlace(id=id_, start=100 * n, end=100 * n + 100, tokens=tokens) for n, id_ in enumerate(ids)]


def plan(row: DocumentRow, *ids: str) -> Plan:
    found = plan_document(row, chunks(*ids), workspace=W, recipe="r")
    assert found is not None
    return found


CHAPTERS = tuple(Place(kind="chapter", label=label, start=start) for label, start in (("I", 0), ("II", 400)))


def test_one_summary_covers_the_document() -> None:
    found = plan(document(places=CHAPTERS), *"abcdefgh")
    top = found.summaries[-1]
    assert (top.level, top.title, top.start, top.end, top.size) == (3, "I – II", 0, 800, 4800)
    assert [(one.level, one.index, one.title) for one in found.summaries[:-1]] == [
        (1, 0, "I (1/2)"),
        (1, 1, "I (2/2)"),
        (1, 2, "II (1/2)"),
        (1, 3, "II (2/2)"),
        (2, 0, "I"),
        (2, 1, "II"),
    ]
    assert found.top.id == top.id


def test_a_short_document_has_one_level_under_its_title() -> None:
    found = plan(document("note.txt"), "a")
    assert [(one.level, one.title, one.covers) for one in found.summaries] == [(1, "note.txt", ("a",))]


def test_a_changed_chunk_changes_its_ancestors_alone() -> None:
    row = document(places=CHAPTERS)
    before, after = ({one.id for one in plan(row, *letters).summaries} for letters in ("abcdefgh", "abXdefgh"))
    assert len(before - after) == len(after - before) == 3  # its window, its chapter, the document


def test_another_writer_makes_others() -> None:
    one, other = (plan_document(document(), chunks("a"), workspace=W, recipe=recipe) for recipe in ("r", "s"))
    assert one and other and one.top.id != other.top.id


def test_a_document_without_chunks_has_none() -> None:
    assert plan_document(document(), [], workspace=W, recipe="r") is None


def test_pages_are_no_sections() -> None:
    pages = tuple(Place(kind="page", label=str(n), start=100 * n) for n in range(4))
    assert len(plan(document(places=pages), *"abcd").summaries) == 3  # two windows of two pages, and all of it


def test_folders_of_several_documents_and_all_of_them() -> None:
    rows = [document("a/one.txt"), document("a/second.txt"), document("b/third.txt!")]
    tops = {row.id: Item(id=row.id, level=1, section="", size=10) for row in rows}
    found = plan_folders(rows, tops, workspace=W, recipe="r")
    assert [(one.folder, [made.title for made in one.summaries]) for one in found] == [("a", ["a"]), ("", [W])]
    assert found[1].summaries[0].covers == (found[0].top.id, rows[2].id)


def test_sources_in_no_folder_have_one_of_their_own_beside_the_whole() -> None:
    rows = [document("a.txt"), document("./bb.txt"), document("c/d.text!")]
    tops = {row.id: Item(id=row.id, level=1, section="", size=10) for row in rows}
    root, whole = plan_folders(rows, tops, workspace=W, recipe="r")
    assert (root.folder, whole.folder) == (".", "")
    assert whole.summaries[0].covers == (root.top.id, rows[2].id)
    (alone,) = plan_folders(rows[:2], tops, workspace=W, recipe="r")
    assert (alone.folder, alone.top.id, alone.summaries[0].title) == ("", root.top.id, W)


def test_one_document_needs_no_folder() -> None:
    row = document("a/one.txt")
    assert plan_folders([row], {row.id: Item(id="t", level=1, section="", size=1)}, workspace=W, recipe="r") == []


def test_mails_of_a_thread_are_joined_first() -> None:
    subjects = {"1.eml": "The ring", "22.eml": "Lunch", "333.eml": "Re: The ring", "4444.eml": "AW: Re: The ring"}
    rows = [
        document(source, title=title, media_type="message/rfc822", metadata={"date": date})
        for (source, title), date in zip(
            subjects.items(), ("1911-01-01", "1911-03-01", "1911-01-02", "1911-01-03"), strict=True
        )
    ]
    tops = {row.id: Item(id=row.source, level=1, section="", size=10) for row in rows}
    found = plan_folders(rows, tops, workspace=W, recipe="r")[0]
    assert found.summaries[0].covers == ("1.eml", "333.eml", "4444.eml")
    assert found.summaries[1].covers == (found.summaries[0].id, "22.eml")
