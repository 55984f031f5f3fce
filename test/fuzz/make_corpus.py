#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of the fuzz targets: small plans from tr-compile and from the runtime's
tests, weight files, IDX files, BluePrint texts. To be run again after each change of the
plan format; files of other names (earlier findings, `found-*`) stay.

usage: make_corpus.py COMPILER_BIN SANITIZER_BIN   (folders with tr-compile, plan-seeds)
"""
import gzip
import importlib.util
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORPUS = HERE / "corpus"

NETS = {
    "mlp": ("2x3x2", "flatten(), fc(5, true), relu(), dropout(0.25), fc(classes, true)"),
    "lenet": ("8x7x1", "conv(3, 3, 1, 1, bias = true), relu(), maxpool(2, 2, 0), conv(4, 3, 1, 0), "
                       "tanh_act(), avgpool(2, 1, 1), flatten(), fc(classes, true)"),
    "basic": ("5x7x3", "cbr(4, 3, 2, 1), block(4, RESNET_3_3), gap_fc(classes, true)"),
    "bottleneck": ("8x8x3", "cbrp(4, 3, 1, 1, 3, 2, 1), block(2, 8, RESNET_1_3_1_DS), "
                            "gap_fc(classes, false)"),
    "mobile": ("5x6x4", "mbconv(1, 4, 1), mbconv(6, 6, 2), gap(), fc(classes, false)"),
    "joins": ("5x5x3", "conv(4, 1, 1, 0), concat(seq(), seq(conv(3, 3, 1, 1), relu())), "
                       "mul2(seq(), seq(gap(), fc(7, true), sigmoid())), avgpool(2, 2, 0, ceil = true), "
                       "gap_fc(classes, true)"),
    "spellings": ("7x5x3", "channel_padding(), group_conv(8, 2, 3, 1, 1), bn(), silu(), "
                           "add2(seq(), conv_dw(3, 1, 1)), hardswish(), flatten(), "
                           "fc(6, true), bn(), sigmoid(), fc(classes, true)"),
}
# Net, further arguments of tr-compile.
PLANS = [
    ("mlp", ["--batch", "3", "--val-batch", "2"]),
    ("mlp", ["--batch", "1", "--optimizer", "adamw"]),
    ("lenet", ["--batch", "2"]),
    ("basic", ["--batch", "2", "--val-batch", "1"]),
    ("bottleneck", ["--batch", "1"]),
    ("mobile", ["--batch", "1", "--optimizer", "adamw"]),
    ("joins", ["--batch", "2"]),
    ("spellings", ["--batch", "2", "--fuse", "0"]),
]


def clear(folder):
    """Removes the seeds, not the findings."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if not path.name.startswith("found-"):
            path.unlink()


def net_text(name):
    size, layers = NETS[name]
    return f"model {name}(input = {size}, classes = 3) {{\n  seq({layers})\n}}\n"


def make_plans(folder, compiler, seeds):
    with tempfile.TemporaryDirectory() as scratch:
        for name, arguments in PLANS:
            source = Path(scratch) / f"{name}.bp"
            source.write_text(net_text(name), encoding="utf-8")
            label = "-".join([name] + [a for a in arguments if not a.startswith("--")])
            subprocess.run([compiler, source.name, "-o", str(folder / label), *arguments],
                           cwd=scratch, check=True)
    subprocess.run([seeds, str(folder)], check=True)


