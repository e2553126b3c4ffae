#!/bin/sh
# Packs a bundle, installs it where there is no network (Linux: a network namespace with loopback alone), and runs the
# demo from it: sh bench/bundle.sh [FOLDER]. Takes the network, some GB and minutes.
set -eu
cd "$(dirname "$0")/.."
folder="${1:-$(mktemp -d)}"
[ -d "$folder/bundle" ] || .venv/bin/filigraph bundle "$folder/bundle"
rm -rf "$folder/installed" "$folder/home"
FOLDER="$folder" unshare -rn sh -euc '
    ip link set lo up
    ! python3 -c "import socket; socket.create_connection((\"198.51.100.1\", 80), 3)" 2>/dev/null
    cd "$FOLDER"
    export FILIGRAPH_HOME="$FOLDER/home"
    sh bundle/install.sh installed
    trap "installed/bin/filigraph down" EXIT
    installed/bin/filigraph demo
'
