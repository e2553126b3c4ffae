"""Tables for names, by language: articles, titles with gender, kinship, epithets, given names, numbers.

Every word is written as `words.fold` leaves it (casefolded, Latin accents off). The tables are short on purpose: a word
that is missing leaves two names apart, which a person can join; a word that is wrong joins two persons.
"""

from __future__ import annotations

from typing import Literal

Gender = Literal["m", "f", ""]


def _words(text: str) -> list[str]:
    return text.split()


# --------------------------------------------------------------------------------------------------------------------
# Articles

# fr en es de it pt nl: dropped wherever they lead, whatever their case.
ARTICLES = frozenset(
    _words("""
    the le la les un une el los las una unos unas uno der die das ein eine einen einem einer il gli um uma het een
""")
)
# Also a letter, a preposition or a surname: dropped only in lower case, or before a lower-case word.
WEAK_ARTICLES = frozenset(_words("a an o os as i lo den dem des"))
ELISIONS = frozenset(_words("l d qu un dell all nell"))
# Without its article this is another name.
KEEP_ARTICLE = frozenset(
    {
        "el salvador", "el paso", "el dorado", "la paz", "la plata", "la mancha", "la rochelle", "la reunion",
        "la habana", "le havre", "le mans", "los angeles", "los alamos", "las vegas", "das boot", "die hard",
        "die another", "la la",
    }
)  # fmt: skip

# Words that carry no name of their own; they may stand inside one ("Duke of York", "tête de loup").
FUNCTION_WORDS = ARTICLES | frozenset(
    _words("""
    a an o of at in on to for from by with and or as de du des d l en au aux a et ou dans sur sous par pour avec
    sans del dell della delle dei y e con para por von vom zu zum zur und mit van der ter da do dos das di s his her
    their my your our its sa ses mon ma mes leur leurs ce cet cette ces this that these those
""")
)
# After these the head of a name is over: "University of Paris" is no Paris. French "de" also opens a family name.
PREPOSITIONS = frozenset(_words("a of at in on to for from by with and und mit et aux dans sur pour avec"))
PARTICLES = frozenset(_words("de du des d da do dos das di del della von van der den zu la le"))

# --------------------------------------------------------------------------------------------------------------------
# Titles: word -> (what it says, gender). Forms of address say no more than a gender, and whether a woman is married.


def _table(rows: str) -> dict[str, tuple[str, Gender]]:
    """Rows of "meaning gender: word word word"; gender is m, f or -."""
    found: dict[str, tuple[str, Gender]] = {}
    for row in rows.strip().splitlines():
        head, words = row.split(":")
        meaning, gender = head.split()
        for word in words.split():
            found[word] = (meaning, "m" if gender == "m" else "f" if gender == "f" else "")
    return found


ADDRESS = _table("""
    mr m: mr mister m mm monsieur messieurs mssrs messrs sr senor herr signor signore sig sieur master esq esquire
    mr m: господин meneer senhor
    mrs f: mrs mistress mme mmes madame sra senora frau signora veuve widow vve госпожа mevrouw senhora
    miss f: miss mlle mlles mademoiselle srta senorita fraulein signorina senhorita
    ms f: ms ma'am madam dame lady milady donna dona
    sir m: sir lord milord don maitre
""") | {"me": ("sir", ""), "mx": ("mx", "")}
RANKS = _table("""
    doctor -: dr doctor docteur doktor doctora dottore доктор
    professor -: prof professor professeur profesor professore профессор
    inspector -: inspector inspecteur inspektor inspectrice inspecteurs insp dci
    detective -: detective
    superintendent -: superintendent commissaire commissioner kommissar comisario commissario
    sergeant -: sergeant sgt sergent brigadier
    constable -: constable gendarme pc
    officer -: officer agent
    judge -: judge juge justice magistrat
    captain -: captain capt capitaine hauptmann capitan capitano капитан
    colonel -: colonel col oberst coronel colonnello полковник
    major -: major maj commandant
    lieutenant -: lieutenant lt leutnant teniente tenente
    general -: general gen генерал
    admiral -: admiral amiral
    marshal -: marshal marechal
    corporal -: corporal caporal
    president -: president presidente prasident президент
    minister -: minister ministre
    senator -: senator senateur sen
    governor -: governor gouverneur gov
    mayor -: mayor maire
    king m: king roi konig rey re король
    queen f: queen reine konigin reina regina королева
    prince m: prince prinz principe князь
    princess f: princess princesse prinzessin princesa княгиня
    duke m: duke duc herzog duque duca
    duchess f: duchess duchesse herzogin duquesa
    count m: count comte graf conde conte earl граф viscount vicomte
    countess f: countess comtesse grafin condesa contessa vicomtesse графиня
    marquess m: marquess marquis
    marchioness f: marchioness marquise
    baron m: baron freiherr baronet
    baroness f: baroness baronne
    emperor m: emperor empereur kaiser zar tsar
    empress f: empress imperatrice tsarina
    pope m: pope pape papst papa
    bishop m: bishop eveque archbishop archeveque cardinal obispo
    priest m: abbe cure reverend rev pastor pasteur vicar curate padre pretre
    rabbi -: rabbi
    nurse f: nurse infirmiere
    shaikh m: sheikh shaikh sheik emir
""")  # fmt: skip
KIN = _table("""
    father m: father pere vater padre papa
    mother f: mother mere mutter madre maman
    brother m: brother frere bruder fratello hermano
    sister f: sister soeur schwester sorella hermana
    uncle m: uncle oncle onkel tio zio
    aunt f: aunt tante auntie tia zia
    cousin -: cousin cousine
    grandfather m: grandfather grandpere grandpa
    grandmother f: grandmother grandmere grandma
""")  # fmt: skip
# Titles that are never part of the name itself, as they are in "Captain Kangaroo", "Earl Warren" or "King Kong": only
# these drop from a single word when documents are compared.
PLAIN_TITLES = frozenset(_words("mr mrs miss ms mx doctor professor inspector detective superintendent"))
# Two offices that one person often holds.
SAME_OFFICE = frozenset(
    frozenset(pair.split("+"))
    for pair in _words("""
    doctor+professor inspector+detective officer+constable detective+superintendent officer+inspector
    detective+sergeant detective+officer detective+constable king+prince queen+princess senator+president
    senator+governor
""")
)  # fmt: skip
GENERATIONS = {
    "junior": "younger", "jr": "younger", "fils": "younger", "ii": "", "senior": "elder", "sr": "elder",
    "pere": "elder", "aine": "elder", "cadet": "younger",
}  # fmt: skip
SUFFIXES = frozenset(_words("esq esquire phd md kc qc mp obe mbe cbe"))

