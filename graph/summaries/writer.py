"""Write summaries: the text of each, its central sentences, its timeline and tags; stored as soon as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Protocol, TypeVar

import numpy as np

from filigraph.graph import ids
from filigraph.graph.errors import FiligraphError
from filigraph.graph.model.arrays import Floats, Vector
from filigraph.graph.model.summaries import Quote, Summary
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.embed import Embedder, embed_texts
from filigraph.graph.models.llm import LLM
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.records.documents import Piece
from filigraph.graph.records.summaries import SummaryReport, WindowChunk
from filigraph.graph.summaries import llm as summary_llm
from filigraph.graph.summaries.centrality import Sentence, centrality, choose, sentences_of
from filigraph.graph.summaries.plan import Plan, Planned
from filigraph.graph.summaries.tags import count_words, spread_over, tags
from filigraph.graph.summaries.timeline import dated_quotes, in_order

EXTRACTIVE = "extractive:3"  # bump whenever other sentences would be chosen
WINDOW_QUOTE_TOKENS = 130  # of the sentences that represent a window
QUOTE_TOKENS_ABOVE = 200  # of those that represent a higher summary
MOST_TAGS = 6
LONGEST_PLAIN = 300  # characters of a text without a meaningful sentence
AT_ONCE = 16  # summaries that are worked on together
PIECES = 200  # chunks whose words are counted at once

T = TypeVar("T")
ELLIPSIS = " […] "


@dataclass(kw_only=True)
class _Words:
    """The number of chunks of a document that contain each word."""

    chunks: Counter[str] = field(default_factory=Counter)
    total: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class _Text:
    """The source of a summary."""

    planned: Planned
    text: str
    sentences: Sequence[Sentence]
    rank: Floats  # centrality of each
    alike: Floats  # similarity of each pair
    timeline: tuple[Quote, ...]
    tags: tuple[str, ...]  # where no model gives them


class SummaryStore(Protocol):
    """The texts that are summarized, and their summaries."""

    def pieces(self, document_id: str, *, first: int, count: int) -> Sequence[Piece]: ...
    def window_chunks(self, chunk_ids: Sequence[str]) -> Sequence[WindowChunk]: ...
    def stored_summaries(self, summary_ids: Sequence[str]) -> Mapping[str, Summary]: ...
    def folders_of_shown_summaries(self, summary_ids: Sequence[str]) -> Mapping[str, str]: ...
    def summary_texts(self, keys: Sequence[str]) -> Mapping[str, Summary]: ...
    def write_summaries(self, rows: Sequence[tuple[Summary, Vector]]) -> None: ...
    def show_summaries(self, rows: Sequence[Mapping[str, Any]], *, document_id: str, folder: str) -> None: ...


def recipe_of(llm: LLM | None) -> str:
    """What the summaries depend on beside their texts."""
    return summary_llm.recipe(llm) if llm else EXTRACTIVE


class SummaryWriter:
    """Writes the summaries of plans, one plan after the other."""

    def __init__(
        self,
        graph: SummaryStore,
        embedder: Embedder,
        llm: LLM | None,
        in_flight: int,
        timeout: float,
        report: SummaryReport,
        on_done: Callable[[int], None],
        cancelled: ShouldStop,
    ) -> None:
        self._graph, self._embedder, self._llm = graph, embedder, llm
        self._in_flight, self._timeout = in_flight, timeout
        self._report, self._on_done, self._cancelled = report, on_done, cancelled
        self._recipe = recipe_of(llm)
        self._done = 0

    def refresh(self, plan: Plan) -> None:
        """Write the missing summaries of a plan, then show all of them."""
        wanted = [planned.id for planned in plan.summaries]
        shown = self._graph.folders_of_shown_summaries(wanted)  # perhaps of a folder that was the only one until now
        if len(shown) == len(wanted) and {*shown.values()} == {plan.folder}:
            self._report.unchanged += bool(plan.document_id)
            self._report_progress(len(wanted))
            return
        stored = dict(self._graph.stored_summaries(wanted))
        words = self._count_words(plan)
        for level in sorted({planned.level for planned in plan.summaries}):
            for batch in _batches([planned for planned in plan.summaries if planned.level == level], AT_ONCE):
                stop_if(self._cancelled)
                texts = [
                    self._source_text(planned, plan, words, stored) for planned in batch if planned.id not in stored
                ]
                for new in self._write_texts(texts, plan):
                    self._write(new)
                    stored |= {summary.id: summary for summary in new}
                    self._report_progress(len(new))
                if len(batch) > len(texts):
                    self._report_progress(len(batch) - len(texts))
        rows = [
            {"id": one.id, "folder": plan.folder}
            | {"title": one.title, "index": one.index, "start": one.start, "end": one.end}
            for one in plan.summaries
        ]
        self._graph.show_summaries(rows, document_id=plan.document_id, folder=plan.folder)
        self._report.documents += bool(plan.document_id)

    # ---- sources

    def _source_text(self, planned: Planned, plan: Plan, words: _Words, stored: Mapping[str, Summary]) -> _Text:
        """The source of one summary; `stored` are the existing summaries of its plan."""
        return self._window(planned, plan, words) if planned.level == 1 else self._children(planned, stored)

    def _window(self, planned: Planned, plan: Plan, words: _Words) -> _Text:
        chunks = self._graph.window_chunks(planned.covers)
        text = _continuous(chunks)
        sentences, vectors = sentences_of(chunks)
        rank, alike = centrality(sentences, vectors)
        return _Text(
            planned=planned,
            text=text,
            sentences=sentences,
            rank=rank,
            alike=alike,
            timeline=_timeline(sentences, rank, plan.language),
            tags=() if self._llm else tags(count_words(text), words.chunks, words.total),
        )

    def _children(self, planned: Planned, stored: Mapping[str, Summary]) -> _Text:
        missing = [id_ for id_ in planned.covers if id_ not in stored]  # of documents, where a folder is summarized
        below = {**stored, **(self._graph.stored_summaries(missing) if missing else {})}
        children = [below[id_] for id_ in planned.covers]
        quotes = {(quote.chunk_id, quote.start) for child in children for quote in child.quotes}
        chunks = self._graph.window_chunks(list(dict.fromkeys(q.chunk_id for child in children for q in child.quotes)))
        sentences, vectors = sentences_of(chunks, only=quotes)
        rank, alike = centrality(sentences, vectors)
        ranked = Counter(tag for child in children for tag in child.tags)
        return _Text(
            planned=planned,
            text="\n\n".join(f"{child.title}\n{child.text}" for child in children),
            sentences=sentences,
            rank=rank,
            alike=alike,
            timeline=in_order(_in_turn([child.timeline for child in children])),
            tags=tuple(tag for tag, _ in ranked.most_common(MOST_TAGS)),
        )

    def _count_words(self, plan: Plan) -> _Words:
        """Word counts of a document, from which the tags of its windows follow; empty if a model gives the tags."""
        words = _Words()
        if self._llm or not plan.document_id:
            return words
        while pieces := self._graph.pieces(plan.document_id, first=words.total, count=PIECES):
            words.chunks.update(spread_over([count_words(piece.text) for piece in pieces]))
            words.total += len(pieces)
        return words

    # ---- wording

    def _write_texts(self, texts: Sequence[_Text], plan: Plan) -> Iterator[list[Summary]]:
        """Their summaries, each as soon as the LLM has answered: a kill loses the calls in flight. After a failed call
        the run ends when the calls in flight have returned."""
        if self._llm is None:
            yield [self._quoted(text, plan) for text in texts]
            return
        known = self._graph.summary_texts([self._text_key(text) for text in texts])
        if known:
            yield [
                self._reuse(known[self._text_key(text)], text, plan) for text in texts if self._text_key(text) in known
            ]
        new: dict[str, list[_Text]] = {}
        for text in texts:
            if self._text_key(text) not in known:
                new.setdefault(self._text_key(text), []).append(text)
        failures: list[FiligraphError] = []
        with ThreadPoolExecutor(self._in_flight, thread_name_prefix="summarize-llm") as pool:
            calls = {pool.submit(self._ask_llm, same[0], plan): same for same in new.values()}
            try:
                for future in as_completed(calls):
                    try:
                        written = future.result()
                    except CancelledError:
                        continue
                    except FiligraphError as error:
                        failures.append(error)
                        pool.shutdown(wait=False, cancel_futures=True)
                        continue
                    yield [self._reuse(written, text, plan) for text in calls[future]]
            finally:
                pool.shutdown(cancel_futures=True)
        if failures:
            raise failures[0]

    def _reuse(self, known: Summary, text: _Text, plan: Plan) -> Summary:
        """The summary of a text that was summarized before, there or elsewhere."""
        quotes = known.quotes if known.id == text.planned.id else ()
        return replace(
            self._summary(text, plan), text=known.text, tags=known.tags, omissions=known.omissions, quotes=quotes
        )

    def _ask_llm(self, text: _Text, plan: Plan) -> Summary:
        assert self._llm is not None
        level = text.planned.level
        written = summary_llm.write_summary(
            text.text, plan.language, level, self._llm, timeout=self._timeout, cancelled=self._cancelled
        )
        self._report.dropped += written.dropped
        if not written.text:
            self._report.quoted += 1
            return self._quoted(text, plan)
        return replace(self._summary(text, plan), text=written.text, tags=written.tags, omissions=written.omissions)

    def _quoted(self, text: _Text, plan: Plan) -> Summary:
        """A summary made of the sentences that represent the text, with a mark between each two."""
        budget = WINDOW_QUOTE_TOKENS if text.planned.level == 1 else QUOTE_TOKENS_ABOVE
        chosen = [text.sentences[row] for row in choose(text.sentences, text.rank, text.alike, budget)]
        quoted = ELLIPSIS.join(_with_speaker(sentence) for sentence in chosen)
        quotes = tuple(sentence.quote for sentence in chosen)
        return replace(
            self._summary(text, plan), text=quoted or text.text[:LONGEST_PLAIN].strip(), quotes=quotes, tags=text.tags
        )

    def _summary(self, text: _Text, plan: Plan) -> Summary:
        planned = text.planned
        return Summary(
            id=planned.id,
            key=self._text_key(text),
            document_id=plan.document_id,
            folder=plan.folder,
            level=planned.level,
            index=planned.index,
            title=planned.title,
            text="",
            quotes=(),
            timeline=text.timeline,
            tags=(),
            omissions=(),
            start=planned.start,
            end=planned.end,
            size=planned.size,
            recipe=self._recipe,
            covers=planned.covers,
        )

    def _text_key(self, text: _Text) -> str:
        return ids.content_id("summarized", self._recipe, text.text)

    def _write(self, summaries: Sequence[Summary]) -> None:
        if not summaries:
            return
        vectors = embed_texts(self._embedder, [summary.text for summary in summaries])
        self._graph.write_summaries(list(zip(summaries, vectors, strict=True)))
        self._report.written += len(summaries)

    def _report_progress(self, count: int) -> None:
        self._done += count
        self._report.usage = self._llm.usage if self._llm else Usage()
        self._on_done(self._done)


def _with_speaker(sentence: Sentence) -> str:
    """A sentence as it appears in a summary: after the name of the speaker, unless it has that itself."""
    text = " ".join(sentence.quote.text.split())
    return f"{sentence.speaker}: {text}" if sentence.speaker else text


def _continuous(chunks: Sequence[WindowChunk]) -> str:
    """The text of consecutive chunks; text that two of them share occurs once."""
    parts: list[str] = []
    read_to = 0
    for chunk in chunks:
        parts.append(chunk.text[max(read_to - chunk.start, 0) :])
        read_to = max(read_to, chunk.start + len(chunk.text))
    return "\n".join(part for part in parts if part.strip())


def _timeline(sentences: Sequence[Sentence], rank: Floats, language: str) -> tuple[Quote, ...]:
    """The sentences that name a date, the most central ones."""
    by_rank = [sentences[row].quote for row in np.argsort(-rank, kind="stable")]
    return in_order(dated_quotes(by_rank, language))


def _in_turn(lists: Sequence[Sequence[T]]) -> Iterator[T]:
    """The first of each, then the second of each."""
    return (one for row in zip_longest(*lists) for one in row if one is not None)


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
