"""Chats exported as JSON, and what a program says itself in a chat."""

from __future__ import annotations

import json

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import documents_in, load
from filigraph.graph.ingest.load.chats.chats import iso_time
from filigraph.graph.model.documents import LoadedDocument, Source
from tests.unit.graph.ingest.loading import archive

LINE = "[2024-03-12 21:14:00] Ana Prado: I sold the boat."


def read(name: str, content: object) -> list[LoadedDocument]:
    raw = content if isinstance(content, str) else json.dumps(content)
    return [load(one) for one in documents_in(Source(name=name, content=raw.encode()))[0]]


def message(**fields: object) -> dict[str, object]:
    return {"type": "message", **fields}


@pytest.mark.parametrize(
    "messages",
    [
        [message(**{"from": "Ana Prado", "date": "2024-03-12T21:14:00", "text": ["I sold ", {"text": "the boat."}]})],
        [{"sender": "Ana Prado", "sentAt": 1710278040000, "body": "I sold the boat."}],
        [{"sender_name": "Ana Prado", "timestamp_ms": 1710278040000, "content": "I sold the boat."}],
        [
            {
                "author": {"name": "a", "nickname": "Ana Prado"},
                "timestamp": "2024-03-12T21:14:00+00:00",
                "content": "I sold the boat.",
            }
        ],
        [
            {
                "creator": {"name": "Ana Prado"},
                "created_date": "Tuesday, 12 March 2024 at 21:14:00 UTC",
                "text": "I sold the boat.",
            }
        ],
        [
            {
                "creator": {"name": "Ana Prado"},
                "created_date": "Tuesday, March 12, 2024 at 9:14:00\u202fPM UTC",
                "text": "I sold the boat.",
            }
        ],
        [
            {
                "from": {"user": {"displayName": "Ana Prado"}},
                "createdDateTime": "2024-03-12T21:14:00Z",
                "body": {"contentType": "html", "content": "<p>I sold the boat.</p>"},
            }
        ],
    ],
)
def test_messages_of_exports_say_who_wrote_what_and_when(messages: list[object]) -> None:
    assert [one.text for one in read("chat.json", {"messages": messages})] == [LINE]


def test_users_of_slack_have_their_names_and_notices_are_counted() -> None:
    profile = {"real_name": "Bo Lind"}
    rows = [
        message(user="U2", ts="1710278100.0002", text="Good, <@U1> &amp; <http://x.test|this>.", user_profile=profile),
        message(user="U1", ts="1710278040.0001", text="I sold the boat.", user_profile={"real_name": "Ana Prado"}),
        message(user="U2", ts="1710278050.0001", text="<@U2> has joined", subtype="channel_join"),
    ]
    (chat,) = read("general/2024-03-12.json", rows)
    assert chat.text == f"{LINE}\n[2024-03-12 21:15:00] Bo Lind: Good, Ana Prado & this."
    assert "channel_join 1" in chat.warnings[0]


def test_an_account_is_its_chats_and_forwarded_words_are_their_writers() -> None:
    bo = {"from": "Bo", "date": "2024-03-12T21:14:00", "forwarded_from": "Carl", "text": "I left.", "photo": "a.jpg"}
    account = {"chats": {"list": [{"name": "Bo/x", "messages": [bo]}, {"name": "Bo/x", "messages": [bo]}]}}
    found = read("result.json", account)
    assert [one.source for one in found] == ["result.json/Bo_x.json", "result.json/Bo_x (2).json"]
    assert found[0].text == (
        "[2024-03-12 21:14:00] Bo: (forwards what Carl wrote)\n[2024-03-12 21:14:00] Carl: I left."
    )
    assert "pictures of messages: 1" in found[0].warnings[0]


