"""Idioms that look like denials and are none: "no doubt", "not only", "n'est-ce pas"."""

from __future__ import annotations

import re

# Idioms that look like denials. Matched on the text as written.
_NO_DENIAL = {
    "en": re.compile(
        r"\bnot (?:only|merely|simply|until|till|without)\b|\b(?:no|without) (?:a |any )?doubt\b"
        r"|\bno (?:less|more|sooner|other) than\b|\bno sooner\b"
        r"|\bwithout (?=(?:an?|any|another|further|more|much) \w+\b(?! \w+ing\b))"
        r"|\bnone other than\b|\bnothing but\b|\b(?:to )?say nothing (?:of|there)"
        r"|\b(?:can|could)(?: ?not|n?['’]t) (?:but|help)\b"
        r"|\b(?:hardly|scarcely) ever\b|\bnever fail(?:s|ed)? to\b|\bnot to (?:mention|speak of)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\bsans (?:aucun )?doute\b|\bsans (?=(?:une?|aucune?|autre|plus de) \w+\b)"
        r"|\bnon seulement\b|\bn['’]est-ce pas\b|\bn['’]importe\b"
        r"|\b(?:ne|n['’]) ?(?=[^,;.!?]{1,40}\bpresque (?:jamais|pas|plus|rien)\b)"
        r"|\b(?:ne|n['’]) ?(?=[^,;.!?]{1,25}\b(?:pas|point) (?:seulement|moins)\b)"
        r"|\bn['’]en [^,;.!?]{1,25} pas moins\b|\bsi (?=[^;.!?]{1,120}, c['’](?:est|était)\b)",
        re.IGNORECASE,
    ),
}
_MONTH = re.compile(r"(?<=[\w,] )May\b")  # "may" is the only modal that is also a name


def blanked(sentence: str, language: str) -> str:
    """The sentence with idioms that deny nothing blanked, at the same offsets."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    if language in _NO_DENIAL:
        sentence = _NO_DENIAL[language].sub(blank, sentence)
    return _MONTH.sub(blank, sentence) if language == "en" else sentence
