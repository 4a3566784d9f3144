// SPDX-License-Identifier: Apache-2.0
// What a run of a bare-metal program says at its end, and of missing cache maintenance.
#include "sim/exec/exec_report.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

#include "sim/faults/coherence_report.h"

using namespace n6vp;
using namespace n6vp::sim;
using models::core::CoherenceEvent;
using models::core::Timing;
using Kind = models::core::CoherenceEvent::Kind;

namespace {

std::string end_text(const ExecOutcome& outcome) {
    std::ostringstream out;
    write_end(out, outcome);
    return out.str();
}
std::string statistics_text(const ExecOutcome& outcome, Timing timing) {
    std::ostringstream out;
    write_statistics(out, outcome, timing);
    return out.str();
}

CoherenceEvent event(Kind kind, std::uint32_t bytes = 4, const char* other = "HPDMA") {
    CoherenceEvent one;
    one.kind = kind;
    one.address = 0x34001230;
    one.bytes = bytes;
    one.pc = 0x34000100;
    one.other = other;
    return one;
}

}  // namespace

TEST_CASE("exec report: each end has its cause and its remedy") {
    ExecOutcome outcome;
    outcome.pc = 0x10000040;
    CHECK(end_text(outcome).empty());
    outcome.exit_code = 1;
    CHECK(end_text(outcome) == "n6vp: the program ended with exit code 1\n");
    outcome.end = ExecEnd::Reset;
    CHECK(end_text(outcome) ==
          "n6vp: the program requested a reset at pc 0x10000040 (AIRCR.SYSRESETREQ)\n"
          "      a reset ends the run: use semihosting exit to return an exit code\n");
    outcome.end = ExecEnd::Limit;
    CHECK(end_text(outcome) ==
          "n6vp: limit reached at 0x10000040\n"
          "      --max-instr, --max-time or --max-host-time sets it\n");
    outcome.end = ExecEnd::Asleep;
    CHECK(end_text(outcome) == "n6vp: the core sleeps at 0x10000040 without a wake-up source\n");
    outcome.end = ExecEnd::Interrupted;
    outcome.instructions = 77;
    CHECK(end_text(outcome) ==
          "n6vp: interrupted at 0x10000040 after 77 instructions\n      results are partial\n");
    outcome.end = ExecEnd::Lockup;
    outcome.cfsr = 1;
    outcome.hfsr = 0x40000000;
    outcome.sfsr = 2;
    outcome.mmfar = 3;
    outcome.bfar = 4;
    CHECK(end_text(outcome) ==
          "n6vp: guest fault: the core locked up at 0x10000040 (CFSR 0x00000001, HFSR 0x40000000, "
          "SFSR 0x00000002, MMFAR 0x00000003, BFAR 0x00000004)\n"
          "      a fault occurred and no handler could be entered; --trace insn shows the "
          "instructions before it\n");
    outcome.end = ExecEnd::Unmodelled;
    outcome.register_address = 0xE00FFFC0;
    CHECK(end_text(outcome) ==
          "n6vp: 0xe00fffc0 was read at pc 0x10000040 and is not modelled\n"
          "      without --strict it reads as zero or as written; --stats lists all of them\n");
    outcome.register_written = true;
    CHECK(end_text(outcome).find("0xe00fffc0 was written at pc") != std::string::npos);
    // FP_CTRL of the breakpoint unit.
    outcome.register_address = 0xE0002000;
    CHECK(end_text(outcome).find("n6vp: FP_CTRL (0xe0002000) was written") == 0);
}

