"""Resolve short forms across documents: "Mme Delpech" of one page of a file is the Maryvonne Delpech of another.

A bare surname is ambiguous outside its document. If two documents share other names, a short form of one may refer to a
longer name of the other (collective entity resolution: Bhattacharya & Getoor, "Collective entity resolution in
relational data", TKDD 2007). Only names that few documents share count, not "London" or "Sherlock Holmes".

The results for a document are stored until a name or a cluster that they depend on changes. So most documents are
skipped in the next round of the rule and after the next change of the workspace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from itertools import chain
from typing import Generic, TypeVar

from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.names import MentionLike
from filigraph.graph.names.clusters import Clusters
from filigraph.graph.names.context_names import ContextNames
from filigraph.graph.names.index import Names
from filigraph.graph.names.shared_names import Group, SharedNames, most_documents
from filigraph.graph.text.names.pairs import Signature, person_shaped
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import PLAIN_TITLES
from filigraph.graph.text.names.type_class import type_class

Found = TypeVar("Found")

MIN_SHARED = 2  # min. other names that two documents share to resolve a bare given name

Homes = tuple[MentionLike, Mapping[str, float]]  # a mention, and mention ids -> overlap of the documents, 0 to 1
Same = tuple[MentionLike, MentionLike, float]  # two mentions, and the overlap of their documents


class Context:
    """The rule, with its results for the latest names and clusters; initially empty. `most`: see `SharedNames`."""

    def __init__(self, most: int) -> None:
        self._index = ContextNames()
        self._overlap = SharedNames(self._index, most)
        # short form -> whether it fits at most one cluster, for those looked up so far
        self.fits: dict[str, bool] = {}
        self._homes: _Results[Homes] = _Results()
        self._same: _Results[Same] = _Results()

    @property
    def most(self) -> int:
        return self._overlap.most

    def refresh(self, names: Names) -> None:
        """Update the index to these names and clusters."""
        change = self._index.refresh(names)
        turned = self._overlap.refresh(change)
        for key in self.fits.keys() - self._index.open_as.keys():
            del self.fits[key]
        self._outdate_keys(key for key in self._index.open_as if names.of[key].core in change.cores)
        self._outdate_longer(change.keys, change.cores)
        self._outdate(change.documents)
        self._outdate_beside(turned)

    def _follow(self, clusters: Clusters) -> None:
        changed, turned = self._overlap.follow(clusters)
        names = {key: name for cluster in changed for key, name in cluster.names.items()}
        self._outdate_longer(names.keys(), {name.core for name in names.values()})
        for cluster in changed:
            self._outdate({mention.document_id for mention in self._index.open_among(cluster.members)})
        self._outdate_beside(turned)

    def _outdate_longer(self, keys: Set[str], cores: Set[Signature]) -> None:
        """Drop the results for short forms of these names and cores."""
        names, first = self._index.names, {core[:1] for core in cores}
        self._outdate_keys(
            key
            for key in self._index.open_as
            if not keys.isdisjoint(names.longer[key]) or (key in names.things and names.of[key].core[:1] in first)
        )

    def _outdate_keys(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.fits.pop(key, None)
            self._outdate({mention.document_id for mention in self._index.open_as[key].values()})

    def _outdate_beside(self, documents: Set[str]) -> None:
        """Drop the results for documents whose shared names changed, and for documents that share names with them."""
        for document in documents:
            self._outdate({document, *self._overlap.documents_sharing_names(document)})

    def _outdate(self, documents: Set[str]) -> None:
        self._homes.outdated |= documents
        self._same.outdated |= documents

    def homes_elsewhere(self, clusters: Clusters) -> Iterator[Homes]:
        """Short forms and initials with their candidates in other documents."""
        self._follow(clusters)
        yield from self._homes.refreshed(lambda document: self._homes_of(document, clusters))
        yield from self._initials_elsewhere(clusters)

    def same_elsewhere(self, clusters: Clusters) -> Iterator[Same]:
        """Pairs of mentions with the same short form in two documents. Only short forms that fit at most one cluster of
        the workspace; neither document needs to contain the full name."""
        self._follow(clusters)
        yield from self._same.refreshed(lambda document: self._same_as(document, clusters))

    def _initials_elsewhere(self, clusters: Clusters) -> Iterator[Homes]:
        """Mentions that consist of initials ("N. K."), each with the only person of the workspace who has them and the
        overlap of the documents. Ambiguous initials are omitted."""
        names, overlap = self._index.names, self._overlap
        for letters, alone in self._index.initials.items():
            mentions = [m for key in alone for m in names.by_key[key] if type_class(m.type) == "person"]
            those = [m for key in self._index.bearers.get(letters, ()) for m in names.by_key[key]] if mentions else []
            if len({clusters.of(other.id).number for other in those}) != 1:
                continue
            for mention in mentions:
                own = {clusters.of(mention.id).number, clusters.of(those[0].id).number, names.signatures[mention.key]}
                share = max(
                    1.0
                    if other.document_id == mention.document_id
                    else len(overlap.common(mention.document_id, other.document_id) - own)
                    / max(1, min(overlap.count(mention.document_id), overlap.count(other.document_id)))
                    for other in those
                )
                yield mention, {min(other.id for other in those): round(share, 4)}

    def _homes_of(self, document: str, clusters: Clusters) -> Iterator[Homes]:
        """Short forms that the document does not explain, each with its candidate clusters of other documents.

        A candidate is the smallest mention id of a cluster -> overlap: the maximum over document pairs of shared names
        divided by the names of the document with fewer (overlap coefficient). The overlap is 0.0 if the evidence is
        weak: a given name needs MIN_SHARED shared names and a mention typed as a person; a rank must be among the
        titles of the candidate ("Captain Birtwell" may be the brother of Amos Birtwell); the short form must fit only
        one cluster of the workspace.
        """
        names, overlap = self._index.names, self._overlap
        open_ = {mention.key: mention for mention in reversed(self._open(document, clusters))}
        if not open_:
            return
        homes: dict[str, dict[Group, float]] = defaultdict(dict)
        first: dict[Group, str] = {}
        beside = overlap.documents_sharing_names(document)
        typed = {m.id for m in open_.values() if "person" in clusters.of(m.id).types}
        for short in sorted(open_):
            longer = [
                key
                for key in names.longer[short]
                if not beside.isdisjoint(names.documents_of[key]) and _calls(short, key, names)
            ]
            own = clusters.of(open_[short].id).number
            for mention in (mention for key in names.fitting(short, longer) for mention in names.by_key[key]):
                group, other = clusters.of(mention.id).number, mention.document_id
                common = len(overlap.common(document, other) - {own, names.signatures[short], group})
                if other == document or not common or own == group:
                    continue
                first[group] = min(mention.id, first.get(group, mention.id))
                share = common / min(overlap.count(document), overlap.count(other))
                if names.is_given_alone(short) and not (common >= MIN_SHARED and open_[short].id in typed):
                    share = 0.0
                fits = self.fits_one(short, clusters)
                if not fits or not _has_rank_of(names.of[short], clusters.of(mention.id).names):
                    share = 0.0
                homes[short][group] = max(share, homes[short].get(group, 0.0))
        for short in sorted(homes):
            yield open_[short], {first[group]: round(share, 4) for group, share in homes[short].items()}

    def _same_as(self, document: str, clusters: Clusters) -> Iterator[Same]:
        names, overlap = self._index.names, self._overlap
        open_ = {_call(names.of[m.key]): m for m in reversed(self._open(document, clusters))}
        for called, mine in open_.items():
            if names.is_given_alone(mine.key) or not self.fits_one(mine.key, clusters):
                continue
            alike = (key for key in self._index.with_core[names.of[mine.key].core] if _call(names.of[key]) == called)
            for mention in (mention for key in alike for mention in names.by_key[key]):
                other = mention.document_id
                common = overlap.common(document, other) if other > document else frozenset()
                if not common:
                    continue
                own = {names.signatures[mine.key], clusters.of(mine.id).number, clusters.of(mention.id).number}
                share = len(common - own) / min(overlap.count(document), overlap.count(other))
                yield mine, mention, round(share, 4)

    def _open(self, document: str, clusters: Clusters) -> list[MentionLike]:
        """The open mentions of a document: of these keys and ids."""
        those = self._index.open.get(document, {}).values()
        open_mentions = (mention for mention in those if _is_open(mention, self._index.names, clusters))
        return sorted(open_mentions, key=lambda mention: (mention.key, mention.id))

    def fits_one(self, short: str, clusters: Clusters) -> bool:
        """Whether a short form fits the full names of at most one cluster of the workspace."""
        if short not in self.fits:
            names = self._index.names
            longer = [key for key in names.longer[short] if _calls(short, key, names)]
            if short in names.things:  # "Noirval" may be Noirval-les-Bains, which `longer` lacks
                core = names.of[short].core
                longer += [
                    key for key in self._index.things.get(core[0], ()) if names.of[key].core[: len(core)] == core
                ]
            whole = [key for key in names.fitting(short, longer) if key not in names.longer]
            groups = {clusters.of(mention.id).number for key in whole for mention in names.by_key[key]}
            self.fits[short] = len(groups) < 2
        return self.fits[short]


class _Results(Generic[Found]):
    """Results by document, without those that are `outdated`."""

    def __init__(self) -> None:
        self.outdated: set[str] = set()
        self._found: dict[str, list[Found]] = {}

    def refreshed(self, find: Callable[[str], Iterator[Found]]) -> Iterator[Found]:
        for document in self.outdated:
            self._found.pop(document, None)
            if results := list(find(document)):
                self._found[document] = results
        self.outdated = set()
        return chain.from_iterable(self._found.values())


@contextmanager
def context_of(names: Names, state: DerivationState | None = None) -> Iterator[Context]:
    """The rule for these names. `state` may hold the rule for earlier names, which only saves time; it is taken out of
    the state meanwhile.
    """
    most = most_documents(names)
    last = state.take(Context) if state else None
    context = last if last is not None and last.most == most else Context(most)
    context.refresh(names)
    yield context
    if state:
        state.keep(context)


def _calls(short_key: str, long_key: str, names: Names) -> bool:
    """Whether a short form can refer to a long name: of a person by the surname or the first given name, of a thing by
    any part. Excludes "The Mrs. Harker of Hove" (qualified) and "Charles" for "Louis Charles"."""
    if short_key in names.things:
        return long_key in names.things
    short, long = names.of[short_key], names.of[long_key]
    if long.head < len(long.core) or long.numbers or long.kin or not person_shaped(long, names.given):
        return False
    if short.titled_gender == "f" and not names.may_be_female(long):
        return False
    alone = len(short.core) == 1 and short.core[0] in names.given
    return short.core[0] == long.core[0] if alone else short.core[-1] == long.core[-1]


def _is_open(mention: MentionLike, names: Names, clusters: Clusters) -> bool:
    """Of the mentions that may be open, whether this one is: a surname needs a title, initials or the type of a person,
    because "Madrid" may be a place.
    """
    cluster = clusters.of(mention.id)
    if mention.key in names.things or names.is_given_alone(mention.key) or "person" in cluster.types:
        return True
    return any(known.titles or known.initials for known in cluster.names.values())


def _has_rank_of(short: Name, known: Mapping[str, Name]) -> bool:
    ranks = short.titles - PLAIN_TITLES - frozenset(("sir", "knight"))
    return not ranks or any(name.titles & ranks for name in known.values())


_Call = tuple[Signature, frozenset[str], frozenset[str], str]


def _call(name: Name) -> _Call:
    """The form without its language: "Mr. Thouvenel" and "M. Thouvenel" are the same."""
    return name.core, name.titles, name.kin, name.generation
