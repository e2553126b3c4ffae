"""What a language model's reply says of a chunk, and what of it may be believed.

Nothing is believed unseen: a name must stand in the chunk, a fact gets the sentence that names its ends, and whatever
is dropped is counted in `Extraction.note`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from filigraph.graph.model import Alias, Chunk, Extraction, Triplet
from filigraph.graph.text.find import Finder, Span
from filigraph.graph.text.loose_json import innermost_objects, whole_object
from filigraph.graph.text.name_tables import FUNCTION_WORDS
from filigraph.graph.text.names import name_key
from filigraph.graph.text.words import fold, tokens

MAX_FACTS = 12  # of one chunk; a model that writes more is looping
MAX_NAMES = 24
MAX_NAME = 100  # characters
MAX_NAME_WORDS = 10  # a longer "name" is a clause
MAX_PREDICATE = 60
MAX_PREDICATE_WORDS = 7  # "was seen in the company of"; a longer "predicate" is the sentence over again
ALIAS_GAP = 6  # words between two names of one thing: "The Claw, dite La Griffe"
TYPES = ("Person", "Place", "Organization", "Object", "Event", "Other")

_NAME = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {
            "type": "array",
            "maxItems": MAX_NAMES,
            "items": {
                "type": "object",
                "properties": {"name": _NAME, "type": {"type": "string", "enum": list(TYPES)}},
                "required": ["name", "type"],
                "additionalProperties": False,
            },
        },
        "facts": {
            "type": "array",
            "maxItems": MAX_FACTS,
            "items": {
                "type": "object",
                "properties": {  # the number first: a small model then reads that sentence, and not all of them again
                    "sentence": {"type": "integer"},
                    "subject": _NAME,
                    "predicate": _NAME,
                    "object": _NAME,
                    "implied": {"type": "boolean"},
                },
                "required": ["sentence", "subject", "predicate", "object", "implied"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["entities", "facts"],
    "additionalProperties": False,
}
# Words that point at somebody and name nobody. Folded.
_PRONOUNS = FUNCTION_WORDS.union(
    *map(
        str.split,
        (
            "i me myself we us you he him himself she her herself it itself they them themselves who whom someone one",
            "je j moi nous vous tu toi il lui elle ils elles eux on se s celui celle ceux celles qui que y en",
            "yo el ella ellos ellas usted nosotros quien ich er sie es wir ihr ihm ihn wer io lui lei noi voi loro chi",
            "eu ele ela я он она оно мы вы они кто мне меня ему его ей ее им их 我 你 他 她 它 们",
        ),
    )
)


# --------------------------------------------------------------------------------------------------------------------
# The reply


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a reply says, before anything of it is checked."""

    entities: Sequence[Mapping[str, Any]]
    facts: Sequence[Mapping[str, Any]]


def read_reply(reply: str) -> tuple[Reply | None, str]:
    """What can be read of a model's reply and, in words, what is wrong with it ("" if nothing); None: nothing can."""
    if not reply.strip():
        return None, "the reply was empty"
    whole = whole_object(reply)
    if whole is not None and ("facts" in whole or "entities" in whole):
        return Reply(entities=_objects(whole.get("entities")), facts=_objects(whole.get("facts"))), ""
    pieces = list(innermost_objects(reply))
    facts = [piece for piece in pieces if "subject" in piece and "object" in piece]
    entities = [piece for piece in pieces if "name" in piece]
    if not facts:
        return None, "it is not the JSON that was asked for" if "{" not in reply else "its JSON breaks off too early"
    return Reply(entities=entities, facts=facts), "the reply was cut; what was complete is kept"


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def believe(
    reply: Reply | None, problem: str, *, chunk: Chunk, spans: Sequence[Span], key: str, extractor: str
) -> Extraction:
    """What stands in the chunk of all that the reply says. `spans` are its sentences as they were numbered; `problem`
    is what `read_reply` found wrong."""
    checking = _Checking(chunk=chunk, spans=spans)
    if reply is None:
        return Extraction(key=key, extractor=extractor, note=f"asked twice, and {problem}")
    types, names = checking.entities(reply)
    triplets: dict[tuple[str, ...], Triplet] = {}
    aliases: dict[tuple[str, str], Alias] = {}
    for raw in reply.facts[:MAX_FACTS]:
        fact = checking.fact(raw, types)
        if isinstance(fact, Triplet):
            triplets.setdefault((fact.subject, fold(fact.predicate), fact.object), fact)
        elif isinstance(fact, Alias):
            aliases.setdefault((fact.first, fact.second), fact)
    notes = [problem] if problem else []
    if not reply.facts and not problem:
        notes.append("the LLM found no facts")
    if len(reply.facts) >= MAX_FACTS:
        notes.append(f"the cap of {MAX_FACTS} facts was reached")
    if len(reply.entities) >= MAX_NAMES:
        notes.append(f"the cap of {MAX_NAMES} names was reached")
    notes += [f"{count} {reason}" for reason, count in sorted(checking.dropped.items())]
    used = {name for fact in triplets.values() for name in (fact.subject, fact.object)}
    used |= {name for alias in aliases.values() for name in (alias.first, alias.second)}
    return Extraction(
        key=key,
        extractor=extractor,
        triplets=tuple(triplets.values()),
        aliases=tuple(aliases.values()),
        names=tuple(name for name in dict.fromkeys(names) if name not in used),
        note="; ".join(notes),
    )


