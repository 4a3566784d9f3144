// SPDX-License-Identifier: Apache-2.0
#include "sim/host/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

static_assert(static_cast<int>(LogLevel::Trace) == SPDLOG_LEVEL_TRACE);
static_assert(static_cast<int>(LogLevel::Error) == SPDLOG_LEVEL_ERROR);

/// What the log holds between `open` and `close`.
struct State {
    Log::Clock clock;
    std::optional<std::uint64_t> at;  ///< of the line that is being written
    std::ofstream file;
    std::vector<std::shared_ptr<spdlog::logger>> loggers;
};

State& state() {
    static State the_state;
    return the_state;
}

/// Simulated time as %*: microseconds with picoseconds behind the point, or a dash.
class SimulatedTime : public spdlog::custom_flag_formatter {
  public:
    void format(const spdlog::details::log_msg&, const std::tm&,
                spdlog::memory_buf_t& to) override {
        std::optional<std::uint64_t> time = state().at;
        if (!time && state().clock) time = state().clock();
        constexpr std::uint64_t kPerMicrosecond = 1'000'000;
        const std::string text =
            time ? fmt::format("{}.{:06d} us", *time / kPerMicrosecond, *time % kPerMicrosecond)
                 : "-";
        to.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<SimulatedTime>();
    }
};

/// Level as %&, by the names that --log takes.
class LevelName : public spdlog::custom_flag_formatter {
  public:
    void format(const spdlog::details::log_msg& message, const std::tm&,
                spdlog::memory_buf_t& to) override {
        const std::string_view name = kLogLevels[static_cast<std::size_t>(message.level)];
        to.append(name.data(), name.data() + name.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<LevelName>();
    }
};

template <std::size_t N>
[[nodiscard]] std::size_t index_of(std::string_view word,
                                   const std::array<std::string_view, N>& names, const char* what) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::vector<std::string> candidates(names.begin(), names.end());
    const std::string_view near = nearest(word, candidates);
    std::string remedy = near.empty() ? "one of" : fmt::format("did you mean {}? There are", near);
    for (const std::string_view name : names) remedy += fmt::format(" {}", name);
    throw UserError(fmt::format("--log: '{}' is not a {}", traces::terminal_text(word), what),
                    remedy);
}

[[nodiscard]] LogLevel level_of(std::string_view word) {
    return static_cast<LogLevel>(index_of(word, kLogLevels, "level"));
}

void make_loggers(const LogLevels& levels, std::ostream& out) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(out, true);
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<SimulatedTime>('*').add_flag<LevelName>('&');
    formatter->set_pattern("[%*] %& %n: %v");
    sink->set_formatter(std::move(formatter));
    state().loggers.clear();
    for (std::size_t i = 0; i < kLogComponents.size(); ++i) {
        auto logger = std::make_shared<spdlog::logger>(std::string(kLogComponents[i]), sink);
        logger->set_level(
            static_cast<spdlog::level::level_enum>(levels.of(static_cast<LogComponent>(i))));
        state().loggers.push_back(std::move(logger));
    }
}

}  // namespace

LogLevels LogLevels::parse(std::string_view text) {
    LogLevels levels;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string_view item = text.substr(start, end - start);
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos) {
            levels.levels_ = all(level_of(item));
        } else {
            const std::size_t component =
                index_of(item.substr(0, equals), kLogComponents, "component");
            levels.levels_[component] = level_of(item.substr(equals + 1));
        }
        start = end + 1;
    }
    return levels;
}

void Log::open(const LogLevels& levels, std::ostream& out) {
    make_loggers(levels, out);
    for (std::size_t i = 0; i < enabled_.size(); ++i) {
        enabled_[i] = levels.of(static_cast<LogComponent>(i));
    }
}

void Log::open(const LogLevels& levels, const std::string& path) {
    std::ofstream file(path, std::ios::trunc);
    if (!file) {
        throw UserError(fmt::format("cannot write the log '{}'", traces::terminal_text(path)),
                        "name a file in a folder that can be written to: --log-file FILE");
    }
    state().file = std::move(file);
    open(levels, state().file);
}

bool Log::close() {
    enabled_ = none();
    state().loggers.clear();
    if (!state().file.is_open()) return true;
    state().file.close();
    const bool complete = state().file.good();
    state().file.clear();
    return complete;
}

void Log::set_clock(Clock clock) {
    state().clock = std::move(clock);
}

void Log::write(LogComponent component, LogLevel level, std::string_view text,
                std::optional<std::uint64_t> at) {
    const auto index = static_cast<std::size_t>(component);
    if (index >= state().loggers.size()) return;
    state().at = at;
    state().loggers[index]->log(static_cast<spdlog::level::level_enum>(level),
                                traces::terminal_text(text));
    state().at.reset();
}

}  // namespace n6vp::sim
