"""What the rules on names alone propose, before a guard or a decision of a person is looked at.

It depends on the names, their vectors and the aliases that are stated, not on clusters. So it is computed once for a
set of names, and it tells which mentions may come together at all: the *components* of the proposals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from filigraph.graph.model import AliasGroup, Decision, MentionLike, Vector
from filigraph.graph.names.candidates import BY_VECTOR, Candidates, cosine
from filigraph.graph.names.clusters import SITE, is_site_name
from filigraph.graph.names.disjoint_sets import DisjointSets
from filigraph.graph.names.forms import few_slips, long_enough, may_be_a_name
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Pair
from filigraph.graph.names.short_forms import FormGroup, agreeing, short_forms
from filigraph.graph.names.similar_names import alike
from filigraph.graph.text.names.blocks import MIN_SIMILARITY
from filigraph.graph.text.names.pairs import Signature, conflict
from filigraph.graph.text.names.parse import Name, name_key
from filigraph.graph.text.names.type_class import type_class

MIN_COSINE = 0.9  # above it two names are joined
REVIEW_COSINE = REVIEW_SIMILARITY = 0.8  # cosine, letter similarity: limits of a near miss

DocumentAliases = Mapping[str, Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule's proposal to join two mentions."""

    score: float
    first: str
    second: str


@dataclass(frozen=True)
class NearMissPairs:
    """Pairs of mentions for review, each with the rule of the highest score."""

    pairs: dict[tuple[str, str], Decision] = field(default_factory=dict)

    def add(self, rule: str, first: str, second: str, score: float) -> None:
        if first > second:
            first, second = second, first
        known = self.pairs.get((first, second))
        if known is None or (known.score, rule) < (score, known.rule):
            self.pairs[first, second] = Decision(first=first, second=second, same=False, rule=rule, score=score)

    def update(self, others: NearMissPairs) -> None:
        for near in others.pairs.values():
            self.add(near.rule, near.first, near.second, near.score)


@dataclass(frozen=True, eq=False)
class Proposals:
    """Proposals by rule, the rules in their order, and the near misses that follow from names alone."""

    names: Names
    stated: Mapping[str, Sequence[Proposal]]  # by persons' lists and by documents
    by_names: Mapping[str, Sequence[Proposal]]
    near: NearMissPairs
    short_forms: Sequence[Sequence[FormGroup]]

    @cached_property
    def components(self) -> Components:
        """Of all proposals, those of short forms in their documents included."""
        joined = DisjointSets()
        for rules in (self.stated, self.by_names):
            for proposals in rules.values():
                for proposal in proposals:
                    joined.union(proposal.first, proposal.second)
        for groups in self.short_forms:
            for group in groups:
                for other in group.mentions():
                    joined.union(group.id, other)
        return Components(joined)


def mentions_between(before: Proposals, now: Proposals) -> set[str]:
    """The mentions of what only one of them proposes."""
    found: set[str] = set()
    for rules, others in ((before.stated, now.stated), (before.by_names, now.by_names)):
        for rule, proposals in rules.items():
            for proposal in {*proposals}.symmetric_difference(others[rule]):
                found.update((proposal.first, proposal.second))
    old, new = ({group.id: group for forms in of.short_forms for group in forms} for of in (before, now))
    for id_ in old.keys() | new.keys():
        one, other = old.get(id_), new.get(id_)
        if one != other:
            found.update(mention for group in (one, other) if group for mention in group.mentions())
    return found


class Components:
    """Sets of mentions that no proposal leaves: what is decided in one touches no other."""

    def __init__(self, joined: DisjointSets) -> None:
        self._joined = joined
        self._members = joined.sets()

    def around(self, mentions: Iterable[str]) -> set[str]:
        """The mentions of the components of these."""
        roots = {self._joined.find(mention) for mention in mentions}
        return {member for root in roots for member in self._members.get(root, (root,))}


