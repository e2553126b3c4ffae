"""The small words around a clause that decide how far it is asserted: negations, modals, conditions, adverbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from filigraph.graph.text.words import fold


def word_set(words: str) -> frozenset[str]:
    """The folded words of a list."""
    return frozenset(fold(word) for word in words.split())


@dataclass(frozen=True, kw_only=True)
class Cues:
    """The closed word lists of a language; all folded."""

    complementisers: frozenset[str]
    whether: frozenset[str]  # these begin indirect questions; in French and German also conditions
    conditions: frozenset[str]
    even: frozenset[str]  # before a condition: the main clause is true anyway
    negations: frozenset[str]
    universal: frozenset[str]  # words for nobody or everybody: "nobody denies" affirms
    reversals: frozenset[str]  # "refused to confirm" confirms nothing
    modals: frozenset[str]
    done: frozenset[str]  # before an infinitive: it was done
    to: frozenset[str]  # particles of the infinitive
    determiners: frozenset[str]
    pronouns: frozenset[str]  # as subjects
    generic: frozenset[str]  # subjects that do not name anybody
    be: frozenset[str]
    between: frozenset[str]  # first words of what may be between a verb and its clause
    tell: frozenset[str]  # verbs with an object before their clause: "told the police that"
    joins: frozenset[str]  # after a comma they begin an outer clause
    parts: frozenset[str]  # without a comma they begin a clause: a negation does not extend over them
    open_verbs: frozenset[str]  # their infinitives are neither affirmed nor denied; beside the verbs of doubt
    falsely: frozenset[str]
    adverbs: frozenset[str]  # of doubt
    nearly: frozenset[str]  # right before a verb: not quite


CUES: Mapping[str, Cues] = {
    "en": Cues(
        complementisers=word_set("that"),
        whether=word_set("whether"),
        conditions=word_set("if unless lest supposing assuming provided"),
        even=word_set("even"),
        negations=word_set(
            "not t never no nobody nothing none neither nor hardly scarcely barely cannot little few without nowhere "
            "seldom rarely"
        ),
        universal=word_set("nobody none one cannot can could"),
        reversals=word_set(
            "refuse refuses refused refusing fail fails failed failing decline declines declined unable unwilling "
            "neglected neglects incapable stopped avoided ceased impossible too forbade forbidden premature "
            "acquitted cleared exonerated absolved"
        ),
        modals=word_set("may might could would should must can will shall if unless whether ll d"),
        done=word_set("managed able succeeded succeeds came went began proceeded continued goes enough helped"),
        to=word_set("to"),
        determiners=word_set(
            "the a an this that these those any no every some his her its their our my your another such"
        ),
        pronouns=word_set("he she they i we it you there who"),
        generic=word_set(
            "people they some many one others somebody someone anyone anybody everybody everyone folk gossip"
        ),
        be=word_set("is are was were be been being s"),
        between=word_set(
            "to in on at before by again today yesterday then also once further later after for with under from ever "
            "him her it them me us itself now on out very much either even simply merely last night evening morning "
            "week month year afterwards"
        ),
        tell=word_set(
            "tell tells told telling inform informs informed warn warns warned assure assures assured remind reminds "
            "reminded persuade persuaded convince convinced convinces notify notified advise advised promise promised "
            "ask asks asked satisfy show shows showed"
        ),
        joins=word_set(
            "and but or yet so while whereas although though because since when after before nor for even then as"
        ),
        parts=word_set("but and who which that because although while when whom whose if"),
        open_verbs=word_set(
            "refuse refuses refused fail fails failed decline declines declined neglect neglected try tries tried "
            "attempt attempts attempted seek seeks sought offer offers offered prepare prepares prepared need needs "
            "needed hesitate hesitated forbid forbids forbade invite invited prefer preferred long longed arrange "
            "arranged mean means meant tempt tempted told forgot forgets omitted omit about unable unwilling reluctant "
            "ready eager anxious likely unlikely going yet due bound supposed free able conspired swore love hate like "
            "liked chose acquitted cleared exonerated absolved refusing hoping trying wanting hesitates help "
            "want allow allowed"
        ),
        falsely=word_set("wrongly falsely mistakenly erroneously incorrectly untruthfully wrongfully"),
        adverbs=word_set(
            "allegedly supposedly reportedly purportedly perhaps maybe possibly probably presumably ostensibly "
            "apparently conceivably rumouredly seemingly"
        ),
        nearly=word_set("nearly almost"),
    ),
    "fr": Cues(
        complementisers=word_set("que qu"),
        whether=word_set("si s"),
        conditions=word_set("si s"),
        even=word_set("meme"),
        negations=word_set("ne n pas jamais point guere rien personne aucun aucune nul nulle ni sans non peu"),
        universal=word_set("nul nulle personne aucun aucune nier douter contester on peut fait"),
        reversals=word_set(
            "refuse refusa refusé refusait refusent refusèrent incapable omit omis échoue échoua échoué évita "
            "impossible renonça hésite hésita négligea dispensa empêche empêcha acquitté acquittée acquitta "
            "innocenté disculpé blanchi"
        ),
        modals=word_set(
            "pourrait pourraient peut peuvent pouvait devrait doit devrait faudrait faut si veut voulait voulut "
            "cherche cherchait chercha essaie essaya tente tenta espère afin pour aurait auraient serait"
        ),
        done=word_set(
            "parvint parvient parvenu réussit réussi put pu vient venait venir permet permit permis fini finit"
        ),
        to=word_set("de d à"),
        determiners=word_set(
            "le la les l un une ce cet cette ces son sa ses leur leurs mon ma notre votre aucun aucune du"
        ),
        pronouns=word_set("il elle ils elles on je j nous vous tu qui"),
        generic=word_set("on certains certaines beaucoup plusieurs d'aucuns gens quelques uns personne"),
        be=word_set("est sont etait etaient fut furent ete soit"),
        between=word_set(
            "à au aux devant dans en le lui leur me m nous vous se s hier ensuite alors aussi encore plus par pas "
            "jamais point bien toujours là donc même longtemps souvent sur lundi mardi mercredi jeudi vendredi "
            "samedi dimanche aujourd hui volontiers encore fort"
        ),
        tell=word_set(
            "assure assura assurait informe informa informé avertit averti prévint prévenu convainc convainquit "
            "convaincu persuade persuada persuadé"
        ),
        joins=word_set("et mais ou car or donc puis tandis alors quoique quand lorsque parce puisque comme bien"),
        parts=word_set("mais et qui dont car parce lorsque quand que qu"),
        open_verbs=word_set(
            "refuse refusa refusait refusé refusent tente tenta tentait tenté essaie essaya essayait essayé cherche "
            "cherchait chercha cherché projette projetait projeta renonce renonça hésite hésita hésitait évite évita "
            "omit omet peut pouvait put doit devait dut devra faut fallait faillit failli manqua envisage envisageait "
            "accepte accepta décide décida décidé va allait comptait compte préfère préféra aimerait voudrait ose osa "
            "osait point empêcha empêche prêt prête capable incapable invite invita oublia oublie oublié interdit "
            "chargé charge pria prie acquitté acquittée acquitta innocenté disculpé blanchi"
        ),
        falsely=word_set("faussement erronement mensongerement tort injustement"),
        adverbs=word_set(
            "prétendument soi-disant probablement peut-etre vraisemblablement apparemment éventuellement supposément"
        ),
        nearly=word_set("presque quasi"),
    ),
    "de": Cues(
        complementisers=word_set("dass"),
        whether=word_set("ob"),
        conditions=word_set("wenn falls sofern"),
        even=word_set("auch selbst"),
        negations=word_set(
            "nicht kein keine keinen keinem keiner nie niemals niemand nichts kaum ohne keineswegs keinesfalls "
            "mitnichten nirgends weder"
        ),
        universal=word_set("niemand keiner lässt ließ kann konnte"),
        reversals=word_set("weigert weigerte unfähig"),
        modals=word_set("könnte würde soll sollte müsste möchte"),
        done=frozenset(),
        to=word_set("zu"),
        determiners=word_set("der die das den dem des ein eine einen einem einer kein keine"),
        pronouns=word_set("er sie es ich wir man"),
        generic=word_set("man einige manche viele"),
        be=word_set("ist war wurde wird sind waren"),
        between=word_set(
            "sich ihm ihr vor am im heute gestern dann auch nicht ernsthaft wirklich fest noch ja je mehr"
        ),
        tell=frozenset(),
        joins=word_set("und aber oder denn weil obwohl während"),
        parts=word_set("aber und"),
        open_verbs=word_set("weigert weigerte versucht versuchte plant plante beabsichtigt beabsichtigte"),
        falsely=word_set("fälschlich fälschlicherweise irrtümlich"),
        adverbs=word_set("angeblich vielleicht vermutlich wahrscheinlich möglicherweise mutmaßlich"),
        nearly=word_set("beinahe fast"),
    ),
}
