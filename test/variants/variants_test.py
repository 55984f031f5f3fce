# SPDX-License-Identifier: Apache-2.0
"""Each variant of a plan against a plan compiled for that shape alone, bit for bit.

usage: variants_test.py BIN_DIR SOURCE_DIR [--case REGEX]

Both plans start from the same random weights and run `tr-run step` on the same batch, on
`reference`. The files that they write (loss, logits, gradients, parameters, running
statistics) must be equal byte for byte.
"""
import argparse
import concurrent.futures
import filecmp
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import safetensors_io
import zoo


class Config:
    """Sample counts follow from the batches: some whole ones and a last one."""

    def __init__(self, train, val, train_res=None, val_res=None, steps=1):
        (self.batch, self.last), (self.val_batch, self.val_last) = train, val
        self.train_res, self.val_res, self.steps = train_res, val_res, steps

    def flags(self):
        samples = lambda batch, last: str(3 * batch + last % batch)
        flags = ["--batch", str(self.batch), "--train-samples", samples(self.batch, self.last),
                 "--val-batch", str(self.val_batch), "--val-samples",
                 samples(self.val_batch, self.val_last)]
        flags += ["--train-res", self.train_res] if self.train_res else []
        return flags + (["--val-res", self.val_res] if self.val_res else [])


MAIN = Config((2, 1), (2, 1), "32,48@5", "64")
SMALL = Config((2, 1), (1, 1), "32,48@5", "40x33")
# More steps show what one leaves behind in the memory of the next.
RECTANGLES = Config((3, 2), (3, 1), "32x40,48x36@1", "37x28", steps=2)
# For networks that flatten feature maps.
BATCHES = Config((5, 3), (3, 1), steps=2)
FEW = Config((2, 1), (1, 1))
ONE = Config((1, 1), (1, 1), "33x20,24x41@0", steps=2)

# Model, channels of its input, configurations.
CASES = [
    ("resnet152", 3, [MAIN]),
    ("resnet101", 3, [MAIN]),
    ("resnet50", 3, [MAIN]),
    ("resnet34", 3, [MAIN]),
    ("resnet18", 3, [MAIN]),
    ("mobilenet_v2", 3, [MAIN, ONE]),
    ("mobilenet_v3_small", 3, [MAIN]),
    ("convnext_tiny", 3, [FEW]),
    ("resnet56", 3, [MAIN]),
    ("resnet20", 3, [MAIN, SMALL, RECTANGLES, ONE]),
    ("fashion_resnet", 1, [MAIN, SMALL, RECTANGLES, ONE]),
    ("vgg16_bn", 3, [FEW]),
    ("lenet", 1, [BATCHES]),
    ("mlp", 1, [BATCHES]),
    ("mlp_small", 1, [BATCHES]),
]
VARIANTS = ["train_base", "train_last", "train_lowres", "train_lowres_last", "val_base", "val_last"]


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        raise RuntimeError("%s\nexit code %d:\n%s%s" % (" ".join(command), result.returncode,
                                                       result.stdout, result.stderr))
    return result.stdout


class Check:
    def __init__(self, model, channels, config, options, folder):
        self.config, self.folder = config, folder
        self.compiler = [os.path.join(options.bin_dir, "tr-compile"),
                         os.path.join(options.source_dir, "tools", "models", model + ".bp"),
                         "--input", "32x32x%d" % channels]
        self.runner = os.path.join(options.bin_dir, "tr-run")
        self.channels = channels

    def path(self, name):
        return os.path.join(self.folder, name)

    def compile(self, name, flags):
        run(*self.compiler, "-o", self.path(name), *flags)
        return {v["name"]: v for v in json.loads(run(self.runner, "inspect", "--json",
                                                     self.path(name)))["variants"]}

    def step(self, plan, variant, output):
        run(self.runner, "step", self.path(plan), "--variant", variant, "--device", "reference",
            "--threads", "1", "--seed", "7", "--steps", str(self.config.steps), "--lr", "0.01",
            "--label-smoothing", "0.1", "--input", self.path("batch"), "--output",
            self.path(output))

    def write_batch(self, shape):
        random = numpy.random.RandomState(sum(shape))
        safetensors_io.save(self.path("batch"), {
            "input": random.standard_normal(shape).astype(numpy.float32),
            "label": random.randint(0, 10, shape[0]).astype(numpy.int32)})

    def expected_shapes(self):
        c, size = self.config, lambda text: [int(e) for e in text.split("x")] * (2 - text.count("x"))
        base, low = (size(part.split("@")[0]) for part in (c.train_res or "32,32").split(","))
        val = size(c.val_res or "32")
        return dict(zip(VARIANTS, [(c.batch, base), (c.last, base), (c.batch, low), (c.last, low),
                                   (c.val_batch, val), (c.val_last, val)]))

    def run(self):
        found = self.compile("six.plan", self.config.flags())
        for name, (batch, size) in self.expected_shapes().items():
            assert (found[name]["batch"], found[name]["resolution"]) == (batch, size), found[name]
            training = name.startswith("train")
            size_text = "%dx%d" % tuple(size)
            alone = ["--batch", str(batch), "--train-res", size_text] if training else \
                ["--batch", "1", "--val-batch", str(batch), "--val-res", size_text]
            self.compile("one.plan", alone)
            self.write_batch((batch, *size, self.channels))
            self.step("six.plan", name, "six.out")
            self.step("one.plan", "train_base" if training else "val_base", "one.out")
            self.compare(name)

    def compare(self, name):
        six, one = (safetensors_io.load(self.path(file)) for file in ("six.out", "one.out"))
        assert numpy.isfinite(six["loss"]).all() and six["loss"].size == self.config.steps
        if not filecmp.cmp(self.path("six.out"), self.path("one.out"), shallow=False):
            different = [key for key in one
                         if key not in six or six[key].tobytes() != one[key].tobytes()]
            raise RuntimeError("%s differs from a plan of its own in %s" % (name, different[:5]))


def check(job):
    model, channels, number, config, options = job
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        try:
            Check(model, channels, config, options, folder).run()
            error = ""
        except (RuntimeError, AssertionError) as failure:
            error = str(failure) or "assertion"
    return "%s %d" % (model, number), error, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("source_dir")
    parser.add_argument("--case", help="a regular expression for names such as 'resnet20 0'")
    zoo.add_long(parser)
    options = parser.parse_args()
    # Outputs of the large networks are half a gigabyte; memory is the better place for them.
    options.scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    jobs = [(model, channels, number, config, options) for model, channels, configs in CASES
            for number, config in enumerate(configs)
            if zoo.is_due(model, options)
            if not options.case or re.search(options.case, "%s %d" % (model, number))]
    if not jobs:
        sys.exit("no case matches")
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, error, seconds in pool.map(check, jobs):
            print("%-4s %s (%.1f s)" % ("FAIL" if error else "ok", name, seconds), flush=True)
            if error:
                print("     " + error)
                failures += 1
    print("%d cases of six variants, %d failures" % (len(jobs), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
