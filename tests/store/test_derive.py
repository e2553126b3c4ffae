"""Mentions, entities and facts: their derivation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph import ids
from filigraph.graph.errors import InputError
from filigraph.graph.model.facts import Entity, Fact, Support
from filigraph.graph.model.names import Mention, Occurrence
from filigraph.graph.store import Graph
from filigraph.graph.store.cache.derivation_cache import DerivationCache
from filigraph.graph.store.workspace import read_rows
from tests.store.world import LETTERS, chunk_rows, derive, document, ingest, kill_at, read, remove_mentions, vector


def entity_named(graph: Graph, name: str) -> str:
    (found,) = (id_ for id_, row in graph.entity_rows().items() if row.name == name)
    return found


# --------------------------------------------------------------------------------------------------------------------
# Mentions


def test_mentions_know_where_they_stand(graph: Graph) -> None:
    ingest(graph, LETTERS)
    jules = {row.document_id: row for row in graph.mentions() if row.form == "Jules"}
    letter = ids.document_id(graph.workspace.name, "letters/sophie.txt")
    cutting = ids.document_id(graph.workspace.name, "press/cutting.txt")
    assert set(jules) == {letter, cutting}
    assert (jules[letter].count, jules[letter].scanned) == (2, False)
    assert (jules[cutting].count, jules[cutting].scanned) == (1, True)
    assert len({row.entity_id for row in jules.values()}) == 1
    assert all(row.looked_up == ("" if row.scanned else row.form) for row in graph.mentions())


def test_rows_are_read_in_parts_where_they_are_many(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a very large workspace in one row would take more memory than a transaction gets."""
    ingest(graph, LETTERS)
    monkeypatch.setattr(graph, "derivation_cache", DerivationCache(most=0))
    at_once = graph.mentions(), graph.entity_rows()
    monkeypatch.setattr(read_rows, "MAX_ROWS_PER_READ", 0)
    monkeypatch.setattr(read_rows, "BATCH_ROWS", 1)
    assert at_once[0]
    assert (graph.mentions(), graph.entity_rows()) == at_once


def test_rows_that_are_read_again_and_equal_are_the_same(graph: Graph) -> None:
    ingest(graph, LETTERS)
    before, entities = graph.stored_mentions(), graph.entity_rows()
    one, *others = before
    graph.note_looked_up({one.id: one.looked_up})
    assert graph.stored_mentions() is before, "one is touched, but as it was"
    assert graph.entity_rows() is entities
    graph.note_looked_up({one.id: "in another form"})
    now = graph.stored_mentions()
    assert now.by_id[one.id] == replace(one, looked_up="in another form")
    assert all(now.by_id[other.id] is other for other in others)
    assert graph.stored_mentions() is now
    assert graph.mentions() is now, "all of them follow from what is read"


def test_a_mention_knows_in_which_form_its_name_was_looked_up(graph: Graph) -> None:
    read(graph, "a.txt", ["Jules dort. Sophie | aime | Nantes."])
    (chunk,) = graph.stale_chunks()
    read_, scanned = (
        Mention(
            id=name,
            document_id=chunk.document_id,
            key=key,
            form=name,
            type="",
            language="fr",
            occurrences=(Occurrence(chunk_id=chunk.id, start=0, end=5),),
            scanned=name == "Jules (scan)",
        )
        for name, key in (("Jules (read)", "jules"), ("Jules (scan)", "jules"))
    )
    graph.write_mentions([read_, scanned])
    assert {row.looked_up for row in graph.mentions()} == {""}
    graph.note_looked_up({read_.id: "Jules (read)"})
    graph.write_mentions([read_, replace(read_, form="JULES")])
    found = {row.id: (row.form, row.looked_up) for row in graph.mentions()}
    assert found == {"Jules (read)": ("JULES", "Jules (read)"), "Jules (scan)": ("Jules (scan)", "")}
    graph.note_looked_up({read_.id: ""})
    assert {row.looked_up for row in graph.mentions()} == {""}


