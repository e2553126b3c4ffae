"""The tasks of a machine of the cluster, and their models.

Each process of Ray builds its models once, from Ray's environment on that machine: no key or password is sent. Its
versions must equal the server's, or the same text would be read differently; each task compares them.
"""

from __future__ import annotations

import importlib.metadata
import pickle
import platform
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from packaging.requirements import Requirement
from packaging.version import Version

from filigraph.graph.errors import FiligraphError, LLMUnavailable, NotSetUp

if TYPE_CHECKING:
    from filigraph.graph.ingest.incoming import Incoming, ReadSource
    from filigraph.graph.model.arrays import Matrix
    from filigraph.graph.model.documents import Chunk, Source
    from filigraph.graph.model.extraction import Extraction
    from filigraph.graph.model.usage import Usage
    from filigraph.graph.models.embed import Embedder, Span
    from filigraph.graph.models.llm import LLM, LLMRequest

Versions = Mapping[str, str]

_loading = threading.Lock()


def run_task(request: bytes) -> bytes:
    """Do a task: input is `pack(versions, function, arguments)`; output is the result, or a FiligraphError."""
    needed, call = pickle.loads(request)  # noqa: S301 - from the server, which runs what it likes here anyway
    try:
        _compare(needed, versions())
        function, arguments = pickle.loads(call)  # noqa: S301
        outcome = function(*arguments)
    except FiligraphError as error:
        outcome = error
    return pickle.dumps(outcome)


def pack(versions: Versions, function: Callable[..., Any], arguments: Sequence[Any]) -> bytes:
    """A task for `run_task`. The versions come first: with other versions the rest may not be readable."""
    return pickle.dumps((dict(versions), pickle.dumps((function, arguments))))


@cache
def versions() -> Versions:
    """Versions of Python, Filigraph and its libraries, without the builds (a CPU's PyTorch is as good as a GPU's)."""
    installed = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in ["filigraph", *(importlib.metadata.requires("filigraph") or [])]:
        requirement = Requirement(name)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            with suppress(importlib.metadata.PackageNotFoundError):  # reported when versions are compared
                installed[requirement.name] = Version(importlib.metadata.version(requirement.name)).public
    return installed


def _compare(needed: Versions, here: Versions) -> None:
    if needed == here:
        return
    other = [f"{name} {here.get(name, 'missing')}, not {needed.get(name, 'missing')}"
             for name in sorted({*needed, *here}) if needed.get(name) != here.get(name)]  # fmt: skip
    raise NotSetUp(
        f"The machine {socket.gethostname()} of the Ray cluster has {'; '.join(other[:5])}.",
        cure="Install the same release of Filigraph there, with its constraints.txt, and start Ray on it again.",
    )


# --------------------------------------------------------------------------------------------------------------------
# The tasks


def read_sources(read: ReadSource, sources: Sequence[Source]) -> list[Incoming]:
    """Load and split."""
    return [read(source) for source in sources]


def extract(version: str, chunks: Sequence[Chunk]) -> list[Extraction]:
    """The extractions of the local extractor for `chunks`."""
    from filigraph.graph.ingest.extract.local import LocalExtractor
    from filigraph.graph.models.adapters import spacy_models

    extractor = LocalExtractor(spacy_models.load)
    if extractor.version != version:
        raise _version_error("extractor", extractor.version, version)
    return list(extractor.extract(chunks))


def embed(fingerprint: str, name: str, texts: list[str]) -> Matrix:
    """Vectors of `texts`, shape (n, d)."""
    return np.asarray(_embedder(fingerprint, name).model.get_text_embedding_batch(texts), dtype=np.float32)


def embed_spans(fingerprint: str, name: str, texts: list[str], spans: list[list[Span]]) -> tuple[Matrix, list[Matrix]]:
    """Vectors of `texts`, shape (n, d), and of the spans of each."""
    from filigraph.graph.models.embed import EncodesSpans

    model = _embedder(fingerprint, name).model
    assert isinstance(model, EncodesSpans)
    whole, parts = model.get_span_embeddings(texts, spans)
    return np.asarray(whole, dtype=np.float32), [np.asarray(rows, dtype=np.float32) for rows in parts]


def model() -> str:
    """The name of this machine's LLM."""
    return _llm().model


def complete(model: str, request: LLMRequest) -> tuple[str | FiligraphError, Usage]:
    """A reply of this machine's LLM, or the reason why there is none, and its usage."""
    from filigraph.graph.model.usage import Usage

    llm = _llm()
    if llm.model != model:
        raise _version_error("LLM", llm.model, model)
    before = llm.usage
    reply: str | FiligraphError
    try:
        reply = llm.complete(request)
    except FiligraphError as error:
        reply = error
    now = llm.usage
    return reply, Usage(
        calls=now.calls - before.calls,
        tokens_in=now.tokens_in - before.tokens_in,
        tokens_out=now.tokens_out - before.tokens_out,
    )


# --------------------------------------------------------------------------------------------------------------------
# The models


def _embedder(fingerprint: str, name: str) -> Embedder:
    with _loading:
        embedder = _load_embedder(name)
    if embedder.fingerprint != fingerprint:
        raise _version_error("embedder", embedder.name, f"that of the server ({fingerprint})")
    return embedder


@cache
def _load_embedder(name: str) -> Embedder:
    """This machine's default embedder for "", else one by its name on the hub."""
    from filigraph.app.settings import load_settings
    from filigraph.graph.models.adapters.embedder import load_embedder, load_known

    settings = load_settings()
    made = settings.made_models
    return load_known(name, made=made) if name else load_embedder(settings.embedder, made=made)


@cache
def _llm() -> LLM:
    from filigraph.app.llm_provider import choose_llm
    from filigraph.app.settings import load_settings

    choice = choose_llm(load_settings())
    if choice.llm is None:
        raise LLMUnavailable(f"On the machine {socket.gethostname()}: {choice.detail}", cure=choice.cure)
    return choice.llm


def _version_error(what: str, has: str, wanted: str) -> NotSetUp:
    return NotSetUp(
        f"The machine {socket.gethostname()} of the Ray cluster has another {what}: {has}, not {wanted}.",
        cure="Start Ray there with the server's FILIGRAPH_EMBEDDER and FILIGRAPH_LLM, and with the same models.",
    )
