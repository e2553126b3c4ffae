"""Address books (vCard) and calendars (iCalendar): persons and events, without the signs of their files."""

from __future__ import annotations

from tests.unit.graph.ingest.loading import read

CARDS = (
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Quill;Martha;;Dr.;\r\nFN:Dr. Martha Quill\r\nORG:Solway Dock;Accounts\r\n"
    "item1.EMAIL;TYPE=INTERNET:m@q.test\r\nBDAY:19710304\r\nNOTE:Met Otto Reiss in Cadiz\\, 1999.\\nShe left\r\n"
    "  soon.\r\nEND:VCARD\r\n"
    "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Lamarre;Th=C3=\r\n=A9o;;;\r\n"
    "ORG:Meridian Bank\r\nPHOTO;ENCODING=BASE64;TYPE=JPEG:/9j/4AAQ\r\n Skbm\r\n\r\nEND:VCARD\r\n"
)
EVENTS = (
    "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Harbour\r\nBEGIN:VTIMEZONE\r\nDTSTART:19701025T030000\r\nEND:VTIMEZONE\r\n"
    "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20220512\r\nSUMMARY:Funeral of Victor Lamb\r\nRRULE:FREQ=YEARLY\r\n"
    "END:VEVENT\r\n"
    "BEGIN:VEVENT\r\nDTSTART;TZID=Europe/Paris:20220510T140000\r\nDTEND;TZID=Europe/Paris:20220510T150000\r\n"
    'SUMMARY:Sale of the Petrel\r\nLOCATION:Porthmoor\\, Quay\r\nORGANIZER;CN="Finch, Ada":mailto:a@f.test\r\n'
    "ATTENDEE:mailto:b@t.test\r\nSTATUS:CONFIRMED\r\nDESCRIPTION:Bring the key that Doctor Say\r\n er gave you.\r\n"
    "BEGIN:VALARM\r\nDESCRIPTION:Alarm\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_each_card_is_a_row_of_its_person_and_remarks_are_below() -> None:
    book = read(CARDS, "friends.vcf")
    assert book.text == (
        "| Name | Organization | Born | Mail |\n"
        "| Dr. Martha Quill | Solway Dock, Accounts | 1971-03-04 | m@q.test |\n"
        "| Théo Lamarre | Meridian Bank |\n\n"
        "Dr. Martha Quill: Met Otto Reiss in Cadiz, 1999.\nShe left soon."
    )
    assert [place.label for place in book.lines] == ["Dr. Martha Quill", "Théo Lamarre", "Dr. Martha Quill"]
    assert book.warnings == ("left out, as no part of the text: pictures of cards: 1",)


def test_events_are_in_order_with_their_day_and_who_takes_part() -> None:
    calendar = read(EVENTS, "harbour.ics")
    assert calendar.text == (
        "2022-05-10, 14:00 to 15:00 (Europe/Paris)\nSale of the Petrel\nPlace: Porthmoor, Quay\n"
        "Organizer: Finch, Ada\nPresent: b@t.test\n\nBring the key that Doctor Sayer gave you.\n\n"
        "2022-05-12\nFuneral of Victor Lamb"
    )
    assert calendar.title == "Harbour"
    assert [place.label for place in calendar.lines] == ["2022-05-10", "2022-05-12"]
    assert calendar.warnings == ("left out, as no part of the text: rules by which events are repeated: 1",)


def test_both_are_known_by_their_bytes() -> None:
    assert read(CARDS, "card").media_type == "text/vcard"
    assert read(EVENTS, "invitation").media_type == "text/calendar"


def test_a_file_without_cards_or_events_is_read_as_text() -> None:
    assert read("Lena Voss came.", "a.vcf").warnings == ("no card of an address book: read as plain text",)
    assert read("Lena Voss came.", "a.ics").text == "Lena Voss came."
