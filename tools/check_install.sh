#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Follows README.md as a newcomer does, on a clean clone of HEAD: its first command, its other
# commands, then the installed package with the clone out of sight.
# As root with debootstrap the clone is in a fresh Debian 12 with nothing but its base system;
# elsewhere it is in an empty folder, with an empty prefix and only the system's own programs.
# usage: tools/check_install.sh [--full] [--here]
#   --full  the README's second command, tools/check.sh, too
#   --here  no fresh Debian, even where one can be made
set -euo pipefail
cd "$(dirname "$0")/.."
full="" here=""
for word in "$@"; do
  case "$word" in
    --full) full=yes ;;
    --here) here=yes ;;
    *) echo "error: expected --full or --here, but got '$word'" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# Runs in the fresh system, or in the restricted environment. usage: newcomer FOLDER [full]
newcomer() {
  set -euo pipefail
  cd "$1/newcomers-clone"
  echo "== tools/doctor, before anything is installed"
  tools/doctor || true
  echo "== tools/quickstart.sh"
  tools/quickstart.sh
  echo "== tools/doctor"
  tools/doctor
  if [ -n "${2:-}" ]; then
    echo "== tools/check.sh"
    tools/check.sh
  fi
  echo "== the commands of README.md"
  python3 tools/check_docs.py build /usr/lib/llvm-22/bin README.md
  echo "== the installed package, the clone moved away"
  cmake --install build --prefix "$1/prefix" >/dev/null
  cp -r docs/examples test/Package "$1"
  cd "$1"
  mv newcomers-clone "$(mktemp -d)"
  Package/use_package.sh "$1/prefix" "$1"
}
inside="$(declare -f newcomer); newcomer"

if [ -z "$here" ] && [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then
  root="$work/debian"
  echo "== a fresh Debian 12"
  # From where this machine has its packages; the suites of Debian only.
  mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null || true; } |
    sed -nE 's/^(URIs:|deb .*) *([a-z+]+:\/\/[^ ]+).*/\2/p' | head -n 1)
  [ -n "$mirror" ] || { echo "error: expected a mirror in /etc/apt/sources.list" >&2; exit 1; }
  debootstrap --variant=minbase bookworm "$root" "$mirror" >"$work/debootstrap.log" ||
    { tail "$work/debootstrap.log" >&2; exit 1; }
  cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || true
  cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/" 2>/dev/null || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  git clone -q --no-hardlinks . "$root/home/newcomers-clone"
  # Mounts and processes go with the namespace.
  unshare --mount --pid --fork bash -c '
    set -e
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      bash -c "$1" newcomer /home $2' "$root" "$inside "'"$@"' "$full"
else
  echo "== no fresh Debian here: an empty folder and prefix, and only the system's programs"
  git clone -q --no-hardlinks . "$work/newcomers-clone"
  mkdir "$work/home"
  env -i HOME="$work/home" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CMAKE_PREFIX_PATH= \
    bash -c "$inside "'"$@"' newcomer "$work" $full
fi
echo "1 passed, 0 failed"
