// SPDX-License-Identifier: Apache-2.0
// Files that appear when they are complete, and what a signal leaves of them.
#include "sim/host/output_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using namespace n6vp::test;

namespace {

constexpr const char* kPartial = ".partial";

/// Runs `work` in a copy of this process, its standard error thrown away. Returns how that ended.
template <typename Work>
int in_child(Work work) {
    std::fflush(nullptr);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (std::freopen("/dev/null", "wb", stderr) == nullptr) _exit(99);
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGXFSZ}) {
            ::signal(number, SIG_DFL);
        }
        work();
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("an output file appears only when it is complete") {
    const ScratchFolder folder;
    const std::string path = folder.write("out.bin", std::string("old"));
    {
        OutputFile file(path);
        file.stream() << "half";
        CHECK(file_like(folder.path(), kPartial) != "");
    }
    CHECK(read_text(path) == "old");
    CHECK(file_like(folder.path(), kPartial) == "");
    OutputFile file(path);
    file.stream() << "new";
    CHECK(read_text(path) == "old");
    file.commit();
    CHECK(read_text(path) == "new");
    CHECK(file_like(folder.path(), kPartial) == "");
}

TEST_CASE("two runs that write the same file at once both succeed, the later one counts") {
    const ScratchFolder folder;
    const std::string path = folder.file("out.bin");
    OutputFile first(path), second(path);
    first.stream() << "first";
    second.stream() << "second";
    first.commit();
    CHECK(read_text(path) == "first");
    second.commit();
    CHECK(read_text(path) == "second");
}

TEST_CASE("a file of somebody else under a temporary name stays") {
    const ScratchFolder folder;
    const std::string other = folder.write("out.bin.partial", std::string("mine"));
    OutputFile file(folder.file("out.bin"));
    file.commit();
    CHECK(read_text(other) == "mine");
}

TEST_CASE("a file with the longest name there may be is written") {
    const ScratchFolder folder;
    const std::string path = folder.file(std::string(255, 'x'));  // NAME_MAX of Linux
    OutputFile file(path);
    file.stream() << "text";
    file.commit();
    CHECK(read_text(path) == "text");
}

TEST_CASE("a signal removes unfinished output, temporary folders in full, and exits with 130") {
    const ScratchFolder folder;
    const std::string path = folder.file("out.bin"), inner = folder.file("temporary");
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(number);
        const int code = in_child([&] {
            catch_signals();
            OutputFile file(path);
            file.stream() << "half" << std::flush;
            std::filesystem::create_directories(inner + "/a/b");
            for (int i = 0; i < 300; ++i) std::ofstream(inner + "/a/" + std::to_string(i)) << i;
            std::filesystem::create_symlink(folder.path(), inner + "/link");
            const RemovedBySignal removed(inner);
            if (file_like(folder.path(), kPartial).empty()) _exit(98);
            raise(number);
        });
        CHECK(code == 130);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}

TEST_CASE("an abort and Ctrl-\\ leave no unfinished output") {
    const ScratchFolder folder;
    for (const int number : {SIGABRT, SIGQUIT}) {
        CAPTURE(number);
        const int code = in_child([&] {
            constexpr rlimit kNoCore{0, 0};
            setrlimit(RLIMIT_CORE, &kNoCore);
            catch_signals();
            const OutputFile file(folder.file("out.bin"));
            raise(number);
        });
        CHECK(code == 128 + number);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}

TEST_CASE("under a guard the first signal asks, the second one ends") {
    const ScratchFolder folder;
    const int code = in_child([&] {
        catch_signals();
        const InterruptGuard guard;
        const OutputFile file(folder.file("out.bin"));
        if (interrupted()) _exit(97);
        raise(SIGHUP);
        if (!interrupted() || file_like(folder.path(), kPartial).empty()) _exit(96);
        raise(SIGHUP);
    });
    CHECK(code == 130);
    CHECK(std::filesystem::is_empty(folder.path()));
    // What was asked of one piece of work is not asked of the next.
    CHECK(in_child([] {
              catch_signals();
              std::optional<InterruptGuard> guard(std::in_place);
              raise(SIGINT);
              guard.reset();
              guard.emplace();
              if (interrupted()) _exit(95);
          }) == 0);
}

TEST_CASE("a full disk is named, with the file, and leaves the older one") {
    const ScratchFolder folder;
    const std::string path = folder.write("out.bin", std::string("old"));
    const std::string said = folder.file("said");
    const int code = in_child([&] {
        catch_signals();
        constexpr rlimit kSmall{4096, 4096};
        setrlimit(RLIMIT_FSIZE, &kSmall);
        int refused = 0;
        try {
            OutputFile file(path);
            file.stream() << std::string(100'000, 'x');
            file.commit();
        } catch (const UserError& error) {
            std::ofstream(said) << error.what();
            refused = error.exit_code();
        }
        _exit(refused);
    });
    CHECK(code == 7);
    CHECK(read_text(said) == "cannot write '" + path + "': File too large");
    CHECK(read_text(path) == "old");
    CHECK(file_like(folder.path(), kPartial) == "");
}
