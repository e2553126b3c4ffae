"""Pairs of names for review that no rule joins: one name contains the other or its words in any order, both sound
alike, or one is the acronym of the other. Near-linear time by blocking; names of a big block are compared with their
neighbours only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from rapidfuzz.distance import Indel

from filigraph.graph.names.forms import may_have_married
from filigraph.graph.names.index import Names
from filigraph.graph.text.names.blocks import SMALL_BLOCK, WINDOW
from filigraph.graph.text.names.pairs import conflict, difference, one_sided, romanized
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.phonetic import sound
from filigraph.graph.text.names.tables import FUNCTION_WORDS, GENERIC_NOUNS, PARTICLES

WORDS = 8  # max. words of a person's name
LONGER = 3  # max. longer names with the words of a short one: "Mary Smith" is too ambiguous
LOWER = 4  # min. letters of a lower-case word that is no particle
SIMILAR = 0.7  # min. letter similarity of names with the same phonetic code
MATCHED = 0.75  # min. share of the words of the shorter name that match phonetically across scripts
SOUNDS = 3  # min. length of a phonetic code
MARRIED = 0.9  # score of Miss Mary Morstan and Mrs. Mary Morstan
ACRONYM = (3, 6)  # min., max. letters

_GAPS = re.compile(r"[\s·・'’-]+")

Asked = tuple[str, str, str, float]  # two mention ids, rule, score


def alike(names: Names) -> Iterator[Asked]:
    """Pairs of mention ids, each with the closest rule and a score."""
    yield from _longer(names)
    yield from _married(names)
    chosen: dict[tuple[str, ...], Name] = {}
    for key in sorted(names.full):
        chosen.setdefault(names.signatures[key], names.of[key])
    known = [chosen[words] for words in sorted(chosen) if _is_written_as_name(chosen[words])]
    for found in (_same_words(known, names), _same_sound(known), _other_script(known), _initials(known), _firms(known)):
        for a, b, rule, score in found:
            if a.key != b.key and conflict(a, b) in ("", "first name") and not one_sided(a, b):
                yield names.full[a.key][0].id, names.full[b.key][0].id, rule, round(score, 4)


def _longer(names: Names) -> Iterator[Asked]:
    """Names of two words or more with one to LONGER longer names in other documents ("Boris Johnson" and "Alexandre
    Boris de Pfeffel Johnson", "N. Nazarbayev" and "Nursultan Nazarbayev")."""
    for key, longer in sorted(names.longer.items()):
        alone = [m for m in names.by_key[key] if names.keys_in[m.document_id].isdisjoint(longer)]
        if not alone or len(names.signatures[key]) < 2 or len(longer) > LONGER:
            continue
        for other in sorted(longer):
            similarity = difference(names.of[key], names.of[other]).similarity
            yield alone[0].id, names.by_key[other][0].id, "contained", round(similarity, 4)


def _married(names: Names) -> Iterator[Asked]:
    """ "Miss Mary Morstan" and "Mrs. Mary Morstan"."""
    for keys in names.keys_of.values():
        for one, other in combinations(keys, 2):
            if may_have_married(names.of[one], names.of[other]):
                yield names.by_key[one][0].id, names.by_key[other][0].id, "core", MARRIED


def _is_written_as_name(name: Name) -> bool:
    """Whether all words but short ones have capitals: "Bashar al-Assad", not "offers for the house"."""
    small = [word for word in _GAPS.split(name.bare) if word[:1].islower() and len(word) >= LOWER]
    return name.proper and not small and not name.numbers


def _words(name: Name) -> list[str]:
    return [word for word in name.core if len(word) > 1 and word not in PARTICLES and word not in FUNCTION_WORDS]


def _same_words(known: Sequence[Name], names: Names) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Boris Johnson" and "Johnson, Alexander Boris"; "Umar Patek" and "Umar Patek Abdullah Anshori"."""
    people = [(name, words) for name in known if 1 < len(words := _words(name)) <= WORDS and names.is_person(name.key)]
    holders: dict[tuple[str, str], list[tuple[Name, list[str]]]] = defaultdict(list)
    for name, words in people:
        for a, b in set(combinations(sorted(set(words)), 2)):
            holders[a, b].append((name, words))
    for name, words in people:
        first, second = sorted((words[0], words[-1]))
        holding = holders.get((first, second), [])
        if len(holding) <= SMALL_BLOCK:
            longer = [other for other, more in holding if set(words) < set(more)]
            if len(longer) <= LONGER:
                yield from ((name, other, "contained", len(words) / len(_words(other))) for other in longer)


def _same_sound(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Al Qaeda" and "Al-Qa'ida"."""
    for a, b in _met(known, lambda name: [code] if len(code := sound("".join(name.core))) >= SOUNDS else []):
        likeness = Indel.normalized_similarity(_letters(a), _letters(b))
        if likeness >= SIMILAR and "".join(a.core).isascii() == "".join(b.core).isascii():
            yield a, b, "spelling", likeness


def _letters(name: Name) -> str:
    return "".join(map(romanized, name.core))


def _other_script(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Fernando Pérez" and "فرناندو بيريز": match words by phonetic code."""
    strange = {name.key for name in known if not "".join(name.core).isascii()}
    if not strange:
        return
    sounds = {name.key: [code for word in _spoken(name) if (code := sound(word))] for name in known}

    def pairs(name: Name) -> list[str]:
        return sorted({" ".join(pair) for pair in combinations(sorted(sounds[name.key][:WORDS]), 2)})

    wanted = {pair for name in known if name.key in strange for pair in pairs(name)}
    for a, b in _met(known, lambda name: [pair for pair in pairs(name) if pair in wanted]):
        if (a.key in strange) == (b.key in strange):
            continue
        short, long = sorted((sounds[a.key], sounds[b.key]), key=len)
        left = list(long)
        matched = 0
        for code in short:
            if code in left:
                left.remove(code)
                matched += 1
        if matched > 1 and matched >= MATCHED * len(short):
            yield a, b, "spelling", matched / len(long)


def _spoken(name: Name) -> list[str]:
    """The words of a name; outside ASCII split at spaces, since tokens of unspaced scripts are single characters."""
    return _words(name) if "".join(name.core).isascii() else [word for word in _GAPS.split(name.bare) if word]


def _initials(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "PLA" and "People's Liberation Army"."""
    least, most = ACRONYM
    short: dict[str, list[Name]] = defaultdict(list)
    long: dict[str, list[Name]] = defaultdict(list)
    for name in known:
        letters = "".join(name.core)
        if least <= len(letters) <= most and name.bare.replace(".", "").replace(" ", "").isupper():
            short[letters].append(name)
        words = _words(name)
        if least <= len(words) <= most:
            long["".join(word[0] for word in words)].append(name)
    for letters, those in sorted(short.items()):
        others = [name for name in long.get(letters, []) if "".join(name.core) != letters]
        if len(others) <= LONGER:
            yield from ((name, other, "contained", 0.5) for name in those for other in others)


def _firms(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Homs Refinery Corporation" and "Homs Refinery Company"; "A.B.C. Company" and "ABC Co."."""
    bare: Mapping[str, str] = {name.key: "".join(_without_kind(name)) for name in known}
    for a, b in _met(known, lambda name: [bare[name.key]] if len(bare[name.key]) >= SOUNDS else []):
        if a.core != b.core:
            yield a, b, "spelling", Indel.normalized_similarity(_letters(a), _letters(b))


_KINDS = GENERIC_NOUNS | frozenset(("corporation", "group", "groupe", "holding", "holdings", "konzern"))


def _without_kind(name: Name) -> tuple[str, ...]:
    words = name.core
    while len(words) > 1 and (words[-1] in _KINDS or (len(words[-1]) == 2 and words[-1] in ("co", "ag", "sa"))):
        words = words[:-1]
    return words


def _met(known: Sequence[Name], blocks_of: Callable[[Name], Iterable[str]]) -> Iterator[tuple[Name, Name]]:
    """Names that share a block, each pair once; in a big block only the WINDOW next neighbours."""
    blocks: dict[str, list[int]] = defaultdict(list)
    for i, name in enumerate(known):
        for block in blocks_of(name):
            blocks[block].append(i)
    met = {
        (i, j)
        for members in blocks.values()
        for at, i in enumerate(members)
        for j in members[at + 1 : at + 1 + (SMALL_BLOCK if len(members) <= SMALL_BLOCK else WINDOW)]
    }
    return ((known[i], known[j]) for i, j in sorted(met))