def test_what_the_program_says_in_a_chat_is_left_out_and_counted() -> None:
    (chat,) = read(
        "WhatsApp Chat.txt",
        "12/03/2024, 21:10 - Messages and calls are end-to-end encrypted. No one can read them.\n"
        "12/03/2024, 21:14 - Ana Prado: I sold the boat.\n12/03/2024, 21:15 - Bo: <Médias omis>\n"
        "13/03/2024, 08:02 - Bo: IMG-1.jpg (file attached)\n13/03/2024, 08:03 - Bo: Good.\n",
    )
    assert chat.text.split("\n")[:2] == [
        "12/03/2024, 21:14 - Ana Prado: I sold the boat.",
        "13/03/2024, 08:03 - Bo: Good.",
    ]
    assert "pictures of messages: 2" in chat.warnings[0]


@pytest.mark.parametrize(
    "said",
    [
        "I gave the letter to <Otto Reiss>",
        "<Otto Reiss>",
        "Is this chat end-to-end encrypted? Otto stole the letter.",
        "Otto sent me contract.docx (the forged one)",
        "I know the image of Otto was omitted",
        "I sold it <This message was edited>",
        "IMG-1.jpg (file attached)\nOtto at the quay",
    ],
)
def test_what_people_say_in_a_chat_stays(said: str) -> None:
    text = f"12/03/2024, 21:14 - Ana Prado: I left.\n12/03/2024, 21:15 - Bo: {said}\n13/03/2024, 08:03 - Bo: Good.\n"
    (chat,) = read("WhatsApp Chat.txt", text)
    assert chat.text.strip() == text.strip() and not chat.warnings


@pytest.mark.parametrize(
    "said",
    [
        "Bo: <Media omitted>",
        "Bo: <Multimedia omitido>",
        "Bo: <Без медиафайлов>",
        "Bo: \u200e<attached: 00000012-PHOTO-2024-03-12-21-15-00.jpg>",
        "Bo: \u200econtract.pdf • \u200e2 pages \u200edocument omitted",
        "Bo: IMG-20240312-WA0001.jpg (קובץ מצורף)",
        "Bo: \u200e<bijgevoegd: 00000012-PHOTO.jpg>",
        "Bo: <Vynechané médium>",
        "Bo: the letter.pdf (fichier joint)",
        "Harbour: \u200eMessages and calls are end-to-end encrypted.",
        "Messages and calls are end-to-end encrypted. Only people in this chat can read them: learn more.",
    ],
)
def test_what_stands_for_a_file_and_notices_are_left_out(said: str) -> None:
    kept = "[12/03/24, 21:14:05] Ana Prado: I left.\n{}[13/03/24, 08:03:00] Bo: Good."
    (chat,) = read("_chat.txt", kept.format(f"[12/03/24, 9:15:07 PM] {said}\n"))
    assert chat.text == kept.format("") and len(chat.warnings) == 1


def test_signs_without_end_in_a_message_of_slack_cost_no_time() -> None:
    rows = [message(user="U1", ts=f"171027810{n}.0002", text="<a:" * 1_000_000) for n in range(2)]
    read("general/2024-03-12.json", rows)


def test_a_french_export_has_its_notices_left_out() -> None:
    lines = "12/03/2024 à 21:12 - Les messages sont chiffrés de bout en bout.\n12/03/2024 à 21:14 - Ana: Bonsoir.\n"
    assert (
        read("chat.txt", f"{lines}12/03/2024 à 21:15 - Ben: <Médias omis>\n")[0].text
        == "12/03/2024 à 21:14 - Ana: Bonsoir.\n"
    )


