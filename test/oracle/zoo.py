# SPDX-License-Identifier: Apache-2.0
"""Which networks of the zoo a test takes.

Some have the same layers as a smaller one of their family, only more often. Compiling and running
these costs most of the time and finds least, so they are left to `--long`, which
`tools/check.sh --long` gives to every test that asks here."""

import re

DEEPER_TWINS = {
    "resnet32": "resnet20",
    "resnet34": "resnet18",
    "resnet44": "resnet20",
    "resnet56": "resnet20",
    "resnet101": "resnet50",
    "resnet110": "resnet20",
    "resnet152": "resnet50",
    "efficientnet_v2_s": "efficientnet_b0",
    "mobilenet_v3_large": "mobilenet_v3_small",
    "wide_resnet50_2": "resnet50",
    "resnext50_32x4d": "resnet50",
}


def add_long(parser):
    parser.add_argument("--long", action="store_true",
                        help="networks too that have the layers of a smaller one: "
                        + ", ".join(sorted(DEEPER_TWINS)))


def is_due(model, options):
    """`model` as a name or a file name; what --case names is due anyway."""
    name = model.rsplit("/", 1)[-1].removesuffix(".bp")
    return options.long or bool(options.case) or name not in DEEPER_TWINS


def smallest(text):
    """The side of the smallest images that a network of the zoo takes, or 32."""
    return 64 if re.search(r"model alexnet\b", text) else 32


def dense(text):
    """Grouped convolutions that are not depthwise have one group: narrow channels need not divide."""
    text = re.sub(r"(RESNEXT_\w+)\)", r"\1, groups = 1)", text)
    return re.sub(r"\((\d+)([^()]*\bgroups = )(\d+)",
                  lambda m: m[0] if m[1] == m[3] else "(" + m[1] + m[2] + "1", text)
