#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the project into an empty prefix and builds a project outside with it: an own layer, an
# own pass, an own opt tool, and training. usage: package_test.sh BUILD SOURCE WORK
set -euo pipefail
build=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

# Nothing that was installed may need the source or the build tree.
if grep -rIl -F -e "$source/" -e "$build/" "$work/prefix"; then
  echo "error: the files above point into the source or the build tree"
  exit 1
fi
for tool in tr-opt tr-compile tr-run; do
  readelf -d "$work/prefix/bin/$tool" | grep -F -q "$build" &&
    { echo "error: $tool looks for libraries in the build tree"; exit 1; }
done

test -s "$work/prefix/share/man/man1/tr-compile.1"

cp -r "$source/docs/examples/own-layer" "$work/own-layer"
cmake -G Ninja -S "$work/own-layer" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log"
cmake --build "$work/build" --parallel 2 >"$work/build.log" || { cat "$work/build.log"; exit 1; }

"$work/build/own-opt" "$source/test/Package/own.mlir" --pass-pipeline='builtin.module(tr.arch.plan(own-replace-relu,tr-verify-arch))' \
  >"$work/own.mlir"
grep -q 'own.residual_unit %.* \["1"\]' "$work/own.mlir"
"$work/build/own-train" | tee "$work/train.log"
awk '/^step 0:/ { first = $4 } /^step 59:/ { last = $4 } /moved/ { moved = $NF }
     END { exit !(last + 0 < 0.5 * first && moved != 0) }' "$work/train.log" ||
  { echo "error: training did not bring the loss down, or the own weight did not move"; exit 1; }

# Embedding: a network in C++ is compiled and trained, a C program serves it.
cp -r "$source/docs/examples/embed" "$work/embed"
cmake -G Ninja -S "$work/embed" -B "$work/build-embed" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/configure.log"
cmake --build "$work/build-embed" --parallel 2 >"$work/build.log" ||
  { cat "$work/build.log"; exit 1; }
(cd "$work/build-embed" && ./train && ./serve) | tee "$work/serve.log"
for third in 0 1 2; do
  grep -q "third $third is bright: class $third" "$work/serve.log"
done

"$work/prefix/bin/tr-compile" "$work/prefix/share/renaissance/models/lenet.bp" -o "$work/lenet.plan"
"$work/prefix/bin/tr-run" bench "$work/lenet.plan" --mode infer --steps 1
echo "1 passed, 0 failed"
