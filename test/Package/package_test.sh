#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the project into an empty prefix and uses it from outside with the source and the build
# tree out of sight. usage: package_test.sh BUILD SOURCE
set -euo pipefail
build=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

# Nothing that was installed may name the source or the build tree.
if grep -rIl -F -e "$source/" -e "$build/" "$work/prefix"; then
  echo "error: the files above point into the source or the build tree"
  exit 1
fi
for tool in tr-opt tr-compile tr-run; do
  readelf -d "$work/prefix/bin/$tool" | grep -F -q "$build" &&
    { echo "error: $tool looks for libraries in the build tree"; exit 1; }
done

cp -r "$source/docs/examples" "$source/test/Package" "$work"
# Empty folders lie over both trees, in a mount namespace of this test alone.
hide='mount -t tmpfs none "$1" && { [ ! -e "$2" ] || mount -t tmpfs none "$2"; } &&
  [ -z "$(ls -A "$1")" ] && exec "$3/Package/use_package.sh" "$3/prefix" "$3"'
if unshare --map-root-user --mount true 2>/dev/null; then
  cd / && unshare --map-root-user --mount bash -c "$hide" hide "$source" "$build" "$work"
else
  echo "note: this machine allows no mount namespace: both trees stay in sight, the search above " \
    "is what looks for them"
  "$work/Package/use_package.sh" "$work/prefix" "$work"
fi