def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def make_safetensors(folder):
    every = ["BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "I16", "U16", "F16", "BF16", "I32", "U32",
             "F32", "F64", "I64", "U64"]
    files = {
        "none": safetensors({}),
        "one": safetensors({"a": entry("F32", [2, 1], 0, 8)}, bytes(8)),
        "scalar": safetensors({"a": entry("I64", [], 0, 8)}, b"\xff" * 8),
        "empty-tensor": safetensors({"a": entry("F32", [2**40, 0, 2**40], 0, 0)}),
        "metadata": safetensors({"__metadata__": {"format": "pt", "é": "\u20ac"},
                                 "0.conv.weight": entry("F32", [1, 1, 2, 1], 4, 12),
                                 "0.conv.bias": entry("I32", [1], 0, 4)}, bytes(range(12))),
        "types": safetensors({t: entry(t, [0], 0, 0) for t in every}),
        "padded": safetensors(b'{"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}   ', b"abcd"),
        "overlap": safetensors({"a": entry("U8", [4], 0, 4), "b": entry("U8", [4], 2, 6)}, bytes(6)),
        "hole": safetensors({"a": entry("U8", [2], 0, 2), "b": entry("U8", [2], 4, 6)}, bytes(6)),
        "outside": safetensors({"a": entry("F32", [2], 0, 8)}, bytes(4)),
        "overflow": safetensors({"a": entry("F64", [2**62, 2**62], 0, 8)}, bytes(8)),
        "twice": safetensors(b'{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"a":{}}', b"x"),
        "nested": safetensors(b'{"a":{"dtype":{"b":[[[[]]]]},"shape":null}}'),
        "escapes": safetensors(b'{"\\u0041\\ud83d\\ude00":{"shape":[1],"data_offsets":[0,1],'
                               b'"dtype":"U8"}}', b"x"),
        "numbers": safetensors(b'{"a":{"dtype":"U8","shape":[1e3,-1,18446744073709551616]}}'),
        "cut": safetensors({"a": entry("F32", [1], 0, 4)}, bytes(4))[:40],
        "long-header": struct.pack("<Q", 2**63) + b"{}",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


def idx(kind, extents, values):
    return struct.pack(">BBBB", 0, 0, kind, len(extents)) + b"".join(
        struct.pack(">I", e) for e in extents) + values


def make_idx(folder):
    labels, images = idx(8, [5], bytes(range(5))), idx(8, [2, 3, 1], bytes(range(6)))
    packed = gzip.compress(images, mtime=0)
    damaged = bytearray(packed)
    damaged[-6] ^= 1
    files = {
        "labels": labels, "images": images, "labels-gz": gzip.compress(labels, mtime=0),
        "images-gz": packed, "two-members": packed + gzip.compress(b"", mtime=0),
        "bad-checksum": bytes(damaged), "cut-gz": packed[:-9], "cut": images[:-1],
        "more": images + b"x", "cut-header": images[:10], "no-bytes": b"",
        "floats": idx(13, [1], bytes(4)), "zero": idx(8, [0], b""),
        "lying": idx(8, [2**16, 2**16, 3], b"x"), "overflow": idx(8, [2**32 - 1] * 3, b""),
        "rank-2": idx(8, [2, 2], bytes(4)), "no-zeros": b"\x01" + labels,
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


def make_images(folder):
    """Every form of every format; by Pillow, whose versions may differ in bytes."""
    import numpy
    from PIL import Image
    colour = numpy.random.default_rng(3).integers(0, 255, (13, 11, 3)).astype(numpy.uint8)
    grey = Image.fromarray(colour[..., 0])
    image, alpha = Image.fromarray(colour), Image.fromarray(numpy.dstack([colour, colour[..., 0]]))
    deep = Image.fromarray(colour[..., 0].astype(numpy.uint16) * 257)
    files = [("colour.jpg", image, {}), ("progressive.jpg", image, {"progressive": True}),
             ("inks.jpg", image.convert("CMYK"), {}), ("grey.jpg", grey, {}),
             ("colour.png", image, {}), ("alpha.png", alpha, {}),
             ("palette.png", image.quantize(9), {}), ("deep.png", deep, {}),
             ("lossless.webp", image, {"lossless": True}), ("lossy.webp", alpha, {"quality": 30}),
             ("colour.bmp", image, {}), ("grey.bmp", grey, {})]
    for name, picture, options in files:
        picture.save(folder / name, **({"quality": 40} | options))


def make_pipelines(folder):
    texts = [
        "random_resized_crop(), flip(), color_jitter(0.4, 0.4, 0.4, 0.1), normalize(imagenet)",
        "pad(2, mode = reflect), random_crop(6, 4, fill = 9), rotate(30, filter = bilinear), erase(1)",
        "affine(10, 0.1, 0.5, 2, 20), rand_augment(2, 9), cutout(3), normalize([1, 2, 3], [1, 2, 3])",
        "resize(9), centre_crop(5, 7), flip(p = 1, axis = vertical)",
    ]
    for number, text in enumerate(texts):
        (folder / f"text-{number}").write_text(text, encoding="utf-8")


def make_blueprint(folder):
    for name in NETS:
        (folder / f"net-{name}").write_text(net_text(name), encoding="utf-8")
    tests = ROOT / "test/Target/Blueprint"
    for source in ("syntax", "calls", "overrides", "functions"):
        text = (tests / f"{source}.bp").read_text(encoding="utf-8")
        (folder / source).write_text(strip(text), encoding="utf-8")
    seen = {}
    for part in (tests / "invalid.bp").read_text(encoding="utf-8").split("// -----\n"):
        message = re.search(r"expected-error@\S* \{\{(.*)\}\}", part)
        # One file for each form of message.
        form = re.sub(r"'[^']*'|\d+", "", message.group(1)) if message else part
        if form not in seen:
            seen[form] = strip(part)
    for number, text in enumerate(seen.values()):
        (folder / f"invalid-{number:02}").write_text(text, encoding="utf-8")
    for source in ("all-errors", "functions-invalid"):
        for number, part in enumerate((tests / f"{source}.bp").read_text(encoding="utf-8").split("// -----\n")):
            (folder / f"{source}-{number}").write_text(strip(part), encoding="utf-8")


def make_yaml(folder, tools):
    """Small networks at the end of the pipeline, fused and not, and the damaged texts of a test."""
    for name, fuse in (("lenet", "true"), ("resnet20", "true"), ("resnet20", "false")):
        command = (f"'{tools}/tr-translate' --blueprint-to-mlir '{ROOT}/tools/models/{name}.bp' | "
                   f"'{tools}/tr-opt' --tr-attach-options=fuse={fuse} --tr-arch-pipeline | "
                   f"'{tools}/tr-translate' --arch-to-yaml")
        text = subprocess.run(["bash", "-o", "pipefail", "-c", command], check=True,
                              stdout=subprocess.PIPE).stdout
        (folder / f"{name}-{fuse}").write_bytes(text)
    spec = importlib.util.spec_from_file_location(
        "invalid", ROOT / "test/Target/Yaml/Inputs/invalid.py")
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    (folder / "good").write_text(cases.GOOD, encoding="utf-8")
    for number, (old, new, _, _) in enumerate(cases.CASES):
        if len(new) < 1000:
            damaged = cases.GOOD.replace(old, new)
            (folder / f"invalid-{number:02}").write_bytes(damaged.encode("utf-8", "surrogateescape"))


# Net, whether layers are merged, passes up to a level.
MODULES = [
    ("mlp", "true", []),
    ("joins", "true", []),
    ("spellings", "false", []),
    ("basic", "false", ["--tr-arch-expand-tree"]),
    ("bottleneck", "true", ["--tr-arch-expand-tree"]),
    ("mobile", "false", ["--tr-arch-expand-tree", "--tr-arch-rename-bn",
                         "--tr-arch-normalize-softmax-ce"]),
    ("joins", "false", ["--tr-arch-expand-tree"]),
    ("lenet", "true", ["--tr-arch-pipeline"]),
    ("basic", "true", ["--tr-arch-pipeline"]),
    ("joins", "true", ["--tr-arch-pipeline"]),
    ("mlp", "true", ["--tr-arch-pipeline", "--tr-arch-to-graph"]),
    ("joins", "true", ["--tr-arch-pipeline", "--tr-arch-to-graph", "--tr-graph-share-variants",
                       "--tr-graph-schedule"]),
    ("mlp", "true", ["--tr-arch-pipeline", "--tr-graph-pipeline"]),
]


def make_modules(folder, tools):
    """Small networks at each level, as the passes leave them."""
    for number, (name, fuse, passes) in enumerate(MODULES):
        tree = subprocess.run([tools / "tr-translate", "--blueprint-to-mlir"], check=True,
                              input=net_text(name).encode(), stdout=subprocess.PIPE).stdout
        options = f"--tr-attach-options=batch=2 fuse={fuse}"
        text = subprocess.run([tools / "tr-opt", options, *passes], check=True, input=tree,
                              stdout=subprocess.PIPE).stdout
        (folder / f"module-{number:02}-{name}").write_bytes(text)


def strip(text):
    """Without the lines of comments, which only tests need."""
    lines = [line for line in text.splitlines() if not line.strip().startswith("//")]
    return "\n".join(lines).strip() + "\n"


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip().splitlines()[-1], file=sys.stderr)
        return 2
    for name in ("plan", "safetensors", "idx", "image", "pipeline", "blueprint", "yaml", "modules"):
        clear(CORPUS / name)
    make_plans(CORPUS / "plan", Path(sys.argv[1]).resolve() / "tr-compile",
               Path(sys.argv[2]).resolve() / "plan-seeds")
    make_safetensors(CORPUS / "safetensors")
    make_idx(CORPUS / "idx")
    make_images(CORPUS / "image")
    make_pipelines(CORPUS / "pipeline")
    make_blueprint(CORPUS / "blueprint")
    make_yaml(CORPUS / "yaml", Path(sys.argv[1]).resolve())
    make_modules(CORPUS / "modules", Path(sys.argv[1]).resolve())
    for name in ("plan", "safetensors", "idx", "image", "pipeline", "blueprint", "yaml", "modules"):
        sizes = [path.stat().st_size for path in (CORPUS / name).iterdir()]
        print(f"{name}: {len(sizes)} files, {sum(sizes)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
