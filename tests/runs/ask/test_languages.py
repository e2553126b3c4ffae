"""Languages that the embedder does not know: hybrid search finds what a search by words finds, in the same order."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

from filigraph.graph.ask.explore.fusion import UNKNOWN
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.retrieval import Method, Retrieved
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import DIMENSIONS, WordEmbedding, source, word_embedder
from tests.runs.conftest import World

# Language -> passages, and questions with the passage that answers them. Words come inflected.
CASES = {
    "ru": (
        [
            "Часовщик Иван Морозов жил на берегу реки и чинил старые часы для всего города.",
            "В 1893 году пожар уничтожил городскую библиотеку, и почти все рукописи сгорели.",
            "Капитан Орлов привёз из Персии зелёный изумруд и спрятал его в стене маяка.",
            "Маяк на северном мысе построили монахи, чтобы рыбаки не теряли дорогу домой.",
            "Старая учительница Анна каждый вечер читала детям сказки про морского царя.",
            "Рыбаки продают треску на площади, а зимой чинят сети и лодки.",
            "Врач запретил капитану выходить в море после тяжёлой болезни.",
        ],
        {
            "Кто чинил часы в этом городе?": 0,
            "Где капитан спрятал изумруды?": 2,
            "Что уничтожило библиотеку?": 1,
        },
    ),
    "ar": (
        [
            "كان الساعاتي يوسف يعيش قرب النهر ويصلح الساعات القديمة لأهل المدينة.",
            "في عام 1893 دمر حريق كبير مكتبة المدينة واحترقت معظم المخطوطات.",
            "جلب القبطان سالم زمردة خضراء من بلاد فارس وأخفاها في جدار المنارة.",
            "بنى الرهبان المنارة على الرأس الشمالي حتى لا يضل الصيادون طريق العودة.",
            "كانت المعلمة العجوز تقرأ للأطفال كل مساء حكايات عن ملك البحر.",
            "يبيع الصيادون السمك في الساحة وفي الشتاء يصلحون الشباك والقوارب.",
            "منع الطبيب القبطان من الخروج إلى البحر بعد مرض شديد.",
        ],
        {
            "من الذي كان يصلح الساعات القديمة؟": 0,
            "أين أخفى القبطان الزمردة الخضراء؟": 2,
            "ما الذي دمر مكتبة المدينة؟": 1,
        },
    ),
    "de": (
        [
            "Der Uhrmacher Johann Weber lebte am Fluss und reparierte alte Uhren für die ganze Stadt.",
            "Im Jahr 1893 zerstörte ein Feuer die Bibliothek der Stadt, und fast alle Handschriften verbrannten.",
            "Kapitän Brandt brachte einen Smaragd aus Persien mit und versteckte ihn in der Mauer des Leuchtturms.",
            "Den Leuchtturm am Nordkap bauten Mönche, damit die Fischer den Weg nach Hause fanden.",
            "Die alte Lehrerin las den Kindern jeden Abend Märchen vom König des Meeres vor.",
            "Die Fischer verkaufen Kabeljau auf dem Platz, und im Winter flicken sie Netze und Boote.",
            "Der Arzt verbot dem Kapitän nach einer schweren Krankheit, auf das Meer zu fahren.",
        ],
        {
            "Wer hat die alte Uhr repariert?": 0,
            "Wo versteckte der Kapitän die Smaragde?": 2,
            "Was zerstörte die Bibliothek?": 1,
        },
    ),
}


class NoiseEmbedding(WordEmbedding):
    """Vectors that say nothing about the text: the worst that an embedder can do in a language it does not know."""

    def _get_text_embedding(self, text: str) -> list[float]:
        digest = hashlib.blake2b(text.encode(), digest_size=DIMENSIONS).digest()
        raw = [byte - 127.5 for byte in digest]
        length = sum(number * number for number in raw) ** 0.5
        return [number / length for number in raw]


def embedder() -> Embedder:
    model = NoiseEmbedding()
    return dataclasses.replace(word_embedder(), model=model, exact=model, languages=("en",))


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest, world: World) -> tuple[Graph, str]:
    """One language's passages, and which language."""
    graph = world.fresh()
    sources = [source(f"{n}.txt", text) for n, text in enumerate(CASES[request.param][0])]
    ingest(sources, graph=graph, embedder=embedder(), extractor=TripleExtractor({}))
    return graph, request.param


def find(question: str, graph: Graph, method: Method, **settings: float) -> Retrieved:
    chosen = AskSettings(method=method, **settings)  # type: ignore[arg-type]
    return retrieve(question, graph=graph, embedder=embedder(), settings=chosen)


def test_hybrid_search_finds_what_words_find(case: tuple[Graph, str]) -> None:
    graph, language = case
    passages, questions = CASES[language]
    for question, gold in questions.items():
        words = [evidence.text for evidence in find(question, graph, "bm25").evidence]
        both = [evidence.text for evidence in find(question, graph, "hybrid").evidence]
        assert words[0] == passages[gold]
        assert both[: len(words)] == words
        assert len(both) == len(passages)  # vectors bring the rest


def test_the_weight_stands_in_the_trace_and_can_be_set(case: tuple[Graph, str]) -> None:
    graph, language = case
    question = next(iter(CASES[language][1]))
    by_default, chosen = find(question, graph, "hybrid"), find(question, graph, "hybrid", vector_weight=1.0)
    english = find("Who repaired the clocks of the town?", graph, "hybrid")

    def weight(found: Retrieved) -> float:
        return next(step.inputs["vector_weight"] for step in found.trace.steps if step.name == "search")

    assert (weight(by_default), weight(chosen), weight(english)) == (UNKNOWN, 1.0, UNKNOWN)
    assert embedder().vector_weight > UNKNOWN
    nearest = [evidence.text for evidence in find(question, graph, "dense").evidence]
    assert [evidence.text for evidence in chosen.evidence][: len(nearest)] == nearest
