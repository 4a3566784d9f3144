// SPDX-License-Identifier: Apache-2.0
// The text of a run says what its document says: every line is made here from the document.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kAhb4 = kRcc + 0xA5C, kGpioC = 0x56020800;

struct Told {
    Outcome outcome;
    Json report;
};

/// A program with a file of its own for the document, in a scenario with these tables.
Told tell(const Workdir& room, const Thumb& program, const std::string& tables = "",
          const std::vector<std::string>& options = {}) {
    std::vector<std::string> words{"--report", room.folder.file("r.json")};
    words.insert(words.end(), options.begin(), options.end());
    Outcome outcome = room.scenario(
        "[run]\nelf = \"program.elf\"\nmax_time = \"5ms\"\nuart = \"none\"\n" + tables, words,
        program);
    return {outcome, room.report()};
}

std::string first_line(const Json& report) {
    return fmt::format(
        "{:.3f} us, {} cycles, {} instructions ({}, {} coherence), {:.2f} s of CPU time, hash "
        "{}\n\n",
        report["time_ps"].get<double>() * 1e-6, report["cycles"].get<int>(),
        report["instructions"].get<int>(), report["timing"].get<std::string>(),
        report["coherence_mode"].get<std::string>(), report["host_seconds"].get<double>(),
        report["hash"].get<std::string>());
}

std::string cache_lines(const Json& report) {
    const Json &code = report["caches"]["icache"], &data = report["caches"]["dcache"];
    const auto of = [](const Json& cache, const char* key) { return cache[key].get<int>(); };
    return fmt::format(
        "I-cache: {} line fills, {} uncached reads, {} stall cycles\n"
        "D-cache: {} line fills, {} write-backs, {} uncached reads and {} uncached writes, {} "
        "stall "
        "cycles\n",
        of(code, "fills"), of(code, "uncached"), of(code, "wait_cycles"), of(data, "fills"),
        of(data, "write_backs"), of(data, "uncached_reads"), of(data, "uncached_writes"),
        of(data, "wait_cycles"));
}

/// The table of a run with generated traffic.
std::string flow_lines(const Json& report) {
    std::string text =
        fmt::format("\n{:<18}{:<14}{:>12}{:>14}{:>14}{:>14}  {}\n", "initiator", "target", "bursts",
                    "bytes read", "bytes written", "waited us", "because of");
    for (const Json& flow : report["traffic"]) {
        std::string causes;
        for (const auto& cause : flow["waited_for_ps"].items()) {
            if (!causes.empty()) causes += ", ";
            causes +=
                fmt::format("{:.3f} us for {}", cause.value().get<double>() * 1e-6, cause.key());
        }
        if (flow["waited_for_ps"].size() > 1) causes = "?";  // their order is the bus's
        text += fmt::format("{:<18}{:<14}{:>12}{:>14}{:>14}{:>14.3f}  {}",
                            flow["initiator"].get<std::string>(), flow["target"].get<std::string>(),
                            flow["bursts"].get<int>(), flow["bytes_read"].get<int>(),
                            flow["bytes_written"].get<int>(),
                            flow["waited_ps"].get<double>() * 1e-6, causes == "?" ? "" : causes);
        if (causes != "?") text += "\n";
        if (causes == "?") return text;  // as far as it is known
    }
    return text;
}

/// Stores and loads in RAM that is cached, ten lines apart from each other.
Thumb touching() {
    Thumb program;
    program.caches();
    for (std::uint32_t i = 0; i < 10; ++i) program.write(0x34100000 + 64 * i, i);
    program.set(1, 0x34108000).load(0, 1);
    return program;
}

}  // namespace

