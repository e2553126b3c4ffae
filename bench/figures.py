"""Puts the figures of `bench/results/` into README and the documents: `make figures`.

There are two kinds of marker, invisible to readers. A number: `<!--=FILE/KEY/KEY; FORMAT-->0.4<!--/-->`, where FORMAT
is Python's, behind `*100` or `/1000` if the number is shown in another unit. `A per B` divides one result by another;
the format `d` counts the keys of a result that has keys. A table: `<!-- table: NAME -->` to `<!-- /table -->`, made by
the function of that name in `figure_tables.py` or `quality_tables.py`. `tests/unit/test_figures.py` fails if a document
has other figures.
"""

from __future__ import annotations

import functools
import operator
import re
import sys
from pathlib import Path
from typing import Any

from bench import figure_tables, quality_tables
from bench.figure_tables import NoSuchFigure, read

ROOT = Path(__file__).parent.parent
TABLES = {**figure_tables.TABLES, **quality_tables.TABLES}
NUMBER = re.compile(r"(<!--=([^;]+); ([^>]*?)-->)(.*?)(<!--/-->)")
TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- /table -->)", re.DOTALL)
UNIT = re.compile(r"(?:([*/])(\d+) )?(\S*)")


def documents() -> list[Path]:
    """Every document that may have figures."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def drawn(text: str) -> str:
    """A document's text with its figures from the current results."""
    text = NUMBER.sub(lambda match: match[1] + number(match[2], match[3]) + match[5], text)
    return TABLE.sub(lambda match: match[1] + TABLES[match[2]]() + match[4], text)


def number(path: str, form: str) -> str:
    """A result as it is shown. Raises NoSuchFigure."""
    unit = UNIT.fullmatch(form)
    values = [result(part) for part in path.split(" per ")]
    if form == "d":
        values = [len(value) if isinstance(value, dict) else value for value in values]
    if unit is None or not all(isinstance(value, int | float) for value in values):
        raise NoSuchFigure(f"{path}; {form}")
    value = functools.reduce(operator.truediv, values)
    if unit[1]:
        value = value * int(unit[2]) if unit[1] == "*" else value / int(unit[2])
    return format(value, unit[3])


def result(path: str) -> Any:
    """The value in a result file under these keys. Raises NoSuchFigure."""
    name, *keys = path.split("/")
    value: Any = read(name)
    for key in keys:
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, ValueError, TypeError):
            raise NoSuchFigure(path) from None
    return value


def main() -> None:
    """Rewrite every document whose figures changed."""
    for document in documents():
        before = document.read_text(encoding="utf-8")
        try:
            after = drawn(before)
        except (NoSuchFigure, KeyError) as error:
            sys.exit(f"{document.relative_to(ROOT)} names a figure that no result has: {error}")
        if after != before:
            document.write_text(after, encoding="utf-8")
            print(f"{document.relative_to(ROOT)}: figures drawn anew")


if __name__ == "__main__":
    main()
