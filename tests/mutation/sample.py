#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws small wrong edits at random and finds those that no test notices, with one build for all of them.

Each edit is a switch of its own in the sources of a copy: N6VP_EDIT=7 turns number 7 on. First every test runs once and
tells which edits it comes to, then each edit is turned on in the tests that come to it, the quickest first.

    git clone . ../sampled && cd ../sampled
    python3 tests/mutation/sample.py draw --seed 1 --count 320
    cmake --preset release -DN6VP_BUILD_TESTS=ON -DCMAKE_CXX_FLAGS=-w && cmake --build build/release -- -k 0 2>build.log
    python3 tests/mutation/sample.py leave-out build.log     # edits that do not compile; build again
    python3 tests/mutation/sample.py reach
    python3 tests/mutation/sample.py run

An edit in code that runs in the Arm build or at compile time only counts as not reached: it is tried by hand. So is one
that is `undecided`: its tests take longer than --seconds. Initial values of members are not drawn: nearly all of them are
overwritten before they are read.
"""
import argparse
import collections
import csv
import json
import os
import queue
import random
import re
import signal
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build/release")
FOLDER = os.path.join(ROOT, "build/sample")
EDITS = os.path.join(FOLDER, "edits.json")
REACHED = os.path.join(FOLDER, "reached.json")
SWITCH = os.path.join(FOLDER, "switch.h")
MOST_OF_A_FILE = 3
MOST_DROPPED = 0.38  # share of statements that are left out
WORKERS = 3

SWITCH_TEXT = """#pragma once
#if defined(__arm__)
#define N6VP_EDIT(number) false
#else
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
namespace n6vp_edit {
inline unsigned char state[4096] = {};  // 0: off; 1: on; 2: off, and to be told when it is come to
inline const char* file = nullptr;
__attribute__((constructor(101))) inline void start() {
    if (const char* on = std::getenv("N6VP_EDIT")) state[std::atoi(on)] = 1;
    file = std::getenv("N6VP_EDITS_REACHED");
    for (auto& each : state) if (file != nullptr) each = 2;
}
__attribute__((noinline, cold)) inline bool come_to(int number) {
    if (state[number] == 1) return true;
    state[number] = 0;
    char text[16];
    const int size = std::snprintf(text, sizeof text, "%d\\n", number);
    const int to = ::open(file, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (to >= 0 && ::write(to, text, static_cast<std::size_t>(size)) >= 0) ::close(to);
    return false;
}
constexpr bool on(int number) {
    return !__builtin_is_constant_evaluated() && state[number] != 0 && come_to(number);
}
}
#define N6VP_EDIT(number) (::n6vp_edit::on(number))
#endif
"""


def blank(line):
    """The line with strings, characters and comments replaced, of the same length."""
    return re.sub(r'"(?:[^"\\]|\\.)*"|(?<!\w)\'(?:[^\'\\]|\\.)+\'|//.*', lambda m: ("~" if m[0][0] != "/" else " ") * len(m[0]),
                  line)


def balanced(text):
    depth = 0
    for each in text:
        depth += (each in "([{") - (each in ")]}")
        if depth < 0:
            return False
    return depth == 0


def edits_of(expression):
    """Kinds and texts of all edits of an expression."""
    text, found = blank(expression), []
    swaps = [(r" (<=|>=|<|>|==|!=) ", "compare", {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}),
             (r" (&&|\|\|) ", "logic", {"&&": "||", "||": "&&"}),
             (r"(?<=[\w)\]]) ([+-]) (?=[\w(])", "sum", {"+": "-", "-": "+"}),
             (r"\b(true|false)\b", "truth", {"true": "false", "false": "true"}),
             (r"std::(min|max)\b", "minimum", {"min": "max", "max": "min"}),
             (r"(?<![\w)\]>])(!)(?=[\w(])", "not", {"!": ""})]
    for pattern, kind, others in swaps:
        for match in re.finditer(pattern, text):
            found.append((kind, expression[:match.start(1)] + others[match[1]] + expression[match.end(1):]))
    for match in re.finditer(r"(?<![\w.'])(\d+|0x[0-9A-Fa-f']+)(U|u|UL|ULL|L)?(?![\w.'])", text):
        is_hex = match[1].startswith("0x")
        value = int(match[1].replace("'", ""), 16 if is_hex else 10)
        for other in {value + 1, max(value - 1, 0)} - {value}:
            other_text = f"0x{other:X}" if is_hex else str(other)
            found.append(("constant", expression[:match.start(1)] + other_text + expression[match.end(1):]))
    return found


CONDITION = re.compile(r"^(\s*(?:\} )?(?:else )?(?:if|while) )\((.*)\)( \{| [^{]*;)$")
RETURN = re.compile(r"^(\s*return )([^{].*);$")
VARIABLE = re.compile(r"^(\s*(?:const )?(?:auto&?|bool|int|std::\w+(?:<[\w:]+>)?) \w+ = )([^{\[].*);$")
ASSIGNMENT = re.compile(r"^(\s*)((?:[A-Za-z_][\w.]*(?:->\w+|\[[^\]]*\]|\.\w+)*) (?:=|\+=|-=|\|=|&=|\^=|<<=|>>=) (.+));$")
CALL = re.compile(r"^(\s*)([a-z_][\w:.]*(?:->\w+|\.\w+|\[[^\]]*\]|\(\))*\(.*\));$")
NOT_DRAWN = re.compile(r"constexpr|static|case |NOLINT|N6VP_|\.reserve\(|log\(|\b(?:throw|delete|new|using)\b")


def edits_of_line(line, in_source):
    """Kind, new line and description of each edit; # stands for its number."""
    text = blank(line).rstrip()
    if NOT_DRAWN.search(text) or not balanced(text):
        return
    if match := CONDITION.match(text):
        begin, end = match.span(2)
        old = line[begin:end]
        if balanced(text[begin:end]) and ";" not in old and not re.search(r"(?<![=!<>])=(?!=)", text[begin:end]):
            for kind, new in edits_of(old) + ([("not", f"!({old})")] if " " not in old else []):
                yield kind, f"{line[:begin]}N6VP_EDIT(#) ? bool({new}) : bool({old}){line[end:]}", f"{old} -> {new}"
    elif (match := RETURN.match(text)) or (in_source and (match := VARIABLE.match(text))):
        begin, end = match.span(2)
        old = line[begin:end]
        if not re.search(r", \w+ = ", old):
            for kind, new in edits_of(old):
                yield kind, f"{line[:begin]}N6VP_EDIT(#) ? ({new}) : ({old}){line[end:]}", f"{old} -> {new}"
    elif in_source and ((match := ASSIGNMENT.match(text)) or (match := CALL.match(text))):
        begin, end = match.span(2)
        old, rest = line[begin:end], line[len(text):]
        yield "drop", f"{match[1]}if (!N6VP_EDIT(#)) {{ {old}; }}{rest}", f"without {old}"
        if match.re is ASSIGNMENT:
            at, value = match.start(3), line[match.start(3):match.end(3)]
            for kind, new in edits_of(value):
                yield kind, f"{match[1]}if (N6VP_EDIT(#)) {{ {line[begin:at]}{new}; }} else {{ {old}; }}{rest}", f"{value} -> {new}"


def git(*words):
    return subprocess.check_output(["git", "-C", ROOT, *words], text=True)


def draw(options):
    lines = {}
    for name in git("ls-files", "loader", "memmap", "traces", "models", "sim").split():
        if not re.search(r"\.(cpp|h)$", name) or re.search(r"/(glue|firmware|kernels)/", name):
            continue
        text = git("show", "HEAD:" + name).split("\n")
        for number, line in enumerate(text):
            before = blank(text[number - 1]).rstrip() if number else ""
            if line.startswith("  ") and (before == "" or before[-1] in ";{}:"):
                found = list(edits_of_line(line, name.endswith(".cpp")))
                if found:
                    lines[name, number + 1] = found
    chance = random.Random(options.seed)
    places = sorted(lines)
    chance.shuffle(places)
    edits, of_file, dropped = [], collections.Counter(), 0
    for name, number in places:
        kind, text, what = chance.choice(lines[name, number])
        if of_file[name] == MOST_OF_A_FILE or (kind == "drop" and dropped >= MOST_DROPPED * options.count):
            continue
        of_file[name] += 1
        dropped += kind == "drop"
        edits.append({"number": len(edits) + 1, "file": name, "line": number, "kind": kind, "text": text, "what": what})
        if len(edits) == options.count:
            break
    os.makedirs(FOLDER, exist_ok=True)
    put(edits)
    print(f"{len(edits)} edits of {len(lines)} lines:", dict(collections.Counter(each["kind"] for each in edits)))


def put(edits):
    """Writes the sources with these edits as switches."""
    with open(SWITCH, "w") as file:
        file.write(SWITCH_TEXT)
    with open(EDITS, "w") as file:
        json.dump(edits, file, indent=1)
    for name in {each["file"] for each in edits} | set(git("diff", "--name-only").split()):
        lines = git("show", "HEAD:" + name).split("\n")
        own = [each for each in edits if each["file"] == name]
        for each in own:
            lines[each["line"] - 1] = each["text"].replace("#", str(each["number"]), 1)
        head = f'#include "{SWITCH}"\n#line 1\n' if own else ""
        text = head + "\n".join(lines)
        with open(os.path.join(ROOT, name)) as file:
            if file.read() == text:
                continue
        with open(os.path.join(ROOT, name), "w") as file:
            file.write(text)


def leave_out(options):
    with open(EDITS) as file:
        edits = json.load(file)
    with open(options.log) as file:
        wrong = {(match[1], int(match[2])) for match in re.finditer(r"((?:loader|memmap|traces|models|sim)/[\w/.]+):(\d+):\d+: error",
                                                                  file.read())}
    kept = [each for each in edits if (each["file"], each["line"]) not in wrong]
    put(kept)
    print(f"{len(edits) - len(kept)} left out, {len(kept)} kept")


def all_tests():
    listing = json.loads(subprocess.check_output(["ctest", "--test-dir", BUILD, "--show-only=json-v1"]))
    for test in listing["tests"]:
        facts = {each["name"]: each["value"] for each in test.get("properties", [])}
        if "command" in test and not facts.get("DISABLED") and "mutation" not in facts.get("LABELS", []):
            yield {"name": test["name"], "command": test["command"], "facts": facts}


def passes(test, more, limit):
    facts = test["facts"]
    environment = dict(os.environ, **dict(each.split("=", 1) for each in facts.get("ENVIRONMENT", [])), **more)
    process = subprocess.Popen(test["command"], cwd=facts.get("WORKING_DIRECTORY", BUILD), env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        out = process.communicate(timeout=limit)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return False
    if process.returncode == facts.get("SKIP_RETURN_CODE", "none"):
        return True
    if any(re.search(each, out, re.S) for each in facts.get("FAIL_REGULAR_EXPRESSION", [])):
        return False
    wanted = facts.get("PASS_REGULAR_EXPRESSION")
    good = any(re.search(each, out, re.S) for each in wanted) if wanted else process.returncode == 0
    return good != bool(facts.get("WILL_FAIL"))


def side_by_side(items, work, workers=WORKERS):
    waiting = queue.Queue()
    for each in items:
        waiting.put(each)

    def take():
        while True:
            try:
                work(waiting.get_nowait())
            except queue.Empty:
                return

    threads = [threading.Thread(target=take) for _ in range(workers)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def reach(_options):
    result = {}

    def one(numbered):
        number, test = numbered
        file = os.path.join(FOLDER, f"reached.{number}")
        begin = time.time()
        good = passes(test, {"N6VP_EDITS_REACHED": file}, 600)
        numbers = []
        if os.path.exists(file):
            with open(file) as reached:
                numbers = sorted({int(each) for each in reached.read().split()})
            os.unlink(file)
        result[test["name"]] = {"passes": good, "seconds": time.time() - begin, "edits": numbers}

    tests = list(enumerate(all_tests()))
    first = [each for each in tests if each[1]["facts"].get("FIXTURES_SETUP")]
    side_by_side(first, one, 1)
    side_by_side([each for each in tests if each not in first], one)
    with open(REACHED, "w") as file:
        json.dump(result, file)
    print("fail without any edit, and are left out:", [name for name, each in result.items() if not each["passes"]])


def run(options):
    with open(REACHED) as file:
        reached = json.load(file)
    with open(EDITS) as file:
        edits = json.load(file)
    tests = {each["name"]: each for each in all_tests()}
    counts, lock = collections.Counter(), threading.Lock()
    with open(os.path.join(FOLDER, "result.csv"), "w", newline="") as file:
        table = csv.writer(file)

        def one(edit):
            number = edit["number"]
            own = sorted((each["seconds"], name) for name, each in reached.items()
                         if each["passes"] and number in each["edits"] and name in tests)
            verdict, by, begin = "survived" if own else "not reached", "", time.time()
            for seconds, name in own:
                if time.time() - begin + seconds > options.seconds:
                    verdict = "undecided"
                    break
                if not passes(tests[name], {"N6VP_EDIT": str(number)}, max(20, 6 * seconds + 10)):
                    verdict, by = "noticed", name
                    break
            with lock:
                counts[verdict] += 1
                table.writerow([number, verdict, edit["file"], edit["line"], edit["what"], by])
                file.flush()

        side_by_side(edits, one)
    print(dict(counts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    for name, function in (("draw", draw), ("leave-out", leave_out), ("reach", reach), ("run", run)):
        steps.add_parser(name).set_defaults(work=function)
    steps.choices["draw"].add_argument("--seed", type=int, required=True)
    steps.choices["draw"].add_argument("--count", type=int, default=320)
    steps.choices["leave-out"].add_argument("log", help="output of the build that failed")
    steps.choices["run"].add_argument("--seconds", type=float, default=45, help="for the tests of one edit")
    options = parser.parse_args()
    options.work(options)


if __name__ == "__main__":
    main()
