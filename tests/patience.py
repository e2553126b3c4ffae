"""How long a test waits for something that takes moments: a busy machine may pause for half a minute."""

from __future__ import annotations

PATIENCE = 240.0  # seconds
