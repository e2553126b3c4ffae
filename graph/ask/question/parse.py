"""Parse: a question, checked, with what its words alone say: language, time and profile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from filigraph.graph.ask.question.profile import read_profile
from filigraph.graph.errors import InputError
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.text.language import detect
from filigraph.graph.text.time.dates import days_of
from filigraph.graph.text.time.periods import day_in, period_in

MAX_QUESTION_WORDS = 10_000  # words


@dataclass(frozen=True, kw_only=True)
class ParsedQuestion:
    """A question before anything is read for it."""

    text: str
    language: str
    profile: Profile
    period: Period | None  # that it names
    day: Period | None  # where it names none: the day or month that it names

    @property
    def has_period(self) -> bool:
        """Whether it names a period, a day or a month."""
        return bool(self.period or self.day)

    @property
    def document_period(self) -> Period | None:
        """The period that limits the documents. Documents of any time may tell a detail: those of it come first."""
        return None if self.profile == "detail" else self.period


def parse_question(text: str, *, profile: Profile | None, today: str) -> ParsedQuestion:
    """Parse a question; `profile` and `today` as in `AskSettings`. Raises InputError."""
    text = text.strip()
    if not text:
        raise InputError("The question is empty.", cure="Ask in a sentence.")
    if len(text.split()) > MAX_QUESTION_WORDS or len(text) > 20 * MAX_QUESTION_WORDS:
        raise InputError(f"The question is longer than {MAX_QUESTION_WORDS:,} words.", cure="Ask a shorter question.")
    language = detect(text)
    period = period_in(text, language, _today(today))
    return ParsedQuestion(
        text=text,
        language=language,
        profile=profile or read_profile(text, period),
        period=period,
        day=None if period else day_in(text, language),
    )


def _today(given: str) -> date:
    if not given:
        return datetime.now(UTC).date()
    days = days_of(given)
    if not days or days[0] != days[1]:
        raise InputError(f"{given[:40]!r} is not a day.", cure="Write it like 1912-03-04.")
    return days[0]
