"""Find known names and titles in all chunks, so that the order of ingest does not matter."""

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

MANY_NAMES = 1000  # fewer are always looked up
NAMES_A_CHUNK = 3  # that are looked up in the time in which a chunk is scanned and derived again


class ScanGraph(Protocol):
    """Store of a workspace as the scan needs it."""

    def stored_mentions(self) -> Sequence[MentionRow]: ...
    def titles(self, *, fresh: bool = False) -> Sequence[TitleRow]: ...
    def languages(self) -> Sequence[str]: ...
    def touched_scanned(self) -> Sequence[ScannedRow]: ...
    def stale_chunks(self) -> Sequence[StoredChunk]: ...
    def load_chunks(self, ids: Sequence[str]) -> Sequence[StoredChunk]: ...
    def chunks_of_mentions(self, mention_ids: Sequence[str]) -> Sequence[str]: ...
    def scanned_chunks(self) -> Sequence[str]: ...
    def chunks_with_terms(self, terms_per_name: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]: ...
    def scan_again(self, chunk_ids: Sequence[str]) -> None: ...
    def replace_scan(self, chunk_ids: Sequence[str], mentions: Sequence[Mention]) -> None: ...
    def replace_titles(
        self, chunk_ids: Sequence[str], named: Mapping[str, Sequence[str]], *, looked_up: Sequence[str]
    ) -> None: ...
    def note_looked_up(self, forms: Mapping[str, str]) -> None: ...
    def name_mentions(self, names: Mapping[str, tuple[str, str]]) -> None: ...


