"""Readings beside Japanese letters are no part of their words, in any format; what is left out is said."""

from __future__ import annotations

import io

import docx
import pytest
from docx.oxml import parse_xml

from tests.unit.graph.ingest.loading import archive, places, read

ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
DRAWN = (
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
)
AOZORA = """渡し場
山田一郎
鈴木花子訳

-------------------------------------------------------
【テキスト中に現れる記号について】

《》：ルビ
（例）鍵《かぎ》

［＃］：入力者注
-------------------------------------------------------

［＃５字下げ］一［＃「一」は中見出し］

　｜銀の鍵《かぎ》を山田《やまだ》が渡した。歩き※［＃「えんにょう＋囘」、第4水準2-12-11］はる※［＃「X」］。

［＃５字下げ］二［＃「二」は中見出し］

　花子［＃「花子」に傍点］は笑った。

底本：「渡し場」出版社
　　　1935（昭和10）年
"""


def _word(run: str) -> bytes:
    document, target = docx.Document(), io.BytesIO()
    document.add_paragraph("鍵を")
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    document.paragraphs[0]._p.append(parse_xml(f"<w:r {space}>{run}</w:r>"))
    document.paragraphs[0].add_run("が渡した。")
    document.save(target)
    return target.getvalue()


def _open_document(paragraph: str, **members: bytes) -> bytes:
    content = f"<office:document-content {ODF} {DRAWN}><office:body><office:text><text:p>{paragraph}</text:p>"
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{content}</office:text></office:body></office:document-content>",
            **members,
        }
    )


WORD = _word(
    "<w:ruby><w:rubyPr/><w:rt><w:r><w:t>やまだ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>山田</w:t></w:r></w:rubyBase></w:ruby>"
)
RUBY = "<text:ruby><text:ruby-base>山田</text:ruby-base><text:ruby-text>やまだ</text:ruby-text></text:ruby>"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", "<p>鍵を<ruby>山田<rp>（</rp><rt>やまだ</rt><rp>）</rp></ruby>が渡した。</p>"),
        ("b.html", "<p>鍵を<ruby><rb>山<rt>やま<rb>田<rt>だ</ruby>が渡した。</p>"),
        (
            "a.xml",
            "<TEI><text><p>鍵を<ruby><rb>山田</rb><rt>やまだ</rt></ruby>が渡した。</p></text></TEI>",
        ),
        ("a.odt", _open_document(f"鍵を{RUBY}が渡した。")),
        ("a.docx", WORD),
    ],
)
def test_a_reading_does_not_part_a_name(name: str, content: str | bytes) -> None:
    document = read(content, name)
    assert document.text == "鍵を山田が渡した。"
    assert any("ruby" in warning or "<rt>" in warning for warning in document.warnings)


def test_an_e_text_of_aozora_bunko() -> None:
    document = read(AOZORA.encode("cp932"), "4653_ruby.txt")
    assert (document.title, document.metadata["author"]) == ("渡し場", "山田一郎")
    assert "　銀の鍵を山田が渡した。歩き廻はる〓。" in document.text.replace("𢌞", "廻")
    assert "　花子は笑った。" in document.text
    assert not any(sign in document.text for sign in "《》［］｜") and "底本" not in document.text
    assert [label for label, _ in places(document)] == ["一", "二"]
    assert [line for _, line in places(document)] == ["一", "二"]
    assert "what it says of the printed source" in document.warnings[-1]
    assert "letters that the file only describes" in document.warnings[-1]


@pytest.mark.parametrize("text", ["Otto 《Brandt》 left.", "《春》を読んだ。［注］よかった。"])
def test_other_texts_keep_their_brackets(text: str) -> None:
    assert read(text, "a.txt").text == text


def test_descriptions_of_pictures_are_not_within_words() -> None:
    picture = "<draw:frame><draw:image/><svg:title>Capital T</svg:title><svg:desc>A letter</svg:desc></draw:frame>"
    document = read(_open_document(f"{picture}This is so.", **{"Pictures/1.png": b"x"}), "a.odt")
    assert document.text == "This is so."
    assert document.warnings == ("left out, as no part of the text: pictures: 1, descriptions of pictures: 2",)


def test_formulas_and_pictures_of_word_are_said() -> None:
    formula = '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>x</m:t></m:r></m:oMath>'
    assert "left out, as no part of the text: formulas: 1" in read(_word(formula), "a.docx").warnings


@pytest.mark.parametrize("said", ["「X」、第3水準1-99-1", "「X」、第4水準2-94-99", "「X」、U+D800", "「X」、U+0000"])
def test_a_number_that_is_no_letter_is_described(said: str) -> None:
    document = read(AOZORA.replace("※［＃「X」］", f"※［＃{said}］"), "a.txt")
    assert "はる〓。" in document.text
