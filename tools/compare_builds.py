#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares this tree with an older build of the project: equal results are the proof that a
rebuilt part does what it did.

usage: compare_builds.py OLD_TREE NEW_TREE [--old-bin DIR] [--new-bin DIR] [--models REGEX]

For each network of the zoo at a small size, fused and not, with each optimizer and both kernel
libraries: the tensors of one training step, of five, and of inference, byte for byte; and what
`tr-compile --memory` prints. Then the texts of all diagnostics, as the sources have them: what
differs must stand in tools/compare_builds.txt, a line `old -> new # reason` each ('' for none).
Exit code 1 where anything differs.
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

import check_conventions

# Name: input, classes, batch.
MODELS = {
    "lenet": ((28, 28, 1), 10, 5),
    "mlp": ((28, 28, 1), 10, 7),
    "mlp_small": ((28, 28, 1), 10, 7),
    "fashion_resnet": ((28, 28, 1), 10, 5),
    "resnet20": ((20, 12, 3), 10, 5),
    "resnet56": ((12, 12, 3), 10, 3),
    "resnet18": ((48, 40, 3), 11, 3),
    "resnet34": ((40, 40, 3), 11, 2),
    "resnet50": ((48, 40, 3), 11, 3),
    "resnet101": ((33, 33, 3), 11, 2),
    "resnet152": ((33, 33, 3), 11, 1),
    "mobilenet_v2": ((48, 40, 3), 11, 3),
    "vgg16_bn": ((32, 32, 3), 10, 3),
}
SLOW_ON_REFERENCE = {"resnet101", "resnet152", "resnet34", "vgg16_bn", "resnet50", "mobilenet_v2",
                     "resnet18"}
OPTIMIZERS = {"sgd": ["--momentum", "0.9"], "adamw": []}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def read_tensors(path):
    """Name to (type, shape, bytes)."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    body = data[8 + length:]
    return {name: (e["dtype"], e["shape"], body[slice(*e["data_offsets"])])
            for name, e in header.items()}


def write_batch(path, shape, classes, batch):
    random = numpy.random.default_rng(7)
    tensors = {"input": random.standard_normal((batch, *shape)).astype("<f4"),
               "label": random.integers(0, classes, batch).astype("<i4")}
    header, body = {}, b""
    for name, array in tensors.items():
        header[name] = {"dtype": {"f": "F32", "i": "I32"}[array.dtype.kind],
                        "shape": list(array.shape),
                        "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


class Builds:
    def __init__(self, old, new):
        self.bins = {"old": old, "new": new}
        self.differences = 0
        self.compared = 0

    def report(self, label, what):
        print(f"DIFFERS {label}: {what}", flush=True)
        self.differences += 1

    def compile(self, which, source, folder, flags):
        plan = folder / f"{which}.plan"
        text = run(self.bins[which] / "tr-compile", source, "-o", plan, "--memory", *flags)
        return plan, text.replace(str(plan), "PLAN")

    def tensors(self, which, plan, folder, verb, flags):
        out = folder / f"{which}.safetensors"
        out.unlink(missing_ok=True)
        run(self.bins[which] / "tr-run", verb, plan, "--output", out, *flags)
        return read_tensors(out)

    def compare(self, label, plans, folder, verb, flags):
        old, new = (self.tensors(w, plans[w], folder, verb, flags) for w in ("old", "new"))
        self.compared += 1
        for name in sorted(old.keys() | new.keys()):
            if name not in old or name not in new:
                self.report(label, f"only the {'old' if name in old else 'new'} has {name}")
            elif old[name] != new[name]:
                self.report(label, f"tensor {name}")
                return

    def model(self, name, source, folder):
        shape, classes, batch = MODELS[name]
        write_batch(folder / "batch.safetensors", shape, classes, batch)
        backends = ["cpu"] if name in SLOW_ON_REFERENCE else ["cpu", "reference"]
        for optimizer, numbers in OPTIMIZERS.items():
            for extra in ([], ["--fuse=false"], ["--no-reuse"]):
                if extra == ["--no-reuse"] and optimizer == "adamw":
                    continue
                label = " ".join([name, optimizer, *extra])
                flags = ["--batch", str(batch), "--input", "x".join(map(str, shape)), "--classes",
                         str(classes), "--optimizer", optimizer, "--train-samples",
                         str(3 * batch + 1), *extra]
                plans, memory = {}, {}
                for which in ("old", "new"):
                    plans[which], memory[which] = self.compile(which, source[which], folder, flags)
                if memory["old"] != memory["new"]:
                    self.report(label, "what --memory prints\n" + memory["old"] + memory["new"])
                batch_file = ["--input", folder / "batch.safetensors"]
                for backend in backends:
                    where = ["--backend", backend, "--threads", "2", *batch_file]
                    steps = lambda n: ["--steps", str(n), "--lr", "0.01", "--label-smoothing",
                                       "0.1", *numbers, *where]
                    self.compare(f"{label} {backend} step", plans, folder, "step", steps(1))
                    self.compare(f"{label} {backend} five steps", plans, folder, "step", steps(5))
                # Inference of trained weights, made by one of the two builds.
                weights = folder / "w.safetensors"
                if not weights.exists():
                    self.save_weights(plans["old"], folder, weights)
                for backend in backends:
                    self.compare(f"{label} {backend} infer", plans, folder, "infer",
                                 ["--weights", weights, "--backend", backend, "--threads", "1",
                                  *batch_file])
        print(f"ok {name}", flush=True)

    def save_weights(self, plan, folder, weights):
        content = json.loads(run(self.bins["old"] / "tr-run", "inspect", "--json", plan))
        names = content["parameters"] + content["buffers"]
        random = numpy.random.default_rng(3)
        header, body = {}, b""
        values = self.tensors("old", plan, folder, "step",
                              ["--input", folder / "batch.safetensors", "--steps", "1"])
        for param in names:
            name = param["name"]
            entry = values.get(name) or values.get("param." + name) or values.get(
                "running." + name)
            dtype, shape, data = entry
            data = (numpy.frombuffer(data, "<f4") +
                    0.01 * numpy.abs(random.standard_normal(len(data) // 4))).astype("<f4").tobytes()
            header[name] = {"dtype": dtype, "shape": shape,
                            "data_offsets": [len(body), len(body) + len(data)]}
            body += data
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        weights.write_bytes(struct.pack("<Q", len(text)) + text + body)


def diagnostics(tree):
    """The texts of all errors and warnings of a tree's sources."""
    checker = check_conventions.Checker(Path(tree))
    texts = set()
    for name, text in checker.of({".cpp", ".h"}):
        emit = next((e for f, e in check_conventions.DIAGNOSTICS.items() if name.startswith(f)), None)
        if emit is None or "/test/" in name:
            continue
        for match in re.finditer(emit, text):
            statement = text[match.start():text.find(";", match.start())]
            if "{" in re.sub(r'"(\\.|[^"\\])*"', "", statement):
                continue
            joined = re.sub(r'"\s*\n\s*"', "", statement)
            parts = [part.strip() for part in re.findall(r'"((?:\\.|[^"\\])*)"', joined)]
            texts |= {part for part in parts if len(part) >= 10}
    return texts


