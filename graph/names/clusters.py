"""Clusters: mentions resolved to one entity so far. Union-find in which a union can be vetoed.

A veto applies to the whole cluster, so "J. Delmas" does not bridge Jules and Jean Delmas. Copies share the clusters
that neither changes (copy on write): if a cluster is the same object as before, it has the same members, names and
enemies.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count

from filigraph.graph.model.names import MentionLike
from filigraph.graph.names.cast import CastContrasts
from filigraph.graph.text.names.namesakes import genders_shown, years_of_birth
from filigraph.graph.text.names.pairs import conflict, conflicts
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import Gender
from filigraph.graph.text.names.type_class import type_class

# Numbers the states of clusters. No two processes use the same: a process may read clusters that another one wrote.
_NUMBERS = count(secrets.randbits(62))

NOBODY = CastContrasts()
# Guards about the form of names. An LLM may overrule them if it shows where the text says that two are one.
BY_FORM = frozenset(("first name", "title"))
SITE = {"place", "organization"}
STRANGER = 0.25  # min. share of a name's places marked as somebody else's for the whole mention to count as a stranger

SAME_BIRTH = 1  # max. years between two sources on one birth


@dataclass(slots=True)
class Cluster:
    """Mentions resolved to one entity so far."""

    members: list[str]  # mention ids
    names: dict[str, Name]  # by key
    types: set[str]  # type classes
    enemies: set[str] = field(default_factory=set)  # mentions that a person's decision separates from a member
    stranger: tuple[str, str] | None = None  # (document, key) of a name that the text marks as somebody else's
    born: frozenset[int] = frozenset()  # years of birth that texts give for its names
    genders: frozenset[Gender] = frozenset()  # by the pronouns after its names that have no gender of their own
    cast_members: frozenset[tuple[str, int]] = frozenset()  # (document, member) of the casts that have one of its names
    linked: frozenset[tuple[str, str]] = frozenset()  # pairs of keys that are one across documents: one of its names is
    owner: object = None  # token of the `Clusters` that may change it: a reference to that object would keep it alive
    # clusters with the same version have the same members and enemies
    number: int = field(default_factory=_NUMBERS.__next__)

    def owned_by(self, owner: object) -> Cluster:
        return replace(
            self,
            members=[*self.members],
            names={**self.names},
            types={*self.types},
            enemies={*self.enemies},
            owner=owner,
        )


class Clusters:
    """The clusters of a workspace; initially one per mention. A cluster is only created when it is needed: most
    mentions stay alone.
    """

    def __init__(
        self,
        mentions: Mapping[str, MentionLike],
        names: Mapping[str, Name],
        strangers: Mapping[str, Mapping[str, int]],
        guards: dict[tuple[str, str], str],
        cast_contrasts: CastContrasts = NOBODY,
    ) -> None:
        """`mentions`: by id. `guards`: pairs of keys, the smaller first -> their conflict; compared pairs are added. It
        must not contain a key that `names` lacks. `cast_contrasts`: what the casts of documents separate or join.
        """
        self._mentions, self._names, self._guards = mentions, names, guards
        self.cast_contrasts = cast_contrasts
        self._token = object()
        # without an owner: a mention gets its own cluster before it is joined or separated
        self._alone: dict[str, Cluster] = {}
        self._cluster_of: dict[str, Cluster] = {}
        self._made: dict[int, Cluster] = {}  # the clusters that were joined or separated, by number
        # (document, key) of names that the text marks as somebody else's
        self.apart = _names_of_namesakes(mentions.values(), strangers) if any(strangers.values()) else frozenset()
        self.born = {
            (document, key): year for document, keys in strangers.items() for key, year in years_of_birth(keys).items()
        }
        self.genders: dict[tuple[str, str], Gender] = {
            (document, key): gender
            for document, keys in strangers.items()
            for key, gender in genders_shown(keys).items()
        }

    def copy(self, alone: Iterable[str] = ()) -> Clusters:
        """A copy in which these mentions, which must be whole clusters, are alone again."""
        clone = copy(self)
        clone._token = object()
        clone._cluster_of, clone._made = dict(self._cluster_of), dict(self._made)
        for mention in alone:
            if known := clone._cluster_of.pop(mention, None):
                clone._made.pop(known.number, None)
        return clone

    def adopt(self, before: Clusters, alone: Set[str]) -> None:
        """Take over the earlier clusters, except that the mentions `alone`, which must be whole clusters and contain
        all mentions that differ, are alone. These clusters must be unused so far.
        """
        clone = before.copy(alone)
        self._cluster_of, self._made = clone._cluster_of, clone._made
        self._alone = {mention: cluster for mention, cluster in before._alone.items() if mention not in alone}

    def of(self, mention: str) -> Cluster:
        known = self._cluster_of.get(mention) or self._alone.get(mention)
        if known is None:
            known = self._alone[mention] = self._cluster_alone(self._mentions[mention])
        return known

    def _cluster_alone(self, mention: MentionLike) -> Cluster:
        kind = type_class(mention.type)
        place = (mention.document_id, mention.key)
        name = self._names.get(mention.key) or parse(mention.form)
        return Cluster(
            members=[mention.id],
            names={mention.key: name},
            types={kind} if kind else set(),
            stranger=place if place in self.apart else None,
            born=frozenset(filter(None, [self.born.get(place)])),
            genders=frozenset() if name.gender else frozenset(filter(None, [self.genders.get(place)])),
            cast_members=frozenset(filter(None, [self.cast_contrasts.member_of.get(mention.id)])),
            linked=self.cast_contrasts.linked.get(mention.id, frozenset()),
        )

    def _own_cluster(self, mention: str) -> Cluster:
        """The cluster of a mention, ready to be changed."""
        known = self.of(mention)
        if known.owner is not self._token:
            known = known.owned_by(self._token)
            self._cluster_of.update(dict.fromkeys(known.members, known))
        return known

    def _mark_changed(self, cluster: Cluster) -> None:
        self._made.pop(cluster.number, None)
        cluster.number = next(_NUMBERS)
        self._made[cluster.number] = cluster

    def changed_clusters(self) -> Mapping[int, Cluster]:
        """The clusters with several mentions, and those with enemies, by number."""
        return self._made

    def cluster_numbers(self, mentions: Iterable[str]) -> set[int]:
        """The numbers of the existing clusters of these mentions."""
        return {cluster.number for mention in mentions if (cluster := self._cluster_of.get(mention))}

    def differing(self, before: Clusters) -> set[str]:
        """The mentions whose clusters differ from the earlier ones, among the clusters that were used before."""
        members = {
            member
            for these, others in ((before._made, self._made), (self._made, before._made))
            for number in these.keys() - others.keys()
            for member in these[number].members
        }
        if self._alone is not before._alone:
            members.update(id_ for id_, cluster in before._alone.items() if self._alone.get(id_) is not cluster)
        return members

    def together(self, first: str, second: str) -> bool:
        return self.of(first) is self.of(second)

    def keep_apart(self, first: str, second: str) -> None:
        for mention, other in ((first, second), (second, first)):
            cluster = self._own_cluster(mention)
            cluster.enemies.add(other)
            self._mark_changed(cluster)

    def veto(self, first: str, second: str, *, stated: bool = False) -> str:
        """The reason why two clusters must not be joined, "" if there is none.

        If a person or the document states the union (`stated`), only a person's decision vetoes it. Names that occur in
        both clusters are not compared: each cluster has accepted them.
        """
        a, b = self.of(first), self.of(second)
        small, big = (a, b) if len(a.members) <= len(b.members) else (b, a)
        if any(self._cluster_of.get(enemy) is big for enemy in small.enemies):
            return "person"
        if stated:
            return ""
        if self._are_separated_by_cast(small, big):
            return "reader"
        if a.stranger != b.stranger:
            return "another"
        if a.born and b.born and min(abs(one - other) for one in a.born for other in b.born) > SAME_BIRTH:
            return "birth"
        if a.types and b.types and a.types.isdisjoint(b.types) and not _is_site(a, b):
            return "type"
        if _differ_in_gender(a, b):
            return "gender"
        vetoes = [
            (why, key, other)
            for key, name in a.names.items()
            if key not in b.names
            for other, other_name in b.names.items()
            if other not in a.names and (why := self._guard(key, name, other, other_name))
        ]
        if vetoes and (a.cast_members or b.cast_members or (a.linked and b.linked)):
            identities = self._identities(a, b)
            joined_by_cast = {
                (key, other)
                for why, key, other in vetoes
                if why in BY_FORM and any(self._is_joined_by_cast(key, other, pair) for pair in identities)
            }
            vetoes = [
                (why, key, other)
                for first, key, other in vetoes
                for why in (conflicts(a.names[key], b.names[other]) if (key, other) in joined_by_cast else [first])
                if (key, other) not in joined_by_cast or why not in BY_FORM
            ]
        return min((why for why, _, _ in vetoes), default="")

    def _identities(self, a: Cluster, b: Cluster) -> list[tuple[str, str]]:
        """The pairs of names that a cast or a link across documents says are one, with one name in each cluster."""
        return sorted(a.linked & b.linked) + [
            pair
            for member in sorted(a.cast_members | b.cast_members)
            for pair in sorted(self.cast_contrasts.identities.get(member, ()))
            if (member in a.cast_members and member in b.cast_members)
            or a.names.keys() >= {*pair}
            or b.names.keys() >= {*pair}
        ]

    def _is_joined_by_cast(self, key: str, other: str, pair: tuple[str, str]) -> bool:
        """Whether two names are a pair that a cast joins, or other forms of it: "M. Rodolphe" and "sir Ralph", if
        Rodolphe Brown and Ralph Brown are one.
        """
        first, second = pair
        return (self._are_forms(key, first) and self._are_forms(other, second)) or (
            self._are_forms(key, second) and self._are_forms(other, first)
        )

    def _are_forms(self, key: str, other: str) -> bool:
        if key == other:
            return True
        name, other_name = self._names.get(key), self._names.get(other)
        if name is None or other_name is None or name.core[:1] != other_name.core[:1]:
            return False
        return not self._guard(key, name, other, other_name)

    def _are_separated_by_cast(self, small: Cluster, big: Cluster) -> bool:
        """Whether the cast of a document separates them."""
        if small.cast_members.isdisjoint(big.cast_members) and {document for document, _ in small.cast_members} & {
            document for document, _ in big.cast_members
        }:
            return True
        others = (other for member in small.members for other in self.cast_contrasts.contrasts.get(member, ()))
        return any(self._cluster_of.get(other) is big or big.members == [other] for other in others)

    def _guard(self, key: str, name: Name, other: str, other_name: Name) -> str:
        if key not in self._names or other not in self._names:  # of a part, whose form may belong to another member
            return conflict(name, other_name)
        pair = (key, other) if key < other else (other, key)
        if pair not in self._guards:
            self._guards[pair] = conflict(name, other_name)
        return self._guards[pair]

    def join(self, first: str, second: str) -> None:
        if len(self.of(first).members) < len(self.of(second).members):
            first, second = second, first
        a, b = self._own_cluster(first), self.of(second)
        a.members += b.members
        a.names |= b.names
        a.types |= b.types
        a.enemies |= b.enemies
        a.born |= b.born
        a.genders |= b.genders
        a.cast_members |= b.cast_members
        a.linked |= b.linked
        if a.stranger != b.stranger:  # joined by a statement of a person or the document
            a.stranger = None
        for member in b.members:
            self._cluster_of[member] = a
        self._made.pop(b.number, None)
        self._mark_changed(a)

    def shared_entities(
        self, entity_alone: Mapping[str, str], before: Clusters, known: Mapping[str, str]
    ) -> dict[str, str]:
        """Mention id -> entity id, for mentions that share an entity. `entity_alone`: the entity of each mention if it
        is alone; `known`: the result for the earlier clusters.
        """
        shared = dict(known)
        for number in before._made.keys() - self._made.keys():
            for member in before._made[number].members:
                shared.pop(member, None)
        for number in self._made.keys() - before._made.keys():
            members = self._made[number].members
            shared.update(dict.fromkeys(members, entity_alone[min(members)]))
        return shared


def _differ_in_gender(a: Cluster, b: Cluster) -> bool:
    """Whether the pronouns after the names of one contradict the titles and given names of the other: "Harker said that
    he", "Mrs. Harker". What an LLM says of both counts more.
    """
    if not (a.genders or b.genders) or a.cast_members & b.cast_members:
        return False
    for one, other in ((a, b), (b, a)):
        known = {name.gender for name in other.names.values()} - {""} if one.genders else set()
        if known and known.isdisjoint(one.genders):
            return True
    return False


def _is_site(a: Cluster, b: Cluster) -> bool:
    """Whether a place and an organization with a common name are one entity: a hotel, a theatre, a bank."""
    return a.types | b.types == SITE and any(
        key in b.names and is_site_name(name) for key, name in sorted(a.names.items())
    )


def is_site_name(name: Name) -> bool:
    """Whether a place and an organization of this name are one entity: "Hôtel du Bassin", not "Paris"."""
    return len(name.core) > 1 and name.proper


def _names_of_namesakes(
    mentions: Iterable[MentionLike], strangers: Mapping[str, Mapping[str, int]]
) -> frozenset[tuple[str, str]]:
    """(document, key) of the names that a document marks as somebody else's, in at least STRANGER of their places: one
    "another Holmes" in a whole novel is a figure of speech.
    """
    places: Counter[tuple[str, str]] = Counter()
    for mention in (mention for mention in mentions if mention.document_id in strangers):
        if mention.key in strangers[mention.document_id]:
            places[mention.document_id, mention.key] += mention.count
    return frozenset(name for name, count in places.items() if strangers[name[0]][name[1]] >= STRANGER * count)
