"""`python -m filigraph.app.cli`: the same as `filigraph`."""

from filigraph.app.cli import main

main()
