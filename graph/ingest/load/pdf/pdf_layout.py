"""The lines of a page in the order in which people read them: column after column, tables row by row.

A page is cut at a gutter between lines of prose, and then each part again; a line across the gutter (a title) separates
the columns above from those below. Rows of short cells in columns are a table and are not cut.
"""

from __future__ import annotations

import re
import statistics
import unicodedata
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from filigraph.graph.ingest.load.pdf.pdf_glyphs import Glyph, Run

_LEAST_ROWS = 3  # min. rows on either side of a gutter
_CROSSING = 0.34  # max. share of the rows of a side that run across a gutter
_PROSE = 14  # min. average letters of a line of prose
_WITHIN_CELL = 1.3  # multiple of a line's height, between two lines of a cell
_APART = 1.2  # by which the gap between two rows is wider than that
_LEAST_ACROSS = 2  # min. rows across a gutter that may be in other columns
_SAME_LINE = 0.4  # multiple of a line's height
_FOLLOWS = 1.6  # multiple of a line's height: a wider gap parts two blocks
_MOST_PIECES = 2  # max. average runs of a row of prose with notes beside it
_CELL = 12  # max. average letters of the cells of a table
_GOING_ON = 0.4  # min. share of the lines of narrow columns that begin in lower case
_GUTTER = 0.7  # multiple of a line's height
_CELL_GAP = 1.2  # multiple of a line's height, between two cells
_LEAST_CELLS = 3  # min. rows of a table
_FEWEST_WITH_GAPS = 3  # min. columns of a table whose rows may lack cells
_EDGE = 4.0  # points by which the edges of cells may differ
_DEEPEST = 6  # max. nesting of cuts
_LINE_NUMBER = re.compile(r"\d{1,2}")
_QUESTION = re.compile(r"[QA][.:]?(?:\s|$)")
_LEAST_NUMBERED = 5  # min. lines of a page
_NUMBERED = 0.8  # min. share of its lines
_LEAST_GOING_ON = 2  # min. number of them that continue a sentence or begin with a speaker
_MOST_RUNS = 4_000  # max. runs of a page that is searched for columns


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of text."""

    parts: tuple[tuple[Glyph, ...], ...]  # more than one: cells of a table
    x0: float
    x1: float
    y: float  # y of its baseline
    height: float
    column: tuple[float, float]  # left and right edge of its column


def reading_order(runs: Sequence[Run], usual: float | None = None) -> list[Line]:
    """The lines of runs with one reading direction. `usual`: the gutter of the document's other pages."""
    return _lines_in_order(list(runs), 0, usual)


def without_line_numbers(runs: Sequence[Run]) -> list[Run]:
    """The runs of a page without line numbers, which transcripts of courts have at the left: they count the lines from
    one, beside sentences that continue over several lines. A table with a column of numbers is unchanged.
    """
    rows = [sorted(row, key=lambda run: run.x0) for row in rows_of(runs)]
    numbered = [row for row in rows if _LINE_NUMBER.fullmatch(_run_text(row[0]))]
    edge = statistics.median([row[0].x1 for row in numbered if len(row) > 1] or [0.0])
    numbered = [row for row in numbered if abs(row[0].x1 - edge) <= _EDGE]
    numbers = [row[0] for row in numbered]
    counting = all(int(_run_text(one)) == n for n, one in enumerate(numbers, start=1))
    beside = [row[1:] for row in numbered if len(row) > 1]
    if len(numbers) < _LEAST_NUMBERED or not counting or len(numbers) < _NUMBERED * len(rows) or not beside:
        return list(runs)
    if max(one.x1 for one in numbers) > min(row[0].x0 for row in beside) or max(map(len, beside)) > 2:
        return list(runs)
    goes_on = sum(_run_text(row[0])[:1].islower() for row in beside) + sum(
        _run_text(row[-1]).endswith("-") for row in beside
    )
    turns = sum(bool(_QUESTION.match(_run_text(row[0]))) for row in beside)
    if goes_on + turns < _LEAST_GOING_ON:
        return list(runs)
    left_out = {id(one) for one in numbers}
    return [run for run in runs if id(run) not in left_out]


