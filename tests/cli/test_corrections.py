"""`corrections` on a terminal and for programs, against a real server with a case in it."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.near_misses import FILES
from tests.api.real import WordRuntime
from tests.api.serving import serving
from tests.cli.conftest import Run
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def address(neo4j_address: Neo4jAddress) -> Iterator[str]:
    with serving(Service(WordRuntime(neo4j_address))) as url:
        yield url


@pytest.fixture
def corrections(
    address: str, workspace_pool: WorkspacePool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Run]:
    """Run `filigraph corrections ARGUMENTS` on a workspace of its own."""
    with workspace_pool.one() as name:
        monkeypatch.setenv("FILIGRAPH_URL", address)
        assert httpx.post(f"{address}/v1/workspaces/{name}/ingest", files=FILES, timeout=PATIENCE).status_code == 200
        monkeypatch.setenv("MERGED", name)
        yield lambda command, *arguments: run("corrections", command, "--workspace", name, *arguments)


@pytest.mark.essential
def test_two_names_are_joined_listed_and_undone(corrections: Run) -> None:
    ran = corrections("apply", "The Claw", "La Griffe", "--same", "--note", "Same ring.", "--json")
    (made,) = json.loads(ran.out)["corrections"]
    listed = corrections("list")
    assert listed.code == 0
    assert f"undo: {made['id']}" in listed.out and "Same ring." in listed.out and "exact" in listed.out
    again = corrections("apply", "La Griffe", "Lyon", "--apart")
    assert again.code == 0, again.err
    refused = corrections("apply", "The Claw", "Lyon", "--same")
    assert refused.code == 1 and "kept apart before" in refused.err and "filigraph corrections undo" in refused.err
    assert corrections("undo", made["id"]).code == 0
    gone = corrections("undo", made["id"])
    assert gone.code == 1 and "was undone" in gone.err
    assert corrections("list", "--by", "person", "--json").out.count('"kind"') == 1


def test_the_former_name_of_the_group_is_an_alias(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    ran = run("merges", "apply", "The Claw", "Lyon", "--apart", "--json", *where)
    assert json.loads(ran.out)["corrections"][0]["kind"] == "distinct"
    assert run("merges", "review", "--json", *where).out == corrections("review", "--json").out
    assert "merges" not in run("--help").out


def test_a_file_of_corrections(corrections: Run, tmp_path: Path) -> None:
    table = tmp_path / "said.csv"
    table.write_text("first,second,same,note\nThe Claw,La Griffe,yes,\nThe Claw,nobody at all,no,\n", encoding="utf-8")
    ran = corrections("apply", "--file", str(table))
    assert ran.code == 3 and "decided" in ran.out and "2: 'nobody at all' is neither" in " ".join(ran.out.split())
    lines = tmp_path / "said.jsonl"
    lines.write_text('{"first": "Lyon", "second": "The Claw", "same": false}\n\n', encoding="utf-8")
    assert corrections("apply", "--file", str(lines)).code == 0
    batch = [
        {"kind": "name", "about": "The Claw", "value": "The Talon"},
        {"kind": "type", "about": "Lyon", "value": "City"},
    ]
    lines.write_text("\n".join(map(json.dumps, batch)), encoding="utf-8")
    ran = corrections("apply", "--file", str(lines), "--json")
    assert [row["kind"] for row in json.loads(ran.out)["corrections"]] == ["name", "type"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "first,second,same\n",
        "first,second,same\na,b,perhaps\n",
        '{"first": "a"}\n',
        "{x\n",
        '{"kind": "odd", "about": "a"}',
    ],
)
def test_a_file_that_has_no_corrections(run: Run, server: str, tmp_path: Path, text: str) -> None:
    file = tmp_path / "said"
    file.write_text(text, encoding="utf-8")
    ran = run("corrections", "apply", "--file", str(file))
    assert ran.code == 1 and "correction" in ran.err
    assert run("corrections", "apply", "--file", str(tmp_path / "none")).code == 1


@pytest.mark.parametrize("arguments", [["a", "b"], ["a", "--same"], ["a", "b", "--same", "--file", "x"]])
def test_a_wrong_call_is_2(run: Run, arguments: list[str]) -> None:
    assert run("corrections", "apply", *arguments).code == 2
    assert run("corrections", "split", "x", "--place", "nowhere").code == 2


def test_a_split_by_places_and_a_name(corrections: Run) -> None:
    shown = corrections("places", "Jean Delmas", "--json")
    places = json.loads(shown.out)["places"]
    chosen = [f"{row['chunk_id']}:{row['start']}-{row['end']}" for row in places if "stole" in row["sentence"]]
    ran = corrections("split", "Jean Delmas", *(part for place in chosen for part in ("--place", place)))
    assert ran.code == 0 and "decided" in ran.out
    assert "place split off" in corrections("list", "--by", "person").out
    assert corrections("rename", "The Claw", "La Griffe d'or").code == 0
    assert "called La Griffe d'or" in corrections("list").out


def test_an_entity_is_given_by_its_name_or_id(corrections: Run) -> None:
    shown = corrections("places", "jules delmas", "--json")  # "Jules Delmass" holds it, too
    places = json.loads(shown.out)["places"]
    assert {row["form"] for row in places} >= {"Jules Delmas"}
    assert corrections("places", places[0]["mention_id"], "--json").out == shown.out
    assert "jules delmas" not in corrections("places", "Nantes").out.lower()  # part of one entity's name
    several = corrections("places", "Delmas")
    assert several.code == 1 and "Give the id of one: " in several.err and "(Jules Delmas)" in several.err
    assert corrections("places", "Jüles Delmas", "--json").out == corrections("places", "jules delmas", "--json").out
    nobody = corrections("places", "nobody at all")
    assert nobody.code == 1 and "No entity has the name" in nobody.err


def test_entities_are_found_and_their_facts_listed(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    shown = run("entities", "jules delmas", *where)
    assert shown.code == 0 and "Jules Delmas" in shown.out and "also: " in shown.out and "The Claw" not in shown.out
    first = json.loads(run("entities", "jules delmas", "--json", *where).out)["entities"][0]
    assert first["id"] in shown.out
    by_name = run("facts", "list", "--entity", "The Claw", "--json", *where)
    assert json.loads(by_name.out)["total"] >= 1
    for nobody, says in (("nobody", "No entity has the name"), ("0" * 48, "There is no entity")):
        ran = run("facts", "list", "--entity", nobody, *where)
        assert ran.code == 1 and says in ran.err
    assert run("entities", "nobody", *where).out.strip() == "No entity has such a name."
    assert "passage" in run("entities", *where).out


def test_a_fact_is_rejected_and_restored(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    hashed = run("export", "--hash", "--json", *where).out
    fact = json.loads(run("facts", "list", "--json", *where).out)["facts"][0]
    (made,) = json.loads(run("facts", "reject", fact["id"], "--json", *where).out)["corrections"]
    assert fact["id"] not in run("facts", "list", "--json", *where).out
    restored = run("facts", "restore", made["id"], *where)
    assert restored.code == 0, restored.err
    assert fact["id"] in run("facts", "list", "--json", *where).out
    assert run("export", "--hash", "--json", *where).out == hashed
    again = run("facts", "restore", made["id"], *where)
    assert again.code == 1 and "was undone" in again.err


def test_a_fact_of_ones_own_is_told_from_what_texts_say(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    fact = json.loads(run("facts", "list", "--json", *where).out)["facts"][0]
    told = json.loads(run("why", "--fact", fact["id"], "--json", *where).out)["sets"][0][0]
    text = run("find", "--names", fact["subject"], "--source", told, "--json", *where)
    words = json.loads(text.out)["passages"][0]["sentences"][0]["text"]
    own = (fact["object"], "was hidden by", fact["subject"], "--document", told, "--passage")
    refused = run("facts", "add", *own, "no such words", *where)
    assert refused.code == 1 and "not in the document" in refused.err
    refused = run("facts", "add", *own, "e", *where)
    assert refused.code == 1 and "Give more of the passage" in refused.err
    assert run("facts", "add", *own, "word " * 100, *where).code == 1  # as long as a sentence may be
    assert run("facts", "add", *own, " ", *where).code == 2
    (made,) = json.loads(run("facts", "add", *own, words, "--json", *where).out)["corrections"]
    rows = json.loads(run("facts", "list", "--json", *where).out)["facts"]
    assert [row["predicate"] for row in rows if row["own"]] == ["was hidden by"]
    assert "stated by a person" in run("facts", "list", *where).out
    assert "(stated by a person)" in run("compare", fact["subject_id"], fact["object_id"], *where).out
    assert run("facts", "restore", made["id"], *where).code == 0
    assert "was hidden by" not in run("facts", "list", *where).out


def test_why_there_is_a_fact_and_what_a_document_brings(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    fact = json.loads(run("facts", "list", "--json", *where).out)["facts"][-1]
    assert fact["weight"] == 1
    ((source,),) = json.loads(run("why", "--fact", fact["id"], "--json", *where).out)["sets"]
    assert f"It breaks without {source}" in run("why", "--fact", fact["id"], *where).out
    brought = json.loads(run("why", "--document", source, "--json", *where).out)
    assert fact["id"] in {row["fact_id"] for row in brought["facts_came"]}
    assert "New facts" in run("why", "--document", source, *where).out
    assert run("why", "The Claw", *where).code == 2 and run("why", *where).code == 2
    assert "not one entity" in run("why", "The Claw", "Lyon", *where).err


def test_notes_as_a_table(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    assert run("notes", "add", "=1+1", "--entity", "The Claw", "--tag", "ring", *where).code == 0
    (row,) = csv.DictReader(io.StringIO(run("notes", "list", "--csv", *where).out))
    assert (row["text"], row["tags"], row["entity"]) == ("'=1+1", "ring", "The Claw")


def test_a_search_is_saved_and_run(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    found = run("find", "--names", "The Claw", "--where", "date<=2000", "--save", "The Claw before", *where)
    assert found.code == 0, found.err
    assert run("find", "Jules", "--save", "Jules", "--json", *where).code == 0
    assert "The Claw · date<=2000" in run("searches", "list", *where).out
    hits = json.loads(run("searches", "run", "Jules", "--json", *where).out)
    assert hits["new"] == 0 < hits["total"]
    shown = run("searches", "run", "Jules", "--count", "1", *where).out
    assert "0 new" in shown and "Seen before" in shown and "Jules" in shown
    assert "More: --first 1" in shown or hits["total"] == 1
    assert "Seen before" not in run("searches", "run", "Jules", "--new", *where).out
    assert "Deleted Jules." in run("searches", "delete", "Jules", *where).err
    assert run("searches", "run", "Jules", *where).code == 1


def test_three_are_compared(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    shown = run("compare", "Jules", "The Claw", "Lyon", *where)
    assert shown.code == 0, shown.err
    assert "Jules Delmas and The Claw" in shown.out and "The Claw and Lyon" in shown.out
    assert run("compare", "Jules", *where).code == 2
    asked = run("ask", "Compare The Claw and Lyon.", "--no-llm", *where)
    assert asked.code == 0 and "The Claw and Lyon" in asked.out, asked.out + asked.err
    part = run("ask", "Compare The Claw and Lyon.", "--no-llm", "--source", "*", *where)
    assert part.code == 0 and "The Claw and Lyon" not in part.out, part.out + part.err


def test_reads_take_the_options_of_a_view(corrections: Run, run: Run) -> None:
    where = ("--workspace", os.environ["MERGED"])
    sources = [row["source"] for row in json.loads(run("documents", "list", "--json", *where).out)["documents"]]
    only = ("--only", sources[0], *where)
    assert [row["source"] for row in json.loads(run("documents", "list", "--json", *only).out)["documents"]] == sources[
        :1
    ]
    assert json.loads(run("stats", "--json", *only).out)["stats"]["documents"] == 1 < len(sources)
    assert json.loads(run("documents", "show", sources[0], "--json", *only).out)["source"] == sources[0]
    assert "There is no document" in run("documents", "show", sources[1], *only).err
    for command in (("entities",), ("find", "Jules"), ("facts", "list")):
        whole, part = (json.loads(run(*command, "--json", *which).out)["total"] for which in (where, only))
        assert part < whole, command
    unknown = run("entities", "--until", "nobody.txt:chapter 3", *where)
    assert unknown.code == 1 and sources[0] in unknown.err


def test_a_view_is_named_read_by_its_name_and_deleted(corrections: Run, run: Run) -> None:
    name = os.environ["MERGED"]
    where = ("--workspace", name)
    source = json.loads(run("documents", "list", "--json", *where).out)["documents"][0]["source"]
    assert "Say what is visible" in run("views", "create", "one", *where).err
    made = run("views", "create", "one", "--only", source, *where)
    assert made.code == 0 and f"-w {name}@one" in made.out, made.err
    listed = run("views", "list", *where).out
    assert f'--only "{source}"' in listed and "MB in memory" in listed
    assert json.loads(run("stats", "--json", "-w", f"{name}@one").out)["stats"]["documents"] == 1
    assert "takes no other" in run("stats", "--as-of", "1912", "-w", f"{name}@one").err
    whole = run("corrections", "list", "-w", f"{name}@one")
    assert whole.code == 1 and f"Give the workspace {name}" in whole.err
    assert run("views", "delete", "one", *where).code == 0
    assert "No view has a name" in run("views", "list", *where).out
    gone = run("stats", "-w", f"{name}@one")
    assert gone.code == 1 and "views create" in gone.err


def test_workspaces_are_listed_and_deleted(corrections: Run, run: Run) -> None:
    name = os.environ["MERGED"]
    assert name in run("workspaces", "list").out
    assert name in [row["name"] for row in json.loads(run("workspaces", "list", "--json").out)["workspaces"]]
    kept = run("workspaces", "delete", name)  # nobody confirms
    assert kept.code == 1 and name in run("workspaces", "list").out
    gone = run("workspaces", "delete", name, "--yes")
    assert gone.code == 0 and f"The workspace {name} is gone." in gone.out
    assert run("workspaces", "delete", name, "--yes").code == 1


def test_review_without_a_terminal_only_shows(corrections: Run) -> None:
    ran = corrections("review")
    assert ran.code == 0 and "Nearly joined" in ran.out and "Nantes Gazettes" in ran.out
    assert json.loads(corrections("review", "--json").out)["total"] >= 1


def test_names_are_listed_with_their_reasons(corrections: Run) -> None:
    corrections("apply", "The Claw", "La Griffe", "--same")
    ran = corrections("names", "The Claw")
    assert ran.code == 0 and ("The Claw = La Griffe" in ran.out or "La Griffe = The Claw" in ran.out)
    forms = json.loads(corrections("names", "The Claw", "--json").out)["forms"]
    assert {"La Griffe", "The Claw"} <= {row["form"] for row in forms} and all(row["count"] for row in forms)


def test_who_is_who_without_a_terminal_only_shows(corrections: Run) -> None:
    ran = corrections("who")
    assert ran.code == 0 and "Who of these is" in ran.out
    (first, *_) = json.loads(corrections("who", "--count", "1", "--json").out)["questions"]
    assert first["name"]["form"] in ran.out and first["others"][0]["form"] in ran.out


def test_who_is_who_by_number(corrections: Run) -> None:
    (first, *_) = json.loads(corrections("who", "--json").out)["questions"]
    teacher, pupil = pty.openpty()
    command = [sys.executable, "-m", "filigraph.app.cli", "corrections", "who", "--workspace", os.environ["MERGED"]]
    with subprocess.Popen([*command, "--count", "1"], stdin=pupil, stdout=pupil, stderr=pupil) as running:
        os.close(pupil)
        stop = threading.Timer(PATIENCE, running.kill)  # nothing hangs, whatever goes wrong
        stop.start()
        for typed in ("99\n", "1\n"):
            _until(teacher, b"q quit: ")
            os.write(teacher, typed.encode())
        _until(teacher, b"1 of 1 answered")
        stop.cancel()
        assert running.wait(PATIENCE) == 0
    os.close(teacher)
    (made, *_) = json.loads(corrections("list", "--by", "person", "--json").out)["corrections"]
    assert {made["names"][0]["id"], made["others"][0]["id"]} == {first["name"]["id"], first["others"][0]["id"]}


def test_review_by_key(corrections: Run) -> None:
    """On a real terminal: a key is pressed when the question is there, and not before."""
    total = json.loads(corrections("review", "--json").out)["total"]
    teacher, pupil = pty.openpty()
    command = [sys.executable, "-m", "filigraph.app.cli", "corrections", "review", "--workspace", os.environ["MERGED"]]
    with subprocess.Popen(command, stdin=pupil, stdout=pupil, stderr=pupil) as running:
        os.close(pupil)
        shown = b""
        stop = threading.Timer(PATIENCE, running.kill)  # nothing hangs, whatever goes wrong
        stop.start()
        for key in ("x", "y", "u", "n", *"s" * (total - 1), "q"):
            shown += _until(teacher, b"quit: ")
            os.write(teacher, key.encode())
        shown += _until(teacher, b"left")
        stop.cancel()
        assert running.wait(PATIENCE) == 0
    os.close(teacher)
    assert "1 decided" in shown.decode() and "undone" in shown.decode()
    (row,) = json.loads(corrections("list", "--by", "person", "--json").out)["corrections"]
    assert row["kind"] == "distinct"
    assert json.loads(corrections("review", "--json").out)["total"] == total - 1


def _until(terminal: int, mark: bytes) -> bytes:
    shown = b""
    while mark not in shown:
        shown += os.read(terminal, 4096)
    return shown
