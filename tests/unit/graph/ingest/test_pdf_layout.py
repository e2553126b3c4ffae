"""The shapes of PDF pages: read as people read them, with each sentence on its page."""

from __future__ import annotations

import io
from time import process_time

import pytest
from PIL import Image
from pypdf import PdfWriter
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate

from bench.quality.pdf_shapes import Shape, score, shapes
from filigraph.graph.ingest.load.pdf.pdf import read_pdf
from filigraph.graph.ingest.load.pdf.pdf_glyphs import Glyph, Run
from filigraph.graph.ingest.load.pdf.pdf_layout import in_tables, reading_order
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import LoadedDocument
from filigraph.graph.text.places import place_of

Lines = list[tuple[float, float, float, str]]  # x, y, size, text


def pdf(*pages: Lines) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    for page in pages:
        for x, y, size, text in page:
            canvas.setFont("Helvetica", size)
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize("shape", list(shapes()), ids=lambda shape: shape.name)
def test_shapes(shape: Shape) -> None:
    assert score(shape, read_pdf(shape.content).text) == (len(shape.sentences), 0)


def test_the_columns_of_a_very_long_page_are_found_in_linear_time() -> None:
    def run(text: str, x: float, y: float) -> Run:
        return Run(tuple(Glyph(letter, x + 5 * n, x + 5 * n + 5, y, 9.0) for n, letter in enumerate(text)))

    across = [
        run("a title that runs across both of the columns of this page and further", 40, 60.0 * n) for n in range(380)
    ]
    left = [run("she sold the boat to her brother", 40, 12.0 * n) for n in range(1_900) if n % 5]
    right = [run("and they went down the river with", 310, 12.0 * n) for n in range(1_900) if n % 5]
    start = process_time()
    lines = reading_order([*across, *left, *right])
    assert len(lines) == 380 + 2 * 1_520 and process_time() - start < 4
    assert [line.x0 for line in lines[:10]] == [40.0] * 5 + [310.0] * 4 + [40.0]


def test_a_name_over_the_page_under_a_running_head() -> None:
    head = (200.0, 810.0, 9.0, "THE LANTERN ROOM")
    content = read_pdf(
        pdf(
            [head, (80, 700, 11, "Quill found the log under a coat of Doctor"), (290, 40, 9, "7")],
            [head, (80, 700, 11, "Sayer. He had left on the morning ferry."), (290, 40, 9, "8")],
        )
    )
    assert content.text == "Quill found the log under a coat of Doctor Sayer. He had left on the morning ferry."
    assert [(place.label, content.text[place.start :][:5]) for place in content.places] == [
        ("1", "Quill"),
        ("2", "Sayer"),
    ]
    (said,) = content.warnings
    assert "THE LANTERN ROOM" in said and "page numbers" in said


def test_a_head_that_stands_on_one_page_has_the_number_that_its_foot_says() -> None:
    content = read_pdf(
        pdf(
            [(80, 700, 11, "Quill found the log under a coat of Doctor"), (290, 40, 9, "1")],
            [(200, 810, 9, "2 THE LANTERN ROOM"), (80, 700, 11, "Sayer. He had left."), (290, 40, 9, "2")],
        )
    )
    assert content.text == "Quill found the log under a coat of Doctor Sayer. He had left."


def test_a_section_at_the_top_of_the_page_with_its_number_is_text() -> None:
    content = read_pdf(
        pdf(
            [(80, 780, 12, "REPORT"), (80, 700, 12, "The call came at noon."), (290, 40, 12, "1")],
            [(80, 780, 12, "2. Cause"), (80, 740, 12, "The fire was set."), (290, 40, 12, "2")],
        )
    )
    assert "2. Cause" in content.text
    assert [warning.partition(": ")[2] for warning in content.warnings] == ["the head or foot of pages: page numbers"]


def test_three_narrow_columns_are_no_table() -> None:
    left = ["Agnes Pell kept the", "ledger of the mill and", "wrote every sum in it.", "Josua Crane paid her"]
    middle = ["brother in silver and", "he was glad of it too.", "Victor Lamb tore the", "bells down and sold"]
    right = ["them to a founder in", "the town of Dunmore,", "where nobody saw him", "in all that winter."]
    lines = [
        (x, 700.0 - 12 * n, 9.0, text)
        for n, row in enumerate(zip(left, middle, right, strict=True))
        for x, text in zip((40.0, 220.0, 400.0), row, strict=True)
    ]
    text = " ".join(read_pdf(pdf(lines)).text.split())
    assert "Josua Crane paid her brother in silver" in text and "sold them to a founder" in text


