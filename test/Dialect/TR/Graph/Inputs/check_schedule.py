#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the schedules of a tr.graph program against brute force.

Usage: check_schedule.py KERNEL_OPS_DEF < program.mlir

Reads operand roles from the kernel-op table, finds every pair of conflicting kernel
ops in schedule order, where tensors that overlap in the arena count as one unless they are
different channels of one tensor, and demands that the edges have the same transitive closure
and that no edge follows from others.
"""
import re
import sys


def operand_roles(path):
    """Kernel name -> list of (is_range, reads, writes)."""
    text = re.sub(r"//[^\n]*", "", open(path, encoding="utf-8").read())
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    groups = dict(re.findall(r"#define (BN_\w+)\([^)]*\)((?:.*\\\n)*.*)", text))
    roles = {}
    for name, row in re.findall(r"^KERNEL_OP\(\d+, \d+, (\w+),(.*?)(?=^KERNEL_OP|^#undef)", text, re.M | re.S):
        row = re.sub(r"(BN_\w+)\([^()]*(?:\([^()]*\))?[^()]*\)", lambda found: groups[found[1]], row)
        found = re.findall(r"\b(INOUT|IN|OUT)\([\w#]+, \w+, (\w+)", row)
        roles[name] = [(dims == "Run", "IN" in kind, "OUT" in kind) for kind, dims in found]
    return roles


def integers(text):
    return [int(n) for n in re.findall(r"-?\d+", text)]


def accesses(line, roles, by_region):
    kernel = re.search(r'tr\.graph\.\w+ "(\w+)"', line).group(1)
    if "tr.graph.compute" in line:
        tensors, ranges = integers(re.search(r'"\w+" \[([^\]]*)\]', line).group(1)), []
    else:
        ranges = [re.findall(r'"(\w+)"', names) for names in re.findall(r'\[("\w+"(?:, "\w+")*)\]', line)]
        tensors = integers(re.search(r"tensors \[([^\]]*)\]", line).group(1))
    reads, writes = set(), set()
    for is_range, is_read, is_write in roles[kernel]:
        if is_range:
            ids = [t for region in ranges.pop(0) for t in by_region.get(region, [])]
        else:
            ids = [t for t in [tensors.pop(0)] if t >= 0]
        reads |= set(ids) if is_read else set()
        writes |= set(ids) if is_write else set()
    assert not ranges and not tensors, line
    return reads, writes


def touching(extents, runs):
    """Tensor -> all tensors that share bytes with it, itself included. `runs` has the root and the
    channels of each tensor, `extents` its place in the arena, if it has one."""
    def share(a, b):
        (root, begin, end), (other_root, other_begin, other_end) = runs[a], runs[b]
        if root == other_root:
            return begin < other_end and other_begin < end
        if not extents[a] or not extents[b]:
            return False
        (begin, size), (other_begin, other_size) = extents[a], extents[b]
        return begin < other_begin + other_size and other_begin < begin + size

    return {a: {b for b in extents if share(a, b)} for a in extents}


def closure(count, edges):
    """ancestors[v] as a bit set; edges go from lower to higher."""
    before = [[] for _ in range(count)]
    for a, b in edges:
        before[b].append(a)
    ancestors = []
    for v in range(count):
        bits = 0
        for a in before[v]:
            bits |= ancestors[a] | 1 << a
        ancestors.append(bits)
    return before, ancestors


def main():
    roles = operand_roles(sys.argv[1])
    by_region, ops, extents, runs, checked = {}, [], {}, {}, 0
    for line in sys.stdin:
        if "tr.graph.program" in line:
            by_region, ops, extents, runs = {}, [], {}, {}
        elif tensor := re.search(r'tr\.graph\.tensor (\d+) ".*?" region "(\w+)"', line):
            number = int(tensor.group(1))
            by_region.setdefault(tensor.group(2), []).append(number)
            place = re.search(r" slot (\d+) offset (\d+)", line)
            extents[number] = place and (int(place.group(2)), int(place.group(1)))
            channels = max(integers(shape)[3] for shape in re.findall(r"i64: ([^>]*)>", line))
            run = re.search(r" parent (\d+) from (\d+)", line)
            root, first = (int(run.group(1)), int(run.group(2))) if run else (number, 0)
            runs[number] = (root, first, first + channels)
        elif "tr.graph.compute" in line or "tr.graph.range" in line:
            ops.append(accesses(line, roles, by_region))
        elif schedule := re.search(r'schedule "(\w+)" graph \d+ nodes \[(.*?)\] edges \[(.*?)\]', line):
            name, nodes, flat = schedule.group(1), integers(schedule.group(2)), integers(schedule.group(3))
            edges = list(zip(flat[::2], flat[1::2]))
            conflicts, shares = [], touching(extents, runs)
            for v, (reads, writes) in enumerate(ops[n] for n in nodes):
                reads = {other for t in reads for other in shares[t]}
                writes = {other for t in writes for other in shares[t]}
                for u, (r, w) in enumerate(ops[n] for n in nodes[:v]):
                    if w & (reads | writes) or r & writes:
                        conflicts.append((u, v))
            _, want = closure(len(nodes), conflicts)
            before, got = closure(len(nodes), edges)
            assert got == want, f"{name}: the edges order other pairs of ops than the conflicts"
            for v, list_ in enumerate(before):
                for a in list_:
                    assert not any(got[b] >> a & 1 for b in list_), f"{name}: {a} -> {v} follows"
            checked += 1
            print(f"{name}: {len(nodes)} nodes, {len(edges)} edges")
    assert checked, "no schedule"


main()
