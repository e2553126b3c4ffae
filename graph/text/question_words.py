"""Classify questions by their question word, in seven languages.

A look-up asks for a person, place, name, date or number: one sentence answers it. Why, how and comparisons weigh
several sentences. Any other question ("What does the ring mean?") is neither. In doubt a question is not a look-up:
that error costs time, the opposite error costs the answer.
"""

from __future__ import annotations

import re

from filigraph.graph.text.words import fold

# For folded text (no case, no accents). All languages are tried: detection is unreliable for short questions.
_WEIGHS = (
    r"\bwhy\b|\bhow come\b|\bfor what reasons?\b|\bexplain|\bin what way\b",
    r"\bhow\b(?! (?:many|much|old|tall|far|long|large|big|heavy|deep|high|often)\b)(?! to\b)",
    r"\bcompar|\bdifferen|\bversus\b|\bvs\b|\bin common\b",
    r"\b(?:more|less|better|worse|\w{2,}er)\b.*\bthan\b|\bdistinguish",
    r"\bpourquoi\b|\braisons?\b|\bexplique|\bde quelle (?:maniere|facon)\b|\ben quoi\b|\bdans quel but\b",
    r"\bcomment\b(?! (?:s['’ ]|se )?(?:appel|nomm|prenomm))",
    r"\ben commun\b|\b(?:plus|moins|aussi|mieux)\b.*\bqu(?:e\b|['’])|\bdistingue",
    r"\bpor que\b|\bcomo\b(?! se llama)|\bcompara|\bdiferenci|\bexplica",
    r"\bwarum\b|\bwieso\b|\bweshalb\b",
    r"\bwie\b(?! (?:viele?|alt|lange|hoch|oft|heisst|heissen|hiess)\b)|\bvergleich|\bunterschied",
    r"\bperche\b|\bcome\b(?! si chiama)|\bconfront|\bdifferenz|\bspiega",
    r"\bпочему\b|\bзачем\b|\bотчего\b|\bкак\b(?! (?:зовут|звали|называ))|\bсравни|\bразниц|\bчем отлича",
    r"为什么|为何|怎么|怎样|如何|比较|区别|不同",
)
# Begin of a second question: the first one then no longer decides.
_SECOND = (
    r"(?:[,;?]|\band\b|\bor\b|\bet\b|\bou\b|\by\b|\bund\b|\be\b|\bи\b) ?"
    r"(?:what|which|que\b|qu['’]|quoi|quel|a quoi|de quoi|was\b|welche|che\b|cosa|что\b)"
)
_FIGURE_EN = "name|surname|nickname|date|year|month|day|hour|time|age|number|amount|sum|price|address"
_PLACE_EN = "place|city|town|village|country|street|house|hotel|room"
_FIGURE_FR = "nom|prenom|surnom|date|annee|mois|jour|heure|age|nombre|numero|montant|somme|prix|adresse"
_PLACE_FR = "endroit|lieu|ville|village|pays|rue|maison|hotel|piece|chambre"
_ASKED_OF = (
    r"(?:(?:please|tell me|do you know|can you tell me|could you tell me|dis-moi|dites-moi|sais-tu|savez-vous|dime|"
    r"sag mir|dimmi|скажи),? )?"
)
_LOOKS_UP = re.compile(
    rf"^{_ASKED_OF}(?:and |et |but |mais )?(?:"
    + "|".join(
        (
            r"(?:(?:by|to|for|with|from|of|at|since|until) )?(?:who|whom|whose|when|where)\b",
            r"how (?:many|much|old|tall|far|long|large|big|heavy|deep|high|often)\b",
            rf"(?:(?:in|on|at|by|from|to|since|until) )?(?:what|which) (?:\w+ )?(?:{_FIGURE_EN}|{_PLACE_EN})\b",
            rf"what(?: (?:is|was|are|were)|['’]s) (?:(?!of |in )[\w'’-]+ ){{1,4}}?(?:{_FIGURE_EN})\b",
            r"what(?: (?:is|was|are|were)|['’]s) .+ (?:called|named)$",
            r"(?:(?:a|de|par|pour|avec|chez|sur|contre|c['’]est) )?qui\b",
            r"(?:(?:depuis|jusqu['’]a|pour) )?quand\b",
            r"(?:(?:d['’]|par |jusqu['’]|vers ))?ou\b",
            r"(?:(?:a|de|depuis|pour|pendant) )?combien\b",
            r"(?:(?:a|en|de|dans|pour|sur|sous|depuis|jusqu['’]a|vers) )?quels?(?:le|les)? "
            rf"(?:\w+ )?(?:{_FIGURE_FR}|{_PLACE_FR})s?\b",
            rf"quel(?:le)? (?:est|etait|fut) (?:le |la |l['’]|son |sa )(?:\w+ )?(?:{_FIGURE_FR})\b",
            r"comment (?:s['’ ]|se )?(?:appel|nomm|prenomm)",
            r"(?:(?:a|de|con|por|para) )?(?:quien|quienes|cuando|donde|cuantos?|cuantas?)\b|como se llama",
            r"(?:(?:seit|bis|von|mit) )?(?:wer|wen|wem|wessen|wann|wo|wohin|woher)\b",
            r"wie (?:viele?|alt|lange|hoch|oft|heisst|heissen|hiess)\b",
            r"(?:(?:a|di|da|con|per) )?(?:chi|quando|dove|quanti|quante|quanto)\b|come si chiama",
            r"(?:(?:у|от|с|к|о|до|из) )?(?:кто|кого|кому|кем|чей|чья|когда|где|куда|откуда|сколько)\b",
            r"как (?:зовут|звали)",
        )
    )
    + ")"
)
# Question word at the end, as in spoken French ("Jules est né où ?"); anywhere in Chinese.
_LOOKS_UP_LAST = re.compile(
    r"\b(?:ou|qui|quand|combien|c['’]est qui)$|谁|何时|什么时候|哪里|哪儿|在哪|多少|几岁|叫什么|哪一年"
)
_WHEN_CLAUSE = re.compile(r"^(?:when|where|quand|cuando|wenn|quando|когда)\b[^,]*, ")
_OFFERS = re.compile(r"\b(?:or|ou|oder|или)\b|或|还是")
_COMPARES = re.compile(
    r"\bcompar|\bdifferen|\bversus\b|\bvs\b|\bin common\b|\ben commun\b|\bdistingu|\bdiferenci|\bvergleich"
    r"|\bunterscheide|\bunterschied|\bconfront|\bdifferenz|\bсравни|\bразниц|\bчем отлича|比较|区别|不同"
)
_WEIGHED = re.compile("|".join(_WEIGHS))
_HAS_SECOND = re.compile(_SECOND)


