"""Entity resolution: which mentions refer to one entity. Rules propose, guards veto, persons' decisions overrule both.

The rules run in this order, and proposals of a rule by descending score, then by ids, so that the result does not
depend on the order of the mentions:

    person           decision of a person
    alias-file       alias group from a person's list
    document-alias   alias stated in the document ("The Claw, dite La Griffe"); within that document
    reader           names that an LLM says are one, from the document's names and extracts, within that document, or
                     from several documents, across them. Later rules do not join what it separates; if a guard
                     contradicts it, the review asks a person
    exact            same key; full names across documents, short forms within one document
    core             same words except for title, epithet, legal form or spacing
    spelling         one edit in a long word of a full name; or the same name in another script, transliterated
    nickname         same full name with the short form of the given name: Ted, Theodore; in one document if few letters
                     are the same
    middle-name      a person's full name of three words or more, and the same name with more words in between
    vector           cosine of the names > 0.9, and each word has a counterpart in the other name
    contained        forms of one name in a document ("Darcy", "Mr. Darcy"), and the longer name there that they fit:
                     the only one, or by far the most frequent (see `short_form_homes`, `address`)
    nickname         after `contained`, in one document: a short given name and the one who has it in full (Lizzy)
    context          a short form and the only longer name that it fits in documents with shared names
    named-before, addressed
                     places of a form and the person that they mean, by the text around them (see `homonyms`)

A form is *short* if it is a bare common noun, or if a longer name of the workspace contains it ("Delmas" and
"J. Delmas" if the workspace has a "Jules Delmas"); any other form is *full*. Short forms are resolved across documents
only by shared names, or Delmas would join a namesake, or if many documents use them without a longer name ("London" in
spite of "Jack London"). A veto holds for the whole cluster. No rule joins a name that the text marks as somebody else's
("another L. Marchetti"), names to which texts give different years of birth, or a man's and a woman's name, as
titles, given names and the pronouns after a name show.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import attrgetter

from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import CastLink
from filigraph.graph.model.names import UNTOLD, AliasGroup, Decision, Part, Resolution
from filigraph.graph.names.candidates import Candidates
from filigraph.graph.names.cast import Cast, CastContrasts, Casts, cast_of
from filigraph.graph.names.clusters import Clusters
from filigraph.graph.names.context import Context, context_of
from filigraph.graph.names.pairing import SOFT
from filigraph.graph.names.propose.proposals import (
    BY_NAMES,
    STATED,
    DocumentAliases,
    NearMissPairs,
    Proposals,
    propose,
)
from filigraph.graph.names.propose.rule_result import Proposal
from filigraph.graph.names.propose.short_form_homes import ShortFormHomes
from filigraph.graph.tables.differences import other_objects

REVIEWED_LONGER = 3  # max. candidates in other documents for which a short form becomes a near miss
SHARED, SHARED_GIVEN = 0.05, 0.1  # min. overlap of two documents to join a surname, a given name
ANY_OF_THEM = 0.5  # score of a pair of places and a person whom they may mean
ROUNDS = 2  # of the rule `context`: the joins of one round add candidates for the next

_ORDER = attrgetter("first", "second", "rule")  # of decisions

Pairs = Mapping[tuple[str, str], Decision]
Strangers = Mapping[str, Mapping[str, int]]
Scope = Set[str] | None  # mentions, which are whole components; None: all


class _Resolver:
    """Applies the rules to clusters; collects decisions and near misses."""

    def __init__(self, proposals: Proposals, clusters: Clusters, near: NearMissPairs) -> None:
        self.proposals, self.names = proposals, proposals.candidates.names
        self.clusters, self.near = clusters, near
        self.decisions: list[Decision] = []

    def apply(self, proposals: Iterable[Proposal], *, stated: bool = False, record: bool = True) -> None:
        """Apply the proposals of one rule, best first. `record` is off for persons' decisions, which are input."""
        ordered = sorted({(-proposal.score, *proposal.pair, proposal.rule) for proposal in proposals})
        for negative, first, second, rule in ordered:
            if self.clusters.together(first, second):
                continue
            why = self.clusters.veto(first, second, stated=stated)
            if not why:
                self.clusters.join(first, second)
            if why or record:
                reason = f"guard:{why}" if why else rule
                self.decisions.append(Decision(first=first, second=second, same=not why, rule=reason, score=-negative))

    def join_by_names(self, persons: Iterable[Decision], scope: Scope) -> None:
        """Apply the rules up to `contained`, which look at no mention outside its component."""
        here = [decision for decision in persons if scope is None or decision.first in scope]
        for decision in here:
            if not decision.same:
                self.clusters.keep_apart(decision.first, decision.second)
        same = (Proposal("person", 1.0, decision.first, decision.second) for decision in here if decision.same)
        self.apply(same, stated=True, record=False)
        proposals = self.proposals.by_rule(self.proposals.joining if scope is None else scope)
        for rule in STATED:
            self.apply(proposals.get(rule, ()), stated=True)
        for rule in BY_NAMES:
            proposed = proposals.get(rule, ())
            self.apply((*proposed, *self._of_one_birth(proposed)) if rule == "exact" else proposed)
        self.join_contained(scope)

    def _of_one_birth(self, proposals: Sequence[Proposal]) -> Iterator[Proposal]:
        """Pairs with one name and one year of birth: each mention is paired with the same one, which may be a
        namesake's.
        """
        by_birth: dict[tuple[str, int], set[str]] = defaultdict(set)
        for mention in {end for proposal in proposals for end in proposal.pair}:
            for year in self.clusters.of(mention).born:
                by_birth[self.proposals.candidates.by_id[mention].key, year].add(mention)
        for mentions in by_birth.values():
            first, *others = sorted(mentions)
            yield from (Proposal("exact", 1.0, first, other) for other in others)

    # -- short forms

    def join_contained(self, scope: Scope) -> None:
        """Join short forms to the only longer name of their document, longest first: "Clair" depends on how "St. Clair"
        is resolved."""
        homes = ShortFormHomes(self.proposals.candidates, self.clusters, self.near)
        for forms in self.proposals.short_forms():
            here = [group for group in forms if scope is None or group.id in scope]
            self.apply(proposal for group in here for proposal in homes.proposals(group))

    def join_by_context(self, state: DerivationState | None) -> None:
        """Join short forms without a longer name in their document to the only candidate in documents with shared
        names. Two rounds: "Mr. Pask" follows once "L. Pask" is resolved to Leonard. Several candidates become near
        misses."""
        with context_of(self.names, state) as rule:
            for _ in range(ROUNDS):
                self.apply(self._homes(rule))
                same = (Proposal("context", share, a.id, b.id) for a, b, share in rule.same_elsewhere(self.clusters))
                self.apply(proposal for proposal in same if proposal.score >= SHARED)

    # -- one form, two people

    def join_parts_of_texts(self, parts: Iterable[Part], persons: Iterable[Decision]) -> None:
        """After all other rules, join places to the person that the text shows they mean; if it shows nothing, they
        become near misses. A person's decision about a form applies to all its places: places that the text gave to
        somebody else return to the form.
        """
        by_id = self.proposals.candidates.by_id
        here = [part for part in parts if part.id in by_id and len(self.clusters.of(part.id).members) == 1]
        decided: dict[str, list[tuple[str, bool]]] = defaultdict(
            list
        )  # mention -> the others, and whether they are one
        for decision in persons:
            decided[decision.first].append((decision.second, decision.same))
            decided[decision.second].append((decision.first, decision.same))
        back = {part.id for part in here if any(self._denies(part, *one) for one in decided[part.of])}
        same = (Proposal("exact", 1.0, part.id, part.of) for part in here if part.id in back and part.of in by_id)
        self.apply(same, stated=True)
        here = [part for part in here if part.id not in back]
        pairs = [(part.rule, part.id, bearer) for part in here for bearer in part.bearers if bearer in by_id]
        self.apply((Proposal(rule, 1.0, *pair) for rule, *pair in pairs if rule != UNTOLD), stated=True)
        for rule, part, bearer in pairs:
            if rule == UNTOLD:
                self.near.add(rule, part, bearer, ANY_OF_THEM)

    def _denies(self, part: Part, other: str, same: bool) -> bool:
        """Whether a person's decision about the form of a part contradicts joining it to this person."""
        if part.rule == UNTOLD:
            return same
        bearer = part.bearers[0]
        return bearer in self.proposals.candidates.by_id and self.clusters.together(other, bearer) != same

    def _homes(self, rule: Context) -> Iterator[Proposal]:
        """Proposals for the short forms with one candidate."""
        for mention, homes in rule.homes_elsewhere(self.clusters):
            needed = SHARED_GIVEN if self.names.is_given_alone(mention.key) else SHARED
            (home, share), *others = sorted(homes.items())
            if not others and share >= needed:
                yield Proposal("context", share, mention.id, home)
            elif len(homes) <= REVIEWED_LONGER:
                for other, count in sorted(homes.items()):
                    self.near.add("context", mention.id, other, count)


