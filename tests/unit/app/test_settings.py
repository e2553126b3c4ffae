from __future__ import annotations

from pathlib import Path

import pytest

from filigraph import app
from filigraph.app.settings import Settings, is_loopback, load_settings
from filigraph.graph.errors import InputError


def test_every_setting_says_what_it_is_for() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description and field.description.endswith("."), name


def test_the_page_tells_every_setting_in_french() -> None:
    words = (Path(app.__file__).parent / "web" / "base" / "words-fr.js").read_text(encoding="utf-8")
    rows = load_settings().rows()
    assert rows and [row.name for row in rows if f'"setting.{row.name}":' not in words] == []


def test_defaults_are_safe() -> None:
    settings = load_settings()
    assert is_loopback(settings.host)
    assert settings.neo4j_uri == settings.llm_url == settings.url == ""


def test_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FILIGRAPH_URL", "http://127.0.0.1:8000/")
    monkeypatch.setenv("FILIGRAPH_HOME", str(tmp_path / "x" / ".."))
    monkeypatch.setenv("FILIGRAPH_PORT", "")  # an empty value is no value
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:7687")
    settings = load_settings()
    assert settings.url == "http://127.0.0.1:8000"
    assert settings.home == tmp_path
    assert settings.port == 0
    assert settings.neo4j_uri == "bolt://127.0.0.1:7687"


def test_secrets_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "hunter2")
    monkeypatch.setenv("FILIGRAPH_LLM_KEY", "hunter2")
    monkeypatch.setenv("FILIGRAPH_KEY", "hunter2")
    settings = load_settings()
    assert "hunter2" not in repr(settings) + str(settings) + settings.model_dump_json()
    assert settings.neo4j_password.get_secret_value() == "hunter2"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", "127.0.0.1.example.org"])
def test_what_others_can_reach_is_public(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("FILIGRAPH_HOST", host)
    assert load_settings().public


def test_what_a_proxy_shows_to_others_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILIGRAPH_ALLOWED_HOSTS", " Graph.example.org, ,case.example.org")
    assert load_settings().public
    assert load_settings().allowed_names == {"graph.example.org", "case.example.org"}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_addresses(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("FILIGRAPH_HOST", host)
    assert load_settings().host == host and not load_settings().public


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FILIGRAPH_PORT", "99999"),
        ("FILIGRAPH_PORT", "many"),
        ("FILIGRAPH_MAX_UPLOAD_MB", "0"),
        ("FILIGRAPH_ROOT_PATH", "case"),
        ("FILIGRAPH_ROOT_PATH", "/a//b"),
        ("FILIGRAPH_ROOT_PATH", '/"><script>'),
        ("FILIGRAPH_URL", "127.0.0.1:8000"),
        ("FILIGRAPH_URL", "file:///etc/passwd"),
        ("FILIGRAPH_URL", "http://["),
        ("FILIGRAPH_LLM_URL", "http://127.0.0.1:1/v1"),  # without a model
        ("FILIGRAPH_LLM_URL", "http://anna:hunter2@127.0.0.1:1/v1"),
        ("FILIGRAPH_LLM_URL", "http://token@127.0.0.1:1/v1"),
        ("FILIGRAPH_URL", "http://anna:hunter2@127.0.0.1:8000"),
        ("NEO4J_URI", "bolt://neo4j:hunt/er2@127.0.0.1"),
        ("NEO4J_BROWSER_URL", "http://neo4j:hunter2@127.0.0.1:7474"),
        ("OLLAMA_HOST", "http://["),
        ("FILIGRAPH_NEO4J_SHARDS", "bolt://neo4j:hunt@127.0.0.1:7687"),
        ("FILIGRAPH_NEO4J_SHARDS", "east=bolt://neo4j:hunt@127.0.0.1:7687"),
        ("FILIGRAPH_NEO4J_SHARDS", "home=bolt://127.0.0.1:7687"),
        ("FILIGRAPH_NEO4J_SHARDS", "east=bolt://127.0.0.1:1,east=bolt://127.0.0.1:2"),
        ("FILIGRAPH_RAY", "yes"),
        ("FILIGRAPH_RAY", "head:65536"),
        ("FILIGRAPH_RAY", "http://127.0.0.1:6379"),
    ],
)
def test_what_cannot_be_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError) as caught:
        load_settings()
    assert name in str(caught.value)
    assert caught.value.cure
    assert "hunt" not in str(caught.value)


def test_addresses_of_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().shards == {}
    monkeypatch.setenv("FILIGRAPH_NEO4J_SHARDS", "east=bolt://10.0.0.2:7687, west-2=neo4j+s://graph.example,")
    assert load_settings().shards == {"east": "bolt://10.0.0.2:7687", "west-2": "neo4j+s://graph.example"}


@pytest.mark.parametrize("address", ["auto", "head:6379", "[::1]:6379", "ray://10.0.0.1:10001"])
def test_addresses_of_a_ray_cluster(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("FILIGRAPH_RAY", address)
    assert load_settings().ray == address


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:9000", "http://127.0.0.1:9000"),
        ("https://ollama.example", "https://ollama.example:443"),
        ("[::1]:9000", "http://[::1]:9000"),
        (":9000", "http://127.0.0.1:9000"),
    ],
)
def test_ollama_host_in_all_its_forms(monkeypatch: pytest.MonkeyPatch, given: str, meant: str) -> None:
    monkeypatch.setenv("OLLAMA_HOST", given)
    assert load_settings().ollama_host == meant
