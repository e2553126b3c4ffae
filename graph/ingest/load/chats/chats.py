"""Chats: exports in JSON (Telegram, Slack, Signal, Messenger, Discord, Google Chat, Teams, Matrix) become lines with
author, time and text; the program's notices in a text export (WhatsApp) are left out and counted.

    {"from": "Ana", "date": "2024-03-12T21:14:00", "text": "I left."}      [2024-03-12 21:14:00] Ana: I left.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from typing import Any

from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line

USERS = "users"  # in an export of Slack: id -> name
_LISTS = ("messages", "conversation")  # fields with the messages of an export
_SENDERS = ("user_profile", "from", "sender_name", "sender", "author", "creator", "username", "user", "actor")
_NAMES = ("real_name", "display_name", "displayName", "nickname", "global_name", "name", "username", "user", "email")
_TIMES = (
    "date", "timestamp", "timestamp_ms", "ts", "sentAt", "sent_at", "dateSent", "created_date", "createdDateTime",
    "created_at", "origin_server_ts", "time", "datetime",
)  # fmt: skip
_TEXTS = ("text", "content", "body", "message", "msg")
_FILES = ("photo", "file", "files", "photos", "videos", "audio_files", "attachments", "attached_files", "media")
_NOTICES = re.compile(r"(?:join|leave|topic|purpose|name|archive)$")
_SHARE = 0.8  # min. share of the rows with a sender and a time
_MILLISECONDS = 10**11  # times in seconds are smaller
_LATEST = 4 * 10**9  # seconds
_DEEPEST = 50  # max. nesting; lists of lists reach 10
_SLACK = re.compile(
    r"<(?:@(?P<user>\w+)(?:\|[^<>]*)?|#\w+\|(?P<channel>[^<>]+)|(?P<link>\w+:[^|<>]+)(?:\|(?P<label>[^<>]+))?)>"
)
_TAG = re.compile(r"<[^<>\n]{1,300}>")
_ENGLISH_TIME = re.compile(r"(?P<day>\d{1,2} \w+ \d{4})(?: at |, )(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)")
_AMERICAN_TIME = re.compile(
    r"(?P<day>\b[A-Z]\w{2,12} \d{1,2}, \d{4}) at (?P<clock>\d{1,2}:\d{2}:\d{2})\s(?P<half>[AP]M)"
)
_DAY_AND_CLOCK = r"^\W{0,2}\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+(?:(?:à|um|at|a las|alle) )?\d{1,2}[:.h]\d{2}"
_CHAT_LINE = re.compile(_DAY_AND_CLOCK, re.MULTILINE)
_FILE = r"[^\n:<>]{1,80}\.\w{3,4}"
_LEFT_OUT_FILE = (  # a note in place of a file, if it is the whole message
    r"<(?:[^<>\n]{0,30}\b)?(?:media|médias?|mídias?|medien|multimedia\w*|mediefil\w*|archivo|arquivo|medya|медиа\w*"
    r"|файл"
    r"|attached|pièce jointe|anhang|adjunto|anexado|allegato|bijlage|médium)\b[^<>\n]{0,60}>"
    r"|<[^\W\d_][^<>\n:]{2,20}:[^\S\n]?\u200e?[^<>\n:]{1,80}\.\w{2,4}>"
    r"|<[^<>\n]{0,20}(?:メディア|多媒体|多媒體|미디어|मीडिया|وسائط|الوسائط|מדיה)[^<>\n]{0,20}>"
    rf"|(?:{_FILE} • [^\n:]{{0,20}}?)?(?:image|imagen|imagem|immagine|afbeelding|Bild|v[ií]deo|vidéo|[aá]udio|sticker"
    r"|figurinha|GIF|document[eo]?|Dokument|Contact card|Kontaktkarte|Fiche contact|photo|foto|message vocal)"
    r"(?: [^\W\d]+)? (?:omitted|absente?|omise?|retirée?|manquante?|weggelassen|weggelaten|omitid[oa]|ocultad[oa]"
    r"|omess[oa]|non inclus[oa])"
    rf"|{_FILE} \((?:file|fichier|datei|archivo|arquivo|bestand|fil|plik|dosya|файл) [^\W\d]+\)"
    rf"|(?:IMG|VID|PTT|AUD|STK|DOC)-\d{{8}}-WA\d+\.\w{{3,4}} \([^()\n]{{3,30}}\)"
)
_ENCRYPTED = (
    r"(?:end-to-end encrypted|chiffrés? de bout en bout|Ende-zu-Ende-verschlüsselt|cifrad[oa]s de extremo a extremo)"
)
_NOTICE_LINE = re.compile(
    rf"{_DAY_AND_CLOCK}(?:[:.]\d{{2}})?(?:\s?[ap]\.?\s?m\.?)?(?: Uhr)?\]?[^\S\n]*[-–—]?[^\S\n]*(?:"
    rf"\u200e?[^\n:]{{1,60}}:[^\S\n]+\u200e?(?P<media>{_LEFT_OUT_FILE})"
    r"|(?:[^\n:]{1,60}:[^\S\n]+(?:\u200e|(?:Messages and calls|Les messages et les appels|Nachrichten und Anrufe"
    rf"|Los mensajes y las llamadas)\b))?(?P<notice>[^\n:]*{_ENCRYPTED})[^\n]*)[^\S\n]*"
    rf"(?:\n\s*(?={_DAY_AND_CLOCK})|\s*\Z)",  # the next lines without a time belong to the same message
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(kw_only=True)
class _Counts:
    """What a chat contains beside its texts."""

    files: int = 0
    notices: Counter[str] = field(default_factory=Counter)

    def warnings(self) -> tuple[str, ...]:
        parts = [f"files and pictures of messages: {self.files:,}"] if self.files else []
        if self.notices:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.notices.most_common(5))
            parts.append(f"notices of the program: {one_line(kinds)}")
        return (f"{LEFT_OUT} {'; '.join(parts)}",) if parts else ()


def read_chat(text: str) -> Content | None:
    """The messages of a JSON export as lines; None for any other file."""
    data = _json(text)
    rows = _message_rows(data)
    if not rows or not _is_chat(rows):
        return None
    names = {**_names(rows), **_user_names(data)}
    left = _Counts()
    lines = [line for row in _in_order(rows) for line in _lines(row, names, left)]
    title = (
        one_line(_text_of_value(data["name"]))
        if isinstance(data, Mapping) and isinstance(data.get("name"), str)
        else ""
    )
    text = "\n".join(lines)
    return Content(text=text, title=title, lines=line_times(text), warnings=left.warnings()) if lines else None


def chats_in(text: str) -> list[tuple[str, str]]:
    """The chats in an export of a whole account, as (name, JSON); [] for any other file."""
    data = _json(text)
    listed = data.get("chats") if isinstance(data, Mapping) else None
    listed = listed.get("list") if isinstance(listed, Mapping) else listed
    if not isinstance(listed, list):
        return []
    chats = [one for one in listed if isinstance(one, Mapping) and _is_chat(_message_rows(one))]
    return [(_label(one), json.dumps(one)) for one in chats]


def without_notices(text: str) -> tuple[str, tuple[str, ...]]:
    """A chat as text without the program's notices ("<Media omitted>"), and the number of these."""
    if len(_CHAT_LINE.findall(text)) < 2:
        return text, ()
    left = _Counts()

    def drop(match: re.Match[str]) -> str:
        if match["media"]:
            left.files += 1
        else:
            left.notices["encryption"] += 1
        return ""

    return _NOTICE_LINE.sub(drop, text), left.warnings()


