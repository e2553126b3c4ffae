"""Lists by rules and as an LLM read them, as one list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date

from filigraph.graph.analysis.list_items import YEAR_CHARS, ItemList, ItemPlace, ListItem, list_item, sums
from filigraph.graph.list_reading.plan import ListBatch
from filigraph.graph.model.llm_readings import ListReading, ReadItem
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.text.formats.rows import TextRow, quantities_of, text_rows
from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.numbers.quantity_units import alike
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import dates_in, days_of
from filigraph.graph.text.words import tokens

_PLACE = tuple(field.name for field in fields(ItemPlace))


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
    within = [
        list_item(
            one.item,
            chunks[one.place.chunk_id],
            passage,
            row,
            _words(passage, row, one, alone=count[passage.id, row.start] == 1),
            score=1.0,
            model=by.model,
        )
        for row, one, by in stated
        if _meets_conditions(question, passage := passages[one.place.chunk_id], row, one)
    ]
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
    return row.text if alone and not quantities_of(replace(row, text=words), passage.language) else words


def _meets_conditions(question: ListQuestion, passage: Passage, row: TextRow, item: ReadItem) -> bool:
    """False only if the words that say it have amounts, or days or months, and none is within the limits. A bare
    year may be that of a birth, or a vintage."""
    words = passage.text[item.place.start : item.place.end]
    if question.unit:
        stated = quantities_of(replace(row, text=words), passage.language) or quantities_of(row, passage.language)
        values = [one.value for one in stated if alike(one.unit, question.unit)]
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


def _joined(items: Sequence[ListItem]) -> Iterator[ListItem]:
    """Items that have one name, or that overlapping chunks tell twice, as one with several places."""
    joined: dict[tuple[object, ...], list[ListItem]] = {}
    times = Counter[tuple[str, ...]]()  # a name twice in one passage is two items
    for item in items:
        name = tuple(token.folded for token in tokens(item.item)) or (item.item,)
        times[item.chunk_id, *name] += 1
        joined.setdefault((times[item.chunk_id, *name], *name), []).append(item)
    for same in joined.values():
        places = {(one.document_id, one.sentence): one for one in reversed(same)}
        first = places.pop((same[0].document_id, same[0].sentence))
        also = (ItemPlace(**{name: getattr(one, name) for name in _PLACE}) for one in reversed(places.values()))
        yield replace(first, also=tuple(also))
