"""Speakers in chats, transcripts and plays: the label before each speech.

12.03.24, 21:14 - Ana: I sold the boat.       HELENA. I sold the boat.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from filigraph.graph.ingest.extract.patterns.columns import column_of
from filigraph.graph.ingest.extract.patterns.statements.labels import as_name, is_capitalised, is_owner
from filigraph.graph.ingest.extract.patterns.statements.statement import MIN_TURNS, Statement
from filigraph.graph.ingest.extract.patterns.tables import cells_of, is_transcript
from filigraph.graph.text.names.tables import ADDRESS, GIVEN_NAMES, RANKS
from filigraph.graph.text.words import fold, tokens

_INDENTED = 4  # a line end and an indent; a blank line has two line ends
MIN_TURN_SHARE = 0.4  # min. share of lines that begin with "Name.", if this means the speaker
_CLOCK = r"\d{1,2}[:h.]\d{2}(?:[:.]\d{2})?(?:\s?(?i:[ap]\.?\s?m\.?))?"
_DAY_IN_ASIA = r"\d{4}[년年]\s?\d{1,2}[월月]\s?\d{1,2}[일日]"
_HALF_IN_ASIA = r"(?:오전|오후|上午|下午|午前|午後|早上|中午|晚上|凌晨)\s?"
_TURN = re.compile(
    rf"^\W?\[?(?:(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}|{_DAY_IN_ASIA}),?\s+(?:à |um |at )?)?(?:{_HALF_IN_ASIA})?"
    rf"{_CLOCK}\]?"
    r"(?:,?\s+\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?=\s+[-–—]))?(?:\s*[-–—:]|,(?=\s[^.:\n]{1,42}:\s))?\s*"
    r"(?:~\s?)?(?P<who>[^\W\d][^:\n]{0,40}?)\s?[:.]\s+(?=\S)"  # "~ Ana": somebody who is not a contact of the exporter
)
_TELLS = re.compile(r"(?:I|We|He|She|They|Je|J['’]\w+|Nous|Ich|Wir) [^\W\d_A-ZÀ-Þ]")  # "12:30 I left Dover: it rained"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# Logs of IRC: "18:04 <ada> I left.", "[18:04:11] <@ada> I left."; messages of the program have no speaker ("18:05 -!-
# ...").
_IRC = re.compile(
    rf"^[\[(]?(?:{_DAY}[ T])?{_CLOCK}[\])]?\s+"
    r"(?:<[ @+%&~]?(?P<who>[^\W\d][^\s<>:]{0,30})>|-!-|\*{1,3}|-->|<--|—>|<—|[-=]{3})\s+(?=\S)"
)
_NICK_LINE = re.compile(rf"^\[{_DAY},?\s+{_CLOCK}\]\s+(?P<who>[^\W\d][\w.#-]{{1,36}})\s*$")  # "[02/05/2022 18:04] ada"
# A speaker and a time alone on a line, as chats are copied and meetings written down: "Ana Ruiz, [12.03.2024 21:14]",
# "Ana Ruiz   0:12", "00:00:12 Ana Ruiz".
_NICK = r"[^\W\d_][^:\n\[\]().;!?]{0,40}?"
_WHO_AND_CLOCK = re.compile(
    rf"^(?P<who>{_NICK})(?:,|\s?[—–|-])?\s+[\[(]?(?:{_DAY},?\s+(?:à |um |at )?)?{_CLOCK}[\])]?\s*:?\s*$"
)
_CLOCK_AND_WHO = re.compile(
    rf"^[\[(]?(?:{_DAY},?\s+(?:à |um |at )?)?{_CLOCK}[\])]?\s+(?P<who>(?!From\b){_NICK})\s*:?\s*$"
)
# The chat of a meeting: "21:14:05 From Ana Ruiz to Everyone:", the text beside or below. "Von Arnim:" is a name.
_TO_ALL = re.compile(
    rf"^{_CLOCK}\s+(?:From|(?:Von|De|Da)(?=\s[^:\n]{{1,60}}\s(?:to|an|à|a|para)\s))\s+(?P<who>{_NICK})(?:\s+(?:to|an|à|a|para)\s[^:\n]{{1,60}}?)?"
    r"(?:\s?\([^()\n]{1,40}\))?\s?:(?:\s+|$)"
)
_TITLE = r"(?:(?i:mr|mrs|ms|dr|mme|mlle|m|prof|capt|col|gen|rev|hon)\.? )?"
_WHO = _TITLE + r"[A-ZÀ-Þ][A-ZÀ-Þ'’. -]{1,40}?"
_PART = re.compile(
    rf"^(?:(?:Me|Maître) )?(?P<who>{_WHO})"  # an advocate is addressed so
    + r"(?:,? ?[(\[][^)\]\n]{1,60}[)\]]|, ?[a-zà-ÿ][^\n.:—–]{1,60}(?=\.?\s?[—–]))?"
    + r"\s?(?:[.:](?:\s?[—–]{1,2}\s*|\s+)|\s?[—–]{1,2}\s+)(?=[^\s\d])",
)
# A speaker alone on a line, as printed plays have it: "HELENA.", "HÉLÈNE, à part.", "AGNES (kneeling)".
_SPEAKER_LINE = re.compile(
    rf"^(?P<who>{_WHO})" + r"\.?(?:,? ?[(\[][^)\]\n]{1,80}[)\]]|, ?[a-zà-ÿ][^\n]{1,80})?\.?\s*$",
)
_NAME_TURN = re.compile(r"^(?P<who>[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2})\.\s+(?=[^\s\d])")
# "Ana Ruiz: I sold it.", "Ana [00:01:12]: I sold it.", if they talk to each other.
_COLON_TURN = re.compile(
    r"^(?P<who>(?:[A-ZÀ-Þ][a-z]{0,4}\. )?[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2})"
    r"(?:\s?[\[(][\d:., /-]{4,25}[\])])?\s?:\s+(?=\S)"
)
_TALK = re.compile(
    r"\b(?:I|you|we|my|your|je|vous|nous|tu|mon|ma|votre|ich|wir|mein|yo|io)\b|\bj['’]|[?？]\W{0,9}$", re.IGNORECASE
)
_TALKING = 0.3  # min. share of such lines that speak to somebody
# What one says to another; a diary with headings ("Dinner: I met ...") has none.
_SPEAKS_TO = re.compile(r"\b(?:you|yours?|tu|toi|vous|votre|vos|dir|dich|dein)\b|\bt['’]|[?？]\W{0,9}$", re.IGNORECASE)
_FIELDS = frozenset(  # of mails
    "from to cc bcc date sent subject attachments reply de a objet envoye date von an gesendet betreff".split()  # noqa: SIM905
)
_SECTIONS = frozenset(  # of reports and diaries
    "note breakfast lunch dinner supper morning noon afternoon evening night today yesterday pros cons strengths "  # noqa: SIM905
    "weaknesses opportunities threats advantages disadvantages goal goals plan plans problem solution result results "
    "summary conclusion background tip tips hint warning example reason moral step idea remark remarks comment "
    "matin midi soir nuit avantages inconvenients but objectif probleme resultat resume conseil exemple remarque "
    "morgen mittag abend nacht vorteile nachteile ziel ergebnis hinweis tipp beispiel bemerkung".split()
)
# A form of address before the name, as in debates: "Mr. ADA FINCH (Dover):", "Mme Hélène Roux. J'ai ...".
_TITLED_TURN = re.compile(
    r"^(?P<who>(?:Mr|Mrs|Ms|Dr|M|Mme|Mlle|Me|Maître|Herr|Frau|Abg|Sr|Sra|Sig|Hon)\.? [A-ZÀ-Þ][\w'’-]+"
    r"(?:[ -][A-ZÀ-Þ][\w'’.-]*){0,3}?"
    r"|(?:M\. le|Mme la) [a-zà-ÿ]{4,15}|(?:The|Le|La|Der|Die) [A-ZÀ-Þ]{4,20})"
    r"(?:,? [(\[][^)\]\n]{1,60}[)\]]|, [a-zà-ÿ][^\n.:—–]{1,60})?\s?[.:](?:\s?[—–-])?\s+(?=[A-ZÀ-Þ«\"“…—–])"
)
# A row of a transcript in a table: "| HALE | I saw her. |", perhaps with a time or a number first.
_ROW_TURN = re.compile(r"^\|\s*(?:[\d:.,]+\s*\|\s*)?(?P<who>[^\W\d_][^|\n]{1,40}?)\s*\|\s*(?=[^|\s])")
# What a title in capitals begins with: "BOOK ONE. I was born", "MY YOUTH. I was born".
_TITLE_WORDS = re.compile(
    r"(?:book|part|section|letter|livre|partie|lettre|buch|teil|brief|libro|parte|carta|the|an?|my|of|in|on|at|how|why"
    r"|le|la|les|une?|mon|ma|mes|der|die|das|eine?|meine?|el|los|las|mi|mis|il|lo|gli|mio|mia)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"(?:I|J['’]|Je|Ich|Yo|Io)\b")
_QUESTION = re.compile(
    r"^(?:\d{1,2}\s+)?(?P<who>Q|A|D|R|(?i:question|answer|demande|réponse|frage|antwort|pregunta|respuesta|domanda|risposta))"
    r"(?:\s?[.:]\s+|\s{3,})(?=\S)"
)
# Somebody without a name, in a trial: "Prisoner. I never sold it."
_ROLE = re.compile(
    r"(?:The |Le |La |L['’])?(?:Prisoner|Court|Jury|Accused|Defendant|Judge|Prisonnier|Accusé|Prévenu|Président)e?"
    r"(?:['’]s defence)?\s?[.:](?:\s?[—–-])?\s+(?=\S)",
    re.IGNORECASE,
)
_ASKED = frozenset("question demande frage pregunta domanda".split())  # noqa: SIM905
_TOLD = frozenset("answer reponse antwort respuesta risposta".split())  # noqa: SIM905
_QUESTIONS = frozenset(("Q", "D"))
_DASHED = re.compile(r"[-–—]\s?[«“\"]?\w")  # somebody else, in subtitles
_TABBED = re.compile(rf"^{_CLOCK}\t(?P<who>{_NICK})\t(?=\S)")  # "21:14	Ana	I left."
# "Ruth Pell, sworn, says: I ...", "Otto Brandt deposed: ..."
_DEPOSED = re.compile(
    r"^(?P<who>(?:[A-ZÀ-Þ][\w'’.-]+ ){0,3}[A-ZÀ-Þ][\w'’-]+)"
    r"(?:(?:,[^:\n]{1,60},)? (?:deposes|deposed|testifie[sd]|dépos(?:e|a))"
    r"|,[^:\n]{0,60}?\b(?:sworn|affirmed|on oath|assermentée?|sous serment|serment prêté|vereidigt)\b"
    r"[^:\n]{0,60}?,? (?:says?|said|states?|stated|déclar\w+|dit|sagte?))\s?:\s+(?=\S)"
)
_WITH_CLOCK = (_TURN, _TABBED, _IRC, _NICK_LINE, _WHO_AND_CLOCK, _CLOCK_AND_WHO, _TO_ALL)
# The witness, and the examiner: "LENA VOSS, sworn.", "DEPOSITION OF LENA VOSS", "BY MR. HOLLIS:".
_PERSON = r"(?P<who>(?:[^\W\d_]{1,5}\. )?[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’.-]*){0,3}?)"
_WITNESS = re.compile(
    rf"^\W*(?:(?:the|le|la) (?:witness|témoin),? )?(?!(?:the|le) (?:witness|témoin)\b)"
    rf"{_PERSON},? (?:(?:being|having been|was|is|an?|the|first|"
    r"duly|called|as|hereby|ayant|après avoir) )*(?:sworn|affirmed|recalled|deposed|witness|testified|assermentée?|"
    r"prêté serment|témoin)\b.*$"
    r"|^\W*(?:(?:an?|the|une?|la|le|ein|das) |l['’])?(?:deposition"
    r"|(?:(?:direct|cross|re-?direct|further)[- ])?examination|testimony"
    r"|interview|interrogation|statement|audition|interrogatoire|déposition|témoignage|conversation"
    r"|entretien|gespräch|vernehmung|entrevista|intervista) (?:of|de|d['’]|du|with|avec|mit|con) ?"
    rf"{_PERSON.replace('who', 'of')}\W*$",
    re.IGNORECASE,
)
_EXAMINER = re.compile(
    rf"^\W*(?:(?:cross-|re-?direct |direct )?examination )?by {_PERSON}(?P<of>)\s*:?\W*$", re.IGNORECASE
)
# A line with a verb, which may be a heading or a sentence of a speech.
_TELLS_OF = re.compile(
    r"^[^\n]*?\b(?P<verb>sworn|affirmed|recalled|deposed|witness|testified|assermentée?|serment|témoin)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_HEADS = frozenset("sworn affirmed witness assermenté assermentée serment témoin".split())  # noqa: SIM905
_CALLED = re.compile(r"\W*(?:to the stand|by|for the|on behalf|in (?:chief|rebuttal)|on (?:cross|re-?direct))\b")
_SENTENCE = re.compile(
    r"\b(?:and(?! (?:was|being|having|(?:cross-)?examined|testified|deposed|sa(?:ys|id))\b)|but|that|who|I|me|my|he|she"
    r"|they|we|us|to(?! the stand)|against|because|when|et|mais|que|qui|je|m[eo]i?|il|elle|contre)\b"
)
# Labels that are not a person's: they end the speech before them.
_HEADINGS = frozenset(
    word
    for words in (
        "act scene acte prologue epilogue all both enter exit exeunt",
        "tous toutes ensemble persons characters personnages ",
        "dramatis curtain rideau fin finis end contents chapter chapitre note ps nb re "
        "aufzug auftritt szene akt escena acto jornada scena atto guilty",
    )
    for word in words.split()
)
_WITNESSES = frozenset(("witness", "temoin", "zeuge"))  # fields of lists, and speakers of transcripts
_TITLES = ADDRESS.keys() | RANKS.keys()
_ABBREVIATED = frozenset("mr mrs ms dr m mm mme mlle st ste prof capt col gen lt sgt hon rev sr jr hr fr".split())  # noqa: SIM905


def speaker_turns(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The labels of speakers in a chat, a transcript or a play, if there are several of a kind."""
    alone = {start for start, _ in _lines_before_speech(lines)} | set(_interviewed(lines))
    named = _NamedWitnesses(lines)
    transcribed = any(line.startswith("|") and is_transcript(cells_of(line)) for _, line in lines)
    for pattern in (
        *_WITH_CLOCK,
        *((_ROW_TURN,) if transcribed else ()),
        _DEPOSED,
        _PART,
        _TITLED_TURN,
        _SPEAKER_LINE,
        _NAME_TURN,
        _COLON_TURN,
        _QUESTION,
    ):
        matches = [(start, match) for start, line in lines if (match := pattern.match(line))]
        if pattern is _TURN:
            matches = [(start, match) for start, match in matches if not _TELLS.match(match["who"])]
        if pattern is _ROW_TURN:
            matches = [(start, match) for start, match in matches if not is_transcript(cells_of(match.string))]
        sections: list[int] = []
        if pattern is _COLON_TURN:
            sections = [start for start, match in matches if fold(match["who"]) in _SECTIONS]
            matches = [(start, match) for start, match in matches if not _is_field(match["who"])]
        if pattern is _SPEAKER_LINE:
            matches = [(start, match) for start, match in matches if start in alone]
        matches = [(start, match) for start, match in matches if not _is_abbreviated(match["who"] or "?")]
        names = [(match["who"] or "").strip(" .") for _, match in matches]
        if pattern in (_WHO_AND_CLOCK, _CLOCK_AND_WHO) and not all(map(is_capitalised, names)):
            continue  # "Arrived   12:30", "Monday 12:30"
        examined = pattern is _QUESTION and names[:1] and _asks(names[0])
        certain = pattern in (*_WITH_CLOCK, _ROW_TURN, _TITLED_TURN, _DEPOSED) or examined or _speak_as_i(matches)
        if not (certain or _speaks_again(names) or _are_listed(names, lines)):
            continue  # headings, initials
        if pattern in (_NAME_TURN, _COLON_TURN) and not _is_dialogue(names, lines):
            continue
        if pattern is _COLON_TURN and not _is_talk(matches):
            continue
        known = [pattern is not _QUESTION and _is_speaker(name) for name in names]
        if pattern in (_SPEAKER_LINE, _QUESTION) and len(set(names)) < MIN_TURNS:
            continue  # the head of every page; the letters of a list
        speaking = sum(speaks and bool(name) for speaks, name in zip(known, names, strict=True))
        if speaking >= MIN_TURNS or (pattern is _QUESTION and len(matches) >= MIN_TURNS):
            if pattern is _COLON_TURN:
                yield from map(_of_nobody, _after_talk(lines, [start for start, _ in matches], sections))
            if pattern is _PART:
                yield from _of_others(lines, {start for start, _ in matches})
            for (start, match), name, speaks in zip(matches, names, known, strict=True):
                end = start + match.end()
                author = as_name(name) if speaks else ""
                if pattern is _QUESTION:
                    author = named.above(start, _EXAMINER if _asks(name) else _WITNESS)
                elif _WITNESSES.intersection(word.folded for word in tokens(name)):
                    author = named.above(start, _WITNESS) or author
                yield Statement(
                    start=start, end=end, author=author, speaker_line=(start, end), head=(start, end), is_turn=True
                )