def _json(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def _message_rows(data: Any) -> Sequence[Mapping[str, Any]]:
    if isinstance(data, Mapping):
        data = next((data[name] for name in _LISTS if isinstance(data.get(name), list)), None)
    return [row for row in data if isinstance(row, Mapping)] if isinstance(data, list) else []


def _is_chat(rows: Sequence[Mapping[str, Any]]) -> bool:
    known = sum(bool(_sender(row)) and bool(_time(row)) for row in rows)
    return known >= _SHARE * len(rows) and any(_message_text(row) and _sender(row) and _time(row) for row in rows)


def _in_order(rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The earliest first: some exports begin with the last message."""
    return sorted(rows, key=_time)


def _lines(row: Mapping[str, Any], names: Mapping[str, str], left: _Counts) -> list[str]:
    left.files += sum(len(value) if isinstance(value, list) else 1 for name in _FILES if (value := row.get(name)))
    message, sender = _message_text(row), _sender(row)
    kind = str(row.get("subtype") or row.get("action") or row.get("type") or "")
    if not message or _NOTICES.search(str(row.get("subtype") or "")):
        if not any(row.get(name) for name in _FILES):
            left.notices[kind or "without text"] += 1
        return []
    message = re.sub(
        r"\s*\n\s*", "\n", clean(_resolve_mentions(message, names) if "ts" in row else _decoded(message)).strip()
    )
    writer = one_line(_decoded(str(row.get("forwarded_from") or "")))
    return message_lines(_time(row), one_line(_decoded(names.get(sender, sender))), message, writer)


def message_lines(time: str, who: str, message: str, writer: str = "") -> list[str]:
    """A message as it is read; a forwarded one names its `writer`."""
    who = who or "Unknown"
    if not writer:
        return [f"[{time}] {who}: {message}"]
    return [f"[{time}] {who}: (forwards what {writer} wrote)", f"[{time}] {writer}: {message}"]


def _message_text(row: Mapping[str, Any]) -> str:
    value = next((row[name] for name in _TEXTS if row.get(name)), "") or _blocks(row.get("blocks")) or _quoted(row)
    if isinstance(value, Mapping):
        is_html = value.get("contentType") == "html"
        value = next((value[name] for name in ("content", *_TEXTS) if value.get(name)), "")
        return unescape(_TAG.sub(" ", _text_of_value(value))).strip() if is_html else _text_of_value(value).strip()
    return _text_of_value(value).strip()


def _text_of_value(value: Any) -> str:
    """The text of a message, perhaps in pieces: ["Good, ", {"type": "bold", "text": "very good"}]."""
    if isinstance(value, Mapping):
        return _text_of_value(value.get("text") or "")
    if isinstance(value, list):
        return "".join(map(_text_of_value, value))
    return value if isinstance(value, str) else ""


def _blocks(value: Any, depth: int = 0) -> str:
    """The text in the elements of a message without text: Slack's {"elements": [{"text": ...}]}."""
    if depth == _DEEPEST:
        return ""
    if isinstance(value, list):
        return "".join(_blocks(one, depth + 1) for one in value)
    if not isinstance(value, Mapping):
        return ""
    if user := value.get("user_id"):
        return f"<@{user}>"
    return _text_of_value(value) or _blocks(value.get("elements"), depth + 1) or str(value.get("url") or "")


def _quoted(row: Mapping[str, Any]) -> str:
    """The text in the attachments of a message without text: a program's reports, a shared message."""
    attached = row.get("attachments")
    if not isinstance(attached, list):
        return ""
    texts = [one for one in attached if isinstance(one, Mapping) and isinstance(one.get("text"), str)]
    return "\n".join(filter(None, (_text_of_value(one.get(name)) for one in texts for name in ("title", "text"))))


def _sender(row: Mapping[str, Any]) -> str:
    return next((name for key in _SENDERS if (name := _find_name(row.get(key)))), "")


def _find_name(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = [value.get(name) for name in _NAMES]
        return next((name for one in inner if (name := _find_name(one))), "")
    return value.strip() if isinstance(value, str) else ""


def _label(chat: Mapping[str, Any]) -> str:
    return one_line(str(chat.get("name") or chat.get("type") or "chat")).replace("/", "_")


def user_name(user: Mapping[str, Any]) -> str:
    """The name of a user in Slack's list of users."""
    return _find_name(user.get("real_name")) or _find_name(user.get("profile")) or _find_name(user)


def _names(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The ids of users, in the form that Slack's texts use, and their names."""
    named = ((row.get("user"), _find_name(row.get("user_profile"))) for row in rows)
    return {user: name for user, name in named if isinstance(user, str) and name}


def _user_names(data: Any) -> Mapping[str, str]:
    """The users in an export's list, by id (`slack.py`)."""
    users = data.get(USERS) if isinstance(data, Mapping) else None
    if not isinstance(users, Mapping):
        return {}
    return {str(user): name for user, name in users.items() if isinstance(name, str)}


def _resolve_mentions(text: str, names: Mapping[str, str]) -> str:
    def plain(match: re.Match[str]) -> str:
        if user := match["user"]:
            return names.get(user, user)
        return f"#{match['channel']}" if match["channel"] else match["label"] or match["link"]

    return unescape(_SLACK.sub(plain, text))


def _decoded(text: str) -> str:
    """The correct text of UTF-8 that was written as Latin-1 (exports of Messenger)."""
    if any("\x80" <= letter <= "\xff" for letter in text):
        with suppress(UnicodeError):
            return text.encode("latin-1").decode("utf-8")
    return text


def _time(row: Mapping[str, Any]) -> str:
    """The time of a message: "2024-03-12 21:14:00"; "" if unknown."""
    return next((time for key in _TIMES if (time := iso_time(row.get(key)))), "")


def iso_time(value: Any) -> str:
    """A time in an export: in seconds or milliseconds, in ISO 8601, in English; "" if it is not a time."""
    if isinstance(value, str) and re.fullmatch(r"\d{9,13}(?:\.\d+)?", value.strip()):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not 0 < value < 1000 * _LATEST:  # a number of 400 digits cannot be divided
            return ""
        seconds = value / 1000 if value > _MILLISECONDS else value
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}" if seconds < _LATEST else ""
    if not isinstance(value, str):
        return ""
    with suppress(ValueError):
        return f"{datetime.fromisoformat(value.strip()):%Y-%m-%d %H:%M:%S}"
    if match := _AMERICAN_TIME.search(value):
        with suppress(ValueError):
            told = datetime.strptime(f"{match['day']} {match['clock']} {match['half']}", "%B %d, %Y %I:%M:%S %p")
            return f"{told:%Y-%m-%d %H:%M:%S}"
    if match := _ENGLISH_TIME.search(value):
        with suppress(ValueError):
            return f"{datetime.strptime(match['day'], '%d %B %Y'):%Y-%m-%d} {match['clock']}"
    return ""
