"""Whom a description means, in words that the parsers often get wrong: "L'homme en gris était Hector Amaral", "The
stranger on the quay was none other than Jean Roux".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from filigraph.graph.ingest.extract.patterns import words_en, words_fr
from filigraph.graph.ingest.extract.patterns.phrases import SentenceReading
from filigraph.graph.text.words import tokens

_NAME = (
    r"(?P<name>(?:(?:[Ll]e |[Ll]a |the )?(?:[a-zà-ÿ]+ )?(?:M\.|Mr\.?|Mrs\.?|Mme|Mlle|Dr\.?) )?"
    r"[A-ZÀ-Þ][\w'’.-]*(?: (?:d['’]|(?:de|du|des|la|le|of|von|van) )?[A-ZÀ-Þ][\w'’-]*){0,3})"
)
_END = r"\s*(?=[.,;!?]|$)"


def _pattern(article: str, persons: Collection[str], is_: str) -> re.Pattern[str]:
    who = "|".join(sorted(map(re.escape, persons), key=len, reverse=True))
    return re.compile(
        rf"^(?:{article})(?P<who>(?:[a-zà-ÿ-]+ )?(?:{who})\b[^,;:.!?A-ZÀ-Þ]{{0,60}}?)\s+(?:{is_}) {_NAME}{_END}"
    )


_DESCRIBED: Mapping[str, re.Pattern[str]] = {
    "fr": _pattern(
        r"[Ll]['’]|[Ll]e |[Ll]a |[Cc]et |[Cc]ette |[Cc]e ",
        words_fr.PERSONS,
        r"(?:n['’])?(?:était|est|fut)(?: autre que| en réalité| en fait)?|s['’]appel(?:ait|le)|se nomm(?:ait|e)",
    ),
    "en": _pattern(
        r"[Tt]he |[Tt]his |[Tt]hat ",
        words_en.PERSONS,
        r"(?:was|is)(?: called| named| none other than| no other than| in fact| really)?|called (?:himself|herself)",
    ),
}
_FEWEST = 2  # min. words of a description that identifies one person


def read_described(clause: str, reading: SentenceReading, language: str) -> None:
    """Add that a description and a name are one, and remove what the parser made of the parts of the name."""
    match = _DESCRIBED[language].match(clause) if language in _DESCRIBED else None
    if not match or len(tokens(match["who"])) < _FEWEST:
        return
    who, name = match["who"], match["name"]
    reading.same(who, name)
    start, end = match.span("name")
    reading.facts = [fact for fact in reading.facts if not (fact.object in name and fact.subject in (who, fact.object))]
    reading.names = [one for one in reading.names if not (start <= one.at < end and one.form != name)]
