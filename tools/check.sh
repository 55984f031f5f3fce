#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs every test. usage: tools/check.sh [build folder, default build]
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-build}"

tools/install-deps.sh build test data

echo "== formatting and conventions"
tools/lint.sh

echo "== the whole project, warnings are errors"
cmake -G Ninja -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DTR_WERROR=ON >"/dev/null"
cmake --build "$folder" --parallel 2

echo "== the runtime alone, without LLVM"
cmake -G Ninja -S runtime -B "$folder/runtime-alone" -DCMAKE_BUILD_TYPE=Release \
  -DTR_WERROR=ON -DTR_ENABLE_TESTS=OFF >"/dev/null"
cmake --build "$folder/runtime-alone" --parallel 2

echo "== tests"
ctest --test-dir "$folder" --output-on-failure --parallel 2
