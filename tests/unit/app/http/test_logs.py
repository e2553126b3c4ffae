"""The log: it contains no secret, and every line has its request's id."""

from __future__ import annotations

import json
import logging

import pytest

from filigraph.app.access.keys import new_secret
from filigraph.app.http.logs import JSONFormatter, RequestFilter, TextFormatter, log_config, request_id, without_secrets


def record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("filigraph.test").makeRecord(
        "filigraph.test", logging.WARNING, "f", 1, message, args, None, extra=dict(extra)
    )
    RequestFilter().filter(made)
    return made


@pytest.mark.parametrize("formatter", [TextFormatter(), JSONFormatter()])
def test_no_secret_is_logged(formatter: logging.Formatter) -> None:
    key = new_secret()
    for line in (
        f"key {key} came",
        f"Authorization: Bearer {key}",
        "authorization: bearer hunter2hunter2",
        "bolt://neo4j:hunter2@10.0.0.7:7687 refuses",
        f"GET /v1/x?key={key} 200",
        "AUTHORIZATION: BEARER hunter2hunter2",
        "bolt://neo4j:hu/nter2@10.0.0.7:7687 refuses",
        "bolt://neo4j:hu@nt/er2@10.0.0.7:7687 refuses",
        "http://hunter2@10.0.0.7/v1 refuses",
        "the LLM says: Incorrect API key provided: sk-proj-hunter2hunter2",
    ):
        text = formatter.format(record("%s", line))
        assert key not in text and "***" in text
        assert not any(part in text for part in ("hunter2", "hu/", "hu@", "nter2", "er2@"))
    plain = "http://127.0.0.1:8000/v1 and a: b@c; the task-force of sk-1; the bearer"
    assert without_secrets(plain) == plain


@pytest.mark.parametrize("kind", [TextFormatter, JSONFormatter])
def test_what_is_set_as_a_secret_is_masked_as_it_stands(kind: type[TextFormatter | JSONFormatter]) -> None:
    formatter = kind(['pass "word/', "x", ""])
    for line in ('said: pass "word/.', "said: pass%20%22word%2F."):
        text = formatter.format(record("%s", line))
        assert "word" not in text and "said: ***." in text


@pytest.mark.parametrize("formatter", [TextFormatter(), JSONFormatter()])
def test_nobody_writes_a_line_of_their_own(formatter: logging.Formatter) -> None:
    hostile = "x\n2026-11-21 INFO forged\r\x1b[31m\x7f\x9b\u2028y"
    assert not set(formatter.format(record("%s", hostile))) & set("\n\r\x1b\x7f\x9b\u2028")
    try:
        raise ValueError(hostile)
    except ValueError as error:
        made = record("failed")
        made.exc_info = (type(error), error, error.__traceback__)
    first, *others = formatter.format(made).split("\n")
    assert "failed" in first and all(line.startswith("  ") for line in others)
    assert not set("".join([first, *others])) & set("\r\x1b\x7f\x9b\u2028")


def test_json_lines_say_which_request() -> None:
    request_id.set("abc")
    try:
        line = json.loads(JSONFormatter().format(record("« é » %s", "x\ny", route="/v1/keys")))
    finally:
        request_id.set("")
    assert line.pop("at").endswith("+00:00")
    assert line == {
        "level": "warning",
        "logger": "filigraph.test",
        "message": "« é » x\ny",
        "request_id": "abc",
        "route": "/v1/keys",
    }


def test_a_traceback_is_one_line_too() -> None:
    try:
        raise ValueError("no")
    except ValueError as error:
        made = record("failed")
        made.exc_info = (type(error), error, error.__traceback__)
    text = JSONFormatter().format(made)
    assert "\n" not in text and "ValueError: no" in json.loads(text)["traceback"]


def test_both_kinds_can_be_configured() -> None:
    for kind in ("text", "json"):
        config = log_config(kind, ["hunter2"])  # type: ignore[arg-type]
        assert config["formatters"][kind]["secrets"] == ["hunter2"]
        assert config["handlers"]["stderr"]["formatter"] == kind and kind in config["formatters"]
