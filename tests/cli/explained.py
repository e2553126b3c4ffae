"""Paths with every kind of joint, and their layout."""

from __future__ import annotations

from typing import Any


def hop(subject: str, predicate: str, object_: str, **more: Any) -> dict[str, Any]:
    """A hop between entities whose ids are their names in small letters."""
    plain = {"kind": "fact", "implied": False, "according_to": "", "premises": [], "date": "", "score": 0.6}
    plain |= {"when": "", "when_date": "", "denied": False}
    ends = {"subject_id": subject.lower(), "object_id": object_.lower()}
    words = {"subject": subject, "predicate": predicate, "object": object_, "chunk_id": "c"}
    return {**plain, **ends, **words, "sentence": f"{subject} {predicate} {object_}.", **more}


STRAIGHT = [hop("Jules", "wears", "Ring"), hop("Ring", "marks", "The Claw", score=0.1)]

BACKWARD = [hop("Brun", "leads", "The Claw"), hop("Ring", "marks", "The Claw")]

TURNED_FIRST = [hop("The Claw", "has", "Ring"), hop("Jules", "hunts", "The Claw")]

APART = [hop("Jules", "wears", "Ring"), hop("Nora", "met", "Paul")]

TITLE = [
    hop("Jules", "is named in", "Chronicle", kind="title", object_id=""),
    hop("Chronicle", "is the title of", "this text", kind="mention", subject_id="", object_id=""),
]

NAMESAKES = [hop("Jules", "met", "Delmas", object_id="one"), hop("Delmas", "sells", "Wine", subject_id="two")]

CASES = {
    "straight": (STRAIGHT, [("Jules", "Ring", False, False), ("Ring", "The Claw", True, False)]),
    "backward": (BACKWARD, [("Brun", "The Claw", False, False), ("The Claw", "Ring", True, True)]),
    "turned first": (TURNED_FIRST, [("Ring", "The Claw", False, True), ("The Claw", "Jules", True, True)]),
    "apart": (APART, [("Jules", "Ring", False, False), ("Nora", "Paul", False, False)]),
    "title": (TITLE, [("Jules", "Chronicle", False, False), ("Chronicle", "this text", True, False)]),
    "namesakes": (NAMESAKES, [("Jules", "Delmas", False, False), ("Delmas", "Wine", False, False)]),
}
