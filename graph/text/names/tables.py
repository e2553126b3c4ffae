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

# fr en es de it pt nl: dropped at the start of a name, in any case.
ARTICLES = frozenset(
    _words("""
    the le la les un une el los las una unos unas uno der die das ein eine einen einem einer il gli um uma het een
""")
)
# Also a letter, a preposition or a surname: dropped only in lower case, or before a lower-case word.
WEAK_ARTICLES = frozenset(_words("a an o os as i lo den dem des"))
ELISIONS = frozenset(_words("l d qu un dell all nell"))
# Keep the article: without it this is another name.
KEEP_ARTICLE = frozenset(
    {
        "el salvador", "el paso", "el dorado", "la paz", "la plata", "la mancha", "la rochelle", "la reunion",
        "la habana", "le havre", "le mans", "los angeles", "los alamos", "las vegas", "das boot", "die hard",
        "die another", "la la",
    }
)  # fmt: skip

# Function words; they may occur inside a name ("Duke of York", "tête de loup").
FUNCTION_WORDS = ARTICLES | frozenset(
    _words("""
    a an o of at in on to for from by with and or as de du des d l en au aux a et ou dans sur sous par pour avec
    sans del dell della delle dei y e con para por von vom zu zum zur und mit van der ter da do dos das di s his her
    their my your our its sa ses mon ma mes leur leurs ce cet cette ces this that these those
""")
)
# These end the head of a name: "University of Paris" does not name Paris. French "de" also begins a surname.
PREPOSITIONS = frozenset(_words("a of at in on to for from by with and und mit et aux dans sur pour avec"))
PARTICLES = frozenset(_words("de du des d da do dos das di del della von van der den zu la le"))

# --------------------------------------------------------------------------------------------------------------------
# Titles: word -> (meaning, gender). Forms of address convey only gender and, for women, marital status.


def _table(rows: str) -> dict[str, tuple[str, Gender]]:
    """Rows of "meaning gender: word word word"; gender is m, f or -."""
    table: dict[str, tuple[str, Gender]] = {}
    for row in rows.strip().splitlines():
        head, words = row.split(":")
        meaning, gender = head.split()
        for word in words.split():
            table[word] = (meaning, "m" if gender == "m" else "f" if gender == "f" else "")
    return table