# --------------------------------------------------------------------------------------------------------------------
# Epithets: word -> what it says of age; one that says nothing just drops.

EPITHETS = dict.fromkeys(
    _words("""
    pauvre pauvres bon bonne brave cher chere beau bel belle feu feue fameux fameuse celebre certain certaine nomme
    nommee dit dite prenomme susdit poor dear dearest darling
    good late famous honest brave lovely certain so-called arme armer
    armen liebe lieber guter gute beruhmte pobre querido querida famoso famosa povero povera caro cara celebre
    бедный бедная милый милая
"""),
    "",
)
# Dropped in capitals too, where a given name or a title follows: "Poor Cynthia", "Old Mrs Tull"; not "Little Rock".
CAPITAL_EPITHETS = frozenset(_words("poor dear dearest darling old young pauvre cher chere vieux jeune armer arme"))
EPITHETS |= dict.fromkeys(
    _words("""
    jeune jeunes petit petite young younger little junge junger jungen kleine kleiner joven pequeno pequena giovane
    piccolo piccola jovem молодой молодая маленький маленькая
"""),
    "younger",
)
EPITHETS |= dict.fromkeys(
    _words("""
    vieux vieil vieille old older elder alte alter alten viejo vieja vecchio vecchia velho velha старый старая
    старик
"""),
    "elder",
)

# --------------------------------------------------------------------------------------------------------------------
# Given names whose gender is the same in every language. Not here: Jean, Andrea, Claude, Camille, Simone ...

