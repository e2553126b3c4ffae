"""Search: the searches side by side, then the walk, hop by hop: everything that comes before the ranking.

The searches return chunks, and the entities and titles that the question names; the walk starts from the best of them
and fetches, at each hop, the chunks within reach. There are few statements to the store, each with many rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from filigraph.graph.ask.explore.layout import cached_layout
from filigraph.graph.ask.explore.pool import Pool, Walked, build_pool, first_hop_score, pool_of, relative_scores
from filigraph.graph.ask.explore.walk import (
    HUB_MIN_CHUNKS,
    MAX_FRONTIER_CHUNKS,
    best_trails,
    extend,
    first_hops,
    hubs_ahead,
    not_walked,
)
from filigraph.graph.ask.question.link import (
    MAX_COMPARED_NAMES,
    MIN_NAME_COSINE,
    Linked,
    candidate_spans,
    comparison_remark,
    link,
    names_nowhere,
    names_to_compare,
    names_to_connect,
    side_by_side,
    unknown_names,
)
from filigraph.graph.ask.question.segment import segments
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.arrays import Matrix, Vector
from filigraph.graph.model.retrieval import PoolChunk, Question
from filigraph.graph.models.embed import Embedder, embed_question_spans, embed_texts
from filigraph.graph.process.threads import TaskGroup
from filigraph.graph.records.documents import WordHit
from filigraph.graph.records.entities import NamedEntity
from filigraph.graph.records.facts import FactHit
from filigraph.graph.records.workspaces import Overview
from filigraph.graph.text.identifiers import identifiers_in, whole_terms
from filigraph.graph.text.words import lucene_query, query_terms

WHOLE_POOL_CHUNKS = 3000  # chunks: a workspace with no more than this is its own pool
MAX_SEARCH_RESULTS = 100  # results of vector search, and of keyword search, in a larger one
POOL_SEEDS = 20  # results of each search that enter the pool
FACT_SEEDS = 5  # more facts as seeds were measured to hurt
MAX_CHUNKS_PER_FACT = 3  # at most, for a fact that many chunks support
MAX_NEIGHBOURS_PER_CHUNK = 25  # at most, for each chunk of the frontier
MAX_ENTITY_FACTS = 40  # facts of entities that the question names or the walk has reached
MAX_POOL_FETCHES = 2  # times that the pool grows; hops after that stay in it


@dataclass(frozen=True, kw_only=True, eq=False)
class EmbeddedQuestion:
    """A question, cut and embedded, before the searches."""

    text: str
    terms: list[str]  # as the word index holds them, in all of `languages`
    languages: tuple[str, ...]  # the question's, then those of the workspace
    segment_texts: list[str]
    vector: Vector
    segments: Matrix  # their vectors
    workspace: Overview


def embed_question(text: str, language: str, reader: GraphReader, embedder: Embedder) -> EmbeddedQuestion:
    """Cut, normalize and embed a question; reads from the store at the same time."""
    with TaskGroup() as tasks:
        pending_overview = tasks.submit(reader.overview)
        cut = segments(text, language)
        vector, pieces = embed_question_spans(embedder, text, cut)
        workspace = pending_overview.result()
    languages = (language, *workspace.languages)
    return EmbeddedQuestion(
        text=text,
        terms=list(dict.fromkeys([*query_terms(text, *languages), *whole_terms(text)])),
        languages=languages,
        segment_texts=[text[start:end] for start, end in cut],
        vector=vector,
        segments=pieces,
        workspace=workspace,
    )


# --------------------------------------------------------------------------------------------------------------------
# The searches, side by side


@dataclass(frozen=True, kw_only=True)
class SearchHits:
    vectors: Sequence[tuple[str, float]]  # chunk id, cosine
    words: Sequence[WordHit]  # the best with their cosines
    facts: Sequence[FactHit]
    linked: Sequence[Linked]  # entities
    titled: Sequence[Linked]  # documents
    first_chunks: Mapping[str, tuple[str, float]]  # of the documents: chunk id, cosine
    compared: tuple[str, ...] = ()  # the entities that the question asks to compare
    connected: tuple[frozenset[str], ...] = ()  # the entities of each of two names whose connection it asks for
    nowhere: tuple[str, ...] = ()  # names in the question that occur in no text

    @property
    def about_one(self) -> bool:
        """Whether the question names one entity, and no document beside it."""
        return len(self.linked) == 1 and all(title.span in self.linked[0].span for title in self.titled)

    def summary(self) -> dict[str, Any]:
        return {
            "vector": [[id_, round(score, 4)] for id_, score in self.vectors[:10]],
            "keyword": [[hit.id, round(hit.score, 3)] for hit in self.words[:10]],
            "facts": [[hit.text, round(hit.cosine, 4)] for hit in self.facts[:10]],
            "link": [[entity.span, entity.name, entity.entity_id, round(entity.cosine, 4)] for entity in self.linked],
            "compared": list(self.compared[:MAX_COMPARED_NAMES]),
            "connected": [self._name_to_connect(ids) for ids in self.connected],
            "nowhere": list(self.nowhere),
            "titles": [[title.span, title.name, title.entity_id] for title in self.titled],
        }

    def _name_to_connect(self, entities: frozenset[str]) -> str:
        """The id of the entity that a name means, or the name if it means several."""
        named = next(one for one in self.linked if one.entity_id in entities)
        return named.entity_id if len(entities) == 1 else named.name

    def comparison_remark(self, embedded: EmbeddedQuestion, language: str, *, has_period: bool) -> str:
        return comparison_remark(embedded.text, self.compared, self.linked, language, has_period=has_period)

    def question(self, embedded: EmbeddedQuestion, *, trust: float = 1.0) -> Question:
        """The question with the entities that it names and the results of its words."""
        return Question(
            text=embedded.text,
            terms=tuple(embedded.terms),
            languages=embedded.languages,
            vector=embedded.vector,
            segments=embedded.segments if len(embedded.segments) else embedded.vector[None],
            entities={entity.entity_id: entity.chunks for entity in self.linked},
            compared=side_by_side(embedded.text, self.linked),
            connected=self.connected,
            titles=frozenset(title.entity_id for title in self.titled),
            words={hit.id: hit.score for hit in self.words},
            chunks_in_workspace=embedded.workspace.chunks,
            revision=embedded.workspace.revision,
            trust=trust,
        )

    def first_hop(self, trust: float) -> dict[str, float]:
        """First-hop score of the best chunks that the searches brought, best first; ties by id."""
        cosine = dict(self.vectors) | cosines_of(self.words) | dict(self.first_chunks.values())
        words = relative_scores({hit.id: hit.score for hit in self.words})
        titled = {chunk_id for chunk_id, _ in self.first_chunks.values()}
        score = {
            id_: first_hop_score(dense, words.get(id_, 0.0), float(id_ in titled), trust)
            for id_, dense in cosine.items()
        }
        return dict(sorted(score.items(), key=lambda item: (-item[1], item[0])))

    def seeds(self, first: Sequence[str]) -> list[str]:
        """The chunks with which the pool begins."""
        return [
            *first[:POOL_SEEDS],
            *(id_ for id_, _ in self.vectors[:POOL_SEEDS]),
            *(hit.id for hit in self.words[:POOL_SEEDS]),
            *(id_ for hit in self.facts[:FACT_SEEDS] for id_ in hit.chunk_ids[:MAX_CHUNKS_PER_FACT]),
            *(chunk_id for chunk_id, _ in list(self.first_chunks.values())[:POOL_SEEDS]),
        ]

    def branches_of_chunks(self, joined: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Chunk id -> the branches that found it; `joined` are the chunks that the graph reaches."""
        brought: dict[str, list[str]] = defaultdict(list)
        for name, ids in (
            ("vector", [id_ for id_, _ in self.vectors[:POOL_SEEDS]]),
            ("keyword", [hit.id for hit in self.words[:POOL_SEEDS]]),
            ("facts", [id_ for hit in self.facts[:FACT_SEEDS] for id_ in hit.chunk_ids]),
            ("link", [chunk_id for chunk_id, _ in self.first_chunks.values()]),
            ("walk", joined),
        ):
            for id_ in dict.fromkeys(ids):
                brought[id_].append(name)
        return {id_: tuple(names) for id_, names in brought.items()}


