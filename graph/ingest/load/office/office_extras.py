"""Additions to the cells of a sheet and the shapes of a slide: comments, with author and time, and the numbers in
charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from xml.etree.ElementTree import Element

from filigraph.graph.ingest.load.archives import tag_of
from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.ingest.load.tables.tables import table_text
from filigraph.graph.text.time.dates import iso_date

_ROW = re.compile(r"\d{1,7}$")  # of a cell: 3 for "B3"
_THREAD = "tc="  # author of a comment that its thread repeats


def comments_of_sheet(
    notes: Sequence[Element], threads: Sequence[Element], people: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Comments of cells, with each comment of a thread by its author, and the row of the cell."""
    comments: list[tuple[str, str]] = []
    for tree in notes:
        authors = ["".join(node.itertext()) for node in tree.iter() if tag_of(node) == "author"]
        for node in (part for part in tree.iter() if tag_of(part) == "comment"):
            at, cell = node.get("authorId", ""), node.get("ref", "")
            who = authors[int(at)] if at.isdigit() and int(at) < len(authors) else ""
            if not (threads and who.startswith(_THREAD)):
                comments.append((cell, _comment(node, who, "", cell)))
    for tree in threads:
        for node in (part for part in tree.iter() if tag_of(part) == "threadedComment"):
            who, cell = people.get(node.get("personId", ""), ""), node.get("ref", "")
            comments.append((cell, _comment(node, who, node.get("dT", ""), cell)))
    return [(int(row[0]) if (row := _ROW.search(cell)) else 0, words) for cell, words in comments if words]


def comments_of_slide(trees: Sequence[Element], authors: Mapping[str, str]) -> list[str]:
    nodes = (node for tree in trees for node in tree.iter() if tag_of(node) in ("cm", "reply"))
    comments = (
        _comment(node, authors.get(node.get("authorId", ""), ""), node.get("dt") or node.get("created") or "", "")
        for node in nodes
    )
    return list(filter(None, comments))


def people_of(trees: Sequence[Element]) -> dict[str, str]:
    """Names of the authors of comments, by id."""
    nodes = (node for tree in trees for node in tree.iter() if node.get("id"))
    return {node.get("id", ""): one_line(node.get("displayName") or node.get("name") or "") for node in nodes}


def _comment(node: Element, who: str, when: str, cell: str) -> str:
    words = one_line(" ".join("".join(part.itertext()) for part in node if tag_of(part) in ("text", "txBody")), 5_000)
    return comment_words(words, who, cell, iso_date(when[:10]))


def comment_words(words: str, who: str, cell: str, day: str = "") -> str:
    about = f"Comment on {cell}: " if cell else "Comment: "
    return f"{f'[{day}] ' if day else ''}{f'{one_line(who)}: ' if who else ''}{about}{words}" if words else ""


def chart_text(tree: Element) -> str:
    """The titles of a chart, and its numbers as a table."""
    titles = [" ".join(_texts(node)) for node in tree.iter() if tag_of(node) == "title"]
    series = [node for node in tree.iter() if tag_of(node) == "ser"]
    names = [" ".join(_saved_values(node, "tx")) for node in series]
    heads = max((_saved_values(node, "cat") or _saved_values(node, "xVal") for node in series), key=len, default=[])
    columns = [_saved_values(node, "val") or _saved_values(node, "yVal") for node in series]
    rows = range(max(map(len, [heads, *columns]), default=0))
    cells = ([column[n] if n < len(column) else "" for column in (heads, *columns)] for n in rows)
    head = [["#", *names]] if any(names) else []
    return "\n".join(filter(None, [*titles, table_text(chain(head, cells))]))


def _texts(node: Element) -> Iterator[str]:
    return ((part.text or "").strip() for part in node.iter() if tag_of(part) in ("t", "v"))


def _saved_values(series: Element, part: str) -> list[str]:
    """The values of a part of a series, as saved in the file."""
    points = (node for own in series if tag_of(own) == part for node in own.iter() if tag_of(node) == "v")
    return [one_line(point.text or "") for point in points]
