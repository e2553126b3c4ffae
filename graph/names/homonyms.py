"""One form, two people: if several persons of a document have one form, which of them each place means.

    named-before   the narrator's "Mr. Marsh", if John Marsh is the only Marsh who was named shortly before
    addressed      somebody speaks to "Mr. Marsh", and John Marsh is the only Marsh who is named near it
    untold         a form that usually means one person: somebody speaks to or of that name, and others are present

The result depends only on the document's text and names, not on the rest of the workspace.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal

from filigraph.graph import ids
from filigraph.graph.ids import content_part
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import MentionLike, Occurrence, Part
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.index import Names
from filigraph.graph.names.mentions import as_written
from filigraph.graph.names.propose.short_forms import ShortForm, short_forms
from filigraph.graph.names.resolve import resolve
from filigraph.graph.records.documents import NameOccurrences
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.text.names.pairs import person_shaped
from filigraph.graph.text.names.tables import ARTICLES, ELISIONS, POSSESSIVES
from filigraph.graph.text.names.titles import is_knight
from filigraph.graph.text.quotes import is_open
from filigraph.graph.text.speech import speaker_of

Rule = Literal["named-before", "addressed", "untold"]
# the entity that a place means, "" if unknown; None if the place keeps the entity of its form
PlaceMeaning = tuple[str, Rule | None]

# characters before a place in which a person counts as present: the first of these distances with a person
REACHES = (700, 1500, 3000)
AFTER = 250  # characters after a place
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_DASH = re.compile(r"\s*[-–—―]")
_OPENS = re.compile(
    r"(?:^|[,;:.!?…(\"“„«‹「『—–―]|--)\s*(?:(?:my|mon|ma|m[ey]s)\s+)?(?:(?:dear|ch[eè]re?)\s+)?$", re.IGNORECASE
)
_CLOSES = re.compile(r"\s*(?:[,;:.!?…)\"”»›」』—–―]|--)")
_ENDS = re.compile(r"[.!?…][\"”»›」』]?\s")
_PHRASE = re.compile(r"(?:^|[^\w'’])(\w+['’]?)(?:\s+\w+){1,2},\s*$")
_DETERMINERS = frozenset(word for words in (ARTICLES, ELISIONS, POSSESSIVES) for word in words)


@dataclass(frozen=True, kw_only=True)
class SharedForm:
    """A form that several persons of a document have."""

    mentions: Sequence[str]  # with this form
    bearers: Mapping[str, str]  # entity -> its mention with the most frequent longer name
    home: str  # the entity that the form is resolved to, if it is one of these persons; else ""


def shared_forms(document: str, names: Names, entity_of: Mapping[str, str]) -> Iterator[SharedForm]:
    """The surnames of a document, with a title or without, that end longer names of several entities.

    If a form is not resolved, only the persons count that it is certainly short for: "Mrs. Bennet" is neither Jane nor
    Elizabeth. If it is resolved, all persons count that it fits: somebody says "Miss Bennet" to Elizabeth.
    """
    mentions: dict[str, list[MentionLike]] = defaultdict(list)
    for mention in names.documents.get(document, ()):
        mentions[mention.key].append(mention)
    short_of = {short.key: short for short in _ambiguous_forms(document, names)}
    for key in sorted(short_of):
        own = [mention.id for mention in mentions[key]]
        bearers: dict[str, MentionLike] = {}
        for mention in chain.from_iterable(mentions[other] for other in _ending_in(key, document, names)):
            entity = entity_of[mention.id]
            if entity not in bearers or _by_count(mention) < _by_count(bearers[entity]):
                bearers[entity] = mention
        homes = {entity_of[id_] for id_ in own} & bearers.keys()
        if not homes:
            sure = {entity_of[mention] for mention, _ in short_of[key].longer}
            bearers = {entity: mention for entity, mention in bearers.items() if entity in sure}
        elif gender := names.of[bearers[min(homes)].key].gender:
            bearers = {e: m for e, m in bearers.items() if names.of[m.key].gender in ("", gender)}
        if len(bearers) > 1 and len(homes) < 2:
            those = {entity: bearers[entity].id for entity in sorted(bearers)}
            yield SharedForm(mentions=own, bearers=those, home=next(iter(homes), ""))


def _ambiguous_forms(document: str, names: Names) -> Iterator[ShortForm]:
    here = names.keys_in.get(document, frozenset())
    if any(len(here & names.longer.get(key, frozenset())) > 1 for key in here):
        for group in chain.from_iterable(short_forms(document, names)):
            if group.rule == "contained":
                yield from group.short


def _ending_in(key: str, document: str, names: Names) -> Iterator[str]:
    """The names of persons in the document that end in the words of this one, and that it fits."""
    words = names.of[key].core
    for other in names.fitting(key, sorted(names.keys_in[document] & names.longer.get(key, frozenset()))):
        name = names.of[other]
        is_longer = len(name.core) > len(words) and name.core[-len(words) :] == words
        # "Sir Thomas" is not a "Mr. Bertram"
        if is_longer and person_shaped(name, names.given) and not is_knight(name):
            yield other


def _by_count(mention: MentionLike) -> tuple[int, str]:
    return -mention.count, mention.id


class FormPlaces:
    """Which person each place of a shared form means."""

    def __init__(
        self,
        text: str,
        language: str,
        places: Mapping[str, Sequence[Span]],
        entity_of: Mapping[str, str],
        forms: Sequence[SharedForm],
    ) -> None:
        """`places` of each mention in the document's `text`."""
        self.text, self.language = text, language
        shared = {id_ for form in forms for id_ in form.mentions}
        wanted = {entity for form in forms for entity in form.bearers}
        self._named: dict[str, list[int]] = defaultdict(list)  # entity -> where its unshared names begin
        for mention, spans in places.items():
            if mention not in shared and (entity := entity_of.get(mention, "")) in wanted:
                self._named[entity] += [start for start, _ in spans]
        for starts in self._named.values():
            starts.sort()

    @cached_property
    def _paragraphs(self) -> Sequence[int]:
        return [0, *(match.end() for match in _PARAGRAPH.finditer(self.text))]

    def _paragraph(self, at: int) -> Span:
        """The span of the paragraph; in a long one, of the lines around the place: a text without blank lines is one
        paragraph.
        """
        number = bisect_left(self._paragraphs, at + 1) - 1
        after = self._paragraphs[number + 1] if number + 1 < len(self._paragraphs) else len(self.text)
        first = self._paragraphs[number]
        if at - first > REACHES[-1]:
            first = at - REACHES[-1]
            first = max(first, self.text.find("\n", first, at) + 1)
        return first, min(after, at + REACHES[-1])

    def _persons_named_in(self, form: SharedForm, start: int, end: int) -> Mapping[str, int]:
        """The persons with an unshared name that begins in this span, each with its last place."""
        last: dict[str, int] = {}
        for entity in form.bearers:
            starts = self._named.get(entity, [])
            number = bisect_left(starts, end)
            if number and starts[number - 1] >= start:
                last[entity] = starts[number - 1]
        return last

    def person_at(self, form: SharedForm, place: Span) -> PlaceMeaning:
        start, end = place
        first, last = self._paragraph(start)
        before = self.text[first:start]
        spoken = is_open(before) or bool(_DASH.match(self.text, first))
        if spoken and _OPENS.search(before) and _CLOSES.match(self.text, end) and not _is_apposition(before):
            return self._addressed(form, place, first, last)
        if form.home:
            return self._in_speech_or_home(form, start, spoken=spoken)
        return self._named_before(form, start, spoken=spoken)

    def _nearest_persons(self, form: SharedForm, start: int, end: int) -> Mapping[str, int]:
        """The persons who are named nearest before a place, and after it up to `end`."""
        return next((near for reach in REACHES if (near := self._persons_named_in(form, start - reach, end))), {})

    def _addressed(self, form: SharedForm, place: Span, first: int, last: int) -> PlaceMeaning:
        """Somebody speaks to the person: the person is present and is not the speaker."""
        start, end = place[0], max(last, place[0] + AFTER)
        near = {
            entity: at
            for entity, at in self._nearest_persons(form, start, end).items()
            if not self._speaks(at, place, first)
        }
        if len(near) == 1 and (
            form.home in near or form.home not in self._persons_named_in(form, start - REACHES[1], end)
        ):
            (entity,) = near
            return entity, "addressed"
        return ("", "untold") if form.home and near else (form.home, None)

    def _speaks(self, at: int, place: Span, first: int) -> bool:
        """Whether a name in the same paragraph is the speaker's."""
        if at < first:
            return False
        near = self.text[first : self._paragraph(place[0])[1]]
        return bool(speaker_of(near, (place[0] - first, place[1] - first), (at - first,), self.language))

    def _in_speech_or_home(self, form: SharedForm, start: int, *, spoken: bool) -> PlaceMeaning:
        """In narration, the form means the entity that it is resolved to. In speech it may mean another person."""
        near = self._nearest_persons(form, start, start) if spoken else {}
        return ("", "untold") if near and form.home not in near else (form.home, None)

    def _named_before(self, form: SharedForm, start: int, *, spoken: bool) -> PlaceMeaning:
        """The only person whose name ends before the place; in the same sentence it would be somebody else."""
        near = self._persons_named_in(form, start - REACHES[0], start)
        if len(near) == 1 and not spoken:
            ((entity, at),) = near.items()
            if _ENDS.search(self.text, at, start):
                return entity, "named-before"
        return "", None


