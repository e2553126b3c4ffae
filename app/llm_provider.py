"""Choose the LLM: an OpenAI-compatible server that the user named, else Ollama if it answers, else none, which is a
supported mode. It contacts only hosts that the user configured, and Ollama's address on this machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from filigraph.app.settings import Settings
from filigraph.graph.models.llm import DEFAULT_MODEL

if TYPE_CHECKING:
    from filigraph.graph.models.adapters.http import Capabilities, ServerLLM
    from filigraph.graph.models.llm import LLM

CodeValue = str | int | float | Sequence[str]  # a value in the text of a code

LIST_MODELS_SECONDS = 2.0  # seconds for Ollama to list its models


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The LLM, or the reason why there is none."""

    llm: LLM | None
    detail: str
    cure: str = ""
    code: str = "llm"  # the code of `detail`, for other languages
    params: Mapping[str, CodeValue] = field(default_factory=dict)  # the values in `detail` and `cure`


def choose_llm(settings: Settings) -> Choice:
    """The LLM that is usable now. An OpenAI-compatible server is not tested: it is contacted when it is needed."""
    if settings.llm_url:
        return _available_choice(llm_named(settings, settings.llm), settings.llm, settings.llm_url)
    wanted = settings.llm or DEFAULT_MODEL
    pull = f"Run `ollama pull {wanted}`."
    params: dict[str, CodeValue] = {"model": wanted, "address": settings.ollama_host}
    models = ollama_models(settings.ollama_host)
    if models is None:
        install = f"Install Ollama, start it, and run `ollama pull {wanted}`."
        detail = f"no Ollama answers at {settings.ollama_host}."
        return Choice(llm=None, detail=detail, cure=install, code="no_ollama", params=params)
    name = pick_model(models, settings.llm)
    if name is None:
        has = f"it has {', '.join(sorted(models))}" if models else "it has no model"
        detail = f"Ollama at {settings.ollama_host} has no {wanted} ({has})."
        params["models"] = sorted(models)
        return Choice(llm=None, detail=detail, cure=pull, code="no_ollama_model", params=params)
    return _available_choice(llm_named(settings, name), name, settings.ollama_host)


def _available_choice(llm: LLM, model: str, address: str) -> Choice:
    return Choice(llm=llm, detail=f"{model} at {address}", params={"model": model, "address": address})


def llm_named(settings: Settings, name: str) -> ServerLLM:
    """The LLM with that name, whether it answers now or not."""
    if settings.llm_url:
        from filigraph.graph.models.adapters.openai import OpenAILLM

        key = settings.llm_key.get_secret_value()
        return OpenAILLM(name, url=settings.llm_url, api_key=key, capabilities=_capabilities(settings.llm_url, name))
    from filigraph.graph.models.adapters.ollama import OllamaLLM

    return OllamaLLM(name, url=settings.ollama_host, capabilities=_capabilities(settings.ollama_host, name))


@cache
def _capabilities(url: str, name: str) -> Capabilities:
    """What this process knows about a model, shared by all callers."""
    from filigraph.graph.models.adapters.http import Capabilities

    return Capabilities()


def pick_model(models: list[str], wanted: str) -> str | None:
    """The model to use: the wanted one; if none is wanted, the default, or the only one."""
    for name in models:
        if name == (wanted or DEFAULT_MODEL) or name.removesuffix(":latest") == (wanted or DEFAULT_MODEL):
            return name
    if wanted:
        return None
    tagged = sorted(name for name in models if name.partition(":")[0] == DEFAULT_MODEL)
    return tagged[0] if tagged else models[0] if len(models) == 1 else None


def ollama_models(host: str) -> list[str] | None:
    """The models of an Ollama; None if none answers at this address."""
    import httpx

    from filigraph.graph.models.adapters.network import certificates, proxy_for

    try:
        response = httpx.get(
            f"{host}/api/tags",
            timeout=LIST_MODELS_SECONDS,
            proxy=proxy_for(host),
            verify=certificates(),
            trust_env=False,
        )
        response.raise_for_status()
        return [str(model["name"]) for model in response.json()["models"]]
    except (httpx.HTTPError, ValueError, KeyError, TypeError, RecursionError):
        return None
