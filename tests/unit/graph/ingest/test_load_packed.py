"""What is packed, encrypted or in a form of one program: read, or refused with the true reason."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from email.message import EmailMessage
from email.mime.text import MIMEText

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import documents_in, load
from filigraph.graph.ingest.load.mail.pgp import without_armour
from filigraph.graph.model.documents import Source
from tests.unit.graph.ingest.loading import archive, read

SALE = "Ruth Ansell bought the chapel."
EVENT = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20250311T140000\r\nSUMMARY:Sale\r\nLOCATION:Office of Dorn\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)


def tar(members: dict[str, bytes], link: str = "") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as file:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
        if link:
            member = tarfile.TarInfo("link.txt")
            member.type, member.linkname = tarfile.SYMTYPE, link
            file.addfile(member)
    return target.getvalue()


def texts(name: str, content: bytes) -> dict[str, str]:
    found, problems = documents_in(Source(name=name, content=content))
    assert not problems
    return {one.name: load(one).text.strip() for one in found}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_the_files_of_a_tar_stay_in_it_and_links_are_none(pack: type) -> None:
    packed = pack(tar({"../up.txt": b"One sold it.", "in/a.zip": archive({"b.txt": "Two sold it."})}, "/etc/passwd"))
    assert texts("a.tar.x", packed) == {"a.tar.x/up.txt": "One sold it.", "a.tar.x/in/a.zip/b.txt": "Two sold it."}


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_a_compressed_file_is_the_file_in_it(ending: str, pack: type) -> None:
    assert texts(f"a.txt.{ending}", pack(SALE.encode())) == {f"a.txt.{ending}/a.txt": SALE}


def test_a_text_that_begins_as_bzip2_does_is_a_text() -> None:
    text = "BZh is a magic number. Ruth Ansell bought the chapel."
    assert texts("a.txt", text.encode()) == {"a.txt": text}
    assert texts("a.tar", tar({"b.txt": b"BZh9 sold it."})) == {"a.tar/b.txt": "BZh9 sold it."}


def test_a_broken_compressed_file_says_so() -> None:
    found, _ = documents_in(Source(name="a.gz", content=gzip.compress(SALE.encode() * 100)[:40]))
    with pytest.raises(UnreadableDocument, match="compressed"):
        load(found[0])


@pytest.mark.parametrize(
    ("codec", "names"),
    [
        ("cp866", ["Договор"]),
        ("cp866", ["ДОГОВОР", "Письма отца", "a"]),
        ("cp1251", ["Письма отца", "Договор аренды"]),
        ("cp932", ["報告書"]),
        ("cp932", ["テスト", "手紙の写し", "a"]),
        ("cp932", ["かな", "データ", "ナト"]),
        ("cp850", ["Bâtiment", "Béla"]),
        ("gb2312", ["合同", "租赁协议书"]),
        ("euc_kr", ["계약서", "편지"]),
        ("big5", ["合約書", "租賃協議"]),
        ("cp850", ["Müller"]),
        ("cp850", ["Lettre à Anne"]),
        ("cp850", ["é"]),
        ("cp850", ["Lettre à Hélène", "Été", "São João", "Øre"]),
        ("cp437", ["Müller", "Señor Núñez"]),
        ("cp1252", ["Lettre à Hélène", "Été"]),
        ("cp852", ["Umowa najmu Łódź", "Żądło"]),
        ("utf-8", ["Müller", "Été"]),
    ],
)
def test_names_in_a_zip_are_in_the_encoding_of_a_system(codec: str, names: list[str]) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for n, name in enumerate(names):
            file.writestr(zipfile.ZipInfo(f"{n}".rjust(len(name.encode(codec)), "X") + ".txt"), SALE)
    content = target.getvalue()
    for n, name in enumerate(names):
        content = content.replace(
            f"{n}".rjust(len(name.encode(codec)), "X").encode() + b".txt", name.encode(codec) + b".txt"
        )
    assert texts("a.zip", content) == {f"a.zip/{name}.txt": SALE for name in names}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x78\x9f\x3e\x22\1\0" + bytes(50), "winmail.dat"),
        (b'// <!-- <mdb:mork:z v="1.4"/> -->', ".msf"),
        (b"-----BEGIN PGP MESSAGE-----\n\nhQEMA1b2", "encrypted"),
        (b"ITOLITLS\1\0\0\0", ".lit"),
    ],
)
def test_what_is_no_document_is_named(content: bytes, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said):
        read(content, "a")


def test_a_mail_signed_with_pgp_is_its_text() -> None:
    mail = EmailMessage()
    mail["From"] = "Ana Ruiz <a@b.example>"
    mail.set_content(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nI met Paul Roche.\n- -- \nAna\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n-----END PGP SIGNATURE-----\nMore.\n"
        "-----BEGIN PGP MESSAGE-----\n\nhQEMA1b2\n-----END PGP MESSAGE-----\n"
    )
    document = read(mail.as_bytes(), "a.eml")
    assert document.text.split("\n\n", 1)[1].split() == ["I", "met", "Paul", "Roche.", "--", "Ana", "More."]
    assert document.warnings == ("a part is encrypted (PGP) and is not read",)


def test_a_damaged_armour_hides_no_text() -> None:
    signature = "-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----"
    without_blank_line = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\nI met Paul.\n{signature}"
    assert without_armour(without_blank_line) == ("I met Paul.", ())
    without_end = f"-----BEGIN PGP PUBLIC KEY BLOCK-----\nI met Paul.\n{signature}"
    assert without_armour(without_end) == ("-----BEGIN PGP PUBLIC KEY BLOCK-----\nI met Paul.", ())


@pytest.mark.parametrize("again", [False, True])
def test_an_invitation_is_read_once(again: bool) -> None:
    mail = EmailMessage()
    mail["From"] = "Ana Ruiz <a@b.example>"
    mail.set_content("Please come.")
    mail.add_alternative("<p>Please come.</p>", subtype="html")
    mail.attach(MIMEText(EVENT, "calendar", "utf-8"))
    if again:
        invitation = next(part for part in mail.walk() if part.get_content_type() == "text/calendar")
        content = invitation.get_payload(decode=True)
        mail.add_attachment(content, maintype="application", subtype="ics", filename="invite.ics")
    name = "invite.ics" if again else "part 1.ics"
    found = texts("a.eml", mail.as_bytes())
    assert list(found) == ["a.eml", f"a.eml/{name}"] and "Place: Office of Dorn" in found[f"a.eml/{name}"]


def test_a_flat_open_document_has_no_deleted_text() -> None:
    names = 'xmlns:office="o" xmlns:text="t" xmlns:number="n"'
    document = read(
        f'<?xml version="1.0"?><office:document {names} office:mimetype="application/vnd.oasis.opendocument.text">'
        "<office:automatic-styles><number:date-style><number:text>. </number:text></number:date-style>"
        "</office:automatic-styles><office:body><office:text><text:tracked-changes><text:deletion>"
        "<text:p>She burned it.</text:p></text:deletion></text:tracked-changes><text:h>Sale</text:h>"
        f"<text:p>{SALE}</text:p></office:text></office:body></office:document>",
        "a.fodt",
    )
    assert document.text == f"Sale\n\n{SALE}" and [place.label for place in document.places] == ["Sale"]
    assert "took out: 1" in str(document.warnings)


def _method(algorithm: str) -> str:
    return f'<EncryptionMethod Algorithm="{algorithm}"/>'


def _encrypted(path: str) -> str:
    method = _method("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    return f'<EncryptedData>{method}<CipherReference URI="{path}"/></EncryptedData>'


@pytest.mark.parametrize(
    ("method", "hidden"),
    [
        (_method("http://www.idpf.org/2008/embedding"), False),
        (_method("http://www.w3.org/2001/04/xmlenc#aes128-cbc"), True),
        (_encrypted("a.xhtml"), True),
        (_encrypted("cover.jpg"), False),
    ],
)
def test_an_epub_with_obfuscated_fonts_is_read_and_one_with_drm_is_named(method: str, hidden: bool) -> None:
    book = archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="c.opf"/></container>',
            "META-INF/encryption.xml": f"<encryption>{method}</encryption>",
            "c.opf": '<package><item id="a" href="a.xhtml"/><itemref idref="a"/></package>',
            "a.xhtml": f"<html><body><p>{SALE}</p></body></html>",
        }
    )
    if hidden:
        with pytest.raises(UnreadableDocument, match="DRM"):
            read(book, "a.epub")
    else:
        assert read(book, "a.epub").text == SALE


@pytest.mark.parametrize("broken", [b"<encryption><Encrypt", b"", b"\xff\xfe\0"])
def test_a_book_with_a_broken_list_of_what_is_encrypted_is_read(broken: bytes) -> None:
    book = archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="c.opf"/></container>',
            "META-INF/encryption.xml": broken,
            "c.opf": '<package><item id="a" href="a.xhtml"/><itemref idref="a"/></package>',
            "a.xhtml": f"<html><body><p>{SALE}</p></body></html>",
        }
    )
    document = read(book, "a.epub")
    assert document.text == SALE and "encryption.xml is broken" in str(document.warnings)


def test_a_subtitle_has_no_entities() -> None:
    assert read("WEBVTT\n\n00:01.000 --> 00:03.000\nThe mill &amp; the barn.\n", "a.vtt").text == "The mill & the barn."


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.qif", "!Type:Bank\nD03/03/2025\nT-12.50\nPKarl Voss\nMRent\n^\nD05/03/2025\nT3.00\nPMira Lund\n^\n"),
        (
            "a.ofx",
            "OFXHEADER:100\nCHARSET:1252\n\n<OFX><STMTTRN><DTPOSTED>03/03/2025<TRNAMT>-12.50<NAME>Karl Voss<MEMO>Rent"
            "</STMTTRN><STMTTRN><DTPOSTED>05/03/2025<TRNAMT>3.00<NAME>Mira Lund</STMTTRN></OFX>",
        ),
        (
            "a.ofx",
            '<?xml version="1.0"?><?OFX VERSION="211"?><OFX><STMTTRN><DTPOSTED>03/03/2025</DTPOSTED>\n<TRNAMT>-12.50'
            "</TRNAMT><NAME>Karl Voss</NAME><MEMO>Rent</MEMO></STMTTRN><STMTTRN><DTPOSTED>05/03/2025</DTPOSTED>"
            "<TRNAMT>3.00</TRNAMT><NAME>Mira Lund</NAME></STMTTRN></OFX>",
        ),
    ],
)
def test_a_statement_of_a_bank_is_a_table(name: str, content: str) -> None:
    document = read(content, name)
    assert document.text == (
        "| Date | Name | Amount | Memo |\n| 03/03/2025 | Karl Voss | -12.50 | Rent |\n| 05/03/2025 | Mira Lund | 3.00 |"
    )
    assert [line.label for line in document.lines] == ["1", "2"]


def test_a_day_of_ofx_is_written_as_a_date() -> None:
    text = read(
        "OFXHEADER:100\n\n<OFX><STMTTRN><DTPOSTED>20250303120000[-5:EST]<NAME>A &amp; B</STMTTRN>", "a.ofx"
    ).text
    assert text.endswith("| 2025-03-03 | A & B |")


def test_accounts_are_no_transactions_and_parts_of_a_transaction_are_kept() -> None:
    accounts = "!Account\nNChecking\nTBank\n^\n"
    document = read(f"{accounts}!Type:Bank\nD1\nT-9\nPMira\nSRent\n$-5\nSFood\n$-4\nXodd\n^\n", "a.qif")
    assert document.text == (
        "| Date | Account | Name | Amount | Part for | Part |\n| 1 | Checking | Mira | -9 | Rent; Food | -5; -4 |"
    )
    assert "not read: X" in str(document.warnings)


def test_each_row_of_a_bank_statement_has_its_account() -> None:
    accounts = [
        "!Account\nNChecking\n^\n!Type:Bank\nD1\nT-9\n^\n",
        "!Account\nTBank\nNSavings\n^\n!Type:Bank\nD2\nT8\n^\n",
    ]
    document = read("".join(accounts), "a.qif")
    assert document.text.endswith("| 1 | Checking | -9 |\n| 2 | Savings | 8 |") and not document.warnings
    statement = "<CURDEF>CHF<BANKACCTFROM><BANKID>1<ACCTID>{}</BANKACCTFROM><STMTTRN><NAME>Mira</STMTTRN>"
    text = read(f"<OFX>{statement.format(12)}{statement.format(13)}", "a.ofx").text
    assert text.endswith("| 12 | Mira | CHF |\n| 13 | Mira | CHF |")


def test_a_list_of_accounts_does_not_say_whose_transactions_follow() -> None:
    document = read("!Account\nNChecking\n^\nNSavings\n^\n!Type:Bank\nD1\nT-9\n^\n", "a.qif")
    assert "whose account the file does not say: 1" in str(document.warnings)


def test_elements_of_ofx_may_be_in_lower_case() -> None:
    assert read("<ofx><stmttrn><name>Mira</name><trnamt>3</trnamt></stmttrn></ofx>", "a.ofx").text.endswith(
        "| Mira | 3 |"
    )


@pytest.mark.parametrize("text", ["!Type of notes that Mira saw.\nKarl left.", "!Account of the war\nKarl left."])
def test_a_text_that_begins_like_a_bank_statement_is_a_text(text: str) -> None:
    assert read(text, "a.txt").text == text


JAPANESE = "田中一郎は船を鈴木花子に売りました。\n"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Théo Blanc a vendu l’anneau à Zoé.\n", "utf-32-le"),
        ("Théo Blanc a vendu l’anneau à Zoé.\n", "utf-32-be"),
        (JAPANESE, "utf-16-le"),
        (JAPANESE, "utf-16-be"),
        (JAPANESE, "iso2022_jp"),
        ("Jiří Dvořák prodal mlýn Boženě Němcové.\n", "iso8859_2"),
        ("Jiří Dvořák prodal mlýn Boženě Němcové.\n", "cp1250"),
        ("רות אנסל קנתה את הבית מאוטו.\n", "cp1255"),
        ("иван петров продал мельницу анне лукиной.\n", "cp1251"),
    ],
)
def test_a_short_text_in_an_undeclared_encoding(text: str, codec: str) -> None:
    assert read(text.encode(codec)).text == text


def test_a_nul_in_a_short_text_makes_no_chinese() -> None:
    assert read(b"One.\0Two.\n").text.split() == ["One.", "Two."]
    assert read("Иван продал дом.\n".encode("utf-16-le")).text == "Иван продал дом.\n"


def test_characters_in_two_halves_are_read() -> None:
    assert read(b"Luc sold \xed\xa0\xbd\xed\xb8\x80 the boat.\n").text == "Luc sold 😀 the boat.\n"


def test_what_a_page_hides_or_strikes_out_is_said() -> None:
    document = read(
        "<html><body><p hidden>One.</p><div style='color:red; display: none'><p>Two.</p></div><input hidden>"
        f"<p>{SALE} <del>Not</del><ins>Then</ins> it burned.</p></body></html>",
        "a.html",
    )
    assert document.text == f"{SALE} Then it burned."
    assert "what the page hides" in str(document.warnings) and "what is struck out" in str(document.warnings)


def test_blank_rows_before_another_head_end_a_table() -> None:
    sums = "Date,Payer,Sum\n1871-03-09,Jules,12\n\n1871-03-10,Silas,14\n"
    rows = f"{sums}\n\nShip,Captain\nPetrel,Karl Voss\nHeron,Mira Lund\n"
    assert read(rows, "a.csv").text == (
        "| Date | Payer | Sum |\n| 1871-03-09 | Jules | 12 |\n| 1871-03-10 | Silas | 14 |\n\n"
        "| Ship | Captain |\n| Petrel | Karl Voss |\n| Heron | Mira Lund |"
    )
    gap = f"{sums}\n\n,Otto Brandt,lent\n1871-03-12,Ruth,15\n"
    assert read(gap, "a.csv").text.endswith("|  | Otto Brandt | lent |\n| 1871-03-12 | Ruth | 15 |")
