#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the fused IR of networks and of their other spellings.

Usage: compare_spellings.py TR_TRANSLATE TR_OPT FILE.bp...

Parts and locations are left out of the comparison. The whole IR must be equal, and for
a network with blocks it must hold as many fused layers as the network has blocks.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

RESPELL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "respell.py")
FUSED = r"tr\.arch\.block "


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("%s failed:\n%s" % (" ".join(command), done.stderr))
    return done.stdout


def fused(translate, opt, path):
    with tempfile.TemporaryDirectory() as folder:
        mlir = os.path.join(folder, "x.mlir")
        run(translate, "--blueprint-to-mlir", path, "-o", mlir)
        text = run(opt, "--tr-arch-pipeline", mlir)
    return re.sub(r'\[("[^"]*"(, )?)+\]', "[]", text)


def main():
    translate, opt, *paths = sys.argv[1:]
    for path in paths:
        want = fused(translate, opt, path)
        name = os.path.basename(path)
        for spelling in ("cbr", "prim"):
            text = run(sys.executable, RESPELL, spelling, path)
            if re.search(r"\b(block|mbconv|cbrp|gap_fc|repeat)\(", text):
                raise SystemExit("%s: the spelling %s still holds a block" % (name, spelling))
            with tempfile.NamedTemporaryFile("w", suffix=".bp") as file:
                file.write(text)
                file.flush()
                got = fused(translate, opt, file.name)
            if got != want:
                diff = difflib.unified_diff(want.splitlines(), got.splitlines(), name, spelling,
                                            lineterm="", n=1)
                raise SystemExit("\n".join(diff))
        print("%s: %d blocks" % (name, len(re.findall(FUSED, want))))


if __name__ == "__main__":
    main()
