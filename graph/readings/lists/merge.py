"""Lists by rules and as an LLM read them, as one list."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TypeVar

from filigraph.graph.analysis.list_items import YEAR_CHARS, ItemList, ListItem, list_item, sums
from filigraph.graph.model.llm_readings import ListReading, ReadItem
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.readings.lists.plan import ListBatch
from filigraph.graph.records.documents import PlacedSentence
from filigraph.graph.text.formats.rows import TextRow, quantities_of, text_rows
from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.numbers.quantities import Quantity
from filigraph.graph.text.numbers.quantity_units import same_unit
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import dates_in, days_of
from filigraph.graph.text.words import tokens

T = TypeVar("T")

_PLACE = tuple(field.name for field in fields(PlacedSentence))


def with_list_readings(
    listing: ItemList,
    question: ListQuestion,
    batches: Sequence[ListBatch],
    readings: Mapping[str, ListReading],
    chunks: Mapping[str, PoolChunk],
) -> ItemList:
    """In passages that an LLM read its items alone count, in the others those of the rules. `readings`: by the keys of
    batches; `chunks`: those of the read passages."""
    read = [(batch, readings[batch.key]) for batch in batches if batch.key in readings]
    if not read:
        return listing
    passages = {passage.id: passage for batch, _ in read for passage in batch.passages.values()}
    order = {id_: n for n, id_ in enumerate(passages)}
    stated = [
        (_row(passages[one.place.chunk_id], one), one, reading)
        for _, reading in read
        for one in reading.items
        if one.place.chunk_id in chunks
    ]
    count = Counter((one.place.chunk_id, row.start) for row, one, _ in stated)
    within = list[_ItemWords]()
    for row, one, by in stated:
        passage = passages[one.place.chunk_id]
        if _meets_conditions(question, passage, row, one):
            words = _words(passage, row, one, alone=count[passage.id, row.start] == 1)
            item = list_item(one.item, chunks[passage.id], passage, row, words, score=1.0, model=by.model)
            within.append(_ItemWords(item, item.quantities, tuple(dates_in(words, passage.language))))
    items = [*_joined(within), *(item for item in listing.items if item.chunk_id not in passages)]
    items.sort(key=lambda item: (item.source, item.document_id, order.get(item.chunk_id, -1), item.start))
    return replace(
        listing,
        items=tuple(items),
        sums=sums(items, question.unit),
        read=len(passages),
        models=tuple(sorted({reading.model for _, reading in read})),
        calls=len(read),
        of_calls=len(batches),
        left_out=sum(reading.left_out for _, reading in read) + len(stated) - len(within),
    )


def _row(passage: Passage, item: ReadItem) -> TextRow:
    """The sentence or row of an item; of words that reach over several, all of them."""
    rows = [
        row
        for row in text_rows(passage.text, list(sentences(passage.text, passage.language)))
        if row.start < item.place.end and item.place.start < row.end
    ]
    if len(rows) == 1:
        return rows[0]
    start, end = (rows[0].start, rows[-1].end) if rows else (item.place.start, item.place.end)
    return TextRow(start, end, passage.text[start:end].strip())


def _words(passage: Passage, row: TextRow, item: ReadItem, *, alone: bool) -> str:
    """The words that have the amounts of an item: those that say it; if they have none and no other item is of that
    sentence or row, all of it."""
    words = passage.text[item.place.start : item.place.end]
    said, whole = (quantities_of(replace(row, text=text), passage.language) for text in (words, row.text))
    return row.text if alone and whole and not said else words


def _meets_conditions(question: ListQuestion, passage: Passage, row: TextRow, item: ReadItem) -> bool:
    """False only if the words that say it have amounts, or days or months, and none is within the limits. A bare
    year may be that of a birth, or a vintage."""
    words = passage.text[item.place.start : item.place.end]
    if question.unit:
        stated = quantities_of(replace(row, text=words), passage.language) or quantities_of(row, passage.language)
        values = [one.value for one in stated if same_unit(one.unit, question.unit)]
        if values and not any(map(question.holds, values)):
            return False
    if question.period and not _is_year(question.period):
        named = [day for day in dates_in(words, passage.language) if not day.startswith("--") and len(day) > YEAR_CHARS]
        days = [days for day in named if (days := days_of(day))]
        if days and not any(question.period.overlaps(span) for span in days):
            return False
    return True


def _is_year(period: Period) -> bool:
    year = period.first.year if period.first else 0
    return bool(year) and (period.first, period.last) == (date(year, 1, 1), date(year, 12, 31))


@dataclass(frozen=True)
class _ItemWords:
    """An item, and the amounts and days that its own words state."""

    item: ListItem
    amounts: tuple[Quantity, ...]
    days: tuple[str, ...]

    def may_be(self, other: _ItemWords) -> bool:
        """False if both state amounts of one unit, or days, and have none in common: the rent of March is not that of
        May. A name twice in one passage is two items."""
        return self.item.chunk_id != other.item.chunk_id and (
            _agree(self.amounts, other.amounts, lambda one, two: same_unit(one.unit, two.unit), _same_value)
            and _agree(self.days, other.days, lambda *_: True, _same_day)
        )


def _agree(
    ones: Sequence[T], others: Sequence[T], related: Callable[[T, T], bool], same: Callable[[T, T], bool]
) -> bool:
    pairs = [(one, two) for one in ones for two in others if related(one, two)]
    return not pairs or any(same(one, two) for one, two in pairs)


def _same_value(one: Quantity, other: Quantity) -> bool:
    return one.value == other.value


def _same_day(one: str, other: str) -> bool:
    """Whether two dates may be one: "--03-12" and "1912-03"."""
    parts = zip(_parts(one), _parts(other), strict=False)
    return all(part == other_part or not part or not other_part for part, other_part in parts)


def _parts(day: str) -> list[str]:
    """Year, month and day; "" for the year that a date leaves out."""
    return ["", *day[2:].split("-")] if day.startswith("--") else day.split("-")


def _joined(items: Sequence[_ItemWords]) -> Iterator[ListItem]:
    """Items that have one name and may be one, or that overlapping chunks tell twice, as one with several places."""
    joined = list[list[_ItemWords]]()
    named = defaultdict[tuple[str, ...], list[list[_ItemWords]]](list)
    for said in items:
        name = tuple(token.folded for token in tokens(said.item.item)) or (said.item.item,)
        group = next((group for group in named[name] if all(map(said.may_be, group))), None)
        if group is None:
            named[name].append(group := [])
            joined.append(group)
        group.append(said)
    for group in joined:
        same = [said.item for said in group]
        places = {(one.document_id, one.sentence): one for one in reversed(same)}
        first = places.pop((same[0].document_id, same[0].sentence))
        also = (PlacedSentence(**{name: getattr(one, name) for name in _PLACE}) for one in reversed(places.values()))
        yield replace(first, also=tuple(also))
