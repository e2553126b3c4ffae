"""Remarks, filled forms and attached files of a PDF."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NullObject,
    NumberObject,
    PdfObject,
    TextStringObject,
)

from filigraph.graph.ingest.load import documents_in, load, pdf_attachments
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Source
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


def _attach(
    writer: PdfWriter, name: str, content: bytes = b"Jules.", filter_: str = "", size: int = 0
) -> DictionaryObject:
    """A description of a file, for a page's note."""
    stream = DecodedStreamObject()
    stream.set_data(content)
    if filter_:
        stream[NameObject("/Filter")] = NameObject(filter_)
    if size:
        stream[NameObject("/Params")] = DictionaryObject({NameObject("/Size"): NumberObject(size)})
    embedded = DictionaryObject({NameObject("/F"): writer._add_object(stream)})
    return DictionaryObject({NameObject("/UF"): TextStringObject(name), NameObject("/EF"): embedded})


def _noted(specification: DictionaryObject) -> PdfObject:
    return DictionaryObject({NameObject("/Subtype"): NameObject("/FileAttachment"), NameObject("/FS"): specification})


def _unpacked(content: bytes, **metadata: str) -> tuple[dict[str, Source], list[str]]:
    sources, problems = documents_in(Source(name="a.pdf", content=content, metadata=metadata))
    return {source.name: source for source in sources}, problems


def test_attached_files_are_documents_that_name_their_pdf() -> None:
    inner = _writer({})
    inner.add_attachment("clé.txt", "Une clé.".encode())
    writer = _writer({})
    writer.add_attachment("ledger.csv", b"a;b\n1;2")
    writer.add_attachment("..\\deed.pdf", _bytes(inner))
    note = _noted(_attach(writer, "C:\\tmp\\ledger.csv", b"c;d\n3;4"))
    for page in writer.pages:  # a file that two notes refer to is one
        page[NameObject("/Annots")] = ArrayObject([writer._add_object(note)])
    sources, problems = _unpacked(_bytes(writer), case="x")
    assert problems == []
    assert set(sources) == {
        "a.pdf", "a.pdf/ledger.csv", "a.pdf/ledger (2).csv", "a.pdf/deed.pdf", "a.pdf/deed.pdf/clé.txt",
    }  # fmt: skip
    assert sources["a.pdf/ledger.csv"].metadata == {"case": "x", "attached_to": "a.pdf"}
    assert sources["a.pdf/deed.pdf/clé.txt"].metadata["attached_to"] == "a.pdf/deed.pdf"
    assert load(sources["a.pdf/ledger (2).csv"]).text == "| c | d |\n| 3 | 4 |"
    document = load(sources["a.pdf"])
    assert sorted(document.metadata["attachments"].split(", ")) == ["deed.pdf", "ledger.csv", "ledger.csv"]
    assert document.warnings == () and "ledger" not in document.text


def test_a_damaged_attachment_is_named_and_costs_no_other() -> None:
    writer = _writer({})
    notes = [_attach(writer, "bad.txt", b"no Flate", filter_="/FlateDecode"), _attach(writer, "good.txt")]
    notes.append(_attach(writer, "part.txt", b"Half.", size=9))
    notes.append(DictionaryObject({NameObject("/UF"): TextStringObject("gone.txt"), NameObject("/EF"): NullObject()}))
    writer.pages[0][NameObject("/Annots")] = ArrayObject(writer._add_object(_noted(note)) for note in notes)
    sources, problems = _unpacked(_bytes(writer))
    assert list(sources) == ["a.pdf", "a.pdf/good.txt", "a.pdf/part.txt"]
    assert problems == [
        "a.pdf: attachment bad.txt is not read: it is damaged or empty, or unpacks to too much",
        "a.pdf: attachment part.txt is read in part: 5 of 9 bytes",
        "a.pdf: attachment gone.txt is not read: it is damaged or empty, or unpacks to too much",
    ]


def test_attachments_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = _writer({})
    notes = [_noted(_attach(writer, f"{number}.txt")) for number in range(5)]
    writer.pages[0][NameObject("/Annots")] = ArrayObject(map(writer._add_object, notes))
    content = _bytes(writer)
    for limit, value, why in (
        ("MOST_FILES", 3, "there are more than 3"),
        ("MOST_BYTES", 13, "they unpack to too much"),
    ):
        with monkeypatch.context() as limited:
            limited.setattr(pdf_attachments, limit, value)
            sources, problems = _unpacked(content)
        assert list(sources) == ["a.pdf", "a.pdf/0.txt", "a.pdf/1.txt", "a.pdf/2.txt"]
        assert problems == [f"a.pdf: attachment 3.txt and those after it are not read: {why}"]


def test_a_tree_of_names_without_end_is_left() -> None:
    writer = _writer({})
    writer.add_attachment("a.txt", b"Jules.")
    names = writer.root_object["/Names"]
    assert isinstance(names, DictionaryObject)
    tree = names.raw_get("/EmbeddedFiles")
    tree.get_object()[NameObject("/Kids")] = ArrayObject([tree, tree])
    assert list(_unpacked(_bytes(writer))[0]) == ["a.pdf", "a.pdf/a.txt"]
