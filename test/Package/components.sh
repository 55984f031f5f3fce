#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each component of an installed package alone: in a root where the packages that it does not need
# are out of sight, with CMake and with pkg-config; and what is said where something is missing.
# usage: components.sh PREFIX WORK, where WORK holds a copy of test/Package
set -euo pipefail
prefix=$1 work=$2/components package=$2/Package
mkdir -p "$work/bin"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"

# Nothing but a C compiler on the path.
for tool in cmake ninja cc as ld env bash pkg-config; do
  ln -sf "$(realpath "$(command -v "$tool")")" "$work/bin/$tool"
done

# usage: disabled PACKAGE...: options of CMake that make find_package() fail
disabled() { printf -- '-DCMAKE_DISABLE_FIND_PACKAGE_%s=ON\n' "$@"; }
others="OpenMP nlohmann_json Threads"

# usage: hiding "FOLDER..." COMMAND...: the folders are empty to COMMAND where a mount namespace is
# allowed; elsewhere what CMake is told must do
hiding() {
  local folders=$1
  shift
  if unshare --map-root-user --mount true 2>/dev/null; then
    # shellcheck disable=SC2016
    unshare --map-root-user --mount bash -c \
      'for folder in $0; do [ ! -d "$folder" ] || mount -t tmpfs none "$folder"; done; exec "$@"' \
      "$folders" "$@"
  else
    "$@"
  fi
}

# usage: build_alone NAME LANGUAGES_PATH PACKAGES...
build_alone() {
  local name=$1 path=$2
  shift 2
  # shellcheck disable=SC2046
  env PATH="$path" cmake -G Ninja -S "$package/$name" -B "$work/$name" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix" $(disabled "$@") >"$work/$name.log" 2>&1 &&
    env PATH="$path" cmake --build "$work/$name" >>"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log"; exit 1; }
}

# usage: expect_fault "TEXT" CMAKE_ARGUMENT...: configuring test/Package/ask fails and says so
expect_fault() {
  local text=$1
  shift
  if cmake -G Ninja -S "$package/ask" -B "$work/ask" --fresh -DCMAKE_PREFIX_PATH="$prefix" \
    "$@" >"$work/ask.log" 2>&1 || ! tr -s ' \n' ' ' <"$work/ask.log" | grep -qF "$text"; then
    cat "$work/ask.log"
    echo "error: expected a failure with '$text'"
    exit 1
  fi
}

# ---- the runtime, from C: neither MLIR nor a C++ compiler, OpenMP, JSON
nothing_else="/usr/lib/llvm-22 /usr/include/nlohmann /usr/include/c++ /usr/include/oneapi"
runtime_alone() {
  # shellcheck disable=SC2086
  build_alone runtime "$work/bin" MLIR LLVM ZLIB $others
  # shellcheck disable=SC2046
  for kind in runtime runtime-static; do
    env PATH="$work/bin" cc -Wall -Werror "$package/runtime/infer.c" -o "$work/$kind-pc" \
      $(pkg-config --cflags --libs "renaissance-$kind")
  done
}
planner_alone() {
  # shellcheck disable=SC2086
  build_alone planner "$PATH" MLIR LLVM ZLIB $others
}
export -f build_alone disabled runtime_alone planner_alone
export work package prefix others
hiding "$nothing_else" bash -euo pipefail -c runtime_alone
hiding "/usr/lib/llvm-22 /usr/include/nlohmann /usr/include/oneapi" \
  bash -euo pipefail -c planner_alone
[ "$("$work/planner/place")" = "peak 96" ]

# ---- the compiler writes a plan, and four ways to link the runtime read it
hiding "/usr/include/nlohmann /usr/include/oneapi" \
  bash -euo pipefail -c 'build_alone blueprint "$PATH" $others'
"$work/blueprint/write-plan" "$work/net.plan"
"$work/runtime/infer-shared" "$work/net.plan" >"$work/shared"
[ "$(wc -l <"$work/shared")" = 3 ] && ! grep -qi nan "$work/shared"
for other in runtime/infer-static runtime-pc runtime-static-pc; do
  LD_LIBRARY_PATH="$prefix/lib" "$work/$other" "$work/net.plan" | cmp - "$work/shared"
done
readelf -d "$work/runtime-pc" | grep -q 'NEEDED.*libtrrt'
! readelf -d "$work/runtime-static-pc" | grep -q 'NEEDED.*libtrrt'

# ---- the other files for pkg-config
# shellcheck disable=SC2046
c++ "$package/planner/place.cpp" -o "$work/place-pc" $(pkg-config --cflags --libs renaissance-planner)
[ "$("$work/place-pc")" = "peak 96" ]
# shellcheck disable=SC2046
c++ -std=c++17 "$package/blueprint/write_plan.cpp" -o "$work/write-plan-pc" \
  $(pkg-config --cflags --libs renaissance-blueprint)
"$work/write-plan-pc" "$work/pc.plan"
cmp "$work/net.plan" "$work/pc.plan"
# shellcheck disable=SC2046
c++ -std=c++17 -fsyntax-only -x c++ $(pkg-config --cflags renaissance-compiler) - \
  <<<'#include "renaissance/InitAll.h"'

# The passes without kernels, runtime and language; that they link so, docs/examples/other-compiler shows.
# shellcheck disable=SC2046,SC2086
cmake -G Ninja -S "$package/ask" -B "$work/ask" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=compiler \
  "-DLANGUAGES=C;CXX" $(disabled $others) >"$work/ask.log" 2>&1 || { cat "$work/ask.log"; exit 1; }

# ---- what is missing has a name
expect_fault "component 'runtme': expected a component of runtime, planner, compiler, blueprint" \
  -DCOMPONENT=runtme -DLANGUAGES=NONE
expect_fault "component 'planner': it needs the language CXX in project()" \
  -DCOMPONENT=planner -DLANGUAGES=NONE
expect_fault "component 'compiler': it needs MLIR 22.1 (Debian: libmlir-22-dev and mlir-22-tools), but found none" \
  -DCOMPONENT=compiler -DLANGUAGES=CXX "$(disabled MLIR)"
# As an installation of the runtime alone has it.
mkdir -p "$work/small/lib"
cp -r "$prefix/lib/cmake" "$work/small/lib"
sed -i 's/^set(_Renaissance_installed .*/set(_Renaissance_installed runtime planner)/' \
  "$work/small/lib/cmake/Renaissance/RenaissanceConfig.cmake"
expect_fault "component 'blueprint': this installation was built without it (TR_ENABLE_COMPILER=OFF)" \
  -DCOMPONENT=blueprint -DLANGUAGES=NONE -DCMAKE_PREFIX_PATH="$work/small"
echo "components: passed"
