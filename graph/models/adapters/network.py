"""The connection to a model's server: proxy, certificates, and the time of a retry.

As in other programs, the environment decides: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, `SSL_CERT_FILE`,
`REQUESTS_CA_BUNDLE` and `CURL_CA_BUNDLE`. Servers on this machine are never reached through a proxy.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

import httpx

from filigraph.graph.errors import LLMUnavailable

_AUTHORITIES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")  # files or folders of certificates


def certificates() -> ssl.SSLContext:
    """The trusted authorities: the usual ones, those of this machine, and those that the environment names."""
    return _certificates(tuple(os.environ.get(name, "") for name in _AUTHORITIES))


@cache
def _certificates(places: tuple[str, ...]) -> ssl.SSLContext:
    """Cached: loading takes longer than a call's own work, and each call has its own client."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    for place in filter(None, places):
        try:
            context.load_verify_locations(**{"capath" if Path(place).is_dir() else "cafile": place})
        except (OSError, ssl.SSLError) as error:
            raise LLMUnavailable(
                f"The certificates in {place} cannot be read ({error}).",
                cure=f"Correct {' or '.join(name for name in _AUTHORITIES if os.environ.get(name) == place)}.",
            ) from error
    return context


def proxy_for(url: str) -> str | None:
    """The proxy for `url` by the environment; None for this machine's own addresses."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not host or is_loopback(host) or proxy_bypass_environment(parts.netloc) or _is_in_excepted_network(host):
        return None
    proxies = getproxies_environment()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _address(host)
    return address is not None and (address.is_loopback or address.is_unspecified)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait, by `Retry-After` (seconds or a date) or `retry-after-ms`; None if there
    is not a readable value."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(float(milliseconds) / 1000, 0.0)
        value = headers.get("retry-after", "").strip()
        if not value:
            return None
        if value.replace(".", "", 1).isdigit():
            return float(value)
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def _is_in_excepted_network(host: str) -> bool:
    """Whether NO_PROXY names a network, 10.0.0.0/8, in which an address lies."""
    address = _address(host)
    if address is None:
        return False
    for part in getproxies_environment().get("no", "").split(","):
        try:
            if "/" in part and address in ipaddress.ip_network(part.strip(), strict=False):
                return True
        except ValueError:
            continue
    return False


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