def _of_others(lines: Sequence[tuple[int, str]], labelled: Collection[int]) -> Iterator[Statement]:
    """Lines that begin with a dash or a role, if others begin with a speaker's name: their speaker is unknown."""
    for start, line in lines:
        if start in labelled:
            continue
        if role := _ROLE.match(line):
            head = (start, start + role.end())
            yield Statement(start=start, end=head[1], author="", speaker_line=head, head=head)
        elif _DASHED.match(line):
            yield _of_nobody(start)


def _of_nobody(start: int) -> Statement:
    return Statement(start=start, end=start, author="", speaker_line=(start, start), head=(start, start))


def _after_talk(lines: Sequence[tuple[int, str]], turns: Sequence[int], sections: Sequence[int]) -> Iterator[int]:
    """Where a talk ends: at a section ("Note:"), and below the last speech at a new paragraph, if no other speech has
    one.
    """
    yield from (start for start in sections if start > turns[0])
    below = {after for (start, line), (after, _) in pairwise(lines) if after - start - len(line) > 1}
    unlabelled = sorted(below.difference(turns))
    first = bisect_left(unlabelled, turns[0])
    if first < len(unlabelled) and unlabelled[first] > turns[-1]:
        yield unlabelled[first]


class _NamedWitnesses:
    """The lines that name a witness or an examiner, for the lines below them that begin with "A." or "Q."."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self._lines = lines
        self._named: dict[re.Pattern[str], list[tuple[int, str]]] = {}

    def above(self, start: int, pattern: re.Pattern[str]) -> str:
        """The person in the nearest line before `start`; "" if there is none."""
        if pattern not in self._named:
            matches = ((at, match) for at, line in self._lines if (match := pattern.match(line)) and _is_heading(match))
            self._named[pattern] = [(at, match["who"] or match["of"]) for at, match in matches]
        named = self._named[pattern]
        before = bisect_left(named, (start, ""))
        who = named[before - 1][1] if before else ""
        return as_name(who) if is_capitalised(who) and _is_speaker(who) else ""


def _is_heading(match: re.Match[str]) -> bool:
    """Whether a line names a witness or an examiner, and is no sentence of a speech, as "Karl Roe testified that I
    left" and "A. Karl Roe testified." are.
    """
    if _QUESTION.match(match.string):
        return False
    if not (told := _TELLS_OF.match(match.string)) or (match["who"] or match["of"]).isupper():
        return True
    rest = told["rest"].rstrip(" .")
    if not rest or rest.endswith((":", "follows")):
        return True
    return bool(told["verb"].lower() in _HEADS or _CALLED.match(rest)) and not _SENTENCE.search(rest)


def _asks(label: str) -> bool:
    return label in _QUESTIONS or any(word.folded in _ASKED for word in tokens(label))


def _speaks_again(names: Sequence[str]) -> bool:
    """Whether somebody speaks twice, perhaps as "HELENA ORME" and as "HELENA"."""
    counts = Counter(names)
    if max(counts.values(), default=0) > 1:
        return True
    words = Counter(word.folded for name in counts for word in tokens(name) if word.folded not in _TITLES)
    return any(count > 1 and len(word) > 2 and word not in _HEADINGS for word, count in words.items())


def _speak_as_i(matches: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Whether several names in capitals begin with "I": "GEORGE PELL. I am a carman."."""
    speaking = (match for _, match in matches if _FIRST_PERSON.match(match.string, match.end()))
    names = {match["who"] for match in speaking if match["who"] and " " in match["who"]}
    return sum(not _TITLE_WORDS.match(name) for name in names) >= MIN_TURNS


