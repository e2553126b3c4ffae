"""Speakers in chats, transcripts and plays: the label before each speech.

12.03.24, 21:14 - Ana: I sold the boat.       HELENA. I sold the boat.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from filigraph.graph.ingest.extract.patterns.statements.labels import (
    HEADINGS,
    WITNESSES,
    as_name,
    asks,
    is_capitalised,
    is_owner,
    is_speaker,
)
from filigraph.graph.ingest.extract.patterns.statements.speaker_labels import (
    CLOCK_AND_WHO,
    COLON_TURN,
    DEPOSED,
    NAME_TURN,
    PART,
    QUESTION,
    ROW_TURN,
    SPEAKER_LINE,
    TELLS,
    TITLED_TURN,
    TURN,
    WHO_AND_CLOCK,
    WITH_CLOCK,
)
from filigraph.graph.ingest.extract.patterns.statements.statement import MIN_TURNS, Statement
from filigraph.graph.ingest.extract.patterns.statements.witnesses import EXAMINER, WITNESS, NamedWitnesses
from filigraph.graph.ingest.extract.patterns.tables import cells_of, is_transcript
from filigraph.graph.text.names.given_names import ALL_GIVEN_NAMES
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.tables import ADDRESS, GIVEN_NAMES, RANKS
from filigraph.graph.text.verbs.english_verbs import PRESENT as ENGLISH_FORMS
from filigraph.graph.text.verbs.french_verbs import PARTICIPLES as FRENCH_PARTICIPLES
from filigraph.graph.text.words import fold, tokens

_EXAMINATION = frozenset("QARDF")  # "[00:12:03] Q. Who owns it?"
_INDENTED = 4  # a line end and an indent; a blank line has two line ends
MIN_TURN_SHARE = 0.4  # min. share of lines that begin with "Name.", if this means the speaker
# Somebody without a name, in a trial: "Prisoner. I never sold it."
_ROLE = re.compile(
    r"(?:The |Le |La |L['’])?(?:Prisoner|Court|Jury|Accused|Defendant|Judge|Prisonnier|Accusé|Prévenu|Président)e?"
    r"(?:['’]s defence)?\s?[.:](?:\s?[—–-])?\s+(?=\S)",
    re.IGNORECASE,
)
_DASHED = re.compile(r"[-–—]\s?[«“\"]?\w")  # somebody else, in subtitles
_TALK = re.compile(
    r"\b(?:I|you|we|my|your|je|vous|nous|tu|mon|ma|votre|ich|wir|mein|yo|io)\b|\bj['’]|[?？]\W{0,9}$", re.IGNORECASE
)
_TALKING = 0.3  # min. share of such lines that speak to somebody
# What one says to another; a diary with headings ("Dinner: I met ...") has none.
_SPEAKS_TO = re.compile(r"\b(?:you|yours?|tu|toi|vous|votre|vos|dir|dich|dein)\b|\bt['’]|[?？]\W{0,9}$", re.IGNORECASE)
_SAYS_I = re.compile(r"\b(?:I|we|my|our|je|nous|mon|ma|mes|ich|wir|mein\w*|yo|io)\b|\bj['’]", re.IGNORECASE)
_DATED = re.compile(r"\d[./-]\d{1,2}[./-]\d|[년年]")
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
# What a title in capitals begins with: "BOOK ONE. I was born", "MY YOUTH. I was born".
_TITLE_WORDS = re.compile(
    r"(?:book|part|section|letter|livre|partie|lettre|buch|teil|brief|libro|parte|carta|the|an?|my|of|in|on|at|how|why"
    r"|le|la|les|une?|mon|ma|mes|der|die|das|eine?|meine?|el|los|las|mi|mis|il|lo|gli|mio|mia)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"(?:I|J['’]|Je|Ich|Yo|Io)\b")
_TITLES = ADDRESS.keys() | RANKS.keys()
_ABBREVIATED = frozenset("mr mrs ms dr m mm mme mlle st ste prof capt col gen lt sgt hon rev sr jr hr fr".split())  # noqa: SIM905


def speaker_turns(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
    """The labels of speakers in a chat, a transcript or a play, if there are several of a kind."""
    alone = {start for start, _ in _lines_before_speech(lines)} | set(_interviewed(lines))
    named = NamedWitnesses(lines)
    transcribed = any(line.startswith("|") and is_transcript(cells_of(line)) for _, line in lines)
    for pattern in (
        *WITH_CLOCK,
        *((ROW_TURN,) if transcribed else ()),
        DEPOSED,
        PART,
        TITLED_TURN,
        SPEAKER_LINE,
        NAME_TURN,
        COLON_TURN,
        QUESTION,
    ):
        matches = [(start, match) for start, line in lines if (match := pattern.match(line))]
        if pattern is TURN:
            matches = [(start, match) for start, match in matches if not TELLS.match(match["who"])]
            examination = {match["who"] for _, match in matches} <= _EXAMINATION
            matches = [] if examination or _is_log(matches) else matches
        if pattern is ROW_TURN:
            matches = [(start, match) for start, match in matches if not is_transcript(cells_of(match.string))]
        sections: list[int] = []
        if pattern is COLON_TURN:
            sections = [start for start, match in matches if fold(match["who"]) in _SECTIONS]
            matches = [(start, match) for start, match in matches if not _is_field(match["who"])]
            once = _once_among_names(matches)
            sections += [start for start, match in matches if match["who"] in once]
            matches = [(start, match) for start, match in matches if match["who"] not in once]
        if pattern is TITLED_TURN:
            matches = _without_fields(matches)
        if pattern is SPEAKER_LINE:
            matches = [(start, match) for start, match in matches if start in alone]
        matches = [(start, match) for start, match in matches if not _is_abbreviated(match["who"] or "?")]
        names = [(match["who"] or "").strip(" .") for _, match in matches]
        if pattern in (WHO_AND_CLOCK, CLOCK_AND_WHO) and not all(map(is_capitalised, names)):
            continue  # "Arrived   12:30", "Monday 12:30"
        examined = pattern is QUESTION and names[:1] and asks(names[0])
        certain = pattern in (*WITH_CLOCK, ROW_TURN, TITLED_TURN, DEPOSED) or examined or _speak_as_i(matches)
        if not (certain or _speaks_again(names) or _are_listed(names, lines)):
            continue  # headings, initials
        if pattern in (NAME_TURN, COLON_TURN) and not _is_dialogue(names, lines):
            continue
        if pattern is COLON_TURN and not _is_talk(matches):
            continue
        known = [pattern is not QUESTION and is_speaker(name) for name in names]
        if pattern in (SPEAKER_LINE, QUESTION) and len(set(names)) < MIN_TURNS:
            continue  # the head of every page; the letters of a list
        speaking = sum(speaks and bool(name) for speaks, name in zip(known, names, strict=True))
        if speaking >= MIN_TURNS or (pattern is QUESTION and len(matches) >= MIN_TURNS):
            if pattern is COLON_TURN:
                yield from map(_of_nobody, _after_talk(lines, [start for start, _ in matches], sections))
            if pattern is PART:
                yield from _of_others(lines, {start for start, _ in matches})
            for (start, match), name, speaks in zip(matches, names, known, strict=True):
                end = start + match.end()
                author = as_name(name) if speaks else ""
                if pattern is QUESTION:
                    author = named.above(start, EXAMINER if asks(name) else WITNESS)
                elif WITNESSES.intersection(word.folded for word in tokens(name)):
                    author = named.above(start, WITNESS) or author
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


def _speaks_again(names: Sequence[str]) -> bool:
    """Whether somebody speaks twice, perhaps as "HELENA ORME" and as "HELENA"."""
    counts = Counter(names)
    if max(counts.values(), default=0) > 1:
        return True
    words = Counter(word.folded for name in counts for word in tokens(name) if word.folded not in _TITLES)
    return any(count > 1 and len(word) > 2 and word not in HEADINGS for word, count in words.items())


def _speak_as_i(matches: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Whether several names in capitals begin with "I": "GEORGE PELL. I am a carman."."""
    speaking = (match for _, match in matches if _FIRST_PERSON.match(match.string, match.end()))
    names = {match["who"] for match in speaking if match["who"] and " " in match["who"]}
    return sum(not _TITLE_WORDS.match(name) for name in names) >= MIN_TURNS


