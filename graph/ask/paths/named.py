"""Named: the path that a language model names after reading, checked step by step against the extracts that it cites.

A step "subject - relation - object [n]" becomes a hop of the first kind that holds:

    fact      a fact of the graph that extract n supports, between these two, by these words
    identity  "X is Y" of two names: with the sentences that name them; they may be two entities of the graph. Implied
              where no sentence says it
    sentence  a sentence of extract n, or two neighbours, that name both ends; or one that says most of it, with the
              sentences of the same extract, or its title, that name who and what ("I", "he", rows of tables)
    unfound   none of these: the hop is shown as such, and counted. It keeps the extracts that it cites, but no sentence

The model is never believed: the sentence of a hop comes from the text, and its ends are the entities that the chunk
means by the names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from filigraph.graph.ask.paths.beside import BesideText, Edges, supporting_text
from filigraph.graph.ask.paths.cited import NAMED_IN_FULL_SCORE, CitedExtract, Embed, is_within
from filigraph.graph.ask.paths.steps import Step, read_steps
from filigraph.graph.ask.paths.verbalize import to_cypher, to_hop
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.ids import content_id
from filigraph.graph.model.extraction import PremiseMark
from filigraph.graph.model.retrieval import Evidence, Hop, HopKind, Passage, Path, PoolFact
from filigraph.graph.text.names.parse import is_proper, name_key
from filigraph.graph.text.names.tables import ADDRESS, FUNCTION_WORDS, GIVEN_NAMES
from filigraph.graph.text.places import place_of
from filigraph.graph.text.words import tokens

Around = Callable[[CitedExtract], Edges]
Place = tuple[CitedExtract, int]  # a sentence of an extract

REACH_CHUNKS = 5  # chunks from an extract to the head and the end of its document
EDGE_CHARS = 160  # characters of a head or an end
MAX_NAMING_SENTENCES = 40  # sentences that are compared
CITED_EXTRACT_BONUS = 0.1  # bonus, beside a cosine, for a sentence of an extract that the step cites


def named_path(
    path_text: str,
    extracts: Sequence[Evidence],
    reader: GraphReader,
    embed: Embed,
    *,
    order: Sequence[int] = (),
    without_own: bool = False,
) -> Path | None:
    """The path that a model names over its extracts ([n] is `extracts[n - 1]`); None if it names none.

    `embed` gives texts vectors of length 1: they find the sentence of an extract most similar to a step. For a step
    that cites no extract, the search covers the extracts that the other steps and the answer (`order`) cite.
    """
    steps = read_steps(path_text)
    if not steps:
        return None
    numbered = {n: item for n, item in enumerate(extracts, start=1) if item.kind == "chunk"}
    cited = list(dict.fromkeys(n for n in (*(n for step in steps for n in step.numbers), *order) if n in numbered))
    wanted = sorted({numbered[n].id for n in cited})
    pool = {chunk.id: chunk for chunk in reader.pool(wanted)}
    whole = reader.passages(wanted)
    entities = _entities(steps, reader)
    around = partial(_edges, reader)
    texts = {
        n: CitedExtract(
            _whole_passage(numbered[n], whole.get(numbered[n].id)),
            pool.get(numbered[n].id),
            entities,
            embed,
            without_own=without_own,
        )
        for n in cited
    }
    hops = tuple(_join_hops([_find_hop(step, texts, cited, around) for step in steps]))
    located = sum(hop.found for hop in hops)
    key = [part for hop in hops for part in (hop.subject, hop.predicate, hop.object, hop.chunk_id)]
    return Path(
        id=content_id("path", "named", *key),
        hops=hops,
        score=located / len(hops),
        text="; ".join(map(hop_text, hops)),
        cypher=to_cypher(hops),
        origin="named",
    )


def _whole_passage(item: Evidence, passage: Passage | None) -> Evidence:
    """An extract with the whole text of its chunk, so that offsets of facts hold: the evidence may lack text that
    another passage repeats."""
    return replace(item, text=passage.text, places=passage.places) if passage else item


def hop_text(hop: Hop) -> str:
    return " ".join(filter(None, (hop.subject, hop.predicate, hop.object)))


def _entities(steps: Sequence[Step], reader: GraphReader) -> Mapping[str, Sequence[str]]:
    """The ids of the entities with the name of an end, by its normal form, the most mentioned first."""
    keys = {name_key(end) for step in steps for end in (step.subject, step.object)}
    entity_ids: dict[str, list[str]] = {key: [] for key in keys}
    for entity in reader.entities_named(sorted(keys)):
        entity_ids[entity.key].append(entity.entity_id)
    return entity_ids


# --------------------------------------------------------------------------------------------------------------------
# A hop


def _find_hop(step: Step, texts: Mapping[int, CitedExtract], cited: Sequence[int], around: Around) -> Hop:
    """The step as the texts say it: from the extracts that it cites, or, if it cites none, from the others."""
    own = [texts[n] for n in step.numbers if n in texts] or [texts[n] for n in cited]
    everywhere = [*own, *(texts[n] for n in cited if texts[n] not in own)]
    for extract in own:
        if fact := extract.fact(step):
            return _named_elsewhere(_hop_of_fact(step, fact, extract, around), extract, everywhere)
    if step.is_identity and step.is_of_names and (hop := _hop_of_identity(step, own, everywhere, around)):
        return hop
    for extract in own:
        if extract.window(step) and (hop := _hop_of_sentence(step, extract, around)):
            return _named_elsewhere(hop, extract, everywhere)
    if step.is_identity and (hop := _hop_of_identity(step, own, everywhere, around)):
        return hop
    for extract in own:
        if hop := _hop_of_sentence(step, extract, around):
            return hop
    return _unfound_hop(step, [texts[n].item for n in dict.fromkeys(step.numbers) if n in texts])


def _unfound_hop(step: Step, cited: Sequence[Evidence]) -> Hop:
    """A step that no text says, with the extracts that it cites."""
    first = next(iter(cited), None)
    return Hop(
        kind="unfound",
        subject=step.subject,
        predicate=step.relation,
        object=step.object,
        subject_id="",
        object_id="",
        chunk_id=first.id if first else "",
        sentence="",
        start=0,
        end=0,
        score=0.0,
        premise_chunk_ids=tuple(item.id for item in cited[1:]),
        date=first.date if first else "",
        place=first.place if first else "",
    )


def _hop_of_fact(step: Step, fact: PoolFact, extract: CitedExtract, around: Around) -> Hop:
    """A fact with the text that its sentence and its premises need beside them. Its ends have their names from the
    sentence, or else from the extract: the graph may have others."""
    hop = to_hop(fact, extract.item, 1.0)
    spans = [(fact.start, fact.end), *fact.premises]
    places = {n for n, (begin, stop) in enumerate(extract.spans) if any(begin < e and b < stop for b, e in spans)}
    if not places:
        return hop
    hop = replace(
        hop,
        subject=_name_as_written(hop.subject, step.subject, extract, places),
        object=_name_as_written(hop.object, step.object, extract, places),
    )
    stated_step = Step(subject=hop.subject, relation=hop.predicate, object=hop.object, numbers=step.numbers)
    sentences, parts = supporting_text(stated_step, extract, places, partial(around, extract))
    texts = [BesideText(text=extract.text(n), mark="text") for n in sorted(sentences - places)]
    return _with_premises(hop, [*parts, *texts])


def _name_as_written(name: str, name_in_step: str, extract: CitedExtract, places: Collection[int]) -> str:
    """The name of an end, the graph's or the step's, that the sentences contain more surely; else the one that their
    extract contains."""
    graph, step = (max(extract.naming_scores(one)[n] for n in places) for one in (name, name_in_step))
    if max(graph, step) >= NAMED_IN_FULL_SCORE:
        return name_in_step if step > graph else name
    return name_in_step if extract.sentences_naming(name_in_step, NAMED_IN_FULL_SCORE) else name


def _hop_of_sentence(step: Step, extract: CitedExtract, around: Around) -> Hop | None:
    """The step as sentences of the extract say it; None if none does."""
    match = extract.best_sentence(step)
    return _hop_with_sentence("sentence", step, extract, match[0], match[1] | {match[0]}, around) if match else None


def _hop_with_sentence(
    kind: HopKind, step: Step, extract: CitedExtract, best: int, places: Collection[int], around: Around
) -> Hop:
    """A hop with the sentence `best` and its neighbours among `places`; the other places go beside it."""
    sentences, parts = supporting_text(step, extract, places, partial(around, extract))
    first = last = best
    while first - 1 in sentences:
        first -= 1
    while last + 1 in sentences:
        last += 1
    texts = [BesideText(text=extract.text(n), mark="text") for n in sorted(sentences) if not first <= n <= last]
    return _with_premises(_hop_of_span(kind, step, extract, *extract.span(first, last)), [*parts, *texts])


def _named_elsewhere(hop: Hop, extract: CitedExtract, extracts: Sequence[CitedExtract]) -> Hop:
    """A hop whose extract has one end only by another name, with a sentence of another extract that has the hop's
    name."""
    for end, id_ in ((hop.subject, hop.subject_id), (hop.object, hop.object_id)):
        if not id_ or not is_proper(end) or extract.sentences_naming(end, NAMED_IN_FULL_SCORE):
            continue
        for other in extracts:
            places = other.sentences_naming(end, NAMED_IN_FULL_SCORE) if other.entity(end) == id_ else []
            if places:
                hop = _with_premises(hop, [BesideText(text=other.text(places[0]), mark="text")])
                hop = replace(hop, premise_chunk_ids=(*hop.premise_chunk_ids, other.item.id))
                break
    return hop


def _with_premises(hop: Hop, parts: Sequence[BesideText]) -> Hop:
    """A hop with these parts beside its sentence, after its premises."""
    if not parts:
        return hop
    marks: list[PremiseMark] = list(hop.premise_marks) or ["" for _ in hop.premises]
    return replace(
        hop,
        premises=(*hop.premises, *(part.text for part in parts)),
        premise_marks=(*marks, *(part.mark for part in parts)),
    )


def _edges(reader: GraphReader, extract: CitedExtract) -> Edges:
    """The text of its document around an extract: the head and the end only if they are near."""
    id_ = extract.item.id
    just_before = reader.next_chunks([id_]).get(id_, (None, None))[0]
    first, last = _edge(reader, id_, 0), _edge(reader, id_, 1)
    wanted = [chunk_id for chunk_id in (first, last, just_before) if chunk_id and chunk_id != id_]
    texts = {key: passage.text for key, passage in reader.passages(wanted).items()}
    return Edges(
        head=_lines(texts.get(first, ""), first=True),
        end=_lines(texts.get(last, ""), first=False),
        before=texts.get(just_before or "", ""),
    )


def _edge(reader: GraphReader, chunk_id: str, side: int) -> str:
    """The first (0) or last (1) chunk of the document of a chunk; "" if it is more than REACH_CHUNKS chunks away."""
    for _ in range(REACH_CHUNKS + 1):
        further = reader.next_chunks([chunk_id]).get(chunk_id, (None, None))[side]
        if not further:
            return chunk_id
        chunk_id = further
    return ""


def _lines(text: str, *, first: bool) -> str:
    """The first or the last lines of a text that are together EDGE_CHARS characters at most."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    chosen: list[str] = []
    for line in lines if first else reversed(lines):
        if chosen and sum(map(len, chosen)) + len(line) > EDGE_CHARS:
            break
        chosen.append(line[:EDGE_CHARS])
    return " / ".join(chosen if first else reversed(chosen))


