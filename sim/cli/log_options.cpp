// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/log_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileOption = "--log-file";

struct LogOptions {
    std::string levels, file;
};

void open_log(const LogOptions& options, Session& session) {
    const LogLevels levels =
        options.levels.empty() ? LogLevels() : LogLevels::parse(options.levels);
    if (options.file.empty()) {
        Log::open(levels, session.err);
    } else {
        Log::open(levels, options.file);
    }
}

[[nodiscard]] bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored) ||
           fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

/// Returns the path after --log-file, "" for none.
[[nodiscard]] std::string_view log_file(int argc, char** argv, int& at) {
    for (at = 2; at < argc; ++at) {
        const std::string_view word = argv[at];
        if (word == kFileOption && at + 1 < argc) return argv[++at];
        const bool joined = word.starts_with(kFileOption) && word[kFileOption.size()] == '=';
        if (joined) return word.substr(kFileOption.size() + 1);
    }
    return {};
}

}  // namespace

void add_log_options(CLI::App& verb, Session& session) {
    const auto options = std::make_shared<LogOptions>();
    std::string meaning = "log level, optionally per component:";
    for (const std::string_view level : kLogLevels) meaning += fmt::format(" {},", level);
    meaning.back() = ';';
    for (const std::string_view component : kLogComponents)
        meaning += fmt::format(" {},", component);
    meaning.back() = ' ';
    verb.add_option("--log", options->levels, meaning + "(default: warn)")
        ->type_name("LEVEL[,COMPONENT=LEVEL]...")
        ->group("Log");
    verb.add_option(std::string(kFileOption), options->file,
                    "log to this file instead of standard error")
        ->type_name("FILE")
        ->group("Log");
    verb.parse_complete_callback([options, &session] { open_log(*options, session); });
}

void require_log_file_apart(int argc, char** argv) {
    int at = 0;
    const std::string_view log = log_file(argc, argv, at);
    std::error_code ignored;
    const bool harmless = fs::exists(log, ignored) && !fs::is_regular_file(log, ignored);
    if (log.empty() || harmless) return;
    for (int index = 2; index < argc; ++index) {
        if (index == at) continue;
        std::string_view word = argv[index];
        const bool is_option = word.starts_with('-');
        if (is_option && word.find('=') == std::string_view::npos) continue;
        // "--report=FILE", "--image ADDR=FILE"
        const std::string_view value = word.substr(word.rfind('=') + 1);
        const bool same = same_file(log, value) || (!is_option && same_file(log, word));
        if (!same) continue;
        throw UserError(
            fmt::format("--log-file would overwrite '{}', another file of this command line",
                        traces::terminal_text(log)),
            "name another file for the log");
    }
}

}  // namespace n6vp::sim::cli
