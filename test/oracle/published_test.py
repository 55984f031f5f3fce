# SPDX-License-Identifier: Apache-2.0
"""Networks of the zoo against their published definitions in torchvision, with the same weights.

usage: published_test.py BIN_DIR SOURCE_DIR [--case REGEX]... [--device D] [--long]

For each network: the number of parameters, the logits of inference, and of one training step on a
small image logits, loss, all gradients and running statistics, against torchvision in double. The
error of a tensor is compared as in oracle_test.py.

Parameters are matched by their order, in which the shapes agree. Dropout and stochastic depth have
p = 0 on both sides: masks of two programs are not the same.
"""
import argparse
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F
import torchvision

import safetensors_io
import zoo
from oracle_test import Comparison, run

BATCH, CLASSES = 4, 1000
BATCHES = 12
KINKS = {torch.nn.ReLU: (0.0,), torch.nn.ReLU6: (0.0, 6.0), torch.nn.Hardswish: (-3.0, 3.0),
         torch.nn.Hardsigmoid: (-3.0, 3.0)}


class Published:
    """The number of parameters, the size of the images, and the part of blocks that torchvision
    lists before the others, although it runs after them."""

    def __init__(self, parameters, size=(64, 64), late=None):
        self.parameters, self.size, self.late = parameters, size, late


NETWORKS = {
    "convnext_tiny": Published(28589128, late="layer_scale"),
    "efficientnet_b0": Published(5288548),
    "efficientnet_v2_s": Published(21458488),
    "mnasnet1_0": Published(4383312),
    "mobilenet_v3_large": Published(5483032),
    "mobilenet_v3_small": Published(2542856),
    "regnet_y_400mf": Published(4344144, late="proj"),
    "resnext50_32x4d": Published(25028904),
    "wide_resnet50_2": Published(68883240),
}


def in_order(names, late):
    """torchvision lists `late`, a part of a block, before the block's other parts; it runs after."""
    if not late:
        return names
    blocks, order = {}, []
    for name in names:
        match = re.match(r"(.*?\.)%s\b" % late, name)
        if match:
            blocks.setdefault(match[1], []).append(name)
    for index, name in enumerate(names):
        if any(name in held for held in blocks.values()):
            continue
        order.append(name)
        for block, held in blocks.items():
            following = names[index + 1] if index + 1 < len(names) else ""
            if name.startswith(block) and not following.startswith(block):
                order += held
    return order


def without_masks(model):
    for module in model.modules():
        if isinstance(module, (torch.nn.Dropout, torchvision.ops.StochasticDepth)):
            module.p = 0.0
    return model


def randomise(model, seed):
    """Values that keep deep networks finite and every gradient well above rounding."""
    generator = torch.Generator().manual_seed(seed)
    uniform = lambda shape, low, high: (
        low + (high - low) * torch.rand(shape, generator=generator)).float()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() == 1:
                low, high = (-0.3, 0.3) if name.endswith("bias") else (0.7, 1.3)
            elif "layer_scale" in name:
                low, high = 0.1, 0.4
            else:
                high = (3.0 / p[0].numel()) ** 0.5
                low = -high
            p.copy_(uniform(p.shape, low, high))
        for name, b in model.named_buffers():
            if name.endswith("running_mean"):
                b.copy_(uniform(b.shape, -0.2, 0.2))
            elif name.endswith("running_var"):
                b.copy_(uniform(b.shape, 0.6, 1.5))


def results(model, dtype, x, labels):
    """What `tr-run step` writes, by torchvision's names."""
    model = model.to(dtype)
    x = x.to(dtype)
    out = {}
    with torch.no_grad():
        out["inference"] = model.eval()(x)
    model.train()
    model.zero_grad(set_to_none=True)
    logits = model(x)
    loss = F.cross_entropy(logits, labels)
    loss.backward()
    out["logits"], out["loss"] = logits.detach(), loss.detach().reshape(1)
    out.update({"grad." + k: p.grad.clone() for k, p in model.named_parameters()})
    out.update({"running." + k: b.clone() for k, b in model.named_buffers()
                if b.is_floating_point()})
    return out


def choose_batch(model, size):
    """Of some random batches the one whose activations stay furthest from every kink: where one is
    nearer than rounding, two correct programs take different sides and their gradients differ."""
    probe = copy.deepcopy(model).double().train()
    nearest = []

    def note(module, inputs):
        nearest.extend((inputs[0] - kink).abs().min().item() for kink in KINKS[type(module)])

    for module in probe.modules():
        if type(module) in KINKS:
            module.register_forward_pre_hook(note)
    best = None
    for seed in range(BATCHES):
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(BATCH, 3, *size, generator=generator)
        nearest.clear()
        with torch.no_grad():
            probe(x.double())
        if best is None or min(nearest, default=0.0) > best[0]:
            best = (min(nearest, default=0.0), x)
        if not nearest:
            break
    return best[1]


