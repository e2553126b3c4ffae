"""Names that share a sentence, in languages without a parser: MENTIONED_WITH.

Two names in one sentence are related, but it is unknown how. So the number of pairs is limited: only neighbours, three
pairs per sentence and twelve per chunk. Their origin is `cooccurrence`, and a path treats such a step as a mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from filigraph.graph.ingest.extract.patterns.phrases import MAX_NAME_CHARS
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.extraction import Triplet
from filigraph.graph.text.factuality.cues import word_set
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.names.capitals import capitalised_names
from filigraph.graph.text.names.german import likely_names
from filigraph.graph.text.names.uncased import uncased_names
from filigraph.graph.text.names.usage import opens_sentence
from filigraph.graph.text.words import fold

PREDICATE = "mentioned with"
PAIRS_A_SENTENCE = 3
PAIRS_A_CHUNK = 12
_GREETS = (
    r"lieb(?:er|e|es)|sehr geehrt(?:er|e)|geehrt(?:er|e)|hallo|querid[oa]|estimad[oa]|car[oa]|gentil[ei]|prezad[oa]"
    r"|ciao|hola|hallo|salut|bonjour|ol[áa]|beste|geachte|k[äæ]re|hej|дорог(?:ой|ая)|уважаем(?:ый|ая)"
)
_SALUTATION = re.compile(rf"^[>\s]*(?:{_GREETS})\s+[^,!:\n]{{1,60}}[,!:]?[ \t]*(?=\n|\Z)", re.IGNORECASE | re.MULTILINE)
# "Liebe Grüße aus Bremen", "Guten Tag, Herr Voss", "Un abrazo", "Cordiali saluti", "Met vriendelijke groet"
_WISHES = re.compile(
    r"(?:(?:lieb|viel|best|herzlich|freundlich|schön)e[nr]? )?gr(?:ü|u)(?:ß|ss)e?n?"
    r"|gut(?:en|e) (?:tag|morgen|abend|nacht)"
    r"|(?:un )?(?:abrazo|saludos?)|(?:cordiali|distinti) saluti|buon ?(?:giorno|asera)|buenos d[ií]as|buenas tardes"
    r"|(?:met )?vriendelijke groet(?:en)?|(?:melhores )?cumprimentos|abraços?|bom dia|med venlig hilsen|hilsen"
    r"|с уважением|добрый день|здравствуйте",
    re.IGNORECASE,
)
# "Erster Aufzug", "ESCENA II", "Atto quinto"
_SCENE = re.compile(
    r"(?:\w+ )?(?:akt|aufzug|auftritt|szene|act[eo]?|escena|jornada|cuadro|atto|scena|ato|cena|tafereel"
    r"|действие|явление)(?: \w+)?",
    re.IGNORECASE,
)
_GREETING = re.compile(rf"(?:{_GREETS})\s+", re.IGNORECASE)
_GREETING_LINE = re.compile(rf"^[> \t]*(?:{_GREETS})[^\S\n]+(?=[^,!:\n]{{1,60}}[,!:][ \t]*(?:\n|\Z))", re.I | re.M)
_WISHES_LINE = re.compile(rf"^[> \t]*(?:{_WISHES.pattern})(?=[ \t]*[,.!]?[ \t]*(?:\n|\Z))", re.I | re.M)
# Words that begin a clause and are in no name.
_OPENERS = word_set(
    "weder sowohl nicht nur obwohl obgleich obschon wenn weil nachdem bevor ehe ob dass daß falls sobald solange auch "
    "sogar niemand aunque cuando porque ni mientras según también tampoco sólo solo anche quando perché né mentre "
    "benché soltanto nemmeno neppure embora também nem когда если хотя ни только также пока потому чтобы hoewel toen "
    "omdat terwijl noch alleen ook"
)
FARTHEST = 25  # words between two names: names farther apart in one sentence are hardly related


def names_in(text: str, offsets: Sequence[Span], language: str) -> list[str]:
    """The names of a chunk, from capitals if its script has them."""
    if not _has_case(text):
        return uncased_names(text)
    greeted = {match[0].strip(" >\n,!:") for match in _SALUTATION.finditer(text)}
    forms = (_GREETING.sub("", name) if name in greeted else name for name in capitalised_names(text, offsets))
    names = list(dict.fromkeys(_without_opener(name, text) for name in forms if name))
    names = [
        name
        for name in names
        if len(name) <= MAX_NAME_CHARS and not _WISHES.fullmatch(name) and not _is_of_stage(name, text)
    ]
    return likely_names(names, text) if language == "de" else names


def without_greetings(text: str) -> str:
    """The text with blanks in place of words of greeting, at the same offsets: "Liebe Mira,", "Herzliche Grüße"."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    text = _GREETING_LINE.sub(blank, text) if _GREETING.search(text) else text
    return _WISHES_LINE.sub(blank, text) if _WISHES.search(text) else text


def _is_of_stage(name: str, text: str) -> bool:
    """Whether a form is the number of a scene on a line of its own, or a stage direction: "CIUTTI (Aparte.)"."""
    around = rf"^\W*{re.escape(name)}\W*$" if _SCENE.fullmatch(name) else rf"\({re.escape(name)}\.\)"
    return len(re.findall(around, text, re.MULTILINE)) == len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text)) > 0


def _without_opener(name: str, text: str) -> str:
    """A name without a word before it that only opens a sentence and is in lower case elsewhere: "Und Heinrich"."""
    first, _, rest = name.partition(" ")
    opens = fold(first) in _OPENERS or re.search(rf"\b{re.escape(first.lower())}\b", text)
    if not rest or not opens:
        return name
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return rest if places and all(opens_sentence(text, place) for place in places) else name


def _has_case(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(letter.lower() != letter.upper() for letter in letters) > len(letters)


def neighbouring_names(text: str, offsets: Sequence[Span], names: Sequence[str]) -> list[Triplet]:
    """Neighbouring names of one sentence, the nearest pairs first; each pair once per chunk."""
    triplets: list[Triplet] = []
    seen: set[frozenset[str]] = set()
    for sentence, end in offsets:
        greeting = _SALUTATION.match(text, sentence, end)
        start = greeting.end() if greeting else sentence  # the greeted person takes no part in the facts of a letter
        finder = PhraseFinder(text[start:end])
        places = _longest((span, name) for name in names for span in finder.find(name))
        pairs = sorted(
            (finder.words_between(here, next_), here, first, second)
            for (here, first), (next_, second) in pairwise(places)
            if first.casefold() != second.casefold()
        )
        fresh = [(far, a, b) for far, _, a, b in pairs if far <= FARTHEST and frozenset((a, b)) not in seen]
        for _, first, second in fresh[:PAIRS_A_SENTENCE]:
            if len(triplets) == PAIRS_A_CHUNK:
                return triplets
            seen.add(frozenset((first, second)))
            triplets.append(
                Triplet(
                    subject=first, predicate=PREDICATE, object=second, start=sentence, end=end, origin="cooccurrence"
                )
            )
    return triplets


def _longest(spans: Iterable[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """The places in order; of nested places only the longest."""
    longest: list[tuple[Span, str]] = []
    for span, name in sorted(spans, key=lambda item: (item[0][0], -item[0][1])):
        if not longest or span[0] >= longest[-1][0][1]:
            longest.append((span, name))
    return longest