ADDRESS = _table("""
    mr m: mr mister m mm monsieur messieurs mssrs messrs sr senor herr signor signore sig sieur master esq esquire
    mr m: господин meneer senhor
    mrs f: mrs mistress mme mmes madame sra senora frau signora veuve widow vve госпожа mevrouw senhora
    miss f: miss mlle mlles mademoiselle srta senorita fraulein signorina senhorita
    ms f: ms ma'am madam dame donna dona
    lady f: lady milady
    knight m: sir lord milord
    sir m: don maitre sire messire monseigneur mgr
    comrade -: comrade camarade genosse genossin kamerad compagno compagna camarada
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
    count m: count comte graf conde conte earl граф
    viscount m: viscount vicomte vizconde visconte
    countess f: countess comtesse grafin condesa contessa графиня
    viscountess f: viscountess vicomtesse vizcondesa
    marquess m: marquess marquis
    marchioness f: marchioness marquise
    baron m: baron freiherr baronet
    squire m: squire
    baroness f: baroness baronne
    emperor m: emperor empereur kaiser zar tsar
    empress f: empress imperatrice tsarina
    pope m: pope pape papst papa
    bishop m: bishop eveque archbishop archeveque cardinal obispo
    priest m: abbe cure reverend rev pastor pasteur vicar curate padre pretre parson friar deacon
    rabbi -: rabbi
    nurse f: nurse infirmiere
    shaikh m: sheikh shaikh sheik emir
""")  # fmt: skip
# Callings before a surname that are not titles: "Farmer" is not a given name in "Farmer Oak". Hardly ever names.
CALLINGS = frozenset(
    _words("""
    farmer shepherd lawyer attorney deacon goodman goodwife goody gaffer gammer neighbour neighbor bailiff baily
    landlord landlady fermier fermiere bonhomme compere commere voisin voisine
""")
)
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
# Titles that are never part of a name, unlike those of "Captain Kangaroo", "Earl Warren" or "King Kong". Only these are
# ignored before a single word when names are compared across documents.
PLAIN_TITLES = frozenset(_words("mr mrs miss ms mx doctor professor inspector detective superintendent"))
# Titles of the army: in English an officer is not called Mr.
MILITARY = frozenset(_words("captain colonel major lieutenant general admiral marshal corporal"))
NOBILITY = frozenset(meaning for meaning, gender in RANKS.values() if gender) - {"squire", "priest", "nurse", "pope"}
# Offices that precede a surname, not a given name: "Colonel Fitzwilliam" is not Fitzwilliam Darcy.
BEFORE_SURNAMES = MILITARY | frozenset(
    _words("inspector detective superintendent constable officer judge minister senator governor mayor professor")
)
# Titles that precede a family's name with its particle; after "duke" or "prince" the name is a country's.
BEFORE_FAMILIES = frozenset(
    _words("""
    comte comtesse vicomte vicomtesse marquis marquise baron baronne graf grafin freiherr conde condesa conte contessa
""")
)
# Officers who are hardly ever knights.
JUNIOR_OFFICERS = frozenset(("captain", "lieutenant", "major", "sergeant", "corporal"))
# Titles as English writes them, where they exclude each other: a French novel has "sir Brown" and "M. Brown".
ENGLISH_MR, ENGLISH_SIR = frozenset(("mr", "mister")), frozenset(("sir", "lord"))
ENGLISH_LADY, ENGLISH_MRS = frozenset(("lady",)), frozenset(("mrs", "miss", "mistress"))
# Pairs of offices that one person often holds.
SAME_OFFICE = frozenset(
    frozenset(pair.split("+"))
    for pair in _words("""
    doctor+professor inspector+detective officer+constable detective+superintendent officer+inspector
    detective+sergeant detective+officer detective+constable king+prince queen+princess senator+president
    senator+governor
""")
)  # fmt: skip
# Words before the name of several people: "the Misses Leavenworth", "MM. de Coigny" are nobody's name.
PLURALS = frozenset(
    _words("""
    messrs mssrs mm messieurs misses mlles mesdemoiselles mmes mesdames brothers sisters aunts uncles cousins freres
    soeurs tantes oncles herren frauen господа братья сестры
""")
)
GENERATIONS = {
    "junior": "younger", "jr": "younger", "fils": "younger", "ii": "", "senior": "elder", "sr": "elder",
    "pere": "elder", "aine": "elder", "cadet": "younger",
}  # fmt: skip
SUFFIXES = frozenset(_words("esq esquire phd md kc qc mp obe mbe cbe"))

# --------------------------------------------------------------------------------------------------------------------
# Epithets: word -> age, "late" of the dead, "" for those that are only dropped.

EPITHETS = dict.fromkeys(
    _words("""
    pauvre pauvres bon bonne brave cher chere beau bel belle fameux fameuse celebre certain certaine nomme
    nommee dit dite prenomme susdit poor dear dearest darling
    good famous honest brave lovely certain so-called arme armer
    armen liebe lieber guter gute beruhmte pobre querido querida famoso famosa povero povera caro cara celebre
    бедный бедная милый милая
"""),
    "",
)
# Dropped in capitals too, if a given name or a title follows: "Poor Cynthia", "Old Mrs Tull"; not "Little Rock".
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

EPITHETS |= dict.fromkeys(
    _words("late feu feue selig seliger seligen difunto difunta defunto defunta покойный покойная"), "late"
)

# Dropped before a name: "ce Raymon", "that Wickham".
DEMONSTRATIVES = frozenset(_words("this that ce cet cette dieser diese dieses este esta questo questa"))
# Possessives of forms of address: dropped before an epithet or a word of kinship, "my dear Jane", "mon oncle Ralph".
POSSESSIVES = frozenset(
    _words(
        "my our your thy his her their mon ma mes notre nos votre ton ta son sa leur mein meine unser unsere mi mio mia"
    )
)

# --------------------------------------------------------------------------------------------------------------------
# Given names; those of either gender (Jean, Andrea, Claude, Camille, Simone) in a list of their own.

