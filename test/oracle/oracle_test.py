# SPDX-License-Identifier: Apache-2.0
"""Whole networks against PyTorch in double precision.

usage: oracle_test.py BIN_DIR SOURCE_DIR [--case REGEX]... [--device D]... [--random N]

For each network, N random ones of branches among them, fused and unfused, on each device, with each optimizer: logits,
every gradient and running statistics of one step, losses, running statistics and
parameters after five, and the logits of inference. The error of a tensor is its
largest absolute difference; it may be 2e-4 of the oracle's largest element, or four
times the error that PyTorch itself makes in FP32 where that is larger.

Gradients belong to the first step: later the small differences of the parameters
send single values through the other side of a ReLU, in every FP32 program at other
places, and one such value is more than any tolerance for rounding.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import numpy
import torch

import bp_torch
import random_joins
import safetensors_io

RELATIVE = 2e-4
FP32_FACTOR = 4
STEPS = 5
BATCHES = 24
SCALARS = {
    "sgd": (["--momentum", "0.9"], {"momentum": 0.9}, 5e-4),
    "adamw": (["--beta1", "0.9", "--beta2", "0.999", "--eps", "1e-3"],
              {"betas": (0.9, 0.999), "eps": 1e-3}, 1e-2),
}
LR, SMOOTHING = 1e-3, 0.1


class Case:
    """`widths` makes a network of the zoo narrow: the more activations there are, the more
    surely one lies so near a kink that two correct programs take different sides. `winograd`:
    its rounding, a few times that of direct convolution, crosses no kink either."""

    def __init__(self, name, file, batch, input=None, classes=None, widths=None, winograd=True):
        self.name, self.file, self.batch, self.winograd = name, file, batch, winograd
        self.input, self.classes, self.widths = input, classes, widths or {}

    def text(self, source):
        with open(os.path.join(source, self.file)) as file:
            # A mask cannot be compared with another program's; p = 0 keeps the layer.
            text = re.sub(r"(dropout2?d?|stochastic_depth)\([^)]*\)", r"\1(0.0)", file.read())
        return re.sub(r"\b\d+\b", lambda m: self.widths.get(m.group(), m.group()), text)


class RandomCase(Case):
    def __init__(self, seed):
        super().__init__("random-joins/%d" % seed, None, 3)
        self.seed = seed

    def text(self, source):
        return random_joins.Maker(self.seed).net()


CASES = [
    Case("lenet", "tools/models/lenet.bp", 5),
    Case("resnet20", "tools/models/resnet20.bp", 4, (16, 12, 3), winograd=False),
    Case("bottleneck", "test/oracle/bottleneck.bp", 3),
    Case("styles", "test/oracle/styles.bp", 3),
    Case("joins", "test/oracle/joins.bp", 3),
    Case("gates", "test/oracle/gates.bp", 3),
    Case("windows", "test/oracle/windows.bp", 4),
    Case("functions", "test/oracle/functions.bp", 3),
    Case("activations", "test/oracle/activations.bp", 3),
    Case("norms", "test/oracle/norms.bp", 3),
    Case("maps", "test/oracle/maps.bp", 4),
    Case("channels", "test/oracle/channels.bp", 4),
    Case("mobilenet_v2", "tools/models/mobilenet_v2.bp", 4, (48, 40, 3), 10,
         {"16": "8", "24": "12", "32": "12", "64": "16", "96": "20", "160": "24", "320": "32",
          "1280": "64"}),
    Case("vgg16_bn", "tools/models/vgg16_bn.bp", 6, (32, 32, 3), 10,
         {"64": "16", "128": "24", "256": "32", "512": "48", "4096": "128"}, winograd=False),
]


def near_misses(source):
    folder = os.path.join("test", "Inputs", "near-miss")
    if not os.path.isdir(os.path.join(source, folder)):
        return []
    return [Case("near-miss/" + name[:-3], os.path.join(folder, name), 3)
            for name in sorted(os.listdir(os.path.join(source, folder))) if name.endswith(".bp")]


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        raise RuntimeError("%s\nexit code %d:\n%s" % (" ".join(command), result.returncode,
                                                     result.stdout))
    return result.stdout


class Comparison:
    """Collects tensors of one run that are further off than allowed."""

    def __init__(self, exact, single):
        self.exact, self.single, self.worst, self.bad = exact, single, 0.0, []

    def scale(self, name):
        scale = self.exact[name].abs().max().item()
        weight = re.sub(r"\.bias$", ".weight", name)
        # A bias in front of a normalisation has no gradient; only its layer's scale is left.
        if name.startswith("first.grad.") and weight != name and weight in self.exact:
            weight_scale = self.exact[weight].abs().max().item()
            if scale < 1e-9 * weight_scale:
                return weight_scale
        return scale

    def check(self, name, ours):
        exact = self.exact[name]
        if tuple(ours.shape) != tuple(exact.shape):
            self.bad.append("%s: shape %s, expected %s" % (name, ours.shape, tuple(exact.shape)))
            return
        error = (torch.from_numpy(ours.copy()).double() - exact).abs().max().item()
        own = (self.single[name].double() - exact).abs().max().item()
        allowed = max(RELATIVE * self.scale(name), FP32_FACTOR * own)
        self.worst = max(self.worst, error / max(allowed, 1e-300))
        if not error <= allowed:  # a NaN fails too
            self.bad.append("%s: error %.3g, allowed %.3g" % (name, error, allowed))


def oracle(net, dtype, x, labels, optimizer):
    _, options, decay = SCALARS[optimizer]
    own = net.clone(dtype)
    own.training = False
    with torch.no_grad():
        inference = own.forward(x.to(dtype))
    own.training = True
    first = own.clone(dtype)
    train = lambda net, steps: bp_torch.train(net, x.to(dtype), labels, optimizer, steps, LR, decay,
                                              SMOOTHING, **options)
    result = merge(train(first, 1), train(own, STEPS))
    result["inference"] = inference
    return result


def merge(first, last):
    """The tensors to compare, from the results of one step and of all."""
    result = {"first." + k: v for k, v in first.items() if not k.startswith("param.")}
    result.update((k, v) for k, v in last.items()
                  if k == "loss" or k.startswith(("param.", "running.")))
    return result


def choose_batch(net, batch):
    """Of some random batches the one whose activations stay furthest from every kink in
    all steps, with the oracle's results for it by optimizer."""
    h, w, c = net.input
    best = None
    for seed in range(BATCHES):
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(batch, c, h, w, generator=generator)
        labels = torch.randint(0, net.classes, (batch,), generator=generator)
        net.margin = bp_torch.Margin()
        results = {name: oracle(net, torch.float64, x, labels, name) for name in SCALARS}
        if best is None or net.margin.value > best[0]:
            best = (net.margin.value, x, labels, results)
    net.margin = None
    return best[1:]


