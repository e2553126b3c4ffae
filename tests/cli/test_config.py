"""`filigraph config`: what it stores and shows, and that the next start uses it."""

from __future__ import annotations

import json

import pytest

from filigraph.app.settings import load_settings
from tests.cli.conftest import Run

URL = "FILIGRAPH_LLM_URL=http://127.0.0.1:1/v1"


def test_settings_are_kept_shown_and_taken_out_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("config", "set", URL)
    assert ran.code == 1 and "Name the model in FILIGRAPH_LLM" in ran.err, "half of it would be of no use"
    assert run("config", "set", URL, "FILIGRAPH_LLM=mistral-small", "FILIGRAPH_LLM_KEY=hunter2").code == 0
    assert load_settings().llm_key.get_secret_value() == "hunter2"
    told = run("config", "show").out
    assert f"{URL}  (file)" in told and "FILIGRAPH_LLM_KEY=(set)  (file)" in told and "hunter2" not in told
    monkeypatch.setenv("FILIGRAPH_LLM", "today")
    rows = {row["name"]: row for row in json.loads(run("config", "show", "--json").out)["settings"]}
    assert rows["FILIGRAPH_LLM"] == {"name": "FILIGRAPH_LLM", "value": "today", "from": "environment"}
    monkeypatch.delenv("FILIGRAPH_LLM")
    assert run("config", "unset", "FILIGRAPH_LLM_URL", "FILIGRAPH_LLM_KEY").code == 0
    assert (load_settings().llm, load_settings().llm_url) == ("mistral-small", "")
    ran = run("config", "unset", "FILIGRAPH_LLM_URL")
    assert ran.code == 1 and "FILIGRAPH_LLM_URL is not in the settings file" in ran.err


@pytest.mark.parametrize(
    ("given", "problem"),
    [("FILIGRAPH_LMM=x", "LMM is not a setting"), ("FILIGRAPH_PORT=many", "FILIGRAPH_PORT")],
)
def test_what_cannot_be_used_is_not_kept(run: Run, given: str, problem: str) -> None:
    ran = run("config", "set", given)
    assert ran.code == 1 and problem in ran.err
    assert "(file)" not in run("config", "show").out
