// SPDX-License-Identifier: Apache-2.0
// --log and --log-file of the tool as a process.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;

namespace {

const std::string kEpochs = N6VP_SOURCE "/scenarios/epochs/e03-depthwise-3x3.toml";

Outcome epoch(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_BINARY, "epoch", kEpochs, "--json"});
    return run_process(words);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("log: a healthy run logs nothing by default, and the log changes no report") {
    const Outcome silent = epoch({});
    CHECK(silent.exit_code == 0);
    CHECK(silent.err == "");
    const Outcome loud = epoch({"--log", "trace"});
    CHECK(loud.exit_code == 0);
    CHECK(loud.out == silent.out);
    CHECK(contains(loud.err, "] info clocks: "));
    CHECK(contains(loud.err, "] debug platform: "));
    CHECK(contains(loud.err, "] debug npu: "));
    CHECK(contains(loud.err, "\n[-] info cli: exit code 0\n"));
}

TEST_CASE("log: components are chosen on the command line") {
    const Outcome one = epoch({"--log", "off,npu=debug"});
    CHECK(contains(one.err, "] debug npu: "));
    CHECK_FALSE(contains(one.err, "clocks"));
    CHECK_FALSE(contains(one.err, "registers"));
}

TEST_CASE("log: a misspelt component ends the run before it begins") {
    const Outcome wrong = epoch({"--log", "info,clock=debug"});
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.out == "");
    CHECK(contains(wrong.err, "n6vp: --log: 'clock' is not a component\n"));
    CHECK(contains(wrong.err, "did you mean clocks?"));
}

TEST_CASE("log: the file takes the lines in place of standard error") {
    const ScratchFolder folder;
    const Outcome run = epoch({"--log", "info", "--log-file", folder.file("log")});
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(contains(read_text(folder.file("log")), "[-] info cli: exit code 0\n"));
    const Outcome again = epoch({"--log", "info", "--log-file=" + folder.file("log2")});
    CHECK(again.exit_code == 0);
    CHECK(read_text(folder.file("log2")) == read_text(folder.file("log")));
}

TEST_CASE("log: a file that other options read or write is not overwritten") {
    const ScratchFolder folder;
    const std::string copy = folder.write("epochs.toml", read_text(kEpochs));
    for (const auto& words : std::vector<std::vector<std::string>>{
             {N6VP_BINARY, "epoch", copy, "--log-file", copy},
             {N6VP_BINARY, "epoch", copy, "--log-file=" + folder.file("./epochs.toml")},
             {N6VP_BINARY, "run", "--elf", copy, "--log-file", copy},
             {N6VP_BINARY, "run", "--image=0x34000000=" + copy, "--log-file", copy},
             {N6VP_BINARY, "run", "x.elf", "--report", folder.file("new"), "--log-file",
              folder.file("new")}}) {
        const Outcome refused = run_process(words);
        CHECK(refused.exit_code == 2);
        CHECK(contains(refused.err, "n6vp: --log-file would overwrite '"));
    }
    CHECK(read_text(copy) == read_text(kEpochs));
}

TEST_CASE(
    "log: a full disk under the log does not change a run that failed, and fails a good one") {
    const Outcome good = epoch({"--log", "info", "--log-file", "/dev/full"});
    CHECK(good.exit_code == 7);
    CHECK(contains(good.err, "n6vp: the log is incomplete\n"));
    CHECK(good.out == epoch({}).out);
}