def compare_diagnostics(old_tree, new_tree):
    old, new = diagnostics(old_tree), diagnostics(new_tree)
    listed_old, listed_new = set(), set()
    known = Path(__file__).with_suffix(".txt")
    for line in known.read_text().splitlines() if known.exists() else []:
        if not line or line.startswith("#"):
            continue
        pair, _, reason = line.partition(" # ")
        before, _, after = pair.partition(" -> ")
        if not reason.strip():
            print(f"{known.name}: expected a reason in '{line}'")
            return 1
        listed_old.add(before.strip())
        listed_new.add(after.strip())
    gone, come = sorted(old - new - listed_old), sorted(new - old - listed_new)
    for text in gone:
        print(f"diagnostic gone: {text}")
    for text in come:
        print(f"diagnostic new:  {text}")
    return len(gone) + len(come)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old_tree", type=Path)
    parser.add_argument("new_tree", type=Path)
    parser.add_argument("--old-bin", type=Path)
    parser.add_argument("--new-bin", type=Path)
    parser.add_argument("--models", default="")
    options = parser.parse_args()
    builds = Builds(options.old_bin or options.old_tree / "build/bin",
                    options.new_bin or options.new_tree / "build/bin")
    for name in MODELS:
        if not re.search(options.models, name):
            continue
        source = {which: tree / "tools/models" / f"{name}.bp"
                  for which, tree in (("old", options.old_tree), ("new", options.new_tree))}
        with tempfile.TemporaryDirectory() as folder:
            try:
                builds.model(name, source, Path(folder))
            except RuntimeError as error:
                builds.report(name, str(error))
    texts = compare_diagnostics(options.old_tree, options.new_tree)
    print(f"{builds.compared} comparisons, {builds.differences} differences, {texts} diagnostics")
    return 1 if builds.differences or texts else 0


if __name__ == "__main__":
    sys.exit(main())