def _run_text(run: Run) -> str:
    return "".join(glyph.text for glyph in run.glyphs).strip()


def usual_gutter(pages: Sequence[Sequence[Run]]) -> float | None:
    """The gutter on most of the pages; None if they have none, or not the same."""
    page_gutters = [_gutter(runs) for runs in pages if runs and len(runs) <= _MOST_RUNS]
    gutters = [gutter for gutter in page_gutters if gutter is not None]
    if not gutters or 2 * len(gutters) < len(page_gutters):
        return None
    middle = statistics.median(gutters)
    return middle if sum(abs(one - middle) <= 3 * _EDGE for one in gutters) > len(gutters) / 2 else None


def _parts_prose(runs: Sequence[Run], gutter: float) -> bool:
    """Whether the gutter of other pages runs between the lines of prose of a page that has too few to show one."""
    left, right = [run for run in runs if run.x1 <= gutter], [run for run in runs if run.x0 >= gutter]
    if not left or not right or len(left) + len(right) < len(runs):
        return False
    return all(sum(len(run.glyphs) for run in side) >= _PROSE * _count_rows(side) for side in (left, right))


def _lines_in_order(runs: list[Run], depth: int, usual: float | None = None) -> list[Line]:
    if not runs:
        return []
    gutter = _gutter(runs) if depth < _DEEPEST and len(runs) <= _MOST_RUNS else None
    if gutter is None and usual is not None and _parts_prose(runs, usual):
        gutter = usual
    if gutter is None:
        return _lines(runs)
    lines: list[Line] = []
    right_to_left = _is_right_to_left(runs)
    for band in _bands(runs, gutter):
        left = [run for run in band if run.x1 <= gutter]
        right = [run for run in band if run.x0 >= gutter]
        if any(run.x0 < gutter < run.x1 for run in band):
            other_columns = _count_rows(band) >= _LEAST_ROWS
            lines += _lines_in_order(band, depth + 1) if other_columns else _lines(band)
            continue
        parts = (right, left) if right_to_left else (left, right)
        for part in parts:
            lines += _lines_in_order(part, depth + 1)
    return lines


def _bands(runs: list[Run], gutter: float) -> list[list[Run]]:
    """From top to bottom: the lines beside the gutter, and those across it with all that is on the same lines."""
    across = sorted((run for run in runs if run.x0 < gutter < run.x1), key=lambda run: run.y)
    rows: list[list[Run]] = []
    for run in across:
        if rows and abs(run.y - rows[-1][-1].y) <= _SAME_LINE * run.height:
            rows[-1].append(run)
        else:
            rows.append([run])
    bands: list[list[Run]] = []
    order = {id(run): n for n, run in enumerate(runs)}
    left = sorted((run for run in runs if not run.x0 < gutter < run.x1), key=_y)
    for rows_together in _together(rows, left):
        beside = [run for row in rows_together for run in _on_line(left, row, order)]
        whole = [*beside, *(run for row in rows_together for run in row)]
        other_columns = len(rows_together) >= _LEAST_ACROSS and len(beside) >= _LEAST_ACROSS
        for band in [_to_its_end(whole, left)] if other_columns else rows_together:
            top = min(run.y - 0.5 * run.height for run in band)
            taken = {id(run) for run in band}
            bottom = max(run.y for run in band)
            first, last = bisect_left(left, top, key=_y), bisect_right(left, bottom, key=_y)
            above = sorted((run for run in left[:first] if id(run) not in taken), key=lambda run: order[id(run)])
            bands += [above, band] if above else [band]
            left = [*(run for run in left[first:last] if id(run) not in taken), *left[last:]]
    return [*bands, sorted(left, key=lambda run: order[id(run)])] if left else bands


_y = attrgetter("y")


def _on_line(runs: Sequence[Run], row: Sequence[Run], order: Mapping[int, int]) -> list[Run]:
    """The runs on the line of a row, in their order; `runs` are from top to bottom."""
    reach = _SAME_LINE * row[0].height + _EDGE
    near = runs[bisect_left(runs, row[0].y - reach, key=_y) : bisect_right(runs, row[0].y + reach, key=_y)]
    return sorted((run for run in near if _is_on_line(run, row)), key=lambda run: order[id(run)])


