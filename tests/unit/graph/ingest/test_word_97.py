"""Word files of before 2007 (.doc)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import suppress

import pytest

from filigraph.graph.errors import UnreadableDocument
from tests.unit.graph.ingest.loading import compound_file, places, read

HEADING = struct.pack("<H", 1)
CELL = struct.pack("<HHB", 0, 0x2416, 1)
ROW_END = CELL + struct.pack("<HB", 0x2417, 1)
TAKEN_OUT = struct.pack("<HB", 0x0800, 1)
TEXT = 1024  # where the characters are; the formats of paragraphs and of characters are at 2048 and 2560


def page(runs: Sequence[tuple[int, bytes]], *, wide: bool) -> bytes:
    """Formats of runs, each with its number of characters."""
    ends, where, at = [TEXT], b"", 511
    content = bytearray(512)
    content[511] = len(runs)
    for length, format_ in runs:
        ends.append(ends[-1] + length)
        half = len(format_) // 2 + 1
        data = bytes([half]) + format_.ljust(2 * half - 1, b"\0") if wide else bytes([len(format_)]) + format_
        at = (at - len(data)) & ~1
        content[at : at + len(data)] = data
        where += bytes([at // 2 if format_ else 0]) + bytes(12 if wide else 0)
    head = struct.pack(f"<{len(ends)}I", *ends) + where
    content[: len(head)] = head
    return bytes(content)


def word_97(
    paragraphs: Sequence[tuple[str, bytes]], notes: str = "", comments: str = "", *, out: str = "", flags: int = 0x0200
) -> bytes:
    """A file whose paragraphs have formats; `out`: what a reviewer took out."""
    main = "".join(words for words, _ in paragraphs)
    text = main + notes + comments
    width = 1 if text.encode("cp1252", "ignore").decode("cp1252") == text else 2
    end = TEXT + size(text) * width
    table = struct.pack("<3I", TEXT, end, 4)
    start = size(main[: main.find(out)]) if out else 0
    table += struct.pack("<3I", TEXT, end, 5)
    where = 2 * TEXT | 1 << 30 if width == 1 else TEXT
    pieces = struct.pack("<2IHIH", 0, size(text), 0, where, 0)
    table += b"\x02" + struct.pack("<I", len(pieces)) + pieces
    fib = bytearray(TEXT)
    struct.pack_into("<2H", fib, 0, 0xA5EC, 0x00C1)
    struct.pack_into("<H", fib, 0x0A, flags)
    struct.pack_into("<7I", fib, 0x4C, size(main), size(notes), 0, 0, size(comments), 0, 0)
    for field, at, length in ((13, 0, 12), (12, 12, 12), (33, 24, 5 + len(pieces))):
        struct.pack_into("<2I", fib, 0x9A + 8 * field, at, length)
    runs = [(size(words) * width, format_) for words, format_ in paragraphs]
    parts = (start, b""), (size(out), TAKEN_OUT), (size(text) - start - size(out), b"")
    taken = [(length * width, format_) for length, format_ in parts] if out else []
    word = bytes(fib) + text.encode("cp1252" if width == 1 else "utf-16-le").ljust(1024, b"\0")
    word += page(runs, wide=True) + page(taken, wide=False)
    return compound_file([("WordDocument", word), ("1Table", table)], "Other", [("x", b"x")])


def size(text: str) -> int:
    """How many characters a text has for Word: one beyond U+FFFF is two."""
    return len(text.encode("utf-16-le")) // 2


def test_paragraphs_tables_notes_and_comments_are_read() -> None:
    paragraphs = [
        ("The harbour\r", HEADING),
        ("Ada sold\x02 the \x13 REF boat \x14boat\x15 to Bo gladly.\r", b""),
        ("Buyer\x07", CELL), ("Price\x07", CELL), ("\x07", ROW_END),
        ("Bo\rLind\x07", CELL), ("£5\x07", CELL), ("\x07", ROW_END),
        ("It sank.\r", b""),
    ]  # fmt: skip
    content = word_97(paragraphs, "\x02 In May.\r", "\x05Is this so?\r", out=" gladly")
    document = read(content, "a.doc")
    assert document.text == (
        "The harbour\n\nAda sold the boat to Bo.\n\n| Buyer | Price |\n| Bo Lind | £5 |\n\nIt sank.\n\nIn May.\n\n"
        "Is this so?"
    )
    assert places(document)[-1] == ("Comments", "Is this so?")
    assert document.title == "The harbour"
    assert document.media_type == "application/msword"
    assert document.warnings == ("left out, as no part of the text: what reviewers took out: 1 words",)


def test_letters_of_any_plane_keep_their_places() -> None:
    paragraphs = [("😀 港\r", HEADING), ("陳𠮟 gladly sold it 😀.\r", b""), ("舟\x07", CELL), ("\x07", ROW_END)]
    document = read(word_97([*paragraphs, ("It sank.\r", b"")], out=" gladly"), "a.doc")
    assert document.text == "😀 港\n\n陳𠮟 sold it 😀.\n\n舟\n\nIt sank."
    assert document.title == "😀 港"


def test_a_file_that_claims_endless_text_is_refused_at_once() -> None:
    whole, bounds = word_97([("Ada sold the boat.\r", b"")]), struct.pack("<2I", 0, 19)
    with pytest.raises(UnreadableDocument, match="more than"):
        read(whole.replace(bounds, struct.pack("<2I", 0, 4_000_000_000)), "a.doc")


def test_encrypted_old_and_damaged_files_are_refused_with_the_reason() -> None:
    paragraphs = [("Ada sold the boat.\r", b"")]
    with pytest.raises(UnreadableDocument, match="encrypted"):
        read(word_97(paragraphs, flags=0x0300), "a.doc")
    whole = word_97(paragraphs)
    with pytest.raises(UnreadableDocument, match="Word 95"):
        read(whole.replace(b"\xec\xa5\xc1\0", b"\xec\xa5\x68\0"), "a.doc")
    for cut in range(600, len(whole), 97):
        with suppress(UnreadableDocument):
            assert "Ada" in read(whole[:cut], "a.doc").text
