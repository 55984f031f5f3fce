#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a program once for each edge of each of its schedules, without that edge.

Usage: remove_edges.py < program.mlir > programs.mlir 2> expected-count

The programs are separated for --split-input-file; the number of them goes to stderr.
"""
import re
import sys

text = sys.stdin.read()
programs = []
for schedule in re.finditer(r"(tr\.graph\.schedule .* edges) \[(.*?)\]", text):
    ends = schedule.group(2).split(", ")
    for edge in range(0, len(ends), 2):
        kept = ", ".join(ends[:edge] + ends[edge + 2 :])
        programs.append(f"{text[: schedule.start()]}{schedule.group(1)} [{kept}]{text[schedule.end() :]}")
print("\n// -----\n".join(programs))
print(f"CHECK-COUNT-{len(programs)}: no path of edges leads from node\nCHECK-NOT: error", file=sys.stderr)
