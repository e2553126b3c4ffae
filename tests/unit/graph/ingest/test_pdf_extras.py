"""Remarks, filled forms and attached files of a PDF."""

from __future__ import annotations

import io

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

from tests.unit.graph.ingest.loading import pdf, read


def _note(**values: str) -> DictionaryObject:
    names = {"kind": "/Subtype", "words": "/Contents", "who": "/T", "when": "/M", "value": "/V"}
    note = DictionaryObject({NameObject("/Type"): NameObject("/Annot")})
    for name, value in values.items():
        note[NameObject(names[name])] = NameObject(value) if name == "kind" else TextStringObject(value)
    return note


def _with(notes: dict[int, list[DictionaryObject]], attached: str = "") -> bytes:
    writer = PdfWriter()
    writer.append(PdfReader(io.BytesIO(pdf(["The Heron sank in fog.", "Nobody saw the crew again."]))))
    for page, own in notes.items():
        writer.pages[page][NameObject("/Annots")] = ArrayObject(writer._add_object(note) for note in own)
    if attached:
        writer.add_attachment(attached, b"Jules.")
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
        ("2", document.text.index("Owner")),
    ]
    assert "Signature" not in document.text


def test_attached_files_are_named() -> None:
    assert read(_with({}, "ledger.csv"), "a.pdf").warnings == ("attached files are not read: ledger.csv",)
