"""What a reader knows when a chunk begins: who the text is about, who signs it, and the last sentences.

It depends only on the text, so chunks can be read in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from filigraph.graph.ingest.extract.narrator import narrator
from filigraph.graph.ingest.extract.patterns.entries import dates_of_writing
from filigraph.graph.ingest.extract.patterns.lines import author_of, dates_of_sentences
from filigraph.graph.ingest.extract.patterns.statements.parts import statements
from filigraph.graph.ingest.extract.patterns.tables import head_at_end
from filigraph.graph.ingest.extract.preceding import preceding_text, table_head
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.text.names.capitals import capitalised_names
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.usage import forms_not_used_as_names
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import days_of
from filigraph.graph.text.time.relative_dates import may_name_a_date, names_relative, weekday_names
from filigraph.graph.text.words import Token, tokens

SENTENCES_BEFORE = 2
NAMES_BEFORE = 8
LONGEST_ACRONYM = 5
CHARACTERS_BEFORE = 300  # max. length of the last sentences; with the names about a hundred tokens
_SPEAKERS = frozenset(("i", "je"))  # they may have a capital after the first word of a sentence


def in_context(chunks: Sequence[Chunk], date: str = "") -> list[Chunk]:
    """The chunks of one document, in order, each with what a reader knows by then: who "I" is if one person signs,
    sends or narrates the document; names of the chunk before, and its last sentences outside the overlap; the date of
    writing, if the chunk says "yesterday"; the head of a table that continues. `date`: of the document.
    """
    spans = [sentences(chunk.text, chunk.language) for chunk in chunks]
    texts = [chunk.text for chunk in chunks]
    capitals = [capitalised_names(text, text_spans) for text, text_spans in zip(texts, spans, strict=True)]
    openers = forms_not_used_as_names(
        texts, {words[0].text for names in capitals for name in names if (words := tokens(name))}
    )
    who = _writer(chunks) or narrator(texts)
    dates = _dates(chunks, date)
    persons = _weekdays(chunks)
    result: list[Chunk] = []
    for n, chunk in enumerate(chunks):
        date_before = dates[n] if names_relative(chunk.text, chunk.language) else ""
        if n == 0:
            before = preceding_text(
                [f"I = {who}"] if who and len(chunks) > 1 else (), dated=date_before, weekdays=persons[n]
            )
        else:
            names = _names(texts[n - 1], capitals[n - 1], openers)
            last = _last_sentences(chunks[n - 1], spans[n - 1], chunk)
            table = _table(result[-1], spans[n - 1], chunk)
            known = [f"I = {who}", *names] if who else names
            before = preceding_text(known, last, dated=date_before, table=table, weekdays=persons[n])
        mentioned = _dates_mentioned(chunk, spans[n], preceding_text(dated=dates[n], weekdays=persons[n]))
        result.append(replace(chunk, before=before, dates=mentioned))
    return result


def _weekdays(chunks: Sequence[Chunk]) -> list[frozenset[str] | None]:
    """For each chunk the weekdays that are persons, if the whole document shows it otherwise than the chunk alone."""
    if len(chunks) < 2 or all(chunk.language != "de" for chunk in chunks):
        return [None] * len(chunks)
    all_names = weekday_names("\n".join(chunk.text for chunk in chunks), "de")
    alone = (weekday_names(chunk.text, chunk.language) for chunk in chunks)
    return [
        all_names if chunk.language == "de" and names != all_names else None
        for chunk, names in zip(chunks, alone, strict=True)
    ]


def _dates_mentioned(chunk: Chunk, spans: Sequence[Span], before: str) -> tuple[str, ...]:
    """The days, months and years that a chunk mentions. `before`: what is known when it begins."""
    if not may_name_a_date(chunk.text):
        return ()
    sentence_dates = dates_of_sentences(chunk.text, spans, chunk.language, before)
    return tuple(sorted({one.date for dates in sentence_dates.values() for one in dates if days_of(one.date)}))


def _dates(chunks: Sequence[Chunk], date: str) -> list[str]:
    """When the text at the beginning of each chunk was written: the day of its entry, or of the document."""
    chunk_dates = [date] if days_of(date) else [""]
    for chunk, after in pairwise(chunks):
        times = dates_of_writing(chunk.text, chunk.language, chunk_dates[-1], statements(chunk.text))
        chunk_dates.append(times.at(max(0, after.start - chunk.start - 1)))
    return chunk_dates


def _table(last: Chunk, spans: Sequence[Span], chunk: Chunk) -> str:
    """The head of the table that the chunk continues."""
    if "|" not in chunk.text.partition("\n")[0] and "\t" not in chunk.text.partition("\n")[0]:
        return ""
    known = [(start, end) for start, end in spans if last.start + end <= chunk.start]
    return head_at_end(last.text, known) or table_head(last.before)


def _writer(chunks: Sequence[Chunk]) -> str:
    """Who sends a mail or signs a letter, whose greeting may be several chunks earlier; "" if there are several."""
    ends = [chunks[0].text, chunks[-1].text] if len(chunks) > 1 else []
    texts = [*(chunk.text for chunk in chunks), "\n".join(ends)]
    language = chunks[0].language if chunks else ""
    writers = {author_of(text, sentences(text, language)) for text in texts} - {""}
    return writers.pop() if len(writers) == 1 else ""


def _names(text: str, capitals: Sequence[str], openers: Collection[str]) -> list[str]:
    """The most frequent names of a chunk: words with capitals, without the word that opens a sentence ("But Ann"),
    single titles, headings and "I".
    """
    counts: Counter[str] = Counter()
    for run in capitals:
        words = tokens(run)
        first = next((n for n, word in enumerate(words) if not _opens(word, openers)), len(words))
        if first and first < len(words) and run[words[first].start - 1] == "-":
            first = 0  # "Saint-Jean"
        name = run[words[first].start :] if first < len(words) else ""
        if name and _SPEAKERS.isdisjoint(word.folded for word in words[first:]) and not _is_heading(name):
            counts[name] = text.count(name)
    return [name for name, _ in counts.most_common(NAMES_BEFORE)]


def _opens(word: Token, openers: Collection[str]) -> bool:
    return word.folded in PRONOUNS or word.text in openers


def _is_heading(name: str) -> bool:
    """Whether the capitals belong to a heading ("CHAPTER XI"), or to a title without a name ("Mr")."""
    words = tokens(name)
    return (name.isupper() and any(len(word.text) > LONGEST_ACRONYM for word in words)) or parse(name).role


def _last_sentences(last: Chunk, spans: Sequence[Span], chunk: Chunk) -> str:
    known = last.text[: max(0, chunk.start - last.start)]  # the rest of `last` opens this chunk too
    sentences = [known[start:end] for start, end in spans if end <= len(known)][-SENTENCES_BEFORE:]
    text = " ".join(" ".join(sentences).split())
    if len(text) > CHARACTERS_BEFORE:
        text = f"… {text[-CHARACTERS_BEFORE:].partition(' ')[2]}"
    return text
