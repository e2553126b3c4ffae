"""Resolve: which mentions refer to one entity. Rules propose, guards veto, persons overrule both.

In this order, and within a rule by falling score and then by ids, so that the order of the mentions does not matter:

    person           a person said so
    alias-file       a person's list of names says so
    document-alias   the document itself says so ("The Claw, dite La Griffe"); in that document
    exact            the same key; full names in all documents, short forms within one document
    core             the same but for title, epithet, legal form or spacing
    spelling         one slip of the pen in one long word of a full name
    vector           cosine of the names > 0.9, and no word of one is without its like in the other
    contained        a short form, to the one longer name of its document that it is short for

A form is *short* if it is a bare common noun, or if a longer name of the workspace goes on as it ("Delmas" where there
is a "Jules Delmas", "J. Delmas" likewise); any other is *full*. Short forms never leave their document, or one Delmas
would join another's. The exception is a name that stands alone in many documents ("London", for all of Jack London).

A veto is for the whole cluster: "J. Delmas" is no bridge from Jules to Jean.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from filigraph.graph import ids
from filigraph.graph.model import AliasGroup, Decision, Resolution, Vector
from filigraph.graph.text.name_blocks import close_pairs, longer_names
from filigraph.graph.text.name_pairs import (
    Signature,
    conflict,
    difference,
    one_sided,
    person_shaped,
    signature,
)
from filigraph.graph.text.name_tables import GIVEN_NAMES, PLAIN_TITLES, TYPE_CLASSES
from filigraph.graph.text.names import Name, content_words, name_key, parse

MIN_COSINE = 0.9  # above it two names are taken for one (the user's own rule)
REVIEW_COSINE = 0.8  # above it a person is asked
REVIEW_SIMILARITY = 0.85  # of the letters, likewise
DESCRIPTION = 3  # words with meaning that make a description without capitals a full name
ALONE = (5, 0.8)  # a contained form is a name of its own if it stands alone in so many documents, and that share of its
DOMINANT = 0.9  # of the places of all longer names of the document: then a short form is the one that has them
DOMINANT_COUNT = 10  # places
ALONE_SURNAME = (25, 0.95)  # ... and if somebody bears it


# What two names may differ in for their vectors to decide: "Abdallah al-Duri", "Abdallah al-Ubaidi" have 0.93.
_BY_VECTOR = ("none", "near word", "initials")


class MentionLike(Protocol):
    """What resolution needs to know of a mention, whoever holds it."""

    @property
    def id(self) -> str: ...
    @property
    def document_id(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names worth comparing, by key (first < second), with what their letters say."""

    first: Name
    second: Name
    kind: str  # `Difference.kind`
    similarity: float


# --------------------------------------------------------------------------------------------------------------------
# The names of a workspace


