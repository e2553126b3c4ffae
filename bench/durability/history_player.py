"""Random histories of a workspace, and the player that runs them.

A *history* is a sequence of steps: a document is put, edited or deleted; two names are joined or kept apart, an entity
is split, renamed or typed, a fact rejected or restated, predicates are folded, a decision is undone. Names come in
several forms, casings and languages, in documents of several chunks, read by patterns, as ready triples, by the local
extractor, or not at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.corrections.predicates import fold
from filigraph.graph.derive import derive, prepare
from filigraph.graph.errors import FiligraphError
from filigraph.graph.ingest.extract.contract import Extractor, extraction_key
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.ingest.report import IngestSettings
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Alias, Extraction, Triplet
from filigraph.graph.model.names import CorrectionKind, Occurrence
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.snapshots import Snapshots
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.serialize import correction_of
from filigraph.graph.store import Graph
from filigraph.graph.store.cache.derivation_cache import DerivationCache
from filigraph.graph.text.sentences import sentences
from tests.making import word_embedder

CUT = IngestSettings(size=24, overlap=0.0)  # one or two sentences to a chunk
RAIN = "It rained from morning to night on day {} of that wet and grey year, and no one went out."
PARTED = 32  # such chunks between the two ends of a long document: a common noun at both is vague
SOURCES = ("a.md", "b.md", "c.md", "d.md")
NAMES = (
    *("Jules", "JULES", "Jules Delmas", "JULES DELMAS", "Delmas", "M. Delmas", "Mme Delmas", "Paul Delmas"),
    *("The Claw", "THE CLAW", "the Claw", "La Griffe", "LA GRIFFE", "Sherlock Holmes", "Holmes", "HOLMES"),
    *("Duke of Nassau", "Nassau", "Nassau-Weil", "Tours", "tours", "d'Artagnan", "D'Artagnan", "Артём", "АРТЁМ"),
    *("the woman", "the ring", "young man", "Young Man", "signet ring of the Moreau house"),
)
SAID = (
    "{a} saw {b} in the street at noon.",
    "{a} knows {b} and never says so.",
    "{a} joined {b} in the year of the flood.",
    "{a} is also called {b} by the neighbours.",
    "Nobody at the station met {a} that night, nor {b}.",
    'At the quay {a} stood alone. "Good evening, {b}," said the keeper.',
    "{a} voit {b} dans la rue à midi.",
    "{a} connaît {b} depuis de longues années.",
    "{a} est aussi appelé {b} par les voisins.",
    "Personne à la gare ne rencontra {a} cette nuit, ni {b}.",
)
FACT = re.compile(r"(.+?) (saw|knows|joined|voit|connaît) (.+?) (?:in the|and never|dans la|depuis) ")
ALIAS = re.compile(r"(.+?) (?:is also called|est aussi appelé) (.+?) (?:by the|par les) ")
PREDICATES = ("saw", "knows", "joined", "voit", "connaît")  # of `SAID`
TYPES = ("Person", "Group")
TYPED = {"joined": "Organization"}  # predicate -> the type of its object
Reader = Literal["patterns", "triples", "nobody", "local"]
QUICK: tuple[Reader, ...] = ("patterns", "triples", "nobody")
LOCAL: tuple[Reader, ...] = ("local", "nobody")


# --------------------------------------------------------------------------------------------------------------------
# Histories


@dataclass(frozen=True, kw_only=True)
class Put:
    """A document is ingested, new or changed."""

    source: str
    title: str
    said: tuple[str, ...]
    parted: bool  # much text is between the first sentence and the others
    reader: Reader

    @property
    def content(self) -> Source:
        title = [f"# {self.title}"] if self.title else []
        rain = [RAIN.format(number) for number in range(PARTED)] if self.parted else []
        return Source(name=self.source, content="\n\n".join([*title, *self.said[:1], *rain, *self.said[1:]]).encode())


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One sentence of a document changes, or is removed; or a new one is added at the end."""

    source: str
    number: int  # among its sentences
    said: str


@dataclass(frozen=True, kw_only=True)
class Delete:
    """A document is deleted."""

    source: str


@dataclass(frozen=True, kw_only=True)
class Decide:
    """A person says that two names are the same, or are not."""

    first: int  # among the existing names
    second: int
    same: bool


@dataclass(frozen=True, kw_only=True)
class Split:
    """A person splits a name, or a place of it, off its entity."""

    name: int
    place: int | None


@dataclass(frozen=True, kw_only=True)
class Rename:
    """A person calls an entity by a name."""

    name: int
    called: str


