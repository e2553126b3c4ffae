"""Novels with lists of their characters: the files, the character of each form of a name, and the local extractor's
results, which are cached on disk: resolving again takes seconds.

A folder has for each novel NAME.txt and one of:

- NAME.characters.jsonl: a line for each character, {"name", "aliases"};
- NAME.names_gold.json: {novel: {"characters": {character: {form: places}}}}; only proper names count of these forms,
  which are cut from all mentions ("l'ignorante Indiana", "Ralph qui lui souriait", "Pardonnez-le-moi").

A form counts if it occurs in the text (ignoring case); a form of two characters belongs to nobody.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from bench.common import lines
from bench.quality.people import is_proper_name
from bench.quality.resolution import Named
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.local import VERSION, LocalExtractor
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Mention, Occurrence
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.names.phrases import cast_mentions
from filigraph.graph.readings.cast.plan import CastBatch
from filigraph.graph.readings.read_cast import ReadDocument, placed_mentions, plan_calls
from filigraph.graph.store.workspace.extractions import extraction_from_json, extraction_to_json
from filigraph.graph.text.names.namesakes import namesake_keys
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.names.tables import CONJUNCTIONS


@dataclass(frozen=True)
class Alias:
    """A form of a character's name."""

    form: str
    character: str
    places: int  # in the text


@dataclass(frozen=True)
class Novel:
    """A novel as it is read, with the names of its characters."""

    name: str
    language: str
    text: str
    chunks: Sequence[Chunk]
    extractions: Sequence[Extraction]
    aliases: Mapping[str, Alias]  # by key

    def mentions(self, cast: Sequence[CastReading] = ()) -> list[Named]:
        """The mentions, with the places that the scan for known names finds and the names that a cast adds, as in an
        ingest."""
        placed = self.placed()
        placed += cast_mentions(self.name, self.chunks, placed, cast)
        places: dict[str, set[Occurrence]] = defaultdict(set)
        for mention in placed:
            places[mention.key].update(mention.occurrences)
        return [Named(m.id, m.document_id, m.key, m.form, m.type, len(places[m.key])) for m in placed]

    def placed(self) -> list[Mention]:
        """The mentions, with all their places."""
        return placed_mentions(self._document())

    def cast_batches(self) -> list[CastBatch]:
        """The prompts for an LLM about its cast."""
        return plan_calls(self._document())

    def _document(self) -> ReadDocument:
        return ReadDocument(id=self.name, source=self.name, chunks=self.chunks, extractions=self.extractions)

    def stated(self) -> dict[str, list[tuple[str, str]]]:
        """The pairs of names that the text says are one."""
        return {
            self.name: [(alias.first, alias.second) for extraction in self.extractions for alias in extraction.aliases]
        }

    def strangers(self) -> dict[str, Counter[str]]:
        """What the text says of its names: whose they are not, and of which gender their bearers are."""
        names: Counter[str] = Counter()
        for chunk in self.chunks:
            names.update(namesake_keys(chunk.text, chunk.language))
        return {self.name: names}


def novels_in(folder: Path, wanted: Sequence[str] = ()) -> list[Path]:
    """The texts of the novels with a list of characters, sorted; `wanted`: their names, all if there are none."""
    files = {file.stem: file for file in sorted(folder.glob("*.txt")) if _lists(file)}
    if unknown := sorted({*wanted} - files.keys()):
        raise SystemExit(f"{folder} has no {', '.join(unknown)} with a list of characters. It has {', '.join(files)}.")
    if not files:
        raise SystemExit(f"{folder} has no NAME.txt with a NAME.characters.jsonl or NAME.names_gold.json.")
    return [file for name, file in files.items() if not wanted or name in wanted]


def read_novel(file: Path) -> Novel:
    document = load(Source(name=file.name, content=file.read_bytes()))
    chunks = in_context(split(document, file.stem))
    return Novel(
        name=file.stem,
        language=Counter(chunk.language for chunk in chunks).most_common(1)[0][0],
        text=document.text,
        chunks=chunks,
        extractions=_extractions(file, chunks),
        aliases=aliases_of(file, document.text),
    )


def _extractions(file: Path, chunks: Sequence[Chunk]) -> Sequence[Extraction]:
    """The extractions of this text by this version of the extractor; cached on disk."""
    read_by = f"{VERSION}\0{file.name}\0".encode()
    cache_file = _kept_in() / f"{hashlib.sha256(read_by + file.read_bytes()).hexdigest()[:32]}.jsonl"
    if cache_file.exists():
        extractions = [extraction_from_json(line) for line in cache_file.read_text(encoding="utf-8").split("\n")[:-1]]
        if len(extractions) == len(chunks):
            return extractions
    print(f"{file.stem}: {len(chunks)} chunks are read", flush=True)
    extractions = list(LocalExtractor(spacy_models.load).extract(chunks))
    cache_file.parent.mkdir(parents=True, exist_ok=True)
    new = cache_file.with_suffix(f".{os.getpid()}")
    new.write_text("".join(f"{extraction_to_json(extraction)}\n" for extraction in extractions), encoding="utf-8")
    new.replace(cache_file)
    return extractions


def _kept_in() -> Path:
    home = os.environ.get("FILIGRAPH_HOME")
    return (Path(home) if home else Path(platformdirs.user_cache_dir("filigraph"))) / "readings"


def _lists(file: Path) -> list[Path]:
    return [path for end in (".characters.jsonl", ".names_gold.json") if (path := file.with_suffix(end)).exists()]


def aliases_of(file: Path, text: str) -> dict[str, Alias]:
    """The forms of names in the text that belong to one character, by key."""
    places: dict[str, Counter[str]] = defaultdict(Counter)  # key -> form -> places
    owners: dict[str, set[str]] = defaultdict(set)
    for character, form, count in _listed(_lists(file)[0], text):
        if count and (key := name_key(form)):
            places[key][form] = max(count, places[key][form])
            owners[key].add(character)
    return {
        key: Alias(min(forms, key=lambda form: (-forms[form], form)), min(owners[key]), max(forms.values()))
        for key, forms in sorted(places.items())
        if len(owners[key]) == 1
    }


def _listed(file: Path, text: str) -> list[tuple[str, str, int]]:
    """Character, form, places in the text."""
    if file.suffix == ".jsonl":
        return [
            (row["name"], alias, len(re.findall(rf"\b{re.escape(alias)}\b", text, re.IGNORECASE)))
            for row in lines(file)
            for alias in row["aliases"]
            if not alias.startswith("_")
        ]
    return [
        (character, form, count)
        for novel in json.loads(file.read_text(encoding="utf-8")).values()
        for character, forms in novel["characters"].items()
        for form, count in forms.items()
        if is_proper_name(form) and not CONJUNCTIONS.intersection(parse(form).words)
    ]
