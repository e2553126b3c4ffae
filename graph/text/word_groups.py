"""Words for what people list: a word that names a kind of things or deeds, and words for what is of that kind, in
English and French. "Boats" are also listed where a text says "tender" or « chalutier », "loans" where it says « prêt ».
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from filigraph.graph.text.words import terms

# English names of the kind, and what is of it; likewise in French.
_GROUPS = """
ship vessel boat craft | steamer steamship schooner ketch brig barque tender launch trawler tug ferry yacht cutter liner
freighter barge lugger smack frigate dinghy skiff whaler canoe
/ navire bateau embarcation | paquebot goelette brick voilier chalutier remorqueur vedette baliseur canot chaloupe
barque peniche cotre caboteur thonier sardinier fregate bac pinasse pirogue ketch cargo yacht;
vehicle | car carriage cab coach cart wagon van lorry truck automobile taxi motorcycle bicycle
/ voiture vehicule | fiacre caleche charrette camion camionnette diligence berline moto bicyclette velo taxi;
weapon | gun revolver pistol rifle knife dagger sword poison razor axe
/ arme | fusil revolver pistolet carabine couteau poignard epee sabre poison rasoir hache;
jewel jewellery jewelry | ring necklace bracelet brooch diamond pearl ruby emerald sapphire earring watch clasp locket
/ bijou joyau | bague chevaliere collier bracelet broche diamant perle rubis emeraude saphir montre agrafe medaillon;
document paper | letter will deed contract certificate register receipt ledger note telegram report
/ document papier | lettre testament acte contrat certificat registre recu quittance facture telegramme rapport;
letter mail | epistle note postcard telegram email / lettre courrier | billet missive courriel telegramme;
will | testament bequest legacy codicil / testament | legs codicille;
contract agreement | lease deed treaty / contrat accord convention | bail acte marche pacte;
payment | paid pays pay sum cheque transfer remittance deposit
/ paiement versement reglement | paye verse virement somme cheque mandat acompte debit retrait prelevement;
withdrawal | withdrawn withdrew / retrait | retire;
transfer | remittance / virement | vire;
cash | banknote / especes comptant liquide | billet;
purchase | bought buy buys purchased acquired / achat acquisition | achete acheter acquis acquiert;
sale | sold sell sells / vente cession | vendu vend vendre cede ceder;
gift present | gave given donated bequeathed / don cadeau | offert donne legue;
loan | lent lend borrowed borrow mortgage / pret emprunt avance | prete emprunte hypotheque;
debt | owed owe owes arrears unpaid debtor / dette | doit devait impaye creance arriere debiteur;
bill invoice | account / facture note | compte;
unpaid | owed owing due outstanding arrears / impaye | arriere restant;
price cost | value worth sum amount / prix cout | somme montant valeur tarif coute vaut;
wage salary pay | wages fee / salaire paie gages | cachet honoraire solde appointements traitement;
offer bid | tender proposal estimate / offre soumission | pli proposition devis;
insurance | insured policy premium / assurance | assure police prime;
call | telephone telephoned rang phoned / appel | telephone appele;
meeting | met session assembly / reunion rencontre | seance assemblee entrevue conseil;
visit | visited called guest visitor / visite | visiteur venu recu;
journey trip voyage | travelled sailed departure crossing passage / voyage trajet | traversee depart parti;
departure | left leaves sailed / depart | parti partit quitte;
arrival | arrived arrives came / arrivee | arrive venu debarque;
death | died dies dead killed drowned deceased buried / mort deces | mourut decede noye tue defunt obseques enterre;
birth | born / naissance | nee;
wedding marriage | married wed / mariage noce | epouse epousa marie union;
theft robbery | stole stolen robbed steal thief / vol | derobe vole voleur disparu;
murder crime | killed murdered poisoned strangled / meurtre assassinat crime | tue assassine empoisonne;
fire | burnt burned blaze / incendie feu | brule flamme;
accident | fell crash collision / accident | chute collision;
wound injury | wounded injured hurt cut scar / blessure | blesse cicatrice;
illness disease | ill sick fever cough sickness / maladie | malade fievre toux;
wreck | lost sank sunk stranded struck / naufrage | coule perdu echoue epave;
witness | saw heard testified / temoin | vu entendu temoigne depose;
relative relation kin family | father mother brother sister son daughter child uncle aunt nephew niece cousin husband
wife widow grandfather grandmother
/ parent famille | pere mere frere soeur fils fille enfant oncle tante neveu niece cousin mari femme epoux epouse veuve
tonton gendre;
servant | maid butler cook footman housekeeper valet / domestique | bonne cuisinier cuisiniere servante valet;
doctor physician | surgeon / medecin docteur | chirurgien;
lawyer | solicitor attorney barrister notary / avocat | notaire avoue;
company firm business | agency bank ltd / societe entreprise compagnie | agence banque sarl groupement etablissement;
farm | estate homestead / ferme | mas domaine metairie;
house building | cottage villa mansion hut / maison batiment | villa chateau manoir hangar remise atelier grange;
room | bedroom kitchen parlour study attic cellar / chambre | salon cuisine bureau grenier cave;
land | plot field meadow parcel acre estate / terrain terre | parcelle champ pre friche domaine;
town city | village port / ville | village bourg commune port;
animal | dog cat horse cow goat sheep bird / animal bete | chien chat cheval vache chevre mouton oiseau;
medicine drug | pill syrup ointment powder chloral laudanum morphine opium veronal
/ medicament remede | cachet sirop pommade poudre comprime drogue potion quinine;
garment clothes clothing | coat dress cloak gown hat shirt jacket trousers glove
/ vetement habit costume | manteau robe chapeau chemise veste vareuse pantalon gant gilet toque pourpoint;
tool | hammer saw spade chisel / outil | marteau scie beche pelle burin;
door | gate entrance / porte | entree sortie;
name alias | called named known nickname / nom alias surnom | surnomme appele dit nomme pseudonyme;
job post | worked hired appointed / emploi metier poste fonction | embauche engage nomme travaille;
quarrel dispute | quarrelled argued disagreed / querelle dispute | disputait brouille;
denial | denied denies deny / dementi | nie dement contredit;
promise | promised / promesse | promet promis jure;
rumour | gossip said / rumeur bruit | ragot raconte pretend;
mark | stamp stamped engraved initial tattoo / marque | poincon gravure grave tatouage inscription
"""
_LANGUAGES = ("en", "fr")


@lru_cache(maxsize=2048)
def words_of_kind(word: str, language: str) -> Set[str]:
    """The words of a language for a kind of things, folded, if a folded word (singular or plural) names one."""
    wanted = {word, *(term for other in _LANGUAGES for term in terms(word, other))}
    return frozenset(member for names, members in _groups() if wanted & names for member in members.get(language, ()))


@lru_cache(maxsize=2048)
def terms_of_kind(word: str, language: str) -> Set[str]:
    """The same as terms of the word index."""
    return frozenset(term for member in words_of_kind(word, language) for term in terms(member, language))


@lru_cache(maxsize=1)
def _groups() -> Sequence[tuple[Set[str], Mapping[str, Set[str]]]]:
    """For each kind the forms of its names in all languages, and its words by language."""
    groups = []
    for group in _GROUPS.split(";"):
        names, words = set[str](), dict[str, Set[str]]()
        for language, part in zip(_LANGUAGES, group.split("/"), strict=True):
            named, members = (listed.split() for listed in part.split("|"))
            names |= {form for name in named for form in (name, *terms(name, language))}
            words[language] = frozenset((*named, *members))
        groups.append((frozenset(names), words))
    return groups
