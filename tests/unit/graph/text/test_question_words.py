"""Labelled questions: those that one sentence answers, and those that require judgement."""

from __future__ import annotations

import pytest

from filigraph.graph.text.question_words import asks_for_a_place, is_factoid, needs_reasoning

LOOK_UPS = """
    Who killed Jules Delmas?
    When was Sophie born?
    Where did Irene Adler live?
    What is the name of the patient?
    On what date did Lecoq arrest the widow?
    How many pearls did Sophie lose?
    In which year did the bank close?
    How old was Jules when he died?
    What is Jules Delmas's real name?
    Whom did Sophie marry?
    Qui a tué Jules Delmas ?
    Quand Sophie est-elle née ?
    Où habite Lecoq ?
    Quel est le nom du patient ?
    À quelle date Lecoq a-t-il arrêté la veuve ?
    Combien de perles Sophie a-t-elle perdues ?
    Comment s’appelle la sœur de Jules ?
    Jules Delmas est né où ?
    En quelle année la banque a-t-elle fermé ?
    Chez qui Sophie loge-t-elle ?
"""
WEIGHED = """
    Why be wary of Jules?
    How did Lecoq find the ring?
    Compare Jules and Sophie.
    What is the difference between The Claw and the police?
    What made Sophie leave Lyon?
    Who was Sophie, and why did she lie?
    When Jules arrived, what did he do?
    What does the signet ring mean?
    Is Jules more dangerous than Sophie?
    For what reason was Jules watched?
    Pourquoi se méfier de Jules ?
    Comment Lecoq a-t-il trouvé la chevalière ?
    Compare Jules et Sophie.
    Quelle différence y a-t-il entre La Griffe et la police ?
    Qu’est-ce qui a poussé Sophie à quitter Lyon ?
    Qui est Sophie et pourquoi ment-elle ?
    Quand Jules arrive, que fait-il ?
    Que signifie la chevalière ?
    Jules est-il plus dangereux que Sophie ?
    Quel rapport y a-t-il entre Jules et La Griffe ?
"""
# Written before the rules, and no rule was changed for one of these.
HELD_BACK_LOOK_UPS = """
    Tell me who wrote the letter.
    Which day did the trial begin?
    How long did the siege last?
    What was the ransom's amount?
    By whom was the will signed?
    Where exactly was Jules found?
    Dis-moi qui a écrit la lettre.
    Quel jour le procès a-t-il commencé ?
    Combien de temps le siège a-t-il duré ?
    Quel âge a Jules ?
    Par qui le testament a-t-il été signé ?
    Dans quelle ville vit Sophie ?
"""
HELD_BACK_WEIGHED = """
    Explain the quarrel of Jules and Sophie.
    In what way does the ring betray Jules?
    What links Jules to The Claw?
    How come Jules has the ring?
    Describe the house of Lecoq.
    Who do you think is braver than Jules?
    Explique la dispute entre Jules et Sophie.
    En quoi la bague trahit-elle Jules ?
    Qu’est-ce qui relie Jules à La Griffe ?
    Pour quelle raison Jules a-t-il la bague ?
    Décris la maison de Lecoq.
    De quelle manière Jules s’échappe-t-il ?
"""


def _lines(block: str) -> list[str]:
    return [line.strip() for line in block.strip().splitlines()]


@pytest.mark.parametrize(
    ("look_ups", "weighed"), [(LOOK_UPS, WEIGHED), (HELD_BACK_LOOK_UPS, HELD_BACK_WEIGHED)], ids=["seen", "held back"]
)
def test_labelled_questions(look_ups: str, weighed: str) -> None:
    """At least 95 of 100 right."""
    labelled = dict.fromkeys(_lines(look_ups), True) | dict.fromkeys(_lines(weighed), False)
    wrong = [question for question, right in labelled.items() if is_factoid(question) != right]
    assert len(labelled) >= 24
    assert len(wrong) <= 0.05 * len(labelled), wrong


@pytest.mark.parametrize(
    "question",
    [
        "¿Quién mató a Jules?",
        "Wie alt ist Jules?",
        "Dove abita Sofia?",
        "Кто убил Жюля?",
        "谁杀了朱尔？",
        "QUI EST JULES",
    ],
)
def test_other_languages(question: str) -> None:
    assert is_factoid(question)


@pytest.mark.parametrize(
    "question",
    [
        "¿Por qué huye Jules?",
        "Warum flieht Jules?",
        "Perché fugge Jules?",
        "Почему бежит Жюль?",
        "朱尔为什么逃走？",
        "How?",
    ],
)
def test_what_weighs(question: str) -> None:
    assert needs_reasoning(question)
    assert not is_factoid(question)


def test_no_question_at_all() -> None:
    assert not is_factoid("") and not is_factoid("Jules") and not needs_reasoning("Jules ou Sophie")


@pytest.mark.parametrize(
    "question",
    [
        "Where does Jules live?",
        "In which town was he born?",
        "Où Jules habite-t-il ?",
        "D'où vient Sophie ?",
        "Dans quelle ville est-il né ?",
        "¿Dónde vive Ana?",
        "Wo wohnt Anna?",
        "Dove abita?",
        "Где живёт Анна?",
        "他住在哪里？",
    ],
)
def test_asks_for_a_place(question: str) -> None:
    assert asks_for_a_place(question)


@pytest.mark.parametrize("question", ["Who lives at the place where Jules was born?", "Qui ou quoi ?", "When was it?"])
def test_asks_for_no_place(question: str) -> None:
    assert not asks_for_a_place(question)
