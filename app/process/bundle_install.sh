#!/bin/sh
# Installs Filigraph from this folder, without any network: sh install.sh [FOLDER]     (a new folder, default: filigraph)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target="${1:-filigraph}"
python="${PYTHON:-python3}"
fail() { echo "filigraph: $1" >&2; exit 1; }
[ "$(uname -s) $(uname -m)" = "@SYSTEM@" ] || fail "this bundle is for @SYSTEM@, not for $(uname -s) $(uname -m). Make one on such a machine."
[ "$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')" = "@PYTHON@" ] ||
    fail "this bundle is for Python @PYTHON@. Name one: PYTHON=python@PYTHON@ sh install.sh"
[ ! -e "$target" ] || fail "$target is there already. Name another folder, or remove it first: what was read is not in it."
"$python" -I - "$here" <<'END' || fail "the bundle is damaged. Copy it again."
import hashlib, os, sys
os.chdir(sys.argv[1])
damaged = []
for line in open("SHA256SUMS", encoding="utf-8"):
    digest, name = line.rstrip("\n").split("  ", 1)
    content = open(name, "rb") if os.path.exists(name) else None
    if content is None or hashlib.file_digest(content, "sha256").hexdigest() != digest:
        damaged.append(name)
if damaged:
    sys.exit("\n".join(f"{name}: FAILED" for name in damaged))
END
trap 'rm -rf "$target"' EXIT # half of it is of no use
trap 'exit 1' HUP INT TERM
"$python" -m venv "$target" || fail "cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv"
PIP_CONFIG_FILE=/dev/null "$target/bin/python" -m pip install --quiet --disable-pip-version-check \
    --no-index --find-links "$here/wheels" "filigraph[@EXTRAS@]"
"$target/bin/python" -m filigraph.app.process.bundle "$here"
[ ! -d "$here/models" ] || cp -R "$here/models" "$target/models"
trap - EXIT
target=$(cd "$target" && pwd)
echo "Installed: $target/bin/filigraph" >&2
for model in "$target"/models/*/*; do
    [ ! -d "$model" ] || kind=$(basename "$(dirname "$model")")
    [ ! -d "$model" ] || echo "Set FILIGRAPH_$(echo "$kind" | tr a-z A-Z)=$model to use the $kind of the bundle." >&2
done