def _is_apposition(before: str) -> bool:
    """Whether a name after a comma says who somebody is: "your cousin, Mr. Bertram"."""
    phrase = _PHRASE.search(before[-60:])
    return phrase is not None and phrase[1].rstrip("'’").casefold() in _DETERMINERS


# --------------------------------------------------------------------------------------------------------------------
# Parts


def may_share_forms(keys: Iterable[str]) -> bool:
    """Whether the names of a document may include shared forms: a quick check of their last words."""
    ends = Counter(key.rpartition(" ")[2] for key in set(keys))
    return any(count > 2 for count in ends.values())


def parts_by_context(
    document: NameOccurrences,
    rows: Iterable[MentionRow],
    *,
    taken: Set[Occurrence] = frozenset(),
    cast: Sequence[CastReading] = (),
) -> list[Part]:
    """The parts of the document's mentions that its text determines. `rows`: its mentions, with or without parts;
    `taken`: the places that persons split off; `cast`: who is who, according to an LLM.
    """
    whole = _Whole(document, taken)
    mentions = whole.mentions(rows)
    names = Names([mention for mention in mentions if mention.key])
    if not any(len([*_ending_in(short.key, document.id, names)]) > 1 for short in _ambiguous_forms(document.id, names)):
        return []
    entity_of = resolve(find_candidates(mentions), casts={document.id: cast} if cast else None).entity_of
    forms = list(shared_forms(document.id, names, entity_of))
    languages = Counter(mention.language for mention in mentions)
    language = min(languages, key=lambda one: (not one, -languages[one], one))
    places = FormPlaces(whole.text, language, whole.places, entity_of, forms)
    return [
        part for form in forms for mention in form.mentions for part in _parts_of_mention(mention, form, places, whole)
    ]