TEST_CASE("report: numbers of the run and of its caches") {
    const Workdir room;
    for (const char* const timing : {"functional", "approx", "precise"}) {
        const Told told =
            tell(room, touching().write(kExit, 0).raw({0xE7FE}), "", {"--timing", timing});
        CHECK(told.outcome.exit_code == 0);
        CHECK(told.outcome.err == "");
        CHECK(told.report["timing"] == timing);
        CHECK(told.outcome.out.starts_with(first_line(told.report)));
        CHECK_FALSE(has(told.outcome.out, "PARTIAL"));
        CHECK_FALSE(has(told.outcome.out, "started again"));
        const bool counted = std::string(timing) != "functional";
        CHECK(told.report["caches"].contains("icache") == counted);
        CHECK(has(told.outcome.out, "I-cache: ") == counted);
        if (counted) {
            CHECK(has(told.outcome.out, cache_lines(told.report)));
            CHECK(told.report["caches"]["dcache"]["fills"] > 0);
        }
        CHECK_FALSE(has(told.outcome.out, "NPU cache: "));
    }
}

TEST_CASE("report: how a program ends, with cause and remedy") {
    const Workdir room;
    const auto err = [&](const Thumb& program, const std::vector<std::string>& options = {}) {
        return tell(room, program, "", options).outcome.err;
    };
    const auto starts_with = [](const std::string& text, const std::string& start) {
        CHECK_MESSAGE(text.starts_with(start), text);
    };
    CHECK(err(exiting(7)) ==
          "n6vp: the program ended with exit code 7\n"
          "      an exit code of the program, not of the simulator\n");
    const Thumb reset = Thumb().write(0xE000ED0C, 0x05FA0004).raw({0xE7FE});
    starts_with(err(reset), "n6vp: the program or a watchdog requested a reset, pc 0x340000");
    CHECK(err(reset).ends_with(
        "\n      a reset ends the run: with --resets N the program starts again, N times\n"));
    CHECK(
        err(reset, {"--resets", "2"})
            .ends_with("\n      the program has started again 2 times: --resets N allows more\n"));
    const Told again = tell(room, reset, "", {"--resets", "2"});
    CHECK(again.report["resets"] == 2);
    CHECK(has(again.outcome.out, "\n\nstarted again after a reset: 2 times\n\n"));
    CHECK_FALSE(tell(room, exiting(0)).report.contains("resets"));
    const Told limit = tell(room, endless(), "", {"--max-time", "10us"});
    CHECK(limit.report["end"] == "limit");
    CHECK(limit.report["pc"] == "0x34000040");
    CHECK(limit.report["time_ps"] == 10'000'000);
    CHECK_FALSE(limit.report.contains("exit_code"));
    const Told exit = tell(room, exiting(0));
    CHECK(exit.report["exit_code"] == 0);
    CHECK(exit.report["end"] == "exit");
    CHECK(exit.report["partial"] == false);
    CHECK(exit.report["repeatable"] == true);
    CHECK(exit.report["coherence_mode"] == "ideal");
    CHECK(exit.report["events"].empty());
    CHECK(exit.report["faults"].empty());
    for (const char* const key :
         {"register", "npu_fault", "fault", "camera", "pins", "sound", "inputs", "masters",
          "set_up_gaps", "boot_images", "timer_outputs"}) {
        CAPTURE(key);
        CHECK_FALSE(exit.report.contains(key));
    }
    for (const char* const key :
         {"phases", "traffic", "caches", "coherence", "memory", "assumptions", "start_up",
          "registers_not_modelled", "core_registers_not_modelled", "events_not_kept",
          "register_accesses_not_kept", "host_seconds", "symbol"}) {
        CAPTURE(key);
        CHECK(exit.report.contains(key));
    }
}

TEST_CASE("report: memory counts pages of 4 KiB that were stored to") {
    const Workdir room;
    const Thumb program = Thumb()
                              .write(0x34200000, 1)
                              .write(0x34200FFC, 1)
                              .write(0x34201000, 1)
                              .write(0x34270000, 1)
                              .write(kExit, 0)
                              .raw({0xE7FE});
    const Json memory = tell(room, program).report["memory"];
    CHECK(memory["AXISRAM3"] == 8192);
    CHECK(memory["AXISRAM4"] == 4096);
    CHECK(memory["AXISRAM5"] == 0);
    CHECK_FALSE(memory.contains("XSPI2"));
    CHECK_FALSE(memory.contains("exec_ram"));
    CHECK_FALSE(memory.contains("external_ram"));
}

