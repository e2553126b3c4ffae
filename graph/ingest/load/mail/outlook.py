"""Outlook's mail (.msg), in the form of any other mail."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import PARSER_ERRORS
from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.ingest.load.mail.mail import named_attachments, named_thread, not_read, with_head
from filigraph.graph.ingest.load.mail.mail_parts import LONGEST_HEADER, Attachment
from filigraph.graph.ingest.load.markup.markup import content_of_markup

if TYPE_CHECKING:
    from oxmsg import Message

_RECIPIENT_TYPE = 0x0C15  # PidTagRecipientType
_CONTENT_ID = 0x3712  # PidTagAttachContentId: of a picture in the text
_HEADS = {1: "To", 2: "Cc"}
_CODE_PAGE = re.compile(r"windows[-_](\d{3,4})")  # Outlook's names of what Python calls cp950 and the like
codecs.register(lambda name: codecs.lookup(f"cp{m[1]}") if (m := _CODE_PAGE.fullmatch(name)) else None)


def read_outlook(content: bytes) -> Content:
    """As `read_mail`. Raises UnreadableDocument for another file of this kind (.doc, .xls), and for a damaged one."""
    message = _message(content)
    try:
        head = _header_fields(message)
        html = "" if message.body else message.html_body or ""
        page = content_of_markup(html, mark_quotes=True) if html else Content(text=clean(message.body or ""))
        pictures, left_out, attached = _attachments(message)
    except PARSER_ERRORS as error:
        raise _damaged_error(error) from error
    check_length(len(page.text))
    names = [file.name for file in attached]
    return Content(
        text=with_head(head, page.text),
        title=head.get("Subject", ""),
        metadata={name.lower(): head[name] for name in ("From", "To", "Date") if name in head}
        | named_attachments(names)
        | named_thread(head.get("Subject", "")),
        warnings=(*page.warnings, *not_read("picture", pictures), *not_read("attached message", left_out)),
    )


def attached_to_outlook(content: bytes) -> list[Attachment]:
    """The files attached to a mail of Outlook. Raises UnreadableDocument."""
    message = _message(content)
    try:
        return _attachments(message)[2]
    except PARSER_ERRORS as error:
        raise _damaged_error(error) from error


def _message(content: bytes) -> Message:
    from oxmsg import Message

    try:
        message = Message.load(content)
        kind = message.message_class
    except PARSER_ERRORS as error:
        raise _damaged_error(error) from error
    if not kind.startswith("IPM."):
        raise UnreadableDocument(
            "The file is not a mail, but in an old Office format such as .ppt.",
            cure="Save it as .pptx, .docx or as text.",
        )
    return message


def _damaged_error(error: Exception) -> UnreadableDocument:
    return UnreadableDocument(
        f"The file is a damaged mail, or in an old Office format: {error!r}.", cure="Save it as .eml, .docx or as text."
    )


def _attachments(message: Message) -> tuple[list[str], list[str], list[Attachment]]:
    """Pictures in the text and unread messages, by name; and the files."""
    pictures: list[str] = []
    left_out: list[str] = []
    attached: list[Attachment] = []
    for number, part in enumerate(message.attachments, start=1):
        name = one_line(part.file_name or f"part {number}").replace("/", "_")
        media_type = part.mime_type or ""
        if media_type.startswith("image/") and part.properties.str_prop_value(_CONTENT_ID):
            pictures.append(name)
        elif part.file_bytes is None:  # a message in Outlook's own format
            left_out.append(name)
        else:
            attached.append(Attachment(name=name, media_type=media_type, content=part.file_bytes))
    return pictures, left_out, attached


def _header_fields(message: Message) -> Mapping[str, str]:
    fields: dict[str, list[str]] = {"From": [message.sender or ""], "To": [], "Cc": []}
    for one in message.recipients:
        kind = _HEADS.get(one.properties.int_prop_value(_RECIPIENT_TYPE) or 1)
        if kind:
            fields[kind].append(f"{one.name} <{one.email_address}>" if one.email_address else one.name)
    sent = message.sent_date
    values = {name: ", ".join(filter(None, parts)) for name, parts in fields.items()}
    values |= {"Date": sent.isoformat(timespec="seconds") if sent else "", "Subject": message.subject}
    return {name: line for name, value in values.items() if (line := one_line(value, LONGEST_HEADER))}
