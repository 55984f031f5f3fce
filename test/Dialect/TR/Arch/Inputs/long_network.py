#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a tr.arch network of many layers: long_network.py triples|blocks|near|sums|nested COUNT."""
import sys

T = "tensor<?x4x4x2xf32>"
CONV = '{} = tr.arch.conv {} ["c{}"] <out = 2, kernel = [{k}, {k}], pad = [{p}, {p}]> : ' + f"{T} -> {T}"
BN = '{} = tr.arch.bn2d {} ["b{}"] eps 1.0e-5 momentum 0.1 : ' + f"{T} -> {T}"
UNDECIDED = BN.replace("bn2d", "bn")
ACT = '{} = tr.arch.act {} ["a{}"] <relu> : ' + f"{T} -> {T}"
ADD = '{} = tr.arch.add2 {} ["r{}"] : ' + f"{T} -> {T} shortcut {{{{"


class Network:
    def __init__(self):
        self.count, self.value = 0, "%x"

    def op(self, form, **args):
        name = f"%{self.count}"
        print("  " + form.format(name, self.value, self.count, **args))
        self.value = name
        self.count += 1

    def triple(self, k, act=True):
        self.op(CONV, k=k, p=k // 2)
        self.op(BN)
        if act:
            self.op(ACT)

    def branch(self, layers):
        self.value = f"%a{self.count}"
        print(f"  ^bb0({self.value}: {T}):")
        layers()
        print(f"  tr.arch.yield {self.value} : {T}")

    def add2(self, stem, shortcut=lambda: None):
        name, self.count = f"%s{self.count}", self.count + 1
        print("  " + ADD.format(name, self.value, self.count))
        self.branch(shortcut)
        print("  } stem {")
        self.branch(stem)
        print("  }")
        self.value = name

    def bottleneck(self, middle=3):
        self.add2(lambda: (self.triple(1), self.triple(middle), self.triple(1, act=False)))
        self.op(ACT)

    def nested(self, depth):
        if depth:
            self.add2(lambda: self.nested(depth - 1))
        else:
            self.op(ACT)


def main():
    kind, count = sys.argv[1], int(sys.argv[2])
    sys.setrecursionlimit(10000)
    network = Network()
    print(f"tr.arch.network @long classes 32 {{\n^bb0(%x: {T}):")
    if kind == "nested":
        network.nested(count)
    for _ in range(0 if kind == "nested" else count):
        if kind == "triples":
            network.triple(3)
        elif kind == "sums":
            network.add2(lambda: network.op(ACT), lambda: network.op(UNDECIDED))
        else:
            network.bottleneck(3 if kind == "blocks" else 1)
    print(f"  tr.arch.yield {network.value} : {T}\n}}")


if __name__ == "__main__":
    main()
