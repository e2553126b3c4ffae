"""The documents agree with the code: commands, settings, routes, packages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from filigraph.app.cli import app as cli
from filigraph.app.neo4j import start_neo4j
from filigraph.app.runtime import Runtime
from filigraph.app.server import create_app
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
GROUP = typer.main.get_command(cli)


@pytest.mark.parametrize("command", sorted(name for name, one in GROUP.commands.items() if not one.hidden))  # type: ignore[attr-defined]
def test_every_command_and_option_is_documented(command: str) -> None:
    assert f"`filigraph {command}" in REFERENCE
    for parameter in GROUP.commands[command].params:  # type: ignore[attr-defined]
        if parameter.param_type_name == "option":
            assert f"`{max(parameter.opts, key=len)}" in REFERENCE


def test_the_commands_without_json_are_named() -> None:
    without = sorted(f"`{name}`" for name, options in _commands(GROUP, "") if "--json" not in options)
    sentence = f"Every command but {', '.join(without[:-2])}, {' and '.join(without[-2:])} takes `--json`"
    assert sentence in REFERENCE and sentence in (ROOT / "README.md").read_text(encoding="utf-8")


def _commands(command: Any, name: str) -> Iterator[tuple[str, set[str]]]:
    """The commands in a command, each with its options."""
    for word, one in getattr(command, "commands", {}).items():
        if not one.hidden:
            yield from _commands(one, f"{name} {word}".strip())
    if not hasattr(command, "commands"):
        yield name, {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_is_documented_and_described(field: str) -> None:
    info = Settings.model_fields[field]
    assert info.description
    assert f"`{info.validation_alias.choices[0]}`" in REFERENCE  # type: ignore[union-attr]


def test_every_route_is_documented() -> None:
    runtime = Runtime(Settings(), start_neo4j)  # connects to nothing until it is asked
    paths = create_app(Service(runtime)).openapi()["paths"]
    routes = {f"`{verb.upper()} {path}`" for path, verbs in paths.items() for verb in verbs}
    assert not {route for route in routes if route not in REFERENCE}


def test_every_package_is_in_the_wheel() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    there = {
        "filigraph." + str(file.parent.relative_to(ROOT)).replace("/", ".")
        for room in ("app", "graph", "prompts")
        for file in (ROOT / room).rglob("__init__.py")
    }
    assert listed == there | {"filigraph"}  # whose folder is `package`


def test_every_document_links_to_files_that_exist() -> None:
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_every_document_names_files_of_the_code_that_exist() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = document.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:app|graph|bench|tests|prompts)/[a-z0-9_/.-]+\.[a-z]+)`", text):
            assert (ROOT / name).exists(), f"{document.name} names {name}"


def test_no_file_names_where_packages_are_downloaded_from() -> None:
    import jgo.constants

    host = jgo.constants.MAVEN_CENTRAL_URL.split("//")[1].split("/")[0]
    for file in [ROOT / "constraints.txt", *sorted((ROOT / "app" / "neo4j").rglob("*.*"))]:
        if file.suffix in (".py", ".json", ".txt"):
            assert host not in file.read_text(encoding="utf-8"), file
