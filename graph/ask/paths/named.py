"""Named: the path that a language model names after reading, checked step by step against what it cites.

A step "subject - relation - object [n]" becomes a hop of the first kind that holds:

    fact      a fact of the graph that extract n supports, between these two, by these words
    identity  "X is Y" of two names: with the sentences that name them; they may be two entities of the graph
    sentence  a sentence of extract n, or two neighbours, that name both ends; or one that says most of it, with the
              sentences of the same extract, or its title, that name who and what ("I", "he", rows of tables)
    unfound   nothing of the kind: it is shown as such, and counted

The model is never believed: the sentence that a hop shows is of the text, and the ends are what the chunk names so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from filigraph.graph.ask.paths.verbalize import to_cypher, to_hop
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.ids import content_id
from filigraph.graph.model import Evidence, Hop, Matrix, Path, PoolChunk, PoolFact, Span
from filigraph.graph.text.find import Finder
from filigraph.graph.text.names.parse import is_proper, name_key
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.places import place_of
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import fold, terms, tokens

Embed = Callable[[Sequence[str]], Matrix]

MOST_STEPS = 12
LONGEST_PART = 200  # characters of an end or a relation
NEAR = 2  # sentences in which both ends have to be named
SAID, NAMED, FAR = 0.6, 0.3, 0.03  # beside twice the cosine: words of the relation, of an end, a sentence between ends
SHARE = 0.5  # of the words of a description that a sentence must have to name it
TOLD = 0.6  # of the words of a relation that a sentence must have to say it without the name of an end

_STEP = re.compile(r"\s+(?:>|→|⇒|->|=>)\s+|\s*(?:→|⇒)\s*|\s*;\s+(?=[^\[\]]*\[)")
_PART = re.compile(r"\s+[-–—―]{1,2}\s+")
_NUMBERS = re.compile(r"[\[【]\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】]")
_PATH_NUMBER = re.compile(r"\[[Pp]\d+\]")
_PRONOUNS = PRONOUNS - FUNCTION_WORDS
# Folded: relations that say that two names are one.
_IDENTITY = frozenset(
    form
    for forms in (
        "is|was|=|equals|is the same as|is the same person as|is identical to|is identical with|is also|is really",
        "is also called|also called|alias|is an alias of|is known as|is called|is named|is no other than",
        "est|etait|est la meme que|est le meme que|est la meme personne que|est aussi|est en realite|dit|dite",
        "est appele|est appelee|n'est autre que|s'appelle|se nomme",
        "es|es la misma que|es el mismo que|ist|ist identisch mit|e|e lo stesso di|это|是",
    )
    for form in forms.split("|")
)


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step as the model names it."""

    subject: str
    relation: str
    object: str
    numbers: tuple[int, ...]  # of the extracts that it cites

    @property
    def is_identity(self) -> bool:
        """Whether it says that two names, or a name and a description, are one."""
        return fold(self.relation).strip(" .") in _IDENTITY

    @property
    def is_of_names(self) -> bool:
        return is_proper(self.subject) and is_proper(self.object)


def read_steps(path: str) -> list[Step]:
    """The steps of a PATH line, the first MOST_STEPS; what is no step is left out."""
    found: list[Step] = []
    for part in _STEP.split(_PATH_NUMBER.sub("", path)):
        numbers = tuple(int(n) for match in _NUMBERS.finditer(part) for n in re.findall(r"\d+", match[1]))
        pieces = [piece.strip(' \t"“”«»*_.') for piece in _PART.split(_NUMBERS.sub("", part).strip())]
        pieces = [piece[:LONGEST_PART] for piece in pieces if piece]
        if len(pieces) < 2 or not all(name_key(end) for end in (pieces[0], pieces[-1])):
            continue
        relation = " ".join(pieces[1:-1])
        found.append(Step(subject=pieces[0], relation=relation, object=pieces[-1], numbers=numbers))
    return found[:MOST_STEPS]