_MEN = """
    aaron abel abraham achille adam adolphe adrian adrien aidan alain alan albert alberto albin aldo alec aleksandr
    alexander alexandre alexei alexis alfonso alfred alfredo alistair alois alphonse ambroise ambrose amedee anatole
    andre andreas andrei andrew angelo angus anselm anselme anthony antoine anton antonio antony archibald archie
    aristide armand arnaud arnold arsene arthur arturo aubin auguste augustin aurelien baptiste barack barnabe
    barnaby bartholomew basil bastien baudouin benedict benito benjamin benny benoit bernard bertie bertram bertrand
    bjorn boris brendan brian bruno caleb calvin carl carlos cedric celestin cesar charles christian christoph
    christophe christopher clarence clement clive clovis colin conor conrad constantin cornelius cosimo cuthbert
    cyril cyrus damien daniel dario david denis dennis derek dermot desmond didier diego dieter dietrich dimitri
    dirk dmitri dominick donald douglas duncan dylan eamon eberhard eddie edgar edmond edmondo edmund edouard
    eduardo edward edwin egon elias elie eliott emil emile emilio emmanuel enrique ephraim eric erich erik ernest
    ernesto erwin etienne eugen eugene eusebe evariste everett ezekiel fabien fabio fabrice federico felipe felix
    ferdinand fergus fernand fernando fidele filippo firmin florent florian floyd francesco francis francisco franck
    franco francois frank franz fred freddie freddy frederic frederick friedrich fritz gabriel gareth gaspard gaston
    gauthier gavin gennaro geoffrey geoffroy geordie georg george georges gerald gerard gerhard gervais giacomo
    gianni gideon gilbert gilles giorgio giovanni giuseppe glenn godfrey gontran gonzalo gregoire gregor gregory
    guido guillaume guillermo gunther gustav gustave guy hamish hank hannes hans harald harold harry hector heinrich
    heinz helmut henri henrik henry herbert hercule hermann hernan hilaire hippolyte hiram honore horace horatio
    horst howard hubert hugh hugo hugues humphrey hyacinthe ian ignace ignacio igor ike isaac isaiah isidore ismael
    ivan ivor jabez jack jacob jacques jakob james jason javier jeffrey jeremiah jeremy jerome jerry jim jimmy
    joachim joao joaquin joe joel johann johannes john johnny jonas jonathan jorge jose josef joseph joshua juan
    jules julian julien jurgen justin karl kaspar keith kenneth kevin klaus konrad konstantin kurt lambert lars
    laurent lawrence lazare leander leandre leo leon leonard leopold leopoldo leroy lionel loic lorenzo lothar louis
    luc lucas lucien ludovic ludwig luigi luis luke lyle lysander malcolm manfred manfredi manuel marc marcel
    marcello marco marcus mario marius mark martial martin mathias mathieu matthew matthias matthieu maurice mauro
    max maxime maximilian michael michel mickael miguel mike mikhail milo mohamed mohammed moritz mortimer moses
    muhammad mycroft nathan nathaniel nestor neville nicholas nicolas nigel nikita niklas nikolai nils noel norbert
    obadiah octave oleg oliver olivier omar onesime orlando orson oscar oswald otis ottavio otto pablo paolo pascal
    pascual patrick paul pavel pedro percival percy pete peter philibert philip philippe phineas pierre pietro
    prosper quentin quincy rafael ralph ramon raoul raphael raymond raymundo reginald regis reinhard remi rene
    ricardo riccardo richard rick rob robert roberto rocco rodney rodolfo rodolphe rodrigo roger roland rolf romain
    roman ron ronald rory ruben rudolf rudy rufus ruggero rupert salvatore samuel sebastian sebastien septimus
    sergei sergio severin sherlock siegfried sigmund silas silvain silvio simeon simon solomon stanislas stefan
    stephane stephen steven sven sylvain sylvestre tancrede ted terence thaddeus theo theobald theodor theodore
    theodule theophile thibault thibaut thierry thomas tim timoteo timothy tobias toby tom tommaso tony tristan
    ulrich ulysse ulysses umberto urbain uwe valentin valere vasily victor victorien viktor vincent vito vittorio
    vlad vladimir waldo walter walther wendell werner wilbur wilfred wilhelm willard willem william willy winston
    wolfgang xavier yann yannick yuri yves zacharie zachary
    александр алексей андрей борис владимир григорий дмитрий иван игорь константин лев михаил николай олег павел
    петр сергей федор юрий
"""
_WOMEN = """
    abigail ada adela adelaide adele adeline adriana adrienne agata agatha agathe agnes agnese albertine alessandra
    alexandra alexandrine alexia alice alina aline alison alma amalia amanda amandine amelia amelie amy anais
    anastasia anastasie angela angele angelina angelique anita anna annabel anne annette annie anouk antoinette
    antonella antonia aoife apolline apollonia arabella ariane arlette armande armelle astrid athenais aude audette
    audrey augusta augustina augustine aurelia aurelie aurore babette barbara beatrice beatrix beatriz becky belinda
    bella benedicte berenice bernadette bernadine bertha berthe bessie bethany betsy betty bianca birgit blanche
    blandine brenda bridget brigid brigitte brunhilde camila candice carla carmen carole carolina caroline carolyn
    caterina catherine cathy cecile cecilia cecily celeste celestine celia celine cerise chantal charlotte cheryl
    chiara chloe christel christelle christiane christina christine cinzia claire clara clarice clarissa clarisse
    claudia claudine clea clemence clementine cleo clio clotilde colette constance coralie cordelia corinna corinne
    cornelia cosette cristina cynthia daisy daniela danielle danuta daphne daria davina deborah deirdre delphine
    denise denyse desiree diana diane dina dolly dolores dominica dora dorcas doreen dorine doris dorothea dorothee
    dorothy edith edna edwige effie eileen elaine eleanor elena eleonora eleonore elfriede elinor elisa elisabeth
    elise eliza elizabeth ella ellen ellie elodie eloise elsa elspeth elvira elvire emilia emilie emily emma
    emmanuelle emmeline enid erika ermine ernestine esmeralda estelle esterella esther ethel etta eudora eugenia
    eugenie eulalia eulalie eunice euphemia eustacia eva evangeline eve evelina eveline fabienne fanchon fanny
    fatima faustine felicie felicity fernanda fernande fiona fleur flora florence florentine frances francesca
    francoise frederique frida frieda gabriela gabriella gabrielle gemma genevieve georgette georgia georgina
    geraldine gerda germaine gertrude ghislaine gilberte gina ginette giovanna gisela gisele giulia giuseppina
    gladys glenda gloria grace greta gretchen gudrun guinevere gwendolen hannah harriet harriett hattie hatty
    heather hedda hedwig heidi helen helena helene heloise henrietta henriette hermine hermione hester hilda honoria
    hortense hortensia hyacintha ida ilona ilse imelda imogen ines inge ingeborg ingrid iphigenie irene irina iris
    irma isabel isabella isabelle isadora isolde ivy jacinthe jacqueline jane janet janice jeanine jeanne jeannette
    jemima jenna jennifer jenny jessica jill joan joanna joanne jocasta johanna jolanda josephine josette josiane
    juana judith judy julia juliana julie juliet juliette justine karen karin kate katharina katharine katherine
    kathleen kathrine katia katie katrin kitty klara laetitia lara larissa laura laure laureen lavinia lea leila
    lena leonie leontine leopoldine letitia letizia lettice lidia lilian liliane lillian lily lina linda lisa lise
    liselotte lisette liza lois lola loretta lorna lotte lottie louella louisa louise luce lucia luciana lucie
    lucienne lucile lucilla lucille lucrezia lucy ludmila luisa lydia lydie lynn mabel mabelle madeleine madeline
    maeve magali magda magdalena maggie mairi maite mandy manon mara marcella marcelle margaret margarita margery
    margherita margot marguerita marguerite maria marianna marianne marie mariella marielle marietta mariette
    marilyn marina marion marjorie marlene marta martha marthe martine mary maryse maryvonne mathilde matilda maud
    maureen mavis maybelle melania melanie melina melisande melissa melusine mercedes meredith mia michaela michelle
    mildred mildrede millicent mimi mina minna minnie miranda mireille miriam moira molly mona monica monique
    muguette muriel myriam myrtle nadege nadia nadine nadja nancy nanette naomi natalia natalie natasha nathalie
    nell nellie nelly nerina nicole nicoletta nina noelle noemie nora norah norma octavia octavie odette odile olga
    olivia olympe olympia ondine ophelia oriane ottilie pamela paola pascaline patricia paula paulette paulina
    pauline peggy penelope pernelle petra philippa philomene phoebe phyllis pierrette polly priscilla quitterie
    rachel raffaella ramona raphaelle raquel raymonde rebecca regina regine renata renee rhoda rita roberta rolande
    romaine ronda rosa rosalba rosalie rosalind rosamund rosanna rose roseline rosemary rosetta rosette rosina
    roxane roxanne ruth sabina sabine sabrina sadie sally salome samantha sandra sandrine sara sarah saskia selina
    serena severine sheila sibylle sidonie sigrid silvia simona simonetta sofia sofie solange solene sonia sonja
    sophia sophie soraya stella stephanie susan susanna suzanne suzette suzie svetlana sybil sybille sylvia sylvie
    tabitha tamara tatiana teresa thea thelma theodora theodosia theresa therese thomasina tilda tilly toinette
    toinon trudy ulrike ursula valentina valentine valeria valerie vanessa vera verena veronica veronique vicky
    victoire victoria violet violette virginia virginie vittoria viviane vivienne wanda wendy wilhelmina wilma
    winifred yasmine yolande yseult ysolde yvette yvonne zelie zita zoe zofia zuleika
    александра алла анастасия анна валентина вера галина дарья екатерина елена ирина лариса любовь людмила марина
    мария надежда наталья нина оксана ольга светлана софья татьяна
"""
_EITHER = """
    alex andrea ange camille charlie chris claude cyrille daniele dominique evelyn gabriele gwenael jackie jan jean jo
    jocelyn kim laurence leslie lou michele morgan nicola pat robin sam sasha sidney simone valery vivian
"""
GIVEN_NAMES: dict[str, Gender] = dict.fromkeys(_EITHER.split(), "")
GIVEN_NAMES |= dict.fromkeys(_MEN.split(), "m")
GIVEN_NAMES |= dict.fromkeys(_WOMEN.split(), "f")

