#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each BluePrint of a folder through the ten steps, fused and not, twice, and
prints the fused layers. usage: for_each_model.py FOLDER TR_TRANSLATE TR_OPT"""
import collections
import pathlib
import re
import subprocess
import sys

FUSED = re.compile(r"tr\.arch\.(?:(cbrp?|gap_fc) |block .*<(\w+), .*shortcut = (\w+),)")


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


folder, translate, opt = sys.argv[1:]
for model in sorted(pathlib.Path(folder).glob("*.bp")):
    tree = run(translate, "--blueprint-to-mlir", model)
    for fuse in ("true", "false"):
        layers = run(opt, f"--tr-attach-options=fuse={fuse}", "--tr-arch-pipeline", text=tree)
        if run(opt, "--tr-arch-pipeline", text=layers) != layers:
            sys.exit(f"{model.stem}: fuse={fuse} is not stable")
        found = collections.Counter(
            layer or f"{family}_{shortcut}" for layer, family, shortcut in FUSED.findall(layers))
        if fuse == "true":
            print(f"{model.stem}: fused {dict(sorted(found.items()))}")
        elif found:
            sys.exit(f"{model.stem}: expected no fused layer, but got {found}")
