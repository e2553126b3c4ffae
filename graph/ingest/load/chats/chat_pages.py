"""Telegram's chats in HTML become lines with author, time and text, like those in JSON.

<div class="from_name">Ana</div><div class="text">I left.</div>      [2024-03-12 21:14:05] Ana: I left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree  # type: ignore[import-untyped]

from filigraph.graph.ingest.load.chats.chats import message_lines
from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line

_CHAT = re.compile(r"class=[\"'][^\"']*\bchat_page\b")
_DATE = re.compile(r"(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}(?::\d{2})?)")


def read_chat_page(markup: str) -> Content | None:
    """The messages of an exported page; None for any other page."""
    if not _CHAT.search(markup):
        return None
    page = etree.fromstring(clean(markup).encode(), parser=etree.HTMLParser(encoding="utf-8", no_network=True))
    lines: list[str] = []
    who, files = "", 0
    for message in _of_class(page, "message"):
        forwarded = next(iter(_of_class(message, "forwarded")), None)
        own = [
            name
            for name in _of_class(message, "from_name")
            if forwarded is None or forwarded not in name.iterancestors()
        ]
        who = one_line(_first_text(own)) or who  # joined messages show the name once
        words = _first_text(_of_class(message, "text"))
        when = next((_DATE.search(one.get("title") or "") for one in _of_class(message, "date")), None)
        files += bool(_of_class(message, "media_wrap"))
        if words and when:
            day, month, year, clock = when.groups()
            writer = (
                "" if forwarded is None else one_line(_DATE.sub("", _first_text(_of_class(forwarded, "from_name"))))
            )
            lines += message_lines(f"{year}-{month}-{day} {clock}", who, words, writer)
    left = (f"{LEFT_OUT} files and pictures of messages: {files:,}",) if files else ()
    text = "\n".join(lines)
    title = _first_text(_of_class(page, "page_header"))
    return Content(text=text, title=title, lines=line_times(text), warnings=left) if lines else None


def _of_class(element: etree._Element, name: str) -> list[etree._Element]:
    elements = element.xpath(
        "descendant::div[contains(concat(' ', normalize-space(@class), ' '), $name)]", name=f" {name} "
    )
    return list(elements)


def _first_text(parts: Sequence[etree._Element]) -> str:
    """The text of the first of some elements, with its lines."""
    for part in parts[:1]:
        for line_end in part.iter("br"):
            line_end.tail = f"\n{line_end.tail or ''}"
        lines = (" ".join(line.split()) for line in "".join(part.itertext()).split("\n"))
        return "\n".join(filter(None, lines))
    return ""
