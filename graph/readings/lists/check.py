"""The check of a list that an LLM made in several calls: all its items together, each with the sentences that say it.

No call sees all passages, so a thing may be listed under two names ("Tom Quill, stoker", "Thomas Quill, stoker"), and a
number would be wrong. A check says which items are one, and which do not belong. What it said is stored like the reply
to any other call: for each item of the check the one that it is, with no name if it does not belong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from filigraph.graph.analysis.list_items import ItemList, ListItem, sums
from filigraph.graph.ids import content_id
from filigraph.graph.model.llm_readings import ListReading, ReadItem, SentencePlace
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens, fence
from filigraph.graph.models.llm_batches import says_none
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.readings.lists.plan import REPLY_TOKENS, TEXT_TOKENS, VERSION, ListBatch
from filigraph.graph.records.documents import PlacedSentence
from filigraph.graph.text.list_questions import ListQuestion

MAX_PLACES = 3  # of an item that are shown
MAX_SENTENCE_CHARS = 300  # characters of a sentence that are shown
_LINE = re.compile(
    r"^\W{0,6}(?P<number>\d{1,4})[\s:*\]]*\|[\s*]*(?P<verdict>SAME|NOT)\b[\s:*]*(?:\|\W{0,4}(?P<rest>.*))?$",
    re.IGNORECASE,
)
_PLACE = tuple(field.name for field in fields(PlacedSentence))


@dataclass(frozen=True, kw_only=True)
class ListCheck:
    """Items that are checked together."""

    items: tuple[ListItem, ...]  # the first is number 1
    prompt: Prompt

    @cached_property
    def key(self) -> str:
        """What is asked, as a hash."""
        return content_id("check_list", self.prompt.user)

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return tuple(sorted({place.chunk_id for item in self.items for place in (item, *item.also)}))

    @property
    def usage(self) -> Usage:
        """What the call takes, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=REPLY_TOKENS)


def check_recipe(model: str) -> str:
    """How lists are checked, and by whom."""
    return f"{VERSION}:{prompt_hash('check_list')}:{model}"


def plan_list_checks(
    question: ListQuestion, items: Sequence[ListItem], batches: Sequence[ListBatch]
) -> list[ListCheck]:
    """The checks of what an LLM found: none if one call saw it all, else one if it fits into a call, else several, each
    of items with similar names."""
    found = [item for item in items if item.model]
    batch_of = {id_: n for n, batch in enumerate(batches) for id_ in batch.chunk_ids}
    if len({batch_of.get(item.chunk_id) for item in found}) < 2:
        return []
    if sum(estimate_tokens(_block(1, item)) for item in found) > TEXT_TOKENS:
        found.sort(key=lambda item: item.item.casefold())
    return [_check(question, part) for part in _parts(found)]


def _parts(items: Sequence[ListItem]) -> Iterator[list[ListItem]]:
    part, room = list[ListItem](), TEXT_TOKENS
    for item in items:
        size = estimate_tokens(_block(1, item))
        if part and size > room:
            yield part
            part, room = [], TEXT_TOKENS
        part.append(item)
        room -= size
    yield part


def _check(question: ListQuestion, items: Sequence[ListItem]) -> ListCheck:
    blocks, asked = "\n".join(_block(n, item) for n, item in enumerate(items, start=1)), " ".join(question.text.split())
    prompt = render("check_list", tag=fence(blocks, asked), items=blocks, question=asked)
    return ListCheck(items=tuple(items), prompt=prompt)


def _block(number: int, item: ListItem) -> str:
    """An item, and a line for each sentence that says it."""
    shown = [(item.caption, item), *(("", place) for place in item.also)][:MAX_PLACES]
    return "\n".join([f"[{number}] {item.item}", *(_line(caption, place) for caption, place in shown)])


def _line(caption: str, place: PlacedSentence) -> str:
    where = ", ".join(" ".join(part.split()) for part in (place.title or place.source, place.place, caption) if part)
    sentence = " ".join(place.sentence.split())
    return f"    {where}: {sentence[:MAX_SENTENCE_CHARS]}{'…' if len(sentence) > MAX_SENTENCE_CHARS else ''}"


def read_list_check(reply: str, check: ListCheck, model: str) -> ListReading | None:
    """For each item the one that it is; None where nothing of the reply can be read. Numbers that there are not, and
    items that would be one another in a circle, are left out and counted."""
    lines = [match for line in reply.splitlines() if (match := _LINE.match(line.strip()))]
    if not lines and not says_none(reply):
        return None
    same, dropped, left_out = dict[int, int](), set[int](), 0
    for match in lines:
        number, other = int(match["number"]), re.match(r"\d{1,4}\b", match["rest"] or "")
        if not 1 <= number <= len(check.items) or number in same or number in dropped:
            left_out += 1
        elif match["verdict"].upper() == "NOT":
            dropped.add(number)
        elif other and 1 <= int(other[0]) <= len(check.items) and _kept(int(other[0]), same) != number:
            same[number] = int(other[0])
        else:
            left_out += 1
    kept = [_kept(number, same) for number in range(1, len(check.items) + 1)]
    return ListReading(
        key=check.key,
        model=model,
        recipe=check_recipe(model),
        chunk_ids=check.chunk_ids,
        items=tuple(_said("" if number in dropped else check.items[number - 1].item, check, number) for number in kept),
        left_out=left_out,
    )


def _kept(number: int, same: Mapping[int, int]) -> int:
    """The item that an item is in the end."""
    while number in same:
        number = same[number]
    return number


def _said(name: str, check: ListCheck, number: int) -> ReadItem:
    item = check.items[number - 1]
    return ReadItem(item=name, place=SentencePlace(chunk_id=item.chunk_id, start=item.start, end=item.end))


def with_checks(
    listing: ItemList, question: ListQuestion, checks: Sequence[ListCheck], readings: Mapping[str, ListReading]
) -> ItemList:
    """Items that are one as one with several places, without those that do not belong. `readings`: by the keys of
    checks."""
    said = {
        item: one
        for check in checks
        if check.key in readings
        for item, one in zip(check.items, readings[check.key].items, strict=True)
    }
    if not said:
        return listing
    groups: dict[object, list[ListItem]] = {}
    for item in listing.items:
        one = said.get(item)
        if one is None:
            groups[item] = [item]
        elif one.item:
            groups.setdefault(one, []).append(item)
    items = [_as_one(group, key.item if isinstance(key, ReadItem) else "") for key, group in groups.items()]
    left_out = listing.left_out + sum(not one.item for one in said.values())
    return replace(listing, items=tuple(items), sums=sums(items, question.unit), left_out=left_out)


def _as_one(group: Sequence[ListItem], name: str) -> ListItem:
    """Items as one with the places of all: the one of that name, else the first."""
    shown = next((item for item in group if item.item == name), group[0])
    places = {(place.document_id, place.sentence): place for item in group for place in (item, *item.also)}
    places.pop((shown.document_id, shown.sentence))
    also = tuple(PlacedSentence(**{field: getattr(place, field) for field in _PLACE}) for place in places.values())
    return replace(shown, also=also)
