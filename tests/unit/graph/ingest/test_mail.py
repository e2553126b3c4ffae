"""Mails, mailboxes and attachments: every text is read, as a separate document where it is one."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import documents_in, load
from filigraph.graph.model.documents import LoadedDocument, Source
from filigraph.graph.text.formats.mail_headers import thread_of


def mail(text: str = "", **headers: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in {"From": "Hélène <h@example.org>", "Subject": "La bague", **headers}.items():
        message[name.replace("_", "-")] = value
    if text:
        message.set_content(text)
    return message


def unpacked(
    content: bytes | EmailMessage, name: str = "a.eml", **metadata: str
) -> tuple[dict[str, Source], list[str]]:
    whole = content if isinstance(content, bytes) else content.as_bytes()
    sources, problems = documents_in(Source(name=name, content=whole, metadata=metadata))
    return {source.name: source for source in sources}, problems


def read(content: bytes | EmailMessage, name: str = "a.eml") -> LoadedDocument:
    return load(Source(name=name, content=content if isinstance(content, bytes) else content.as_bytes()))


def raw(*parts: str, kind: str = "mixed") -> bytes:
    """A mail of parts that are written out, each with its head."""
    body = "".join(f"--b\n{part}\n" for part in parts)
    return f"From: a@b.c\nContent-Type: multipart/{kind}; boundary=b\n\n{body}--b--\n".encode()


# --------------------------------------------------------------------------------------------------------------------
# The text


def test_all_texts_of_a_mail_are_read_and_pictures_between_them_are_named() -> None:
    picture = 'Content-Type: image/png; name="quai.png"\nContent-Disposition: inline\n\nx'
    document = read(raw("Content-Type: text/plain\n\nAvant.", picture, "Content-Type: text/html\n\n<p>Après.</p>"))
    assert document.text == "From: a@b.c\n\nAvant.\n\nAprès."
    assert document.warnings == ("picture quai.png is not read",)


@pytest.mark.parametrize(
    ("plain", "html", "read_as"),
    [
        ("Jules a la bague de Sophie.", "<p>Jules a la bague de <b>Sophie</b>.</p>", "Jules a la bague de Sophie."),
        ("See the HTML version.", f"<p>{'Jules a la bague. ' * 9}</p>", "Jules a la bague. " * 8 + "Jules a la bague."),
        (" ", "<p>Jules a la bague.</p>", "Jules a la bague."),
    ],
)
def test_of_a_text_in_two_forms_the_one_that_says_it(plain: str, html: str, read_as: str) -> None:
    for_programs = "Content-Type: text/x-amp-html\n\n<html amp4email>"
    forms = [f"Content-Type: text/plain\n\n{plain}", f"Content-Type: text/html\n\n{html}", for_programs]
    assert read(raw(*forms, kind="alternative")).text == f"From: a@b.c\n\n{read_as}"
    assert list(unpacked(raw(*forms, kind="alternative"))[0]) == ["a.eml"]


def test_an_attachment_within_one_form_of_the_text_is_found() -> None:
    """As Apple's program writes it."""
    message = mail("Jules a la bague de Sophie.")
    message.add_alternative("<p>Jules a la bague de Sophie.</p>", subtype="html")
    form = message.get_payload(1)
    assert isinstance(form, EmailMessage)
    form.add_attachment("Une clé.", filename="clé.txt")
    assert list(unpacked(message)[0]) == ["a.eml", "a.eml/clé.txt"]
    assert read(message).text.endswith("\n\nJules a la bague de Sophie.\n")


@pytest.mark.parametrize("label", ["iso-8859-1", "us-ascii", "windows-1252"])
def test_headers_mean_windows_1252_too(label: str) -> None:
    sender, subject = f"=?{label}?Q?Nora_O=92Hara?= <n@x.y>", f"=?{label}?Q?=93Corvid=94?= sold =?utf-8?q?=E2=82=AC?="
    document = read(f"From: {sender}\nSubject: {subject}\n\nx".encode())
    assert (document.title, document.metadata["from"]) == ("“Corvid” sold €", "Nora O’Hara <n@x.y>")


