"""RTF: the words, in the order in which they stand; pictures, styles and other destinations are passed over."""

from __future__ import annotations

import re

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, clean

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)
_SKIPPED = frozenset(
    b"fonttbl colortbl stylesheet info pict object header footer headerl headerr headerf footerl footerr footerf ftncn "
    b"listtable listoverridetable themedata colorschememapping datastore latentstyles rsidtbl generator xmlnstbl "
    b"filetbl fldinst pgdsctbl revtbl annotation atnid atnauthor".split()
)
_BREAKS = {
    b"par": "\n", b"line": "\n", b"sect": "\n\n", b"page": "\n\n", b"row": "\n", b"cell": " | ", b"tab": " ",
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”",
    b"bullet": "•",
}  # fmt: skip
_DEEPEST = 10_000  # groups within each other


def read_rtf(content: bytes) -> Content:
    """Raises UnreadableDocument for what is cut off in the middle of a group, or nested without end."""
    codec = _codec(content)
    parts: list[str] = []
    skipping = False
    skip_next = 1  # characters that stand for \u in programs that do not know it
    pending = 0
    stack: list[tuple[bool, int]] = []
    raw = bytearray()

    def flush() -> None:
        if raw:
            parts.append(raw.decode(codec, "replace"))
            raw.clear()

    at = 0
    while at < len(content):
        match = _TOKEN.match(content, at)
        if match is None:
            break
        at = match.end()
        word, number, code, symbol, brace, plain = match.groups()
        if brace == b"{":
            stack.append((skipping, skip_next))
            if len(stack) > _DEEPEST:
                raise UnreadableDocument("The RTF file is nested without end.", cure="Save it as text.")
        elif brace == b"}":
            skipping, skip_next = stack.pop() if stack else (False, 1)
            pending = 0
        elif word == b"bin" and number:
            at += max(0, int(number))
        elif symbol == b"*" or word in _SKIPPED:
            skipping = True
        elif skipping:
            continue
        elif word == b"u" and number:
            flush()
            parts.append(chr(int(number) % 0x10000))
            pending = skip_next
        elif word == b"uc" and number:
            skip_next = min(max(0, int(number)), 10)
        elif word in _BREAKS:
            flush()
            parts.append(_BREAKS[word])
        elif code and pending:
            pending -= 1
        elif code:
            raw += bytes.fromhex(code.decode())
        elif symbol in (b"\\", b"{", b"}"):
            raw += symbol
        elif symbol == b"~":
            raw += b" "
        elif plain:
            left = plain[pending:]
            pending = max(0, pending - len(plain))
            raw += left
    flush()
    if len(stack) > 1:
        raise UnreadableDocument(
            "The RTF file is cut off.", cure="Open it in the program that made it and save it anew."
        )
    text = "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # \u gives halves of characters
    return Content(text="\n".join(map(_row, clean(text).split("\n"))).strip("\n"))


def _row(line: str) -> str:
    """The row of a table as others write it; any other line as it is."""
    cells = [cell.strip() for cell in line.split(" | ")]
    return f"| {' | '.join(cells[:-1])} |" if len(cells) > 1 and not cells[-1] else line.rstrip()


def _codec(content: bytes) -> str:
    page = re.search(rb"\\ansicpg(\d{1,5})", content[:2000])
    codec = f"cp{page[1].decode()}" if page else "cp1252"
    try:
        b"".decode(codec)
    except LookupError:
        return "cp1252"
    return codec
