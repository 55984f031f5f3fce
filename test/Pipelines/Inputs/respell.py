#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a .bp network again with other words for the same layers.

Usage: respell.py cbr|prim FILE.bp

`cbr` turns block() and mbconv() into add2() and cbr(), cbrp() into cbr() and maxpool(),
gap_fc() into gap() and fc(). `prim` also turns cbr() into conv(), bn() and an
activation. Repetitions are written out, because their first body may differ.
"""
import re
import sys

TOKEN = re.compile(
    r"\s+|//[^\n]*|(?P<word>[A-Za-z_]\w*|\d+(?:x\d+)+|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?"
    r"|\"[^\"]*\")|(?P<sym>[(){},=;])"
)


# Calls of activations that have not the activation's name.
CALLS = {"tanh": "tanh_act"}


class Call:
    def __init__(self, name, args=(), **named):
        self.name, self.args, self.named = name, list(args), named

    def __str__(self):
        named = ["%s = %s" % item for item in self.named.items()]
        return "%s(%s)" % (self.name, ", ".join([str(arg) for arg in self.args] + named))


class Reader:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SystemExit("unexpected text: %r" % text[at : at + 20])
            at = match.end()
            if match.lastgroup:
                self.tokens.append(match.group())
        self.tokens.append("")

    def take(self, expected=None):
        token = self.tokens.pop(0)
        if expected and token != expected:
            raise SystemExit("expected %r, but got %r" % (expected, token))
        return token

    def value(self, lets):
        word = self.take()
        if self.tokens[0] != "(":
            return lets.get(word, word)
        self.take("(")
        call = Call(word)
        while self.tokens[0] != ")":
            if self.tokens[1] == "=":
                key = self.take()
                self.take("=")
                call.named[key] = self.value(lets)
            else:
                call.args.append(self.value(lets))
            if self.tokens[0] == ",":
                self.take()
        self.take(")")
        return call

    def models(self):
        """Yields (header text, input channels, tree)."""
        lets = {}
        while self.tokens[0]:
            if self.tokens[0] == "let":
                self.let(lets)
                continue
            self.take("model")
            header = self.value({})
            self.take("{")
            scope = dict(lets)
            while self.tokens[0] == "let":
                self.let(scope)
            yield header, int(header.named["input"].split("x")[2]), self.value(scope)
            self.take("}")

    def let(self, lets):
        self.take("let")
        name = self.take()
        self.take("=")
        lets[name] = self.value(lets)
        self.take(";")


class Respeller:
    def __init__(self, primitive):
        self.primitive = primitive

    def cbr(self, out, k, s=1, p=0, momentum="0.1", eps="1e-5", act="relu", **geometry):
        if not self.primitive:
            return Call("cbr", [out, k, s, p, momentum, eps], **geometry, act=act)
        return Call("seq", [Call("conv", [out, k, s, p], **geometry),
                            Call("bn", [momentum, eps]), Call(CALLS.get(act, act))])

    def linear(self, out, k, s, p, momentum="0.1", eps="1e-5"):
        return Call("seq", [Call("conv", [out, k, s, p]), Call("bn", [momentum, eps])])

    def shortcut(self, channels, out, s, style, norm):
        if s == 1 and channels == out:
            return Call("identity")
        if style.startswith("RESNETD"):
            return Call("seq", [Call("avgpool", [s, s, 0], ceil="true"),
                                self.linear(out, 1, 1, 0, **norm)])
        return self.linear(out, 1, s, 0, **norm)

    def resnet(self, channels, out, style, mid=None, groups=None, act="relu", **norm):
        s = 2 if style.endswith("_DS") else 1
        if "1_3_1" in style:
            groups = groups or (32 if "NEXT" in style else 1)
            stem = [self.cbr(mid, 1, act=act, **norm),
                    self.cbr(mid, 3, s, 1, act=act, groups=groups, **norm),
                    self.linear(out, 1, 1, 0, **norm)]
        else:
            stem = [self.cbr(out, 3, s, 1, act=act, **norm), self.linear(out, 3, 1, 1, **norm)]
        shortcut = self.shortcut(channels, out, s, style, norm)
        return Call("seq", [Call("add2", [shortcut, Call("seq", stem)]),
                            Call(CALLS.get(act, act))])

    def inverted(self, channels, expand, out, s, act="relu6", **norm):
        inner = channels * expand
        layers = [] if expand == 1 else [self.cbr(inner, 1, act=act, **norm)]
        layers.append(self.cbr(inner, 3, s, 1, act=act, groups=inner, **norm))
        layers.append(self.linear(out, 1, 1, 0, **norm))
        stem = Call("seq", layers)
        if s == 1 and channels == out:
            return Call("add2", [Call("seq"), stem])
        return stem

    def block(self, call, channels):
        values = dict(zip(["out", "style"] if len(call.args) == 2 else ["mid", "out", "style"],
                          call.args), **call.named)
        values.pop("name", None)
        out, style = int(values.pop("out")), values.pop("style")
        if style.startswith("MB_"):
            return self.inverted(channels, 6 if "E6" in style else 1, out,
                                 2 if style.endswith("_DS") else 1, **values), out
        return self.resnet(channels, out, style, **values), out

    def run(self, call, channels):
        """The call in other words, and its output channels."""
        if call.name in ("seq", "repeat"):
            times = int(call.args[1]) if call.name == "repeat" else 1
            items = []
            for item in (call.args[:1] * times if call.name == "repeat" else call.args):
                item, channels = self.run(item, channels)
                items.append(item)
            return Call("seq", items, **call.named), channels
        if call.name in ("add2", "mul2", "concat"):
            branches, counts = zip(*(self.run(branch, channels) for branch in call.args))
            channels = sum(counts) if call.name == "concat" else counts[-1]
            return Call(call.name, branches, **call.named), channels
        if call.name == "block":
            return self.block(call, channels)
        if call.name == "mbconv":
            expand, out, stride = map(int, call.args)
            return self.inverted(channels, expand, out, stride, **call.named), out
        if call.name == "cbr":
            return self.cbr(*call.args, **call.named), int(call.args[0])
        if call.name == "cbrp":
            conv = self.cbr(*call.args[:4], **call.named)
            return Call("seq", [conv, Call("maxpool", call.args[4:7])]), int(call.args[0])
        if call.name == "gap_fc":
            return Call("seq", [Call("gap"), Call("fc", call.args, **call.named)]), channels
        if call.name in ("conv", "group_conv"):
            channels = int(call.args[0])
        return call, channels


def main():
    spelling, path = sys.argv[1:]
    respeller = Respeller({"cbr": False, "prim": True}[spelling])
    with open(path) as file:
        for header, channels, tree in Reader(file.read()).models():
            print("model %s {\n  %s\n}" % (header, respeller.run(tree, channels)[0]))


if __name__ == "__main__":
    main()
