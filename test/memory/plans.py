# SPDX-License-Identifier: Apache-2.0
"""Compiling the zoo's networks for the checks of this folder."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from zoo import dense, smallest


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        raise RuntimeError("%s\nexit code %d:\n%s" % (" ".join(command), result.returncode,
                                                     result.stdout))
    return result.stdout


def zoo(source):
    """Paths of all networks, by name."""
    folder = os.path.join(source, "tools", "models")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".bp"))
    assert names, folder
    return {name[:-3]: os.path.join(folder, name) for name in names}


def compile_plan(tools, network, plan, *options):
    run(os.path.join(tools, "tr-compile"), network, "-o", plan, *options)
    return plan


def narrow(text):
    """The network with a sixteenth of the channels and on small images: the same operators in the
    same order, and a step takes milliseconds."""
    before, head, body = re.fullmatch(r"(.*?)(model[^{]*\{)(.*)", dense(text), re.S).groups()

    def smaller(match):
        number = int(match.group())
        return str(max(4, number // 16)) if number >= 16 else match.group()

    height, width, channels = map(int, re.search(r"input\s*=\s*(\d+)x(\d+)x(\d+)", head).groups())
    height, width = min(height, smallest(text)), min(width, smallest(text) + 1)
    head = re.sub(r"\d+x\d+x\d+", "%dx%dx%d" % (height, width, channels), head)
    head = re.sub(r"classes\s*=\s*\d+", "classes = 7", head)
    before, body = (re.sub(r"\b\d+\b", smaller, part) for part in (before, body))
    return before + head + body, (height, width, channels), 7
