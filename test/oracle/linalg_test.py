# SPDX-License-Identifier: Apache-2.0
"""Inference of every network of the zoo, made narrow, and of those here, by two roads: our runtime on a plan, and
--tr-arch-to-linalg lowered to LLVM by the distribution's mlir-opt and run by its mlir-runner.

usage: linalg_test.py BIN_DIR SOURCE_DIR LLVM_BIN_DIR [--case REGEX]

The largest difference of a logit may be 2e-5 of the largest logit: two orders of the same
sums, and what Winograd rounds more; the runner prints six digits.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import numpy
import torch

import bp_torch
import safetensors_io
import zoo

BATCH, CLASSES, TOLERANCE = 2, 7, 2e-5
# Networks whose windows need more.
LARGER = {"alexnet.bp": (64, 64, 3)}
LOWERING = """builtin.module(
  one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},
  func.func(convert-linalg-to-loops), lower-affine, convert-scf-to-cf, expand-strided-metadata,
  lower-affine, convert-math-to-llvm, convert-math-to-libm, finalize-memref-to-llvm,
  convert-func-to-llvm, convert-arith-to-llvm, convert-cf-to-llvm, convert-index-to-llvm,
  reconcile-unrealized-casts)"""


def run(command, stdin=None):
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode:
        raise RuntimeError("%s: exit code %d\n%s" % (command[0], done.returncode, done.stderr[-3000:]))
    return done.stdout


def narrow(text):
    """An eighth of the channels and of long repetitions."""
    # Weights behind a dropout do not show here that their features are those of a map.
    text = re.sub(r"flatten\(\),\s*dropout\([^)]*\),", "flatten(),", text)
    text = re.sub(r"(dropout2?d?|stochastic_depth)\([^)]*\)", r"\1(0.0)", text)
    before, head, body = re.fullmatch(r"(.*?)(model[^{]*\{)(.*)", zoo.dense(text), re.S).groups()
    before, body = (re.sub(r"\b\d+\b", lambda m: str(max(8, int(m[0]) // 32 * 4))
                           if int(m[0]) >= 16 else m[0], part) for part in (before, body))
    return before + head + body


def plan_layout(value, shape):
    """From PyTorch's layouts to those of function arguments."""
    if len(shape) == 1:
        return value
    outputs, height, width, channels = shape
    return value.reshape(outputs, channels, height, width).transpose(0, 2, 3, 1)


def constant(name, value):
    value = numpy.ascontiguousarray(value, dtype="<f4")
    dims = "x".join(map(str, value.shape))
    # One element would be a splat.
    text = '"0x%s"' % value.tobytes().hex().upper() if value.size > 1 else "%.9e" % value.flat[0]
    return "  %%%s = arith.constant dense<%s> : tensor<%sxf32>\n" % (name, text, dims)


def by_upstream(network, weights, images, llvm, path):
    signature = re.search(r"func\.func @(\w+)\((.*)\) -> (tensor<[^>]*>)", network)
    arguments = re.findall(r"%arg\d+: tensor<([\dx]+)xf32>(?: \{tr\.param = \"([^\"]*)\"\})?",
                           signature[2])
    main, names = "", []
    for index, (dims, name) in enumerate(arguments):
        shape = tuple(map(int, dims.split("x")))
        value = images if index == 0 else plan_layout(weights[name], shape)
        if value.shape != shape:
            raise RuntimeError("%s: shape %s, expected %s" % (name, value.shape, shape))
        main += constant("a%d" % index, value)
        names.append("%%a%d" % index)
    unused = {name for name in weights if not name.endswith(".num_batches_tracked")}
    unused -= {name for _, name in arguments}
    if unused:
        raise RuntimeError("parameters without an argument: %s" % sorted(unused)[:3])
    types = ", ".join("tensor<%sxf32>" % dims for dims, _ in arguments)
    main = ("func.func private @printMemrefF32(tensor<*xf32>)\nfunc.func @main() {\n" + main +
            "  %%y = call @%s(%s) : (%s) -> %s\n" % (signature[1], ", ".join(names), types,
                                                   signature[3]) +
            "  %%u = tensor.cast %%y : %s to tensor<*xf32>\n" % signature[3] +
            "  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()\n  return\n}\n}\n")
    text = network.rstrip()
    assert text.endswith("}"), "a module"
    with open(path, "w") as file:
        file.write(text[:-1] + main)
    lowered = run([os.path.join(llvm, "mlir-opt"), path, "--pass-pipeline=" + LOWERING])
    libraries = [os.path.join(llvm, "..", "lib", "libmlir_%srunner_utils.so" % kind)
                 for kind in ("", "c_")]
    printed = run([os.path.join(llvm, "mlir-runner"), "-e", "main", "-entry-point-result=void",
                   "-O1", "-shared-libs=" + ",".join(libraries)], stdin=lowered)
    numbers = re.findall(r"-?\d[\d.e+-]*|-?nan|-?inf", printed.split("data =", 1)[1])
    return numpy.array([float(n) for n in numbers]).reshape(BATCH, CLASSES)