def named_path(
    said: str,
    extracts: Sequence[Evidence],
    reader: GraphReader,
    embed: Embed,
    *,
    order: Sequence[int] = (),
    without_own: bool = False,
) -> Path | None:
    """The path that a model names over its extracts ([n] is `extracts[n - 1]`); None where it names none.

    `embed` gives texts vectors of length 1: they find the sentence of an extract that is most like a step.
    A step that cites no extract is looked for in those that the other steps and `order`, the answer's own citations,
    cite.
    """
    steps = read_steps(said)
    if not steps:
        return None
    chunks = [item for item in extracts if item.kind == "chunk"]
    numbered = {n: item for n, item in enumerate(extracts, start=1) if item.kind == "chunk"}
    cited = list(dict.fromkeys(n for n in (*(n for step in steps for n in step.numbers), *order) if n in numbered))
    wanted = {numbered[n].id for n in cited}
    pool = {chunk.id: chunk for chunk in reader.pool([item.id for item in chunks if item.id in wanted])}
    entities = _entities(steps, reader)
    texts = {
        n: _Extract(numbered[n], pool.get(numbered[n].id), entities, embed, without_own=without_own) for n in cited
    }
    hops = tuple(_joined([_hop(step, texts, cited) for step in steps]))
    found = sum(hop.kind != "unfound" for hop in hops)
    key = [part for hop in hops for part in (hop.subject, hop.predicate, hop.object, hop.chunk_id)]
    return Path(
        id=content_id("path", "named", *key),
        hops=hops,
        score=found / len(hops),
        text="; ".join(map(hop_text, hops)),
        cypher=to_cypher(hops),
        origin="named",
    )


def hop_text(hop: Hop) -> str:
    return " ".join(filter(None, (hop.subject, hop.predicate, hop.object)))


def _entities(steps: Sequence[Step], reader: GraphReader) -> Mapping[str, Sequence[str]]:
    """The ids of the entities that bear the name of an end, by its normal form, the most mentioned first."""
    keys = {name_key(end) for step in steps for end in (step.subject, step.object)}
    found: dict[str, list[str]] = {key: [] for key in keys}
    for entity in reader.entities_named(sorted(keys)):
        found[entity.key].append(entity.entity_id)
    return found


# --------------------------------------------------------------------------------------------------------------------
# An extract


