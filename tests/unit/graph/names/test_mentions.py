from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Alias, Extraction, Triplet
from filigraph.graph.model.names import Mention
from filigraph.graph.names.finder import key_words
from filigraph.graph.names.mentions import (
    OFTEN,
    ONE_STRETCH,
    as_written,
    find_titles,
    read_mentions,
    scan,
    scan_terms,
    scannable,
    title_forms,
)
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.words import terms, tokens


def chunk(text: str, index: int = 0, language: str = "fr") -> Chunk:
    return Chunk(
        id=f"c{index}",
        document_id="d",
        index=index,
        start=0,
        end=len(text),
        text=text,
        title="",
        place="",
        language=language,
    )


def extraction(*facts: tuple[str, str], names: tuple[str, ...] = (), aliases: tuple[Alias, ...] = ()) -> Extraction:
    triplets = tuple(Triplet(subject=s, predicate="p", object=o, start=0, end=5) for s, o in facts)
    return Extraction(key="k", extractor="test", triplets=triplets, names=names, aliases=aliases)


def by_key(mentions: list[Mention]) -> dict[str, Mention]:
    return {mention.key: mention for mention in mentions}


def places(mention: Mention, text: str) -> list[str]:
    return [text[o.start : o.end] for o in mention.occurrences]


def test_a_word_that_the_whole_text_uses_as_no_name_is_no_mention() -> None:
    texts = ["Voyons, dit Jules Delmas.", "Nous voyons bien."]
    read = [(chunk(text, n), extraction(names=("Voyons", "Jules Delmas"))) for n, text in enumerate(texts)]
    by_capitals = [(piece, replace(found, extractor="local")) for piece, found in read]
    mentions, refused = read_mentions("d", by_capitals)
    assert [mention.form for mention in mentions] == ["Jules Delmas"]
    assert refused == {"names dropped: the text uses the word as no name": 1}
    assert len(read_mentions("d", read)[0]) == 2  # another extractor knows a name when it sees one


def test_german_nouns_are_no_mentions_unless_a_table_has_them() -> None:
    text = "Das Bild hing dort, und Heinrich sah ein Glas Wein. Der Wein stand neben dem Glas.\n| Ware | Wein |"
    pair = Triplet(
        subject="Bild", predicate="mentioned with", object="Glas Wein", start=0, end=5, origin="cooccurrence"
    )
    row = Triplet(subject="Ware", predicate="Wert", object="Wein", start=0, end=5)
    read = Extraction(key="k", extractor="local", triplets=(pair, row), names=("Heinrich",))
    assert set(by_key(read_mentions("d", [(chunk(text, language="de"), read)])[0])) == {"heinrich", "ware", "wein"}
    assert "bild" in by_key(read_mentions("d", [(chunk(text, language="fr"), read)])[0])


def test_every_name_of_an_extraction_is_a_mention_with_its_places() -> None:
    text = "Jules Delmas entra. Le jeune Jules portait la chevalière ; Jules sourit."
    read = extraction(("le jeune Jules", "la chevalière"), ("Jules Delmas", "chevalière"), names=("Jules",))
    mentions, refused = read_mentions("d", [(chunk(text), read)])
    found = by_key(mentions)
    assert not refused
    assert places(found["jules"], text) == ["Jules"]  # the other two stand inside longer names
    assert places(found["jules delmas"], text) == ["Jules Delmas"]
    assert places(found["jeune jules"], text) == ["Le jeune Jules"]
    assert places(found["chevaliere"], text) == ["chevalière"]
    assert found["jules"].id == ids.mention_id("d", "jules", "")
    assert [m.id for m in mentions] == sorted(m.id for m in mentions)


def test_places_merge_over_chunks_and_the_form_is_the_most_frequent() -> None:
    first, second = chunk("La Griffe. LA GRIFFE.", 0), chunk("la Griffe, La Griffe", 1)
    mentions, _ = read_mentions(
        "d", [(second, extraction(("La Griffe", "x"))), (first, extraction(("la griffe", "x")))]
    )
    griffe = by_key(mentions)["griffe"]
    assert griffe.form == "La Griffe"
    assert [(o.chunk_id, o.start) for o in griffe.occurrences] == [("c0", 0), ("c0", 11), ("c1", 3), ("c1", 11)]


def test_a_name_not_in_the_chunk_gets_its_triplets_sentence() -> None:
    mentions, refused = read_mentions("d", [(chunk("Elle sourit."), extraction(("Sophie", "Jules")))])
    sophie = by_key(mentions)["sophie"]
    assert sophie.form == "Sophie"
    assert [(o.start, o.end) for o in sophie.occurrences] == [(0, 5)]
    assert not refused


