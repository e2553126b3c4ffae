"""Phrases that deny, doubt or suppose in Spanish, Italian, Portuguese and Russian.

These languages have no lists of words with their effects; a stem with any ending does instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# In Romance languages an infinitive ends so, perhaps with a pronoun.
_INFINITIVE = r"(?=(?:[a-zà-ÿ]+ )?\w+[aeiíáéô]r(?:l[aeo]s?|se|me|nos|lhes?|-\w+)?\b)"
_INFINITIVE_IT = r"(?=(?:[a-zà-ÿ]+ )?\w+(?:[aei]re|[aei]r(?:l[aeio]|gli|si|ne))\b)"

OPENING: Mapping[str, str] = {
    "es": r"(?:no|nunca|jamás|nadie|ningún \w+|ninguna \w+|ninguno|nada|tampoco|sin) (?:[\w'’]+ ){0,5}?"
    r"(?:demostr|demuestr|prob|prueb|confirm|acredit|establec|verific|comprob|comprueb|consta|ciert|verdad|segur"
    r"|evidencia|indic|permite)\w* (?:de )?que"
    r"|(?:es|era|fue|sería|resulta|resultó|parece) (?:\w+mente |poco |muy )?(?:fals\w+|mentira|inexacto"
    r"|dudos\w+|imposible"
    r"|posible|probable|improbable|inciert\w+|absurdo) que"
    r"|(?:nadie|ninguno) (?!sab|sup|olvid|ignor)\w+ (?:\w+ )?que"
    r"|(?:(?:nieg|neg|desmient|desment|desmint|dud|cre|crey|piens|pens|sospech|esper|sueñ|soñ|supon|supus"
    r"|imagin|pretend"
    r"|aleg|fing|invent|exig|ordén|orden|propon|propus)(?:[oaeéóí]|a[ns]|e[ns]|[ae]mos|ió|aron|ieron|eron|aba[ns]?"
    r"|ía[ns]?)|tem(?:[eoí]|e[ns]|ió|ieron|ía[ns]?))"
    r"(?: (?:siempre|nunca|también|ayer|entonces|ya|\w+mente))? (?:que|de que|haber)"
    r"|(?:dicen|se (?:dic|decía|rumor|cuenta|contaba)\w*|corre el rumor de|(?:el |un )?rumor(?:es)? de|la idea de"
    r"|la hipótesis de|la mentira de|la acusación de|el temor de|la esperanza de|temor a|por miedo a) (?:que|haber)"
    r"|(?:quiso|quer[íe]\w*|quier\w+|intent\w+|trat\w+ de|plane\w+|pens\w+|pienso|prome\w+|se neg\w+ a"
    r"|se nieg\w+ a|iban? a|va a|esper\w+|rehus\w+|amenaz\w+ con|a punto de|por poco|acusad[oa]s? de|acus\w+ de"
    r"|sospechos[oa]s? de|sin|en vez de|en lugar de|lejos de|antes que|incapaz de|fingi\w+|orden\w+|renunci\w+ a"
    rf"|dud\w+ en|evit\w+) {_INFINITIVE}"
    r"|(?:habría|habrían) (?=\w+(?:do|to|cho)\b)|absolv\w+ [^,;:.!?]{0,40}? de (?=haber\b)|absuelt[oa]s? de"
    r"|como si|a menos que|a no ser que|en caso de que|con tal de que"
    r"|para que|sin que|al contrario de|(?:pregunt\w+|sab\w+|ignor\w+|averigu\w+|dud\w+) si"
    r"|si (?=[^,;:.!?]{1,90}?\b\w+(?:ie|a)(?:ra|se)n?\b)",
    "it": r"(?:non|nessuno|nulla|niente|mai|neppure) (?:[\w'’]+ ){0,5}?(?:dimostr|prov|conferm|stabil|verific|vero"
    r"|certo|sicuro|accert|permett|indic)\w* (?:di )?che"
    r"|(?:è|era|fu|sarebbe|sembra|pare) (?:\w+mente |poco |molto )?(?:fals\w|una menzogna|una bugia|inesatto"
    r"|dubbio|impossibile"
    r"|possibile|probabile|improbabile|incerto|assurdo) che"
    r"|nessuno (?!sap|sepp|dimentic|ignor)\w+ (?:\w+ )?che"
    r"|(?:(?:neg|dubit|pens|sospett|sper|sogn|immagin|invent|ordin)(?:[aoò]|ano|iamo|ava|avano|arono|ato)"
    r"|(?:cred|tem|pretend|suppon)(?:[eoé]|ono|iamo|eva|evano|ette|ettero|uto)|smentisc(?:e|ono)|smentì"
    r"|suppos(?:e|ero)"
    r"|suppongono|fing(?:e|ono|eva)|finse|esig(?:e|eva)|propon(?:e|eva)|propose)"
    r"(?: (?:sempre|mai|anche|ieri|allora|già|\w+mente))? (?:che"
    r"|di (?:aver|esser)\w*)"
    r"|(?:dicono|si (?:dic|mormor|raccont)\w*|(?:la |una )?voc[ei]|l['’]idea|l['’]ipotesi|la menzogna|l['’]accusa"
    r"|il timore|la speranza|per paura) (?:che|di (?:aver|esser)\w*)"
    r"|(?:vuole|voleva|volle|vogliono|intend\w+|tent\w+ di|cerc\w+ di|progett\w+ di|promett\w+ di|promise di"
    r"|rifiut\w+ di|si rifiut\w+ di|stava per|sper\w+ di|minacci\w+ di|sul punto di|accusat[oaie] di"
    r"|sospettat[oaie] di|senza|invece di|anziché|lungi dal|incapace di|fing\w+ di|finse di|ordin\w+ di"
    rf"|rinunci\w+ a|evit\w+ di) {_INFINITIVE_IT}"
    r"|assol\w+ [^,;:.!?]{0,40}?(?:di|per|da\w*) (?=aver)|come se|a meno che|nel caso che|affinché|senza che|purché"
    r"|(?:chies\w+|chied\w+|sapev\w+|sa|ignora\w*|domand\w+) se"
    r"|se (?=[^,;:.!?]{1,90}?\b(?:avess|foss|pot?ess|\w{2,}[aei]ss)(?:e|ero|i)\b)",
    "pt": r"(?:não|nunca|jamais|ninguém|nenhuma? \w+|nenhum|nada|tampouco) (?:[\w'’-]+ ){0,5}?"
    r"(?:prov|demonstr|confirm|estabelec|verific|comprov|consta|verdade|certo|indic|permit)\w* (?:de )?que"
    r"|(?:é|era|foi|seria|parece) (?:\w+mente |pouco |muito )?(?:fals\w|mentira|inexato|duvidoso|impossível"
    r"|possível|provável"
    r"|improvável|incerto|absurdo) que"
    r"|(?:ninguém|nenhum) (?!sab|soub|esquec|ignor)\w+ (?:\w+ )?que"
    r"|(?:(?:neg|duvid|acredit|pens|suspeit|esper|sonh|imagin|aleg|invent|orden)(?:[ao]|am|ou|aram|ava|avam|ado)"
    r"|(?:desment|tem|pretend|fing|exig)(?:e|eu|em|iu|iram|eram|ia|iam)(?<!\btem)|sup(?:õe|õem|ôs|unha|useram)"
    r"|prop(?:õe|ôs))(?: (?:sempre|nunca|também|ontem|então|já|\w+mente))? (?:que|ter)"
    r"|(?:dizem|diz-se|dizia-se|conta-se|o rumor de|os rumores de|a ideia de|a hipótese de|a mentira de|o medo de"
    r"|a esperança de) (?:que|ter)"
    r"|(?:quis|quer|queria|queriam|tent\w+|planej\w+|pens\w+ em|promet\w+|recus\w+-se a|se recus\w+ a|ia|iam"
    r"|esper\w+|ameaç\w+|prestes a|por pouco não|acusad[oa]s? de|suspeit[oa]s? de|sem|em vez de|longe de"
    rf"|incapaz de|fing\w+|orden\w+|renunci\w+ a|evit\w+) {_INFINITIVE}"
    r"|(?:teria|teriam) (?=\w+(?:do|to)\b)|absolv\w+ [^,;:.!?]{0,40}? de (?=ter\b)|como se|a menos que"
    r"|a não ser que|caso|para que|sem que"
    r"|(?:pergunt\w+|sab\w+|ignor\w+) se"
    r"|se (?=[^,;:.!?]{1,90}?\b(?:tivess|foss|pudess|\w{2,}[aei]ss)(?:e|em)\b)",
    "ru": r"не (?:[\w-]+ ){0,2}?(?:доказ|установ|правда|верно|извест|подтвер|обнаруж|удалось|смог\w* доказ)\w*"
    r"(?: [\w-]+){0,2}?,? (?:что|чтобы|будто)"
    r"|(?:неправда|ложь|ложно|неверно|вряд ли|маловероятно|возможно|невозможно|сомнительно|нет доказательств"
    r"|выдумка|слух\w*(?: о том)?|мысль о том|гипотеза(?: о том)?),? (?:что|чтобы|будто)"
    r"|никто не (?!зна|узна|забы)\w+(?: \w+)?, что"
    r"|оправда[лнт]\w*|(?:отриц|мечта|сомнев|дума|полага|подозрева|боя|боит|опаса|надея|надее|счита|утвержда"
    r"|кажется|казалось|говорят"
    r"|ходят слухи|опроверг|предполож|предполага|(?:при)?снил|вообраз|притвор|хоте|хоче|требова|приказ"
    r"|верит|вери[лт]|обвин)\w*(?: [\w-]+){0,2}?,? (?:что|чтобы|будто(?: бы)?)"
    r"|будто(?: бы)?|якобы|как если бы|словно|вместо того,? чтобы|чтобы|без того,? чтобы"
    r"|(?:хоте|хоче|хотя[тщ]|пыта|попыта|собира|планирова|намерева|обеща|отказ|мечта|наде|угрожа|грози|реши|боя)\w* "
    r"(?:[\w-]+ ){0,2}?(?=[\w-]+(?:ть|ти|чь)(?:ся)?\b)"
    r"|(?:обвиня|подозрева|обвин|заподозр)\w* (?:[\w-]+ ){0,2}?в\b"
    r"|(?:мог(?:ла|ло|ли)?|может|могут|должен|должна|должны)(?: бы| был[аи]?)? (?=[\w-]{1,30}(?:ть|ти|чь)(?:ся)?\b)"
    r"|если|(?=[\w-]+ ли\b)",
}
WHOLE: Mapping[str, str] = {
    "es": r"(?:^|(?<=[;:.] ))[¿¡«\"\s]{0,3}si (?!bien\b)|\b(?:al parecer|supuestamente|presuntamente|quizás?|tal vez"
    r"|acaso|posiblemente|probablemente|a lo mejor|según (?:un |los |el )?rumor(?:es)?|según dicen)\b"
    r"|\ben (?:sus?|un|mis?) (?:sueños?|pesadillas?|delirio|imaginación)\b|(?:^|(?<=[;:.] ))de haber\b"
    r"|\bojalá\b|\bsupongamos\b",
    "it": r"(?:^|(?<=[;:.] ))[«\"\s]{0,3}se \b|\b(?:a quanto pare|presumibilmente|presuntamente|forse|magari"
    r"|probabilmente|possibilmente|si dice|secondo (?:una |le |la )?voc[ei])\b"
    r"|\b(?:in|nei|nel) (?:un |suo |suoi |mio )?(?:sogn[oi]|incub[oi]|delirio)\b|\bsupponiamo\b",
    "pt": r"(?:^|(?<=[;:.] ))[«\"\s]{0,3}se (?!bem\b)|\b(?:ao que parece|supostamente|alegadamente|talvez|porventura"
    r"|possivelmente|provavelmente|segundo (?:um |os |o )?(?:rumor|boato)(?:es|s)?|segundo dizem)\b"
    r"|\b(?:em|nos|no|num) (?:seus? |um |meu )?(?:sonhos?|pesadelos?|delírio)\b|\boxalá\b|\bsuponhamos\b",
    "ru": r"(?:^|(?<=[;:.] ))[«\"\s]{0,3}если\b|\b(?:возможно|вероятно|видимо|по-видимому|предположительно|наверное"
    r"|по слухам|может быть|едва ли|вряд ли)\b|\bво сне\b|\bдопустим\b",
}
_LIE = {
    "es": r"(?:fals[oa]s?|mentiras?|inventad[oa]s?|un invento|una invención|inexact[oa])",
    "it": r"(?:fals[oaie]|bugi[ae]|menzogn[ae]|inventat[oaie]|un['’]invenzione|inesatt[oa])",
    "pt": r"(?:fals[oa]s?|mentiras?|inventad[oa]s?|uma invenção|inexat[oa])",
    "ru": r"(?:неправда|ложь|ложью|вымысел|вымыслом|выдумка|выдумкой|неверно|ложно|ложны?)",
}
FALSE = {language: re.compile(rf"\b{words}\b", re.IGNORECASE) for language, words in _LIE.items()}
_IS = {"es": r"(?:es|era|fue|resultó)", "it": r"(?:è|era|fu|si rivelò)", "pt": r"(?:é|era|foi)", "ru": "(?:было|—|это)"}
# In the same sentence: "...; era mentira."
THAT_IS_FALSE = {
    language: re.compile(
        rf"(?:,| ?[;:—–-]) (?:(?:pero|ma|mas|но|y|e|и) )?(?:(?:esto|eso|aquello|lo que|ciò|questo|il che|isso|isto"
        rf"|o que|это|что)? ?{_IS[language]}? ?)(?:\w+ ){{0,2}}?{words}(?=\s*(?:[.;!)]|$))",
        re.IGNORECASE,
    )
    for language, words in _LIE.items()
}
# As the next sentence: "Era mentira."
TAKEN_BACK = {
    "es": re.compile(
        rf"\W*(?:pero )?(?:(?:eso|esto|todo(?: eso)?|la \w+|el \w+) )?(?:{_IS['es']} (?:\w+ )?{_LIE['es']}"
        r"|no (?:es|era|fue) (?:cierto|verdad|así))\b",
        re.IGNORECASE,
    ),
    "it": re.compile(
        rf"\W*(?:ma )?(?:(?:ciò|questo|tutto(?: questo)?|la \w+|il \w+) )?(?:{_IS['it']} (?:\w+ )?{_LIE['it']}"
        r"|non (?:è|era|fu) (?:vero|così))\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        rf"\W*(?:mas )?(?:(?:isso|isto|tudo(?: isso)?|a \w+|o \w+) )?(?:{_IS['pt']} (?:\w+ )?{_LIE['pt']}"
        r"|não (?:é|era|foi) (?:verdade|certo|assim))\b",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        rf"\W*(?:но )?(?:(?:это|всё это|все это) )?(?:(?:было|была|оказал\w+) )?(?:\w+ )?(?:{_LIE['ru']}|не так)\b",
        re.IGNORECASE,
    ),
}
# What looks like a denial and is none: "no cabe duda", "не только".
NO_DENIAL = {
    "es": re.compile(
        r"\b(?:no (?:cabe|hay|había|cabía|existe) (?:la menor |ninguna |lugar a )?dudas?(?: alguna)?"
        r"|sin (?:ninguna |la menor |lugar a )?dudas?(?: alguna)?"
        r"|(?:nadie|ninguno)(?: \w+)? (?:dud|nieg|negó|negab|ignor|discut|cuestion|pon\w+ en dud|pus\w+ en dud)\w*"
        r"|no se (?:puede|podía) (?:negar|dudar|discutir)|no (?:solo|sólo|solamente|únicamente)"
        r"|no (?:dud|vacil|titube)\w+ en|no (?:dej|ces)\w+ de)(?: (?:de )?que\b)?",
        re.IGNORECASE,
    ),
    "it": re.compile(
        r"\b(?:non (?:c['’]è|v['’]è|vi è|c['’]era|v['’]era) (?:alcun |nessun )?dubbio|senza (?:alcun |nessun )?dubbio"
        r"|nessuno(?: \w+)? (?:dubit|neg|ignor|contest|discut|mett\w+ in dubbi)\w*|non si (?:può|poteva) negare"
        r"|non (?:solo|soltanto|solamente)|non (?:esit|manc|smis|smett|cess)\w+ (?:a|di))(?: che\b)?",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"\b(?:não (?:há|havia|existe|resta) (?:a menor |qualquer |nenhuma )?dúvidas?"
        r"|sem (?:qualquer |a menor |nenhuma )?dúvida(?: alguma)?"
        r"|ninguém(?: \w+)? (?:duvid|neg|ignor|contest|discut|p[õô]\w* em dúvid)\w*|não se (?:pode|podia) negar"
        r"|não (?:só|somente|apenas)|não (?:hesit\w+ em|deix\w+ de|cess\w+ de))(?: (?:de )?que\b)?",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        r"\b(?:никто не (?:сомнева|отрица|оспарива|спори)\w*|нет (?:никаких )?сомнени[йя]"
        r"|без(?:о всякого)? сомнени[йя]|не (?:подлежит|вызывает) сомнени[юя]|нельзя отрицать|не только)"
        r"(?:(?: в том)?, что\b)?",
        re.IGNORECASE,
    ),
}
