"""LlamaIndex's own query engine and a chain of LangChain's on the demo: both receive what the walk finds."""

from __future__ import annotations

import pytest
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode

from filigraph.app.client.langchain import FiligraphRetriever as LangChainRetriever
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.errors import InputError, NotFound, ServerUnavailable
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.llamaindex import FiligraphRetriever, ForceGraphRerank
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.api.real import WordRuntime
from tests.api.serving import serving
from tests.making import awaited, case_file, word_embedder
from tests.runs.conftest import World

pytestmark = pytest.mark.models
QUESTION = "Pourquoi se méfier de Jules ?"


@pytest.fixture(scope="module")
def demo(world: World) -> Graph:
    graph = world.fresh()
    ingest(case_file(), graph=graph, embedder=word_embedder(), extractor=LocalExtractor(spacy_models.load))
    return graph


def test_its_query_engine_answers_from_the_walk(demo: Graph) -> None:
    retriever = FiligraphRetriever.local(demo, word_embedder(), settings=AskSettings(keep=5))
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM(), node_postprocessors=[ForceGraphRerank(keep=8)])
    answer = engine.query(QUESTION)  # the mock says what it was asked
    assert "La Griffe est une société de voleurs." in str(answer) and QUESTION in str(answer)
    nodes = {node.node.node_id: node for node in answer.source_nodes}
    path = next(node for node in nodes.values() if node.node.metadata["kind"] == "path")
    assert path.score and 0 < path.score <= 1
    for chunk_id in path.node.metadata["chunk_ids"]:  # what stands behind a path stays with it
        chunk = nodes[chunk_id]
        assert chunk.node.ref_doc_id == chunk.node.metadata["document_id"]
        assert chunk.node.metadata["source"].startswith("demo/")
        assert chunk_id not in chunk.node.get_content(metadata_mode=MetadataMode.LLM)


def test_a_server_gives_the_same_nodes(demo: Graph, neo4j_address: Neo4jAddress) -> None:
    local = FiligraphRetriever.local(demo, word_embedder(), settings=AskSettings(keep=5)).retrieve(QUESTION)
    service = Service(WordRuntime(neo4j_address))
    with serving(service) as url:
        remote = FiligraphRetriever.remote(url, workspace=demo.workspace.name, keep=5)
        assert [node.to_dict() for node in remote.retrieve(QUESTION)] == [node.to_dict() for node in local]
        beside = awaited(remote.aretrieve(QUESTION))
        assert [node.node.node_id for node in beside] == [node.node.node_id for node in local]
        with pytest.raises(InputError, match="no workspace"):
            FiligraphRetriever.remote(url, workspace="nowhere").retrieve(QUESTION)
    with pytest.raises(ServerUnavailable, match=url):
        remote.retrieve(QUESTION)


def test_a_chain_of_langchain_s_reads_the_same(demo: Graph, neo4j_address: Neo4jAddress) -> None:
    local = FiligraphRetriever.local(demo, word_embedder(), settings=AskSettings(keep=5)).retrieve(QUESTION)
    with serving(Service(WordRuntime(neo4j_address))) as url:
        retriever = LangChainRetriever(url=url, workspace=demo.workspace.name, options={"keep": 5})
        found = retriever.invoke(QUESTION)
        assert [(item.id, item.page_content) for item in found] == [
            (node.node.node_id, node.node.get_content(metadata_mode=MetadataMode.NONE)) for node in local
        ]
        path = next(item for item in found if item.metadata["kind"] == "path")
        assert set(path.metadata["chunk_ids"]) <= {item.id for item in found if item.metadata["kind"] == "chunk"}
        prompt = ChatPromptTemplate.from_template("{evidence}\n\n{question}")
        said = RunnableLambda(lambda value: value.to_string())  # in a model's place: it says what it was asked
        chain = {"evidence": retriever, "question": RunnablePassthrough()} | prompt | said | StrOutputParser()
        assert "La Griffe est une société de voleurs." in chain.invoke(QUESTION)
        with pytest.raises(NotFound):
            LangChainRetriever(url=url, workspace="nowhere").invoke(QUESTION)