def test_what_was_read_prevails_over_what_was_scanned(graph: Graph) -> None:
    read(graph, "a.txt", ["Jules et Jules."])
    (chunk,) = graph.stale_chunks()
    here = (Occurrence(chunk_id=chunk.id, start=0, end=5), Occurrence(chunk_id=chunk.id, start=9, end=14))
    read_ = Mention(
        id="m", document_id=chunk.document_id, key="jules", form="Jules", type="", language="fr", occurrences=here
    )
    scanned = replace(read_, occurrences=here[:1], scanned=True, form="JULES")
    for order in ([read_, scanned], [scanned, read_], [scanned], [read_], [scanned]):
        graph.write_mentions(order)
        (row,) = graph.mentions()
        assert (row.scanned, row.form, row.count) == (False, "Jules", 2)


def test_occurrences_replace_those_in_the_same_chunk_alone(graph: Graph) -> None:
    read(graph, "a.txt", ["Jules et Jules.", "Jules encore."])
    first, second = sorted(graph.stale_chunks(), key=lambda chunk: chunk.text)[::-1]
    mention = Mention(
        id="m",
        document_id=first.document_id,
        key="jules",
        form="Jules",
        type="",
        language="fr",
        occurrences=(
            Occurrence(chunk_id=first.id, start=0, end=5),
            Occurrence(chunk_id=first.id, start=9, end=14),
            Occurrence(chunk_id=second.id, start=0, end=5),
        ),
    )
    graph.write_mentions([mention])
    graph.write_mentions([replace(mention, occurrences=mention.occurrences[1:2])])
    assert graph.mentions()[0].count == 2
    assert graph.chunks_of_mentions(["m"]) == sorted([first.id, second.id])


def test_a_scanned_mention_goes_with_the_last_read_one_of_its_name(graph: Graph) -> None:
    made = ingest(graph, {"a.txt": ["Jules | aime | Sophie."], "b.txt": ["On a vu Jules. La Griffe | vole | tout."]})
    assert sum(row.key == "jules" for row in graph.mentions()) == 2
    graph.delete_documents([made["a.txt"]])
    assert not any(row.key == "jules" for row in graph.mentions()), "gone at once, swept or not"
    derive(graph)
    assert {row.name for row in graph.entity_rows().values()} == {"La Griffe", "tout"}


def test_a_new_name_is_found_in_old_chunks(graph: Graph) -> None:
    ingest(graph, {"b.txt": ["On a vu Jules. La Griffe | vole | tout."], "a.txt": ["Jules | aime | Sophie."]})
    assert sum(row.key == "jules" for row in graph.mentions()) == 2


def test_chunks_with_all_the_terms_of_a_name(graph: Graph) -> None:
    ingest(
        graph, {"a.txt": ["le grand chat noir", "le chat", "AND OR NOT (x) a/b c:d \\ ~2 ^3 [1 TO 2]", "grand noir"]}
    )
    row = document(graph, "a.txt")
    first, second, syntax, last = (
        row.chunk.id
        for row in chunk_rows(
            row, ["le grand chat noir", "le chat", "AND OR NOT (x) a/b c:d \\ ~2 ^3 [1 TO 2]", "grand noir"]
        )
    )
    found = graph.chunks_with_terms(
        {
            "chat": ["chat"],
            "grand noir": ["grand", "noir"],
            "syntax": ["(x)", "a/b", "c:d", "\\", "~2", "^3", "[1"],
            "operators": ["and", "or", "not"],
            "nobody": ["chien"],
            "nothing": [],
            "": [""],
            "long": ["x" * 9000],
            "many": [f"t{number}" for number in range(5000)],
        }
    )
    assert found == {
        "chat": sorted([first, second]),
        "grand noir": sorted([first, last]),
        "syntax": [syntax],
        "operators": [syntax],
    }


