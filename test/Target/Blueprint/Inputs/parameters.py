# SPDX-License-Identifier: Apache-2.0
"""Reads tr.arch text. `count`: trainable parameters of primitive layers.
`parts`: the sorted parts that have parameters, of primitive or fused layers."""
import re
import sys

CONV = re.compile(r"<out = (\d+), kernel = \[(\d+), (\d+)\](.*?)>")
TYPES = re.compile(r": tensor<\?x(\d+)x(\d+)x(\d+)xf32> -> tensor<\?x\d+x\d+x(\d+)xf32>")


def count(line):
    types = TYPES.search(line)
    if not types:
        return 0
    height, width, channels, out = map(int, types.groups())
    op = line.split("tr.arch.")[1].split()[0]
    if op == "conv":
        _, kh, kw, rest = CONV.search(line).groups()
        groups = re.search(r"groups = (\d+)", rest)
        weights = int(kh) * int(kw) * channels // (int(groups.group(1)) if groups else 1) * out
        return weights + (out if "bias = true" in rest else 0)
    if op in ("bn", "layer_norm", "group_norm"):
        return 2 * out
    if op == "scale":
        return out
    if op == "fc":
        return height * width * channels * out + (out if "bias true" in line else 0)
    return 0


lines = [line for line in sys.stdin if "tr.arch." in line]
if sys.argv[1] == "count":
    print("parameters:", sum(map(count, lines)))
else:
    parts = [p for line in lines for p in re.findall(r'"([^"]+)"', line)]
    parts = [p for p in parts if re.search(r"(^|\.)(conv|bn|fc|norm|scale)\d?$", p)]
    assert len(parts) == len(set(parts)), "a part appears twice"
    print("\n".join(sorted(parts)))
