# SPDX-License-Identifier: Apache-2.0
"""Decoders against Pillow's and transforms against torchvision's, byte by byte.

usage: images_test.py TRI_APPLY
"""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import torch
import torchvision.transforms.functional as F
from PIL import Image
from torchvision.transforms import InterpolationMode

APPLY = sys.argv[1]
rng = np.random.default_rng(7)


def smooth(height, width, channels):
    """A picture with slopes and edges, as photographs have them."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [np.sin(x / (5 + c)) * 60 + np.cos(y / (7 + c)) * 50 + 120 + 30 * ((x // 9 + y // 11) % 2)
              for c in range(channels)]
    noise = rng.normal(0, 6, (height, width, channels))
    return np.clip(np.stack(planes, -1) + noise, 0, 255).astype(np.uint8)


class Cases:
    """Calls that one process runs, and what their results are compared with."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.lines, self.checks = [], []

    def path(self, suffix):
        return str(self.folder / f"{len(self.lines)}{suffix}")

    def raw(self, name, picture, numbers, expected, tolerance, share=0.0):
        source = self.path(".in")
        Path(source).write_bytes(struct.pack("<3i", *picture.shape) + picture.tobytes())
        self.add(f"{name} {source}", numbers, expected, tolerance, share)

    def add(self, begin, numbers, expected, tolerance, share=0.0):
        """At most `share` of the bytes may differ by more than `tolerance`; `expected` may be the
        text of an error."""
        out = self.path(".out")
        self.lines.append(f"{begin} {out} " + " ".join(str(n) for n in numbers))
        self.checks.append((out, expected, tolerance, share))

    def run(self):
        answers = subprocess.run([APPLY], input="\n".join(self.lines) + "\n", text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.splitlines()
        assert len(answers) == len(self.lines), (len(answers), len(self.lines))
        failed = 0
        for line, answer, (out, expected, tolerance, share) in zip(self.lines, answers, self.checks):
            fault = compare(answer, out, expected, tolerance, share)
            if fault:
                failed += 1
                print(f"{line}\n  {fault}")
        print(f"{len(self.lines) - failed} passed, {failed} failed")
        return failed


def compare(answer, out, expected, tolerance, share):
    if isinstance(expected, str):
        return None if answer == "error: " + expected else f"expected '{expected}', but got '{answer}'"
    if answer != "ok":
        return answer
    data = Path(out).read_bytes()
    got = np.frombuffer(data[12:], np.uint8).reshape(struct.unpack("<3i", data[:12]))
    if got.shape != expected.shape:
        return f"expected shape {expected.shape}, but got {got.shape}"
    difference = np.abs(got.astype(int) - expected.astype(int))
    if np.mean(difference > tolerance) > share:
        return f"differs by {difference.max()}, {np.mean(difference > tolerance):.4f} beyond {tolerance}"
    return None


def tensor(picture):
    return torch.from_numpy(picture.copy()).permute(2, 0, 1)


def array(picture):
    return picture.permute(1, 2, 0).numpy()


def with_channels(image, channels):
    """What Pillow makes of a picture, on white where it is transparent."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        image = Image.alpha_composite(white, image)
    image = image.convert("RGB")
    return np.atleast_3d(np.asarray(image.convert("L") if channels == 1 else image))


def decoders(cases):
    colour, grey = smooth(61, 83, 3), smooth(40, 33, 1)[..., 0]
    alpha = np.dstack([colour, (np.arange(83)[None, :] * 3 % 256 + np.zeros((61, 1))).astype(np.uint8)])
    forms = [
        ("jpg", Image.fromarray(colour), {"quality": 90}, 2),
        ("jpg", Image.fromarray(colour), {"quality": 80, "progressive": True}, 2),
        ("jpg", Image.fromarray(colour), {"quality": 95, "subsampling": 0}, 2),
        ("jpg", Image.fromarray(grey), {}, 1),
        ("jpg", Image.fromarray(colour).convert("CMYK"), {"quality": 95}, 3),
        ("png", Image.fromarray(colour), {}, 0),
        ("png", Image.fromarray(grey), {}, 0),
        ("png", Image.fromarray(colour).quantize(17), {}, 0),
        ("png", Image.fromarray(alpha), {}, 1),
        ("png", Image.fromarray(grey > 100), {}, 0),
        ("webp", Image.fromarray(colour), {"lossless": True}, 0),
        ("webp", Image.fromarray(colour), {"quality": 80}, 2),
        ("webp", Image.fromarray(alpha), {"lossless": True}, 1),
        ("bmp", Image.fromarray(colour), {}, 0),
        ("bmp", Image.fromarray(grey), {}, 0),
    ]
    for suffix, image, options, tolerance in forms:
        path = cases.path("." + suffix)
        image.save(path, **options)
        for channels in (1, 3):
            cases.add(f"decode {path}", [channels, 0, 0],
                      with_channels(Image.open(path), channels), tolerance, 0.002)
        damaged(cases, Path(path))
    deep = (grey.astype(np.uint16) * 257)
    path = cases.path(".png")
    Image.fromarray(deep).save(path)
    cases.add(f"decode {path}", [1, 0, 0], grey[..., None], 0)
    path = cases.path(".png")
    adam7(path, colour)
    cases.add(f"decode {path}", [3, 0, 0], colour, 0)
    # A bomb: a few bytes that ask for 65,000 x 65,000 pixels.
    path = cases.path(".png")
    Image.fromarray(grey).save(path)
    bomb = bytearray(Path(path).read_bytes())
    bomb[16:24] = struct.pack(">2I", 65000, 65000)
    bomb[29:33] = struct.pack(">I", zlib.crc32(bomb[12:29]))
    Path(path).write_bytes(bomb)
    cases.add(f"decode {path}", [1, 0, 0],
              "it has 65000x65000 pixels; expected at most 268435456 and 65536 a side", 0)
    scaled_jpeg(cases)


def adam7(path, picture):
    """An interlaced PNG, which Pillow cannot write."""
    height, width, _ = picture.shape
    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
              (1, 0, 2, 1)]
    body = b"".join(b"\0" + picture[y, left::dx].tobytes() for top, left, dy, dx in passes
                    for y in range(top, height, dy) if picture[y, left::dx].size)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 1)
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                           chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b""))


def damaged(cases, path):
    """A file that ends early is never half a picture."""
    whole = path.read_bytes()
    for part in (0.5, 0.9):
        cut = path.with_name(f"{path.stem}-{part}{path.suffix}")
        cut.write_bytes(whole[:int(len(whole) * part)])
        cases.cut.append(str(cut))


def scaled_jpeg(cases):
    path = cases.path(".jpg")
    Image.fromarray(smooth(400, 600, 3)).save(path, quality=95)
    for least, size in (((100, 100), (600 * 2 // 8, 400 * 2 // 8)), ((250, 250), (375, 250))):
        image = Image.open(path)
        image.draft("RGB", (size[0], size[1]))
        small = np.asarray(image.convert("RGB").resize(size, Image.BILINEAR)) if \
            image.size != size else np.asarray(image.convert("RGB"))
        cases.add(f"decode {path}", [3, *least], small, 24, 0.02)


def transforms(cases):
    for channels in (1, 3):
        for height, width in ((31, 47), (64, 40)):
            picture = smooth(height, width, channels)
            resize(cases, picture)
            geometry(cases, picture)
            colours(cases, picture)


def resize(cases, picture):
    height, width, _ = picture.shape
    for to in ((16, 16), (7, 90), (height, width), (100, 80), (1, 1)):
        for top, left, h, w in ((0, 0, height, width), (3, 5, height - 7, width - 9)):
            part = F.crop(tensor(picture), top, left, h, w).float()
            expected = F.resize(part, list(to), InterpolationMode.BILINEAR, antialias=True)
            # A crop sees no pixel beside it; ours, as Pillow's box, does.
            if (top, left) == (0, 0):
                cases.raw("resize", picture, [top, left, h, w, *to],
                          array(expected.round().clamp(0, 255).byte()), 1)
            else:
                boxed = [np.asarray(Image.fromarray(picture[..., c]).resize(
                    (to[1], to[0]), Image.BILINEAR, box=(left, top, left + w, top + h)))
                    for c in range(picture.shape[2])]
                cases.raw("resize", picture, [top, left, h, w, *to], np.stack(boxed, -1), 1)


def geometry(cases, picture):
    for mode, number in (("constant", 0), ("edge", 1), ("reflect", 2)):
        padded = F.pad(tensor(picture), [5, 4, 3, 6], padding_mode=mode)
        cases.raw("crop", picture, [-4, -5, padded.shape[1], padded.shape[2], number], array(padded), 0)
    for _ in range(6):
        angle, scale = rng.uniform(-40, 40), rng.uniform(0.6, 1.6)
        move, shear = [int(v) for v in rng.integers(-5, 6, 2)], [rng.uniform(-20, 20), rng.uniform(-20, 20)]
        for bilinear, mode in ((0, InterpolationMode.NEAREST), (1, InterpolationMode.BILINEAR)):
            expected = F.affine(tensor(picture).float(), angle, move, scale, shear, mode)
            cases.raw("affine", picture, [angle, *move, scale, *shear, bilinear],
                      array(expected.round().byte()), 1, 0.01)


def colours(cases, picture):
    image = tensor(picture)
    for factor in (0.0, 0.4, 1.0, 1.7):
        for name in ("brightness", "contrast", "saturation", "sharpness"):
            expected = getattr(F, "adjust_" + name)(image, factor)
            cases.raw(name, picture, [factor], array(expected), 1)
    for shift in (-0.5, -0.1, 0.0, 0.3):
        cases.raw("hue", picture, [shift], array(F.adjust_hue(image, shift)), 1, 0.002)
    for bits in (1, 4, 8):
        cases.raw("posterize", picture, [bits], array(F.posterize(image, bits)), 0)
    for threshold in (0.0, 100.5, 255.0):
        cases.raw("solarize", picture, [threshold], array(F.solarize(image, threshold)), 0)
    cases.raw("autocontrast", picture, [], array(F.autocontrast(image)), 1)
    cases.raw("equalize", picture, [], array(F.equalize(image)), 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(folder)
        cases.cut = []
        decoders(cases)
        transforms(cases)
        failed = cases.run()
        lines = "".join(f"decode {path} {folder}/none 3 0 0\n" for path in cases.cut)
        answers = subprocess.run([APPLY], input=lines, text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.splitlines()
        half = [path for path, answer in zip(cases.cut, answers) if answer == "ok"]
        print(f"{len(answers) - len(half)} files that end early are refused, {len(half)} are not", *half)
        return 1 if failed or half or len(answers) != len(cases.cut) else 0


sys.exit(main())