def test_what_recurs_far_apart_is_text() -> None:
    pages = [
        [(80.0, 780.0, 11.0, f"Line {n} of the story goes on and on."), (80.0, 760.0, 11.0, "More.")] for n in range(8)
    ]
    for n in (0, 4):
        pages[n].insert(0, (80.0, 800.0, 11.0, "The Witness"))
    content = read_pdf(pdf(*pages))
    assert content.text.count("The Witness") == 2 and not content.warnings


def test_raised_signs_that_are_no_marks_stay() -> None:
    line: Lines = []
    x = 80.0
    for text, raised in (
        ("A field of 40 m", 0),
        ("2", 1),
        (" went to M", 0),
        ("me", 1),
        (" Varenne", 0),
        ("1", 1),
        (" alone.", 0),
    ):
        size = 6.0 if raised else 11.0
        line.append((x, 700.0 + 4 * raised, size, text))
        x += stringWidth(text, "Helvetica", size)
    content = read_pdf(pdf([*line, (80.0, 680.0, 11.0, "Nobody asked why.")]))
    assert "40 m²" in content.text and "Mme Varenne alone." in content.text


def test_each_sentence_is_on_its_page() -> None:
    pages: list[Lines] = []
    for page in range(1, 11):
        lines = [f"Witness {page * 100 + n} saw the ferry leave page {page} at dawn." for n in range(20)]
        pages.append([(80.0, 780.0 - 14 * n, 10.0, line) for n, line in enumerate(lines)])
    content = read_pdf(pdf(*pages))
    document = LoadedDocument(
        source="a", title="A", text=content.text, sha256="0", media_type="", language="en", places=content.places
    )
    seen = 0
    for chunk in split(document, "d"):
        for number in range(100, 1100):
            at = chunk.text.find(f"Witness {number} saw")
            end = chunk.text.find("dawn.", at) + 5
            if at >= 0 and end > 4:
                assert place_of(chunk.places, at, end) == f"page {number // 100}"
                seen += 1
    assert seen >= 200


def test_a_note_has_its_own_page_and_stands_in_no_sentence() -> None:
    body = [(80.0, 700.0 - 14 * n, 11.0, f"Line {n} of the tale tells of the old mill and the") for n in range(6)]
    note = (80.0, 100.0, 8.0, "1 Her maiden name was Blanche Corday.")
    content = read_pdf(pdf([*body, note], [(80.0, 700.0, 11.0, "river. Then the night fell.")]))
    assert "the old mill and the river. Then the night fell.\n\n[1] Her maiden name was Blanche Corday." in content.text
    at = content.text.index("[1]")
    assert [place.label for place in content.places if place.start <= at][-1] == "1"


def test_the_last_lines_of_an_article_are_in_the_columns_of_its_other_pages() -> None:
    left = [(60.0, 700.0 - 13 * n, 10.0, f"Agnes Pell kept the ledger of the mill {n},") for n in range(9)]
    right = [(320.0, y, size, f"and Victor Lamb sold the chapel {n},") for n, (_, y, size, _) in enumerate(left)]
    end = [
        (60.0, 700.0, 10.0, "Mina Roe buried the anchor of the Petrel"),
        (60.0, 687.0, 10.0, "near the chapel and told nobody."),
        (320.0, 700.0, 10.0, "Otto Reiss saw the ferry leave the quay"),
        (320.0, 687.0, 10.0, "before dawn with a lantern."),
    ]
    text = " ".join(read_pdf(pdf(left + right, end)).text.split())
    assert "the anchor of the Petrel near the chapel and told nobody." in text
    assert "saw the ferry leave the quay before dawn with a lantern." in text


def test_rows_that_lack_cells_or_go_on_are_rows_of_their_table() -> None:
    rows = [
        ("Date", "Payee", "Debit", "Credit"),
        ("02.05.2022", "Carl Ostrow", "12,50", ""),
        ("03.05.2022", "Mina Roe", "", "850,00"),
        ("", "for the mill", "", ""),
        ("04.05.2022", "Otto Reiss", "7,00", ""),
    ]
    cells = [
        (x, 700.0 - 16 * n, 10.0, cell)
        for n, row in enumerate(rows)
        for x, cell in zip((60.0, 160.0, 330.0, 430.0), row, strict=True)
    ]
    assert read_pdf(pdf([cell for cell in cells if cell[3]])).text == (
        "| Date | Payee | Debit | Credit |\n| 02.05.2022 | Carl Ostrow | 12,50 |  |\n"
        "| 03.05.2022 | Mina Roe for the mill |  | 850,00 |\n| 04.05.2022 | Otto Reiss | 7,00 |  |"
    )


