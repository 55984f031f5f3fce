# SPDX-License-Identifier: Apache-2.0
"""Damaged YAML: each case changes one place of a good text and names the error and its place."""
import subprocess
import sys

GOOD = """version: 2
networks:
  - name: "net"
    classes: 3
    input: [-1, 1, 1, 4]
    argument: 0
    layers:
      - layer: fc
        input: 0
        parts: ["0.fc"]
        out: 3
        bias: true
        result: 1
        output: [-1, 1, 1, 3]
    yield: 1
"""
JOIN = """version: 2
networks:
  - name: "net"
    classes: 6
    input: [-1, 4, 4, 3]
    argument: 0
    layers:
      - layer: concat
        input: 0
        parts: ["0"]
        branches:
          -
            argument: 1
            yield: 1
          -
            argument: 2
            layers:
              - layer: avgpool
                input: 2
                parts: ["0.1"]
                window: {kernel: [1, 1], stride: [1, 1], pad: [0, 0], ceil: true}
                result: 3
                output: [-1, 4, 4, 3]
            yield: 3
        result: 4
        output: [-1, 4, 4, 6]
      - layer: block
        input: 4
        parts: ["1.a", "1.b", "1.c", "1.d"]
        block: {family: basic_block, inner: 0, out: 6, stride: 1, groups: 1, shortcut: identity, act: relu}
        eps: 1e-5
        momentum: 0.1
        result: 5
        output: [-1, 4, 4, 6]
    yield: 5
"""
TWO = JOIN.replace("layer: concat", "layer: mul2")
BRANCHES = JOIN[JOIN.index("          -\n") : JOIN.index("        result: 4")]
STEM = "            yield: 3\n"
JOIN_CASES = [
    (JOIN, BRANCHES, "          []\n", "8:9", "'tr.arch.concat' op expected at least one branch, but got none"),
    (JOIN, BRANCHES, "          3\n", "12:11", "expected a list of branches"),
    (JOIN, "        branches:\n" + BRANCHES, "", "8:9", "expected a field 'branches', but got none"),
    (JOIN, "        branches:", "        shortcut: {}\n        branches:", "11:19", "expected no field 'shortcut' here"),
    (JOIN, STEM, STEM + "          -\n            yield: 0\n", "26:13", "expected a field 'argument', but got none"),
    (JOIN, STEM, "", "16:13", "expected a field 'yield', but got none"),
    (JOIN, "yield: 1\n", "yield: 3\n", "14:20", "expected the number of a value defined above, but got 3"),
    (TWO, STEM, STEM + "          -\n            argument: 9\n            yield: 9\n", "8:9",
     "'tr.arch.mul2' op expected 2 regions"),
    (JOIN, "ceil: true", "ceil: up", "21:77", "expected true or false for ceil, but got 'up'"),
    (JOIN, ", ceil: true", "", "21:25", "expected a field 'ceil', but got none"),
    (JOIN, "basic_block", "basic", "30:25", "expected a family of blocks, but got 'basic'"),
    (JOIN, "shortcut: identity", "shortcut: none", "30:88", "expected a shortcut, but got 'none'"),
    (JOIN, "act: relu", "act: relu(1)", "30:103", "expected an activation, but got 'relu(1)'"),
    (JOIN, "act: relu}", "act: relu, mid: 3}", "30:114", "expected no field 'mid' here"),
    (JOIN, "stride: 1, groups", "groups", "30:16", "expected a field 'stride', but got none"),
    (JOIN, "out: 6, stride: 1", "out: 6, stride: 0", "30:16", "expected stride in [1, 2147483647], but got 0"),
]
CASES = [
    # old, new, place of the error, its beginning
    ("version: 2", "version: 1", "1:10", "expected version 2, but got 1"),
    ("version: 2\n", "", "1:1", "expected a field 'version', but got none"),
    ("version: 2", "version: 2\nversion: 2", "2:1", "expected each key once, but got 'version' again"),
    ("version: 2", "version: '2'", "1:10", "expected a version, but got '2'"),
    ("bias: true", "bias: on", "12:15", "expected true or false for bias, but got 'on'"),
    ("bias: true", "bias: no", "12:15", "expected true or false for bias, but got 'no'"),
    ("bias: true", 'bias: "true"', "12:15", "expected true or false for bias, but got 'true'"),
    ("out: 3", "out: 3.0", "11:14", "expected an integer, but got '3.0'"),
    ("out: 3", "out: 0x3", "11:14", "expected an integer, but got '0x3'"),
    ("out: 3", "out: 99999999999999999999", "11:14", "expected an integer, but got '9999"),
    ("out: 3", "out: [3]", "11:14", "expected an integer, but got a list or a mapping"),
    ("out: 3", "out: 3\n        out: 3", "12:9", "expected each key once, but got 'out' again"),
    ("out: 3", "outt: 3", "11:15", "expected no field 'outt' here"),
    ("out: 3", "out: 3\n        window: {}", "12:17", "expected no field 'window' here"),
    ("out: 3", "out: 4", "8:9", "'tr.arch.fc' op"),
    ("layer: fc", "layer: fcc", "8:16", "expected a layer of tr.arch, but got 'fcc'"),
    ("layer: fc", "layer: yield", "8:16", "expected a layer of tr.arch, but got 'yield'"),
    ("input: 0", "input: 7", "9:16", "expected the number of a value defined above, but got 7"),
    ("result: 1", "result: 0", "13:17", "expected a new number for a value, but got 0"),
    ("yield: 1", "yield: 2", "15:12", "expected the number of a value defined above, but got 2"),
    ("[-1, 1, 1, 4]", "[-1, 1, 1]", "5:12", "expected a shape of four extents"),
    ("[-1, 1, 1, 4]", "[-1, 1, 1, -2]", "5:23", "expected an extent of 0 to"),
    ("[-1, 1, 1, 4]", "&a [-1, 1, 1, 4]", "5:15", "expected no anchor, but got '&a'"),
    ("output: [-1, 1, 1, 3]", "output: *a", "14:17", "expected no alias, but got '*a'"),
    ("name: \"net\"", "name: !!str net", "3:17", "expected no tag, but got '!!str'"),
    ("[\"0.fc\"]", "{a: b}", "10:16", "expected a list of texts for parts"),
    ("parts: [\"0.fc\"]\n        ", "", "8:9", "'tr.arch.fc' op requires attribute 'parts'"),
    ("networks:", "options: '#tr.optio'\nnetworks:", "2:10", "expected #tr.options"),
    ("networks:", "options: '1 : i64'\nnetworks:", "2:10", "expected #tr.options"),
    ("networks:", "networks: 3\nx:", "", "expected no field 'x' here"),
    ("    yield: 1\n", "    yield: 1\n---\nversion: 2\n", "17:1", "expected one document, but got another"),
    ("name: \"net\"", "name: \"net", "", ""),
    ("version: 2\nnetworks:", "%", "", ""),
    ("name: \"net\"", "name: \"n\udcffet\"", "3:11", "expected a value in UTF-8"),
    ("layers:", "layers: " + "[" * 3000, "", "expected at most 400 levels, but got more"),
    ("name: \"net\"", "name: " + "x" * 70000, "3:11", "expected at most 65536 characters in a value"),
]


def translate(text):
    return subprocess.run(["tr-translate", "--yaml-to-arch"], input=text, text=True,
                          errors="surrogateescape", stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def main():
    cases = [(GOOD, *case) for case in CASES] + JOIN_CASES
    failures = 0
    for text in (GOOD, JOIN, TWO):
        assert translate(text).returncode == 0, translate(text).stderr
    for text, old, new, place, message in cases:
        assert text.count(old) == 1, old
        done = translate(text.replace(old, new))
        expected = "%s: error: %s" % (place, message) if place else "error: %s" % message
        if done.returncode != 1 or expected not in done.stderr or done.stdout:
            failures += 1
            print("%s -> %s: expected '%s', exit code %d\n%s" % (
                old, new[:60], expected, done.returncode, done.stderr[:600]))
    print("%d cases, %d failures" % (len(cases), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
