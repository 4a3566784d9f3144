// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario_batch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "sim/host/exit_codes.h"
#include "sim/host/json_output.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace fs = std::filesystem;

/// A folder for what one scenario leaves, which goes with it.
class Scratch {
  public:
    Scratch() {
        std::string pattern = (fs::temp_directory_path() / "n6vp-run-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("cannot create a temporary folder");
        path_ = pattern;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

  private:
    fs::path path_;
};

[[nodiscard]] std::string read_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs this very tool with standard output and error in a file. Returns its exit code.
[[nodiscard]] int run_tool(const std::vector<std::string>& words, const std::string& output) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start another process");
    if (child == 0) {
        // Whoever ends this process means the scenario.
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        const bool ready = file >= 0 && nothing >= 0 && ::dup2(file, STDOUT_FILENO) >= 0 &&
                           ::dup2(file, STDERR_FILENO) >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0;
        if (ready && ::getppid() == parent) ::execv("/proc/self/exe", arguments.data());
        ::_exit(kExitInternal);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw std::runtime_error("the process of a scenario died");
    }
    constexpr int kSignal = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kSignal + WTERMSIG(status);
}

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

[[nodiscard]] ScenarioOutcome run_one(const ScenarioBatch& batch, const std::string& scenario) {
    const fs::path path(scenario);
    const Scratch scratch;
    const std::string output = scratch.file("output"), report = scratch.file("report.json");
    std::vector<std::string> words{"n6vp", "run"};
    words.insert(words.end(), batch.options.begin(), batch.options.end());
    if (!batch.dump.empty()) {
        words.emplace_back("--dump");
        words.push_back(
            (fs::path(batch.dump) / traces::file_name_part(path.stem().string())).string());
    }
    words.insert(words.end(), {"--report", report, "--", scenario});
    ScenarioOutcome outcome;
    outcome.scenario = scenario;
    outcome.junit.name = path.stem().string();
    outcome.junit.group = path.parent_path().string();
    const auto start = std::chrono::steady_clock::now();
    outcome.exit_code = run_tool(words, output);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    outcome.junit.seconds = taken.count();
    outcome.junit.output = read_text(output);
    judge(outcome, read_text(report));
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
    for (const std::string& scenario : batch.scenarios) {
        outcomes.push_back(run_one(batch, scenario));
        tell(out, outcomes.back(), batch.quiet);
        out.flush();
        if (outcomes.back().exit_code == kExitInterrupted) break;
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