def test_numbers_of_the_lines_of_a_transcript_are_no_text() -> None:
    said = [
        "BY MR. HOLLIS:", "Q. Did you know Carl Ostrow?", "A. I met Carl Ostrow at the inn in Porth-",
        "moor. I gave the letter to Doctor", "Sayer.", "Q. Thank you.",
    ]  # fmt: skip
    lines = [(90.0, 700.0 - 20 * n, 10.0, words) for n, words in enumerate(said)]
    numbers = [(40.0, 700.0 - 20 * n, 10.0, str(n + 1)) for n in range(6)]
    text = " ".join(read_pdf(pdf([(500.0, 780.0, 10.0, "12"), *lines, *numbers])).text.split())
    assert "A. I met Carl Ostrow at the inn in Porthmoor. I gave the letter to Doctor Sayer." in text


def test_a_row_with_a_cell_under_two_columns_ends_a_table_that_lacks_cells() -> None:
    def cell(x0: int, x1: int) -> list[Glyph]:
        return [Glyph("a", float(x0), float(x1), 0.0, 10.0)]

    rows = [
        [cell(0, 50), cell(100, 150), cell(200, 250)],
        [cell(0, 50), cell(200, 250)],
        [cell(0, 50), cell(140, 310)],
    ]
    assert in_tables(rows) == [None, None, None]


def test_a_page_of_which_little_can_be_read_says_so() -> None:
    target = io.BytesIO()
    canvas = Canvas(target, pageCompression=0)
    canvas.drawString(72, 720, "Ada left.")
    for _ in range(120):
        canvas.addLiteral("BT /F1 12 Tf () Tj ET")  # as many letters of a font as nobody knows
    canvas.save()
    document = read_pdf(target.getvalue())
    assert document.text == "Ada left."
    assert any("most of its text cannot be read" in warning for warning in document.warnings)


def test_lowered_figures_stand_in_their_word() -> None:
    file = io.BytesIO()
    line = Paragraph("They drank H<sub>2</sub>O on 30 m<super>2</super> of land.", getSampleStyleSheet()["Normal"])
    SimpleDocTemplate(file).build([line])
    assert "They drank H2O on 30 m" in read_pdf(file.getvalue()).text


@pytest.mark.parametrize(
    ("letter", "first", "begins"),
    [
        ("T", "HE COUNT Armand Varenne met the", "THE COUNT Armand Varenne met the curate"),
        ("A", "gnes Roth kept the ledger of the", "Agnes Roth kept the ledger of the curate"),
        ("A", "miller of Orne came to see the", "A miller of Orne came to see the curate"),
        ("A", "Abbott, miller of Orne and his", "A Abbott, miller of Orne and his curate"),
        ("L", "’année du feu Armand Varenne vit le", "L’année du feu Armand Varenne vit le curate"),
        ("“O", "n Monday the man came to see the", "“On Monday the man came to see the curate"),
    ],
)
def test_a_drop_cap_begins_its_word(letter: str, first: str, begins: str) -> None:
    beside = [first, "curate, a miller, at the mill in the year.", "Then he gave him the ring and he left for"]
    below = ["Lyon. It was a cold day and Agnes Roth had seen", "the clerk there.", "Nobody knew a word of it."]
    lines = [(90.0, 700.0 - 14 * n, 11.0, text) for n, text in enumerate(beside)]
    lines += [(60.0, 658.0 - 14 * n, 11.0, text) for n, text in enumerate(below)]
    text = read_pdf(pdf([(60, 672, 44, letter), *lines])).text
    assert text.startswith(begins), text
    assert "in the year. Then he gave him the ring and he left for Lyon. It was" in " ".join(text.split())


