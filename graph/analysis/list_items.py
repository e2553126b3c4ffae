"""Lists: the things that a question asks for, each with the sentence or row that says it.

A pass over the passages scores every sentence by the words of the question (in it, in the header and caption of its
table, in the title), and by the cosine of it and of the facts read in it. Limits ("over 100 pounds") and dates are
conditions, not scores. The rows of one table or list are judged together, by the text above them. This needs no
language model, and the list may be incomplete: `ItemList` says how much was searched. `list_reading` merges what an
LLM read.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from heapq import nlargest
from typing import Annotated, NamedTuple, Protocol

import numpy as np
from pydantic import Field

from filigraph.graph.model.arrays import Floats, Vector
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.records.documents import PlacedSentence, WordHit
from filigraph.graph.text.formats.rows import TextRow, heading_years, headings, is_heading, quantities_of, text_rows
from filigraph.graph.text.formats.sentence_items import enumerated
from filigraph.graph.text.list_kinds import NAMING_WORDS, head_of
from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.numbers.quantities import Quantity, quantities
from filigraph.graph.text.numbers.quantity_units import same_unit
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import dates_in, days_of
from filigraph.graph.text.word_groups import terms_of_kind
from filigraph.graph.text.words import lucene_query, query_terms, terms

MAX_PASSAGES = 2_000  # passages that are searched; in a larger workspace the nearest ones
RANK_OFFSET = 60  # of reciprocal rank fusion
KIND_WORD_WEIGHT = 0.8  # weight of a word for what the question's word names
CAPTION_WORD_WEIGHT = 0.7  # weight of a word of the caption or header, relative to one in the sentence
TITLE_WORD_WEIGHT, ROW_TITLE_WORD_WEIGHT = 0.2, 0.6  # of the title and the headings at the begin of the passage
COSINE_WEIGHT = 0.25  # weight of a standard deviation of the cosine
MIN_SENTENCE_SCORE = 0.55  # score of a sentence of running text
MIN_SHARE_OF_BEST = 0.6  # of the score of a good one
MIN_SAID_SHARE = 0.6  # of the question's words: where a sentence says so much, one that says none is no item
MIN_MEAN_ROW_SCORE = 0.35  # mean score of the rows of a table or list
MIN_SHARE_OF_TOP = 0.75
YEAR_CHARS = len("1904")


class ListGraph(Protocol):
    """The source of a list: a workspace or a view."""

    def search_chunks(self, vector: Vector, k: int) -> Sequence[tuple[str, float]]: ...
    def chunk_ids(self) -> Sequence[str]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...
    def pool(self, chunk_ids: Sequence[str]) -> Sequence[PoolChunk]: ...
    def search_words(self, lucene_query: str, vector: Vector, k: int) -> Sequence[WordHit]: ...


@dataclass(frozen=True, kw_only=True)
class ListItem(PlacedSentence):
    """An item of the list, with the sentence or row that says it."""

    item: Annotated[
        str, Field(description="The LLM's name for it; without an LLM the nearest fact, else the sentence or row.")
    ]
    caption: Annotated[str, Field(description="The text above its table or list; empty for running text.")]
    quantities: Annotated[tuple[Quantity, ...], Field(description="Its amounts and quantities.")]
    date: Annotated[str, Field(description="Its day, month or year, ISO 8601; empty if unknown.")]
    score: Annotated[float, Field(description="Relevance: higher is better.")]
    model: Annotated[str, Field(description="The LLM that found it; empty if none did.")] = ""
    also: Annotated[tuple[PlacedSentence, ...], Field(description="Other places that state it.")] = ()


@dataclass(frozen=True, kw_only=True)
class ItemList:
    """The items found, and what was looked at."""

    items: tuple[ListItem, ...]  # in the order of the documents
    passages: int  # that were searched
    of_passages: int
    sums: Mapping[str, Decimal]  # unit -> sum of the amounts; {} unless each item has exactly one, all of one unit
    read: int = 0  # passages that an LLM read, in which only its items count
    models: tuple[str, ...] = ()  # the LLMs that read
    calls: int = 0  # of the LLM that were answered
    of_calls: int = 0  # that the passages searched would take; 0 if none was answered
    left_out: int = 0  # items of the LLM that no passage says, or that do not meet the conditions


@dataclass(frozen=True, eq=False, slots=True)
class _Row:
    """A sentence to judge."""

    chunk: PoolChunk
    passage: Passage
    row: TextRow
    words: frozenset[str]
    above: frozenset[str]  # words of caption and header
    title: frozenset[str]
    cosine: float  # of the fact nearest to the question; NaN without a fact
    fact: str
    parts: Sequence[tuple[int, int]]  # of the sentence: the things that it enumerates, if it does


@dataclass(frozen=True, kw_only=True)
class ListTexts:
    """The passages that are searched."""

    chunks: Sequence[PoolChunk]  # in the order of the documents
    passages: Mapping[str, Passage]
    of_passages: int


def load_texts(question: ListQuestion, vector: Vector, graph: ListGraph) -> ListTexts:
    """All passages of a workspace or view; of a large one the nearest. `vector` is that of the question."""
    ids = list(graph.chunk_ids())
    total = len(ids)
    if total > MAX_PASSAGES:
        near = nearness(question, vector, graph)
        ids = sorted(near, key=lambda id_: -near[id_])[:MAX_PASSAGES]
    passages = graph.passages(ids)
    chunks = sorted(graph.pool(ids), key=lambda chunk: (passages[chunk.id].source, chunk.document_id, chunk.index))
    return ListTexts(chunks=chunks, passages=passages, of_passages=total)


def nearness(question: ListQuestion, vector: Vector, graph: ListGraph) -> Mapping[str, float]:
    """How near passages are to a question, by words and by meaning (reciprocal rank fusion)."""
    words = lucene_query(query_terms(question.about or question.text, question.language))
    rankings: tuple[list[str], list[str]] = (
        [hit.id for hit in graph.search_words(words, vector, MAX_PASSAGES)],
        [id_ for id_, _ in graph.search_chunks(vector, MAX_PASSAGES)],
    )
    near = defaultdict[str, float](float)
    for ranking in rankings:
        for rank, id_ in enumerate(ranking, start=1):
            near[id_] += 1 / (RANK_OFFSET + rank)
    return near


def find_items(question: ListQuestion, vector: Vector, texts: ListTexts) -> ItemList:
    """The items of a list. `vector` is that of the question."""
    rows = list(_rows(vector, texts))
    items = [item for row, score in _choose_rows(question, rows) for item in _items(question, row, score)]
    items.sort(key=lambda item: (item.source, item.document_id))
    return ItemList(
        items=tuple(items),
        passages=len(texts.chunks),
        of_passages=texts.of_passages,
        sums=sums(items, question.unit),
    )


def _rows(vector: Vector, texts: ListTexts) -> Iterator[_Row]:
    """Every sentence once, in the order of the documents; what a chunk shares with the one before it, only there."""
    before: PoolChunk | None = None
    unit = vector / max(float(np.linalg.norm(vector)), 1e-9)
    for chunk in texts.chunks:
        passage = texts.passages[chunk.id]
        spans = list(sentences(passage.text, passage.language))
        follows = before and (before.document_id, before.index + 1) == (chunk.document_id, chunk.index)
        shared = _shared(texts.passages[before.id].text, passage.text, spans) if before and follows else 0
        before = chunk
        head = " ".join(headings(passage.text, spans))
        title = frozenset(terms(f"{passage.title} {head}", passage.language))
        for row in text_rows(passage.text, spans):
            if row.end <= shared or is_heading(passage.text, row) or row.text.endswith("?"):
                continue  # a question says nothing
            fact, nearest = _nearest_fact(chunk, row, unit)
            parts = enumerated(row.text) if row.block < 0 else []
            # what is enumerated is named before it
            told = passage.text[: row.start] if parts else ""
            above = terms(f"{row.caption} {' '.join(row.header)} {told}", passage.language)
            yield _Row(
                chunk,
                passage,
                row,
                frozenset(terms(row.text, passage.language)),
                frozenset(above),
                title,
                nearest,
                fact,
                parts,
            )


def _shared(before: str, text: str, spans: Sequence[tuple[int, int]]) -> int:
    """Where the sentences end with which a text begins and the one before it ends."""
    ended = before.rstrip()
    return next((end for _, end in reversed(spans) if ended.endswith(text[:end].strip())), 0)


def _nearest_fact(chunk: PoolChunk, row: TextRow, unit: Vector) -> tuple[str, float]:
    """The fact of a row that is nearest to the question, in words, and its cosine; ("", NaN) for none."""
    here = [n for n, fact in enumerate(chunk.facts) if row.start <= fact.start < row.end and not fact.denied]
    if not here:
        return "", math.nan
    cosines = chunk.fact_vectors[here] @ unit
    best = int(cosines.argmax())
    fact = chunk.facts[here[best]]
    return f"{fact.subject} {fact.predicate} {fact.object}", float(cosines[best])


# --------------------------------------------------------------------------------------------------------------------
# Choice


def _choose_rows(question: ListQuestion, rows: Sequence[_Row]) -> Iterator[tuple[_Row, float]]:
    """The rows of the list, with their scores. Amounts within the limits of the question are taken whatever is said
    of them."""
    scores = _scores(question, rows)
    best = _typical_best(rows, scores)
    of_block = _block_scores(rows, scores)
    top = max(of_block.values(), default=0.0)
    codes = question.codes()
    for row, score, block in zip(rows, scores, map(_block_of, range(len(rows)), rows), strict=True):
        in_block = of_block.get(block, -math.inf) >= max(MIN_MEAN_ROW_SCORE, MIN_SHARE_OF_TOP * top)
        alone = score >= max(MIN_SENTENCE_SCORE, MIN_SHARE_OF_BEST * best[row.passage.language])
        coded = not codes.isdisjoint(row.words)
        if (question.unit or in_block or alone or coded) and _is_within_limits(question, row):
            yield row, score


def _typical_best(rows: Sequence[_Row], scores: Sequence[float]) -> Mapping[str, float]:
    """The score of a good sentence by language. A list has several items, so not the best one counts but the third; of
    another language the names of the question alone are known."""
    by_language = defaultdict[str, list[float]](list)
    for row, score in zip(rows, scores, strict=True):
        by_language[row.passage.language].append(score)
    return {language: nlargest(3, values)[-1] for language, values in by_language.items()}


def _block_of(number: int, row: _Row) -> tuple[str, int]:
    """The table or list of a row; a sentence that enumerates is one by itself."""
    return (row.chunk.id, row.row.block) if row.row.block >= 0 else ("", number)


def _block_scores(rows: Sequence[_Row], scores: Sequence[float]) -> dict[tuple[str, int], float]:
    """The mean score of the rows of each table and list."""
    blocks = defaultdict[tuple[str, int], list[float]](list)
    for number, (row, score) in enumerate(zip(rows, scores, strict=True)):
        if row.row.block >= 0 or row.parts:
            blocks[_block_of(number, row)].append(score)
    return {block: float(np.mean(members)) for block, members in blocks.items()}


def _scores(question: ListQuestion, rows: Sequence[_Row]) -> list[float]:
    """The relevance of each sentence: words weighted by rarity, and meaning."""
    by_language = {
        language: _known_words(question, language, rows) for language in {row.passage.language for row in rows}
    }
    meaning = _standardized([row.cosine for row in rows])
    covered = [_covered(by_language[row.passage.language], row) for row in rows]
    said = {row.passage.language for row, share in zip(rows, covered, strict=True) if share >= MIN_SAID_SHARE}
    return [
        share + COSINE_WEIGHT * near if share or row.passage.language not in said else 0.0
        for row, share, near in zip(rows, covered, meaning, strict=True)
    ]


def _covered(known: Sequence[_KnownWord], row: _Row) -> float:
    """The share of the question's words that a row says, by weight; 0 if it does not say what the things are."""
    if any(word.is_head and not _share(word, row) for word in known):
        return 0.0
    whole = sum(word.weight for word in known) or 1.0
    return sum(word.weight * _share(word, row) for word in known) / whole


