"""Find known names and titles in all chunks, so that the order of ingest does not matter."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from filigraph.graph.model.names import Mention, Occurrence
from filigraph.graph.names.finder import form_features
from filigraph.graph.names.mentions import (
    ReadPlaces,
    as_written,
    find_titles,
    is_made_of,
    needed_word,
    read_places,
    scan,
    scan_terms,
    scannable,
    title_forms,
    words_of,
)
from filigraph.graph.records.documents import StoredChunk, TitleRow
from filigraph.graph.records.entities import MentionRow, ScannedRow
from filigraph.graph.tables.mention_table import Mentions

MANY_NAMES = 1000  # if at most this many forms are new, they are always looked up
NAMES_A_CHUNK = 3  # forms that are looked up in the time that it takes to scan and derive one chunk


class ScanGraph(Protocol):
    """The store of a workspace, as the scan needs it."""

    def stored_mentions(self) -> Mentions: ...
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


class TextSearch(Protocol):
    """Finds names in chunks."""

    def names(self, chunks: Sequence[StoredChunk], mentions: Mentions) -> Sequence[Mention]: ...
    def titles(self, chunks: Sequence[StoredChunk], titles: Sequence[TitleRow]) -> Mapping[str, Sequence[str]]: ...
    def read(self, chunk: StoredChunk) -> ReadPlaces: ...


class _Texts:
    """Finds the names in the texts."""

    def names(self, chunks: Sequence[StoredChunk], mentions: Mentions) -> Sequence[Mention]:
        names = names_in([chunk.text for chunk in chunks], mentions)
        return scan([(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in chunks], names)

    def titles(self, chunks: Sequence[StoredChunk], titles: Sequence[TitleRow]) -> Mapping[str, Sequence[str]]:
        return find_titles(
            [(chunk.id, chunk.document_id, chunk.text) for chunk in chunks],
            [(row.document_id, row.title) for row in titles],
        )

    def read(self, chunk: StoredChunk) -> ReadPlaces:
        return read_places(chunk.text, chunk.extraction)


TEXTS = _Texts()


def find_known_names(graph: ScanGraph, check: Callable[[], None] = lambda: None, search: TextSearch = TEXTS) -> None:
    """Search for known names and titles and store their places. `check` is called between the steps and may raise.

    New chunks are scanned for all names; old chunks only if the word index reports a possible match of a new name, or
    if a name found in them is removed or is matched in another way than before ("Tours", if only a document on guided
    tours still has it). A chunk is always scanned for all names at once: "Sherlock Holmes" must win over "Holmes"
    whichever was known first, and give the place back when it is removed.
    """
    mentions = graph.stored_mentions()
    fresh = graph.titles(fresh=True)
    other = [mentions.by_key[key] for key in chain.from_iterable(mentions.by_key.each(keys_found_otherwise))]
    if not fresh and not other and all(chunk.scanned for chunk in graph.stale_chunks()):
        return
    rows = sorted(chain.from_iterable(other), key=lambda row: row.id)
    chunks = _to_scan(rows, fresh, graph, check)
    check()
    ids = [chunk.id for chunk in chunks]
    named: Mapping[str, Sequence[str]] = {}
    if chunks:
        mentions_scanned = search.names(chunks, mentions)
        check()
        graph.replace_scan(ids, _join_read(mentions_scanned, mentions, chunks, search))
        named = search.titles(chunks, graph.titles())
    graph.replace_titles(ids, named, looked_up=[row.document_id for row in fresh])
    graph.note_looked_up({row.id: _to_look_up(row) for row in rows if row.looked_up != _to_look_up(row)})


def _is_read(row: MentionRow) -> bool:
    return row.count > 0 and not row.scanned


def _to_look_up(row: MentionRow) -> str:
    """The form in which the scan looks for a name; "" for a name that is not read."""
    return row.form if _is_read(row) else ""


def keys_found_otherwise(bearers: Mapping[str, Sequence[MentionRow]]) -> list[str]:
    """The keys for which a scan would give another result than last time: the form of the name changed, or the name was
    found before and is not looked for any more.
    """
    return [
        key
        for key, rows in bearers.items()
        if any(row.looked_up != _to_look_up(row) for row in rows)
        or (any(row.scanned for row in rows) and not any(_is_read(row) and scannable(row.form) for row in rows))
    ]


def names_in(texts: Sequence[str], mentions: Mentions) -> dict[str, str]:
    """The names that the texts may contain, by key: for a few new texts these are few of very many."""
    words = words_of(texts)
    wanted = words | {""}
    forms: dict[str, str] = {}
    for names in mentions.by_key.each(_names_by_word):
        for word in names.keys() & wanted:
            forms |= {key: form for key, form in names[word] if is_made_of(key, words)}
    return forms


def names_looked_for(mentions: Mentions) -> dict[str, str]:
    """The names that the scan looks for, by key."""
    return {key: form for forms in mentions.by_key.each(_forms_looked_for) for key, form in forms.items()}


def _forms_looked_for(bearers: Mapping[str, Sequence[MentionRow]]) -> dict[str, str]:
    return _one_form_each(_read_forms(chain.from_iterable(bearers.values())))


def _names_by_word(bearers: Mapping[str, Sequence[MentionRow]]) -> dict[str, list[tuple[str, str]]]:
    """Word that a text with the name needs (see `needed_word`) -> the keys of such names, each with its form."""
    by_word: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for key, form in _forms_looked_for(bearers).items():
        by_word[needed_word(key)].append((key, form))
    return by_word


def name_as_written(graph: ScanGraph) -> None:
    """Set the form of mentions that only the scan found to the most frequent one at their current places, so that it
    does not depend on the order of ingest and deletion. Mentions from extractions keep their form.
    """
    rows = graph.touched_scanned()
    names = {row.id: as_written(row.places) for row in rows}
    graph.name_mentions({row.id: names[row.id] for row in rows if (row.form, row.language) != names[row.id]})


def _to_scan(
    rows: Sequence[MentionRow], fresh: Sequence[TitleRow], graph: ScanGraph, check: Callable[[], None]
) -> list[StoredChunk]:
    """The chunks to scan, sorted by id: new ones, and old ones whose result may change. All are marked as not scanned
    in the store, so that the next run completes an interrupted one. `rows`: the mentions of the keys whose result may
    differ.
    """
    names = _one_form_each(_read_forms(rows))
    before = _one_form_each((row.key, row.looked_up) for row in rows if row.looked_up)
    new = {key: form for key, form in names.items() if _is_matched_otherwise(before.get(key), form)}
    new_titles = [form for row in fresh for form in title_forms(row.title)]
    other = {key for key, form in before.items() if _is_matched_otherwise(names.get(key), form)}
    # The document's extraction gained or lost the name: its places go to another mention of the document.
    turned = [row for row in rows if bool(row.looked_up) != _is_read(row)]
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
    """Whether the scan looks for a name in another way in this form than in its `known` form, if any."""
    return known != form and (known is None or form_features(known) != form_features(form))


def _may_hold(names: Mapping[str, str], titles: Sequence[str], graph: ScanGraph, check: Callable[[], None]) -> set[str]:
    """The chunks, already scanned, that may contain one of these names (key -> form) or titles; all of them if so many
    names are new that looking them up in the word index takes longer than scanning.
    """
    if len(names) > MANY_NAMES:
        scanned = graph.scanned_chunks()
        if len(names) > NAMES_A_CHUNK * len(scanned):
            return set(scanned)
    chunk_ids: set[str] = set()
    for language in (*graph.languages(), ""):  # index terms depend on the language of the text
        check()
        wanted = {key: scan_terms(form, language) for key, form in names.items()}
        wanted |= {f"title: {form}": scan_terms(form, language) for form in titles}
        chunk_ids.update(id_ for hits in graph.chunks_with_terms(wanted).values() for id_ in hits)
    return chunk_ids


def _read_forms(rows: Iterable[MentionRow]) -> Iterator[tuple[str, str]]:
    return ((row.key, row.form) for row in rows if _is_read(row))


def _one_form_each(forms: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Key -> its smallest scannable form, so that the choice does not depend on the order of ingest."""
    form_of: dict[str, str] = {}
    for key, form in forms:
        known = form_of.get(key)
        if (known is None or form < known) and scannable(form):
            form_of[key] = form
    return form_of


