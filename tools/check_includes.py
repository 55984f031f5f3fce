#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the includes of all C and C++ files and checks that folders build on each other in one
direction: what a folder may include is listed below, and no folder reaches itself again through
others.

usage: check_includes.py [repository] [--print]. One line per breach; exit code 1 where any. --print
shows who includes whom.
"""
import re
import sys
from pathlib import Path

from check_conventions import list_files

ROOTS = ["include", "runtime/format/include", "runtime/include", "runtime/support/include", "runtime/image/include", "runtime/src", "kernels/include",
         "kernels", "tools"]
TRF = "runtime/format/include/trf"
TRS = "runtime/support/include/trs"
TRI = "runtime/image/include/tri"
TRK = "kernels/include/trk"
TRRT = "runtime/include/trrt"
R = "include/renaissance/"
IR = [R + "Dialect/TR/IR", TRF]
# Folder: what its files may include beside each other and beside their own public headers. Whatever
# is not listed may include nothing of the tree.
MAY_INCLUDE = {
    # The plan format knows nobody, kernels know it, the runtime knows both.
    "runtime/format/src": [TRF],
    "runtime/support/src": [TRS],
    TRI: [TRF],
    "runtime/image/src": [TRI, TRS],
    TRK: [TRF],
    TRRT: [TRK],
    "kernels/common": [TRK, TRF],
    "kernels/reference": ["kernels/common", TRK, TRF],
    "kernels/cpu": ["kernels/common", TRK, TRF],
    "kernels/cpu/loops": ["kernels/cpu"],
    "kernels": ["kernels/cpu", "kernels/reference", TRK],
    "runtime/src/base": [TRF, TRK, TRRT, TRS],
    "runtime/src/io": ["runtime/src/base", TRF, TRS],
    "runtime/src/plan": ["runtime/src/base", "runtime/src/io", TRF, TRRT, TRS],
    "runtime/src/device": ["runtime/src/base", TRF, TRK],
    "runtime/src/session": ["runtime/src/base", "runtime/src/io", "runtime/src/plan",
                            "runtime/src/device", TRF, TRRT, TRS],
    "runtime/src/data": ["runtime/src/base", "runtime/src/io", "runtime/src/session", TRF, TRI, TRS],
    "runtime/src/train": ["runtime/src/base", "runtime/src/io", "runtime/src/data",
                          "runtime/src/session", TRF, TRI, TRK, TRS],
    # The compiler knows the format, but neither kernels nor the runtime.
    R + "Options": [TRF],
    R + "BluePrint": [R + "Options"],
    R + "Dialect/TR/IR": [R + "Options", TRF],
    R + "Dialect/TR/Transforms": IR,
    R + "Conversion": IR,
    R + "Pipelines": [R + "Options"],
    R + "Target/Blueprint": IR,
    R + "Target/PlanBinary": IR,
    R + "Target/Yaml": IR,
    "include/renaissance": [R + "Conversion", R + "Dialect/TR/IR", R + "Dialect/TR/Transforms",
                            R + "Pipelines"],
    "lib/Options": [R + "Options", TRS],
    "lib/Planner": [R + "Planner"],
    "lib/Dialect/TR/Layers": IR,
    "lib/Dialect/TR/IR": IR + ["lib/Dialect/TR/Layers"],
    "lib/Dialect/TR/Transforms": IR + [R + "Dialect/TR/Transforms", R + "Options"],
    "lib/Dialect/TR/Transforms/Arch": IR + [R + "Dialect/TR/Transforms",
                                            "lib/Dialect/TR/Transforms"],
    "lib/Dialect/TR/Transforms/BP": IR + [R + "Dialect/TR/Transforms"],
    "lib/Dialect/TR/Transforms/Graph": IR + [R + "Dialect/TR/Transforms", R + "Planner",
                                             R + "Target", R + "Target/PlanBinary",
                                             "lib/Dialect/TR/Transforms"],
    "lib/Conversion": [R + "Conversion"],
    "lib/Conversion/BPToArch": IR + [R + "Conversion", R + "Dialect/TR/Transforms"],
    "lib/Conversion/ArchToGraph": IR + [R + "Conversion", R + "Dialect/TR/Transforms"],
    "lib/Conversion/ArchToLinalg": IR + [R + "Conversion"],
    "lib/Pipelines": [R + "Conversion", R + "Dialect/TR/Transforms", R + "Options",
                      R + "Pipelines"],
    "lib/Target/Blueprint": IR + [R + "Target/Blueprint"],
    "lib/Target/PlanBinary": IR + [R + "Target/PlanBinary"],
    "lib/Target/Yaml": IR + [R + "Target/Yaml"],
    "lib/BluePrint": ["include/renaissance", R + "BluePrint", R + "Options", R + "Target/Blueprint",
                      R + "Target/PlanBinary", TRS],
    # Tools.
    "tools/tr-compile": IR + ["include/renaissance", R + "Dialect/TR/Transforms", R + "Pipelines",
                              R + "Target/Blueprint", R + "Target/PlanBinary", R + "Target/Yaml", "tools/support", TRS],
    "tools/support": [R + "Dialect/TR/Transforms", TRF, TRS],
    "tools/tr-opt": ["include/renaissance", R + "Dialect/TR/Transforms", R + "Pipelines",
                     "tools/support", TRS],
    "tools/tr-plugin": ["include/renaissance", TRF],
    "tools/tr-reduce": ["include/renaissance", "tools/support", TRS],
    "tools/tr-translate": IR + [R + "Options", R + "Target/Blueprint", R + "Target/PlanBinary",
                                R + "Target/Yaml", "tools/support", TRS],
    "tools/tr-lsp-server": IR + ["include/renaissance", R + "Dialect/TR/Transforms",
                                 R + "Pipelines", R + "Target/Blueprint", "tools/support", TRS],
    "tools/tr-memplan": [TRF, TRS, R + "Planner", "runtime/src/base", "runtime/src/io",
                         "tools/support"],
    "tools/tr-run": [TRF, TRI, TRK, TRRT, TRS, "runtime/src/base", "runtime/src/io", "runtime/src/plan",
                     "runtime/src/device", "runtime/src/session", "runtime/src/data",
                     "runtime/src/train"],
    "tools/bench": [TRF, TRK, "kernels/common", "runtime/src/base"],
}
# Folder: what a header of LLVM or MLIR, or of the C++ library of one, may not be included by.
NO_LLVM = ("runtime/", "kernels/", "lib/Planner/", "lib/Options/", "include/renaissance/Planner/",
           "include/renaissance/BluePrint/", "tools/tr-run/", "tools/tr-memplan/")
# Their own builds, which see what is installed.
APART = ("docs/", "build")


def is_test(name):
    return name.startswith("test/") or "/test/" in name


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = {}
        for name in list_files(root):
            if Path(name).suffix in {".cpp", ".h", ".c", ".def"} and not name.startswith(APART):
                self.files[name] = (root / name).read_text(encoding="utf-8", errors="replace")

    def resolve(self, name, included):
        """The file of the tree that an include names, if it is one."""
        beside = (self.root / name).parent / included
        for candidate in [beside] + [self.root / base / included for base in ROOTS]:
            if candidate.is_file():
                return str(candidate.resolve().relative_to(self.root))
        return None

    def includes(self):
        """(file, line, what stands there, the file of the tree that it is)."""
        for name, text in self.files.items():
            for number, line in enumerate(text.splitlines(), 1):
                match = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
                if match:
                    yield name, number, match.group(1), self.resolve(name, match.group(1))


def find_breaches(tree):
    """Breaches of the table, and the graph of the folders."""
    breaches, graph = [], {}
    for name, line, text, target in tree.includes():
        if is_test(name):
            continue
        if re.match(r"(llvm|mlir)/", text) and name.startswith(NO_LLVM):
            breaches.append(f"{name}:{line}: expected no header of LLVM here, but got {text}")
        if not target:
            continue
        folder, included = str(Path(name).parent), str(Path(target).parent)
        if folder == included:
            continue
        graph.setdefault(folder, set()).add(included)
        if included not in MAY_INCLUDE.get(folder, []):
            breaches.append(f"{name}:{line}: {folder} may not include {included}")
    return breaches, graph


def find_cycle(graph):
    """Folders that reach each other, or none."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return None
        path.append(folder)
        for other in sorted(graph.get(folder, ())):
            cycle = visit(other)
            if cycle:
                return cycle
        done.add(path.pop())
        return None

    return next(filter(None, map(visit, sorted(graph))), None)


def main():
    words = [word for word in sys.argv[1:] if word != "--print"]
    root = Path(words[0] if words else Path(__file__).parent.parent).resolve()
    breaches, graph = find_breaches(Tree(root))
    if "--print" in sys.argv:
        for folder in sorted(graph):
            print(folder, "->", " ".join(sorted(graph[folder])))
    cycle = find_cycle(graph)
    if cycle:
        breaches.append("expected folders that build on each other in one direction, but got "
                        + " -> ".join(cycle))
    print("\n".join(breaches), end="\n" if breaches else "")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
