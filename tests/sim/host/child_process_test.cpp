// SPDX-License-Identifier: Apache-2.0
#include "sim/host/child_process.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <string>

#include "sim/host/errors.h"
#include "sim/host/signals.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using namespace n6vp::test;

namespace {

ChildRequest shell(const std::string& script, const std::string& out = {}) {
    return {"sh", {"-c", script}, out, out, "install a shell"};
}

std::string refusal(const ChildRequest& request) {
    try {
        (void)run_child(request);
    } catch (const UserError& error) {
        return std::string(error.what()) + "|" + error.remedy();
    }
    return "none";
}

}  // namespace

TEST_CASE("a child gives its exit code, or 128 and its signal, and its output") {
    const ScratchFolder folder;
    const std::string out = folder.write("out", std::string("of an earlier child, longer\n"));
    CHECK(run_child(shell("echo out; echo err >&2; read line || exit 7", out)) == 7);
    CHECK(read_text(out) == "out\nerr\n");
    CHECK(run_child(shell("kill -TERM $$")) == 128 + SIGTERM);
    CHECK(run_child(shell("exit 127")) == 127);  // a verdict of its own
}

TEST_CASE("a child that a signal ends before it has its handlers counts as interrupted") {
    CHECK(ended_by_request(run_child(shell("kill -TERM $$"))));
    // A shell started in the background ignores these two.
    CHECK(ended_by_request(128 + SIGHUP));
    CHECK(ended_by_request(128 + SIGINT));
    CHECK_FALSE(ended_by_request(run_child(shell("kill -SEGV $$"))));
    CHECK_FALSE(ended_by_request(run_child(shell("exit 1"))));
}

TEST_CASE("a missing program and a failing program give different errors") {
    CHECK(refusal({"n6vp-no-such-program", {}, {}, {}, "install it"}) ==
          "'n6vp-no-such-program' cannot be started: No such file or directory|install it");
}

TEST_CASE("too few file handles are named, not the program") {
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    // Two handles are left, for the pipe to the child; a sanitizer needs two as well.
    const int lowest = dup(STDIN_FILENO);
    REQUIRE(lowest >= 0);
    close(lowest);
    const rlimit few{static_cast<rlim_t>(lowest) + 2, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    const std::string said = refusal(shell("exit 0"));
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK(said ==
          "'sh' cannot be started: Too many open files|raise the limit of open files (ulimit -n)");
}

TEST_CASE("a signal under a guard reaches the child once, and no further child starts") {
    const ScratchFolder folder;
    const std::string log = folder.file("log");
    std::fflush(nullptr);
    const pid_t parent = fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        ::signal(SIGINT, SIG_DFL);
        catch_signals();
        const InterruptGuard guard;
        const int code =
            run_child(shell("trap 'echo ended; exit 5' TERM; trap 'echo again' INT; echo ready; "
                            "while :; do sleep 0.05; done",
                            log));
        const int next = run_child(shell("echo next", folder.file("next")));
        _exit(code == 5 && next == 130 && interrupted() ? 0 : 1);
    }
    CHECK(RunningProcess::wait_until([&] { return read_text(log) == "ready\n"; }));
    kill(parent, SIGINT);
    int status = 0;
    REQUIRE(waitpid(parent, &status, 0) == parent);
    CHECK(status == 0);
    CHECK(read_text(log) == "ready\nended\n");
    CHECK_FALSE(std::filesystem::exists(folder.file("next")));
}

TEST_CASE("a child ends with the process that started it, even if that is killed") {
    const ScratchFolder folder;
    const std::string log = folder.file("log");
    std::fflush(nullptr);
    const pid_t parent = fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        (void)run_child(
            shell("trap 'echo ended; exit' TERM; echo ready; "
                  "while :; do sleep 0.05; done",
                  log));
        _exit(0);
    }
    CHECK(RunningProcess::wait_until([&] { return read_text(log) == "ready\n"; }));
    kill(parent, SIGKILL);
    REQUIRE(waitpid(parent, nullptr, 0) == parent);
    CHECK(RunningProcess::wait_until([&] { return read_text(log) == "ready\nended\n"; }));
}
