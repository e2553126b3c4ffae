"""A file of questions, and the table of their answers."""

from __future__ import annotations

import csv
import io

import pytest

from filigraph.app.uploads.questions import COLUMNS, as_csv, read_questions
from filigraph.graph.errors import InputError
from filigraph.graph.store import JobItem

FORMULAS = ["\n=1+1", " =1+1", "＝1+1", "\ta", "@SUM(1)", "\u00a0+1"]  # what a spreadsheet computes


def test_lines_and_json_lines_are_questions() -> None:
    content = '\ufeffWho is Jules?\r\n\n{"id": "q2", "question": " Où est la chevalière ? "}\n'.encode()
    assert read_questions(content) == ["Who is Jules?", "Où est la chevalière ?"]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "holds 0 questions"),
        (b"a\n" * 10_001, "holds 10,001 questions"),
        (b'ok\n{"text": "x"}', "Line 2"),
        (b"a\n" + b"x" * 250_001, "Line 2"),
        (b'{"question": 3}', "Line 1"),
        (b'{"question": "x"', "Line 1"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_what_cannot_be_used_is_told(content: bytes, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        read_questions(content)


def test_the_table_holds_a_row_for_each_question_and_no_formula() -> None:
    result = {
        "answer": "=HYPERLINK(1)",
        "model": "mistral",
        "missing": "Since when.",
        "paths": ["Jules wears ring", "ring, of The Claw"],
        "evidence": ["[1] a.txt"],
        "trace": "t1",
    }
    items = [
        JobItem(id="j/0", number=0, name='Who "is" Jules?', state="done", result=result),
        JobItem(id="j/1", number=1, name="-2?", state="failed", cause="It is too long.", cure="Shorten it."),
        JobItem(id="j/2", number=2, name="When?"),
        *(JobItem(id=f"j/{n}", number=n, name=name) for n, name in enumerate(FORMULAS, 3)),
    ]
    header, *rows = csv.reader(io.StringIO(as_csv(items)))
    assert tuple(header) == COLUMNS
    assert rows[0] == [
        *("1", 'Who "is" Jules?', "'=HYPERLINK(1)", "mistral", "Since when."),
        *("Jules wears ring\nring, of The Claw", "[1] a.txt", "t1", ""),
    ]
    assert rows[1] == ["2", "'-2?", "", "", "", "", "", "", "It is too long. Shorten it."]
    assert rows[2][:3] == ["3", "When?", ""]
    assert [cells[1] for cells in rows[3:]] == [f"'{name}" for name in FORMULAS]
