"""Index of the rare names that documents share, updated incrementally.

A *group* is what documents share: a cluster of full names, or the words of a short form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass

from filigraph.graph.names.clusters import Cluster, Clusters
from filigraph.graph.names.context_names import ContextChange, ContextNames
from filigraph.graph.names.index import Names
from filigraph.graph.text.names.pairs import Signature

RARE = 12  # max. documents with a name that counts as shared
RARE_SHARE = 0.5  # ... as a share of all documents of the workspace
MIN_DOCUMENTS = 3  # documents; the limit is never below

Group = int | Signature  # full names: number of the cluster; short forms: their words

_NONE: frozenset[Group] = frozenset()


def most_documents(names: Names) -> int:
    """The largest number of documents with a rare name."""
    return min(RARE, max(MIN_DOCUMENTS, int(RARE_SHARE * len(names.documents))))


@dataclass(frozen=True, slots=True)
class _ClusterDocuments:
    cluster: Cluster
    repeats: Mapping[str, int]  # document -> its mentions of the cluster that are evidence, except one


class SharedNames:
    """The index for the latest names and clusters; a rare name is in at most `most` documents."""

    def __init__(self, names: ContextNames, most: int) -> None:
        self.most = most
        self._names = names
        # document -> its names that are evidence, counting each mention of a cluster
        self._evidence_counts: dict[str, int] = {}
        self._repeats: Counter[str] = Counter()  # document -> mentions that name a cluster again
        self._indexed: dict[int, _ClusterDocuments] = {}  # clusters by number
        self._documents: dict[Group, Collection[str]] = {}
        self._groups: dict[str, set[Group]] = {}
        # mentions that may have become evidence, or ceased to be, since their cluster was indexed
        self._touched_mentions: set[str] = set()

    def refresh(self, change: ContextChange) -> set[str]:
        """Update the index to these names. Returns the documents whose shared names changed."""
        changed_documents: set[str] = set()
        for words in change.words:
            changed_documents.update(self._drop(words))
            changed_documents.update(self._add(words, frozenset(self._names.words.get(words, ()))))
        self._touched_mentions |= change.mentions
        documents = self._names.names.documents
        for document, known in [*self._evidence_counts.items()]:
            if document not in documents:
                del self._evidence_counts[document]
            elif not change.mentions.isdisjoint(mention.id for mention in documents[document]):
                self._evidence_counts[document] = self._names.count_evidence(document)
                if self._evidence_counts[document] != known:
                    changed_documents.add(document)
        return changed_documents

    def follow(self, clusters: Clusters) -> tuple[list[Cluster], set[str]]:
        """Update the index to these clusters; a mention that is alone is not shared. Returns the clusters that were
        added and removed, and the documents whose shared names changed.
        """
        current = clusters.changed_clusters()
        touched = clusters.cluster_numbers(self._touched_mentions & self._names.by_id.keys())
        self._touched_mentions = set()
        stale = (self._indexed.keys() - current.keys()) | (touched & self._indexed.keys())
        changed_documents: set[str] = set()
        counts: Counter[str] = Counter()
        changed = []
        for number in stale:
            entry = self._indexed.pop(number)
            changed_documents.update(self._drop(number))
            counts.subtract(entry.repeats)
            changed.append(entry.cluster)
        for number in current.keys() - self._indexed.keys():
            cluster = current[number]
            members = (self._names.by_id.get(member) for member in cluster.members)
            places = Counter(one.document_id for one in members if one is not None and self._names.is_evidence(one))
            entry = _ClusterDocuments(cluster, {document: count - 1 for document, count in places.items() if count > 1})
            self._indexed[number] = entry
            changed_documents.update(self._add(number, frozenset(places)))
            counts.update(entry.repeats)
            changed.append(cluster)
        for document, difference in counts.items():
            if difference:
                changed_documents.add(document)
                self._repeats[document] += difference
        return changed, changed_documents

    def _add(self, group: Group, documents: Collection[str]) -> Collection[str]:
        """Add a group. Returns the documents that share it."""
        if not 1 < len(documents) <= self.most:
            return ()
        self._documents[group] = documents
        for document in documents:
            self._groups.setdefault(document, set()).add(group)
        return documents

    def _drop(self, group: Group) -> Collection[str]:
        """Undo `_add`."""
        documents = self._documents.pop(group, ())
        for document in documents:
            self._groups[document].remove(group)
        return documents

    def count(self, document: str) -> int:
        """The number of names of a document that are evidence."""
        if document not in self._evidence_counts:
            self._evidence_counts[document] = self._names.count_evidence(document)
        return self._evidence_counts[document] - self._repeats[document]

    def documents_sharing_names(self, document: str) -> set[str]:
        """The other documents that share a group with this one."""
        return {other for group in self._groups.get(document, ()) for other in self._documents[group]} - {document}

    def common(self, document: str, other: str) -> Set[Group]:
        """The groups that both documents name."""
        return self._groups.get(document, _NONE) & self._groups.get(other, _NONE)