def _to_its_end(band: list[Run], others: Sequence[Run]) -> list[Run]:
    """A band with the lines that follow it without a gap: the last ones may be short."""
    whole = list(band)
    bottom = max(run.y for run in band)
    start = bottom
    for n in range(bisect_right(others, start, key=_y), len(others)):
        run = others[n]
        if run.y <= start + _SAME_LINE * run.height:
            continue
        if run.y - bottom > _FOLLOWS * run.height:
            break
        whole.append(run)
        bottom = max(bottom, run.y)
    return whole


def _together(rows: Sequence[list[Run]], others: Sequence[Run]) -> list[list[list[Run]]]:
    """Rows between which nothing but what is on their lines stands. Both are from top to bottom."""
    groups: list[list[list[Run]]] = []
    for row in rows:
        above = groups[-1][-1] if groups else []
        between = above and any(
            not _is_on_line(run, row) and not _is_on_line(run, above)
            for run in others[bisect_right(others, above[0].y, key=_y) : bisect_left(others, row[0].y, key=_y)]
        )
        if above and not between:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _is_on_line(run: Run, row: Sequence[Run]) -> bool:
    return abs(run.y - row[0].y) <= _SAME_LINE * row[0].height


def _gutter(runs: Sequence[Run]) -> float | None:
    """The position of a gutter between two columns of prose; None if there is none."""
    height = statistics.median(run.height for run in runs)
    edges = sorted({round(run.x0, 0) for run in runs})
    best: tuple[int, float, float] | None = None
    for edge in edges[1:]:
        left = [run for run in runs if run.x1 <= edge]
        right = [run for run in runs if run.x0 >= edge - 0.51]
        if not left or not right:
            continue
        width = edge - max(run.x1 for run in left)
        across = len(runs) - len(left) - len(right)
        if width < _GUTTER * height or not _are_columns(left, right, across, height):
            continue
        if best is None or (across, -width) < best[:2]:
            best = (across, -width, edge - width / 2)
    return best[2] if best else None


def _are_columns(left: Sequence[Run], right: Sequence[Run], across: int, height: float) -> bool:
    rows_left, rows_right = _count_rows(left), _count_rows(right)
    fewer = min(rows_left, rows_right)
    if fewer < _LEAST_ROWS or across > max(1.0, _CROSSING * (rows_left + rows_right)):
        return False
    top = max(min(run.y for run in left), min(run.y for run in right))
    bottom = min(max(run.y for run in left), max(run.y for run in right))
    if bottom - top < (_LEAST_ROWS - 1.5) * height:
        return False
    letters = [sum(len(run.glyphs) for run in side) / rows for side, rows in ((left, rows_left), (right, rows_right))]
    pieces = [len(side) / rows for side, rows in ((left, rows_left), (right, rows_right))]
    if min(letters) >= _PROSE and max(pieces) < 1.8:
        return True
    narrow = min(count / each for count, each in zip(letters, pieces, strict=True))
    if narrow >= _PROSE and all(map(_is_prose, (left, right))):  # three columns or more, as in newspapers
        return True
    # notes in the margin
    beside = min(letters) >= 5 and fewer <= 0.6 * max(rows_left, rows_right) and max(pieces) <= _MOST_PIECES
    return (beside and max(letters) >= 2 * _PROSE) or (min(letters) >= 2 * _PROSE and narrow >= _CELL)


def _is_prose(runs: Sequence[Run]) -> bool:
    """Whether lines continue sentences, as cells of a table do not."""
    return sum(_run_text(run)[:1].islower() for run in runs) >= _GOING_ON * len(runs)


def _count_rows(runs: Sequence[Run]) -> int:
    ys = sorted(run.y for run in runs)
    height = statistics.median(run.height for run in runs)
    return 1 + sum(below - above > 0.4 * height for above, below in pairwise(ys))


