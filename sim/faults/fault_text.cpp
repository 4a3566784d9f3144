// SPDX-License-Identifier: Apache-2.0
// A fault report as text and as JSON.
#include <fmt/format.h>

#include <ostream>

#include "sim/faults/fault_report.h"

namespace n6vp::sim::fault_report {

namespace {

void write_line(std::ostream& out, const char* name, const std::string& text) {
    if (!text.empty()) out << fmt::format("      {:<9} {}\n", name, text);
}

[[nodiscard]] std::string encoding_text(const CodeLine& line) {
    if (line.bytes == 4) {
        return fmt::format("{:04x} {:04x}", line.encoding >> 16, line.encoding & 0xFFFF);
    }
    return fmt::format("{:04x}     ", line.encoding);
}

[[nodiscard]] Json access_json(const FaultReport& report) {
    const Access& access = *report.access;
    Json object = {{"address", hex_word(access.address)},
                   {"bytes", access.bytes},
                   {"kind", access.fetch   ? "fetch"
                            : access.write ? "write"
                                           : "read"},
                   {"region", report.region}};
    if (!access.reason.empty()) object["reason"] = access.reason;
    return object;
}

[[nodiscard]] Json origin_json(const OriginText& origin) {
    constexpr const char* kKinds[] = {"got", "relocation", "blob"};
    Json object = {{"holder", origin.holder},
                   {"kind", kKinds[static_cast<std::size_t>(origin.kind)]},
                   {"index", origin.index},
                   {"file_offset", origin.file_offset},
                   {"installed_at", hex_word(origin.installed_at)},
                   {"installed_value", hex_word(origin.installed_value)},
                   {"distance", origin.distance},
                   {"text", origin.text}};
    if (origin.file_value) object["file_value"] = hex_word(*origin.file_value);
    return object;
}

}  // namespace

void write_report(std::ostream& out, const FaultReport& report) {
    out << fmt::format("n6vp: {}\n", report.cause);
    write_line(out, "at",
               fmt::format("{:.3f} us{}{}{}", static_cast<double>(report.at) * 1e-6,
                           report.state.empty() ? "" : ", " + report.state,
                           report.label == 0 ? "" : fmt::format(", epoch label {}", report.label),
                           report.count > 1 ? fmt::format(", {} times", report.count) : ""));
    if (report.pc) write_line(out, "pc", fmt::format("0x{:08x} {}", *report.pc, report.function));
    write_line(out, "called", report.called_from);
    for (const CodeLine& line : report.code) {
        out << fmt::format("      {}0x{:08x}  {}  {}\n", line.marked ? "=> " : "   ", line.address,
                           encoding_text(line), line.text);
    }
    write_line(out, "status", report.status);
    if (report.origin) {
        write_line(out, "origin",
                   fmt::format("{}: {}", report.origin->holder, report.origin->text));
    }
    write_line(out, "pool", report.pool);
    write_line(out, "during", report.phase);
    for (const std::string& line : report.waiting) write_line(out, "waits", line);
    for (const std::string& line : report.nested) write_line(out, "then", line);
    write_line(out, "remedy", report.remedy);
}

Json report_json(const FaultReport& report) {
    Json object = {{"kind", kind_name(report.kind)}, {"ended_run", report.ended_run},
                   {"cause", report.cause},          {"who", report.who},
                   {"time_ps", report.at},           {"count", report.count}};
    if (report.pc) {
        object["pc"] = hex_word(*report.pc);
        object["function"] = report.function;
        object["state"] = report.state;
    }
    if (!report.called_from.empty()) object["called_from"] = report.called_from;
    Json code = Json::array();
    for (const CodeLine& line : report.code) {
        code.push_back({{"address", hex_word(line.address)},
                        {"encoding", fmt::format("{:0{}x}", line.encoding, 2 * line.bytes)},
                        {"text", line.text},
                        {"marked", line.marked}});
    }
    object["code"] = std::move(code);
    if (report.access) object["access"] = access_json(report);
    object["rule"] = report.rule;
    if (!report.status.empty()) object["status"] = report.status;
    if (report.origin) object["origin"] = origin_json(*report.origin);
    if (!report.pool.empty()) object["pool"] = report.pool;
    if (!report.phase.empty()) object["phase"] = report.phase;
    if (report.label != 0) object["epoch_label"] = report.label;
    if (!report.waiting.empty()) object["waiting"] = report.waiting;
    if (!report.nested.empty()) object["nested"] = report.nested;
    if (report.registers) {
        Json& registers = object["registers"] = Json::array();
        for (const std::uint32_t value : *report.registers) registers.push_back(hex_word(value));
    }
    object["remedy"] = report.remedy;
    return object;
}

}  // namespace n6vp::sim::fault_report
