"""Parses an LLM's reply on the cast of a document. The reply may be broken or hostile: names that are neither in the
list nor in an extract, contradictory numbers and extracts that do not exist are left out, and counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from filigraph.graph.model.llm_readings import CastMember, CastPair, CastReading
from filigraph.graph.models.llm import Schema
from filigraph.graph.readings.cast.plan import CastBatch
from filigraph.graph.text.formats.loose_json import cut_object, innermost_objects, whole_object
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.names.tables import ADDRESS, DEMONSTRATIVES, EPITHETS, FUNCTION_WORDS, POSSESSIVES
from filigraph.graph.text.time.dates import dates_in
from filigraph.graph.text.words import tokens

MOST_NAMES = 40  # of one member; with more it lists everybody
_SAID_TO_ANYBODY = FUNCTION_WORDS | EPITHETS.keys() | ADDRESS.keys()
MAX_NAME_CHARS = 60  # characters of a name that the reply adds
_APART = re.compile("[,;:!?]")  # between the words of two names
_NUMBER = re.compile(r"\s*(\d{1,6})\s*(?:[.:)].*)?$", re.DOTALL)
_NUMBERS = {"type": "array", "items": {"type": "integer"}}
SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "members": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "names": _NUMBERS,
                    "also": {"type": "array", "items": {"type": "string"}},
                    "extract": {"type": "integer"},
                },
                "required": ["names", "also", "extract"],
            },
        },
        "identities": {"type": "array", "items": _NUMBERS},
        "contrasts": {"type": "array", "items": _NUMBERS},
        "open": _NUMBERS,
    },
    "required": ["members", "identities", "contrasts", "open"],
}


@dataclass(frozen=True, kw_only=True)
class CastReply:
    """The readable part of a reply."""

    reading: CastReading
    left_out: int  # names, members and pairs that cannot be believed


def read_cast_reply(reply: str, batch: CastBatch, key: str) -> CastReply | None:
    """A parsed reply; None if it is unreadable."""
    whole = whole_object(reply)
    if whole is None or not isinstance(whole.get("members"), list):
        whole = cut_object(reply) or {}
    if not isinstance(whole.get("members"), list):
        whole = {"members": [piece for piece in innermost_objects(reply) if isinstance(piece.get("names"), list)]}
        if not whole["members"]:
            return None
    return _Reader(batch).read(whole, key)


class _Extract:
    """An extract, to look for names in."""

    def __init__(self, text: str) -> None:
        self._text, self._words = text, tokens(text)
        self._folded = f" {' '.join(word.folded for word in self._words)} "

    def as_written(self, folded: str) -> str:
        """A name as the extract has it, given as " folded words "; "" if it lacks it, or has its words apart."""
        at = self._folded.find(folded)
        if at < 0:
            return ""
        first = self._folded.count(" ", 0, at)
        last = first + folded.count(" ") - 2
        written = " ".join(self._text[self._words[first].start : self._words[last].end].split())
        return "" if _APART.search(written) else written


class _Reader:
    def __init__(self, batch: CastBatch) -> None:
        self._batch = batch
        self._extracts = [_Extract(text) for text in batch.extracts.values()]
        self._keys = frozenset(batch.names.values())
        self._added: dict[str, str] = {}  # key -> form of the names that the reply adds
        self._left_out = 0

    def read(self, whole: Mapping[str, Any], key: str) -> CastReply:
        items = [self._member(item) for item in whole["members"]]
        named = [(names, extract) for names, extract in items if names]
        often = Counter(name for names, _ in named for name in names)
        open_ = {*self._names(whole.get("open"))}
        self._left_out += sum(count - 1 for count in often.values())
        forms = {**self._batch.unread, **self._added}
        members = []
        for names, extract in named:
            sure = tuple(sorted(name for name in names if often[name] == 1 and name not in open_))
            if sure:
                further = tuple(forms[name] for name in sure if name in forms)
                members.append(CastMember(names=sure, reason=self._reason(extract), further=further))
        member_of = {name: member for member in members for name in member.names}

        def are_one(pair: CastPair) -> bool:
            return pair.first in member_of and member_of[pair.first] is member_of.get(pair.second)

        reading = CastReading(
            key=key,
            members=tuple(members),
            contrasts=tuple(pair for pair in self._pairs(whole.get("contrasts")) if not are_one(pair)),
            identities=tuple(pair for pair in self._pairs(whole.get("identities")) if are_one(pair) and pair.reason),
        )
        return CastReply(reading=reading, left_out=self._left_out)

    def _member(self, item: Any) -> tuple[list[str], Any]:
        if isinstance(item, list):  # the numbers alone
            item = {"names": item}
        if not isinstance(item, dict):
            self._left_out += 1
            return [], None
        names = self._names(item.get("names"))
        names += [name for name in self._further_names(item.get("also")) if name not in names]
        if len(names) > MOST_NAMES:
            self._left_out += len(names)
            return [], None
        return names, item.get("extract")

    def _pairs(self, value: Any) -> Iterable[CastPair]:
        seen = set()
        for item in value if isinstance(value, list) else []:
            row = [*item.values()] if isinstance(item, dict) else item
            if not isinstance(row, list) or len(row) < 2:
                self._left_out += 1
                continue
            pair = sorted({*self._names(row[:2])})
            if len(pair) == 2 and tuple(pair) not in seen:
                seen.add(tuple(pair))
                reason = self._reason(row[2] if len(row) > 2 else None)
                yield CastPair(first=pair[0], second=pair[1], reason=reason)

    def _names(self, value: Any) -> list[str]:
        """The keys of names, given by number or as written, each once."""
        names: dict[str, None] = {}
        for item in value if isinstance(value, list) else [value] if isinstance(value, int | str) else []:
            name = self._name(item)
            if name is None:
                self._left_out += 1
            else:
                names[name] = None
        return [*names]

    def _name(self, item: Any) -> str | None:
        known = self._known(item)
        if known is None and isinstance(item, str) and (number := _NUMBER.match(item)):
            return self._batch.names.get(int(number[1]))
        return known

    def _known(self, item: Any) -> str | None:
        """The key of a name of the list, or that the reply added; text is not a number here ("1. FC Köln")."""
        if isinstance(item, int) and not isinstance(item, bool):
            return self._batch.names.get(item)
        key = name_key(item[:200]) if isinstance(item, str) else ""
        return key if key in self._keys or key in self._added else None

    def _further_names(self, value: Any) -> list[str]:
        """The keys of names that the list lacks and an extract has."""
        items = value if isinstance(value, list) else [value] if isinstance(value, str) else []
        self._left_out += len(items[MOST_NAMES:])
        keys = []
        for item in items[:MOST_NAMES]:
            known = self._known(item)
            if (
                known is None
                and isinstance(item, str)
                and len(item) <= MAX_NAME_CHARS
                and (form := self._as_written(item))
            ):
                known = name_key(form)
                self._added[known] = min(form, self._added.get(known, form))
            if known is None:
                self._left_out += 1
            else:
                keys.append(known)
        return keys

    def _as_written(self, form: str) -> str:
        """A name as an extract has it, which a store can hold; "" if none has it or it is nobody's name."""
        words = f" {' '.join(word.folded for word in tokens(form))} "
        forms = [*filter(None, (extract.as_written(words) for extract in self._extracts))] if words.strip() else []
        written = form if form in forms else min(forms, default="")
        return written if _is_name(written) else ""

    def _reason(self, extract: Any) -> str:
        if isinstance(extract, list) and extract:
            extract = extract[0]
        if isinstance(extract, str) and (number := re.search(r"\d{1,6}", extract)):
            extract = int(number[0])
        if isinstance(extract, bool) or not isinstance(extract, int):
            return ""
        return self._batch.extracts.get(extract, "")


def _is_name(form: str) -> bool:
    """Whether a form may be somebody's name: not "my dear", nor "her father", who is somebody else elsewhere, nor a
    date."""
    name = parse(form)
    if all(word in _SAID_TO_ANYBODY for word in name.words):
        return False
    if not any(letter.isalpha() for letter in name.key) or any(dates_in(form, "")):
        return False
    return name.proper or name.words[0] not in POSSESSIVES | DEMONSTRATIVES
