"""What of a language model's reply may be believed.

Nothing is believed unseen: a name must occur in the chunk or in what came before it, a fact gets the sentence that
names its ends and must be stated there, and whatever is dropped is counted in `Extraction.counts`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from filigraph.graph.ingest.extract.llm_reply import (
    MAX_NAME_CHARS,
    ExtractionReply,
    connected_pairs,
    describes,
    is_alias,
    numbers,
    taken_apart,
)
from filigraph.graph.ingest.extract.schema import (
    ALIAS,
    DESCRIPTION,
    MAX_ALIASES,
    MAX_NAMES,
    OTHER,
    ExtractionSchema,
    ReplyLimit,
)
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Alias, Extraction, Triplet
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.negation import is_stated, negated, speaker_of
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.quotes import is_quoted
from filigraph.graph.text.time.dates import first_date, names_a_time
from filigraph.graph.text.time.relative_dates import TextDate
from filigraph.graph.text.words import fold, terms, tokens

MAX_NAME_WORDS = 10  # a longer "name" is a clause
MAX_PREDICATE = 60
MAX_PREDICATE_WORDS = 7  # "was seen in the company of"; a longer "predicate" repeats the sentence
ALIAS_GAP = 6  # words between two names of one thing: "The Claw, dite La Griffe"
# how many more words of the fact another sentence must contain than the one that the model names, to be shown instead
MISCOUNTED = 2
NAMED_AGAIN = ("Place", "Organization")  # types of names that texts rarely replace with a pronoun
REACH = 5  # sentences between such a name and a fact about it
AHEAD = 60  # characters after a question in which an answer may affirm it
MAX_WHEN = 60  # characters of a date as written
# predicate of a description and the person it describes
IS_DESCRIBED = {"en": "is described as", "fr": "est décrit comme"}
IS = {"en": "is", "fr": "est"}  # predicate of a description and the name that it means, unless they are side by side

_NO_FACTS = "the LLM found no facts"
_ONLY_ALIASES = "the LLM found no facts, only names of one thing"
_ALL_DROPPED = "none of the facts that the LLM gave could be used"
# "they called him Sparrow": then the other name may occur anywhere.
_CALLED = re.compile(
    r"\b(?:call(?:s|ed|ing)? (?:him|her|it|them|me|us)|(?:is|are|was|were|be) called|nicknamed|dubbed|christened"
    r"|known (?:\w+ ){0,2}as|alias|aka|surnomm\w+|[ls]['’]appel\w+|appelée?s?"
    r"|baptis\w+|connue?s? sous|sous le nom)\b",
    re.IGNORECASE,
)
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)
# What a model writes as the speaker if the text has none. Folded.
_THE_TEXT = frozenset(("narrator", "the narrator", "author", "text", "the text", "narrateur", "le narrateur", "none"))


def checked_extraction(
    reply: ExtractionReply,
    problem: str,
    *,
    chunk: Chunk,
    spans: Sequence[Span],
    schema: ExtractionSchema,
    budget: ReplyLimit,
    key: str,
    extractor: str,
    dates: Mapping[int, Sequence[TextDate]] | None = None,
) -> Extraction:
    """The parts of the reply that the chunk supports. `spans` are its sentences as numbered; `problem` is the problem
    that `read_reply` reported. `dates`: the dates in sentences, by where the sentences begin.
    """
    facts = [one for raw in reply.facts if not is_alias(raw) for one in taken_apart(raw)]
    implied_facts = [raw for raw in reply.implied if not is_alias(raw)]
    checking = _Checking(
        chunk=chunk, spans=spans, schema=schema, connected=connected_pairs([*facts, *implied_facts]), dates=dates or {}
    )
    types, names = checking.names(reply.names)
    triplets: dict[tuple[str, ...], Triplet] = {}
    aliases: dict[tuple[str, str], Alias] = {}
    for raw, implied in [
        *((raw, False) for raw in facts[: budget.facts]),
        *((raw, True) for raw in implied_facts[: budget.implied]),
        *((raw, False) for raw in [raw for raw in (*reply.facts, *reply.implied) if is_alias(raw)][:MAX_ALIASES]),
    ]:
        fact = checking.fact(raw, types, implied=implied)
        if isinstance(fact, Triplet):
            triplets.setdefault((fact.subject, fold(fact.predicate), fact.object, fact.according_to, fact.when), fact)
        elif isinstance(fact, Alias):
            aliases.setdefault((fact.first, fact.second), fact)
    counts = checking.counts
    for what, items, most in (("facts", facts, budget.facts), ("implied facts", implied_facts, budget.implied)):
        if len(items) >= most:
            counts[f"chunks that reached the cap of {most} {what}"] += 1
        if len(items) > most:
            counts[f"{what} dropped: over the cap"] += len(items) - most
    if problem:
        counts[problem] += 1
    used = {name for fact in triplets.values() for name in (fact.subject, fact.object)}
    other_names = {name for alias in aliases.values() for name in (alias.first, alias.second)}
    why = _ONLY_ALIASES if aliases else _ALL_DROPPED if reply.facts or reply.implied else _NO_FACTS
    return Extraction(
        key=key,
        extractor=extractor,
        triplets=tuple(triplets.values()),
        aliases=tuple(aliases.values()),
        names=tuple(name for name in dict.fromkeys(names) if name not in used | other_names),
        types={name: type_ for name in sorted(other_names.union(names) - used) if (type_ := types.get(name_key(name)))},
        note="" if triplets else why,
        counts=dict(sorted(counts.items())),
    )


@dataclass(frozen=True, kw_only=True)
class _Name:
    """A name that the model gave, and its places in the chunk; none if it occurs only before the chunk."""

    written: str
    places: Sequence[Span]


@dataclass(kw_only=True)
class _Checking:
    """The state of checking one reply against the text of its chunk."""

    chunk: Chunk
    spans: Sequence[Span]
    schema: ExtractionSchema
    connected: frozenset[frozenset[str]] = frozenset()  # names that a fact separates, by their keys
    dates: Mapping[int, Sequence[TextDate]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.finder = PhraseFinder(self.chunk.text)
        self.before = PhraseFinder(self.chunk.before)
        self.worded = [self._term_set(self.chunk.text[start:end]) for start, end in self.spans]

    def names(self, entries: Sequence[tuple[str, Any]]) -> tuple[dict[str, str], list[str]]:
        """The type of each name, by key, and the names that occur in the chunk, as written."""
        types: dict[str, str] = {}
        names: list[str] = []
        seen: Counter[str] = Counter()
        for type_, raw in entries:
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
        sentence_numbers = numbers(raw.get("n"), len(self.spans))
        if describes(raw) and not self.schema.enforced:
            return self._description(subject, object_, sentence_numbers, types)
        if raw.get("not") is True:
            predicate = negated(predicate, self.chunk.language)
        start, end = self._best_sentence(
            sentence_numbers, subject.places, object_.places, predicate, only=implied and bool(sentence_numbers)
        )
        first, second = self._form_in_sentence(subject, (start, end)), self._form_in_sentence(object_, (start, end))
        if is_alias(raw):
            predicate = IS.get(self.chunk.language, ALIAS)
            alias = self._alias(subject, object_, (start, end), sentence_numbers, types)
            if alias is not None or not self._is_described(subject, object_, sentence_numbers):
                return alias
            implied = True
        sentence = self.chunk.text[start:end]
        if not subject.places and not object_.places and not self._term_set(predicate) & self._term_set(sentence):
            self.counts["facts dropped: both names stand only before the chunk"] += 1
            return None
        if not self._is_stated((start, end), predicate, sentence_numbers if implied else (), (subject, object_)):
            self.counts["facts dropped: denied, asked, wished or supposed"] += 1
            return None
        subject_type, object_type = types.get(name_key(first), ""), types.get(name_key(second), "")
        stated = [(start, end), *(self.spans[number - 1] for number in sentence_numbers if implied)]
        if not all(
            self._is_within_reach(name, type_, stated)
            for name, type_ in ((subject, subject_type), (object_, object_type))
        ):
            self.counts["facts dropped: a place is named nowhere near their sentence"] += 1
            return None
        worded = self._by_schema(subject_type, predicate, object_type)
        if worded is None:
            return None
        premises = [self.spans[number - 1] for number in sentence_numbers] if implied else []
        when, day = self._checked_date(raw.get("when"), ends=(first, second), stated=stated)
        return Triplet(
            subject=first,
            predicate=worded,
            object=second,
            start=start,
            end=end,
            subject_type=subject_type,
            object_type=object_type,
            origin="implied" if implied else "explicit",
            according_to=self._speaker(raw.get("by"), ends=(first, second), sentence=(start, end))
            or ("" if implied else self._reporter((start, end), predicate)),
            premises=tuple(span for span in premises if span != (start, end)),
            when=when,
            when_date=day,
        )

    def _description(
        self, subject: _Name, words: _Name, sentence_numbers: Sequence[int], types: Mapping[str, str]
    ) -> Triplet | None:
        """Words that describe a person ("young", "limps"), if the text has them near a sentence that the model names
        and does not deny them there.
        """
        near = [self.spans[n - 1] for n in self._with_neighbours(sentence_numbers)] or self.spans
        sentence = next((span for span in near if _first_within(words.places, span)), None)
        kind, language = types.get(name_key(subject.written), ""), self.chunk.language
        if sentence is None or types.get(name_key(words.written)):
            self.counts["facts dropped: a description stands nowhere near its sentence"] += 1
        elif not is_stated(self.chunk.text[slice(*sentence)], words.written, language):
            self.counts["facts dropped: denied, asked, wished or supposed"] += 1
        else:
            predicate = IS_DESCRIBED.get(language, IS_DESCRIBED["en"])
            if language == "fr" and parse(subject.written).gender == "f":
                predicate = predicate.replace("décrit", "décrite")
            return Triplet(
                subject=self._form_in_sentence(subject, sentence),
                predicate=predicate,
                object=self._form_in_sentence(words, sentence),
                start=sentence[0],
                end=sentence[1],
                subject_type=kind,
                object_type=DESCRIPTION,
            )
        return None

    def _checked_date(self, value: Any, *, ends: tuple[str, str], stated: Sequence[Span]) -> tuple[str, str]:
        """The date of a fact as the text writes it, if it occurs in a sentence of the fact or next to one, and as ISO
        8601; "" if there is none, or if it is not a time.
        """
        written = " ".join(value.split()) if isinstance(value, str) else ""
        if not written:
            return "", ""
        near = [self.spans[n - 1] for n in self._with_neighbours([self.spans.index(span) + 1 for span in stated])]
        places = (place for span in near if (place := _first_within(self.finder.find(written), span)))
        place = next(places, None) if len(written) <= MAX_WHEN else None
        if place is None or not names_a_time(written, self.chunk.language) or name_key(written) in map(name_key, ends):
            self.counts["dates dropped: not near the sentence of their fact, or no date"] += 1
            return "", ""
        return _one_line(self.chunk.text, place), self._day(place)

    def _day(self, place: Span) -> str:
        """The day that words name; the date of writing completes it."""
        near = ((start, date) for start, dates in self.dates.items() for date in dates)
        days = (date.date for at, date in near if at + date.start < place[1] and place[0] < at + date.end)
        return next(days, "") or first_date(self.chunk.text[slice(*place)], self.chunk.language)

    def _usable(self, predicate: str, subject: _Name, object_: _Name, raw: Mapping[str, Any]) -> bool:
        words = {token.folded for token in tokens(predicate)}
        length = len(tokens(_ELISION.sub("", predicate)))
        if not 1 <= length <= MAX_PREDICATE_WORDS or len(predicate) > MAX_PREDICATE:
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

    def _is_stated(self, sentence: Span, predicate: str, premises: Sequence[int], ends: tuple[_Name, _Name]) -> bool:
        """Whether a sentence states a fact. The reader words implied facts, so for these only a predicate that denies
        or supposes something matters: a premise must do so too.
        """
        language = self.chunk.language
        sentences = [self.chunk.text[slice(*self.spans[number - 1])] for number in premises]
        if sentences:
            return is_stated("", predicate, language) or any(is_stated(text, predicate, language) for text in sentences)
        after = self.chunk.text[sentence[1] : sentence[1] + AHEAD]
        places = [place for name in ends if (place := _first_within(name.places, sentence))]
        names = [place[0] - sentence[0] for place in places]
        return is_stated(self.chunk.text[slice(*sentence)], predicate, language, after, names)

    def _is_within_reach(self, name: _Name, type_: str, stated: Sequence[Span]) -> bool:
        """Whether a place or organization is named near a sentence of its fact. Persons can be he and she for pages,
        but places and organizations are named again. An invented fact often uses names from anywhere.
        """
        if type_ not in NAMED_AGAIN or not name.places:
            return True
        last = len(self.spans) - 1
        around = [(max(0, at - REACH), min(last, at + REACH)) for at in map(self.spans.index, stated)]
        if self.chunk.index == 0:
            around.append((0, min(last, REACH)))  # the letterhead: the whole letter may be about it
        return any(_first_within(name.places, (self.spans[a][0], self.spans[b][1])) for a, b in around)

    def _alias(
        self, subject: _Name, object_: _Name, sentence: Span, sentence_numbers: Sequence[int], types: Mapping[str, str]
    ) -> Alias | None:
        """Two names of one thing: they are side by side, or both are proper names in or next to the sentences that the
        model names, and nothing else in the reply separates them.
        """
        first, second = _first_within(subject.places, sentence), _first_within(object_.places, sentence)
        beside = first and second and self.finder.words_between(first, second) <= ALIAS_GAP
        if not beside:
            forms, keys = [parse(name.written) for name in (subject, object_)], frozenset(self._keys(subject, object_))
            kinds = {types[key] for key in keys if types.get(key)}
            genders = {form.gender for form in forms if form.gender}
            called = bool(_CALLED.search(self.chunk.text[slice(*sentence)])) and bool(first or second)
            near = called or all(self._is_near(name, sentence_numbers) for name in (subject, object_))
            apart = keys in self.connected or len(kinds) > 1 or len(genders) > 1
            if not near or apart or not all(form.proper for form in forms):
                self.counts["aliases dropped: the text does not set the names side by side"] += 1
                return None
        names = self._form_in_sentence(subject, sentence), self._form_in_sentence(object_, sentence)
        return Alias(first=names[0], second=names[1], start=sentence[0], end=sentence[1])

    def _is_described(self, subject: _Name, object_: _Name, sentence_numbers: Sequence[int]) -> bool:
        """Whether one of two names of one thing is a description of it, and the text has both. Then the identity is a
        fact and not an alias, because another "gentleman" of the document is somebody else.
        """
        proper = [parse(name.written).proper for name in (subject, object_)]
        near = all(self._is_near(name, sentence_numbers) for name in (subject, object_))
        return near and not all(proper) and frozenset(self._keys(subject, object_)) not in self.connected

    def _keys(self, *names: _Name) -> list[str]:
        return [name_key(name.written) for name in names]

    def _is_near(self, name: _Name, sentence_numbers: Sequence[int]) -> bool:
        """Whether a name occurs in one of the sentences that the model named, or next to one."""
        return any(
            _first_within(name.places, self.spans[number - 1]) for number in self._with_neighbours(sentence_numbers)
        )

    def _with_neighbours(self, sentence_numbers: Sequence[int]) -> list[int]:
        """The sentences of these numbers, then those next to them."""
        beside = (n for number in sentence_numbers for n in (number - 1, number + 1) if 1 <= n <= len(self.spans))
        return [*dict.fromkeys([*sentence_numbers, *beside])]

    def _by_schema(self, subject_type: str, predicate: str, object_type: str) -> str | None:
        """The predicate that the schema allows for the fact; None if the schema is enforced and has no relation for
        it.
        """
        if not self.schema.relations:
            return predicate
        language = self.chunk.language
        fitting = self.schema.fitting(predicate, language)
        inside = next((relation for relation in fitting if relation.allows(subject_type, object_type)), None)
        if inside is not None:
            return inside.name_in(language) if self.schema.enforced else predicate
        pattern = f"{subject_type or '?'} - {fold(predicate)} - {object_type or '?'}"
        self.counts[f"facts outside the schema, {'dropped' if self.schema.enforced else 'kept'}: {pattern}"] += 1
        return None if self.schema.enforced else predicate

    def _speaker(self, name: Any, *, ends: tuple[str, str], sentence: Span) -> str:
        """Who asserts a fact, as the text writes the name; "" if the text itself does. Small models often give somebody
        who takes part in the fact: a name in the fact itself counts only if the sentence quotes."""
        if not isinstance(name, str) or not tokens(name) or " ".join(fold(name).split()) in _THE_TEXT:
            return ""
        speaker = self._find(name)
        if speaker is None:
            return ""
        if name_key(speaker.written) in map(name_key, ends) and not is_quoted(self.chunk.text, sentence):
            self.counts["speakers dropped: the sentence does not quote them"] += 1
            return ""
        return speaker.written

    def _reporter(self, sentence: Span, predicate: str) -> str:
        """The person whom the sentence itself quotes: "Ann told the clerk that"; "" for the text, or a pronoun."""
        who = speaker_of(self.chunk.text[slice(*sentence)], predicate, self.chunk.language)
        places = self.finder.find(who) if who else []
        return _one_line(self.chunk.text, places[0]) if places else ""

    def _find(self, name: Any) -> _Name | None:
        """A name that the model gave, as the text writes it; None, with a count of the reason, if it is not usable."""
        if not isinstance(name, str) or not (folded := [token.folded for token in tokens(name[: 2 * MAX_NAME_CHARS])]):
            why = "empty"
        elif len(name) > MAX_NAME_CHARS or len(folded) > MAX_NAME_WORDS:
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

    def _form_in_sentence(self, name: _Name, sentence: Span) -> str:
        """The name as the sentence writes it, if it occurs there."""
        place = _first_within(name.places, sentence)
        return _one_line(self.chunk.text, place) if place else name.written

    def _term_set(self, text: str) -> set[str]:
        return set(terms(text, self.chunk.language))

    def _best_sentence(
        self,
        sentence_numbers: Sequence[int],
        subjects: Sequence[Span],
        objects: Sequence[Span],
        predicate: str,
        *,
        only: bool,
    ) -> Span:
        """The sentence for a fact: the one that the model names, unless another contains much more of the fact; with
        `only`, one of those that it names. Small models miscount, and the sentence shown as evidence would not even
        contain the names; in a story the right sentence often has only pronouns.
        """
        verb = self._term_set(predicate)

        def score_of(index: int) -> int:
            ends = sum(_first_within(places, self.spans[index]) is not None for places in (subjects, objects))
            return ends + bool(verb & self.worded[index])

        def rank(index: int) -> tuple[int, int, int]:
            return -score_of(index), min((abs(index + 1 - number) for number in sentence_numbers), default=0), index

        best = min(range(len(self.spans)), key=rank)
        named = min((number - 1 for number in sentence_numbers), key=rank, default=best)
        return self.spans[named if only or score_of(best) - score_of(named) < MISCOUNTED else best]


def _overlap(firsts: Sequence[Span], seconds: Sequence[Span]) -> bool:
    """Whether two names occur only inside each other."""
    apart = any(a[1] <= b[0] or b[1] <= a[0] for a in firsts for b in seconds)
    return bool(firsts) and bool(seconds) and not apart


def _first_within(places: Sequence[Span], span: Span) -> Span | None:
    return next((place for place in places if span[0] <= place[0] < span[1]), None)


def _one_line(text: str, span: Span) -> str:
    return " ".join(text[slice(*span)].split())
