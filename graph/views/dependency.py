"""What an answer, a fact or a join depends on: the smallest sets of documents without which it breaks.

The share of a document is its responsibility, 1 / (1 + k): k others must be missing before its loss changes the answer
(Meliou et al., "The Complexity of Causality and Responsibility for Query Answers", VLDB 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.answers import AnswerDependency, DocumentWeight
from filigraph.graph.model.retrieval import Hop, Path
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.views.difference import breaks_in, facts_saying
from filigraph.graph.views.reader import ViewGraph

MAX_SET_DOCUMENTS = 3  # documents of a set
MAX_DOCUMENTS = 12  # documents in a list
MAX_SETS = 30  # sets: each needs the derivation of a view

Opened = Callable[[Sequence[str]], ViewGraph | None]  # the view without these documents; None: nothing remains


def answer_dependency(
    path: Path | None, passages: Sequence[str], whole: ViewGraph, without: Opened
) -> AnswerDependency:
    """The documents that an answer depends on. `passages`: the ids of the passages that it cites or shows, best first.
    For an answer without a path, it is the document of the first passage.
    """
    chunks = whole.derived.chunks
    of_passages = list(dict.fromkeys(chunks[id_].chunk.document_id for id_ in passages if id_ in chunks))
    if path is None or breaks_in(path.hops, whole):
        return _to_dependency("", [frozenset(of_passages[:1])] if of_passages else [], True, _sources(whole))
    hops = path.hops
    supporting = [_documents(hop, whole) for hop in hops]
    return _smallest_sets(path.text, supporting, of_passages, whole, without, lambda view: bool(breaks_in(hops, view)))


def fact_dependency(fact_id: str, whole: ViewGraph, without: Opened) -> AnswerDependency:
    """The documents without which no sentence states a fact. Raises NotFound."""
    row = whole.derived.facts.get(fact_id)
    if row is None:
        raise NotFound(f"There is no fact {fact_id[:80]}.", cure="`filigraph facts list` shows them with their ids.")
    entities, support = whole.derived.entities, row.fact.supports[0]
    hop = Hop(
        kind="fact",
        subject=entities[row.fact.subject_id].name,
        predicate=row.fact.predicate,
        object=entities[row.fact.object_id].name,
        subject_id=row.fact.subject_id,
        object_id=row.fact.object_id,
        chunk_id=support.chunk_id,
        sentence="",
        start=support.start,
        end=support.end,
        score=0.0,
        fact_id=fact_id,
    )
    return _smallest_sets(
        row.fact.text, [_documents(hop, whole)], [], whole, without, lambda view: bool(breaks_in([hop], view))
    )


def join_dependency(first: str, other: str, whole: ViewGraph, without: Opened) -> AnswerDependency:
    """The documents without which two names are not one entity. Raises NotFound, InputError."""
    named = [_mention_ids_of(name, whole) for name in (first, other)]
    if name_key(first) == name_key(other):
        raise InputError("Both are one name.", cure="Give two names of one entity.")
    joined = _entity_ids_of(named[0], whole) & _entity_ids_of(named[1], whole)
    if not joined:
        raise InputError(
            f"{first!r} and {other!r} are not one entity.", cure="`filigraph corrections who` lists names."
        )
    ones = [{id_ for id_ in ids if whole.derived.names.derived.entity_of[id_] in joined} for ids in named]
    documents = {mention.id: mention.document_id for mention in whole.derived.names.mentions}
    of_entity = [mention for id_ in sorted(joined) for mention in whole.derived.entities[id_].mention_ids]
    supporting = [frozenset(documents[id_] for id_ in ids) for ids in ones]
    beside = list(dict.fromkeys(documents[id_] for id_ in of_entity))

    def parted(view: ViewGraph) -> bool:
        return not _entity_ids_of(ones[0], view) & _entity_ids_of(ones[1], view)

    return _smallest_sets(f"{first} = {other}", supporting, beside, whole, without, parted)


def _mention_ids_of(name: str, whole: ViewGraph) -> set[str]:
    key = name_key(name)
    mention_ids = {mention.id for mention in whole.derived.names.mentions if name_key(mention.form) == key}
    mention_ids &= whole.derived.names.derived.entity_of.keys()
    if not mention_ids:
        raise NotFound(f"No entity has the name {name[:80]!r}.", cure="`filigraph entities` finds them by their names.")
    return mention_ids


def _entity_ids_of(mention_ids: Iterable[str], view: ViewGraph) -> set[str]:
    entity_of = view.derived.names.derived.entity_of
    return {entity_of[id_] for id_ in mention_ids if id_ in entity_of}


def _smallest_sets(
    text: str,
    supporting: Sequence[frozenset[str]],
    beside: Sequence[str],
    whole: ViewGraph,
    without: Opened,
    breaks: Callable[[ViewGraph], bool],
) -> AnswerDependency:
    """The smallest sets of documents without which it breaks. `supporting`: for each of its parts, the documents that
    state it; `beside`: others that may matter.
    """
    source = _sources(whole)
    sets, tried = list[frozenset[str]](), 0
    looked_at = list(dict.fromkeys([*chain.from_iterable(map(sorted, supporting)), *beside]))
    for documents in _candidate_sets(supporting, looked_at[:MAX_DOCUMENTS]):
        if any(smaller <= documents for smaller in sets):
            continue
        if tried == MAX_SETS:
            return _to_dependency(text, sets, False, source)
        tried += 1
        view = without(sorted(source[id_] for id_ in documents))
        if view is None or breaks(view):
            sets.append(documents)
    return _to_dependency(text, sets, len(looked_at) <= MAX_DOCUMENTS, source)


def _sources(whole: ViewGraph) -> dict[str, str]:
    return {row.id: row.source for row in whole.document_rows(facts=False)}


def _to_dependency(
    text: str, sets: Sequence[frozenset[str]], complete: bool, source: Mapping[str, str]
) -> AnswerDependency:
    smallest = {id_: min(len(set_) for set_ in sets if id_ in set_) for set_ in sets for id_ in set_}
    weights = [
        DocumentWeight(document_id=id_, source=source[id_], weight=round(1 / size, 3)) for id_, size in smallest.items()
    ]
    return AnswerDependency(
        path=text,
        sets=tuple(tuple(sorted(source[id_] for id_ in set_)) for set_ in sets),
        documents=tuple(sorted(weights, key=lambda row: (-row.weight, row.source))),
        complete=complete,
    )


def _documents(hop: Hop, whole: ViewGraph) -> frozenset[str]:
    """The documents that state a hop."""
    supports = [id_ for row in facts_saying(hop, whole) for id_ in row.chunk_ids] or [hop.chunk_id]
    return frozenset(whole.derived.chunks[id_].chunk.document_id for id_ in supports if id_ in whole.derived.chunks)


def _candidate_sets(supporting: Sequence[frozenset[str]], documents: Sequence[str]) -> Iterator[frozenset[str]]:
    """Sets to try, smaller ones first; among sets of one size, first those that contain all documents of a hop."""
    for size in range(1, MAX_SET_DOCUMENTS + 1):
        yield from (candidate for candidate in supporting if len(candidate) == size)
        yield from map(frozenset, combinations(documents, size))
