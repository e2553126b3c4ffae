"""Fixed phrases that deny, doubt or attribute a part of a sentence, and sentences that retract the previous one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from filigraph.graph.text.factuality import languages
from filigraph.graph.text.factuality.future_verbs import CONDITIONAL_OR_PERFECT, future_verbs
from filigraph.graph.text.factuality.governors import Scope
from filigraph.graph.text.factuality.phrase_tables import CLAUSE, OPENING, WHOLE
from filigraph.graph.text.factuality.scopes import scopes
from filigraph.graph.text.factuality.stops import scope, start_before, stop_after
from filigraph.graph.text.factuality.undone import undone_scopes

# From its clause on: "Beinahe hätte er sie geheiratet", "er will/soll sie gekannt haben".
_FROM_CLAUSE_IN_GERMAN = re.compile(
    r"\b(?:beinahe|fast|um ein haar) (?:hätte|wäre)n?\b"
    r"|\b(?:hätte|wäre)n? (?:[\w'’.-]+ ){0,6}?(?:beinahe|fast|um ein haar)\b"
    r"|\b(?:will|wollen|soll|sollen|könnten?|dürften?|müssten?|mag|mögen)\b[^,;:.!?]{1,90}\b(?:haben|sein)(?=\s*(?:[.,;!?]|$))",
    re.IGNORECASE,
)
# German puts into this mood what others say: "er habe sie getroffen"; "ich habe" is the plain one, as is "Habe ihn
# getroffen" in a diary. In capitals these are nouns: "die Wolle".
_REPORTED_IN_GERMAN = re.compile(
    r"(?<!\bich )\b(?:habe|sei|seien|werde|könne|müsse|solle|wolle|dürfe)\b(?! ich\b)(?=\s)"
)
_AND_I = re.compile(r"\bich\b(?!.*\b(?:habe|sei|werde) ).*\b(?:und|aber|oder) $", re.IGNORECASE | re.DOTALL)
# What holds in name only: the clause from there on, or around it, up to a part that contrasts with it.
_BY_NAME: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:^|(?<=[;:.,(] )|\b(?:but|and|that) )\W{0,4}(?:officially|nominally|on paper|in name|outwardly"
        r"|to all appearances|on the face of it)"
        r"(?:,| (?=(?-i:[A-Z])|(?:the|an?|he|she|it|they|we|I|his|her|their|this|that)\b))"
        r"|\b(?:only|at least|merely) (?:on paper|in name)\b|\b(?:on paper|in name) (?:only|at least|alone)\b"
        r"|\b(?:is|was|are|were|remain(?:s|ed)?) (?:officially|nominally|on paper|in name|outwardly)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"(?:^|(?<=[;:.,(] )|\b(?:mais|et|que) )\W{0,4}(?:officiellement|nominalement|sur le papier|en apparence|en "
        r"titre"
        r"|aux yeux de (?:tous|l['’]état civil))(?:,| (?=(?-i:[A-ZÀ-Þ])|(?:l['’]|(?:le|la|les|une?|il|elle|ils|elles"
        r"|ce|cette|son|sa|ses)\b)))|\b(?:que|seulement|du moins|au moins) (?:sur le papier|en apparence|de nom)\b"
        r"|\b(?:sur le papier|en apparence|de nom) (?:seulement|du moins|au moins)\b"
        r"|\b(?:est|était|fut|sont|étaient|reste|restait) (?:officiellement|nominalement|sur le papier|en apparence)\b",
        re.IGNORECASE,
    ),
}
_CONTRAST = re.compile(
    r",? (?:but|yet|though|although|while|whereas|mais|alors que|tandis que|quoique|bien que)\b|[;:.!?](?=\s|$)"
)
# At the beginning of a sentence they make all of it a supposition.
_SUPPOSED: Mapping[str, str] = {
    "en": r"(?:had|were|should) (?!n['’]t)(?:the |an? |\w+['’]s )?[\w'’-]+ [^?]*,|suppos(?:e|ing)\b"
    r"|(?:god|heavens?|the lord) forbid\b|would (?:to \w+ )?that\b|imagine\b|assum(?:e|ing)\b|what if\b|if only\b"
    r"|let us (?:suppose|imagine|assume)\b|perhaps\b|maybe\b",
    "fr": r"suppos(?:ons|ez|é)\b|imagin(?:ons|ez)\b|admettons\b|et si\b|si seulement\b|à supposer\b"
    r"|peut-être\b|sans (?:l['’]|(?:le|la|les|son|sa|ses|leurs?|cet?|cette) )(?!\w+(?:er|ir|re|oir)\b|moindre)"
    rf"[^,;:.]{{3,60}}, [^,;:.]*\b{CONDITIONAL_OR_PERFECT}\b"
    r"|(?:eût|fût)-\w+ |dieu (?:fasse|veuille|veuillent)\b|pl(?:û|u)t (?:à|au)\b|puisse(?:nt)?\b"
    r"|bien (?:malin|habile|fin) qui\b|(?:(?!\bqu)[^,;:.])*\b(?:eût|eussent) (?=(?:\w+ )?\w+[éiust]e?s?\b)",
    "de": r"angenommen\b|als (?:hätten?|wären?|ob)\b|hätte\b|wäre\b|vielleicht\b",
}
# The content of a text that turns out to be false: "The letter in which she confessed that ... was a forgery."
_FORGED: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:letter|confession|report|story|document|diary|note|telegram|photograph|statement|testimony|article|paper"
        r"|deed|record)\b(?P<told>[^;:!?]{0,400}?) (?:was|is|were|proved(?: to be)?|turned out to be) (?:an? )?"
        r"(?:\w+ )?(?:forger(?:y|ies)|forged|hoax|fakes?|fabrications?|fabricated|sham|inventions?|false)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:lettre|aveux?|rapport|histoire|document|journal|note|télégramme|photographie|déclaration|témoignage"
        r"|article|acte|bruit|rumeur|nouvelle|annonce)\b(?P<told>[^;:!?]{0,400}?) (?:est|était|fut|se révél\w+"
        r"|s['’]avér\w+|n['’](?:est|était) qu['’])\s?(?:être )?(?:une? )?(?:faux|fausse|infondée?|mensong\w+|invention"
        r"|canular|supercherie|forgée?)\b",
        re.IGNORECASE,
    ),
}
# A source that is itself a forgery: "A forged letter says that ..."
_FORGED_SOURCE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:forged|faked?|bogus|spurious|doctored|invented|fabricated|false) (?:letter|will|note|report|document"
        r"|diary|deed|certificate|confession|telegram|message|record|statement|paper|receipt|entry|article|log)s?"
        r"(?: of [^,;:.!?]{1,40})?,? (?:(?:was|were) )?"
        r"\w+(?: to)? that(?P<told>[^;:!?]*)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:(?:fausses?|faux) (?:lettre|testament|billet|rapport|document|journal|acte|certificat|aveu|télégramme"
        r"|message|registre|témoignage|reçu|article)s?|\w+ (?:falsifiée?s?|inventée?s?|apocryphes?))"
        r"(?: d(?:e |['’])[^,;:.!?]{1,40})? \w+ "
        r"qu(?:e |['’])(?P<told>[^;:!?]*)",
        re.IGNORECASE,
    ),
}
_SOURCE: Mapping[str, str] = {
    "en": r"according to (?P<who>[^,;:.]{2,60})",
    "fr": r"(?:selon|d['’]après|à en croire|aux? dires? d[eu]) (?!laquelle|lequel|lesquel|que"
    r"|qu['’])(?P<who>[^,;:.]{2,60})",
    "de": r"(?:laut|zufolge) (?P<who>[^,;:.]{2,60})",
}
_VAGUE_SOURCE = re.compile(
    r"\b(?:rumou?rs?|legend|gossip|some|many|tradition|hearsay|him|her|them|you|me|rumeurs?|légende|certains|lui|elle|"
    r"eux|moi|ouï-dire|gerüchten?)\b",
    re.IGNORECASE,
)
_NO_SOURCE = re.compile(
    r"\w+|(?:the |la |le |l['’]|les |ses |his |her |their |its )?(?:plans?|customs?|laws?|rules?|"
    r"usages?|coutumes?|loi|lois|règles?|règlement|instructions|orders|ordres)"
)
# Who contests nothing confirms: "a charge that nobody disputed".
_UNDISPUTED = r"(?! (?:\w+ ){0,3}?(?:disput|den(?:y|ie)|contest|question|doubt|challeng|contradict|forg[eo]t))"
_INCONTESTE = (
    r"(?! n(?:e |['’])(?:\w+ ){0,3}?(?:contest|ni(?:e|er|é|a|ait)\b|dém[ei]n|dout|discut|ignor|oubli|m[ie]t en doute))"
)
_THAT_IS_FALSE = {
    "en": re.compile(
        r",? (?:and|but|yet) (?:not (?:a|one) (?:single )?word|none|nothing|no part|little) of (?:it|this|that|which)"
        r" (?:is|was) true\b"
        r"| [-—–]+ no, |, but (?:he|she|they|that) (?:was|were|is|are) (?:lying|mistaken|wrong|joking|bluffing)\b"
        r"|\b(?:later|then|afterwards|subsequently|since) (?:\w+ )?(?:retracted|recanted|took (?:it|this|that)"
        r" (?:all )?back|withdrew (?:it|this|that|the (?:charge|claim|statement|accusation)))\b"
        r"|, but (?:the |all |every )?[\w'’ ]{3,30} (?:say|show|prove|tell|suggest|indicate)s? (?:otherwise|differently"
        r"|another story|a different story|the (?:contrary|opposite|reverse))\b"
        r"| ?[:;—–-] ?(?:this|that|it|all of (?:this|that)) (?:is|was)(?: \w+){0,2}"
        r" (?:not true|false|untrue|nonsense|an?(?: \w+)? (?:lie|invention|fabrication))(?=\s*(?:[.!;)]|$))"
        r"|, which (?:nobody|no one|none|few) (?:\w+ )?believe[sd]?\b"
        r"|, which (?:(?:is|was) (?:\w+ )?what )?(?:(?!(?:not?|never|nobody|none|neither|few|hardly|scarcely|without)\b"
        r"|\w+n['’]t\b)[\w'’.-]+ ){1,5}?(?<!\ba )(?<!\bthe )(?<!\bany )(?<!\bthis )(?<!\bin )(?<!\bbeyond )"
        r"(?:dispute|den(?:y|ie)|contest|question|doubt|contradict)(?:s|d|ed)?\b(?! (?:that|no longer|no more)\b)"
        r"| ?[,:;—–-] ?(?:that|this|such|so),? (?:at (?:least|any rate),? )?(?:is|was|were|goes|went|runs|ran) (?:only "
        r"|just )?"
        r"(?:the|an?|his|her|their) (?:\w+ )?(?:version|story|tale|claim|rumou?r|legend|gossip|theory|account"
        r"|opinion)\b"
        r"|(?:,| ?[:;—–-]) (?:(?<=, )(?=an? |the |another |all |mere |pure |sheer )|(?<!, ))"
        r"(?:the |(?P<kind>(?:an?|another|all|mere|pure|sheer|base|vile|old|idle|foul|wicked) )){0,3}"
        r"(?:(?:lies?|slanders?|calumn(?:y|ies)"
        r"|libels?|rumou?rs?|falsehoods?|fabrications?|hoax|allegations?|gossip|nonsense)"
        # "; rumours of war came" is another matter
        r"(?=\s*(?:[.,;:!?)]|$)|(?(kind) (?:of|with|that|spread|put|from)\b|(?!)))"
        r"|(?:tale|story|fable|claim|charge|accusation|legend|report) (?: {4,}|without|with no"
        rf"|that (?:nobody|no one){_UNDISPUTED}|put about"
        r"|spread"
        r"|made up)\b)"
        r"|(?:,| ?[;:—–-]) an? (?:\w+ )?(?:charge|accusation|claim|story|tale|report|assertion) (?:that|which) "
        r"(?![^.;]{0,60}\b(?:nobody|no one|never|not)\b[^.;]{0,20} (?:disput|den(?:y|ied)|contest|question|doubt|forg))"
        r"(?=[^.;]{0,60}"
        r"\b(?:(?:nobody|no one|never|not) (?:\w+ ){0,3}?(?:prov|believ|substantiat|confirm|verif|support|establish"
        r"|borne|true\b|accept|credit)"
        r"|(?:collapsed|(?<!never )failed|fell|dismissed|withdrawn|dropped|rejected|denied|unproved|unproven)\b))"
        r"|(?:[;:—–] so,?|, so,? at (?:any rate|least),?)(?: at (?:any rate|least),?)? (?:[\w'’.-]+ ){1,4}?(?:maintain"
        r"|claim"
        r"|insist|assert|said|say|swore|swear|alleg|believ|thought)\w*(?=\s*(?:[.;!)]|$))"
        r"|, (?:which|but (?:that|this|it)|and (?:that|this)) (?:is|was|were|turned out to be|proved(?: to be)?)"
        r"(?: \w+){0,2} (?:not true|false|untrue|wrong|(?:a|an|pure)? ?(?:lie|invention|fabrication|error|mistake))\b"
    ),
    "fr": re.compile(
        r",? (?:et|mais|or),? (?:rien de (?:tout )?(?:cela|ça|ceci)|pas un mot(?: de cela)?|aucun mot)"
        r" (?:n['’](?:est|était)|ne fut) vrai\b"
        r"| [-—–]+ non, |, mais (?:il|elle)s? (?:ment(?:ait|aient|it)|se tromp\w+|plaisant\w+)|[,;] (?:mais "
        r"|or )?il n['’]en (?:est|était|fut) rien\b"
        r"|\b(?:se rétract(?:a|ait|èrent)|s['’](?:est|était) rétractée?|rev(?:int|enait) sur (?:ses|son|sa)"
        r" (?:aveux?|déclarations?|déposition|dires))\b"
        r"| ?[,:;—–-] ?(?:(?:c['’]est|tel(?:le)? (?:est|était|fut)|voilà)(?: du moins| au moins)? (?:la version"
        r"|l['’]histoire"
        r"|la thèse|le récit|(?:du moins |au moins )?ce (?:que |qu['’])(?=(?:[\w'’-]+ ){0,4}?(?:d(?:it|isait|isent"
        r"|isaient|irent)\b|prét|racont|affirm|cr(?:oi|oy|ut|urent)|pens|souti|assur|rapport|écri|déclar|suppos|imagin"
        r"|jur|allèg|allég|répèt|répét|cont(?:e|ait|aient|a)\b|murmur|insinu)))"
        r")"
        r"|(?:,| ?[:;—–-]) (?:(?<=, )(?=une? |pure? |simple )|(?<!, ))(?:(?:une?|pure?|simple|vile|basse|odieuse) "
        r"){0,3}"
        r"(?:(?:calomnie|médisance|mensonge|ragots?|on-dit|racontars?|diffamation|rumeur)(?=\s*(?:[.,;:!?)]|$|sans\b"
        r"|que\b))"
        rf"|(?:fable|histoire|légende|conte|bruit|accusation) (?:sans\b|que (?:nul|personne)\b{_INCONTESTE}"
        r"|inventée?\b|répandue?\b|colportée?\b))"
        r"|, (?:mais|or) [\w'’ ]{3,40} (?:prouv|montr|dis|indiqu|démontr|établi)\w* (?:le contraire|l['’]inverse|autre "
        r"chose)\b"
        r"|(?:,| ?[;:—–-]) (?:une |cette )?(?:accusation|histoire|fable|affirmation|allégation) (?:que "
        r"|qu['’])(?=[^.;]{0,60}\b(?:ne |n['’])[^.;]{0,40}?\b(?:prouv|établi|démontr|cru|croi|croy|confirm|vérifi"
        r"|étay|justifi|fond|ajout|tint|vrai))"
        r"|, le bruit (?:en )?(?:court|courut|courait|a couru)\b"
        r"|, ce que (?:personne|nul) n(?:e |['’])(?!(?:a |ait )?(?:songe à )?(?:contest|ni(?:e|er|é|a|ait)\b|démen"
        r"|dément|ignor|discut|dout|met en doute|mit en doute))"
        r"| ?[:;—–-] ?(?:cela|ceci|c['’]|ce|tout cela) ?(?:n['’])?(?:est|était|fut)(?: \w+){0,2}"
        r" (?:faux|pas vrai|inexact|un mensonge|une (?:invention|fable))(?=\s*(?:[.!;)]|$))"
        r"|, (?:ce qui|mais (?:c['’]|cela|ce)) ?(?:n['’])?(?:est|était|fut)(?: \w+){0,2} (?:faux|pas vrai|inexact"
        r"|un mensonge|une (?:erreur|invention))\b"
    ),
    "de": re.compile(
        r", (?:was|aber das) (?:nicht (?:wahr|stimmt)|falsch|gelogen) ?(?:ist|war)?\b"
        r"| ?[:;—–-] ?das (?:ist|war)(?: \w+)? (?:falsch|unwahr|gelogen|nicht wahr|eine Lüge|erfunden)\b"
    ),
    **languages.THAT_IS_FALSE,
}
_FALSE = {
    "en": re.compile(
        r"\b(?:false|untrue|lie|lies|wrong|incorrect|invented|fabricated|fabrication|invention|mistaken|error|nonsense"
        r"|forged|withdrawn|retracted|disproved|denied|not true|wrongly|falsely|mistakenly|never (?:said|wrote"
        r"|claimed)|did not (?:say|write))\b"
    ),
    "fr": re.compile(
        r"\b(?:à tort|faussement|faux|fausse|mensonge|mensonger|mensongère|inexacte?|inventée?|invention|erreur"
        r"|erronée?|démentie?"
        r"|retirée?|pas vraie?"
        r"|jamais (?:dit|écrit)|n['’]a pas (?:dit|écrit))\b"
    ),
    "de": re.compile(r"\b(?:falsch|unwahr|gelogen|Lüge|erfunden|nicht wahr)\b"),
    **languages.FALSE,
}
_QUOTED = re.compile(r"[“„«\"][^“”„«»\"]{8,}[”“»\"]|(?<!\w)['‘][A-Z][^'’ ]*(?: [^'’ ]*){2,}['’](?!\w)")
# A following sentence about the previous one.
_TAKEN_BACK = {
    "en": re.compile(
        r"""["'“”’)\s]*(?:(?:but|yet|and|of course|in fact|in truth),? )*
        (?:(?:that|this|it|all (?:of )?(?:this|that)|none of (?:this|that|it)|(?:the|this|that) \w+)
            \ (?:is|was|were|has|turned\ out\ to\ be|proved(?:\ to\ be)?)
            (?:\ (?:all|quite|simply|just|pure|mere|entirely|completely|of\ course|a|an|later|also|only|merely))*
            \ (?:not\ (?:true|so|the\ case|correct)|n['’]t\ (?:true|so)|false|untrue|wrong|incorrect|unfounded|lies?
              |inventions?|fabrications?|nonsense|mistaken?|mistake|error|dream|rumou?r|joke|true(?=[^\w]*$)|denied
              |never\ (?:proved|proven|true|established|confirmed)|not\ (?:proved|proven|confirmed))\b
        |(?:that|this|it)\ never\ happened|(?:that|this|it)\ (?:did\ not|didn['’]t)\ happen
        |nothing\ of\ the\ (?:sort|kind)|no\ such\ thing
        |(?:nobody|no\ one)\ believe[sd]?\ (?:it|him|her|them|this|that)\b
        |(?:he|she|they|\w+\ \w+)\ (?:ha[ds]\ )?(?:(?:denies|denied|invented|imagined)\ (?:it|this|that|everything)
            |made\ (?:it|this|that|everything)\ (?:all\ )?up)\b
        |at\ (?:least|any\ rate),?\ (?:that|this)\ is\ (?:what|how)\b
        |there\ (?:is|was)\ (?:nothing|no\ \w+)\ to\ (?:show|prove)\ (?:it|this|that)\b)""",
        re.IGNORECASE | re.VERBOSE,
    ),
    "fr": re.compile(
        r"""["'“”’«»)\s]*(?:(?:mais|or|et|en\ fait),?\ )*
        (?:(?:c['’]|ce|cela|ça|tout\ (?:cela|ceci|ça)|(?:la|le|cette|ce)\ \w+)
            \ ?(?:n['’]|ne\ )?(?:est|était|fut|s['’]avéra)
            (?:\ (?:que|tout|simplement|évidemment|bien|sûr|une?|pure?|purement|entièrement|complètement|totalement))*
            \ (?:pas\ (?:vraie?|exacte?|le\ cas)|fau(?:x|sse)|inexacte?|mensonges?|invention|erreur|rêve|rumeur|fable
              |calomnie|infondée?)\b
        |c['’]est\ (?:du|au)\ moins\ ce\ qu|(?:il|elle|ils|elles)\ a(?:vai(?:en)?t)?\ tout\ inventé
        |il\ n['’]en\ (?:est|était|fut)\ rien|rien\ de\ tel|rien\ de\ tout\ cela
        |(?:personne|nul)\ ne\ (?:le|la|l['’])\ ?\w+
        |cela\ n['’]est\ jamais\ arrivé)""",
        re.IGNORECASE | re.VERBOSE,
    ),
    "de": re.compile(
        r"""["'“”„»«)\s]*(?:(?:aber|doch)\ )?(?:das|dies|es)\ (?:ist|war|stimmt|stimmte)
        (?:\ \w+)?\ ?(?:nicht|falsch|gelogen|unwahr|eine?\ (?:Lüge|Irrtum|Erfindung))\b""",
        re.IGNORECASE | re.VERBOSE,
    ),
    **languages.TAKEN_BACK,
}
# Somebody is only said to be it: "the alleged father of", "the would-be murderer of".
_HEDGED = re.compile(
    r"\b(?:alleged|supposed|so-called|reputed|suspected|purported|putative|presumed|self-styled|would-be|pretended"
    r"|imagined|prétendue?s?|présumée?s?|soi-disant|supposée?s?)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r",? (?:that|to|about|of|how|who|what|if|for|que|de|pour|à|dass)\b|,? (?:qu|d)['’]")
# Before a name to which the statement about others does not apply; "nobody but Ann" means Ann.
_LEFT_OUT = re.compile(
    r"(?:\b(?:(?-i:not)|nicht|non pas|mais pas|et non(?: pas)?|et pas|and never|but never)"
    r"|(?:^|(?<=[.;:!?“\"] ))not|(?<=, )(?:non|pas|jamais|et non)"
    r"|\b(?P<but>sauf|except(?: for)?"
    r"|excepté"
    r"|hormis|all but|every\w+ but))"
    r"(?: (?:for|to|with|by|from|at|in|on|of|à|aux?|chez|avec|pour|par|de|en|dans|an|aus|bei|mit|nach|von|zu|der|die"
    r"|das|den|dem|the|le|la|les|his|her|its|their|son"
    r"|sa|ses)| (?:à )?l['’]){0,3}\s?$",
    re.IGNORECASE,
)
# Between "nicht" and "sondern", with one preposition: "nicht an den alten Jules, sondern an Karl".
_NOT_BUT = re.compile(
    r"\bnicht (?:an|aus|bei|mit|nach|von|zu|zum|zur|für|gegen|in|im|am)"
    r"(?: (?!(?:an|aus|bei|mit|nach|von|zu|zum|zur|für|gegen|in|im|am)\b)[^\W\d_]+){1,3} $"
)
_BUT = re.compile(r"[^;.!?,]{1,80},? sondern\b")
_NOBODY = re.compile(
    r"\b(?:no|none|nobody|nothing|never|not|personne|nul|nulle|rien|aucune?|ne)\b|\bn['’]", re.IGNORECASE
)
_MAX_CHARS_TO_SUBJECT = 300  # characters from a German verb back to its subject
_MAX_LEFT_OUT_CHARS = 80  # characters from "nicht" or "except" to a name
_MAX_RETRACTION_CHARS = 70  # characters of a sentence that retracts the previous one


def unasserted_scopes(sentence: str, language: str) -> tuple[Scope, ...]:
    """All parts of a sentence that are not asserted, because of the words that govern their clauses or of fixed
    phrases.
    """
    return (*scopes(sentence, language), *_by_phrases(sentence, language))


def is_left_out(sentence: str, at: int) -> bool:
    """Whether the name at `at` is contrasted with another, or excepted: "wrote to Ann, not to Bo", "all but Bo"."""
    if _NOT_BUT.search(sentence, max(0, at - _MAX_LEFT_OUT_CHARS), at) and _BUT.match(sentence, at):
        return True
    match = _LEFT_OUT.search(sentence, max(0, at - _MAX_LEFT_OUT_CHARS), at)
    return match is not None and not (match["but"] and _NOBODY.search(sentence, 0, match.start()))


def is_hedged(predicate: str) -> bool:
    """Whether a predicate says that somebody is only said to be it: "is the alleged father of"."""
    return bool(_HEDGED.search(predicate))


def taken_back(after: str, language: str) -> bool:
    """Whether the sentence that begins at `after` denies the one before: "That was a lie."""
    if language not in _TAKEN_BACK:
        return False
    first = re.split(r"(?<=[.!?…])\s", after.strip(), maxsplit=1)[0]
    match = _TAKEN_BACK[language].match(first) if len(first) <= _MAX_RETRACTION_CHARS else None
    if match is None or _OF_ANOTHER.match(first, match.end()):
        return False
    return not re.search(r"\b(?:is|was) true\b", first)


def _by_phrases(sentence: str, language: str) -> Iterator[Scope]:
    if language not in OPENING:
        return
    for match in re.finditer(rf"\b(?:{OPENING[language]})", sentence, re.IGNORECASE):
        yield scope(match.start(), stop_after(sentence, match.end(), ",;:.!?"), "doubted")
    for match in re.finditer(CLAUSE[language], sentence, re.IGNORECASE) if language in CLAUSE else ():
        yield scope(
            start_before(sentence, match.start(), ",;:.!?"), stop_after(sentence, match.end(), ",;:.!?"), "doubted"
        )
    yield from undone_scopes(sentence, language)
    if language not in WHOLE:
        return
    for match in re.finditer(WHOLE[language], sentence, re.IGNORECASE):
        yield scope(
            start_before(sentence, match.start(), ";:.!?"), stop_after(sentence, match.end(), ";:.!?"), "doubted"
        )
    for match in _FROM_CLAUSE_IN_GERMAN.finditer(sentence) if language == "de" else ():
        start = start_before(sentence, match.start(), ",;:.!?")
        yield scope(start, stop_after(sentence, match.end(), ";:.!?"), "doubted")
    for match in _REPORTED_IN_GERMAN.finditer(sentence) if language == "de" else ():
        start = start_before(sentence, match.start(), ",;:.!?")
        near = max(0, match.start() - _MAX_CHARS_TO_SUBJECT)
        before = sentence[max(start, near) : match.start()]
        if not re.search(r"\bich\b", before, re.IGNORECASE) and not _AND_I.search(sentence[near : match.start()]):
            yield scope(start, stop_after(sentence, match.end(), ",;:.!?"), "doubted")
    yield from _by_name(sentence, language)
    if language in _SUPPOSED and re.match(rf"\W*+(?:{_SUPPOSED[language]})", sentence, re.IGNORECASE):
        yield scope(0, len(sentence) if not sentence.rstrip().endswith("?") else 0, "doubted")
    yield from _source_scopes(sentence, language)
    for table in (_FORGED, _FORGED_SOURCE):
        for match in table[language].finditer(sentence) if language in table else ():
            yield scope(match.start("told"), match.end("told"), "denied")
    for match in future_verbs(sentence, language):
        yield scope(match.start(), stop_after(sentence, match.end(), ",;:.!?"), "doubted")
    if false := _THAT_IS_FALSE[language].search(sentence):
        yield scope(start_before(sentence, false.start(), ";:.!?"), false.start(), "denied")
    outside = _QUOTED.sub(" ", sentence)
    if outside != sentence and _FALSE[language].search(outside):
        yield from (scope(match.start(), match.end(), "denied") for match in _QUOTED.finditer(sentence))


def _by_name(sentence: str, language: str) -> Iterator[Scope]:
    named = list(_BY_NAME[language].finditer(sentence)) if language in _BY_NAME else []
    parts = [match.span() for match in _CONTRAST.finditer(sentence)] if named else []
    for match in named:
        before = bisect_right(parts, match.start() + 1, key=lambda part: part[1])
        after = bisect_right(parts, match.end() - 1, key=lambda part: part[0])
        start = parts[before - 1][1] if before else 0
        yield scope(start, parts[after][0] if after < len(parts) else len(sentence), "doubted")


def _source_scopes(sentence: str, language: str) -> Iterator[Scope]:
    for match in re.finditer(rf"\b{_SOURCE[language]}", sentence, re.IGNORECASE) if language in _SOURCE else ():
        who = match["who"].strip()
        if _NO_SOURCE.fullmatch(who) and not who[0].isupper():
            continue
        start = start_before(sentence, match.start(), ";:.!?")
        stop = stop_after(sentence, match.end(), ";:.!?")
        if len(who.split()) > 6 or _VAGUE_SOURCE.search(who):
            yield scope(start, stop, "doubted")
        else:
            yield Scope(start=start, end=stop, status="said", source=who)
