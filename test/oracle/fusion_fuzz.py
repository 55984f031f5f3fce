# SPDX-License-Identifier: Apache-2.0
"""Random networks compute the same fused and unfused.

usage: fusion_fuzz.py BIN_DIR [--first SEED=0] [--count N=20] [--verbose]

Most networks hold a block or a block with one thing changed, written with primitives,
cbr() or block(). For each the parameter lists must be equal, the fused plan must hold
what was meant to be merged, first values must be equal, and one training step on the
reference device must give the same logits, gradients and running statistics up to
rounding.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy

import safetensors_io

ACTS = ["relu", "relu6", "tanh_act", "silu", "leaky_relu", "hardswish", "elu", "sigmoid"]
BLOCKS = ("bottleneck_", "basic_block_", "inv_residual_")


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def act(self):
        return self.r.choice(ACTS)

    def cba(self, out, k, s=1, act="relu", extra=""):
        """Convolution, normalisation and activation in one of two spellings."""
        if self.r.random() < 0.5:
            named = "tanh" if act == "tanh_act" else act
            return "cbr(%d, %d, %d, %d, 0.1, 1e-5, act = %s%s)" % (out, k, s, k // 2, named, extra)
        return "conv(%d, %d, %d, %d%s), bn(), %s()" % (out, k, s, k // 2, extra, act)

    def cb(self, out, k, s=1):
        return "conv(%d, %d, %d, %d), bn()" % (out, k, s, k // 2)

    def residual(self, c, same_shape=False):
        """(text, channels after it, whether it must merge): a ResNet block or nearly one."""
        r = self.r
        s = 1 if same_shape else r.choice([1, 1, 2, 3])
        out = c if same_shape else r.choice([c, c, 6, 8])
        bottleneck = r.random() < 0.5
        change = r.choice([None] * 4 + ["act", "kernel", "bn", "tail", "head", "bias", "groups",
                                        "eps", "relu"])
        mid = r.choice([4, 8])
        acts = ["relu", "silu" if change == "act" else "relu"]
        extra = {"bias": ", bias = true", "groups": ", groups = 2"}.get(change, "")
        if bottleneck:
            stem = [self.cba(mid, 1, act=acts[1]),
                    self.cba(mid, 5 if change == "kernel" else 3, s, extra=extra)]
        else:
            mid = out
            even = c % 2 == 0 and out % 2 == 0
            if change == "groups" and not even:
                change, extra = None, ""
            stem = [self.cba(out, 5 if change == "kernel" else 3, s, act=acts[1], extra=extra)]
        last = self.cb(out, 1 if bottleneck else 3)
        if change == "bn":
            last = last.replace(", bn()", "")
        if change == "eps":
            last = last.replace("bn()", "bn(0.1, 0.002)")
        stem.append(last)
        if change == "tail":
            stem.append(self.act() + "()")
        if change == "head":
            stem.insert(0, self.act() + "()")
        shortcut = "seq()" if s == 1 and out == c else "seq(%s)" % self.cb(out, 1, s)
        end = "silu()" if change == "relu" else "relu()"
        return "add2(%s, seq(%s)), %s" % (shortcut, ", ".join(stem), end), out, change is None

    def inverted(self, c):
        r = self.r
        s, out = r.choice([1, 1, 2]), r.choice([c, c, 6, 8])
        inner = c * r.choice([1, 2, 3])
        change = r.choice([None] * 3 + ["act", "bn", "groups"])
        stem = [] if inner == c else [self.cba(inner, 1, act="relu6")]
        groups = 1 if change == "groups" else inner
        stem.append(self.cba(inner, 3, s, "relu" if change == "act" else "relu6",
                             ", groups = %d" % groups))
        stem.append(self.cb(out, 1) if change != "bn" else "conv(%d, 1)" % out)
        if s == 1 and out == c:
            return "add2(seq(), seq(%s))" % ", ".join(stem), out, change is None
        # What stands before or after a chain may belong to another one.
        return ", ".join(stem), out, False

    def projected(self, c):
        """An inverted residual that only its shortcut keeps from being one."""
        s, out = self.r.choice([1, 2]), self.r.choice([c, 6])
        stem = [self.cba(2 * c, 1, act="relu6"),
                self.cba(2 * c, 3, s, "relu6", ", groups = %d" % (2 * c)), self.cb(out, 1)]
        return "add2(seq(%s), seq(%s))" % (self.cb(out, 1, s), ", ".join(stem)), out, False

    def layer(self, c):
        r = self.r
        kind = r.choice(["residual", "residual", "residual", "inverted", "inverted", "block", "cba",
                         "pool", "cb", "sum", "projected"])
        if kind == "residual":
            return self.residual(c)
        if kind == "inverted":
            return self.inverted(c)
        if kind == "block":
            out = r.choice([c, 6, 8])
            style = r.choice(["RESNET_3_3", "RESNET_3_3_DS", "MB_E1_K3", "MB_E6_K3", "MB_E6_K3_DS"])
            return "block(%d, %s)" % (out, style), out, True
        if kind == "cba":
            out = r.choice([6, 8])
            return self.cba(out, r.choice([1, 3]), act=self.act()), out, False
        if kind == "pool":
            out = r.choice([6, 8])
            return self.cba(out, 3, act=self.act()) + ", maxpool(3, 2, 1)", out, False
        if kind == "cb":
            return self.cb(c, 3), c, False
        if kind == "projected":
            return self.projected(c)
        inner, _, merges = self.residual(c, same_shape=True)
        return "add2(%s(), seq(%s, %s))" % (self.act(), inner, self.cb(c, 3) if merges else
                                            self.cba(c, 3)), c, False

    def net(self):
        c = self.r.choice([3, 4])
        layers, merges = [self.cba(8, 3)], 0
        c = 8
        for _ in range(self.r.randint(2, 4)):
            text, c, merged = self.layer(c)
            layers.append(text)
            merges += merged
        layers.append(self.r.choice(["gap_fc(classes, bias = true)",
                                     "gap(), fc(classes, bias = false)",
                                     "flatten(), dropout(0.0), fc(classes, bias = true)"]))
        h, w = self.r.choice([(9, 7), (8, 8), (12, 5), (17, 3)])
        return h, w, merges, "model net(input = %dx%dx3, classes = 5) {\n  seq(\n    %s\n  )\n}\n" % (
            h, w, ",\n    ".join(layers))


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s\n%s" % (" ".join(command), done.stdout + done.stderr))
    return done.stdout


def check(seed, bin_dir, folder):
    """Returns the network's text and what is wrong with it."""
    h, w, merges, text = Maker(seed).net()
    path = lambda name: os.path.join(folder, name)
    tool = lambda name: os.path.join(bin_dir, name)
    with open(path("net.bp"), "w") as file:
        file.write(text)
    values = numpy.random.RandomState(seed)
    safetensors_io.save(path("in"), {
        "input": values.standard_normal((4, h, w, 3)).astype(numpy.float32),
        "label": values.randint(0, 5, 4).astype(numpy.int32)})
    results, infos = [], []
    try:
        for fuse in ("true", "false"):
            run(tool("tr-compile"), path("net.bp"), "-o", path("plan"), "--batch", "4",
                "--fuse=" + fuse, *(["--zero-gamma"] if seed % 3 == 0 else []))
            infos.append(json.loads(run(tool("tr-run"), "inspect", path("plan"), "--json")))
            run(tool("tr-run"), "step", path("plan"), "--input", path("in"), "--output",
                path("out"), "--seed", str(seed), "--lr", "0", "--device", "reference")
            results.append(safetensors_io.load(path("out")))
    except RuntimeError as error:
        return text, [str(error)]
    wrong = [key + " differ" for key in ("parameters", "buffers") if infos[0][key] != infos[1][key]]
    if infos[1]["fusions"]:
        wrong.append("the unfused plan holds fused layers")
    made = sum(n for name, n in infos[0]["fusions"].items() if name.startswith(BLOCKS))
    if made < merges:
        wrong.append("expected at least %d fused blocks, but got %d" % (merges, made))
    scale = max(abs(v).max() for k, v in results[1].items() if k.startswith("grad."))
    for name, want in results[1].items():
        error = abs(results[0][name].astype(float) - want).max()
        own = max(abs(want).max(), 1e-3 * scale if name.startswith("grad.") else 1e-3)
        if not error <= 2e-3 * own:
            wrong.append("%s: fused and unfused differ by %.3g of %.3g" % (name, error, own))
    return text, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    failures = 0
    for seed in range(options.first, options.first + options.count):
        with tempfile.TemporaryDirectory() as folder:
            text, wrong = check(seed, options.bin_dir, folder)
        if options.verbose or wrong:
            print("seed %d: %s\n%s" % (seed, "; ".join(wrong[:5]) or "ok", text))
        failures += bool(wrong)
    print("%d networks, %d failures" % (options.count, failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
