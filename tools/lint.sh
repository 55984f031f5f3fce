#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formatting and conventions; needs no network and no build. With --fix, C++ files are
# formatted in place. clang-format 14 is Debian's; another version would format the
# tree back and forth. usage: tools/lint.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

format=$(command -v clang-format-14 || command -v clang-format) || {
  echo "error: expected clang-format 14, but got none; apt-get install clang-format-14" >&2
  exit 1
}
if ! "$format" --version | grep -q "version 14\."; then
  echo "error: expected clang-format 14, but got $("$format" --version)" >&2
  exit 1
fi
git rev-parse --is-inside-work-tree >/dev/null || {
  echo "error: expected git and a checkout: the files that it tracks are looked at" >&2
  exit 1
}
mapfile -t sources < <(git ls-files '*.cpp' '*.h')
if [ "${1:-}" = "--fix" ]; then
  "$format" -i "${sources[@]}"
elif ! "$format" --dry-run --Werror "${sources[@]}" 2>&1; then
  echo "run tools/lint.sh --fix" >&2
  status=1
fi

# Trailing blanks, tabs, and no newline at the end.
mapfile -t texts < <(git ls-files '*.cpp' '*.h' '*.td' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' \
  '*.mlir' '*.bp' '*.test' '*.md' '*.def' '*.js' '*.html')
if grep -nE '[[:blank:]]+$' "${texts[@]}"; then
  echo "expected no blanks at the end of a line" >&2
  status=1
fi
if grep -nP '\t' "${texts[@]}"; then
  echo "expected no tabs" >&2
  status=1
fi
for text in "${texts[@]}"; do
  if [ -s "$text" ] && [ -n "$(tail -c 1 "$text")" ]; then
    echo "$text: expected a newline at the end" >&2
    status=1
  fi
done

for script in $(git ls-files '*.sh'); do
  bash -n "$script" || status=1
done
mapfile -t scripts < <(git ls-files '*.py')
python3 - "${scripts[@]}" <<'PYTHON' || status=1
import ast, sys
for path in sys.argv[1:]:
    ast.parse(open(path, encoding="utf-8").read(), path)
PYTHON

python3 tools/check_conventions.py || status=1
python3 tools/check_includes.py || status=1
exit $status
