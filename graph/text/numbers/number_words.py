"""Parse number words in English and French: "nine hundred and twelve", "quatre-vingt-dix-sept", "the third"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from filigraph.graph.text.words import Token, tokens

ROMAN = "(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"  # 1 to 399, as a pattern
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ONES = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "fr": "vingt trente quarante cinquante soixante septante huitante nonante",
}
_TABLES = {
    language: {word: value for value, word in enumerate(_ONES[language].split(), start=1)}
    | {word: 10 * tens for tens, word in enumerate(_TENS[language].split(), start=2)}
    for language in _ONES
}
_TABLES["fr"] |= {"une": 1, "vingts": 20}
_HUNDREDS = {"en": ("hundred", "hundreds"), "fr": ("cent", "cents")}
_SCALES = {
    "en": {"thousand": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9, "trillion": 12},
    "fr": {
        "mille": 3,
        "mil": 3,
        "million": 6,
        "millions": 6,
        "milliard": 9,
        "milliards": 9,
        "billion": 12,
        "billions": 12,
    },
}
_BEGINS = {"en": (), "fr": ("cent", "mille", "mil")}  # multipliers allowed without a number before them
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)


def _days() -> dict[str, dict[str, int]]:
    """Language -> folded, hyphenated word -> day of the month."""
    english = dict(zip(_ORDINALS.split(), range(1, 21), strict=True)) | {"thirtieth": 30}
    english |= {
        f"{tens}-{ordinal}": n + number
        for tens, n in (("twenty", 20), ("thirty", 30))
        for ordinal, number in english.items()
    }
    french = {word: value for word, value in _TABLES["fr"].items() if 1 < value < 17 or value in (20, 30)}
    french |= {f"dix-{ordinal}": 10 + number for ordinal, number in french.items() if number in (7, 8, 9)}
    french |= {
        f"{tens}-{ordinal}": n + number
        for tens, n in (("vingt", 20), ("trente", 30))
        for ordinal, number in french.items()
    }
    french |= {"premier": 1, "vingt-et-un": 21, "trente-et-un": 31, "vingt-un": 21, "trente-un": 31}
    return {
        "en": {word: day for word, day in english.items() if day < 32},
        "fr": {word: day for word, day in french.items() if day < 32},
    }


DAYS = _days()
_AND = {"en": "and", "fr": "et"}
_GAPS = (" ", "-", "\u00a0", "\u2011")


def numbers_in_words(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, value) of each number in words. A single "neuf" is skipped, because it mostly means "new"."""
    if language not in _TABLES:
        return
    words = tokens(text)
    at = 0
    while at < len(words):
        run = _run(words, at, text, language)
        if run and [word.folded for word in run] != ["neuf"]:
            yield run[0].start, run[-1].end, _value([word.folded for word in run], language)
        at += len(run) or 1


def _run(words: Sequence[Token], at: int, text: str, language: str) -> list[Token]:
    """The longest run of words from `at` that forms one number."""
    run: list[Token] = []
    room = 10**15  # upper limit (exclusive) of the next addend
    for word in (words[place] for place in range(at, len(words))):
        if run and text[run[-1].end : word.start] not in _GAPS:
            break
        next_room = _limit_after(word.folded, run[-1].folded if run else "", room, language)
        if not next_room:
            break
        run.append(word)
        room = next_room
    while run and run[-1].folded == _AND[language]:
        run.pop()
    return run


def _limit_after(name: str, before: str, room: int, language: str) -> int:
    """The limit (exclusive) of addends after this word; 0 if the word does not continue the number."""
    value = _TABLES[language].get(name, 0)
    if value:
        if _is_four_twenty(name, before) or name == "soixante":
            return 20
        return 0 if value >= room else 10 if value >= 20 or name == "dix" else 1
    if name in _HUNDREDS[language]:
        return 100 if before or name in _BEGINS[language] else 0
    if name in _SCALES[language]:
        return 10 ** _SCALES[language][name] if before or name in _BEGINS[language] else 0
    return room if before and name == _AND[language] and room >= 10 else 0


def _value(run: Sequence[str], language: str) -> int:
    total = current = 0
    for before, name in zip(["", *run], run, strict=False):
        if _is_four_twenty(name, before):
            current += 76
        elif name in _TABLES[language]:
            current += _TABLES[language][name]
        elif name in _HUNDREDS[language]:
            current = max(current, 1) * 100
        elif name in _SCALES[language]:
            total, current = total + max(current, 1) * 10 ** _SCALES[language][name], 0
    return total + current


def _is_four_twenty(name: str, before: str) -> bool:
    return before == "quatre" and name in ("vingt", "vingts")


def value_of_digits(digits: str) -> int:
    """The value of an Arabic number or a Roman one in small letters; 0 for other words."""
    if digits.isdecimal():
        return int(digits)
    values = [_ROMAN_VALUES.get(letter, 0) for letter in digits]
    if not values or 0 in values:
        return 0
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
