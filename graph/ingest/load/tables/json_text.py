"""JSON that is not a chat, as text: values below the names of their fields, lists of like records as tables, cells of a
notebook in order. So escapes become letters, and no sentence contains brackets and names of fields.

{"title": "The fire", "seen": [{"who": "Ana", "at": "21:14"}, ...]}        title: The fire     | who | at |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line
from filigraph.graph.ingest.load.markup.markup import content_of_markup
from filigraph.graph.ingest.load.tables.tables import table_text

_DEEPEST = 100  # nesting; what is nested deeper stays as it is written
_SHORT = 200  # characters of a value that stands beside its name
_MARKUP = re.compile(r"</(?:p|div|span|br|b|i|em|strong|a|h[1-6]|li)>|<(?:br|p)\b[^<>]*/?>", re.IGNORECASE)
_STOPS = tuple(".!?…。！？｡।۔؟")
_CLOSING = "\"'”’»)）」』 "  # these may follow a stop
_CELL_KINDS = ("markdown", "raw", "code")


def json_text(text: str) -> str:
    """The values of a JSON text; "" for what is not an object or list, or is not JSON."""
    data = _parsed(text)
    with suppress(RecursionError):
        return "\n\n".join(_blocks(data, "", 0)) if isinstance(data, dict | list) else ""
    return ""


def read_notebook(text: str) -> Content | None:
    """The cells of a Jupyter notebook as Markdown; None for any other JSON."""
    data = _parsed(text)
    cells = data.get("cells") if isinstance(data, Mapping) and "nbformat" in data else None
    if not isinstance(cells, list):
        return None
    parts = [_cell(cell) for cell in cells if isinstance(cell, Mapping) and cell.get("cell_type") in _CELL_KINDS]
    outputs = sum(bool(cell.get("outputs")) for cell in cells if isinstance(cell, Mapping))
    warnings = (f"{LEFT_OUT} what {outputs} cells gave when they ran",) if outputs else ()
    return Content(text="\n\n".join(filter(None, parts)), warnings=warnings)


def _parsed(text: str) -> Any:
    """The value of a JSON text, with fractions as they are written; None for any other text."""
    with suppress(ValueError, RecursionError):
        return json.loads(text, parse_float=str, object_pairs_hook=_object)
    return None


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object; all values of a name that it has repeatedly."""
    values: dict[str, list[Any]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: own[0] if len(own) == 1 else own for name, own in values.items()}


def _cell(cell: Mapping[str, Any]) -> str:
    source = cell.get("source")
    words = "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    words = clean(words).strip()
    return f"```\n{words}\n```" if words and cell["cell_type"] == "code" else words


def _blocks(value: Any, name: str, depth: int) -> Iterator[str]:
    """The paragraphs of a value, which has a name."""
    if depth > _DEEPEST:
        yield clean(json.dumps(value, ensure_ascii=False))
        return
    if isinstance(value, Mapping):
        yield from _fields(value, name, depth)
    elif isinstance(value, list) and _are_records(value):
        names = list(dict.fromkeys(key for row in value for key in row))
        rows = [[_text_of_value(row.get(key)) for key in names] for row in value]
        yield "\n".join(filter(None, (_label(name), table_text([names, *rows]))))
    elif isinstance(value, list) and all(_is_short(one) for one in value):
        texts = list(filter(None, map(_text_of_value, value)))
        if any(one.rstrip(_CLOSING).endswith(_STOPS) for one in texts):
            yield from filter(None, (_label(name), *texts))  # sentences
        elif texts:
            yield f"{name}: {', '.join(texts)}" if name else ", ".join(texts)
    elif isinstance(value, list):
        if name and any(isinstance(one, str) for one in value):
            yield _label(name)
        for one in value:
            yield from _blocks(one, name if isinstance(one, Mapping | list) else "", depth + 1)
    elif words := _text_of_value(value):
        yield from filter(None, (_label(name), words))


def _fields(value: Mapping[str, Any], name: str, depth: int) -> Iterator[str]:
    """Short values together, then each of the others, with the name above if none of the short ones has it."""
    short = [
        f"{_full_name(name, key)}: {words}"
        for key, one in value.items()
        if _is_short(one) and (words := _text_of_value(one))
    ]
    if short:
        yield "\n".join(short)
    for key, one in value.items():
        if not _is_short(one):
            yield from _blocks(one, _full_name("" if short else name, key), depth + 1)


def _label(name: str) -> str:
    return f"{name}:" if name else ""


def _full_name(name: str, key: str) -> str:
    return one_line(f"{name} {key}".replace("_", " "))


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT and "\n" not in value.strip() and not _MARKUP.search(value)
    return not isinstance(value, Mapping | list)


def _are_records(values: Sequence[Any]) -> bool:
    """Whether a list has several objects with mostly the same fields, each with a short value."""
    rows = [one for one in values if isinstance(one, Mapping) and all(map(_is_short, one.values()))]
    if len(rows) < 2 or len(rows) < len(values):
        return False
    names = {key for row in rows for key in row}
    return 2 * sum(map(len, rows)) >= len(names) * len(rows) > 0


def _text_of_value(value: Any) -> str:
    if value is None or isinstance(value, Mapping | list):
        return ""
    if isinstance(value, str):
        return content_of_markup(value).text if _MARKUP.search(value) else clean(value).strip()
    return json.dumps(value)
