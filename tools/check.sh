#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs every test. --long gives tests every network of the zoo and larger
# numbers, runs clang-tidy, and fuzzes each target for a minute.
# usage: tools/check.sh [--long] [build folder, default build]
set -euo pipefail
cd "$(dirname "$0")/.."
long=""
if [ "${1:-}" = "--long" ]; then
  long=yes
  shift
fi
folder="${1:-build}"

tools/install-deps.sh build test data ${long:+long}

echo "== formatting and conventions"
tools/lint.sh

echo "== the whole project, warnings are errors"
# The folder may be one that tools/quickstart.sh has set up without tests.
cmake -G Ninja -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DTR_WERROR=ON \
  -DTR_ENABLE_TESTS=ON -DTR_LONG_TESTS="${long:-no}" >"/dev/null"
cmake --build "$folder" --parallel 2

echo "== the runtime alone, without LLVM"
cmake -G Ninja -S runtime -B "$folder/runtime-alone" -DCMAKE_BUILD_TYPE=Release \
  -DTR_WERROR=ON -DTR_ENABLE_TESTS=OFF >"/dev/null"
cmake --build "$folder/runtime-alone" --parallel 2

echo "== tests"
ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel 2

echo "== tests under AddressSanitizer and UndefinedBehaviorSanitizer, corpora of the fuzz targets"
cmake -G Ninja -S . -B "$folder/sanitize" -DCMAKE_BUILD_TYPE=Release \
  -DTR_SANITIZE=ON -DTR_LONG_TESTS="${long:-no}" -DCMAKE_C_COMPILER=clang-22 \
  -DCMAKE_CXX_COMPILER=clang++-22 >"/dev/null"
cmake --build "$folder/sanitize" --parallel 2 \
  --target trs-tests trf-tests trrt-tests trk-tests planner-tests fuzz-targets
ctest --test-dir "$folder/sanitize" --output-on-failure --no-tests=error --parallel 2 \
  -R '^(trs-tests|trf-tests|trrt-tests|trk-tests|planner-tests|fuzz-.*)$'

if [ -n "$long" ]; then
  echo "== clang-tidy"
  tools/tidy.sh "$folder"
  echo "== a minute of each fuzz target"
  test/fuzz/fuzz.sh "$folder/sanitize" -max_total_time=60
fi
