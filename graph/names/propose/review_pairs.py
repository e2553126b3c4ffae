"""Pairs of names for review that no rule joins: one name contains the other or its words in any order, both sound
alike, or one is the acronym of the other. Near-linear time by blocking; names of a big block are compared with their
neighbours only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from rapidfuzz.distance import Indel

from filigraph.graph.names.address_rules import may_have_married
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Pairing
from filigraph.graph.names.propose.rule_result import Proposal
from filigraph.graph.text.names.blocks import MAX_SMALL_BLOCK_NAMES, WINDOW_NAMES, exchange_members
from filigraph.graph.text.names.pairs import Signature, conflict, difference, one_sided, romanized
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.phonetic import phonetic_code
from filigraph.graph.text.names.tables import FUNCTION_WORDS, GENERIC_NOUNS, PARTICLES

WORDS = 8  # max. words of a person's name
MAX_LONGER_NAMES = 3  # max. longer names with the words of a short one: more are too ambiguous ("Mary Smith")
LOWER = 4  # min. letters of a lower-case word that is not a particle
SIMILAR = 0.7  # min. letter similarity of names with the same phonetic code
MATCHED = 0.75  # min. share of the words of the shorter name that match phonetically across scripts
SOUNDS = 3  # min. length of a phonetic code
MARRIED = 0.9  # score of Miss Mary Morstan and Mrs. Mary Morstan
ACRONYM = (3, 6)  # min., max. letters

_GAPS = re.compile(r"[\s·・'’-]+")

Block = tuple[str, ...]  # the rule, and what the names have in common
Alike = tuple[Name, Name, str, float]  # two names, rule, score


@dataclass(frozen=True, kw_only=True, eq=False)
class Blocks:
    """The full names with capitals, in blocks of names to compare. Without arguments: of no names."""

    known: Mapping[Signature, Name] = field(default_factory=dict)
    members: Mapping[Block, Sequence[Signature]] = field(default_factory=dict)  # sorted
    again: Set[Block] = frozenset()  # the blocks that changed in the last update


def block_names(before: Blocks, pairing: Pairing, names: Names, signatures: Iterable[Signature]) -> Blocks:
    """The blocks after a change of the full names with these `signatures`. Time is linear in these names and their
    blocks.
    """
    known = dict(before.known)
    leaving: dict[Block, set[Signature]] = defaultdict(set)
    entering: dict[Block, set[Signature]] = defaultdict(set)
    for words in signatures:
        if gone := known.pop(words, None):
            for block in _blocks_of(gone):
                leaving[block].add(words)
        name = pairing.bearers.get(tuple(map(romanized, words)), {}).get(words)
        if name and _traits(name.form).written_as_name:
            known[words] = name
            for block in _blocks_of(name):
                if block[0] != "words" or names.is_person(name.key):
                    entering[block].add(words)
    members = dict(before.members)
    exchange_members(members, leaving, entering)
    return Blocks(known=known, members=members, again=leaving.keys() | entering.keys())


def similar_pairs(block: Block, blocks: Blocks, names: Names) -> Iterator[Proposal]:
    """Pairs of mentions with similar names in a block."""
    members = [blocks.known[words] for words in blocks.members.get(block, ())]
    if len(members) > 1:
        for a, b, rule, score in _RULES[block[0]](members, block):
            if a.key != b.key and conflict(a, b) in ("", "first name") and not one_sided(a, b):
                yield Proposal(rule, round(score, 4), names.full[a.key][0].id, names.full[b.key][0].id)


def longer_elsewhere(key: str, names: Names) -> Iterator[Proposal]:
    """A name of two words or more that has one to MAX_LONGER_NAMES longer names in other documents ("Boris Johnson" and
    "Alexandre Boris de Pfeffel Johnson", "N. Nazarbayev" and "Nursultan Nazarbayev").
    """
    longer = names.longer.get(key, frozenset())
    alone = [m for m in names.by_key.get(key, ()) if names.keys_in[m.document_id].isdisjoint(longer)]
    if not alone or len(names.signatures[key]) < 2 or len(longer) > MAX_LONGER_NAMES:
        return
    for other in sorted(longer):
        similarity = difference(names.of[key], names.of[other]).similarity
        yield Proposal("contained", round(similarity, 4), alone[0].id, names.by_key[other][0].id)


def married_pairs(words: Signature, names: Names) -> Iterator[Proposal]:
    """ "Miss Mary Morstan" and "Mrs. Mary Morstan"."""
    for one, other in combinations(names.keys_of.get(words, ()), 2):
        if may_have_married(names.of[one], names.of[other]):
            yield Proposal("core", MARRIED, names.by_key[one][0].id, names.by_key[other][0].id)


@dataclass(frozen=True, slots=True)
class _Traits:
    """The properties by which a name is compared."""

    written_as_name: bool  # all words but short ones have capitals: "Bashar al-Assad", not "offers for the house"
    words: tuple[str, ...]  # without initials and particles
    # phonetic codes of these words, sorted; () if a word has none, or for more words than a person's name has
    pairs: tuple[tuple[str, str], ...]
    sound: str
    latin: bool
    sounds: tuple[str, ...]  # of the words
    sound_pairs: tuple[str, ...]
    acronym: str  # as an acronym, if the name may be one
    initials: str  # as the expansion of an acronym
    firm: str  # without the kind of firm


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def _traits(form: str) -> _Traits:
    name = parse(form)
    small = [word for word in _GAPS.split(name.bare) if word[:1].islower() and len(word) >= LOWER]
    words = tuple(w for w in name.core if len(w) > 1 and w not in PARTICLES and w not in FUNCTION_WORDS)
    letters = "".join(name.core)
    latin = letters.isascii()
    # Outside ASCII split at spaces, since tokens of unspaced scripts are single characters.
    spoken = words if latin else [word for word in _GAPS.split(name.bare) if word]
    sounds = tuple(code for word in spoken if (code := phonetic_code(word)))
    least, most = ACRONYM
    capitals = name.bare.replace(".", "").replace(" ", "").isupper()
    return _Traits(
        written_as_name=name.proper and not small and not name.numbers,
        words=words,
        pairs=tuple(combinations(sorted(set(words)), 2)) if 1 < len(words) <= WORDS else (),
        sound=phonetic_code(letters),
        latin=latin,
        sounds=sounds,
        sound_pairs=tuple(sorted({" ".join(pair) for pair in combinations(sorted(sounds[:WORDS]), 2)})),
        acronym=letters if least <= len(letters) <= most and capitals else "",
        initials="".join(word[0] for word in words) if least <= len(words) <= most else "",
        firm="".join(_without_kind(name)),
    )


def _blocks_of(name: Name) -> Iterator[Block]:
    traits = _traits(name.form)
    yield from (("words", *pair) for pair in traits.pairs)
    yield from (("script", pair) for pair in traits.sound_pairs)
    if len(traits.sound) >= SOUNDS:
        yield "sound", traits.sound
    if len(traits.firm) >= SOUNDS:
        yield "firm", traits.firm
    yield from (("initials", letters) for letters in {traits.acronym, traits.initials} - {""})


def _same_words(people: Sequence[Name], block: Block) -> Iterator[Alike]:
    """ "Boris Johnson" and "Johnson, Alexander Boris"; "Umar Patek" and "Umar Patek Abdullah Anshori": both have the
    first and last word of the shorter one."""
    if len(people) > MAX_SMALL_BLOCK_NAMES:
        return
    words_of = [(name, _traits(name.form).words) for name in people]
    for name, words in words_of:
        if {words[0], words[-1]} == {*block[1:]}:
            longer = [(other, more) for other, more in words_of if set(words) < set(more)]
            if len(longer) <= MAX_LONGER_NAMES:
                yield from ((name, other, "contained", len(words) / len(more)) for other, more in longer)


def _same_sound(names: Sequence[Name], _: Block) -> Iterator[Alike]:
    """ "Al Qaeda" and "Al-Qa'ida"."""
    for a, b in _neighbours_in_block(names):
        likeness = Indel.normalized_similarity(_letters(a), _letters(b))
        if likeness >= SIMILAR and _traits(a.form).latin == _traits(b.form).latin:
            yield a, b, "spelling", likeness


def _letters(name: Name) -> str:
    return "".join(map(romanized, name.core))


def _other_script(names: Sequence[Name], _: Block) -> Iterator[Alike]:
    """ "Fernando Pérez" and "فرناندو بيريز": match words by phonetic code."""
    if len({_traits(name.form).latin for name in names}) == 1:
        return
    for a, b in _neighbours_in_block(names):
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


def _initials(names: Sequence[Name], block: Block) -> Iterator[Alike]:
    """ "PLA" and "People's Liberation Army"."""
    _, letters = block
    short = [name for name in names if _traits(name.form).acronym == letters]
    long = [n for n in names if _traits(n.form).initials == letters and "".join(n.core) != letters]
    if len(long) <= MAX_LONGER_NAMES:
        yield from ((name, other, "contained", 0.5) for name in short for other in long)


def _firms(names: Sequence[Name], _: Block) -> Iterator[Alike]:
    """ "Homs Refinery Corporation" and "Homs Refinery Company"; "A.B.C. Company" and "ABC Co."."""
    for a, b in _neighbours_in_block(names):
        if a.core != b.core:
            yield a, b, "spelling", Indel.normalized_similarity(_letters(a), _letters(b))


_RULES: Mapping[str, Callable[[Sequence[Name], Block], Iterator[Alike]]] = {
    "words": _same_words, "sound": _same_sound, "script": _other_script, "initials": _initials, "firm": _firms,
}  # fmt: skip

_KINDS = GENERIC_NOUNS | frozenset(("corporation", "group", "groupe", "holding", "holdings", "konzern"))


def _without_kind(name: Name) -> tuple[str, ...]:
    words = name.core
    while len(words) > 1 and (words[-1] in _KINDS or (len(words[-1]) == 2 and words[-1] in ("co", "ag", "sa"))):
        words = words[:-1]
    return words


def _neighbours_in_block(names: Sequence[Name]) -> Iterator[tuple[Name, Name]]:
    """The pairs of a block; in a big block each name is paired only with its WINDOW next neighbours."""
    reach = MAX_SMALL_BLOCK_NAMES if len(names) <= MAX_SMALL_BLOCK_NAMES else WINDOW_NAMES
    for at, name in enumerate(names):
        yield from ((name, other) for other in names[at + 1 : at + 1 + reach])
