"""The examples in the help: each is a command line that its command accepts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from filigraph.app.cli import app
from filigraph.app.cli.terminal.examples import EXAMPLES


@pytest.fixture(scope="module")
def filigraph() -> Any:
    """The command with all others in it: making it takes longer than asking it."""
    return typer.main.get_command(app)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_can_be_typed(name: str, filigraph: Any) -> None:
    command = filigraph
    program, *typed = shlex.split(EXAMPLES[name])
    assert program == "filigraph" and typed[: len(name.split())] == name.split()
    context = command.make_context("filigraph", typed, resilient_parsing=True)
    for word in name.split():
        command = command.get_command(context, word)
        assert command is not None
    command.make_context(name, typed[len(name.split()) :])  # raises where an option or an argument does not fit


def test_the_help_ends_with_it() -> None:
    said = CliRunner().invoke(app, ["corrections", "apply", "--help"]).output
    assert " ".join(said.split()).endswith(f"Example: {EXAMPLES['corrections apply']}")


def test_each_command_has_one() -> None:
    names = list(_names(typer.main.get_command(app), ""))
    assert "form fill" in names and [name for name in names if name not in EXAMPLES] == []


def _names(command: Any, name: str) -> Iterator[str]:
    """The commands in a command, each with the groups that it is in."""
    if not hasattr(command, "commands"):
        yield name
        return
    for word, one in command.commands.items():
        if not one.hidden:
            yield from _names(one, f"{name} {word}".strip())
