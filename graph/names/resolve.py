"""Entity resolution: which mentions refer to one entity. Rules propose, guards veto, persons' decisions overrule both.

The rules run in this order, and proposals of a rule by descending score, then by ids, so that the result does not
depend on the order of the mentions:

    person           decision of a person
    alias-file       alias group from a person's list
    document-alias   alias stated in the document ("The Claw, dite La Griffe"); within that document
    exact            same key; full names across documents, short forms within one document
    core             same words except for title, epithet, legal form or spacing
    spelling         one edit in a long word of a full name; or the same name in another script, transliterated
    nickname         same full name with the short form of the given name: Ted, Theodore; in one document if few letters
                     are the same
    middle-name      a person's full name of three words or more, and the same name with more words in between
    vector           cosine of the names > 0.9, and each word has a counterpart in the other name
    contained        a short form and the only longer name of its document that it fits
    context          a short form and the only longer name that it fits in documents with shared names

A form is *short* if it is a bare common noun, or if a longer name of the workspace contains it ("Delmas" and
"J. Delmas" if the workspace has a "Jules Delmas"); any other form is *full*. Short forms are resolved across documents
only by shared names, or Delmas would join a namesake, or if many documents use them without a longer name ("London" in
spite of "Jack London"). A veto holds for the whole cluster. No rule joins a name that the text marks as somebody else's
("another L. Marchetti").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from filigraph.graph.model import AliasGroup, Decision, MentionLike, Resolution, Vector
from filigraph.graph.names.candidates import BY_VECTOR, SOFT, Candidates, Names, Pair, cosine
from filigraph.graph.names.clusters import SITE, Clusters, is_site_name
from filigraph.graph.names.context import homes_elsewhere, same_elsewhere
from filigraph.graph.names.forms import few_slips, long_enough, may_be_a_name
from filigraph.graph.names.short_forms import FormGroup, agreeing, short_forms
from filigraph.graph.names.similar_names import alike
from filigraph.graph.text.names.blocks import MIN_SIMILARITY
from filigraph.graph.text.names.pairs import Signature, conflict
from filigraph.graph.text.names.parse import Name, name_key
from filigraph.graph.text.names.tables import TYPE_CLASSES

REVIEWED_LONGER = 3  # max. candidates in other documents for which a short form becomes a near miss
MIN_COSINE = 0.9  # above it two names are joined
REVIEW_COSINE = REVIEW_SIMILARITY = 0.8  # cosine, letter similarity: limits of a near miss
SHARED, SHARED_GIVEN = 0.05, 0.1  # min. overlap of two documents to join a surname, a given name
ROUNDS = 2  # of the rule `context`: joins of one round add candidates to the next
DOMINANT, DOMINANT_COUNT = 0.9, 10  # min. share, min. places of one of several candidates to win a short form


@dataclass(frozen=True, slots=True)
class _Proposal:
    """A rule's proposal to join two mentions."""

    score: float
    first: str
    second: str


