"""Ten shapes of PDF pages, and how much of each a reader gets right: whole sentences found, and what should not be
there. It supports decision 0035: `python -m bench.quality.pdf_shapes` (also pdfminer.six, if installed).

A sentence is found if the text contains it without a break other than white space.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from filigraph.graph.ingest.load.pdf.pdf import read_pdf

WIDTH, HEIGHT = 595.0, 842.0
NAMES = (
    "Agnes Pell",
    "Victor Lamb",
    "Clara Munro",
    "Otto Reiss",
    "Lena Voss",
    "Jules Delmas",
    "Ines Coll",
    "Piers Vane",
)
DEEDS = (
    "kept the ledger of the old mill until the winter", "sold the chapel to the parish council in 1874",
    "saw the ferry leave the eastern quay before dawn", "carried the sealed letter to the bishop of Trier",
    "never told the curate where the silver was hidden", "bought three barrels of salt from the harbour master",
    "was seen at the gate with a lantern and a spade", "wrote to the notary about the house on the hill",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A PDF, the sentences that it says, and texts that a reader must not make of it."""

    name: str
    content: bytes
    sentences: tuple[str, ...]
    wrong: tuple[str, ...] = ()


def told(count: int, start: int = 0) -> list[str]:
    """Sentences that are all different."""
    return [f"{NAMES[n % 8]} {DEEDS[(n // 8 + n) % 8]} of the year {1700 + n}." for n in range(start, start + count)]


def wrapped(sentences: Sequence[str], width: float, font: str = "Helvetica", size: float = 10) -> list[str]:
    """A paragraph as lines of at most `width` points."""
    lines, line = [], ""
    for word in " ".join(sentences).split():
        if line and pdfmetrics.stringWidth(f"{line} {word}", font, size) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line]


def shapes() -> Iterator[Shape]:
    """The ten."""
    yield two_columns(across=True)
    yield two_columns(across=False)
    yield three_columns_under_a_title()
    yield heads_and_numbers()
    yield notes()
    yield hyphens()
    yield ligatures()
    yield table()
    yield turned()
    yield margin()


def two_columns(*, across: bool) -> Shape:
    left, right = told(12), told(12, 12)
    canvas, file = _canvas()
    columns = [wrapped(left, 220), wrapped(right, 220)]
    if across:
        for n in range(max(map(len, columns))):
            for x, lines in ((60, columns[0]), (300, columns[1])):
                if n < len(lines):
                    canvas.drawString(x, 780 - 13 * n, lines[n])
    else:
        for x, lines in ((300, columns[1]), (60, columns[0])):  # the right one is drawn first
            for n, line in enumerate(lines):
                canvas.drawString(x, 780 - 13 * n, line)
    return _shape(f"two columns, drawn {'across' if across else 'the right one first'}", canvas, file, left + right)


def three_columns_under_a_title() -> Shape:
    columns = [told(8, 8 * n) for n in range(3)]
    canvas, file = _canvas()
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(60, 800, "The Morning Chronicle of the Eastern Harbour Towns")
    canvas.setFont("Helvetica", 8)
    lines = [wrapped(column, 145, size=8) for column in columns]
    for n in range(max(map(len, lines))):
        for column, x in zip(lines, (60, 222, 384), strict=True):
            if n < len(column):
                canvas.drawString(x, 770 - 10 * n, column[n])
    return _shape("three columns under a title", canvas, file, [s for column in columns for s in column])


def heads_and_numbers() -> Shape:
    sentences = told(48)
    canvas, file = _canvas()
    lines = wrapped(sentences, 420)
    for page, start in enumerate(range(0, len(lines), 14), start=11):
        title = "THE LANTERN ROOM" if page % 2 else "Chapter the Third"
        canvas.drawString(60 if page % 2 else 400, 810, f"{page} {title}" if page % 2 else f"{title} {page}")
        for n, line in enumerate(lines[start : start + 14]):
            canvas.drawString(80, 770 - 14 * n, line)
        canvas.drawCentredString(WIDTH / 2, 30, f"— {page} —")
        canvas.showPage()
        canvas.setFont("Helvetica", 10)
    return _shape("running heads and page numbers", canvas, file, sentences, ("LANTERN", "Chapter the", "— 1"))


