#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy with .clang-tidy over the sources that a build has compiled, headers included.
# usage: tools/tidy.sh BUILD [path prefix ...]      tools/tidy.sh build runtime kernels
set -euo pipefail
cd "$(dirname "$0")/.."
build="$1"
shift
tidy=$(command -v clang-tidy-22) || {
  echo "error: expected clang-tidy 22, but got none; apt-get install clang-tidy-22" >&2
  exit 1
}
mapfile -t sources < <(git ls-files "${@:-.}" | grep '\.cpp$' | while read -r source; do
  grep -q "/$source\"" "$build/compile_commands.json" && echo "$source"
done)
printf '%s\n' "${sources[@]}" |
  xargs -P "$(nproc)" -n 4 "$tidy" -p "$build" --quiet --warnings-as-errors='*'
