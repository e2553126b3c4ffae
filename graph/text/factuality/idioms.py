"""Idioms that look like denials and are not: "no doubt", "not only", "n'est-ce pas"."""

from __future__ import annotations

import re

from filigraph.graph.text.factuality.languages import NO_DENIAL

# Idioms that look like denials. Matched on the text as written.
_NO_DENIAL = {
    "en": re.compile(
        r"\bno\.(?= ?\d)"
        r"|\bno (?:question|denying|disputing|mistaking|gainsaying) (?=that\b)"
        r"|\bnot (?:only|merely|simply|until|till|without)\b|\b(?:not in|beyond) (?:dispute|doubt|question)\b"
        r"|\bit (?:is|was|has been|had been)(?: not| never|n['’]t) (?:\w+ly )?(?:disputed|contested|denied|doubted"
        r"|questioned)\b|\b(?:no|without) (?:a |any )?doubt\b"
        r"|\bno (?:less|more|sooner|other) than\b|\bno sooner\b"
        r"|\bbeyond (?:(?:a|any|all|every|the (?:shadow|shade) of a)(?: possible| reasonable)? )?doubts?\b"
        r"|\bwithout (?=(?:an?|any|another|further|more|much) \w+\b(?! \w+ing\b))"
        r"|\bnone other than\b|\bnothing but\b|\b(?:to )?say nothing (?:of|there)"
        r"|\b(?:can|could)(?: ?not|n?['’]t) (?:but|help)\b"
        r"|\b(?:fail(?:s|ed)? to|unable to|(?:could|did|can|do|does)(?: ?not|n['’]t)) (?:stop|prevent|keep|deter|hinder"
        r"|dissuade) (?=[^,;:.!?]{1,60} from \w+ing\b)"
        r"|\b(?:hardly|scarcely|barely) (?=had\b[^;.!?]{1,90}\b(?:when|before|than)\b)"
        r"|(?:\b(?:never|not)|n['’]t) (?=(?:regret|forg[eo]t)\w* (?:having|that|how)\b)"
        r"|(?:\bnot|n['’]t) (?:hesitate|cease|neglect|scruple) to\b"
        r"|\bnever (?:tire[sd]?|cease[sd]?|stopp?(?:s|ed)?|miss(?:es|ed)?)\b|\bwhether or not\b[^,;.!?]{0,40},"
        r"|\b(?:could|can|did|does)(?: ?not|n['’]t) avoid (?=\w+ing\b)"
        r"|\b(?:perhaps|maybe) (?=(?:out of|from|because of|for) [^,;.!?]{1,40},)"
        r"|\blittle did (?:[\w'’.-]+ ){1,4}?(?:suspect|know|reali[sz]e|imagine|guess|dream|think|expect)(?= that\b)"
        r"|\b(?:hardly|scarcely) ever\b|\bnever fail(?:s|ed)? to\b|\bnot to (?:mention|speak of)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:ne |n['’])(?:manqu\w+ (?:pas|point|jamais)|cess\w+(?: pas| point| jamais)?) d(?:e |['’])"
        r"|\bil n['’](?:est|était|a|fut) (?:pas|point|plus|jamais)(?: été)?(?: \w+ment)? (?:contest(?:é|able)|nié"
        r"|niable"
        r"|discut(?:é|able)|mis en doute)\b"
        r"|\b(?:ne |n['’])(?:oubli|omi|néglige|priv)\w* (?:pas|point|jamais) d(?:e |['’])"
        r"|\bn['’](?:a|ont|avait|avaient|eut|eurent) (?:pas|point|jamais) (?:hésité|cessé|manqué|oublié|omis|négligé"
        r"|tardé|craint) (?:à |d(?:e |['’]))"
        r"|\bn['’]hésit\w+ (?:pas|point)\b[^,;.!?]{0,25}? à\b"
        r"|\bne regrett\w+ (?:nullement|pas|point|jamais|guère) (?=d(?:e |['’])|que |qu['’])"
        r"|\bpeut-être (?=(?:par|pour|à cause d(?:e|u|['’])) ?[^,;.!?]{1,40},)"
        r"|\bne (?:put|peut|pouvait|sut)(?: pas| point)? s['’]empêcher d(?:e |['’])"
        r"|\b(?:ce )?ne (?:fut|sera) pas sans (?:peine|mal|raison|effort|difficulté)\b"
        r"|\bn['’](?:est|était) pas douteux\b|\b(?:personne|nul|rien) d['’]autre (?:que |qu['’])[^,;:.!?]{1,40}? ne\b"
        r"|\bsans (?:aucun |le moindre |l['’]ombre d['’]un )?doute\b|\bsans (?=(?:une?|aucune?|autre|plus de) \w+\b)"
        r"|\bnon seulement\b|\bn['’]est-ce pas\b|\bn['’]importe\b"
        r"|\b(?:ne|n['’]) ?(?=[^,;.!?]{1,40}\bpresque (?:jamais|pas|plus|rien)\b)"
        r"|\b(?:ne|n['’]) ?(?=[^,;.!?]{1,25}\b(?:pas|point) (?:seulement|moins)\b)"
        r"|\bn['’]en [^,;.!?]{1,25} pas moins\b|\bsi (?=[^;.!?]{1,120}, c['’](?:est|était)\b)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:steht|stand|ist|war) außer (?:Zweifel|Frage)\b|\b(?:ohne (?:jeden )?|kein(?:en)? )Zweifel\b"
        r"|\b(?:niemand|keiner) (?:bezweifelt|bestreitet|leugnet)\w*"
        r"|\bnicht (?:nur|bloß|weniger als|zuletzt|länger als)\b"
        r"|\bnicht (?=(?:aus|wegen|um|zum|zur|durch|mit|im|in|am|an|auf|bei|vor|für|nach|von|als|weil|ohne|deshalb"
        r"|deswegen)"
        r" [^;.!?]{1,80}?,? sondern\b)",
        re.IGNORECASE,
    ),
    **NO_DENIAL,
}
# A full stop after a short title or an initial does not end a clause: "Mr. Poole", "M. Poulain", "J. Delmas".
_ABBREVIATION = re.compile(
    r"\b(M(?:rs?|s|M|mes?|lles?|gr|e)?|Dr|St|Ste|Col|Capt|Lt|Sgt|Gen|Rev|Hon|Prof|Sr|Jr|[A-Z])\.(?= ?[A-ZÀ-Þ])"
)
_MONTH = re.compile(r"(?<=[\w,] )May\b")  # "may" is the only modal that is also a name


def blank_idioms(sentence: str, language: str) -> str:
    """The sentence with blanks in place of idioms that deny nothing and of the full stops of abbreviations, at the same
    offsets.
    """

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    sentence = _ABBREVIATION.sub(r"\1 ", sentence)
    if language in _NO_DENIAL:
        sentence = _NO_DENIAL[language].sub(blank, sentence)
    return _MONTH.sub(blank, sentence) if language == "en" else sentence