def check(case, source, bin_dir, folder, devices):
    net = bp_torch.Net(case.text(source), input=case.input, classes=case.classes)
    net.initialise(seed=sum(map(ord, case.name)))
    x, labels, exact_results = choose_batch(net, case.batch)

    path = lambda name: os.path.join(folder, name)
    with open(path("net.bp"), "w") as file:
        file.write(case.text(source))
    safetensors_io.save(path("batch.safetensors"), {
        "input": x.permute(0, 2, 3, 1).contiguous().numpy(),
        "label": labels.int().numpy()})
    weights = {**net.params, **net.buffers}
    safetensors_io.save(path("w.safetensors"), {k: v.float().numpy() for k, v in weights.items()})

    failures = []
    for optimizer in SCALARS:
        exact = exact_results[optimizer]
        single = oracle(net, torch.float32, x, labels, optimizer)
        for fuse in ("true", "false"):
            plan = path("net-%s-%s.plan" % (optimizer, fuse))
            command = [os.path.join(bin_dir, "tr-compile"), path("net.bp"), "-o", plan,
                       "--batch", str(case.batch), "--fuse=" + fuse, "--optimizer", optimizer,
                       "--winograd", "true" if case.winograd else "false"]
            if case.input:
                command += ["--input", "x".join(map(str, case.input))]
            if case.classes:
                command += ["--classes", str(case.classes)]
            run(*command)
            for device in devices:
                label = "%s %s fuse=%s %s" % (case.name, optimizer, fuse, device)
                comparison = Comparison(exact, single)
                step(comparison, plan, path, bin_dir, device, optimizer)
                state = "FAIL" if comparison.bad else "ok"
                print("%-4s %s: worst error %.2f of the allowed" % (state, label, comparison.worst),
                      flush=True)
                for line in comparison.bad[:10]:
                    print("       " + line)
                if len(comparison.bad) > 10:
                    print("       and %d more" % (len(comparison.bad) - 10))
                if comparison.bad:
                    failures.append(label)
    return failures


def step(comparison, plan, path, bin_dir, device, optimizer):
    flags, _, decay = SCALARS[optimizer]
    common = [os.path.join(bin_dir, "tr-run"), "step", plan, "--input", path("batch.safetensors"),
              "--weights", path("w.safetensors"), "--device", device]
    run(*common, "--output", path("val.safetensors"), "--variant", "val_base")
    for steps in (1, STEPS):
        run(*common, "--output", path("out%d.safetensors" % steps), "--steps", str(steps), "--lr",
            str(LR), "--weight-decay", str(decay), "--label-smoothing", str(SMOOTHING), *flags)
    ours = merge(*(safetensors_io.load(path("out%d.safetensors" % n)) for n in (1, STEPS)))
    ours["inference"] = safetensors_io.load(path("val.safetensors"))["logits"]
    for name in comparison.exact:
        if name not in ours:
            comparison.bad.append(name + ": missing")
            continue
        comparison.check(name, numpy.asarray(ours.pop(name)))
    comparison.bad += [name + ": unexpected" for name in ours]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("source_dir")
    parser.add_argument("--case", action="append")
    parser.add_argument("--device", action="append")
    parser.add_argument("--random", type=int, default=8)
    options = parser.parse_args()
    cases = CASES + near_misses(options.source_dir) + [RandomCase(n) for n in range(options.random)]
    if options.case:
        cases = [case for case in cases if any(re.search(c, case.name) for c in options.case)]
    if not cases:
        sys.exit("no case matches")
    torch.set_num_threads(1)
    failures = []
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                failures += check(case, options.source_dir, options.bin_dir, folder,
                                  options.device or ["reference", "cpu"])
            except RuntimeError as error:
                print("FAIL %s: %s" % (case.name, error))
                failures.append(case.name)
    print("%d cases, %d failures" % (len(cases), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
