#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples in the descriptions of passes.

Usage: run_pass_examples.py TR_OPT MLIR_TBLGEN INCLUDE PASSES_TD...

Every pass must show at least one ```mlir block. A block is run through the pass. When
another block follows a line "becomes", or "becomes with `OPTIONS`", the pass must turn
the first into the second (both printed by tr-opt). A line "After `--flag` ...:" above a
block names passes that run before.
"""
import os
import re
import subprocess
import sys


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed on\n{text}\n{done.stderr}")
    return done.stdout


def passes(tblgen, include, td):
    """Yields (flag, description) of each pass."""
    mlir = os.path.join(os.path.dirname(os.path.dirname(tblgen)), "include")
    command = [tblgen, "-gen-pass-doc", "-I", include, "-I", mlir, td]
    text = run(command, "")
    pieces = re.split(r"^### `-([\w-]+)`\s*$", text, flags=re.M)
    yield from zip(pieces[1::2], pieces[2::2])


def check(tr_opt, flag, description):
    pieces = re.split(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", description, flags=re.M | re.S)
    blocks = [  # (text before, code)
        (pieces[i].strip(), pieces[i + 2])
        for i in range(0, len(pieces) - 2, 3)
        if pieces[i + 1] == "mlir"
    ]
    if not blocks:
        raise SystemExit(f"--{flag}: expected a ```mlir example in the description, but got none")
    got = None
    first = ""
    for before, code in blocks:
        last = before.splitlines()[-1].strip(" :.") if before else ""
        options = re.fullmatch(r"becomes with `([^`]+)`", last)
        if options and got is not None:
            got = run([tr_opt, f"--{flag}={options.group(1)}"], first)
        if last == "becomes" or options:
            want = run([tr_opt], code)
            if got is None or got != want:
                raise SystemExit(f"--{flag}: expected\n{want}\nbut got\n{got}")
            got = None
        else:
            above = before.splitlines()[-1].strip() if before else ""
            earlier = re.findall(r"--[\w-]+", above) if above.startswith("After ") else []
            got = run([tr_opt, *earlier, f"--{flag}"], code)
            first = code
    return len(blocks)


def main():
    tr_opt, tblgen, include, *files = sys.argv[1:]
    for td in files:
        for flag, description in passes(tblgen, include, td):
            print(f"--{flag}: {check(tr_opt, flag, description)} blocks")


if __name__ == "__main__":
    main()