def propose(
    candidates: Candidates,
    alias_groups: Iterable[AliasGroup],
    document_aliases: DocumentAliases,
    vectors: Mapping[str, Vector],
) -> Proposals:
    """The proposals of the rules from `alias-file` to `vector` (see `resolve`). Linear in mentions and pairs."""
    names, near = candidates.names, NearMissPairs()
    similar = _SimilarNames(names, near)
    for pair in candidates.pairs:
        similar.look_at(pair, cosine(pair, vectors))
    for first, second, rule, score in alike(names, candidates.pairing):
        near.add(rule, first, second, score)
    return Proposals(
        names=names,
        stated={
            "alias-file": list(_groups(names, alias_groups)),
            "document-alias": list(_stated_in_documents(names, document_aliases)),
        },
        by_names={"exact": list(_exact(names)), "core": list(_core(names, near)), **similar.proposals()},
        near=NearMissPairs(dict(sorted(near.pairs.items()))),
        short_forms=short_forms(names),
    )


# --------------------------------------------------------------------------------------------------------------------
# Stated


def _groups(names: Names, groups: Iterable[AliasGroup]) -> Iterator[Proposal]:
    for group in groups:
        keys = {name_key(name) for name in group.names}
        members = [
            mention.id
            for key in sorted(keys)
            for mention in names.by_key.get(key, [])
            if group.document_id in ("", mention.document_id)
        ]
        yield from _star(members, 1.0)


def _stated_in_documents(names: Names, aliases: DocumentAliases) -> Iterator[Proposal]:
    for document, stated in aliases.items():
        here: dict[str, list[str]] = defaultdict(list)
        for mention in names.documents.get(document, []):
            here[mention.key].append(mention.id)
        for first, second in stated:
            one, other = here.get(name_key(first)), here.get(name_key(second))
            if one and other:
                yield from _star([*one, *other], 1.0)


# --------------------------------------------------------------------------------------------------------------------
# The same name


def _exact(names: Names) -> Iterator[Proposal]:
    """Mentions with the same key and type; one without a type joins only if all others have the same type."""
    for key in sorted(names.by_key):
        members = names.by_key[key]
        if len(members) < 2:
            continue
        full = names.full.get(key, ())
        scopes: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in members:
            scopes[mention.document_id].append(mention)
        for scope in (full, *scopes.values()):
            yield from _exact_in(scope, names.of[key])


def _exact_in(members: Sequence[MentionLike], name: Name) -> Iterator[Proposal]:
    if len(members) < 2:
        return
    by_type: dict[str, list[str]] = defaultdict(list)
    for mention in members:
        by_type[type_class(mention.type)].append(mention.id)
    if is_site_name(name) and by_type.keys() >= SITE:
        by_type["place"] += by_type.pop("organization")
    typed = sorted(kind for kind in by_type if kind)
    if len(typed) == 1:
        yield from _star([mention.id for mention in members], 1.0)
        return
    for kind in sorted(by_type):
        yield from _star(by_type[kind], 1.0)


def _star(members: Iterable[str], score: float) -> Iterator[Proposal]:
    """Pair every member with the smallest: a star as spanning tree."""
    ordered = sorted(set(members))
    for other in ordered[1:]:
        yield Proposal(score, ordered[0], other)


def _core(names: Names, near: NearMissPairs) -> Iterator[Proposal]:
    """Full names across documents that are equal except for title, epithet, legal form or spacing."""
    for words, keys in sorted(names.keys_of.items()):
        here = [
            key
            for key in keys
            if key in names.full and (len(words) > 1 or not may_be_a_name(names.of[key], names.given))
        ]
        if len(here) > 1:
            yield from propose_agreeing({key: names.full[key][0].id for key in here}, names, near, convention=False)


def propose_agreeing(
    mention_of: Mapping[str, str], names: Names, near: NearMissPairs, *, convention: bool
) -> Iterator[Proposal]:
    """Keys of one signature (see `agreeing`), each with the mention that stands for it."""
    for first, second, torn in agreeing([*mention_of], names, convention=convention):
        if torn:
            near.add("core", mention_of[first], mention_of[second], 0.95)
        else:
            yield Proposal(1.0, mention_of[first], mention_of[second])


