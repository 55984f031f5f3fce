# SPDX-License-Identifier: Apache-2.0
"""Networks of tools/models against their published definitions: torchvision's, and those of published.py.

usage: zoo_test.py BIN_DIR SOURCE_DIR [--case REGEX] [--long]

Each has exactly the published number of parameters and, with equal weights, the same logits; made
narrow, also the same loss and the same gradient of every parameter in a training step. A definition's
parameters are matched to ours in the order of execution, and their shapes must agree. As in
oracle_test.py the error of a tensor may be 2e-4 of its largest element, or four times the error that
PyTorch itself makes in FP32.
"""
import argparse
import os
import re
import sys
import tempfile
from unittest import mock

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision.models as vision

import bp_torch
import published
import safetensors_io
import zoo
from oracle_test import Comparison, run

BATCHES, SMOOTHING = 12, 0.1


class Net:
    """`narrow`: by what the channels of the gradient check are divided; or, of a definition that
    takes them, how to make it, with the channels in the text that become others. `kept`: numbers
    of the text that are no channels."""

    def __init__(self, name, count, make, size, narrow, small=(32, 32), kept=(), classes=1000):
        self.name, self.count, self.make, self.size = name, count, make, size
        self.narrow, self.small, self.kept = narrow, small, set(kept)
        self.classes = classes


def resnet(depth, count):
    return Net("resnet%d" % depth, count, published.resnet_cifar(depth), (32, 32), 2, (16, 12),
               classes=10)


NETS = [
    Net("squeezenet1_1", 1_235_496, lambda c: vision.squeezenet1_1(num_classes=c), (64, 48), 8, (48, 40)),
    Net("densenet121", 7_978_856, lambda c: vision.densenet121(num_classes=c), (64, 48), 8, (64, 48),
        kept=(12, 16, 24)),
    Net("mobilenet_v1", 4_231_976, published.mobilenet_v1, (64, 48), 8, (96, 64)),
    Net("shufflenet_v2_x1_0", 2_278_604, lambda c: vision.shufflenet_v2_x1_0(num_classes=c), (64, 48),
        (lambda c: vision.ShuffleNetV2([4, 8, 4], [24, 16, 32, 64, 32], c),
         {58: 8, 116: 16, 232: 32, 1024: 32}), (48, 40)),
    Net("alexnet", 61_100_840, lambda c: vision.alexnet(num_classes=c), (64, 80), 16, (64, 64)),
    Net("resnet50d", 25_576_264, published.resnet50d, (64, 48), 8, (128, 96)),
    Net("xception", 22_855_952, published.xception, (96, 80), 8, (48, 40)),
    Net("nin", 966_986, published.Nin, (32, 32), 8, (20, 16), classes=10),
    resnet(20, 272_474), resnet(32, 466_906), resnet(44, 661_338), resnet(56, 855_770),
    resnet(110, 1_730_714),
]


def divided(number, divisor):
    """Whether a number of a network's text or definition is one of channels."""
    return number >= 16 and number % divisor == 0


def narrowed_definition(net, classes):
    """The definition with its layers made narrow where they are made."""
    if not isinstance(net.narrow, int):
        return net.narrow[0](classes)
    less = lambda n: n // net.narrow if divided(n, net.narrow) else n
    conv, norm, linear = nn.Conv2d.__init__, nn.BatchNorm2d.__init__, nn.Linear.__init__

    def narrow_conv(self, inputs, outputs, *args, **kwargs):
        kwargs["groups"] = less(kwargs.get("groups", 1))
        conv(self, less(inputs), less(outputs), *args, **kwargs)

    with mock.patch.object(nn.Conv2d, "__init__", narrow_conv), \
            mock.patch.object(nn.BatchNorm2d, "__init__",
                              lambda self, c, *a, **k: norm(self, less(c), *a, **k)), \
            mock.patch.object(nn.Linear, "__init__",
                              lambda self, i, o, *a, **k: linear(self, less(i), less(o), *a, **k)):
        return net.make(classes)


