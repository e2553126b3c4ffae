"""The Python client: `from filigraph import Filigraph`. The command line asks through it too."""
