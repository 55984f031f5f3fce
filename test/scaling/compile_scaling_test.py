#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of tr-compile at 1x, 4x and 16x the layers (field report 16.1).

usage: compile_scaling_test.py TOOLS SOURCE

callgrind counts, so nothing depends on the machine's load. What 16x takes more than 4x, over what
4x takes more than 1x, is 4 where the compiler is linear in the layers and 16 where it is quadratic.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SIZES = (12, 48, 192)
LARGEST_RATIO = 5.5


def count_instructions(tool, net, folder):
    source = folder / "net.bp"
    source.write_text(net)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tool,
                           source, "-o", folder / "net.plan"],
                          check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: tr-compile failed under valgrind:\n{done.stderr[-2000:]}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    tools, root = map(pathlib.Path, sys.argv[1:])
    sys.path.insert(0, str(root / "tools" / "bench"))
    import compile_scaling as bench

    failed = 0
    for name, template in bench.NETS.items():
        with tempfile.TemporaryDirectory() as folder:
            small, middle, large = (
                count_instructions(tools / "tr-compile", bench.make_net(template, size),
                                   pathlib.Path(folder)) for size in SIZES)
        ratio = (large - middle) / (middle - small)
        good = ratio <= LARGEST_RATIO
        failed += not good
        print(f"{name:<14} {small:>12,} {middle:>12,} {large:>14,} instructions, ratio {ratio:.2f}"
              f"{'' if good else f', expected at most {LARGEST_RATIO}'}", flush=True)
    print(f"{len(bench.NETS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
