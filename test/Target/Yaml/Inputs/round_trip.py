# SPDX-License-Identifier: Apache-2.0
"""Every network of folders, at every stage of --tr-arch-pipeline: the IR to YAML and back is the
same text, and so is the YAML again. usage: round_trip.py FOLDER..."""
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
    dump = subprocess.run(["tr-opt", "--tr-arch-pipeline", "--dump-pass-pipeline"],
                          input="module {}", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True).stderr
    first, *others = re.findall(r"tr-[\w-]+", dump)
    yield "tr-attach-options{fuse=%s},%s" % (fuse, first)
    for name in others:
        yield "tr.arch.network(%s)" % name


def main():
    count = 0
    paths = [os.path.join(folder, file) for folder in sys.argv[1:]
             for file in sorted(os.listdir(folder)) if file.endswith(".bp")]
    for file in paths:
        tree = run(["tr-translate", "--blueprint-to-mlir", file], "")
        for fuse in ("true", "false"):
            ir = tree
            for stage in stages(fuse):
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
