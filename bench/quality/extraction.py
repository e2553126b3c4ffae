"""The facts of the local extractor, beside the simplest baseline with a parser.

    python -m bench.quality.extraction [redocred] [holmes] [lecoq]

**redocred**: 100 articles whose entities, their names and their relations (96 kinds, each with its evidence sentences)
were annotated by people. An end of a fact means every entity with a name in it (the longest name wins); a fact *joins*
the entities of its two ends. Reported are

- `pairs_joined`: of the pairs of entities (dates and numbers aside) that have a relation, the share joined by a fact;
- `pairs_joined_one_sentence`: the same of the pairs with a relation in a sentence that names both;
- `evidence_precision`: of what we joined (a pair of entities, a sentence), the share where the annotators have a
  relation of that pair with that very sentence as evidence. Pairs with a relation for which they gave no evidence are
  left out, as is every fact without an entity at one of its ends. It is a lower bound of what is right: a true fact
  of a kind that they did not annotate ("he beat his brother") counts as wrong;
- `related`: of all that we joined, the share of pairs that have a relation anywhere in the text.

**holmes, lecoq**: two novels. Facts for each 1,000 words, after names are resolved (without vectors) and duplicates are
removed; the patterns that read them, before that (`implied`: the subject was a pronoun); the number of chunks without
facts; the names with the most facts. For precision see `bench.quality.judgements`.

The baseline, in the same run with the same parser: for each verb its subject and its objects, with or without a
preposition, each as spaCy's noun chunk, pronouns aside.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from bench.common import data, lines, machine, save
from bench.intervals import wilson
from bench.quality.resolution import Named
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.local import LocalExtractor, triplets_with_patterns
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.facts import Fact
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.fact_corrections import FactCorrections
from filigraph.graph.names.facts import derive_entities, derive_facts
from filigraph.graph.names.mentions import read_mentions
from filigraph.graph.names.resolve import resolve
from filigraph.graph.tables.persistent_map import PersistentMap
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.sentences import sentences

if TYPE_CHECKING:
    from spacy.tokens import Token

NOVELS = {"holmes": "adventures_of_sherlock_holmes_en.txt", "lecoq": "monsieur_lecoq_fr.txt"}

Ends = tuple[str, str, int]  # subject, object, start of their sentence
Pair = tuple[int, int]  # entities of an article, the smaller first


# --------------------------------------------------------------------------------------------------------------------
# The baseline


def baseline(text: str, language: str) -> Iterator[Ends]:
    """Subject and object of every verb, as noun chunks."""
    spans = sentences(text, language)
    parsed = spacy_models.load(language).pipe(" ".join(text[start:end].split()) for start, end in spans)
    for (start, _), document in zip(spans, parsed, strict=True):
        chunk_of = {chunk.root.i: chunk.text for chunk in document.noun_chunks if chunk.root.pos_ != "PRON"}
        for verb in document:
            if verb.pos_ not in {"VERB", "AUX"}:
                continue
            subjects = [t for t in verb.children if t.dep_.startswith("nsubj") and t.i in chunk_of]
            objects = [t for t in _objects(verb) if t.i in chunk_of]
            yield from ((chunk_of[s.i], chunk_of[o.i], start) for s, o in product(subjects, objects))


def _objects(verb: Token) -> Iterator[Token]:
    for child in verb.children:
        if child.dep_ in {"dobj", "attr", "dative", "obj", "iobj"} or child.dep_.startswith("obl"):
            yield child
        elif child.dep_ in {"prep", "agent"}:
            yield from (noun for noun in child.children if noun.dep_ == "pobj")


# --------------------------------------------------------------------------------------------------------------------
# Re-DocRED


@dataclass(frozen=True, kw_only=True)
class Article:
    """A text with its gold relations."""

    text: str
    starts: tuple[int, ...]  # of its sentences
    names: Mapping[str, tuple[int, ...]]  # name -> the entities that have it
    related: frozenset[Pair]
    told: frozenset[tuple[Pair, int]]  # with the number of an evidence sentence
    in_one_sentence: frozenset[Pair]  # related by a sentence that names both

    def sentence_at(self, place: int) -> int:
        return sum(start <= place for start in self.starts) - 1


def article(row: dict[str, Any]) -> Article:
    parts = [_as_written(sentence) for sentence in row["sentences"]]
    starts = [sum(len(part) + 1 for part in parts[:n]) for n in range(len(parts))]
    kinds = [entity["type"] for entity in row["entities"]]
    names: dict[str, tuple[int, ...]] = {}
    for number, entity in enumerate(row["entities"]):
        for name in map(_as_written, entity["mentions"]):
            names[name] = (*names.get(name, ()), number)
    related_pairs = {
        (pair, sentence)
        for relation in row["relations"]
        if not {"TIME", "NUM"} & {kinds[relation["head"]], kinds[relation["tail"]]}
        and (pair := _pair(relation["head"], relation["tail"]))
        for sentence in (*relation["evidence"], -1)  # -1: in none of them
    }
    present = [{entity for name, bearers in names.items() if name in part for entity in bearers} for part in parts]
    return Article(
        text=" ".join(parts),
        starts=tuple(starts),
        names=names,
        related=frozenset(pair for pair, _ in related_pairs),
        told=frozenset((pair, sentence) for pair, sentence in related_pairs if sentence >= 0),
        in_one_sentence=frozenset(pair for pair, s in related_pairs if s >= 0 and present[s].issuperset(pair)),
    )


def _pair(first: int, second: int) -> Pair:
    return min(first, second), max(first, second)


def _as_written(tokens: str) -> str:
    """ "the Liga 's champion ( 1998 ) ." -> "the Liga's champion (1998)." """
    text = re.sub(r" (['’]s\b|['’](?= )|n't|[,.;:!?)\]%])", r"\1", tokens)
    text = re.sub(r"([(\[$£€]) ", r"\1", text)
    text = re.sub(r" ([-–/]) ", r"\1", text)
    return re.sub(r'" ([^"]*) "', r'"\1"', text).strip()


def entities_of(form: str, names: Mapping[str, tuple[int, ...]]) -> set[int]:
    """The entities whose names occur in a form; of names within each other the longest."""
    finder = PhraseFinder(form)
    spans = [(end - start, start, end, name) for name in names for start, end in finder.find(name)]
    entities: set[int] = set()
    taken: list[tuple[int, int]] = []
    for _, start, end, name in sorted(spans, reverse=True):
        if all(end <= first or last <= start for first, last in taken):
            taken.append((start, end))
            entities.update(names[name])
    return entities


def redocred() -> dict[str, Any]:
    articles = [article(row) for row in lines(data("redocred/docs.jsonl"))]
    extractor = LocalExtractor(spacy_models.load)
    begin = time.perf_counter()
    chunks = [_chunk(article.text, str(number)) for number, article in enumerate(articles)]
    ours = [[(t.subject, t.object, t.start) for t in extraction.triplets] for extraction in extractor.extract(chunks)]
    seconds = time.perf_counter() - begin
    plain = [list(baseline(article.text, "en")) for article in articles]
    return {
        "articles": len(articles),
        "words": sum(len(article.text.split()) for article in articles),
        "pairs": sum(len(article.related) for article in articles),
        "pairs_one_sentence": sum(len(article.in_one_sentence) for article in articles),
        "seconds": round(seconds, 1),
        "Filigraph": _against_gold(articles, ours),
        "subject, verb, object": _against_gold(articles, plain),
    }


def _chunk(text: str, document: str) -> Chunk:
    return Chunk(
        id=document, document_id=document, index=0, start=0, end=len(text), text=text, title="", place="", language="en"
    )  # fmt: skip


def _against_gold(articles: Sequence[Article], read: Sequence[Iterable[Ends]]) -> dict[str, Any]:
    joined = joined_near = joins = judged = related = right = facts = 0
    for article, ends in zip(articles, read, strict=True):
        ends = set(ends)
        facts += len(ends)
        units = {
            (_pair(a, b), article.sentence_at(place))
            for subject, object_, place in ends
            for a, b in product(entities_of(subject, article.names), entities_of(object_, article.names))
            if a != b
        }
        pairs = {pair for pair, _ in units}
        shown = {pair for pair, _ in article.told}
        joined += len(pairs & article.related)
        joined_near += len(pairs & article.in_one_sentence)
        joins += len(units)
        related += sum(pair in article.related for pair, _ in units)
        right += len(units & article.told)
        judged += sum(pair not in article.related or pair in shown for pair, _ in units)
    return {
        "facts": facts,
        "joins": joins,
        "pairs_joined": joined / sum(len(article.related) for article in articles),
        "pairs_joined_one_sentence": joined_near / sum(len(article.in_one_sentence) for article in articles),
        "judged_joins": judged,
        "evidence_precision": right / judged if judged else 1.0,
        "evidence_precision_interval": wilson(right, judged),
        "related": related / joins if joins else 1.0,
    }


# --------------------------------------------------------------------------------------------------------------------
# The novels


@dataclass(frozen=True)
class _Read:
    """The parts of a chunk that deriving needs."""

    id: str
    document_id: str
    text: str
    language: str
    extraction: Extraction


def novel_chunks(name: str) -> list[Chunk]:
    """The chunks of a novel, as an ingest makes them."""
    file = data(f"novels/{NOVELS[name]}")
    document = load(Source(name=file.name, content=file.read_bytes()))
    return in_context(split(document, name))


def facts_of(chunks: Sequence[Chunk], extractions: Sequence[Extraction]) -> tuple[list[Fact], dict[str, str]]:
    """The facts of one document with the names of its entities, resolved without vectors."""
    mentions = mentions_of(chunks, extractions)
    resolution = resolve(find_candidates(mentions))
    rows = PersistentMap({mention.id: mention for mention in mentions})
    entities = derive_entities(rows, resolution.entity_of, {}, {}).entities
    read = [_Read(c.id, c.document_id, c.text, c.language, e) for c, e in zip(chunks, extractions, strict=True)]
    facts, _ = derive_facts(read, resolution.entity_of, entities, {}, FactCorrections({}))
    return facts, {id_: entity.name for id_, entity in entities.items()}


def mentions_of(chunks: Sequence[Chunk], extractions: Sequence[Extraction]) -> list[Named]:
    """The mentions of one document."""
    mentions, _ = read_mentions(chunks[0].document_id, zip(chunks, extractions, strict=True))
    return [Named(m.id, m.document_id, m.key, m.form, m.type, len(m.occurrences)) for m in mentions]


def novel(name: str) -> dict[str, Any]:
    chunks = novel_chunks(name)
    words = len(data(f"novels/{NOVELS[name]}").read_text(encoding="utf-8").split())
    extractor = LocalExtractor(spacy_models.load)
    begin = time.perf_counter()
    extractions: list[Extraction] = []
    patterns: Counter[str] = Counter()
    for chunk, read in extractor.read(chunks):
        extractions.append(extractor.extraction(chunk, read))
        for triplet, pattern in triplets_with_patterns(read.sentences) if read else ():
            patterns[f"{pattern}, implied" if triplet.origin == "implied" else pattern] += 1
    seconds = time.perf_counter() - begin
    facts, names = facts_of(chunks, extractions)
    degrees = Counter(names[end] for fact in facts for end in (fact.subject_id, fact.object_id))
    plain = {ends for chunk in chunks for ends in baseline(chunk.text, chunk.language)}
    return {
        "words": words,
        "chunks": len(chunks),
        "chunks_without": sum(not extraction.triplets for extraction in extractions),
        "facts": len(facts),
        "facts_per_1000_words": round(1000 * len(facts) / words, 2),
        "patterns": dict(patterns.most_common()),
        "most_facts": [f"{name} {count}" for name, count in degrees.most_common(20)],
        "common_nouns_of_5_facts": sum(
            c >= 5 and not any(w[0].isupper() for w in n.split()) for n, c in degrees.items()
        ),
        "subject, verb, object per_1000_words": round(1000 * len({(s, o) for s, o, _ in plain}) / words, 2),
        "seconds": round(seconds, 1),
    }


def main() -> None:
    wanted = sys.argv[1:] or ["redocred", *NOVELS]
    results = {name: redocred() if name == "redocred" else novel(name) for name in wanted}
    for name, result in results.items():
        print(f"\n{name}")
        for key, value in result.items():
            print(f"  {key}: {value}")
    save("extraction", {"machine": machine()} | results)


if __name__ == "__main__":
    main()
