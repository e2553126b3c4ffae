"""What the rules propose from names only, before guards and people's decisions.

Proposals depend on the names, their vectors and the stated aliases, not on clusters. So they are computed for each
name, pair and document, and a change recomputes only those that may differ. They also determine which mentions may be
joined at all: those that proposals connect.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from typing import Any, TypeVar

from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import CastLink
from filigraph.graph.model.names import AliasGroup, Decision, MentionLike
from filigraph.graph.names.address_rules import may_be_a_name
from filigraph.graph.names.candidates import Candidates
from filigraph.graph.names.cast import Cast
from filigraph.graph.names.clusters import SITE, is_site_name
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Keys, Pairing
from filigraph.graph.names.propose.review_pairs import (
    Blocks,
    block_names,
    longer_elsewhere,
    married_pairs,
    similar_pairs,
)
from filigraph.graph.names.propose.rule_result import NOTHING, Proposal, RuleResult
from filigraph.graph.names.propose.short_forms import FormGroup, pairs_that_agree, short_forms
from filigraph.graph.names.propose.similar_names import compare_pair, keys_torn, review_if_torn
from filigraph.graph.text.names.pairs import Signature
from filigraph.graph.text.names.parse import Name, name_key
from filigraph.graph.text.names.type_class import type_class

STATED = ("alias-file", "document-alias")  # aliases stated by persons' lists and by documents
# rules that ignore a name if it is similar to two names that conflict
UNLESS_TORN = ("nickname", "middle-name", "vector")
MOST_PAIRED = 24  # mentions that a link across documents joins, each with each
BY_NAMES = ("reader", "exact", "core", "spelling", *UNLESS_TORN)

DocumentAliases = Mapping[str, Sequence[tuple[str, str]]]
FormGroups = Sequence[Sequence[FormGroup]]
Unit = TypeVar("Unit", bound=Hashable)
Value = TypeVar("Value")


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Proposals:
    """What the rules propose. `touched`: the mentions whose proposals changed; None: all."""

    candidates: Candidates
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    said: Mapping[str, Mapping[Hashable, RuleResult]] = field(
        default_factory=dict
    )  # step of `propose` -> unit -> result
    # what the rules say about each pair of names by itself
    pairs: Mapping[Keys, RuleResult] = field(default_factory=dict)
    blocks: Blocks = field(default_factory=Blocks)
    forms_in: Mapping[str, FormGroups] = field(default_factory=dict)  # groups of documents with short forms
    # mention -> the mentions that proposals join it with
    joining: Mapping[str, Sequence[Proposal]] = field(default_factory=dict)
    reviewed: Mapping[tuple[str, str], Sequence[Proposal]] = field(default_factory=dict)
    near: NearMissPairs = field(default_factory=NearMissPairs)  # those in `reviewed`
    touched: Set[str] | None = None

    def connected_mentions(self, mentions: Iterable[str]) -> set[str]:
        """These mentions and all that proposals connect with them: decisions about them affect no other mention."""
        reached, ahead = set(mentions), [*mentions]
        while ahead:
            for proposal in self.joining.get(ahead.pop(), ()):
                for end in (proposal.first, proposal.second):
                    if end not in reached:
                        reached.add(end)
                        ahead.append(end)
        return reached

    def by_rule(self, mentions: Iterable[str]) -> Mapping[str, Sequence[Proposal]]:
        """The proposals between these mentions, which must be whole connected sets."""
        by_rule: dict[str, list[Proposal]] = defaultdict(list)
        for mention in mentions:
            for proposal in self.joining.get(mention, ()):
                if proposal.first == mention:
                    by_rule[proposal.rule].append(proposal)
        return by_rule

    def short_forms(self) -> Iterator[Sequence[FormGroup]]:
        """The short forms of each document, in descending number of words."""
        for document in sorted(self.forms_in):
            yield from self.forms_in[document]


def propose(
    candidates: Candidates,
    alias_groups: Iterable[AliasGroup],
    document_aliases: DocumentAliases,
    vectors: Mapping[str, Vector],
    before: Proposals | None = None,
    casts: Mapping[str, Cast] | None = None,
    links: Sequence[CastLink] = (),
) -> Proposals:
    """The proposals of the rules from `alias-file` to `vector` (see `resolve`).

    Time is linear in mentions and pairs. If `before` is for these candidates or for those that they were updated from,
    it is linear in what may differ.
    """
    names, pairing = candidates.names, candidates.pairing
    anew = before is None or not _is_before(before.candidates, candidates)
    known = _NO_PROPOSALS if before is None or anew else before
    again = _look_at_all(candidates) if anew else _look_again(known, candidates, vectors)
    results = _Results(known)

    results.note("alias-file", [""], lambda _: RuleResult(tuple(_groups(names, alias_groups))))
    results.note("document-alias", [""], lambda _: RuleResult(tuple(_stated_in_documents(names, document_aliases))))
    results.note("reader", [""], lambda _: _propose_by_cast(names, casts or {}, links))
    results.note("exact", again.keys, lambda key: RuleResult(tuple(_exact(key, names))))
    results.note("core", again.words, lambda words: _pair_equal_cores(words, names))
    results.note("married", again.words, lambda words: RuleResult(review=tuple(married_pairs(words, names))))
    results.note("longer", again.longer, lambda key: RuleResult(review=tuple(longer_elsewhere(key, names))))

    pairs = dict(known.pairs)
    _renew(pairs, again.pairs, lambda keys: compare_pair(pairing.pairs.get(keys), vectors, names), NOTHING)
    named = {keys: result for keys, result in pairs.items() if result.join and result.join[0].rule in UNLESS_TORN}
    torn = keys_torn(named, pairing.pairs)
    results.note("similar", {*again.pairs, *named}, lambda keys: review_if_torn(pairs.get(keys, NOTHING), keys, torn))

    blocks = block_names(known.blocks, pairing, names, again.words)
    results.note("alike", blocks.again, lambda block: RuleResult(review=tuple(similar_pairs(block, blocks, names))))

    forms_in = dict(known.forms_in)
    other_forms = _renew(forms_in, again.documents, lambda document: short_forms(document, names), ())
    results.note("contained", again.documents, lambda document: RuleResult(tuple(_ties(forms_in.get(document, ())))))

    gone, came = zip(*results.differing, strict=True) if results.differing else ((), ())
    reviewed = _replace_proposals(known.reviewed, _reviews(gone), _reviews(came))
    near = NearMissPairs(dict(known.near.pairs))
    for pair in {pair for pair, _ in chain(_reviews(gone), _reviews(came))}:
        near.pairs.pop(pair, None)
        for proposal in reviewed.get(pair, ()):
            near.add(proposal.rule, *pair, proposal.score)
    return Proposals(
        candidates=candidates,
        vectors=vectors,
        said=results.said,
        pairs=pairs,
        blocks=blocks,
        forms_in=forms_in,
        joining=_replace_proposals(known.joining, _proposals_by_mention(gone), _proposals_by_mention(came)),
        reviewed=reviewed,
        near=near,
        touched=None if anew else results.joined_otherwise() | _mentions_between(other_forms),
    )


_NO_PROPOSALS = Proposals(candidates=Candidates(mentions=(), names=Names(()), pairing=Pairing()))


def _is_before(known: Candidates, candidates: Candidates) -> bool:
    return known is candidates or (candidates.change is not None and candidates.change.before() is known)


# What to look at


@dataclass(frozen=True, kw_only=True)
class _Scope:
    """What the rules must look at again."""

    keys: Iterable[str]  # of names
    words: Collection[Signature]
    longer: Iterable[str]  # keys, because of their longer names
    pairs: Collection[Keys]
    documents: Collection[str]


def _look_at_all(candidates: Candidates) -> _Scope:
    names = candidates.names
    return _Scope(
        keys=names.by_key,
        words=names.keys_of,
        longer=names.longer,
        pairs=candidates.pairs,
        documents=names.documents_with_short_forms,
    )


def _look_again(before: Proposals, candidates: Candidates, vectors: Mapping[str, Vector]) -> _Scope:
    texts = before.vectors.keys() | vectors.keys()
    other = {text for text in texts if before.vectors.get(text) is not vectors.get(text)}
    spoken_of = candidates.pairs.items() if other else ()
    pairs = {keys for keys, pair in spoken_of if pair.first.bare in other or pair.second.bare in other}
    if before.candidates is candidates or candidates.change is None:
        return _Scope(keys=(), words=(), longer=(), pairs=pairs, documents=())
    old, new, change = before.candidates.names, candidates.names, candidates.change.names
    named = change.turned | change.full
    keys = named | change.keys
    short = {key for key, longer in new.longer.items() if not longer.isdisjoint(keys)}
    spoken = change.turned | change.longer | (old.things ^ new.things)
    return _Scope(
        keys=keys,
        words={index.signatures[key] for key in keys for index in (old, new) if key in index.of},
        longer=keys | change.longer | short,
        pairs=pairs | candidates.pairing.again | {k for k in candidates.pairs if k[0] in named or k[1] in named},
        documents=change.documents | {document for key in spoken for document in new.documents_of.get(key, ())},
    )


# The results before and now


def _renew(
    known: dict[Unit, Value], units: Iterable[Unit], say: Callable[[Unit], Value], nothing: Value
) -> list[tuple[Value, Value]]:
    """Look at these again. Returns the results before and now that differ."""
    differing = []
    for unit in units:
        before, now = known.pop(unit, nothing), say(unit)
        if now:
            known[unit] = now
        if now != before:
            differing.append((before, now))
    return differing


class _Results:
    """The results of each step, updated incrementally."""

    def __init__(self, before: Proposals) -> None:
        self.said: dict[str, Mapping[Hashable, RuleResult]] = {}
        self.differing: list[tuple[RuleResult, RuleResult]] = []  # the results before and now
        self._before = before.said

    def note(self, step: str, units: Iterable[Unit], say: Callable[[Unit], RuleResult]) -> None:
        results: dict[Any, RuleResult] = dict(self._before.get(step, {}))
        self.differing += _renew(results, units, say, NOTHING)
        self.said[step] = results

    def joined_otherwise(self) -> set[str]:
        """The mentions of joining proposals that were added or removed."""
        changed = (proposal for before, now in self.differing for proposal in {*before.join} ^ {*now.join})
        return {mention for proposal in changed for mention in proposal.pair}


def _replace_proposals(
    known: Mapping[Unit, Sequence[Proposal]],
    gone: Iterable[tuple[Unit, Proposal]],
    came: Iterable[tuple[Unit, Proposal]],
) -> dict[Unit, Sequence[Proposal]]:
    """`known` without the removed proposals, each once, and with the added ones."""
    now = dict(known)
    lost, new = _grouped(gone), _grouped(came)
    for unit in lost.keys() | new.keys():
        left = Counter(now.pop(unit, ()))
        left.subtract(lost.get(unit, ()))
        left.update(new.get(unit, ()))
        if proposals := tuple(left.elements()):
            now[unit] = proposals
    return now


def _grouped(proposals: Iterable[tuple[Unit, Proposal]]) -> dict[Unit, list[Proposal]]:
    by_unit: dict[Unit, list[Proposal]] = defaultdict(list)
    for unit, proposal in proposals:
        by_unit[unit].append(proposal)
    return by_unit


def _proposals_by_mention(results: Iterable[RuleResult]) -> Iterator[tuple[str, Proposal]]:
    return ((end, proposal) for one in results for proposal in one.join for end in proposal.pair)


def _reviews(results: Iterable[RuleResult]) -> Iterator[tuple[tuple[str, str], Proposal]]:
    return ((proposal.pair, proposal) for one in results for proposal in one.review)


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
        yield from _pair_with_first("alias-file", members)


def _stated_in_documents(names: Names, aliases: DocumentAliases) -> Iterator[Proposal]:
    for document, stated in aliases.items():
        here: dict[str, list[str]] = defaultdict(list)
        for mention in names.documents.get(document, []):
            here[mention.key].append(mention.id)
        for first, second in stated:
            one, other = here.get(name_key(first)), here.get(name_key(second))
            if one and other:
                yield from _pair_with_first("document-alias", [*one, *other])


def _propose_by_cast(names: Names, casts: Mapping[str, Cast], links: Sequence[CastLink]) -> RuleResult:
    """Propose to join what the casts of documents and links across documents join; if a guard contradicts it, a person
    should decide."""
    proposals = []
    for document in sorted(casts):
        here: dict[str, list[str]] = defaultdict(list)
        for mention in names.documents.get(document, []):
            here[mention.key].append(mention.id)
        for first, second in casts[document].pairs():
            proposals += [Proposal("reader", 1.0, *pair) for pair in product(here.get(first, ()), here.get(second, ()))]
    proposals += _across(names, links)
    proposals = [*dict.fromkeys(proposals)]
    return RuleResult(join=tuple(proposals), review=tuple(proposals))


def _across(names: Names, links: Iterable[CastLink]) -> Iterator[Proposal]:
    """What links across documents join. If a name has many places, each is paired with the first alone."""
    for link in links:
        if link.kind in ("one", "alias"):
            mentions = sorted(
                mention.id
                for document, key in {(name.document_id, name.key) for name in link.names}
                for mention in names.by_key.get(key, ())
                if mention.document_id == document
            )
            pairs = combinations(mentions, 2) if len(mentions) <= MOST_PAIRED else product(mentions[:1], mentions[1:])
            yield from (Proposal("reader", 1.0, *pair) for pair in pairs)


# --------------------------------------------------------------------------------------------------------------------
# The same name


def _exact(key: str, names: Names) -> Iterator[Proposal]:
    """Mentions with the same key and type; one without a type joins only if all others have the same type."""
    members = names.by_key.get(key, ())
    if len(members) < 2:
        return
    scopes: dict[str, list[MentionLike]] = defaultdict(list)
    for mention in members:
        scopes[mention.document_id].append(mention)
    for scope in (names.full.get(key, ()), *scopes.values()):
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
        yield from _pair_with_first("exact", [mention.id for mention in members])
        return
    for kind in sorted(by_type):
        yield from _pair_with_first("exact", by_type[kind])


def _pair_with_first(rule: str, members: Iterable[str]) -> Iterator[Proposal]:
    """Pair every member with the smallest one: a star is a spanning tree."""
    ordered = sorted(set(members))
    for other in ordered[1:]:
        yield Proposal(rule, 1.0, ordered[0], other)


def _pair_equal_cores(words: Signature, names: Names) -> RuleResult:
    """Full names across documents that are equal except for title, epithet, legal form or spacing."""
    here = [
        key
        for key in names.keys_of.get(words, ())
        if key in names.full and (len(words) > 1 or not may_be_a_name(names.of[key], names.given))
    ]
    return pair_names_that_agree("core", {key: names.full[key][0].id for key in here}, names, convention=False)


def pair_names_that_agree(
    rule: str,
    mention_of: Mapping[str, str],
    names: Names,
    *,
    convention: bool,
    places: Mapping[str, int] | None = None,
    of_family: bool = False,
) -> RuleResult:
    """The results for keys of one signature (see `pairs_that_agree`), with the mention that represents each key."""
    join, review = [], []
    pairs = pairs_that_agree([*mention_of], names, convention=convention, places=places, of_family=of_family)
    for first, second, torn in pairs:
        if torn:
            review.append(Proposal("core", 0.95, mention_of[first], mention_of[second]))
        else:
            join.append(Proposal(rule, 1.0, mention_of[first], mention_of[second]))
    return RuleResult(tuple(join), tuple(review))


# --------------------------------------------------------------------------------------------------------------------
# Short forms


def _ties(forms_in: FormGroups) -> Iterator[Proposal]:
    """The mentions that short forms may join; their clusters decide later which one."""
    for groups in forms_in:
        for group in groups:
            yield from (Proposal("contained", 0.0, group.id, other) for other in group.mentions() if other != group.id)


def _mentions_between(differing: Iterable[tuple[FormGroups, FormGroups]]) -> set[str]:
    """The mentions of the groups that were added, removed or changed."""
    mentions: set[str] = set()
    for before, now in differing:
        old, new = (
            {(group.rule, group.id): group for groups in groups_of for group in groups} for groups_of in (before, now)
        )
        for id_ in old.keys() | new.keys():
            if old.get(id_) != new.get(id_):
                mentions.update(
                    mention for groups_of in (old, new) if id_ in groups_of for mention in groups_of[id_].mentions()
                )
    return mentions