def search(
    embedded: EmbeddedQuestion, reader: GraphReader, embedder: Embedder, *, match_unknown: bool = True
) -> SearchHits:
    """Search vectors, words and facts, and look up entities, identifiers and titles, concurrently.

    `match_unknown`: if no entity has a name, look for it among the vectors of names.
    """
    text, vector = embedded.text, embedded.vector
    with TaskGroup() as tasks:
        facts = tasks.submit(reader.search_facts, vector, POOL_SEEDS)  # takes longest
        words = tasks.submit(search_words, embedded, reader)
        vectors = tasks.submit(reader.search_chunks, vector, MAX_SEARCH_RESULTS)
        candidates = candidate_spans(text)
        keys = sorted({span.key for span in candidates})
        named = tasks.submit(reader.entities_named, keys)
        identifiers = tasks.submit(reader.identifiers_named, identifiers_in(text))
        titles_named = tasks.submit(reader.documents_titled, keys, vector)
        titles = titles_named.result()
        titled = link(text, candidates, titles)
        ids = {title.entity_id for title in titled}
        linked = [*_identifiers(text, identifiers.result()), *link(text, candidates, named.result())]
        linked = list({entity.entity_id: entity for entity in linked}.values())
        if match_unknown:
            linked += _link_by_similarity(unknown_names(text, [*linked, *titled]), linked, reader, embedder)
    return SearchHits(
        vectors=vectors.result(),
        words=words.result(),
        facts=facts.result(),
        linked=linked,
        titled=titled,
        first_chunks={t.entity_id: (t.chunk_id, t.cosine) for t in titles if t.entity_id in ids},
        compared=names_to_compare(text, linked),
        connected=names_to_connect(text, linked),
        nowhere=_unknown_names(embedded, [*linked, *titled], reader),
    )


