# SPDX-License-Identifier: Apache-2.0
"""Which networks of the zoo a test takes.

Some have the same layers as a smaller one of their family, only more often. Compiling and running
these costs most of the time and finds least, so they are left to `--long`, which
`tools/check.sh --long` gives to every test that asks here."""

DEEPER_TWINS = {
    "resnet34": "resnet18",
    "resnet56": "resnet20",
    "resnet101": "resnet50",
    "resnet152": "resnet50",
}


def add_long(parser):
    parser.add_argument("--long", action="store_true",
                        help="networks too that have the layers of a smaller one: "
                        + ", ".join(sorted(DEEPER_TWINS)))


def is_due(model, options):
    """`model` as a name or a file name; what --case names is due anyway."""
    name = model.rsplit("/", 1)[-1].removesuffix(".bp")
    return options.long or bool(options.case) or name not in DEEPER_TWINS
