"""Lists: what a question wants listed, and the sentences and rows about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
import pytest

from filigraph.app.schemas.list_items import ListItemsOut
from filigraph.graph.analysis.list_items import ItemList, ListTexts, find_items, load_texts
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.records.documents import WordHit
from filigraph.graph.text.formats.rows import quantities_of, text_rows
from filigraph.graph.text.formats.sentence_items import enumerated
from filigraph.graph.text.list_questions import list_question, parse_list_question
from filigraph.graph.text.sentences import sentences

TODAY = date(2026, 1, 1)
LISTS = [
    ("en", "List all payments over 100 pounds."),
    ("en", "How many ships are named in the log?"),
    ("en", "Which payments between £50 and £200 were made?"),
    ("en", "Which sums of £500 or more are named?"),
    ("en", "Please give me a list of the witnesses."),
    ("en", "Which purchases of Harper does the ledger record?"),
    ("en", "In which letters does the agent appear by name?"),
    ("en", "Which of Mr Vane's answers are belied by the log?"),
    ("en", "Which people saw the boat?"),
    ("en", "What iron tools did they leave behind?"),
    ("en", "Who were all the witnesses?"),
    ("en", "What is the number of ships in the log?"),
    ("fr", "Quels bateaux le gardien a-t-il vus ?"),
    ("fr", "Dans quelles lettres l'agent est-il nommé ?"),
    ("fr", "Qui sont tous les témoins ?"),
    ("fr", "Quel est le nombre de lettres du notaire ?"),
    ("fr", "Combien de navires sont cités ?"),
    ("fr", "Quels versements de plus de cinq cents francs ont été faits en mars 1904 ?"),
    ("fr", "Dresse la liste des témoins."),
    ("fr", "Énumère tous les appels de la nuit."),
    ("en", "payments over 1,000 pounds"),
    ("fr", "Versements de plus de 500 francs en mars 1904"),
]
NO_LISTS = [
    ("en", "How many francs did he lose?"),
    ("en", "Which company's money wiped out the debt?"),
    ("en", "Which of the two ships was larger?"),
    ("en", "Which two features were played up?"),
    ("en", "Which ships were larger, the Anne or the Kestrel?"),
    ("en", "Which film has the director who was born first?"),
    ("en", "Which princess was his aunt?"),
    ("en", "What was the name of the ship?"),
    ("en", "In which circumstances did he die?"),
    ("en", "Which of the players was to have the house?"),
    ("en", "What amount of goods did the port handle?"),
    ("fr", "Dans quelles circonstances est-il mort ?"),
    ("fr", "Quels sont les deux frères du notaire ?"),
    ("en", "Who led the gang?"),
    ("en", "Harper's debts and how he paid over 100 pounds"),
    ("en", "Payments over 100 pounds were made by whom?"),
    ("en", "Which sum was higher, and by how much?"),
    ("fr", "Combien de temps est-il resté ?"),
    ("fr", "Quels sont le prénom et le nom du copiste ?"),
    ("fr", "De combien d'heures la chute a-t-elle précédé l'échouement ?"),
    ("fr", "Combien Le Gall a-t-il touché ?"),
]


@pytest.mark.parametrize(("language", "text"), LISTS)
def test_questions_that_ask_for_a_list(language: str, text: str) -> None:
    assert list_question(text, language, TODAY)


@pytest.mark.parametrize(("language", "text"), NO_LISTS)
def test_other_questions_ask_for_none(language: str, text: str) -> None:
    assert list_question(text, language, TODAY) is None


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "payments over 100 pounds", (100, None, "GBP", "")),
        ("en", "debts of at most £3 10s.", (None, 3.5, "GBP", "")),
        ("fr", "versements entre 50 et 200 francs en mars 1904", (50, 200, "FRF", "1904-03-01..1904-03-31")),
        ("fr", "terrains d'au moins 2,5 hectares", (2.5, None, "ha", "")),
        ("en", "sums of £500 or more", (500, None, "GBP", "")),
        ("fr", "versements de 500 francs ou moins", (None, 500, "FRF", "")),
        ("en", "payments over £100 and under £200", (100, 200, "GBP", "")),
        ("en", "payments from £100 to £200", (100, 200, "GBP", "")),
        ("en", "payments of £100 to Harper and £200 to Lund", (None, None, "", "")),
        ("en", "payments on pages 3 to 5 under £100 or over £200", (None, 100, "GBP", "")),
        ("en", "payments over 100 pounds and under 3 fathoms", (100, None, "GBP", "")),
        ("en", "payments from Harper under £100", (None, 100, "GBP", "")),
        ("fr", "versements de 100 à 200 francs", (100, 200, "FRF", "")),
        ("fr", "versements de plus de 100 francs et d'au plus 200 francs", (100, 200, "FRF", "")),
        ("en", "letters since 1903", (None, None, "", "1903-01-01..")),
        ("en", "calls of the night of 17 to 18 November 1958", (None, None, "", "1958-11-17..1958-11-18")),
        ("fr", "appels du 1er au 3 mars 1904", (None, None, "", "1904-03-01..1904-03-03")),
        ("en", "calls on the 2nd and 3rd March 1904", (None, None, "", "1904-03-02..1904-03-03")),
        ("en", "calls on 3 and 14 March 1904", (None, None, "", "")),
        ("fr", "lettres du 3 et du 14 mars 1904", (None, None, "", "")),
        ("fr", "lettres entre le 3 et le 14 mars 1904", (None, None, "", "1904-03-03..1904-03-14")),
        ("en", "boats that carried between 3 and 14 men on 5 May 1904", (3, 14, "men", "1904-05-05..1904-05-05")),
        ("en", "payments on pages 3 to 5 of the letter of 9 May 1904", (None, None, "", "1904-05-09..1904-05-09")),
        ("en", "ships that had 2 and 3 masts in 1904", (None, None, "", "1904-01-01..1904-12-31")),
        ("fr", "bateaux de 3 à 14 hommes, le 5 mai 1904", (None, None, "", "1904-05-05..1904-05-05")),
        ("fr", "bateaux qui portaient 2 et 3 mâts le 5 mai 1904", (None, None, "", "1904-05-05..1904-05-05")),
        ("fr", "versements des pages 3-5 de la lettre du 9 mai 1904", (None, None, "", "1904-05-09..1904-05-09")),
        ("en", "letters from 3 March 1904 and 9 May 1904", (None, None, "", "")),
        ("en", "letters of 1904 and 1911", (None, None, "", "")),
        ("fr", "lettres de 1904 et 1911", (None, None, "", "")),
    ],
)
def test_limits_and_days_are_conditions(
    language: str, text: str, told: tuple[float | None, float | None, str, str]
) -> None:
    found = parse_list_question(text, language, TODAY)
    limits = tuple(None if one is None else float(one) for one in (found.least, found.most))
    assert (*limits, found.unit, str(found.period or "")) == told


def test_each_limit_is_excluded_or_not_by_itself() -> None:
    found = parse_list_question("payments of at least £100 but less than £200", "en", TODAY)
    assert [found.holds(Decimal(value)) for value in (99, 100, 199, 200)] == [False, True, True, False]


LEDGER = """ACCOUNT OF THE MILL
Payments made in 1904:

Date | To whom | Paid
3 March 1904 | Harper | £120
9 March 1904 | Lund | £80
2 April 1904 | Vane | a hundred and fifty pounds

The owner kept bees. A pound of honey was 2 shillings."""
LETTER = "Dear Nell, the barn cost £900 to insure. It rained for three days."


class Texts:
    """Two passages without facts."""

    texts = {"a": ("ledger.txt", LEDGER), "b": ("letter.txt", LETTER)}  # noqa: RUF012

    def chunk_ids(self) -> Sequence[str]:
        return list(self.texts)

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        return {
            id_: Passage(id=id_, document_id=id_, title="", source=source, place="", language="en", text=text)
            for id_, (source, text) in self.texts.items()
            if id_ in chunk_ids
        }

    def pool(self, chunk_ids: Sequence[str]) -> list[PoolChunk]:
        none = np.zeros((0, 2), dtype=np.float32)
        return [
            PoolChunk(
                id=id_,
                document_id=id_,
                index=0,
                title="",
                language="en",
                terms=frozenset(),
                vectors=np.ones((1, 2), dtype=np.float32),
                entities=(),
                facts=(),
                fact_vectors=none,
                titles=frozenset(),
            )
            for id_ in chunk_ids
        ]

    def search_chunks(self, vector: Vector, k: int) -> list[tuple[str, float]]:
        raise AssertionError("a small workspace is read whole")

    def search_words(self, lucene_query: str, vector: Vector, k: int) -> list[WordHit]:
        raise AssertionError("a small workspace is read whole")


def found(text: str) -> ItemList:
    question, vector = parse_list_question(text, "en", TODAY), np.ones(2, dtype=np.float32)
    return find_items(question, vector, load_texts(question, vector, Texts()))


def test_rows_within_the_limits_are_listed_and_summed() -> None:
    told = found("payments over 100 pounds")
    assert [item.sentence.split(" | ")[1] for item in told.items if item.source == "ledger.txt"] == ["Harper", "Vane"]
    assert "It rained" not in " ".join(item.sentence for item in told.items)
    assert (told.passages, told.of_passages) == (2, 2)


def test_all_rows_of_a_table_are_judged_by_its_caption_and_by_days() -> None:
    told = found("payments made in March 1904")
    assert [item.date for item in told.items] == ["1904-03-03", "1904-03-09"]
    assert {unit: float(value) for unit, value in told.sums.items()} == {"GBP": 200}


def test_rows_have_their_caption_and_header() -> None:
    rows = [row for row in text_rows(LEDGER, list(sentences(LEDGER, "en"))) if row.block >= 0]
    assert len(rows) == 3
    assert rows[0].header == ("Date", "To whom", "Paid")
    assert rows[0].caption.endswith("Payments made in 1904:")


def test_the_entries_of_a_log_are_rows_under_the_line_above() -> None:
    log = "Monday. Three calls.\n19.40, the Board.\n21.05, the doctor.\n22.50, the kiosk. He rang off.\n\nBed."
    rows = [row for row in text_rows(log, list(sentences(log, "en"))) if row.block >= 0]
    assert [row.text[:5] for row in rows] == ["19.40", "21.05", "22.50"]
    assert "Three calls." in rows[0].caption


def test_a_row_with_only_a_year_is_of_the_day_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    crew = "CREW of the Anne, 17 November 1958\n\nRank | Name | Born\nmate | Crome | 1919\ncook | Fabre | 1899\n"
    monkeypatch.setattr(Texts, "texts", {"a": ("crew.txt", crew), "b": ("letter.txt", LETTER)})
    told = found("the crew of the Anne on 17 November 1958")
    assert [item.sentence for item in told.items] == ["mate | Crome | 1919", "cook | Fabre | 1899"]
    assert [item.sentence for item in found("crew of the Anne born in 1899").items] == ["cook | Fabre | 1899"]


def test_words_that_no_text_of_a_language_has_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    crew = "Crew of the Anne\n\nRank | Name | From\nmate | Crome | Leith\ncook | Fabre | Caen\n"
    monkeypatch.setattr(Texts, "texts", {"a": ("crew.txt", crew), "b": ("letter.txt", LETTER)})
    told = found("List everybody who had enlisted aboard the good vessel Anne, whatever his employment.")
    assert [item.sentence for item in told.items] == ["mate | Crome | Leith", "cook | Fabre | Caen"]


def test_words_of_a_kind_count_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "He lent me £5. The schooner sank. A wooden box burnt. The wooden lugger was sold. Rain fell for days."
    monkeypatch.setattr(Texts, "texts", {"a": ("a.txt", text)})
    assert [item.sentence for item in found("loans").items] == ["He lent me £5."]
    assert [item.sentence for item in found("les prêts").items] == ["He lent me £5."]
    assert {item.sentence for item in found("ships").items} == {"The schooner sank.", "The wooden lugger was sold."}
    assert [item.sentence for item in found("wooden boats").items] == ["The wooden lugger was sold."]


def test_a_number_that_names_a_thing_is_always_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    log = "Doors, 3 March 1904\n\nBadge | Way\n0009 | out\n0417 | out\n0009 | in\n\nThe badge reader was cleaned."
    monkeypatch.setattr(Texts, "texts", {"a": ("log.txt", log)})
    told = [item.sentence for item in found("list uses of badge 0009 on 3 March 1904").items]
    assert {"0009 | out", "0009 | in"} <= {*told}


@pytest.mark.parametrize(("other", "amounts"), [("", [120]), ("It cost 3 francs.", [])])
def test_a_column_of_amounts_has_the_currency_of_the_question(
    monkeypatch: pytest.MonkeyPatch, other: str, amounts: list[int]
) -> None:
    text = f"Account\n\nDate | To | Debit\n3 March | Harper | 120.00\n9 March | Lund | 80.00\n\n{other}"
    monkeypatch.setattr(Texts, "texts", {"a": ("a.txt", text)})
    told = found("payments over 100 pounds")
    assert [int(one.value) for item in told.items for one in item.quantities if one.unit == "GBP"] == amounts


@pytest.mark.parametrize(
    ("header", "amounts"),
    [("Amount | Currency", [("Lund", 120, "EUR")]), ("Wert | Ccy", [("Lund", 120, "EUR")]), ("Sum | Payee", [])],
)
def test_an_amount_has_the_currency_beside_it(
    monkeypatch: pytest.MonkeyPatch, header: str, amounts: list[tuple[str, int, str]]
) -> None:
    currencies = ("Mark", "Louis") if "Payee" in header else ("EUR", "GBP")
    rows = "\n".join(
        f"{name} | 120.00 | {currency}" for name, currency in zip(("Lund", "Vane"), currencies, strict=True)
    )
    monkeypatch.setattr(Texts, "texts", {"a": ("a.txt", f"To | {header}\n{rows}\n\nHe lent 5 pounds.")})
    told = found("payments over 100 euros")
    assert [(i.item.split()[0], int(i.quantities[0].value), i.quantities[0].unit) for i in told.items] == amounts


def test_an_item_has_the_day_above_it_and_none_that_another_sentence_names(monkeypatch: pytest.MonkeyPatch) -> None:
    paid = "Voss paid 300 pounds. He had been arrested on 8 July 1904."
    entries = f"Marseille, 10 July 1904\n\n{paid}\n\n11 July 1904\n\nLund paid 400 pounds."
    monkeypatch.setattr(Texts, "texts", {"a": ("a.txt", entries)})
    assert [item.date for item in found("payments over 200 pounds").items] == ["1904-07-10", "1904-07-11"]
    assert len(found("payments over 200 pounds on 11 July 1904").items) == 1


def test_a_question_in_a_text_is_no_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Texts, "texts", {"a": ("a.txt", "Which ships lay there? The schooner did.")})
    assert [item.sentence for item in found("ships").items] == ["The schooner did."]


def test_what_a_sentence_enumerates_are_items_that_the_text_before_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    carried = "He had on him a captain's coat, too long; a grey jersey; a rosary; three pounds in notes."
    text = f"I examined the drowned body. The candle was bad. {carried} The boots were missing."
    monkeypatch.setattr(Texts, "texts", {"a": ("report.txt", text)})
    items = found("List all that was found on the drowned body.").items
    assert [item.item for item in items if item.sentence == carried] == [
        "He had on him a captain's coat, too long",
        "a grey jersey",
        "a rosary",
        "three pounds in notes",
    ]


def test_amounts_and_days_are_those_of_the_part_that_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    carried = "He had on him a captain's coat; a grey jersey; three pounds in notes; a rosary."
    paid = "He paid: on 3 March 1904 the rent, £5; on 9 May 1904 a boat, £7; on 9 May 1904 a sail, £9."
    monkeypatch.setattr(Texts, "texts", {"a": ("report.txt", f"The drowned man. {carried}\n\n{paid}")})
    told = found("List all that was found on the drowned man.")
    amounts = {item.item: [float(one.value) for one in item.quantities] for item in told.items}
    assert (amounts["a grey jersey"], amounts["three pounds in notes"], told.sums) == ([], [3], {})
    told = found("sums over 2 pounds")
    assert [(item.item, item.date) for item in told.items] == [
        ("three pounds in notes", "1904"),
        ("on 3 March 1904 the rent, £5", "1904-03-03"),
        ("on 9 May 1904 a boat, £7", "1904-05-09"),
        ("on 9 May 1904 a sail, £9", "1904-05-09"),
    ]
    assert {unit: float(value) for unit, value in told.sums.items()} == {"GBP": 24}
    assert [item.item for item in found("sums over 4 pounds in May 1904").items] == [
        "on 9 May 1904 a boat, £7",
        "on 9 May 1904 a sail, £9",
    ]


def test_equal_rows_are_two_items_but_not_what_two_chunks_share() -> None:
    rent = "3 March 1904 | Rent | £5"
    texts = [f"PAID\n\n{rent}\n{rent}\n9 May 1904 | Boat | £7", f"9 May 1904 | Boat | £7\n{rent}\n{rent}"]
    (chunk,) = Texts().pool(["a"])
    chunks = [replace(chunk, id=str(n), index=n) for n in range(2)]
    (some,) = Texts().passages(["a"]).values()
    passages = {str(n): replace(some, id=str(n), document_id="a", text=text) for n, text in enumerate(texts)}
    searched = ListTexts(chunks=chunks, passages=passages, of_passages=2)
    question = parse_list_question("payments over 2 pounds", "en", TODAY)
    told = find_items(question, np.ones(2, dtype=np.float32), searched)
    assert [float(item.quantities[0].value) for item in told.items] == [5, 5, 7, 5, 5]


def test_an_amount_before_what_is_enumerated_is_that_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    bought = "He paid 3 pounds for: a coat; a jersey; a rosary."
    monkeypatch.setattr(Texts, "texts", {"a": ("report.txt", bought)})
    assert [item.item for item in found("sums over 2 pounds").items] == [bought]


def test_clauses_between_semicolons_are_no_enumeration() -> None:
    told = "He came; he saw the harbour and all the boats along the quay and wall; then he went home over the hill."
    assert not enumerated(told)
    assert not enumerated("She sold a cup; he paid.")


def test_a_semicolon_at_the_end_ends_what_is_enumerated() -> None:
    told = "He had: a coat; a jersey; a rosary;"
    assert [told[start:end] for start, end in enumerated(told)] == ["a coat", "a jersey", "a rosary"]


def test_amounts_are_sorted_whatever_their_unit_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = "- Voss got 5 livres.\n- Lund got 9 livres.\n- Vane got 7 livres."
    monkeypatch.setattr(Texts, "texts", {"a": ("ledger.txt", ledger)})
    question = parse_list_question("payments over 2 pounds", "en", TODAY)
    page = ListItemsOut.of(question, found(question.text), order="amount", first=0, count=9)
    assert [row.quantities[0].value for row in page.items] == [9, 7, 5]
    assert [row.amount and row.amount.value for row in page.items] == [9, 7, 5]


def test_the_amount_to_show_is_of_the_unit_asked_and_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = "Voss got 40 days, 7 francs, 5 livres and 300 livres.\n\nLund got 9 livres."
    monkeypatch.setattr(Texts, "texts", {"a": ("ledger.txt", ledger)})
    question = parse_list_question("payments over 100 pounds", "en", TODAY)
    page = ListItemsOut.of(question, found(question.text), order="document", first=0, count=9)
    assert [(row.amount.value, row.amount.unit) for row in page.items if row.amount] == [(300, "livre")]


def test_an_enumeration_in_a_script_without_blanks_has_its_items_alone() -> None:
    told = "他带了：大衣；毛衣；念珠。"
    assert [told[start:end] for start, end in enumerated(told)] == ["大衣", "毛衣", "念珠"]


def test_a_column_of_pounds_shillings_and_pence_has_the_unit_of_its_header() -> None:
    text = "| Date | To | Livres |\n|---|---|---|\n| 2 mai | Voss | 2.18.0 |\n| 3 mai | Malgorn | 612.0.0 |"
    rows = text_rows(text, list(sentences(text, "fr")))
    amounts = [(float(one.value), one.unit) for row in rows for one in quantities_of(row, "fr")]
    assert amounts == [(2.9, "livre"), (612.0, "livre")]


@pytest.mark.parametrize(("head", "unit"), [("Livres", ""), ("Marks", ""), ("Livres (£)", "GBP"), ("Francs", "FRF")])
def test_a_column_of_books_or_grades_is_no_money(head: str, unit: str) -> None:
    text = f"| Date | To | {head} |\n|---|---|---|\n| 2 mai | Voss | 12 |\n| 3 mai | Malgorn | 15 |"
    rows = text_rows(text, list(sentences(text, "fr")))
    assert [one.unit for row in rows for one in quantities_of(row, "fr")] == [unit, unit] * bool(unit)
