"""The person whose diary, statement or testimony a text is, by its title: "Diary of Miriam Cole"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from filigraph.graph.ingest.extract.patterns.statements.labels import as_name, is_capitalised
from filigraph.graph.ingest.extract.patterns.statements.statement import MIN_TURNS, Statement
from filigraph.graph.text.names.given_names import ALL_GIVEN_NAMES
from filigraph.graph.text.names.tables import ADDRESS, RANKS
from filigraph.graph.text.words import tokens

_FIRST_LINES = 4  # lines in which a title may be
_LONGEST_NAME = 5  # words
_TITLE = re.compile(
    r"^\W{0,3}(?:(?:the|an?|le|la|les|une?|das|die|der|el|il) |l['’])?(?:[\w-]{3,14} )?"
    r"(?:(?P<own>diar(?:y|ies)|testimony|deposition|affidavit|autobiography|témoignage|déposition|tagebuch|testimonio)"
    r"|journals?|notebooks?|log ?book|memoirs?|statement|narrative|recollections|reminiscences|confessions?|carnets?"
    r"|mémoires|déclaration|récit|souvenirs|aveux|autobiographie|aussage|erinnerungen|bericht|diario|memorias"
    r"|declaración|testimonianza|memorie) (?:of|by|de|d['’]|von|di|del) ?(?P<who>[^\W\d_][^\d\n:;()]{2,50}?)"
    r"(?:\s*[,(:–—-].{0,60})?\W*$",
    re.IGNORECASE,
)


def author_in_title(lines: Sequence[str]) -> tuple[str, int]:
    """The person, and the number of the line; ("", 0) if no title names one."""
    titles = ((_person(line), number) for number, line in enumerate(lines[:_FIRST_LINES]))
    return next(((who, number) for who, number in titles if who), ("", 0))


def titled_parts(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The parts of a text with several such titles, each by its person."""
    titles = [(start, start + len(line), who) for start, line in lines if (who := _person(line))]
    for start, end, who in titles if len(titles) >= MIN_TURNS else ():
        yield Statement(start=start, end=end, author=who, speaker_line=(start, end), head=(start, end))


def _person(line: str) -> str:
    match = _TITLE.match(line)
    words = tokens(match["who"]) if match else []
    if match is None or not 1 < len(words) <= _LONGEST_NAME or not is_capitalised(match["who"]):
        return ""
    first = words[0].folded
    known = first in ALL_GIVEN_NAMES or first in ADDRESS or first in RANKS
    return as_name(match["who"]) if known or match["own"] else ""
