"""Mail: who wrote to whom and when, then what."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage

from ..errors import UnreadableDocument
from .content import Content, clean, one_line
from .encoding import decode
from .markup import content_of_markup

_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_mail(content: bytes) -> Content:
    """The head, which is evidence, and the body; attachments are named in the warnings."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    head = {name: value for name in _HEADERS if (value := _header(message, name))}
    if not head:
        raise UnreadableDocument("This is no mail: it has no head.", cure="Send it as a text file (.txt).")
    warnings = [
        f"attachment {one_line(part.get_filename() or 'without a name')} is not read"
        for part in message.iter_attachments()
    ]
    body, doubts = _body(message)
    lines = "\n".join(f"{name}: {value}" for name, value in head.items())
    return Content(
        text=f"{lines}\n\n{body}",
        title=head.get("Subject", ""),
        metadata={name.lower(): head[name] for name in ("From", "To", "Date") if name in head},
        warnings=(*warnings, *doubts),
    )


def _header(message: EmailMessage, name: str) -> str:
    try:
        return one_line(str(message.get(name, "")), 1000)
    except (ValueError, LookupError, TypeError, AttributeError):  # the library fails on some malformed addresses
        return ""


def _body(message: EmailMessage) -> tuple[str, tuple[str, ...]]:
    part = message.get_body(("plain", "html"))
    if part is None:
        return "", ("the mail has no text",)
    data = part.get_payload(decode=True)
    text, doubts = decode(data if isinstance(data, bytes) else b"", part.get_content_charset() or "")
    if part.get_content_type() == "text/html":
        return content_of_markup(text).text, doubts
    return clean(text), doubts