def _identifiers(text: str, named: Sequence[NamedEntity]) -> list[Linked]:
    """The identifiers of source code that the question names."""
    return [
        Linked(entity_id=one.entity_id, name=one.name, chunks=one.chunks, span=one.key)
        for one in named
        if one.key in text
    ]


def _unknown_names(embedded: EmbeddedQuestion, known: Sequence[Linked], reader: GraphReader) -> tuple[str, ...]:
    """Names of the question that occur in no text. Empty if no text is in the question's language, and for German,
    where every noun has a capital."""
    if embedded.languages[0] not in embedded.languages[1:] or embedded.languages[0] == "de":
        return ()

    def is_known_word(word: str) -> bool:
        sought = lucene_query(query_terms(word, *embedded.languages))
        return not sought or bool(reader.search_words(sought, embedded.vector, 1))

    return names_nowhere(embedded.text, unknown_names(embedded.text, known), is_known_word)


def search_words(embedded: EmbeddedQuestion, reader: GraphReader, k: int = MAX_SEARCH_RESULTS) -> Sequence[WordHit]:
    """The results of keyword search, the best `k` with their cosines; in a small workspace, every chunk with one of the
    words."""
    chunks = embedded.workspace.chunks
    behind = max(chunks - k, 0) if is_own_pool(chunks) else 0
    return reader.search_words(lucene_query(embedded.terms), embedded.vector, k, behind)


def cosines_of(hits: Iterable[WordHit]) -> dict[str, float]:
    """Chunk id -> cosine with the question, for the chunks that were compared."""
    return {hit.id: hit.cosine for hit in hits if hit.cosine is not None}


def _link_by_similarity(
    names: Sequence[str], linked: Sequence[Linked], reader: GraphReader, embedder: Embedder
) -> list[Linked]:
    """For each name the entity with the nearest name, if it is near enough and not linked already."""
    if not names:
        return []
    vectors = embed_texts(embedder, names, exact=True)
    by_id = {entity.entity_id: entity for entity in linked}
    for name, vector in zip(names, vectors, strict=True):
        for hit in reader.search_entities(vector, 1):
            if hit.cosine >= MIN_NAME_COSINE and hit.entity_id not in by_id:
                by_id[hit.entity_id] = Linked(
                    entity_id=hit.entity_id, name=hit.name, chunks=hit.chunks, span=name, cosine=hit.cosine
                )
    return list(by_id.values())[len(linked) :]


# --------------------------------------------------------------------------------------------------------------------
# The walk


def is_own_pool(chunks: int) -> bool:
    """Whether a workspace of so many chunks is small enough to be its own pool."""
    return chunks <= WHOLE_POOL_CHUNKS


class WalkedPool(NamedTuple):
    """The chunks that may answer, and how the walk reaches them; None if there are none."""

    pool: Pool | None = None
    walked: Walked | None = None

    def summary(self) -> dict[str, Any]:
        chunks, trails = self.pool.chunks if self.pool else (), self.walked.trails if self.walked else ()
        return {"pool": len(chunks), "reached": len(trails)}


