# SPDX-License-Identifier: Apache-2.0
"""Row 7.1 of the field reports: an update in place of what another consumer still needs.

usage: field_report_7_1.py BIN_DIR SOURCE_DIR

a = relu(x); out = conv(a) + a, where x has negative values. With a convolution of zeros,
out is relu(x) exactly. With random weights the gradients of both convolutions equal
central differences of the loss, computed here in double, so what backward reads was
intact. Each with reuse and without, in training and in evaluation, on both CPU libraries.
"""
import argparse
import os
import sys
import tempfile

import numpy

import plans

BATCH, HEIGHT, WIDTH, CHANNELS = 3, 3, 2, 2
CLASSES = HEIGHT * WIDTH * CHANNELS
NET = """model m(input = %dx%dx%d, classes = %d) {
  seq(conv(2, 1), relu(), add2(seq(), conv(2, 3, 1, 1)), flatten(), fc(classes, bias = false))
}
""" % (HEIGHT, WIDTH, CHANNELS, CLASSES)
FIRST, SECOND, LAST = "0.conv.weight", "2.1.conv.weight", "4.fc.weight"
EPS, TOLERANCE = 1e-5, 1e-5


def conv(x, weight, pad):
    """x (n, h, w, c), weight [o, i, kh, kw]."""
    _, _, kernel_h, kernel_w = weight.shape
    padded = numpy.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    height, width = padded.shape[1] - kernel_h + 1, padded.shape[2] - kernel_w + 1
    out = numpy.zeros((x.shape[0], height, width, weight.shape[0]))
    for i in range(kernel_h):
        for j in range(kernel_w):
            out += padded[:, i:i + height, j:j + width, :] @ weight[:, :, i, j].T
    return out


def features(weights, x):
    a = numpy.maximum(conv(x, weights[FIRST], 0), 0)
    return conv(a, weights[SECOND], 1) + a


def loss(weights, x, labels):
    out = features(weights, x).transpose(0, 3, 1, 2).reshape(BATCH, -1)  # c, h, w as in files
    logits = out @ weights[LAST].T
    top = logits.max(axis=1, keepdims=True)
    log_sum = top[:, 0] + numpy.log(numpy.exp(logits - top).sum(axis=1))
    return (log_sum - logits[numpy.arange(BATCH), labels]).mean()


def difference(weights, name, x, labels):
    gradient = numpy.zeros(weights[name].shape)
    for index in numpy.ndindex(gradient.shape):
        sides = []
        for sign in (1, -1):
            moved = {key: value.copy() for key, value in weights.items()}
            moved[name][index] += sign * EPS
            sides.append(loss(moved, x, labels))
        gradient[index] = (sides[0] - sides[1]) / (2 * EPS)
    return gradient


class Case:
    def __init__(self, tools, io, folder, x, labels):
        self.tools, self.io, self.folder, self.x, self.labels = tools, io, folder, x, labels
        self.source = os.path.join(folder, "net.bp")
        with open(self.source, "w") as file:
            file.write(NET)
        self.batch = os.path.join(folder, "batch.safetensors")
        io.save(self.batch, {"input": x.astype(numpy.float32),
                             "label": labels.astype(numpy.int32)})

    def step(self, plan, weights, variant, device):
        file, out = (os.path.join(self.folder, name) for name in ("weights", "out"))
        self.io.save(file, {key: value.astype(numpy.float32) for key, value in weights.items()})
        plans.run(os.path.join(self.tools, "tr-run"), "step", plan, "--input", self.batch,
                  "--weights", file, "--output", out, "--variant", variant, "--device", device,
                  "--poison")
        return self.io.load(out)

    def check(self, plan, device):
        draw = numpy.random.default_rng(71)
        weights = {FIRST: numpy.eye(CHANNELS).reshape(CHANNELS, CHANNELS, 1, 1),
                   SECOND: numpy.zeros((CHANNELS, CHANNELS, 3, 3)), LAST: numpy.eye(CLASSES)}
        rectified = numpy.maximum(self.x, 0).transpose(0, 3, 1, 2).reshape(BATCH, -1)
        assert (self.x < 0).any() and (self.x > 0).any()
        for variant in ("train_base", "val_base"):
            logits = self.step(plan, weights, variant, device)["logits"]
            assert (logits == rectified.astype(numpy.float32)).all(), (variant, device)
        weights = {key: draw.uniform(-0.5, 0.5, value.shape).astype(numpy.float32).astype(float)
                   for key, value in weights.items()}
        out = self.step(plan, weights, "train_base", device)
        for name in weights:
            expected = difference(weights, name, self.x, self.labels)
            error = numpy.abs(out["grad." + name] - expected).max()
            assert error <= TOLERANCE and numpy.abs(expected).max() > 0.01, (name, device, error)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools")
    parser.add_argument("source")
    args = parser.parse_args()
    sys.path.insert(0, os.path.join(args.source, "test", "oracle"))
    import safetensors_io

    draw = numpy.random.default_rng(7)
    x = draw.uniform(-1, 1, (BATCH, HEIGHT, WIDTH, CHANNELS)).astype(numpy.float32).astype(float)
    labels = draw.integers(0, CLASSES, BATCH)
    with tempfile.TemporaryDirectory() as folder:
        case = Case(args.tools, safetensors_io, folder, x, labels)
        for options in ((), ("--no-reuse",), ("--fuse", "false")):
            plan = plans.compile_plan(args.tools, case.source, os.path.join(folder, "net.plan"),
                                      "--batch", str(BATCH), *options)
            for device in ("reference", "cpu"):
                case.check(plan, device)
                print("relu exact, gradients within %g: %s %s"
                      % (TOLERANCE, device, " ".join(options)))


if __name__ == "__main__":
    main()
