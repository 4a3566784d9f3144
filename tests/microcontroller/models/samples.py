# SPDX-License-Identifier: Apache-2.0
"""What the sample models of the older family compute, worked out anew from their description, and
how to call n6vp. Weights are the sequence that the description names, not the bytes of a file."""
import json
import pathlib
import random
import struct
import subprocess


class Failure(Exception):
    """A test that does not hold."""


def require(holds, text):
    if not holds:
        raise Failure(text)


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def sequence(words, seed, mask, bits):
    """Words of the congruential sequence of Numerical Recipes, masked."""
    result, word = [], seed
    for _ in range(words):
        word = (word * 1664525 + 1013904223) & 0xFFFFFFFF
        result.append(word & mask | bits)
    return struct.pack(f"<{words}I", *result)


def floats(data):
    return list(struct.unpack(f"<{len(data) // 4}f", data))


def dense(inputs):
    weights = floats(sequence(172, 0xDE45E, 0x807FFFFF, 0x3E000000))

    def layer(x, at, outputs):
        bias = at + len(x) * outputs
        return [weights[bias + o] + sum(weights[at + o * len(x) + i] * v for i, v in enumerate(x))
                for o in range(outputs)]

    hidden = [max(0.0, v) for v in layer(floats(inputs[0]), 0, 8)]
    return [struct.pack("<4f", *layer(hidden, 17 * 8, 4))]


def conv(inputs):
    image = struct.unpack("200b", inputs[0])
    filters = struct.unpack("72b", sequence(18, 0xC04F, 0xFFFFFFFF, 0))
    bias = struct.unpack("<4i", sequence(4, 0xB1A5, 0x00000FFF, 0))
    means = []
    for out in range(4):
        total = 0
        for y in range(8):
            for x in range(8):
                value = bias[out]
                for dy in range(3):
                    for dx in range(3):
                        for c in range(2):
                            pixel = image[((y + dy) * 10 + x + dx) * 2 + c] - 3
                            value += pixel * filters[((out * 3 + dy) * 3 + dx) * 2 + c]
                total += max(-128, min(127, ((value + 128) >> 8) - 128))
        means.append(int(total / 64))  # towards zero
    return [struct.pack("4b", *means)]


def buffers(inputs):
    a, b = floats(inputs[0]), floats(inputs[1])
    by = floats(sequence(12, 0xF157, 0x807FFFFF, 0x3F000000))
    plus = floats(sequence(12, 0x5EC0, 0x807FFFFF, 0x3F800000))
    first = [f32(f32(x + y) * w) for x, y, w in zip(a, b, by)]
    second = [f32(max(first[:i + 1]) + w) for i, w in enumerate(plus)]
    return [struct.pack("<12f", *first), struct.pack("<12f", *second)]


# Bytes of each input, nodes, multiply-accumulates, whether outputs are exact.
SAMPLES = {
    "dense": (dense, [64], 3, 16 * 8 + 8 + 8 * 4, False),
    "conv": (conv, [200], 2, 8 * 8 * 4 * (18 + 1), True),
    "buffers": (buffers, [48, 48], 4, 4 * 12, True),
}


def inputs_of(name, seed):
    source = random.Random(seed)
    if name == "conv":
        return [bytes(source.randrange(256) for _ in range(size)) for size in SAMPLES[name][1]]
    return [struct.pack(f"<{size // 4}f", *(source.uniform(-2, 2) for _ in range(size // 4)))
            for size in SAMPLES[name][1]]


def same(name, found, wanted):
    if SAMPLES[name][4]:
        return found == wanted
    return all(abs(f - w) <= 1e-5 * max(1, abs(w)) for f, w in zip(floats(found), floats(wanted)))


class Tool:
    def __init__(self, program, models, work):
        self.program, self.models, self.work = program, pathlib.Path(models), pathlib.Path(work)
        self.work.mkdir(parents=True, exist_ok=True)

    def model(self, name, core):
        folder = self.models / name / core
        files = [str(folder / "network_rel.bin")]
        if (folder / "network_data.bin").exists():
            files += ["--params", str(folder / "network_data.bin")]
        return files

    def call(self, *words):
        """Returns exit code, standard output and standard error."""
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True,
                              check=False, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def text(self, *words):
        code, out, err = self.call(*words)
        require(code == 0, f"{' '.join(map(str, words))}: exit code {code}\n{err}{out}")
        return out

    def document(self, *words):
        return json.loads(self.text(*words, "--json"))

    def write_inputs(self, name, seed):
        """Returns the inputs and the words that name them."""
        inputs, words = inputs_of(name, seed), []
        for number, data in enumerate(inputs):
            file = self.work / f"{name}_{number}.bin"
            file.write_bytes(data)
            words += ["-i", file]
        return inputs, words


def npy(path):
    """Returns the bytes of the array in a .npy file of version 1."""
    data = pathlib.Path(path).read_bytes()
    return data[10 + struct.unpack_from("<H", data, 8)[0]:]
