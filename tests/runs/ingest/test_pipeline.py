"""Ingest on the real Neo4j: the same graph from any order, after any interruption; a second run has nothing to do."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

import pytest
from neo4j import Session

from filigraph.graph import ids
from filigraph.graph.derive import derive
from filigraph.graph.errors import Cancelled
from filigraph.graph.ingest import incoming, load
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.ingest.incoming import Arrival
from filigraph.graph.ingest.load.content import Content
from filigraph.graph.ingest.report import IngestSettings
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import source, word_embedder
from tests.runs.claw_case import TEXTS, run, sources, triples
from tests.runs.conftest import World
from tests.store.world import kill_at, noted


def test_another_bearer_of_a_name_stays_apart(world: World) -> None:
    graph = world.fresh()
    text = "Laurent Marchetti stole it. Another L. Marchetti, a dentist, has nothing to do with the affair."
    facts = {"note.txt": [("Laurent Marchetti", "stole", "it"), ("L. Marchetti", "is", "dentist")]}
    extractor = TripleExtractor({ids.document_id(graph.workspace.name, name): rows for name, rows in facts.items()})
    ingest([source("note.txt", text)], graph=graph, embedder=word_embedder(), extractor=extractor)
    assert {"Laurent Marchetti", "L. Marchetti"} <= {row.name for row in graph.entity_rows().values()}


def test_a_text_becomes_a_graph(world: World) -> None:
    graph = world.fresh()
    report = run(graph, sources())
    assert sorted(report.added) == sorted(TEXTS)
    assert report.facts == 6
    assert {row.status for row in graph.document_rows()} == {"complete"}
    claw = graph.entities_named(["claw"])
    assert len(claw) == 1
    assert claw[0].chunks == 3  # the report names it too, though no triplet says so


def test_ingesting_twice_changes_nothing(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    before = list(graph.dump())
    again = run(graph, sources())
    assert sorted(again.unchanged) == sorted(TEXTS)
    assert not again.added
    assert list(graph.dump()) == before


@pytest.mark.parametrize("order", list(itertools.permutations(TEXTS))[::7])
def test_any_order_and_any_split_into_jobs_gives_the_same_graph(world: World, order: tuple[str, ...]) -> None:
    graph = world.fresh()
    run(graph, sources())
    expected = list(graph.dump())
    graph = world.fresh()
    for name in order:
        run(graph, sources(name))
    assert list(graph.dump()) == expected


class Interrupted:
    """Extracts so many chunks, then the person behind it stops."""

    def __init__(self, extractor: TripleExtractor, after: int) -> None:
        self.name, self.version, self.batch = extractor.name, extractor.version, 1
        self.expensive, self.usage = extractor.expensive, extractor.usage
        self.extractor, self.left = extractor, after
        self.version_for, self.prepared = extractor.version_for, extractor.prepared

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for extraction in self.extractor.extract(chunks):
            if not self.left:
                raise Cancelled("Stopped.")
            self.left -= 1
            yield extraction


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_run_cut_short_goes_on(world: World, after: int) -> None:
    graph = world.fresh()
    run(graph, sources())
    expected = list(graph.dump())
    graph = world.fresh()
    with pytest.raises(Cancelled):
        ingest(sources(), graph=graph, embedder=word_embedder(), extractor=Interrupted(triples(graph), after))
    run(graph, sources())
    assert list(graph.dump()) == expected


def test_a_run_cut_short_goes_on_after_another_was_derived(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    expected = list(graph.dump())
    graph = world.fresh()
    with pytest.raises(Cancelled):
        what = sources("letter.txt", "inventory.txt", "cutting.txt")
        ingest(what, graph=graph, embedder=word_embedder(), extractor=Interrupted(triples(graph), 2))
    run(graph, sources("report.txt"))
    run(graph, sources())
    assert list(graph.dump()) == expected


def test_the_next_run_finishes_one_killed_while_deriving(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = world.fresh()
    run(graph, sources())
    expected = list(graph.dump())
    for step in (
        "replace_scan",
        "replace_titles",
        "note_looked_up",
        "mark_stale",
        "write_entities",
        "write_facts",
        "write_rule_decisions",
        "sweep",
        "note_overview",
    ):
        graph = world.fresh()
        run(graph, sources("letter.txt", "report.txt"))
        with monkeypatch.context() as patch:
            patch.setattr(Graph, step, stop)
            with pytest.raises(KeyboardInterrupt):
                run(graph, sources())
        run(graph, sources())
        assert list(graph.dump()) == expected, step


def stop(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_changed_document_is_read_again(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    changed = source("report.txt", TEXTS["report.txt"] + " He never met Jules Delmas.")
    report = run(graph, [changed])
    assert report.updated == ["report.txt"]
    dump = list(graph.dump())
    graph = world.fresh()
    run(graph, [*sources("letter.txt", "inventory.txt", "cutting.txt"), changed])
    assert list(graph.dump()) == dump


def test_two_delmas_stay_apart(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    assert len({entity.entity_id for entity in graph.entities_named(["jules delmas", "paul delmas"])}) == 2


def test_what_cannot_be_used_is_reported_and_the_rest_goes_on(world: World) -> None:
    graph = world.fresh()
    bad = [Source(name="empty.txt", content=b""), Source(name="photo.txt", content=b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")]
    report = run(graph, [*bad, *sources("letter.txt")])
    assert [skipped.source for skipped in report.skipped] == ["empty.txt", "photo.txt"]
    assert all(skipped.cause and skipped.cure for skipped in report.skipped)
    assert report.added == ["letter.txt"]


def test_a_file_over_which_a_parser_falls_costs_only_itself(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def falls(_: Source, languages: str) -> Content:
        raise IndexError("list index out of range")

    monkeypatch.setitem(load.READERS, "html", falls)
    bad = Source(name="rows.jsonl", content=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff\xfe\x00")
    page = Source(name="page.html", content=b"<html><p>Jules wears a ring.</p></html>")
    report = run(world.fresh(), [bad, page, *sources("letter.txt")])
    assert [skipped.source for skipped in report.skipped] == ["rows.jsonl", "page.html"]
    assert "IndexError: list index out of range" in report.skipped[1].cause and report.skipped[1].cure
    assert report.added == ["letter.txt"]


def test_it_is_told_what_came_of_each_source(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming, "GROUP", 1)
    monkeypatch.setattr(incoming, "BATCHES", 0)
    rows = [json.dumps({"id": id_, "text": "Jules came to dinner."}) for id_ in ("one", "letter.txt", "two")]
    what = [
        *sources("letter.txt"),
        Source(name="rows.jsonl", content="\n".join(rows).encode()),
        Source(name="empty.jsonl", content=b"{}"),
        Source(name="empty.txt", content=b""),
    ]
    graph = world.fresh()
    arrived: list[tuple[int, int, int]] = []
    kept: list[tuple[int, bool, int]] = []
    run(
        graph,
        what,
        on_loaded=lambda a: arrived.append((a.source, a.number, a.documents)),
        on_stored=lambda group, report: kept.extend(
            (a.source, bool(a.skipped), len(report.added)) for a in group if a.last
        ),
    )
    assert arrived == [(0, 1, 1), (1, 1, 3), (1, 2, 3), (1, 3, 3), (2, 1, 1), (3, 1, 1)]
    assert kept == [(0, False, 1), (1, False, 3), (2, True, 3), (3, True, 3)], "the second letter.txt is one of many"


def test_who_cancels_waits_for_one_file_and_for_one_stage(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    arrived: list[Arrival] = []
    with pytest.raises(Cancelled):
        run(graph, sources(), on_loaded=arrived.append, cancelled=lambda: len(arrived) == 2)
    assert len(arrived) == 2, "though none of them is read again"
    graph.mark_stale([chunk.id for row in graph.document_rows() for chunk in graph.document_chunks(row.id)])
    for stage in ("scan", "resolve", "facts"):
        begun: list[str] = []
        with pytest.raises(Cancelled):
            derive(
                graph,
                embedder=word_embedder(),
                progress=lambda now, begun=begun: begun.append(now.stage),  # type: ignore[misc]
                cancelled=partial(begun.__contains__, stage),
            )
        assert begun[-1] == stage


def test_after_a_cancel_few_chunks_are_still_embedded() -> None:
    assert LocalExtractor.batch <= 32 and TripleExtractor.batch <= 32


HOSTILE = [
    "Robert'); DETACH DELETE (n",
    'a "quoted" `name`\n} DETACH DELETE n //',
    "W_0000000000000000_C",
    "x" * 9000,
    "🙂🙂",
    "שלום עולם",
    "‮drowssap‬",
]


def test_hostile_names_are_only_names(world: World) -> None:
    graph = world.fresh()
    text = "The Claw met " + ", and then ".join(HOSTILE) + "."
    rows = [*(("The Claw", name[:60], name) for name in HOSTILE), ("The Claw", "is", "society")]
    extractor = TripleExtractor({ids.document_id(graph.workspace.name, "hostile.txt"): rows})
    report = ingest([source("hostile.txt", text)], graph=graph, embedder=word_embedder(), extractor=extractor)
    assert report.added == ["hostile.txt"]
    assert graph.stats().chunks >= 1
    assert any("characters" in why for why in report.counts)
    assert report.problems == [], "all of it was read"


def test_a_guessed_encoding_is_a_remark_for_all_of_it_was_read(world: World) -> None:
    letter = Source(name="lettre.txt", content="La Griffe dîne à Orléans, près du théâtre fermé.".encode("cp1252"))
    report = run(world.fresh(), [letter])
    assert (report.remarks, report.problems) == (["lettre.txt: not UTF-8: read as cp1252"], [])


def test_what_is_read_as_plain_text_is_read_whole(world: World) -> None:
    report = run(world.fresh(), [Source(name="note.eml", content=b"Jules porte la bague.")])
    assert (report.remarks, report.problems) == (["note.eml: no mail header: read as plain text"], [])


class Failing(Interrupted):
    """Cannot read the last chunk it is given, as when an LLM gives no answer."""

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for chunk, extraction in zip(chunks, self.extractor.extract(chunks), strict=True):
            yield Extraction(key="", extractor=self.name, note="no answer") if chunk is chunks[-1] else extraction


def test_a_chunk_that_could_not_be_read_is_read_by_the_next_run(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    expected = list(graph.dump())
    graph = world.fresh()
    failing = Failing(triples(graph), 0)
    report = ingest(sources(), graph=graph, embedder=word_embedder(), extractor=failing)
    assert report.failed_chunks == 1
    assert any("no answer" in problem for problem in report.problems)
    assert [row.source for row in graph.document_rows() if row.status == "partial"] == ["report.txt"]
    run(graph, sources())
    assert list(graph.dump()) == expected


HOLMES = {
    "a.txt": "Sherlock Holmes is a detective.",
    "b.txt": "Holmes smokes a pipe.",
    "c.txt": "Nobody but a fool would follow Sherlock Holmes into the fog.",
    "d.txt": "Sherlock Holmes came late. Holmes met nobody.",
}
OF_HOLMES = {
    "a.txt": [("Sherlock Holmes", "is", "detective")],
    "b.txt": [("Holmes", "smokes", "pipe")],
    "d.txt": [("Holmes", "met", "nobody")],
}


def read_holmes(graph: Graph, *names: str) -> None:
    given = {ids.document_id(graph.workspace.name, name): OF_HOLMES.get(name, []) for name in HOLMES}
    what = [source(name, HOLMES[name]) for name in names]
    ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(given))


@pytest.mark.parametrize("step", ["write_decisions", "drawn_otherwise", "touched_entities"])
def test_a_run_killed_once_all_is_scanned_leaves_a_longer_name_its_places(
    world: World, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    graph = world.fresh()
    read_holmes(graph, "a.txt", "d.txt")
    expected = list(graph.dump())
    graph = world.fresh()
    with monkeypatch.context() as patch:
        kill_at(patch, step)
        with pytest.raises(KeyboardInterrupt):
            read_holmes(graph, "a.txt", "d.txt")
    assert list(graph.dump()) != expected
    read_holmes(graph, "a.txt", "d.txt")
    assert list(graph.dump()) == expected


def test_when_a_longer_name_goes_the_shorter_one_in_it_is_found(world: World) -> None:
    graph = world.fresh()
    read_holmes(graph, "a.txt", "b.txt", "c.txt")
    graph.delete_documents([ids.document_id(graph.workspace.name, "a.txt")])
    derive(graph, embedder=word_embedder())
    left = list(graph.dump())
    assert [entity.chunks for entity in graph.entities_named(["holmes"])] == [2]
    graph = world.fresh()
    read_holmes(graph, "b.txt", "c.txt")
    assert left == list(graph.dump())


@pytest.mark.parametrize("written", range(12))
def test_a_kill_after_a_longer_name_went_leaves_its_places(
    world: World, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    """Killed at any transaction that writes."""
    graph = world.fresh()
    read_holmes(graph, "b.txt", "c.txt")
    expected = list(graph.dump())
    graph = world.fresh()
    read_holmes(graph, "a.txt", "b.txt", "c.txt")
    graph.delete_documents([ids.document_id(graph.workspace.name, "a.txt")])
    write, calls = Session.execute_write, itertools.count()
    with monkeypatch.context() as patch:
        patch.setattr(Session, "execute_write", lambda *a: stop() if next(calls) == written else write(*a))
        with suppress(KeyboardInterrupt):
            derive(graph, embedder=word_embedder())
    assert next(calls) > written, "it has so many transactions"
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == expected


# --------------------------------------------------------------------------------------------------------------------
# Titles that texts name

FILMS = {
    "dawn.md": "# Dawn (film)\n\nA silent film about a ring that nobody wanted to wear.",
    "dusk.md": "# Dusk\n\nIt was shot after Dawn, and before The Ring of Night.",
    "ring.md": "# The Ring of Night\n\nDusk had the same director. So had Dawn (film).",
    "night.md": "# Night\n\nNothing like The Ring of Night was ever seen at night.",
}


def films(*names: str, **changed: str) -> list[Source]:
    texts = FILMS | {f"{name}.md": text for name, text in changed.items()}
    return [source(name, texts[name]) for name in names or texts]


def named(graph: Graph) -> dict[str, list[str]]:
    """Source -> the sources whose titles its text names."""
    sources = {ids.content_part(row.id): row.source for row in graph.document_rows()}
    chunks = [line for line in map(json.loads, graph.dump()) if line["kind"] == "chunks" and line["titles"]]
    return {sources[line["document_id"]]: sorted(sources[id_] for id_ in line["titles"]) for line in chunks}


NAMED = {
    "dusk.md": ["dawn.md", "ring.md"],
    "night.md": ["ring.md"],
    "ring.md": ["dawn.md", "dusk.md"],
}


@pytest.mark.parametrize("order", list(itertools.permutations(FILMS))[::5])
def test_titles_are_found_in_whatever_order_their_documents_come(world: World, order: tuple[str, ...]) -> None:
    graph = world.fresh()
    run(graph, films())
    expected = list(graph.dump())
    assert named(graph) == NAMED
    graph = world.fresh()
    for name in order:
        run(graph, films(name))
    assert list(graph.dump()) == expected


def test_a_title_that_changes_is_looked_for_anew(world: World) -> None:
    graph = world.fresh()
    changed = "# Evening\n\nIt was shot after Dawn, and before The Ring of Night."
    run(graph, films())
    run(graph, films("dusk.md", dusk=changed))
    assert named(graph)["ring.md"] == ["dawn.md"]
    again = list(graph.dump())
    graph = world.fresh()
    run(graph, films(dusk=changed))
    assert again == list(graph.dump())


def test_a_title_that_comes_into_use_is_found_in_what_was_there(world: World) -> None:
    graph = world.fresh()
    changed = "# The Same Director\n\nIt was shot after Dawn, and before The Ring of Night."
    run(graph, films())
    run(graph, films("dusk.md", dusk=changed))
    assert named(graph)["ring.md"] == ["dawn.md"], "a name in capitals is not in lower-case words"
    changed = changed.replace("The Same Director", "Nothing like")
    run(graph, films("dusk.md", dusk=changed))
    assert named(graph)["night.md"] == ["dusk.md", "ring.md"]


def test_a_document_that_goes_is_named_no_more(world: World) -> None:
    graph = world.fresh()
    run(graph, films())
    graph.delete_documents([ids.document_id(graph.workspace.name, "dawn.md")])
    derive(graph, embedder=word_embedder())
    assert named(graph) == {"dusk.md": ["ring.md"], "night.md": ["ring.md"], "ring.md": ["dusk.md"]}
    left = list(graph.dump())
    graph = world.fresh()
    run(graph, films("dusk.md", "ring.md", "night.md"))
    assert left == list(graph.dump())


def test_when_a_longer_title_goes_the_shorter_one_in_it_is_named(world: World) -> None:
    graph = world.fresh()
    run(graph, films())
    graph.delete_documents([ids.document_id(graph.workspace.name, "ring.md")])
    derive(graph, embedder=word_embedder())
    left = list(graph.dump())
    graph = world.fresh()
    run(graph, films("dawn.md", "dusk.md", "night.md"))
    assert named(graph)["dusk.md"] == ["dawn.md", "night.md"]
    assert left == list(graph.dump())


def test_every_chunk_bears_the_title_that_its_document_has_now(world: World) -> None:
    text = " ".join(f"On day {n} nobody came to the old house by the sea, and it rained." for n in range(40))
    graph = world.fresh()
    settings = IngestSettings(size=64)
    run(graph, [source("long.md", f"# Dawn\n\n{text}")], settings=settings)
    run(graph, [source("long.md", f"# Dusk\n\n{text}")], settings=settings)
    again = list(graph.dump())
    graph = world.fresh()
    run(graph, [source("long.md", f"# Dusk\n\n{text}")], settings=settings)
    assert again == list(graph.dump())


@pytest.mark.parametrize("written", range(4))
def test_a_run_killed_while_it_writes_titles_is_finished_by_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    graph = world.fresh()
    run(graph, films())
    expected = list(graph.dump())
    graph = world.fresh()
    run(graph, films("dusk.md", "night.md"))
    whole = Graph.replace_titles

    def replace_titles(graph: Graph, *what: object, **more: object) -> None:
        write, calls = graph.database.write_batches, itertools.count()
        with monkeypatch.context() as patch:
            patch.setattr(
                graph.database, "write_batches", lambda *a, **b: stop() if next(calls) == written else write(*a, **b)
            )
            whole(graph, *what, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "replace_titles", replace_titles)
        with pytest.raises(KeyboardInterrupt):
            run(graph, films())
    run(graph, films())
    assert list(graph.dump()) == expected


def test_ingest_notes_how_much_there_is(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    assert noted(graph) == (4, ("en",))
    graph.delete_documents([ids.document_id(graph.workspace.name, "letter.txt")])
    derive(graph, embedder=word_embedder())
    assert noted(graph) == (3, ("en",))


def test_chunks_are_stored_with_a_vector_for_each_piece(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    chunks = graph.chunks_of_documents([row.id for row in graph.document_rows()])
    pool = graph.pool([id_ for of_document in chunks.values() for id_ in of_document])
    assert len(pool) == 4
    for chunk in pool:
        asked = word_embedder().model.get_text_embedding(f"{chunk.title}")
        assert chunk.vectors.shape[1] == len(asked)
        assert 2 <= len(chunk.vectors) <= 3, "its own, and one or two sentences"