TEST_CASE("report: generated traffic, master by master and flow by flow") {
    const Workdir room;
    const Thumb program = Thumb().write(0x34100000, 1).raw({0xE7FE});
    const Told told =
        tell(room, program,
             "[[master]]\nname = \"dcmipp\"\npattern = \"100MB/s\"\naccess = \"write\"\n"
             "address = 0x34200000\nburst = 128\nfifo = 512\nstart = \"10us\"\nstop = \"60us\"\n"
             "[[master]]\nname = \"ltdc\"\npattern = \"8x2x4@1000\"\naccess = \"read\"\n"
             "address = 0x34270000\n",
             {"--max-time", "100us"});
    REQUIRE(told.report["masters"].size() == 2);
    const Json &camera = told.report["masters"][0], &display = told.report["masters"][1];
    CHECK(camera["name"] == "traffic dcmipp");
    CHECK(camera["pattern"] == "100MB/s");
    CHECK(camera["bytes_per_second"] == 100e6);
    CHECK(camera["access"] == "write");
    CHECK(camera["address"] == "0x34200000");
    CHECK(camera["buffer_bytes"] == 65536);
    CHECK(camera["burst_bytes"] == 128);
    CHECK(camera["fifo_bytes"] == 512);
    CHECK(camera["start_ps"] == 10'000'000);
    CHECK(camera["stop_ps"] == 60'000'000);
    CHECK(camera["rights"] == "granted");
    // 50 us of 100 MB/s are 5000 bytes: 39 whole bursts.
    CHECK(camera["demanded_bytes"] == 39 * 128);
    CHECK(camera["overruns"] == 0);
    CHECK(camera["missed_bytes"] == 0);
    CHECK(camera["refused"] == 0);
    CHECK_FALSE(camera.contains("underruns"));
    CHECK_FALSE(display.contains("stop_ps"));
    CHECK(display["start_ps"] == 0);
    CHECK(display["access"] == "read");
    CHECK(display["buffer_bytes"] == 64);
    CHECK(display["underruns"] == 0);
    CHECK(camera["longest_ps"].get<double>() > 0);
    CHECK(camera["bytes"].get<int>() % 8 == 0);
    const auto line = [](const Json& master, const char* misses, double microseconds) {
        return fmt::format(
            "{}: {} of {}, {} bytes at {}: {} bytes demanded, {} moved in {} bursts, {:.3f} MB/s; "
            "no "
            "{}; assumed: the rights of a trusted master\n",
            master["name"].get<std::string>(), master["access"].get<std::string>(),
            master["pattern"].get<std::string>(), master["buffer_bytes"].get<int>(),
            master["address"].get<std::string>(), master["demanded_bytes"].get<int>(),
            master["bytes"].get<int>(), master["bursts"].get<int>(),
            master["bytes"].get<double>() / microseconds, misses);
    };
    CHECK(has(told.outcome.out, "\ngenerated traffic:\n" + line(camera, "overruns", 50) +
                                    line(display, "underruns", 100) + flow_lines(told.report)));
}

