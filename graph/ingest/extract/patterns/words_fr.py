"""Word lists of the French patterns: what a parser does not know about words."""

from __future__ import annotations

from filigraph.graph.ingest.extract.patterns.phrases import NameWords, PersonGender, words

TITLES = words("""
    m mm mr mme mmes mlle mlles monsieur messieurs madame mesdames mademoiselle dr docteur pr professeur me maître
    père mère sœur soeur frère oncle tante cousin cousine abbé curé évêque cardinal pape commissaire inspecteur
    inspectrice brigadier gendarme sergent lieutenant capitaine commandant colonel général maréchal amiral juge
    président ministre préfet roi reine prince princesse duc duchesse comte comtesse vicomte vicomtesse marquis
    marquise baron baronne chevalier sir lord lady saint sainte st ste veuve mister miss mrs
""")

RANKS = words("""
    duc duchesse comte comtesse vicomte vicomtesse marquis marquise baron baronne prince princesse roi reine
    chevalier
""")

OWNED = words("""
    bague chevalière montre chapeau manteau redingote paletot robe bottes botte gant gants canne parapluie sac
    bourse portefeuille coffre coffret malle bureau lit lampe pipe cigare pistolet pistolets revolver fusil épée
    sabre couteau poignard clé clef lettre lettres billet journal carnet livre papiers titres photographie portrait
    collier perle perles diamant diamants bijou bijoux bracelet broche maison maisonnette villa chaumière manoir
    appartement chambre cabinet boutique magasin auberge cabaret cabane moulin grange écurie jardin jardinet
    propriété fortune argent testament voiture carrosse berline charrette cheval chevaux chien chat navire bateau
    bande troupe cachot cellule
""")  # things that somebody may have; "le départ de Jules" is not one

NO_VERB = words("""
    voilà voici autrefois toujours jamais bien pauvre aussitôt rue ruelle route place quai avenue parait paraît
    paraissait paraissaient parut paru semble semblait semblaient sembla semblé
""")

BE = words("est était sont étaient fut furent")

HAVE = words("a avait ont avaient eut eurent")

MORE = words("plus moins autre autant aussi mieux pire")

CALLS = ("appel", "surnomm", "nomm", "baptis")

CONDITIONAL = (
    "îtrait", "îtraient", "erait", "eraient", "erais", "drait", "draient", "pourrait", "pourraient", "verrait",
    "aurait", "aurais", "uirait", "uiraient", "ttrait", "ttraient", "rtirait", "rtiraient", "inirait", "oirait",
)  # fmt: skip

SUBJUNCTIVE = words("eût eussent eusse fût fussent fusse")

FAR = words("près loin auprès autour hors lors")

GENERIC = words("""
    homme hommes femme femmes personne personnes gens garçon fille enfant individu créature chose être gaillard
    bonhomme misérable malheureux malheureuse
""")  # words that do not identify anybody: "est un homme"

PERSONS = GENERIC | words("""
    inconnu inconnue étranger étrangère visiteur visiteuse voyageur voyageuse prisonnier prisonnière voleur voleuse
    assassin coupable victime client cliente mendiant mendiante marin soldat dame monsieur
""")  # persons who are described before they are named

TELLING = words("à au aux en avec sans")  # "l'homme en noir", "la femme au chapeau rouge"

NO_THING = words("""
    approches sein
    étonnement stupeur surprise joie plaisir colère rage fureur peur terreur horreur douleur désespoir espoir doute
    hésitation silence souffle regard regards coup sourire signe geste gestes mouvement pas langue genou genoux
    front joue cou gorge nez bouche oreille oreilles poitrine dos jambe jambes poing paume humeur ton effort efforts
    occasion intérêt impression opinion avis pensée pensées notion sens souvenir déjeuner dîner souper table rythme
    début bord situation état condition usage avantage exemple poursuite vue conversation repos sommeil rêve pitié
    honte faute vérité mensonge respect honneur amour haine chance succès échec progrès nombre paire couple suite
    plan but objet moyen contrôle influence soupir cri cris exclamation question réponse épaule haussement éclat
    rire larmes larme courage audace force énergie sang-froid âme esprit conscience coeur volonté désir résolution
    parti rôle bonheur malheur service ordre ordres parole conseil conseils récit histoire aveu aveux soupçon
    soupçons preuve preuves avantages effet cause vie mort sort destin avenir passé présence absence place côté
    distance loin peu beaucoup long contraire ordinaire cerveau entrée sortie dessous dessus grandes grand minute
    instants quart demi sujet mine contenance allure démarche agonie cesse hâte excès comble
    habitude habitudes
""")  # verbs have these as objects, but they are not things that could be met again

ASPECT = words("""
    commencer continuer mettre achever finir venir parvenir réussir recommencer
""")  # "achevait de remplir": what follows was done

OMITTED = words("""
    hésiter cesser manquer négliger oublier omettre tarder craindre
""")  # "n'hésita pas à vendre": il a vendu

PRONOUNS: dict[str, PersonGender] = {"il": "m", "elle": "f"}

FIRST = words("je j' j’")

ME = words("me m' m’")  # "je me suis dit": no reflexive of anybody else

IMPERSONAL = words("""
    falloir pleuvoir neiger sembler paraître agir suffire convenir importer advenir arriver rester exister être
    avoir venir faire
""")  # "il faut", "il y a", "il reste"

SEVERAL = words("plupart moitié foule nombre dizaine douzaine vingtaine centaine majorité")

