"""Profile: what kind of answer a question wants, by its words, in seven languages.

Most questions want a detail, and evidence comes best first. The others want it in another order: spread over the text
(a synthesis), every place in the order of reading (an entity), the newest first. A question in another language is one
after a detail; a request can always set the profile.
"""

from __future__ import annotations

import re

from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.text.question_words import is_factoid
from filigraph.graph.text.words import fold

# Over folded text (no case, no accents). All languages are tried: a short question's own is easily missed.
_CUES: dict[Profile, tuple[str, ...]] = {
    "entity": (
        r"\bwhere\b.*\b(?:spoken of|talked about|mentioned|referred to)\b",
        r"\bwhere does\b.*\bappear\b",
        r"\b(?:all|every|each|list) (?:the )?(?:mentions?|passages?|places?|occurrences?|appearances?)\b",
        r"\bwhich (?:chapters?|passages?|documents?|letters?|pages?) (?:mention|name|speak of|talk about|refer to)",
        r"\bou (?:est[ -]il|est[ -]elle|est-ce qu['’]il est) question\b",
        r"\bou (?:parle-t-on|est-il parle)\b",
        r"\bou\b.*\b(?:mentionne|evoque|apparai)",
        r"\b(?:toutes les|chaque) (?:mentions?|occurrences?|apparitions?)|\btous les passages\b",
        r"\bdans quels? (?:chapitres?|passages?|documents?)\b|\bdans quelles? (?:lettres?|pages?)\b",
        r"\bdonde (?:se )?(?:habla|menciona|nombra|aparece)|\btodas las menciones\b",
        r"\ben que (?:capitulos?|documentos?)\b",
        r"\bwo wird\b.*\b(?:erwahnt|genannt|gesprochen)|\balle (?:erwahnungen|stellen)\b|\bwo kommt\b.*\bvor\b",
        r"\bin welchen (?:kapiteln|dokumenten|briefen)\b",
        r"\bdove (?:si parla|e menzionat|appare|compare)|\btutte le menzioni\b",
        r"\bгде\b.*\b(?:упомина|упомян|говорится|появляется)|\bвсе упоминания\b|\bв каких (?:главах|документах)\b",
        r"(?:哪里|哪些地方|哪些章|哪几章|哪些文件).*(?:提到|提及|出现)|所有提[到及]",
    ),
    "synthesis": (
        r"\bsummar(?:y|ise|ize)|\boverview\b|\bmain (?:themes?|ideas?|points?|events?|stages?)\b",
        r"\bhow (?:do|does|did)\b.*\b(?:change|evolve|develop)\b|\bas a whole\b|\bwhat (?:is|are)\b.*\ball about\b",
        r"\bresume[rz]?\b|\bresumons\b|\bsynthese\b|\bvue d['’]ensemble\b|\bdans l['’]ensemble\b",
        r"\bgrand(?:e?s) (?:lignes|themes|etapes)\b|\bcomment\b.*\b(?:evolue|change[- ])|\bde quoi parle",
        r"\bresum(?:e|en|ir|a)\b|\bsintesis\b|\btemas principales\b|\bcomo (?:evoluciona|cambia)\b",
        r"\bzusammenfass|\bfasse\b.*\bzusammen\b|\buberblick\b|\bhauptthemen\b|\bwie (?:entwickelt|verandert)\b",
        r"\briassu|\bsintesi\b|\btemi principali\b|\bcome (?:evolve|cambia)\b",
        r"\bкраткое содержание\b|\bкратко (?:изложи|опиши)|\bобзор\b|\bглавные темы\b|\bкак (?:меняется|развивается)\b",
        r"总结|概括|概述|梗概|主要(?:主题|内容|事件)",
    ),
    "recent": (
        r"\b(?:latest|most recent|newest|last known)\b|(?<!more )\brecently\b",
        r"\b(?:les?|la) plus recente?s?\b|(?<!plus )\brecemment\b|\bdernierement\b",
        r"\bdernieres nouvelles\b|\ba ce jour\b",
        r"\b(?:lo|el|la|los|las) mas recientes?\b|(?<!mas )\brecientemente\b|\bultimas noticias\b",
        r"\bneueste[nrsm]?\b|\bkurzlich\b",
        r"\bpiu recent[ei]\b|(?<!piu )\brecentemente\b|\bultime notizie\b",
        r"\bпоследние (?:новости|сведения)\b|\bсам(?:ый|ая|ое|ые) (?:последн|нов|свеж)|\bнедавно\b",
        r"最新|最近的",
    ),
}
_PATTERNS = {profile: re.compile("|".join(cues)) for profile, cues in _CUES.items()}


def read_profile(question: str, period: Period | None = None) -> Profile:
    """What a question wants: `entity` before `synthesis` before `recent`, else `detail`.

    One that names a period ("since yesterday") and is not a look-up ("Who has lived there since 1890?") is `recent`.
    """
    folded = fold(question)
    matched = next((profile for profile, pattern in _PATTERNS.items() if pattern.search(folded)), None)
    return matched or ("recent" if period and not is_factoid(question) else "detail")
