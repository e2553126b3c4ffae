"""Where a quote is in a table or in subtitles: its row, its time."""

from __future__ import annotations

import json

import pytest

from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import LoadedDocument
from filigraph.graph.text.places import place_of
from tests.unit.graph.ingest.loading import archive, read


def _place(document: LoadedDocument, words: str, size: int = 512) -> str:
    """The place of the first passage that has the words."""
    chunk = next(chunk for chunk in split(document, "d", size=size) if words in chunk.text)
    start = chunk.text.index(words)
    return place_of(chunk.places, start, start + len(words), otherwise=chunk.place)


def test_a_quote_from_a_table_is_in_its_row_as_the_file_counts_them() -> None:
    rows = "".join(f"{n},Sailor {n},Kiel\n" for n in range(2, 40))
    document = read(f"No,Name,Port\n{rows}\n41,Jules,Brest\n", "crew.csv")
    assert _place(document, "Sailor 7 |") == "row 7"
    assert _place(document, "Sailor 23 |", size=64) == "row 23"
    assert _place(document, "Sailor 8 | Kiel |\n| 9 |") == "row 8-9"
    assert _place(document, "Jules") == "row 41"  # after a blank line
    assert _place(document, "Name | Port") == "row 1"


def test_a_quote_from_subtitles_has_the_time_at_which_it_is_said() -> None:
    cues = "".join(
        f"{n}\n00:{n:02}:05,100 --> 00:{n:02}:09,000\nNumber {n} goes on\nwithout an end.\n\n" for n in range(1, 30)
    )
    document = read(cues, "talk.srt")
    assert _place(document, "Number 12") == "time 00:12:05"
    assert _place(document, "Number 27", size=64) == "time 00:27:05"
    assert _place(document, "Number 3 goes on without an end.\nNumber 4") == "time 00:03:05-00:04:05"


LOG = "\n".join(f"[00:00:{n:02}:22]\nCC: Number {n} is said.\n" for n in range(1, 30))
APOLLO = "\n".join(f"00 04 {n:02} 52 CMP Number {n} is said.\nIt goes on, number {n}." for n in range(1, 30))
WHATSAPP = "\n".join(
    f"{n:02}/01/2020, 4:19 pm - Ana: Number {n} is said.\nIt goes on, number {n}." for n in range(1, 30)
)
TELEGRAM = json.dumps(
    [
        {"from": "Ana", "date": f"2024-03-{n:02}T21:14:00", "text": f"Number {n} is said.\nOn, {n}."}
        for n in range(1, 30)
    ]
)


@pytest.mark.parametrize(
    ("name", "text", "words", "time"),
    [
        ("log.txt", LOG, "Number 12 is", "00:00:12:22"),
        ("log.txt", APOLLO, "goes on, number 12", "00:04:12:52"),
        ("chat.txt", WHATSAPP, "Number 12 is", "12/01/2020 4:19 pm"),
        ("chat.txt", WHATSAPP, "goes on, number 12", "12/01/2020 4:19 pm"),
        ("chat.json", TELEGRAM, "On, 12.", "2024-03-12 21:14:00"),
    ],
)
def test_what_is_said_has_its_time_also_on_the_lines_below(name: str, text: str, words: str, time: str) -> None:
    assert _place(read(text, name), words) == f"time {time}"


def test_a_text_with_a_time_here_and_there_is_not_told_by_times() -> None:
    text = "".join(f"It was late, said Ann, number {n}.\n\n" for n in range(80))
    assert _place(read(f"{text}12:30\n\n{text}(4:15) she left.\n\n{text}", "a.txt"), "number 2.") == "paragraph 3"


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("06 1{n} 34 56 78 Jean Dupont", ""),  # telephones
        ("22 1{m} 44 5{n} Jean Dupont", ""),
        ("0{n}/02/2023 1{n}.4{m} Carrefour", ""),  # an account
        ("0{n}/02/2023 45.99 Carrefour", ""),
        ("1.2.{n} 10.50 kg", ""),
        ("85/03/2024 21:1{n} Ana", ""),
        ("12/13/2024 25:1{n} Ana", ""),
        ("12/03/2024 21:1{n}9 Ana", ""),
        ("1{n}.03.24, 21:14 - Ana: hi", "11.03.24 21:14"),
        ("1{n}/03/24 21.14 - Ana: hi", "11/03/24 21.14"),
        ("1{n}.03.24 um 9.14 Ana: hi", "11.03.24 9.14"),
        ("3/1{n}/24, 9:14 PM - Ana: hi", "3/11/24 9:14 PM"),
        ("[2024-03-1{n} 21.14.05] Ana: hi", "2024-03-11 21.14.05"),
        ("2024-03-1{n} 21:14:05,123 INFO begins", "2024-03-11 21:14:05"),
    ],
)
def test_only_what_is_regular_and_a_time_is_one(line: str, label: str) -> None:
    times = line_times("\n".join(line.format(n=n, m=n * 5 % 8) for n in range(1, 9)))
    assert (times[0].label if times else "") == label


def test_times_in_many_forms_are_those_of_no_log() -> None:
    assert not line_times("12:30\n(14:15) she left\n1/2/2024 12:30 lunch\n2024-03-01 14h10 tea")


def test_remarks_in_subtitles_are_said_to_be_left_out() -> None:
    document = read("WEBVTT\n\nNOTE made by Ann\n\n00:01.000 --> 00:02.000\nHello there.\n", "a.vtt")
    assert document.warnings == ("left out, as no part of the text: remarks of who made the subtitles: 1",)


def test_a_paragraph_of_rtf_is_a_paragraph() -> None:
    document = read(r"{\rtf1 First one.\par Second one.\par\par Third\line one.\par}", "a.rtf")
    assert document.text == "First one.\n\nSecond one.\n\nThird\none."
    assert _place(document, "Third") == "paragraph 3"


def test_a_quote_from_a_sheet_is_in_its_row_and_sheet() -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>Sailor {n}</t></is></c><c r="B{n}"><v>{n}</v></c></row>'
        for n in (1, 2, 3, 9)
    )
    links = '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
    members = {
        "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="Crew" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": links,
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>",
    }
    document = read(archive(members), "crew.xlsx")
    assert _place(document, "Sailor 9") == "chapter Crew, row 9"
    assert _place(document, "Sailor 2") == "chapter Crew, row 2"


def test_the_name_of_a_sheet_is_in_no_row_of_the_one_before() -> None:
    rows = '<row r="7"><c r="A7" t="inlineStr"><is><t>Ann</t></is></c><c r="B7"><v>1</v></c></row>'
    sheet = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    links = "".join(f'<Relationship Id="r{n}" Target="worksheets/sheet{n}.xml"/>' for n in (1, 2))
    members = {
        "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="Crew" r:id="r1"/><sheet name="Cargo" r:id="r2"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships>{links}</Relationships>",
        "xl/worksheets/sheet1.xml": sheet,
        "xl/worksheets/sheet2.xml": sheet,
    }
    assert _place(read(archive(members), "ship.xlsx"), "Cargo") == "chapter Cargo"
