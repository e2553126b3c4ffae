"""Export a filled form as JSON, CSV, Markdown or DOCX, with the supporting sentences as notes."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from typing import Literal

from filigraph.graph.records.forms import FieldPlace, FilledField, FilledForm
from filigraph.graph.text.formats.cells import as_text
from filigraph.graph.text.language import detect
from filigraph.graph.text.wording import wording
from filigraph.graph.transfer.document import run
from filigraph.graph.transfer.docx import Docx
from filigraph.graph.transfer.tables import SEPARATOR

ShownState = Literal["open", "found", "not_found", "proposed", "passages", "corrected"]
FormFormat = Literal["json", "csv", "markdown", "docx"]
COLUMNS = ("id", "group", "question", "type", "required", "state", "value", "normalized", "note", "recipe", "sources")
EMPTY = "—"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_BEGINS_LINE = re.compile(r"^(\s*)([-+=>]|\d+[.)])", re.MULTILINE)


def export_form(filled: FilledForm, format: FormFormat) -> bytes:
    if format == "docx":
        return _docx(filled)
    text = {"json": _json, "csv": _csv, "markdown": _markdown}[format](filled)
    return text.encode("utf-8", "replace")


def state_of(field: FilledField) -> ShownState:
    """The state of a field: "corrected" if a person set its value."""
    if field.value is None:
        return "open"
    return field.value.state if field.value.corrected is None else "corrected"


def _values(field: FilledField) -> tuple[str, ...]:
    return field.value.shown if field.value else ()


def _normalized(field: FilledField) -> str:
    return field.value.normalized if field.value and field.value.corrected is None else ""


def _format_values(entry: FilledField) -> str:
    """The values of a field as text, with the normalized form in brackets."""
    normalized = f" ({_normalized(entry)})" if _normalized(entry) not in ("", *_values(entry)) else ""
    return "; ".join(_values(entry)) + normalized if _values(entry) else EMPTY


def _state_remarks(filled: FilledForm) -> Mapping[str, str]:
    """Field id -> its state in the form's language; "" if it is "found"."""
    words = wording(detect(" ".join([filled.form.title, *(entry.field.question for entry in filled.fields)])))
    return {entry.field.id: words.field_states.get(state_of(entry), "") for entry in filled.fields}


def _source(place: FieldPlace) -> str:
    """ "Rapport de police, page 3 (06_rapport.txt)"."""
    location = f", {place.place}" if place.place else ""
    source = f" ({place.source})" if place.source != place.title else ""
    return f"{place.title}{location}{source}"


def _groups(filled: FilledForm) -> Iterator[tuple[str, list[FilledField]]]:
    for group, fields in groupby(filled.fields, key=lambda one: one.field.group):
        yield group, list(fields)


def _title(filled: FilledForm) -> str:
    return f"{filled.form.title}: {filled.about}" if filled.about else filled.form.title


# --------------------------------------------------------------------------------------------------------------------
# JSON, CSV


def _json(filled: FilledForm) -> str:
    fields = [
        {
            **asdict(entry.field),
            "state": state_of(entry),
            "value": _values(entry),
            "normalized": _normalized(entry),
            "note": entry.value.note if entry.value else "",
            "recipe": entry.value.recipe if entry.value else "",
            "evidence": [asdict(place) for place in entry.places],
        }
        for entry in filled.fields
    ]
    document = {"form": filled.form.name, "title": filled.form.title, "about": filled.about, "fields": fields}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _csv(filled: FilledForm) -> str:
    """One row per field; cells are escaped against formulas (`as_text`)."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for entry in filled.fields:
        field, value = entry.field, entry.value
        sources = "\n".join(f"{_source(place)}: {_one_line(place.text)}" for place in entry.places)
        cells = [
            field.id,
            field.group,
            field.question,
            field.type,
            "yes" if field.required else "no",
            state_of(entry),
        ]
        cells += [SEPARATOR.join(_values(entry)), _normalized(entry), value.note if value else ""]
        rows.writerow(map(as_text, [*cells, value.recipe if value else "", sources]))
    return text.getvalue()


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --------------------------------------------------------------------------------------------------------------------
# Markdown


def _markdown(filled: FilledForm) -> str:
    """One heading per group, one paragraph per field, the sentences as footnotes."""
    blocks, notes = [f"# {_escape_markdown(_title(filled))}"], list[str]()
    remarks = _state_remarks(filled)
    for group, fields in _groups(filled):
        blocks += [f"## {_escape_markdown(group)}"] if group else []
        for entry in fields:
            first = len(notes)
            notes += [f"{_escape_markdown(_source(place))}: “{_escape_markdown(place.text)}”" for place in entry.places]
            marks = "".join(f"[^{n}]" for n in range(first + 1, len(notes) + 1))
            remark = f" *({remarks[entry.field.id]})*" if remarks[entry.field.id] else ""
            question, values = _escape_markdown(entry.field.question), _escape_markdown(_format_values(entry))
            blocks.append(f"**{question}**{remark}  \n{values}{marks}")
    blocks += [f"[^{n}]: {note}" for n, note in enumerate(notes, start=1)]
    return "\n\n".join(blocks) + "\n"


def _escape_markdown(text: str) -> str:
    """Text on one line with Markdown and HTML escaped."""
    return _BEGINS_LINE.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", _one_line(text)))


# --------------------------------------------------------------------------------------------------------------------
# DOCX


def _docx(filled: FilledForm) -> bytes:
    """One heading per group, per field the question in bold and its values, the sentences as footnotes."""
    document = Docx(title=_title(filled))
    remarks = _state_remarks(filled)
    for group, fields in _groups(filled):
        if group:
            document.heading(group)
        for entry in fields:
            remark = f" ({remarks[entry.field.id]})" if remarks[entry.field.id] else ""
            document.paragraph(run(entry.field.question, bold=True), run(remark))
            marks = [document.footnote(f"{_source(place)}: “{_one_line(place.text)}”") for place in entry.places]
            document.paragraph(run(_format_values(entry)), *marks)
    return document.content()