def _lines(runs: Sequence[Run]) -> list[Line]:
    rows: list[list[Run]] = []
    reach = max(run.height for run in runs)
    heights: list[tuple[float, int]] = []  # of each row, with its number
    for run in sorted(runs, key=lambda run: (-run.height, run.y)):
        near = heights[bisect_left(heights, (run.y - reach,)) : bisect_right(heights, (run.y + reach, len(rows)))]
        row = next((rows[n] for n in sorted(n for _, n in near) if _same_line(rows[n][0], run)), None)
        if row is None:
            insort(heights, (run.y, len(rows)))
            rows.append([run])
        else:
            row.append(run)
    rows.sort(key=lambda row: row[0].y)
    column = (min(run.x0 for run in runs), max(run.x1 for run in runs))
    cells = [_cells(row) for row in rows]
    lines: list[Line] = []
    for row, parts, table in zip(rows, cells, in_tables(cells), strict=True):
        if table == []:
            continue  # a continued cell
        joined = table or [[glyph for n, part in enumerate(parts) for glyph in (_space_before(part) * (n > 0) + part)]]
        lines.append(
            Line(
                parts=tuple(map(tuple, joined)),
                x0=min(run.x0 for run in row),
                x1=max(run.x1 for run in row),
                y=row[0].y,
                height=row[0].height,
                column=column,
            )
        )
    return lines


def _same_line(first: Run, run: Run) -> bool:
    """Whether a run is on the line of a higher one: on its baseline, or raised or lowered beside it."""
    if run.height > 0.82 * first.height:
        return abs(run.y - first.y) <= 0.3 * first.height
    return -0.7 * first.height <= run.y - first.y <= 0.3 * first.height


def _cells(row: Sequence[Run]) -> list[list[Glyph]]:
    """The letters of a line in order, separated at wide gaps."""
    right_to_left = _is_right_to_left(row)
    ordered = sorted(row, key=lambda run: -run.x1 if right_to_left else run.x0)
    cells = [list(ordered[0].glyphs)]
    for last, run in pairwise(ordered):
        gap = (last.x0 - run.x1 if right_to_left else run.x0 - last.x1) / max(last.height, run.height)
        if gap > _CELL_GAP:
            cells.append(list(run.glyphs))
        else:
            cells[-1] += [*([] if gap < 0.13 else _space_before(run.glyphs)), *run.glyphs]
    return cells


def _space_before(part: Sequence[Glyph]) -> list[Glyph]:
    first = part[0]
    return [Glyph(" ", first.x0, first.x0, first.y, first.height)]


_Cell = list[Glyph]


def in_tables(rows: Sequence[list[_Cell]]) -> list[list[_Cell] | None]:
    """The cells of each line that is a row of a table, of at least three rows; None for other lines. Missing cells are
    empty; a row that only continues cells of the row above has none: [].
    """
    in_table: list[list[_Cell] | None] = [None] * len(rows)
    start = free = 0
    while start < len(rows):
        columns = [[_extent(cell)] for cell in rows[start]]
        table = [rows[start]]
        end = start + 1
        while end < len(rows) and len(columns) > 1:
            placing = _placing(rows[end], columns)
            if placing is None and (len(rows[end]) != len(columns) or not _is_aligned(rows[end - 1], rows[end])):
                break
            table.append(_cells_in_columns(rows[end], placing or range(len(columns)), columns))
            end += 1
        if len(columns) > 1 and sum(_is_row(row) for row in table) >= _LEAST_CELLS:
            begun = _begun_above(rows[free : start + 1], columns)
            in_table[start - len(begun) : end] = _join_continuations([*begun, *table])
            free = end
        start = end
    return in_table


def _cells_in_columns(
    row: Sequence[_Cell], placing: Sequence[int], columns: list[list[tuple[float, float]]]
) -> list[_Cell]:
    """The cells of a row, one per column; notes at their positions."""
    cells: list[_Cell] = [[] for _ in columns]
    for cell, at in zip(row, placing, strict=True):
        cells[at] = cell
        columns[at].append(_extent(cell))
    return cells


