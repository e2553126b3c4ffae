"""Connections in the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from filigraph.app.cli.show.connections import show_connections


def step(subject: str, object_: str, **more: Any) -> dict[str, Any]:
    sentence = {"sentence": f"{subject} sees {object_}.", "premises": [], "source": "a.txt", "place": "page 2"}
    ends = {"subject": subject, "predicate": "sees", "object": object_}
    return {**ends, **sentence, "denied": False, "own": False, "only_near": False, "according_to": ""} | more


def pair(*facts: dict[str, Any], verdict: str, hubs: tuple[str, ...] = ()) -> dict[str, Any]:
    ends = {"first": "Ann", "other": "Bob", "first_entities": [{"name": "Ann"}], "other_entities": [{"name": "Bob"}]}
    return ends | {"verdict": verdict, "hubs": hubs, "paths": [{"facts": facts, "alike": [], "named": []}]}


def test_a_step_in_a_text_is_no_fact(capsys: pytest.CaptureFixture[str]) -> None:
    show_connections([pair(step("Ann", "key", only_near=True), step("key", "Bob"), verdict="text")], 6)
    told = capsys.readouterr().out
    assert "No facts connect them, but names that stand near each other" in told and "1  2 steps" in told
    assert "Ann … key  (near each other in the text)" in told and "key – sees – Bob\n" in told


def test_facts_over_a_hub_are_said_beside_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    show_connections([pair(step("Ann", "Bob", only_near=True), verdict="text", hubs=("Paris", "1912"))], 6)
    assert "No facts but by Paris, 1912 connect them, but names" in capsys.readouterr().out


def test_what_a_person_states_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    show_connections([pair(step("Ann", "Bob", own=True), verdict="connected")], 6)
    assert "Ann – sees – Bob  (stated by a person)" in capsys.readouterr().out


def test_each_premise_is_quoted_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    premises = ["The man is Ann.", "The man sees Bob."]
    show_connections([pair(step("Ann", "Bob", premises=premises), verdict="connected")], 6)
    told = capsys.readouterr().out
    assert "1  1 fact\n" in told and "“Ann sees Bob.”  a.txt, page 2" in told
    assert "with: “The man is Ann.”\n" in told and "with: “The man sees Bob.”\n" in told
