# SPDX-License-Identifier: Apache-2.0
"""Random networks whose branches are joined in every way: sums, products and concatenations of each
other, of pooled and gated maps, of values that several branches read. All activations are smooth, so
that rounding moves no value over a kink."""
import random

ACTS = ["tanh_act()", "silu()", "sigmoid()"]


class Maker:
    """Texts of layers. `products` says whether mul2() may stand in them."""

    def __init__(self, seed, products=True):
        self.r = random.Random(seed)
        self.products = products

    def act(self):
        return self.r.choice(ACTS)

    def conv(self, out):
        k = self.r.choice([1, 1, 3])
        kind = self.r.randrange(4)
        if kind == 0:
            return "cbr(%d, %d, 1, %d, act = %s)" % (out, k, k // 2, self.r.choice(["tanh", "silu"]))
        if kind == 1:
            return "seq(bn(), %s, conv(%d, %d, 1, %d))" % (self.act(), out, k, k // 2)
        return "conv(%d, %d, 1, %d)" % (out, k, k // 2)

    def keep(self):
        """A layer that keeps the shape."""
        return self.r.choice(["avgpool(3, 1, 1)", "bn()", "dropout(0.0)", self.act(),
                              self.act(), "avgpool(1, 1, 0)"])

    def same(self, c, depth, maybe_empty=True):
        """A branch of the same shape."""
        if maybe_empty and self.r.random() < 0.25:
            return "seq()"
        text, out = self.chain(c, depth)
        return text if out == c else "seq(%s, %s)" % (text, self.conv(c))

    def concat(self, c, depth):
        branches, total = [], 0
        for _ in range(self.r.choice([1, 2, 2, 2, 3])):
            if self.r.random() < 0.25 and total + c < 40:
                branches.append("seq()")
                total += c
                continue
            text, out = self.chain(c, depth)
            if total + out > 40:
                text, out = "seq(%s, %s)" % (text, self.conv(2)), 2
            branches.append(text)
            total += out
        return "concat(%s)" % ", ".join(branches), total

    def gate(self, c):
        return "seq(gap(), conv(%d, 1), %s)" % (c, self.act())

    def layer(self, c, depth):
        kind = self.r.randrange(10)
        if depth == 0 or kind < 2:
            out = self.r.choice([2, 3, 5, 6])
            return self.conv(out), out
        if kind < 4:
            return self.keep(), c
        if kind < 8:
            return self.concat(c, depth - 1)
        if kind == 8 or not self.products:
            return "add2(%s, %s)" % (self.same(c, depth - 1), self.same(c, depth - 1, False)), c
        other = self.gate(c) if self.r.random() < 0.5 else self.same(c, depth - 1)
        pair = [self.same(c, depth - 1), other]
        self.r.shuffle(pair)
        return "mul2(%s)" % ", ".join(pair), c

    def chain(self, c, depth):
        layers = []
        for _ in range(self.r.choice([1, 1, 2, 3])):
            text, c = self.layer(c, depth)
            layers.append(text)
        return (layers[0] if len(layers) == 1 else "seq(%s)" % ", ".join(layers)), c

    def net(self):
        c, layers = 3, []
        if self.r.random() < 0.7:
            layers, c = ["conv(4, 3, 1, 1)"], 4
        for _ in range(self.r.randint(2, 4)):
            text, c = self.layer(c, 3)
            layers.append(text)
        layers.append(self.r.choice(["gap_fc(classes, true)", "fc(classes, true)"]))
        return "model net(input = 5x4x3, classes = 4) {\n  seq(\n    %s\n  )\n}\n" % (
            ",\n    ".join(layers))
