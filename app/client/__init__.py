"""The Python client: `from filigraph import Filigraph`. The command line uses it, too."""
