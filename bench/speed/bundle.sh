#!/bin/sh
# Packs a bundle, installs it where there is no network (Linux: a network namespace with loopback alone), and runs the
# demo from it: sh bench/speed/bundle.sh [FOLDER]. Takes the network, some GB and minutes. Result: bench/results/bundle.json.
set -eu
cd "$(dirname "$0")/../.."
folder="${1:-$(mktemp -d)}"
[ -d "$folder/bundle" ] || .venv/bin/filigraph bundle "$folder/bundle"
rm -rf "$folder/installed" "$folder/home"
FOLDER="$folder" unshare -rn sh -euc '
    ip link set lo up
    if python3 -c "import socket; socket.create_connection((\"198.51.100.1\", 80), 3)" 2>"$FOLDER/refused"; then
        echo "there is a network here" >&2
        exit 1
    fi
    cd "$FOLDER"
    export FILIGRAPH_HOME="$FOLDER/home"
    begin=$(date +%s)
    sh bundle/install.sh installed
    echo $(($(date +%s) - begin)) >install_seconds
    trap "installed/bin/filigraph down" EXIT
    begin=$(date +%s)
    installed/bin/filigraph demo | tee demo.txt
    echo $(($(date +%s) - begin)) >demo_seconds
    installed/bin/filigraph stats -w demo --json >stats.json
'
FOLDER="$folder" .venv/bin/python - <<'END'
import json, os
from pathlib import Path
from bench.common import machine, save
folder = Path(os.environ["FOLDER"])
def size(part): return sum(file.stat().st_size for file in (folder / "bundle" / part).rglob("*") if file.is_file())
save("bundle", {
    "machine": machine(),
    "megabytes": {part: size(part) >> 20 for part in ("wheels", "jars", "models")},
    "files": len((folder / "bundle" / "SHA256SUMS").read_text().splitlines()),
    "network": (folder / "refused").read_text().strip().splitlines()[-1],
    "seconds": {part: int((folder / f"{part}_seconds").read_text()) for part in ("install", "demo")},
    "demo": json.loads((folder / "stats.json").read_text()),
})
END