class _KnownWord(NamedTuple):
    """A word of the question."""

    term: str
    of_kind: Set[str]  # terms of the things that it names
    weight: float  # the greater, the rarer they are
    is_head: bool  # it says what the things are


def _known_words(question: ListQuestion, language: str, rows: Sequence[_Row]) -> list[_KnownWord]:
    """The words of the question that occur in texts of a language, and its names: no other word limits the list."""
    inside = re.findall(r"(?<=\s)\w+", question.about or question.text)
    named = {term for word in inside if word[:1].isupper() for term in terms(word, language)}
    in_language = [row for row in rows if row.passage.language == language]
    here = [row.words | row.above for row in in_language]
    titles = {word for row in in_language for word in row.title}
    counts = Counter(word for words in here for word in words)
    asked = question.terms(language)
    things = {term: word for term, word in asked.items() if word not in NAMING_WORDS}
    head, known = head_of(question), []
    for term, word in (things or asked).items():
        of_kind = terms_of_kind(word, language) & counts.keys()
        if of_kind or term in counts or term in titles or term in named:
            occurs = sum(not of_kind.isdisjoint(words) or term in words for words in here)
            known.append(_KnownWord(term, of_kind, math.log(1 + len(here) / (1 + occurs)), word == head))
    return known


def _share(word: _KnownWord, row: _Row) -> float:
    """How much a row says a word of the question."""
    term, of_kind = word.term, word.of_kind
    if term in row.words:
        return 1.0
    title = ROW_TITLE_WORD_WEIGHT if row.row.block >= 0 else TITLE_WORD_WEIGHT
    elsewhere = CAPTION_WORD_WEIGHT if term in row.above else title if term in row.title else 0.0
    of_kind_here = KIND_WORD_WEIGHT if not of_kind.isdisjoint(row.words) else 0.0
    of_kind_above = KIND_WORD_WEIGHT * CAPTION_WORD_WEIGHT if not of_kind.isdisjoint(row.above) else 0.0
    return max(elsewhere, of_kind_here, of_kind_above)