# --------------------------------------------------------------------------------------------------------------------
# What is attached


def test_what_is_attached_is_a_document_that_names_its_mail() -> None:
    inner = mail("Rends la bague.", Subject="Réponse : la clé", Date="Tue, 05 Mar 1912 10:00:00 +0100")
    inner.add_attachment("Une bague, deux clés.", filename="liste.txt")
    message = mail("Voir ci-joint.", Date="Wed, 06 Mar 1912 10:00:00 +0100")
    message.add_attachment("a;b\n1;2", subtype="csv", filename="../compte.csv")
    message.add_attachment("c;d\n3;4", subtype="csv", filename="C:\\tmp\\compte.csv")
    message.add_attachment(inner)
    message.add_attachment(b"\x30\x80", maintype="application", subtype="pkcs7-signature", filename="smime.p7s")
    sources, problems = unpacked(message, case="x")
    letter = "a.eml/Réponse : la clé.eml"
    assert list(sources) == ["a.eml", "a.eml/compte.csv", "a.eml/compte (2).csv", letter, f"{letter}/liste.txt"]
    assert problems == []
    assert sources["a.eml/compte.csv"].metadata == {"case": "x", "attached_to": "a.eml", "sent": "1912-03-06"}
    assert sources[f"{letter}/liste.txt"].metadata["attached_to"] == letter
    documents = {name: load(source) for name, source in sources.items()}
    assert documents["a.eml"].metadata["attachments"] == "compte.csv, compte.csv, Réponse : la clé.eml"
    assert documents["a.eml"].text.endswith("Voir ci-joint.\n")
    assert documents[letter].metadata["date"] == "1912-03-05" and "Rends la bague." in documents[letter].text
    assert documents["a.eml/compte (2).csv"].text == "| c | d |\n| 3 | 4 |"


def test_names_of_attachments() -> None:
    heads = [
        'Content-Type: text/x-note\nContent-Disposition: attachment; filename="=?iso-8859-1?Q?cl=E9?=.txt"',
        "Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''cl%C3%A9.txt",
        "Content-Type: application/pdf",
        f"Content-Type: text/plain; name={'x' * 400}.txt",
    ]
    names = list(unpacked(raw(*(f"{head}\n\nx" for head in heads)))[0])
    assert names[1:4] == ["a.eml/clé.txt", "a.eml/clé (2).txt", "a.eml/part 3.pdf"]
    assert len(names[4]) < 200 and names[4].endswith(".txt")


def test_a_forwarded_mail_in_base64_is_read() -> None:
    inner = "RnJvbTogSnVsZXMgPGpAeC55PgpTdWJqZWN0OiBjbMOpCgpSZW5kcyBsYSBiYWd1ZS4K"
    sources, _ = unpacked(raw(f"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{inner}"))
    (_, forwarded) = sources.values()
    assert load(forwarded).text == "From: Jules <j@x.y>\nSubject: clé\n\nRends la bague.\n"


def test_mails_within_each_other_without_end() -> None:
    message = mail("Fin.")
    for _ in range(15):
        outer = mail("Voir ci-joint.")
        outer.add_attachment(message)
        message = outer
    sources, problems = unpacked(message)
    assert len(sources) == 11 and len(problems) == 1 and "without end" in problems[0]


def test_a_damaged_part_costs_no_other() -> None:
    document = read(
        raw("Content-Type: text/plain\n\nAvant.", "Content-Type: message/rfc822; x=\n", "Content-Type: ;;\n\nx")
    )
    assert "Avant." in document.text


# --------------------------------------------------------------------------------------------------------------------
# Mailboxes

