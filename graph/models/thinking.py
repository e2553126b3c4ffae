"""Removes a model's thoughts before its reply, from whole replies and from streams.

A thought is between two marks, `<think>` and `</think>`. Some servers drop the first one; then everything before the
second one is a thought. A mark in quotation marks or backticks is quoted, and is normal text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NAMES = "think(?:ing)?|thought|reasoning"
_MARK = re.compile(rf"<(?P<closes>/?)(?:{_NAMES})>|\[(?P<ends>/?)think\]", re.IGNORECASE)
_MAX_MARK_CHARS = len("</reasoning>")
_QUOTES = frozenset("\"'`“”„«»‹›‘’‚「」『』")
_SPACED_QUOTES = frozenset("«»‹›")  # in French a space is inside of them
_SPACES = " \u00a0\u202f"

Mark = re.Match[str]


def strip_thinking(reply: str, *, opened: bool = False) -> str:
    """`reply` without its thoughts. A truncated thought is removed to the end. `opened`: the server is known to drop
    the first mark, so any first mark in the thought is the model's own text."""
    rest = reply[_end_of_unopened(reply, opened=opened) :]
    scan = _Scan()
    return scan.take(rest) + scan.end()


def ends_unopened_thought(reply: str) -> bool:
    """Whether `reply` has the end of a thought without its opening mark."""
    return _end_of_unopened(reply) > 0


def without_thinking(pieces: Iterable[str]) -> Iterator[str]:
    """The same for a stream: a thought is held back, even if its marks are split over pieces. Text before a second mark
    without a first one has been sent by then; see `ends_unopened_thought`."""
    scan = _Scan()
    for piece in pieces:
        if ready := scan.take(piece):
            yield ready
    if rest := scan.end():
        yield rest


def opens_with_thought(reply: str) -> bool:
    """Whether `reply` begins with a first mark, or with text that may become one; true if it is blank."""
    start = reply.lstrip()
    match = _MARK.match(start)
    return bool(match and not _closes(match)) or (len(start) < _MAX_MARK_CHARS and start[:1] in ("<", "[", ""))


def _closes(match: Mark) -> bool:
    return bool(match["closes"] or match["ends"])


def _is_quoted(text: str, match: Mark, before: str = "") -> bool:
    """Whether a mark is quoted. `before`: the characters before `text`."""
    front, back = (before + text[: match.start()])[-2:], text[match.end() : match.end() + 2]
    is_open = front[-1:] in _QUOTES or front.rstrip(_SPACES)[-1:] in _SPACED_QUOTES
    right = back[:1] in _QUOTES or back.lstrip(_SPACES)[:1] in _SPACED_QUOTES
    return is_open and (right or not _closes(match))


def _end_of_unopened(text: str, *, opened: bool = False) -> int:
    """The end of the last thought without a first mark; 0 if there is none."""
    end, first, quoted_at = 0, -1, -1  # the first mark that is open, the last quoted one
    for match in _MARK.finditer(text):
        quoted = _is_quoted(text, match)
        if not _closes(match):
            if quoted:
                quoted_at = match.start()
            elif first < 0 and not opened:
                first = match.start()
        elif quoted:
            continue
        elif first >= 0 and _are_pair(text, first, match):
            first = -1
        elif not _is_second_of_quoted(text, match, quoted_at):
            end, first = match.end(), -1
    return end + len(text[end:]) - len(text[end:].lstrip()) if end else 0


def _are_pair(text: str, first: int, match: Mark) -> bool:
    """Whether two marks enclose a thought. A thought that begins in mid-line ends in that line; else its first mark is
    a word of a longer thought."""
    line = text[text.rfind("\n", 0, first) + 1 : first]
    return not line.strip() or "\n" not in text[first : match.start()]


def _is_second_of_quoted(text: str, match: Mark, quoted_at: int) -> bool:
    """Whether a second mark belongs to a quoted first one, as in "<think>hm</think>": both are on one line."""
    return quoted_at >= 0 and "\n" not in text[quoted_at : match.start()]


class _Scan:
    """Yields the text of pieces without thoughts, as soon as it is known to be text."""

    def __init__(self) -> None:
        self._pending = ""  # undecided text
        self._before = ""  # the last characters that were sent
        self._line = ""  # the sent part of the current line
        self._started = False  # whether anything but space was sent

    def take(self, piece: str) -> str:
        self._pending += piece
        return self._scan(last=False)

    def end(self) -> str:
        return self._scan(last=True)

    def _scan(self, *, last: bool) -> str:
        text = ""
        while True:
            ready, match = self._until_mark(last=last)
            text += self._release(ready)
            if match is None:
                return text
            if _closes(match):
                self._pending = self._pending[match.end() :].lstrip()  # of a thought that was already sent
                continue
            second = self._second(match.end(), last=last)
            if second is None:
                if not last:
                    return text
                if not self._started:
                    self._pending = ""  # a truncated thought
                    return text
                text += self._release(match.end())  # a first mark alone, in the middle: text
                continue
            rest = self._pending[second:].lstrip()
            if not rest and not last:
                return text  # more of the space after the mark may follow
            self._pending = rest

    def _until_mark(self, *, last: bool) -> tuple[int, Mark | None]:
        """The length of the pending text that is surely text, and the mark of a thought after it, or None."""
        pending = self._pending
        for match in _MARK.finditer(pending):
            if match.end() + 2 > len(pending) and not last:
                return match.start(), None  # the next characters show whether it is quoted
            if not self._is_text(match):
                return match.start(), match
        if last:
            return len(pending), None
        mark_start = max(pending.rfind("<", -_MAX_MARK_CHARS), pending.rfind("[", -_MAX_MARK_CHARS))
        return (mark_start if mark_start >= 0 else len(pending)), None

    def _is_text(self, match: Mark) -> bool:
        if _is_quoted(self._pending, match, self._before):
            return True
        line = (self._line + self._pending[: match.start()]).rpartition("\n")[2]
        return _closes(match) and any(not _closes(earlier) for earlier in _MARK.finditer(line))

    def _second(self, start: int, *, last: bool) -> int | None:
        """The end of the thought that begins before `start`."""
        for match in _MARK.finditer(self._pending, start):
            if match.end() + 2 > len(self._pending) and not last:
                return None
            if _closes(match) and not _is_quoted(self._pending, match):
                return match.end()
        return None

    def _release(self, count: int) -> str:
        ready, self._pending = self._pending[:count], self._pending[count:]
        self._before = (self._before + ready)[-2:]
        self._line = (self._line + ready).rpartition("\n")[2]
        self._started = self._started or bool(ready.strip())
        return ready
