"""Plan: the summaries of a document or a folder, before its text is read.

An id depends on what the summary covers and on its writer: a changed chunk changes only the ids of its ancestors.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from filigraph.graph import ids
from filigraph.graph.model.documents import Place
from filigraph.graph.records.documents import ChunkPlace, DocumentRow
from filigraph.graph.summaries.levels import Item, group_neighbours, windows

ROOT = "."  # the folder of sources without one, if others have one; "" is the whole workspace
_REPLY = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg|tr|rv|sv|vs|enc|回复|转发)\s*[:：]\s*)+", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Planned:
    id: str
    level: int
    index: int
    title: str
    covers: tuple[str, ...]
    start: int = 0
    end: int = 0
    size: int = 0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The summaries of a document, of a folder, or of all documents: each after those that it covers."""

    document_id: str = ""
    folder: str = ""
    language: str
    summaries: tuple[Planned, ...]
    top: Item = field(compare=False)


@dataclass(frozen=True)
class _Run:
    """Makes the levels of one document or folder."""

    workspace: str
    recipe: str
    title: str  # for parts without a section

    def levels(self, items: Sequence[Item], spans: dict[str, tuple[int, int]], planned_so_far: list[Planned]) -> Item:
        """Add the levels above `items` to `planned_so_far`, until one is left; that one."""
        while len(items) > 1:
            groups = group_neighbours(items)
            items = self.plan_level(groups, spans, planned_so_far)
        return items[0]

    def plan_level(
        self, groups: Sequence[Sequence[Item]], spans: dict[str, tuple[int, int]], planned_so_far: list[Planned]
    ) -> list[Item]:
        """One summary for each group; a group of a single summary stays as it is."""
        level = 1 + max(item.level for group in groups for item in group)
        to_write = [group for group in groups if len(group) > 1 or not group[0].level]
        titles = iter(_titles(to_write, self.title))
        above: list[Item] = []
        for group in groups:
            if len(group) == 1 and group[0].level:
                above.append(group[0])
                continue
            covers = tuple(item.id for item in group)
            id_ = ids.summary_id(self.workspace, self.recipe, level, covers)
            start, end = spans[covers[0]][0], spans[covers[-1]][1]
            spans[id_] = (start, end)
            size = sum(item.size for item in group)
            index = sum(planned.level == level for planned in planned_so_far)
            planned_so_far.append(
                Planned(
                    id=id_, level=level, index=index, title=next(titles), covers=covers, start=start, end=end, size=size
                )
            )
            sections = {item.section for item in group}
            above.append(Item(id=id_, level=level, section=sections.pop() if len(sections) == 1 else "", size=size))
        return above


def plan_document(row: DocumentRow, chunks: Sequence[ChunkPlace], *, workspace: str, recipe: str) -> Plan | None:
    """The levels of one document; None where it has no chunks."""
    if not chunks:
        return None
    sections = _sections(row.places, chunks)
    items = [Item(id=c.id, level=0, section=s, size=c.tokens) for c, s in zip(chunks, sections, strict=True)]
    spans = {chunk.id: (chunk.start, chunk.end) for chunk in chunks}
    run, planned = _Run(workspace, recipe, row.title), list[Planned]()
    top = run.levels(run.plan_level(windows(items), spans, planned), spans, planned)
    return Plan(document_id=row.id, language=row.language, summaries=tuple(planned), top=top)


def plan_folders(rows: Sequence[DocumentRow], tops: dict[str, Item], *, workspace: str, recipe: str) -> list[Plan]:
    """The levels above documents: one summary a folder of two or more, and one of all. `tops`: of each document.

    Each plan has its own folder: its summaries replace all earlier ones of the folder.
    """
    plans: list[Plan] = []
    by_folder: dict[str, list[DocumentRow]] = {}
    for row in sorted(
        (row for row in rows if row.id in tops), key=lambda row: (row.metadata.get("date", ""), row.source)
    ):
        by_folder.setdefault(posixpath.normpath(posixpath.dirname(row.source)), []).append(row)
    above: list[Item] = []
    languages: list[str] = []
    for path, documents in sorted(by_folder.items()):
        folder = "" if path == ROOT and len(by_folder) == 1 else path
        items = [_folder_item(tops[row.id], row) for row in documents]
        languages += [row.language for row in documents]
        if len(items) == 1:
            above.append(_whole_item(items[0]))
            continue
        run, planned = _Run(workspace, recipe, folder or workspace), list[Planned]()
        top = run.levels(items, {item.id: (0, 0) for item in items}, planned)
        plans.append(
            Plan(
                folder=folder,
                language=_most_frequent([row.language for row in documents]),
                summaries=tuple(planned),
                top=top,
            )
        )
        above.append(_whole_item(top))
    if len(above) > 1:
        run, planned = _Run(workspace, recipe, workspace), list[Planned]()
        top = run.levels(above, {item.id: (0, 0) for item in above}, planned)
        plans.append(Plan(language=_most_frequent(languages), summaries=tuple(planned), top=top))
    return plans


def _sections(places: Sequence[Place], chunks: Sequence[ChunkPlace]) -> list[str]:
    """The chapter in which each chunk begins, by its number and label; "" before the first."""
    chapters = [(place.start, f"{n}\n{place.label}") for n, place in enumerate(places) if place.kind != "page"]
    sections: list[str] = []
    at = 0
    for chunk in chunks:
        while at < len(chapters) and chapters[at][0] <= chunk.start:
            at += 1
        sections.append(chapters[at - 1][1] if at else "")
    return sections


def _titles(groups: Sequence[Sequence[Item]], title: str) -> list[str]:
    """The title of each group: its sections, with a number if several would have the same title."""
    called = [_title(group) or title for group in groups]
    titles: list[str] = []
    for name, run in groupby(called):
        count = len(list(run))
        titles += [name] if count == 1 else [f"{name} ({n}/{count})" for n in range(1, count + 1)]
    return titles


def _title(group: Sequence[Item]) -> str:
    labels = [item.section.partition("\n")[2] for item in group]
    if not labels[0] or not labels[-1]:
        return ""
    return labels[0] if labels[0] == labels[-1] else f"{labels[0]} – {labels[-1]}"


def _folder_item(top: Item, row: DocumentRow) -> Item:
    """A document among others: mails that answer each other belong together."""
    thread = _REPLY.sub("", row.title) if row.media_type == "message/rfc822" else ""
    return Item(id=top.id, level=top.level, section=f"mail\n{thread}" if thread else "", size=top.size)


def _whole_item(top: Item) -> Item:
    return Item(id=top.id, level=top.level, section="", size=top.size)


def _most_frequent(languages: Sequence[str]) -> str:
    return max(sorted(set(languages)), key=languages.count)