def test_a_place_says_the_printed_page_and_that_of_the_file() -> None:
    writer = PdfWriter(
        clone_from=io.BytesIO(pdf(*([(80, 700, 11, f"Word{n} stands on this page.")] for n in range(5))))
    )
    writer.set_page_label(0, 1, "/r")
    writer.set_page_label(2, 3, "/D", start=17)
    writer.set_page_label(4, 4, style="/D", prefix="A, ", start=1)
    file = io.BytesIO()
    writer.write(file)
    assert [place.label for place in read_pdf(file.getvalue()).places if place.kind == "page"] == [
        "i (PDF 1)",
        "ii (PDF 2)",
        "17 (PDF 3)",
        "18 (PDF 4)",
        "A 1 (PDF 5)",
    ]


def test_the_head_of_a_table_that_recurs_stands_once_and_cells_end_on_the_line_of_the_others() -> None:
    def page(first: int) -> Lines:
        rows: Lines = [(x, 800.0, 11.0, text) for x, text in ((60, "Date"), (160, "Payer"), (300, "Remark"))]
        for n in range(first, first + 8):
            y = 740.0 - 50 * (n - first)
            rows += [(60, y, 11, f"{n} March 1871"), (160, y, 11, f"Payer Number{n}")]
            rows += [
                (300, y + 24, 11, f"{n} sacks of oats that"),
                (300, y + 12, 11, "were brought to the"),
                (300, y, 11, "mill"),
            ]
        return rows

    text = read_pdf(pdf(page(1), page(9))).text
    assert text.count("Remark") == 1 and text.startswith("| Date | Payer | Remark |")
    assert all(
        f"| {n} March 1871 | Payer Number{n} | {n} sacks of oats that were brought to the mill |" in text
        for n in range(1, 17)
    )


def test_two_columns_below_three_are_read_one_after_the_other() -> None:
    three = [
        (x, 780.0 - 12 * n, 9.0, f"and {name} kept the ledger {n}")
        for n in range(12)
        for x, name in ((40.0, "Pell"), (220.0, "Crane"), (400.0, "Lamb"))
    ]
    left = [
        "Ruth Ansell bought the house of the founder and she",
        "kept there a school for the poor of the parish in",
        "which she taught all of them.",
    ]
    right = [
        "Otto Brandt sold the bells to a founder of Lyon and",
        "he spent the money on a boat which he never used",
        "at all, for he could not swim in any water.",
    ]
    two = [(x, 600.0 - 12 * n, 9.0, side[n]) for n in range(3) for x, side in ((40.0, left), (310.0, right))]
    text = " ".join(read_pdf(pdf([*three, *two])).text.split())
    assert "for the poor of the parish in which she taught all of them. Otto Brandt sold the bells to a founder" in text


def test_a_stamp_that_counts_the_pages_stands_in_no_sentence() -> None:
    def stamp(page: int) -> tuple[float, float, float, str]:
        return 60.0, 820.0, 9.0, f"Case: 21-50498   Document: 0051   Page: {page} of 2   Date Filed: 03/16/2022"

    lines = [(60.0, 700.0 - 14 * n, 11.0, f"Line {n} of what the court said about the ship Lark and") for n in range(9)]
    last = [(60.0, 700.0, 11.0, "her cargo, which Jules Varenne sold to the brothers Orme in May.")]
    content = read_pdf(pdf([stamp(1), *lines], [stamp(2), *last]))
    assert "the ship Lark and her cargo" in " ".join(content.text.split())
    assert "Case:" not in content.text and "“Case: 21-50498 Document: 0051" in content.warnings[0]


def test_a_scan_with_a_stamp_says_that_it_is_not_read() -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    for share in (1.0, 0.2):
        canvas.drawImage(ImageReader(Image.new("L", (59, 84), 200)), 0, 0, 595, 842 * share)
        canvas.drawString(60, 820, "Appeal: 17-2218 Doc: 17 Filed: 10/31/2017")
        canvas.showPage()
    canvas.save()
    content = read_pdf(file.getvalue(), languages="none")
    assert content.warnings[0] == "page 1 has no text but a line above its picture"
    assert not any("page 2" in warning for warning in content.warnings)
    assert "17-2218" in content.text


def test_words_set_with_wide_letters_are_words() -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    canvas.setFont("Helvetica", 20)
    canvas.drawString(60, 700, "THE LANTERN ROOM", charSpace=4)
    canvas.drawString(60, 600, "J. R. R. Orme met A. B. Delmas.")
    canvas.drawString(60, 500, "1 2 3 4 5 6 7 8")
    canvas.save()
    text = read_pdf(file.getvalue()).text
    assert " ".join(text.split()) == "THE LANTERN ROOM J. R. R. Orme met A. B. Delmas. 1 2 3 4 5 6 7 8"