def resolve(
    candidates: Candidates,
    *,
    decisions: Iterable[Decision] = (),
    alias_groups: Iterable[AliasGroup] = (),
    document_aliases: DocumentAliases | None = None,
    strangers: Strangers | None = None,
    casts: Casts | None = None,
    links: Iterable[CastLink] = (),
    text_parts: Iterable[Part] = (),
    vectors: Mapping[str, Vector] | None = None,
    state: DerivationState | None = None,
) -> Resolution:
    """The entity of each mention, the decisions of rules (a spanning set, not all pairs), the vetoes, and the near
    misses for review. Independent of the order of the mentions.

    `decisions` of persons and `alias_groups` overrule the rules. `document_aliases` maps document id -> pairs of names
    that the document states to be one; `strangers` document id -> key -> how many times the document marks the name as
    somebody else's, and keys with years of birth or the gender of pronouns (see `namesake_keys`); `casts` document id
    -> what an LLM said of who is who in it; `links` what an LLM said of who is who across documents; `text_parts` the
    parts of mentions that texts determine; `vectors` the candidates' `texts` -> unit vectors. Pairs without vectors are
    not compared by cosine.

    The rules up to `contained` run only on mentions that are connected with a change (see
    `Proposals.connected_mentions`); for all others the result of the last call with this `state` is reused. The result
    does not depend on `state`.
    """
    cast_by_document = {document: cast_of(readings) for document, readings in (casts or {}).items()}
    stated = _Stated(tuple(alias_groups), document_aliases or {}, strangers or {}, cast_by_document, tuple(links))
    persons = frozenset(d for d in decisions if d.by == "person" and {d.first, d.second} <= candidates.by_id.keys())
    by_names = _by_names(candidates, stated, persons, vectors or {}, state)
    near = NearMissPairs({**by_names.proposals.near.pairs})
    near.update(by_names.near)
    resolver = _Resolver(by_names.proposals, by_names.clusters.copy(), near)
    resolver.join_by_context(state)
    resolver.join_parts_of_texts(text_parts, persons)
    last = (state.last(_Outcome) if state else None) or _NOTHING
    outcome = _outcome(last, candidates, near.pairs, resolver.clusters)
    if state:
        state.keep(outcome)
    return Resolution(
        entity_of={**candidates.entity_alone, **outcome.shared},
        decisions=_in_order(by_names.decisions, resolver.decisions),
        near_misses=outcome.open,
    )


