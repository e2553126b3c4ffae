"""Settings in a file; the environment overrides them."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from filigraph.app.home import ServerRecord, open_home, read_record, write_record
from filigraph.app.process import daemon
from filigraph.app.settings import display_value, load_settings, setting_digests
from filigraph.app.settings_file import read_settings, settings_file, write_settings
from filigraph.graph.errors import InputError

LLM = {"FILIGRAPH_LLM_URL": "http://127.0.0.1:1/v1", "FILIGRAPH_LLM": "mistral-small", "FILIGRAPH_LLM_KEY": "hunter2"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FILIGRAPH_HOME", str(tmp_path))
    return tmp_path


def test_what_is_kept_is_used_and_is_for_its_owner_alone(home: Path) -> None:
    assert read_settings() == {}
    write_settings(LLM)
    assert settings_file() == home / "data" / "settings.json"
    assert stat.S_IMODE(settings_file().stat().st_mode) == 0o600
    settings = load_settings()
    assert (settings.llm, settings.llm_url) == ("mistral-small", "http://127.0.0.1:1/v1")
    assert settings.llm_key.get_secret_value() == "hunter2"
    assert (display_value(settings, "FILIGRAPH_LLM"), display_value(settings, "FILIGRAPH_LLM_KEY")) == (
        "mistral-small",
        "(set)",
    )


def test_the_environment_goes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write_settings({"FILIGRAPH_LLM": "kept", "FILIGRAPH_ALLOWED_HOSTS": "graph.example.org"})
    monkeypatch.setenv("FILIGRAPH_LLM", "today")
    monkeypatch.setenv("FILIGRAPH_ALLOWED_HOSTS", "")  # as for a server that is for this machine alone
    assert (load_settings().llm, load_settings().public) == ("today", False)
    monkeypatch.delenv("FILIGRAPH_LLM")
    assert load_settings().llm == "kept"


@pytest.mark.parametrize("name", ["FILIGRAPH_HOME", "FILIGRAPH_LMM", "PATH"])
def test_what_is_no_setting_is_not_kept(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is not a setting"):
        load_settings({name: "x"})


@pytest.mark.parametrize("text", ["{", "[]", '{"FILIGRAPH_LLM": 1}'])
def test_a_file_that_cannot_be_used_is_named(text: str) -> None:
    settings_file().parent.mkdir()
    settings_file().write_text(text)
    with pytest.raises(InputError, match=r"settings\.json .* Fix or delete it"):
        load_settings()


def test_a_server_with_other_settings_is_told(home: Path) -> None:
    then = load_settings()
    record = ServerRecord(
        pid=os.getpid(), created=1.5, port=1, version="1", settings=setting_digests(then, f"{os.getpid()} 1.5")
    )
    write_record(open_home(home), record)
    known = read_record(open_home(home))
    assert known and daemon.changed_settings(load_settings(), known) == ""
    write_settings(LLM)
    told = daemon.changed_settings(load_settings(), known)
    assert all(name in told for name in LLM) and "FILIGRAPH_PORT" not in told
    assert "`filigraph down`" in told
    assert "hunter2" not in json.dumps(setting_digests(load_settings(), "salt"))
    write_settings({"FILIGRAPH_KEY": "of the command line alone"})
    assert daemon.changed_settings(load_settings(), known) == ""
