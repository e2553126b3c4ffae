"""Names and titles that are known already, found in every chunk: it does not matter which document came first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from filigraph.graph.model import Mention, Occurrence
from filigraph.graph.names.mentions import (
    as_written,
    find_titles,
    form_features,
    read_places,
    scan,
    scan_terms,
    scannable,
    title_forms,
)
from filigraph.graph.rows import MentionRow, ScannedRow, StoredChunk, TitleRow


class ScanGraph(Protocol):
    """A workspace that is scanned: names, titles and chunks as they are, and what is found."""

    def stored_mentions(self) -> Sequence[MentionRow]: ...
    def titles(self) -> Sequence[TitleRow]: ...
    def languages(self) -> Sequence[str]: ...
    def touched_scanned(self) -> Sequence[ScannedRow]: ...
    def stale_chunks(self) -> Sequence[StoredChunk]: ...
    def load_chunks(self, ids: Sequence[str]) -> Sequence[StoredChunk]: ...
    def chunks_of_mentions(self, mention_ids: Sequence[str]) -> Sequence[str]: ...
    def chunks_with_terms(self, terms_per_name: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]: ...
    def scan_again(self, chunk_ids: Sequence[str]) -> None: ...
    def replace_scan(self, chunk_ids: Sequence[str], mentions: Sequence[Mention]) -> None: ...
    def replace_titles(
        self, chunk_ids: Sequence[str], named: Mapping[str, Sequence[str]], *, looked_up: Sequence[str]
    ) -> None: ...
    def note_looked_up(self, forms: Mapping[str, str]) -> None: ...
    def name_mentions(self, names: Mapping[str, tuple[str, str]]) -> None: ...


def find_known_names(graph: ScanGraph, check: Callable[[], None] = lambda: None) -> None:
    """Look for known names and titles, and note where they stand. `check` is called between its steps, and may raise.

    New chunks are scanned for all names; old chunks only if the word index says that they may hold a new name, or if
    a name goes that was found there. A chunk is always scanned for all names at once: "Sherlock Holmes" must win over
    "Holmes" whichever was known first, and leave it to "Holmes" when it goes. So does a name that is looked for in
    another way than before: "Tours", once no document but one on guided tours bears it.
    """
    rows = graph.stored_mentions()
    read = [row for row in rows if row.count and not row.scanned]
    names = _one_form_each((row.key, row.form) for row in read)
    before = _one_form_each((row.key, row.looked_up) for row in rows if row.looked_up)
    titles = graph.titles()
    chunks = _to_scan(rows, names, before, titles, graph, check)
    check()
    found = scan([(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in chunks], names)
    check()
    ids = [chunk.id for chunk in chunks]
    graph.replace_scan(ids, _join_read(found, read, chunks, names.keys() | before.keys()))
    named = find_titles(
        [(chunk.id, chunk.document_id, chunk.text) for chunk in chunks],
        [(row.document_id, row.title) for row in titles],
    )
    graph.replace_titles(ids, named, looked_up=[row.document_id for row in titles if row.fresh])
    looked_up = dict.fromkeys((row.id for row in rows), "") | {row.id: row.form for row in read}
    graph.note_looked_up({row.id: looked_up[row.id] for row in rows if row.looked_up != looked_up[row.id]})


def name_as_written(graph: ScanGraph) -> None:
    """Name the mentions that only the scan found as they are written most often where they stand now, whichever places
    came first and whichever went. One that is read bears the form in which it is read."""
    rows = graph.touched_scanned()
    names = {row.id: as_written(row.places) for row in rows}
    graph.name_mentions({row.id: names[row.id] for row in rows if (row.form, row.language) != names[row.id]})


def _to_scan(
    rows: Sequence[MentionRow],
    names: Mapping[str, str],
    before: Mapping[str, str],
    titles: Sequence[TitleRow],
    graph: ScanGraph,
    check: Callable[[], None],
) -> list[StoredChunk]:
    """The chunks that are new, or in which something else may stand than was found: by id. All are marked, so that a
    run which is cut short is made up for whatever is asked for next."""
    told = {key: form_features(form) for key, form in names.items()}
    told_before = {key: form_features(form) for key, form in before.items()}
    new = {key: form for key, form in names.items() if told_before.get(key) != told[key]}
    new_titles = [form for row in titles if row.fresh for form in title_forms(row.title)]
    other = {key for key, how in told_before.items() if told.get(key) != how}
    # A document's own reading began or ceased to give a name: its places become those of another mention of it.
    bearers = Counter((row.document_id, row.key) for row in rows)
    passed_on = {
        (row.document_id, row.key)
        for row in rows
        if bool(row.looked_up) != (row.count > 0 and not row.scanned)
        and (row.looked_up or bearers[row.document_id, row.key] > 1)
    }
    gone = [
        row.id
        for row in rows
        if row.key in other or (row.scanned and row.key not in names) or (row.document_id, row.key) in passed_on
    ]
    graph.scan_again(graph.chunks_of_mentions(gone))
    chunks = {chunk.id: chunk for chunk in graph.stale_chunks() if not chunk.scanned}
    old: set[str] = set()
    for language in (*graph.languages(), ""):  # a name has other terms in a text of another language
        check()
        wanted = {key: scan_terms(form, language) for key, form in new.items()}
        wanted |= {f"title: {form}": scan_terms(form, language) for form in new_titles}
        old.update(id_ for hits in graph.chunks_with_terms(wanted).values() for id_ in hits)
    old -= chunks.keys()
    check()
    graph.scan_again(sorted(old))
    chunks |= {chunk.id: chunk for chunk in graph.load_chunks(sorted(old))}
    return [chunks[id_] for id_ in sorted(chunks)]


def _one_form_each(forms: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Key -> one scannable form of it; which one must not depend on the order of ingest."""
    found: dict[str, str] = {}
    for form, key in sorted((form, key) for key, form in forms):
        if key not in found and scannable(form):
            found[key] = form
    return found


