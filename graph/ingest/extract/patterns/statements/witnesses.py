"""The witness and the examiner of a deposition, as the lines above their questions and answers name them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from filigraph.graph.ingest.extract.patterns.statements.labels import as_name, is_capitalised, is_speaker
from filigraph.graph.ingest.extract.patterns.statements.speaker_labels import QUESTION

# The witness, and the examiner: "LENA VOSS, sworn.", "DEPOSITION OF LENA VOSS", "BY MR. HOLLIS:".
_PERSON = r"(?P<who>(?:[^\W\d_]{1,5}\. )?[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’.-]*){0,3}?)"
WITNESS = re.compile(
    rf"^\W*(?:(?:the|le|la) (?:witness|témoin),? )?(?!(?:the|le) (?:witness|témoin)\b)"
    rf"{_PERSON},? (?:(?:being|having been|was|is|an?|the|first|"
    r"duly|called|as|hereby|ayant|après avoir) )*(?:sworn|affirmed|recalled|deposed|witness|testified|assermentée?|"
    r"prêté serment|témoin)\b.*$"
    r"|^\W*(?:(?:an?|the|une?|la|le|ein|das) |l['’])?(?:deposition"
    r"|(?:(?:direct|cross|re-?direct|further)[- ])?examination|testimony"
    r"|interview|interrogation|statement|audition|interrogatoire|déposition|témoignage|conversation"
    r"|entretien|gespräch|vernehmung|entrevista|intervista) (?:of|de|d['’]|du|with|avec|mit|con) ?"
    rf"{_PERSON.replace('who', 'of')}(?:,[^,\n]{{0,30}}\d{{4}}[^,\n]{{0,20}})?\W*$",
    re.IGNORECASE,
)
EXAMINER = re.compile(
    rf"^\W*(?:(?:cross-|re-?direct |direct )?examination )?by {_PERSON}(?P<of>)\s*:?\W*$", re.IGNORECASE
)
# A line with a verb, which may be a heading or a sentence of a speech.
_TELLS_OF = re.compile(
    r"^[^\n]*?\b(?P<verb>sworn|affirmed|recalled|deposed|witness|testified|assermentée?|serment|témoin)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_HEADS = frozenset("sworn affirmed witness assermenté assermentée serment témoin".split())  # noqa: SIM905
_DEEDS = frozenset(("testified", "deposed"))
_CALLED = re.compile(r"\W*(?:to the stand|by|for the|on behalf|in (?:chief|rebuttal)|on (?:cross|re-?direct))\b")
_SENTENCE = re.compile(
    r"\b(?:and(?! (?:was|being|having|(?:cross-)?examined|testified|deposed|sa(?:ys|id))\b)|but|that|who|I|me|my|he|she"
    r"|they|we|us|to(?! the stand)|against|because|when|et|mais|que|qui|je|m[eo]i?|il|elle|contre)\b"
)


class NamedWitnesses:
    """The lines that name a witness or an examiner, for the lines below them that begin with "A." or "Q."."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self._lines = lines
        self._named: dict[re.Pattern[str], list[tuple[int, str]]] = {}

    def above(self, start: int, pattern: re.Pattern[str]) -> str:
        """The person in the nearest line before `start`; "" if there is none."""
        if pattern not in self._named:
            matches = ((at, match) for at, line in self._lines if (match := pattern.match(line)) and _is_heading(match))
            self._named[pattern] = [(at, match["who"] or match["of"]) for at, match in matches]
        named = self._named[pattern]
        before = bisect_left(named, (start, ""))
        who = named[before - 1][1] if before else ""
        return as_name(who) if is_capitalised(who) and is_speaker(who) else ""


def _is_heading(match: re.Match[str]) -> bool:
    """Whether a line names a witness or an examiner, and is no sentence of a speech, as "Karl Roe testified that I
    left" and "A. Karl Roe testified." are.
    """
    if QUESTION.match(match.string):
        return False
    if not (told := _TELLS_OF.match(match.string)) or (match["who"] or match["of"]).isupper():
        return True
    rest = told["rest"].rstrip(" .")
    if not rest or rest.endswith((":", "follows")):
        return True
    if told["verb"].lower() in _DEEDS and match.string.rstrip().endswith("."):
        return False  # "Karl Roe testified for the defence."
    return bool(told["verb"].lower() in _HEADS or _CALLED.match(rest)) and not _SENTENCE.search(rest)
