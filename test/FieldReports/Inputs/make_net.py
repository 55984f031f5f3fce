#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a large network. usage: make_net.py acts|convs|nested|dead COUNT

acts, convs, nested are BluePrints: a chain of activations, of conv-bn-relu layers, add2
inside add2. dead is MLIR: layers that nobody reads beside one that is read.
"""
import sys

kind, count = sys.argv[1], int(sys.argv[2])
if kind == "dead":
    tensor = "tensor<?x1x1x4xf32>"
    print(f"tr.arch.network @dead classes 4 {{\n^bb0(%x: {tensor}):")
    print(f'  %0 = tr.arch.act %x ["0"] <relu> : {tensor} -> {tensor}')
    for i in range(count):
        source = "%0" if i == 0 else f"%d{i - 1}"
        print(f'  %d{i} = tr.arch.act {source} ["d{i}"] <relu> : {tensor} -> {tensor}')
    print(f"  tr.arch.yield %0 : {tensor}\n}}")
    sys.exit(0)
if kind == "nested":
    body = "add2(seq(), " * count + "relu()" + ")" * count
else:
    layers = {"acts": ["relu()", "tanh_act()"], "convs": ["conv(4, 1)", "bn()", "relu()"]}[kind]
    body = "seq(\n  " + ",\n  ".join(layers[i % len(layers)] for i in range(count)) + ")"
print(f"model large(input = 1x1x4, classes = 4) {{\n  seq({body}, fc(4, bias = true))\n}}")
