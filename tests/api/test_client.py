"""The Python client against a real server on a real Neo4j: it can do all that the command line can, with types."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import uuid
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from filigraph import Filigraph, FiligraphError
from filigraph.app.client.events import AnswerEvent, ProgressEvent, RetrievedEvent, TokenEvent
from filigraph.app.client.workspace import Workspace
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.errors import AlreadyDecided, InputError, KeyNeeded, NotFound, ServerUnavailable
from filigraph.graph.store import Store
from tests.api.real import TRIPLES_FILE, WordRuntime
from tests.api.serving import serving
from tests.runs.claw_case import TEXTS
from tests.workspace_pool import WorkspacePool

QUESTION = "Why be wary of Jules Delmas?"
CLIENTS = Path(__file__).parents[2] / "docs" / "clients.md"


@pytest.fixture(scope="module")
def url(neo4j_address: Neo4jAddress) -> Iterator[str]:
    with serving(Service(WordRuntime(neo4j_address))) as url:
        yield url


@pytest.fixture
def filigraph(url: str) -> Iterator[Filigraph]:
    with Filigraph(url) as filigraph:
        yield filigraph


@pytest.fixture(scope="module")
def name(url: str, workspace_pool: WorkspacePool) -> Iterator[str]:
    """A workspace with the case in it."""
    with workspace_pool.one() as name:
        with Filigraph(url) as filigraph:
            report = filigraph.workspace(name).ingest(texts=TEXTS, triples=TRIPLES_FILE)
        assert sorted(report.added) == sorted(TEXTS) and report.facts == 6
        yield name


@pytest.fixture
def case(filigraph: Filigraph, name: str) -> Workspace:
    return filigraph.workspace(name)


@pytest.mark.essential
def test_files_folders_and_texts_are_read(filigraph: Filigraph, store: Store, tmp_path: Path) -> None:
    (tmp_path / "lettres").mkdir()
    (tmp_path / "lettres" / "été.txt").write_text("Nora quitta Lyon en été.", encoding="utf-8")
    (tmp_path / "note.md").write_text("# Note\n\nPaul met Nora in Lyon.")
    (tmp_path / "empty.txt").write_text("")
    case = filigraph.create_workspace(f"test-{uuid.uuid4().hex[:12]}")
    told: list[ProgressEvent] = []
    try:
        report = case.ingest(
            tmp_path, texts={"mémo": "Paul left."}, metadata={"date": "1912"}, extractor="local", progress=told.append
        )
        assert {Path(source).name for source in report.added} == {"été.txt", "note.md", "mémo"}
        assert [Path(one.source).name for one in report.skipped] == ["empty.txt"]
        assert {"scan", "entities"} <= {event.stage for event in told}
        again = case.ingest(tmp_path / "note.md", texts={"mémo": "Paul left."}, extractor="local")
        assert len(again.unchanged) == 2 and not again.added
        assert case.name in [row.name for row in filigraph.workspaces()]
        (memo,) = case.documents.list(sources=["mémo"], where={"date": "1912"})
        assert case.documents.show(memo.id).metadata == {"date": "1912"}
        assert case.documents.text(memo.id).pieces[0].text == "Paul left."
        updated = case.documents.update(memo.id, b"Paul left Lyon.", metadata={"date": "1913"})
        assert updated.updated == ["mémo"] and case.documents.show(memo.id).metadata == {"date": "1913"}
        assert [one.source for one in case.documents.delete(sources=["mémo"]).deleted] == ["mémo"]
        with pytest.raises(InputError, match="nothing to read"):
            case.ingest()
        assert case.ingest(tmp_path / "none.txt").skipped[0].cause.startswith("It cannot be found")
    finally:
        with pytest.raises(InputError):
            filigraph.delete_workspace(case.name, confirm="other")
        filigraph.delete_workspace(case.name, confirm=case.name)
    with pytest.raises(NotFound) as gone:
        case.stats()
    assert gone.value.code == "not_found" and gone.value.cure and isinstance(gone.value, FiligraphError)


def test_work_that_goes_on_by_itself(filigraph: Filigraph, case: Workspace, tmp_path: Path) -> None:
    (job,) = case.submit(texts={"jobs.txt": "Nora met Paul."}, extractor="local", priority=2)
    assert (job.kind, job.priority, job.workspace) == ("ingest", 2, case.name)
    told: list[ProgressEvent] = []
    ended = filigraph.jobs.wait(job.id, told.append)
    assert ended.state == "done" and ended.report and ended.report.added == ["jobs.txt"]
    assert [job.state for job in filigraph.jobs.watch(job.id)][-1] == "done"
    assert filigraph.jobs.items(job.id).items[0].name == "jobs.txt"
    assert job.id in [row.id for row in filigraph.jobs.list(workspace=case.name, state="done").jobs]
    with pytest.raises(InputError, match="cannot be found"):
        case.submit(tmp_path / "none.txt")
    asked = case.submit_questions(["Who is a baker?", "Qui ?\nQuoi ?"], keep=3, path_types=["is"])
    assert filigraph.jobs.wait(asked.id).state == "done"
    assert filigraph.jobs.answers(asked.id).startswith("number,question")
    assert filigraph.jobs.remove(asked.id).id == asked.id
    gone = filigraph.jobs.wait(case.documents.submit_deletion(sources=["jobs.txt"]).id)
    assert gone.state == "done" and not case.documents.list(sources=["jobs.txt"])


def test_questions(case: Workspace) -> None:
    answer = case.ask(QUESTION, keep=5, compare=True)
    assert answer.paths and answer.vector_only and not answer.generated
    events = list(case.stream(QUESTION, depth=3))
    assert isinstance(events[0], RetrievedEvent) and events[0].paths and events[0].evidence
    assert isinstance(events[-1], AnswerEvent) and events[-1].answer.trace.settings["depth"] == 3
    assert all(isinstance(event, TokenEvent) for event in events[1:-1])
    found = case.retrieve(QUESTION, path_types=["wears"], min_score=0.2, where={})
    assert {hop.predicate for path in found.paths for hop in path.hops} == {"wears"}
    with pytest.raises(InputError, match="there is no 'weards'"):
        case.retrieve(QUESTION, path_types=["weards"])
    assert case.traces().traces[0].question == QUESTION
    assert case.trace(answer.trace.id).question == QUESTION
    assert case.kept_answer(answer.trace.id).text == answer.text
    for thread in (False, True):
        assert case.report(answer.trace.id, thread=thread, format="pdf").startswith(b"%PDF-")
        words = docx.Document(io.BytesIO(case.report(answer.trace.id, thread=thread)))
        assert answer.paths[0].hops[0].object in [cell.text for cell in words.tables[0].columns[0].cells]


def test_a_part_is_read_as_if_there_were_nothing_else(case: Workspace) -> None:
    first, *others = case.documents.list()
    part = case.seen(sources=[first.source])
    assert others and [row.source for row in part.documents.list()] == [first.source]
    assert part.stats().stats["documents"] == 1
    assert part.entities.find().total < case.entities.find().total
    assert {item.source for item in part.ask(QUESTION).citations} <= {first.source}
    assert {item.source for item in part.retrieve(QUESTION).evidence if item.kind == "chunk"} <= {first.source}
    assert part.outline().summaries == []
    with pytest.raises(InputError, match="whole workspace"):
        part.corrections.list()


def test_saved_searches_and_a_comparison_of_three(case: Workspace) -> None:
    case.searches.save("the ring", text="signet ring")
    case.seen(sources=["letter.txt"]).searches.save("in the letter", name=["Jules"])
    rows = {row.name: row for row in case.searches.list()}
    assert rows["in the letter"].query.view.sources == ["letter.txt"] and rows["the ring"].query.text == "signet ring"
    hits = case.searches.run("the ring")
    assert (hits.new, hits.gone) == (0, 0) and hits.total == len(hits.passages) > 1
    assert {row.source for row in case.searches.run("in the letter").passages} == {"letter.txt"}
    for name in rows:
        case.searches.delete(name)
    assert case.searches.list() == []
    with pytest.raises(NotFound, match="the ring"):
        case.searches.run("the ring")
    compared = case.entities.compare("Jules", "The Claw", "Inspector Brun", count=1)
    assert len(compared.entities) == len(compared.pairs) == 3


def test_notes(case: Workspace) -> None:
    jules = case.entities.find("Jules").entities[0]
    fact = case.entities.facts(predicate="wears").facts[0]
    source = case.documents.list()[0].source
    made = case.notes.add("Check the date.", entity="Jules", tags=["#Dates", "dates", " ring "])
    case.notes.add(starred=True, fact=fact.id)
    case.notes.add("Read again.", document=source)
    assert (made.entity_id, made.tags, made.by, made.lost) == (jules.id, ["Dates", "ring"], "", "")
    found = case.notes.list(entity=jules.id)
    assert found.total == 2 and found.tags == {"Dates": 1, "ring": 1}
    assert case.notes.list(tag=["DATES"], text="check jules").notes == [made]
    assert [row.fact_id for row in case.notes.list(starred=True, kind="fact").notes] == [fact.id]
    answer = case.ask(QUESTION)
    case.notes.add("Not convinced.", trace=answer.trace.id)
    assert case.notes.list(trace=answer.trace.id).notes[0].question == QUESTION
    written = zipfile.ZipFile(io.BytesIO(case.report(answer.trace.id))).read("word/document.xml").decode()
    assert "Not convinced." in written and "Read again." not in written, "the answer does not cite a whole document"
    table = io.BytesIO()
    case.export(table, format="csv")
    rows = list(csv.DictReader(io.StringIO(zipfile.ZipFile(table).read("notes.csv").decode("utf-8-sig"))))
    assert {row["text"]: row["tags"] for row in rows if row["text"]} == {
        "Check the date.": "Dates | ring",
        "Read again.": "",
        "Not convinced.": "",
    }
    part = case.seen(sources=[source])
    assert source in {row.source for row in part.notes.list(kind="document").notes}
    assert not part.notes.list(kind="answer").total, "it was asked of the whole"
    assert case.notes.change(made.id, tags=[], starred=True).tags == []
    with pytest.raises(InputError, match="The note would be empty"):
        case.notes.change(made.id, text="", starred=False)
    with pytest.raises(InputError, match="exactly one place"):
        case.notes.add("Nowhere.")
    for row in case.notes.list(count=100).notes:
        case.notes.delete(row.id)
    assert case.notes.list().total == 0


def test_entities_and_what_is_decided_of_them(case: Workspace) -> None:
    jules = case.entities.find("Jules").entities[0]
    assert case.entities.show(jules.id).entity
    assert {name.form for name in case.entities.names(jules.id).forms} >= {"Jules"}
    assert case.entities.places(jules.id).total >= 2
    claw = case.entities.find("The Claw").entities[0]
    assert case.entities.connections(jules.id, claw.id).paths
    (between,) = case.entities.between("Jules", "society of thieves")
    assert between.verdict == "connected"
    assert between.paths[0].facts[-1].object == "society of thieves"
    (between,) = case.entities.between("baker", "society of thieves")  # the report names The Claw after the baker
    assert (between.verdict, between.hubs) == ("text", [])
    assert [(fact.only_near, fact.fact_id == "") for fact in between.paths[0].facts] == [(True, True), (False, False)]
    assert case.entities.contradictions(jules.id).total == 0
    assert case.entities.neighbourhood(jules.id, hops=2).facts
    assert case.entities.facts(predicate="wears").total == 1
    decided = case.corrections.apply("Inspector Brun", "Paul Delmas", same=False, note="two men")
    (id_,) = (one.id for one in decided.corrections)
    with pytest.raises(AlreadyDecided):
        case.corrections.apply("Inspector Brun", "Paul Delmas", same=True)
    assert id_ in [row.id for row in case.corrections.list(by="person").corrections]
    assert case.corrections.undo(id_).undone == id_
    assert case.corrections.review().total >= 0
    folded = case.predicates.fold("hunts", into="is after")
    assert "is after" in [row.predicate for row in case.predicates.list().predicates]
    assert case.predicates.unfold("hunts").undone == folded.id
    with pytest.raises(NotFound, match="'hunts' was not folded"):
        case.predicates.unfold("hunts")
    assert case.predicates.suggest(count=3).suggestions is not None


def test_summaries(case: Workspace) -> None:
    stages: set[str] = set()
    assert case.summarize(progress=lambda event: stages.add(event.stage)).written > 0 and stages
    (letter,) = case.documents.list(sources=["letter.txt"])
    assert "Jules" in case.outline(letter.id).summaries[0].text


def test_measure_and_move(filigraph: Filigraph, case: Workspace, workspace_pool: WorkspacePool, tmp_path: Path) -> None:
    rows = [{"id": "1", "question": QUESTION, "gold": ["letter.txt", "cutting.txt"]}]
    stages: set[str] = set()
    measured = case.eval(rows, methods=["bm25"], weights=[0.7], progress=lambda event: stages.add(event.stage))
    assert set(measured.methods) == {"bm25", "hybrid 0.7"} <= stages
    assert case.evaluations().evaluations[0].id == measured.id
    kept = io.BytesIO()
    digest = case.export(kept)
    assert digest == case.export(tmp_path / "case.jsonl") == case.export_hash().sha256
    assert (tmp_path / "case.jsonl").read_bytes() == kept.getvalue()
    assert case.export(tmp_path / "case.graphml", format="graphml")
    with workspace_pool.unused() as name:
        other = filigraph.workspace(name)
        assert other.import_(tmp_path / "case.jsonl").same
        assert other.stats().stats == case.stats().stats
        with pytest.raises(InputError, match="cannot be read"):
            other.import_(tmp_path / "none.jsonl")
    assert case.gaps().total >= 0 and case.schema().name
    assert case.set_schema("novel").name == "novel" and case.remove_schema().name != "novel"
    assert case.estimate(tmp_path / "case.graphml", extractor="local").extractor == "local"


def test_who_may_do_what(filigraph: Filigraph, case: Workspace, url: str) -> None:
    own = f"test-{uuid.uuid4().hex[:8]}"
    admin = filigraph.keys.create(own, scope="admin")
    try:
        with pytest.raises(KeyNeeded):
            case.stats()
        with Filigraph(url, key=admin.key) as known:
            read = known.keys.create(f"{own}-read", workspace=case.name)
            assert {own, f"{own}-read"} <= {key.name for key in known.keys.list()}
            assert known.keys.rotate(read.name).key != read.key
            assert known.keys.revoke(read.name).name == read.name
            assert {entry.by for entry in known.audit(by=own).entries} == {own}
            assert known.workspace(case.name).stats().stats
            assert known.doctor().checks and known.health().live
    finally:
        with Filigraph(url, key=admin.key) as known:
            known.keys.revoke(own)


def test_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with Filigraph("http://127.0.0.1:1") as nobody, pytest.raises(ServerUnavailable, match="No Filigraph server"):
        nobody.workspaces()
    monkeypatch.delenv("FILIGRAPH_URL", raising=False)
    with pytest.raises(InputError, match="No server is named"):
        Filigraph()
    monkeypatch.setenv("FILIGRAPH_URL", "http://127.0.0.1:7/")
    with Filigraph() as named:
        assert named.url == "http://127.0.0.1:7"


def test_the_example_of_the_documents_runs(
    url: str,
    workspace_pool: WorkspacePool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    section = CLIENTS.read_text(encoding="utf-8").partition("## Python\n")[2]
    example = re.findall(r"```python\n(.*?)```", section, re.DOTALL)[0]
    (tmp_path / "letters").mkdir()
    for file, text in TEXTS.items():
        (tmp_path / "letters" / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    with workspace_pool.unused() as name:
        exec(example.replace("http://127.0.0.1:8484", url).replace('"case"', json.dumps(name)), {})  # the docs' own
    assert "4 documents" in capsys.readouterr().out


def test_the_client_is_light() -> None:
    heavy = {"torch", "neo4j", "fastapi", "starlette", "spacy", "llama_index", "transformers", "onnxruntime", "mcp"}
    program = f"import sys; from filigraph import Filigraph; print(sorted({heavy!r} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd="/")
    assert ran.stdout.strip() == "[]"
