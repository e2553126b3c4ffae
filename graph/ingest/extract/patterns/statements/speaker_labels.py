"""The labels of speakers: what a line begins with, in chats, transcripts and plays."""

from __future__ import annotations

import re

_CLOCK = r"\d{1,2}[:h.]\d{2}(?:[:.]\d{2})?(?:\s?(?i:[ap]\.?\s?m\.?))?"
_DAY_IN_ASIA = r"\d{4}[년年]\s?\d{1,2}[월月]\s?\d{1,2}[일日]"
_HALF_IN_ASIA = r"(?:오전|오후|上午|下午|午前|午後|早上|中午|晚上|凌晨)\s?"
TURN = re.compile(
    rf"^\W?\[?(?:(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}|{_DAY_IN_ASIA}),?\s+(?:à |um |at )?)?(?:{_HALF_IN_ASIA})?"
    rf"{_CLOCK}\]?"
    r"(?:,?\s+\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?=\s+[-–—]))?(?:\s*[-–—:]|,(?=\s[^.:\n]{1,42}:\s))?\s*"
    r"(?:~\s?)?(?P<who>[^\W\d][^:\n]{0,40}?)\s?[:.]\s+(?=\S)"  # "~ Ana": somebody who is not a contact of the exporter
)
TELLS = re.compile(r"(?:I|We|He|She|They|Je|J['’]\w+|Nous|Ich|Wir) [^\W\d_A-ZÀ-Þ]")  # "12:30 I left Dover: it rained"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# Logs of IRC: "18:04 <ada> I left.", "[18:04:11] <@ada> I left."; messages of the program have no speaker ("18:05 -!-
# ...").
IRC = re.compile(
    rf"^[\[(]?(?:{_DAY}[ T])?{_CLOCK}[\])]?\s+"
    r"(?:<[ @+%&~]?(?P<who>[^\W\d][^\s<>:]{0,30})>|-!-|\*{1,3}|-->|<--|—>|<—|[-=]{3})\s+(?=\S)"
)
NICK_LINE = re.compile(rf"^\[{_DAY},?\s+{_CLOCK}\]\s+(?P<who>[^\W\d][\w.#-]{{1,36}})\s*$")  # "[02/05/2022 18:04] ada"
# A speaker and a time alone on a line, as chats are copied and meetings written down: "Ana Ruiz, [12.03.2024 21:14]",
# "Ana Ruiz   0:12", "00:00:12 Ana Ruiz".
_NICK = r"[^\W\d_][^:\n\[\]().;!?]{0,40}?"
WHO_AND_CLOCK = re.compile(
    rf"^(?P<who>{_NICK})(?:,|\s?[—–|-])?\s+[\[(]?(?:{_DAY},?\s+(?:à |um |at )?)?{_CLOCK}[\])]?\s*:?\s*$"
)
CLOCK_AND_WHO = re.compile(
    rf"^[\[(]?(?:{_DAY},?\s+(?:à |um |at )?)?{_CLOCK}[\])]?\s+(?P<who>(?!From\b){_NICK})\s*:?\s*$"
)
# The chat of a meeting: "21:14:05 From Ana Ruiz to Everyone:", the text beside or below. "Von Arnim:" is a name.
TO_ALL = re.compile(
    rf"^{_CLOCK}\s+(?:From|(?:Von|De|Da)(?=\s[^:\n]{{1,60}}\s(?:to|an|à|a|para)\s))\s+(?P<who>{_NICK})(?:\s+(?:to|an|à|a|para)\s[^:\n]{{1,60}}?)?"
    r"(?:\s?\([^()\n]{1,40}\))?\s?:(?:\s+|$)"
)
_TITLE = r"(?:(?i:mr|mrs|ms|dr|mme|mlle|m|prof|capt|col|gen|rev|hon)\.? )?"
_WHO = _TITLE + r"[A-ZÀ-Þ][A-ZÀ-Þ'’. -]{1,40}?"
PART = re.compile(
    rf"^(?:(?:Me|Maître) )?(?P<who>{_WHO})"  # an advocate is addressed so
    + r"(?:,? ?[(\[][^)\]\n]{1,60}[)\]]|, ?[a-zà-ÿ][^\n.:—–]{1,60}(?=\.?\s?[—–]))?"
    + r"\s?(?:[.:](?:\s?[—–]{1,2}\s*|\s+)|\s?[—–]{1,2}\s+)(?=[^\s\d])",
)
# A speaker alone on a line, as printed plays have it: "HELENA.", "HÉLÈNE, à part.", "AGNES (kneeling)".
SPEAKER_LINE = re.compile(
    rf"^(?P<who>{_WHO})" + r"\.?(?:,? ?[(\[][^)\]\n]{1,80}[)\]]|, ?[a-zà-ÿ][^\n]{1,80})?\.?\s*$",
)
NAME_TURN = re.compile(r"^(?P<who>[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2})\.\s+(?=[^\s\d])")
# "Ana Ruiz: I sold it.", "Ana [00:01:12]: I sold it.", if they talk to each other.
COLON_TURN = re.compile(
    r"^(?P<who>(?:[A-ZÀ-Þ][a-z]{0,4}\. )?[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2})"
    r"(?:\s?[\[(][\d:., /-]{4,25}[\])])?\s?:\s+(?=\S)"
)
# A form of address before the name, as in debates: "Mr. ADA FINCH (Dover):", "Mme Hélène Roux. J'ai ...".
TITLED_TURN = re.compile(
    r"^(?P<who>(?:Mr|Mrs|Ms|Dr|M|Mme|Mlle|Me|Maître|Herr|Frau|Abg|Sr|Sra|Sig|Hon)\.? [A-ZÀ-Þ][\w'’-]+"
    r"(?:[ -][A-ZÀ-Þ][\w'’.-]*){0,3}?"
    r"|(?:M\. le|Mme la) [a-zà-ÿ]{4,15}|(?:The|Le|La|Der|Die) [A-ZÀ-Þ]{4,20}"
    r"|(?:[Tt]he|[Ll]e|[Ll]a|[Ll]['’]|[Dd]er|[Dd]ie|[Ee]l|[Ii]l)\s?[a-zà-ÿ]{4,18}(?: [a-zà-ÿ]{4,18})?(?=\s?:))"
    r"(?:,? [(\[][^)\]\n]{1,60}[)\]]|, [a-zà-ÿ][^\n.:—–]{1,60})?\s?[.:](?:\s?[—–-])?\s+(?=[A-ZÀ-Þ«\"“…—–])"
)
# A row of a transcript in a table: "| HALE | I saw her. |", perhaps with a time or a number first.
ROW_TURN = re.compile(r"^\|\s*(?:[\d:.,]+\s*\|\s*)?(?P<who>[^\W\d_][^|\n]{1,40}?)\s*\|\s*(?=[^|\s])")
QUESTION = re.compile(
    rf"^(?:\d{{1,2}}\s+|\[?{_CLOCK}\]?\s+)?"
    r"(?P<who>Q|A|D|R|(?i:question|answer|demande|réponse|frage|antwort|pregunta|respuesta|domanda|risposta))"
    r"(?:\s?[.:]\s+|\s{3,})(?=\S)"
)
TABBED = re.compile(rf"^{_CLOCK}\t(?P<who>{_NICK})\t(?=\S)")  # "21:14	Ana	I left."
# "Ruth Pell, sworn, says: I ...", "Otto Brandt deposed: ..."
DEPOSED = re.compile(
    r"^(?P<who>(?:[A-ZÀ-Þ][\w'’.-]+ ){0,3}[A-ZÀ-Þ][\w'’-]+)"
    r"(?:(?:,[^:\n]{1,60},)? (?:deposes|deposed|testifie[sd]|dépos(?:e|a))"
    r"|,[^:\n]{0,60}?\b(?:sworn|affirmed|on oath|assermentée?|sous serment|serment prêté|vereidigt)\b"
    r"[^:\n]{0,60}?,? (?:says?|said|states?|stated|déclar\w+|dit|sagte?))\s?:\s+(?=\S)"
)
WITH_CLOCK = (TURN, TABBED, IRC, NICK_LINE, WHO_AND_CLOCK, CLOCK_AND_WHO, TO_ALL)
