"""Reading with an LLM, on the real Neo4j: who says a fact, what is kept, what is asked again and what is not."""

from __future__ import annotations

import json
import math

import pytest

from filigraph.graph.derive import derive
from filigraph.graph.engine import retrieve
from filigraph.graph.errors import Cancelled, LLMDown
from filigraph.graph.ids import document_id
from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.extract.schema import read_schema, ready_schemas
from filigraph.graph.ingest.report import IngestSettings
from filigraph.graph.model.documents import Source
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.pipeline import ingest, retry
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.store import Graph
from tests.making import word_embedder
from tests.runs.conftest import World
from tests.runs.llm_letters import LETTERS, WITNESSES, letter, reply


@pytest.fixture
def graph(world: World) -> Graph:
    return world.fresh()


def read(graph: Graph, llm: ScriptedLLM, *sources: Source, extractor: Extractor | None = None, **more: object):  # type: ignore[no-untyped-def]
    return ingest(sources, graph=graph, embedder=word_embedder(), extractor=extractor or LLMExtractor(llm), **more)


# --------------------------------------------------------------------------------------------------------------------
# Who says so


def test_paths_show_voice_and_date_and_both_sides_of_contradictions(graph: Graph) -> None:
    read(graph, ScriptedLLM(WITNESSES), *LETTERS)
    found = retrieve("Where was Jules Delmas that night?", graph=graph, embedder=word_embedder())
    hops = [hop for path in found.paths for hop in path.hops]
    assert {(hop.object, hop.according_to, hop.date) for hop in hops if hop.predicate == "was in"} == {
        ("Lyon", "Ann", "1912-03-04"),
        ("Paris", "Paul", "1912-03-05"),
    }
    texts = " / ".join(path.text for path in found.paths)
    assert "Jules Delmas was in Lyon (according to Ann)" in texts
    assert "Jules Delmas was in Paris (according to Paul)" in texts


def test_an_implied_fact_shows_the_sentences_it_follows_from(graph: Graph) -> None:
    read(graph, ScriptedLLM(WITNESSES), *LETTERS)
    found = retrieve("Is Jules Delmas a member of the Claw?", graph=graph, embedder=word_embedder())
    hop = next(hop for path in found.paths for hop in path.hops if hop.predicate == "is member of")
    assert hop.implied
    assert hop.sentence == "Jules Delmas wears the ring of the Claw."
    assert hop.premises == ("Only its members wear that ring.",)


DATED = json.dumps(
    {
        "names": {"Person": ["Jules Delmas", "Nora Brun"]},
        "facts": [
            [1, "Jules Delmas", "arrived in", "Lyon", "", "12 March 1912"],
            [2, "Jules Delmas", "never met", "Nora Brun"],
            [3, "Jules Delmas", "described", "lame"],
        ],
    }
)
STAY = (
    "Jules Delmas arrived in Lyon on 12 March 1912. Jules Delmas never met Nora Brun. Jules Delmas is lame, and he was "
    "not seen in the streets of the town while he stayed there, for all that the neighbours had to say about it."
)


def test_a_hop_says_when_and_a_denial_is_told_as_one(graph: Graph) -> None:
    read(graph, ScriptedLLM({"arrived": DATED}), letter("stay.txt", STAY))
    paths = [
        path
        for question in ("When did Jules Delmas arrive in Lyon?", "Who met Nora Brun?", "Who is lame?")
        for path in retrieve(question, graph=graph, embedder=word_embedder()).paths
    ]
    hops = {hop.predicate: hop for path in paths for hop in path.hops}
    arrival = hops["arrived in"] if "arrived in" in hops else hops["arrives in"]
    assert (arrival.when, arrival.when_date, arrival.denied) == ("12 March 1912", "1912-03-12", False)
    assert (hops["never met"].when, hops["never met"].denied) == ("", True)
    texts = " / ".join(path.text for path in paths)
    assert "in Lyon on 12 March 1912" in texts and "Jules Delmas never met Nora Brun" in texts
    facts, _ = graph.facts(count=10)
    assert {fact.predicate: (fact.denied, fact.dates) for fact in facts} == {
        arrival.predicate: (False, ["1912-03-12"]),
        "never met": (True, []),
        "is described as": (False, []),
    }
    described = next(fact for fact in facts if fact.object == "lame")
    detail = graph.entity_detail(described.object_id)
    assert detail.type == "Description"
    near = graph.neighbourhood(described.subject_id, hops=1, limit=9)
    assert {fact.predicate: (fact.denied, fact.dates) for fact in near} == {
        fact.predicate: (fact.denied, fact.dates) for fact in facts
    }


