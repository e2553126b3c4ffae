"""The names in labels of speakers, senders and signatures."""

from __future__ import annotations

from filigraph.graph.ingest.extract.patterns.columns import column_of
from filigraph.graph.text.time.relative_date_rules import WEEKDAYS
from filigraph.graph.text.words import tokens

_OWNERS = frozenset("you me myself vous moi sie du ich tu yo voce ja вы я 你 我".split())  # noqa: SIM905
_ASKED = frozenset("question demande frage pregunta domanda".split())  # noqa: SIM905
_TOLD = frozenset("answer reponse antwort respuesta risposta".split())  # noqa: SIM905
_QUESTIONS = frozenset(("Q", "D"))
# Labels that are not a person's: they end the speech before them.
HEADINGS = frozenset(
    word
    for words in (
        "act scene acte prologue epilogue all both enter exit exeunt",
        "tous toutes ensemble persons characters personnages ",
        "dramatis curtain rideau fin finis end contents chapter chapitre note ps nb re "
        "aufzug auftritt szene akt escena acto jornada scena atto guilty",
    )
    for word in words.split()
)
WITNESSES = frozenset(("witness", "temoin", "zeuge"))  # fields of lists, and speakers of transcripts


def as_name(label: str) -> str:
    return " ".join(label.title().split()) if label.isupper() and len(label) > 2 else label


def is_capitalised(who: str) -> bool:
    """Whether a label is written like a name, and is not a day."""
    words = tokens(who)
    return all(word.text[0].isupper() for word in words) and not {word.folded for word in words} & WEEKDAYS.keys()


def is_owner(who: str) -> bool:
    """Whether a program calls the owner of a telephone so, without a name: "You"."""
    return all(word.folded in _OWNERS for word in tokens(who))


def asks(label: str) -> bool:
    return label in _QUESTIONS or any(word.folded in _ASKED for word in tokens(label))


def is_speaker(who: str) -> bool:
    """Whether a label may be a person's: not a heading, and not a field of a form ("NAME:", "DATE:")."""
    words = {word.folded for word in tokens(who)}
    if is_owner(who):
        return False
    return not words & (HEADINGS | _ASKED | _TOLD) and (not column_of(who) or bool(words & WITNESSES))
