// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/trace_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/run/run_config.h"
#include "traces/escape.h"

namespace n6vp::sim::trace {

namespace {

struct Ending {
    std::string_view text;
    TraceFormat format;
};
constexpr Ending kEndings[] = {
    {".json", TraceFormat::Chrome},      {".pftrace", TraceFormat::Perfetto},
    {".csv", TraceFormat::EpochCsv},     {".vcd", TraceFormat::Waveform},
    {".txt", TraceFormat::Instructions},
};
constexpr std::array<std::string_view, 10> kCategories = {
    "phase", "core", "function", "interrupt", "npu", "engine", "bus", "memory", "cache", "pin"};
constexpr std::string_view kEvents = "event";

constexpr const char* kFilterRemedy =
    "write time=2ms-3ms, phase=NAME, epoch=4-9, or track= with phase, core, function, interrupt, "
    "npu, engine, bus, memory, cache, pin or event";

[[nodiscard]] UserError bad_filter(const std::string& filter) {
    return {fmt::format("--trace-filter '{}'", traces::terminal_text(filter)), kFilterRemedy};
}

[[nodiscard]] std::optional<std::int64_t> whole(std::string_view text) {
    return parse_digits<std::uint32_t>(text);
}

void add_time(const std::string& filter, std::string_view value, TracePlan& plan) {
    const std::size_t dash = value.find('-');
    if (dash == std::string_view::npos) throw bad_filter(filter);
    const std::string_view first = value.substr(0, dash), last = value.substr(dash + 1);
    traces::TraceWindow window;
    if (!first.empty()) {
        const auto from = parse_duration(first);
        if (!from) throw bad_filter(filter);
        window.from = *from;
    }
    if (!last.empty()) {
        const auto to = parse_duration(last);
        if (!to) throw bad_filter(filter);
        window.to = *to;
    }
    if (window.from > window.to || value.size() == 1) throw bad_filter(filter);
    plan.windows.push_back(window);
}

void add_epochs(const std::string& filter, std::string_view value, TracePlan& plan) {
    const std::size_t dash = value.find('-');
    const auto first = whole(value.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole(value.substr(dash + 1));
    if (!first || !last || *first > *last) throw bad_filter(filter);
    plan.epochs.emplace_back(*first, *last);
}

void add_filter(const std::string& filter, TracePlan& plan) {
    const std::size_t equals = filter.find('=');
    if (equals == std::string::npos || equals + 1 == filter.size()) throw bad_filter(filter);
    const std::string kind = filter.substr(0, equals), value = filter.substr(equals + 1);
    if (kind == "time") {
        add_time(filter, value, plan);
    } else if (kind == "epoch") {
        add_epochs(filter, value, plan);
    } else if (kind == "phase") {
        plan.phases.push_back(value);
    } else if (kind == "track" &&
               (value == kEvents ||
                std::find(kCategories.begin(), kCategories.end(), value) != kCategories.end())) {
        plan.categories.push_back(value);
    } else {
        throw bad_filter(filter);
    }
}

/// Returns the bytes of "64M"; none if it is no such text.
[[nodiscard]] std::optional<std::uint64_t> parse_limit(std::string_view text) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    unsigned shift = 0;
    if (text.ends_with('K')) shift = 10;
    if (text.ends_with('M')) shift = 20;
    if (text.ends_with('G')) shift = 30;
    if (shift != 0) text.remove_suffix(1);
    const auto number = parse_digits<std::uint64_t>(text);
    if (!number || *number > kMost >> shift) return std::nullopt;
    return *number << shift;
}

[[nodiscard]] TraceFormat format_of(const std::string& file) {
    for (const Ending& row : kEndings) {
        if (file.ends_with(row.text)) return row.format;
    }
    throw UserError(fmt::format("--trace {}: unknown file extension", traces::terminal_text(file)),
                    "use .json (Chrome), .pftrace (Perfetto), .csv (epochs), .vcd (waveform) or "
                    ".txt (instructions)");
}

}  // namespace

std::optional<TracePlan> plan_trace(const TraceRequest& request) {
    if (request.file.empty()) {
        if (request.filters.empty() && request.limit.empty() && !request.functions) {
            return std::nullopt;
        }
        throw UserError("--trace-filter, --trace-limit and --trace-functions without a trace",
                        "name its file: --trace run.pftrace");
    }
    TracePlan plan;
    plan.file = request.file;
    plan.format = format_of(request.file);
    plan.functions = request.functions;
    const auto limit = parse_limit(request.limit.empty() ? "64M" : request.limit);
    if (!limit || *limit < traces::kMinTraceLimit) {
        throw UserError(fmt::format("--trace-limit '{}'", traces::terminal_text(request.limit)),
                        "write bytes, or a number with K, M or G: at least 64K, for instance 200M");
    }
    plan.limit = *limit;
    for (const std::string& filter : request.filters) add_filter(filter, plan);
    const bool needs_end = !plan.phases.empty() || !plan.epochs.empty() || !plan.categories.empty();
    if (plan.format == TraceFormat::Instructions && needs_end) {
        throw UserError("an instruction trace supports only the filter time=",
                        "--trace-filter time=2ms-3ms");
    }
    return plan;
}

bool is_page(const std::string& report) {
    const std::string ending = std::filesystem::path(report).extension().string();
    return ending == ".html" || ending == ".htm";
}

}  // namespace n6vp::sim::trace
