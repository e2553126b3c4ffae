"""Outlook's mail (.msg): who wrote to whom and when, then what, in the form of any other mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.ingest.load.mail import LONGEST_HEADER, not_read
from filigraph.graph.ingest.load.markup import content_of_markup

if TYPE_CHECKING:
    from oxmsg import Message

_RECIPIENT_TYPE = 0x0C15  # PidTagRecipientType
_HEADS = {1: "To", 2: "Cc"}
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, OSError, AssertionError)


def read_outlook(content: bytes) -> Content:
    """As `read_mail`. Raises UnreadableDocument for another file of this kind (.doc, .xls), and for a damaged one."""
    import struct

    from oxmsg import Message

    try:
        message = Message.load(content)
        if not message.message_class.startswith("IPM."):
            raise UnreadableDocument(
                "The file is of the old Office (.doc, .xls, .ppt), or no mail.", cure="Save it as .docx or as text."
            )
        head = _head(message)
        html = "" if message.body else message.html_body or ""
        body = content_of_markup(html).text if html else clean(message.body or "")
        attachments = [one_line(part.file_name or "without a name") for part in message.attachments]
    except (struct.error, *_DAMAGE) as error:
        raise UnreadableDocument(
            f"The file is a damaged mail, or of the old Office: {error!r}.", cure="Save it as .eml, .docx or as text."
        ) from error
    check_length(len(body))
    lines = "\n".join(f"{name}: {value}" for name, value in head.items())
    return Content(
        text=f"{lines}\n\n{body}",
        title=head.get("Subject", ""),
        metadata={name.lower(): head[name] for name in ("From", "To", "Date") if name in head},
        warnings=not_read(attachments),
    )


def _head(message: Message) -> Mapping[str, str]:
    fields: dict[str, list[str]] = {"From": [message.sender or ""], "To": [], "Cc": []}
    for one in message.recipients:
        kind = _HEADS.get(one.properties.int_prop_value(_RECIPIENT_TYPE) or 1)
        if kind:
            fields[kind].append(f"{one.name} <{one.email_address}>" if one.email_address else one.name)
    sent = message.sent_date
    values = {name: ", ".join(filter(None, parts)) for name, parts in fields.items()}
    values |= {"Date": sent.isoformat(timespec="seconds") if sent else "", "Subject": message.subject}
    return {name: line for name, value in values.items() if (line := one_line(value, LONGEST_HEADER))}
