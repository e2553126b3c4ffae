"""All settings, in one typed class: the only place that reads the environment, and the file of `filigraph config`,
which the environment overrides.

    FILIGRAPH_…        our own
    NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_BROWSER_URL, OLLAMA_HOST        names that other programs use too

Every field has a description and a row in `docs/reference.md`. Secrets are masked wherever settings are printed, and
unsafe values are refused, with a cure.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from filigraph.app.settings_file import HOME, read_settings
from filigraph.graph.errors import InputError, without_prefix

DEFAULT_OLLAMA = "http://127.0.0.1:11434"


def setting(name: str, default: Any, help_: str, *, ge: int | None = None, le: int | None = None) -> Any:
    """A field: its environment variable, default, description and limits."""
    return Field(default, validation_alias=AliasChoices(name), description=help_, ge=ge, le=le)


@dataclass(frozen=True, kw_only=True)
class SettingsRow:
    """A setting of the server."""

    name: Annotated[str, Field(description="Its name in the environment.")]
    value: Annotated[str, Field(description="Its value; of a secret only whether it is set.")]
    default: Annotated[bool, Field(description="Whether this is the default.")]
    meaning: Annotated[str, Field(description="Its description.")]


class Settings(BaseSettings):
    """The settings of this process, from its environment."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True)

    url: str = setting(
        "FILIGRAPH_URL", "", "A Filigraph server that already runs, for the command line; none is started then."
    )
    home: Path | None = setting(
        "FILIGRAPH_HOME", None, "The folder for all of Filigraph's data, instead of the user's standard folders."
    )
    host: str = setting(
        "FILIGRAPH_HOST",
        "127.0.0.1",
        "The address the server listens on. One that other machines reach takes a key.",
    )
    allowed_hosts: str = setting(
        "FILIGRAPH_ALLOWED_HOSTS",
        "",
        "The names under which others reach the server, with commas between them. Takes a key.",
    )
    root_path: str = setting(
        "FILIGRAPH_ROOT_PATH", "", "The path under which a proxy shows the server, such as /filigraph."
    )
    key: SecretStr = setting("FILIGRAPH_KEY", SecretStr(""), "The key with which the command line asks a server.")
    port: int = setting(
        "FILIGRAPH_PORT", 0, "The port the server listens on. 0: the one used last, else a free one.", ge=0, le=65535
    )
    max_upload_mb: int = setting(
        "FILIGRAPH_MAX_UPLOAD_MB", 200, "The largest upload in one request, in megabytes.", ge=1, le=4096
    )
    max_import_mb: int = setting(
        "FILIGRAPH_MAX_IMPORT_MB", 4096, "The largest export that can be imported, in megabytes.", ge=1, le=1_000_000
    )
    trace_days: int = setting(
        "FILIGRAPH_TRACE_DAYS", 0, "How many days an answer and its trace are kept. 0: until deleted.", ge=0, le=3650
    )
    jobs: int = setting("FILIGRAPH_JOBS", 2, "How many jobs run at once.", ge=1, le=64)
    jobs_mb: int = setting(
        "FILIGRAPH_JOBS_MB", 2000, "How many megabytes of files are kept for jobs, in Neo4j.", ge=1, le=1_000_000
    )
    folders: str = setting(
        "FILIGRAPH_FOLDERS", "", "The folders that the server may watch, or that hold such, with commas between them."
    )
    signing_key: Path | None = setting(
        "FILIGRAPH_SIGNING_KEY", None, "The file of an Ed25519 private key (PEM) that signs receipts of answers."
    )
    audit_days: int = setting("FILIGRAPH_AUDIT_DAYS", 365, "How many days the audit log is kept.", ge=1, le=36500)
    requests_a_minute: int = setting(
        "FILIGRAPH_REQUESTS_A_MINUTE", 600, "How many requests a key, or an address without one, has a minute.", ge=1
    )
    question_seconds: int = setting(
        "FILIGRAPH_QUESTION_SECONDS",
        60,
        "How many seconds the search for a question's evidence may take once it has begun.",
        ge=1,
        le=3600,
    )
    rounds: int = setting(
        "FILIGRAPH_ROUNDS",
        4,
        "How often an LLM reads for an answer at most: between two readings it looks for more. 1: it reads once.",
        ge=1,
        le=10,
    )
    answer_tokens: int = setting(
        "FILIGRAPH_ANSWER_TOKENS",
        30_000,
        "How many tokens an LLM may read and write for an answer; when they are spent it must answer.",
        ge=1_000,
    )
    answer_seconds: int = setting(
        "FILIGRAPH_ANSWER_SECONDS",
        300,
        "After how many seconds an LLM that looks for more must answer.",
        ge=1,
        le=3600,
    )
    workers: int = setting(
        "FILIGRAPH_WORKERS",
        0,
        "How many processes search, the server among them; the others start when questions are asked at once. "
        "0: half of the processor's cores.",
        ge=0,
        le=64,
    )
    read_ahead: int = setting(
        "FILIGRAPH_READ_AHEAD",
        10_000,
        "Workspaces of up to so many chunks are read into memory before questions come: 40 kB a chunk in every process "
        "that searches. Of those of up to ten times as many only what links the chunks: 6 kB a chunk. The one used "
        "last is prepared when the server starts. 0: none.",
        ge=0,
        le=1_000_000,
    )
    kept_megabytes: int = setting(
        "FILIGRAPH_KEPT_MEGABYTES",
        4096,
        "How much memory the server may use, about, for what saves time: the names of workspaces that were changed "
        "last, and views. What was used least recently goes first.",
        ge=64,
    )
    log: Literal["text", "json"] = setting(
        "FILIGRAPH_LOG", "text", "How the server logs: text for people, json for programs."
    )
    neo4j_uri: str = setting(
        "NEO4J_URI", "", "A Neo4j of your own, 5.26 to 2026.x. Unset: Filigraph brings and runs one."
    )
    neo4j_username: str = setting("NEO4J_USERNAME", "neo4j", "The user name for a Neo4j of your own.")
    neo4j_password: SecretStr = setting("NEO4J_PASSWORD", SecretStr(""), "The password for a Neo4j of your own.")
    neo4j_shards: str = setting(
        "FILIGRAPH_NEO4J_SHARDS",
        "",
        "More Neo4j servers that hold workspaces: NAME=ADDRESS, with commas between them. NEO4J_USERNAME and "
        "NEO4J_PASSWORD are for them, too. `filigraph move` moves a workspace to one.",
    )
    neo4j_browser_url: str = setting(
        "NEO4J_BROWSER_URL", "", "Where Neo4j Browser opens on a Neo4j of your own, for the page's links to it."
    )
    embedder: str = setting(
        "FILIGRAPH_EMBEDDER",
        "",
        "The embedding model: e5 (many languages) or minilm (English), which come with Filigraph; a folder; a "
        "model's name on the hub; or a class of LlamaIndex's with its arguments in JSON. Unset: e5.",
    )
    reranker: str = setting(
        "FILIGRAPH_RERANKER",
        "",
        "The cross-encoder that reranks: a folder, or a name on the hub. Unset: none, the graph's order is final.",
    )
    llm: str = setting("FILIGRAPH_LLM", "", "The LLM's name. Unset: mistral, or the only model that Ollama has.")
    llm_url: str = setting(
        "FILIGRAPH_LLM_URL", "", "An OpenAI-compatible server, up to and with /v1. Unset: Ollama, if it answers."
    )
    llm_key: SecretStr = setting("FILIGRAPH_LLM_KEY", SecretStr(""), "The key for the OpenAI-compatible server.")
    llm_parallel: int = setting(
        "FILIGRAPH_LLM_PARALLEL",
        2,
        "How many chunks an LLM is asked for at once.",
        ge=1,
        le=64,
    )
    reading: Literal["thorough", "thrifty"] = setting(
        "FILIGRAPH_READING",
        "thorough",
        "How much an LLM is asked for of a chunk: thorough (20 facts and 4 implied ones) or thrifty (8 and 2).",
    )
    llm_timeout: int = setting(
        "FILIGRAPH_LLM_TIMEOUT", 300, "How many seconds an LLM has for one chunk.", ge=5, le=3600
    )
    llm_tokens_a_day: int = setting(
        "FILIGRAPH_LLM_TOKENS_A_DAY",
        0,
        "How many tokens a workspace may have the LLM read and write in a day. 0: as many as it likes.",
        ge=0,
    )
    llm_price_in: float = setting(
        "FILIGRAPH_LLM_PRICE_IN", 0.0, "What a million tokens sent to the LLM cost, in any currency.", ge=0
    )
    llm_price_out: float = setting(
        "FILIGRAPH_LLM_PRICE_OUT", 0.0, "What a million tokens that the LLM writes cost.", ge=0
    )
    llm_batch_price: float = setting(
        "FILIGRAPH_LLM_BATCH_PRICE",
        0.5,
        "What a call in a provider's batch costs, as a share of the usual price.",
        ge=0,
    )
    llm_batch_lines: int = setting(
        "FILIGRAPH_LLM_BATCH_LINES", 50_000, "How many calls a provider's batch holds at most.", ge=1, le=50_000
    )
    ocr_languages: str = setting(
        "FILIGRAPH_OCR_LANGUAGES",
        "eng+fra",
        "The languages in which scanned pages are read, as tesseract names them, with + between them.",
    )
    ray: str = setting(
        "FILIGRAPH_RAY",
        "",
        "A Ray cluster that reads documents: auto (Ray runs on this machine), HOST:PORT of its head, or "
        "ray://HOST:PORT. Unset: this machine reads alone.",
    )
    ollama_host: str = setting("OLLAMA_HOST", DEFAULT_OLLAMA, "Where Ollama answers.")

    @property
    def searching_processes(self) -> int:
        """The number of search processes: `workers`, or half of the cores that this process may use, at least one."""
        from filigraph.graph.process.threads import usable_cores

        return self.workers or max(1, usable_cores() // 2)

    @property
    def public(self) -> bool:
        """Whether other machines can reach the server: then every request needs a key."""
        return not is_loopback(self.host) or bool(self.allowed_names)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that must not be logged."""
        return tuple(secret.get_secret_value() for secret in (self.key, self.neo4j_password, self.llm_key) if secret)

    def rows(self) -> list[SettingsRow]:
        """The settings of a server, without secrets."""
        fields = type(self).model_fields
        return [
            SettingsRow(
                name=name,
                value=display_value(self, name),
                default=getattr(self, field) == fields[field].default,
                meaning=str(fields[field].description),
            )
            for name, field in NAMES.items()
            if name not in OF_CLIENTS
        ]

    @property
    def shards(self) -> dict[str, str]:
        """The address of each shard by its name."""
        return dict(pair.split("=", 1) for pair in self.neo4j_shards.split(",") if pair)

    @property
    def allowed_names(self) -> frozenset[str]:
        """The names in `allowed_hosts`."""
        return frozenset(filter(None, (name.strip().lower() for name in self.allowed_hosts.split(","))))

    @field_validator("root_path")
    @classmethod
    def _prefix(cls, path: str) -> str:
        path = path.rstrip("/")
        if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*", path):
            raise ValueError("it is not a path|Write it like /filigraph.")
        return path

    @field_validator("url", "llm_url", "neo4j_browser_url")
    @classmethod
    def _web_address(cls, url: str) -> str:
        if not url:
            return ""
        try:
            parts = urlsplit(url)
            _ = parts.port  # raises on nonsense
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("it is not a web address|Write it like http://127.0.0.1:8000.")
        return url.rstrip("/")

    @field_validator("url", "llm_url", "neo4j_uri", "neo4j_browser_url")
    @classmethod
    def _without_a_password(cls, url: str) -> str:
        """Addresses are shown to readers and logged, so they must not contain a password."""
        if "@" in url:
            raise ValueError(
                "it holds a user or a password|Leave them out: NEO4J_USERNAME, NEO4J_PASSWORD, FILIGRAPH_LLM_KEY and "
                "FILIGRAPH_KEY are for them."
            )
        return url

    @field_validator("neo4j_shards")
    @classmethod
    def _shard_addresses(cls, shards: str) -> str:
        pairs = [pair.strip().split("=", 1) for pair in shards.split(",") if pair.strip()]
        names = [name for name, *_ in pairs]
        for name, *address in pairs:
            if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", name) or name == "home" or not address or "@" in address[0]:
                raise ValueError(
                    "it names no shards|Write them like east=bolt://10.0.0.2:7687, with a name other than home "
                    "in small letters, digits and hyphens, and without a user or a password."
                )
        if len(set(names)) < len(names):
            raise ValueError("two shards have one name|Name each once.")
        return ",".join("=".join(pair) for pair in pairs)

    @field_validator("ollama_host")
    @classmethod
    def _ollama_address(cls, host: str) -> str:
        """OLLAMA_HOST may lack the scheme and the port, and may be the server's own 0.0.0.0."""
        url = host if "://" in host else f"http://{host}"
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 11434)
        except ValueError:
            raise ValueError("it is not an address|Write it like 127.0.0.1:11434.") from None
        name = parts.hostname or "127.0.0.1"
        name = "127.0.0.1" if name == "0.0.0.0" else name  # noqa: S104 - a client's way to say "this machine"
        return f"{parts.scheme}://{f'[{name}]' if ':' in name else name}:{port}"

    @field_validator("ocr_languages")
    @classmethod
    def _tesseract_languages(cls, languages: str) -> str:
        if not re.fullmatch(r"[A-Za-z_]+(\+[A-Za-z_]+)*", languages):
            raise ValueError("it names no languages|Write them like eng+fra.")
        return languages

    @field_validator("ray")
    @classmethod
    def _ray_address(cls, address: str) -> str:
        known = re.fullmatch(r"auto|(ray://)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})", address)
        if address and (known is None or int(known[3] or 1) not in range(1, 65536)):
            raise ValueError("it is not a Ray cluster|Write auto, HOST:6379 or ray://HOST:10001.")
        return address

    @field_validator("home")
    @classmethod
    def _whole_path(cls, home: Path | None) -> Path | None:
        return home.expanduser().resolve() if home else None

    @property
    def made_models(self) -> Path | None:
        """The folder for files made from a model's weights; None for the user's own cache."""
        return self.home / "cache" / "models" if self.home else None

    @model_validator(mode="after")
    def _whole_llm(self) -> Settings:
        if self.llm_url and not self.llm:
            raise ValueError("FILIGRAPH_LLM_URL is set and FILIGRAPH_LLM is not|Name the model in FILIGRAPH_LLM.")
        return self


