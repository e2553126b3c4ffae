"""Facts from the rows of registers, lists and ledgers."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.extract.patterns.tables import (
    A_SUM,
    LONG_TEXTS,
    NO_HEAD,
    NO_NAME,
    Row,
    head_at_end,
    read_tables,
)
from filigraph.graph.ingest.load.tables.tables import read_csv
from filigraph.graph.text.sentences import sentences

REGISTER = "Name;Born;Place of birth\n"


def rows(text: str, language: str = "en", head_before: str = "") -> list[Row]:
    return [row for row in read_tables(text, sentences(text, language), language, head_before) if not row.is_head]


def said(csv: str, language: str = "en", above: str = "") -> list[tuple[str, str, str, str]]:
    found = rows(above + read_csv(csv.encode()).text, language)
    return [(t.subject, t.predicate, t.object, t.when_date) for row in found for t in row.triplets]


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("Delmas, Jules", "Delmas, Jules"),
        ("DELMAS, Henriette", "DELMAS, Henriette"),
        ("Marchetti, L.", "Marchetti, L."),
        ("de la Tour, Marie", "de la Tour, Marie"),
        ("Saint-Clair, Jeanne", "Saint-Clair, Jeanne"),
        ("Ann Lee, widow", "Ann Lee"),
        ("Roe (Ben)", "Roe (Ben)"),
    ],
)
def test_a_row_of_a_register_is_of_the_person_however_the_name_is_written(cell: str, name: str) -> None:
    found = said(f'{REGISTER}"{cell}";1871;Vienne\n"Roche, Anne";1874;Givors\n')
    assert found[:2] == [(name, "born", "1871", ""), (name, "place of birth", "Vienne", "")]


def test_a_row_without_a_name_is_not_given_to_its_place() -> None:
    found = rows(read_csv(f"{REGISTER}Ann Lee;1871;Vienne\n;1874;Givors\nBen Roe;1875;Lyon\n".encode()).text)
    assert [row.silent for row in found] == ["", NO_NAME, ""]


def test_given_name_and_surname_in_two_columns_are_one_name() -> None:
    found = said("N°;Nom;Prénom;Né en\n1;DELMAS;Jules;1871\n2;de la Tour;Marie;1874\n", "fr")
    assert found == [("Jules DELMAS", "né en", "1871", ""), ("Marie de la Tour", "né en", "1874", "")]
    assert said("Surname,First name,Trade\nOrme,Helena,actress\n") == [("Helena Orme", "trade", "actress", "")]


def test_two_persons_in_one_cell_are_two_names() -> None:
    crew = "Nom;Fils de\nGil Penrose;Abel Penrose et Joan Pascoe\nLuc Roy;Jean-Marie Le Goff et Anne Le Bras\n"
    assert [(who, of) for who, _, of, _ in said(crew, "fr")] == [
        ("Gil Penrose", "Abel Penrose"),
        ("Gil Penrose", "Joan Pascoe"),
        ("Luc Roy", "Jean-Marie Le Goff"),
        ("Luc Roy", "Anne Le Bras"),
    ]
    crew = "Nom;Enfant de\nGil Penrose;Jean Malgorn et Annick Lesquer\nLuc Roy;M. Kervo et Mme Le Bras\n"
    assert [of for _, _, of, _ in said(crew, "fr")] == ["Jean Malgorn", "Annick Lesquer", "M. Kervo", "Mme Le Bras"]
    firms = said("Name;Employer\nAnn Lee;Marks and Spencer\nBen Roe;Paul Roe and Sons Ltd\n")
    assert [of for _, _, of, _ in firms] == ["Marks and Spencer", "Paul Roe and Sons Ltd"]


@pytest.mark.parametrize(
    "cell",
    ["Rue Pierre et Marie Curie", "The Old Man and The Sea", "Harry Potter and The Stone", "Upper Mill and New Ford"],
)
def test_an_address_or_a_title_with_and_is_one(cell: str) -> None:
    told = {of for _, _, of, _ in said(f"Name;Subject\nAnn Lee;{cell}\nBen Roe;Paris\n")}
    assert "Paris" in told and told <= {cell, "Paris"}  # a cell of six words is left to the parser


def test_a_row_of_a_ledger_is_a_payment_with_its_day() -> None:
    assert said("Date,From,To,Amount\n03/04/2021,Ann Lee,Ben Roe,450.00\n25/04/2021,Ben Roe,Ann Lee,90\n") == [
        ("Ann Lee", "pays 450.00 to", "Ben Roe", "2021-04-03"),
        ("Ben Roe", "pays 90 to", "Ann Lee", "2021-04-25"),
    ]
    assert said("Date;De;À;Montant (F)\n3 mai 1911;Henri Vasseur;Anne Roche;1 200,00\n", "fr") == [
        ("Henri Vasseur", "verse 1 200,00 F à", "Anne Roche", "1911-05-03")
    ]
    assert said("Seller,Buyer,Price (GBP)\nAnn Lee,Ben Roe,450\n") == [("Ben Roe", "pays 450 GBP to", "Ann Lee", "")]


def test_the_rows_of_an_account_are_between_its_holder_and_others() -> None:
    statement = "Date;Libellé;Débit;Crédit;Solde\n02/05/1911;Virement de Jules Delmas;;450,00;1 450,00\n"
    statement += "13/05/1911;Chèque à Anne Roche;200,00;;1 250,00\n;Total;200,00;450,00;\n"
    assert said(statement, "fr", above="Titulaire : Henri Vasseur\n\n") == [
        ("Jules Delmas", "verse 450,00 à", "Henri Vasseur", "1911-05-02"),
        ("Henri Vasseur", "verse 200,00 à", "Anne Roche", "1911-05-13"),
    ]
    assert said(statement, "fr") == [
        ("Jules Delmas", "crédit", "450,00", "1911-05-02"),
        ("Anne Roche", "débit", "200,00", "1911-05-13"),
    ]
    assert [row.silent for row in rows(read_csv(statement.encode()).text, "fr")] == ["", "", A_SUM]


def test_signed_sums_say_their_direction_and_lines_of_accounts_their_party() -> None:
    lines = "Fecha;Concepto;Importe;Saldo\n03/05/2023;Transferencia a Pablo Vera;-1200,00;8800,00\n"
    lines += "17/05/2023;Ingreso de Naviera Orme;4500,00;13300,00\n"
    assert said(lines, "es") == [
        ("Pablo Vera", "importe (−)", "-1200,00", "2023-05-03"),
        ("Naviera Orme", "importe", "4500,00", "2023-05-17"),
    ]
    card = "Date,Description,Debit,Balance\n21/05/2023,Card payment Blue Anchor Inn,45.60,13254.40\n"
    assert said(card) == [("Blue Anchor Inn", "debit", "45.60", "2023-05-21")]


def test_two_columns_are_a_table_between_bars() -> None:
    assert said("Name\tBorn\nAnn Lee\t1871\n") == [("Ann Lee", "born", "1871", "")]
    assert rows("He said | left\nAnn | 1871\n") == []


def test_rows_whose_head_stands_in_the_chunk_before_are_read_below_it() -> None:
    text = "| Ann Lee | 1871 |\n| Ben Roe | 1872 |"
    assert [row.silent for row in rows(text)] == [NO_HEAD] * 2 or rows(text) == []
    assert [t.subject for row in rows(text, head_before="| Name | Born |") for t in row.triplets] == [
        "Ann Lee",
        "Ben Roe",
    ]
    assert (
        head_at_end(
            "A list.\n\n| Name | Born |\n| Ann | 1871 |", sentences("A list.\n\n| Name | Born |\n| Ann | 1871 |", "en")
        )
        == "| Name | Born |"
    )


def test_cells_of_which_nothing_is_said_are_left_to_the_parser() -> None:
    (row,) = rows("| Name | Remark |\n| Ann Lee | saw Ben Roe and his dog at the mill |")
    assert (row.unread, row.silent) == (("Ann Lee", "saw Ben Roe and his dog at the mill"), LONG_TEXTS)


def test_whom_an_account_is_with_stands_in_a_column_of_its_own() -> None:
    statement = (
        "Buchungstag;Auftraggeber/Empfänger;Verwendungszweck;Betrag;Währung\n"
        "02.05.2022;Carl Ostrow;Boot Petrel;-1.200,50;EUR\n03.05.2022;Mina Roe;Miete Mai;850,00;EUR\n"
    )
    assert said(statement, "de", above="Kontoinhaber: Piers Vane\nKonto 123456\n\n") == [
        ("Piers Vane", "zahlt 1.200,50 EUR an", "Carl Ostrow", "2022-05-02"),
        ("Mina Roe", "zahlt 850,00 EUR an", "Piers Vane", "2022-05-03"),
    ]


def test_the_rows_of_a_list_of_names_are_of_these_and_not_of_the_number_before() -> None:
    census = "Schedule;Name;Age;Where born\n12;John Perrin;41;Lyon\n12;Mary Perrin;38;Cork\n"
    assert ("Mary Perrin", "where born", "Cork", "") in said(census)
    assert not [subject for subject, *_ in said(census) if subject.startswith("Schedule")]


def test_ditto_is_the_cell_above_with_its_row_as_premise() -> None:
    csv = 'Date;Name;Place\n1871-03-03;Ann Lee;Lyon\n1871-03-04;Ben Roe;do.\n1871-03-05;Cy Moss;"""."""\n'
    found = rows(read_csv(csv.replace('"""."""', '""""').encode()).text)
    assert [t.object for row in found for t in row.triplets] == ["Lyon"] * 3
    assert [t.premises for row in found for t in row.triplets] == [(), (found[0].span,), (found[0].span,)]


