"""The visible chunks, documents and decisions. An unknown document, place, date or decision is an error that lists the
existing ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from filigraph.graph.ask.question.documents import matching_documents
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.names import AliasGroup, StoredCorrection
from filigraph.graph.records.documents import DocumentName, DocumentRow
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.text.time.dates import days_of
from filigraph.graph.view import View
from filigraph.graph.views.places import DocumentParts, Range, end_of_place, range_of_place

# Max. passages of a workspace with views, and of a view: in memory, 20 kB each; deriving a thousand takes some seconds.
MAX_PASSAGES = 20_000
MAX_NAMES_LISTED = 6  # names in an error message


@dataclass(frozen=True, kw_only=True)
class Visible:
    """The visible part of what was read and decided. It may still contain decisions about something hidden: removing
    those needs the names (`names.py`).
    """

    documents: Mapping[str, DocumentRow]  # by id
    chunks: Sequence[ReadChunk]  # in the order of ids
    decisions: Sequence[StoredCorrection]
    alias_groups: Sequence[AliasGroup]
    dated: str  # the numbers of later and of undated documents, in words; "" without a day


def visible_part(part: ReadPart, view: View) -> Visible:
    """The visible part. Raises InputError, NotFound."""
    there, dated = _selected_documents(list(part.documents.values()), view), ""
    if view.as_of:
        there, dated = _as_of(there, part, view)
    ends, ranges = _ends(part, view, there), _ranges(part, view)
    there = there & ranges.keys() if view.within else there
    chunks = [
        row
        for row in part.chunks.values()
        if row.chunk.document_id in there
        and row.chunk.end <= ends.get(row.chunk.document_id, row.chunk.end)
        and _touches(row, ranges.get(row.chunk.document_id, ()))
    ]
    if len(chunks) > MAX_PASSAGES:
        raise InputError(
            f"The view has {len(chunks):,} passages: its names and facts are derived in memory, from at most "
            f"{MAX_PASSAGES:,}.",
            cure="Narrow it with sources or metadata, or ingest its documents into a separate workspace.",
        )
    with_chunks, cut = {row.chunk.document_id for row in chunks}, ends.keys() | ranges.keys()
    documents = {
        id_: row for id_, row in part.documents.items() if id_ in there and (id_ in with_chunks or id_ not in cut)
    }
    decisions, groups = _decisions(part, view)
    return Visible(documents=documents, chunks=chunks, decisions=decisions, alias_groups=groups, dated=dated)


def without_gone(part: ReadPart, limit: View) -> View:
    """A reader's limit without the documents that do not exist any more; as it is if none of them exists."""
    documents = list(part.documents.values())

    def exists(source: str) -> bool:
        try:
            return bool(_named([source], documents, "show"))
        except NotFound:
            return False
        except InputError:  # several have the name: the limit is refused
            return True

    sources = tuple(filter(exists, limit.sources)) or limit.sources
    return replace(limit, sources=sources, without=tuple(filter(exists, limit.without)))


def _selected_documents(documents: Sequence[DocumentRow], view: View) -> set[str]:
    """The ids of the documents that a view names, or does not leave out."""
    names = _names(documents)
    selected = {row.id for row in matching_documents(names, where=view.where)}
    if view.sources:
        selected &= _named(view.sources, documents, "show")
    if not selected and (view.sources or view.where):
        raise NotFound("No documents match these sources and conditions.", cure=f"There are {_listed(names)}.")
    return selected - _named(view.without, documents, "leave out")


def _named(sources: Sequence[str], documents: Sequence[DocumentRow], wanted: str) -> set[str]:
    """The ids of the documents with these sources, of folders and patterns, or with these titles or file names."""
    ids = {normalize("NFC", row.source): row.id for row in documents}
    sources = [normalize("NFC", source) for source in sources]
    names, others = _names(documents), [source for source in sources if source not in ids]
    found = {ids[source] for source in sources if source in ids}
    if others:
        found |= {row.id for row in matching_documents(names, sources=others)}
    for source in others:
        if matching_documents(names, sources=[source]):
            continue
        called = _called(source.strip(), documents)
        if not called:
            raise NotFound(f"There is no document {source!r} to {wanted}.", cure=f"There are {_listed(names)}.")
        found.add(_only_one(source, called).id)
    return found


def _only_one(name: str, called: Sequence[DocumentRow]) -> DocumentRow:
    if len(called) > 1:
        raise InputError(
            f"{len(called)} documents are called {name!r}.",
            cure=f"Give the source of one: {', '.join(row.source for row in called[:MAX_NAMES_LISTED])}.",
        )
    return called[0]


def _names(documents: Iterable[DocumentRow]) -> list[DocumentName]:
    return [DocumentName(id=row.id, source=row.source, metadata=row.metadata) for row in documents]


# --------------------------------------------------------------------------------------------------------------------
# As of a day