def gather_pool(
    question: Question, hits: SearchHits, reader: GraphReader, depth: int, more: Collection[str] = ()
) -> WalkedPool:
    """The chunks that may answer, and how the walk over titles and names reaches them.

    The pool of a small workspace is all of it. In a larger one the walk starts from the best chunks and goes on hop by
    hop, and the pool grows by the chunks that each hop can reach. In a small one where titles lead nowhere there is no
    walk: facts join the chunks. `more`: further chunks for the pool of a larger workspace.
    """
    first = list(hits.first_hop(question.trust))
    chunks: dict[str, PoolChunk] = {}
    if is_own_pool(question.chunks_in_workspace):
        ids = reader.chunk_ids(question.revision)
        layout = cached_layout(question.revision or "", ids, lambda: reader.pool(ids, question.revision))
        if layout is None:
            return WalkedPool()
        pool = pool_of(layout, question)
        return WalkedPool(pool, _walk_within(pool, first, question, depth) if layout.titled else not_walked(pool))
    with TaskGroup() as tasks:
        near = _begin_neighbours(first[:MAX_FRONTIER_CHUNKS], sorted(question.entities), question, reader, tasks)
        _fetch_chunks([*hits.seeds(first), *more], chunks, question, reader)
        _fetch_chunks(near(), chunks, question, reader)
    if not chunks:
        return WalkedPool()
    pool = build_pool(chunks.values(), question)
    frontiers = [first_hops(pool, first[:MAX_FRONTIER_CHUNKS])]
    walked = extend(frontiers[0], pool, question, not_walked(pool))
    for _ in range(depth - 2):
        frontier = best_trails(walked, pool)
        if not frontier:
            break
        if len(frontiers) < MAX_POOL_FETCHES:
            begun = {trail.end for trail in frontiers[0]}
            ends = [trail.end for trail in frontier if trail.end not in begun]
            with TaskGroup() as tasks:
                near = _begin_neighbours(ends, hubs_ahead(frontier, pool, question), question, reader, tasks)
            _fetch_chunks(near(), chunks, question, reader)
            pool = build_pool(chunks.values(), question)
            walked = not_walked(pool)
            for before in frontiers:
                walked = extend(before, pool, question, walked)
        frontiers.append(frontier)
        walked = extend(frontier, pool, question, walked)
    return WalkedPool(pool, walked)


def _walk_within(pool: Pool, first: Sequence[str], question: Question, depth: int) -> Walked:
    """The hops of a pool that holds all there is."""
    frontier = first_hops(pool, first[:MAX_FRONTIER_CHUNKS])
    walked = extend(frontier, pool, question, not_walked(pool))
    for _ in range(depth - 2):
        frontier = best_trails(walked, pool)
        if not frontier:
            break
        walked = extend(frontier, pool, question, walked)
    return walked


def _begin_neighbours(
    chunk_ids: Sequence[str], entities: Sequence[str], question: Question, reader: GraphReader, tasks: TaskGroup
) -> Callable[[], list[str]]:
    """Chunks one hop away: over a rare entity or a title, or with a fact of `entities`, however common these are. The
    search runs while the caller goes on; calling the result waits for it."""
    vector, revision = question.vector, question.revision
    near = (
        tasks.submit(
            reader.neighbours,
            chunk_ids,
            vector,
            hub=HUB_MIN_CHUNKS,
            per_chunk=MAX_NEIGHBOURS_PER_CHUNK,
            revision=revision,
        )
        if chunk_ids
        else None
    )
    facts = tasks.submit(reader.facts_about, entities, vector, limit=MAX_ENTITY_FACTS) if entities else None

    def near_chunks() -> list[str]:
        hits = facts.result() if facts else ()
        return [*(near.result() if near else ()), *(id_ for hit in hits for id_ in hit.chunk_ids[:MAX_CHUNKS_PER_FACT])]

    return near_chunks


def _fetch_chunks(ids: Collection[str], chunks: dict[str, PoolChunk], question: Question, reader: GraphReader) -> None:
    """Add the new chunks of `ids` to `chunks`, those of the pool."""
    new = sorted(set(ids) - chunks.keys())
    chunks.update({chunk.id: chunk for chunk in reader.pool(new, question.revision)})
