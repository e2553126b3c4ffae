"""Questions that ask how two names are connected: "How is Ann connected to The Claw?", « Quel lien y a-t-il entre Ann
et la Griffe ? », in English, French, Spanish, German and Italian. In doubt a question does not ask for a connection.
"""

from __future__ import annotations

import re

_ONE, _TWO = "(?P<one>.+?)", "(?P<two>.+)"
_LINKED = "(?:connected|related|linked|tied)"
_LINK = "(?:connection|link|relation|relationship|tie)s?"
_LIEN = "(?:liens?|rapports?|relations?|connexions?)"
_QUESTIONS = tuple(
    re.compile(rf"^\W*{pattern}\W*$", re.IGNORECASE)
    for pattern in (
        # English
        rf"(?:how|in what way) (?:is|are|was|were) {_ONE} {_LINKED} (?:to|with) (?!each other){_TWO}",
        rf"(?:how|in what way) (?:are|were) {_ONE} and {_TWO} {_LINKED}(?: (?:to|with) each other)?",
        rf"(?:is|was|are|were) {_ONE} {_LINKED} (?:to|with) (?!each other){_TWO}",
        rf"what (?:connects|links|joins|ties) {_ONE} (?:and|to|with) {_TWO}",
        rf"(?:what (?:is|was) the|is there (?:a|any)) {_LINK} between {_ONE} and {_TWO}",
        # French
        rf"comment {_ONE} (?:est|sont|était|étaient)(?:[- ](?:il|elle|ils|elles))? (?:re)?liée?s? (?:à|avec) {_TWO}",
        rf"comment (?:est|sont|était|étaient) (?:re)?liée?s? {_ONE} (?:à|et) {_TWO}",
        rf"qu['’ ]?est-ce qui (?:(?:re)?lie|unit|rattache) {_ONE} (?:et|à) {_TWO}",
        rf"quel(?:le)? (?:est (?:le|la) )?{_LIEN}(?: (?:y a-t-il|existe-t-il|il y a))? entre {_ONE} et {_TWO}",
        rf"y a-t-il un(?:e)? {_LIEN} entre {_ONE} et {_TWO}",
        # Spanish, German, Italian
        rf"qué (?:relación|conexión|vínculo) (?:hay|existe) entre {_ONE} y {_TWO}",
        rf"cómo están? (?:relacionad|conectad|vinculad)[oa]s? {_ONE} (?:con|y) {_TWO}",
        rf"was verbindet {_ONE} (?:und|mit) {_TWO}",
        rf"(?:welche|gibt es eine) (?:verbindung|beziehung) (?:besteht |gibt es )?zwischen {_ONE} und {_TWO}",
        rf"(?:che|quale) (?:legame|relazione|rapporto) (?:c['’ ]?è|esiste) (?:tra|fra) {_ONE} e {_TWO}",
    )
)


def connection_asked(question: str) -> list[tuple[str, str]]:
    """The two names whose connection a question asks for; none if it asks for something else. "Smith and Son and Ann"
    are two names in two ways, the likelier first; the names that are known decide."""
    text = " ".join(question.split())
    for pattern in _QUESTIONS:
        if match := pattern.match(text):
            joint = text[match.end("one") : match.start("two")]
            parts = text[match.start("one") : match.end("two")].split(joint)
            return [
                (joint.join(parts[:at]).strip("“”«»\"' "), joint.join(parts[at:]).strip("“”«»\"'?!. "))
                for at in range(1, len(parts))
            ]
    return []


def connection_question(first: str, other: str) -> str:
    """The question how two names are connected."""
    one, two = (" ".join(name.split()) for name in (first, other))
    return f"How is {one} connected to {two}?"