def _join_read(
    found: Sequence[Mention], read: Sequence[MentionRow], chunks: Sequence[StoredChunk], looked_for: AbstractSet[str]
) -> list[Mention]:
    """What the scan found in `chunks`, and what was read there of the names that are looked for, or were before.

    A name that the document's own extraction gave is that mention, not a second one. In a chunk in which it was read it
    stands where the scan finds it, which knows the longer names of other documents; where it finds none, as it was
    read. So its places do not depend on what was known before; nor on what a person split off, which is split off
    again afterwards: one of which only a part is still read is that mention all the same.
    """
    row_of: dict[str, MentionRow] = {}  # by the id of the whole
    for row in sorted(read, key=lambda row: (row.part_of, row.id)):
        row_of.setdefault(row.part_of or row.id, row)
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for id_ in sorted(row_of):
        rows[row_of[id_].document_id, row_of[id_].key].append(id_)
    given = {chunk.id: read_places(chunk.text, chunk.extraction) for chunk in chunks}
    places: dict[tuple[str, str], list[Occurrence]] = defaultdict(list)  # mention id, chunk id
    joined = []
    for mention in found:
        own = rows.get((mention.document_id, mention.key))
        if not own:
            joined.append(mention)
            continue
        for occurrence in mention.occurrences:
            places[own[0], occurrence.chunk_id].append(occurrence)
    for chunk in chunks:
        for (key, type_), (spans, _) in given[chunk.id].items():
            for id_ in rows.get((chunk.document_id, key), ()) if key in looked_for else ():
                if row_of[id_].type == type_:
                    as_read = [Occurrence(chunk_id=chunk.id, start=start, end=end) for start, end in spans]
                    places.setdefault((id_, chunk.id), as_read)
    for (id_, chunk_id), occurrences in places.items():
        row = row_of[id_]
        joined.append(
            Mention(
                id=id_,
                document_id=row.document_id,
                key=row.key,
                form=row.form,
                type=row.type,
                language=row.language,
                occurrences=tuple(occurrences),
                scanned=(row.key, row.type) not in given[chunk_id],
            )
        )
    return joined