# The last result, for reuse


@dataclass(frozen=True)
class _Stated:
    """What documents and persons' lists say about names."""

    alias_groups: Sequence[AliasGroup]
    document_aliases: DocumentAliases
    strangers: Strangers
    casts: Mapping[str, Cast]
    links: Sequence[CastLink]


@dataclass(frozen=True, eq=False)
class _ByNames:
    """The mentions after the rules up to `contained`."""

    candidates: Candidates
    stated: _Stated
    vectors: Mapping[str, Vector]
    persons: Set[Decision]
    proposals: Proposals
    clusters: Clusters
    decisions: Sequence[Decision]  # in their order
    near: NearMissPairs  # of `contained`


def _by_names(
    candidates: Candidates,
    stated: _Stated,
    persons: Set[Decision],
    vectors: Mapping[str, Vector],
    state: DerivationState | None,
) -> _ByNames:
    last = state.last(_ByNames) if state else None
    if last and last.candidates is candidates and last.stated == stated and _are_same(last.vectors, vectors):
        resolved = last if last.persons == persons else _resolve_touched(last, replace(last, persons=persons), set())
    else:
        known = last.proposals if last else None
        proposals = propose(
            candidates, stated.alias_groups, stated.document_aliases, vectors, known, stated.casts, stated.links
        )
        contrasts = CastContrasts.of(candidates.mentions, stated.casts, stated.links)
        clusters = Clusters(candidates.by_id, candidates.names.of, stated.strangers, candidates.names.guards, contrasts)
        resolved = _ByNames(candidates, stated, vectors, persons, proposals, clusters, [], NearMissPairs())
        if last is None or proposals.touched is None:
            resolved = _resolve_all(resolved)
        else:
            resolved = _resolve_touched(last, resolved, proposals.touched | _touched_mentions(last, resolved))
    if state:
        state.keep(resolved)
    return resolved


def _resolve_all(now: _ByNames) -> _ByNames:
    resolver = _Resolver(now.proposals, now.clusters, NearMissPairs())
    resolver.join_by_names(now.persons, None)
    return replace(now, decisions=_in_order([], resolver.decisions), near=resolver.near)


