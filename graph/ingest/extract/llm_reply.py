"""What a language model's reply says of a chunk, and what of it may be believed.

Nothing is believed unseen: a name must stand in the chunk or in what came before it, a fact gets the sentence that
names its ends and must be stated there, and whatever is dropped is counted in `Extraction.counts`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from filigraph.graph.ingest.extract.schema import ALIAS, MAX_FACTS, MAX_IMPLIED, MAX_NAMES, OTHER, ExtractionSchema
from filigraph.graph.model import Alias, Chunk, Extraction, Span, Triplet
from filigraph.graph.text.denial import is_stated
from filigraph.graph.text.find import Finder
from filigraph.graph.text.loose_json import innermost_objects, whole_object
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.words import fold, terms, tokens

MAX_NAME = 100  # characters
MAX_NAME_WORDS = 10  # a longer "name" is a clause
MAX_PREDICATE = 60
MAX_PREDICATE_WORDS = 7  # "was seen in the company of"; a longer "predicate" is the sentence over again
ALIAS_GAP = 6  # words between two names of one thing: "The Claw, dite La Griffe"

_NO_FACTS = "the LLM found no facts"
_ONLY_ALIASES = "the LLM found no facts, only names of one thing"
_ALL_DROPPED = "none of the facts that the LLM gave could be used"
_QUOTED = re.compile(r'["“”„«»‹›‘「」『』]|^\s*[-–—―]')
# What a model writes where nobody in the text says it. Folded.
_THE_TEXT = frozenset(("narrator", "the narrator", "author", "text", "the text", "narrateur", "le narrateur", "none"))


# --------------------------------------------------------------------------------------------------------------------
# The reply


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a reply says, before anything of it is checked."""

    names: Sequence[tuple[str, Any]]  # type, name
    facts: Sequence[Mapping[str, Any]]
    implied: Sequence[Mapping[str, Any]]


def read_reply(reply: str) -> tuple[Reply | None, str]:
    """What can be read of a model's reply and, in words, what is wrong with it ("" if nothing); None: nothing can."""
    if not reply.strip():
        return None, "the reply was empty"
    whole = whole_object(reply)
    if whole is not None and ("facts" in whole or "names" in whole):
        return Reply(
            names=_names(whole.get("names")), facts=_objects(whole.get("facts")), implied=_objects(whole.get("implied"))
        ), ""
    pieces = list(innermost_objects(reply))
    facts = [piece for piece in pieces if "s" in piece and "o" in piece]
    if not facts:
        return None, "it is not the JSON that was asked for" if "{" not in reply else "its JSON breaks off too early"
    names = next(
        (piece for piece in pieces if piece and all(isinstance(value, list) for value in piece.values())), None
    )
    return Reply(
        names=_names(names),
        facts=[fact for fact in facts if not isinstance(fact.get("n"), list)],
        implied=[fact for fact in facts if isinstance(fact.get("n"), list)],
    ), "the reply was cut; what was complete is kept"


