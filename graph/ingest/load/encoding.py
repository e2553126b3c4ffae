"""Bytes to text: byte order marks, UTF-8, then the encodings that old files really have."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

import charset_normalizer

from filigraph.graph.errors import UnreadableDocument

GUESSED = "not UTF-8: read as "  # in a warning: all was read, in a guessed encoding
AS_PLAIN_TEXT = "read as plain text"  # in a warning: all was read, but without its parts

_BOMS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# charset-normalizer reads short French texts as Polish (cp1250) or EBCDIC if all encodings are allowed; among these it
# chooses well.
_OLD_ENCODINGS = ["cp1252", "cp1251", "koi8_r", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp1253", "cp1255",
                  "cp1256"]  # fmt: skip
# Labels mean what browsers take them for (WHATWG's Encoding Standard): the vendor's larger set. A label without byte
# order ("utf-16") says nothing about bytes without a mark.
_MEANT = {
    **dict.fromkeys(("ascii", "us-ascii", "ansi_x3.4-1968", "latin1", "latin-1", "iso-8859-1", "iso8859-1",
                     "iso_8859-1", "l1", "cp819", "windows-1252", "x-cp1252", "ansi", "8859-1"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5", "windows-1254"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "windows-874"), "cp874"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80", "chinese", "cp936"), "gb18030"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean", "windows-949"), "cp949"),
    **dict.fromkeys(("big5", "cn-big5", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("iso-8859-8-i", "logical", "visual"), "iso8859_8"),
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman", "macroman"), "mac_roman"),
    **dict.fromkeys(("x-mac-cyrillic",), "mac_cyrillic"),
    **dict.fromkeys(("utf8", "unicode-1-1-utf-8", "utf-8", "x-user-defined", "unknown-8bit", "8bit", "binary", "utf-16",
                     "utf-16le", "utf-16be", "utf-32", "unicode", "default", "none"), ""),
}  # fmt: skip
_GOOD = frozenset("éèàêçùâîôûëïüöäßñáíóúãõœæøåìòÿ’")
_CAPITALS = frozenset("ÉÈÀÊÇÙÂÎÔÛËÏÜÖÄÑÁÍÓÚŒÆØÅ")
# Accented letters of other European languages, and the encodings that old files use for them.
CENTRAL = tuple(
    frozenset(f"{letters}’")
    for letters in ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîșşțţ")
)  # Polish, Czech, Slovak, Hungarian, Croatian, Romanian
_TURKISH = frozenset("çğıöşüâîû’")
_ICELANDIC = frozenset("áðéíóúýþæö’")
_BALTIC = frozenset("ąčęėįšųūžāēģīķļņōõäöü’")
_ELSEWHERE = (  # those with fewer letters first
    ("cp1254", _TURKISH), ("cp1252", _ICELANDIC), ("cp1257", _BALTIC),
    *((codec, letters) for letters in CENTRAL for codec in ("cp1250", "iso8859_2")),
)  # fmt: skip
_CYRILLIC = ("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866", "mac_cyrillic")  # of two that fit, the first
_CYRILLIC_LETTERS = "а-яёіїєґўђјљњћџѕѓќ"  # Russian, and those of Ukrainian, Belarusian, Serbian and Macedonian
_FREQUENT_CYRILLIC = "оеаинтсрвлј"
LEAST_FREQUENT = 0.4  # min. share of these letters
_CAPITAL_INSIDE = re.compile(f"(?<=[{_CYRILLIC_LETTERS}])[{_CYRILLIC_LETTERS.upper()}]")
# What no words are: "Ље" for "је", if it does not begin a sentence; "Ъон", but not the Bulgarian "ъгъл".
_NO_WORD = re.compile(
    f"(?<=[{_CYRILLIC_LETTERS}] )[{_CYRILLIC_LETTERS.upper()}][{_CYRILLIC_LETTERS}]\\b|\\b(?:[ыьЫЬ]|[ъЪ](?!г))"
)
_NOT_CYRILLIC = re.compile(f"[^\\x00-\\x7f{_CYRILLIC_LETTERS}{_CYRILLIC_LETTERS.upper()}]")
_MIXED_WORD = re.compile(r"(?<=[A-Za-z])[^\W\d_A-Za-z]|[^\W\d_A-Za-z](?=[A-Za-z])")
_FEWEST_HIGH = 10  # min. letters that show that a label is wrong
_SIGNS = frozenset("«»“”‘–—…€£§°©¼½¾\u00a0")
_DASHES = frozenset("–—")
# Signs where no text has them: within a word ("п’ять" has an apostrophe), or a hard space beside another.
_MISPLACED_SIGN = re.compile(
    r"(?<=[^\W\d_])(?:[€£§°©]|[«»“”‘–—…\u00a0](?=[^\W\d_]))|(?<!\S)\u00a0|\u00a0(?!\S)", re.MULTILINE
)
_WESTERN = ("cp1252", "mac_roman", "cp850", "iso8859_15")
# Letters of scripts by their place in a word: Hebrew's final letters, Thai's marks above and below a consonant and its
# vowels before one, Vietnamese tones after a vowel.
_HEBREW, _FINAL = re.compile("[\u05d0-\u05ea]"), re.compile(r"[ךםןףץ](\w?)")
_THAI, _THAI_MARK = re.compile("[\u0e01-\u0e5b]"), re.compile("(?<=(.))[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]")
_TONES = re.compile("[\u0300\u0301\u0303\u0309\u0323]")
_TONE = re.compile(f"(?<=(.)){_TONES.pattern}")
_THAI_VOWEL = re.compile("[\u0e40-\u0e44](?=(.?))")
_NO_THAI = re.compile("[\u0e03\u0e05\u0e45]|(?<=[\u0e01-\u0e4e])[\u0e4f-\u0e5b]")  # old letters, digits in words
_CONSONANTS = re.compile("[\u0e01-\u0e2e]")
_MARKED = re.compile("[\u0e01-\u0e2e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]")
_VOWELS = re.compile("[aeiouyăâêôơư]", re.IGNORECASE)
_FEWEST_MARKS = 3
_FEWEST_TONES = 3  # kinds: Italian has two letters in their place: "ò" and "ì"
_IN_PLACE = 0.95  # min. share of the marks that stand where they belong
# ISO-8859-15 has letters where the others have fractions: "1½lb" is more likely than "1œlb", but "œuvre" than "½uvre".
_FRACTION = re.compile(r"(?<![^\W\d_])(?:[œŒ](?![uiUI])|Ÿ)")
_BESIDE = re.compile(r"([A-Za-z]?)([^\x00-\x7f])(?=([A-Za-z]?))")
_MOST_GAPS = 1000  # max. gaps that are examined singly
_NAMED_BYTES = 5  # bytes in a warning
_TWICE = re.compile(  # "MANHÃ…" is a word in capitals
    "[ÂÃ][\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™](?<![A-ZÀ-Þ][ÂÃ][¡«»¿–—‘’‚“”„…‹›])|â€|Ð|Ñ|å|ã"
)
_FEWEST_TWICE = 3  # min. letters that show that a text was encoded twice
# bytes that cp1252 lacks
_BYTES = {letter: bytes((number,)) for number in range(0x80, 0xA0) for letter in (chr(number),)}
_FEWEST_MIXED = 3  # min. lines with letters in UTF-8
_SEVEN_BIT = ("iso-2022", "hz", "utf-7")
_SAMPLE = 100_000  # bytes; enough to recognize an encoding
_NOISE = 0.01  # with a larger share of control characters, it is not a text

_ESCAPE = b"\x1b$"  # begins letters of two bytes in ISO-2022
_EAST_ASIAN = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uff9f、。]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]{2,}")
_OF_A_SCRIPT = re.compile(rb"[\x01-\x06]")  # half of each Cyrillic, Greek or Arabic letter in UTF-16
_HIGH = re.compile(rb"[\x80-\xff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode(content: bytes, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """The text of `content`, and warnings of guesses. `declared`: the encoding that the file or the client names.
    Raises UnreadableDocument if it is not a text.
    """
    text, warnings = _decode(content, declared)
    noise = len(_CONTROL.findall(text))
    if noise > max(2, _NOISE * len(text)):
        raise UnreadableDocument(
            "The file is binary: it is full of control characters.",
            cure="Send text, Markdown, PDF, DOCX, HTML, EPUB or a mail (.eml, .msg).",
        )
    return text, warnings


def _decode(content: bytes, declared: str) -> tuple[str, tuple[str, ...]]:
    if declared.lower().startswith(_SEVEN_BIT):  # it looks like valid UTF-8
        try:
            return content.decode(declared), ()
        except (LookupError, ValueError):
            pass
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return _with_gaps(content, encoding)
    if _ESCAPE in content and (japanese := _iso2022(content)):
        return japanese, ()
    if encoding := _wide_without_mark(content):
        return _with_gaps(content, encoding)
    try:
        return _encoded_once(content.decode("utf-8"))
    except UnicodeDecodeError:
        pass
    with suppress(UnicodeError):  # Java and MySQL write characters of four bytes as two of three
        return content.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16"), ()
    if mixed := _decode_mixed(content):
        return mixed
    if _is_damaged_utf8(content):
        return _with_gaps(content, "utf-8")
    codec = meant_by(declared)
    if codec and not _is_wrong_codec(content, codec):
        text, doubts = _with_gaps(content, codec)
        if text.count("\ufffd") <= max(1, _NOISE * len(text)):  # otherwise it is another encoding
            return text, doubts
    encoding = _old_encoding(content)
    text, doubts = _with_gaps(content, encoding)
    text = unicodedata.normalize("NFC", text) if encoding == "cp1258" else text  # its tones are letters of their own
    return text, (f"{GUESSED}{encoding}", *doubts)


def _encoded_once(text: str) -> tuple[str, tuple[str, ...]]:
    """The original of a text that was read as Windows-1252 and encoded again ("ThÃ©o"). One or two letters may be
    intended: "AMANHÃ…", a text that quotes "cafÃ©".
    """
    if text.isascii() or len(list(islice(_TWICE.finditer(text[:_SAMPLE]), _FEWEST_TWICE))) < _FEWEST_TWICE:
        return text, ()
    try:
        _decoded_again(text[:_SAMPLE], final=False)  # fail early on a long text
        once = _decoded_again(text, final=True)
    except UnicodeError:
        return text, ()
    return once, ("it was encoded twice in UTF-8: read as it was before",)


def _decoded_again(text: str, *, final: bool) -> str:
    content = b"".join(_BYTES.get(letter) or letter.encode("cp1252") for letter in text)
    return codecs.getincrementaldecoder("utf-8")().decode(content, final)


def _decode_mixed(content: bytes) -> tuple[str, tuple[str, ...]] | None:
    """A file with some lines in UTF-8 and others in Windows-1252, as when two programs append to it; None for any other
    file.
    """
    lines = content.split(b"\n")
    utf8 = [_is_utf8(line) for line in lines]
    high = [bool(_HIGH.search(line)) for line in lines]
    good = sum(is_good and has for is_good, has in zip(utf8, high, strict=True))
    bad = [n for n, is_good in enumerate(utf8) if not is_good]
    if good < max(_FEWEST_MIXED, len(bad)) or any(likelihood(lines[n], "cp1252") <= 0 for n in bad):
        return None
    text = "\n".join(
        line.decode("utf-8" if is_good else "cp1252", "replace") for line, is_good in zip(lines, utf8, strict=True)
    )
    named = ", ".join(str(n + 1) for n in bad[:_NAMED_BYTES]) + (" and more" if len(bad) > _NAMED_BYTES else "")
    return text, (f"most lines are UTF-8; read as cp1252: line {named}",)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def meant_by(label: str) -> str:
    """The codec that a label means; "" if it is unknown, or UTF-8, which is tried first."""
    name = label.strip().strip("\"'").lower()
    codec = _MEANT.get(name, _MEANT.get(name.replace("_", "-"), name))
    try:
        b"a".decode(codec or "utf-8")
    except (LookupError, ValueError):
        return ""
    return codec


def _with_gaps(content: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    """The text, and the bytes without a letter in that encoding."""
    try:
        return content.decode(encoding), ()
    except UnicodeDecodeError:
        pass
    gaps: list[str] = []
    at, parts = 0, []
    while at < len(content):
        try:
            parts.append(content[at:].decode(encoding))
            break
        except UnicodeDecodeError as error:
            parts += [content[at : at + error.start].decode(encoding), "\ufffd"]
            wrong = content[at + error.start : at + error.end]
            gaps.append(f"0x{wrong.hex()} at byte {at + error.start:,}")
            at += max(error.end, error.start + 1)
            if len(gaps) > _MOST_GAPS:
                parts.append(content[at:].decode(encoding, errors="replace"))
                break
    named = ", ".join(gaps[:_NAMED_BYTES]) + (" and more" if len(gaps) > _NAMED_BYTES else "")
    return "".join(parts), (f"broken {encoding}: what could not be read is marked \ufffd ({named})",)


def _utf16_without_mark(content: bytes) -> str:
    """ "utf-16-le", "utf-16-be" or "": spaces and newlines give a NUL at every odd, or at every even, place."""
    sample = content[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    most, least = max(even, odd), min(even, odd)
    if len(sample) < 4 or most < len(sample) // 2 * 0.05 or least > most * 0.05:
        return ""
    if sample.isascii() and most < 0.4 * len(sample) / 2 and not _OF_A_SCRIPT.search(sample):
        return ""  # ASCII with NULs, which as UTF-16 would be Chinese
    return "utf-16-be" if even > odd else "utf-16-le"


def _wide_without_mark(content: bytes) -> str:
    """The encoding of a text in UTF-16 or UTF-32 without a mark; "" for another."""
    quarters = [content[n:_SAMPLE:4].count(0) for n in range(4)]
    least = 0.9 * len(content[:_SAMPLE]) / 4
    if len(content) % 4 == 0 and min(quarters[2:]) >= least and quarters[0] < least:
        return "utf-32-le"
    if len(content) % 4 == 0 and min(quarters[:2]) >= least and quarters[3] < least:
        return "utf-32-be"
    return _utf16_without_mark(content) or _utf16_of_wide_letters(content)


def _utf16_of_wide_letters(content: bytes) -> str:
    """The same for a text in Chinese, Japanese or Korean, which has NULs only at line ends."""
    sample = content[: _SAMPLE - _SAMPLE % 2]
    if len(content) % 2 or len(sample) < 2 * _FEWEST_HIGH or sample.isascii() or b"\0" not in sample:
        return ""
    for codec in ("utf-16-le", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            text = sample.decode(codec)
            if len(_EAST_ASIAN.findall(text)) >= _IN_PLACE * len("".join(text.split())):
                return codec
    return ""


def _iso2022(content: bytes) -> str:
    """A text in ISO-2022-JP or -KR, which is ASCII with escapes; "" for another."""
    for codec in ("iso2022_jp", "iso2022_jp_2", "iso2022_kr"):
        with suppress(UnicodeDecodeError):
            return content.decode(codec)
    return ""


def _is_damaged_utf8(content: bytes) -> bool:
    """Whether most bytes outside ASCII are valid UTF-8: then it is a cut or patched file, not another encoding."""
    sample = content[:_SAMPLE].decode("utf-8", errors="replace")
    broken = sample.count("\ufffd")
    good = sum(not letter.isascii() for letter in sample) - broken
    western = sum(letter in _GOOD | _CAPITALS for letter in sample)
    return good > 10 * broken or (western == good and western > max(_FEWEST_MARKS, broken))


def _old_encoding(content: bytes) -> str:
    sample = content[:_SAMPLE]
    western = sample.decode("cp1252", "replace").count("\ufffd") <= 0.02 * len(_HIGH.findall(sample))
    scores = {codec: likelihood(sample, codec) for codec in _WESTERN}
    scores["iso8859_15"] -= 2 * len(_FRACTION.findall(sample.decode("iso8859_15", "replace")))
    best = max(_WESTERN, key=lambda codec: scores[codec] + 1.5 * (codec == "cp1252"))
    western = western or scores[best] + 1.5 * (best == "cp1252") > 0
    # In Western European languages single accented letters are among ASCII letters; in others whole words are high
    # bytes.
    in_runs = sum(map(len, _HIGH_RUN.findall(sample)))
    high = len(_HIGH.findall(sample))
    if by_marks := _encoding_by_marks(sample, high):
        return by_marks
    other, score = max(
        ((codec, likelihood(sample, codec, letters)) for codec, letters in _ELSEWHERE), key=lambda one: one[1]
    )
    if score >= max(scores.values()) + max(2, 0.05 * high) and score >= 0.6 * high:
        return other
    if in_runs > 0.5 * high and (cyrillic := _cyrillic(sample)):
        return cyrillic
    if scores[best] >= 0.6 * high or (western and in_runs <= 0.3 * high):
        return best
    if _is_japanese(sample):
        return "euc_jp"
    if scores["cp1252"] > 0 and _are_western_letters(sample):  # "ÉÈÊÀÇÔÛ ÉTÉ"
        return "cp1252"
    guess = charset_normalizer.from_bytes(sample, cp_isolation=_OLD_ENCODINGS).best()
    if guess is not None:
        return guess.encoding
    return "cp1252" if western else "latin-1"


def _encoding_by_marks(sample: bytes, high: int) -> str:
    """The encoding of a script whose marks have their places in a word; "" if there is none."""
    hebrew, thai, vietnamese = (sample.decode(codec, "replace") for codec in ("cp1255", "cp874", "cp1258"))
    finals = _FINAL.findall(hebrew)
    letters = len(_HEBREW.findall(hebrew))
    # A sentence may have none; read as Cyrillic, they would be frequent within words.
    fewest = 0 if letters == high >= _FEWEST_HIGH else _FEWEST_MARKS
    if letters >= _IN_PLACE * high and _are_in_place([not after for after in finals], fewest):
        return "cp1255"
    marks = _THAI_MARK.findall(thai)
    in_thai = "\ufffd" not in thai and len(_THAI.findall(thai)) >= _IN_PLACE * high and len(marks) >= 0.1 * high
    in_place = [bool(_MARKED.match(before)) for before in marks]
    in_place += [bool(_CONSONANTS.match(after)) for after in _THAI_VOWEL.findall(thai)]
    in_place += [False for _ in _NO_THAI.findall(thai)]
    if in_thai and _are_in_place(in_place):
        return "cp874"
    tones = _TONE.findall(vietnamese)
    several = len(set(_TONES.findall(vietnamese))) >= _FEWEST_TONES
    if several and len(tones) >= 0.2 * high and _are_in_place([bool(_VOWELS.match(before)) for before in tones]):
        return "cp1258"
    return ""


def _are_in_place(marks: Sequence[bool], fewest: int = _FEWEST_MARKS) -> bool:
    return len(marks) >= fewest and sum(marks) >= _IN_PLACE * len(marks)


def _are_western_letters(sample: bytes) -> bool:
    return all(
        letter.isascii() or letter in _GOOD | _CAPITALS | _SIGNS for letter in sample.decode("cp1252", "replace")
    )


def _cyrillic(sample: bytes) -> str:
    """The Cyrillic encoding in which whole words of high bytes are words; "" if there is none. Its most frequent
    letters make up half of a text in each of the languages, and capitals begin words.
    """
    shares = {codec: cyrillic_share(sample.decode(codec, "replace")) for codec in _CYRILLIC}
    codec = max(shares, key=lambda codec: shares[codec])
    return codec if shares[codec] >= LEAST_FREQUENT else ""


def cyrillic_share(text: str) -> float:
    high = sum(not letter.isascii() for letter in text)
    lowered = text.lower()
    frequent = sum(lowered.count(letter) for letter in _FREQUENT_CYRILLIC)
    other = sum(letter not in _SIGNS for letter in _NOT_CYRILLIC.findall(text))
    other += len(_MISPLACED_SIGN.findall(text)) + len(_MIXED_WORD.findall(text))
    other += len(_CAPITAL_INSIDE.findall(text)) + len(_NO_WORD.findall(text))
    return (frequent - other) / max(1, high)


def _is_japanese(sample: bytes) -> bool:
    """Whether bytes are EUC-JP: kana are frequent, which other East Asian encodings read as rare characters."""
    text = sample.decode("euc_jp", "ignore")
    high = len(_HIGH.findall(sample))
    kana = sum("\u3041" <= letter <= "\u30fe" for letter in text)
    lost = high - 2 * sum(letter > "\x7f" for letter in text)
    return kana * 2 >= 0.2 * high and abs(lost) <= 0.02 * high


def _is_wrong_codec(content: bytes, codec: str) -> bool:
    """Whether a text cannot be in the named Western European encoding: whole words are high bytes."""
    sample = content[:_SAMPLE]
    high = len(_HIGH.findall(sample))
    return codec == "cp1252" and high >= _FEWEST_HIGH and sum(map(len, _HIGH_RUN.findall(sample))) >= 0.8 * high


def likelihood(sample: bytes, codec: str, letters: frozenset[str] = _GOOD) -> int:
    """Letters that fit into their words minus those that do not, if these bytes are in `codec`."""
    capitals = _CAPITALS if letters is _GOOD else frozenset(letter.upper() for letter in letters) | {"İ"}
    score = 0
    for before, letter, after in _BESIDE.findall(sample.decode(codec, "replace")):
        if letter in _DASHES:
            score += bool(before and after)  # "the Corvid—the ketch"
        elif letter in letters and letter.isalpha() and after.isupper() and not before.isupper():
            score -= 1  # "OíHara"
        elif letter in letters or (letter in capitals and not before.islower()):
            score += bool(before or after)
        elif letter not in _SIGNS or (before and after):
            score -= 1
    return score
