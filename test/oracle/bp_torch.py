# SPDX-License-Identifier: Apache-2.0
"""An independent reading of the .bp language that runs networks with PyTorch.

It shares no code with the compiler: the text is parsed here, every layer is
PyTorch's own, and parameters are named by the rule of docs/blueprint.md. So the
same .bp file can be computed by two programs and compared.
"""
import math
import re

import torch
import torch.nn.functional as F

TOKEN = re.compile(
    r"\s+|//[^\n]*|(?P<dims>\d+(?:x\d+)+)|(?P<num>\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"
    r"|(?P<id>[A-Za-z_]\w*)|(?P<str>\"[^\"]*\")|(?P<sym>[=!<>]=|[-+*/<>(){},=;])"
)

class Margin:
    """The smallest distance of an activation's input from a kink, or of a pooling
    window's two largest values from each other: where it is near the rounding error,
    two correct programs take different sides and their gradients differ."""

    def __init__(self):
        self.value = math.inf

    def act(self, x, *kinks):
        for kink in kinks:
            self.value = min(self.value, (x - kink).abs().min().item())

    def pool(self, x, kernel, stride, pad, ceil, dilation=(1, 1)):
        # Windows may reach beyond the pad where extents are rounded up.
        more = [s - 1 if ceil else 0 for s in stride]
        low = F.pad(x, (pad[1], pad[1] + more[1], pad[0], pad[0] + more[0]), value=-math.inf)
        span = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
        windows = low.unfold(2, span[0], stride[0]).unfold(3, span[1], stride[1])
        windows = windows[..., :: dilation[0], :: dilation[1]]
        windows = windows.reshape(*windows.shape[:4], -1)
        if windows.shape[-1] == 1:
            return
        top = windows.topk(2, dim=-1).values
        gap = top[..., 0] - top[..., 1]
        # Equal values: both programs take the first. A window of one value has no second.
        gap = gap[(gap > 0) & gap.isfinite()]
        if gap.numel():
            self.value = min(self.value, gap.min().item())


ACTIVATIONS = {
    "relu": F.relu,
    "relu6": F.relu6,
    "tanh": torch.tanh,
    "tanh_act": torch.tanh,
    "silu": F.silu,
    "leaky_relu": lambda x, slope=0.01: F.leaky_relu(x, slope),
    "hardswish": F.hardswish,
    "elu": lambda x, alpha=1.0: F.elu(x, alpha),
    "sigmoid": torch.sigmoid,
    "gelu": lambda x, approximate="none": F.gelu(x, approximate=approximate),
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "hardsigmoid": F.hardsigmoid,
    "mish": F.mish,
    "softplus": F.softplus,
}

# Where their slopes jump.
KINKS = {"relu": (0.0,), "relu6": (0.0, 6.0), "leaky_relu": (0.0,), "hardswish": (-3.0, 3.0),
         "elu": (0.0,), "hardsigmoid": (-3.0, 3.0)}

# What becomes of the branches of a call.
JOINS = {
    "add2": lambda branches: branches[0] + branches[1],
    "mul2": lambda branches: branches[0] * branches[1],
    "concat": lambda branches: torch.cat(branches, 1),
}

# Positional parameter names of each call.
POSITIONAL = {
    "conv": ["out", "k", "s", "p"],
    "conv_dw": ["k", "s", "p"],
    "group_conv": ["out", "groups", "k", "s", "p"],
    "bn": ["momentum", "eps"],
    "layer_norm": ["eps"],
    "group_norm": ["groups", "eps"],
    "scale": ["init"],
    "leaky_relu": ["slope"],
    "elu": ["alpha"],
    "dropout": ["p"],
    "dropout2d": ["p"],
    "stochastic_depth": ["p"],
    "flatten": ["start_dim"],
    "maxpool": ["k", "s", "p"],
    "avgpool": ["k", "s", "p"],
    "conv_transpose": ["out", "k", "s", "p"],
    "adaptive_avgpool": ["size"],
    "upsample": ["factor", "mode"],
    "slice": ["begin", "count"],
    "channel_shuffle": ["groups"],
    "channel_padding": ["before", "after"],
    "fc": ["out", "bias"],
    "cbr": ["out", "k", "s", "p", "momentum", "eps"],
    "conv_bn_relu": ["out", "k", "s", "p", "momentum", "eps"],
    "cbrp": ["out", "k", "s", "p", "pool_k", "pool_s", "pool_p"],
    "gap_fc": ["out", "bias"],
    "mbconv": ["expand", "out", "stride"],
}
ALIASES = {
    "out_ch": "out", "out_features": "out", "out_channels": "out", "kernel": "k", "stride": "s",
    "pad": "p", "padding": "p", "conv_k": "k", "conv_s": "s", "conv_p": "p",
}