def narrowed_text(net, text):
    head, body = text.split("input =", 1)[0], text.split("input =", 1)[1]
    kept = re.match(r"[^)]*\)", body)[0]  # the input's extents and the classes
    others = {} if isinstance(net.narrow, int) else net.narrow[1]

    def less(match):
        number = int(match[0])
        if isinstance(net.narrow, int):
            is_channels = divided(number, net.narrow) and number not in net.kept
            return str(number // net.narrow if is_channels else number)
        return str(others.get(number, number))

    edit = lambda part: re.sub(r"(?<![\w.])\d+(?![\w.])", less, part)
    # Comments tell of the network as it was.
    head = re.sub(r"//[^\n]*", "", head)
    return edit(head) + "input =" + kept + edit(body[len(kept):])


def match(definition, ours, x):
    """Pairs of our names and the definition's tensors, parameters and running statistics."""
    order, handles = [], []
    for module in definition.modules():
        if isinstance(module, (nn.Conv2d, nn.BatchNorm2d, nn.Linear)):
            handles.append(module.register_forward_hook(lambda m, *_: order.append(m)))
    definition.eval()
    with torch.no_grad():
        definition(x)
    for handle in handles:
        handle.remove()
    theirs = {"params": [], "buffers": []}
    for module in order:
        theirs["params"] += [p for p in (module.weight, module.bias) if p is not None]
        if isinstance(module, nn.BatchNorm2d):
            theirs["buffers"] += [module.running_mean, module.running_var]
    pairs = {}
    for kind, mine in (("params", ours.params), ("buffers", ours.buffers)):
        if len(mine) != len(theirs[kind]):
            raise RuntimeError("%d %s, but the definition has %d" % (
                len(mine), kind, len(theirs[kind])))
        for (name, value), tensor in zip(mine.items(), theirs[kind]):
            if value.shape != tensor.shape:
                raise RuntimeError("%s: shape %s, but the definition's is %s" % (
                    name, tuple(value.shape), tuple(tensor.shape)))
            with torch.no_grad():
                tensor.copy_(value)
            pairs[name] = tensor
    return pairs


class Tried:
    """A network of ours and its definition, with equal weights."""

    def __init__(self, text, definition, size, classes, seed):
        h, w = size
        self.text, self.size, self.classes = text, (h, w, 3), classes
        self.definition = definition.double()
        for module in self.definition.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        self.ours = bp_torch.Net(text, input=self.size, classes=classes)
        self.ours.initialise(seed)
        self.pairs = match(self.definition, self.ours, torch.zeros(2, 3, h, w).double())

    def write(self, path, x, labels):
        with open(path("net.bp"), "w") as file:
            file.write(self.text)
        weights = {**self.ours.params, **self.ours.buffers}
        safetensors_io.save(path("w.safetensors"),
                            {k: v.float().numpy() for k, v in weights.items()})
        safetensors_io.save(path("batch.safetensors"), {
            "input": x.permute(0, 2, 3, 1).contiguous().numpy(), "label": labels.int().numpy()})

    def compile(self, path, tool, batch):
        run(tool("tr-compile"), path("net.bp"), "-o", path("net.plan"), "--batch", str(batch),
            "--input", "%dx%dx%d" % self.size, "--classes", str(self.classes), "--winograd", "false")

    def results(self, dtype, x, labels, trains):
        """What the definition makes of a batch: logits, or what a training step writes."""
        self.definition.to(dtype)
        self.definition.train(trains)
        saved = {k: v.clone() for k, v in self.definition.state_dict().items()}
        logits = self.definition(x.to(dtype))
        result = {"logits": logits.detach().clone()}
        if trains:
            self.definition.zero_grad(set_to_none=True)
            loss = F.cross_entropy(logits, labels, label_smoothing=SMOOTHING)
            loss.backward()
            result["loss"] = loss.detach().reshape(1)
            result.update({"first.grad." + name: p.grad.clone() for name, p in self.pairs.items()
                           if isinstance(p, nn.Parameter)})
            self.definition.load_state_dict(saved)
        return result


def text_of(net, source):
    with open(os.path.join(source, "tools", "models", net.name + ".bp")) as file:
        return re.sub(r"dropout\([^)]*\)", "dropout(0.0)", file.read())


def draw(tried, batch, seed):
    h, w, c = tried.size
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(batch, c, h, w, generator=generator),
            torch.randint(0, tried.classes, (batch,), generator=generator))