@dataclass(kw_only=True)
class _Checking:
    """One chunk's reply, being checked against its text."""

    chunk: Chunk
    spans: Sequence[Span]
    dropped: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.finder = Finder(self.chunk.text)

    def entities(self, reply: Reply) -> tuple[dict[str, str], list[str]]:
        """The type of each name, by its key, and the names as written."""
        types: dict[str, str] = {}
        names: list[str] = []
        for raw in reply.entities[:MAX_NAMES]:
            places = self._find(raw.get("name"))
            if not places:
                continue
            names.append(self._written(places[0]))
            type_ = raw.get("type")
            types.setdefault(name_key(names[-1]), type_ if type_ in TYPES and type_ != "Other" else "")
        return types, names

    def fact(self, raw: Mapping[str, Any], types: Mapping[str, str]) -> Triplet | Alias | None:
        subjects, objects = self._find(raw.get("subject")), self._find(raw.get("object"))
        if not subjects or not objects:
            return None
        predicate = " ".join(str(raw.get("predicate") or "").split()).strip(" .,:;\"'«»")
        words = [token.folded for token in tokens(predicate)]
        if not 1 <= len(words) <= MAX_PREDICATE_WORDS or len(predicate) > MAX_PREDICATE:
            self.dropped["facts dropped: no usable predicate"] += 1
            return None
        if any(not _words(raw.get(end)) - set(words) for end in ("subject", "object")):
            self.dropped["facts dropped: the predicate repeats a name"] += 1
            return None
        sentence = self._sentence(raw.get("sentence"), subjects, objects)
        subject, object_ = _within(subjects, sentence), _within(objects, sentence)
        first, second = self._written(subject or subjects[0]), self._written(object_ or objects[0])
        if name_key(first) == name_key(second):
            self.dropped["facts dropped: both ends are one name"] += 1
            return None
        if subject and object_ and subject[0] < object_[1] and object_[0] < subject[1]:
            self.dropped["facts dropped: one end is a part of the other"] += 1
            return None
        start, end = sentence
        if fold(predicate) in ("alias", "alias of", "alias de"):
            if not subject or not object_ or self.finder.words_between(subject, object_) > ALIAS_GAP:
                self.dropped["aliases dropped: the text does not set the names side by side"] += 1
                return None
            return Alias(first=first, second=second, start=start, end=end)
        return Triplet(
            subject=first,
            predicate=predicate,
            object=second,
            start=start,
            end=end,
            subject_type=types.get(name_key(first), ""),
            object_type=types.get(name_key(second), ""),
            origin="implied" if raw.get("implied") is True else "explicit",
        )

    def _find(self, name: Any) -> list[Span]:
        """Where a name that the model gave stands in the chunk; [] and a count of why, where it may not be used."""
        if not isinstance(name, str) or not (folded := [token.folded for token in tokens(name[: 2 * MAX_NAME])]):
            self.dropped["names dropped: empty"] += 1
        elif len(name) > MAX_NAME or len(folded) > MAX_NAME_WORDS:
            self.dropped["names dropped: too long"] += 1
        elif all(word in _PRONOUNS for word in folded):
            self.dropped["names dropped: only a pronoun"] += 1
        elif places := self.finder.find(name) or self.finder.find(name_key(name)):
            return places
        else:
            self.dropped["names dropped: not in the text"] += 1
        return []

    def _written(self, span: Span) -> str:
        return " ".join(self.chunk.text[slice(*span)].split())

    def _sentence(self, number: Any, subjects: Sequence[Span], objects: Sequence[Span]) -> Span:
        """The sentence behind a fact: the one with most of its ends in it, the nearest to the model's number if equal.

        Small models miscount, and then the sentence that is shown as proof would not even name what it proves.
        """
        said = number if isinstance(number, int) and 1 <= number <= len(self.spans) else None

        def rank(index: int) -> tuple[int, int, int]:
            ends = bool(_within(subjects, self.spans[index])) + bool(_within(objects, self.spans[index]))
            return -ends, abs(index + 1 - said) if said else 0, index

        return self.spans[min(range(len(self.spans)), key=rank)]


def _within(places: Sequence[Span], span: Span) -> Span | None:
    return next((place for place in places if span[0] <= place[0] < span[1]), None)


def _words(name: Any) -> set[str]:
    return {token.folded for token in tokens(str(name))}
