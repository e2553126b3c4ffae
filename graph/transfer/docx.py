"""Write a DOCX: headings, paragraphs, footnotes, and columns of boxes with connecting text between them.

Written without a library, since that writes no footnotes (docs/decisions/0024-forms.md). Office Open XML, ECMA-376 part
1.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from filigraph.graph.transfer.document import TextRun, run
from filigraph.graph.transfer.tables import xml_text

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MADE = (1980, 1, 1, 0, 0, 0)  # timestamp of the parts, for reproducible files
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
)
_RAISED = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/><w:pPr><w:keepNext/>'
    f'<w:spacing w:before="240" w:after="80"/></w:pPr><w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr></w:style>'
    for id_, name, size in (("Title", "Title", 36), ("Heading1", "heading 1", 28), ("Heading2", "heading 2", 24))
)
_BOX_WIDTH = 5600  # twentieths of a point: 9.9 cm
_SIDES = ("top", "left", "bottom", "right")
_EDGES = "".join(f'<w:{side} w:val="single" w:sz="8" w:color="645E55"/>' for side in _SIDES)


def _run(run: TextRun) -> str:
    """The XML of a piece of a paragraph; "" for no text."""
    if run.note:
        return f'<w:r>{_RAISED}<w:footnoteReference w:id="{run.note}"/></w:r>'
    if not run.text:
        return ""
    marks = ("<w:b/>" * run.bold) + ("<w:i/>" * run.italic) + ('<w:sz w:val="18"/>' * run.small)
    lines = (f'<w:t xml:space="preserve">{escape(xml_text(line))}</w:t>' for line in run.text.split("\n"))
    return f"<w:r>{f'<w:rPr>{marks}</w:rPr>' if marks else ''}{'<w:br/>'.join(lines)}</w:r>"


class Docx:
    """A document that grows from top to bottom; `content` is its file."""

    def __init__(self, *, title: str) -> None:
        self._body = [_paragraph("Title", run(title))]
        self._notes: list[str] = []

    def heading(self, text: str, level: int = 1) -> None:
        self._body.append(_paragraph(f"Heading{level}", run(text)))

    def paragraph(self, *runs: TextRun) -> None:
        self._body.append(_paragraph("", *runs))

    def footnote(self, text: str) -> TextRun:
        """Add a note to the end of the page; returns its mark."""
        self._notes.append(_run(run(" " + text)))
        return TextRun(text="", note=len(self._notes))

    def boxes(self, rows: Sequence[tuple[str, bool]]) -> None:
        """Draw rows below each other, centred: (text, whether it has a frame)."""
        drawn = "".join(f"<w:tr><w:trPr><w:cantSplit/></w:trPr>{_cell(text, framed)}</w:tr>" for text, framed in rows)
        width = f'<w:tblW w:w="{_BOX_WIDTH}" w:type="dxa"/><w:jc w:val="center"/>'
        grid = f'<w:tblGrid><w:gridCol w:w="{_BOX_WIDTH}"/></w:tblGrid>'
        self._body += [f"<w:tbl><w:tblPr>{width}</w:tblPr>{grid}{drawn}</w:tbl>", _paragraph("")]

    def content(self) -> bytes:
        footnotes = "".join(
            f'<w:footnote w:id="{n}"><w:p><w:r>{_RAISED}<w:footnoteRef/></w:r>{note}</w:p></w:footnote>'
            for n, note in enumerate(self._notes, start=1)
        )
        body = "".join(self._body)
        parts = {
            "[Content_Types].xml": _content_types(),
            "_rels/.rels": _relations({"officeDocument": "word/document.xml"}),
            "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}<w:sectPr/></w:body></w:document>',
            "word/footnotes.xml": f'<w:footnotes xmlns:w="{_W}">{_SEPARATORS}{footnotes}</w:footnotes>',
            "word/styles.xml": f'<w:styles xmlns:w="{_W}">{_STYLES}</w:styles>',
            "word/_rels/document.xml.rels": _relations({"styles": "styles.xml", "footnotes": "footnotes.xml"}),
        }
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                archive.writestr(zipfile.ZipInfo(name, _MADE), (_HEAD + text).encode())
        return file.getvalue()


def _paragraph(style: str, *runs: TextRun) -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}{''.join(map(_run, runs))}</w:p>"


def _cell(text: str, framed: bool) -> str:
    edges = f"<w:tcBorders>{_EDGES}</w:tcBorders>" if framed else ""
    width = f'<w:tcW w:w="{_BOX_WIDTH}" w:type="dxa"/>'
    content = _run(run(text, bold=framed, italic=not framed))
    centred = f'<w:p><w:pPr><w:keepNext/><w:jc w:val="center"/></w:pPr>{content}</w:p>'
    return f"<w:tc><w:tcPr>{width}{edges}</w:tcPr>{centred}</w:tc>"


def _content_types() -> str:
    kinds = {"document": "document.main", "footnotes": "footnotes", "styles": "styles"}
    parts = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{_OFFICE}.{kind}+xml"/>' for part, kind in kinds.items()
    )
    relations = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    xml = '<Default Extension="xml" ContentType="application/xml"/>'
    return f'<Types xmlns="{_PACKAGE}/content-types">{relations}{xml}{parts}</Types>'


def _relations(targets: Mapping[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets.items(), start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'