_MEN = """
    aaron abraham achille adam adolphe adrian adrien alain alan albert alberto aleksandr alexander alexandre alexei
    alexis alfonso alfred alfredo alphonse ambroise amedee anatole andre andrei andrew angelo anselme anthony
    antoine anton antonio archibald armand arnaud arnold arsene arthur auguste augustin baptiste barack barnabe
    bartholomew basil bastien benedict benjamin benoit bernard bertrand boris bruno carl carlos cedric cesar charles
    christian christophe christopher clement clovis conrad constantin cyril cyrus daniel david denis diego dieter
    dimitri dmitri donald douglas edgar edmond edmund edouard eduardo edward edwin elias emile emmanuel enrique
    ernest ernesto etienne eugene fabien fabrice felix ferdinand fernand fernando firmin florent francesco francis
    francisco francois frank franz frederic frederick friedrich fritz gabriel gaspard gaston gauthier geoffrey georg
    george georges gerald gerard gerhard gilbert gilles giovanni giuseppe gontran gregoire gregory guillaume gustav
    gustave guy hans harold harry hector heinrich henri henry herbert hercule hermann hippolyte honore horace howard
    hubert hugh hugo hugues humphrey igor isaac isidore ivan jabez jack jacob jacques james jason jeffrey jeremy
    jerome joachim joao johann john jonathan jorge jose josef joseph joshua juan jules julian julien jurgen justin
    karl kevin konrad konstantin kurt lambert laurent lawrence leandre lazare leo leon leonard leopold lionel louis
    luc lucas lucien luigi luis luke manuel marc marcel marcello marco marcus mario mark martial martin matthew
    matthias matthieu maurice max maxime maximilian michael michel miguel mikhail mohamed mohammed mortimer muhammad
    mycroft nathan nathaniel neville nicholas nicolas nikita nikolai nils noel norbert octave oleg oliver olivier
    omar oscar otto pablo paolo pascal patrick paul pavel pedro percy peter philibert philip philippe pierre pietro
    prosper quentin rafael ralph raoul raphael raymond remi rene richard robert roberto rodolphe rodrigo roger
    roland roman romain ronald rudolf rupert samuel sebastien sergei sergio sherlock sigmund silvio simon stanislas
    stefan stephane stephen steven sylvain sylvestre tancrede terence theodore theophile thierry thomas timothy
    tobias tristan ulrich umberto urbain valentin vasily victor vincent viktor vladimir walter wilfred wilhelm
    william wolfgang xavier yves yuri zacharie
    александр алексей андрей борис владимир григорий дмитрий иван игорь константин лев михаил николай олег павел
    петр сергей федор юрий
"""
_WOMEN = """
    abigail adela adelaide adele adeline adriana agatha agathe agnes alexandra alice alina aline amalia amanda
    amelie amelia amy anastasia angela angele angelina angelique anita anna annabel anne annette annie antoinette
    antonia apolline ariane audrey augusta augustine aurelie barbara beatrice beatrix benedicte bernadette berthe
    bertha bianca blanche brigitte carla carmen carolina caroline catherine cecile cecilia celeste celestine celine
    chantal charlotte chiara chloe christiane christina christine clara clarisse claudia claudine clemence
    clementine clotilde colette constance cordelia corinne cynthia daniela danielle daphne deborah delphine denise
    diana dolores dorcas doris dorothee dorothy edith edwige eleanor elena eleonore elisabeth elise eliza elizabeth
    ella ellen eloise elsa elvira emilia emilie emily emma emmanuelle erika ernestine esmeralda esther eugenia
    eugenie eulalie euphemia eva eve eveline fanny felicie felicity fernande fiona flora florence frances francesca
    francoise frederique gabriela gabrielle genevieve georgette georgia geraldine germaine gertrude gisele giulia
    grace greta gretchen gwendolen hannah harriet hatty heidi helen helena helene henriette hilda hortense ida ilse
    imogen ines ingrid irene irina iris isabel isabella isabelle isadora ivy jacqueline jane janet jeanne jeannette
    jennifer jenny jessica joanna josephine judith julia juliana julie juliet juliette justine karen katharina
    katherine kathleen laetitia laura laure lea leonie leontine lilian liliane lily lisa liselotte lottie louisa
    louise lucia lucie lucienne lucille lucy ludmila lydia lydie mabel madeleine magdalena margaret margarita margot
    marguerite maria marianne marie marina marion marthe martha martine mary maryse mathilde matilda maud melanie
    melissa mercedes meredith michelle mildred millicent minna miranda miriam molly monica monique muriel nadia
    nadine nancy natalia natalie natasha nathalie nellie nicole nina noemie nora octavie odette odile olga olivia
    olympe ophelia pamela patricia paula paulette pauline penelope philippa philomene phoebe polly priscilla rachel
    raymonde rebecca regina renata renee rita roberta rosa rosalie rosalind rose roseline rosemary roxane ruth
    sabine sabrina sally samantha sandra sara sarah selina serena sibylle simona solange sonia sophia sophie stella
    stephanie susan susanna suzanne suzette svetlana sybil sylvia sylvie tamara tatiana teresa thelma theodora
    therese toinette toinon ursula valentine valerie vera veronica veronique victoire victoria violet violette
    virginia virginie vivienne wanda wilhelmina winifred yolande yvette yvonne zelie zoe
    александра алла анастасия анна валентина вера галина дарья екатерина елена ирина лариса любовь людмила марина
    мария надежда наталья нина оксана ольга светлана софья татьяна
"""
GIVEN_NAMES: dict[str, Gender] = dict.fromkeys(_MEN.split(), "m")
GIVEN_NAMES |= dict.fromkeys(_WOMEN.split(), "f")