class _Resolver:
    """Applies the rules to one set of candidates; collects decisions and near misses."""

    def __init__(
        self, candidates: Candidates, vectors: Mapping[str, Vector], strangers: Mapping[str, Mapping[str, int]]
    ) -> None:
        self.names, self.pairs = candidates.names, candidates.pairs
        self.vectors = vectors
        self.clusters = Clusters(candidates.by_id, candidates.names.of, strangers, candidates.names.guards)
        self.decisions: list[Decision] = []
        self.near: dict[tuple[str, str], Decision] = {}

    # -- common to all rules

    def apply(self, rule: str, proposals: Iterable[_Proposal], *, stated: bool = False, record: bool = True) -> None:
        """Apply the proposals of one rule, best first. `record` is off for persons' decisions, which are input."""
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

    def add_near_miss(self, rule: str, first: str, second: str, score: float) -> None:
        """Add a near miss for review; per pair the one with the highest score stays."""
        first, second = sorted((first, second))
        known = self.near.get((first, second))
        if known is None or (known.score, rule) < (score, known.rule):
            self.near[first, second] = Decision(first=first, second=second, same=False, rule=rule, score=score)

    def result(self) -> Resolution:
        near = [decision for pair, decision in sorted(self.near.items()) if self._is_open(*pair, decision.rule)]
        made = sorted(dict.fromkeys(self.decisions), key=lambda d: (d.first, d.second, d.rule))
        return Resolution(entity_of=self.clusters.entity_of(), decisions=tuple(made), near_misses=tuple(near))

    def _is_open(self, first: str, second: str, rule: str) -> bool:
        """Whether two mentions are still separate, without a veto or with one that a person should review."""
        against = self.clusters.veto(first, second)
        known = (SOFT, "spelling"), ("title", "core")
        return not self.clusters.together(first, second) and (not against or (against, rule) in known)

    # -- stated by persons or documents

    def stated(
        self,
        decisions: Iterable[Decision],
        alias_groups: Iterable[AliasGroup],
        document_aliases: Mapping[str, Sequence[tuple[str, str]]],
    ) -> None:
        known = self.clusters
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
        """Join mentions with the same key and type; one without a type joins only if all others have the same type."""
        self.apply("exact", _exact(self.names))

    def core(self) -> None:
        """Join full names across documents that are equal except for title, epithet, legal form or spacing."""
        proposals: list[_Proposal] = []
        for mention_of in _same_words(self.names):
            proposals += self._agreeing(mention_of, convention=False)
        self.apply("core", proposals)

    def _agreeing(self, mention_of: Mapping[str, str], *, convention: bool) -> Iterator[_Proposal]:
        """Keys of one signature (see `agreeing`), each with the mention that stands for it."""
        for first, second, torn in agreeing([*mention_of], self.names, convention=convention):
            if torn:
                self.add_near_miss("core", mention_of[first], mention_of[second], 0.95)
            else:
                yield _Proposal(1.0, mention_of[first], mention_of[second])

    # -- similarity

    def likeness(self) -> None:
        """Join full names that are similar in spelling or in their vectors."""
        spelling: list[_Proposal] = []
        vector: list[tuple[Pair, _Proposal]] = []
        named: dict[str, list[tuple[Pair, _Proposal]]] = {"nickname": [], "middle-name": []}
        for pair in self.pairs:
            first, second = self.names.full[pair.first.key][0].id, self.names.full[pair.second.key][0].id
            near = cosine(pair, self.vectors)
            if pair.kind == "nickname":
                if pair.similarity >= MIN_SIMILARITY or self._in_one_document(pair):
                    named["nickname"].append((pair, _Proposal(pair.similarity, first, second)))
                else:  # Ted is short for Theodore, Edward and Edmund
                    self.add_near_miss("nickname", first, second, pair.similarity)
            elif pair.kind == "middle" and self._are_persons(pair):
                named["middle-name"].append((pair, _Proposal(pair.similarity, first, second)))
            elif pair.kind == "script" and len(pair.first.core) > 1:
                spelling.append(_Proposal(1.0, first, second))
            elif (pair.kind == "spacing" and pair.first.proper and pair.second.proper) or (
                pair.kind == "spelling" and long_enough(*self._words(pair)) and pair.first.named and pair.second.named
            ):
                spelling.append(_Proposal(pair.similarity, first, second))
            elif pair.kind in BY_VECTOR and near is not None and near > MIN_COSINE and self._by_vector(pair):
                vector.append((pair, _Proposal(near, first, second)))
            elif near is not None and near > REVIEW_COSINE:
                self.add_near_miss("vector", first, second, near)
            elif pair.first.named == pair.second.named and (
                pair.similarity >= REVIEW_SIMILARITY or pair.kind == "order"
            ):
                self.add_near_miss("spelling", first, second, pair.similarity)
        self.apply("spelling", spelling)
        for rule, found in named.items():
            self.apply(rule, self._decided(rule, found))
        self.apply("vector", self._decided("vector", vector))

    def _words(self, pair: Pair) -> tuple[Signature, Signature]:
        return self.names.signatures[pair.first.key], self.names.signatures[pair.second.key]

    def _by_vector(self, pair: Pair) -> bool:
        """Whether cosine may decide: not for a different word in a person's name, Lukashevich and Lukashenko."""
        return pair.kind != "near word" or (few_slips(*self._words(pair)) and not self._are_persons(pair))

    def _in_one_document(self, pair: Pair) -> bool:
        first, second = (
            {mention.document_id for mention in self.names.full[name.key]} for name in (pair.first, pair.second)
        )
        return not first.isdisjoint(second)

    def _are_persons(self, pair: Pair) -> bool:
        return self.names.is_person(pair.first.key) and self.names.is_person(pair.second.key)

    def alike(self) -> None:
        """Add near misses that no rule proposes (`review.alike`)."""
        for first, second, rule, score in alike(self.names):
            self.add_near_miss(rule, first, second, score)

    def _decided(self, rule: str, found: Sequence[tuple[Pair, _Proposal]]) -> Iterator[_Proposal]:
        """The proposals except those of a name that is similar to two conflicting names, which become near misses:
        "George Bush" with George W. and George H. Bush."""
        like: dict[str, list[Name]] = defaultdict(list)
        for pair, _ in found:
            like[pair.first.key].append(pair.second)
            like[pair.second.key].append(pair.first)
        torn = {key for key, names in like.items() if any(conflict(a, b) for a in names for b in names)}
        for pair, proposal in found:
            if pair.first.key in torn or pair.second.key in torn:
                self.add_near_miss(rule, proposal.first, proposal.second, proposal.score)
            else:
                yield proposal

    # -- short forms

    def contained(self) -> None:
        """Join short forms to the only longer name of their document, longest first: "Clair" depends on how "St. Clair"
        is resolved."""
        for forms in short_forms(self.names):
            self.apply("contained", [proposal for group in forms for proposal in self._short_forms(group)])

    def _short_forms(self, forms: FormGroup) -> Iterator[_Proposal]:
        """Proposals for the forms of one signature in one document."""
        if not forms.short:
            yield from self._agreeing(forms.mention_of, convention=True)
            return
        claims: dict[str, dict[str, float]] = defaultdict(dict)  # a cluster's first mention -> key -> share
        for form in forms.short:
            homes: dict[int, str] = {}  # candidate clusters by id(), with their first mention
            weights: Counter[str] = Counter()
            for mention, count in form.longer:
                weights[homes.setdefault(id(self.clusters.of(mention)), mention)] += count
            if not weights:
                continue
            best = min(weights, key=lambda home: (-weights[home], home))
            share = round(weights[best] / weights.total(), 4)
            if len(weights) == 1 or (share >= DOMINANT and weights[best] >= DOMINANT_COUNT):
                claims[best][form.key] = share
            else:
                for home in sorted(weights):
                    self.add_near_miss("contained", form.mention, home, round(weights[home] / weights.total(), 4))
        yield from self._undisputed(claims, forms.mention_of)

    def _undisputed(
        self, claims: Mapping[str, Mapping[str, float]], mention_of: Mapping[str, str]
    ) -> Iterator[_Proposal]:
        """Proposals from the claims of short forms on longer names. Claims on one name that conflict ("Mr. Stapleton",
        "Miss Stapleton", both short for "Resisting Stapleton") become near misses, and the short forms are then
        compared with each other."""
        disputed = False
        for home in sorted(claims):
            for key, share in sorted(claims[home].items()):
                if any(conflict(self.names.of[key], self.names.of[other]) for other in claims[home]):
                    disputed = True
                    self.add_near_miss("contained", mention_of[key], home, share)
                else:
                    yield _Proposal(share, mention_of[key], home)
        if disputed:
            yield from self._agreeing(mention_of, convention=True)

    def context(self) -> None:
        """Join short forms without a longer name in their document to the only candidate in documents with shared
        names. Two rounds: "Mr. Pask" follows once "L. Pask" is resolved to Leonard. Several candidates become near
        misses."""
        for _ in range(ROUNDS):
            proposals: list[_Proposal] = []
            for mention, homes in homes_elsewhere(self.names, self.clusters):
                needed = SHARED_GIVEN if self.names.is_given_alone(mention.key) else SHARED
                (home, share), *others = sorted(homes.items())
                if not others and share >= needed:
                    proposals.append(_Proposal(share, mention.id, home))
                elif len(homes) <= REVIEWED_LONGER:
                    for other, count in sorted(homes.items()):
                        self.add_near_miss("context", mention.id, other, count)
            self.apply("context", proposals)
            same = [_Proposal(share, a.id, b.id) for a, b, share in same_elsewhere(self.names, self.clusters)]
            self.apply("context", (proposal for proposal in same if proposal.score >= SHARED))


