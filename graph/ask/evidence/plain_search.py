"""Plain search: what is found by words, by vectors or by both, without walking. The yardsticks of the walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from filigraph.graph.ask.evidence.build import COPIES, evidence_of, without_copies
from filigraph.graph.ask.evidence.code import of_kinds
from filigraph.graph.ask.explore.fusion import hybrid
from filigraph.graph.ask.explore.search import SEARCHED, EmbeddedQuestion, cosines_of, search_words
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import Evidence, Method
from filigraph.graph.records.documents import WordHit


def plain_search(
    embedded: EmbeddedQuestion,
    reader: GraphReader,
    method: Method,
    *,
    keep: int,
    vector_weight: float,
    least: float,
    kinds: Sequence[str],
    out: dict[str, Any],
) -> tuple[Evidence, ...]:
    """The best `keep` chunks whose cosine is `least` or more."""
    wanted = max(SEARCHED, keep)
    vectors = reader.search_chunks(embedded.vector, wanted) if method != "bm25" else []
    hits = search_words(embedded, reader, wanted)[:wanted] if method != "dense" else []
    words, cosine = by_words(hits), dict(vectors) | cosines_of(hits)
    found = hybrid(vectors, words, vector_weight) if method == "hybrid" else vectors or words
    among = set(of_kinds([id_ for id_, _ in found], kinds, reader))
    good = [id_ for id_, _ in found if id_ in among and cosine[id_] >= least]
    ids, copies = without_copies(good, (), reader, COPIES * keep)
    scores = dict(found)
    best = {id_: scores[id_] for id_ in ids[:keep]}
    passages = reader.passages(list(best))
    out.update(vector=top(dict(vectors), 10), keyword=top(dict(words), 10))
    brought = {"vector": dict(vectors), "keyword": dict(words)}
    return tuple(
        evidence_of(
            passages[id_],
            max(score, 0.0),
            cosine[id_],
            [name for name, by in brought.items() if id_ in by],
            also=copies.get(id_, ()),
        )
        for id_, score in best.items()
        if id_ in passages
    )


def by_words(hits: Sequence[WordHit]) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in hits]


def top(scores: Mapping[str, float], count: int) -> list[list[Any]]:
    """The first so many, for the trace."""
    return [[id_, round(score, 4)] for id_, score in islice(scores.items(), count)]
