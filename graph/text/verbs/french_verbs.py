"""Present forms of French verbs, by tables: endings do not distinguish "transmettait" (transmet), "portait" (porte).

Verbs in -er and regular verbs in -ir are listed by infinitive, all others with their forms. A verb that is not in the
tables is unchanged: a wrong form is worse than two facts instead of one.
"""

from __future__ import annotations

import re

# Third person of the present, then the stems or forms of the other tenses.
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
    voit: voyai virent verra vu voient
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
    transmet: transmettai transmit transmirent transmettra transmis transmettent
    admet: admettai admit admirent admettra admis admettent
    commet: commettai commit commirent commettra commis commettent
    permet: permettai permit permirent permettra permis permettent
    remet: remettai remit remirent remettra remis remettent
    soumet: soumettai soumit soumirent soumettra soumis soumettent
    comprend: comprenai comprit comprirent comprendra compris comprennent
    surprend: surprenai surprit surprirent surprendra surpris surprennent
    reprend: reprenai reprit reprirent reprendra repris reprennent
    mord: mordai mordit mordirent mordra mordu mordent
    tord: tordai tordit tordirent tordra tordu tordent
    pend: pendai pendit pendirent pendra pendu pendent
    dépend: dépendai dépendit dépendirent dépendra dépendu dépendent
    suspend: suspendai suspendit suspendirent suspendra suspendu suspendent
    tend: tendai tendit tendirent tendra tendu tendent
    étend: étendai étendit étendirent étendra étendu étendent
    prétend: prétendai prétendit prétendirent prétendra prétendu prétendent
    défend: défendai défendit défendirent défendra défendu défendent
    répand: répandai répandit répandirent répandra répandu répandent
    confond: confondai confondit confondirent confondra confondu confondent
    entretient: entretenai entretint entretinrent entretiendra entretenu entretiennent
    contient: contenai contint continrent contiendra contenu contiennent
    maintient: maintenai maintint maintinrent maintiendra maintenu maintiennent
    retient: retenai retint retinrent retiendra retenu retiennent
    soutient: soutenai soutint soutinrent soutiendra soutenu soutiennent
    détient: détenai détint détinrent détiendra détenu détiennent
    parvient: parvenai parvint parvinrent parviendra parvenu parviennent
    intervient: intervenai intervint intervinrent interviendra intervenu interviennent
    introduit: introduisai introduisit introduisirent introduira introduisent
    produit: produisai produisit produisirent produira produisent
    séduit: séduisai séduisit séduisirent séduira séduisent
    traduit: traduisai traduisit traduisirent traduira traduisent
    détruit: détruisai détruisit détruisirent détruira détruisent
    construit: construisai construisit construisirent construira construisent
    boit: buvai burent boira bu boivent
    lit: lisai lut lurent lira lu lisent
    court: courai courut coururent courra couru courent
    parcourt: parcourai parcourut parcoururent parcourra parcouru parcourent
    secourt: secourai secourut secoururent secourra secouru secourent
    dort: dormai dormit dormirent dormira dormi dorment
    ment: mentai mentit mentirent mentira menti mentent
    sent: sentai sentit sentirent sentira senti sentent
    fuit: fuyai fuirent fuira fui fuient
    accueille: accueillai accueillit accueillirent accueillera accueilli accueillent
    recueille: recueillai recueillit recueillirent recueillera recueilli recueillent
    souffre: souffrai souffrit souffrirent souffrira souffert souffrent
    peint: peignai peignit peignirent peindra peignent
    atteint: atteignai atteignit atteignirent atteindra atteignent
    plaint: plaignai plaignit plaignirent plaindra plaignent
    rejoint: rejoignai rejoignit rejoignirent rejoindra rejoignent
    aperçoit: apercevai aperçut aperçurent apercevra aperçu aperçoivent
    décrit: décrivai décrivit décrivirent décrira décrivent
    interdit: interdisai interdirent interdira interdisent
    convainc: convainquai convainquit convainquirent convaincra convaincu convainquent
    conquiert: conquérai conquit conquirent conquerra conquis conquièrent
    rappelle: rappelai rappela rappelèrent rappellera rappelé rappellent
    rejette: rejetai rejeta rejetèrent rejettera rejeté rejettent
    renvoie: renvoyai renvoya renvoyèrent renverra renvoyé renvoient
    essuie: essuyai essuya essuyèrent essuiera essuyé essuient
    appuie: appuyai appuya appuyèrent appuiera appuyé appuient
    bat: battai battit battirent battra battu battent
    poursuit: poursuivai poursuivit poursuivirent poursuivra poursuivi poursuivent
    appelle: appelai appela appelèrent appellera appelé appellent
    jette: jetai jeta jetèrent jettera jeté jettent
    envoie: envoyai envoya envoyèrent enverra envoyé envoient
    emploie: employai employa employèrent emploiera employé emploient
