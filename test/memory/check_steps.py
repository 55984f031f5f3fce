# SPDX-License-Identifier: Apache-2.0
"""Memory reuse, poison and the order of nodes change no bit of any result.

usage: check_steps.py BIN_DIR SOURCE_DIR [--net REGEX] [--random N [--first SEED]]

Every network of the zoo, narrow and on small images, with and without reuse: two training
steps (one on each input half), evaluation and inference. On each device the outputs of
`tr-run step` are compared as bytes, also where memory that holds nothing is filled with
NaN; on `reference` 20 random topological orders of each schedule give equal bits too.
With --random: the same for N of the random networks of test/oracle/fusion_fuzz.py instead,
fused and unfused in turn, and their plans are refused whichever edge is taken away.
"""
import argparse
import json
import os
import random
import re
import struct
import sys
import tempfile

import plans

BATCH = 3  # odd, so that the parts of a sum differ
ORDERS = 20
DEVICES = ("reference", "cpu")
VARIANTS = ("train_base", "val_base")


def write_batch(path, shape, classes, seed):
    """safetensors with `input` and `label`."""
    draw = random.Random(seed)
    count = BATCH * shape[0] * shape[1] * shape[2]
    pixels = struct.pack("<%df" % count, *(draw.uniform(-1, 1) for _ in range(count)))
    labels = struct.pack("<%di" % BATCH, *(draw.randrange(classes) for _ in range(BATCH)))
    header = json.dumps({
        "input": {"dtype": "F32", "shape": [BATCH, *shape], "data_offsets": [0, len(pixels)]},
        "label": {"dtype": "I32", "shape": [BATCH],
                  "data_offsets": [len(pixels), len(pixels) + len(labels)]}}).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + pixels + labels)


class Net:
    def __init__(self, tools, folder, name, text, shape, classes, *options):
        self.tools, self.folder, self.name = tools, folder, name
        source = self.path("net.bp")
        with open(source, "w") as file:
            file.write(text)
        self.batch = self.path("batch.safetensors")
        write_batch(self.batch, shape, classes, seed=len(name))
        options += ("--batch", str(BATCH))
        self.plans = {
            "reuse": plans.compile_plan(tools, source, self.path("reuse.plan"), *options),
            "no reuse": plans.compile_plan(tools, source, self.path("own.plan"), *options,
                                           "--no-reuse")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def step(self, plan, device, variant, *options):
        """Bytes of the output, and what was printed."""
        out = self.path("out.safetensors")
        printed = plans.run(os.path.join(self.tools, "tr-run"), "step", plan, "--input", self.batch,
                            "--output", out, "--steps", "2", "--variant", variant, "--device",
                            device, "--threads", "2", "--lr", "0.01", *options)
        with open(out, "rb") as file:
            return file.read(), printed

    def check_bits(self, device, variant):
        results = {(kind, poison): self.step(plan, device, variant, *poison)[0]
                   for kind, plan in self.plans.items() for poison in ((), ("--poison",))}
        first = results["reuse", ()]
        assert len(first) > 100
        for how, result in results.items():
            assert result == first, (self.name, device, variant, how)

    def check_orders(self, variant):
        different = []
        for plan in self.plans.values():
            _, printed = self.step(plan, "reference", variant, "--orders", str(ORDERS))
            match = re.fullmatch(r"%d orders, (\d+) of them different: equal bits\n" % ORDERS,
                                 printed)
            assert match, printed
            different.append(int(match[1]))
        return different


    def check_commands(self):
        """Training on a data set, evaluation and inference."""
        tr_run = os.path.join(self.tools, "tr-run")
        results = {}
        for kind, plan in self.plans.items():
            for debug in ((), ("--poison",), ("--order-seed", "5", "--poison")):
                weights, out = self.path("weights"), self.path("out.safetensors")
                common = ("--dataset", "synthetic", "--device", "reference", *debug)
                plans.run(tr_run, "train", plan, "--epochs", "1", "--save", weights, *common)
                metrics = plans.run(tr_run, "eval", plan, "--weights", weights, "--json", *common)
                plans.run(tr_run, "infer", plan, "--weights", weights, "--input", self.batch,
                          "--output", out, *debug)
                with open(weights, "rb") as first, open(out, "rb") as second:
                    results[kind, debug] = first.read(), metrics, second.read()
        assert len(results) == 6 and len(set(results.values())) == 1, self.name

    def check(self):
        for variant in VARIANTS:
            for device in DEVICES:
                self.check_bits(device, variant)
        different = {variant: self.check_orders(variant) for variant in VARIANTS}
        # The schedules of a plan are reordered together, and training has choices.
        assert all(count > ORDERS / 2 for counts in different.values() for count in counts), \
            (self.name, different)
        print("%-16s equal bits; different orders of %d: %s" % (self.name, ORDERS, different))


def self_test(net):
    """The comparison must be able to fail: another weight decay gives other bits."""
    plan = net.plans["reuse"]
    assert net.step(plan, "reference", "train_base")[0] != \
        net.step(plan, "reference", "train_base", "--weight-decay", "0.1")[0]


def check_zoo(args):
    for name, network in plans.zoo(args.source).items():
        if not re.search(args.net, name):
            continue
        with tempfile.TemporaryDirectory() as folder, open(network) as file:
            net = Net(args.tools, folder, name, *plans.narrow(file.read()))
            if name == "lenet":
                self_test(net)
            if name == "mlp_small":
                net.check_commands()
            net.check()


def check_random(args):
    sys.path.insert(0, os.path.join(args.source, "test", "oracle"))
    import fusion_fuzz

    for seed in range(args.first, args.first + args.random):
        height, width, _, text = fusion_fuzz.Maker(seed).net()
        options = ("--fuse", "false") if seed % 2 else ()
        options += ("--optimizer", "adamw") if seed % 3 == 0 else ()
        with tempfile.TemporaryDirectory() as folder:
            net = Net(args.tools, folder, "seed %d" % seed, text, (height, width, 3), 5, *options)
            net.check()
            plans.run(os.path.join(args.tools, "trrt-edge-check"), *net.plans.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools")
    parser.add_argument("source")
    parser.add_argument("--net", default="", help="which networks of the zoo")
    parser.add_argument("--random", type=int, default=0, help="how many random networks instead")
    parser.add_argument("--first", type=int, default=0, help="seed of the first random network")
    args = parser.parse_args()
    if args.random:
        check_random(args)
    else:
        check_zoo(args)


if __name__ == "__main__":
    main()