class Node:
    def __init__(self, name, args, named, let=False):
        self.call, self.args, self.named = name, args, named
        self.let = let  # a use of a let: knows no parameters of the function around


class Function:
    def __init__(self, params, body):
        self.params, self.body = params, body


class Op:
    """An integer that is computed where it is used."""

    def __init__(self, op, *args):
        self.op, self.args = op, args


# Integers; division rounds towards zero.
OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: int(a / b), "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
LEVELS = [("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/")]


class Parser:
    def __init__(self, text, overrides=None):
        self.overrides = overrides or {}
        self.tokens = []
        position = 0
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise ValueError("unexpected text at %r" % text[position : position + 20])
            position = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group()))
        self.tokens.append(("end", ""))
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1]

    def next(self, expected=None):
        token = self.tokens[self.at]
        self.at += 1
        if expected and token[1] != expected:
            raise ValueError("expected %r, but got %r" % (expected, token[1]))
        return token

    def models(self):
        lets, models = {}, {}
        while self.peek():
            if self.peek() == "let":
                self.let(lets)
                continue
            if self.peek() == "fn":
                self.function(lets)
                continue
            self.next("model")
            name = self.next()[1]
            header = {}
            self.next("(")
            while self.peek() != ")":
                key = self.next()[1]
                self.next("=")
                header[key] = self.value(lets)
                if self.peek() == ",":
                    self.next()
            self.next(")")
            self.next("{")
            header.update(self.overrides)
            scope = dict(lets, classes=header["classes"], input=header["input"])
            while self.peek() == "let":
                self.let(scope)
            models[name] = (header, self.value(scope))
            self.next("}")
        return models

    def let(self, scope):
        self.next("let")
        name = self.next()[1]
        self.next("=")
        value = self.value(scope)
        scope[name] = Node(value.call, value.args, value.named, let=True)
        self.next(";")

    def function(self, scope):
        self.next("fn")
        name = self.next()[1]
        params = {}
        self.next("(")
        while self.peek() != ")":
            param = self.next()[1]
            params[param] = None
            if self.peek() == "=":
                self.next()
                params[param] = self.value(scope)
            if self.peek() == ",":
                self.next()
        self.next(")")
        self.next("=")
        body = self.value(dict(scope, **{param: Op("param", param) for param in params}))
        scope[name] = Function(params, body)
        self.next(";")

    def value(self, scope, level=0):
        if level == len(LEVELS):
            return self.operand(scope)
        value = self.value(scope, level + 1)
        while self.tokens[self.at][0] == "sym" and self.peek() in LEVELS[level]:
            op = self.next()[1]
            value = Op(op, value, self.value(scope, level + 1))
        return value

    def operand(self, scope):
        kind, text = self.next()
        if text == "-":
            value = self.operand(scope)
            return -value if isinstance(value, (int, float)) else Op("-", 0, value)
        if text == "(":
            value = self.value(scope)
            self.next(")")
            return value
        if kind == "dims":
            return tuple(int(part) for part in text.split("x"))
        if kind == "num":
            return float(text) if re.search(r"[.eE]", text) else int(text)
        if kind == "str":
            return text[1:-1]
        if text in ("true", "false"):
            return text == "true"
        if text == "cin":
            return Op("cin")
        if self.peek() != "(":
            return scope.get(text, text)
        self.next("(")
        args, named = [], {}
        while self.peek() != ")":
            if self.tokens[self.at + 1][1] == "=" and self.tokens[self.at][0] == "id":
                key = self.next()[1]
                self.next("=")
                named[ALIASES.get(key, key)] = self.value(scope)
            else:
                args.append(self.value(scope))
            if self.peek() == ",":
                self.next()
        self.next(")")
        return Node(scope[text] if isinstance(scope.get(text), Function) else text, args, named)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def pad_ends(x, k, s, p, pad_end, dilation=1, value=0.0):
    """x with what the pads at its ends are more than the others, and the latter. Where they are
    less, all of it is padded here."""
    k, s, dilation = pair(k), pair(s), pair(dilation)
    if p == "same":
        both = [d * (n - 1) for n, d in zip(k, dilation)]
        p, end = [n // 2 for n in both], [n - n // 2 for n in both]
    else:
        p = pair(p)
        end = p if pad_end in (None, "pad") else pair(pad_end)
    if list(p) == list(end):
        return x, tuple(p)
    return F.pad(x, (p[1], end[1], p[0], end[0]), value=value), (0, 0)


class Net:
    """A model of a .bp file with its parameters and running statistics."""

    def __init__(self, text, model=None, input=None, classes=None):
        overrides = {"input": input, "classes": classes}
        models = Parser(text, {k: v for k, v in overrides.items() if v}).models()
        if model is None:
            (model,) = models
        header, self.tree = models[model]
        self.input, self.classes = header["input"], header["classes"]
        self.params, self.buffers = {}, {}
        self.training, self.generator, self.margin = True, None, None

    # -- parameters

    def initialise(self, seed, dtype=torch.float64):
        """Random parameters and statistics, in a range that keeps deep nets finite."""
        self.generator = torch.Generator().manual_seed(seed)
        self.dtype = dtype
        self.training = False
        h, w, c = self.input
        with torch.no_grad():
            self.forward(torch.zeros(1, c, h, w, dtype=dtype))
        self.generator = None
        self.training = True

    def clone(self, dtype):
        other = object.__new__(Net)
        other.__dict__.update(self.__dict__)
        other.params = {k: v.detach().to(dtype).clone() for k, v in self.params.items()}
        other.buffers = {k: v.to(dtype).clone() for k, v in self.buffers.items()}
        other.dtype = dtype
        return other

    def param(self, name, shape, low, high):
        if self.generator is not None:
            if name in self.params:
                raise ValueError("duplicate parameter " + name)
            value = torch.rand(shape, generator=self.generator, dtype=torch.float64)
            # Values are exact in FP32, so that every program starts from the same numbers.
            value = (low + (high - low) * value).float().to(self.dtype)
            self.params[name] = value
        return self.params[name]

    def buffer(self, name, shape, low, high):
        if self.generator is not None:
            value = torch.rand(shape, generator=self.generator, dtype=torch.float64)
            self.buffers[name] = (low + (high - low) * value).float().to(self.dtype)
        return self.buffers[name]

    # -- layers

    def act(self, kind, x, **parameters):
        if isinstance(kind, Node):  # act = leaky_relu(0.2)
            parameters = dict(zip(POSITIONAL.get(kind.call, []), kind.args), **kind.named)
            kind = kind.call
        if self.margin:
            self.margin.act(x, *KINKS.get(kind, ()))
        return ACTIVATIONS[kind](x, **parameters)

    def prelu(self, path, x, shared=False, init=0.25):
        if self.margin:
            self.margin.act(x, 0.0)
        return F.prelu(x, self.param(path + ".weight", (1 if shared else x.shape[1],), 0.1, 0.4))

    def affine(self, path, c, affine):
        return (self.param(path + ".weight", (c,), 0.7, 1.3),
                self.param(path + ".bias", (c,), -0.3, 0.3)) if affine else (None, None)

    def layer_norm(self, path, x, eps=1e-5, affine=True):
        c = x.shape[1]
        y = F.layer_norm(x.permute(0, 2, 3, 1), (c,), *self.affine(path, c, affine), eps)
        return y.permute(0, 3, 1, 2)

    def group_norm(self, path, x, groups, eps=1e-5, affine=True):
        return F.group_norm(x, groups, *self.affine(path, x.shape[1], affine), eps)

    def scale(self, path, x, init=1.0):
        return x * self.param(path + ".weight", (x.shape[1],), 0.5, 1.5)[:, None, None]

    def max_pool(self, x, k, s=None, p=0, ceil=False, dilation=1, pad_end=None):
        s = k if s is None else s
        x, p = pad_ends(x, k, s, p, pad_end, dilation, -math.inf)
        if self.margin:
            self.margin.pool(x, pair(k), pair(s), p, ceil, pair(dilation))
        return F.max_pool2d(x, pair(k), pair(s), p, pair(dilation), ceil_mode=ceil)

    def avg_pool(self, x, k, s=None, p=0, ceil=False, count_include_pad=False, pad_end=None):
        """PyTorch knows equal pads only; with others, windows over the padded input are summed, and
        so are those over ones that stand for what is counted."""
        s = k if s is None else s
        inside = torch.ones_like(x[:1, :1])
        padded, rest = pad_ends(x, k, s, p, pad_end)
        if padded is x:
            return F.avg_pool2d(x, pair(k), pair(s), rest, ceil_mode=ceil,
                                count_include_pad=count_include_pad)
        ones = pad_ends(inside, k, s, p, pad_end, value=1.0 if count_include_pad else 0.0)[0]
        total = lambda t: F.avg_pool2d(t, pair(k), pair(s), 0, ceil, divisor_override=1)
        return total(padded) / total(ones)

    def conv_transpose(self, path, x, out, k, s=1, p=0, output_pad=0, dilation=1, groups=1,
                       bias=False, pad_end=None):
        kh, kw = pair(k)
        bound = math.sqrt(3.0 / (x.shape[1] // groups * kh * kw))
        w = self.param(path + ".weight", (x.shape[1], out // groups, kh, kw), -bound, bound)
        b = self.param(path + ".bias", (out,), -0.3, 0.3) if bias else None
        if pad_end in (None, "pad"):
            return F.conv_transpose2d(x, w, b, pair(s), pair(p), pair(output_pad), groups,
                                      pair(dilation))
        # PyTorch knows equal pads only: these are cut off here.
        y = F.conv_transpose2d(x, w, b, pair(s), 0, pair(output_pad), groups, pair(dilation))
        (top, left), (bottom, right) = pair(p), pair(pad_end)
        return y[:, :, top : y.shape[2] - bottom, left : y.shape[3] - right]

    def conv(self, path, x, out, k, s=1, p=0, dilation=1, groups=1, bias=False, pad_end=None):
        x, p = pad_ends(x, k, s, p, pad_end, dilation)
        kh, kw = pair(k)
        inner = x.shape[1] // groups
        bound = math.sqrt(3.0 / (inner * kh * kw))
        w = self.param(path + ".weight", (out, inner, kh, kw), -bound, bound)
        b = self.param(path + ".bias", (out,), -0.3, 0.3) if bias else None
        return F.conv2d(x, w, b, pair(s), p, pair(dilation), groups)

    def bn(self, path, x, momentum=0.1, eps=1e-5, affine=True):
        c = x.shape[1]
        gamma, beta = self.affine(path, c, affine)
        mean = self.buffer(path + ".running_mean", (c,), -0.2, 0.2)
        var = self.buffer(path + ".running_var", (c,), 0.6, 1.5)
        if momentum == "cumulative":
            count = self.buffer(path + ".num_batches_tracked", (1,), 3.0, 3.0)
            momentum = 1.0 / (count.item() + 1)
            if self.training:
                count += 1
        return F.batch_norm(x, mean, var, gamma, beta, self.training, momentum, eps)

    def fc(self, path, x, out, bias):
        x = x.flatten(1)
        bound = math.sqrt(3.0 / x.shape[1])
        w = self.param(path + ".weight", (out, x.shape[1]), -bound, bound)
        b = self.param(path + ".bias", (out,), -0.3, 0.3) if bias else None
        return F.linear(x, w, b)

    def conv_bn(self, path, number, x, out, k, s, p, groups=1, **norm):
        x = self.conv("%sconv%s" % (path, number), x, out, k, s, p, groups=groups)
        return self.bn("%sbn%s" % (path, number), x, **norm)

    def block(self, path, x, out, style, mid=None, groups=None, act="relu", **norm):
        stride = 2 if style.endswith("_DS") else 1
        y = x
        if "_1_3_1" in style:
            groups = groups or (32 if style.startswith("RESNEXT") else 1)
            y = self.act(act, self.conv_bn(path, 1, y, mid, 1, 1, 0, **norm))
            y = self.act(act, self.conv_bn(path, 2, y, mid, 3, stride, 1, groups, **norm))
            y = self.conv_bn(path, 3, y, out, 1, 1, 0, **norm)
        else:
            y = self.act(act, self.conv_bn(path, 1, y, out, 3, stride, 1, **norm))
            y = self.conv_bn(path, 2, y, out, 3, 1, 1, **norm)
        if stride != 1 or x.shape[1] != out:
            if style.startswith("RESNETD"):
                x, stride = self.avg_pool(x, stride, stride, 0, ceil=True), 1
            x = self.conv_bn(path + "proj.", "", x, out, 1, stride, 0, **norm)
        return self.act(act, x + y)

    def mbconv(self, path, x, expand, out, stride, act="relu6", **norm):
        y, inner = x, x.shape[1] * expand
        if expand != 1:
            y = self.act(act, self.conv_bn(path + "expand.", "", y, inner, 1, 1, 0, **norm))
        y = self.conv_bn(path + "dw.", "", y, inner, 3, stride, 1, groups=inner, **norm)
        y = self.conv_bn(path + "project.", "", self.act(act, y), out, 1, 1, 0, **norm)
        return x + y if stride == 1 and x.shape[1] == out else y

    # -- the tree

    def forward(self, x):
        return self.run(*self.resolve(self.tree, x, {}), [], x).flatten(1)

    def evaluate(self, value, x, env):
        """A number or word; `env` has the parameters and cin of the function around."""
        if isinstance(value, Node) and value.call == "if":
            condition = self.evaluate(value.args[0], x, env)
            return self.evaluate(value.args[1 if condition else 2], x, env)
        if not isinstance(value, Op):
            return value
        if value.op == "cin":
            return env.get("cin", x.shape[1])
        if value.op == "param":
            return env[value.args[0]]
        return OPERATORS[value.op](*(self.evaluate(arg, x, env) for arg in value.args))

    def resolve(self, node, x, env):
        """The call of a layer that a let, a function or if() stands for, and what it may use."""
        name = None
        while True:
            if node.let:
                env = {}
            if node.call == "if":
                node = node.args[1 if self.evaluate(node.args[0], x, env) else 2]
            elif isinstance(node.call, Function):
                name = name or node.named.get("name")
                values = dict(node.call.params)
                values.update(zip(values, (self.evaluate(arg, x, env) for arg in node.args)))
                values.update((key, self.evaluate(arg, x, env)) for key, arg in node.named.items()
                              if key != "name")
                node, env = node.call.body, dict(values, cin=x.shape[1])
            else:
                break
        return (Node(node.call, node.args, dict(node.named, name=name)) if name else node), env

    def child(self, node, path, index, x, env):
        node, env = self.resolve(node, x, env)
        return self.run(node, env, path + [node.named.get("name", str(index))], x)

    def run(self, node, env, path, x):
        call, args, named = node.call, node.args, dict(node.named)
        named.pop("name", None)
        if call == "seq":
            for index, item in enumerate(args):
                x = self.child(item, path, index, x, env)
            return x
        if call == "repeat":
            for index in range(self.evaluate(args[1], x, env)):
                body, inner = self.resolve(args[0], x, env)
                name = [body.named["name"]] if "name" in body.named else []
                x = self.run(body, inner, path + [str(index)] + name, x)
            return x
        if call in JOINS:
            return JOINS[call]([self.child(item, path, index, x, env)
                                for index, item in enumerate(args)])
        args = [self.evaluate(arg, x, env) for arg in args]
        named = {key: self.evaluate(arg, x, env) for key, arg in named.items()}
        prefix = "".join(part + "." for part in path)
        if call == "block":
            names = ["mid", "out", "style"] if len(args) == 3 else ["out", "style"]
            values = dict(zip(names, args), **named)
            if not values["style"].startswith("MB_"):
                return self.block(prefix, x, **values)
            style = values.pop("style")
            return self.mbconv(prefix, x, 6 if "E6" in style else 1,
                               stride=2 if style.endswith("_DS") else 1, **values)
        values = dict(zip(POSITIONAL.get(call, []), args), **named)
        if call == "mbconv":
            return self.mbconv(prefix, x, **values)
        return self.layer(call, prefix, x, values)

    def layer(self, call, prefix, x, v):
        geometry = {k: v[k] for k in ("out", "k", "s", "p", "dilation", "groups", "bias", "pad_end")
                    if k in v}
        norm = {k: v[k] for k in ("momentum", "eps", "affine") if k in v}
        if call in ("conv", "group_conv"):
            return self.conv(prefix + "conv", x, **geometry)
        if call == "conv_dw":
            return self.conv(prefix + "conv", x, out=x.shape[1], **dict(geometry, groups=x.shape[1]))
        if call in ("cbr", "conv_bn_relu", "cbrp"):
            x = self.bn(prefix + "bn", self.conv(prefix + "conv", x, **geometry), **norm)
            x = self.act(v.get("act", "relu"), x)
            return self.max_pool(x, v["pool_k"], v["pool_s"], v["pool_p"]) \
                if call == "cbrp" else x
        if call == "bn":
            return self.bn(prefix + "bn", x, **norm)
        if call in ("layer_norm", "group_norm"):
            return getattr(self, call)(prefix + "norm", x, **v)
        if call in ("prelu", "scale"):
            return getattr(self, call)(prefix + call, x, **v)
        if call == "fc":
            return self.fc(prefix + "fc", x, v["out"], v.get("bias", True))[:, :, None, None]
        if call == "gap_fc":
            return self.fc(prefix + "fc", x.mean((2, 3)), v["out"], v.get("bias", True))[:, :, None, None]
        if call == "maxpool":
            return self.max_pool(x, **v)
        if call == "avgpool":
            return self.avg_pool(x, **v)
        if call == "gap":
            return x.mean((2, 3), keepdim=True)
        if call == "flatten":
            return x.flatten(1)[:, :, None, None]
        if call == "channel_padding":
            before, after = v.get("before", 0), v.get("after", 0)
            return F.pad(x, (0, 0, 0, 0, before, after if v else -x.shape[1] % 8))
        if call == "conv_transpose":
            return self.conv_transpose(prefix + "conv", x, **v)
        if call == "adaptive_avgpool":
            return F.adaptive_avg_pool2d(x, pair(v["size"]))
        if call == "global_maxpool":
            return self.max_pool(x, tuple(x.shape[2:]), 1, 0)
        if call == "upsample":
            mode = v.get("mode", "nearest")
            options = {"align_corners": False} if mode == "bilinear" else {}
            scale = tuple(map(float, pair(v["factor"])))
            return F.interpolate(x, scale_factor=scale, mode=mode, **options)
        if call == "slice":
            return x[:, v["begin"] : v["begin"] + v["count"]]
        if call == "channel_shuffle":
            n, c, h, w = x.shape
            return x.reshape(n, v["groups"], -1, h, w).transpose(1, 2).reshape(n, c, h, w)
        if call in ("identity", "softmax_ce"):
            return x
        if call in ("dropout", "dropout2d", "stochastic_depth"):
            if self.training and v["p"] > 0:
                raise ValueError("the oracle cannot know the mask of dropout(%g)" % v["p"])
            return x
        return self.act(call, x, **v)


def decays(name):
    """Weight decay spares parameters of channels and biases unless --decay-all is given."""
    return name.endswith(".weight") and \
        not re.search(r"(^|\.)(bn\d*|norm|prelu|scale)\.weight$", name)


def train(net, x, labels, optimizer, steps, lr, weight_decay, label_smoothing, **options):
    """Runs `steps` steps on one batch; returns what `tr-run step` writes."""
    params = {k: v.requires_grad_() for k, v in net.params.items()}
    groups = [
        {"params": [p for k, p in params.items() if decays(k)], "weight_decay": weight_decay},
        {"params": [p for k, p in params.items() if not decays(k)], "weight_decay": 0.0},
    ]
    cls = {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}[optimizer]
    optim = cls([g for g in groups if g["params"]], lr=lr, **options)
    losses, out = [], {}
    for _ in range(steps):
        optim.zero_grad(set_to_none=True)
        logits = net.forward(x)
        loss = F.cross_entropy(logits, labels, label_smoothing=label_smoothing)
        loss.backward()
        losses.append(loss.item())
        out = {"logits": logits.detach()}
        out.update({"grad." + k: p.grad.clone() for k, p in params.items()})
        optim.step()
    out["loss"] = torch.tensor(losses, dtype=torch.float64)
    out.update({"param." + k: p.detach().clone() for k, p in params.items()})
    out.update({"running." + k: v.clone() for k, v in net.buffers.items()})
    return out