def _standardized(cosines: Sequence[float]) -> list[float]:
    """Values in standard deviations from the mean; 0 if there is no deviation."""
    known: Floats = np.array([cosine for cosine in cosines if not math.isnan(cosine)], dtype=np.float64)
    mean, spread = (float(known.mean()), float(known.std()) or 1.0) if len(known) else (0.0, 1.0)
    return [0.0 if math.isnan(cosine) else (cosine - mean) / spread for cosine in cosines]


def _is_within_limits(question: ListQuestion, row: _Row, words: str = "") -> bool:
    """Whether a sentence, or these words of it, is within the limits and the days of the question."""
    words = words or row.row.text
    if question.unit:
        stated = quantities_of(replace(row.row, text=words), row.passage.language, _money(question, row.passage))
        if not any(same_unit(one.unit, question.unit) and question.holds(one.value) for one in stated):
            return False
    if question.period:
        days = [days for stated in _days_of(words, row.chunk, row.passage, row.row) if (days := days_of(stated))]
        return any(question.period.overlaps(span) for span in days)
    return True


def _money(question: ListQuestion, passage: Passage) -> str:
    """The currency of the question, if the passage does not name another: that of amounts without one."""
    units = _money_units(passage.text, passage.language) if question.currency else set()
    return question.currency if all(same_unit(unit, question.currency) for unit in units) else ""