def _hop_of_span(kind: HopKind, step: Step, extract: CitedExtract, start: int, end: int) -> Hop:
    return Hop(
        kind=kind,
        subject=step.subject,
        predicate=step.relation,
        object=step.object,
        subject_id=extract.entity(step.subject),
        object_id=extract.entity(step.object),
        chunk_id=extract.item.id,
        sentence=extract.item.text[start:end],
        start=start,
        end=end,
        score=1.0,
        date=extract.item.date,
        place=place_of(extract.item.places, start, end, otherwise=extract.item.place),
    )


def _hop_of_identity(
    step: Step, own: Sequence[CitedExtract], extracts: Sequence[CitedExtract], around: Around
) -> Hop | None:
    """Two names of one entity: the sentence with both, else a sentence for each, one of them from an extract that the
    step cites. Two sentences say it if one name is a form of the other ("Mr. Pask", "Leonard Pask"), but not if two
    documents share only a given name; else the model concludes it, and the hop is implied, even where the graph has one
    entity."""
    for extract in own:
        both = [n for n in range(len(extract.spans)) if extract.names_separately(step.subject, step.object, n)]
        if both:
            return _with_entities(_hop_with_sentence("identity", step, extract, both[0], both[:1], around), step, own)
    pair = _most_similar_pair(step, own, extracts)
    if pair is None:
        return None
    (extract, place), (second, where) = pair
    hop = _hop_of_span("identity", step, extract, *extract.span(place, place))
    if (extract, place) != (second, where):
        chunks = (second.item.id,) if second is not extract else ()
        hop = replace(hop, premises=(second.text(where),), premise_chunk_ids=chunks)
    is_form = _is_same_pair(("", step.subject), ("", step.object)) and (
        extract.item.document_id == second.item.document_id or not _share_given_name_only(step.subject, step.object)
    )
    is_said = is_form or (extract, place) == (second, where)
    return replace(_with_entities(hop, step, extracts), implied=not is_said)