PLURAL = words("les des ces ses mes tes nos vos leurs deux trois quatre cinq six plusieurs quelques")

SINGULAR = words("le la l' l’ un une ce cet cette son sa mon ma ton ta")

LINKS = words("de du des d' d’ la le les l' l’ & von van")

NO_NAME = words("""
    uns unes sien sienne siens siennes mien mienne miens miennes
    chose choses rien tout tous autre autres fois moment moments instant instants temps heure heures jour jours nuit
    soir matin matinée soirée semaine semaines mois an ans année années minute minutes seconde secondes façon manière
    sorte espèce part côté bout fin milieu fond cas point peu plupart reste moitié main mains œil oeil yeux tête visage
    bras pied pieds voix cœur coeur lèvre lèvres épaule épaules doigt doigts cheveux mot mots fait lieu compte
    besoin peine raison question réponse tour attention envie idée air ceci cela ça celui celle ceux celles oui non
    hier demain aujourd'hui monsieur madame mademoiselle messieurs mesdames toi moi lui eux soi elle elles leur nous
    vous nom noms veille lendemain
    adieu ah aïe allo allô bah bigre bravo brr chut diable diantre dieu eh euh fi fichtre ha hein hélas hem holà hop
    hou hourra hue hum morbleu oh ohé ouf oust ouste parbleu pardieu peste pouah pst sapristi sacrebleu tiens tudieu
    ventrebleu zut
    cher chère chers chères merci cordialement respectueusement salutations bonjour bonsoir objet re tr cc ps
    exit exeunt
""")

CALENDAR = words("""
    lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre
    octobre novembre décembre noël pâques
""")

CALENDAR_SHORT = words("lun mar mer jeu ven sam dim janv févr fév avr juil sept oct nov déc")  # beside a number

ONLY = words("seulement uniquement simplement")
NEGATIONS = words("""
    ne n' n’ pas jamais point guère plus rien aucun aucune nul nulle personne ni sans non
""")

PERHAPS = words("peut-être probablement apparemment presque comme quasi quasiment")

IF = words("si s' s’ quoique avant afin pourvu")

SURE = words("""
    sûr sûre sûrs sûres certain certaine certains certaines persuadé persuadée persuadés convaincu convaincue convaincus
    affirmant prétendant croyant pensant supposant espérant craignant jurant
""")  # "était sûr que": what somebody thinks

SPEECH = words("""
    dire répondre répliquer écrier ajouter reprendre murmurer demander interrompre insister
""")

SPOKE = words("""
    dit disait répondit répliqua s'écria écria ajouta reprit murmura demanda interrompit insista poursuivit continua
    commanda objecta déclara balbutia
""")  # the lemmatizer knows few of these

MODALS = words("""
    pouvoir devoir falloir vouloir sembler paraître savoir aller faillir souhaiter espérer désirer compter
""")

BECOME = words("devenir rester demeurer")

PREPOSITION = {"d'": "de", "d’": "de", "du": "de", "des": "de", "au": "à", "aux": "à"}

OPENERS = words("""
    pardon soit impossible aussitôt parbleu tonnerre silence halte bigre hein bah cristi vrai sitôt assis rouge
    prodigieux hélas merci adieu bonjour bonsoir peste diable diantre dame donc ainsi tiens tenez quoi malheur
    allons venez bientôt jamais toujours enfin soudain puis alors inutile force sais savez rends objet dressé
    cherche fou noble étroite heureux malheureux vive faute
""")

EVENTS = words("""
    nom noms emblème mort décès naissance mariage arrestation départ retour arrivée visite vie présence absence
    disparition front cris cri poche regrets candeur plan conduite manières regard regards geste sourire opinion
    idée esprit haine langue jeu efforts effort proposition hypothèse succès vanité confession direction piste perte
    colère crainte volonté désir espoir joie surprise stupeur étonnement parole paroles récit ordre ordres avis
    conseil compagnie honneur égard sujet service faveur place moyen suite aide côté
""")  # "la mort de Salvat" is not a thing that Salvat has

ARTICLES = words("La Le Les L' L’ The")

RELATIVES = words("que qu' qu’ qui dont")

KIN = words("""
    fils fille frère sœur père mère mari femme veuve fiancé fiancée ami amie oncle tante
""")

NOUNS = words("NOUN PROPN")

PLACES = words("""
    rue ruelle avenue boulevard place quai pont impasse passage square faubourg barrière chemin route allée carrefour
    café hôtel auberge cabaret restaurant brasserie taverne théâtre musée église cathédrale chapelle abbaye couvent
    château fort tour gare port lycée collège hôpital hospice prison palais parc bois forêt lande landes mont montagne
    lac île cap baie golfe col vallée
""")  # with the next name they form the name of a place: "rue du Bœuf", "café du Cygne"

POSSESSIVES = words("son sa ses mon ma mes ton ta tes notre nos votre vos leur leurs")

NAMES = NameWords(links=LINKS, titles=TITLES, articles=ARTICLES, places=PLACES, possessives=POSSESSIVES)

NOT_COMPLEMENTS = words("sans comme depuis sauf malgré selon pendant durant après")

NOT_IN_NAMES = words("autre autres même mêmes seul seule dernier dernière prochain")

NO_DETERMINERS = words("aucun aucune nul nulle chaque quel quelle quels quelles tout toute")  # before what is not there

DEFINITE = words("le la l' l’ les cette ce cet")
RANKS = words("seul seule dernier dernière premier première même autre plus moins meilleur meilleure pire unique")

OF = words("de d' d’ du")