class _Extract:
    """An extract that a step cites: its sentences, and what the graph has of it."""

    def __init__(
        self,
        item: Evidence,
        chunk: PoolChunk | None,
        entities: Mapping[str, Sequence[str]],
        embed: Embed,
        *,
        without_own: bool,
    ) -> None:
        self._without_own = without_own
        self._embed = embed
        self._vectors: Matrix | None = None  # of the sentences, once they are asked for
        self.item, self.chunk, self._entities = item, chunk, entities
        self.language = chunk.language if chunk else ""
        self.spans = sentences(item.text, self.language)
        self._finders = [Finder(item.text[start:end]) for start, end in self.spans]
        self._terms = [frozenset(terms(item.text[start:end], self.language)) for start, end in self.spans]
        self._names = self._names_of()
        self._named: dict[str, list[float]] = {}  # what `named` has told

    def _names_of(self) -> Mapping[str, frozenset[str]]:
        """Entity id -> the names under which this chunk's facts and mentions have it."""
        found: dict[str, set[str]] = {}
        for entity in self.chunk.entities if self.chunk else ():
            found.setdefault(entity.entity_id, set()).add(entity.name)
        for fact in self.chunk.facts if self.chunk else ():
            found.setdefault(fact.subject_id, set()).add(fact.subject)
            found.setdefault(fact.object_id, set()).add(fact.object)
        return {id_: frozenset(names) for id_, names in found.items()}

    def entity(self, end: str) -> str:
        """The id of the entity that this chunk means by a name; "" for none, or where it may be several."""
        here = [id_ for id_ in self._entities.get(name_key(end), ()) if id_ in self._names]
        if here:
            return here[0]
        words = self._words(end)
        alike = [id_ for id_, names in self._names.items() if any(self._words(name) == words for name in names)]
        alike = alike or [id_ for id_, names in self._names.items() if any(self._means(end, name) for name in names)]
        return alike[0] if len(alike) == 1 else ""

    def _means(self, end: str, name: str) -> bool:
        """Whether an end is a shorter or longer form of a name, or a description of which a name says more."""
        words, others = self._words(end), self._words(name)
        return is_proper(name) and _within(words, others) if is_proper(end) else bool(words) and words <= others

    def named(self, end: str) -> Sequence[float]:
        """How surely each sentence names an end: 1 word by word, less by another name of it or by most of its words; 0
        not at all."""
        if end not in self._named:
            proper, words = is_proper(end), self._words(end)
            others = [name for name in self._names.get(self.entity(end), ()) if is_proper(name) or not proper]
            own = frozenset(terms(" ".join(_capitalized(end)), self.language)) if proper else frozenset()

            def sure(finder: Finder, said: frozenset[str]) -> float:
                if finder.find(end):
                    return 1.0
                if words and words <= said:
                    return 0.9
                if any(map(finder.find, others)):
                    return 0.8
                if proper:
                    return 0.6 if own & said else 0.0
                share = len(words & said) / len(words) if words else 0.0
                return 0.7 * share if share >= SHARE else 0.0

            self._named[end] = list(map(sure, self._finders, self._terms))
        return self._named[end]

    def says(self, relation: str, sentence: int) -> float:
        """Share of the words of a relation that a sentence has."""
        words = self._words(relation)
        return len(words & self._terms[sentence]) / len(words) if words else 0.0

    def _words(self, text: str) -> frozenset[str]:
        """The index terms of the words that tell something; of all where none does."""
        telling = " ".join(token.text for token in tokens(text) if token.folded not in FUNCTION_WORDS)
        return frozenset(terms(telling, self.language)) or frozenset(terms(text, self.language))

    def fact(self, step: Step) -> PoolFact | None:
        """The fact of this chunk that says the step: between its ends, by a word of its relation."""
        subject, object_ = self.entity(step.subject), self.entity(step.object)
        if self.chunk is None or not subject or not object_ or subject == object_:
            return None
        between = [fact for fact in self.chunk.facts if {fact.subject_id, fact.object_id} == {subject, object_}]
        words = self._words(step.relation)
        alike = [
            (len(words & self._words(fact.predicate)), fact.subject_id == subject, fact)
            for fact in between
            if fact.origin != "cooccurrence" and not (self._without_own and fact.origin == "own")
        ]
        best = max(alike, key=lambda found: found[:2], default=None)
        return best[2] if best and best[0] and best[1] else None

    def window(self, step: Step) -> tuple[int, int] | None:
        """The first and the last of the neighbouring sentences that name both ends, those first that say most of the
        relation."""
        found: list[tuple[float, int, int]] = []
        subject, object_ = self.named(step.subject), self.named(step.object)
        for first in range(len(self.spans)):
            for last in range(first, min(first + NEAR, len(self.spans))):
                sure = max(subject[first : last + 1]), max(object_[first : last + 1])
                if min(sure) > 0.0:
                    said = max(self.says(step.relation, n) for n in range(first, last + 1))
                    found.append((sum(sure) + said - 0.3 * (last - first), -first, -last))
        best = max(found, default=None)
        return (-best[1], -best[2]) if best else None

    def shown(self, step: Step) -> tuple[int, int, tuple[str, ...]] | None:
        """The first and the last of the sentences that say the step best, and what stands beside them: other sentences,
        or the title, that name the ends which they do not name. None where nothing says it.

        An end that nothing names may be a pronoun of a sentence that says the relation ("We cleared port").
        """
        ends = self.named(step.subject), self.named(step.object)
        alike = self._alike(step)
        best: tuple[float, int, frozenset[int], bool] | None = None
        for n in range(len(self.spans)):
            named, said = max(sure[n] for sure in ends), self.says(step.relation, n)
            told = said >= TOLD and len(self._words(step.relation)) > 1
            further: set[int] = set()
            titled = False
            for end, sure in zip((step.subject, step.object), ends, strict=True):
                place = None if sure[n] else _nearest(n, sure)
                if place is not None:
                    further.add(place)
                elif not sure[n] and told and self._in_title(end):
                    titled = True
                elif not sure[n] and not (told and self._has_pronoun(n)):
                    break
            else:
                if not named and not told:
                    continue
                how = 2 * alike[n] + SAID * said + NAMED * sum(sure[n] for sure in ends)
                score = how - FAR * sum(abs(n - place) for place in further)
                if best is None or score > best[0]:
                    best = score, n, frozenset(further), titled
        if best is None:
            return None
        _, n, others, titled = best
        first, last = n, n
        more = self._adds(step, n, others)
        if more is not None:
            first, last = min(n, more), max(n, more)
        first, last = first - (first - 1 in others), last + (last + 1 in others)
        texts = [self.item.text[slice(*self.spans[place])] for place in sorted(others) if not first <= place <= last]
        return first, last, (*([self.item.title] if titled else []), *texts)

    def _adds(self, step: Step, sentence: int, others: Set[int]) -> int | None:
        """The neighbour that has words of the step which neither the sentence nor those beside it have."""
        words = self._words(f"{step.subject} {step.relation} {step.object}")
        known = words & frozenset().union(*(self._terms[n] for n in (sentence, *others)))
        near = [n for n in (sentence + 1, sentence - 1) if 0 <= n < len(self.spans)]
        added = {n: len((words - known) & self._terms[n]) for n in near}
        most = max(near, key=lambda n: added[n], default=None)
        return most if most is not None and added[most] else None

    def _alike(self, step: Step) -> Sequence[float]:
        """The cosine of each sentence with a step."""
        if self._vectors is None:
            self._vectors = self._embed([self.item.text[start:end] for start, end in self.spans])
        (vector,) = self._embed([f"{step.subject} {step.relation} {step.object}"])
        return [float(cosine) for cosine in self._vectors @ vector]

    def _in_title(self, end: str) -> bool:
        words = frozenset(terms(" ".join(_capitalized(end)), self.language)) if is_proper(end) else self._words(end)
        return bool(words) and words <= frozenset(terms(f"{self.item.title} {self.item.source}", self.language))

    def _has_pronoun(self, sentence: int) -> bool:
        return any(word.folded in _PRONOUNS for word in tokens(self.item.text[slice(*self.spans[sentence])]))

    def naming(self, end: str) -> int | None:
        """The sentence that names an end best; None where none does."""
        sure = [(how, -n) for n, how in enumerate(self.named(end))]
        best = max(sure, default=(0.0, 0))
        return -best[1] if best[0] > 0.0 else None

    def span(self, first: int, last: int) -> Span:
        return self.spans[first][0], self.spans[last][1]


