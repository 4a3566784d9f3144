// SPDX-License-Identifier: Apache-2.0
#include "sim/install/install_report.h"

#include <fmt/format.h>

#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr double kPsPerUs = 1e6;

/// What the Strict policy computes beside its memory accesses. The vendor's loader does not.
constexpr std::string_view kNotTimed =
    "arithmetic of the parameter CRC (its memory accesses are timed)";

[[nodiscard]] double microseconds(models::Picoseconds time) {
    return static_cast<double>(time) / kPsPerUs;
}

[[nodiscard]] std::string mode_text(std::uint32_t mode) {
    namespace format = loader::format;
    std::string text;
    const auto add = [&text](const char* word) {
        text += (text.empty() ? "" : "|") + std::string(word);
    };
    if (mode & format::kModeXip) add("XIP");
    if (mode & format::kModeCopy) add("COPY");
    if (mode & format::kModeClear) add("CLEAR");
    const std::uint32_t rest = mode & ~(format::kModeXip | format::kModeCopy | format::kModeClear);
    if (rest != 0 || mode == 0) add(fmt::format("0x{:x}", rest).c_str());
    return text;
}

[[nodiscard]] std::string model_name(const loader::Container& container) {
    loader::RuntimeContext context;
    char name[loader::format::kMaxNameBytes + 1] = {};
    if (!container.context(context) || !container.name(context.c_name, name, sizeof name))
        return {};
    return name;
}

[[nodiscard]] std::string range_text(AddressRange range) {
    return fmt::format("0x{:08x}, {} bytes", to_word(range.start), range.bytes);
}

[[nodiscard]] Json range_json(AddressRange range) {
    return {{"address", hex_word(to_word(range.start))}, {"bytes", range.bytes}};
}

/// Returns false where bytes per second would mean nothing.
[[nodiscard]] bool is_rated(CostRow row, const Cost& cost) {
    return row < CostRow::CacheMaintenance && cost.time != 0;
}

[[nodiscard]] std::string cost_line(CostRow row, const Cost& cost) {
    return fmt::format("  {:<18}{:>12}{:>12}{:>12}{:>14.3f}{:>12}\n", to_text(row), cost.bytes,
                       cost.accesses, cost.transactions, microseconds(cost.time),
                       is_rated(row, cost) ? fmt::format("{:.1f}", cost.bandwidth()) : "-");
}

[[nodiscard]] Json cost_json(CostRow row, const Cost& cost) {
    return {{"name", to_text(row)},
            {"bytes", cost.bytes},
            {"accesses", cost.accesses},
            {"bus_transactions", cost.transactions},
            {"time_us", microseconds(cost.time)},
            {"bandwidth_mb_s", is_rated(row, cost) ? Json(cost.bandwidth()) : Json()}};
}

[[nodiscard]] std::string costs_text(const InstallOutcome& outcome, loader::Policy policy) {
    std::string text = fmt::format("  {:<18}{:>12}{:>12}{:>12}{:>14}{:>12}\n", "phase", "bytes",
                                   "accesses", "bus", "time [us]", "MB/s");
    for (std::size_t row = 0; row < kCostRows; ++row) {
        const auto which = static_cast<CostRow>(row);
        if (which == CostRow::Console && !outcome.console) continue;
        text += cost_line(which, outcome.costs[row]);
    }
    text += fmt::format("  {:<54}{:>14.3f}\n", "total", microseconds(outcome.total.time));
    if (outcome.console) {
        const models::Picoseconds silent = outcome.total.time - outcome.cost(CostRow::Console).time;
        text += fmt::format("  {:<54}{:>14.3f}\n", "total without console", microseconds(silent));
    }
    text += fmt::format("  times: {}\n", kInstallGrade);
    if (policy == loader::Policy::Strict) text += fmt::format("  not timed: {}\n", kNotTimed);
    return text;
}

[[nodiscard]] std::string rates_text(const std::array<CopyRate, 2>& rates) {
    std::string text = "\nCopy rates of the core (derived from xSPI phases, line fills and bus)\n";
    for (const CopyRate& rate : rates) {
        text += fmt::format(
            "  {:<22}{:>7.1f} MB/s   fitted to published times: {:.0f} ({:.0f} to {:.0f})\n",
            rate.name, rate.derived, rate.fitted, rate.least, rate.most);
    }
    return text;
}

[[nodiscard]] std::string result_text(const loader::InstallResult& result) {
    return fmt::format(
        "\nInstalled\n"
        "  RO base 0x{:08x}   RAM base 0x{:08x}   param0 0x{:08x}   param1 0x{:08x}\n"
        "  rt_ctx 0x{:08x}    state {}\n"
        "  {} pools, {} GOT words, {} relocations\n",
        to_word(result.ro_base), to_word(result.ram_base), to_word(result.param0),
        to_word(result.param1), to_word(result.context), result.state, result.pools,
        result.got_words, result.relocations);
}

