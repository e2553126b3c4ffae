"""Whether the server in this container is ready: exit code 0 or 1."""

import os
import sys
import urllib.request

ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open  # no proxy leads to this container
port = os.environ.get("FILIGRAPH_PORT", "8000")
try:
    ask(f"http://127.0.0.1:{port}/v1/health/ready", timeout=4).close()
except OSError:  # no answer, or one that says that it is not
    sys.exit(1)
