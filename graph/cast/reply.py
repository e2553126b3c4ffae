"""Parses an LLM's reply on the cast of a document. The reply may be broken or hostile: names that were not asked for,
contradictory numbers and extracts that do not exist are left out, and counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from filigraph.graph.cast.plan import CastBatch
from filigraph.graph.model.llm_readings import CastContrast, CastMember, CastReading
from filigraph.graph.models.llm import Schema
from filigraph.graph.text.formats.loose_json import cut_object, innermost_objects, whole_object
from filigraph.graph.text.names.parse import name_key

MOST_NAMES = 40  # of one member; with more it lists everybody
_NUMBER = re.compile(r"\s*(\d{1,6})\s*(?:[.:)].*)?$", re.DOTALL)
_NUMBERS = {"type": "array", "items": {"type": "integer"}}
SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "members": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"names": _NUMBERS, "extract": {"type": "integer"}},
                "required": ["names", "extract"],
            },
        },
        "contrasts": {"type": "array", "items": _NUMBERS},
        "open": _NUMBERS,
    },
    "required": ["members", "contrasts", "open"],
}


@dataclass(frozen=True, kw_only=True)
class CastReply:
    """The readable part of a reply."""

    reading: CastReading
    left_out: int  # names, members and contrasts that cannot be believed


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


class _Reader:
    def __init__(self, batch: CastBatch) -> None:
        self._batch = batch
        self._number_of = {name: number for number, name in batch.names.items()}
        self._left_out = 0

    def read(self, whole: Mapping[str, Any], key: str) -> CastReply:
        items = [self._member(item) for item in whole["members"]]
        named = [(names, extract) for names, extract in items if names]
        often = Counter(name for names, _ in named for name in names)
        open_ = {*self._names(whole.get("open"))}
        self._left_out += sum(count - 1 for count in often.values())
        members = []
        for names, extract in named:
            sure = tuple(sorted(name for name in names if often[name] == 1 and name not in open_))
            if sure:
                members.append(CastMember(names=sure, reason=self._reason(extract)))
        member_of = {name: member for member in members for name in member.names}
        contrasts = [
            contrast
            for contrast in self._contrasts(whole.get("contrasts"))
            if contrast.first not in member_of or member_of[contrast.first] is not member_of.get(contrast.second)
        ]
        reading = CastReading(key=key, members=tuple(members), contrasts=tuple(contrasts))
        return CastReply(reading=reading, left_out=self._left_out)

    def _member(self, item: Any) -> tuple[list[str], Any]:
        if isinstance(item, list):  # the numbers alone
            item = {"names": item}
        if not isinstance(item, dict):
            self._left_out += 1
            return [], None
        names = self._names(item.get("names"))
        if len(names) > MOST_NAMES:
            self._left_out += len(names)
            return [], None
        return names, item.get("extract")

    def _contrasts(self, value: Any) -> Iterable[CastContrast]:
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
                yield CastContrast(first=pair[0], second=pair[1], reason=reason)

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
        if isinstance(item, bool):
            return None
        if isinstance(item, int):
            return self._batch.names.get(item)
        if not isinstance(item, str):
            return None
        if (key := name_key(item[:200])) in self._number_of:
            return key
        number = _NUMBER.match(item)
        return self._batch.names.get(int(number[1])) if number else None

    def _reason(self, extract: Any) -> str:
        if isinstance(extract, list) and extract:
            extract = extract[0]
        if isinstance(extract, str) and (number := re.search(r"\d{1,6}", extract)):
            extract = int(number[0])
        if isinstance(extract, bool) or not isinstance(extract, int):
            return ""
        return self._batch.extracts.get(extract, "")
