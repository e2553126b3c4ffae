"""Many questions at once: the file of questions, and the table of answers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from filigraph.graph.errors import InputError
from filigraph.graph.text.formats.cells import as_text
from filigraph.graph.text.lines import json_lines

if TYPE_CHECKING:
    from filigraph.graph.model.answers import Answer
    from filigraph.graph.store import JobItem

MAX_QUESTIONS = 10_000  # questions of one job
MAX_LINE_CHARS = 250_000  # characters of a line; a question of more than 10,000 words is refused when it is asked
COLUMNS = ("number", "question", "answer", "model", "missing", "paths", "evidence", "trace", "error")


def read_questions(content: bytes) -> list[str]:
    """The questions of a file: JSON lines with `question`, or one question per line. Raises InputError."""
    try:
        lines = [line.strip() for line in json_lines(content.decode("utf-8-sig")) if line.strip()]
    except UnicodeDecodeError:
        raise InputError("The file of questions is not UTF-8 text.", cure="Save it as UTF-8.") from None
    questions = [_question(number, line) for number, line in enumerate(lines, 1)]
    if not questions or len(questions) > MAX_QUESTIONS:
        raise InputError(f"The file holds {len(questions):,} questions.", cure=f"Give 1 to {MAX_QUESTIONS:,}.")
    return questions


def _question(number: int, line: str) -> str:
    if len(line) > MAX_LINE_CHARS:
        raise InputError(
            f"Line {number} of the questions is longer than {MAX_LINE_CHARS:,} characters.", cure="Shorten it."
        )
    if not line.startswith("{"):
        return line
    try:
        question = json.loads(line).get("question")
    except (ValueError, RecursionError):
        question = None
    if not isinstance(question, str) or not question.strip():
        raise InputError(f'Line {number} of the questions has no "question".', cure='Write {"question": "…"}.')
    return question.strip()


def result_of(answer: Answer) -> dict[str, Any]:
    """The stored part of an answer, as JSON."""
    return {
        "answer": answer.text,
        "model": answer.model,
        "missing": answer.missing if answer.generated else "",
        "paths": [path.text for path in answer.paths],
        "evidence": [f"[{n}] {e.source}{f', {e.place}' if e.place else ''}" for n, e in enumerate(answer.citations, 1)],
        "trace": answer.trace.id,
    }


def as_csv(items: Iterable[JobItem]) -> str:
    """One row per question, in order; a waiting question has no answer yet."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for item in items:
        result: Mapping[str, Any] = item.result or {}
        cells = [item.name, result.get("answer", ""), result.get("model", ""), result.get("missing", "")]
        cells += ["\n".join(result.get("paths", ())), "\n".join(result.get("evidence", ())), result.get("trace", "")]
        rows.writerow([item.number + 1, *map(as_text, [*cells, f"{item.cause} {item.cure}".strip()])])
    return text.getvalue()