TEST_CASE("report: pins with their edges, inputs that nobody heard, registers without model") {
    const Workdir room;
    Thumb program;
    program.write(kAhb4, 1u << 2);
    program.write(kGpioC, 0xFFFFFFFF & ~(2u << 6));  // PC3: output
    for (int i = 0; i < 3; ++i)
        program.write(kGpioC + 0x18, 1u << 3).write(kGpioC + 0x18, 1u << 19);
    program.set(1, 0xE0002000).load(0, 1).load(0, 1).store(0, 1);  // FP_CTRL
    program.raw({0xE7FE});
    const Told told = tell(room, program,
                           "[[pin]]\nname = \"PC3\"\nwatch = true\n"
                           "[[input]]\nat = \"1us\"\ntext = \"ab\"\n",
                           {"--max-time", "1ms"});
    REQUIRE(told.report["pins"].size() == 1);
    const Json& pin = told.report["pins"][0];
    CHECK(pin["name"] == "PC3");
    CHECK(pin["changes"] == 6);
    CHECK(pin["rising"] == 3);
    CHECK(pin["falling"] == 3);
    CHECK(pin["last_level"] == 0);
    REQUIRE(pin["levels"].size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(pin["levels"][i]["level"] == (i + 1) % 2);
    const auto edge = [&](std::size_t i) { return pin["levels"][i]["ps"].get<double>() * 1e-6; };
    // From the first rising edge to the last there are two periods.
    CHECK(pin["period_ps"].get<double>() * 1e-6 == doctest::Approx((edge(4) - edge(0)) / 2));
    CHECK(has(
        told.outcome.out,
        fmt::format("\npins:\nPC3   6 changes: {:.3f} us high, {:.3f} us low, {:.3f} us high, "
                    "{:.3f} us low, ...; at the end low; period {:.3f} us\n",
                    edge(0), edge(1), edge(2), edge(3), pin["period_ps"].get<double>() * 1e-6)));
    REQUIRE(told.report["inputs"].size() == 1);
    CHECK(told.report["inputs"][0] == Json{{"port", "USART1"},
                                           {"characters", 2},
                                           {"on_the_line", 0},
                                           {"unheard", 2},
                                           {"overrun", 0}});
    CHECK(has(told.outcome.out, "\ninputs:\nUSART1 2 characters, 2 while its receiver was off\n"));
    REQUIRE(told.report["core_registers_not_modelled"].size() == 1);
    const Json& core = told.report["core_registers_not_modelled"][0];
    CHECK(core["address"] == "0xe0002000");
    CHECK(core["name"] == "FP_CTRL");
    CHECK(core["reads"] == 2);
    CHECK(core["writes"] == 1);
    CHECK(
        has(told.outcome.out,
            "\nunmodelled registers accessed: 1\nFP_CTRL (0xe0002000): 2 reads, 1 writes, first at "
            "pc " +
                core["first_pc"].get<std::string>() + "\n"));
}

TEST_CASE("report: phases as CSV, one row each and one for each of its flows") {
    const Workdir room;
    const Thumb program = Thumb()
                              .write(0x34100100, 0x002C2261)  // "a\",": not plain
                              .write(kMailbox + 0x10, 0x34100100)
                              .write(kMailbox + 0x14, 5)
                              .write(0x34100000, 1)
                              .write(kMailbox + 0x18, 5)
                              .write(kMailbox + 0x14, 6)
                              .write(kExit, 0)
                              .raw({0xE7FE});
    const Told told = tell(room, program, "", {"--csv"});
    std::string expected =
        "phase,depth,ended,start_ps,end_ps,cycles,instructions,initiator,target,bytes_read,"
        "bytes_written,waited_ps\n";
    REQUIRE(told.report["phases"].size() == 3);
    const char* const names[] = {"run", "a__", "6"};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& phase = told.report["phases"][i];
        const std::string common =
            fmt::format("{},{},{},{},{},{},{}", names[i], phase["depth"].get<int>(),
                        phase["ended"].get<bool>() ? 1 : 0, phase["start_ps"].get<std::uint64_t>(),
                        phase["end_ps"].get<std::uint64_t>(), phase["cycles"].get<std::uint64_t>(),
                        phase["instructions"].get<std::uint64_t>());
        expected += common + ",,,,,\n";
        for (const Json& flow : phase["traffic"]) {
            expected += fmt::format(
                "{},{},{},{},{},{}\n", common, flow["initiator"].get<std::string>(),
                flow["target"].get<std::string>(), flow["bytes_read"].get<std::uint64_t>(),
                flow["bytes_written"].get<std::uint64_t>(), flow["waited_ps"].get<std::uint64_t>());
        }
    }
    CHECK(told.outcome.out == expected);
}