TEST_CASE("exec report: numbers of a run in columns, one of a thing without an s") {
    ExecOutcome outcome;
    outcome.instructions = 3'000'000;
    outcome.cycles = 4'500'000;
    outcome.host_seconds = 0.5;
    const std::string head = "instructions        3000000\ncycles              4500000  (";
    const std::string host = ")\nhost                  0.500  s of CPU time, 6.0 MIPS\n";
    const std::string none = "registers                 0  not modelled but accessed\n";
    CHECK(statistics_text(outcome, Timing::Functional) ==
          head + "functional" + host + "caches       not modelled with --timing functional\n" +
              none);
    CHECK(statistics_text(outcome, Timing::Precise) ==
          head + "precise" + host + "caches       none in this core\n" + none);
    ExecCaches caches{};
    caches.instructions.fills = 12;
    caches.instructions.uncached = 1;
    caches.instructions.wait_cycles = 2;
    caches.data.fills = 34;
    caches.data.write_backs = 1;
    caches.data.uncached_reads = 0;
    caches.data.uncached_writes = 1;
    caches.data.wait_cycles = 1;
    outcome.statistics.caches = caches;
    outcome.statistics.coherence.add(event(Kind::StaleCode, 1));
    outcome.statistics.coherence.add(event(Kind::OtherReadStale, 2));
    outcome.statistics.coherence.add(event(Kind::OtherReadStale, 3));
    outcome.statistics.unmodelled = {{0xE0002000, "FP_CTRL", {1, 0, 0x10000044}},
                                     {0xE00FFFC0, "", {2, 1, 0x10000048}}};
    const std::string text = statistics_text(outcome, Timing::Approx);
    CHECK(text ==
          head + "approx" + host +
              "icache                   12  line fills, 1 line past it, 2 cycles waited\n"
              "dcache                   34  line fills, 1 write-back, 0 reads and 1 write past it, "
              "1 cycle waited\n"
              "coherence                 3  events: 2 stale read of memory, 1 stale code\n"
              "  stale code at 0x34001230, 1 byte, pc 0x34000100: core's instruction cache after "
              "HPDMA\n"
              "  stale read of memory at 0x34001230, 2 bytes, pc 0x34000100: HPDMA after core's "
              "data cache\n"
              "  stale read of memory at 0x34001230, 3 bytes, pc 0x34000100: HPDMA after core's "
              "data cache\n"
              "registers                 2  not modelled but accessed\n"
              "  FP_CTRL (0xe0002000): 1 read, 0 writes, first at pc 0x10000044\n"
              "  0xe00fffc0: 2 reads, 1 write, first at pc 0x10000048\n");
    outcome.host_seconds = 0;
    CHECK(statistics_text(outcome, Timing::Approx).find("0.000  s of CPU time, 0.0 MIPS") !=
          std::string::npos);
    for (int i = 0; i < 5; ++i) outcome.statistics.coherence.add(event(Kind::StaleCode));
    CHECK(statistics_text(outcome, Timing::Approx).find(" more\n") == std::string::npos);
    outcome.statistics.coherence.add(event(Kind::StaleCode));
    CHECK(statistics_text(outcome, Timing::Approx).find("  and 1 more\n") != std::string::npos);
}

TEST_CASE("exec report: the document of each end") {
    ExecOutcome outcome;
    outcome.pc = 0x10000040;
    outcome.instructions = 2'000'000;
    outcome.cycles = 3;
    outcome.host_seconds = 2;
    outcome.exit_code = 5;
    const Json exit = exec_document(outcome, Timing::Functional);
    CHECK(exit.at("schema") == "n6vp.exec/1");
    CHECK(exit.at("end") == "exit");
    CHECK(exit.at("exit_code") == 5);
    CHECK(exit.at("partial") == false);
    CHECK(exit.at("pc") == "0x10000040");
    CHECK(exit.at("instructions") == 2'000'000);
    CHECK(exit.at("cycles") == 3);
    CHECK(exit.at("timing") == "functional");
    CHECK(exit.at("host_seconds") == 2.0);
    CHECK(exit.at("host_mips") == 1.0);
    CHECK(exit.at("caches").is_null());
    CHECK(exit.at("coherence").is_null());
    CHECK(exit.at("unmodelled_registers") == Json::array());
    CHECK_FALSE(exit.contains("fault"));
    CHECK_FALSE(exit.contains("register"));
    const std::pair<ExecEnd, const char*> ends[] = {
        {ExecEnd::Reset, "reset"},           {ExecEnd::Lockup, "lockup"},
        {ExecEnd::Unmodelled, "unmodelled"}, {ExecEnd::Limit, "limit"},
        {ExecEnd::Asleep, "asleep"},         {ExecEnd::Interrupted, "interrupted"}};
    outcome.cfsr = 0x100;
    outcome.bfar = 0x60000000;
    outcome.register_address = 0xE0002000;
    for (const auto& end : ends) {
        outcome.end = end.first;
        const Json document = exec_document(outcome, Timing::Precise);
        CHECK(document.at("end") == end.second);
        CHECK(document.at("timing") == "precise");
        CHECK_FALSE(document.contains("exit_code"));
        CHECK(document.at("partial") == (end.first == ExecEnd::Interrupted));
        CHECK(document.contains("fault") == (end.first == ExecEnd::Lockup));
        CHECK(document.contains("register") == (end.first == ExecEnd::Unmodelled));
    }
    outcome.end = ExecEnd::Lockup;
    CHECK(exec_document(outcome, Timing::Approx).at("fault") == Json{{"cfsr", "0x00000100"},
                                                                     {"hfsr", "0x00000000"},
                                                                     {"sfsr", "0x00000000"},
                                                                     {"mmfar", "0x00000000"},
                                                                     {"bfar", "0x60000000"}});
    outcome.end = ExecEnd::Unmodelled;
    CHECK(exec_document(outcome, Timing::Approx).at("register") ==
          Json{{"address", "0xe0002000"}, {"access", "read"}});
    outcome.register_written = true;
    CHECK(exec_document(outcome, Timing::Approx).at("register").at("access") == "write");
}

