#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Process time of tr-compile: a network with six different variants, and long chains.

Prints user plus system milliseconds of whole processes, least and median of the
repetitions, and the same without the start of a process that does nothing. For chains
of 1x, 4x and 16x the layers the ratios of neighbours are printed: 4 is linear, n log n
is about 4.5, 16 would be quadratic. Asserts nothing.

    tools/bench/compile_time.py [--bin build/bin] [--repeat 9] [--layers 625]
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile

MODEL = pathlib.Path(__file__).resolve().parents[1] / "models" / "resnet50.bp"
SIX = ["--train-samples", "1281167", "--val-samples", "50000", "--train-res", "224,160@5", "--val-res", "256"]
CHAIN = "model chain(input = 8x8x4, classes = 4) {{ seq({layers}, gap_fc(4, true)) }}\n"
KINDS = {
    "relu": ["relu()"],
    "conv, bn, relu": ["conv(4, 3, 1, 1)", "bn()", "relu()"],
    "cbr": ["cbr(4, 3, 1, 1)"],
}


def cpu_milliseconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def measure(command, repeat):
    times = [cpu_milliseconds(command) for _ in range(repeat)]
    return min(times), statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--layers", type=int, default=625)
    args = parser.parse_args()
    tool = args.bin / "tr-compile"
    start, _ = measure([tool, "--version"], args.repeat)
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / "net.plan"
        least, median = measure([tool, MODEL, "-o", plan, *SIX], args.repeat)
        print(f"{'':<34}{'least ms':>10}{'median':>10}{'no start':>10}")
        print(f"{'start (--version)':<34}{start:10.1f}")
        print(f"{'resnet50.bp, six variants':<34}{least:10.1f}{median:10.1f}{least - start:10.1f}")
        for kind, cycle in KINDS.items():
            last = None
            for factor in (1, 4, 16):
                layers = args.layers * factor
                net = pathlib.Path(folder) / "chain.bp"
                net.write_text(CHAIN.format(layers=", ".join((cycle * layers)[:layers])))
                least, median = measure([tool, net, "-o", plan], max(1, args.repeat // 3))
                ratio = f"   x{(least - start) / last:.1f}" if last else ""
                name = f"{layers:,} layers: {kind}"
                print(f"{name:<34}{least:10.1f}{median:10.1f}{least - start:10.1f}{ratio}")
                last = least - start


if __name__ == "__main__":
    main()
