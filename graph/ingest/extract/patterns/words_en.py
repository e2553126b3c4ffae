"""Word lists of the English patterns: what a parser does not know about words."""

from __future__ import annotations

from filigraph.graph.ingest.extract.patterns.phrases import NameWords, PersonGender, words

TITLES = words("""
    mr mrs miss ms master mister dr doctor sir lady lord madam madame monsieur m mme mlle mademoiselle professor
    prof captain capt colonel col major general sergeant inspector constable superintendent detective judge justice
    father mother sister brother uncle aunt cousin king queen prince princess duke duchess count countess baron
    baroness earl marquis reverend rev saint st president senator governor bishop cardinal pope abbot don doña señor
    signor herr frau fräulein von
""")

LINKS = words("of de du von van der den la le d' the & del della di")

NEGATIONS = words("not n't never no neither nor hardly scarcely barely none nobody nothing without")

NO_NAME = words("""
    hitherto gone thing things something anything nothing everything one ones other others way ways time times
    moment matter fact part kind sort lot deal case word words end side hand hands eye eyes head face arm arms foot
    feet voice heart mind lip lips hair shoulder shoulders finger fingers none what who which that this these those
    there all some any both each another such many much more most few several half rest course instant minute
    minutes hour hours day days week weeks month months year years night morning evening afternoon yesterday today
    tomorrow place reason question answer attention care use sir madam oh ah yes i o'clock yours ad bc am pm no nos
    alas aye bravo ha halloa hallo hello heavens hey hi hullo hum hurrah hush lo now oho ooh ouch pah pooh pray pshaw
    tut ugh well whew wow yea yeah god goodness gracious jove
    dear dearest thanks thank regards sincerely faithfully truly cheers greetings ps nb re fw fwd cc bcc
    exit exeunt enter re-enter manet aside aloud tonight
""")  # words that name nothing by themselves
WITH_DETERMINER = words("well hush")  # but these do with a determiner: "Well, Ann", "the well"

CALENDAR = words("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter
""")

CALENDAR_SHORT = words("""
    mon tue tues wed weds thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
""")  # beside a number

SPEECH = words("""
    said says say cried cries answered answers replied replies remarked remarks asked asks observed exclaimed
    ejaculated murmured whispered continued interrupted added shouted
""")

MODALS = words("will would shall should can could may might must ca wo 'll ought need dare")

BE = words("am is are was were be been being 's 're 'm")

BECOME = words("become becomes became remain remains remained")

IF = words("if unless whether lest though")

SPELLED_OUT = {"'re": "are", "'m": "am", "'ve": "have", "ca": "can"}

ARTICLES = words("The La Le Les")

OWNED = words("""
    ring rings watch hat coat cloak dress boots boot shoes gloves glove stick cane umbrella bag purse wallet box
    safe case trunk desk table chair bed lamp candle pipe cigar pistol revolver gun rifle sword knife dagger key
    keys letter letters note diary book books papers photograph portrait picture necklace pearl pearls diamond
    diamonds jewel jewels gem gems carbuncle coronet crown bracelet brooch earring earrings house home villa cottage
    castle estate farm mansion palace room rooms chamber bedroom study office shop store bank inn hotel mill barn
    stable stables garden park land lands property fortune money will carriage cab cart horse horses dog dogs cat
    goose bird snake ship boat yacht car gang band club firm army regiment school church
""")  # things that somebody may have; "Jules's arrival" is not one

GENERIC = words("""
    man men woman women lady ladies gentleman gentlemen fellow fellows person persons people girl boy child children
    thing creature sort kind one
""")  # words that do not identify anybody: "is a man"

PERSONS = GENERIC | words("""
    stranger visitor prisoner traveller traveler rider passenger guest intruder culprit murderer thief killer victim
    informant client beggar sailor soldier
""")  # persons who are described before they are named

TELLING = words("in with from of at on without")  # "the man in white", "the lady with the lamp"

NO_THING = words("""
    name amazement astonishment surprise delight joy pleasure anger rage fury fear terror horror alarm sorrow grief
    pain despair hope doubt hesitation difficulty trouble doubts silence breath glance gaze look smile nod bow shrug
    laugh sigh cry shout scream yell sob whisper gesture step steps stride tongue knee knees brow brows forehead
    cheek cheeks chin neck throat nose mouth ear ears thumb toe toes chest breast back leg legs fist palm mood air
    manner tone effort attempt chance opportunity interest impression conclusion opinion view idea thought thoughts
    notion sense memory breakfast lunch luncheon dinner supper tea bed rate length least last first front midst
    centre edge position situation state condition use advantage example favour search pursuit charge sight view
    conversation talk trick rest sleep dream pity shame guilt truth lie joke respect honour love hate hatred luck
    success failure progress contrary whole account time tones tone hope number pair couple lot bit piece while turn
    row list series plan purpose aim object means method control influence habit habits start halt point juncture
    conclusion conclusions decision agreement extent terms senses
""")  # verbs have these as objects, but they are not things that could be met again

DEFINITE = words("the this that these those")
RANKS = words("only last first next same other very sole")  # "the last man"

CALLS = words("call calls called nickname nicknames nicknamed dub dubs dubbed")

LINKING = words("""
    preceding following regarding concerning considering including excluding excepting according owing barring touching
""")  # participles that are used as prepositions: "on the evening preceding her death"

ASPECT = words("""
    began begin begins started start starts continued continue continues proceeded managed succeeded came helped
    stopped finished kept
""")  # "began to examine": what follows was done

OMITTED = words("""
    hesitate hesitates hesitated fail fails failed cease ceases ceased neglect neglects neglected omit omits omitted
    scruple scrupled forget forgets forgot forgotten help
""")  # "did not hesitate to sell": he sold it

POSSESSIVES = words("my your his her its our their thy")

PLACES = words("")  # "Bond Street": an English name holds its common noun, with a capital

NAMES = NameWords(links=LINKS, titles=TITLES, articles=ARTICLES, places=PLACES, possessives=POSSESSIVES)

PRONOUNS: dict[str, PersonGender] = {"he": "m", "she": "f"}

SEVERAL = words("""
    police people family company gang band crew couple pair public crowd majority rest half none number team group
    government committee council army
""")  # singular in form; the verb may be plural

ROLES = words("""
    secretary assistant servant valet butler maid housekeeper clerk partner colleague lawyer solicitor doctor
    physician boss chief employer landlord landlady guardian ward heir heiress accomplice rival enemy neighbour
""")

LOCATING = words("in at near from to outside around through")

KIN = words("""
    son daughter brother sister father mother wife husband widow fiancé fiancée friend uncle aunt nephew niece
    cousin stepfather stepmother stepson stepdaughter grandfather grandmother grandson granddaughter
""")

RELATING = words("of to in at for from with")  # "the head of", "heir to": what a role is of

NOT_COMPLEMENTS = words("without except like than if unlike since until during")

NOT_IN_NAMES = words("other such same own more many much few several last next")

NO_DETERMINERS = words("no any every each what which whatever either neither such")  # before what is not there
