#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of each pass at 1x, 4x and 16x the layers (field report 16.1).

Prints milliseconds, the least of the repetitions, and the ratio of the last two
columns: 4 is linear, 16 would be quadratic. Asserts nothing.

    tools/bench/compile_scaling.py [--bin build/bin] [--layers 625] [--repeat 3]
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

HEADER = "model m(input = 8x8x4, classes = 4) { "
NETS = {
    "activations": "seq({relu}, gap_fc(4, true))",
    "cbr": "seq({cbr}, gap_fc(4, true))",
    "primitives": "seq({prims}, gap_fc(4, true))",
    "basic blocks": "seq(repeat(block(4, RESNET_3_3), {n}), gap_fc(4, true))",
    "add2": "seq({add2}, gap_fc(4, true))",
}
LAYERS = {
    "relu": ("relu()", 1),
    "cbr": ("cbr(4, 3, 1, 1)", 1),
    "prims": ("conv(4, 3, 1, 1), bn(), relu()", 3),
    "add2": ("add2(seq(), cbr(4, 3, 1, 1)), relu()", 3),
}
TIMING = re.compile(r"^\s*([\d.]+) \(\s*[\d.]+%\)\s+(\S.*)$")


def make_net(template, layers):
    fill = {name: ", ".join([text] * max(1, layers // size)) for name, (text, size) in LAYERS.items()}
    return HEADER + template.format(n=layers, **fill) + " }\n"


def time_passes(tools, net, pipeline, folder):
    """Milliseconds by pass of one run."""
    source, module = folder / "net.bp", folder / "net.mlir"
    source.write_text(net)
    subprocess.run([tools / "tr-translate", "--blueprint-to-mlir", source, "-o", module], check=True)
    command = [tools / "tr-opt", module, pipeline, "--mlir-timing", "--mlir-timing-display=list",
               "-o", "/dev/null"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return {m[2]: 1e3 * float(m[1]) for m in map(TIMING.match, text.splitlines()) if m}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--layers", type=int, default=625)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--pipeline", default="--tr-arch-pipeline=fuse=true")
    args = parser.parse_args()
    sizes = [args.layers, 4 * args.layers, 16 * args.layers]
    for name, template in NETS.items():
        least = {}
        with tempfile.TemporaryDirectory() as folder:
            for size in sizes:
                for _ in range(args.repeat):
                    times = time_passes(args.bin, make_net(template, size), args.pipeline,
                                        pathlib.Path(folder))
                    for key, value in times.items():
                        row = least.setdefault(key, {})
                        row[size] = min(value, row.get(size, value))
        print(f"\n{name:<28}" + "".join(f"{size:>10}" for size in sizes) + f"{'ratio':>8}")
        for key, row in least.items():
            if len(row) == 3:
                ratio = f"{row[sizes[2]] / row[sizes[1]]:8.1f}" if row[sizes[1]] > 0 else f"{'-':>8}"
                print(f"{key:<28}" + "".join(f"{row[size]:10.1f}" for size in sizes) + ratio)


if __name__ == "__main__":
    main()