def check(file, options, folder):
    path = lambda name: os.path.join(folder, name)
    with open(file) as source:
        text = source.read()
    is_small = os.path.basename(os.path.dirname(file)) == "oracle"
    text = text if is_small else narrow(text)
    with open(path("net.bp"), "w") as out:
        out.write(text)
    net = bp_torch.Net(text, classes=CLASSES)
    size = (28, 28, 1) if net.input[2] == 1 else (32, 40, 3)
    if "flatten" in text and size[2] == 3:
        size = (32, 32, 3)
    if is_small:
        size = tuple(net.input)
    size = LARGER.get(os.path.basename(file), size)
    net = bp_torch.Net(text, input=size, classes=CLASSES)
    net.initialise(seed=sum(map(ord, file)))
    weights = {k: v.float().numpy() for k, v in {**net.params, **net.buffers}.items()}
    safetensors_io.save(path("w.safetensors"), weights)
    images = torch.randn(BATCH, *size, generator=torch.Generator().manual_seed(3)).numpy()
    safetensors_io.save(path("x.safetensors"), {"input": images})
    head = ["--input=%dx%dx%d" % size, "--classes=%d" % CLASSES]

    tool = lambda name: os.path.join(options.bin_dir, name)
    run([tool("tr-compile"), path("net.bp"), "-o", path("net.plan"), "--batch", str(BATCH), *head])
    run([tool("tr-run"), "infer", path("net.plan"), "--weights", path("w.safetensors"), "--input",
         path("x.safetensors"), "--output", path("y.safetensors")])
    ours = safetensors_io.load(path("y.safetensors"))["logits"].reshape(BATCH, CLASSES)

    tree = run([tool("tr-translate"), "--blueprint-to-mlir", path("net.bp"), *head])
    network = run([tool("tr-opt"), "--tr-arch-pipeline", "--tr-arch-to-linalg=batch=%d" % BATCH],
                  stdin=tree)
    theirs = by_upstream(network, weights, images, options.llvm_bin_dir, path("main.mlir"))
    return numpy.abs(ours - theirs).max() / numpy.abs(theirs).max()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("source_dir")
    parser.add_argument("llvm_bin_dir")
    parser.add_argument("--case", default="")
    zoo.add_long(parser)
    options = parser.parse_args()
    folders = [os.path.join(options.source_dir, *path)
               for path in (("tools", "models"), ("test", "oracle"))]
    files = [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder))
             if name.endswith(".bp") and re.search(options.case, name) and zoo.is_due(name, options)]
    passed = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            try:
                error = check(file, options, folder)
                good = error <= TOLERANCE  # a NaN fails too
                print("%-4s %s: %.2g of the largest logit" % (
                    "ok" if good else "FAIL", os.path.basename(file), error), flush=True)
                passed += good
            except RuntimeError as error:
                print("FAIL %s: %s" % (os.path.basename(file), error), flush=True)
    print("%d passed, %d failed" % (passed, len(files) - passed))
    return 0 if files and passed == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
