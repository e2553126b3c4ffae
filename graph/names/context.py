"""Resolve short forms across documents: "Mme Delpech" of one page of a file is the Maryvonne Delpech of another.

A bare surname is ambiguous outside its document. If two documents share other names, a short form of one may refer to a
longer name of the other (collective entity resolution: Bhattacharya & Getoor, "Collective entity resolution in
relational data", TKDD 2007). Only names that few documents share count, not "London" or "Sherlock Holmes".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from filigraph.graph.model import MentionLike
from filigraph.graph.names.clusters import Cluster, Clusters
from filigraph.graph.names.index import Names
from filigraph.graph.text.names.pairs import Signature, person_shaped
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import PLAIN_TITLES
from filigraph.graph.text.names.type_class import type_class

RARE = 12  # max. documents of a name that counts as shared
RARE_SHARE = 0.5  # ... as a share of all documents of the workspace
FEW = 3  # documents; the limit is never below

MIN_SHARED = 2  # min. other names that two documents share to resolve a bare given name
LETTERS = 4  # min. length of a name that counts as shared

Group = int | Signature  # full names: id() of the cluster; short forms: their words


def homes_elsewhere(names: Names, clusters: Clusters) -> Iterator[tuple[MentionLike, Mapping[str, float]]]:
    """Short forms and initials with their candidates in other documents: mention -> {mention id: overlap, 0 to 1}."""
    shared = _overlap(names)
    shared.follow(clusters)
    yield from _short_forms_elsewhere(names, clusters, shared)
    yield from _initials_elsewhere(names, clusters, shared)


def _initials_elsewhere(
    names: Names, clusters: Clusters, shared: _Overlap
) -> Iterator[tuple[MentionLike, Mapping[str, float]]]:
    """Mentions that consist of initials ("N. K."), each with the only person of the workspace with these initials and
    the overlap of the documents. Ambiguous initials are omitted."""
    alone = _index(names).initials
    bearers: dict[str, dict[int, list[MentionLike]]] = defaultdict(lambda: defaultdict(list))
    for letters, keys in _index(names).bearers.items():
        for mention in (mention for key in keys for mention in names.by_key[key]):
            bearers[letters][id(clusters.of(mention.id))].append(mention)
    for mention in alone:
        known = bearers.get(_initials(names.of[mention.key]), {})
        if len(known) != 1:
            continue
        (those,) = known.values()
        own = {id(clusters.of(mention.id)), id(clusters.of(those[0].id)), names.signatures[mention.key]}
        share = max(
            1.0
            if other.document_id == mention.document_id
            else len(shared.common(mention.document_id, other.document_id) - own)
            / max(1, min(shared.count(mention.document_id), shared.count(other.document_id)))
            for other in those
        )
        yield mention, {min(other.id for other in those): round(share, 4)}


def _initials(name: Name) -> str:
    return "".join(word[0] for word in name.core)


def _short_forms_elsewhere(
    names: Names, clusters: Clusters, shared: _Overlap
) -> Iterator[tuple[MentionLike, Mapping[str, float]]]:
    """Short forms that their own document does not explain, each with its candidate clusters of other documents.

    A candidate is the smallest mention id of a cluster -> overlap: the maximum over document pairs of shared names
    divided by the names of the document with fewer (overlap coefficient). The overlap is 0.0 if the evidence is weak:
    a given name needs MIN_SHARED shared names and a mention typed as a person; a rank must be among the titles of the
    candidate ("Captain Birtwell" may be the brother of Amos Birtwell); the short form must fit only one cluster of the
    workspace.
    """
    bearers = _Bearers(names, clusters)
    for document, mentions in _index(names).open.items():
        open_ = {m.key: m for m in reversed(mentions) if _is_open(m, names, clusters)}
        if not open_:
            continue
        found: dict[str, dict[Group, float]] = defaultdict(dict)
        first: dict[Group, str] = {}
        beside = shared.beside(document)
        typed = {m.id for m in open_.values() if "person" in clusters.of(m.id).types}
        for short in sorted(open_):
            longer = [
                key
                for key in names.longer[short]
                if not beside.isdisjoint(names.documents_of[key]) and _calls(short, key, names)
            ]
            own = id(clusters.of(open_[short].id))
            for mention in (mention for key in names.fitting(short, longer) for mention in names.by_key[key]):
                group, other = id(clusters.of(mention.id)), mention.document_id
                common = len(shared.common(document, other) - {own, names.signatures[short], group})
                if other == document or not common or own == group:
                    continue
                first[group] = min(mention.id, first.get(group, mention.id))
                share = common / min(shared.count(document), shared.count(other))
                if names.is_given_alone(short) and not (common >= MIN_SHARED and open_[short].id in typed):
                    share = 0.0
                if not bearers.only(short) or not _has_rank_of(names.of[short], clusters.of(mention.id).names):
                    share = 0.0
                found[short][group] = max(share, found[short].get(group, 0.0))
        for short in sorted(found):
            yield open_[short], {first[group]: round(share, 4) for group, share in found[short].items()}


def same_elsewhere(names: Names, clusters: Clusters) -> Iterator[tuple[MentionLike, MentionLike, float]]:
    """Pairs of mentions with the same short form in two documents, and the overlap of the documents (0 to 1). Only
    short forms that fit at most one cluster of the workspace; neither document needs to contain the full name."""
    shared, bearers, index = _overlap(names), _Bearers(names, clusters), _index(names)
    shared.follow(clusters)
    for document, mentions in index.open.items():
        open_ = {index.called[m.key]: m for m in reversed(mentions) if _is_open(m, names, clusters)}
        for called, mine in open_.items():
            if names.is_given_alone(mine.key) or not bearers.only(mine.key):
                continue
            for mention in (mention for key in index.keys_called[called] for mention in names.by_key[key]):
                other = mention.document_id
                shared_names = shared.common(document, other) if other > document else frozenset()
                if not shared_names:
                    continue
                own = {names.signatures[mine.key], id(clusters.of(mine.id)), id(clusters.of(mention.id))}
                common = len(shared_names - own)
                yield mine, mention, round(common / min(shared.count(document), shared.count(other)), 4)


def _calls(short_key: str, long_key: str, names: Names) -> bool:
    """Whether a short form can refer to a long name: of a person by the surname or the first given name, of a thing by
    any part. Excludes "The Mrs. Harker of Hove" (qualified) and "Charles" for "Louis Charles"."""
    if short_key in names.things:
        return long_key in names.things
    short, long = names.of[short_key], names.of[long_key]
    if long.head < len(long.core) or long.numbers or long.kin or not person_shaped(long, names.given):
        return False
    if short.titled_gender == "f" and not names.may_be_a_womans(long):
        return False
    alone = len(short.core) == 1 and short.core[0] in names.given
    return short.core[0] == long.core[0] if alone else short.core[-1] == long.core[-1]


def _may_be_open(mention: MentionLike, names: Names) -> bool:
    """Whether a mention is a short form without a fitting longer name in its document."""
    longer = names.longer.get(mention.key)
    if not longer or mention.key in names.common or names.is_full(mention):
        return False
    name = names.of[mention.key]
    if mention.key in names.things:
        return _tells(mention.key, names) and not longer & names.keys_in[mention.document_id]
    if name.numbers or name.kin or name.generation or (name.titles - PLAIN_TITLES and name.core[0] in names.given):
        return False  # "King Philippe", "uncle Elias"
    return not names.fitting(mention.key, longer & names.keys_in[mention.document_id])


def _is_open(mention: MentionLike, names: Names, clusters: Clusters) -> bool:
    """Of mentions that may be open: a surname needs a title, initials or the type of a person, for "Madrid" may be a
    place."""
    cluster = clusters.of(mention.id)
    if mention.key in names.things or names.is_given_alone(mention.key) or "person" in cluster.types:
        return True
    return any(known.titles or known.initials for known in cluster.names.values())


def _tells(key: str, names: Names) -> bool:
    """Whether a shared name is evidence of related documents: no common noun, number, bare given name or short word."""
    name = names.of[key]
    return (
        key not in names.common
        and name.proper
        and name.named
        and not name.numbers
        and len("".join(name.core)) >= LETTERS
        and not names.is_given_alone(key)
    )


def _has_rank_of(short: Name, known: Mapping[str, Name]) -> bool:
    ranks = short.titles - PLAIN_TITLES - frozenset(("sir",))
    return not ranks or any(name.titles & ranks for name in known.values())


@dataclass(frozen=True, eq=False)
class _ContextNames:
    """What the rule needs of names whatever their clusters are."""

    names: Names
    open: Mapping[str, Sequence[MentionLike]]  # document -> its short forms that may be open, in order
    called: Mapping[str, _Call]  # the keys of these, and of names that are called alike
    keys_called: Mapping[_Call, Sequence[str]]
    words: Mapping[Signature, Set[str]]  # of short forms that tell -> documents
    initials: Sequence[MentionLike]  # of persons, with nothing but initials
    bearers: Mapping[str, Sequence[str]]  # those initials -> the keys of persons who have them

    @cached_property
    def by_id(self) -> dict[str, MentionLike]:
        return {mention.id: mention for mention in self.names.mentions}

    @cached_property
    def _tell(self) -> dict[str, bool]:
        """Whether a key tells, for those that were asked."""
        return {}

    @cached_property
    def words_in(self) -> Counter[str]:
        """Document -> how many of `words` it has."""
        return Counter(document for documents in self.words.values() for document in documents)

    def telling(self, document: str) -> int:
        """How many names of a document count as evidence."""
        return sum(map(self.is_telling, self.names.documents[document])) + self.words_in[document]

    def is_telling(self, mention: MentionLike) -> bool:
        """Whether a full name counts as evidence."""
        key = mention.key
        if key not in self._tell:
            self._tell[key] = _tells(key, self.names)
        return self._tell[key] and (key not in self.names.longer or self.names.is_full(mention))


_Call = tuple[Signature, frozenset[str], frozenset[str], str]


def _call(name: Name) -> _Call:
    """The same in all languages: "Mr. Thouvenel" and "M. Thouvenel"."""
    return name.core, name.titles, name.kin, name.generation


@lru_cache(maxsize=1)
def _index(names: Names) -> _ContextNames:
    open_: dict[str, list[MentionLike]] = defaultdict(list)
    words: dict[Signature, Set[str]] = defaultdict(frozenset)
    for key in names.longer:  # of no other name there are short forms
        for mention in names.by_key[key]:
            if _may_be_open(mention, names):
                open_[mention.document_id].append(mention)
        if _tells(key, names):
            words[names.signatures[key]] |= {m.document_id for m in names.by_key[key] if not names.is_full(m)}
    cores = {names.of[mention.key].core for mentions in open_.values() for mention in mentions}
    called = {key: _call(name) for key, name in names.of.items() if name.core in cores}
    keys_called: dict[_Call, list[str]] = defaultdict(list)
    for key, call in called.items():
        keys_called[call].append(key)
    initials = [
        mention
        for key, name in names.of.items()
        if 1 < len(name.core) == len(name.initials) and not name.titles
        for mention in names.by_key[key]
        if type_class(mention.type) == "person"
    ]
    wanted = {_initials(names.of[mention.key]) for mention in initials}
    bearers: dict[str, list[str]] = defaultdict(list)
    for key, name in names.of.items() if wanted else ():
        whole = len(name.core) > 1 and not name.initials and name.named and person_shaped(name, names.given)
        if whole and _initials(name) in wanted:
            bearers[_initials(name)].append(key)
    return _ContextNames(
        names=names,
        open={document: sorted(open_[document], key=lambda mention: mention.id) for document in sorted(open_)},
        called=called,
        keys_called=keys_called,
        words={group: documents for group, documents in words.items() if documents},
        initials=initials,
        bearers=bearers,
    )


class _Bearers:
    """Counts the clusters that the longer names of a short form belong to."""

    def __init__(self, names: Names, clusters: Clusters) -> None:
        self._names = names
        self._clusters = clusters
        self._only: dict[str, bool] = {}
        self._things: dict[str, list[str]] = defaultdict(list)  # first word -> keys of several words
        for key in sorted(names.things):
            if len(names.of[key].core) > 1:
                self._things[names.of[key].core[0]].append(key)

    def only(self, short: str) -> bool:
        """Whether a short form fits the full names of at most one cluster of the workspace."""
        if short not in self._only:
            names = self._names
            longer = [key for key in names.longer[short] if _calls(short, key, names)]
            if short in names.things:  # "Noirval" may be Noirval-les-Bains, which `longer` lacks
                core = names.of[short].core
                longer += [key for key in self._things[core[0]] if names.of[key].core[: len(core)] == core]
            whole = [key for key in names.fitting(short, longer) if key not in names.longer]
            groups = {id(self._clusters.of(mention.id)) for key in whole for mention in names.by_key[key]}
            self._only[short] = len(groups) < 2
        return self._only[short]


_NONE: frozenset[Group] = frozenset()


@dataclass(frozen=True, slots=True)
class _ClusterDocuments:
    """The documents of a cluster when it had so many members: it only grows."""

    cluster: Cluster
    size: int
    again: Mapping[str, int]  # document -> its mentions of the cluster that tell, but for one


class _Overlap:
    """Index of the rare names that documents share, for the clusters that it followed last."""

    def __init__(self, names: Names) -> None:
        self._index = _index(names)
        self._most = min(RARE, max(FEW, int(RARE_SHARE * len(names.documents))))
        self._telling: dict[str, int] = {}  # document -> its names that count, each mention of a cluster by itself
        self._again: Counter[str] = Counter()  # document -> mentions of clusters that it has named already
        self._seen: dict[int, _ClusterDocuments] = {}
        self._documents: dict[Group, Set[str]] = {}
        self._groups: dict[str, set[Group]] = defaultdict(set)
        for group, documents in self._index.words.items():
            self._add(group, documents)

    def count(self, document: str) -> int:
        """The number of names of a document that count."""
        if document not in self._telling:
            self._telling[document] = self._index.telling(document)
        return self._telling[document] - self._again[document]

    def follow(self, clusters: Clusters) -> None:
        """Look at the clusters of now. Those that are alone are shared with no document."""
        now = clusters.joined()
        changed = [id_ for id_, cluster in now.items() if not self._is_known(id_, cluster)]
        for id_ in [*(id_ for id_ in self._seen if id_ not in now), *changed]:
            if seen := self._seen.pop(id_, None):
                self._again.subtract(seen.again)
                for document in self._documents.pop(id_, ()):
                    self._groups[document].discard(id_)
        for id_ in changed:
            cluster = now[id_]
            members = (self._index.by_id.get(member) for member in cluster.members)
            places = Counter(one.document_id for one in members if one is not None and self._index.is_telling(one))
            again = {document: count - 1 for document, count in places.items() if count > 1}
            self._seen[id_] = _ClusterDocuments(cluster, len(cluster.members), again)
            self._again.update(again)
            self._add(id_, places.keys())

    def _is_known(self, id_: int, cluster: Cluster) -> bool:
        seen = self._seen.get(id_)
        return seen is not None and seen.cluster is cluster and seen.size == len(cluster.members)

    def _add(self, group: Group, documents: Set[str]) -> None:
        if 1 < len(documents) <= self._most:
            self._documents[group] = documents
            for document in documents:
                self._groups[document].add(group)

    def beside(self, document: str) -> set[str]:
        """The other documents that share a group with this one."""
        return {other for group in self._groups.get(document, ()) for other in self._documents[group]} - {document}

    def common(self, document: str, other: str) -> Set[Group]:
        """The groups that both documents name."""
        return self._groups.get(document, _NONE) & self._groups.get(other, _NONE)


@lru_cache(maxsize=1)
def _overlap(names: Names) -> _Overlap:
    """The last is kept: a decision changes no name, and few clusters."""
    return _Overlap(names)
