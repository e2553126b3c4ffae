"""Text that is signed or encrypted with PGP (RFC 9580): what is signed is text, keys and signatures are not."""

from __future__ import annotations

import re

_BEGIN, _END = "-----BEGIN PGP ", "-----END PGP "
_SIGNED = "SIGNED MESSAGE-----"
ENCRYPTED = "MESSAGE-----"
_HEADER = re.compile(r"\s*(?:$|(?:Hash|Charset|Comment|Version|NotDashEscaped): )")


def without_armour(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without keys, signatures and encrypted parts, and a warning if there are encrypted ones."""
    if _BEGIN not in text:
        return text, ()
    lines: list[str] = []
    encrypted = 0
    signed = head = False  # within a signed text, within the lines before it
    hidden: list[str] = []  # a block so far: text if it has no end
    for line in text.split("\n"):
        kind = line.strip().removeprefix(_BEGIN) if line.startswith(_BEGIN) else ""
        if kind and hidden:  # the block before has no end
            lines, hidden = [*lines, *hidden], []
        head = head and bool(_HEADER.match(line))
        if hidden:
            hidden.append(line)
            if line.startswith(_END):
                encrypted += hidden[0].strip().endswith(f"{_BEGIN}{ENCRYPTED}")
                hidden = []
        elif kind == _SIGNED:
            signed = head = True
        elif kind:
            hidden, signed = [line], False
        elif head:
            head = bool(line.strip())
        else:
            lines.append(line.removeprefix("- ") if signed else line)
    return "\n".join([*lines, *hidden]), ("a part is encrypted (PGP) and is not read",) if encrypted else ()
