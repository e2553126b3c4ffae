"""A small world to store, and the smallest pipeline that derives a graph from it: one name, one entity.

Passages are sentences "Subject | predicate | object.", several to a passage.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest

from filigraph.graph import ids
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction, Triplet
from filigraph.graph.model.facts import Entity, Fact, Support
from filigraph.graph.model.names import Mention, Occurrence
from filigraph.graph.model.traces import Trace, TraceStep
from filigraph.graph.records.documents import ChunkRow, DocumentRow, StoredChunk
from filigraph.graph.store import Graph, Store
from filigraph.graph.store.connect import DELETE_BATCH_NODES, DELETED_IN_ORDER
from filigraph.graph.store.neo4j import database
from filigraph.graph.store.neo4j.database import Run
from filigraph.graph.store.neo4j.statements import cypher

LETTERS = {
    "letters/sophie.txt": ["Sophie | aime | Jules.", "Jules | porte | chevalière. Sophie | habite | Nantes."],
    "police/report.txt": ["La Griffe | est | société de voleurs.", "chevalière | est emblème de | La Griffe."],
    "press/cutting.txt": ["Sophie | est née à | Nantes. La Griffe | vole | banques.", "On a vu Jules à Nantes."],
}


def vector(text: str, dimensions: int = 8) -> Vector:
    """A unit vector that depends on nothing but the text."""
    seed = int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
    values = np.random.default_rng(seed).standard_normal(dimensions)
    return (values / np.linalg.norm(values)).astype(np.float32)


def triplets(text: str) -> list[Triplet]:
    """What stands between the bars of a passage."""
    found, start = [], 0
    for sentence in text.split("."):
        parts = [part.strip() for part in sentence.split("|")]
        if len(parts) == 3:
            found.append(
                Triplet(subject=parts[0], predicate=parts[1], object=parts[2], start=start, end=start + len(sentence))
            )
        start += len(sentence) + 1
    return found


def trace(workspace: str, question: str = "Qui est « Jules » ?") -> Trace:
    """How an answer might have come about; too long for any index."""
    walked = {"paths": [{"text": "Jules porte chevalière. " * 500, "score": 0.5, "kept": True}], "reranker": None}
    steps = (
        TraceStep(name="embed", milliseconds=1.5, inputs={"language": "fr"}, outputs={"segments": ["Jules"]}),
        TraceStep(name="walk", milliseconds=20.0, inputs={"depth": 4}, outputs=walked),
    )
    return Trace(
        id=uuid.uuid4().hex, workspace=workspace, question=question, steps=steps, settings={"depth": 4, "keep": 10}
    )


def document(graph: Graph, source: str) -> DocumentRow:
    return DocumentRow(
        id=ids.document_id(graph.workspace.name, source),
        source=source,
        title=source.rpartition("/")[2],
        sha256=hashlib.sha256(source.encode()).hexdigest(),
        language="fr",
        warnings=("page 2 has no text",),
    )


def chunk_rows(row: DocumentRow, passages: Sequence[str], *, extractor: str = "bars") -> list[ChunkRow]:
    rows, start = [], 0
    seen: Counter[str] = Counter()
    for index, text in enumerate(passages):
        chunk = Chunk(
            id=ids.chunk_id(row.id, text, seen[text]),
            document_id=row.id,
            index=index,
            start=start,
            end=start + len(text),
            text=text,
            title=row.title,
            place="",
            language=row.language,
        )
        seen[text] += 1
        start += len(text) + 1
        extraction = Extraction(
            key=ids.content_id("extraction", extractor, text),
            extractor=extractor,
            triplets=tuple(triplets(text)),
            note="" if triplets(text) else "no bars",
        )
        rows.append(
            ChunkRow(
                chunk=chunk, terms=terms(text), vector=vector(text), sentences=vector(text)[None], extraction=extraction
            )
        )
    return rows


def terms(text: str) -> str:
    return " ".join(word.strip(".|,").casefold() for word in text.split() if word.strip(".|,"))


def read(graph: Graph, source: str, passages: Sequence[str]) -> str:
    """Write one document as it was read; returns its id."""
    row = document(graph, source)
    graph.write_documents([row])
    rows = chunk_rows(row, passages)
    graph.write_chunks(rows)
    graph.finish_reading({row.id: [row.chunk.id for row in rows]})
    return row.id


def derive(graph: Graph) -> None:
    """Derive what follows from the stale chunks."""
    stale = graph.stale_chunks()
    graph.write_mentions(read_mentions(stale))
    names = {row.key: row.form for row in graph.mentions() if not row.scanned}
    graph.write_mentions(scan(stale, names))
    fresh = [row for row in graph.mentions() if not row.scanned and row.looked_up != row.form]
    found = graph.chunks_with_terms({row.key: terms(row.key).split() for row in fresh})
    old = graph.load_chunks([id_ for found_ids in found.values() for id_ in found_ids])
    graph.write_mentions(scan(old, {row.key: row.form for row in fresh}))
    graph.note_looked_up({row.id: row.form for row in fresh})

    mentions = graph.mentions()
    members = defaultdict(list)
    for row in mentions:
        members[row.key].append(row)
    entity_of, entities = {}, []
    for key, rows in members.items():
        forms = sorted({row.form for row in rows})
        mention_ids = tuple(sorted(row.id for row in rows))
        entity = Entity(
            id=ids.entity_id(mention_ids[0]), name=forms[0], aliases=tuple(forms), type="", mention_ids=mention_ids
        )
        entity_of[key] = entity
        entities.append((entity, vector(entity.name)))
    changed = [row.id for row in mentions if row.entity_id != entity_of[row.key].id]
    affected = sorted({chunk.id for chunk in stale} | set(graph.chunks_of_mentions(changed)))
    graph.write_entities(entities)
    graph.write_facts(affected, facts(graph.load_chunks(affected), entity_of))
    graph.sweep()


def read_mentions(chunks: Iterable[StoredChunk]) -> list[Mention]:
    return [
        mention
        for chunk in chunks
        for form in sorted(
            {name for triplet in chunk.extraction.triplets for name in (triplet.subject, triplet.object)}
        )
        for mention in _mention(chunk, form, scanned=False)
    ]


def scan(chunks: Iterable[StoredChunk], names: Mapping[str, str]) -> list[Mention]:
    return [
        mention
        for chunk in chunks
        for _, form in sorted(names.items())
        for mention in _mention(chunk, form, scanned=True)
    ]


def _mention(chunk: StoredChunk, form: str, *, scanned: bool) -> list[Mention]:
    key = form.casefold()
    places, start = [], chunk.text.find(form)
    while start >= 0:
        places.append(Occurrence(chunk_id=chunk.id, start=start, end=start + len(form)))
        start = chunk.text.find(form, start + len(form))
    if not places:
        return []
    return [
        Mention(
            id=ids.mention_id(chunk.document_id, key, ""),
            document_id=chunk.document_id,
            key=key,
            form=form,
            type="",
            language=chunk.language,
            occurrences=tuple(places),
            scanned=scanned,
        )
    ]


def facts(chunks: Iterable[StoredChunk], entity_of: Mapping[str, Entity]) -> list[tuple[Fact, Vector]]:
    found: dict[str, Fact] = {}
    supports: dict[str, list[Support]] = defaultdict(list)
    for chunk in chunks:
        for triplet in chunk.extraction.triplets:
            subject, object_ = entity_of[triplet.subject.casefold()], entity_of[triplet.object.casefold()]
            id_ = ids.fact_id(subject.id, triplet.predicate, object_.id)
            supports[id_].append(
                Support(
                    chunk_id=chunk.id,
                    start=triplet.start,
                    end=triplet.end,
                    origin=triplet.origin,
                    according_to=triplet.according_to,
                    premises=triplet.premises,
                )
            )
            found[id_] = Fact(
                id=id_,
                subject_id=subject.id,
                predicate=triplet.predicate,
                object_id=object_.id,
                text=f"{subject.name} {triplet.predicate} {object_.name}",
                supports=tuple(supports[id_]),
            )
    return [(fact, vector(fact.text)) for fact in found.values()]


def ingest(graph: Graph, documents: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Read and derive, one document after the other; source -> document id."""
    made = {}
    for source, passages in documents.items():
        made[source] = read(graph, source, passages)
        derive(graph)
    return made


