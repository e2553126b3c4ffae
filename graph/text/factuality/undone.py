"""Hindered, avoided, refused or ordered actions: the text does not say that they happened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from filigraph.graph.text.factuality.governors import Scope
from filigraph.graph.text.factuality.stops import scope, stop_after

# A hindrance or an abstention: the action did not happen, unless this itself is denied ("could not avoid meeting Ann").
_HINDERED: Mapping[str, str] = {
    "en": r"(?:keep|kept|prevent|stopp?|hinder|restrain|deter|deterr|barr?|save|discourag)(?:s|ed|d|ing)? "
    r"(?:[\w'’.-]+ ){0,4}?from(?= (?:ever )?\w+ing\b)|(?:avoid(?:s|ed)?|miss(?:es|ed)|forbore|refrain(?:s|ed)? from"
    r"|abstain(?:s|ed)? from|st(?:ops|opped) short of)(?= (?:ever )?\w+ing\b)"
    r"|(?:decid|advis|vot|warn|counsel|caution)\w* (?:[\w'’.-]+ ){0,3}?against(?= \w+ing\b)"
    r"|(?:despair(?:s|ed)? of|thought better of|g[ai]ves? up|dropped the idea of)(?= (?:ever )?\w+ing\b)"
    r"|(?:forbids?|forbade) (?:[\w'’.-]+ ){0,4}?(?:to|from)(?= \w)"
    r"|(?:prohibit(?:s|ed)?|ban(?:s|ned)?) (?:[\w'’.-]+ ){0,4}?from(?= (?:ever )?\w+ing\b)"
    r"|forbidden (?:by (?:[\w'’.-]+ ){1,3}?)?(?:to|from)(?= \w)"
    r"|(?:refusal|failure|inability|unwillingness|reluctance) to"
    r"|too (?:\w+ly )?(?!glad|happy|pleased|ready|eager|willing|often|soon|late)\w+ to(?= \w)",
    "fr": r"(?:(?:s['’](?:est |était )?|s['’])abst\w+|(?:se |s['’](?:est|était) )(?:bien )?gard\w+(?: bien)?"
    r"|évit\w+|omi[ts]\w*"
    r"|(?:se |s['’](?:est|était) )dispens\w+|néglige(?:a|ait|èrent)?|négligé)(?: \w+ment)? d(?:e |['’])"
    r"(?=(?:l['’]|le |la |les |lui |leur |y |en |s['’]|se )?\w+(?:er|ir|re|oir)\b)"
    r"|empêch\w+ (?:[\w'’.-]+ ){0,4}?d(?:e |['’])(?=(?:l['’]|le |la |les |lui |s['’]|se )?\w+(?:er|ir|re|oir)\b)"
    r"|(?:(?:interdi[ts]|prohib)\w* (?:[\w'’.-]+ ){0,5}?|défen[dt]\w* (?:\w+ment )?"
    r"(?:(?:à|au|aux) (?:[\w'’.-]+ ){1,4}?)?)d(?:e |['’])"
    r"(?=(?:l['’]|le |la |les |lui |s['’]|se )?\w+(?:er|ir|re|oir)\b)"
    r"|(?:refus|incapacité|impossibilité)(?: [\w'’-]+){0,4}? d(?:e |['’])"
    r"(?=(?:l['’]|le |la |les |lui |s['’]|se )?\w+(?:er|ir|re|oir)\b)"
    r"|trop (?!heureu|content|souvent|tard|tôt)\w+ pour (?=(?:l['’]|le |la |les |lui |s['’]|se )?\w+(?:er|ir|re"
    r"|oir)\b)",
    "de": r"weiger\w+ (?:\w+ ){0,3}?sich\b[^,;:.!?]{0,30},?|(?:hütete[nt]?|scheute[nt]?) sich\b[^,;:.!?]{0,30},?"
    r"|(?:unterließ|vermied|versäumt|vergaß|verzichtet|ablehnt)\w*\b[^,;:.!?]{0,30},(?=[^;:.!?]*\bzu )"
    r"|d[ae]cht\w* (?:gar |überhaupt )?nicht (?:im Traum )?daran,"
    r"|lehnt\w* (?:es )?[^,;:.!?]{0,20}\bab,|hindert\w* [^,;:.!?]{1,40} daran,",
}
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|no|nothing|nobody|cannot|without|fail(?:s|ed)? to|unable to|ne|sans|rien)|n['’]t|\bn['’])\b"
    r"[^,;:.!?]{0,30}$",
    re.IGNORECASE,
)
# At the beginning of a clause, before verb and subject: "Never in his life did Ann ..."
_INVERTED = re.compile(
    r"(?:^|(?<=[;:,.] ))\W{0,4}(?:never|nowhere|not since|in no|at no|on no|by no|under no|not once|not for|not in"
    r"|little(?= (?:did|had|could|would) (?:he|she|it|they|I|we|you|the|(?-i:[A-Z])\w+)\b))"
    r" [^,;:.!?]{0,60}?\b(?:did|had|has|have|was|were|would|could)\b",
    re.IGNORECASE,
)
# An order, at the beginning of a speech.
_ORDERED: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:^|[“\"«])\s*(?:please |now |kindly |pray )?(?:don['’]t |do not |never )?(?:go|come|run|fetch|take|tell"
        r"|ask|bring|give|let|send|write|meet|find|get|keep|leave|remember|arrest|follow|call|beware|stop"
        r"|hand|hide|burn|bury)"
        r" (?=(?:and|the|an?|my|his|her|this|that|these|those|them|me|us|it|him|back|out|to)\b|(?-i:[A-Z]))",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"(?:^|[«“\"])\s*(?:\w+, )?(?:cours|viens|prends|dis|fais|mets|sors|pars|écris|rends|allons)\b(?! (?:est"
        r"|était))"
        r"|[«“\"]\s*(?:\w+, )?(?!chez\b|assez\b)\w{2,}ez\b|^\s*(?!chez\b|assez\b)\w{2,}ez(?: donc\b"
        r"|-(?!vous\b[^.!?]*\?)\w)",
        re.IGNORECASE,
    ),
}


def undone_scopes(sentence: str, language: str) -> Iterator[Scope]:
    """The parts of a sentence about actions that did not happen, or not yet."""
    if language in _HINDERED:
        for match in re.finditer(rf"\b(?:{_HINDERED[language]})", sentence, re.IGNORECASE):
            if not _DENIED_BEFORE.search(sentence, 0, match.start()):
                yield scope(match.start(), stop_after(sentence, match.end(), ",;:.!?"), "denied")
    for match in _ORDERED[language].finditer(sentence) if language in _ORDERED else ():
        yield scope(match.start(), stop_after(sentence, match.end(), ";:.!?"), "doubted")
    for match in _INVERTED.finditer(sentence) if language == "en" else ():
        yield scope(match.start(), stop_after(sentence, match.end(), ",;:.!?"), "denied")
