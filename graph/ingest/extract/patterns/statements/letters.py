"""Letters in one text, each by the person who signs it below "Yours,"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from filigraph.graph.ingest.extract.patterns.statements.labels import as_name, is_capitalised
from filigraph.graph.ingest.extract.patterns.statements.statement import MIN_TURNS, Statement
from filigraph.graph.text.words import tokens

# The first line of a letter, and the last one above the name of its writer.
_GREETING = re.compile(
    r"^[^\w–—-]{0,2}(?:my )?(?:(?:very )?(?:own )?dear(?:est)?|sir|madam|gentlemen|ch[eè]re?s?|monsieur|madame"
    r"|mademoiselle|mon|ma|liebe[rs]?|sehr geehrte[rs]?|querid[oa]s?|estimad[oa]s?|car[oa]|mi[ao] car[oa])\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"^\W{0,2}(?:(?:I (?:am|remain)|believe me|ever|very|always|with|all|much|best|kind(?:est)?|warm(?:est)?"
    r"|most|lots|as ever|god bless|je t['’]\w+|mille"
    r"|(?:cordial|respectful|devoted|hasti|loving|grateful|obedient|fraternal|faithful|sincere|affectionate)ly"
    r"|(?:bien )?(?:affectueusement|tendrement|fidèlement|sincèrement)|(?:herzliche?|liebe|beste) grüße"
    r"|je (?:suis|reste)|avec|mit|viele|in|con|un|com)\b.{0,40})?"
    r"\b(?:yours?|sincerely|faithfully|truly|affectionate(?:ly)?|love|regards|votre|vôtre|ton|ta"
    r"|bien à (?:toi|vous)|cordialement|amicalement|respectueusement|tout à (?:toi|vous)|deine?"
    r"|ihre?|grüßen|herzlichst?|hochachtungsvoll"
    r"|su|tuyo|suyo|tuo|tua|suo)\b.{0,40}[,.]\s*$",
    re.IGNORECASE,
)
_GREETING_IN_GERMAN = re.compile(r"\W{0,2}(?:liebe[rs]?|sehr geehrte[rs]?)\b", re.IGNORECASE)  # may end in "!"
_MAX_GREETING_WORDS = 5  # words
_MAX_CLOSING_WORDS = 7


def signed_letters(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The letters in a text with several, each by the person who signs it: below "Yours," and before the next
    "Dear".
    """
    greetings = [n for n, (_, line) in enumerate(lines) if _is_greeting(line)]
    if len(greetings) < MIN_TURNS:
        return
    for n, after in pairwise([*greetings, len(lines)]):
        signed = next((at for at in range(after - 1, n + 1, -1) if _is_signed(lines[at - 1][1], lines[at][1])), 0)
        start, line = lines[signed or n]
        author = _signature(line) if signed else ""
        signature = (start, start + len(line))
        yield Statement(
            start=lines[n][0], end=0, author=author, speaker_line=signature, head=(lines[n][0], lines[n][0])
        )
        if signed:
            yield Statement(
                start=signature[1], end=0, author="", speaker_line=signature, head=(signature[1], signature[1])
            )


def _is_greeting(line: str) -> bool:
    ends = ",:.!—-;" if _GREETING_IN_GERMAN.match(line) else ",:.—-;"  # "Mon Dieu !" is not a greeting
    return bool(_GREETING.match(line)) and len(tokens(line)) <= _MAX_GREETING_WORDS and line.rstrip()[-1] in ends


def _is_signed(closing: str, name: str) -> bool:
    """Whether the second of two lines is the name of the person who ends a letter with the first."""
    return bool(_CLOSING.match(closing) and len(tokens(closing)) <= _MAX_CLOSING_WORDS and _signature(name))


def _signature(line: str) -> str:
    name = as_name(line.split(",")[0].strip(" .–—-_"))
    return name if 0 < len(tokens(name)) <= _MAX_GREETING_WORDS and is_capitalised(name) else ""
