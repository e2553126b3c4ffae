"""Replies that name the fields of a fact otherwise than they were asked to."""

from __future__ import annotations

import json

import pytest

from filigraph.graph.ingest.extract.llm_reply import read_reply


def test_fields_written_in_full_are_understood() -> None:
    fact = {"Sentence": 1, "subject": "Ann", "relation": "sold", "object": "boat", "according_to": "Paul"}
    reply, note = read_reply(json.dumps({"names": {}, "facts": [fact]}))
    assert (note, reply and reply.facts) == ("", [{"n": 1, "s": "Ann", "p": "sold", "o": "boat", "by": "Paul"}])


def test_facts_in_another_form_are_not_taken_for_none() -> None:
    assert read_reply(json.dumps({"names": {}, "facts": [{"fact": "Ann sold the boat"}]})) == (
        None,
        "its facts have another form than was asked for",
    )
    assert read_reply('{"names": {}, "facts": []}')[0] is not None


def test_a_field_of_the_right_name_keeps_its_value() -> None:
    fact = {"n": 3, "s": "Paul", "p": "sold", "o": "mill", "sentence": "Paul sold the mill."}
    reply, _ = read_reply(json.dumps({"names": {}, "facts": [fact]}))
    assert reply and reply.facts == [{"n": 3, "s": "Paul", "p": "sold", "o": "mill"}]
    told = {"sentence": "Paul sold the mill.", "sentence_number": 3, "s": "Paul", "p": "sold", "o": "mill"}
    reply, _ = read_reply(json.dumps({"names": {}, "facts": [told]}))
    assert reply and [one["n"] for one in reply.facts] == [3]


def test_a_note_instead_of_facts_does_not_lose_the_names() -> None:
    reply, note = read_reply('{"facts": [{"note": "none"}], "names": {"person": ["Ann"]}}')
    assert (reply and reply.names, note) == ([("person", "Ann")], "")


@pytest.mark.parametrize(
    "reply",
    [
        '{"names": {"Person": ["Ann"]}, "facts": [[1, "Ann", "bought", "boat"]]}'.replace('"', "&quot;"),
        "```yaml\nnames:\n  Person: [Ann]\nfacts:\n  - [1, Ann, bought, boat]\n```",
        '{"names": {"Person": ["Ann"]}, "facts": [["Sentence 1", "Ann", "bought", "boat"]]}',
        '{"names": {"Person": ["Ann"]}, "facts": [{"n": "[1]", "s": "Ann", "p": "bought", "o": "boat"}]}',
    ],
)
def test_replies_in_entities_in_yaml_and_with_numbers_in_words_are_read(reply: str) -> None:
    read, problem = read_reply(reply)
    assert (read and [dict(fact) for fact in read.facts], problem) == (
        [{"n": 1, "s": "Ann", "p": "bought", "o": "boat"}],
        "",
    )


def test_prose_that_looks_like_yaml_is_no_reply_and_a_name_no_number() -> None:
    assert read_reply("note: nothing here")[0] is None
    assert read_reply("names: &a [*a]")[0] is None
    read, _ = read_reply('{"names": {}, "facts": [["S1", "met", "Ann"]]}')
    assert read and [fact["s"] for fact in read.facts] == ["S1"]
