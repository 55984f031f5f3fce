#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_plan.py CAPACITY IN.csv OUT.csv...: fails unless each plan is one of its
buffers, within the capacity, with every pair of buffers apart in time or in space.
"""
import csv
import sys


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{k: v if k == "id" else int(v) for k, v in row.items()}
                for row in csv.DictReader(file)]


def check(capacity, buffers, rows):
    for row, buffer in zip(rows, buffers, strict=True):
        if any(row[key] != value for key, value in buffer.items()):
            sys.exit(f"expected {buffer}, but got {row}")
        if row["offset"] < 0 or row["offset"] + row["size"] > capacity:
            sys.exit(f"{row} is outside of the capacity")
    for i, a in enumerate(rows):
        for b in rows[:i]:
            if (a["lower"] < b["upper"] and b["lower"] < a["upper"]
                    and a["offset"] < b["offset"] + b["size"]
                    and b["offset"] < a["offset"] + a["size"]):
                sys.exit(f"{a} and {b} overlap")


def main():
    paths = sys.argv[2:]
    for source, plan in zip(paths[::2], paths[1::2], strict=True):
        check(int(sys.argv[1]), read(source), read(plan))
    print(f"{len(paths) // 2} plans are valid")


main()