def test_names_are_looked_up_in_derived_chunks_or_in_all(graph: Graph) -> None:
    read(graph, "a.txt", ["le chat"])
    assert graph.chunks_with_terms({"chat": ["chat"]}) == {}
    assert len(graph.chunks_with_terms({"chat": ["chat"]}, among_scanned=False)) == 1
    derive(graph)
    read(graph, "b.txt", ["un chat"])
    assert len(graph.chunks_with_terms({"chat": ["chat"]})["chat"]) == 1
    assert len(graph.chunks_with_terms({"chat": ["chat"]}, among_scanned=False)["chat"]) == 2


# --------------------------------------------------------------------------------------------------------------------
# Entities


def test_a_mention_refers_to_exactly_one_entity(graph: Graph) -> None:
    ingest(graph, LETTERS)
    mentions = [row for row in graph.mentions() if row.form == "Jules"]
    old = mentions[0].entity_id
    split = [
        Entity(id=f"Jules {number}", name="Jules", aliases=("Jules",), type="", mention_ids=(row.id,))
        for number, row in enumerate(mentions)
    ]
    graph.write_entities([(entity, vector("Jules")) for entity in split])
    assert {row.entity_id for row in graph.mentions() if row.form == "Jules"} == {"Jules 0", "Jules 1"}
    assert old in graph.entity_rows()
    graph.sweep()
    assert old not in graph.entity_rows()


def test_an_entitys_chunks_are_those_that_mention_it_or_say_a_fact_of_it(graph: Graph) -> None:
    ingest(graph, LETTERS)
    jules = entity_named(graph, "Jules")
    texts = {chunk.text for chunk in graph.load_chunks(graph.chunks_of_entities([jules]))}
    assert texts == {*LETTERS["letters/sophie.txt"], LETTERS["press/cutting.txt"][1]}
    assert graph.entity_detail(jules).chunks == 3


def test_an_entity_changes_its_label_with_its_type(graph: Graph) -> None:
    read(graph, "a.txt", ["Jules | aime | Sophie."])
    derive(graph)
    id_ = entity_named(graph, "Jules")
    (mention,) = (row.id for row in graph.mentions() if row.entity_id == id_)
    entity = Entity(id=id_, name="Jules", aliases=("J.", "Jules"), type="jeune homme", mention_ids=(mention,))
    for type_, labels in (("jeune homme", ["JeuneHomme"]), ("Chat", ["Chat"]), ("", []), ("Chunk", [])):
        graph.write_entities([(replace(entity, type=type_), vector("Jules"))])
        assert labels_of(graph, id_) == sorted(["__Entity__", graph.workspace.entity_label, *labels])
        assert graph.entity_rows()[id_].type == type_
        assert graph.entity_rows()[id_].aliases == ("J.", "Jules")


def labels_of(graph: Graph, id_: str) -> list[str]:
    with graph.database.sessions.open() as session:
        record = session.run("MATCH (e:__Entity__ {id: $id}) RETURN labels(e)", id=id_).single(strict=True)
    return sorted(record[0])


# --------------------------------------------------------------------------------------------------------------------
# Facts


def fact(graph: Graph, subject: str, predicate: str, object_: str, *supports: Support) -> Fact:
    s, o = entity_named(graph, subject), entity_named(graph, object_)
    return Fact(
        id=ids.fact_id(s, predicate, o),
        subject_id=s,
        predicate=predicate,
        object_id=o,
        text=f"{subject} {predicate} {object_}",
        supports=supports,
    )