def needs_reasoning(question: str) -> bool:
    """Whether a question asks why or how, or compares."""
    return bool(_WEIGHED.search(_folded_question(question)))


def asks_to_compare(question: str) -> bool:
    """Whether a question compares, or asks to choose."""
    return bool(_COMPARES.search(_folded_question(question))) or asks_to_choose(question)


def asks_to_choose(question: str) -> bool:
    """Whether a question offers two or more: "A or B?"."""
    return bool(_OFFERS.search(_folded_question(question)))


def is_factoid(question: str) -> bool:
    """Whether a question asks only for a person, place, name, date or number."""
    text = _folded_question(question)
    if _WEIGHED.search(text) or _HAS_SECOND.search(text):
        return False
    main = _WHEN_CLAUSE.sub("", text)  # "When Jules came, who opened?" asks who
    return bool(_LOOKS_UP.search(main) or _LOOKS_UP_LAST.search(main))


def _folded_question(question: str) -> str:
    return " ".join(fold(question).split()).strip(' ?!.¿¡？。…"«»“”')


_REASON = re.compile(
    r"\b(?:why|what (?:made|makes|led|drove)|for what reason)\b"
    r"|\b(?:pourquoi|pour quelle raison|qu['’]est-ce qui (?:fait|a fait))\b"
    r"|\bpor que\b|\b(?:warum|weshalb|wieso)\b|\bperche\b|\b(?:почему|зачем|отчего)\b|为什么|为何|为啥|لماذا"
)


def asks_for_a_reason(question: str) -> bool:
    """Whether a question asks why; its answer is linked by causes and properties and shares few words with it."""
    return bool(_REASON.search(fold(question)))


_SOMEBODY = re.compile(
    r"^\W*(?:who|whom|whose|qui|quien|quienes|wer|wen|wem|wessen|chi|кто|кого|кому|кем)\b"
    r"|\b(?:by|to|of|from|for|with|at) who(?:m|se)\b|\b(?:a|de|par|pour|avec|chez|sur|contre|envers) qui\b"
    r"|\b(?:a|de|por|para|con) quien(?:es)?\b|\b(?:von|mit|bei|zu|fur|durch) (?:wem|wen)\b|\b(?:a|di|da|con|per) chi\b"
    r"|\b(?:от|у|с|к|о) (?:кого|кем|кому|ком)\b|[谁誰]"
)


def asks_for_somebody(question: str) -> bool:
    """Whether a question asks who, so that the answer is a name."""
    return bool(_SOMEBODY.search(fold(question)))


_PLACE = re.compile(
    r"^\W*(?:(?:from|to) )?where\b|\bwhere(?: (?:from|to))?$|^\W*(?:d['’]|par |vers |jusqu['’])?ou\b"
    r"|^\W*(?:a|de|por) ?donde\b|^\W*donde\b|^\W*(?:wo|woher|wohin)\b|^\W*(?:di |da )?dove\b|^\W*(?:где|куда|откуда)\b"
    rf"|^\W*(?:(?:in|on|at|from|to) )?(?:what|which) (?:{_PLACE_EN})\b"
    rf"|^\W*(?:(?:a|en|de|dans) )?quel(?:le)? (?:{_PLACE_FR})\b|哪里|哪儿|何处"
)


def asks_for_a_place(question: str) -> bool:
    """Whether a question asks where, so that the answer is the name of a place."""
    return bool(_PLACE.search(_folded_question(question)))
