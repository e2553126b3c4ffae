"""Answers as a Word file and as a PDF."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import docx
import pytest
from docx.document import Document
from pypdf import PdfReader

from filigraph.app.schemas.answers import KeptAnswerOut
from filigraph.app.schemas.serialize import from_json
from filigraph.app.service.report import report
from filigraph.graph.annotations.notes import Anchor, Note, PlacedNote

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
    return from_json(KeptAnswerOut, fields | more)


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


def test_a_step_that_is_not_found_has_the_passage_that_it_cites_and_no_sentence() -> None:
    unfound = hop("Jules", "met", "Paul", kind="unfound", sentence="", subject_id="", object_id="")
    document, notes = read(report([answer("Who met Paul?", unfound)]))
    assert document.tables[0].rows[1].cells[0].text == "↓ met (not found in the texts)"
    said = {"Jules met Paul (not found in the texts)", "cites Letter, which does not say it in one sentence"}
    assert said <= set(lines(document)) and not any("“" in line for line in lines(document))
    assert notes.count("Letter · page 3 · l.txt") == 2  # of the step, and of the source


def test_it_speaks_the_question_s_language() -> None:
    said = hop("Jules", "porte", "la bague", according_to="Sophie", implied=True)
    document, _ = read(report([answer("Pourquoi se méfier de Jules ?", said, missing="Son père.")]))
    assert "Ce que les extraits ne disent pas: Son père." in lines(document)
    assert "Jules porte la bague (sous-entendu, selon Sophie)" in lines(document)


def test_what_a_person_states_is_told_from_what_texts_say() -> None:
    document, _ = read(report([answer("Who wears the ring?", hop("Jules", "wears", "the ring", own=True), *RING[1:])]))
    assert "Jules wears the ring (stated by a person)" in lines(document)
    assert "The Claw has as emblem the ring" in lines(document)


def test_a_thread_is_one_file_under_its_title() -> None:
    document, _ = read(report([answer("Who is Jules?", *RING), answer("And Sophie?")], title="The ring"))
    headings = [one.text for one in document.paragraphs if one.style is not None and one.style.name == "Heading 1"]
    assert lines(document)[0] == "The ring"
    assert headings == ["Who is Jules?", "And Sophie?"]


def test_notes_of_readers_are_marked_as_theirs() -> None:
    at = {"entity": Anchor(kind="entity", name="Jules"), "passage": Anchor(kind="passage", sentence="Jules wears it.")}
    notes = [
        PlacedNote(
            note=Note(
                id="1", anchor=at["entity"], text="Ask him.", tags=("todo",), by="anna", changed="2026-11-29T08:00:00Z"
            )
        ),
        PlacedNote(note=Note(id="2", anchor=at["passage"], starred=True)),
    ]
    document, _ = read(report([answer("Who is Jules?", *RING), answer("And Sophie?")], notes={"trace-1": notes}))
    said = lines(document)
    begin = said.index("Notes of readers; no document says them")
    assert said[begin + 1 : begin + 5] == ["Jules", "Ask him. (anna · 2026-11-29 · #todo)", "“Jules wears it.”", " (*)"]
    assert "Ask him. (anna" in pages(report([answer("Who is Jules?", *RING)], notes={"trace-1": notes}, format="pdf"))
    assert "Notes of readers; no document says them" not in lines(read(report([answer("Who?")]))[0])


def test_without_an_answer_there_are_excerpts() -> None:
    document, _ = read(report([answer("Who?", generated=False, excerpts=[{"number": 1, "text": "Jules stole it."}])]))
    assert lines(document)[1:3] == ["Passages, not an answer", "[1] Jules stole it."]


@pytest.mark.parametrize("hostile", ["<w:t>&amp;", "\x00\x1b[31m", "\ud800", "a\u202eb", "]]>"])
def test_hostile_text_is_text(hostile: str) -> None:
    document, _ = read(report([answer("Who?", hop(hostile, "wears", "ring"), text=f"It is {hostile}.")]))
    assert [row.cells[0].text for row in document.tables[0].rows][1:] == ["↓ wears", "ring"]
    assert lines(document)[1].startswith("It is ") and lines(document)[1].endswith(".")
    assert hostile != "<w:t>&amp;" or lines(document)[1] == "It is <w:t>&amp;."


def pages(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def test_a_pdf_holds_the_same() -> None:
    said = pages(report([answer("Why be wary of Jules?", *RING)], format="pdf"))
    for text in ("Why be wary of Jules?", "He is a thief [1].", "↓ wears", "↑ has as emblem", "“Jules wears.”"):
        assert text in said
    assert said.count("Letter · page 3 · l.txt · sha256") == 3


@pytest.mark.parametrize("question", ["Pourquoi se méfier de Jules, vieil Œil ?", "Кто носит кольцо?", "Ποιος;"])
def test_a_pdf_has_the_letters_of_many_languages(question: str) -> None:
    assert question in pages(report([answer(question)], format="pdf"))


def test_a_pdf_says_which_letters_it_replaces() -> None:
    said = pages(report([answer("Qui porte 漢字 ?", *RING, text="漢 it is ☃\ufe0f.")], format="pdf"))
    assert "Qui porte ▯▯ ?" in said and "▯ it is ▯." in said
    assert "n'a pas certaines lettres (U+2603, U+5B57, U+6F22) ; ▯ remplace chacune" in " ".join(said.split())
    assert "U+" not in pages(report([answer("Qui ?", *RING)], format="pdf"))


def test_a_pdf_of_a_long_thread_has_pages() -> None:
    long = answer("Who?", *RING * 9, text="A long answer. " * 300)
    content = report([long, long], title="The ring", format="pdf")
    assert len(PdfReader(io.BytesIO(content)).pages) > 3 and pages(content).startswith("The ring")


SIGNS = ["[" * 1200, "שלום " + "- " * 900]  # fpdf recurses over them


@pytest.mark.parametrize("hostile", ["<b>&amp;", "\x00\x1b[31m", "\ud800", "a\u202eb", "(\\) Tj", *SIGNS])
def test_hostile_text_in_a_pdf_is_text(hostile: str) -> None:
    said = pages(report([answer("Who?", hop(hostile, "wears", "ring"), text=f"It is {hostile}.")], format="pdf"))
    assert "It is" in said and "wears" in said


def test_what_other_voices_say_against_it() -> None:
    said = dict.fromkeys(("source", "place", "date", "when", "document_id", "chunk_id"), "") | {"start": 0, "end": 1}
    sides = {
        "said": said | {"voice": "Ann", "sentence": "Jules wears a ring.", "denied": False},
        "against": said | {"voice": "The notary", "sentence": "He never wore it.", "denied": True, "source": "n.txt"},
    }
    further = [sides["against"] | {"voice": "The cook", "sentence": "A ring? No.", "side": 2}]
    one = {"path_id": "p1", "hop": 1, "kind": "denial", "verdict": "", "what": "", "about": "", **sides}
    one |= {"further": further}
    content = report([answer("Who?", hop("Jules", "wears", "ring"), contradictions=[one])])
    texts = [paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs]
    at = texts.index("Other voices say otherwise")
    assert texts[at + 1].startswith("Ann: “Jules wears a ring.”")
    assert texts[at + 2].startswith("The notary: “He never wore it.”")
    assert texts[at + 3] == "As the second:"
    assert texts[at + 4].startswith("The cook: “A ring? No.”")
