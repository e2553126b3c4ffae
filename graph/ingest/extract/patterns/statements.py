"""Who says which part of a text: mails that a mail quotes or forwards, lines of chats, transcripts and plays.

-----Original Message-----                    On Mon, 2 May 2022, Ada Finch <...> wrote:
From: Ada Finch                               > I sold the boat.
12.03.24, 21:14 - Ana: I sold the boat.       HELENA. I sold the boat.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from filigraph.graph.ingest.extract.patterns.columns import column_of
from filigraph.graph.ingest.extract.patterns.phrases import MAX_NAME_CHARS
from filigraph.graph.ingest.extract.patterns.tables import cells_of, is_transcript
from filigraph.graph.model.arrays import Span
from filigraph.graph.text.formats.mail_headers import MAX_HEAD_LINES, head_of
from filigraph.graph.text.names.inverted import natural_order
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.tables import ADDRESS, RANKS
from filigraph.graph.text.time.relative_date_rules import WEEKDAYS
from filigraph.graph.text.words import tokens

_INDENTED = 4  # a line end and an indent; a blank line has two line ends
LONGEST_NAME = 8  # words of a sender
FEWEST_TURNS = 2  # min. lines of one kind in a chat or a play
MOST_LINES = 0.4  # min. share of lines that begin with "Name.", if this means the speaker

_ADDRESS = re.compile(r"\s{0,9}[<(\[]?(?:mailto:)?[\w.+-]{1,64}@[\w.-]+[>)\]]?")
# A person in the directory of Notes: "CN=Ada Finch/OU=Dover/O=Orme", "Ada Finch/Dover/Orme@Orme".
_NOTES = re.compile(
    r"^\s*(?:CN=)?(?P<name>[^\W\d_][^/<>@,;=\d]{0,60}\s[^/<>@,;=\d]{1,60})(?<!\s)"
    r"(?:/(?=\S)[\w .&=-]{1,40}){1,5}(?:@[\w .-]{1,40})?\s*$"
)
_LINE = re.compile(r"\S[^\n]*")
_QUOTED = re.compile(r"[ \t]*>")
_INTRO = re.compile(
    r"^\W{0,4}(?:on\s.{4,120}?\d.{0,40}?[,\s](?P<en>\D{2,80}?)\s+wrote|le\s.{4,120}?\d.{0,40}?[,\s](?P<fr>\D{2,80}?)\s+(?:a\s+écrit)"
    r"|am\s.{4,120}?\bschrieb\s+(?P<de>\D{2,80}?)"
    r"|\w.{4,120}?\d.{0,40}?[,\s](?P<other>\D{2,80}?)\s+(?:escribió|ha scritto|escreveu|ha escrit|skrev"
    r"|kirjoitti|napisał(?:\(a\)|a)?|napsal(?:\(a\)|a)?|írta|написала?|пишет|написа(?:в|ла)|yazdı|έγραψε|כתב(?:/ה|ה)?|كتب)"
    r"|\w.{4,120}?\d.{0,40}?\b(?:schreef|skrev|escreveu)\s+(?P<after>\D{2,80}?)"
    r"|(?P<plain>[A-ZÀ-Þ][^\n:>]{2,60}?)\s+(?:wrote|a écrit|schrieb))\s*:\s*$",
    re.IGNORECASE | re.DOTALL,
)
# The same in any language, by the address beside the name: "2025年3月3日(月) 10:12 Ada Finch <...>:", "Ada Finch <...>,
# 3 Mar 2025 Pzt, 10:12 tarihinde şunu yazdı:".
_ADDRESSED = re.compile(
    r"^\W{0,4}(?:\w.{0,90}?\d[:.h]\d{2}[^\s,]{0,12}[,\s]\s*(?P<who>[^\n<>\d]{2,80}?)"
    r"\s*<[^<>\s@]+@[^<>\s]+>[^\n:：]{0,30}"
    r"|(?P<first>[^\n<>\d:]{2,80}?)\s*<[^<>\s@]+@[^<>\s]+>(?=[^\n<>]{0,60}(?:\d{4}|\d[./-]\d))[^\n<>]{1,60}?\d[:.h]\d{2}[^\n<>:：]{0,40})[:：]\s*$",
    re.DOTALL,
)
_BEGINS_INTRO = re.compile(
    r"(?:\d{4}[.年년/-]|[^\W\d]{2,4}\.?,\s\d)|(?:on|le|am|el|il|em|op|den|w|dne|dnia|a|в|у|στις|ב|في)\s.{0,40}\d{1,2}.{0,40}(?:\d{4}|\d:\d\d)",
    re.IGNORECASE,
)
# What help desks write above the earlier messages.
_ABOVE = re.compile(
    r"^\W*(?:please )?(?:type your |write your )?(?:reply|répon(?:dez|dre)|antworten)\b.{0,30}"
    r"\b(?:above|au-dessus|oberhalb)\b.{0,40}$|^\W*(?:bitte )?antworten sie oberhalb.{0,40}$",
    re.IGNORECASE,
)
# The line above the head of a quoted mail.
_ANNOUNCED = re.compile(
    r"^[>\s*_=-]*(?:(?:begin |anfang der |début du )?(?:original|forwarded|weitergeleiteten?|ursprüngliche|message"
    r"|mensaje|messaggio|originalnachricht)(?: (?:message|nachricht|e-?mail|d['’]origine|transféré|réexpédié|original"
    r"|reenviado|originale|inoltrato))?\s*:?)?[\s*_=-]*$",
    re.IGNORECASE,
)
# After the time in the line before a quoted mail: "at 9:12 AM", "um 09:12 Uhr", "(UTC)".
_AFTER_CLOCK = re.compile(r"^\W*(?:(?:(?i:[ap]\.?\s?m\b\.?|uhr|utc|gmt|odesílatel)|[A-Z]{1,4}T|h)\b[\s,)]*)+")
_CLOCK = r"\d{1,2}[:h.]\d{2}(?:[:.]\d{2})?(?:\s?(?i:[ap]\.?\s?m\.?))?"
_TURN = re.compile(
    rf"^\W?\[?(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}},?\s+(?:à |um |at )?)?{_CLOCK}\]?"
    r"(?:,?\s+\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?=\s+[-–—]))?\s*[-–—:]?\s*"
    r"(?:~\s?)?(?P<who>[^\W\d][^:\n]{0,40}?)\s?[:.]\s+(?=\S)"  # "~ Ana": somebody who is not a contact of the exporter
)
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# Logs of IRC: "18:04 <ada> I left.", "[18:04:11] <@ada> I left."; messages of the program have no speaker ("18:05 -!-
# ...").
_IRC = re.compile(
    rf"^[\[(]?(?:{_DAY}[ T])?{_CLOCK}[\])]?\s+"
    r"(?:<[ @+%&~]?(?P<who>[^\W\d][^\s<>:]{0,30})>|-!-|\*{1,3}|-->|<--|—>|<—|[-=]{3})\s+(?=\S)"
)
_NICK_LINE = re.compile(rf"^\[{_DAY},?\s+{_CLOCK}\]\s+(?P<who>[^\W\d][\w.#-]{{1,36}})\s*$")  # "[02/05/2022 18:04] ada"
# A line of a log up to what it says, which is nobody's: "2022-05-02T18:04:11Z INFO gate - Ada Finch left."
_LOG = re.compile(
    rf"^\W?{_DAY}[T ]\s?\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?(?:Z|\s?[+-]\d\d:?\d\d)?\W{{1,4}}"
    r"(?:[\w.:$/\[\]@-]{1,60}(?<!:)(?:\s[-|]\s|\s+)){0,3}?[\w.]{0,30}?[\[(<|]?"
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRIT(?:ICAL)?|FATAL|SEVERE|ALERT|AVERTISSEMENT|ERREUR|WARNUNG|FEHLER)"
    r"(?!\w)[\])>|]?\s*(?:[-:|]\s+)?(?:\d+ --- )?(?:\[[^\]\n]{1,60}\]\s+)?(?:[\w.$/-]{1,60}\s?[-|:]\s+)?(?=\S)"
)
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
    rf"^(?P<who>{_WHO})"
    + r"(?:,? ?[(\[][^)\]\n]{1,60}[)\]]|, ?[a-zà-ÿ][^\n.:—–]{1,60}(?=\.?\s?[—–]))?"
    + r"\s?(?:[.:](?:\s?[—–]{1,2}\s*|\s+)|\s?[—–]{1,2}\s+)(?=[^\s\d])",
)
# A speaker alone on a line, as printed plays have it: "HELENA.", "HÉLÈNE, à part.", "AGNES (kneeling)".
_SPEAKER_LINE = re.compile(
    rf"^(?P<who>{_WHO})" + r"\.?(?:,? ?[(\[][^)\]\n]{1,80}[)\]]|, ?[a-zà-ÿ][^\n]{1,80})?\.?\s*$",
)
_NAME_TURN = re.compile(r"^(?P<who>[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2})\.\s+(?=[^\s\d])")
# A form of address before the name, as in debates: "Mr. ADA FINCH (Dover):", "Mme Hélène Roux. J'ai ...".
_TITLED_TURN = re.compile(
    r"^(?P<who>(?:Mr|Mrs|Ms|Dr|M|Mme|Mlle|Herr|Frau|Abg|Sr|Sra|Sig|Hon)\.? [A-ZÀ-Þ][\w'’-]+"
    r"(?:[ -][A-ZÀ-Þ][\w'’.-]*){0,3}?"
    r"|(?:M\. le|Mme la) [a-zà-ÿ]{4,15}|(?:The|Le|La|Der|Die) [A-ZÀ-Þ]{4,20})"
    r"(?:,? [(\[][^)\]\n]{1,60}[)\]]|, [a-zà-ÿ][^\n.:—–]{1,60})?\s?[.:](?:\s?[—–-])?\s+(?=[A-ZÀ-Þ«\"“…—–])"
)
# A row of a transcript in a table: "| HALE | I saw her. |", perhaps with a time or a number first.
_ROW_TURN = re.compile(r"^\|\s*(?:[\d:.,]+\s*\|\s*)?(?P<who>[^\W\d_][^|\n]{1,40}?)\s*\|\s*(?=[^|\s])")
# What a title in capitals begins with: "BOOK ONE. I was born", "MY YOUTH. I was born".
_TITLE_WORDS = re.compile(
    r"(?:book|part|section|letter|livre|partie|lettre|buch|teil|brief|libro|parte|carta|the|an?|my|of|in|on|at|how|why|le"
    r"|la|les|une?|mon|ma|mes|der|die|das|eine?|meine?|el|los|las|mi|mis|il|lo|gli|mio|mia)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"(?:I|J['’]|Je|Ich|Yo|Io)\b")
_QUESTION = re.compile(
    r"^(?P<who>Q|A|D|R|(?i:question|answer|demande|réponse|frage|antwort|pregunta|respuesta|domanda|risposta))"
    r"\s?[.:]\s+(?=\S)"
)
_ASKED = frozenset("question demande frage pregunta domanda".split())  # noqa: SIM905
_TOLD = frozenset("answer reponse antwort respuesta risposta".split())  # noqa: SIM905
_QUESTIONS = frozenset(("Q", "D"))
# The first line of a letter, and the last one above the name of its writer.
_GREETING = re.compile(
    r"^[^\w–—-]{0,2}(?:my )?(?:(?:very )?(?:own )?dear(?:est)?|sir|madam|gentlemen|ch[eè]re?s?|monsieur|madame"
    r"|mademoiselle|mon|ma|liebe[rs]?|sehr geehrte[rs]?|querid[oa]s?|estimad[oa]s?|car[oa]|mi[ao] car[oa])\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"^\W{0,2}(?:(?:I (?:am|remain)|believe me|ever|very|always|with|all|much|best|kind(?:est)?|warm(?:est)?"
    r"|most|lots|as ever|god bless|je t['’]\w+|mille"
    r"|(?:cordial|respectful|devoted|hasti|loving|grateful|obedient|fraternal|faithful|sincere|affectionate)ly"
    r"|(?:bien )?(?:affectueusement|tendrement|fidèlement|sincèrement)|(?:herzliche?|liebe|beste) grüße"
    r"|je (?:suis|reste)|avec|mit|viele|in|con|un|com)\b.{0,40})?"
    r"\b(?:yours?|sincerely|faithfully|truly|affectionate(?:ly)?|love|regards|votre|vôtre|ton|ta"
    r"|bien à (?:toi|vous)|cordialement|amicalement|respectueusement|tout à (?:toi|vous)|deine?"
    r"|ihre?|grüßen|herzlichst?|hochachtungsvoll"
    r"|su|tuyo|suyo|tuo|tua|suo)\b.{0,40}[,.]\s*$",
    re.IGNORECASE,
)
_GREETING_IN_GERMAN = re.compile(r"\W{0,2}(?:liebe[rs]?|sehr geehrte[rs]?)\b", re.IGNORECASE)  # may end in "!"
_LONGEST_GREETING = 5  # words
_LONGEST_CLOSING = 7
_DASHED = re.compile(r"[-–—]\s?[«“\"]?\w")  # somebody else, in subtitles
_WITH_CLOCK = (_TURN, _IRC, _NICK_LINE, _WHO_AND_CLOCK, _CLOCK_AND_WHO, _TO_ALL)
# The witness, and the examiner: "LENA VOSS, sworn.", "DEPOSITION OF LENA VOSS", "BY MR. HOLLIS:".
_PERSON = r"(?P<who>(?:[^\W\d_]{1,5}\. )?[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’.-]*){0,3}?)"
_WITNESS = re.compile(
    rf"^\W*(?:(?:the|le|la) (?:witness|témoin),? )?{_PERSON},? (?:(?:being|having been|was|is|an?|the|first|"
    r"duly|called|as|hereby|ayant|après avoir) )*(?:sworn|affirmed|recalled|deposed|witness|testified|assermentée?|"
    r"prêté serment|témoin)\b.*$"
    r"|^\W*(?:deposition|(?:(?:direct|cross|re-?direct|further)[- ])?examination|testimony|interview|interrogation|"
    r"statement|audition|interrogatoire|déposition|témoignage) (?:of|de|d['’]|du) ?"
    rf"{_PERSON.replace('who', 'of')}\W*$",
    re.IGNORECASE,
)
_EXAMINER = re.compile(
    rf"^\W*(?:(?:cross-|re-?direct |direct )?examination )?by {_PERSON}(?P<of>)\s*:?\W*$", re.IGNORECASE
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
_OWNERS = frozenset("you me myself vous moi sie du ich tu yo voce ja вы я 你 我".split())  # noqa: SIM905
_TITLES = ADDRESS.keys() | RANKS.keys()
_ABBREVIATED = frozenset("mr mrs ms dr m mm mme mlle st ste prof capt col gen lt sgt hon rev sr jr hr fr".split())  # noqa: SIM905


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A part of a text and its speaker: "" if unknown."""

    start: int
    end: int
    author: str
    speaker_line: Span  # the line that says so
    head: Span  # the lines or the label before the statement
    is_turn: bool = False  # in a chat, a transcript or a play: `speaker_line` is the label before it


