#!/bin/sh
# Starts the server: in the container, and as well on any machine where `filigraph` is on the PATH.
# The first time it makes an admin key, for a public server does not start without one; the key goes into a file that
# only this user can read, and nowhere else.
set -eu
: "${NEO4J_URI:?NEO4J_URI is not set: say where Neo4j is, such as bolt://neo4j:7687}"
: "${FILIGRAPH_HOME:?FILIGRAPH_HOME is not set: say where the server keeps its files}"
key="$FILIGRAPH_HOME/admin.key"
patience="${NEO4J_PATIENCE:-120}" # seconds until Neo4j answers

if [ ! -s "$key" ]; then
    umask 077
    mkdir -p "$FILIGRAPH_HOME"
    waited=0
    while ! made=$(filigraph keys create admin --scope admin 2>"$key.said"); do
        if grep -q -e 'asks for a key' -e 'named admin already' "$key.said"; then
            made="" # the keys of this database were made before; this volume is new
            echo "This Neo4j has keys already, and $key is missing: use the keys that there are. Where every admin key" \
                "was lost, run MATCH (k:AccessKey) DELETE k in Neo4j, and start this again." >&2
            break
        fi
        waited=$((waited + 5))
        if [ "$waited" -gt "$patience" ]; then
            cat "$key.said" >&2
            exit 1
        fi
        sleep 5
    done
    rm -f "$key.said"
    if [ -n "$made" ]; then
        printf '%s\n' "$made" >"$key"
        echo "The admin key is in $key: read it there, make keys for people with it, and keep it safe." >&2
    fi
fi
exec filigraph serve