def find_known_names(graph: ScanGraph, check: Callable[[], None] = lambda: None) -> None:
    """Search for known names and titles and store their places. `check` is called between the steps and may raise.

    New chunks are scanned for all names; old chunks only if the word index reports a possible match of a new name, or
    if a name found in them is removed or is matched in another way than before ("Tours", if only a document on guided
    tours still has it). A chunk is always scanned for all names at once: "Sherlock Holmes" must win over "Holmes"
    whichever was known first, and give the place back when it is removed.
    """
    rows = graph.stored_mentions()
    fresh = graph.titles(fresh=True)
    if not fresh and _are_found(rows) and all(chunk.scanned for chunk in graph.stale_chunks()):
        return
    read = [row for row in rows if row.count and not row.scanned]
    names = _one_form_each((row.key, row.form) for row in read)
    before = _one_form_each((row.key, row.looked_up) for row in rows if row.looked_up)
    chunks = _to_scan(rows, names, before, fresh, graph, check)
    check()
    ids = [chunk.id for chunk in chunks]
    named: Mapping[str, Sequence[str]] = {}
    if chunks:
        found = scan([(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in chunks], names)
        check()
        graph.replace_scan(ids, _join_read(found, read, chunks, names.keys() | before.keys()))
        named = find_titles(
            [(chunk.id, chunk.document_id, chunk.text) for chunk in chunks],
            [(row.document_id, row.title) for row in graph.titles()],
        )
    graph.replace_titles(ids, named, looked_up=[row.document_id for row in fresh])
    looked_up = dict.fromkeys((row.id for row in rows), "") | {row.id: row.form for row in read}
    graph.note_looked_up({row.id: looked_up[row.id] for row in rows if row.looked_up != looked_up[row.id]})


def _are_found(rows: Sequence[MentionRow]) -> bool:
    """Whether the names that are read are those that were looked up last, so that a scan would find what it found."""
    if any(row.looked_up != (row.form if row.count and not row.scanned else "") for row in rows):
        return False
    borne = {row.key for row in rows if row.looked_up}
    return all(row.key in borne for row in rows if row.scanned)


def name_as_written(graph: ScanGraph) -> None:
    """Set the form of mentions that only the scan found to the most frequent one of their current places, whatever the
    order of ingest and deletion. Mentions from extractions keep their extracted form."""
    rows = graph.touched_scanned()
    names = {row.id: as_written(row.places) for row in rows}
    graph.name_mentions({row.id: names[row.id] for row in rows if (row.form, row.language) != names[row.id]})


def _to_scan(
    rows: Sequence[MentionRow],
    names: Mapping[str, str],
    before: Mapping[str, str],
    fresh: Sequence[TitleRow],
    graph: ScanGraph,
    check: Callable[[], None],
) -> list[StoredChunk]:
    """The chunks to scan, sorted by id: new ones, and old ones whose result may change. All are marked as not scanned
    in the store, so that the next run completes an interrupted one."""
    new = {key: form for key, form in names.items() if _is_matched_otherwise(before.get(key), form)}
    new_titles = [form for row in fresh for form in title_forms(row.title)]
    other = {key for key, form in before.items() if _is_matched_otherwise(names.get(key), form)}
    # The document's extraction gained or lost the name: its places go to another mention of the document.
    turned = [row for row in rows if bool(row.looked_up) != (row.count > 0 and not row.scanned)]
    keys = {row.key for row in turned}
    bearers = Counter((row.document_id, row.key) for row in rows if row.key in keys)
    passed_on = {(row.document_id, row.key) for row in turned if row.looked_up or bearers[row.document_id, row.key] > 1}
    gone = [
        row.id
        for row in rows
        if row.key in other
        or (row.scanned and row.key not in names)
        or (row.key in keys and (row.document_id, row.key) in passed_on)
    ]
    graph.scan_again(graph.chunks_of_mentions(gone))
    chunks = {chunk.id: chunk for chunk in graph.stale_chunks() if not chunk.scanned}
    old = _may_hold(new, new_titles, graph, check) - chunks.keys()
    check()
    graph.scan_again(sorted(old))
    chunks |= {chunk.id: chunk for chunk in graph.load_chunks(sorted(old))}
    return [chunks[id_] for id_ in sorted(chunks)]


def _is_matched_otherwise(known: str | None, form: str) -> bool:
    """Whether a name is looked for in another way in this form than in the one it is `known` by, if any."""
    return known != form and (known is None or form_features(known) != form_features(form))


def _may_hold(names: Mapping[str, str], titles: Sequence[str], graph: ScanGraph, check: Callable[[], None]) -> set[str]:
    """The chunks, scanned before, that may hold one of these names (key -> form) or titles; all of them where so many
    names are new that looking each up in the word index takes longer than scanning."""
    if len(names) > MANY_NAMES:
        scanned = graph.scanned_chunks()
        if len(names) > NAMES_A_CHUNK * len(scanned):
            return set(scanned)
    found: set[str] = set()
    for language in (*graph.languages(), ""):  # index terms depend on the language of the text
        check()
        wanted = {key: scan_terms(form, language) for key, form in names.items()}
        wanted |= {f"title: {form}": scan_terms(form, language) for form in titles}
        found.update(id_ for hits in graph.chunks_with_terms(wanted).values() for id_ in hits)
    return found


def _one_form_each(forms: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Key -> its smallest scannable form, so that the choice does not depend on the order of ingest."""
    found: dict[str, str] = {}
    for key, form in forms:
        known = found.get(key)
        if (known is None or form < known) and scannable(form):
            found[key] = form
    return found


def _join_read(
    found: Sequence[Mention], read: Sequence[MentionRow], chunks: Sequence[StoredChunk], looked_for: AbstractSet[str]
) -> list[Mention]:
    """Join the scanned mentions of `chunks` with the extracted mentions of the same names.

    A scanned name that the document's own extraction contains belongs to the extracted mention, not to a second one.
    Its places in a chunk are those of the scan, which respects longer names of other documents; if the scan finds none,
    those of the extraction, for the keys in `looked_for`. So the places depend neither on what was known before nor on
    parts that a person split off: parts are split off again afterwards.
    """
    here = {chunk.document_id for chunk in chunks}
    row_of: dict[str, MentionRow] = {}  # id of the unsplit mention -> row
    for row in sorted((row for row in read if row.document_id in here), key=lambda row: (row.part_of, row.id)):
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