# Feminine ending -> masculine: "chevalière" is not "chevalier", "Martine" is not "Martin".
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
# Legal forms of companies, ignored in comparisons; "company" and "group" are not: "The Ford Motor Company".

LEGAL_FORMS = frozenset(
    _words("""
    ag aktiengesellschaft gmbh kg kgaa inc incorporated corp corporation co ltd limited llc llp lp plc pty pte sa
    sas sarl srl cie spa nv bv bvba ab oy as asa aps kk ooo oao zao pao ojsc jsc ооо оао зао пао
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
CONJUNCTIONS = frozenset(_words("and et und y e en och og и und"))  # "&" is not a word: "Procter & Gamble"

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
        twelve twelfth douze douzieme zwolf doce dodici
        thirteen treize dreizehn trece tredici
        fourteen quatorze vierzehn catorce quattordici""".splitlines(),
        start=1,
    )
    for word in words.split()
} | {"otto": 0, "sei": 0, "un": 0}
NUMBER_WORDS = {word: number for word, number in NUMBER_WORDS.items() if number}
# Words that distinguish otherwise equal names: each group is one pole of a scale, and different poles conflict.
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

# Generic nouns for places and organizations; by themselves they refer to one that the context makes clear.
GENERIC_NOUNS = frozenset(
    _words("""
    house hall court lodge manor villa cottage castle tower palace temple church chapel abbey cathedral school college
    university academy institute library museum gallery theatre theater opera hotel inn tavern club cafe restaurant
    bank exchange company firm office bureau agency department ministry embassy league society association foundation
    union committee council commission board parliament senate congress street road lane avenue boulevard square place
    park garden gardens bridge station harbour harbor port docks pier island islands lake river mount hill valley
    encyclopaedia encyclopedia gazette times journal post club yard prison gaol jail hospital asylum police army navy
    maison hotel auberge chateau palais temple eglise chapelle abbaye cathedrale ecole lycee universite academie
    institut bibliotheque musee galerie theatre cercle banque bourse compagnie societe agence ministere ambassade ligue
    association fondation syndicat comite conseil commission rue route ruelle chemin quai place parc jardin pont gare
    ile iles lac riviere mont colline vallee fleuve capitainerie mairie commune prefecture etude cabinet atelier
    laboratoire pharmacie clinique hopital prison police armee marine
    haus kirche schule strasse platz bahnhof brucke gesellschaft verein bundesrat
    calle plaza iglesia escuela banco sociedad via piazza chiesa scuola banca societa
""")
)
# Generic and other nouns that are hardly ever a surname: "Mary River" is not a Mary.
PLACE_NOUNS = frozenset(
    _words("""
    street road avenue boulevard square station bridge river creek island islands harbour harbor docks pier gardens
    valley hospital hotel theatre theater cathedral college school university museum gallery strasse platz bahnhof
    grove manor grange priory cottage crescent
""")
)
SAINTS = frozenset(_words("saint sainte st ste san santa santo sankt sao"))
# Qualifiers that change the name of a place: "Central America", "Mid-Devon", "New England".
PLACE_QUALIFIERS = frozenset(
    _words("""
    central mid new greater inner outer nouveau nouvelle grand grande petit moyen neu neue gross nueva nuevo nuova
""")
)