"""
# Regular verbs in -er; those that double a consonant or change a y are above.
_FIRST_GROUP = """
    abandonner aborder abriter accepter accompagner accorder accrocher accuser acheter achever adopter adorer adresser
    affirmer agiter aider aimer ajouter alerter allumer amener amuser annoncer apporter approcher approuver armer
    arracher arranger arrêter arriver assassiner assister assurer attacher attaquer attirer attraper avancer avouer
    baisser baptiser barrer bercer blesser bloquer bousculer braver briser brûler cacher calmer camper casser causer
    céder célébrer chanter charger charmer chasser chercher chuchoter circuler citer clouer collectionner combler
    commander commencer communiquer comparer composer compter concerner condamner conférer confesser confier
    confirmer confisquer conseiller conserver considérer consoler consulter contempler conter continuer contrôler
    convoquer copier coucher couper couronner coûter craquer créer crier critiquer cultiver danser
    débarquer décider déclarer décorer décourager dédier dégager déguiser déjeuner délivrer demander demeurer
    démontrer dénoncer déposer dépouiller déranger dérober désarmer désigner désirer dessiner détester deviner
    devancer diriger discuter disputer distinguer dominer donner doubler douter dresser durer échanger échouer
    éclairer écouter écraser éduquer effrayer égarer élever éloigner embarquer embrasser emmener empêcher empoisonner
    emporter emprunter encourager enfermer enlever enseigner enterrer entourer entraîner entrer envoûter épargner
    épier épouser éprouver escorter espérer estimer étrangler étudier éveiller éviter évoquer examiner exécuter exercer
    exiger expliquer exploiter exposer exprimer fabriquer fêter fermer fixer flatter fonder forcer former fouiller
    frapper fréquenter gagner garder glisser gouverner guetter guider habiter hanter hésiter honorer hurler identifier
    ignorer illustrer imaginer imiter incarner indiquer informer inquiéter inspecter inspirer installer insulter
    interroger inventer inviter irriter jouer juger jurer laisser lancer laver lever libérer lier livrer loger louer
    lutter manger manier manquer marcher marier marquer menacer mener mentionner mépriser mériter mesurer monter montrer
    moquer murmurer nommer noter nouer observer occuper ordonner organiser orner oser oublier paralyser pardonner
    parler partager passer payer pécher pêcher penser percer persécuter persuader peser piller placer plaider
    pleurer plonger porter poser posséder pousser pratiquer précéder préférer prêcher préparer présenter présider prêter
    prier priver proclamer procurer prononcer proposer protéger prouver provoquer publier quitter raconter
    ramasser ramener ranger rapporter rassurer rattraper recommander récompenser réclamer refuser regagner
    regarder régner
    régler regretter relier remarquer remercier remplacer rencontrer renoncer rentrer renverser réparer répéter
    reposer représenter respecter respirer ressembler rester retirer retourner retrouver révéler réveiller rêver risquer
    ruiner saigner saluer sauter sauver sembler séparer serrer siéger signaler signer signifier soigner songer sonner
    souhaiter soulever soupçonner souper surveiller symboliser témoigner tenter terminer tirer tolérer tomber torturer
    toucher tourmenter tourner traîner traiter transformer transporter travailler traverser trembler
    tromper troubler trouver tuer user utiliser vanter veiller venger verser vider violer visiter voler voter voyager
