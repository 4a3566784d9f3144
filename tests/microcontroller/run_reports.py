# SPDX-License-Identifier: Apache-2.0
"""`n6vp run --chip`: how runs of small programs end, and what text, JSON and expectations say of them.

    run_reports.py N6VP SUPPORT

SUPPORT is tests/sim/debugger, which encodes instructions.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[2])
from gdb_program import set_register  # noqa: E402

PATIENCE = 280  # s: the host may be loaded
BASE, STACK, VECTORS = 0x08000000, 0x20008000, 0x40
ENTRY = BASE + VECTORS
HERE, WFI, BKPT, NOP = 0xE7FE, 0xBF30, 0xBE01, 0xBF00
TIM2, CRC = 0x40000000, 0x40023000
RAM = 0x20000100
GUEST_FAULT, LIMIT = 3, 5


def fail(text):
    sys.stderr.write(text + "\n")
    sys.exit(1)


def same(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}")


def store(address, value):
    return set_register(1, address) + set_register(2, value) + [0x600A]  # str r2, [r1]


def load(address):
    return set_register(1, address) + [0x680A]  # ldr r2, [r1]


def leave(code):
    """SYS_EXIT_EXTENDED with a block in RAM."""
    return (store(RAM, 0x20026) + store(RAM + 4, code) + set_register(1, RAM) +
            [0x2020, 0xBEAB])  # movs r0, #0x20; bkpt


RESET = store(0xE000ED0C, 0x05FA0004)  # AIRCR: key, SYSRESETREQ


class Tool:
    def __init__(self, n6vp, folder):
        self.n6vp, self.folder = n6vp, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, code):
        """Writes raw bytes of the flash; returns the words that load them."""
        content = struct.pack("<2I", STACK, ENTRY | 1).ljust(VECTORS, b"\0")
        with open(self.path("program.bin"), "wb") as file:
            file.write(content + struct.pack(f"<{len(code)}H", *code))
        return ["--bin", f"{self.path('program.bin')}@{BASE:#x}"]

    def call(self, *words):
        """Returns exit code, standard output and standard error."""
        done = subprocess.run([self.n6vp, "run", *words], capture_output=True, text=True, check=False,
                              timeout=PATIENCE)
        return done.returncode, done.stdout, done.stderr

    def run(self, code, *options, chip="stm32l4r5", wanted=0):
        """Returns text, errors and document of a program; two runs of it."""
        words = ["--chip", chip, *self.program(code), "--uart", "none", *options]
        found, text, errors = self.call(*words)
        same(found, wanted, f"{options}: exit code; {text}{errors}")
        found, document, _ = self.call(*words, "--json")
        same(found, wanted, f"{options}: exit code of --json")
        return text, errors, json.loads(document)


def ends(tool):
    """Each end has its word, its exit code, a cause and a remedy."""
    at = rf"pc 0x{ENTRY:08x}"
    rows = [
        (leave(0), [], 0, "exit", ""),
        (leave(3), [], 1, "exit", r"n6vp: the program ended with exit code 3\n"
         r"      an exit code of the program, not of the simulator\n"),
        # Without a debugger a breakpoint is a fault, DEBUGEVT; the vector of its handler is 0, which
        # is even: INVSTATE.
        ([BKPT], [], GUEST_FAULT, "lockup", r"n6vp: lockup, pc 0x00000000: CFSR 0x00020000, HFSR "
         rf"0x80000000, BFAR 0x\w+; fault at {at}\n      a fault occurred and no "),
        (RESET + [HERE], [], 1, "reset", r"n6vp: the program or a watchdog requested a reset, pc 0x"
         r"\w+\n      --resets N lets it start again"),
        ([HERE], ["--max-time", "1ms"], LIMIT, "limit", rf"n6vp: a limit of time or instructions "
         rf"ended the run, {at}\n      --max-time, --max-instr or --max-host-time sets it\n"),
        ([WFI, HERE], [], LIMIT, "asleep", r"n6vp: the core sleeps without a wake-up source, pc 0x\w+\n"
         r"      check that the expected interrupt is enabled\n"),
        ([HERE], ["--max-quiet", "2ms"], GUEST_FAULT, "no_progress",
         rf"n6vp: the program makes no progress, {at}\n      --max-quiet sets the time limit"),
        (load(0x60001230) + [HERE], [], GUEST_FAULT, "lockup", r"n6vp: lockup, pc 0x00000000: CFSR "
         r"0x00028200, HFSR 0x40000000, BFAR 0x60001230; fault at pc 0x08000048\n"
         r"      a fault occurred and no handler could be entered\n"),
    ]
    for code, options, wanted, word, said in rows:
        text, errors, document = tool.run(code, *options, wanted=wanted)
        same(document["end"], word, "the end")
        same(document["chip"], "stm32l4r5", "the chip")
        if not re.fullmatch(said + r"[^\n]*\n?" if said else "", errors):
            fail(f"{word}: {errors!r} is not {said!r}")
        heading = re.search(rf"^STM32L4R5: {word} at pc (0x\w+)$", text, re.MULTILINE)
        same(heading and heading[1], document["pc"], f"{word}: the heading of {text}")
        line = re.search(r"^(\d+) instructions, (\d+) cycles, (\d+\.\d{6}) ms simulated, core at "
                         r"(\d+\.\d{3}) MHz; ", text, re.MULTILINE)
        wanted = [str(document["instructions"]), str(document["cycles"]),
                  f"{document['time_ps'] * 1e-9:.6f}", f"{document['core_hz'] / 1e6:.3f}"]
        same(list(line.groups()), wanted, f"{word}: numbers")
    same(tool.run(leave(3), wanted=1)[2]["exit_code"], 3, "the program's exit code")
    same(tool.run([HERE], "--max-time", "1ms", wanted=LIMIT)[2]["time_ps"], 10 ** 9, "--max-time")
    # 4 MHz out of reset.
    same(tool.run(leave(0))[2]["core_hz"], 4e6, "the clock")


def limits(tool):
    """Instructions of one cycle each: the limit is met, and a run that is shorter does not see it."""
    for count in (1000, 1001):
        document = tool.run([NOP] * 20 + [HERE], "--max-instr", str(count), wanted=LIMIT)[2]
        if not count <= document["instructions"] < count + 100:
            fail(f"--max-instr {count}: {document['instructions']}")
    same(tool.run(leave(0), "--max-instr", "1000", "--max-time", "1ms")[2]["end"], "exit", "limits")


def resets(tool):
    """A word in RAM outlives resets: the program requests two, then it exits."""
    count = RAM + 0x80
    with open(tool.path("zero.bin"), "wb") as file:
        file.write(bytes(4))
    again = set_register(1, count) + [0x680B, 0x3301, 0x600B,  # r3 = [r1] + 1; [r1] = r3
                                      0x2B03]  # cmp r3, #3
    request = RESET + [HERE]
    again.append(0xDA00 | len(request) - 1)  # bge to the exit
    code = again + request + leave(0)
    load_zero = ["--bin", f"{tool.path('zero.bin')}@{count:#x}"]
    for options, wanted, end, times in (([], 1, "reset", None), (["--resets", "1"], 1, "reset", 1),
                                        (["--resets", "2"], 0, "exit", 2),
                                        (["--resets", "9"], 0, "exit", 2)):
        text, _, document = tool.run(code, *load_zero, *options, wanted=wanted)
        same(document["end"], end, f"{options}: the end")
        same(document.get("resets"), times, f"{options}: resets")
        found = re.findall(r"^started again after a reset: (\d+) times$", text, re.MULTILINE)
        same(found, [str(times)] if times else [], f"{options}: resets in the text")
    # Instructions of all starts together: one more start is as much as the last but one.
    counts = [tool.run(code, *load_zero, "--resets", str(i), wanted=0 if i == 2 else 1)[2]
              for i in range(3)]
    for key in ("instructions", "cycles", "time_ps"):
        if not counts[0][key] < counts[1][key] < counts[2][key]:
            fail(f"{key} of one, two and three starts: {[each[key] for each in counts]}")
    same(counts[1]["instructions"], 2 * counts[0]["instructions"], "instructions of two equal starts")


def unclocked(tool):
    """A peripheral without its clock: reads give 0, writes are lost, both are counted."""
    code = store(TIM2 + 0x2C, 5) + load(TIM2 + 0x2C) + load(TIM2 + 0x2C) + load(CRC)
    text, _, document = tool.run(code + leave(0))
    wanted = [{"peripheral": "CRC", "reads": 1, "writes": 0},
              {"peripheral": "TIM2", "reads": 2, "writes": 1}]
    found = document["unclocked"]
    same([{key: row[key] for key in ("peripheral", "reads", "writes")} for row in found], wanted,
         "unclocked")
    for row in found:
        line = (f"{row['peripheral']} without clock: {row['reads']} reads gave 0, {row['writes']} "
                f"writes were lost, the first at pc {row['first_pc']}\n")
        if line not in text:
            fail(f"no line {line} in {text}")
        if not ENTRY <= int(row["first_pc"], 16) < ENTRY + 2 * len(code):
            fail(f"the first at {row['first_pc']}")
    # With its clock it is not named.
    clocked = store(0x40021058, 1) + store(TIM2 + 0x2C, 5) + leave(0)  # APB1ENR1.TIM2EN
    same(tool.run(clocked)[2]["unclocked"], [], "a timer with its clock")


def faults(tool):
    """Faults that a handler takes are counted; the first one is named."""
    # The handler of HardFault, at ENTRY: skips two bytes of the instruction by the stacked pc.
    handler = [0x9806, 0x3002, 0x9006, 0x4770]  # ldr r0, [sp, #24]; adds r0, #2; str; bx lr
    body = load(0x60001230) + [0x680A] + leave(0)
    start = ENTRY + 2 * len(handler)
    vectors = struct.pack("<4I", STACK, start | 1, 0, ENTRY | 1).ljust(VECTORS, b"\0")
    with open(tool.path("faults.bin"), "wb") as file:
        code = handler + body
        file.write(vectors + struct.pack(f"<{len(code)}H", *code))
    words = ["--chip", "stm32l4r5", "--bin", f"{tool.path('faults.bin')}@{BASE:#x}", "--uart", "none"]
    same(tool.call(*words)[0], 0, "a program that handles its faults")
    text = tool.call(*words)[1]
    document = json.loads(tool.call(*words, "--json")[1])
    same((document["faults"]["core"], document["faults"]["access"]), (2, 2), "faults")
    same(document["faults"]["bfar"], "0x60001230", "BFAR")
    line = f"2 faults of the program, the first: fault at pc 0x{start + 8:08x}\n"
    if line not in text:
        fail(f"no line {line} in {text}")


def external(tool):
    """Memory of the board: its address, and the times that the run assumes."""
    options = ["--external", "0x90000000:64K,0x60000000:4K", "--set", "external.access_cycles=12",
               "--set", "external.byte_cycles=3"]
    text, _, document = tool.run(store(0x60000FFC, 77) + leave(0), *options)
    for row, start, size in zip(document["external_memory"], ("0x90000000", "0x60000000"),
                                (65536, 4096)):
        same((row["address"], row["bytes"]), (start, size), "a memory")
        same((row["access_cycles"]["value"], row["byte_cycles"]["value"]), (12, 3), "its times")
    same(len(document["external_memory"]), 2, "memories")
    rows = re.findall(r"^external memory at (0x\w+): HCLK cycles: start of an access (\d+) \(\w+\), a "
                      r"byte (\d+) \(\w+\); ", text, re.MULTILINE)
    same(rows, [("0x90000000", "12", "3"), ("0x60000000", "12", "3")], "lines of memories")
    same(tool.run(leave(0))[2]["external_memory"], [], "no memory of the board")


def scenario(tool, code, expect):
    tool.program(code)
    path = tool.path("s.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'[run]\nchip = "l4r5"\nuart = "none"\nmax_time = "1ms"\n[[image]]\nat = {BASE:#x}\n'
                   f'file = "program.bin"\n{expect}')
    code, _, errors = tool.call(path)
    return code, errors, tool.call(path, "--json")[1]


def expectations(tool):
    """Each key holds on one side of its value and fails on the other, with what was found."""
    stored = store(RAM + 8, 0x04030201)
    time = tool.run(stored + leave(3), wanted=1)[2]["time_ps"]
    memory = "[[expect.memory]]\nat = {:#x}\nhex = \"{}\"\n"
    rows = [
        ("end", 'end = "exit"\n', 'end = "limit"\n', "limit", "exit"),
        ("exit_code", "exit_code = 3\n", "exit_code = 0\n", "0", "3"),
        ("min_time", f'min_time = "{time}ps"\n', f'min_time = "{time + 1}ps"\n', f"{time + 1} ps",
         f"{time} ps"),
        ("max_time", f'max_time = "{time}ps"\n', f'max_time = "{time - 1}ps"\n', f"{time - 1} ps",
         f"{time} ps"),
        ("console_without", 'console_without = ["hello"]\n', None, None, None),
        ("console", None, 'console = ["hello"]\n', "hello", "not found"),
        ("memory", memory.format(RAM + 8, "01020304"), memory.format(RAM + 8, "01020305"),
         "4 bytes at 0x20000108", "different"),
        ("memory", None, memory.format(0x60000000, "00"), "1 bytes at 0x60000000", "no memory"),
    ]
    for key, good, bad, wanted, found in rows:
        for text, holds in ((good, True), (bad, False)):
            if text is None:
                continue
            # About the end there must be a word, or a program's exit code fails the run.
            end = 'end = "exit"\n' if key != "end" else ""
            expect = f"[expect]\n{end}{text}"
            code, errors, document = scenario(tool, stored + leave(3), expect)
            same(code, 0 if holds else 1, f"{key}: {errors}")
            row = json.loads(document)["expectations"][-1]
            same((row["key"], row["holds"]), (key, holds), f"{expect}: {row}")
            if not holds:
                same((row["expected"], row["found"]), (wanted, found), key)


def refused(tool):
    """Keys and options that only the STM32N6 has a use for, one by one."""
    rows = [("coherence", '"real"'), ("boot", '"reset"'), ("exec_ram", '"0x20010000:4K"'),
            ("dump", '"dump"')]
    tool.program(leave(0))
    for key, value in rows:
        path = tool.path("k.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'[run]\nchip = "l4r5"\n{key} = {value}\n[[image]]\nat = {BASE:#x}\n'
                       'file = "program.bin"\n')
        code, _, errors = tool.call(path)
        same(code, 2, f"{key}: {errors}")
        if f": {key} and chip stm32l4r5\n      it applies to the STM32N6 only" not in errors:
            fail(f"{key}: {errors}")
    for option, value, key in (("--leds", "x", "leds"), ("--screen", "s.png", "screen"),
                               ("--camera", "c.png", "camera"), ("--sd", "card.img", "sd"),
                               ("--sd-out", "o.img", "sd_out"), ("--svd", "x.svd", "svd"),
                               ("--microphone", "m.wav", "microphone"),
                               ("--speaker", "s.wav", "speaker"), ("--coherence", "real", "coherence")):
        code, _, errors = tool.call("--chip", "stm32l4r5", *tool.program(leave(0)), option, value)
        same(code, 2, f"{option}: {errors}")
        if f"{key} and chip stm32l4r5" not in errors:
            fail(f"{option}: {errors}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(sys.argv[1], folder)
        for case in (ends, limits, resets, unclocked, faults, external, expectations, refused):
            print(case.__name__, flush=True)
            case(tool)
    return 0


sys.exit(main())