def test_writing_facts_replaces_what_these_chunks_support_and_nothing_else(graph: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | aime | Sophie."], "b.txt": ["Jules | aime | Sophie.", "Sophie | voit | Jules."]})
    one, two, three = (
        row.chunk.id
        for source, texts in (
            ("a.txt", ["Jules | aime | Sophie."]),
            ("b.txt", ["Jules | aime | Sophie.", "Sophie | voit | Jules."]),
        )
        for row in chunk_rows(document(graph, source), texts)
    )
    here = Support(chunk_id=one, start=0, end=5, origin="implied")
    elsewhere = Support(chunk_id=two, start=0, end=7, origin="explicit")
    graph.mark_stale([one, three])
    hates = fact(graph, "Jules", "déteste", "Sophie", here, elsewhere)
    graph.write_facts([one], [(hates, vector(hates.text))])
    graph.sweep()
    assert [chunk.id for chunk in graph.stale_chunks()] == [three]
    said = {fact.text: [(s.chunk_id, s.start, s.end, s.origin) for s in fact.sentences] for fact in facts_of(graph)}
    assert said["Jules déteste Sophie"] == [(one, 0, 5, "implied")], "its support elsewhere was not asked for"
    assert [place[0] for place in said["Jules aime Sophie"]] == [two]
    assert [place[0] for place in said["Sophie voit Jules"]] == [three]
    graph.write_facts([one], [])
    graph.sweep()
    assert {fact.text for fact in facts_of(graph)} == {"Jules aime Sophie", "Sophie voit Jules"}


def test_a_sentence_keeps_who_says_it_and_what_it_follows_from(graph: Graph) -> None:
    made = read(graph, "a.txt", ["Jules | aime | Sophie. Nora le dit. Paul le nie."])
    derive(graph)
    (chunk,) = graph.chunks_of_documents([made])[made]
    said = Support(chunk_id=chunk, start=0, end=21, origin="explicit", according_to="Nora")
    follows = Support(chunk_id=chunk, start=0, end=21, origin="implied", premises=((23, 35), (36, 48)))
    loves = fact(graph, "Jules", "aime", "Sophie", said, follows)
    graph.write_facts([chunk], [(loves, vector(loves.text))])
    graph.sweep()
    explicit, implied = sorted(facts_of(graph)[0].sentences, key=lambda sentence: sentence.origin)
    assert (explicit.according_to, explicit.premises) == ("Nora", ())
    assert (implied.according_to, implied.premises) == ("", ("Nora le dit.", "Paul le nie."))
    (pool,) = graph.pool([chunk])
    assert sorted((f.according_to, f.premises) for f in pool.facts) == [("", ((23, 35), (36, 48))), ("Nora", ())]
    assert any('"Nora"' in line and "[23,35,36,48]" in line for line in graph.dump())


def facts_of(graph: Graph) -> list:
    return list(graph.entity_detail(entity_named(graph, "Jules")).facts)


def test_a_facts_weight_counts_its_sentences(graph: Graph) -> None:
    made = ingest(
        graph, {"a.txt": ["Jules | aime | Sophie."], "b.txt": ["Jules | aime | Sophie.  Jules | aime | Sophie."]}
    )
    assert [fact.weight for fact in facts_of(graph)] == [3]
    assert [drawn["weight"] for drawn in drawn_relationships(graph)] == [3]
    graph.delete_documents([made["b.txt"]])
    derive(graph)
    assert [fact.weight for fact in facts_of(graph)] == [1]
    assert [(drawn["type"], drawn["weight"]) for drawn in drawn_relationships(graph)] == [("LOVES", 1)]


def test_what_mails_quote_counts_once_also_where_they_were_saved_as_text(graph: Graph) -> None:
    said = "Jules | aime tendrement | Sophie."
    texts = {
        "a.eml": (said, "message/rfc822", {}),
        "b.txt": (f"> {said}".replace("tendrement |", "tendrement\n> |"), "text/plain", {"thread": "noces"}),
        "c.txt": (said, "text/plain", {}),
    }
    for source, (text, media_type, metadata) in texts.items():
        row = replace(document(graph, source), media_type=media_type, metadata=metadata)
        (chunk,) = chunk_rows(row, [said])
        places = [replace(one, start=0, end=len(text)) for one in chunk.extraction.triplets]
        extraction = replace(chunk.extraction, key=source, triplets=tuple(places))
        graph.write_documents([row])
        graph.write_chunks(
            [replace(chunk, chunk=replace(chunk.chunk, text=text, end=len(text)), extraction=extraction)]
        )
        graph.finish_reading({row.id: [chunk.chunk.id]})
    derive(graph)
    assert [fact.weight for fact in facts_of(graph)] == [2], "the letter's sentence is its own"


def test_a_sentence_in_the_overlap_of_two_chunks_counts_once(graph: Graph) -> None:
    row = document(graph, "a.txt")
    first, second = chunk_rows(row, ["Il dort. Jules | aime | Sophie.", " Jules | aime | Sophie. Il part."])

    def read_at(start: int) -> None:
        graph.write_documents([row])
        moved = replace(second.chunk, start=start)
        if graph.stored_chunks([row.id]):
            graph.move_chunks([moved])
        else:
            graph.write_chunks([first, replace(second, chunk=moved)])
        graph.finish_reading({row.id: [first.chunk.id, second.chunk.id]})
        derive(graph)

    read_at(8)
    assert [fact.weight for fact in facts_of(graph)] == [1]
    assert {mention.count for mention in graph.mentions()} == {1}
    (form,) = graph.entity_names(entity_named(graph, "Jules")).forms
    (place,) = graph.name_places([form.id])
    assert (form.count, place.count) == (1, 1)
    read_at(40)
    assert [fact.weight for fact in facts_of(graph)] == [2], "they overlap no more"
    assert {mention.count for mention in graph.mentions()} == {2}


def drawn_relationships(graph: Graph) -> list[dict]:
    with graph.database.sessions.open() as session:
        result = session.run(
            "MATCH (s:__Entity__ {workspace: $workspace})-[r]->(o:__Entity__) "
            "RETURN type(r) AS type, r.weight AS weight, r.predicate AS predicate, r.fact_id AS fact_id",
            workspace=graph.workspace.name,
        )
        return [dict(record) for record in result]


def test_a_fact_without_a_vector_keeps_its_own(graph: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | aime | Sophie."]})
    (known,) = graph.known_facts([fact.fact_id for fact in facts_of(graph)] + ["no such id"]).values()
    assert known == "Jules aime Sophie"
    (chunk,) = (row.chunk.id for row in chunk_rows(document(graph, "a.txt"), ["Jules | aime | Sophie."]))
    again = fact(graph, "Jules", "aime", "Sophie", Support(chunk_id=chunk, start=0, end=5, origin="explicit"))
    graph.write_facts([chunk], [(again, None)])
    assert graph.search_facts(vector("Jules aime Sophie"), 1)[0].cosine == pytest.approx(1.0, abs=1e-3)


def test_facts_that_cannot_be_written_change_nothing(graph: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | aime | Sophie."]})
    before = list(graph.dump())
    (chunk,) = (row.chunk.id for row in chunk_rows(document(graph, "a.txt"), ["Jules | aime | Sophie."]))
    new = fact(graph, "Sophie", "ignore", "Jules", Support(chunk_id=chunk, start=0, end=5, origin="explicit"))
    for bad, why in (
        ((new, None), "no vector"),
        ((new, np.zeros(8, dtype=np.float32)), new.id),
        ((replace(new, object_id="nobody"), vector("x")), "not stored"),
    ):
        with pytest.raises(InputError, match=why):
            graph.write_facts([chunk], [bad])
        assert list(graph.dump()) == before


def test_an_entity_that_goes_takes_its_facts_along(graph: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | aime | Sophie."]})
    remove_mentions(graph, [row.id for row in graph.mentions() if row.form == "Jules"])
    graph.sweep()
    stats = graph.stats()
    assert (stats.entities, stats.facts, stats.relationships, stats.mentions) == (1, 0, 0, 1)
    assert drawn_relationships(graph) == []


def test_a_sweep_that_was_cut_short_is_finished_by_the_next(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(graph, LETTERS)
    whole = list(graph.dump())
    graph.mark_stale([chunk.id for chunk in graph.load_chunks(graph.chunks_of_entities(list(graph.entity_rows())))])

    with monkeypatch.context() as patch:
        kill_at(patch, "touched_mentions")
        with pytest.raises(KeyboardInterrupt):
            derive(graph)
    graph.sweep()
    assert list(graph.dump()) == whole