def _placing(row: Sequence[_Cell], columns: Sequence[Sequence[tuple[float, float]]]) -> list[int] | None:
    """The column of each cell; None if a cell is below none, or below two. A single cell continues the one above it,
    and is not in the first column.
    """
    if len(columns) < _FEWEST_WITH_GAPS:
        return None
    placing: list[int] = []
    for cell in row:
        x0, x1 = _extent(cell)
        under = [
            n for n, column in enumerate(columns) if any(min(abs(x0 - a), abs(x1 - b)) <= _EDGE for a, b in column)
        ]
        if len(under) != 1 and len(row) > 1:
            under = [n for n, column in enumerate(columns) if any(x0 < b and a < x1 for a, b in column)]
        if len(under) != 1 or (placing and under[0] <= placing[-1]) or (len(row) == 1 and not under[0]):
            return None
        placing += under
    return placing


def _is_row(cells: Sequence[_Cell]) -> bool:
    return sum(map(bool, cells)) > 1


def _begun_above(rows: Sequence[list[_Cell]], columns: list[list[tuple[float, float]]]) -> list[list[_Cell]]:
    """The lines above the first row of a table that begin one of its cells: `rows` ends with that row."""
    begun: list[list[_Cell]] = []
    for below, row in pairwise(reversed(rows)):
        placing = _placing(row, columns) if len(row) == 1 else None
        if placing is None or not 0 < below[0][0].y - row[0][0].y <= _WITHIN_CELL * row[0][0].height:
            break
        begun.insert(0, _cells_in_columns(row, placing, columns))
    return begun


def _join_continuations(table: Sequence[list[_Cell]]) -> list[list[_Cell] | None]:
    """The rows of a table, each with the other lines of its cells: those below it, and those above it where cells end
    on the line of the others or are centred.
    """
    heights = [next(cell for cell in row if cell)[0].y for row in table]
    full = [n for n, row in enumerate(table) if _is_row(row)]
    whole: list[list[_Cell] | None] = [row if _is_row(row) else [] for row in table]
    for above, below in pairwise([-1, *full, len(table)]):
        gaps = [heights[n + 1] - heights[n] for n in range(max(above, 0), min(below, len(table) - 1))]
        widest = max(gaps, default=0.0)
        ends = above < 0 or (below < len(table) and gaps.count(widest) == 1 and widest > _APART * min(gaps))
        first = max(above, 0) + gaps.index(widest) + 1 if above >= 0 and ends else above + 1 if above < 0 else below
        for n in range(above + 1, first):
            _join_line(table[above], table[n], after=True)
        for n in range(below - 1, first - 1, -1):
            _join_line(table[below], table[n], after=False)
    return whole


def _join_line(row: list[_Cell], line: Sequence[_Cell], *, after: bool) -> None:
    """Add a line of a cell to its row."""
    at = next(n for n, cell in enumerate(line) if cell)
    parts = [cell for cell in ((row[at], line[at]) if after else (line[at], row[at])) if cell]
    row[at] = [glyph for n, part in enumerate(parts) for glyph in (*(_space_before(part) if n else ()), *part)]


def _extent(cell: Sequence[Glyph]) -> tuple[float, float]:
    return min(glyph.x0 for glyph in cell), max(glyph.x1 for glyph in cell)


def _is_aligned(above: Sequence[Sequence[Glyph]], below: Sequence[Sequence[Glyph]]) -> bool:
    if len(above) != len(below):
        return False
    same = 0
    for one, other in zip(above, below, strict=True):
        left, right = abs(one[0].x0 - other[0].x0), abs(one[-1].x1 - other[-1].x1)
        same += min(left, right, abs(one[0].x0 + one[-1].x1 - other[0].x0 - other[-1].x1) / 2) <= _EDGE
    return same == len(above)


def is_under(run: Run, above: Run) -> bool:
    """Whether two runs are cells of a column: aligned at the left, at the right or in the middle."""
    left, right = run.x0 - above.x0, run.x1 - above.x1
    return min(abs(left), abs(right), abs(left + right) / 2) <= _EDGE


def rows_of(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs of each line, from the top of the page down, ignoring columns."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: run.y):
        if rows and run.y - rows[-1][0].y <= 0.3 * run.height:
            rows[-1].append(run)
        else:
            rows.append([run])
    return rows


def _is_right_to_left(runs: Sequence[Run]) -> bool:
    letters = [unicodedata.bidirectional(g.text[0]) for run in runs for g in run.glyphs if g.text.isalpha()]
    return sum(kind in ("R", "AL") for kind in letters) > len(letters) / 2
