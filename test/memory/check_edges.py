# SPDX-License-Identifier: Apache-2.0
"""Takes each edge of compiled plans away once: the runtime must refuse every one.

usage: check_edges.py BIN_DIR SOURCE_DIR
"""
import argparse
import os
import re
import tempfile

import plans

NETS = ("lenet", "fashion_resnet", "resnet20", "mobilenet_v2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools")
    parser.add_argument("source")
    args = parser.parse_args()
    networks = plans.zoo(args.source)
    with tempfile.TemporaryDirectory() as folder:
        for name in NETS:
            source, plan = os.path.join(folder, name + ".bp"), os.path.join(folder, name + ".plan")
            with open(networks[name]) as file, open(source, "w") as small:
                small.write(plans.narrow(file.read())[0])
            for options in ((), ("--no-reuse",), ("--fuse", "false", "--optimizer", "adamw")):
                plans.compile_plan(args.tools, source, plan, "--batch", "2", *options)
                printed = plans.run(os.path.join(args.tools, "trrt-edge-check"), plan)
                match = re.search(r": (\d+) edges, 0 of them unnoticed\n$", printed)
                assert match and int(match[1]) > 100, printed
                print("%-16s %-40s %s edges" % (name, " ".join(options), match[1]))


if __name__ == "__main__":
    main()
