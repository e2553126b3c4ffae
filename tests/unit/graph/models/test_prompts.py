"""Prompts: filled in completely, identified by their text."""

from __future__ import annotations

from importlib.resources import files

import pytest

from filigraph.graph.models.prompts import prompt_hash, render

NAMES = sorted(
    path.name.removesuffix(".md") for path in files("filigraph.prompts").iterdir() if path.name.endswith(".md")
)
REPAIR = {"request": "List.", "problem": "it was empty"}


def test_fills_in_its_variables() -> None:
    prompt = render("repair", **REPAIR)
    assert prompt.user.startswith("List.\n")
    assert "it was empty" in prompt.user


def test_what_is_filled_in_is_not_read_again() -> None:
    assert "$problem ${x} $$ $" in render("repair", request="$problem ${x} $$ $", problem="none").user


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(ValueError, match=r"repair.md needs \$problem\."):
        render("repair", request="x")


def test_an_unused_variable_is_named() -> None:
    with pytest.raises(ValueError, match=r"repair.md has no \$colour\."):
        render("repair", **REPAIR, colour="red")


@pytest.mark.parametrize("name", NAMES)
def test_a_hash_is_of_the_text(name: str) -> None:
    assert len(prompt_hash(name)) == 16
    assert [other for other in NAMES if prompt_hash(other) == prompt_hash(name)] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_the_system_part_never_changes(name: str) -> None:
    system, _ = files("filigraph.prompts").joinpath(f"{name}.md").read_text("utf-8").split("--- user ---\n")
    assert "$" not in system