def _are_listed(names: Sequence[str], lines: Sequence[tuple[int, str]]) -> bool:
    """Whether two or more names in capitals that speak once are in the list of persons, over the scene or spoken to."""
    text = "\n".join(line for _, line in lines)
    listed = (name for name in set(names) if name.isupper() and len(name) > 2 and is_speaker(name))
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
    labels = [n for n, (_, line) in enumerate(lines) if SPEAKER_LINE.match(line) and line.isupper()]
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
    if not all(is_speaker(name) and is_capitalised(name) for name in names):
        return False
    given = any(tokens(name)[0].folded in GIVEN_NAMES for name in names)
    if not given and not _speak_to_each_other(matches):
        return False
    talking = sum(bool(_TALK.search(match.string, match.end())) for _, match in matches)
    return talking >= max(MIN_TURNS, _TALKING * len(matches))


def _once_among_names(matches: Sequence[tuple[int, re.Match[str]]]) -> frozenset[str]:
    """The labels of minutes that are no speakers: "Present:", "Decision:", a single word once, among full names."""
    counts = Counter(match["who"] for _, match in matches)
    if sum(" " in who for who in counts) < MIN_TURNS or max(counts.values()) < MIN_TURNS:
        return frozenset()
    talking = {match["who"] for _, match in matches if _TALK.search(match.string, match.end())}
    return frozenset(
        who
        for who, count in counts.items()
        if count == 1 and " " not in who and who not in talking and not _may_be_name(who)
    )


