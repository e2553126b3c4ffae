"""Streamed results of a command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from filigraph.app.cli.show.ingest import follow_stream
from filigraph.app.cli.terminal import progress_lines
from filigraph.app.client.rest import Client
from filigraph.graph.errors import InputError


class Server:
    """Streams some events, then fails if it has an error."""

    def __init__(self, *events: dict[str, Any], error: BaseException | None = None) -> None:
        self.events, self.error = events, error
        self.asked: dict[str, Any] = {}

    def stream(self, address: str, **request: Any) -> Iterator[dict[str, Any]]:
        self.asked = {"address": address, **request}
        yield from self.events
        if self.error:
            raise self.error


READS = {"event": "progress", "stage": "extract", "done": 1, "total": 2}


def follow(server: Server, *, quiet: bool = True) -> dict[str, Any]:
    return follow_stream(cast(Client, server), "/retry", "report", quiet=quiet, json={"extractor": "llm"})


def test_the_result_is_that_of_the_last_event() -> None:
    server = Server(READS, {"event": "report", "report": {"chunks": 2}})
    assert follow(server) == {"chunks": 2}
    assert server.asked == {"address": "/retry", "json": {"extractor": "llm"}}
    assert follow(Server(READS)) == {}


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_shown_unless_it_is_to_be_quiet(
    quiet: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_lines, "EVERY", 0.0)
    follow(Server(READS), quiet=quiet)
    said = capsys.readouterr()
    assert ("reading facts: 1 of 2" in said.err) is not quiet and said.out == ""


@pytest.mark.parametrize("error", [InputError("No.", cure="Try."), KeyboardInterrupt()])
def test_an_error_and_ctrl_c_end_it(error: BaseException) -> None:
    with pytest.raises(type(error)):
        follow(Server(READS, error=error), quiet=False)
