"""Answers as a Word file."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import docx
import pytest
from docx.document import Document

from filigraph.app.schemas.answers import KeptAnswerOut
from filigraph.app.service.report import report

WORDS = {"subject_id": "", "object_id": "", "chunk_id": "c1", "start": 0, "end": 1, "score": 0.5, "fact_id": ""}
SAID = {"implied": False, "premises": [], "according_to": "", "date": ""}
EVIDENCE = {"kind": "chunk", "place": "page 3", "score": 1.0, "rerank_score": None, "kept_by": "rank", "branches": []}


def hop(subject: str, predicate: str, object_: str, **more: Any) -> dict[str, Any]:
    ends = {"subject": subject, "predicate": predicate, "object": object_, "sentence": f"{subject} {predicate}."}
    return {"kind": "fact", **WORDS, **SAID, **ends, **more}


def answer(question: str, *hops: dict[str, Any], **more: Any) -> KeptAnswerOut:
    path = {"id": "p1", "hops": hops, "score": 0.9, "text": "", "cypher": ""}
    evidence = {
        **EVIDENCE,
        "id": "c1",
        "text": "Whole text.",
        "document_id": "d1",
        "title": "Letter",
        "source": "l.txt",
    }
    document = {"id": "d1", "title": "Letter", "source": "l.txt", "sha256": "ab" * 32, "language": "en"}
    fields: dict[str, Any] = {
        "question": question,
        "text": "He is a thief [1].",
        "generated": True,
        "model": "some-model",
        "citations": [evidence],
        "paths": [path] if hops else [],
        "missing": "",
        "trace": {"id": "trace-1", "workspace": "case", "question": question, "steps": [], "settings": {}},
        "at": datetime(2026, 11, 28, tzinfo=UTC),
        "asked": question,
        "thread": "trace-1",
        "uncited": [],
        "documents": [document],
        "version": "0.2.0",
        "embedder": "e5",
    }
    return KeptAnswerOut.model_validate(fields | more)


RING = [hop("Jules", "wears", "the ring"), hop("The Claw", "has as emblem", "the ring")]


def read(content: bytes) -> tuple[Document, str]:
    notes = zipfile.ZipFile(io.BytesIO(content)).read("word/footnotes.xml").decode()
    return docx.Document(io.BytesIO(content)), notes


def lines(document: Document) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs]


def test_the_path_is_drawn_with_its_sentences_and_their_sources() -> None:
    document, notes = read(report([answer("Why be wary of Jules?", *RING)]))
    drawn = [row.cells[0].text for row in document.tables[0].rows]
    assert drawn == ["Jules", "↓ wears", "the ring", "↑ has as emblem", "The Claw"]
    assert {"He is a thief [1].", "“Jules wears.”", "[1] Whole text."} <= set(lines(document))
    assert notes.count(f"Letter · page 3 · l.txt · sha256 {'ab' * 32}") == 3  # two hops, one source


def test_it_speaks_the_question_s_language() -> None:
    said = hop("Jules", "porte", "la bague", according_to="Sophie", implied=True)
    document, _ = read(report([answer("Pourquoi se méfier de Jules ?", said, missing="Son père.")]))
    assert "Ce que les extraits ne disent pas: Son père." in lines(document)
    assert "Jules porte la bague (sous-entendu, selon Sophie)" in lines(document)


def test_a_thread_is_one_file_under_its_title() -> None:
    document, _ = read(report([answer("Who is Jules?", *RING), answer("And Sophie?")], title="The ring"))
    headings = [one.text for one in document.paragraphs if one.style is not None and one.style.name == "Heading 1"]
    assert lines(document)[0] == "The ring"
    assert headings == ["Who is Jules?", "And Sophie?"]


def test_without_an_answer_there_are_excerpts() -> None:
    document, _ = read(report([answer("Who?", generated=False, excerpts=[{"number": 1, "text": "Jules stole it."}])]))
    assert lines(document)[1:3] == ["Passages, not an answer", "[1] Jules stole it."]


@pytest.mark.parametrize("hostile", ["<w:t>&amp;", "\x00\x1b[31m", "\ud800", "a\u202eb", "]]>"])
def test_hostile_text_is_text(hostile: str) -> None:
    document, _ = read(report([answer("Who?", hop(hostile, "wears", "ring"), text=f"It is {hostile}.")]))
    assert [row.cells[0].text for row in document.tables[0].rows][1:] == ["↓ wears", "ring"]
    assert lines(document)[1].startswith("It is ") and lines(document)[1].endswith(".")
    assert hostile != "<w:t>&amp;" or lines(document)[1] == "It is <w:t>&amp;."