def test_a_page_of_telegram_says_who_wrote_what_and_when() -> None:
    def one(body: str, clock: str) -> str:
        date = f'<div class="date details" title="12.03.2024 {clock} UTC+01:00"></div>'
        return f'<div class="message default">{date}{body}</div>'

    page = "".join(
        (
            '<div class="page_header">Ana Prado</div><div class="page_body chat_page">',
            '<div class="message service">12 March 2024</div>',
            one('<div class="from_name">Ana Prado</div><div class="text">I sold <b>the</b> boat.</div>', "21:14:00"),
            one('<div class="text">It was<br>old.</div>', "21:15:00"),
            one('<div class="from_name">Ben</div><div class="media_wrap">Photo</div>', "21:16:00"),
        )
    )
    (chat,) = read("messages.html", f"<html><body>{page}</div></body></html>")
    assert chat.text == f"{LINE}\n[2024-03-12 21:15:00] Ana Prado: It was\nold." and chat.title == "Ana Prado"
    assert chat.warnings == ("left out, as no part of the text: files and pictures of messages: 1",)


def test_a_forwarded_message_of_a_page_is_its_writer_s() -> None:
    page = (
        '<div class="page_body chat_page"><div class="message"><div class="date" title="12.03.2024 21:14:00"></div>'
        '<div class="from_name">Bo</div><div class="forwarded body"><div class="from_name">Ana Prado '
        '<span class="date details" title="01.03.2024 10:00:00"> 01.03.2024 10:00:00</span></div>'
        '<div class="text">I sold the boat.</div></div></div></div>'
    )
    (chat,) = read("messages.html", f"<html><body>{page}</body></html>")
    assert chat.text == f"[2024-03-12 21:14:00] Bo: (forwards what Ana Prado wrote)\n{LINE}"


def test_an_export_of_slack_is_its_channels_whose_messages_name_their_users() -> None:
    users = [{"id": "U1", "real_name": "Ana Prado"}, {"id": "U2", "name": "bo", "profile": {"real_name": "Bo Lind"}}]
    first = [message(user="U1", ts="1710278040.1", text="I sold the boat.")]
    elements = [{"elements": [{"text": "To "}, {"user_id": "U2"}, {"text": "."}]}]
    second = [
        message(user="U1", ts="1710364440.1", text="", blocks=[{"type": "rich_text", "elements": elements}]),
        message(username="Port", ts="1710364500.1", text="", attachments=[{"title": "Sale", "text": "Bo came."}]),
    ]
    files = {"users.json": users, "channels.json": [], "port/2024-03-13.json": second, "port/2024-03-12.json": first}
    content = archive({f"x/{name}": json.dumps(rows) for name, rows in files.items()})
    (chat,) = [load(one) for one in documents_in(Source(name="export.zip", content=content))[0]]
    assert (chat.source, chat.title) == ("export.zip/port.json", "port")
    assert chat.text == (
        f"{LINE}\n[2024-03-13 21:14:00] Ana Prado: To Bo Lind.\n[2024-03-13 21:15:00] Port: Sale\nBo came."
    )


def test_other_files_beside_an_export_of_slack_are_kept_and_channels_of_two_folders_stay_two() -> None:
    users = json.dumps([{"id": "U1", "real_name": "Ana Prado"}])
    day = json.dumps([message(user="U1", ts="1710278040.1", text="I sold the boat.")])
    members: dict[str, str | bytes] = {"users.json": users, "report.txt": "Bo came.", "port/2024-03-11.json": "[{"}
    members |= {"integration_logs.json": "[]", "port/canvas_in_the_conversation.json": "[]"}
    members |= {"port/2024-03-12.json": day, "old/port/2024-03-12.json": day}
    found = documents_in(Source(name="a.zip", content=archive(members)))[0]
    assert [one.name for one in found] == [
        "a.zip/port.json", "a.zip/port (2).json", "a.zip/report.txt", "a.zip/port/2024-03-11.json",
    ]  # fmt: skip
    assert [load(one).text for one in found[:3]] == [LINE, LINE, "Bo came."]


def test_an_odd_chat_does_not_cost_the_other_files_of_its_archive() -> None:
    deep = f"{'[' * 700}{']' * 700}"
    rows = (f'"date": 1710278040, "blocks": {deep}', f'"date": 1{"0" * 400}, "text": "x"')
    accounts = [f'{{"chats": [{{"messages": [{{"sender": "Ana", {row}}}]}}]}}' for row in rows]
    content = archive({"a.json": accounts[0], "b.json": accounts[1], "c.txt": "Bo came."})
    found, problems = documents_in(Source(name="a.zip", content=content))
    assert ([one.name for one in found], problems) == (["a.zip/a.json", "a.zip/b.json", "a.zip/c.txt"], [])


