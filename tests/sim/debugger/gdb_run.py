# SPDX-License-Identifier: Apache-2.0
"""GDB on runs of the real program: n6vp run --gdb, on the STM32N6 and on an older chip.

    gdb_run.py GDB N6VP

Without GDB the test is skipped: exit code 77.
"""
import os
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile

from gdb_program import N6_BASE, TABLE, WORDS, sorting_elf
from gdb_support import (PATIENCE, SKIPPED, SLOW_SERVER, differences, elf, expect, fail, missing,
                         run_gdb, start)

L4_BASE, L4_STACK = 0x08000000, 0x20008000
SEED = 11
STEPS = 300
KILLED = 130


class Run:
    """A run under GDB, from a file to its exit code."""

    def __init__(self, gdb, n6vp, folder, rounds=1, chip=None):
        self.gdb, self.n6vp, self.folder = gdb, n6vp, folder
        self.architecture = "armv7e-m" if chip else "armv8.1-m.main"
        self.program = os.path.join(folder, f"{chip or 'n6'}_{rounds}.elf")
        where = (L4_BASE, L4_STACK) if chip else ()
        content, self.places = sorting_elf(rounds, *where)
        with open(self.program, "wb") as file:
            file.write(content)
        self.command = [n6vp, "run", "--elf", self.program, "--quiet"]
        if chip:
            self.command += ["--chip", chip]

    def __call__(self, commands, wanted=0, target="extended-remote", report=None):
        command = self.command + ["--gdb", "0", "--gdb-wait"]
        if report:
            command += ["--report", report]
        process, port = start(command)
        try:
            output = run_gdb(self.gdb, port, f"file {self.program}\n" + commands,
                             self.architecture, target)
            errors = process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            fail("the run does not end", output)
        finally:
            process.kill()
            process.wait()
        if process.returncode != wanted:
            fail(f"exit code {process.returncode}, not {wanted}", output + errors)
        return output


def look(run, plain):
    """What a stopped run shows, and that looking at it leaves no trace."""
    report = plain.replace("plain", "looked")
    subprocess.run(run.command + ["--report", plain], check=True)
    output = run(f"""
info registers
p/x $msp
x/2xw {run.places['fill'] & ~0xFFF}
x/1xw 0xe000ed00
info mem
info threads
monitor help
monitor time
monitor registers RCC
monitor registers rccx
monitor gpio
x/1xw 0xf0000000
detach
""", report=report)
    expect(output, r"^pc +0x[0-9a-f]+40 ", "the program counter of the vector table")
    expect(output, r"0xe000ed00:\s+0x41", "CPUID")
    expect(output, r"\* 1 +Thread 1 .*core", "the thread")
    expect(output, r"^monitor time$", "the commands of monitor")
    expect(output, r"us simulated; core: .* instructions since reset", "monitor time")
    expect(output, r"^0x[0-9a-f]{8}  0x[0-9a-f]{8}  .*CR", "monitor registers")
    expect(output, r"there is no peripheral 'rccx': did you mean RCC\?", "a name that is no peripheral's")
    expect(output, r"^GPIO[A-Z]: ", "monitor gpio")
    expect(output, r"Cannot access memory at address 0xf0000000", "an address without memory")
    different = differences(plain, report)
    if different:
        fail("the run under GDB differs", "\n".join(different))


def points(run):
    places = run.places
    output = run(f"""
break *{places['pass']:#x}
continue
p/x $pc
continue
printf "passes %d\\n", $r7
delete
hbreak *{places['pair']:#x}
continue
p/x $pc
delete
watch *(int*){TABLE + 4}
continue
continue
delete
rwatch *(int*){TABLE}
continue
delete
set var {{int}}{TABLE + 0x200} = 0x11223344
x/1xw {TABLE + 0x200}
set var $r11 = 0x12345678
p/x $r11
break *{places['end']:#x}
continue
x/{WORDS}dw {TABLE}
delete
continue
""")
    expect(output, rf"= {places['pass']:#x}$", "the breakpoint")
    expect(output, r"^passes 30$", "the second round of the loop")
    expect(output, rf"= {places['pair']:#x}$", "the hardware breakpoint")
    expect(output, r"Hardware watchpoint \d: .*\n\nOld value = .*\nNew value = ", "the watchpoint")
    expect(output, r"Hardware read watchpoint \d: ", "the watchpoint for reads")
    expect(output, r":\s+0x11223344$", "memory")
    expect(output, r"= 0x12345678$", "a register")
    expect(output, r"exited normally\]", "the end of the program")
    rows = re.findall(r"^0x[0-9a-f]{8}:((?:\s+-?\d+){4})$", output, re.MULTILINE)
    table = [int(word) & 0xFFFFFFFF for row in rows for word in row.split()]
    if len(table) != WORDS or table != sorted(table):
        fail("the table is not sorted", output)