def test_a_type_makes_a_mention_of_its_own() -> None:
    read = Extraction(
        key="k",
        extractor="test",
        triplets=(Triplet(subject="Paris", predicate="p", object="Paris", start=0, end=5, subject_type="Person"),),
    )
    mentions, _ = read_mentions("d", [(chunk("Paris aime Paris."), read)])
    assert sorted(m.type for m in mentions) == ["", "Person"]


def test_what_is_refused_is_counted() -> None:
    read = extraction(("x" * 300, "..."), ("Jules", "??"), names=("Personne",))
    mentions, refused = read_mentions("d", [(chunk("Jules dort."), read)])
    assert [m.key for m in mentions] == ["jules"]
    assert refused == {"names dropped: more than 200 characters": 1, "names dropped: no letter or digit": 2}


def test_both_names_of_an_alias_are_mentions() -> None:
    text = "The Claw, dite La Griffe."
    stated = Alias(first="The Claw", second="La Griffe", start=0, end=len(text))
    mentions, _ = read_mentions("d", [(chunk(text), extraction(aliases=(stated,)))])
    assert sorted(m.form for m in mentions) == ["La Griffe", "The Claw"]


def find(text: str, *forms: str, language: str = "fr") -> dict[str, list[str]]:
    found = scan([("c", "d", language, text)], {name_key(form): form for form in forms})
    assert all(mention.scanned for mention in found)
    return {mention.form: places(mention, text) for mention in found}


def test_scan_takes_the_longest_name() -> None:
    text = "Sherlock Holmes sortit ; Holmes\nrevint avec Mycroft Holmes."
    assert find(text, "Holmes", "Sherlock Holmes") == {
        "Sherlock Holmes": ["Sherlock Holmes"],
        "Holmes": ["Holmes", "Holmes"],
    }


def test_scan_does_not_run_over_the_end_of_a_sentence() -> None:
    assert find("Il vit Jules. Delmas sortit.", "Jules Delmas") == {}
    assert find("Jules\n\nDelmas", "Jules Delmas") == {}
    assert find("Jules, Delmas", "Jules Delmas") == {}
    assert find("M. St. Clair", "St. Clair") == {"St. Clair": ["St. Clair"]}
    assert find("Hugh, King of Italy, died", "Hugh, King of Italy") == {"Hugh, King of Italy": ["Hugh, King of Italy"]}


def test_scan_closes_a_bracket_of_the_name_and_no_other() -> None:
    assert find("Vu : Marchand (Émile), agent", "Marchand (Émile)") == {"Marchand (Émile)": ["Marchand (Émile)"]}
    assert find("Vu (Émile Marchand), agent", "Émile Marchand") == {"Émile Marchand": ["Émile Marchand"]}


def test_scan_ignores_case_and_accents_but_not_that_a_name_has_a_capital() -> None:
    assert find("une rose, ROSE, Rose", "Rose") == {"ROSE": ["ROSE", "Rose"]}
    assert find("Gevrol et GÉVROL", "Gévrol") == {"Gevrol": ["Gevrol", "GÉVROL"]}
    assert find("La Chevalière d'argent", "chevalière d'argent") == {
        "La Chevalière d'argent": ["La Chevalière d'argent"]
    }


def test_scan_finds_names_without_spaces_and_with_elisions() -> None:
    assert find("昨日習近平来了", "習近平", language="zh") == {"習近平": ["習近平"]}
    assert find("la main d'Artagnan", "d'Artagnan") == {"d'Artagnan": ["d'Artagnan"]}


def test_scan_of_nothing() -> None:
    assert scan([("c", "d", "fr", "Jules")], {}) == []
    assert find("", "Jules") == {}


def test_a_name_is_written_as_most_of_its_places_have_it() -> None:
    places = [("THE CLAW", "en"), ("The\nClaw", "fr"), ("The Claw", "fr")]
    assert as_written(places) == ("The Claw", "fr")
    assert as_written(places[:2]) == ("THE CLAW", "en"), "ties by code point"


def test_what_may_be_scanned_for() -> None:
    assert all(map(scannable, ["Jules", "La Griffe", "chevalière d'argent", "習近平", "J. Delmas", "Bureau 221"]))
    assert not any(map(scannable, ["ring", "la bague", "the Judge", "J.", "1912", "", "x" * 300, "M."]))


def test_scan_terms_are_the_terms_of_the_word_index() -> None:
    assert scan_terms("la Chevalière d'argent", "fr") == ["chevalier", "argent"]
    assert set(scan_terms("la Chevalière d'argent", "fr")) <= set(terms("une chevalière d'argent", "fr"))
    assert scan_terms("Jules", "fr") != scan_terms("Jules", "en")