# --------------------------------------------------------------------------------------------------------------------
# Never twice

STORY = " ".join(f"On day {n} Jules met Nora at the old mill, and it rained until the evening." for n in range(30))
SMALL = IngestSettings(size=64)


def meeting() -> ScriptedLLM:
    return ScriptedLLM({"": reply([1, "Jules", "met", "Nora"])})


def test_the_same_text_is_never_asked_for_twice(graph: Graph) -> None:
    llm = meeting()
    report = read(graph, llm, letter("a.txt", STORY), settings=SMALL)
    asked = len(llm.prompts)
    assert asked == report.chunks > 5
    assert report.usage.calls == asked
    dump = list(graph.dump())

    again = read(graph, llm, letter("a.txt", STORY), settings=SMALL)
    assert again.unchanged == ["a.txt"] and again.usage.calls == asked
    copy = read(graph, llm, letter("b.txt", STORY), settings=SMALL)
    assert copy.kept_extractions == copy.chunks == report.chunks

    read(graph, llm, letter("a.txt", STORY), settings=SMALL, extractor=LocalExtractor(spacy_models.load))
    back = read(graph, llm, letter("a.txt", STORY), settings=SMALL)
    assert back.kept_extractions == back.chunks

    derive(graph, embedder=word_embedder())
    assert len(llm.prompts) == asked
    graph.delete_documents([document_id(graph.workspace.name, "b.txt")])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == dump


def test_two_copies_that_come_together_are_asked_for_once(graph: Graph) -> None:
    llm = meeting()
    report = read(graph, llm, letter("a.txt", STORY), letter("b.txt", STORY), settings=SMALL)
    assert len(llm.prompts) == report.kept_extractions == report.chunks / 2
    assert report.failed_chunks == 0
    assert {row.status for row in graph.document_rows()} == {"complete"}
    assert graph.gaps(first=0, count=1) == ([], 0)


def test_a_changed_document_asks_only_for_changes_and_their_context(graph: Graph) -> None:
    llm = meeting()
    report = read(graph, llm, letter("a.txt", STORY), settings=SMALL)
    asked = len(llm.prompts)
    changed = STORY.replace("On day 29 Jules", "On day 29 Paul")
    again = read(graph, llm, letter("a.txt", changed), settings=SMALL)
    assert again.updated == ["a.txt"]
    assert len(llm.prompts) - asked == again.chunks - again.kept_extractions == 1
    assert again.chunks == report.chunks


def test_another_schema_asks_anew_and_the_old_one_back_does_not(graph: Graph) -> None:
    llm = meeting()
    novel = LLMExtractor(llm, schema=read_schema(ready_schemas()["novel"]))
    for extractor, calls in ((LLMExtractor(llm), 1), (novel, 2), (LLMExtractor(llm), 2), (novel, 2)):
        report = read(graph, llm, letter("a.txt", "Jules met Nora."), extractor=extractor)
        assert len(llm.prompts) == calls
    assert report.counts == {"facts outside the schema, kept: ? - met - ?": 1}


# --------------------------------------------------------------------------------------------------------------------
# An LLM that is down