[[nodiscard]] Json result_json(const loader::InstallResult& result) {
    return {{"ro_base", hex_word(to_word(result.ro_base))},
            {"ram_base", hex_word(to_word(result.ram_base))},
            {"param0", hex_word(to_word(result.param0))},
            {"param1", hex_word(to_word(result.param1))},
            {"rt_ctx", hex_word(to_word(result.context))},
            {"state", result.state},
            {"pools", result.pools},
            {"got_words", result.got_words},
            {"relocations", result.relocations}};
}

[[nodiscard]] Json diagnosis_json(const InstallReport& report) {
    const traces::DiagnosisFields fields = traces::fields_of(report.outcome.why, &report.container);
    return {{"rule", fields.rule},
            {"severity", fields.severity},
            {"stage", fields.stage},
            {"vendor_code", fields.vendor_code},
            {"file_offset", fields.file_offset},
            {"section", fields.section},
            {"index", fields.index},
            {"address", fields.address},
            {"expected", fields.expected},
            {"found", fields.found},
            {"what", fields.what},
            {"why", fields.why},
            {"remedy", fields.remedy}};
}

[[nodiscard]] std::string_view policy_text(loader::Policy policy) {
    return policy == loader::Policy::Strict ? "strict" : "compat";
}

}  // namespace

std::string install_text(const InstallReport& report) {
    const InstallPlan& plan = report.plan;
    const std::string name = model_name(report.container);
    std::string text = fmt::format(
        "Install of {}{}\n  mode {}, policy {}\n", traces::terminal_text(report.file_path),
        name.empty() ? "" : fmt::format(" (\"{}\")", traces::terminal_text(name)),
        mode_text(plan.request().mode), policy_text(report.policy));
    text += fmt::format("  firmware   {}{}\n", profile_text(plan.request().profile),
                        plan.firmware_matched() ? " (chosen to fit the file)" : "");
    text += fmt::format("  file       {}\n", range_text(plan.file()));
    if (plan.params().bytes != 0)
        text += fmt::format("  parameters {}\n", range_text(plan.params()));
    text += fmt::format("  exec RAM   {}\n", range_text(plan.exec_ram()));
    if (plan.ext_ram().bytes != 0)
        text += fmt::format("  ext RAM    {}\n", range_text(plan.ext_ram()));
    text += fmt::format("  console    {}\n\n",
                        report.outcome.console
                            ? fmt::format("on, {} characters", report.outcome.characters)
                            : "off");
    text += costs_text(report.outcome, report.policy);
    if (report.outcome.ok()) {
        text += result_text(report.outcome.result);
    } else {
        text += fmt::format("\nRefused, vendor code {}\n",
                            traces::vendor_code_text(report.outcome.status));
        text += report.causes.empty() ? traces::describe(report.outcome.why, &report.container)
                                      : report.causes;
    }
    return text + rates_text(report.rates);
}

Json install_json(const InstallReport& report) {
    const InstallPlan& plan = report.plan;
    const InstallOutcome& outcome = report.outcome;
    Json document = json_document("install");
    document["file"] = report.file_path;
    if (!report.params_path.empty()) document["params_file"] = report.params_path;
    document["model"] = model_name(report.container);
    document["mode"] = mode_text(plan.request().mode);
    document["policy"] = policy_text(report.policy);
    document["firmware"] = profile_text(plan.request().profile);
    document["memory"] = {{"file", range_json(plan.file())},
                          {"params", range_json(plan.params())},
                          {"exec_ram", range_json(plan.exec_ram())},
                          {"ext_ram", range_json(plan.ext_ram())}};
    document["status"] = traces::to_text(outcome.status);
    document["installed"] = outcome.ok();
    if (outcome.ok()) {
        document["result"] = result_json(outcome.result);
    } else {
        document["diagnosis"] = diagnosis_json(report);
        if (!report.findings.empty()) document["findings"] = report.findings;
    }
    document["grade"] = kInstallGrade;
    if (report.policy == loader::Policy::Strict) document["not_timed"] = kNotTimed;
    document["console"] = {{"on", outcome.console}, {"characters", outcome.characters}};
    document["phases"] = Json::array();
    for (std::size_t row = 0; row < kCostRows; ++row) {
        document["phases"].push_back(cost_json(static_cast<CostRow>(row), outcome.costs[row]));
    }
    document["total_us"] = microseconds(outcome.total.time);
    document["copy_rates"] = Json::array();
    for (const CopyRate& rate : report.rates) {
        document["copy_rates"].push_back({{"name", rate.name},
                                          {"derived_mb_s", rate.derived},
                                          {"fitted_mb_s", rate.fitted},
                                          {"fitted_least_mb_s", rate.least},
                                          {"fitted_most_mb_s", rate.most}});
    }
    return document;
}

}  // namespace n6vp::sim
