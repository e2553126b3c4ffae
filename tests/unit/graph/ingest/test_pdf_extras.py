"""Remarks, filled forms and attached files of a PDF."""

from __future__ import annotations

import io
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NullObject,
    NumberObject,
    PdfObject,
    TextStringObject,
)

from filigraph.graph.ingest.load import documents_in, load, unpack
from filigraph.graph.ingest.load.pdf import pdf_attachments
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Source
from filigraph.graph.text.places import place_of
from tests.unit.graph.ingest.loading import pdf, places, read

_UNREAD = "is not read: it is damaged or empty, unpacks to too much, or is packed in an unknown way"


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
        f"a.pdf: attachment bad.txt {_UNREAD}",
        "a.pdf: attachment part.txt is read in part: 5 of 9 bytes",
        f"a.pdf: attachment gone.txt {_UNREAD}",
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


@pytest.mark.parametrize("filter_", ["/A85", "/AHx", "/Odd", "/BrotliDecode"])
def test_an_attachment_packed_in_an_unknown_way_costs_neither_its_pdf_nor_its_mailbox(filter_: str) -> None:
    writer = _writer({})
    notes = [_attach(writer, "odd.txt", filter_=filter_), _attach(writer, "good.txt")]
    writer.pages[0][NameObject("/Annots")] = ArrayObject(writer._add_object(_noted(note)) for note in notes)
    sources, problems = _mailbox(_bytes(writer))
    assert [*sources] == ["in.mbox/1.eml", _IN_MAIL, f"{_IN_MAIL}/good.txt", "in.mbox/2.eml"]
    assert problems == [f"{_IN_MAIL}: attachment odd.txt {_UNREAD}"]
    document = load(sources[_IN_MAIL])
    assert "The Heron sank" in document.text and document.metadata["attachments"] == "odd.txt, good.txt"


def test_a_pdf_in_an_unknown_encryption_costs_no_mailbox() -> None:
    writer = _writer({})
    writer.add_attachment("a.txt", b"Jules.")
    locked = _bytes(writer).replace(b"trailer\n<<", b"trailer\n<<\n/Encrypt << /Filter /Adobe.PubSec /V 4 >>")
    with pytest.raises(NotImplementedError):
        PdfReader(io.BytesIO(locked))
    assert [*_mailbox(locked)[0]] == ["in.mbox/1.eml", _IN_MAIL, "in.mbox/2.eml"]


def test_any_failure_over_attachments_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise NotImplementedError("odd")

    writer = _writer({})
    writer.add_attachment("a.txt", b"Jules.")
    monkeypatch.setattr(pdf_attachments, "specifications", fail)
    sources, problems = _mailbox(_bytes(writer))
    assert [*sources] == ["in.mbox/1.eml", _IN_MAIL, "in.mbox/2.eml"]
    assert problems == [f"{_IN_MAIL}: not all that is attached can be read (NotImplementedError: odd)"]
    monkeypatch.setattr(unpack, "attached_to_pdf", fail)
    assert _mailbox(_bytes(writer))[1] == [f"{_IN_MAIL}: what is attached cannot be read (NotImplementedError: odd)"]


_IN_MAIL = "in.mbox/1.eml/a.pdf"


def _mailbox(attached: bytes) -> tuple[dict[str, Source], list[str]]:
    """Two mails: to the first a PDF is attached."""
    first, second = EmailMessage(), EmailMessage()
    for message, number in ((first, 1), (second, 2)):
        message["Message-ID"], message["From"], message["Subject"] = f"<{number}>", "Jules <j@x.y>", "La clé"
        message.set_content("Rends la bague.")
    first.add_attachment(attached, maintype="application", subtype="pdf", filename="a.pdf")
    content = b"\n".join(b"From j@x.y Tue Mar  5 10:00:00 1912\n" + bytes(mail) for mail in (first, second))
    sources, problems = documents_in(Source(name="in.mbox", content=content))
    return {source.name: source for source in sources}, problems


def test_annotations_that_cannot_be_read_are_counted_and_hide_no_attachment() -> None:
    writer = _writer({})
    note = writer._add_object(_noted(_attach(writer, "a.txt")))
    writer.pages[0][NameObject("/Annots")] = TextStringObject("?")
    writer.pages[1][NameObject("/Annots")] = ArrayObject([IndirectObject(999, 0, writer), TextStringObject("?"), note])
    sources, problems = _unpacked(_bytes(writer).replace(b"null", b"999 0 R"))
    assert [*sources] == ["a.pdf", "a.pdf/a.txt"]
    assert problems == ["a.pdf: annotations that cannot be read, nor what is attached there: 3 (the first on page 1)"]
    assert load(sources["a.pdf"]).metadata["attachments"] == "a.txt"


