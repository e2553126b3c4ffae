"""Classes of types: entities of different classes are different; an unlisted type is not evidence."""

from __future__ import annotations

from functools import lru_cache

from filigraph.graph.text.words import fold

_WORDS = {
    "person": """person persons people character human individual personne personnage individu persona personaje
        persönlichkeit figur человек персона персонаж лицо per""",
    "organization": """organization organisation group company corporation institution groupe société entreprise
        organización empresa organizzazione società firma gesellschaft unternehmen организация компания общество org""",
    "place": """place location city country town facility building lieu ville pays lugar ciudad luogo città ort stadt
        место город страна loc gpe fac""",
    "date": "date time year année fecha año anno datum jahr дата год",
    "work": "work work_of_art book film movie song livre œuvre obra libro opera buch werk книга произведение",
    "vessel": "vessel ship boat navire bateau barco nave schiff судно корабль",
    "event": "event événement evento ereignis событие",
}
_CLASS_OF = {fold(word): kind for kind, words in _WORDS.items() for word in words.split()}


@lru_cache(maxsize=4096)
def type_class(type_: str) -> str:
    """The class of a type ("Société": organization), ignoring case and accents; "" if it has none."""
    return _CLASS_OF.get(fold(type_), "")


def types_of_classes(*classes: str) -> tuple[str, ...]:
    """The types of some classes, as schemas and LLMs write them: with and without accents and capitals."""
    type_words = [word for kind in classes for word in _WORDS[kind].split()]
    return tuple(dict.fromkeys(form for word in type_words for bare in (word, fold(word))
                               for form in (bare, bare.capitalize(), bare.upper())))  # fmt: skip
