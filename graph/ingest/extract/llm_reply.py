"""Parse the reply of a language model, before it is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.ingest.extract.schema import ALIAS, DESCRIBED
from filigraph.graph.text.formats.loose_json import (
    breaks_off,
    cut_object,
    innermost_objects,
    rows,
    whole_object,
    yaml_object,
)
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.surrogates import has_half_character
from filigraph.graph.text.words import fold

MAX_NAME_CHARS = 100  # characters
_FIELDS: Mapping[str, str] = {
    written: field
    for field, words in {
        "n": "n sentence sentence_number sentences number",
        "s": "s subject source head",
        "p": "p predicate relation relationship verb",
        "o": "o object target tail",
        "by": "by said_by according_to speaker",
        "when": "when date time",
    }.items()
    for written in words.split()
}
_NUMBERED = re.compile(r"\W{0,2}(?:s|sent|sentence|phrase|satz|n|no|nr|line)?\W{0,2}(\d{1,4})\W{0,2}", re.IGNORECASE)
ALIASES = (ALIAS, "alias of", "alias de")  # predicates of aliases, folded


@dataclass(frozen=True, kw_only=True)
class ExtractionReply:
    """The content of a reply, before it is checked."""

    names: Sequence[tuple[str, Any]]  # type, name
    facts: Sequence[Mapping[str, Any]]
    implied: Sequence[Mapping[str, Any]]


def read_reply(reply: str) -> tuple[ExtractionReply | None, str]:
    """The readable parts of a reply and, in words, what is wrong with it ("" if nothing); None if nothing is
    readable.
    """
    if not reply.strip():
        return None, "the reply was empty"
    whole = whole_object(reply) or yaml_object(reply)
    if has_half_character(json.dumps(whole, ensure_ascii=False)):
        return None, "it holds half of a character"
    if whole is not None and ("facts" in whole or "names" in whole):
        read = _reply(whole)
        given = whole.get("facts")
        in_vain = isinstance(given, list) and any(isinstance(one, dict) for one in given) and not read.facts
        lost = in_vain and not read.names  # with names, [{"note": "none"}] means that there are no facts
        return (None, "its facts have another form than was asked for") if lost else (read, "")
    cut = breaks_off(reply)
    note = "the reply was cut; what was complete is kept" if cut else "its JSON has errors; what could be read is kept"
    pieces = [*innermost_objects(reply), *filter(None, map(_fact_of_array, rows(reply)))]
    facts = [piece for piece in pieces if "s" in piece and "o" in piece]
    if has_half_character(json.dumps(pieces, ensure_ascii=False)):
        return None, "it holds half of a character"
    if not facts:
        begun = cut_object(reply) if cut and whole is None else None
        if begun and begun.get("facts") and not has_half_character(json.dumps(begun, ensure_ascii=False)):
            return _reply(begun), note
        return None, _problem(reply, whole)
    names = next(
        (piece for piece in pieces if piece and all(isinstance(value, list) for value in piece.values())), None
    )
    return ExtractionReply(
        names=_names(names),
        facts=[fact for fact in facts if not isinstance(fact.get("n"), list)],
        implied=[fact for fact in facts if isinstance(fact.get("n"), list)],
    ), note


def _problem(reply: str, whole: Mapping[str, Any] | None) -> str:
    """Why a reply is unreadable."""
    if "{" not in reply or whole is not None:
        return "it is not the JSON that was asked for"
    return "its JSON breaks off too early" if breaks_off(reply) else "its JSON has errors"


def _reply(whole: Mapping[str, Any]) -> ExtractionReply:
    return ExtractionReply(
        names=_names(whole.get("names")),
        facts=[*_facts_as_objects(whole.get("facts")), *_facts_as_objects(whole.get("aliases"))],
        implied=_facts_as_objects(whole.get("implied")),
    )


def _names(value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        return []
    return [(type_, name) for type_, names in value.items() if isinstance(names, list) for name in names]


def _facts_as_objects(value: Any) -> list[Mapping[str, Any]]:
    """Facts and aliases as objects, in whichever form the model gave them."""
    items = value if isinstance(value, list) else []
    return [
        fact for item in items if (fact := _with_our_names(item) if isinstance(item, dict) else _fact_of_array(item))
    ]


def _with_our_names(fact: Mapping[str, Any]) -> Mapping[str, Any]:
    """A fact with the names of fields that were asked for, where a model wrote them in full; {} for anything else.

    A field that has the right name keeps its value: next to "n", "sentence" is the text of the sentence.
    """
    known: dict[str, Any] = {}
    for name, value in fact.items():
        field = _FIELDS.get(fold(name), name)
        if field == name:
            known[name] = _number(value) if name == "n" else value
        elif field not in fact and not (field == "n" and isinstance(value, str)):
            known.setdefault(field, value)
    return known if {"s", "o"} <= known.keys() else {}


def _number(value: Any) -> Any:
    """The number of a sentence, as "Sentence 3" or "[3]", too; anything else unchanged."""
    match = _NUMBERED.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) if match else value


def _fact_of_array(row: Any) -> Mapping[str, Any]:
    """A fact or an alias given as an array, as an object; the number may be missing. {} if it is neither."""
    if not isinstance(row, list) or not row:
        return {}
    number = _number(row[0]) if len(row) > 3 or str(row[0]).isdecimal() else row[0]  # ["S1", "met", "Ann"]
    number, rest = (None, row) if isinstance(number, str) else (number, row[1:])
    if len(rest) == 2:
        return {"n": number, "s": rest[0], "p": ALIAS, "o": rest[1]}
    if len(rest) in (3, 4, 5):
        return dict(zip(("n", "s", "p", "o", "by", "when"), (number, *rest), strict=False))
    return {}


# The parts of a fact


def is_alias(raw: Mapping[str, Any]) -> bool:
    return fold(" ".join(str(raw.get("p") or "").split())).strip(" .") in ALIASES


def describes(raw: Mapping[str, Any]) -> bool:
    return fold(" ".join(str(raw.get("p") or "").split())) == DESCRIBED


def taken_apart(raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The parts of a description, "young, limps", each with the sentences of the whole."""
    words = raw.get("o")
    if not describes(raw) or not isinstance(words, str):
        return [raw]
    return [{**raw, "o": part.strip()} for part in words.split(",") if part.strip()]


def connected_pairs(facts: Sequence[Mapping[str, Any]]) -> frozenset[frozenset[str]]:
    """The pairs of names, by key, that are subject and object of one fact."""
    ends = ([name_key(str(raw.get(end) or "")[:MAX_NAME_CHARS]) for end in ("s", "o")] for raw in facts)
    return frozenset(frozenset(pair) for pair in ends if all(pair))


def numbers(value: Any, most: int) -> list[int]:
    """The existing sentences that a fact refers to, in order."""
    items = value if isinstance(value, list) else [value]
    return sorted({n for n in items if isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= most})
