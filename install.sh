#!/bin/sh
# Makes .venv and installs Filigraph into it, with what its tests need. Run by make; also works alone: sh install.sh
# PyTorch comes from its own CPU index where that can be reached (200 MB), else from PyPI (several GB, with CUDA).
# With SLIM=1 neither PyTorch nor what tests need is installed: slim.txt says what is missing then.
set -eu
cd "$(dirname "$0")"
PYTHON="${PYTHON:-python3}"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "filigraph: Python 3.11 or newer is needed, $("$PYTHON" --version 2>&1) was found. Name another: make demo PYTHON=python3.12" >&2
    exit 1
}
[ -x .venv/bin/python ] || "$PYTHON" -m venv .venv || {
    echo "filigraph: cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2
    exit 1
}
# An environment that another tool made (uv, for one) may come without pip.
[ -x .venv/bin/uv ] || .venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip >/dev/null
[ -x .venv/bin/uv ] || .venv/bin/python -m pip install --quiet --disable-pip-version-check "$(grep '^uv==' constraints.txt)"
# Trust what this machine trusts (a company's proxy has a certificate of its own), where it keeps such a list.
for list in /etc/ssl/certs /etc/pki/tls/certs /System/Library/Keychains; do
    [ -d "$list" ] && [ -n "$(ls "$list")" ] && export UV_SYSTEM_CERTS=1
done
install() { .venv/bin/uv pip install --quiet --python .venv/bin/python -c constraints.txt -e . "$@"; }
if [ -n "${SLIM:-}" ]; then
    echo "filigraph: installing without PyTorch (once): no cross-encoder, no embedder but the default, no tests ..." >&2
    install --override slim.txt
    exit
fi
echo "filigraph: installing (once; 20 s to a few minutes) ..." >&2
UV_HTTP_RETRIES=0 install --group dev --torch-backend cpu 2>/dev/null || install --group dev
