"""Pairs of names for review that no rule joins: one name contains the other or its words in any order, both sound
alike, or one is the acronym of the other. Near-linear time by blocking; names of a big block are compared with their
neighbours only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from operator import itemgetter

from rapidfuzz.distance import Indel

from filigraph.graph.names.forms import may_have_married
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Pairing
from filigraph.graph.text.names.blocks import SMALL_BLOCK, WINDOW
from filigraph.graph.text.names.pairs import conflict, difference, one_sided, romanized
from filigraph.graph.text.names.parse import Name, parse
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


def alike(names: Names, pairing: Pairing) -> Iterator[Asked]:
    """Pairs of mention ids, each with the closest rule and a score."""
    yield from _longer(names)
    yield from _married(names)
    full = (item for bearers in pairing.bearers.values() for item in bearers.items())
    written_as_names = (item for item in full if _traits(item[1].form).written_as_name)
    known = [name for _, name in sorted(written_as_names, key=itemgetter(0))]
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


@dataclass(frozen=True, slots=True)
class _Traits:
    """What a name is compared by."""

    written_as_name: bool  # all words but short ones have capitals: "Bashar al-Assad", not "offers for the house"
    words: tuple[str, ...]  # without initials and particles
    pairs: tuple[tuple[str, str], ...]  # of these words, sorted; () where it has one, or more than a person's name
    sound: str
    latin: bool
    sounds: tuple[str, ...]  # of the words
    sound_pairs: tuple[str, ...]
    acronym: str  # if the name may be one
    initials: str  # for which an acronym may stand
    firm: str  # without what kind of firm it is


@lru_cache(maxsize=1 << 18)  # as many as `parse` keeps
def _traits(form: str) -> _Traits:
    name = parse(form)
    small = [word for word in _GAPS.split(name.bare) if word[:1].islower() and len(word) >= LOWER]
    words = tuple(w for w in name.core if len(w) > 1 and w not in PARTICLES and w not in FUNCTION_WORDS)
    letters = "".join(name.core)
    latin = letters.isascii()
    # Outside ASCII split at spaces, since tokens of unspaced scripts are single characters.
    spoken = words if latin else [word for word in _GAPS.split(name.bare) if word]
    sounds = tuple(code for word in spoken if (code := sound(word)))
    least, most = ACRONYM
    capitals = name.bare.replace(".", "").replace(" ", "").isupper()
    return _Traits(
        written_as_name=name.proper and not small and not name.numbers,
        words=words,
        pairs=tuple(combinations(sorted(set(words)), 2)) if 1 < len(words) <= WORDS else (),
        sound=sound(letters),
        latin=latin,
        sounds=sounds,
        sound_pairs=tuple(sorted({" ".join(pair) for pair in combinations(sorted(sounds[:WORDS]), 2)})),
        acronym=letters if least <= len(letters) <= most and capitals else "",
        initials="".join(word[0] for word in words) if least <= len(words) <= most else "",
        firm="".join(_without_kind(name)),
    )


def _same_words(known: Sequence[Name], names: Names) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Boris Johnson" and "Johnson, Alexander Boris"; "Umar Patek" and "Umar Patek Abdullah Anshori"."""
    people = [(name, traits) for name in known if (traits := _traits(name.form)).pairs and names.is_person(name.key)]
    holders: dict[tuple[str, str], list[tuple[Name, tuple[str, ...]]]] = defaultdict(list)
    for name, traits in people:
        for pair in traits.pairs:
            holders[pair].append((name, traits.words))
    for name, traits in people:
        words = traits.words
        holding = holders.get((words[0], words[-1]) if words[0] < words[-1] else (words[-1], words[0]), [])
        if 1 < len(holding) <= SMALL_BLOCK:
            longer = [(other, more) for other, more in holding if set(words) < set(more)]
            if len(longer) <= LONGER:
                yield from ((name, other, "contained", len(words) / len(more)) for other, more in longer)


def _same_sound(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Al Qaeda" and "Al-Qa'ida"."""
    for a, b in _met(known, lambda traits: [traits.sound] if len(traits.sound) >= SOUNDS else []):
        likeness = Indel.normalized_similarity(_letters(a), _letters(b))
        if likeness >= SIMILAR and _traits(a.form).latin == _traits(b.form).latin:
            yield a, b, "spelling", likeness


def _letters(name: Name) -> str:
    return "".join(map(romanized, name.core))


def _other_script(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Fernando Pérez" and "فرناندو بيريز": match words by phonetic code."""
    wanted = {pair for name in known if not (traits := _traits(name.form)).latin for pair in traits.sound_pairs}
    for a, b in _met(known, lambda traits: wanted.intersection(traits.sound_pairs)) if wanted else ():
        one, other = _traits(a.form), _traits(b.form)
        if one.latin == other.latin:
            continue
        short, long = sorted((one.sounds, other.sounds), key=len)
        left = list(long)
        matched = 0
        for code in short:
            if code in left:
                left.remove(code)
                matched += 1
        if matched > 1 and matched >= MATCHED * len(short):
            yield a, b, "spelling", matched / len(long)


def _initials(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "PLA" and "People's Liberation Army"."""
    short: dict[str, list[Name]] = defaultdict(list)
    for name in known:
        if letters := _traits(name.form).acronym:
            short[letters].append(name)
    long: dict[str, list[Name]] = defaultdict(list)
    for name in known:
        if (letters := _traits(name.form).initials) in short:
            long[letters].append(name)
    for letters, those in sorted(short.items()):
        others = [name for name in long.get(letters, []) if "".join(name.core) != letters]
        if len(others) <= LONGER:
            yield from ((name, other, "contained", 0.5) for name in those for other in others)


def _firms(known: Sequence[Name]) -> Iterator[tuple[Name, Name, str, float]]:
    """ "Homs Refinery Corporation" and "Homs Refinery Company"; "A.B.C. Company" and "ABC Co."."""
    for a, b in _met(known, lambda traits: [traits.firm] if len(traits.firm) >= SOUNDS else []):
        if a.core != b.core:
            yield a, b, "spelling", Indel.normalized_similarity(_letters(a), _letters(b))


_KINDS = GENERIC_NOUNS | frozenset(("corporation", "group", "groupe", "holding", "holdings", "konzern"))


def _without_kind(name: Name) -> tuple[str, ...]:
    words = name.core
    while len(words) > 1 and (words[-1] in _KINDS or (len(words[-1]) == 2 and words[-1] in ("co", "ag", "sa"))):
        words = words[:-1]
    return words


def _met(known: Sequence[Name], blocks_of: Callable[[_Traits], Iterable[str]]) -> Iterator[tuple[Name, Name]]:
    """Names that share a block, each pair once; in a big block only the WINDOW next neighbours."""
    blocks: dict[str, list[int]] = defaultdict(list)
    for i, name in enumerate(known):
        for block in blocks_of(_traits(name.form)):
            blocks[block].append(i)
    met = {
        (i, j)
        for members in blocks.values()
        if len(members) > 1
        for at, i in enumerate(members)
        for j in members[at + 1 : at + 1 + (SMALL_BLOCK if len(members) <= SMALL_BLOCK else WINDOW)]
    }
    return ((known[i], known[j]) for i, j in sorted(met))
