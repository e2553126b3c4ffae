"""Summaries on the real Neo4j: levels, nothing written twice, changes, deletions, kills, copies; sentences and LLM."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Sequence
from dataclasses import replace

import pytest

from filigraph.graph.ask.generation.compose import compose
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.derive import derive
from filigraph.graph.engine import BESIDE_SUMMARIES, retrieve
from filigraph.graph.errors import Cancelled, FiligraphError, LLMUnavailable
from filigraph.graph.model.documents import Source
from filigraph.graph.model.summaries import Summary
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.pipeline import ingest
from filigraph.graph.records.summaries import MissingSummaries, SummaryReport
from filigraph.graph.store import Graph, Store
from filigraph.graph.summarize import estimate_summaries, summarize, summarize_above
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from
from filigraph.graph.transfer.reembed import reembed
from tests.making import NamesExtractor, source, word_embedder
from tests.runs.conftest import World
from tests.workspace_pool import WorkspacePool

PEOPLE = ("Jules Delmas", "Clara Moreau", "Inspector Brun", "Paul Weber", "Ida Roux")
DEEDS = (
    "took the night train to Lyon with a heavy bag",
    "wrote a long letter to the notary about the house",
    "lost the signet ring in the garden behind the mill",
    "paid nine hundred francs for the old boat",
    "swore never to speak of the fire again",
    "found the second key under the blue carpet",
)


def chapter(number: int, sentences: int = 60) -> str:
    lines = [f"Chapter {number}", ""]
    for n in range(sentences):
        who, whom = PEOPLE[(n + number) % 5], PEOPLE[(n * 3 + number) % 5]
        lines.append(f"On day {n} of that year {who} {DEEDS[(n * 7 + number) % 6]}, and {whom} saw it from the road.")
        if n % 5 == 4:
            lines.append("")
    return "\n".join(lines)


NOVEL = "\n\n".join(chapter(number) for number in (1, 2, 3)) + "\n\nJules Delmas died on 3 March 1911 in Lyon.\n"
LONG = "\n\n".join(chapter(number) for number in range(1, 13))
NOTE = "Inspector Brun met Ida Roux on 4 May 1912 at the mill. Ida Roux gave him the second key.\n"


@pytest.fixture
def graph(world: World) -> Graph:
    return world.fresh()


def read(graph: Graph, *sources: Source) -> None:
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=NamesExtractor())


def run(graph: Graph, llm: ScriptedLLM | None = None, **more: object) -> SummaryReport:
    return summarize(graph=graph, embedder=word_embedder(), llm=llm, **more)  # type: ignore[arg-type]


def outline(graph: Graph, document: str = "") -> list[Summary]:
    id_ = next(row.id for row in graph.document_rows() if row.source == document) if document else ""
    return [entry.summary for entry in graph.outline(id_)]


def llm(**replies: str) -> ScriptedLLM:
    return ScriptedLLM(
        {**replies, "": json.dumps({"summary": "Somebody lost a ring.", "tags": ["ring"], "left_out": ["a boat"]})}
    )


def test_levels_end_in_one_that_covers_the_document(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL))
    report = run(graph)
    found = outline(graph, "novel.txt")
    assert (report.documents, report.summaries, report.written) == (1, len(found), len(found))
    top, *rest = found
    assert (top.level, top.index, report.levels) == (3, 0, 3)
    assert [one.level for one in rest] == sorted((one.level for one in rest), reverse=True)
    by_id = {one.id: one for one in found}
    chunks = [place.id for place in graph.chunk_places(top.document_id)]

    def under(one: Summary) -> list[str]:
        return list(one.covers) if one.level == 1 else [id_ for child in one.covers for id_ in under(by_id[child])]

    assert under(top) == chunks
    assert (top.start, top.end) == (0, graph.chunk_places(top.document_id)[-1].end)


def test_sentences_stand_where_they_say(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL))
    run(graph)
    for one in outline(graph, "novel.txt"):
        chunks = {chunk.id: chunk.text for chunk in graph.window_chunks([quote.chunk_id for quote in one.quotes])}
        assert one.quotes
        for quote in one.quotes:
            assert chunks[quote.chunk_id][quote.start : quote.end] == quote.text
            assert " ".join(quote.text.split()) in one.text


def test_the_time_line_and_the_entities(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL), source("note.txt", NOTE))
    run(graph)
    (note,) = graph.outline(outline(graph, "note.txt")[0].document_id)
    assert [(quote.date, quote.text) for quote in note.summary.timeline] == [
        ("1912-05-04", NOTE.split(". ")[0] + ". " + NOTE.split(". ")[1].strip())
    ]
    assert [entity.name for entity in note.entities][:2] == ["Ida Roux", "Inspector Brun"] or {
        entity.name for entity in note.entities
    } >= {"Ida Roux", "Inspector Brun"}
    (folder,) = outline(graph)
    assert (folder.document_id, folder.level, [quote.date for quote in folder.timeline]) == (
        "",
        4,
        ["1911-03-03", "1912-05-04"],
    )


def test_a_second_run_writes_nothing(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL), source("note.txt", NOTE))
    run(graph)
    before = list(graph.dump())
    again = run(graph)
    assert (again.written, again.documents, again.unchanged) == (0, 0, 2)
    assert list(graph.dump()) == before


def test_a_changed_chunk_is_written_anew_with_its_ancestors_alone(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL))
    total = run(graph).written
    before = {one.id for one in outline(graph, "novel.txt")}
    read(graph, source("novel.txt", NOVEL.replace("in Lyon.", "in Nice.")))
    assert not any(one.level == 3 for one in outline(graph, "novel.txt"))  # what covered the chunk is gone at once
    report = run(graph)
    after = {one.id for one in outline(graph, "novel.txt")}
    assert 0 < report.written == len(after - before) <= 3 < total
    assert "Nice" in str([one.timeline for one in outline(graph, "novel.txt")])


def test_a_deleted_document_leaves_nothing(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL))
    run(graph)
    before = list(graph.dump())
    read(graph, source("note.txt", NOTE))
    run(graph)
    assert list(graph.dump()) != before
    graph.delete_documents([row.id for row in graph.document_rows() if row.source == "note.txt"])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == before
    assert run(graph).written == 0


def delete(graph: Graph, *sources: str) -> None:
    graph.delete_documents([row.id for row in graph.document_rows() if row.source in sources])
    derive(graph, embedder=word_embedder())
    summarize_above(graph=graph, embedder=word_embedder())


def test_a_deletion_leaves_the_folders_as_if_the_document_had_never_been(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL), source("old/letter.txt", NOTE.replace("key", "ring")))
    run(graph)
    before = list(graph.dump())
    read(graph, source("note.txt", NOTE), source("old/note.txt", NOTE))
    run(graph)
    delete(graph, "note.txt", "old/note.txt")
    assert list(graph.dump()) == before
    assert not graph.missing_summaries()
    assert run(graph).written == 0


def test_what_has_no_summaries_is_known(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL), source("note.txt", NOTE), source("other.txt", NOTE.replace("key", "ring")))
    assert run(graph).written and not graph.missing_summaries()
    read(graph, source("new.txt", NOTE.replace("mill", "harbour")))
    assert graph.missing_summaries() == MissingSummaries(documents=1)
    read(graph, source("novel.txt", NOVEL.replace("in Lyon.", "in Dijon.")))
    assert graph.missing_summaries() == MissingSummaries(documents=2, above=True)
    delete(graph, "other.txt")
    assert graph.missing_summaries() == MissingSummaries(documents=2), "the note alone has no folder"
    rows = {row.source: row.id for row in graph.document_rows()}
    assert graph.missing_summaries(rows["novel.txt"]) and not graph.missing_summaries(rows["note.txt"])
    run(graph)
    assert not graph.missing_summaries()


def test_after_a_deletion_no_model_is_asked_for_folders(graph: Graph) -> None:
    sources = [source(f"{name}.txt", NOTE.replace("key", name)) for name in ("ring", "boat", "carpet")]
    read(graph, *sources)
    run(graph, llm())
    delete(graph, "boat.txt")
    assert outline(graph) == [] and graph.missing_summaries() == MissingSummaries(above=True)
    assert run(graph, llm()).written == 1


def test_a_run_tells_what_it_leaves_without_summaries(graph: Graph) -> None:
    report = ingest([source("note.txt", NOTE)], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    assert report.unsummarized == 0, "nobody wanted summaries"
    run(graph)
    changed = source("note.txt", NOTE.replace("key", "ring"))
    report = ingest([changed], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    assert report.unsummarized == 1


def test_a_copy_has_the_same_summaries(graph: Graph, store: Store, workspace_pool: WorkspacePool) -> None:
    read(graph, source("novel.txt", NOVEL), source("note.txt", NOTE))
    run(graph)
    file = io.BytesIO()
    export_to(file.write, graph)
    file.seek(0)
    with workspace_pool.unused() as copy:
        made = import_from(file, copy, store=store, embedder=word_embedder())
        assert made.same, made.note
        assert [one.text for one in outline(store.graph(copy))] == [one.text for one in outline(graph)]
        assert run(store.graph(copy)).written == 0
        whole = [one.title for one in outline(store.graph(copy)) if not one.document_id]
        assert whole == [copy] and f'"title":"{copy}"' not in "".join(store.graph(copy).dump())


def test_sources_in_no_folder_beside_one_are_summarized_once_and_exported(graph: Graph, store: Store) -> None:
    notes = {name: NOTE.replace("key", name) for name in ("a.txt", "b.txt", "c/d.txt")}
    read(graph, *(source(name, text) for name, text in notes.items() if "/" not in name))
    model = llm()
    run(graph, model)
    assert [one.folder for one in outline(graph)] == [""], "all are in one folder: that is the whole"
    read(graph, source("c/d.txt", notes["c/d.txt"]))
    assert run(graph, model).written == 2, "the new document and the whole; the other folder has its summary"
    assert {one.folder for one in outline(graph)} == {"", "."}
    assert run(graph, model).written == 0 and not graph.missing_summaries()
    file = io.BytesIO()
    export_to(file.write, graph)
    copy = f"test-{uuid.uuid4().hex[:12]}"
    file.seek(0)
    try:
        made = import_from(file, copy, store=store, embedder=word_embedder())
        assert made.same, made.note
    finally:
        store.delete_workspace(copy)
    delete(graph, "c/d.txt")
    assert run(graph, model).written == 0 and [one.folder for one in outline(graph)] == [""]


def test_an_export_that_no_import_would_take_is_no_export(graph: Graph) -> None:
    read(graph, source("a.txt", NOTE), source("b.txt", NOTE.replace("key", "ring")))
    run(graph)
    (above,) = outline(graph)
    (one, _) = above.covers
    graph.show_summaries([{"id": one, "document_id": "0" * 48}], document_id="", folder="")  # as a fault would
    with pytest.raises(FiligraphError, match=r"is inconsistent: Line \d+ .* refers to something"):
        export_to(lambda _: None, graph)


def test_a_run_that_is_stopped_goes_on_where_it_stopped(graph: Graph) -> None:
    read(graph, source("novel.txt", LONG))
    model = llm()
    seen: list[int] = []

    def stop() -> bool:
        return bool(seen) and seen[-1] >= 16  # of some 40

    with pytest.raises(Cancelled):
        run(graph, model, progress=lambda progress: seen.append(progress.done), cancelled=stop)
    assert not outline(graph, "novel.txt")  # shown once all are there
    asked = len(model.prompts)
    assert asked >= 16
    total = run(graph, model).summaries
    assert len(model.prompts) == len(set(model.prompts)) <= total
    assert len(outline(graph, "novel.txt")) == total


def test_nothing_is_paid_for_twice(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL))
    model = llm()
    first = run(graph, model)
    assert first.usage.calls == first.summaries
    read(graph, source("copy.txt", NOVEL))
    again = run(graph, model)
    assert again.usage.calls - first.usage.calls == 1  # for the two of them
    assert again.documents == 1


def test_an_llm_words_them(graph: Graph) -> None:
    read(graph, source("note.txt", NOTE))
    (one,) = _after(graph, llm(), "note.txt")
    assert (one.text, one.tags, one.omissions, one.quotes) == ("Somebody lost a ring.", ("ring",), ("a boat",), ())
    assert one.recipe.startswith("llm:scripted:")
    (other,) = _after(graph, None, "note.txt")
    assert other.text.startswith("Inspector Brun met Ida Roux")
    assert other.recipe.startswith("extractive:")


def _after(graph: Graph, model: ScriptedLLM | None, document: str) -> Sequence[Summary]:
    run(graph, model)
    return outline(graph, document)


def test_where_nothing_of_a_reply_can_be_used_sentences_stand(graph: Graph) -> None:
    read(graph, source("note.txt", NOTE))
    report = run(graph, ScriptedLLM({"": json.dumps({"summary": "Sherlock Holmes wins.", "tags": [], "left_out": []})}))
    assert (report.quoted, report.dropped) == (1, 1)
    assert outline(graph, "note.txt")[0].text.startswith("Inspector Brun")


def test_a_server_that_fails_ends_the_run_and_keeps_what_was_written(graph: Graph) -> None:
    read(graph, source("a.txt", NOTE), source("b.txt", "Paul Weber left the house."))
    failing = ScriptedLLM(
        {"Paul Weber": LLMUnavailable("gone"), "": '{"summary": "A key.", "tags": [], "left_out": []}'}
    )
    with pytest.raises(LLMUnavailable):
        run(graph, failing)
    model = llm()
    run(graph, model)
    assert not any("second key" in prompt for prompt in model.prompts[:-1])  # of the folder alone


def test_the_estimate_is_what_is_asked(graph: Graph) -> None:
    read(graph, source("novel.txt", NOVEL))
    model = llm()
    expected = estimate_summaries(workspace=graph.workspace.name, graph=graph, llm=model)
    done = run(graph, model)
    assert (expected.summaries, expected.kept, expected.usage.calls) == (done.summaries, 0, done.usage.calls)
    assert [one.level for one in expected.levels] == list(range(1, done.levels + 1))
    assert sum(one.summaries for one in expected.levels) == done.summaries
    read(graph, source("novel.txt", NOVEL.replace("in Lyon.", "in Dijon.")))
    changed = estimate_summaries(workspace=graph.workspace.name, graph=graph, llm=model)
    assert all(one.summaries - one.kept == 1 for one in changed.levels), "a changed chunk has one ancestor a level"
    run(graph, model)
    assert estimate_summaries(workspace=graph.workspace.name, graph=graph, llm=model).usage.calls == 0
    assert estimate_summaries(workspace=graph.workspace.name, graph=graph, llm=None).usage.calls == 0


def test_another_embedder(graph: Graph, store: Store) -> None:
    read(graph, source("note.txt", NOTE))
    run(graph)
    texts = [one.text for one in outline(graph, "note.txt")]
    reembed(graph.workspace.name, store=store, embedder=word_embedder(2))
    again = store.graph(graph.workspace.name)
    assert [one.text for one in outline(again, "note.txt")] == texts
    reembed(graph.workspace.name, store=store, embedder=word_embedder())


def test_a_question_about_the_whole_gets_the_whole(graph: Graph) -> None:
    read(graph, source("novel.txt", LONG), source("note.txt", NOTE))
    asked = {"graph": graph, "embedder": word_embedder()}
    before = retrieve("Summarize the novel.", **asked)  # type: ignore[arg-type]
    assert {evidence.kind for evidence in before.evidence} == {"chunk"}
    run(graph)
    found = retrieve("Summarize the novel.", **asked)  # type: ignore[arg-type]
    summaries = [evidence for evidence in found.evidence if evidence.kind == "summary"]
    assert found.evidence[: len(summaries)] == tuple(summaries)
    covered = sorted((one.start, one.end) for one in outline(graph, "novel.txt") if one.id in {e.id for e in summaries})
    told_to = 3
    for start, end in covered:  # windows of a part that is shown may be told again, precisely
        assert start <= told_to
        told_to = max(told_to, end + 3)
    assert told_to >= len(LONG.strip()) and len(covered) > 3
    composed = compose(found)
    assert composed.tokens <= 3100 and set(summaries) <= set(composed.cited)
    only = retrieve("Summarize it.", **asked, settings=AskSettings(sources=("note.txt",)))  # type: ignore[arg-type]
    assert [e.source for e in only.evidence if e.kind == "summary"] == ["note.txt"]
    quoted = [evidence.text for evidence in found.evidence if evidence.kind == "chunk"]
    sentences = [sentence for text in quoted for sentence in text.split(" […] ")]
    assert sentences and all(text in LONG and len(text) < 400 for text in sentences)  # not passages


def test_beside_summaries_stands_no_path_that_hardly_answers(graph: Graph) -> None:
    read(graph, source("novel.txt", LONG), source("note.txt", NOTE))
    asked = {"graph": graph, "embedder": word_embedder()}
    assert retrieve("Summarize the novel.", **asked).paths  # type: ignore[arg-type]
    run(graph)
    found = retrieve("Summarize the novel.", **asked)  # type: ignore[arg-type]
    assert found.evidence[0].kind == "summary" and all(path.score >= BESIDE_SUMMARIES for path in found.paths)


def test_a_question_about_a_part_gets_the_windows_of_that_part(graph: Graph) -> None:
    told = "Zeno Faber hid the seal under the bridge of Meung, and nobody else ever learned of it in all these years. "
    read(graph, source("novel.txt", LONG + "\n\nChapter 13\n\n" + (told + "The old ferry waited all that day. ") * 60))
    run(graph)
    asked = {"graph": graph, "embedder": word_embedder(), "settings": AskSettings(budget_tokens=800)}
    found = retrieve("Summarize what Zeno Faber did.", **asked)  # type: ignore[arg-type]
    summaries = [evidence for evidence in found.evidence if evidence.kind == "summary"]
    assert summaries and {evidence.level for evidence in summaries} == {1}
    assert any("Zeno Faber" in evidence.text for evidence in summaries)
    assert next(step for step in found.trace.steps if step.name == "levels").outputs["of_part"]
    whole = retrieve("Summarize the whole.", **asked)  # type: ignore[arg-type]
    assert not next(step for step in whole.trace.steps if step.name == "levels").outputs["of_part"]


def test_a_detail_comes_first_then_what_it_is_part_of(graph: Graph) -> None:
    read(graph, source("novel.txt", LONG))
    asked = {"graph": graph, "embedder": word_embedder()}
    before = retrieve("Who paid nine hundred francs?", **asked)  # type: ignore[arg-type]
    run(graph)
    found = retrieve("Who paid nine hundred francs?", **asked)  # type: ignore[arg-type]
    assert found.evidence[: len(before.evidence)] == before.evidence
    above = found.evidence[len(before.evidence) :]
    by_id = {one.id: one for one in outline(graph, "novel.txt")}
    assert above and all(evidence.level > 1 for evidence in above)
    under = {id_ for evidence in above for window in by_id[evidence.id].covers for id_ in by_id[window].covers}
    assert found.evidence[0].id in under
    none = retrieve("Who paid nine hundred francs?", **asked, settings=AskSettings(shares={"overview": 0}))  # type: ignore[arg-type]
    assert none.evidence == before.evidence


def test_an_entity_is_told_by_the_windows_that_name_it(graph: Graph) -> None:
    read(
        graph,
        source("novel.txt", NOVEL + "\n\nChapter 4\n\n" + NOTE * 30 + "Zeno Faber met Ida Roux.\n"),
        source("note.txt", NOTE),
    )
    run(graph)
    found = retrieve("Where is Zeno Faber mentioned?", graph=graph, embedder=word_embedder())
    windows = [evidence for evidence in found.evidence if evidence.kind == "summary" and evidence.level == 1]
    assert [evidence.place for evidence in windows] == ["4"]
    step = next(step for step in found.trace.steps if step.name == "summaries")
    assert step.outputs["levels"] and step.outputs["windows"]["chosen"]


def test_what_is_new_comes_first_window_by_window(graph: Graph) -> None:
    dated = [
        replace(
            source(f"{n}.txt", f"{PEOPLE[n]} {DEEDS[n]}. It rained all day."), metadata={"date": f"1912-0{n + 1}-04"}
        )
        for n in range(5)
    ]
    read(graph, *dated)
    run(graph)
    found = retrieve("What is the latest news of the case?", graph=graph, embedder=word_embedder())
    dates = [evidence.date for evidence in found.evidence if evidence.kind == "summary"]
    assert dates == sorted(dates, reverse=True) and dates[0] == "1912-05-04"
    settings = AskSettings(today="1912-05-10")
    since = retrieve("What happened since last month?", graph=graph, embedder=word_embedder(), settings=settings)
    assert {evidence.date for evidence in since.evidence} == {"1912-04-04", "1912-05-04"}


def test_an_empty_workspace_has_none(graph: Graph) -> None:
    assert run(graph).summaries == 0
    assert outline(graph) == []
