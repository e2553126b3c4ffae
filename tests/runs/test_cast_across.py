"""Who is who across documents, from an LLM, on the real Neo4j: asked once, stored, exported, deleted with what it rests
on, and hidden with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from bench.durability.history_player import Player
from bench.durability.view_histories import differs_from_all, opened
from filigraph.graph.derive import derive
from filigraph.graph.errors import Cancelled, LLMDown
from filigraph.graph.estimate import estimate
from filigraph.graph.ids import document_id
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.pipeline import ingest, retry
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.read_cast import CastReader
from filigraph.graph.store import Graph
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.view import View
from filigraph.graph.views.export import ViewExport
from tests.making import NamesExtractor, source, word_embedder
from tests.runs.conftest import World

LETTERS = {
    "letter.txt": "Ada Pell met The Keeper in Lyon.",
    "report.txt": "Yann Kermeur met Ada Pell in Lyon.",
    "gazette.txt": "Whoever met Ada Pell in Lyon was no other than The Keeper. Tom Price met Bob Sand.",
}
# what is told rests on the report and on the letter or, in the second line, on the gazette alone
STATEMENTS = (
    (("The Keeper", "letter.txt"), ("Yann Kermeur", "report.txt"), ("met The Keeper", "Yann Kermeur met")),
    (("Tom Price", "gazette.txt"), ("Yann Kermeur", "report.txt"), ("Tom Price met",)),
)


class Reader(ScriptedLLM):
    """Says of every prompt what it shows of STATEMENTS."""

    kind = "ONE"

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        super().complete(request, cancel=cancel)
        lines = ["NONE"]
        for first, other, shown in STATEMENTS:
            names = [_numbered(request.prompt, *name) for name in (first, other)]
            sentences = [re.search(rf"^(\[\d+\]) .*{words}", request.prompt, re.MULTILINE) for words in shown]
            if all(names) and all(sentences):
                lines.append(f"{self.kind} | {', '.join(names)} | {' '.join(match[1] for match in sentences if match)}")
        return "\n".join(lines)


class Separating(Reader):
    """Says that they are two."""

    kind = "TWO"


def _numbered(prompt: str, form: str, source: str) -> str:
    document = re.search(rf"^--- (D\d+): {source}", prompt, re.MULTILINE)
    number = re.search(rf"^(\d+)\. (?:The )?{form.removeprefix('The ')} \(", prompt, re.MULTILINE | re.IGNORECASE)
    return f"{number[1]}@{document[1]}" if number and document else ""


def read(
    graph: Graph, llm: ScriptedLLM | None, sources: Sequence[str] = tuple(LETTERS), **more: object
) -> IngestReport:
    return ingest(  # type: ignore[arg-type]
        [source(name, LETTERS[name]) for name in sources],
        graph=graph,
        embedder=word_embedder(),
        extractor=NamesExtractor(),
        reader=CastReader(llm=llm) if llm else None,
        **more,
    )


def again(graph: Graph, llm: ScriptedLLM) -> IngestReport:
    reader = CastReader(llm=llm)
    return retry(graph=graph, embedder=word_embedder(), extractor=NamesExtractor(), reader=reader)


def bearers(graph: Graph, form: str = "Yann Kermeur") -> set[str]:
    """The forms of the entity that has one of a form."""
    rows = list(graph.mentions())
    (entity,) = {row.entity_id for row in rows if row.form == form}
    return {row.form for row in rows if row.entity_id == entity}


def lines(graph: Graph) -> list[str]:
    return list(graph.dump())


def test_it_is_asked_once_kept_and_gone_with_what_it_rests_on(world: World) -> None:
    graph, llm = world.fresh(), Reader({})
    report = read(graph, llm)
    assert len(llm.prompts) == report.usage.calls == 1
    assert bearers(graph) == {"Yann Kermeur", "The Keeper", "Tom Price"}
    (entity,) = {row.entity_id for row in graph.mentions() if row.form == "Yann Kermeur"}
    reasons = {row.reason for row in graph.entity_names(entity).decisions if row.rule == "reader"}
    assert any("Yann Kermeur met Ada Pell" in reason for reason in reasons)
    told = lines(graph)

    assert differs_from_all(Player(graph)) == []
    view = opened(Player(graph), View(without=("gazette.txt",)))
    assert {row.form for row in view.mentions() if row.entity_id == _entity(view, "Yann Kermeur")} == {
        "Yann Kermeur",
        "The Keeper",
    }
    shown: list[bytes] = []
    export_to(shown.append, ViewExport(graph, view))
    assert sum(b'"kind":"cast_links"' in line for line in shown) == 1
    view = opened(Player(graph), View(without=("letter.txt",)))
    assert _entity(view, "The Keeper") != _entity(view, "Yann Kermeur") == _entity(view, "Tom Price")

    read(graph, llm)  # the same documents
    assert len(llm.prompts) == 1
    graph.delete_documents([document_id(world.name, "gazette.txt")])
    again(graph, Reader({"": LLMDown("No LLM answers.")}))
    assert bearers(graph) == {"Yann Kermeur", "The Keeper"}  # what does not rest on it stays
    read(graph, llm)
    assert lines(graph) == told
    read(graph, None, ["gazette.txt"])  # nothing changed
    assert lines(graph) == told


def _entity(view: object, form: str) -> str:
    (entity,) = {row.entity_id for row in view.mentions() if row.form == form}  # type: ignore[attr-defined]
    return entity


def test_names_that_it_says_are_two_are_not_alike(world: World) -> None:
    graph = world.fresh()
    read(graph, Separating({}))
    rows = {(row.form, row.document_id): row.entity_id for row in graph.mentions()}
    two = rows["The Keeper", document_id(world.name, "letter.txt")], _entity(graph, "Yann Kermeur")
    assert [frozenset(pair) for pair in graph.names_apart()] == [frozenset(two)]
    view = opened(Player(graph), View(without=("gazette.txt",)))
    assert {frozenset(pair) for pair in view.derived.apart()} == {
        frozenset((_entity(view, "The Keeper"), _entity(view, "Yann Kermeur")))
    }


def test_a_new_reply_replaces_the_earlier_one_to_the_same_prompt(world: World) -> None:
    graph = world.fresh()
    read(graph, Reader({}))
    graph.delete_documents([document_id(world.name, "gazette.txt")])
    read(graph, ScriptedLLM({"": "NONE"}))
    assert bearers(graph) == {"Yann Kermeur"}


def test_the_order_of_documents_makes_no_difference(world: World) -> None:
    graph = world.fresh()
    read(graph, Reader({}))
    told = lines(graph)
    graph = world.fresh()
    for name in reversed(LETTERS):
        read(graph, Reader({}), [name])
    assert lines(graph) == told
    graph = world.fresh()
    read(graph, Reader({}), ["letter.txt", "report.txt"])
    without = lines(graph)
    graph = world.fresh()
    read(graph, Reader({}))
    graph.delete_documents([document_id(world.name, "gazette.txt")])
    again(graph, Reader({}))
    assert lines(graph) == without


def test_a_call_without_an_answer_is_reported_and_retry_asks_again(world: World) -> None:
    graph = world.fresh()
    report = read(graph, ScriptedLLM({"": LLMDown("No LLM answers.")}))
    assert "1 of 1 calls did not answer who is who across documents" in report.remarks[0]
    assert bearers(graph) == {"Yann Kermeur"}
    assert {row.status for row in graph.document_rows()} == {"complete"}
    assert graph.open_links() and graph.stats().open_links
    report = again(graph, llm := ScriptedLLM({"": "I cannot help with that."}))
    assert "no reply could be read" in report.remarks[0]
    assert graph.stats().open_links and not graph.open_links()
    assert not read(graph, llm).remarks
    assert len(llm.prompts) == 2
    with world.copy(graph) as copy:
        assert copy.stats().open_links
    assert not again(graph, Reader({})).remarks
    assert not graph.stats().open_links
    assert bearers(graph) == {"Yann Kermeur", "The Keeper", "Tom Price"}
    read(graph, None, ["letter.txt"])  # nothing changed
    assert bearers(graph) == {"Yann Kermeur", "The Keeper", "Tom Price"}


def test_documents_read_again_without_an_llm_are_joined_by_none(world: World) -> None:
    graph = world.fresh()
    read(graph, Reader({}))
    changed = source("letter.txt", f"{LETTERS['letter.txt']} It rained.")
    ingest([changed], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    assert bearers(graph) == {"Yann Kermeur", "Tom Price"}


def test_it_is_cancelled_cleanly_and_goes_on(world: World) -> None:
    graph, llm = world.fresh(), Reader({})
    with pytest.raises(Cancelled):
        read(graph, llm, cancelled=lambda: bool(llm.prompts))
    read(graph, llm)
    assert len(llm.prompts) == 1  # what it told was kept
    assert bearers(graph) == {"Yann Kermeur", "The Keeper", "Tom Price"}


def test_a_run_that_is_cancelled_during_the_calls_goes_on_after_other_changes(world: World) -> None:
    graph, llm = world.fresh(), Reader({})
    with pytest.raises(Cancelled):
        read(graph, ScriptedLLM({"": Cancelled()}))
    assert graph.open_links()
    derive(graph, embedder=word_embedder())  # as a decision or a deletion does
    read(graph, llm)
    assert bearers(graph) == {"Yann Kermeur", "The Keeper", "Tom Price"}
    read(graph, llm)
    assert len(llm.prompts) == 1
    assert not graph.open_links()


def test_an_export_has_it_and_an_import_asks_nobody(world: World) -> None:
    graph = world.fresh()
    read(graph, Reader({}))
    with world.copy(graph) as copy:
        assert bearers(copy) == {"Yann Kermeur", "The Keeper", "Tom Price"}


def test_an_estimate_says_what_it_takes(world: World) -> None:
    letters = [source(name, f"{text} " * 9) for name, text in LETTERS.items()]
    estimated = estimate(letters, workspace=world.name, graph=None, extractor=NamesExtractor(), cast=True)
    assert estimated.cast.calls == 1
    estimated = estimate(letters[:1], workspace=world.name, graph=None, extractor=NamesExtractor(), cast=True)
    assert estimated.cast.calls == 0
    estimated = estimate(letters, workspace=world.name, graph=None, extractor=NamesExtractor(), cast=False)
    assert estimated.cast.calls == 0
