#!/bin/sh
# Starts the server, and stops it with its Neo4j: in the container, and as well on any machine where `filigraph` is on the
# PATH. Without NEO4J_URI the server brings its own Neo4j.
# A public server does not start without a key: where there is none yet, an admin key goes into a file that only this
# user can read, and nowhere else.
set -eu
: "${FILIGRAPH_HOME:?FILIGRAPH_HOME is not set: say where the server keeps its files}"
brought=/opt/neo4j-jars # with the image
jars="$FILIGRAPH_HOME/cache/neo4j/jars"

end() { # with the server's exit code
    code=0
    wait "$server" || code=$?
    [ -n "${NEO4J_URI:-}" ] || filigraph neo4j stop >/dev/null
    [ "$code" -ne 143 ] || code=0 # SIGTERM, so early that the server did not handle it yet
    exit "$code"
}

if [ -d "$brought" ] && [ ! -e "$jars" ]; then
    mkdir -p "${jars%/*}"
    ln -sfn "$brought" "$jars"
fi
filigraph serve --first-key "$FILIGRAPH_HOME/admin.key" &
server=$!
trap 'trap "" TERM INT; kill -TERM "$server" 2>/dev/null || true; end' TERM INT
end
