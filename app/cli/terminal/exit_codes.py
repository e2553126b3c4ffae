"""The exit codes of commands; 0 is success, and 2 a command line that cannot be used."""

from __future__ import annotations

FAILED = 1
IN_PART = 3  # some files, calls or rows failed, or the command was cancelled
