# SPDX-License-Identifier: Apache-2.0
"""A client that only looks leaves no trace: a run that is stopped again and again and read everywhere
has the document of one that is not.

    gdb_look.py N6VP

Speaks the protocol itself, and needs no GDB.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

from gdb_client import Client
from gdb_program import N6_BASE, TABLE, sorting_elf
from gdb_support import PATIENCE, differences, fail, start

ROUNDS = 4000
LOOKS = 12
SEED = 7


def look(client, chance):
    if len(client.ask("g")) < 17 * 8:
        fail("the registers are too short", "")
    for address in (N6_BASE, TABLE, 0xE000ED00, 0x56028000, 0x30000000):
        client.ask(f"m{address + 4 * chance.randrange(16):x},{4 * chance.randrange(1, 64):x}")
    for command in ("time", "phases", "npu", "pools", "faults", "epochs", "registers RCC"):
        client.monitor(command)


def main():
    n6vp = sys.argv[1]
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program.elf")
        with open(program, "wb") as file:
            file.write(sorting_elf(ROUNDS)[0])
        plain, looked = os.path.join(folder, "plain.json"), os.path.join(folder, "looked.json")
        run = [n6vp, "run", "--elf", program, "--quiet", "--report"]
        subprocess.run(run + [plain], check=True)
        # The first line on standard error names the port, although the log has more lines.
        process, port = start(run + [looked, "--gdb", "0", "--gdb-wait", "--log", "debugger=info"])
        try:
            client = Client(port)
            if not client.ask("?").startswith("T05"):
                fail("the core does not stand before its first instruction", "")
            stops = 0
            for _ in range(LOOKS):
                look(client, chance)
                client.send("vCont;c")
                # The first stop comes at once: on a fast host the program ends soon.
                if stops:
                    time.sleep(chance.uniform(0, 0.02))
                client.socket.sendall(b"\x03")
                answer = client.receive()
                if stops and answer.startswith("W"):
                    break
                if not answer.startswith("T02"):
                    fail("Ctrl-C does not stop the program", answer)
                stops += 1
            else:
                look(client, chance)
                if client.ask("D") != "OK":
                    fail("detach fails", "")
            errors = process.communicate(timeout=PATIENCE)[1]
        finally:
            process.kill()
            process.wait()
        if process.returncode != 0:
            fail(f"the run ends with {process.returncode}", errors)
        different = differences(plain, looked)
        if different:
            fail("the run that was looked at differs", "\n".join(different))
        print(f"{stops} stops; the documents are the same, hash included")
    return 0


sys.exit(main())
