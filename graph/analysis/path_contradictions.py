"""The contradictions that the paths of an answer touch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.model.answers import AnswerStatement, PathContradiction
from filigraph.graph.model.retrieval import Hop, Path
from filigraph.graph.records.facts import Statement

MAX_CONTRADICTIONS_SHOWN = 5  # that an answer shows


def path_contradictions(
    paths: Sequence[Path], contradictions: Sequence[Contradiction]
) -> tuple[PathContradiction, ...]:
    """The contradictions of the shown paths, in the order of the paths, each pair of sentences once."""
    by_chunk, by_fact = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for number, one in enumerate(contradictions):
        if one.verdict != "not":
            for end in (one.first, one.other):
                by_chunk[end.chunk_id].append(number)
                by_fact[end.fact_id].append(number)
    touched: dict[int, PathContradiction] = {}
    for path in paths:
        for at, hop in enumerate(() if path.lead else path.hops, start=1):
            near = {*by_chunk.get(hop.chunk_id, ()), *(by_fact.get(hop.fact_id, ()) if hop.fact_id else ())}
            for number in sorted(near):
                for said, against in _hop_and_opposite(hop, contradictions[number]):
                    one = contradictions[number]
                    touched.setdefault(number, _contradiction_of_hop(path, at, one, said, against))
    return tuple(touched.values())[:MAX_CONTRADICTIONS_SHOWN]


def _hop_and_opposite(hop: Hop, one: Contradiction) -> Iterator[tuple[Statement, Statement]]:
    """The hop's statement, and the statement against it."""
    for said, against in ((one.first, one.other), (one.other, one.first)):
        here = said.chunk_id == hop.chunk_id and said.start < hop.end and hop.start < said.end
        if here or (hop.fact_id and said.fact_id == hop.fact_id):
            yield said, against


def _contradiction_of_hop(
    path: Path, hop: int, one: Contradiction, said: Statement, against: Statement
) -> PathContradiction:
    return PathContradiction(
        path_id=path.id,
        hop=hop,
        kind=one.kind,
        said=_quoted(said),
        against=_quoted(against),
        verdict="" if one.verdict == "not" else one.verdict,
        what=one.what,
    )


def _quoted(said: Statement) -> AnswerStatement:
    return AnswerStatement(
        voice=said.voice,
        sentence=said.sentence,
        denied=said.denied,
        source=said.source,
        place=said.place,
        date=said.date,
        when=said.when,
        document_id=said.document_id,
        chunk_id=said.chunk_id,
        start=said.start,
        end=said.end,
    )
