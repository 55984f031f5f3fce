#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tr-memplan with its output in odd places. usage: output_edges.sh FOLDER
rm -rf "$1" && mkdir "$1" && cd "$1" || exit 1
printf 'id,lower,upper,size\na,0,2,4\nb,1,3,4\n' > in.csv
ln -s in.csv link

# usage: try NAME OUTPUT. Prints the exit code and the error.
try() {
  local error code
  error=$(tr-memplan in.csv -o "$2" 2>&1 >/dev/null) && code=0 || code=$?
  echo "$1: $code $error" | sed 's/ $//'
}
first() { head -qn 1 "$@" | paste -sd ' '; }

echo old > old
try "full disk" /dev/full
(ulimit -f 0; tr-memplan in.csv -o old 2>&1 >/dev/null; echo $?) | tac | paste -sd ' ' | sed 's/^/full file system: /'
echo "the old file: $(cat old)"
try "same as the input" link
try "no folder" none/x
ln -s new to-new; touch new
ln -s made to-made
try "link" to-new
try "dangling link" to-made
echo "through the links: $(first new made)"
mkfifo pipe
tr-memplan in.csv -o pipe >/dev/null &
echo "pipe: $(timeout 20 head -n 1 pipe)"
wait
echo "standard output: $(tr-memplan in.csv -o - 2>/dev/null | head -n 1)"
chmod 600 old
touch .old.tmp-1-0
tr-memplan in.csv -o old >/dev/null
echo "mode: $(stat -c %a old)"
echo "files:" $(ls -A)
