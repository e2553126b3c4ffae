"""Address books (vCard) and calendars (iCalendar): persons and events, without the syntax of their files."""

from __future__ import annotations

import pytest

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
        "Organizer: Finch, Ada\nInvited: b@t.test\n\nBring the key that Doctor Sayer gave you.\n\n"
        "2022-05-12\nFuneral of Victor Lamb"
    )
    assert calendar.title == "Harbour"
    assert [place.label for place in calendar.lines] == ["2022-05-10", "2022-05-12"]
    assert calendar.warnings == ("left out, as no part of the text: rules by which events are repeated: 1",)


def test_only_days_are_written_as_days() -> None:
    book = read(
        "BEGIN:VCARD\nFN:Ana Prado\nBDAY:19710304T000000Z\nTEL:+442071234567\nTITLE:20220510\nEND:VCARD\n", "a.vcf"
    )
    assert book.text.split("\n")[1] == "| Ana Prado | 20220510 | 1971-03-04 | +442071234567 |"


def test_a_card_of_version_2_1_keeps_the_blanks_that_fold_it() -> None:
    old = "BEGIN:VCARD\nVERSION:2.1\nFN:Ana\n Prado\nNOTE;ENCODING=QUOTED-PRINTABLE:Th=C3=\n =A9o came.\nEND:VCARD\n"
    book = read(f"{old}BEGIN:VCARD\nVERSION:3.0\nFN:Bo Li\n nd\nEND:VCARD\n", "a.vcf")
    assert book.text == "Name\nAna Prado\nBo Lind\n\nAna Prado: Théo came."


def test_cards_without_an_end_and_cards_within_cards_are_kept() -> None:
    book = read(
        "BEGIN:VCARD\nFN:Ana Prado\nBEGIN:VCARD\nFN:Bo Lind\nAGENT:\nBEGIN:VCARD\nFN:Carl Roe\nEND:VCARD\n"
        "TITLE:Pilot\nEND:VCARD\nBEGIN:VCARD\nFN:Dora Ash\n",
        "a.vcf",
    )
    assert book.text == "| Name | Occupation |\n| Ana Prado |\n| Carl Roe |\n| Bo Lind | Pilot |\n| Dora Ash |"


def test_properties_of_a_card_that_are_not_read_are_named() -> None:
    book = read("BEGIN:VCARD\nVERSION:3.0\nFN:Ana Prado\nX-SPOUSE:Bo\nIMPP:a\nEND:VCARD\n", "a.vcf")
    assert book.warnings == ("left out, as no part of the text: properties IMPP, X-SPOUSE",)


def _event(*lines: str, kind: str = "VEVENT") -> str:
    return "\n".join(("BEGIN:VCALENDAR", f"BEGIN:{kind}", *lines, f"END:{kind}", "END:VCALENDAR", ""))


def test_who_was_invited_is_not_present_and_a_room_is_nobody() -> None:
    calendar = read(
        _event(
            "DTSTART:20220510T140000",
            "SUMMARY:Sale",
            "ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED:mailto:a@t.test",
            "ATTENDEE;CN=Bo;PARTSTAT=DECLINED:mailto:b@t.test",
            "ATTENDEE;CN=Carl;PARTSTAT=NEEDS-ACTION:mailto:c@t.test",
            "ATTENDEE;CN=Blue room;CUTYPE=ROOM;PARTSTAT=ACCEPTED:mailto:r@t.test",
        ),
        "a.ics",
    )
    assert calendar.text.split("\n")[2:] == ["Present: Ana", "Declined: Bo", "Invited: Carl", "Reserved: Blue room"]


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("20220513", "2022-05-12"),
        ("20220515", "2022-05-12 to 2022-05-14"),
        ("20220512", "2022-05-12"),
        ("20221399", "2022-05-12 to 2022-13-99"),
    ],
)
def test_the_end_of_whole_days_is_the_day_after_the_last(end: str, said: str) -> None:
    calendar = read(_event("DTSTART;VALUE=DATE:20220512", f"DTEND;VALUE=DATE:{end}", "SUMMARY:Sale"), "a.ics")
    assert calendar.text.split("\n")[0] == said


def test_a_task_says_when_it_is_due_and_what_is_not_read_is_named() -> None:
    task = _event(
        "UID:1",
        "DTSTART:20220510T140000",
        "DURATION:PT1H",
        "DUE:20220512T100000",
        "SUMMARY:Mend the boat",
        "CATEGORIES:Harbour",
        "CONTACT:Ana Prado",
        kind="VTODO",
    )
    calendar = read(task, "a.ics")
    assert calendar.text == (
        "2022-05-10, 14:00\nMend the boat\nDue: 2022-05-12, 10:00\nContact: Ana Prado\nCategories: Harbour"
    )
    assert calendar.warnings == ("left out, as no part of the text: properties DURATION",)


def test_both_are_known_by_their_bytes() -> None:
    assert read(CARDS, "card").media_type == "text/vcard"
    assert read(EVENTS, "invitation").media_type == "text/calendar"


def test_a_file_without_cards_or_events_is_read_as_text() -> None:
    assert read("Lena Voss came.", "a.vcf").warnings == ("no card of an address book: read as plain text",)
    assert read("Lena Voss came.", "a.ics").text == "Lena Voss came."