def steps(run):
    """Single steps of GDB give the instructions that `n6vp exec` traces."""
    done = subprocess.run([run.n6vp, "exec", run.program, "--trace", "insn", "--max-instr",
                           str(STEPS + 1)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    trace = [int(each, 16) for each in
             re.findall(r"^\s*(?:0x)?(3400[0-9a-f]{4})\b", done.stdout, re.MULTILINE)]
    if len(trace) <= STEPS:
        fail(f"the trace has {len(trace)} instructions", done.stdout[:1000])
    chance = random.Random(SEED)
    places, commands = [0], ""
    while places[-1] < STEPS:
        places.append(min(places[-1] + chance.choice((1, 1, 1, 2, 3, 7)), STEPS))
        commands += f"stepi {places[-1] - places[-2]}\n" 'printf "pc %x\\n", $pc\n'
    output = run(commands + "detach\n")
    found = [int(each, 16) for each in re.findall(r"^pc ([0-9a-f]+)$", output, re.MULTILINE)]
    if found != [trace[place] for place in places[1:]]:
        fail("the steps differ from the trace", output[-2000:])


def loading(run):
    """`load` replaces the program, a reset keeps it, and it runs."""
    base = L4_BASE if run.architecture == "armv7e-m" else N6_BASE
    other = os.path.join(run.folder, "other.elf")
    with open(other, "wb") as file:
        # movs r0, #42 and on the spot. GDB erases whole blocks of flash, vectors included.
        vectors = struct.pack("<2I", L4_STACK, base + 0x41)
        file.write(elf([(base, vectors), (base + 0x40, bytes.fromhex("2a20fee7"))], base + 0x41))
    output = run(f"""
file {other}
load
compare-sections
monitor reset
maintenance flush register-cache
stepi
p $r0
monitor reset cold
maintenance flush register-cache
p/x $pc
kill
""", KILLED, "remote")
    expect(output, r"Loading section \.s0", "the section is loaded")
    expect(output, r"Section \.s0, range .*: matched", "memory holds the section")
    expect(output, r"= 42$", "the program that was loaded runs")
    expect(output, rf"= {base + 0x40:#x}$", "the program counter after the reset")


def patience(run):
    """A limit of the host's time does not count the time at GDB's prompt."""
    run.command += ["--max-host-time", "8s"]
    output = run("shell sleep 8.5\nstepi\ncontinue\n")
    expect(output, r"exited normally\]", "the end of the program, not of its time")


def hear(client, wanted, seconds):
    """Returns what GDB says up to `wanted`, or until it has been silent for so long."""
    said = ""
    while wanted not in said and select.select([client.stdout], [], [], seconds)[0]:
        more = os.read(client.stdout.fileno(), 4096)
        if not more:
            break
        said += more.decode()
    return said


def interrupt(run):
    """Ctrl-C in GDB's terminal stops a program that runs, and it goes on."""
    process, port = start(run.command + ["--gdb", "0", "--gdb-wait"])
    client = subprocess.Popen(
        [run.gdb, "-nx", "-nh", "-q", "-ex", "set confirm off", "-ex",
         SLOW_SERVER, "-ex", f"set architecture {run.architecture}", "-ex",
         f"target remote 127.0.0.1:{port}", "-ex", "set debug remote 1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0,
        start_new_session=True)
    try:
        client.stdin.write(b"continue\n")
        # Before that packet nothing runs; a second Ctrl-C would make GDB give up the server.
        said = hear(client, "$vCont;c", PATIENCE)
        client.send_signal(signal.SIGINT)
        said += hear(client, "SIGINT", PATIENCE)
        output, _ = client.communicate(b"p/x $pc\nkill\nquit\n", timeout=PATIENCE)
        said += output.decode()
        expect(said, "SIGINT", "the stop")
        process.communicate(timeout=PATIENCE)
        if process.returncode != KILLED:
            fail(f"exit code {process.returncode} after kill", said)
    finally:
        for each in (client, process):
            each.kill()
            each.wait()


def main():
    gdb, n6vp = sys.argv[1:]
    if missing(gdb):
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        for chip in (None, "stm32l4r5"):
            run = Run(gdb, n6vp, folder, chip=chip)
            look(run, os.path.join(folder, f"plain_{chip}.json"))
            points(run)
            loading(run)
            patience(Run(gdb, n6vp, folder, 100, chip))
            interrupt(Run(gdb, n6vp, folder, 1_000_000, chip))
        steps(Run(gdb, n6vp, folder))
    return 0


sys.exit(main())