def statements(text: str) -> tuple[Statement, ...]:
    """The parts of a text that somebody other than its sender says, or that its lines give to speakers."""
    lines = [(match.start(), match[0]) for match in _LINE.finditer(text)]
    parts = [*_turns(lines), *_mails(lines), *_logged(lines)]
    if not parts and not head_of([line for _, line in lines]):
        parts = [*_letters(lines)]
    marks = sorted({part.start: part for part in parts}.values(), key=lambda part: part.start)
    stops = [*(part.start for part in marks[1:]), len(text)] if marks else []
    return tuple(
        replace(part, end=_end(text, part.start, part.head[1], stop)) for part, stop in zip(marks, stops, strict=True)
    )


def unquoted(text: str) -> str:
    """A text without the marks of quoted lines ("> > I sold ...")."""
    return re.sub(r"(?m)^[ \t]*(?:>[ \t]?)+", "", text)


def is_quoted_line(text: str, at: int) -> bool:
    """Whether the line at `at` is marked as quoted."""
    return bool(_QUOTED.match(text, text.rfind("\n", 0, at) + 1))


def person(value: str) -> str:
    """The name in "Ruth Ansell <ansell@...>" and in "Hélène Pastor, maître de port"; "" for a bare address."""
    value = _NOTES.sub(r"\g<name>", value)
    bare = _ADDRESS.sub("", value).replace("()", "").strip(" \t\"'.;<>*")
    bare = bare.strip("()") if bare.startswith("(") else bare  # c@m.example (Clara Munro)
    turned = natural_order(bare) if bare != value.strip() else ""  # "Vane, Piers" <p@v.example>
    name = turned or bare.split(",")[0].strip(" \t\"'.;<>*")
    fits = name and not _is_owner(name) and parse(name).proper
    fits = fits and len(name) <= MAX_NAME_CHARS and len(tokens(name)) <= LONGEST_NAME
    return name if fits else ""


