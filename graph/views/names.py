"""The names of a view, in memory: the reads and writes of the first two steps of `derive`, for a part without derived
data. It does what the store does (`store/workspace/`: `scan.py`, `derive.py`, `decide.py`) for chunks that are all new.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain

from filigraph.graph import ids
from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.llm_readings import CastLink, CastReading
from filigraph.graph.model.names import AliasGroup, CorrectedName, Mention, Part, StoredCorrection
from filigraph.graph.names.cast import links_shown
from filigraph.graph.names.phrases import cast_mentions
from filigraph.graph.records.documents import NameOccurrences, PlacedChunk, StoredChunk, TitleRow
from filigraph.graph.records.entities import MentionRow, ScannedRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.tables.text_parts import KeptTextParts, TextParts
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.views.read_names import ReadNames
from filigraph.graph.views.visible import Visible

FEW = 4  # a table is made from the last one if fewer than one mention in this many changed


class _Stored:
    """A mention with its places."""

    def __init__(self, mention: Mention) -> None:
        self.document_id, self.key, self.type = mention.document_id, mention.key, mention.type
        self.form, self.language, self.part_of = mention.form, mention.language, mention.part_of
        self.looked_up = ""
        self.places: dict[str, dict[Span, bool]] = {}  # chunk id -> span -> whether only the scan found it

    @property
    def scanned(self) -> bool:
        return all(all(spans.values()) for spans in self.places.values())


@dataclass(frozen=True, eq=False)
class _Tables:
    """The mentions of a derivation, before names were looked up and afterwards."""

    before: Mentions = field(default_factory=lambda: Mentions(()))
    looked_up: Mentions = field(default_factory=lambda: Mentions(()))


class ViewNames:
    """The mentions of a view. One thread derives it once."""

    def __init__(self, part: ReadPart, visible: Visible, state: DerivationState, read: ReadNames) -> None:
        self.derivation_state, self._read = state, read
        self._part, self._visible = part, visible
        self._chunks = {row.chunk.id: row for row in visible.chunks}
        self._mentions: dict[str, _Stored] = {}
        self._rows = Mentions(())
        self._changed: set[str] = set()  # the mentions whose rows are to be made again
        self._with_names: tuple[Mentions, Mentions] | None = None  # rows, and the result of `mentions` for them
        self._scanned: set[str] = set()
        self._looked_up = False  # whether titles were looked up
        self.titles_named: dict[str, Sequence[str]] = {}  # chunk id -> the documents whose titles it contains
        self._decisions: tuple[Sequence[StoredCorrection], Sequence[AliasGroup]] | None = None
        shown = Counter(row.chunk.document_id for row in visible.chunks)
        # documents that are visible in part
        self._cut = {id_ for id_ in visible.documents if shown[id_] < len(part.chunks_of[id_])}
        self._read_documents()

    def _read_documents(self) -> None:
        """Read the names of each document from its visible chunks only."""
        chunks: dict[str, list[ReadChunk]] = defaultdict(list)
        for row in self._visible.chunks:
            chunks[row.chunk.document_id].append(row)
        casts = self.casts()
        for document_id, rows in chunks.items():
            rows.sort(key=lambda row: row.chunk.index)
            mentions = self._read.mentions(document_id, rows)
            self._write(mentions)
            said = casts.get(document_id, ())
            self._write(cast_mentions(document_id, [row.chunk for row in rows], mentions, said))

    # ---- Mentions

    def stored_mentions(self) -> Mentions:
        changed, self._changed = self._changed & self._mentions.keys(), set()
        if FEW * len(changed) > len(self._mentions):
            rows = {id_: self._row(id_, stored) for id_, stored in self._mentions.items() if stored.places}
            self._rows = self._table(rows)
        elif changed:
            rows = {id_: self._row(id_, self._mentions[id_]) for id_ in changed if self._mentions[id_].places}
            self._rows = self._rows.after(changed - rows.keys(), rows)
        return self._rows

    def _table(self, rows: Mapping[str, MentionRow]) -> Mentions:
        """A table of mentions. It shares pages with that of the last derivation, and so what was computed from them."""
        tables = self.derivation_state.last(_Tables) or _Tables()
        last = tables.looked_up if self._looked_up else tables.before
        known = {*last.by_id}
        if FEW * len(known ^ rows.keys()) < len(rows):
            table = last.after(known - rows.keys(), rows)
        else:
            table = Mentions(rows.values())
        self.derivation_state.keep(
            replace(tables, looked_up=table) if self._looked_up else replace(tables, before=table)
        )
        return table

    def mentions(self) -> Mentions:
        """The mentions, without those whose name no extraction contains."""
        stored = self.stored_mentions()
        if self._with_names is None or self._with_names[0] is not stored:
            self._with_names = stored, stored.after(chain.from_iterable(stored.by_key.each(_ids_without_name)), {})
        return self._with_names[1]

    def _row(self, id_: str, stored: _Stored) -> MentionRow:
        starts = {
            self._chunks[chunk].chunk.start + start for chunk, spans in stored.places.items() for start, _ in spans
        }
        return MentionRow(
            id=id_,
            document_id=stored.document_id,
            key=stored.key,
            form=stored.form,
            type=stored.type,
            language=stored.language,
            scanned=stored.scanned,
            looked_up=stored.looked_up,
            count=len(starts),  # a place in two overlapping chunks counts once
            entity_id="",
            part_of=stored.part_of,
        )

    def _write(self, mentions: Iterable[Mention]) -> None:
        """Write mentions: the occurrences given for a chunk replace the earlier ones; a scanned mention never replaces
        an extracted one.
        """
        # extracted mentions last: they override
        for mention in sorted(mentions, key=lambda mention: not mention.scanned):
            stored = self._mentions.get(mention.id)
            if stored is None:
                stored = self._mentions[mention.id] = _Stored(mention)
            elif not mention.scanned:
                stored.form, stored.language = mention.form, mention.language
            self._changed.add(mention.id)
            spans: dict[str, list[Span]] = defaultdict(list)
            for occurrence in mention.occurrences:
                spans[occurrence.chunk_id].append((occurrence.start, occurrence.end))
            for chunk, chunk_spans in spans.items():
                before = stored.places.get(chunk)
                if before and mention.scanned and not all(before.values()):
                    continue
                stored.places[chunk] = dict.fromkeys(sorted(chunk_spans), mention.scanned)

    def occurrences(self) -> Mapping[str, Mapping[str, Mapping[Span, bool]]]:
        """Mention id -> chunk id -> span -> whether only the scan found it."""
        return {id_: stored.places for id_, stored in self._mentions.items()}

    # ---- Scan

    def titles(self, *, fresh: bool = False) -> list[TitleRow]:
        titled = sorted((row.id, row.title) for row in self._visible.documents.values() if row.title)
        if fresh and self._looked_up:
            return []
        return [TitleRow(document_id=id_, title=title, fresh=not self._looked_up) for id_, title in titled]

    def languages(self) -> list[str]:
        return sorted({row.language for row in self._visible.documents.values() if row.language})

    def touched_scanned(self) -> list[ScannedRow]:
        return [
            ScannedRow(
                id=id_,
                form=stored.form,
                language=stored.language,
                places=tuple(
                    (self._chunks[chunk].chunk.text[start:end], self._chunks[chunk].chunk.language)
                    for chunk, spans in stored.places.items()
                    for start, end in spans
                ),
            )
            for id_, stored in sorted(self._mentions.items())
            if stored.places and stored.scanned
        ]

    def stale_chunks(self) -> list[StoredChunk]:
        return [self._stored_chunk(row) for row in self._visible.chunks]

    def load_chunks(self, ids: Sequence[str]) -> list[StoredChunk]:
        return [self._stored_chunk(self._chunks[id_]) for id_ in sorted(set(ids)) if id_ in self._chunks]

    def _stored_chunk(self, row: ReadChunk) -> StoredChunk:
        return StoredChunk(
            id=row.chunk.id,
            document_id=row.chunk.document_id,
            language=row.chunk.language,
            text=row.chunk.text,
            extraction=row.extraction,
            scanned=row.chunk.id in self._scanned,
        )

    def chunks_of_mentions(self, mention_ids: Sequence[str]) -> list[str]:
        return sorted({chunk for id_ in mention_ids for chunk in self._mentions[id_].places})

    def scanned_chunks(self) -> list[str]:
        return sorted(self._scanned)

    def chunks_with_terms(self, terms_per_name: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """None: no chunk was scanned before."""
        return {}

    def scan_again(self, chunk_ids: Sequence[str]) -> None:
        self._scanned.difference_update(chunk_ids)

    def replace_scan(self, chunk_ids: Sequence[str], mentions: Sequence[Mention]) -> None:
        self._write(mentions)
        self._scanned.update(chunk_ids)

    def replace_titles(
        self, chunk_ids: Sequence[str], named: Mapping[str, Sequence[str]], *, looked_up: Sequence[str]
    ) -> None:
        self.titles_named.update(named)
        self._looked_up = True

    def note_looked_up(self, forms: Mapping[str, str]) -> None:
        self._changed.update(forms)
        for id_, form in forms.items():
            self._mentions[id_].looked_up = form

    def name_mentions(self, names: Mapping[str, tuple[str, str]]) -> None:
        self._changed.update(names)
        for id_, (form, language) in names.items():
            self._mentions[id_].form, self._mentions[id_].language = form, language

    # ---- Decisions

    def corrections(self) -> Sequence[StoredCorrection]:
        return self._decided()[0]

    def alias_groups(self) -> Sequence[AliasGroup]:
        return self._decided()[1]

    def _decided(self) -> tuple[Sequence[StoredCorrection], Sequence[AliasGroup]]:
        """The corrections without hidden names. They are known after the names."""
        if not self._visible.decisions and not self._visible.alias_groups:
            return [], []
        if self._decisions is None:
            here, whole = self.mentions(), self._part.mentions
            decisions, parts = list[StoredCorrection](), set[str]()
            visible_decisions = [(decision, bool(decision.places)) for decision in self._visible.decisions]
            for decision, _ in sorted(
                visible_decisions, key=lambda one: not one[1]
            ):  # parts first: others may refer to them
                if self._concerns_hidden(decision, here, whole, parts):
                    continue
                decisions.append(decision)
                if decision.kind == "split_off":
                    parts.update(ids.part_id(id_, decision.id) for id_ in here.there(decision.names))
            decisions.sort(key=lambda decision: decision.id)
            groups = [group for group in self._visible.alias_groups if not _hides(group, here, whole)]
            self._decisions = decisions, groups
        return self._decisions

    def _concerns_hidden(self, decision: StoredCorrection, here: Mentions, whole: Mentions, parts: Set[str]) -> bool:
        def hidden(name: CorrectedName) -> bool:
            if name.document_id not in self._visible.documents:
                return name.document_id in self._part.documents
            if name.document_id not in self._cut or name.id in parts:
                return False
            return not here.there([name]) and bool(whole.there([name]))

        places = (place.chunk_id for place in decision.places)
        return any(id_ not in self._chunks and id_ in self._part.chunks for id_ in places) or any(
            hidden(name) for name in (*decision.names, *decision.others)
        )

    def document_aliases(self) -> dict[str, list[tuple[str, str]]]:
        stated: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in self._visible.chunks:
            if row.extraction.aliases:
                aliases = row.extraction.aliases
                stated[row.chunk.document_id] += [(alias.first, alias.second) for alias in aliases]
        return dict(stated)

    def document_strangers(self) -> dict[str, Counter[str]]:
        stated: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self._visible.chunks:
            if row.strangers:
                stated[row.chunk.document_id].update(row.strangers)
        return dict(stated)

    def casts(self, document_ids: Sequence[str] | None = None) -> dict[str, Sequence[CastReading]]:
        """The casts of documents that are completely visible: those of others may reveal hidden text."""
        whole = self._visible.documents.keys() - self._cut
        return {id_: readings for id_, readings in self._part.casts.items() if id_ in whole}

    def cast_links(self, document_ids: Sequence[str] | None = None) -> Sequence[CastLink]:
        """The links across documents that rest on nothing hidden."""
        return list(links_shown(self._part.cast_links, self._chunks.keys()))

    def cached_text_parts(self) -> KeptTextParts | None:
        """None: a view is derived only once."""
        return None

    def cache_text_parts(self, parts: TextParts) -> None:
        """Nothing to store: no other derivation follows."""

    def name_occurrences(self, document_ids: Sequence[str]) -> Iterator[NameOccurrences]:
        names: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for id_, stored in self._mentions.items():
            for chunk_id, spans in stored.places.items():
                names[chunk_id] += [(stored.part_of or id_, start, end) for start, end in spans]
        wanted = {*document_ids}
        chunks: dict[str, list[PlacedChunk]] = defaultdict(list)
        for row in self._visible.chunks:
            chunk = row.chunk
            if chunk.document_id in wanted:
                here = tuple(sorted(names[chunk.id]))
                chunks[chunk.document_id].append(
                    PlacedChunk(id=chunk.id, start=chunk.start, text=chunk.text, names=here)
                )
        return (NameOccurrences(id=id_, chunks=tuple(chunks[id_])) for id_ in document_ids)

    def write_parts(self, parts: Sequence[Part], stored: Sequence[str]) -> None:
        """Make separate mentions of places."""
        self._changed.update(id_ for part in parts for id_ in (part.id, part.of))
        for part in parts:
            whole = self._mentions[part.of]
            own = self._mentions.get(part.id)
            for place in part.places:
                scanned = whole.places.get(place.chunk_id, {}).pop((place.start, place.end), None)
                if scanned is None:
                    continue
                if own is None:
                    own = self._mentions[part.id] = _part_of(part.of, whole)
                own.places.setdefault(place.chunk_id, {})[place.start, place.end] = scanned
                if not whole.places[place.chunk_id]:
                    del whole.places[place.chunk_id]

    def places(self, mention_ids: Sequence[str], chunk_ids: Sequence[str]) -> dict[tuple[str, str], list[Span]]:
        return {
            (id_, chunk): sorted(self._mentions[id_].places[chunk])
            for id_ in mention_ids
            if id_ in self._mentions
            for chunk in chunk_ids
            if chunk in self._mentions[id_].places
        }


def _ids_without_name(bearers: Mapping[str, Sequence[MentionRow]]) -> list[str]:
    """The ids of the mentions whose name no extraction contains."""
    return [row.id for rows in bearers.values() if all(row.scanned for row in rows) for row in rows]


def _part_of(id_: str, whole: _Stored) -> _Stored:
    return _Stored(
        Mention(
            id="",
            document_id=whole.document_id,
            key=whole.key,
            form=whole.form,
            type=whole.type,
            language=whole.language,
            occurrences=(),
            part_of=id_,
        )
    )


def _hides(group: AliasGroup, here: Mentions, whole: Mentions) -> bool:
    """Whether a name of the group occurs in the workspace, but not in the view."""
    keys = {name_key(name) for name in group.names}

    def known(mentions: Mentions) -> set[str]:
        return {
            key
            for key in keys
            if any(group.document_id in ("", row.document_id) for row in mentions.by_key.get(key, ()))
        }

    return not known(whole) <= known(here)
