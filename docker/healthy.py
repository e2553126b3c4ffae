"""Whether the server in this container is ready: exit code 0 or 1."""

import json
import os
import sys
import urllib.request

port = os.environ.get("FILIGRAPH_PORT", "8000")
try:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/health", timeout=4) as response:
        sys.exit(0 if json.load(response)["ready"] else 1)
except (OSError, ValueError, KeyError):
    sys.exit(1)
