"""Parts of the results of several tools: citations and statements, shortened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

JSON = dict[str, Any]

LONGEST_TEXT = 8_000  # characters of an answer, or of a piece of a document
LONGEST_SENTENCE = 240  # characters; a form has many sentences
RELATIONS_COMPARED = 20
FACTS_COMPARED = 5
ALIASES = 8
STATEMENTS = 4  # of a matter
VERDICTS = {"": "may disagree", "contradiction": "contradiction", "not": "not one", "unsure": "cannot tell"}


def fact_text(fact: Mapping[str, Any]) -> str:
    """A fact in words, marked if no text says it."""
    said = fact.get("sentences", ())
    own = fact.get("own") or (said and all(sentence["origin"] == "own" for sentence in said))
    return f"{fact['subject']} {fact['predicate']} {fact['object']}{own_mark(bool(own))}"


def own_mark(own: bool) -> str:
    return " (stated by a person)" if own else ""


def statement_row(statement: Mapping[str, Any]) -> JSON:
    fields = ("voice", "sentence", "source", "place", "date", "document_id", "chunk_id")
    return {name: shorten(statement[name], LONGEST_SENTENCE) for name in fields}


def more_statements(count: int) -> JSON:
    """How many statements of a matter are not shown."""
    return {"more_statements": count} if count > 0 else {}


def statement_of_side(statement: Mapping[str, Any]) -> JSON:
    return {"side": statement["side"], **statement_row(statement)}


def citation(where: Mapping[str, Any]) -> JSON:
    fields = ("sentence", "place", "source", "document_id", "chunk_id")
    return {name: where[name] for name in fields} | qualifiers(where)


def qualifiers(statement: Mapping[str, Any]) -> JSON:
    """Who asserts it, when it is true, whether it is denied, and its premises, as far as the text gives them."""
    names = ("according_to", "when", "when_date", "denied", "premises")
    return {name: statement[name] for name in names if statement.get(name)}


def shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