# Feminine ending -> masculine: "chevalière" is no "chevalier", "Martine" no "Martin".
FEMININE_ENDINGS = (
    ("ere", "er"), ("euse", "eur"), ("trice", "teur"), ("enne", "en"), ("onne", "on"), ("elle", "el"), ("nne", "n"),
    ("ette", "et"), ("sse", ""), ("ress", "er"), ("ress", "or"), ("ess", ""), ("ine", ""), ("ina", ""), ("ia", ""),
    ("ie", ""), ("ve", "f"), ("se", "x"), ("e", ""), ("a", ""), ("a", "o"), ("e", "o"), ("in", ""), ("а", ""),
)  # fmt: skip
SLAVIC_FEMININE_ENDINGS = (
    ("ова", "ов"), ("ева", "ев"), ("ина", "ин"), ("ая", "ий"), ("ая", "ый"), ("ova", "ov"), ("eva", "ev"),
    ("ina", "in"), ("aya", "y"), ("aia", "i"), ("ska", "ski"), ("cka", "cki"), ("ova", ""),
)  # fmt: skip

# --------------------------------------------------------------------------------------------------------------------
# Legal forms of companies: they say nothing of who it is. "company" and "group" stay: "The Ford Motor Company".

LEGAL_FORMS = frozenset(
    _words("""
    ag aktiengesellschaft gmbh kg kgaa inc incorporated corp corporation co ltd limited llc llp lp plc pty pte sa
    sas sarl srl spa nv bv bvba ab oy as asa aps kk ooo oao zao pao ojsc jsc ооо оао зао пао
""")
)

# Written out, before or after the name; the longest first.
LEGAL_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "public limited company", "limited liability company", "private limited company",
        "open joint stock company", "public joint stock company", "closed joint stock company", "joint stock company",
        "sp z o o", "spolka z ograniczona odpowiedzialnoscia", "spolka akcyjna",
        "gesellschaft mit beschrankter haftung", "societe anonyme", "societe a responsabilite limitee",
        "societe par actions simplifiee", "sociedad anonima", "sociedad limitada",
        "sociedad de responsabilidad limitada",
        "societa per azioni", "societa a responsabilita limitata", "sociedade anonima", "sociedade limitada",
        "societatea cu raspundere limitata", "naamloze vennootschap", "besloten vennootschap",
        "открытое акционерное общество", "публичное акционерное общество", "закрытое акционерное общество",
        "акционерное общество", "общество с ограниченной ответственностью",
    )
)  # fmt: skip
CONJUNCTIONS = frozenset(_words("and et und y e en och og и und"))  # "&" is no word: "Procter & Gamble"

# --------------------------------------------------------------------------------------------------------------------
# Numbers and opposites

NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        """one first premier premiere un erste primero primo
        two second seconde deux deuxieme zwei zweite dos segundo secondo due
        three third trois troisieme drei dritte tres tercero terzo tre
        four fourth quatre quatrieme vier vierte cuatro cuarto quattro quarto
        five fifth cinq cinquieme funf cinco quinto cinque
        six sixth sixieme sechs seis sexto sei
        seven seventh sept septieme sieben siete septimo sette
        eight eighth huit huitieme acht ocho octavo otto
        nine ninth neuf neuvieme neun nueve noveno nove
        ten tenth dix dixieme zehn diez decimo dieci
        eleven eleventh onze onzieme elf once undici
        twelve twelfth douze douzieme zwolf doce dodici""".splitlines(),
        start=1,
    )
    for word in words.split()
} | {"otto": 0, "sei": 0, "un": 0}
NUMBER_WORDS = {word: number for word, number in NUMBER_WORDS.items() if number}
# Words that make two otherwise equal names two things: each group means one pole, and two poles conflict.
POLES: dict[str, tuple[str, str]] = {
    word: (scale, pole)
    for scale, pole, words in (
        ("compass", "north", "north nord norte northern septentrional"),
        ("compass", "south", "south sud southern meridional"),
        ("compass", "east", "east est este ost eastern oriental"),
        ("compass", "west", "west ouest oeste western occidental"),
        ("height", "upper", "upper haut haute superior superieur superieure"),
        ("height", "lower", "lower bas basse inferior inferieur inferieure"),
        ("side", "left", "left gauche"),
        ("side", "right", "right droite"),
        ("time", "morning", "morning matin"),
        ("time", "evening", "evening soir"),
    )
    for word in words.split()
}

# --------------------------------------------------------------------------------------------------------------------
# Coarse types: two that are named here and differ are two things; any other word tells nothing.

TYPE_CLASSES = {
    word: kind
    for kind, words in {
        "person": "person per people character human personne personnage individual",
        "organization": "organization organisation org group company corporation institution groupe societe entreprise",
        "place": "place location loc gpe city country town lieu ville pays fac facility building",
        "date": "date time year annee",
        "work": "work work_of_art book film movie song livre",
        "vessel": "vessel ship boat navire bateau",
        "event": "event evenement",
    }.items()
    for word in words.split()
}