def test_annotations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = _writer({})
    notes = [_noted(_attach(writer, f"{number}.txt")) for number in range(3)]
    writer.pages[0][NameObject("/Annots")] = ArrayObject(map(writer._add_object, notes))
    monkeypatch.setattr(pdf_attachments, "MOST_ANNOTATIONS", 2)
    sources, problems = _unpacked(_bytes(writer))
    assert [*sources] == ["a.pdf", "a.pdf/0.txt", "a.pdf/1.txt"]
    assert problems == ["a.pdf: annotations after the first 2 and their attachments are not read"]


def _named(*nodes: str | PdfObject) -> bytes:
    """A PDF whose tree of names has these branches; a string stands for one with a file of this name."""
    writer = _writer({})
    kids = ArrayObject()
    for node in nodes:
        branch = _branch(TextStringObject(node), _attach(writer, node)) if isinstance(node, str) else node
        kids.append(writer._add_object(branch))
    tree = DictionaryObject({NameObject("/Kids"): kids})
    writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/EmbeddedFiles"): tree})
    return _bytes(writer)


def _branch(*pairs: PdfObject) -> DictionaryObject:
    return DictionaryObject({NameObject("/Names"): ArrayObject(pairs)})


def test_a_broken_branch_of_the_names_hides_no_other() -> None:
    odd = DictionaryObject({NameObject("/Names"): NumberObject(1)})
    sources, problems = _unpacked(_named(NullObject(), "a.txt", odd, "b.txt"))
    assert [*sources] == ["a.pdf", "a.pdf/a.txt", "a.pdf/b.txt"]
    assert problems == ["a.pdf: parts of the list of its attachments that cannot be read: 2"]
    assert load(sources["a.pdf"]).metadata["attachments"] == "a.txt, b.txt"


def test_damage_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = _writer({})
    note = writer._add_object(_noted(_attach(writer, "a.txt")))
    writer.pages[0][NameObject("/Annots")] = ArrayObject([NullObject(), NullObject(), note])
    monkeypatch.setattr(pdf_attachments, "MOST_DAMAGED", 2)
    sources, problems = _unpacked(_named(NullObject(), NullObject(), "a.txt"))
    assert [*sources] == ["a.pdf"]
    assert problems == ["a.pdf: parts of the list of its attachments that cannot be read: 2 and all after them"]
    where = "2 and all after them (the first on page 1)"
    assert _unpacked(_bytes(writer))[1] == [
        f"a.pdf: annotations that cannot be read, nor what is attached there: {where}"
    ]


def test_a_tree_of_names_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = _branch(*[TextStringObject("x"), DictionaryObject()] * 20)
    content = _named("a.txt", beside, "b.txt")
    assert [*_unpacked(content)[0]] == ["a.pdf", "a.pdf/a.txt", "a.pdf/b.txt"]
    monkeypatch.setattr(pdf_attachments, "MAX_TREE_NODES", 20)
    sources, problems = _unpacked(content)
    assert [*sources] == ["a.pdf", "a.pdf/a.txt"]
    assert problems == ["a.pdf: the list of its attachments is read in part: it has more than 20 entries"]
    assert load(sources["a.pdf"]).metadata["attachments"] == "a.txt"


def test_the_path_of_a_file_beside_a_pdf_is_no_attachment() -> None:
    writer = _writer({})
    notes = [_noted(TextStringObject("C:/list.csv")), _noted(_attach(writer, "a.txt"))]
    writer.pages[0][NameObject("/Annots")] = ArrayObject(map(writer._add_object, notes))
    sources, problems = _unpacked(_bytes(writer))
    assert [*sources] == ["a.pdf", "a.pdf/a.txt"] and problems == []
    assert load(sources["a.pdf"]).metadata["attachments"] == "a.txt"


def test_names_of_attachments_before_a_failure_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> Iterator[tuple[int, PdfObject]]:
        raise NotImplementedError
        yield

    reader = PdfReader(io.BytesIO(_named("a.txt")))
    monkeypatch.setattr(pdf_attachments, "page_annotations", failing)
    assert pdf_attachments.names_of_files(reader) == ["a.txt"]