def test_the_rows_of_a_transcript_say_nothing_about_its_speakers() -> None:
    text = "| Speaker | Text |\n| HALE | Where were you on Monday? |\n| LIND | In Lyon. |\n"
    assert not rows(text)
    programme = "| Speaker | Title | Room |\n| Ada Finch | The Fire | Room 2 |\n| Paul Reed | The Flood | Room 3 |\n"
    assert rows(programme)


def test_the_account_of_a_row_pays_or_is_paid() -> None:
    csv = "Date,Account,Name,Amount\n2021-03-02,0012,Orlan Ltd,-1200.00\n2021-03-09,Galerie Nord,Vela Trust,500.00\n"
    assert [one[:3] for one in said(csv)] == [
        ("Account 0012", "pays 1200.00 to", "Orlan Ltd"),
        ("Vela Trust", "pays 500.00 to", "Galerie Nord"),
    ]


def test_columns_of_one_kind_are_none_that_the_rows_are_about() -> None:
    csv = "Town,Mayor 1912,Mayor 1920\nColmar,Daniel Blum,Jules Macker\nThann,Otto Scheurer,Daniel Blum\n"
    assert said(csv)[:2] == [("Colmar", "mayor 1912", "Daniel Blum", ""), ("Colmar", "mayor 1920", "Jules Macker", "")]


def test_a_year_is_no_name_of_a_row() -> None:
    csv = 'Jahr;Täufling;Vater\n1741;"Huber, Josef";"Huber, Anton"\n1743;"Huber, Anna";dto.\n'
    assert ("Huber, Anna", "vater", "Huber, Anton", "") in said(csv, "de")