MAILBOX = """From - Mon Jun 03 18:40:00 2019
X-Mozilla-Status: 0001
From: Ines <i@x.y>
Message-ID: <1/a@x.rs>
Date: Mon, 03 Jun 2019 18:40:00 +0200
Subject: Le feu

Qui a payé ?

From the harbour one sees nothing.
Note: nothing.
>From the mill, more.
>>From Jules.

From i@x.y Tue Jun  4 07:05:00 2019 +0200
From: Jonas <j@x.y>
Date: Tue, 04 Jun 2019 07:05:00 +0200
Content-Transfer-Encoding: base64

Q2xhcmEgTXVucm8u

From 165@xxx Wed Jun 05 12:00:00 +0000 2019
From: Adèle <a@x.y>
Message-ID: <1/a@x.rs>
Date: Wed, 05 Jun 2019 12:00:00 +0200

Théo.
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["inbox.mbox", "Inbox"])
def test_a_mailbox_is_a_folder_of_mails(name: str, newline: str) -> None:
    sources, problems = unpacked(MAILBOX.replace("\n", newline).encode(), name, case="x")
    assert list(sources) == [f"{name}/1_a@x.rs.eml", f"{name}/2.eml", f"{name}/1_a@x.rs (2).eml"]
    first, second, third = (load(source) for source in sources.values())
    assert problems == [] and {first.media_type, second.media_type, third.media_type} == {"message/rfc822"}
    assert [one.metadata["date"] for one in (first, second, third)] == ["2019-06-03", "2019-06-04", "2019-06-05"]
    assert "\nFrom the harbour one sees nothing.\nNote: nothing.\nFrom the mill, more.\n>From Jules." in first.text
    assert second.text.strip().endswith("Clara Munro.") and third.text.strip().endswith("Théo.")
    assert first.metadata["case"] == "x"


def test_a_letter_that_begins_with_from_is_no_mailbox() -> None:
    for text in ("From the mill one sees it.\nNote: nothing.\n", "From 10:30 on it burned.\nThe mill fell.\n"):
        assert list(unpacked(text.encode(), "a.txt")[0]) == ["a.txt"]


@pytest.mark.parametrize("name", ["1559580000.M1P2.host:2,S", "12.", "mail.txt"])
def test_a_mail_is_one_whatever_its_name(name: str) -> None:
    way = b"Return-Path: <a@b.c>\nReceived: by x;\n\tMon\n"
    sent = b"From: a@b.c\nContent-Transfer-Encoding: quoted-printable\n\nTh=C3=A9o."
    assert read(way + sent, name).text == "From: a@b.c\n\nThéo."
    assert read(b"From: Jules\nTo: Sophie\n\nViens.", name).media_type == "text/plain"


def test_a_mail_of_apple_without_the_notes_of_the_program() -> None:
    sent = "From: a@b.c\n\nThéo."
    kept = f"{len(sent.encode())}\n{sent}<?xml version='1.0'?><plist/>"
    assert read(kept.encode(), "1.emlx").text == sent


def test_a_data_file_of_outlook_is_refused_with_the_cure() -> None:
    with pytest.raises(UnreadableDocument, match="Outlook") as raised:
        read(b"!BDN" + bytes(600), "archive.pst")
    assert ".mbox" in raised.value.cure


@pytest.mark.parametrize(
    ("own", "references", "subject", "thread"),
    [
        ("<a@x>", "", "Le bateau", "<a@x>"),
        ("<c@x>", "<a@x> <b@x> <b@x>", "Re: Le bateau", "<a@x>"),
        ("", "", "RE: AW: Re[2]: Le  bateau", "le bateau"),
        ("", "", "Regarding", "regarding"),
    ],
)
def test_a_thread_is_named_by_its_first_mail_or_subject(own: str, references: str, subject: str, thread: str) -> None:
    assert thread_of(own, references, subject) == thread


def test_a_mail_is_in_the_language_of_what_it_says() -> None:
    head = b"From: Ann <a@x.test>\nTo: Ben <b@x.test>\nSubject: to have been at the mill and after\n\n"
    assert read(head + "Hier Carl a vendu la ferme à Odile.".encode()).language == "fr"


def test_what_only_one_form_of_a_text_says_is_read() -> None:
    plain = "Please see the HTML part of this mail."
    forms = [
        f"Content-Type: text/plain\n\n{plain}",
        "Content-Type: text/html\n\n<p>I bought the truck of Mira Lund.</p>",
    ]
    assert read(raw(*forms, kind="alternative")).text == f"From: a@b.c\n\n{plain}\n\nI bought the truck of Mira Lund."
    forms[1] = f"Content-Type: text/html\n\n<p>{plain}</p><p>I bought the truck.</p>"
    assert read(raw(*forms, kind="alternative")).text == f"From: a@b.c\n\n{plain}\n\nI bought the truck."


def _alternative(plain: str, html: str) -> str:
    """The text of a mail in two forms, without its head."""
    forms = [f"Content-Type: text/{kind}; charset=utf-8\n\n{text}" for kind, text in (("plain", plain), ("html", html))]
    return read(raw(*forms, kind="alternative")).text.removeprefix("From: a@b.c\n\n")


def test_figures_that_only_one_form_of_a_text_has_are_read() -> None:
    letter = "Dear Ann, these are the readings of the gauge at the mill since the spring, as you asked. Ben"
    rows = "".join(f"<tr><td>{n}.5.1904</td><td>{117 + n}</td></tr>" for n in range(1, 12))
    text = _alternative(letter, f"<p>{letter}</p><table>{rows}</table>")
    assert "| 11.5.1904 | 128 |" in text and text.count("Dear Ann") == 1


@pytest.mark.parametrize(
    "lines",
    [
        ("田中太郎は昨日京都の駅で", "佐藤花子に会い、船を", "売った。"),
        ("船长昨天在港口把船卖给了商人，", "他的妻子留在", "家里。"),
        ("กัปตันขายเรือให้พ่อค้า", "ภรรยาของเขาอยู่ที่บ้าน"),
    ],
)
def test_a_text_in_a_script_without_spaces_is_kept_once(lines: tuple[str, ...]) -> None:
    plain = "\n".join(lines)
    assert _alternative(plain, f"<p>{''.join(lines)}</p>").strip() == plain


@pytest.mark.parametrize("signs", ["a", "é", "@", "a@", "a://", "a.", "1a"])
def test_signs_repeated_without_end_in_two_forms_are_read_at_once(signs: str) -> None:
    run = signs * (100_000 // len(signs))
    _alternative(f"Jules {run} left.", f"<p>Jules {run} left.</p>")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_a_mail_saved_as_unicode_is_a_mail(encoding: str) -> None:
    content = "From: Ana Ruiz <a@r.example>\r\nSubject: Boat\r\nMessage-ID: <1@x>\r\n\r\nI left.\r\n".encode(encoding)
    document = load(Source(name="a.eml", content=content))
    assert (document.title, document.warnings) == ("Boat", ())
    assert document.text.endswith("\n\nI left.\n")


def test_flowed_lines_that_divide_words_are_joined() -> None:
    head = b"From: a@x.test\nSubject: s\nContent-Type: text/plain; format=flowed; delsp=yes\n\n"
    document = load(Source(name="a.eml", content=head + b"He sold the Pet \nrel to Ann.\n\n-- \nBo\n"))
    assert "He sold the Petrel to Ann.\n\n" in document.text and document.text.endswith("\n-- \nBo\n")


def test_a_quotation_in_html_ends_where_the_sender_goes_on() -> None:
    html = (
        "From: Cora Finch <c@f.test>\nContent-Type: text/html\n\n<p>I mowed.</p>"
        "<div>On Tue, Mar 5, 2024, Hugo Stern wrote:<br></div><blockquote><div>I sold the mare.<br>She was old.</div>"
        "<blockquote>Which?</blockquote></blockquote>"
        "<p>I paid.</p><noscript>Turn scripts on.</noscript>"
    )
    document = read(html.encode())
    quoted = "wrote:\n\n> I sold the mare.\n> She was old.\n\n> > Which?\n\nI paid."
    assert document.text.endswith(quoted)
    assert document.warnings == ("left out, as no part of the text: <noscript>",)


@pytest.mark.parametrize("boundary", ["----=_Part_1.2", "b=", '"b="'])
def test_a_boundary_without_quotation_marks(boundary: str) -> None:
    bare = boundary.strip('"')
    head = f"From: a@b.c\r\nContent-Type: multipart/mixed;\r\n                boundary={boundary}\r\n\r\n"
    parts = f"--{bare}\r\nContent-Type: text/plain\r\n\r\nI left.\r\n--{bare}--\r\n"
    assert read((head + parts).encode()).text.endswith("\n\nI left.")
