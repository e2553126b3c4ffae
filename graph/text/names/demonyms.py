"""Words for a member of a nation or for its language, in English, French and German: "German", "Englishman", "une
Anglaise".

They describe a person but are not names. Left out are plurals ("the Germans", "les Belges": a nation acts in a text)
and words that are also a country or an island ("Suisse", "Corse"), a given name or a frequent surname ("Finn",
"Breton", "Bayer"). Folded, as `words.fold` leaves them.
"""

from __future__ import annotations

from collections.abc import Iterator

_ENGLISH = """
    afghan african albanian algerian american arab arabian armenian asian australian austrian bavarian belgian bolivian
    brazilian briton british bulgarian burmese canadian chilean chinese colombian congolese corsican croat croatian
    cuban cypriot czech danish dutch egyptian english ethiopian european fleming flemish finnish french german greek
    hindoo hindu hungarian icelander indian indonesian iranian iraqi irish israeli italian jamaican japanese javanese
    kenyan korean kurd lebanese libyan lithuanian maltese maori mexican mongolian moroccan nepalese nigerian norwegian
    pakistani parisian persian peruvian pole polish portuguese prussian romanian russian scotch scottish serb serbian
    siberian sicilian sikh slovak somali spaniard spanish sudanese swede swedish swiss syrian thai tibetan tunisian turk
    turkish ukrainian venetian vietnamese welsh yankee
"""
_PEOPLE = "english french irish dutch scots welsh cornish china"  # before -man, -woman
# Stems before the endings of a French demonym.
_FRENCH = {
    ("ais", "aise"): "angl franc irland ecoss holland portug japon polon finland liban senegal soudan neerland",
    ("ois", "oise"): "dan sued chin hongr bavar vienn berlin luxembourge quebec",
    ("ien", "ienne"): """
        ital autrich paris pruss ind egypt alger tunis norveg canad bresil peruv chil colomb boliv iran syr liby
        armen ukrain sicil venit austral palestin
    """,
    ("ain", "aine"): "americ afric mexic maroc napolit cub roum",
    ("ol", "ole"): "espagn",
    ("and", "ande"): "allem flam",
}
_FRENCH_MORE = """
    belge russe turc turque grec grecque arabe serbe bulgare tcheque croate basque cosaque europeen europeenne coreen
    coreenne persan persane hindou hindoue birman birmane bretonne provencal provencale
"""
_GERMAN = """
    deutscher deutsche englander englanderin franzose franzosin italiener italienerin russe russin spanier spanierin
    amerikaner amerikanerin osterreicher osterreicherin schweizerin polin ungar ungarin turke turkin grieche griechin
    belgier belgierin hollander hollanderin danin schwede schwedin norweger norwegerin chinese chinesin japaner
    japanerin araber araberin
"""


def _inflected() -> Iterator[str]:
    yield from (*_ENGLISH.split(), *_FRENCH_MORE.split(), *_GERMAN.split())
    for people in _PEOPLE.split():
        yield from (f"{people}man", f"{people}woman")
    for endings, stems in _FRENCH.items():
        yield from (stem + ending for stem in stems.split() for ending in endings)


DEMONYMS = frozenset(_inflected())