def _are_listed(names: Sequence[str], lines: Sequence[tuple[int, str]]) -> bool:
    """Whether two or more names in capitals that speak once are in the list of persons, over the scene or spoken to."""
    text = "\n".join(line for _, line in lines)
    listed = (name for name in set(names) if name.isupper() and len(name) > 2 and _is_speaker(name))
    forms = (rf"\b(?:{re.escape(name)}|{re.escape(name.title())})\b" for name in listed)
    return sum(len(re.findall(form, text)) > 1 for form in forms) >= MIN_TURNS


def _lines_before_speech(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines below which a speech may begin: the next line is not blank, and not all in capitals."""
    for (start, line), (after, below) in pairwise(lines):
        gap = after - start - len(line)
        if (gap == 1 or gap >= _INDENTED) and not below.isupper():
            yield start, line


def _interviewed(lines: Sequence[tuple[int, str]]) -> Iterator[int]:
    """The lines of an interview that are only a name in capitals, with a blank line below: two or more persons take
    turns, and what one of them says ends in questions.
    """
    labels = [n for n, (_, line) in enumerate(lines) if _SPEAKER_LINE.match(line) and line.isupper()]
    speeches: dict[str, list[str]] = {}
    for here, after in pairwise([*labels, len(lines)]):
        speeches.setdefault(lines[here][1].strip(), []).append(lines[after - 1][1].rstrip() if after > here + 1 else "")
    again = {name for name, said in speeches.items() if len(said) > 1 and all(said)}
    asks = any(sum(line.endswith(("?", "？")) for line in speeches[name]) * 2 >= len(speeches[name]) for name in again)
    if len(again) >= MIN_TURNS and asks:
        yield from (lines[n][0] for n in labels if lines[n][1].strip() in again)


def _is_dialogue(names: Sequence[str], lines: Sequence[tuple[int, str]]) -> bool:
    """Whether lines that begin with a name and a full stop are speeches of several persons: most lines are, and most
    speakers speak again.
    """
    counts = Counter(names)
    again = sum(count > 1 for count in counts.values())
    return len(names) >= MIN_TURN_SHARE * len(lines) and 2 * again >= len(counts) >= 2


def _is_talk(matches: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Whether labels with a colon are speakers, and not the fields of a form."""
    names = {match["who"] for _, match in matches}
    if not all(_is_speaker(name) and is_capitalised(name) for name in names):
        return False
    given = any(tokens(name)[0].folded in GIVEN_NAMES for name in names)
    if not given and not any(_SPEAKS_TO.search(match.string, match.end()) for _, match in matches):
        return False
    talking = sum(bool(_TALK.search(match.string, match.end())) for _, match in matches)
    return talking >= max(MIN_TURNS, _TALKING * len(matches))


def _is_field(who: str) -> bool:
    """Whether a label is a field of a mail or a section; "De Vries" is none."""
    first, *others = fold(who).split()
    return fold(who) in _SECTIONS or (first in _FIELDS and (not others or len(first) > len("von")))


def _is_abbreviated(who: str) -> bool:
    """Whether a label is a form of address cut off from its name: "MRS" of "MRS. SPARSIT went out"."""
    return bool(words := {word.folded for word in tokens(who)}) and words <= _ABBREVIATED


def _is_speaker(who: str) -> bool:
    """Whether a label may be a person's: not a heading, and not a field of a form ("NAME:", "DATE:")."""
    words = {word.folded for word in tokens(who)}
    if is_owner(who):
        return False
    return not words & (_HEADINGS | _ASKED | _TOLD) and (not column_of(who) or bool(words & _WITNESSES))
