"""Forms on the real Neo4j: batches, checks, no request twice, changes, deletions, persons, copies; with and without an
LLM.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from filigraph.graph.derive import derive
from filigraph.graph.engine import retrieve
from filigraph.graph.errors import Cancelled, LLMResponseError, LLMUnavailable
from filigraph.graph.fill import Filler, FillReport, estimate_fill, fill
from filigraph.graph.forms import form as forms
from filigraph.graph.model.documents import Source
from filigraph.graph.model.forms import FieldValue, Form
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.store import Graph, Store
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from
from tests.making import NamesExtractor, source, word_embedder
from tests.store.world import empty
from tests.workspace_pool import WorkspacePool

NOTE = "Inspector Brun met Ida Roux on 4 May 1912 at the mill. Ida Roux paid Paul Weber 900 francs for the boat.\n"
LETTER = "Dear aunt, Clara Moreau was born in Lyon. The ring of Clara Moreau is lost since the fire.\n"
FORM = """
title: Two groups
fields:
  - {id: date, group: meeting, question: When did Inspector Brun meet Ida Roux, type: date, required: true}
  - {id: who, group: meeting, question: Whom did Inspector Brun meet, type: entity}
  - {id: sum, group: meeting, question: What did Ida Roux pay Paul Weber for the boat, type: number}
  - {id: kind, group: meeting, question: What kind of thing was paid for, type: enum, values: [boat, house]}
  - {id: born, group: letter, question: Where was Clara Moreau born, type: entity}
  - {id: lost, group: letter, question: What is lost, type: list}