@dataclass(frozen=True, kw_only=True)
class Retype:
    """A person sets the type of an entity."""

    name: int
    type: str


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A person says that a fact is wrong, or has another predicate."""

    fact: int  # among the existing facts
    predicate: str | None  # None: it is wrong


@dataclass(frozen=True, kw_only=True)
class Fold:
    """A person folds one predicate into another."""

    form: str
    into: str


@dataclass(frozen=True, kw_only=True)
class Undo:
    """A decision is undone."""

    decision: int


Step = Put | Edit | Delete | Decide | Split | Rename | Retype | Judge | Fold | Undo


@st.composite
def histories(draw: st.DrawFn, readers: Sequence[Reader]) -> list[Step]:
    """Histories of documents that are read by `readers` and share a few names."""
    name = st.sampled_from(draw(st.lists(st.sampled_from(NAMES), min_size=5, max_size=9, unique=True)))
    number, source = st.integers(0, 40), st.sampled_from(SOURCES)
    sentence = st.builds(lambda form, a, b: str(form).format(a=a, b=b), st.sampled_from(SAID), name, name)
    put = st.builds(
        Put,
        source=source,
        title=st.just("") | name,
        said=st.lists(sentence, min_size=2, max_size=5).map(tuple),
        parted=st.sampled_from((False, False, False, True)),
        reader=st.sampled_from(readers),
    )
    edit = st.builds(Edit, source=source, number=st.integers(0, 5), said=st.just("") | sentence)
    decided = st.one_of(
        st.builds(Decide, first=number, second=number, same=st.booleans()),
        st.builds(Split, name=number, place=st.none() | st.integers(0, 9)),
        st.builds(Rename, name=number, called=name),
        st.builds(Retype, name=number, type=st.sampled_from(TYPES)),
        st.builds(Judge, fact=number, predicate=st.none() | st.sampled_from(PREDICATES)),
        st.builds(Judge, fact=number, predicate=st.none()),
        st.builds(Fold, form=st.sampled_from(PREDICATES), into=st.sampled_from(PREDICATES)),
        st.builds(Undo, decision=number),
    )
    later = st.one_of(put, edit, edit, st.builds(Delete, source=source), decided, decided)
    first: list[Step] = [*draw(st.lists(put, min_size=3, max_size=4, unique_by=lambda made: made.source))]
    return [*first, *draw(st.lists(later, min_size=3, max_size=8))]


# --------------------------------------------------------------------------------------------------------------------
# Readers


class PatternReader:
    """Reads the sentences of `SAID`: common nouns, aliases and types as well, as an LLM might."""

    version, batch, expensive = "1", 8, False
    usage = Usage()

    def __init__(self, name: Reader) -> None:
        self.name = name

    def expected(self, chunk: Chunk) -> Usage:
        return Usage()

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for chunk in chunks:
            triplets, aliases = [], []
            for start, end in sentences(chunk.text, chunk.language) if self.name == "patterns" else ():
                if fact := FACT.match(chunk.text[start:end]):
                    subject, predicate, object_ = fact.groups()
                    triplets.append(
                        Triplet(
                            subject=subject,
                            predicate=predicate,
                            object=object_,
                            start=start,
                            end=end,
                            object_type=TYPED.get(predicate, ""),
                        )
                    )
                elif alias := ALIAS.match(chunk.text[start:end]):
                    aliases.append(Alias(first=alias[1], second=alias[2], start=start, end=end))
            key = extraction_key(chunk, self)
            yield Extraction(key=key, extractor=self.name, triplets=tuple(triplets), aliases=tuple(aliases))


def extractor_of(reader: Reader, documents: Sequence[Put], workspace_name: str) -> Extractor:
    """The extractor for `documents`."""
    if reader == "local":
        return LocalExtractor(spacy_models.load)
    if reader != "triples":
        return PatternReader(reader)
    matches = {put.source: [match for sentence in put.said if (match := FACT.match(sentence))] for put in documents}
    return TripleExtractor(
        {
            ids.document_id(workspace_name, source): [(match[1], match[2], match[3]) for match in facts]
            for source, facts in matches.items()
        }
    )


# --------------------------------------------------------------------------------------------------------------------
# Playing a history


class Player:
    """Plays histories in a workspace."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.embedder = word_embedder()
        self.documents: dict[str, Put] = {}
        self.refused = 0

    def play(self, step: Step) -> None:
        """Take one step. A refused step, or one whose target does not exist, changes nothing."""
        try:
            self._play(step)
        except FiligraphError:
            self.refused += 1

    def put(self, reader: Reader, documents: Sequence[Put]) -> None:
        extractor = extractor_of(reader, documents, self.graph.workspace.name)
        sources = [put.content for put in documents]
        ingest(sources, graph=self.graph, embedder=self.embedder, extractor=extractor, settings=CUT)

    def _play(self, step: Step) -> None:
        match step:
            case Put():
                self.documents[step.source] = step
                self.put(step.reader, [step])
            case Edit() if step.source in self.documents:
                self._play(edited(self.documents[step.source], step))
            case Delete() if step.source in self.documents:
                del self.documents[step.source]
                self.graph.delete_documents([ids.document_id(self.graph.workspace.name, step.source)])
                derive(self.graph, embedder=self.embedder)
            case Undo() if decisions := self.graph.corrections():
                undo([decisions[step.decision % len(decisions)].id], graph=self.graph, embedder=self.embedder)
            case Judge() if facts := self.graph.facts(count=100)[0]:
                fact = sorted(facts, key=lambda row: row.id)[step.fact % len(facts)].id
                kind: CorrectionKind = "rejected" if step.predicate is None else "relabelled"
                row = Correction(kind=kind, about=fact, value=step.predicate or "")
                correct([row], graph=self.graph, embedder=self.embedder)
            case Fold():
                fold(step.into, [step.form], graph=self.graph, embedder=self.embedder)
            case Decide() | Split() | Rename() | Retype() if names := self.graph.mentions():
                self._decide(step, names)

    def _decide(self, step: Decide | Split | Rename | Retype, names: Sequence[MentionRow]) -> None:
        if isinstance(step, Decide):
            first, second = names[step.first % len(names)].id, names[step.second % len(names)].id
            row = Correction(kind="same" if step.same else "distinct", about=first, other=second)
            correct([row], graph=self.graph, embedder=self.embedder)
            return
        name = names[step.name % len(names)]
        if isinstance(step, Rename):
            row = Correction(kind="name", about=name.entity_id, value=step.called)
        elif isinstance(step, Retype):
            row = Correction(kind="type", about=name.entity_id, value=step.type)
        elif step.place is None:
            row = Correction(kind="split", about=name.entity_id, names=[name.id])
        else:
            chunks = self.graph.chunks_of_mentions([name.id])
            by_chunk = self.graph.places([name.id], chunks)
            places = [
                Occurrence(chunk_id=chunk, start=s, end=e) for (_, chunk), spans in by_chunk.items() for s, e in spans
            ]
            row = Correction(kind="split", about=name.entity_id, places=[places[step.place % len(places)]])
        correct([row], graph=self.graph, embedder=self.embedder)


