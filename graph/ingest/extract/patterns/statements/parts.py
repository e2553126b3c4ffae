"""Who says which part of a text: quoted mails, letters, lines of logs, speakers of chats, transcripts and plays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from filigraph.graph.ingest.extract.patterns.statements.letters import signed_letters
from filigraph.graph.ingest.extract.patterns.statements.mails import QUOTED, is_quoted_line, quoted_mails
from filigraph.graph.ingest.extract.patterns.statements.speakers import speaker_turns
from filigraph.graph.ingest.extract.patterns.statements.statement import MIN_TURNS, Statement
from filigraph.graph.ingest.extract.patterns.statements.titles import titled_parts
from filigraph.graph.text.formats.mail_headers import head_of

_LINE = re.compile(r"\S[^\n]*")
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# A line of a log up to what it says, which is nobody's: "2022-05-02T18:04:11Z INFO gate - Ada Finch left."
_LOG = re.compile(
    rf"^\W?{_DAY}[T ]\s?\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?(?:Z|\s?[+-]\d\d:?\d\d)?\W{{1,4}}"
    r"(?:[\w.:$/\[\]@-]{1,60}(?<!:)(?:\s[-|]\s|\s+)){0,3}?[\w.]{0,30}?[\[(<|]?"
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRIT(?:ICAL)?|FATAL|SEVERE|ALERT|AVERTISSEMENT|ERREUR|WARNUNG|FEHLER)"
    r"(?!\w)[\])>|]?\s*(?:[-:|]\s+)?(?:\d+ --- )?(?:\[[^\]\n]{1,60}\]\s+)?(?:[\w.$/-]{1,60}\s?[-|:]\s+)?(?=\S)"
)


def statements(text: str) -> tuple[Statement, ...]:
    """The parts of a text that somebody other than its sender says, or that its lines give to speakers."""
    lines = [(match.start(), match[0]) for match in _LINE.finditer(text)]
    parts = [*speaker_turns(lines), *quoted_mails(lines), *_logged(lines)]
    if not parts and not head_of([line for _, line in lines]):
        parts = [*signed_letters(lines)] or [*titled_parts(lines)]
    marks = sorted({part.start: part for part in parts}.values(), key=lambda part: part.start)
    stops = [*(part.start for part in marks[1:]), len(text)] if marks else []
    return tuple(
        replace(part, end=_end(text, part.start, part.head[1], stop)) for part, stop in zip(marks, stops, strict=True)
    )


def _logged(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    matches = [(start, match) for start, line in lines if (match := _LOG.match(line))]
    for start, match in matches if len(matches) >= MIN_TURNS else ():
        label = (start, start + match.end())
        yield Statement(start=start, end=label[1], author="", speaker_line=label, head=label)


def _end(text: str, start: int, speaker_end: int, stop: int) -> int:
    """The end of a statement: quoted lines end with the first line that is not quoted."""
    quoted = False
    for line in _LINE.finditer(text, speaker_end, stop):
        marked = is_quoted_line(text, line.start())
        if quoted and not marked:
            return line.start()
        quoted = quoted or (marked and not QUOTED.match(text, start, speaker_end))
    return stop
