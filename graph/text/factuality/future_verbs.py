"""Verbs in the future or the conditional: a plan is not a fact. English has separate words for these (`cues`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from filigraph.graph.text.factuality.cues import word_set
from filigraph.graph.text.words import fold

# Past forms that look like future forms: "tira" (tirer), "engendra".
_PAST = word_set(
    "tira retira admira attira expira inspira respira soupira conspira aspira transpira vira chavira cira délira "
    "désira déchira étira mira empira engendra effondra opéra caméra"
)
# A French conditional: "vendrait", "aurait". Imperfects of verbs in -rer, -rir and -vrir end in "rait" too: "montrait",
# "ouvrait", and, after the letters that a conditional has there, "admirait".
CONDITIONAL = (
    r"(?:(?!(?:(?:at|re|é|sou)?tir|(?:cha)?vir|(?:ad)?mir|désir|déchir|soupir|empir|cir|délir"
    r"|(?:re|in|a|ex|con|tran)spir|éclair|flair|encadr|engendr|effondr|saupoudr)(?:ait|aient)\b)"
    r"\w*(?:[eid]|(?:[pcm]ou|ve|que)r|omp|inc|ev|pleuv|(?:su|v)iv|ît|tt|\b(?:s?a|excl|concl|incl)u)r(?:ait|aient))"
)
CONDITIONAL_OR_PERFECT = rf"(?:{CONDITIONAL}|eût|eussent|fût|fussent)"
_CONDITIONAL = re.compile(rf"\b{CONDITIONAL}\b", re.IGNORECASE)
_FUTURE = re.compile(
    r"\b(?:\w*(?:[^\Wé]er(?:a|ont)|ir(?:a|ont)|endr(?:a|ont)|ondr(?:a|ont)|[eo]rdr(?:a|ont)|[aeo]indr(?:a|ont)"
    r"|[ea]ttr(?:a|ont)|aîtr(?:a|ont)|oudr(?:a|ont)|audr(?:a|ont)|cevr(?:a|ont)|[uv]ivr(?:a|ont)|ompr(?:a|ont)"
    r"|aincr(?:a|ont))"
    r"|(?:re|entre|re?en|en)?verr(?:a|ont)|(?:ac|con)querr(?:a|ont)|(?:par|ac|se|con)?courr(?:a|ont)"
    r"|(?:mour|pour|sau|au|dev)r(?:a|ont)|(?:s|f)er(?:a|ont))\b",
    re.IGNORECASE,
)


def future_verbs(sentence: str, language: str) -> Iterator[re.Match[str]]:
    """The third-person verbs in the future or the conditional; only French has any."""
    if language == "fr":
        yield from (match for match in _FUTURE.finditer(sentence) if match[0].islower() and fold(match[0]) not in _PAST)
        yield from (match for match in _CONDITIONAL.finditer(sentence) if match[0].islower())