@lru_cache(maxsize=1)
def _same_words(names: Names) -> Sequence[Mapping[str, str]]:
    """The keys of each set of full names with the same words, each with its first mention. The last are kept: a
    decision changes no name."""
    found = []
    for words, keys in sorted(names.keys_of.items()):
        here = [
            key
            for key in keys
            if key in names.full and (len(words) > 1 or not may_be_a_name(names.of[key], names.given))
        ]
        if len(here) > 1:
            found.append({key: names.full[key][0].id for key in here})
    return found


@lru_cache(maxsize=1)
def _exact(names: Names) -> Sequence[_Proposal]:
    """Pairs of the same name. The last are kept: a decision changes no name."""
    proposals: list[_Proposal] = []
    for key in sorted(names.by_key):
        members = names.by_key[key]
        if len(members) < 2:
            continue
        full = names.full.get(key, ())
        scopes: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in members:
            scopes[mention.document_id].append(mention)
        for scope in (full, *scopes.values()):
            proposals += _exact_in(scope, names.of[key])
    return proposals


def _exact_in(members: Sequence[MentionLike], name: Name) -> Iterator[_Proposal]:
    if len(members) < 2:
        return
    by_type: dict[str, list[str]] = defaultdict(list)
    for mention in members:
        by_type[TYPE_CLASSES.get(mention.type.casefold(), "")].append(mention.id)
    if is_site_name(name) and by_type.keys() >= SITE:
        by_type["place"] += by_type.pop("organization")
    typed = sorted(kind for kind in by_type if kind)
    if len(typed) == 1:
        yield from _star([mention.id for mention in members], 1.0)
        return
    for kind in sorted(by_type):
        yield from _star(by_type[kind], 1.0)


