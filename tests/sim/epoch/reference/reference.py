#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What epochs must leave in memory, computed from the rules of the units alone.

Reads files of epochs whose registers are whole words and prints each buffer that has an
expectation with its CRC-32; with --check it compares with what the file expects. Shares nothing
with the model but the list of registers (tests/loader/data/npu_registers.csv). Slow: a loop per
multiplication.
"""
import csv
import re
import sys
import tomllib
import zlib
from pathlib import Path

LIST = Path(__file__).parents[3] / "loader/data/npu_registers.csv"


def read_registers():
    fields, resets = {}, {}
    with open(LIST) as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            key = (row["unit"], row["register"])
            resets[key] = int(row["reset"], 16)
            fields.setdefault(key, {})[row["field"]] = (int(row["lsb"]), int(row["width"]))
    return fields, resets


FIELDS, RESETS = read_registers()
SOURCES = [f"STRENG{i}" for i in range(10)] + [f"CONVACC{i}" for i in range(4)] + [
    "DECUN0", "DECUN1", "ACTIV0", "ACTIV1"] + [f"ARITH{i}" for i in range(4)] + ["POOL0", "POOL1"]
PORTS = {"features": 0, "kernels": 1, "accumulator": 2, "x": 0, "y": 1}


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Unit:
    def __init__(self, name, table):
        self.name, self.kind, self.table = name, name.rstrip("0123456789"), table

    def word(self, register):
        return self.table.get(register, RESETS.get((self.kind, register), 0)) & 0xFFFFFFFF

    def get(self, register, field):
        lsb, width = FIELDS[(self.kind, register)][field]
        return self.word(register) >> lsb & (1 << width) - 1


def output_stage(value, shift, rounds, saturates, bytes_):
    if shift:
        value = value + (1 << (shift - 1)) >> shift if rounds else value >> shift
    bits = 8 * bytes_
    if saturates:
        return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, value))
    return signed(value, bits)


class Machine:
    def __init__(self, document):
        self.buffers = []
        for entry in document.get("buffer", []):
            self.buffers.append((entry["at"], self.content(entry), entry))
        self.defaults = document.get("defaults", {})

    @staticmethod
    def content(entry):
        if "bytes" in entry:
            data = entry["bytes"]
            data = bytes.fromhex(data) if isinstance(data, str) else bytes(b & 255 for b in data)
            return bytearray(data.ljust(entry.get("size", len(data)), b"\0"))
        if "random" in entry:
            state, data = entry["random"], bytearray()
            for _ in range(entry["size"]):
                state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
                data.append(state >> 24)
            return data
        return bytearray([entry.get("fill", 0) & 255] * entry["size"])

    def place(self, address):
        for start, data, _ in self.buffers:
            if start <= address < start + len(data):
                return data, address - start
        raise KeyError(hex(address))

    def run(self, epoch):
        Epoch(self, epoch).run()


class Epoch:
    def __init__(self, machine, table):
        self.machine, self.memo, self.stored = machine, {}, {}
        self.units, self.links = {}, {}
        for name, registers in table.items():
            if isinstance(registers, dict):
                kind = name.rstrip("0123456789")
                self.units[name] = Unit(name, {**machine.defaults.get(kind, {}), **registers})
        for link in table["links"]:
            source, destination = (part.strip() for part in link.split("->"))
            turns = [(True, 1)]
            if "[" in source:
                source, text = source.rstrip("]").split("[")
                turns = [(word == "on", int(count)) for word, count in
                         (turn.split() for turn in text.split(","))]
            unit, _, port = destination.partition(".")
            frames = [on for on, count in turns for _ in range(count)]
            self.links[(unit, PORTS.get(port, 0))] = (source.strip(), frames)

    # Links: frame n of what a port hears.
    def heard(self, unit, port, n):
        source, turns = self.links[(unit, port)]
        passing = [i for i, on in enumerate(turns) if on]
        index = n // len(passing) * len(turns) + passing[n % len(passing)]
        return self.frame(source, index)

    def frame(self, source, n):
        key = (source, n)
        if key not in self.memo:
            unit = self.units[source]
            self.memo[key] = getattr(self, unit.kind.lower())(unit, n)
        return self.memo[key]

    # Stream engines.
    @staticmethod
    def element_bytes(unit):
        return sum(unit.get("CTRL", f"SIZE{i}") for i in range(3)) // 8

    def addresses(self, unit, n):
        size = self.element_bytes(unit)
        raw, word = unit.get("CTRL", "RAW"), unit.word
        elements = word("FSIZE")
        width, height = elements & 0xFFFF, elements >> 16
        depth = unit.get("DEPTH", "SIZE")
        pixel = unit.get("DEPTH", "OFFSET") | unit.get("LIMITEN", "DOFF_MSB") << 16
        line = unit.get("STRD", "LOFF") | unit.get("CID_CACHE", "LOFF_MSB") << 16
        repeat = word("FRAME_RPT")
        offset, loop = signed(word("FOFFSET"), 32), signed(word("FRPTOFF"), 32)
        if unit.get("CTRL", "CONT"):
            start = n * (elements if raw else width * height * depth) * size
        elif repeat == 0:
            start = n * offset
        else:
            start = n % repeat * offset + n // repeat * loop
        start += word("ADDR")
        if raw:
            return [start + e * size for e in range(elements)]
        return [start + y * line + x * pixel + s * size
                for y in range(height) for x in range(width) for s in range(depth)]

    def streng(self, unit, n):
        writer = self.writer_of(unit)
        if writer and n > 0:
            self.store(writer, n - 1)
        size, extends = self.element_bytes(unit), unit.get("CTRL", "SIGNEXT")
        extends = extends and unit.get("CTRL", "LSBMODE")
        words = []
        for address in self.addresses(unit, n):
            data, at = self.machine.place(address)
            value = int.from_bytes(data[at:at + size], "little")
            words.append(signed(value, 8 * size) & 0xFFFFFF if extends else value)
        return words

    def writer_of(self, reader):
        for unit in self.units.values():
            if unit.kind == "STRENG" and unit.get("CTRL", "DIR") and unit is not reader:
                if unit.word("ADDR") == reader.word("ADDR") and unit.get("LIMIT", "CNT") > 1:
                    return unit
        return None

    def store(self, unit, n):
        if (unit.name, n) in self.stored:
            return
        self.stored[(unit.name, n)] = True
        size = self.element_bytes(unit)
        addresses = self.addresses(unit, n)
        words = self.flat(unit.name, 0, n * len(addresses), len(addresses))
        for address, word in zip(addresses, words, strict=True):
            data, at = self.machine.place(address)
            data[at:at + size] = (word & 0xFFFFFF).to_bytes(3, "little")[:size]

    def flat(self, unit, port, start, count):
        """Words of a port from word `start` on, whatever their frames."""
        source, _ = self.links[(unit, port)]
        length = len(self.frame(source, 0))
        words = []
        while len(words) < count:
            position = start + len(words)
            frame = self.heard(unit, port, position // length)
            words += frame[position % length:][:count - len(words)]
        return words

    # CONVACC.
    def kernels(self, unit, n):
        columns, rows = unit.get("KFORMAT", "WIDTH"), unit.get("KFORMAT", "HEIGHT")
        depth, count = unit.get("KFORMAT", "BTCDEPTH"), unit.get("KFORMAT", "NR")
        total, first = unit.get("KFILT", "TOT"), unit.get("KFILT", "FIRST")
        shares = max(1, total // count)
        share = first // count
        per_kernel = rows * columns * depth
        taps = [[] for _ in range(count)]
        if unit.get("CTRL", "DEEPMODE"):
            bytes_ = shares * count * per_kernel
            words = self.flat(unit.name, 1, n * -(-bytes_ // 3), -(-bytes_ // 3))
            data = b"".join(w.to_bytes(3, "little") for w in words)
            data = data[share * count * per_kernel:]
            at = 0
            for group in range(0, count, 8):
                inside = min(8, count - group)
                for c in range(depth):
                    for k in range(inside):
                        taps[group + k].append((0, 0, c, signed(data[at], 8)))
                        at += 1
            return taps
        words = self.flat(unit.name, 1, n * shares * count * per_kernel,
                          shares * count * per_kernel)
        at = share * count * per_kernel
        for k in range(count):
            for dy in range(rows):
                for dx in range(columns):
                    for c in range(depth):
                        taps[k].append((dy, dx, c, signed(words[at], 8)))
                        at += 1
        return taps

    def picture(self, unit, n):
        """Lines of elements less the zero point, cropped and with the frames around them."""
        depth, bytes_ = unit.get("KFORMAT", "BTCDEPTH"), unit.get("DFORMAT", "FBYTES")
        width, height = unit.get("FFORMAT", "WIDTH"), unit.get("FFORMAT", "HEIGHT")
        if unit.get("CTRL", "FSTAT"):
            n //= unit.get("SAMPLE", "FSTATCNT")
        words = self.heard(unit.name, 0, n)
        packed = 3 if unit.get("CTRL", "DEEPMODE") else 2 if unit.get("CTRL", "DSS2MODE") else 1
        if packed > 1:
            pixels, elements = width // depth * height, []
            data = b"".join(w.to_bytes(3, "little")[:packed] for w in words)
            pitch = depth if bytes_ == 3 else -(-depth // packed) * packed
            for pixel in range(pixels):
                elements += data[pixel * pitch:pixel * pitch + depth]
            words, bytes_ = elements, 1
        zero = signed(unit.word("FSUB"), 24)
        mask, bits = (1 << 8 * bytes_) - 1, 8 * bytes_
        if unit.get("CTRL", "FUNSIGNED"):
            words = [(w & mask) - zero for w in words]
        else:
            words = [signed(w, bits) - zero for w in words]
        lines = [words[y * width:(y + 1) * width] for y in range(height)]
        top, bottom = unit.get("FVCROP", "TOP"), unit.get("FVCROP", "BOTTOM")
        left, right = unit.get("FHCROP", "LEFT"), unit.get("FHCROP", "RIGHT")
        lines = [line[left:right + 1] for line in lines[top:bottom + 1]]
        side = {name: unit.get("ZFRAME", name) for name in ("LEFT", "RIGHT", "TOP", "BOTTOM")}
        lines = surround(lines, side, signed(unit.word("ZFBIAS"), 16))
        pads = {"LEFT": unit.get("SAMPLE", "LPAD") * depth, "TOP": unit.get("SAMPLE", "TPAD"),
                "RIGHT": unit.get("SAMPLE", "RPAD") * depth, "BOTTOM": unit.get("SAMPLE", "BPAD")}
        return surround(lines, pads, 0)

    def sums(self, unit, n, count):
        if unit.get("CTRL", "NOSUM"):
            return [0] * count
        if unit.get("CTRL", "AFILTMODE") == 3:
            turn = n % unit.get("AFILT", "TOT")
            if not unit.get("AFILT", "FIRST") <= turn <= unit.get("AFILT", "LAST"):
                return [0] * count
        source, _ = self.links[(unit.name, 2)]
        index = n - 1 if source == unit.name else n
        shift = unit.get("DFORMAT", "INSHIFT")
        return [signed(w, 24) << shift for w in self.frame(source, index)]

    def convacc(self, unit, n):
        lines, depth = self.picture(unit, n), unit.get("KFORMAT", "BTCDEPTH")
        kernels = self.kernels(unit, n)
        across, down = unit.get("SAMPLE", "HSTRD"), unit.get("SAMPLE", "VSTRD")
        height = (len(lines) - unit.get("KFORMAT", "HEIGHT")) // down + 1
        width = (len(lines[0]) // depth - unit.get("KFORMAT", "WIDTH")) // across + 1
        out = [[[0] * width for _ in kernels] for _ in range(height)]
        for y in range(height):
            for k, taps in enumerate(kernels):
                line = out[y][k]
                for dy, dx, c, weight in taps:
                    if weight:
                        from_ = lines[y * down + dy][dx * depth + c::across * depth]
                        line = [a + weight * f for a, f in zip(line, from_)]
                out[y][k] = line
        products = [out[y][k][x] for y in range(height) for x in range(width)
                    for k in range(len(kernels))]
        sums = self.sums(unit, n, len(products))
        stage = (unit.get("DFORMAT", "OUTSHIFT"), unit.get("DFORMAT", "ROUND"),
                 unit.get("DFORMAT", "SAT"), unit.get("DFORMAT", "OBYTES"))
        return [output_stage(p + s, *stage) & 0xFFFFFF for p, s in zip(products, sums, strict=True)]

    # ARITH.
    def coefficients(self, unit, start, count):
        table = unit.table.get("coefficients")
        a = signed(unit.get("COEFFAC", "A"), 16)
        c = signed(unit.get("COEFFAC", "C"), 16)
        b = signed(unit.get("COEFFB", "B"), 16)
        vector = [unit.get("CTRL", f"COEFF{name}") for name in "ABC"]
        if not any(vector):
            return [(a, b, c)] * count
        entries = [(e[0], e[1], e[2]) if len(e) == 3 else
                   (e[0], signed(e[1] >> 16, 16), signed(e[1], 16)) for e in table]
        steps = []
        for i in (3, 2, 1):
            if unit.get("CTRL", f"CNT{i}"):
                steps.append((unit.get(f"RSTCNT{i}", "RSTCNT") + 1,
                              signed(unit.get("ADDROFFSET", f"OFFSET{i}"), 9)))
        steps.append((unit.get("INCCNT", "INCVAL") + 1, signed(unit.get("INCOFFSET", "VAL"), 9)))
        address, out = unit.get("COEFFADDR", "ADDR"), []
        for sample in range(1, start + count + 1):
            if sample > start:
                entry = entries[address]
                out.append(tuple(e if use else o for e, o, use in zip(entry, (a, b, c), vector)))
            for period, offset in steps:
                if sample % period == 0:
                    address = (address + offset) % 512
                    break
        return out

    def arith(self, unit, n):
        words = self.heard(unit.name, 0, n)
        x_bits = 8 * unit.get("INSHIFTER", "FBYTESX")
        xs = [signed(w, x_bits) for w in words]
        ys = None
        if unit.get("CTRL", "DUALIN"):
            y_bits = 8 * unit.get("INSHIFTER", "FBYTESY")
            ys = [signed(w, y_bits) for w in self.flat(unit.name, 1, n * len(xs), len(xs))]
        stage = (unit.get("SHIFT", "RES"), unit.get("CTRL", "ROUND"), unit.get("CTRL", "SAT"),
                 unit.get("CTRL", "OBYTES"))
        if unit.get("CTRL", "OP") == 7:
            return [output_stage(x * y, *stage) & 0xFFFFFF for x, y in zip(xs, ys, strict=True)]
        assert unit.get("CTRL", "OP") == 0 and not unit.get("CTRL", "CLIPOUT")
        ax, by, shift_c = (unit.get("SHIFT", name) for name in ("AX", "BY", "C"))
        combined, out = unit.get("CTRL", "COMBINEBC"), []
        for i, (a, b, c) in enumerate(self.coefficients(unit, n * len(xs), len(xs))):
            z = (a * xs[i]) >> ax
            if combined:
                z += signed((b & 0xFFFF) << 16 | (c & 0xFFFF), 32)
            else:
                z += ((b * ys[i]) >> by if ys else 0) + (c << shift_c)
            out.append(output_stage(z, *stage) & 0xFFFFFF)
        return out

    # ACTIV: functions of parabolas.
    def activ(self, unit, n):
        assert unit.get("CTRL", "TYPE") == 3
        rom0, ab, c_ = (unit.table.get(name, {}) for name in ("ROM0", "ROM1_AB", "ROM1_C"))
        shift, offset = unit.get("ACTIVPARAM", "FUNC"), unit.get("ACTIVPARAM", "PARAM")
        width, bshift = unit.get("FUNC", "BWIDTH"), unit.get("FUNC", "BSHIFT")
        cshift = unit.get("FUNC", "CSHIFT")
        stage = (unit.get("FUNC", "OUTSHIFT"), unit.get("CTRL", "ROUND"), unit.get("CTRL", "SAT"),
                 unit.get("CTRL", "OBYTES"))
        out = []
        for word in self.heard(unit.name, 0, n):
            x = signed(word, 8 * unit.get("CTRL", "FBYTES"))
            u = ((x << shift) - offset) & 0xFFFF
            entry = rom0.get(str(u >> (16 - width)), 0)
            bits = entry >> 6 & 3
            segment = str((entry & 63) + (u >> (16 - width - bits) & (1 << bits) - 1))
            a, b = signed(ab.get(segment, 0), 16), signed(ab.get(segment, 0) >> 16, 16)
            c = signed(c_.get(segment, 0), 16)
            value = a * x * x + (b << bshift) * x + (c << cshift)
            out.append(output_stage(value, *stage) & 0xFFFFFF)
        return out

    # POOL: maxima of windows without strides, averages of frames.
    def pool(self, unit, n):
        width, height = unit.get("FDIMS", "FEATX"), unit.get("FDIMS", "FEATY")
        depth, type_ = unit.get("PDIMS", "BSIZE"), unit.get("CTRL", "TYPE")
        bits = 8 * unit.get("CTRL", "FBYTES")
        values = [signed(w, bits) for w in self.heard(unit.name, 0, n)]
        if type_ == 10:
            stage = (unit.get("CTRL", "OUTSHIFT"), unit.get("CTRL", "ROUND"),
                     unit.get("CTRL", "SAT"), unit.get("RNDCTRL", "OBYTES"))
            factor = unit.get("MULVAL", "MULVAL")
            return [output_stage(sum(values[c::depth]) * factor, *stage) & 0xFFFFFF
                    for c in range(depth)]
        assert type_ == 0 and unit.get("PDIMS", "STRDX") == unit.get("PDIMS", "STRDY") == 1
        rows, columns = unit.get("PDIMS", "WINY"), unit.get("PDIMS", "WINX")
        pixels = width // depth
        return [max(values[(y + dy) * width + (x + dx) * depth + c]
                    for dy in range(rows) for dx in range(columns)) & 0xFFFFFF
                for y in range(height - rows + 1) for x in range(pixels - columns + 1)
                for c in range(depth)]

    def run(self):
        for unit in self.units.values():
            if unit.kind == "STRENG" and unit.get("CTRL", "DIR"):
                for n in range(unit.get("LIMIT", "CNT")):
                    self.store(unit, n)


def surround(lines, side, value):
    width = len(lines[0]) + side["LEFT"] + side["RIGHT"]
    lines = [[value] * side["LEFT"] + line + [value] * side["RIGHT"] for line in lines]
    top = [[value] * width for _ in range(side["TOP"])]
    bottom = [[value] * width for _ in range(side["BOTTOM"])]
    return top + lines + bottom


def results(path):
    with open(path, "rb") as file:
        document = tomllib.load(file)
    machine = Machine(document)
    for epoch in document["epoch"]:
        machine.run(epoch)
    return [(entry, bytes(data)) for _, data, entry in machine.buffers if "expect" in entry]


def main():
    check = "--check" in sys.argv
    wrong = 0
    for path in [word for word in sys.argv[1:] if not word.startswith("--")]:
        for entry, data in results(path):
            crc = zlib.crc32(data[:entry["expect"].get("size", len(data))])
            print(f"{path}: {entry['name']} {crc:#010x}")
            wrong += check and crc != entry["expect"]["crc32"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
