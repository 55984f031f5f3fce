#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the subgraphs of tr.graph programs with tensor names instead of ids, and runs of
regions as sums.

Usage: named_ops.py < program.mlir
"""
import re
import sys


def named(names, ids):
    return " ".join(names[int(i)] if int(i) >= 0 else "-" for i in re.findall(r"-?\d+", ids))


names = {}
for line in sys.stdin:
    if program := re.search(r"tr\.graph\.program @(\w+)", line):
        names = {}
        print(f"program {program[1]}")
    elif tensor := re.search(r'tr\.graph\.tensor (\d+) "(.*?)"', line):
        names[int(tensor[1])] = tensor[2]
    elif subgraph := re.search(r'tr\.graph\.subgraph "(\w+)" graph (\d+)(.*) \{', line):
        print(f"{subgraph[1]}:{subgraph[3]}")
    elif compute := re.search(r'tr\.graph\.compute "(\w+)" \[(.*?)\] \{(.*)\} layer (-?\d+)', line):
        values = re.sub(r" : [if]64", "", compute[3])
        print(f"  {compute[1]} {named(names, compute[2])} {{{values}}}")
    elif op := re.search(r'tr\.graph\.range "(\w+)" (\[\[.*\]\]) tensors \[(.*)\]', line):
        ranges = " ".join(re.sub('[" ]', "", names).replace(",", "+") for names in re.findall(r"\[([^][]*)\]", op[2]))
        print(f"  {op[1]} {ranges} {named(names, op[3])}".rstrip())
