# SPDX-License-Identifier: Apache-2.0
"""Compares what --tr-statistics=json says of a compilation with the docs and with the program.

usage: check_statistics.py DOCS_FOLDER STATISTICS.json PROGRAM.mlir DEBUG_LOG

Every pass whose page lists statistics has exactly those, in the order of the list where that is
told, and the numbers that can be counted otherwise are what one counts in the program and in the
lines of --tr-debug-only.
"""
import json
import re
import sys
from pathlib import Path


def listed(folder):
    """Names by pass, from the pages that mlir-tblgen writes."""
    names = {}
    for page in sorted(Path(folder).glob("passes-*.md")):
        for section in re.split(r"^### ", page.read_text(), flags=re.M)[1:]:
            block = re.search(r"^#### Statistics\n+```\n(.*?)^```", section, re.M | re.S)
            if block:
                flag = re.match(r"`-([\w-]+)`", section)[1]
                names[flag] = {line.split(":")[0].strip() for line in block[1].splitlines()}
    return names


def main():
    docs, report, program, log = sys.argv[1:]
    entries = json.loads(Path(report).read_text())["statistics"]
    counts = {entry["pass"]: entry["counts"] for entry in entries}
    text, lines = Path(program).read_text(), Path(log).read_text().splitlines()
    failures = []

    def expect(what, wanted, got):
        if wanted != got:
            failures.append(f"{what}: expected {wanted}, but got {got}")

    names = listed(docs)
    expect("passes", set(names), set(counts))
    for flag in names:
        expect(flag, names[flag], set(counts.get(flag, {})))
    if not failures:
        graph = counts["tr-arch-to-graph"]
        expect("num-tensors", len(re.findall(r"^ *tr\.graph\.tensor \d", text, re.M)), graph["num-tensors"])
        expect("num-kernel-ops", len(re.findall(r"^ *tr\.graph\.(?:compute|range) ", text, re.M)),
               graph["num-kernel-ops"])
        for flag in ("cbr", "cbrp", "gap-fc", "blocks"):
            flag = "tr-arch-merge-" + flag
            for name, word in (("num-merged", "done"), ("num-near-misses", "missed")):
                expect(f"{flag} {name}", sum(f"[{flag}] {word}: " in line for line in lines),
                       counts[flag][name])
    for failure in failures:
        print("FAIL", failure)
    print(f"{len(counts)} passes, {sum(map(len, counts.values()))} counts, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
