"""What a column of a table contains, from its head, in five languages."""

from __future__ import annotations

import re
from typing import Literal

from filigraph.graph.text.words import tokens

Column = Literal[
    "name", "surname", "given", "date", "from", "to", "amount", "debit", "credit", "balance", "currency", "counter",
    "account", "text", "trait", "other", "",
]  # fmt: skip

# Folded heads, without text in brackets; "_" joins the words of a head.
_HEADS: dict[Column, str] = {
    "name": "name names full_name witness witnesses person persons passenger member employee tenant customer client "
    "account_holder holder nom_complet nom_et_prenom nom_et_prenoms nom_prenom nom_prenoms nom temoin temoins personne "
    "passager membre locataire titulaire name_vorname zeuge person nombre_completo nombre_y_apellidos nome_completo "
    "cognome_e_nome nominativo groom bridegroom epoux brautigam sposo deceased defunt verstorbener taufling "
    "tauffling baptise counterparty tiers gegenpartei "
    "zahlungsbeteiligter name_zahlungsbeteiligter auftraggeber_empfanger empfanger_auftraggeber payee_payer "
    "payer_payee begunstigter_zahlungspflichtiger empfanger_zahlungspflichtiger party surname_and_name surname_name",
    "surname": "surname last_name lastname family_name nom_de_famille patronyme nachname familienname zuname apellido "
    "apellidos cognome",
    "given": "first_name firstname first_names given_name given_names forename forenames christian_name prenom prenoms "
    "vorname vornamen nombre nombres nome",
    "date": "date dates day jour datum tag fecha dia data giorno booking_date transaction_date value_date posting_date "
    "payment_date date_posted date_paid date_of_payment date_of_transaction entry_date date_valeur date_de_valeur "
    "date_operation date_d_operation date_de_l_operation date_comptable date_de_paiement buchungstag buchungsdatum "
    "wertstellung valuta fecha_valor fecha_operacion data_valuta data_operazione",
    "from": "from payer paid_by sender debtor remitter donor from_account buyer purchaser drawer de payeur paye_par "
    "emetteur debiteur donneur donneur_d_ordre acheteur acquereur compte_debite von absender zahler auftraggeber "
    "kaufer ordenante comprador pagador ordinante acquirente",
    "to": "to payee paid_to recipient beneficiary creditor receiver to_account seller vendor a beneficiaire "
    "destinataire crediteur vendeur compte_credite verse_a paye_a an empfanger begunstigter verkaufer beneficiario "
    "destinatario vendedor venditore",
    "amount": "amount sum value total price paid payment montant somme prix valeur montant_verse betrag summe preis "
    "importe cantidad precio importo prezzo somma",
    "debit": "debit debits withdrawal withdrawals paid_out money_out out payments retrait retraits sortie sorties "
    "depense depenses soll belastung ausgang cargo cargos dare uscite addebito",
    "credit": "credit credits deposit deposits paid_in money_in in receipts versement versements entree entrees "
    "recette recettes depot haben gutschrift eingang abono abonos avere entrate accredito",
    "balance": "balance running_balance closing_balance solde solde_courant saldo kontostand",
    "currency": "currency devise monnaie wahrung moneda divisa valuta_estera",
    "counter": "no nr num number n # row line item index lfd lfd_nr numero n_o n_ordre no_d_ordre ligne rang zeile",
    "account": "account account_no account_number account_id account_iban iban compte no_compte no_de_compte "
    "numero_de_compte konto kontonummer konto_nr cuenta numero_de_cuenta conto numero_conto",
    "text": "description details particulars memo reference narrative purpose remark remarks note notes libelle "
    "designation motif objet communication verwendungszweck buchungstext text concepto causale descrizione",
    "trait": "year annee jahr ano anno "
    "type kind status state category class mode sens direction unit sex sexe gender genre age born birth "
    "ne nee ne_en profession occupation job trade metier role rank grade nationality nationalite place lieu town city "
    "ville village country pays port address adresse residence domicile place_of_birth lieu_de_naissance beruf ort "
    "stadt land geburtsort wohnort",
}
_KINDS: dict[str, Column] = {head: kind for kind, heads in _HEADS.items() for head in heads.split()}
_BRACKETS = re.compile(r"[(\[][^)\]]*[)\]]")
_UNIT = re.compile(r"\s(?:EUR|USD|GBP|CHF|FRF|DEM|ITL|JPY)$|\s?[€$£]$")
_SUMS = frozenset(
    word
    for words in (
        "total totals subtotal sub_total grand_total sum balance",
        "opening_balance closing_balance balance_brought_forward ",
        "balance_carried_forward brought_forward carried_forward totaux sous_total total_general solde ancien_solde ",
        "nouveau_solde solde_initial solde_final report a_reporter",
        "saldo saldovortrag endsaldo summe gesamt gesamtsumme ",
        "zwischensumme totale saldo_inicial saldo_final",
    )
    for word in words.split()
)


def column_of(head: str) -> Column:
    """What a column contains; "" if the head is not of a known kind."""
    bare = _UNIT.sub("", _BRACKETS.sub(" ", head).strip())
    if bare.strip(" .") in ("#", "№", "N°", "Nº", "n°"):
        return "counter"
    return _KINDS.get(_phrase(bare), "")


def is_sum(cell: str) -> bool:
    """Whether a cell says that its row is a sum of others."""
    return _phrase(re.sub(r"[:.]\s*$", "", cell)) in _SUMS


def _phrase(text: str) -> str:
    return "_".join(word.folded for word in tokens(text))
