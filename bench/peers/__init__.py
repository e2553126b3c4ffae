"""Published retrievers beside ours, on one graph, measured by `python -m bench.peers`.

Each is a function from a question to the ids of chunks, best first. Their packages are the extra `bench`; nothing else
of this project needs them.
"""

from collections.abc import Callable

Ask = Callable[[str], list[str]]
