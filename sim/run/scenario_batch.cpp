// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <string_view>

#include "sim/host/child_process.h"
#include "sim/host/exit_codes.h"
#include "sim/host/json_output.h"
#include "sim/host/signals.h"
#include "sim/host/temp_folder.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace fs = std::filesystem;

[[nodiscard]] const char* kind_of(int exit_code) {
    switch (exit_code) {
        case kExitExpectation:
            return "expectation";
        case kExitUsage:
            return "usage";
        case kExitGuestFault:
            return "guest fault";
        case kExitUnmodelled:
            return "unmodelled";
        case kExitLimit:
            return "limit";
        case kExitRefused:
            return "refused";
        case kExitOutput:
            return "output";
        case kExitInterrupted:
            return "interrupted";
        default:
            return "internal";
    }
}

[[nodiscard]] bool is_failure(int exit_code) {
    return exit_code == kExitExpectation ||
           (exit_code >= kExitGuestFault && exit_code <= kExitRefused);
}

/// Returns one line for each demand that was not met.
[[nodiscard]] std::string broken_demands(const Json& document) {
    std::string lines;
    const auto found = document.find("expectations");
    if (found == document.end()) return lines;
    for (const Json& one : *found) {
        if (one.at("holds").get<bool>()) continue;
        lines +=
            fmt::format("{}: {}: expected {}, found {}\n", one.at("origin").get<std::string>(),
                        one.at("key").get<std::string>(), one.at("expected").get<std::string>(),
                        one.at("found").get<std::string>());
    }
    return lines;
}

/// Returns what the tool itself said: from its first line on to the next line that is no part of
/// it.
[[nodiscard]] std::string tool_lines(const std::string& output) {
    constexpr std::string_view kMark = "n6vp: ", kFurther = "      ";
    std::string lines;
    bool within = false;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string_view line = std::string_view(output).substr(at, end - at);
        within = line.starts_with(kMark) || (within && line.starts_with(kFurther));
        if (within) lines += std::string(line) + '\n';
        at = end + 1;
    }
    return lines;
}

void judge(ScenarioOutcome& outcome, const std::string& report) {
    JunitCase& junit = outcome.junit;
    if (outcome.exit_code == kExitOk) return;
    junit.result =
        is_failure(outcome.exit_code) ? JunitCase::Result::Failed : JunitCase::Result::Error;
    junit.kind = kind_of(outcome.exit_code);
    const Json document = Json::parse(report, nullptr, false);
    if (document.is_object()) junit.details = broken_demands(document);
    const std::string said = tool_lines(junit.output);
    if (junit.details.empty()) junit.details = said;
    junit.message = junit.details.substr(0, junit.details.find('\n'));
    if (junit.message.empty()) junit.message = fmt::format("exit code {}", outcome.exit_code);
}

[[nodiscard]] ScenarioOutcome blank_outcome(const std::string& scenario) {
    const fs::path path(scenario);
    ScenarioOutcome outcome;
    outcome.scenario = scenario;
    outcome.junit.name = path.stem().string();
    outcome.junit.group = path.parent_path().string();
    return outcome;
}

[[nodiscard]] ScenarioOutcome left_out(const std::string& scenario) {
    ScenarioOutcome outcome = blank_outcome(scenario);
    outcome.exit_code = kExitInterrupted;
    outcome.junit.result = JunitCase::Result::Skipped;
    outcome.junit.message = "not run: the batch was interrupted";
    return outcome;
}

[[nodiscard]] ScenarioOutcome run_one(const ScenarioBatch& batch, const std::string& scenario) {
    const fs::path path(scenario);
    const TempFolder scratch("scenario");
    const std::string output = scratch.file("output"), report = scratch.file("report.json");
    std::vector<std::string> words{"run"};
    words.insert(words.end(), batch.options.begin(), batch.options.end());
    if (!batch.dump.empty()) {
        words.emplace_back("--dump");
        words.push_back(
            (fs::path(batch.dump) / traces::file_name_part(path.stem().string())).string());
    }
    words.insert(words.end(), {"--report", report, "--", scenario});
    ScenarioOutcome outcome = blank_outcome(scenario);
    const auto start = std::chrono::steady_clock::now();
    outcome.exit_code = run_child({kSelf, words, output, output, "check that /proc is mounted"});
    if (interrupted() && ended_by_request(outcome.exit_code)) outcome.exit_code = kExitInterrupted;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    outcome.junit.seconds = taken.count();
    outcome.junit.output = scratch.read("output");
    judge(outcome, scratch.read("report.json"));
    return outcome;
}

void tell(std::ostream& out, const ScenarioOutcome& outcome, bool quiet) {
    const std::string name = traces::terminal_text(outcome.scenario);
    if (outcome.exit_code == kExitOk) {
        if (!quiet) out << fmt::format("ok    {} ({:.1f} s)\n", name, outcome.junit.seconds);
        return;
    }
    out << fmt::format("FAIL  {} ({}, exit code {})\n", name, outcome.junit.kind,
                       outcome.exit_code);
    std::string_view lines = outcome.junit.details;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        out << "      " << traces::terminal_text(lines.substr(0, end)) << '\n';
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

}  // namespace

std::vector<ScenarioOutcome> run_batch(const ScenarioBatch& batch, std::ostream& out) {
    std::vector<ScenarioOutcome> outcomes;
    outcomes.reserve(batch.scenarios.size());
    const InterruptGuard guard;
    bool ended = false;
    for (const std::string& scenario : batch.scenarios) {
        if (ended) {
            outcomes.push_back(left_out(scenario));
            continue;
        }
        outcomes.push_back(run_one(batch, scenario));
        tell(out, outcomes.back(), batch.quiet);
        out.flush();
        ended = interrupted() || outcomes.back().exit_code == kExitInterrupted;
    }
    return outcomes;
}

int exit_code_of(const std::vector<ScenarioOutcome>& outcomes) {
    if (outcomes.size() == 1) return outcomes.front().exit_code;
    int code = kExitOk;
    for (const ScenarioOutcome& one : outcomes) {
        if (one.exit_code == kExitInterrupted) return kExitInterrupted;
        if (one.exit_code != kExitOk) code = kExitExpectation;
    }
    return code;
}

}  // namespace n6vp::sim
