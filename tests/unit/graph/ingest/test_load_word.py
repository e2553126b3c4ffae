"""What a Word file contains beside its text: it is read, or reported as left out."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.load import archives
from filigraph.graph.ingest.load.office.word_parts import count_deleted_words
from filigraph.graph.model.documents import LoadedDocument
from tests.unit.graph.ingest.loading import archive, places, read

_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _paragraph(words: str, style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}<w:r><w:t>{words}</w:t></w:r></w:p>"


def _word(body: str, **parts: str) -> LoadedDocument:
    return read(_file(body, **parts), "report.docx")


def _file(body: str, **parts: str) -> bytes:
    members = {f"word/{name}.xml": text for name, text in parts.items()}
    links = f'<Relationship Id="rId1" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    return archive(
        {
            "word/document.xml": f"<w:document {_SPACE}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": "<Relationships "
            f'xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>',
            **members,
        }
    )


def test_comments_stand_below_the_text_with_who_wrote_them_and_when() -> None:
    comment = '<w:comment w:id="0" w:author="Ann Low" w:date="2021-03-04T10:00:00Z">' + _paragraph("Who saw it?")
    document = _word(_paragraph("The Heron sank."), comments=f"<w:comments {_SPACE}>{comment}</w:comment></w:comments>")
    assert places(document) == [("Comments", "[2021-03-04] Ann Low: Who saw it?")]
    assert document.text.startswith("The Heron sank.")


@pytest.mark.parametrize(
    "comments",
    [
        "<w:comments",
        '<?xml version="1.0" encoding="no-such"?><a/>',
        '<?xml version="1.0" encoding="utf-7"?><a/>',
        f"<w:comments {_SPACE}>{' ' * 5_000}</w:comments>",
    ],
)
def test_comments_that_cannot_be_read_do_not_cost_the_text(comments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_TREE", 4_000)
    document = _word(_paragraph("The Heron sank."), comments=comments)
    assert document.text == "The Heron sank."
    assert document.warnings == ("comments, heads and feet of pages cannot be read",)


def test_comments_whose_bytes_are_damaged_do_not_cost_the_text() -> None:
    words = _paragraph("".join(map(chr, range(200, 3_000))))
    whole = _file(_paragraph("The Heron sank."), comments=f"<w:comments {_SPACE}>{words}</w:comments>")
    at = whole.index(b"word/comments.xml") + 100
    document = read(whole[:at] + b"\xff" * 50 + whole[at + 50 :], "report.docx")
    assert document.text == "The Heron sank."
    assert document.warnings == ("comments, heads and feet of pages cannot be read",)


def test_heads_of_pages_and_what_reviewers_took_out_are_named() -> None:
    body = _paragraph("She left.") + "<w:p><w:del><w:r><w:delText>in a great hurry</w:delText></w:r></w:del></w:p>"
    document = _word(body, header1=f"<w:hdr {_SPACE}>{_paragraph('Harbour Office')}</w:hdr>")
    assert document.text == "She left."
    assert document.warnings == (
        "left out, as no part of the text: the head or foot of pages: “Harbour Office”",
        "left out, as no part of the text: what reviewers took out: 4 words",
    )


def test_many_tags_that_never_end_cost_no_time() -> None:
    assert count_deleted_words(b"<w:delText " * 200_000 + b"<w:delText>in haste</w:delText>") == 2


def test_headings_are_known_by_the_level_of_their_style() -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="H2N"><w:name w:val="Heading 2 Numbered"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Top"><w:name w:val="Kopf"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr>'
        '</w:style><w:style w:type="paragraph" w:styleId="Own"><w:name w:val="E"/><w:basedOn w:val="Top"/></w:style>'
    )
    body = _paragraph("Lage", "Top") + _paragraph("Nebel.") + _paragraph("Wind", "H2N") + _paragraph("Stark.")
    body += _paragraph("Folgen", "Own") + _paragraph("Keine.")
    document = _word(body, styles=f"<w:styles {_SPACE}>{styles}</w:styles>")
    assert [label for label, _ in places(document)] == ["Lage", "Wind", "Folgen"]


def test_what_was_moved_and_what_stands_in_fields_is_read_once() -> None:
    moved = '<w:p><w:{0} w:id="1"><w:r><w:t>The Heron sank.</w:t></w:r></w:{0}></w:p>'
    field = '<w:p><w:fldSimple w:instr="REF a"><w:r><w:t>Ann Low</w:t></w:r></w:fldSimple>'
    field += "<w:r><w:t> left.</w:t></w:r></w:p>"
    assert _word(moved.format("moveFrom") + field + moved.format("moveTo")).text == "Ann Low left.\n\nThe Heron sank."