def test_a_list_of_users_alone_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match=r"lists the users of an export of Slack") as raised:
        read("export/users.json", [{"id": "U1", "name": "ana", "profile": {}}])
    assert ".zip" in raised.value.cure


def test_text_messages_of_a_telephone_are_a_chat() -> None:
    sms = (
        '<sms date="1710278100000" type="2" body="Why?" contact_name="Ana Prado" address="1"/>'
        '<sms date="1710278040000" type="1" body="I sold the boat." contact_name="Ana Prado" address="1"/>'
        '<mms date="1710278160000" msg_box="1" contact_name="null" address="+44 1"><parts>'
        '<part ct="application/smil" text="&lt;smil&gt;"/><part ct="image/jpeg" data="x"/>'
        '<part ct="text/plain" text="Look."/></parts></mms>'
    )
    (chat,) = read("sms.xml", f'<?xml version="1.0" encoding="UTF-8"?><smses count="3">{sms}</smses>')
    assert chat.text == (
        f"{LINE}\n[2024-03-12 21:15:00] Owner of the telephone: Why?\n[2024-03-12 21:16:00] +44 1: Look."
    )
    assert chat.warnings == ("left out, as no part of the text: files and pictures of messages: 1",)


def test_messages_in_a_table_are_a_chat() -> None:
    rows = "2024-03-12 21:14,Received,Ana Prado,+44 1,I sold the boat.\n2024-03-12 21:15,Sent,Ana Prado,+44 1,Why?\n"
    (chat,) = read("sms.csv", f"Date,Direction,Contact,Number,Message\n{rows}")
    assert chat.text == f"{LINE}\n[2024-03-12 21:15:00] Owner of the telephone: Why?"
    assert chat.warnings == ("left out, as no part of the text: columns: Number",)
    (table,) = read("towns.csv", "Date,Name,Description\n1871-03-01,Ana Prado,a pilot\n")
    assert table.text.startswith("| Date | Name | Description |")


@pytest.mark.parametrize(
    ("head", "row", "who"),
    [
        ("Date,Contact,Sender,Message", "Ana,Me,Why?", "Me"),
        ("Date,Name,Type,Message", "Ana,2,Why?", "Owner of the telephone"),
        ("Date,Name,Type,Message", "Ana,1,Why?", "Ana"),
        ("Date,Name,Type,Message", "Ana,SMS,Why?", "Unknown"),
        ("Date,Sender,Type,Message", "Ana,SMS,Why?", "Ana"),
    ],
)
def test_who_sent_a_message_in_a_table(head: str, row: str, who: str) -> None:
    (chat,) = read("sms.csv", f"{head}\n2024-03-12 21:14,{row}\n2024-03-12 21:15,{row[: -len('Why?')]}\n")
    assert chat.text == f"[2024-03-12 21:14:00] {who}: Why?"
    assert any("rows without text or time: 1" in warning for warning in chat.warnings)


def test_a_table_with_a_column_of_types_is_no_chat() -> None:
    (table,) = read(
        "bills.csv", "Name,Type,Date,Text\nAna,invoice,2024-03-12,Boat\nBen,2nd reminder,2024-03-13,Mill\nCy,,,\n"
    )
    assert "| Ana | invoice | 2024-03-12 | Boat |" in table.text


def test_rows_that_are_left_out_are_counted() -> None:
    (chat,) = read("sms.csv", "Date,Sender,Message\n2024-03-12 21:14,Ana,Why?\n" + "2024-03-12 21:15,Ben,\n" * 20)
    assert any(warning.endswith("rows without text or time: 20") for warning in chat.warnings)