def _as_of(there: set[str], part: ReadPart, view: View) -> tuple[set[str], str]:
    """The documents that are not later than the day, and the number of omitted ones. A document of "1958" counts as
    dated on that year's last day, because nothing may be shown that could be later.
    """
    until = days_of(view.as_of)
    if not until:
        raise InputError(f"{view.as_of[:40]!r} is not a date.", cure="Write a day, month or year: 1912-03-04, 1912.")
    dated = {id_: days for id_ in there if (days := days_of(part.documents[id_].metadata.get(view.dated_by, "")))}
    if not dated:
        metadata = (item for id_ in there for item in part.documents[id_].metadata.items())
        fields = sorted({key for key, value in metadata if days_of(value)})
        raise InputError(
            f"No document has a date in its metadata field {view.dated_by!r}.",
            cure=f"Give the field that has one ({', '.join(fields) or 'there are none'}), or date the documents.",
        )
    early = {id_ for id_, days in dated.items() if days[1] <= until[1]}
    undated = there - dated.keys()
    if not early and (view.undated == "out" or not undated):
        first, last = min(days[0] for days in dated.values()), max(days[1] for days in dated.values())
        raise InputError(
            f"The view is empty: no document is as early as {view.as_of}.",
            cure=f"Widen it with a later day: the documents are dated {first} to {last}.",
        )
    counted = f"{len(dated) - len(early):,} later than {view.as_of}"
    if undated:
        counted += f", {len(undated):,} undated ({'visible' if view.undated == 'in' else 'hidden'})"
    return early | (undated if view.undated == "in" else set()), counted


# --------------------------------------------------------------------------------------------------------------------
# Up to a place


def _ends(part: ReadPart, view: View, there: set[str]) -> dict[str, int]:
    """Document id -> the offset after which nothing is visible. Of two places in a document, the earlier one counts."""
    ends: dict[str, int] = {}
    for until in view.until:
        row, place = _split(until, part.documents.values())
        end = end_of_place(place, _parts_of(part, row))
        if row.id in there:
            ends[row.id] = min(end, ends.get(row.id, end))
    return ends


def _parts_of(part: ReadPart, row: DocumentRow) -> DocumentParts:
    return DocumentParts(source=row.source, places=row.places, chunks=part.chunks_of[row.id])


def _split(until: str, documents: Iterable[DocumentRow]) -> tuple[DocumentRow, str]:
    """The document and the place in "DOCUMENT:place". In a workspace with one document, its name may be omitted."""
    documents = list(documents)
    until = normalize("NFC", until)
    colons = [at for at, letter in enumerate(until) if letter == ":"]
    for at in reversed(colons):
        matches = _called(until[:at].strip(), documents)
        if matches and until[at + 1 :].strip():
            return _only_one(until[:at], matches), until[at + 1 :].strip()
    if len(documents) == 1 and not colons:
        return documents[0], until.strip()
    raise NotFound(
        f"{until!r} does not name a document and a place in it.",
        cure='Write "DOCUMENT:chapter 3", "DOCUMENT:40 %" or "DOCUMENT:passage 7". There are '
        f"{_listed(_names(documents))}.",
    )


# --------------------------------------------------------------------------------------------------------------------
# Within parts


def _ranges(part: ReadPart, view: View) -> dict[str, list[Range]]:
    """Document id -> the parts of it that the view names: empty for all of it."""
    ranges_of: dict[str, list[Range]] = {}
    whole = set[str]()
    documents = list(part.documents.values())
    for named in view.within:
        row, place = _document_or_part(normalize("NFC", named).strip(), documents)
        ranges_of.setdefault(row.id, [])
        if place:
            ranges_of[row.id].append(range_of_place(place, _parts_of(part, row)))
        else:
            whole.add(row.id)
    return {id_: [] if id_ in whole else ranges for id_, ranges in ranges_of.items()}


def _document_or_part(named: str, documents: Sequence[DocumentRow]) -> tuple[DocumentRow, str]:
    """The document and the part of it, "" for all of it."""
    if len(matches := _called(named, documents)) == 1:
        return matches[0], ""
    return _split(named, documents)


def _touches(row: ReadChunk, ranges: Sequence[Range]) -> bool:
    """Whether a passage overlaps any of the ranges: one across the edge of a page belongs to both pages."""
    return not ranges or any(row.chunk.start < end and row.chunk.end > begin for begin, end in ranges)


def _called(name: str, documents: Sequence[DocumentRow]) -> list[DocumentRow]:
    """The documents with a name, by the most reliable criterion: the source, the title, the source without folder and
    ending.
    """
    wanted = name.casefold()
    signs: tuple[Callable[[DocumentRow], bool], ...] = (
        lambda row: row.source == name,
        lambda row: row.title.casefold() == wanted or row.source.casefold() == wanted,
        lambda row: row.source.rpartition("/")[2].casefold() == wanted,
        lambda row: row.source.rpartition("/")[2].rpartition(".")[0].casefold() == wanted,
    )
    return next((matches for sign in signs if (matches := [row for row in documents if sign(row)])), [])


# --------------------------------------------------------------------------------------------------------------------
# Decisions


def _decisions(part: ReadPart, view: View) -> tuple[Sequence[StoredCorrection], Sequence[AliasGroup]]:
    """People's decisions, without those that the view leaves out by id."""
    gone = set(view.without_decisions)
    known = {decision.id for decision in part.decisions} | {group.id for group in part.alias_groups}
    if unknown := sorted(gone - known):
        listed = ", ".join(sorted(known)[:MAX_NAMES_LISTED]) or "none"
        raise NotFound(f"No correction has the id {unknown[0][:64]}.", cure=f"There are: {listed}.")
    return (
        [decision for decision in part.decisions if decision.id not in gone],
        [group for group in part.alias_groups if group.id not in gone],
    )


def _listed(names: Sequence[DocumentName]) -> str:
    sources = sorted(row.source for row in names)
    more = f" and {len(sources) - MAX_NAMES_LISTED:,} more" if len(sources) > MAX_NAMES_LISTED else ""
    return f"{', '.join(sources[:MAX_NAMES_LISTED]) or 'none'}{more}"