def _touched_mentions(last: _ByNames, now: _ByNames) -> set[str]:
    """The mentions for which some input of the rules up to `contained` differs, except proposals and decisions."""
    change = now.candidates.change
    touched = {*change.touched} if change and now.candidates is not last.candidates else set()
    touched |= now.clusters.cast_contrasts.differing(last.clusters.cast_contrasts)
    births = {place for place, _ in last.clusters.born.items() ^ now.clusters.born.items()}
    genders = {place for place, _ in last.clusters.genders.items() ^ now.clusters.genders.items()}
    if marked := (last.clusters.apart ^ now.clusters.apart) | births | genders:
        both = (last.candidates, now.candidates)
        touched.update(m.id for candidates in both for m in candidates.mentions if (m.document_id, m.key) in marked)
    return touched


def _resolve_touched(last: _ByNames, now: _ByNames, touched: Set[str]) -> _ByNames:
    """Resolve again the components of these mentions and of mentions in added or removed decisions; two components that
    a decision connects count as one. They are also whole components of the last result: if a proposal was added or
    removed, both its ends are in them.
    """
    either = now.persons | last.persons
    scope = {end for decision in now.persons ^ last.persons for end in (decision.first, decision.second)} | touched
    while True:
        wider = now.proposals.connected_mentions(scope)
        wider.update(end for d in either if d.first in wider or d.second in wider for end in (d.first, d.second))
        if len(wider) == len(scope):
            break
        scope = wider
    near = NearMissPairs({pair: near for pair, near in last.near.pairs.items() if pair[0] not in scope})
    untouched = [decision for decision in last.decisions if decision.first not in scope]
    if now.clusters is last.clusters:
        clusters = last.clusters.copy(alone=scope)
    else:
        clusters = now.clusters
        clusters.adopt(last.clusters, scope)
    resolver = _Resolver(now.proposals, clusters, near)
    resolver.join_by_names(now.persons, scope)
    return replace(now, clusters=resolver.clusters, decisions=_in_order(untouched, resolver.decisions), near=near)


def _are_same(vectors: Mapping[str, Vector], others: Mapping[str, Vector]) -> bool:
    return vectors.keys() == others.keys() and all(vectors[name] is others[name] for name in vectors)


# The result, updated incrementally


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The result of a resolution."""

    clusters: Clusters
    shared: Mapping[str, str]  # mention id -> entity id, for mentions that share an entity
    near: Pairs
    open: tuple[Decision, ...]  # those of `near` that a person should review, in their order


_NOTHING = _Outcome(Clusters({}, {}, {}, {}), {}, {}, ())


def _outcome(before: _Outcome, candidates: Candidates, near: Pairs, clusters: Clusters) -> _Outcome:
    """The result. Near misses with the same first mention are examined together: a cluster of one of them changed, or
    it was added, removed or has another rule.
    """
    changed = clusters.differing(before.clusters)
    again = {first for first, second in near if first in changed or second in changed}
    again.update(first for first, _ in _differing_pairs(before.near, near))
    untouched = [miss for miss in before.open if miss.first not in again]
    new = [miss for miss in near.values() if miss.first in again and _is_open(miss, clusters)]
    return _Outcome(
        clusters=clusters,
        shared=clusters.shared_entities(candidates.entity_alone, before.clusters, before.shared),
        near=near,
        open=_in_order(untouched, new),
    )


def _differing_pairs(before: Pairs, now: Pairs) -> Iterator[tuple[str, str]]:
    """The pairs that only one table has, or that have another rule or score. Most values are the same objects."""
    yield from before.keys() - now.keys()
    yield from (pair for pair in other_objects(before, now) if now[pair] != before.get(pair))


def _is_open(near: Decision, clusters: Clusters) -> bool:
    """Whether its mentions are still separate, and there is no veto, or one that a person should review."""
    if clusters.together(near.first, near.second):
        return False
    against = clusters.veto(near.first, near.second)
    if near.rule == "reader":
        return against not in ("person", "reader")
    return not against or (against, near.rule) in ((SOFT, "spelling"), ("title", "core"))


def _in_order(old: Sequence[Decision], more: Iterable[Decision]) -> tuple[Decision, ...]:
    """The decisions in order, one per pair and rule; `old` are in order already. If two rules proposed a pair that one
    guard vetoed, the first counts.
    """
    merged: list[Decision] = []
    start = 0
    first_of = {_ORDER(decision): decision for decision in reversed([*more])}
    for place in sorted(first_of):
        end = bisect_right(old, place, key=_ORDER)
        if bisect_left(old, place, hi=end, key=_ORDER) == end:
            merged += old[start:end]
            merged.append(first_of[place])
            start = end
    return (*merged, *old[start:])
