"""Threads of mails: mails that answer each other, by the ids in their heads, else by subject and correspondents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from filigraph.graph.tables.disjoint_sets import DisjointSets
from filigraph.graph.text.formats.mail_quotes import THREAD

if TYPE_CHECKING:
    from filigraph.graph.records.documents import DocumentName


def mail_threads(names: Iterable[DocumentName]) -> list[list[DocumentName]]:
    """The threads of two mails or more among documents, each by date; the threads by their first mail."""
    named: dict[str, list[DocumentName]] = defaultdict(list)
    for name in names:
        if (thread := name.metadata.get(THREAD, "")) and "from" in name.metadata:
            named[thread].append(name)
    threads = [
        group
        for thread, mails in named.items()
        for group in ([mails] if thread.startswith("<") else _of_correspondents(mails))
        if len(group) > 1
    ]
    return sorted(
        (sorted(group, key=_date_and_source) for group in threads), key=lambda group: _date_and_source(group[0])
    )


def _of_correspondents(mails: list[DocumentName]) -> Iterable[list[DocumentName]]:
    """Mails of one subject, in groups that share a person: others may write about the same subject."""
    groups = DisjointSets()
    for mail in mails:
        for person in _persons(mail.metadata):
            groups.union(f"mail {mail.id}", person)
    threads: dict[str, list[DocumentName]] = defaultdict(list)
    for mail in mails:
        threads[groups.find(f"mail {mail.id}")].append(mail)
    return threads.values()


def _persons(metadata: Mapping[str, str]) -> set[str]:
    """Who wrote a mail or got it, by name or address."""
    addresses = f"{metadata.get('from', '')},{metadata.get('to', '')}".casefold()
    return {word for part in re.split(r"[,;<>]", addresses) if (word := part.strip(" \"'"))}


def _date_and_source(mail: DocumentName) -> tuple[str, str]:
    return mail.metadata.get("date", ""), mail.source
