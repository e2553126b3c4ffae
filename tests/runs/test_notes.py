"""Notes of persons: they keep their places through readings, merges and splits, are exported, and are not evidence."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from filigraph.graph import ids
from filigraph.graph.annotations.anchors import MAX_FACTS, Placing, entity_anchor, fact_anchor, passage_anchor
from filigraph.graph.annotations.notes import Anchor, Note, PlacedNote
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.derive import derive
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from
from tests.making import source, word_embedder
from tests.runs.conftest import World
from tests.workspace_pool import WorkspacePool

RAIN = " It was raining in the town all day, and everybody stayed at home with the shutters closed."
LETTER = "Jules Delmas stole the Blue Carbuncle. Jules Delmas hates Clara Vane." + RAIN
REPORT = "Clara Vane went to Lyon. Somebody saw Mr. Delmas." + RAIN
SENTENCE = "Jules Delmas hates Clara Vane."


@pytest.fixture
def graph(world: World) -> Graph:
    made = world.fresh()
    read(made, LETTER)
    return made


def read(graph: Graph, letter: str, *, facts: Sequence[tuple[str, str, str]] | None = None) -> None:
    said = [("Jules Delmas", "stole", "Blue Carbuncle"), ("Jules Delmas", "hates", "Clara Vane")]
    rows = {"letter.txt": said if facts is None else facts, "report.txt": [("Clara Vane", "went to", "Lyon")]}
    triples = {ids.document_id(graph.workspace.name, name): list(found) for name, found in rows.items()}
    sources = [source("letter.txt", letter), source("report.txt", REPORT)]
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(triples))


def entity(graph: Graph, name: str) -> str:
    return graph.find_entities(name, count=1)[0][0].id


def at_sentence(graph: Graph, sentence: str) -> Anchor:
    passage = next(one for one in graph.passages(graph.chunk_ids()).values() if sentence in one.text)
    start = passage.text.index(sentence)
    return passage_anchor(passage, start, start + len(sentence))


def at_entity(graph: Graph, name: str) -> Anchor:
    return entity_anchor(name, graph.mentions().of_entity[entity(graph, name)])


def at_fact(graph: Graph, first: str, second: str) -> Anchor:
    (fact,) = graph.facts_between(entity(graph, first), entity(graph, second), count=MAX_FACTS)
    return fact_anchor(fact, graph.mentions(), at_sentence(graph, fact.sentences[0].sentence))


def note(graph: Graph, anchor: Anchor, text: str = "Look again.") -> Note:
    return graph.add_note(anchor, text=text, tags=("theft",), starred=False, by="ada")


def placed(graph: Graph) -> dict[str, PlacedNote]:
    found = Placing(graph, lambda trace: trace == "kept").place(graph.notes())
    return {one.note.id: one for one in found}


def told(graph: Graph) -> set[tuple[str, ...]]:
    return {(one.note.text, one.note.by, one.lost, one.entity, one.source, one.place) for one in placed(graph).values()}


def test_a_note_follows_its_sentence_into_another_reading(graph: Graph) -> None:
    made = note(graph, at_sentence(graph, SENTENCE))
    read(graph, "A first line, which is new.\n\n" + LETTER.replace("hates Clara", "hates\nClara"))
    one = placed(graph)[made.id]
    text = graph.passages([one.chunk_id])[one.chunk_id].text
    assert (one.lost, text[one.start : one.end], one.source) == ("", "Jules Delmas hates\nClara Vane", "letter.txt")


def test_of_a_sentence_that_is_there_twice_the_one_in_its_context_is_meant(graph: Graph) -> None:
    twice = "He came. It was late. He left. It was late."
    read(graph, twice, facts=())
    passage = next(one for one in graph.passages(graph.chunk_ids()).values() if "He left" in one.text)
    start = passage.text.rindex("It was late.")
    made = note(graph, passage_anchor(passage, start, start + 12))
    read(graph, f"Something new. {twice}", facts=())
    one = placed(graph)[made.id]
    assert graph.passages([one.chunk_id])[one.chunk_id].text[: one.start].endswith("He left. ")


def test_what_lost_its_place_says_so_and_stays(graph: Graph) -> None:
    gone = [note(graph, at) for at in (at_sentence(graph, SENTENCE), at_entity(graph, "Blue Carbuncle"))]
    kept, unkept = (note(graph, Anchor(kind="answer", trace_id=id_, question="Who?")) for id_ in ("kept", "expired"))
    document = note(graph, Anchor(kind="document", document_id=at_sentence(graph, SENTENCE).document_id))
    assert {one.lost for one in placed(graph).values()} == {"", "answer_gone"}
    graph.delete_documents([ids.document_id(graph.workspace.name, "letter.txt")])
    derive(graph, embedder=word_embedder())
    found = placed(graph)
    assert len(found) == 5
    assert all(found[one.id].lost for one in (*gone, unkept, document))
    assert not found[kept.id].lost
    read(graph, LETTER)
    assert not any(placed(graph)[one.id].lost for one in (*gone, document)), "it came back, and so do they"


def test_a_note_follows_its_name_through_merges_and_splits(graph: Graph) -> None:
    jules, clara = (note(graph, at_entity(graph, name)) for name in ("Jules Delmas", "Clara Vane"))
    said = Correction(kind="same", about="Jules Delmas", other="Clara Vane")
    (one,) = correct([said], graph=graph, embedder=word_embedder()).corrections
    found = placed(graph)
    assert found[jules.id].entity_id == found[clara.id].entity_id == entity(graph, "Clara Vane")
    undo([one.id], graph=graph, embedder=word_embedder())
    found = placed(graph)
    assert (found[jules.id].entity, found[clara.id].entity) == ("Jules Delmas", "Clara Vane")
    forms = {row.form: row for row in graph.mentions().of_entity[entity(graph, "Clara Vane")]}
    if len(names := [row.id for row in forms.values()]) > 1:
        split = Correction(kind="split", about=entity(graph, "Clara Vane"), names=names[:1])
        correct([split], graph=graph, embedder=word_embedder())
        assert placed(graph)[clara.id].entity_id == entity(graph, "Clara Vane")


def test_a_note_follows_its_fact_to_what_its_ends_become(graph: Graph) -> None:
    made = note(graph, at_fact(graph, "Jules Delmas", "Clara Vane"))
    before = placed(graph)[made.id]
    same = Correction(kind="same", about="Jules Delmas", other="Lyon")
    correct([same], graph=graph, embedder=word_embedder())
    after = placed(graph)[made.id]
    assert (before.lost, after.lost) == ("", "")
    assert {row.id for row in graph.facts(entity_id=after.entity_id, count=9)[0]} >= {after.fact_id}
    read(graph, LETTER, facts=[("Jules Delmas", "stole", "Blue Carbuncle")])
    lost = placed(graph)[made.id]
    assert lost.lost == "fact_unread" and "its sentence is there" in lost.why_lost
    assert lost.chunk_id


def test_notes_travel_and_no_hash_depends_on_them(graph: Graph, store: Store, workspace_pool: WorkspacePool) -> None:
    file = io.BytesIO()
    before, revision = export_to(file.write, graph).sha256, graph.revision()
    for anchor in (
        at_sentence(graph, SENTENCE),
        at_entity(graph, "Clara Vane"),
        at_fact(graph, "Jules Delmas", "Clara Vane"),
    ):
        note(graph, anchor)
    file = io.BytesIO()
    assert (export_to(file.write, graph).sha256, graph.revision()) == (before, revision)
    with workspace_pool.unused() as name:
        file.seek(0)
        imported = import_from(file, name, store=store, embedder=word_embedder())
        copy, again = store.graph(name), io.BytesIO()
        assert (imported.sha256, imported.same) == (before, True)
        assert told(copy) == told(graph)
        export_to(again.write, copy)
    assert again.getvalue() == file.getvalue()


def test_an_export_that_lost_notes_is_refused(graph: Graph, store: Store) -> None:
    note(graph, at_sentence(graph, SENTENCE))
    file = io.BytesIO()
    export_to(file.write, graph)
    lines = file.getvalue().splitlines(keepends=True)
    cut = io.BytesIO(b"".join(line for line in lines if b'"kind":"notes"' not in line))
    with pytest.raises(Exception, match="was written with"):
        import_from(cut, "test-cut", store=store, embedder=word_embedder())


def test_notes_are_listed_by_their_last_change_within_a_second_too(graph: Graph) -> None:
    anchor = at_sentence(graph, SENTENCE)
    note_ids = [graph.add_note(anchor, text=str(n), tags=(), starred=False, by="").id for n in range(6)]
    graph.change_note(graph.note(note_ids[2]))
    assert [note.text for note in graph.notes()] == ["2", "5", "4", "3", "1", "0"]
