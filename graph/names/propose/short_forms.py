"""Short forms: the forms of one document, and the longer names there that each may refer to, by their words only."""

from __future__ import annotations

from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from filigraph.graph.names.address import FREQUENT, RARE, Address
from filigraph.graph.names.address_rules import agree, is_bare_surname, is_called_by_title, without_place
from filigraph.graph.names.index import Names
from filigraph.graph.text.names.pairs import Given, Signature, conflict, person_shaped
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.patronymics import normalize_patronymic
from filigraph.graph.text.names.tables import CALLINGS, MILITARY, PARTICLES
from filigraph.graph.text.names.titles import is_boy, is_knight

PARENTS = frozenset(("father", "mother"))  # everybody calls him "le père Goriot"
SIBLINGS_OF_PARENTS = frozenset(("uncle", "aunt"))
RARER = 4  # a title is rare beside a title that is this many times as frequent


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A form, and the longer names of its document that it may be short for."""

    key: str
    mention: str  # its first mention in the document
    places: int
    longer: Sequence[tuple[str, int]]  # first mention and number of places of each, sorted
    doubtful: Sequence[tuple[str, int]] = ()  # the same for those that a person should decide about


@dataclass(frozen=True, slots=True)
class FormGroup:
    """The forms of the same words in one document."""

    mention_of: Mapping[str, str]  # key -> its first mention there, sorted by key
    places: Mapping[str, int]  # of each key
    short: Sequence[ShortForm]  # () if the document has no longer name that contains one of them
    rule: str = "contained"
    of_family: bool = False  # whether somebody with a given name has the words as the surname

    @property
    def id(self) -> str:
        """Its first mention; no other group of this rule has it."""
        return next(iter(self.mention_of.values()))

    def mentions(self) -> Iterator[str]:
        """All mentions that it may join, or show to a person."""
        yield from self.mention_of.values()
        for form in self.short:
            yield from (mention for mention, _ in form.longer)
            yield from (mention for mention, _ in form.doubtful)


def short_forms(document: str, names: Names) -> Sequence[Sequence[FormGroup]]:
    """The forms of a document that may be joined there, by the number of words, most first: one sequence for each
    number, then the short given names."""
    if document not in names.documents or not names.has_short_forms(document):
        return ()
    return tuple(forms for forms in _forms_in(document, names) if forms)


def _forms_in(document: str, names: Names) -> Iterator[Sequence[FormGroup]]:
    mention_of: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for mention in names.documents[document]:
        counts[mention.key] += mention.count
        mention_of.setdefault(mention.key, mention.id)
    by_words = _by_words(mention_of, counts, names)
    by_length: dict[int, list[Signature]] = defaultdict(list)
    for words in by_words:
        by_length[len(words)].append(words)
    here = names.keys_in[document]
    address = Address(names, counts)
    for length in sorted(by_length, reverse=True):
        forms = []
        for words in sorted(by_length[length]):
            keys = sorted(by_words[words])
            longer = {o for key in keys for o in here & names.longer.get(key, frozenset())}.difference(keys)
            longer.update(address.by_given_name(words))
            if longer or len(keys) > 1:
                short = [_short_form(key, keys, sorted(longer), mention_of, address) for key in keys if longer]
                places = {key: counts[key] for key in keys}
                group = FormGroup(
                    {key: mention_of[key] for key in keys}, places, short, of_family=bool(address.given_names(words))
                )
                forms.append(group)
        yield forms
    yield [
        _hypocorism(word, keys, mention_of, address) for word, keys in sorted(_hypocorisms(by_words, address).items())
    ]


def _by_words(keys: Iterable[str], counts: Mapping[str, int], names: Names) -> Mapping[Signature, list[str]]:
    """Words -> the names that are made of them. "Mr. Bell of Oxford" is a form of "Mr. Bell", unless there is a "Mr.
    Bell of Hull"; "Farmer Oak" one of "Mr. Oak", unless rare: "Farmer Smith" beside "Mr. Smith"; "Ivan
    Ivanitch" one of "Ivan Ivanovitch".
    """
    by_words: dict[Signature, list[str]] = defaultdict(list)
    from_places: dict[Signature, list[str]] = defaultdict(list)
    called: dict[Signature, list[str]] = defaultdict(list)
    for key in keys:
        name = names.of[key]
        words = without_place(name)
        if len(words) < len(name.core) and person_shaped(name, names.given) and (name.titles or len(words) > 1):
            from_places[words].append(key)
        elif len(words) == 2 and words[0] in CALLINGS and counts[key] > RARE:
            called[words[1:]].append(key)
        else:
            by_words[normalize_patronymic(names.signatures[key])].append(key)
    those_of = {words: tuple(those) for words, those in by_words.items()}
    for words, those in from_places.items():
        is_one = words in those_of and len({names.of[key].core for key in those}) == 1
        for key in those:
            by_words[words if is_one else names.signatures[key]].append(key)
    for words, those in called.items():
        is_one = len({names.of[key].core for key in those}) == 1  # Farmer Brown and Lawyer Brown are two
        is_surname = is_one and any(names.of[key].titles for key in those_of.get(words, ()))
        for key in those:
            by_words[words if is_surname else names.signatures[key]].append(key)
    return by_words


def _hypocorisms(by_words: Mapping[Signature, Sequence[str]], address: Address) -> dict[str, list[str]]:
    """Short given names that are not anybody's whole name here, each with its forms: "Lizzy", "poor Lizzy". A rare one
    may mean anybody.
    """
    whole = {words[0] for words in by_words if len(words) > 1}
    return {
        words[0]: sorted(keys)
        for words, keys in by_words.items()
        if len(words) == 1
        and words[0] not in whole
        and sum(address.counts[key] for key in keys) > RARE
        and address.called_in_full(words[0])
    }


def _hypocorism(word: str, keys: Sequence[str], mention_of: Mapping[str, str], address: Address) -> FormGroup:
    """The forms of a short given name, which is short for the names that begin with the full given name. If one person
    is mostly called by the short form, it may be the other's child: a person should decide.
    """
    counts, bearers = address.counts, address.called_in_full(word)
    rare = sum(counts[key] for key in keys) <= sum(counts[other] for other in bearers)
    longer = sorted((mention_of[other], counts[other]) for other in bearers)
    short = [
        ShortForm(
            key=key,
            mention=mention_of[key],
            places=counts[key],
            longer=longer if rare else (),
            doubtful=() if rare else longer,
        )
        for key in keys
    ]
    return FormGroup({key: mention_of[key] for key in keys}, {key: counts[key] for key in keys}, short, "nickname")


def _short_form(
    key: str,
    keys: Sequence[str],
    longer: Sequence[str],
    mention_of: Mapping[str, str],
    address: Address,
) -> ShortForm:
    """`keys`: all forms of these words; those that agree with this one, but with none of its longer names, count as
    such."""
    names, counts = address.names, address.counts
    name = names.of[key]
    fitting = address.fitting(key, names.without_junk(names.fitting(key, longer), counts))
    doubtful = [other for other in fitting if address.is_doubtful(key, other)]
    fitting = [other for other in fitting if other not in doubtful]
    rivals = [other for other in keys if other != key and not conflict(name, names.of[other])]
    rivals = [other for other in rivals if not _is_dead_namesake(names.of, counts, key, other)]
    rivals = [o for o in rivals if not names.of[o].kin - PARENTS]  # who "sister Price" is depends on the speaker
    if is_bare_surname(name, names.given):
        rivals = [other for other in rivals if not is_called_by_title(names.of[other])]
    if names.is_given_alone(key):  # "Mrs. Amelia" is Amelia
        rivals = [other for other in rivals if "mrs" not in names.of[other].titles]
    apart = [other for other in rivals if any(conflict(names.of[other], names.of[fit]) for fit in fitting)]
    return ShortForm(
        key=key,
        mention=mention_of[key],
        places=counts[key],
        longer=sorted((mention_of[other], counts[other]) for other in {*fitting, *apart}),
        doubtful=sorted((mention_of[other], counts[other]) for other in doubtful),
    )


def pairs_that_agree(
    keys: Sequence[str],
    names: Names,
    *,
    convention: bool,
    places: Mapping[str, int] | None = None,
    of_family: bool = False,
) -> Iterator[tuple[str, str, bool]]:
    """Pairs of keys of one signature without conflict, each with whether a person must decide. A person must if a
    partner of either key conflicts with another partner ("Delmas" with "M. Delmas" and "Mme Delmas"). With
    `convention`, a bare surname is not paired with a woman's title, which often resolves this, unless only she has the
    surname. With `places` of the keys in a document, it is not paired with a rare title beside a frequent one either
    ("Admiral Crawford", "Mr. Crawford"). `of_family`: whether somebody with a given name has the words as the surname.
    """
    name_of, given_names = {key: names.of[key] for key in keys}, names.given
    for word in {name_of[key].core[0] for key in keys if _is_given_name(key, keys, name_of, places)}:
        given_names = ChainMap({word: "f"}, dict(given_names))
    others = set(_of_another_age(keys, name_of, given_names, of_family=of_family))
    here = [key for key in keys if key not in others]
    partners = {key: [o for o in here if o != key and agree(name_of[key], name_of[o], given_names)] for key in here}
    if convention:
        for key in (key for key in here if is_bare_surname(name_of[key], given_names)):
            partners[key] = [other for other in partners[key] if not is_called_by_title(name_of[other])]
        for key, other in _only_bearer(here, name_of, places or {}) if places and not of_family else ():
            partners[key] = [*partners[key], other]
            partners[other] = [*partners[other], key]
    if places:
        partners = {key: _without_rare(key, those, name_of, places) for key, those in partners.items()}
    torn = {
        key
        for key, those in partners.items()
        if any(conflict(name_of[a], name_of[b]) for a, b in combinations(those, 2))
    }
    for key in here:
        for other in partners[key]:
            if key < other and key in partners[other]:
                yield key, other, key in torn or other in torn or _is_dead_namesake(name_of, places or {}, key, other)


def _is_dead_namesake(name_of: Mapping[str, Name], places: Mapping[str, int], first: str, second: str) -> bool:
    """Whether one of two forms means somebody dead and the other is so frequent that its person lives: "the late Mr.
    Darcy", "Mr. Darcy".
    """
    late, other = (first, second) if name_of[first].age == "late" else (second, first)
    if name_of[late].age != "late" or name_of[other].age == "late" or not name_of[late].titles:
        return False
    return places.get(other, 0) >= RARER * places.get(late, 0) > 0


def _is_given_name(
    key: str, keys: Sequence[str], name_of: Mapping[str, Name], places: Mapping[str, int] | None
) -> bool:
    """Whether a word without a title is a given name in spite of a title elsewhere: it is frequent, and the only title
    before it is a rare Miss, as before a servant's.
    """
    titled = [other for other in keys if name_of[other].titles]
    if not places or not titled or key in titled or len(name_of[key].core) != 1 or name_of[key].kin:
        return False
    return all(name_of[other].titles == {"miss"} for other in titled) and places[key] >= RARER * sum(
        places[other] for other in titled
    )


def _only_bearer(
    keys: Sequence[str], name_of: Mapping[str, Name], places: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """The bare surname and the one title of the only woman who has it: a servant, a companion ("Briggs", "Miss
    Briggs"). If it is rare beside the title, it may be her husband's.
    """
    bare = [key for key in keys if not name_of[key].titles and not name_of[key].kin]
    women = [key for key in keys if is_called_by_title(name_of[key])]
    if len({(name_of[key].titles, name_of[key].kin) for key in women}) != 1 or len(bare) + len(women) < len(keys):
        return
    for key, other in product(bare, women):
        if not name_of[key].gender and places[key] >= FREQUENT and RARER * places[key] >= places[other]:
            yield key, other


def _of_another_age(
    keys: Sequence[str], name_of: Mapping[str, Name], given_names: Given, *, of_family: bool
) -> Iterator[str]:
    """The forms of one surname that distinguish a person from others of the name: "Master Osborne" beside "Mr.
    Osborne"; "le père Duroy" beside "la mère Duroy"; in a family "young Hawley" and "Aunt March", who may not be "Mr.
    Hawley" and "Mrs. March".
    """
    names = [name_of[key] for key in keys]
    has_mr = any("mr" in name.titles and not is_boy(name) for name in names)
    of_family = of_family or any("miss" in name.titles for name in names)
    has_parents = frozenset[str]().union(*(name.kin for name in names)) >= PARENTS
    for key in keys:
        name = name_of[key]
        if (len(name.core) > 1 and name.core[0] not in PARTICLES) or name.core[0] in given_names:
            continue
        is_younger = of_family and (name.kin & SIBLINGS_OF_PARENTS or name.age == "younger")
        if is_younger or (has_mr and is_boy(name)) or (has_parents and name.kin & PARENTS):
            yield key


def _without_rare(
    key: str, partners: Sequence[str], name_of: Mapping[str, Name], places: Mapping[str, int]
) -> list[str]:
    """The partners of a key, without those that are rare beside one that they conflict with, and without two that
    conflict and are both rare ("old Hallow" and "young Hallow" beside "Mr. Hallow"). A bare given name is not the
    knight's if he is rarer, or if there is a "Mr. Pitt" beside "Sir Pitt"; nor is "brother John" then.
    """
    if not name_of[key].titles:
        alone = sum(count for other, count in places.items() if not name_of[other].titles)
        untitled = [o for o in partners if not is_knight(name_of[o])]
        knights = [o for o in partners if is_knight(name_of[o]) and RARER * places[o] > alone]
        others = (o for o in partners if name_of[o].titles & (MILITARY | {"mr"}) and places[o] > 1)
        partners = untitled if any(conflict(name_of[o], name_of[k]) for o in others for k in knights) else partners
        partners = [o for o in partners if o in untitled or o in knights]
    those = [
        o
        for o in partners
        if not any(RARER * places[o] <= places[p] and conflict(name_of[o], name_of[p]) for p in partners)
    ]
    torn = {o for a, b in combinations(those, 2) if conflict(name_of[a], name_of[b]) for o in (a, b)}
    most = max((places[o] for o in (key, *those) if o not in torn), default=0)
    return [o for o in those if o not in torn or RARER * places[o] > most]
