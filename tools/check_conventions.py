#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of the project that a compiler does not: names that follow from a
pass flag, a test for each pass and diagnostic, sizes, banners, layers, forbidden words.

usage: check_conventions.py [repository]. One line per breach; exit code 1 where any.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

MAX_LINES = 800
MAX_FUNCTION_LINES = 100
SOURCE = {".cpp", ".h", ".td", ".py", ".sh", ".cmake", ".def", ".in"}
TESTS = {".mlir", ".bp", ".test"}
CODE = {".cpp", ".h"}
PASS_FILES = {
    "include/renaissance/Dialect/TR/Transforms/ArchPasses.td": "lib/Dialect/TR/Transforms",
    "include/renaissance/Dialect/TR/Transforms/OptionsPasses.td": "lib/Dialect/TR/Transforms",
    "include/renaissance/Dialect/TR/Transforms/GraphPasses.td": "lib/Dialect/TR/Transforms",
    "include/renaissance/Conversion/Passes.td": "lib/Conversion",
}
# How errors and warnings are made, by folder.
DIAGNOSTICS = {
    "lib/": r"\b(emit(?:Op|Layer)?(?:Error|Warning|Remark)|breach|emit)\s*\(",
    "runtime/format/src/": r"\b(rejectPlan|reject)\s*\(",
    "runtime/src/": r"\b(rejectPlan|reject|fail|refuse|Error)\s*\(|\bfprintf\(\s*stderr,\s*\"(?:error|warning)",
    "kernels/": r"\b(Error|fail)\s*\(|\bfprintf\(\s*stderr,\s*\"(?:error|warning)",
    "tools/tr-": r"\b(reject|fail|UsageError|UsageFault|Error|\w*_error|ValidationError)\s*\("
                 r"|\bfprintf\(\s*stderr,\s*\"(?:error|warning)|llvm::errs\(\) << \"error",
}
# The guard of a header spells its path; these folders have a prefix of their own.
GUARDS = {
    "include/renaissance/": "RENAISSANCE_",
    "kernels/include/trk/": "TRK_",
    "kernels/": "TRK_",
    "runtime/format/include/trf/": "TRF_",
    "runtime/format/src/": "TRF_SRC_",
    "runtime/format/test/support/": "TRF_TEST_",
    "runtime/include/trrt/": "TRRT_",
    "runtime/support/include/trs/": "TRS_",
    "runtime/support/": "TRS_",
    "runtime/image/include/tri/": "TRI_",
    "runtime/image/": "TRI_",
    "runtime/src/": "TRRT_",
    "runtime/": "TRRT_",
    "": "RENAISSANCE_",
}
# Diagnostics that no test can reach.
UNREACHED = {
    # the verifier of the op, or of the plan, reports first
    "' of kernel op", "subgraphs and captures, but got", "conv_dw layer '",
    # of ops of other dialects that implement our interfaces
    "expected one block in each region of a layer", "expected one block in",
    "expected an operand that the branches read, but got none",
    "expected an operand and one result, but got",
    # JSON has none
    "binary data",
    # depends on the machine: its memory, its CPU, its libraries
    "error: out of memory", "expected a CPU of x86-64-v3 or more for native, but got '",
    "error: oneDNN failed to",
    # a fault of the program itself
    "the planner made a wrong plan:", "expected a memory plan, but the planner says:",
}


def list_files(root):
    """Names of the files of the project, without what is built."""
    git = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=False,
    )
    if git.returncode == 0:
        return git.stdout.splitlines()
    names = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__"
                            and not (Path(folder) / f / "CMakeCache.txt").exists())
        names += [str((Path(folder) / file).relative_to(root)) for file in sorted(files)]
    return names


