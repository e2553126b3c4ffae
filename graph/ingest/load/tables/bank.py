"""Statements that banks export, QIF and OFX, as tables: a row for each transaction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape

from filigraph.graph.ingest.load.content import Content, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.tables.tables import numbered_table

IS_QIF = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*!(?:(?:Type|Option|Clear):\w|Account\s*[\r\n])", re.IGNORECASE)
IS_OFX = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:OFXHEADER|<\?OFX\b|<OFX>)", re.IGNORECASE)
_CHARSET = re.compile(rb"^CHARSET:\s*(\d+)", re.MULTILINE)
_BLOCK, _BLOCK_END = (re.compile(tag, re.IGNORECASE) for tag in ("<STMTTRN>", "</STMTTRN>"))
_FIELD = re.compile(r"<([A-Z0-9.]+)>([^<\r\n]*)", re.IGNORECASE)
# The account of the transactions behind it, and their currency.
_ACCOUNT = re.compile(
    r"<(?:BANK|CC)ACCTFROM>(?:\s*<(?!ACCTID)\w+>[^<]*(?:</\w+>)?){0,4}\s*<ACCTID>([^<\r\n]*)", re.IGNORECASE
)
_LISTED = re.compile(r"^!Account\b", re.IGNORECASE | re.MULTILINE)
_CURRENCY = re.compile(r"<CURDEF>\s*([A-Z]{3})", re.IGNORECASE)
_OTHER = re.compile(r"<(INVPOSLIST|SECLIST|(?:BUY|SELL)(?:DEBT|MF|OPT|OTHER|STOCK)|REINVEST|INCOME|LEDGERBAL)>", re.I)
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")
ACCOUNT, CURRENCY = "account", "currency"  # fields of a row that its statement gives
# The heads of the columns, the letters of QIF and the elements of OFX.
_COLUMNS = (
    ("Date", "D", "DTPOSTED"), ("Account", ACCOUNT, ACCOUNT), ("Name", "P", "NAME"), ("Amount", "T", "TRNAMT"),
    ("Currency", CURRENCY, CURRENCY), ("Memo", "M", "MEMO"), ("Category", "L", ""), ("Number", "N", "CHECKNUM"),
    ("Address", "A", ""), ("Security", "Y", ""), ("Price", "I", ""), ("Quantity", "Q", ""), ("Part for", "S", ""),
    ("Memo of part", "E", ""), ("Part", "$", ""), ("Type", "", "TRNTYPE"),
)  # fmt: skip
_LISTS = re.compile(r"!(?:Account|Option|Type:(?:Cat|Class|Memorized|Security|Prices|Tag|Budget))\b", re.IGNORECASE)
_UNSAID = frozenset(("C", "U", "FITID", "DTUSER", "DTAVAIL", "SIC", "CURRENCY"))  # of no use to a reader


def read_bank(content: bytes) -> Content:
    charset = _CHARSET.search(content[:1000])
    text, warnings = decode(content, f"cp{charset[1].decode()}" if charset else "")
    qif = bool(IS_QIF.match(content))
    found = list(_of_qif(text) if qif else _of_ofx(text))
    names = [(head, letter if qif else element) for head, letter, element in _COLUMNS]
    used = [(head, name) for head, name in names if name and any(row.get(name) for row in found)]
    rows = [[head for head, _ in used], *([one_line(row.get(name, "")) for _, name in used] for row in found)]
    table, lines = numbered_table(enumerate(rows))
    known = {name for _, name in names} | _UNSAID
    if left := sorted({name for row in found for name, value in row.items() if value} - known):
        warnings = (*warnings, f"fields of transactions that are not read: {', '.join(left[:20])}")
    if not qif and (others := sorted({name.upper() for name in _OTHER.findall(text)})):
        warnings = (*warnings, f"parts of the statement that are not read: {', '.join(others[:20])}")
    unknown = sum(not row[ACCOUNT] for row in found) if qif and _LISTED.search(text) else 0
    if unknown:
        warnings = (*warnings, f"transactions whose account the file does not say: {unknown}")
    return Content(text=table, lines=lines, warnings=warnings)


def _of_qif(text: str) -> Iterator[Mapping[str, str]]:
    fields: dict[str, str] = {}
    account = ""
    listed = 0  # accounts since the last line with "!": a list of several does not say whose transactions follow
    kind = ""  # of the records: accounts and categories are no transactions
    for line in (*text.splitlines(), "^"):
        if line.startswith("!"):
            kind, listed = line.lower().strip(), 0
        elif line.startswith("^"):
            if kind == "!account" and fields:
                listed += 1
                account = fields.get("N", "") if listed == 1 else ""
            elif fields:
                yield {**fields, ACCOUNT: account}
            fields = {}
        elif line.strip() and (kind == "!account" or not _LISTS.match(kind)):
            value = line[1:].strip()
            fields[line[0]] = f"{fields[line[0]]}; {value}" if line[0] in fields else value


def _of_ofx(text: str) -> Iterator[Mapping[str, str]]:
    before, *blocks = _BLOCK.split(text)
    account, currency = _statement(before, "", "")
    for block in blocks:
        transaction, _, behind = _BLOCK_END.sub("\0", block, count=1).partition("\0")
        fields: dict[str, str] = {}
        for name, value in _FIELD.findall(transaction):
            fields.setdefault(name.upper(), unescape(value).strip())
        if day := _DAY.match(fields.get("DTPOSTED", "")):
            fields["DTPOSTED"] = "-".join(day.groups())
        yield {**fields, ACCOUNT: account, CURRENCY: currency}
        account, currency = _statement(behind or block, account, currency)


def _statement(text: str, account: str, currency: str) -> tuple[str, str]:
    """The account and the currency of the statement that `text` begins; those before it if it begins none."""
    accounts, currencies = _ACCOUNT.findall(text), _CURRENCY.findall(text)
    return (one_line(accounts[-1]) if accounts else account), (currencies[-1] if currencies else currency)
