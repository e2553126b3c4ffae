"""Pronouns of several languages."""

from __future__ import annotations

from filigraph.graph.text.names.tables import FUNCTION_WORDS

# Folded; with the function words.
PRONOUNS = FUNCTION_WORDS.union(
    *map(
        str.split,
        (
            "i me myself we us you he him himself she her herself it itself they them themselves who whom someone one",
            "je j moi nous vous tu toi il lui elle ils elles eux on se s celui celle ceux celles qui que y en",
            "yo el ella ellos ellas usted nosotros quien ich er sie es wir ihr ihm ihn wer io lui lei noi voi loro chi",
            "eu ele ela я он она оно мы вы они кто мне меня ему его ей ее им их 我 你 他 她 它 们",
        ),
    )
)
