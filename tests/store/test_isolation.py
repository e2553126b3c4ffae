"""Nothing crosses from one workspace to another, and no text of a document or model becomes a statement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from filigraph.graph.errors import InputError
from filigraph.graph.model.facts import Entity
from filigraph.graph.model.names import AliasGroup
from filigraph.graph.names.corrections import stored_correction
from filigraph.graph.store import Graph
from filigraph.graph.text.names.parse import name_key
from tests.store.world import LETTERS, chunk_rows, derive, document, ingest, noted, read, remove_mentions, vector


def test_a_workspace_finds_its_own_alone(graph: Graph, other: Graph) -> None:
    ingest(other, LETTERS)
    question = vector("Sophie | aime | Jules.")
    for nothing in (
        graph.search_chunks(question, 10),
        graph.search_words("sophie jules", question, 10),
        graph.search_facts(question, 10),
        graph.search_entities(question, 10),
        graph.entities_named(["sophie", "jules"]),
        graph.documents_titled([name_key("sophie.txt")], question),
        graph.titles(),
        graph.mentions(),
        graph.stale_chunks(),
        graph.document_rows(),
        list(graph.dump())[2:-1],
        graph.chunks_with_terms({"jules": ["jules"]}, among_scanned=False),
    ):
        assert not nothing
    assert graph.stats().chunks == 0
    graph.note_overview()
    assert noted(graph) == (0, ())
    ingest(graph, {"mine.txt": ["Sophie | ignore | Jules."]})
    assert [found.chunks for found in graph.entities_named(["sophie"])] == [1]
    assert len(graph.search_chunks(question, 10)) == 1


def test_ids_of_another_workspace_open_nothing(graph: Graph, other: Graph) -> None:
    documents = ingest(other, LETTERS)
    chunks = sorted(id_ for id_, _ in other.search_chunks(vector("x"), 10))
    other.replace_titles([], {chunks[0]: [max(documents.values())]}, looked_up=[])
    other.add_corrections(
        [stored_correction(other.workspace.name, "distinct", other.mentions()[:1], other.mentions()[1:2])]
    )
    before = list(other.dump())
    entities = list(other.entity_rows())
    facts = [hit.fact_id for hit in other.search_facts(vector("x"), 10)]
    mentions = [row.id for row in other.mentions()]
    document_ids = list(documents.values())
    question = vector("x")
    keys = [stored.key for stored in other.stored_chunks(document_ids).values()]
    for source, passages in LETTERS.items():
        other.write_chunks(chunk_rows(document(other, source), passages), keep=True)
    assert other.kept_extractions(keys).keys() == set(keys)
    assert graph.pool(chunks) == []
    assert graph.passages(chunks) == {}
    assert graph.next_chunks(chunks) == {}
    assert graph.neighbours(chunks, question, hub=9, per_chunk=9) == []
    assert graph.facts_about(entities, question, limit=9) == []
    assert graph.known_facts(facts) == {}
    assert graph.load_chunks(chunks) == []
    assert graph.chunks_of_mentions(mentions) == []
    assert graph.chunks_of_entities(entities) == []
    assert graph.stored_chunks(document_ids) == {}
    assert graph.document_chunks(document_ids[0]) == []
    assert graph.kept_extractions(keys) == {}
    assert graph.document_rows(document_ids) == []
    with pytest.raises(InputError):
        graph.entity_detail(entities[0])
    with pytest.raises(InputError):
        graph.delete_documents([document_ids[0]])
    with pytest.raises(InputError):
        graph.finish_reading({document_ids[0]: []})
    with pytest.raises(InputError):
        graph.undo(other.corrections()[0].id)
    assert graph.name_places(mentions) == []
    assert graph.places(mentions, chunks) == {}
    with pytest.raises(InputError, match="another workspace"):
        graph.replace_titles([], {chunks[0]: [document_ids[0]]}, looked_up=[])
    graph.replace_titles(chunks, {}, looked_up=document_ids)
    remove_mentions(graph, mentions)
    graph.mark_stale(chunks)
    graph.sweep()
    assert list(other.dump()) == before
    assert other.stale_chunks() == []
    assert all(row.fresh for row in other.titles())


def test_nothing_is_written_to_nodes_of_another_workspace(graph: Graph, other: Graph) -> None:
    ingest(other, LETTERS)
    before = list(other.dump())
    theirs = document(other, "letters/sophie.txt")
    rows = chunk_rows(theirs, LETTERS["letters/sophie.txt"], extractor="mine")
    mention = other.mentions()[0]
    entity_id, row = next(iter(other.entity_rows().items()))
    entity = Entity(id=entity_id, name="mine", aliases=(), type="", mention_ids=(mention.id,))
    for write in (
        lambda: graph.write_documents([replace(theirs, title="mine")]),
        lambda: graph.write_chunks(rows),
        lambda: graph.write_entities([(entity, vector("mine"))]),
        lambda: graph.write_entities([(replace(entity, id="my own"), vector("mine"))]),
    ):
        with pytest.raises(InputError, match="another workspace"):
            write()
    assert list(other.dump()) == before
    assert row.name != "mine"


# --------------------------------------------------------------------------------------------------------------------
# What is said stays said

NASTY = [
    "Jules` DETACH DELETE n //",
    "Jules'} DETACH DELETE n //",
    'Jules"}) DETACH DELETE n RETURN ("',
    "Jules\n} DETACH DELETE n",
    "$workspace",
    "\u202eselluJ\u202c",
    "Jules\x00Delmas",
    "\\u0060",
    "W_0123456789abcdef_C",
    "__Entity__",
    "𝔍𝔲𝔩𝔢𝔰 💍",
    "ж" * 9000,
    "x" * 40_000,
    "long " * 9000,
]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_any_text_is_a_name_a_predicate_and_a_type(text: str, graph: Graph, other: Graph) -> None:
    ingest(other, {"a.txt": ["Sophie | aime | Nantes."]})
    before = list(other.dump())
    text = text.replace(".", "")
    made = ingest(graph, {f"{text}.txt": [f"{text} | {text} | Sophie."], "b.txt": [f"On a vu {text} ici."]})
    assert len(made) == 2
    name = text.strip()
    (named,) = graph.entities_named([name.casefold()])
    (detail,) = graph.entity_detail(named.entity_id).facts
    assert (detail.subject, detail.predicate, detail.object) == (name, name, "Sophie")
    mentions = tuple(row.id for row in graph.mentions() if row.entity_id == named.entity_id)
    entity = Entity(id=named.entity_id, name=name, aliases=(name,), type=text, mention_ids=mentions)
    graph.write_entities([(entity, vector(name))])
    graph.add_alias_groups([AliasGroup(names=(text, "Sophie"))])
    assert [group.names for group in graph.alias_groups()] == [(text, "Sophie")]
    assert graph.entity_rows()[named.entity_id].type == text
    assert graph.search_entities(vector(name), 1)[0].entity_id == named.entity_id
    assert list(other.dump()) == before


def test_a_type_named_like_another_workspaces_label_puts_nothing_there(graph: Graph, other: Graph) -> None:
    ingest(graph, {"a.txt": ["Sophie | aime | Jules."]})
    entity_id, row = next(iter(graph.entity_rows().items()))
    mentions = tuple(mention.id for mention in graph.mentions() if mention.entity_id == entity_id)
    for label in (other.workspace.entity_label, other.workspace.chunk_label, other.workspace.fact_label):
        for type_ in (label, label.lower(), label.replace("_", " "), f"`{label}`", f"ｗ{label[1:]}"):
            entity = Entity(id=entity_id, name=row.name, aliases=row.aliases, type=type_, mention_ids=mentions)
            graph.write_entities([(entity, vector(row.name))])
    assert other.search_entities(vector(row.name), 10) == []
    assert other.search_facts(vector(row.name), 10) == []
    assert other.search_chunks(vector(row.name), 10) == []


def test_a_predicate_that_is_a_name_of_ours_is_drawn_as_related(graph: Graph) -> None:
    ours = ["FROM_CHUNK", "from chunk", "refers to", "SAME_AS", "In Chunk", "subject", "W_0123456789abcdef_C", "!?"]
    ingest(graph, {"a.txt": [" ".join(f"Sophie | {predicate} | Jules." for predicate in ours)]})
    with graph.database.sessions.open() as session:
        record = session.run(
            "MATCH (:__Entity__ {workspace: $workspace})-[r]->(:__Entity__) "
            "RETURN collect(DISTINCT type(r)) AS types, collect(r.predicate) AS predicates",
            workspace=graph.workspace.name,
        ).single(strict=True)
    assert record["types"] == ["RELATED_TO"]
    assert sorted(record["predicates"]) == sorted(ours)


def test_a_document_is_not_stored_by_a_long_name_in_an_index(graph: Graph) -> None:
    """8 kB in an index fail a whole batch: every indexed property must be a hash."""
    read(graph, "s" * 10_000, [f"{'k' * 10_000} | p | {'o' * 10_000}."])
    derive(graph)
    assert graph.stats().facts == 1