TEST_CASE("exec report: caches, events and registers in the document") {
    ExecOutcome outcome;
    ExecCaches caches{};
    caches.instructions.fills = 1;
    caches.instructions.uncached = 2;
    caches.instructions.wait_cycles = 3;
    caches.data.fills = 4;
    caches.data.write_backs = 5;
    caches.data.uncached_reads = 6;
    caches.data.uncached_writes = 7;
    caches.data.wait_cycles = 8;
    outcome.statistics.caches = caches;
    outcome.statistics.coherence.add(event(Kind::CoreWriteLost, 9));
    outcome.statistics.unmodelled = {{0xE0002000, "FP_CTRL", {1, 0, 0x10000044}},
                                     {0xE00FFFC0, "", {2, 3, 0x10000048}}};
    const Json document = exec_document(outcome, Timing::Approx);
    CHECK(document.at("caches") ==
          Json::parse(R"({"icache": {"fills": 1, "uncached": 2, "wait_cycles": 3},
            "dcache": {"fills": 4, "write_backs": 5, "uncached_reads": 6, "uncached_writes": 7,
                       "wait_cycles": 8}})"));
    const Json expected = Json::parse(R"({"events": 1,
        "by_kind": {"core_read_stale": 0, "other_read_stale": 0, "core_write_lost": 1,
                    "other_write_lost": 0, "stale_code": 0, "unwritten_code": 0,
                    "unfinished_clean": 0},
        "first": [{"kind": "core_write_lost", "address": "0x34001230", "bytes": 9,
                   "pc": "0x34000100", "parties": ["cache maintenance", "core's data cache"]}]})");
    CHECK(document.at("coherence") == expected);
    CHECK(document.at("unmodelled_registers") ==
          Json::parse(R"([{"address": "0xe0002000", "name": "FP_CTRL", "reads": 1, "writes": 0,
                           "first_pc": "0x10000044"},
                          {"address": "0xe00fffc0", "reads": 2, "writes": 3,
                           "first_pc": "0x10000048"}])"));
    // That of a run on the chip has remedies, too.
    Json with = expected;
    with["first"][0]["remedy"] =
        "clean before invalidating, and keep other data out of the buffer's lines";
    CHECK(coherence_json(outcome.statistics.coherence) == with);
}

TEST_CASE("coherence: who did what after whom, and what would have prevented it") {
    struct Row {
        Kind kind;
        const char *text, *remedy;
    };
    for (const Row& row :
         {Row{Kind::CoreReadStale, "stale read by the core|core's data cache after HPDMA",
              "invalidate the range in the D-cache before the core reads data of another master"},
          Row{Kind::OtherReadStale, "stale read of memory|HPDMA after core's data cache",
              "clean the range in the D-cache before another master reads it"},
          Row{Kind::CoreWriteLost,
              "lost write of the core|cache maintenance after core's data cache",
              "clean before invalidating, and keep other data out of the buffer's lines"},
          Row{Kind::OtherWriteLost, "lost write to memory|core's data cache after HPDMA",
              "clean and invalidate the range in the D-cache before another master writes it"},
          Row{Kind::StaleCode, "stale code|core's instruction cache after HPDMA",
              "invalidate the I-cache after writing code"},
          Row{Kind::UnwrittenCode,
              "unwritten code|core's instruction cache after core's data cache",
              "after writing code, clean the D-cache, then invalidate the I-cache"},
          Row{Kind::UnfinishedClean,
              "read after a clean without barrier|HPDMA after core's data cache",
              "insert a DSB between the D-cache clean and the start of the other master"}}) {
        const std::string whole = row.text;
        const std::size_t bar = whole.find('|');
        CoherenceLog log;
        log.add(event(row.kind, 1));
        log.add(event(row.kind, 2));
        std::ostringstream out;
        write_coherence(out, log);
        const auto line = [&](const char* bytes) {
            return "  " + whole.substr(0, bar) + ", " + bytes +
                   " at 0x34001230, pc 0x34000100: " + whole.substr(bar + 1) + "\n    " +
                   row.remedy + "\n";
        };
        CHECK(out.str() == line("1 byte") + line("2 bytes"));
        CHECK(log.count(row.kind) == 2);
        CHECK(log.total() == 2);
    }
}

TEST_CASE("coherence: eight events are kept, all counted, and semihosting is no other master") {
    CoherenceLog log;
    for (std::uint32_t i = 0; i < 8; ++i) log.add(event(Kind::CoreReadStale, i));
    std::ostringstream eight;
    write_coherence(eight, log);
    CHECK(eight.str().find("more") == std::string::npos);
    log.add(event(Kind::StaleCode, 8));
    log.add(event(Kind::StaleCode, 9));
    REQUIRE(log.first().size() == 8);
    CHECK(log.first()[7].bytes == 7);
    CHECK(log.total() == 10);
    std::ostringstream ten;
    write_coherence(ten, log);
    CHECK(ten.str().ends_with("\n  and 2 more\n"));
    CoherenceLog quiet;
    for (const Kind kind : CoherenceLog::kKinds) quiet.add(event(kind, 4, kSemihostingMaster));
    CHECK(quiet.total() == 2);
    CHECK(quiet.count(Kind::StaleCode) == 1);
    CHECK(quiet.count(Kind::UnwrittenCode) == 1);
    CHECK(quiet.count(Kind::OtherReadStale) == 0);
}