def test_a_character_in_two_halves_is_one() -> None:
    body = "I sold &#12354;&#55357;&#56842; it. &#55357; &#12354;&#12356;"
    chat = _telephone(f'<sms date="1710278040000" type="1" body="{body}" contact_name="Ana" address="1"/>')
    assert chat.text.endswith("Ana: I sold あ\N{SMILING FACE WITH SMILING EYES} it. \ufffd あい")


def _telephone(*messages: str) -> LoadedDocument:
    (chat,) = read("sms.xml", f"<?xml version='1.0' encoding='UTF-8'?><smses>{''.join(messages)}</smses>")
    return chat


def test_a_large_file_in_a_message_does_not_end_the_messages() -> None:
    large = (
        f'<mms date="1" msg_box="1" address="1"><parts><part ct="video/mp4" data="{"A" * 11_000_000}"/></parts></mms>'
    )
    chat = _telephone(large, '<sms date="1710278040000" type="1" body="I sold the boat." contact_name="Ana Prado"/>')
    assert chat.text == LINE
    assert chat.warnings == ("left out, as no part of the text: files and pictures of messages: 1",)


def test_messages_that_may_be_missing_are_said() -> None:
    chat = _telephone(
        '<sms date="1710278040000" type="1" body="I sold the boat." contact_name="Ana Prado"/><sms body="'
    )
    assert chat.text == LINE
    (warning,) = chat.warnings
    assert warning.startswith("the XML is damaged in line 1") and warning.endswith("messages may be missing")


def test_the_owner_of_a_telephone_writes_what_waits_or_failed_and_drafts_are_left_out() -> None:
    chat = _telephone(
        *(
            f'<sms date="17102780{box}0000" type="{box}" body="Text {box}." contact_name="Ana Prado"/>'
            for box in range(1, 7)
        )
    )
    owner = "Owner of the telephone"
    assert [line.partition("] ")[2] for line in chat.text.split("\n")] == [
        "Ana Prado: Text 1.", *(f"{owner}: Text {box}." for box in (2, 4, 5, 6))
    ]  # fmt: skip
    assert chat.warnings == ("left out, as no part of the text: drafts: 1",)


def test_the_sender_in_a_group_is_who_sent_the_message() -> None:
    def group(sender: str, words: str) -> str:
        return (
            f'<mms date="1710278100000" msg_box="1" address="+1~+2" contact_name="Ana Prado, Bo"><parts>'
            f'<part ct="text/plain" text="{words}"/></parts>'
            f'<addrs><addr address="+9" type="151"/><addr address="{sender}" type="137"/></addrs></mms>'
        )

    alone = '<sms date="1710278040000" type="1" body="I sold the boat." contact_name="Ana Prado" address="+1"/>'
    chat = _telephone(alone, group("+1", "Come."), group("+2", "Now."))
    assert chat.text == f"{LINE}\n[2024-03-12 21:15:00] +2: Now.\n[2024-03-12 21:15:00] Ana Prado: Come."


def test_files_that_an_export_leaves_out_are_named_in_many_languages() -> None:
    lines = ("Vidéo absente", "Bild weggelassen", "imagen omitida", "immagine omessa", "afbeelding weggelaten")
    said = "".join(f"[12/03/2024 21:1{n}:00] Ana: \u200e{words}\n" for n, words in enumerate(lines))
    (chat,) = read("_chat.txt", f"{said}[12/03/2024 21:19:00] Ana: I sold it.\n")
    assert chat.text.strip() == "[12/03/2024 21:19:00] Ana: I sold it."
    assert chat.warnings == ("left out, as no part of the text: files and pictures of messages: 5",)


def test_a_time_of_many_letters_is_read_in_linear_time() -> None:
    assert iso_time("A" * 1_000_000) == ""
    assert iso_time("March 5, 2024 at 9:14:00 PM") == "2024-03-05 21:14:00"
