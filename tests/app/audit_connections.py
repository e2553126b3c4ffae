"""Record the hosts to which the Python processes of an environment connect."""

from __future__ import annotations

import json
import os
from pathlib import Path

from filigraph.app.settings import is_loopback

HOOK = """
import json, os, sys

WHERE = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1, "socket.getaddrinfo": 0,
         "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}
told = os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

def hook(event, arguments):
    if event in WHERE:
        address = arguments[WHERE[event]]
        host = address[0] if isinstance(address, tuple) else address
        os.write(told, (json.dumps([event, host if isinstance(host, str) else repr(host)]) + "\\n").encode())

sys.addaudithook(hook)
"""

NO_HOST = ("None", "b''")  # how a program asks where it can listen itself


class Audit:
    """What the Python processes of an environment connect to and look up."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "watched"
        (folder / "hook").mkdir()
        (folder / "hook" / "sitecustomize.py").write_text(HOOK)
        paths = filter(None, [str(folder / "hook"), os.environ.get("PYTHONPATH")])
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "WATCHED": str(self.file)}
        del self.environment["HF_HUB_OFFLINE"]  # set by the tests: the server has to keep away by itself

    def hosts(self) -> set[str]:
        return {host for _, host in map(json.loads, self.file.read_text().splitlines())} - set(NO_HOST)


def strangers(hosts: set[str]) -> set[str]:
    """Those that are not this machine."""
    return {host for host in hosts if not host.startswith("/") and not is_loopback(host.removeprefix("::ffff:"))}