def matched(network, model, plan_params):
    """Our names by torchvision's."""
    published = dict(model.named_parameters())
    published.update({k: b for k, b in model.named_buffers() if b.is_floating_point()})
    trainable = in_order([k for k, _ in model.named_parameters()], network.late)
    running = in_order([k for k, b in model.named_buffers() if b.is_floating_point()],
                       network.late)
    ours = [[p for p in plan_params if p["trains"] == trains] for trains in (True, False)]
    pairs = {}
    for theirs, mine in ((trainable, ours[0]), (running, ours[1])):
        if len(theirs) != len(mine):
            raise RuntimeError("expected %d parameters, but got %d" % (len(theirs), len(mine)))
        for name, param in zip(theirs, mine):
            shape = tuple(published[name].shape)
            if numpy.prod(shape) != numpy.prod(param["shape"]) or (
                    len(shape) > 1 and shape[0] != param["shape"][0] and shape[0] != numpy.prod(shape)):
                raise RuntimeError("%s is %s, but %s is %s" % (
                    name, shape, param["name"], param["shape"]))
            pairs[name] = param
    return pairs


def parameters_of(plan, bin_dir):
    inspected = json.loads(run(os.path.join(bin_dir, "tr-run"), "inspect", "--json", plan))
    return [dict(p, trains=trains) for trains, section in ((True, "parameters"), (False, "buffers"))
            for p in inspected[section]]


def check(name, network, options, folder):
    path = lambda file: os.path.join(folder, file)
    with open(os.path.join(options.source_dir, "tools", "models", name + ".bp")) as file:
        text = re.sub(r"(dropout2?d?|stochastic_depth)\([^)]*\)", r"\1(0.0)", file.read())
    with open(path("net.bp"), "w") as file:
        file.write(text)
    model = without_masks(getattr(torchvision.models, name)())
    count = sum(p.numel() for p in model.parameters())
    if count != network.parameters:
        raise RuntimeError("torchvision has %d parameters" % count)
    h, w = network.size
    run(os.path.join(options.bin_dir, "tr-compile"), path("net.bp"), "-o", path("net.plan"),
        "--batch", str(BATCH), "--input", "%dx%dx3" % (h, w))
    ours = parameters_of(path("net.plan"), options.bin_dir)
    mine = sum(int(numpy.prod(p["shape"])) for p in ours if p["trains"])
    if mine != network.parameters:
        raise RuntimeError("expected %d parameters, but got %d" % (network.parameters, mine))

    randomise(model, seed=len(name))
    pairs = matched(network, model, ours)
    tensors = dict(model.named_parameters(), **dict(model.named_buffers()))
    safetensors_io.save(path("w.safetensors"), {
        param["name"]: tensors[k].detach().numpy().reshape(param["shape"])
        for k, param in pairs.items()})
    x = choose_batch(model, network.size)
    labels = torch.randint(0, CLASSES, (BATCH,), generator=torch.Generator().manual_seed(3))
    safetensors_io.save(path("x.safetensors"), {
        "input": x.permute(0, 2, 3, 1).contiguous().numpy(), "label": labels.int().numpy()})
    step = [os.path.join(options.bin_dir, "tr-run"), "step", path("net.plan"), "--input",
            path("x.safetensors"), "--weights", path("w.safetensors"), "--device", options.device]
    run(*step, "--output", path("val.safetensors"), "--variant", "val_base")
    run(*step, "--output", path("out.safetensors"), "--steps", "1", "--lr", "0")
    got = safetensors_io.load(path("out.safetensors"))
    got["inference"] = safetensors_io.load(path("val.safetensors"))["logits"]

    single = results(copy.deepcopy(model), torch.float32, x, labels)
    exact = results(model, torch.float64, x, labels)
    return compare(exact, single, got, pairs)


def compare(exact, single, got, pairs):
    first = lambda tensors: {re.sub("^grad", "first.grad", k): v for k, v in tensors.items()}
    comparison = Comparison(first(exact), first(single))
    for key, value in exact.items():
        kind, _, name = key.partition(".")
        mine = kind + "." + pairs[name]["name"] if name else key
        if mine not in got:
            comparison.bad.append(mine + ": missing")
            continue
        comparison.check(re.sub("^grad", "first.grad", key), got[mine].reshape(tuple(value.shape)))
    return comparison.worst, comparison.bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("source_dir")
    parser.add_argument("--case", action="append")
    parser.add_argument("--device", default="cpu")
    zoo.add_long(parser)
    options = parser.parse_args()
    torch.set_num_threads(1)
    names = [n for n in NETWORKS
             if (not options.case or any(re.search(c, n) for c in options.case))
             and zoo.is_due(n, options)]
    failures = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            try:
                worst, bad = check(name, NETWORKS[name], options, folder)
            except RuntimeError as error:
                worst, bad = float("inf"), [str(error)]
        print("%-4s %s: worst error %.2f of the allowed" % ("FAIL" if bad else "ok", name, worst),
              flush=True)
        for line in bad[:10]:
            print("       " + line)
        if len(bad) > 10:
            print("       and %d more" % (len(bad) - 10))
        failures += bool(bad)
    print("%d networks, %d failures" % (len(names), failures))
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
