"""Remarks, filled forms and attached files of a PDF."""

from __future__ import annotations

import io

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NullObject, PdfObject, TextStringObject

from filigraph.graph.ingest.split import split
from filigraph.graph.text.places import place_of
from tests.unit.graph.ingest.loading import pdf, places, read


def _note(**values: str) -> DictionaryObject:
    names = {"kind": "/Subtype", "words": "/Contents", "who": "/T", "when": "/M", "value": "/V"}
    note = DictionaryObject({NameObject("/Type"): NameObject("/Annot")})
    for name, value in values.items():
        note[NameObject(names[name])] = NameObject(value) if name == "kind" else TextStringObject(value)
    return note


def _with(notes: dict[int, list[PdfObject]], attached: str = "") -> bytes:
    writer = _writer(notes)
    if attached:
        writer.add_attachment(attached, b"Jules.")
    return _bytes(writer)


def _writer(notes: dict[int, list[PdfObject]]) -> PdfWriter:
    writer = PdfWriter()
    writer.append(PdfReader(io.BytesIO(pdf(["The Heron sank in fog.", "Nobody saw the crew again."]))))
    for page, own in notes.items():
        writer.pages[page][NameObject("/Annots")] = ArrayObject(writer._add_object(note) for note in own)
    return writer


def _bytes(writer: PdfWriter) -> bytes:
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def test_remarks_and_fields_are_read_with_their_page() -> None:
    remark = _note(kind="/Text", words="Who saw it?", who="Ann Low", when="D:20210304101112")
    field = _note(kind="/Widget", who="Owner", value="Bo Moss")
    empty = _note(kind="/Widget", who="Signature")
    document = read(_with({0: [remark], 1: [field, empty]}), "a.pdf")
    assert document.text.endswith("[2021-03-04] Ann Low: Comment: Who saw it?\n\nOwner: Bo Moss")
    at = document.text.index("[2021")
    assert [(place.label, place.start) for place in document.places][2:] == [
        ("1", at),
        ("Comments", at),
        ("2", document.text.index("Owner")),
    ]
    assert "Signature" not in document.text


def test_what_is_damaged_or_signed_costs_no_other_remark() -> None:
    signed = _note(kind="/Widget", who="Signature1")
    signed[NameObject("/V")] = DictionaryObject({NameObject("/Type"): NameObject("/Sig")})
    remark = _note(kind="/Text", words="Who saw it?")
    text = read(_with({0: [NullObject(), TextStringObject("?"), signed, remark]}), "a.pdf").text
    assert text.endswith("Nobody saw the crew again.\n\nComment: Who saw it?")


def test_a_field_that_stands_in_several_places_is_said_once() -> None:
    field = DictionaryObject({NameObject("/T"): TextStringObject("Owner"), NameObject("/V"): TextStringObject("Bo")})
    other = DictionaryObject(field)  # of the same name and value, below another part of the form
    here, there, else_where = (_note(kind="/Widget") for _ in range(3))
    writer = _writer({0: [here], 1: [there, else_where]})
    parent = writer._add_object(field)
    here[NameObject("/Parent")] = there[NameObject("/Parent")] = parent
    else_where[NameObject("/Parent")] = writer._add_object(other)
    assert read(_bytes(writer), "a.pdf").text.count("Owner: Bo") == 2


def test_words_that_are_an_object_of_their_own_are_read() -> None:
    remark = _note(kind="/Text")
    writer = _writer({0: [remark]})
    remark[NameObject("/Contents")] = writer._add_object(TextStringObject("Who saw it?"))
    assert read(_bytes(writer), "a.pdf").text.endswith("Comment: Who saw it?")


def test_remarks_are_in_no_chapter() -> None:
    writer = _writer({0: [_note(kind="/Text", words="The crew")]})
    for page, label in enumerate(("The Heron", "Nobody")):
        writer.add_outline_item(title=label, page_number=page)
    document = read(_bytes(writer), "a.pdf")
    chunk = split(document, "d")[-1]
    at = chunk.text.index("Comment: The crew")
    assert [label for label, _ in places(document)] == ["1", "The Heron", "2", "Nobody", "1", "Comments"]
    assert place_of(chunk.places, at, at + 9) == "page 1, Comments"


def test_attached_files_are_named() -> None:
    assert read(_with({}, "ledger.csv"), "a.pdf").warnings == ("attached files are not read: ledger.csv",)
