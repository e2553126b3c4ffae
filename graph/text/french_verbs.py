"""French verbs in the present: by the endings of the language, and a table of the verbs that follow none."""

from __future__ import annotations

import re

# Third person of the present, then the stems or forms from which the other tenses are known.
_VERBS = """
    est: étai fut furent sera été sont
    a: avai eut eurent aura eu ont
    fait: faisai fit firent fera font
    va: allai alla allèrent ira allé allée vont
    vient: venai vint vinrent viendra venu venue viennent
    devient: devenai devint devinrent deviendra devenu devenue deviennent
    revient: revenai revint revinrent reviendra revenu revenue reviennent
    tient: tenai tint tinrent tiendra tenu tiennent
    appartient: appartenai appartint appartinrent appartiendra appartenu appartiennent
    obtient: obtenai obtint obtinrent obtiendra obtenu obtiennent
    voit: voyai vit virent verra vu voient
    prend: prenai prit prirent prendra pris prennent
    apprend: apprenai apprit apprirent apprendra appris apprennent
    met: mettai mit mirent mettra mis mettent
    promet: promettai promit promirent promettra promis promettent
    dit: disai dirent dira disent
    sait: savai sut surent saura su savent
    peut: pouvai put purent pourra pu peuvent
    veut: voulai voulut voulurent voudra voulu veulent
    doit: devai dut durent devra dû doivent
    connaît: connaissai connut connurent connaîtra connu connaissent
    reconnaît: reconnaissai reconnut reconnurent reconnaîtra reconnu reconnaissent
    paraît: paraissai parut parurent paraîtra paru paraissent
    disparaît: disparaissai disparut disparurent disparaîtra disparu disparaissent
    écrit: écrivai écrivit écrivirent écrira écrivent
    vit: vivai vécut vécurent vivra vécu vivent
    suit: suivai suivit suivirent suivra suivi suivent
    sert: servai servit servirent servira servi servent
    part: partai partit partirent partira parti partie partent
    sort: sortai sortit sortirent sortira sorti sortie sortent
    meurt: mourai mourut moururent mourra mort morte meurent
    naît: naissai naquit naquirent naîtra né née naissent
    reçoit: recevai reçut reçurent recevra reçu reçoivent
    croit: croyai crut crurent croira cru croient
    craint: craignai craignit craignirent craindra craignent
    ouvre: ouvrai ouvrit ouvrirent ouvrira ouvert ouvrent
    couvre: couvrai couvrit couvrirent couvrira couvert couvrent
    découvre: découvrai découvrit découvrirent découvrira découvert découvrent
    offre: offrai offrit offrirent offrira offert offrent
    conduit: conduisai conduisit conduisirent conduira conduisent
    perd: perdai perdit perdirent perdra perdu perdent
    rend: rendai rendit rendirent rendra rendu rendent
    vend: vendai vendit vendirent vendra vendu vendent
    attend: attendai attendit attendirent attendra attendu attendent
    entend: entendai entendit entendirent entendra entendu entendent
    descend: descendai descendit descendirent descendra descendu descendue descendent
    répond: répondai répondit répondirent répondra répondu répondent
    bat: battai battit battirent battra battu battent
    poursuit: poursuivai poursuivit poursuivirent poursuivra poursuivi poursuivent
    appelle: appelai appela appelèrent appellera appelé appellent
    jette: jetai jeta jetèrent jettera jeté jettent
    envoie: envoyai envoya envoyèrent enverra envoyé envoient
    emploie: employai employa employèrent emploiera employé emploient
"""
_NO_VERBS = frozenset(
    [
        "portrait",
        "trait",
        "lait",
        "souhait",
        "extrait",
        "retrait",
        "attrait",
        "bienfait",
        "méfait",
        "forfait",
        "parfait",
    ]
)
# These say with "est" what others say with "a": "est venu" is "vient".
_OF_BEING = re.compile(r"(allé|venu|devenu|revenu|parti|sorti|mort|descendu)e?")
_STEMS_THAT_CHANGE = re.compile(r"([eé])([bcdfglmnprstvy])$")  # men-ait is mène, espér-ait is espère
_PRONOUN = re.compile(r"(?i)^(se |s['’])")


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """Finite forms, and participles: those stand between the future and the plural."""
    finite: dict[str, str] = {}
    participles: dict[str, str] = {}
    for line in _VERBS.strip().splitlines():
        present, others = (part.strip() for part in line.split(":"))
        future = False
        for form in others.split():
            if form.endswith("ai"):
                finite |= {form + ending: present for ending in ("t", "ent")}
            elif form.endswith("ra"):
                future = True
                finite |= {form + ending: present for ending in ("", "it", "ient")} | {f"{form[:-1]}ont": present}
            elif future and not form.endswith(("ent", "ont")):
                participles[form] = present
            else:
                finite[form] = present
    return finite, participles


_FORMS, _PARTICIPLES = _tables()
_AUXILIARIES = frozenset({"a", *(form for form, present in _FORMS.items() if present == "a")})
_BEING = frozenset({"est", *(form for form, present in _FORMS.items() if present == "est")})


def in_present(words: str) -> str:
    """A predicate with its verb in the third person of the present: "avait porté à" is "porte à"."""
    pronoun = _PRONOUN.match(words)
    before = pronoun[0] if pronoun else ""
    first, *rest = words[len(before) :].split(" ")
    low = first.lower()
    if rest and low in _AUXILIARIES:
        present = _of_participle(rest[0].lower())
        if present:
            return " ".join([before + present, *rest[1:]])
    if rest and low in _BEING and _OF_BEING.fullmatch(rest[0].lower()):
        return " ".join([before + _PARTICIPLES[rest[0].lower()], *rest[1:]])
    return " ".join([before + (_present(low) or first), *rest])


def _of_participle(word: str) -> str:
    if word in _PARTICIPLES:
        return _PARTICIPLES[word]
    if len(word) > 3 and word.endswith("é"):
        return _first_group(word[:-1])
    return f"{word}t" if len(word) > 3 and word.endswith("i") else ""


def _present(verb: str) -> str:
    """The present of a finite verb, "" where the word is none that is known."""
    if verb in _FORMS:
        return _FORMS[verb]
    if verb in _NO_VERBS:
        return ""
    second = re.fullmatch(r"(?!gliss|hiss|pliss|tiss)(\w+)issai(t|ent)", verb)
    if second:
        return f"{second[1]}it"
    for ending in ("eraient", "erait", "eront", "era", "èrent", "aient", "ait", "a"):
        stem = verb.removesuffix(ending)
        if stem != verb and len(stem) > 2:
            return _first_group(stem)
    return ""


def _first_group(stem: str) -> str:
    """The present of a verb in -er: "mange" of mang-, "commence" of commenç-, "mène" of men-."""
    stem = stem.removesuffix("ge") + "g" if stem.endswith("ge") else stem
    stem = f"{stem[:-1]}c" if stem.endswith("ç") else stem
    return f"{_STEMS_THAT_CHANGE.sub(lambda found: 'è' + found[2], stem)}e"