class Checker:
    def __init__(self, root):
        self.root = root
        self.breaches = []
        self.files = [name for name in list_files(root) if (root / name).is_file()]
        self.texts = {}
        for name in self.files:
            if Path(name).suffix in SOURCE | TESTS | {".md", ".txt"} or "." not in Path(name).name:
                self.texts[name] = (root / name).read_text(encoding="utf-8", errors="replace")

    def breach(self, name, line, message):
        self.breaches.append(f"{name}:{line}: {message}")

    def of(self, suffixes):
        return [(n, t) for n, t in self.texts.items() if Path(n).suffix in suffixes]

    # ---- files

    def check_banners(self):
        for name, text in self.of(SOURCE):
            head = text.splitlines()[:3]
            if not any("SPDX-License-Identifier: Apache-2.0" in line for line in head):
                self.breach(name, 1, "expected the Apache-2.0 banner in the first three lines")
                continue
            if Path(name).suffix in CODE | {".td", ".def"}:
                after = [line for line in text.splitlines()[1:6] if line.strip("/ ")]
                if not after or not after[0].startswith(("//", " *", "/*")):
                    self.breach(name, 2, "expected a paragraph on the file after the banner")

    def check_sizes(self):
        for name, text in self.of(SOURCE | TESTS):
            lines = text.count("\n")
            if lines > MAX_LINES:
                self.breach(name, 1, f"expected at most {MAX_LINES} lines, but got {lines}")
        for name, text in self.of({".cpp"}):
            start = None
            for number, line in enumerate(text.splitlines(), 1):
                if re.match(r"[A-Za-z].*\)[^;=]*\{$|\s+[^\s:].*\)( const)?( override)? \{$", line) and (
                    start is None
                ):
                    start = (number, re.match(r"\s*", line).group())
                elif start and line.startswith(start[1] + "}"):
                    if number - start[0] + 1 > MAX_FUNCTION_LINES:
                        self.breach(name, start[0], f"expected a function of at most "
                                    f"{MAX_FUNCTION_LINES} lines, but got {number - start[0] + 1}")
                    start = None

    def check_layers(self):
        for name, text in self.of(CODE):
            if name.startswith(("runtime/", "kernels/")):
                for number, line in enumerate(text.splitlines(), 1):
                    # file_kind.cpp names the files of others.
                    if (re.search(r"\b(llvm|mlir)\b", line, re.I)
                            and not name.endswith("file_kind.cpp")):
                        self.breach(name, number, "the runtime and kernels know no LLVM or MLIR")

    def check_guards(self):
        for name, text in self.of({".h"}):
            if name.startswith(("docs/examples/", "tools/cmake/")):
                continue  # another project's, and one without a guard
            folder = next(folder for folder in GUARDS if name.startswith(folder))
            guard = GUARDS[folder] + re.sub(r"[^A-Za-z0-9]", "_", name[len(folder):]).upper()
            found = re.search(r"^#ifndef (\w+)$", text, re.M)
            if not found or found[1] != guard or f"#endif // {guard}" not in text:
                self.breach(name, 1, f"expected the include guard {guard}")

    def check_words(self):
        rules = [
            (re.compile(r"\b(TODO|FIXME|XXX|HACK)\b"), "no unfinished work in the tree"),
            (re.compile(r"(?<![\w.])/(work|root|home)/"), "no path of one machine"),
        ]
        for name, text in self.texts.items():
            if name == "tools/check_conventions.py":
                continue
            for number, line in enumerate(text.splitlines(), 1):
                for rule, message in rules:
                    if rule.search(line):
                        self.breach(name, number, message)
        option = re.compile(r"\bcl::(opt|list)\s*<")
        for name, text in self.of(CODE):
            if name.startswith(("lib/", "include/")):
                for number, line in enumerate(text.splitlines(), 1):
                    if option.search(line):
                        self.breach(name, number, "no command-line options in libraries")

    # ---- passes

    def check_passes(self):
        runs = "\n".join(t for n, t in self.texts.items() if n.startswith("test/"))
        for td, folder in PASS_FILES.items():
            text = self.texts.get(td, "")
            prefixes = dict(re.findall(r'class (\w+)<string flag> : Pass<"([\w-]*)" # flag', text))
            bases = dict(re.findall(r"class (\w+)<string flag> : (TR_\w+)<flag>", text))
            for match in re.finditer(r'^def (\w+)\s*:\s*(\w+)<"([\w-]+)"', text, re.M):
                name, base, flag = match.groups()
                while base in bases:
                    base = bases[base]
                if base != "Pass" and base not in prefixes:
                    continue
                body = text[match.start() : text.index("\n}", match.start())]
                line = text.count("\n", 0, match.start()) + 1
                self.check_pass(td, line, folder, name, prefixes.get(base, "") + flag, body, runs)

    def check_pass(self, td, line, folder, name, flag, body, runs):
        say = lambda message: self.breach(td, line, f"--{flag}: {message}")
        short = re.sub(r"^tr-(arch|graph|bp)-|^tr-", "", flag)
        camel = lambda text: "".join(word.capitalize() for word in text.split("-"))
        if name != camel(flag.removeprefix("tr-")):
            say(f"expected def {camel(flag.removeprefix('tr-'))}, but got {name}")
        for word in ("Requires", "Ensures"):
            if not re.search(word, body, re.I):
                say(f"expected '{word}' in the description")
        if not re.search("does not|do not", body, re.I):
            say("expected what it does not do in the description")
        if "```mlir" not in body:
            say("expected an mlir example in the description")
        if "let constructor" in body:
            say("expected no hand-written constructor")
        if "verify" not in flag and "check" not in flag and "attach" not in flag:
            if "statistics" not in body and "MergePass" not in body:
                say("expected a statistic")
        files = [n for n in self.files if n.startswith(folder + "/")
                 and Path(n).name in (f"{name}.cpp", f"{camel(short)}.cpp")]
        if not files:
            say(f"expected {folder}/**/{camel(short)}.cpp")
        code = "".join(self.texts[file] for file in files)
        for member, statistic in re.findall(r'Statistic<"(\w+)",\s*"([^"]+)"', body):
            if not statistic.startswith("num-"):
                say(f"expected a statistic called num-..., but got {statistic}")
            # Without it the number is lost where LLVM has no statistics.
            if not re.search(rf'addCount\({member},[^;]*"{statistic}"', code):
                say(f'expected addCount({member}, ..., "{statistic}", ...)')
        for file in files:
            if f"struct {name}Pass" not in self.texts[file]:
                say(f"expected struct {name}Pass in {file}")
            for debug in re.findall(r'#define DEBUG_TYPE "(.*)"', self.texts[file]):
                if debug != flag:
                    say(f"expected the debug type {flag} in {file}, but got {debug}")
        stem = flag.removeprefix("tr-")
        own = re.compile(rf"({re.escape(stem)}|{re.escape(short)})(-invalid)?[\w-]*\.\w+")
        tests = {n: t for n, t in self.texts.items()
                 if n.startswith("test/") and own.fullmatch(Path(n).name)}
        if not any("-invalid" not in n for n in tests):
            say(f"expected test/**/{short}.mlir")
        negative = re.compile(r"RUN:.*(\bnot tr-|-verify-diagnostics)")
        if not any("-invalid" in n or negative.search(t) for n, t in tests.items()):
            say(f"expected test/**/{short}-invalid.mlir, or a RUN line with an error")
        if not re.search(rf"RUN:.*--{re.escape(flag)}\b", runs):
            say("expected the flag in a RUN line")

    # ---- diagnostics

    def check_diagnostics(self):
        """Every error and warning appears in a test, by one of its longer texts."""
        corpus = "\n".join(t for n, t in self.texts.items()
                           if n.startswith("test/") or "/test/" in n or "unit/" in n)
        corpus = re.sub(r"\\(.)", r"\1", re.sub(r"\s+", " ", corpus.replace('"\n', "")))
        for name, text in self.of({".cpp"}):
            emit = next((e for folder, e in DIAGNOSTICS.items() if name.startswith(folder)), None)
            if emit is None or "/test/" in name:
                continue
            for match in re.finditer(emit, text):
                statement = text[match.start() : text.find(";", match.start())]
                if "{" in re.sub(r'"(\\.|[^"\\])*"', "", statement):
                    continue  # a lambda; its own statements are looked at
                joined = re.sub(r'"\s*\n\s*"', "", statement)
                literals = [re.sub(r"\\(.)", r"\1", part.removesuffix("\\n")).strip()
                            for whole in re.findall(r'"((?:\\.|[^"\\])*)"', joined)
                            for part in re.split(r"%[\d.]*[a-z]+", whole)]
                literals = [part for part in literals if len(part) >= 10]
                found = any(part in corpus or part in UNREACHED for part in literals)
                if literals and not found:
                    line = text.count("\n", 0, match.start()) + 1
                    self.breach(name, line, f"no test has the diagnostic '{literals[0]}'")


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    checker = Checker(root)
    checker.check_banners()
    checker.check_sizes()
    checker.check_layers()
    checker.check_guards()
    checker.check_words()
    checker.check_passes()
    checker.check_diagnostics()
    for breach in checker.breaches:
        print(breach)
    print(f"{len(checker.texts)} files, {len(checker.breaches)} breaches")
    return 1 if checker.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
