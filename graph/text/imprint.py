"""Imprints: sentences about the edition of a text, such as its colophon, copyright or licence, not about its story."""

from __future__ import annotations

import re

MAX_IMPRINT_WORDS = 14  # words: a longer sentence with "published" may belong to the story

_ALWAYS = re.compile(
    r"©|\(c\) ?\d{4}|\bcopyright\b|\ball rights reserved\b|\btous droits réservés\b|\bproject gutenberg\b|\be-?books?\b"
    r"|\betext\b|\bisbn\b|\bissn\b|\bcreative commons\b|\bpublic domain\b|\bdomaine public\b|\bdépôt légal\b"
    r"|\bachevé d['’]imprimer\b|\brelease date\b|\bunder (?:the|a) [\w .-]{0,40}licen[cs]e\b|\bsous licence\b"
    r"|\blibrary of congress\b|\bcolophon\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"\W*(?:transcribed from (?:the|an?)|transcrit d['’]après) |"
    r"\W*(?:(?:first|originally|re-?) ?)?(?:published|printed|reprinted)\b"
    r"|\W*(?:this|the|new|revised|\d+(?:st|nd|rd|th)|first|second|third|fourth) (?:\w+ )?(?:edition|printing)\b"
    r"|\W*(?:publié|imprimé|édité|réimprimé)e?s?\b|\W*(?:cette|nouvelle|première|deuxième|seconde|troisième) édition\b",
    re.IGNORECASE,
)
_PRESS = re.compile(
    r"\b(?:publish(?:ers?|ing)|press|imprimerie|imprimeurs?|éditions?|éditeurs?|libraire-éditeur|typ\.)\b", re.I
)
# "LONDON: CHAPMAN AND HALL, 1891", "New York: Harper & Brothers".
_CITY_AND_FIRM = re.compile(
    r"\W*(?:london|edinburgh|glasgow|oxford|cambridge|dublin|new york|boston|philadelphia|chicago|toronto|paris|lyon"
    r"|bruxelles|genève|lausanne|leipzig|berlin|stuttgart|münchen|wien|zürich|madrid|barcelona|milano|firenze|roma|amsterdam)"
    r"(?:,? (?:and|et|und|&) [^\W\d_]+)? ?[:—] ?(?P<firm>[^.:;!?]{3,80}(?:[.,] ?)?(?:co\.|ltd\.?|limited)?"
    r"[^.:;!?]{0,20})\W*$",
    re.IGNORECASE,
)
_FIRM = re.compile(
    r"\b(?:1[4-9]|20)\d\d\W*$|&|\b(?:brothers|sons?|company|co|ltd|limited|librairie|frères|fils|verlag|house)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|was|were|has|had|have|came|went|said|says|left|took|met|wrote|bought|sold|est|était|a|avait|fut|vint|"
    r"alla|dit|prit|écrivit|acheta|vendit)\b"
)


def is_imprint(sentence: str) -> bool:
    """Whether a sentence is about an edition: its copyright, licence, publisher, printer or publication."""
    if _ALWAYS.search(sentence):
        return True
    short = len(sentence.split()) <= MAX_IMPRINT_WORDS
    firm = _CITY_AND_FIRM.match(" ".join(sentence.split())) if short else None
    if firm and _FIRM.search(firm["firm"]) and not _VERB.search(sentence):
        return True
    return short and bool(_BEGINS.match(sentence) or (_PRESS.search(sentence) and not _VERB.search(sentence)))