# --------------------------------------------------------------------------------------------------------------------
# Titles


def named(text: str, *titles: str, own: str = "none") -> list[str]:
    """The titles that stand in `text`; a document's id is its title."""
    return find_titles([("c", own, text)], [(title, title) for title in titles]).get("c", [])


def test_a_title_is_found_with_and_without_its_brackets() -> None:
    film = "Lady in the Lake (film)"
    assert title_forms(film) == [film, "Lady in the Lake"]
    assert title_forms("Lady in the Lake") == ["Lady in the Lake"]
    assert named("He had seen Lady in the Lake twice.", film) == [film]
    assert named("He had seen Lady in the Lake (film) twice.", film) == [film]
    assert named("He was in the lake.", film) == []
    assert title_forms("(Untitled)") == ["(Untitled)"]


def test_one_name_may_be_the_title_of_several_documents() -> None:
    titles = ["Lady in the Lake (film)", "Lady in the Lake (novel)", "Lady in the Lake"]
    assert named("Lady in the Lake", *titles) == sorted(titles)
    assert named("Lady in the Lake (novel)", *titles) == ["Lady in the Lake (novel)"]


def test_the_longest_title_wins() -> None:
    assert named("The Return of Sherlock Holmes came out.", "Sherlock Holmes", "The Return of Sherlock Holmes") == [
        "The Return of Sherlock Holmes"
    ]
    assert named("Sherlock Holmes, in The Return of Sherlock Holmes", "Sherlock Holmes") == ["Sherlock Holmes"]


def test_words_in_lower_case_name_no_title() -> None:
    assert named("a dawn like any other", "Dawn") == []
    assert named("They saw Dawn, and DAWN again.", "Dawn") == ["Dawn"]
    assert named("the lady in the lake", "Lady in the Lake") == []


def test_a_title_that_says_too_little_is_not_looked_for() -> None:
    assert not any(map(title_forms, ["", "1912", "notes", "J.", "x" * 300, "???"]))


def test_french_accents_and_capitals_do_not_count() -> None:
    title = "L'Éducation sentimentale"
    for text in (
        "Il lit L'Education sentimentale.",
        "lisant l’ÉDUCATION SENTIMENTALE",
        "de l'E\u0301ducation sentimentale",
    ):
        assert named(text, title) == [title], text


def test_a_chunk_does_not_name_its_own_document() -> None:
    assert named("Dawn is a film, as is Dusk.", "Dawn", "Dusk", own="Dawn") == ["Dusk"]
    assert named("Dawn is a film.", "Dawn", own="Dawn") == []


def test_titles_in_any_order_are_found_alike() -> None:
    chunks = [("c1", "x", "Dawn and Dusk"), ("c2", "y", "Dusk"), ("c3", "z", "nothing")]
    titles = [("2", "Dawn (film)"), ("1", "DAWN"), ("3", "Dusk")]
    expected = {"c1": ["1", "2", "3"], "c2": ["3"]}
    assert find_titles(chunks, titles) == expected
    assert find_titles(chunks[::-1], titles[::-1]) == expected
    assert find_titles(chunks, []) == {}
    assert find_titles([], titles) == {}


def test_a_far_apart_common_noun_is_not_an_entity_and_is_reported() -> None:
    far = ONE_STRETCH + 1
    texts = {0: "Jules saw the woman with a wolf's head ring.", far: "Paul saw the woman with a wolf's head ring."}
    read = [
        (chunk(text, n, "en"), extraction(("Jules", "woman"), ("Jules", "wolf's head ring")))
        for n, text in texts.items()
    ]
    mentions, refused = read_mentions("d", read)
    assert set(by_key(mentions)) == {"jules", "wolf s head ring"}
    assert refused == {"common nouns dropped, facts included: they name too many things": 1}
    near = [(chunk(texts[0], 0, "en"), read[0][1]), (chunk(texts[far], ONE_STRETCH, "en"), read[1][1])]
    mentions, refused = read_mentions("d", near)
    assert "woman" in by_key(mentions) and not refused


def test_two_words_may_stand_far_apart_but_not_often() -> None:
    def read(times: int) -> set[str]:
        chunks = [chunk("Jules met the young man.", n * (ONE_STRETCH + 1), "en") for n in range(times)]
        return set(by_key(read_mentions("d", [(c, extraction(("Jules", "young man"))) for c in chunks])[0]))

    assert "young man" in read(OFTEN - 1)
    assert "young man" not in read(OFTEN)


@given(st.text("aBé1 .'’(½⑴日本_-\t", max_size=8))
def test_the_words_of_a_key_are_its_tokens(key: str) -> None:
    assert key_words(key) == [word.folded for word in tokens(key)]