def compare(exact, single, ours):
    comparison = Comparison(exact, single)
    for name in exact:
        comparison.check(name, ours[name].reshape(exact[name].shape))
    return comparison


def check_whole(net, source, path, tool):
    """The number of parameters, and the logits of inference."""
    definition = net.make(net.classes)
    count = sum(p.numel() for p in definition.parameters())
    if count != net.count:
        raise RuntimeError("the definition has %d parameters, not %d" % (count, net.count))
    tried = Tried(text_of(net, source), definition, net.size, net.classes, 1)
    ours = sum(p.numel() for p in tried.ours.params.values())
    if ours != net.count:
        raise RuntimeError("%d parameters, but the published network has %d" % (ours, net.count))
    x, labels = draw(tried, 2, 7)
    with torch.no_grad():
        exact = tried.results(torch.float64, x, labels, False)
        single = tried.results(torch.float32, x, labels, False)
    tried.write(path, x, labels)
    tried.compile(path, tool, 2)
    run(tool("tr-run"), "infer", path("net.plan"), "--weights", path("w.safetensors"), "--input",
        path("batch.safetensors"), "--output", path("y.safetensors"))
    return compare(exact, single, safetensors_io.load(path("y.safetensors")))


def check_narrow(net, source, path, tool):
    """One training step. The batch is the one of some whose activations stay furthest from kinks; in
    a deep network one still lies so near that another order of sums takes it to the other side, so
    the step is that of `reference`, which sums in double. oracle_test.py has both libraries."""
    tried = Tried(narrowed_text(net, text_of(net, source)), narrowed_definition(net, 10), net.small,
                  10, 2)
    best = None
    for seed in range(BATCHES):
        x, labels = draw(tried, 4, seed)
        tried.ours.margin, tried.ours.training = bp_torch.Margin(), True
        with torch.no_grad():
            tried.ours.clone(torch.float64).forward(x.double())
        if best is None or tried.ours.margin.value > best[0]:
            best = (tried.ours.margin.value, x, labels)
    _, x, labels = best
    exact = tried.results(torch.float64, x, labels, True)
    single = tried.results(torch.float32, x, labels, True)
    tried.write(path, x, labels)
    tried.compile(path, tool, 4)
    run(tool("tr-run"), "step", path("net.plan"), "--input", path("batch.safetensors"), "--weights",
        path("w.safetensors"), "--output", path("out.safetensors"), "--steps", "1",
        "--label-smoothing", str(SMOOTHING), "--device", "reference")
    ours = {("first." + k if k.startswith("grad.") else k): v
            for k, v in safetensors_io.load(path("out.safetensors")).items()}
    return compare(exact, single, ours)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("source_dir")
    parser.add_argument("--case", default="")
    zoo.add_long(parser)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tool = lambda name: os.path.join(options.bin_dir, name)
    nets = [net for net in NETS if re.search(options.case, net.name) and zoo.is_due(net.name, options)]
    if not nets:
        sys.exit("no case matches")
    failures = 0
    for net in nets:
        for kind, check in (("logits", check_whole), ("gradients", check_narrow)):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    result = check(net, options.source_dir, lambda n: os.path.join(folder, n), tool)
                    state, worst = "FAIL" if result.bad else "ok", result.worst
                    print("%-4s %s %s: worst error %.2f of the allowed" % (
                        state, net.name, kind, worst), flush=True)
                    for line in result.bad[:8]:
                        print("       " + line)
                    failures += bool(result.bad)
                except RuntimeError as error:
                    print("FAIL %s %s: %s" % (net.name, kind, error), flush=True)
                    failures += 1
    print("%d networks, %d failures" % (len(nets), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
