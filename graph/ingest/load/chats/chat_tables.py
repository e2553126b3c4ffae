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
from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.text.words import fold

# Folded heads of the columns; the first that a table has counts.
_COLUMNS = {
    "who": "contact_name contact name sender sender_name from author user username who kontakt absender von nom "
    "expediteur de auteur contacto remitente contatto mittente",
    "text": "message message_text text body content nachricht texte contenu mensaje texto messaggio testo",
    "time": "date_time datetime timestamp date sent sent_at date_sent datum zeitstempel horodatage fecha data",
    "clock": "time uhrzeit zeit heure hora ora",
    "box": "direction type folder box richtung sens sentido direzione",
}
_SENT = re.compile(r"(?:sent|outgoing|outbox|out|me|gesendet|ausgehend|envoye|sortant|enviado|saliente|inviato)\b")


def read_chat_table(rows: Iterable[Sequence[str]]) -> Content | None:
    """None for a table whose head has no sender, time and text of messages, or that says nothing of who sent them."""
    remaining = iter(rows)
    head = next((row for row in remaining if any(map(str.strip, row))), ())
    columns = _columns(head)
    if not {"who", "text", "time"} <= columns.keys() or not ("box" in columns or "message" in fold(" ".join(head))):
        return None
    lines = [line for row in remaining for line in _message(row, columns)]
    text = "\n".join(lines)
    return Content(text=text, lines=line_times(text)) if lines else None


def _columns(head: Sequence[str]) -> Mapping[str, int]:
    names = ["_".join(fold(cell).split()) for cell in head]
    found = {}
    for column, known in _COLUMNS.items():
        at = next((names.index(name) for name in known.split() if name in names), None)
        if at is not None:
            found[column] = at
    return found


def _message(row: Sequence[str], columns: Mapping[str, int]) -> Iterator[str]:
    cells = {column: row[at].strip() if at < len(row) else "" for column, at in columns.items()}
    when = one_line(f"{cells['time']} {cells.get('clock', '')}")
    if not cells["text"] or not when:
        return
    who = OWNER if _SENT.match(fold(cells.get("box", ""))) else one_line(cells["who"])
    words = re.sub(r"\s*\n\s*", "\n", clean(cells["text"]).strip())
    yield from message_lines(iso_time(when) or when, who, words)
