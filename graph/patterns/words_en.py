"""Word lists of the English patterns: what a parser cannot know of a word."""

from __future__ import annotations

from filigraph.graph.patterns.phrases import words

TITLES = words("""
    mr mrs miss ms master mister dr doctor sir lady lord madam madame monsieur m mme mlle mademoiselle professor
    prof captain capt colonel col major general sergeant inspector constable superintendent detective judge
    justice father mother sister brother uncle aunt cousin king queen prince princess duke duchess count
    countess baron baroness earl marquis reverend rev saint st president senator governor bishop cardinal pope
    abbot don doña señor signor herr frau fräulein von
""")

LINKS = words("of de du von van der den la le d' the & del della di")

NEGATIONS = words("not n't never no neither nor hardly scarcely barely none nobody nothing without")

NO_NAME = words("""
    thing things something anything nothing everything one ones other others way ways time times moment matter
    fact part kind sort lot deal case word words end side hand hands eye eyes head face arm arms foot feet voice
    heart mind lip lips hair shoulder shoulders finger fingers none what who which that this these those there
    all some any both each another such many much more most few several half rest course instant minute minutes
    hour hours day days week weeks month months year years night morning evening afternoon yesterday today
    tomorrow place reason question answer attention care use sir madam oh ah yes i o'clock yours
""")  # words that name nothing, alone

CALENDAR = words("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter
""")

DOUBT_FORMS = words("""
    thought believed supposed imagined fancied suspected doubted hoped wished feared guessed presumed assumed
    expected pretended dreamed dreamt denied denies swore trusted seemed appeared wondered asked fancies wishes
    guesses thinking believing denying appear appears ask asks assume assumes believe believes deny denys doubt
    doubts dream dreams expect expects fancy fancys fear fears guess guesss hope hopes imagine imagines presume
    presumes pretend pretends seem seems suppose supposes suspect suspects swear swears think thinks trust
    trusts wish wishs wonder wonders
""")

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

NOT_OWNED = words("""
    name sake case conduct cry cries insight surmise example address innocence death life murder marriage
    absence presence departure arrival return fate story account words word remark remarks question advice
    request order orders idea ideas view views thoughts mind manner behaviour delight surprise astonishment
    anger fear hope wish turn help aid
""")  # said to be somebody's, but nothing that somebody has

KIN = words("""
    son daughter brother sister father mother wife husband widow fiancé fiancée friend
""")

RELATING = words("of to in at for from with")  # "the head of", "heir to": what a role is of

NOT_COMPLEMENTS = words("without except like than if unlike since until during")

NOT_IN_NAMES = words("other such same own more many much few several last next")

NO_DETERMINERS = words("no any every each what which whatever either neither such")  # before what is not there
