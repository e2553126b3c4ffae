"""Who speaks: the name beside a verb of speech in the paragraph of a quotation.

"I have no data yet," remarked Sherlock Holmes.     — Parbleu ! fit le père Absinthe.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

from filigraph.graph.model.arrays import Span
from filigraph.graph.text.quotes import is_open

SPOKE = {
    "en": (
        "said says cried cries answered answers replied replies remarked remarks asked asks observed exclaimed "
        "ejaculated murmured whispered continued interrupted added shouted"
    ),
    "fr": (
        "dit disait répondit répliqua écria ajouta reprit murmura demanda interrompit insista poursuivit continua "
        "commanda objecta déclara balbutia fit"
    ),
}
WORDS_AFTER_VERB = 4  # words after the verb among which the name begins: "reprit le bon père Absinthe"
_PARAGRAPH = re.compile(r"\n\s*\n")
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_NAME = re.compile(
    r"[^\W\d_][\w’'-]*(?:(?:(?<=\b\w)|(?<=\b\w\w)|(?<=\b\w\w\w))\.)?(?:[ \n](?:de |du |von |van )?[A-ZÀ-ÞĀ-Ž][\w’'-]+)*"
)
_VERBS = {language: re.compile(rf"\b(?:{'|'.join(verbs.split())})\b") for language, verbs in SPOKE.items()}


def speaker_of(text: str, sentence: Span, names: Collection[int], language: str) -> str:
    """The name of a quoted sentence's speaker in its paragraph; "" if there is none, or if the sentence itself has it.
    `names`: the places of names in the text.
    """
    if language not in _VERBS:
        return ""
    start = max((match.end() for match in _PARAGRAPH.finditer(text, 0, sentence[0])), default=0)
    after = _PARAGRAPH.search(text, sentence[1])
    end = after.start() if after else len(text)
    for verb in _VERBS[language].finditer(text, start, end):
        at = None if is_open(text[start : verb.start()]) else _name_beside(text, verb.span(), names, start, end)
        if at is not None:
            named = _NAME.match(text, at, end)
            inside = sentence[0] <= at < sentence[1]
            return "" if inside or not named else " ".join(named[0].split())
    return ""


def _name_beside(text: str, verb: Span, names: Collection[int], start: int, end: int) -> int | None:
    """The start of the name that follows a verb, or ends before it."""
    for word in islice(_WORD.finditer(text, verb[1], end), WORDS_AFTER_VERB):
        if re.search(r"[,;:!?\n“”„«»\"]", text[verb[1] : word.start()]):
            break
        if word.start() in names:
            return word.start()
    before = [at for at in names if start <= at < verb[0]]
    if before and (named := _NAME.match(text, max(before), verb[0])) and not text[named.end() : verb[0]].strip(" s'’"):
        return max(before)
    return None
