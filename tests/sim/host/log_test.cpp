// SPDX-License-Identifier: Apache-2.0
#include "sim/host/log.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;

namespace {

/// A log into a string, closed at the end of the test.
struct TextLog {
    explicit TextLog(std::string_view levels) { Log::open(LogLevels::parse(levels), out); }
    ~TextLog() {
        Log::set_clock({});
        static_cast<void>(Log::close());
    }
    std::ostringstream out;
};

struct Refusal {
    std::string cause, remedy;
};

Refusal refusal_of(std::string_view levels) {
    try {
        static_cast<void>(LogLevels::parse(levels));
    } catch (const UserError& error) {
        return {error.what(), error.remedy()};
    }
    return {};
}

}  // namespace

TEST_CASE("log: without an open log nothing is enabled") {
    for (std::size_t i = 0; i < kLogComponents.size(); ++i)
        CHECK_FALSE(Log::enabled(static_cast<LogComponent>(i), LogLevel::Error));
    log(LogComponent::Npu, LogLevel::Error, "lost");
}

TEST_CASE("log: only warnings and errors are logged by default") {
    std::ostringstream out;
    Log::open({}, out);
    log(LogComponent::Bus, LogLevel::Info, "quiet");
    log(LogComponent::Bus, LogLevel::Warn, "loud {}", 7);
    log(LogComponent::Npu, LogLevel::Error, "louder");
    CHECK(Log::close());
    CHECK(out.str() == "[-] warn bus: loud 7\n[-] error npu: louder\n");
}

TEST_CASE("log: a component has a level of its own, the last one given counts") {
    const TextLog text("error,npu=debug,bus=off");
    log(LogComponent::Npu, LogLevel::Debug, "a");
    log(LogComponent::Npu, LogLevel::Trace, "b");
    log(LogComponent::Bus, LogLevel::Error, "c");
    log(LogComponent::Cli, LogLevel::Warn, "d");
    log(LogComponent::Cli, LogLevel::Error, "e");
    CHECK(text.out.str() == "[-] debug npu: a\n[-] error cli: e\n");
    CHECK(LogLevels::parse("npu=debug").of(LogComponent::Npu) == LogLevel::Debug);
    CHECK(LogLevels::parse("npu=debug").of(LogComponent::Bus) == LogLevel::Warn);
    CHECK(LogLevels::parse("npu=debug,info").of(LogComponent::Npu) == LogLevel::Info);
}

TEST_CASE("log: every component has its name in the line") {
    const TextLog text("trace");
    std::string expected;
    for (std::size_t i = 0; i < kLogComponents.size(); ++i) {
        log(static_cast<LogComponent>(i), LogLevel::Trace, "x");
        expected += "[-] trace " + std::string(kLogComponents[i]) + ": x\n";
    }
    CHECK(text.out.str() == expected);
}

TEST_CASE("log: simulated time stands in each line, an event's own time before the clock's") {
    const TextLog text("info");
    Log::set_clock([] { return std::uint64_t{1'234'567'000'042}; });
    log(LogComponent::Platform, LogLevel::Info, "now");
    log_at(7, LogComponent::Platform, LogLevel::Info, "then");
    log(LogComponent::Platform, LogLevel::Info, "now");
    CHECK(text.out.str() ==
          "[1234567.000042 us] info platform: now\n[0.000007 us] info platform: then\n"
          "[1234567.000042 us] info platform: now\n");
}

TEST_CASE("log: hostile text stays one harmless line") {
    const TextLog text("info");
    log(LogComponent::Inference, LogLevel::Info, "phase '{}'", "\033[2J\nerror npu: forged{}%v");
    CHECK(text.out.str() == "[-] info inference: phase '\\x1b[2J\\x0aerror npu: forged{}%v'\n");
}

TEST_CASE("log: an unknown level or component names the nearest one") {
    CHECK(refusal_of("debgu").cause == "--log: 'debgu' is not a level");
    CHECK(refusal_of("debgu").remedy.starts_with("did you mean debug?"));
    CHECK(refusal_of("info,registres=trace").cause == "--log: 'registres' is not a component");
    CHECK(refusal_of("info,registres=trace").remedy.starts_with("did you mean registers?"));
    CHECK(refusal_of("npu=loud").cause == "--log: 'loud' is not a level");
    CHECK(refusal_of("quatsch=info").remedy.starts_with("one of kernel cli config"));
    CHECK(refusal_of("info,").cause == "--log: '' is not a level");
    CHECK(refusal_of("=info").cause == "--log: '' is not a component");
    CHECK(refusal_of("debugging=info").cause == "--log: 'debugging' is not a component");
    CHECK(refusal_of("\033=info").cause == "--log: '\\x1b' is not a component");
}

TEST_CASE("log: a file gets the lines as they come, and replaces an older one") {
    const n6vp::test::ScratchFolder folder;
    const std::string path = folder.write("log", std::string("of an older run\n"));
    Log::open(LogLevels::parse("info"), path);
    log(LogComponent::Cli, LogLevel::Info, "one");
    CHECK(n6vp::test::read_text(path) == "[-] info cli: one\n");  // although the log is open
    log(LogComponent::Cli, LogLevel::Info, "two");
    CHECK(Log::close());
    CHECK(n6vp::test::read_text(path) == "[-] info cli: one\n[-] info cli: two\n");
    Log::open({}, folder.file("second"));
    CHECK(Log::close());
    CHECK(n6vp::test::read_text(folder.file("second")).empty());
}

TEST_CASE("log: a file that cannot be written is told of, before or after") {
    const n6vp::test::ScratchFolder folder;
    CHECK_THROWS_AS(Log::open({}, folder.file("no/such/folder")), UserError);
    Log::open(LogLevels::parse("info"), "/dev/full");
    log(LogComponent::Cli, LogLevel::Info, "one");
    CHECK_FALSE(Log::close());
    CHECK(Log::close());
}
