"""Put the jars of the Neo4j that Filigraph brings into a folder, verified."""

import sys
from pathlib import Path

from filigraph.app.neo4j.download import fetch_jars
from filigraph.app.neo4j.lock import chosen_version, read_lock

fetch_jars(read_lock(chosen_version(None)).jars, Path(sys.argv[1]), progress=False)
