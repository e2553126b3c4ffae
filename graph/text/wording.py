"""Fixed phrases of answers and prompts, by language, with English as fallback."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from filigraph.graph.model.retrieval import Hop
from filigraph.graph.text.words import fold

_DAY = re.compile(r"\d\d-\d\d$")  # an ISO date with a day
_BEFORE_DATES = frozenset(
    word
    for words in (
        "on in at by since until before after from the about",
        "le en au depuis avant apres des vers jusqu el il nel am im",
    )
    for word in words.split()
)


@dataclass(frozen=True, kw_only=True)
class Wording:
    """The phrases of one language."""

    ask: str  # the instruction to a model; small models answer in its language
    not_an_answer: str
    nothing: str  # no evidence at all
    cancelled: str  # before the text that a model had read until then
    path: str
    passages: str
    leads: str  # {count}: paths that probably do not answer, and are not shown
    implied: str
    own: str  # no text says the fact
    unfound: str  # a step that no text says
    cites: str  # {passage} that is cited for such a step
    contradicted: str  # heading of contradictions by other voices
    sides: tuple[str, str, str]  # before what others say of it: as the first, as the second, against both
    notes: str  # heading of people's notes
    replaced_letters: str  # {letters}: code points that the font of a PDF lacks, {box}: the sign in their place
    according_to: str  # {who}: a name
    on_day: str  # {when}: a date with its day, "12 March 1912"
    in_time: str  # {when}: a month or a year
    add_model: str  # {command}: a shell command
    missing: str  # label of what the evidence does not contain
    unsupported: str  # label of names and figures in the answer that no evidence contains
    from_summaries: str  # {numbers}: numbers of evidence
    from_text: str
    deeper: str  # {places}: documents, sections that were only summarized
    nowhere: str  # {names}: names of the question that no document contains
    taken_as: str  # {word} of the question that no document has, {name} that is similar
    compared: str  # {names} of more that the question compares
    compares_pronoun: str  # the question compares somebody whom it does not name
    compares_all_dates: str  # the question compares names, and has a period
    view: str  # {documents} of {of}, {passages} of {all}
    of_period: str  # {inside} of {documents}, {when}: `since`, `until`, `between` or `on_day`
    none_of_period: str  # {documents}, {when}
    undated: str  # {undated} of {documents}
    since: str  # {first}: a date
    until: str  # {last}
    between: str  # {first}, {last}
    field_states: Mapping[str, str]  # of a form, except "found"


_BY_LANGUAGE = {
    "en": Wording(
        ask="Answer this question in English, in at most five short sentences of your own, without copying "
        "the extracts. "
        "After each sentence, the number of the extract it comes from, like [1]. "
        'Then one line that begins with "MISSING:", with what the extracts do not say.',
        not_an_answer="Passages, not an answer",
        nothing="Nothing in these documents speaks of this.",
        cancelled="Cancelled before there was an answer. What was read so far:",
        path="Path",
        passages="Passages",
        leads="Leads that are not likely to answer: {count}, not shown.",
        contradicted="Other voices say otherwise",
        sides=("As the first:", "As the second:", "Otherwise:"),
        notes="Notes of readers; no document says them",
        replaced_letters="The font of this PDF lacks some letters ({letters}); "
        "{box} stands for each. A Word file shows them.",
        implied="implied",
        own="stated by a person",
        unfound="not found in the texts",
        cites="cites {passage}, which does not say it in one sentence",
        according_to="according to {who}",
        on_day="on {when}",
        in_time="in {when}",
        add_model="There is no language model to word an answer. To add one: {command}",
        missing="What the evidence does not say",
        unsupported="In no evidence",
        from_summaries="From summaries: {numbers}.",
        from_text="From the text itself: {numbers}.",
        deeper="Only summarized: {places}. Ask about one of them to go deeper.",
        nowhere="Found in no document: {names}",
        taken_as="No document has “{word}”: taken as {name}.",
        compared="At most four names are compared side by side: {names}.",
        compares_pronoun="To compare, write the names, two to four of them.",
        compares_all_dates="The comparison also has facts of other dates.",
        view="As if {documents} of {of} documents had been read ({passages} of {all} passages).",
        of_period="From {inside} of {documents} documents: dated {when}, or with facts of that time.",
        none_of_period="No document is dated {when}: this is from all {documents} documents.",
        undated="Without a date: {undated} of {documents} documents.",
        since="since {first}",
        until="until {last}",
        between="between {first} and {last}",
        field_states={
            "open": "not asked yet",
            "not_found": "not found",
            "proposed": "proposed",
            "passages": "passages only",
            "corrected": "corrected by hand",
        },
    ),
    "fr": Wording(
        ask="Réponds à cette question en français, en cinq phrases courtes au plus, avec tes propres mots, "
        "sans recopier les "
        "extraits. Après chaque phrase, le numéro de l'extrait d'où elle vient, comme [1]. "
        'Puis une ligne qui commence par "MISSING:", avec ce que les extraits ne disent pas.',
        not_an_answer="Des passages, pas une réponse",
        nothing="Rien dans ces documents n'en parle.",
        cancelled="Annulé avant toute réponse. Ce qui a été lu jusque-là :",
        path="Chemin",
        passages="Passages",
        leads="Pistes qui ne répondent sans doute pas : {count}, non montrées.",
        contradicted="D'autres voix disent autre chose",
        sides=("Comme la première :", "Comme la seconde :", "Autrement :"),
        notes="Notes de lecteurs ; aucun document ne les dit",
        replaced_letters="La police de ce PDF n'a pas certaines lettres ({letters}) ; "
        "{box} remplace chacune. Un fichier Word les montre.",
        implied="sous-entendu",
        own="affirmé par une personne",
        unfound="introuvable dans les textes",
        cites="cite {passage}, qui ne le dit pas en une phrase",
        according_to="selon {who}",
        on_day="le {when}",
        in_time="en {when}",
        add_model="Aucun modèle de langue ne peut rédiger de réponse. Pour en ajouter un : {command}",
        missing="Ce que les extraits ne disent pas",
        unsupported="Dans aucun extrait",
        from_summaries="D'après des résumés : {numbers}.",
        from_text="D'après le texte même : {numbers}.",
        deeper="Seulement résumé : {places}. Posez une question là-dessus pour aller plus loin.",
        nowhere="Dans aucun document : {names}",
        taken_as="Aucun document n’a « {word} » : compris comme {name}.",
        compared="Quatre noms au plus sont comparés côte à côte : {names}.",
        compares_pronoun="Pour comparer, écrivez les noms : de deux à quatre.",
        compares_all_dates="La comparaison montre aussi des faits d'autres dates.",
        view="Comme si l'on n'avait lu que cela : documents, {documents} sur {of} ; passages, {passages} sur {all}.",
        of_period="D'après {inside} documents sur {documents} : datés de la période ({when}), ou par leurs faits.",
        none_of_period="Aucun document n'est daté de cette période ({when}) : ceci vient de l'ensemble ({documents}).",
        undated="Sans date : {undated} documents sur {documents}.",
        since="depuis le {first}",
        until="jusqu'au {last}",
        between="entre le {first} et le {last}",
        field_states={
            "open": "pas encore demandé",
            "not_found": "non trouvé",
            "proposed": "proposé",
            "passages": "passages seulement",
            "corrected": "corrigé à la main",
        },
    ),
    "es": Wording(
        ask="Responde a esta pregunta en español, en cinco frases cortas como máximo, con tus propias "
        "palabras, sin copiar "
        "los extractos. Después de cada frase, el número del extracto del que viene, como [1]. "
        'Luego una línea que empiece por "MISSING:", con lo que los extractos no dicen.',
        not_an_answer="Pasajes, no una respuesta",
        nothing="Nada en estos documentos habla de ello.",
        cancelled="Cancelado antes de que hubiera respuesta. Lo leído hasta entonces:",
        path="Camino",
        passages="Pasajes",
        leads="Pistas que probablemente no responden: {count}, no se muestran.",
        contradicted="Otras voces dicen lo contrario",
        sides=("Como la primera:", "Como la segunda:", "De otro modo:"),
        notes="Notas de lectores; ningún documento las dice",
        replaced_letters="La fuente de este PDF no tiene algunas letras ({letters}); "
        "{box} sustituye a cada una. Un archivo de Word las muestra.",
        implied="implícito",
        own="afirmado por una persona",
        unfound="no se encuentra en los textos",
        cites="cita {passage}, que no lo dice en una frase",
        according_to="según {who}",
        on_day="el {when}",
        in_time="en {when}",
        add_model="No hay ningún modelo de lenguaje que redacte una respuesta. Para añadir uno: {command}",
        missing="Lo que los extractos no dicen",
        unsupported="En ningún extracto",
        from_summaries="Según resúmenes: {numbers}.",
        from_text="Según el propio texto: {numbers}.",
        deeper="Solo resumido: {places}. Pregunte por ello para profundizar.",
        nowhere="En ningún documento: {names}",
        taken_as="Ningún documento tiene «{word}»: entendido como {name}.",
        compared="Se comparan a lo sumo cuatro nombres: {names}.",
        compares_pronoun="Para comparar, escriba los nombres: de dos a cuatro.",
        compares_all_dates="La comparación muestra también hechos de otras fechas.",
        view="Como si se hubieran leído {documents} de {of} documentos ({passages} de {all} pasajes).",
        of_period="De {inside} de {documents} documentos: fechados en ese período ({when}), o con hechos de entonces.",
        none_of_period="Ningún documento está fechado en ese período ({when}): esto procede de todos ({documents}).",
        undated="Sin fecha: {undated} de {documents} documentos.",
        since="desde el {first}",
        until="hasta el {last}",
        between="entre el {first} y el {last}",
        field_states={
            "open": "aún no preguntado",
            "not_found": "no encontrado",
            "proposed": "propuesto",
            "passages": "solo pasajes",
            "corrected": "corregido a mano",
        },
    ),
    "de": Wording(
        ask="Beantworte diese Frage auf Deutsch, in höchstens fünf kurzen eigenen Sätzen, ohne die Auszüge "
        "abzuschreiben. "
        "Nach jedem Satz die Nummer des Auszugs, aus dem er stammt, wie [1]. "
        'Dann eine Zeile, die mit "MISSING:" beginnt, mit dem, was die Auszüge nicht sagen.',
        not_an_answer="Textstellen, keine Antwort",
        nothing="Nichts in diesen Dokumenten spricht davon.",
        cancelled="Abgebrochen, bevor es eine Antwort gab. Was bis dahin gelesen war:",
        path="Weg",
        passages="Textstellen",
        leads="Spuren, die wohl nicht antworten: {count}, nicht gezeigt.",
        contradicted="Andere sagen es anders",
        sides=("Wie die erste:", "Wie die zweite:", "Anders:"),
        notes="Notizen von Lesern; kein Dokument sagt sie",
        replaced_letters="Der Schrift dieses PDFs fehlen einige Zeichen ({letters}); "
        "{box} steht für jedes. Eine Word-Datei zeigt sie.",
        implied="angedeutet",
        own="von einer Person angegeben",
        unfound="in den Texten nicht gefunden",
        cites="führt {passage} an, wo es nicht in einem Satz steht",
        according_to="laut {who}",
        on_day="am {when}",
        in_time="{when}",
        add_model="Kein Sprachmodell kann eine Antwort formulieren. Eines hinzufügen: {command}",
        missing="Was die Auszüge nicht sagen",
        unsupported="In keinem Auszug",
        from_summaries="Aus Zusammenfassungen: {numbers}.",
        from_text="Aus dem Text selbst: {numbers}.",
        deeper="Nur zusammengefasst: {places}. Eine Frage dazu führt tiefer.",
        nowhere="In keinem Dokument: {names}",
        taken_as="Kein Dokument hat „{word}“: verstanden als {name}.",
        compared="Höchstens vier Namen werden verglichen: {names}.",
        compares_pronoun="Zum Vergleichen bitte die Namen schreiben: zwei bis vier.",
        compares_all_dates="Der Vergleich zeigt auch Tatsachen anderer Tage.",
        view="Als wären {documents} von {of} Dokumenten gelesen (Abschnitte: {passages} von {all}).",
        of_period="Aus {inside} von {documents} Dokumenten: datiert {when}, oder mit Tatsachen aus dieser Zeit.",
        none_of_period="Kein Dokument ist datiert {when}: dies stammt aus allen {documents} Dokumenten.",
        undated="Ohne Datum: {undated} von {documents} Dokumenten.",
        since="seit dem {first}",
        until="bis zum {last}",
        between="zwischen dem {first} und dem {last}",
        field_states={
            "open": "noch nicht gefragt",
            "not_found": "nicht gefunden",
            "proposed": "vorgeschlagen",
            "passages": "nur Textstellen",
            "corrected": "von Hand berichtigt",
        },
    ),
    "it": Wording(
        ask="Rispondi a questa domanda in italiano, in al massimo cinque frasi brevi, con parole tue, senza "
        "copiare gli "
        "estratti. Dopo ogni frase, il numero dell'estratto da cui viene, come [1]. "
        'Poi una riga che comincia con "MISSING:", con ciò che gli estratti non dicono.',
        not_an_answer="Passi, non una risposta",
        nothing="Nulla in questi documenti ne parla.",
        cancelled="Annullato prima che ci fosse una risposta. Quanto letto fino ad allora:",
        path="Percorso",
        passages="Passi",
        leads="Tracce che probabilmente non rispondono: {count}, non mostrate.",
        contradicted="Altre voci dicono il contrario",
        sides=("Come la prima:", "Come la seconda:", "Altrimenti:"),
        notes="Note di lettori; nessun documento le dice",
        replaced_letters="Al carattere di questo PDF mancano alcune lettere ({letters}); "
        "{box} sta per ciascuna. Un file Word le mostra.",
        implied="sottinteso",
        own="affermato da una persona",
        unfound="non trovato nei testi",
        cites="cita {passage}, che non lo dice in una frase",
        according_to="secondo {who}",
        on_day="il {when}",
        in_time="nel {when}",
        add_model="Nessun modello linguistico può formulare una risposta. Per aggiungerne uno: {command}",
        missing="Ciò che gli estratti non dicono",
        unsupported="In nessun estratto",
        from_summaries="Da riassunti: {numbers}.",
        from_text="Dal testo stesso: {numbers}.",
        deeper="Solo riassunto: {places}. Una domanda su questo va più a fondo.",
        nowhere="In nessun documento: {names}",
        taken_as="Nessun documento ha «{word}»: inteso come {name}.",
        compared="Si confrontano al massimo quattro nomi: {names}.",
        compares_pronoun="Per confrontare, scriva i nomi: da due a quattro.",
        compares_all_dates="Il confronto mostra anche fatti di altre date.",
        view="Come se fossero stati letti {documents} documenti su {of} (passaggi: {passages} su {all}).",
        of_period="Da {inside} documenti su {documents}: datati in quel periodo ({when}), o con fatti di allora.",
        none_of_period="Nessun documento è datato in quel periodo ({when}): questo viene da tutti ({documents}).",
        undated="Senza data: {undated} documenti su {documents}.",
        since="dal {first}",
        until="fino al {last}",
        between="tra il {first} e il {last}",
        field_states={
            "open": "non ancora chiesto",
            "not_found": "non trovato",
            "proposed": "proposto",
            "passages": "solo passi",
            "corrected": "corretto a mano",
        },
    ),
    "zh": Wording(
        ask="请用中文回答这个问题，最多五个短句，用自己的话，不要照抄摘录。每句话后面写上它所依据的摘录编号，如 [1]。"
        "最后另起一行，以“MISSING:”开头，写出摘录没有说明的内容。",
        not_an_answer="这些是原文段落，不是答案",
        nothing="这些文档没有提到这一点。",
        cancelled="在得出回答之前已取消。到目前为止读到的内容：",
        path="路径",
        passages="段落",
        leads="可能无法回答问题的线索：{count} 条，未显示。",
        contradicted="其他人说法不同",
        sides=("与第一种说法相同：", "与第二种说法相同：", "另一种说法："),
        notes="读者的笔记;任何文件都没有这样说",
        replaced_letters="此 PDF 的字体缺少某些字符（{letters}），以 {box} 代替。Word 文件可显示这些字符。",
        implied="隐含",
        own="由人陈述",
        unfound="文本中未找到",
        cites="引用了{passage}，其中没有一句话这样说",
        according_to="据{who}称",
        on_day="于{when}",
        in_time="于{when}",
        add_model="没有语言模型可以撰写答案。添加一个：{command}",
        missing="摘录没有说明的",
        unsupported="摘录中没有的",
        from_summaries="依据摘要：{numbers}。",
        from_text="依据原文：{numbers}。",
        deeper="仅有摘要：{places}。可就此追问以深入了解。",
        nowhere="所有文档中都没有：{names}",
        taken_as="文档中没有“{word}”，按“{name}”查找。",
        compared="最多并列比较四个名字：{names}。",
        compares_pronoun="要比较，请写出名字：两个到四个。",
        compares_all_dates="比较中也有其他日期的事实。",
        view="仿佛只读过 {of} 份文档中的 {documents} 份（{all} 个段落中的 {passages} 个）。",
        of_period="依据 {documents} 份文档中的 {inside} 份：其日期或所述事实在此期间（{when}）。",
        none_of_period="没有文档的日期在此期间（{when}）：以下依据全部 {documents} 份文档。",
        undated="没有日期的文档：{documents} 份中的 {undated} 份。",
        since="自{first}起",
        until="至{last}",
        between="{first}至{last}",
        field_states={
            "open": "尚未询问",
            "not_found": "未找到",
            "proposed": "建议值",
            "passages": "仅有段落",
            "corrected": "人工更正",
        },
    ),
}

_ASK_IN_ANOTHER = _BY_LANGUAGE["en"].ask.replace("in English", "in the language in which it is asked")


def wording(language: str) -> Wording:
    """The phrases of a language: ISO 639-1, or ""."""
    return _BY_LANGUAGE.get(language) or dataclasses.replace(_BY_LANGUAGE["en"], ask=_ASK_IN_ANOTHER)


def hop_in_words(hop: Hop, words: Wording) -> str:
    """A hop as a sentence with its date: "Jules arrives at Lyon on 12 March 1912"."""
    return " ".join(filter(None, (hop.subject, hop.predicate, hop.object, _date(hop, words))))


def _date(hop: Hop, words: Wording) -> str:
    """The time of a hop with a preposition; as written if it has one or is not a date ("the next day"), and with its
    day if it comes from other words ("Yesterday (1891-03-11)")."""
    if hop.when_date and hop.when_date[:4] not in hop.when and not hop.when_date.startswith("--"):
        return f"{hop.when} ({hop.when_date})"
    if not hop.when_date or fold(hop.when.split()[0]) in _BEFORE_DATES:
        return hop.when
    return (words.on_day if _DAY.search(hop.when_date) else words.in_time).format(when=hop.when)


def path_in_full(path: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A path, in the form that REST gives, in words, with the sentence of each hop below it; and the chunks of its
    hops, in order, each once.
    """
    hop_lines = [f"- {hop['subject']} {hop['predicate']} {hop['object']}: {hop['sentence']}" for hop in path["hops"]]
    return "\n".join([path["text"], *hop_lines]), list(dict.fromkeys(hop["chunk_id"] for hop in path["hops"]))
