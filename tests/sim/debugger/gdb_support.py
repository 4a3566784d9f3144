# SPDX-License-Identifier: Apache-2.0
"""What the tests with GDB share: programs as ELF files, sessions, and what GDB has to say in them."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77  # exit code of a test that cannot run here
PATIENCE = 300  # s: the host may be loaded, or the server have a sanitizer
# The server answers once the chip is elaborated, long after its port is open; GDB waits for 2 s.
SLOW_SERVER = f"set remotetimeout {PATIENCE}"


def fail(text, output):
    sys.stderr.write(f"{output}\n{text}\n")
    sys.exit(1)


def expect(output, pattern, meaning):
    found = re.search(pattern, output, re.MULTILINE)
    if not found:
        fail(f"not found: {meaning}: {pattern}", output)
    return found


def differences(first, second):
    """Returns where the JSON documents of two runs differ, times of the host left out."""
    def compare(one, other, path):
        if not isinstance(one, dict) or not isinstance(other, dict):
            return [] if one == other else [f"{path}: {one} and {other}"]
        keys = sorted(one.keys() | other.keys())
        return [line for key in keys if not key.startswith("host")
                for line in compare(one.get(key), other.get(key), f"{path}/{key}")]

    with open(first, encoding="utf-8") as one, open(second, encoding="utf-8") as other:
        return compare(json.load(one), json.load(other), "")


def missing(gdb):
    """Says so, and returns True, if there is no GDB for Arm."""
    if gdb and not gdb.endswith("NOTFOUND"):
        return False
    print("SKIPPED: gdb-multiarch is not installed: apt-get install gdb-multiarch")
    return True


def elf(sections, entry=None):
    """Returns a linked Arm executable with sections at those addresses, and with headers for both."""
    names = b"\0" + b"".join(b".s%d\0" % i for i in range(len(sections))) + b".shstrtab\0"
    header_bytes, program_bytes, section_bytes = 52, 32, 40
    offset = header_bytes + program_bytes * len(sections)
    programs = rows = contents = b""
    name = 1
    for i, (address, content) in enumerate(sections):
        at = offset + len(contents)
        programs += struct.pack("<8I", 1, at, address, address, len(content), len(content), 7, 4)
        rows += struct.pack("<10I", name, 1, 6, address, at, len(content), 0, 0, 4, 0)
        name += len(b".s%d\0" % i)
        contents += content
    strings_at = offset + len(contents)
    rows += struct.pack("<10I", name, 3, 0, 0, strings_at, len(names), 0, 0, 1, 0)
    rows = bytes(section_bytes) + rows
    start = strings_at + len(names)
    count = len(sections) + 2
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    header = ident + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, sections[0][0] if entry is None else entry, header_bytes, start,
                                 0x05000000, header_bytes, program_bytes, len(sections),
                                 section_bytes, count, count - 1)
    return header + programs + contents + names + rows


def start(server, **options):
    """Starts a server that serves at any port; returns its process and the port."""
    process = subprocess.Popen(server, stderr=subprocess.PIPE, text=True, **options)
    line = process.stderr.readline()
    found = re.fullmatch(r"gdb: 127\.0\.0\.1:(\d+)\n", line)
    if not found:
        process.kill()
        fail("the server does not say where it is", line + process.stderr.read())
    return process, int(found.group(1))


def run_gdb(gdb, port, commands, architecture="armv8.1-m.main", target="extended-remote"):
    """Runs the commands in GDB against a server; returns what GDB said."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb", delete=False) as script:
        script.write(f"set pagination off\nset confirm off\nset architecture {architecture}\n"
                     f"{SLOW_SERVER}\ntarget {target} 127.0.0.1:{port}\n")
        script.write(commands + "\n")
    try:
        done = subprocess.run([gdb, "-nx", "-nh", "-batch", "-x", script.name], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=2 * PATIENCE)
    finally:
        os.unlink(script.name)
    return done.stdout
