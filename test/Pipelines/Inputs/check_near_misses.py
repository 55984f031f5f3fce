#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks that almost hold a block stay unmerged and a remark says why.

Usage: check_near_misses.py TR_TRANSLATE TR_OPT FOLDER

Each .bp file of the folder has a comment line `// Remark: TEXT`. Step 7 must report
TEXT and must not make a fused block.
"""
import os
import re
import subprocess
import sys

FUSED = re.compile(r"tr\.arch\.block ")


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("%s failed:\n%s" % (" ".join(command), done.stderr))
    return done.stdout, done.stderr


def main():
    translate, opt, folder = sys.argv[1:]
    names = sorted(name for name in os.listdir(folder) if name.endswith(".bp"))
    failures = []
    for name in names:
        path = os.path.join(folder, name)
        with open(path) as file:
            want = re.search(r"^// Remark: (.*)$", file.read(), flags=re.M).group(1)
        mlir, _ = run(translate, "--blueprint-to-mlir", path)
        fused, remarks = run(opt, "--tr-arch-pipeline",
                             "--remarks-filter-missed=tr-arch-merge-blocks", text=mlir)
        if want not in remarks:
            failures.append("%s: expected the remark\n%s\nbut got\n%s" % (name, want, remarks))
        if FUSED.search(fused):
            failures.append("%s: expected no fused block, but got\n%s" % (name, fused))
    if failures:
        raise SystemExit("\n".join(failures))
    print("%d near misses" % len(names))


if __name__ == "__main__":
    main()
