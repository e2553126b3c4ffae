"""Schemas: read from YAML, refused with the place of the error, described to the model."""

from __future__ import annotations

import json

import pytest

from filigraph.graph.errors import InputError
from filigraph.graph.ingest.extract.schema import (
    BUDGETS,
    ExtractionSchema,
    default_schema,
    read_schema,
    ready_schemas,
)
from filigraph.graph.text.formats.plain_yaml import MAX_BYTES

GOOD = """
name: rings
types: {Person: , Object: a thing that can be held}
relations:
  - {name: is owned by, fr: appartient à, from: Object, to: [Person]}
  - {name: wears, from: Person}
examples:
  - sentences: ["Paul wears a hat, says Ann.", "It is Eve's."]
    names: {Person: [Paul], Object: [hat]}
    facts: [[1, Paul, wears, hat, Ann]]
    implied: [[[1, 2], hat, is owned by, Eve]]
"""


def schema(text: str = GOOD) -> ExtractionSchema:
    return read_schema(text)


@pytest.mark.parametrize("name", sorted(ready_schemas()))
def test_the_ready_ones_can_be_used(name: str) -> None:
    assert read_schema(ready_schemas()[name]).name == name


def test_there_are_ready_ones_for_novels_and_case_files() -> None:
    assert {"general", "novel", "case"} <= set(ready_schemas())
    assert default_schema().relations == ()


def test_the_example_is_told_as_a_reply_should_be() -> None:
    told = schema().prompt("en")
    _, example = told.split("\n\n")
    *sentences, reply = example.splitlines()
    assert sentences == ["1: Paul wears a hat, says Ann.", "2: It is Eve's."]
    assert json.loads(reply) == {
        "names": {"Person": ["Paul"], "Object": ["hat"], "Other": []},
        "aliases": [],
        "facts": [[1, "Paul", "wears", "hat", "Ann"]],
        "implied": [[[1, 2], "hat", "is owned by", "Eve"]],
    }


def test_an_alias_of_the_example_stands_in_a_list_of_its_own() -> None:
    _, _, reply = default_schema().prompt("en").splitlines()
    told = json.loads(reply)
    assert told["aliases"] == [[2, "L'Aiguille", "Tisserands"]]
    assert all(fact[2] != "alias" for fact in told["facts"])


def test_where_only_its_own_predicates_count_facts_are_told_by_their_keys() -> None:
    reply = json.loads(read_schema(GOOD, mode="enforce").prompt("en").splitlines()[-1])
    assert reply["facts"] == [{"n": 1, "s": "Paul", "p": "wears", "o": "hat", "by": "Ann", "when": "", "not": False}]


def test_types_and_relations_are_told_in_the_language_of_the_text() -> None:
    assert (
        schema()
        .prompt("fr")
        .startswith(
            "Types: Object (a thing that can be held).\n"
            "Take p from these where one fits. Object to Person: appartient à; Person to any: wears."
        )
    )
    assert "No p but these. Object to Person: is owned by;" in read_schema(GOOD, mode="enforce").prompt("en")


def test_what_is_enforced_is_in_the_reply_schema() -> None:
    free, strict = (
        read_schema(GOOD, mode=mode).reply_schema("fr", BUDGETS["thrifty"])["properties"]
        for mode in ("guide", "enforce")
    )
    assert free["facts"]["maxItems"] == 8
    assert free["implied"]["maxItems"] == 2
    assert free["facts"]["items"]["type"] == "array"
    assert strict["facts"]["items"]["properties"]["p"]["enum"] == ["appartient à", "wears", "alias"]
    assert list(free["names"]["properties"]) == ["Person", "Object", "Other"]
    assert list(strict["names"]["properties"]) == ["Person", "Object"]


@pytest.mark.parametrize(
    ("predicate", "language", "names"),
    [
        ("wore", "en", []),
        ("wears", "en", ["wears"]),
        ("always wearing", "en", ["wears"]),
        ("was once owned by", "en", ["is owned by"]),
        ("is", "en", []),
        ("appartenait à", "fr", []),
        ("appartient à", "fr", ["is owned by"]),
        ("", "en", []),
    ],
)
def test_a_predicate_is_matched_by_its_words(predicate: str, language: str, names: list[str]) -> None:
    assert [relation.name for relation in schema().fitting(predicate, language)] == names


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Input should be"),
        ("just words", "Input should be"),
        ("name: [", "while parsing"),
        ("name: x", "types: Field required"),
        (GOOD.replace("name: rings", "nam: rings"), "name: Field required"),
        (GOOD.replace("name: rings", "name: rings\nmode: strict"), "mode: Input should be 'guide' or 'enforce'"),
        (GOOD.replace("Person: ,", "'W_1`; DROP': ,"), "types"),
        (GOOD.replace("[Person]", "[Place]"), "the relation 'is owned by' joins 'Place', which is not among the types"),
        (GOOD.replace("fr:", "french:"), "neither name, from, to, nor a language"),
        (GOOD.replace("[1, Paul, wears, hat, Ann]", "[1, Paul]"), "examples.0.facts.0"),
        (GOOD + "extra: 1", "extra: Extra inputs are not permitted"),
        ("a: &a [x, x]\nb: *a", "refers back to its own parts"),
        ("x" * (MAX_BYTES + 1), "longer than 64,000 bytes"),
        ("[" * 20_000, "nested more than 20 deep"),
        (GOOD.replace("a thing that can be held", "a thing " * 200), "tokens of every prompt, more than"),
        ("!!python/object/apply:os.system ['true']", "could not determine a constructor"),
    ],
)
def test_a_schema_that_cannot_be_used_says_why(text: str, why: str) -> None:
    with pytest.raises(InputError) as raised:
        schema(text)
    assert why in raised.value.cause
    assert raised.value.cure
