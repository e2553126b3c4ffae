"""Word lists of the French patterns: what a parser cannot know of a word."""

from __future__ import annotations

from filigraph.graph.patterns.phrases import words

TITLES = words("""
    m mm mr mme mmes mlle mlles monsieur messieurs madame mesdames mademoiselle dr docteur pr professeur me
    maître père mère sœur soeur frère oncle tante cousin cousine abbé curé évêque cardinal pape commissaire
    inspecteur inspectrice brigadier gendarme sergent lieutenant capitaine commandant colonel général maréchal
    amiral juge président ministre préfet roi reine prince princesse duc duchesse comte comtesse vicomte
    vicomtesse marquis marquise baron baronne chevalier sir lord lady saint sainte st ste veuve mister miss mrs
""")

RANKS = words("""
    duc duchesse comte comtesse vicomte vicomtesse marquis marquise baron baronne prince princesse roi reine
    chevalier
""")

PLACES = words("""
    rue route gare place quai pont ville boulevard faubourg avenue barrière hôtel église porte port château
    village square cour passage impasse chemin café hospice prison tour
""")

LINKS = words("de du des d' d’ la le les l' l’ & von van")

NO_NAME = words("""
    chose choses rien tout tous autre autres fois moment moments instant instants temps heure heures jour jours
    nuit soir matin matinée soirée semaine semaines mois an ans année années minute minutes seconde façon
    manière sorte espèce part côté bout fin milieu fond cas point peu plupart reste moitié main mains œil oeil
    yeux tête visage bras pied pieds voix cœur coeur lèvre lèvres épaule épaules doigt doigts cheveux mot mots
    fait lieu compte besoin peine raison question réponse tour attention envie idée air ceci cela ça celui celle
    ceux celles oui non hier demain aujourd'hui monsieur madame mademoiselle messieurs mesdames
""")

CALENDAR = words("""
    lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août
    septembre octobre novembre décembre noël pâques
""")

NEGATIONS = words("""
    ne n' n’ pas jamais point guère plus rien aucun aucune nul nulle personne ni sans non
""")

IF = words("si s' s’ quoique avant afin pourvu")

DOUBT = words("""
    croire penser supposer imaginer douter espérer souhaiter craindre soupçonner présumer prétendre sembler
    paraître rêver vouloir falloir demander nier jurer ignorer figurer
""")

SPEECH = words("""
    dire répondre répliquer écrier ajouter reprendre murmurer demander interrompre insister
""")

MODALS = words("""
    pouvoir devoir falloir vouloir sembler paraître savoir aller faillir souhaiter espérer désirer compter
""")

BECOME = words("devenir rester demeurer")

PREPOSITION = {"d'": "de", "d’": "de", "du": "de", "des": "de", "au": "à", "aux": "à"}

OPENERS = words("""
    pardon soit impossible aussitôt parbleu tonnerre silence halte bigre hein bah cristi vrai sitôt assis rouge
    prodigieux hélas merci adieu bonjour bonsoir peste diable diantre dame donc ainsi tiens tenez quoi malheur
    allons venez bientôt jamais toujours enfin soudain puis alors inutile force sais savez rends objet dressé
    cherche
""")

EVENTS = words("""
    nom noms emblème mort décès naissance mariage arrestation départ retour arrivée visite vie présence absence
    disparition front cris cri poche regrets candeur plan conduite manières regard regards geste sourire opinion
    idée esprit haine langue jeu efforts effort proposition hypothèse succès vanité confession direction piste
    perte colère crainte volonté désir espoir joie surprise stupeur étonnement parole paroles récit ordre ordres
    avis conseil compagnie honneur égard sujet service faveur place moyen suite aide côté
""")  # "la mort de Salvat" is nothing that Salvat has

ARTICLES = words("La Le Les L' L’ The")

RELATIVES = words("que qu' qu’ qui dont")

KIN = words("""
    fils fille frère sœur père mère mari femme veuve fiancé fiancée ami amie oncle tante
""")

NOUNS = words("NOUN PROPN")

POSSESSIVES = words("son sa ses mon ma mes ton ta tes notre nos votre vos leur leurs")

NOT_COMPLEMENTS = words("sans comme depuis sauf malgré selon pendant durant après")

NOT_IN_NAMES = words("autre autres même mêmes seul seule dernier dernière prochain")

NO_DETERMINERS = words("aucun aucune nul nulle chaque quel quelle quels quelles tout toute")  # before what is not there

DEFINITE = words("le la l' l’ les cette ce cet")

OF = words("de d' d’ du")
