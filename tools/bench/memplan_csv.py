#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table of buffers for tr-memplan. usage: memplan_csv.py training|branchy COUNT [SEED]

training: activations from a forward step to the backward step of the same layer, with
gradients and scratch between; branchy: buffers born one a step that live 1 to 50 steps.
"""
import random
import sys


def training(count, rng):
    layers = count // 3
    for i in range(layers):
        size, backward = 256 * rng.randint(1, 4000), 2 * layers - i
        yield i, backward, size
        yield backward - 1, backward + 1, size
        yield i, i + 1, 256 * rng.randint(0, 20)


def branchy(count, rng):
    for i in range(count):
        yield i, i + rng.randint(1, 50), 256 * rng.randint(1, 1000)


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("training", "branchy"):
        print(__doc__, file=sys.stderr)
        return 2
    make = training if sys.argv[1] == "training" else branchy
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) == 4 else 1)
    print("id,lower,upper,size")
    for i, row in enumerate(make(int(sys.argv[2]), rng)):
        print(i, *row, sep=",")
    return 0


sys.exit(main())
