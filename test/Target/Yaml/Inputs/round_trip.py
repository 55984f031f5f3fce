# SPDX-License-Identifier: Apache-2.0
"""Every network of a folder, at every stage of --tr-arch-pipeline: the IR to YAML and back is the
same text, and so is the YAML again. usage: round_trip.py MODELS_FOLDER"""
import os
import re
import subprocess
import sys


def run(command, stdin):
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode:
        sys.exit("%s: exit code %d\n%s" % (" ".join(command), done.returncode, done.stderr))
    return done.stdout


def stages(fuse):
    """The passes of the pipeline, one after the other."""
    dump = subprocess.run(["tr-opt", "--tr-arch-pipeline=fuse=%s" % fuse, "--dump-pass-pipeline"],
                          input="module {}", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True).stderr
    names = re.findall(r"tr-[\w-]+(?:\{[^}]*\})?", dump)
    for name in names:
        yield name if "expand-tree" in name else "tr.arch.network(%s)" % name


def main():
    count = 0
    for file in sorted(os.listdir(sys.argv[1])):
        if not file.endswith(".bp"):
            continue
        tree = run(["tr-translate", "--blueprint-to-mlir", os.path.join(sys.argv[1], file)], "")
        for fuse in ("true", "false"):
            ir = tree
            for stage in list(stages(fuse)) + ["tr-attach-options"]:
                ir = run(["tr-opt", "--pass-pipeline=builtin.module(%s)" % stage], ir)
                yaml = run(["tr-translate", "--arch-to-yaml"], ir)
                back = run(["tr-opt"], run(["tr-translate", "--yaml-to-arch"], yaml))
                if back != ir:
                    sys.exit("%s after %s: another module came back" % (file, stage))
                if run(["tr-translate", "--arch-to-yaml"], back) != yaml:
                    sys.exit("%s after %s: another text came back" % (file, stage))
                count += 1
    print("%d round trips" % count)


main()