def _most_similar_pair(
    step: Step, own: Sequence[CitedExtract], extracts: Sequence[CitedExtract]
) -> tuple[Place, Place] | None:
    """For each end a sentence that names it as surely as any does; of these the two that are most similar."""
    ones, others = (_places_naming(end, extracts) for end in (step.subject, step.object))
    pairs = [(one, other) for one in ones for other in others if one[0] in own or other[0] in own]

    def alike(pair: tuple[Place, Place]) -> float:
        (one, place), (other, where) = pair
        same = one is other and place == where  # "Ann" is in "Ann Lee": a sentence with "Ann" alone is better
        return (
            float(one.vector(place) @ other.vector(where))
            + CITED_EXTRACT_BONUS * ((one in own) + (other in own))
            - 2 * same
        )

    return max(pairs, key=alike, default=None)


def _places_naming(end: str, extracts: Sequence[CitedExtract]) -> list[Place]:
    most = max((max(extract.naming_scores(end), default=0.0) for extract in extracts), default=0.0)
    return [(extract, n) for extract in extracts for n in extract.sentences_naming(end, max(most, 0.01))][
        :MAX_NAMING_SENTENCES
    ]


def _with_entities(hop: Hop, step: Step, extracts: Sequence[CitedExtract]) -> Hop:
    """The hop with the entities of both names, and whether the graph keeps them apart."""
    subject = hop.subject_id or next(filter(None, (one.entity(step.subject) for one in extracts)), "")
    object_ = hop.object_id or next(filter(None, (one.entity(step.object) for one in extracts)), "")
    return replace(hop, subject_id=subject, object_id=object_, apart=bool(subject and object_ and subject != object_))


def _join_hops(hops: Sequence[Hop]) -> Iterator[Hop]:
    """Each hop, and whether one of its ends is an end of an earlier one."""
    met: list[tuple[str, str]] = []
    for hop in hops:
        ends = [(hop.subject_id, hop.subject), (hop.object_id, hop.object)]
        yield replace(hop, joined=not met or any(_is_same_pair(end, other) for end in ends for other in met))
        met += ends


def _share_given_name_only(name: str, other: str) -> bool:
    """Whether two different names have only given names in common."""
    words, others = ({token.folded for token in tokens(text)}.difference(ADDRESS) for text in (name, other))
    return words != others and not (words & others).difference(GIVEN_NAMES)


def _is_same_pair(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two ends are one: by their entity, else by their words."""
    if one[0] and one[0] == other[0]:
        return True
    words, others = (frozenset(name_key(end[1]).split()) - FUNCTION_WORDS for end in (one, other))
    return is_within(words, others)
