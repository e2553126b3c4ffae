"""mcp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Workspace
from filigraph.app.cli.terminal.session import connected

if TYPE_CHECKING:
    import httpx
    from mcp.server.mcpserver import Context


def mcp(workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """Serve an agent by the Model Context Protocol over standard input and output. The agent starts this command."""
    from urllib.parse import urlsplit

    import httpx

    from filigraph.app.mcp.server import TIMEOUT, mcp_server
    from filigraph.app.settings import is_loopback, load_settings

    key = load_settings().key.get_secret_value()
    with connected() as client:
        url = client.url

    def connect(_: Context) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        proxies = not is_loopback(urlsplit(url).hostname or "")
        return httpx.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT, trust_env=proxies)

    mcp_server(connect, workspace=workspace).run("stdio")
