"""The path that a model names: each step is checked, and steps that no text states are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph.ask.paths.named import named_path
from filigraph.graph.ask.paths.steps import Step, read_steps
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.retrieval import Evidence, Hop, Passage, Path, PoolChunk, PoolEntity, PoolFact
from filigraph.graph.records.entities import NamedEntity
from filigraph.graph.text.names.parse import name_key

TEXTS = {
    "ring": "Jules Delmas wears a signet ring. He never takes it off.",
    "claw": "The signet ring is the emblem of The Claw. It rained all day.",
    "letter": "Laurie drew two hundred pounds. The page for 47 was sealed for them.",
    "crew": "L. Averhill was second mate. His brother Edmund wrote to him.",
    "two": "Anna Brook sold the farm. It went to Paul Lind for a song.",
    "inn": "The inn. Paul Lind slept. A ring lay there. He ate with Anna Brook. Paul Lind left. Anna Brook sang.",
    "log of Silas Crome": "We cleared Port Amaury on the 17th. The night was calm. Seven were aboard. Nobody slept.",
    "ride": "Anna Brook was ill. It rained for days on end. She rode to Ware.",
    "table": "No. | What | State\nB1 | a ring | lost\nB2 | a page | sealed",
    "inquiry": "Where were you, Ada Vale, on the 3rd?\nI was at home.\nThe court rose.",
    "witness": "Paul Lind, sworn:\nI came in May. The house was cold. I keep the keys.",
    "mail": "The foundation pays. I write to you today from Kemi. All is well here.",
    "home": "It was late. Jules rode home.",
    "bill": "It rained. The bills call Ada Vale Solange.",
    "invoice": "To Ada Vale. Bought of you on Monday. Eight flasks, 592 pounds. We thank you. Paul Lind",
    "post": "The Kestrel came in at noon. She was met by Laurie. L. Averhill watched.",
    "sea": "The Kestrel paid Laurie in May. She did not pay Laurie in June. Sealed at Ware.",
    "tape": "The jersey had a tape at the neck: I. GARROW. Nobody asked.",
    "trade": "My framer, Guy Hartnell of Alton, doubts it. I sent 400 pounds to Geneva. Julian Hartnell",
    "ledger": "Page 4. Two rings, Ada Vale. Nine pounds.",
    "quai": "Le Kestrel entre. Il vend la cargaison.",
    "gold": "Es war kalt. Hans gab Anna Gold.",
    "parcel": "A parcel in black oilcloth came for him. Nobody opened it.",
    "book": "There was a black oilcloth book under the plants.",
    "watch": "The mate came on deck at half past one. He saw no light.",
    "deed": "Sold to Ada Vale. Nobody spoke. Bought of you in May. One barn, £74.",
    "banque": "Le Kestrel quitte Port Louis. La Banque de France vend le Kestrel.",
    "stoker": "We lay stopped off Ware from twenty to eleven. It rained. All slept. We sailed at twenty to two.",
    "exchange": "22.50, the kiosk at Ware asked for 52. It rained. All slept. 00.55, the kiosk again, 52 again.",
    "roll": "# The Kestrel\n\n| Rank | Name |\n|---|---|\n| mate | Ada Vale |\n| cook | Paul Lind |",
    "visit": "Mr Noel took the book away.",
    "agent": "Noel Garrick paid in May.",
    "register": "Ivo Vale was born to Ann Lind. It rained.",
}
NAMES = {
    "jules": "Jules Delmas",
    "ring": "signet ring",
    "claw": "The Claw",
    "laurie": "Laurie",
    "averhill": "L. Averhill",
    "ship": "Kestrel",
    "vale": "Ivo Vale",
    "lind": "Ann Lind",
}
IN = {
    "ring": ["jules", "ring"],
    "claw": ["ring", "claw"],
    "letter": ["laurie"],
    "crew": ["averhill"],
    "two": [],
    "inn": [],
    "log of Silas Crome": [],
    "post": ["ship", "laurie"],
    "sea": ["ship", "laurie"],
    "register": ["vale", "lind"],
    **{
        id_: []
        for id_ in (
            "tape",
            "trade",
            "ledger",
            "quai",
            "banque",
            "gold",
            "parcel",
            "book",
            "watch",
            "deed",
            "ride",
            "table",
            "stoker",
            "exchange",
            "roll",
            "visit",
            "agent",
            "inquiry",
            "witness",
            "mail",
            "home",
            "bill",
            "invoice",
        )
    },
}


def fact(subject: str, predicate: str, object_: str, chunk: str, *, denied: bool = False) -> PoolFact:
    end = TEXTS[chunk].index(".") + 1
    ends = subject, NAMES[subject], predicate, object_, NAMES[object_]
    return PoolFact(f"{subject}-{object_}", *ends, 0, end, "explicit", denied=denied)


FACTS = {
    "ring": [fact("jules", "wears", "ring", "ring")],
    "claw": [fact("ring", "is the emblem of", "claw", "claw")],
    "sea": [
        fact("ship", "did not pay in May", "laurie", "sea", denied=True),
        fact("ship", "paid 9 in June", "laurie", "sea"),
        fact("ship", "paid in May", "laurie", "sea"),
        fact("ship", "hid and fed and paid", "laurie", "sea"),
    ],
    "register": [PoolFact("born", "vale", "Vale, Ivo", "was born to", "lind", "Ann Lind", 0, 30, "explicit")],
    "post": [PoolFact("met", "averhill", "L. Averhill", "watched", "ship", "Kestrel", 52, 72, "explicit")],
}


class Reader:
    """The chunks above."""

    def pool(self, chunk_ids: Sequence[str], revision: str | None = None) -> list[PoolChunk]:
        return [self._chunk(id_) for id_ in chunk_ids]

    def _chunk(self, id_: str) -> PoolChunk:
        return PoolChunk(
            id=id_,
            document_id="d",
            index=0,
            title="",
            language="en",
            terms=frozenset(),
            vectors=np.zeros((1, 2), dtype=np.float32),
            entities=tuple(PoolEntity(name, NAMES[name], 1) for name in IN[id_]),
            facts=tuple(FACTS.get(id_, ())),
            fact_vectors=np.zeros((len(FACTS.get(id_, ())), 2), dtype=np.float32),
            titles=frozenset(),
        )

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        known = {name_key(name): id_ for id_, name in NAMES.items()}
        return [
            NamedEntity(key=key, entity_id=known[key], name=NAMES[known[key]], chunks=1) for key in keys if key in known
        ]

    def next_chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, tuple[str | None, str | None]]:
        return {id_: (None, "end of mail" if id_ == "mail" else None) for id_ in chunk_ids}

    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]:
        text = "Yours ever,\nIvo Lund, Kemi"
        texts = TEXTS | {"end of mail": text}
        return {id_: passage(id_, texts[id_]) for id_ in chunk_ids if id_ in texts}


def passage(id_: str, text: str) -> Passage:
    return Passage(id=id_, document_id="d", title="", source="", place="", language="en", text=text)


EXTRACTS = [
    Evidence(id=id_, kind="chunk", text=text, document_id="d", title=id_, source="", place="", score=0.5)
    for id_, text in TEXTS.items()
]


def embed(texts: Sequence[str]) -> Matrix:
    """Vectors of words, of which "ate" and "dined" are one."""
    known = sorted({word for text in TEXTS.values() for word in text.lower().replace(".", "").split()} | {"dined"})
    rows = np.zeros((len(texts), len(known)), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().replace(".", "").replace("ate", "dined").split():
            if word in known:
                row[known.index(word)] = 1.0
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def path(said: str) -> Path:
    found = named_path(said, EXTRACTS, Reader(), embed)  # type: ignore[arg-type]
    assert found is not None
    return found


def hop(said: str) -> Hop:
    (one,) = path(said).hops
    return one


def test_steps_are_read() -> None:
    said = "Jules - wears - “ring” [1] > ring - is of [P2] - The Claw [2, 4] > nonsense > A - B [3]"
    assert read_steps(said) == [
        Step(subject="Jules", relation="wears", object="ring", numbers=(1,)),
        Step(subject="ring", relation="is of", object="The Claw", numbers=(2, 4)),
        Step(subject="A", relation="", object="B", numbers=(3,)),
    ]
    (step,) = read_steps("P. C. - holds - Account 7, «Swallow» [1]")
    assert (step.subject, step.object) == ("P. C.", "Account 7, «Swallow»")
    assert read_steps("") == [] and len(read_steps(" > ".join(["A - is - B [1]"] * 50))) == 12


def test_a_fact_of_the_graph_is_a_hop_as_ever() -> None:
    found = path("Jules Delmas - wears - the signet ring [1] > the signet ring - is the emblem of - The Claw [2]")
    assert [one.kind for one in found.hops] == ["fact", "fact"]
    assert [one.fact_id for one in found.hops] == ["jules-ring", "ring-claw"]
    assert found.hops[0].sentence == "Jules Delmas wears a signet ring."
    assert (found.origin, found.score, found.chunk_ids) == ("named", 1.0, ("ring", "claw"))
    assert "jules-ring" in found.cypher


def test_a_short_form_is_the_one_that_the_chunk_means() -> None:
    assert hop("Jules - wears - signet ring [1]").fact_id == "jules-ring"


def test_a_fact_shows_the_name_that_its_sentence_has() -> None:
    one = hop(f"Ivo Vale - was born to - Ann Lind [{number('register')}]")
    assert (one.fact_id, one.subject, one.object) == ("born", "Ivo Vale", "Ann Lind")


@pytest.mark.parametrize(
    "said", ["Jules Delmas - stole - the signet ring [1]", "the signet ring - wears - Jules Delmas [1]"]
)
def test_a_fact_that_says_something_else_is_not_taken_for_it(said: str) -> None:
    assert (hop(said).kind, hop(said).fact_id) == ("sentence", "")


def test_a_sentence_that_names_both() -> None:
    one = hop("Laurie - drew - two hundred pounds [3]")
    assert (one.kind, one.sentence, one.subject_id, one.object_id) == (
        "sentence",
        "Laurie drew two hundred pounds.",
        "laurie",
        "",
    )


def test_two_neighbours_that_name_both() -> None:
    one = hop("Anna Brook - sold the farm to - Paul Lind [5]")
    assert (one.kind, one.sentence) == ("sentence", TEXTS["two"])


def test_a_pronoun_stands_for_an_end_where_the_sentence_says_the_relation() -> None:
    one = hop("the tender - cleared Port Amaury - the 17th [7]")
    assert (one.kind, one.sentence) == ("sentence", "We cleared Port Amaury on the 17th.")
    assert hop("the tender - burned - the 17th [7]").kind == "unfound"


def test_the_sentence_that_says_it_is_shown_though_others_name_the_ends() -> None:
    one = hop("Paul Lind - dined with - Anna Brook [6]")
    assert one.sentence.startswith("He ate with Anna Brook.") and "Paul Lind" in one.sentence + "".join(one.premises)


def test_the_title_names_an_end() -> None:
    one = hop("Silas Crome - cleared Port Amaury - the 17th [7]")
    assert (one.kind, one.premises) == ("sentence", ("log of Silas Crome",))


def test_sentences_of_one_extract_that_name_the_ends_go_together() -> None:
    one = hop("Port Amaury - fut quitté par - nobody slept [7]")
    assert (one.kind, one.sentence) == ("sentence", "Nobody slept.")
    assert "We cleared Port Amaury on the 17th." in one.premises


@pytest.mark.parametrize(
    "said",
    [
        "Jules Delmas - met - Moriarty [1]",  # whom no text names
        "Laurie - wears - signet ring [3]",  # the extract that is cited does not say it
        "Jules Delmas - wears - signet ring [99]",
        "Le Loup - entre avec - Kestrel [21]",  # the article of a name is not its name
        "Port Amaury - vend - Kestrel [25]",  # a place that begins like it
        "Banque Maritime - vend - Kestrel [25]",
    ],
)
def test_what_no_text_says_is_not_found(said: str) -> None:
    found = path(f"Jules Delmas - wears - signet ring [1] > {said}") if "[99]" not in said else None
    if found:
        assert [one.kind for one in found.hops] == ["fact", "unfound"]
        cited = EXTRACTS[read_steps(said)[0].numbers[0] - 1].id
        assert (found.hops[1].sentence, found.hops[1].chunk_id, found.score) == ("", cited, 0.5)
    else:
        assert (hop(said).kind, hop(said).chunk_id) == ("unfound", "")


def test_a_step_that_is_not_found_keeps_the_extracts_that_it_cites_but_shows_no_sentence_of_them() -> None:
    item = replace(EXTRACTS[0], place="page 2", date="1912")
    found = named_path("Jules Delmas - met - Moriarty [1, 4]", [item, *EXTRACTS[1:]], Reader(), embed)
    assert found is not None
    (one,) = found.hops
    assert (one.kind, one.chunk_id, one.premise_chunk_ids) == ("unfound", "ring", ("crew",))
    assert (one.place, one.date, one.sentence, one.premises, one.subject_id) == ("page 2", "1912", "", (), "")
    assert (found.score, found.cypher, found.chunk_ids) == (0.0, "", ("ring", "crew"))


def test_two_names_of_one() -> None:
    one = hop("Laurie - is - L. Averhill [3][4]")
    assert (one.kind, one.subject_id, one.object_id, one.apart) == ("identity", "laurie", "averhill", True)
    assert one.implied  # no sentence says it
    assert one.sentence == "Laurie drew two hundred pounds."
    assert (one.premises, one.premise_chunk_ids) == (("L. Averhill was second mate.",), ("crew",))


@pytest.mark.parametrize("relation", ["is", "are"])
def test_two_descriptions_of_one_are_shown_with_a_sentence_for_each(relation: str) -> None:
    numbers = f"[{number('parcel')}][{number('book')}]"
    one = hop(f"a parcel in black oilcloth - {relation} - a black oilcloth book {numbers}")
    shown = {one.sentence, *one.premises}
    assert shown == {"A parcel in black oilcloth came for him.", "There was a black oilcloth book under the plants."}
    assert one.kind == "identity" and one.implied


def test_a_given_name_alone_is_no_proof_in_another_document() -> None:
    said = f"Noel - is - Noel Garrick [{number('visit')}][{number('agent')}]"
    assert not hop(said).implied
    elsewhere = [replace(item, document_id="e") if item.id == "agent" else item for item in EXTRACTS]
    found = named_path(said, elsewhere, Reader(), embed)  # type: ignore[arg-type]
    assert found is not None and found.hops[0].implied


def test_steps_that_do_not_join_say_so() -> None:
    apart = "Laurie - drew - two hundred pounds [3] > Laurie - is - L. Averhill [3][4]"
    found = path(f"Jules Delmas - wears - signet ring [1] > {apart}")
    assert [one.joined for one in found.hops] == [True, False, True]


def test_nothing_named_is_no_path() -> None:
    assert named_path("I cannot say.", EXTRACTS, Reader(), embed) is None  # type: ignore[arg-type]
    assert named_path("", [], Reader(), embed) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "sentence", "beside"),
    [
        ("Anna Brook - rode to - Ware [8]", "She rode to Ware.", [("Anna Brook was ill.", "text")]),
        ("the page - is - sealed [9]", "B2 | a page | sealed", [("No. | What | State", "text")]),
        ("Ada Vale - served as - mate [30]", "| mate | Ada Vale |", [("| Rank | Name |", "text")]),
        ("the Kestrel - had as cook - Paul Lind [30]", "| cook | Paul Lind |", [("| Rank | Name |", "text")]),
        ("We - lay stopped until twenty to two off - Ware [28]", "stopped", [("We sailed at twenty to two.", "text")]),
        ("the kiosk - called twice - 52 [29]", "00.55", [("22.50, the kiosk at Ware asked for 52.", "text")]),
        (
            "Ada Vale - stayed on the 3rd - at home [10]",
            "I was at home.",
            [("Where were you, Ada Vale, on the 3rd?", "text")],
        ),
        ("Paul Lind - keeps - the keys [11]", "I keep the keys.", [("Paul Lind, sworn:", "text")]),
        ("Ivo Lund - writes today from - Kemi [12]", "I write to you today", [("Yours ever, / Ivo Lund, Kemi", "end")]),
    ],
)
def test_what_a_sentence_leaves_open_stands_beside_it(said: str, sentence: str, beside: list[tuple[str, str]]) -> None:
    one = hop(said)
    assert sentence in one.sentence
    shown = list(zip(one.premises, one.premise_marks, strict=True))
    for part in beside:
        assert part in shown or part[0] in one.sentence, shown


def test_each_of_two_names_is_shown_in_full() -> None:
    one = hop("Jules Delmas - is - Jules [1][13]")
    assert (one.kind, one.sentence) == ("identity", "Jules Delmas wears a signet ring.")
    assert one.premises == ("Jules rode home.",) and not one.implied


def test_names_that_one_sentence_has_side_by_side_need_no_other() -> None:
    one = hop("Solange - is - Ada Vale [14]")
    assert (one.sentence, one.premises, one.implied) == ("The bills call Ada Vale Solange.", (), False)


def test_a_signature_is_not_the_sentence_of_a_step() -> None:
    one = hop("Paul Lind - pays for - eight flasks [15]")
    assert one.sentence == "Eight flasks, 592 pounds."
    assert "Paul Lind" in one.premises


def test_context_is_shown_for_a_sentence_without_the_relation() -> None:
    one = hop("Ada Vale - vend - eight flasks [15]")
    assert "Bought of you on Monday." in " ".join((one.sentence, *one.premises))


def test_of_facts_between_two_the_one_nearest_to_the_words_is_shown() -> None:
    one = hop(f"Kestrel - paid in May - Laurie [{number('sea')}]")
    assert (one.kind, one.predicate, one.denied) == ("fact", "paid in May", False)


@pytest.mark.parametrize("relation", ["robbed and sank", "paid 7 in August"])
def test_a_fact_that_shares_too_few_words_is_not_taken(relation: str) -> None:
    assert hop(f"Kestrel - {relation} - Laurie [{number('sea')}]").kind == "sentence"


def test_an_end_has_the_name_of_its_extract() -> None:
    one = hop(f"L. Averhill - watched - the Kestrel [{number('post')}]")
    assert (one.kind, one.object, one.sentence) == ("fact", "the Kestrel", "L. Averhill watched.")
    assert "The Kestrel came in at noon." in one.premises


def test_a_sentence_does_not_end_with_the_initial_of_a_name() -> None:
    one = hop(f"the jersey - has a tape of - I. GARROW [{number('tape')}]")
    assert one.sentence == "The jersey had a tape at the neck: I. GARROW."


def test_another_person_of_the_same_surname_is_not_shown() -> None:
    one = hop(f"Julian Hartnell - sent 400 pounds to - Geneva [{number('trade')}]")
    assert one.sentence.startswith("I sent 400 pounds to Geneva.")
    assert "Guy Hartnell" not in "".join((one.sentence, *one.premises))


def test_a_given_name_before_a_capitalized_noun_names_its_bearer() -> None:
    one = hop(f"Hans Lenz - gab - Anna Kern [{number('gold')}]")
    assert (one.kind, one.sentence) == ("sentence", "Hans gab Anna Gold.")


def test_the_title_is_shown_where_no_sentence_has_the_relation() -> None:
    one = hop(f"Ada Vale - a mis en gage - two rings [{number('ledger')}]")
    assert ("ledger", "title") in zip(one.premises, one.premise_marks, strict=True)


def number(id_: str) -> str:
    """The number of an extract."""
    return str(list(TEXTS).index(id_) + 1)


def test_an_extract_that_was_cut_is_read_whole() -> None:
    cut = [replace(item, text=item.text.partition(". ")[2]) for item in EXTRACTS]
    said = f"Jules Delmas - wears - the signet ring [1] > L. Averhill - watched - the Kestrel [{number('post')}]"
    found = named_path(said, cut, Reader(), embed)  # type: ignore[arg-type]
    assert found is not None
    assert [one.sentence for one in found.hops] == ["Jules Delmas wears a signet ring.", "L. Averhill watched."]
    assert [one.start for one in found.hops] == [0, 52]


def test_an_hour_in_other_words_is_the_same_end() -> None:
    one = hop(f"the mate - came on deck at - 1 h 30 [{number('watch')}]")
    assert (one.kind, one.sentence, one.premises) == ("sentence", "The mate came on deck at half past one.", ())
    assert hop(f"the mate - came on deck at - 2 h 30 [{number('watch')}]").kind == "unfound"


def test_a_price_alone_does_not_say_a_sale() -> None:
    one = hop(f"Ada Vale - a vendu pour £74 - One barn [{number('deed')}]")
    assert "Bought of you in May." in (one.sentence, *one.premises)
