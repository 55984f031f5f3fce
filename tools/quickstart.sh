#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh Debian 12 to trained networks: installs what is missing, builds,
# compiles two BluePrints, trains them on Fashion-MNIST and prints the accuracy.
set -euo pipefail
cd "$(dirname "$0")/.."
build="build"
threads="$(nproc)"
slices=2
[ "$threads" -le "$slices" ] || threads="$slices"

tools/install-deps.sh build data
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DTR_ENABLE_TESTS=OFF >/dev/null
cmake --build "$build" --parallel "$(nproc)"

train() { # name, batch, epochs, learning rate
  echo
  echo "== $1: compile tools/models/$1.bp"
  "$build/bin/tr-compile" "tools/models/$1.bp" -o "$build/$1.plan" --batch "$2" --val-batch 250 --summary
  echo
  echo "== $1: train $3 epochs on Fashion-MNIST, $threads threads"
  "$build/bin/tr-run" train "$build/$1.plan" --dataset fashion-mnist --epochs "$3" \
    --schedule cosine --lr "$4" --momentum 0.9 --weight-decay 5e-4 --seed 1 --threads "$threads" \
    --save "$build/$1.safetensors" --log "$build/$1.jsonl"
  echo "== $1: test accuracy of the saved weights"
  "$build/bin/tr-run" eval "$build/$1.plan" --weights "$build/$1.safetensors" \
    --dataset fashion-mnist --threads "$threads"
}

train lenet 64 2 0.08
train fashion_resnet 64 4 0.05
