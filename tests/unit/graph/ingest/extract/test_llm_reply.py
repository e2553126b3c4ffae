"""Replies that name the fields of a fact otherwise than they were asked to."""

from __future__ import annotations

import json

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