def _mails(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The starts of mails that a mail quotes or forwards, and where the mail continues below an answer; the author of
    what these quote in turn is unknown, unless a line says it.
    """
    mails: list[tuple[Statement, int]] = []  # the nested quotations, and how deeply their lines are quoted
    before = -1  # depth of quotation of the line before
    for n, (start, line) in enumerate(lines):
        if quoted := _quoted_mail(lines, n):
            mails.append((quoted, -1))
            before = -1
            yield quoted
        elif mails and start >= mails[-1][0].head[1] and line.strip("> \t"):
            depth = _depth(line)
            while len(mails) > 1 and depth < mails[-1][1]:
                mails.pop()
            mail, level = mails[-1]
            if level < 0:
                mails[-1] = (mail, depth)
            if level < 0 <= before or (depth == level and before != level):
                yield replace(mail, start=start, head=(start, start))
            elif depth > level >= 0 and before <= level:
                yield replace(mail, start=start, author="", head=(start, start))
            before = depth


def _quoted_mail(lines: Sequence[tuple[int, str]], n: int) -> Statement | None:
    """The mail whose head begins at a line: several lines ("From: ..."), or one ("On Monday Ada Finch wrote:")."""
    start, line = lines[n]
    fields = head_of([re.sub(r"^[>\s*]+", "", one) for _, one in lines[n : n + MAX_HEAD_LINES]]) if n else {}
    if fields and fields["from"][1] == 0:
        last, text = lines[n + max(number for _, number in fields.values())]
        return _mail(lines, n, person(fields["from"][0]), start + len(line), last + len(text))
    if n and _ABOVE.match(line):
        return _mail(lines, n, "", start + len(line), start + len(line))
    whole = re.sub(r"^[>\s]+", "", line)
    for more in range(2):  # the line may be broken before "wrote:"
        last, text = lines[n + more]
        addressed = _ADDRESSED.match(whole)
        intro = _INTRO.match(_ADDRESS.sub("", whole)) if whole.rstrip().endswith(":") else None
        match = addressed if addressed and (addressed["first"] or not intro) else intro
        if match:
            author = person(_AFTER_CLOCK.sub("", next(filter(None, match.groups()), "")))
            return _mail(lines, n, author, last + len(text), last + len(text))
        if n + more + 1 >= len(lines) or not _BEGINS_INTRO.match(whole):
            break
        whole = f"{whole} {lines[n + more + 1][1].strip('> ')}"
    return None


def _logged(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    matches = [(start, match) for start, line in lines if (match := _LOG.match(line))]
    for start, match in matches if len(matches) >= FEWEST_TURNS else ():
        label = (start, start + match.end())
        yield Statement(start=start, end=label[1], author="", speaker_line=label, head=label)


def _mail(lines: Sequence[tuple[int, str]], n: int, author: str, head_end: int, end: int) -> Statement:
    start = lines[n][0]
    above = lines[n - 1][0] if n and _ANNOUNCED.match(lines[n - 1][1]) else start
    return Statement(start=start, end=end, author=author, speaker_line=(start, head_end), head=(above, end))


def _letters(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The letters in a text with several, each by the person who signs it: below "Yours," and before the next
    "Dear".
    """
    greetings = [n for n, (_, line) in enumerate(lines) if _is_greeting(line)]
    if len(greetings) < FEWEST_TURNS:
        return
    for n, after in pairwise([*greetings, len(lines)]):
        signed = next((at for at in range(after - 1, n + 1, -1) if _is_signed(lines[at - 1][1], lines[at][1])), 0)
        start, line = lines[signed or n]
        author = _signature(line) if signed else ""
        signature = (start, start + len(line))
        yield Statement(
            start=lines[n][0], end=0, author=author, speaker_line=signature, head=(lines[n][0], lines[n][0])
        )
        if signed:
            yield Statement(
                start=signature[1], end=0, author="", speaker_line=signature, head=(signature[1], signature[1])
            )


def _is_greeting(line: str) -> bool:
    ends = ",:.!—-;" if _GREETING_IN_GERMAN.match(line) else ",:.—-;"  # "Mon Dieu !" is not a greeting
    return bool(_GREETING.match(line)) and len(tokens(line)) <= _LONGEST_GREETING and line.rstrip()[-1] in ends


def _is_signed(closing: str, name: str) -> bool:
    """Whether the second of two lines is the name of the person who ends a letter with the first."""
    return bool(_CLOSING.match(closing) and len(tokens(closing)) <= _LONGEST_CLOSING and _signature(name))


def _signature(line: str) -> str:
    name = _as_name(line.split(",")[0].strip(" .–—-_"))
    return name if 0 < len(tokens(name)) <= _LONGEST_GREETING and _is_capitalised(name) else ""


def _depth(line: str) -> int:
    """The number of quotation marks (">") at the start of a line."""
    return line[: len(line) - len(line.lstrip("> \t"))].count(">")


def _turns(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The labels of speakers in a chat, a transcript or a play, if there are several of a kind."""
    alone = {start for start, _ in _lines_before_speech(lines)}
    transcribed = any(line.startswith("|") and is_transcript(cells_of(line)) for _, line in lines)
    for pattern in (
        *_WITH_CLOCK,
        *((_ROW_TURN,) if transcribed else ()),
        _PART,
        _TITLED_TURN,
        _SPEAKER_LINE,
        _NAME_TURN,
        _QUESTION,
    ):
        matches = [(start, match) for start, line in lines if (match := pattern.match(line))]
        if pattern is _ROW_TURN:
            matches = [(start, match) for start, match in matches if not is_transcript(cells_of(match.string))]
        if pattern is _SPEAKER_LINE:
            matches = [(start, match) for start, match in matches if start in alone]
        matches = [(start, match) for start, match in matches if not _is_abbreviated(match["who"] or "?")]
        names = [(match["who"] or "").strip(" .") for _, match in matches]
        if pattern in (_WHO_AND_CLOCK, _CLOCK_AND_WHO) and not all(map(_is_capitalised, names)):
            continue  # "Arrived   12:30", "Monday 12:30"
        examined = pattern is _QUESTION and names[:1] and _asks(names[0])
        certain = pattern in (*_WITH_CLOCK, _ROW_TURN, _TITLED_TURN) or examined or _speak_as_i(matches)
        if not (certain or _speaks_again(names) or _are_listed(names, lines)):
            continue  # headings, initials
        if pattern is _NAME_TURN and not _is_dialogue(names, lines):
            continue
        known = [pattern is not _QUESTION and _is_speaker(name) for name in names]
        if pattern in (_SPEAKER_LINE, _QUESTION) and len(set(names)) < FEWEST_TURNS:
            continue  # the head of every page; the letters of a list
        speaking = sum(speaks and bool(name) for speaks, name in zip(known, names, strict=True))
        if speaking >= FEWEST_TURNS or (pattern is _QUESTION and len(matches) >= FEWEST_TURNS):
            if pattern is _PART:
                yield from _of_others(lines, {start for start, _ in matches})
            for (start, match), name, speaks in zip(matches, names, known, strict=True):
                end = start + match.end()
                author = _as_name(name) if speaks else ""
                if pattern is _QUESTION:
                    author = _witness_or_examiner(name, [line for at, line in lines if at < start])
                yield Statement(
                    start=start, end=end, author=author, speaker_line=(start, end), head=(start, end), is_turn=True
                )


def _of_others(lines: Sequence[tuple[int, str]], labelled: Collection[int]) -> Iterator[Statement]:
    """Lines that begin with a dash, if others begin with a speaker's name: their speaker is unknown."""
    for start, line in lines:
        if start not in labelled and _DASHED.match(line):
            yield Statement(start=start, end=start, author="", speaker_line=(start, start), head=(start, start))


def _witness_or_examiner(label: str, above: Sequence[str]) -> str:
    """The speaker of a line that begins with "A." or "Q.", from the nearest line above that names a witness or an
    examiner; "" if there is none.
    """
    pattern = _EXAMINER if _asks(label) else _WITNESS
    for line in reversed(above):
        if match := pattern.match(line):
            who = match["who"] or match["of"]
            return _as_name(who) if _is_capitalised(who) and _is_speaker(who) else ""
    return ""


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
    return sum(not _TITLE_WORDS.match(name) for name in names) >= FEWEST_TURNS


def _are_listed(names: Sequence[str], lines: Sequence[tuple[int, str]]) -> bool:
    """Whether two or more names in capitals that speak once are in the list of persons, over the scene or spoken to."""
    text = "\n".join(line for _, line in lines)
    listed = (name for name in set(names) if name.isupper() and len(name) > 2 and _is_speaker(name))
    forms = (rf"\b(?:{re.escape(name)}|{re.escape(name.title())})\b" for name in listed)
    return sum(len(re.findall(form, text)) > 1 for form in forms) >= FEWEST_TURNS


def _lines_before_speech(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines below which a speech may begin: the next line is not blank, and not all in capitals."""
    for (start, line), (after, below) in pairwise(lines):
        gap = after - start - len(line)
        if (gap == 1 or gap >= _INDENTED) and not below.isupper():
            yield start, line


def _is_dialogue(names: Sequence[str], lines: Sequence[tuple[int, str]]) -> bool:
    """Whether lines that begin with a name and a full stop are speeches of several persons: most lines are, and most
    speakers speak again.
    """
    again = sum(names.count(name) > 1 for name in set(names))
    return len(names) >= MOST_LINES * len(lines) and 2 * again >= len(set(names)) >= 2


def _as_name(label: str) -> str:
    return " ".join(label.title().split()) if label.isupper() and len(label) > 2 else label


def _is_abbreviated(who: str) -> bool:
    """Whether a label is a form of address cut off from its name: "MRS" of "MRS. SPARSIT went out"."""
    return bool(words := {word.folded for word in tokens(who)}) and words <= _ABBREVIATED


def _is_capitalised(who: str) -> bool:
    """Whether a label is written like a name, and is not a day."""
    words = tokens(who)
    return all(word.text[0].isupper() for word in words) and not {word.folded for word in words} & WEEKDAYS.keys()


def _is_owner(who: str) -> bool:
    """Whether a program calls the owner of a telephone so, without a name: "You"."""
    return all(word.folded in _OWNERS for word in tokens(who))


def _is_speaker(who: str) -> bool:
    """Whether a label may be a person's: not a heading, and not a field of a form ("NAME:", "DATE:")."""
    words = {word.folded for word in tokens(who)}
    if _is_owner(who):
        return False
    return not words & (_HEADINGS | _ASKED | _TOLD) and (not column_of(who) or bool(words & _WITNESSES))


def _end(text: str, start: int, speaker_end: int, stop: int) -> int:
    """The end of a statement: quoted lines end with the first line that is not quoted."""
    quoted = False
    for line in _LINE.finditer(text, speaker_end, stop):
        marked = is_quoted_line(text, line.start())
        if quoted and not marked:
            return line.start()
        quoted = quoted or (marked and not _QUOTED.match(text, start, speaker_end))
    return stop
