"""Patronymics of Russian names, in Cyrillic or in the transliterations of English, French and German: the word behind a
given name that ends like "Petrovitch" or "Sergeyevna". In speech they are contracted: "Nikolaitch".
"""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.text.names.tables import Gender

# endings, the longest first; "itch" also ends English surnames (Fitch), so the word must be long
_MEN = ("owitsch", "ewitsch", "ovitch", "evitch", "ovich", "evich", "ович", "евич")
_CONTRACTED = ("itsch", "itch", "ич")
_WOMEN = ("ovna", "evna", "owna", "ewna", "ichna", "ishna", "inichna", "овна", "евна", "ична")
_SHORTEST = {"itsch": 9, "itch": 7, "ич": 5}  # letters of the whole word


def patronymic_gender(word: str) -> Gender:
    """The gender of a folded word that is a patronymic; "" if it is none."""
    if word.endswith(_WOMEN) and len(word) > len("ovna") + 1:
        return "f"
    if word.endswith(_MEN) and len(word) > len("ovich") + 1:
        return "m"
    return "m" if any(word.endswith(end) and len(word) >= _SHORTEST[end] for end in _CONTRACTED) else ""


def has_patronymic(words: Sequence[str]) -> bool:
    """Whether the second word of a name is a patronymic."""
    return len(words) > 1 and bool(patronymic_gender(words[1]))


def normalize_patronymic(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name with the stem of a man's patronymic: the same for "Nikolai Nikolaitch" and "Nikolai
    Nikolaevitch".
    """
    if len(words) < 2 or patronymic_gender(words[1]) != "m":
        return words
    end = next(end for end in (*_MEN, *_CONTRACTED) if words[1].endswith(end))
    return (words[0], words[1][: -len(end)], *words[2:])