def _join_read(
    scanned: Sequence[Mention], mentions: Mentions, chunks: Sequence[StoredChunk], search: TextSearch
) -> list[Mention]:
    """Join the scanned mentions of `chunks` with the extracted mentions of the same names.

    A scanned name that the document's own extraction contains belongs to the extracted mention, not to a second one.
    Its places in a chunk are those of the scan, which respects longer names of other documents; if the scan finds none,
    those of the extraction, for names that the scan looks for or looked for last. So the places depend neither on the
    names known before nor on parts that a person split off: the parts are split off again later.
    """
    here = {chunk.document_id for chunk in chunks}
    read_names = {chunk.id: search.read(chunk) for chunk in chunks}
    keys = {mention.key for mention in scanned} | {key for names in read_names.values() for key, _ in names}
    row_of: dict[str, MentionRow] = {}  # id of the unsplit mention -> row
    read = (row for key in keys for row in mentions.by_key.get(key, ()) if row.document_id in here and _is_read(row))
    for row in sorted(read, key=lambda row: (row.part_of, row.id)):
        row_of.setdefault(row.part_of or row.id, row)
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for id_ in sorted(row_of):
        rows[row_of[id_].document_id, row_of[id_].key].append(id_)
    looked_for = {key for key in keys if any(map(_is_looked_for, mentions.by_key.get(key, ())))}
    places: dict[tuple[str, str], list[Occurrence]] = defaultdict(list)  # mention id, chunk id
    joined = []
    for mention in scanned:
        own = rows.get((mention.document_id, mention.key))
        if not own:
            joined.append(mention)
            continue
        for occurrence in mention.occurrences:
            places[own[0], occurrence.chunk_id].append(occurrence)
    for chunk in chunks:
        for (key, type_), (spans, _) in read_names[chunk.id].items():
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
                scanned=(row.key, row.type) not in read_names[chunk_id],
            )
        )
    return joined


def _is_looked_for(row: MentionRow) -> bool:
    """Whether the scan looks for the name, or looked for it last."""
    return (_is_read(row) and scannable(row.form)) or (bool(row.looked_up) and scannable(row.looked_up))
