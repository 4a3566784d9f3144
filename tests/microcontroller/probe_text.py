# SPDX-License-Identifier: Apache-2.0
"""Text for a debug probe: ITM and RTT of the firmware probe_text.c.

    probe_text.py N6VP FOLDER OBJCOPY CHIP...

FOLDER has the programs, FOLDER/probe_text_CHIP.elf.
"""
import json
import os
import subprocess
import sys
import tempfile

PATIENCE = 280  # s: the host may be loaded
ITM, ITM1, RTT, RTT1 = "itm: hello\n", "log\n", "rtt: count 0 1 2 3 4 5 6 7 8 9\n", "0123456789"


def fail(text):
    sys.stderr.write(text + "\n")
    sys.exit(1)


class Run:
    """Runs of one program, with the text that came to each place."""

    def __init__(self, n6vp, folder, chip, program):
        self.folder = folder
        self.command = [n6vp, "run", "--chip", chip, "--quiet", *program]

    def __call__(self, places, *options, code=0):
        report = os.path.join(self.folder, "report.json")
        words = self.command + ["--report", report, *options]
        files = {name: os.path.join(self.folder, name) for name in places}
        for name, path in files.items():
            words += ["--uart", f"{name}=file:{path}"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
        if done.returncode != code:
            fail(f"{words}: exit code {done.returncode}, not {code}\n{done.stderr}{done.stdout}")
        texts = {}
        for name, path in files.items():
            with open(path, encoding="utf-8") as file:
                texts[name] = file.read()
        with open(report, encoding="utf-8") as file:
            return texts, json.load(file)


def same(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}")


def times(document):
    """Returns what must not depend on the host."""
    return {key: value for key, value in document.items() if not key.startswith("host")}


def main():
    n6vp, source, objcopy, *chips = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for chip in chips:
            elf = os.path.join(source, f"probe_text_{chip}.elf")
            run = Run(n6vp, folder, chip, ["--elf", elf])
            everything = ("itm", "itm1", "rtt", "rtt1")
            texts, first = run(everything)
            same(texts, dict(zip(everything, (ITM, ITM1, RTT, RTT1))), f"{chip}: texts")
            same(times(run(everything)[1]), times(first), f"{chip}: two runs")
            # A slower probe makes the program wait for room.
            slow = run(everything, "--rtt-interval", "3ms")
            same(slow[0], texts, f"{chip}: texts at longer intervals")
            if slow[1]["instructions"] <= first["instructions"]:
                fail(f"{chip}: the program does not wait for the probe")
            # Without symbols the control block is searched for.
            image = os.path.join(folder, "program.hex")
            subprocess.run([objcopy, "-O", "ihex", elf, image], check=True)
            vectors = ["--vectors", "0x10000000"] if chip == "stm32n6" else []
            bare = Run(n6vp, folder, chip, ["--image", image, *vectors])
            same(bare(everything)[0], texts, f"{chip}: texts of a program without symbols")
            # Nobody takes what is in the first buffer: the program gives up at the third character
            # of the second.
            same(run(("rtt1",), code=1)[0], {"rtt1": "01"}, f"{chip}: one buffer is heard")
    return 0


sys.exit(main())
