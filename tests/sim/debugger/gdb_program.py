# SPDX-License-Identifier: Apache-2.0
"""Programs of the tests, encoded as the Armv8-M manual has the instructions."""
import struct

from gdb_support import elf

N6_BASE, N6_STACK = 0x34000000, 0x34010000
TABLE = 0x20000100  # the program sorts 32 words there; DTCM of the STM32N6, RAM of the older chips
WORDS = 32
VECTORS = 0x40


def set_register(register, value):
    """MOVW and MOVT."""
    words = []
    for opcode, half in ((0xF240, value & 0xFFFF), (0xF2C0, value >> 16)):
        words += [opcode | (half >> 11 & 1) << 10 | half >> 12,
                  (half >> 8 & 7) << 12 | register << 8 | half & 0xFF]
    return words


def branch_back(code, place):
    """BNE to an index of `code`."""
    return 0xD100 | place - len(code) - 2 & 0xFF


def sorting(rounds):
    """Sorts a table of random words `rounds` times and exits with 0: branches as the data are."""
    code = set_register(8, rounds)
    again = len(code)
    code += set_register(4, TABLE) + set_register(5, 12345) + set_register(7, WORDS)
    code += set_register(0, 1103515245)
    fill = len(code)
    code += [0x4345, 0x3539, 0x6025, 0x3404, 0x3F01]  # muls r5, r0; adds r5, #57; str; adds; subs
    code.append(branch_back(code, fill))
    code += set_register(7, WORDS - 1)
    one_pass = len(code)
    code += set_register(4, TABLE) + set_register(6, WORDS - 1)
    pair = len(code)
    code += [0x6821, 0x6862, 0x4291, 0xD901]  # ldr r1, [r4]; ldr r2, [r4, #4]; cmp; bls over two
    code += [0x6022, 0x6061, 0x3404, 0x3E01]  # str r2, [r4]; str r1, [r4, #4]; adds; subs r6
    code.append(branch_back(code, pair))
    code.append(0x3F01)
    code.append(branch_back(code, one_pass))
    code += [0xF1B8, 0x0801]  # subs.w r8, r8, #1
    code.append(branch_back(code, again))
    places = {"fill": fill, "pass": one_pass, "pair": pair, "end": len(code)}
    code += set_register(1, 0x20026) + [0x2018, 0xBEAB]  # SYS_EXIT, of an application that ends
    return code, places


def sorting_elf(rounds, base=N6_BASE, stack=N6_STACK):
    """Returns an ELF file and the addresses of its places."""
    code, places = sorting(rounds)
    entry = base + VECTORS
    table = struct.pack("<2I", stack, entry | 1).ljust(VECTORS, b"\0")
    content = table + struct.pack(f"<{len(code)}H", *code)
    return elf([(base, content)], entry | 1), {name: entry + 2 * at for name, at in places.items()}