NAMES = {  # variable -> field
    str(info.validation_alias.choices[0]): field
    for field, info in Settings.model_fields.items()
    if isinstance(info.validation_alias, AliasChoices)
}
OF_CLIENTS = frozenset({HOME, "FILIGRAPH_URL", "FILIGRAPH_KEY"})  # the server ignores them


def load_settings(stored: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process: from the environment, else from `kept`, by default the file. Raises InputError with
    the variable, the cause and the cure.
    """
    stored = read_settings() if stored is None else stored
    if unknown := sorted(set(stored) - (set(NAMES) - {HOME})):
        import difflib

        near = difflib.get_close_matches(unknown[0], set(NAMES) - {HOME}, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise InputError(
            f"{unknown[0]} is not a setting that can be stored.",
            cure=f"{meant}docs/reference.md names them; `filigraph config unset` removes one from the file.",
        )
    try:
        return Settings(**{name: value for name, value in stored.items() if name not in os.environ})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        cause, _, cure = without_prefix(first["msg"]).partition("|")
        cause = cause.partition(", unable to parse")[0]  # pydantic's own words
        subject = f"{name} cannot be used: " if name else ""
        raise InputError(f"{subject}{cause.rstrip('.')}.", cure=cure or f"Correct {name}, or unset it.") from None


def display_value(settings: Settings, name: str) -> str:
    """A setting's value for display; for a secret only whether it is set."""
    value = getattr(settings, NAMES[name])
    return ("(set)" if value else "") if isinstance(value, SecretStr) else "" if value is None else str(value)


def setting_digests(settings: Settings, salt: str) -> dict[str, str]:
    """Salted hashes of the settings by variable, to compare a server's with these without revealing them."""
    hashes = {}
    for name in sorted(set(NAMES) - OF_CLIENTS):
        value = getattr(settings, NAMES[name])
        text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        hashes[name] = hashlib.sha256(f"{salt} {name} {text}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return hashes


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server on `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
