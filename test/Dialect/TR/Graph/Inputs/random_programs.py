#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tr.graph programs of random kernel ops, for check_schedule.py.

Usage: random_programs.py COUNT

Few tensors give dense conflicts, many give long chains; range ops over a region of
many tensors give ops with many predecessors. Seeds are fixed.
"""
import random
import sys


def kernel_op(rng, tensors):
    def some():
        return rng.randrange(tensors)

    kind = rng.randrange(8)
    if kind == 0:
        first, last = sorted(rng.choices(["f_feature_fp32", "f_grad_slot_fp32"], k=2))
        return f'tr.graph.range "range_clear" [["{first}", "{last}"]] tensors []'
    if kind == 1:
        return f'tr.graph.range "range_check_finite" [["f_feature_fp32", "f_feature_fp32"]] tensors [{tensors}]'
    if kind < 5:
        return f'tr.graph.compute "copy" [{some()}, {some()}] {{}} layer -1'
    if kind == 5:
        index = rng.choice([-1, tensors + 1])
        window = ", ".join(f"{n} = 1 : i64" for n in ["kernel_h", "kernel_w", "pad_h", "pad_w", "stride_h", "stride_w"])
        return f'tr.graph.compute "maxpool_fwd" [{some()}, {some()}, {index}] {{{window}}} layer -1'
    return f'tr.graph.compute "add_fwd" [{some()}, {some()}, {some()}] {{act = 0 : i64}} layer -1'


def program(seed):
    rng = random.Random(seed)
    tensors, ops = rng.choice([3, 10, 60]), rng.choice([2, 20, 90])
    print(f"tr.graph.program @p{seed} classes 2 {{")
    print('  tr.graph.variant "v" batch 1 input [1, 1, 1] graph 0 shape_id 0')
    for i in range(tensors):
        region = "f_grad_slot_fp32" if i % 3 == 2 else "f_feature_fp32"
        print(f'  tr.graph.tensor {i} "t{i}" region "{region}" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]')
    print(f'  tr.graph.tensor {tensors} "flag" region "s_scalar_int32" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 1>]')
    print(f'  tr.graph.tensor {tensors + 1} "index" region "s_mask" dtype "u8" layer -1 shapes [array<i64: 1, 1, 1, 1>]')
    print('  tr.graph.subgraph "inf_main_a" graph 0 {')
    for _ in range(ops):
        print("    " + kernel_op(rng, tensors))
    print("  }\n}")


for number in range(int(sys.argv[1])):
    program(number)