class Down(ScriptedLLM):
    """Answers so many chunks, then is gone until it is mended."""

    def __init__(self, answers: int) -> None:
        super().__init__({"": reply([1, "Jules", "met", "Nora"])})
        self.left: float = answers

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        if self.left <= 0:
            raise LLMDown("Nobody answers.", cure="Start it.")
        self.left -= 1
        return super().complete(request, cancel=cancel)


def impatient(llm: ScriptedLLM) -> LLMExtractor:
    return LLMExtractor(llm, in_flight=1, patience=0.0, pause=0.001)


def test_chunks_unread_after_an_outage_are_listed_and_retried(graph: Graph) -> None:
    sources = [letter("a.txt", STORY), letter("b.txt", "Jules met Nora in Rome.")]
    read(graph, meeting(), *sources, settings=SMALL)
    expected = list(graph.dump())
    for source in ("a.txt", "b.txt"):
        graph.delete_documents([document_id(graph.workspace.name, source)])
    derive(graph, embedder=word_embedder())

    llm = Down(answers=3)
    report = read(graph, llm, *sources, settings=SMALL, extractor=impatient(llm))
    unread = report.chunks - 3
    assert report.failed_chunks == unread
    assert len(llm.prompts) == 3
    assert {(row.source, row.status) for row in graph.document_rows()} == {("a.txt", "partial"), ("b.txt", "partial")}
    assert any("filigraph retry" in problem and "Nobody answers." in problem for problem in report.problems)
    found = retrieve("Rome", graph=graph, embedder=word_embedder())
    assert "Rome" in found.evidence[0].text, "words and vectors are there"
    gaps, count = graph.gaps(first=0, count=100)
    assert count == unread and all(gap.unread and gap.reason for gap in gaps)

    llm.left = math.inf
    again = retry(graph=graph, embedder=word_embedder(), extractor=impatient(llm))
    assert (again.failed_chunks, len(llm.prompts)) == (0, report.chunks)
    assert sorted(again.updated) == ["a.txt", "b.txt"]
    assert list(graph.dump()) == expected
    assert retry(graph=graph, embedder=word_embedder(), extractor=impatient(llm)).updated == []


def test_an_ingest_again_reads_only_what_is_missing_too(graph: Graph) -> None:
    llm = Down(answers=3)
    report = read(graph, llm, letter("a.txt", STORY), settings=SMALL, extractor=impatient(llm))
    llm.left = math.inf
    read(graph, llm, letter("a.txt", STORY), settings=SMALL, extractor=impatient(llm))
    assert len(llm.prompts) == report.chunks
    assert [row.status for row in graph.document_rows()] == ["complete"]


def test_retry_says_which_documents_are_not_stored_to_their_end(graph: Graph) -> None:
    class Stops(ScriptedLLM):
        def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        read(graph, Stops({}), letter("a.txt", STORY))
    report = retry(graph=graph, embedder=word_embedder(), extractor=LLMExtractor(meeting()))
    assert report.problems == ["a.txt: not all of it is stored; ingest it again"]


def test_a_run_whose_llm_never_answers_fails_at_once(graph: Graph) -> None:
    llm = Down(answers=0)
    with pytest.raises(LLMDown):
        read(graph, llm, letter("a.txt", STORY), settings=SMALL)


def test_every_chunk_without_facts_has_its_reason_in_the_report(graph: Graph) -> None:
    said = {"Jules": "I cannot do that.", "Nora": reply(), "Paul": reply([1, "Moriarty", "met", "Paul"])}
    texts = [letter(f"{name}.txt", f"{name} came home late that night.") for name in said]
    report = read(graph, ScriptedLLM(said), *texts)
    assert report.empty_chunks == 3
    assert report.notes == {
        "the LLM was asked twice, and it is not the JSON that was asked for": 1,
        "the LLM found no facts": 1,
        "none of the facts that the LLM gave could be used": 1,
    }
    assert report.counts == {"names dropped: not in the text": 1}