@lru_cache(maxsize=256)
def _money_units(text: str, language: str) -> Set[str]:
    return frozenset(one.unit for one in quantities(text, language) if one.kind == "money")


def _days_of(words: str, chunk: PoolChunk, passage: Passage, row: TextRow) -> list[str]:
    """The days of these words of a sentence, else those of the sentence. Words that name only years may be of a day
    that the sentence names."""
    days = _days(chunk, passage, row)
    named = [day for day in dates_in(words, passage.language) if not day.startswith("--")] if words != row.text else []
    exact = any(len(day) > YEAR_CHARS for day in named) or not any(len(day) > YEAR_CHARS for day in days)
    return named if named and exact else days


def _days(chunk: PoolChunk, passage: Passage, row: TextRow) -> list[str]:
    """The days with their year that a sentence names, else those above it, else the date of its document or its title,
    else those that the passage mentions. A row that names only years may be of a day above: "cook, born in 1899"."""
    years = list[str]()
    fact_days = [fact.when_date for fact in chunk.facts if row.start <= fact.start < row.end and fact.when_date]
    for text in (row.text, row.caption):
        named = [day for day in dates_in(text, passage.language) if not day.startswith("--")]
        days = [*named, *fact_days]
        if days and (row.block < 0 or any(len(day) > YEAR_CHARS for day in days)):
            return [*years, *days]
        years += days
    headed = _headed_day(passage, row.start)
    if headed or passage.date:
        return [*years, headed or passage.date]
    titled = [day for day in dates_in(passage.title, passage.language) if not day.startswith("--")]
    return [*years, *(titled or passage.dates or heading_years(passage.text))]


