"""A workspace exported and imported: the same file again, under any name; a faulty file changes nothing."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence

import networkx as nx
import pytest

from filigraph.graph import ids
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.derive import derive
from filigraph.graph.errors import Cancelled, InputError, NotFound
from filigraph.graph.ingest.extract.schema import ready_schemas
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.names import AliasGroup, Occurrence
from filigraph.graph.models.embed import embed_texts
from filigraph.graph.names.corrections import stored_correction
from filigraph.graph.pipeline import ingest
from filigraph.graph.records.workspaces import Imported
from filigraph.graph.store import Graph, Store, schema
from filigraph.graph.transfer import check_lines
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from
from filigraph.graph.transfer.tables import NO_XML, write_csv, write_graphml
from tests.making import DIMENSIONS, NamesExtractor, case_file, source, word_embedder
from tests.runs.conftest import World
from tests.slow import quick
from tests.workspace_pool import WorkspacePool

HOSTILE = ["=Cmd()|Calc", "+Jules", "@Sum", "\x1b[31mRed", "Nul\x00Byte", "‮Drowssap‬", "</node><Script>", "🙂 Claw"]
FROM, INTO = "test-portable", "test-portable-copy"


class OneUnread(NamesExtractor):
    """Gives no answer for the chunks of one document."""

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for chunk, extraction in zip(chunks, super().extract(chunks), strict=True):
            failed = chunk.document_id == ids.document_id(FROM, "demo/12_letter_from_clara.txt")
            yield Extraction(key="", extractor=self.name, note="no answer") if failed else extraction


@pytest.fixture(scope="module")
def original(store: Store) -> Iterator[Graph]:
    """A case file with hostile names, a document that is partial, and what persons said of names in it."""
    store.create_workspace(FROM, fingerprint="words-64", dimensions=DIMENSIONS)
    graph = store.graph(FROM)
    hostile = source("=hostile.txt", " ".join(f"Mathilde met {name} in Lyon." for name in HOSTILE))
    ingest([*case_file(), hostile], graph=graph, embedder=word_embedder(), extractor=OneUnread())
    assert {row.status for row in graph.document_rows()} == {"complete", "partial"}
    shares = {"synthesis": {"overview": 0.7, "windows": 0.2}}
    graph.save_settings({"schema": ready_schemas()["case"], "schema_mode": "guide", "shares": shares})
    graph = store.graph(FROM)
    letter = ids.document_id(FROM, "demo/01_lettre_de_mathilde.txt")
    graph.add_alias_groups(
        [AliasGroup(names=("Mathilde", "Sophie")), AliasGroup(names=("Lyon", "L."), document_id=letter)]
    )
    mentions = graph.mentions()
    scanned = [row for row in mentions if row.scanned]
    read = [row for row in mentions if not row.scanned]
    assert scanned, "a decision on a name that only the scan found is the hardest to take back"
    for first, second, same in ((read[0], read[1], True), (read[2], read[3], False), (scanned[0], read[4], True)):
        graph.add_corrections(
            [stored_correction(FROM, "same" if same else "distinct", [first], [second], note="Ça se voit.")]
        )
    derive(graph, embedder=word_embedder())
    fact, other = sorted(row.id for row in graph.facts(count=9)[0])[:2]
    rows = [
        Correction(kind="rejected", about=fact),
        Correction(kind="relabelled", about=other, value="ne sait rien de"),
    ]
    rows.append(Correction(kind="type", about=read[0].id, value="Personne"))
    assert not correct(rows, graph=graph, embedder=word_embedder()).refused
    yield store.graph(FROM)
    store.delete_workspace(FROM)


@pytest.fixture(scope="module")
def exported(original: Graph) -> bytes:
    return written(original)


@pytest.fixture
def copy(workspace_pool: WorkspacePool) -> Iterator[str]:
    """The name of a workspace that is gone afterwards."""
    with workspace_pool.unused() as name:
        yield name


def written(graph: Graph) -> bytes:
    file = io.BytesIO()
    told = export_to(file.write, graph)
    assert told.size == len(file.getvalue())
    assert told.lines == file.getvalue().count(b"\n")
    return file.getvalue()


def imported(file: bytes, store: Store, name: str, **more: Callable[[], bool]) -> Imported:
    lock = store.workspace_locks.acquire(name, "a", seconds=60)
    assert lock is not None
    try:
        return import_from(io.BytesIO(file), name, store=store.holding(lock), embedder=word_embedder(), **more)
    finally:
        store.workspace_locks.release(lock)


@pytest.mark.essential
def test_an_import_gives_the_same_export_under_another_name(exported: bytes, store: Store, copy: str) -> None:
    assert FROM.encode() not in exported
    told = imported(exported, store, copy)
    assert (told.same, told.note) == (True, "")
    assert written(store.graph(copy)) == exported
    graph = store.graph(copy)
    assert len(graph.corrections()) == 6
    assert len(graph.alias_groups()) == 2
    assert graph.stats() == store.graph(FROM).stats()
    assert graph.overview().chunks == graph.stats().chunks
    assert graph.search_chunks(embed_texts(word_embedder(), ["Mathilde"])[0], 3)


def test_an_export_has_the_kinds_of_version_0_2(exported: bytes, store: Store, copy: str) -> None:
    """Exports made before kinds were renamed still import: the stored words are the same."""
    lines = [json.loads(row) for row in exported.splitlines() if b'"person_decisions"' in row]
    stored = sorted(json.loads(row["body"])["kind"] for row in lines if row["kind"] == "person_decisions")
    assert stored == ["apart", "restated", "same", "same", "type", "wrong"]
    assert imported(exported, store, copy).same
    kinds = sorted(row.kind for row in store.graph(copy).corrections())
    assert kinds == ["distinct", "rejected", "relabelled", "same", "same", "type"]


def test_what_was_imported_goes_on_as_if_it_had_been_read_here(exported: bytes, store: Store, copy: str) -> None:
    imported(exported, store, copy)
    told = ingest(case_file(), graph=store.graph(copy), embedder=word_embedder(), extractor=NamesExtractor())
    assert told.added == ["demo/12_letter_from_clara.txt"], "the rest is as it was"
    ingest(case_file(), graph=store.graph(FROM), embedder=word_embedder(), extractor=NamesExtractor())
    assert written(store.graph(copy)) == written(store.graph(FROM))


def test_a_split_part_is_exported_imported_and_taken_back(store: Store, copy: str, world: World) -> None:
    graph = world.fresh()
    text = source("diary.txt", "There sang Delmas for Anna. Here robbed Delmas the Weavers.")
    ingest([text], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    whole = written(graph)
    (delmas,) = [row.id for row in graph.mentions() if row.form == "Delmas"]
    (place,) = graph.name_places([delmas])
    _, (start, end) = graph.places([delmas], [place.chunk_id])[delmas, place.chunk_id]
    thief = Occurrence(chunk_id=place.chunk_id, start=start, end=end)
    correct([Correction(kind="split", about="Delmas", places=[thief])], graph=graph, embedder=word_embedder())
    parted = written(graph)
    assert imported(parted, store, copy).same
    there = store.graph(copy)
    assert written(there) == parted != whole
    assert {row.form: bool(row.part_of) for row in there.mentions() if row.part_of} == {"Delmas": True}
    (decision,) = there.corrections()
    undo([decision.id], graph=there, embedder=word_embedder())
    assert written(there) == whole


def test_a_part_keeps_its_name_when_its_chunk_is_searched_for_a_new_one(store: Store, copy: str, world: World) -> None:
    """What the scan found is forgotten where it looks again; a part that only the scan had found lost its name so."""
    graph = world.fresh()
    rows = {"who.txt": [("Delmas", "sings in", "Lyon")], "new.txt": [("Weavers", "live in", "Nantes")]}
    given = {ids.document_id(world.name, name): triples for name, triples in rows.items()}

    def read(name: str, text: str) -> None:
        extractor = TripleExtractor(given)
        ingest([source(name, text)], graph=graph, embedder=word_embedder(), extractor=extractor)

    read("who.txt", "Delmas sings in Lyon.")
    read("diary.txt", "There sang Delmas for Anna. Here robbed Delmas the Weavers.")
    diary = ids.document_id(world.name, "diary.txt")
    (delmas,) = [row.id for row in graph.mentions() if row.form == "Delmas" and row.document_id == diary]
    (place,) = graph.name_places([delmas])
    _, (start, end) = graph.places([delmas], [place.chunk_id])[delmas, place.chunk_id]
    thief = Occurrence(chunk_id=place.chunk_id, start=start, end=end)
    correct([Correction(kind="split", about="Delmas", places=[thief])], graph=graph, embedder=word_embedder())
    read("new.txt", "The Weavers live in Nantes.")
    assert {row.form for row in graph.mentions() if row.part_of} == {"Delmas"}
    assert "" not in {row.name for row in graph.entity_rows().values()}
    assert imported(written(graph), store, copy).same


def test_an_interrupted_ingest_is_imported_as_far_as_it_was_read(store: Store, copy: str, world: World) -> None:
    graph = world.fresh()
    with pytest.raises(Cancelled):
        read: list[Progress] = []
        ingest(
            case_file(),
            graph=graph,
            embedder=word_embedder(),
            extractor=NamesExtractor(),
            progress=lambda now: read.append(now) if now.stage == "extract" else None,
            cancelled=lambda: len(read) == 5,
        )
    told = imported(written(graph), store, copy)
    assert not told.same and "before all that follows" in told.note
    assert told.chunks == graph.stats().chunks > 0
    for name in (copy, world.name):
        ingest(case_file(), graph=store.graph(name), embedder=word_embedder(), extractor=NamesExtractor())
    assert written(store.graph(copy)) == written(graph)


def test_an_import_into_something_is_refused(exported: bytes, store: Store, original: Graph) -> None:
    with pytest.raises(InputError, match="is not empty"):
        imported(exported, store, FROM)
    assert store.graph(FROM).stats().documents == len(case_file()) + 1


# --------------------------------------------------------------------------------------------------------------------
# Files at fault


def line(kind: str, change: Callable[[dict[str, object]], object]) -> Callable[[list[bytes]], list[bytes]]:
    """Change the first line of a kind."""

    def changed(lines: list[bytes]) -> list[bytes]:
        number = next(n for n, raw in enumerate(lines) if json.loads(raw)["kind"] == kind)
        value = json.loads(lines[number])
        change(value)
        return [*lines[:number], json.dumps(value).encode() + b"\n", *lines[number + 1 :]]

    return changed


AT_FAULT: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "empty": lambda lines: [],
    "foreign": lambda lines: [b'{"id": "p1", "title": "A passage", "text": "..."}\n'],
    "no text": lambda lines: [b"\x89PNG\r\n\x1a\n\x00\xff\n"],
    "deep": lambda lines: [lines[0], b"[" * 100_000 + b"\n"],
    "cut off": lambda lines: lines[: len(lines) // 2],
    "cut in a line": lambda lines: [*lines[:-2], lines[-2][:40]],
    "without its end": lambda lines: lines[:-1],
    "a line is missing": lambda lines: [*lines[:5], *lines[6:]],
    "a line is there twice": lambda lines: [*lines[:5], lines[4], *lines[5:]],
    "something after the end": lambda lines: [*lines, lines[-1]],
    "newer": line("header", lambda value: value.update(version=2)),
    "unknown field": line("documents", lambda value: value.update(owner="me")),
    "unknown kind": line("documents", lambda value: value.update(kind="secrets")),
    "wrong type": line("documents", lambda value: value.update(source=7)),
    "half a character": line("documents", lambda value: value.update(title="\ud800")),
    "id that is none": line("chunks", lambda value: value.update(id="x' DETACH DELETE n //")),
    "chunk of no document": line("chunks", lambda value: value.update(document_id="0" * 32)),
    "offset too large": line("chunks", lambda value: value.update(start=2**63)),
    "extraction of nothing": line("chunks", lambda value: value.update(extraction={"key": 1})),
    "place outside": line("mentions", lambda value: value["occurrences"][0].__setitem__(2, 10**6)),  # type: ignore[index]
    "decision on nothing": line("decisions", lambda value: value["decisions"][0].__setitem__(0, "0" * 32)),  # type: ignore[index]
    "metadata no JSON": line("documents", lambda value: value.update(metadata="{")),
    "schema no schema": line(
        "settings", lambda value: value.update(settings={"schema": ": - [", "schema_mode": "guide"})
    ),
    "unknown setting": line("settings", lambda value: value.update(settings={"llm_key": "secret"})),
    "shares of more than all": line(
        "settings", lambda value: value.update(settings={"shares": {"detail": {"overview": 0.9, "windows": 0.9}}})
    ),
}


@pytest.mark.parametrize("fault", sorted(AT_FAULT))
def test_a_file_at_fault_is_refused_before_anything_is_written(fault: str, exported: bytes, store: Store) -> None:
    lines = AT_FAULT[fault](exported.splitlines(keepends=True))
    with pytest.raises(InputError) as raised:
        imported(b"".join(lines), store, INTO)
    assert raised.value.cause and raised.value.cure
    with pytest.raises(NotFound):
        store.graph(INTO)
    assert not store.database.rows("workspace_record", name=INTO)


def test_a_line_without_end_is_refused_before_it_is_read(exported: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *_ = exported.splitlines(keepends=True)
    longest = 2 * max(map(len, exported.splitlines()))
    monkeypatch.setattr(check_lines, "MAX_LINE_BYTES", longest)
    assert check_lines.check_export(io.BytesIO(exported)).counts["end"] == 1
    file = io.BytesIO(first + b'{"kind": "documents", "title": "' + b"a" * 5 * longest)
    with pytest.raises(InputError, match=r"Line 2 .* is longer than"):
        check_lines.check_export(file)
    assert file.tell() <= len(first) + longest


@pytest.mark.parametrize("killed", quick([False, True], 1))
def test_an_import_cut_short_leaves_no_workspace(
    killed: bool, exported: bytes, store: Store, copy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut at one step after the other: each import begins with what the last one left."""

    for step in ("write_documents", "write_chunks", "write_mentions", "finish_reading", "sweep"):
        with monkeypatch.context() as patch:

            def stop(*_: object, patch: pytest.MonkeyPatch = patch, **__: object) -> None:
                if killed:  # as if the process were gone before it could clear away
                    patch.setattr(schema, "drop_indexes", stop)
                raise KeyboardInterrupt

            patch.setattr(Graph, step, stop)
            with pytest.raises(KeyboardInterrupt):
                imported(exported, store, copy)
        with pytest.raises(NotFound):
            store.graph(copy)
    assert imported(exported, store, copy).same