def empty(store: Store, name: str) -> None:
    """Delete all that is in a workspace and its settings, and keep its indexes. No server believes what it read."""
    store.graph(name).save_settings({})
    store.database.change("new_state", workspace=name)
    for kind in DELETED_IN_ORDER:
        while store.database.change(f"delete_{kind}_batch", workspace=name, limit=DELETE_BATCH_NODES)[0]["deleted"]:
            pass


def remove_mentions(graph: Graph, mention_ids: Sequence[str]) -> None:
    """Delete mentions, as a sweep does."""
    rows = [{"id": id_} for id_ in mention_ids]

    def work(run: Run) -> None:
        run("new_revision", workspace=graph.workspace.name)
        run("remove_mentions", workspace=graph.workspace.name, rows=rows)

    graph.database.write(work)


def kill_at(patch: pytest.MonkeyPatch, statements: str, *, after: int = 0) -> None:
    """Raise KeyboardInterrupt when one of the statements that match this pattern would run, except `after` times."""
    left = iter(range(after))

    def text(statement: str) -> str:
        if re.fullmatch(statements, statement) and next(left, None) is None:
            raise KeyboardInterrupt
        return cypher(statement)

    patch.setattr(database, "cypher", text)


def noted(graph: Graph) -> tuple[int, tuple[str, ...]]:
    """The chunks and languages of a workspace, as last noted."""
    overview = graph.overview()
    return overview.chunks, overview.languages