"""
ANSWERS: dict[str, Any] = {
    "date": ["1912-05-04"],
    "who": ["Ida Roux"],
    "sum": ["900 francs"],
    "kind": ["Boat"],
    "born": ["Lyon"],
    "lost": ["the ring of Clara Moreau"],
}


class FormLLM(ScriptedLLM):
    """Answers the fields that it is asked, each from the first extract with its word; `bad` batches are no JSON."""

    def __init__(self, answers: dict[str, Any], *, bad: int = 0) -> None:
        super().__init__({"": ""})
        self.answers, self.bad = answers, bad
        self.asked: list[list[str]] = []

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        super().complete(request, cancel=cancel)
        ids = re.findall(r'^\{"id": "(\w+)"', request.prompt, re.MULTILINE)
        self.asked.append(ids)
        if self.bad and len(ids) > 1:
            self.bad -= 1
            return "Here is what I found: nothing."
        return json.dumps({"fields": [self._field(id_, request.prompt) for id_ in ids]})

    def _field(self, id_: str, prompt: str) -> dict[str, Any]:
        values = self.answers.get(id_, [])
        word = {"date": "May", "sum": "francs", "kind": "boat"}.get(id_, str(values[0]).split()[-1] if values else "")
        extracts = dict(re.findall(r"^\[(\d+)\] (.*?)(?=^</extract)", prompt, re.MULTILINE | re.DOTALL))
        cited = [int(n) for n, text in extracts.items() if word and word in text]
        return {"id": id_, "values": values, "evidence": cited[:1], "note": ""}


@pytest.fixture(scope="module")
def name(workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as made:
        yield made


@pytest.fixture
def graph(store: Store, name: str) -> Graph:
    empty(store, name)
    graph = store.graph(name)
    graph.remove_form("two")
    read(graph, source("note.txt", NOTE), source("letter.txt", LETTER))
    return graph


@pytest.fixture
def form() -> Form:
    return forms.read_form("two", FORM)


def read(graph: Graph, *sources: Source) -> None:
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=NamesExtractor())


def run(graph: Graph, form: Form, llm: ScriptedLLM | None = None, *, size: int = 5, **more: Any) -> FillReport:
    filler = Filler(graph=graph, embedder=word_embedder(), llm=llm, **more)
    report = fill(form, "", filler, size=size)
    graph.finish_fill(form.name, "", [field.id for field in form.fields])
    return report


def values(graph: Graph) -> dict[str, FieldValue]:
    return graph.field_values("two", "")


def said(graph: Graph) -> dict[str, tuple[str, ...]]:
    return {id_: value.shown for id_, value in values(graph).items()}


def test_a_correction_changes_no_other_fields_passages(
    graph: Graph, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def recorded(question: str, **more: Any) -> Any:
        searched.append(question)
        return retrieve(question, **more)

    monkeypatch.setattr("filigraph.graph.fill.retrieve", recorded)
    run(graph, form, FormLLM(ANSWERS))
    graph.correct_field("two", "", "born", ["Villeurbanne"])
    run(graph, form, FormLLM(ANSWERS))
    batches = [question for question in searched if "\n" in question]
    assert batches[1:] == batches[:1], "that of the other group, for which nothing has changed, is not searched"


def test_each_value_stands_in_its_sentence(graph: Graph, form: Form) -> None:
    llm = FormLLM(ANSWERS)
    report = run(graph, form, llm)
    assert llm.asked == [["date", "who", "sum", "kind"], ["born", "lost"]]
    assert (report.fields, report.found, report.not_found, report.kept, report.usage.calls) == (6, 6, 0, 0, 2)
    found = values(graph)
    assert {id_: value.shown for id_, value in found.items()} == {
        **{id_: tuple(answer) for id_, answer in ANSWERS.items()},
        "kind": ("boat",),
    }
    assert (found["date"].normalized, found["sum"].normalized) == ("1912-05-04", "900 FRF")
    places = graph.field_places("two", "")
    assert {id_: [place.text for place in rows] for id_, rows in places.items()} == {
        "date": ["Inspector Brun met Ida Roux on 4 May 1912 at the mill."],
        "who": ["Inspector Brun met Ida Roux on 4 May 1912 at the mill."],
        "sum": ["Ida Roux paid Paul Weber 900 francs for the boat."],
        "kind": ["Ida Roux paid Paul Weber 900 francs for the boat."],
        "born": ["Dear aunt, Clara Moreau was born in Lyon."],
        "lost": ["The ring of Clara Moreau is lost since the fire."],
    }
    assert [entity.name for entity in places["who"][0].entities] == ["Ida Roux"]
    assert ("Inspector Brun", "meets", "Ida Roux") in {
        (fact.subject, fact.predicate, fact.object) for fact in places["who"][0].facts
    }


@pytest.mark.parametrize(
    ("field", "answer", "why"),
    [
        ("date", ["1912-06-04"], "does not occur in the evidence"),
        ("date", ["in spring"], "not a date"),
        ("who", ["Arsène Lupin"], "does not occur in the evidence: Arsène Lupin"),
        ("who", ["the mill"], "nothing that the graph knows"),
        ("sum", ["950 francs"], "does not occur in the evidence"),
        ("sum", ["the boat"], "not a number"),
        ("kind", ["castle"], "none of the values"),
        ("born", ["Holmes"], "does not occur in the evidence: Holmes"),
        ("lost", ["Moriarty stole it"], "does not occur in the evidence: Moriarty"),
        ("born", ["unknown"], ""),
        ("born", [], ""),
    ],
)
def test_what_the_evidence_does_not_bear_out_is_not_found(
    graph: Graph, form: Form, field: str, answer: list[str], why: str
) -> None:
    class Stubborn(FormLLM):
        def _field(self, id_: str, prompt: str) -> dict[str, Any]:
            return {**super()._field(id_, prompt), "evidence": [1, 2]}

    run(graph, form, Stubborn({**ANSWERS, field: answer}))
    value = values(graph)[field]
    assert (value.state, value.values, value.evidence) == ("not_found", (), ())
    assert why in value.note


def test_a_value_that_cites_nothing_is_not_found(graph: Graph, form: Form) -> None:
    class Uncited(FormLLM):
        def _field(self, id_: str, prompt: str) -> dict[str, Any]:
            return {**super()._field(id_, prompt), "evidence": [99, 0, -1]}

    assert run(graph, form, Uncited(ANSWERS)).not_found == 6


def test_of_a_list_only_what_stands_there_counts(graph: Graph, form: Form) -> None:
    run(graph, form, FormLLM({**ANSWERS, "lost": ["the ring of Clara Moreau", "a cart of Sherlock Holmes"]}))
    assert values(graph)["lost"].values == ("the ring of Clara Moreau",)


def test_a_second_run_asks_nothing(graph: Graph, form: Form) -> None:
    run(graph, form, FormLLM(ANSWERS))
    before = list(graph.dump())
    again = FormLLM(ANSWERS)
    report = run(graph, form, again)
    assert (again.asked, report.kept) == ([], 6)
    assert list(graph.dump()) == before


def test_a_batch_that_fails_is_asked_field_by_field(graph: Graph, form: Form) -> None:
    llm = FormLLM(ANSWERS, bad=1)
    report = run(graph, form, llm)
    assert llm.asked == [["date", "who", "sum", "kind"], ["date"], ["who"], ["sum"], ["kind"], ["born", "lost"]]
    assert (report.found, report.single) == (6, 4)


def test_nonsense_fills_nothing_and_a_failing_server_ends_the_run(graph: Graph, form: Form) -> None:
    assert run(graph, form, ScriptedLLM({"": LLMResponseError("nonsense")})).not_found == 6
    with pytest.raises(LLMUnavailable):
        run(graph, form, ScriptedLLM({"": LLMUnavailable("gone")}, model="other"))


MEETINGS = [
    source(
        f"m{n}.txt", f"When did Inspector Brun meet Ida Roux? In year {n}. What kind of thing was paid for the boat?"
    )
    for n in range(6)
]
LETTERS = [source(f"l{n}.txt", f"Where was Clara Moreau born? What is lost? A ring {n} is lost.") for n in range(6)]


def test_after_a_change_only_its_fields_are_asked_again(graph: Graph, form: Form) -> None:
    read(graph, *MEETINGS)
    run(graph, form, FormLLM(ANSWERS))
    before = values(graph)
    read(graph, source("letter.txt", LETTER.replace("in Lyon", "in Nice")))
    assert "born" not in values(graph)  # what it rested on is gone
    again = FormLLM({**ANSWERS, "born": ["Nice"]})
    run(graph, form, again)
    assert again.asked == [["born", "lost"]]
    assert said(graph) == {**{id_: value.shown for id_, value in before.items()}, "born": ("Nice",)}


def test_a_new_document_asks_again_what_it_may_tell(graph: Graph, form: Form) -> None:
    """Even where the prompt of each batch holds nearly all of a small workspace."""
    read(graph, *MEETINGS, *LETTERS)
    run(graph, form, FormLLM(ANSWERS))
    read(graph, source("weather.txt", "Rain fell on hay and carts all day."))
    unrelated = FormLLM(ANSWERS)
    run(graph, form, unrelated)
    assert unrelated.asked == []
    read(graph, source("more.txt", "Where was Clara Moreau born? Clara Moreau was born in Nice."))
    again = FormLLM(ANSWERS)
    run(graph, form, again)
    assert again.asked == [["born"]]


def test_a_persons_own_value_stays_and_can_be_taken_back(graph: Graph, form: Form) -> None:
    run(graph, form, FormLLM(ANSWERS))
    before = list(graph.dump())
    graph.correct_field("two", "", "born", ["Villeurbanne"])
    graph.correct_field("two", "", "nowhere", ["x"])
    assert said(graph)["born"] == ("Villeurbanne",)
    llm = FormLLM({**ANSWERS, "born": ["Nice"]})
    read(graph, source("letter.txt", LETTER.replace("in Lyon", "in Nice")))
    run(graph, form, llm)
    assert said(graph)["born"] == ("Villeurbanne",) and values(graph)["born"].values == ()
    assert not any("born" in asked for asked in llm.asked)
    graph.correct_field("two", "", "born", None)
    assert "born" not in said(graph)
    read(graph, source("letter.txt", LETTER))
    run(graph, form, FormLLM(ANSWERS))
    assert list(graph.dump()) == before


def test_a_deleted_document_leaves_nothing(graph: Graph, form: Form) -> None:
    graph.delete_documents([row.id for row in graph.document_rows() if row.source == "letter.txt"])
    derive(graph, embedder=word_embedder())
    run(graph, form, FormLLM({**ANSWERS, "born": [], "lost": []}))
    before = list(graph.dump())
    read(graph, source("letter.txt", LETTER))
    run(graph, form, FormLLM(ANSWERS))
    assert said(graph)["born"] == ("Lyon",)
    graph.delete_documents([row.id for row in graph.document_rows() if row.source == "letter.txt"])
    derive(graph, embedder=word_embedder())
    assert "Lyon" not in "".join(graph.dump())
    run(graph, form, FormLLM({**ANSWERS, "born": [], "lost": []}))
    assert list(graph.dump()) == before


def test_a_copy_has_the_same_values(graph: Graph, form: Form, store: Store, workspace_pool: WorkspacePool) -> None:
    graph.write_form("two", FORM)
    run(graph, form, FormLLM(ANSWERS))
    graph.correct_field("two", "", "born", ["Villeurbanne"])
    graph.correct_field("two", "someone", "born", ["Paris"])
    file = io.BytesIO()
    export_to(file.write, graph)
    file.seek(0)
    with workspace_pool.unused() as copy:
        made = import_from(file, copy, store=store, embedder=word_embedder())
        assert made.same, made.note
        copied = store.graph(copy)
        assert (copied.forms(), said(copied)) == (graph.forms(), said(graph))
        again = FormLLM(ANSWERS)
        run(copied, form, again)
        assert again.asked == []
    graph.remove_form("two")
    assert (graph.forms(), graph.fills()) == ({}, [])


def test_a_run_that_is_stopped_goes_on_where_it_stopped(graph: Graph, form: Form) -> None:
    first = FormLLM(ANSWERS)
    with pytest.raises(Cancelled):
        run(graph, form, first, cancelled=lambda: len(first.asked) > 0)
    assert len(first.asked) == 1 and len(values(graph)) == 4
    second = FormLLM(ANSWERS)
    assert run(graph, form, second).kept == 4
    assert second.asked == [["born", "lost"]]


def test_the_estimate_is_what_is_asked(graph: Graph, form: Form) -> None:
    llm = FormLLM(ANSWERS)
    filler = Filler(graph=graph, embedder=word_embedder(), llm=llm)
    expected = estimate_fill(form, "", filler)
    assert (expected.fields, expected.kept, llm.asked) == (6, 0, [])
    done = run(graph, form, llm)
    assert (expected.usage.calls, expected.usage.tokens_in) == (done.usage.calls, done.usage.tokens_in)
    assert estimate_fill(form, "", filler).kept == 6
    assert estimate_fill(form, "", Filler(graph=graph, embedder=word_embedder())).usage.calls == 0


def test_without_an_llm_values_are_proposals(graph: Graph, form: Form) -> None:
    report = run(graph, form)
    found = values(graph)
    assert (found["date"].state, found["date"].values) == ("proposed", ("1912-05-04",))
    assert (found["sum"].state, found["sum"].values) == ("proposed", ("900 francs",))
    assert (found["born"].state, found["born"].values) == ("proposed", ("Lyon",))
    assert (found["lost"].state, found["kind"].state, found["lost"].values) == ("passages", "passages", ())
    assert (report.proposed, report.passages) == (4, 2)
    assert "ring" in graph.field_places("two", "")["lost"][0].text
    assert run(graph, form).kept == 6
    run(graph, form, FormLLM(ANSWERS))
    assert {value.state for value in values(graph).values()} == {"found"}
    run(graph, form)  # a proposal is worth less
    assert {value.state for value in values(graph).values()} == {"found"}


def test_an_empty_workspace_has_nothing(graph: Graph, form: Form, store: Store) -> None:
    empty(store, graph.workspace.name)
    llm = FormLLM(ANSWERS)
    assert run(graph, form, llm).not_found == 6 and llm.asked == []
    assert {value.state for value in values(graph).values()} == {"not_found"}
