#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs and expected output of the sample model user_io, computed from its description.

    expected.py FOLDER      writes input_0.bin, input_1.bin and expected.bin
    expected.py --check     fails if those beside this script are others
"""
import pathlib
import struct
import sys


def weights(words=80, seed=0x10):
    """The payload of its parameter pool: a linear congruential generator, word by word."""
    state, data = seed, b""
    for _ in range(words):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        data += struct.pack("<I", state)
    return struct.unpack(f"{len(data)}b", data)


def files():
    left = [(37 * i + 11) % 256 - 128 for i in range(320)]
    right = [(91 * i + 5) % 256 - 128 for i in range(320)]
    weight = weights()
    output = []
    for row in range(40):
        total = sum((left[i] - right[i]) * weight[i] for i in range(8 * row, 8 * row + 8))
        output.append(((total >> 8) + 128) % 256 - 128)
    names = {"input_0.bin": left, "input_1.bin": right, "expected.bin": output}
    return {name: struct.pack(f"{len(values)}b", *values) for name, values in names.items()}


def main():
    here = pathlib.Path(__file__).resolve().parent
    if sys.argv[1:] == ["--check"]:
        wrong = [n for n, data in files().items() if (here / n).read_bytes() != data]
        sys.exit(f"not as computed: {', '.join(wrong)}" if wrong else 0)
    folder = pathlib.Path(sys.argv[1])
    for name, data in files().items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