def _star(members: Iterable[str], score: float) -> Iterator[_Proposal]:
    """Pair every member with the smallest: a star as spanning tree."""
    ordered = sorted(set(members))
    for other in ordered[1:]:
        yield _Proposal(score, ordered[0], other)


def resolve(
    candidates: Candidates,
    *,
    decisions: Iterable[Decision] = (),
    alias_groups: Iterable[AliasGroup] = (),
    document_aliases: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    strangers: Mapping[str, Mapping[str, int]] | None = None,
    vectors: Mapping[str, Vector] | None = None,
) -> Resolution:
    """The entity of each mention, the decisions of rules (a spanning set, not all pairs), the vetoes, and the near
    misses for review. Independent of the order of the mentions.

    `decisions` of persons and `alias_groups` overrule the rules. `document_aliases` maps document id -> pairs of names
    that the document states to be one; `strangers` document id -> key -> how many times the document marks the name as
    somebody else's; `vectors` the candidates' `texts` -> unit vectors. Pairs without vectors are not compared by
    cosine.
    """
    resolver = _Resolver(candidates, vectors or {}, strangers or {})
    resolver.stated(decisions, alias_groups, document_aliases or {})
    resolver.exact()
    resolver.core()
    resolver.likeness()
    resolver.contained()
    resolver.context()
    resolver.alike()
    return resolver.result()
