"""The few sentences that Filigraph itself says to a reader, by language; English where a language has none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What is said in one language."""

    language: str  # its name in English, as a model is told it
    not_an_answer: str
    nothing: str  # no evidence at all
    path: str
    passages: str
    implied: str
    add_model: str  # {command}: what to run


_BY_LANGUAGE = {
    "en": Wording(
        language="English",
        not_an_answer="Passages, not an answer",
        nothing="Nothing in these documents speaks of this.",
        path="Path",
        passages="Passages",
        implied="implied",
        add_model="There is no language model to word an answer. To add one: {command}",
    ),
    "fr": Wording(
        language="French",
        not_an_answer="Des passages, pas une réponse",
        nothing="Rien dans ces documents n'en parle.",
        path="Chemin",
        passages="Passages",
        implied="sous-entendu",
        add_model="Aucun modèle de langue ne peut rédiger de réponse. Pour en ajouter un : {command}",
    ),
    "es": Wording(
        language="Spanish",
        not_an_answer="Pasajes, no una respuesta",
        nothing="Nada en estos documentos habla de ello.",
        path="Camino",
        passages="Pasajes",
        implied="implícito",
        add_model="No hay ningún modelo de lenguaje que redacte una respuesta. Para añadir uno: {command}",
    ),
    "de": Wording(
        language="German",
        not_an_answer="Textstellen, keine Antwort",
        nothing="Nichts in diesen Dokumenten spricht davon.",
        path="Weg",
        passages="Textstellen",
        implied="angedeutet",
        add_model="Kein Sprachmodell kann eine Antwort formulieren. Eines hinzufügen: {command}",
    ),
    "it": Wording(
        language="Italian",
        not_an_answer="Passi, non una risposta",
        nothing="Nulla in questi documenti ne parla.",
        path="Percorso",
        passages="Passi",
        implied="sottinteso",
        add_model="Nessun modello linguistico può formulare una risposta. Per aggiungerne uno: {command}",
    ),
    "zh": Wording(
        language="Chinese",
        not_an_answer="这些是原文段落，不是答案",
        nothing="这些文档没有提到这一点。",
        path="路径",
        passages="段落",
        implied="隐含",
        add_model="没有语言模型可以撰写答案。添加一个：{command}",
    ),
}


def wording(language: str) -> Wording:
    """`language` is ISO 639-1, or ""."""
    return _BY_LANGUAGE.get(language, _BY_LANGUAGE["en"])
