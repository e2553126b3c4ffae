"""Titles: which chunks name which documents, and what a question finds through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from filigraph.graph import ids
from filigraph.graph.model.retrieval import PoolChunk
from filigraph.graph.store import Graph
from filigraph.graph.text.names.parse import name_key
from tests.store.world import chunk_rows, document, vector

FILMS = {
    "dawn.txt": ("Dawn (film)", ["Rien.", "La suite."]),
    "dusk.txt": ("Dusk", ["Comme Dawn.", "Encore Dawn."]),
    "note.txt": ("note", ["Dawn ou Dusk ?"]),
}


def write(graph: Graph, documents: Mapping[str, tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Write documents with titles; returns text -> chunk id."""
    made = {}
    for source, (title, passages) in documents.items():
        row = replace(document(graph, source), title=title)
        graph.write_documents([row])
        rows = chunk_rows(row, passages)
        graph.write_chunks(rows)
        graph.finish_reading({row.id: [row.chunk.id for row in rows]})
        made |= {row.chunk.text: row.chunk.id for row in rows}
    return made


def id_of(graph: Graph, source: str) -> str:
    return ids.document_id(graph.workspace.name, source)


@pytest.fixture
def films(graph: Graph) -> dict[str, str]:
    """Dusk and the note name Dawn; the note names Dusk as well."""
    made = write(graph, FILMS)
    dawn, dusk = id_of(graph, "dawn.txt"), id_of(graph, "dusk.txt")
    named = {made["Comme Dawn."]: [dawn], made["Encore Dawn."]: [dawn], made["Dawn ou Dusk ?"]: [dawn, dusk]}
    graph.replace_titles(sorted(made.values()), named, looked_up=[dawn, dusk])
    return made


def titles_of(graph: Graph, made: Mapping[str, str]) -> dict[str, set[str]]:
    """Text -> the sources of the documents that the chunk names."""
    sources = {id_of(graph, source): source for source in FILMS}
    texts = {id_: text for text, id_ in made.items()}
    return {texts[chunk.id]: {sources[id_] for id_ in chunk.titles} for chunk in pool(graph, made) if chunk.titles}


def pool(graph: Graph, made: Mapping[str, str]) -> list[PoolChunk]:
    return graph.pool(sorted(made.values()))


def test_a_chunk_names_the_titles_that_were_found_in_it(graph: Graph, films: dict[str, str]) -> None:
    assert titles_of(graph, films) == {
        "Comme Dawn.": {"dawn.txt"},
        "Encore Dawn.": {"dawn.txt"},
        "Dawn ou Dusk ?": {"dawn.txt", "dusk.txt"},
    }


def test_replacing_is_exact_and_may_be_repeated(graph: Graph, films: dict[str, str]) -> None:
    dawn, note = id_of(graph, "dawn.txt"), films["Dawn ou Dusk ?"]
    before = list(graph.dump())
    named = {note: [dawn, id_of(graph, "dusk.txt")]}
    graph.replace_titles([note], named, looked_up=[])
    assert list(graph.dump()) == before
    graph.replace_titles([note], {note: [dawn]}, looked_up=[])
    assert titles_of(graph, films)["Dawn ou Dusk ?"] == {"dawn.txt"}
    assert titles_of(graph, films)["Comme Dawn."] == {"dawn.txt"}, "other chunks stay as they were"


def test_a_title_that_was_looked_up_anew_is_named_by_nothing_else(graph: Graph, films: dict[str, str]) -> None:
    dawn, note = id_of(graph, "dawn.txt"), films["Dawn ou Dusk ?"]
    graph.replace_titles([note], {note: [dawn]}, looked_up=[dawn])
    assert titles_of(graph, films) == {"Dawn ou Dusk ?": {"dawn.txt"}}


def test_a_title_is_fresh_until_it_was_looked_up(graph: Graph, films: dict[str, str]) -> None:
    fresh = {row.title: row.fresh for row in graph.titles()}
    assert fresh == {"Dawn (film)": False, "Dusk": False, "note": True}
    write(graph, {"dusk.txt": ("Dusk", FILMS["dusk.txt"][1])})
    assert not {row.title: row.fresh for row in graph.titles()}["Dusk"], "written again with the same title"
    write(graph, {"dusk.txt": ("Evening", FILMS["dusk.txt"][1])})
    assert {row.title: row.fresh for row in graph.titles()}["Evening"]
    write(graph, {"blank.txt": ("", ["Rien."])})
    assert "" not in {row.title for row in graph.titles()}
    assert [row.document_id for row in graph.titles()] == sorted(row.document_id for row in graph.titles())


def test_titles_go_with_their_document_and_with_the_chunk_that_names_them(graph: Graph, films: dict[str, str]) -> None:
    graph.delete_documents([id_of(graph, "dawn.txt")])
    left = {text: id_ for text, id_ in films.items() if text not in FILMS["dawn.txt"][1]}
    assert titles_of(graph, left) == {"Dawn ou Dusk ?": {"dusk.txt"}}
    graph.delete_documents([id_of(graph, "note.txt")])
    assert titles_of(graph, left) == {}


def test_neighbours_over_titles(graph: Graph, films: dict[str, str]) -> None:
    question = vector("question")
    texts = {id_: text for text, id_ in films.items()}

    def near(text: str, hub: int = 9, per_chunk: int = 9) -> list[str]:
        return [texts[id_] for id_ in graph.neighbours([films[text]], question, hub=hub, per_chunk=per_chunk)]

    def by_cosine(*found: str) -> list[str]:
        return sorted(found, key=lambda text: -float(vector(text) @ question))

    assert near("Dawn ou Dusk ?") == by_cosine("Rien.", "Comme Dawn."), "the first chunks of the documents it names"
    assert near("Encore Dawn.") == ["Rien."]
    assert near("Rien.") == by_cosine("Comme Dawn.", "Encore Dawn.", "Dawn ou Dusk ?"), "and back"
    assert near("La suite.") == [], "a title leads to and from the first chunk alone"
    assert near("Rien.", hub=2) == [], "a title that more chunks name says nothing"
    assert near("Encore Dawn.", hub=0) == ["Rien."], "but who names it means it"
    assert near("Rien.", per_chunk=1) == by_cosine("Comme Dawn.", "Encore Dawn.", "Dawn ou Dusk ?")[:1]


def test_documents_by_their_title_with_and_without_brackets(graph: Graph, films: dict[str, str]) -> None:
    question = vector("question")
    dawn = id_of(graph, "dawn.txt")
    for wanted in ("Dawn (film)", "Dawn", "DAWN", "the dawn"):
        (found,) = graph.documents_titled([name_key(wanted), "", "nobody"], question)
        assert (found.key, found.entity_id, found.name) == (name_key(wanted), dawn, "Dawn (film)")
        assert found.chunk_id == films["Rien."]
        assert found.cosine == pytest.approx(float(vector("Rien.") @ question), abs=1e-5)
    assert [found.key for found in graph.documents_titled(["dusk", "dawn", "dusk"], question)] == ["dawn", "dusk"]
    assert graph.documents_titled([], question) == []


def test_one_title_may_be_that_of_several_documents(graph: Graph) -> None:
    titles = ["Dawn", "Dawn (film)", "Dawn (novel)", "Dawn [1912]"]
    write(graph, {f"{n}.txt": (title, [f"Texte {n}."]) for n, title in enumerate(titles)})
    found = graph.documents_titled(["dawn"], vector("question"))
    assert sorted(document.name for document in found) == titles
    assert [document.entity_id for document in found] == sorted(document.entity_id for document in found)
    (film,) = graph.documents_titled([name_key("Dawn (film)")], vector("question"))
    assert film.name == "Dawn (film)"


@pytest.mark.parametrize("title", ["x" * 40_000, "💍", "'}) DETACH DELETE n //", "()", "\u202e", "Dawn ()"])
def test_any_title_is_only_a_title(title: str, graph: Graph) -> None:
    made = write(graph, {"a.txt": (title, ["Rien."])})
    key = name_key(title)
    assert [found.name for found in graph.documents_titled([key], vector("x"))] == [title] * bool(key)
    assert [row.title for row in graph.titles()] == [title]
    assert len(graph.pool(list(made.values()))) == 1
