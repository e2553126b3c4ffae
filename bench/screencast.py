"""The demo's first question as an animated SVG of thirty seconds: its output over time, with long pauses shortened.

    python -m bench.screencast [docs/demo.svg]

Runs `filigraph demo` and draws its standard output as a terminal would: no recorder, no fonts, no script in the file.
Users who prefer reduced motion see only its last frame.
"""

from __future__ import annotations

import subprocess
import sys
import time
from html import escape
from pathlib import Path

SECONDS = 30.0  # of the whole; the end is shown for REST of them
REST = 4.0
PAUSE = 2.5  # a longer one is shortened to this
READ = 0.45  # at least, before the next line of a question's answer
ROWS, COLUMNS = 27, 84
SIZE, STEP = 13, 18  # pixels
WIDTH, HEIGHT = COLUMNS * 8 + 32, ROWS * STEP + 28
COMMAND = "make demo"


def recorded(command: list[str]) -> list[tuple[float, str]]:
    """The lines that a command prints, each with the seconds since it began."""
    begin = time.monotonic()
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            lines.append((time.monotonic() - begin, line.rstrip("\n")[:COLUMNS]))
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}.")
    return lines


def shortened(lines: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """The reading, the first question with its answer, and where to look: without the other two questions."""
    rules = [number for number, (_, line) in enumerate(lines) if "────" in line]
    return lines if len(rules) < 3 else [*lines[: rules[1]], *lines[rules[-1] :]]


def paced(lines: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """The same lines, slow enough to follow, within SECONDS."""
    now, before = 2.0, 0.0
    timed = []
    for moment, line in lines:
        now += min(max(moment - before, READ if line.strip() else 0.0), PAUSE)
        before = moment
        timed.append((now, line))
    scale = min(1.0, (SECONDS - REST) / now)
    return [(moment * scale, line) for moment, line in timed]


def drawn(lines: list[tuple[float, str]]) -> str:
    """The SVG."""
    rows, style = [], []
    shown = [(0.6, f"$ {COMMAND}"), *lines]
    for number, (moment, line) in enumerate(shown):
        percent = 100 * moment / SECONDS
        style.append(f"@keyframes l{number}{{0%{{opacity:0}}{percent:.2f}%,100%{{opacity:1}}}}")
        kind = "q" if "──" in line and "─→" not in line else "p" if "─→" in line else "s" if "“" in line else "t"
        text = escape(line.rstrip(), quote=False)
        y = 28 + number * STEP
        rows.append(f'<text class="{kind}" y="{y}" style="animation-name:l{number}">{text}</text>')
    up = [max(0, number + 1 - ROWS) * STEP for number in range(len(shown))]
    steps = dict(zip((f"{100 * moment / SECONDS:.2f}%" for moment, _ in shown), up, strict=True))
    moves = "".join(f"{moment}{{transform:translateY(-{by}px)}}" for moment, by in steps.items())
    style.append(f"@keyframes up{{0%{{transform:none}}{moves}100%{{transform:translateY(-{up[-1]}px)}}}}")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-label="make demo: a case file is read, a question is answered by a path of three hops">',
        f"<style>text{{font:{SIZE}px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;"
        f"fill:#d8d2c6;animation:{SECONDS:g}s step-end infinite}}.q{{fill:#fff;font-weight:700}}.p{{fill:#eb947b}}"
        f".s{{fill:#b5ad9e;font-style:italic}}g{{animation:up {SECONDS:g}s step-end infinite}}",
        *style,
        f"@media(prefers-reduced-motion:reduce){{text,g{{animation:none}}g{{transform:translateY(-{up[-1]}px)}}}}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#171614"/>',
        f'<svg x="16" y="0" width="{WIDTH - 32}" height="{HEIGHT - 8}"><g>',
        *rows,
        "</g></svg></svg>\n",
    ])  # fmt: skip


def main() -> None:
    """Run the demo and write the file."""
    file = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/demo.svg")
    file.write_text(
        drawn(paced(shortened(recorded([sys.executable, "-m", "filigraph.app.cli", "demo"])))), encoding="utf-8"
    )
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