def _names(value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        return []
    return [(type_, name) for type_, names in value.items() if isinstance(names, list) for name in names]


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


# --------------------------------------------------------------------------------------------------------------------
# What may be believed


def believe(
    reply: Reply,
    problem: str,
    *,
    chunk: Chunk,
    spans: Sequence[Span],
    schema: ExtractionSchema,
    key: str,
    extractor: str,
) -> Extraction:
    """What stands in the chunk of all that the reply says. `spans` are its sentences as they were numbered; `problem`
    is what `read_reply` found wrong."""
    checking = _Checking(chunk=chunk, spans=spans, schema=schema)
    types, names = checking.names(reply.names)
    triplets: dict[tuple[str, ...], Triplet] = {}
    aliases: dict[tuple[str, str], Alias] = {}
    for raw, implied in [(raw, False) for raw in reply.facts[:MAX_FACTS]] + [
        (raw, True) for raw in reply.implied[:MAX_IMPLIED]
    ]:
        fact = checking.fact(raw, types, implied=implied)
        if isinstance(fact, Triplet):
            triplets.setdefault((fact.subject, fold(fact.predicate), fact.object, fact.according_to), fact)
        elif isinstance(fact, Alias):
            aliases.setdefault((fact.first, fact.second), fact)
    counts = checking.counts
    for what, given, most in (("facts", reply.facts, MAX_FACTS), ("implied facts", reply.implied, MAX_IMPLIED)):
        if len(given) >= most:
            counts[f"chunks that reached the cap of {most} {what}"] += 1
        if len(given) > most:
            counts[f"{what} dropped: over the cap"] += len(given) - most
    if problem:
        counts[problem] += 1
    used = {name for fact in triplets.values() for name in (fact.subject, fact.object)}
    used |= {name for alias in aliases.values() for name in (alias.first, alias.second)}
    why = _ONLY_ALIASES if aliases else _ALL_DROPPED if reply.facts or reply.implied else _NO_FACTS
    return Extraction(
        key=key,
        extractor=extractor,
        triplets=tuple(triplets.values()),
        aliases=tuple(aliases.values()),
        names=tuple(name for name in dict.fromkeys(names) if name not in used),
        note="" if triplets else why,
        counts=dict(sorted(counts.items())),
    )


@dataclass(frozen=True, kw_only=True)
class _Name:
    """A name that the model gave, and where it stands in the chunk; nowhere if it stands only before it."""

    written: str
    places: Sequence[Span]


@dataclass(kw_only=True)
class _Checking:
    """One chunk's reply, being checked against its text."""

    chunk: Chunk
    spans: Sequence[Span]
    schema: ExtractionSchema
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.finder = Finder(self.chunk.text)
        self.before = Finder(self.chunk.before)

    def names(self, given: Sequence[tuple[str, Any]]) -> tuple[dict[str, str], list[str]]:
        """The type of each name, by its key, and the names that stand in the chunk, as written."""
        types: dict[str, str] = {}
        names: list[str] = []
        seen: Counter[str] = Counter()
        for type_, raw in given:
            seen[type_] += 1
            if seen[type_] == MAX_NAMES:
                self.counts[f"chunks that reached the cap of {MAX_NAMES} names of one type"] += 1
            if seen[type_] > MAX_NAMES or (name := self._find(raw)) is None:
                continue
            if type_ not in self.schema.types and type_ != OTHER:
                self.counts[f"names outside the schema: {type_[:40]}"] += 1
            if name.places:
                names.append(name.written)
            types.setdefault(name_key(name.written), type_ if type_ in self.schema.types else "")
        return types, names

    def fact(self, raw: Mapping[str, Any], types: Mapping[str, str], *, implied: bool) -> Triplet | Alias | None:
        subject, object_ = self._find(raw.get("s")), self._find(raw.get("o"))
        predicate = " ".join(str(raw.get("p") or "").split()).strip(" .,:;\"'«»")
        if subject is None or object_ is None or not self._usable(predicate, subject, object_, raw):
            return None
        said = _numbers(raw.get("n"), len(self.spans))
        start, end = self._sentence(said, subject.places, object_.places, predicate, only=implied and bool(said))
        first, second = self._written(subject, (start, end)), self._written(object_, (start, end))
        if fold(predicate) in (ALIAS, "alias of", "alias de"):
            return self._alias(subject, object_, (start, end))
        sentence = self.chunk.text[start:end]
        if not subject.places and not object_.places and not self._words(predicate) & self._words(sentence):
            self.counts["facts dropped: both names stand only before the chunk"] += 1
            return None
        if not is_stated("" if implied else sentence, predicate, self.chunk.language):
            self.counts["facts dropped: denied, asked, wished or supposed"] += 1
            return None
        subject_type, object_type = types.get(name_key(first), ""), types.get(name_key(second), "")
        worded = self._by_schema(subject_type, predicate, object_type)
        if worded is None:
            return None
        premises = [self.spans[number - 1] for number in said] if implied else []
        return Triplet(
            subject=first,
            predicate=worded,
            object=second,
            start=start,
            end=end,
            subject_type=subject_type,
            object_type=object_type,
            origin="implied" if implied else "explicit",
            according_to=self._speaker(raw.get("by"), ends=(first, second), sentence=sentence),
            premises=tuple(span for span in premises if span != (start, end)),
        )

    def _usable(self, predicate: str, subject: _Name, object_: _Name, raw: Mapping[str, Any]) -> bool:
        words = {token.folded for token in tokens(predicate)}
        if not 1 <= len(tokens(predicate)) <= MAX_PREDICATE_WORDS or len(predicate) > MAX_PREDICATE:
            why = "no usable predicate"
        elif any(not {token.folded for token in tokens(str(raw[end]))} - words for end in ("s", "o")):
            why = "the predicate repeats a name"
        elif name_key(subject.written) == name_key(object_.written):
            why = "both ends are one name"
        elif _overlap(subject.places, object_.places):
            why = "one end is a part of the other"
        else:
            return True
        self.counts[f"facts dropped: {why}"] += 1
        return False

    def _alias(self, subject: _Name, object_: _Name, sentence: Span) -> Alias | None:
        first, second = _within(subject.places, sentence), _within(object_.places, sentence)
        if first and second and self.finder.words_between(first, second) <= ALIAS_GAP:
            names = self._written(subject, sentence), self._written(object_, sentence)
            return Alias(first=names[0], second=names[1], start=sentence[0], end=sentence[1])
        self.counts["aliases dropped: the text does not set the names side by side"] += 1
        return None

    def _by_schema(self, subject_type: str, predicate: str, object_type: str) -> str | None:
        """The predicate as the fact may have it; None where the schema is enforced and has no place for the fact."""
        if not self.schema.relations:
            return predicate
        language = self.chunk.language
        fitting = self.schema.fitting(predicate, language)
        inside = next((relation for relation in fitting if relation.joins(subject_type, object_type)), None)
        if inside is not None:
            return inside.named(language) if self.schema.enforced else predicate
        pattern = f"{subject_type or '?'} - {fold(predicate)} - {object_type or '?'}"
        self.counts[f"facts outside the schema, {'dropped' if self.schema.enforced else 'kept'}: {pattern}"] += 1
        return None if self.schema.enforced else predicate

    def _speaker(self, name: Any, *, ends: tuple[str, str], sentence: str) -> str:
        """Who asserts a fact, as the text writes the name; "" where the text itself does. Small models take whoever
        does something for its teller: a name of the fact itself counts only where the sentence quotes."""
        if not isinstance(name, str) or not tokens(name) or " ".join(fold(name).split()) in _THE_TEXT:
            return ""
        found = self._find(name)
        if found is None:
            return ""
        if name_key(found.written) in map(name_key, ends) and not _QUOTED.search(sentence):
            self.counts["speakers dropped: the sentence does not quote them"] += 1
            return ""
        return found.written

    def _find(self, name: Any) -> _Name | None:
        """A name that the model gave, as the text writes it; None and a count of why, where it may not be used."""
        if not isinstance(name, str) or not (folded := [token.folded for token in tokens(name[: 2 * MAX_NAME])]):
            why = "empty"
        elif len(name) > MAX_NAME or len(folded) > MAX_NAME_WORDS:
            why = "too long"
        elif all(word in PRONOUNS for word in folded):
            why = "only a pronoun"
        elif places := self.finder.find(name) or self.finder.find(name_key(name)):
            return _Name(written=_one_line(self.chunk.text, places[0]), places=places)
        elif places := self.before.find(name) or self.before.find(name_key(name)):
            return _Name(written=_one_line(self.chunk.before, places[0]), places=())
        else:
            why = "not in the text"
        self.counts[f"names dropped: {why}"] += 1
        return None

    def _written(self, name: _Name, sentence: Span) -> str:
        """The name as the sentence writes it, where it stands there."""
        place = _within(name.places, sentence)
        return _one_line(self.chunk.text, place) if place else name.written

    def _words(self, text: str) -> set[str]:
        return set(terms(text, self.chunk.language))

    def _sentence(
        self, said: Sequence[int], subjects: Sequence[Span], objects: Sequence[Span], predicate: str, *, only: bool
    ) -> Span:
        """The sentence behind a fact: the one with most of its ends and its predicate, the nearest to what the model
        said if equal; `only`: one of those that it said. Small models miscount, and then what is shown as proof would
        not even name what it proves."""
        verb = self._words(predicate)

        def rank(index: int) -> tuple[int, int, int]:
            start, end = self.spans[index]
            ends = bool(_within(subjects, (start, end))) + bool(_within(objects, (start, end)))
            worded = bool(verb & self._words(self.chunk.text[start:end]))
            return -ends - worded, min((abs(index + 1 - number) for number in said), default=0), index

        return self.spans[min((number - 1 for number in said) if only else range(len(self.spans)), key=rank)]


def _numbers(value: Any, most: int) -> list[int]:
    """The sentences that a fact says it stands in, those that there are, in order."""
    given = value if isinstance(value, list) else [value]
    return sorted({n for n in given if isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= most})


def _overlap(firsts: Sequence[Span], seconds: Sequence[Span]) -> bool:
    """Whether two names stand only inside each other."""
    apart = any(a[1] <= b[0] or b[1] <= a[0] for a in firsts for b in seconds)
    return bool(firsts) and bool(seconds) and not apart


def _within(places: Sequence[Span], span: Span) -> Span | None:
    return next((place for place in places if span[0] <= place[0] < span[1]), None)


def _one_line(text: str, span: Span) -> str:
    return " ".join(text[slice(*span)].split())
