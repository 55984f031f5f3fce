# SPDX-License-Identifier: Apache-2.0
"""Says of each program and of the runtime of a build whether it loads MLIR or has nothing of LLVM.
A definition of an MLIR or LLVM class in a program that is linked with the shared library, or any
such name in the runtime, is an error.

usage: check_links.py BIN_FOLDER
"""
import os
import re
import subprocess
import sys

# Two classes that every static copy would define.
COPIES = re.compile(r" [TW] (mlir::MLIRContext::MLIRContext|llvm::SourceMgr::PrintMessage)\(")
NAMES = re.compile(r"\b(mlir|llvm)::")
FREE = {"tr-run", "tr-memplan", "libtrf.a", "libtrk.a", "libtrrt.a"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(path):
    dynamic = subprocess.run(["nm", "-C", "-D", path], capture_output=True, text=True).stdout
    return output("nm", "-C", path) + dynamic


def main():
    folder = sys.argv[1]
    wanted = [os.path.join(folder, name) for name in sorted(os.listdir(folder))
              if name.startswith("tr-") and not name.endswith("-tests")]
    wanted += [os.path.join(folder, "..", "lib", name) for name in ("libtrf.a", "libtrk.a", "libtrrt.a")]
    for path in wanted:
        name, names = os.path.basename(path), symbols(path)
        libraries = re.findall(r"NEEDED.*\[(.*?)\]", output("readelf", "-d", path))
        loads = [lib for lib in libraries if re.match(r"lib(MLIR|LLVM)", lib)]
        if name in FREE:
            assert not loads and not NAMES.search(names), f"{name} has something of LLVM: {loads}"
            print(f"{name}: no LLVM")
            continue
        assert any(lib.startswith("libMLIR") for lib in loads), f"{name} loads {libraries}"
        assert not COPIES.search(names), f"{name} holds a copy of {COPIES.search(names)[1]}"
        print(f"{name}: loads MLIR")


main()
