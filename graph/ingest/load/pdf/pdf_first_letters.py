"""Large initials of PDF pages: "T" over three lines beside "HE COUNT" is the beginning of "THE COUNT"."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from filigraph.graph.ingest.load.pdf.pdf_glyphs import Glyph, Run

_LARGE = 1.6  # multiple of the usual height of the page
_FEWEST_LINES = 2  # lines beside a drop initial
_CAPITAL = 0.7  # share of the height of a line: a capital's
_EDGE = 1.0  # points
_BELOW = 0.35  # share of a line's height by which its last line may be lower
_WORD = re.compile(r"\w+")
_APOSTROPHES = ("'", "’")
_INITIAL = re.compile(r"[\"'“‘«„¡¿]?\s?[^\W\d_]")


def words_of(pages: Iterable[Sequence[Sequence[Run]]]) -> Counter[str]:
    """How often a document has each word, folded."""
    runs = (run for page in pages for part in page for run in _with_letters_apart(part))
    return Counter(word.casefold() for run in runs for word in _WORD.findall(_text(run)))


def with_first_letters(runs: Sequence[Run], words: Mapping[str, int]) -> list[Run]:
    """The runs of a page with each large initial in its first line. `words`: those of the document, which tell "A
    miller" from "Agnes".
    """
    remaining = _with_letters_apart(runs)
    usual = _usual(runs)
    for initial in [run for run in remaining if _is_initial(run, usual)]:
        beside = sorted((run for run in remaining if _is_beside(run, initial)), key=lambda run: (run.y, run.x0))
        firsts = [run for n, run in enumerate(beside) if not n or run.y - beside[n - 1].y > _BELOW * run.height]
        if len(firsts) < _FEWEST_LINES or any(run.x0 > initial.x1 + initial.height for run in firsts):
            continue
        moved = {id(run): _at_edge(run, initial.x0) for run in firsts}
        moved[id(firsts[0])] = _joined(initial, firsts[0], words)
        remaining = [moved.get(id(run), run) for run in remaining if run is not initial]
    return remaining


def _usual(runs: Sequence[Run]) -> float:
    return statistics.median([run.height for run in runs] or [1.0])


def _with_letters_apart(runs: Sequence[Run]) -> list[Run]:
    usual = _usual(runs)
    return [part for run in runs for part in _without_initial(run, usual)]


def _without_initial(run: Run, usual: float) -> Iterator[Run]:
    """A run in two if it begins with a large initial."""
    size = next((n for n, glyph in enumerate(run.glyphs) if glyph.height < _LARGE * usual), 0)
    rest = run.glyphs[size:]
    rest = rest[1:] if rest and rest[0].text == " " else rest
    if size and rest and _is_initial(Run(run.glyphs[:size]), usual):
        yield Run(run.glyphs[:size])
        yield Run(rest)
    else:
        yield run


def _is_initial(run: Run, usual: float) -> bool:
    text = _text(run).strip()
    return run.height >= _LARGE * usual and text == text.upper() and _INITIAL.fullmatch(text) is not None


def _is_beside(run: Run, initial: Run) -> bool:
    """Whether a run is at the right of an initial, between its top and its baseline."""
    within = initial.y - _CAPITAL * initial.height <= run.y <= initial.y + _BELOW * run.height
    return run is not initial and within and run.x0 >= initial.x0 - _EDGE and _LARGE * run.height <= initial.height


def _at_edge(run: Run, x0: float) -> Run:
    first, *others = run.glyphs
    return Run((replace(first, x0=x0), *others))


def _joined(initial: Run, line: Run, words: Mapping[str, int]) -> Run:
    """The line with its initial: as a word of its own if the document has this word and the next one elsewhere, but not
    both as one.
    """
    written, match = _text(initial).strip(), _WORD.match(_text(line))
    first, letter = match[0] if match else "", written[-1].casefold()
    rest = first.casefold()
    name = first[:1].isupper() and first[1:].islower() and letter + rest not in words  # "A" beside "Abbott, John"
    alone = name or (min(words.get(letter, 0), words.get(rest, 0)) > 1 and letter + rest not in words)
    alone = alone if first else not _text(line).startswith(_APOSTROPHES)  # "L" beside "'année"
    signs = (Glyph(sign, initial.x0, line.x0, line.y, line.height) for sign in written.replace(" ", "") + " " * alone)
    return Run((*signs, *line.glyphs))


def _text(run: Run) -> str:
    return "".join(glyph.text for glyph in run.glyphs)
