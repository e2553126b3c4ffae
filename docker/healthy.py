"""Whether the server in this container is ready: exit code 0 or 1."""

import os
import sys
import urllib.request

port = os.environ.get("FILIGRAPH_PORT", "8000")
try:
    urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/health/ready", timeout=4).close()
except OSError:  # no answer, or one that says that it is not
    sys.exit(1)
