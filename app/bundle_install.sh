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
(cd "$here" && sha256sum --quiet -c SHA256SUMS) || fail "the bundle is damaged. Copy it again."
[ -e "$target/bin/python" ] || "$python" -m venv "$target"
PIP_CONFIG_FILE=/dev/null "$target/bin/python" -m pip install --quiet --disable-pip-version-check \
    --no-index --find-links "$here/wheels" filigraph
"$target/bin/python" -m filigraph.app.bundle "$here"
echo "Installed: $target/bin/filigraph" >&2
for kind in embedder reranker; do
    [ ! -d "$here/models/$kind" ] ||
        echo "Set FILIGRAPH_$(echo "$kind" | tr a-z A-Z)=$here/models/$kind to use the $kind of the bundle." >&2
done
