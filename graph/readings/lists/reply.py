"""What an LLM's reply says of a batch: a line for each item. It is broken or hostile input: passages that there are not
and words that a passage does not have are left out, and counted."""

from __future__ import annotations

import re

from filigraph.graph.model.llm_readings import ListReading, ReadItem, SentencePlace
from filigraph.graph.models.llm_batches import says_none
from filigraph.graph.readings.lists.plan import ListBatch, recipe
from filigraph.graph.text.find import PhraseFinder

MAX_CHARS = 300  # characters of an item
MAX_ITEMS = 1_000  # items of one reply
_LINE = re.compile(
    r"^(?:(?:[-*•]|\d{1,3}[.)])\s+|\|\s*)?(?P<item>[^\s|].*?)\s*\|\s*"
    r"(?:\[(?P<number>\d{1,5})\]|(?P<bare>\d{1,5})(?!.*\|\s*\[\d{1,5}\]\s*\|))\s*\|\s*(?P<words>.*)$"
)


def item_of(line: str) -> str:
    """What a line of a reply calls its item; "" if the line is not complete."""
    match = _LINE.match(line.strip())
    return match["item"] if match else ""


def read_list_reply(reply: str, batch: ListBatch, model: str) -> ListReading | None:
    """None where nothing of it can be read."""
    lines = [match for line in reply.splitlines() if (match := _LINE.match(line.strip()))]
    if not lines and not says_none(reply):
        return None
    finders = {number: PhraseFinder(passage.text) for number, passage in batch.passages.items()}
    items: dict[tuple[str, SentencePlace], ReadItem] = {}
    left_out = 0
    for match in lines:
        number, name = int(match["number"] or match["bare"]), " ".join(match["item"].split())[:MAX_CHARS]
        places = finders[number].find(match["words"]) if number in finders else []
        if not places or len(items) >= MAX_ITEMS:
            left_out += 1
            continue
        known = {(place.start, place.end) for _, place in items if place.chunk_id == batch.passages[number].id}
        start, end = next((span for span in places if span not in known), places[0])
        place = SentencePlace(chunk_id=batch.passages[number].id, start=start, end=end)
        items[name, place] = ReadItem(item=name, place=place)
    return ListReading(
        key=batch.key,
        model=model,
        recipe=recipe(model),
        chunk_ids=batch.chunk_ids,
        items=tuple(items.values()),
        left_out=left_out,
    )
