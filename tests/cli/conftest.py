"""The command line against a real server around a hand-made service."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from filigraph.app.cli import main
from tests.api.serving import HandMade, serving


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run `filigraph ARGUMENTS` in this process, with a home of its own."""
    monkeypatch.setenv("FILIGRAPH_HOME", str(tmp_path / "home"))

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["filigraph", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Ran(int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def service() -> HandMade:
    return HandMade()


@pytest.fixture
def server(service: HandMade, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The commands' server, as FILIGRAPH_URL names it."""
    with serving(service) as url:
        monkeypatch.setenv("FILIGRAPH_URL", url)
        yield url