def _nearest(sentence: int, sure: Sequence[float]) -> int | None:
    """The sentence before, or else after, that names an end."""
    named = [n for n, how in enumerate(sure) if how > 0]
    before = [n for n in named if n < sentence]
    return before[-1] if before else named[0] if named else None


def _within(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and (one <= other or other <= one)


def _capitalized(name: str) -> list[str]:
    return [token.text for token in tokens(name) if token.text[:1].isupper() or token.text[:1].isdigit()] or [name]


# --------------------------------------------------------------------------------------------------------------------
# A hop


def _hop(step: Step, texts: Mapping[int, _Extract], cited: Sequence[int]) -> Hop:
    """The step as the texts say it: by the extracts that it cites, or, where it cites none, by the others."""
    own = [texts[n] for n in step.numbers if n in texts] or [texts[n] for n in cited]
    for extract in own:
        if fact := extract.fact(step):
            return to_hop(fact, extract.item, 1.0)
    everywhere = [*own, *(texts[n] for n in cited if texts[n] not in own)]
    if step.is_identity and step.is_of_names and (hop := _identity(step, own, everywhere)):
        return hop
    for extract in own:
        if extract.window(step) and (hop := _sentence(step, extract)):
            return hop
    if step.is_identity and (hop := _identity(step, own, everywhere)):
        return hop
    for extract in own:
        if hop := _sentence(step, extract):
            return hop
    return Hop(
        kind="unfound",
        subject=step.subject,
        predicate=step.relation,
        object=step.object,
        subject_id="",
        object_id="",
        chunk_id="",
        sentence="",
        start=0,
        end=0,
        score=0.0,
    )


def _sentence(step: Step, extract: _Extract) -> Hop | None:
    """The step as sentences of the extract say it; None where none does."""
    found = extract.shown(step)
    if found is None:
        return None
    first, last, premises = found
    return replace(_plain("sentence", step, extract, *extract.span(first, last)), premises=premises)


def _plain(kind: str, step: Step, extract: _Extract, start: int, end: int) -> Hop:
    return Hop(
        kind="identity" if kind == "identity" else "sentence",
        subject=step.subject,
        predicate=step.relation,
        object=step.object,
        subject_id=extract.entity(step.subject),
        object_id=extract.entity(step.object),
        chunk_id=extract.item.id,
        sentence=extract.item.text[start:end],
        start=start,
        end=end,
        score=1.0,
        date=extract.item.date,
        place=place_of(extract.item.places, start, end, otherwise=extract.item.place),
    )


def _identity(step: Step, own: Sequence[_Extract], extracts: Sequence[_Extract]) -> Hop | None:
    """Two names of one: the sentence that has both, else a sentence for each, one of them of an extract that the step
    cites."""
    for extract in own:
        if window := extract.window(step):
            return _known(_plain("identity", step, extract, *extract.span(*window)), step, own)
    first = next(((one, n) for one in extracts if (n := one.naming(step.subject)) is not None), None)
    other = next(((one, n) for one in extracts if (n := one.naming(step.object)) is not None), None)
    if first is None or other is None or not (first[0] in own or other[0] in own):
        return None
    (extract, place), (second, where) = first, other
    hop = _plain("identity", step, extract, *extract.span(place, place))
    start, end = second.span(where, where)
    return _known(
        replace(
            hop,
            premises=(second.item.text[start:end],),
            premise_chunk_ids=(second.item.id,) if second is not extract else (),
        ),
        step,
        extracts,
    )


def _known(hop: Hop, step: Step, extracts: Sequence[_Extract]) -> Hop:
    """The hop with the entities of both names, and whether the graph keeps them apart."""
    subject = hop.subject_id or next(filter(None, (one.entity(step.subject) for one in extracts)), "")
    object_ = hop.object_id or next(filter(None, (one.entity(step.object) for one in extracts)), "")
    return replace(hop, subject_id=subject, object_id=object_, apart=bool(subject and object_ and subject != object_))


def _joined(hops: Sequence[Hop]) -> Iterator[Hop]:
    """Each hop, and whether one of its ends is an end of an earlier one."""
    met: list[tuple[str, str]] = []
    for hop in hops:
        ends = [(hop.subject_id, hop.subject), (hop.object_id, hop.object)]
        yield replace(hop, joined=not met or any(_same(end, other) for end in ends for other in met))
        met += ends


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two ends are one: by their entity, else by their words."""
    if one[0] and one[0] == other[0]:
        return True
    words, others = (frozenset(name_key(end[1]).split()) - FUNCTION_WORDS for end in (one, other))
    return _within(words, others)
