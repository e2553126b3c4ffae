"""Look up: the facts about a name, or the chains of facts between two names, when a model asks for them. Each fact
comes with the sentence that says it, as an extract."""

from __future__ import annotations

from collections.abc import Iterator

from filigraph.graph.ask.evidence.between import connect_names, entities_with_name
from filigraph.graph.ask.evidence.build import evidence_of
from filigraph.graph.ask.generation.notebook import GraphLine, GraphResult
from filigraph.graph.ask.generation.reply import Request
from filigraph.graph.ask.reader import StatedReader
from filigraph.graph.errors import NotFound
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Passage, PoolFact
from filigraph.graph.records.facts import DetailFact
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.words import fold

MAX_FACTS_PER_NAME = 10  # of a name
MAX_NAMESAKES = 2
MAX_OTHER_NAMES = 8
MAX_CONNECTIONS = 2
MAX_HOPS = 3
MAX_FACTS_OF_ONE = 40  # facts among which sentences with both names of an entity are looked for

Sentence = tuple[str, str, str]  # fact in words, chunk id, the sentence


def look_up(request: Request, *, vector: Vector, reader: StatedReader) -> GraphResult:
    """The graph's answer to FACTS or BETWEEN. `vector` is the question's."""
    if request.kind == "facts":
        return _to_graph_result(_facts_of_name(request.text, vector, reader), reader)
    return _to_graph_result(_connections_between(*_two_names(request, reader), vector, reader), reader)


def _two_names(request: Request, reader: StatedReader) -> tuple[str, str]:
    """The first two names of a request that the graph both knows; if there are none, the first two."""
    pairs = [text.partition("|")[::2] for text in (request.text, *request.otherwise)]
    names = [(first.strip(), second.strip()) for first, second in pairs]
    if len(names) == 1:
        return names[0]
    known = (pair for pair in names if all(reader.entities_named([name_key(name)]) for name in pair))
    return next(known, names[0])


def _facts_of_name(name: str, vector: Vector, reader: StatedReader) -> Iterator[str | Sentence]:
    entities = entities_with_name(name, reader)[:MAX_NAMESAKES]
    if not entities:
        yield f"The graph knows no {name!r}."
    for known in reader.entities_by_id([entity.id for entity in entities]):
        others = [form for form in known.aliases if form != known.name][:MAX_OTHER_NAMES]
        yield f"{known.name}: {known.type or 'no type'}{', also called ' + '; '.join(others) if others else ''}"
        yield from _facts_about(known.id, vector, reader, MAX_FACTS_PER_NAME)


def _facts_about(entity_id: str, vector: Vector, reader: StatedReader, limit: int) -> Iterator[Sentence]:
    """The facts of an entity that are nearest to the question."""
    hits = reader.facts_about([entity_id], vector, limit=limit)
    chunks = {chunk.id: chunk for chunk in reader.pool([id_ for hit in hits for id_ in hit.chunk_ids[:1]])}
    passages = reader.passages(list(chunks))
    for hit in hits:
        chunk = chunks.get(hit.chunk_ids[0]) if hit.chunk_ids else None
        fact = next((one for one in chunk.facts if one.fact_id == hit.fact_id), None) if chunk else None
        if chunk and fact and chunk.id in passages:
            yield _in_words(fact), chunk.id, passages[chunk.id].text[fact.start : fact.end]


def _connections_between(first: str, second: str, vector: Vector, reader: StatedReader) -> Iterator[str | Sentence]:
    try:
        (connection,) = connect_names([first, second], graph=reader, hops=MAX_HOPS, count=MAX_CONNECTIONS)
    except NotFound as error:
        yield f"The graph: {error.cause}"
        return
    if connection.verdict == "same":
        facts = _facts_with_names((first, second), connection.first_entities[0].id, vector, reader)
        yield f"In the graph {first} and {second} are one{':' if facts else '.'}"
        yield from facts
    elif connection.verdict == "none":
        yield (
            f"No chain of at most {MAX_HOPS} facts of the graph joins {first} and {second}; the extracts may join them."
        )
    elif connection.verdict == "hubs":
        yield f"{first} and {second} are not connected but by {', '.join(connection.hubs)}:"
    for way in connection.paths:
        yield f"{first} and {second}:"
        for fact in way.facts:
            yield _in_words(fact), fact.sentences[0].chunk_id, fact.sentences[0].sentence
        yield from (f"- {one.first} may be {one.other}" for one in way.alike)


def _facts_with_names(names: tuple[str, str], entity_id: str, vector: Vector, reader: StatedReader) -> list[Sentence]:
    """Facts of the entity that has both names: for each name one whose sentence has it, to be cited."""
    facts = list(_facts_about(entity_id, vector, reader, MAX_FACTS_OF_ONE))
    having = [[fact for fact in facts if fold(name) in fold(fact[2])][:1] for name in names]
    return list(dict.fromkeys(fact for one in having for fact in one))


def _in_words(fact: PoolFact | DetailFact) -> str:
    """A fact with the names that its graph uses: its text may have others."""
    return f"{fact.subject} {fact.predicate} {fact.object}"


def _to_graph_result(parts: Iterator[str | Sentence], reader: StatedReader) -> GraphResult:
    entries = list(parts)
    passages = reader.passages(list(dict.fromkeys(part[1] for part in entries if not isinstance(part, str))))
    lines: list[GraphLine] = []
    quoted: list[tuple[Passage, str]] = []
    for part in entries:
        if isinstance(part, str):
            lines.append(GraphLine(text=_one_line(part)))
        elif part[1] in passages:  # not deleted meanwhile
            lines.append(GraphLine(text=_one_line(f"- {part[0]}"), chunk_id=part[1]))
            quoted.append((passages[part[1]], part[2]))
    return GraphResult(
        lines=lines,
        evidence=[evidence_of(passage, 0.0, None, ("facts",)) for passage, _ in quoted],
        quotes=[quote for _, quote in quoted],
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:400]
