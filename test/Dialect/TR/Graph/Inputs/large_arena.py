#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a program of COUNT tensors of 2^48 elements in one region: large_arena.py COUNT REGION."""
import sys

count, region = int(sys.argv[1]), sys.argv[2]
print("tr.graph.program @large classes 2 {")
for i in range(count):
    print(f'  tr.graph.tensor {i} "t{i}" region "{region}" dtype "f32" layer -1 shapes [array<i64: 65536, 65536, 65536, 1>]')
print("}")
