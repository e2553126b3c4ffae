"""How long a test waits for what takes moments: a busy machine may stand still for half a minute."""

from __future__ import annotations

PATIENCE = 240.0  # seconds
