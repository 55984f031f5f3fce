#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of the Debian 12 packages that Renaissance needs.
# usage: tools/install-deps.sh [--missing] [build] [test] [data] [long]     (default: the first three)
# --missing installs nothing and prints the packages that are not there, one on a line.
set -euo pipefail
only_list=""
if [ "${1:-}" = "--missing" ]; then
  only_list=yes
  shift
fi

build="g++ cmake ninja-build ccache mold libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  libdnnl-dev libxxhash-dev zlib1g-dev libjpeg62-turbo-dev libpng-dev libwebp-dev nlohmann-json3-dev libcli11-dev libgtest-dev pkgconf"
test="git python3 python3-numpy python3-torch clang-format clang-22 libclang-rt-22-dev chromium
  python3-pil python3-torchvision valgrind dataset-fashion-mnist"
data="dataset-fashion-mnist"
long="clang-tidy-22"

wanted=""
for group in "${@:-build test data}"; do
  for name in $group; do
    case "$name" in
      build) wanted+=" $build" ;;
      test) wanted+=" $test" ;;
      data) wanted+=" $data" ;;
      long) wanted+=" $long" ;;
      *) echo "error: expected build, test, data or long, but got '$name'" >&2; exit 2 ;;
    esac
  done
done

missing=""
for package in $wanted; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
    missing+=" $package"
done
[ -z "$missing" ] && exit 0
if [ -n "$only_list" ]; then
  printf '%s\n' $missing
  exit 0
fi

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
echo "installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