@dataclass(frozen=True)
class _Names:
    """What there is to resolve, indexed; nothing in it depends on the order of the mentions."""

    mentions: Sequence[MentionLike]  # by id

    @cached_property
    def by_id(self) -> dict[str, MentionLike]:
        return {mention.id: mention for mention in self.mentions}

    @cached_property
    def by_key(self) -> dict[str, list[MentionLike]]:
        found: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in self.mentions:
            found[mention.key].append(mention)
        return found

    @cached_property
    def of(self) -> dict[str, Name]:
        """The name of each key, as it is most often written; ties by code point."""
        names = {}
        for key, members in sorted(self.by_key.items()):
            counts: Counter[str] = Counter()
            for mention in members:
                counts[mention.form] += mention.count
            names[key] = parse(min(counts, key=lambda form: (-counts[form], form)))
        return names

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        return {key: signature(name) or (key,) for key, name in self.of.items()}

    @cached_property
    def keys_of(self) -> dict[Signature, list[str]]:
        found: dict[Signature, list[str]] = defaultdict(list)
        for key, words in self.signatures.items():
            found[words].append(key)
        return found

    @cached_property
    def common(self) -> frozenset[str]:
        """Keys that are bare common nouns or offices: never an alias beyond their document."""
        return frozenset(key for key, name in self.of.items() if self._is_common(key, name))

    def _is_common(self, key: str, name: Name) -> bool:
        if name.role:
            return True
        if name.proper and (len(name.core) > 1 or all(parse(mention.form).proper for mention in self.by_key[key])):
            return False
        return content_words(name) < DESCRIPTION

    @cached_property
    def longer(self) -> dict[str, frozenset[str]]:
        """Key -> the keys of the longer names it is short for, in the whole workspace."""
        return longer_names(self.of)

    @cached_property
    def documents(self) -> dict[str, list[MentionLike]]:
        found: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in self.mentions:
            found[mention.document_id].append(mention)
        return found

    @cached_property
    def keys_in(self) -> dict[str, frozenset[str]]:
        return {document: frozenset(mention.key for mention in members) for document, members in self.documents.items()}

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Contained keys that stand alone in so many documents that they are names of their own."""
        found = set()
        for key, longer in self.longer.items():
            documents = {mention.document_id for mention in self.by_key[key]}
            alone = sum(self.keys_in[document].isdisjoint(longer) for document in documents)
            borne = any(person_shaped(self.of[other]) for other in longer)
            least, share = ALONE_SURNAME if borne else ALONE
            if alone >= least and alone >= share * len(documents):
                found.add(key)
        return frozenset(found)

    def is_full(self, mention: MentionLike) -> bool:
        """Whether the mention may join mentions of other documents."""
        key = mention.key
        if key in self.common:
            return False
        longer = self.longer.get(key)
        if not longer or not self._is_surname_like(key, longer):
            return True
        return key in self.own_names and self.keys_in[mention.document_id].isdisjoint(longer)

    def _is_surname_like(self, key: str, longer: Iterable[str]) -> bool:
        """Whether a contained name is a surname, a given name, or has initials: "Delmas", "St. Clair", "J. Delmas".

        "Jules Delmas" is a full name beside "Jules Antoine Delmas", as is "Lothair II" beside "Lothair II of Arles".
        """
        name = self.of[key]
        if len(name.core) == 1 or name.initials:
            return True
        return name.core[0] not in GIVEN_NAMES and any(self.of[o].core[-len(name.core) :] == name.core for o in longer)

    @cached_property
    def full(self) -> dict[str, list[MentionLike]]:
        """Key -> its full mentions, by id; keys without one are missing."""
        found: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in self.mentions:
            if self.is_full(mention):
                found[mention.key].append(mention)
        return found


def _index(mentions: Iterable[MentionLike]) -> _Names:
    return _Names(sorted(mentions, key=lambda mention: mention.id))


# --------------------------------------------------------------------------------------------------------------------
# Candidates


def candidate_pairs(mentions: Iterable[MentionLike]) -> list[Pair]:
    """The pairs of full names worth comparing by likeness, ordered by keys; never all pairs.

    Pairs that a guard keeps apart are not among them, nor are those that another rule joins anyway (same words).
    """
    return _pairs(_index(mentions))


def _pairs(names: _Names) -> list[Pair]:
    chosen: dict[Signature, Name] = {}
    for key in sorted(names.full):
        chosen.setdefault(names.signatures[key], names.of[key])
    signatures = sorted(chosen)
    found = []
    for i, j in close_pairs(signatures):
        a, b = chosen[signatures[i]], chosen[signatures[j]]
        if a.key > b.key:
            a, b = b, a
        if conflict(a, b) or one_sided(a, b):
            continue
        seen = difference(a, b)
        found.append(Pair(first=a, second=b, kind=seen.kind, similarity=round(seen.similarity, 4)))
    return sorted(found, key=lambda pair: (pair.first.key, pair.second.key))


def names_to_embed(pairs: Iterable[Pair]) -> list[str]:
    """The texts whose vectors `resolve` needs for these pairs, sorted: names without title and epithet, as written."""
    wanted = (pair for pair in pairs if pair.kind in _BY_VECTOR)
    return sorted({name.bare for pair in wanted for name in (pair.first, pair.second)})


def _cosine(pair: Pair, vectors: Mapping[str, Vector]) -> float | None:
    """Rounded to 4 decimals, so that a proposal does not hang on the last bit; None without vectors."""
    first, second = vectors.get(pair.first.bare), vectors.get(pair.second.bare)
    if first is None or second is None:
        return None
    return round(float(np.dot(first.astype(np.float32), second.astype(np.float32))), 4)


# --------------------------------------------------------------------------------------------------------------------
# Clusters


@dataclass(slots=True)
class _Cluster:
    """Mentions that are one entity so far."""

    members: list[str]
    names: dict[str, Name]  # by key
    types: set[str]  # coarse
    enemies: set[str] = field(default_factory=set)  # mentions that a person keeps apart from one of the members


class _Clusters:
    """Union-find in which a union may be refused."""

    def __init__(self, names: _Names) -> None:
        self._cluster_of: dict[str, _Cluster] = {}
        self._guards: dict[tuple[str, str], str] = {}
        for mention in names.mentions:
            kind = TYPE_CLASSES.get(mention.type.casefold(), "")
            self._cluster_of[mention.id] = _Cluster(
                members=[mention.id], names={mention.key: names.of[mention.key]}, types={kind} if kind else set()
            )

    def of(self, mention: str) -> _Cluster:
        return self._cluster_of[mention]

    def together(self, first: str, second: str) -> bool:
        return self._cluster_of[first] is self._cluster_of[second]

    def keep_apart(self, first: str, second: str) -> None:
        self._cluster_of[first].enemies.add(second)
        self._cluster_of[second].enemies.add(first)

    def veto(self, first: str, second: str, *, stated: bool = False) -> str:
        """Why two clusters may not become one, "" if they may. What a person or the document stated (`stated`) is only
        vetoed by a person. A name that stands in both clusters is already accepted among the names of each."""
        a, b = self._cluster_of[first], self._cluster_of[second]
        small, big = (a, b) if len(a.members) <= len(b.members) else (b, a)
        if any(self._cluster_of.get(enemy) is big for enemy in small.enemies):
            return "person"
        if stated:
            return ""
        if len(a.types | b.types) > 1:
            return "type"
        found = {
            why
            for key, name in a.names.items()
            if key not in b.names
            for other, other_name in b.names.items()
            if other not in a.names and (why := self._guard(key, name, other, other_name))
        }
        return min(found, default="")

    def _guard(self, key: str, name: Name, other: str, other_name: Name) -> str:
        pair = (key, other) if key < other else (other, key)
        if pair not in self._guards:
            self._guards[pair] = conflict(name, other_name)
        return self._guards[pair]

    def join(self, first: str, second: str) -> None:
        a, b = self._cluster_of[first], self._cluster_of[second]
        if len(a.members) < len(b.members):
            a, b = b, a
        a.members += b.members
        a.names |= b.names
        a.types |= b.types
        a.enemies |= b.enemies
        for member in b.members:
            self._cluster_of[member] = a

    def entity_of(self) -> dict[str, str]:
        smallest: dict[int, str] = {}
        for cluster in self._cluster_of.values():
            if id(cluster) not in smallest:
                smallest[id(cluster)] = ids.entity_id(min(cluster.members))
        return {mention: smallest[id(cluster)] for mention, cluster in sorted(self._cluster_of.items())}


@dataclass(frozen=True, slots=True)
class _Proposal:
    """That two mentions are one."""

    score: float
    first: str
    second: str


class _Resolver:
    """The rules at work on one set of names; what they decide is collected as they go."""

    def __init__(self, names: _Names, vectors: Mapping[str, Vector]) -> None:
        self.names = names
        self.vectors = vectors
        self.clusters = _Clusters(names)
        self.decisions: list[Decision] = []
        self.near: dict[tuple[str, str], Decision] = {}

    # -- what is common to all rules

    def apply(self, rule: str, proposals: Iterable[_Proposal], *, stated: bool = False, record: bool = True) -> None:
        """Take the proposals of one rule, best first. `record` is off for what persons decided: that is input."""
        ordered = sorted({(-p.score, min(p.first, p.second), max(p.first, p.second)) for p in proposals})
        for negative, first, second in ordered:
            if self.clusters.together(first, second):
                continue
            why = self.clusters.veto(first, second, stated=stated)
            if not why:
                self.clusters.join(first, second)
            if why or record:
                made = f"guard:{why}" if why else rule
                self.decisions.append(Decision(first=first, second=second, same=not why, rule=made, score=-negative))

    def doubt(self, rule: str, first: str, second: str, score: float) -> None:
        """A near miss, for a person to look at."""
        first, second = sorted((first, second))
        known = self.near.get((first, second))
        if known is None or (known.score, rule) < (score, known.rule):
            self.near[first, second] = Decision(first=first, second=second, same=False, rule=rule, score=score)

    def result(self) -> Resolution:
        near = [
            decision
            for (first, second), decision in sorted(self.near.items())
            if not self.clusters.together(first, second) and not self.clusters.veto(first, second)
        ]
        made = sorted(self.decisions, key=lambda d: (d.first, d.second, d.rule))
        return Resolution(entity_of=self.clusters.entity_of(), decisions=tuple(made), near_misses=tuple(near))

    # -- what was stated

    def stated(
        self,
        decisions: Iterable[Decision],
        alias_groups: Iterable[AliasGroup],
        document_aliases: Mapping[str, Sequence[tuple[str, str]]],
    ) -> None:
        known = self.names.by_id
        persons = [d for d in decisions if d.by == "person" and d.first in known and d.second in known]
        for decision in persons:
            if not decision.same:
                self.clusters.keep_apart(decision.first, decision.second)
        self.apply("person", (_Proposal(1.0, d.first, d.second) for d in persons if d.same), stated=True, record=False)
        self.apply("alias-file", self._groups(alias_groups), stated=True)
        self.apply("document-alias", self._stated_in_documents(document_aliases), stated=True)

    def _groups(self, groups: Iterable[AliasGroup]) -> Iterator[_Proposal]:
        for group in groups:
            keys = {name_key(name) for name in group.names}
            members = [
                mention.id
                for key in sorted(keys)
                for mention in self.names.by_key.get(key, [])
                if group.document_id in ("", mention.document_id)
            ]
            yield from _star(members, 1.0)

    def _stated_in_documents(self, aliases: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[_Proposal]:
        for document, stated in aliases.items():
            here: dict[str, list[str]] = defaultdict(list)
            for mention in self.names.documents.get(document, []):
                here[mention.key].append(mention.id)
            for first, second in stated:
                one, other = here.get(name_key(first)), here.get(name_key(second))
                if one and other:
                    yield from _star([*one, *other], 1.0)

    # -- the same name

    def exact(self) -> None:
        """The same key. A type keeps apart; a mention without one joins only where no choice has to be made."""
        proposals: list[_Proposal] = []
        for key in sorted(self.names.by_key):
            members = self.names.by_key[key]
            full = [mention for mention in members if self.names.is_full(mention)]
            scopes: dict[str, list[MentionLike]] = defaultdict(list)
            for mention in members:
                scopes[mention.document_id].append(mention)
            for scope in (full, *scopes.values()):
                proposals += self._exact_in(scope)
        self.apply("exact", proposals)

    def _exact_in(self, members: Sequence[MentionLike]) -> Iterator[_Proposal]:
        if len(members) < 2:
            return
        by_type: dict[str, list[str]] = defaultdict(list)
        for mention in members:
            by_type[TYPE_CLASSES.get(mention.type.casefold(), "")].append(mention.id)
        typed = sorted(kind for kind in by_type if kind)
        if len(typed) == 1:
            yield from _star([mention.id for mention in members], 1.0)
            return
        for kind in sorted(by_type):
            yield from _star(by_type[kind], 1.0)

    def core(self) -> None:
        """Full names that are the same but for a title, an epithet, a legal form or a space, across documents."""
        full = self.names.full
        proposals: list[_Proposal] = []
        for words, keys in sorted(self.names.keys_of.items()):
            here = [key for key in keys if key in full and (len(words) > 1 or not _may_be_a_name(self.names.of[key]))]
            if len(here) > 1:
                proposals += self._agreeing(here, {key: full[key][0].id for key in here}, convention=False)
        self.apply("core", proposals)

    def _agreeing(self, keys: Sequence[str], mention_of: Mapping[str, str], *, convention: bool) -> Iterator[_Proposal]:
        """Pairs of keys of one signature without conflict. A key whose partners conflict with each other ("Delmas" by
        "M. Delmas" and "Mme Delmas") stays out; by `convention` a bare surname is then a man's."""
        names = {key: self.names.of[key] for key in keys}
        partners = {key: [o for o in keys if o != key and _agree(names[key], names[o])] for key in keys}
        torn = set()
        for key in keys:
            if convention and _is_bare_surname(names[key]):
                partners[key] = [other for other in partners[key] if not _is_called_by_title(names[other])]
            if any(conflict(names[a], names[b]) for a in partners[key] for b in partners[key] if a < b):
                torn.add(key)
        for key in keys:
            for other in partners[key]:
                if key >= other or key not in partners[other]:
                    continue
                if key in torn or other in torn:
                    self.doubt("core", mention_of[key], mention_of[other], 0.95)
                else:
                    yield _Proposal(1.0, mention_of[key], mention_of[other])

    # -- alike

    def likeness(self) -> None:
        """Full names alike by their letters, or by their vectors."""
        spelling: list[_Proposal] = []
        vector: list[tuple[Pair, _Proposal]] = []
        for pair in _pairs(self.names):
            first, second = self.names.full[pair.first.key][0].id, self.names.full[pair.second.key][0].id
            cosine = _cosine(pair, self.vectors)
            long_enough = len(pair.first.core) > 1 and len(pair.second.core) > 1
            if (pair.kind == "spacing" and pair.first.proper and pair.second.proper) or (
                pair.kind == "spelling" and long_enough and pair.first.named and pair.second.named
            ):
                spelling.append(_Proposal(pair.similarity, first, second))
            elif pair.kind in _BY_VECTOR and cosine is not None and cosine > MIN_COSINE:
                vector.append((pair, _Proposal(cosine, first, second)))
            elif cosine is not None and cosine > REVIEW_COSINE:
                self.doubt("vector", first, second, cosine)
            elif pair.similarity >= REVIEW_SIMILARITY and pair.first.named == pair.second.named:
                self.doubt("spelling", first, second, pair.similarity)
        self.apply("spelling", spelling)
        self.apply("vector", self._decided(vector))

    def _decided(self, found: Sequence[tuple[Pair, _Proposal]]) -> Iterator[_Proposal]:
        """All but those whose name is like two that conflict: "George Bush", beside George W. and George H. Bush."""
        like: dict[str, list[Name]] = defaultdict(list)
        for pair, _ in found:
            like[pair.first.key].append(pair.second)
            like[pair.second.key].append(pair.first)
        torn = {key for key, names in like.items() if any(conflict(a, b) for a in names for b in names)}
        for pair, proposal in found:
            if pair.first.key in torn or pair.second.key in torn:
                self.doubt("vector", proposal.first, proposal.second, proposal.score)
            else:
                yield proposal

    # -- short forms

    def contained(self) -> None:
        """Short forms, each to the one longer name of its document, longest first: what "Clair" means hangs on what
        "St. Clair" means."""
        for document in sorted(self.names.documents):
            self._contained_in(document, self.names.documents[document])

    def _contained_in(self, document: str, mentions: Sequence[MentionLike]) -> None:
        first_of: dict[str, str] = {}
        counts: Counter[str] = Counter()
        by_words: dict[Signature, list[str]] = defaultdict(list)
        for mention in mentions:
            counts[mention.key] += mention.count
            if mention.key not in first_of:
                first_of[mention.key] = mention.id
                by_words[self.names.signatures[mention.key]].append(mention.key)
        by_length: dict[int, list[Signature]] = defaultdict(list)
        for words in by_words:
            by_length[len(words)].append(words)
        for length in sorted(by_length, reverse=True):
            proposals: list[_Proposal] = []
            for words in sorted(by_length[length]):
                proposals += self._short_forms(document, sorted(by_words[words]), first_of, counts)
            self.apply("contained", proposals)

    def _short_forms(
        self, document: str, keys: Sequence[str], first_of: Mapping[str, str], counts: Mapping[str, int]
    ) -> Iterator[_Proposal]:
        """What the forms of one signature refer to in one document."""
        here = self.names.keys_in[document]
        longer = sorted(
            {o for key in keys if key in self.names.longer for o in here & self.names.longer[key]} - {*keys}
        )
        if not longer:
            yield from self._agreeing(keys, first_of, convention=True)
            return
        for key in keys:
            name = self.names.of[key]
            fitting = [other for other in longer if not conflict(name, self.names.of[other])]
            rivals = [other for other in keys if other != key and not conflict(name, self.names.of[other])]
            if "mrs" in name.titles:  # a wife is not the bearer of her husband's given name
                fitting = [other for other in fitting if self.names.of[other].gender == "f"]
            if _is_bare_surname(name):
                titled = [other for other in fitting if _is_called_by_title(self.names.of[other])]
                fitting = [other for other in fitting if other not in titled] or titled
                rivals = [other for other in rivals if not _is_called_by_title(self.names.of[other])]
            strangers = [o for o in rivals if any(conflict(self.names.of[o], self.names.of[f]) for f in fitting)]
            homes: dict[int, str] = {}  # the first mention of each cluster that it may belong to
            weights: Counter[str] = Counter()
            for mention, other in sorted((first_of[other], other) for other in {*fitting, *strangers}):
                weights[homes.setdefault(id(self.clusters.of(mention)), mention)] += counts[other]
            if not weights:
                continue
            best = min(weights, key=lambda home: (-weights[home], home))
            share = round(weights[best] / weights.total(), 4)
            if len(weights) == 1 or (share >= DOMINANT and weights[best] >= DOMINANT_COUNT):
                yield _Proposal(share, first_of[key], best)
            else:
                for home in sorted(weights):
                    self.doubt("contained", first_of[key], home, round(weights[home] / weights.total(), 4))


