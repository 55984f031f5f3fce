# SPDX-License-Identifier: Apache-2.0
"""Reads and writes .safetensors files: an 8-byte length, a JSON header, the bytes."""
import json
import struct

import numpy

TYPES = {"F32": numpy.float32, "I32": numpy.int32, "I64": numpy.int64}
NAMES = {numpy.dtype(v): k for k, v in TYPES.items()}


def save(path, tensors):
    header, blobs, offset = {}, [], 0
    for name, array in tensors.items():
        array = numpy.ascontiguousarray(array)
        header[name] = {
            "dtype": NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
        blobs.append(array.tobytes())
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        raw = data[8 + length + begin : 8 + length + end]
        tensors[name] = numpy.frombuffer(raw, TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors
