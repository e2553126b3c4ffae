"""Words that decide whether the clause they govern is true.

The classes are those of the literature on veridicality (Karttunen 1971; Saurí and Pustejovsky 2009, FactBank):

fact      the clause is true, even if the word is denied: "knew that", "did not know that", "the fact that"
proof     it is true if the word is affirmed: "proved that", but "was never proved"
denial    it is false if the word is affirmed: "denied that", "it is false that"; "nobody denies that": it is true
doubt     it remains open: believed, hoped, feared, planned, alleged, rumoured
speech    somebody says so
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from filigraph.graph.text.verbs.inflections import VerbForm, english_forms, french_forms
from filigraph.graph.text.words import fold

Kind = Literal["fact", "proof", "denial", "doubt", "speech"]

_IRREGULAR = {
    "mean": ("meant",), "swear": ("swore", "sworn"), "bet": ("bet",), "dream": ("dreamed", "dreamt"),
    "think": ("thought",),
    "forget": ("forgot", "forgotten"), "say": ("said",), "tell": ("told",), "read": ("read",), "hear": ("heard",),
    "withdraw": ("withdrew", "withdrawn"), "find": ("found",), "feel": ("felt",), "see": ("saw", "seen"),
    "learn": ("learned", "learnt"), "show": ("showed", "shown"), "prove": ("proved", "proven"),
    "know": ("knew", "known"), "understand": ("understood",), "hold": ("held",), "write": ("wrote", "written"),
    "seek": ("sought",), "gather": ("gathered",), "rue": ("rued",),
}  # fmt: skip

# Verbs by base, in French by the third person of the present, in German by their forms.
_VERBS: Mapping[str, Mapping[Kind, str]] = {
    "en": {
        "fact": "know realise realize discover learn notice regret forget remember recall see perceive understand "
        "recognise recognize overlook rue resent grasp surprise bother annoy matter lament deplore",
        "proof": "prove show establish confirm demonstrate verify determine find conclude reveal admit confess "
        "acknowledge concede emerge transpire ascertain attest certify corroborate mean turn accept indicate",
        "denial": "deny dispute refute disprove reject contradict contest repudiate rebut debunk doubt retract "
        "withdraw exclude discredit rule dismiss recant question invent",
        "doubt": "believe think suppose imagine fancy suspect hope wish fear guess presume assume expect pretend dream "
        "claim allege maintain contend insinuate suggest propose wonder ask inquire enquire demand order insist hint "
        "imply trust bet worry dread anticipate speculate conjecture surmise feel seem appear want desire "
        "intend plan aim promise threaten vow hear read gather reckon accuse charge argue assert advise recommend "
        "urge beg implore entreat exhort coax command request rumour rumor repute estimate consider judge "
        "deem agree decide prefer prophesy "
        "predict foresee fantasise profess purport feign boast brag joke jest quip fib persuade convince satisfy "
        "delude fool deceive provide stipulate envisage envision vote",
        "speech": "say tell write state report declare testify announce explain add inform mention note remark "
        "observe reply answer whisper cry shout exclaim relate recount warn assure affirm depose stress repeat hold "
        "swear",
    },
    "fr": {
        "fact": "sait ignore découvre apprend remarque constate regrette oublie rappelle souvient voit comprend "
        "aperçoit réalise déplore",
        "proof": "prouve démontre établit confirme montre vérifie conclut reconnaît avoue admet révèle atteste "
        "certifie avère apparaît ressort résulte retient",
        "denial": "nie dément réfute conteste rejette exclut infirme contredit récuse doute désavoue rétracte invente",
        "doubt": "croit pense suppose imagine espère souhaite craint redoute soupçonne présume prétend semble paraît "
        "rêve veut désire demande exige ordonne propose suggère insinue affirme soutient allègue estime juge "
        "considère devine figure persuade feint accuse court promet menace conseille réclame prédit convainc compte "
        "suspecte supplie conjure prie implore exhorte désespère parie maintient entend trouve simule prévoit "
        "stipule envisage",
        "speech": "dit déclare raconte écrit rapporte explique ajoute annonce indique précise témoigne répond note "
        "signale assure informe mentionne crie murmure répète jure chuchote susurre soupire hurle clame",
    },
}
# Forms that the rules do not produce.
_FORMS: Mapping[str, Mapping[Kind, str]] = {
    "fr": {
        "fact": "sais savons savez savoir vois voir apprendre découvrir comprendre souvenir aperçu souvenu souvint",
        "proof": "établir établi établie établit établissait conclure conclu admettre reconnaître convaincre ressortir",
        "denial": "démentir démenti dément démentit démentait exclure exclu exclut contredire contredit démentent",
        "doubt": "prévoyait prévoyaient prévoir prévu prévit "
        "feignit feignait feignirent feindre feignant crois croire croyez croyons croyais veux vouloir "
        "prétendre soutenir craindre promettre courir "
        "veulent peut peuvent supposons supposez admettons imaginons imaginez paraît paraitrait semblerait "
        "semblait craigne voudrais voudrait voudraient voudrions aimerais aimerait faut faudrait fallait faudra suffit "
        "suffirait suffisait",
        "speech": "dire dis dites disant écrire répondre",
    },
    "de": {
        "fact": "weiß wusste wußte wissen gewusst entdeckt entdeckte erfuhr erfährt erfahren bemerkte bemerkt "
        "bedauert bedauerte vergaß vergessen sah sieht gesehen",
        "proof": "beweist bewies bewiesen beweisen bestätigt bestätigte bestätigen zeigt zeigte gezeigt ergab ergibt "
        "gestand gesteht gestanden stimmt stimmte",
        "denial": "bestreitet bestritt bestreiten bestritten leugnet leugnete leugnen geleugnet verneint verneinte "
        "widerlegt widerlegte bezweifelt bezweifelte bezweifeln zweifelt zweifelte",
        "doubt": "glaubt glaubte glaube glauben behauptet behauptete behaupten hofft hoffte hoffen fürchtet fürchtete "
        "befürchtet befürchtete vermutet vermutete vermuten meint meinte denkt dachte träumt träumte scheint schien "
        "munkelt munkelte raunt raunte ahnt ahnte mutmaßt mutmaßte wähnt wähnte spekuliert spekulierte "
        "wünscht wünschte verdächtigt verdächtigte will wollte fragt fragte beschuldigt beschuldigte",
        "speech": "sagt sagte gesagt sagen erklärt erklärte schreibt schrieb geschrieben berichtet berichtete erzählt "
        "erzählte",
    },
}
_NOUNS: Mapping[str, Mapping[Kind, str]] = {
    "en": {
        "fact": "fact news knowledge discovery pity shame surprise coincidence miracle blessing",
        "proof": "proof truth certainty confirmation admission confession realisation conclusion finding evidence",
        "denial": "lie myth fabrication invention falsehood nonsense error mistake fantasy hoax slander libel fiction "
        "denial doubt rebuttal retraction rubbish absurdity",
        "doubt": "claim allegation rumour rumor story tale theory idea notion belief suspicion accusation charge "
        "hypothesis possibility probability hope fear dream plan suggestion assumption supposition report gossip "
        "legend wish impression opinion view word contention assertion argument question chance danger risk threat "
        "promise talk tradition insinuation conviction likelihood illusion delusion pretence insistence thought "
        "feeling",
        "speech": "statement testimony announcement declaration remark",
    },
    "fr": {
        "fact": "fait dommage nouvelle découverte hasard honte miracle",
        "proof": "preuve vérité certitude confirmation aveu constat",
        "denial": "mensonge erreur mythe invention fable calomnie sottise bêtise doute démenti absurdité fantaisie",
        "doubt": "idée hypothèse bruit rumeur soupçon espoir crainte peur rêve théorie croyance accusation allégation "
        "possibilité impression opinion supposition thèse histoire version prétention conviction légende illusion "
        "affirmation assertion tradition probabilité risque danger question chance insinuation",
        "speech": "déclaration témoignage annonce",
    },
    "de": {
        "fact": "Tatsache Nachricht",
        "proof": "Beweis Wahrheit",
        "denial": "Lüge Irrtum Erfindung Zweifel Unsinn",
        "doubt": "Gerücht Behauptung Vermutung Verdacht Hoffnung Furcht Traum Idee Annahme Glaube Vorwurf",
    },
}
_ADJECTIVES: Mapping[str, Mapping[Kind, str]] = {
    "en": {
        "fact": "aware unaware sorry glad surprised pleased angry proud ashamed relieved happy sad tragic odd strange "
        "fortunate unfortunate lucky remarkable curious interesting significant astonished delighted regrettable",
        "proof": "true clear evident obvious undeniable indisputable correct certain sure known undisputed plain",
        "denial": "false untrue wrong incorrect absurd impossible unfounded inaccurate baseless ridiculous mistaken "
        "unthinkable inconceivable doubtful questionable fictitious",
        "doubt": "possible probable likely unlikely improbable uncertain convinced persuaded confident afraid "
        "inclined satisfied suspicious hopeful unclear conceivable plausible unproven unsure positive fearful "
        "anxious eager ready unwilling reluctant important necessary vital essential",
    },
    "fr": {
        "fact": "conscient consciente heureux heureuse content contente désolé désolée surpris surprise étonné étonnée "
        "fier fière fâché fâchée triste étrange curieux regrettable",
        "proof": "vrai certain sûr sûre clair évident manifeste avéré exact notoire incontestable indéniable",
        "denial": "faux fausse inexact impossible absurde douteux mensonger erroné infondé infondée invraisemblable "
        "mensongère erronée inconcevable",
        "doubt": "possible probable improbable convaincu convaincue persuadé persuadée incertain vraisemblable "
        "certaine nécessaire important",
    },
    "de": {
        "proof": "wahr klar sicher erwiesen offensichtlich",
        "denial": "falsch unwahr unmöglich gelogen absurd erfunden erlogen erdichtet",
        "doubt": "möglich wahrscheinlich unwahrscheinlich überzeugt fraglich unklar",
    },
}
# Words of "proof" that mean belief if their subject is a person: "he was certain that", but "it is certain that".
BELIEVED_BY_PERSONS = frozenset(("certain", "sure", "sur"))


@lru_cache
def verbs(language: str) -> Mapping[str, Kind]:
    """Folded form -> the effect of the verb on the clause that it governs."""
    return dict(_forms(language))


def _forms(language: str) -> Iterator[tuple[str, Kind]]:
    for kind, words in _VERBS.get(language, {}).items():
        bases = words.split()
        forms = english_forms(bases, _IRREGULAR) if language == "en" else french_forms(bases, {})
        yield from ((fold(form), kind) for form, _ in forms)
        if language == "fr":  # "nous figurions" has the stem of "figurant"
            stems = [form.removesuffix("ant") for form, verb_form in forms if verb_form is VerbForm.PROGRESSIVE]
            yield from ((fold(stem + ending), kind) for stem in stems for ending in ("ais", "ions", "iez", "ons", "ez"))
    yield from _words_of_table(_FORMS, language)


@lru_cache
def infinitives(language: str) -> frozenset[str]:
    """Folded infinitives of the listed verbs; none in English, where the base form is also finite."""
    if language != "fr":
        return frozenset()
    bases = " ".join(_VERBS["fr"].values()).split()
    return frozenset(fold(form) for form, kind in french_forms(bases, {}) if kind is VerbForm.INFINITIVE)


@lru_cache
def nouns(language: str) -> Mapping[str, Kind]:
    """Folded form -> the effect of the noun on the clause that completes it."""
    listed = dict(_words_of_table(_NOUNS, language))
    plurals = {f"{word}s": kind for word, kind in listed.items()} if language in ("en", "fr") else {}
    return {**plurals, **listed}


@lru_cache
def adjectives(language: str) -> Mapping[str, Kind]:
    """Folded form -> the effect of "it is ... that" on its clause."""
    return dict(_words_of_table(_ADJECTIVES, language))


def _words_of_table(table: Mapping[str, Mapping[Kind, str]], language: str) -> Iterator[tuple[str, Kind]]:
    for kind, words in table.get(language, {}).items():
        yield from ((fold(word), kind) for word in words.split())