def notes() -> Shape:
    sentences = told(30)
    footnotes = [f"See the register of the parish, volume {n}, which {NAMES[n]} copied out." for n in range(1, 4)]
    canvas, file = _canvas()
    lines = wrapped(sentences, 420)
    for page, start in enumerate(range(0, len(lines), 15), start=1):
        for n, line in enumerate(lines[start : start + 15]):
            y = 770 - 14 * n
            canvas.setFont("Helvetica", 10)
            canvas.drawString(80, y, line)
            if n == 4:
                canvas.setFont("Helvetica", 6)
                canvas.drawString(80 + pdfmetrics.stringWidth(line, "Helvetica", 10), y + 4, str(page))
        canvas.setFont("Helvetica", 8)
        words = footnotes[page - 1].split()
        canvas.drawString(80, 80, f"{page} {' '.join(words[:6])}")
        canvas.drawString(80, 70, " ".join(words[6:]))
        canvas.showPage()
    marked = [f"{line.split()[-1]}{page}" for page, line in enumerate(lines[4::15], start=1)]
    return _shape(
        "notes and their marks", canvas, file, [*sentences, *footnotes[: len(lines) // 15 + 1]], tuple(marked)
    )


def hyphens() -> Shape:
    text = (
        "Mirko Stan-|kovic hid the ware-|house key in Hollen-|bach. Anne-|Marie Berg saw the well-|known bottle and "
        "the mother-in-|law. The well-known warehouse burned. « Viens », dit-|il. Le port\u00ad|ier dormait. Celui-|ci "
        "est parti."
    )
    canvas, file = _canvas()
    for n, line in enumerate(text.split("|")):
        canvas.drawString(80, 780 - 14 * n, line)
    whole = (
        "Mirko Stankovic hid the warehouse key in Hollenbach.",
        "Anne-Marie Berg saw the well-known bottle and the mother-in-law.",
        "dit-il.", "Le portier dormait.", "Celui-ci est parti.",
    )  # fmt: skip
    return _shape("words divided at line ends", canvas, file, whole, ("Stan-", "Hollen-", "AnneMarie"))


def ligatures() -> Shape:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    text = "The chief \ufb01shmonger found the \ufb01rst \ufb02ag. Nobody \ufb02ed from the \ufb01eld."
    canvas, file = _canvas()
    canvas.setFont("Vera", 10)
    canvas.drawString(80, 780, text)
    return _shape(
        "ligatures", canvas, file, ("The chief fishmonger found the first flag.", "Nobody fled from the field.")
    )


def table() -> Shape:
    rows = [("Name", "Born", "Place", "Trade")]
    rows += [
        (NAMES[n], str(1840 + n), ("Vienne", "Givors", "Lyon")[n % 3], ("weaver", "notary")[n % 2]) for n in range(8)
    ]
    canvas, file = _canvas()
    for column in range(4):  # column by column, as some programs do
        for n, row in enumerate(rows):
            canvas.drawString(80 + 120 * column, 780 - 16 * n, row[column])
    return _shape("a table", canvas, file, [" ".join(row) for row in rows])


def turned() -> Shape:
    sentences = told(16)
    canvas, file = _canvas()
    canvas.setPageRotation(90)
    canvas.rotate(90)
    for n, line in enumerate(wrapped(sentences, 600)):
        canvas.drawString(60, -80 - 14 * n, line)
    return _shape("a turned page", canvas, file, sentences)


def margin() -> Shape:
    sentences = told(20)
    canvas, file = _canvas()
    for n, line in enumerate(wrapped(sentences, 330)):
        canvas.drawString(190, 780 - 14 * n, line)
        if n in (3, 4, 11):
            canvas.setFont("Helvetica-Oblique", 7)
            canvas.drawString(
                70, 780 - 14 * n, ("the old customs", "of the quay", "a second letter")[(3, 4, 11).index(n)]
            )
            canvas.setFont("Helvetica", 10)
    return _shape("notes in the margin", canvas, file, sentences)


def _canvas() -> tuple[Canvas, io.BytesIO]:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT))
    canvas.setFont("Helvetica", 10)
    return canvas, file


def _shape(name: str, canvas: Canvas, file: io.BytesIO, sentences: Sequence[str], wrong: Sequence[str] = ()) -> Shape:
    canvas.save()
    return Shape(name=name, content=file.getvalue(), sentences=tuple(sentences), wrong=tuple(wrong))


def score(shape: Shape, text: str) -> tuple[int, int]:
    """The sentences that are found whole, and the wrong texts that are found."""
    flat = " ".join(text.replace("|", " ").split())
    return sum(sentence in flat for sentence in shape.sentences), sum(wrong in flat for wrong in shape.wrong)


def readers() -> dict[str, Callable[[bytes], str]]:
    """Filigraph's reader, and the candidates among which it was chosen."""
    import pypdfium2
    from pypdf import PdfReader

    def by_pypdf(content: bytes) -> str:
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)

    def by_pdfium(content: bytes) -> str:
        return "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(content))

    by_name: dict[str, Callable[[bytes], str]] = {"pypdf": by_pypdf, "pdfium": by_pdfium}
    try:
        from pdfminer.high_level import extract_text  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        pass
    else:
        by_name["pdfminer.six"] = lambda content: str(extract_text(io.BytesIO(content)))
    return by_name | {"filigraph": lambda content: read_pdf(content).text}


def main() -> None:
    """Print the table."""
    used = readers()
    print("| shape | sentences | " + " | ".join(used) + " |")
    print("|---|---|" + "---|" * len(used))
    total = dict.fromkeys(used, 0)
    for shape in shapes():
        cells = []
        for name, read in used.items():
            whole, wrong = score(shape, read(shape.content))
            total[name] += whole
            cells.append(f"{whole}" + (f" ({wrong} wrong)" if wrong else ""))
        print(f"| {shape.name} | {len(shape.sentences)} | " + " | ".join(cells) + " |")
    print("| all | | " + " | ".join(map(str, total.values())) + " |")


if __name__ == "__main__":
    main()
