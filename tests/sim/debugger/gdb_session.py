# SPDX-License-Identifier: Apache-2.0
"""GDB itself as the client: registers, memory, breakpoints, watchpoints, steps, load, reset.

    gdb_session.py GDB SERVER [STEPS]

SERVER is the test program serve_core. Without GDB the test is skipped: exit code 77. With STEPS it
compares as many instructions with the trace, and nothing else.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

from gdb_support import SKIPPED, elf, expect, fail, missing, run_gdb, start

SEED = 20
STEPS = 1000
STORE = 0x20000100  # the first word of the table that the program sorts
FLASH, RAM = 0x8000, 0x20008000


def session(gdb, server, commands):
    """Runs the commands in GDB against a new server; returns what GDB said."""
    process, port = start([server, "--gdb", "0"])
    try:
        return run_gdb(gdb, port, commands + "\nkill\ndisconnect\n")
    finally:
        process.kill()
        process.wait()


def look(gdb, server):
    output = session(gdb, server, """
info registers
p/x $msp_s
p/x $psp_ns
p/x $control
p/x $primask
p $d0
set var $d0 = 1.5
p $d0
set var $d1 = 2.5
p/x $q0.u64
p/x $vpr
set var $r7 = 0x12345678
p/x $r7
set var {int}0x20004000 = 0x11223344
x/1xw 0x20004000
x/2xw 0
info mem
info threads
monitor echo hello
x/1xw 0x30000000
""")
    expect(output, r"^sp +0x20010000 ", "the stack pointer of the vector table")
    expect(output, r"^pc +0x40 ", "the program counter")
    expect(output, r"^xpsr +0x1000000 ", "the status register")
    expect(output, r"= 0x20010000$", "the Secure main stack pointer")
    expect(output, r"= 1\.5$", "a floating-point register")
    expect(output, r"= \{0x3ff8000000000000, 0x4004000000000000\}$", "a vector register of Helium")
    expect(output, r"= 0x0$", "the predication register")
    expect(output, r"= 0x12345678$", "a general register")
    expect(output, r"^0x20004000:\s+0x11223344$", "memory")
    expect(output, r"^0x0:\s+0x20010000\s+0x00000041$", "the vector table")
    expect(output, r"Cannot access memory at address 0x30000000", "an address without memory")
    expect(output, r"0x00000000 0x00010000 flash", "flash in the memory map")
    expect(output, r"\* 1 +Thread 1 .*core", "the thread")
    expect(output, r"^hello$", "a command of monitor")


def points(gdb, server):
    output = session(gdb, server, f"""
break *0x60
continue
p/x $pc
continue
p $r7
delete
hbreak *0x62
continue
p/x $pc
delete
watch *(int*){STORE + 4}
continue
continue
delete
rwatch *(int*){STORE}
continue
delete
continue
""")
    expect(output, r"Breakpoint 1, 0x00000060", "the breakpoint")
    expect(output, r"= 0x60$", "its program counter")
    expect(output, r"= 47$", "the second round of the loop")
    expect(output, r"Breakpoint 2, 0x00000062", "the hardware breakpoint")
    expect(output, r"Hardware watchpoint 3: .*\n\nOld value = .*\nNew value = ", "the watchpoint")
    expect(output, r"Hardware read watchpoint 4: ", "the watchpoint for reads")
    expect(output, r"exited with code 07\]", "the end of the program")


def steps(gdb, server, wanted_steps):
    trace = subprocess.run([server, "--trace", str(wanted_steps)], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    if len(trace) != wanted_steps:
        fail(f"the trace has {len(trace)} lines", "")
    chance = random.Random(SEED)
    places, commands = [0], ""
    while places[-1] < wanted_steps - 1:
        count = min(chance.choice((1, 1, 1, 2, 3, 7)), wanted_steps - 1 - places[-1])
        places.append(places[-1] + count)
        commands += f"stepi {count}\n" 'printf "pc %08x\\n", $pc\n'
    output = session(gdb, server, commands)
    found = re.findall(r"^pc ([0-9a-f]{8})$", output, re.MULTILINE)
    wanted = [trace[place] for place in places[1:]]
    if found != wanted:
        bad = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), len(found))
        fail(f"step {bad} of {len(wanted)} differs", output[-2000:])


def loading(gdb, server):
    # movs r0, #42; bkpt 0xab, and a word in RAM.
    code, data = bytes.fromhex("2a20abbe"), bytes.fromhex("efbeadde")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.elf")
        with open(path, "wb") as file:
            file.write(elf([(FLASH, code), (RAM, data)]))
        output = session(gdb, server, f"""
file {path}
load
compare-sections
x/1xw {RAM}
p/x $pc
monitor reset
maintenance flush register-cache
p/x $pc
set var $pc = {FLASH}
continue
""")
    expect(output, r"Loading section \.s0", "the first section is loaded")
    expect(output, r'Section \.s0, range .*: matched', "flash holds the section")
    expect(output, r'Section \.s1, range .*: matched', "RAM holds the section")
    expect(output, r":\s+0xdeadbeef$", "memory that was loaded")
    expect(output, rf"= {FLASH:#x}$", "the entry of the program")
    expect(output, r"= 0x40$", "the program counter after the reset")
    expect(output, r"exited with code 052", "the program that was loaded runs")


def main():
    gdb, server = sys.argv[1:3]
    if missing(gdb):
        return SKIPPED
    if len(sys.argv) > 3:
        steps(gdb, server, int(sys.argv[3]))
        return 0
    look(gdb, server)
    points(gdb, server)
    steps(gdb, server, STEPS)
    loading(gdb, server)
    return 0


sys.exit(main())
