"""Progress without a terminal: occasional lines for logs. Imports rich, so import this module lazily."""

from __future__ import annotations

import time
from typing import Any

from rich.progress import Progress, TaskID

from filigraph.app.cli.terminal.text import duration

EVERY = 30.0  # seconds between two lines; shorter work prints none


class ProgressLines(Progress):
    """A rich Progress that prints a line every EVERY seconds instead of drawing a bar."""

    def __init__(self, **options: Any) -> None:
        super().__init__(disable=True, **options)
        self._reported_at = time.monotonic()

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Update a task as rich does, and print a line if EVERY seconds have passed."""
        super().update(task_id, **changes)
        now = time.monotonic()
        if now - self._reported_at < EVERY:
            return
        self._reported_at = now
        task = self._tasks[task_id]
        counted = f": {task.completed:,.0f} of {task.total:,.0f}" if task.total else ""
        if task.total and task.speed:
            counted += f", {task.speed:,.1f} a second"
        if task.total and task.time_remaining:
            counted += f", about {duration(task.time_remaining)} left"
        self.console.print(f"{task.description}{counted}")