def _speak_to_each_other(matches: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Whether unknown labels speak to each other, and somebody says "I". Advice does not: "Paris: you should see"."""
    asks = any(_SPEAKS_TO.search(match.string, match.end()) for _, match in matches)
    return asks and any(_SAYS_I.search(match.string, match.end()) for _, match in matches)


def _is_log(matches: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Whether lines with hours are a log, and their labels what happened: "12:30 - Arrived: I met ...". The label of a
    chat is a name, or somebody speaks again.
    """
    labels = [match["who"].strip() for _, match in matches]
    dated = any(_DATED.search(match.string, 0, match.start("who")) for _, match in matches)
    if dated or any(is_owner(label) or _may_be_name(label) for label in labels):
        return False
    if any(label.lower() in ENGLISH_FORMS or label.lower() in FRENCH_PARTICIPLES for label in labels):
        return True
    asks = any(_SPEAKS_TO.search(match.string, match.end()) for _, match in matches)
    return len(labels) > MIN_TURNS and not asks and not _speaks_again(labels)


def _may_be_name(label: str) -> bool:
    words = tokens(label)
    several = len(words) > 1 and all(word.text[0].isupper() for word in words)
    return several or any(word.folded in ALL_GIVEN_NAMES for word in words)


def _without_fields(matches: Sequence[tuple[int, re.Match[str]]]) -> list[tuple[int, re.Match[str]]]:
    """The labels without "The result:": an office in small letters speaks ("Le président : Vous ...") if it is known as
    one, or speaks again, to somebody.
    """
    counts = Counter(match["who"] for _, match in matches)
    talking = {match["who"] for _, match in matches if _TALK.search(match.string, match.end())}
    return [
        (start, match)
        for start, match in matches
        if not (who := match["who"])[-1].islower()
        or any(char.isupper() for char in who[1:])
        or who.startswith(("M. ", "Mme "))
        or parse(who).role
        or (counts[who] > 1 and who in talking)
    ]


def _is_field(who: str) -> bool:
    """Whether a label is a field of a mail or a section; "De Vries" is none."""
    first, *others = fold(who).split()
    return fold(who) in _SECTIONS or (first in _FIELDS and (not others or len(first) > len("von")))


def _is_abbreviated(who: str) -> bool:
    """Whether a label is a form of address cut off from its name: "MRS" of "MRS. SPARSIT went out"."""
    return bool(words := {word.folded for word in tokens(who)}) and words <= _ABBREVIATED
