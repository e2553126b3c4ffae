"""Names in the form that lists use, the surname first: "Delmas, Jules", "DE LA TOUR, Marie", "Saint-Clair, J."."""

from __future__ import annotations

import re

from filigraph.graph.text.names.tables import FUNCTION_WORDS, GIVEN_NAMES, LEGAL_FORMS, PARTICLES, RANKS
from filigraph.graph.text.words import Token, tokens

MAX_SURNAME_WORDS, MAX_GIVEN_NAME_WORDS = 5, 4  # words, where a hyphen also separates two
# Additions after a name in a list: "O'BRIEN, Mary (née Walsh)", "Smith, John, Jr."
_BESIDE = re.compile(
    r"\s*\([^()]*\)\s*$|,? (?:jr|sr|jun|sen|junior|senior|fils|père|aîné|[iv]{2,3})\.?\s*$", re.IGNORECASE
)
_PARTICLES = PARTICLES | {"van", "ter", "ten", "af", "av"}
# Given names that after a comma rather are the place of a place: "Atlanta, Georgia".
_ALSO_PLACES = frozenset(
    ("adelaide", "augusta", "carolina", "charlotte", "dominica", "florence", "georgia", "nancy", "regina", "sofia")
) | {"victoria", "virginia"}
# Countries, states, counties and departments: "Vienne, Isère" is a town, unless the word is also a given name. Folded.
_REGIONS = frozenset(
    """
    england scotland wales ireland france germany italy spain portugal belgium netherlands holland switzerland austria
    hungary poland russia ukraine greece turkey sweden norway denmark finland iceland romania bulgaria serbia croatia
    canada mexico brazil argentina chile peru cuba jamaica egypt morocco algeria tunisia kenya nigeria ghana ethiopia
    india pakistan china japan korea vietnam thailand australia zealand america
    angleterre ecosse irlande allemagne italie espagne belgique suisse autriche hongrie pologne russie grece turquie
    suede norvege danemark finlande roumanie canada mexique bresil egypte maroc algerie tunisie inde chine japon
    deutschland frankreich italien spanien osterreich schweiz ungarn polen russland schweden norwegen bayern sachsen
    preussen hessen
    alabama alaska arizona arkansas california colorado connecticut delaware hawaii idaho illinois indiana iowa kansas
    kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio
    oklahoma oregon pennsylvania texas utah vermont wisconsin wyoming mass conn penn calif ontario quebec manitoba
    alberta
    bedfordshire berkshire buckinghamshire cambridgeshire cheshire cornwall cumberland derbyshire devon devonshire
    dorset dorsetshire durham essex gloucestershire hampshire herefordshire hertfordshire kent lancashire leicestershire
    lincolnshire middlesex norfolk northamptonshire northumberland nottinghamshire oxfordshire rutland shropshire
    somerset staffordshire suffolk surrey sussex warwickshire wiltshire worcestershire yorkshire
    ain aisne allier ardeche ardennes ariege aube aude aveyron calvados cantal charente cher correze corse creuse
    dordogne doubs drome eure finistere gard garonne gers gironde herault indre isere jura landes loire loiret lot
    lozere manche marne mayenne meurthe meuse morbihan moselle nievre nord oise orne rhone saone sarthe savoie seine
    somme tarn var vaucluse vendee vienne vosges yonne yvelines
    """.split()  # noqa: SIM905
)


def is_inverted(form: str) -> bool:
    return bool(surname_first(form))


def surname_first(form: str) -> tuple[list[Token], list[Token]] | None:
    """The words of the surname and those of the given names; None for any other form.

    After a surname of several words, a known given name or an initial is necessary: "Lake District, England".
    """
    before, comma, after = _BESIDE.sub("", form).partition(",")
    if not comma or "," in after:
        return None
    at = len(before) + 1
    surname = tokens(before)
    given_names = [Token(text=w.text, folded=w.folded, start=w.start + at, end=w.end + at) for w in tokens(after)]
    if not 1 <= len(surname) <= MAX_SURNAME_WORDS or not 1 <= len(given_names) <= MAX_GIVEN_NAME_WORDS:
        return None
    if not all(map(_fits, [*surname, *given_names])) or not _may_be_given(given_names[0]):
        return None
    if any(word.folded in _REGIONS and word.folded not in GIVEN_NAMES for word in given_names):
        return None
    several = len([word for word in surname if word.folded not in _PARTICLES]) > 1 and "-" not in before
    return (surname, given_names) if is_given(given_names[0]) or not several else None


def natural_order(form: str) -> str:
    """ "Jules Delmas" of "DELMAS, Jules", "Marie de la Tour" of "DE LA TOUR, Marie"; "" of another form."""
    inverted = surname_first(form)
    if not inverted:
        return ""
    before, _, after = _BESIDE.sub("", form).partition(",")
    surname = " ".join(before.split())
    if is_in_capitals(form) or (len(surname) > 1 and surname.isupper() and all(map(_is_initial, tokens(after)))):
        words = (word.lower() if word.lower() in _PARTICLES else word.title() for word in surname.split())
        surname = " ".join(words)
    return f"{' '.join(after.split())} {surname}"


def is_in_capitals(form: str) -> bool:
    """Whether the surname of a list's entry is in capitals: "VANE, Piers"."""
    before, _, after = form.partition(",")
    return before.isupper() and len(before) > 1 and not after.isupper()


def has_given_name(form: str) -> bool:
    """Whether the words after the comma begin with a known given name: "Marlow, John", unlike "Vienne, Isère"."""
    inverted = surname_first(form)
    return inverted is not None and inverted[1][0].folded in GIVEN_NAMES


def may_be_place(form: str) -> bool:
    """Whether the words after the comma are a given name that is also a place: "Atlanta, Georgia"."""
    inverted = surname_first(form)
    return inverted is not None and [word.folded in _ALSO_PLACES for word in inverted[1]] == [True]


def is_given(word: Token) -> bool:
    """Whether a word is a known given name, or an initial."""
    return word.folded in GIVEN_NAMES or _is_initial(word)


def _may_be_given(word: Token) -> bool:
    return word.text[0].isupper() and (_is_initial(word) or word.folded not in _PARTICLES)


def _is_initial(word: Token) -> bool:
    return len(word.folded) == 1 and word.text.isupper()


def _fits(word: Token) -> bool:
    if word.folded in _PARTICLES or _is_initial(word):
        return True
    other = word.folded in FUNCTION_WORDS or word.folded in LEGAL_FORMS or word.folded in RANKS
    return word.text[0].isupper() and not other
