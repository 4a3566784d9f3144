# SPDX-License-Identifier: Apache-2.0
"""Stops that the program makes itself under a client: it sleeps for ever, locks up, requests a reset, or
exits; on the STM32N6 and on an older chip.

    gdb_stops.py N6VP

Speaks the protocol itself, and needs no GDB.
"""
import os
import struct
import subprocess
import sys
import tempfile

from gdb_client import Client
from gdb_program import N6_BASE, N6_STACK, VECTORS, set_register
from gdb_support import PATIENCE, elf, fail, start

PLACES = {"stm32n6": (N6_BASE, N6_STACK), "stm32l4r5": (0x08000000, 0x20008000)}
PC = 15
WFI, HERE, NOP = 0xBF30, 0xE7FE, 0xBF00
SLEEPS = "the core sleeps, and nothing is left that could wake it\n"
LOCKED = {"stm32n6": "the core is locked up: monitor faults says why, monitor reset ends it\n",
          "stm32l4r5": "the core is locked up: monitor reset ends it\n"}
RESET = "the program has requested a reset, which is done\n"


def same(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}", "")


class Session:
    """A client of a run of `code`, whose core stands before its first instruction."""

    def __init__(self, n6vp, folder, chip, code):
        self.chip = chip
        base, stack = PLACES[chip]
        self.entry = base + VECTORS
        table = struct.pack("<2I", stack, self.entry | 1).ljust(VECTORS, b"\0")
        program = os.path.join(folder, "program.elf")
        with open(program, "wb") as file:
            file.write(elf([(base, table + struct.pack(f"<{len(code)}H", *code))], self.entry | 1))
        self.process, port = start([n6vp, "run", "--elf", program, "--quiet", "--chip", chip, "--gdb",
                                    "0", "--gdb-wait"])
        self.client = Client(port)
        same(self.client.ask("?")[:3], "T05", "the first stop")
        same(self.client.register(PC), self.entry, "the first instruction")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def stops(self, text, what, signal="T05"):
        """The program goes on, and stops with that text."""
        same(self.client.ask("vCont;c")[:3], signal, what)
        same(self.client.text, text, what)

    def ends(self, answer, what):
        same(self.client.ask("vCont;c")[:len(answer)], answer, what)
        try:
            self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            fail(f"{what}: the run does not end", "")


def sleeping(session):
    """Said once; who goes on nevertheless comes to the end of the run."""
    session.stops(SLEEPS, "WFI")
    same("asleep" in session.client.monitor("time"), True, "monitor time of a core that sleeps")
    session.ends("X", "WFI, a second time")


def sleeping_again(session):
    """A reset is no second time."""
    session.stops(SLEEPS, "WFI")
    session.client.monitor("reset")
    same(session.client.register(PC), session.entry, "the first instruction after a reset")
    same("awake" in session.client.monitor("time"), True, "monitor time after a reset")
    session.client.ask("vCont;s")
    same(session.client.register(PC), session.entry + 2, "the second instruction")


def locked_up(session):
    def stops(what):
        session.stops(LOCKED[session.chip], what, "T0b")

    stops("lockup")
    stops("lockup, a second time")
    session.client.monitor("reset")
    same(session.client.register(PC), session.entry, "the first instruction after a reset")
    stops("lockup after a reset")


def resetting(session):
    for _ in range(2):
        session.stops(RESET, "a reset")
        same(session.client.register(PC), session.entry, "the first instruction after a reset")


def exiting(session):
    session.ends("W00", "SYS_EXIT")
    same(session.process.returncode, 0, "the exit code")


PROGRAMS = [
    (sleeping, [NOP, WFI, HERE - 1]),
    (sleeping_again, [NOP, WFI, HERE - 1]),
    # LDR r1, [r1] where there is no memory, without a handler
    (locked_up, set_register(1, 0x60001230) + [0x6809, HERE]),
    # AIRCR: key, SYSRESETREQ
    (resetting, set_register(1, 0xE000ED0C) + set_register(2, 0x05FA0004) + [0x600A, HERE]),
    # SYS_EXIT, of an application that ends
    (exiting, set_register(1, 0x20026) + [0x2018, 0xBEAB]),
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        for chip in PLACES:
            for check, code in PROGRAMS:
                print(chip, check.__name__, flush=True)
                with Session(sys.argv[1], folder, chip, code) as session:
                    check(session)
    return 0


sys.exit(main())
