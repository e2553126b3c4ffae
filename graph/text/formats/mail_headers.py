"""The head of a mail that was saved as text, in the words of the program that saved it.

De : Claire Kerbrat            Von: Claire Kerbrat
Envoyé : lundi 14 mars 2016    Gesendet: Montag, 14. März 2016 10:22
Objet : les offres             Betreff: die Angebote
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from filigraph.graph.text.time.dates import first_date, iso_date
from filigraph.graph.text.words import tokens

MAX_HEAD_LINES = 8  # lines at the start of a text that may be a head

# Word of a field, folded and without spaces ("Enviado el", "Copie à") -> the field.
_FIELDS: Mapping[str, str] = {
    "".join(token.folded for token in tokens(word)): field
    for field, words in {
        "from": "from de von desde da mittente van od från fra lähettäjä kimden feladó от від 发件人 寄件者 差出人 "
        "보낸사람 מאת από من",
        "to": "to a an para al aan do komu til till vastaanottaja kime címzett кому 收件人 收件者 宛先 받는사람 "
        "אל προς إلى",
        "copy": "cc copiea kopie",
        "date": "date datum fecha data sent envoye envoyele gesendet enviado enviadoel inviato verzonden wysłano "
        "odesláno sendt skickat lähetetty tarih gönderildi küldve dato дата отправлено надіслано 日期 日付 发送时间 "
        "寄件日期 送信日時 보낸날짜 נשלח ημερομηνία التاريخ",
        "subject": "subject objet sujet re betreff asunto oggetto onderwerp temat předmět predmet "
        "assunto emne ämne aihe konu tárgy тема 主题 主旨 件名 제목 נושא θέμα",
    }.items()
    for word in words.split()
}
_ID = re.compile(r"<[^<>\s]{3,250}>")
_ANSWERS = re.compile(r"^(?:(?:re|fwd?|tr|aw|wg|sv|vs|rv|rif|r|antw|odp)(?:\[\d+\])?\s*[:：]\s*)+", re.IGNORECASE)
_FIELD = re.compile(r"^\W{0,2}([^\W\d]{1,14}(?: [^\W\d]{1,3})?)[ \u00a0\u202f]?[:：]\s*(\S.*)$")


def head_of(lines: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Field (from, to, copy, date, subject) -> its value and the number of its line; {} without a sender, or with
    neither an addressee nor a date. `lines`: the lines of a text that are not blank.
    """
    fields: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(lines[:MAX_HEAD_LINES]):
        match = _FIELD.match(line)
        field = _FIELDS.get("".join(token.folded for token in tokens(match[1]))) if match else None
        if match and field:
            fields.setdefault(field, (match[2], number))
        elif fields and not match:  # "Type: incoming" is a field, too
            break
    return fields if "from" in fields and fields.keys() & {"to", "date"} else {}


def thread_of(own_id: str, references: str, subject: str) -> str:
    """The name of a mail's thread: the id of its first mail, which all answers contain; without ids its subject,
    without "Re:".
    """
    ids = _ID.findall(references) or _ID.findall(own_id)
    return ids[0] if ids else _ANSWERS.sub("", " ".join(subject.split())).casefold()


def sent_on(date: str, language: str) -> str:
    """The day of a mail as ISO 8601, from the standard format or a program's. Text that is not a day is returned
    unchanged.
    """
    normalized = iso_date(date)
    if normalized != " ".join(date.split()):
        return normalized
    day = first_date(normalized, language)
    return normalized if not day or day.startswith("--") else day