def _parts_of_mention(mention: str, form: SharedForm, places_of_forms: FormPlaces, whole: _Whole) -> Iterator[Part]:
    spans: dict[tuple[str, Rule], list[Span]] = defaultdict(list)
    for place in whole.places[mention]:
        entity, rule = places_of_forms.person_at(form, place)
        if rule and (entity != form.home or not entity):
            spans[entity, rule].append(place)
    if sum(map(len, spans.values())) == len(whole.places[mention]):  # a mention has at least one place
        min(spans.values(), key=lambda those: (len(those), those)).pop()
    for (entity, rule), those in sorted(spans.items()):
        if those:
            bearers = (form.bearers[entity],) if entity else tuple(sorted(form.bearers.values()))
            places = tuple(sorted(chain.from_iterable(whole.at[mention, span] for span in those), key=_in_order))
            content = ids.content_id("told", rule, *map(content_part, bearers if entity else ()))
            yield Part(id=ids.part_id(mention, content), of=mention, places=places, rule=rule, bearers=bearers)


def _in_order(place: Occurrence) -> tuple[str, int, int]:
    return place.chunk_id, place.start, place.end


class _Whole:
    """The places of a document's mentions, regardless of parts."""

    def __init__(self, document: NameOccurrences, taken: Set[Occurrence]) -> None:
        self.document = document
        self.text = _text_of(document)
        self.at: dict[tuple[str, Span], list[Occurrence]] = defaultdict(list)  # a place in the overlap of two chunks
        for chunk in document.chunks:
            for mention, start, end in chunk.names:
                place = Occurrence(chunk_id=chunk.id, start=start, end=end)
                if place not in taken:
                    self.at[mention, (chunk.start + start, chunk.start + end)].append(place)
        self.places: dict[str, list[Span]] = defaultdict(list)
        for mention, span in sorted(self.at):
            self.places[mention].append(span)

    def mentions(self, rows: Iterable[MentionRow]) -> list[MentionRow]:
        """The mentions without parts. If a mention was not read, its form is the most frequent one at its places."""
        by_whole: dict[str, list[MentionRow]] = defaultdict(list)
        for row in rows:
            by_whole[row.part_of or row.id].append(row)
        mentions = []
        for id_ in sorted(self.places.keys() & by_whole.keys()):
            rows_read = sorted((row.part_of, row.form, row.language) for row in by_whole[id_] if not row.scanned)
            as_found = as_written((self.text[slice(*span)], "") for span in self.places[id_])
            form, language = rows_read[0][1:] if rows_read else as_found
            count = len(self.places[id_])
            mentions.append(replace(by_whole[id_][0], id=id_, form=form, language=language, count=count, part_of=""))
        return mentions


def _text_of(document: NameOccurrences) -> str:
    pieces, length = list[str](), 0
    for chunk in sorted(document.chunks, key=lambda chunk: (chunk.start, chunk.id)):
        new = "\n" * (chunk.start - length) + chunk.text[max(length - chunk.start, 0) :]
        pieces.append(new)
        length += len(new)
    return "".join(pieces)
