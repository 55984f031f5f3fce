#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets one u32 of a plan and makes the checksums fit, all but the content id.

Usage: set_field.py IN OUT SECTION OFFSET VALUE [RECORD]
"""
import struct
import sys

HEADER_BYTES, ENTRY_BYTES = 64, 48


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def main():
    source, target, *numbers = sys.argv[1:]
    section, column, value, record = [int(n) for n in (*numbers, 0)[:4]]
    data = bytearray(open(source, "rb").read())
    count = struct.unpack_from("<I", data, 24)[0]
    for index in range(count):
        entry = HEADER_BYTES + index * ENTRY_BYTES
        kind, _, offset, size, stride = struct.unpack_from("<IIQQI", data, entry)
        if kind == section:
            struct.pack_into("<I", data, offset + record * stride + column, value)
            struct.pack_into("<I", data, entry + 32, crc32c(data[offset : offset + size]))
    table = data[HEADER_BYTES : HEADER_BYTES + count * ENTRY_BYTES]
    struct.pack_into("<I", data, 56, crc32c(table))
    struct.pack_into("<I", data, 60, crc32c(data[:60]))
    open(target, "wb").write(data)


if __name__ == "__main__":
    main()
