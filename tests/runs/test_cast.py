"""Who is who in a document, from an LLM, on the real Neo4j: asked once, stored, exported, deleted with its document."""

from __future__ import annotations

import json
from functools import partial

import pytest

from bench.durability.history_player import Player
from bench.durability.view_histories import differs_from_all
from filigraph.graph.derive import derive
from filigraph.graph.errors import Cancelled, LLMDown
from filigraph.graph.estimate import estimate
from filigraph.graph.ids import document_id
from filigraph.graph.ingest.report import IngestReport, IngestSettings
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.pipeline import ingest, retry
from filigraph.graph.readings.read_cast import CastReader
from filigraph.graph.store import Graph
from tests.making import NamesExtractor, source, word_embedder
from tests.runs.conftest import World

WEATHER = "It rained all day, and the street was grey and cold. " * 14
STORY = f"Caroline Bingley met Anna Lucas in Lyon. The Swan met Anna Lucas. {WEATHER}Caroline Bingley met The Swan. "
MEMBER = {"names": ["The Swan", "Caroline Bingley"], "extract": 1}
REPLY = json.dumps({"members": [MEMBER], "contrasts": [], "open": []})
SETTINGS = IngestSettings(size=64)


def read(graph: Graph, llm: ScriptedLLM | None, text: str = STORY, **more: object) -> IngestReport:
    reader = CastReader(llm=llm) if llm else None
    return ingest(  # type: ignore[arg-type]
        [source("swan.txt", text)],
        graph=graph,
        embedder=word_embedder(),
        extractor=NamesExtractor(),
        reader=reader,
        settings=SETTINGS,
        **more,
    )


def together(graph: Graph) -> bool:
    entity_of = {row.form: row.entity_id for row in graph.mentions()}
    return entity_of["The Swan"] == entity_of["Caroline Bingley"]


def lines(graph: Graph) -> list[str]:
    return list(graph.dump())


def test_it_is_told_once_kept_and_gone_with_its_document(world: World) -> None:
    graph, llm = world.fresh(), ScriptedLLM({"": REPLY})
    stages = []
    report = read(graph, llm, progress=lambda progress: stages.append(progress.stage))
    assert together(graph)
    assert len(llm.prompts) == report.usage.calls == 1
    (swan,) = {row.entity_id for row in graph.mentions() if row.form == "The Swan"}
    (why,) = [row.reason for row in graph.entity_names(swan).decisions if row.rule == "reader"]
    assert why and why in STORY
    assert "cast" in stages

    read(graph, llm)  # the same document
    assert len(llm.prompts) == 1
    told = lines(graph)
    read(graph, llm, text=STORY + "Anna Lucas met Tom Price. ")
    assert len(llm.prompts) == 2  # another name: who is who may be another
    read(graph, None)
    assert not together(graph)  # read again without one
    read(graph, llm)
    derive(graph, embedder=word_embedder())
    graph.delete_documents([document_id(world.name, "swan.txt")])
    assert graph.casts() == {}
    read(graph, llm)
    assert lines(graph) == told


def test_a_name_that_it_adds_is_found_everywhere_in_its_document(world: World) -> None:
    graph = world.fresh()
    member = {"names": ["Caroline Bingley"], "also": ["the heiress"], "extract": 1}
    llm = ScriptedLLM({"": json.dumps({"members": [member], "contrasts": [], "open": []})})
    text = STORY.replace("The Swan", "the heiress") + "Tom Price saw the heiress. "
    read(graph, llm, text=text)
    (row,) = [row for row in graph.mentions() if row.form == "heiress"]
    assert row.count == 3
    assert row.entity_id == {row.form: row.entity_id for row in graph.mentions()}["Caroline Bingley"]
    told = lines(graph)
    read(graph, None, text=f"{text}It rained. ")
    assert "heiress" not in {row.form for row in graph.mentions()}  # nobody says any more that it is a name
    read(graph, llm, text=text)
    assert lines(graph) == told
    derive(graph, embedder=word_embedder())
    assert lines(graph) == told
    assert differs_from_all(Player(graph)) == []  # so a view has it


def test_a_call_without_an_answer_is_reported_and_retry_asks_again(world: World) -> None:
    graph = world.fresh()
    report = read(graph, ScriptedLLM({"": LLMDown("No LLM answers.")}))
    assert "who is who" in report.remarks[0]
    assert graph.document_rows()[0].status == "complete"
    assert not together(graph)
    reader = CastReader(llm=ScriptedLLM({"": REPLY}))
    retry(graph=graph, embedder=word_embedder(), extractor=NamesExtractor(), reader=reader)
    assert together(graph)
    assert not graph.open_casts()


def test_a_retry_that_is_stopped_behind_the_last_reply_loses_no_name(world: World) -> None:
    graph = world.fresh()
    text = STORY.replace("The Swan", "the heiress") + "Tom Price saw the heiress. "
    read(graph, ScriptedLLM({"": LLMDown("No LLM answers.")}), text=text)
    member = {"names": ["Caroline Bingley"], "also": ["the heiress"], "extract": 1}
    llm = ScriptedLLM({"": json.dumps({"members": [member], "contrasts": [], "open": []})})
    again = partial(
        retry, graph=graph, embedder=word_embedder(), extractor=NamesExtractor(), reader=CastReader(llm=llm)
    )
    with pytest.raises(Cancelled):
        again(cancelled=lambda: bool(llm.prompts))
    assert graph.casts()
    assert "heiress" not in {row.form for row in graph.mentions()}
    again()
    assert len(llm.prompts) == 1  # what it told was kept
    assert "heiress" in {row.form for row in graph.mentions()}
    assert not graph.open_casts()


def test_it_is_cancelled_cleanly_and_goes_on(world: World) -> None:
    graph, llm = world.fresh(), ScriptedLLM({"": REPLY})
    with pytest.raises(Cancelled):
        read(graph, llm, cancelled=lambda: bool(llm.prompts))
    assert graph.document_rows()[0].status == "partial"
    read(graph, llm)
    assert len(llm.prompts) == 1  # what it told was kept
    assert together(graph)


def test_an_export_has_it_and_an_import_asks_nobody(world: World) -> None:
    graph = world.fresh()
    read(graph, ScriptedLLM({"": REPLY}))
    with world.copy(graph) as copy:
        assert together(copy)


def test_an_estimate_says_what_it_takes(world: World) -> None:
    asked = {
        cast: estimate(
            [source("swan.txt", STORY)],
            workspace=world.name,
            graph=None,
            extractor=NamesExtractor(),
            cast=cast,
            settings=SETTINGS,
        ).cast
        for cast in (False, True)
    }
    assert asked[False].calls == 0
    assert asked[True].calls == 1