def _headed_day(passage: Passage, start: int) -> str:
    """The day that the nearest line with a day above a sentence says: "Marseille, le 10 juillet 2023", "9 May 2023"."""
    return next((day for at, day in reversed(_heading_days(passage.text, passage.language)) if at < start), "")


@lru_cache(maxsize=256)
def _heading_days(text: str, language: str) -> Sequence[tuple[int, str]]:
    """The lines of a text that are headings with a day, each with its start."""
    spans = sentences(text, language)
    rows = [TextRow(start, end, text[start:end].strip()) for start, end in spans]
    lines = [(row.start, [*dates_in(row.text, language)]) for row in rows if is_heading(text, row)]
    return [(at, days[0]) for at, days in lines if len(days) == 1 and len(days[0]) > YEAR_CHARS and days[0][0] != "-"]


# --------------------------------------------------------------------------------------------------------------------
# Items


def _items(question: ListQuestion, row: _Row, score: float) -> Iterator[ListItem]:
    """The item that a sentence or row says, or those of the items that it enumerates that are within the limits."""
    text, within, money = row.row.text, False, _money(question, row.passage)
    for start, end in row.parts:
        part = text[start:end]
        if _is_within_limits(question, row, part):
            within = True
            yield list_item(
                part, row.chunk, row.passage, row.row, part, score=score, money=_money(question, row.passage)
            )
    if not within:
        loses_amount = not any(map(str.isdigit, row.fact)) and bool(quantities(text, row.passage.language))
        name = text if row.row.block >= 0 or not row.fact or loses_amount else row.fact
        yield list_item(name, row.chunk, row.passage, row.row, text, score=score, money=money)


def list_item(
    name: str,
    chunk: PoolChunk,
    passage: Passage,
    row: TextRow,
    words: str,
    *,
    score: float,
    model: str = "",
    money: str = "",
) -> ListItem:
    """An item that a sentence or row says. `words`: the part of it that has its amounts and days; `money`: as in
    `quantities_of`."""
    return ListItem(
        item=name,
        sentence=row.text,
        caption=row.caption,
        quantities=tuple(quantities_of(replace(row, text=words), passage.language, money)),
        date=_date_of(words, chunk, passage, row),
        score=round(score, 3),
        model=model,
        place=place_of(passage.places, row.start, row.end, otherwise=passage.place),
        source=passage.source,
        title=passage.title,
        document_id=passage.document_id,
        chunk_id=passage.id,
        start=row.start,
        end=row.end,
    )


def _date_of(words: str, chunk: PoolChunk, passage: Passage, row: TextRow) -> str:
    """The first day of an item; "" if only its passage names days, several of them: any may be of something else."""
    days = [day for day in _days_of(words, chunk, passage, row) if day and not day.startswith("--")]
    unsure = len(passage.dates) > 1 and days == [*passage.dates]
    return days[0] if days and not unsure else ""


def sums(items: Iterable[ListItem], unit: str) -> dict[str, Decimal]:
    """The sum of the items' amounts, if each has one amount of one unit."""
    quantities = [
        [one for one in item.quantities if (same_unit(one.unit, unit) if unit else one.kind == "money")]
        for item in items
    ]
    units = {one.unit for amounts in quantities for one in amounts}
    if len(units) != 1 or any(len(amounts) != 1 for amounts in quantities):
        return {}
    return {units.pop(): sum((amounts[0].value for amounts in quantities), Decimal(0))}
