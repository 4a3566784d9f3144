// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/traces/sample_log.h"
#include "traces/install_log.h"
#include "traces/trace_sinks.h"

using namespace n6vp::traces;

namespace {

std::vector<EpochRecord> epochs() {
    EpochRecord first;
    first.number = 7;
    first.by_controller = first.ended = true;
    first.phase = n6vp::test::kHostile;
    first.start = 1000;
    first.end = 3000;
    first.npu_cycles = 2.5;
    first.engines = "0 3 > 8";
    first.bound = {{"flash", 0.75}, {"link", 0.25}};
    first.macs = 640;
    first.utilisation = 0.5;
    first.traffic = {{"XSPI2", 4096, 0}, {"AXISRAM3", 0, 64}};
    first.bytes_read = 4096;
    first.bytes_written = 64;
    first.controller_bytes = 48;
    first.cache_hits = 3;
    first.cache_misses = 4;
    first.waited_cycles = 1.5;
    first.bursts_waited = 5;
    EpochRecord second;
    second.start = 4000;
    second.end = 5000;
    second.traffic = {{"AXISRAM3", 8, 16}};
    return {first, second};
}

std::string written(const std::vector<EpochRecord>& rows, const TraceOutput& output = {}) {
    std::ostringstream out;
    static_cast<void>(write_epoch_csv(out, rows, output));
    return out.str();
}

/// Cells of a CSV text, row by row, after RFC 4180.
std::vector<std::vector<std::string>> cells(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, {std::string()});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            if (quoted && i + 1 < text.size() && text[i + 1] == '"') {
                rows.back().back() += text[++i];
            } else {
                quoted = !quoted;
            }
        } else if (c == ',' && !quoted) {
            rows.back().emplace_back();
        } else if (c == '\r' && !quoted) {
            rows.push_back({std::string()});
            ++i;
        } else {
            rows.back().back() += c;
        }
    }
    rows.pop_back();
    return rows;
}

}  // namespace

TEST_CASE("epoch CSV: a line per epoch, a pair of columns per memory") {
    const auto rows = cells(written(epochs()));
    REQUIRE(rows.size() == 3);
    for (const auto& row : rows) CHECK(row.size() == 24);
    CHECK(rows[0][20] == "AXISRAM3 read");
    CHECK(rows[0][23] == "XSPI2 written");
    const std::vector<std::string> first(rows[1].begin() + 5, rows[1].end());
    CHECK(first == std::vector<std::string>{"1000", "3000", "2.500", "0 3 > 8", "flash", "0.7500",
                                            "640", "0.5000", "4096", "64", "48", "3", "4", "1.500",
                                            "5", "0", "64", "4096", "0"});
    CHECK(rows[1][0] == "0");
    CHECK(rows[1][1] == "7");
    CHECK(rows[1][2] == "controller");
    CHECK(rows[2][1] == "");
    CHECK(rows[2][2] == "core");
    CHECK(rows[2][21] == "16");
    CHECK(rows[2][22] == "0");
}

TEST_CASE("epoch CSV: a hostile phase is one cell") {
    const auto rows = cells(written(epochs()));
    REQUIRE(rows.size() == 3);
    CHECK(rows[1][4].starts_with("</script>"));
}

TEST_CASE("epoch CSV: windows choose lines, and the limit is said") {
    TraceOutput output;
    output.choice.windows = {{3500, 4500}};
    const auto rows = cells(written(epochs(), output));
    REQUIRE(rows.size() == 2);
    CHECK(rows[1][0] == "1");

    // Windows that an epoch only touches with its end or its start.
    for (const TraceTime edge : {TraceTime{3000}, TraceTime{4000}}) {
        output.choice.windows = {{edge, edge}};
        const auto touched = cells(written(epochs(), output));
        REQUIRE(touched.size() == 2);
        CHECK(touched[1][0] == (edge == 3000 ? "0" : "1"));
    }

    const std::vector<EpochRecord> many(3000, epochs()[1]);
    TraceOutput small;
    small.limit = kMinTraceLimit;
    const std::string text = written(many, small);
    CHECK(text.size() <= small.limit);
    CHECK(text.find("limit reached; ") != std::string::npos);
}

TEST_CASE("install log: only a patch of a word has what was there before and after") {
    using What = InstallEvent::Kind;
    std::vector<InstallEvent> events;
    for (const What kind : {What::Patch, What::Copy, What::Clear, What::Cache, What::Console}) {
        for (const std::uint32_t bytes : {4u, 8u}) {
            InstallEvent event;
            event.kind = kind;
            event.bytes = bytes;
            event.before = 0x11223344;
            event.after = 0x55667788;
            events.push_back(event);
        }
    }
    std::ostringstream out;
    write_install_log(out, events);
    std::istringstream lines(out.str());
    std::string line;
    REQUIRE(std::getline(lines, line));
    for (const InstallEvent& event : events) {
        REQUIRE(std::getline(lines, line));
        CAPTURE(line);
        const bool word = event.kind == What::Patch && event.bytes == 4;
        CHECK(line.ends_with(word ? ",4,0x11223344,0x55667788,ok"
                                  : "," + std::to_string(event.bytes) + ",,,ok"));
    }
}