# --------------------------------------------------------------------------------------------------------------------
# Similarity


class _SimilarNames:
    """Full names that are similar in spelling or in their vectors."""

    def __init__(self, names: Names, near: NearMissPairs) -> None:
        self._names, self._near = names, near
        self._spelling: list[Proposal] = []
        self._named: dict[str, list[tuple[Pair, Proposal]]] = {"nickname": [], "middle-name": [], "vector": []}

    def proposals(self) -> dict[str, list[Proposal]]:
        """By rule, in their order."""
        named = {rule: list(self._decided(rule, found)) for rule, found in self._named.items()}
        return {"spelling": self._spelling, **named}

    def look_at(self, pair: Pair, near: float | None) -> None:
        """`near`: the cosine of the names of the pair."""
        names, named = self._names, self._named
        first, second = names.full[pair.first.key][0].id, names.full[pair.second.key][0].id
        if pair.kind == "nickname":
            if pair.similarity >= MIN_SIMILARITY or self._in_one_document(pair):
                named["nickname"].append((pair, Proposal(pair.similarity, first, second)))
            else:  # Ted is short for Theodore, Edward and Edmund
                self._near.add("nickname", first, second, pair.similarity)
        elif pair.kind == "middle" and self._are_persons(pair):
            named["middle-name"].append((pair, Proposal(pair.similarity, first, second)))
        elif pair.kind == "script" and len(pair.first.core) > 1:
            self._spelling.append(Proposal(1.0, first, second))
        elif (pair.kind == "spacing" and pair.first.proper and pair.second.proper) or (
            pair.kind == "spelling" and long_enough(*self._words(pair)) and pair.first.named and pair.second.named
        ):
            self._spelling.append(Proposal(pair.similarity, first, second))
        elif pair.kind in BY_VECTOR and near is not None and near > MIN_COSINE and self._by_vector(pair):
            named["vector"].append((pair, Proposal(near, first, second)))
        elif near is not None and near > REVIEW_COSINE:
            self._near.add("vector", first, second, near)
        elif pair.first.named == pair.second.named and (pair.similarity >= REVIEW_SIMILARITY or pair.kind == "order"):
            self._near.add("spelling", first, second, pair.similarity)

    def _words(self, pair: Pair) -> tuple[Signature, Signature]:
        return self._names.signatures[pair.first.key], self._names.signatures[pair.second.key]

    def _by_vector(self, pair: Pair) -> bool:
        """Whether cosine may decide: not for a different word in a person's name, Lukashevich and Lukashenko."""
        return pair.kind != "near word" or (few_slips(*self._words(pair)) and not self._are_persons(pair))

    def _in_one_document(self, pair: Pair) -> bool:
        first, second = (
            {mention.document_id for mention in self._names.full[name.key]} for name in (pair.first, pair.second)
        )
        return not first.isdisjoint(second)

    def _are_persons(self, pair: Pair) -> bool:
        return self._names.is_person(pair.first.key) and self._names.is_person(pair.second.key)

    def _decided(self, rule: str, found: Sequence[tuple[Pair, Proposal]]) -> Iterator[Proposal]:
        """The proposals except those of a name that is similar to two conflicting names, which become near misses:
        "George Bush" with George W. and George H. Bush."""
        like: dict[str, list[Name]] = defaultdict(list)
        for pair, _ in found:
            like[pair.first.key].append(pair.second)
            like[pair.second.key].append(pair.first)
        torn = {key for key, names in like.items() if any(conflict(a, b) for a in names for b in names)}
        for pair, proposal in found:
            if pair.first.key in torn or pair.second.key in torn:
                self._near.add(rule, proposal.first, proposal.second, proposal.score)
            else:
                yield proposal
