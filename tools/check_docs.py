#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the code blocks of README.md and docs/*.md.

usage: tools/check_docs.py BUILD_DIR LLVM_BIN_DIR [FILE...]

Every block names its language. `sh` runs in a folder that looks like the top of this repository,
with the tools on the path; blocks of one file run in order in the same folder, where training
and measuring last for one epoch and one second, whatever the text says. `bp` is imported,
`mlir` is read and verified, each line of `cpp` after `<!-- from FILE -->` stands in that file;
`text` is none of these. Comments in front of a block:

  <!-- not run: REASON -->         the block is left out
  <!-- run first: COMMAND -->      what the block needs
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FENCE = re.compile(r"((?:^<!--.*-->\n)*)^```(.*)\n((?:.*\n)*?)^```$", re.M)


def output_of(command, env, folder, stdin=None):
    return subprocess.run(command, input=stdin, env=env, cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Checker:
    def __init__(self, build, llvm):
        self.build, self.llvm = os.path.abspath(build), llvm
        path = [os.path.join(self.build, "bin"), llvm, os.environ["PATH"]]
        self.env = dict(os.environ, PATH=os.pathsep.join(path))
        self.passed, self.failed, self.left_out = 0, 0, 0

    def check(self, file):
        with open(os.path.join(ROOT, file)) as text:
            content = text.read()
        with tempfile.TemporaryDirectory() as folder:
            for name in ("docs", "include", "kernels", "lib", "runtime", "test", "tools"):
                os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
            os.symlink(self.build, os.path.join(folder, "build"))
            for found in FENCE.finditer(content):
                line = content.count("\n", 0, found.start(2)) + 1
                self.block("%s:%d" % (file, line), found[2].strip(), found[3], found[1], folder)

    def block(self, place, language, text, comments, folder):
        if re.search("<!-- not run: .+-->", comments):
            self.left_out += 1
            return
        first = re.findall("<!-- run first: (.*) -->", comments)
        if language == "sh":
            script = "set -euo pipefail\n" + "".join(line + "\n" for line in first) + text
            script = re.sub(r"--(epochs|seconds) \d+", r"--\1 1", script)
            result = output_of(["bash", "-c", script], self.env, folder)
            error = "" if result.returncode == 0 else "exit code %d\n%s" % (
                result.returncode, result.stdout[-2000:])
        elif language == "bp":
            error = self.piped(["tr-translate", "--blueprint-to-mlir"], text, folder)
        elif language == "mlir":
            error = self.piped(["tr-opt"], text, folder)
        elif language == "cpp":
            error = self.excerpt(text, re.findall("<!-- from (.*) -->", comments))
        elif language == "text":
            return
        else:
            error = "expected a language of sh, bp, mlir, cpp or text, but got '%s'" % language
        self.failed += bool(error)
        self.passed += not error
        if error:
            print("%s: error: %s" % (place, error), flush=True)

    def piped(self, command, text, folder):
        result = output_of(command, self.env, folder, text)
        return "" if result.returncode == 0 else result.stdout[-2000:]

    @staticmethod
    def excerpt(text, files):
        if not files:
            return "expected <!-- from FILE --> in front of it"
        squeeze = lambda code: re.sub(r"\s+", "", re.sub(r"//.*", "", code))
        with open(os.path.join(ROOT, files[0])) as file:
            whole = squeeze(file.read())
        missing = [line for line in re.split(r"(?<=;)\n", text) if squeeze(line) not in whole]
        return "not in %s: %s" % (files[0], missing[0].strip()) if missing else ""


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    folder = os.path.join(ROOT, "docs")
    files = sys.argv[3:] or ["README.md"] + [
        "docs/" + name for name in sorted(os.listdir(folder)) if name.endswith(".md")]
    checker = Checker(sys.argv[1], sys.argv[2])
    for file in files:
        checker.check(file)
    print("%d passed, %d failed, %d left out" % (checker.passed, checker.failed, checker.left_out))
    return 1 if checker.failed or not checker.passed else 0


if __name__ == "__main__":
    sys.exit(main())
