#!/bin/sh
# Builds the image `filigraph` with docker, podman or buildah, whichever is here: sh docker/build.sh [--build-arg NAME=VALUE]...
# `sh docker/build.sh --check` only says which one that is; it fails where that one could not build without a download
# of the base image.
set -eu
cd "$(dirname "$0")/.."
base=docker.io/library/$(sed -n 's/^FROM \([^ ]*\)$/\1/p' docker/Dockerfile)

unable() {
    echo "filigraph: no image can be built: $1." >&2
    exit 1
}

if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    tool=docker
elif command -v podman >/dev/null; then
    tool=podman
elif command -v buildah >/dev/null; then
    tool=buildah
else
    unable "neither docker (with its daemon), podman nor buildah is here"
fi
case $tool in
docker) docker image inspect "$base" ;;
podman) podman image exists "$base" ;;
buildah) buildah images "$base" ;;
esac >/dev/null 2>&1 && has_base=yes || has_base=""

if [ "${1:-}" = --check ]; then
    [ -n "$has_base" ] || unable "$tool has no $base here, which \`make image\` downloads"
    echo "$tool"
    exit
fi
[ -n "$has_base" ] || "$tool" pull "$base"
how=""
# a chroot needs neither a daemon nor a namespace, and so works inside a container, too; only Docker's format has a HEALTHCHECK
[ "$tool" = docker ] || how="--layers --format docker --network host --isolation chroot"
# shellcheck disable=SC2086 # several words, or none
"$tool" build $how -f docker/Dockerfile -t filigraph "$@" .
