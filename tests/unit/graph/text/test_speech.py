"""Who speaks, by the paragraph of a quotation."""

from __future__ import annotations

import re

import pytest

from filigraph.graph.text.speech import speaker_of


@pytest.mark.parametrize(
    ("text", "language", "quoted", "speaker"),
    [
        ("“A mistake,” said Sherlock Holmes. “I have no data yet.”", "en", "I have no data", "Sherlock Holmes"),
        ("“My dear Watson,” Holmes remarked, “you see. It is so.”", "en", "It is so", "Holmes"),
        ("“No,” said he. “Tell Holmes I said so. Come at once.”", "en", "Come at once", ""),
        ("“It is so,” said Holmes.", "en", "It is so,” said Holmes", ""),  # it names him itself
        ("— Parbleu ! dit le père Absinthe, c'est lui. Il est parti.", "fr", "Il est parti", "Absinthe"),
        ("— Je jure ! s'écria Lecoq. Il est parti.", "fr", "Il est parti", "Lecoq"),
        ("— Je jure ! Il est parti.\n\nLecoq dit non.", "fr", "Il est parti", ""),
        ("„Nein“, sagte Karl. „Komm her.“", "de", "Komm her", ""),  # whose verbs of speech are not known
    ],
)
def test_who_speaks(text: str, language: str, quoted: str, speaker: str) -> None:
    names = {match.start() for match in re.finditer(r"\b[A-ZÀ-Þ][a-zà-ÿ]+", text)}
    start = text.index(quoted)
    assert speaker_of(text, (start, start + len(quoted)), names, language) == speaker
