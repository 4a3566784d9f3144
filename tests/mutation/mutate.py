#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts small wrong edits into a copy of the sources, one at a time, and runs the tests that should notice.

    python3 tests/mutation/mutate.py --copy build/mutation                 all edits of the table
    python3 tests/mutation/mutate.py --copy build/mutation --area core     those of one area
    python3 tests/mutation/mutate.py --copy build/mutation --only 17       one edit, by its line in the table

The copy is a git worktree with a build of its own; the checkout is never edited. Before the first edit of its kind the tests
must pass without any edit. Exit code: 0 if every edit that should be noticed is noticed, 1 if one survives or does not
compile, 2 if the table does not fit the sources or tests fail without an edit.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = ("area", "file", "old", "new", "targets", "tests", "expected", "what")
VERDICTS = ("noticed", "equivalent")


def run(words, folder, log):
    """Returns the exit code; what the command prints goes to the log."""
    return subprocess.run(words, cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False).returncode


def read_table(path):
    """Returns the rows with their line numbers. `old` and `new` may have \\n for a line break."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            sys.exit(f"{path}: the columns must be {', '.join(COLUMNS)}")
        rows = []
        for row in reader:
            row["line"] = reader.line_num
            if None in row or not all(row[name] for name in COLUMNS if name != "new") or row["new"] is None:
                sys.exit(f"{path}, line {reader.line_num}: {len(COLUMNS)} fields, of which only `new` may be empty")
            if row["expected"] not in VERDICTS:
                sys.exit(f"{path}, line {reader.line_num}: expected is {' or '.join(VERDICTS)}")
            for name in ("old", "new"):
                row[name] = row[name].replace("\\n", "\n")
            rows.append(row)
        return rows


def misfits(rows):
    """Returns what is wrong with the table: the text to replace must stand in its file, once."""
    wrong = []
    for row in rows:
        path = ROOT / row["file"]
        count = path.read_text(encoding="utf-8").count(row["old"]) if path.is_file() else 0
        if count != 1:
            wrong.append(f"line {row['line']}: {row['file']} has the text {count} times, wanted: once")
    return wrong


class Copy:
    """A worktree of HEAD and its build."""

    def __init__(self, folder, jobs, options):
        self.source = folder / "source"
        self.build = folder / "build"
        self.jobs = str(jobs)
        folder.mkdir(parents=True, exist_ok=True)
        self.log = open(folder / "log.txt", "w", encoding="utf-8")
        if not self.source.exists():
            subprocess.run(["git", "worktree", "add", "--detach", str(self.source), "HEAD"], cwd=ROOT, check=True)
        subprocess.run(["git", "checkout", "--quiet", "--force", "--detach",
                        subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True,
                                       text=True).stdout.strip()], cwd=self.source, check=True)
        subprocess.run(["cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Release", *options], stdout=self.log, check=True)

    def compiles(self, targets):
        return run(["cmake", "--build", str(self.build), "-j", self.jobs, "--target", *targets], self.source,
                   self.log) == 0

    def passes(self, tests):
        return run(["ctest", "--test-dir", str(self.build), "-j", self.jobs, "--stop-on-failure",
                    "--no-tests=error", "-R", tests], self.source, self.log) == 0

    def edited(self, row):
        """Applies an edit. Returns what takes it out again."""
        path = self.source / row["file"]
        before = path.read_text(encoding="utf-8")
        path.write_text(before.replace(row["old"], row["new"], 1), encoding="utf-8")
        return lambda: path.write_text(before, encoding="utf-8")


def judge(copy, row):
    """Returns noticed, survived or "does not compile"."""
    undo = copy.edited(row)
    try:
        if not copy.compiles(row["targets"].split()):
            return "does not compile"
        return "survived" if copy.passes(row["tests"]) else "noticed"
    finally:
        undo()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--copy", type=pathlib.Path, help="folder for the copy and its build")
    options.add_argument("--table", type=pathlib.Path, default=ROOT / "tests/mutation/edits.csv")
    options.add_argument("--area", help="only the edits of this area")
    options.add_argument("--only", type=int, help="only the edit of this line")
    options.add_argument("--check", action="store_true", help="only check that the table fits the sources")
    options.add_argument("-j", "--jobs", type=int, default=2)
    options.add_argument("-D", dest="cache", action="append", default=[], help="CMake cache entries of the copy")
    choice = options.parse_args()

    rows = [row for row in read_table(choice.table)
            if choice.area in (None, row["area"]) and choice.only in (None, row["line"])]
    wrong = misfits(rows)
    if wrong:
        print("\n".join(wrong))
        return 2
    if choice.check:
        print(f"{len(rows)} edits fit the sources")
        return 0
    if choice.copy is None:
        options.error("--copy is missing: name a folder for the copy")

    copy = Copy(choice.copy.resolve(), choice.jobs, [f"-D{entry}" for entry in choice.cache])
    results, sound = {}, set()
    for done, row in enumerate(rows, 1):
        kind = (row["targets"], row["tests"])
        if kind not in sound and not (copy.compiles(kind[0].split()) and copy.passes(kind[1])):
            print(f"line {row['line']}: the tests {kind[1]} fail without an edit, see {copy.log.name}")
            return 2
        sound.add(kind)
        began = time.monotonic()
        row["result"] = judge(copy, row)
        results[row["result"]] = results.get(row["result"], 0) + 1
        print(f"[{done}/{len(rows)}] {row['result']:<17} {time.monotonic() - began:5.0f} s  {row['file']}: {row['what']}",
              flush=True)
    print(", ".join(f"{count} {name}" for name, count in sorted(results.items())))
    surprising = [row for row in rows if row["result"] != "noticed" and row["expected"] == "noticed"]
    return 1 if surprising else 0


if __name__ == "__main__":
    sys.exit(main())
