"""Rows of a .jsonl file, each a document."""

from __future__ import annotations

from contextlib import suppress

from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.file_types import charset_of
from filigraph.graph.model.documents import Source
from filigraph.graph.text.formats.json_lines import check_whole, json_object, numbered_lines


def split_jsonl(source: Source) -> tuple[list[Source], list[str]]:
    """The rows {id, title, text, date} of a .jsonl file as separate sources, named by `id`, with title and date as
    metadata; and one line for each unusable row. Raises UnreadableDocument if the file is not a text.
    """
    decoded, doubts = _decode_rows(source)
    sources: dict[str, Source] = {}
    problems = [f"{source.name}: {doubt}" for doubt in doubts]
    for number, line in numbered_lines(decoded):
        try:
            row = _parse_row(line)
        except (ValueError, RecursionError) as error:
            problems.append(f"{source.name}, line {number}: {error}")
            continue
        name, title, date, text = row
        if name in sources:
            problems.append(f"{source.name}, line {number}: the id {one_line(name)!r} was used before")
            continue
        known = {"title": title, "date": date}
        metadata = {**source.metadata, **{key: value for key, value in known.items() if value}}
        content = text.encode()
        sources[name] = Source(name=name, content=content, media_type="text/plain; charset=utf-8", metadata=metadata)
    return list(sources.values()), problems


def _decode_rows(source: Source) -> tuple[str, tuple[str, ...]]:
    """The text of a .jsonl file, and warnings. UTF-8 with an incomplete character does not count as another encoding:
    the rows with one are refused, and the others are correct.
    """
    text, doubts = decode(source.content, charset_of(source))
    if doubts:
        with suppress(UnicodeDecodeError):
            return source.content.decode("utf-8", "surrogatepass").removeprefix("\ufeff"), ()
    return text, doubts


def _parse_row(line: str) -> tuple[str, str, str, str]:
    """(id, title, date, text). Raises ValueError that says what is missing."""
    row = json_object(line, "id, title, text")
    name, title, date, text = row.get("id"), row.get("title") or "", row.get("date") or "", row.get("text")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise ValueError("no id")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no text")
    if not isinstance(title, str):
        raise ValueError("the title is not a string")
    if not isinstance(date, str | int) or isinstance(date, bool):
        raise ValueError("the date is not a string")
    for what, part in (("id", str(name)), ("title", title), ("date", str(date)), ("text", text)):
        check_whole(what, part)
    return str(name).strip(), title, str(date), text
