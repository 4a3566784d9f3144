// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

/// What the tool does, line by line, for its user. Models stay silent: rooms of `sim` log what
/// observers and events report. Nothing of it reaches a report, a trace or a hash.
namespace n6vp::sim {

enum class LogLevel : std::uint8_t { Trace, Debug, Info, Warn, Error, Off };
inline constexpr std::array<std::string_view, 6> kLogLevels = {"trace", "debug", "info",
                                                               "warn",  "error", "off"};

enum class LogComponent : std::uint8_t {
    Kernel,
    Cli,
    Config,
    Platform,
    Clocks,
    Bus,
    Registers,
    Npu,
    Inference,
    Generate,
    Process,
    Console,
    Debugger,
};
/// Each has at least one source.
inline constexpr std::array<std::string_view, 13> kLogComponents = {
    "kernel", "cli",       "config",   "platform", "clocks",  "bus",     "registers",
    "npu",    "inference", "generate", "process",  "console", "debugger"};

class LogLevels {
  public:
    /// Reads "LEVEL[,component=LEVEL]...", applied from left to right. Fails with UserError that
    /// names the nearest level or component.
    [[nodiscard]] static LogLevels parse(std::string_view text);

    [[nodiscard]] LogLevel of(LogComponent component) const {
        return levels_[static_cast<std::size_t>(component)];
    }

  private:
    static constexpr std::array<LogLevel, kLogComponents.size()> all(LogLevel level) {
        std::array<LogLevel, kLogComponents.size()> levels{};
        levels.fill(level);
        return levels;
    }
    std::array<LogLevel, kLogComponents.size()> levels_ = all(LogLevel::Warn);
};

/// The process's log. It discards everything until `open`.
class Log {
  public:
    /// Lines go to `out` from now on, which must outlive the log's use.
    static void open(const LogLevels& levels, std::ostream& out);
    /// Lines go to a file, made anew and written line by line. Fails with UserError.
    static void open(const LogLevels& levels, const std::string& path);
    /// The log discards everything again. Returns false if lines of the file were lost.
    static bool close();

    /// Simulated time in picoseconds, while something simulates.
    using Clock = std::function<std::uint64_t()>;
    static void set_clock(Clock clock);

    [[nodiscard]] static bool enabled(LogComponent component, LogLevel level) {
        return level >= enabled_[static_cast<std::size_t>(component)];
    }
    /// Writes one line; every character of `text` that could control a terminal is escaped. `at`
    /// replaces the clock's time.
    static void write(LogComponent component, LogLevel level, std::string_view text,
                      std::optional<std::uint64_t> at = {});

  private:
    static constexpr std::array<LogLevel, kLogComponents.size()> none() {
        std::array<LogLevel, kLogComponents.size()> levels{};
        levels.fill(static_cast<LogLevel>(0xFF));
        return levels;
    }
    static inline std::array<LogLevel, kLogComponents.size()> enabled_ = none();
};

/// Formats and writes a line if its level is enabled; the arguments are raw, not escaped.
template <typename... Values>
void log(LogComponent component, LogLevel level, fmt::format_string<Values...> form,
         Values&&... values) {
    if (!Log::enabled(component, level)) return;
    Log::write(component, level, fmt::vformat(form, fmt::make_format_args(values...)));
}

/// The same for an event that has a time of its own, in picoseconds since reset.
template <typename... Values>
void log_at(std::uint64_t at, LogComponent component, LogLevel level,
            fmt::format_string<Values...> form, Values&&... values) {
    if (!Log::enabled(component, level)) return;
    Log::write(component, level, fmt::vformat(form, fmt::make_format_args(values...)), at);
}

}  // namespace n6vp::sim
