# SPDX-License-Identifier: Apache-2.0
"""Every command of monitor about a run on the STM32N6, before and after a small program.

    gdb_monitor.py N6VP

Speaks the protocol itself, and needs no GDB.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

from gdb_client import Client
from gdb_program import N6_BASE, N6_STACK, VECTORS, set_register
from gdb_support import PATIENCE, elf, fail, start

HERE, BKPT = 0xE7FE, 0xBE01
RAM = 0x34100000
MAILBOX = 0x5FFFF000
PHASE_NAME, PHASE_BEGIN, PHASE_END = MAILBOX + 0x10, MAILBOX + 0x14, MAILBOX + 0x18
GPIOC, AHB4_ENABLE = 0x56020800, 0x56028A5C
COMMANDS = [
    ("time", "simulated time, cycles and instructions"),
    ("phases", "phases that the program has marked"),
    ("epochs", "epochs of the NPU"),
    ("npu", "state of the NPU and its cache"),
    ("pools", "memory pools of the models"),
    ("faults", "what has gone wrong so far"),
    ("traffic", "bytes that moved over the fabric, and waits"),
    ("gpio", "pins: their modes and levels"),
    ("registers PERIPHERAL", "registers of a peripheral that can be read without effect, with names"),
    ("model-symbols", "where the models are, and commands of GDB that load their symbols"),
]
TIME = (r"(\d+\.\d{3}) us simulated; core: (\d+) cycles, (\d+) instructions since reset, "
        r"(\d+\.\d{3}) MHz, awake\n")


def store(address, value):
    return set_register(1, address) + set_register(2, value) + [0x600A]  # str r2, [r1]


def same(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}", "")


def like(found, pattern, what):
    match = re.fullmatch(pattern, found)
    if not match:
        fail(f"{what}: {found!r}, not {pattern!r}", "")
    return match


def program():
    """Names and marks phase 5, "abc", with a store in it; switches a port on; stops."""
    code = store(RAM + 0x100, 0x00636261) + store(PHASE_NAME, RAM + 0x100) + store(PHASE_BEGIN, 5)
    code += store(RAM, 7) + store(PHASE_END, 5)
    code += store(AHB4_ENABLE, 1 << 2)
    code += store(GPIOC + 0x14, 1 << 3) + store(GPIOC, 0xFFFFFFFF & ~(3 << 6) | 1 << 6)
    return code + [BKPT, HERE]


def before(ask):
    found = like(ask("time"), TIME, "time before the first instruction")
    same((found[1], found[3]), ("0.000", "0"), "time before the first instruction")
    same(ask("phases"), "run: under way\n", "phases")
    same(ask("epochs"), "0 epochs with work have ended\n", "epochs")
    same(ask("npu"), "epoch controller: no program; the NPU's time is 0.000 us ahead of the kernel's\n"
         "NPU cache: 0 read hits, 0 read misses, 0 write hits, 0 write misses\n", "npu")
    same(ask("pools"), "the run has no model\n", "pools")
    same(ask("model-symbols"), "the run has no model\n", "model-symbols")
    same(ask("faults"), "0 faults of the program so far, handled ones included\n", "faults")
    # The reset has read two words of the vector table.
    same(ask("traffic"), "core data to FLEXMEM: 8 bytes in 2 reads, 0 bytes in 0 writes, 0.000 us "
         "waited\n", "traffic")
    same(ask("registers"), "write monitor registers PERIPHERAL, as in monitor registers RCC\n",
         "registers without a name")
    same(ask("registers rccx"), "there is no peripheral 'rccx': did you mean RCC?\n", "a wrong name")
    lines = ask("gpio").splitlines()
    same([line[:6] for line in lines], [f"GPIO{port}:" for port in "ABCDEFGHNOPQ"], "gpio")
    same("GPIOC: not read, its clock is off" in lines, True, "a port without clock")


def after(ask):
    found = like(ask("time"), TIME, "time after the program")
    microseconds, _, instructions, megahertz = found.groups()
    same(float(microseconds) > 0 and float(megahertz) > 0, True, "time after the program")
    same(instructions, "40", "eight stores of five instructions each")
    like(ask("phases"), r"run: under way\n  abc: \d+\.\d{3} us\n", "phases")
    rows = ask("traffic")
    written = re.search(r"^core data to AXISRAM2: 0 bytes in 0 reads, (\d+) bytes in (\d+) writes, "
                        r"\d+\.\d{3} us waited$", rows, re.MULTILINE)
    if not written:
        fail("no stores of the core", rows)
    same(written.groups(), ("8", "2"), "the stores of the core")
    same("GPIOC:  PC3 out 1" in ask("gpio").splitlines(), True, "a pin that is an output")
    lines = ask("registers gpioc").splitlines()
    same(lines[0].split()[:2], [f"0x{GPIOC:08x}", "0xffffff7f"], "the first register of a port")
    same(all(re.fullmatch(r"0x5602[0-9a-f]{4}  (0x[0-9a-f]{8}|\(not read\))  \S.*", line)
             for line in lines), True, "registers")
    same(ask("faults"), "0 faults of the program so far, handled ones included\n", "faults")


def main():
    entry = N6_BASE + VECTORS
    code = program()
    table = struct.pack("<2I", N6_STACK, entry | 1).ljust(VECTORS, b"\0")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.elf")
        with open(path, "wb") as file:
            file.write(elf([(N6_BASE, table + struct.pack(f"<{len(code)}H", *code))], entry | 1))
        process, port = start([sys.argv[1], "run", "--elf", path, "--quiet", "--gdb", "0", "--gdb-wait"])
        try:
            client = Client(port)
            same(client.ask("?")[:3], "T05", "the first stop")
            text = client.monitor("help")
            for command, meaning in COMMANDS:
                same(f"monitor {command}\n    {meaning}\n" in text, True, f"{command} in {text}")
            same(text.count("\nmonitor "), len(COMMANDS) + 1, "commands of monitor")
            before(client.monitor)
            same(client.ask("vCont;c")[:3], "T05", "the breakpoint")
            after(client.monitor)
            client.ask("vKill;1")
            process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            fail("the run does not end", "")
        finally:
            process.kill()
            process.wait()
    return 0


sys.exit(main())
