"""What the store and an export write as text can be read back unchanged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from filigraph.graph.model.documents import Place, Recipe, Strategy
from filigraph.graph.model.names import CorrectedName, Occurrence, StoredCorrection
from filigraph.graph.serialize import correction_json, correction_of, places_json, places_of, recipe_of, recipe_text


@pytest.mark.parametrize("overlap", [0.0, 0.15, 0.00001])
@pytest.mark.parametrize("strategy", ["paragraph", "sentence", "fixed"])
@pytest.mark.parametrize(
    ("extractor", "kind"), [("local:6", "local"), ("llm:mistral:7b:5f0c", "llm"), ("mine:a|fixed:1:0.1", "mine")]
)
def test_a_recipe_comes_back(extractor: str, kind: str, strategy: Strategy, overlap: float) -> None:
    recipe = Recipe(extractor=extractor, strategy=strategy, size=512, overlap=overlap)
    assert recipe_of(recipe_text(recipe)) == recipe
    assert recipe.read_by == kind


def test_a_recipe_is_written_as_it_always_was() -> None:
    recipe = Recipe(extractor="local:6", strategy="paragraph", size=512, overlap=0.15)
    assert recipe_text(recipe) == "local:6|paragraph:512:0.15"
    assert recipe_text(None) == ""
    assert recipe_of(recipe_text(replace(recipe, late=True))) == replace(recipe, late=True)
    by_words = Recipe(extractor="local:6", size=350, overlap=0.0, unit="words")
    assert recipe_of(recipe_text(by_words)) == by_words


@pytest.mark.parametrize("text", ["", "local:6", "local:6|verses:5:0.1", "a|paragraph:512:1.2.3", "a|fixed:\u0665:0"])
def test_any_other_text_is_no_recipe(text: str) -> None:
    assert recipe_of(text) is None


def test_places_come_back() -> None:
    places = (Place(kind="page", label="1", start=0), Place(kind="chapter", label="L'Étranger", start=7))
    assert places_of(json.loads(places_json(places))) == places


def test_a_decision_comes_back_in_the_workspace_that_it_is_read_in() -> None:
    mention, document, chunk = (letter * 32 for letter in "abc")
    names = (CorrectedName(id=mention, document_id=document, key="jules", form="Jules"),)
    places = (Occurrence(chunk_id=chunk, start=1, end=6),)
    said = StoredCorrection(id="d", kind="split_off", names=names, places=places, note="another")
    body = json.loads(correction_json(said))
    assert body["kind"] == "part", "as version 0.2 stored it"
    assert body["names"][0]["id"] == "a" * len(body["names"][0]["id"]), "without what is a workspace's own"
    back = correction_of("d", "", body, "elsewhere")
    assert (back.kind, back.note, back.names[0].form, back.places[0].start) == ("split_off", "another", "Jules", 1)
    tag = back.names[0].id.removeprefix(body["names"][0]["id"])
    assert tag and back.names[0].document_id.endswith(tag) and back.places[0].chunk_id.endswith(tag)
    assert json.loads(correction_json(back)) == body
