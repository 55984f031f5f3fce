#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs fuzz targets one after the other from their corpora. What they find new lies in
# BUILD/fuzzing/TARGET; an input that ends a target is kept beside it and ends the run.
# usage: test/fuzz/fuzz.sh BUILD [options of libFuzzer]      TARGETS="idx plan" for some
set -euo pipefail
build="$(cd "$1" && pwd)"
shift
source="$(cd "$(dirname "$0")" && pwd)"
for target in ${TARGETS:-idx safetensors image pipeline blueprint yaml plan modules}; do
  found="$build/fuzzing/$target"
  mkdir -p "$found"
  # Texts and headers are small, plans and programs have room to grow.
  length=4096
  case "$target" in plan | modules) length=65536 ;; esac
  echo "-- fuzz-$target"
  "$build/bin/fuzz-$target" "-dict=$source/dictionaries/$target.dict" "-max_len=$length" \
    -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1 \
    "-artifact_prefix=$build/fuzzing/$target-" "$@" \
    "$found" "$source/corpus/$target" >"$build/fuzzing/$target.log" 2>&1 ||
    { tail -n 60 "$build/fuzzing/$target.log"; exit 1; }
  grep -E '^(stat::(number|average|peak)|Done)' "$build/fuzzing/$target.log"
done
