"""Messages in a table, as programs that save text messages and chats write them, become lines with author, time and
text.

Date,Direction,Contact,Message / 2024-03-12 21:14,Received,Ana,I left.      [2024-03-12 21:14:00] Ana: I left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from filigraph.graph.ingest.load.chats.chats import iso_time, message_lines
from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.load.chats.sms import OWNER
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line
from filigraph.graph.text.words import fold

# Folded heads of the columns; the first that a table has counts.
_COLUMNS = {
    "who": "sender_name sender from author user username who absender von expediteur de auteur remitente mittente name "
    "nom contact_name contact kontakt contacto contatto",
    "text": "message message_text text body content nachricht texte contenu mensaje texto messaggio testo",
    "time": "date_time datetime timestamp date sent sent_at date_sent datum zeitstempel horodatage fecha data",
    "clock": "time uhrzeit zeit heure hora ora",
    "box": "direction type folder box richtung sens sentido direzione",
}
_MESSAGE = frozenset(
    ("message", "message text", "message_text", "content", "body", "nachricht", "mensaje", "messaggio")
)
_CONTACTS = frozenset("name nom contact_name contact kontakt contacto contatto".split())  # noqa: SIM905
_SENT = re.compile(r"(?:2|sent|outgoing|outbox|out|me|gesendet|ausgehend|envoye|sortant|enviado|saliente|inviato)\b")
_RECEIVED = re.compile(
    r"(?:1|received|incoming|inbox|in|empfangen|eingehend|recue?|entrante?|recibido|recebid[oa]|ricevut[oa])\b"
)


def read_chat_table(rows: Iterable[Sequence[str]]) -> Content | None:
    """None for a table whose head has no sender, time and text of messages, or that says nothing of who sent them."""
    remaining = iter(rows)
    head = next((row for row in remaining if any(map(str.strip, row))), ())
    columns = _columns(head)
    if not {"who", "text", "time"} <= columns.keys():
        return None
    filled = [row for row in remaining if any(map(str.strip, row))]
    box = columns.get("box", len(head))
    if fold(head[columns["text"]]) not in _MESSAGE and not _are_directions([row[box : box + 1] for row in filled]):
        return None
    shared = "_".join(fold(head[columns["who"]]).split()) in _CONTACTS
    messages = [[*_message(row, columns, shared=shared)] for row in filled]
    text = "\n".join(line for lines in messages for line in lines)
    beside = [one_line(name) for n, name in enumerate(head) if name.strip() and n not in columns.values()]
    counts = {"columns": ", ".join(beside), "rows without text or time": messages.count([])}
    left_out = "; ".join(f"{what}: {which}" for what, which in counts.items() if which)
    warnings = (f"{LEFT_OUT} {left_out}",) if left_out else ()
    return Content(text=text, lines=line_times(text), warnings=warnings) if text else None


def _are_directions(cells: Sequence[Sequence[str]]) -> bool:
    """Whether cells say which way messages went: "Type" may be the type of anything."""
    told = [box for cell in cells if (box := fold("".join(cell).strip()))]
    return 2 * sum(bool(_SENT.match(box) or _RECEIVED.match(box)) for box in told) >= max(1, len(told))


def _columns(head: Sequence[str]) -> Mapping[str, int]:
    names = ["_".join(fold(cell).split()) for cell in head]
    found = {}
    for column, known in _COLUMNS.items():
        at = next((names.index(name) for name in known.split() if name in names), None)
        if at is not None:
            found[column] = at
    return found


def _message(row: Sequence[str], columns: Mapping[str, int], *, shared: bool) -> Iterator[str]:
    """The lines of a message. `shared`: the column of names has the other person of messages in both directions."""
    cells = {column: row[at].strip() if at < len(row) else "" for column, at in columns.items()}
    when = one_line(f"{cells['time']} {cells.get('clock', '')}")
    if not cells["text"] or not when:
        return
    box = fold(cells.get("box", ""))
    unknown = shared and "box" in columns and not _RECEIVED.match(box)
    who = OWNER if _SENT.match(box) else "" if unknown else one_line(cells["who"])
    words = "\n".join(filter(None, map(str.strip, clean(cells["text"]).split("\n"))))
    yield from message_lines(iso_time(when) or when, who, words)
