"""Mails that a mail quotes or forwards, and who wrote them.

-----Original Message-----                    On Mon, 2 May 2022, Ada Finch <...> wrote:
From: Ada Finch                               > I sold the boat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from filigraph.graph.ingest.extract.patterns.phrases import MAX_NAME_CHARS
from filigraph.graph.ingest.extract.patterns.statements.labels import is_owner
from filigraph.graph.ingest.extract.patterns.statements.statement import Statement
from filigraph.graph.text.formats.mail_headers import MAX_HEAD_LINES, head_of
from filigraph.graph.text.names.inverted import natural_order
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.words import tokens

MAX_NAME_WORDS = 8  # words of a sender
_ADDRESS = re.compile(r"\s{0,9}[<(\[]?(?:mailto:)?[\w.+-]{1,64}@[\w.-]+[>)\]]?")
# A person in the directory of Notes: "CN=Ada Finch/OU=Dover/O=Orme", "Ada Finch/Dover/Orme@Orme".
_NOTES = re.compile(
    r"^\s*(?:CN=)?(?P<name>[^\W\d_][^/<>@,;=\d]{0,60}\s[^/<>@,;=\d]{1,60})(?<!\s)"
    r"(?:/(?=\S)[\w .&=-]{1,40}){1,5}(?:@[\w .-]{1,40})?\s*$"
)
QUOTED = re.compile(r"[ \t]*>")
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


def without_quote_prefixes(text: str) -> str:
    """A text without the marks of quoted lines ("> > I sold ...")."""
    return re.sub(r"(?m)^[ \t]*(?:>[ \t]?)+", "", text)


def is_quoted_line(text: str, at: int) -> bool:
    """Whether the line at `at` is marked as quoted."""
    return bool(QUOTED.match(text, text.rfind("\n", 0, at) + 1))


def sender_name(value: str) -> str:
    """The name in "Ruth Ansell <ansell@...>" and in "Hélène Pastor, maître de port"; "" for a bare address."""
    value = _NOTES.sub(r"\g<name>", value)
    bare = _ADDRESS.sub("", value).replace("()", "").strip(" \t\"'.;<>*")
    bare = bare.strip("()") if bare.startswith("(") else bare  # c@m.example (Clara Munro)
    turned = natural_order(bare) if bare != value.strip() else ""  # "Vane, Piers" <p@v.example>
    name = turned or bare.split(",")[0].strip(" \t\"'.;<>*")
    fits = name and not is_owner(name) and parse(name).proper
    fits = fits and len(name) <= MAX_NAME_CHARS and len(tokens(name)) <= MAX_NAME_WORDS
    return name if fits else ""


def quoted_mails(lines: Sequence[tuple[int, str]]) -> Iterator[Statement]:
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
        return _mail(lines, n, sender_name(fields["from"][0]), start + len(line), last + len(text))
    if n and _ABOVE.match(line):
        return _mail(lines, n, "", start + len(line), start + len(line))
    whole = re.sub(r"^[>\s]+", "", line)
    for more in range(2):  # the line may be broken before "wrote:"
        last, text = lines[n + more]
        addressed = _ADDRESSED.match(whole)
        intro = _INTRO.match(_ADDRESS.sub("", whole)) if whole.rstrip().endswith(":") else None
        match = addressed if addressed and (addressed["first"] or not intro) else intro
        if match:
            author = sender_name(_AFTER_CLOCK.sub("", next(filter(None, match.groups()), "")))
            return _mail(lines, n, author, last + len(text), last + len(text))
        if n + more + 1 >= len(lines) or not _BEGINS_INTRO.match(whole):
            break
        whole = f"{whole} {lines[n + more + 1][1].strip('> ')}"
    return None


def _mail(lines: Sequence[tuple[int, str]], n: int, author: str, head_end: int, end: int) -> Statement:
    start = lines[n][0]
    above = lines[n - 1][0] if n and _ANNOUNCED.match(lines[n - 1][1]) else start
    return Statement(start=start, end=end, author=author, speaker_line=(start, head_end), head=(above, end))


def _depth(line: str) -> int:
    """The number of quotation marks (">") at the start of a line."""
    return line[: len(line) - len(line.lstrip("> \t"))].count(">")
