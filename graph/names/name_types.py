"""The type of an entity, from its names only: "Mrs. Pell" is a person, "Savings Bank" an organization, "rue Mercière" a
place.

Only for entities without a type from a reading. A name that suggests no type, or two ("Jonathan Park"), gives none: a
missing type disturbs less than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from filigraph.graph.text.identifiers import is_identifier
from filigraph.graph.text.names.pairs import Given, is_company
from filigraph.graph.text.names.parse import parse

PERSON, PLACE, ORGANIZATION = "Person", "Place", "Organization"
MAX_PERSON_WORDS = 4  # words of a person's name; longer ones are titles of works and the like


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The first or last word of a name, folded.
_SITES = _word_set("""
    hall court lodge manor villa cottage castle palace abbey chapel church cathedral hotel inn tavern cafe
    restaurant theatre theater street road lane avenue boulevard square station pier harbour harbor port docks quay
    island islands lake river mount mountain valley farm bridge park garden gardens forest moor bay cape county
    alley terrace house rue quai gare pont place impasse montee faubourg chateau manoir auberge ferme eglise
    cathedrale abbaye ile iles lac mont vallee foret jardin jardins hameau passage jetee cours museum gallery
    hospital prison musee galerie hopital
""")
_ORGANIZATIONS = _word_set("""
    bank company league society association foundation union committee council commission parliament senate ministry
    university academy agency bureau department corporation board mutual brothers police gazette herald chronicle
    bros times club banque compagnie ligue societe fondation comite conseil ministere universite academie agence
    prefecture tribunal gendarmerie brigade greffe courrier journal syndicat parquet cabinet etude mutuelle
    assurances
""")
# Countries and large towns.
_PLACES = _word_set("""
    england scotland ireland wales britain france germany italy spain portugal belgium holland switzerland austria
    hungary bohemia poland russia sweden norway denmark greece turkey egypt india china japan america canada mexico
    brazil argentina australia africa europe asia algeria morocco angleterre ecosse irlande allemagne italie espagne
    belgique hollande suisse autriche hongrie boheme pologne russie suede norvege danemark grece turquie egypte inde
    chine japon amerique mexique bresil argentine australie afrique algerie maroc london paris lyon marseille
    bordeaux lille nantes nancy rouen dieppe calais toulouse strasbourg bruxelles brussels geneve geneva lausanne
    zurich berlin vienna vienne prague rome milan venice venise naples turin madrid barcelona lisbon lisbonne
    amsterdam rotterdam antwerp anvers hamburg munich moscow moscou warsaw dublin edinburgh glasgow liverpool
    manchester birmingham bristol oxford cambridge dover portsmouth plymouth southampton boston chicago philadelphia
    montreal toronto sydney melbourne calcutta bombay shanghai tokyo cairo constantinople istanbul athens athenes
    copenhagen stockholm oslo versailles york jersey normandy normandie bretagne brittany sussex surrey kent essex
    yorkshire cornwall devonshire hampshire berkshire norfolk
""")


@dataclass(frozen=True, slots=True)
class _NameShape:
    """What suggests the type of a name."""

    types: frozenset[str] = frozenset()
    given: str = ""  # it is also a person's name if this is a given name


def type_by_names(forms: Iterable[str], given_names: Given) -> str:
    """The type that the names of an entity suggest; "" if none suggests one, or if they differ."""
    types = {type_ for form in forms if (type_ := _type_of(form, given_names))}
    return types.pop() if len(types) == 1 else ""


def _type_of(form: str, given_names: Given) -> str:
    shape = _shape(form)
    types = shape.types | {PERSON} if shape.given in given_names else shape.types
    return next(iter(types)) if len(types) == 1 else ""


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def _shape(form: str) -> _NameShape:
    if is_identifier(form):
        return _NameShape()
    name = parse(form)
    if not name.core or not name.proper or name.role or (name.numbers and not (name.titles or name.kin)):
        return _NameShape(types=frozenset([ORGANIZATION]) if is_company(name) else frozenset())
    head = name.core[: name.head]
    types = set()
    if is_company(name) or _ORGANIZATIONS & {head[0], head[-1]}:
        types.add(ORGANIZATION)
    elif (_SITES & {head[0], head[-1]} and len(name.core) > 1) or " ".join(name.core) in _PLACES:
        types.add(PLACE)
    if not name.named or name.head != len(name.core) or len(name.core) > MAX_PERSON_WORDS:
        return _NameShape(types=frozenset(types))
    if name.titles or name.kin or name.generation:
        types.add(PERSON)
    return _NameShape(types=frozenset(types), given=name.core[0])
