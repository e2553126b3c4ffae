"""The contradictions that the paths of an answer touch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.analysis.matters import Matter
from filigraph.graph.model.answers import AnswerStatement, PathContradiction
from filigraph.graph.model.retrieval import Hop, Path
from filigraph.graph.records.facts import Statement

MAX_CONTRADICTIONS_SHOWN = 5  # that an answer shows


def path_contradictions(paths: Sequence[Path], matters: Sequence[Matter]) -> tuple[PathContradiction, ...]:
    """The contradictions of the shown paths, in the order of the paths, each matter once."""
    by_chunk, by_fact = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for number, matter in enumerate(matters):
        if matter.lead.verdict != "not":
            for stated in matter.statements:
                by_chunk[stated.statement.chunk_id].append(number)
                by_fact[stated.statement.fact_id].append(number)
    touched: dict[int, PathContradiction] = {}
    for path in paths:
        for at, hop in enumerate(() if path.lead else path.hops, start=1):
            near = {*by_chunk.get(hop.chunk_id, ()), *(by_fact.get(hop.fact_id, ()) if hop.fact_id else ())}
            for number in sorted(near - touched.keys()):
                for pair, statement, against in _hop_and_opposite(hop, matters[number]):
                    touched[number] = _contradiction_of_hop(path, at, matters[number], pair, statement, against)
                    break
    return tuple(touched.values())[:MAX_CONTRADICTIONS_SHOWN]


def _hop_and_opposite(hop: Hop, matter: Matter) -> Iterator[tuple[Contradiction, Statement, Statement]]:
    """The hop's statement, and a statement against it, the most direct first."""
    for pair in matter.pairs:
        for statement, against in ((pair.first, pair.other), (pair.other, pair.first)):
            here = statement.chunk_id == hop.chunk_id and statement.start < hop.end and hop.start < statement.end
            if pair.verdict != "not" and (here or (hop.fact_id and statement.fact_id == hop.fact_id)):
                yield pair, statement, against


def _contradiction_of_hop(
    path: Path, hop: int, matter: Matter, pair: Contradiction, statement: Statement, against: Statement
) -> PathContradiction:
    sides = [stated.side for stated in matter.statements]
    places = matter.place_of(statement), matter.place_of(against)
    order = dict.fromkeys([*(sides[place] for place in places), *sides])
    rank = {side: number for number, side in enumerate(order, start=1)}  # the path's own side is the first
    further = [stated for place, stated in enumerate(matter.statements) if place not in places]
    return PathContradiction(
        path_id=path.id,
        hop=hop,
        kind=pair.kind,
        said=_quoted(statement, 1),
        against=_quoted(against, 2),
        verdict="" if pair.verdict == "not" else pair.verdict,
        what=pair.what,
        about=matter.about,
        further=tuple(_quoted(stated.statement, rank[stated.side]) for stated in further),
    )


def _quoted(statement: Statement, side: int) -> AnswerStatement:
    return AnswerStatement(
        voice=statement.voice,
        sentence=statement.sentence,
        denied=statement.denied,
        source=statement.source,
        place=statement.place,
        date=statement.date,
        when=statement.when,
        document_id=statement.document_id,
        chunk_id=statement.chunk_id,
        start=statement.start,
        end=statement.end,
        side=side,
    )
