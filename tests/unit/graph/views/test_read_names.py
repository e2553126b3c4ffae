"""What views share of names follows the chunks: derived with it, a view has the same lines as derived alone."""

from __future__ import annotations

from collections.abc import Mapping

from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction, Triplet
from filigraph.graph.records.documents import DocumentRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart, TextVectors
from filigraph.graph.view import ALL
from filigraph.graph.views.derived import derive_view
from filigraph.graph.views.lines import lines_of_view
from filigraph.graph.views.read_names import ReadNames
from tests.making import word_embedder

LETTER, REPORT = "Jules Delmas wears a ring. Has the Claw seen it?", "Jules Delmas was seen. So was the Claw."


def chunk(document: str, text: str, subject: str = "", object_: str = "") -> ReadChunk:
    stated = Triplet(subject=subject, predicate="wears", object=object_, start=0, end=len(text))
    triplets = (stated,) if subject else ()
    return ReadChunk(
        chunk=Chunk(
            id=f"{document}c",
            document_id=document,
            index=0,
            start=0,
            end=len(text),
            text=text,
            title="",
            language="en",
            place="",
        ),
        extraction=Extraction(key=f"{document} {triplets}", extractor="triples", triplets=triplets),
        terms="",
        packed=b"",
        strangers=(),
        version=(triplets,),
    )


def part(**chunks: ReadChunk) -> ReadPart:
    documents: Mapping[str, DocumentRow] = {
        row.chunk.document_id: DocumentRow(
            id=row.chunk.document_id, source=name, title="", sha256="", language=row.chunk.language
        )
        for name, row in chunks.items()
    }
    return ReadPart(
        version="",
        fingerprint="",
        documents=documents,
        chunks={row.chunk.id: row for row in chunks.values()},
        decisions=(),
        alias_groups=(),
        casts={},
        cast_links=(),
        mentions=Mentions(()),
        text_vectors=TextVectors(8),
    )


def test_a_new_name_is_found_in_texts_that_stay_and_goes_with_its_document() -> None:
    letter, report = chunk("a", LETTER, "Jules Delmas", "ring"), chunk("b", REPORT)
    with_name = chunk("b", REPORT, "the Claw", "Jules Delmas")
    shared, seen = ReadNames(), list[str]()
    for later in (report, with_name, report):
        now = part(letter=letter, report=later)
        shared.follow(now)
        lines = [*lines_of_view(derive_view(now, ALL, embedder=word_embedder(), read=shared), {})]
        assert lines == [*lines_of_view(derive_view(now, ALL, embedder=word_embedder()), {})]
        seen.append("\n".join(lines))
    assert seen[0] == seen[2]
    assert '"form":"Claw"' in seen[1] and '"form":"Claw"' not in seen[0]
