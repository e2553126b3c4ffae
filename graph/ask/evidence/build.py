"""Build: the chunks that are shown, in their order and with their scores, and the paths in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.explore.search import SearchHits, cosines_of
from filigraph.graph.ask.generation.compose import ELLIPSIS, quoted_by
from filigraph.graph.ask.ranking.rank import Ranked
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.arrays import Span, Vector
from filigraph.graph.model.retrieval import Evidence, Passage, Path, PoolChunk, Question
from filigraph.graph.records.summaries import SummaryHit
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentence_groups
from filigraph.graph.text.words import terms

DUPLICATE_CHECK_FACTOR = 4  # times the evidence: the number of chunks that are checked for copies
MIN_QUOTATION_CHARS = 40  # characters


def cosines(
    ids: Iterable[str], ranked: Ranked, hits: SearchHits, vector: Vector, reader: GraphReader
) -> dict[str, float]:
    """Chunk id -> cosine with the question; reads the chunks of `ids` that were not read yet."""
    known = cosines_of(hits.words) | dict(hits.vectors)
    if ranked.pool:
        dense = ranked.pool.dense.tolist()
        known |= {id_: dense[row] for id_, row in ranked.pool.row.items()}
    unread = reader.pool([id_ for id_ in ids if id_ not in known])
    return known | {chunk.id: float(chunk.vectors[0] @ vector) for chunk in unread}


def without_duplicates(
    ids: Sequence[str], behind: Sequence[str], reader: GraphReader, looked_at: int
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """The chunks, without those of the first `looked_at` that repeat word for word an earlier chunk or one `behind` a
    path; and for each remaining chunk the sources of its copies: a file under two names takes one place."""
    passages = reader.passages(list(dict.fromkeys([*behind, *ids[:looked_at]])))
    first: dict[str, str] = {}
    copies: dict[str, list[str]] = {}
    for id_ in dict.fromkeys([*behind, *ids[:looked_at]]):
        if id_ not in passages:
            continue
        original = first.setdefault(" ".join(passages[id_].text.split()), id_)
        if original != id_ and passages[original].document_id != passages[id_].document_id:
            copies.setdefault(original, []).append(passages[id_].source)
    stays = {*first.values(), *behind, *ids[looked_at:], *(id_ for id_ in ids if id_ not in passages)}
    sources = {id_: tuple(sorted(dict.fromkeys(others))) for id_, others in copies.items()}
    return [id_ for id_ in ids if id_ in stays], sources


def build_evidence(
    ranked: Ranked,
    order: Sequence[str],
    cosine: Mapping[str, float],
    hits: SearchHits,
    question: Question,
    reader: GraphReader,
    keep: int,
    *,
    copies: Mapping[str, tuple[str, ...]],
    candidates: int,
    neighboured: int,
) -> tuple[list[Evidence], dict[str, Evidence], list[Path]]:
    """The evidence: the first `candidates` chunks of `order` (`keep`, if that is more) and the chunks behind paths;
    chunk id -> neighbour, for the first `neighboured` of them; and the paths in words."""
    shown = order[: max(candidates, keep)]
    adjoining = reader.next_chunks(shown[:neighboured]) if neighboured else {}
    follows = {id_: after or before or "" for id_, (before, after) in adjoining.items()}
    behind = ranked.path_chunk_ids()
    passages = reader.passages([*shown, *behind, *filter(None, follows.values())])
    paths = ranked.in_words(passages)
    branches = hits.branches_of_chunks(behind)
    wanted = {*shown, *(id_ for path in paths for id_ in path.chunk_ids)}
    evidence = [
        evidence_of(
            passages[id_],
            ranked.scores.get(id_, 0.0),
            cosine.get(id_),
            branches.get(id_, ()),
            nearest_parts(passages[id_], ranked.pool, question),
            also=copies.get(id_, ()),
        )
        for id_ in dict.fromkeys([*order, *ranked.scores])
        if id_ in wanted and id_ in passages
    ]
    neighbours = {id_: evidence_of(passages[n], 0.0, cosine.get(n), ()) for id_, n in follows.items() if n in passages}
    return evidence, neighbours, paths


def nearest_parts(chunk: Passage, pool: Pool | None, question: Question) -> tuple[Span, ...]:
    """The sentences of a chunk of the pool, the most relevant first. The score is a sum of four numbers, in standard
    deviations: similarity to the question, similarity to one of its pieces, the question's terms, and the best fact
    that the sentence states."""
    if pool is None or chunk.id not in pool.row:
        return ()
    row = pool.row[chunk.id]
    vectors = pool.chunks[row].vectors[1:]
    parts, part_terms = _sentence_spans_and_terms(chunk.text, chunk.language)
    if not parts or len(parts) != len(vectors):  # the chunk has changed since
        return ()
    weight = tuple(zip(sorted(set(question.terms)), pool.term_weight.tolist(), strict=True))
    stated = np.zeros(len(parts))
    for place in pool.facts_at(row):
        fact = pool.facts[place]
        says = [start < fact.end and fact.start < end for start, end in parts]
        stated[says] = np.maximum(stated[says], pool.fact_cosine[place])
    columns = (
        vectors @ question.vector,
        (vectors @ question.segments.T).max(axis=1),
        np.array([sum(worth for term, worth in weight if term in own) for own in part_terms]),
        stated,
    )
    near = np.sum([(column - column.mean()) / (column.std() + 1e-9) for column in columns], axis=0)
    return tuple(parts[n] for n in np.argsort(-near, kind="stable").tolist())


@lru_cache(maxsize=2_000)  # a chunk is shown for many questions
def _sentence_spans_and_terms(text: str, language: str) -> tuple[tuple[Span, ...], tuple[frozenset[str], ...]]:
    """The sentences of a text and the index terms of each."""
    parts = tuple(sentence_groups(text, language))
    return parts, tuple(frozenset(terms(text[start:end], language)) for start, end in parts)


def evidence_of(
    chunk: Passage,
    score: float,
    cosine: float | None,
    branches: Sequence[str],
    nearest: Sequence[Span] = (),
    *,
    also: tuple[str, ...] = (),
) -> Evidence:
    start, end = nearest[0] if nearest else (0, len(chunk.text))
    return Evidence(
        id=chunk.id,
        kind="chunk",
        text=chunk.text,
        document_id=chunk.document_id,
        title=chunk.title,
        source=chunk.source,
        place=place_of(chunk.places, start, end, otherwise=chunk.place),
        score=score,
        cosine=cosine,
        branches=tuple(branches),
        date=chunk.date,
        nearest=tuple(nearest),
        places=chunk.places,
        also=also,
    )


def evidence_of_summary(hit: SummaryHit) -> Evidence:
    return Evidence(
        id=hit.id,
        kind="summary",
        text=hit.text,
        document_id=hit.document_id,
        title=hit.document,
        source=hit.source,
        place=hit.title if hit.title != hit.document else "",
        score=max(hit.cosine, 0.0),
        cosine=hit.cosine,
        branches=("summaries",),
        level=hit.level,
        date=hit.date,
    )


def quotations(
    evidence: Sequence[Evidence], paths: Sequence[Path], vector: Vector, reader: GraphReader
) -> list[Evidence]:
    """For each chunk the sentences that the paths quote, else the sentence nearest to the question. They are shown
    beside summaries, which cover the rest."""
    quoted = quoted_by(paths)
    chunks = {chunk.id: chunk for chunk in reader.pool([item.id for item in evidence if item.id not in quoted])}
    return [_quotation(item, quoted.get(item.id, ()), chunks.get(item.id), vector) for item in evidence]


def _quotation(item: Evidence, quoted: Sequence[str], chunk: PoolChunk | None, vector: Vector) -> Evidence:
    parts = [part for part in sorted(set(quoted), key=item.text.find) if part in item.text]
    if parts:
        parts = [part for part in parts if not any(part in other for other in parts if other != part)]
        where = item.text.find(parts[0])
        return replace(
            item,
            text=f" {ELLIPSIS} ".join(part.strip() for part in parts),
            place=place_of(item.places, where, where + len(parts[0]), otherwise=item.place),
            nearest=(),
            places=(),
        )
    spans = sentence_groups(item.text, chunk.language)[: len(chunk.vectors) - 1] if chunk else []
    if not chunk or not spans:
        return item
    cosine = chunk.vectors[1 : len(spans) + 1] @ vector
    long = np.array([end - start >= MIN_QUOTATION_CHARS for start, end in spans])
    start, end = spans[int(np.argmax(np.where(long, cosine, -1.0) if long.any() else cosine))]
    place = place_of(item.places, start, end, otherwise=item.place)
    return replace(item, text=item.text[start:end].strip(), place=place, nearest=(), places=())
