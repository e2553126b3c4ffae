"""Who speaks to whom: a name between commas in speech, and the name of the speaker.

"You see, Watson," said Holmes.        Holmes speaks to Watson
— Voyons, Gévrol, dit le juge Plantat  le juge Plantat parle à Gévrol
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns.phrases import Phrase, SentenceReading

if TYPE_CHECKING:
    from spacy.tokens import Span

_BEFORE = {",", '"', "“", "«", "'", "‘", "—", "–", "-"}
_AFTER = {",", "!", "?", ".", "…"}


def read_vocatives(sentence: Span, reading: SentenceReading, predicate: str) -> None:
    """Add who speaks to whom, if a sentence has one named speaker and one name in direct address."""
    if len({speaker.form for speaker in reading.speakers}) != 1:
        return
    speaker = reading.speakers[0]
    spoken_to: dict[str, int] = {}
    for name in reading.names:
        if name.subject or name.at >= speaker.at:
            continue
        first = next((t for t in sentence if t.idx == name.at), None)
        after = next((t for t in sentence if t.idx >= name.at + len(name.form) and not t.is_space), None)
        if first is None or after is None or after.text not in _AFTER:
            continue
        if first.i == 0 or first.nbor(-1).text in _BEFORE or first.nbor(-1).lower_ in {"dear", "cher", "chère"}:
            spoken_to.setdefault(name.form, name.at)
    if len(spoken_to) == 1:
        ((form, at),) = spoken_to.items()
        reading.add(_name(speaker.form), predicate, _name(form), "speech", at)


def _name(form: str) -> Phrase:
    return Phrase(text=form, named=True, words=len(form.split()), first=0, last=0)