def _star(members: Iterable[str], score: float) -> Iterator[_Proposal]:
    """Every member with the smallest: a spanning set. Where the smallest is vetoed, its neighbour gets its chance."""
    ordered = sorted(set(members))
    for other in ordered[1:]:
        yield _Proposal(score, ordered[0], other)


def _is_bare_surname(name: Name) -> bool:
    return len(name.core) <= 2 and not name.titles and not name.kin and name.core[0] not in GIVEN_NAMES


def _is_called_by_title(name: Name) -> bool:
    """A woman who is Mme or Miss So-and-so: in the novels nobody calls her by the bare surname."""
    return name.titled_gender == "f"


def _may_be_a_name(name: Name) -> bool:
    """Whether what stands before the name may be part of it, or tell it from its bearer's namesake: "Captain Kangaroo",
    "King Kong", "Sister Mary", "le jeune Delmas"."""
    return bool(name.kin or name.titles - PLAIN_TITLES or (name.age and name.core[0] not in GIVEN_NAMES))


def _agree(a: Name, b: Name) -> bool:
    """Whether two forms of one core may be taken for one name."""
    return not conflict(a, b) and not one_sided(a, b) and _is_anothers(a) == _is_anothers(b)


def _is_anothers(name: Name) -> bool:
    """Whether a woman's title stands before what may be her husband's or her family's name, not her own: "Mrs. John
    Cavendish", "Madame Wellington Koo", "Mlle Delmas"."""
    if not name.core or GIVEN_NAMES.get(name.core[0]) == "f":
        return False
    return "mrs" in name.titles or (name.titled_gender == "f" and len(name.core) == 1)


def resolve(
    mentions: Iterable[MentionLike],
    *,
    decisions: Iterable[Decision] = (),
    alias_groups: Iterable[AliasGroup] = (),
    document_aliases: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    vectors: Mapping[str, Vector] | None = None,
) -> Resolution:
    """Which entity each mention refers to, every decision of a rule that led there (a spanning set, not all pairs),
    every veto, and the near misses for a person to review. The order of the mentions does not matter.

    `decisions` of persons and `alias_groups` overrule the rules; `document_aliases` maps a document's id to the pairs
    of names that it says are one; `vectors` maps the texts of `names_to_embed` to unit vectors (without one, a pair is
    not compared by meaning).
    """
    resolver = _Resolver(_index(mentions), vectors or {})
    resolver.stated(decisions, alias_groups, document_aliases or {})
    resolver.exact()
    resolver.core()
    resolver.likeness()
    resolver.contained()
    return resolver.result()
