"""`python -m filigraph.app.cli`: the same as `filigraph`."""

from __future__ import annotations

from filigraph.app.cli import main

if __name__ == "__main__":  # search processes import this, too
    main()
