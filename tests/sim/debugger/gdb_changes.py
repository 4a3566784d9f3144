# SPDX-License-Identifier: Apache-2.0
"""A client sees and changes memory of a program that runs: lines that are only in the data cache, words
that the program has in its cache, code in flash that was executed; on the STM32N6 and on an older chip.

    gdb_changes.py N6VP

Speaks the protocol itself, and needs no GDB.
"""
import os
import struct
import subprocess
import sys
import tempfile
import time

from gdb_client import Client
from gdb_program import N6_BASE, N6_STACK, VECTORS, set_register
from gdb_support import PATIENCE, elf, fail, start

PC = 15
CCR = 0xE000ED14
# Start, stack, RAM that is cached, flash. On the STM32N6 caches hold bytes of their own.
CHIPS = {"stm32n6": (N6_BASE, N6_STACK, 0x34100000, 0x70100000, ["--coherence", "real"]),
         "stm32h743": (0x08000000, 0x20008000, 0x24001000, 0x08010000, ["--chip", "stm32h743"])}
WORD = 0x400  # in flash, behind the code
DIRTY, NEW = 0x12345678, 0x0BADCAFE


def same(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}", "")


def prologue(ram, flash):
    """Enables the data cache, leaves a dirty line in RAM, and goes into flash."""
    code = set_register(1, CCR)
    code += [0x680A, 0x2301, 0x041B, 0x431A, 0x600A]  # ldr r2, [r1]; r3 = 1 << 16; orrs; str
    code += [0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F]  # dsb; isb
    code += set_register(4, ram) + set_register(5, DIRTY) + [0x6025]  # str r5, [r4]
    code += set_register(6, flash + WORD) + [0x6837]  # ldr r7, [r6]
    return code + set_register(3, flash | 1) + [0x4718]  # bx r3


# Until the word in flash changes; on the spot, until the branch changes; until the word in RAM is new.
IN_FLASH = [0x6830, 0x42B8, 0xD0FC,  # ldr r0, [r6]; cmp r0, r7; beq
            0xE7FE,  # b .
            0x6820, 0x42A8, 0xD0FC]  # ldr r0, [r4]; cmp r0, r5; beq
IN_FLASH += set_register(1, 0x20026) + [0x2018, 0xBEAB]  # SYS_EXIT, of an application that ends
SPOT = 6  # offset of the second loop


def program(file, base, stack, ram, flash):
    entry = base + VECTORS
    table = struct.pack("<2I", stack, entry | 1).ljust(VECTORS, b"\0")
    code = prologue(ram, flash)
    content = struct.pack(f"<{len(IN_FLASH)}H", *IN_FLASH).ljust(WORD, b"\0") + b"old."
    file.write(elf([(base, table + struct.pack(f"<{len(code)}H", *code)), (flash, content)],
                   entry | 1))


def run_until(client, wanted, what):
    """Lets the program run, and stops it, until it stops in that range."""
    for _ in range(1000):
        client.send("vCont;c")
        time.sleep(0.01)
        client.socket.sendall(b"\x03")
        same(client.receive()[:3], "T02", what)
        if client.register(PC) in wanted:
            return
    fail(f"{what}: the program does not come to {wanted}", "")


def write_flash(client, address, text):
    same(client.ask(f"vFlashErase:{address:x},{len(text):x}"), "OK", "erase")
    same(client.ask(f"m{address:x},{len(text):x}"), "ff" * len(text), "erased flash")
    same(client.ask(f"vFlashWrite:{address:x}:{text}"), "OK", "write")
    same(client.ask("vFlashDone"), "OK", "done")
    same(client.ask(f"m{address:x},{len(text):x}"), text.encode().hex(), "written flash")


def check(client, ram, flash):
    run_until(client, range(flash, flash + SPOT), "the loop over a word in flash")
    same(client.ask(f"m{ram:x},4"), struct.pack("<I", DIRTY).hex(), "the dirty line")
    same(client.ask(f"M{ram:x},4:" + struct.pack("<I", NEW).hex()), "OK", "a word in RAM")
    same(client.ask(f"m{ram:x},4"), struct.pack("<I", NEW).hex(), "the changed line")
    same(client.ask(f"m{flash + WORD:x},4"), b"old.".hex(), "the word in flash")
    write_flash(client, flash + WORD, "new.")
    run_until(client, [flash + SPOT], "the loop on the spot")
    write_flash(client, flash + SPOT, "\0\x20")  # movs r0, #0
    same(client.ask("vCont;c"), "W00", "the end of the program")


def main():
    n6vp = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for chip, (base, stack, ram, flash, options) in CHIPS.items():
            print(chip, flush=True)
            path = os.path.join(folder, f"{chip}.elf")
            with open(path, "wb") as file:
                program(file, base, stack, ram, flash)
            process, port = start([n6vp, "run", "--elf", path, "--quiet", "--gdb", "0", "--gdb-wait",
                                   "--max-quiet", "0s", "--max-host-time", "100s", *options])
            try:
                client = Client(port)
                same(client.ask("?")[:3], "T05", "the first stop")
                check(client, ram, flash)
                errors = process.communicate(timeout=PATIENCE)[1]
            except subprocess.TimeoutExpired:
                fail("the run does not end", "")
            finally:
                process.kill()
                process.wait()
            if process.returncode != 0:
                fail(f"exit code {process.returncode}", errors)
    return 0


sys.exit(main())