def test_who_cancels_an_import_leaves_no_workspace(exported: bytes, store: Store) -> None:
    with pytest.raises(Cancelled):
        imported(exported, store, INTO, cancelled=lambda: True)
    assert not store.database.rows("workspace_record", name=INTO)


# --------------------------------------------------------------------------------------------------------------------
# For other programs


def test_tables_hold_every_entity_and_sentence_and_no_formula(original: Graph) -> None:
    file = io.BytesIO()
    write_csv(file, original)
    with zipfile.ZipFile(file) as packed:
        entities, facts = (
            list(csv.DictReader(io.StringIO(packed.read(name).decode("utf-8-sig"), newline="")))
            for name in ("entities.csv", "facts.csv")
        )
    stats = original.stats()
    assert len(entities) == stats.entities
    assert len({row["id"] for row in facts}) == stats.facts
    cells = [cell for row in (*entities, *facts) for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "-", "@")]
    assert "'=hostile.txt" in cells
    said = next(row for row in facts if row["source"].startswith("demo/"))
    assert said["subject"] and said["object"] and said["sentence"]


def test_a_graphml_file_is_read_by_other_programs(original: Graph) -> None:
    file = io.BytesIO()
    write_graphml(file, original)
    read = nx.read_graphml(io.BytesIO(file.getvalue()))
    stats = original.stats()
    assert (read.number_of_nodes(), read.number_of_edges()) == (stats.entities, stats.facts)
    names = {NO_XML.sub("\ufffd", row.name) for row in original.entity_rows().values()}
    assert {name for _, name in read.nodes(data="name")} == names


def test_an_empty_workspace_is_exported_too(store: Store, copy: str) -> None:
    store.create_workspace(copy, fingerprint="words-64", dimensions=DIMENSIONS)
    graph = store.graph(copy)
    empty = written(graph)
    for write in (write_csv, write_graphml):
        write(io.BytesIO(), graph)
    assert imported(empty, store, copy).same


def test_metadata_and_warnings_come_back(store: Store, copy: str) -> None:
    given = Source(name="a.txt", content=b"Jules met Nora in Lyon.", metadata={"date": "1912-03-04"})
    store.create_workspace(copy, fingerprint="words-64", dimensions=DIMENSIONS)
    graph = store.graph(copy)
    ingest([given], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    before, file = graph.document_rows(), written(graph)
    store.delete_workspace(copy)
    imported(file, store, copy)
    assert store.graph(copy).document_rows() == before