"""
# Verbs in -ir with -iss-.
_SECOND_GROUP = """
    abolir accomplir adoucir affaiblir agir agrandir applaudir atterrir avertir bannir bâtir blanchir bondir choisir
    convertir définir démolir désobéir divertir durcir éblouir élargir enrichir ensevelir envahir établir étourdir
    évanouir finir fléchir fournir franchir garantir gémir grandir grossir guérir investir jaillir jouir maigrir
    mûrir noircir nourrir obéir périr pétrir polir pourrir punir ralentir réfléchir réjouir remplir resplendir
    réunir réussir rôtir rougir rugir saisir salir subir surgir trahir unir vieillir vomir
"""
# Participles with the auxiliary "être": "est venu" is "vient".
_OF_BEING = re.compile(r"(allé|venu|devenu|revenu|parti|sorti|mort|descendu)e?")
_STEMS_THAT_CHANGE = re.compile(r"([eé])([bcdfglmnprstvy])$")  # men-ait is mène, espér-ait is espère
_PRONOUN = re.compile(r"(?i)^(se |s['’])")


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """(finite form -> present, participle -> present). In _VERBS participles are between future and plural."""
    finite: dict[str, str] = {}
    participles: dict[str, str] = {}
    for infinitive in _FIRST_GROUP.split():
        present, soft = _first_group(infinitive[:-2]), _before_a(infinitive[:-2])
        participles[f"{infinitive[:-2]}é"] = present
        finite |= dict.fromkeys((f"{soft}ait", f"{soft}aient", f"{soft}a", f"{infinitive[:-2]}èrent"), present)
        for future in (f"{present}r", infinitive):
            finite |= {future + ending: present for ending in ("a", "ait", "aient", "ont")}
    for infinitive in _SECOND_GROUP.split():
        present = f"{infinitive[:-1]}t"
        participles[infinitive[:-1]] = present
        finite |= {infinitive[:-1] + ending: present for ending in ("ssait", "ssaient", "rent")}
        finite |= {infinitive + ending: present for ending in ("a", "ait", "aient", "ont")}
    for line in _VERBS.strip().splitlines():
        present, others = (part.strip() for part in line.split(":"))
        after_future = False
        for form in others.split():
            if form.endswith("ai"):
                finite |= {form + ending: present for ending in ("t", "ent")}
            elif form.endswith("ra"):
                after_future = True
                finite |= {form + ending: present for ending in ("", "it", "ient")} | {f"{form[:-1]}ont": present}
            elif after_future and not form.endswith(("ent", "ont")):
                participles[form] = present
            else:
                finite[form] = present
    return finite, participles


def _before_a(stem: str) -> str:
    """The stem before an a: "mange" of mang-, "commenç" of commenc-."""
    return f"{stem}e" if stem.endswith("g") else f"{stem[:-1]}ç" if stem.endswith("c") else stem


def _first_group(stem: str) -> str:
    """The present of a verb in -er: "mène" of men-, "espère" of espér-."""
    return f"{_STEMS_THAT_CHANGE.sub(lambda match: 'è' + match[2], stem)}e"


FORMS, PARTICIPLES = _tables()
_AUXILIARIES = frozenset({"a", *(form for form, present in FORMS.items() if present == "a")})
_BEING = frozenset({"est", *(form for form, present in FORMS.items() if present == "est")})


def in_present(words: str) -> str:
    """A predicate with its verb in the third person of the present: "avait porté à" is "porte à"."""
    pronoun = _PRONOUN.match(words)
    before = pronoun[0] if pronoun else ""
    first, *rest = words[len(before) :].split(" ")
    low = first.lower()
    if rest and low in _AUXILIARIES and (present := PARTICIPLES.get(rest[0].lower())):
        return " ".join([before + present, *rest[1:]])
    if rest and low in _BEING and _OF_BEING.fullmatch(rest[0].lower()):
        return " ".join([before + PARTICIPLES[rest[0].lower()], *rest[1:]])
    return " ".join([before + FORMS.get(low, first), *rest])
