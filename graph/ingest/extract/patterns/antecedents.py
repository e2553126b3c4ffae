"""The persons whom "he" and "she" mean, if that is safe, and the speakers of quotations.

"Holmes rose. He opened the door." The pronoun means the nearest name that is a subject, agrees with it and is in the
same quotation, in its own sentence or in the sentence before it in the paragraph. If the same pronoun is the subject of
that sentence and no name is, the search goes farther back. If another name or person ("the man") is possible, the
pronoun remains unresolved.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from filigraph.graph.ingest.extract.patterns.phrases import (
    NamePosition,
    PersonGender,
    Pronoun,
    SentenceFact,
    SentenceReading,
    words,
)
from filigraph.graph.text.names.parse import parse

_PERSONS: Mapping[str, frozenset[str]] = {
    "m": words("""
        man gentleman fellow boy lad father brother son husband uncle nephew king inspector doctor servant coachman
        driver groom clerk client visitor companion friend stranger prisoner banker lawyer colonel captain
        homme monsieur vieillard garçon père frère fils mari oncle neveu roi juge agent commissaire policier médecin
        domestique cocher geôlier gardien prévenu prisonnier compagnon ami inconnu notaire soldat capitaine paysan
        prêtre curé abbé directeur greffier concierge aubergiste
    """),
    "f": words("""
        woman lady girl maid mother sister daughter wife aunt niece queen landlady housekeeper client visitor companion
        friend stranger prisoner femme dame fille mère soeur sœur épouse tante nièce reine veuve servante amie
        concierge paysanne
    """),
}
_PLACED = words("in at from of near to into towards through à au de d' en dans vers chez par pour sur du des")
_MARK = re.compile(r"""["“”«»]|(?<![^\s"“(—-])['‘](?=\w)|(?<=[.,!?;…—-])['’](?!\w)""")
_DASH = ("—", "–", "-")
FARTHEST = 3  # sentences back


@dataclass(frozen=True, kw_only=True)
class ReadSentence:
    """A sentence of a chunk, with its reading."""

    start: int  # its span in the chunk
    end: int
    text: str  # the text that the parser read
    reading: SentenceReading
    depth: int  # depth of quotation at its beginning: 0 for the narrator
    opens_paragraph: bool

    def depth_at(self, at: int) -> int:
        return _depth(self.text[:at], self.depth)

    def spoken(self, fact: SentenceFact) -> bool:
        """Whether a fact is in direct speech."""
        if self.depth_at(fact.at):
            return True
        return self.opens_paragraph and self.text.startswith(_DASH)


def _depth(text: str, depth: int) -> int:
    for mark in _MARK.findall(text):
        if mark in "“«‘":
            depth += 1
        elif mark in "”»’":
            depth = max(0, depth - 1)
        elif mark == '"':
            depth = 0 if depth else 1
        else:  # one apostrophe: its neighbours show whether it opens or closes
            depth += 1 if depth % 2 else -1
    return max(0, depth)


def in_order(sentences: Sequence[tuple[int, int, str, SentenceReading]], text: str) -> list[ReadSentence]:
    """The sentences of a chunk, (start, end, plain text, reading), in order, each with its depth of quotation."""
    ordered: list[ReadSentence] = []
    for start, end, plain, reading in sentences:
        last = ordered[-1] if ordered else None
        new = last is None or "\n\n" in re.sub(r"[^\S\n]", "", text[last.end : start])
        depth = 0 if last is None or new else _depth(last.text, last.depth)
        ordered.append(
            ReadSentence(start=start, end=end, text=plain, reading=reading, depth=depth, opens_paragraph=new)
        )
    return ordered


def genders(sentences: Sequence[ReadSentence]) -> dict[str, PersonGender]:
    """Last word of a name -> the gender of all persons with it in these sentences, if it is the same."""
    seen: dict[str, set[PersonGender]] = defaultdict(set)
    for sentence in sentences:
        for name in sentence.reading.names:
            parsed = parse(name.form)
            if parsed.gender and parsed.core:
                seen[parsed.core[-1]].add(parsed.gender)
    return {word: next(iter(gender_set)) for word, gender_set in seen.items() if len(gender_set) == 1}


def antecedent(
    fact: SentenceFact, sentences: Sequence[ReadSentence], index: int, known: Mapping[str, PersonGender]
) -> tuple[NamePosition, ReadSentence] | None:
    """The name that the pronoun of a fact in `sentences[index]` means, with its sentence; None if that is not safe."""
    here = sentences[index]
    if here.text.startswith(_DASH):
        return None  # a line of dialogue: the parts in between are the narrator's
    depth = here.depth_at(fact.at)
    names = [name for name in here.reading.names if name.at < fact.at and here.depth_at(name.at) == depth]
    window = here.text[: fact.at]
    where = here
    for before in reversed(sentences[max(0, index - FARTHEST) : index]):
        if any(name.subject for name in names):
            break
        if where.opens_paragraph or before.text.startswith(_DASH):
            return None
        where = before
        names = [name for name in where.reading.names if where.depth_at(name.at) == depth] + names
        window = f"{where.text} {window}"
        subjects = {p.form for p in where.reading.pronouns if where.depth_at(p.at) == depth}
        if not any(name.subject for name in names) and subjects != {fact.subject}:
            return None
    return _only_candidate(names, where, fact, window, known)


def _only_candidate(
    names: Sequence[NamePosition],
    where: ReadSentence,
    fact: SentenceFact,
    window: str,
    known: Mapping[str, PersonGender],
) -> tuple[NamePosition, ReadSentence] | None:
    subjects = [name for name in names if name.subject and _agrees(name, fact.pronoun, known)]
    if not subjects:
        return None
    subject = subjects[-1]
    if set(re.findall(r"\w+", window.replace(subject.form, " ").lower())) & _PERSONS[fact.pronoun]:
        return None
    for name in names:
        other = _gender(name, known)
        if _alike(name, subject) or (other and other != fact.pronoun):
            continue
        if name.subject or other or not _follows_prepositions(name, window):
            return None
    return subject, where


def _follows_prepositions(name: NamePosition, window: str) -> bool:
    """Whether a preposition is before each occurrence of a name: then it is probably a place."""
    leading = [before.lower().replace("'", "' ").replace("’", "' ").split() for before in window.split(name.form)[:-1]]
    return all(words and words[-1] in _PLACED for words in leading)


def _gender(name: NamePosition, known: Mapping[str, PersonGender]) -> PersonGender:
    parsed = parse(name.form)
    return parsed.gender or (known.get(parsed.core[-1], "") if parsed.core else "")


def _agrees(name: NamePosition, pronoun: Pronoun, known: Mapping[str, PersonGender]) -> bool:
    """Whether name and pronoun agree. A woman's gender must be known: "elle" may be a thing, and "la Griffe" has no
    title.
    """
    gender = _gender(name, known)
    return gender == pronoun or (pronoun == "m" and not gender)


def _alike(first: NamePosition, second: NamePosition) -> bool:
    a, b = set(parse(first.form).core), set(parse(second.form).core)
    return a <= b or b <= a


def speaker(fact: SentenceFact, here: ReadSentence) -> str:
    """The speaker of a fact in direct speech, if its sentence names one; else ""."""
    names = {name.form: name for name in here.reading.speakers}
    if len(names) != 1 or not here.spoken(fact):
        return ""
    (name,) = names.values()
    if here.depth_at(fact.at) > here.depth_at(name.at):
        return name.form
    return name.form if here.text.startswith(_DASH) and fact.at < name.at else ""