class Restarts:
    """Loses all caches of a graph, as a server that is started again, with what it wrote to a folder before."""

    def __init__(self, graph: Graph, folder: Path, random: Random) -> None:
        self._graph, self._folder, self._random = graph, folder, random
        self._older: list[bytes] = []
        self.read = self.unwritten = 0  # snapshots
        self._start()

    def _start(self) -> None:
        self._graph.memory = CacheMemory(snapshots=Snapshots(self._folder))
        self._graph.derivation_cache = DerivationCache()

    def restart(self, embedder: Embedder) -> None:
        """The snapshot may be an older one, or damaged; it is read before the next step, or by it."""
        graph, random = self._graph, self._random
        prepare(graph, embedder=embedder)
        graph.keep_snapshot(lambda: False)
        if graph.derivation_state.all_kept() and not [*self._folder.glob("*.snapshot")]:
            self.unwritten += 1
        for file in self._folder.glob("*.snapshot"):
            self._older.append(file.read_bytes())
            if random.random() < 0.3:
                file.write_bytes(random.choice(self._older))
            elif random.random() < 0.1:
                file.write_bytes(self._older[-1][: random.randrange(len(self._older[-1]))])
        self._start()
        if random.random() < 0.5:
            graph.read_snapshot()
            self.read += bool(graph.derivation_state.all_kept())
            prepare(graph, embedder=embedder)


def edited(put: Put, edit: Edit) -> Put:
    """A document with one sentence changed, removed if it becomes empty, or added if there are fewer."""
    before, after = put.said[: edit.number], put.said[edit.number + 1 :]
    return replace(put, said=(*before, *([edit.said] if edit.said else []), *after) or put.said)


def fill(player: Player, documents: Sequence[Put], decisions: Sequence[dict[str, Any]]) -> None:
    """Fill a fresh workspace with the final state of another: `decisions` are lines of its export."""
    name = player.graph.workspace.name
    tag = ids.workspace_tag(name)
    player.graph.add_corrections(
        [correction_of(row["id"] + tag, "", json.loads(row["body"]), name) for row in decisions]
    )
    for reader in sorted({put.reader for put in documents}):
        player.put(reader, [put for put in documents if put.reader == reader])
    derive(player.graph, embedder=player.embedder)


def reading_all(graph: Graph) -> Graph:
    """A graph without caches: it derives from all stored data."""
    other = copy(graph)
    other.derivation_cache = DerivationCache(most=0)
    return other


def kept_otherwise(graph: Graph) -> list[str]:
    """The lines in which the caches of a workspace differ from the stored data; empty if all is right."""
    stored = reading_all(graph)
    pairs: list[tuple[Sequence[Any], Sequence[Any]]] = [(graph.stored_mentions(), stored.stored_mentions())]
    pairs.append((sorted(graph.entity_rows().items()), sorted(stored.entity_rows().items())))
    for by, review in (("rule", False), ("rule", True), ("person", False)):
        pairs.append((sorted(graph.current_edges(by, review)), sorted(stored.current_edges(by, review))))
    return [f"kept {a!r}, stored {b!r}" for a, b in pairs if a != b]


@cache
def drawn(count: int, *readers: Reader) -> list[list[Step]]:
    """`count` histories, the same each time; without the first, which is hypothesis' simplest."""
    sequences: list[list[Step]] = []

    @settings(
        max_examples=count + 1,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(histories(readers))
    def keep(history: list[Step]) -> None:
        sequences.append(history)

    keep()
    return sequences[1 : count + 1]
