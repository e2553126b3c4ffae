"""The output and exit codes of commands, with and without errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from filigraph.app.cli.terminal.interrupting import ask_events
from filigraph.app.client.rest import CLASSES
from filigraph.graph import errors
from tests.api.serving import HandMade
from tests.cli.conftest import Run
from tests.patience import PATIENCE

COMMANDS = [
    ["ask", "Pourquoi ?"],
    ["retrieve", "Pourquoi ?"],
    ["documents"],
    ["stats"],
    ["doctor"],
    ["ingest", __file__],
]


ALL = sorted(CLASSES.values(), key=lambda cls: cls.code)


def test_every_error_is_one_line(run: Run, server: str, service: HandMade) -> None:
    for cls in ALL:
        service.error = cls("The cause:\n\x1b[31mred.", cure="The cure.")
        ran = run("stats")
        assert (ran.code, ran.out) == (1, ""), cls
        assert ran.err == "filigraph: The cause: [31mred. The cure.\n", cls


def test_an_error_is_one_line_of_each_command(run: Run, server: str, service: HandMade) -> None:
    service.error = errors.InputError("The cause:\n\x1b[31mred.", cure="The cure.")
    for command in COMMANDS:
        ran = run(*command)
        assert (ran.code, ran.out) == (1, ""), command
        assert ran.err == "filigraph: The cause: [31mred. The cure.\n", command


def test_a_late_error_is_one_line_too(run: Run, server: str, service: HandMade) -> None:
    service.late_error = errors.LLMUnavailable("Ollama is gone.", cure="Start it.")
    for command in (["ask", "Pourquoi ?"], ["ingest", __file__]):
        ran = run(*command)
        assert (ran.code, ran.err) == (1, "filigraph: Ollama is gone. Start it.\n")


def test_with_json_the_error_is_json_as_well(run: Run, server: str, service: HandMade) -> None:
    service.error = errors.EmbedderMismatch("Another.", cure="Use it.")
    ran = run("stats", "--json")
    assert json.loads(ran.out) == {"error": {"code": "embedder_mismatch", "cause": "Another.", "cure": "Use it."}}
    assert ran.err == "filigraph: Another. Use it.\n"


def test_a_mistake_of_ours_is_one_line_and_kept(
    run: Run, server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("filigraph.app.cli.questions.show_retrieved", lambda *_, **__: 1 / 0)
    ran = run("retrieve", "Pourquoi ?")
    assert ran.code == 1
    assert ran.err.startswith("filigraph: Something unforeseen happened (ZeroDivisionError).")
    assert ran.err.count("\n") == 1
    crash = tmp_path / "home" / "data" / "server" / "crash.log"
    assert str(crash) in ran.err and "ZeroDivisionError" in crash.read_text()


def test_no_server_is_started_for_a_url(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FILIGRAPH_URL", "http://127.0.0.1:1")
    for command in COMMANDS:
        ran = run(*command)
        assert ran.code == 1
        assert "No Filigraph server answers at http://127.0.0.1:1" in ran.err and ran.err.count("\n") == 1
    assert run("up").code == 1
    assert not list(tmp_path.rglob("server.lock"))


def test_a_server_of_another_version_is_refused(run: Run, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filigraph.app.client.rest.installed_version", lambda: "0.0.1")
    ran = run("stats")
    assert ran.code == 1 and "this command is version 0.0.1" in ran.err and "filigraph down" in ran.err


def test_a_wrong_setting_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILIGRAPH_PORT", "many")
    for command in (["serve"], ["up"], ["down"], ["stats"]):
        ran = run(*command)
        assert ran.code == 1 and "FILIGRAPH_PORT" in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["ask"],
        ["ask", "x", "--depth", "9"],
        ["ask", "x", "--method", "y"],
        ["ask", "x", "--profile", "y"],
        ["ask", "x", "--share", "y=z"],
        ["ask", "x", "--where", "y"],
        ["ask", "x", "--questions", "file"],
        ["ask", "x", "--out", "file"],
        ["ingest", ".", "--strategy", "x"],
        ["ingest", ".", "--metadata", "date"],
        ["cast", "--order", "x"],
        ["path", "A"],
        ["compare", "A"],
        ["list", "x", "--output", "x.odt"],
    ],
)
def test_a_wrong_call_is_2(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 2 and "Usage:" in ran.err and "Value error" not in ran.err


@pytest.mark.parametrize("name", ["", ".", "..", "bad name/é", "x" * 65])
def test_what_cannot_name_a_workspace(run: Run, server: str, name: str) -> None:
    for command in (["stats"], ["ask", "x"], ["documents", "list"]):
        ran = run(*command, "--workspace", name)
        assert ran.code == 1 and "cannot name a workspace" in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize("command", ["create", "delete"])
def test_what_can_name_no_view_is_said(run: Run, server: str, command: str) -> None:
    ran = run("views", command, "a/b", *(["--as-of", "1912"] if command == "create" else []))
    assert ran.code == 1 and "'a/b' cannot name a view" in ran.err and ran.err.count("\n") == 1


def test_an_argument_that_is_no_utf_8(run: Run, server: str) -> None:
    for command in (["ask", "Who \udcff?"], ["facts", "list", "--predicate", "\udcff"], ["jobs", "show", "\udcff"]):
        ran = run(*command)
        assert ran.code == 1 and "\\udcff" in ran.err and "Encode it in UTF-8." in ran.err and ran.err.count("\n") == 1


# --------------------------------------------------------------------------------------------------------------------
# When all goes well


def test_ask(run: Run, server: str, service: HandMade) -> None:
    ran = run("ask", "Pourquoi ?", "--compare", "--depth", "3")
    assert (ran.code, ran.err) == (0, "")
    for shown in (
        "Jules ── porte ─→ chevalière",
        "“Jules porte une chevalière.”  Lettre, page 1",
        "Parce que. [1]",
        "Not in the evidence: Parce",
        "Not answered by the texts: Who gave it to him.",
        "[1] Lettre, page 1",
        "Vector search alone",
        "Une chevalière. [1]",
    ):
        assert shown in ran.out
    assert "\x1b" not in ran.out  # not a terminal, and the document's own escape sequence is not passed on
    lines = ran.out.splitlines()
    assert re.fullmatch(r"  On the page: http://\S+workspace=default", lines[-1])  # whole, however long
    assert max(map(len, lines[:-1])) <= 80
    told = {"depth": 3, "keep": 10, "method": "filigraph", "profile": None, "rerank": None}
    told |= {"vector_weight": None, "budget_tokens": None, "min_score": None, "entity_types": (), "path_types": ()}
    told |= {
        "compare": True,
        "rounds": None,
        "total_tokens": None,
        "seconds": None,
        "sources": (),
        "where": {},
        "today": "",
        "shares": {},
        "view": None,
    }
    told |= {"llm": True, "without_own": False}
    assert service.told == {**told, "blend": None, "kinds": (), "expand_dependencies": False}


@pytest.mark.parametrize("command", ["ask", "retrieve"])
def test_how_to_look(run: Run, server: str, service: HandMade, command: str) -> None:
    numbers = ("--vector-weight", "0", "--budget-tokens", "400", "--min-score", "0.3")
    kinds = ("--entity-type", "Person", "--entity-type", "Lieu", "--path-type", "porte")
    where = ("--where", "date>=1912-03-01", "--where", "date<1913", "--where", "author=A=B", "--today", "1912-04-01")
    where += ("--kind", "method", "--kind", "class", "--expand-dependencies")
    where += ("--share", "overview=0.5")
    assert run(command, "Pourquoi ?", *numbers, *kinds, *where).code == 0
    told = {"vector_weight": 0, "budget_tokens": 400, "min_score": 0.3, "today": "1912-04-01"}
    told |= {"shares": {"overview": 0.5}, "where": {"date>=": "1912-03-01", "date<": "1913", "author": "A=B"}}
    assert (service.told["kinds"], service.told["expand_dependencies"]) == (("method", "class"), True)
    assert service.told.items() >= {**told, "entity_types": ("Person", "Lieu"), "path_types": ("porte",)}.items()
    for wrong in (("--vector-weight", "1.1"), ("--budget-tokens", "99"), ("--min-score", "-0.1")):
        ran = run(command, "Pourquoi ?", *wrong)
        assert ran.code == 2 and wrong[0] in ran.err


def test_ask_as_if_only_a_part_had_been_read(run: Run, server: str, service: HandMade) -> None:
    part = (
        "--in",
        "novel.txt:chapter 1-5",
        "--until",
        "novel.txt:chapter 3",
        "--as-of",
        "1912-03-04",
        "--undated",
        "out",
        "--without",
        "b.txt",
    )
    ran = run("ask", "Pourquoi ?", *part)
    assert (ran.code, ran.err) == (0, "")
    view = service.told["view"]
    assert view["within"] == ["novel.txt:chapter 1-5"]
    assert (view["until"], view["as_of"], view["undated"], view["without"]) == (
        *(["novel.txt:chapter 3"], "1912-03-04", "out", ["b.txt"]),
    )
    ran = run("ask", "Pourquoi ?", "--undated", "out")
    assert ran.code != 0 and "--as-of" in ran.err


def test_ask_for_programs(run: Run, server: str) -> None:
    ran = run("ask", "Pourquoi ?", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["paths"][0]["hops"][0]["object"] == "chevalière"


def test_an_llm_is_asked_how_names_are_connected(run: Run, server: str, service: HandMade) -> None:
    ran = run("path", "Jules", "La Griffe", "Sophie", "--ask", "--without", "a.txt")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("Jules ── porte ─→ chevalière") == 2
    assert service.asked[0] == "How is La Griffe connected to Sophie?"
    assert service.told["view"]["without"] == ["a.txt"]
    answers = json.loads(run("path", "Jules", "La Griffe", "Sophie", "--ask", "--json").out)
    assert [answer["paths"][0]["hops"][0]["object"] for answer in answers] == ["chevalière", "chevalière"]


def test_retrieve(run: Run, server: str) -> None:
    assert "“Jules porte une chevalière.”" in run("retrieve", "Pourquoi ?").out
    assert json.loads(run("retrieve", "Pourquoi ?", "--json").out)["language"] == "fr"


def test_doctor_fails_if_something_essential_is_broken(run: Run, server: str) -> None:
    ran = run("doctor")
    assert ran.code == 1
    assert "✗  Neo4j  It is gone." in ran.out and "Start it." in ran.out
    assert run("doctor", "--json").code == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "case").mkdir()
    for name in ("1.txt", "2.txt"):
        (tmp_path / "case" / name).write_text(name)
    return tmp_path / "case"


def test_ingest_in_part(run: Run, server: str, service: HandMade, folder: Path) -> None:
    (folder / "links.txt").symlink_to("nowhere")
    ran = run("ingest", str(folder), "-w", "case", "--strategy", "fixed")
    assert ran.code == 3
    assert [Path(source.name).name for source in service.got] == ["1.txt", "2.txt"]
    assert service.got[0].content == b"1.txt"
    assert service.told["strategy"] == "fixed"
    assert "2 added, 2 skipped" in ran.out
    assert "bad.bin: It is binary. Send text." in ran.out
    assert "links.txt: It cannot be found" in " ".join(ran.out.split())
    assert ran.err == ""


def test_ingest_for_programs(run: Run, server: str, folder: Path) -> None:
    ran = run("ingest", str(folder), "--json")
    assert ran.code == 3
    assert len(json.loads(ran.out)["added"]) == 2


def test_ingest_of_nothing_is_1(run: Run, server: str, folder: Path, tmp_path: Path) -> None:
    ran = run("ingest", str(tmp_path / "missing"))
    assert ran.code == 1
    assert "missing: It cannot be found" in " ".join(ran.out.split())


def test_an_option_without_effect_is_told(run: Run, server: str) -> None:
    assert "--rerank had no effect" in run("ask", "Pourquoi ?", "--rerank").err
    assert "--rerank had no effect" in run("retrieve", "Pourquoi ?", "--rerank").err


def test_ingest_sends_in_batches_and_adds_up(
    run: Run, server: str, service: HandMade, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filigraph.app.client.files.BATCH_FILES", 1)
    report = json.loads(run("ingest", str(folder), "--json").out)
    assert [Path(name).name for name in report["added"]] == ["1.txt", "2.txt"]
    assert report["seconds"] == {"load": 0.2}
    assert len(report["skipped"]) == 2


def test_ingest_with_an_option_file_that_is_not_there(run: Run, server: str, service: HandMade, folder: Path) -> None:
    ran = run("ingest", str(folder), "--aliases", str(folder / "none"))
    assert ran.code == 1 and "--aliases" in ran.err
    assert service.got == []


def test_ctrl_c_stops_the_server_too(server: str, service: HandMade, folder: Path, tmp_path: Path) -> None:
    service.hold.clear()
    process = subprocess.Popen(
        [sys.executable, "-m", "filigraph.app.cli", "ingest", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FILIGRAPH_HOME": str(tmp_path / "home")},
    )
    while not service.got and process.poll() is None:
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "What was read is kept" in err and "Traceback" not in out + err
    assert service.cancelled.wait(PATIENCE)


def test_ctrl_c_ends_a_question_with_what_was_read(
    run: Run, server: str, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: Any, **named: Any) -> Iterator[Any]:
        for event in ask_events(*given, **named):
            if event["event"] == "retrieved":
                signal.raise_signal(signal.SIGINT)
            yield event

    service.hold.clear()
    monkeypatch.setattr("filigraph.app.cli.questions.ask_events", interrupted)
    ran = run("ask", "Pourquoi ?")
    assert ran.code == 130 and service.ended == "cancelled"
    assert "Parce que." in ran.out and "Cancelling" in ran.err
    service.asked, service.hold = ("", []), threading.Event()
    ran = run("path", "Jules", "La Griffe", "Sophie", "--ask")
    assert ran.code == 130 and service.asked[0] == "How is Jules connected to La Griffe?"


def test_whoever_reads_our_output_may_leave(server: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m filigraph.app.cli retrieve x --json | head -c 1"
    environment = {**os.environ, "FILIGRAPH_HOME": str(tmp_path)}
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout == "{" and "Traceback" not in ran.stderr


@pytest.mark.parametrize("option", ["", "--json"])
def test_a_full_disk_under_our_output_is_told(server: str, tmp_path: Path, option: str) -> None:
    command = f"{sys.executable} -m filigraph.app.cli retrieve x {option} > /dev/full"
    environment = {**os.environ, "FILIGRAPH_HOME": str(tmp_path)}
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 1 and ran.stderr.startswith("filigraph: Standard output cannot be written (No space left")
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize("module", ["typer", "httpx"])
def test_ctrl_c_while_modules_are_imported_is_silent(tmp_path: Path, module: str) -> None:
    (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    command = [sys.executable, "-m", "filigraph.app.cli", "stats"]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode in (130, -signal.SIGINT) and "Traceback" not in ran.stderr
